"""Tensors of other libraries, as the recorder and the magics see them.

The recorder, the explanations and the magics know jgrad's tensors and nodes. For a tensor of PyTorch there is a *mirror*: a jgrad tensor over
the very same memory, with the same version counter and the same place in a graph of mirrored nodes. While a block is watched, the library
also tells `jgrad.observer.current` what it does, as jgrad's own operators do. So all that comes after the observer is written once.

A library is never imported here. It is looked up in `sys.modules`: as long as the user's program has not imported it, `loaded` is empty and
`mirror` gives back what it is given.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

import jgrad
from jgrad.nn import Module, Parameter
from jgrad.optim import LBFGS, Optimizer
from jgrad.tensor import Tensor

KNOWN = ("torch",)  # the libraries for which this folder has a room
MODULE_FILES = ("jgrad.nn.modules.module", "torch.nn.modules.module")  # which define the class `Module`


class Library(Protocol):
    """What a library tells of itself."""

    module: Any  # `torch`

    def has(self, cls: type) -> bool:
        """Whether values of a class are its tensors."""

    def mirror(self, value: Any) -> Any:
        """The mirror of a tensor; None if it can't have one."""

    def kind_without_mirror(self, value: Any) -> str:
        """What kind of tensor one is that can't have a mirror: "a sparse tensor"."""

    def refresh(self) -> None:
        """Bring all mirrors up to date: something may have changed that nothing reports."""

    def watch(self, failures: list[Exception], told: set[str]) -> Any:
        """A block in which it tells the observer what it does, and puts its name into `told` when it does. `failures` takes what goes wrong."""

    def failed_node(self, roots: Any, message: str) -> Any:
        """The mirror of the node in which a backward pass from some tensors raised an error with this message, None if it is not known."""


loaded: list[Library] = []
known: dict[int, Any] = {}  # the mirrors that there are, by the addresses of the tensors for which they stand
_readers: dict[
    type, Callable[[Any], Any] | None
] = {}  # class of a value -> what gives its mirror; None: it is taken as it is


def load() -> list[Library]:
    """The libraries that the program has imported by now."""
    for name in KNOWN:
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        known = any(library.module is module for library in loaded)
        if module is None or known or getattr(spec, "_initializing", False) or not hasattr(module, "Tensor"):
            continue
        loaded.append(import_module(f"jgrad.mirrors.{name}").LIBRARY)
        _readers.clear()
    return loaded


def mirror(value: Any) -> Any:
    """The jgrad tensor that stands for a tensor of another library; anything else as it is."""
    found = known.get(id(value))
    if found is not None and found.of() is value:
        return found
    cls = value.__class__
    if cls in _readers:
        reader = _readers[cls]
    else:
        reader = _readers[cls] = next((one.mirror for one in loaded if one.has(cls)), None)
    if reader is None:
        return value
    found = reader(value)
    return value if found is None else found


def original(tensor: Any) -> Any:
    """The user's own tensor of a mirror; any other value as it is."""
    found = tensor.of() if hasattr(tensor, "of") and isinstance(tensor, Tensor) else None
    return tensor if found is None else found


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor, of any of the libraries."""
    return isinstance(value, Tensor) or any(one.has(value.__class__) for one in loaded)


def kind_without_mirror(value: Any) -> str | None:
    """What kind of tensor a value is, if it is one that can't have a mirror; else None."""
    library = next((one for one in loaded if one.has(value.__class__)), None)
    return None if library is None or mirror(value) is not value else library.kind_without_mirror(value)


def is_module(value: Any) -> bool:
    """Whether a value is an `nn.Module`, of any of the libraries."""
    return isinstance(value, Module) or any(isinstance(value, one.module.nn.Module) for one in loaded)


def is_optimizer(value: Any) -> bool:
    """Whether a value is an optimizer, of any of the libraries."""
    return isinstance(value, Optimizer) or any(
        isinstance(value, one.module.optim.Optimizer) for one in loaded
    )


def is_lbfgs(value: Any) -> bool:
    """Whether an optimizer calls a closure several times in a step."""
    return isinstance(value, LBFGS) or any(isinstance(value, one.module.optim.LBFGS) for one in loaded)


def is_parameter(tensor: Any) -> bool:
    """Whether a tensor, or the one that a mirror stands for, is an `nn.Parameter`."""
    tensor = original(tensor)
    return isinstance(tensor, Parameter) or any(isinstance(tensor, one.module.nn.Parameter) for one in loaded)


def is_own_method(module: Any, name: str) -> bool:
    """Whether a method of a module is that of its library's `nn.Module`, and not one of the user's."""
    bases = [Module, *[one.module.nn.Module for one in loaded]]
    return any(
        isinstance(module, base) and getattr(type(module), name, None) is getattr(base, name, None)
        for base in bases
    )


def library_of_function(function: type) -> Any:
    """The module of the library to which a custom `autograd.Function` belongs."""
    return next((one.module for one in loaded if issubclass(function, one.module.autograd.Function)), jgrad)


def autograd_modules() -> list[Any]:
    """The module `autograd` of each library."""
    return [jgrad.autograd, *[one.module.autograd for one in loaded]]


def library_of(*values: Any) -> Any:
    """The module of the first library other than jgrad whose tensors are among these, else `jgrad`. What the magics call of it has the same
    names in both."""
    for value in values:
        value = original(value)
        for one in loaded:
            if one.has(value.__class__):
                return one.module
    return jgrad


def named_in(text: str, library: str) -> str:
    """A sentence with the name of a library in the place of jgrad's: `torch.no_grad()`."""
    return text if library == "jgrad" else re.sub(r"\bjgrad\.(?!trace\b)(?=[A-Za-z_])", f"{library}.", text)


def name_among(variables: Iterable[Any]) -> str:
    """The name of the library of some values: of their tensors, modules and optimizers; `jgrad` if nothing shows another."""
    values = [original(value) for value in variables]
    if any(isinstance(value, (Tensor, Module, Optimizer)) for value in values):
        return "jgrad"
    for one in loaded:
        if any(
            value is one.module or one.has(value.__class__) or isinstance(value, one.module.nn.Module)
            for value in values
        ):
            return str(one.module.__name__)
    return "jgrad"


def refresh() -> None:
    """Bring all mirrors up to date."""
    for one in loaded:
        one.refresh()


def failed_node(roots: Any, message: str) -> Any:
    """The mirror of the node in which a backward pass of another library failed."""
    return next((node for one in loaded if (node := one.failed_node(roots, message)) is not None), None)


@contextmanager
def watching(failures: list[Exception]) -> Iterator[Any]:
    """A block in which the other libraries tell the observer what they do, also one that the block itself imports. Its `told` are the names of those
    that had something to tell."""
    from jgrad.mirrors.imports import Watches

    with Watches(failures) as watches:
        for library in load():
            watches.add(library)
        yield watches
