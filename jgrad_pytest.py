"""jgrad's plugin for pytest: `pytest --jgrad` records the tests, and a failing one gets a section with the reason.

    @pytest.mark.jgrad            # records this test, also without the option
    def test_it_learns(jgrad_trace):
        ...                       # jgrad_trace.why() says what is remarkable so far

This module lies outside of the package, so that a run of pytest that needs none of it does not import jgrad.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any
from unittest import TestCase

import pytest

if TYPE_CHECKING:
    from jgrad.trace import Outcome, Trace

SECTION = "jgrad"
TRACE = pytest.StashKey[Any]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("jgrad").addoption(
        "--jgrad",
        action="store_true",
        help="record each test, and say of a failing one what jgrad knows about it",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "jgrad: record this test, and say what jgrad knows about it if it fails"
    )


def _is_recorded(item: pytest.Item) -> bool:
    wanted = item.config.getoption("--jgrad") or item.get_closest_marker("jgrad") is not None
    return wanted or "jgrad_trace" in getattr(item, "fixturenames", ())


@pytest.fixture
def jgrad_trace(request: pytest.FixtureRequest) -> Trace:
    """The trace of this test, which is being recorded."""
    trace: Trace = _trace_of(request.node)
    return trace


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    is_recorded = _is_recorded(pyfuncitem) and not inspect.iscoroutinefunction(pyfuncitem.obj)
    if not is_recorded and "jgrad.running.run" not in sys.modules:
        return (yield)
    from jgrad.asking.frames import leave_out_ours

    try:
        with _recorded(pyfuncitem) if is_recorded else nullcontext():
            return (yield)
    except BaseException as error:  # also of a test that runs under `jgrad run -m pytest`
        leave_out_ours(error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test of unittest, which is no call of a function for pytest, and which keeps what it raises."""
    is_unit = isinstance(item, pytest.Function) and item.cls is not None and issubclass(item.cls, TestCase)
    if not is_unit or not _is_recorded(item) or inspect.iscoroutinefunction(item.obj):
        return (yield)
    from jgrad.asking.frames import leave_out_ours

    result: object = None
    kept: list[Any] = []
    try:
        with _recorded(item) as outcome:
            result = yield
            kept = getattr(item, "_excinfo", None) or []
            outcome.error = kept[0].value if kept else None
    except BaseException as error:
        if not kept or error is not kept[0].value:
            raise
        leave_out_ours(error)
        kept[0] = pytest.ExceptionInfo.from_exception(error)
    return result


@contextmanager
def _recorded(item: pytest.Function) -> Iterator[Outcome]:
    """A block in which a test runs."""
    trace, test = _trace_of(item), inspect.unwrap(item.obj)
    scope = trace.around(test.__code__, test.__globals__)
    with trace.recording(scope) as outcome:
        yield outcome
    if outcome.error is not None:
        raise outcome.error


def _trace_of(item: pytest.Item) -> Any:
    """The trace of a test, which is made at its first use."""
    from jgrad.trace import Trace

    if TRACE not in item.stash:
        item.stash[TRACE] = Trace(item.name)
    return item.stash[TRACE]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    trace = item.stash.get(TRACE, None)
    if report.when == "call" and report.failed and trace is not None and call.excinfo is not None:
        try:
            text = _answer(trace, call.excinfo.value)
        except Exception as failure:  # the test's own failure matters more
            text = f"no answer because of a bug in jgrad ({failure!r})"
        if text:
            report.sections.append((SECTION, text))
    return report


def _answer(trace: Trace, error: BaseException) -> str:
    """Why a test failed: about the error if jgrad knows it, else what is remarkable in the test, and the facts. Nothing of a test without tensors, and of an
    error that says it itself."""
    from jgrad.asking.calling import answer_to, is_noted

    if is_noted(error) or not trace.document["tensors"]:
        return ""
    known = answer_to(error, [trace])
    return str(known if known else trace.why())
