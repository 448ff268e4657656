"""The recorder: it observes the engine while a block of code runs, and records what happens.

Handlers run inside the user's operations, so they copy little and format nothing. The effects of the steps, and their sentences, texts and source
spans, are computed after the block: `jgrad/tracing/document/replay.py`, `jgrad/tracing/document/document.py`.

Note [Event log]: what happens is appended to a list, in order: an entry for each step, entries for what else was noticed, and the record of a
tensor, storage or node when it dies (`events.py`). Small arrays are kept as bytes: to make text of them would take ten times as long.

Note [Names]: the names of tensors are read from the namespaces of the traced code. This is done for the names that the code mentions, each time
when execution has reached another line. `sys.settrace` is not used, and no user code runs: lists are read item by item, objects by `vars()`.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from inspect import CO_OPTIMIZED
from threading import get_ident
from time import perf_counter
from types import FrameType
from typing import Any, Protocol

import numpy as np

from jgrad import mirrors
from jgrad.dispatch import fast
from jgrad.graph.node import HIGHEST, Edge, Node
from jgrad.kernels.numpy.memory import Array
from jgrad.observer import Observer, Watch
from jgrad.storage import owner
from jgrad.tensor import Tensor
from jgrad.tracing.record import events
from jgrad.tracing.record.contents import (
    COMPARED,
    WHOLE,
    Measuring,
    array_of,
    fitted,
    kept_of,
    measure,
    on_host,
    places_that_differ,
)
from jgrad.tracing.record.declared import Plain
from jgrad.tracing.record.events import Write, accumulated, node_ran, operation
from jgrad.tracing.record.evidence import WATCHED, Evidence
from jgrad.tracing.record.hooks import find_hooks
from jgrad.tracing.record.indexes import FAMILY, IndexMap
from jgrad.tracing.record.keeping import NO_ROUNDS, OVER, Keeping
from jgrad.tracing.record.layers import Layers
from jgrad.tracing.record.names import Names
from jgrad.tracing.record.nodes import unpacked, written_part
from jgrad.tracing.record.records import (
    OUTSIDE,
    FunctionUse,
    NodeRecord,
    Place,
    StorageRecord,
    TensorRecord,
)
from jgrad.tracing.record.registry import Registry
from jgrad.tracing.record.rounds import Rounds, loss_of
from jgrad.tracing.record.scope import Scope
from jgrad.tracing.record.stacks import Stacks, called_by
from jgrad.tracing.record.stopping import Condition, Stopped
from jgrad.tracing.record.unrecorded import Sleep

MAX_STEPS = 2000
LEAST_STEPS = 3  # a first step, a gap, a last step
MAPPED = 60_000  # cells that all index maps hold together; later operations have no map
# How many moves of large index operations are counted in all, and how many of each in any case:
COUNTED_MOVES = 1 << 21
MAP_COUNTED = 1 << 14

USES = 4  # of each custom Function that are kept: the first ones and the last one
PLAIN = (int, float, bool, str, type(None))  # types of arguments that are kept

FAMILY_NAMES = FAMILY | {f"{name}_" for name in FAMILY}
NOWHERE = Place((lambda: None).__code__, 0, 0)
NOT_WRITING = (0, None)
ndarray = np.ndarray


class Spectator(Protocol):
    """What shows a trace while it is recorded: `jgrad.tracing.record.live.Live`."""

    due: float  # the time, by `perf_counter`, from which it wants a pulse

    def pulse(self, recorder: Recorder) -> None:
        """The recorder kept or counted a step, and `due` has come."""

    def notice(self, calls: int) -> None:
        """A backward call ended while the recorder sleeps, and `due` has come."""

    def asleep(self) -> None:
        """The recorder records no more for a while."""


def origin_of_view(name: str, result: Tensor) -> str:
    """How a tensor came to be that shares memory with another one. A Parameter is a new leaf, whatever its memory comes from."""
    if name not in ("detach", "data"):
        return "view"
    return "create" if mirrors.is_parameter(result) else name


class Recorder(Registry, Observer):
    """Records what the engine does, in `events` and in the lists of records. Its own errors go to `failures`, never to the traced code."""

    __slots__ = (
        "scope", "max_steps", "seen", "failures", "unfollowed", "backwards", "_maps", "_mapped", "_counting", "_arrived", "_running", "_begun", "_before", "_others",
        "_measure", "names", "_get_global", "stacks", "_place", "_code", "_callers", "_at", "_thread", "watch", "live", "when_full", "running",
        "functions", "rounds", "keeping", "asleep", "condition", "compactions", "limit", "_leaves", "_loss", "_limited", "kept_rounds", "layers", "changed", "changed_before",
        "evidence", "modules",
    )  # fmt: skip

    def __init__(
        self,
        scope: Scope,
        max_steps: int = MAX_STEPS,
        asked: range = NO_ROUNDS,
        main: Recorder | None = None,
        condition: Condition | None = None,
    ) -> None:
        """`asked`: rounds to keep in full, counted from 0. `main`: the recorder that sleeps while this one has a look for it. `condition`: when to stop the
        program; then all rounds are recorded, so that the last one is known in full."""
        super().__init__()
        self.scope = scope
        self.max_steps = max_steps = max(max_steps, LEAST_STEPS)
        self.seen = 0
        self.failures: list[Exception] = []
        # What is not followed, and the line where it was met first.
        self.unfollowed: dict[str, int | None] = {}
        self.functions: dict[type, list[FunctionUse]] = {}  # custom Functions that ran, and uses of each
        self.backwards = 0
        # Node -> (step, map) of the operation that it differentiates:
        self._maps: dict[int, tuple[int, IndexMap, weakref.ref]] = {}
        self._mapped = 0  # cells in maps so far
        self._counting = COUNTED_MOVES  # how many moves of a map may still be counted
        self._arrived: Any = None  # the gradient that a node with a map got
        # (number, place) of the backward calls in progress:
        self._running: list[tuple[int, tuple | None]] = []
        self._begun: list[tuple[NodeRecord, list]] = []  # nodes in progress, with the gradients that arrived
        # The address of the tensor that is being written to, and what its storage held:
        self._before: tuple[int, Any] = (0, None)
        self._others: dict[int, tuple[int, Any]] = {}  # the same of each tensor that one operation writes to
        self._measure = Measuring()
        self.names = Names(self, scope)
        self.layers = Layers(self, self.names.models)
        self._get_global: Any = scope.namespace.get
        self.stacks = Stacks(scope, self.names.add)
        self._place = NOWHERE
        # The code that called an operation last, its callers, and its places:
        self._code: Any = None
        self._callers: tuple = ()
        self._at: dict[int, Place | None] = {}
        self._thread = get_ident()
        self.watch: Watch  # in which it is called
        self.live: Spectator | None = None  # what shows the trace while it is recorded
        self.when_full: Callable[[], None] | None = None  # to be called when it first sleeps
        self.running = True
        self.modules: dict[str, str] = {}  # what the code called its modules, at the end
        self.asleep = False
        self.condition = condition
        self.compactions = 0  # how often steps were dropped
        self.kept_rounds: list[tuple[int, int, int]] = []  # in the end: see `Keeping.kept_rounds`
        self.rounds: Rounds = Rounds(scope) if main is None else main.rounds
        self.evidence = Evidence(self.record_of)
        self.keeping: Keeping | None = None
        # The number of steps up to the last one that changed a parameter or a gradient: by now, and before the last backward call.
        self.changed = self.changed_before = 0
        self.limit = max_steps
        # Of the outermost backward call in progress: the leaves that got gradients, the loss, and whether it is limited to some inputs.
        self._leaves: list[weakref.ref[Tensor]] = []
        self._loss: float | None = None
        self._limited = False
        if main is None:
            self.limit = OVER * max_steps
            self.keeping = self.rounds.keeper = Keeping(self, asked)

    # Life -------------------------------------------------------------------------------------------------------------------------

    def start(self, frame: FrameType | None = None) -> None:
        """Record the tensors that the names in the code already mean. `frame`: the function that contains the traced block."""
        self._guard(self._look, frame)

    def stop(self, frame: FrameType | None = None) -> None:
        """Read the names a last time, and release all objects."""
        if self.keeping is not None:
            self._guard(self.keeping.end)
        self._guard(self._look, frame)
        self._guard(self.recheck_all)
        self._guard(self._find_writes_from_outside, self._exposed_storages(), None)
        self._guard(self._find_hooks)
        if self.keeping is not None:
            self._guard(self.keeping.finish)
            self.kept_rounds = self.keeping.kept_rounds()
            self.needed_records()
            self.rounds.keeper = self.keeping = None  # which refer to this recorder
        self._guard(self.names.name_the_rest, self.scope.namespace)
        for variables in self.stacks.modules.values():
            self._guard(self.names.name_the_rest, variables, self.scope.namespace)
        self.stacks.modules.clear()
        self._guard(self.names.name_by_class)
        self._guard(self.layers.close)
        self._guard(self.names.models.close)
        self.evidence.close()
        self.running = False
        live, self.events = self.events, self.events[:]
        live.clear()  # what dies from now on is appended to this one, which the weak references know
        for known in (self.storage_of, self.tensor_of, self.node_of, self._maps):
            known.clear()
        self._before = (0, None)
        self._others.clear()
        self._place = NOWHERE
        self.modules = mirrors.modules_in(self.scope.namespace)
        self.scope.namespace, self._get_global = {}, None
        mirrors.forget_classes()
        # So that no reference cycle waits for the garbage collector.
        del (
            self.names.registry,
            self.layers,
            self.unrecorded,
        )

    def failed(self, error: BaseException) -> None:
        """The traced code raised this error."""
        self._guard(self._failed, error)

    def _failed(self, error: BaseException) -> None:
        if self.keeping is not None:
            self.keeping.wake_at_the_end(True)
        where = self.stacks.of_traceback(error.__traceback__)
        self._look(None)
        self.recheck_all()
        node = self._begun[-1][0].id if self._begun else None
        call = self.backwards - 1 if self._begun else None
        self.events.append(events.raised(where, node, call, type(error).__name__, str(error)))
        self.kept += 1
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
        if self.kept >= self.limit:
            self._make_room()
        return not self.asleep

    def _make_room(self) -> None:
        """The log has become too long: drop steps."""
        if self.keeping is None:
            self.falls_asleep()
        elif not self.asleep:
            self._guard(self.keeping.full)
            if self.kept >= self.limit:  # which cannot be, unless it failed
                self.keeping.sleep()

    def needed_records(self) -> list[TensorRecord]:
        """The records of parameters of which there are figures."""
        for series in self.rounds.series:
            series.record = series.record or self.record_of(series.tensor())
        return [series.record for series in self.rounds.series if series.record is not None]

    def falls_asleep(self) -> None:
        """Record no more for a while. What was made meanwhile is described as far as there is room for it."""
        self.asleep = True
        room = max(OVER * self.max_steps - len(self.nodes), 0)
        self.unrecorded.sleeps.append(Sleep(self._newest_node + 1, room))

    def stepped(self, optimizer: Any) -> None:
        if get_ident() == self._thread:
            if not self.asleep:
                self._guard(self._met_step, optimizer, sys._getframe(1))
            self._guard(self.rounds.stepped, optimizer)
            self._stop_if_met()

    def _met_step(self, optimizer: Any, frame: FrameType) -> None:
        self.names.meet(optimizer)
        found = self.stacks.find(frame)
        if found is not None:
            self.names.models.step_at(optimizer, found[0])

    def not_followed(self, what: str) -> None:
        frame = sys._getframe(1)
        if what not in self.unfollowed:
            place = self.stacks.find(frame) if get_ident() == self._thread else None
            self.unfollowed[what] = None if place is None else _outermost(place[0]).line

    def moved(self, thread: int) -> None:
        self._thread = thread

    def entered(self, module: Any) -> None:
        if get_ident() == self._thread and not self.asleep:
            self._guard(self.layers.enter, module)

    def left(self, module: Any) -> None:
        if get_ident() == self._thread:
            self._guard(self.layers.leave, module, self.asleep)
            if not self.asleep and self.layers.innermost is None:
                self._guard(self.names.meet, module)

    # Operations -------------------------------------------------------------------------------------------------------------------

    def op(
        self,
        name: str,
        kind: str,
        inputs: tuple,
        outputs: tuple,
        node: Node,
        arguments: dict[str, Any],
        frame: FrameType | None = None,
    ) -> None:
        if get_ident() != self._thread:
            return
        self.seen += 1
        if self.kept >= self.limit:
            self._make_room()
        if self._others and kind == "write":
            self._before = self._others.pop(id(outputs[0]), NOT_WRITING)
        if not self.asleep:
            try:
                frame = frame or sys._getframe(2)
                if self._running or self._begun:
                    call, place = self._within(frame)
                else:
                    call = None
                    place = self._at.get(frame.f_lasti) if frame.f_code is self._code else None
                    if place is None or (self._callers and not called_by(frame, self._callers)):
                        place = self._locate(frame)
                    else:  # as `_locate` does it
                        last = self._place
                        if (
                            last.line != place.line
                            or last.offset >= place.offset
                            or last.code is not place.code
                        ):
                            self._look(frame, place)
                        self._place = place
                self._op(name, kind, inputs, outputs, node, arguments, call, place)
                if call is None and name in WATCHED:
                    self.evidence.note(name, inputs, outputs, arguments, place)
            except Exception as error:
                self.failures.append(error)
        live = self.live
        if live is not None and perf_counter() >= live.due:
            self._guard(live.pulse, self)

    def _within(self, frame: FrameType) -> tuple[int | None, Place | None]:
        """The number of the backward call in which an operation ran, and the place."""
        call = place = None
        if self._running:
            call, place = self._running[-1]
        else:
            self._begun.clear()  # left over from a backward pass whose error the block caught
        if self._begun:  # a hook, or the backward() of a Function, has a place of its own
            found = self.stacks.find(frame)
            if found is None or found[0] is place:
                return call, place
        return call, self._locate(frame)

    # Writes from outside --------------------------------------------------------------------------------------------------------------

    def exposed(self, root: Array) -> None:
        storage = self.storage_of.get(id(root))
        if storage is not None and storage() is root and root.size <= COMPARED:
            self.outside[storage.id] = kept_of(root)

    def _exposed_storages(self) -> list[StorageRecord]:
        return [self.storages[number] for number in self.outside]

    def _find_writes_from_outside(self, storages: Iterable[StorageRecord], place: Place | None) -> None:
        """Note what NumPy wrote to memory that it shares with tensors. Nothing reports such a write: it is found when a tensor there is used again."""
        # The target of a write that is in progress, if its hooks run other operations.
        target = self.tensor_of.get(self._before[0])
        for storage in storages:
            before, root = self.outside.get(storage.id), storage()
            if before is None or root is None or (target is not None and target.storage is storage):
                continue
            if kept_of(root) == before:
                continue
            numbers = storage.sharers if storage.sharers.__class__ is list else [storage.sharers]
            for record in [self.tensors[n] for n in numbers]:
                tensor: Any = record()
                if tensor is not None:
                    index = self.kept
                    self.seen += 1
                    self.events.append(events.operation("write", OUTSIDE, place, None, [record.id], [], None))
                    written = self._written(record, tensor, root, before)
                    self.events.append(events.wrote(index, written, None))
                    self.kept = index + 1
                    self._measure.forget()
                    break

    def writing(self, tensor: Tensor) -> None:
        try:
            self._measure.forget()
            array = tensor._a
            root = array if array.base is None else owner(array)
            if self.outside and not self.asleep and get_ident() == self._thread:
                record = self.known_tensor(tensor, self.unmet)
                self._find_writes_from_outside([record.storage], self._locate(sys._getframe(1)))
            self._before = (id(tensor), kept_of(root) if root.size <= COMPARED else None)
        except Exception as error:
            self.failures.append(error)

    def writing_several(self, tensors: Sequence[Tensor]) -> None:
        self._others.clear()
        for tensor in tensors:
            self.writing(tensor)
            self._others[id(tensor)] = self._before

    def held(self, tensor: Tensor, kept: Any) -> None:
        self._others[id(tensor)] = id(tensor), kept

    def _op(
        self,
        name: str,
        kind: str,
        inputs: tuple,
        outputs: tuple,
        node: Node,
        arguments: dict[str, Any],
        call: int | None,
        place: Place | None,
    ) -> None:
        index, tensor_of = self.kept, self.tensor_of
        reads = []
        for t in inputs:
            record = tensor_of.get(id(t))
            if record is None or record() is not t:
                if kind == "write" and getattr(t, "wrapped_number", False):
                    continue
                # If its node is younger than others of the block, it comes from a step that was not reported: an operation cut short.
                unseen = t._fn is not None and HIGHEST > t._fn._seq > self._first_node
                record = unpacked(self.tensors, t) or self.meet(
                    t, index - 1 if unseen else self.unmet, "create"
                )
            elif (
                record.fn != id(t._fn) or record.array != id(t._a) or t._rare is not None
                or record.requires is not (t._rg if t._view is None else t.requires_grad)
            ) and not (outputs and t is outputs[0]):  # fmt: skip  # this very step may have changed it
                self.recheck(record, t, index - 1)
            reads.append(record.id)
        if self.outside and kind != "write":
            self._find_writes_from_outside([self.tensors[n].storage for n in reads], place)
            index = self.kept
        number = described = None
        if node is not None:
            if kind == "write" and (base := outputs[0]._base) is not None:
                node = base._fn or node  # after a write to a view the graph has the CopySlices of its base
            if node._seq < self._first_node:
                self._first_node = node._seq
            known = self.node_of.get(id(node))
            if known is not None and known() is node:
                number = known.id
            else:
                made = reads[0] if kind == "write" else len(self.tensors)
                number = self.fresh_node(node, index, place, made)
                if number is None and (number := self.meet_node(node, index)) is not None:
                    described = self.nodes[number]
                    described.where = place
                    if (function := getattr(node, "_forward_cls", None)) is not None:
                        self._used(FunctionUse(index, function, arguments, reads))
        makes = []
        again: Sequence[tuple[TensorRecord, Any]] = ()
        for t in outputs:
            record = tensor_of.get(id(t))
            if record is None or record() is not t:
                how = kind if kind != "view" else origin_of_view(name, t)
                makes.append(self.meet(t, index, how, number if t._fn is node else None).id)
            elif kind != "write":
                self.recheck(record, t, index, True)
                again = [*again, (record, t)]
        if described is not None:
            self.note_saved(
                described,
                node,
                makes if len(makes) == len(outputs) else [tensor_of[id(t)].id for t in outputs],
            )
        self.events.append(operation(kind, name, place, call, reads, makes, number))
        self.kept = index + 1
        for record, t in again:  # x.t_(), or the result of a Function that wrote to its argument
            root = t._a if t._a.base is None else owner(t._a)
            self.events.append(events.returned(index, self._written(record, t, root, None)))
            self._recheck_sharers(record.storage, t, index)
        if kind == "write":
            self._wrote(index, outputs[0])
        if name in FAMILY_NAMES and arguments and self._mapped < MAPPED:
            self._map(name, number, index, inputs, outputs, arguments)
        if kind == "write":
            self._before = NOT_WRITING

    def _used(self, use: FunctionUse) -> None:
        """Keep how a custom Function was called, if its arguments are tensors and plain numbers: the first times, and the last one, whose step
        is left when those of a long run are dropped."""
        uses = self.functions.setdefault(use.function, [])
        if all(isinstance(value, PLAIN) for value in use.arguments.values()):
            del uses[USES - 1 :]
            uses.append(use)

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
            return  # on a device, from which only a few elements are copied
        before = None
        if self._before[0] == id(outputs[0]) and self._before[1] is not None:
            before = array_of(self._before[1])
        made = IndexMap(name, inputs, outputs, arguments, before, self._number, self._counting)
        self.events.append(events.mapped(index, made.made))
        self._counting = max(self._counting - made.moves.total, MAP_COUNTED)
        self._mapped += made.cells
        if node is not None:
            gone = weakref.ref(self.nodes[node](), lambda _, maps=self._maps: maps.pop(node, None))
            self._maps[node] = (index, made, gone)

    def _number(self, tensor: Tensor) -> int | None:
        record = self.record_of(tensor)
        return None if record is None else record.id

    def _wrote(self, index: int, target: Tensor) -> None:
        record = self.known_tensor(target, None)
        before = self._before[1] if self._before[0] == id(target) else None
        array, storage = target._a, record.storage
        root = array if array.base is None else owner(array)
        if (
            storage() is not root or record.array != id(array) or record.fn != id(target._fn) or target._rare is not None
            or record.requires is not (target._rg if target._view is None else target.requires_grad)
        ):  # fmt: skip
            self.recheck(record, target, index, True)  # a tensor given as `out=` may have new memory
            storage = record.storage
        written = self._written(record, target, root, before)
        self._recheck_sharers(storage, target, index)
        whose = self.grads.get(record.id)
        grad = None
        if whose is not None or record.id in self.accumulators:
            self.changed = self.kept
        if whose is not None:
            same = before is not None and before[0] == target._a.size
            was = measure(array_of(before).reshape(target._a.shape)) if same else None
            grad = events.grad_write(whose, was, measure(target._a))
        self.events.append(events.wrote(index, written, grad))

    def _recheck_sharers(self, storage: StorageRecord, target: Tensor, index: int) -> None:
        """After a write to a tensor, note what changed about others on its storage: a view, or its base, has a new grad_fn."""
        if storage.sharers.__class__ is list:
            others = [other for number in storage.sharers if (other := self.tensors[number])() is not None]
            storage.sharers = [other.id for other in others]
            for other in others:
                t: Any = other()
                if other.fn != id(t._fn) or t is not target:
                    self.recheck(other, t, index, True)

    def _written(self, record: TensorRecord, target: Tensor, root: Array, before: Any) -> Plain[Write]:
        """What a write left."""
        cell, changed, n = target._vc, None, root.size
        if before is not None and n == before[0] and root.dtype == before[1]:
            changed = before if n <= WHOLE else places_that_differ(array_of(before), on_host(root.ravel("K")))
        version = cell[0] if cell.__class__ is list else target._writes
        counter = cell if cell is not None else target._counter
        held = n, self.look(root)
        storage = record.storage.id
        if storage in self.outside:
            self.outside[storage] = kept_of(root)
        return events.write(record.id, storage, counter, version, target._a.size, changed, held, root.dtype)

    # Backward ---------------------------------------------------------------------------------------------------------------------

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        call, where, ours = self.backwards, None, get_ident() == self._thread
        try:
            if ours and not self.asleep:
                where = self._locate(sys._getframe(2))
        except Exception as error:
            self.failures.append(error)
        self._running.append((call, where))
        self.backwards = call + 1
        if len(self._running) == 1:
            self._leaves = []
            self.changed_before = self.changed
            self._loss = None if inputs is not None else loss_of(roots)
            self._limited = inputs is not None
        if self._awake():
            self._guard(self._backward, call, where, roots, gradients, inputs)

    def _backward(
        self, call: int, where: Place | None, roots: tuple, gradients: tuple, inputs: tuple | None
    ) -> None:
        self._find_hooks()
        if self.outside:
            self._find_writes_from_outside(self._exposed_storages(), where)
        index = self.kept
        numbers = []
        for t in roots:
            record = self.known_tensor(t, self.unmet)
            numbers.append(record.id)
            if (
                record.fn != id(t._fn)
                or record.array != id(t._a)
                or t._rare is not None
                or t._view is not None
            ):
                self.recheck(record, t, index - 1)
        if inputs is None and len(self._running) == 1:
            self.evidence.began(record if len(roots) == 1 else None)
        name = "backward" if inputs is None else "grad"
        self.events.append(events.backward(name, where, call, numbers, [*map(self._measure, gradients)]))
        self.kept = index + 1

    @property
    def in_backward(self) -> bool:
        """Whether a backward call is in progress."""
        return bool(self._running)

    def _find_hooks(self) -> None:
        find_hooks(self, self.scope.filename, self.stacks.user, self.kept - (not self._running))

    def backward_done(self, error: BaseException | None) -> None:
        if self._running:
            self._running.pop()
        if error is None and not self._running:
            self.events.append(events.backward_done())
            self._measure.forget()
            self._begun.clear()
            leaves, self._leaves = self._leaves, []
            if get_ident() == self._thread and not self._limited:
                # (If it fell asleep in this very call, not all leaves were reported.)
                known = None if self.asleep else [leaf for r in leaves if (leaf := r()) is not None]
                self._guard(self.rounds.ran, self._loss, known)
            self._stop_if_met()

    def _stop_if_met(self) -> None:
        """Stop the program if the expression that was named is true now."""
        if self.condition is None or get_ident() != self._thread:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.stacks.user.runs(frame):
            frame = frame.f_back
        if frame is not None and self.condition.is_met(frame):
            raise Stopped(self.condition.text)

    def node_begins(self, node: Node, gradients: Sequence) -> None:
        if get_ident() == self._thread and not self.asleep:
            try:
                record = self.node_of.get(id(node))
                if record is None or record() is not node:
                    number = self.meet_node(node, self.kept)
                    if number is None:
                        return
                    record = self.nodes[number]
                if self.unrecorded.sleeps:
                    self.follow(record, node)
                arrived = []
                for g in gradients:
                    if g.__class__ is ndarray and g.size <= WHOLE:
                        arrived.append((g.shape, g.dtype, g.tobytes(), None))
                    else:
                        arrived.append(self._measure(g))
                self._begun.append((record, arrived))
                if record.id in self._maps:
                    self._arrived = gradients[0]
            except Exception as error:
                self.failures.append(error)

    def node_done(self, node: Node, gradients: Sequence) -> None:
        if get_ident() != self._thread:
            return
        self.seen += 1
        if self.kept >= self.limit:
            self._make_room()
        if self.asleep or not self._begun or self._begun[-1][0]() is not node:
            return
        try:
            record, arrived = self._begun.pop()
            call, where = self._running[-1] if self._running else (None, None)
            sent: list[Any] = []
            for edge, target, g in zip(node._next, record.next, gradients):  # noqa: B905
                if g is None or target is None:
                    sent.append(None)
                    continue
                shape, dtype, kind = g.shape, g.dtype, edge.__class__
                if kind is Tensor or kind is fast.Parameter:
                    array = edge._a
                    fits = array.shape == shape and array.dtype is dtype
                else:
                    fits = (
                        kind is not Edge
                        and edge._outputs == 1
                        and edge._shape == shape
                        and edge._dtype is dtype
                    )
                if not fits:
                    sent.append(self._measure(fitted(g, edge)))
                elif g.__class__ is ndarray and g.size <= WHOLE:
                    sent.append((shape, dtype, g.tobytes(), None))
                else:
                    sent.append(self._measure.sent(g, target))
            if record.id in self._maps and self._mapped < MAPPED:
                self._map_backward(record.id, node, gradients)
            self.events.append(node_ran(record.id, where, call, arrived, sent))
            self.kept += 1
        except Exception as error:
            self.failures.append(error)

    def _map_backward(self, number: int, node: Node, gradients: Sequence) -> None:
        """Add the index map of its own backward to a node."""
        at, forward, _ = self._maps[number]
        pairs = zip(node._next, gradients, strict=False)
        fit = [None if g is None or e is None else fitted(g, e) for e, g in pairs]
        made = forward.backward(at, *written_part(node, self._arrived, fit))
        self.events.append(events.mapped(self.kept, made))
        self._arrived = None
        self._mapped += forward.cells

    def keep(self, array: Array) -> tuple:
        """A measured `.grad`, and a copy of its contents if they are small: what `accumulated` gets as `before`."""
        if array.__class__ is ndarray and array.size <= WHOLE and array.flags.c_contiguous:
            data = array.tobytes()
            return (array.shape, array.dtype, data, None), (array.size, array.dtype, data)
        return measure(array), kept_of(array) if array.size <= COMPARED else None

    def accumulated(self, tensor: Tensor, before: Any, added: Any, after: Any) -> Any:
        now = None
        if get_ident() == self._thread:
            if tensor._fn is None and len(self._running) == 1:
                self._leaves.append(weakref.ref(tensor))
            if self._awake():
                try:
                    now = self._accumulated(tensor, before, added, after)
                except Exception as error:
                    self.failures.append(error)
            live = self.live
            if live is not None and perf_counter() >= live.due:
                self._guard(live.pulse, self)
        return now

    def _accumulated(self, tensor: Tensor, before: Any, added: Any, after: Any) -> tuple | None:
        index, tensor_of = self.kept, self.tensor_of
        call, where = self._running[-1] if self._running else (None, None)
        known = tensor_of.get(id(tensor))
        if known is None or known() is not tensor:
            known = self.known_tensor(tensor, self.unmet)
        number = known.id
        leaf = tensor._fn is None
        if leaf:
            node = self.accumulators.get(number)
            if node is None:
                node = self.accumulator(known)
        else:
            node = self.meet_node(tensor._fn, index)
        grad = tensor._grad
        if after.__class__ is ndarray and after.size <= WHOLE:
            now = add = (after.shape, after.dtype, after.tobytes(), None)
            if after is not added:
                add = self._measure(added)
        elif after is added:
            now = add = self._measure(added)
        else:
            now, add = measure(after), self._measure(added)
        record = tensor_of.get(id(grad))
        was, makes, written = None, None, None
        if before is not None:
            was, contents_before = before
        if record is None or record() is not grad:
            record = self.meet(grad, index, "create")
            makes = record.id
        elif before is not None and (grad._vc[0] if grad._vc.__class__ is list else grad._writes):
            # (The version is 0 if the .grad is another tensor than before: a sum that was recorded as an operation.)
            written = self._written(record, grad, owner(grad._a), contents_before)
        if self._grad_of.get(number) != record.id:
            self.link_grad(index, number, record.id)
        self.events.append(
            accumulated(number, where, call, node, leaf, tensor._nr, was, add, now, makes, written)
        )
        self.kept = self.changed = index + 1
        return (now, None) if after.size > COMPARED else None  # small ones are copied when they are needed

    def grad_assigned(self, tensor: Tensor, before: Any, after: Any) -> None:
        if self._awake():
            self._guard(self._grad_assigned, tensor, before, after)

    def _grad_assigned(self, tensor: Tensor, before: Any, after: Any) -> None:
        index = self.kept
        place = self._locate(sys._getframe(2))
        number = self.known_tensor(tensor, self.unmet).id
        assigned = None if after is None else self.known_tensor(tensor._grad, index - 1).id
        self.link_grad(index, number, assigned)
        self.events.append(events.assigned(number, place, assigned, measure(before), measure(after)))
        self.kept = self.changed = index + 1

    def marking(self, tensor: Tensor) -> None:
        if get_ident() == self._thread and not self.asleep:
            self._guard(self._marking, tensor)

    def _marking(self, tensor: Tensor) -> None:
        self.recheck(self.known_tensor(tensor, self.unmet), tensor, self.kept - 1)

    def marked(self, name: str, tensor: Tensor) -> None:
        if self._awake():
            self._guard(self._marked, name, tensor)

    def _marked(self, name: str, tensor: Tensor) -> None:
        index = self.kept
        frame = sys._getframe(2)
        in_backward = self._running or self._begun
        call, place = self._within(frame) if in_backward else (None, self._locate(frame))
        record = self.known_tensor(tensor, self.unmet)
        self.recheck(record, tensor, index, True)
        self._recheck_sharers(record.storage, tensor, index)
        self.events.append(events.marked(name, place, call, record.id))
        self.kept = index + 1

    def hookable(self, node: Node) -> None:
        self.hookables.append(weakref.ref(node))

    def released(self, node: Node) -> None:
        record = self.node_of.get(id(node))
        if (
            record is not None
            and record() is node
            and self.kept
            and not self.asleep
            and get_ident() == self._thread
        ):
            self.events.append(record)

    # Places and names -------------------------------------------------------------------------------------------------------------

    def _locate(self, frame: FrameType) -> Place | None:
        """The place from which `frame` was called. Looks at the names again if another statement may have begun."""
        found = self.stacks.find(frame)
        if found is None:
            return None
        place, inner, known = found
        last = self._place
        if last.line != place.line or last.offset >= place.offset or last.code is not place.code:
            # (At the same place a function of a library goes on, such as the step of an optimizer, or is called once more.)
            self._look(inner, place, inner is frame or place is not last)
        self._place = place
        if inner is frame:
            self._code, self._callers, self._at = frame.f_code, known.callers, known.places
        return place

    def _look(self, frame: FrameType | None, place: Place | None = None, deep: bool = True) -> None:
        """Read the names again. In functions of other cells and files the variables of the traced code are not looked into."""
        if self.asleep:
            return
        names = self.names
        names.look(names.globals, self._get_global, deep and (place is None or place.here))
        # A function, which has variables of its own.
        if frame is not None and frame.f_code.co_flags & CO_OPTIMIZED:
            names.look_local(frame, deep)
        elif names.functions:
            names.leave_functions()


def _outermost(place: Place) -> Place:
    """The place in the traced code from which a place was reached."""
    while place.caller is not None:
        place = place.caller
    return place
