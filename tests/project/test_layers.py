"""The imports of jgrad keep to the table "Rooms" of docs/architecture.md.

Every import counts: at the top of a file, at its end, in a function, under TYPE_CHECKING.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LARGEST_CIRCLE = 8  # files
MOST_ARROWS_BACK = 5
LONGEST_FUNCTION = 80  # lines


class Import(NamedTuple):
    """One name that a module takes from another one."""

    module: str
    line: int
    target: str
    name: str


def modules() -> dict[str, Path]:
    """The file of each module of jgrad by its dotted name."""
    found = {}
    for path in sorted((ROOT / "jgrad").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports_of(module: str, text: str) -> Iterator[Import]:
    """The imports of other modules of jgrad in the text of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "jgrad":
                    yield Import(module, node.lineno, alias.name, alias.name)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: imports are absolute"
            source = node.module or ""
            if source.partition(".")[0] == "jgrad":
                for alias in node.names:
                    whole = f"{source}.{alias.name}"
                    yield Import(module, node.lineno, whole if whole in MODULES else source, alias.name)


IMPORTS = [i for name, path in MODULES.items() for i in imports_of(name, path.read_text(encoding="utf-8"))]


def table(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading of the page."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


class Room(NamedTuple):
    """A row of the table."""

    name: str
    files: list[str]
    may_import: list[str]


def rooms() -> list[Room]:
    return [
        Room(name, re.findall(r"`([^`]+)`", files), [] if allowed == "nothing" else allowed.split(", "))
        for name, files, _, allowed in table("Rooms")
    ]


ROOMS = {room.name: room for room in rooms()}


def room_of(module: str) -> str:
    """The room of a module: the one that names the longest part of its path."""
    path = MODULES[module].relative_to(ROOT / "jgrad").as_posix()
    candidates = [
        (len(file), room.name)
        for room in ROOMS.values()
        for file in room.files
        if path == file or (file.endswith("/") and path.startswith(file))
    ]
    assert candidates, f"{path} is in no room of docs/architecture.md"
    return max(candidates)[1]


def arrows_back() -> dict[tuple[str, str], str]:
    """By (from, to), two files: the reason why this import goes against the table."""
    return {(source.strip("`"), target.strip("`")): reason for source, target, reason in table("Arrows back")}


def file_of(module: str) -> str:
    return MODULES[module].relative_to(ROOT / "jgrad").as_posix()


def refused(imports: list[Import]) -> list[str]:
    """The imports that the table does not allow."""
    known = arrows_back()
    found = []
    for i in imports:
        source, target = room_of(i.module), room_of(i.target)
        if source == target or target in ROOMS[source].may_import:
            continue
        if (file_of(i.module), file_of(i.target)) not in known:
            found.append(
                f"{file_of(i.module)}:{i.line} takes {i.name} from {file_of(i.target)}: the room '{source}' may not import '{target}'"
            )
    return found


def test_every_import_is_allowed_by_the_table() -> None:
    found = refused(IMPORTS)
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "statement",
    [
        "from jgrad import views",
        "def f():\n    import jgrad.notebook.magics",
        "if 0:\n    from jgrad.nn import Linear",
    ],
)
def test_an_import_against_the_table_is_found(statement: str) -> None:
    (line,) = refused(list(imports_of("jgrad.kernels.numpy.shape", statement)))
    assert "kernels/numpy/shape.py" in line


def test_rooms_are_listed_from_the_bottom_to_the_top() -> None:
    names = list(ROOMS)
    for room in ROOMS.values():
        for allowed in room.may_import:
            assert names.index(allowed) < names.index(room.name), (
                f"{room.name} may import {allowed}, which is above it"
            )


def test_the_table_allows_nothing_that_is_not_used() -> None:
    used = {(room_of(i.module), room_of(i.target)) for i in IMPORTS}
    assert [(r.name, a) for r in ROOMS.values() for a in r.may_import if (r.name, a) not in used] == []


def test_every_file_of_the_table_exists() -> None:
    for room in ROOMS.values():
        for file in room.files:
            assert (ROOT / "jgrad" / file).exists(), file


def test_arrows_back_are_few_and_still_there() -> None:
    known = arrows_back()
    assert len(known) <= MOST_ARROWS_BACK
    assert known.keys() <= {(file_of(i.module), file_of(i.target)) for i in IMPORTS}


def circles() -> list[list[str]]:
    """The groups of files that import each other, directly or through others."""
    arrows: dict[str, set[str]] = defaultdict(set)
    for i in IMPORTS:
        arrows[i.module].add(i.target)

    def reachable(start: str) -> set[str]:
        seen, stack = set(), [start]
        while stack:
            for target in arrows[stack.pop()] - seen:
                seen.add(target)
                stack.append(target)
        return seen

    reached = {name: reachable(name) for name in MODULES}
    found = {
        frozenset([n for n in reached[name] if name in reached[n]])
        for name in MODULES
        if name in reached[name]
    }
    return sorted([sorted(group) for group in found if len(group) > 1], key=len, reverse=True)


def test_no_circle_is_large() -> None:
    for group in circles():
        assert len(group) <= LARGEST_CIRCLE, f"{len(group)} files import each other: {', '.join(group)}"


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function has after its first one, without those of its docstring but one."""
    text = function.body[0] if ast.get_docstring(function, clean=False) is not None else None
    return (
        (function.end_lineno or 0)
        - function.lineno
        - (0 if text is None else (text.end_lineno or 0) - text.lineno)
    )


def test_functions_are_short_but_for_those_that_the_page_names() -> None:
    long = {
        (file_of(module), node.name)
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) >= LONGEST_FUNCTION
    }
    named = {(file.strip("`"), function.strip("`")) for file, function, _ in table("Long functions")}
    assert long == named
