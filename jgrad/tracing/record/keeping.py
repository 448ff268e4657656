"""Which steps of a long run are kept: the first rounds, the last ones and the remarkable ones.

Note [Phases]: at first every step is recorded. When there are twice as many as may be kept, those between the first rounds and the last ones are
dropped (`compaction.py`), again and again. After RECORDED times as many the recorder sleeps: operators run at full speed, and only the ends
of backward calls and of optimizers' steps are noted, for the figures of each round (`rounds.py`). From then on one round of SAMPLE
is recorded in full. (If it is not known when the loop will end, more rounds are recorded while the loop is short.) The two rounds after a remarkable
one, or after one with a new optimizer, and the rounds that the user named, are recorded in full too. If the source shows when the loop will end (`forecast.py`), the last rounds are
also recorded. Where nobody asked for the steps, `patience` is set: then the recorder sleeps as soon as it has seen that many rounds in a row in which no
line ran for the first time, and wakes less often (`SELDOM`). When a statement of the cell has ended, the next statement is recorded again. So the recorder sleeps until the end of a loop only if the
loop has no rounds, or if it is inside of a function.

Note [Long rounds]: what went wrong in a loop is seen where a whole round is kept. So where nobody said how many steps to keep (`grows`), a log
of rounds that are longer than it allows holds more: WHOLE of them, as long as these are not LONGER times as many steps.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from enum import Enum
from itertools import pairwise
from threading import get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any

from jgrad import mirrors
from jgrad.observer import Listener
from jgrad.tensor import Tensor
from jgrad.tracing.record import events
from jgrad.tracing.record.compaction import Dropped, drop
from jgrad.tracing.record.contents import measure
from jgrad.tracing.record.declared import Plain
from jgrad.tracing.record.events import (
    STEPS,
    Assigned,
    Backward,
    Gap,
    GradChange,
    Operation,
    Write,
    kind_of,
    told,
)
from jgrad.tracing.record.forecast import Forecast
from jgrad.tracing.record.interrupts import uninterrupted
from jgrad.tracing.record.records import TensorRecord
from jgrad.tracing.record.rounds import Rounds, leaves_of, loss_of

if TYPE_CHECKING:
    from jgrad.tracing.record.recorder import Recorder

OVER = 2  # a log may be so many times longer than what is kept of it, before steps are dropped
RECORDED = 5  # the recorder sleeps after it has recorded this many times the number of steps that are kept
SAMPLE = 512  # from then on, one of so many rounds is recorded
# If the end of a loop is not known, the last kept round is at most this part of all rounds old:
AGE = 16
SELDOM = 4  # where nobody asked, it is twice that part, or this one if the end is known
LOOKS = 16  # rounds from one look at the loop that trains to the next, while all are recorded
LAST = 128  # so many of the last rounds are recorded at most
END = 16  # and where nobody asked, this part of the rounds
ALIKE = 10  # the patience of a recording that nobody asked to see: after so many rounds another like them tells nothing
WHOLE = 4  # so many of the longest rounds are to have room in a log,
LONGER = 4  # which may be so many times longer than usual for it
NO_ROUNDS = range(0)


class Phase(Enum):
    """See Note [Phases]."""

    RECORDING = "each round is recorded, until the log has been filled often enough"
    SLEEPING = "only the figures of rounds are noted"
    WAKING = "a few rounds are recorded, and then it sleeps again"
    ENDING = "the block is over"


class Sleeping(Listener):
    """Notes the figures of rounds while the recorder sleeps."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        resting = recorder.rounds.resting
        self.ran_as_before, self.stepped_as_before = resting.ran, resting.stepped

    def ran(self, roots: tuple, inputs: tuple | None, targets: Iterable[Any] | None) -> None:
        recorder = self.recorder
        if get_ident() != recorder._thread:
            return
        recorder.backwards += 1
        try:
            if inputs is None:
                rounds = recorder.rounds
                known = None if targets is None or rounds.by_optimizers else leaves_of(targets)
                rounds.ran(loss_of(roots), known)
        except Exception as error:
            recorder.failures.append(error)
        live = recorder.live
        if live is not None and perf_counter() >= live.due:
            live.notice(1)

    def stepped(self, optimizer: Any) -> None:
        if get_ident() == self.recorder._thread:
            self.recorder._guard(self.recorder.rounds.stepped, optimizer)


