"""The quick fix in JupyterLab: a mark at the line of the mistake puts the repair into the cell, by mouse and by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook

LOAD = "%load_ext jgrad\nimport jgrad"
WRONG = """\
%%trace --view graph
größe = jgrad.ones(3, requires_grad=True)
y = größe.exp()  # 😀 <img src=x onerror=alert(1)>
y[0] = 2
y.sum().backward()"""
MENDED = WRONG.replace("größe.exp()", "größe.exp().clone()")


def source(notebook: Notebook) -> str:
    """The text of the second cell, as the notebook has it."""
    return str(
        notebook.page.evaluate(
            "() => [...jupyterapp.shell.widgets('main')].find((w) => w.content?.widgets).content.widgets[1].model.sharedModel.getSource()"
        )
    )


@pytest.mark.cells(LOAD, WRONG)
def test_a_repair_is_put_into_the_cell_and_undone(notebook: Notebook) -> None:
    page, cell = notebook.page, notebook.cell(1)
    notebook.menu("Run", "Run All Cells")
    mark = cell.get_by_role("button", name=re.compile("^Quick fix: "))
    expect(mark).to_be_visible()
    assert "It was not tried" in str(mark.get_attribute("title"))
    notebook.has_ended()
    assert source(notebook) == WRONG  # nothing happens without the click
    mark.click()
    expect(mark).to_have_count(0)  # what was edited is not what ran
    assert source(notebook) == MENDED
    page.keyboard.press("Control+z")
    expect(cell.locator(".cm-content")).not_to_contain_text("clone()")
    assert source(notebook) == WRONG


@pytest.mark.cells(LOAD, WRONG)
def test_a_repair_by_keyboard(notebook: Notebook) -> None:
    page, cell = notebook.page, notebook.cell(1)
    notebook.menu("Run", "Run All Cells")
    mark = cell.get_by_role("button", name=re.compile("^Quick fix: "))
    expect(mark).to_be_visible()
    notebook.has_ended()
    cell.locator(".cm-line").nth(1).click()
    page.keyboard.press("Control+.")
    expect(cell.locator(".cm-content")).to_contain_text("größe.exp().clone()")
    assert source(notebook) == MENDED
    page.keyboard.press("Control+.")  # the cell is another one now: nothing is left to do
    assert source(notebook) == MENDED
    page.keyboard.press("Shift+Enter")
    expect(cell.locator(".jp-OutputArea-output.jp-mod-error, [data-mime-type*=stderr]")).to_have_count(0)
    expect(cell.get_by_role("button", name=re.compile("^Quick fix: "))).to_have_count(0)
