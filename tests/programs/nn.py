# %% Activations at many points, and their derivatives
F = torch.nn.functional
inf, nan = float("inf"), float("nan")
points = torch.tensor(
    [-50.0, -6, -3.0, -1.0, -0.25, -0.0, 0.0, 0.5, 1.0, 3.0, 6.0, 20.0, 21.0, 100.0], dtype=torch.float64
)
for f in (
    F.relu,
    F.relu6,
    F.hardtanh,
    F.hardsigmoid,
    F.hardswish,
    F.gelu,
    F.silu,
    F.mish,
    F.elu,
    F.selu,
    F.celu,
    F.leaky_relu,
    F.softplus,
    F.softsign,
    F.softshrink,
    F.hardshrink,
    F.logsigmoid,
    F.rrelu,
):
    x = points.clone().requires_grad_()
    y = f(x)
    y.sum().backward()
    show(f.__name__, y.grad_fn.name(), y, x.grad)
x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
show(
    F.gelu(x, approximate="tanh"),
    F.threshold(x, 0.5, 20),
    F.prelu(x, torch.tensor([0.25])),
    F.softplus(x, 2, 1),
    F.elu(x, 0.5),
    F.hardtanh(x, -1.5, 2),
    F.glu(torch.arange(6.0), 0),
    F.tanhshrink(x),
    F.softmin(x, 0),
)


# %% Activations in place
F = torch.nn.functional
for f in (
    F.relu,
    F.relu6,
    F.hardtanh,
    F.hardsigmoid,
    F.hardswish,
    F.silu,
    F.mish,
    F.elu,
    F.selu,
    F.celu,
    F.leaky_relu,
    F.rrelu,
):
    x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
    y = x * 1
    z = f(y, inplace=True)
    z.sum().backward()
    show(f.__name__, z is y, z._version, z.grad_fn.name(), z, x.grad)
for name in "relu_ selu_ celu_ rrelu_".split():
    y = torch.tensor([-2.0, 0.5, 3.0])
    show(name, getattr(torch, name)(y) is y, y, getattr(F, name) is not None)
for name in "elu_ hardtanh_ leaky_relu_".split():
    y = torch.tensor([-2.0, 0.5, 3.0])
    show(name, getattr(F, name)(y) is y, y)
show(
    torch.threshold_(torch.tensor([1.0, 2.0]), 1, 7.0),
    hasattr(torch, "elu"),
    hasattr(torch.Tensor, "gelu"),
    hasattr(torch, "hardshrink"),
)


# %% Activations of other dtypes
F = torch.nn.functional

for d in (torch.int64, torch.uint8, torch.bool, torch.complex64, torch.float16):
    x = torch.tensor([1, 0, 1, 0]).to(d)
    for f in (
        F.relu,
        F.relu6,
        F.hardtanh,
        F.hardsigmoid,
        F.hardswish,
        F.gelu,
        F.mish,
        F.elu,
        F.selu,
        F.celu,
        F.leaky_relu,
        F.softplus,
        F.softshrink,
        F.hardshrink,
        F.logsigmoid,
        F.glu,
        F.rrelu,
        lambda x: F.threshold(x, 0.5, 2),
    ):
        attempt_as(f.__name__, lambda: f(x))


# %% What activations refuse
F = torch.nn.functional

x = torch.ones(4, 6)
attempt_as(1, lambda: F.celu(x, 0.0))
attempt_as(2, lambda: F.softshrink(x, -1.0))
attempt_as(3, lambda: F.hardtanh(x, 1.0, -1.0))
attempt_as(4, lambda: F.gelu(x, approximate="a"))
attempt_as(5, lambda: F.rrelu(x, 0.5, 0.2))
attempt_as(6, lambda: F.glu(torch.tensor(1.0)))
attempt_as(7, lambda: F.glu(torch.ones(3)))
attempt_as(8, lambda: F.leaky_relu_(x.clone().requires_grad_().clone(), -0.5).sum().backward())
attempt_as(9, lambda: F.elu_(x.clone().requires_grad_().clone(), -0.5).sum().backward())
for a in [
    (x, x),
    (x[0, 0], torch.ones(2)),
    (x, torch.ones(5)),
    (x, torch.ones(2, 2)),
    (x[0], torch.ones(6)),
    (x.double(), torch.ones(1)),
]:
    attempt_as("prelu", lambda: F.prelu(*a))
