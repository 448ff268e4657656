"""What the views cost: the document, its pictures, and in Chromium the first paint and a step of the slider. `python -m benchmarks.views`.

Timed are training loops of 2,000 and 10,000 recorded steps, and the latter's repeated to 100,000. Times are the least of a few; those in Chromium
are of four views at 100 places of the cursor, layout included. The promises are in the last column.
"""

from __future__ import annotations

import gzip
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import jgrad
from jgrad import views
from jgrad.trace.packing import pack
from jgrad.views.widget import STATIC, twin, wire

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Row = tuple[str, str, str]

# Opens the document as anywidget does, and moves the cursor through it; frames of the screen are waited for, but not counted.
IN_THE_PAGE = """async ([code, css, wire, places, views]) => {
    const style = document.createElement("style");
    style.textContent = css;
    document.head.append(style);
    const widget = (await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })))).default;
    const listeners = {};
    const traits = { document: wire, cursor: -1, views, twin: "" };
    const model = {
        get: (name) => traits[name],
        set(name, value) { traits[name] = value; for (const react of listeners[`change:${name}`] ?? []) react(); },
        on(event, react) { (listeners[event] ??= []).push(react); },
        off() {},
        save_changes() {},
    };
    const el = document.body.appendChild(document.createElement("div"));
    const frame = () => new Promise(requestAnimationFrame);
    const settled = () => el.getBoundingClientRect().height + el.querySelectorAll("svg text").length;
    await frame();
    const began = performance.now();
    widget.render({ model, el });
    while (el.querySelectorAll("svg text").length === 0) await new Promise((go) => setTimeout(go));
    settled();
    const painted = performance.now() - began;
    const steps = [];
    for (const place of places) {
        await frame();
        let before = 0;
        requestAnimationFrame(() => { before = performance.now(); });
        model.set("cursor", place);
        await new Promise((done) => requestAnimationFrame(() => { settled(); steps.push(performance.now() - before); done(); }));
    }
    return [painted, steps];
}"""


def training(steps: int) -> dict[str, Any]:
    """The document of a training loop."""
    with jgrad.trace("training", max_steps=steps) as trace:
        x = jgrad.arange(12.0).reshape(6, 2) / 10
        w = jgrad.zeros(2, 1, requires_grad=True)
        b = jgrad.zeros(1, requires_grad=True)
        for _ in range(steps // 20):
            error = x @ w + b - x.sum(1, keepdim=True)
            (error * error).mean().backward()
            with jgrad.no_grad():
                for p in (w, b):
                    p -= 0.1 * p.grad
                    p.grad.zero_()
    began = time.process_time()
    document = trace.document
    document["seconds"] = time.process_time() - began
    return document


def repeated(document: dict[str, Any], times: int) -> dict[str, Any]:
    """Its steps over and over."""
    return {**document, "steps": document["steps"] * times}


def least(run: Callable[[], Any], times: int = 3) -> float:
    """The milliseconds of processor time of the quickest of a few runs."""
    found = []
    for _ in range(times):
        began = time.process_time()
        run()
        found.append(time.process_time() - began)
    return 1000 * min(found)


def size() -> Row:
    """The front end, which every widget carries."""
    files = [(STATIC / name).read_bytes() for name in ("jgrad.js", "jgrad.css")]
    plain, packed = sum(map(len, files)), sum(len(gzip.compress(f)) for f in files)
    return "front end", f"{plain / 1000:.1f} kB, {packed / 1000:.1f} kB gzipped", "60 kB, 20 kB gzipped"


def in_python(document: dict[str, Any]) -> Iterator[Row]:
    """Building the document, what travels, and the pictures that a notebook keeps."""
    steps = len(document["steps"])
    text = pack(document)
    yield (
        f"document of {steps:,} steps",
        f"{1000 * document['seconds']:.0f} ms, {len(text) / 1e6:.2f} MB",
        "2 MB",
    )
    yield f"on the wire, {steps:,} steps", f"{len(wire(text)) / 1e6:.2f} MB", "1 MB"
    shown = views.applicable(document)

    def pictures() -> str:
        frame = views._frame(document, None)
        return twin([views._scene(frame, view) for view in shown], "name")

    yield f"pictures of {len(shown)} views, {steps:,} steps", f"{least(pictures):.0f} ms", ""


def in_chromium(documents: list[dict[str, Any]]) -> Iterator[Row]:
    """First paint and steps of a widget with four views."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        return
    code, css = ((STATIC / name).read_text(encoding="utf-8") for name in ("jgrad.js", "jgrad.css"))
    shown = ["timeline", "storage", "graph", "accumulation"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for document in documents:
            steps = len(document["steps"])
            places = [steps * k // 60 for k in range(60)] + list(range(steps // 2, steps // 2 + 40))
            data = wire(pack(document))
            paints, moves = [], []
            for _ in range(3):
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.route(
                    "**", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
                )
                page.goto("http://views.test/")
                painted, took = page.evaluate(IN_THE_PAGE, [code, css, data, places, shown])
                paints.append(painted)
                moves.append(took)
                page.close()
            took = sorted(map(min, zip(*moves, strict=True)))
            within = "500 ms" if steps <= 10_000 else "3,000 ms"
            yield f"first paint, {steps:,} steps", f"{min(paints):.0f} ms", within
            middle, slow = took[len(took) // 2], took[len(took) * 95 // 100]
            yield f"a step, {steps:,} steps", f"{middle:.1f} ms; 95 of 100 below {slow:.1f} ms", "16 ms"
        browser.close()


def main() -> None:
    """All rows, as a table of Markdown."""
    documents = [training(2_000), training(10_000)]
    print("| what | measured | promised |\n|---|---|---|")
    in_python_all = [row for document in documents for row in in_python(document)]
    for row in (size(), *in_python_all, *in_chromium([*documents, repeated(documents[1], 10)])):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
