"""The recorder: watches the engine while a block of code runs and keeps what happened.

Handlers run inside the user's operations, so they copy little and format nothing. What the steps did, their sentences, texts and source
spans, is worked out afterwards: `jgrad/trace/replay.py`, `jgrad/trace/document.py`.

Note [Tape]: what happens is put on a tape, in order: a tuple for each step, tuples for what else was noticed, and the record of a thing
when it dies. Small arrays are kept as bytes, which costs a tenth of anything that could be read.

Note [Identity]: tensors, nodes and storages are numbered when first seen. Their records are themselves weak references, found by address;
a record counts only while it refers to the very thing at hand. So nothing lives longer than the user lets it, and nothing is
mistaken for something else. (Version cells are one-element lists, which can't be weakly referenced; those few bytes are kept.) Records
are never compared: weak references compare what they refer to.

Note [Names]: what the user calls a tensor is read from the namespaces of the traced code, for the names which that code mentions, whenever
execution has moved on to another line. Nothing is traced, no user code runs: lists are read item by item, objects by `vars()`.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from jgrad import fast, observer
from jgrad.autograd.node import Edge, Node
from jgrad.observer import Observer
from jgrad.storage import offset_of, owner
from jgrad.tensor import Tensor
from jgrad.trace.contents import (
    COMPARED,
    WHOLE,
    Measuring,
    array_of,
    contents,
    fitted,
    kept_of,
    measure,
    on_host,
    places_that_differ,
)  # fmt: skip
from jgrad.trace.indexes import FAMILY, IndexMap
from jgrad.trace.names import Names
from jgrad.trace.nodes import (
    PLANS,
    UNPLANNED,
    find_hooks,
    formulas_of,
    plan_of,
    target_of,
    unpacked,
    written_part,
)
from jgrad.trace.records import NodeRecord, Scope, StorageRecord, TensorRecord

if TYPE_CHECKING:
    from jgrad.trace.live import Live

MAX_STEPS = 2000
COUNTED = 10  # times as many steps as are kept are counted
OLD_NODES = 500  # nodes made before the block that are described
MAPPED = 60_000  # cells that index maps hold together; what comes later has no map
# Moves of large index operations that are counted altogether, and of each in any case:
COUNTED_MOVES = 1 << 21
MAP_COUNTED = 1 << 14

# What a tuple on the tape begins with: steps first.
OP, BACKWARD, NODE, ACCUMULATE, ASSIGNED, ERROR, CHANGE, WRITTEN, MAP, DONE, RELEASED = range(11)
MISSING: Any = object()
NOTHING: dict[str, str] = {}
NOWHERE = (None, 0)


class Recorder(Observer):
    """Records what the engine does, on `tape` and in the lists of records. Its own failures end up in `failures`, never in the traced code."""

    def __init__(self, scope: Scope, max_steps: int = MAX_STEPS) -> None:
        self.scope = scope
        self.max_steps = max_steps
        self.tape: list[Any] = []  # see Note [Tape]
        self.kept = 0  # steps on it
        self.seen = 0
        self.storages: list[StorageRecord] = []
        self.tensors: list[TensorRecord] = []
        self.nodes: list[NodeRecord] = []
        self.failures: list[Exception] = []
        self.backwards = 0
        # (step, tensor, whose .grad it became, or None: it no longer is)
        self.grad_links: list[tuple[int, int, int | None]] = []
        self.grads: dict[int, int] = {}  # tensor that is a .grad now -> whose, and the other way round:
        self._grad_of: dict[int, int] = {}
        self.tensor_of: dict[int, TensorRecord] = {}  # by address: see Note [Identity]
        self._storage_of: dict[int, StorageRecord] = {}
        self.node_of: dict[int, NodeRecord] = {}
        self.accumulators: dict[int, int] = {}  # leaf -> its AccumulateGrad
        self._maps: dict[
            int, tuple[int, IndexMap, weakref.ref]
        ] = {}  # node -> (step, map) of the operation that it differentiates
        self._mapped = 0  # cells in maps so far
        self._counting = COUNTED_MOVES  # how many moves of a map may still be counted
        self._arrived: Any = None  # the gradient that a node with a map got
        self._running: list[
            tuple[int, tuple | None]
        ] = []  # (number, place) of the backward calls in progress
        self._begun: list[tuple[int, list]] = []  # nodes in progress, with the gradients that arrived
        self._before: tuple[int, Any] = (
            0,
            None,
        )  # the tensor that is being written to, and what its storage held
        self._first_node = sys.maxsize  # nodes with a lower number were there before the block
        self._old_nodes = 0
        self._measure = Measuring()
        self.names = Names(self)
        self._place: tuple = (None, 0, 0)
        self._places: dict[int, tuple[types.CodeType, dict[int, tuple | None]]] = {}
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
        self._guard(find_hooks, self)
        self._guard(self.names.name_the_rest, self.scope.namespace)
        self.running = False
        self.tape = self.tape[:]  # what dies from now on is written on the other
        for known in (self._storage_of, self.tensor_of, self.node_of, self._maps):
            known.clear()
        self._before = (0, None)
        self._place = (None, 0, 0)
        self.scope.namespace = {}
        del self.names.recorder  # no cycle stays, which would wait for the garbage collector

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
        told = {"type": type(error).__name__, "message": str(error)}
        node = self._begun[-1][0] if self._begun else None
        self.tape.append((ERROR, where, node, self.backwards - 1 if self._begun else None, told))
        self.kept = min(
            self.kept + 1, self.max_steps
        )  # it takes the place of the last: it is what the reader looks for
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
        return self.kept < self.max_steps

    # Operations -------------------------------------------------------------------------------------------------------------------

    def op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]
    ) -> None:
        if get_ident() != self._thread:
            return
        self.seen += 1
        if self.kept >= self.max_steps:
            self._count()
        else:
            try:
                self._op(name, kind, inputs, outputs, node, arguments)
            except Exception as error:
                self.failures.append(error)
        if self.live is not None:
            self._guard(self.live.pulse, self)

    def _count(self) -> None:
        """An operation that is not kept ran; counted long enough, the rest may run at full speed."""
        if (
            self.seen >= COUNTED * self.max_steps
            and observer.current is self
            and (self.live is None or not self.live.goes_on(self))
        ):
            observer.current = None
            fast.refresh()

    def writing(self, tensor: Any) -> None:
        try:
            self._measure.forget()
            root = owner(tensor._a)
            self._before = (id(tensor), kept_of(root) if root.size <= COMPARED else None)
        except Exception as error:
            self.failures.append(error)

    def _op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]
    ) -> None:
        if self._begun and not self._running:
            self._begun.clear()  # of a pass whose error the block caught
        place = self._running[-1][1] if self._begun else self._locate()
        index = self.kept
        tensor_of = self.tensor_of
        writes = kind == "write"
        changed = outputs[0] if outputs else None  # by this very step, if it is in-place
        reads: list[int] = []
        for t in inputs:
            record = tensor_of.get(id(t))
            if record is None or record() is not t:
                if writes and getattr(t, "wrapped_number", False):
                    continue
                # Of a step that nobody reported, if its node is younger than others of the block: that of an operation cut short.
                unseen = t._fn is not None and t._fn._seq > self._first_node
                record = unpacked(self.tensors, t) or self._meet(t, index - 1 if unseen else -1, "create")
            elif t is not changed and (
                record.fn != id(t._fn) or record.array != id(t._a) or t._rare is not None
                or record.requires is not (t._rg if t._view is None else t.requires_grad)
            ):  # fmt: skip
                self._recheck(record, t, index - 1)
            reads.append(record.id)
        number = described = None
        if node is not None:
            if writes and (base := outputs[0]._base) is not None:
                node = base._fn  # what a write to a view leaves in the graph is the CopySlices of its base
            if node._seq < self._first_node:
                self._first_node = node._seq
            known = self.node_of.get(id(node))
            if known is not None and known() is node:
                number = known.id
            else:
                described = self._fresh_node(node, index)
                number = None if described is None else described.id
        makes: list[int] = []
        for t in outputs:
            record = tensor_of.get(id(t))
            if record is None or record() is not t:
                how = kind if kind != "view" else name if name in ("detach", "data") else "view"
                makes.append(self._meet(t, index, how).id)
            elif not writes:
                self._recheck(record, t, index, True)
        if described is not None:
            described.where = place
            self._saved(described, node, [tensor_of[id(t)].id for t in outputs])
        self.tape.append(
            (
                OP,
                kind,
                name,
                place,
                self._running[-1][0] if self._running else None,
                tuple(reads),
                tuple(makes),
                number,
            )
        )
        self.kept = index + 1
        if writes:
            self._wrote(index, outputs[0])
        if arguments and name.rstrip("_") in FAMILY and self._mapped < MAPPED:
            self._map(name, number, index, inputs, outputs, arguments)
        if writes:
            self._before = (0, None)

    def _map(
        self,
        name: str,
        node: int | None,
        index: int,
        inputs: tuple,
        outputs: tuple,
        arguments: dict[str, Any],
    ) -> None:
        """Add its index map to a step."""
        if outputs[0]._a.__class__ is not np.ndarray and outputs[0].numel() + inputs[0].numel() > COMPARED:
            return  # on a device, from where only little is to come
        before = None
        if self._before[0] == id(outputs[0]) and self._before[1] is not None:
            before = array_of(self._before[1])
        made = IndexMap(name, inputs, outputs, arguments, before, self._number, self._counting)
        self.tape.append((MAP, index, made.made))
        self._counting = max(self._counting - made.moves.total, MAP_COUNTED)
        self._mapped += made.cells
        if node is not None:
            gone = weakref.ref(self.nodes[node](), lambda _, maps=self._maps: maps.pop(node, None))
            self._maps[node] = (index, made, gone)

    def _number(self, tensor: Any) -> int | None:
        record = self.tensor_of.get(id(tensor))
        return None if record is None or record() is not tensor else record.id

    def _wrote(self, index: int, target: Any) -> None:
        record = self.known_tensor(target, None)
        before = self._before[1] if self._before[0] == id(target) else None
        self._recheck(record, target, index, True)  # `out=` may have got new memory
        written = self._written(record, target, before)
        sharers = record.room.sharers
        alive = [
            (r, t) for r in (sharers if sharers.__class__ is list else [sharers]) if (t := r()) is not None
        ]
        record.room.sharers = [other for other, _ in alive]
        for other, t in alive:
            if other.fn != id(t._fn) or t is not target:
                self._recheck(other, t, index, True)
        whose = self.grads.get(record.id)
        grad = None
        if whose is not None:
            same = before is not None and before[0] == target._a.size
            grad = (
                whose,
                measure(array_of(before).reshape(target._a.shape)) if same else None,
                measure(target._a),
            )
        self.tape.append((WRITTEN, index, written, grad))

    def _written(self, record: TensorRecord, target: Any, before: Any) -> tuple:
        """What a write left: (tensor, storage, version cell, version, elements, what changed as far as that is known, contents). Which
        elements of small storages differ is looked at later: `before` and the contents are there."""
        root = owner(target._a)
        changed = None
        if before is not None and root.size == before[0] and root.dtype == before[1]:
            changed = (
                before
                if root.size <= WHOLE
                else places_that_differ(array_of(before), on_host(root.ravel("K")))
            )
        return (
            record.id, record.room.id, target._counter, target._writes, int(target._a.size), changed, contents(root), root.dtype,
        )  # fmt: skip

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
        find_hooks(self)
        index = self.kept
        records = [self.known_tensor(t, -1) for t in roots]
        for record, t in zip(records, roots, strict=True):
            self._recheck(record, t, index - 1)
        name = "backward" if inputs is None else "grad"
        numbers = [record.id for record in records]
        self.tape.append(
            (BACKWARD, name, where, self._running[-1][0], numbers, [measure(g) for g in gradients])
        )
        self.kept = index + 1

    @property
    def in_backward(self) -> bool:
        return bool(self._running)

    def backward_done(self, error: BaseException | None) -> None:
        if self._running:
            self._running.pop()
        if error is None and not self._running:
            self.tape.append((DONE,))
            self._measure.forget()
            self._begun.clear()

    def node_begins(self, node: Any, gradients: tuple) -> None:
        if get_ident() == self._thread and self.kept < self.max_steps:
            try:
                record = self.node_of.get(id(node))
                number = record.id if record is not None and record() is node else self._node(node, self.kept)
                if number is None:
                    return
                self._begun.append((number, [*map(self._measure, gradients)]))
                if number in self._maps:
                    self._arrived = gradients[0]
            except Exception as error:
                self.failures.append(error)

    def node_done(self, node: Any, gradients: tuple) -> None:
        if get_ident() == self._thread:
            self.seen += 1
            if self.kept < self.max_steps:
                try:
                    self._node_done(node, gradients)
                except Exception as error:
                    self.failures.append(error)

    def _node_done(self, node: Any, gradients: tuple) -> None:
        record = self.node_of.get(id(node))
        if record is None or not self._begun or self._begun[-1][0] != record.id:
            return
        number, arrived = self._begun.pop()
        call, where = self._running[-1] if self._running else (None, None)
        sent: list[Any] = []
        for edge, (target, _), g in zip(node._next, record.next, gradients, strict=False):
            if target is None or g is None:
                sent.append(None)
            else:
                cls = edge.__class__
                there = edge._a if cls is Tensor or cls is fast.Parameter else None
                if there is None or there.shape != g.shape or there.dtype is not g.dtype:
                    g = fitted(g, edge)
                sent.append(self._measure(g))
        if number in self._maps and self._mapped < MAPPED:
            at, forward, _ = self._maps[number]
            edges = zip(node._next, gradients, strict=False)
            fit = [None if g is None or e is None else fitted(g, e) for e, g in edges]
            made = forward.backward(at, *written_part(node, self._arrived, fit))
            self.tape.append((MAP, self.kept, made))
            self._arrived = None
            self._mapped += forward.cells
        self.tape.append((NODE, number, where, call, arrived, sent))
        self.kept += 1

    def accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._accumulated, tensor, before, added, after)
            if self.live is not None:
                self._guard(self.live.pulse, self)

    def _accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        index = self.kept
        call, where = self._running[-1] if self._running else (None, None)
        number = self.known_tensor(tensor, -1).id
        if tensor._fn is None:
            node: int | None = self._accumulator(self.tensors[number])
        else:
            node = self._node(tensor._fn, index)
        add = self._measure(added)
        now = add if after is added else measure(after)
        grad = tensor._grad
        record = self.tensor_of.get(id(grad))
        makes, written = None, None
        if record is None or record() is not grad:
            record = self._meet(grad, index, "create")
            makes = record.id
        elif before is not None:
            whole = before.size == owner(grad._a).size <= COMPARED
            written = self._written(record, grad, kept_of(before) if whole else None)
        self._link_grad(index, number, record.id)
        leaf = tensor._fn is None
        self.tape.append(
            (
                ACCUMULATE,
                number,
                where,
                call,
                node,
                leaf,
                tensor._nr,
                measure(before),
                add,
                now,
                makes,
                written,
            )
        )
        self.kept = index + 1

    def grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._grad_assigned, tensor, before, after)

    def _grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        index = self.kept
        place = self._locate()
        number = self.known_tensor(tensor, -1).id
        assigned = None if after is None else self.known_tensor(tensor._grad, index - 1).id
        self._link_grad(index, number, assigned)
        self.tape.append((ASSIGNED, number, place, assigned, measure(before), measure(after)))
        self.kept = index + 1

    def _link_grad(self, index: int, whose: int, grad: int | None) -> None:
        before = self._grad_of.get(whose)
        if before is not None and before != grad and self.grads.get(before) == whose:
            del self.grads[before]
            if self.tensors[before]() is not None:
                self.grad_links.append((index, before, None))
        if grad is None:
            self._grad_of.pop(whose, None)
        elif before != grad or self.grads.get(grad) != whose:
            self.grads[grad] = whose
            self._grad_of[whose] = grad
            self.grad_links.append((index, grad, whose))

    def released(self, node: Any) -> None:
        record = self.node_of.get(id(node))
        if record is not None and record() is node and self.kept and get_ident() == self._thread:
            self.tape.append((RELEASED, record))

    # Places and names -------------------------------------------------------------------------------------------------------------

    def _is_traced(self, code: types.CodeType, line: int) -> bool:
        scope = self.scope
        return code.co_filename == scope.filename and scope.first <= line <= scope.last

    def _locate(self) -> tuple | None:
        """Where in the traced code we are. If another statement may have begun since, names may mean something new."""
        filename = self.scope.filename
        frame: Any = sys._getframe(3)  # what called the handler is no user's code, and frames cost something
        while frame is not None:
            code = frame.f_code
            if code.co_filename == filename:
                known = self._places.get(id(code))
                if known is None:
                    known = self._places[id(code)] = (code, {})
                at = frame.f_lasti
                place = known[1].get(at, MISSING)
                if place is MISSING:  # looking up a line takes longer than all the rest
                    line = frame.f_lineno
                    place = known[1][at] = (code, at, line) if self._is_traced(code, line) else None
                if place is not None:
                    before = self._place
                    if before[2] != place[2] or before[0] is not code or before[1] >= at:
                        self._look(frame)
                    self._place = place
                    return place
            frame = frame.f_back
        return None

    def _look(self, frame: Any) -> None:
        if self.seen > self.max_steps:
            return  # what is new since is not in the log
        names = self.names
        names.look_global()
        if (
            frame is not None and frame.f_code.co_flags & 1
        ):  # CO_OPTIMIZED: a function, whose variables are its own
            names.look_local(frame)
        elif names.function is not None:
            names.leave_functions()

    # Things -----------------------------------------------------------------------------------------------------------------------

    def known_tensor(self, tensor: Any, born: int | None) -> TensorRecord:
        """The record of a tensor; one that nobody reported was there before the block, or came with the last step (`born` None)."""
        record = self.tensor_of.get(id(tensor))
        if record is None or record() is not tensor:
            born = self.kept - 1 if born is None else born
            record = self._meet(tensor, born, "op" if tensor._fn is not None else "create")
        return record

    def _meet(self, tensor: Any, born: int, how: str) -> TensorRecord:
        """Describe a tensor that was not seen before."""
        record = TensorRecord(tensor, self.tape.append)
        tensors = self.tensors
        record.id = number = len(tensors)
        tensors.append(record)
        self.tensor_of[id(tensor)] = record
        array = tensor._a
        fn = tensor._fn
        cell = tensor._vc
        record.array, record.fn, record.state = id(array), id(fn), None
        room = record.room = self._storage(array, born, record)
        if room.born > born:
            born = room.born
        version = 0
        if cell is not None:
            version = cell[0] if cell.__class__ is list else tensor._writes
        elif born == self.kept:  # new, so that no other thread knows it
            cell = tensor._vc = [0]
        else:
            cell = tensor._counter
        # is_leaf and grad_fn would give a stale view its new node before the user asks for it; so read what is there.
        if tensor._view is None:
            base = None
            requires, leaf = tensor._rg, fn is None
        else:
            of = tensor._base
            base = self.known_tensor(of, -1).id
            requires = tensor.requires_grad
            leaf = fn is None and not of.requires_grad
        record.requires = requires
        node: int | None = None
        if fn is not None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self._node(fn, born)
        record.raw = (
            self.kept, born, how, room.id, array.shape, array.strides, array.dtype, 0 if array.base is None else offset_of(array),
            cell, version, base, requires, leaf, tensor._rare is not None and tensor.retains_grad, node, tensor._nr,
        )  # fmt: skip
        if tensor._grad is not None:
            self._link_grad(born, number, self.known_tensor(tensor._grad, born).id)
        return record

    def _recheck(self, record: TensorRecord, tensor: Any, index: int, own: bool = False) -> None:
        """Note what changed about a tensor: by the step at `index` (`own`), or unseen, after it."""
        array = tensor._a
        room = self._room_of(array)
        if room is not record.room:
            if room is None:
                room = self._storage(array, max(index, -1), record)
            else:
                self._shares(room, record)
            before = record.room.sharers
            record.room.sharers = [
                r for r in (before if before.__class__ is list else [before]) if r is not record
            ]
            record.room = room
        fn = tensor._fn
        node: int | None = None
        if fn is not None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self._node(fn, index)
        plain = tensor._view is None
        requires = tensor._rg if plain else tensor.requires_grad
        retains = tensor._rare is not None and tensor.retains_grad
        leaf = fn is None and (plain or not tensor._base.requires_grad)
        record.array, record.fn, record.requires = id(array), id(fn), requires
        state = (requires, leaf, node, retains, room.id, array.shape, array.strides)
        if state != record.state:
            record.state = state
            offset = 0 if array.base is None else offset_of(array)
            self.tape.append((CHANGE, record, index, own, state, array.itemsize, offset))

    def _room_of(self, array: Any) -> StorageRecord | None:
        root = array if array.base is None else owner(array)
        record = self._storage_of.get(id(root))
        return record if record is not None and record() is root else None

    def _storage(self, array: Any, born: int, sharer: TensorRecord) -> StorageRecord:
        root = array if array.base is None else owner(array)
        record = self._storage_of.get(id(root))
        if record is None or record() is not root:
            record = StorageRecord(root, self.tape.append)
            record.id = len(self.storages)
            self.storages.append(record)
            self._storage_of[id(root)] = record
            device = "cpu" if root.__class__ is np.ndarray else str(getattr(sharer(), "device", "cpu"))
            record.raw = (self.kept, root.dtype, root.size, device, contents(root))
            record.born = born
            record.sharers = sharer
        else:
            self._shares(record, sharer)
        return record

    def _shares(self, room: StorageRecord, tensor: TensorRecord) -> None:
        if room.sharers.__class__ is list:
            room.sharers.append(tensor)
        else:
            room.sharers = [room.sharers, tensor]

    def _fresh_node(self, node: Any, index: int) -> NodeRecord | None:
        """The record of a node that was just made, as `_node` makes it; in the usual case, that all it leads to is known, at once."""
        node_of, tensor_of, accumulators = self.node_of, self.tensor_of, self.accumulators
        following: list[tuple[int | None, int]] = []
        for e in node._next:
            if e is None:
                following.append(NOWHERE)
                continue
            cls = e.__class__
            if cls is Tensor or cls is fast.Parameter:
                leaf = tensor_of.get(id(e))
                number = accumulators.get(leaf.id) if leaf is not None and leaf() is e else None
            else:
                known = node_of.get(id(e))
                number = known.id if known is not None and known() is e else None
            if number is None:
                number = self._node(node, index)
                return None if number is None else self.nodes[number]
            following.append((number, 0))
        kind = node.__class__
        plan = PLANS.get(kind)
        if plan is None:
            plan = PLANS[kind] = plan_of(node)
        record = NodeRecord(node)
        record.id, record.born, record.seen = len(self.nodes), index, self.kept
        self.nodes.append(record)
        node_of[id(node)] = record
        record.name, record.formulas = plan[0] or node.name(), plan[1] or formulas_of(node)
        record.next = tuple(following)
        record.saved = record.hooks = ()
        record.variable = None
        return record

    def _node(self, node: Any, index: int) -> int | None:
        """The number of a node; one not seen before is described, and so is what it leads to, down to nodes that are known. None for a
        node from before the block when enough of those were described."""
        node_of = self.node_of
        found = node_of.get(id(node))
        if found is not None and found() is node:
            return found.id
        fresh = []
        stack = [node]
        while stack:
            n = stack.pop()
            known = node_of.get(id(n))
            if known is not None and known() is n:
                continue
            old = n._seq < self._first_node
            if old:
                self._old_nodes += 1
                if self._old_nodes > OLD_NODES:
                    continue
            record = self._new_node(n, n.name(), -1 if old else index)
            node_of[id(n)] = record
            fresh.append((n, record))
            for e in n._next:
                if e is not None and e.__class__ is not Tensor:
                    target = target_of(e)
                    if isinstance(target, Node):
                        known = node_of.get(id(target))
                        if known is None or known() is not target:
                            stack.append(target)
        for n, record in fresh:
            record.formulas = formulas_of(n)
            following: list[tuple[int | None, int]] = []
            record.next = following
            for e in n._next:
                if e is None:
                    following.append((None, 0))
                    continue
                target = e if e.__class__ is Tensor else target_of(e)
                if isinstance(target, Node):
                    known = node_of.get(id(target))
                    number = None if known is None or known() is not target else known.id
                    following.append((number, e.nr if e.__class__ is Edge else 0))
                else:
                    following.append((self._accumulator(self.known_tensor(target, -1)), 0))
            if n is not node or record.born == -1:
                self._saved(record, n, None)
        return fresh[0][1].id if fresh else None

    def _saved(self, record: NodeRecord, node: Any, made: Sequence[int] | None) -> None:
        """Note what a node saved. `made`: the results, if it is new."""
        plan = PLANS.get(node.__class__)
        if made is not None and plan is not None and plan is not UNPLANNED:
            _, _, inputs, results = plan
            tensor_of, saved = self.tensor_of, []
            for name, slot, version in inputs:
                value = getattr(node, slot)
                known = tensor_of.get(id(value))
                if known is not None and known() is value:
                    saved.append((name, known.id, getattr(node, version)))
                elif value is not None and value.__class__ is not int and value.__class__ is not float:
                    break
            else:
                for i, name, slot, version in results:
                    if getattr(node, slot).__class__ is not np.ndarray:
                        break
                    saved.append((name, made[i], getattr(node, version)))
                else:
                    record.saved = tuple(saved)
                    return
        results = {name: i for i, name in node._saved_results()}
        for name, tensor, version in node._saved():
            known = self.tensor_of.get(id(tensor))
            if known is not None and known() is tensor:
                number: int | None = known.id
            elif name in results:  # handed out as a tensor of its own: it is what the operation made
                number = made[results[name]] if made else None
            elif tensor._fn is None or self._knows(tensor._fn):
                number = self._meet(tensor, record.born, "copy").id
            else:
                number = None
            record.saved = (*record.saved, (name, number, version))

    def _knows(self, node: Any) -> bool:
        record = self.node_of.get(id(node))
        return record is not None and record() is node

    def _accumulator(self, leaf: TensorRecord) -> int:
        number = self.accumulators.get(leaf.id)
        if number is None:
            record = self._new_node(leaf(), "torch::autograd::AccumulateGrad", None)
            record.variable = leaf.id
            number = self.accumulators[leaf.id] = record.id
        return number

    def _new_node(self, thing: Any, name: str, born: int | None) -> NodeRecord:
        """`born` None: with the leaf that it is for."""
        record = NodeRecord(thing)
        record.id, record.name = len(self.nodes), name
        record.formulas = NOTHING
        record.next = record.saved = record.hooks = ()
        record.born, record.seen = born, self.kept
        record.variable = record.where = None
        self.nodes.append(record)
        return record
