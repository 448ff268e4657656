"""The backward pass.

Every node carries the sequence number it was made with, and edges lead from higher numbers to lower ones. So the order "highest number
first, and a leaf as soon as its last gradient is in" is both a topological order and PyTorch's. A heap holds the nodes whose gradients
are complete; nothing recurses, so depth is no limit.

Gradients are raw arrays. Where somebody looks at how they are computed, which is `create_graph=True` and inside transforms, they are
tensors: the formulas run on the public operations, and these record themselves. A node with several outputs collects a list of gradients.
"""

from __future__ import annotations

import functools
import re
import sys
import threading
from heapq import heappop, heappush
from typing import Any

import numpy as np

from jgrad import observer, warn
from jgrad.dtypes import FROM_NUMPY
from jgrad.graph import anomaly_mode, grad_mode
from jgrad.graph.node import AccumulateGrad, Edge, Extras, Node, display_name
from jgrad.graph.view import assert_no_internal_overlap, bump, dense
from jgrad.kernels import libraries
from jgrad.kernels.numpy.shape import broadcast_error, full_type_name
from jgrad.tensor import UNSET, Tensor, _plain


def run(
    roots: list[tuple[Any, Any]],
    keep_graph: bool,
    tensors: bool,
    captures: list[Any] | None,
    accumulate: bool,
) -> list[Any]:
    """Send the gradients of `roots` (pairs of edge and gradient) through the graph.

    `captures` is None, or the edges of the tensors whose gradients are asked for: then only the paths to them are walked, and what
    arrived at each is returned (None where nothing did). `accumulate` says whether leaves add what arrives to their `.grad`.
    """
    __tracebackhide__ = True
    pending = discover(roots)
    needed: set | None = None
    leading: set = set()
    caught: dict[tuple[Any, int], Any] = {}
    captured: set = set()
    if captures is not None:
        needed, leading = on_the_way(pending, captures)
        if not accumulate:
            caught = {(target_of(e), number_of(e)): None for e in captures}
            captured = {target for target, _ in caught}

    # What is complete, as (minus its sequence number, node) or (FIRST, ReadyLeaf): see Note [Order].
    heap: list[tuple[Any, Any]] = []
    many = libraries.many  # see Note [Several devices] in `jgrad/kernels/libraries.py`
    for edge, grad in roots:
        target = target_of(edge)
        if many:
            libraries.use(grad)
        state: Any = pending[target]
        collect(state, edge, grad)
        state[0] -= 1
        # (A lone root is looked at in any case: its hooks run even where none of what is asked for lies behind it.)
        if state[0] == 0 and (needed is None or len(roots) == 1 or target in needed):
            heappush(heap, (-target._seq, target) if target._outputs else (FIRST, ReadyLeaf(target)))

    watch = observer.current
    while heap:
        order, node = heappop(heap)
        if order is FIRST:
            leaf = node.leaf
            grad = pending.pop(leaf)[1]
            if many:
                libraries.use(leaf)
            runs = accumulate and (needed is None or leaf in needed)
            if leaf._rare is not None:
                grad = run_leaf_hooks(leaf, grad, tensors, runs)
            if leaf in captured:
                caught[leaf, 0] = grad
            if runs:
                if grad is not None:
                    with accumulating:
                        accumulate_grad(leaf, grad, tensors)
                if leaf._rare is not None:
                    run_hooks_after_leaf(leaf, grad, tensors)
            continue

        grad = pending.pop(node)[1]
        edges = node._next
        several = node._outputs > 1
        if several and grad is None:
            grad = [None] * node._outputs
        if many:
            for g in grad if several else (grad,):
                libraries.use(g)
        if needed is not None and node not in leading and not (accumulate and node in needed):
            # Nothing behind it is asked for: it does not run. What may be asked for is its gradient, after the tensor's hooks.
            if node._extras is not None:
                grad = run_tensor_hooks(node, list(grad) if several else [grad], tensors)
                grad = grad if several else grad[0]
            catch(caught, node, grad)
            continue
        if captured and node in captured:
            catch(caught, node, grad)
        if node._extras is not None:
            grad = run_pre_hooks(node, grad, tensors)
        arrived = grad
        defined = grad is not None if not several else any([g is not None for g in grad])
        if defined or node._takes_none:
            if several and node.materializes:
                grad = materialized(node, grad, tensors)
            if watch is not None:
                watch.node_begins(node, seen(grad, several) if tensors else grad if several else (grad,))
            try:
                if anomaly_mode.enabled:
                    grads: Any = anomaly_mode.run(node, grad, needed, tensors)
                else:
                    grads = node.apply_public(grad, needed) if tensors else node.apply(grad, needed)
            except ValueError as error:
                refuse_shapes(error)
                raise
        else:
            grads = node.apply_undefined()
        if node._extras is not None and node._extras.post_hooks:
            grads = run_post_hooks(node, grads, arrived, tensors)
        if watch is not None and defined:
            watch.node_done(node, seen(grads, True) if tensors else grads)
        if not keep_graph and node.release() and watch is not None:
            watch.released(node)
        i = -1
        for edge in edges:
            i += 1
            if edge is None:
                continue
            kind = edge.__class__
            target = edge.node if kind is Edge else edge.variable if kind is AccumulateGrad else edge
            if needed is not None and target not in needed:
                continue
            state = pending[target]
            g = grads[i]
            outputs = target._outputs
            if g is not None:
                if many:
                    libraries.use(g)
                # Either of these has the shape and dtype that the gradient must have.
                if outputs == 1:
                    shape, dtype = target._shape, target._dtype
                elif not outputs:
                    array = target._a
                    shape, dtype = array.shape, array.dtype
                    if target._rare is not None:
                        shape, dtype = expected_of(target, node)
                else:
                    shape, dtype = target.metadata_of(number_of(edge))
                    collect(state, edge, fit(g, shape, dtype, node, i))
                    g = None
                if g is not None:
                    array = g._a if g.__class__ is Tensor else g
                    if array.shape != shape or array.dtype is not dtype:
                        g = fit(g, shape, dtype, node, i)
                    if state[1] is None:
                        state[1] = g
                    elif state[2]:
                        state[1] += g
                    else:
                        state[1] = state[1] + g
                        state[2] = not tensors and dtype is not None  # a sum is ours alone
            state[0] = remaining = state[0] - 1
            if remaining == 0:
                heappush(heap, (-target._seq, target) if outputs else (FIRST, ReadyLeaf(target)))
        grad = grads = arrived = g = array = state = (
            None  # so that a leaf's gradient is held by `pending` alone
        )
    return [caught.get((target_of(e), number_of(e))) for e in captures or ()]


