# %% The largest and the smallest: values, indices of the first, shapes, names
x = torch.tensor([[3.0, 1.0, 3.0], [2.0, 5.0, 5.0]])
for f in (torch.max, torch.min, torch.Tensor.max, torch.Tensor.min):
    show(f(x), f(x, 1), f(x, dim=0), f(x, -1, keepdim=True), f(x, torch.tensor([2.0, 4.0, 5.0])))
r = x.max(dim=1)
v, i = r
show(r.values, r.indices, r[0] is r.values, len(r), v, i, isinstance(r, tuple))
show(x.argmax(), x.argmax(1), x.argmax(0, keepdim=True), x.argmin(dim=-1), x.argmax(keepdim=True), x.argmin())
show(
    x.amax(),
    x.amax(1),
    x.amax((0, 1), True),
    x.amin(dim=0),
    x.aminmax(),
    torch.aminmax(x, dim=1, keepdim=True),
)


# %% nan wins, and the first nan is the index
n = float("nan")
x = torch.tensor([[3.0, n, 1.0, n], [2.0, 2.0, 5.0, 5.0]])
show(x.max(1), x.min(1), x.max(), x.amin(1), x.argmax(1), x.argmin(), x.aminmax(dim=0))
show(x.median(1), x.nanmedian(1), x.median(), x.nanmedian(), x.mode(1))
show(x.sum(1), x.nansum(1), x.nansum(), x.mean(1), x.nanmean(1), x.nanmean(), x.nanmean(0, keepdim=True))
show(x.logsumexp(1), x.quantile(0.5, 1), x.nanquantile(0.5, 1), x.std(1), x.prod(1), x.softmax(1))


# %% Other dtypes: what is supported, and what comes out
for d in (torch.bool, torch.uint8, torch.int32, torch.int64, torch.float16, torch.float64, torch.complex64):
    x = torch.tensor([[1, 0, 1], [1, 1, 1]]).to(d)
    for name in (
        "sum",
        "prod",
        "mean",
        "max",
        "amax",
        "argmax",
        "median",
        "mode",
        "aminmax",
        "std",
        "norm",
        "all",
        "any",
        "nansum",
        "nanmean",
        "count_nonzero",
        "trace",
    ):
        try:
            show(name, d, getattr(x, name)())
        except Exception as e:
            show(name, d, type(e).__name__, e)
    for name in ("sum", "max", "median", "argmin", "logsumexp", "softmax", "log_softmax", "cumsum", "var"):
        try:
            show(name, d, getattr(x, name)(0))
        except Exception as e:
            show(name, d, type(e).__name__, e)


# %% Empty tensors
for x in (torch.zeros(0), torch.zeros(2, 0), torch.zeros(0, 2)):
    for name in (
        "sum",
        "prod",
        "mean",
        "max",
        "amax",
        "argmax",
        "median",
        "mode",
        "aminmax",
        "std",
        "norm",
        "all",
        "any",
        "nansum",
        "nanmean",
        "count_nonzero",
        "quantile",
    ):
        for args in ((), (0,), (1,), (-1,)):
            if name in ("norm",) and args or name == "quantile" and not args:
                continue
            try:
                show(name, tuple(x.shape), args, getattr(x, name)(*args))
            except Exception as e:
                show(name, tuple(x.shape), args, type(e).__name__, e)


# %% Tensors without dimensions have one for a reduction
x = torch.tensor(2.0, requires_grad=True)
for f in (
    lambda: x.sum(0),
    lambda: x.mean(-1),
    lambda: x.max(0).values,
    lambda: x.max(),
    lambda: x.amax(0, True),
    lambda: x.prod(0),
    lambda: x.prod(),
    lambda: x.var(0, correction=0),
    lambda: x.softmax(0),
    lambda: x.log_softmax(-1),
    lambda: x.logsumexp(0),
    lambda: x.norm(dim=0),
    lambda: x.median(0).values,
    lambda: x.mode().values,
    lambda: x.nansum(0),
):
    y = f()
    (g,) = torch.autograd.grad(y, x)
    show(y, g)
try:
    x.sum(1)
except IndexError as e:
    show(e)


