# %% A result multiplied by itself in place
x = torch.ones(2, requires_grad=True)
y = x * 1
y.mul_(y)
y.sum().backward()


# %% Writing to a saved input of exp
x = torch.ones(4, requires_grad=True)
y = x * 2
z = y.exp()
y.add_(1)
z.sum().backward()
show(x.grad.tolist())


# %% Writing to a saved input of a square
x = torch.ones(4, requires_grad=True)
y = x * 2
z = y * y
y.add_(1)
z.sum().backward()


# %% Writing to a row of a transposed saved input
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
z = y.sin()
y.t()[0].zero_()
z.sum().backward()


# %% Writing to a slice of a leaf
x = torch.ones(4, requires_grad=True)
v = x[:2]
v.add_(1)


# %% Writing to a view of a leaf
x = torch.ones(4, requires_grad=True)
v = x.view(2, 2)
v.zero_()


# %% A plain base gets a history through its view
a = torch.zeros(4)
v = a[:2]
w = torch.ones(2, requires_grad=True)
v.mul_(w)
show(a.requires_grad, a.grad_fn.name(), v.grad_fn.name(), a.is_leaf)
a.sum().backward()
show(w.grad.tolist())


# %% A plain view gets a history through its base
a = torch.zeros(4)
v = a[:2]
a.add_(torch.ones(4, requires_grad=True))
show(v.requires_grad, v.grad_fn.name(), v.is_leaf, v._version)


# %% Writing through detach to a clone
a = torch.zeros(4, requires_grad=True)
b = a.clone()
v = b[:2]
d = b.detach()
d[0] = 7
show(b._version, v._version, b.tolist())
(b * b).sum().backward()
show(a.grad.tolist())


# %% Writing through detach to a saved leaf
a = torch.ones(4, requires_grad=True)
b = a * a
d = a.detach()
d[0] = 7
b.sum().backward()


# %% Writing through data to a saved leaf
a = torch.ones(4, requires_grad=True)
b = a * a
a.data[0] = 7
b.sum().backward()
show(a.grad.tolist())


# %% backward twice, and .grad cleared
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**2).sum()
y.backward(retain_graph=True)
y.backward()
show(x.grad.tolist())
x.grad.zero_()
show(x.grad)
x.grad = None
show(x.grad)


# %% A recorded gradient, differentiated again
x = torch.tensor([1.0, 2.0], requires_grad=True)
(x**2).sum().backward(create_graph=True)
show(x.grad.grad_fn.name())
x.grad.sum().backward()
show(x.grad.tolist())


# %% backward with inputs
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
z = x * y
z.backward(inputs=[x])
show(x.grad.item(), y.grad)


# %% grad() of an input that was not used
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
torch.autograd.grad(x * 2, y)


# %% grad() with allow_unused and materialize_grads
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
show(torch.autograd.grad(x * 2, [x, y], allow_unused=True))
show(torch.autograd.grad(x * 2, [x, y], materialize_grads=True))


# %% grad() of what does not require grad
torch.autograd.grad(torch.ones(2), torch.ones(2))


# %% backward of what does not require grad
torch.ones(2).backward()


# %% backward with a gradient of another shape
x = torch.ones(2, requires_grad=True)
(x * 2).backward(torch.ones(3))


# %% backward with a list as gradient
x = torch.ones(2, requires_grad=True)
(x * 2).backward([1, 2])


# %% backward of a vector that is a leaf
x = torch.ones(2, requires_grad=True)
x.backward()


# %% Integers that require grad
x = torch.tensor([1, 2], requires_grad=True)


# %% requires_grad_ of integers
x = torch.tensor([1, 2])
x.requires_grad_()


# %% requires_grad=True of integers
x = torch.tensor([1, 2])
x.requires_grad = True


# %% requires_grad=False of a result
x = torch.ones(2, requires_grad=True)
y = x * 2
y.requires_grad = False


# %% numpy() of what requires grad
x = torch.ones(2, requires_grad=True)
x.numpy()


