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
from typing import TYPE_CHECKING, Any, NamedTuple

from jgrad.tracing.record import events
from jgrad.tracing.record.declared import Plain, read, replaced
from jgrad.tracing.record.events import (
    STEPS,
    Accumulated,
    Assigned,
    Backward,
    Changed,
    Gap,
    GradChange,
    GradWrite,
    Mapped,
    Noted,
    Returned,
    Within,
    Write,
    Wrote,
    kind_of,
    told,
)
from jgrad.tracing.record.records import (
    FunctionUse,
    NodeRecord,
    StorageRecord,
    TensorMet,
    TensorRecord,
    TensorState,
)
from jgrad.tracing.record.references import Marks, Numbers, marking, renumbering, renumbering_record

if TYPE_CHECKING:
    from jgrad.tracing.record.recorder import Recorder


class Dropped(NamedTuple):
    """Steps that are dropped, and the rounds that they are part of (None: there are no rounds)."""

    first: int
    end: int
    first_round: int | None
    last_round: int | None


def drop(recorder: Recorder, ranges: Sequence[Dropped]) -> dict[int | None, Any]:
    """Put a gap in place of each of these ranges of steps, which are in order and do not touch. Returns the new number of each old step."""
    steps = _numbering(recorder.kept, ranges)
    count = len(recorder.events)  # what dies meanwhile is appended
    folded = _fold(recorder.events[:count], ranges)
    kept = _Kept(recorder)
    kept.mark(folded)
    renumbered = _Renumbering(recorder, kept, steps, ranges)
    recorder.events[:count] = renumbered.events(folded)
    renumbered.records()
    recorder.kept = steps[recorder.kept]
    recorder.compactions += 1
    return steps


def _numbering(end: int, ranges: Sequence[Dropped]) -> dict[int | None, Any]:
    """The new number of each step up to one after the end, and of -1, which is before the block."""
    numbers = [-1]
    number = 0
    for dropped in ranges:
        numbers += range(number, number + dropped.first - len(numbers) + 1)
        number = numbers[-1] + 1
        numbers += [number] * (dropped.end - dropped.first)
        number += 1
    numbers += range(number, number + end + 2 - len(numbers))
    return {None: None, **dict(enumerate(numbers, -1))}


# What the dropped steps did -----------------------------------------------------------------------------------------------------------


class _Fold:
    """The effects of a range of dropped steps."""

    def __init__(self, dropped: Dropped) -> None:
        self.begin, self.end = dropped.first, dropped.end
        self.first_round, self.last_round = dropped.first_round, dropped.last_round
        self.steps: int | None = self.end - self.begin
        self.writes: dict[tuple[int, int], Plain[Write]] = {}
        self.grads: dict[int, Plain[GradChange]] = {}
        self.changes: dict[int, Noted] = {}  # by the address of the record
        self.others: list[Noted] = []  # records of what died
        self.within: list[Noted] = []  # the last change of the module that runs
        self.after: list[Noted] = []  # what belongs to the step after the gap, and came before it

    def add(self, noted: Noted) -> None:
        kind = kind_of(noted)
        if kind is Within:
            self.within = [noted]
        elif kind is Changed:
            self._change(noted, told(noted))
        elif kind in FOLDED:
            FOLDED[kind](self, told(noted))
        elif kind in RECORDS:
            self.others.append(noted)

    def _change(self, noted: Noted, event: Changed) -> None:
        if event.step >= self.end:
            self.after.append(noted)
        else:
            self.changes[id(event.record)] = noted

    def _wrote(self, event: Wrote) -> None:
        self._write(event.write)
        if event.grad is not None:
            grad = read(GradWrite, event.grad)
            self._grad(grad.tensor, grad.before, grad.after)

    def _returned(self, event: Returned) -> None:
        self._write(event.write)

    def _accumulated(self, event: Accumulated) -> None:
        self._grad(event.tensor, event.before, event.after)
        if event.write is not None:
            self._write(event.write)

    def _assigned(self, event: Assigned) -> None:
        self._grad(event.tensor, event.before, event.after)

    def _gap(self, gap: Gap) -> None:
        first, last = gap.first_round, gap.last_round
        if first is not None and (self.first_round is None or first < self.first_round):
            self.first_round = first
        if last is not None and (self.last_round is None or last > self.last_round):
            self.last_round = last
        self.steps = None if gap.steps is None or self.steps is None else self.steps - 1 + gap.steps
        for written in gap.writes.values():
            self._write(written)
        for whose, known in gap.grads.items():
            change = read(GradChange, known)
            self._grad(whose, change.before, change.after)

    def _write(self, written: Plain[Write]) -> None:
        """The last contents of a storage; which elements differ from those before the gap is not known."""
        write = read(Write, written)
        key = write.storage, id(write.counter)
        self.writes.pop(key, None)  # so that the last one comes last
        self.writes[key] = replaced(Write, written, changed=None)

    def _grad(self, whose: int, before: Any, after: Any) -> None:
        known = self.grads.get(whose)
        before = before if known is None else read(GradChange, known).before
        self.grads[whose] = events.grad_change(before, after)

    def events(self) -> list[Noted]:
        gap = events.gap(self.first_round, self.last_round, self.steps, self.writes, self.grads)
        return [gap, *self.changes.values(), *self.others, *self.within, *self.after]


