"""The backward pass.

`GraphTask.run` runs all of it: it evaluates a node that is ready and sends gradients along the node's edges. This makes other nodes ready. There is
no recursion, so a graph may have any depth.

A graph is made of nodes and, at its ends, leaves. An edge leads to a node, to a later output of a node (`Edge`), or to a leaf: the tensor
itself stands for its AccumulateGrad, or the AccumulateGrad, once a user looked at it. The *target* of an edge is the node or the leaf tensor.

Note [Order]: every node has the sequence number with which it was made, and edges lead from higher numbers to lower ones. So "highest
number first, and a leaf before any node" is a topological order, and it is PyTorch's. PyTorch's queue is a heap too, in which all leaves
are equal. (So are nodes that only raise: they have the number of leaves, `HIGHEST`.) Python's heapq sifts as C++'s heaps do. So even the order of several leaves that are ready together is PyTorch's, as long as all
that PyTorch puts into its heap goes into ours.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, TypeAlias

import numpy as np

from jgrad import observer
from jgrad.engine import accumulate, hooks
from jgrad.engine.accumulate import ONE_HOLDER, ReadyLeaf
from jgrad.engine.gradients import (
    Gradient,
    as_tensor,
    expected_by_leaf,
    fit,
    materialized,
    raw,
    refuse_shapes,
)
from jgrad.graph import anomaly_mode, grad_mode
from jgrad.graph.node import HIGHEST, AccumulateGrad, Edge, Node
from jgrad.graph.view import dense
from jgrad.graph.written import count
from jgrad.kernels import libraries
from jgrad.tensor import Tensor

Target: TypeAlias = Node | Tensor
AnyEdge: TypeAlias = Node | Edge | Tensor  # an AccumulateGrad is a node
Root: TypeAlias = tuple[AnyEdge, Gradient]

FIRST = -HIGHEST  # the place of leaves in the heap
NO_NODES: set[Node] = set()
NOTHING: dict[tuple[Target, int], Gradient] = {}


class GraphTask:
    """One backward pass: from `roots`, pairs of an edge and its gradient, to the leaves.

    `on_tensors`: gradients are tensors and not raw arrays, since their computation is recorded or transformed. Without `keep_graph`,
    nodes release what they saved. `accumulate`: leaves add what arrives to their `.grad`. `captures`, if given, are the edges whose
    gradients are asked for: then only the paths to them are walked.

    `dependencies`, `not_ready` and the captured gradients are called so in PyTorch's `GraphTask` too.
    """

    __slots__ = (
        "roots", "keep_graph", "on_tensors", "captures", "accumulate", "whole",
        "dependencies", "not_ready", "ready", "needed", "leading", "captured", "watch", "plain", "plain_nodes", "__weakref__",
    )  # fmt: skip

    def __init__(
        self,
        roots: list[Root],
        keep_graph: bool,
        on_tensors: bool,
        captures: list[AnyEdge] | None,
        accumulate: bool,
    ) -> None:
        self.roots, self.captures = roots, captures
        self.keep_graph, self.on_tensors, self.accumulate = keep_graph, on_tensors, accumulate
        self.whole = captures is None  # `following_task` clears it where the pass around this one is limited

        self.watch = observer.current
        # Whether the fast path of `evaluate_node` will do, and for which nodes (None: for all).
        self.plain = not libraries.many and not (on_tensors and self.watch is not None)
        self.plain_nodes: set[Node] | None = None

        # By target: the number of gradients that are still to come, and what has arrived so far.
        self.dependencies: dict[Target, int] = count_dependencies(roots)
        self.not_ready: dict[Target, InputBuffer] = {}
        # The heap of what is complete: (minus the sequence number, node, gradients), (FIRST, ReadyLeaf, None).
        self.ready: list[tuple[int, Node | ReadyLeaf, Gradient]] = []

        # What `captures` limits the pass to, or None; those nodes in it that lead on to one of them; what has arrived at them.
        self.needed: set[Target] | None = None
        self.leading: set[Node] = NO_NODES
        self.captured: dict[tuple[Target, int], Gradient] = NOTHING
        if captures is not None:
            self.needed, self.leading = paths_to(captures, self.dependencies)
            if not accumulate:
                self.captured = {(target_of(edge), number_of(edge)): None for edge in captures}
            self.plain_nodes = self.leading.difference([target for target, _ in self.captured])

    def run(self) -> list[Gradient]:
        """Send the gradients through the graph; returns what arrived at each of `captures`, None where nothing did."""
        __tracebackhide__ = True
        for edge, grad in self.roots:
            target = target_of(edge)
            if libraries.many:  # see Note [Several devices] in `jgrad/kernels/libraries.py`
                libraries.set_device_of(grad)  # gradients of roots with one target are added
            # (A lone root is evaluated in any case: its hooks run even where none of what is asked for is behind it.)
            if self.needed is None or len(self.roots) == 1 or target in self.needed:
                self.deliver(target, number_of(edge), grad)
        ready = self.ready
        while ready:
            _, complete, arrived = heappop(ready)
            if isinstance(complete, ReadyLeaf):
                self.evaluate_leaf(complete)
            else:
                self.evaluate_node(complete, arrived)
        if self.captures is None:
            return []
        return [self.captured.get((target_of(edge), number_of(edge))) for edge in self.captures]

    def evaluate_leaf(self, ready: ReadyLeaf) -> None:
        """Call the hooks of a leaf, and add its gradient to `.grad`."""
        leaf = ready.leaf
        if libraries.many:
            libraries.set_device_of(leaf)
        accumulates = self.accumulate and (self.needed is None or leaf in self.needed)
        if leaf._rare is not None:
            hooks.call_leaf_hooks(ready, self.on_tensors, accumulates)
        if (leaf, 0) in self.captured:
            self.captured[leaf, 0] = ready.grad
        if accumulates:
            if ready.grad is not None:
                with accumulate.lock:
                    accumulate.accumulate(ready, self.on_tensors)
            if leaf._rare is not None:
                hooks.call_hooks_after_accumulation(ready, self.on_tensors)

    def evaluate_node(self, node: Node, arrived: Gradient) -> None:
        """Run a node on the gradient that arrived (on the list of them, if it has several outputs), and send on what it returns."""
        __tracebackhide__ = True
        grads: Sequence[Gradient] | None
        # The fast path: what `evaluate_in_full` does where nothing is attached to the node.
        if (
            self.plain
            and node._extras is None
            and node._outputs == 1
            and arrived is not None
            and (self.plain_nodes is None or node in self.plain_nodes)
            and not anomaly_mode.enabled
        ):
            try:
                if self.on_tensors:
                    grads = node.apply_public(arrived, self.needed)
                elif self.watch is None:
                    grads = node.apply(arrived, self.needed)
                else:
                    self.watch.node_begins(node, (arrived,))
                    grads = node.apply(arrived, self.needed)
                    self.watch.node_done(node, grads)
            except ValueError as error:
                refuse_shapes(error)
                raise
        elif anomaly_mode.enabled:
            with anomaly_mode.running(node):
                grads = self.evaluate_in_full(node, arrived if node._outputs > 1 else [arrived])
                if grads is not None:
                    self.send(node, grads)
                    anomaly_mode.refuse_nan(node, grads)  # as in PyTorch, after the hooks and the release
            return
        else:
            grads = self.evaluate_in_full(node, arrived if node._outputs > 1 else [arrived])
        if grads is not None:
            self.send(node, grads)

    def evaluate_in_full(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient] | None:
        """Run a node with everything that may be attached to it: captures, hooks, an observer. None: the node is not needed and did not run."""
        __tracebackhide__ = True
        extras, on_tensors = node._extras, self.on_tensors
        if libraries.many:
            for grad in arrived:
                libraries.set_device_of(grad)
        if not self.is_needed(node):
            # What is asked for may be its gradient, after the hooks of the tensor.
            if extras is not None:
                arrived = hooks.call_tensor_hooks(node, arrived, on_tensors)
            self.capture(node, arrived)
            return None
        self.capture(node, arrived)
        if extras is not None:
            arrived = hooks.call_tensor_hooks(node, arrived, on_tensors)
            arrived = hooks.call_pre_hooks(extras, arrived, on_tensors)
        defined = any([grad is not None for grad in arrived])
        grads = self.call(node, arrived) if defined or node._takes_none else node.apply_undefined()
        if extras is not None and extras.post_hooks:
            grads = hooks.call_post_hooks(extras, fitted(node, grads), arrived, on_tensors)
        if self.watch is not None and defined:
            self.watch.node_done(node, [*map(raw, grads)] if on_tensors else grads)
        return grads

    def is_needed(self, node: Node) -> bool:
        """Whether this node leads on to a captured node or leaf."""
        if self.needed is None or node in self.leading:
            return True
        return self.accumulate and node in self.needed

    def call(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient]:
        """Run the node itself; returns a gradient per edge."""
        __tracebackhide__ = True
        on_tensors, several = self.on_tensors, node._outputs > 1
        if self.watch is not None:
            self.watch.node_begins(node, [*map(raw, arrived)] if on_tensors else arrived)
        if several and node.materializes:
            arrived = materialized(node, arrived, on_tensors)
        grad = arrived if several else arrived[0]
        try:
            return node.apply_public(grad, self.needed) if on_tensors else node.apply(grad, self.needed)
        except ValueError as error:
            refuse_shapes(error)
            raise

    def capture(self, node: Node, grads: list[Gradient]) -> None:
        """Keep the captured ones of the gradients that arrived at a node."""
        if self.captured:
            for nr, grad in enumerate(grads):
                if (node, nr) in self.captured:
                    self.captured[node, nr] = grad

    def send(self, node: Node, grads: Sequence[Gradient]) -> None:
        """Send what a node returned along its edges, each gradient in the shape and dtype of its target; release what it saved.

        As in PyTorch, nothing is released where a gradient does not fit, and all is released before gradients are added up: memory for sums.
        """
        __tracebackhide__ = True
        needed, dependencies, many = self.needed, self.dependencies, libraries.many
        waiting: list[tuple[Target, int, Gradient]] | None = None  # what is delivered after the release
        for index, edge in enumerate(node._next):
            if edge is None:
                continue
            kind = edge.__class__  # (`target_of`, written out)
            target = edge.node if kind is Edge else edge.variable if kind is AccumulateGrad else edge
            grad, nr, outputs = grads[index], 0, target._outputs  # (a leaf has no outputs)
            unneeded = needed is not None and target not in needed
            if unneeded and grad is None:
                continue
            if grad is not None:
                if many:
                    libraries.set_device_of(grad)
                if outputs == 1:
                    shape, dtype = target._shape, target._dtype
                elif outputs:
                    shape, dtype = target.metadata_of(nr := number_of(edge))
                elif target._rare is None:
                    array = target._a
                    shape, dtype = array.shape, array.dtype
                else:
                    shape, dtype = expected_by_leaf(target, node)
                array = grad._a if grad.__class__ is Tensor else grad
                if array.shape != shape or array.dtype is not dtype:
                    grad = fit(grad, shape, dtype, node, index)
            if unneeded:  # its shape is looked at, as PyTorch does
                continue
            if waiting is not None:
                waiting.append((target, nr, grad))
            elif target in self.not_ready:
                # This gradient is added to another one. The rest waits with it: the order decides which of two leaves is first.
                waiting = [(target, nr, grad)]
            elif outputs == 1 and dependencies[target] == 1:
                # (`deliver` would do. Most nodes get one gradient only; not to call it for them saves 4 % of a backward pass.)
                heappush(self.ready, (-target._seq, target, grad))
            else:
                self.deliver(target, nr, grad)
        if not self.keep_graph and node.release() and self.watch is not None:
            self.watch.released(node)
        for target, nr, grad in waiting or ():
            if many:
                libraries.set_device_of(grad)
            self.deliver(target, nr, grad, grads)

    def deliver(self, target: Any, nr: int, grad: Gradient, sent: Sequence[Gradient] = ()) -> None:
        """Add a gradient for output `nr` to the gradients that wait at a target. After the last gradient the target is ready. `sent`: everything that the
        sender has sent."""
        remaining = self.dependencies[target] = self.dependencies[target] - 1
        outputs = target._outputs
        buffer = self.not_ready.get(target)
        if buffer is not None:
            buffer.add(nr, grad, not self.on_tensors, sent)
        elif remaining or outputs > 1:
            buffer = self.not_ready[target] = InputBuffer(outputs, nr, grad)
        if remaining:
            return
        if buffer is not None:
            del self.not_ready[target]
            grad = buffer.grads if outputs > 1 else buffer.grads[0]
        if outputs:
            heappush(self.ready, (-target._seq, target, grad))
        else:
            heappush(self.ready, (FIRST, ReadyLeaf(target, grad), None))

    def members(self) -> set[Target]:
        """The nodes and leaves that have a part in this pass."""
        roots = {target_of(edge) for edge, _ in self.roots}
        found = set(self.dependencies)
        if self.needed is not None:  # where a gradient is asked for, there may lead no way
            found = self.needed & (found | roots)
        return found - roots if len(roots) == len(self.roots) == 1 else found  # PyTorch forgets a lone root


class InputBuffer:
    """What has arrived at a target that waits for more: the sum of the gradients for each output of the forward operation."""

    __slots__ = ("grads",)

    def __init__(self, outputs: int, nr: int, grad: Gradient) -> None:
        self.grads: list[Gradient] = [grad] if outputs <= 1 else [None] * outputs
        self.grads[nr] = grad

    def add(self, nr: int, grad: Gradient, in_place: bool, sent: Sequence[Gradient]) -> None:
        """Add a gradient to the sum for output `nr`: in place, as PyTorch does, if nothing else holds the sum. `sent`: where the sender of this
        gradient may still hold one that it sent here before."""
        if grad is None:
            return
        grads = self.grads
        if grads[nr] is None:
            grads[nr] = grad
        elif in_place and self.is_own(nr, sent) and grads[nr].dtype is grad.dtype:
            total = grads[nr]
            if isinstance(total, np.generic):  # a number of NumPy's can't be written to
                total = grads[nr] = np.asarray(total + grad)
            else:
                total += grad
                grads[nr] = total  # (another one, if a sparse gradient is among them)
            count(total)
        else:
            grads[nr] = grads[nr] + grad

    def is_own(self, nr: int, sent: Sequence[Gradient]) -> bool:
        """Whether nothing but this buffer, and one place in `sent`, holds the sum. See Note [Whose array] in `jgrad/engine/accumulate.py`."""
        holders = sys.getrefcount(self.grads[nr])
        total = self.grads[nr]
        if holders - sum([g is total for g in sent]) > ONE_HOLDER:
            return False
        if total.__class__ is np.ndarray and not total.flags.writeable:
            return False
        return isinstance(total, np.generic) or (total.base is None and dense(total))


def target_of(edge: AnyEdge) -> Target:
    """What an edge leads to: a node, or the leaf tensor that stands for its AccumulateGrad."""
    if isinstance(edge, Edge):
        return edge.node
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


def number_of(edge: AnyEdge) -> int:
    """The output of its target that an edge leads to."""
    return edge.nr if isinstance(edge, Edge) else 0


def fitted(node: Node, grads: Sequence[Gradient]) -> list[Gradient]:
    """What a node returned, each gradient in the shape and dtype of its target, as hooks on the node see it."""
    found = list(grads)
    for index, edge in enumerate(node._next):
        if edge is None or found[index] is None:
            continue
        target = target_of(edge)
        if isinstance(target, Tensor):
            shape, dtype = expected_by_leaf(target, node)
        else:
            shape, dtype = target.metadata_of(number_of(edge))
        found[index] = fit(found[index], shape, dtype, node, index)
    return found


def count_dependencies(roots: Iterable[Root]) -> dict[Target, int]:
    """Every node and leaf that can be reached, with the number of gradients that will come to it."""
    dependencies: dict[Target, int] = {}
    stack = []
    for edge, _ in roots:
        target = target_of(edge)
        if target in dependencies:
            dependencies[target] += 1
        else:
            dependencies[target] = 1
            if target._outputs:
                stack.append(target)
    while stack:
        for edge in stack.pop()._next:
            if edge is None:
                continue
            kind = edge.__class__  # (`target_of`, written out)
            target = edge.node if kind is Edge else edge.variable if kind is AccumulateGrad else edge
            if target in dependencies:
                dependencies[target] += 1
            else:
                dependencies[target] = 1
                if target._outputs:
                    stack.append(target)
    return dependencies


def paths_to(captures: Iterable[AnyEdge], reachable: Iterable[Target]) -> tuple[set[Target], set[Node]]:
    """The nodes and leaves from which a captured one can be reached, these included; and the nodes that have one of them behind them."""
    comes_from: dict[Target, list[Node]] = {}
    for node in reachable:
        if isinstance(node, Node):
            for edge in node._next:
                if edge is not None:
                    comes_from.setdefault(target_of(edge), []).append(node)
    stack = [target_of(edge) for edge in captures]
    needed: set[Target] = set(stack)
    leading: set[Node] = set()
    while stack:
        for node in comes_from.get(stack.pop(), ()):
            leading.add(node)
            if node not in needed:
                needed.add(node)
                stack.append(node)
    return needed, leading


# The pass that a thread runs --------------------------------------------------------------------------------------------------


class _Current(threading.local):
    task: GraphTask | None = None


current = _Current()
following = False  # whether `current` was ever needed: to keep it up to date takes time


class following_task:
    """A block in which `current.task` is this pass."""

    def __init__(self, task: GraphTask) -> None:
        self.task = task

    def __enter__(self) -> None:
        self.outer = current.task
        if self.outer is not None:
            self.task.whole = self.task.whole and self.outer.whole
        current.task = self.task

    def __exit__(self, *_: object) -> None:
        current.task = self.outer


# What a user calls who calls a node: `node(*grads)`.
def _call_node(node: Node, *grads: Tensor | None) -> Tensor | tuple[Tensor | None, ...] | None:
    """The gradients that this node makes of gradients for its outputs."""
    several = node._outputs > 1
    if len(grads) != node._outputs:
        raise TypeError(f"expected {node._outputs} arguments, got {len(grads)} instead")
    for i, g in enumerate(grads):
        if not (g is None or hasattr(g, "_a")):
            raise TypeError(f"argument {i} is not a Variable")
    if all([g is None for g in grads]) and not node._takes_none:
        results = node.apply_undefined()
        return results[0] if len(results) == 1 else results
    with libraries.device_guard(grads):
        if grad_mode.mode.enabled:
            results = node.apply_public(list(grads) if several else grads[0], None)
        else:
            arrays = list(map(raw, grads))
            results = tuple(map(as_tensor, node.apply(arrays if several else arrays[0], None)))
    return results[0] if len(results) == 1 else results


Node.__call__ = _call_node  # type: ignore[method-assign]
