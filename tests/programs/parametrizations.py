# %% A parametrization of one's own
nn, P = torch.nn, torch.nn.utils.parametrize


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).mT

    def right_inverse(self, A):
        return A.triu()


class Double(nn.Module):
    def forward(self, X):
        return 2 * X


torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
weight = m[0].weight
P.register_parametrization(m[0], "weight", Symmetric())
show(
    m,
    type(m[0]).__name__,
    P.is_parametrized(m[0]),
    P.is_parametrized(m[0], "bias"),
    P.type_before_parametrizations(m[0]).__name__,
)
show(
    torch.equal(m[0].weight, m[0].weight.T),
    m[0].weight is m[0].weight,
    list(m.state_dict()),
    [n for n, _ in m.named_parameters()],
)
show(m[0].parametrizations.weight.original is weight, isinstance(m[0].weight, nn.Parameter))
with P.cached():
    show(m[0].weight is m[0].weight)
y = m(torch.ones(2, 3)).sum()
y.backward()
show(weight.grad, m[0].weight.grad_fn)
m[0].weight = torch.arange(9.0).view(3, 3)
show(m[0].weight, weight)
P.register_parametrization(m[0], "weight", Double())
show(m[0], m[0].weight)
attempt(lambda: setattr(m[0], "weight", torch.ones(3, 3)))
twin = __import__("copy").deepcopy(m)
show(torch.equal(twin[0].weight, m[0].weight), twin[0].parametrizations.weight.original is weight)
twin.load_state_dict(m.state_dict())
attempt(lambda: __import__("pickle").dumps(m))
P.register_parametrization(m[0], "bias", Double())
other = nn.Linear(3, 3)
P.transfer_parametrizations_and_params(m[0], other)
show(
    other,
    torch.equal(other.weight, m[0].weight),
    other.parametrizations.bias.original is m[0].parametrizations.bias.original,
)
P.remove_parametrizations(m[0], "weight")
show(m[0], m[0].weight, m[0].weight is weight)
P.remove_parametrizations(m[0], "bias", leave_parametrized=False)
show(m, type(m[0]) is nn.Linear)
attempt(lambda: P.remove_parametrizations(m[0], "bias"))
attempt(lambda: P.register_parametrization(m[0], "nothing", Double()))


class Wrong(nn.Module):
    def __init__(self, forward, right_inverse=None):
        super().__init__()
        self.forward = forward
        if right_inverse:
            self.right_inverse = right_inverse


for wrong in (
    lambda: Wrong(lambda x: x.double()),
    lambda: Wrong(lambda x: x[:1]),
    lambda: Wrong(lambda x: 1),
    lambda: Wrong(lambda x: x, lambda x: x.double()),
    lambda: Wrong(lambda x: x, lambda x: 1),
    lambda: Wrong(lambda x, y: x + y, lambda x: (x, 1)),
):
    attempt(lambda: P.register_parametrization(nn.Linear(2, 2), "weight", wrong()))
    attempt(
        lambda: P.register_parametrization(
            P.register_parametrization(nn.Linear(2, 2), "weight", Symmetric()), "weight", wrong()
        )
    )
parts = P.register_parametrization(
    nn.Linear(2, 2), "weight", Wrong(lambda x, y: x * y, lambda w: (w, torch.ones_like(w)))
)
show(parts, [n for n, _ in parts.named_parameters()], parts.weight.grad_fn)
attempt(lambda: P.remove_parametrizations(parts, "weight", leave_parametrized=False))
show(P.remove_parametrizations(parts, "weight"), type(parts.weight).__name__)
attempt(lambda: P.ParametrizationList([], torch.ones(2)))
norm = nn.BatchNorm1d(2)
P.register_parametrization(norm, "running_mean", Double())
show(norm.running_mean, [n for n, _ in norm.named_buffers()])

# %% Weight norm
nn = torch.nn
new, old = nn.utils.parametrizations.weight_norm, nn.utils.weight_norm
x = torch.ones(2, 3)
for norm in (new, old):
    for options in ({}, {"dim": 1}, {"dim": None}, {"dim": -1}, {"name": "bias"}):
        torch.manual_seed(0)
        m = norm(nn.Linear(3, 4), **options)
        show(m, {n: tuple(p.shape) for n, p in m.named_parameters()})
        loss = m(x).square().sum()
        loss.backward()
        show(
            m.weight.grad_fn,
            f"{loss.item():.5f}",
            {n: f"{p.grad.sum().item():.5f}" for n, p in m.named_parameters()},
        )
        show([n for n, _ in m.named_parameters()], list(m.state_dict()))
torch.manual_seed(0)
c = new(nn.Conv2d(2, 3, 2), dim=1)
v, g = c.parametrizations.weight.original1, c.parametrizations.weight.original0
show(
    c.weight.grad_fn,
    g.shape,
    [f"{t.sum().item():.5f}" for t in torch.autograd.grad(c.weight.cube().sum(), (v, g))],
)
a, b = new(nn.Linear(3, 4)), old(nn.Linear(3, 4))
a.load_state_dict(b.state_dict())
show(torch.equal(a.weight, b.weight))
with torch.no_grad():
    a.weight = torch.ones(4, 3)
