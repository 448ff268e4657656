# %% grad, vjp and jvp of trees, with auxiliary results
F = torch.func
from collections import OrderedDict, namedtuple

P = namedtuple("P", "w b")
x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0])
show(
    F.grad(lambda v: v.sin().sum())(x),
    F.grad_and_value(lambda v: (v * v).sum())(x),
    F.grad(F.grad(torch.sin))(x[0]),
)
show(
    F.grad(lambda v, w: (v * w).sum(), argnums=1)(x, y),
    F.grad(lambda v, w: (v * w).sum(), argnums=(0, -1))(x, y),
    F.grad(lambda v, w: (v * w).sum(), argnums=(1,))(x, y),
)
show(
    F.grad(lambda p: (p.w * x + p.b).prod())(P(y, x)),
    F.grad(lambda d: (d["a"][0] ** 2 * d["b"]).sum())({"a": [x], "b": y}),
    F.grad(lambda d: d["q"].sum())(OrderedDict(q=x)),
)
show(
    F.grad(lambda v: ((v * v).sum(), v * 2), has_aux=True)(x),
    F.grad_and_value(lambda v: ((v * v).sum(), {"k": v * 2, "x": x}), has_aux=True)(x),
    F.grad(lambda v, *, w: (v * w).sum())(x, w=y),
)
show(
    F.grad(lambda v: y.sum())(x),
    F.grad(lambda v: v.sum().detach())(x),
    F.grad(lambda v: (v.detach() * v).sum())(x),
    F.grad(F.grad(lambda v: v.detach() * v * v))(x[1]),
)
out, back = F.vjp(lambda v, w: (v * w, {"s": v.sum()}), x, y)
show(out, back((y, {"s": torch.tensor(2.0)})))
out, back, aux = F.vjp(lambda v: (v.exp(), v * 2), x, has_aux=True)
show(out, back(y), back(x), aux, F.vjp(lambda v: v, x)[0] is x)
show(F.grad(lambda c: back(c)[0].sum())(x), F.grad(lambda v: F.vjp(torch.sin, v)[1](y)[0].sum())(x))
show(
    F.jvp(torch.sin, (x,), (y,)),
    F.jvp(lambda v, w: (v * w, [w.exp()]), (x, y), (y, x)),
    F.jvp(lambda v: (v, x), (x,), (y,)),
    F.jvp(lambda v: (v * v, v), (x,), (y,), has_aux=True),
)
show(
    F.jvp(F.grad(lambda v: (v**3).sum()), (x,), (y,)),
    F.grad(lambda v: F.jvp(torch.sin, (v,), (y,))[1].sum())(x),
    F.jvp(lambda v: F.jvp(torch.exp, (v,), (v,))[1], (x,), (y,)),
)


# %% Transforms around recorded tensors, no_grad, hooks and writes
F = torch.func
x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0])
r = x.clone().requires_grad_()
show(
    F.grad(lambda v: (v * r).sum())(y),
    F.grad(lambda v: (v * y).sum())(r),
    F.grad_and_value(lambda v: (v * v * r).sum())(y),
)
show(F.grad(lambda v: (v * v).sum())(r), F.vjp(lambda v: v**3, r)[1](y), F.vjp(lambda v: v * 2, r)[1](r))
with torch.no_grad():
    show(
        F.grad(lambda v: (v * v * r).sum())(r),
        F.grad_and_value(lambda v: (v * v).sum())(x),
        F.vjp(lambda v: v * r, y)[1](y),
        F.jacrev(lambda v: v * r)(r),
        F.hessian(lambda v: (v**3).sum())(r),
    )
F.grad(lambda v: (v**3 * r).sum())(r).sum().backward()
show(r.grad)


def inner_no_grad(v):
    with torch.no_grad():
        w = v * v
        show(torch.is_grad_enabled(), w.requires_grad)
    return w * v


show(F.grad(inner_no_grad)(x[1]), F.grad(F.grad(inner_no_grad))(x[1]), F.jvp(inner_no_grad, (x[1],), (y[0],)))


def around(v):
    with torch.no_grad():
        g = F.grad(lambda u: u**3)(v)
    return g * v


show(F.grad(around)(x[2]))


def hooked(v):
    w = v * v
    w.register_hook(lambda g: g * 10)
    return w.sum()


show(F.grad(hooked)(x), F.grad(lambda v: F.grad(hooked)(v).sum())(x))


