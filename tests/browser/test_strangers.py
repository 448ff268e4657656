"""Pages of notebooks by strangers, in Chromium: no script of the notebook runs, the reader stays where he is, and no site is asked for anything.

A site that listens on this machine takes the place of all others: not even a connection to it is allowed.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import nbformat
import pytest

import jgrad
from jgrad.notebook.export import VIEW, export
from jgrad.tracing.document.packing import pack
from jgrad.views.transport import TRACE, wire
from tests.browser import hostile
from tests.browser.vectors import ENDS, TOGETHER, armed

playwright = pytest.importorskip("playwright.sync_api")

PRESS = """() => Document.prototype.querySelectorAll.call(document, "[data-press]").forEach(
    (one) => one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })))"""
PATIENCE = 700  # milliseconds; that nothing happens can only be waited for, and the last test says that this is enough


class Site:
    """A site that counts who connects to it, and remembers what is asked."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        self.asked: list[str] = []
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            try:
                line = connection.recv(4096).decode("latin-1").partition("\r\n")[0]
                if line:
                    self.asked.append(line)
                    connection.sendall(
                        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    )
            except OSError:
                pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    found = Site()
    yield found
    found.close()


def a_trace(name: str = "a trace") -> Any:
    with jgrad.trace(name) as recorded:
        w = jgrad.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
    return recorded


def traits(document: str, **other: Any) -> dict[str, Any]:
    return {"document": document, "cursor": -1, "views": ["graph"], "twin": "aa", **other}


def shown(data: dict[str, Any], **metadata: Any) -> Any:
    return nbformat.v4.new_output("display_data", data, metadata=metadata)


def cells_with(text: str) -> list[Any]:
    """Cells that hold a text wherever a notebook may hold HTML."""
    raw = nbformat.v4.new_raw_cell(text, metadata={"raw_mimetype": "text/html"})
    outputs = [shown({"text/html": text}), shown({"text/markdown": text})]
    return [nbformat.v4.new_markdown_cell(text), raw, nbformat.v4.new_code_cell(text, outputs=outputs)]


def opened(chromium: Any, path: Path, site: Site) -> tuple[Any, list[str]]:
    """A page that was left alone for a while after each thing was clicked; and what it did that it must not do."""
    before = len(site.asked), site.connections
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    window = context.new_page()
    asked: list[Any] = []
    context.on("request", lambda request: asked.append(request))
    window.goto(path.as_uri())
    hacked = None
    try:
        window.evaluate(PRESS)
        window.wait_for_timeout(PATIENCE)
        hacked = window.evaluate("top.hacked")
    except playwright.Error:
        pass  # the page has left
    # Chromium also tells of requests that it has stopped itself.
    left = [one.url for one in asked[1:] if one.failure not in ("csp", "origin")]
    done = [f"asked for {url[:200]}" for url in left if not url.startswith("data:")]
    done += [f"the site heard: {line}" for line in site.asked[before[0] :]]
    done += ["there was a connection to the site"] * (site.connections > before[1])
    if window.url.partition("#")[0] != path.as_uri():
        done.append(f"the page went to {window.url}")
    if hacked is not None:
        done.append(f"ran scripts {hacked}")
    if len(context.pages) > 1:
        done.append("there is a second window")
    return window, done


def views_are_alive(window: Any) -> None:
    """The trace at the end of a notebook is alive, and nothing else is."""
    place = window.locator("[data-jgrad-trace]").last
    place.scroll_into_view_if_needed()
    playwright.expect(place.locator("section.jg")).to_be_visible()
    assert window.locator("section.jg").count() == 1


KINDS = sorted({name.partition(":")[0] for name in TOGETHER})


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_notebook_acts(chromium: Any, site: Site, tmp_path: Path, kind: str) -> None:
    cells = []
    for number, (name, text) in enumerate(TOGETHER.items()):
        if name.startswith(kind):
            cells += cells_with(armed(text, number, site.address))
    trace = shown({TRACE: traits(wire(pack(a_trace().document))), "text/plain": "x"})
    cells.append(nbformat.v4.new_code_cell("x", outputs=[trace]))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "n.ipynb")
    assert export(tmp_path / "n.ipynb", tmp_path / "n.html") == 1
    window, done = opened(chromium, tmp_path / "n.html", site)
    assert done == []
    views_are_alive(window)
    window.context.close()


