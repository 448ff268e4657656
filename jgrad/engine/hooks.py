"""Hooks: functions of the user that run with the gradients of a backward pass.

In PyTorch's order. At a node: the hooks of the tensors that are its outputs (`tensor.register_hook`), `.grad` of those that retain it, the
node's own pre-hooks (`node.register_prehook`), the node itself, its post-hooks (`node.register_hook`). At a leaf: the hooks of the tensor,
the pre-hooks of its AccumulateGrad, the accumulation, `register_post_accumulate_grad_hook`, the post-hooks of its AccumulateGrad.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from jgrad import observer
from jgrad.engine.accumulate import ReadyLeaf
from jgrad.engine.gradients import Gradient, as_sent, as_tensor
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.node import AccumulateGrad, Extras, Node
from jgrad.kernels import libraries
from jgrad.kernels.numpy.shape import full_type_name
from jgrad.tensor import Tensor, TensorExtras, _plain


class _Nesting(threading.local):
    blocks = 0  # of users' code that this thread is in, one within the other


_nesting = _Nesting()
_lock = threading.Lock()


def _deepest() -> int:
    """How many blocks may be nested: each takes less than 1 kB of the stack of C, of which Linux gives each thread what the limit of the process says."""
    if sys.platform != "linux":
        return 600
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return min(max(600, limit // 2048), 100_000) if limit != resource.RLIM_INFINITY else 1000


# From how many blocks on room is given, up to how many, and the calls of Python that a block and a pass in it may take.
DEEP, DEEPEST, CALLS = 25, _deepest(), 30


def _give_room(calls: int) -> None:
    """Let Python nest this many more calls: a hook may run a backward pass, and hooks in that pass may run further passes."""
    if DEEP < _nesting.blocks < DEEPEST:
        with _lock:
            sys.setrecursionlimit(sys.getrecursionlimit() + calls)


class users_code:
    """A block for hooks and the backward of a Function: nothing is recorded where gradients are raw; else grad mode is that of the pass."""

    def __init__(self, on_tensors: bool) -> None:
        self.on_tensors = on_tensors

    def __enter__(self) -> None:
        self.before = grad_mode.mode.enabled
        _nesting.blocks += 1
        _give_room(CALLS)
        if not self.on_tensors:
            grad_mode._set(False)

    def __exit__(self, *_: object) -> None:
        grad_mode._set(self.before)
        _give_room(-CALLS)
        _nesting.blocks -= 1


# At a node --------------------------------------------------------------------------------------------------------------------


def call_tensor_hooks(node: Node, grads: list[Gradient], on_tensors: bool) -> list[Gradient]:
    """Call the hooks of the tensors that are outputs of a node, and add to `.grad` of those that retain it.

    `grads` holds a gradient per output; returned is a new list.
    """
    extras = node._extras
    assert extras is not None
    grads = list(grads)
    for nr, hooks in extras.tensor_hooks.items():
        grads[nr] = _after_hooks(hooks, grads[nr], on_tensors)
    for nr, reference in extras.retains.items():
        tensor = reference()
        if tensor is not None and grads[nr] is not None:
            _retain(tensor, grads[nr], on_tensors)
    return grads


def _retain(tensor: Tensor, grad: Gradient, on_tensors: bool) -> None:
    """Add a gradient to `.grad` of a tensor that is no leaf."""
    before, new = tensor._grad, as_tensor(grad)
    assert new is not None
    if before is None:
        tensor._grad = new.clone() if on_tensors else _plain(new._a.copy("K"))
    else:
        total: Any = before
        tensor._grad = total + new if on_tensors else _plain(libraries.as_array(total._a + new._a))
    if (watch := observer.current) is not None:
        kept = None if before is None else watch.keep(before._a)
        watch.accumulated(tensor, kept, new._a, tensor._grad._a)


def call_pre_hooks(extras: Extras, grads: list[Gradient], on_tensors: bool) -> list[Gradient]:
    """Call the pre-hooks of a node, `hook(grad_outputs)`; what they return replaces the gradients that arrived."""
    if not extras.pre_hooks:
        return grads
    shown: tuple[Tensor | None, ...] = tuple(map(as_tensor, grads))
    with users_code(on_tensors):
        for hook in list(extras.pre_hooks.values()):
            result = hook(shown)
            if result is not None:
                shown = all_replaced(shown, result, hook)
    return [as_sent(t, on_tensors) for t in shown]


def call_post_hooks(
    extras: Extras, grads: Sequence[Gradient], arrived: Sequence[Gradient], on_tensors: bool
) -> tuple[Gradient, ...]:
    """Call the post-hooks of a node, `hook(grad_inputs, grad_outputs)`; what they return replaces what the node sends on."""
    outputs = tuple(map(as_tensor, arrived))
    shown: tuple[Tensor | None, ...] = tuple(map(as_tensor, grads))
    with users_code(on_tensors):
        for hook in list(extras.post_hooks.values()):
            result = hook(shown, outputs)
            if result is not None:
                shown = all_replaced(shown, result, hook)
    return tuple([as_sent(t, on_tensors) for t in shown])


# At a leaf --------------------------------------------------------------------------------------------------------------------


def call_leaf_hooks(ready: ReadyLeaf, on_tensors: bool, accumulates: bool) -> None:
    """Call the hooks of a leaf, and the pre-hooks of its AccumulateGrad if that runs; they may replace `ready.grad`."""
    rare = ready.leaf._rare
    assert rare is not None
    if rare.hooks:
        ready.grad = _after_hooks(rare.hooks, ready.grad, on_tensors)
    extras = _extras_of_accumulator(rare)
    if accumulates and extras is not None and extras.pre_hooks:
        (ready.grad,) = call_pre_hooks(extras, [ready.grad], on_tensors)


def call_hooks_after_accumulation(ready: ReadyLeaf, on_tensors: bool) -> None:
    """Call the hooks for a complete `.grad`: those of the leaf, then those of its AccumulateGrad."""
    leaf = ready.leaf
    rare = leaf._rare
    assert rare is not None
    if rare.after_accumulation:
        with users_code(on_tensors):
            for hook in list(rare.after_accumulation.values()):
                if replaced(leaf, hook(leaf), hook) is not None:
                    raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    extras = _extras_of_accumulator(rare)
    if extras is not None and extras.post_hooks:
        call_post_hooks(extras, (), [ready.grad], on_tensors)


def _extras_of_accumulator(rare: TensorExtras) -> Extras | None:
    """The hooks of a leaf's AccumulateGrad, if that exists and has any."""
    accumulator: AccumulateGrad | None = None if rare.accumulator is None else rare.accumulator()
    return None if accumulator is None else accumulator._extras


