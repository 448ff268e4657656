"""JupyterLite with the course, in Chromium without a network: what was saved is alive without a kernel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import nbformat
import pytest

pytest.importorskip("jupyterlite_core", reason='needs JupyterLite: pip install ".[lite]"')
playwright = pytest.importorskip("playwright.sync_api")

from tests.browser.conftest import chromium as chromium  # noqa: E402
from tests.browser.strangers import Site, hostile_traces, opened, show_all, traced_cell  # noqa: E402
from tests.project.serving import extensions  # noqa: E402

pytestmark = pytest.mark.lite

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("lite") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "docs.lite", "--to", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(lite: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(lite)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_is_in_it(lite: Path) -> None:
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")} - {"10-your-own-pytorch.ipynb"}
    assert {path.name for path in (lite / "files").glob("*.ipynb")} == notebooks
    first = json.loads((lite / "files" / "00-tour.ipynb").read_text(encoding="utf-8"))["cells"][0]
    assert "%pip install -q jgrad" in "".join(first["source"])
    assert set(json.loads((lite / "pypi" / "all.json").read_text())) == {"anywidget", "jgrad", "psygnal"}
    found = json.loads((lite / "jupyter-lite.json").read_text())["jupyter-config-data"][
        "federated_extensions"
    ]
    assert {extension["name"] for extension in found} == {
        "@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget", "jgrad",
    }  # fmt: skip
    for file in (extensions() / "jgrad").rglob("*.js"):
        assert (lite / "extensions" / "jgrad" / "static" / file.name).read_bytes() == file.read_bytes()


def test_saved_views_are_alive_without_a_kernel(chromium: playwright.Browser, address: str) -> None:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    refused: list[str] = []

    def answer(route: playwright.Route) -> None:
        if route.request.url.startswith(address):
            route.continue_()
        else:
            refused.append(route.request.url)
            route.abort()

    context.route("**/*", answer)
    window = context.new_page()
    window.goto(f"{address}/lab/index.html?path=00-tour.ipynb")
    output = window.locator(".jp-Notebook .jgrad-views").first
    output.wait_for(state="attached", timeout=180_000)
    output.scroll_into_view_if_needed()
    playwright.expect(output.locator(".jg")).to_be_visible(timeout=180_000)
    slider = output.locator("input[type=range]")
    end = int(slider.input_value())
    slider.press("ArrowLeft")
    playwright.expect(slider).to_have_value(str(end - 1))
    # The kernel alone is fetched from elsewhere.
    assert [url for url in refused if not re.search(r"/pyodide\.m?js", url)] == []
    context.close()


def test_a_trace_of_a_stranger_is_no_markup(chromium: playwright.Browser, lite: Path, address: str) -> None:
    site = Site()
    cells = [*hostile_traces(site), traced_cell()]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lite / "files" / "stranger.ipynb")
    listed = lite / "api" / "contents" / "all.json"
    contents = json.loads(listed.read_text())
    like = next(one for one in contents["content"] if one["name"] == "00-tour.ipynb")
    contents["content"].append({**like, "name": "stranger.ipynb", "path": "stranger.ipynb"})
    listed.write_text(json.dumps(contents))
    window, done = opened(chromium, f"{address}/lab/index.html?path=stranger.ipynb", site, address, show_all)
    assert [one for one in done if not re.search(r"/pyodide\.m?js", one)] == []
    window.context.close()
    site.close()