attempt_as("gelu", lambda: F.gelu(1))
attempt_as("logsigmoid", lambda: F.logsigmoid(1))
attempt_as("elu_", lambda: F.elu_(1))
attempt_as("selu_", lambda: torch.selu_(1))
attempt_as("silu", lambda: F.silu(1))
attempt_as("one_hot", lambda: F.one_hot(1))
attempt_as("linear", lambda: F.linear(1))
attempt_as("attention", lambda: F.scaled_dot_product_attention(1))
attempt_as("mse", lambda: F.mse_loss(1, 2))
attempt_as("gelu2", lambda: F.gelu(x, "tanh"))
attempt_as("relu", lambda: F.relu(x, alpha=1))


# %% Random activations and gumbel_softmax
F = torch.nn.functional
torch.manual_seed(0)
show(
    F.rrelu(torch.tensor([-1.0, 2, -1, -1]), 0.1, 0.3, True),
    F.rrelu(torch.tensor([-1.0, 2, -1, -1], dtype=torch.float64), 0.1, 0.3, True),
    F.gumbel_softmax(torch.ones(3)),
    F.gumbel_softmax(torch.ones(2, 3), hard=True),
    F.gumbel_softmax(torch.ones(2, 3), tau=0.5, dim=0),
)
x = torch.tensor([[-1.0, 2.0], [3.0, -4.0]], requires_grad=True)
y = F.rrelu(x, training=True)
y.sum().backward()
show(y, y.grad_fn.name(), x.grad)
show(F.gumbel_softmax(x, hard=True).grad_fn)
F.gumbel_softmax(x, eps=1e-5)


# %% Softmax without a dimension
F = torch.nn.functional
x = torch.ones(4, 6)
show(
    F.softmax(x).shape,
    F.log_softmax(x[0]),
    F.softmin(torch.ones(1, 2, 3)),
    F.softmax(x, 1, dtype=torch.float64).dtype,
    F.log_softmax(x, dim=0, dtype=torch.float64).dtype,
)


# %% Dropout of every kind
F = torch.nn.functional
torch.manual_seed(0)
for d in (torch.float32, torch.float64, torch.float16):
    show(
        F.dropout(torch.ones(10, dtype=d)),
        F.dropout(torch.ones(3, 4, dtype=d), 0.3),
        F.alpha_dropout(torch.ones(6, dtype=d), 0.3, True),
        F.dropout2d(torch.ones(2, 3, 2, 2, dtype=d)),
        F.feature_alpha_dropout(torch.ones(2, 3, 2, dtype=d), 0.4, True),
    )
show(
    F.dropout1d(torch.ones(2, 3, 2)),
    F.dropout1d(torch.ones(3, 2)),
    F.dropout3d(torch.ones(3, 1, 1, 2)),
    torch.native_dropout(torch.ones(5), 0.5, True),
    F.dropout(torch.ones(3, 4).t(), 0.3),
    torch.native_dropout(torch.ones(2), 0.5, False),
)
x = torch.ones(3)
show(
    F.dropout(x, 0.0) is x,
    F.dropout(x, 0.5, False) is x,
    F.alpha_dropout(x) is x,
    F.dropout(x, 1.0),
    F.dropout(x, 0.5, inplace=True) is x,
    x,
    x._version,
)
y = torch.ones(6, requires_grad=True)
z = F.dropout(y)
z.sum().backward()
show(z.grad_fn.name(), y.grad)
z, m = torch.native_dropout(y, 0.5, True)
show(z.grad_fn.name(), z, m, torch.autograd.grad(z.sum(), y))


# %% What dropout refuses
F = torch.nn.functional

