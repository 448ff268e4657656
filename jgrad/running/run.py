"""Runs a program as `python` does, under the recorder, and says at its end what is remarkable.

The program's own behaviour stays: its output, its exit status, its signals, its hooks. So an error that it raises leaves this module too, and
Python itself shows it, without our frames and with its answer as a note. What jgrad says goes to the stderr that Python began with.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any

from jgrad.asking.answer import Answer
from jgrad.asking.calling import answer_to, is_noted, note
from jgrad.asking.frames import leave_out_ours, left_out
from jgrad.running.program import Program
from jgrad.running.ranks import Rank
from jgrad.running.report import Report
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.document.wording import Wording
from jgrad.tracing.record.keeping import ALIKE
from jgrad.tracing.record.scope import Scope, mentioned

# Signals that end a process: from a scheduler or `kill`, and when its terminal is closed. `nohup` has the second one ignored, and so it stays.
ENDINGS = ("SIGTERM", "SIGHUP")
LEAVING = ("_exit", "execv", "execve")  # functions of `os`; all others that begin with exec call these


@dataclass
class Options:
    """What `jgrad run` was told."""

    html: Path | None = None
    save: Path | None = None
    open: bool = False
    quiet: bool = False
    rounds: tuple[int, int] | None = None
    into: tuple[str, ...] = ()
    max_steps: int | None = None
    stop: str | None = None
    rank: Rank | None = None
    """Which process this is, if torchrun has started several."""


def run(program: Program, options: Options) -> None:
    """Run a program. What it raises is raised."""
    run = _Run(program, options)
    with run.ending():
        error = run.record()
    if error is None or isinstance(error, SystemExit):
        run.end(error)
    else:
        run.prepare(error)
    if error is not None:
        raise error


class _Run:
    """One run of a program."""

    def __init__(self, program: Program, options: Options) -> None:
        self.program = program
        self.options = options
        self.process = os.getpid()
        self.report = Report(sys.stderr, options)
        name = name_of(program.filename)
        title = name if options.rank is None else f"{name}, {options.rank}"
        self.trace = Trace(
            title, max_steps=options.max_steps, rounds=options.rounds, into=options.into, stop=options.stop
        )
        self.trace.wording = Wording(name)
        self.trace.patience = ALIKE
        self.trace._source = Source(program.lines)
        self.ended = False

    def record(self) -> BaseException | None:
        """Run the program; what it raised."""
        main = self.program.install()
        variables = vars(main)
        scope = Scope(self.program.filename, variables, mentioned(self.program.code), into=self.options.into)
        # Python's search for cyclic garbage need not go through what is ours. Its thresholds are the program's.
        gc.freeze()
        with left_out(_Run.record.__code__), self.trace.recording(scope) as outcome:
            exec(self.program.code, variables)
        gc.unfreeze()  # what the program leaves behind ends as by `python`
        return outcome.error

    @property
    def is_here(self) -> bool:
        """Whether this is the process that was started, and not one that the program forked."""
        return os.getpid() == self.process

    @contextmanager
    def ending(self) -> Iterator[None]:
        """A block in which the program may end otherwise than by its last line: by os._exit(), by another program in its place, by a signal, in a process
        that it forked."""
        before = {name: vars(os)[name] for name in LEAVING if name in vars(os)}
        ours = {name: self._leaving(name, leave) for name, leave in before.items()}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        vars(os).update(ours)
        # A program may ask whether a handler is there, so there is one only if there is a file to write.
        ends = (getattr(signal, name, None) for name in ENDINGS if self.report.writes)
        handled = [number for number in ends if number and signal.getsignal(number) == signal.SIG_DFL]
        for number in handled:
            signal.signal(number, self._ended_by)
        try:
            yield
        finally:
            for name, leave in before.items():
                if vars(os)[name] is ours[name]:
                    vars(os)[name] = leave
            for number in handled:
                if signal.getsignal(number) == self._ended_by:
                    signal.signal(number, signal.SIG_DFL)

    def _leaving(self, name: str, leave: Callable[..., Any]) -> Callable[..., Any]:
        """A function of `os` that ends the program, and says before it what is known."""

        @wraps(leave)
        def leaving(*args: Any, **named: Any) -> Any:
            with suppress(Exception):
                # (`os.execvp` tries all folders in which the other program may be.)
                if name == "_exit" or os.access(args[0], os.X_OK):
                    self.cut_off(f"os.{name}()")
            return leave(*args, **named)

        return leaving

    def _forked(self) -> None:
        """In a process that the program forked: it is not recorded."""
        if not self.ended:
            self.trace._leave()

    def _ended_by(self, number: int, frame: Any) -> None:
        with suppress(Exception):
            self.cut_off(signal.Signals(number).name)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def cut_off(self, by: str) -> None:
        """The process is about to end in the middle of the program: say and write what is known."""
        if self.is_here and not self.ended:
            self.ended = True
            self.report.say(f"The program was ended by {by}.")
            with suppress(Exception):
                self.trace._end(None)  # the last round is over too
            self.report.say(*self.report.end(self.trace, self.trace.why))

    def end(self, error: BaseException | None) -> None:
        """The program is over: say what is remarkable."""
        if self.is_here and not self.ended:
            self.ended = True
            self.report.say(*self.report.end(self.trace, lambda: self._answer(error)))

    def _answer(self, error: BaseException | None) -> Answer:
        if error is None or isinstance(error, SystemExit):
            return self.trace.why()
        if isinstance(error, KeyboardInterrupt):  # also `Stopped`: where it was, and how far it came
            return answer_to(error, [self.trace])
        return answer_to(error, [self.trace]) or self.trace.why()

    def prepare(self, error: BaseException) -> None:
        """Have Python show an error that the program did not catch as without us, and say after it what is known."""
        try:
            sentences = self._sentences(error)
        except KeyboardInterrupt:  # Ctrl-C once more: nobody waits for the answer
            sentences = ["Interrupted: there is no answer, and no file is written."]
        leave_out_ours(error)
        shown, show = error.__traceback__, getattr(sys, "excepthook", None)
        if show is None:  # the program deleted it
            self.report.say(*sentences)
            return

        def excepthook(
            kind: type[BaseException], value: BaseException, traceback: TracebackType | None
        ) -> None:
            if value is not error:
                show(kind, value, traceback)
                return
            try:
                show(kind, value.with_traceback(shown), shown)
            except Exception as failure:  # in a hook of the program's
                _say_failed_hook(failure, value.with_traceback(shown))
            finally:
                self.report.say(*sentences)

        sys.excepthook = excepthook

    def _sentences(self, error: BaseException) -> list[str]:
        """What is said after an error that the program did not catch. The answer becomes a note of the error."""
        said = None
        with suppress(Exception):
            said = self._answer(error)
        was_noted = is_noted(error)  # by a trace within the program
        noted = was_noted or (isinstance(error, Exception) and bool(said))
        if noted and said is not None:
            with suppress(Exception):
                note(error, said)
        # Not in the hook: a text that is compiled there would have Python forget that an interrupt ends the process.
        if not self.is_here or self.ended:
            return []
        self.ended = True
        is_shown = (bool(said) and not was_noted) or isinstance(error, KeyboardInterrupt)
        # Python shows the notes of an error. A hook of the program's may not.
        is_said = noted and getattr(sys, "excepthook", None) is sys.__excepthook__
        return self.report.end(self.trace, lambda: said if is_shown else None, is_said)


def _say_failed_hook(failure: Exception, value: BaseException) -> None:
    """What Python says if a hook raises an error: it would show the frame of ours that called the hook."""
    leave_out_ours(failure)
    for said, error in (("Error in sys.excepthook:", failure), ("\nOriginal exception was:", value)):
        print(said, file=sys.stderr)
        sys.__excepthook__(type(error), error, error.__traceback__)
