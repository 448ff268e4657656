"""Notebooks by strangers, the site that nobody may ask for anything, and a page that is watched while it shows such a notebook.

A site that listens on this machine takes the place of all others: not even a connection to it is allowed.
"""

from __future__ import annotations

import copy
import itertools
import json
import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

import nbformat
import playwright.sync_api as playwright

import jgrad
from jgrad.notebook.export import VIEW
from jgrad.tracing.document.packing import pack
from jgrad.views.transport import TRACE, wire
from tests.browser import hostile
from tests.browser.vectors import ENDS, TOGETHER, armed

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


def opened(
    chromium: Any, address: str, site: Site, home: str, show: Callable[[Any], None] = lambda window: None
) -> tuple[Any, list[str]]:
    """A page that was left alone for a while after each thing was clicked; and what it did that it must not do.

    It may ask for what begins with `home`. `show` makes it show all that it has.
    """
    before = len(site.asked), site.connections
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    window = context.new_page()
    asked: list[Any] = []
    context.on("request", lambda request: asked.append(request))
    window.goto(address)
    hacked = None
    try:
        show(window)
        window.evaluate(PRESS)
        window.wait_for_timeout(PATIENCE)
        hacked = window.evaluate("top.hacked")
    except playwright.Error:
        if window.url.startswith(home):
            raise  # what should be shown is not there
    # Chromium also tells of requests that it has stopped itself.
    left = [one.url for one in asked if one.failure not in ("csp", "origin")]
    done = [f"asked for {url[:200]}" for url in left if not url.startswith((home, "data:", "blob:"))]
    done += [f"the site heard: {line}" for line in site.asked[before[0] :]]
    done += ["there was a connection to the site"] * (site.connections > before[1])
    if not window.url.startswith(home):
        done.append(f"the page went to {window.url}")
    if hacked is not None:
        done.append(f"ran scripts {hacked}")
    if len(context.pages) > 1:
        done.append("there is a second window")
    return window, done


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


def with_all(kind: str, site: Site) -> Any:
    """A notebook with all texts of a kind, and a trace at its end."""
    cells = []
    for number, (name, text) in enumerate(TOGETHER.items()):
        if name.startswith(kind):
            cells += cells_with(armed(text, number, site.address))
    return nbformat.v4.new_notebook(cells=[*cells, traced_cell()])


def with_one(text: str, site: Site) -> Any:
    """A notebook with one text, and a trace after it."""
    return nbformat.v4.new_notebook(cells=[*cells_with(armed(text, 1, site.address)), traced_cell()])


def traced_cell() -> Any:
    trace = shown({TRACE: traits(wire(pack(a_trace().document))), "text/plain": "x", "text/html": "x"})
    return nbformat.v4.new_code_cell("x", outputs=[trace])


SOURCE = "w = jgrad.ones(2, requires_grad=True)\n(w * w).sum().backward()"


def hostile_traces(site: Site) -> list[Any]:
    """Cells with traces in which each text is one of a stranger's: in the documents, in the views' names, in what is around the documents."""
    texts = [
        armed(text, n, site.address) for n, text in enumerate([*TOGETHER.values(), *ENDS.values(), MARKUP])
    ]
    found = [traits(hostile.wire_of(one)) for one in itertools.islice(hostile.documents(SOURCE), 4)]
    found += [traits(hostile.wire_of(one)) for one in hostile.documents(SOURCE, texts)]
    good = copy.deepcopy(found[0])
    text = armed(MARKUP, 1, site.address)
    found += [
        traits(text),
        {**good, "views": [text, "graph"]},
        {**good, "twin": text},
        {**good, text: text},
        {"document": [text]},
    ]
    return [
        nbformat.v4.new_code_cell(text, outputs=[shown({TRACE: one, "text/plain": text})]) for one in found
    ]  # fmt: skip


def show_all(window: Any) -> None:
    """Every output of the notebook was in sight, and the last trace is alive."""
    cells = window.locator(".jp-Notebook .jp-Cell")
    cells.first.wait_for(timeout=180_000)
    last = window.locator(".jgrad-views").last
    last.wait_for(state="attached", timeout=180_000)
    for place in cells.all():
        place.scroll_into_view_if_needed()
        window.wait_for_timeout(50)
    # JupyterLab may make only the cells that are near those in sight.
    before = None
    while (reached := cells.last.get_attribute("data-windowed-list-index")) != before:
        before = reached
        cells.last.scroll_into_view_if_needed()
        window.wait_for_timeout(500)
    last.scroll_into_view_if_needed()
    playwright.expect(last.locator("section.jg")).to_be_visible(timeout=180_000)
