"""Removes steps from the log while the recorder goes on recording, and removes the records that only these steps needed.

Note [Gaps]: a *gap* is one step that replaces many removed steps. It holds their effects that can still be seen: the last contents of each
storage that they wrote to, the last `.grad` of each tensor, and (as events after it) the last state of each tensor that they changed. So what a
document says about a tensor after a gap is right, as if no step were missing. A gap event has a dict of writes, by storage and version counter,
and a dict of gradients, by tensor: (before, after).

Then the records that are left get new numbers, without gaps between the numbers. A record stays if its object still exists, or if a kept event
refers to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jgrad.tracing.record.events import (
    ACCUMULATE,
    ASSIGNED,
    BACKWARD,
    CHANGE,
    DONE,
    ERROR,
    GAP,
    MAP,
    NODE,
    OP,
    SEEN,
    WITHIN,
    WRITTEN,
)
from jgrad.tracing.record.records import NodeRecord, StorageRecord, TensorRecord

if TYPE_CHECKING:
    from jgrad.tracing.record.recorder import Recorder

STEPS = frozenset((OP, BACKWARD, NODE, ACCUMULATE, ASSIGNED, ERROR, GAP))

# First and last step (exclusive) that are dropped, and the first and last round that they are part of (None: there are no rounds).
Dropped = tuple[int, int, int | None, int | None]


def drop(recorder: Recorder, ranges: Sequence[Dropped]) -> Callable[[int], int]:
    """Put a gap in place of each of these ranges of steps, which are in order and do not touch. Returns the new number of each old step."""
    step_at = _numbering(recorder.kept, ranges)
    count = len(recorder.events)  # what dies meanwhile is appended
    folded = _fold(recorder.events[:count], ranges)
    kept = _Kept(recorder)
    kept.mark(folded)
    renumbered = _Renumbering(recorder, kept, step_at, ranges)
    recorder.events[:count] = renumbered.events(folded)
    renumbered.records()
    recorder.kept = step_at(recorder.kept)
    recorder.compactions += 1
    return step_at


def _numbering(end: int, ranges: Sequence[Dropped]) -> Callable[[int], int]:
    numbers = [-1]  # of step -1, which is before the block
    number = 0
    for first, last, _, _ in ranges:
        numbers += range(number, number + first - len(numbers) + 1)
        number = numbers[-1] + 1
        numbers += [number] * (last - first)
        number += 1
    numbers += range(number, number + end + 2 - len(numbers))
    return lambda step: numbers[step + 1]


# What the dropped steps did -----------------------------------------------------------------------------------------------------------


class _Fold:
    """The effects of a range of dropped steps."""

    def __init__(self, dropped: Dropped) -> None:
        self.begin, self.last, self.first_round, self.last_round = dropped
        self.steps: int | None = self.last - self.begin
        self.writes: dict[tuple[int, int], tuple] = {}
        self.grads: dict[int, tuple[Any, Any]] = {}
        self.changes: dict[int, tuple] = {}  # by the address of the record
        self.others: list[Any] = []  # records of what died
        self.within: list[Any] = []  # the last change of the module that runs
        self.after: list[Any] = []  # what belongs to the step after the gap, and came before it

    def add(self, event: Any) -> None:
        if event.__class__ is not tuple:
            self.others.append(event)
            return
        kind = event[0]
        if kind == WRITTEN:
            self._write(event[2])
            if event[3] is not None:
                self._grad(*event[3])
        elif kind == SEEN:
            self._write(event[2])
        elif kind == CHANGE and event[2] >= self.last:
            self.after.append(event)
        elif kind == CHANGE:
            self.changes[id(event[1])] = event
        elif kind == ACCUMULATE:
            self._grad(event[1], event[7], event[9])
            if event[11] is not None:
                self._write(event[11])
        elif kind == ASSIGNED:
            self._grad(event[1], event[4], event[5])
        elif kind == GAP:
            self._gap(*event[1:])
        elif kind == WITHIN:
            self.within = [event]

    def _gap(self, first: int | None, last: int | None, steps: int | None, writes: dict, grads: dict) -> None:
        if first is not None and (self.first_round is None or first < self.first_round):
            self.first_round = first
        if last is not None and (self.last_round is None or last > self.last_round):
            self.last_round = last
        self.steps = None if steps is None or self.steps is None else self.steps - 1 + steps
        for written in writes.values():
            self._write(written)
        for whose, (before, after) in grads.items():
            self._grad(whose, before, after)

    def _write(self, written: tuple) -> None:
        """The last contents of a storage; which elements differ from those before the gap is not known."""
        key = written[1], id(written[2])
        self.writes.pop(key, None)  # so that the last one comes last
        self.writes[key] = (*written[:5], None, *written[6:])

    def _grad(self, whose: int, before: Any, after: Any) -> None:
        known = self.grads.get(whose)
        self.grads[whose] = (before if known is None else known[0], after)

    def events(self) -> list[Any]:
        gap = (GAP, self.first_round, self.last_round, self.steps, self.writes, self.grads)
        return [gap, *self.changes.values(), *self.others, *self.within, *self.after]


def _fold(events: list[Any], ranges: Sequence[Dropped]) -> list[Any]:
    """The events, with a gap in place of each range of steps."""
    result: list[Any] = []
    todo = iter(ranges)
    current = next(todo, None)
    fold: _Fold | None = None
    step = -1
    for event in events:
        if event.__class__ is tuple and event[0] in STEPS:
            step += 1
            if fold is not None and current is not None and step >= current[1]:
                result += fold.events()
                fold, current = None, next(todo, None)
            if fold is None and current is not None and step >= current[0]:
                fold = _Fold(current)
        if fold is None:
            result.append(event)
        elif (
            event.__class__ is tuple and event[0] in (CHANGE, WRITTEN, SEEN) and _step_of(event) < fold.begin
        ):
            result.append(event)  # of a step before
        else:
            fold.add(event)
    if fold is not None:
        result += fold.events()
    return result


def _step_of(event: tuple) -> int:
    return event[2] if event[0] == CHANGE else event[1]


# What is left -------------------------------------------------------------------------------------------------------------------------


class _Kept:
    """The tensors, storages and nodes whose records stay: those that still exist, and those to which a kept event refers."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.tensors = {r.id for r in recorder.tensors if r() is not None}
        self.storages = {r.id for r in recorder.storages if r() is not None}
        self.nodes = {r.id for r in recorder.nodes if r() is not None}
        self.tensors |= {r.id for r in recorder.needed_records()}

    def mark(self, events: list[Any]) -> None:
        tensors, nodes = self.tensors, self.nodes
        changes: list[tuple] = []
        gaps: list[tuple] = []
        for event in events:
            if event.__class__ is not tuple:
                continue
            kind = event[0]
            if kind == OP:
                tensors.update(event[5])
                tensors.update(event[6])
                nodes.add(event[7])
            elif kind == NODE:
                nodes.add(event[1])
            elif kind == ACCUMULATE:
                tensors.add(event[1])
                nodes.add(event[4])
                tensors.add(event[10])
                self._written(event[11])
            elif kind == BACKWARD:
                tensors.update(event[4])
            elif kind == ASSIGNED:
                tensors.add(event[1])
                tensors.add(event[3])
            elif kind == ERROR:
                nodes.add(event[2])
            elif kind in (WRITTEN, SEEN):
                self._written(event[2])
                if kind == WRITTEN and event[3] is not None:
                    tensors.add(event[3][0])
            elif kind == GAP:
                gaps.append(event)
            elif kind == CHANGE:
                changes.append(event)
            elif kind == MAP and event[2] is not None:
                tensors.update(_grids(event[2]))
        tensors.discard(None)
        self._close(changes)
        # What gaps wrote to storages that are kept only because a step names them counts too.
        for gap in gaps:
            for key, written in list(gap[4].items()):
                if written[1] in self.storages:
                    tensors.add(written[0])
                else:
                    del gap[4][key]
        self._close(changes)

    def _written(self, written: tuple | None) -> None:
        if written is not None:
            self.tensors.add(written[0])
            self.storages.add(written[1])

    def _close(self, changes: list[tuple]) -> None:
        """Add the records to which the kept tensors refer."""
        recorder = self.recorder
        for number in list(self.nodes):
            if number is not None and recorder.nodes[number].variable is not None:
                self.tensors.add(recorder.nodes[number].variable)  # type: ignore[arg-type]
        todo = list(self.tensors)
        for number in todo:  # grows while it is walked
            raw = recorder.tensors[number].raw
            self.storages.add(raw[3])
            self.storages.add(recorder.tensors[number].storage.id)
            self.nodes.add(raw[14])
            if raw[10] is not None and raw[10] not in self.tensors:
                self.tensors.add(raw[10])
                todo.append(raw[10])
        for event in changes:
            if event[1].id in self.tensors:
                self.storages.add(event[4][4])
                self.nodes.add(event[4][2])
        # (A node that comes in here may be the AccumulateGrad of a leaf that is not kept.)
        self.nodes = {
            n for n in self.nodes
            if n is not None and (recorder.nodes[n].variable is None or recorder.nodes[n].variable in self.tensors)
        }  # fmt: skip


