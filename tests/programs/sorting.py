# %% isin
I = torch.tensor
nan = float("nan")
inf = float("inf")
attempt_each(
    lambda: torch.isin(I([1, 2, 3]), 2),
    lambda: torch.isin(2, I([1, 2, 3])),
    lambda: torch.isin(I([1, 2, 3]), I([2, 3]), invert=True),
    lambda: torch.isin(I([1.0, 2, 3]), I([2, 3])),
    lambda: torch.isin(I([1.0, float("nan")]), I([float("nan")])),
    lambda: torch.isin(1, 2),
    lambda: torch.isin(I([1 + 2j]), I([1 + 2j])),
    lambda: torch.isin(I([True]), I([True, False])),
    lambda: torch.isin(I([[1], [2]]), I([[2]])),
    lambda: torch.isin(elements=I([1]), test_elements=I([1])),
    lambda: torch.isin(elements=I([1]), test_element=1),
    lambda: torch.isin(I([1, 2]), 2.5),
    lambda: torch.isin(2.5, I([1, 2])),
    lambda: torch.isin(I([1, 2]), I([])),
    lambda: torch.isin(I([1, 2]).half(), I([1]).half()),
    lambda: torch.isin([1], 2),
)


# %% unique and unique_consecutive
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = I([3, 1, 2, 1, 3])
attempt_each(
    lambda: x.unique(),
    lambda: x.unique(False),
    lambda: x.unique(True, True),
    lambda: x.unique(True, True, True),
    lambda: torch.unique(x, return_counts=True),
    lambda: torch.unique(I([[1, 2], [1, 2], [0, 1]]), dim=0, return_inverse=True, return_counts=True),
    lambda: torch.unique(I([[1, 2], [1, 2], [0, 1]]), return_inverse=True, return_counts=True),
    lambda: I([[1, 2, 1], [1, 2, 1], [0, 1, 0]]).unique(dim=1),
    lambda: I([1.0, float("nan"), float("nan")]).unique(return_inverse=True, return_counts=True),
    lambda: I([True, False, True]).unique(return_inverse=True, return_counts=True),
    lambda: I([1 + 2j]).unique(),
    lambda: I(3).unique(return_inverse=True, return_counts=True),
    lambda: I([]).unique(return_inverse=True, return_counts=True),
    lambda: torch.zeros(0, 3).unique(dim=1),
    lambda: torch.zeros(0, 3).unique(dim=0),
    lambda: torch.zeros(3).unique(dim=2),
    lambda: I(3).unique(dim=0),
    lambda: torch.unique([1]),
    lambda: x.unique_consecutive(return_inverse=True, return_counts=True),
    lambda: torch.unique_consecutive(
        I([[1, 2], [1, 2], [0, 1]]), dim=0, return_inverse=True, return_counts=True
    ),
    lambda: torch.unique_consecutive(I([[1, 2], [1, 2], [0, 1]]), return_inverse=True, return_counts=True),
    lambda: I([1.0, 1, float("nan"), float("nan")]).unique_consecutive(return_counts=True),
    lambda: torch.unique(I([0.0, -0.0])),
    lambda: torch.unique(I([-0.0, 0.0])),
    lambda: torch.unique(I([[0.0, 1], [-0.0, 1]]), dim=0),
    lambda: torch.unique(I([[1, float("nan")], [1, float("nan")]]), dim=0, return_inverse=True),
    lambda: I([]).unique_consecutive(True, True),
    lambda: I(5).unique_consecutive(True, True),
    lambda: I([1 + 2j]).unique_consecutive(),
    lambda: I([3, 1, 2]).unique(sorted=False),
)


# %% searchsorted
I = torch.tensor
nan = float("nan")
inf = float("inf")
s = I([1, 3, 5, 7, 9])
v = I([3, 6, 9])
attempt_each(
    lambda: torch.searchsorted(s, v),
    lambda: torch.searchsorted(s, v, right=True),
    lambda: torch.searchsorted(s, v, side="right"),
    lambda: torch.searchsorted(s, v, side="lft"),
    lambda: torch.searchsorted(s, v, right=True, side="left"),
    lambda: torch.searchsorted(s, 3),
    lambda: torch.searchsorted(s, 3.5),
    lambda: torch.searchsorted(s, v, out_int32=True),
    lambda: torch.searchsorted(s, v.float()),
    lambda: torch.searchsorted(torch.stack([s, s]), v),
    lambda: torch.searchsorted(torch.stack([s, s]), torch.stack([v, v, v])),
    lambda: torch.searchsorted(torch.stack([s, s]), torch.stack([v, v + 1])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2, 0])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2, 7])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1.0, 2, 0])),
    lambda: torch.searchsorted(I(5), v),
    lambda: torch.searchsorted(s, I(3)),
    lambda: torch.searchsorted(torch.stack([s, s]), I(3)),
    lambda: torch.searchsorted(torch.stack([s, s]), 3),
    lambda: torch.searchsorted(I([1.0, float("nan")]), I([float("nan"), 0.0])),
    lambda: torch.searchsorted(I([1.0, 2, float("nan")]), I([float("nan"), 0.0]), right=True),
    lambda: torch.searchsorted(I([]), I([1.0])),
    lambda: torch.searchsorted(I([3, 1, 2]), I([2])),
    lambda: torch.searchsorted(torch.stack([s, s]).t(), torch.zeros(5, 3).long()),
    lambda: torch.searchsorted(I([True]), I([False])),
    lambda: torch.searchsorted(I([1 + 2j]), I([1 + 2j])),
    lambda: torch.searchsorted(s, v, out=torch.empty(2, dtype=torch.int64)),
    lambda: torch.searchsorted(s, v, out_int32=True, out=torch.empty(3, dtype=torch.int32)),
    lambda: torch.searchsorted(sorted_sequence=s, input=v),
    lambda: torch.searchsorted(s, torch.stack([v, v]).t()),
)