x, x4 = torch.ones(4, 6), torch.ones(2, 4, 3, 3)
attempt_as(1, lambda: F.dropout(x, 1.5))
attempt_as(2, lambda: F.alpha_dropout(x, -0.5))
attempt_as(3, lambda: F.dropout(x.long()))
attempt_as(4, lambda: torch.dropout(x, 1.5, True))
attempt_as(5, lambda: F.dropout1d(x4))
attempt_as(6, lambda: F.dropout2d(x4[0]).shape)
attempt_as(7, lambda: F.dropout2d(x4[None]).shape)
attempt_as(8, lambda: F.dropout2d(x).shape)
attempt_as(9, lambda: F.dropout3d(x4).shape)
attempt_as(10, lambda: F.dropout3d(x4[0]).shape)
attempt_as(11, lambda: torch.feature_dropout(x[0], 0.5, True))
attempt_as(12, lambda: F.feature_alpha_dropout(x[0], 0.5, True))
attempt_as(13, lambda: F.dropout1d(x, 2.0))
attempt_as(14, lambda: F.dropout2d(x, 2.0))


# %% Losses of two tensors
F = torch.nn.functional

x = torch.arange(12.0).reshape(3, 4)
attempt_as("size", lambda: F.mse_loss(x, x[0]))
attempt_as("size", lambda: F.l1_loss(x, x[:, :1]))
attempt_as("bad", lambda: F.mse_loss(x, torch.ones(3)))
attempt_as("beta", lambda: F.smooth_l1_loss(x, x, beta=-1.0))
attempt_as("beta0", lambda: F.smooth_l1_loss(x, x + 1, beta=0.0))
attempt_as("delta", lambda: F.huber_loss(x, x, delta=0.0))
attempt_as("reduction", lambda: F.mse_loss(x, x, reduction="foo"))
attempt_as("flags", lambda: F.mse_loss(x, x, size_average=False))
attempt_as("flags", lambda: F.mse_loss(x, x, reduce=False))
attempt_as("old name", lambda: F.mse_loss(x, x, reduction="elementwise_mean"))
attempt_as("int", lambda: F.mse_loss(x.long(), x.long()))
attempt_as("mixed", lambda: F.mse_loss(x, x.long()))
attempt_as("l1 int", lambda: F.l1_loss(x.long(), x.long()))
attempt_as("l1 sum", lambda: F.l1_loss(x.long(), x.long(), reduction="sum"))
attempt_as("bool", lambda: F.mse_loss(x > 1, x > 2))
attempt_as("complex", lambda: F.mse_loss(x + 0j, x + 0j))
attempt_as("smooth int", lambda: F.smooth_l1_loss(x.long(), x.long()))
attempt_as("huber int", lambda: F.huber_loss(x.long(), x.long()))
attempt_as(
    "dtypes",
    lambda: (
        F.mse_loss(x, x.double(), reduction="none").dtype,
        F.mse_loss(x, x.double()).dtype,
        F.smooth_l1_loss(x, x.double()).dtype,
        F.huber_loss(x, x.double()).dtype,
        F.huber_loss(x, x.double(), reduction="none").dtype,
    ),
)
attempt_as("empty", lambda: F.mse_loss(x[:0], x[:0]))
attempt_as("half", lambda: F.mse_loss(x.half(), x.half() * 2))
attempt_as("weight", lambda: F.mse_loss(x, x * 2, weight=x))
attempt_as("weight", lambda: F.l1_loss(x, x * 2, weight=x))
attempt_as("weight", lambda: F.mse_loss(x, x, weight=x[0]))
attempt_as("weight", lambda: F.huber_loss(x, x * 2, weight=x))
attempt_as("weight none", lambda: F.huber_loss(x, x * 2, weight=x, reduction="none"))
attempt_as("weight sum", lambda: F.mse_loss(x, x * 2, weight=x, reduction="sum"))
attempt_as("weight bad", lambda: F.mse_loss(x, x * 2, weight=x, reduction="x"))


# %% nll_loss
F = torch.nn.functional

