"""Run one file of PyTorch's tests on one library, as a process of its own.

    python -m tests.public.one LIBRARY FILE RESULTS [--names NAMES] [--seconds 40]

Each test writes a line of JSON to RESULTS as it ends: its name, how it ended, the error, the seconds. NAMES is a JSON list of the tests that are run;
without it, one in ten cases of each test is run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from tests.public import cases, loading

TOO_LONG = "took longer than the limit"


class Late(BaseException):
    """A test took too long. No test catches it."""


def late(*_: Any) -> NoReturn:
    raise Late(TOO_LONG)


def limit_of_time(seconds: int) -> None:
    """The process's own time, which does not depend on what else the machine does; 0 for no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def another_process(*_: Any, **__: Any) -> NoReturn:
    raise unittest.SkipTest("another process")


class Result(unittest.TestResult):
    """Writes a line for each test."""

    def __init__(self, path: Path, seconds: int) -> None:
        super().__init__()
        self.file = path.open("a", encoding="utf-8")
        self.limit = seconds
        self.worst: tuple[str, str] | None = None

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.worst, self.start = None, time.monotonic()
        limit_of_time(self.limit)

    def stopTest(self, test: unittest.TestCase) -> None:
        limit_of_time(0)
        super().stopTest(test)
        outcome, error = self.worst or ("unknown", "")
        line = [test.id().partition(".")[2], outcome, error, round(time.monotonic() - self.start, 2)]
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def ended(self, outcome: str, error: Any = None) -> None:
        if self.worst is None or self.worst[0] == "passed":
            self.worst = (outcome, error if isinstance(error, str) else written(error))

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.ended("passed")

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self.ended("failed", err)

    addFailure = addError

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.ended("skipped", str(reason))

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        self.ended("failed as expected")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.ended("failed", "it was expected to fail")

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err:
            self.ended("failed", err)


def written(error: Any) -> str:
    """The error, the line of the test, and the line of the library."""
    if error is None:
        return ""
    kind, value, trace = error
    frames = traceback.extract_tb(trace)
    lines = [f"{kind.__name__}: {value}"[:1500]]
    own = [frame for frame in frames if Path(frame.filename).name.startswith("test_")]
    lines += [f"line {frame.lineno}: {frame.line}" for frame in own[-1:]]
    lines += [f"in {'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno}" for frame in frames[-1:]]
    return "\n".join(lines)


class Test(unittest.TestSuite):
    """A test that is cut has failed, and the next one runs."""

    def run(self, result: Any, debug: bool = False) -> Any:
        for test in self:
            try:
                test(result)
            except Late:
                result.ended("failed", f"Late: {TOO_LONG}")
                result.stopTest(test)
        return result


def tests_of(module: ModuleType, bases: tuple[type, ...]) -> Iterator[unittest.TestCase]:
    for cls in dict.fromkeys(value for value in vars(module).values() if isinstance(value, type)):
        if issubclass(cls, unittest.TestCase) and cls not in bases and cls.__module__ == module.__name__:
            for name in cases.tests_of(cls):
                if not cases.CHOSEN or f"{cls.__name__}.{name}" in cases.CHOSEN:
                    yield cls(name)


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.public.one", description=__doc__)
    parser.add_argument("library", choices=("torch", "jgrad"))
    parser.add_argument("file", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--names", type=Path)
    parser.add_argument("--seconds", type=int, default=40)
    options = parser.parse_args()
    if options.names:
        cases.CHOSEN.update(json.loads(options.names.read_text()))
    if options.library == "jgrad":
        loading.jgrad_as_torch()
    helpers = importlib.import_module("tests.public.helpers")
    comparing = importlib.import_module("tests.public.comparing")
    comparing.remember_hooks_of_all_modules()
    signal.signal(signal.SIGPROF, late)
    for name in ("run", "check_output", "check_call"):
        setattr(subprocess, name, another_process)
    result = Result(options.results, options.seconds)
    file = options.file.resolve()
    os.chdir(file.parent)
    sys.argv = [file.name]
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        # Tests count the warnings that they record.
        warnings.simplefilter("always")
        sys.stdout = nowhere
        module = loading.load(file, helpers.helper)
        Test(tests_of(module, (comparing.TestCase, comparing.NNTestCase, unittest.TestCase))).run(result)


if __name__ == "__main__":
    main()
