"""A shell with the magics, and what they show."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import jgrad
from jgrad import observer, views
from tests.record.tracing import valid


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.delattr(
        builtins, "_", raising=False
    )  # a doctest leaves it, and IPython then sets no `_` of its own
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    hook, before = sys.excepthook, getattr(builtins, "get_ipython", None)
    shell = InteractiveShell(config=config)
    shell.run_cell("import jgrad\n%load_ext jgrad")
    jgrad.trace.recent.clear()
    yield shell
    assert observer.current is None
    sys.excepthook = hook
    if before is None and hasattr(builtins, "get_ipython"):
        del builtins.get_ipython


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What was shown: (document, views, cursor)."""
    calls: list[tuple] = []

    def show(
        document: dict, chosen: Any = None, cursor: Any = None, key: Any = None, early: Any = None
    ) -> None:
        assert valid(document)
        calls.append((document, chosen, cursor))

    monkeypatch.setattr(views, "show", show)
    return calls
