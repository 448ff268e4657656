# %% layer_norm, normalize and local_response_norm
F = torch.nn.functional

x = torch.arange(24.0, dtype=torch.float64).reshape(4, 6) ** 1.5
attempt_as(1, lambda: F.layer_norm(x, (5,)))
attempt_as(2, lambda: F.layer_norm(x, (6,), torch.ones(5)))
attempt_as(3, lambda: F.layer_norm(x, (6,), bias=torch.ones(5)))
attempt_as(4, lambda: F.layer_norm(x, ()))
attempt_as(5, lambda: F.layer_norm(x.long(), (6,)))
attempt_as(6, lambda: F.layer_norm(x, (6,), torch.ones(6)))
attempt_as(7, lambda: F.layer_norm(x, (1, 4, 6)))
attempt_as(8, lambda: F.layer_norm(x, 6))
attempt_as(9, lambda: F.layer_norm(x, [4, 6]))
attempt_as(10, lambda: F.layer_norm(x[:0], (6,)))
attempt_as(11, lambda: F.layer_norm(x.t(), (4,)).stride())
attempt_as(12, lambda: F.layer_norm(x.half(), (6,)))
attempt_as(13, lambda: F.layer_norm(x.half(), (6,), torch.ones(6)).dtype)
attempt_as(14, lambda: F.layer_norm(x, x.shape, x, x))
attempt_as(15, lambda: F.layer_norm(x + 0j, (6,)))
attempt_as(16, lambda: F.rms_norm(x, (5,)))
attempt_as(17, lambda: F.rms_norm(x, (6,), torch.ones(5)))
attempt_as(18, lambda: F.rms_norm(x.long(), (6,)))
attempt_as(19, lambda: F.rms_norm(x.half(), (6,)))
attempt_as(20, lambda: F.rms_norm(x, (4, 6), x))
attempt_as(21, lambda: F.rms_norm(x, ()))
attempt_as(22, lambda: F.rms_norm(x, (6,), eps=0.5))
attempt_as(23, lambda: F.rms_norm(x.half(), (6,), torch.ones(6)).dtype)
attempt_as(24, lambda: F.normalize(x))
attempt_as(25, lambda: F.normalize(x, p=1, dim=0))
attempt_as(26, lambda: F.normalize(x, dim=3))
attempt_as(27, lambda: F.normalize(x, out=torch.empty(4, 6)))
attempt_as(28, lambda: F.normalize(torch.zeros(2, 2)))
x.requires_grad_()
w = torch.ones(6, requires_grad=True, dtype=torch.float64)
y = F.layer_norm(x, (6,), w)
f = y.grad_fn
show(
    f.name(),
    f._saved_normalized_shape,
    f._saved_result1.shape,
    f._saved_weight is w,
    f._saved_bias,
    torch.native_layer_norm(x, (6,), None, None, 1e-5)[1:],
)
show([g for g in torch.autograd.grad((y**3).sum(), (x, w))])


# %% batch_norm, instance_norm and group_norm
F = torch.nn.functional

