# %% Hooks after accumulation: order, removal, and .grad set to None
x = torch.ones(2, requires_grad=True)
h = x.register_post_accumulate_grad_hook(lambda p: show("post", p is x, p.grad))
x.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
(x * 2).sum().backward()
show(x.grad)
h.remove()
(x * 2).sum().backward()
show(x.grad)
torch.autograd.grad((x * 2).sum(), x)
for f in (
    lambda: (x * 2).register_post_accumulate_grad_hook(print),
    lambda: torch.ones(2).register_post_accumulate_grad_hook(print),
):
    try:
        f()
    except RuntimeError as e:
        show(e)
y = torch.ones(2, requires_grad=True)
y.register_hook(lambda g: show("tensor", g))
y.register_post_accumulate_grad_hook(lambda p: show("accumulated", p.grad, torch.is_grad_enabled()))
(y * 2).sum().backward()
(y * 2).sum().backward(create_graph=True)


# %% A hook after accumulation that returns a number
x = torch.ones(2, requires_grad=True)
x.register_post_accumulate_grad_hook(lambda p: 3)
x.sum().backward()


# %% get_gradient_edge
from_ = torch.autograd.graph
x = torch.ones(2, requires_grad=True)
y = x.exp()
e = from_.get_gradient_edge(x)
show(type(e).__name__, e.node, e.output_nr, e.node.variable is x, e[1])
e = from_.get_gradient_edge(y)
show(e.node is y.grad_fn, e.output_nr)
a, b = y.split(1)
show(from_.get_gradient_edge(b).output_nr)
show(torch.autograd.grad(y.sum(), e), torch.autograd.grad(from_.get_gradient_edge(x * 3), x, torch.ones(2)))
show(torch.autograd.grad((x * 3).sum(), from_.get_gradient_edge(x)))
torch.autograd.backward(from_.get_gradient_edge(x * 3), torch.ones(2))
show(x.grad)
from_.get_gradient_edge(torch.ones(2))


# %% increment_version
from_ = torch.autograd.graph
x = torch.ones(2, requires_grad=True)
y = x * 1
z = y * y
show(y._version)
from_.increment_version(y)
show(y._version)
from_.increment_version([y, y])
show(y._version)
try:
    z.sum().backward()
except RuntimeError as e:
    show(e)
show(issubclass(type(z.grad_fn), from_.Node), isinstance(z.grad_fn, from_.Node), isinstance(3, from_.Node))
from_.increment_version(3)


# %% register_multi_grad_hook in both modes
from_ = torch.autograd.graph
a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
h = from_.register_multi_grad_hook((a, b, c), lambda gs: show("all", gs))
(a * b).sum().backward(retain_graph=True)
(a * b).sum().backward()
(a * b * c).sum().backward()
h.remove()
(a * b).sum().backward()
from_.register_multi_grad_hook((a, b, c), lambda g: show("any", g), mode="any")
(a * b * 3).sum().backward()
try:
    from_.register_multi_grad_hook((a, b), show, mode="some")
except ValueError as e:
    show(e)
from_.register_multi_grad_hook((a, torch.ones(2)), show)


# %% saved_tensors_hooks that double and halve
from_ = torch.autograd.graph


def pack(t):
    show("pack", t)
    return t * 2


def unpack(t):
    show("unpack", t)
    return t / 2


x = torch.tensor([2.0, 3.0], requires_grad=True)
with from_.saved_tensors_hooks(pack, unpack):
    y = x * x
show(y.grad_fn._saved_self, y.grad_fn._saved_other is x)
y.sum().backward()
show(x.grad)
with from_.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), lambda a: torch.from_numpy(a)):
    y = (x * 2).exp().sum()
y.backward()
show(x.grad)
with from_.saved_tensors_hooks(pack, lambda t: 3):
    y = x * x
try:
    y.sum().backward()
except TypeError as e:
    show(e)


def bad(t):
    t.mul_(2)
    return t


with from_.saved_tensors_hooks(bad, unpack):
    y = x.exp()


# %% saved_tensors_hooks nested, and with a Function
from_ = torch.autograd.graph


def pack(t):
    show("pack", t)
    return [t]


def unpack(t):
    show("unpack", t)
    return t[0]


def pack2(t):
    show("pack2", t)
    return (t,)