x = torch.arange(12.0).reshape(3, 4)
i = torch.tensor([0, 1, 3])
attempt_as("nll", lambda: F.nll_loss(x, i))
attempt_as("oob", lambda: F.nll_loss(x, i + 2))
attempt_as("neg", lambda: F.nll_loss(x, i - 1))
attempt_as("f", lambda: F.nll_loss(x, x[:, 0]))
attempt_as("int", lambda: F.nll_loss(x, i.int()))
attempt_as("i dt", lambda: F.nll_loss(x.long(), i))
attempt_as("batch", lambda: F.nll_loss(x, i[:2]))
attempt_as("0d", lambda: F.nll_loss(torch.tensor(1.0), i[0]))
attempt_as("1d", lambda: F.nll_loss(x[0], i[0]))
attempt_as("1d 1", lambda: F.nll_loss(x[0], i[:1]))
attempt_as("1d 2", lambda: F.nll_loss(x[0], i[:2]))
attempt_as("w", lambda: F.nll_loss(x, i, weight=torch.ones(3)))
attempt_as("w dt", lambda: F.nll_loss(x, i, weight=torch.ones(4).double()))
attempt_as("all ignored", lambda: F.nll_loss(x, torch.full((3,), -100)))
attempt_as("all ignored sum", lambda: F.nll_loss(x, torch.full((3,), -100), reduction="sum"))
attempt_as("none", lambda: F.nll_loss(x, torch.tensor([0, -100, 1]), reduction="none"))
attempt_as("empty", lambda: F.nll_loss(x[:0], i[:0]))
attempt_as("u8", lambda: F.nll_loss(x, i.byte()))
attempt_as("target2", lambda: F.nll_loss(x, i[:, None]))
attempt_as("empty sum", lambda: F.nll_loss(x[:0], i[:0], reduction="sum"))
attempt_as("3d", lambda: F.nll_loss(x[None], i[None]))
attempt_as("3d ok", lambda: F.nll_loss(x[None], torch.tensor([[0, 1, 2, 0]])))
attempt_as("4d bad", lambda: F.nll_loss(x[None, None], i[None]))
attempt_as("2d oob", lambda: F.nll_loss(x[None], torch.tensor([[0, 1, 5, 0]])))
attempt_as("2d w", lambda: F.nll_loss(x[None], torch.tensor([[0, 1, 2, 0]]), weight=torch.ones(2)))
attempt_as("2d f", lambda: F.nll_loss(x[None], torch.tensor([[0, 1, 2, 0.0]])))
attempt_as("5d", lambda: F.nll_loss(torch.ones(1, 3, 2, 2, 2), torch.zeros(1, 2, 2, dtype=torch.long)))
attempt_as("half", lambda: F.nll_loss(x.half(), i))
attempt_as("weights", lambda: F.nll_loss(x, i, weight=torch.arange(4.0) + 1))
attempt_as("weight grad", lambda: F.nll_loss(x, i, weight=torch.ones(4, requires_grad=True)))


# %% cross_entropy
F = torch.nn.functional