d = torch.float64
x = torch.arange(24.0, dtype=d).reshape(4, 6) ** 1.5
x4 = (torch.arange(72.0, dtype=d) ** 1.5).reshape(2, 4, 3, 3)
zero, one = lambda *s: torch.zeros(*s, dtype=d), lambda *s: torch.ones(*s, dtype=d)
attempt_as(1, lambda: F.batch_norm(x[:1], None, None, training=True))
attempt_as(2, lambda: F.batch_norm(x, None, None))
attempt_as(3, lambda: F.batch_norm(x, zero(3), one(6)))
attempt_as(4, lambda: F.batch_norm(x, zero(6), one(6), weight=one(5)))
attempt_as(5, lambda: F.batch_norm(x, zero(6), one(6), bias=one(5)))
attempt_as(6, lambda: F.batch_norm(x, zero(6), one(5)))
attempt_as(7, lambda: F.batch_norm(x[0], zero(6), one(6)))
attempt_as(8, lambda: F.batch_norm(x.long(), zero(6), one(6)))
attempt_as(9, lambda: F.batch_norm(x.float(), zero(6), one(6)))
attempt_as(10, lambda: F.batch_norm(x.half(), zero(6).half(), one(6).half()).dtype)
attempt_as(11, lambda: F.batch_norm(x.t(), zero(4), one(4)).stride())
attempt_as(12, lambda: F.batch_norm(x4.permute(0, 2, 1, 3), zero(3), one(3)).stride())
attempt_as(13, lambda: F.batch_norm(x[:0], zero(6), one(6), training=True))
attempt_as(14, lambda: F.batch_norm(x, zero(6), None))
attempt_as(15, lambda: F.batch_norm(x, zero(6), one(6), weight=one(6).float()))
m, v = zero(6), one(6)
y = F.batch_norm(x, m, v, training=True, momentum=0.3)
show(y, m, v, m._version)
y = F.batch_norm(x4, zero(4), one(4), one(4) * 2, one(4), training=True)
show(y, F.batch_norm(x4, zero(4), one(4) * 3))
attempt_as(16, lambda: F.instance_norm(x4[:, :, :1, :1]))
attempt_as(17, lambda: F.instance_norm(x4, use_input_stats=False))
attempt_as(18, lambda: F.instance_norm(x))
m, v = zero(4), one(4)
show(F.instance_norm(x4, m, v), m, v, m._version, F.instance_norm(x4, m, v, use_input_stats=False))
attempt_as(19, lambda: F.group_norm(x4, 3))
attempt_as(20, lambda: F.group_norm(x4, 2, one(3)))
attempt_as(21, lambda: F.group_norm(x4, 2, bias=one(3)))
attempt_as(22, lambda: F.group_norm(x[0], 1))
attempt_as(23, lambda: F.group_norm(one(1, 2), 2))
attempt_as(24, lambda: F.group_norm(x4, 0))
attempt_as(25, lambda: F.group_norm(x4.long(), 2))
attempt_as(26, lambda: F.group_norm(x4.transpose(2, 3), 2).stride())
attempt_as(27, lambda: F.group_norm(x4, 2, one(4).float()))
attempt_as(28, lambda: F.group_norm(x4, 2, one(4) * 2, one(4)))
attempt_as(29, lambda: F.group_norm(x4[:0], 2).shape)
attempt_as(30, lambda: F.local_response_norm(x, 2))
attempt_as(31, lambda: F.local_response_norm(x4, 2))
attempt_as(32, lambda: F.local_response_norm(x4[0], 3, alpha=0.1))


# %% embedding and one_hot
F = torch.nn.functional

e = torch.arange(15.0).reshape(5, 3)
i = torch.tensor([1, 2, 4, 3, 1])
attempt_as("f", lambda: F.embedding(torch.ones(2), e))
attempt_as("oob", lambda: F.embedding(torch.tensor([5]), e))
attempt_as("neg", lambda: F.embedding(torch.tensor([-1]), e))
attempt_as("1d", lambda: F.embedding(torch.tensor([1]), e[0]))
attempt_as("int32", lambda: F.embedding(torch.tensor([1], dtype=torch.int32), e))
attempt_as("u8", lambda: F.embedding(torch.tensor([1], dtype=torch.uint8), e))
attempt_as("pad", lambda: F.embedding(torch.tensor([1]), e, padding_idx=7))
attempt_as("pad-", lambda: F.embedding(torch.tensor([1]), e, padding_idx=-6))
attempt_as("0d", lambda: F.embedding(torch.tensor(1), e))
attempt_as("int w", lambda: F.embedding(torch.tensor([1]), e.long()))
attempt_as("torch.embedding", lambda: torch.embedding(e, i, 5))
attempt_as("empty", lambda: F.embedding(torch.zeros(0, dtype=torch.long), e))
attempt_as("2d", lambda: F.embedding(i[:4].view(2, 2), e))
for options in ({}, {"padding_idx": 1}, {"padding_idx": -2}, {"scale_grad_by_freq": True}):
    w = e.clone().requires_grad_()
    y = F.embedding(i, w, **options)
    (g,) = torch.autograd.grad((y**2).sum(), w, create_graph=True)
    show(y.grad_fn.name(), y, g, torch.autograd.grad(g.sum(), w))