x = torch.tensor([2.0, 3.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        r = x.exp()
        ctx.save_for_backward(x, r)
        return r

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[1]


with from_.saved_tensors_hooks(pack, unpack):
    with from_.saved_tensors_hooks(pack2, unpack):
        y = F.apply(x)
    z = y.sin()
z.sum().backward()
show(x.grad)


def f(a, b):
    pass


with from_.saved_tensors_hooks(pack, unpack):
    with torch.no_grad():
        x * x
    y = x.exp()
    y.add_(1)
y.sum().backward()


# %% save_on_cpu
from_ = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)
with from_.save_on_cpu():
    y = (x * x).sin().sum()
y.backward()
show(x.grad)
with from_.save_on_cpu(pin_memory=False):
    z = x**3
z.sum().backward(create_graph=True)
show(x.grad)
with from_.disable_saved_tensors_hooks("not here"):
    y = x * x
    try:
        with from_.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass
    except RuntimeError as e:
        show(e)
with from_.saved_tensors_hooks(lambda t: t, lambda t: t):
    try:
        with from_.disable_saved_tensors_hooks("not here"):
            pass
    except RuntimeError as e:
        show(e)
with from_.saved_tensors_hooks(lambda t: t, lambda t: t):
    show((x * x).sum())


# %% inference_mode: what is made inside
with torch.inference_mode():
    x = torch.ones(3)
    y = x * 2
    v = x[1:]
    show(
        x.is_inference(),
        y.is_inference(),
        v.is_inference(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        x,
    )
    x.add_(1)
    show(x)
    with torch.inference_mode(False):
        show(torch.ones(1).is_inference(), torch.is_grad_enabled(), torch.is_inference_mode_enabled())
    p = torch.ones(2, requires_grad=True)
    show(p.requires_grad, p, (p * 2).requires_grad)
show(
    torch.is_inference_mode_enabled(),
    torch.ones(1).is_inference(),
    x.is_inference(),
    x.requires_grad,
    x.clone().is_inference(),
    x[0].is_inference(),
    x.detach().is_inference(),
    (x * 2).is_inference(),
    x.view(3).is_inference(),
    x.data.is_inference(),
)
w = torch.ones(3, requires_grad=True)
for f in (
    lambda: x.add_(1),
    lambda: x.mul_(w),
    lambda: x.__setitem__(0, 1),
    lambda: w * x,
    lambda: (w + x).requires_grad,
    lambda: x._version,
    lambda: x.requires_grad_(),
    lambda: setattr(x, "requires_grad", True),
    lambda: x.clone().mul_(w).grad_fn,
    lambda: (w * x.clone()).sum().backward(),
    lambda: torch.add(x, 1, out=x),
    lambda: torch.mul(w, w, out=x),
    lambda: x.zero_(),
    lambda: w.grad is None,
    lambda: x.copy_(w),
    lambda: x.t_(),
    lambda: x.view(3).add_(1),
    lambda: torch.matmul(w, x),
    lambda: torch.sin(x).shape,
    lambda: w.copy_(x),
):
    try:
        show(f())
    except RuntimeError as e:
        show(e)


# %% inference_mode: what was made outside, and versions
w = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    v = w[1:]
    z = w * 2
    show(v.is_inference(), z.is_inference(), z.requires_grad, v.requires_grad, w.is_inference(), v._base is w)
    w.add_(1)
    show(w._version, w)
n = torch.ones(3)
with torch.inference_mode():
    v = n.view(3)
    show(v.is_inference(), v._version)
    n.add_(1)
    show(n._version)
    n[0] = 5
    q = n.mul_(2)
    show(q.is_inference(), q is n)
show(n, n._version)


@torch.inference_mode()
def f(t):
    return t * 2


@torch.inference_mode
def g(t):
    return t * 2


show(f(w), f(w).is_inference(), g(w).is_inference())
with torch.inference_mode():
    v = n[1:]
try:
    v.add_(1)
    show(v, n, v._version)
except RuntimeError as e:
    show(e)
try:
    v.mul_(w[1:])
    show(v)
except RuntimeError as e:
    show(e)


# %% inference_mode nested with the grad modes
with torch.inference_mode():
    with torch.no_grad():
        show(torch.ones(1).is_inference())
    with torch.enable_grad():
        show(torch.is_grad_enabled())
        p = torch.ones(2, requires_grad=True)
        q = p * 2
        show(q.requires_grad, q.is_inference())
show(torch.is_grad_enabled(), repr(torch.inference_mode)[:0])
with torch.no_grad():
    with torch.inference_mode():
        pass
    show(torch.is_grad_enabled())


# %% Anomaly mode finds the first nan
show(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
with torch.autograd.detect_anomaly():
    show(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    x = torch.tensor([-1.0], requires_grad=True)
    y = x.sqrt()
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        try:
            y.backward()
        except RuntimeError as e:
            show(e)
        lines = str(caught[0].message).partition(" (Triggered")[0].rstrip().splitlines()
        show(lines[0], lines[-1])
    x.sqrt().backward
    z = x * 1
try:
    z.sqrt().backward()
except RuntimeError as e:
    show(e)
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    show(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    y = x.sqrt()
    y.backward()
    show(x.grad)
show(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(True)
show(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(False)
torch.autograd.set_detect_anomaly(mode=False)
torch.set_anomaly_enabled(True, False)
show(torch.is_anomaly_check_nan_enabled())
torch.set_anomaly_enabled(False)


# %% Calling a node
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
show(
    y.grad_fn(torch.ones(2)),
    (x * x).grad_fn(torch.ones(2)),
    (x * x).sum().grad_fn(torch.tensor(2.0)),
    y.grad_fn.next_functions[0][0].variable is x,
)
show(callable(y.grad_fn), isinstance(y.grad_fn, torch.autograd.graph.Node))
y.grad_fn.next_functions[0][0](torch.ones(2))
show(x.grad)


# %% Generators in a grad mode: what is thrown into them, their end and their value
def generator():
    try:
        got = yield torch.is_grad_enabled()
        show(got, torch.is_grad_enabled())
        yield 1
    except ValueError as error:
        show(error, torch.is_grad_enabled())
        yield 2
    finally:
        show("over", torch.is_grad_enabled())
    return 3


for mode in (torch.no_grad(), torch.enable_grad(), torch.set_grad_enabled(False), torch.inference_mode()):
    for action in (
        lambda g: g.throw(ValueError("thrown")),
        lambda g: g.throw(KeyError("thrown")),
        lambda g: g.throw(StopIteration(5)),
        lambda g: (g.send(4), list(g)),
        lambda g: g.close(),
    ):
        g = mode(generator)()
        show(next(g), torch.is_grad_enabled())
        attempt(lambda: show(action(g)))
        show(torch.is_grad_enabled())


# %% Hooks for several tensors, of which one is the root
graph = torch.autograd.graph
x = torch.eye(2, requires_grad=True)
for root, inputs in ((2, (1,)), (2, (0,)), (3, (1,)), (2, (1, 2)), (3, (1, 2))):
    part = x.chunk(2)[1]
    moved = part.movedim(0, -1)
    tensors = (x, part, moved, moved * 2)
    handle = graph.register_multi_grad_hook(
        [part, moved], lambda grads: show([g if g is None else tuple(g.shape) for g in grads])
    )
    part.register_hook(lambda g: show("hook of part"))
    torch.autograd.grad(tensors[root], [tensors[i] for i in inputs], torch.ones_like(tensors[root]))
w = torch.tensor(2.0, requires_grad=True)
loss = w * w
handle = graph.register_multi_grad_hook([loss, w], lambda grads: show("both", grads))
loss.backward()


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


# %% A hook on the node of a leaf, which only graphs hold
x = torch.ones(2, requires_grad=True)
y = x * 1
torch.autograd.graph.get_gradient_edge(x).node.register_hook(lambda *g: show("after", g))
h = torch.autograd.graph.get_gradient_edge(x).node.register_prehook(lambda *g: show("before", g))
y.sum().backward()
y = (x * x + x).exp()  # made while the first graph is there
y.sum().backward()
h.remove()
y.sum()
y = x.sin()
y.sum().backward()
del y
(x * 3).sum().backward()  # the graph and the hooks are gone
torch.autograd.graph.get_gradient_edge(x).node.register_hook(lambda *g: show("never", g))
(x * 3).sum().backward()


# %% Inference tensors that require grad: a call on them alone is not recorded
with torch.inference_mode():
    x = torch.ones(2, requires_grad=True)
    p = torch.nn.Parameter(torch.ones(2))
    q = torch.ones(2).requires_grad_()
    layer = torch.nn.Linear(2, 2)
    batch = torch.ones(1, 2)
w = torch.ones(2)
for y in (
    x * x,
    x + p,
    q.exp(),
    torch.cat([x, q]),
    x @ p,
    x.sum(),
    x[0],
    x.view(1, 2),
    torch.where(w > 0, x, q),
):
    show(y.requires_grad, y.grad_fn, y.is_inference())
for y in (x * w, w + p, torch.cat([q, w]), layer(torch.ones(1, 2)), layer(batch), w.clone().mul_(x)):
    show(y.requires_grad, y.is_inference(), y.grad_fn and y.grad_fn.name())
for f in (lambda: x.mul_(2), lambda: w.mul_(2).requires_grad_().clone() * x, lambda: x.sum().backward()):
    try:
        f()
    except RuntimeError as e:
        show(e)
del x, p, q, layer, y, f
with torch.inference_mode():
    pass
show((w.detach() * w).grad_fn)