# %% Several dimensions, none, one twice, one too many
x = torch.arange(24.0).reshape(2, 3, 4)
for name in (
    "sum",
    "mean",
    "amax",
    "amin",
    "logsumexp",
    "std",
    "var",
    "nansum",
    "all",
    "any",
    "count_nonzero",
):
    for dim in ((0, 2), (-1, 0), (0, 0), 3, -4, [1]):
        try:
            r = getattr(x, name)(dim)
            show(name, dim, tuple(r.shape), r.stride(), r.dtype)
        except Exception as e:
            show(name, dim, type(e).__name__, e)
show(
    x.sum(()),
    x.mean(dim=[]),
    x.amax(()),
    x.all(()).shape,
    x.sum(dim=(0, 2), keepdim=True).shape,
    x.amax(keepdim=True, dim=()).shape,
)


# %% Variance: correction, unbiased, keepdim, the degenerate case and its warning
x = torch.tensor([[1.0, 2.0, 4.0], [2.0, 5.0, 9.0]])
show(
    x.var(),
    x.var(1),
    x.var(0, False),
    x.var(unbiased=False),
    x.var(dim=1, unbiased=False, keepdim=True),
    x.std(False),
    x.std(correction=0),
    x.std(1, correction=2),
    x.std((0, 1), keepdim=True),
)
show(
    torch.var_mean(x),
    torch.std_mean(x, 1),
    torch.var_mean(x, dim=0, correction=0, keepdim=True),
    torch.std(x, 1, True, True),
    torch.var(x, correction=1.5),
)
show(torch.tensor([1.0]).std())
show(
    torch.tensor([1.0, 2.0]).var(correction=5),
    torch.var_mean(torch.zeros(0)),
    torch.std_mean(torch.ones(2, 1), 1),
)


# %% Norms
x = torch.tensor([[3.0, -4.0], [0.0, 5.0]], dtype=torch.float64, requires_grad=True)
inf = float("inf")
for p in (0, 0.5, 1, 1.5, 2, 3, -1, inf, -inf, "fro", None):
    for dim in (None, 0, (0, 1)):
        y = torch.norm(x, p, dim)
        g = torch.autograd.grad(y.sum(), x, allow_unused=True)[0] if p != 0 else None
        show(p, dim, y, g)
show(
    x.norm(),
    x.norm(3),
    x.norm(dim=1, keepdim=True),
    x.norm(p=1, dim=0),
    torch.linalg.vector_norm(x, 3, dim=1),
    torch.linalg.vector_norm(x.float(), dtype=torch.float64),
)
for f in (
    lambda: torch.ones(3, dtype=torch.int64).norm(),
    lambda: torch.linalg.vector_norm(torch.ones(3), dtype=torch.complex64),
    lambda: torch.linalg.vector_norm(x, dtype=torch.float32),
    lambda: torch.zeros(0).norm(inf),
    lambda: torch.zeros(2, 0).norm(-1, 1),
    lambda: torch.zeros(0, 2).norm(inf, 1),
    lambda: x.norm(2, 5),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, e)
y = torch.zeros(3, requires_grad=True)
y.norm().backward()
show(y.grad)
show(
    torch.dist(x, x.detach() + 1),
    torch.dist(x, torch.zeros(2), 1),
    x.dist(torch.ones(1), inf),
    torch.dist(torch.ones(3), torch.zeros(3, dtype=torch.float64), 0),
)


# %% Who gets the gradient of a tie
x = torch.tensor([[2.0, 2.0, 1.0], [0.0, 3.0, 3.0]], requires_grad=True)
for f in (
    lambda: x.max(),
    lambda: x.max(1).values.sum(),
    lambda: x.amax(1).sum(),
    lambda: x.amax(),
    lambda: x.min(0).values.sum(),
    lambda: x.median(),
    lambda: x.median(1)[0].sum(),
    lambda: x.mode(1)[0].sum(),
    lambda: x.aminmax().max + x.aminmax().min,
    lambda: x.norm(inf),
    lambda: torch.max(x, x.detach()).sum(),
    lambda: x.kthvalue(2, 1)[0].sum(),
):
    inf = float("inf")
    y = f()
    show(y, torch.autograd.grad(y, x)[0])
