# %% vjp, jvp, vhp, hvp, jacobian and hessian
A = torch.autograd.functional


def exp_reducer(x):
    return x.exp().sum(dim=1)


def adder(x, y):
    return 2 * x + 3 * y


x = torch.arange(6.0).reshape(2, 3) / 4
a, b = torch.tensor([1.0, 2.0]), torch.tensor([3.0, -1.0])
show(A.vjp(exp_reducer, x, torch.ones(2)))
show(A.vjp(exp_reducer, x, torch.ones(2), create_graph=True))
show(
    A.vjp(adder, (a, b), torch.ones(2)), A.vjp(lambda a, b: (a * b, a.sum()), (a, b), (b, torch.tensor(2.0)))
)
show(A.jvp(exp_reducer, x, torch.ones(2, 3)))
show(A.jvp(exp_reducer, x, torch.ones(2, 3), create_graph=True)[0])
show(
    A.jvp(adder, (a, b), (torch.ones(2), torch.ones(2))), A.jvp(lambda a, b: (a * b, a.sum()), (a, b), (b, a))
)
show(A.jacobian(exp_reducer, x), A.jacobian(adder, (a, b)), A.jacobian(lambda a, b: (a * b, a.sum()), (a, b)))
show(A.jacobian(exp_reducer, x, create_graph=True))
show(
    A.hessian(lambda x: x.pow(3).sum(), x),
    A.hessian(lambda a, b: (2 * a.pow(2) + 3 * b.pow(2) * a).sum(), (a, b)),
)
show(A.hessian(lambda x: x.pow(3).sum(), x[0], create_graph=True))
show(A.vhp(lambda x: x.pow(3).sum(), x, x + 1), A.vhp(lambda a, b: (a * b**2).sum(), (a, b), (b, a)))
show(A.vhp(lambda x: x.pow(3).sum(), x, x, create_graph=True))
show(A.hvp(lambda x: x.pow(3).sum(), x, x + 1), A.hvp(lambda a, b: (a * b**2).sum(), (a, b), (b, a)))
show(A.hvp(lambda x: x.pow(3).sum(), x, x, create_graph=True))


# %% create_graph and what the function sees of its inputs
A = torch.autograd.functional
x = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor([0.5, -1.0], requires_grad=True)


def f(t):
    show("in f", t is x, t.requires_grad, t.grad_fn, t.is_leaf, torch.is_grad_enabled())
    return t * t * x


for api in (A.vjp, A.jvp):
    for create in (False, True):
        out, product = api(f, x, v, create_graph=create)
        show(out, product, out.requires_grad, product.requires_grad)
        if create:
            show(torch.autograd.grad(product.sum() + out.sum(), (x, v)))
for api in (A.vhp, A.hvp):
    for create in (False, True):
        out, product = api(lambda t: f(t).sum(), x, v, create_graph=create)
        show(out, product)
        if create:
            show(torch.autograd.grad(product.sum() + out, (x, v)))
show(A.jacobian(f, x), A.jacobian(f, x, create_graph=True))
show(A.hessian(lambda t: f(t).sum(), x), A.hessian(lambda t: f(t).sum(), x, create_graph=True))
show(torch.autograd.grad(A.hessian(lambda t: f(t).sum(), x, create_graph=True).sum(), x))
show(x.grad)


# %% Under no_grad
A = torch.autograd.functional
x = torch.tensor([1.0, 2.0], requires_grad=True)
f = lambda t: t**2
with torch.no_grad():
    for create in (False, True):
        for api in (A.vjp, A.jvp):
            show(api(f, x, torch.ones(2), create_graph=create))
        for api in (A.vhp, A.hvp):
            show(api(lambda t: f(t).sum(), x, torch.ones(2), create_graph=create))
        show(A.jacobian(f, x, create_graph=create), A.hessian(lambda t: f(t).prod(), x, create_graph=create))
        show(torch.is_grad_enabled())
