"""A traced cell of the tour is seen whole in a window of 1440 x 900: its code, its answer and its view, without scrolling the page."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

from tests.browser.conftest import Notebook

TOUR = Path(__file__).parents[2] / "notebooks" / "00-tour.ipynb"
FITS = "cell => cell.offsetHeight <= cell.closest('.jp-WindowedPanel-outer').clientHeight"
VIEWS = "section.jg:not([data-jgrad-twin] section)"


@pytest.mark.cells("import jgrad")
def test_traced_cells_of_the_tour_fit_the_window(notebook: Notebook) -> None:
    page = notebook.page
    page.set_viewport_size({"width": 1440, "height": 900})
    notebook.path = notebook.path.with_name("00-tour.ipynb")
    shutil.copy(TOUR, notebook.path)
    notebook.open()
    notebook.menu("Run", "Run All Cells")
    cells = nbformat.read(TOUR, as_version=4).cells
    shown = [i for i, cell in enumerate(cells) if "jgrad-twin" in str(cell.get("outputs"))]
    assert len(shown) >= 8
    heights = {}
    for number in shown:
        cell = notebook.cell(number)
        cell.scroll_into_view_if_needed()
        expect(cell.locator(VIEWS).locator(".jg-scene text").first).to_be_visible()
        expect(cell.locator("[data-jgrad-twin]").last).to_be_hidden()
        # The notes come after the views, which then leave room for them.
        with suppress(NotInTime):
            page.wait_for_function(FITS, arg=cell.element_handle(), timeout=10_000)
        heights[number] = cell.evaluate("cell => cell.offsetHeight")
    # What is between the toolbar of the notebook and the status bar.
    room = page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => panel.clientHeight")
    assert {number: height for number, height in heights.items() if height > room} == {}, room
