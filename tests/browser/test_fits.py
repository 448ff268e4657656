"""The views of a traced cell of the tour are seen whole in a window of 1440 x 900, and the picture has 480 px of it, or all that it needs."""

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
# Whether the views fit, and the drawing is as high as it should be or shown whole.
FITS = """views => {
    const [sides, scroll] = ['.jg-sides', '.jg-pane:last-child .jg-scroll'].map((name) => views.querySelector(name));
    const whole = scroll.scrollHeight <= scroll.clientHeight + 1;
    return views.offsetHeight <= views.closest('.jp-WindowedPanel-outer').clientHeight && (sides.offsetHeight >= 480 || whole);
}"""
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
    assert len(shown) >= 6
    unfit = []
    for number in shown:
        cell = notebook.cell(number)
        cell.scroll_into_view_if_needed()
        expect(cell.locator(VIEWS).locator(".jg-scene text").first).to_be_visible()
        expect(cell.locator("[data-jgrad-twin]").last).to_be_hidden()
        # The notes come after the views, which then leave room for them.
        with suppress(NotInTime):
            page.wait_for_function(FITS, arg=cell.locator(VIEWS).element_handle(), timeout=180_000)
        if not cell.locator(VIEWS).evaluate(FITS):
            unfit.append(number)
    assert unfit == []
