"""The answers of `%why` in a real JupyterLab: they wrap, their lines move the trace, their code can be copied, and they are saved without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Notebook, eventually
from tests.browser.test_lab import LOAD, Trace, outputs

FAILS = """\
%%trace --name saved
y = jgrad.ones(3, requires_grad=True).exp()
z = y * y
y.mul_(2)
z.sum().backward()"""
LONG = """\
%%trace --name long
a_rather_long_name_of_a_tensor_that_needs_room = jgrad.ones(3, requires_grad=True)
h = a_rather_long_name_of_a_tensor_that_needs_room * 2
h.sum().backward()"""


class Answer:
    """The answer under one cell."""

    def __init__(self, notebook: Notebook, cell: int) -> None:
        self.all = notebook.cell(cell).locator(".jgrad-why")
        self.live = notebook.cell(cell).locator(".jgrad-why:not([data-jgrad-answer])")
        self.static = notebook.cell(cell).locator("[data-jgrad-answer]")

    def line(self, text: str) -> Locator:
        return self.live.get_by_role("button", name=text, exact=True)


def run(notebook: Notebook, cell: int) -> None:
    """Run a cell, and wait until it is done."""
    prompt = notebook.cell(cell).locator(".jp-InputPrompt")
    before = prompt.inner_text()
    notebook.cell(cell).locator(".cm-content").click()
    notebook.page.keyboard.press("Control+Enter")
    expect(prompt).not_to_have_text(before)
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))


@pytest.mark.cells(LOAD, FAILS, "%why", LONG, "%why h.grad", "%why 'no such grad'")
def test_the_lines_of_an_answer_move_the_trace(notebook: Notebook) -> None:
    page = notebook.page
    for cell in range(3):
        run(notebook, cell)
    trace, answer = Trace(notebook, 1), Answer(notebook, 2)
    expect(answer.live).to_contain_text(
        "line 3 saved y at version 0 for MulBackward0, and line 4 (y.mul_(2)) then"
    )
    expect(answer.static).to_be_hidden()
    end = int(trace.slider.get_attribute("max") or 0)
    trace.at(end)
    answer.line("line 3").click()
    trace.at(3)  # ones, exp, mul
    expect(trace.slider).to_be_focused()
    answer.line("line 4").click()
    trace.at(4)
    page.keyboard.press("ArrowLeft")
    trace.at(3)
    answer.line("line 4").focus()
    page.keyboard.press("Enter")  # the keyboard does what the mouse does
    trace.at(4)

    # The kernel knows where the slider is, and the answer of another trace moves its own trace.
    for cell in (3, 4):
        run(notebook, cell)
    other = Answer(notebook, 4)
    other.line("line 3").click()
    Trace(notebook, 3).at(2)
    trace.at(4)

    # The code of the repair is one block, which a click selects.
    block = other.live.locator("pre")
    expect(block).to_have_text("h.retain_grad()")
    block.click()
    assert page.evaluate("getSelection().toString().trim()") == "h.retain_grad()"

    # A trace that is gone: its lines are text, and the answer says so.
    run(notebook, 1)
    expect(trace.root).to_be_visible()
    expect(answer.live).to_contain_text("This is about an earlier run of the cell")
    expect(answer.line("line 3")).to_have_count(0)
    expect(answer.live).to_contain_text("line 3 saved y")

    # Saved: HTML without a script.
    saved = notebook.saved()
    [text], [html] = outputs(saved, 2, "text/plain"), outputs(saved, 2, "text/html")
    assert text.startswith("line 3 saved y at version 0")
    assert "<script" not in html
    assert "<p>line 3 saved <" in html or "<p>line 3 saved y" in html


@pytest.mark.cells(LOAD, FAILS.replace("saved", "saved --no-show"), "%why")
def test_a_link_opens_a_trace_that_nobody_displayed(notebook: Notebook) -> None:
    for cell in range(3):
        run(notebook, cell)
    answer = Answer(notebook, 2)
    expect(notebook.cell(1).locator(".jg-root")).to_have_count(0)
    answer.line("line 3").click()
    opened = Trace(notebook, 2)
    opened.at(3)
    answer.line("line 4").click()
    opened.at(4)
    expect(opened.slider).to_be_focused()
    expect(opened.root).to_have_count(1)


@pytest.mark.cells(LOAD, LONG, "%why h.grad", "%why " + "a_rather_long_name_of_a_tensor_that_needs_room")
def test_an_answer_wraps_in_both_themes(notebook: Notebook) -> None:
    page = notebook.page
    for cell in range(4):
        run(notebook, cell)
    answers = [Answer(notebook, cell) for cell in (2, 3)]
    for answer in answers:
        expect(answer.live).to_be_visible()
    page.set_viewport_size({"width": 700, "height": 800})
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str("Light" in theme).lower())
        for answer in answers:
            style = "one => { const s = getComputedStyle(one); return [s.fontSize, one.scrollWidth <= one.clientWidth] }"
            eventually(lambda live=answer.live, style=style: _has(live, style, ["14px", True]))
            contrast = answer.live.evaluate(CONTRAST)
            assert min(contrast) >= 4.5, (theme, contrast)


def _has(root: Locator, script: str, expected: list) -> None:
    assert root.evaluate(script) == expected


# The contrast of each text with what is behind it.
CONTRAST = """(root) => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const light = (rgb) => {
        const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (one) => {
        const color = getComputedStyle(one).backgroundColor;
        return /^rgba\\(.*, 0\\)$/.test(color) && one.parentElement ? ground(one.parentElement) : channels(color).slice(0, 3);
    };
    return [...root.querySelectorAll("p, code, pre, button")].map((one) => {
        const [low, high] = [light(channels(getComputedStyle(one).color).slice(0, 3)), light(ground(one))].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    });
}"""