# %% Memory shared with NumPy
x = torch.ones(2)
n = x.numpy()
n[0] = 5
show(x.tolist())
f = torch.from_numpy(n)
f[1] = 9
show(n)


# %% .grad of another shape
x = torch.ones(2, requires_grad=True)
x.grad = torch.ones(3)


# %% .grad of another dtype
x = torch.ones(2, requires_grad=True)
x.grad = torch.ones(2, dtype=torch.float64)


# %% .grad set to a number
x = torch.ones(2, requires_grad=True)
x.grad = 1


# %% detach().clone() and clone().detach()
x = torch.ones(2, requires_grad=True)
y = x.detach().clone().requires_grad_(True)
show(y.is_leaf, y.requires_grad)
z = x.clone().detach()
show(z.requires_grad, z._version)


# %% new_tensor
x = torch.tensor([[1.0, 2], [3, 4]])
y = x.new_tensor([1, 2])
show(y.dtype, y.tolist())
y = x.new_tensor(x)
show(y.data_ptr() != x.data_ptr())


# %% Strides, offsets and storages of views
x = torch.zeros(2, 3)
y = x.t()
show(
    y.is_contiguous(),
    y.stride(),
    y.storage_offset(),
    y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
    x[1:].storage_offset(),
    y[1:, 1:].storage_offset(),
)


# %% view of another number of elements
torch.ones(6).view(4)


# %% view of a transposed tensor
torch.ones(2, 3).t().view(6)


# %% view with two unknown sizes
torch.ones(6).view(-1, -1)


# %% reshape that does not come out even
torch.ones(6).reshape(-1, 4)


# %% permute with a dimension twice
torch.ones(2, 3).permute(0, 0)


# %% permute with a dimension missing
torch.ones(2, 3).permute(0)


# %% transpose of a dimension that is not there
torch.ones(2, 3).transpose(0, 3)


# %% expand of a size that is not 1
torch.ones(2, 3).expand(3, 3)


# %% Strides of expand
show(
    torch.ones(1, 3).expand(2, -1).stride(),
    torch.ones(3).expand(2, 3).shape,
    torch.ones(1, 3).expand(4, 2, 3).stride(),
)


# %% Writing to an expanded tensor
a = torch.ones(3).expand(2, 3)
a.add_(1)


# %% Copying a tensor onto itself, moved by one
a = torch.arange(4.0)
a[1:].copy_(a[:-1])
show(a.tolist())
a[1:].add_(a[:-1])


# %% An index out of range
a = torch.ones(2, 3)
a[5]


# %% Too many indices
a = torch.ones(2, 3)
a[0, 0, 0]


# %% A list with an index out of range
a = torch.ones(2, 3)
a[[0, 5]]


# %% A mask of the wrong length
a = torch.ones(2, 3)
a[torch.tensor([True, False, True])]


# %% What indices of every kind give
a = torch.arange(12).reshape(3, 4)
show(
    a[[0, 2], [1, 3]].tolist(),
    a[:, [1, 2]].tolist(),
    a[a > 5].tolist(),
    a[..., -1].tolist(),
    a[1, None].tolist(),
    a[::2].tolist(),
    a[[True, False, True]].tolist(),
    a[torch.tensor([0, 1])].shape,
    a[0][1].item(),
    a[torch.tensor(1)].tolist(),
    a[:, torch.tensor([[0, 1]])].shape,
)


# %% Shapes of several lists between slices
a = torch.arange(24).reshape(2, 3, 4)
show(a[[0, 1], :, [0, 1]].shape, a[:, [0, 1], [0, 1]].shape, a[0, :, [1, 2]].shape, a[[0], 1:, None].shape)


# %% A slice with a negative step
a = torch.ones(3)
a[::-1]


# %% An element set to a string
a = torch.ones(3)
a[0] = "x"


# %% An element set to two numbers
a = torch.ones(3)
a[0] = torch.ones(2)


# %% Floats assigned to integers
a = torch.zeros(3, dtype=torch.int64)
a[0] = 2.7
a[[1]] = 3
show(a.tolist())
a[[1]] = torch.tensor([2.5])