n = torch.tensor([float("nan"), 1.0, float("nan")], requires_grad=True)
show(
    torch.autograd.grad(n.max(), n)[0],
    torch.autograd.grad(n.amax(), n)[0],
    torch.autograd.grad(n.max(0)[0], n)[0],
    torch.autograd.grad(n.nansum(), n)[0],
    torch.autograd.grad(n.nanmean(), n)[0],
)


# %% Products with zeros: first, second and third derivatives
for values in ([1.0, 2.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]):
    for f in (lambda x: x.prod(), lambda x: x.prod(0), lambda x: x.reshape(1, 3).prod(1, keepdim=True).sum()):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        y = f(x)
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        (h,) = torch.autograd.grad((g * torch.tensor([1.0, 2.0, 4.0])).sum(), x, create_graph=True)
        (k,) = torch.autograd.grad((h * torch.tensor([1.0, 3.0, 5.0])).sum(), x)
        show(y, g.tolist(), h.tolist(), k.tolist())
x = torch.tensor([[0.0, 2.0], [3.0, 4.0], [0.0, 0.0]], requires_grad=True)
x.prod(1).sum().backward()
show(x.grad, x.prod(dtype=torch.float64), torch.prod(x, 0, True))


# %% Softmax: names, dtype=, infinities, its derivative
x = torch.tensor([[1.0, 2.0, 4.0], [0.5, 0.0, 0.25]], requires_grad=True)
for f in (
    lambda: x.softmax(1),
    lambda: x.log_softmax(0),
    lambda: torch.softmax(x, dim=-1),
    lambda: torch.softmax(x, 1, dtype=torch.float64),
    lambda: torch.log_softmax(x, 1, torch.float64),
    lambda: x.t().softmax(0),
):
    y = f()
    (g,) = torch.autograd.grad((y * torch.arange(6.0).reshape(y.shape)).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.pow(2).sum(), x)
    show(y, y.stride(), g, h)
inf = float("inf")
show(
    torch.tensor([inf, 1.0]).softmax(0),
    torch.tensor([-inf, -inf]).softmax(0),
    torch.tensor([-inf, 1.0]).log_softmax(0),
    torch.tensor([1e4, 0.0]).softmax(0),
    torch.zeros(2, 0).softmax(1),
    torch.zeros(0, 2).softmax(0),
)
show(
    torch.tensor([60000.0, 1.0], dtype=torch.float16).softmax(0),
    torch.tensor([1, 2]).softmax(0, dtype=torch.float32),
)
for f in (
    lambda: torch.tensor([1, 2]).softmax(0),
    lambda: torch.ones(2, 2, dtype=torch.bool).log_softmax(0),
    lambda: torch.softmax(x),
    lambda: x.softmax(2),
):
    try:
        f()
    except Exception as e:
        show(type(e).__name__, e)


# %% logsumexp
inf = float("inf")
x = torch.tensor([[1000.0, 1000.0], [-inf, -inf], [inf, 1.0], [inf, -inf]], requires_grad=True)
show(
    x.logsumexp(1),
    x.logsumexp((0, 1)),
    x.logsumexp(1, keepdim=True),
    torch.logsumexp(torch.tensor([1, 2]), 0),
    torch.logsumexp(torch.tensor([1 + 2j, 3j]), 0),
)
show(torch.autograd.grad(x.logsumexp(1).sum(), x)[0])


# %% Quantiles
x = torch.tensor([[4.0, 1.0, 3.0, 2.0], [0.0, 10.0, 20.0, 40.0]], requires_grad=True)
for how in ("linear", "lower", "higher", "midpoint", "nearest"):
    y = x.quantile(0.4, 1, interpolation=how)
    show(
        how,
        y,
        torch.autograd.grad(y.sum(), x)[0],
        x.quantile(torch.tensor([0.1, 0.9]), dim=0, interpolation=how),
        x.nanquantile(0.25, keepdim=True, interpolation=how),
    )
