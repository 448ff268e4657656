"""A trace that is looked at while it is recorded.

The recorder calls `Live.pulse` from within the user's operations, so in the thread that runs them. Most calls look at the clock and no more;
now and then one makes the document of what happened so far and hands it on. The time between two is at least that of a frame of the
screen, and so long that all of them together take at most a twentieth of the cell's time, however large the document has grown.

Note [Glimpses]: a log is full long before a training loop ends. From then on a pulse lets another recorder watch the next steps in place of
the one that only counts, and hands on what that one saw: a look at a moment later in the loop, with the gradients as they are by then.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from time import perf_counter
from typing import Any

from jgrad import fast, observer
from jgrad.trace.capture import MAX_STEPS, Recorder

EARLY = 0.5  # seconds that a cell runs before it is shown
FRAME = 1 / 30
SHARE = 20  # one part in so many of the cell's time may go into showing it
GLIMPSE = 60  # steps of a glimpse at least; it ends outside of a backward call
SLOW = 40e-6  # seconds that a step takes in a loop which being watched to the end does not slow by more than a tenth


class Live:
    """Hands the document of a trace that is being recorded on to `show`, again and again."""

    def __init__(
        self, document: Callable[[Recorder | None], dict[str, Any]], show: Callable[[dict], None]
    ) -> None:
        self.document = document  # of this recorder; of the trace itself for None
        self.show = show
        self.due = perf_counter() + EARLY
        self._begun = False
        self._shown = 0  # steps of the last document
        self._full: tuple[Recorder, float, int] | None = (
            None  # whose log is full, since when, after how many steps
        )
        self._glimpse: Recorder | None = None

    def pulse(self, recorder: Recorder) -> None:
        """`recorder` has kept or counted a step."""
        now = perf_counter()
        if recorder is self._glimpse:
            if recorder.kept >= GLIMPSE and not recorder.in_backward:
                self._hand_on(self._end_glimpse(), now)
        elif now >= self.due:
            if recorder.kept < recorder.max_steps:
                self._hand_on(None, now)
            elif not recorder.in_backward:
                if recorder.kept != self._shown:
                    self._hand_on(None, now)
                self._begin_glimpse(recorder)
        if self._full is None and recorder.kept >= recorder.max_steps:
            self._full = (recorder, now, recorder.seen)

    def goes_on(self, recorder: Recorder) -> bool:
        """Whether a loop of which enough steps were counted is slow enough to be watched on."""
        if self._full is None:
            return False
        _, since, seen = self._full
        return perf_counter() - since >= SLOW * (recorder.seen - seen)

    def close(self) -> None:
        """The block is over."""
        if self._glimpse is not None:
            self._end_glimpse()

    def _hand_on(self, recorder: Recorder | None, began: float) -> None:
        document = self.document(recorder)
        self._shown = len(document["steps"]) if recorder is None else self._shown
        self.show(document)
        now = perf_counter()
        # The first time what shows it is loaded, which the end of the cell would have to wait for too.
        self.due = now + (max(FRAME, (now - began) * SHARE) if self._begun else FRAME)
        self._begun = True

    def _begin_glimpse(self, main: Recorder) -> None:
        """See Note [Glimpses]."""
        seen = self._glimpse = Recorder(copy(main.scope), MAX_STEPS)
        seen.live, seen.backwards = self, main.backwards
        seen.start()
        observer.current = seen
        fast.refresh()

    def _end_glimpse(self) -> Recorder:
        seen, self._glimpse = self._glimpse, None
        assert seen is not None
        assert self._full is not None
        main = self._full[0]
        main.backwards = seen.backwards
        main.seen += seen.seen
        if observer.current is seen:
            observer.current = main
        seen.stop()
        return seen