def written(v):
    w = v.clone()
    w.mul_(v)
    w[0] = w[1] * 3
    w[2:].add_(w[1])
    return (w * v).sum()


show(F.grad(written)(x), F.jacrev(F.grad(written))(x), F.jvp(written, (x,), (y,)), F.jacfwd(written)(x))
show(F.grad(lambda v: torch.autograd.grad((v * v).sum(), v, create_graph=True)[0].sum())(x))
show(F.grad(lambda v: (v * v[0].item()).sum() if v[0] > 0 else v.prod())(x))


# %% Jacobians and Hessians, forward and reverse
F = torch.func
x, y = torch.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]]), torch.tensor([0.5, -1.0, 2.0])
f = lambda v: v.sin() * v.sum()
J = [
    F.jacrev(f)(y),
    F.jacfwd(f)(y),
    torch.stack([F.vjp(f, y)[1](e)[0] for e in torch.eye(3)]),
    torch.autograd.functional.jacobian(f, y),
    torch.autograd.functional.jacobian(f, y, vectorize=True),
    torch.autograd.functional.jacobian(f, y, vectorize=True, strategy="forward-mode"),
]
show(J[0], [torch.allclose(J[0], j) for j in J], [j.shape for j in J])
show(F.jacrev(lambda v, w: (v @ w, {"a": w.sum() * v}), argnums=(0, 1))(x, y))
show(F.jacfwd(lambda v, w: (v @ w, {"a": w.sum() * v}), argnums=(0, 1))(x, y))
show(
    F.jacrev(lambda v, w: v @ w, argnums=-1)(x, y),
    F.jacfwd(lambda v, w: v @ w, argnums=1)(x, y),
    F.jacrev(lambda d: d["p"] * d["q"])({"p": y, "q": x}),
    F.jacfwd(lambda d: d["p"] * d["q"])({"p": y, "q": x}),
)
show(
    F.jacrev(lambda v: (v * v, v.sum()), has_aux=True)(y),
    F.jacfwd(lambda v: (v * v, v.sum()), has_aux=True)(y),
    F.jacrev(lambda v: v * v, chunk_size=1)(y),
    F.jacrev(lambda v: (v * v, v[:2]), chunk_size=2)(y),
    F.jacrev(torch.sum)(x),
    F.jacfwd(torch.sum)(x),
)
g = lambda v: (v**3).sum() + v.prod()
show(
    F.hessian(g)(y),
    F.jacfwd(F.jacrev(g))(y),
    F.jacrev(F.jacrev(g))(y),
    F.jacfwd(F.jacfwd(g))(y),
    F.jacrev(F.jacfwd(g))(y),
    F.jacrev(F.grad(g))(y),
    F.vmap(F.hessian(g))(x),
)
show(
    F.hessian(lambda a, b: (a * b**2).sum(), argnums=(0, 1))(y, y + 1),
    torch.autograd.functional.hessian(g, y),
    torch.autograd.functional.hessian(g, y, vectorize=True),
    torch.autograd.functional.hessian(g, y, vectorize=True, outer_jacobian_strategy="forward-mode"),
)
show(
    F.jvp(F.grad(g), (y,), (x[0],))[1],
    F.grad(lambda v: F.grad(g)(v) @ x[0])(y),
    F.vjp(F.grad(g), y)[1](x[0])[0],
    F.grad(lambda v: F.jvp(g, (v,), (x[0],))[1])(y),
    torch.autograd.functional.hvp(g, y, x[0])[1],
)
show(
    F.vmap(lambda v: F.jvp(F.grad(g), (v,), (y,))[1])(x),
    F.jacrev(F.vmap(g))(x),
    F.jacfwd(F.vmap(F.grad(g)))(x),
    F.jacfwd(F.jacfwd(F.jacfwd(lambda v: v.prod())))(y),
)


