"""A program of several files: each is a block of source, a line is marked in the file that it belongs to, and its name has the file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jgrad import views
from jgrad.tracing.document.files import load
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.wording import in_its_words
from tests.running.programs import Program
from tests.running.test_run import COMMAND, laid_out, ran
from tests.views.test_front_end import NODE, cases, compare, drawn
from tests.views.test_scenes import flat

NET = """\
import jgrad


class Block(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = jgrad.nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x).exp()
        h += 1
        return h


# What follows ran too, but not the lines between.



class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def unused(self):
        return 1

    def forward(self, x):
        return self.block(x)
"""
TRAIN = """\
import jgrad
from models.net import Net
from data.net import batch

net = Net()
x = batch(4)
net(x).sum().backward()
"""
DATA = "import jgrad\n\ndef batch(n):\n    return jgrad.ones(n, 3) * 2\n"
FILES = Program({"train.py": TRAIN, "models/net.py": NET, "data/net.py": DATA}, status=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    command = [COMMAND, "run", "--save", "run.json", "--html", "run.html", *laid_out(FILES, folder)]
    done = ran(command, folder)
    assert done.returncode == 1
    (folder / "said").write_text(done.stderr, encoding="utf-8")
    return folder


def rows(items: list[dict[str, Any]]) -> list[tuple[str, int, bool]]:
    """The lines of a timeline: the block, the number, and whether the headline names it."""
    found, block = [], ""
    for item in items:
        if item["t"] == "text" and item["c"] == "note title":
            block = item["s"]
        inner = item.get("items", [])
        numbers = [
            int(i["s"]) for i in inner if i["t"] == "text" and i["s"].isdigit() and i.get("a") == "end"
        ]
        found += [(block, n, any(i.get("c") == "end error" for i in inner)) for n in numbers]
    return found


def test_each_file_is_a_block_and_the_lines_of_a_mistake_are_marked_in_their_own(folder: Path) -> None:
    document = load(folder / "run.json")
    shown = rows(views.scene(document, "timeline")["items"])
    assert {block for block, _, _ in shown} == {"train.py", "models/net.py", "data/net.py"}
    assert [(block, number) for block, number, marked in shown if marked] == [
        ("models/net.py", 10),
        ("models/net.py", 11),
    ]
    assert [n for block, n, _ in shown if block == "train.py"] == [*range(1, 8)]
    assert [n for block, n, _ in shown if block == "data/net.py"] == [3, 4]


def test_a_step_stands_at_its_innermost_line(folder: Path) -> None:
    document = load(folder / "run.json")
    at = next(
        i
        for i, step in enumerate(document["steps"])
        if step["kind"] == "write" and step.get("call") and "h += 1" in step["text"]
    )
    scene = views.scene(document, "timeline", at + 1)
    (row,) = [i for i in flat(scene["items"]) if i.get("label") == "h += 1"]
    assert f"p{at + 1}" in {key for item in flat(row["items"]) for key in item.get("k", [])}
    assert any(item.get("c") == "band now" for item in row["items"])


def test_lines_are_named_with_their_files(folder: Path) -> None:
    document = load(folder / "run.json")
    said = views.text(document, "timeline")
    assert "models/net.py:11" in said
    assert "train.py:7" in said
    assert not re.search(r"\bline \d", said)
    headline = in_its_words(document)["diagnosis"]["headline"]
    assert [part["text"] for part in headline if part["kind"] == "line"] == [
        "Block.forward, models/net.py:10",
        "Block.forward, models/net.py:11",
    ]


def test_a_repair_is_a_diff_of_the_file_that_it_changes(folder: Path) -> None:
    said = (folder / "said").read_text(encoding="utf-8")
    assert "+++ models/net.py, mended\n@@ -10,3 +10,3 @@" in said
    assert "\n-        h += 1\n+        h = h + 1\n" in said
    assert "bug in jgrad" not in said


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_front_end_draws_the_same(folder: Path, tmp_path: Path) -> None:
    document = in_its_words(load(folder / "run.json"))
    (scenes,) = drawn(tmp_path, [(pack(document), cases(document))])
    compare(document, cases(document), scenes, "files")
