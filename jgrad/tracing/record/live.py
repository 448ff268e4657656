"""Shows a trace while it is recorded.

The recorder calls `Live.pulse` inside of the user's operations, so in the thread that runs them. Most calls only read the clock. From time to
time, a call makes the document of what happened so far and sends it. The time between two documents is at least that of a frame of the
screen. It is also long enough that all documents together take at most a twentieth of the cell's time, also if the document is large.

Note [Glimpses]: in a long loop the recorder sleeps most of the time (`keeping.py`). Then a pulse lets another recorder record the next steps, and
sends its document: a glimpse of a later moment in the loop, with the gradients of that moment. While the recorder sleeps, the
loop runs at full speed, and the clock is read at the end of each `backward()`. If the loop calls no `backward()`, a thread that mostly sleeps
lets the next operation begin the glimpse.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from threading import Event, Thread, get_ident
from time import perf_counter
from types import FrameType
from typing import Any

from jgrad.engine.differentiate import _differentiate
from jgrad.observer import Listener, Observer
from jgrad.tracing.record.recorder import MAX_STEPS, Recorder

EARLY = 0.5  # seconds that a cell runs before it is shown
FRAME = 1 / 30
SHARE = 20  # one part in so many of the cell's time may go into showing it
GLIMPSE = 60  # the least number of steps of a glimpse; it does not end within a backward call
AWAKE = (
    2.0  # seconds that the recorder must be awake again before all that was kept is shown instead of glimpses
)
UNHEARD = 0.1  # seconds after which a look in a quick loop does not wait for a backward() any more


class Live:
    """Hands the document of the trace that `main` records on to `show`, again and again."""

    def __init__(
        self,
        main: Recorder,
        document: Callable[[Recorder | None, str], Any],
        show: Callable[[Any], None],
    ) -> None:
        self.main = main
        self.document = document  # of a glimpse and when that began; of the trace itself for None
        self.show = show
        self.due = perf_counter() + EARLY
        self._began = perf_counter()
        self._shown = False
        self._glimpse: Recorder | None = None
        self._since = ""  # when the glimpse began
        self._between: Any = None  # the observer between two glimpses
        self._over = Event()
        self._thread = get_ident()

    def pulse(self, recorder: Recorder) -> None:
        """`recorder` has kept or counted a step, and it is time to look."""
        now = perf_counter()
        if recorder is self._glimpse:
            if recorder.kept >= GLIMPSE and not recorder.in_backward:
                self._hand_on(self._end_glimpse(), now)
        elif recorder is self.main and now >= self.due:
            self._look(now, f"step {recorder.seen + 1:,}")

    def asleep(self) -> None:
        """`main` records no more for a while."""
        if self._between is None and self.main.keeping is not None:
            self._between = self.main.keeping.listener
            with suppress(RuntimeError):  # where there are no threads
                Thread(target=self._listen, args=(self._between,), daemon=True).start()

    def close(self) -> None:
        """The block is over."""
        self._over.set()
        if self._glimpse is not None:
            self._end_glimpse()

    def notice(self, calls: int) -> None:
        """Something happened in a quick loop. `calls`: how many backward calls it is part of if it happened outside of any other."""
        now = perf_counter()
        if now >= self.due and not self._over.is_set() and _backward_calls(sys._getframe(1)) == calls:
            done = self.main.backwards
            since = f"backward {done + 1:,}" if done else f"second {now - self._began:,.0f}"
            self.main._guard(self._look, now, since)

    def _listen(self, left: Listener) -> None:
        """Let the next operation begin a glimpse if no backward() does. This runs in a separate thread."""
        listener = _Listener(self, left)
        while not self._over.wait(UNHEARD) and self.main.running:
            if perf_counter() >= self.due + UNHEARD:
                self.main.watch.replace(listener, only_if=left)

    def _look(self, now: float, since: str) -> None:
        main = self.main
        if main.asleep:
            if not main.in_backward:
                self._begin_glimpse(since)
        elif not self._since or now > self.due + AWAKE:
            self._hand_on(None, now)
        # Else it is awake for a round. The views of all that was kept would come and go among those of glimpses.

    def _hand_on(self, glimpse: Recorder | None, began: float) -> None:
        try:
            self.show(self.document(glimpse, self._since))
        except Exception as failure:
            self.due = math.inf
            what = f"{type(failure).__name__}: {failure}"
            print(f"jgrad.trace: the views stand still until the end of the cell ({what})", file=sys.stderr)
            return
        now = perf_counter()
        # (The first time, the views are loaded, for which the end of the cell would have to wait too.)
        self.due = now + (max(FRAME, (now - began) * SHARE) if self._shown else FRAME)
        self._shown = True

    def _begin_glimpse(self, since: str) -> None:
        """See Note [Glimpses]."""
        main = self.main
        seen = Recorder(copy(main.scope), MAX_STEPS, main=main)
        seen.live, seen.watch, seen.backwards, self._since = self, main.watch, main.backwards, since
        seen.start()
        self._glimpse = seen
        self.due = 0.0  # its end may be at any step
        main.watch.replace(seen)

    def _end_glimpse(self) -> Recorder:
        seen, self._glimpse = self._glimpse, None
        assert seen is not None
        self.main.backwards = seen.backwards
        self.main.seen += seen.seen
        self.due = math.inf  # until it is shown
        self.main.watch.replace(self._between)
        seen.stop()
        return seen


class _Listener(Observer):
    """An observer that begins a glimpse at the next operation, or at the end of a backward call."""

    def __init__(self, live: Live, listener: Listener) -> None:
        self.live = live
        self.listener = listener

    def op(self, *_: Any) -> None:
        if get_ident() == self.live._thread:
            self.live.notice(0)

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        self.listener.backward(roots, gradients, inputs)

    def backward_done(self, error: BaseException | None) -> None:
        self.listener.backward_done(error)

    def stepped(self, optimizer: Any) -> None:
        self.listener.stepped(optimizer)


def _backward_calls(frame: FrameType | None) -> int:
    """How many backward calls a frame is part of."""
    count = 0
    while frame is not None:
        count += frame.f_code is _differentiate.__code__
        frame = frame.f_back
    return count
