"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`, per thread."""

from __future__ import annotations

import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast, overload

from jgrad import manual, warn
from jgrad.errors import class_name
from jgrad.graph import general_path


class _Mode(threading.local):
    enabled = True  # never in inference mode, whatever else is asked for
    inference = False
    asked = True  # in inference mode: what `is_grad_enabled` returns


# Note [Grad mode and the fast path]: reading a thread-local costs half as much as a whole view, so `may_be_off` holds whether any thread
# ever turned recording off and did not turn it back on; only then is the thread-local truth read.
mode = _Mode()
_off = 0
_lock = threading.Lock()
may_be_off = False


def is_grad_enabled() -> bool:
    """Whether this thread records operations for a later backward pass."""
    return mode.asked if mode.inference else mode.enabled


def _set(enabled: bool) -> None:
    global _off, may_be_off
    mode.asked = enabled
    enabled = enabled and not mode.inference
    if enabled != mode.enabled:
        with _lock:
            _off += -1 if enabled else 1
            may_be_off = _off > 0
        mode.enabled = enabled


F = TypeVar("F", bound=Callable[..., Any])


class _Context:
    """A grad mode as context manager and as decorator (of functions and generators)."""

    _enabled: bool

    def __enter__(self) -> None:
        self._before = is_grad_enabled()
        _set(self._enabled)

    def __exit__(self, *_: object) -> None:
        _set(self._before)

    def clone(self) -> _Context:
        return type(self)()

    def __call__(self, function: F) -> F:
        if inspect.isclass(function):
            warn.say(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or methods. "
                "To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and nothing else.",
                FutureWarning,
            )
        if inspect.isgeneratorfunction(function):
            return cast(F, self._generator(function))

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return cast(F, decorated)

    def _generator(self, function: Callable) -> Callable:
        """A generator function in this mode. It holds while the generator's own code runs, not while it is suspended."""

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            iterator = function(*args, **kwargs)
            resume = functools.partial(next, iterator)
            while True:
                try:
                    with self.clone():
                        item = resume()
                except StopIteration as stop:
                    return stop.value
                try:
                    received = yield item
                except GeneratorExit:
                    with self.clone():
                        iterator.close()
                    raise
                except BaseException as error:
                    resume = functools.partial(iterator.throw, error)
                else:
                    resume = functools.partial(iterator.send, received)

        return generator


class _WithoutParentheses(_Context):
    """`@no_grad` works as `@no_grad()` does."""

    if TYPE_CHECKING:

        @overload
        def __new__(cls) -> Self: ...
        @overload
        def __new__(cls, function: F) -> F: ...  # type: ignore[misc]

    def __new__(cls, function: Callable | None = None) -> Any:
        mode_object = super().__new__(cls)
        return mode_object if function is None else mode_object(function)


class no_grad(_WithoutParentheses):
    """Do not record operations in this block: their results have `requires_grad=False`."""

    _enabled = False


class enable_grad(_WithoutParentheses):
    """Record operations in this block, also inside `no_grad`."""

    _enabled = True


class set_grad_enabled(_Context):
    """Turn the recording of operations on or off, from the call on or for a block."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {class_name(mode)}"
            )
        self._before = is_grad_enabled()
        self._enabled = mode
        _set(mode)

    def __enter__(self) -> None:
        _set(self._enabled)

    def __call__(self, function: F) -> F:
        _set(self._before)  # as a decorator it only holds inside the function
        return super().__call__(function)

    def clone(self) -> set_grad_enabled:
        enabled, before = self._enabled, is_grad_enabled()
        context = set_grad_enabled(enabled)
        context._before = before
        return context


class set_multithreading_enabled(_Context):
    """Say whether backward may use threads of its own, from the call on or for a block."""

    def __init__(self, mode: bool) -> None:
        self._before = _multithreading.enabled
        self._enabled = _multithreading.enabled = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        _multithreading.enabled = self._before

    def clone(self) -> set_multithreading_enabled:
        return type(self)(self._enabled)


class _Multithreading(threading.local):
    enabled = True


_multithreading = _Multithreading()


def is_multithreading_enabled() -> bool:
    """Whether backward may use threads of its own: what `set_multithreading_enabled` set last in this thread, at first True."""
    return _multithreading.enabled


# Note [Inference tensors]: what is made in inference mode has no version that users could see. Its version cell is an `InferenceCell`, shared with its views
# as cells are; reading the count, which is what saving a tensor for backward does, raises.
class InferenceCell(list):
    """The version cell of an inference tensor."""

    @property
    def writes(self) -> int:
        """The writes, which only recorders ask for."""
        return list.__getitem__(self, 0)

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
            "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` "
            "instead of `torch.inference_mode()`."
        )


_inferring = 0
may_infer = False  # whether any thread is in inference mode


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode, so that new tensors are inference tensors."""
    return mode.inference


def new_cell() -> Any:
    """The version cell of a tensor that is made now, where some thread is in inference mode."""
    return InferenceCell([0]) if mode.inference else None


leaves_inferred: dict[int, weakref.ref] = {}  # the inference tensors that require grad, by id
_asked = False  # whether they have a request for the general path


def note_inferred(leaf: Any) -> None:
    """Remember a leaf that requires grad, if it is an inference tensor. As long as there is one, no operator takes its fast path, which
    does not know that a call on inference tensors alone is not recorded."""
    if leaf._vc.__class__ is InferenceCell:
        key = id(leaf)
        leaves_inferred[key] = weakref.ref(leaf, lambda _: leaves_inferred.pop(key, None))
        ask_for_general_path()


def ask_for_general_path() -> None:
    """Request the general path if there are such leaves. (Nothing is withdrawn when the last one goes, which may be in the middle of anything.)"""
    global _asked
    if _asked is not bool(leaves_inferred):
        _asked = not _asked
        (general_path.request if _asked else general_path.withdraw)()


def records(tensors: Iterable[Any]) -> bool:
    """Whether a call on these tensors can be recorded: not if all are inference tensors."""
    return not all([t._vc.__class__ is InferenceCell for t in tensors])


def _set_inference(inference: bool) -> None:
    global _inferring, may_infer
    if inference == mode.inference:
        return
    ask_for_general_path()
    mode.inference = inference
    with _lock:
        _inferring += 1 if inference else -1
        may_infer = _inferring > 0
    (general_path.request if inference else general_path.withdraw)()


class inference_mode(_Context):
    """Record no operations in this block, and count no writes to the tensors that are made in it."""

    mode: bool

    if TYPE_CHECKING:

        @overload
        def __new__(cls, mode: bool = True) -> Self: ...
        @overload
        def __new__(cls, mode: F) -> F: ...  # type: ignore[misc]

    def __new__(cls, mode: Any = True) -> Any:
        context = super().__new__(cls)
        context.mode = True if callable(mode) else mode
        return context(mode) if callable(mode) else context

    def __enter__(self) -> None:
        self._states = [*getattr(self, "_states", ()), (mode.inference, is_grad_enabled())]
        _set_inference(bool(self.mode))
        _set(not self.mode)

    def __exit__(self, *_: object) -> None:
        inference, enabled = self._states.pop()
        _set_inference(inference)
        _set(enabled)

    def clone(self) -> inference_mode:
        return type(self)(self.mode)


manual.attach(__name__)
