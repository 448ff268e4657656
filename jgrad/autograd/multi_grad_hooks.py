"""`register_multi_grad_hook`: one call for the gradients of several tensors in a backward pass."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from jgrad import manual
from jgrad.engine import graph_task
from jgrad.graph.node import RemovableHandle
from jgrad.graph.view import edge_to
from jgrad.tensor import Tensor


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: str = "all"
) -> _MultiHandle:
    """Call a function in every backward pass once the gradients of several tensors are known."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    graph_task.following = True
    tensors = [t for t in tensors if mode == "all" or t.requires_grad]
    edges = [edge_to(t) for t in tensors]
    # Raised and not asserted: pytest rewrites the assertions of packages that bring it a plugin, and their texts.
    if mode == "all" and any([edge is None for edge in edges]):
        raise AssertionError("Expected gradient function to be set")
    hooks = _AllHooks([graph_task.target_of(e) for e in edges], fn) if mode == "all" else _AnyHooks(fn)
    return _MultiHandle([t.register_hook(hooks.hook_of(i)) for i, t in enumerate(tensors)])


class _AllHooks:
    """The hooks of tensors, of which the last one that is called in a pass calls `fn` with all gradients."""

    def __init__(self, targets: list[graph_task.Target], fn: Callable[[list[Tensor | None]], None]) -> None:
        self.targets = targets
        self.fn = fn
        self.lock = threading.Lock()
        # By pass: how many gradients are still to come, and those that came.
        self.to_come: weakref.WeakKeyDictionary[graph_task.GraphTask, int] = weakref.WeakKeyDictionary()
        self.grads: weakref.WeakKeyDictionary[graph_task.GraphTask, list] = weakref.WeakKeyDictionary()

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
                if complete:  # what still comes begins another round
                    del self.to_come[task], self.grads[task]
            if complete:
                self.fn(grads)

        return hook

    def begin(self, task: graph_task.GraphTask) -> None:
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
        self.called: weakref.WeakSet[graph_task.GraphTask] = weakref.WeakSet()

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


def _running_task() -> graph_task.GraphTask:
    task = graph_task.current.task
    if task is None:
        raise AssertionError("expected this hook to be called inside a backward call")
    return task


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


_MultiHandle.__module__ = "jgrad.autograd.graph"  # where PyTorch has it


manual.attach(__name__)