def catch(caught: dict[tuple[Any, int], Any], node: Node, grad: Any) -> None:
    """Keep what was asked for of the gradients that arrived at a node."""
    for nr in range(node._outputs):
        if (node, nr) in caught:
            caught[node, nr] = grad[nr] if node._outputs > 1 else grad


# Note [Order]: PyTorch's queue is a heap too, in which all leaves are equal and go before any node. Python's heapq sifts as C++'s does,
# so even the order of several leaves that wait together is PyTorch's, as long as all that PyTorch puts into its heap goes into ours.
FIRST = float("-inf")


class ReadyLeaf:
    """A leaf in the heap, neither less nor more than another."""

    __slots__ = ("leaf",)

    def __init__(self, leaf: Tensor) -> None:
        self.leaf = leaf

    def __lt__(self, other: ReadyLeaf) -> bool:
        return False


class Pass:
    """A backward pass under way, for those who must tell passes apart."""

    whole: bool  # a pass to all leaves, and within such passes only

    def __init__(
        self, roots: list[tuple[Any, Any]], captures: list[Any] | None, accumulates: bool, outer: Pass | None
    ) -> None:
        self.roots, self.captures = roots, captures
        self.whole = captures is None and (
            outer is None or outer.whole
        )  # a pass to all leaves, in none but such
        self.accumulates = accumulates

    @functools.cached_property
    def members(self) -> set:
        """The nodes and leaves that have a part in it."""
        found = discover(self.roots)
        if len(self.roots) == 1:
            del found[target_of(self.roots[0][0])]  # PyTorch forgets it
        return set(found) if self.captures is None else on_the_way(found, self.captures)[0]


class _Passes(threading.local):
    current: Pass | None = None  # the one that this thread runs, if anybody follows


passes = _Passes()
following = False  # whether anybody asked which pass runs; keeping it up takes time


