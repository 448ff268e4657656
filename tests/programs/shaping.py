# %% Views share memory and versions; copies do not
x = torch.arange(24.0).view(2, 3, 4).requires_grad_()
for make in (
    lambda t: t.movedim(0, 2),
    lambda t: t.moveaxis((0, 1), (1, 0)),
    lambda t: t.unflatten(2, (2, -1)),
    lambda t: t.unfold(2, 2, 1),
    lambda t: t.diagonal(),
    lambda t: t.diagonal(1, 1, 2),
    lambda t: t.mT,
    lambda t: t.mH,
    lambda t: t.adjoint(),
    lambda t: t.narrow(1, -2, 2),
    lambda t: t.swapaxes(0, 1),
    lambda t: t.squeeze((0, 1)),
    lambda t: t.unsqueeze(-1),
    lambda t: t.broadcast_to(2, 2, 3, 4),
    lambda t: t.T,
    lambda t: t.repeat(1, 2, 1),
    lambda t: t.tile(2),
    lambda t: t.tril(),
    lambda t: torch.diag_embed(t),
    lambda t: torch.permute_copy(t, (2, 1, 0)),
    lambda t: torch.view_copy(t, (4, 6)),
    lambda t: torch.narrow_copy(t, 1, 0, 2),
    lambda t: t.select_scatter(torch.zeros(3, 4), 0, 1),
    lambda t: t.slice_scatter(torch.zeros(2, 1, 4), 1, 0, 1),
    lambda t: t.diagonal_scatter(torch.zeros(4, 2)),
    lambda t: torch.diag(t[0, :, :3]),
):
    y = make(x)
    show(
        tuple(y.shape),
        y.stride(),
        y.storage_offset(),
        y._is_view(),
        y.grad_fn.name(),
        y.data_ptr() == x.data_ptr(),
    )


# %% Pieces: how many, of which sizes, and that they are views of one base
x = torch.arange(24.0).view(4, 3, 2)
for pieces in (
    x.tensor_split(3),
    x.tensor_split((1, 3)),
    x.tensor_split((-1, 9), 1),
    x.tensor_split(torch.tensor([1, 2])),
    x.tensor_split(torch.tensor(2), 1),
    x.hsplit(3),
    x.vsplit([1]),
    x.dsplit(2),
    torch.unsafe_chunk(x, 3),
    torch.unsafe_split(x, 3),
    torch.split(x, [1, 3]),
    x.chunk(3),
    x.unbind(1),
    torch.split_copy(x, 3),
    torch.unbind_copy(x, 2),
):
    show(
        type(pieces).__name__,
        [(tuple(p.shape), p.stride(), p.storage_offset(), p._is_view()) for p in pieces],
    )


# %% Writing to a piece of a split, safe and unsafe
# Writing to a piece of an unsafe split goes unnoticed by the others; writing to a piece of a split is refused while recording.
x = torch.ones(4, requires_grad=True) * 1
a, b = x.unsafe_split(2)
a.mul_(3)
show(x.tolist(), x._version, a.grad_fn.name())
c, d = x.split(2)
c.mul_(3)


# %% A window over a window: gradients of places that several windows show add up
x = torch.arange(6.0, requires_grad=True)
w = x.unfold(0, 3, 1)
show(w.tolist(), w.stride())
(w * torch.arange(12.0).view(4, 3)).sum().backward()
show(x.grad.tolist())


# %% The copies of views are computed by their own nodes and can be differentiated twice
x = torch.arange(6.0, requires_grad=True)
y = torch.view_copy(x, (2, 3))
z = torch.transpose_copy(y, 0, 1) ** 3
(g,) = torch.autograd.grad(z.sum(), x, create_graph=True)
show(y.grad_fn.name(), z.grad_fn.next_functions[0][0].name(), g.tolist())
show(torch.autograd.grad(g.sum(), x)[0].tolist())


