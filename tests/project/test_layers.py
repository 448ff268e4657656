"""The imports of jgrad keep to the table "Rooms" of docs/architecture.md.

Every import counts: at the top of a file, at its end, in a function, under TYPE_CHECKING, and by a string: `import_module("jgrad.nn")`,
`__import__`, and the tables of names that `loading.offer` and `loading.rename` get. Only the table of `jgrad/__init__.py` is exempt.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from jgrad import loading

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LARGEST_CIRCLE = 3  # files
# The imports of modules whose names are known only when the program runs: what `loading` was told, the kernels under another library, and
# what a file names that is loaded.
NAMED_LATER = {"jgrad.loading", "jgrad.kernels.libraries", "jgrad.serialization.names"}
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
        elif isinstance(node, ast.Call):
            for target in [name for text in strings_of(node) for name in named(text, module)]:
                yield Import(module, node.lineno, target, repr(target))


def strings_of(call: ast.Call) -> list[ast.expr]:
    """The names of modules in a call that loads modules, now or later."""
    function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if function in ("import_module", "__import__"):
        return call.args[:1]
    if function in ("offer", "rename") and isinstance(call.args[-1], ast.Dict):
        return call.args[-1].values
    return []


def named(text: ast.expr, module: str) -> list[str]:
    """The modules of jgrad that an expression may name. What an f-string inserts may be any name."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    pattern = ""
    for part in parts:
        if isinstance(part, ast.Constant):
            pattern += re.escape(str(part.value).partition(":")[0])
        elif isinstance(part, ast.FormattedValue):
            inserts_own = isinstance(part.value, ast.Name) and part.value.id == "__name__"
            pattern += re.escape(module) if inserts_own else r"[\w.]+"
        else:
            assert module in NAMED_LATER, f"{module}:{text.lineno} loads a module whose name can't be read"
            return []
    return [name for name in MODULES if re.fullmatch(pattern, name)]


@cache
def found_imports() -> list[Import]:
    """All imports of jgrad. (Read in a test, not while tests are collected, which each process does.)"""
    return [i for name, path in MODULES.items() for i in imports_of(name, path.read_text(encoding="utf-8"))]


def is_offered(i: Import) -> bool:
    """Whether `jgrad` itself offers a name that it does not use. This is the one place that names rooms above its own."""
    return i.module == "jgrad" and i.name == repr(i.target)


@cache
def checked_imports() -> list[Import]:
    """Those that the table must allow."""
    return [i for i in found_imports() if not is_offered(i)]


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


def file_of(module: str) -> str:
    return MODULES[module].relative_to(ROOT / "jgrad").as_posix()


def refused(imports: list[Import]) -> list[str]:
    """The imports that the table does not allow."""
    found = []
    for i in imports:
        source, target = room_of(i.module), room_of(i.target)
        if source != target and target not in ROOMS[source].may_import:
            found.append(
                f"{file_of(i.module)}:{i.line} takes {i.name} from {file_of(i.target)}: the room '{source}' may not import '{target}'"
            )
    return found


def test_every_import_is_allowed_by_the_table() -> None:
    found = refused(checked_imports())
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "statement",
    [
        "from jgrad import views",
        "def f():\n    import jgrad.notebook.magics",
        "if 0:\n    from jgrad.nn import Linear",
        "if TYPE_CHECKING:\n    from jgrad.nn import Linear",
        "def __getattr__(name):\n    return importlib.import_module('jgrad.nn')",
        "importlib.import_module(f'jgrad.notebook.{name}')[0]",
        "__import__('jgrad.optim')",
        "loading.offer(__name__, {'amp': 'jgrad.amp'})",
        "loading.rename({'jgrad.kernels.Linear': 'jgrad.nn.modules.linear:Linear'})",
    ],
)
def test_an_import_against_the_table_is_found(statement: str) -> None:
    lines = refused(list(imports_of("jgrad.kernels.numpy.shape", statement)))
    assert lines
    assert all("kernels/numpy/shape.py" in line for line in lines)


def test_jgrad_offers_what_is_above_it_in_one_table_only() -> None:
    """An offer of another module is an import like any other one."""
    assert refused([i for i in found_imports() if is_offered(i)])
    assert {i.module for i in found_imports() if is_offered(i)} == {"jgrad"}


def test_second_names_are_no_files() -> None:
    assert not loading.renamed.keys() & MODULES.keys()
    for name, target in loading.renamed.items():
        assert importlib.import_module(name) is importlib.import_module(target)
        assert importlib.import_module(name).__spec__.name == target


def test_rooms_are_listed_from_the_bottom_to_the_top() -> None:
    names = list(ROOMS)
    for room in ROOMS.values():
        for allowed in room.may_import:
            assert names.index(allowed) < names.index(room.name), (
                f"{room.name} may import {allowed}, which is above it"
            )


def test_the_table_allows_nothing_that_is_not_used() -> None:
    used = {(room_of(i.module), room_of(i.target)) for i in checked_imports()}
    assert [(r.name, a) for r in ROOMS.values() for a in r.may_import if (r.name, a) not in used] == []


def test_every_file_of_the_table_exists() -> None:
    for room in ROOMS.values():
        for file in room.files:
            assert (ROOT / "jgrad" / file).exists(), file


def circles() -> list[list[str]]:
    """The groups of files that import each other, directly or through others."""
    arrows: dict[str, set[str]] = defaultdict(set)
    for i in checked_imports():
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


# Views ----------------------------------------------------------------------------------------------------------------------------------

MOST_PARAMETERS = 6


def test_functions_of_views_have_few_parameters() -> None:
    """What a drawing needs again and again is held by an object, such as `views/strips.py` `Strip`."""
    found = []
    for path in sorted((ROOT / "jgrad" / "views").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                a = node.args
                names = [one.arg for one in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
                names += [one.arg for one in (a.vararg, a.kwarg) if one is not None]
                if len(names) - (names[:1] == ["self"]) > MOST_PARAMETERS:
                    found.append(f"{path.name}: {node.name}")
    assert found == []
