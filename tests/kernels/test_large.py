"""Large tensors take ways of their own through the kernels: by blocks, by bits, by products of matrices. Their results, and the gradients,
are compared with PyTorch's in float64: they may be no less exact than PyTorch's float32."""

import itertools
import warnings

import numpy as np
import pytest

import jgrad

torch = pytest.importorskip("torch")

ELEMENTWISE = """
x.relu() | x.clamp(-0.5, 0.7) | x.clamp(min=0.1) | x.clamp(max=-0.2) | x.sigmoid() | x.tanh() | x.erf() | x.erfc() | F.gelu(x) |
F.gelu(x, approximate="tanh") | F.silu(x) | F.softplus(x) | F.softplus(x, 2, 1.5) | F.logsigmoid(x) | F.mish(x) | F.elu(x) | F.selu(x) |
F.celu(x, 0.7) | F.leaky_relu(x) | F.leaky_relu(x, 1.5) | F.hardtanh(x) | F.relu6(3 * x) | F.hardsigmoid(3 * x) | F.hardswish(3 * x) |
F.hardshrink(x) | F.softshrink(x) | F.prelu(x, y[0, :1]) | F.glu(x) | lib.where(x > y, x, y) | x.masked_fill(y > 0, 2.0) | x.abs() |
lib.maximum(x, y) | lib.fmax(x, y) | x.exp() | x.exp().log1p() | x.expm1() | x.lgamma() | x.digamma() | (x * 0.9 / 6).erfinv() |
lib.logaddexp(x, y) | lib.hypot(x, y) | lib.remainder(x, y.abs() + 0.5) | lib.atan2(x, y) | (x + 0.5j * y).angle() | (x + 1j * y).abs()
"""
ALONG_A_DIMENSION = """
x.softmax(d) | x.log_softmax(d) | x.logsumexp(d) | x.sum(d) | x.mean(d) | x.var(d) | x.std(d) | x.norm(dim=d) | x.cumsum(d) | x.prod(d) |
(1 + x / 100).cumprod(d) | x.logcumsumexp(d) | x.amax(d) | x.max(d).values | x.min(d).values | x.median(d).values | x.sort(d).values |
x.topk(7, d).values | x.topk(7, d, largest=False).values | x.topk(30, d).values | x.kthvalue(5, d).values | x.cummax(d).values |
x.cummin(d).values | x - x.mean(d, keepdim=True) | x * y.amax(d, keepdim=True) | F.normalize(x, dim=d) | x.flip(d) | x.diff(dim=d)
"""
LAYERS = """
F.layer_norm(x, x.shape[1:]) | F.layer_norm(x, x.shape[1:], y[0], y[1]) | F.rms_norm(x, x.shape[1:]) | F.batch_norm(x, None, None, y[0], y[1], True) |
F.batch_norm(x.reshape(5, 8, -1), None, None, y[0, :8], y[1, :8], True) | F.group_norm(x.reshape(5, 8, -1), 2, y[0, :8], y[1, :8]) |
F.instance_norm(x.reshape(5, 8, -1)) | F.cross_entropy(x, c) | F.cross_entropy(x, c, y[0].abs().detach(), label_smoothing=0.1) | F.nll_loss(x, c) |
F.mse_loss(x, y) | F.l1_loss(x, y) | F.smooth_l1_loss(x, y) | F.huber_loss(x, y, delta=0.7) | F.binary_cross_entropy(x.sigmoid(), y.sigmoid()) |
F.binary_cross_entropy_with_logits(x, y.sigmoid()) | F.kl_div(x, y.softmax(1)) | F.cosine_similarity(x, y) | x.sum() | x.mean() | x.var() |
x.norm() | x.max() | x.median() | x.logsumexp((0, 1)) | x @ y.t() | lib.outer(x[0], y[0]) | x[:, :30].t() @ x[:, :30]
"""


