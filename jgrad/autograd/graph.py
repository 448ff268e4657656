"""What users can do with the graph: `torch.autograd.graph`."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from jgrad import cuda, observer
from jgrad import storage as storages
from jgrad.autograd import engine
from jgrad.autograd.function import BackwardCFunction
from jgrad.graph import general_path, grad_mode
from jgrad.graph.node import GradientEdge, Node, RemovableHandle, accumulator_of
from jgrad.graph.saved import hooks
from jgrad.graph.view import bump, edge_to
from jgrad.tensor import Tensor


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where in the graph the gradient of this tensor arrives; can be passed for the tensor to `grad` and `backward`."""
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    edge = edge_to(tensor)
    assert edge is not None, "Expected gradient function to be set"  # a view of a leaf, made under no_grad
    node: Any = accumulator_of(edge) if isinstance(edge, Tensor) else tensor.grad_fn
    # PyTorch needs a second node to keep that of a Function alive.
    token = tensor.view_as(tensor).grad_fn if isinstance(node, BackwardCFunction) else None
    return GradientEdge(node, tensor.output_nr, token)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to these tensors that autograd could not see."""
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    try:
        tensors = iter(tensor)
    except TypeError:
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input") from None
    for t in tensors:
        if not isinstance(t, Tensor):
            raise RuntimeError("increment_version expects each element of the iterable to be a tensor")
        bump(t)
        if observer.current is not None:
            observer.current.op("increment_version", "view", (t,), (t,), None, {})


class _MultiHandle:
    """What `register_multi_grad_hook` returns: removes the hook from every tensor."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _MultiHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: str = "all"
) -> _MultiHandle:
    """Call `fn` in every backward pass once the gradients of all these tensors are known, with the list of them.

    None stands in the list where a tensor has no part in the pass. With `mode="any"`, `fn` is called as soon as the first gradient is
    known, with that one.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    engine.following = True
    tensors = [t for t in tensors if mode == "all" or t.requires_grad]
    edges = [edge_to(t) for t in tensors]
    for edge in edges:
        assert edge is not None or mode == "any", "Expected gradient function to be set"
    hooks = _AllHooks([engine.target_of(e) for e in edges], fn) if mode == "all" else _AnyHooks(fn)
    return _MultiHandle([t.register_hook(hooks.hook_of(i)) for i, t in enumerate(tensors)])


class _AllHooks:
    """The hooks of tensors, of which the last one that is called in a pass calls `fn` with all gradients."""

    def __init__(self, targets: list[engine.Target], fn: Callable[[list[Tensor | None]], None]) -> None:
        self.targets = targets
        self.fn = fn
        self.lock = threading.Lock()
        # By pass: how many gradients are still to come, and those that came.
        self.to_come: weakref.WeakKeyDictionary[engine.GraphTask, int] = weakref.WeakKeyDictionary()
        self.grads: weakref.WeakKeyDictionary[engine.GraphTask, list] = weakref.WeakKeyDictionary()

    def hook_of(self, index: int) -> Callable[[Tensor], None]:
        """The hook of tensor number `index`."""

        def hook(grad: Tensor) -> None:
            task = _running_task()
            with self.lock:
                if task not in self.to_come:
                    self.begin(task)
                self.to_come[task] -= 1
                grads = self.grads[task]
                grads[index] = grad
                complete = self.to_come[task] == 0
            if complete:
                self.fn(grads)

        return hook

    def begin(self, task: engine.GraphTask) -> None:
        """Count the tensors that have a part in a pass."""
        if not task.accumulate and any([isinstance(t, Tensor) for t in self.targets]):
            raise RuntimeError(
                "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
                "currently not supported."
            )
        members = task.members()
        self.to_come[task] = sum([t in members for t in self.targets])
        self.grads[task] = [None] * len(self.targets)


class _AnyHooks:
    """The hooks of tensors, of which the first one that is called in a pass calls `fn` with its gradient."""

    def __init__(self, fn: Callable[[Tensor], None]) -> None:
        self.fn = fn
        self.lock = threading.Lock()
        self.called: weakref.WeakSet[engine.GraphTask] = weakref.WeakSet()

    def hook_of(self, index: int) -> Callable[[Tensor], None]:
        """The hook of any of the tensors."""

        def hook(grad: Tensor) -> None:
            task = _running_task()
            with self.lock:
                first = task not in self.called
                self.called.add(task)
            if first:
                self.fn(grad)

        return hook


def _running_task() -> engine.GraphTask:
    task = engine.current.task
    assert task is not None, "expected this hook to be called inside a backward call"
    return task


class saved_tensors_hooks:
    """In this block, what nodes save goes through `pack_hook`, and comes back through `unpack_hook` when backward asks for it."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if hooks.disabled is not None:
            raise RuntimeError(hooks.disabled)
        if not (callable(self.pack_hook) and callable(self.unpack_hook)):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook}, {self.unpack_hook}"
            )
        hooks.stack.append((self.pack_hook, self.unpack_hook))
        general_path.request()

    def __exit__(self, *_: object) -> None:
        hooks.stack.pop()
        general_path.withdraw()