show(
    x.quantile(torch.tensor([0.0, 0.5, 1.0])),
    x.quantile(torch.tensor([0.0, 1.0]), 1, True).shape,
    torch.quantile(x, 0.5).grad_fn,
)
for f in (
    lambda: x.quantile(2.0),
    lambda: x.quantile(torch.tensor([2.0])),
    lambda: torch.arange(4).quantile(0.5),
    lambda: x.quantile(torch.tensor(0.5, dtype=torch.float64)),
    lambda: x.quantile(0.5, interpolation="x"),
    lambda: torch.zeros(0).quantile(0.5),
    lambda: x.quantile(torch.tensor([[0.5]])),
    lambda: x.quantile(0.5, 3),
):
    try:
        f()
    except Exception as e:
        show(type(e).__name__, e)


# %% Medians and modes: the lower middle element, the most frequent, the smallest of several
x = torch.tensor([[4, 1, 3, 2, 9], [7, 7, 2, 2, 1]])
show(
    x.median(),
    x.median(1),
    x.median(dim=0, keepdim=True),
    x.mode(),
    x.mode(0),
    x.mode(dim=1, keepdim=True),
    torch.median(x.float()),
    x.float().nanmedian(-1),
)


# %% Covariance and correlation
x = torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.5]], requires_grad=True)
f, a = torch.tensor([1, 3, 2]), torch.tensor([0.5, 1.0, 2.0])
show(
    x.cov(),
    x.corrcoef(),
    torch.cov(x, correction=0),
    x.cov(fweights=f),
    x.cov(aweights=a),
    x.cov(fweights=f, aweights=a),
    x[0].cov(),
    x[0].corrcoef(),
    torch.cov(torch.tensor([[1 + 1j, 2, 3j]])),
)
show(
    torch.autograd.grad(x.cov(fweights=f, aweights=a).sum(), x)[0],
    torch.autograd.grad(x.corrcoef()[0, 1], x)[0],
)
show(x.cov(correction=3))
for g in (
    lambda: x.cov(fweights=a),
    lambda: x.cov(aweights=f),
    lambda: x.cov(aweights=-a),
    lambda: x.cov(fweights=f[:2]),
    lambda: torch.ones(1, 2, 3).cov(),
    lambda: torch.ones(2, 2, 2).corrcoef(),
    lambda: torch.ones(2, dtype=torch.bool).cov(),
):
    try:
        g()
    except Exception as e:
        show(type(e).__name__, e)


# %% out= and dtype=
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
v, i = torch.zeros(2), torch.zeros(2, dtype=torch.int64)
r = torch.max(x, 1, out=(v, i))
show(r, r[0] is v, r.indices is i, v._version)
o = torch.zeros(2)
for f in (
    torch.sum,
    torch.mean,
    torch.prod,
    torch.amax,
    torch.logsumexp,
    torch.std,
    torch.var,
    torch.nansum,
    torch.softmax,
):
    o = torch.zeros(0)
    show(f(x, 1, out=o) is o, o)
show(
    torch.max(x, out=torch.zeros(()) + 7),
    torch.max(x, x.t(), out=torch.zeros(0)),
    torch.argmax(x, 1, out=torch.zeros(0, dtype=torch.int64)),
    torch.norm(x, 2, 0, out=torch.zeros(0)),
    torch.quantile(x, 0.5, out=torch.zeros(())),
)
for f in (
    lambda: torch.amax(x, 1, out=torch.zeros(2, dtype=torch.float64)),
    lambda: torch.softmax(x, 1, out=torch.zeros(2, 2, dtype=torch.float64)),
    lambda: torch.argmax(x, 1, out=torch.zeros(2)),
    lambda: torch.std(x, 1, out=torch.zeros(2, dtype=torch.int64)),
    lambda: torch.max(x, 1, out=(v, v)),
    lambda: torch.sum(x.requires_grad_(), 0, out=v),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, e)
x = torch.tensor([[1, 2], [3, 5]])
show(
    x.sum(dtype=torch.float64),
    x.sum(0, dtype=torch.int32),
    x.prod(1, dtype=torch.float32),
    x.mean(dtype=torch.float32),
    x.mean(0, dtype=torch.float64),
    torch.nansum(x, dtype=torch.float32),
    x.float().sum(dtype=torch.int64),
)