# %% bucketize
I = torch.tensor
nan = float("nan")
inf = float("inf")
s = I([1, 3, 5, 7, 9])
v = I([3, 6, 9])
attempt_each(
    lambda: torch.bucketize(v, s),
    lambda: torch.bucketize(v, s, right=True),
    lambda: torch.bucketize(4, s),
    lambda: torch.bucketize(v, torch.stack([s, s])),
    lambda: torch.bucketize(v.float(), s, out_int32=True),
    lambda: torch.bucketize(torch.stack([v, v]), boundaries=s),
    lambda: torch.bucketize(torch.zeros(2, 3).t(), I([1.0])),
)


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


# %% renorm
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6.0).view(2, 3)
attempt_each(
    lambda: x.renorm(2, 0, 1),
    lambda: x.renorm(0, 0, 1),
    lambda: x.renorm(-1, 0, 1),
    lambda: x.renorm(inf, 0, 1),
    lambda: x.renorm(2, 0, -1),
    lambda: I([1.0]).renorm(2, 0, 1),
    lambda: x.renorm(2, 2, 1),
    lambda: x.long().renorm(2, 0, 1),
    lambda: x.renorm(1j, 0, 1),
    lambda: x.half().renorm(2, 0, 1),
    lambda: torch.zeros(0, 2).renorm(2, 0, 1),
    lambda: x.cfloat().renorm(2, 0, 1),
    lambda: x.renorm(1.5, 1, 2.5),
    lambda: x.clone().renorm_(2, 0, 1),
    lambda: torch.renorm(x, p=2, dim=0, maxnorm=1),
    lambda: x.renorm(2, 0, 1, out=1),
)


# %% cross
I = torch.tensor
nan = float("nan")
inf = float("inf")
a = I([1, 0, 0])
b = I([0, 1, 0])
attempt_each(
    lambda: torch.cross(a, b),
    lambda: torch.cross(a, b, dim=0),
    lambda: torch.linalg.cross(a, b),
    lambda: torch.linalg.cross(torch.ones(3, 2), torch.ones(3, 2)),
    lambda: torch.linalg.cross(torch.ones(3, 2), torch.ones(3, 2), dim=0),
    lambda: torch.cross(torch.ones(3, 2), torch.ones(3, 2)),
    lambda: torch.cross(torch.ones(2, 2), torch.ones(2, 2)),
    lambda: torch.cross(torch.ones(2, 2), torch.ones(2, 2), dim=1),
    lambda: torch.linalg.cross(a, torch.ones(2, 3).long()),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(3), dim=-1),
    lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(1, 3)),
    lambda: torch.linalg.cross(a, b.float()),
    lambda: torch.linalg.cross(a.bool(), b.bool()),
    lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(4, 3)),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(4, 3), dim=1),
    lambda: torch.cross(I(1), I(1)),
    lambda: torch.cross(torch.ones(0, 3), torch.ones(0, 3), dim=1),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(2, 3), 5),
)


# %% cdist
I = torch.tensor
nan = float("nan")
inf = float("inf")
p = torch.arange(6.0).view(3, 2)
q = p[:2] + 1
attempt_each(
    lambda: torch.cdist(p, q),
    lambda: torch.cdist(p, q, p=1),
    lambda: torch.cdist(p, q, p=0),
    lambda: torch.cdist(p, q, p=inf),
    lambda: torch.cdist(p, q, p=-1),
    lambda: torch.cdist(p, q, p=1.5),
    lambda: torch.cdist(p, torch.ones(2, 3)),
    lambda: torch.cdist(p[0], q),
    lambda: torch.cdist(p, q[0]),
    lambda: torch.cdist(p.long(), q.long()),
    lambda: torch.cdist(p, q.double()),
    lambda: torch.cdist(p, q.long()),
    lambda: torch.cdist(p, q, compute_mode="foo"),
    lambda: torch.cdist(p, q, compute_mode="donot_use_mm_for_euclid_dist"),
    lambda: torch.cdist(p, q, compute_mode="use_mm_for_euclid_dist"),
    lambda: torch.cdist(torch.ones(2, 3, 2), torch.ones(3, 2)).shape,
    lambda: torch.cdist(torch.ones(2, 3, 2), torch.ones(3, 3, 2)).shape,
    lambda: torch.cdist(torch.ones(0, 2), torch.ones(3, 2)),
    lambda: torch.cdist(torch.ones(2, 0), torch.ones(3, 0)),
    lambda: torch.cdist(p.half(), q.half()),
    lambda: torch.cdist(p.cfloat(), q.cfloat()),
    lambda: torch.cdist(p, q, p="a"),
    lambda: torch.cdist([1], q),
    lambda: torch.cdist(p.bool(), q.bool()),
)


