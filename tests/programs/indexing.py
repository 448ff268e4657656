# %% What each kind of index gives: shape, strides, whether it is a view, and the nodes behind it
x = torch.arange(24.0).view(2, 3, 4).requires_grad_()
i, m = torch.tensor([1, 0]), torch.tensor([True, False, True])
for key in (
    0,
    -1,
    slice(None),
    slice(1, None),
    (0, 1),
    (0, slice(None, None, 2)),
    None,
    ...,
    (..., 0),
    (None, 0, None),
    (slice(0, 2), 1),
    i,
    (slice(None), i),
    (i, i),
    (0, i),
    (i, 0),
    (i, slice(None), i),
    (slice(None), m),
    (m.new_tensor([True, False]),),
    (..., i, i),
    (i.view(2, 1), i),
    [0, 1],
    ([0, 1], [1, 2]),
    True,
    False,
    torch.tensor(1),
    torch.tensor(True),
    (i, None, i),
    np.int64(1),
    np.array([0, 1]),
    (0, np.array([True, False, True])),
    range(2),
    x.detach() > 20,
    (),
    (slice(None, 9),),
    torch.tensor([1, 0], dtype=torch.int32),
):
    y = x[key]
    following = [f.name() for f, _ in y.grad_fn.next_functions]
    show(
        key,
        tuple(y.shape),
        y.stride(),
        y.storage_offset(),
        y._is_view(),
        y.grad_fn.name(),
        following,
        y.sum(),
    )


# %% Where the memory of what is indexed is not in row-major order, neither is the result's
x = torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1)
i = torch.tensor([0, 1])
for key in (
    (slice(None), i),
    i,
    (slice(None), slice(None), i),
    (i, i),
    (i, slice(None), i),
    (slice(None), i.view(1, 2)),
    (slice(0, 1), slice(None), i),
):
    show(x[key].stride(), x[key].is_contiguous())


# %% Errors, in PyTorch's order and words
x = torch.arange(24.0).view(2, 3, 4)
i = torch.tensor([0, 1])
for key in (
    2,
    (0, 3),
    (0, 0, 0, 0),
    slice(None, None, -1),
    slice(None, None, 0),
    1.5,
    "a",
    {},
    (..., 0, 0, 0, 0),
    torch.tensor([2]),
    (slice(None), torch.tensor([0, -4])),
    (i, torch.tensor([0, 1, 2])),
    torch.tensor([True]),
    torch.ones(2, 2, dtype=torch.bool),
    torch.tensor([0.0]),
    torch.tensor([1], dtype=torch.int8),
    (i, i, i, i),
    slice(1.0, 2),
    np.float32(1),
    np.True_,
    torch.tensor(1.5),
    2**70,
    (0, torch.ones(3, 4, 1, dtype=torch.bool)),
):
    try:
        show(x[key].shape)
    except (IndexError, TypeError, ValueError, RuntimeError) as error:
        show(type(error).__name__, error)
for key in (0, 1, (0,), [0], torch.tensor(0), slice(None)):
    try:
        show(torch.tensor(5.0)[key])
    except IndexError as error:
        show(error)
show(torch.zeros(0, 3)[torch.tensor([0])])


# %% Lists that hold more than numbers count as tuples, with a warning
# Lists that hold more than numbers once counted as tuples, and still do, with a warning.
x = torch.arange(12.0).view(3, 4)
show(
    x[[[0, 1], [1, 2]]].tolist(),
    x[[slice(0, 1), 0]].tolist(),
    x[[torch.tensor([0, 1])]].shape,
    x[[None, 0]].shape,
    x[[True, False, True]].shape,
)


# %% Masks of bytes
x = torch.arange(4.0)
show(x[torch.tensor([1, 0, 1, 0], dtype=torch.uint8)].tolist())
x[torch.tensor([1, 0, 1, 0], dtype=torch.uint8)] = torch.tensor([7.0, 8.0])
show(x.tolist())
x[torch.tensor([1, 0, 1, 0], dtype=torch.uint8)] = 0.0


