"""What holds for all tests: one jgrad, and in CI nothing is skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jgrad

# The kernels that tests start import the jgrad that the tests import, installed or not.
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(jgrad.__file__).parents[1]), os.environ.get("PYTHONPATH")])
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Tests on a GPU are asked for: `pytest -m gpu`."""
    return True if collection_path.name == "gpu" and config.getoption("markexpr") != "gpu" else None


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