one = torch.tensor(3.0)
show(
    A.vjp(f, one),
    A.jvp(f, one),
    A.vhp(f, one),
    A.hvp(f, one),
    A.jacobian(f, one),
    A.hessian(f, one),
    A.hessian(f, one.view(1, 1)),
)
show(A.vjp(lambda t: t.sum(), x), A.jvp(lambda t: t * x, one), A.jvp(lambda t: t * x, one.view(1)))
show(A.vjp(lambda a, b: b * 2, (x, one), x), A.jvp(lambda a, b: (b * 2, one), (x, one), (x, one)))
show(
    A.jacobian(lambda a, b: (b * 2, a.new_ones(2)), (x, one)),
    A.hessian(lambda a, b: a.sum() + b**3, (x, one)),
)
show(A.vhp(lambda a, b: a.sum(), (x, one), (x, one)), A.hvp(lambda a, b: b * 2, (x, one), (x, one)))


# %% Arguments and results that are refused
A = torch.autograd.functional
x, y, one = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0, 5.0]), torch.tensor(2.0)


def attempt(api, *args, **kwargs):
    try:
        show(api(*args, **kwargs))
    except (TypeError, RuntimeError, ValueError, AssertionError, NotImplementedError) as e:
        show(api.__name__, type(e), e)


for api in (A.vjp, A.jvp, A.vhp, A.hvp):
    attempt(api, lambda t: t, [x], x)
    attempt(api, lambda t: t, 3.0)
    attempt(api, lambda t, u: t, (x, 3))
    attempt(api, lambda t: 3, x, x)
    attempt(api, lambda t: (t, 3), x, x)
    attempt(api, lambda t: [t], x, x)
    attempt(api, lambda t: t, x)
    attempt(api, lambda t: (t.sum(), t), x, x)
    attempt(api, lambda t: t.sum(), x, (x, x))
    attempt(api, lambda t: t.sum(), x, y)
    attempt(api, lambda t, u: (t.sum(), u), (x, y), (x, x))
    attempt(api, lambda t, u: t.sum(), (x, y), x)
    attempt(api, lambda t: t.sum(), x, 3.0)
    attempt(api, lambda t: t.sum(), x, (x, 2))
    attempt(api, lambda t, u: t.sum(), (x, y))
    attempt(api, lambda t: (t.sum(),), x, x)
    attempt(api, lambda t: t * 2, x, x)
for api in (A.jacobian, A.hessian):
    attempt(api, lambda t: t, [x])
    attempt(api, lambda t: t, 3)
    attempt(api, lambda t, u: t, (x, 3))
    attempt(api, lambda t: 3, x)
    attempt(api, lambda t: (t, 3), x)
    attempt(api, lambda t: (t.sum(),), x)
    attempt(api, lambda t: t, x)
    attempt(api, lambda t: t.sum(), x, vectorize=True, strict=True)
    attempt(api, lambda t: t.sum(), torch.ones(0))
    attempt(api, lambda t: t, torch.ones(0))
attempt(A.jacobian, lambda t: t, x, strategy="sideways")
attempt(A.jacobian, lambda t: t, x, strategy="forward-mode", create_graph=True)
attempt(A.jacobian, lambda t: t, x, strategy="forward-mode")
attempt(A.jacobian, lambda t: t, x, strategy="forward-mode", strict=True)
attempt(A.hessian, lambda t: t, x, outer_jacobian_strategy="sideways")
attempt(A.hessian, lambda t: t.sum(), x, outer_jacobian_strategy="forward-mode")


# %% strict, for functions that are independent of an input
A = torch.autograd.functional
x, y, one = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0], requires_grad=True), torch.tensor(2.0)


def attempt(api, *args, **kwargs):
    for create in (False, True):
        try:
            show(api.__name__, api(*args, create_graph=create, strict=True, **kwargs))
        except RuntimeError as e:
            show(api.__name__, create, e)


