"""Notebooks by strangers in JupyterLab: no text of a trace is taken for markup or script, whether the notebook is trusted or not, and in one that is not
trusted nothing else runs either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.sign import NotebookNotary

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("jupyterlab", reason='needs JupyterLab: pip install ".[lab]"')

from tests.browser.strangers import (  # noqa: E402
    Site,
    cells_with,
    hostile_traces,
    opened,
    show_all,
    shown,
    traced_cell,
)
from tests.browser.vectors import ENDS, TOGETHER, armed  # noqa: E402
from tests.project.serving import Server  # noqa: E402

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
# Shows whether a notebook is trusted.
TRUSTED = "<img src=data: onerror='window.trusted = 1'>"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    found = Site()
    yield found
    found.close()


def looked_at(
    chromium: Any, lab: tuple[Server, Path], site: Site, cells: list[Any], trusted: bool
) -> list[str]:
    """What JupyterLab does with a notebook of these cells, and a trace at its end."""
    server, folder = lab
    mark = nbformat.v4.new_code_cell("1", outputs=[shown({"text/html": TRUSTED})])
    notebook = nbformat.v4.new_notebook(cells=[mark, *cells, traced_cell()], metadata=KERNEL)
    path = folder / "stranger.ipynb"
    nbformat.write(notebook, path)
    notary = NotebookNotary(data_dir=str(folder.parent / "data"))
    (notary.sign if trusted else notary.unsign)(nbformat.read(path, 4))
    address = f"{server.base}/lab/tree/{path.name}?reset&token={server.token}"
    window, done = opened(chromium, address, site, server.base, show_all)
    assert window.evaluate("window.trusted") == (1 if trusted else None)
    window.context.close()
    return done


@pytest.mark.parametrize("trusted", [False, True], ids=["not trusted", "trusted"])
def test_a_trace_is_no_markup(chromium: Any, lab: tuple[Server, Path], site: Site, trusted: bool) -> None:
    assert looked_at(chromium, lab, site, hostile_traces(site), trusted) == []


def test_no_script_of_a_notebook_runs_that_is_not_trusted(
    chromium: Any, lab: tuple[Server, Path], site: Site
) -> None:
    """JupyterLab itself shows pictures of other sites. It runs nothing, and our views let nothing more through."""
    cells = []
    for number, text in enumerate([*TOGETHER.values(), *ENDS.values()]):
        cells += cells_with(armed(text, number, site.address))
    done = looked_at(chromium, lab, site, cells, False)
    assert [
        one for one in done if not one.startswith(("asked for", "the site heard", "there was a connection"))
    ] == []
