"""What Shift-Tab, `help()` and Tab show of a call: its parameters, and not `(*args, **kwargs)`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import jgrad
from tests.namespace.docstrings import MODULES

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick

PLACES = (*MODULES, "jgrad.nn.Module", "jgrad.nn.utils.rnn", "jgrad.utils.data", "jgrad.distributions")
ANY = {inspect.Parameter.VAR_POSITIONAL: "args", inspect.Parameter.VAR_KEYWORD: "kwargs"}

# These take whatever they are given: they hand it on, or do nothing with it.
HAND_ON = {
    "autograd.Function",  # PyTorch's class can't be used by calling it either
    "nn.Identity",
    "nn.Sequential",
    "nn.Module.compile",  # the options of `compile`
    "nn.utils.skip_init",
    "nn.Module.state_dict",  # older ways to call it, which give a warning
    "utils.checkpoint.checkpoint",
    "utils.checkpoint.checkpoint_sequential",
    "utils.checkpoint.CheckpointFunction",
    "utils.checkpoint.get_device_states",
    "utils.data.StackDataset",
}
OTHER = {
    "Size",  # its argument has no name in PyTorch's error texts either
    "enable_grad",  # as a context manager it takes nothing; as a decorator it gets the function by position
    "serialization.StorageType",  # an Enum
    "Tensor.dim_order",  # `ambiguity_check` is experimental in PyTorch
}


def called() -> Iterator[tuple[str, Any]]:
    """The functions, methods and classes of jgrad that users call, each by the first of its names."""
    seen: set[int] = set()
    for where in PLACES:
        place = jgrad.nn.Module if where == "jgrad.nn.Module" else None
        place = place or (jgrad.Tensor if where == "jgrad.Tensor" else import_module(where))
        for name in dir(place):
            value = getattr(place, name)
            own = callable(value) and str(getattr(value, "__module__", "")).startswith("jgrad")
            # Python knows no signature of it.
            error = isinstance(value, type) and issubclass(value, Exception)
            if own and not name.startswith("_") and not error and id(value) not in seen:
                seen.add(id(value))
                yield f"{where}.{name}".removeprefix("jgrad."), value


CALLED = dict(called())


def of_torch(name: str) -> inspect.Signature | None:
    """The signature of PyTorch's counterpart, if it has one that names all parameters."""
    value: Any = torch
    for part in name.split("."):
        value = getattr(value, part, None)
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    return None if any(p.kind in ANY for p in found.parameters.values()) else found


def test_every_public_name_has_a_signature_that_names_its_parameters() -> None:
    assert len(CALLED) > 1500
    vague = {
        name
        for name, value in CALLED.items()
        if any(ANY.get(p.kind) == p.name for p in inspect.signature(value).parameters.values())
    }
    assert vague == HAND_ON & {*CALLED}
    assert {*CALLED} >= HAND_ON


def test_the_parameters_of_pytorch_are_among_them() -> None:
    lacking = {
        name: [
            p.name
            for p in theirs.parameters.values()
            if p.kind != p.POSITIONAL_ONLY and p.name not in inspect.signature(value).parameters
        ]
        for name, value in CALLED.items()
        if (theirs := of_torch(name)) is not None and name not in OTHER
    }
    assert len(lacking) > 550
    assert {name: parameters for name, parameters in lacking.items() if parameters} == {}


@pytest.mark.parametrize(
    "call",
    [
        "L.Tensor(data=[1, 2])",
        "L.Tensor(other=t)",
        "L.Tensor(other=L.ones(2, dtype=L.int64))",
        "L.Tensor(storage=t.untyped_storage())",
        "L.Tensor(data=[1], device='cpu')",
        "L.Tensor(size=[2])",
        "L.LongTensor(data=[1, 2])",
        "t.new(data=[1, 2])",
        "t.new(other=t)",
        "t.to(tensor=L.ones(1, dtype=L.float64))",
        "t.to(device='cpu', dtype=L.float64)",
        "L.nn.Linear(1, 1).to(tensor=L.ones(1, dtype=L.float64)).weight.data",
        "L.nn.LSTM(input_size=1, hidden_size=2, proj_size=1).weight_hr_l0.data",
        "L.nn.RNN(1, 2, 1, 'relu', bias=False).weight_ih_l0.data",
        # These are refused.
        "L.Tensor(foo=3)",
        "L.Tensor([1], data=[2])",
        "L.Tensor(data=t)",
        "L.Tensor(data=3)",
        "L.Tensor(2, requires_grad=True)",
        "L.Tensor(None)",
        "L.Tensor({})",
        "t.to(other=t)",
        "t.to(foo=1)",
        "L.nn.Linear(1, 1).to(copy=True)",
    ],
)
def test_what_is_given_by_name_means_the_same(call: str) -> None:
    def outcome(library: Any) -> tuple[str, ...]:
        t = library.tensor([5.0, 6.0])
        try:
            made = eval(call, {"L": library, "t": t})
        except (TypeError, RuntimeError) as error:
            # PyTorch goes on with all ways to call it.
            text = str(error).partition(", but expected one of")[0]
            return type(error).__name__, text
        return str(tuple(made.shape)), str(made.dtype).partition(".")[2], str(made.data_ptr() == t.data_ptr())

    assert outcome(jgrad) == outcome(torch)


def test_a_subclass_of_a_module_has_its_own_parameters() -> None:
    class Plain(jgrad.nn.Module):
        pass

    class Own(jgrad.nn.LSTM):
        def __init__(self, size: int) -> None:
            super().__init__(size, size)

    assert [*inspect.signature(Plain).parameters] == []
    assert [*inspect.signature(Own).parameters] == ["size"]