# What hooks return ------------------------------------------------------------------------------------------------------------


def _after_hooks(hooks: dict[int, Callable], grad: Gradient, on_tensors: bool) -> Gradient:
    """Call the hooks of one tensor in the order of registration; each may replace the gradient."""
    tensor = as_tensor(grad)
    with users_code(on_tensors):
        for hook in list(hooks.values()):
            result = hook(tensor)
            if result is not None:
                tensor = replaced(tensor, result, hook)
    return as_sent(tensor, on_tensors)


def replaced(before: Tensor | None, result: object, hook: Callable) -> Tensor | None:
    """What a hook returned to replace a gradient, checked; None if it returned None."""
    if result is None:
        return None
    if before is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{class_name(result)}'")
    name = getattr(hook, "__name__", hook)
    if result.dtype is not before.dtype:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {full_type_name(before._a)} got {full_type_name(result._a)})"
        )
    if result._a.shape != before._a.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    return result


def all_replaced(before: tuple[Tensor | None, ...], result: object, hook: Callable) -> tuple:
    """What a hook of a node returned, a tuple of gradients or None, checked."""
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{class_name(result)}'")
    if len(result) != len(before):
        name = getattr(hook, "__name__", hook)
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(result)}, but expected {len(before)})"
        )
    return tuple([replaced(b, r, hook) for b, r in zip(before, result, strict=True)])
