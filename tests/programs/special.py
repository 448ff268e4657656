# %% The error function and its kin: values, dtypes, derivatives
x = torch.tensor([-3.0, -0.5, 0.0, 0.25, 1.0, 4.0], requires_grad=True)
for f in (torch.erf, torch.erfc, torch.special.erfcx, torch.special.ndtr, torch.special.log_ndtr):
    y = f(x)
    show(f.__name__, y, torch.autograd.grad(y.sum(), x))
show(
    torch.erf(torch.tensor([0, 1])),
    torch.erf(torch.tensor(True)),
    torch.erf(torch.tensor([0.5], dtype=torch.float16)),
)
y = torch.tensor([-1.0, -0.9, 0.0, 0.3, 0.9999, 1.0, 1.1], dtype=torch.float64)
show(torch.erfinv(y), torch.special.ndtri(y.abs()))


# %% Gelu, written out
x = torch.linspace(-4, 4, 9, dtype=torch.float64, requires_grad=True)
y = 0.5 * x * (1 + torch.erf(x / 2**0.5))
show(y, torch.autograd.grad(y.sum(), x))


# %% The gamma function
x = torch.tensor(
    [0.0, -0.0, -1.0, -1.5, 0.3, 1.0, 2.0, 10.0, 1e10, float("inf"), -float("inf"), float("nan")]
)
show(torch.lgamma(x), torch.digamma(x))
show(torch.polygamma(1, x[3:9]), torch.polygamma(3, x[3:9]), x[4:6].polygamma(2))
show(torch.mvlgamma(torch.tensor([3.0, 4.5]), 3), torch.special.multigammaln(torch.tensor([3.0, 4.5]), 2))


# %% Its derivatives, in a chain
x = torch.tensor([0.5, 2.5, 7.0], dtype=torch.float64, requires_grad=True)
y = torch.lgamma(x)
for _ in range(4):
    show(y, y.grad_fn.name())
    (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(torch.autograd.grad(torch.mvlgamma(x + 1, 3).sum(), x), x.detach().clone().lgamma_())
y = (x * 1).clone()
show(y.polygamma_(1) is y, y, y.grad_fn.name(), y._version)
torch.polygamma(-1, x)


# %% The incomplete gamma function
a, x = torch.tensor([0.5, 2.0, 30.0, 0.0, 1.0]), torch.tensor([0.1, 3.0, 25.0, 1.0, float("inf")])
show(torch.igamma(a, x), torch.igammac(a, x), torch.special.gammainc(a, x) + torch.special.gammaincc(a, x))
x.requires_grad_()
show(torch.autograd.grad(torch.igamma(a, x)[:3].sum(), x))
a.requires_grad_()
torch.igamma(a, x.detach()).sum().backward()


# %% Zeta, entropy and x * log(y)
show(
    torch.special.zeta(torch.tensor([1.0, 2.0, 3.5, 0.5]), torch.tensor(1.0)),
    torch.special.zeta(2, torch.tensor([1.0, 0.5, -0.5])),
)
x = torch.tensor([0.0, 0.0, 1.0, 2.0], requires_grad=True)
y = torch.tensor([0.0, -2.0, 3.0, -1.0], requires_grad=True)
show(
    torch.special.entr(x),
    torch.special.xlog1py(x, y),
    torch.special.xlog1py(2, y),
    torch.special.xlog1py(x, -0.5),
)
show(torch.autograd.grad(torch.special.xlog1py(x, y)[:3].sum(), (x, y)))
show(
    torch.special.xlogy(x, 3.0).grad_fn.name(),
    torch.special.xlog1py(x, 3.0).grad_fn.name(),
    torch.special.xlog1py(3.0, y).grad_fn.name(),
)
z = torch.tensor([2.0], requires_grad=True)
torch.special.zeta(z, 1.0).backward()


# %% Sinc and its derivative at 0
x = torch.tensor([0.0, 0.5, 1.0, -2.25], dtype=torch.float64, requires_grad=True)
y = torch.sinc(x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(y, g, torch.autograd.grad(g.sum(), x), torch.sinc(torch.tensor([1 + 1j, 0j])))


# %% Bessel functions
x = torch.tensor([0.0, -0.0, 0.1, 1.0, -2.0, 5.0, 12.0, 700.0], requires_grad=True)
for f in (torch.i0, torch.special.i0e, torch.special.i1, torch.special.i1e):
    y = f(x)
    show(y, y.grad_fn.name(), torch.autograd.grad(y[:6].sum(), x))
x = torch.tensor([0.0, 0.5, 1.0, 3.0, 20.0, -1.0, float("nan")])
for name in (
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
):
    show(name, getattr(torch.special, name)(x))
for name in (
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "spherical_bessel_j0",
    "airy_ai",
):
    show(name, getattr(torch.special, name)(x))
show(torch.special.bessel_j0(x.clone().requires_grad_()).requires_grad)


# %% Orthogonal polynomials
x, n = torch.tensor([-1.0, -0.3, 0.0, 0.7, 1.0, 1.5]), torch.tensor([0, 1, 2, 5, 9, 12])
for name in (
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
):
    show(
        name,
        getattr(torch.special, name)(x, n),
        getattr(torch.special, "shifted_" + name)(x, n),
        getattr(torch.special, name)(x, -1),
    )
for name in (
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
):
    show(
        name,
        getattr(torch.special, name)(x, n),
        getattr(torch.special, name)(0.5, n),
        getattr(torch.special, name)(x, 3.7),
    )
show(torch.special.legendre_polynomial_p(torch.tensor([0.5], requires_grad=True), 3).requires_grad)


# %% What is not there
for call in (
    lambda: torch.erf(torch.tensor([1j])),
    lambda: torch.special.erfcx(torch.tensor([1.0]).half()),
    lambda: torch.igamma(torch.tensor([1]), torch.tensor([2])),
    lambda: torch.special.bessel_j0(torch.tensor([1.0]).half()),
    lambda: torch.mvlgamma(torch.tensor([1.0]), 0),
    lambda: torch.lgamma(torch.tensor([1j])),
):
    try:
        show(call())
    except (RuntimeError, NotImplementedError) as error:
        show(type(error).__name__, error)
torch.tensor([1, 2]).erf_()


# %% In place, out=, names
x = torch.tensor([0.5, 1.5])
show(x.erf_() is x, x, x._version, torch.erf_(x) is x, x)
out = torch.empty(0)
torch.special.i1e(torch.tensor([0.5, 1.5]), out=out)
show(
    out,
    torch.special.expit(out),
    torch.special.psi(out),
    torch.special.gammaln(out),
    torch.special.exp2(out),
    torch.special.log1p(out),
)
show(
    torch.special.log_softmax(out, 0),
    torch.special.softmax(out, dim=0),
    torch.special.logsumexp(out, 0),
    torch.special.round(out, decimals=2),
)
show(
    torch.special.logit(out, eps=0.1),
    torch.special.expm1(out),
    torch.special.erfinv(out),
    torch.special.sinc(out),
    torch.special.i0(out),
)


# %% Shapes: 0-d, empty, transposed, expanded
for x in (
    torch.tensor(0.5),
    torch.ones(0, 3),
    torch.arange(6.0).reshape(2, 3).T,
    torch.tensor([0.5]).expand(2, 2),
):
    for f in (
        torch.erf,
        torch.lgamma,
        torch.i0,
        torch.special.bessel_j0,
        lambda t: torch.polygamma(2, t),
        lambda t: torch.igamma(t, t),
    ):
        y = f(x)
        show(y, y.shape, y.stride())
