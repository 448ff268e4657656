"""Fused functions: what is traced, what the kernels compute, and that their C++ does so."""

import math
import random
import re

import numpy as np
import pytest

import jgrad
from jgrad.kernels.cupy import tracing
from jgrad.kernels.cupy.language import BINARY, INTEGERS_TOO, PREDICATES, TYPES, UNARY
from jgrad.kernels.cupy.layout import ordered
from tests import foreign
from tests.foreign import compiled, fusing, programs
from tests.foreign.arrays import fresh
from tests.foreign.device import library, on_the_device

TOLERANCES = {"e": 4e-3, "f": 3e-5, "d": 1e-11}
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 1e-3, 3e4, -3e4]


def traced(function, *args, kind=tracing.Program):
    """What a fused function makes of NumPy's arrays and of numbers, and its kernels."""
    one = tracing.Fused(foreign, function, kind)
    with np.errstate(all="ignore"):
        found = one(tuple([fresh(a.copy("K")) if isinstance(a, np.ndarray) else a for a in args]))
    return found, one


def np_of_the_device():
    return library().np


# Tracing -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dtypes_are_numpys(dtype):
    a, b = np.array([1.1, 2.2, -3.3], dtype), np.array([1, 2, 3], np.int32)
    mask = np.array([True, False, True])
    np_ = np_of_the_device()
    for function in (
        lambda a, b, mask, s: a * b + s,
        lambda a, b, mask, s: (b + 1) * (b - b),
        lambda a, b, mask, s: np_.where(mask, a, 0) * a.dtype.type(3),
        lambda a, b, mask, s: (mask & (a > 0)) | (b == 2),
        lambda a, b, mask, s: np_.sqrt(np_.abs(a)) ** 2 / s,
        lambda a, b, mask, s: (a.astype(np.float64) + b) * np.float32(0.1),
        lambda a, b, mask, s: a.clip(-s, s) - np_.maximum(a, 0),
        lambda a, b, mask, s: (~mask & True) ^ (a <= b),
    ):
        found, one = traced(function, a, b, mask, 1.5)
        with np.errstate(all="ignore"):
            expected = function(fresh(a), fresh(b), fresh(mask), 1.5)
        assert one.programs
        assert not one.refused
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found._host, expected._host)


def test_writes_to_its_own_results():
    np_ = np_of_the_device()

    def function(a):
        made = np_.asarray(np_.negative(a))
        again = made
        np_.exp(made, out=made)
        made += 1
        np_.copyto(made, 7, where=a > 1)
        assert again is made
        return np_.reciprocal(again, out=again)

    a = np.array([0.0, 2.0, -1.0])
    found, one = traced(function, a)
    assert one.programs
    np.testing.assert_allclose(found._host, [0.5, 1 / 7, 1 / (1 + math.e)])


def test_a_comparison_of_numbers_chooses_the_kernel():
    def function(a, s):
        return a * 2 + s if s > 1 else a / 4 - s

    one = tracing.Fused(foreign, function)
    a = foreign.array([1.0, 2.0])
    for s in (2.0, 3.0, 0.5, 0.25, 5.0):
        np.testing.assert_array_equal(one((a, s))._host, function(a._host, s))
    assert [len(p) for p in one.programs.values()] == [2]


@pytest.mark.parametrize(
    ("reason", "function"),
    [
        (".shape", lambda a: a * a.shape[0]),
        (".sum", lambda a: a - a.sum()),
        ("no step", lambda a: a[0] + a),
        ("write to an argument", lambda a: a.__iadd__(1) * 2),
        ("with options", lambda a: np_of_the_device().add(a, 1, order="C") * 2),
        ("single step", lambda a: a + 1),
        ("what it returns", lambda a: a),
        ("as an operand", lambda a: (a + foreign.array([1.0])) * 2),
        ("divmod", lambda a: np_of_the_device().divmod(a, 2.0)[0] + 1),
    ],
)
def test_what_is_no_kernel_runs_step_by_step(reason, function):
    a = np.array([3.0])
    _, one = traced(function, a)
    assert not one.programs
    (why,) = one.refused.values()
    assert re.search(reason, why), why


