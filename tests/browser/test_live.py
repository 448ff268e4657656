"""Views of what is still going on, in a real JupyterLab: they grow, follow, and go."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import ALIVE, LOAD, Trace, outputs

# The cell goes on until the browser has seen it: it waits for a file, as a long cell would for its data.
WAIT = "import pathlib, time\ngo = pathlib.Path('go')\ngo.unlink(missing_ok=True)"
LOOP = """\
%%trace
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
while not go.exists():
    (w * 3).sum().backward()
    time.sleep(0.001)
print("done")"""
QUICK = LOOP.replace("time.sleep(0.001)", "for _ in range(100): (w * 3).sum().backward()")


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param("slow", marks=pytest.mark.cells(LOAD, WAIT, LOOP)),
        pytest.param("quick", marks=pytest.mark.cells(LOAD, WAIT, QUICK)),
    ],
)
def test_views_grow_while_their_cell_runs(notebook: Notebook, loop: str) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 2)
    go = notebook.path.with_name("go")

    # The cell runs, and its gradient is seen to rise; when the log is full, later moments are shown.
    expect(trace.view("accumulation")).to_be_visible()
    expect(trace.view("timeline")).to_be_visible()
    expect(notebook.cell(2)).to_contain_text("[*]")
    expect(trace.root).to_contain_text(re.compile(r"now running: from backward [\d,]+"))
    seen = {trace.root.locator(".jg-name").inner_text()}
    page.wait_for_function(
        "seen => !seen.includes(document.querySelector('section.jg .jg-name').textContent)", arg=list(seen)
    )
    expect(trace.twin).to_be_hidden()

    # At the end it is the trace of the cell, in the place where it was; the twin is that of the whole.
    go.touch()
    expect(notebook.cell(2)).to_contain_text("done")
    expect(trace.root).to_contain_text(
        re.compile(r"cell 3: (steps not kept|[\d,]+ of [\d,]+ rounds are in this trace)")
    )
    expect(notebook.cell(2).locator(ALIVE)).to_have_count(1)
    expect(trace.twin).to_be_hidden()
    twins = outputs(notebook.saved(), 2, "text/html")
    assert len(twins) == 1
    assert twins[0].count("data:image/svg+xml,") == 1

    # Run again, and interrupted: the old views are closed, the trace ends with the error.
    go.unlink()
    notebook.menu("Run", "Run All Cells")  # a command would wait for its end
    expect(notebook.cell(2)).to_contain_text("[*]")
    expect(trace.root).to_contain_text("now running")
    expect(notebook.cell(2).locator(ALIVE)).to_have_count(1)
    notebook.command("notebook:interrupt-kernel")
    expect(notebook.cell(2)).to_contain_text("KeyboardInterrupt")
    expect(trace.root).to_contain_text(re.compile(r"step ([\d,]+) of \1\b"))
    expect(trace.root).to_contain_text("KeyboardInterrupt")
    expect(notebook.cell(2).locator(ALIVE)).to_have_count(1)


CLEARED = """\
%%trace
import ipywidgets
from IPython.display import clear_output
from IPython.utils.capture import capture_output
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
with ipywidgets.Output(), capture_output():
    for _ in range(5000):
        (w * 3).sum().backward()
while not go.exists():
    (w * 3).sum().backward()
END
print("done")"""
ENDS = ["clear_output()", "clear_output(wait=True)", "ipywidgets.Widget.close_all()"]


@pytest.mark.parametrize(
    "end",
    [pytest.param(end, marks=pytest.mark.cells(LOAD, WAIT, CLEARED.replace("END", end))) for end in ENDS],
)
def test_views_come_back_when_the_cell_clears_them(notebook: Notebook, end: str) -> None:
    mistakes: list[str] = []
    notebook.page.on("pageerror", lambda error: mistakes.append(str(error)))
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 2)
    expect(trace.root).to_contain_text("now running")
    notebook.path.with_name("go").touch()
    expect(notebook.cell(2)).to_contain_text("done")
    expect(trace.root).to_contain_text(
        re.compile(r"cell 3: (steps not kept|[\d,]+ of [\d,]+ rounds are in this trace)")
    )
    expect(trace.root).to_have_count(1)
    expect(trace.twin).to_be_hidden()
    for _ in range(10):  # on a busy machine the notebook may be saved before its model holds the last output
        stored = outputs(notebook.saved(), 2, "text/html")
        if stored:
            break
    assert len(stored) == 1
    assert mistakes == []


FOLLOWED = """\
a = jgrad.tensor([1.0, 2.0], requires_grad=True)
b = a.detach()
%storage a b --live"""
TRACED = """\
%%trace --no-show
(a * 3).sum().backward()"""


# As on a busy machine: the front end takes longer to load than anywidget waits for a model.
SLOW = """() => {
  const text = Response.prototype.text;
  Response.prototype.text = async function () {
    if (!this.url) await new Promise((go) => setTimeout(go, 3000));
    return text.call(this);
  };
}"""


@pytest.mark.cells(
    LOAD, FOLLOWED, "b[0] = 7.0", TRACED, "%accumulate a --live", TRACED, "del b", "del a", FOLLOWED
)
def test_views_follow_later_cells(notebook: Notebook) -> None:
    notebook.page.evaluate(SLOW)
    storage, accumulation = Trace(notebook, 1), Trace(notebook, 4)

    def run(cell: int) -> None:
        notebook.cell(cell).locator(".cm-content").click()
        notebook.page.keyboard.press("Control+Enter")

    for cell in (0, 1):
        run(cell)
    expect(storage.says("storage", r"^storage 1, element 0: 1\.")).to_be_visible()
    run(2)
    expect(storage.says("storage", r"^storage 1, element 0: 7\.")).to_be_visible()
    run(3)
    run(4)
    expect(accumulation.view("accumulation")).to_contain_text("= [3., 3.]")
    run(5)
    expect(accumulation.view("accumulation")).to_contain_text("= [6., 6.]")
    expect(storage.says("storage", r"^b \[2\]")).to_be_visible()
    run(6)
    expect(storage.says("storage", r"^b \[2\]")).to_have_count(0)
    expect(storage.says("storage", r"^a \[2\]")).to_be_visible()
    run(7)  # nothing is left to follow: it shows what it showed last
    run(8)
    expect(Trace(notebook, 8).says("storage", r"^storage 1, element 0: 1\.")).to_be_visible()
    # The names mean other tensors now, which the first view follows too; run again, it is another view.
    expect(storage.says("storage", r"^b \[2\]")).to_be_visible()
    run(1)
    expect(notebook.cell(1).locator(ALIVE)).to_have_count(1)
