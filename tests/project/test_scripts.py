"""`scripts/generated` runs every command that writes a committed file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
GENERATED = (ROOT / "scripts" / "generated").read_text(encoding="utf-8")


def commands() -> set[str]:
    """The modules of tests and docs that write files when they are run."""
    found = set()
    for folder in ("tests", "docs"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if '\nif __name__ == "__main__":' in text and ".write_text(" in text:
                parts = path.relative_to(ROOT).with_suffix("").parts
                found.add(".".join(parts[:-1] if parts[-1] == "__main__" else parts))
    return found


# They write what is not committed, what a translator then reads, or what takes hours.
ELSEWHERE = {
    "docs",
    "docs.lite",
    "docs.translate",
    "tests.deep.array_api",
    "tests.public.counting",
    "tests.mirrors.releases",
    "tests.running.test_frameworks",
}


def test_every_command_that_writes_a_committed_file_is_run() -> None:
    named = set(re.findall(r"(?:tests|docs)[./][\w./]+", GENERATED))
    named = {name.removesuffix(".py").rstrip(".").replace("/", ".") for name in named}
    missing = {command for command in commands() - ELSEWHERE if command not in named}
    assert not missing


def test_every_mark_of_a_written_file_names_a_command_that_is_run() -> None:
    pages = [*(ROOT / "docs").glob("*.*"), *(ROOT / "tests").rglob("*.md"), ROOT / "js" / "src" / "schema.ts"]
    marks = re.compile(r"Written by `?python -m ([\w.]+)")
    named = {
        name for page in pages if page.is_file() for name in marks.findall(page.read_text(encoding="utf-8"))
    }
    assert named
    assert not {name for name in named if f"write {name}" not in GENERATED}