class Keeping:
    """Decides what is kept of the log of a recorder. Steps and rounds count from 0."""

    def __init__(self, recorder: Recorder, asked: range = NO_ROUNDS) -> None:
        self.recorder = recorder
        self.rounds: Rounds = recorder.rounds
        self.asked = asked  # rounds that the user wants in full
        self.listener = Sleeping(recorder)
        self.cuts: list[tuple[int, int]] = []  # (step, how many rounds have ended before it)
        self.gaps: list[int] = []  # the steps that stand for others
        self._pinned: set[int] = {*asked[: recorder.max_steps]}
        self._head: int | None = None  # the end of the first rounds
        self.phase = Phase.RECORDING
        self._slept = 0  # how many rounds had ended when the recorder fell asleep
        self._next = 0  # SLEEPING: after so many rounds it wakes
        self._until = 0  # WAKING: after so many it sleeps again
        # The gradients of the gap at the end of the log:
        self._last_gap: dict[int, Plain[GradChange]] | None = None
        self.forecast = Forecast(recorder.scope, recorder.stacks.user)
        self._enough = RECORDED * recorder.max_steps  # steps after which the recorder sleeps
        self._ends: float = 0  # until so many rounds have ended, the last rounds are expected
        self.patience = math.inf  # rounds in a row without news after which the recorder sleeps
        self.grows = False  # whether more steps are kept of rounds that are long: see Note [Long rounds]
        self._longest = 0  # steps of the longest round
        self._places = 0  # how many places in the code were known when the last round ended
        self._alike = 0  # rounds in a row that brought no new one

    # What happens -------------------------------------------------------------------------------------------------------------------

    def round_ended(self, remarkable: bool) -> None:
        """A round has ended."""
        if self.recorder.asleep:
            if self.phase is not Phase.ENDING:
                self._round_slept(remarkable)
            return
        count, end = self.rounds.count, self._end_of_round()
        began = self.cuts[-1][0] if self.cuts else 0
        # To the first one belongs what came before the loop.
        self._longest = end if count == 1 else max(self._longest if count > 2 else 0, end - began)
        self.cuts.append((end, count))
        if self.phase is Phase.ENDING:
            return
        places, self._places = self._places, self.recorder.stacks.count
        self._alike = self._alike + 1 if places == self._places else 0
        if count % LOOKS == 1:
            self.forecast.end(sys._getframe(1), count)
        if remarkable:
            self._pinned |= {count, *[found.round for found in self.rounds.remarkable.values()]}
        if self._has_enough(count, remarkable) and count >= self._ends and count not in self.asked:
            self.sleep()

    def _has_enough(self, count: int, remarkable: bool) -> bool:
        """Whether the round that has just been recorded is the last one before the recorder sleeps."""
        if self.phase is Phase.WAKING:
            return count >= self._until and not remarkable
        return self.recorder.seen >= self._enough or self._alike >= self.patience

    def _round_slept(self, remarkable: bool) -> None:
        """A round has ended of which only the figures were noted."""
        count = self.rounds.count
        if remarkable:
            self._next = count
            self._pinned |= {count, count + 1}
        if (count >= self._next or count in self.asked) and self.recorder.watch.observer is self.listener:
            self._wake(2 if remarkable else 1)

    def rounds_merged(self, count: int) -> None:
        """The last so many rounds were one."""
        number = self.rounds.count
        ended = self.cuts[-1] if self.cuts else None
        while self.cuts and self.cuts[-1][1] >= number:
            self.cuts.pop()
        if ended is not None:
            self.cuts.append((ended[0], number))
        self._pinned = {min(n, number) for n in self._pinned if n not in self.asked} | {
            *self.asked[: self.recorder.max_steps]
        }

    def quiet(self) -> int:
        """How many rounds may end now of which this need not be told."""
        count = self.rounds.count
        heard = self.phase is not Phase.SLEEPING or self.recorder.live is not None or count < self.asked.stop
        return 0 if heard else self._next - 1 - count

    def missed_calls(self, count: int) -> None:
        """So many backward calls ran of which nothing was told."""
        self.recorder.backwards += count

    def record_of(self, tensor: Tensor) -> TensorRecord | None:
        """The record of a tensor, if it was met."""
        return self.recorder.record_of(tensor)

    def full(self) -> None:
        """The log is longer than it may be: drop what is between the first rounds and the last ones."""
        recorder = self.recorder
        began = self.cuts[-1][0] if self.cuts else 0
        if self._may_hold(recorder.kept - began):
            return
        self._drop()
        began = self.cuts[-1][0] if self.cuts else 0
        if (
            self.phase is Phase.RECORDING
            and recorder.seen >= self._enough
            and recorder.kept - began >= recorder.max_steps // 2
        ):
            self.sleep()  # without rounds, or in one that is longer than what is kept

    def _may_hold(self, length: int) -> bool:
        """Whether the log may become longer, because it is filled by few rounds. `length`: that of the round that runs."""
        recorder = self.recorder
        limit = OVER * self._room(max(length, self._longest))
        if limit <= recorder.limit:
            return False
        recorder.limit = limit
        return True

    def _room(self, longest: int) -> int:
        """How many steps are kept if the longest round has so many."""
        usual = self.recorder.max_steps
        return min(max(usual, WHOLE * longest), LONGER * usual) if self.grows else usual

    def end(self) -> None:
        """The block is over."""
        self.phase = Phase.ENDING
        self.rounds.finish()
        self.wake_at_the_end()

    def finish(self) -> None:
        """All is noted: keep as many steps as may be kept."""
        recorder = self.recorder
        if self._last_gap is not None:
            self._note_gradients(self._last_gap)  # also those of tensors that a variable has shown only now
        if recorder.kept > self._room(self._longest):
            self._drop()

    # Sleep --------------------------------------------------------------------------------------------------------------------------

    def sleep(self) -> None:
        """Record no more, until a round comes that is to be kept."""
        recorder = self.recorder
        if recorder.condition is not None:
            return  # the round in which the program is stopped is to be known in full
        count = self.rounds.count
        last = self._before_the_end()
        wakes = count + self._apart(count, last is not None) - 1
        if last is not None:
            begin, end = last
            if begin <= count < end <= begin + 2 * SAMPLE and self._ends < end:
                self.phase, self._until, self._ends = Phase.WAKING, count + 1, end
                return
            wakes = min(wakes, int(begin)) if begin > count else wakes
        self.phase = Phase.SLEEPING
        self.rounds.exact = self.patience == math.inf
        self.rounds.sparing = not self.rounds.exact
        recorder.falls_asleep()
        self._slept, self._next = count, wakes
        for known in (recorder.tensor_of, recorder.storage_of, recorder.node_of):
            gone = [key for key, record in known.items() if record() is None]
            for key in gone:
                del known[key]
        if recorder.when_full is not None:
            recorder.when_full()
            recorder.when_full = None
        if recorder.watch.observer is recorder:
            recorder.watch.replace(self.listener)
        if recorder.live is not None:
            recorder.live.asleep()

    def _apart(self, count: int, is_end_known: bool) -> int:
        """How many rounds are slept until one is recorded. To record one takes as long as a hundred short ones."""
        if self.patience < math.inf:
            return max(count // SELDOM, SAMPLE) if is_end_known else max(2 * count // AGE, AGE)
        return SAMPLE if is_end_known else min(max(count // AGE, AGE), SAMPLE)

    def statement_ended(self) -> None:
        """A statement of the cell is over, and another one follows: record that."""
        recorder = self.recorder
        if recorder.asleep and recorder.watch.observer is self.listener:
            self._note_gap()
            self.phase, self._last_gap = Phase.RECORDING, None
            self._enough = recorder.seen + recorder.max_steps
            recorder.asleep = self.rounds.sparing = False
            recorder.watch.replace(recorder)

    def _before_the_end(self) -> tuple[float, float] | None:
        """Two numbers of ended rounds: after the first, the rounds are the last that the log has room for; at the second, the loop ends."""
        expected = self.forecast.end(sys._getframe(1), self.rounds.count)
        if expected is None or len(self.cuts) < 2:
            return None
        (begin, before), (end, after) = self.cuts[-2:]
        each = max((end - begin) / max(after - before, 1), 1.0)
        most = LAST if self.patience == math.inf else min(max(expected[0] / END, 1), self.patience)
        room = min(self._room(self._longest) / (2 * each), most) + 2
        return expected[0] - room, expected[1] + 2

    def _wake(self, rounds: int) -> None:
        """Record so many rounds."""
        recorder = self.recorder
        self._note_gap()
        count = self.rounds.count
        self.phase = Phase.WAKING
        # Without an optimizer, rounds are counted in their middle, by `backward()`. So one that is complete is followed by a half.
        self._until = count + rounds + (not self.rounds.by_optimizers)
        recorder.asleep = self.rounds.sparing = False
        self._last_gap = None
        recorder.watch.replace(recorder)

    def wake_at_the_end(self, failed: bool = False) -> None:
        """The block is about to end: note how all is by now. `failed`: with an error, in a round that has not ended."""
        self.phase = Phase.ENDING
        if self.recorder.asleep:
            self._note_gap(failed)
            self.recorder.asleep = False

    def _note_gap(self, failed: bool = False) -> None:
        """Note the present state of the tensors that were known when the recorder fell asleep."""
        self.rounds.settle_rests()
        mirrors.refresh()
        recorder, index = self.recorder, self.recorder.kept
        writes: dict[tuple[int, int], Plain[Write]] = {}
        grads: dict[int, Plain[GradChange]] = {}
        self._last_gap = grads
        first, last = self._rounds_between(self._slept, self.rounds.count + failed)
        recorder.events.append(events.gap(first, last, None, writes, grads))
        recorder.layers.note()
        recorder.kept = index + 1
        recorder.unmet = index
        self.gaps.append(index)
        self.cuts.append((index + 1, self.rounds.count))
        for record in [r for r in recorder.tensor_of.values() if r() is not None]:
            tensor: Any = record()
            if tensor is None or recorder.tensor_of.get(id(tensor)) is not record:
                continue
            recorder.recheck(record, tensor, index, True)
            storage = record.storage
            cell = tensor._vc
            root = storage()
            counter = cell if cell is not None else tensor._counter
            key = storage.id, id(counter)
            if root is not None and key not in writes:
                version = cell[0] if cell.__class__ is list else tensor._writes
                held, size = (root.size, recorder.look(root)), tensor._a.size
                writes[key] = events.write(
                    record.id, storage.id, counter, version, size, None, held, root.dtype
                )
        recorder.names.look(recorder.names.globals, recorder._get_global)
        self._note_gradients(grads)

    def _note_gradients(self, found: dict[int, Plain[GradChange]]) -> None:
        """Note the `.grad` of each known tensor, in its state since the last gap."""
        recorder, index = self.recorder, self.recorder.unmet
        for record in [r for r in recorder.tensor_of.values() if r() is not None and r.id not in found]:
            tensor: Any = record()
            if tensor is None:
                continue
            grad = tensor._grad
            if grad is not None:
                recorder.link_grad(index, record.id, recorder.known_tensor(grad, index).id)
                found[record.id] = events.grad_change(None, measure(grad._a))
            elif record.id in recorder._grad_of:
                recorder.link_grad(index, record.id, None)
                found[record.id] = events.grad_change(None, None)

    def _rounds_between(self, first: int, last: int) -> tuple[int | None, int | None]:
        """The rounds of a gap, counted from 1, from those that had ended before it and after it. None where there are none."""
        if not self.rounds.count:
            return None, None
        return first + 1, max(last, first + 1)

    # What is dropped ----------------------------------------------------------------------------------------------------------------

    def _end_of_round(self) -> int:
        """The step at which the round ended. Without optimizers it is known afterwards: it is the last step that changed a parameter or a
        gradient before the backward call that is just over."""
        recorder = self.recorder
        if self.rounds.by_optimizers:
            return recorder.kept
        least = self.cuts[-1][0] if self.cuts else 0
        return max(recorder.changed if self.phase is Phase.ENDING else recorder.changed_before, least)

    def _drop(self) -> None:
        """Drop steps until at most as many are left as are kept."""
        recorder = self.recorder
        kept, most = recorder.kept, self._room(self._longest)
        if self._head is None:
            # Two rounds that follow each other tell more than one at the beginning and one at the end.
            beside = most - recorder.max_steps // 4
            first = [step for step, _ in self.cuts[:2] if self.grows and step < beside][-1:]
            alone = bool(first) and first[0] > most // 2
            self._head = first[0] if alone else self._position(most // 4, most // 2, most // 2)
            if self.grows and sum([step <= self._head for step, _ in self.cuts]) < 2:
                self._pinned |= {1, 2}
        head = self._head
        pinned = self._ranges_of_pinned(most // 2 if self.grows else most // 4)
        room = most - head - sum([b - a for a, b in pinned if a >= head]) - len(pinned) - 1
        begin = max(kept - max(room, 1), head)
        tail = self._position(begin, kept - 1, begin, first=True)
        while tail in self.gaps:
            tail += 1
        ranges: list[Dropped] = []
        at = head
        for a, b in [*pinned, (tail, tail)]:
            a = min(max(a, head), tail)
            if a > at and not (a == at + 1 and at in self.gaps):
                ranges.append(Dropped(at, a, *self._rounds_of(at, a)))
            at = max(at, min(b, tail))
        if ranges:
            with uninterrupted():  # a log that is half rewritten could not be read
                self._renumber(ranges, drop(recorder, ranges))

    def _renumber(self, ranges: list[Dropped], steps: dict[int | None, Any]) -> None:
        def inside(step: int) -> bool:
            return any([dropped.first < step < dropped.end for dropped in ranges])

        self.cuts = [(steps[s], n) for s, n in self.cuts if not inside(s)]
        gaps = {steps[dropped.first] for dropped in ranges}
        others = [s for s in self.gaps if not any([dropped.first <= s < dropped.end for dropped in ranges])]
        self.gaps = sorted(gaps | {steps[s] for s in others})
        recorder = self.recorder
        recorder.unmet = steps[recorder.unmet]
        recorder.changed = steps[recorder.changed]
        recorder.changed_before = steps[recorder.changed_before]

    def _position(self, least: int, most: int, otherwise: int, first: bool = False) -> int:
        """The last, or the `first`, end of a round between two steps; else a place near `otherwise` that is not within a backward call."""
        found = [step for step, _ in self.cuts if least <= step <= most]
        if found:
            return found[0] if first else found[-1]
        return self._outside_of_backward(otherwise)

    def _outside_of_backward(self, step: int) -> int:
        """This step, or the first after it that is not part of a backward call; this one if there is none within the log."""
        index, found = -1, False
        for noted in self.recorder.events:
            kind = kind_of(noted)
            if kind in STEPS:
                index += 1
                found = found or index == step
                outside = kind in (Backward, Gap, Assigned)
                if found and (outside or (kind is Operation and told(noted).call is None)):
                    return index
        return step

    def _ranges_of_pinned(self, most: int) -> list[tuple[int, int]]:
        """The steps of remarkable rounds, in order, as far as they are in the log; at most so many, at first those that were asked for."""
        found = []
        for number, begin, end in sorted(self.kept_rounds(), key=lambda one: one[0] not in self.asked):
            if number in self._pinned and end - begin <= most:
                most -= end - begin
                found.append((begin, end))
        return sorted(found)

    def _rounds_of(self, begin: int, end: int) -> tuple[int | None, int | None]:
        before = max([n for s, n in self.cuts if s <= begin], default=0)
        after = max([n + (s < end) for s, n in self.cuts if s <= end], default=1)
        return self._rounds_between(before, after)

    def kept_rounds(self) -> list[tuple[int, int, int]]:
        """The rounds that are in the log in full: number, first step, end."""
        found = []
        cuts = [(0, 0), *self.cuts]
        for (begin, before), (end, after) in pairwise(cuts):
            while begin in self.gaps:
                begin += 1
            if after == before + 1 and begin < end and not any([begin <= g < end for g in self.gaps]):
                found.append((after - 1, begin, end))
        return found
