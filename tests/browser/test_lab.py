"""What a reader does with a traced notebook, in a real JupyterLab: run it, step, point, change the theme, save, and open it again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Notebook

LOAD = "%load_ext jgrad\nimport jgrad"
TRACED = """\
%%trace
w = jgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
frozen = w.detach()
copied = w.clone()
copied[0] = 10.0
(copied * 2).sum().backward()
(w * 3).sum().backward()
print(w.grad)"""
GRAD = """\
x, w = jgrad.tensor(2.0), jgrad.tensor(1.0)
%grad (x + w) * (w + 1) wrt w"""
SCATTER = """\
%%trace --view scatter
source = jgrad.arange(1.0, 11.0).view(2, 5)
target = jgrad.zeros(3, 5).scatter_(0, jgrad.tensor([[0, 1, 2, 0]]), source)"""


# The views of a widget, not those that the extension makes of a saved trace where no widget is.
ALIVE = "section.jg:not([data-jgrad-twin] section)"

SLICES = """\
%%trace --view scatter
source = jgrad.arange(24.0).view(2, 3, 4)
target = jgrad.zeros(2, 3, 4).scatter_(1, jgrad.zeros(2, 3, 4, dtype=jgrad.int64), source)"""


class Trace:
    """The live views under one cell."""

    def __init__(self, notebook: Notebook, cell: int) -> None:
        self.page = notebook.page
        self.root = notebook.cell(cell).locator(ALIVE)
        self.slider = self.root.get_by_role("slider")
        self.twin = notebook.cell(cell).locator("[data-jgrad-twin]")

    def view(self, name: str) -> Locator:
        """A view. If it is not on the screen its tab is chosen; the focus stays where it was."""
        chosen(self.root, name)
        return self.root.locator(f"figure[data-view={name}]")

    def says(self, view: str, label: str) -> Locator:
        """What a view says of something, as a screen reader would read it."""
        return self.view(view).get_by_label(re.compile(label)).first

    def lit(self, view: str) -> Locator:
        return self.view(view).locator(".jg-lit")

    def at(self, step: int) -> None:
        expect(self.root).to_contain_text(re.compile(rf"step {step:,} of [\d,]+"))
        expect(self.slider).to_have_value(str(step))


def chosen(root: Locator, name: str) -> None:
    """Choose the tab of a view, if it has one."""
    expect(root.locator(".jg-pane").first).to_be_visible()
    # In one go: once the widget knows how wide it is, the timeline stands beside the view and is no tab any more.
    root.evaluate("(root, name) => root.querySelector(`[data-tab=${name}]`)?.click()", name)


def luminance(element: Locator, name: str) -> float:
    """From 0, black, to 255, white: of a colour of the element's style."""
    color = element.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", color)[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue


def outputs(saved: Any, cell: int, mime: str) -> list[str]:
    return [output.data[mime] for output in saved.cells[cell].outputs if mime in output.get("data", {})]


