"""What may happen to views in a notebook: a variable goes, the kernel starts anew, the output is cleared."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import LOAD, TRACED, Trace


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
    expect(notebook.cell(1).locator("section.jg")).to_have_count(1)
    expect(trace.twin).to_be_hidden()

    notebook.command("notebook:clear-all-cell-outputs")
    expect(page.locator("section.jg")).to_have_count(0)
    notebook.menu("Run", "Run All Cells")
    trace.at(end)
    assert mistakes == []
