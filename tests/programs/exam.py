# %% What is a leaf, and what keeps its grad
a = torch.ones(2, requires_grad=True)
b = a.to(torch.float32)
c = a.to(torch.float64)
d = a.clone()
e = a.detach()
f = a.data
g = a.view(2)
h = a[:]
i = a.contiguous()
j = a.float()
k = a.double()
l = torch.tensor(e)
m = a.detach().requires_grad_()
n = torch.nn.Parameter(a)
o = a.expand(2, 2)
p = a + 0
q = +a
r = a.cpu()
s = a.squeeze()
t = a.requires_grad_()
u = a.type(torch.float32)
v = a.reshape(2)
w = a.flatten()
for name in "abcdefghijklmnopqrstuvw":
    x = eval(name)
    show(
        name,
        x is a,
        x.is_leaf,
        x.requires_grad,
        x.grad_fn and x.grad_fn.name(),
        x._is_view(),
        x._base is a,
        x.data_ptr() == a.data_ptr(),
        x._version,
    )
a.detach().mul_(3)
show([(name, eval(name)._version, eval(name).sum().item()) for name in "abcdefghijklmnopqrstuvw"])


# %% The leaf on another dtype: where is my grad?
w = torch.ones(3).requires_grad_().double()
(w * 2).sum().backward()
show(w.is_leaf, w.grad)
w = torch.ones(3, requires_grad=True) * 0.5
(w * 2).sum().backward()
show(w.grad)
w = torch.ones(3, requires_grad=True)
w = w - 0.1 * w
w.retain_grad()
w.sum().backward()
show(w.grad)
w -= 1
show(w.grad, w.retains_grad)


# %% Training loops that rebind, write under no_grad, write .data or forget zero
# A training loop that rebinds, one that writes under no_grad, one that writes .data, one that forgets zero.
for how in ("rebind", "no_grad", "data", "forget", "sub_", "set_to_none"):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.tensor([3.0, 4.0])
    try:
        for step in range(3):
            loss = ((w * x).sum() - 1) ** 2
            loss.backward()
            if how == "rebind":
                w = w - 0.01 * w.grad
            elif how == "no_grad":
                with torch.no_grad():
                    w -= 0.01 * w.grad
                w.grad.zero_()
            elif how == "data":
                w.data -= 0.01 * w.grad
                w.grad = None
            elif how == "forget":
                with torch.no_grad():
                    w -= 0.01 * w.grad
            elif how == "sub_":
                w -= 0.01 * w.grad
            else:
                with torch.no_grad():
                    w.copy_(w - 0.01 * w.grad)
                w.grad = None
            show(how, step, w, w.grad, w._version, w.is_leaf)
    except Exception as error:
        show(how, type(error).__name__, error)


# %% backward twice, through what is shared and what is not
x = torch.ones(2, requires_grad=True)
y = x * 2
z = y.exp()
p = y.sum()
q = z.sum()
u = (y * 3).sum()
p.backward()
show(x.grad)
u.backward()
show(x.grad)
try:
    q.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)
try:
    q.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)
try:
    (z + 1).sum().backward()
except RuntimeError as error:
    show(error)
try:
    show(z.grad_fn._saved_result)
except RuntimeError as error:
    show(error)


# %% retain_grad on leaves, on views, twice and where it is refused
# retain_grad before and after, on leaves, on views, on what does not require grad, twice.
x = torch.ones(3, requires_grad=True)
y = x * 2
y.retain_grad()
y.retain_grad()
x.retain_grad()
show(x.retains_grad, y.retains_grad)
v = y[1:]
v.retain_grad()
(v * 5).sum().backward()
show(x.grad, y.grad, v.grad)
y.grad.mul_(10)
show(x.grad, y.grad)
z = y * 1
z.sum().backward()
show(z.grad, y.grad)
try:
    torch.ones(2).retain_grad()
except RuntimeError as error:
    show(error)
