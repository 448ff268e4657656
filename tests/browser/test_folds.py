"""Loops that fold, and two traces side by side, in a real JupyterLab."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import LOAD, Trace

LOOP = """\
%%trace --view timeline,accumulation
w = jgrad.tensor([1.0], requires_grad=True)
for x in range(100):
    (w * x).sum().backward()"""
CLONED = """\
%%trace --name cloned --no-show
x = jgrad.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
(y * x).sum().backward()"""
DETACHED = CLONED.replace("cloned", "detached").replace("clone()", "detach()")


@pytest.mark.cells(LOAD, LOOP)
def test_the_iterations_of_a_loop_open_one_by_one(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    folds = trace.view("timeline").get_by_label("more of 100 iterations")
    trace.at(601)
    expect(folds).to_have_count(1)  # the first and the last are drawn
    expect(folds).to_have_text("× 98")
    trace.slider.press("ArrowLeft")
    trace.at(7)
    expect(folds).to_have_text("× 99")
    trace.slider.press("o")
    trace.at(8)
    expect(folds).to_have_text("× 98")
    folds.click()  # opens its first
    trace.at(14)
    expect(folds).to_have_text(["× 1", "× 97"])
    # The table twin folds likewise.
    page.keyboard.press("t")
    rows = trace.view("timeline").get_by_role("row").filter(has_text="more of 100 iterations, 6 steps each")
    expect(rows).to_have_count(2)
    trace.slider.press("End")
    trace.at(601)


@pytest.mark.cells(LOAD, CLONED, DETACHED, "%compare cloned detached")
def test_two_traces_side_by_side(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    cell = notebook.cell(3)
    root = cell.locator("section.jg")
    expect(root).to_contain_text("They first differ at step 2 (line 3): in cloned, clone made storage 2;")
    expect(cell.locator("[data-jgrad-twin]")).to_be_hidden()
    slider = root.get_by_role("slider")
    expect(slider).to_have_value("2")
    sides = root.locator(".jg-side")
    expect(sides).to_have_count(3)
    left, right = (sides.nth(n).locator("[data-view=storage]") for n in (1, 2))
    expect(left).to_contain_text("storage 2")
    expect(right).to_contain_text("detach of x")
    expect(right).not_to_contain_text("storage 2")
    root.get_by_role("button", name="accumulation").click()
    slider.press("End")
    for side, grad in ((1, "[2., 4.]"), (2, "[1., 2.]")):
        expect(sides.nth(side).locator("[data-view=accumulation]")).to_contain_text(f"= {grad}")
    # A row of the list of what differs is a place of the cursor.
    root.get_by_label("x.clone() copied x to y").first.click()
    expect(slider).to_have_value("2")
    # What is under the pointer is lit on its side alone: its number means something else on the other.
    left.get_by_label("y[1]: offset 0").hover()
    expect(left.locator(".jg-lit").first).to_be_attached()
    expect(right.locator(".jg-lit")).to_have_count(0)