# %% pdist
I = torch.tensor
nan = float("nan")
inf = float("inf")
F = torch.nn.functional.pdist
p = torch.arange(6.0).view(3, 2)
attempt_each(
    lambda: F(p),
    lambda: F(p, 1),
    lambda: F(p, 0),
    lambda: F(p, inf),
    lambda: F(p, -1),
    lambda: F(p[0]),
    lambda: F(p[:1]),
    lambda: F(p[:0]),
    lambda: F(p.long()),
    lambda: F(p.half()),
    lambda: F(torch.ones(3, 0)),
    lambda: torch.pairwise_distance(p, p),
)


# %% flip
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
attempt_each(
    lambda: x.flip(0),
    lambda: x.flip(0, 1),
    lambda: x.flip((0, 1)),
    lambda: x.flip(),
    lambda: x.flip([]),
    lambda: x.flip(0, 0),
    lambda: x.flip(2),
    lambda: I(1).flip(0),
    lambda: I(1).flip([]),
    lambda: torch.flip(x, (0,)),
    lambda: x[0].fliplr(),
    lambda: I(1).flipud(),
    lambda: x.flip(dims=(0,)),
)


# %% roll
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
attempt_each(
    lambda: x.roll(1),
    lambda: x.roll(1, 0),
    lambda: x.roll((1, 2), (0, 1)),
    lambda: x.roll((1, 2)),
    lambda: x.roll(1, (0, 1)),
    lambda: x.roll((1, 2), 0),
    lambda: x.roll(()),
    lambda: x.roll(7, 1),
    lambda: x.roll(-1, 1),
    lambda: x.roll(1, 5),
    lambda: I(1).roll(1),
    lambda: I(1).roll(1, 0),
    lambda: torch.zeros(0, 2).roll(1, 0),
    lambda: x.roll(shifts=1, dims=1),
    lambda: x.roll((), (0,)),
)


# %% rot90
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
attempt_each(
    lambda: x.rot90(),
    lambda: x.rot90(1, (1, 0)),
    lambda: x.rot90(-1),
    lambda: x.rot90(2),
    lambda: x.rot90(4),
    lambda: x.rot90(1, (0,)),
    lambda: x.rot90(1, (0, 0)),
    lambda: x.rot90(1, (0, 2)),
    lambda: x[0].rot90(),
    lambda: x.rot90(1, [0, -2]),
    lambda: x.rot90(1, [0, -1]),
    lambda: torch.rot90(x, k=1, dims=(0, 1)),
    lambda: x.rot90(1, [0, -3]),
    lambda: x.rot90(1, 0),
)


# %% repeat_interleave
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
r = I([1, 0, 2])
attempt_each(
    lambda: v.repeat_interleave(2),
    lambda: v.repeat_interleave(r),
    lambda: torch.repeat_interleave(r),
    lambda: x.repeat_interleave(2, dim=0),
    lambda: x.repeat_interleave(I([1, 2]), 0),
    lambda: x.repeat_interleave(I([1, 2]), dim=1),
    lambda: x.repeat_interleave(I([2]), 1),
    lambda: v.repeat_interleave(r, output_size=3),
    lambda: v.repeat_interleave(r, output_size=4),
    lambda: v.repeat_interleave(-1),
    lambda: v.repeat_interleave(I([-1, 0, 1])),
    lambda: v.repeat_interleave(I([1.0, 0, 1])),
    lambda: torch.repeat_interleave(I([[1]])),
    lambda: v.repeat_interleave(I([[1, 2, 3]])),
    lambda: I(3).repeat_interleave(2),
    lambda: I(3).repeat_interleave(I(2)),
    lambda: x.repeat_interleave(2, 2),
    lambda: v.repeat_interleave(r.int()),
    lambda: torch.repeat_interleave(I([1.0])),
    lambda: x.repeat_interleave(3, dim=0, output_size=6),
    lambda: x.repeat_interleave(3, dim=0, output_size=7),
    lambda: v.repeat_interleave(0),
    lambda: torch.zeros(0, 2).repeat_interleave(2, 0),
    lambda: torch.repeat_interleave(v, repeats=2),
    lambda: torch.repeat_interleave(I([1, 2]), output_size=3),
    lambda: torch.repeat_interleave(I([]).long()),
    lambda: I(3).repeat_interleave(2, 0),
    lambda: torch.repeat_interleave(I([-1])),
)


