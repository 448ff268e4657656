"""How long a user waits in JupyterLab, from the end of a traced cell until its trace is in the page, to the notes at
its lines and to its live views: `python -m benchmarks.lab`.

The cell is the training loop of `benchmarks.views`, run repeatedly in one notebook. A figure is the least of some runs, so that other work of the
machine counts little. The kernel, the server and Chromium share the machine's processors. With two processors they wait for each other.
"""

from __future__ import annotations

import inspect
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat

from benchmarks.views import BROWSERS, Row, training
from tests.project.serving import Server, jupyterlab, serve

RUNS = {500: 8, 2_000: 8, 10_000: 8, 100_000: 3}
BEFORE = "import time, jgrad\n%load_ext jgrad"
WATCH = """(whole) => {
    window.seen = {};
    new MutationObserver(() => {
        const now = Date.now() / 1000;
        if (document.querySelector("div[data-jgrad-twin]")) window.seen.trace ??= now;
        if (document.querySelector(".jgrad-note")) window.seen.notes ??= now;
        if (document.querySelector(".jg-header")?.textContent.includes(whole) && !("views" in window.seen)) {
            window.seen.views = 0;
            requestAnimationFrame(() => setTimeout(() => { window.seen.views = Date.now() / 1000; }));
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def cell(steps: int) -> str:
    """The code of the traced loop, which prints the time at its end."""
    body = inspect.getsource(training).split(" as trace:\n")[1].split("    return")[0]
    lines = [line[8:] for line in body.replace("steps // 20", str(steps // 20)).splitlines()]
    return "\n".join([f"%%trace --max-steps {steps}", *lines, 'print(f"ended {time.time()}")'])


def waited(server: Server, folder: Path) -> Iterator[Row]:
    """For each length of the loop, how long the user waits."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for steps, runs in RUNS.items():
            cells = [nbformat.v4.new_code_cell(source) for source in (BEFORE, cell(steps))]
            made = nbformat.v4.new_notebook(cells=cells)
            made.metadata["kernelspec"] = {
                "name": "python3",
                "display_name": "Python 3",
                "language": "python",
            }
            nbformat.write(made, folder / f"{steps}.ipynb")
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            page.goto(f"{server.base}/lab/tree/{steps}.ipynb?reset&token={server.token}")
            page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
            page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
            page.locator("[data-mime-type*=stdout]").get_by_text("ended").wait_for(timeout=120_000)
            page.wait_for_timeout(5_000)
            # What is shown while the cell runs has fewer steps.
            whole = re.findall(r"of [\d,]+", page.locator(".jg-header").first.inner_text())[0]
            found_after: dict[str, list[float]] = {"trace": [], "notes": [], "views": []}
            for _ in range(runs):
                page.evaluate("() => jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
                page.locator(".jg-scene").first.wait_for(state="detached")
                page.locator(".jgrad-note").first.wait_for(state="detached")
                page.evaluate(WATCH, whole)
                page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
                page.wait_for_function("() => window.seen.views > 0", timeout=120_000)
                ended = float(page.locator("[data-mime-type*=stdout]").last.inner_text().split()[1])
                for name, at in page.evaluate("() => window.seen").items():
                    found_after[name].append(at - ended)
            page.close()
            said = [f"{name} after {1000 * min(times):.0f} ms" for name, times in found_after.items()]
            yield (
                f"in JupyterLab, {steps:,} steps",
                ", ".join(said),
                "500 ms" if steps < 100_000 else "3,000 ms",
            )
        browser.close()


def main() -> None:
    """All rows, as a Markdown table."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "notebooks")
        folder.mkdir()
        print("| what | measured | promised |\n|---|---|---|")
        with serve(jupyterlab(folder), Path(home)) as server:
            for row in waited(server, folder):
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