# %% vmap over gradients, dims and randomness
F = torch.func
x, w, t = torch.arange(6.0).view(2, 3) / 2, torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, -1.0])
f = lambda w, x: (x @ w).tanh()
show(
    F.vmap(f, (None, 0))(w, x),
    F.vmap(F.grad(f), (None, 0))(w, x),
    F.grad(lambda w: F.vmap(f, (None, 0))(w, x).sum())(w),
    F.vmap(F.grad(f, argnums=(0, 1)), (None, 0))(w, x),
)
show(
    F.vmap(F.grad(lambda w: F.vmap(f, (None, 0))(w, x).sum()))(x),
    F.vmap(F.vmap(lambda a, b: a * b + w, (None, 0)), (0, None))(x, x),
    F.vmap(F.vmap(lambda a: a * a, 0, 0), 1, 1)(x),
)
show(
    F.vmap(F.vmap(torch.dot, (None, 0)), (0, None))(x, x),
    F.vmap(torch.mv, (None, 0))(x.t() @ x, x),
    F.vmap(lambda v: F.vmap(lambda u: u * v.sum())(v))(x),
)
show(
    F.grad(lambda w: F.vmap(F.grad(f), (None, 0))(w, x).pow(2).sum())(w),
    F.vmap(F.grad(lambda w, x: F.grad(f)(w, x).sum()), (None, 0))(w, x),
)


def written(v):
    u = torch.zeros_like(v)
    u += v
    u[0] = v[1]
    u[1:].mul_(2)
    u.tanh_()
    return u


show(F.vmap(written)(x), F.vmap(F.grad(lambda v: written(v).sum()))(x), F.vmap(F.jacfwd(written))(x))


def modes(v):
    with torch.no_grad():
        a = v * 2
    show(torch.is_grad_enabled(), v.shape, v.dim(), v.size(0), v.numel(), len(v), v.requires_grad, v.dtype)
    return a * v


show(F.vmap(modes)(x), F.vmap(modes, in_dims=1, out_dims=-1)(x), F.vmap(F.grad(lambda v: modes(v).sum()))(x))
r = w.clone().requires_grad_()
z = F.vmap(f, (None, 0))(r, x)
show(z)
z.sum().backward()
show(r.grad)
show(
    F.vmap(F.grad(f), (None, 0))(r, x).requires_grad,
    F.vmap(lambda a, b, c: (a * c["k"][0], b), (0, None, {"k": [1]}), (1, None))(x, 3, {"k": [x.t()]}),
    torch.vmap is F.vmap or torch.vmap(torch.sum)(x),
)
show(
    F.vmap(lambda v: v.sum(), chunk_size=1)(x),
    F.vmap(lambda v: (v * 2, v.sum()), 1, (1, 0), chunk_size=2)(x),
    F.vmap(lambda v: w)(x),
    F.vmap(lambda v: {"a": v, "b": [v, w]})(x),
    F.vmap(torch.sin)(torch.ones(0, 2)),
)


def look(v):
    show(v)
    show(repr(v * 2), str(v))
    return v


F.vmap(look)(x)
F.vmap(look, 1)(x)
F.vmap(F.vmap(look))(x)
F.vmap(look)(x.clone().requires_grad_() * 2)


# %% functional_call and gradients per sample
F = torch.func
torch.manual_seed(3)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(1.0, p.numel() + 1).view_as(p) / (p.numel() + i) - 0.5)
x, t = torch.arange(15.0).view(5, 3) / 7 - 1, torch.tensor([0, 1, 1, 0, 1])
params = {k: v.detach() for k, v in net.named_parameters()}


def loss(params, x, t):
    return torch.nn.functional.cross_entropy(
        F.functional_call(net, params, (x.unsqueeze(0),)), t.unsqueeze(0)
    )


samples = F.vmap(F.grad(loss), (None, 0, 0))(params, x, t)
show(samples)
for i in range(5):
    net.zero_grad()
    torch.nn.functional.cross_entropy(net(x[i : i + 1]), t[i : i + 1]).backward()
    show([torch.allclose(samples[k][i], p.grad, atol=1e-6) for k, p in net.named_parameters()])
show(F.vmap(F.grad_and_value(loss), (None, 0, 0), chunk_size=2)(params, x, t)[1])
show(
    {k: v + 0.0 for k, v in F.jacrev(lambda p: F.functional_call(net, p, x[0]))(params).items()},
    F.jacfwd(lambda p: F.functional_call(net, p, x[:2]))(params)["2.bias"],
)
nets = [torch.nn.Linear(3, 2) for _ in range(3)]
with torch.no_grad():
    for i, n in enumerate(nets):
        n.weight.copy_(torch.arange(6.0).view(2, 3) / (i + 1))
        n.bias.fill_(i)
