"""Random numbers are PyTorch's: after the same seed, the same numbers follow."""

import copy
import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import jgrad
from jgrad import random
from jgrad.kernels import streams

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick

SIZES = [0, 1, 2, 3, 5, 15, 16, 17, 20, 31, 32, 33, 47, 48, 100, 623, 624, 625, 5000, 40_007]
SEEDS = [0, 1, 42, -3, 2**32 + 5, 2**64 - 1]


def pair(seed):
    return torch.Generator().manual_seed(seed), random.Generator().manual_seed(seed)


def empty(dtype, n):
    return torch.empty(n, dtype=getattr(torch, dtype))


def ulps(ours, theirs, least=0):
    """The largest distance, in units of the last place of the numbers, or of `least` if that is larger."""
    distance = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    size = np.maximum(np.abs(theirs), theirs.dtype.type(abs(least)))
    return (distance / np.spacing(size).astype(np.float64)).max(initial=0)


def both_stand_at_the_same_place(theirs, ours):
    assert theirs.get_state().tolist() == ours.get_state().tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (0.1, 0.7), (3, 1000.3), (-500, 2e3), (2, 2)])
def test_uniform(dtype, low, high):
    for n in SIZES:
        theirs, ours = pair(n)
        expected = empty(dtype, n).uniform_(low, high, generator=theirs).numpy()
        found = streams.uniform(ours, (n,), getattr(jgrad, dtype), low, high)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("mean", "std"), [(0, 1), (1.7, 2.3), (100, 1e-3), (-4, 0)])
def test_normal(dtype, mean, std):
    for n in SIZES:
        theirs, ours = pair(n)
        expected = empty(dtype, n).normal_(mean, std, generator=theirs).numpy()
        found = streams.normal(ours, (n,), getattr(jgrad, dtype), mean, std)
        assert found.dtype == expected.dtype
        # For 16 and more float64 PyTorch takes logarithms and cosines from the C library, we take NumPy's.
        assert ulps(found, expected, mean) <= (2 if dtype == "float64" and n >= 16 else 0)
        both_stand_at_the_same_place(theirs, ours)


def test_normal_of_a_tensor_with_gaps():
    theirs, ours = pair(7)
    expected = empty("float32", 200)[::2].normal_(1, 2, generator=theirs).numpy()
    assert ulps(streams.normal(ours, (100,), jgrad.float32, 1, 2, contiguous=False), expected) == 0


def test_the_other_of_a_pair_of_normal_numbers_comes_next():
    theirs, ours = pair(11)
    for n in (3, 1, 20, 5, 2, 1, 1):
        expected = empty("float32", n).normal_(generator=theirs).numpy()
        assert ulps(streams.normal(ours, (n,), jgrad.float32), expected) == 0
        both_stand_at_the_same_place(theirs, ours)
    for n in (3, 4):  # seeding forgets it
        theirs, ours = theirs.manual_seed(5), ours.manual_seed(5)
        expected = empty("float32", n).normal_(generator=theirs).numpy()
        assert ulps(streams.normal(ours, (n,), jgrad.float32), expected) == 0


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0, 1),
        (0, 10),
        (-5, 3),
        (3, 1000),
        (0, 2**28 - 1),
        (0, 2**28),
        (7, 2**31),
        (-(2**31), 2**31),
        (0, 2**32),
        (-(2**60), 2**62),
    ],
)
def test_integers(low, high):
    for seed in SEEDS:
        theirs, ours = pair(seed)
        expected = torch.randint(low, high, (5, 40), generator=theirs).numpy()
        found = streams.integers(ours, low, high, (5, 40), jgrad.int64)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"]
)
def test_integers_of_a_dtype(dtype):
    theirs, ours = pair(42)
    high = 2 if dtype == "bool" else 100
    expected = torch.randint(0, high, (300,), dtype=getattr(torch, dtype), generator=theirs).numpy()
    found = streams.integers(ours, 0, high, (300,), getattr(jgrad, dtype))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(
        streams.any_integers(ours, (300,), getattr(jgrad, dtype)),
        empty(dtype, 300).random_(generator=theirs).numpy(),
    )
    both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 100, 624, 5000])
