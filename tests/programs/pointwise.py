# %% Functions of one argument at special values
a = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, float("nan"), float("inf"), -float("inf"), 3.0])
for f in "acos acosh asin asinh atan atanh cosh sinh tan log log2 log10 log1p exp exp2 expm1 sqrt rsqrt square reciprocal round frac trunc floor ceil sign sgn abs neg deg2rad rad2deg nan_to_num angle sigmoid tanh relu positive signbit isposinf isneginf isreal isfinite isnan isinf logical_not".split():
    show(f, getattr(torch, f)(a))


# %% Dtypes of functions of two arguments
import itertools

kinds = [
    torch.uint8,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.bool,
    torch.float16,
    torch.float32,
    torch.float64,
    torch.complex64,
]
for f in "clamp_min maximum fmod remainder floor_divide copysign atan2 hypot xlogy logaddexp heaviside gcd lcm bitwise_left_shift nextafter ldexp float_power pow sub lt".split():
    for p, q in itertools.product(kinds, kinds[2:]):
        if (
            torch.float16 in (p, q)
            and torch.complex64 in (p, q)
            or f == "ldexp"
            and q is torch.bool
            or f == "clamp_min"
            and torch.complex64 in (p, q)
        ):
            continue
        try:
            show(
                f, p, q, getattr(torch, f)(torch.tensor([1, 1], dtype=p), torch.tensor([1, 1], dtype=q)).dtype
            )
        except Exception as e:
            show(f, p, q, type(e).__name__, str(e))


# %% Remainders and divisions with rounding
i = torch.tensor([7, -7, 5])
for f in (
    lambda: torch.fmod(i, 3),
    lambda: torch.remainder(i, 3),
    lambda: i // 3,
    lambda: torch.div(i, 3, rounding_mode="trunc"),
    lambda: torch.fmod(i, 2.5),
    lambda: torch.fmod(i, 0),
    lambda: i % 0,
    lambda: i // 0,
    lambda: torch.fmod(torch.tensor([7], dtype=torch.uint8), 300),
    lambda: torch.remainder(torch.tensor([-2.0, -0.0, 2.0]), 2),
    lambda: torch.remainder(3, torch.tensor([2, -2])),
    lambda: torch.floor_divide(7, torch.tensor([2, -2])),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% clamp: bounds, ties and nan
x = torch.tensor([-1.0, 0.0, 0.5, 2.0, float("nan")], requires_grad=True)
for f in (
    lambda: x.clamp(0, 1),
    lambda: x.clamp(min=0),
    lambda: x.clamp(max=torch.tensor(1.0)),
    lambda: x.clamp(torch.tensor([0.0, 1.0, 1.0, 1.0, 0.0]), torch.tensor([1.0, 0.0, 2.0, 1.0, 1.0])),
    lambda: x.clip(0.5),
    lambda: torch.clamp_max(x, 0.5),
    lambda: x.clamp_min(x.detach() * 2),
    lambda: torch.clamp(x, 3, 1),
    lambda: torch.fmax(x, torch.tensor([0.0, 0.0, 1.0, float("nan"), 1.0])),
    lambda: torch.maximum(x, torch.zeros(5)),
    lambda: torch.relu(x),
):
    y = f()
    show(y.detach(), y.grad_fn.name(), torch.autograd.grad(y.sum(), x)[0])


# %% What clamp refuses
for f in (
    lambda: torch.clamp(torch.ones(2)),
    lambda: torch.clamp(torch.ones(2), "a"),
    lambda: torch.ones(2, dtype=torch.int8).clamp(max=300),
    lambda: torch.ones(2, dtype=torch.int64).clamp(0.5),
    lambda: torch.ones(2, dtype=torch.int64).clamp_(0.5),
    lambda: torch.ones(2, dtype=torch.complex64).clamp(0),
    lambda: torch.ones(2, dtype=torch.bool).clamp(False),
    lambda: torch.ones(2, dtype=torch.bool).clamp(0),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])