stacked, buffers = F.stack_module_state(nets)
show(stacked, buffers, stacked["weight"].is_leaf)
out = F.vmap(lambda p, b, x: F.functional_call(nets[0], (p, b), (x,)), (0, 0, None))(stacked, buffers, x)
show(out, out.shape)
out.sum().backward()
show(stacked["weight"].grad, nets[0].weight.grad)
show(F.vmap(lambda p, x: F.functional_call(nets[0], p, (x,)))(stacked, x[:3]).detach())
batch = torch.nn.BatchNorm1d(3)
batch.eval()
show(
    F.functional_call(batch, {"running_mean": torch.ones(3)}, x),
    F.stack_module_state([batch, torch.nn.BatchNorm1d(3).eval()])[1],
)


# %% functional_call with tied, missing and unknown parameters
F = torch.func
m, x = torch.nn.Linear(2, 1), torch.ones(2)
with torch.no_grad():
    m.weight.fill_(2)
    m.bias.fill_(3)
w = {"weight": torch.ones(1, 2)}


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(1))
        self.b = self.a
        self.register_buffer("c", torch.zeros(1))
        self.register_buffer("d", None)

    def forward(self, x):
        self.c = self.c + 1
        return x * self.a + self.b


def attempt(*args, **kwargs):
    try:
        show(F.functional_call(*args, **kwargs))
    except (TypeError, RuntimeError, ValueError, AttributeError, KeyError) as e:
        show(type(e), e)


for a in (x, (x,)):
    attempt(m, w, a)
for p in (
    {**w, "foo": x},
    {**w, "foo.bar": x},
    (w, {"bias": x[:1]}),
    (w, w),
    [w],
    3,
    (w, 3),
    {"weight": 3},
    {"": x},
    {"forward": x},
    {"in_features": x},
):
    attempt(m, p, x)
attempt(m, w, x, strict=True)
attempt(m, {**w, "a.b": x, "foo": x}, x, strict=True)
attempt(m, w, kwargs={"input": x})
attempt(m, w)
show(m.weight, hasattr(m, "foo"))
tied, one, two = Tied(), torch.ones(1), torch.tensor([5.0])
for p in ({"a": two}, {"a": one, "b": two}, {"a": two, "b": two}, {"d": one}):
    attempt(tied, p, one)
    attempt(tied, p, one, tie_weights=False)
c = {"c": two}
attempt(tied, c, one)
show(c, tied.c)
attempt(tied, {"a": one, "c": one}, one, strict=True)


def attempt(models):
    try:
        show(F.stack_module_state(models))
    except RuntimeError as e:
        show(e)


other = torch.nn.Linear(2, 1)
attempt([])
attempt([m, tied])
other.eval()
attempt([m, other])
other.train()
other.weight.requires_grad_(False)
attempt([m, other])
attempt([m, torch.nn.Linear(3, 1)])
attempt(torch.nn.ModuleList([m, m]))


# %% What grad, vjp and jvp refuse
F = torch.func
x, y, s = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0]), torch.tensor(3.0)


def attempt(f, *args):
    try:
        show(f(*args))
    except (TypeError, RuntimeError, ValueError, AssertionError, IndexError) as e:
        show(type(e), e)


for g in (F.grad, F.grad_and_value):
    for f in (
        lambda v: v,
        lambda v: 3,
        lambda v: (v.sum(),),
        lambda v: None,
        lambda v: v.sum().int(),
        lambda v: v.sum() * 1j,
        lambda v: v[:1],
    ):
        attempt(g(f), x)
    for f in (
        lambda v: v.sum(),
        lambda v: (v.sum(), 3),
        lambda v: (v.sum(), None),
        lambda v: (v.sum(), [v]),
        lambda v: [v.sum(), v],
    ):
        attempt(g(f, has_aux=True), x)
    for n in (2, -3, (0, 0), (0, -2), (), [0], (0, "a"), None, "b"):
        attempt(g(lambda v, w: (v * w).sum(), argnums=n), x, y)
    attempt(g(lambda v: v), 3.0)
    attempt(g(lambda v: v["a"].sum()), {"a": x, "b": 3})
    attempt(g(lambda v: v.sum()), torch.arange(3))
    attempt(g(lambda: s))
    attempt(g(lambda v: v.abs().sum()), x * (1 + 1j))


def attempt_vjp(f, *args, **kwargs):
    attempt(lambda: F.vjp(f, *args, **kwargs)[0])


