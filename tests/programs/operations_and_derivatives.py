# %% Functions of one argument and their nodes
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for f in (
    "exp",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "relu",
    "reciprocal",
    "neg",
    "abs",
    "sgn",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "conj",
    "absolute",
    "negative",
):
    y = getattr(x, f)()
    if y.grad_fn is None:
        show(f, "none")
        continue
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True, allow_unused=True)
    show(f, y.grad_fn.name(), g.grad_fn.name() if g is not None and g.grad_fn else None)


# %% First, second and third derivatives
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, dtype=torch.float64)
for f in ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "reciprocal"):
    y = getattr(x, f)()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), x)
    show(f, [round(v, 9) for v in g.tolist() + h.tolist() + k.tolist()])


# %% Operators of two tensors and their derivatives
x = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.float64)
y = torch.tensor([3.0, 4.0], requires_grad=True, dtype=torch.float64)
import operator as o

for f in (o.add, o.sub, o.mul, o.truediv, o.pow):
    z = f(x, y)
    gx, gy = torch.autograd.grad(z.sum(), (x, y), create_graph=True)
    show(
        z.grad_fn.name(),
        [n[0].name() if n[0] else None for n in z.grad_fn.next_functions],
        gx.tolist(),
        gy.tolist(),
    )
    hs = torch.autograd.grad((gx * gy).sum(), (x, y), allow_unused=True) if (gx * gy).requires_grad else None
    show([h.tolist() if h is not None else None for h in hs] if hs else None)
for f in (
    lambda v: 2 - v,
    lambda v: 2 / v,
    lambda v: 2**v,
    lambda v: v**2,
    lambda v: v**0,
    lambda v: v**0.5,
    lambda v: v // 2,
    lambda v: v % 2,
    lambda v: -v,
    lambda v: 0**v,
):
    z = f(x)
    show(z.grad_fn.name(), [n[0].name() if n[0] else None for n in z.grad_fn.next_functions], z.tolist())
    if "Not" not in z.grad_fn.name():
        (g,) = torch.autograd.grad(z.sum(), x, create_graph=True)
        show(g.tolist(), g.grad_fn.name() if g.grad_fn else None)


# %% Floor division has no gradient
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x // 2
show(y.grad_fn)
y.sum().backward()


# %% Gradients of what was broadcast
x = torch.ones(3, 1, requires_grad=True)
y = torch.ones(4, requires_grad=True)
(x * y).sum().backward()
show(x.grad.tolist(), y.grad.tolist())
z = x + y
show(z.shape)


# %% A float times integers
x = torch.ones(3, requires_grad=True)
y = torch.tensor([1, 2, 3])
z = x * y
show(z.dtype)
z.sum().backward()
show(x.grad.tolist())
d = x.double() * y
d.sum().backward()
show(x.grad.dtype)


# %% Gradients where dtypes were promoted
x = torch.ones(3, requires_grad=True, dtype=torch.float64)
y = torch.ones(3, requires_grad=True)
z = x * y
show(z.dtype)
z.sum().backward()
show(y.grad.dtype)


# %% maximum with a tie
a = torch.maximum(torch.tensor([1.0, 2.0, 3.0], requires_grad=True), torch.tensor([2.0, 2.0, 2.0]))
show(a.grad_fn.name())
# %% Sums and means along dimensions
x = torch.ones(2, 3, requires_grad=True)
for f in (
    lambda: x.sum(),
    lambda: x.sum(0),
    lambda: x.sum((0, 1)),
    lambda: x.sum(-1, keepdim=True),
    lambda: x.mean(1),
    lambda: x.mean(dim=(0, 1), keepdim=True),
    lambda: x.sum(dtype=torch.float64),
    lambda: x.sum([]),
    lambda: x.mean(0, dtype=torch.float64),
):
    y = f()
    show(y.shape, y.dtype, y.grad_fn.name())
    (g,) = torch.autograd.grad(y.sum(), x)
    show(g.tolist())