show(a.weight, a.parametrizations.weight.original0)
attempt(lambda: old(b))
show(nn.utils.remove_weight_norm(b), [n for n, _ in b.named_parameters()])
attempt(lambda: nn.utils.remove_weight_norm(b))
show(nn.utils.parametrize.remove_parametrizations(a, "weight"), a.weight)
half, narrow = torch.randn(3, 4).half(), torch.rand(3, 1).half()
show(
    torch._weight_norm(half, narrow, 0),
    torch._weight_norm(half.double(), narrow.double()[:1, :1].expand(1, 4), 1),
)
attempt(lambda: torch._weight_norm(torch.ones(2, 2), torch.ones(2, 1), 5))
attempt(lambda: torch._weight_norm(torch.ones(2, 2).int(), torch.ones(2, 1).int(), 0))

# %% Spectral norm
nn = torch.nn
new, old = nn.utils.parametrizations.spectral_norm, nn.utils.spectral_norm
for norm in (new, old):
    for make, options, shape in (
        (lambda: nn.Linear(3, 4), {}, (2, 3)),
        (lambda: nn.Linear(3, 4), {"n_power_iterations": 3, "dim": 1}, (2, 3)),
        (lambda: nn.Conv2d(2, 3, 2), {"eps": 1e-6}, (1, 2, 3, 3)),
        (lambda: nn.ConvTranspose1d(2, 3, 2), {}, (1, 2, 3)),
    ):
        torch.manual_seed(0)
        m = norm(make(), **options)
        show(m, list(m.state_dict()))
        x = torch.ones(shape)
        for mode in (True, True, False):
            m.train(mode)
            m.zero_grad()
            loss = m(x).square().sum()
            loss.backward()
            show(f"{loss.item():.5f}", {n: f"{p.grad.sum().item():.3f}" for n, p in m.named_parameters()})
        twin = norm(make(), **options)
        twin.load_state_dict(m.state_dict())
        twin.eval()
        show(torch.allclose(twin(x), m(x)))
        if norm is new:
            nn.utils.parametrize.remove_parametrizations(m, "weight")
        else:
            nn.utils.remove_spectral_norm(m)
            attempt(lambda: nn.utils.remove_spectral_norm(m))
        show(m, list(m.state_dict()), f"{m(x).sum().item():.4f}")
    show(f"{norm(nn.LayerNorm(3), 'bias').bias.sum().item():.4f}" if norm is new else "")
    attempt(lambda: norm(nn.Linear(2, 2), n_power_iterations=0))
attempt(lambda: new(nn.Linear(2, 2), dim=2))
attempt(lambda: new(nn.Linear(2, 2), "nothing"))
attempt(lambda: old(nn.Linear(2, 2, bias=False), "bias"))
attempt(lambda: old(old(nn.Linear(2, 2))))

# %% Orthogonal weights
nn = torch.nn
orthogonal = nn.utils.parametrizations.orthogonal
for shape in ((3, 3), (4, 2), (2, 4)):
    for which in (None, "matrix_exp", "cayley", "householder"):
        for base in (True, False):

            def try_it():
                torch.manual_seed(0)
                m = orthogonal(nn.Linear(*shape).double(), orthogonal_map=which, use_trivialization=base)
                w = m.weight if shape[1] <= shape[0] else m.weight.mT
                w = w if w.size(0) >= w.size(1) else w.mT
                show(m, list(m.state_dict()), torch.allclose(w.mT @ w, torch.eye(w.size(1)).double()))
                target = torch.linspace(-1, 1, m.weight.numel()).double().view(m.weight.shape)
                loss = (m.weight * target).sum()
                loss.backward()
                show(
                    f"{loss.item():.5f}",
                    f"{m.parametrizations.weight.original.grad.square().sum().item():.5f}",
                )
                m.weight = torch.eye(*m.weight.shape).double()
                show(f"{m.weight.abs().sum().item():.5f}")

            attempt(try_it)
attempt(lambda: orthogonal(nn.Linear(2, 2), "bias"))
attempt(lambda: orthogonal(nn.Linear(2, 2), "nothing"))
attempt(lambda: orthogonal(nn.Linear(2, 2), orthogonal_map="other"))
z = nn.Module()
z.weight = nn.Parameter(torch.randn(2, 2, dtype=torch.complex128))
attempt(lambda: orthogonal(z, orthogonal_map="householder"))
show(torch.allclose(orthogonal(z).weight.mH @ z.weight, torch.eye(2, dtype=torch.complex128)))

# %% One device
nn = torch.nn
m = nn.DataParallel(nn.Linear(2, 2))
show(
    m,
    m(torch.ones(1, 2)).shape,
    list(m.state_dict()),
    m.device_ids,
    nn.parallel.DataParallel is nn.DataParallel,
)
