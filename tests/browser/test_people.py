"""Views for everybody: what axe-core finds, and the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import LOAD, SLICES, TRACED, Trace

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: npm ci")
@pytest.mark.cells(LOAD, TRACED, SLICES)
def test_axe_finds_nothing_serious(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    expect(Trace(notebook, 1).view("accumulation")).to_be_visible()
    expect(Trace(notebook, 2).view("scatter")).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str("Light" in theme).lower())
        for table in (False, True):
            if table:
                for cell in (1, 2):
                    Trace(notebook, cell).slider.press("t")
            found = page.evaluate("() => axe.run('section.jg')")
            assert found["passes"]
            serious = [
                f"{v['id']}: {v['help']}: {node['html'][:200]}"
                for v in found["violations"]
                if v["impact"] in ("serious", "critical")
                for node in v["nodes"][:3]
            ]
            assert serious == []
        for cell in (1, 2):
            Trace(notebook, cell).slider.press("t")


@pytest.mark.cells(LOAD, TRACED)
def test_the_keyboard_alone_is_enough(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    expect(trace.view("storage")).to_be_visible()
    trace.root.get_by_role("button", name="to the start").focus()
    page.keyboard.press("Enter")
    trace.at(0)
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # one step on
    trace.at(1)
    page.keyboard.press("Space")  # on a button it is pressed
    trace.at(2)
    page.keyboard.press("End")
    # Into a drawing, through what it says, and out again; a pinned tensor is lit in all views.
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('[data-view=storage] .jg-scroll')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _ in range(40):
        if re.match(r"w \[3\]", page.evaluate("document.activeElement.getAttribute('aria-label')") or ""):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    for view in ("timeline", "storage", "graph", "accumulation"):
        expect(trace.lit(view).first).to_be_attached()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(trace.root.locator(".jg-lit")).to_have_count(0)
    # Out of the views, with none of their keys lost to the notebook's.
    expect(notebook.cell(1)).to_be_visible()
    assert page.locator(".jp-Notebook .jp-Cell").count() == 2