# %% Dtypes of sums, and sums of nothing
show(
    torch.arange(4).sum().dtype,
    torch.tensor([True, True]).sum().item(),
    torch.ones(0).sum().item(),
    torch.ones(2, 0).sum(1).tolist(),
    torch.ones(0).mean().item(),
)


# %% gather, scatter, index_select, index_add and their gradients
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
i = torch.tensor([[0, 1, 2, 0]])
for y in (
    x.gather(0, i),
    torch.gather(x, 1, torch.tensor([[0], [1], [1]])),
    x.scatter(0, i, torch.ones(1, 4)),
    x.scatter(0, i, 5.0),
    x.scatter_add(0, i, x),
    x.index_select(1, torch.tensor([0, 0, 3])),
    x.index_add(0, torch.tensor([0, 0]), x[:2], alpha=2),
    x.masked_select(x > 3),
    x.masked_fill(x > 3, 0),
    torch.where(x > 3, x, -x),
    x[[0, 0, 1]],
    x[x > 2],
    x.take_along_dim(i, 0),
    x.index_put((torch.tensor([0, 0]),), torch.ones(4)),
    x.index_put((torch.tensor([0, 0]),), torch.ones(4), accumulate=True),
):
    show(y.grad_fn.name(), [n[0].name() if n[0] else None for n in y.grad_fn.next_functions], y.shape)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    show(g.tolist())
    (h,) = torch.autograd.grad((g * g).sum(), x)
    show(h.tolist())


# %% scatter_ of a tensor that requires grad
x = torch.zeros(3, 5)
s = torch.arange(1.0, 11.0).reshape(2, 5).requires_grad_()
i = torch.tensor([[0, 1, 2, 0]])
y = x.scatter_(0, i, s)
show(y is x, x.grad_fn.name(), [n[0].name() if n[0] else None for n in x.grad_fn.next_functions])
x.sum().backward()
show(s.grad.tolist())


# %% scatter_ with reduce
x = torch.zeros(3, 5)
x.scatter_(0, torch.tensor([[0, 0]]), torch.tensor([[1.0, 2.0]]), reduce="add")
show(x.tolist())
x.scatter_(1, torch.tensor([[0], [0]]), 3.0, reduce="multiply")
x.scatter_add_(0, torch.tensor([[0, 0, 0, 0, 0]]), torch.ones(1, 5))
show(x.tolist(), x._version)


# %% A hook, removed, and one of a result
x = torch.ones(2, 2, requires_grad=True)
h = x.register_hook(lambda g: g * 2)
(x * 3).sum().backward()
show(x.grad.tolist())
h.remove()
(x * 3).sum().backward()
show(x.grad.tolist())
y = x * 2
y.register_hook(lambda g: show("hook", g.tolist()))
y.sum().backward()


# %% no_grad as decorator and set_grad_enabled
x = torch.ones(2, requires_grad=True)


@torch.no_grad()
def f():
    return x * 2


show(f().requires_grad, torch.is_grad_enabled())
with torch.set_grad_enabled(False):
    show((x * 2).requires_grad)
    with torch.enable_grad():
        show((x * 2).requires_grad)
torch.set_grad_enabled(False)
show((x * 2).requires_grad)
torch.set_grad_enabled(True)


# %% Writing to a leaf under no_grad
x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    x.add_(1)
    x *= 2
show(x.tolist(), x._version, x.is_leaf, x.grad_fn)


# %% detach_ and data of results
x = torch.ones(3, requires_grad=True)
y = x * 2
y.detach_()
show(y.requires_grad, y.is_leaf)
z = x * 2
z.data = torch.zeros(3)
show(z.tolist())
# %% data of a row
x = torch.ones(2, 3)
y = x[0]
y.data = torch.zeros(3)
show(x.tolist(), y.tolist())
# %% data of another shape
x = torch.ones(2, requires_grad=True)
x.data = torch.zeros(3)
show(x.shape)
# %% Gradients and nodes of expand, squeeze, unsqueeze and flatten
a = torch.ones(2, 3, requires_grad=True)
b = a.expand(4, 2, 3)
b.sum().backward()
show(a.grad.tolist(), b.grad_fn.name())
c = a.squeeze()
show(c.grad_fn.name())
d = a.unsqueeze(1).squeeze(1)
show(d.grad_fn.name(), d._base is a)
e = a.flatten()
show(e.grad_fn.name())
f = a.view(-1)[2:4].view(2, 1)
show(f._base is a, f.storage_offset(), f.stride(), f.is_leaf)


