"""The private names of PyTorch's that are used here, each behind one function. Where a release lacks one, the function does what can be done
without it, and `missing` says in one line what is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from threading import get_ident, local
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
# (Without these a call only takes longer.)
_has_kernel = getattr(torch._C, "_dispatch_has_kernel_for_dispatch_key", None)
_casts = getattr(torch._C, "_is_any_autocast_enabled", None)
_saved_hooks = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)
_no_dispatch = torch.Tensor.__torch_dispatch__  # of a class that does not say what operators do
_levels: Any = torch.autograd.forward_ad
_functions = _found("_C._pop_torch_function_stack", "modes that the cell leaves on the stack may end early")
_dispatches = _found("_C._pop_torch_dispatch_stack", "modes that the cell leaves on the stack may end early")


def _is_never_wrapped(t: Any) -> bool:
    return False


# Whether a tensor belongs to a transform of `torch.func`:
is_wrapped: Callable[[Any], bool] = _is_wrapped or _is_never_wrapped


def outputs_of(n: Any) -> Any:
    """The shape and dtype of each result that a node belongs to; None if this release does not say."""
    return getattr(n, "_input_metadata", None)


# Releases in which a saved tensor does not say whether it has hooks ----------------------------------------------------------------------

saved_can_be_read = hasattr(torch._C._autograd.SavedTensor, "unpack_hook")
_since = 0  # nodes from this number on were made by the operator that ran last
_hooked = local()  # how many pairs of hooks on saved tensors are set in a thread


def operator_begins() -> None:
    """The nodes that are made from now on, and the one that autograd has made for this operator just now, have saved what `unpacked` may read."""
    global _since
    if not saved_can_be_read:
        _since = torch._C._autograd._get_sequence_nr() - 1


def unpacked(n: Any, names: tuple[str, ...], careful: bool) -> list[tuple[str, Any]]:
    """What a node has saved, if it is certain that no hook of the user's gives it back.

    `careful`: see Note [Views under way] in `jgrad/mirrors/torch/tensors.py`.
    """
    found: list[tuple[str, Any]] = []
    if careful or n._sequence_nr() < _since or _has_default_hooks():
        lost = f"PyTorch {torch.__version__} has no SavedTensor.unpack_hook: of some nodes it is not known what they saved"
        if names and lost not in missing:
            missing.append(lost)
        return found
    for name in names:
        try:
            saved = n.saved_tensors if name == "tensors" else getattr(n, f"_saved_{name}")
        except RuntimeError:  # it was released or written to
            continue
        several = isinstance(saved, (tuple, list))
        for i, t in enumerate(saved if several else (saved,)):
            if isinstance(t, torch.Tensor) and t.grad_fn is n:  # a result: a new tensor each time
                t = t.detach()
            found.append((f"saved_tensors[{i}]" if name == "tensors" else name, t))
    return found


def _has_default_hooks() -> bool:
    top = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)
    return getattr(_hooked, "depth", 0) > 0 if top is None else top(True) is not None


def notice_saved_hooks() -> list[Callable[[], None]]:
    """Count the hooks on saved tensors that are set, in releases that don't say whether there are any. Returns what undoes this."""
    module: Any = torch._C._autograd
    if saved_can_be_read or hasattr(module, "_top_saved_tensors_default_hooks"):
        return []
    undo: list[Callable[[], None]] = []
    _hooked.depth = (
        0  # (Hooks that an earlier block left behind may have been taken off when nobody counted.)
    )
    for name, step in (("_push_saved_tensors_default_hooks", 1), ("_pop_saved_tensors_default_hooks", -1)):
        undo.append(partial(setattr, module, name, getattr(module, name)))
        setattr(module, name, _counting(getattr(module, name), step))
    return undo


def _counting(function: Callable, step: int) -> Callable:
    def counted(*args: Any) -> Any:
        result = function(*args)
        _hooked.depth = max(getattr(_hooked, "depth", 0) + step, 0)
        return result

    return counted