# %% An element of a leaf assigned
x = torch.ones(3, requires_grad=True)
x[0] = 1


# %% An element of a clone assigned
x = torch.ones(3, requires_grad=True)
y = x.clone()
y[0] = x[1] * 5
show(y.grad_fn.name(), [f[0].name() for f in y.grad_fn.next_functions])
y.sum().backward()
show(x.grad.tolist())


# %% len, iteration, in and conversions to numbers
show(
    len(torch.ones(2, 3)),
    [t.tolist() for t in torch.ones(2, 2)],
    1.0 in torch.ones(2),
    bool(torch.tensor(1)),
    int(torch.tensor(3.7)),
    float(torch.tensor(3)),
    torch.tensor(2).__index__(),
)


# %% bool of two elements
bool(torch.ones(2))


# %% float of two elements
float(torch.ones(2))


# %% item of two elements
torch.ones(2).item()


# %% len of a tensor without dimensions
len(torch.tensor(1))


# %% iter of a tensor without dimensions
iter(torch.tensor(1))


# %% copy and deepcopy
import copy

x = torch.ones(2, requires_grad=True)
y = copy.deepcopy(x)
show(y.requires_grad, y.is_leaf)
z = copy.copy(x)
show(z.requires_grad, z.data_ptr() == x.data_ptr())
copy.deepcopy(x * 2)


# %% pickle of a transposed leaf
import pickle

x = torch.ones(2, 3).t().requires_grad_()
y = pickle.loads(pickle.dumps(x))
show(y.stride(), y.requires_grad, y.tolist())


# %% out= of the right size, of a wrong one and empty
a = torch.tensor([1.0, 2.0])
b = torch.zeros(2)
torch.add(a, a, out=b)
show(b.tolist())
c = torch.zeros(3)
torch.add(a, a, out=c)
show(c.shape)
e = torch.empty(0)
torch.mul(a, 3, out=e)
show(e.tolist())


# %% out= with an input that requires grad
a = torch.ones(2, requires_grad=True)
torch.add(a, a, out=torch.zeros(2))


# %% out= of integers
a = torch.ones(2)
torch.add(a, a, out=torch.zeros(2, dtype=torch.int64))


# %% Matrices that do not fit
a = torch.ones(2, 3) @ torch.ones(2, 3)


# %% A matrix and a vector that do not fit
torch.ones(2, 3) @ torch.ones(4)


# %% Two vectors that do not fit
torch.ones(3) @ torch.ones(4)


# %% Matrices of different dtypes
torch.ones(2, 3) @ torch.ones(3, 2, dtype=torch.float64)


# %% A product with a tensor without dimensions
torch.tensor(1.0) @ torch.ones(2)


# %% The nodes of matrix products
def names(t):
    out = []
    n = t.grad_fn
    while n is not None:
        out.append(n.name())
        n = n.next_functions[0][0] if n.next_functions else None
    return out


a = torch.ones(2, 3, requires_grad=True)
for b in (torch.ones(3), torch.ones(3, 4), torch.ones(5, 3, 4), torch.ones(2, 5, 3, 4)):
    c = a @ b
    show(c.shape, c.stride(), names(c))
v = torch.ones(3, requires_grad=True)
for b in (torch.ones(3), torch.ones(3, 4), torch.ones(5, 3, 4)):
    c = v @ b
    show(c.shape, names(c))
d = torch.ones(5, 2, 3, requires_grad=True)
for b in (torch.ones(3), torch.ones(3, 4), torch.ones(5, 3, 4), torch.ones(1, 3, 4)):
    c = d @ b
    show(c.shape, names(c))


# %% cat of sizes that do not fit
torch.cat([torch.ones(2, 3), torch.ones(3, 2)])


# %% cat of nothing
torch.cat([])


# %% cat with a number
torch.cat([torch.ones(2), 1])


# %% cat of tensors without dimensions
torch.cat([torch.tensor(1.0), torch.tensor(2.0)])