# %% Views of a result written one after the other
a = torch.ones(4, 3, requires_grad=True) * 1
b = a.t()
c = b[1]
c.mul_(2)
d = a.view(-1)
d[0] = 9
show(a.tolist(), b.grad_fn.name(), c.grad_fn.name(), d.grad_fn.name(), a._version)


# %% Properties of a tensor and its format
x = torch.tensor([3.0])
show(
    f"{x[0]:.2f}",
    x.element_size(),
    x.nbytes,
    x.numel(),
    x.dim(),
    x.ndim,
    x.size(),
    x.type(),
    x.device,
    x.layout,
    x.is_floating_point(),
)


# %% size() of a dimension that is not there
x = torch.tensor([1, 2, 3])
x.size(2)


# %% T, mT and their refusal
x = torch.arange(6).reshape(2, 3)
show(x.T.tolist(), x.mT.shape, x.tolist())
torch.arange(3).mT


# %% Factories
show(
    torch.zeros(2, 3).shape,
    torch.ones((2,)).tolist(),
    torch.full((2,), 7).dtype,
    torch.empty(2, 0).shape,
    torch.zeros_like(torch.ones(2, dtype=torch.int32)).dtype,
    torch.arange(1, 4).tolist(),
    torch.linspace(0, 1, 5).tolist(),
    torch.eye(2).tolist(),
    torch.ones(2).new_full((2,), 3).tolist(),
    torch.full_like(torch.ones(2), 5).tolist(),
    torch.as_tensor([1, 2]).dtype,
    torch.zeros(()).shape,
    torch.arange(0.0, 1.0, 0.3).shape,
)


# %% is_leaf cannot be set
a = torch.ones(3)
a.is_leaf = True


# %% Properties of dtypes
import jgrad

show(
    torch.float32.is_floating_point,
    torch.int64.is_signed,
    torch.get_default_dtype(),
    torch.promote_types(torch.int32, torch.float16),
    torch.can_cast(torch.float32, torch.int32),
    torch.float is torch.float32,
)


# %% What mul saves
x = torch.ones(2, requires_grad=True)
y = x * 3
g = y.grad_fn
show(g._saved_other, g._saved_self)
z = x * x
show(z.grad_fn._saved_self is x)


# %% What exp saves, before and after backward
x = torch.ones(2, requires_grad=True)
y = x.exp()
show(y.grad_fn._saved_result.tolist())
y.sum().backward()
y.grad_fn._saved_result


