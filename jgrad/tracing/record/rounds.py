"""How a training loop is cut into rounds, and what is noted of each round.

Note [Rounds]: a round is one pass of the innermost loop that holds a whole training step. No source is read for that.

- With optimizers, a round ends with an optimizer's step. All backward calls since the round before belong to it: those that accumulate
  gradients, and those of a closure, as LBFGS calls it. Of several optimizers (a GAN), the one that was met last ends the rounds, so that each
  round has the steps of all. An optimizer that comes later than LEARNED rounds after the others, or when the one that ended the rounds is gone,
  trains in rounds of its own.
- Without an optimizer, a round ends when `backward()` is called at a place in the user's code where it was called in this round before.
- After FORGOTTEN backward calls without a step the optimizer is no longer waited for: a loop without one has begun.
- `autograd.grad()` and forward passes without a backward call, such as a validation, belong to the round in which they run. A loop
  without any backward call has no rounds.

Leaves that get gradients and that no optimizer has are read when the round ends. While the recorder sleeps, they are those of the last call at the same
place that it saw.

The loss of a round is the value at which a backward call began, one series for each place of such a call. Of several calls at one place it is
their mean (of LBFGS, the first). A gradient is read after the optimizer's step or, without optimizer, after `backward()`. A value is read at the end of
the round. An update is the change since the end of the round before.
"""

from __future__ import annotations

import math
import os
import sys
import weakref
from collections.abc import Iterable, Iterator
from itertools import count, islice
from types import CodeType, FrameType
from typing import Any, NamedTuple, Protocol

from jgrad import mirrors, observer
from jgrad.tensor import Tensor
from jgrad.tracing.record.contents import UNREADABLE
from jgrad.tracing.record.figures import SERIES, Group, Series, Table
from jgrad.tracing.record.records import TensorRecord
from jgrad.tracing.record.resting import Resting
from jgrad.tracing.record.scope import Scope
from jgrad.tracing.record.user_code import CONTEXTLIB

LEARNED = 16  # rounds after which a new optimizer no longer belongs to the rounds of the others
FORGOTTEN = 100  # steps of other optimizers, or backward calls, after which the one that ended the rounds is not waited for
PATIENCE = 4  # and so many times the most backward calls that a round had
PLACES = 12  # places of backward calls whose losses are noted
WAITING = 256  # rounds of a group whose norms are computed at once
# Where nobody asked, two of so many rounds are read: of at most APART, and of a part of those so far, if that is LEAST or more.
APART = 64
PART = 32
LEAST = 8
USUAL_OF = 128  # so many losses make the usual one
UNUSUAL = 3.0  # a loss is unusual if it is so many times the usual one
GROUPS = 4  # parameter groups of an optimizer whose learning rates are noted
RATES = 256  # changes of learning rates that are kept
RETIRED = 32  # groups of optimizers that are gone which may go on as those of new ones
# A norm of the gradients is remarkable at 100 times the usual one; of squares, as a logarithm.
JUMP = 2 * math.log(100.0)
USUAL = 10  # rounds after which a norm is usual
Call = tuple[int, tuple]  # the address of a code object, and the span of an expression in it
# The files of the code that runs a backward call.
ENGINE = (
    os.path.dirname(observer.__file__) + os.sep,
    CONTEXTLIB,
)


class Remarkable(NamedTuple):
    """The first round in which something happened."""

    round: int  # counted from 0
    what: str
    """`loss-not-finite`, `gradient-not-finite`, `gradient-zero`, `gradient-jump`, `other-parameters`."""
    late: int = 0  # it may have been in one of so many rounds before


class Rate(NamedTuple):
    """From a round on, parameters of an optimizer are trained with a learning rate."""

    round: int  # counted from 0
    optimizer: int  # its slot: an optimizer takes the lowest one that is free, also that of one that is gone
    group: int
    rate: float


class Loss:
    """The losses at one place of a backward call."""

    def __init__(self, line: int | None, column: int) -> None:
        self.line = line  # in the file of the traced code
        self.column = column
        self.found: list[float] = []  # those of this round