w = e.clone()
show(F.embedding(i, w, max_norm=2.0), w, w._version)
attempt_as("one", lambda: F.one_hot(torch.tensor([0, -1])))
attempt_as("f", lambda: F.one_hot(torch.tensor([0.0])))
attempt_as("n", lambda: F.one_hot(torch.tensor([0, 3]), 2))
attempt_as("empty", lambda: F.one_hot(torch.zeros(0, dtype=torch.long)))
attempt_as("empty3", lambda: F.one_hot(torch.zeros(0, dtype=torch.long), 3))
attempt_as("0", lambda: F.one_hot(torch.tensor([0]), 0))
attempt_as("0d", lambda: F.one_hot(torch.tensor(2)))
attempt_as("3", lambda: F.one_hot(torch.tensor([[1, 2]]), num_classes=4))
attempt_as("version", lambda: F.one_hot(i)._version)


# %% embedding_bag
F = torch.nn.functional

e = torch.arange(15.0).reshape(5, 3)
i = torch.tensor([1, 2, 4, 3])
o = torch.tensor([0, 2])
EB = F.embedding_bag
attempt_as("1", lambda: EB(i, e, o))
attempt_as("2", lambda: EB(i.view(2, 2), e))
attempt_as("no off", lambda: EB(i, e))
attempt_as("f", lambda: EB(i.float(), e, o))
attempt_as("off>", lambda: EB(i, e, torch.tensor([0, 7])))
attempt_as("off 2d", lambda: EB(i, e, o[None]))
attempt_as("mode", lambda: EB(i, e, o, mode="x"))
attempt_as("psw mean", lambda: EB(i, e, o, per_sample_weights=torch.ones(4)))
attempt_as("psw shape", lambda: EB(i, e, o, mode="sum", per_sample_weights=torch.ones(3)))
attempt_as("max freq", lambda: EB(i, e, o, mode="max", scale_grad_by_freq=True))
attempt_as("max sparse", lambda: EB(i, e, o, mode="max", sparse=True))
attempt_as("last", lambda: EB(i, e, torch.tensor([0, 2, 4]), include_last_offset=True))
attempt_as("3d", lambda: EB(i.view(1, 2, 2), e))
attempt_as("pad", lambda: EB(i, e, o, padding_idx=9))
attempt_as("pad", lambda: EB(i, e, o, padding_idx=-1))
attempt_as("int32", lambda: EB(i.int(), e, o))
attempt_as("empty", lambda: EB(i[:0], e, o[:0]))
attempt_as("w1", lambda: EB(i, e[0], o))
attempt_as("psw dt", lambda: EB(i, e, o, mode="sum", per_sample_weights=torch.ones(4).double()))
for mode in ("sum", "mean", "max"):
    w = e.clone().requires_grad_()
    s = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    y = EB(
        i,
        w,
        torch.tensor([0, 0, 3]),
        mode=mode,
        padding_idx=2,
        per_sample_weights=s if mode == "sum" else None,
    )
    (y**2).sum().backward()
    show(mode, y, y.grad_fn.name(), w.grad, s.grad)


# %% linear and bilinear
F = torch.nn.functional

x, x4 = torch.arange(24.0).reshape(4, 6), torch.arange(72.0).reshape(2, 4, 3, 3)
one = torch.ones
attempt_as(1, lambda: F.linear(x, one(3, 5)))
attempt_as(2, lambda: F.linear(x, one(3, 6), one(4)))
attempt_as(3, lambda: F.linear(x, one(2, 3, 6)))
attempt_as(4, lambda: F.linear(x, torch.tensor(1.0)))
attempt_as(5, lambda: F.linear(torch.tensor(1.0), one(3, 6)))
attempt_as(6, lambda: F.linear(x, one(3, 6).double()))
attempt_as(7, lambda: F.linear(x4[0], one(3, 6), one(3)))
attempt_as(8, lambda: F.linear(x.long(), one(3, 6).long(), one(3).long()))
attempt_as(9, lambda: F.linear(x, one(3, 6), one(4, 3)))
attempt_as(10, lambda: F.linear(x, one(3, 6), torch.tensor(1.0)))
attempt_as(11, lambda: F.linear(x[0], one(3, 5), one(3)))
attempt_as(12, lambda: F.linear(x[0], one(3, 5)))
attempt_as(13, lambda: F.linear(x4, one(5, 3), one(5)).shape)
attempt_as(14, lambda: F.linear(x, x[0]))
attempt_as(15, lambda: F.linear(x, x[0], one(1)))