# %% Writing to a saved result
x = torch.ones(2, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()


# %% Writing to a row of a saved result
x = torch.ones(2, 3, requires_grad=True)
y = x.t().exp()
y[0].zero_()
y.sum().backward()


# %% An element assigned from a result
a = torch.zeros(2)
b = torch.ones(2, requires_grad=True)
a[0] = b[1] * 2
a.sum().backward()
show(b.grad.tolist(), a.grad_fn.name(), a.requires_grad)


# %% Columns, rows and masks assigned
a = torch.zeros(3, 3)
a[:, 1] = torch.tensor([1.0, 2, 3])
a[1] += 1
a[0, 0] -= 5
a[a > 2] *= 10
show(a.tolist(), a._version)


# %% Gradients accumulate
x = torch.ones(3, requires_grad=True)
l = []
for i in range(4):
    (x * x).sum().backward()
    l.append(x.grad.tolist())
show(l)


# %% .grad stays the same object
x = torch.ones(3, requires_grad=True)
g0 = None
x.sum().backward()
g = x.grad
x.sum().backward()
show(g is x.grad, g.tolist())
# %% Two backward passes over a shared part
x = torch.ones(2, requires_grad=True)
y = x * 2
a = y.sum()
b = (y * y).sum()
a.backward(retain_graph=True)
b.backward()
show(x.grad.tolist())
# %% backward of several roots
x = torch.ones(2, requires_grad=True)
y = x * 2
torch.autograd.backward([y.sum(), (y * y).sum()])
show(x.grad.tolist())
torch.autograd.backward([x * 2, x * 3], [torch.ones(2), torch.ones(2)])
show(x.grad.tolist())


# %% Derivatives at ties, kinks and poles
# max with ties, abs and relu at 0, sqrt at 0, norm at 0, clamp at its ends, x ** 0, 0 ** x, division by 0.
for code in (
    "x.max()",
    "x.amax()",
    "x.min()",
    "x.abs().sum()",
    "x.relu().sum()",
    "x.sqrt().sum()",
    "x.norm()",
    "x.clamp(0, 1).sum()",
    "(x ** 0).sum()",
    "(x ** 0.5).sum()",
    "(0. ** x).sum()",
    "(1 / x).sum()",
    "(x / x).sum()",
    "x.log().sum()",
    "x.prod()",
    "x.median()",
    "x.sort()[0][0]",
    "x.topk(2)[0].sum()",
    "torch.maximum(x, torch.zeros(3)).sum()",
    "x.sign().sum()",
    "x.sinc().sum()",
    "torch.where(x > 0, x.sqrt(), 0.).sum()",
    "x.std()",
    "x.cumprod(0).sum()",
    "x.logsumexp(0)",
    "torch.atan2(x, x).sum()",
    "x.acos().sum()",
    "x.hypot(x).sum()",
    "torch.nn.functional.leaky_relu(x).sum()",
    "torch.nn.functional.softplus(x).sum()",
    "x.cummax(0)[0].sum()",
    "torch.special.xlogy(x, x).sum()",
    "x.renorm(2, 0, 1).sum() if x.dim() > 1 else x.view(3, 1).renorm(2, 0, 1).sum()",
):
    x = torch.tensor([0.0, 1.0, 0.0], requires_grad=True)
    r = eval(code)
    r.backward()
    show(code, r, x.grad)


# %% Complex leaves: real losses, refused losses, conjugates
z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
for code in (
    "z.abs().sum()",
    "(z * z.conj()).real.sum()",
    "z.real.sum()",
    "z.imag.sum()",
    "z.sum()",
    "z.angle().sum()",
    "torch.view_as_real(z).sum()",
    "(z ** 2).abs().sum()",
    "z.exp().real.sum()",
    "(z.real ** 2 + z.imag).sum()",
    "z.to(torch.float32).sum()",
    "z.abs().max()",
    "torch.linalg.norm(z)",
    "z.sgn().real.sum()",
):
    z.grad = None
    try:
        r = eval(code)
        r.backward()
        show(code, r, z.grad)
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Second derivatives where the first is constant or gone
x = torch.tensor([1.0, -2.0], requires_grad=True)
for code in (
    "x * 3",
    "x.relu()",
    "x.abs()",
    "x ** 2",
    "x.exp()",
    "x.sum().expand(2)",
    "x.floor()",
    "x.sigmoid()",
    "x.clamp(-1, 1)",
    "x.max().expand(2)",
    "x[[0, 0]]",
    "x.sort()[0]",
    "torch.nn.functional.gelu(x)",
    "torch.nn.functional.elu(x)",
    "x.softmax(0)",
    "x.cumsum(0)",
    "x.norm().expand(2)",
    "x.log1p()",
    "x.prod().expand(2)",
    "x.var().expand(2)",
):
    y = eval(code)
    try:
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        show(code, g, g.requires_grad, g.grad_fn is not None)
        show(torch.autograd.grad(g.sum(), x, allow_unused=True))
    except RuntimeError as error:
        show(code, error)
