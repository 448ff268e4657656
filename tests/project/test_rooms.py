"""Tests lie in the rooms of what they test, and tests/README.md lists them."""

from __future__ import annotations

import pytest

from tests.project.rooms import HERE, PAGE, ROOMS, files_of, page, summary

pytestmark = pytest.mark.quick


def test_the_page_lists_the_tests_that_there_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.project.rooms"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_tests(room: str) -> None:
    assert files_of(HERE / room)


def test_no_test_lies_outside_of_a_folder_that_says_what_it_holds() -> None:
    assert not list(HERE.glob("test_*.py"))
    silent = [path for path in files_of(HERE) if not summary(path)]
    silent += [
        folder
        for folder in HERE.iterdir()
        if folder.is_dir()
        and folder.name not in ROOMS
        and files_of(folder)
        and not summary(folder / "__init__.py")
    ]
    assert not silent
