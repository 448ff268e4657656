# %% cumsum and cumprod
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = I([1, 2, 3])
attempt_each(
    lambda: x.cumsum(0),
    lambda: x.int().cumsum(0),
    lambda: I([True, True]).cumsum(0),
    lambda: I([True, True]).cumprod(0),
    lambda: x.cumsum(0, dtype=torch.float16),
    lambda: x.cumsum_(0),
    lambda: x.cumsum_(0, dtype=torch.float32),
    lambda: I([1.5]).cumsum(0, dtype=torch.int32),
    lambda: x.cumsum(1),
    lambda: x.cumsum(),
    lambda: I(2.0).cumsum(0),
    lambda: I(2.0).cumsum(1),
    lambda: I(2.0).cumprod(0),
    lambda: I([]).cumsum(0),
    lambda: I(2.0).cummax(0),
    lambda: I([1.0, nan, 2, nan, 3]).cummax(0),
    lambda: I([1.0, 1, 0, 1]).cummax(0),
    lambda: I([1.0, 1, 2, 1]).cummin(0),
    lambda: I([True, False]).cummax(0),
    lambda: I([1 + 1j]).cummax(0),
    lambda: I([]).cummax(0),
    lambda: torch.zeros(0, 3).cummax(1),
    lambda: torch.zeros(3, 0).cummax(1),
    lambda: I([1, 2]).logcumsumexp(0),
    lambda: I([1.0, 2]).logcumsumexp(0),
    lambda: I([-inf, 1.0, inf]).logcumsumexp(0),
    lambda: I([1 + 2j, 2.0]).logcumsumexp(0),
    lambda: I(2.0).logcumsumexp(0),
    lambda: I([1.0, 2]).half().logcumsumexp(0),
    lambda: I([True]).logcumsumexp(0),
)


# %% diff
I = torch.tensor
nan = float("nan")
inf = float("inf")
a = I([1, 4, 9])
attempt_each(
    lambda: a.diff(),
    lambda: a.diff(n=2),
    lambda: a.diff(n=0),
    lambda: a.diff(n=0) is a,
    lambda: a.diff(n=-1),
    lambda: a.diff(n=5),
    lambda: a.diff(prepend=I([0]), append=I([1, 2])),
    lambda: I([True, False]).diff(),
    lambda: I(1).diff(),
    lambda: a.diff(prepend=I([[0]])),
    lambda: torch.zeros(2, 3).diff(prepend=torch.zeros(3, 1)),
    lambda: a.diff(dim=1),
    lambda: a.diff(prepend=I([0.5])),
    lambda: a.diff(n=2, prepend=I([0])),
    lambda: torch.diff(a, out=torch.zeros(2)),
    lambda: torch.diff(a, out=torch.zeros(2, dtype=torch.int64)),
    lambda: torch.diff(a, 0, out=torch.zeros(3, dtype=torch.int64)),
)


# %% trapezoid
I = torch.tensor
nan = float("nan")
inf = float("inf")
y = I([1, 5, 10])
attempt_each(
    lambda: torch.trapezoid(y),
    lambda: torch.trapezoid(y, y),
    lambda: torch.trapezoid(y, dx=2),
    lambda: torch.trapezoid(I([])),
    lambda: torch.trapezoid(y, I([1, 2])),
    lambda: torch.trapezoid(y, torch.ones(2, 3)),
    lambda: torch.trapezoid(I([True, False])),
    lambda: torch.trapezoid(y, dx=True),
    lambda: torch.trapezoid(y, dx=1j),
    lambda: torch.trapezoid(I(1.0)),
    lambda: torch.trapezoid(y, I([True, False, True])),
    lambda: torch.trapezoid(y, I(1.0)),
    lambda: torch.trapezoid(y, y, dim=1),
    lambda: torch.trapezoid(torch.zeros(2, 3), y),
    lambda: torch.trapezoid(torch.zeros(2, 3), I([1, 2]), dim=0),
    lambda: torch.cumulative_trapezoid(y),
    lambda: torch.cumulative_trapezoid(y, y),
    lambda: torch.cumulative_trapezoid(y, dx=2.5),
    lambda: torch.cumulative_trapezoid(I([])),
    lambda: torch.cumulative_trapezoid(I([1.0])),
    lambda: torch.cumulative_trapezoid(torch.zeros(2, 3), I([1, 2]), dim=0),
    lambda: torch.cumulative_trapezoid(I(1.0)),
    lambda: torch.trapz(y, dx=2),
    lambda: torch.trapz(y, y),
    lambda: torch.trapezoid(torch.zeros(2, 3), dim=0),
    lambda: torch.cumulative_trapezoid(y, I([1, 2])),
    lambda: torch.cumulative_trapezoid(I([True, False])),
    lambda: torch.cumulative_trapezoid(y, I([True, False, True])),
    lambda: torch.trapezoid(y, dx=None),
    lambda: torch.trapezoid(y, dx=I(2.0)),
)