def results(lib, text, dtype, shape, dim):
    rng = np.random.default_rng(5)
    x, y, g = (rng.standard_normal(shape).astype(np.float32).astype(dtype) for _ in range(3))
    names = {
        "lib": lib,
        "F": lib.nn.functional,
        "x": lib.tensor(x, requires_grad=True),
        "y": lib.tensor(y, requires_grad=True),
        "c": lib.tensor(rng.integers(0, shape[1], shape[0])),
        "d": dim,
    }
    result = eval(text, names)
    gradient = lib.tensor(np.resize(g, tuple(result.shape)))
    wanted = [names["x"], names["y"]]
    gradients = lib.autograd.grad(result, wanted, gradient, allow_unused=True)
    return [t if t is None else t.detach().numpy().astype(np.float64) for t in (result, *gradients)]


def distance(a, b):
    """The largest difference, of numbers that are counted as if at least as large as usual."""
    with np.errstate(invalid="ignore"):
        return np.nanmax(np.abs(a - b) / np.maximum(np.abs(b), np.sqrt(np.nanmean(b * b))), initial=0)


def check(text, shape, dim=0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = results(jgrad, text, np.float32, shape, dim)
        theirs = results(torch, text, np.float32, shape, dim)
        exact = results(torch, text, np.float64, shape, dim)
    for our, their, true in zip(ours, theirs, exact, strict=True):
        assert (our is None) == (their is None)
        if our is not None:
            assert our.shape == their.shape
            assert (np.isnan(our) == np.isnan(their)).all()
            assert distance(our, true) <= 3 * distance(their, true) + 1e-6


def texts(block):
    return [text.strip() for text in block.split("|")]


@pytest.mark.parametrize("text", texts(ELEMENTWISE))
def test_elementwise(text):
    check(text, (40, 1100))


@pytest.mark.parametrize("shape", [(40, 1100), (1100, 40)], ids=["long rows", "short rows"])
@pytest.mark.parametrize(("text", "dim"), itertools.product(texts(ALONG_A_DIMENSION), (0, 1)))
def test_along_a_dimension(text, dim, shape):
    check(text, shape, dim)


@pytest.mark.parametrize("text", texts(LAYERS))
def test_layers_and_losses(text):
    check(text, (40, 1104))


SPECIAL = np.resize(
    np.array([-np.inf, -1e30, -88, -1, -1e-40, -0.0, 0.0, 1e-40, 1, 88, 1e30, np.inf, np.nan], np.float32),
    5200,
)

# Their gradients at nan depend in PyTorch on how many elements there are (docs/differences.md).
AT_NAN = (
    "F.elu(x)",
    "F.hardtanh(x)",
    "F.hardtanh(x, 0, 1)",
    "F.hardswish(x)",
    "F.hardshrink(x)",
    "F.softshrink(x)",
    "F.relu6(x)",
)


@pytest.mark.parametrize(
    "text",
    texts(
        """x.relu() | x.clamp(0, 1) | x.clamp(-1, 0) | x.clamp(min=0) | x.clamp(max=0) | x.clamp(1, -1) | x.clamp(float("-inf"), float("inf")) |
        x.clamp(min=float("nan")) | x.sigmoid() | x.tanh() | x.erf() | F.silu(x) | F.softplus(x) | F.logsigmoid(x) | F.elu(x) |
        F.leaky_relu(x) | F.hardtanh(x) | F.hardtanh(x, 0, 1) | F.hardsigmoid(x) | F.hardswish(x) | F.hardshrink(x) | F.softshrink(x) |
        lib.where(x > 0, x, -x) | x.masked_fill(x > 0, -0.0) | F.relu6(x) | x.log1p() | x.expm1() | lib.remainder(x, 3.5) | lib.remainder(x, -3.5) | x.angle() | lib.logaddexp(x, x) | lib.logaddexp(x, 2 * x) |
        lib.logaddexp(x, x.flip(0))"""
    ),
)
def test_special_values(text):
    """Infinities, nan, numbers that overflow and zeros of both signs, in results and gradients."""
    found = []
    for lib in (jgrad, torch):
        x = lib.tensor(SPECIAL, requires_grad=True)
        result = eval(text, {"lib": lib, "F": lib.nn.functional, "x": x})
        (grad,) = lib.autograd.grad(result, x, lib.ones_like(result))
        found.append([t.detach().numpy()[:26] for t in (result, grad)])
    for what, our, their in zip(("result", "gradient"), *found, strict=True):
        if what == "gradient" and text in AT_NAN:
            our, their = (values[~np.isnan(SPECIAL[:26])] for values in (our, their))
        np.testing.assert_allclose(our, their, rtol=1e-6, atol=1e-7)
        zero = their == 0
        assert (np.signbit(our[zero]) == np.signbit(their[zero])).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("kind", ["ties", "few", "extreme"])
def test_topk_is_the_beginning_of_a_stable_sort(dtype, largest, kind):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 50, (20, 1000)).astype(dtype)
    if kind == "few":  # fewer than k that are not the least there is
        low, high = (-np.inf, np.inf) if dtype.startswith("f") else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        values = np.where(rng.random(values.shape) < 0.995, low if largest else high, values).astype(dtype)
    if kind == "extreme" and dtype.startswith("f"):
        values.ravel()[rng.integers(0, values.size, 300)] = np.resize([np.nan, np.inf, -np.inf, -0.0], 300)
    x = jgrad.tensor(values)
    top, places = x.topk(9, 1, largest)
    whole, order = x.sort(dim=1, descending=largest, stable=True)
    np.testing.assert_array_equal(top.numpy(), whole[:, :9].numpy())
    np.testing.assert_array_equal(places.numpy(), order[:, :9].numpy())