# %% Writing: what is recorded, and what the gradients are
for key, value in (
    (0, torch.ones(2, requires_grad=True)),
    (slice(None), torch.ones(2, requires_grad=True)),
    (slice(0, 2), torch.ones(2, 2, requires_grad=True)),
    (..., torch.ones(1, requires_grad=True)),
    (torch.tensor([1, 0]), torch.ones(1, 1, 2, requires_grad=True)),
    ((torch.tensor([1, 0]), 0), torch.ones(2, requires_grad=True)),
    (torch.tensor([[True, False], [False, True]]), torch.ones(2, requires_grad=True)),
    (torch.tensor([[True, False], [False, True]]), torch.tensor(3.0, requires_grad=True)),
    (None, torch.ones(1, 2, 2, requires_grad=True)),
    (True, torch.ones(2, requires_grad=True)),
    (False, 9.0),
    ((0, None, 1), torch.tensor([2.0], requires_grad=True)),
):
    x = torch.zeros(2, 2, requires_grad=True)
    y = x * 1
    y[key] = value
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    show(
        key,
        y.tolist(),
        y._version,
        y.grad_fn.name(),
        x.grad.tolist(),
        None if value is False or isinstance(value, float) else value.grad.tolist(),
    )


# %% Numbers that are written, and what can't be
for dtype in (torch.float32, torch.int64, torch.uint8, torch.bool, torch.complex64, torch.float16):
    for value in (
        2,
        -1,
        2.7,
        True,
        300,
        1e300,
        float("nan"),
        1j,
        np.float64(1.5),
        np.float32(1.5),
        np.int32(4),
        2**65,
        "x",
        [1],
        None,
    ):
        for key in (0, [0]):
            x = torch.zeros(2, dtype=dtype)
            try:
                x[key] = value
                show(dtype, value, x.tolist())
            except (RuntimeError, TypeError, ValueError, OverflowError) as error:
                show(dtype, value, type(error).__name__, error)


# %% Values whose shape or dtype does not fit the index
x = torch.zeros(2, 3)
for key, value in (
    ((torch.tensor([0, 1]),), torch.zeros(2)),
    (0, torch.zeros(2)),
    (torch.tensor([0]), torch.zeros(3, dtype=torch.int64)),
    (torch.tensor([[True, False, True], [True, True, True]]), torch.zeros(2)),
    (torch.tensor([0, 9]), torch.zeros(3)),
    (slice(None), x[:1].expand(2, 3)),
):
    try:
        x[key] = value
        show("written", x._version)
    except (RuntimeError, IndexError) as error:
        show(type(error).__name__, error)
e = torch.zeros(1, 3).expand(2, 3)
e[torch.tensor([0])] = 1.0


# %% index_put, with accumulate and without, with masks and missing dimensions
x = torch.zeros(2, 3, requires_grad=True)
v = torch.arange(1.0, 4.0, requires_grad=True)
y = torch.index_put(x, (torch.tensor([0, 0, 1]), torch.tensor([1, 1, 2])), v, accumulate=True)
show(y.tolist(), y.grad_fn.name())
(y * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad.tolist(), v.grad.tolist())
z = torch.zeros(2, 3)
show(z.index_put_((torch.tensor([1]), torch.tensor([2])), torch.tensor(5.0)) is z, z.tolist())
show(
    torch.index_put_(
        z, [torch.tensor([[True, False, False], [False, True, False]])], torch.tensor([1.0, 2.0])
    ).tolist(),
    z._version,
)
z.index_put_((torch.tensor([5]),), torch.tensor(1.0))