@pytest.mark.parametrize("name", ENDS)
def test_nothing_acts_in_a_page_that_a_notebook_breaks(
    chromium: Any, site: Site, tmp_path: Path, name: str
) -> None:
    trace = shown({TRACE: traits(wire(pack(a_trace().document))), "text/plain": "x"})
    rest = nbformat.v4.new_code_cell("x", outputs=[trace])
    cells = [*cells_with(armed(ENDS[name], 1, site.address)), rest]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "n.ipynb")
    export(tmp_path / "n.ipynb", tmp_path / "n.html")
    window, done = opened(chromium, tmp_path / "n.html", site)
    assert done == []
    window.context.close()


MARKUP = "\"'></title></style></script></pre></textarea>--><script>HACK</script><img src=SITE onerror=HACK><meta http-equiv=refresh content='0;url=SITE'>"


def hostile_everywhere(site: Site) -> Any:
    """A notebook with markup in each text that is no HTML: metadata, names, attachments, the state of widgets, traces."""
    text = armed(MARKUP, 1, site.address)
    code = armed("HACK; fetch('SITE')", 2, site.address)
    document = next(hostile.documents("w = jgrad.ones(2, requires_grad=True)\n(w * w).sum().backward()"))
    state = {"document": text, "cursor": -1, "views": [text], "twin": text, "_esm": code, "_css": text}
    outputs = [
        nbformat.v4.new_output("stream", text=text),
        nbformat.v4.new_output("error", ename=text, evalue=text, traceback=[text]),
        shown({"image/svg+xml": f"<svg onload={code}>{text}</svg>"}),
        shown({"text/latex": f"${text}$"}),
        shown({"application/javascript": code}),
        shown({"text/vnd.mermaid": text}),
        shown({text: text}),
        shown({"image/png": text, "image/jpeg": text}, **{"image/png": {"width": f"1 onerror={code}", "height": text}}),
        shown({"text/html": "<p>x</p>"}, jgrad_trace=text, filenames={"image/png": text}),
        shown({TRACE: traits(text, views=[text, 3, {}], twin=text), "text/html": "<p>x</p>"}),
        shown({TRACE: traits(json.dumps(document)), "text/plain": text}),
        shown({VIEW: {"model_id": "m", "version_major": 2, "version_minor": 0}}),
    ]  # fmt: skip
    cells = [
        nbformat.v4.new_code_cell(
            text, outputs=outputs, metadata={"tags": [text.replace(",", "")], "jupyter": {"x": text}}
        ),
        nbformat.v4.new_markdown_cell(
            f"![{text}](attachment:a{text}) ![x](attachment:b)\n\n# {text}\n\n[x](javascript:{code})\n\n$x{text}$",
            attachments={f"a{text}": {"text/html": text}, "b": {text: text}},
        ),
    ]
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"m": {"state": state}}}}
    metadata = {
        "title": text,
        "authors": [{"name": text}],
        "kernelspec": {"name": text, "display_name": text, "language": text},
        "language_info": {"name": text, "pygments_lexer": text, "mimetype": text, "file_extension": text, "codemirror_mode": text},
        "widgets": widgets,
    }  # fmt: skip
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def test_markup_in_what_is_no_html_does_nothing(chromium: Any, site: Site, tmp_path: Path) -> None:
    name = "</title><script>top.hacked=1<"
    path = tmp_path / name.replace("/", "\u2215")
    nbformat.write(hostile_everywhere(site), path.with_suffix(".ipynb"))
    export(path.with_suffix(".ipynb"), path.with_suffix(".html"))
    window, done = opened(chromium, path.with_suffix(".html"), site)
    assert done == []
    for place in window.locator("[data-jgrad-trace]").all():
        place.scroll_into_view_if_needed()
        playwright.expect(place.locator("section.jg")).to_be_visible()
    assert window.evaluate("top.hacked") is None
    window.context.close()


def test_a_saved_trace_is_no_markup(chromium: Any, site: Site, tmp_path: Path) -> None:
    a_trace(armed(MARKUP, 1, site.address)).save(tmp_path / "t.html")
    window, done = opened(chromium, tmp_path / "t.html", site)
    assert done == []
    views_are_alive(window)
    window.context.close()


@pytest.mark.deep
def test_most_of_them_act_on_a_page_without_protection(chromium: Any, site: Site, tmp_path: Path) -> None:
    """Else the tests above would say nothing. What is written for our own pages does nothing here, and some only in other browsers."""
    silent = set()
    for number, (name, text) in enumerate({**TOGETHER, **ENDS}.items()):
        path = tmp_path / f"{number}.html"
        path.write_text(f"<!DOCTYPE html><body>{armed(text, number, site.address)}", encoding="utf-8")
        window, done = opened(chromium, path, site)
        if not done:
            silent.add(name)
        window.context.close()
    assert len(silent) <= 36, sorted(silent)