x = torch.arange(12.0).reshape(3, 4)
i = torch.tensor([0, 1, 3])
w = torch.arange(4.0) + 1
attempt_as("ce", lambda: F.cross_entropy(x, i))
attempt_as("oob", lambda: F.cross_entropy(x, i + 2))
attempt_as("f size", lambda: F.cross_entropy(x, x[:2]))
attempt_as("f 1", lambda: F.cross_entropy(x, x[:, 0]))
attempt_as("ign prob", lambda: F.cross_entropy(x, x, ignore_index=2))
attempt_as("ls", lambda: F.cross_entropy(x, i, label_smoothing=1.5))
attempt_as("int prob", lambda: F.cross_entropy(x, x.long()))
attempt_as("w", lambda: F.cross_entropy(x, x, weight=torch.ones(3)))
attempt_as("w idx", lambda: F.cross_entropy(x, i, weight=torch.ones(3)))
attempt_as("ign", lambda: F.cross_entropy(x, torch.tensor([0, 1, -100]), label_smoothing=0.1))
attempt_as("w ls", lambda: F.cross_entropy(x, i, weight=w, label_smoothing=0.1))
attempt_as("w ls ign", lambda: F.cross_entropy(x, torch.tensor([0, 1, -100]), weight=w, label_smoothing=0.1))
attempt_as("0d", lambda: F.cross_entropy(x[0], i[0], label_smoothing=0.2))
attempt_as("prob 1d", lambda: F.cross_entropy(x[0], x[0]))
attempt_as("prob wt ls", lambda: F.cross_entropy(x, x, weight=w, label_smoothing=0.1))
attempt_as("int64 in", lambda: F.cross_entropy(x.long(), i))
attempt_as("none 3d prob", lambda: F.cross_entropy(x[None], x[None], reduction="none"))
attempt_as("empty", lambda: F.cross_entropy(x[:0], i[:0]))
attempt_as("prob dt", lambda: F.cross_entropy(x, x.double()))
attempt_as("ls all ign", lambda: F.cross_entropy(x, torch.full((3,), -100), label_smoothing=0.1))
attempt_as("scalar", lambda: F.cross_entropy(torch.tensor(1.0), torch.tensor(0)))
attempt_as("none", lambda: F.cross_entropy(x, i, label_smoothing=0.1, reduction="none"))
attempt_as("0d target", lambda: F.cross_entropy(x, i[0]))
attempt_as("2d target", lambda: F.cross_entropy(x, i[:, None]))
attempt_as("prob mean 3d", lambda: F.cross_entropy(x[None] / 10, x[None] / 10))
attempt_as("flags", lambda: F.cross_entropy(x, i, size_average=True))
attempt_as("sum ls", lambda: F.cross_entropy(x, i, label_smoothing=0.3, reduction="sum"))
attempt_as("w sum", lambda: F.cross_entropy(x, i, w, reduction="sum"))
x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 0.0, -1.0]], requires_grad=True)
loss = F.cross_entropy(x, torch.tensor([2, 0]))
loss.backward()
f = loss.grad_fn
show(
    loss,
    x.grad,
    f.name(),
    f.next_functions[0][0].name(),
    f._saved_reduction,
    f._saved_target,
    f._saved_total_weight,
    f._saved_weight,
)
(g,) = torch.autograd.grad(F.cross_entropy(x, torch.tensor([2, 0])), x, create_graph=True)
show(g.grad_fn.name(), torch.autograd.grad((g * g).sum(), x))


# %% binary_cross_entropy
F = torch.nn.functional

p = torch.tensor([[0.1, 0.9], [0.0, 1.0]])
y = torch.tensor([[0.0, 1.0], [1.0, 0.5]])
attempt_as("bce", lambda: F.binary_cross_entropy(p, y))
attempt_as("none", lambda: F.binary_cross_entropy(p, y, reduction="none"))
attempt_as("oob", lambda: F.binary_cross_entropy(p + 1, y))
attempt_as("shape", lambda: F.binary_cross_entropy(p, y[0]))
attempt_as("w", lambda: F.binary_cross_entropy(p, y, weight=torch.tensor([1.0, 2])))
attempt_as("w bad", lambda: F.binary_cross_entropy(p, y, weight=torch.ones(3)))
attempt_as("int", lambda: F.binary_cross_entropy(p, y.long()))
attempt_as("dt", lambda: F.binary_cross_entropy(p, y.double()))
attempt_as("logits shape", lambda: F.binary_cross_entropy_with_logits(p, y[0]))
attempt_as("logits", lambda: F.binary_cross_entropy_with_logits(p, y, reduction="none"))
attempt_as("big", lambda: F.binary_cross_entropy_with_logits(p * 1000 - 500, y, reduction="none"))
attempt_as("int tgt", lambda: F.binary_cross_entropy_with_logits(p, y.long()))
attempt_as(
    "pw",
    lambda: F.binary_cross_entropy_with_logits(p, y, pos_weight=torch.tensor([2.0, 3]), reduction="none"),
)
attempt_as("dt", lambda: F.binary_cross_entropy_with_logits(p, y.double()).dtype)
attempt_as("tgt", lambda: F.binary_cross_entropy(p, y * 3))
attempt_as("nan", lambda: F.binary_cross_entropy(p * float("nan"), y))
attempt_as(
    "wgrad", lambda: F.binary_cross_entropy_with_logits(p, y, pos_weight=torch.ones(2, requires_grad=True))
)
attempt_as("kl mean", lambda: F.kl_div(p.log(), y))
attempt_as("kl none", lambda: F.kl_div(p.log(), y, reduction="none"))
attempt_as("kl batch", lambda: F.kl_div(p.log(), y, reduction="batchmean"))
attempt_as("kl int", lambda: F.kl_div(p.log(), y.long()))
attempt_as("kl log", lambda: F.kl_div(p, y, reduction="sum", log_target=True))
attempt_as("poisson", lambda: F.poisson_nll_loss(p, y * 3, full=True))
attempt_as("poisson", lambda: F.poisson_nll_loss(p, y, log_input=False, reduction="none"))
attempt_as("poisson", lambda: F.poisson_nll_loss(p, y, reduction="x"))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, torch.ones(2)))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, -p))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, torch.ones(3)))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, p, reduction="x"))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, 1.0))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, -1.0))
attempt_as("gauss", lambda: F.gaussian_nll_loss(p, y, p, full=True))


