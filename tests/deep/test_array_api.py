"""The test suite of the array API standard says no worse of jgrad than it did (see `tests/deep/array_api.py`)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.deep.array_api import STORED, run

FOLDER = os.environ.get("ARRAY_API_TESTS", "")

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        not FOLDER, reason="needs the suite: ARRAY_API_TESTS is a checkout of data-apis/array-api-tests"
    ),
]


def test_no_other_test_of_the_suite_fails() -> None:
    stored = json.loads(STORED.read_text())
    found = run("jgrad.utils.array_api", Path(FOLDER), stored["examples"])
    assert set(found.failed) <= set(stored["failed"])
    assert len(found.passed) >= stored["passed"]
    assert all(found.names)
