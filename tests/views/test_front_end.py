"""The front end draws what Python draws: the built `jgrad.js`, which is made from the same files, run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jgrad import views
from jgrad.tracing.document.packing import pack
from jgrad.views.drawing import frame_of, scene_of
from jgrad.views.transport import STATIC

from .documents import NAMES, PROGRAMS, documents, record

NODE = shutil.which("node")
DRAW = Path(__file__).parent / "draw.mjs"
pytestmark = [pytest.mark.quick, pytest.mark.skipif(NODE is None, reason="needs Node")]

# Characters outside of the first plane have two units in JavaScript, and one in Python.
ASTRAL = """
        𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱 = jgrad.ones(3, requires_grad=True)
        kept = {"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀": 𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱 * 2}; y = kept["😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀"].exp()
        del 𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱𝐱  # 😀 and now to the end of a long line, which is cut: 漢字漢字漢字漢字漢字漢字漢字漢字
        y.sum().backward()
"""

Case = tuple[str, int, int | None]


def cases(document: dict[str, Any]) -> list[Case]:
    """All views at some cursors, and at the end with the choices that they offer."""
    n = len(document["steps"])
    found: list[Case] = [
        (view, k, None) for view in views.VIEWS for k in sorted({0, n, *range(1, n, max(n // 12, 1))})
    ]
    for view in ("scatter", "storage"):
        choices = views.scene(document, view, n).get("choices", [])
        found.extend([(view, n, i) for i in range(min(len(choices), 4))])
    if "rounds" in document:
        found.extend([("training", 0, i) for i in range(0, document["rounds"]["total"], 3)])
    return found


def drawn(folder: Path, asked: list[tuple[str, list[Case]]]) -> list[list[dict[str, Any]]]:
    """The scenes that the front end draws of documents."""
    assert NODE is not None
    lines = [json.dumps({"document": document, "cases": wanted}) for document, wanted in asked]
    (folder / "asked").write_text("\n".join(lines), encoding="utf-8")
    subprocess.run([NODE, DRAW, STATIC / "jgrad.js", folder / "asked", folder / "drawn"], check=True)
    return [json.loads(line) for line in (folder / "drawn").read_text(encoding="utf-8").split("\n")]


def compare(document: dict[str, Any], wanted: list[Case], scenes: list[dict[str, Any]], name: str) -> None:
    assert len(scenes) == len(wanted)
    for (view, cursor, choice), scene in zip(wanted, scenes, strict=True):
        expected = json.loads(json.dumps(scene_of(frame_of(document, cursor), view, choice)))
        where = f"{name}, {view} at {cursor}: run npm run build"
        for ours, theirs in zip(expected["items"], scene["items"], strict=False):
            assert theirs == ours, where
        assert scene == expected, where


@pytest.mark.slow
def test_scenes_are_those_of_python(tmp_path: Path) -> None:
    known = documents()
    asked = [(json.dumps(known[name]), cases(known[name])) for name in NAMES]
    for name, (_, wanted), scenes in zip(NAMES, asked, drawn(tmp_path, asked), strict=True):
        compare(known[name], wanted, scenes, name)


@pytest.mark.parametrize("name", ["epochs", "hooks", "in-place", "second-order", "indexing", "astral"])
def test_scenes_of_documents_as_they_travel(name: str, tmp_path: Path) -> None:
    document = record(PROGRAMS.get(name, ASTRAL), name)
    wanted = cases(document)
    (scenes,) = drawn(tmp_path, [(pack(document), wanted)])
    compare(document, wanted, scenes, name)
