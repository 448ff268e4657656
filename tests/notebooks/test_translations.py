"""The editions of lessons in other languages: the same cells, and texts that say the same of the same code."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs import translate
from jgrad import language as said
from jgrad.notebook import hidden
from jgrad.notebook.export import Exporter
from jgrad.notebook.prediction import Seen, judged
from jgrad.teach import hint
from jgrad.teach.checking import verdict
from jgrad.teach.exercises import EXERCISES

pytestmark = pytest.mark.quick

FILES = sorted(translate.TRANSLATIONS.glob("*/*.json"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# One word for each term, and no other.
TERMS = {
    "zh": {
        "gradient": "梯度",
        "slope": "斜率",
        "learning rate": "学习率",
        "chain rule": "链式法则",
        "tensor": "张量",
    }
}

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")


def edition(file: Path) -> tuple[Any, Any]:
    """The English notebook, and its edition."""
    name = f"{file.stem}.ipynb"
    return translate.read(translate.NOTEBOOKS / name), translate.read(
        translate.NOTEBOOKS / file.parent.name / name
    )


def test_there_is_an_edition() -> None:
    assert [file.stem for file in FILES] == ["01-gradients-from-nothing"]


@each_file
def test_both_editions_run_the_same_cells(file: Path) -> None:
    """So all that tests find out of the English one holds for the other one too. What exercises say is in their languages."""
    english, other = edition(file)
    for cell in english["cells"]:
        translate.answered(cell, file.parent.name)
    for a, b in zip(english["cells"], other["cells"], strict=True):
        without_text = [{k: v for k, v in cell.items() if k != "source"} for cell in (a, b)]
        assert without_text[0] == without_text[1]
        assert a["source"] == b["source"] or a["cell_type"] == "markdown"


@each_file
def test_the_edition_is_the_one_of_its_paragraphs(file: Path) -> None:
    """`python -m docs.translate` writes it again."""
    english, other = edition(file)
    pairs = translate.read(file)
    assert pairs == translate.updated(english, pairs)
    language = file.parent.name
    assert other == translate.edition(language, english, pairs, translate.names(language))


@each_file
def test_a_page_of_the_edition_is_in_its_language(file: Path) -> None:
    language = file.parent.name
    page, _ = Exporter().from_filename(str(translate.NOTEBOOKS / language / f"{file.stem}.ipynb"))
    assert f'<html lang="{language}">' in page
    folds = set(re.findall(r'<details class="jgrad-hidden"><summary>(.*?)</summary>', page))
    assert folds == {translate.FOLDS[language][0], hidden.FOLDS[language][0]}


@each_file
def test_each_paragraph_is_translated_and_names_the_same_code_numbers_and_links(file: Path) -> None:
    for name, found in translate.read(file).items():
        for english, translation in found:
            assert CHINESE.search(translation), name
            for kept in (
                r"`[^`]+`",
                r"(?<![A-Za-z0-9_.])\d(?:[\d,.]*\d)?",
                r"\]\([^)]+\)",
                r"<[^>]+>",
                r"^#+ ",
                r"^- ",
            ):
                here, there = (Counter(re.findall(kept, text, re.M)) for text in (english, translation))
                assert here == there, (name, kept, english, translation)


@each_file
def test_each_term_has_one_word(file: Path) -> None:
    for found in translate.read(file).values():
        for english, translation in found:
            for term, word in TERMS[file.parent.name].items():
                if re.search(rf"\b{term}\b", re.sub(r"`[^`]*`", "", english), re.I):
                    assert word in translation, (term, translation)


def test_new_paragraphs_come_with_an_empty_translation_and_old_ones_go() -> None:
    cells = [{"cell_type": "markdown", "id": "a", "source": "One.\n\n```text\ncode\n```\n\nTwo."}]
    pairs = translate.updated({"cells": cells}, {"a": [["One.", "Eins."], ["Gone.", "Weg."]], "b": []})
    assert pairs == {"a": [["One.", "Eins."], ["Two.", ""]]}
    notebook = {"cells": cells, "metadata": {}}
    (cell,) = translate.edition("zh", notebook, pairs, set())["cells"]
    assert cell["source"] == "Eins.\n\n```text\ncode\n```\n\nTwo."


def test_links_lead_out_of_the_folder_but_to_other_editions() -> None:
    cells = [{"cell_type": "markdown", "id": "a", "source": "See [a](a.ipynb) and [b](b.ipynb#x)."}]
    notebook = {"cells": cells, "metadata": {}}
    made = translate.edition("zh", notebook, translate.updated(notebook, {}), {"a.ipynb"})
    assert made["cells"][0]["source"] == "See [a](a.ipynb) and [b](../b.ipynb#x)."


@pytest.mark.slow
@each_file
def test_bold_and_italic_texts_are_drawn_as_such(file: Path) -> None:
    """Markdown takes the stars of `**Word.**Word` for text, since no space follows the full stop. Chinese has no spaces."""
    markdown = pytest.importorskip("markdown_it").MarkdownIt()
    for cell in edition(file)[1]["cells"]:
        if cell["cell_type"] == "markdown":
            drawn = re.sub(
                r"<(pre|code)>.*?</\1>|\$\$.*?\$\$", "", markdown.render("".join(cell["source"])), flags=re.S
            )
            assert "*" not in drawn, drawn


# --- what a lesson answers while it runs ----------------------------------------------------------------------------------------

SPOKEN = sorted(said.TRANSLATIONS.glob("*.json"))
PART = r"\{\w+\}"
LESSON = "gradients from nothing"

each_language = pytest.mark.parametrize("spoken", SPOKEN, ids=lambda file: file.stem)


@pytest.fixture
def chinese() -> Iterator[None]:
    said.use("zh")
    yield
    said.use("en")


def test_each_language_with_a_lesson_has_sentences() -> None:
    assert [file.stem for file in SPOKEN] == sorted({file.parent.name for file in FILES})


@each_language
def test_the_sentences_are_those_of_the_code(spoken: Path) -> None:
    """`python -m docs.translate zh` writes them again."""
    known = translate.read(spoken)
    assert known == translate.spoken(known)


@each_language
def test_each_sentence_is_translated_with_its_parts_and_code(spoken: Path) -> None:
    for found in translate.read(spoken).values():
        for english, translation in found:
            assert translation, english
            assert CHINESE.search(translation) or not re.search(r"[a-z] [a-z]", english), english
            for kept in (PART, r"`[^`]+`", r"(?<![A-Za-z0-9_.{])\d(?:[\d,.]*\d)?", r"\w+\(\w*\)"):
                assert Counter(re.findall(kept, english)) == Counter(re.findall(kept, translation)), english


def test_sentences_are_found_in_code() -> None:
    code = '"""A docstring."""\nsay("a {x}", x=f"Not this {x} one.")\nrun(f, what="Your f")\nfault = "A whole sentence."\nname = "no sentence"'
    assert translate.sentences(code) == ["a {x}", "Your f", "A whole sentence."]


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        ("5", "5"),
        ("6", "5"),
        ("1, 2", "1\n3"),
        ("[2,", "2"),
        ("1, 2, 3", "5"),
        ("raises", "5"),
        ("five+", "5"),
        ("1/0", "5"),
        ("[1, 2]", "[2, 4]"),
        ("3", "[3, 3]"),
    ],
)
def test_a_verdict_on_a_prediction_is_chinese(answer: str, printed: str) -> None:
    for line in judged(answer, Seen(printed)).text().split("\n"):
        assert CHINESE.search(line)
        assert not re.search(r"[A-Za-z]{3} [a-z]{2}", line), line


def _answers() -> Iterator[tuple[str, str]]:
    for name, exercise in EXERCISES.items():
        if exercise.lesson == LESSON and name != "exp":  # which needs the class of the lesson
            yield from (
                (name, wrong) for wrong in exercise.wrong if "def " not in wrong and "()" not in wrong
            )


@pytest.mark.usefixtures("chinese")
def test_what_exercises_of_a_chinese_lesson_say_is_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    sentences = [
        verdict("slope", ...),
        verdict("slope", 7),
        verdict("slope", "7"),
        verdict("slop", 7),
        verdict("exp", 3),
    ]
    for name, wrong in _answers():
        names: dict[str, Any] = {}
        exec(wrong, names)
        sentences.append(verdict(name, names["answer"]))
    for name, exercise in EXERCISES.items():
        if exercise.lesson == LESSON:
            for _ in (*exercise.hints, exercise.solution):
                hint(name)
                sentences.append(capsys.readouterr().out.split("\n")[0])
    assert len(sentences) > 30
    assert [one for one in sentences if not CHINESE.search(one)] == []


@pytest.mark.parametrize(
    ("folder", "variable", "expected"),
    [("zh", "", True), ("notebooks", "", False), ("notebooks", "zh", True), ("zh", "en", False)],
)
def test_the_language_is_that_of_the_folder_or_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, variable: str, expected: bool
) -> None:
    (tmp_path / folder).mkdir()
    monkeypatch.setenv("JGRAD_LANG", variable)
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    command = [sys.executable, "-c", "from jgrad.teach import check; check('slope', ...)"]
    done = subprocess.run(command, cwd=tmp_path / folder, capture_output=True, encoding="utf-8", check=True)
    assert bool(CHINESE.search(done.stdout)) is expected


def test_a_stored_answer_of_an_edition_is_what_its_cell_says(chinese: None) -> None:
    other = translate.read(translate.NOTEBOOKS / "zh" / "01-gradients-from-nothing.ipynb")
    (stored,) = (
        "".join(cell["outputs"][0]["text"]) for cell in other["cells"] if cell["id"] == "slope-check"
    )
    assert stored == f"{verdict('slope', ...)}\n"
