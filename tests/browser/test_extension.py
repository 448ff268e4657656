"""jgrad's extension in JupyterLab: the button, notes in the editor, the inspector, and saved notebooks that are alive."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator, expect

import jgrad
from jgrad import cli
from jgrad.tracing.document.packing import pack
from jgrad.views.transport import wire
from tests.browser import hostile
from tests.browser.conftest import Notebook, eventually
from tests.browser.test_lab import ALIVE

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
TUTORIALS = ROOT / "js" / "lab" / "tutorials.json"
IMPORT = "import jgrad"
CELL = """\
w = jgrad.tensor([1., 3., 4.], requires_grad=True)
frozen = w.detach()
loss = (w * w).sum()
loss.backward()
again = (w * w).sum()
frozen[0] = 0.
again.backward()"""
WITHOUT = """\
import sys
class Without:
    def find_spec(name, *_):
        if name == "jgrad":
            raise ModuleNotFoundError("No module named 'jgrad'")
sys.meta_path.insert(0, Without)
del sys.modules["jgrad"]
get_ipython().extension_manager.loaded.clear()
print("jgrad is gone")"""
HOSTILE = """\
%%trace --view storage
import builtins
name = "<img src=x onerror='window.hacked = 1'>"
globals()[name] = jgrad.ones(2)"""


def button(notebook: Notebook, name: str) -> Locator:
    return notebook.page.locator(f'[data-jp-item-name="jgrad-{name}"]').first


def notes(cell: Locator) -> Locator:
    return cell.locator(".jgrad-note")


def traced(notebook: Notebook) -> Locator:
    """The second cell, traced by the button."""
    notebook.menu("Run", "Run All Cells")
    expect(notebook.cell(1)).to_contain_text("RuntimeError")
    cell = notebook.cell(1)
    cell.locator(".cm-content").click()
    button(notebook, "trace").click()
    expect(cell.locator(".cm-line").first).to_have_text("%%trace")
    expect(cell.locator(ALIVE).locator(".jg-header")).to_be_visible()
    expect(cell.locator("section.jg")).to_have_count(1)
    return cell


@pytest.mark.cells(IMPORT, CELL)
def test_a_button_traces_a_cell_and_notes_say_what_became_of_its_lines(notebook: Notebook) -> None:
    cell = traced(notebook)
    expect(notes(cell)).to_have_count(7)
    lines = cell.locator(".cm-line")
    said = notes(cell)
    expect(said.nth(0)).to_have_text("leaf [3] · now [0., 3., 4.] · shares memory with frozen")
    expect(said.nth(3)).to_have_text("w.grad [2., 6., 8.]")
    expect(said.nth(5)).to_have_text("writes frozen[0]")
    # The marks have forms of their own, and the line of the step is marked.
    marks = {5: "◆", 6: "▲", 7: "✕"}
    for number, mark in marks.items():
        drawn = lines.nth(number).evaluate("line => getComputedStyle(line).getPropertyValue('--jgrad-sign')")
        assert drawn == f'"\\{ord(mark):x}"'  # as the style sheet writes it
    expect(cell.locator(".jgrad-step-line")).to_have_count(1)
    expect(lines.nth(7)).to_have_class(re.compile("jgrad-step-line"))

    expect(cell.locator(".jg-sentence")).to_have_text(
        "line 8MulBackward0 needs w as it was at v0, finds v1, and stops."
    )

    # The slider moves the marked line, and the notes say what held then.
    slider = cell.get_by_role("slider")
    slider.press("Home")
    expect(notes(cell)).to_have_count(0)
    slider.press("ArrowRight")
    expect(lines.nth(1)).to_have_class(re.compile("jgrad-step-line"))
    expect(said.nth(0)).to_have_text("leaf [3] · .grad None")

    # The text cursor moves the slider.
    lines.nth(4).click()
    expect(cell.locator(".jg-header")).to_contain_text("step 8 of")
    expect(said.nth(3)).to_have_text("w.grad [2., 6., 8.]")

    # In a narrow window no note is cut off, and the marks go with the notes.
    notebook.page.set_viewport_size({"width": 800, "height": 1000})
    below = cell.locator(".jgrad-note-below")
    expect(below.first).to_be_visible()

    def inside() -> None:
        edge = cell.locator(".cm-scroller").evaluate("e => e.getBoundingClientRect().right")
        assert (
            below.evaluate_all("all => Math.max(...all.map((e) => e.getBoundingClientRect().right))") <= edge
        )

    eventually(inside)
    slider.press("End")
    expect(cell.locator(".jgrad-note-below.jgrad-mark-error")).to_have_count(1)
    notebook.page.set_viewport_size({"width": 1400, "height": 1000})
    expect(cell.locator(".jgrad-note-below.jgrad-mark-error")).to_have_count(0)
    lines.nth(4).click()

    # Off and on with one click; gone when the cell is edited.
    button(notebook, "notes").click()
    expect(notes(cell)).to_have_count(0)
    button(notebook, "notes").click()
    expect(notes(cell).first).to_be_visible()
    lines.nth(4).click()
    notebook.page.keyboard.type("x")
    expect(notes(cell)).to_have_count(0)


@pytest.mark.cells("A heading", CELL)
def test_the_button_of_a_notebook_that_begins_with_text_can_be_pressed_after_a_reload(
    notebook: Notebook,
) -> None:
    notebook.command("notebook:change-cell-to-markdown")
    notebook.command("docmanager:save")
    # (JupyterLab's own reload would restore the tabs too, and might look for this notebook when the next test has begun.)
    notebook.open()
    traces = button(notebook, "trace").locator("jp-button")
    expect(traces).to_have_attribute("aria-disabled", "true")
    notebook.cell(1).locator(".cm-content").click()
    expect(traces).to_have_attribute("aria-disabled", "false")


@pytest.mark.cells(IMPORT, CELL)
def test_the_inspector_shows_the_trace_of_the_active_cell_and_goes_along(notebook: Notebook) -> None:
    cell = traced(notebook)
    own = cell.get_by_role("slider")
    own.press("Home")
    for step in ("1", "2", "3"):
        own.press("ArrowRight")
        expect(own).to_have_value(step)
    notebook.command("jgrad:open-inspector")
    inspector = notebook.page.locator("#jgrad-inspector")
    other = inspector.get_by_role("slider")
    expect(inspector.locator(".jg-header")).to_be_visible()
    # It starts where the cell's views stand, and moves nothing.
    expect(other).to_have_value("3")
    expect(own).to_have_value("3")
    own.press("Home")
    expect(other).to_have_value("0")
    other.press("ArrowRight")
    expect(own).to_have_value("1")
    # A click on another cell leaves the trace there, and it still goes along.
    notebook.cell(0).locator(".cm-content").click()
    expect(inspector).to_contain_text(re.compile(r"cell \[\d+\]"))
    expect(other).to_have_value("1")
    other.press("ArrowRight")
    expect(own).to_have_value("2")
    other.press("ArrowLeft")
    expect(own).to_have_value("1")
    lines = cell.locator(".cm-line")
    lines.nth(1).click()
    expect(other).to_have_value("1")
    expect(own).to_have_value("1")


LATE = """() => {
  const now = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => now(() => setTimeout(() => draw(performance.now()), 400));
}"""


@pytest.mark.cells(IMPORT, CELL)
def test_the_inspector_takes_back_no_step_where_the_screen_is_slow(notebook: Notebook) -> None:
    """Both views draw a frame after they moved. What they say of a step must not arrive after the next step."""
    cell = traced(notebook)
    own = cell.get_by_role("slider")
    other = notebook.page.locator("#jgrad-inspector").get_by_role("slider")
    notebook.page.evaluate(LATE)
    own.press("Home")
    own.press("ArrowRight")
    notebook.command("jgrad:open-inspector")
    expect(other).to_be_visible()
    for _ in range(3):
        own.press("ArrowRight")
    expect(other).to_have_value("4")
    for _ in range(3):
        other.press("ArrowRight")
        notebook.page.wait_for_timeout(150)
    expect(own).to_have_value("7")
    expect(other).to_have_value("7")
    notebook.page.wait_for_timeout(2_000)
    assert (own.input_value(), other.input_value()) == ("7", "7")


@pytest.mark.cells(IMPORT + "\n%load_ext jgrad", HOSTILE, "%%trace\n" + CELL)
def test_a_saved_notebook_is_alive_without_a_kernel_and_without_widget_state(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    expect(notebook.cell(2).locator(ALIVE).locator(".jg-header")).to_be_visible()
    saved = notebook.saved()
    saved.metadata.pop("widgets", None)
    saved.metadata["kernelspec"] = {"name": "none", "display_name": "none"}
    book = json.loads(json.dumps(saved))
    for cell in book["cells"]:  # untrusted, and without the forms for other front ends
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("text/html", None)
    copy = notebook.path.with_name("copy.ipynb")
    copy.write_text(json.dumps(book))
    page = notebook.page.context.new_page()
    page.goto(f"{notebook.server.base}/lab/tree/copy.ipynb?reset&token={notebook.server.token}")
    cell = page.locator(".jp-Notebook .jp-Cell").nth(2)
    cell.scroll_into_view_if_needed()
    expect(cell.locator(".jg-header")).to_be_visible()
    expect(notes(cell)).to_have_count(7)
    slider = cell.get_by_role("slider")
    slider.press("ArrowLeft")
    expect(cell.locator(".jg-header")).to_contain_text("step 14 of 15")
    hostile = page.locator(".jp-Notebook .jp-Cell").nth(1)
    hostile.scroll_into_view_if_needed()
    expect(hostile.locator(".jg-header")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    page.close()


def other(notebook: Notebook, name: str, cells: list[Any]) -> Any:
    """A notebook of its own in another window, untrusted: its file was written by nobody that Jupyter knows."""
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "none", "display_name": "none"}
    nbformat.write(book, notebook.path.with_name(name))
    page = notebook.page.context.new_page()
    page.goto(f"{notebook.server.base}/lab/tree/{name}?reset&token={notebook.server.token}")
    page.get_by_role("dialog").get_by_role("button", name="No Kernel").click()
    return page


def saved_trace(source: str, trace: dict[str, Any], **other_forms: str) -> Any:
    """A cell whose output holds a trace."""
    output = nbformat.v4.new_output(
        "display_data", {"application/vnd.jgrad.trace+json": trace, **other_forms}
    )
    return nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1)


def recorded(source: str) -> dict[str, Any]:
    """The document of some lines."""
    with jgrad.trace("some lines") as trace:
        exec(source, {"jgrad": jgrad})
    return trace.document


def in_output(document: str) -> dict[str, Any]:
    return {"document": wire(document), "cursor": -1, "views": ["graph", "storage"], "twin": "aa"}


@pytest.mark.cells(IMPORT, CELL)
def test_the_menu_of_a_name_asks_about_it_in_a_new_cell(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    expect(notebook.cell(1)).to_contain_text("RuntimeError")
    line = notebook.cell(1).locator(".cm-line").nth(1)  # frozen = w.detach()
    entries = notebook.page.locator(".lm-Menu-item:visible")

    def at(column: int) -> None:
        line.click(button="right", position={"x": 5 + 7.8 * column, "y": 8})

    notebook.cell(1).locator(".cm-line").nth(0).click(button="right", position={"x": 60, "y": 8})  # jgrad
    expect(entries.filter(has_text="Cut Cell")).to_be_visible()
    expect(entries.filter(has_text="Storage of")).to_have_count(0)
    notebook.page.keyboard.press("Escape")
    at(11)  # detach: a method
    expect(entries.filter(has_text="Cut Cell")).to_be_visible()
    expect(entries.filter(has_text="Storage of")).to_have_count(0)
    notebook.page.keyboard.press("Escape")
    at(9)
    expect(entries.first).to_have_text(re.compile("Explain w"))
    expect(entries.filter(has_text="Graph of w")).to_be_visible()
    entries.filter(has_text="Storage of w").click()
    # The magics are loaded on the way.
    asked = notebook.cell(2)
    expect(asked.locator(".cm-content")).to_have_text("%storage w")
    expect(asked.locator("[data-view=storage]").first).to_contain_text("storage 1")
    at(2)
    entries.filter(has_text="Explain frozen").click()
    expect(notebook.cell(2).locator(".cm-content")).to_have_text("%why frozen")
    expect(notebook.cell(2).locator(".jp-OutputArea")).to_contain_text("frozen")


@pytest.mark.cells(IMPORT)
def test_the_launcher_opens_the_tutorials_in_their_order(notebook: Notebook) -> None:
    page = notebook.page
    page.evaluate("() => void jupyterapp.commands.execute('launcher:create')")
    page.locator(".jp-LauncherCard", has_text="jgrad Tutorials").click()
    links = page.locator(".jgrad-tutorials a")
    tour = nbformat.read(NOTEBOOKS / "00-tour.ipynb", 4)
    order = ["00-tour.ipynb", *re.findall(r"^\| *\[.*?\]\(([\w-]+\.ipynb)\)", tour.cells[-1].source, re.M)]
    assert [file for _, file in json.loads(TUTORIALS.read_text())] == order
    assert {path.name for path in NOTEBOOKS.glob("*.ipynb")} == set(order)
    expect(links).to_have_count(len(order))
    links.nth(1).click()
    # The kernel's jgrad has copied its tutorials into the folder of the server.
    expect(page.locator(".jp-Notebook:visible h1").first).to_be_visible()
    copies = notebook.path.parent / "jgrad-tutorials"
    assert (copies / order[1]).read_bytes() == cli.shown_first(NOTEBOOKS / order[1])
    # (The next test empties the folder. A notebook that is still loading would complain.)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")


@pytest.mark.cells(IMPORT, CELL, CELL.replace("w", "v"))
def test_cells_that_are_moved_split_merged_and_deleted(notebook: Notebook) -> None:
    cell = traced(notebook)
    expect(notes(cell)).to_have_count(7)
    page = notebook.page
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    cell.locator(".jp-InputPrompt").first.click()
    notebook.menu("Edit", "Move Cell Down")
    moved = notebook.cell(2)
    expect(moved.locator(".cm-line").first).to_have_text("%%trace")
    expect(notes(moved)).to_have_count(7)
    expect(notes(notebook.cell(1))).to_have_count(0)

    # Split: the first part is another cell than the one that ran. Undone, it is the same again.
    moved.locator(".cm-line").nth(3).click()
    notebook.menu("Edit", "Split Cell")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(4)
    expect(page.locator(".jgrad-note")).to_have_count(0)
    expect(page.locator(".jgrad-marked")).to_have_count(0)
    notebook.cell(2).locator(".jp-InputPrompt").first.click()
    notebook.menu("Edit", "Merge Cell Below")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)

    # Deleted while its trace is in the inspector.
    button(notebook, "trace").click()
    again = notebook.cell(2)
    expect(notes(again)).to_have_count(7)
    page.evaluate("() => void jupyterapp.commands.execute('jgrad:open-inspector')")
    expect(page.locator("#jgrad-inspector .jg-header")).to_be_visible()
    notebook.menu("Edit", "Delete Cell")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)
    expect(page.locator(".jgrad-note")).to_have_count(0)
    expect(page.locator("#jgrad-inspector")).to_contain_text("Trace a cell")
    assert problems == []


@pytest.mark.cells(IMPORT, f"{IMPORT}\n{CELL}")
def test_two_notebooks_with_two_kernels_stay_apart(notebook: Notebook) -> None:
    cell = traced(notebook)
    twin = notebook.path.with_name("second.ipynb")
    shutil.copy(notebook.path, twin)
    page = notebook.page
    page.evaluate("() => void jupyterapp.commands.execute('docmanager:open', {path: 'second.ipynb'})")
    second = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell")
    expect(second.nth(1)).to_be_visible()
    expect(second.nth(1).locator(".jgrad-note")).to_have_count(0)
    second.nth(1).locator(".jp-InputPrompt").click()
    page.keyboard.press("Control+Shift+Enter")  # it waits for the kernel
    expect(second.nth(1).locator(".jgrad-note")).to_have_count(7)
    second.nth(1).get_by_role("slider").press("Home")
    expect(second.nth(1).locator(".jgrad-note")).to_have_count(0)
    assert len(notebook.server.get("/api/sessions")) >= 2
    # The first one has stayed where it was.
    page.evaluate("path => void jupyterapp.commands.execute('docmanager:open', {path})", notebook.path.name)
    expect(cell).to_be_visible()
    expect(notes(cell)).to_have_count(7)
    expect(cell.get_by_role("slider")).to_have_value("15")


@pytest.mark.cells(IMPORT)
def test_traces_that_are_hostile_damaged_or_of_another_version_say_one_sentence(notebook: Notebook) -> None:
    document = recorded("jgrad.ones(2, requires_grad=True).sum().backward()")
    newer = {**document, "schema": "jgrad-trace/3"}
    older = {**document, "schema": "jgrad-trace/1"}
    cut = pack(document)[:200]
    holes = {**document, "tensors": [{"id": i} for i in range(len(document["tensors"]))]}
    cells = [
        saved_trace("x", in_output(one))
        for one in (json.dumps(newer), json.dumps(older), cut, json.dumps(holes))
    ]
    cells.append(saved_trace("x", {"document": 3}))
    page = other(notebook, "odd.ipynb", cells)
    shown = page.locator(".jp-Notebook .jp-Cell")
    sentences = (
        "This trace is of a newer jgrad (jgrad-trace/3; these views read jgrad-trace/2); update jgrad.",
        "This trace is of an older jgrad (jgrad-trace/1; these views read jgrad-trace/2); run the cell again.",
        "This is not a trace: it was cut or changed.",
        "This trace is broken.",
    )
    for i, sentence in enumerate(sentences):
        shown.nth(i).scroll_into_view_if_needed()
        expect(shown.nth(i).locator(".jp-OutputArea")).to_contain_text(sentence)
        # What can be read as a trace, but has not the source of this cell, has no notes.
        expect(notes(shown.nth(i))).to_have_text([sentence] if i < 3 else [])
    expect(shown.nth(4)).to_contain_text("This is not a trace of jgrad.")
    page.close()

    # Of twenty traces, those are alive that are in sight or soon will be. A notebook scrolls by itself, within the page.
    cells = [saved_trace("x", in_output(json.dumps(document))) for _ in range(20)]
    page = other(notebook, "twenty.ipynb", cells)
    outputs = page.locator(".jgrad-views")
    expect(outputs).to_have_count(20)
    expect(outputs.first.locator(".jg-header")).to_be_visible()

    def soon_alive() -> None:
        ends = page.locator(".jp-WindowedPanel-outer").evaluate(
            """panel => [panel.getBoundingClientRect().bottom,
              ...[...panel.querySelectorAll(".jgrad-views")].map(v => [v.getBoundingClientRect().top, !!v.querySelector(".jg")])]"""
        )
        bottom, places = ends[0], ends[1:]
        assert all(views for top, views in places if top < bottom + 500)
        assert sum(views for _, views in places) < 10

    eventually(soon_alive)
    page.close()


@pytest.mark.cells(IMPORT)
def test_a_thousand_hostile_texts_stay_text(notebook: Notebook) -> None:
    """In the editor's notes, the views and the inspector, in a notebook that is not trusted."""
    cells = []
    for i, document in enumerate(
        hostile.documents("w = jgrad.ones(2, requires_grad=True)\n(w * w).sum().backward()")
    ):
        cells.append(
            saved_trace(
                "\n".join(document["source"]), {**in_output(hostile.wire_of(document)), "twin": f"a{i}"}
            )
        )
    page = other(notebook, "hostile.ipynb", cells)
    for i in range(len(cells)):
        cell = page.locator(".jp-Notebook .jp-Cell").nth(i)
        cell.scroll_into_view_if_needed()
        expect(cell.locator("section.jg")).to_be_visible()
        for tab in cell.locator("[data-tab]").all():
            tab.evaluate("tab => tab.click()")
        cell.locator(".cm-content").click()
    page.evaluate("() => void jupyterapp.commands.execute('jgrad:open-inspector')")
    expect(page.locator("#jgrad-inspector .jg")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert (
        page.evaluate("document.querySelectorAll('.jg img, .jg script, .jg iframe, .jgrad-note img').length")
        == 0
    )
    page.close()


@pytest.mark.cells(
    "",
    "%%time\nimport jgrad\nw = jgrad.ones(2, requires_grad=True)\nw.sum().backward()",
    "%%html\n<b>bold</b>",
    "print('other')",
    WITHOUT,
)
def test_cells_that_the_button_traces_only_in_part_or_not_at_all(notebook: Notebook) -> None:
    page, said = notebook.page, notebook.page.locator(".Toastify__toast")
    prompts = page.locator(".jp-Notebook .jp-CodeCell .jp-InputPrompt")

    def press(number: int) -> Locator:
        cell = notebook.cell(number)
        cell.locator(".cm-content").click()
        button(notebook, "trace").click()
        return cell

    # An empty cell stays as it is.
    press(0)
    expect(said).to_have_text("This cell is empty: write the code to trace, then trace it.")
    expect(notebook.cell(0).locator(".cm-content")).to_have_text("")
    expect(prompts.first).to_have_text("[ ]:")
    # Another magic goes below %%trace; the magics are loaded on the way. The cell runs, wherever the reader goes meanwhile.
    timed = notebook.cell(1)
    timed.locator(".cm-content").click()
    page.evaluate(
        "() => { jupyterapp.commands.execute('jgrad:trace-cell'); jupyterapp.commands.execute('notebook:move-cursor-down'); }"
    )
    expect(timed).to_contain_text("Wall time")
    expect(timed.locator(".cm-line").first).to_have_text("%%trace")
    expect(notes(timed).first).to_contain_text("leaf")
    markup = press(2)
    expect(markup.locator(".jg-header")).to_contain_text("No tensor operation ran")
    expect(markup.locator(".jg-tab").first).to_be_hidden()
    expect(markup.locator("b").first).to_have_text("bold")
    expect(prompts.nth(3)).to_have_text("[ ]:")
    # Of several cells that are selected, the active one.
    notebook.cell(1).locator(".jp-InputPrompt").first.click()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Control+Shift+Enter")
    expect(prompts.nth(3)).to_have_text(re.compile(r"\[3\]"))
    expect(notebook.cell(3).locator(".cm-line").first).to_have_text("%%trace")
    # Markdown is not traced.
    notebook.cell(2).locator(".jp-InputPrompt").first.click()
    page.keyboard.press("m")
    assert page.evaluate("jupyterapp.commands.isEnabled('jgrad:trace-cell')") is False
    # A kernel in which jgrad is not installed, and no kernel.
    notebook.cell(4).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(notebook.cell(4)).to_contain_text("jgrad is gone")
    press(3)
    expect(said.last).to_have_text(
        "This kernel can't load jgrad (ModuleNotFoundError: No module named 'jgrad'): install jgrad in its environment."
    )
    page.evaluate("() => void jupyterapp.commands.execute('kernelmenu:shutdown')")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    press(3)
    expect(said.last).to_have_text("This notebook has no kernel: choose one, then try again.")


@pytest.mark.cells(
    "import jgrad, pathlib\nw = jgrad.ones(2, requires_grad=True)\nwhile not pathlib.Path('go').exists(): pass\nw.sum().backward()"
)
def test_a_cell_that_is_edited_while_it_runs_and_a_kernel_that_is_restarted(notebook: Notebook) -> None:
    cell, page = notebook.cell(0), notebook.page
    cell.locator(".cm-content").click()
    button(notebook, "trace").click()
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[*]:")
    cell.locator(".cm-line").last.click()
    page.keyboard.press("End")
    page.keyboard.type("  # edited")
    notebook.path.with_name("go").write_text("")
    expect(cell.locator(ALIVE).locator(".jg-header")).to_contain_text("w.grad is [1., 1.]")
    # The notes are about the source that ran.
    expect(notes(cell)).to_have_count(0)
    page.evaluate("() => void jupyterapp.commands.execute('notebook:restart-kernel')")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    # The views need no kernel; traced anew, the new kernel has the magics.
    cell.get_by_role("slider").press("Home")
    expect(cell.locator(".jg-header")).to_contain_text("Before the first step.")
    cell.locator(".cm-content").click()
    button(notebook, "trace").click()
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[1]:")
    expect(notes(cell)).to_have_count(2)
    expect(notes(cell).last).to_have_text("w.grad [1., 1.]")