def followed(
    roots: list[tuple[Any, Any]],
    keep_graph: bool,
    tensors: bool,
    captures: list[Any] | None,
    accumulate: bool,
) -> list[Any]:
    """`run`, while `passes.current` says which pass it is."""
    __tracebackhide__ = True
    outer = passes.current
    passes.current = Pass(roots, captures, accumulate, outer)
    try:
        return run(roots, keep_graph, tensors, captures, accumulate)
    finally:
        passes.current = outer


def target_of(edge: Any) -> Any:
    """What an edge leads to: a node, or the leaf tensor that stands for its AccumulateGrad."""
    if edge.__class__ is Edge:
        return edge.node
    return edge.variable if edge.__class__ is AccumulateGrad else edge


def number_of(edge: Any) -> int:
    return edge.nr if edge.__class__ is Edge else 0


def discover(roots: list[tuple[Any, Any]]) -> dict[Any, list]:
    """Every node and leaf that can be reached, with [edges still to come, gradient so far, whether that may be added to in place]."""
    pending: dict[Any, list] = {}
    stack = []
    for edge, _ in roots:
        target = target_of(edge)
        state = pending.get(target)
        if state is not None:
            state[0] += 1
        else:
            pending[target] = [1, None, False]
            if target._outputs:
                stack.append(target)
    while stack:
        for edge in stack.pop()._next:
            if edge is None:
                continue
            kind = edge.__class__
            target = edge.node if kind is Edge else edge.variable if kind is AccumulateGrad else edge
            state = pending.get(target)
            if state is not None:
                state[0] += 1
            else:
                pending[target] = [1, None, False]
                if target._outputs:
                    stack.append(target)
    return pending


def on_the_way(reachable: dict[Any, list], captures: list[Any]) -> tuple[set, set]:
    """The nodes and leaves from which one of the captured ones can be reached, these included; and the nodes that lead to one of them."""
    comes_from: dict[Any, list[Node]] = {}
    for node in reachable:
        if node._outputs:
            for edge in node._next:
                if edge is not None:
                    kind = edge.__class__
                    target = edge.node if kind is Edge else edge.variable if kind is AccumulateGrad else edge
                    comes_from.setdefault(target, []).append(node)
    stack = [target_of(e) for e in captures]
    needed, leading = set(stack), set()
    while stack:
        for node in comes_from.get(stack.pop(), ()):
            leading.add(node)
            if node not in needed:
                needed.add(node)
                stack.append(node)
    return needed, leading


def collect(state: list, edge: Any, grad: Any) -> None:
    """Add a gradient to what already waits at the end of an edge."""
    target = target_of(edge)
    if isinstance(target, Node) and target._outputs > 1:
        waiting = state[1]
        if waiting is None:
            waiting = state[1] = [None] * target._outputs
        nr = number_of(edge)
        waiting[nr] = grad if waiting[nr] is None else waiting[nr] + grad
    else:
        state[1] = grad if state[1] is None else state[1] + grad


def fit(grad: Any, shape: tuple, dtype: Any, node: Node, index: int) -> Any:
    """A gradient in the shape and dtype (None: any) of the tensor it is for: summed over what was broadcast, cast where dtypes were
    promoted."""
    array = grad._a if isinstance(grad, Tensor) else grad
    if array.shape != shape:
        if not expandable(shape, array.shape):
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {index} - got {list(array.shape)} but expected shape "
                f"compatible with {list(shape)}"
            )
        if isinstance(grad, Tensor):
            grad = grad.sum_to_size(shape)
        else:
            grad = libraries.of(grad).kernels.sum_to_size(grad, shape)
        array = grad._a if isinstance(grad, Tensor) else grad
    if dtype is not None and array.dtype != dtype:
        if array.dtype.kind == "c" and dtype.kind != "c":
            grad = grad.real
        grad = grad.to(FROM_NUMPY[dtype]) if isinstance(grad, Tensor) else grad.astype(dtype)
    return grad


def refuse_shapes(error: ValueError) -> None:
    """Say in PyTorch's words that shapes do not fit, if that is what NumPy says: what saved-tensor hooks unpack may be of any shape."""
    if str(error).startswith("operands could not be broadcast"):
        shapes = re.findall(r"\(([\d,]*)\)", str(error))
        arrays = [np.broadcast_to(0, tuple(map(int, filter(None, s.split(","))))) for s in shapes]
        raise RuntimeError(broadcast_error(arrays)) from None