def test_errors_are_those_of_the_function():
    def function(a, s):
        if s < 0:
            raise RuntimeError("negative")
        return a * s + a

    one = tracing.Fused(foreign, function)
    a = foreign.array([1.0])
    with pytest.raises(RuntimeError, match="negative"):
        one((a, -1.0))
    assert one((a, 2.0)).tolist() == [3]
    with pytest.raises(RuntimeError, match="negative"):
        one((a, -1.0))
    with pytest.raises(ValueError, match="broadcast"):
        tracing.Fused(foreign, lambda a, b: a * b + a)((foreign.zeros(2), foreign.zeros(3)))


def test_layouts_are_numpys():
    """Of random operands, transposed, expanded, strided, of conflicting orders."""
    draw = random.Random(1)
    function = {1: np.negative, 2: np.add, 3: np.clip}
    for _ in range(1500):
        shape = [draw.choice([1, 2, 3, 4]) for _ in range(draw.randint(1, 4))]
        operands = []
        for _ in range(draw.randint(1, 3)):
            own = [n if draw.random() < 0.8 else 1 for n in shape[draw.randint(0, 1) :]]
            order = draw.sample(range(len(own)), len(own))
            a = np.zeros([own[d] for d in order]).transpose(np.argsort(order)) if own else np.zeros(())
            if draw.random() < 0.2 and own:
                a = np.zeros([2 * n for n in a.shape])[tuple([slice(None, None, 2)] * a.ndim)]
            if draw.random() < 0.2:
                a = np.broadcast_to(a, np.broadcast_shapes(a.shape, shape[1:]))
            operands.append(a)
        expected = function[len(operands)](*operands)
        turned, back = ordered(np, operands)
        found = np.zeros(turned[0].shape).transpose(back)
        assert found.shape == expected.shape
        assert strides(found) == strides(expected)


def strides(a):
    return [s for s, n in zip(a.strides, a.shape, strict=True) if n > 1]


def test_results_lie_as_numpys():
    a, b = np.zeros((3, 4)).T, np.zeros((2, 4, 3)).transpose(0, 1, 2)
    found, one = traced(lambda a, b: a * 2 + b, a, b)
    assert one.programs
    assert strides(found._host) == strides(a * 2 + b)
    empty, _ = traced(lambda a: a * 2 + 1, np.zeros((0, 3)))
    assert empty.shape == (0, 3)
    point, _ = traced(lambda a: a * 2 + 1, np.array(3.0))
    assert point.shape == ()
    assert point.tolist() == 7


def test_results_of_unlike_shapes_are_made_apart():
    def function(a, b):
        return a * b + 1, b * 2 + 1

    a, b = np.zeros((2, 3)), np.zeros(3)
    (first, second), one = traced(function, a, b)
    assert one.programs
    assert (first.shape, second.shape) == ((2, 3), (3,))


def test_nothing_is_refused_by_mistake():
    """What is refused says why; any other exception would be a fault of the tracer."""
    made = []
    before = tracing.Fused.__init__

    def noted(self, *args, **options):
        before(self, *args, **options)
        made.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracing.Fused, "__init__", noted)
        library.cache_clear()
        try:
            with on_the_device():
                for text in programs.texts(programs.POINTWISE) + programs.texts(programs.REDUCING):
                    programs.run(text, jgrad.float32)
        finally:
            library.cache_clear()
    refused = {why for one in made for why in one.refused.values()}
    assert all(why.startswith("Untraceable: ") for why in refused), refused
    fused = {one.function.__name__ for one in made if one.programs}
    assert {"gelu", "silu", "elu", "sigmoid", "placed", "slopes", "largest", "shares", "rsqrt"} <= fused


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_programs_do_what_they_do_on_the_cpu(dtype):
    tolerance = {"float16": 3e-3, "float32": 1e-5, "float64": 1e-12}[dtype]
    for text in programs.texts(programs.POINTWISE) + programs.texts(programs.REDUCING):
        if "dropout" in text or "bernoulli" in text:
            continue
        jgrad.manual_seed(1)
        with on_the_device():
            there = programs.run(text, getattr(jgrad, dtype))
            there = [t if t is None else t.detach().cpu() for t in there]
        jgrad.manual_seed(1)
        for ours, theirs in zip(there, programs.run(text, getattr(jgrad, dtype), "cpu"), strict=True):
            assert (ours is None) == (theirs is None), text
            if ours is not None:
                a, b = ours.numpy(), theirs.detach().numpy()
                assert a.dtype == b.dtype, text
                np.testing.assert_allclose(a, b, tolerance, tolerance, err_msg=text)