# %% take, put and nonzero count in row-major order, whatever the memory is
x = torch.arange(6.0).view(2, 3).t().requires_grad_()
y = x.take(torch.tensor([[0, -1], [2, 2]]))
show(y.tolist())
y.sum().backward()
show(x.grad.tolist())
z = torch.zeros(2, 3).t()
show(
    z.put_(torch.tensor([1, -1]), torch.tensor([5.0, 6.0])).tolist(),
    z.put(torch.tensor([1, 1]), torch.tensor([5.0, 6.0]), accumulate=True).tolist(),
)
show(
    torch.tensor([[0, 3], [4, 0]]).nonzero().tolist(),
    torch.tensor([[0, 3], [4, 0]]).nonzero(as_tuple=True),
    torch.where(torch.tensor([0.0, float("nan"), 2.0])),
)
show(
    torch.tensor(3.0).nonzero().shape,
    torch.tensor(0.0).nonzero(as_tuple=True),
    torch.argwhere(torch.ones(2, 2)).stride(),
    torch.nonzero_static(torch.tensor([1, 0, 2]), size=4, fill_value=9).tolist(),
)
show(torch.unravel_index(torch.tensor([[1, 5]]), (2, 3)), torch.unravel_index(torch.tensor(3), 5))
for bad in (
    lambda: x.take(torch.tensor([6])),
    lambda: x.take(torch.tensor([0], dtype=torch.int32)),
    lambda: z.put_(torch.tensor([0]), torch.ones(2)),
    lambda: torch.zeros(0).take(torch.tensor([0])),
    lambda: torch.unravel_index(torch.tensor([1.0]), (2,)),
):
    try:
        bad()
    except (RuntimeError, IndexError, TypeError) as error:
        show(type(error).__name__, error)


# %% scatter_reduce: every reduction, with the old values and without, with ties, zeros and NaN
index = torch.tensor([0, 0, 1, 1, 3])
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    for include_self in (True, False):
        x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
        s = torch.tensor([2.0, 2.0, 0.0, 5.0, 4.0], requires_grad=True)
        y = x.scatter_reduce(0, index, s, reduce, include_self=include_self)
        (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
        show(reduce, include_self, y.tolist(), y.grad_fn.name(), x.grad.tolist(), s.grad.tolist())
        show(
            torch.tensor([7, 8, 9, 1])
            .scatter_reduce(0, index, torch.tensor([2, -3, 0, 5, 4]), reduce, include_self=include_self)
            .tolist()
        )
show(
    torch.zeros(2).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([float("nan"), 1.0]), "amax").tolist()
)
z = torch.ones(3, requires_grad=True) * 2
z.scatter_reduce_(0, torch.tensor([0, 0]), torch.tensor([3.0, 5.0]), "prod")
show(z.tolist(), z.grad_fn.name(), z._version)
show(torch.zeros(2).scatter_reduce(0, torch.tensor([0]), torch.ones(1), "max").tolist())
torch.zeros(2).scatter_reduce(0, torch.tensor([0]), torch.ones(1), "add")


# %% Slices of a dimension by an index: add, copy, fill, reduce
x = torch.zeros(3, 2, requires_grad=True)
s = torch.arange(1.0, 5.0).view(2, 2).requires_grad_()
i = torch.tensor([2, 0])
for make in (
    lambda: x.index_add(0, i, s, alpha=2),
    lambda: x.index_copy(0, i, s),
    lambda: x.index_fill(1, torch.tensor([-1]), 3.0),
    lambda: x.index_reduce(0, i, s, "mean"),
    lambda: x.index_reduce(0, i, s, "amin", include_self=False),
):
    y = make()
    gx, gs = torch.autograd.grad((y * torch.arange(6.0).view(3, 2)).sum(), (x, s), allow_unused=True)
    show(y.tolist(), y.grad_fn.name(), gx.tolist(), None if gs is None else gs.tolist())
