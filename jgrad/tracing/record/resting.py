"""Rounds that are not read, noted in as little time as possible: see Note [Resting] in `jgrad/tracing/record/figures.py`.

In a loop of short rounds the program's own work is in the processor's caches, and each function of ours pushes a part of it out. So while such rounds
follow each other, a backward call leaves its loss here and an optimizer's step ends the round, and no more. The rest is done for all of them at
once (`Rounds.settle_rests`). What is not as in the rounds before (another optimizer, another call, a loss that is unusual) is refused, and goes the usual way.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from threading import get_ident
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jgrad.tracing.record.rounds import Call, Rounds


class Resting:
    """Rounds since the last one that was noted the usual way."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self.left = 0  # so many more rounds may end here
        self.losses: list[float | None] = []  # of the rounds that have ended
        self.loss: float | None = None  # of this round
        self.place: Call | None = None  # of the backward call, and from which loss on it is unusual
        self._unusual = 0.0
        # Where that call is found: how many frames away, its code, and the offset in it.
        self._at: tuple[int, CodeType, int] | None = None
        self._optimizer: Callable[[], Any] = weakref.ref(self)
        self._groups: list[tuple[int, Any]] = []  # its groups: how many parameters, and the rate
        self._thread = get_ident()

    def begin(self, rounds: int, place: Call, unusual: float, optimizer: Any) -> None:
        """So many rounds may end here, with this backward call and this optimizer."""
        self.left, self._unusual, self._at = rounds, unusual, None
        self.place, self._optimizer = place, weakref.ref(optimizer)
        self._groups = _groups_of(optimizer)

    def ran(self, root: Any) -> bool:
        """A backward call from a tensor is over. Returns whether nothing else is to be noted of it."""
        if not self.left or self.loss is not None or get_ident() != self._thread:
            return False
        at = self._at or self._find()
        if at is None:
            return False
        frame = sys._getframe(at[0])
        loss = root.item()
        if frame.f_code is not at[1] or frame.f_lasti != at[2] or loss.__class__ is not float:
            self._at = None
            return False
        if not -self._unusual <= loss <= self._unusual:
            return False
        self.loss = loss
        return True

    def _find(self) -> tuple[int, CodeType, int] | None:
        """Where the backward call is, if it is the expected one."""
        frame = self.rounds.user_frame(sys._getframe(2))
        if self.rounds.place_of(frame) != self.place:
            return None
        depth, other = 0, sys._getframe(1)
        while other is not frame:
            assert other.f_back is not None
            depth, other = depth + 1, other.f_back
        self._at = depth, frame.f_code, frame.f_lasti
        return self._at

    def stepped(self, optimizer: Any) -> bool:
        """An optimizer has made a step. Returns whether nothing else is to be noted of it."""
        if not self.left or self._optimizer() is not optimizer or get_ident() != self._thread:
            return False
        if len(optimizer.param_groups) != len(self._groups):
            return False
        for group, (count, rate) in zip(optimizer.param_groups, self._groups):  # noqa: B905
            if len(group["params"]) != count:
                return False
            if group.get("lr") != rate:
                self._groups = _groups_of(optimizer)
                self.rounds.note_rates(optimizer)
        self.losses.append(self.loss)
        self.loss = None
        self.left -= 1
        self.rounds.count += 1
        return True


def _groups_of(optimizer: Any) -> list[tuple[int, Any]]:
    return [(len(group["params"]), group.get("lr")) for group in optimizer.param_groups]
