"""Subclasses of Tensor: `as_subclass`, and `__torch_function__`, by which they hear of what is done with their instances.

Operators ask by themselves (`Op.call`). What else Tensor has, its properties and its other methods, gets a twin in each subclass that asks.
So a usual tensor costs nothing. Modes are asked about usual tensors too: when the first one is entered, what Tensor has gets code that asks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from jgrad.graph import overriding
from jgrad.ops import constructors as constructors  # which installs the constructor
from jgrad.ops.shaping import alias
from jgrad.return_types import NamedResults
from jgrad.tensor import Tensor

SLOTS = ("_a", "_rg", "_fn", "_nr", "_vc", "_view", "_grad", "_rare")
# What is never asked about: how objects are made, found, copied and stored.
UNASKED = {"__new__", "__init__", "__init_subclass__", "__torch_function__", "__hash__", "__iter__", "__dir__", "__getattr__", "__getstate__",
           "as_subclass"}  # fmt: skip
PRIVATE = ("_base", "_version")  # what users read nevertheless


def as_subclass(self: Tensor, cls: type) -> Any:
    """An alias of this tensor that is an instance of `cls`, a subclass of Tensor. `cls.__init__` is not called.

    Returns a view of the same memory, through which gradients flow.

    >>> class Metres(jgrad.Tensor):
    ...     pass
    >>> x = jgrad.tensor([1., 2.]).as_subclass(Metres)
    >>> x + 1
    Metres([2., 3.])
    """
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor."
        )
    with overriding.DisableTorchFunction():
        return _of_class(alias(self), cls)


def _make_subclass(cls: Any, data: Tensor, require_grad: bool = False, **_: Any) -> Any:
    """A leaf on the memory of a tensor, as an instance of a subclass."""
    with overriding.DisableTorchFunction():
        result = _of_class(data.detach(), cls)
        return result.requires_grad_(require_grad)


def _of_class(tensor: Tensor, cls: type) -> Any:
    if cls is Tensor:
        return tensor
    result: Any = object.__new__(cls)
    for slot in SLOTS:
        setattr(result, slot, getattr(tensor, slot))
    return result


def _new(cls: type, *args: Any, **kwargs: Any) -> Any:
    return _of_class(_constructor(Tensor, *args, **kwargs), cls)


def _torch_function(
    cls: type, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
) -> Any:
    """What a subclass does if it does not say otherwise: it calls the function, and makes the tensors among the results its instances."""
    if _library_of(func) == "torch":
        # (PyTorch takes a TypeError of `==` for "not equal".)
        raise RuntimeError(
            f"PyTorch's {getattr(func, '__name__', 'function')}() got a tensor of jgrad. Use the tensors of one library: torch.tensor(x) makes a "
            "tensor of PyTorch, jgrad.tensor(x) one of jgrad."
        )
    if not all([issubclass(cls, t) for t in types]):
        return NotImplemented
    with overriding.DisableTorchFunctionSubclass():
        result: Any = func(*args, **(kwargs or {}))
        return result if func in PLAIN_RESULTS else _converted(result, cls)


def _library_of(func: Callable[..., Any]) -> str:
    """The package that a function, or the class of a method, says it is of."""
    owners = (func, getattr(func, "__objclass__", None), getattr(func, "__self__", None))
    modules = [getattr(owner, "__module__", None) for owner in owners]
    return next((module for module in modules if isinstance(module, str)), "").partition(".")[0]


def _converted(result: Any, cls: type) -> Any:
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        return type(result)([_converted(item, cls) for item in result])
    return result


PLAIN_RESULTS = {Tensor.grad.__get__, Tensor._base.__get__}  # type: ignore[attr-defined]


def _init_subclass(cls: type, **options: Any) -> None:
    """Give a new subclass the twins of Tensor's properties and methods."""
    object.__init_subclass__(**options)
    if getattr(cls, "__torch_function__") is overriding.disabled_torch_function_impl:  # noqa: B009
        return
    overriding.start()
    own = {name for base in cls.__mro__[: cls.__mro__.index(Tensor)] for name in vars(base)}
    for name, value in _asked_about():
        if name not in own:
            made = _asking_property if isinstance(value, property) else _asking_method
            setattr(cls, name, made(name, value))


def _asked_about() -> list[tuple[str, Any]]:
    """What Tensor has besides operators and is asked about: properties and methods, by name."""
    return [
        (name, value)
        for name, value in vars(Tensor).items()
        if name not in UNASKED and (name.startswith("__") or not name.startswith("_") or name in PRIVATE)
        if isinstance(value, property) or (isinstance(value, FunctionType) and not hasattr(value, "op"))
    ]


def _let_tensors_ask() -> None:
    """Let what Tensor has ask modes about usual tensors."""
    for name, value in _asked_about():
        shown = f"torch.Tensor.{name}"
        if isinstance(value, FunctionType):
            # (`new_tensor` and the like make a tensor of their arguments. Instances of subclasses have twins that ask about them.)
            overriding.let_ask(value, value, shown, makes=name.startswith("new"))
            continue
        for function, public in (
            (value.fget, "__get__"),
            (value.fset, "__set__"),
            (value.fdel, "__delete__"),
        ):
            if function is not None:
                overriding.let_ask(function, getattr(value, public), f"{shown}.{public}")


def _asking_property(name: str, original: property) -> property:
    shown = f"torch.Tensor.{name}"

    def get(self: Any) -> Any:
        if (given := overriding.asked((self,), {})) is None:
            return original.__get__(self)
        return overriding.call(original.__get__, f"{shown}.__get__", given, (self,), {})

    def set_(self: Any, value: Any) -> None:
        if (given := overriding.asked((self,), {})) is None:
            return original.__set__(self, value)
        return overriding.call(original.__set__, f"{shown}.__set__", given, (self, value), {})

    def delete(self: Any) -> None:
        if (given := overriding.asked((self,), {})) is None:
            return original.__delete__(self)
        return overriding.call(original.__delete__, f"{shown}.__delete__", given, (self,), {})

    return property(get, original.fset and set_, original.fdel and delete, original.__doc__)


def _asking_method(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def method(*args: Any, **kwargs: Any) -> Any:
        if (given := overriding.asked(args, kwargs)) is None:
            return original(*args, **kwargs)
        return overriding.call(original, f"torch.Tensor.{name}", given, args, kwargs)

    return method


overriding.exempt(Tensor)
overriding.at_first_mode.append(_let_tensors_ask)
_constructor: Callable[..., Any] = Tensor.__new__
Tensor.__new__ = functools.wraps(_constructor)(_new)  # type: ignore[method-assign, assignment]
overriding.exempt(NamedResults)
Tensor.as_subclass = as_subclass  # type: ignore[attr-defined]
Tensor._make_subclass = staticmethod(_make_subclass)  # type: ignore[attr-defined]
Tensor.__torch_function__ = classmethod(_torch_function)  # type: ignore[attr-defined]
Tensor.__init_subclass__ = classmethod(_init_subclass)  # type: ignore[assignment]