y = x * 2
y.retain_grad()
y.mul_(3)
y.sum().backward()
show(y.grad, x.grad)
y = x * 2
y.mul_(3)
y.retain_grad()
y.sum().backward()
show(y.grad)
y = x * 2
y.retain_grad()
z = y.detach_()
show(z.retains_grad, y.grad, z is y)


# %% Writing to what backward saved
# In-place on what backward saved: which operations mind, and which do not.
for name, op in {
    "mul": lambda t: t * t,
    "add": lambda t: t + t,
    "exp": torch.exp,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "pow2": lambda t: t**2,
    "pow1": lambda t: t**1,
    "sum": lambda t: t.sum(),
    "sin": torch.sin,
    "tanh": torch.tanh,
    "max": lambda t: t.max(),
    "sort": lambda t: t.sort()[0],
    "mulc": lambda t: t * 3,
    "div": lambda t: 3 / t,
    "abs": torch.abs,
    "clamp": lambda t: t.clamp(0, 2),
    "softmax": lambda t: t.softmax(0),
    "norm": torch.norm,
    "prod": torch.prod,
    "cumsum": lambda t: t.cumsum(0),
    "where": lambda t: torch.where(t > 1, t, 0.0),
    "matmul": lambda t: t @ t,
    "std": lambda t: t.std(),
    "index": lambda t: t[[0, 1]],
    "log": torch.log,
    "sqrt": torch.sqrt,
    "dropout": lambda t: torch.nn.functional.dropout(t, 0.0),
    "mean": torch.mean,
    "var": torch.var,
    "logsumexp": lambda t: t.logsumexp(0),
    "gather": lambda t: t.gather(0, torch.tensor([0, 0])),
    "flip": lambda t: t.flip(0),
}.items():
    for write in ("input", "result"):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x + 0
        z = op(y)
        (y if write == "input" else z).detach().add_(1)
        try:
            z.sum().backward()
            show(name, write, x.grad)
        except RuntimeError as error:
            show(name, write, str(error).partition(";")[0])


# %% Views of views written at both ends; versions and bases
x = torch.zeros(2, 3, requires_grad=True)
y = x * 1
a = y[0]
b = a[1:]
c = y.t()
d = c[1]
b.fill_(2)
show(y, a, b, c, d)
show([t._version for t in (x, y, a, b, c, d)], [t._base is y for t in (a, b, c, d)])
show([t.grad_fn.name() for t in (y, a, b, c, d)])
d.mul_(4)
show([t.grad_fn.name() for t in (y, a, b, c, d)])
(y * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad)


# %% Writing to a leaf's view, under no_grad, after detach, on clone
w = torch.zeros(3, requires_grad=True)
for code in (
    "w[0] = 1",
    "w[0:2] += 1",
    "w.view(3)[1] = 2",
    "w.detach()[0] = 5",
    "w.data[1] = 6",
    "w.clone()[0] = 9",
    "w.add_(1)",
    "w.fill_(7)",
    "w.unsqueeze(0).mul_(2)",
    "w.T.zero_()",
    "w.expand(2, 3).mul_(2)",
    "w.numpy()[0] = 1",
    "w.detach().numpy()[0] = 11",
    "w.requires_grad_(False).mul_(2)",
    "w.resize_(2)",
    "w.copy_(torch.ones(3))",
    "w.zero_()",
):
    try:
        exec(code)
        show(code, w.detach(), w._version, w.requires_grad)
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Grad modes as decorators, nested, in generators
# no_grad as decorator, nested with enable_grad, set_grad_enabled, generator; inference.
x = torch.ones(2, requires_grad=True)


@torch.no_grad()
def f(t):
    return t * 2


@torch.enable_grad()
def g(t):
    return t * 2


@torch.no_grad()
def gen(t):
    yield t * 2
    yield torch.is_grad_enabled()
    yield g(t)


