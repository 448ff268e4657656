"""Pages of notebooks by strangers, in Chromium: no script of the notebook runs, the reader stays where he is, and no site is asked for anything."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from jgrad.notebook.export import export
from tests.browser.vectors import ENDS, TOGETHER, armed

playwright = pytest.importorskip("playwright.sync_api")

from tests.browser.strangers import (  # noqa: E402
    MARKUP,
    Site,
    a_trace,
    hostile_everywhere,
    opened,
    with_all,
    with_one,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    found = Site()
    yield found
    found.close()


def opened_file(chromium: Any, path: Path, site: Site) -> tuple[Any, list[str]]:
    return opened(chromium, path.as_uri(), site, path.as_uri())


def views_are_alive(window: Any) -> None:
    """The trace at the end of a notebook is alive, and nothing else is."""
    place = window.locator("[data-jgrad-trace]").last
    place.scroll_into_view_if_needed()
    playwright.expect(place.locator("section.jg")).to_be_visible()
    assert window.locator("section.jg").count() == 1


KINDS = sorted({name.partition(":")[0] for name in TOGETHER})


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_notebook_acts(chromium: Any, site: Site, tmp_path: Path, kind: str) -> None:
    nbformat.write(with_all(kind, site), tmp_path / "n.ipynb")
    assert export(tmp_path / "n.ipynb", tmp_path / "n.html") == 1
    window, done = opened_file(chromium, tmp_path / "n.html", site)
    assert done == []
    views_are_alive(window)
    window.context.close()


@pytest.mark.parametrize("name", ENDS)
def test_nothing_acts_in_a_page_that_a_notebook_breaks(
    chromium: Any, site: Site, tmp_path: Path, name: str
) -> None:
    nbformat.write(with_one(ENDS[name], site), tmp_path / "n.ipynb")
    export(tmp_path / "n.ipynb", tmp_path / "n.html")
    window, done = opened_file(chromium, tmp_path / "n.html", site)
    assert done == []
    window.context.close()


def test_markup_in_what_is_no_html_does_nothing(chromium: Any, site: Site, tmp_path: Path) -> None:
    name = "</title><script>top.hacked=1<"
    path = tmp_path / name.replace("/", "\u2215")
    nbformat.write(hostile_everywhere(site), path.with_suffix(".ipynb"))
    export(path.with_suffix(".ipynb"), path.with_suffix(".html"))
    window, done = opened_file(chromium, path.with_suffix(".html"), site)
    assert done == []
    for place in window.locator("[data-jgrad-trace]").all():
        place.scroll_into_view_if_needed()
        playwright.expect(place.locator("section.jg")).to_be_visible()
    assert window.evaluate("top.hacked") is None
    window.context.close()


def test_a_saved_trace_is_no_markup(chromium: Any, site: Site, tmp_path: Path) -> None:
    a_trace(armed(MARKUP, 1, site.address)).save(tmp_path / "t.html")
    window, done = opened_file(chromium, tmp_path / "t.html", site)
    assert done == []
    views_are_alive(window)
    window.context.close()


@pytest.fixture(scope="module")
def sphinx(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Path:
    """A site as the one of the docs, of notebooks by strangers. Each page shows the titles of all others."""
    pytest.importorskip("myst_nb", reason='needs Sphinx: pip install ".[docs]"')
    from sphinx.cmd.build import build_main

    folder = tmp_path_factory.mktemp("sphinx")
    notebooks = {kind: with_all(kind, site) for kind in KINDS}
    notebooks |= {name.replace(" ", "-"): with_one(text, site) for name, text in ENDS.items()}
    notebooks["everywhere"] = hostile_everywhere(site)
    for name, notebook in notebooks.items():
        title = armed(f"# <b>{name}</b> {MARKUP}", 3, site.address)
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(title))
        nbformat.write(notebook, folder / f"{name.replace(' ', '-')}.ipynb")
    pages = "\n".join(name.replace(" ", "-") for name in notebooks)
    (folder / "index.md").write_text(f"# Strangers\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n")
    shutil.copytree(ROOT / "docs" / "site" / "static", folder / "static")
    options = ["-b", "html", "-Q", "-c", str(ROOT / "docs" / "site")]
    assert build_main([*options, str(folder), str(folder / "site")]) == 0
    return folder / "site"


ALIVE = [kind.replace(" ", "-") for kind in KINDS]
PAGES = [*ALIVE, *(name.replace(" ", "-") for name in ENDS), "everywhere", "index"]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_a_notebook_acts_on_a_site(chromium: Any, site: Site, sphinx: Path, page: str) -> None:
    window, done = opened(chromium, (sphinx / f"{page}.html").as_uri(), site, sphinx.as_uri())
    assert done == []
    if page in ALIVE:
        views_are_alive(window)
    window.context.close()


@pytest.mark.deep
def test_most_of_them_act_on_a_page_without_protection(chromium: Any, site: Site, tmp_path: Path) -> None:
    """Else the tests above would say nothing. What is written for our own pages does nothing here, and some only in other browsers."""
    silent = set()
    for number, (name, text) in enumerate({**TOGETHER, **ENDS}.items()):
        path = tmp_path / f"{number}.html"
        path.write_text(f"<!DOCTYPE html><body>{armed(text, number, site.address)}", encoding="utf-8")
        window, done = opened_file(chromium, path, site)
        if not done:
            silent.add(name)
        window.context.close()
    assert len(silent) <= 36, sorted(silent)