def subclass_without_modes() -> list[Callable[[], None]]:
    """Have `Tensor.as_subclass` run without dispatch modes in older releases: under one, even one that does nothing, PyTorch 2.4 raises an error. Returns
    what undoes this."""
    as_subclass = torch.Tensor.as_subclass
    if saved_can_be_read or "as_subclass" in vars(torch.Tensor):
        return []

    @wraps(as_subclass)
    def made(*args: Any, **options: Any) -> Any:
        guard = without_dispatch()
        try:
            return as_subclass(*args, **options)
        finally:
            del guard

    torch.Tensor.as_subclass = made
    return [partial(delattr, torch.Tensor, "as_subclass")]


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
    _set(a, version + 1)
    try:
        return bool(b._version != version)
    finally:
        _set(a, version)


def _set(t: Any, version: int) -> None:
    try:
        _set_version((t,), (version,))
    except TypeError:  # PyTorch 2.4 takes one tensor
        _set_version(t, version)


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
    name = next((n for n in ("_maybe_set_eval_frame", "set_eval_frame") if hasattr(frames, n)), "")
    switch: Any = getattr(frames, name, None)
    if switch is None or hasattr(switch, "of_jgrad"):
        return []

    def switched(callback: Any) -> Any:
        before = switch(None)  # else the compiler would take what follows for the user's code
        watch = watches.get(get_ident())
        if sys._getframe(1).f_code.co_qualname.startswith("_TorchDynamoContext.__call__."):
            if watch is None:
                stop_noticing()
            else:
                watch.compiled(callback is not None and callback is not False)
        switch(callback)
        return before

    switched.of_jgrad = True  # type: ignore[attr-defined]
    skip = getattr(
        torch._C._dynamo.eval_frame, "skip_code", None
    )  # (newer releases switch the compiler off before they call us)
    if skip is not None:
        skip(switched.__code__)
    setattr(frames, name, switched)
    return [partial(setattr, frames, name, switch)]


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


def is_one_operator(operator: Any) -> bool:
    """Whether a call of this operator is this operator alone: PyTorch does not compose it from others."""
    name = operator._schema.name
    overload = operator._schema.overload_name
    full = f"{name}.{overload}" if overload else name
    return (
        _has_kernel is not None
        and name.startswith("aten::")
        and not _has_kernel(full, "CompositeImplicitAutograd")
    )


def attends_by_products(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether this call of `scaled_dot_product_attention` is made of products of matrices, and is not one operator: for dropout, for fewer than four dimensions, and
    some others."""
    choose: Any = getattr(torch, "_fused_sdp_choice", None)
    try:
        return choose is None or choose(*args, **kwargs) == 0
    except (RuntimeError, TypeError):  # PyTorch is about to raise
        return True


def computes_tangents() -> bool:
    """Whether a block of forward mode is open."""
    return bool(_levels._current_level >= 0)


def runs_alone() -> bool:
    """Whether an operator that is called now causes no other ones: no modes but ours see it, nothing is cast by autocast, no tangents are computed, and
    no hooks of the user run on what it saves."""
    return (
        torch._C._len_torch_dispatch_stack() == 1
        and not computes_tangents()
        and _casts is not None
        and not _casts()
        and _saved_hooks is not None
        and _saved_hooks(True) is None
    )


def others_dispatch(given: list[Any]) -> bool:
    """Whether a dispatch mode of the user's, or a class of one of these tensors, says what operators do. Without it they would do something else. It makes
    PyTorch compose operators as it does under our mode."""
    return torch._C._len_torch_dispatch_stack() > 1 or any(
        [t.__class__.__torch_dispatch__ is not _no_dispatch for t in given]
    )


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


def put_function_mode(mode: TorchFunctionMode, depth: int) -> None:
    """Put a mode on the stack of this thread, above the `depth` lowest ones. Those of the user's that are higher stay above it: a block that ends takes the
    top off the stack."""
    above = []
    while _functions is not None and torch._C._len_torch_function_stack() > depth:
        above.append(_functions())
    mode.__enter__()
    for other in reversed(above):
        torch._C._push_on_torch_function_stack(other)


def put_dispatch_mode(mode: TorchDispatchMode, depth: int) -> None:
    """The same for a dispatch mode."""
    above = []
    while _dispatches is not None and torch._C._len_torch_dispatch_stack() > depth:
        above.append(_dispatches(None))
    mode.__enter__()
    for other in reversed(above):
        torch._C._push_on_torch_dispatch_stack(other)


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
