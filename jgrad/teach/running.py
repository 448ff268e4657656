"""Running a learner's function so that nothing can go wrong with the notebook: it ends, prints nothing, and leaves no mode changed."""

from __future__ import annotations

import builtins
import contextlib
import io
import linecache
import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from jgrad.language import say
from jgrad.tracing.record.user_code import UserCode

SECONDS = 5.0
# The time of this thread: on a busy machine, what others compute does not count. In a browser there is only one clock.
now = getattr(time, "thread_time", time.monotonic)
# What code can change of the process: how it is read, and how it is put back.
OF_THE_PROCESS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (os.getcwd, os.chdir),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (random.getstate, random.setstate),
    (np.random.get_state, np.random.set_state),
)
LOOKS = 200  # lines and instructions between two looks at the clock


class TookTooLong(BaseException):
    """Raised within the learner's code when its time is over. No `except Exception` of the learner's catches it."""


class Failed(Exception):
    """A learner's function did not return; the text is a sentence about it."""


def run(function: Callable[..., Any], *arguments: Any, seconds: float = SECONDS, what: str = "") -> Any:
    """What a learner's function returns. Raises `Failed` if it raises or does not end; `what` names it in the sentence."""
    what = what or say("Your function")
    clock = Clock(seconds)
    try:
        with kept_modes(), clock.watching():
            return function(*arguments)
    except Failed:
        raise  # of a run within this one
    except TookTooLong:
        raise Failed(clock.sentence(what)) from None
    except KeyboardInterrupt:
        raise Failed(say("{what} was interrupted.", what=say(what))) from None
    except BaseException as error:
        raise Failed(say("{what} raised {error}", what=say(what), error=_said(error))) from None


class Clock:
    """Stops code that runs too long. It counts the lines of user code. What it can't stop: a single call into C that never ends, and code that
    catches BaseException, since Python traces no more after that. The time in which a library loads a part of itself is not the learner's: with
    PyTorch's first optimizer this takes seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = self.looked = 0.0
        self.loaded = 0
        self.count = 0
        self.lines: Counter[tuple[str, int]] = Counter()
        self.user_code = UserCode()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.gettrace()
        self.looked, self.loaded = now(), len(sys.modules)
        self.end = self.looked + self.seconds
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self.user_code.runs(frame):
            return None
        # In `while True: pass` no line begins anew.
        frame.f_trace_opcodes = True
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.lines[frame.f_code.co_filename, frame.f_lineno] += 1
        self.count += 1
        if self.count % LOOKS == 0:
            self._look()
        return self._line

    def _look(self) -> None:
        before, self.looked = self.looked, now()
        if len(sys.modules) != self.loaded:
            self.end, self.loaded = self.end + self.looked - before, len(sys.modules)
        elif self.looked > self.end:
            raise TookTooLong

    def sentence(self, what: str) -> str:
        (file, line), times = self.lines.most_common(1)[0]
        text = linecache.getline(file, line).strip()
        parts = {
            "what": say(what),
            "seconds": f"{self.seconds:g}",
            "line": f"{line} (`{text}`)" if text else line,
        }
        if times == 1:
            return say("{what} did not finish in {seconds} seconds. It does not leave line {line}.", **parts)
        return say(
            "{what} did not finish in {seconds} seconds. Line {line} ran {times} times.",
            **parts,
            times=f"{times:,}",
        )


@contextlib.contextmanager
def kept_modes() -> Iterator[None]:
    """Put back what a learner's code may change: streams, warnings, grad mode and inference mode, the default dtype and device, the folder, the
    state of the random numbers, and the names of Python and of the library."""
    nowhere = Nowhere()
    with contextlib.ExitStack() as kept:
        for module in (builtins, *(sys.modules[name] for name in ("jgrad", "torch") if name in sys.modules)):
            kept.callback(vars(module).update, dict(vars(module)))
        for read, put_back in OF_THE_PROCESS:
            with contextlib.suppress(OSError):  # The folder may be gone.
                kept.callback(put_back, read())
        for name in ("jgrad", "torch"):
            if name in sys.modules:
                kept.enter_context(_kept_modes_of(sys.modules[name]))
        kept.enter_context(contextlib.redirect_stdout(nowhere))
        kept.enter_context(contextlib.redirect_stderr(nowhere))
        kept.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _kept_modes_of(lib: Any) -> Iterator[None]:
    """Put back the modes of a library. The code begins with grad mode on, whatever the notebook has set."""
    dtype, device, state = lib.get_default_dtype(), lib.get_default_device(), lib.get_rng_state()
    grad = lib.is_grad_enabled()
    try:
        # At its end there is the inference mode that there was, also if the code has entered another one and not left it.
        with lib.inference_mode(False), lib.enable_grad():
            yield
    finally:
        if lib.get_default_device() != device:
            lib.set_default_device(device)
        lib.set_grad_enabled(grad)
        lib.set_default_dtype(dtype)
        lib.set_rng_state(state)


class Nowhere(io.TextIOBase):
    """A stream that keeps nothing, however much is written."""

    def write(self, text: str) -> int:
        return len(text)

    def writable(self) -> bool:
        return True


def _said(error: BaseException) -> str:
    """An error in a sentence, with the innermost line of user code."""
    kind, message = type(error).__name__, " ".join(str(error).split())[:200]
    told = f"{kind}: {message}" if message else f"{kind}."
    user_code = UserCode()
    frames = [
        (frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if user_code.runs(frame)
    ]
    if not frames:
        return told
    frame, line = frames[-1]
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    where = say("{error} in line {line}", error=kind, line=f"{line} (`{text}`)" if text else line)
    return f"{where}: {message}" if message else where
