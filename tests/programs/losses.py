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


# %% Multi-margin loss of one sample: the shape is that of the target
F = torch.nn.functional
for x in (
    torch.tensor(0.3),
    torch.tensor([0.3]),
    torch.tensor([0.3, 0.2]),
    torch.tensor([[0.3]]),
    torch.ones(2, 3),
):
    for target in (torch.tensor(0), torch.tensor([0]), torch.tensor([0, 0]), torch.tensor([[0]])):
        for reduction in ("none", "mean", "sum"):

            def loss_and_gradient():
                leaf = x.clone().requires_grad_()
                loss = F.multi_margin_loss(leaf, target, reduction=reduction)
                loss.sum().backward()
                return loss, leaf.grad

            attempt(loss_and_gradient)