# %% Complex numbers
x = torch.tensor([[1 + 1j, 2 - 1j], [3j, -1 + 0.5j]], dtype=torch.complex128, requires_grad=True)
for f in (
    lambda: x.var(),
    lambda: x.std(1).sum(),
    lambda: x.norm(),
    lambda: x.norm(1),
    lambda: x.norm(3, 0).sum(),
    lambda: x.norm(float("inf")),
    lambda: x.prod().real,
    lambda: x.prod(1).real.sum(),
    lambda: x.mean().abs(),
    lambda: x.logsumexp(0).abs().sum(),
    lambda: x.trace().real,
):
    y = f()
    show(y, torch.autograd.grad(y, x)[0])
for f in (
    lambda: x.max(),
    lambda: x.max(0),
    lambda: x.amax(),
    lambda: x.argmax(),
    lambda: x.median(),
    lambda: x.softmax(0),
    lambda: x.nansum(),
    lambda: x.aminmax(),
    lambda: x.mode(),
):
    try:
        f()
    except Exception as e:
        show(type(e).__name__, e)


# %% float16 is summed in float32, and float32 sums keep their digits
x = torch.full((5000,), 0.1, dtype=torch.float16)
show(
    x.sum(),
    x.mean(),
    x.var(correction=0),
    x.norm(),
    x.prod(),
    x.logsumexp(0),
    x.softmax(0).sum(),
    x.cumsum(0)[-1],
)
x = torch.full((100000, 3), 0.1)
show((x.sum(0) - 10000).abs().max() < 0.05, (x.mean(0) - 0.1).abs().max() < 1e-6, (x + 1000).var(0) < 1e-3)


# %% What a node keeps
x = torch.tensor([[3.0, 1.0], [2.0, 5.0]], requires_grad=True)
for f in (
    lambda: x.max(),
    lambda: x.max(1)[0],
    lambda: x.amax(1),
    lambda: x.aminmax(dim=0)[0],
    lambda: x.var(1),
    lambda: x.std(),
    lambda: torch.std_mean(x, 0)[1],
    lambda: x.prod(1),
    lambda: x.softmax(1),
    lambda: x.logsumexp(0),
    lambda: x.norm(),
    lambda: x.median(0)[0],
    lambda: x.nansum(),
    lambda: x.mean(0),
    lambda: x.trace(),
):
    y = f()
    show(
        y.grad_fn.name(),
        sorted(
            n
            for n in dir(y.grad_fn)
            if n in ("_saved_self", "_saved_result", "_saved_indices", "_saved_other")
        ),
    )
y = x.max(1)
y.values.sum().backward()
try:
    y.values.sum().backward()
except RuntimeError as e:
    show(str(e)[:60])
y = x.softmax(1)
with torch.no_grad():
    y += 1
try:
    y.sum().backward()
except RuntimeError as e:
    show(e)


# %% What else an argument may be called, and of what type it must be
x = torch.tensor([[3.0, 1.0, 2.0], [4.0, 4.0, 0.0]])


def tryall(fs):
    for i, f in enumerate(fs):
        try:
            show(i, f())
        except Exception as e:
            show(i, type(e).__name__, str(e).splitlines()[0])