attempt_vjp(lambda v: v, 3.0)
attempt_vjp(lambda: s)
attempt_vjp(lambda v: None, s)
attempt_vjp(lambda v: (), s)
attempt_vjp(lambda v: 3, s)
attempt_vjp(lambda v: v.int(), s)
attempt_vjp(lambda v: v, s, has_aux=True)
attempt_vjp(lambda v: [v, 3], s)
attempt_vjp(lambda v: v, torch.tensor(3))
attempt_vjp(lambda v: (v, 3), s, has_aux=True)
back = F.vjp(lambda v, w: {"a": v * w, "b": v}, x, s)[1]
for c in ({"a": x, "b": x}, x, {"b": x, "a": x}, {"a": x, "b": None}, {"a": x, "b": 3}):
    attempt(back, c)


def attempt_jvp(f, p, t, **kwargs):
    attempt(lambda: F.jvp(f, p, t, **kwargs))


attempt_jvp(lambda v: v, s, s)
attempt_jvp(lambda v: v, (s,), s)
attempt_jvp(lambda v: v, (s,), (x,))
attempt_jvp(lambda v: s, (s,), (s,), strict=True)
attempt_jvp(lambda v: 3, (s,), (s,))
attempt_jvp(lambda v: None, (s,), (s,))
attempt_jvp(lambda v: (), (s,), (s,))
attempt_jvp(lambda v: v, (s,), (s,), has_aux=True)
attempt_jvp(lambda v: v, (), ())
attempt_jvp(lambda v: v, (3.0,), (s,))
attempt_jvp(lambda v: v, (s,), (3.0,))
attempt_jvp(lambda v: v, (torch.tensor(3),), (torch.tensor(1),))
attempt_jvp(lambda v: v.int(), (s,), (s,))
attempt_jvp(lambda v: v, {"a": s}, {"a": s})
attempt_jvp(lambda v, w: v, (s, s), (s,))
attempt_jvp(lambda v: (v, 3), (s,), (s,), has_aux=True)
for api in (F.jacrev, F.jacfwd):
    for n in (1, (0, 0), [0], (), "a"):
        attempt(api(lambda v: v, argnums=n), x)
    attempt(api(lambda v: v), x * 1j)
    attempt(api(lambda v: v * 1j), x)
    attempt(api(lambda v: 3), x)
    attempt(api(lambda v: v), 3)
    attempt(api(lambda v: v, has_aux=True), x)
attempt(lambda: F.jacrev(lambda v: v, chunk_size=0))
attempt(F.hessian(lambda v: v), 3)
attempt(F.jacrev(lambda v: v.int()), x)
out, f = F.linearize(lambda v: v * v, x)
for t in (y, s, y.double(), (y,), 3):
    attempt(f, t)
attempt(f)
attempt(f, y, y)
attempt(F.grad(lambda v: (v.mul_(2), v.sum())[1]), x)
attempt(F.grad(lambda v: (v[0].mul_(2), v.sum())[1]), x)
show(x)


# %% What vmap refuses
F = torch.func
import functools

x, y, s = torch.arange(6.0).view(2, 3), torch.arange(3.0), torch.tensor(2.0)


def attempt(f, *args, **kwargs):
    try:
        show(f(*args, **kwargs))
    except (TypeError, RuntimeError, ValueError, IndexError, NotImplementedError) as e:
        show(type(e), e)


def f(a, b=None):
    return a * 2


attempt(F.vmap(f), 3)
attempt(F.vmap(f))
attempt(F.vmap(f), s)
attempt(F.vmap(f, 2), x)
attempt(F.vmap(f, -3), x)
attempt(F.vmap(f, (0, None)), x)
attempt(F.vmap(lambda a, b: a, (0, 1)), x, x)
attempt(F.vmap(lambda a, b: a), x, y)
attempt(F.vmap(f, (None,)), x)
for d in (0.5, [0], None, "a", {"a": 0}):
    attempt(F.vmap(f, d), x)
attempt(F.vmap(lambda d: d["a"], ({"a": 0, "c": 0},)), {"a": x, "b": [y]})
attempt(F.vmap(lambda d: d[0], ((0, "a"),)), (x, y))
attempt(F.vmap(lambda d: d[0], ((0, 0),)), (x, 3))
attempt(F.vmap(lambda d: d[0], ([0, 0],)), (x, 3))
attempt(F.vmap(lambda a, k: a * k), x, k=3)
for d in (2, -3, None, 0.5, (0, 1), (1,), "a", (0, "a"), {"r": 0}):
    attempt(F.vmap(f, out_dims=d), x)
    attempt(F.vmap(lambda a: {"q": a, "r": y}, out_dims=d), x)
