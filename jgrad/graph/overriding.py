"""`__torch_function__`: classes that say themselves what operators do with their instances.

A subclass of Tensor, or any other class, can define `__torch_function__(cls, func, types, args, kwargs)`. Then an operator that gets an
instance of it calls this function in place of its own. Usual tensors cost nothing: an operator looks for such instances only
if a subclass of Tensor exists that may have one (`in_use`), or if its arguments fit no overload. Functions that are written in Python
get the code that asks at that moment (`offer`), and what Tensor has besides operators when the first mode is entered.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from jgrad.graph import general_path

Function = Callable[..., Any]

in_use = False  # a subclass of Tensor or a mode exists
_single_classes: set[type] = {int, float, complex, bool, str, type(None), slice, type(...)}
_plain_classes: set[type] = {*_single_classes, tuple, list, dict}


class _State(threading.local):
    """Of each thread: whether the functions of classes are asked, and the modes, the innermost last."""

    def __init__(self) -> None:
        self.asks_classes = True
        self.modes: list[Any] = []


state = _State()


def start() -> None:
    """From now on operators and the functions that were offered look for instances of subclasses and for modes."""
    global in_use
    if not in_use:
        in_use = True
        for offered in _offered:
            _take(*offered)


def exempt(cls: type) -> None:
    """The instances of exactly this class are never asked."""
    _single_classes.add(cls)
    _plain_classes.add(cls)


# Not asking -------------------------------------------------------------------------------------------------------------------


class DisableTorchFunctionSubclass:
    """A block in which operators take the instances of subclasses of Tensor for usual tensors. Modes are asked nevertheless.

    >>> with jgrad.overrides.DisableTorchFunctionSubclass():  # jgrad only
    ...     jgrad.overrides.has_torch_function((jgrad.ones(1),))
    False
    """

    def __enter__(self) -> None:
        self._before, state.asks_classes = state.asks_classes, False

    def __exit__(self, *_: object) -> None:
        state.asks_classes = self._before


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """A block in which operators ask neither classes nor modes.

    >>> with jgrad.overrides.DisableTorchFunction():  # jgrad only
    ...     jgrad.ones(1) + 1
    tensor([2.])
    """

    def __enter__(self) -> None:
        super().__enter__()
        self._modes, state.modes = state.modes, []

    def __exit__(self, *_: object) -> None:
        state.modes = self._modes
        super().__exit__()


def disabled_torch_function_impl(func: Function, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """What a class has as `__torch_function__` whose instances are usual tensors to all operators, such as Parameter."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


# Who is asked -----------------------------------------------------------------------------------------------------------------


def has_own(value: Any) -> bool:
    """Whether the class of a value says itself what operators do with it."""
    cls = value.__class__
    if cls in _plain_classes:
        return False
    found = getattr(cls, "__torch_function__", None)
    if found is None or found is disabled_torch_function_impl or not state.asks_classes:
        return False
    return not is_pytorchs(cls)


def is_pytorchs(cls: type) -> bool:
    """Whether it is PyTorch's class of tensors. It calls what it is asked about, which would ask it again, without end."""
    return any([(base.__module__, base.__name__) == ("torch", "Tensor") for base in cls.__mro__])


def among(values: Iterable[Any]) -> list[Any]:
    """Those of some arguments, or of the lists among them, whose classes are asked: one per class, subclasses before their bases."""
    found: list[Any] = []
    for value in values:
        for item in value if value.__class__ in (list, tuple) else (value,):
            if has_own(item) and not any([type(item) is type(other) for other in found]):
                place = next((i for i, o in enumerate(found) if issubclass(type(item), type(o))), len(found))
                found.insert(place, item)
    return found


