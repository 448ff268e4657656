"""A tensor of PyTorch among jgrad's, or one of jgrad among PyTorch's: an error that says so, not an endless exchange of questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import jgrad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "a + b": lambda a, b: a + b,
    "b + a": lambda a, b: b + a,
    "a == b": lambda a, b: a == b,
    "b == a": lambda a, b: b == a,
    "a @ b": lambda a, b: a @ b,
    "jgrad.add(a, b)": lambda a, b: jgrad.add(a, b),
    "torch.add(b, a)": lambda a, b: torch.add(b, a),
    "torch.relu(a)": lambda a, b: torch.relu(a),
    "jgrad.relu(b)": lambda a, b: jgrad.relu(b),
    "jgrad.cat": lambda a, b: jgrad.cat([a, b]),
    "torch.cat": lambda a, b: torch.cat([b, a]),
    "jgrad's loss": lambda a, b: jgrad.nn.functional.mse_loss(a, b),
    "PyTorch's loss": lambda a, b: torch.nn.functional.mse_loss(b, a),
    "jgrad's layer": lambda a, b: jgrad.nn.Linear(2, 2)(b),
    "PyTorch's layer": lambda a, b: torch.nn.Linear(2, 2)(a),
    "jgrad.where": lambda a, b: jgrad.where(b > 0, a, a),
}


@pytest.mark.parametrize("subclass", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_it_is_said(call: str, subclass: bool) -> None:
    a, b = jgrad.ones(2), torch.ones(2)
    if subclass:
        # From now on operators ask about each call.
        a = a.as_subclass(type("Mine", (jgrad.Tensor,), {}))
    with pytest.raises((TypeError, RuntimeError), match=r"PyTorch's \w+|PyTorch's .*got a tensor of jgrad"):
        CALLS[call](a, b)


def test_each_makes_tensors_of_the_others() -> None:
    assert jgrad.tensor(torch.ones(2)).tolist() == torch.tensor(jgrad.ones(2)).tolist() == [1.0, 1.0]