# %% Losses of margins and pairs
F = torch.nn.functional

p = torch.tensor([[0.1, 0.9], [0.0, 1.0]])
y = torch.tensor([[0.0, 1.0], [1.0, 0.5]])
l = torch.tensor([1.0, -1])
c = torch.tensor([0, 1])
attempt_as("hinge", lambda: F.hinge_embedding_loss(p[0], l))
attempt_as("ranking", lambda: F.margin_ranking_loss(p[0], p[1], l))
attempt_as("ranking", lambda: F.margin_ranking_loss(p, p[1], l))
attempt_as("cosine", lambda: F.cosine_embedding_loss(p, p, l))
attempt_as("cosine", lambda: F.cosine_embedding_loss(p, p[0], l))
attempt_as("cosine", lambda: F.cosine_embedding_loss(p[0], p[1], l[0]))
attempt_as("cosine", lambda: F.cosine_embedding_loss(p, p, p))
attempt_as("soft", lambda: F.soft_margin_loss(p, y))
attempt_as("soft", lambda: F.soft_margin_loss(p, y[0]))
attempt_as("soft", lambda: F.soft_margin_loss(p, y.clone().requires_grad_()))
attempt_as("triplet", lambda: F.triplet_margin_loss(p, y, p))
attempt_as("triplet", lambda: F.triplet_margin_loss(p, y, p, margin=-1))
attempt_as("triplet", lambda: F.triplet_margin_loss(p, y, p[0]))
attempt_as("triplet", lambda: F.triplet_margin_loss(p, y, y, swap=True, reduction="none"))
attempt_as(
    "own distance",
    lambda: F.triplet_margin_with_distance_loss(
        p, y, y, distance_function=lambda a, b: (a - b).abs().sum(-1)
    ),
)
attempt_as("mm", lambda: F.multi_margin_loss(p, c))
attempt_as("mm p", lambda: F.multi_margin_loss(p, c, p=3))
attempt_as("mm p", lambda: F.multi_margin_loss(p, c, p=2))
attempt_as("mm w", lambda: F.multi_margin_loss(p, c, weight=torch.ones(3)))
attempt_as("mm w", lambda: F.multi_margin_loss(p, c, weight=torch.ones(2, 2)))
attempt_as("mm w", lambda: F.multi_margin_loss(p, c, weight=l))
attempt_as("mm oob", lambda: F.multi_margin_loss(p, c + 1))
attempt_as("mm shape", lambda: F.multi_margin_loss(p, c[:1]))
attempt_as("mm 3d", lambda: F.multi_margin_loss(p[None], c))
attempt_as("mm f", lambda: F.multi_margin_loss(p, l))
attempt_as("mm 1d", lambda: F.multi_margin_loss(p[0], c[:1]))
attempt_as("mlm", lambda: F.multilabel_margin_loss(p, torch.tensor([[0, -1], [1, 0]])))
attempt_as("mlm", lambda: F.multilabel_margin_loss(p, torch.tensor([0, 2])))
attempt_as("mlm", lambda: F.multilabel_margin_loss(p, torch.tensor([[0, 2], [0, 1]])))
attempt_as("mlsm", lambda: F.multilabel_soft_margin_loss(p, y))
attempt_as("mlsm", lambda: F.multilabel_soft_margin_loss(p, y, reduction="z"))
attempt_as("mlsm", lambda: F.multilabel_soft_margin_loss(p, y, weight=torch.ones(3)))
attempt_as("mlm f", lambda: F.multilabel_margin_loss(p, p))
attempt_as("hinge", lambda: F.hinge_embedding_loss(p[0], l, reduction="u"))
attempt_as("mm int", lambda: F.multi_margin_loss(p.long(), c))
attempt_as(
    "distance",
    lambda: (
        F.pairwise_distance(p, y),
        F.pairwise_distance(p, y, p=1, keepdim=True),
        F.cosine_similarity(p, y),
        F.cosine_similarity(p[0], y, dim=-1),
    ),
)
attempt_as("int", lambda: F.cosine_similarity(c, c, 0))
attempt_as("zero", lambda: F.cosine_similarity(torch.zeros(2), torch.ones(2), 0))


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