def test_permutation(n):
    theirs, ours = pair(n)
    np.testing.assert_array_equal(streams.permutation(ours, n), torch.randperm(n, generator=theirs).numpy())
    both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_bernoulli(dtype):
    for n in SIZES:
        theirs, ours = pair(n)
        p = np.linspace(0, 1, n).astype(dtype)
        np.testing.assert_array_equal(
            streams.bernoulli(ours, p),
            torch.bernoulli(torch.from_numpy(p), generator=theirs).numpy().astype(bool),
        )
        expected = empty(dtype, n).bernoulli_(0.3, generator=theirs).numpy().astype(bool)
        np.testing.assert_array_equal(streams.bernoulli(ours, 0.3, (n,)), expected)
        both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_exponential(dtype):
    theirs, ours = pair(3)
    expected = empty(dtype, 1000).exponential_(2.5, generator=theirs).numpy()
    assert ulps(streams.exponential(ours, (1000,), getattr(jgrad, dtype), 2.5), expected) <= 2
    both_stand_at_the_same_place(theirs, ours)


@pytest.mark.parametrize("seed", SEEDS)
def test_state(seed):
    theirs, ours = pair(seed)
    assert ours.initial_seed() == theirs.initial_seed()
    both_stand_at_the_same_place(theirs, ours)
    for n in (1, 3, 619, 1, 1, 700):
        empty("float32", n).normal_(generator=theirs)
        streams.normal(ours, (n,), jgrad.float32)
        both_stand_at_the_same_place(theirs, ours)
        taken = random.Generator().set_state(jgrad.tensor(theirs.get_state().numpy()))
        for other in (taken, ours.clone_state(), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
            assert other.get_state().tolist() == theirs.get_state().tolist()
            assert other.initial_seed() == theirs.initial_seed()
            assert other.words(700).tolist() == ours.clone_state().words(700).tolist()
        both_stand_at_the_same_place(theirs, ours)


def test_a_generator_nobody_seeded():
    both_stand_at_the_same_place(torch.Generator(), random.Generator())
    seeds = {random.Generator().seed() for _ in range(5)}
    assert len(seeds) == 5


def test_the_default_generator():
    assert jgrad.manual_seed(42) is random.default_generator
    torch.manual_seed(42)
    state = jgrad.get_rng_state()
    assert state.dtype is jgrad.uint8
    assert state.tolist() == torch.get_rng_state().tolist()
    first = random.default_generator.words(5).tolist()
    with random.fork_rng():
        random.default_generator.words(100)
    assert random.default_generator.words(1) == random.Generator().manual_seed(42).words(6)[-1]
    jgrad.set_rng_state(state)
    assert random.default_generator.words(5).tolist() == first
    assert jgrad.seed() == jgrad.initial_seed() != 42


ERRORS = [
    "torch.manual_seed(2**64)", "torch.manual_seed(-2**63 - 1)", "torch.manual_seed('a')", "torch.manual_seed(None)",
    "torch.Generator().manual_seed('a')", "torch.Generator().manual_seed(1.5)", "torch.Generator().manual_seed(2**64)",
    "torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))", "torch.set_rng_state(torch.zeros(5056))", "torch.set_rng_state(3)",
    "torch.set_rng_state(torch.zeros(5056, dtype=torch.uint8))", "torch.Generator('foo')",
]  # fmt: skip


@pytest.mark.parametrize("program", ERRORS)
def test_errors(program):
    found = []
    for library in (torch, jgrad):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            eval(program, {"torch": library})
        found.append((type(caught.value), str(caught.value)))
    assert found[0] == found[1]


def seen(library, call):
    """All that a call shows: the result and what autograd knows of it, or the error, the warnings, and where the generator stands."""
    library.manual_seed(42)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = eval(call, {"torch": library})
        except Exception as error:
            shown = [type(error).__name__, str(error)]
        else:
            shown = [repr(result)]
            if isinstance(result, library.Tensor):
                shown += [result.stride(), result.is_leaf, result._version, result.requires_grad]
                if result.grad_fn is not None:
                    shown += [
                        result.grad_fn.name(),
                        [f and f.name() for f, _ in result.grad_fn.next_functions],
                    ]
                if result.is_floating_point():
                    result = result.detach().to(library.float64)
                shown += [result.tolist(), library.get_rng_state().tolist()]
    shown += [str(w.message).partition(" (Triggered")[0] for w in caught]
    return str(shown).replace("torch.", "jgrad.")


CALLS = (Path(__file__).parent / "random_calls.txt").read_text().splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_call(call):
    def hidden(text):
        return re.sub("0x[0-9a-f]+", "", text)

    assert hidden(seen(jgrad, call)) == hidden(seen(torch, call))


# Here PyTorch's text lists the signatures of several overloads that jgrad does not have.
@pytest.mark.parametrize(
    "call",
    [
        "torch.rand()",
        "torch.rand(2, 3, foo=1)",
        "torch.rand('a')",
        "torch.randint(10, 3)",
        "torch.randint(10)",
        "torch.randint(2.5, (2,))",
        "torch.normal(0., 1.)",
        "torch.randint_like(torch.ones(3))",
        "torch.rand_like()",
        "torch.normal(1., torch.ones(2), (2,))",
        "torch.randint_like(torch.ones(2), 2.5)",
    ],
)
def test_refused_arguments(call):
    for library in (torch, jgrad):
        with pytest.raises(TypeError):
            eval(call, {"torch": library})


@pytest.mark.parametrize("fill", ["uniform_()", "normal_()", "random_(9)", "random_(2, 9)", "random_()", "exponential_()",
                                  "bernoulli_(.5)", "bernoulli_(p)"])  # fmt: skip
def test_no_gradient_flows_through_random_numbers(fill):
    def shown(library):
        library.manual_seed(1)
        x = library.ones(3, requires_grad=True)
        p = (library.ones(3) * 0.5).requires_grad_()
        y = x * 1
        eval(f"y.{fill}", {"y": y, "p": p})
        y.sum().backward()
        names = [f and f.name() for f, _ in y.grad_fn.next_functions]
        return (
            y.grad_fn.name(),
            names,
            x.grad.tolist(),
            None if p.grad is None else p.grad.tolist(),
            y.tolist(),
            y._version,
        )

    assert shown(jgrad) == shown(torch)


DRAWS = """
normal(T.zeros(2), 1.0); normal(1.0, T.ones(2)); normal(T.zeros(2), T.ones(2)); normal(0.0, 1.0, (2,)); normal(T.zeros(3, 2), T.ones(2))
normal(T.zeros(2), 2.0); normal(T.zeros(2, dtype=T.complex64), 1.0); normal(T.zeros(2), T.ones(3)); normal(T.zeros(2), -1.0)
bernoulli(T.full((2,), 0.5)); bernoulli(T.full((2,), 0.5, dtype=T.float64)); bernoulli(T.ones(()))
rand(2); rand((2,)); rand(2, 3); rand(0); rand(2, dtype=T.float32); randn(2); randn(2, 3); randn(2, dtype=T.float64)
randperm(2); randperm(5); randperm(0); randperm(-1); randperm(2, dtype=T.int32)
randint(5, (2,)); randint(2, 5, (2,)); randint(1000, (2,)); randint(5, (2,), dtype=T.int64)
multinomial(T.ones(3), 2); multinomial(T.ones(2, 3), 2, True)
"""
TARGETS = """
T.zeros(2); T.zeros(0); T.zeros(3); T.zeros(2, 2); T.zeros(2, dtype=T.float64); T.zeros(2, dtype=T.int64); T.zeros(2, dtype=T.int32)
T.zeros(0, dtype=T.int64); T.zeros(3, dtype=T.int64); T.zeros(2, dtype=T.float16); T.zeros(2, dtype=T.complex64); T.zeros(2, dtype=T.bool)
T.zeros(4)[::2]; T.zeros(3, 2).t(); T.zeros(2, 3).t(); T.zeros(2, 2).t()[0]; T.zeros(1).expand(2); T.zeros(2, requires_grad=True); T.zeros(())
T.zeros(2, dtype=T.uint8); T.zeros(5, dtype=T.int64)[:2]; T.zeros(3)[:0]; T.zeros(2, 3, dtype=T.float64); [T.zeros(2)]; 3
"""


def drawn_into(library, call, target):
    """What a draw with `out=` gives: the result, or the class of the error, and the warnings."""
    library.manual_seed(0)
    out = eval(target, {"T": library})
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = eval(f"T.{call[:-1]}, out=out)", {"T": library, "out": out})
        except Exception as error:
            return type(error).__name__
    shown = result is out, result.tolist(), result.stride(), str(result.dtype), out.requires_grad
    return repr((shown, [str(w.message).partition(" (Triggered")[0] for w in said])).replace("jgrad", "torch")


@pytest.mark.parametrize("call", [c.strip() for c in DRAWS.replace("\n", ";").split(";") if c.strip()])
def test_a_draw_writes_to_out_as_pytorch_does(call):
    for target in [t.strip() for t in TARGETS.replace("\n", ";").split(";") if t.strip()]:
        assert drawn_into(jgrad, call, target) == drawn_into(torch, call, target), target