tryall(
    [
        lambda: x.sum(True),
        lambda: torch.sum(x, False),
        lambda: x.mean(True),
        lambda: x.std(True, True),
        lambda: x.std(0, 1),
        lambda: x.var(np.int64(1)),
        lambda: x.sum(torch.tensor(1)),
        lambda: x.max(torch.tensor(1)),
        lambda: x.max(np.int64(1)),
        lambda: x.amax(np.int32(0)),
        lambda: x.sum([0, np.int64(1)]),
        lambda: x.sum(axis=1),
        lambda: x.sum(axis=(0, 1), keepdims=True),
        lambda: x.max(axis=1, keepdims=True),
        lambda: x.argmax(axis=0),
        lambda: torch.mean(x, axis=0),
        lambda: x.prod(axis=1),
        lambda: x.std(axis=1),
        lambda: x.var(axis=1, keepdims=True),
        lambda: x.softmax(axis=1),
        lambda: x.median(axis=1),
        lambda: x.norm(axis=1),
        lambda: x.logsumexp(axis=1),
        lambda: x.amax(axis=1, keepdims=True),
        lambda: x.all(axis=1),
        lambda: x.any(axis=0, keepdims=True),
        lambda: torch.sum(input=x, dim=1),
        lambda: torch.max(input=x),
        lambda: torch.max(input=x, dim=1),
        lambda: torch.max(x, other=x),
        lambda: torch.std(input=x, dim=0, correction=0),
        lambda: torch.norm(input=x, p=1),
        lambda: torch.softmax(input=x, dim=0),
        lambda: torch.count_nonzero(input=x, dim=1),
        lambda: x.quantile(q=0.5),
        lambda: x.quantile(0.5, dim=0, keepdim=True),
        lambda: x.quantile(1),
        lambda: x.quantile(np.float64(0.5)),
        lambda: x.quantile(torch.tensor(0.5), 1),
        lambda: x.nanquantile([0.5]),
        lambda: x.dist(x * 2, p=1),
        lambda: torch.dist(x, 2),
        lambda: x.dist(torch.ones(4)),
        lambda: x.nansum(0, True),
        lambda: x.nansum(dim=(0, 1)),
        lambda: x.nanmean((0, 1), True),
        lambda: x.mode(-2, True),
        lambda: x.aminmax(dim=-1),
        lambda: x.sum(0.5),
        lambda: x.sum("a"),
        lambda: x.sum(None),
        lambda: x.sum(dim=None, keepdim=True),
        lambda: x.mean(None, True),
        lambda: x.std(None),
        lambda: x.std(None, keepdim=True),
        lambda: x.amax(None, True),
        lambda: x.logsumexp(None),
        lambda: x.argmax(None, True),
        lambda: x.all(None),
        lambda: x.all(dim=None, keepdim=True),
        lambda: x.nansum(None),
        lambda: x.norm(dim=None, keepdim=True),
        lambda: x.prod(None),
        lambda: x.max(None),
        lambda: x.median(None),
        lambda: x.mode(None),
        lambda: x.count_nonzero(None),
        lambda: x.quantile(0.5, None),
        lambda: x.sum(0, 1),
        lambda: x.sum(0, 1, 2),
        lambda: x.sum(foo=1),
        lambda: x.max(foo=1),
        lambda: x.std(foo=1),
        lambda: x.argmax(foo=1),
        lambda: x.softmax(),
        lambda: x.softmax(0, 1),
        lambda: x.softmax(None),
        lambda: x.logsumexp(),
        lambda: x.norm("x"),
        lambda: x.norm("nuc"),
        lambda: x.norm("fro", dim=(0, 1)),
        lambda: x.norm("nuc", dim=0),
        lambda: x.norm("fro", dim=(0, 1, 2)),
        lambda: x.norm(2 + 1j),
        lambda: x.norm(torch.tensor(2.0)),
        lambda: x.norm(True),
        lambda: torch.max(x, x.int()),
        lambda: torch.max(x.int(), x),
        lambda: torch.min(x, x.double()),
        lambda: torch.max(x, torch.ones(2)),
        lambda: x.max(x > 1),
        lambda: torch.max(x > 1, x > 2),
        lambda: x.sum(dtype=float),
        lambda: x.sum(dtype="f"),
        lambda: x.sum(0, dtype=torch.int32),
        lambda: x.prod(dtype=torch.int8),
        lambda: x.mean(dtype=torch.int32),
        lambda: x.softmax(0, dtype=torch.int32),
        lambda: x.norm(dtype=torch.int32),
        lambda: x.nansum(dtype=torch.int64),
        lambda: x.nanmean(dtype=torch.float64),
        lambda: torch.linalg.vector_norm(x, ord=2, dim=[0], keepdim=True),
        lambda: torch.linalg.vector_norm(x, 2.5),
        lambda: torch.linalg.vector_norm(x, float("-inf"), (0, 1)),
        lambda: x.cov(1),
        lambda: x.cov(correction=0),
        lambda: torch.corrcoef(input=x),
        lambda: x.trace(),
        lambda: x.std(0, correction=True),
        lambda: x.std(0, correction=1.5),
        lambda: x.std(0, correction="a"),
        lambda: x.var(correction=-1),
        lambda: torch.var_mean(x, (0, 1), keepdim=True),
        lambda: torch.std_mean(x, False),
        lambda: torch.var_mean(x, 1, False, True),
        lambda: torch.var_mean(x, unbiased=True),
    ]
)


