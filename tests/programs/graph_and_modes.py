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
