"""What may happen to views in a notebook: a variable goes, the kernel starts anew, the output is cleared."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import ALIVE, LOAD, TRACED, Trace


@pytest.mark.cells(LOAD, TRACED, "%xdel w", "%storage copied --live", "del copied")
def test_views_outlive_what_they_show(notebook: Notebook) -> None:
    page = notebook.page
    mistakes: list[str] = []
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    notebook.menu("Run", "Run All Cells")
    trace, looked = Trace(notebook, 1), Trace(notebook, 3)
    expect(notebook.cell(4).locator(".jp-InputPrompt")).to_contain_text("[5]")
    expect(looked.says("storage", r"^copied \[3\]")).to_be_visible()
    end = int(trace.slider.input_value())
    trace.slider.press("ArrowLeft")
    trace.at(end - 1)

    notebook.menu("Kernel", "Restart Kernel…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.cell(1).locator(".jp-InputPrompt")).not_to_contain_text("*")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    notebook.menu("Run", "Run All Cells")
    trace.at(end)
    expect(notebook.cell(1).locator(ALIVE)).to_have_count(1)
    expect(trace.twin).to_be_hidden()

    notebook.command("notebook:clear-all-cell-outputs")
    expect(page.locator(ALIVE)).to_have_count(0)
    notebook.menu("Run", "Run All Cells")
    trace.at(end)
    assert mistakes == []


START = """([path, kernel, token]) => fetch("/api/sessions", {
  method: "POST",
  headers: { Authorization: `token ${token}` },
  body: JSON.stringify({ path, type: "notebook", name: path, kernel: { id: kernel } }),
}).then((reply) => reply.status)"""


@pytest.mark.cells(LOAD, TRACED, "%storage copied --live")
def test_two_notebooks_on_one_kernel(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace, looked = Trace(notebook, 1), Trace(notebook, 2)
    expect(looked.says("storage", r"^copied\[0\] is 10\., element 0 of storage 1")).to_be_visible()
    end = int(trace.slider.input_value())

    # Another notebook, with cells of its own, joins the kernel.
    path = notebook.path.with_name("other.ipynb")
    cells = [nbformat.v4.new_code_cell(source) for source in ("copied[0] = 7.0", TRACED)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    [session] = [s for s in notebook.server.get("/api/sessions") if s["path"] == notebook.path.name]
    assert page.evaluate(START, [path.name, session["kernel"]["id"], notebook.server.token]) == 201
    other = Notebook(page.context.new_page(), notebook.server, path)
    mistakes: list[str] = []
    for window in (page, other.page):
        window.on("pageerror", lambda error: mistakes.append(str(error)))
    other.open()

    # What it writes to shows in the first one's living view, and its own views are in its own window.
    other.cell(0).locator(".cm-content").click()
    other.page.keyboard.press("Control+Enter")
    expect(looked.says("storage", r"^copied\[0\] is 7\., element 0 of storage 1")).to_be_visible()
    other.cell(1).locator(".cm-content").click()
    other.page.keyboard.press("Control+Enter")
    second = Trace(other, 1)
    second.at(end)
    second.slider.press("Home")
    second.at(0)
    trace.at(end)
    expect(page.locator(ALIVE)).to_have_count(2)
    expect(other.page.locator(ALIVE)).to_have_count(1)
    assert mistakes == []