# %% under no_grad, on views, after in-place writes
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
with torch.no_grad():
    show(x.max(1), x.var(), x.softmax(0), x.norm())
v = x.t()
for f in (
    lambda: v.max(0),
    lambda: v.softmax(0),
    lambda: v.sum(1),
    lambda: v.std(0),
    lambda: v.median(1),
    lambda: v.prod(0),
    lambda: v.logsumexp(1),
    lambda: v.norm(dim=1),
    lambda: v.amax(1),
    lambda: v.mode(1),
    lambda: v[::2].max(1),
    lambda: v.cov(),
):
    y = f()
    y = y if isinstance(y, torch.Tensor) else y[0]
    (g,) = torch.autograd.grad(y.sum(), x)
    show(y, y.stride(), g)
w = x * 1
m = w.max(1)
w[0] = 5.0
m.values.sum().backward()
show(x.grad)
s = w.amax(0)
w += 1
try:
    s.sum().backward()
except RuntimeError as e:
    show(str(e)[:120])
m = (x * 2).max(1)
m.indices.zero_()
try:
    m.values.sum().backward()
except RuntimeError as e:
    show(str(e)[:200])
m = (x * 2).max(1)
m.values.mul_(3)
m.values.sum().backward()
show(x.grad, m.values.grad_fn, m.indices.requires_grad, m.values.is_leaf)
y = (x * 1).std()
y.mul_(2)
try:
    y.backward()
except RuntimeError as e:
    show(str(e)[:200])
show(
    x.max(1).values.grad_fn.next_functions[0][0].name(),
    torch.std_mean(x)[1].grad_fn,
    torch.std_mean(x)[1].output_nr,
    x.aminmax().max.output_nr,
)
a, b = torch.std_mean(x, 0)
(a.sum() + 2 * b.sum()).backward()
show(x.grad)


# %% float16 and float64
for d in (torch.float16, torch.float64):
    x = torch.tensor([[1.0, 2.5, -3.0], [0.5, 0.0, 2.0]], dtype=d, requires_grad=True)
    for f in (
        lambda: x.softmax(1),
        lambda: x.log_softmax(0),
        lambda: x.var(1),
        lambda: x.norm(3),
        lambda: x.norm(dim=0),
        lambda: x.prod(1),
        lambda: x.logsumexp((0, 1)),
        lambda: x.mean(1),
        lambda: x.nansum(),
        lambda: x.amax(0),
        lambda: x.max(1)[0],
        lambda: x.median(),
        lambda: torch.dist(x, x.detach() * 2, 3),
        lambda: x.quantile(0.3) if d == torch.float64 else x.sum(),
    ):
        y = f()
        (g,) = torch.autograd.grad(y.sum(), x)
        show(y, g)