# %% gradient
I = torch.tensor
nan = float("nan")
inf = float("inf")
g = I([1.0, 2, 4, 8])
attempt_each(
    lambda: torch.gradient(g),
    lambda: torch.gradient(g, spacing=2),
    lambda: torch.gradient(g, spacing=(I([0.0, 1, 2, 4]),)),
    lambda: torch.gradient(g, edge_order=2),
    lambda: torch.gradient(torch.ones(3, 4), dim=1),
    lambda: torch.gradient(torch.ones(3, 4), spacing=[1, 2]),
    lambda: torch.gradient(torch.ones(3, 4), spacing=[1, 2, 3]),
    lambda: torch.gradient(g, edge_order=3),
    lambda: torch.gradient(I([1.0])),
    lambda: torch.gradient(I([1, 2, 4])),
    lambda: torch.gradient(I([True, False])),
    lambda: torch.gradient(torch.ones(3, 4), spacing=2, dim=(0, 0)),
    lambda: torch.gradient(I(1.0)),
    lambda: torch.gradient(g, spacing=(I([0.0, 1]),)),
    lambda: torch.gradient(torch.ones(3, 4), spacing=(I([0.0, 1, 2]), I([0.0, 1, 2, 3])), edge_order=2),
    lambda: torch.gradient(torch.ones(3, 4), spacing=[2.0], dim=1),
    lambda: torch.gradient(g.to(torch.uint8)),
    lambda: torch.gradient(torch.ones(3, 4), spacing=(I([0.0, 1, 2]), I([[0.0, 1, 2, 3]]))),
    lambda: torch.gradient(torch.ones(3, 4), spacing=2, dim=()),
)


# %% cummax, cummin and other running results
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.tensor([[1.0, 3, 2], [4, 1, 9]])
attempt_each(
    lambda: x.cummax(1),
    lambda: x.cummin(dim=0),
    lambda: torch.cummax(x, -1).indices,
    lambda: x.int().cummin(1),
    lambda: x.cumsum(-1).stride(),
    lambda: x.t().cumsum(0),
    lambda: x.t().cumprod(1),
    lambda: x.to(torch.uint8).cumsum(0),
    lambda: x.cumsum(dim=1, dtype=torch.float64),
    lambda: x.clone().cumprod_(1),
    lambda: x.half().cumsum(1),
    lambda: x.logcumsumexp(dim=0),
    lambda: torch.cumsum(x, axis=0),
    lambda: x.bool().cumsum_(0),
    lambda: x.int().cumsum_(0),
    lambda: torch.full((2000,), 0.1).cumsum(0)[-1],
    lambda: torch.full((2000, 2), 0.1).cumsum(0)[-1],
    lambda: torch.full((2, 2000), 1.001).cumprod(1)[:, -1],
    lambda: torch.full((70, 100), 0.1).t().cumsum(0)[-1][:3],
    lambda: (x + 0j).cumprod(0),
    lambda: (x + 1j).logcumsumexp(0),
)


# %% cumprod with zeros: the products of the other factors, and their derivatives
for values in ([2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [2.0, 0.0, 4.0], [2.0, 0.0, 0.0, 5.0], [5.0]):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    w = torch.arange(1.0, len(values) + 1, dtype=torch.float64)
    (g,) = torch.autograd.grad((x.cumprod(0) * w).sum(), x, create_graph=True)
    show(g.tolist())
    h = torch.autograd.grad((g * w).sum(), x, allow_unused=True)[0]
    show(None if h is None else h.tolist())


# %% Long and few, or short and many: both ways of summing give the same
for shape, dim in (((3000,), 0), ((40, 300), 0), ((300, 40), 1), ((2, 1500), -1), ((1500, 2), 0)):
    n = shape[0] * shape[-1] if len(shape) > 1 else shape[0]
    x = (torch.arange(n, dtype=torch.float64).reshape(shape) * 37 % 101 / 50 - 1).requires_grad_()
    for f in (torch.cumsum, torch.logcumsumexp):
        r = f(x, dim)
        (g,) = torch.autograd.grad((r * r).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad((g * x).sum(), x)
        show(
            f.__name__,
            r.flatten()[-1].item(),
            g.flatten()[:3].tolist(),
            h.flatten()[-3:].tolist(),
            r.stride(),
        )
    y = (x * 0.01 + 1).detach().requires_grad_()
    z = y.detach().clone()
    z.view(-1)[n // 2] = 0
    z.requires_grad_()
    for t in (y, z):
        r = t.cumprod(dim)
        (g,) = torch.autograd.grad((r * (x.detach() + 2)).sum(), t, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), t)
        show(r.flatten()[-1].item(), g.flatten()[:3].tolist(), h.flatten()[:3].tolist())


# %% logcumsumexp neither overflows nor loses its gradient
for values in (
    [1.0, 100.0, 2.0],
    [-100.0, -101.0, 3.0],
    [1.0, float("inf"), 2.0],
    [1.0, 2.0, float("-inf")],
    [1.0, float("nan"), 2.0],
):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    r = x.logcumsumexp(0)
    r.sum().backward()
    show(r.tolist(), x.grad.tolist())


# %% cumsum_ with another dtype
x = torch.tensor([1, 2, 3])
x.cumsum_(0, dtype=torch.float32)
