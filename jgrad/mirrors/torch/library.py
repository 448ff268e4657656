"""PyTorch as one of the libraries of `jgrad.mirrors`."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from multiprocessing.process import BaseProcess
from threading import RLock, Thread, get_ident
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from jgrad import observer
from jgrad.mirrors.torch import nodes, tensors
from jgrad.mirrors.torch.elsewhere import (
    THREAD,
    forget_in_children,
    noticing,
    starting_process,
    starting_thread,
    stop_noticing,
    submitting,
)
from jgrad.mirrors.torch.passes import run_backward
from jgrad.mirrors.torch.private import (
    leave_compiled_code_alone,
    notice_clipping,
    notice_saved_hooks,
    operator_begins,
    subclass_without_modes,
    without_functions,
)
from jgrad.mirrors.torch.processes import exchanging
from jgrad.mirrors.torch.watch import Watch


class PyTorch:
    """PyTorch, with the methods that `jgrad.mirrors` needs."""

    module = torch

    def has(self, cls: type) -> bool:
        return issubclass(cls, torch.Tensor)

    def mirror(self, value: Any) -> Any:
        return self._quietly(tensors.mirror, value)

    def kind_without_mirror(self, value: Any) -> str:
        return str(self._quietly(tensors.kind_without_mirror, value))

    def refresh(self) -> None:
        self._quietly(tensors.refresh)

    def failed_node(self, roots: Any, message: str) -> Any:
        return self._quietly(failed_node, roots, message)

    def _quietly(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function of ours that uses tensors. Its operations are not recorded."""
        watch = _watch_here()
        if watch is None or watch.busy:
            return function(*args)
        watch.busy = True
        try:
            with without_functions():
                return function(*args)
        finally:
            watch.busy = False

    @contextmanager
    def watch(self, failures: list[Exception], reporting: set[str]) -> Iterator[None]:
        """A block in which it is reported to the observer what PyTorch does in this thread."""
        thread = get_ident()
        if thread in watches:  # a block within a watched block
            yield
            return
        with ExitStack() as stack:
            watch = watches[thread] = Watch(failures, reporting)
            stack.callback(_unwatch, thread)
            _patch()
            stack.enter_context(watch)
            yield


# Of torch.jit.
TRACERS = frozenset({"trace", "trace_module", "_get_trace_graph", "script", "create_script_module"})
watches: dict[int, Watch] = {}  # by thread: the watch of the outermost watched block in it
# The functions that remove our patches: of what is replaced as long as a thread is watched, and of what only as long as there is an observer.
_undo: list[Callable[[], Any]] = []
_undo_observing: list[Callable[[], Any]] = []
_lock = RLock()


def _patch() -> None:
    """Replace functions of PyTorch that no mode sees by ours, as long as a thread is watched. These tell of backward passes and steps of optimizers, also
    while the recorder sleeps."""
    with _lock:
        if _undo:
            return
        run = torch.autograd.graph._engine_run_backward
        _put(_undo, torch.autograd.graph, "_engine_run_backward", _engine(run))
        _put(_undo, torch.autograd, "_engine_run_backward", _engine(run))
        _put(_undo, torch, "compile", _compiling(torch.compile))
        _undo.extend(notice_saved_hooks())
        _undo.append(register_optimizer_step_post_hook(_stepped).remove)
        _put(_undo, torch.Tensor, "backward", _settling(torch.Tensor.backward))
        observer.listeners.append(_settle)
        _undo.append(partial(observer.listeners.remove, _settle))
        _patch_for_observer()


def _patch_for_observer() -> None:
    """Replace those that only an observer needs. They would cost time while the recorder sleeps."""
    put = partial(_put, _undo_observing)
    for module, name in (
        (torch.nn.functional, "has_torch_function"),
        (torch.nn.functional, "has_torch_function_unary"),
        (torch.nn.functional, "has_torch_function_variadic"),
        (torch.overrides, "has_torch_function"),
    ):
        if name in vars(module):
            put(module, name, _but_for_ours(vars(module)[name]))
    put(torch.autograd, "_make_grads", _quiet(torch.autograd._make_grads))
    put(torch.autograd.Function, "apply", classmethod(_applying(vars(torch.autograd.Function)["apply"])))
    put(torch.nn.Parameter, "__new__", staticmethod(_wrapping(vars(torch.nn.Parameter)["__new__"].__func__)))
    if "_call_impl" in vars(torch.nn.Module):
        put(torch.nn.Module, "_call_impl", _in_layer(torch.nn.Module._call_impl))
    put(torch.autograd.graph, "increment_version", _counting(torch.autograd.graph.increment_version))
    put(torch.Tensor, "set_", _giving_memory(torch.Tensor.set_))
    put(Thread, "start", starting_thread(Thread.start, _asking))
    put(ThreadPoolExecutor, "submit", submitting(ThreadPoolExecutor.submit, _asking))
    put(BaseProcess, "start", starting_process(BaseProcess.start, _asking))
    for owner in (torch.jit, torch.jit._trace, torch.jit._script, torch.jit._recursive):
        for name in TRACERS & {*vars(owner)}:
            put(owner, name, _tracing(vars(owner)[name]))
    put(torch, "from_numpy", _making(torch.from_numpy))
    put(torch, "frombuffer", _making(torch.frombuffer))
    for owner, name, new in exchanging(_asking):
        put(owner, name, new)
    _undo_observing.extend(leave_compiled_code_alone(watches, stop_noticing))
    _undo_observing.extend(notice_clipping(watches))
    _undo_observing.extend(subclass_without_modes())


