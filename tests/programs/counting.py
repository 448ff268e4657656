# %% histc
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
f = I([1.0, 2, 2, 5])
attempt_each(
    lambda: f.histc(4),
    lambda: f.histc(4, 0, 4),
    lambda: f.histc(),
    lambda: v.histc(),
    lambda: f.histc(0),
    lambda: f.histc(3, 5, 1),
    lambda: f.histc(3, 2, 2),
    lambda: I([1.0, nan, 2]).histc(2, 0, 3),
    lambda: I([1.0, inf]).histc(2),
    lambda: I([]).histc(3),
    lambda: I([3.0, 3]).histc(2),
    lambda: f.half().histc(2),
    lambda: x.float().histc(3),
    lambda: I(2.0).histc(2),
    lambda: f.cfloat().histc(),
    lambda: f.histc(3, nan, 1),
    lambda: torch.histc(f, bins=2, min=0, max=6),
    lambda: f.histc(3, 0, inf),
    lambda: f.histc(2.5),
    lambda: v.int().histc(2),
)


# %% histogram
I = torch.tensor
nan = float("nan")
inf = float("inf")
v = I([1, 2, 3])
f = I([1.0, 2, 2, 5])
attempt_each(
    lambda: torch.histogram(f, 3),
    lambda: torch.histogram(f, bins=3, range=(0.0, 3.0)),
    lambda: torch.histogram(f, I([0.0, 2, 5])),
    lambda: torch.histogram(f, 3, weight=I([1.0, 2, 3, 4])),
    lambda: torch.histogram(f, 3, weight=I([1.0, 2, 3, 4]), density=True),
    lambda: torch.histogram(v, 3),
    lambda: torch.histogram(f, I([0, 2, 5])),
    lambda: torch.histogram(f, 0),
    lambda: torch.histogram(f, 3, weight=I([1.0, 2])),
    lambda: torch.histogram(f, 3, weight=I([1, 2, 3, 4])),
    lambda: torch.histogram(f, I([[0.0, 2]])),
    lambda: torch.histogram(f, 3, range=(1.0,)),
    lambda: torch.histogram(f, 3, range=(3.0, 1.0)),
    lambda: torch.histogram(f, 3, range=(3.0, 3.0)),
    lambda: torch.histogram(I([]), 3),
    lambda: torch.histogram(I([1.0, nan]), 3),
    lambda: torch.histogram(I([1.0, nan]), 3, range=(0.0, 2.0)),
    lambda: torch.histogram(I([3.0, 3]), 2),
    lambda: f.histogram(2),
    lambda: torch.histogram(f, I([])),
    lambda: torch.histogram(f, I([1.0])),
    lambda: torch.histogram(f, I([3.0, 1.0, 5.0])),
    lambda: torch.histogram(f)[0].shape,
    lambda: torch.histogram(f.half(), 2),
    lambda: torch.histogram(f, 3, range=(1, 4)),
    lambda: torch.histogram(f, 3, range=(0.0, inf)),
    lambda: torch.histogram(f, I([0.0, 2, 5]), density=True),
    lambda: torch.histogram(f, I(3.0)),
)


# %% histogramdd
I = torch.tensor
nan = float("nan")
inf = float("inf")
f = I([1.0, 2, 2, 5])
p = I([[0.0, 1], [1, 0], [2, 2], [1, 1]])
attempt_each(
    lambda: torch.histogramdd(p, [2, 2]),
    lambda: torch.histogramdd(p, 2),
    lambda: torch.histogramdd(p, [I([0.0, 1, 2]), I([0.0, 2])]),
    lambda: torch.histogramdd(p, [2, 2], range=[0.0, 2, 0, 2]),
    lambda: torch.histogramdd(p, [2, 2], weight=I([1.0, 2, 3, 4]), density=True),
    lambda: torch.histogramdd(p, [2]),
    lambda: torch.histogramdd(p, [2, 2], range=[0.0, 1]),
    lambda: torch.histogramdd(f, [2]),
    lambda: torch.histogramdd(p[0, 0], [2]),
    lambda: torch.histogramdd(p, [2, 2], weight=I([1.0, 2])),
    lambda: torch.histogramdd(p.view(2, 2, 2), [2, 2]),
    lambda: torch.histogramdd(p.long(), [2, 2]),
    lambda: torch.histogramdd(p, [I([0.0, 1])]),
    lambda: torch.histogramdd(p, bins=[2, 0]),
    lambda: torch.histogramdd(p, (2, 2), density=True),
    lambda: torch.histogramdd(p, bins=(I([0, 1.0]), I([0, 1]))),
)


# %% bincount
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
r = I([1, 0, 2])
f = I([1.0, 2, 2, 5])
attempt_each(
    lambda: torch.bincount(r),
    lambda: torch.bincount(r, minlength=5),
    lambda: torch.bincount(r, I([0.5, 1, 2])),
    lambda: torch.bincount(r, I([1, 1, 2])),
    lambda: torch.bincount(r, I([1, 1, 2]).int()),
    lambda: torch.bincount(r, I([1.0, 1, 2]).double()),
    lambda: torch.bincount(r, I([1.0, 1, 2]).half()),
    lambda: torch.bincount(I([-1])),
    lambda: torch.bincount(f),
    lambda: torch.bincount(x),
    lambda: torch.bincount(I([]).long()),
    lambda: torch.bincount(I([]).long(), minlength=3),
    lambda: torch.bincount(r, I([1.0])),
    lambda: torch.bincount(r, minlength=-1),
    lambda: torch.bincount(I([True])),
    lambda: torch.bincount(r.to(torch.uint8)),
    lambda: torch.bincount(I(2)),
    lambda: r.bincount(),
    lambda: torch.bincount(I([]).long(), I([])),
    lambda: torch.bincount(r, I([True, False, True])),
    lambda: torch.bincount(r, I([1j, 1, 2])),
    lambda: torch.bincount(I([])),
    lambda: torch.bincount(r, I([[1.0], [2], [3]])),
)


# %% Histograms and counts have no derivative, and say so
x = torch.tensor([1.0, 2.0, 2.0, 5.0], requires_grad=True)
for f in (
    lambda: x.histc(3),
    lambda: torch.histogram(x, 3)[0],
    lambda: torch.bincount(torch.tensor([1, 2, 2, 0]), x),
    lambda: torch.isin(x, 2.0),
    lambda: x.unique(),
    lambda: torch.bucketize(x, torch.tensor([2.0])),
    lambda: x.unique_consecutive(),
    lambda: x.reshape(2, 2).unique(dim=0),
    lambda: x.argsort(),
):
    try:
        r = f()
        show(r.requires_grad, r.grad_fn and r.grad_fn.name())
        r.sum().backward()
    except Exception as error:
        show(type(error).__name__, error)
