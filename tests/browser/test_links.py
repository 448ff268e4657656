"""Links between notebooks lead to the cell that they name, in JupyterLab and in exported pages. `test_site.py` follows those of the site."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from jgrad.notebook.export import export
from tests.browser.conftest import Notebook


def write_books(folder: Path) -> list[Path]:
    """A notebook with a link to a cell far below in another one, and this other one."""
    filler = [nbformat.v4.new_markdown_cell("a line\n\n" * 40) for _ in range(12)]
    wanted = nbformat.v4.new_markdown_cell("Here it is.", id="wanted")
    link = nbformat.v4.new_markdown_cell("[go](second.ipynb#cell-id=wanted)")
    made = []
    for name, cells in (("first", [link]), ("second", [*filler[:6], wanted, *filler[6:]])):
        book = nbformat.v4.new_notebook(cells=cells)
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made.append(folder / f"{name}.ipynb")
        nbformat.write(book, made[-1])
    return made


@pytest.mark.cells("")
def test_in_jupyterlab_also_into_a_notebook_that_is_not_open(notebook: Notebook) -> None:
    write_books(notebook.path.parent)
    notebook.command("docmanager:open", path="first.ipynb")
    notebook.page.get_by_role("link", name="go").click()
    expect(notebook.page.get_by_role("paragraph").filter(has_text="Here it is.")).to_be_in_viewport()


def test_in_exported_pages(chromium: Browser, tmp_path: Path) -> None:
    for book in write_books(tmp_path):
        export(book, tmp_path / f"{book.stem}.html")
    page = chromium.new_page()
    page.goto((tmp_path / "first.html").as_uri())
    page.get_by_role("link", name="go").click()
    expect(page.get_by_text("Here it is.")).to_be_in_viewport()
    page.close()