def test_attention_waits_for_nothing():
    with on_the_device():
        q = jgrad.randn(2, 3, 4, 5, device="cuda", requires_grad=True)
        foreign.waits.clear()
        jgrad.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).sum().backward()
        assert foreign.waits == []


def test_writing_in_place_reads_no_overwritten_elements():
    with on_the_device():
        t = jgrad.arange(6.0, device="cuda")
        t[:-1].add_(t[:-1], alpha=2)
        assert t.tolist() == [0, 3, 6, 9, 12, 5]
        t = jgrad.arange(4.0, device="cuda").reshape(2, 2)
        t.t().mul_(3).sub_(1.0)
        assert t.tolist() == [[-1, 2], [5, 8]]
        with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
            jgrad.zeros(1, device="cuda").add_(jgrad.ones(2, device="cuda"), alpha=2)
        with pytest.raises(RuntimeError, match="can't be cast"):
            jgrad.zeros(2, dtype=jgrad.int64, device="cuda").add_(jgrad.ones(2, device="cuda"), alpha=2)


# Random numbers ----------------------------------------------------------------------------------------------------------------

# Known answers of Random123: counter, key, words.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_philox(counter, key, words):
    draw, place = (np.uint64(counter[i] | counter[i + 1] << 32) for i in (0, 2))
    assert tuple(map(int, fusing.philox(key, draw, place))) == words


def test_poisson_and_binomial_numbers():
    with on_the_device():
        jgrad.manual_seed(3)
        rates = jgrad.full((20000,), 6.5, device="cuda", dtype=jgrad.float64)
        foreign.waits.clear()
        numbers, more = jgrad.poisson(rates), jgrad.poisson(rates)
        counts = jgrad.binomial(jgrad.full_like(rates, 40), jgrad.full_like(rates, 0.3))
        assert foreign.waits == []
        jgrad.manual_seed(3)
        assert numbers.equal(jgrad.poisson(rates))
        assert not numbers.equal(more)
        assert numbers.dtype is jgrad.float64
        assert abs(numbers.mean().item() - 6.5) < 0.1
        assert abs(numbers.var().item() - 6.5) < 0.4
        assert abs(counts.mean().item() - 12) < 0.1
        assert abs(counts.var().item() - 8.4) < 0.4


def test_gamma_and_dirichlet_numbers():
    with on_the_device():
        jgrad.manual_seed(3)
        shape = jgrad.full((20000,), 6.5, device="cuda", requires_grad=True)
        foreign.waits.clear()
        numbers = jgrad._standard_gamma(shape)
        rows = jgrad._sample_dirichlet(jgrad.full((20000, 2), 3.0, device="cuda"))
        assert foreign.waits == []
        (grad,) = jgrad.autograd.grad(numbers.sum(), shape)
        assert numbers.dtype is jgrad.float32
        assert abs(numbers.mean().item() - 6.5) < 0.1
        assert abs(numbers.var().item() - 6.5) < 0.4
        assert abs(rows.mean().item() - 0.5) < 1e-6
        assert abs(rows[:, 0].var().item() - 0.25 / 7) < 0.002
        assert abs(grad.mean().item() - 1) < 0.05  # of the mean, which is the shape parameter


# C++ ---------------------------------------------------------------------------------------------------------------------------

needs_a_compiler = pytest.mark.skipif(compiled.COMPILER is None, reason="needs a C++ compiler")


def elements(dtype, n, draw):
    """Random elements of a dtype, with those that are special."""
    if dtype.kind == "b":
        return draw.random(n) < 0.5
    if dtype.kind in "iu":
        return draw.integers(0 if dtype.kind == "u" else -5, 6, n).astype(dtype)
    values = draw.standard_normal(n) * draw.choice([0.1, 1, 4], n)
    values[: len(SPECIAL)] = draw.permutation(SPECIAL)
    return values.astype(dtype)


def same(found, expected, name):
    """Equal as far as two libraries of functions agree; signs of zeros count, unless of the larger or smaller of 0 and -0, which is the
    processor's affair."""
    assert found.dtype == expected.dtype
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, name)
        return
    tolerance = TOLERANCES[found.dtype.char]
    np.testing.assert_allclose(found.astype("d"), expected.astype("d"), tolerance, tolerance, err_msg=name)
    if re.search("np_(maximum|minimum|fmax|fmin)", name):
        return
    zeros = (found == 0) & (expected == 0)
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(expected[zeros]), name)