# %% cartesian_prod
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
r = I([1, 0, 2])
attempt_each(
    lambda: torch.cartesian_prod(v, r),
    lambda: torch.cartesian_prod(v),
    lambda: torch.cartesian_prod(),
    lambda: torch.cartesian_prod(x, v),
    lambda: torch.cartesian_prod(v, v.float()),
    lambda: torch.cartesian_prod([v, v]),
)


# %% combinations
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
r = I([1, 0, 2])
attempt_each(
    lambda: torch.combinations(v),
    lambda: torch.combinations(v, 3),
    lambda: torch.combinations(v, 4),
    lambda: torch.combinations(v, 0),
    lambda: torch.combinations(v, 1),
    lambda: torch.combinations(v, -1),
    lambda: torch.combinations(v, 2, True),
    lambda: torch.combinations(x),
    lambda: torch.combinations(v, r=2, with_replacement=True),
    lambda: torch.combinations(I([])),
)


# %% block_diag
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.block_diag(x, v, I(5)),
    lambda: torch.block_diag(),
    lambda: torch.block_diag(x.float(), v),
    lambda: torch.block_diag(torch.zeros(1, 1, 1)),
    lambda: torch.block_diag([x]),
    lambda: torch.block_diag(x),
    lambda: torch.block_diag(torch.zeros(0, 2), v),
)


# %% broadcast_tensors
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.broadcast_tensors(x, v),
    lambda: torch.broadcast_tensors(),
    lambda: torch.broadcast_tensors(x, I([1, 2])),
    lambda: torch.broadcast_tensors([x, v]),
    lambda: torch.broadcast_shapes((2, 1), (3,), 4 if False else 1),
    lambda: torch.broadcast_shapes(3, (2, 1)),
    lambda: torch.broadcast_shapes((2,), (3,)),
    lambda: torch.broadcast_shapes(),
    lambda: torch.broadcast_shapes((-1,)),
    lambda: torch.broadcast_shapes(torch.Size([2, 1]), (1, 5)),
    lambda: torch.broadcast_shapes((2, 3), (4, 1), (1,)),
    lambda: torch.broadcast_shapes("a"),
    lambda: torch.broadcast_shapes((1, "a")),
    lambda: torch.broadcast_shapes((0,), (1,)),
)


# %% atleast_1d, 2d and 3d
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.atleast_1d(I(1)),
    lambda: torch.atleast_1d(v) is v,
    lambda: torch.atleast_1d(I(1), v),
    lambda: torch.atleast_2d(v),
    lambda: torch.atleast_2d(I(1)),
    lambda: torch.atleast_3d(I(1)),
    lambda: torch.atleast_3d(v),
    lambda: torch.atleast_3d(x),
    lambda: torch.atleast_3d((x, v)),
    lambda: torch.atleast_1d(),
    lambda: torch.atleast_1d([I(1)]),
)


# %% meshgrid
I = torch.tensor
nan = float("nan")
inf = float("inf")
v = I([1, 2, 3])
r = I([1, 0, 2])
attempt_each(
    lambda: torch.meshgrid(v, r),
    lambda: torch.meshgrid(v, r, indexing="xy"),
    lambda: torch.meshgrid([v, r], indexing="ij"),
    lambda: torch.meshgrid(v, r, indexing="a"),
    lambda: torch.meshgrid(indexing="ij"),
    lambda: torch.meshgrid(v, v.float(), indexing="ij"),
    lambda: torch.meshgrid(v, I(1), indexing="ij"),
    lambda: torch.meshgrid(v, indexing="xy"),
    lambda: torch.meshgrid(v, r, v, indexing="xy")[0].shape,
    lambda: torch.meshgrid(1, 2, indexing="ij"),
    lambda: torch.meshgrid(v, indexing=None),
)


# %% vander
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.vander(v),
    lambda: torch.vander(v, N=2),
    lambda: torch.vander(v, increasing=True),
    lambda: torch.vander(v, 0),
    lambda: torch.vander(x),
    lambda: torch.vander(v, -1),
    lambda: torch.linalg.vander(v),
    lambda: torch.linalg.vander(v, N=2),
    lambda: torch.linalg.vander(x, N=3),
    lambda: torch.linalg.vander(I(1)),
    lambda: torch.linalg.vander(v, N=1),
    lambda: torch.vander(I([1.0, 2]), 1),
    lambda: torch.vander(I([True])),
    lambda: torch.linalg.vander(v.int()).dtype,
)


