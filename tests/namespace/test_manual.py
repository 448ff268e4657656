"""The chapters of `jgrad/manual` and the docstrings of the sources fit together."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

import jgrad
from jgrad import manual

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "jgrad" / "manual"
CHAPTERS = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix()
    for path in FOLDER.rglob("*.rst")
    if path.stem != "arguments"
)
BARE = re.compile(r"^ {4}\*{0,2}\w+(?:, \*{0,2}\w+)*$", re.MULTILINE)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_entry_is_in_a_docstring(chapter: str) -> None:
    """An entry that is left has no name in its module, or its module does not attach it."""
    module = f"jgrad.{chapter.replace('/', '.')}"
    importlib.import_module(module)
    assert not manual.chapter(module)


def room_of(chapter: str) -> str:
    """The room whose arguments a chapter has."""
    return chapter.removeprefix("extra/").partition("/")[0]


def blocks(chapter: str) -> list[str]:
    """The lists of parameters in a chapter."""
    text = (FOLDER / f"{chapter}.rst").read_text(encoding="utf-8")
    return re.findall(r"^Args:\n((?: .*\n)*)", text, re.MULTILINE)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_parameter_without_text_has_the_text_of_its_room(chapter: str) -> None:
    known = manual.arguments(room_of(chapter))
    assert [line for block in blocks(chapter) for line in BARE.findall(block) if line not in known] == []


@pytest.mark.parametrize("room", sorted(path.parent.name for path in FOLDER.rglob("arguments.rst")))
def test_what_a_room_explains_once_is_used_and_written_nowhere_else(room: str) -> None:
    chapters = [chapter for chapter in CHAPTERS if room_of(chapter) == room]
    uses = Counter(line for chapter in chapters for block in blocks(chapter) for line in BARE.findall(block))
    written = "".join(f"\n{block}" for chapter in chapters for block in blocks(chapter))
    for line, text in manual.arguments(room).items():
        assert uses[line] > 1, line
        assert f"\n{text}\n" not in written, line


def test_the_sources_have_no_long_docstrings() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sorted((ROOT / "jgrad").rglob("*.py"))
        if path.parent != FOLDER
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "\nArgs:\n" in (ast.get_docstring(node) or "")
    ]
    assert found == [], "what follows the first paragraph belongs into jgrad/manual"


def test_help_shows_the_whole_text() -> None:
    for value in (
        jgrad.mul,
        jgrad.Tensor.mul,
        jgrad.nn.Linear,
        jgrad.cuda.is_available,
        jgrad.Generator.seed,
    ):
        assert ">>> " in (inspect.getdoc(value) or ""), value


def test_the_manual_is_read_from_a_zip_archive(tmp_path: Path) -> None:
    archive = tmp_path / "jgrad.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in [*(ROOT / "jgrad").rglob("*.py"), *FOLDER.rglob("*.rst")]:
            file.write(path, path.relative_to(ROOT))
    code = "import jgrad; print(jgrad.__file__, jgrad.mul.__doc__, jgrad.nn.Linear.__doc__)"
    shown = python("-c", code, path=archive)
    assert str(archive) in shown
    assert shown.count(">>> ") > 4


def test_without_docstrings_no_chapter_is_read() -> None:
    assert python("-OO", "-c", "import jgrad; print(jgrad.nn.Linear.__doc__)", path=ROOT) == "None\n"


def python(*arguments: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={"PYTHONPATH": str(path)},
        cwd=path.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
