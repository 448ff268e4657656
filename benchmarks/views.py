"""What the views cost: the document, its pictures, and in Chromium the first paint and a step of the slider: `python -m benchmarks.views`.

The workloads are training loops of 2,000, 10,000 and 100,000 recorded steps. A time is the least of a few runs. In Chromium it is that of four views
at 100 positions of the cursor, layout included. The promises are in the last column. The time from the end of the cell to the first paint
is that of the message and the paint together.
"""

from __future__ import annotations

import gzip
import shutil
import time
from collections.abc import Iterator

import jgrad
from jgrad import views
from jgrad.trace import Trace, few_collections
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.schema import TraceDocument
from jgrad.views.drawing import frame_of, scene_of
from jgrad.views.text import lower
from jgrad.views.widget import STATIC, twin, wire

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Row = tuple[str, str, str]

# Opens the document as anywidget does, and moves the cursor through it. It waits for frames of the screen, but does not count that time.
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
    const { initialize, render } = widget();
    initialize({ model });
    render({ model, el });
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


def training(steps: int) -> Trace:
    """A recorded training loop."""
    with Trace("training", max_steps=steps) as trace:
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
    return trace


@few_collections(0)
def message(document: TraceDocument) -> str:
    """What is made to show a document: pictures and text, and the message to the widget."""
    frame = frame_of(document, None)
    scenes = [scene_of(frame, view) for view in views.applicable(document)]
    kept = "".join([twin(scenes, "name"), *map(lower, scenes)])
    return kept + wire(pack(document))


def size() -> Row:
    """The size of the front end, which every widget carries."""
    files = [(STATIC / name).read_bytes() for name in ("jgrad.js", "jgrad.css")]
    plain, packed = sum(map(len, files)), sum(len(gzip.compress(f)) for f in files)
    return "front end", f"{plain / 1000:.1f} kB, {packed / 1000:.1f} kB gzipped", "60 kB, 20 kB gzipped"


def in_python(steps: int, documents: list[TraceDocument]) -> Iterator[Row]:
    """The times and sizes of a document, of what is made from it, and of the message. The last document is added to `documents`."""
    building, showing = [], []
    for _ in range(5 if steps <= 10_000 else 2):
        trace = training(steps)
        began = time.process_time()
        document = trace.document
        built = time.process_time()
        message(document)
        building.append(built - began)
        showing.append(time.process_time() - built)
    documents.append(document)
    text = pack(document)
    yield f"document of {steps:,} steps", f"{1000 * min(building):.0f} ms, {len(text) / 1e6:.2f} MB", "2 MB"
    yield f"its pictures and its message, {steps:,} steps", f"{1000 * min(showing):.0f} ms", ""
    yield f"on the wire, {steps:,} steps", f"{len(wire(text)) / 1e6:.2f} MB", "1 MB"


def in_chromium(documents: list[TraceDocument]) -> Iterator[Row]:
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
            paints, works, moves = [], [], []
            for _ in range(3):
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.route(
                    "**", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
                )
                page.goto("http://views.test/")  # once for the paint, once for the steps
                session = page.context.new_cdp_session(page)
                session.send("Performance.enable", {"timeDomain": "threadTicks"})
                painted, _ = page.evaluate(IN_THE_PAGE, [code, css, data, [], shown])
                metrics = session.send("Performance.getMetrics")["metrics"]
                works.append(1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration"))
                paints.append(painted)
                page.goto("http://views.test/")
                moves.append(page.evaluate(IN_THE_PAGE, [code, css, data, places, shown])[1])
                page.close()
            took = sorted(map(min, zip(*moves, strict=True)))
            within = "500 ms" if steps <= 10_000 else "3,000 ms"
            worked = f"{min(paints):.0f} ms, {min(works):.0f} ms of the page's processor time"
            yield f"first paint, {steps:,} steps", worked, within
            middle, slow = took[len(took) // 2], took[len(took) * 95 // 100]
            yield f"a step, {steps:,} steps", f"{middle:.1f} ms; 95 of 100 below {slow:.1f} ms", "16 ms"
        browser.close()


def main() -> None:
    """All rows, as a Markdown table."""
    documents: list[TraceDocument] = []
    print("| what | measured | promised |\n|---|---|---|")
    in_python_all = [row for steps in (2_000, 10_000, 100_000) for row in in_python(steps, documents)]
    for row in (size(), *in_python_all, *in_chromium(documents)):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