def _put(undo: list[Callable[[], Any]], owner: Any, name: str, new: Any) -> None:
    own = vars(owner)
    undo.append(partial(setattr, owner, name, own[name]) if name in own else partial(delattr, owner, name))
    setattr(owner, name, new)


def _watch_here() -> Watch | None:
    """The watch of this thread, or of the thread for which it runs nodes of a backward pass."""
    thread = get_ident()
    return watches.get(thread) or next((one for one in watches.values() if one.thread == thread), None)


def _asking() -> Watch | None:
    """The watch of this thread, if there is an observer that it can report to."""
    watch = _watch_here()
    return None if watch is None or watch.busy or observer.current is None else watch


def _engine(run: Callable) -> Callable:
    def engine(roots: Any, *args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        watch = _watch_here()
        if watch is None:
            if observer.current is not None:
                observer.current.not_followed(
                    "another thread computes gradients. The trace does not follow it."
                )
            return run(roots, *args, **options)
        return run_backward(watch, run, roots, args, options)

    return engine


def _settling(backward: Callable) -> Callable:
    """`Tensor.backward`. When it is over, no mode is in the middle of a call."""

    @wraps(backward)
    def settling(*args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        try:
            return backward(*args, **options)
        finally:
            _settle(observer.current is not None)
            _rest()

    return settling


def _settle(observed: bool) -> None:
    """`observed`: whether there is an observer from now on."""
    if observed and not _undo_observing:
        with _lock:
            if watches and not _undo_observing:
                _patch_for_observer()
    watch = watches.get(get_ident())
    if watch is not None:
        watch.settle(observed)


def _rest() -> None:
    """Remove the patches that only an observer needs, if the recorder sleeps. (It is also without an observer for a moment, within single operations of jgrad.)"""
    if _undo_observing and observer.current is None and observer.listener is not None:
        with _lock:
            _remove(_undo_observing)


def _applying(apply: Any) -> Callable:
    """`Function.apply`, which reports to a watch. `apply`: the class method, which some releases write in C."""

    def applying(cls: type, *args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        operator_begins()
        result = apply.__get__(None, cls)(*args, **options)
        watch = _asking()
        if watch is not None:
            watch.applied(cls, args, result)
        return result

    return applying


def _quiet(make: Callable) -> Callable:
    """`_make_grads`, without recording it: the gradients with which a pass begins are reported together with the pass."""

    def quiet(*args: Any, **options: Any) -> Any:
        watch = _watch_here()
        if watch is None or watch.busy:
            return make(*args, **options)
        watch.flush()
        watch.busy = True
        try:
            return make(*args, **options)
        finally:
            watch.busy = False

    return quiet


def _wrapping(new: Callable) -> Callable:
    def parameter(cls: type, data: Any = None, *args: Any, **options: Any) -> Any:
        result = new(cls, data, *args, **options)
        watch = _asking()
        if watch is not None:
            watch.wrapped(data, result)
        return result

    return parameter


def _in_layer(call: Callable) -> Callable:
    """`Module._call_impl`, which every call of a module goes through: what runs there belongs to the module."""

    @wraps(call)
    def calling(module: Any, *args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        watch = None if observer.current is None or torch.compiler.is_compiling() else _asking()
        if watch is None or not watch.looks:
            return call(module, *args, **options)
        seen = watch.entered(module)
        try:
            return call(module, *args, **options)
        finally:
            watch.left_layer(seen, module)

    return calling


def _making(function: Callable) -> Callable:
    @wraps(function)
    def make(*args: Any, **options: Any) -> Any:
        result = function(*args, **options)
        watch = _asking()
        if watch is not None:
            watch.made(function.__name__, result)
        return result

    return make


def _counting(increment: Callable) -> Callable:
    @wraps(increment)
    def counting(tensor: Any) -> Any:
        result = increment(tensor)
        watch = _asking()
        if watch is not None:
            watch.counted([tensor] if isinstance(tensor, torch.Tensor) else list(tensor))
        return result

    return counting


def _giving_memory(set_: Callable) -> Callable:
    @wraps(set_)
    def giving(*args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        watch = _asking()
        return set_(*args, **options) if watch is None else watch.gave_memory(set_, args, options)

    return giving


def _compiling(function: Callable) -> Callable:
    @wraps(function)
    def compiling(*args: Any, **options: Any) -> Any:
        result = function(*args, **options)
        with _lock:
            if _undo_observing:  # the compiler may have been imported just now
                _undo_observing.extend(leave_compiled_code_alone(watches, stop_noticing))
        return result

    return compiling


def _tracing(function: Callable) -> Callable:
    """What makes a program of its own of the user's functions, in which nothing of ours may come: `torch.jit.trace` runs them, `torch.jit.script` reads them
    and what they call."""

    looks_up = "_frames_up" in function.__code__.co_varnames  # for names in the frame that called it

    @wraps(function)
    def tracing(*args: Any, **options: Any) -> Any:
        if looks_up:
            options["_frames_up"] = options.get("_frames_up", 0) + 1
        watch = _asking()
        if watch is None or not watch.looks:
            return function(*args, **options)
        if "trac" in function.__name__:
            watch.not_followed("torch.jit.trace runs")
        watch.pause(True)
        with _lock:
            _remove(_undo_observing)
        try:
            return function(*args, **options)
        finally:
            with _lock:
                _patch_for_observer()
            watch.pause(False)

    return tracing


def _stepped(optimizer: Any, *_: Any) -> None:
    listener = observer.listener
    if listener is not None and listener.stepped_as_before(optimizer):
        return
    watch = _watch_here()
    if watch is not None:
        watch.stepped(optimizer)
        _rest()


def _but_for_ours(has: Callable[..., bool]) -> Callable[..., bool]:
    """`has_torch_function`, whose answer does not depend on our mode: functions of `torch.nn.functional` run as they do without it, and layers take
    the same fast paths."""

    def asked(*given: Any) -> bool:
        thread = get_ident()
        ours = thread in watches or thread in noticing
        if not ours:
            _notice_here()
        if not ours or torch._C._len_torch_function_stack() > 1:
            return has(*given)
        tensors_given = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
        if all(not hasattr(type(t), "__torch_function__") or type(t) in tensors.PLAIN for t in tensors_given):
            return False
        return has(*given)

    return asked


def _notice_here() -> None:
    """Say that a thread computes that is not followed: one that was started before the block."""
    if _watch_here() is None:
        for watch in list(watches.values()):
            watch.runs_elsewhere(THREAD)


def _unwatch(thread: int) -> None:
    with _lock:
        watches.pop(thread, None)
        if not watches:
            _remove(_undo_observing)
            _remove(_undo)


def _remove(patches: list[Callable[[], Any]]) -> None:
    while patches:
        patches.pop()()


def failed_node(roots: Any, message: str) -> Any:
    """The mirror of the node in which a backward pass failed: the first node whose saved tensor can't be read."""
    waiting = [n for t in roots if (n := t.grad_fn) is not None]
    seen = {*waiting}
    while waiting:
        waiting.sort(key=lambda n: n._sequence_nr())
        n = waiting.pop()
        m = _spoilt(n, message)
        if m is not None:
            return m
        for f, _ in n.next_functions:
            if f is not None and f not in seen and not hasattr(f, "variable"):
                seen.add(f)
                waiting.append(f)
    return None


def _spoilt(n: Any, message: str) -> Any:
    """The mirror of a node, if reading its saved tensors raises this error."""
    for name in nodes.names_saved(n):
        memory = nodes.memory_saved(n, name)
        if memory is None:
            continue
        try:
            getattr(n, f"_saved_{name}", None)  # (a custom Function has no such attribute)
        except RuntimeError as error:
            if str(error)[:60] != message[:60]:
                continue
            m: Any = nodes.node(n)
            words = re.search(r"is at version (\d+); expected version (\d+)", message)
            if words is not None:
                now, then = int(words[1]), int(words[2])
                m._kept = [
                    (name, weakref.ref(o), then)
                    for o in tensors.tensors.values()
                    if o._memory.of() is memory and o._vc is not None and o._vc[0] == now
                ]
            return m
    return None


forget_in_children(watches)
LIBRARY = PyTorch()
