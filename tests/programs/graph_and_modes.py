# %% Gradient edges, nodes and their names
g = torch.autograd.graph
x = torch.ones(2, requires_grad=True)
show(repr(g.GradientEdge(None, 0)), g.GradientEdge._fields)
attempt(lambda: g.get_gradient_edge(3))
attempt(lambda: g.get_gradient_edge(g.get_gradient_edge(x)) is not None)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, gr):
        return gr * 2


e = g.get_gradient_edge(F.apply(x))
show(e.ownership_token is None, type(e.node).__name__, torch.autograd.grad(e, x, torch.ones(2)))
attempt(lambda: g.increment_version(None))
attempt(lambda: g.increment_version([x, 3]))
attempt(lambda: g.increment_version([]))
attempt(lambda: g.increment_version(x))
show(x._version)
with torch.inference_mode():
    i = torch.ones(1)
attempt(lambda: g.increment_version(i))
with g.save_on_cpu() as s:
    show(s)
with g.saved_tensors_hooks(lambda t: t, lambda t: t) as s:
    show(s)
show(
    isinstance(g.save_on_cpu(), g.saved_tensors_hooks),
    issubclass(type((x * 1).grad_fn), g.Node),
    issubclass(int, g.Node),
    isinstance((x * 1).grad_fn.next_functions[0][0], g.Node),
    isinstance(F.apply(x).grad_fn, g.Node),
)
h = g.register_multi_grad_hook([x], lambda gs: show("multi", gs))
x.sum().backward()
h.remove()
h.remove()
x.sum().backward()
attempt(lambda: g.register_multi_grad_hook(x, lambda gs: show("one", len(gs))))


# %% Grad modes as functions, decorators and context managers
x = torch.ones(2, requires_grad=True)
show(
    torch.is_grad_enabled(),
    torch.is_inference_mode_enabled(),
    torch.autograd.is_grad_enabled() if hasattr(torch.autograd, "is_grad_enabled") else True,
)


@torch.no_grad()
def f():
    return x * 2


@torch.enable_grad()
def g():
    return x * 2


@torch.set_grad_enabled(False)
def h():
    return x * 2


@torch.no_grad
def k():
    yield x * 2
    with torch.enable_grad():
        yield x * 3


show(
    f().requires_grad,
    g().requires_grad,
    h().requires_grad,
    [v.requires_grad for v in k()],
    torch.is_grad_enabled(),
)
with torch.no_grad():
    show(g().requires_grad)
    torch.set_grad_enabled(True)
    show((x * 2).requires_grad)
show(torch.is_grad_enabled())
torch.set_grad_enabled(False)
show((x * 2).requires_grad)
torch.set_grad_enabled(True)
c = torch.no_grad()
with c:
    with c:
        show(torch.is_grad_enabled())
    show(torch.is_grad_enabled())
show(torch.is_grad_enabled())
try:
    with torch.no_grad():
        raise ValueError("out")
except ValueError:
    show(torch.is_grad_enabled())


@torch.no_grad()
class K:
    def __init__(self):
        self.r = (x * 2).requires_grad


show(K().r)


async def co():
    return torch.is_grad_enabled()


for bad in (1, None, "a"):
    try:
        torch.set_grad_enabled(bad)
    except TypeError as e:
        show(e)


# %% Operations in inference mode that write to their results
with torch.inference_mode():
    x, w = torch.ones(3), torch.eye(3)
    for result in (
        x @ w,
        torch.nn.functional.linear(x, w),
        torch.nn.functional.one_hot(torch.tensor([1, 0])),
        torch.arange(3, out=torch.zeros(3, dtype=torch.int64)),
    ):
        show(result, result.is_inference())


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