for g in (lambda a: 3, lambda a: None, lambda a: (a, "s"), lambda a: ()):
    attempt(F.vmap(g), x)
    attempt(F.vmap(g, out_dims=None), x)
for o in (dict(chunk_size=0), dict(chunk_size=-1), dict(randomness="x")):
    attempt(F.vmap, f, **o)


class C:
    def __call__(self, a):
        return a

    def __repr__(self):
        return "C()"


attempt(F.vmap(C(), 5), x)
attempt(F.vmap(functools.partial(f, b=3), 2), x)
attempt(F.vmap(torch.sin, 2), x)
show(F.vmap(f).__name__, F.vmap(f).__wrapped__ is f, F.grad(f).__name__, F.hessian(f).__name__)
for h in (
    lambda a: a[0].item(),
    lambda a: a if a.sum() > 0 else -a,
    lambda a: float(a[0]),
    lambda a: int(a[0]),
    lambda a: a.tolist(),
    lambda a: a.numpy(),
    lambda a: a.data_ptr(),
    lambda a: all(a),
    lambda a: a.requires_grad_(),
    lambda a: a + torch.rand(3),
    lambda a: torch.rand_like(a),
    lambda a: torch.nn.functional.dropout(a),
    lambda a: a.nonzero(),
    lambda a: a[a > 1],
    lambda a: a.unique(),
    lambda a: a.storage(),
):
    attempt(F.vmap(h), x)
attempt(F.vmap(lambda a: sum(v for v in a)), x)
attempt(F.vmap(lambda a: hash(a) and a), x)
attempt(F.vmap(lambda a: torch.where(a > 1, a, 0.0)), x)
attempt(F.vmap(lambda a: a.new_zeros(3).copy_(a)), x)
attempt(F.vmap(lambda a: y[a.long() % 3]), x)
for r in ("same", "different"):
    torch.manual_seed(0)
    for h in (
        lambda a: a + torch.rand(3),
        lambda a: torch.randn(2) * a[0],
        lambda a: torch.nn.functional.dropout(a) > 0,
        lambda a: torch.randint(5, (2,)) + a[0],
        lambda a: torch.bernoulli(a / 6),
    ):
        attempt(F.vmap(h, randomness=r), x)
        attempt(F.vmap(h, randomness=r, chunk_size=1), x)
    show(torch.rand(2))


# %% What may not be done inside of transforms
F = torch.func
x, y = torch.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]]), torch.tensor([0.5, -1.0, 2.0])


def attempt(f, *args):
    try:
        show(f(*args))
    except (TypeError, RuntimeError, ValueError, NotImplementedError) as e:
        show(type(e), e)


bad = [
    lambda v: v.sum().backward(),
    lambda v: v.requires_grad_().sum(),
    lambda v: (v * y.clone().requires_grad_()).sum(),
    lambda v: (v * 2).retain_grad(),
    lambda v: torch.autograd.functional.jacobian(torch.sin, v).sum(),
    lambda v: torch.autograd.functional.vjp(torch.sum, v)[1].sum(),
    lambda v: torch.autograd.backward((v * v).sum()),
]
for f in bad:
    attempt(F.grad(f), y)
    attempt(F.vmap(f), x)
    attempt(lambda: F.jvp(f, (y,), (y,)))
    attempt(F.vmap(F.grad(f)), x)


def look(v):
    w = v * 2
    show(v, w, w.sum())
    return w.sum()


F.grad(look)(y)
F.grad(look)(y.clone().requires_grad_())
F.grad(lambda v: F.grad(look)(v).sum())(y)
F.vmap(F.grad(look))(x)
F.grad(lambda v: F.vmap(look)(v).sum())(x)
F.jvp(look, (y,), (y,))
F.vjp(look, y)
F.jacfwd(look)(y)
F.hessian(look)(y)
F.jvp(F.grad(look), (y,), (y,))
F.grad(lambda v: F.jvp(look, (v,), (y,))[1])(y)
F.vmap(F.vmap(F.grad(look)))(x[None])


