"""The editions of lessons in other languages: the same cells, and texts that say the same of the same code."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from docs import translate
from jgrad.notebook.export import Exporter

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
    """So all that tests find out of the English one holds for the other one too."""
    english, other = edition(file)
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
    assert folds == {translate.FOLDS[language][0]}


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
