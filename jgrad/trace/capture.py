"""The recorder: watches the engine while a block of code runs and keeps what happened.

Handlers run inside the user's operations, so they copy little and format nothing: a step is a few integers and short lists of numbers.
Sentences, texts and source spans are made afterwards, in `jgrad/trace/document.py`.

Note [Identity]: tensors, nodes and storages are numbered when first seen. The maps from objects to numbers hold weak references, and a
finalizer takes an entry out before the object's address can belong to another; so nothing lives longer than the user lets it, and
nothing is mistaken for something else. (Version cells are one-element lists, which can't be weakly referenced; those few bytes are kept.)

Note [Names]: what the user calls a tensor is read from the namespaces of the traced code, for the names which that code mentions, whenever
execution has moved on to another line. Nothing is traced, no user code runs: lists are read item by item, objects by `vars()`.
"""

from __future__ import annotations

import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from jgrad.autograd.node import AccumulateGrad, Edge, Node
from jgrad.observer import Observer
from jgrad.storage import offset_of, owner
from jgrad.trace.contents import CHANGED, COMPARED, contents, fitted, measure
from jgrad.trace.indexes import index_map
from jgrad.trace.names import Names

MAX_STEPS = 2000
OLD_NODES = 500  # nodes made before the block that are described


class Ref(weakref.ref):
    """A weak reference that knows its object's number."""

    __slots__ = ("key", "number")


class Numbers:
    """Numbers for objects, by identity; see Note [Identity]."""

    def __init__(self, died: Callable[[int], None] | None = None) -> None:
        self.refs: dict[int, Ref] = {}
        self.died = died

    def get(self, thing: Any) -> int | None:
        """The number of a thing, or None if it has none."""
        ref = self.refs.get(id(thing))
        return None if ref is None else ref.number

    def add(self, thing: Any, number: int) -> Ref:
        """Give a thing its number."""
        ref = self.refs[id(thing)] = Ref(thing, self._gone)
        ref.key, ref.number = id(thing), number
        return ref

    def close(self) -> None:
        """Forget everything; deaths are no longer reported."""
        self.died, self.refs = None, {}

    def _gone(self, ref: Ref) -> None:
        self.refs.pop(ref.key, None)
        if self.died is not None:
            self.died(ref.number)


class StorageRecord:
    """A storage; `seen` is the number of steps there were when it was met, here as below."""

    __slots__ = ("id", "dtype", "numel", "device", "born", "seen", "freed", "contents", "sharers")


class TensorRecord:
    """A tensor as it was at birth; `now` is its state as last seen."""

    __slots__ = (
        "id", "ref", "storage", "shape", "strides", "itemsize", "offset", "dtype", "counter", "version", "base", "born", "seen", "died",
        "names", "is_leaf", "requires_grad", "retains_grad", "node", "output_nr", "how", "now",
    )  # fmt: skip


class NodeRecord:
    """A backward node."""

    __slots__ = ("id", "name", "formulas", "next", "saved", "born", "seen", "freed", "variable", "where")


class Step:
    """One thing that happened. `where` is (code, offset of the instruction, line) or None; `values` what is particular to a kind."""

    __slots__ = ("kind", "op", "where", "reads", "makes", "writes", "changes", "node", "backward", "values", "frees", "index")

    def __init__(self, kind: str, op: str, where: tuple | None) -> None:
        self.kind = kind
        self.op = op
        self.where = where
        self.reads: list[int] = []
        self.makes: list[int] = []
        self.writes: list[dict] = []
        self.changes: dict[int, dict] = {}
        self.node: int | None = None
        self.backward: int | None = None
        self.values: dict[str, Any] = {}
        self.frees: list[int] = []
        self.index: dict | None = None


class Scope:
    """Which code is traced: its file, lines and module, where its variables live and which of them matter."""

    def __init__(
        self, filename: str, namespace: Mapping[str, Any], names: Iterable[str], lines: tuple[int, int] = (1, sys.maxsize)
    ) -> None:
        self.filename = filename
        self.namespace = namespace
        self.names = tuple(dict.fromkeys(n for n in names if not n.startswith("__")))
        self.first, self.last = lines
        self.module = namespace.get("__name__", "__main__")


