"""Loops that fold, and two traces side by side, in a real JupyterLab."""

from __future__ import annotations

import re

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
    expect(folds).to_have_text("× 97")  # and the second, of which a note speaks
    for step in range(600, 594, -1):  # the last round can be stepped through
        trace.slider.press("ArrowLeft")
        trace.at(step)
    trace.slider.press("ArrowLeft")
    trace.at(7)
    expect(folds).to_have_text("× 97")
    trace.slider.press("o")
    trace.at(8)
    expect(folds).to_have_text("× 97")
    folds.click()  # opens its first
    trace.at(14)
    expect(folds).to_have_text("× 96")
    # The table twin folds likewise.
    page.keyboard.press("t")
    rows = trace.view("timeline").get_by_role("row").filter(has_text="more of 100 iterations, 6 steps each")
    expect(rows).to_have_count(1)
    trace.slider.press("End")
    trace.at(601)


@pytest.mark.cells(LOAD, CLONED, DETACHED, "%compare cloned detached")
def test_two_traces_side_by_side(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    cell = notebook.cell(3)
    root = cell.locator("section.jg")
    expect(root).to_contain_text("in cloned, clone made storage 2;")
    expect(cell.locator("[data-jgrad-twin]")).to_be_hidden()
    slider = root.get_by_role("slider")
    expect(slider).to_have_value("2")
    sides = root.locator(".jg-side")
    expect(sides).to_have_count(3)
    left, right = (sides.nth(n).locator("[data-view=storage]") for n in (1, 2))
    expect(left).to_contain_text("storage 2")
    expect(right).to_contain_text("x.detach()")
    expect(right).not_to_contain_text("storage 2")
    root.get_by_role("tab", name="Accumulation").click()
    slider.press("End")
    for side, grad in ((1, "[2., 4.]"), (2, "[1., 2.]")):
        expect(sides.nth(side).locator("[data-view=accumulation]")).to_contain_text(f"= {grad}")
    root.get_by_role("tab", name="Storage").click()
    # A row of the list of what differs is a place of the cursor.
    root.get_by_label("x.clone() copied x to y").first.click(position={"x": 4, "y": 4})
    expect(slider).to_have_value("2")
    # What is under the pointer is lit on its side alone: its number means something else on the other.
    left.get_by_label(re.compile(r"^y\[0\] is 1\., element 0")).first.hover(position={"x": 3, "y": 3})
    expect(left.locator(".jg-lit").first).to_be_attached()
    expect(right.locator(".jg-lit")).to_have_count(0)
