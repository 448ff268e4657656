"""`torch.overrides`: classes and modes that say themselves what operators do.

A class that defines `__torch_function__(cls, func, types, args=(), kwargs=None)` is asked in place of a function that gets an instance of it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from types import MethodWrapperType
from typing import Any

from jgrad import manual
from jgrad.dispatch import TABLE
from jgrad.graph import overriding
from jgrad.graph.overriding import DisableTorchFunction as DisableTorchFunction
from jgrad.graph.overriding import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from jgrad.ops.subclasses import PLAIN_RESULTS
from jgrad.tensor import Tensor

__all__ = [
    "BaseTorchFunctionMode",
    "TorchFunctionMode",
    "get_default_nowrap_functions",
    "get_overridable_functions",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]

Function = Callable[..., Any]
NAMESPACES = (
    "jgrad",
    "jgrad.nn.functional",
    "jgrad.nn.init",
    "jgrad.linalg",
    "jgrad.fft",
    "jgrad.special",
    "jgrad.autograd",
)


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether one of some arguments has a class that says itself what operators do, or a mode is entered.

    >>> class Logged(jgrad.Tensor):
    ...     pass
    >>> jgrad.overrides.has_torch_function([jgrad.ones(2).as_subclass(Logged)])
    True
    >>> jgrad.overrides.has_torch_function([jgrad.ones(2)])
    False
    """
    return bool(overriding.state.modes) or any([overriding.has_own(value) for value in relevant_args])


def has_torch_function_unary(obj: Any) -> bool:
    """`has_torch_function` of one argument."""
    return has_torch_function((obj,))


def has_torch_function_variadic(*args: Any) -> bool:
    """`has_torch_function` of the arguments."""
    return has_torch_function(args)


def handle_torch_function(
    public_api: Function, relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Call `__torch_function__` of the arguments whose classes have it, one after the other until one does not return NotImplemented."""
    relevant = overriding.among(relevant_args)
    result = overriding.ask(public_api, relevant, args, kwargs)
    if result is NotImplemented:
        name, types = f"{public_api.__module__}.{public_api.__name__}", [type(value) for value in relevant]
        raise TypeError(
            f"no implementation found for '{name}' on types that implement __torch_function__: {types}"
        )
    return result


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[[Function], Function]:
    """A decorator for functions that ask `__torch_function__` first. `dispatcher` gets their arguments, and returns the relevant ones.

    >>> @jgrad.overrides.wrap_torch_function(lambda x: (x,))
    ... def double(x):
    ...     return x * 2
    >>> double(jgrad.ones(1))
    tensor([2.])
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return decorate


class TorchFunctionMode:
    """A block in which each function asks this object first. A subclass defines `__torch_function__(self, func, types, args=(), kwargs=None)`.

    Within that function the mode is off.

    >>> class Names(jgrad.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return func(*args, **(kwargs or {}))
    >>> with Names():
    ...     x = jgrad.ones(2).exp()
    ones
    exp
    """

    def __torch_function__(self, func: Function, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        overriding.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        overriding.leave()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> Any:
        """Another way to make the object."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(self, func: Function, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def is_tensor_like(inp: Any) -> bool:
    """Whether an object is a Tensor, or has a class with `__torch_function__`.

    >>> jgrad.overrides.is_tensor_like(jgrad.ones(1)), jgrad.overrides.is_tensor_like(1.)
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Function) -> bool:
    """Whether a function is a method of Tensor, or reads or sets a property of it: `Tensor.shape.__get__`."""
    if isinstance(func, MethodWrapperType):
        return func.__name__ in ("__get__", "__set__", "__delete__")
    return any([value is func for value in vars(Tensor).values()])


def resolve_name(f: Function) -> str | None:
    """The name under which users know a function, None if they know none.

    >>> jgrad.overrides.resolve_name(jgrad.Tensor.add)
    'jgrad.Tensor.add'
    """
    if isinstance(f, MethodWrapperType):
        names = [name for name, value in vars(Tensor).items() if value is f.__self__]
        return f"jgrad.Tensor.{names[0]}.{f.__name__}" if names else None
    for place, namespace in (
        ("jgrad.Tensor", Tensor),
        *((name, sys.modules.get(name)) for name in NAMESPACES),
    ):
        name = (
            next((name for name, value in vars(namespace).items() if value is f), None) if namespace else None
        )
        if name is not None:
            return f"{place}.{name}"
    key = next((key for key, operator in TABLE.items() if operator.function is f), None)
    if key is not None:
        return f"jgrad.{key}"
    return f"{f.__module__}.{f.__qualname__}" if getattr(f, "__module__", "").startswith("jgrad") else None


def get_default_nowrap_functions() -> set[Function]:
    """The functions whose results the usual `__torch_function__` leaves as they are: those that read `.grad` and `._base`."""
    return set(PLAIN_RESULTS)


def get_overridable_functions() -> dict[Any, list[Function]]:
    """The functions that ask `__torch_function__`, by the class or module where they are: the operators, and the methods of Tensor."""
    import jgrad

    found: dict[Any, list[Function]] = {Tensor: [], jgrad: []}
    for operator in TABLE.values():
        if "function" in operator.forms and not operator.namespace:
            found[jgrad].append(operator.function)
        if "method" in operator.forms:
            found[Tensor].append(getattr(Tensor, operator.shown))
    return found


manual.attach(__name__)
