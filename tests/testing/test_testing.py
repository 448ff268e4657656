"""`jgrad.testing` against `torch.testing`: the same numbers for a seed, the same verdicts, errors and texts."""

from __future__ import annotations

import itertools
import random
from collections import OrderedDict
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import jgrad

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")
pytestmark = pytest.mark.quick

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
LIMITS = [{}, {"low": 0}, {"high": 1}, {"low": -3, "high": 5}, {"low": 0.5, "high": 1.5}, {"low": 3, "high": 2}, {"low": 2, "high": 2},
          {"low": float("nan")}, {"low": -float("inf"), "high": float("inf")}, {"low": 10**30}, {"high": -(10**30)}]  # fmt: skip
OPTIONS = [
    {},
    {"noncontiguous": True},
    {"exclude_zero": True},
    {"requires_grad": True},
    {"noncontiguous": True, "exclude_zero": True},
]


def outcome(action: Any, library: ModuleType) -> tuple:
    """What an action gives: a value, or the type and text of its error."""
    try:
        return "value", action(library)
    except Exception as error:
        return type(error), str(error).replace("jgrad", "torch")


@pytest.mark.filterwarnings("ignore:Passing `low==high`")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_make_tensor(dtype, options):
    for limits, shape in itertools.product(LIMITS, [(3, 4), (0, 2), (), (40,), (1,)]):

        def make(library: ModuleType, shape: tuple = shape, limits: dict = limits) -> Any:
            library.manual_seed(0)
            t = library.testing.make_tensor(
                shape, dtype=getattr(library, dtype), device="cpu", **limits, **options
            )
            return (
                t.detach().numpy().tobytes(),
                tuple(t.shape),
                t.stride() if t.numel() else None,
                t.requires_grad,
            )

        assert outcome(make, jgrad) == outcome(make, torch), (limits, shape)


def test_arguments_of_make_tensor():
    for make in (
        lambda library: (
            library.testing.make_tensor(2, 3, dtype=library.float32, device="cpu").shape == (2, 3)
        ),
        lambda library: (
            library.testing.make_tensor([2, 3], dtype=library.float32, device="cpu").shape == (2, 3)
        ),
        lambda library: (
            library.testing.make_tensor(library.Size([2]), dtype=library.int64, device="cpu").shape == (2,)
        ),
        lambda library: library.testing.make_tensor(
            2,
            dtype=library.float32,
            device="cpu",
            noncontiguous=True,
            memory_format=library.contiguous_format,
        ),
    ):
        assert outcome(make, jgrad) == outcome(make, torch)
    with pytest.warns(FutureWarning, match="low==high"):
        jgrad.testing.make_tensor(2, dtype=jgrad.float32, device="cpu", low=1, high=1)


class Thing:
    def __repr__(self) -> str:
        return "a thing"


THING = Thing()


def sides(library: ModuleType) -> list[Any]:
    """Values to compare with each other."""
    t = library.tensor
    nan = float("nan")
    return [
        None, True, False, 0, 1, 1.0, 1 + 1e-8, 1.1, 1 + 1j, nan, float("inf"), np.float32(1), np.bool_(True), np.int64(1), "text", THING, {1},
        np.ones(3), np.array([1.0, 2.0, 1.0]), np.ones(3, np.float32), t(1.0), t(1), t(nan), t(1.0 + 1e-6), t([1.0, 1.0, 1.0]), t([1.0, 2.0, 1.0]),
        t([1.0, nan, 1.0]), t([[1.0, 2.0], [3.0, 4.0]]), t([[1.0, 2.5], [3.0, 7.0]]), t([1, 1, 1]), t([1, 0, 3]), t([True, False]), t([True, True]),
        t([1 + 1j]), t([1 + 2j]), t([]), t([0.0, 0.0]), t([0.0, 1.0]), t([1.0, 1.0, 1.0], dtype=library.float64), t([0, 255], dtype=library.uint8),
        t([255, 0], dtype=library.uint8), t([1.0], dtype=library.float16), t([1.002], dtype=library.float16), library.nn.Parameter(t([1.0, 1.0, 1.0])),
        t([[1.0, 3.0], [2.0, 4.0]]).t(), [1, 2], [1, 2.5], (1, 2), [], [1], {"a": 1}, {"a": t([1.0]), "b": [1, {"c": 2.0}]},
        t([[1.0, 0.0], [0.0, 4.0]]).to_sparse(), t([[1.0, 0.0], [0.0, 4.5]]).to_sparse(), t([[1.0, 0.0], [4.0, 0.0]]).to_sparse(),
        t([[1.0, 0.0], [0.0, 4.0]]).to_sparse(1), t([[1.0, 0.0], [0.0, 0.0]]).to_sparse(), t([[1.0, 0.0], [0.0, 4.0]]),
        t([[1, 0], [0, 4]]).to_sparse(), library.empty(3, device="meta"), library.empty(2, 2, device="meta"),
        OrderedDict(b=[1, {"c": 3.0}], a=t([1.0])), {"b": 1}, {1: 2, "a": 3}, [[t(1.0)], [t(2.0)]], [[t(1.0)], [t(2.5)]], [None, [True]], [None, [False]],
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rtol": 0, "atol": 0},
        {"rtol": 0.5, "atol": 0.1},
        {"equal_nan": True},
        {"check_dtype": False},
        {"check_layout": False},
        {"check_device": False, "check_layout": False},
        {"check_stride": True},
        {"allow_subclasses": False},
        {"rtol": 0.1},
        {"atol": 0.1},
        {"msg": "Argh"},
        {"msg": lambda text: f"Header\n{text}"},
    ],
    ids=lambda options: " ".join(options),
)
def test_assert_close(options):
    theirs, ours = sides(torch), sides(jgrad)
    for i, j in itertools.product(range(len(theirs)), repeat=2):

        def compare(library: ModuleType, i: int = i, j: int = j) -> None:
            values = theirs if library is torch else ours
            library.testing.assert_close(values[i], values[j], **options)

        assert outcome(compare, jgrad) == outcome(compare, torch), (theirs[i], theirs[j])


@pytest.mark.parametrize("seed", range(20))
def test_random_mismatches(seed):
    draw = random.Random(seed)
    for _ in range(20):
        shape = tuple([draw.randint(1, 4) for _ in range(draw.randint(1, 3))])
        dtype = draw.choice([np.float32, np.float64, np.int64, np.complex64, np.uint8])
        numbers = np.random.default_rng(draw.randrange(2**32))
        first = (numbers.standard_normal(shape) * 10).astype(dtype)
        second = np.where(
            numbers.random(shape) < 0.6, first, first + numbers.integers(0, 3, shape).astype(dtype)
        )

        def compare(library: ModuleType, first: Any = first, second: Any = second) -> None:
            library.testing.assert_close(library.from_numpy(first), library.from_numpy(second))

        assert outcome(compare, jgrad) == outcome(compare, torch)


def test_gradients_are_not_in_the_way():
    x = jgrad.ones(2, requires_grad=True)
    jgrad.testing.assert_close(x * 1, x)
    with pytest.raises(AssertionError, match=r"Greatest absolute difference: 1\.0 at index"):
        jgrad.testing.assert_close(x * 2, x)
