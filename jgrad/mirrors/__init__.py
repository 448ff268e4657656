"""Tensors of other libraries, as the recorder and the magics see them.

The recorder, the explanations and the magics work with jgrad's tensors and nodes. For a tensor of PyTorch there is a *mirror*: a jgrad tensor on
the same memory, with the same version counter and the same place in a graph of mirrored nodes. While a block is watched, the library
also reports to `jgrad.observer.current` what it does, as jgrad's own operators do. So all code after the observer is written once.

A library is never imported here. It is looked up in `sys.modules`. As long as the user's program has not imported it, `loaded` is empty and
`mirror` returns its argument.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

import jgrad
from jgrad.mirrors.known import known as known
from jgrad.tensor import Tensor

KNOWN = ("torch",)  # the libraries for which this folder has a room
MODULE_FILES = ("jgrad.nn.modules.module", "torch.nn.modules.module")  # which define the class `Module`


class Library(Protocol):
    """What this package needs from a library."""

    module: Any  # `torch`

    def has(self, cls: type) -> bool:
        """Whether values of a class are its tensors."""

    def mirror(self, value: Any) -> Any:
        """The mirror of a tensor; None if it can't have one."""

    def kind_without_mirror(self, value: Any) -> str:
        """What kind of tensor one is that can't have a mirror: "a sparse tensor"."""

    def refresh(self) -> None:
        """Bring all mirrors up to date: something may have changed that nothing reports."""

    def watch(self, failures: list[Exception], reporting: set[str]) -> Any:
        """A block in which the library reports to the observer what it does. It then adds its name to `reporting`. Our own errors go to `failures`."""

    def failed_node(self, roots: Any, message: str) -> Any:
        """The mirror of the node in which a backward pass from some tensors raised an error with this message, None if it is not known."""


loaded: list[Library] = []
folders: tuple[str, ...] = ()  # those with the code of these libraries
# Class of a value -> the function that returns its mirror; None: values of this class have no mirror.
_readers: dict[type, Callable[[Any], Any] | None] = {}


def load() -> list[Library]:
    """The libraries that the program has imported by now."""
    global folders
    for name in KNOWN:
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        known = any(library.module is module for library in loaded)
        if module is None or known or getattr(spec, "_initializing", False) or not hasattr(module, "Tensor"):
            continue
        loaded.append(import_module(f"jgrad.mirrors.{name}").LIBRARY)
        folders = (*folders, os.path.dirname(module.__file__ or "") + os.sep)
        _readers.clear()
    return loaded


def mirror(value: Any) -> Any:
    """The jgrad tensor that stands for a tensor of another library. Any other value is returned unchanged."""
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


def forget_classes() -> None:
    """Keep no class of the user's alive."""
    _readers.clear()


def original(tensor: Any) -> Any:
    """The user's tensor for which a mirror stands. Any other value is returned unchanged."""
    found = tensor.of() if hasattr(tensor, "of") and isinstance(tensor, Tensor) else None
    return tensor if found is None else found


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor, of any of the libraries."""
    return isinstance(value, Tensor) or any(one.has(value.__class__) for one in loaded)


def kind_without_mirror(value: Any) -> str | None:
    """What kind of tensor a value is, if it is a tensor that can't have a mirror; else None."""
    library = next((one for one in loaded if one.has(value.__class__)), None)
    return None if library is None or mirror(value) is not value else library.kind_without_mirror(value)


def _own(room: str, name: str) -> tuple[type, ...]:
    """The class of this name in jgrad's `nn` or `optim`. Nothing is imported here: before the program does it, no value is of such a class."""
    found = getattr(sys.modules.get(f"jgrad.{room}"), name, None)
    return () if found is None else (found,)


def _classes(room: str, name: str) -> tuple[type, ...]:
    """The class of this name in `nn` or `optim`, of each library."""
    return (*_own(room, name), *[getattr(getattr(one.module, room), name) for one in loaded])


def is_module(value: Any) -> bool:
    """Whether a value is an `nn.Module`, of any of the libraries."""
    return isinstance(value, _classes("nn", "Module"))


def is_optimizer(value: Any) -> bool:
    """Whether a value is an optimizer, of any of the libraries."""
    return isinstance(value, _classes("optim", "Optimizer"))


def is_lbfgs(value: Any) -> bool:
    """Whether an optimizer calls a closure several times in a step."""
    return isinstance(value, _classes("optim", "LBFGS"))


def is_parameter(tensor: Any) -> bool:
    """Whether a tensor, or the one that a mirror stands for, is an `nn.Parameter`."""
    return isinstance(original(tensor), _classes("nn", "Parameter"))


def is_own_method(module: Any, name: str) -> bool:
    """Whether a method of a module is the method of its library's `nn.Module`, and was not overridden by the user."""
    return any(
        isinstance(module, base) and getattr(type(module), name, None) is getattr(base, name, None)
        for base in _classes("nn", "Module")
    )


def library_of_function(function: type) -> Any:
    """The module of the library to which a custom `autograd.Function` belongs."""
    return next((one.module for one in loaded if issubclass(function, one.module.autograd.Function)), jgrad)


def autograd_modules() -> list[Any]:
    """The module `autograd` of each library."""
    return [jgrad.autograd, *[one.module.autograd for one in loaded]]


def library_of(*values: Any) -> Any:
    """The module of the first library other than jgrad whose tensors are among these, else `jgrad`. The functions that the magics call have the same
    names in both."""
    for value in values:
        value = original(value)
        for one in loaded:
            if one.has(value.__class__):
                return one.module
    return jgrad


def modules_in(variables: Mapping[str, Any]) -> dict[str, str]:
    """The modules among some variables: "torch" by "th" after `import torch as th`."""
    return {name: value.__name__ for name, value in variables.items() if isinstance(value, ModuleType)}


def named_in(text: str, library: str, modules: Mapping[str, str] = {}) -> str:
    """A sentence, or code, with the name of a library instead of jgrad: `torch.no_grad()`. `modules`: what the program calls its modules, so that it
    reads `th.no_grad()` after `import torch as th`."""
    if library != "jgrad":
        text = re.sub(r"\bjgrad\.(?!trace\b)(?=[A-Za-z_])", f"{library}.", text)
    own = next((name for name, module in modules.items() if module == library), library)
    if modules.get(library) == library or own == library:
        return text
    return re.sub(rf"(?<![\w.]){library}\.(?!trace\b|why\b)(?=[A-Za-z_])", f"{own}.", text)


def name_among(variables: Iterable[Any]) -> str:
    """The name of the library to which the tensors, modules and optimizers among some values belong; `jgrad` if there are none."""
    values = [original(value) for value in variables]
    if any(
        isinstance(value, (Tensor, *_own("nn", "Module"), *_own("optim", "Optimizer"))) for value in values
    ):
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
    """A block in which the other libraries report to the observer what they do, also a library that the block itself imports. Its `reporting` holds the
    names of the libraries that have reported something."""
    from jgrad.mirrors.imports import Watches

    with Watches(failures) as watches:
        for library in load():
            watches.add(library)
        yield watches