@pytest.mark.cells(LOAD, TRACED, GRAD, SCATTER)
def test_a_reader_of_a_traced_notebook(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)

    # Everything the cell did, at the last step.
    expect(notebook.cell(1)).to_contain_text("tensor([3., 5., 5.])")
    expect(trace.root).to_be_visible()
    for line in TRACED.splitlines()[1:]:
        expect(trace.says("timeline", rf"^line \d+: {re.escape(line)}")).to_be_visible()
    expect(trace.says("storage", r"^w \[3\] float32, storage 1, leaf, collects \.grad")).to_be_visible()
    expect(trace.says("storage", r"^frozen \[3\] float32, storage 1\b.*\bdetach of w\b")).to_be_visible()
    expect(trace.says("storage", r"^copied \[3\] float32, storage 2, non-leaf.*\bversion 1$")).to_be_visible()
    expect(trace.says("graph", r"^w \[3\].* leaf, collects \.grad")).to_be_visible()
    expect(trace.says("graph", r"^CloneBackward0")).to_be_visible()
    expect(trace.says("graph", r"^MulBackward0")).to_be_visible()
    for backward, total in ((1, "[0., 2., 2.]"), (2, "[3., 5., 5.]")):
        expect(trace.view("accumulation")).to_contain_text(f"backward {backward}")
        expect(trace.view("accumulation")).to_contain_text(total)

    # Stepping: the slider to the start, arrow keys to the write and past it, and a jump to the next backward().
    notebook.has_ended()
    trace.slider.focus()
    page.keyboard.press("Home")
    trace.at(0)
    expect(trace.view("storage").locator("[data-k~='t0']")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    trace.at(1)
    expect(trace.says("storage", r"^w \[3\]")).to_be_visible()
    expect(trace.says("storage", r"^frozen")).to_have_count(0)
    page.keyboard.press("w")
    expect(trace.root).to_contain_text(re.compile(r"wrote 1 element of storage 2; version 0 to 1"))
    expect(trace.view("storage").locator(".jg-write.jg-now").first).to_be_visible()
    expect(
        trace.says("storage", r"^copied\[0\] is 10\., element 0 of storage 2, it was 1\.$")
    ).to_be_visible()
    write = int(trace.slider.input_value())
    page.keyboard.press("ArrowLeft")
    trace.at(write - 1)
    expect(trace.says("storage", r"^copied\[0\] is 1\., element 0 of storage 2$")).to_be_visible()
    page.keyboard.press("b")
    expect(trace.root).to_contain_text("backward 1 starts")
    trace.slider.fill(str(write))
    trace.at(write)
    page.keyboard.press("End")

    # Pointing at w in the storage map lights it up in every view, and nothing else stays lit.
    trace.says("storage", r"^w \[3\]").locator(".jg-chip").first.hover(position={"x": 2, "y": 9})
    for view in ("timeline", "storage"):
        expect(trace.lit(view).first).to_be_attached()
        keys = [item.evaluate("(lit) => lit.closest('[data-k]').dataset.k") for item in trace.lit(view).all()]
        assert all("t0" in k.split() for k in keys)
    page.mouse.move(0, 0)
    expect(trace.root.locator(".jg-lit")).to_have_count(0)

    # %grad: 5, along two paths.
    grad = notebook.cell(2)
    expect(grad).to_contain_text(re.compile(r"\b5\b"))
    expect(Trace(notebook, 2).says("graph", r"^MulBackward0")).to_be_visible()

    # scatter_: pointing at a source cell shows its index, where it went, and the rule with its own numbers.
    scatter = Trace(notebook, 3)
    scatter.says("scatter", r"^source\[0\]\[2\] is 3").hover(position={"x": 3, "y": 3})
    expect(scatter.lit("scatter").and_(scatter.says("scatter", r"^index\[0\]\[2\] is 2"))).to_be_visible()
    # Before, after.
    expect(scatter.view("scatter").locator(".jg-lit[aria-label^='target[2][2] is']")).to_have_count(2)
    expect(scatter.lit("scatter").and_(scatter.says("scatter", r"^target\[2\]\[2\] is 3"))).to_be_visible()
    rule = "target[index[0][2]][2] = source[0][2] = 3., at target[2][2]"
    expect(
        scatter.lit("scatter").and_(scatter.view("scatter").get_by_label(rule, exact=True))
    ).to_be_attached()
    scatter.says("scatter", r"^target\[2\]\[2\] is 3").hover(position={"x": 28, "y": 20})
    expect(scatter.root.get_by_role("tooltip")).to_contain_text(rule)

    # Dark and light.
    title = trace.view("graph").locator("svg.jg-scene text").first
    expect(title).to_be_visible()
    for theme, light in (("JupyterLab Dark", "false"), ("JupyterLab Light", "true")):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        difference = luminance(title, "fill") - luminance(trace.root, "backgroundColor")
        assert difference < -60 if light == "true" else difference > 60

    # The static twin: hidden by the live widget, and in the saved notebook. When no widget lives any more, the extension makes live views of it.
    # (Where no extension is, its pictures are seen: test_notebook7.py.)
    expect(trace.twin).to_be_attached()
    expect(trace.twin).to_be_hidden()
    end = int(trace.slider.input_value())
    saved = notebook.saved()
    assert "widgets" not in saved.metadata
    (twin,) = outputs(saved, 1, "text/html")
    assert twin.count("data:image/svg+xml,") == 1
    assert "w.grad" in outputs(saved, 1, "text/plain")[0]
    for session in notebook.server.get("/api/sessions"):
        notebook.server.delete(f"/api/sessions/{session['id']}")
    notebook.open()
    expect(trace.twin.locator("section.jg")).to_be_visible()
    expect(trace.root).to_have_count(0)
    slider = trace.twin.get_by_role("slider")
    expect(slider).to_have_value(str(end))
    slider.press("ArrowLeft")
    expect(trace.twin).to_contain_text(re.compile(rf"step {end - 1} of {end}"))
    expect(notebook.cell(1).locator(".jupyter-widgets")).to_be_hidden()


@pytest.mark.cells(LOAD, SLICES)
def test_a_slice_is_picked_with_the_keyboard(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    view = trace.view("scatter")
    first, second = (
        view.get_by_label(re.compile(r"^source\[0\]")),
        view.get_by_label(re.compile(r"^source\[1\]")),
    )
    expect(first).to_have_count(12)
    step = trace.slider.input_value()
    picker = trace.root.get_by_label("choice", exact=True)
    picker.focus()
    notebook.page.keyboard.press("ArrowDown")
    expect(second).to_have_count(0)
    notebook.page.keyboard.press("ArrowDown")
    expect(first).to_have_count(0)
    expect(second).to_have_count(12)
    expect(picker).to_have_value("[1]")
    assert trace.slider.input_value() == step
    notebook.has_ended()
    trace.slider.focus()
    notebook.page.keyboard.press("Home")
    expect(picker).to_be_hidden()
