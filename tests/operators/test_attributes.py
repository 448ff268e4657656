"""Attributes that a program gives to tensors, in copies and files, on jgrad and on PyTorch."""

from __future__ import annotations

import copy
import io
import pickle
from types import ModuleType
from typing import Any

import pytest

import jgrad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick


def classes_of(library: Any) -> dict[str, type]:
    """Subclasses that pickle finds in this module."""

    class Plain(library.Tensor):
        pass

    class Slotted(library.Tensor):
        __slots__ = ("slot",)

    class Copied(library.Tensor):
        __slots__ = ("slot",)

        def new_empty(self, *args: Any, **kwargs: Any) -> Any:
            return super().new_empty(*args, **kwargs).as_subclass(type(self))

    class Taking(library.Tensor):
        def __setstate__(self, state: Any) -> None:
            self.taken = type(state).__name__

    class Giving(library.Tensor):
        def __getstate__(self) -> Any:
            return {"given": 5}

    class Unasked(library.Tensor):
        __torch_function__ = library._C._disabled_torch_function_impl

    class Own(library.nn.Parameter):
        pass

    found = {cls.__name__: cls for cls in (Plain, Slotted, Copied, Taking, Giving, Unasked, Own)}
    for name, cls in found.items():
        cls.__qualname__ = f"{library.__name__}_{name}"
        globals()[cls.__qualname__] = cls
    return found


CLASSES = {library: classes_of(library) for library in (jgrad, torch)}

TENSORS = {
    "tensor": "T.ones(2)",
    "whole numbers": "T.tensor([1, 2])",
    "a gradient with an attribute": "with_gradient(T.ones(2, requires_grad=True))",
    "parameter": "T.nn.Parameter(T.ones(2))",
    "parameter of a class": "Own(T.ones(2))",
    "buffer": "T.nn.Buffer(T.ones(2))",
    "view": "T.ones(3)[1:]",
    "no leaf": "T.ones(2, requires_grad=True) * 2",
    "conjugate": "T.ones(2, dtype=T.complex64).conj()",
    "meta": "T.ones(2, device='meta')",
    "sparse": "T.eye(2).to_sparse()",
    "subclass": "T.ones(2).as_subclass(Plain)",
    "subclass, no leaf": "T.ones(2, requires_grad=True).as_subclass(Plain)",
    "subclass with slots": "slotted(T.ones(2).as_subclass(Slotted))",
    "subclass with new_empty": "slotted(T.ones(2).as_subclass(Copied))",
    "subclass without elements": "T.ones(0).as_subclass(Plain)",
    "subclass with __setstate__": "T.ones(2).as_subclass(Taking)",
    "subclass with __getstate__": "T.ones(2).as_subclass(Giving)",
    "subclass that is not asked": "T.ones(2).as_subclass(Unasked)",
    "parameter of a subclass": "T.nn.Parameter(T.ones(2).as_subclass(Copied))",
}
COPIES = {
    "copy": "copy.copy(x)",
    "deepcopy": "copy.deepcopy(x)",
    "deepcopy twice": "copy.deepcopy([x, x])[1]",
    "pickle": "pickle.loads(pickle.dumps(x))",
    "pickle 5": "pickle.loads(pickle.dumps(x, 5))",
    "file": "from_file(x, weights_only=False)",
    "older file": "from_file(x, weights_only=False, _use_new_zipfile_serialization=False)",
    "clone": "x.clone()",
    "detach": "x.detach()",
    "Parameter": "T.nn.Parameter(x)",
    "the same dtype": "x.to(x.dtype)",
    "attributes are shared": "copy.copy(x).foo is x.foo",
    "attributes are copied": "copy.deepcopy(x).foo is x.foo",
}


def with_gradient(x: Any) -> Any:
    x.grad = x.detach().clone()
    x.grad.bar = 4
    return x


def slotted(x: Any) -> Any:
    x.slot = [5]
    return x


def shown(x: Any) -> str:
    if not hasattr(x, "requires_grad"):
        return repr(x)
    attributes = {name: value for name, value in sorted(x.__dict__.items()) if not name.startswith("__")}
    grad = x.grad if x.is_leaf else None
    facts = type(x).__name__, x.requires_grad, x.is_leaf, x._version, attributes, getattr(x, "slot", None)
    return f"{facts} {None if grad is None else (grad.tolist(), grad.__dict__)}"


def outcome(library: ModuleType, tensor: str, made: str) -> str:
    def from_file(x: Any, weights_only: bool, **options: Any) -> Any:
        file = io.BytesIO()
        library.save(x, file, **options)
        file.seek(0)
        return library.load(file, weights_only=weights_only)

    names: dict[str, Any] = {
        "T": library,
        **CLASSES[library],
        "with_gradient": with_gradient,
        "slotted": slotted,
    }
    names |= {"copy": copy, "pickle": pickle, "from_file": from_file}
    x = names["x"] = eval(tensor, names)
    x.foo = [3]
    try:
        return shown(eval(made, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("made", COPIES)
@pytest.mark.parametrize("tensor", TENSORS)
def test_attributes_go_where_they_go_in_pytorch(tensor: str, made: str) -> None:
    found = [outcome(library, TENSORS[tensor], COPIES[made]) for library in (jgrad, torch)]
    assert found[0] == found[1]


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_tensor_may_have_itself_for_an_attribute(library: Any) -> None:
    x = library.ones(2)
    x.me = x
    assert pickle.loads(pickle.dumps(x)).tolist() == [1.0, 1.0]
    assert copy.deepcopy(x).me.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_parameter_of_a_subclass_is_a_parameter(library: Any) -> None:
    plain = CLASSES[library]["Plain"]
    parameter = library.nn.Parameter(library.ones(1, 1).as_subclass(plain))
    layer = library.nn.Linear(1, 1)
    layer.weight = parameter
    assert (type(parameter), isinstance(parameter, library.nn.Parameter)) == (plain, True)
    assert [type(p).__name__ for p in layer.parameters()] == ["Plain", "Parameter"]
    layer(library.ones(1)).sum().backward()
    library.optim.SGD(layer.parameters(), 1.0).step()
    assert layer.weight.tolist() == [[0.0]]
    assert not isinstance(library.ones(1).as_subclass(plain), library.nn.Parameter)


@pytest.mark.parametrize(("written", "read"), [(jgrad, torch), (torch, jgrad)])
def test_attributes_go_from_one_library_to_the_other_by_a_file(written: Any, read: Any) -> None:
    x, p = written.ones(2), written.nn.Parameter(written.ones(2))
    x.foo, p.bar = [3], {"a": 4}
    file = io.BytesIO()
    written.save([x, p], file)
    file.seek(0)
    x, p = read.load(file)
    assert (x.foo, p.bar) == ([3], {"a": 4})


@pytest.mark.parametrize("library", [jgrad, torch])
def test_what_dir_lists_is_there(library: Any) -> None:
    x = library.ones(2, 2, dtype=library.complex64)
    assert [name for name in dir(x) if not hasattr(x, name)] == []