def names(v):
    show(
        v.grad_fn is None,
        v.is_leaf,
        v.requires_grad,
        (v * 2).grad_fn.name(),
        type((v * 2).grad_fn).__name__,
        v._version,
        v.grad,
    )
    return v.sum()


F.grad(names)(y)
F.vmap(F.grad(names))(x)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    for f in (F.grad, F.jacrev, F.hessian, F.grad_and_value):
        attempt(f(torch.sum), y)
    attempt(lambda: F.vjp(torch.sum, y)[0])
    attempt(lambda: F.jvp(torch.sum, (y,), (y,)))
    attempt(F.vmap(torch.sum), x)


def inside(v):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return (v * v).sum()


attempt(F.grad(inside), y)
attempt(F.vmap(inside), x)


# %% debug_unwrap
F = torch.func
x = torch.ones(2, 3)


def f(v):
    show(F.debug_unwrap(v), F.debug_unwrap(v, recurse=False))
    return v.sum()


F.vmap(f)(x)
F.grad(f)(x[0])
F.vmap(F.grad(f))(x)
F.grad(lambda v: F.vmap(f)(v).sum())(x)
F.vmap(F.vmap(f))(x)
show(F.debug_unwrap(x) is x)
net = torch.nn.Sequential(
    torch.nn.BatchNorm1d(3),
    torch.nn.Linear(3, 3),
    torch.nn.Sequential(torch.nn.BatchNorm2d(2), torch.nn.InstanceNorm1d(3, track_running_stats=True)),
)
result = F.replace_all_batch_norm_modules_(net)
show(result is net, result, result.state_dict().keys(), net[0].running_mean, net[0]._buffers, net.training)
show(F.vmap(net[0])(torch.arange(24.0).view(2, 4, 3).sin()).detach())
for module in (torch.nn.BatchNorm1d(3), torch.nn.InstanceNorm1d(3, track_running_stats=True)):
    try:
        F.vmap(module)(torch.ones(2, 4, 3, 2))
    except RuntimeError as e:
        show(e)
table, rows, image = (
    torch.arange(20.0).view(4, 5),
    torch.tensor([[0, 3], [2, 2], [1, 0]]),
    torch.arange(72.0).view(3, 2, 2, 3, 2).sin(),
)
show(
    F.vmap(lambda i: table[i])(rows),
    F.vmap(lambda i: table[:, i])(rows),
    F.vmap(lambda t, i: t[i], (None, 0))(table, rows),
    F.vmap(lambda t, i: t[i, i])(torch.arange(48.0).view(3, 4, 4), rows),
    F.vmap(lambda t, i: t[:, i])(torch.arange(48.0).view(3, 4, 4), rows),
)
show(
    F.vmap(F.grad(lambda t, i: (t[:, i] ** 2).sum()))(torch.arange(36.0).view(3, 3, 4), rows),
    F.vmap(F.grad(lambda w, i: torch.nn.functional.embedding(i, w).pow(2).sum()))(
        torch.arange(24.0).view(3, 4, 2), rows
    ),
)
w = torch.arange(16.0).view(2, 2, 2, 2).cos()
loss = lambda w, image: torch.nn.functional.conv2d(image, w, padding=1).pow(2).sum()
show(
    F.vmap(F.grad(loss), (None, 0))(w, image),
    F.vmap(F.grad(loss, argnums=1), (None, 0))(w, image).sum(),
    F.vmap(F.grad(loss))(torch.stack([w, w + 1, w * 2]), image).round(decimals=2),
)
scores = torch.arange(24.0).view(2, 4, 3).cos()
for r in ("mean", "sum", "none"):
    show(
        F.vmap(lambda s, t: torch.nn.functional.cross_entropy(s, t, reduction=r, ignore_index=1))(
            scores, torch.tensor([[0, 2, 1, 1], [2, 2, 0, 0]])
        )
    )
show(
    F.vmap(
        F.grad(lambda s, t: torch.nn.functional.cross_entropy(s, t, weight=torch.tensor([1.0, 2.0, 3.0])))
    )(scores, torch.tensor([[0, 2, 1, 1], [2, 2, 0, 0]]))
)