show(
    f(x).requires_grad,
    g(x).requires_grad,
    [v if isinstance(v, bool) else v.requires_grad for v in gen(x)],
    torch.is_grad_enabled(),
)
with torch.no_grad():
    a = x * 2
    b = g(x)
    c = torch.ones(2, requires_grad=True)
    d = c * 2
    torch.set_grad_enabled(True)
    e = c * 2
show(
    a.requires_grad,
    b.requires_grad,
    c.requires_grad,
    d.requires_grad,
    e.requires_grad,
    torch.is_grad_enabled(),
)
with torch.inference_mode():
    h = x * 2
    i = torch.ones(2)
    show(h.is_inference(), h.requires_grad, i.is_inference())
    try:
        show(h._version)
    except RuntimeError as error:
        show(error)
for code in (
    "h.add_(1)",
    "i * x",
    "(h.clone() * x).sum().backward()",
    "h.requires_grad_()",
    "i[0] = 1",
    "h.view(2, 1).is_inference()",
    "x.add_(i.clone())",
):
    try:
        show(code, eval(code) if "=" not in code else exec(code))
    except RuntimeError as error:
        show(code, error)


# %% detach in the middle
# detach in the middle: which of them get a gradient.
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a * b
d = c.detach() * a
e = (c * d).detach()
f = c + d
f.backward()
show(a.grad, b.grad, e.requires_grad)
a.grad = b.grad = None
(a.detach() * b + a).backward()
show(a.grad, b.grad)
a.grad = None
g = a * b.item()
g.backward()
show(a.grad)
h = torch.tensor([a, b])
show(h.requires_grad)
h = torch.stack([a, b])
show(h.requires_grad, h.grad_fn.name())


# %% The order of hooks, what they see and replace
# Hooks: order, what they see, what they replace, removal inside of themselves, on leaves and not.
x = torch.ones(2, requires_grad=True)
y = x * 2
log = []
h1 = x.register_hook(lambda g: log.append(("x1", g.tolist())))
h2 = x.register_hook(lambda g: g * 10)
h3 = x.register_hook(lambda g: log.append(("x3", g.tolist())))
y.register_hook(lambda g: g + 1)
y.retain_grad()
y.register_hook(lambda g: g * 100)
x.register_post_accumulate_grad_hook(lambda t: log.append(("post", t.grad.tolist())))
y.sum().backward(retain_graph=True)
show(log, x.grad, y.grad)
h2.remove()
h2.remove()
log.clear()
y.sum().backward()
show(log, x.grad, y.grad)
z = torch.ones(2, requires_grad=True)
hs = []
hs.append(z.register_hook(lambda g: hs[0].remove()))
(z * 1).sum().backward()
(z * 1).sum().backward()
show(z.grad)
for bad in (lambda g: "a", lambda g: g[:1], lambda g: g.double(), lambda g: 3, lambda g: g.long()):
    z = torch.ones(2, requires_grad=True)
    z.register_hook(bad)
    try:
        (z * 2).sum().backward()
        show(z.grad)
    except Exception as error:
        show(type(error).__name__, error)


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


# %% What overlaps in memory cannot be written
x = torch.arange(4.0)
for code in (
    "x.expand(2, 4).add_(1)",
    "x[1:].copy_(x[:-1])",
    "x[:3].add_(x[1:])",
    "x.add_(x)",
    "x.expand(2, 4).fill_(1)",
    "x.as_strided((2, 2), (1, 1)).zero_()",
    "torch.add(x[1:], 1, out=x[:-1])",
    "x.expand(2, 4).zero_()",
    "x.view(2, 2).t().copy_(x.view(2, 2))",
    "x.mul_(x.flip(0))",
):
    try:
        show(code, eval(code), x)
    except RuntimeError as error:
        show(code, error)


