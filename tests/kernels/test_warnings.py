"""NumPy's warnings about inf and nan reach no user: PyTorch has none."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import pytest

import jgrad
from jgrad.dispatch import TABLE

pytestmark = pytest.mark.quick

VALUES = [float("inf"), float("nan"), -float("inf"), 0.0, 1e308, -1e308, 5e-324, 1.0, -1.0]


def arguments(dtype: jgrad.dtype) -> list[tuple[Any, ...]]:
    """Arguments of many forms. What does not fit an operator is refused by it."""
    x = jgrad.tensor(VALUES, dtype=dtype)
    matrix = jgrad.stack([x] * 9)
    images = matrix[None, None]
    return [
        (x,),
        (x, x),
        (matrix,),
        (matrix, matrix),
        (images, images),
        (x, 0),
        (matrix, 1),
        (x, 2.0),
        (images[0], 2),
        (x, x, x),
    ]


@pytest.mark.parametrize("dtype", [jgrad.float32, jgrad.float64, jgrad.complex128])
def test_no_operator_shows_a_warning_of_numpy(dtype: jgrad.dtype) -> None:
    shown, worked = set(), set()
    for name, operator in list(TABLE.items()):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            # The filter that `import jgrad` sets.
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
            # Operators write to their arguments, so each gets its own.
            for values in arguments(dtype):
                with contextlib.suppress(Exception):
                    operator.function(*values)
                    worked.add(name)
        shown |= {(name, str(w.message)) for w in said if issubclass(w.category, RuntimeWarning)}
    assert not shown
    # Otherwise nothing was looked at: about half of the operators take one of these forms.
    assert len(worked) > len(TABLE) / 4
