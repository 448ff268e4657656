"""PyTorch's own public tests pass that did (see `tests/public/counting.py`)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.public.counting import count_file, known

FOLDER = os.environ.get("PYTORCH_TESTS", "")

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        not FOLDER, reason="needs PyTorch's tests: PYTORCH_TESTS is the folder `test` of a checkout"
    ),
]


@pytest.mark.parametrize("name", known()["files"])
def test_no_other_test_fails(name: str) -> None:
    stored = known()
    found = count_file(Path(FOLDER), name)
    expected = {test for tests in stored["failed"].values() for test in tests}
    assert {test: error for test, error in found.failed.items() if test not in expected} == {}
    assert found.passed >= stored["files"][name]["passed"]