v = torch.tensor(7.0, requires_grad=True)
torch.zeros(3, 2).index_fill(0, torch.tensor([0, 0, 1]), v).sum().backward()
show(v.grad)
for bad in (
    lambda: x.index_copy(0, i, s[:1]),
    lambda: x.index_fill(0, torch.tensor([3]), 1),
    lambda: x.index_add(0, torch.tensor([5, 0]), s),
    lambda: x.index_reduce(0, i, s, "sum"),
    lambda: x.index_copy(0, i.int(), s),
):
    try:
        bad()
    except (RuntimeError, IndexError) as error:
        show(type(error).__name__, error)


# %% A gather, take or masked_select remembers its source: changing that in place is noticed
for read in (
    lambda t: t.gather(0, torch.tensor([0, 1])),
    lambda t: t.take(torch.tensor([0, 1])),
    lambda t: t.masked_select(torch.tensor([True, False, True])),
    lambda t: t.index_select(0, torch.tensor([0])),
    lambda t: t[torch.tensor([0])],
):
    t = torch.ones(3, requires_grad=True) * 1
    y = read(t)
    t.add_(1)
    try:
        y.sum().backward()
        show("fine")
    except RuntimeError as error:
        show(error)


# %% Masks: select, fill, scatter; a mask that broadcasts; one that is too large
x = torch.arange(6.0).view(2, 3).requires_grad_()
m = torch.tensor([True, False, True])
show(
    x.masked_select(m).tolist(),
    x.masked_fill(m, -1.0).tolist(),
    x.masked_scatter(m, torch.arange(10.0, 16.0)).tolist(),
    torch.zeros(3).masked_select(torch.ones(2, 1, dtype=torch.bool)).shape,
)
s = torch.arange(10.0, 16.0, requires_grad=True)
(x.masked_scatter(m, s) * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad.tolist(), s.grad.tolist())
for bad in (
    lambda: x.masked_scatter(m, torch.ones(2)),
    lambda: x.masked_select(m.int()),
    lambda: x.masked_scatter(m, torch.ones(6, dtype=torch.float64)),
    lambda: x.masked_select(torch.ones(4, dtype=torch.bool)),
    lambda: torch.zeros(1).masked_scatter_(m, torch.ones(3)),
    lambda: x.masked_fill(m, torch.ones(2)),
):
    try:
        bad()
    except RuntimeError as error:
        show(error)


# %% take_along_dim broadcasts; without dim it counts in the flattened tensor
x = torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]], requires_grad=True)
y = torch.take_along_dim(x, x.argsort(1), 1)
show(
    y.tolist(),
    y.grad_fn.name(),
    torch.take_along_dim(x, torch.tensor([[1]]), 1).tolist(),
    torch.take_along_dim(x, torch.tensor([4, 0])).tolist(),
)
for bad in (
    lambda: torch.take_along_dim(x, torch.tensor([0]), 1),
    lambda: torch.take_along_dim(x, torch.tensor([[0.0]]), 1),
    lambda: torch.take_along_dim(x, torch.tensor([7])),
):
    try:
        bad()
    except RuntimeError as error:
        show(error)


# %% Second derivatives of products of several zeros
import warnings

warnings.simplefilter("ignore")  # PyTorch says each time that index_reduce is in beta
for reduce in (torch.scatter_reduce, torch.index_reduce):
    for values in ([0.0, 0.0], [0.0, 2.0], [1.0, 2.0]):
        x = torch.tensor([1.0], dtype=torch.float64, requires_grad=True)
        src = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        y = reduce(x, 0, torch.tensor([0, 0]), src, "prod")
        for gradient in torch.autograd.grad(y.sum(), (x, src), create_graph=True):
            show(gradient.detach())
            for leaf in (x, src):
                attempt(
                    lambda: torch.autograd.grad(gradient.sum(), leaf, retain_graph=True, allow_unused=True)
                )