def chain(t):
    names, f = [], t.grad_fn
    while f is not None:
        names.append(f.name())
        f = next((g for g, _ in f.next_functions if g is not None), None)
    return names


w, b = one(5, 3, requires_grad=True), one(5, requires_grad=True)
for v in (x4, x4[0], x4[0, 0], x4[0, 0, 0], x4.transpose(1, 2)):
    show(
        chain(F.linear(v, w, b)),
        chain(F.linear(v, w)),
        F.linear(v, w, b)._version,
        F.linear(v, w, b).stride(),
    )
attempt_as("bilinear", lambda: F.bilinear(x, x, one(2, 6, 5)))
attempt_as("bilinear", lambda: F.bilinear(x, x[:2], one(2, 6, 6)))
attempt_as("bilinear", lambda: F.bilinear(x, x, one(2, 6, 6), one(3)))
attempt_as("bilinear", lambda: F.bilinear(x, x[0], one(2, 6, 6)))
attempt_as("bilinear", lambda: F.bilinear(x, x, one(2, 6, 6), one(2)))


# %% scaled_dot_product_attention
F = torch.nn.functional

torch.manual_seed(0)
d = torch.float64
q, k, v = (
    torch.randn(2, 3, 5, 4, requires_grad=True, dtype=d),
    torch.randn(2, 3, 6, 4, dtype=d),
    torch.randn(2, 3, 6, 4, dtype=d),
)
one = lambda *s, dtype=d, **o: torch.ones(*s, dtype=dtype, **o)
S = F.scaled_dot_product_attention
for a in ((q, k, v), (q[0], k[0], v[0]), (q[0, 0], k[0, 0], v[0, 0])):
    for o in (
        {},
        {"is_causal": True},
        {"scale": -0.5},
        {"attn_mask": one(5, 6, dtype=torch.bool).tril()},
        {"attn_mask": one(5, 6).cumsum(1)},
        {"dropout_p": 0.5},
    ):
        torch.manual_seed(1)
        y = S(*a, **o)
        show(
            y,
            y.grad_fn.name(),
            y.stride(),
            [(g * 1e6).round().abs() for g in torch.autograd.grad((y**2).sum(), q)],
        )
attempt_as(1, lambda: S(q[0, 0, 0], k[0, 0, 0], v[0, 0, 0]))
attempt_as(2, lambda: S(q, k, v, one(5, 5)))
attempt_as(3, lambda: S(q, k, v, one(5, 6).long()))
attempt_as(4, lambda: S(q.float(), k.float(), v.float(), one(5, 6).double()))
attempt_as(5, lambda: S(q, k.float(), v))
attempt_as(6, lambda: S(q, k[:, :1], v[:, :1]).grad_fn.name())
m = k[:, :1].clone().requires_grad_()
attempt_as(7, lambda: S(q[:, :2], m, m, enable_gqa=True))
attempt_as(7, lambda: torch.autograd.grad((S(q[:, :2], m, m, enable_gqa=True) ** 2).sum(), m))
attempt_as(8, lambda: S(q, k[:, :2], v[:, :2], enable_gqa=True))
attempt_as(9, lambda: S(q[0], k[0], v[0], torch.zeros(5, 6, dtype=torch.bool)).sum())
attempt_as(10, lambda: S(q, k, v, torch.zeros(5, 6, dtype=torch.bool)).sum())
attempt_as(11, lambda: S(q, k, v, dropout_p=1.5))
attempt_as(12, lambda: S(q[0], k[0], v[0], one(5, 6), is_causal=True))
attempt_as(13, lambda: S(q, k, None))
attempt_as(14, lambda: S(q.half(), k.half(), v.half()).dtype)
attempt_as(15, lambda: S(q, k, v, one(5, 6, requires_grad=True)).grad_fn.name())
(g,) = torch.autograd.grad(S(q, k, v).sum(), q, create_graph=True)
attempt_as("twice", lambda: torch.autograd.grad(g.sum(), q))


