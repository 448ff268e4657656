"""Links between exported notebooks lead to the cell that they name. `test_site.py` follows those of the site."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from jgrad.notebook.export import export


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    """A notebook with a link to a cell far below in another one, and this other one."""
    filler = [nbformat.v4.new_markdown_cell("a line\n\n" * 40) for _ in range(6)]
    wanted = nbformat.v4.new_markdown_cell("Here it is.", id="wanted")
    link = nbformat.v4.new_markdown_cell("[go](second.ipynb#cell-id=wanted)")
    made = []
    for name, cells in (("first", [link]), ("second", [*filler, wanted, *filler])):
        book = nbformat.v4.new_notebook(cells=cells)
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made.append(tmp_path / f"{name}.ipynb")
        nbformat.write(book, made[-1])
    return made


def test_in_exported_pages(chromium: Browser, books: list[Path], tmp_path: Path) -> None:
    for book in books:
        export(book, tmp_path / f"{book.stem}.html")
    page = chromium.new_page()
    page.goto((tmp_path / "first.html").as_uri())
    page.get_by_role("link", name="go").click()
    expect(page.get_by_text("Here it is.")).to_be_in_viewport()
    page.close()
