"""`%%trace --at` and `%%trace --present` in JupyterLab: where the views open, and the lecture's mode."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook

LOAD = "%load_ext jgrad\nimport jgrad"
CELL = """
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
h = w * 2
y = h ** 2
h += 1
y.sum().backward()"""
VIEWS = "section.jg:not([data-jgrad-twin] section)"


@pytest.mark.cells(
    LOAD,
    "%%trace --at 3" + CELL,
    "%%trace --at write" + CELL,
    "%%trace --at backward" + CELL,
    "%%trace --at error" + CELL,
    "%%trace --at 0" + CELL,
    "%%trace --present --at backward\n" + CELL.replace("h += 1", "z = h + 1"),
)
def test_views_open_where_they_are_asked_to(notebook: Notebook) -> None:
    page = notebook.page
    for number in range(7):  # an error ends "Run All"
        notebook.command("notebook:run-cell-and-select-next")
        notebook.has_ended()
        if number == 0:
            continue
        views = notebook.cell(number).locator(VIEWS)
        expect(views).to_be_visible()
        slider, said = views.get_by_role("slider"), views.locator(".jg-sentence")
        if number == 1:
            expect(slider).to_have_value("3")
        elif number == 2:
            expect(said).to_contain_text(re.compile("h.* wrote|h \\+= 1"))
        elif number in (3, 6):
            expect(said).to_contain_text("backward 1 starts")
        elif number == 4:
            expect(slider).to_have_value(slider.get_attribute("max") or "")
        else:
            expect(slider).to_have_value("0")
            # Before the first step no headline says how it ends.
            expect(views.locator(".jg-headline")).to_be_hidden()

    # The lecture's mode: over the whole window, above JupyterLab's own bars, and nothing but code, view and sentence.
    views = notebook.cell(6).locator(VIEWS)
    expect(views).to_have_css("position", "fixed")
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    assert views.bounding_box() == {"x": 0, "y": 0, "width": width, "height": height}
    assert page.evaluate("document.elementFromPoint(4, 4).closest('.jg') !== null")
    expect(views.get_by_role("tablist")).to_be_hidden()
    folder = os.environ.get("PICTURES")
    for theme, light in (("JupyterLab Dark", "false"), ("JupyterLab Light", "true")):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        if folder:
            page.screenshot(path=Path(folder) / f"lecture-{light}.png")
    slider = views.get_by_role("slider")
    at = int(slider.input_value())
    page.keyboard.press("PageDown")
    expect(slider).to_have_value(str(at + 1))
    page.keyboard.press("p")
    expect(views).to_have_css("position", "relative")
    # The reader stays where the lecture ended, and the notebook has its keys again.
    expect(slider).to_have_value(str(at + 1))
    assert page.evaluate("document.activeElement.closest('.jp-Notebook') !== null")