# %% ctc_loss
F = torch.nn.functional

torch.manual_seed(0)
lp = torch.randn(5, 2, 4, requires_grad=True, dtype=torch.float64)
tg = torch.tensor([[1, 2], [2, 2]])
T = torch.tensor
attempt_as("a", lambda: F.ctc_loss(lp, tg, T([5, 5]), T([2, 2])))
attempt_as("none", lambda: F.ctc_loss(lp, tg, (5, 4), (2, 1), reduction="none"))
attempt_as("sum", lambda: F.ctc_loss(lp, tg, (5, 4), (2, 1), reduction="sum"))
attempt_as("1d", lambda: F.ctc_loss(lp, T([1, 2, 2]), (5, 4), (2, 1)))
attempt_as("inf", lambda: F.ctc_loss(lp, tg, (5, 2), (2, 2), reduction="none"))
attempt_as("zero", lambda: F.ctc_loss(lp, tg, (5, 2), (2, 2), reduction="none", zero_infinity=True))
attempt_as("unbatched", lambda: F.ctc_loss(lp[:, 0], tg[0], T(5), T(2)))
attempt_as("unbatched", lambda: F.ctc_loss(lp[:, 0], tg[0], T(5), T(2), reduction="none").shape)
attempt_as("blank", lambda: F.ctc_loss(lp, tg, (5, 5), (2, 2), blank=7))
attempt_as("blank", lambda: F.ctc_loss(lp, tg, (5, 5), (2, 2), blank=3))
attempt_as("f", lambda: F.ctc_loss(lp, tg.float(), (5, 5), (2, 2)))
attempt_as("long", lambda: F.ctc_loss(lp, tg, (6, 5), (2, 2)))
attempt_as("tl", lambda: F.ctc_loss(lp, tg, (5, 5), (2, 3)))
attempt_as("0", lambda: F.ctc_loss(lp, tg, (5, 5), (0, 0), reduction="none"))
attempt_as("0m", lambda: F.ctc_loss(lp, tg, (5, 5), (0, 0)))
attempt_as("len", lambda: F.ctc_loss(lp, tg, (5,), (2, 2)))
attempt_as("int32", lambda: F.ctc_loss(lp, tg.int(), T([5, 5]), T([2, 2])))
attempt_as("flen", lambda: F.ctc_loss(lp, tg, T([5.0, 5]), T([2, 2])))
for o in ({}, {"reduction": "sum"}, {"zero_infinity": True}):
    for lengths in ((5, 5), (5, 4), (5, 2)):
        y = F.ctc_loss(lp.log_softmax(2), tg, lengths, (2, 2), **o)
        show(y, torch.autograd.grad(y, lp))