def expandable(shape: tuple, larger: tuple) -> bool:
    """Whether broadcasting can turn `shape` into `larger`."""
    if len(shape) > len(larger):
        return False
    if larger[len(larger) - len(shape) :] == shape:
        return True
    return all([a == b or a == 1 for a, b in zip(reversed(shape), reversed(larger), strict=False)])


def materialized(node: Node, grads: list, tensors: bool) -> list:
    """The gradients with zeros for outputs that nobody used."""
    found, arrived = list(grads), list(map(raw, grads))
    for nr, grad in enumerate(grads):
        if grad is None:
            shape, dtype = node.metadata_of(nr)
            zeros = libraries.among(arrived).np.zeros(shape, dtype)
            found[nr] = _plain(zeros) if tensors else zeros
    return found


def seen(grads: Any, several: bool) -> list:
    """Gradients that are tensors as the observer gets them."""
    return [*map(raw, grads)] if several else [raw(grads)]


def raw(grad: Any) -> Any:
    """The array of a gradient, or None."""
    return grad._a if isinstance(grad, Tensor) else None if grad is None else libraries.as_array(grad)


def expected_of(leaf: Tensor, node: Node) -> tuple:
    """Shape and dtype of a gradient for a leaf: as the leaf was when `node` was made, or as its `grad_dtype` says."""
    rare = leaf._rare
    assert rare is not None
    shape, dtype = leaf._a.shape, leaf._a.dtype
    for number, *former in rare.former:
        if node._seq < number:
            shape, dtype = former
            break
    return shape, dtype if rare.grad_dtype is UNSET else rare.grad_dtype and rare.grad_dtype.numpy


# Leaves -----------------------------------------------------------------------------------------------------------------------


accumulating = (
    threading.RLock()
)  # held while a gradient is added to a leaf, which several threads may do at once


