"""The input line of pages says of a prediction what `%%predict` says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jgrad.notebook.input_line import _words, is_asked, shown
from jgrad.notebook.prediction import judged, seen_of
from tests.notebook.predictions import TABLE, table

pytestmark = pytest.mark.quick
ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
ESBUILD = shutil.which("esbuild", path=ROOT / "node_modules" / ".bin")
ANSWERS = json.loads((ROOT / "tests" / "teach" / "test_predictions.json").read_text(encoding="utf-8"))
SCRIPT = """\
import { readFileSync } from "node:fs";
import { judged } from "PREDICT/prediction";
import { use } from "PREDICT/words";
const { cases, words } = JSON.parse(readFileSync("cases.json", "utf8"));
use(words);
console.log(JSON.stringify(cases.map(([shown, answer]) => judged(answer, shown).text())));
"""


def in_javascript(folder: Path, cases: list[tuple[dict[str, Any], str]], language: str = "en") -> list[str]:
    """What the script of a page says of each case."""
    (folder / "cases.json").write_text(json.dumps({"cases": cases, "words": _words(language)}))
    (folder / "run.ts").write_text(SCRIPT.replace("PREDICT", str(ROOT / "js" / "src" / "predict")))
    bundle = [ESBUILD, "run.ts", "--bundle", "--format=esm", "--outfile=run.mjs", "--log-level=error"]
    bundle.append("--platform=node")
    subprocess.run(bundle, cwd=folder, check=True)
    done = subprocess.run([NODE, "run.mjs"], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    said: list[str] = json.loads(done.stdout)
    return said


def of_lessons() -> list[tuple[dict[str, Any], str]]:
    """Each question of the course with its right answer, and with the answers of three other questions."""
    answers = [answer for of_one in ANSWERS.values() for answer in of_one.values()]
    cases = []
    for name, of_one in ANSWERS.items():
        cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        for cell in filter(is_asked, cells):
            at = answers.index(of_one[cell["id"]])
            others = (answers[(at + step) % len(answers)] for step in (1, 7, 20))
            cases += [(shown(cell), answer) for answer in (of_one[cell["id"]], *others)]
    return cases


def test_python_says_what_the_table_has() -> None:
    assert table() == json.loads(TABLE.read_text(encoding="utf-8"))


@pytest.mark.skipif(NODE is None or ESBUILD is None, reason="needs Node, and npm ci")
def test_a_page_says_what_the_table_has(tmp_path: Path) -> None:
    rows = json.loads(TABLE.read_text(encoding="utf-8"))
    cases = [(row["shown"], answer) for row in rows for answer in row["said"]]
    expected = [text for row in rows for text in row["said"].values()]
    said = in_javascript(tmp_path, cases)
    differ = [
        (shown["text"], answer, text, other)
        for (shown, answer), text, other in zip(cases, expected, said, strict=True)
        if text != other
    ]
    assert not differ


@pytest.mark.skipif(NODE is None or ESBUILD is None, reason="needs Node, and npm ci")
def test_each_question_of_the_course_is_judged_by_a_page_as_by_the_magic(tmp_path: Path) -> None:
    cases = of_lessons()
    expected = [judged(answer, seen_of(shown)).text() for shown, answer in cases]
    assert in_javascript(tmp_path, cases) == expected
    for (found, answer), verdict in list(zip(cases, expected, strict=True))[::4]:
        assert seen_of(found).asked or not found["asked"]
        assert judged(answer, seen_of(found)).is_right, (answer, verdict)


def test_the_words_of_a_page_are_those_of_its_language() -> None:
    assert _words("zh")["Right."] == "对。"
    assert _words("en") == _words("../zh") == {}