(g,) = torch.autograd.grad(F.ctc_loss(lp, tg, (5, 5), (2, 2)), lp, create_graph=True)
attempt_as("twice", lambda: torch.autograd.grad(g.sum(), lp))


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


# %% linear_cross_entropy
F = torch.nn.functional

x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
w = torch.arange(12.0, dtype=torch.float64).reshape(4, 3) / 10
t = torch.tensor([1, 3])
L = F.linear_cross_entropy
show(
    L(x, w, t),
    L(x, w, t, linear_bias=w[:, 0], reduction="none"),
    L(x, w.reshape(2, 2, 3), torch.tensor([[0, 1], [1, 1]])),
    L(x[0], w, t[0]),
    L(x, w, torch.ones(2, 4, dtype=torch.float64) / 4, label_smoothing=0.1),
)
attempt_as(1, lambda: L(x[None], w, t))
attempt_as(2, lambda: L(x, w[0], t))
attempt_as(3, lambda: L(x, w[:, :2], t))
attempt_as(4, lambda: L(x, w, t, linear_bias=w))
attempt_as(5, lambda: L(x[0], w.reshape(2, 2, 3), t))
attempt_as(6, lambda: L(x, w, torch.ones(2, 4), ignore_index=1))


# %% linear_cross_entropy, a chunk of rows at a time
F, Options = torch.nn.functional, torch.nn.LinearCrossEntropyOptions

x = (torch.arange(15.0, dtype=torch.float64).reshape(5, 3) / 7).requires_grad_()
w = (torch.arange(12.0, dtype=torch.float64).reshape(4, 3) / 10).requires_grad_()
b = torch.arange(4.0, dtype=torch.float64).requires_grad_()
classes = torch.tensor([1.0, 2, 0.5, 1], dtype=torch.float64)
t = torch.tensor([1, 3, -100, 0, 2])
for reduction in ("mean", "sum", "none"):
    for index in (None, 3):
        loss = F.linear_cross_entropy(
            x, w, t.clamp(min=0) if index else t, linear_bias=b, weight=classes, reduction=reduction, ignore_index=index,
            options=Options(batch_chunk_size=2),
        )  # fmt: skip
        show(loss, loss.grad_fn.name(), torch.autograd.grad(loss.sum() * 2, (x, w, b)))
one = F.linear_cross_entropy(x[0], w, t[0], options=Options())
one.backward()
show(one, one.grad_fn.next_functions[0][0].name(), x.grad, w.grad, b.grad)
loss = F.linear_cross_entropy(x, w, t, options=Options())
loss.backward(retain_graph=True)
attempt(loss.backward)
loss = F.linear_cross_entropy(x, w, t, options=Options(allow_retain_graph=True))
loss.backward(retain_graph=True)
loss.backward()
show(x.grad)
loss = F.linear_cross_entropy(x, w, t, reduction="none", options=Options())
loss.sum().backward(retain_graph=True)
loss.sum().backward()
show(x.grad)
attempt(loss.sum().backward)
show(F.linear_cross_entropy(x, w, t.clamp(min=0), label_smoothing=0.1, options=Options()))
show(F.linear_cross_entropy(x[:0], w, t[:0], options=Options()))
show(Options(), Options(batch_chunk_size=3, acc_policy="compact"))
attempt(lambda: Options(acc_policy="fast"))
attempt(lambda: Options(chunking_method="aspect_ratio:0"))
attempt(lambda: Options(batch_chunk_size=0))
attempt(lambda: Options(acc_dtype=torch.int64))
attempt(lambda: F.linear_cross_entropy(x, w, t, options=Options(acc_dtype=torch.float32)))
attempt(
    lambda: F.linear_cross_entropy(
        x, w, t, options=Options(batch_chunk_size=3, chunking_method="aspect_ratio")
    )
)
attempt(lambda: F.linear_cross_entropy(x, w, t + 9, options=Options()))
