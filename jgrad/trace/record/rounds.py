"""How a training loop is cut into rounds, and what is noted of each round.

Note [Rounds]: a round is one pass of the innermost loop that holds a whole training step. No source is read for that.

- With optimizers, a round ends with an optimizer's step. All backward calls since the round before belong to it: those that accumulate
  gradients, and those of a closure, as LBFGS calls it. Of several optimizers (a GAN), the one that was met last ends the rounds, so that each
  round has the steps of all. An optimizer that comes later than LEARNED rounds after the others trains in rounds of its own.
- Without an optimizer, a round ends when `backward()` is called at a place in the user's code where it was called in this round before.
- `autograd.grad()` and forward passes without a backward call, such as a validation, belong to the round in which they run. A loop
  without any backward call has no rounds.

The loss of a round is the value at which a backward call began, one series for each place of such a call. Of several calls at one place it is
their mean (of LBFGS, the first). A gradient is read after the optimizer's step or, without optimizer, after `backward()`. A value is read at the end of
the round. An update is the change since the end of the round before.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import weakref
from collections.abc import Iterable
from itertools import islice
from types import CodeType, FrameType
from typing import Any, NamedTuple, Protocol

from jgrad import observer
from jgrad.graph.batched import NoData
from jgrad.optim import LBFGS, Optimizer
from jgrad.tensor import Tensor
from jgrad.trace.record.figures import Group, Series, Table
from jgrad.trace.record.records import TensorRecord
from jgrad.trace.record.scope import Scope

LEARNED = 16  # rounds after which a new optimizer no longer belongs to the rounds of the others
FORGOTTEN = 100  # steps of other optimizers after which the one that ended the rounds is not waited for
PLACES = 8  # places of backward calls whose losses are noted
WAITING = 64  # rounds of a group whose norms are computed at once
JUMP = 100.0  # times the usual norm of the gradients at which it is remarkable
USUAL = 10  # rounds after which a norm is usual
Call = tuple[int, tuple]  # the address of a code object, and the span of an expression in it
ENGINE = (
    os.path.dirname(observer.__file__) + os.sep,
    contextlib.__file__,
)  # the files of the code that runs a backward call


class Remarkable(NamedTuple):
    """The first round in which something happened."""

    round: int  # counted from 0
    what: str
    """`loss-not-finite`, `gradient-not-finite`, `gradient-zero`, `gradient-jump`, `other-parameters`."""


class Loss:
    """The losses at one place of a backward call."""

    def __init__(self, line: int | None, column: int) -> None:
        self.line = line  # in the file of the traced code
        self.column = column
        self.found: list[float] = []  # those of this round


class Keeper(Protocol):
    """What decides which rounds are kept in full: `jgrad.trace.record.keeping.Keeping`."""

    def round_ended(self, remarkable: bool) -> None:
        """A round has ended."""

    def rounds_merged(self, count: int) -> None:
        """The last so many rounds were one."""

    def record_of(self, tensor: Tensor) -> TensorRecord | None:
        """The record of a tensor, if it was met."""


class Rounds:
    """The rounds of a traced block and their figures. `count` rounds have ended."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.table = Table()
        self.count = 0
        self.keeper: Keeper | None = None
        self.losses: dict[Call, Loss] = {}  # by place
        self.series: list[Series] = []
        self.remarkable: dict[str, Remarkable] = {}
        self._series_of: dict[int, Series] = {}  # by the address of the parameter
        self._groups: dict[
            Any, Group
        ] = {}  # by the address of an optimizer, or by the place of a backward call
        self._calls: dict[tuple[int, int], Call] = {}  # by code object and offset in it
        self._where: dict[
            Call, tuple[CodeType, int | None]
        ] = {}  # (which keeps the code object and so its address)
        # Without an optimizer: the places of backward calls in this round, with their groups.
        self._open: dict[Call, Group] = {}
        self._trailing: list[Call] = []  # of each round so far: the place that ended it
        # With optimizers, by address:
        self._optimizers: dict[int, weakref.ref[Optimizer]] = {}
        self._last: int | None = None  # the one whose step ends a round
        self._since = 0  # rounds since that is so
        self._others = 0  # steps of others since a round has ended
        self._other = False  # whether other parameters had gradients than in the round before
        self._news = False  # whether something remarkable was found since the last round

    @property
    def by_optimizers(self) -> bool:
        """Whether optimizers' steps end the rounds."""
        return self._last is not None

    # What happens -----------------------------------------------------------------------------------------------------------------

    def ran(self, loss: float | None, leaves: list[Tensor] | None) -> None:
        """A backward call is over, that was not part of another one. `leaves`: where gradients were added up; None if that is not known, which
        are then those of the last call at the same place."""
        place = self._place(sys._getframe(1))
        if leaves is None:
            series = self._groups[place].series if place in self._groups else []
            leaves = [leaf for s in series if (leaf := s.tensor()) is not None]
        if self._last is None and leaves:
            self._ran_without_optimizer(place, leaves)
        if loss is not None:
            self._note_loss(place, loss)

    def _ran_without_optimizer(self, place: Call, leaves: list[Tensor]) -> None:
        group = self._groups.get(place)
        if group is not None and [*map(id, leaves)] != group.ids:
            leaves = sorted(
                leaves, key=self._rank
            )  # the engine and the recorder list them in different orders
        if group is None or not group.adopt(leaves):
            if place in self._open:  # other leaves than before, at the same place
                self._close(place)
            if group is not None:
                self._flush(group)
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
        self._trailing.append(place)
        self._end()

    def _read_values(self, group: Group) -> None:
        params = [s.tensor() for s in group.series]
        if None not in params:
            group.read_values(self.count, params)  # type: ignore[arg-type]

    def stepped(self, optimizer: Optimizer) -> None:
        """An optimizer has made a step."""
        params = [p for group in optimizer.param_groups for p in group["params"]]
        key = id(optimizer)
        known = self._optimizers.get(key)
        fresh = known is None or known() is not optimizer
        if fresh:
            self._optimizers[key] = weakref.ref(optimizer)
        group = self._groups.get(key)
        if group is None or not group.adopt(params):
            before = [*self._open.values()] if group is None else [group]
            group = self._groups[key] = self._group_of(params)
            for other in before:
                group.go_on(other)
                self._flush(other)
        if optimizer.__class__ is LBFGS:
            for loss in self.losses.values():
                del loss.found[1:]
        self._read_gradients(group, params)
        group.read_values(self.count, params)
        self._decide(key, fresh, optimizer.__class__ is not LBFGS)

    def _decide(self, key: int, fresh: bool, mean: bool) -> None:
        """Whether this step ends the round: see Note [Rounds]. `mean`: whether the mean of losses counts, or the first."""
        if self._last is None:
            parts = self._parts_of_this_round()
            self._open.clear()
            self._last = key
            self._end()
            if parts:
                self._merge(parts + 1, mean)
        elif key == self._last:
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
        place = next(iter(self._open), None)
        count = 0
        while count < len(self._trailing) and self._trailing[-1 - count] == place:
            count += 1
        return count

    def finish(self) -> None:
        """The block is over."""
        if self._open:
            self._close(next(iter(self._open)))
        for group in self._groups.values():
            self._flush(group)

    # Figures ----------------------------------------------------------------------------------------------------------------------

    def _note_loss(self, place: Call, figure: float) -> None:
        loss = self.losses.get(place)
        if loss is None:
            column = self.table.add_series() if len(self.losses) < PLACES else None
            if column is None:
                return
            loss = self.losses[place] = Loss(self._where[place][1], column)
        loss.found.append(figure)

    def _group_of(self, params: list[Tensor]) -> Group:
        series = []
        for p in params:
            known = self._series_of.get(id(p))
            if known is None or known.tensor() is not p:
                columns = [self.table.add_series() for _ in range(3)]
                if None in columns:
                    continue
                known = self._series_of[id(p)] = Series(p, tuple(columns))  # type: ignore[arg-type]
                self.series.append(known)
                known.record = None if self.keeper is None else self.keeper.record_of(p)
            series.append(known)
        return Group(params[: len(series)], series, self.table)

    def _read_gradients(self, group: Group, params: list[Tensor]) -> None:
        if len(group.numbers) >= WAITING:
            self._flush(group)
        if group.read_gradients(self.count, params):
            self._other = True

    def _flush(self, group: Group) -> None:
        """Have the norms computed that wait, and see whether the gradients of a round are remarkable."""
        for number, norm in group.flush():
            if norm - norm != 0:
                self._remark("gradient-not-finite", number)
            elif not norm:
                self._remark("gradient-zero", number)
            else:
                size = math.log(norm)
                if group.norms >= USUAL and size > group.usual + math.log(JUMP):
                    self._remark("gradient-jump", number)
                group.norms += 1
                group.usual += (size - group.usual) / min(group.norms, USUAL)

    def _end(self) -> None:
        """A round is over."""
        number = self.count
        self.count = number + 1
        self._since += 1
        self._others = 0
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

    def _remark(self, what: str, number: int) -> None:
        if what not in self.remarkable:
            self.remarkable[what] = Remarkable(number, what)
            self._news = True

    def _merge(self, count: int, mean: bool) -> None:
        """The last so many rounds were one."""
        if self.table.bin > 1 or count > self.count:
            return
        for group in self._groups.values():
            self._flush(group)
        self.table.merge(count, [loss.column for loss in self.losses.values()], mean)
        self.count -= count - 1
        for what, found in self.remarkable.items():
            self.remarkable[what] = Remarkable(min(found.round, self.count - 1), what)
        if self.keeper is not None:
            self.keeper.rounds_merged(count)

    # Places -----------------------------------------------------------------------------------------------------------------------

    def _place(self, frame: FrameType | None) -> Call:
        """The expression of the user's code that called `backward()`."""
        while frame is not None and frame.f_back is not None and frame.f_code.co_filename.startswith(ENGINE):
            frame = frame.f_back
        assert frame is not None
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
        if array is None or array.size != 1 or array.dtype.kind == "c" or isinstance(array, NoData):
            return None
        total += array.item()
    return total


def leaves_of(targets: Iterable[Any]) -> list[Tensor]:
    """The leaves among the targets of a backward pass."""
    return [t for t in targets if not t._outputs]