# %% tril_indices and triu_indices
I = torch.tensor
nan = float("nan")
inf = float("inf")
attempt_each(
    lambda: torch.tril_indices(2, 3),
    lambda: torch.triu_indices(2, 3),
    lambda: torch.tril_indices(3, 3, 1),
    lambda: torch.triu_indices(3, 3, -1),
    lambda: torch.tril_indices(-1, 2),
    lambda: torch.tril_indices(2, 2, dtype=torch.int32),
    lambda: torch.tril_indices(2, 2, dtype=torch.float32),
    lambda: torch.tril_indices(0, 2),
    lambda: torch.tril_indices(2, 2, -5),
    lambda: torch.triu_indices(4, 3, offset=-2),
    lambda: torch.triu_indices(2, -1),
    lambda: torch.tril_indices(row=2, col=2, offset=0),
    lambda: torch.tril_indices(2, 2, device="cpu", layout=torch.strided),
    lambda: torch.tril_indices(2, 2, requires_grad=True),
    lambda: torch.tril_indices(2, 2, dtype=torch.float32, requires_grad=True),
)


# %% unravel_index
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.unravel_index(I([5, 2]), (2, 3)),
    lambda: torch.unravel_index(I(5), (2, 3)),
    lambda: torch.unravel_index(I(5), 7),
    lambda: torch.unravel_index(I([6]), (2, 3)),
    lambda: torch.unravel_index(I([-1]), (2, 3)),
    lambda: torch.unravel_index(I([1.0]), (2, 3)),
    lambda: torch.unravel_index(I([1]), (2, -3)),
    lambda: torch.unravel_index(I([1]), "ab"),
    lambda: torch.unravel_index(I([True]), (2,)),
    lambda: torch.unravel_index(I([1]), (2, 1.5)),
    lambda: torch.unravel_index(I([]).long(), (0,)),
    lambda: x.is_same_size(x),
    lambda: torch.is_same_size(x, v),
)


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


# %% tensordot
I = torch.tensor
nan = float("nan")
inf = float("inf")
v = I([1, 2, 3])
A = torch.ones(2, 3, 4)
B = torch.ones(4, 3, 2)
attempt_each(
    lambda: torch.tensordot(A, B, 1).shape,
    lambda: torch.tensordot(A, B, ([1], [1])).shape,
    lambda: torch.tensordot(A, B, ([1, 2], [1, 0])).shape,
    lambda: torch.tensordot(A, B),
    lambda: torch.tensordot(A, B, 0).shape,
    lambda: torch.tensordot(A, B, -1),
    lambda: torch.tensordot(A, B, 4),
    lambda: torch.tensordot(A, B, ([1], [0])),
    lambda: torch.tensordot(A, B, ([1], [0, 1])),
    lambda: torch.tensordot(A, B, dims=I([[1, 2], [1, 0]])).shape,
    lambda: torch.tensordot(A, B, dims=I(1)).shape,
    lambda: torch.tensordot(v, v, 1),
    lambda: torch.tensordot(v, v.float(), 1),
    lambda: torch.tensordot(A, B, (1, 1)).shape,
    lambda: torch.tensordot(A, B, dims=([0], [-1])).shape,
    lambda: torch.tensordot(A, B, ([1, 1], [1, 1])),
    lambda: torch.tensordot(A[:, :1], B, ([1], [1])).shape,
    lambda: torch.tensordot(A, B, (0, (1, 2))),
    lambda: torch.tensordot(v, v, 1.5),
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(2, 4, 4, 2)).shape,
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(2, 4, 4, 2).double()).shape,
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(3)).shape,
)


# %% kron
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.kron(x, v),
    lambda: torch.kron(I(2), v),
    lambda: torch.kron(v.float(), v),
    lambda: torch.kron(v, torch.zeros(0)),
    lambda: torch.kron(torch.ones(2, 2).t(), torch.ones(2, 1, 2)).stride(),
    lambda: torch.kron(v, 2),
    lambda: torch.kron(v, v, out=torch.zeros(9)),
    lambda: torch.kron(v, v, out=torch.zeros(3)),
    lambda: torch.kron(x.t(), x.t()).stride(),
)


