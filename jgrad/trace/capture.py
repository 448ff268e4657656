"""The recorder: watches the engine while a block of code runs and keeps what happened.

Handlers run inside the user's operations, so they copy little and format nothing: a step is a few integers and short lists of numbers.
Sentences, texts and source spans are made afterwards, in `jgrad/trace/document.py`.

Note [Identity]: tensors, nodes and storages are numbered when first seen. Their records are themselves weak references, found by address,
whose callback takes the entry out before that address can be another's; so nothing lives longer than the user lets it, and nothing is
mistaken for something else. (Version cells are one-element lists, which can't be weakly referenced; those few bytes are kept.) Records
are never compared: weak references compare what they refer to.

Note [Names]: what the user calls a tensor is read from the namespaces of the traced code, for the names which that code mentions, whenever
execution has moved on to another line. Nothing is traced, no user code runs: lists are read item by item, objects by `vars()`.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from jgrad import fast, observer
from jgrad.autograd.node import AccumulateGrad, Edge, Node
from jgrad.autograd.view import CopySlices
from jgrad.observer import Observer
from jgrad.storage import offset_of, owner
from jgrad.trace.contents import CHANGED, COMPARED, contents, fitted, measure
from jgrad.trace.indexes import FAMILY, IndexMap
from jgrad.trace.names import Names
from jgrad.trace.records import NodeRecord, Scope, Step, StorageRecord, TensorRecord

if TYPE_CHECKING:
    from jgrad.trace.live import Live

MAX_STEPS = 2000
COUNTED = 10  # times as many steps as are kept are counted
OLD_NODES = 500  # nodes made before the block that are described
MAPPED = 60_000  # cells that index maps hold together; what comes later has no map
COUNTED_MOVES = (
    1 << 21
)  # moves of large index operations that are counted altogether, and of each in any case:
MAP_COUNTED = 1 << 14


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
        self.grad_links: list[
            tuple[int, int, int | None]
        ] = []  # (step, tensor, whose .grad it became, or None: it no longer is)
        self.backwards = 0
        self.tensor_of: dict[int, TensorRecord] = {}  # by address, while they live: see Note [Identity]
        self._storage_of: dict[int, StorageRecord] = {}
        self._node_of: dict[int, NodeRecord] = {}
        self._accumulators: dict[int, int] = {}  # leaf -> its AccumulateGrad
        self._maps: dict[
            int, tuple[int, IndexMap]
        ] = {}  # node -> (step, map) of the operation that it differentiates
        self._mapped = 0  # cells in maps so far
        self._counting = COUNTED_MOVES  # how many moves of a map may still be counted
        self._arrived: Any = None  # the gradient that a node with a map got
        self._counters: dict[int, tuple[Any, int]] = {}
        self._running: list[
            tuple[int, tuple | None]
        ] = []  # (number, place) of the backward calls in progress
        self._begun: list[tuple[int, list]] = []  # nodes in progress, with the gradients that arrived
        self._parts: dict[
            tuple[int, int], list
        ] = {}  # (node, output) -> what arrived there: (node, edge, value)
        self._before: tuple[int, Any] = (0, None)
        self._first_node = sys.maxsize  # nodes with a lower number were there before the block
        self._old_nodes = 0
        self._names = Names(self)
        self._place: tuple = (None, 0, 0)
        self._thread = get_ident()
        self.live: Live | None = None  # who shows the trace while it is recorded
        self.running = True

    # Life -------------------------------------------------------------------------------------------------------------------------

    def start(self, frame: Any = None) -> None:
        """Get to know the tensors that the code's names mean already. `frame`: the function that the traced block is part of."""
        self._guard(self._look, frame)

    def stop(self, frame: Any = None) -> None:
        """Look for names a last time and let go of everything."""
        self._guard(self._look, frame)
        self._guard(self._find_hooks)
        self._guard(self._names.name_the_rest, self.scope.namespace)
        self.running = False
        for known in (self._storage_of, self.tensor_of, self._node_of, self._counters, self._maps):
            known.clear()
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
        step.values = {"error": {"type": type(error).__name__, "message": str(error)}}
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
        if get_ident() != self._thread:
            return False
        self.seen += 1
        return len(self.steps) < self.max_steps

    # Operations -------------------------------------------------------------------------------------------------------------------

    def op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]
    ) -> None:
        if get_ident() != self._thread:
            return
        self.seen += 1
        if len(self.steps) < self.max_steps:
            try:
                self._op(name, kind, inputs, outputs, node, arguments)
            except Exception as error:
                self.failures.append(error)
        elif (
            self.seen >= COUNTED * self.max_steps
            and observer.current is self
            and (self.live is None or not self.live.goes_on(self))
        ):
            # Counted long enough: the rest may run at full speed.
            observer.current = None
            fast.refresh()
            return
        if self.live is not None:
            self._guard(self.live.pulse, self)

    def writing(self, tensor: Any) -> None:
        try:
            root = owner(tensor._a)
            self._before = (id(tensor), root.ravel("K").copy() if root.size <= COMPARED else None)
        except Exception as error:
            self.failures.append(error)

    def _op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]
    ) -> None:
        if self._begun and not self._running:
            self._begun.clear()  # of a pass whose error the block caught
        step = Step(kind, name, self._running[-1][1] if self._begun else self._locate())
        index = len(self.steps)
        if self._running:
            step.backward = self._running[-1][0]
        tensor_of = self.tensor_of
        writes = kind == "write"
        reads: list[int] = []
        for t in inputs:
            record = tensor_of.get(id(t))
            if writes and getattr(t, "wrapped_number", False):
                continue
            if record is None:
                # Of a step that nobody reported, if its node is younger than others of the block: that of an operation cut short.
                unseen = t._fn is not None and t._fn._seq > self._first_node
                record = self._unpacked(t) or self._meet(t, index - 1 if unseen else -1, "create")
            elif not outputs or t is not outputs[0]:  # which this very step changes, if it is in-place
                self._recheck(record, t, index - 1)
            if record.id not in reads:
                reads.append(record.id)
        step.reads = reads
        described = fresh = None
        if node is not None:
            if writes and (base := outputs[0]._base) is not None:
                node = base._fn  # what a write to a view leaves in the graph is the CopySlices of its base
            self._first_node = min(self._first_node, node._seq)
            fresh = id(node) not in self._node_of
            step.node = self._node(node, index)
            described = self._node_of.get(id(node))
        makes: list[int] = []
        for t in outputs:
            record = tensor_of.get(id(t))
            if record is None:
                how = kind if kind != "view" else name if name in ("detach", "data") else "view"
                makes.append(self._meet(t, index, how).id)
            elif not writes:
                self._recheck(record, t, index, step)
        step.makes = makes
        if fresh and described is not None:
            described.where = step.where
            self._saved(described, node, [tensor_of[id(t)].id for t in outputs])
        self.steps.append(step)
        if writes:
            self._wrote(step, index, outputs[0])
            for change in step.changes.values():
                made = change.get("node")
                if made is not None and self.nodes[made].where is None and self.nodes[made].born == index:
                    self.nodes[made].where = step.where  # the new grad_fn of a view
        if arguments and name.rstrip("_") in FAMILY and self._mapped < MAPPED:
            before = self._before[1] if writes and self._before[0] == id(outputs[0]) else None
            made = IndexMap(name, inputs, outputs, arguments, before, self._number, self._counting)
            step.index = made.made
            self._counting = max(self._counting - made.moves.total, MAP_COUNTED)
            self._mapped += made.cells
            if step.node is not None:
                self._maps[step.node] = (index, made)
        if writes:
            self._before = (0, None)

    def _number(self, tensor: Any) -> int | None:
        record = self.tensor_of.get(id(tensor))
        return None if record is None else record.id

    def _wrote(self, step: Step, index: int, target: Any) -> None:
        record = self.known_tensor(target, None)
        before = self._before[1] if self._before[0] == id(target) else None
        self._recheck(record, target, index, step)  # `out=` may have got new memory
        self._note_write(step, record, target, before)
        for other in list(self.storages[record.now_storage].sharers):
            t = self.tensors[other]()
            if t is not None:
                self._recheck(self.tensors[other], t, index, step)
        whose = self.grads.get(record.id)
        if whose is not None:
            step.kind = "grad"
            if before is not None:
                before = measure(before.reshape(target._a.shape)) if before.size == target._a.size else None
            step.values = {"grad": {
                "tensor": whose, "action": "zero" if step.op == "zero_" else "set",
                "before": before, "add": None, "after": measure(target._a), "parts": [],
            }}  # fmt: skip

    def _note_write(self, step: Step, record: TensorRecord, target: Any, before: Any) -> None:
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
        version = target._writes
        record.counter = self._counter(target)  # copy.copy() makes a tensor that gets one of its own only now
        step.writes = [
            {"tensor": record.id, "storage": record.now_storage, "counter": record.counter, "versions": [version - 1, version],
             "elements": int(target._a.size), "changed": changed, "cells": (contents(root), root.dtype)}
        ]  # fmt: skip

    # Backward ---------------------------------------------------------------------------------------------------------------------

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        where = None
        if get_ident() == self._thread:
            try:
                where = self._locate()
            except Exception as error:
                self.failures.append(error)
        self._running.append((self.backwards, where))
        self.backwards += 1
        if self._awake():
            self._guard(self._backward, where, roots, gradients, inputs)

    def _backward(self, where: tuple | None, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        self._find_hooks()
        index = len(self.steps)
        step = Step("backward", "backward" if inputs is None else "grad", where)
        step.backward = self._running[-1][0]
        records = [self.known_tensor(t, -1) for t in roots]
        for record, t in zip(records, roots, strict=True):
            self._recheck(record, t, index - 1)
        step.reads = [record.id for record in records]
        step.values = {"roots": step.reads, "grads_in": [measure(g) for g in gradients]}
        self.steps.append(step)

    def _find_hooks(self) -> None:
        """Note the hooks that nodes and leaves have now."""
        for number in self._accumulators.values():
            leaf: Any = self.nodes[number]()
            rare = None if leaf is None else leaf._rare
            if rare is not None:
                accumulator = None if rare.accumulator is None else rare.accumulator()
                extras = None if accumulator is None else accumulator._extras
                self._note_hooks(number, [rare.hooks], extras, [rare.after_accumulation])
        for record in self._node_of.values():
            node: Any = record()
            if node is not None and node._extras is not None:
                self._note_hooks(record.id, [*node._extras.tensor_hooks.values()], node._extras, [])

    def _note_hooks(self, number: int, own: list[dict], extras: Any, after: list[dict]) -> None:
        before, behind = ([], []) if extras is None else ([extras.pre_hooks], [extras.post_hooks])
        kinds = {"hook": own, "prehook": before, "node hook": behind, "post-accumulate hook": after}
        known = self.nodes[number].hooks
        had = {(kind, name, where) for _, kind, name, where in known}
        for kind, found in kinds.items():
            for hook in [h for hooks in found for h in hooks.values()]:
                plain = isinstance(hook, types.FunctionType)
                code = hook.__code__ if plain else None
                where = None if code is None else (code, 0, code.co_firstlineno)
                if where is not None and where[0].co_filename != self.scope.filename:
                    where = None
                one = (kind, hook.__name__ if plain else type(hook).__name__, where)
                if one not in had:
                    known.append((len(self.steps) - (not self._running), *one))

    @property
    def in_backward(self) -> bool:
        return bool(self._running)

    def backward_done(self, error: BaseException | None) -> None:
        if self._running:
            self._running.pop()
        if error is None and not self._running:
            self._parts.clear()
            self._begun.clear()

    def node_begins(self, node: Any, gradients: tuple) -> None:
        if get_ident() == self._thread and len(self.steps) < self.max_steps:
            try:
                number = self._node(node, len(self.steps))
                if number is None:
                    return
                for nr in range(len(gradients)):
                    self._parts.pop((number, nr), None)
                self._begun.append((number, [measure(g) for g in gradients]))
                if number in self._maps:
                    self._arrived = gradients[0]
            except Exception as error:
                self.failures.append(error)

    def node_done(self, node: Any, gradients: tuple) -> None:
        if self._awake():
            try:
                self._node_done(node, gradients)
            except Exception as error:
                self.failures.append(error)

    def _node_done(self, node: Any, gradients: tuple) -> None:
        record = self._node_of.get(id(node))
        if record is None or not self._begun or self._begun[-1][0] != record.id:
            return
        number, arrived = self._begun.pop()
        call, where = self._running[-1] if self._running else (None, None)
        step = Step("node", record.name, where)
        step.node, step.backward = number, call
        sent: list[Any] = []
        parts = self._parts
        for i, (edge, (target, nr), g) in enumerate(zip(node._next, record.next, gradients, strict=False)):
            if target is None or g is None:
                sent.append(None)
            else:
                value = measure(fitted(g, edge))
                sent.append(value)
                parts.setdefault((target, nr), []).append((number, i, value))
        step.values = {"grads_in": arrived, "grads_out": sent}
        if number in self._maps and self._mapped < MAPPED:
            at, forward = self._maps[number]
            edges = zip(node._next, gradients, strict=False)
            fit = [None if g is None or e is None else fitted(g, e) for e, g in edges]
            step.index = forward.backward(at, self._arrived, fit)
            self._arrived = None
            self._mapped += forward.cells
        self.steps.append(step)

    def accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._accumulated, tensor, before, added, after)
            if self.live is not None:
                self._guard(self.live.pulse, self)

    def _accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        index = len(self.steps)
        call, where = self._running[-1] if self._running else (None, None)
        step = Step("accumulate", "backward", where)
        step.backward = call
        number = self.known_tensor(tensor, -1).id
        if tensor._fn is None:
            step.node = self._accumulator(self.tensors[number])
            arrived = self._parts.pop((step.node, 0), ())
        else:
            # The node of a tensor that retains its grad begins after this, and needs what arrived too.
            step.node = self._node(tensor._fn, index)
            arrived = self._parts.get((step.node, tensor._nr), ()) if step.node is not None else ()
        step.values = {"grad": {
            "tensor": number, "action": "add", "before": measure(before), "add": measure(added), "after": measure(after),
            "parts": [{"node": n, "edge": e, "value": v} for n, e, v in arrived],
        }}  # fmt: skip
        grad = tensor._grad
        record = self.tensor_of.get(id(grad))
        if record is None:
            record = self._meet(grad, index, "create")
            step.makes = [record.id]
        elif before is not None:
            whole = before.size == owner(grad._a).size <= COMPARED
            self._note_write(step, record, grad, np.ravel(before, "K") if whole else None)
        self._link_grad(index, number, record.id)
        self.steps.append(step)

    def grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._grad_assigned, tensor, before, after)

    def _grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        index = len(self.steps)
        step = Step("grad", "grad", self._locate())
        number = self.known_tensor(tensor, -1).id
        step.values = {"grad": {
            "tensor": number, "action": "none" if after is None else "set", "before": measure(before), "add": None,
            "after": measure(after), "parts": [],
        }}  # fmt: skip
        if after is not None:
            step.reads = [self.known_tensor(tensor._grad, index - 1).id]
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
        record = self._node_of.get(id(node))
        if record is None or not self.steps or get_ident() != self._thread:
            return
        step = self.steps[-1]
        if record.freed is None and step.node == record.id:
            record.freed = len(self.steps) - 1
            step.frees = [*step.frees, record.id]

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
        if self.seen > self.max_steps:
            return  # what is new since is not in the log
        names = self._names
        names.look(self.scope.namespace, self.scope.names)
        if (
            frame is not None and frame.f_code.co_flags & 1
        ):  # CO_OPTIMIZED: a function, whose variables are its own
            names.look_local(frame)
        else:
            names.leave_functions()

    # Things -----------------------------------------------------------------------------------------------------------------------

    def known_tensor(self, tensor: Any, born: int | None) -> TensorRecord:
        """The record of a tensor; one that nobody reported was there before the block, or came with the last step (`born` None)."""
        record = self.tensor_of.get(id(tensor))
        if record is None:
            born = len(self.steps) - 1 if born is None else born
            record = self._meet(tensor, born, "op" if tensor._fn is not None else "create")
        return record

    def _unpacked(self, tensor: Any) -> TensorRecord | None:
        """The record of the result that `tensor` is: what a Function saved of its own results it is handed as new objects."""
        node = None if tensor._fn is None else self._node_of.get(id(tensor._fn))
        if node is None or tensor._view is not None:
            return None
        same = (r for r in self.tensors if (r.now_node, r.output_nr) == (node.id, tensor._nr))
        return next((r for r in same if r() is not None), None)

    def _meet(self, tensor: Any, born: int, how: str) -> TensorRecord:
        """Describe a tensor that was not seen before."""
        record = TensorRecord(tensor, self._tensor_gone)
        number = record.id = len(self.tensors)
        record.key = id(tensor)
        record.born, record.seen, record.died = born, len(self.steps), None
        record.names = []
        record.how = how
        self.tensors.append(record)
        self.tensor_of[record.key] = record
        array = tensor._a
        record.storage = record.now_storage = self._storage(array, born, number)
        record.born = born = max(born, self.storages[record.storage].born)
        record.shape = record.now_shape = array.shape
        record.strides = record.now_strides = array.strides
        record.itemsize, record.dtype = array.itemsize, array.dtype
        record.offset = 0 if array.base is None else offset_of(array)
        record.version = tensor._writes
        record.counter = self._counter(tensor)
        fn = tensor._fn
        record.output_nr = tensor._nr
        record.retains_grad = record.now_retains = tensor._rare is not None and tensor.retains_grad
        # is_leaf and grad_fn would give a stale view its new node before the user asks for it; so read what is there.
        if tensor._view is None:
            record.base = None
            record.requires_grad = record.now_requires = tensor._rg
            record.is_leaf = record.now_leaf = fn is None
        else:
            base = tensor._base
            record.base = self.known_tensor(base, -1).id
            record.requires_grad = record.now_requires = tensor.requires_grad
            record.is_leaf = record.now_leaf = fn is None and not base.requires_grad
        record.node = record.now_node = None if fn is None else self._node(fn, born)
        if tensor._grad is not None:
            self._link_grad(born, number, self.known_tensor(tensor._grad, born).id)
        return record

    def _recheck(self, record: TensorRecord, tensor: Any, index: int, step: Step | None = None) -> None:
        """Note what changed about a tensor: by `step`, the one at `index`; or unseen, after it."""
        array = tensor._a
        root = owner(array)
        storage = self._storage_of.get(id(root))
        fn = tensor._fn
        node = None if fn is None else self._node(fn, index)
        plain = tensor._view is None
        requires = tensor._rg if plain else tensor.requires_grad
        retains = tensor._rare is not None and tensor.retains_grad
        if (
            node == record.now_node and requires == record.now_requires and retains == record.now_retains
            and storage is not None and storage.id == record.now_storage
            and array.strides == record.now_strides and array.shape == record.now_shape
        ):  # fmt: skip
            return
        leaf = fn is None and (plain or not tensor._base.requires_grad)
        now = {"requires_grad": requires, "is_leaf": leaf, "node": node, "retains_grad": retains}
        before = (record.now_requires, record.now_leaf, record.now_node, record.now_retains)
        change = {key: new for (key, new), old in zip(now.items(), before, strict=True) if new != old}
        record.now_requires, record.now_leaf = requires, leaf
        record.now_node, record.now_retains = node, retains
        if (
            storage is None
            or storage.id != record.now_storage
            or array.strides != record.now_strides
            or array.shape != record.now_shape
        ):
            self.storages[record.now_storage].sharers.discard(record.id)
            record.now_storage = self._storage(array, max(index, -1), record.id)
            record.now_shape, record.now_strides = array.shape, array.strides
            item = array.itemsize
            change |= {
                "storage": record.now_storage, "shape": list(array.shape), "stride": [s // item for s in array.strides],
                "offset": offset_of(array),
            }  # fmt: skip
        if step is None and index > record.born:
            step = self.steps[index]
        if step is not None:
            step.change(record.id, change)
        else:  # before anything else happened: so it was born
            for key in change.keys() & {"requires_grad", "is_leaf", "node", "retains_grad"}:
                setattr(record, key, change[key])

    def _counter(self, tensor: Any) -> int:
        """The number of a tensor's version counter."""
        cell = tensor._counter
        known = self._counters.get(id(cell))
        if known is None:
            known = self._counters[id(cell)] = (cell, len(self._counters))
        return known[1]

    def _storage(self, array: Any, born: int, sharer: int) -> int:
        root = owner(array)
        record = self._storage_of.get(id(root))
        if record is None:
            record = StorageRecord(root, self._storage_gone)
            record.key, record.id = id(root), len(self.storages)
            self.storages.append(record)
            self._storage_of[record.key] = record
            record.dtype, record.numel = root.dtype, root.size
            record.device = (
                "cpu"
                if root.__class__ is np.ndarray
                else str(getattr(self.tensors[sharer](), "device", "cpu"))
            )
            record.born, record.seen, record.freed = born, len(self.steps), None
            record.contents = contents(root)
            record.sharers = {sharer}
        else:
            record.sharers.add(sharer)
        return record.id

    def _node(self, node: Any, index: int) -> int | None:
        """The number of a node; one not seen before is described, and so is what it leads to, down to nodes that are known. None for a
        node from before the block when enough of those were described."""
        node_of = self._node_of
        found = node_of.get(id(node))
        if found is not None:
            return found.id
        fresh = []
        stack = [node]
        while stack:
            n = stack.pop()
            if id(n) in node_of:
                continue
            old = n._seq < self._first_node
            if old:
                self._old_nodes += 1
                if self._old_nodes > OLD_NODES:
                    continue
            record = self._new_node(n, n.name(), -1 if old else index)
            node_of[record.key] = record
            fresh.append((n, record))
            unknown = [_target(e) for e in n._next if e is not None and id(e) not in node_of]
            stack += [target for target in unknown if isinstance(target, Node)]
        for n, record in fresh:
            record.formulas = formulas_of(n)
            for edge in n._next:
                known = node_of.get(id(edge))
                if known is not None:
                    record.next.append((known.id, 0))
                elif edge is None:
                    record.next.append((None, 0))
                else:
                    target = _target(edge)
                    if isinstance(target, Node):
                        known = node_of.get(id(target))
                        record.next.append(
                            (None if known is None else known.id, edge.nr if edge.__class__ is Edge else 0)
                        )
                    else:
                        record.next.append((self._accumulator(self.known_tensor(target, -1)), 0))
            if n is not node or record.born == -1:
                self._saved(record, n, None)
        return fresh[0][1].id if fresh else None

    def _saved(self, record: NodeRecord, node: Any, made: Sequence[int] | None) -> None:
        results = {name: i for i, name in node._saved_results()}
        for name, tensor, version in node._saved():
            known = self.tensor_of.get(id(tensor))
            if known is not None:
                number: int | None = known.id
            elif name in results:  # handed out as a tensor of its own: it is what the operation made
                number = made[results[name]] if made else None
            elif tensor._fn is None or id(tensor._fn) in self._node_of:
                number = self._meet(tensor, record.born, "copy").id
            else:
                number = None
            record.saved.append((name, number, version))

    def _accumulator(self, leaf: TensorRecord) -> int:
        number = self._accumulators.get(leaf.id)
        if number is None:
            tensor = leaf()
            record = self._new_node(tensor, "torch::autograd::AccumulateGrad", leaf.born)
            record.variable = leaf.id
            number = self._accumulators[leaf.id] = record.id
        return number

    def _new_node(self, thing: Any, name: str, born: int) -> NodeRecord:
        record = NodeRecord(thing, self._node_gone)
        record.key, record.id, record.name = id(thing), len(self.nodes), name
        record.formulas, record.next, record.saved, record.hooks = {}, [], [], []
        record.born, record.seen, record.freed, record.variable, record.where = (
            born,
            len(self.steps),
            None,
            None,
            None,
        )
        self.nodes.append(record)
        return record

    # Called when something has died; from then on its address may be another's.
    def _tensor_gone(self, record: Any) -> None:
        if self.running:
            self.tensor_of.pop(record.key, None)
            record.died = len(self.steps)
            self.grads.pop(record.id, None)
            self.storages[record.now_storage].sharers.discard(record.id)

    def _storage_gone(self, record: Any) -> None:
        if self.running:
            self._storage_of.pop(record.key, None)
            record.freed = len(self.steps)

    def _node_gone(self, record: Any) -> None:
        if self.running and record.variable is None:
            self._node_of.pop(record.key, None)
            self._maps.pop(record.id, None)


def _target(edge: Any) -> Any:
    """What an edge leads to: a node, or the leaf in whose place there may be an AccumulateGrad; None."""
    if edge.__class__ is Edge:
        edge = edge.node
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


_formulas: dict[type, dict[str, str]] = {}


def formulas_of(node: Any) -> dict[str, str]:
    """The derivatives of a node as written in the declaration; read once for each kind of node."""
    kind = node.__class__
    found = _formulas.get(kind)
    if found is None:
        found = node._formulas()
        if kind is not CopySlices:  # whose formulas depend on the write that it stands for
            _formulas[kind] = found
    return found
