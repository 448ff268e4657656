"""A public function is one object for the life of the process, before its first call and after it: for `is`, dictionaries, copies and pickle."""

from __future__ import annotations

import contextlib
import copy
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import pytest

import jgrad
from jgrad.dispatch import fast
from jgrad.dispatch.operators import TABLE

pytestmark = pytest.mark.quick

SPACES = {
    "jgrad": jgrad, "jgrad.nn.functional": jgrad.nn.functional, "jgrad.fft": jgrad.fft, "jgrad.linalg": jgrad.linalg,
    "jgrad.special": jgrad.special, "jgrad.sparse": jgrad.sparse, "jgrad.signal.windows": jgrad.signal.windows,
    "jgrad.nn.init": jgrad.nn.init, "jgrad.Tensor": jgrad.Tensor,
}  # fmt: skip


SPACE = SimpleNamespace(jgrad=jgrad)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions and methods of operators, and those that are written by hand."""
    for space, place in SPACES.items():
        for name in dir(place):
            value = getattr(place, name)
            is_public = not name.startswith("_") or hasattr(value, "op")
            # (A helper that a namespace has imported from a kernel is none of its functions.)
            if inspect.isfunction(value) and is_public and not value.__module__.startswith("jgrad.kernels"):
                yield f"{space}.{name}", value


def call_each() -> None:
    """Have every function and method of an operator take its path, as its first call does, whatever the call gives. The others get the code
    that asks `__torch_function__`."""
    with jgrad.overrides.BaseTorchFunctionMode():
        pass
    for operator in list(TABLE.values()):
        for function in operator.forms_made:
            if "first" in function.__globals__ and function.__code__ is fast._begin.__code__:
                with contextlib.suppress(Exception):
                    function()
                assert function.__code__ is not fast._begin.__code__, function


def test_functions_are_the_same_objects_after_their_first_call() -> None:
    before = dict(functions())
    assert len(before) > 1200
    table = {function: name for name, function in before.items()}
    call_each()
    for name, function in functions():
        assert function is before[name], name
        assert table[function] in before, name
        assert copy.copy(function) is function, name
        assert copy.deepcopy(function) is function, name
        assert pickle.loads(pickle.dumps(function)) is function, name


def test_other_processes_find_them() -> None:
    """Also one that has called nothing yet."""
    call_each()
    found = dict(functions())
    program = (
        "import sys, pickle, jgrad\n"
        "for name, function in pickle.load(sys.stdin.buffer).items():\n"
        "    place, _, last = name.rpartition('.')\n"
        "    assert getattr(eval(place), last) is function, name\n"
    )
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(found), check=True)


# Names that are another's in PyTorch, mostly those of private functions behind public ones.
OTHER_NAMES = {
    "symeig", "to_dlpack", "trace", "threshold", "Tensor.__class__", "Tensor.__div__", "Tensor.const_data_ptr", "Tensor.ndimension",
    "Tensor.nelement", "sparse.addmm", "sparse.mm", "nn.functional.threshold",
}  # fmt: skip


@pytest.mark.parametrize("space", [*SPACES, "jgrad.nn.Parameter"])
def test_functions_and_methods_have_the_names_that_they_have_in_pytorch(space: str) -> None:
    """Whoever is asked about a call (`__torch_function__`) reads them."""
    torch = pytest.importorskip("torch")
    where = space.removeprefix("jgrad").removeprefix(".")
    ours, theirs = attrgetter(space)(SPACE), attrgetter(space)(SimpleNamespace(jgrad=torch))
    compared = 0
    for name in dir(theirs):
        a, b = getattr(ours, name, None), getattr(theirs, name, None)
        if (name.startswith("_") and not name.startswith("__")) or not (callable(a) and callable(b)):
            continue
        if f"{where}.{name}".removeprefix(".").replace("nn.Parameter", "Tensor") in OTHER_NAMES:
            continue
        # (A parameter's own function of `__torch_function__` is private in PyTorch.)
        if (given := getattr(b, "__name__", None)) is not None and not given.startswith("_disabled"):
            compared += 1
            assert getattr(a, "__name__", None) == given, name
    assert compared


def test_a_bound_method_stays_itself() -> None:
    x = jgrad.tensor([1.0, -2.0])
    before = x.add
    x.add(1)
    assert x.add == before
    assert copy.deepcopy(x).add(1).tolist() == [2.0, -1.0]
    assert pickle.loads(pickle.dumps(x.add))(1).tolist() == [2.0, -1.0]
    assert copy.copy(x.relu)().tolist() == [1.0, 0.0]


class Net(jgrad.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.act, self.other = jgrad.tanh, jgrad.nn.functional.gelu

    def forward(self, x: jgrad.Tensor) -> jgrad.Tensor:
        return self.other(self.act(x))


def test_a_module_that_holds_functions_is_saved_after_a_forward(tmp_path: Any) -> None:
    net, x = Net(), jgrad.tensor([0.5])
    y = net(x)
    jgrad.save(net, tmp_path / "net.pt")
    again = jgrad.load(tmp_path / "net.pt", weights_only=False)
    assert again.act is jgrad.tanh
    assert jgrad.equal(again(x), y)


@pytest.mark.parametrize("name", ["tanh", "mul", "sum", "cat", "softmax", "permute", "linalg.inv"])
def test_a_first_call_changes_only_what_a_call_does(name: str) -> None:
    operator = TABLE[name]
    one = operator.function
    said = one.__name__, one.__qualname__, one.__doc__, inspect.signature(one), vars(one).keys()
    with contextlib.suppress(TypeError):
        one()
    assert (one.__name__, one.__qualname__, one.__doc__, inspect.signature(one), vars(one).keys()) == said
