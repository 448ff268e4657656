"""Notebook 7, which the JupyterLab server serves too where it is installed, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE, Notebook
from tests.browser.test_lab import LOAD, TRACED, Trace, outputs
from tests.project.serving import Server

pytest.importorskip("notebook", reason='needs Notebook 7: pip install ".[test]"')


class Classic(Notebook):
    """A notebook in a window of Notebook 7."""

    def address(self) -> str:
        return f"{self.server.base}/notebooks/{self.path.name}?token={self.server.token}"

    def run(self, cell: int) -> None:
        self.cell(cell).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")


@pytest.fixture
def classic(chromium: Browser, lab: tuple[Server, object]) -> Iterator[Classic]:
    server, folder = lab
    path = folder / "classic.ipynb"  # type: ignore[operator]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (LOAD, TRACED)])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)
    expect.set_options(timeout=PATIENCE)
    context = chromium.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(PATIENCE)
    opened = Classic(context.new_page(), server, path)
    opened.open()
    yield opened
    context.close()


def test_a_traced_cell_in_notebook_7(classic: Classic) -> None:
    for cell in (0, 1):
        classic.run(cell)
    trace = Trace(classic, 1)
    expect(trace.says("graph", r"^CloneBackward0")).to_be_visible()
    end = int(trace.slider.input_value())
    trace.at(end)
    expect(trace.twin).to_be_hidden()

    # Stepping with the keyboard, which must not act on the notebook's cells, and pointing.
    trace.slider.focus()
    classic.page.keyboard.press("Home")
    trace.at(0)
    classic.page.keyboard.press("w")
    expect(trace.root).to_contain_text(re.compile(r"wrote 1 element of storage 2; version 0 to 1"))
    classic.page.keyboard.press("End")
    trace.says("storage", r"^w \[3\]").locator(".jg-chip").first.hover(position={"x": 2, "y": 9})
    for view in ("timeline", "storage"):
        expect(trace.lit(view).first).to_be_attached()

    # Run again it is one widget, at its end.
    classic.run(1)
    trace.at(end)
    expect(classic.cell(1).locator("section.jg")).to_have_count(1)
    expect(classic.page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)

    # Reopened without its kernel the extension makes live views of the saved trace.
    (twin,) = outputs(classic.saved(), 1, "text/html")
    assert twin.count("data:image/svg+xml,") == 1
    for session in classic.server.get("/api/sessions"):
        classic.server.delete(f"/api/sessions/{session['id']}")
    classic.open()
    expect(trace.twin.locator("section.jg")).to_be_visible()
    slider = trace.twin.get_by_role("slider")
    expect(slider).to_have_value(str(end))
    slider.press("ArrowLeft")
    expect(trace.twin).to_contain_text(re.compile(rf"step {end - 1} of {end}"))
    expect(classic.cell(1).locator(".jupyter-widgets")).to_be_hidden()

    # Where the extension can't be loaded, a picture stands for the views.
    classic.page.route("**/lab/extensions/jgrad/**", lambda request: request.abort())
    classic.open()
    picture = trace.twin.locator("img")
    expect(picture).to_have_count(1)
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    expect(classic.cell(1).locator("section.jg")).to_have_count(0)
    expect(classic.cell(1).locator(".jupyter-widgets")).to_be_hidden()


def test_the_extension_in_notebook_7(classic: Classic) -> None:
    page = classic.page
    classic.run(0)
    cell = classic.cell(1)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(
        "w = jgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)\n(w * 2).sum().backward()"
    )
    page.locator('[data-jp-item-name="jgrad-trace"]').first.click()
    notes = cell.locator(".jgrad-note")
    expect(notes).to_have_text(["leaf [3] · .grad [2., 2., 2.]", "w.grad [2., 2., 2.]"])
    page.evaluate("() => void jupyterapp.commands.execute('jgrad:open-inspector')")
    inspector = page.locator("#jgrad-inspector")
    expect(inspector.locator(".jg-header")).to_be_visible()
    # Until the cell's views are drawn, the inspector stands alone.
    expect(Trace(classic, 1).slider).to_be_visible()
    inspector.get_by_role("slider").press("Home")
    expect(notes).to_have_count(0)
    expect(Trace(classic, 1).slider).to_have_value("0")
    cell.locator(".cm-line").nth(1).click(button="right", position={"x": 8, "y": 8})
    page.locator(".lm-Menu-item:visible", has_text="Storage of w").click()
    expect(classic.cell(2).locator(".cm-content")).to_have_text("%storage w")
    expect(classic.cell(2)).to_contain_text("storage 1")
    page.locator('[data-jp-item-name="jgrad-notes"]').first.click()
    expect(notes).to_have_count(0)