# %% Three steps of a small network by functions
F = torch.nn.functional
torch.manual_seed(0)
x = torch.randn(8, 3)
y = torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])
w1, b1, w2, b2 = (
    torch.randn(16, 3, requires_grad=True),
    torch.zeros(16, requires_grad=True),
    torch.randn(3, 16, requires_grad=True),
    torch.zeros(3, requires_grad=True),
)
for step in range(3):
    h = F.dropout(F.gelu(F.linear(x, w1, b1)), 0.2)
    loss = F.cross_entropy(F.linear(F.layer_norm(h, (16,)), w2, b2), y, label_smoothing=0.1)
    loss.backward()
    show(step, loss.item(), loss.grad_fn.name(), w1.grad.norm(), b2.grad)
    with torch.no_grad():
        for p in (w1, b1, w2, b2):
            p -= 0.1 * p.grad
            p.grad = None


# %% multi_head_attention_forward
F = torch.nn.functional

torch.manual_seed(0)
d = torch.float64
x = torch.randn(5, 2, 8, requires_grad=True, dtype=d)
y = torch.randn(6, 2, 8, dtype=d)
W, b, O, o = (
    torch.randn(24, 8, dtype=d),
    torch.randn(24, dtype=d),
    torch.randn(8, 8, dtype=d),
    torch.randn(8, dtype=d),
)
M = F.multi_head_attention_forward


def names(t):
    found, f = [], t.grad_fn
    while f is not None and len(found) < 60:
        found.append(f.name())
        f = next((g for g, _ in f.next_functions if g is not None), None)
    return found


pad = torch.tensor([[False] * 5 + [True]] * 2)
for a in ((x, x, x), (x, y, y), (x, y, y * 2)):
    n = a[1].shape[0]
    for more in (
        {},
        {"need_weights": False},
        {"average_attn_weights": False},
        {"attn_mask": torch.ones(5, n, dtype=torch.bool).triu(1)},
        {"attn_mask": torch.ones(5, n, dtype=torch.bool).triu(1), "need_weights": False, "is_causal": True},
        {"key_padding_mask": pad[:, -n:]},
        {"key_padding_mask": pad[:, -n:], "attn_mask": torch.zeros(4, 5, n, dtype=d), "need_weights": False},
    ):
        torch.manual_seed(1)
        r, w = M(*a, 8, 2, W, b, None, None, False, 0.0, O, o, **more)
        show(r, w, names(r), [(g * 1e6).round().abs() for g in torch.autograd.grad((r**2).sum(), x)])
k, v = torch.randn(1, 1, 8, dtype=d), torch.randn(1, 1, 8, dtype=d)
show(
    M(x[:, 0], y[:, 0], y[:, 0], 8, 2, W, b, k, v, True, 0.5, O, None),
    M(
        x,
        y,
        y,
        8,
        4,
        None,
        b,
        None,
        None,
        False,
        0.0,
        O,
        o,
        use_separate_proj_weight=True,
        q_proj_weight=W[:8],
        k_proj_weight=W[8:16],
        v_proj_weight=W[16:],
    ),
)
attempt_as(1, lambda: M(x[None], x, x, 8, 2, W, b, None, None, False, 0.0, O, o))
attempt_as(2, lambda: M(x, x[0], x, 8, 2, W, b, None, None, False, 0.0, O, o))
attempt_as(3, lambda: M(x, x, x, 9, 2, W, b, None, None, False, 0.0, O, o))
attempt_as(4, lambda: M(x, x, x, 8, 3, W, b, None, None, False, 0.0, O, o))
attempt_as(5, lambda: M(x, y, x, 8, 2, W, b, None, None, False, 0.0, O, o))
attempt_as(6, lambda: M(x, x, x, 8, 2, W, b, None, None, False, 0.0, O, o, is_causal=True))
attempt_as(7, lambda: M(x, x, x, 8, 2, W, b, None, None, False, 0.0, O, o, attn_mask=torch.ones(3, 3)))
attempt_as(
    8, lambda: M(x, x, x, 8, 2, W, b, None, None, False, 0.0, O, o, attn_mask=torch.ones(2, 5, 5, dtype=d))
)
attempt_as(
    9,
    lambda: M(
        x, x, x, 8, 2, W, b, None, None, False, 0.0, O, o, key_padding_mask=torch.ones(2, 4, dtype=torch.bool)
    ),
)
attempt_as(
    10, lambda: M(x, x, x, 8, 2, W, b, None, None, False, 0.0, O, o, attn_mask=torch.ones(5, 5).long())
)