# %% Derivatives of functions of one argument
x = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64, requires_grad=True)
for f in "acos asin atan atanh asinh cosh sinh tan log log2 log10 log1p exp2 expm1 rsqrt square frac deg2rad logit sigmoid tanh".split():
    y = getattr(x, f)()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    show(f, y.grad_fn.name(), g.detach())
    if g.requires_grad:
        show(torch.autograd.grad(g.sum(), x, allow_unused=True)[0])


# %% Complex functions and their derivatives
z = torch.tensor([1 + 2j, -0.5 - 1j, 0.3j], dtype=torch.complex128, requires_grad=True)
for f in "acos acosh asin asinh atan atanh cosh sinh tan log log2 log10 log1p exp exp2 expm1 sqrt rsqrt square reciprocal sin cos tanh sigmoid abs sgn angle conj_physical neg".split():
    y = getattr(z, f)()
    w = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    (g,) = torch.autograd.grad((y * w).abs().sum(), z, create_graph=True)
    show(f, y.grad_fn.name(), y.detach(), g.detach())


# %% Sizes of complex numbers, to the last digit
torch.manual_seed(0)
z = torch.complex(torch.randn(1000), torch.randn(1000))
half = torch.tensor([0.5**0.5 * (1j - 1)])
show(z.abs().numpy().tobytes() == np.hypot(z.real.numpy(), z.imag.numpy()).tobytes(), half.abs().item() == 1)
show(z.abs().double().sum().item(), torch.view_as_real(z.sgn()).double().sum().item())
show(torch.isclose(2 * half, half, rtol=0.5, atol=0.5))


