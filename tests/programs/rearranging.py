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