# %% Which of many equal elements is the median and the mode
for n in (5, 16, 17, 40, 333):
    x = (torch.arange(n) * 7919 % 101) % 6
    show(
        n,
        x.median(0),
        x.mode(),
        x.float().nanmedian(0),
        x.max(0),
        x.min(0),
        x.argmax(),
        x.reshape(1, -1).expand(2, n).mode(1),
    )
    y = torch.stack([x, x.flip(0), x // 2], 1)
    show(y.mode(0), y.median(0), y.max(0), y.argmin(0))


# %% Integers asked of what needs a gradient
x = torch.ones(2, 2, requires_grad=True)
for f in (
    lambda: x.sum(dtype=torch.int64),
    lambda: x.sum(0, dtype=torch.int32),
    lambda: x.prod(dtype=torch.int64),
    lambda: x.nansum(dtype=torch.int64),
    lambda: x.cumsum(0, dtype=torch.int64),
    lambda: x.to(torch.int64),
    lambda: torch.ones_like(x, dtype=torch.int64),
    lambda: x.sum(dtype=torch.bool),
    lambda: x.detach().sum(dtype=torch.bool),
    lambda: x.argmax(),
    lambda: x.sum(dtype=torch.float64),
    lambda: x.softmax(0, torch.int32),
    lambda: torch.ones(2).nanmean(dtype=torch.int64),
    lambda: x.nanmean(dtype=torch.int64),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, e)


# %% The gradient of a mean: of nothing, of one, of many in float16, written to by a hook
x = torch.zeros(2, 0, requires_grad=True)
show(
    torch.autograd.grad(x.mean(), x),
    torch.autograd.grad(x.mean(0).sum(), x),
    torch.autograd.grad(x.mean(1).sum(), x),
)
x = torch.ones(3, 1, 2, requires_grad=True)
show(
    torch.autograd.grad(x.mean(1).sum(), x),
    torch.autograd.grad(x.mean((0, 1), True).sum(), x),
    torch.autograd.grad(x.mean((0, 2)), x, torch.tensor([3.0])),
)
x = torch.tensor(2.0, requires_grad=True)
show(torch.autograd.grad(x.mean(), x), torch.autograd.grad(x.mean(0, True), x))
x = torch.ones(2, 3, requires_grad=True)
x.mean().backward()
show(x.grad, x.grad.stride())
x.mean(0).sum().backward()
show(x.grad)
(g,) = torch.autograd.grad(x.mean(), x, create_graph=True)
show(g.grad_fn)
h = []
y = x * 1
y.register_hook(lambda g: h.append(g))
y.mean().backward()
h[0].add_(1)
show(h[0], x.grad)
x = torch.ones(100000, dtype=torch.float16, requires_grad=True)
show(torch.autograd.grad(x.mean(), x)[0][:2])
show(torch.autograd.grad(x.mean(0), x)[0][:2])
y = x * torch.arange(100000).remainder(7).half()
show(
    torch.autograd.grad(y.var(), x)[0][:9],
    torch.autograd.grad((x * torch.arange(100000).remainder(7).half()).std(0), x)[0][:9],
)
show(torch.autograd.grad(x.nanmean(), x)[0][:2], torch.autograd.grad(torch.var_mean(x, 0)[1], x)[0][:2])
z = torch.tensor([[1.0, 2.5, -3.0], [0.5, 0.0, 2.0]], dtype=torch.float16, requires_grad=True)
for f in (
    lambda: z.std(),
    lambda: z.var(1),
    lambda: z.std(0, correction=0),
    lambda: z.norm(3),
    lambda: z.norm(1.5),
    lambda: z.mean(1),
    lambda: z.cov(),
    lambda: z.logsumexp(1),
    lambda: z.prod(1),
    lambda: z.dist(z.detach() * 2, 4),
):
    v = f()
    show(v, torch.autograd.grad(v.sum(), z)[0])


# %% Softmax of nothing and of one number
for d in (torch.float16, torch.float32, torch.int64):
    show(
        torch.zeros(0, 5, dtype=d).softmax(1),
        torch.zeros(0, 5, dtype=d).log_softmax(0),
        torch.zeros(0, 5, dtype=d).softmax(0).dtype,
    )
show(
    torch.tensor(3.0).softmax(0),
    torch.tensor(float("inf")).softmax(0),
    torch.tensor(3.0, dtype=torch.float16).log_softmax(0),
    torch.tensor(float("nan")).softmax(-1),
)
x = torch.tensor(3.0, requires_grad=True)
show(torch.autograd.grad(x.softmax(0), x), torch.autograd.grad(x.log_softmax(0), x))


# %% Means of infinite elements beside a variance
inf = float("inf")
for row in ([inf, 1.0], [1.0, inf], [inf], [-inf, -inf], [1.0, -inf, 2.0], [1.0, 2.0, inf, -inf]):
    x = torch.tensor(row)
    show(torch.var_mean(x), torch.std_mean(x.double()), torch.std_mean(x, 0, keepdim=True))
    show(torch.var_mean(torch.stack([x, x.flip(0)]), 1), torch.var_mean(torch.stack([x, x.flip(0)]), (0, 1)))
    show(torch.var_mean(torch.stack([x, x.flip(0)]).t(), 0), torch.var_mean(x[None, :, None], (0, 1)))

# %% The largest of no complex numbers
for name in ("amax", "amin", "aminmax", "mode", "max", "median"):
    attempt(lambda: getattr(torch, name)(torch.ones(2, 0, dtype=torch.complex128), dim=0))
    attempt(lambda: getattr(torch, name)(torch.ones(0, 2, dtype=torch.complex128), dim=0))
