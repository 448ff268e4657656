"""What holds for all tests: one jgrad, tiers, how they are distributed, and in CI nothing is skipped."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

# One thread per process, also of the kernels that tests start: on tensors of a few elements PyTorch's threads only wait for each other,
# which took most of the suite's time. Libraries read this when they are loaded.
for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import jgrad  # noqa: E402
from tests.notebooks import numbered as numbered  # noqa: E402  (nbval numbers the cells)

# The kernels that tests start import the jgrad that the tests import, installed or not.
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(jgrad.__file__).parents[1]), os.environ.get("PYTHONPATH")])
)

# No test depends on how busy the machine is.
hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")

# The tests themselves are a million objects that stay to the end. While they are collected there is no garbage to look for.
gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()


# Tiers -------------------------------------------------------------------------------------------------------------------------


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Tests on a GPU, of JupyterLite, and deep ones are asked for: `pytest -m gpu`, `-m lite`, `-m deep`. Of a tier that is asked for, only the modules that
    have tests of it are imported."""
    if collection_path.name == "10-your-own-pytorch.ipynb" and find_spec("torch") is None:
        return True
    asked = config.getoption("markexpr")
    if collection_path.name in ("gpu", "lite", "deep"):
        return asked != collection_path.name
    if asked in ("gpu", "lite", "deep", "quick") and collection_path.is_file():
        return collection_path.suffix != ".py" or f"mark.{asked}" not in marks_of(collection_path)
    return None


def marks_of(path: Path) -> str:
    """The source of a module, in which `first_is_quick` declares quick tests too, and `one_in` deep ones."""
    return (
        path.read_text(encoding="utf-8")
        .replace("mark.first_is_quick", "mark.quick")
        .replace("mark.one_in", "mark.deep")
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="of the tests that would run, only every Nth of each file",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `first_is_quick` and `one_in` ask for, leave the deep tests to their tier, and begin with what waits for a browser or a kernel
    most of its time."""
    seen = set()
    cases: Counter[str] = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        first = False
        for mark in item.iter_markers("first_is_quick"):
            (parameter,) = mark.args
            value = item.callspec.params[parameter]  # type: ignore[attr-defined]
            case = function, value if isinstance(value, str) else id(value)
            first = case not in seen
            seen.add(case)
        if first:
            item.add_marker("quick")
        for mark in item.iter_markers("one_in"):
            if cases[function] % mark.args[0] and not first:
                item.add_marker("deep")
            cases[function] += 1
    left_out = {"": ("deep",), "quick": ("deep", "slow")}.get(config.getoption("markexpr"), ())
    if not any("::" in asked for asked in config.args):
        config.hook.pytest_deselected(items=[i for i in items if any(map(i.get_closest_marker, left_out))])
        items[:] = [i for i in items if not any(map(i.get_closest_marker, left_out))]
    if config.getoption("every") > 1:
        keep_every(config.getoption("every"), items)
    items.sort(key=lambda item: place(item.nodeid))


def keep_every(step: int, items: list[pytest.Item]) -> None:
    """Keep of each file the first test, and every `step`th after it."""
    met: Counter[str] = Counter()
    kept = []
    for item in items:
        file = item.nodeid.partition("::")[0]
        if met[file] % step == 0:
            kept.append(item)
        met[file] += 1
    items[:] = kept


def place(nodeid: str) -> int:
    return 0 if nodeid.startswith("tests/browser/") else 1 if is_notebook(nodeid) else 2


def is_notebook(nodeid: str) -> bool:
    return nodeid.partition("::")[0].endswith(".ipynb")


# Distribution over processes ---------------------------------------------------------------------------------------------------


class InPieces(LoadScopeScheduling):
    """Tests go out in the order of their files, some at a time. In one process stay the cells of a notebook, which share a kernel, and
    the tests of a file for the browser, which share a server."""

    PIECE = 20

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self.pieces: dict[str, str] = {}
        self.met: Counter[str] = Counter()

    def _split_scope(self, nodeid: str) -> str:
        if nodeid not in self.pieces:
            file = nodeid.partition("::")[0]
            number = 0 if place(nodeid) < 2 else self.met[file] // self.PIECE
            self.met[file] += 1
            self.pieces[nodeid] = f"{file} {number}"
        return self.pieces[nodeid]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Of `-n auto`: more than there are processors, because tests in the browser wait a quarter of their time."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return InPieces(config, log)


# CI ----------------------------------------------------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    return forbid_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    return forbid_skips((yield))


def forbid_skips(report: Any) -> Any:
    """CI has PyTorch and Chromium: a skip there means that something was not tested."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"skipped in CI: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """In CI: the files that took longest, with their seconds and tests."""
    if not os.environ.get("CI"):
        return
    seconds: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                file = report.nodeid.partition("::")[0]
                seconds[file] += report.duration  # type: ignore[assignment]
                tests[file] += report.when == "call"
    terminalreporter.section("slowest files")
    for file, taken in seconds.most_common(20):
        terminalreporter.write_line(f"{taken:8.1f} s {tests[file]:6} tests  {file}")
