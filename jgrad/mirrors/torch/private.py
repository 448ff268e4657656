"""The private names of PyTorch's that are used here, each behind one function. Where a release lacks one, the function does what can be done
without it, and `missing` says in one line what is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from threading import get_ident
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

missing: list[str] = []


def _found(path: str, lost: str) -> Any:
    """What `torch` has under a dotted name; None, with a remark, if this release lacks it."""
    found: Any = torch
    for part in path.split("."):
        found = getattr(found, part, None)
        if found is None:
            missing.append(f"PyTorch {torch.__version__} has no torch.{path}: {lost}")
            return None
    return found


_is_wrapped = _found(
    "_C._functorch.is_functorch_wrapped_tensor",
    "what runs under torch.func is recorded as far as it can be seen",
)
_set_version = _found(
    "_C._autograd._unsafe_set_version_counter",
    "tensors that share a version counter with detach() are shown with one of their own",
)
_without_dispatch = _found("_C._DisableTorchDispatch", "some graphs have other nodes while they are traced")
_takes_numbers = _found(
    "_C._should_allow_numbers_as_tensors", "detach() of a number in a graph fails while it is traced"
)
_top = _found("_C._get_dispatch_stack_at", "gradients may have other versions while they are traced")
_functions = _found("_C._pop_torch_function_stack", "modes that the cell leaves on the stack may end early")
_dispatches = _found("_C._pop_torch_dispatch_stack", "modes that the cell leaves on the stack may end early")


def is_wrapped(t: Any) -> bool:
    """Whether a tensor belongs to a transform of `torch.func`."""
    return _is_wrapped is not None and _is_wrapped(t)


def share_counter(a: Any, b: Any) -> bool:
    """Whether two tensors have the same version counter. PyTorch tells counters apart by nothing but what they count. So one is moved for a
    moment."""
    if _set_version is None:
        return False
    try:
        version = a._version
        if b._version != version:
            return False
    except (
        RuntimeError
    ):  # an inference tensor whose `.data` was assigned has no counter, though it says that it is none
        return False
    _set_version((a,), (version + 1,))
    try:
        return bool(b._version != version)
    finally:
        _set_version((a,), (version,))


def notice_clipping(watches: dict[int, Any]) -> list[Callable[[], None]]:
    """Have `clip_grad_norm_` tell a watch of its thread when no parameter has a gradient: it calls no operator then. Returns what undoes this."""
    module = torch.nn.utils.clip_grad
    total = getattr(module, "_get_total_norm", None)
    if total is None:
        return []

    def noticed(tensors: Any, *args: Any, **options: Any) -> Any:
        frame = sys._getframe(1)
        watch = watches.get(get_ident())
        if not tensors and watch is not None and frame.f_code.co_name == "clip_grad_norm_":
            watch.clipped_nothing(list(frame.f_locals.get("parameters", ())))
        return total(tensors, *args, **options)

    module._get_total_norm = noticed
    return [partial(setattr, module, "_get_total_norm", total)]


def leave_compiled_code_alone(
    watches: dict[int, Any], stop_noticing: Callable[[], None]
) -> list[Callable[[], None]]:
    """Have what `torch.compile` made run without our modes, which the compiler would try to compile. `stop_noticing` takes the mode of a thread that is
    not watched away. Returns what undoes this."""
    frames: Any = sys.modules.get("torch._dynamo.eval_frame")
    switch = getattr(frames, "_maybe_set_eval_frame", None)
    if switch is None or hasattr(switch, "of_jgrad"):
        return []

    def switched(callback: Any) -> Any:
        watch = watches.get(get_ident())
        if sys._getframe(1).f_code.co_name == "compile_wrapper":
            if watch is None:
                stop_noticing()
            else:
                watch.compiled(callback is not None and callback is not False)
        return switch(callback)

    switched.of_jgrad = True  # type: ignore[attr-defined]
    frames._maybe_set_eval_frame = switched
    return [partial(setattr, frames, "_maybe_set_eval_frame", switch)]


class without_functions:
    """A block in which no function mode and no subclass sees a call."""

    __slots__ = ("_guard",)

    def __enter__(self) -> None:
        self._guard = torch._C.DisableTorchFunction()
        self._guard.__enter__()

    def __exit__(self, *_: object) -> None:
        self._guard.__exit__(None, None, None)


def without_dispatch() -> Any:
    """A guard: as long as it lives, no dispatch mode sees an operator."""
    return None if _without_dispatch is None else _without_dispatch()


def takes_numbers(name: str) -> bool:
    """Whether an operator takes a number where it declares a tensor."""
    return _takes_numbers is None or bool(_takes_numbers(name))


def set_aside(mode: TorchDispatchMode) -> bool:
    """Take a dispatch mode off the stack if it is on top of it. PyTorch's own bookkeeping of modes stays, so `put_back` must follow."""
    depth = torch._C._len_torch_dispatch_stack()
    if _top is None or _dispatches is None or not depth or _top(depth - 1) is not mode:
        return False
    _dispatches(None)
    return True


def put_back(mode: TorchDispatchMode) -> None:
    """Undo `set_aside`."""
    torch._C._push_on_torch_dispatch_stack(mode)


def remove_function_mode(mode: TorchFunctionMode) -> None:
    """Take a mode off the stack of this thread. Those above it stay: a cell may have set one for good, such as a default device."""
    if _functions is None:
        mode.__exit__(None, None, None)
        return
    above = []
    while torch._C._len_torch_function_stack():
        top = _functions()
        if top is mode:
            break
        above.append(top)
    for other in reversed(above):
        torch._C._push_on_torch_function_stack(other)


def remove_dispatch_mode(mode: TorchDispatchMode) -> None:
    """The same for a dispatch mode."""
    if _top is None:
        mode.__exit__(None, None, None)
        return
    above = []
    while torch._C._len_torch_dispatch_stack():
        top = torch._C._get_dispatch_stack_at(torch._C._len_torch_dispatch_stack() - 1)
        top.__exit__(None, None, None)
        if top is mode:
            break
        above.append(top)
    for other in reversed(above):
        other.__enter__()
