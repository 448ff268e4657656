"""`%trace on` in a real JupyterLab: the switch, the line below a cell, and what a click on it shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import Trace
from tests.browser.test_why import run

FAILS = """\
import jgrad
h = jgrad.ones(3, requires_grad=True).exp()
h.add_(1)
h.sum().backward()"""
SUMS = """\
v = jgrad.ones(1, requires_grad=True)
for i in range(3):
    (v * 2).sum().backward()"""

# A kernel in whose environment jgrad is not installed.
MISSING = """\
%unload_ext jgrad
import sys
class Nothing:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] == "jgrad":
            raise ModuleNotFoundError(f"No module named {name!r}")
sys.meta_path.insert(0, Nothing())
for name in [one for one in sys.modules if one.partition(".")[0] == "jgrad"]:
    del sys.modules[name]"""


@pytest.mark.cells(FAILS, "%why", SUMS, "1 + 1", SUMS)
def test_the_switch_records_every_cell(notebook: Notebook) -> None:
    page = notebook.page
    switch = page.get_by_role("button", name="Record", exact=True)
    switch.click()
    run(notebook, 0)
    line = notebook.cell(0).locator("div.jgrad-why", has_text="jgrad: h was saved by exp")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("overwritten by h.add_(1) (line 3). %why says more.")
    # What a notebook without scripts shows in its place.
    expect(notebook.cell(0).locator("summary")).to_be_hidden()
    # A click opens the views, which live.
    line.get_by_role("button", name="Show the steps.").click()
    opened = Trace(notebook, 0)
    opened.at(8)
    opened.slider.press("ArrowLeft")
    opened.at(7)
    # The cell was not traced by its author, and %why knows its lines.
    run(notebook, 1)
    expect(notebook.cell(1)).to_contain_text("line 2 saved h at version 0")
    run(notebook, 2)
    expect(notebook.cell(2).locator("div.jgrad-why")).to_contain_text(
        "v.grad holds the sum of 3 backward passes (line 3)"
    )
    # A cell without tensors has its own output alone.
    run(notebook, 3)
    expect(notebook.cell(3).locator(".jp-OutputArea-output")).to_have_count(1)
    switch.click()
    run(notebook, 4)
    expect(notebook.cell(4).locator(".jp-OutputArea-output")).to_have_count(0)


@pytest.mark.cells("%trace off", f"import jgrad\n{SUMS}")
def test_trace_off_in_a_cell_holds(notebook: Notebook) -> None:
    switch = notebook.page.get_by_role("button", name="Record", exact=True)
    switch.click()
    run(notebook, 0)
    run(notebook, 1)
    expect(notebook.cell(1).locator(".jgrad-why")).to_have_count(0)
    # The button tells the kernel again.
    switch.click()
    switch.click()
    run(notebook, 1)
    expect(notebook.cell(1).locator("div.jgrad-why")).to_contain_text(
        "v.grad holds the sum of 3 backward passes"
    )
    switch.click()


@pytest.mark.cells(MISSING, "1 + 1")
def test_a_kernel_without_jgrad_is_said(notebook: Notebook) -> None:
    run(notebook, 0)
    switch = notebook.page.get_by_role("button", name="Record", exact=True)
    switch.click()
    # (It goes away by itself.)
    said = notebook.page.get_by_text("This kernel can't load jgrad (ModuleNotFoundError")
    expect(said.first).to_be_visible()
    run(notebook, 1)
    expect(notebook.cell(1).locator(".jp-OutputArea-output")).to_have_text("2")
    switch.click()