class Keeper(Protocol):
    """What decides which rounds are kept in full: `jgrad.tracing.record.keeping.Keeping`."""

    def round_ended(self, remarkable: bool) -> None:
        """A round has ended."""

    def rounds_merged(self, count: int) -> None:
        """The last so many rounds were one."""

    def quiet(self) -> int:
        """How many rounds may end now of which it is not told."""

    def missed_calls(self, count: int) -> None:
        """So many backward calls ran of which it was not told."""

    def record_of(self, tensor: Tensor) -> TensorRecord | None:
        """The record of a tensor, if it was met."""


class Rounds:
    """The rounds of a traced block and their figures. `count` rounds have ended."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.table = Table()
        self.count = 0
        self.keeper: Keeper | None = None
        self.exact = True  # whether all gradients are read in full: see `figures.py`
        self.losses: dict[Call, Loss] = {}  # by place
        self.series: list[Series] = []
        self.remarkable: dict[str, Remarkable] = {}
        self.rates: list[Rate] = []  # the first ones, and each change
        self._rate_of: dict[tuple[int, int], float] = {}  # the present ones, by slot and group
        self._series_of: dict[int, Series] = {}  # by the address of the parameter
        # By the address of an optimizer, or by the place of a backward call.
        self._groups: dict[Any, Group] = {}
        self._calls: dict[tuple[int, int], Call] = {}  # by code object and offset in it
        self._engine: dict[int, CodeType] = {}  # code of the engine, by address
        # (which keeps the code object and so its address)
        self._where: dict[Call, tuple[CodeType, int | None]] = {}
        # Without an optimizer: the places of backward calls in this round, with their groups.
        self._open: dict[Call, Group] = {}
        # The place that ended the last rounds, and how many.
        self._trailing: tuple[Call | None, int] = (
            None,
            0,
        )
        self._retired: list[Group] = []  # of optimizers that are gone
        # With optimizers, by address:
        self._optimizers: dict[int, weakref.ref[Any]] = {}
        self._closures: set[int] = set()  # those that call a closure several times in a step
        self._slots: dict[int, int] = {}  # each has the lowest number that no other one has
        self._last: int | None = None  # the one whose step ends a round
        self._since = 0  # rounds since that is so
        self._others = 0  # steps of others since a round has ended
        # Leaves that no optimizer has, by the place of the backward call.
        self._strays: dict[Call, Group] = {}
        # The places of backward calls of this round, with the leaves that got gradients there; None: those of the call before.
        self._ran_here: dict[Call, list[weakref.ref[Tensor]] | None] = {}
        self._calls_in_round = 0  # backward calls since then
        self._most_calls = 0  # in a round
        self._other = False  # whether other parameters had gradients than in the round before
        self._news = False  # whether something remarkable was found since the last round
        # See Note [Resting] in `jgrad/tracing/record/figures.py`: whether rounds may be left out, whether this one is, the next one that is read, and the usual loss.
        self.sparing = False
        self.rests = False
        self._due = 0
        self._usual_loss: dict[Call, float] = {}
        self._loss_at: Call | None = None  # the place of the last one
        self.resting = Resting(self)

    @property
    def by_optimizers(self) -> bool:
        """Whether optimizers' steps end the rounds."""
        return self._last is not None

    # What happens -----------------------------------------------------------------------------------------------------------------

    def ran(self, loss: float | None, leaves: list[Tensor] | None) -> None:
        """A backward call is over, that was not part of another one. `leaves`: where gradients were added up; None if that is not known, which
        are then those of the last call at the same place."""
        self.settle_rests()
        place = self.place_of(self.user_frame(sys._getframe(1)))
        if self._last is not None:
            self._ran_with_optimizer(place, leaves)
        else:
            if leaves is None:
                group = self._groups.get(place)
                leaves = [t for t in (group.tensors() or () if group is not None else ()) if t is not None]
            if leaves:
                self._ran_without_optimizer(place, leaves)
        if loss is not None:
            self._note_loss(place, loss)
            self.rests = self.rests and abs(loss) <= UNUSUAL * self._usual_loss.get(place, abs(loss))
            self._weigh(place, loss)
            if loss - loss != 0 and "loss-not-finite" not in self.remarkable:
                self.exact, self.rests = True, False
                for group in self._all_groups():
                    group.read_last_values(self.count - 1)

    def _weigh(self, place: Call, loss: float) -> None:
        """Count a loss in with the usual one."""
        usual = self._usual_loss.get(place, abs(loss))
        self._usual_loss[place] = usual + (abs(loss) - usual) / USUAL_OF

    def _ran_with_optimizer(self, place: Call, leaves: list[Tensor] | None) -> None:
        self._calls_in_round = calls = self._calls_in_round + 1
        if calls > FORGOTTEN and calls > PATIENCE * self._most_calls:
            self._last, self._trailing, self._calls_in_round = None, (None, 0), 0
        if leaves is not None:
            self._ran_here[place] = [*map(weakref.ref, leaves)]
            if place not in self._strays and self._are_first(leaves):
                # Their values before their first step: how far that moves them tells whether its rate is too large.
                self._find_strays(place, leaves)
        elif place in self._strays:
            self._ran_here.setdefault(place, None)

    def _are_first(self, leaves: list[Tensor]) -> bool:
        """Whether some of these are new, and take the place of no others: no optimizer is gone."""
        new = not all([id(t) in self._series_of for t in leaves])
        return new and not self._retired and all([known() is not None for known in self._optimizers.values()])

    def _find_strays(self, place: Call, leaves: list[Tensor]) -> None:
        """Note the leaves of a backward call that no optimizer has."""
        owned = {p for key in self._optimizers for p in self._groups[key].ids}
        strays = [t for t in leaves if id(t) not in owned]
        group = self._strays.get(place)
        if group is not None and (not strays or not group.adopt(strays)):
            group.flush()
            del self._strays[place]
        if strays and place not in self._strays:
            self._strays[place] = group = self._group_of(strays)
            group.begin(strays)

    def _read_strays(self) -> None:
        """Read the figures of leaves without an optimizer that got gradients in this round. All optimizers of the round were met by now."""
        for place, leaves in self._ran_here.items():
            if self.rests and place in self._strays:
                self._strays[place].rest([self.count])
                continue
            if leaves is not None:
                self._find_strays(place, [t for ref in leaves if (t := ref()) is not None])
            group = self._strays.get(place)
            params = None if group is None else group.tensors()
            if group is not None and params is not None:
                self._make_room(group)
                group.read_gradients(self.count, params, self.exact)
                if not group.renewed:
                    group.read_values(self.count, params)
        self._ran_here.clear()

    def _ran_without_optimizer(self, place: Call, leaves: list[Tensor]) -> None:
        group = self._groups.get(place)
        if group is not None and (ids := [*map(id, leaves)]) != group.ids:
            # (The engine and the recorder list them in different orders.)
            if ids != group.other_order and {*ids} == {*group.ids}:
                group.other_order = ids
            known = group.tensors() if ids == group.other_order else None
            leaves = known if known is not None else sorted(leaves, key=self._rank)
        if group is None or not group.adopt(leaves):
            if place in self._open:  # other leaves than before, at the same place
                self._close(place)
            if group is not None:
                group.flush()
            group = self._groups[place] = self._group_of(leaves)
            group.begin(leaves)
        elif place in self._open:
            group.read_values(self.count, leaves)
            del self._open[place]
            self._close(place)
        self._open[place] = group
        self._read_gradients(group, leaves)

    def _rank(self, leaf: Tensor) -> float:
        """The position of a parameter among those that were met; new ones come last."""
        known = self._series_of.get(id(leaf))
        return math.inf if known is None or known.tensor() is not leaf else known.columns[0]

    def _close(self, place: Call) -> None:
        """End a round of a loop without optimizer, before the backward call at a place."""
        for group in self._open.values():
            self._read_values(group)
        self._open.clear()
        last, count = self._trailing
        self._trailing = place, count + 1 if last == place else 1
        self._end()

    def _read_values(self, group: Group) -> None:
        params = group.tensors()
        if params is not None:
            group.read_values(self.count, params)

    def stepped(self, optimizer: Any) -> None:
        """An optimizer has made a step."""
        self.settle_rests()
        key = id(optimizer)
        known, group = self._optimizers.get(key), self._groups.get(key)
        fresh, lbfgs = known is None or known() is not optimizer, False
        if self.rests and not fresh and group is not None and self._may_rest_in(optimizer, group):
            self.note_rates(optimizer)
            group.rest([self.count])
        else:
            lbfgs = self._read_step(key, optimizer, group, fresh)
        if not fresh and key == self._last:
            self._end()
        else:
            self._decide(key, fresh, not lbfgs)

    def _may_rest_in(self, optimizer: Any, group: Group) -> bool:
        """Whether a step of an optimizer may be left unread in a round that is not read: it has as many parameters as before, and calls no closure."""
        count = len([p for one in optimizer.param_groups for p in one["params"]])
        return count == len(group.ids) and id(optimizer) not in self._closures

    def _read_step(self, key: int, optimizer: Any, group: Group | None, fresh: bool) -> bool:
        """Read the figures of a step. Returns whether the optimizer calls a closure."""
        mirrored = [mirrors.mirror(p) for one in optimizer.param_groups for p in one["params"]]
        # Else it is one of PyTorch's that can't be looked at.
        params = [p for p in mirrored if isinstance(p, Tensor)]
        if fresh or group is None or not group.adopt(params):
            group = self._meet(key, optimizer, params, fresh)
        self.note_rates(optimizer)
        lbfgs = mirrors.is_lbfgs(optimizer)
        if lbfgs:
            self._closures.add(key)
            for loss in self.losses.values():
                del loss.found[1:]
        self._read_gradients(group, params)
        group.read_values(self.count, params)
        return lbfgs

    def note_rates(self, optimizer: Any) -> None:
        """Note learning rates that are not those of the step before."""
        slot = self._slots[id(optimizer)]
        for i, group in enumerate(optimizer.param_groups[:GROUPS]):
            rate = group.get("lr")
            if self._rate_of.get((slot, i)) != rate and isinstance(rate, (int, float)):
                self._rate_of[slot, i] = rate
                if len(self.rates) >= RATES:  # a schedule: every second of its changes will do
                    self.rates = [r for n, r in enumerate(self.rates) if n % 2 == 0 or r.round == 0]
                if len(self.rates) < RATES:
                    self.rates.append(Rate(self.count, slot, i, float(rate)))

    def _meet(self, key: int, optimizer: Any, params: list[Tensor], fresh: bool) -> Group:
        """The group of an optimizer that is new, or has other parameters than before."""
        before = [*self._open.values(), *self._strays.values()]
        if not fresh:
            before = [self._groups[key]]
        else:
            for k in [k for k, known in self._optimizers.items() if known() is None]:
                del self._optimizers[k], self._slots[k]
                old = self._groups.pop(k)
                old.flush()
                self._retired = [*self._retired[1 - RETIRED :], old]
                if self._last == k:
                    self._last, self._since = key, 0
            self._optimizers[key] = weakref.ref(optimizer)
            taken = {*self._slots.values()}
            self._slots[key] = next(n for n in count() if n not in taken)
            for old in self._retired:  # its parameters go on as those of this one, if they are alike
                remade = old.tensors() is None
                if old.adopt(params):
                    if remade:
                        old.forget_values()
                    self._retired.remove(old)
                    self._groups[key] = old
                    return old
        group = self._groups[key] = self._group_of(params)
        self._news = self._news or (fresh and self.count > 0)  # a training begins
        for other in before:
            group.go_on(other)
            other.flush()
        for place, strays in [*self._strays.items()]:  # some of which it has now
            self._find_strays(place, [t for t in strays.tensors() or () if t is not None])
        return group

    def _decide(self, key: int, fresh: bool, mean: bool) -> None:
        """Whether this step ends the round: see Note [Rounds]. `mean`: whether the mean of losses counts, or the first."""
        if self._last is None:
            parts = self._parts_of_this_round()
            self._open.clear()
            self._last = key
            self._end()
            if parts:
                self._merge(parts + 1, mean)
        elif key == self._last:  # also if it took the place of one that is gone
            self._end()
        elif fresh:
            parts = self._since if self._since <= LEARNED else 0
            self._last, self._since = key, 0
            self._end()
            if parts:
                self._merge(parts + 1, mean)
        else:
            self._others += 1
            if self._others > FORGOTTEN:
                self._last, self._since = key, 0
                self._end()

    def _parts_of_this_round(self) -> int:
        """How many rounds ended at the place of the last backward call. No optimizer was met before: they were parts of this round."""
        last, count = self._trailing
        return count if last == next(iter(self._open), None) else 0

    def finish(self) -> None:
        """The block is over."""
        self.settle_rests()
        if self._open:
            self._close(next(iter(self._open)))
        for group in self._all_groups():
            group.flush()

    # Figures ----------------------------------------------------------------------------------------------------------------------

    def _note_loss(self, place: Call, figure: float) -> None:
        loss = self.losses.get(place)
        if loss is None:
            # There is room for these however many parameters came before.
            columns = self.table.add_series(1, beyond=PLACES) if len(self.losses) < PLACES else None
            if columns is None:
                return
            loss = self.losses[place] = Loss(self._where[place][1], *columns)
        loss.found.append(figure)
        self._loss_at = place

    def _group_of(self, params: list[Tensor]) -> Group:
        series = [self._series(p) for p in params]
        if len(self._series_of) > 2 * SERIES:
            self._series_of = {id(t): s for s in self.series if (t := s.tensor()) is not None}
        return Group(params, series, self.table)

    def _series(self, p: Tensor) -> Series | None:
        """The figures of a parameter; None if there are too many."""
        known = self._series_of.get(id(p))
        if known is None or known.tensor() is not p:
            columns = self.table.add_series(3)
            if columns is None:
                return None
            known = self._series_of[id(p)] = Series(p, columns)
            self.series.append(known)
            known.record = None if self.keeper is None else self.keeper.record_of(p)
        return known

    def _read_gradients(self, group: Group, params: list[Tensor]) -> None:
        """Read the gradients of a round, and see whether they are remarkable."""
        self._make_room(group)
        square = group.read_gradients(self.count, params, self.exact)
        if not self.exact and group.norms >= USUAL and square > math.exp(min(group.usual + JUMP, 700.0)):
            # A sample alone is not enough to say so.
            square = group.read_gradients(self.count, params)
        if group.changed:
            self._other = True
            group.changed = False
        if not 0 < square < math.inf:
            if square == 0:
                self._remark("gradient-zero", self.count)
            else:
                self._remark("gradient-not-finite", self.count, max(group.unread, group.late))
            return
        size, usual, norms = math.log(square), group.usual, group.norms
        if norms >= USUAL:
            if size > usual + JUMP:
                self._remark("gradient-jump", self.count)
        else:
            group.norms = norms = norms + 1
        group.usual = usual + (size - usual) / norms

    def _make_room(self, group: Group) -> None:
        """Have the norms of a group computed, if enough rounds wait for it."""
        if len(group.numbers) >= min(WAITING, max(group.room, 1)) and not group.apart[-1]:
            group.flush()

    def settle(self) -> None:
        """Have all norms computed that are known by now."""
        self.settle_rests()
        for group in self._all_groups():
            group.flush_complete()

    def _all_groups(self) -> Iterator[Group]:
        yield from self._groups.values()
        yield from self._strays.values()

    def _end(self) -> None:
        """A round is over."""
        if self._ran_here:
            self._read_strays()
        number = self.count
        self.count = number + 1
        self._since += 1
        self._others = 0
        if self._calls_in_round > self._most_calls:
            self._most_calls = self._calls_in_round
        self._calls_in_round = 0
        self.table.reserve(number + 1)
        for loss in self.losses.values():
            if loss.found:
                mean = loss.found[0] if len(loss.found) == 1 else sum(loss.found) / len(loss.found)
                self.table.put_one(number, loss.column, mean)
                loss.found = []
                if mean - mean != 0:
                    self._remark("loss-not-finite", number)
        if self._other:
            self._remark("other-parameters", number)
            self._other = False
        news, self._news = self._news, False
        if self.keeper is not None:
            self.keeper.round_ended(news)
        self.rests = self._may_rest()
        if self.rests and self.keeper is not None:
            self._rest(min(self._due - 1 - self.count, self.keeper.quiet()))

    def _may_rest(self) -> bool:
        """Whether the round that begins is not read: see Note [Resting] in `jgrad/tracing/record/figures.py`."""
        apart = min(self.count // PART, APART)
        if not self.sparing or self.exact or apart < LEAST or not self.by_optimizers:
            self._due = self.count
            return False
        if self.count >= self._due + 2:
            self._due = self.count + apart - 2
        return self.count < self._due

    def _rest(self, rounds: int) -> None:
        """Leave so many rounds to `Resting`, as far as they are like this one."""
        place, key = self._loss_at, self._last
        optimizer = None if key is None else self._optimizers[key]()
        if rounds <= 0 or place is None or optimizer is None or self._strays:
            return
        if self._may_rest_in(optimizer, self._groups[id(optimizer)]):
            self.resting.begin(rounds, place, UNUSUAL * self._usual_loss[place], optimizer)

    def settle_rests(self) -> None:
        """Note what `Resting` has put off."""
        resting = self.resting
        resting.left, place = 0, resting.place
        if place is None or not (resting.losses or resting.loss is not None):
            return
        found, resting.losses = resting.losses, []
        assert self._last is not None
        assert self.keeper is not None
        if found:
            self._since += len(found)
            self._others = 0
            self._most_calls = max(self._most_calls, 1)
            self._groups[self._last].rest(range(self.count - len(found), self.count))
            self.table.reserve(self.count)
        for number, loss in enumerate(found, self.count - len(found)):
            if loss is not None:
                self.table.put_one(number, self.losses[place].column, loss)
                self._weigh(place, loss)
        if resting.loss is not None:
            self._calls_in_round = 1
            self.losses[place].found.append(resting.loss)
            self._weigh(place, resting.loss)
        self.keeper.missed_calls(len([loss for loss in (*found, resting.loss) if loss is not None]))
        resting.loss = None

    def _remark(self, what: str, number: int, late: int = 0) -> None:
        if what not in self.remarkable:
            self.remarkable[what] = Remarkable(number, what, late)
            self._news = True

    def _merge(self, count: int, mean: bool) -> None:
        """The last so many rounds were one."""
        if self.table.bin > 1 or count > self.count:
            return
        for group in self._all_groups():
            group.flush()
        self.table.merge(count, [loss.column for loss in self.losses.values()], mean)
        self.count -= count - 1
        self.rates = [r._replace(round=min(r.round, self.count - 1)) for r in self.rates]
        for what, found in self.remarkable.items():
            self.remarkable[what] = found._replace(round=min(found.round, self.count - 1))
        if self.keeper is not None:
            self.keeper.rounds_merged(count)

    # Places -----------------------------------------------------------------------------------------------------------------------

    def user_frame(self, frame: FrameType) -> FrameType:
        """The frame of the user's code that called `backward()`."""
        engine = self._engine
        folders = ENGINE + mirrors.folders
        while frame.f_back is not None:
            if id(frame.f_code) not in engine:
                if not frame.f_code.co_filename.startswith(folders):
                    break
                engine[id(frame.f_code)] = frame.f_code
            frame = frame.f_back
        return frame

    def place_of(self, frame: FrameType) -> Call:
        """The expression that a frame is in."""
        code = frame.f_code
        place = self._calls.get((id(code), frame.f_lasti))
        if place is None:
            # (The offset of one call has several values: Python replaces its instructions by quicker ones.)
            span = next(islice(code.co_positions(), frame.f_lasti // 2, None))
            place = self._calls[id(code), frame.f_lasti] = id(code), span
            self._where[place] = code, self._line_of(frame)
        return place

    def _line_of(self, frame: FrameType | None) -> int | None:
        """The innermost line of the traced code that led to a frame."""
        scope = self.scope
        while frame is not None:
            if frame.f_code.co_filename == scope.filename and scope.first <= frame.f_lineno <= scope.last:
                return frame.f_lineno
            frame = frame.f_back
        return None


def loss_of(roots: tuple) -> float | None:
    """The value at which a backward call begins; None if it is not a number."""
    total = 0.0
    for root in roots:
        array = getattr(root, "_a", None)
        if array is None or array.size != 1 or array.dtype.kind == "c" or isinstance(array, UNREADABLE):
            return None
        total += array.item()
    return total


def leaves_of(targets: Iterable[Any]) -> list[Tensor]:
    """The leaves among the targets of a backward pass."""
    return [t for t in targets if not t._outputs]