# %% Forward mode over the gradient of a convolution, for each choice of what needs a gradient
F = torch.nn.functional
x, w, b = torch.linspace(-1, 1, 24).view(2, 2, 6), torch.linspace(0, 2, 18).view(3, 2, 3), torch.ones(3)
up = torch.linspace(0, 2, 18).view(2, 3, 3)
for of in ((0,), (1,), (0, 1), (0, 1, 2)):
    for loss in (
        lambda x, w, b: (F.conv1d(x, w) ** 3).sum() + b.sum() * 0,
        lambda x, w, b: (F.conv1d(x, w, b) ** 3).sum(),
        lambda x, w, b: (F.conv_transpose1d(x, up * w[0, 0, 0], b) ** 3).sum(),
    ):
        along = torch.func.jvp(lambda *args: torch.func.grad(loss, of)(*args), (x, w, b), (x + 1, w * 2, b))[
            1
        ]
        show([g.sum() for g in along])
show(torch.func.hessian(lambda w: (F.conv1d(x[:1], w) ** 2).sum())(w[:1]).flatten())


# %% Tangents of views and bases after writes, alone and of a batch
from functools import partial


def to_view(x, y):
    x = x.clone()
    view = x[0]
    view.copy_(y[0])
    return view, x


def to_base(x, y):
    x = x.clone()
    view, turned = x[0], x.t()[1:]
    x.copy_(y)
    return view, turned, x.detach(), view.detach() * 2, view * turned[0, 0]


def added_to_view(x, y):
    x = x.clone()
    view = x[..., 1:]
    view.mul_(y[..., 1:])
    x[0] = y[1]
    return view, x


def after_view(x, y):
    x = x.clone()
    view = x.view(-1)[1:]
    x.mul_(y)
    x.add_(view[:3])
    return view, x


def along(f, x, y, yt):
    return torch.func.jvp(partial(f, x), (y,), (yt,))


x = torch.arange(12.0).reshape(2, 2, 3)
y = torch.arange(12.0).reshape(2, 3, 2) + 1
for f in (to_view, to_base, added_to_view, after_view):
    attempt(lambda: along(f, x[0], y[..., 0], y[..., 1]))
    attempt(lambda: torch.vmap(partial(along, f), in_dims=(1, 2, 2))(x, y, y * 2))
    attempt(lambda: torch.vmap(partial(along, f), in_dims=(1, None, 2))(x, y[..., 0], y))
    attempt(lambda: torch.func.jacfwd(partial(f, x[0]))(y[..., 0]))


# %% Writes of what is the same for all examples
def copied(x, y):
    y.copy_(x)
    return y


def set_first(x, y):
    y[0] = x[0]
    return y * x


for f in (copied, set_first, lambda x, y: y.mul_(x)):
    for jacobian in (torch.func.jacfwd, torch.func.jacrev):
        attempt(lambda: jacobian(f)(torch.tensor([1.0, 2.0]), torch.zeros(2)))
    attempt(lambda: torch.vmap(f, in_dims=(0, None))(torch.ones(2, 2), torch.zeros(2)))


# %% Derivatives forward inside of the forward of a Function
class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        show(torch.func.jacfwd(torch.sin)(x))
        return -torch.func.jvp(torch.cos, (x,), (torch.ones_like(x),))[1]

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.func.jvp(torch.sin, (x,), (torch.ones_like(x),))[1]


x = torch.tensor(0.5, requires_grad=True)
y = Sin.apply(x)
show(y, x.sin(), torch.autograd.grad(y, x), x.cos())


# %% Random numbers from tensors that are the same for all examples
captured = torch.ones(6)
x = torch.zeros(3, 2)
draws = [
    lambda: torch.nn.functional.dropout(captured), lambda: torch.nn.functional.alpha_dropout(captured), lambda: torch.nn.functional.dropout1d(torch.ones(2, 3, 4)),
    lambda: torch.bernoulli(captured / 2), lambda: torch.bernoulli(captured, 0.5), lambda: torch.multinomial(captured, 2), lambda: torch.normal(captured, 1.0),
    lambda: torch.poisson(captured), lambda: torch.ones(6).bernoulli_(0.5), lambda: torch.ones(6).uniform_(), lambda: torch.ones(6).exponential_(),
    lambda: torch.bernoulli(captured / 2, out=torch.empty(6)), lambda: torch.rand_like(captured), lambda: torch.rand(6), lambda: torch.randperm(6),
]  # fmt: skip
for draw in draws:
    for randomness in ("error", "same", "different"):
        torch.manual_seed(0)
        attempt(lambda: torch.vmap(lambda row: draw() + 0 * row.sum(), randomness=randomness)(x))