# %% cat and stack: dtypes and empty tensors
show(
    torch.cat([torch.ones(2), torch.tensor([1])]).dtype,
    torch.cat((torch.ones(0), torch.ones(2, 2))).shape,
    torch.stack([torch.ones(2), torch.zeros(2)], 1).tolist(),
)


# %% stack of different sizes
torch.stack([torch.ones(2), torch.ones(3)])


# %% unbind and its gradient
x = torch.ones(2, 3, requires_grad=True)
a, b = x.unbind(0)
show(a.grad_fn.name(), b.output_nr)
(a * 2 + b * 3).sum().backward()
show(x.grad.tolist())


# %% chunk into fewer pieces than asked for
x = torch.arange(6.0).requires_grad_()
p = x.chunk(4)
show([t.tolist() for t in p])
(p[0] * p[1]).sum().backward()
show(x.grad.tolist())


# %% split by sizes
x = torch.arange(6.0).requires_grad_()
p = x.split([1, 2, 3])
(p[2] ** 2).sum().backward()
show(x.grad.tolist(), p[0].grad_fn.name())


# %% split by sizes that do not add up
torch.ones(6).split([1, 2])


# %% scatter with an index out of range
x = torch.zeros(3, 5)
torch.scatter(x, 0, torch.tensor([[0, 9]]), 1.0)


# %% Nodes and versions after views and writes
graph = torch.autograd.graph
x = torch.tensor([[0.5, 1.0], [1.5, 2.0]], dtype=torch.float64, requires_grad=True)


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