# %% scatter_ and related operators: duplicates, gradients, refusals
# scatter_ and its kin: shapes, duplicates, gradients, and what is refused.
src = torch.arange(1.0, 7.0).view(2, 3).requires_grad_()
idx = torch.tensor([[0, 1, 0], [2, 2, 1]])
for name, args in {
    "scatter": {},
    "scatter_add": {},
    "scatter_reduce:sum": {},
    "scatter_reduce:prod": {},
    "scatter_reduce:amax": {},
    "scatter_reduce:mean": {},
    "scatter:add": {},
    "scatter:multiply": {},
}.items():
    name, _, reduce = name.partition(":")
    for dim in (0, 1):
        base = torch.full((3, 3), 2.0, requires_grad=True)
        src.grad = None
        try:
            out = getattr(base, name)(dim, idx, src, **({"reduce": reduce} if reduce else {}))
            show(name, reduce, dim, out)
            (out * torch.arange(9.0).view(3, 3)).sum().backward()
            show(base.grad, src.grad)
        except Exception as error:
            show(name, reduce, dim, type(error).__name__, error)
for code in (
    "base.scatter(0, idx.float(), src)",
    "base.scatter(0, idx + 5, src)",
    "base.scatter(2, idx, src)",
    "base.scatter(0, idx[0], src)",
    "base.scatter(0, torch.zeros(4, 4, dtype=torch.long), src)",
    "base.scatter(0, idx, src.double())",
    "base.scatter(0, idx, 'a')",
    "base.scatter_(0, idx, src)",
    "base.gather(0, idx + 5)",
    "base.gather(0, idx.int())",
    "base.index_add(0, idx, src)",
    "base.index_add(0, idx[0], src)",
    "base.scatter(0, idx, 5.).detach()",
    "base.scatter_reduce(0, idx, src, 'median')",
    "base.scatter(0, idx)",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Indexing: copies or views, and where the gradient goes
x = torch.arange(6.0).view(2, 3).requires_grad_()
y = x * 1
for code in (
    "y[0]",
    "y[[0]]",
    "y[:, 1]",
    "y[:, [1]]",
    "y[y > 2]",
    "y[None]",
    "y[..., 0]",
    "y[torch.tensor(0)]",
    "y[0, 1]",
    "y[::2]",
    "y[[0, 0], [1, 1]]",
    "y[True]",
    "y[0][1]",
    "y.T[1]",
    "y[torch.tensor([True, False])]",
    "y[:0]",
    "y[1:, :2]",
    "y[-1]",
    "y[()]",
):
    v = eval(code)
    x.grad = None
    v.sum().backward(retain_graph=True)
    show(code, tuple(v.shape), v._is_view(), v.data_ptr() == y.data_ptr(), v.grad_fn.name(), x.grad)
for code in (
    "y[2]",
    "y[0, 0, 0]",
    "y[0.5]",
    "y['a']",
    "y[::-1]",
    "y[[0, 5]]",
    "y[torch.tensor([0.5])]",
    "y[torch.ones(3, dtype=torch.bool)]",
    "y[0][3]",
    "y[1.0:2]",
    "y[None, 5]",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Augmented assignment through subscripts, with duplicates
x = torch.zeros(4, requires_grad=True)
y = x * 1
y[torch.tensor([1, 1, 2])] += torch.tensor([1.0, 2.0, 3.0])
show(y)
y[y > 0] *= 2
show(y, y._version, y.grad_fn.name())
y[1:3] -= y[0:2]
y.sum().backward()
show(y, x.grad)
y = x * 1
y[0], y[1] = y[1] + 1, y[0] + 2
y[[0, 1]] = y[[1, 0]]
y[...] += 1
y[:, None][2] = 7
show(y)
(y * torch.arange(4.0)).sum().backward()
show(x.grad)
z = torch.zeros(2, 2)
z[0] += x[:2]
z[:, 1] = x[2:]
show(z.requires_grad, z.is_leaf, z)
z.sum().backward()
show(x.grad)