class save_on_cpu(saved_tensors_hooks):
    """In this block, what nodes save is kept in the memory of the CPU."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(t: Tensor) -> tuple[Any, Tensor]:
            kept = t.cpu()
            return t.device, kept.pin_memory() if pin_memory and cuda.is_available() else kept

        super().__init__(pack, lambda content: content[1].to(content[0], non_blocking=pin_memory))


class _Kept:
    """A tensor that a node saved while writing to such tensors is allowed: itself, or a copy made before the first write."""

    __slots__ = ("tensor", "is_copy", "__weakref__")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor: Tensor | None = tensor
        self.is_copy = False


class _BeforeWrites(observer.ForwardingObserver):
    """Copies what was saved of a storage before the storage is written to."""

    def __init__(self) -> None:
        self.saved: dict[int, weakref.WeakSet[_Kept]] = {}  # by the identity of the storage

    def pack(self, tensor: Tensor) -> _Kept:
        kept = _Kept(tensor)
        self.saved.setdefault(id(storages.owner(tensor._a)), weakref.WeakSet()).add(kept)
        return kept

    def unpack(self, kept: _Kept) -> Tensor:
        if _writer is None or kept.tensor is None:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally recorded."
            )
        return kept.tensor

    def writing(self, tensor: Tensor) -> None:
        for kept in self.saved.get(id(storages.owner(tensor._a)), ()):
            if not kept.is_copy and kept.tensor is not None:
                with grad_mode.no_grad():  # (the node gives it its history)
                    kept.tensor, kept.is_copy = kept.tensor.clone(), True
        self.next.writing(tensor)

    def clear(self) -> None:
        """Keep nothing that was saved in a block that is over."""
        for group in self.saved.values():
            for kept in group:
                kept.tensor = None
        self.saved.clear()


_writer: _BeforeWrites | None = None


@contextlib.contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_BeforeWrites]:
    """In this block, tensors that were saved for backward may be written to: they are copied before. Backward must run in it too."""
    global _writer
    if _writer is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    _writer = writes = _BeforeWrites()
    try:
        with saved_tensors_hooks(writes.pack, writes.unpack), observer.observe(writes):  # type: ignore[arg-type]
            yield writes
    finally:
        writes.clear()
        _writer = None


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, `saved_tensors_hooks` raises with this message."""
    if hooks.stack:
        raise RuntimeError(error_message)
    before, hooks.disabled = hooks.disabled, error_message
    try:
        yield
    finally:
        hooks.disabled = before


__all__ = [
    "disable_saved_tensors_hooks",
    "save_on_cpu",
    "saved_tensors_hooks",
    "allow_mutation_on_saved_tensors",
    "GradientEdge",
    "Node",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
]