# %% T, H, mT, mH and their refusals
for t in (torch.tensor(1.0), torch.ones(2), torch.ones(2, 3), torch.ones(2, 3, 4)):
    for name in ("T", "H", "mT", "mH"):
        try:
            y = getattr(t, name)
            show(name, tuple(y.shape), y.stride())
        except RuntimeError as error:
            show(name, error)


# %% H and adjoint of complex matrices
c = torch.tensor([[1 + 2j, 3.0], [4.0, 5 - 1j]], requires_grad=True)
show(c.H.tolist(), c.mH.grad_fn.name())
(c.adjoint() * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().abs().backward()
show(c.grad)


# %% Bytes read as another dtype: not a view for autograd, but the same memory and version
x = torch.tensor([1.0, 2.0, -0.5], requires_grad=True)
y = x.view(torch.int32)
show(y, y.requires_grad, y._is_view(), y.data_ptr() == x.data_ptr())
z = torch.zeros(2, 4)
z.view(torch.int16)[0, 1] = 16256
show(z.tolist(), z._version, z.view(torch.float64).shape, z.view(torch.uint8).stride())
for bad in (
    lambda: z.t().view(torch.float64),
    lambda: z[:, 1:].view(torch.float64),
    lambda: z[0, 0].view(torch.int16),
    lambda: z.view(torch.complex128)[:, ::2].view(torch.float32),
):
    try:
        show(bad().shape)
    except RuntimeError as error:
        show(error)


# %% Joining: dimensions that are missing, dtypes, empty tensors, out=
a, b, m = torch.arange(3), torch.arange(3.0) + 10, torch.ones(2, 3)
for make in (torch.hstack, torch.vstack, torch.dstack, torch.column_stack, torch.row_stack, torch.concat):
    y = make((a, b))
    show(y.dtype, y.tolist())
show(
    torch.hstack((m, m)).shape,
    torch.vstack((a, m)).shape,
    torch.dstack((m, m)).shape,
    torch.column_stack((torch.ones(2), m)).shape,
)
show(torch.cat((torch.zeros(0), m)).shape, torch.cat((torch.zeros(0), torch.zeros(0)), 3).shape)
out = torch.zeros(0)
show(torch.hstack((a, b), out=out) is out, out.tolist())
for bad in (
    lambda: torch.hstack(()),
    lambda: torch.vstack((a, torch.ones(2, 2))),
    lambda: torch.cat((a, b), out=torch.zeros(6, dtype=torch.int64)),
):
    try:
        bad()
    except (RuntimeError, TypeError) as error:
        show(type(error).__name__, error)


# %% cat keeps channels last
# Where all inputs of cat have their channels last, so has the result.
x = torch.arange(24.0).view(1, 3, 4, 2).permute(0, 3, 1, 2)
show(
    torch.cat((x, x)).stride(),
    torch.cat((x, x), 1).stride(),
    torch.cat((x, x.contiguous())).stride(),
    torch.stack((x, x)).stride(),
)


# %% Dimensions of size 1 keep PyTorch's strides through views and copies
x = torch.arange(6.0).view(1, 6, 1).permute(2, 1, 0)
show(
    x.stride(),
    x.clone().stride(),
    x.squeeze(0).stride(),
    x.view(6).stride(),
    x[:, :1].view(1, 1, 1).stride(),
    x.unsqueeze(1).stride(),
)
show(
    torch.ones(2, 3)[:1].view(3, 1).stride(),
    torch.ones(4, 1).expand(4, 3).unsqueeze(0).stride(),
    torch.ones(3, 1).t().stride(),
)


# %% repeat and tile: gradients of all copies add up; nothing repeated depends on nothing
x = torch.arange(4.0, requires_grad=True)
y = x.repeat(2, 3)
show(y.shape, torch.tile(x, (2, 1)).shape, x.repeat(0).grad_fn.name(), torch.tensor(7.0).repeat(2).tolist())
(y * torch.arange(24.0).view(2, 12)).sum().backward()
show(x.grad.tolist())
for bad in (lambda: x.repeat(()), lambda: x.view(2, 2).repeat(2), lambda: x.repeat(-1), lambda: x.repeat()):
    try:
        bad()
    except (RuntimeError, TypeError) as error:
        show(type(error).__name__, error)


# %% Triangles and diagonals, in place too, and of what lies elsewhere in memory
x = torch.arange(1.0, 13.0).view(3, 4)
show(x.tril(-1).tolist(), x.triu(1).tolist(), x.t().tril().stride())
y = torch.ones(3, 3, requires_grad=True) * 2
y.triu_()
show(y.tolist(), y.grad_fn.name(), y._version)
show(
    torch.diag(torch.tensor([1, 2]), 1).tolist(),
    torch.diag(x, -1).tolist(),
    torch.diagflat(torch.tensor([[1, 2], [3, 4]]), -1).tolist(),
)
show(
    torch.diag_embed(x, 1, 0, 2).shape,
    x.diagonal(2).tolist(),
    torch.tril(torch.tensor([[float("inf"), float("nan")], [1.0, 2.0]])).tolist(),
)
x.diagonal().fill_(0)
show(x.tolist(), x._version)
big = torch.arange(10000.0).view(100, 100)
show(big.tril(-3).sum(), big.triu(7).sum(), big.t().tril(2)[99, 40])


# %% Replacing a part of a copy: strides and gaps of the storage are kept, the original is not touched
x = torch.arange(12.0).view(3, 4)[:, 1:3]
y = x.select_scatter(torch.tensor([-1.0, -2.0]), 0, 1)
show(y.tolist(), y.stride(), y.storage_offset(), x.tolist())
z = x.t().slice_scatter(torch.zeros(2, 1), 1, 0, 1)
show(z.tolist(), z.stride())
a = torch.zeros(2, 2, requires_grad=True)
s = torch.ones(2, requires_grad=True)
(a.diagonal_scatter(s) * torch.arange(4.0).view(2, 2)).sum().backward()
show(a.grad.tolist(), s.grad.tolist())
torch.ones(3, 3).slice_scatter(torch.ones(2), 0)


# %% The gradient of an expanded leaf
# An expanded leaf: places that are the same memory share the gradient of as_strided.
x = torch.ones(1, 3).expand(2, 3).detach().requires_grad_()
x.as_strided((2,), (1,)).sum().backward()
show(x.grad.tolist())


# %% What operations on shapes refuse
for bad in (
    lambda t: t.movedim((0, 0), (1, 2)),
    lambda t: t.movedim((0,), (1, 2)),
    lambda t: t.unflatten(0, (3, 3)),
    lambda t: t.unflatten(0, ()),
    lambda t: t.unfold(1, 9, 1),
    lambda t: t.unfold(1, 1, 0),
    lambda t: t.diagonal(0, 1, 1),
    lambda t: t.narrow(0, 3, 1),
    lambda t: t.narrow(0, 0, 9),
    lambda t: t.narrow(0, torch.tensor([0]), 1),
    lambda t: t.tensor_split(0),
    lambda t: t.hsplit(2),
    lambda t: t.dsplit(5),
    lambda t: t[0, 0].vsplit(1),
    lambda t: t.split([1, 5]),
    lambda t: t.split(-1),
    lambda t: t.squeeze((0, 0)),
    lambda t: t.permute(0, 0, 1),
    lambda t: t.chunk(0),
    lambda t: t.as_strided((9, 9), (9, 9)),
    lambda t: t[:, 0].tril(0) if False else t[0, 0].tril(),
    lambda t: t.diag(),
    lambda t: t.view(5, -1),
    lambda t: t.permute(2, 1, 0).view(24),
    lambda t: t.expand(3, 3, 4),
    lambda t: t.swapaxes(0, 7),
    lambda t: t.ravel(1),
    lambda t: t.flatten(2, 1),
):
    try:
        show(bad(torch.arange(24.0).view(2, 3, 4)))
    except (RuntimeError, IndexError, TypeError) as error:
        show(type(error).__name__, error)