# Second derivatives where results went through hooks.
for work in (
    lambda: (x * 1).exp_(),
    lambda: (x * 1)[0].exp_(),
    lambda: Exp.apply(x),
    lambda: (x * 1).tanh_().sigmoid_(),
    lambda: x.exp().max(0)[0],
):
    with graph.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), torch.from_numpy):
        y = work()
    (grad,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    show(grad, result_or_error(lambda: torch.autograd.grad(grad.sum(), x)))


# %% Views, edges and errors that random programs found
leaf = torch.ones(2, requires_grad=True)
a = torch.zeros(2, 2)
a.set_(leaf)
show(history(a), a._version)
a = (leaf * 1).view(2, 1)
b = a._base
a.set_(torch.ones(2))
show(history(a), history(b), a._version)
show(result_or_error(lambda: b.sum().backward()))
a = torch.zeros(2, 2)[0]
b = a._base
a.set_(leaf)
show(history(a), history(b), a.shape, b.shape)
show(result_or_error(lambda: torch.zeros(2, requires_grad=True).set_(torch.zeros(2, dtype=torch.float64))))
with torch.no_grad():
    v = leaf.view(2)
show(result_or_error(lambda: torch.autograd.graph.get_gradient_edge(v)), history(v // 2))


# %% Comparisons in place have a derivative, zero
for op in ("eq_", "ne_", "lt_", "le_", "gt_", "ge_"):
    r = torch.tensor([2.0, 2.0], requires_grad=True)
    w = torch.zeros(2)
    getattr(w, op)(r)
    w.sum().backward()
    v = torch.tensor([1.0, 3.0], requires_grad=True)
    y = v * 1
    getattr(y, op)(torch.tensor([1.0, 2.0]))
    y.sum().backward()
    show(op, w, r.grad, y, v.grad)
torch.ones(2, requires_grad=True).eq_(torch.ones(2))


# %% Copies of copies: versions and sharing
import copy, pickle

z = torch.zeros(2, 2)
z.add_(1)
r = torch.ones(2, requires_grad=True)
p = torch.nn.Parameter(torch.ones(2))
for t in (z, r, z[:1], r * 2, p):
    show(copy.copy(t)._version, pickle.loads(pickle.dumps(t))._version)
show([copy.deepcopy(t)._version for t in (z, r, z[:1], p)])
show(pickle.loads(pickle.dumps([torch.bool, torch.float64, torch.ones(2) > 0])))
v = pickle.loads(pickle.dumps(torch.ones(2, 2, dtype=torch.float64)))
show(v @ v, torch.einsum("ij,jk->ik", v, torch.ones(2, 2, dtype=torch.float64)), torch.addmm(v, v, v))
r.register_hook(print)
copy.copy(r)
pickle.dumps(r * 1)


# %% Complex numbers as booleans and as real numbers
c = torch.tensor([1 + 2j, -0.5j, 0j])
show(c.bool(), c.to(torch.bool), torch.zeros(3, dtype=torch.bool).copy_(c), c[1].bool())
show(
    c.double(),
    c.int(),
    torch.ones(3).new_tensor(c),
    torch.ones(1).fill_(c[0]),
    torch.as_tensor(c, dtype=torch.float32),
    c.type(torch.float32),
)


# %% Scatters and gathers of few dimensions
z = torch.zeros
for a in (z(()), z(2), z(2, 2), z(2, 1, 2)):
    for s in (z(()), z(1), z(2), z(1, 2), z(2, 2, 1)):
        for i in (torch.tensor(0), torch.tensor([0, 1])):
            for name in ("index_add", "index_copy", "scatter", "scatter_add"):
                r = result_or_error(lambda: getattr(a, name)(0, i, s))
                show(name, a.shape, s.shape, i.shape, r if isinstance(r, str) else r.shape)
a = z(2, 2).t()
i, j = torch.tensor([[0, 0]]), torch.tensor([0, 1])
show(
    [
        r.stride()
        for r in (a.scatter(0, i, a), a.scatter_add(0, i, a), a.index_add(0, j, a), a.index_copy(0, j, a))
    ]
)
for write in (
    lambda: a.scatter_(0, i, a),
    lambda: a.scatter_add_(0, i, a),
    lambda: a.index_add_(0, j, a),
    lambda: a.index_copy_(0, j, a),
    lambda: a.put_(j, a[0]),
    lambda: i.__setitem__(i, 1),
    lambda: torch.add(a[0], a[0], out=a),
    lambda: torch.mul(a[:1], 2, out=a),
    lambda: torch.maximum(a, a[0], out=a),
):
    r = result_or_error(write)
    show(r if isinstance(r, str) else r is None or r.shape)


# %% out= of another size keeps its memory where that is enough
a = torch.arange(4.0).view(2, 2)
b = a[1:]
torch.add(a[0], 1, out=a)
show(a, b, a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())


# %% What nodes receive and pass on
def shapes(ts):
    return [None if t is None else tuple(t.shape) for t in ts]


F = torch.nn.functional
# What nodes get and pass on: indices are none of their outputs, and what nobody used is None for hooks.
for work in (
    lambda x: x.max(0)[0],
    lambda x: x.sort()[0],
    lambda x: F.layer_norm(x, (2,)),
    lambda x: x.unbind()[0],
    lambda x: x.split(1)[1],
    lambda x: torch.linalg.qr(x)[0],
    lambda x: torch.linalg.slogdet(x)[1],
    lambda x: x.cummax(0)[0],
    lambda x: torch.var_mean(x)[0],
    lambda x: x.median(0)[0],
):
    x = torch.tensor([[1.0, 2.0], [0.5, 4.0]], requires_grad=True)
    y = work(x)
    f = y.grad_fn
    f.register_hook(lambda gi, go: show("post", shapes(gi), shapes(go)))
    f.register_prehook(lambda go: show("pre", shapes(go)))
    y.sum().backward()
    show(f.name(), y.output_nr, x.grad)
    try:
        f(*[torch.ones(1)] * 7)
    except TypeError as error:
        show(error)


# %% Hooks that change shape, dtype or kind of a gradient
for made in (lambda x: x, lambda x: x * 1, lambda x: x[0]):
    for change in (
        lambda g: 3,
        lambda g: g[None],
        lambda g: g.long(),
        lambda g: g.to(torch.complex64),
        lambda g: g.double(),
        lambda g: (g,),
        lambda g: None,
    ):
        x = torch.ones(2, 2, requires_grad=True)
        y = made(x)
        y.register_hook(change)
        show(result_or_error(lambda: y.sum().backward()), x.grad is None)
a, b = torch.ones(2, requires_grad=True), torch.ones(2)
show(result_or_error(lambda: torch.autograd.graph.register_multi_grad_hook([a, b], print)))
h = torch.autograd.graph.register_multi_grad_hook([a, b, a * 2], lambda g: show("any", g), mode="any")
(a * 3).sum().backward()
for kind in (
    torch.float64,
    torch.int64,
    torch.int8,
    torch.uint8,
    torch.bool,
    torch.complex128,
    torch.float16,
):
    show(result_or_error(lambda: setattr(b, "grad", torch.ones(2, dtype=kind))))


# %% Which mode views of views were made in
def attempt(f):
    try:
        return f().grad_fn.name()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


modes = {"no_grad": torch.no_grad, "inference": torch.inference_mode, "grad": torch.enable_grad}
for first, one in modes.items():
    for second, two in modes.items():
        for view in (lambda t: t.unbind(0)[0], lambda t: t.view_as(t)):
            x = torch.ones(2, 2, requires_grad=True) * 1
            with one():
                a = x.view_as(x)
            with two():
                b = view(a)
            show(first, second, attempt(lambda: b.mul_(torch.ones(1, requires_grad=True))))
x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    show(x.numpy())
with torch.inference_mode():
    show(
        (x * 2).numpy(), torch.ones(2).split(1)[0].detach_(), x.detach_().requires_grad, x.data.is_inference()
    )


# %% asarray with every option
import warnings

x = torch.ones(2, requires_grad=True)
for made in (x, x * 1, torch.ones(2)):
    for options in (
        {},
        {"requires_grad": True},
        {"requires_grad": False},
        {"copy": True},
        {"dtype": torch.float64},
        {"copy": True, "requires_grad": False},
    ):
        for mode in (torch.enable_grad, torch.no_grad):
            with mode():
                r = torch.asarray(made, **options)
            show(r is made, r.requires_grad, r.grad_fn and r.grad_fn.name(), made.requires_grad)
            if made is x:
                x.requires_grad_()
torch.asarray(torch.ones(2, dtype=torch.int64), requires_grad=True)


# %% The nodes of losses of two tensors
F = torch.nn.functional
for name in ("mse_loss", "smooth_l1_loss", "huber_loss"):
    for one, two in (((2, 2), (2, 2)), ((2, 2), ()), ((2,), (2, 2))):
        a, b = torch.ones(one, requires_grad=True) * 1, torch.ones(two, requires_grad=True) * 1
        show(name, [f[0].name() for f in getattr(F, name)(a, b).grad_fn.next_functions])
x = torch.ones(2, requires_grad=True)
y = torch.zeros(2, 2)
y[...] = x
show(y.grad_fn.next_functions[1][0].name(), y.grad_fn.next_functions[1][0].next_functions[0][0].name())
z = torch.view_as_complex(torch.ones(2, 2, dtype=torch.float64, requires_grad=True) * 1)
z.cumprod_(0)
show(z.grad_fn.name(), z.grad_fn.next_functions[0][0].name())
c = torch.ones(2, dtype=torch.complex128, requires_grad=True) * 1
parts = torch.view_as_real(c[1:])
whole = torch.view_as_real(c)
imag = c.imag
c.mul_(2)
show([(t.grad_fn.name(), t.grad_fn.next_functions[0][0].name()) for t in (parts, whole, imag)])
e = torch.eye(2).t().requires_grad_()


class Triple_(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(3)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 3


b = torch.ones(2, 2, requires_grad=True) * 1
v = Triple_.apply(b[0])
show(v.grad_fn.name(), v.grad_fn.next_functions[0][0].name(), b.grad_fn.name())
Triple_.apply(e)


# %% Writes to expanded tensors of a dtype that the operation refuses
for value in (True, 1, 1j):
    for write in (
        torch.relu_,
        torch.neg_,
        torch.nn.functional.hardtanh_,
        lambda t: torch.nn.functional.relu6(t, inplace=True),
    ):
        attempt(lambda: write(torch.tensor([value]).expand(2)))
        attempt(lambda: write(torch.tensor([value, value])))