def single(name, char):
    """The kernel of one function in one dtype."""
    count = 1 if name in UNARY else 2
    out = "?" if name in PREDICATES else char
    operands = ", ".join([f"x{i}" for i in range(count)])
    outer, inner = TYPES[out], "float" if char == "e" else TYPES[char]
    lines = f"const {outer} v0 = static_cast<{outer}>(np_{name}<{inner}>({operands}));\ny0 = v0;"
    takes = ", ".join([f"{np.dtype(char).name} x{i}" for i in range(count)])
    return fusing.ElementwiseKernel(takes, f"{np.dtype(out).name} y0", lines, f"np_{name}_{char.replace('?', 'bool')}", preamble=compiled.PREAMBLE)  # fmt: skip


def singles():
    """The kernels of all functions of the language in the dtypes that they are for."""
    for name in UNARY.keys() | BINARY.keys():
        bits = name.startswith("bitwise") or name in ("invert", "left_shift", "right_shift")
        for char in "?bilBILefd":
            if char in "efd":
                fits = not bits
            elif char == "?":
                fits = name.startswith(("bitwise", "logical")) or name in ("equal", "not_equal", "cast", "maximum", "minimum", "less")  # fmt: skip
            else:
                fits = name in INTEGERS_TOO and not (name == "negative" and char in "BIL")
            if fits and not (name == "absolute" and char in "efd"):
                yield single(name, char)


@needs_a_compiler
def test_functions_compiled(tmp_path):
    """Each function of the language computes what NumPy's of its name does, in each dtype."""
    compare(sorted(singles(), key=lambda k: k.name), tmp_path)


@needs_a_compiler
def test_kernels_compiled(tmp_path):
    """The kernels of many programs, compiled, make what their lines say; of random numbers to the last bit, but for functions."""
    compare(programs.kernels(), tmp_path)


def compare(kernels, folder):
    draw = np.random.default_rng(0)
    n = 64
    for kernel, function in zip(kernels, compiled.on_the_host(kernels, folder), strict=True):
        takes, gives = (compiled.parameters(text) for text in kernel.arguments[:2])
        if isinstance(kernel, fusing.DrawingKernel):
            given = [np.array(v) for v in (1234567, 89, 5, 256, 1000)]
            more = [0.75, -0.5, 0.25, 0.5] if kernel.what != "integer" else [1000, 2**64 - 5]
            given = [v.astype(d) for (d, _), v in zip(takes, [*given, *map(np.array, more)], strict=False)]
            out, expected = np.zeros(1000, gives[0][0]), fresh(np.zeros(1000, gives[0][0]))
            function(512, *given, out)
            numbers = [v[()] for v in given]
            kernel(*map(int, numbers[:5]), *numbers[5:], expected, size=512)
            same(out, expected._host, kernel.name)
            if kernel.what != "normal":
                np.testing.assert_array_equal(out, expected._host)
            continue
        given = [elements(dtype, n if name[0] == "x" else 12, draw) for dtype, name in takes]
        given = [a if name[0] == "x" else a[-1:] for a, (_, name) in zip(given, takes, strict=True)]
        if "shift" in kernel.name:
            given[1] %= 7
        arguments = [
            fresh(a.copy()) if name[0] == "x" else a[0].item()
            for a, (_, name) in zip(given, takes, strict=True)
        ]
        values, _ = kernel.run(tuple(arguments))
        if hasattr(kernel, "wide"):
            expected = [values[kernel.results["return"]].astype(gives[0][0])]
        else:
            expected = [values[kernel.results[name]] for _, name in gives]
        found = [np.zeros(n, dtype) for dtype, _ in gives]
        function(n, *given, *found)
        for a, b in zip(found, expected, strict=True):
            same(a, np.broadcast_to(b, a.shape), kernel.name + "\n" + kernel.lines)


def test_what_is_read_while_it_is_written_elsewhere_is_not_fused():
    """Threads of one kernel run in any order: an array that shares other elements with the target must have been read before."""
    with on_the_device():
        t = jgrad.arange(10.0, device="cuda")
        target, shifted = t[:8:2], t[2::2]
        along = library().goes_along
        assert along(target._a, target._a)
        assert along(jgrad.ones(4, device="cuda")._a, target._a)
        assert not along(shifted._a, target._a)
        assert target.add_(shifted).tolist() == [2, 6, 10, 14]