# %% Derivatives of complex functions
# A function of z is recorded with the conjugate of its derivative, and a real input of a complex result gets a real gradient.
z = torch.tensor([2 + 1j], requires_grad=True)
x = torch.tensor([3.0], requires_grad=True)
y = z * x + x**2
y.backward(torch.tensor([1 + 1j]))
show(z.grad, x.grad, x.grad.dtype)
r = torch.polar(x, torch.tensor([0.5]))
r.real.sum().backward()
show(r.detach(), x.grad)
c = torch.complex(x, torch.tensor([1.0], requires_grad=True))
show(c.grad_fn.name(), torch.autograd.grad(c.abs().sum(), x))
for f in (
    lambda: torch.complex(torch.ones(1), torch.ones(1, dtype=torch.float64)),
    lambda: torch.complex(torch.ones(1).long(), torch.ones(1)),
    lambda: torch.polar(torch.ones(1).int(), torch.ones(1)),
    lambda: torch.imag(x),
    lambda: torch.view_as_real(x),
    lambda: torch.view_as_complex(x),
    lambda: torch.view_as_complex(torch.zeros(3, 3)[:, :2]),
    lambda: torch.view_as_complex(torch.zeros(2, 4)[:, 1:3]),
    lambda: torch.complex(torch.ones(1), torch.ones(1), out=torch.zeros(1)),
    lambda: torch.sign(z),
    lambda: z < z,
    lambda: torch.maximum(z, z),
    lambda: torch.floor(z),
    lambda: z.abs_(),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% Real and imaginary parts are views
z = torch.tensor([[1 + 2j, 3 - 1j], [0.5j, -1]])
show(
    z.real,
    z.imag,
    z.real.stride(),
    z.imag.storage_offset(),
    z.real._is_view(),
    z.real._base is z,
    torch.view_as_real(z).shape,
    torch.view_as_real(z.t()).stride(),
)
z.real[0] = 7
z.imag = torch.zeros(2, 2)
show(z, z._version)
z.real += 1
z.imag -= 2
show(z, z.t().imag)
r = torch.arange(8.0).reshape(2, 2, 2)
c = torch.view_as_complex(r)
c *= 1j
show(r, c, r._version)
x = torch.tensor([1.0])
show(x.real is x, torch.conj_physical(x) is x, torch.resolve_conj(x) is x, x.is_conj())


# %% Writing to a real part
x = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
y = x * 1
y.real.mul_(torch.tensor([2.0, 3.0]))
show(y, y.grad_fn.name())
y.abs().sum().backward()
show(x.grad)
x.grad = None
y = x * 1
r = y.real
r.mul_(2)
show(r.grad_fn.name())
((r * r).sum() + (y.imag**2).sum()).backward()
show(x.grad)
w = torch.tensor([5.0, 6.0], requires_grad=True)
y = torch.ones(2, 2, dtype=torch.complex64) * x.detach()
y.t()[0].real.copy_(w * 2)
show(y)
torch.view_as_real(y).pow(2).sum().backward()
show(w.grad)
v = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = (v * 1).reshape(2, 2)
torch.view_as_complex(y).mul_(1j)
show(y)
(g,) = torch.autograd.grad((y * y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum(), v, create_graph=True)
show(g)
show(torch.autograd.grad(g.pow(2).sum(), v))
x.real.mul_(2)


# %% Shifts and operations on bits
i = torch.tensor([1, -3, 6], dtype=torch.int8)
show(
    i << 1,
    i >> 1,
    1 << i.abs(),
    i << torch.tensor([1, 9, -1]),
    torch.bitwise_right_shift(i, 8),
    torch.bitwise_left_shift(2, i),
    i ^ 3,
    ~i,
)
i <<= 1
show(i)
i >>= 2
show(i)
for f in (
    lambda: torch.ones(1) << 1,
    lambda: i << 1.5,
    lambda: torch.gcd(i, torch.tensor([4, 6, 9])),
    lambda: torch.lcm(i, torch.tensor([4, 6, 9])),
    lambda: torch.gcd(i, 2),
    lambda: torch.gcd(i.float(), i.float()),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% addcmul, addcdiv and lerp
a, b, c = torch.ones(2), torch.tensor([2.0, 4.0]), torch.tensor([4.0, 8.0])
show(
    torch.addcmul(a, b, c),
    torch.addcmul(a, b, c, value=0.5),
    a.addcdiv(b, c, value=2),
    torch.lerp(a, b, 0.25),
    torch.lerp(a, b, c),
    a.clone().lerp_(b, 2.0),
    a.clone().addcmul_(b, c, value=-1),
)
for f in (
    lambda: torch.addcdiv(a.int(), a.int(), a.int()),
    lambda: torch.lerp(a, b.double(), 0.5),
    lambda: torch.lerp(a, b, c.double()),
    lambda: torch.lerp(a.long(), b.long(), 2),
    lambda: torch.addcmul(a.int(), a.int(), a.int(), value=2.5),
    lambda: torch.addcmul(a, b, torch.ones(3)),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% frexp, ldexp and round
m, e = torch.frexp(torch.tensor([0.0, 1.0, -6.0, 0.1]))
show(m, e, torch.ldexp(m, e), type(torch.frexp(m)).__name__)
x = torch.tensor([3.0, 5.0], requires_grad=True)
r = torch.frexp(x)
show(r.mantissa.grad_fn.name(), r.exponent.requires_grad, torch.autograd.grad(r.mantissa.sum(), x))
show(
    torch.round(torch.tensor([1.255, -0.5, 2.5, 1234.5]), decimals=1),
    torch.round(torch.tensor([1234.5]), decimals=-2),
    torch.round(torch.tensor([2.5]), decimals=0),
    torch.tensor([2.567]).round_(decimals=2),
)
show(
    torch.nan_to_num(torch.tensor([float("nan"), float("inf"), -float("inf")]), 1, 2, 3),
    torch.nan_to_num(torch.tensor([float("inf")], dtype=torch.float16)),
    torch.nan_to_num(torch.tensor([complex(float("nan"), 1)])),
)
show(
    torch.nextafter(torch.tensor([1.0]), torch.tensor([2.0])).item(),
    torch.copysign(torch.tensor([1.0, -2.0]), -0.0),
    torch.hypot(torch.tensor([3.0]), torch.tensor([4.0])),
    torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([0.5])),
)
torch.frexp(torch.tensor([1]))


# %% isclose, allclose and equal
a = torch.tensor([1.0, 2.0, float("nan")])
show(
    torch.isclose(a, a),
    torch.isclose(a, a, equal_nan=True),
    torch.allclose(a, a),
    torch.allclose(a, a, equal_nan=True),
    torch.isclose(torch.tensor([100]), torch.tensor([101]), rtol=0.01),
    torch.isclose(torch.tensor([float("inf")]), torch.tensor([float("inf")])),
    torch.equal(a, a),
    torch.equal(a[:2], a[:2].double()),
    torch.equal(a[:2], torch.tensor([1, 2])),
    torch.equal(a, a[:2]),
    a.equal(a),
    a[:2].allclose(a[:2] + 1e-9),
    a.isclose(a, 1e-3, atol=1),
)
for f in (
    lambda: torch.isclose(a, a.double()),
    lambda: torch.isclose(a, a, rtol=-1),
    lambda: torch.isclose(a, a, atol=-1.5),
    lambda: torch.isclose(a, 2),
    lambda: torch.equal(a, 2),
    lambda: torch.allclose(a, torch.ones(2)),
    lambda: torch.lt(2, a),
    lambda: torch.isposinf(a, out=torch.zeros(3)),
    lambda: a.lt_("x"),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% float16
h = torch.tensor([1e-3, 2.0, 6e4], dtype=torch.float16)
show(
    h * 65536,
    h / 1e5,
    h * 1e-8,
    h + 1e5,
    (h * h),
    h.sigmoid(),
    h.tanh(),
    torch.logaddexp(h, h),
    h.log1p(),
    torch.addcmul(h, h, h, value=1e-3),
    torch.lerp(h, h * 0.5, 0.3),
    h.exp(),
    h**2,
    h**0.5,
    torch.atan2(h, h),
    torch.xlogy(h, 2),
)
x = h.clone().requires_grad_()
(x * x).sigmoid().sum().backward()
show(x.grad)


# %% In place
x = torch.tensor([1.5, 2.0], requires_grad=True)
for f in "abs acos asin atan ceil clamp_min cos cosh deg2rad erf exp exp2 expm1 fix floor frac log log10 log1p log2 neg nan_to_num reciprocal relu round rsqrt sigmoid sin sinh sqrt square tan tanh trunc xlogy".split():
    if f == "erf":
        continue
    y = torch.tensor([0.5, 0.25])
    args = (0.3,) if f in ("clamp_min", "xlogy") else ()
    r = getattr(torch, f + "_")(y, *args)
    show(f, r is y, y, y._version)
    y = x * 0.25
    getattr(y, f + "_")(*args)
    show(y.grad_fn.name())
y = x.clone()
y.acosh_()
show(y, y.grad_fn.name())
y.sum().backward()


# %% What is refused in place
y = torch.tensor([1, 2, 3])
for f in (
    lambda: y.acos_(),
    lambda: y.sqrt_(),
    lambda: y.mul_(0.5),
    lambda: y.atan2_(torch.ones(3)),
    lambda: y.float_power_(2),
    lambda: torch.ones(2).float_power_(2),
    lambda: torch.ones(2, dtype=torch.float64).float_power_(2),
    lambda: y.logical_not_(),
    lambda: y.gcd_(2),
    lambda: y.add_(torch.ones(2, 3)),
    lambda: torch.sin(y, out=torch.zeros(3, dtype=torch.int64)),
    lambda: torch.nan_to_num(y, out=torch.zeros(3)),
    lambda: torch.square(y, out=torch.zeros(3)),
    lambda: y - True,
    lambda: True - y,
    lambda: y.float() - (y > 1),
    lambda: torch.positive(y > 1),
    lambda: y.pow(-1),
    lambda: torch.pow(torch.tensor([2, 1, -1]), torch.tensor([-1, -2, -3])),
    lambda: (y > 1) % (y > 1),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% Powers that are computed in another way than by a power
x = torch.tensor([-0.0, 0.0, 4.0, -2.0, float("inf")], dtype=torch.float64, requires_grad=True)
for p in (0, 0.5, -0.5, 1, -1, 2, -2, 3, 4, 5, 1.5, -3, 0.0):
    y = x**p
    show(p, y.detach(), torch.autograd.grad(y.sum(), x)[0])
show(
    2 ** torch.tensor([1.0, -1.0]),
    torch.float_power(torch.tensor([2, 3]), 2),
    torch.float_power(2, torch.tensor([1.5])),
    torch.tensor([2, 3]) ** 2,
    torch.tensor([2, 3]) ** 4,
    torch.tensor([True]) ** 2,
)
x = torch.tensor([1.0, 0.0, -1.0], requires_grad=True)
p = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
show(torch.autograd.grad((x**p).sum(), (x, p)))


# %% Large arrays take other paths than small ones: choosing by bits, functions of other functions
n = 5000
for d in (torch.float16, torch.float32, torch.float64, torch.int32, torch.complex64):
    a = (torch.arange(n) % 17 - 8).to(d)
    b = (torch.arange(n) % 5 - 2).to(d)
    c = torch.arange(n) % 3 == 0
    w = torch.where(c, a, b)
    show(d, w[:9], w.sum().item() if d is not torch.float16 else 0)
    w = torch.where(c.reshape(50, 100).t(), a.reshape(100, 50), b.reshape(100, 50))
    show(w.stride(), w[3, :9])
x = ((torch.arange(n) % 9 - 4) / 2).requires_grad_()
with torch.no_grad():
    g = torch.where(torch.arange(n) % 4 == 0, float("inf"), 1.0)
for f in (
    torch.relu,
    lambda v: v.clamp(-1, 1),
    lambda v: torch.maximum(v, torch.zeros(n)),
    lambda v: torch.where(v > 0, v, -v),
    lambda v: v.masked_fill(v > 1, 0),
):
    (r,) = torch.autograd.grad(f(x), x, g)
    show(r[:20])
a = torch.linspace(-1, 3, n)
show(
    bool((a.log1p() - (a.double() + 1).log()).abs().nan_to_num().max() < 1e-5),
    bool((a.tan() - a.double().tan()).div(1 + a.double().tan() ** 2).abs().max() < 1e-6),
)


# %% Empty tensors and tensors without dimensions
for f in (
    lambda: torch.empty(0).acos(),
    lambda: torch.tensor(2.0).clamp(0, 1),
    lambda: torch.zeros(2, 0).logaddexp(torch.zeros(1, 0)),
    lambda: torch.tensor(1.0) << 1,
    lambda: torch.lerp(torch.zeros(0), torch.zeros(0), 0.5),
    lambda: torch.tensor(3) % 2,
    lambda: torch.view_as_real(torch.zeros(2, 0, dtype=torch.complex64)).shape,
    lambda: torch.zeros(2, 0, dtype=torch.complex64).real.shape,
    lambda: torch.tensor(1 + 2j).imag,
    lambda: torch.fill(torch.ones(2, 3).t(), 2.5).stride(),
    lambda: torch.fill_(torch.ones(2), torch.tensor(3)),
    lambda: torch.fill(torch.ones(2), torch.ones(2)),
    lambda: torch.atan2(input=torch.ones(1), other=torch.ones(1)),
    lambda: torch.clamp(input=torch.ones(1) * 3, max=2),
    lambda: torch.acos(torch.ones(1), torch.ones(1)),
    lambda: torch.ones(1).acos(2),
    lambda: torch.fmod(2, torch.ones(1)),
    lambda: torch.lerp(torch.ones(1), end=torch.zeros(1), weight=0.5),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% The order of arguments of old tutorials: a number first
x = torch.ones(2)
g = torch.tensor([1.0, 2.0])
show(x.add_(-0.5, g), torch.add(x, 2, g), x.sub(2, g), x.addcmul_(0.5, g, g), torch.addcdiv(x, 2, g, g))
for f in (
    lambda: torch.add(x),
    lambda: x.add(),
    lambda: torch.add(x, 2, "a"),
    lambda: x.add_("a"),
    lambda: x.clamp([1], 2),
    lambda: torch.lt(x, "a"),
    lambda: x.eq(x, 2),
    lambda: x.fmod((1, 2)),
    lambda: x.lerp(x, wait=1),
    lambda: x.pow("a"),
    lambda: torch.pow("a", x),
    lambda: x.masked_fill(x > 0, "a"),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e))


# %% Complex corners: zeros and branch cuts
z = torch.tensor(
    [0j, complex(0.0, -0.0), complex(-2, 0.0), complex(-2, -0.0), 2 + 0j, 1j], dtype=torch.complex128
)
for f in "reciprocal rsqrt abs angle sqrt log asin atanh acosh".split():
    show(f, getattr(z, f)())
show(z / 0, z * 0, 1 / z, z**-1, z**0.5, z**2)
x = torch.tensor([0j, 3 + 4j], requires_grad=True)
for f in (
    torch.abs,
    torch.angle,
    torch.sgn,
    lambda v: v.abs() ** 2,
    lambda v: v.real * v.imag,
    lambda v: (v * v.conj()).real,
    lambda v: torch.view_as_real(v).sum(-1),
):
    y = f(x)
    show(torch.autograd.grad(y, x, torch.ones_like(y))[0])


# %% Derivatives at zeros and infinities
x = torch.tensor([0.0, -0.0, 1.0, float("inf")], requires_grad=True)
y = torch.tensor([0.0, 0.0, 0.0, 1.0], requires_grad=True)
for f in (
    torch.atan2,
    torch.hypot,
    torch.xlogy,
    torch.maximum,
    torch.copysign,
    torch.pow,
    torch.fmod,
    torch.logaddexp,
    torch.div,
):
    show([(g + 0).tolist() for g in torch.autograd.grad(f(x, y).sum(), (x, y))])
x = torch.tensor(0.5, requires_grad=True, dtype=torch.float64)
(g,) = torch.autograd.grad(torch.complex(x, x * 2).exp().imag.clamp(-3, 3), x, create_graph=True)
show(g, torch.autograd.grad(g * g, x))


# %% Comparisons in place, with a number and with a tensor
for f in "eq_ ne_ lt_ le_ gt_ ge_ less_ greater_equal_".split():
    for other in (
        2,
        2.5,
        torch.tensor([2.0, 3.0]),
        torch.tensor([2.0, 3.0], requires_grad=True),
        torch.tensor(2.0),
    ):
        w = torch.tensor([1.5, 2.5], requires_grad=True)
        x = w * 1
        getattr(x, f)(other)
        show(
            f,
            x,
            x._version,
            x.grad_fn.name(),
            [None if n is None else n.name() for n, _ in x.grad_fn.next_functions],
        )
        x.sum().backward()
        show(w.grad)


# %% Sizes of complex numbers written to tensors of other dtypes
c = torch.tensor([3 + 4j, 1j])
for name in ("abs", "angle", "real", "sgn"):
    for dtype in (
        torch.complex64,
        torch.complex128,
        torch.float32,
        torch.float64,
        torch.int64,
        torch.float16,
    ):
        for x in (c, torch.tensor([1.0, -2.0])):
            attempt(lambda: getattr(torch, name)(x, out=torch.zeros(2, dtype=dtype)))
    attempt(lambda: getattr(torch, name)(c, out=torch.zeros(0, dtype=torch.complex64)))