def mentioned(code: types.CodeType) -> Iterator[str]:
    """The names of global variables that code, and the functions defined in it, mention."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from mentioned(constant)


class Recorder(Observer):
    """Records what the engine does; `steps` and the lists of records hold the result. Its own failures end up in `failures`, never in
    the traced code."""

    def __init__(self, scope: Scope, max_steps: int = MAX_STEPS) -> None:
        self.scope = scope
        self.max_steps = max_steps
        self.steps: list[Step] = []
        self.seen = 0
        self.storages: list[StorageRecord] = []
        self.tensors: list[TensorRecord] = []
        self.nodes: list[NodeRecord] = []
        self.failures: list[Exception] = []
        self.grads: dict[int, int] = {}  # tensor that is a .grad now -> whose
        self.grad_links: list[tuple[int, int, int | None]] = []  # (step, tensor, whose .grad it became, or None: it no longer is)
        self.backwards = 0
        self.known_tensors = Numbers(self._tensor_gone)
        self._owners = Numbers(self._storage_gone)
        self._nodes = Numbers()
        self._accumulators: dict[int, int] = {}  # leaf -> its AccumulateGrad
        self._counters: dict[int, tuple[Any, int]] = {}
        self._running: list[tuple[int, tuple | None]] = []  # (number, place) of the backward calls in progress
        self._begun: list[tuple[int, list]] = []  # nodes in progress, with the gradients that arrived
        self._parts: dict[tuple[int, int], list] = {}  # (node, output) -> what arrived there: (node, edge, value)
        self._before: tuple[int, Any] = (0, None)
        self._first_node = sys.maxsize
        self._names = Names(self)
        self._place: tuple = (None, 0, 0)
        self._thread = threading.get_ident()

    # Life -------------------------------------------------------------------------------------------------------------------------

    def start(self, frame: Any = None) -> None:
        """Get to know the tensors that the code's names mean already. `frame`: the function that the traced block is part of."""
        self._guard(self._look, frame)

    def stop(self, frame: Any = None) -> None:
        """Look for names a last time and let go of everything."""
        self._guard(self._look, frame)
        for numbers in (self._owners, self.known_tensors, self._nodes):
            numbers.close()
        self._counters.clear()
        self._before = (0, None)
        self._place = (None, 0, 0)
        self.scope.namespace = {}

    def failed(self, error: BaseException) -> None:
        """The traced code raised this."""
        self._guard(self._failed, error)

    def _failed(self, error: BaseException) -> None:
        where = None
        tb = error.__traceback__
        while tb is not None:
            if self._is_traced(tb.tb_frame.f_code, tb.tb_lineno):
                where = (tb.tb_frame.f_code, tb.tb_lasti, tb.tb_lineno)
            tb = tb.tb_next
        self._look(None)
        step = Step("error", "", where)
        step.values["error"] = {"type": type(error).__name__, "message": str(error)}
        if self._begun:
            step.node = self._begun[-1][0]
            step.backward = self.backwards - 1
        if len(self.steps) >= self.max_steps:
            self.steps.pop()  # the error is what the reader looks for
        self.steps.append(step)
        self.seen += 1

    def _guard(self, function: Callable, *args: Any) -> None:
        try:
            function(*args)
        except Exception as error:
            self.failures.append(error)

    def _awake(self) -> bool:
        """Whether the next step is to be kept; counts it."""
        if threading.get_ident() != self._thread:
            return False
        self.seen += 1
        return len(self.steps) < self.max_steps

    # Operations -------------------------------------------------------------------------------------------------------------------

    def op(self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]) -> None:
        if self._awake():
            try:
                self._op(name, kind, inputs, outputs, node, arguments)
            except Exception as error:
                self.failures.append(error)

    def writing(self, tensor: Any) -> None:
        try:
            root = owner(tensor._a)
            self._before = (id(tensor), root.ravel("K").copy() if root.size <= COMPARED else None)
        except Exception as error:
            self.failures.append(error)

    def _op(self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]) -> None:
        step = Step(kind, name, self._running[-1][1] if self._begun else self._locate())
        index = len(self.steps)
        if self._running:
            step.backward = self._running[-1][0]
        reads = step.reads
        for t in inputs:
            number = self.known_tensors.get(t)
            if number is None:
                number = self._meet(t, -1, "create")
            elif kind != "write" or t is not outputs[0]:
                self._recheck(number, t, index - 1)
            if number not in reads:
                reads.append(number)
        if kind == "write":
            # What a write to a view leaves in the graph is the CopySlices of its base.
            base = outputs[0]._base
            node = node if base is None or node is None else base._fn
        fresh = None
        if node is not None:
            self._first_node = min(self._first_node, node._sequence_nr())
            fresh = self._nodes.get(node) is None
            step.node = self._node(node, index)
        for t in outputs:
            number = self.known_tensors.get(t)
            if number is None:
                how = kind if kind != "view" else name if name in ("detach", "data") else "view"
                step.makes.append(self._meet(t, index, how))
            elif kind != "write":
                self._recheck(number, t, index, step)
        if fresh:
            self._saved(self.nodes[step.node], node, step)
        self.steps.append(step)
        if kind == "write":
            self._wrote(step, index, outputs[0])
        if arguments:
            before = self._before[1] if kind == "write" and self._before[0] == id(outputs[0]) else None
            step.index = index_map(name, inputs, outputs, arguments, before, self.known_tensors.get)
        if kind == "write":
            self._before = (0, None)

    def _wrote(self, step: Step, index: int, target: Any) -> None:
        number = self.known_tensor(target, None)
        before = self._before[1] if self._before[0] == id(target) else None
        self._note_write(step, number, target, before)
        for other in list(self.storages[self.tensors[number].now[4]].sharers):
            t = self.tensors[other].ref()
            if t is not None:
                self._recheck(other, t, index, step)
        whose = self.grads.get(number)
        if whose is not None:
            step.kind = "grad"
            if before is not None and before.size == target._a.size:
                before = measure(before.reshape(target._a.shape))
            else:
                before = None
            after = measure(target._a)
            action = "zero" if step.op == "zero_" else "set"
            step.values["grad"] = {"tensor": whose, "action": action, "before": before, "add": None, "after": after, "parts": []}

    def _note_write(self, step: Step, number: int, target: Any, before: Any) -> None:
        record = self.tensors[number]
        root = owner(target._a)
        changed = None
        if before is not None:
            after = root.ravel("K")
            if before.shape == after.shape and before.dtype == after.dtype:
                differs = before != after
                if after.dtype.kind in "fc":
                    differs &= (before == before) | (after == after)  # from nan to nan is no change
                places = np.flatnonzero(differs)
                changed = places.tolist() if places.size <= CHANGED else None
        version = target._version
        step.writes.append(
            {"tensor": number, "storage": record.now[4], "counter": record.counter, "versions": [version - 1, version],
             "elements": int(target._a.size), "changed": changed, "cells": (contents(root), root.dtype)}
        )  # fmt: skip

    # Backward ---------------------------------------------------------------------------------------------------------------------

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        where = None
        if threading.get_ident() == self._thread:
            try:
                where = self._locate()
            except Exception as error:
                self.failures.append(error)
        self._running.append((self.backwards, where))
        self.backwards += 1
        if self._awake():
            self._guard(self._backward, where, roots, gradients, inputs)

    def _backward(self, where: tuple | None, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        index = len(self.steps)
        step = Step("backward", "backward" if inputs is None else "grad", where)
        step.backward = self._running[-1][0]
        for t in roots:
            number = self.known_tensor(t, -1)
            self._recheck(number, t, index - 1)
            step.reads.append(number)
        step.values = {"roots": list(step.reads), "grads_in": [measure(g) for g in gradients]}
        self.steps.append(step)

    def backward_done(self, error: BaseException | None) -> None:
        if self._running:
            self._running.pop()
        if error is None and not self._running:
            self._parts.clear()
            self._begun.clear()

    def node_begins(self, node: Any, gradients: tuple) -> None:
        if threading.get_ident() == self._thread and len(self.steps) < self.max_steps:
            try:
                number = self._node(node, len(self.steps))
                for nr in range(len(gradients)):
                    self._parts.pop((number, nr), None)
                self._begun.append((number, [measure(g) for g in gradients]))
            except Exception as error:
                self.failures.append(error)

    def node_done(self, node: Any, gradients: tuple) -> None:
        if self._awake():
            try:
                self._node_done(node, gradients)
            except Exception as error:
                self.failures.append(error)

    def _node_done(self, node: Any, gradients: tuple) -> None:
        number = self._nodes.get(node)
        if number is None or not self._begun or self._begun[-1][0] != number:
            return
        _, arrived = self._begun.pop()
        record = self.nodes[number]
        call, where = self._running[-1] if self._running else (None, None)
        step = Step("node", record.name, where)
        step.node, step.backward = number, call
        sent: list[Any] = []
        parts = self._parts
        for i, (edge, (target, nr), g) in enumerate(zip(node.next, record.next, gradients, strict=False)):
            value = measure(fitted(g, edge)) if target is not None and g is not None else None
            sent.append(value)
            if value is not None:
                parts.setdefault((target, nr), []).append((number, i, value))
        step.values = {"grads_in": arrived, "grads_out": sent}
        self.steps.append(step)

    def accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._accumulated, tensor, before, added, after)

    def _accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        index = len(self.steps)
        call, where = self._running[-1] if self._running else (None, None)
        step = Step("accumulate", "backward", where)
        step.backward = call
        number = self.known_tensor(tensor, -1)
        if tensor._fn is None:
            step.node = self._accumulator(number)
            arrived = self._parts.pop((step.node, 0), ())
        else:
            # The node of a tensor that retains its grad begins after this, and needs what arrived too.
            step.node = self._node(tensor._fn, index)
            arrived = self._parts.get((step.node, tensor._nr), ())
        step.values["grad"] = {
            "tensor": number, "action": "add", "before": measure(before), "add": measure(added), "after": measure(after),
            "parts": [{"node": n, "edge": e, "value": v} for n, e, v in arrived],
        }  # fmt: skip
        grad = tensor._grad
        known = self.known_tensors.get(grad)
        if known is None:
            known = self._meet(grad, index, "create")
            step.makes.append(known)
        elif before is not None:
            whole = before.size == owner(grad._a).size <= COMPARED
            self._note_write(step, known, grad, np.ravel(before, "K") if whole else None)
        self._link_grad(index, number, known)
        self.steps.append(step)

    def grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._grad_assigned, tensor, before, after)

    def _grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        index = len(self.steps)
        step = Step("grad", "grad", self._locate())
        number = self.known_tensor(tensor, -1)
        step.values["grad"] = {
            "tensor": number, "action": "none" if after is None else "set", "before": measure(before), "add": None,
            "after": measure(after), "parts": [],
        }  # fmt: skip
        if after is not None:
            step.reads.append(self.known_tensor(tensor._grad, index - 1))
        self._link_grad(index, number, step.reads[0] if step.reads else None)
        self.steps.append(step)

    def _link_grad(self, index: int, whose: int, grad: int | None) -> None:
        for other, leaf in list(self.grads.items()):
            if leaf == whose and other != grad:
                del self.grads[other]
                self.grad_links.append((index, other, None))
        if grad is not None and self.grads.get(grad) != whose:
            self.grads[grad] = whose
            self.grad_links.append((index, grad, whose))

    def released(self, node: Any) -> None:
        number = self._nodes.get(node)
        if number is None or not self.steps or threading.get_ident() != self._thread:
            return
        record, step = self.nodes[number], self.steps[-1]
        if record.freed is None and step.node == number:
            record.freed = len(self.steps) - 1
            step.frees.append(number)

    # Places and names -------------------------------------------------------------------------------------------------------------

    def _is_traced(self, code: types.CodeType, line: int) -> bool:
        scope = self.scope
        return code.co_filename == scope.filename and scope.first <= line <= scope.last

    def _locate(self) -> tuple | None:
        """Where in the traced code we are. If another statement may have begun since, names may mean something new."""
        scope = self.scope
        filename = scope.filename
        frame: Any = sys._getframe(3)
        while frame is not None:
            code = frame.f_code
            if code.co_filename == filename and scope.first <= (line := frame.f_lineno) <= scope.last:
                place = code, frame.f_lasti, line
                before = self._place
                if before[2] != line or before[0] is not code or before[1] >= place[1]:
                    self._look(frame)
                self._place = place
                return place
            frame = frame.f_back
        return None

    def _look(self, frame: Any) -> None:
        names = self._names
        names.look(self.scope.namespace, self.scope.names)
        if frame is not None and frame.f_code.co_flags & 1:  # CO_OPTIMIZED: a function, whose variables are its own
            names.look_local(frame)
        else:
            names.leave_functions()

    # Things -----------------------------------------------------------------------------------------------------------------------

    def known_tensor(self, tensor: Any, born: int | None) -> int:
        """The number of a tensor; one that nobody reported was there before the block, or came with the last step (`born` None)."""
        number = self.known_tensors.get(tensor)
        if number is None:
            born = len(self.steps) - 1 if born is None else born
            number = self._meet(tensor, born, "op" if tensor._fn is not None else "create")
        return number

    def _meet(self, tensor: Any, born: int, how: str) -> int:
        """Number a tensor that was not seen before."""
        record = TensorRecord()
        record.id = number = len(self.tensors)
        self.tensors.append(record)
        record.ref = self.known_tensors.add(tensor, number)
        array = tensor._a
        record.storage = self._storage(owner(array), born, number)
        record.shape, record.strides, record.itemsize, record.dtype = array.shape, array.strides, array.itemsize, array.dtype
        record.offset = 0 if array.base is None else offset_of(array)
        record.counter = self._counter(tensor._counter)
        record.version = tensor._version
        base = tensor._base
        record.base = None if base is None else self.known_tensor(base, -1)
        record.born, record.seen, record.died = born, len(self.steps), None
        record.names = []
        record.how = how
        record.output_nr = tensor._nr
        state = self._state(tensor, born)
        record.requires_grad, record.is_leaf, record.node, record.retains_grad = state
        record.now = (*state, record.storage, record.shape, record.strides)
        if tensor._grad is not None:
            self._link_grad(born, number, self.known_tensor(tensor._grad, born))
        return number

    def _state(self, tensor: Any, born: int) -> tuple:
        # is_leaf and grad_fn would give a stale view its new node before the user asks for it; so read what is there.
        fn = tensor._fn
        needs = tensor.requires_grad
        if fn is not None:
            return needs, False, self._node(fn, born), tensor.retains_grad
        base = tensor._base
        return needs, base is None or not base.requires_grad, None, tensor.retains_grad

    def _recheck(self, number: int, tensor: Any, index: int, step: Step | None = None) -> None:
        """Note what changed about a tensor: by `step`, the one at `index`; or unseen, after it."""
        record = self.tensors[number]
        array = tensor._a
        storage = self._owners.get(owner(array))
        if storage is None:
            storage = self._storage(owner(array), max(index, -1), number)
        now = (*self._state(tensor, index), storage, array.shape, array.strides)
        if now == record.now:
            return
        change: dict[str, Any] = {}
        for key, old, new in zip(("requires_grad", "is_leaf", "node", "retains_grad"), record.now, now, strict=False):
            if old != new:
                change[key] = new
        if now[4:] != record.now[4:]:
            self.storages[record.now[4]].sharers.discard(number)
            self.storages[storage].sharers.add(number)
            item = array.itemsize
            change |= {
                "storage": storage, "shape": list(array.shape), "stride": [s // item for s in array.strides], "offset": offset_of(array),
            }  # fmt: skip
        record.now = now
        if step is None and index > record.born:
            step = self.steps[index]
        if step is not None:
            step.changes.setdefault(number, {}).update(change)
        else:  # before anything else happened: so it was born
            for key in change.keys() & {"requires_grad", "is_leaf", "node", "retains_grad"}:
                setattr(record, key, change[key])

    def _storage(self, root: Any, born: int, sharer: int) -> int:
        number = self._owners.get(root)
        if number is None:
            record = StorageRecord()
            record.id = number = len(self.storages)
            self.storages.append(record)
            self._owners.add(root, number)
            record.dtype, record.numel, record.device = root.dtype, root.size, "cpu"
            record.born, record.seen, record.freed = born, len(self.steps), None
            record.contents = contents(root)
            record.sharers = set()
        self.storages[number].sharers.add(sharer)
        return number

    def _counter(self, cell: Any) -> int:
        entry = self._counters.get(id(cell))
        if entry is None:
            entry = self._counters[id(cell)] = (cell, len(self._counters))
        return entry[1]

    def _node(self, node: Any, index: int) -> int:
        """The number of a node; one not seen before is described, and so is what it leads to, down to nodes that are known."""
        number = self._nodes.get(node)
        if number is not None:
            return number
        fresh = []
        stack = [node]
        while stack and len(fresh) < OLD_NODES:
            n = stack.pop()
            if self._nodes.get(n) is None:
                record = self._new_node(n.name(), index if n._sequence_nr() >= self._first_node else -1)
                self._nodes.add(n, record.id)
                fresh.append((n, record))
                stack += [e for e in map(_target, n.next) if isinstance(e, Node)]
        for n, record in fresh:
            record.formulas = formulas_of(n)
            for edge in n.next:
                target = _target(edge)
                if isinstance(target, Node):
                    number = self._nodes.get(target)
                else:
                    number = None if target is None else self._accumulator(self.known_tensor(target, -1))
                record.next.append([number, edge.nr if edge.__class__ is Edge else 0])
            if n is not node or record.born == -1:
                self._saved(record, n, None)
        return fresh[0][1].id

    def _saved(self, record: NodeRecord, node: Any, step: Step | None) -> None:
        if step is not None:
            record.where = step.where
        for name, tensor, version in node._saved():
            number = self.known_tensors.get(tensor)
            if number is None:
                if name == "result":  # handed out as a tensor of its own: it is what the operation made
                    number = (step.makes or [w["tensor"] for w in step.writes] or [None])[0] if step is not None else None
                else:
                    number = self._meet(tensor, record.born, "copy")
            record.saved.append({"name": name, "tensor": number, "version": version})

    def _accumulator(self, leaf: int) -> int:
        number = self._accumulators.get(leaf)
        if number is None:
            record = self._new_node("torch::autograd::AccumulateGrad", self.tensors[leaf].born)
            record.variable = leaf
            number = self._accumulators[leaf] = record.id
        return number

    def _new_node(self, name: str, born: int) -> NodeRecord:
        record = NodeRecord()
        record.id, record.name, record.formulas, record.next, record.saved = len(self.nodes), name, {}, [], []
        record.born, record.seen, record.freed, record.variable, record.where = born, len(self.steps), None, None, None
        self.nodes.append(record)
        return record

    def _tensor_gone(self, number: int) -> None:
        record = self.tensors[number]
        record.died = len(self.steps)
        self.grads.pop(number, None)
        self.storages[record.now[4]].sharers.discard(number)

    def _storage_gone(self, number: int) -> None:
        self.storages[number].freed = len(self.steps)


def _target(edge: Any) -> Any:
    """What an edge leads to: a node, or the leaf in whose place there may be an AccumulateGrad; None."""
    if edge.__class__ is Edge:
        edge = edge.node
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


_formulas: dict[tuple, dict[str, str]] = {}


def formulas_of(node: Any) -> dict[str, str]:
    """The derivatives of a node as written in the declaration; read once for each kind of node."""
    kind = (type(node), type(getattr(node, "fn", None)))
    found = _formulas.get(kind)
    if found is None:
        found = _formulas[kind] = node._formulas()
    return found