cases = [
    lambda t, u: t * 2,
    lambda t, u: t.detach(),
    lambda t, u: t * u,
    lambda t, u: t**2 * u**2,
    lambda t, u: y * t * u,
    lambda t, u: t**3 * u**3 * y,
]
for f in cases:
    for p in (x, x.clone().requires_grad_()):
        attempt(A.vjp, f, (p, y), x)
        attempt(A.jvp, f, (p, y), (x, x))
        attempt(A.vjp, f, (p, x), x)
        attempt(A.jvp, f, (p, x), (x, x))
        attempt(A.jacobian, f, (p, y))
        attempt(A.jacobian, lambda t, u: (f(t, u), t.sum()), (p, y))
        for g in (lambda t, u: f(t, u).sum(), lambda t, u: f(t, u).prod()):
            attempt(A.vhp, g, (p, y), (x, x))
            attempt(A.hvp, g, (p, y), (x, x))
            attempt(A.hessian, g, (p, y))


# %% Jacobians of other dtypes and of complex numbers
A = torch.autograd.functional
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], dtype=torch.float64)
z = torch.tensor([1 + 2j, 3 - 1j])
show(
    A.jacobian(torch.linalg.inv, x),
    A.jacobian(lambda t: t.to(torch.float32), x),
    A.vjp(lambda t: t.float(), x, torch.ones(2, 2)),
)
show(A.vjp(lambda t: t * t, z, z), A.jacobian(lambda t: t * t.conj(), z), A.jvp(lambda t: t * t, z, z))
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1)).double()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel(), dtype=torch.float64).view_as(p) / (5 + i) - 0.5)
show(
    A.jacobian(net, x),
    A.hessian(lambda t: net(t).sum(), x),
    A.hvp(lambda t: net(t).sum(), x, x),
    A.vhp(lambda t: net(t).sum(), x, x),
)
show([p.grad for p in net.parameters()])
show(
    A.jacobian(lambda t: t.sort(0)[0], x),
    A.jacobian(lambda t: t.softmax(-1), x[0]),
    A.hessian(lambda t: t.logsumexp(0), x[0]),
)


# %% vectorize and strategies
A = torch.autograd.functional
x, y = (
    torch.tensor([[1.0, 2.0], [3.0, 5.0]], dtype=torch.float64),
    torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True),
)
f = lambda a, b: (a @ b, (a * a).sum(), b.exp() * a)
g = lambda a, b: (a @ b).pow(2).sum() + (a**3).sum()
for options in ({}, dict(vectorize=True), dict(vectorize=True, strategy="forward-mode")):
    show(A.jacobian(f, (x, y), **options))
    show(
        A.jacobian(lambda a: f(a, y), x, **options),
        A.jacobian(lambda a: a.sum() * 2, x, **options),
        A.jacobian(lambda a: y * 2, x, **options),
    )
for options in ({}, dict(vectorize=True), dict(vectorize=True, outer_jacobian_strategy="forward-mode")):
    show(A.hessian(g, (x, y), **options))
    show(A.hessian(lambda a: g(a, y), x, **options), A.hessian(lambda a: a.sum(), x, **options))
for vectorize in (False, True):
    r = x.clone().requires_grad_()
    J = A.jacobian(lambda a: a.sin() @ y, r, create_graph=True, vectorize=vectorize)
    show(J.detach(), J.requires_grad, torch.autograd.grad(J.pow(2).sum(), (r, y)))
    H = A.hessian(lambda a: g(a, y), r, create_graph=True, vectorize=vectorize)
    show(H.detach(), H.requires_grad, torch.autograd.grad(H.pow(2).sum(), (r, y)))


def ask(value, *args, **options):
    try:
        show(*torch.autograd.grad(value, *args, is_grads_batched=True, **options))
    except (RuntimeError, ValueError, IndexError) as e:
        show(type(e), e)


z = y * y.sum()
ask(z, y, torch.eye(2, dtype=torch.float64), retain_graph=True)
ask(
    z, (x.requires_grad_(), y), (torch.ones(3, 2, dtype=torch.float64),), retain_graph=True, allow_unused=True
)
ask(z, y, torch.ones(2, dtype=torch.float64), retain_graph=True)
ask(z, y, retain_graph=True)