def asked(args: Iterable[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """Who is asked about a call: the arguments that `among` finds, maybe none if a mode is; None if nobody is."""
    found = among([*args, *kwargs.values()])
    return found if found or state.modes else None


def ask(func: Function, relevant: list[Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Ask the innermost mode, then the classes, until one does not return NotImplemented."""
    types = tuple([type(value) for value in relevant])
    if state.modes:
        *outer, mode = state.modes
        with _only(outer):
            result = mode.__torch_function__(func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for value in relevant:
        implementation = value.__torch_function__
        if getattr(implementation, "__self__", None) is value:
            warnings.warn(
                "Defining your `__torch_function__` as a plain method is deprecated and will be an error in future, please define it as a "
                "classmethod.",
                DeprecationWarning,
                stacklevel=3,
            )
        result = implementation(func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def call(func: Function, name: str, relevant: list[Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """What one of those who are asked returns. `name`: what the error calls the function if it is nobody."""
    result = ask(func, relevant, args, kwargs)
    if result is not NotImplemented:
        return result
    shown = "".join([f"  - tensor subclass {type(value)}\n" for value in relevant])
    raise TypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:\n\n{shown}\n"
        "For more information, try re-running with TORCH_LOGS=not_implemented"
    )


# Functions that are written in Python ---------------------------------------------------------------------------------------

_offered: list[tuple[dict[str, Any], list[str], bool]] = []


def offer(namespace: dict[str, Any], names: Iterable[str], makes: bool = False) -> None:
    """Let the functions of these names ask about themselves, as soon as somebody may be asked. `makes`: they make tensors of no tensor, so
    that only modes and the class of `out=` are asked."""
    _offered.append((namespace, list(names), makes))
    if in_use:
        _take(*_offered[-1])


def _take(namespace: dict[str, Any], names: list[str], makes: bool) -> None:
    for name in names:
        function = namespace[name]
        let_ask(function, function, f"{namespace['__name__']}.{name}".replace("jgrad", "torch", 1), makes)


def let_ask(function: Any, public: Function, shown: str, makes: bool = False) -> None:
    """Give a function code that asks first. It stays the object that it is: Note [A function stays itself] in `jgrad/dispatch/fast/__init__.py`.
    `public`: what is asked about. `shown`: its name in errors."""
    if function.__code__.co_name == _NAME:
        return
    code = function.__code__
    inner: Any = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    inner.__kwdefaults__ = function.__kwdefaults__
    inner.__qualname__, inner.__annotations__ = function.__qualname__, function.__annotations__
    inner.__dict__.update(function.__dict__)

    def ask_first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        if not kwargs and not state.modes and _single_classes.issuperset(map(type, args)):
            return inner(*args)
        if (given := asked((kwargs.get("out"),), {}) if makes else asked(args, kwargs)) is None:
            return inner(*args, **kwargs)
        return call(public, shown, given, args, kwargs)

    # Other threads may call the function between any two steps. Both codes work with the defaults, only the new one without them.
    function.__wrapped__ = inner
    function.__code__ = _asking_code(len(code.co_freevars), ask_first)
    function.__defaults__ = function.__kwdefaults__ = None


_NAME = "asking"
_PLACE = "ask_first"


def _asking_code(cells: int, ask_first: Function) -> CodeType:
    """The code of a function that leaves its arguments to `ask_first`. This is a constant of the code, so that every keyword is the user's."""
    code = _form(cells)
    return code.replace(co_consts=tuple([ask_first if c == _PLACE else c for c in code.co_consts]))


@cache
def _form(cells: int) -> CodeType:
    """The code with a string in the place of `ask_first`. Code that a function gets must know as many cells as it has."""
    names = [f"cell_{i}" for i in range(cells)]
    lines = ["def around():", *[f"    {name} = None" for name in names]]
    lines += [f"    def {_NAME}(*args, **kwargs):", "        __tracebackhide__ = True"]
    lines += [
        f"        ask_first = {_PLACE!r}",
        "        return ask_first(args, kwargs)",
        *[f"        {name}" for name in names],
        f"    return {_NAME}",
    ]
    namespace: dict[str, Any] = {}
    # The code belongs to this file, and so not to the user: warnings and traces look behind it.
    exec(compile("\n".join(lines), f"{__file__}, asking", "exec"), namespace)
    return namespace["around"]().__code__


# Modes ------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _only(modes: list[Any]) -> Iterator[None]:
    before, state.modes = state.modes, modes
    try:
        yield
    finally:
        state.modes = before


at_first_mode: list[Callable[[], None]] = []  # what is called before the first mode is entered


def enter(mode: Any) -> None:
    """Ask a mode about all calls in this thread, before the modes that were entered earlier."""
    start()
    while at_first_mode:
        at_first_mode.pop()()
    general_path.request()
    state.modes = [*state.modes, mode]


def leave() -> None:
    """Ask the innermost mode no more."""
    state.modes = state.modes[:-1]
    general_path.withdraw()
