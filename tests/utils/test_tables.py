"""Tables and series of other libraries, made of tensors, as of PyTorch's."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad

torch = pytest.importorskip("torch")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

CASES = [
    lambda lib: polars.Series(lib.arange(3)),
    lambda lib: polars.Series("a", lib.ones(3)),
    lambda lib: polars.Series("a", lib.ones(3), dtype=polars.Float64),
    lambda lib: polars.Series(values=lib.tensor([True, False])),
    lambda lib: polars.Series(lib.ones(2, 3)),
    lambda lib: polars.Series(lib.ones(3)[::2]),
    lambda lib: polars.Series(lib.tensor([float("nan"), 1.0]), nan_to_null=True),
    lambda lib: polars.Series(lib.ones(3, requires_grad=True)),
    lambda lib: polars.Series(lib.ones(3, dtype=lib.bfloat16)),
    lambda lib: polars.Series([lib.tensor(1.0).item()]),
    lambda lib: polars.DataFrame({"a": lib.ones(2), "b": lib.arange(2)}),
    lambda lib: polars.DataFrame({"a": lib.ones(2)}).to_numpy().tolist(),
    lambda lib: polars.DataFrame({"a": [1.0, 2.0]}).with_columns(polars.Series("b", lib.ones(2))),
    lambda lib: polars.from_numpy(lib.ones(2, 2).numpy()),
    lambda lib: polars.Series("a", [1, 2]).to_numpy().tolist(),
    lambda lib: pandas.Series(lib.arange(3)),
    lambda lib: pandas.Series(lib.ones(3), name="a", index=list("xyz")),
    lambda lib: pandas.DataFrame(lib.ones(2, 2)),
    lambda lib: pandas.DataFrame(lib.ones(2, 2), columns=["a", "b"]),
    lambda lib: pandas.DataFrame({"a": lib.ones(2), "b": lib.arange(2)}),
    lambda lib: pandas.DataFrame({"a": [1.0, 2.0]}).assign(b=lib.ones(2)),
    lambda lib: pandas.Series(lib.ones(3, requires_grad=True)),
    lambda lib: pandas.Series([1.0, 2.0]) + lib.ones(2),
    lambda lib: lib.tensor(pandas.Series([1.0, 2.0]).values),
    lambda lib: lib.tensor(pandas.Series([1.0, 2.0])),
    lambda lib: lib.as_tensor(polars.Series([1.0, 2.0]).to_numpy().copy()),
    lambda lib: (
        list(lib.ones(2)),
        tuple(lib.arange(2)),
        sorted(lib.tensor([2, 1])),
        sum(lib.ones(3)),
        max(lib.arange(3)),
    ),
    lambda lib: (
        dict(zip("ab", lib.arange(2), strict=True)),
        [*map(int, lib.arange(2))],
        set(lib.arange(2).tolist()),
    ),
]


def outcome(library: Any, case: Any) -> str:
    try:
        found = repr(case(library))
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return found.replace("jgrad", "torch")


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_table_of_tensors(number: int) -> None:
    assert outcome(jgrad, CASES[number]) == outcome(torch, CASES[number])
