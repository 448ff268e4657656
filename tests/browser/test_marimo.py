"""marimo in a real Chromium: no magics there, but `with jgrad.trace()`."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.test_lab import chosen
from tests.project.serving import ended

pytest.importorskip("marimo", reason='needs marimo: pip install ".[test]"')

APP = """\
import marimo

app = marimo.App()


@app.cell
def _():
    import jgrad
    import marimo as mo

    return jgrad, mo


@app.cell
def _(mo):
    factor = mo.ui.number(1, 9, value=2, label="factor")
    factor
    return (factor,)


@app.cell
def _(factor, jgrad):
    with jgrad.trace(show=True) as t:
        w = jgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
        copied = w.clone()
        copied[0] = 10.0
        (copied * factor.value).sum().backward()
    return (t,)


@app.cell
def _(t):
    t
    return
"""


@pytest.fixture
def app(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "app.py"
    file.write_text(APP, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [
        sys.executable,
        "-m",
        "marimo",
        "-q",
        "run",
        "--headless",
        "--no-token",
        "--host=127.0.0.1",
        f"--port={port}",
    ]
    folders = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "STATE", "CACHE")}
    log = tmp_path / "server.log"
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    with (
        log.open("w") as output,
        subprocess.Popen(
            [*command, str(file)], env={**os.environ, **folders}, stdout=output, stderr=output
        ) as process,
    ):
        try:
            while not answers(address):
                try:
                    process.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
                raise RuntimeError(f"the server ended:\n{log.read_text()}")
            page = context.new_page()
            page.goto(address)
            yield page
        finally:
            context.close()
            ended(process)


def answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/health", timeout=180) as reply:
            return reply.status == 200
    except (URLError, ConnectionError):
        return False


def test_a_trace_in_marimo(app: Page) -> None:
    mistakes: list[str] = []
    app.on("pageerror", lambda error: mistakes.append(str(error)))
    widgets = app.locator("section.jg")  # within shadow roots, where Playwright looks too
    expect(widgets).to_have_count(2)
    shown, again = widgets.nth(0), widgets.nth(1)
    storage = shown.locator("figure[data-view=storage]")
    accumulation = "figure[data-view=accumulation]"

    # The block alone is the source, and its tensors have their names.
    for widget in (shown, again):
        chosen(widget, "timeline")  # marimo's column is narrow: the timeline has a tab
        expect(widget.locator("figure[data-view=timeline]")).to_contain_text("copied[0] = 10.0")
        expect(widget.locator("figure[data-view=timeline]")).not_to_contain_text("with jgrad.trace")
        chosen(widget, "graph")
        expect(widget.locator("figure[data-view=graph]")).to_contain_text("copied[0]")
        chosen(widget, "accumulation")
    expect(shown.locator(accumulation)).to_contain_text("[0., 2., 2.]")
    chosen(shown, "storage")
    expect(storage.get_by_label(re.compile(r"^copied \[3\] float32, storage 2")).first).to_be_visible()

    # Its style came with it, into the shadow root: the drawing has its colours.
    assert storage.locator(".jg-leaf").first.evaluate("item => getComputedStyle(item).fill") != "rgb(0, 0, 0)"

    # Stepping and pointing.
    slider = shown.get_by_role("slider")
    slider.press("Home")
    expect(shown).to_contain_text(re.compile(r"step 0 of \d+"))
    slider.press("w")
    expect(shown).to_contain_text("wrote 1 element of storage 2; version 0 to 1")
    slider.press("End")
    storage.get_by_label(re.compile(r"^w \[3\]")).first.locator(".jg-chip").first.hover(
        position={"x": 2, "y": 9}
    )
    for view in ("storage",):
        expect(shown.locator(f"figure[data-view={view}] .jg-lit").first).to_be_attached()

    # What depends on another cell runs again with it: the views are those of the new run, and no more than there were.
    for widget in (shown, again):
        chosen(widget, "timeline")
    factor = app.locator("input[type=text]")
    factor.fill("5")
    factor.press("Enter")
    for widget in (shown, again):
        # New views show their first one.
        expect(widget.locator("figure[data-view=timeline]")).to_have_count(0)
        chosen(widget, "accumulation")
        expect(widget.locator(accumulation)).to_contain_text("[0., 5., 5.]")
    expect(widgets).to_have_count(2)
    assert mistakes == []