# %% Shapes that broadcast by accident
p = torch.ones(3, 1, requires_grad=True)
t = torch.arange(3.0)
loss = ((p - t) ** 2).mean()
loss.backward()
show(loss, p.grad)
show(torch.nn.functional.mse_loss(p, t))
b = torch.zeros(1, requires_grad=True)
(t + b).sum().backward()
show(b.grad)
for code in (
    "p.add_(t)",
    "t.add_(p)",
    "torch.ones(2) + torch.ones(3)",
    "torch.ones(2, 3) @ torch.ones(2)",
    "torch.ones(2, 3).mm(torch.ones(2, 3))",
    "torch.cat([p, t])",
    "torch.stack([p, t])",
    "p.expand(2, 1)",
    "p.view(2)",
    "p.reshape(2, 2)",
    "t.backward()",
    "(p * 2).backward()",
    "(p * 2).backward(torch.ones(3))",
    "(p * 2).backward(t)",
    "p.sum().backward(torch.ones(1))",
    "p.sum().backward(torch.ones(2))",
    "torch.dot(p, t)",
    "p.squeeze(5)",
    "torch.full((2,), 1.)[3]",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Integers and bools and gradients
for code in (
    "torch.tensor([1, 2], requires_grad=True)",
    "torch.ones(2, dtype=torch.long).requires_grad_()",
    "torch.tensor([True]).requires_grad_()",
    "torch.arange(3, requires_grad=True)",
    "torch.ones(2, requires_grad=True).long()",
    "torch.ones(2, requires_grad=True) > 0",
    "torch.ones(2, requires_grad=True).argmax()",
    "torch.ones(2, requires_grad=True).int() * 1.5",
    "torch.tensor(3.) // torch.tensor(2., requires_grad=True)",
    "torch.ones(2, requires_grad=True).round().sum().backward()",
    "(torch.ones(2, requires_grad=True) > 0).sum().backward()",
    "torch.ones(2, requires_grad=True).bool()",
    "torch.ones(2, requires_grad=True).sign()",
    "torch.ones(2, requires_grad=True).numpy()",
    "torch.ones(2, requires_grad=True).tolist()",
    "float(torch.ones(1, requires_grad=True))",
    "int(torch.ones(1, requires_grad=True))",
    "torch.ones(2, requires_grad=True).item()",
    "bool(torch.ones(2))",
    "torch.tensor(torch.ones(2, requires_grad=True))",
    "torch.as_tensor(torch.ones(2, requires_grad=True))",
    "np.asarray(torch.ones(2, requires_grad=True))",
    "np.sum(torch.ones(2))",
    "torch.from_numpy(np.ones(2)).requires_grad_()",
    "len(torch.tensor(1.))",
    "iter(torch.tensor(1.))",
    "torch.tensor([1.5]).index_select(0, torch.tensor(0.))",
    "[v for v in torch.ones(2, requires_grad=True)]",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% autograd.grad: unused inputs, several outputs, wrong arguments
# autograd.grad: unused, non-leaf, several outputs, create_graph, wrong things.
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
y = x * w
z = (y**2).sum()
G = torch.autograd.grad
for code in (
    "G(z, x, retain_graph=True)",
    "G(z, [x, w, y], retain_graph=True)",
    "G(z, torch.ones(1, requires_grad=True), retain_graph=True)",
    "G(z, torch.ones(1, requires_grad=True), retain_graph=True, allow_unused=True)",
    "G(z, x.detach(), retain_graph=True)",
    "G(y, x, retain_graph=True)",
    "G(y, x, torch.ones(2), retain_graph=True)",
    "G([z, y.sum()], x, retain_graph=True)",
    "G(z, x, create_graph=True)[0].grad_fn.name()",
    "G(G(z, x, create_graph=True)[0].sum(), x, retain_graph=True)",
    "G(z, [], retain_graph=True)",
    "G([], x)",
    "G(z, 'x')",
    "G(z.item(), x)",
    "G(z, z, retain_graph=True)",
    "G(z, x, materialize_grads=True, retain_graph=True)",
    "G(z, [x, torch.ones(2, requires_grad=True)], materialize_grads=True, retain_graph=True)",
    "G(z, [x, torch.ones(2, requires_grad=True)], materialize_grads=True, allow_unused=False, retain_graph=True)",
    "x.grad",
    "w.grad",
    "G(x.sum(), w)",
    "G(torch.ones(2).sum(), x)",
    "G(z, x)",
    "G(z, x)",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% A gradient of a gradient through .grad
x = torch.tensor(2.0, requires_grad=True)
(x**3).backward(create_graph=True)
show(x.grad)
g = x.grad
x.grad = None
g.backward()
show(x.grad)
x.grad = None
(x**3).backward(create_graph=True)
(x.grad**2).backward()
show(x.grad)
x.grad.zero_()
show(x.grad, x.grad.requires_grad, x.grad.grad_fn and x.grad.grad_fn.name())


# %% .grad assigned, shared, of another shape, deleted
x = torch.ones(2, requires_grad=True)
for code in (
    "x.grad = torch.zeros(2)",
    "x.grad = torch.zeros(3)",
    "x.grad = torch.zeros(2).double()",
    "x.grad = 1.0",
    "x.grad = None",
    "x.grad = x",
    "x.grad = x * 2",
    "del x.grad",
    "x.grad += 1",
    "x.grad = torch.ones(2, requires_grad=True)",
    "x.grad = torch.ones(2).int()",
    "x.grad_fn = None",
    "x.is_leaf = True",
    "x.requires_grad = 3",
    "x.requires_grad = 'a'",
    "(x * 2).requires_grad = False",
    "x.shape = (1, 2)",
    "x.data = torch.ones(3)",
    "x.data = 3",
    "x.foo = 3",
):
    try:
        exec(code)
        show(code, x.grad)
    except Exception as error:
        show(code, type(error).__name__, error)


# %% clone, deepcopy and pickle of leaves and of others
import copy, pickle

x = torch.ones(2, requires_grad=True)
x.grad = torch.full((2,), 5.0)
y = x * 2
for make in (
    lambda: copy.copy(x),
    lambda: copy.deepcopy(x),
    lambda: pickle.loads(pickle.dumps(x)),
    lambda: copy.deepcopy(y),
    lambda: copy.copy(y),
    lambda: pickle.loads(pickle.dumps(y)),
    lambda: copy.deepcopy(y.detach()),
    lambda: copy.deepcopy([x, x])[0],
    lambda: copy.deepcopy(torch.nn.Parameter(x.detach())),
):
    try:
        r = make()
        show(r, r.is_leaf, r.requires_grad, r.grad, r.data_ptr() == x.data_ptr(), r._version)
    except Exception as error:
        show(type(error).__name__, error)


# %% A custom Function written in every wrong way
# A custom Function: forgotten static, wrong count, None, needs_input_grad, mark_dirty, non differentiable.
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, k):
        ctx.save_for_backward(a, b)
        ctx.k = k
        show(ctx.needs_input_grad)
        r = a * b * k
        i = r > 0
        ctx.mark_non_differentiable(i)
        return r, i

    @staticmethod
    def backward(ctx, g, gi):
        a, b = ctx.saved_tensors
        show(g, gi, ctx.needs_input_grad)
        return g * b * ctx.k, None, None


a = torch.ones(2, requires_grad=True)
b = torch.full((2,), 3.0)
r, i = F.apply(a, b, 2)
show(r, i, i.requires_grad, r.grad_fn.name())
r.sum().backward()
show(a.grad)
try:
    r.sum().backward()
except RuntimeError as error:
    show(error)
try:
    i.sum().backward()
except RuntimeError as error:
    show(error)
try:
    F.apply(a)
except TypeError as error:
    show(error)
try:
    F()(a)
except RuntimeError as error:
    show(error)
show(F.apply(b, b, 1)[0].requires_grad)
with torch.no_grad():
    show(F.apply(a, b, 1)[0].requires_grad)


# %% A long sum, a long chain and a diamond
# Sums of a thousand terms, a chain of a thousand, and a diamond: counts of accumulation.
x = torch.tensor(1.0, requires_grad=True)
y = sum(x for _ in range(1000))
y.backward()
show(x.grad)
x.grad = None
y = x
for _ in range(1000):
    y = y * 1.001
y.backward()
show(x.grad)
x.grad = None
y = x
for _ in range(10):
    y = y + y
y.backward()
show(x.grad)


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


# %% Modules: zero_grad, frozen parts, buffers, in-place ReLU, eval
# nn.Module: zero_grad, requires_grad_ of a part, buffers, parameters in lists, in-place ReLU, eval and no_grad.
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(inplace=True), torch.nn.Linear(3, 1))
x = torch.ones(4, 2)
net(x).sum().backward()
show([tuple(p.grad.shape) for p in net.parameters()])
net.zero_grad()
show([p.grad for p in net.parameters()])
net[0].requires_grad_(False)
net(x).sum().backward()
show([p.grad is None for p in net.parameters()])
net.eval()
show(net(x).requires_grad, net.training)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt.step()
opt.zero_grad()
show([p.grad for p in net.parameters()])
opt.zero_grad(set_to_none=False)
try:
    torch.optim.SGD([], lr=0.1)
except ValueError as error:
    show(error)
try:
    torch.optim.SGD(net(x), lr=0.1)
except Exception as error:
    show(type(error).__name__, error)
try:
    torch.optim.SGD([net(x)], lr=0.1)
except Exception as error:
    show(type(error).__name__, error)
y = torch.relu(net[0](x))
y.add_(1)
try:
    y.sum().backward()
    show("fine")
except RuntimeError as error:
    show(error)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [torch.nn.Linear(2, 2)]
        self.w = torch.ones(2, requires_grad=True)
        self.p = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("b", torch.zeros(2))


show([n for n, _ in Net().named_parameters()], list(Net().state_dict()), Net())
try:
    net(torch.ones(4, 3))
except RuntimeError as error:
    show(error)


# %% Printing of what a user looks at
x = torch.tensor([1.0, float("nan"), 1e10, -0.0], requires_grad=True)
y = x * 2
z = y[1:]
for v in (
    x,
    y,
    z,
    y.sum(),
    x.detach(),
    y.view(2, 2),
    x > 0,
    x.double(),
    y.half(),
    x.to(torch.complex64),
    torch.nn.Parameter(x.detach()),
    y.grad_fn,
    y.grad_fn.next_functions,
    torch.zeros(0, requires_grad=True),
    z._base is y,
    x.grad,
    [x, y],
):
    show(v)
y.add_(1)
show(y, y.grad_fn)
z.mul_(2)
show(y, z, y.grad_fn)
y.relu_()
show(y, z)


# %% Accumulation into one .grad from several places
# Accumulation into one .grad from views, expand, and the same tensor twice.
x = torch.ones(3, requires_grad=True)
(x.expand(2, 3) * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad)
x.grad = None
(x[0] * x[1] + x[0] * 2).backward()
show(x.grad)
x.grad = None
torch.cat([x, x, x[:1]]).sum().backward()
show(x.grad)
x.grad = None
torch.stack([x, x * 2]).prod().backward()
show(x.grad)
x.grad = None
(x @ x).backward()
show(x.grad)
x.grad = None
(x * x * x).sum().backward()
show(x.grad)
x.grad = None
torch.where(x > 0, x, x * 5).sum().backward()
show(x.grad)
x.grad = None
x.unbind()[1].backward()
show(x.grad)
x.grad = None
sum(x).backward()
show(x.grad)
x.grad = None
max(x).backward()
show(x.grad)
x.grad = None
x.split(2)[1].sum().backward()
show(x.grad)
x.grad = None
a, b, c = x
(a * b).backward()
show(x.grad)
x.grad = None
x.roll(1).cumsum(0)[0].backward()
show(x.grad)


# %% An error in a hook
x = torch.tensor([0.0, 1.0], requires_grad=True)
y = x * 2


def bad(g):
    raise KeyError("mine")


y.register_hook(bad)
try:
    y.sum().backward()
except KeyError as error:
    show(error, x.grad)


# %% What requires grad without an input that does
# Requires grad of results of functions without an input that does, factories like, and outer products with constants.
x = torch.ones(2, requires_grad=True)
for code in (
    "torch.zeros_like(x)",
    "torch.ones_like(x, requires_grad=True)",
    "x.new_zeros(2)",
    "x.new_tensor([1., 2.])",
    "torch.empty_like(x).fill_(1)",
    "torch.full_like(x, 2.)",
    "x.new_full((2,), 3.)",
    "torch.zeros(2).copy_(x)",
    "torch.zeros(2).set_(x)",
    "torch.zeros(2, 2).index_copy(0, torch.tensor([0]), x[None])",
    "torch.zeros(2).fill_(x[0])",
    "torch.zeros(2).masked_fill(torch.tensor([True, False]), x[0])",
    "torch.outer(x, torch.ones(2))",
    "torch.tensor([1., 2.]).add_(x)",
    "torch.add(x, 1, out=torch.zeros(2))",
    "x.shape",
    "x.size(0)",
    "x.numel()",
    "x.stride()",
    "x.ne(1)",
    "torch.equal(x, x)",
    "torch.allclose(x, x + 0)",
    "x.item() if x.numel() == 1 else x.sum().item()",
    "torch.linspace(0, 1, 3)",
    "x.bernoulli()",
    "torch.rand_like(x).shape",
    "x.isnan()",
    "x.nonzero()",
    "x.unique()",
    "torch.histc(x, 2)",
    "x.floor()",
    "x.frac()",
    "x.trunc()",
    "x.data.requires_grad",
    "x.detach().requires_grad",
    "x.clone().detach_()",
    "x.detach_()",
    "x",
):
    try:
        r = eval(code)
        show(code, r, getattr(r, "requires_grad", None), getattr(r, "is_leaf", None))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% detach_ of what others were computed from
# detach_ of what others were computed from; clone of a view; data swap in a graph.
x = torch.ones(2, requires_grad=True)
y = x * 2
z = y * 3
y.detach_()
show(y.requires_grad, y.is_leaf, y.grad_fn)
z.sum().backward()
show(x.grad)
v = (x * 2).view(2, 1)
try:
    v.detach_()
except RuntimeError as error:
    show(error)
y = x * x
x.data = torch.full((2,), 10.0)
y.sum().backward()
show(x.grad, x)
y = x * x
x.data.mul_(0)
y.sum().backward()
show(x.grad)
y = x * x
x.detach().add_(1)
try:
    y.sum().backward()
    show(x.grad)
except RuntimeError as error:
    show(error)


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


# %% Hidden states kept between steps, detached or not
# Loops over a graph: the hidden state kept between steps, detached or not.
w = torch.tensor(0.5, requires_grad=True)
for cut in (True, False):
    h = torch.tensor(1.0)
    w.grad = None
    try:
        for step in range(3):
            if cut:
                h = h.detach()
            h = torch.tanh(w * h)
            h.backward()
            show(cut, step, w.grad)
    except RuntimeError as error:
        show(cut, step, error)
h = torch.tensor(1.0)
w.grad = None
losses = []
for step in range(3):
    h = torch.tanh(w * h)
    losses.append(h)
sum(losses).backward()
show(w.grad)
total = 0.0
w.grad = None
for step in range(3):
    loss = (w * step) ** 2
    total += loss
show(total, total.requires_grad)
total.backward()
show(w.grad)


# %% Swapping halves in place and reading an old view
# Swapping halves in place, writing a result into its own input, and reading an old view afterwards.
x = torch.arange(4.0, requires_grad=True)
y = x * 1
a, b = y[:2], y[2:]
t = a.clone()
a.copy_(b)
b.copy_(t)
(y * torch.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
show(y, x.grad)
show(a, b, a._version, t._version)
y = x * 1
old = y[0]
s = old * 2
y[0] = 5
show(old, s, old.grad_fn.name())
x.grad = None
(old + s).backward()
show(x.grad)
y = x.sigmoid()
v = y[1]
y.mul_(2)
x.grad = None
try:
    v.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)


# %% out=, with and without gradients, and its shape and dtype
x = torch.ones(2, requires_grad=True)
o = torch.empty(2)
for code in (
    "torch.mul(x, 2, out=o)",
    "torch.mul(x.detach(), 2, out=o)",
    "torch.mul(torch.ones(2), 3, out=o)",
    "torch.mul(torch.ones(2).double(), 2, out=o)",
    "torch.mul(torch.ones(2), 2, out=torch.empty(2, dtype=torch.long))",
    "torch.mul(torch.ones(2), 2, out=x)",
    "torch.sum(torch.ones(2), out=o)",
    "torch.max(torch.ones(2, 2), 0, out=(torch.empty(2), torch.empty(2, dtype=torch.long)))",
    "torch.mul(o, 2, out='a')",
    "o.mul(2, out=o)",
    "torch.add(o, o, out=o)",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)
with torch.no_grad():
    show(torch.mul(x, 3, out=o), torch.mul(o, 3, out=x), x.grad_fn)


# %% Functions that everyone writes wrong: which line raises
# Checkpoints of thought: which line raises in a function that everyone writes wrong.
def softmax(x):
    e = torch.exp(x)
    e /= e.sum(-1, keepdim=True)
    return e


def normalise(x):
    x -= x.mean()
    x /= x.std()
    return x


def clip(x):
    x[x > 1] = 1
    return x


def first(x):
    x.data.clamp_(max=1)
    return x * 2


x = torch.tensor([0.5, 1.5, 2.0], requires_grad=True)
for f in (softmax, normalise, clip, first):
    for arg in (x, x * 1, x.detach().clone()):
        x.grad = None
        try:
            r = f(arg)
            show(f.__name__, r)
            r.sum().backward()
            show(x.grad)
        except RuntimeError as error:
            show(f.__name__, str(error).split("Hint")[0])


# %% The pieces of unbind, split, chunk and where
# The pieces of unbind, split, chunk and where() with indices, written and differentiated.
x = torch.arange(4.0, requires_grad=True)
y = x * 1
for code in (
    "y.unbind()[0]",
    "y.split(2)[0]",
    "y.chunk(2)[1]",
    "torch.where(y > 1)[0]",
    "y.tensor_split(2)[0]",
    "y.view(2, 2).unbind(1)[0]",
    "next(iter(y))",
    "y.unsafe_split(2)[0]",
    "y.hsplit(2)[0]",
    "y.view(2, 2).vsplit(2)[0]",
    "torch.split(y, [1, 3])[1]",
):
    p = eval(code)
    show(code, p._is_view(), p.grad_fn and p.grad_fn.name(), p.output_nr)
    try:
        p.mul_(2)
        show(y, y._version)
    except RuntimeError as error:
        show(error)
    try:
        p.sum().backward(retain_graph=True)
        show(x.grad)
    except RuntimeError as error:
        show(str(error))
    x.grad = None


# %% Saved tensors and versions
# Saved tensors and versions, as a curious user finds them.
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
z = y * x
s = z.sum()
n = z.grad_fn
show(
    n._saved_self,
    n._saved_other,
    y.grad_fn._saved_result is y,
    y.grad_fn._saved_result.grad_fn is y.grad_fn,
    n.next_functions[1][0].variable is x,
    n.metadata,
    n.name(),
    n.requires_grad if hasattr(n, "requires_grad") else None,
    s.grad_fn._saved_self_sym_sizes,
    len(s.grad_fn.next_functions),
)
s.backward()
for code in (
    "n._saved_self",
    "y.grad_fn._saved_result",
    "s.grad_fn._saved_self_sym_sizes",
    "n(torch.ones(2))",
    "n.next_functions",
):
    try:
        show(code, eval(code))
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
