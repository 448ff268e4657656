"""No room is larger than docs/sizes.md allows."""

from __future__ import annotations

import pytest

from tests.project.sizes import STEP, Size, limited, limits, lower, size_of, sizes

pytestmark = pytest.mark.quick

MODULE = '''"""A docstring.

Of three lines."""
x = 1  # code, not a comment

# a comment


def f():
    """One line."""
    return """a text

    is code"""
'''


def test_lines_are_told_apart() -> None:
    assert size_of(MODULE) == Size(code=5, docstring=4, comment=1, blank=3)


@pytest.mark.slow
def test_rooms_keep_to_their_limits() -> None:
    allowed = limits()
    now = limited(sizes())
    assert list(allowed) == list(now), "run python -m tests.project.sizes"
    too_large = {
        name: f"{lines} lines, {allowed[name]} allowed"
        for name, lines in now.items()
        if lines > allowed[name]
    }
    assert not too_large, "make it smaller, or raise the limit in docs/sizes.md and say why"


def test_limits_only_fall() -> None:
    page = "# Sizes\n\n| of | lines at most |\n|---|---:|\n| a | 1,000 |\n| b | 500 |\n"
    lowered = lower(page, {"a": 810, "b": 600, "new": 1})
    assert lowered.endswith(f"| a | 900 |\n| b | 500 |\n| new | {STEP} |\n")