RECORDS = frozenset((TensorRecord, StorageRecord, NodeRecord))
FOLDED: dict[type, Callable[[_Fold, Any], None]] = {
    Wrote: _Fold._wrote,
    Returned: _Fold._returned,
    Accumulated: _Fold._accumulated,
    Assigned: _Fold._assigned,
    Gap: _Fold._gap,
}


def _fold(noted: list[Noted], ranges: Sequence[Dropped]) -> list[Noted]:
    """The event log, with a gap in place of each range of steps."""
    result: list[Noted] = []
    todo = iter(ranges)
    current = next(todo, None)
    fold: _Fold | None = None
    step = -1
    for one in noted:
        kind = kind_of(one)
        if kind in STEPS:
            step += 1
            if fold is not None and current is not None and step >= current.end:
                result += fold.events()
                fold, current = None, next(todo, None)
            if fold is None and current is not None and step >= current.first:
                fold = _Fold(current)
        if fold is None or (kind in (Changed, Wrote, Returned) and told(one).step < fold.begin):
            result.append(one)  # (in a fold: what belongs to a step before)
        else:
            fold.add(one)
    if fold is not None:
        result += fold.events()
    return result


# What is left -------------------------------------------------------------------------------------------------------------------------


class _Kept:
    """The tensors, storages and nodes whose records stay: those that still exist, and those to which a kept event refers."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.tensors: set[Any] = {r.id for r in recorder.tensors if r() is not None}
        self.storages: set[Any] = {r.id for r in recorder.storages if r() is not None}
        self.nodes: set[Any] = {r.id for r in recorder.nodes if r() is not None}
        self.tensors |= {r.id for r in recorder.needed_records()}

    def mark(self, noted: list[Noted]) -> None:
        marks = Marks(self.tensors, self.storages, self.nodes)
        changes: list[Changed] = []
        gaps: list[Gap] = []
        for one in noted:
            kind = kind_of(one)
            if kind is Gap:
                gaps.append(told(one))
            elif kind is Changed:
                changes.append(told(one))
            elif kind not in RECORDS:
                marking(kind)(one, *marks)
        self.tensors.discard(None)
        self._close(changes)
        # What gaps wrote to storages that are kept only because a step names them counts too.
        for gap in gaps:
            for key, written in list(gap.writes.items()):
                write = read(Write, written)
                if write.storage in self.storages:
                    self.tensors.add(write.tensor)
                else:
                    del gap.writes[key]
        self._close(changes)

    def _close(self, changes: list[Changed]) -> None:
        """Add the records to which the kept tensors refer."""
        recorder = self.recorder
        for number in list(self.nodes):
            if number is not None and recorder.nodes[number].variable is not None:
                self.tensors.add(recorder.nodes[number].variable)
        todo = list(self.tensors)
        for number in todo:  # grows while it is walked
            record = recorder.tensors[number]
            met = read(TensorMet, record.raw)
            self.storages |= {met.storage, record.storage.id}
            self.nodes.add(met.grad_fn)
            if met.base is not None and met.base not in self.tensors:
                self.tensors.add(met.base)
                todo.append(met.base)
        for event in changes:
            if event.record.id in self.tensors:
                state = read(TensorState, event.state)
                self.storages.add(state.storage)
                self.nodes.add(state.grad_fn)
        # (A node that comes in here may be the AccumulateGrad of a leaf that is not kept.)
        self.nodes = {
            n for n in self.nodes
            if n is not None and (recorder.nodes[n].variable is None or recorder.nodes[n].variable in self.tensors)
        }  # fmt: skip


class _Numbers(dict[int | None, int]):
    """New numbers of records. The new number of a removed record, and of None, is None."""

    def __init__(self, kept: Iterable[int]) -> None:
        super().__init__({old: new for new, old in enumerate(sorted(kept))})

    def __missing__(self, old: int | None) -> Any:
        return None


class _Renumbering:
    """Gives steps and the records that are kept their new numbers. Backward calls keep theirs; what is left of one that was dropped has none."""

    def __init__(
        self, recorder: Recorder, kept: _Kept, steps: dict[int | None, Any], ranges: Sequence[Dropped]
    ) -> None:
        self.recorder = recorder
        self.ranges = ranges
        self.step = steps
        self.tensor = _Numbers(kept.tensors)
        self.storage = _Numbers(kept.storages)
        self.node = _Numbers(kept.nodes)
        self.call = _Numbers(())
        self.numbers = Numbers(self.tensor, self.storage, self.node, self.call, steps)
        self.of_records = {TensorRecord: self.tensor, StorageRecord: self.storage, NodeRecord: self.node}

    # Events -----------------------------------------------------------------------------------------------------------------------

    def events(self, noted: list[Noted]) -> list[Noted]:
        result: list[Noted] = []
        for one in noted:
            kind = kind_of(one)
            if kind in RECORDS:
                if told(one).id in self.of_records[kind]:
                    result.append(one)
            elif self._stays(kind, one):
                result.append(renumbering(kind, entry=True)(one, *self.numbers))
        return result

    def _stays(self, kind: type, one: Noted) -> bool:
        """Whether what an event tells of is still there."""
        if kind is Changed:
            return told(one).record.id in self.tensor
        if kind is Backward:
            call = told(one).call
            self.call[call] = call
        elif kind is Mapped:
            made = told(one).map
            return made is None or not self._dropped(made.get("forward_step", -1))  # a way back through it
        return True

    def _dropped(self, step: int) -> bool:
        return any(dropped.first <= step < dropped.end for dropped in self.ranges)

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
        recorder.unrecorded.forget_removed()
        self._registry()
        self._names()

    def _tensor_record(self, record: TensorRecord) -> TensorRecord:
        record.state = None
        renumbering_record(TensorRecord)(record, *self.numbers)
        return record

    def _storage_record(self, record: StorageRecord) -> StorageRecord:
        renumbering_record(StorageRecord)(record, *self.numbers)
        sharers = record.sharers if isinstance(record.sharers, list) else [record.sharers]
        record.sharers = [self.tensor[n] for n in sharers if n in self.tensor]
        if len(record.sharers) == 1:
            (record.sharers,) = record.sharers
        return record

    def _node_record(self, record: NodeRecord) -> NodeRecord:
        renumbering_record(NodeRecord)(record, *self.numbers)
        following: list[int | tuple[int, int] | None] = []
        for edge in record.next:
            if isinstance(edge, tuple):
                number = self.node[edge[0]]
                following.append(None if number is None else (number, edge[1]))
            else:
                following.append(self.node[edge])
        record.next = following
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
            (self.step[step], tensor[grad], tensor[whose])
            for step, grad, whose in recorder.grad_links
            if grad in tensor and (whose is None or whose in tensor)
        ]
        recorder.outside = {
            self.storage[s]: held for s, held in recorder.outside.items() if s in self.storage
        }
        recorder.hookables = [r for r in recorder.hookables if r() is not None]
        again = renumbering(FunctionUse)
        recorder.functions = {
            function: [
                FunctionUse._make(again(use, *self.numbers)) for use in uses if not self._dropped(use.step)
            ]
            for function, uses in recorder.functions.items()
        }

    def _names(self) -> None:
        """The names without those of removed tensors. If a name changed several times in a gap, only the last change is kept."""
        names, tensor = self.recorder.names, self.tensor
        last: dict[tuple[int, str], int | None] = {}
        for step, name, number in names.bindings:
            key = self.step[step], name
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
