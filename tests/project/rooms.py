"""Which tests are of which room: `python -m tests.project.rooms` writes them as tests/README.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.project.test_layers import ROOMS

HERE = Path(__file__).parents[1]
PAGE = HERE / "README.md"
HEAD = """# Tests

A test lies in the folder of the room that it tests ([the rooms](../docs/architecture.md#rooms)). Tests that are of no one room lie in the folders at the end.

<!-- Written by python -m tests.project.rooms: -->
"""


def summary(path: Path) -> str:
    """The first sentence of a module's docstring, without commands that follow a colon."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    sentence = " ".join(docstring.partition("\n\n")[0].split()).partition(". ")[0]
    return sentence.rstrip(".")


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("test_*.py"))


def section(title: str, folder: Path, purpose: str) -> Iterator[str]:
    yield f"\n## {title}\n\n"
    yield f"{purpose}\n\n" if purpose else ""
    for path in files_of(folder):
        yield f"- [{path.relative_to(folder).as_posix()}]({path.relative_to(HERE).as_posix()}): {summary(path)}\n"


def page() -> str:
    others = sorted(
        folder for folder in HERE.iterdir() if folder.name not in ROOMS and (folder / "__init__.py").exists()
    )
    parts = [HEAD]
    for room in ROOMS:
        parts += section(room, HERE / room, "")
    for folder in others:
        parts += section(folder.name, folder, summary(folder / "__init__.py") + ".")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
