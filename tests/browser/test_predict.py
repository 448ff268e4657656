"""`%%predict` in a real JupyterLab: the answer is folded until the cell runs, and what the learner writes is judged above it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import BrowserContext, expect

from jgrad.notebook.hidden import stretches
from tests.browser.conftest import PATIENCE, Notebook
from tests.project.serving import Server

LOAD = "import jgrad\n%load_ext jgrad"
PREDICT = """\
%%predict
%%trace --view graph
w = jgrad.tensor([3.0], requires_grad=True)
(w * w).backward()
print("gradient", w.grad)"""


@pytest.fixture
def in_language() -> dict[str, Any]:
    """What the metadata of the lesson say of its language: nothing in English."""
    return {}


@pytest.fixture
def lesson(
    window: BrowserContext, lab: tuple[Server, Path], in_language: dict[str, Any]
) -> Iterator[Notebook]:
    """A notebook whose second cell has its answer stored, hidden as in a lesson. Its kernel is new."""
    server, folder = lab
    for session in server.get("/api/sessions"):
        server.delete(f"/api/sessions/{session['id']}")
    made = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(LOAD),
            nbformat.v4.new_code_cell(PREDICT),
            nbformat.v4.new_markdown_cell("Two paths lead to it."),
            nbformat.v4.new_code_cell("print('the half', w.grad / 2)"),
            nbformat.v4.new_markdown_cell("This is also below."),
            nbformat.v4.new_markdown_cell("**Think first.**"),
            nbformat.v4.new_code_cell("%why w.grad"),
            nbformat.v4.new_markdown_cell("## Another section"),
        ]
    )
    made.metadata.update(in_language)
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.cells[1].metadata = nbformat.from_dict(
        {"tags": ["predict", "hide-output"], "jupyter": {"outputs_hidden": True}}
    )
    made.cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text="gradient tensor([6.])\n")]
    made.cells[6].metadata = nbformat.from_dict(
        {"tags": ["hide-output"], "jupyter": {"outputs_hidden": True}}
    )
    made.cells[6].outputs = [nbformat.v4.new_output("stream", name="stdout", text="a sum")]
    half = nbformat.v4.new_output("stream", name="stdout", text="the half tensor([3.])\n")
    made.cells[3].outputs = [half]
    path = folder / "lesson.ipynb"
    nbformat.write(made, path)
    expect.set_options(timeout=PATIENCE)
    opened = Notebook(window.new_page(), server, path)
    opened.open()
    yield opened
    opened.page.close()


def on_the_bar(lesson: Notebook, number: int = 0) -> str:
    bar = f"document.querySelectorAll('.jgrad-hidden .jp-Placeholder-contentContainer')[{number}]"
    return lesson.page.evaluate(f"getComputedStyle({bar}, '::before').content")


def write(lesson: Notebook, answer: str) -> None:
    """Put an answer into the first line of the cell, and run it."""
    lesson.cell(1).locator(".cm-line").first.click()
    lesson.page.keyboard.press("Home")
    lesson.page.keyboard.press("Shift+End")
    lesson.page.keyboard.type(f"%%predict {answer}".rstrip(), delay=5)
    lesson.page.keyboard.press("Escape")
    lesson.command("notebook:run-cell")
    lesson.has_ended()


def test_the_answer_is_folded_until_the_cell_runs_and_the_prediction_is_judged(lesson: Notebook) -> None:
    cell = lesson.cell(1)
    expect(cell.get_by_text("gradient tensor([6.])")).to_be_hidden()
    bar = cell.locator(".jp-OutputPlaceholder")
    expect(bar).to_be_visible()
    assert on_the_bar(lesson) == '"Predict first, then run the cell."'
    assert on_the_bar(lesson, 1) == '"Think first, then run the cell."'
    expect(cell.locator(".jgrad-note")).to_have_count(0)
    # The same rule as in exported pages and copies.
    cells = nbformat.read(lesson.path, as_version=4).cells
    marked = """jupyterapp.shell.currentWidget.content.widgets.map(
        (cell, at) => (cell.node.classList.contains("jgrad-below") ? at : -1)).filter((at) => at >= 0)"""
    assert lesson.page.evaluate(marked) == sorted({at for below in stretches(cells).values() for at in below})
    below = lesson.page.locator("p", has_text="Two paths lead to it.")
    expect(below).to_be_hidden()
    half = lesson.cell(3).get_by_text("the half tensor([3.])")
    expect(half).to_be_hidden()
    lesson.page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
    lesson.command("notebook:run-cell")
    lesson.has_ended()

    write(lesson, "6")
    verdict = cell.locator(".jgrad-verdict")
    expect(verdict).to_contain_text("Right.")
    expect(below).to_be_visible()
    expect(half).to_be_visible()
    expect(cell.get_by_text("gradient tensor([6.])")).to_be_visible()
    said, printed = verdict.bounding_box(), cell.get_by_text("gradient tensor([6.])").bounding_box()
    assert said is not None
    assert printed is not None
    assert said["y"] < printed["y"]

    write(lesson, "3")
    expect(verdict).to_contain_text("You said 3, it printed [6]. The right one is 2 times yours.")
    expect(cell.locator(".jg-headline").first).to_be_visible()

    # Who has clicked into a view runs the cell as ever.
    cell.get_by_role("slider").first.focus()
    lesson.page.keyboard.press("Shift+Enter")
    lesson.has_ended()
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[4]:")

    write(lesson, "[6,")
    expect(verdict).to_contain_text("I can't read [6,")
    expect(cell.get_by_text("gradient tensor([6.])")).to_be_visible()


def test_who_skips_the_first_cell_has_the_magics_all_the_same(lesson: Notebook) -> None:
    write(lesson, "6")
    cell = lesson.cell(1)
    expect(cell.locator(".jgrad-verdict")).to_contain_text("jgrad is not defined, so nothing was compared.")
    expect(cell.locator(".jg-headline").first).to_be_visible()
    expect(cell).not_to_contain_text("UsageError")


@pytest.mark.parametrize("in_language", [{"mystnb": {"code_prompt_show": "先预测，再打开"}}], ids=["zh"])
def test_the_bar_of_a_lesson_in_another_language_is_in_this_language(lesson: Notebook) -> None:
    expect(lesson.cell(1).locator(".jp-OutputPlaceholder")).to_be_visible()
    assert on_the_bar(lesson) == '"先预测，再打开"'