def _grids(made: dict[str, Any]) -> list[Any]:
    return [
        grid["tensor"] for grid in (*made["indices"], made["source"], made["before"], made["target"]) if grid
    ]


class _Numbers(dict[int | None, int]):
    """New numbers of records. The new number of a removed record, and of None, is None."""

    def __init__(self, kept: Iterable[int]) -> None:
        super().__init__({old: new for new, old in enumerate(sorted(kept))})

    def __missing__(self, old: int | None) -> Any:
        return None


class _Renumbering:
    """Gives steps and the records that are kept their new numbers. Backward calls keep theirs; what is left of one that was dropped has none."""

    def __init__(
        self, recorder: Recorder, kept: _Kept, step_at: Callable[[int], int], ranges: Sequence[Dropped]
    ) -> None:
        self.recorder = recorder
        self.ranges = ranges
        self.step = step_at
        self.tensor = _Numbers(kept.tensors)
        self.storage = _Numbers(kept.storages)
        self.node = _Numbers(kept.nodes)
        self.call = _Numbers(())
        self.dropped_maps = 0

    # Events -----------------------------------------------------------------------------------------------------------------------

    def events(self, events: list[Any]) -> list[Any]:
        result: list[Any] = []
        for event in events:
            if event.__class__ is tuple:
                event = getattr(self, HANDLERS[event[0]])(*event) if event[0] in HANDLERS else event
            elif self._numbers_of(event)[event.id] is None:
                continue
            if event is not None:
                result.append(event)
        return result

    def _numbers_of(self, record: Any) -> _Numbers:
        kind = record.__class__
        return self.tensor if kind is TensorRecord else self.storage if kind is StorageRecord else self.node

    def _op(
        self,
        code: int,
        kind: str,
        name: str,
        place: Any,
        call: int | None,
        reads: list,
        makes: list,
        node: Any,
    ) -> tuple:
        tensor = self.tensor
        return (
            code, kind, name, place, self.call[call], [tensor[n] for n in reads], [tensor[n] for n in makes], self.node[node],
        )  # fmt: skip

    def _backward(self, code: int, name: str, place: Any, call: int, roots: list, gradients: list) -> tuple:
        self.call[call] = call
        return code, name, place, self.call[call], [self.tensor[n] for n in roots], gradients

    def _node(self, code: int, node: int, place: Any, call: int | None, arrived: list, sent: list) -> tuple:
        return code, self.node[node], place, self.call[call], arrived, sent

    def _accumulate(
        self, code: int, tensor: int, place: Any, call: int | None, node: int | None, leaf: bool, output: int, before: Any, add: Any,
        after: Any, makes: int | None, written: tuple | None,
    ) -> tuple:  # fmt: skip
        return (
            code, self.tensor[tensor], place, self.call[call], self.node[node], leaf, output, before, add, after, self.tensor[makes],
            None if written is None else self._written_by(written),
        )  # fmt: skip

    def _assigned(
        self, code: int, tensor: int, place: Any, grad: int | None, before: Any, after: Any
    ) -> tuple:
        return code, self.tensor[tensor], place, self.tensor[grad], before, after

    def _error(self, code: int, place: Any, node: int | None, call: int | None, raised: dict) -> tuple:
        return code, place, self.node[node], self.call[call], raised

    def _gap(
        self, code: int, first: int | None, last: int | None, steps: int | None, writes: dict, grads: dict
    ) -> tuple:
        renamed = {(self.storage[key[0]], key[1]): self._written_by(w) for key, w in writes.items()}
        known = {self.tensor[whose]: pair for whose, pair in grads.items() if whose in self.tensor}
        return code, first, last, steps, renamed, known

    def _change(self, code: int, record: TensorRecord, step: int, own: bool, state: tuple) -> tuple | None:
        if record.id not in self.tensor:
            return None
        state = (*state[:2], self.node[state[2]], state[3], self.storage[state[4]], *state[5:])
        return code, record, self.step(step), own, state

    def _written(self, code: int, step: int, written: tuple, grad: tuple | None = None) -> tuple:
        if grad is not None:
            grad = (self.tensor[grad[0]], *grad[1:])
        return code, self.step(step), self._written_by(written), grad

    def _seen(self, code: int, step: int, written: tuple) -> tuple:
        return code, self.step(step), self._written_by(written)

    def _dropped(self, step: int) -> bool:
        return any(first <= step < last for first, last, _, _ in self.ranges)

    def _map(self, code: int, step: int, made: dict[str, Any] | None) -> tuple | None:
        if made is not None:
            if self._dropped(made.get("forward_step", -1)):
                return None  # it shows the way back through a step that is gone
            made = dict(made)
            for key in ("source", "before", "target"):
                if made[key]:
                    made[key] = made[key] | {"tensor": self.tensor[made[key]["tensor"]]}
            made["indices"] = [grid | {"tensor": self.tensor[grid["tensor"]]} for grid in made["indices"]]
            if "forward_step" in made:
                made["forward_step"] = self.step(made["forward_step"])
        return code, self.step(step), made

    def _written_by(self, written: tuple) -> tuple:
        return (self.tensor[written[0]], self.storage[written[1]], *written[2:])

    # Records ----------------------------------------------------------------------------------------------------------------------

    def records(self) -> None:
        recorder = self.recorder
        recorder.tensors[:] = [self._tensor_record(r) for r in recorder.tensors if r.id in self.tensor]
        recorder.storages[:] = [self._storage_record(r) for r in recorder.storages if r.id in self.storage]
        recorder.nodes[:] = [self._node_record(r) for r in recorder.nodes if r.id in self.node]
        for known in (recorder.tensor_of, recorder.storage_of, recorder.node_of):
            alive = {key: record for key, record in known.items() if record() is not None}
            known.clear()
            known.update(alive)  # type: ignore[arg-type]
        self._registry()
        self._names()

    def _tensor_record(self, record: TensorRecord) -> TensorRecord:
        record.id = self.tensor[record.id]
        record.state = None
        raw = record.raw
        record.raw = (
            self.step(raw[0]), self.step(raw[1]), raw[2], self.storage[raw[3]], *raw[4:10], self.tensor[raw[10]], *raw[11:14],
            self.node[raw[14]], raw[15],
        )  # fmt: skip
        return record

    def _storage_record(self, record: StorageRecord) -> StorageRecord:
        record.id = self.storage[record.id]
        record.raw = (self.step(record.raw[0]), *record.raw[1:])
        record.born = self.step(record.born)
        sharers = record.sharers if isinstance(record.sharers, list) else [record.sharers]
        record.sharers = [self.tensor[n] for n in sharers if n in self.tensor]
        if len(record.sharers) == 1:
            (record.sharers,) = record.sharers
        return record

    def _node_record(self, record: NodeRecord) -> NodeRecord:
        record.id, record.variable = self.node[record.id], self.tensor[record.variable]
        following: list[int | tuple[int, int] | None] = []
        for edge in record.next:
            if isinstance(edge, tuple):
                number = self.node[edge[0]]
                following.append(None if number is None else (number, edge[1]))
            else:
                following.append(self.node[edge])
        record.next = following
        record.saved = [(name, self.tensor[tensor], version) for name, tensor, version in record.saved]
        record.born = None if record.born is None else self.step(record.born)
        record.seen = self.step(record.seen)
        record.hooks = [(self.step(step), *rest) for step, *rest in record.hooks]  # type: ignore[misc]
        return record

    def _registry(self) -> None:
        """What the recorder knows by number."""
        recorder, tensor, node = self.recorder, self.tensor, self.node
        recorder.accumulators = {
            tensor[leaf]: node[n] for leaf, n in recorder.accumulators.items() if leaf in tensor and n in node
        }
        recorder.grads = {
            tensor[g]: tensor[whose] for g, whose in recorder.grads.items() if g in tensor and whose in tensor
        }
        recorder._grad_of = {
            tensor[whose]: tensor[g]
            for whose, g in recorder._grad_of.items()
            if g in tensor and whose in tensor
        }
        recorder._maps = {}  # the weak references to their nodes know the old numbers
        recorder.grad_links = [
            (self.step(step), tensor[grad], tensor[whose])
            for step, grad, whose in recorder.grad_links
            if grad in tensor and (whose is None or whose in tensor)
        ]
        recorder.outside = {
            self.storage[s]: held for s, held in recorder.outside.items() if s in self.storage
        }
        recorder.hookables = [r for r in recorder.hookables if r() is not None]
        recorder.functions = {
            function: [
                (self.step(step), cls, arguments, [tensor[n] for n in numbers])
                for step, cls, arguments, numbers in uses
                if not self._dropped(step)
            ]
            for function, uses in recorder.functions.items()
        }

    def _names(self) -> None:
        """The names without those of removed tensors. If a name changed several times in a gap, only the last change is kept."""
        names, tensor = self.recorder.names, self.tensor
        last: dict[tuple[int, str], int | None] = {}
        for step, name, number in names.bindings:
            key = self.step(step), name
            last.pop(key, None)
            last[key] = tensor[number]
        means: dict[str, int | None] = {}
        bindings = []
        for (step, name), number in last.items():
            if number is not None or means.get(name) is not None:
                bindings.append((step, name, number))
            means[name] = number
        names.renumber(bindings, tensor)
        names.models.renumber(self.step, tensor)


HANDLERS = {
    OP: "_op", BACKWARD: "_backward", NODE: "_node", ACCUMULATE: "_accumulate", ASSIGNED: "_assigned", ERROR: "_error",
    GAP: "_gap", CHANGE: "_change", WRITTEN: "_written", SEEN: "_seen", MAP: "_map",
}  # fmt: skip
assert DONE not in HANDLERS
assert WITHIN not in HANDLERS
