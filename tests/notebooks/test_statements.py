"""Sentences of the course that were found to be false do not come back. Each stands with a counterexample, which holds in both libraries."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import jgrad
from tests.notebooks import cells

pytestmark = pytest.mark.quick


@cache
def texts() -> dict[str, str]:
    """Each text cell of the course, by its notebook and id."""
    found = {path.stem: cells.load(path).cells for path in cells.paths()}
    return {
        f"{name}: {c.id}": c.source for name, all_ in found.items() for c in all_ if c.cell_type == "markdown"
    }


def raises(call: Callable[[], Any]) -> bool:
    try:
        call()
    except (RuntimeError, TypeError):
        return True
    return False


def shares(a: Any, b: Any) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def leaf(lib: Any, *values: float) -> Any:
    return lib.tensor([*values], requires_grad=True)


def message(lib: Any) -> str:
    v = leaf(lib, 1.0, 2.0)
    e = v.exp()
    e.add_(1)
    with pytest.raises(RuntimeError) as caught:
        e.sum().backward()
    return str(caught.value)


def seeded(lib: Any) -> bool:
    seed = lib.seed()
    drawn = lib.rand(3)
    lib.manual_seed(seed)
    return lib.equal(drawn, lib.rand(3))


def retained(lib: Any) -> bool:
    x = leaf(lib, 3.0)
    h = x * 2
    h.retain_grad()
    lib.autograd.grad((h * h).sum(), x)
    return h.grad is not None


def larger_source(lib: Any) -> bool:
    source = leaf(lib, 5.0, 6.0)
    return raises(lib.zeros(3).scatter(0, lib.tensor([2]), source).sum().backward)


def uncounted(lib: Any) -> bool:
    x = lib.ones(2)
    x.numpy()[0] = 5
    return x[0] == 5 and x._version == 0


def overlapping(lib: Any) -> bool:
    buffer = lib.ones(4)
    return raises(lambda: lib.add(buffer[:2], buffer[2:], out=buffer[1:3]))


def as_mask(lib: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lib.tensor([10, 20, 30])[lib.tensor([0, 1, 1], dtype=lib.uint8)].tolist() == [20, 30]


def silent_power(lib: Any) -> bool:
    return lib.pow(2, lib.tensor([-1])).item() == 0


def without_recording(lib: Any) -> bool:
    x = leaf(lib, 1.0)
    with lib.no_grad():
        return not raises(lambda: lib.add(x, 1, out=lib.empty(1)))


def summed_gradients(lib: Any) -> bool:
    w, steps = leaf(lib, 0.0), []
    for _ in range(4):
        before = w.item()
        w.sum().backward()
        with lib.no_grad():
            w -= w.grad
        steps.append(w.item() - before)
    return steps == [-1, -2, -3, -4]


def shown_by_the_trace(lib: Any) -> bool:
    with jgrad.trace() as trace:
        x = lib.ones(2)
        x.numpy()[0] = 5
        x * 1
    return any("changed through other code" in step["text"] for step in trace.document["steps"])


def in_inference_mode(lib: Any) -> bool:
    x = leaf(lib, 1.0)
    with lib.inference_mode():
        x.add_(1)
    return x.item() == 2


class Left:
    """As the `Value` of lesson 1: what stands before a number."""

    def __add__(self, other: Any) -> Left:
        return self


FALSE: dict[str, Callable[[Any], Any]] = {
    "message names only version numbers": lambda lib: "[2]], which is output 0 of Exp" in message(lib),
    "random numbers can't be repeated": seeded,
    "changes no `.grad`. It returns": retained,
    "a tensor or a mask as an index can name any elements in any order, so the result is a copy.$": lambda lib: (
        shares((x := lib.ones(3, 2))[lib.tensor(1)], x)
    ),
    "in-place write increases the": uncounted,
    "the clone has the same strides. Otherwise it is stored row by row": lambda lib: (
        lib.ones(4, 3).t()[:, ::2].clone().stride() == (1, 3)
    ),
    "default is used only for Python floats": lambda lib: lib.tensor([]).dtype == lib.get_default_dtype(),
    "everything that it touches becomes `nan`": lambda lib: lib.tensor(float("nan")) ** 0 == 1,
    "the same is true for `floor` and `sign`, and for the number of right": lambda lib: (
        not (leaf(lib, 0.1, 0.9).argmax() == 1).requires_grad
    ),
    "each step is the sum of all steps before": summed_gradients,
    "PyTorch doesn't have the third Legendre": lambda lib: (
        lib.special.legendre_polynomial_p(lib.tensor(3.0), 3) == 63
    ),
    "then it returns `False` for a derivative": lambda lib: raises(
        lambda: lib.autograd.gradcheck(lambda x: x.exp(), leaf(lib, 0.0, 1.0))
    ),
    "so nothing new is made in a step": lambda lib: 0.1 * (v := lib.ones(2)) is not v,
    "the result must be convertible to it": lambda lib: raises(
        lambda: lib.matmul(lib.ones(2, 2), lib.ones(2, 2), out=lib.zeros(2, 2, dtype=lib.float64))
    ),
    "autograd does not support `out=`: there is an error if": without_recording,
    "add(buffer[:2], buffer[2:], out=buffer[1:3])\nsmall": overlapping,
    "All other sizes must be equal.": lambda lib: lib.cat([lib.ones(2, 3), lib.ones(0)]).shape == (2, 3),
    "are `tensor_split` along axis": lambda lib: raises(lambda: lib.hsplit(lib.ones(2, 3), 2)),
    "because integers are *positions* there.$": as_mask,
    "This is a `gather` with the same index.$": larger_source,
    "would not be an integer, so it raises an error": silent_power,
    "the trace does not show the write": shown_by_the_trace,
    "a class with these two methods remembers every formula that": lambda lib: raises(
        lambda: operator.add(2, Left())
    ),
    "You can write to a leaf that requires grad by its own name only under `no_grad()`": in_inference_mode,
    "in PyTorch many operations refuse them, even a sum": lambda lib: (
        lib.tensor([1, 2], dtype=lib.uint16).sum() == 3
    ),
    "`reshape` always works": lambda lib: raises(lambda: lib.ones(6).reshape(4)),
}


@pytest.mark.parametrize("sentence", FALSE)
def test_what_was_found_false_is_said_nowhere(sentence: str) -> None:
    pattern = re.escape(sentence.removesuffix("$")) + r"\s*$" * sentence.endswith("$")
    told = [where for where, text in texts().items() if re.search(pattern, text, re.M)]
    assert told == []


@pytest.mark.filterwarnings("ignore:.*is not a double precision")
@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize("sentence", FALSE)
def test_why_it_is_false(sentence: str, library: str) -> None:
    assert FALSE[sentence](pytest.importorskip(library))
