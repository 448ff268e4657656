"""How workers are started in these tests."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="package")
def workers_are_forked() -> Iterator[None]:
    """Datasets that a test defines can't be pickled, as other ways to start a process need it (since Python 3.14 the default is another)."""
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method("fork", force=True)
    yield
    multiprocessing.set_start_method(before, force=True)