def accumulate_grad(leaf: Tensor, grad: Any, tensors: bool) -> None:
    """Add a gradient to `.grad` as PyTorch's AccumulateGrad does: taken as it is if nobody else holds it, copied if somebody does; later
    ones are added in place, or out of place if that is recorded."""
    if not leaf._rg:
        return
    if libraries.several and libraries.place(raw(grad)) != libraries.place(leaf._a):
        raise RuntimeError(
            f"expected device {libraries.place(leaf._a)} but got {libraries.place(raw(grad))}: a gradient must lie where its tensor lies"
        )
    if leaf._fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    present = leaf._grad
    watch = observer.current
    before = None if watch is None or present is None else watch.keep(present._a)
    if present is not None and not tensors:
        total = present._a
        if not total.flags.c_contiguous:
            assert_no_internal_overlap(total)
        try:
            total += grad
        except ValueError:
            raise RuntimeError(broadcast_error([total, grad])) from None
        bump(present)
    elif present is not None and not grad_mode.mode.enabled:
        present.add_(grad)
    elif present is not None:
        leaf._grad = present + grad
    elif tensors:
        # Recorded, so that the gradient of this gradient can be asked for.
        item = leaf._a.itemsize
        strides = tuple([s // item for s in leaf._a.strides]) if dense(leaf._a) else None
        leaf._grad = (
            grad.clone()
            if strides is None
            else _plain(
                libraries.of(leaf._a).kernels.empty_strided(leaf._a.shape, strides, grad._a.dtype)
            ).copy_(grad)
        )
    elif is_ours(grad, leaf._a):
        leaf._grad = _plain(grad if grad.base is None else alone(grad))
    else:
        leaf._grad = _plain(laid_out_as(grad, leaf._a))
        if dense(leaf._a):
            leaf._grad._vc = [1]  # PyTorch makes this copy by a write
    if present is not None and leaf._grad._a.strides != leaf._a.strides:  # type: ignore[union-attr]
        warn_of_layout(leaf)
    if watch is not None:
        watch.accumulated(leaf, before, raw(grad), leaf._grad._a)  # type: ignore[union-attr]


def warn_of_layout(leaf: Tensor) -> None:
    """Warn if the gradient of a leaf that fills its memory has other strides than the leaf, or that of another leaf is not contiguous."""
    grad = leaf._grad
    assert grad is not None
    if dense(leaf._a):
        pairs = zip(leaf._a.shape, leaf.stride(), grad.stride(), strict=True)
        obeys = all([n == 1 or a == b for n, a, b in pairs])
    else:
        obeys = grad._a.flags.c_contiguous
    if not obeys:
        shapes = [
            f"{name}.sizes() = {list(t.shape)}, strides() = {list(t.stride())}"
            for name, t in (("grad", grad), ("param", leaf))
        ]
        warn.once(
            "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance.\n"
            + "\n".join(shapes),
            key="gradient layout contract",
        )


def is_ours(grad: Any, variable: Any) -> bool:
    """Whether this array can become `.grad`: in the variable's layout, and nothing else refers to it."""
    if not libraries.is_array(grad) or grad.strides != variable.strides:
        return False
    return sys.getrefcount(grad) <= OWN_REFERENCES


def alone(view: Any) -> Any:
    """The same elements as an array that shares no memory: the base of the view, if that is all there is to it, else a copy. (PyTorch
    takes a view even if others share its memory, and so lets one `.grad` change with another.)"""
    base = view.base
    same = libraries.is_array(base) and base.flags.owndata and base.dtype is view.dtype
    same = same and base.shape == view.shape and base.strides == view.strides
    if same and sys.getrefcount(base) <= 3:  # known to the view, to us and to getrefcount
        return base
    return view.copy()


def _references_seen_by_is_ours() -> int:
    """`getrefcount` of an array that only the engine's loop holds, counted in the same nesting as there."""

    def is_ours_(grad: Any, variable: Any) -> int:
        if not libraries.is_array(grad) or grad.strides != variable.strides:
            return 0
        return sys.getrefcount(grad)

    def accumulate(leaf: Any, grad: Any) -> int:
        return is_ours_(grad, leaf)

    def run_(pending: dict) -> int:
        grad = pending.pop(0)[1]
        return accumulate(np.ones(1), grad)

    return run_({0: [0, np.ones(1)]})


OWN_REFERENCES = _references_seen_by_is_ours()


def laid_out_as(grad: Any, variable: Any) -> Any:
    """A copy of a gradient with the strides of the variable, if these are dense."""
    if variable.flags.c_contiguous or not dense(variable):
        copy = libraries.of(grad).np.array(grad, order="C")
        # (Along dimensions of extent 1 strides are arbitrary, and taken on too.)
        if copy.strides == variable.strides or not variable.flags.c_contiguous:
            return copy
    item = variable.itemsize
    strides = tuple([s // item for s in variable.strides])
    copy = libraries.of(variable).kernels.empty_strided(variable.shape, strides, grad.dtype)
    try:
        copy[...] = grad
    except ValueError:  # the leaf got another shape since
        raise RuntimeError(broadcast_error([copy, grad])) from None
    return copy


# Hooks ------------------------------------------------------------------------------------------------------------------------


def as_tensor(grad: Any) -> Any:
    """A gradient as users get it: None, or a tensor that they may write to (what a scalar's pass begins with is shared by all)."""
    if grad is None:
        return None
    array = raw(grad)
    if (
        array.flags.writeable
        if array.__class__ is np.ndarray
        else libraries.of(array).kernels.writeable(array)
    ):
        return grad if isinstance(grad, Tensor) else _plain(array)
    return _plain(array.copy())


def as_grad(result: Any, tensors: bool) -> Any:
    return result if tensors or result is None else result._a


class users_code:
    """A block for hooks and the backward of a Function: nothing is recorded where gradients are raw; else grad mode is that of the pass."""

    def __init__(self, tensors: bool) -> None:
        self.tensors = tensors

    def __enter__(self) -> None:
        self.before = grad_mode.mode.enabled
        if not self.tensors:
            grad_mode._set(False)

    def __exit__(self, *_: object) -> None:
        grad_mode._set(self.before)


def class_name(value: Any) -> str:
    """The name of a value's class as C code finds it: with its module where the class is written in C."""
    cls = type(value)
    written_in_c = not cls.__flags__ & 1 << 9  # Py_TPFLAGS_HEAPTYPE
    return (
        f"{cls.__module__}.{cls.__name__}" if written_in_c and cls.__module__ != "builtins" else cls.__name__
    )


def replaced(before: Any, result: Any, hook: Any) -> Any:
    """What a hook returned instead of a gradient, checked."""
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


def all_replaced(before: tuple, result: Any, hook: Any) -> tuple:
    """The same for a hook of a node, which returns a tuple."""
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{class_name(result)}'")
    if len(result) != len(before):
        name = getattr(hook, "__name__", hook)
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(result)}, but expected {len(before)})"
        )
    return tuple([replaced(b, r, hook) for b, r in zip(before, result, strict=True)])


def call_tensor_hooks(hooks: dict, grad: Any, tensors: bool) -> Any:
    """The hooks of one tensor in the order of registration; each may replace the gradient."""
    tensor = as_tensor(grad)
    with users_code(tensors):
        for hook in list(hooks.values()):
            result = hook(tensor)
            if result is not None:
                tensor = replaced(tensor, result, hook)
    return as_grad(tensor, tensors)


def run_leaf_hooks(leaf: Tensor, grad: Any, tensors: bool, accumulate: bool) -> Any:
    """The hooks of a leaf, then the pre-hooks of its AccumulateGrad, if that runs."""
    rare = leaf._rare
    assert rare is not None
    if rare.hooks:
        grad = call_tensor_hooks(rare.hooks, grad, tensors)
    accumulator = rare.accumulator() if accumulate and rare.accumulator is not None else None
    if accumulator is not None and accumulator._extras is not None:
        (grad,) = call_pre_hooks(accumulator._extras, [grad], tensors)
    return grad


def run_hooks_after_leaf(leaf: Tensor, grad: Any, tensors: bool) -> None:
    """What is called when a leaf's `.grad` is complete: its own hooks, then those of its AccumulateGrad."""
    rare = leaf._rare
    assert rare is not None
    if rare.after_accumulation and grad is not None:
        with users_code(tensors):
            for hook in list(rare.after_accumulation.values()):
                if replaced(leaf, hook(leaf), hook) is not None:
                    raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    accumulator = rare.accumulator() if rare.accumulator is not None else None
    if accumulator is not None and accumulator._extras is not None and accumulator._extras.post_hooks:
        run_post_hooks(accumulator, (), grad, tensors)


def run_tensor_hooks(node: Node, grads: list, tensors: bool) -> list:
    """Tensor hooks of each output, then those that fill `.grad` of tensors that retain it."""
    extras = node._extras
    assert extras is not None
    for nr, hooks in extras.tensor_hooks.items():
        grads[nr] = call_tensor_hooks(hooks, grads[nr], tensors)
    for nr, reference in extras.retains.items():
        tensor = reference()
        if tensor is not None and grads[nr] is not None:
            before = tensor._grad
            new = as_tensor(grads[nr])
            if before is None:
                tensor._grad = new.clone() if tensors else _plain(new._a.copy("K"))
            else:
                tensor._grad = before + new if tensors else _plain(libraries.as_array(before._a + new._a))
            if observer.current is not None:
                kept = None if before is None else observer.current.keep(before._a)
                observer.current.accumulated(tensor, kept, new._a, tensor._grad._a)
    return grads


def call_pre_hooks(extras: Extras, grads: list, tensors: bool) -> list:
    """A node's own hooks, which may replace the gradients that arrived."""
    if extras.pre_hooks:
        shown = tuple(map(as_tensor, grads))
        with users_code(tensors):
            for hook in list(extras.pre_hooks.values()):
                result = hook(shown)
                if result is not None:
                    shown = all_replaced(shown, result, hook)
        grads = [as_grad(t, tensors) for t in shown]
    return grads


def run_pre_hooks(node: Node, grad: Any, tensors: bool) -> Any:
    """Everything that is called before a node runs."""
    assert node._extras is not None
    several = node._outputs > 1
    grads = run_tensor_hooks(node, list(grad) if several else [grad], tensors)
    grads = call_pre_hooks(node._extras, grads, tensors)
    return grads if several else grads[0]


def run_post_hooks(node: Node, grads: tuple, arrived: Any, tensors: bool) -> tuple:
    """Hooks `hook(grad_inputs, grad_outputs)`; what they return goes on instead of the node's gradients."""
    assert node._extras is not None
    outputs = tuple(map(as_tensor, arrived if node._outputs > 1 else (arrived,)))
    shown = tuple(map(as_tensor, grads))
    with users_code(tensors):
        for hook in list(node._extras.post_hooks.values()):
            result = hook(shown, outputs)
            if result is not None:
                shown = all_replaced(shown, result, hook)
    return tuple([as_grad(t, tensors) for t in shown])


__all__ = ["accumulate_grad", "display_name", "run"]