@pytest.mark.parametrize("n", [5, 100, 300])
@pytest.mark.parametrize("bad", [None, 0.0, np.nan, np.inf])
def test_triangles_are_solved_as_they_are(n, bad):
    """The other triangle does not count; a zero on the diagonal, infinity and nan go no farther than they do by substitution."""
    rng = np.random.default_rng(0)
    a = rng.standard_normal((n, n)) / n + 2 * np.eye(n)
    b = rng.standard_normal((n, 3))
    if bad is not None:
        a[2, 2 if bad == 0 else 1], a[1, 2 if bad == 0 else 3] = bad, bad or 1.0
    for upper, unit, left in itertools.product([False, True], repeat=3):
        right = b if left else np.ascontiguousarray(b.T)
        ours, theirs = (
            lib.linalg.solve_triangular(
                lib.tensor(a), lib.tensor(right), upper=upper, unitriangular=unit, left=left
            ).numpy()
            for lib in (jgrad, torch)
        )
        if bad is None:
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        else:
            assert (np.isfinite(ours) == np.isfinite(theirs)).all()


@pytest.mark.parametrize("shape", [(100, 200), (67, 100), (3, 70, 60), (4, 100, 3, 40), (5000, 1), (64, 70)])
@pytest.mark.parametrize("kind", ["different", "ties", "nan", "integers"])
def test_the_first_of_the_largest(shape, kind):
    rng = np.random.default_rng(1)
    values = rng.integers(0, 6, shape) if kind in ("ties", "integers") else rng.standard_normal(shape)
    if kind != "integers":
        values = values.astype(np.float32)
    if kind == "nan":
        values.ravel()[rng.integers(0, values.size, values.size // 5)] = np.nan
    for d in range(len(shape)):
        np.testing.assert_array_equal(jgrad.tensor(values).argmax(d).numpy(), values.argmax(d))
        np.testing.assert_array_equal(jgrad.tensor(values).argmin(d).numpy(), values.argmin(d))


@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma"])
def test_special_functions_of_single_precision_are_exact(name):
    """Within a unit or two of the last place everywhere, also beside their zeros."""
    ends = np.logspace(-38, 2, 4001)
    values = np.concatenate([-ends, ends, np.linspace(-12, 12, 40_001), 1 + ends[:2500], 2 - ends[:2500]])
    x = values.astype(np.float32)
    ours = getattr(jgrad, name)(jgrad.tensor(x)).numpy().astype(np.float64)
    exact = getattr(jgrad, name)(jgrad.tensor(x.astype(np.float64))).numpy()
    known = np.isfinite(exact)
    assert (np.isfinite(ours) == known).all()
    unit = np.spacing(np.abs(exact[known]).astype(np.float32)).astype(np.float64)
    assert (np.abs(ours - exact)[known] <= (2.2 if name == "erf" else 0.8) * unit).all()