# %% sort, argsort, topk and kthvalue
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.tensor([3.0, nan, 1.0, inf])
z = torch.arange(12.0).view(3, 4).t()
attempt_each(
    lambda: torch.sort(x),
    lambda: torch.sort(x, descending=True),
    lambda: x.sort(0, True),
    lambda: torch.sort(torch.tensor([0.0, -0.0, 1.0, -0.0])),
    lambda: torch.sort(torch.tensor([2, 1, 2, 1, 2]), stable=True, descending=True),
    lambda: x.topk(2),
    lambda: x.topk(2, largest=False),
    lambda: x.topk(k=3, dim=0, largest=True, sorted=True),
    lambda: x.kthvalue(2),
    lambda: x.kthvalue(4),
    lambda: torch.sort(torch.tensor([1 + 2j])),
    lambda: torch.topk(torch.tensor([1 + 2j]), 1),
    lambda: torch.tensor([1 + 2j]).kthvalue(1),
    lambda: torch.tensor([True, False]).kthvalue(1),
    lambda: torch.tensor([True, False]).topk(1),
    lambda: torch.tensor([True, False, True]).sort(),
    lambda: torch.tensor(1.0).sort(),
    lambda: torch.tensor(1.0).sort(1),
    lambda: torch.tensor(1.0).topk(1),
    lambda: torch.tensor(1.0).topk(2),
    lambda: torch.tensor(1.0).kthvalue(1),
    lambda: torch.tensor(1.0).kthvalue(2),
    lambda: x.topk(5),
    lambda: x.kthvalue(5),
    lambda: x.kthvalue(0),
    lambda: torch.ones(0).kthvalue(1),
    lambda: torch.ones(3, 0).kthvalue(1, 0),
    lambda: torch.ones(3, 0).kthvalue(1, 1),
    lambda: torch.ones(0).sort(),
    lambda: torch.ones(0).topk(0),
    lambda: x.sort(2),
    lambda: x.sort(stable=None),
    lambda: torch.argsort(x, stable=True, dim=0, descending=True),
    lambda: x.sort("a"),
    lambda: [o.stride() for o in z.sort(0)],
    lambda: [o.stride() for o in z.topk(2, 0)],
    lambda: [o.stride() for o in z.sort(1, descending=True)],
    lambda: z.msort(),
    lambda: z.argsort(0),
    lambda: x.argsort(),
    lambda: x.half().sort(),
    lambda: x.double().topk(3),
    lambda: torch.tensor([3, 1, 2], dtype=torch.uint8).sort(descending=True),
    lambda: torch.tensor([-128, 127, 0], dtype=torch.int8).sort(descending=True),
    lambda: torch.tensor([2**62, -(2**62), 5]).topk(2),
    lambda: torch.tensor([2**62, -(2**62), 5]).sort(descending=True),
    lambda: torch.sort(x).values,
    lambda: torch.sort(x)[1].dtype,
    lambda: torch.topk(x, 2).indices,
    lambda: z.kthvalue(3, 1, True),
    lambda: z.kthvalue(3, 1),
    lambda: torch.sort(input=z, dim=0, descending=True),
    lambda: torch.topk(z, k=2, dim=-2),
    lambda: torch.arange(40)[torch.argsort(torch.arange(40) * 7 % 40)],
    lambda: torch.sort(torch.arange(40.0) * 7 % 40, descending=True)[1],
    lambda: (torch.arange(400.0) * 7 % 401).view(2, 200).topk(3),
    lambda: (torch.arange(400) * 7 % 401).view(2, 200).topk(3, largest=False),
    lambda: (torch.arange(400) * 7 % 401).double().topk(7).indices,
    lambda: torch.sort(x, out=(torch.empty(0), torch.empty(0, dtype=torch.long))),
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


# %% Gradients of what is selected go where it was, also twice; indices have none
x = torch.tensor([[3.0, 1.0, 2.0, 2.0], [0.0, 5.0, -1.0, 4.0]], requires_grad=True)
w = torch.tensor([[1.0, 10.0, 100.0, 1000.0], [2.0, 3.0, 4.0, 5.0]])
for name, r in (
    ("sort", x.sort(1)),
    ("stable", x.sort(dim=0, stable=True)),
    ("descending", x.sort(1, True)),
    ("topk", x.topk(4)),
    ("kthvalue", x.kthvalue(2, 1, True)),
    ("cummax", x.cummax(1)),
    ("cummin", x.cummin(0)),
):
    values, indices = r
    n = tuple(slice(k) for k in values.shape)
    (g,) = torch.autograd.grad((values**2 * w[n]).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad((g * g).sum(), x)
    node = values.grad_fn
    show(name, type(r).__name__, node.name(), indices.requires_grad, indices.grad_fn, g.tolist(), h.tolist())
    show(
        node._saved_dim,
        node._saved_indices.tolist() == indices.tolist(),
        sorted(n for n in dir(node) if n == "_saved_indices"),
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


# %% In place: versions, errors of leaves and of dtypes
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
y.cumsum_(1)
show(y._version, y.grad_fn.name(), y.tolist())
y.sum().backward()
show(x.grad.tolist())
i = torch.tensor([1, 2, 3], dtype=torch.int32)
show(i.cumsum_(0), i.cumprod_(0), i.dtype, i._version)
x.cumsum_(0)


# %% cumsum_ with another dtype
x = torch.tensor([1, 2, 3])
x.cumsum_(0, dtype=torch.float32)


# %% What is composed has the nodes of what it is composed of
def tree(node, depth=0):
    if node is None or depth > 6:
        return ""
    inner = ", ".join(tree(f, depth + 1) for f, _ in node.next_functions)
    return node.name().replace("torch::autograd::", "") + (f"({inner})" if inner else "")


a = torch.arange(6.0).reshape(2, 3).requires_grad_()
b = torch.arange(3.0).requires_grad_()
for r in (
    a.diff(),
    a.diff(2, 0),
    a.diff(prepend=a[:, :1]),
    torch.trapezoid(a),
    torch.trapezoid(a, b),
    torch.trapezoid(a, dx=2.0),
    torch.cumulative_trapezoid(a),
    torch.cumulative_trapezoid(a, b),
    torch.gradient(b)[0],
    torch.gradient(b, edge_order=2)[0],
    torch.gradient(b, spacing=(b.detach(),))[0],
    a.repeat_interleave(2),
    a.repeat_interleave(2, 1),
    a.repeat_interleave(torch.tensor([1, 2]), 0),
    torch.cartesian_prod(b, b),
    torch.combinations(b),
    torch.block_diag(a, b),
    torch.atleast_2d(b),
    torch.atleast_3d(b),
    torch.meshgrid(b, b, indexing="xy")[0],
    torch.tensordot(a, b, 1),
    torch.kron(b, b),
    torch.tensordot(a, a, ([1], [1])),
    torch.tensordot(a, a.T, ([0, 1], [1, 0])),
    torch.cross(a, b.expand(2, 3), dim=1),
    a.msort(),
    a.fliplr(),
    a.rot90(),
    torch.linalg.cross(a, a),
    torch.cdist(a, a),
    torch.cdist(a, a, p=1.0),
    torch.nn.functional.pdist(a),
    a.renorm(2, 0, 1.0),
    a.roll(1, 0),
):
    show(tree(r.grad_fn), r._is_view(), r._version, tuple(r.shape), r.stride())


# %% einsum: what each equation gives, its nodes, its gradients
def tree(node, depth=0):
    if node is None or depth > 7:
        return ""
    inner = ", ".join(tree(f, depth + 1) for f, _ in node.next_functions)
    return node.name().replace("torch::autograd::", "") + (f"({inner})" if inner else "")


a = torch.arange(6.0).reshape(2, 3).requires_grad_()
b = (torch.arange(12.0).reshape(3, 4) - 5).requires_grad_()
s = torch.arange(9.0).reshape(3, 3).requires_grad_()
v = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
t = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
for equation, operands in (
    ("ij,jk->ik", (a, b)),
    ("ij,jk", (a, b)),
    ("ij->ji", (a,)),
    ("ii->i", (s,)),
    ("ii", (s,)),
    ("ij->", (a,)),
    ("i,i->", (v, v)),
    ("i,j->ij", (v, v)),
    ("ij,j->i", (a, v)),
    ("bij,jk->bik", (t, t[0].T)),
    ("...j,j", (a, v)),
    ("...ij->...ji", (t,)),
    ("ij,jk,kl->il", (a, s, b)),
    ("ij,ij->j", (a, a)),
    ("bij,bij->b", (t, t)),
    ("i j , j k -> i k", (a, b)),
    ("Ij,jK->KI", (a, b)),
    ("ijk,il->", (t, a)),
    ("iij->j", (s.expand(3, 3, 3).diagonal().expand(3, 3, 3),)),
    ("i,j,k->ijk", (v, v, v)),
    ("a,ab,b", (v, s, v)),
    ("...,...", (a, v)),
    ("ki,kj->ij", (a, a)),
):
    r = torch.einsum(equation, *operands)
    show(equation, r.tolist(), r.stride(), tree(r.grad_fn))
    g = torch.autograd.grad((r**2).sum(), [o for o in (a, b, s, v, t)], create_graph=True, allow_unused=True)
    show([None if x is None else x.tolist() for x in g])


# %% einsum: ways of calling it, and what it refuses
a, b = torch.ones(2, 3), torch.ones(3, 4)
attempt_each(
    lambda: torch.einsum("ij,jk->ik", [a, b]),
    lambda: torch.einsum(a, [0, 1], b, [1, 2], [0, 2]),
    lambda: torch.einsum(a, [0, 1], b, [1, 2]),
    lambda: torch.einsum(a, [..., 1], [..., 1]),
    lambda: torch.einsum("ij,jk->ik", a),
    lambda: torch.einsum("ij->ik", a),
    lambda: torch.einsum("ij->ii", a),
    lambda: torch.einsum("ijk->ij", a),
    lambda: torch.einsum("i->i", a),
    lambda: torch.einsum("ij,jk->ik", a, a),
    lambda: torch.einsum("ii->i", a),
    lambda: torch.einsum("i1->i", a),
    lambda: torch.einsum("i.->i", a),
    lambda: torch.einsum("...i...->i", a),
    lambda: torch.einsum("ij->...i...", a),
    lambda: torch.einsum("ij->.i", a),
    lambda: torch.einsum("ij"),
    lambda: torch.einsum("ij,jk->ik", a, b, b),
    lambda: torch.einsum("", torch.tensor(2.0)),
    lambda: torch.einsum(",", torch.tensor(2.0), torch.tensor(3.0)),
    lambda: torch.einsum("...ijk->ij", a),
    lambda: torch.einsum("ij,jk->ik", a, b.double()),
    lambda: torch.einsum("ij->ij1", a),
    lambda: torch.einsum("ij,jk->ik", a.long(), b.long()),
    lambda: torch.einsum("ij,jk->ik", torch.ones(1, 3), torch.ones(1, 4)),
    lambda: torch.einsum("ij,jk->ik", torch.ones(0, 3), b),
    lambda: torch.einsum("ij->i", 3),
    lambda: torch.einsum(a, [0, 60]),
    lambda: torch.einsum("ij-ij", a),
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


# %% Distances have one derivative; Euclidean ones by a matrix product have two
x = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [3.0, -1.0]], dtype=torch.float64, requires_grad=True)
y = torch.tensor([[1.0, 2.0], [0.5, 0.0]], dtype=torch.float64, requires_grad=True)
for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float("inf")):
    for f in (lambda: torch.cdist(x, y, p), lambda: torch.nn.functional.pdist(x, p)):
        r = f()
        w = torch.arange(1.0, r.numel() + 1, dtype=torch.float64).view(r.shape)
        show(
            p,
            r.tolist(),
            [
                None if g is None else g.tolist()
                for g in torch.autograd.grad((r * w).sum(), (x, y), allow_unused=True)
            ],
        )
z = torch.tensor([[0.0, 1.0], [2.0, 5.0]], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(
    torch.cdist(z, y, compute_mode="use_mm_for_euclid_dist").sum(), z, create_graph=True
)
show(torch.autograd.grad(g.sum(), z)[0].tolist())
(g,) = torch.autograd.grad(torch.cdist(z, y, p=1.0).sum(), z, create_graph=True)
g.sum().backward()


# %% renorm and its derivatives, for every kind of norm
x = torch.tensor([[3.0, 4.0], [0.1, 0.2], [0.5, -2.0]], dtype=torch.float64, requires_grad=True)
for p in (1, 2, 2.5, float("inf")):
    r = x.renorm(p, 0, 1.0)
    (g,) = torch.autograd.grad((r * r * torch.arange(1.0, 7.0).view(3, 2)).sum(), x, create_graph=True)
    show(p, r.tolist(), g.tolist())
    if p in (2, 2.5):
        show(torch.autograd.grad(g[:2].sum(), x)[0].tolist())


# %% Views stay views, copies copies
x = torch.arange(6.0).reshape(2, 3)
show(
    torch.broadcast_tensors(x, torch.ones(3))[0] is x,
    torch.broadcast_tensors(x, torch.ones(3))[1].stride(),
    torch.atleast_2d(x) is x,
)
grid = torch.meshgrid(x[0], x[1], indexing="ij")
grid[0][0, 0] = 9


# %% What looks like a view and is a copy
x = torch.arange(6.0).reshape(2, 3)
torch.atleast_3d(x)[0, 0, 0] = 7
x.flip(0)[0, 0] = 50
x.roll(1)[0, 0] = 50
x.rot90(0)[0, 0] = 50
torch.diff(x, n=0)[0, 0] = 50
x.sort()[0][0, 0] = 50
x.repeat_interleave(1)[0] = 50
show(x, torch.block_diag(x).data_ptr() == x.data_ptr())


# %% Equal elements
# Equal elements: PyTorch's algorithms decide which are chosen and in which order they are left.
labels = torch.tensor([3, 1, 2, 1, 3, 3, 0, 2, 1, 1, 0, 2, 3, 0, 1, 2, 3, 1, 0, 2, 2, 1, 3, 0])
show(
    labels.sort()[1].tolist(), labels.argsort(descending=True).tolist(), labels.argsort(stable=True).tolist()
)
for k in (1, 2, 3, 10, 24):
    for largest in (True, False):
        for dtype in (torch.int64, torch.float32):
            show(
                labels.to(dtype).topk(k, largest=largest).indices.tolist(),
                labels.to(dtype).topk(k, 0, largest, False).indices.tolist(),
            )
    show(
        labels.kthvalue(k),
        labels.view(4, 6).sort(0)[1].tolist(),
        labels.view(2, 12).topk(min(k, 12)).indices.tolist(),
    )
x = torch.tensor([0.0, float("nan"), -0.0, 1.0, float("nan"), 0.0] * 5)
show(x.argsort().tolist(), x.topk(12).indices.tolist(), x.kthvalue(3).indices, x.kthvalue(29).indices)
many = torch.arange(300) % 7
show(
    many.topk(4).indices.tolist(),
    many.topk(5, largest=False).indices.tolist(),
    many.argsort()[:50].tolist(),
    many.kthvalue(150).indices,
)
x = torch.tensor([1.0, 1.0, 0.0, 1.0], requires_grad=True)
x.topk(2).values.sum().backward()
show(x.grad)
