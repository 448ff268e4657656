"""Views for everybody: what axe-core finds, and the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Notebook, eventually
from tests.browser.test_lab import LOAD, SLICES, TRACED, Trace

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


# A map forward and, below it, backward.
BOTH_WAYS = """\
%%trace --name kept --view scatter,timeline
source = jgrad.arange(10.0).view(2, 5).requires_grad_()
result = jgrad.zeros(3, 5).scatter_add(0, jgrad.tensor([[0, 1, 2, 0, 0], [2, 0, 0, 1, 2]]), source)
result.sum().backward()"""
CUT = """\
%%trace --name cut --no-show
source = jgrad.arange(10.0).view(2, 5).requires_grad_()
result = jgrad.zeros(3, 5).scatter_add(0, jgrad.tensor([[0, 1, 2, 0, 0], [2, 0, 0, 1, 2]]), source.detach())
result.sum()"""
EVERY_VIEW = {1: "accumulation", 2: "scatter", 3: "scatter", 5: "compare"}


@pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: npm ci")
@pytest.mark.cells(LOAD, TRACED, SLICES, BOTH_WAYS, CUT, "%compare kept cut")
def test_axe_finds_nothing_serious(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    for cell, view in EVERY_VIEW.items():
        expect(Trace(notebook, cell).view(view)).to_be_visible()
    for cell in EVERY_VIEW:
        Trace(notebook, cell).root.locator("summary").evaluate_all("all => all.forEach((one) => one.click())")
    Trace(notebook, 1).slider.press("?")
    expect(Trace(notebook, 3).view("scatter")).to_contain_text("grad_source[i][j] = grad[index[i][j]][j]")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str("Light" in theme).lower())
        for table in (False, True):
            if table:
                for cell in EVERY_VIEW:
                    Trace(notebook, cell).slider.press("t")
            found = page.evaluate("() => axe.run('section.jg')")
            assert found["passes"]
            serious = [
                f"{v['id']}: {v['help']}: {node['html'][:200]}"
                for v in found["violations"]
                if v["impact"] in ("serious", "critical")
                for node in v["nodes"][:3]
            ]
            assert serious == []
        for cell in EVERY_VIEW:
            Trace(notebook, cell).slider.press("t")


@pytest.mark.cells(LOAD, TRACED)
def test_the_keyboard_alone_is_enough(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    expect(trace.view("storage")).to_be_visible()
    notebook.has_ended()
    trace.slider.focus()
    page.keyboard.press("Home")
    trace.at(0)
    page.keyboard.press("ArrowRight")
    trace.at(1)
    page.keyboard.press("End")

    def press(key: str) -> None:
        """Press a key, and wait until what it changes is drawn."""
        page.keyboard.press(key)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    # From the slider to the tabs, of which the arrow keys choose one, and on to its drawing: a dozen stops at most.
    for _ in range(12):
        if page.evaluate("document.activeElement.matches('[role=tab]')"):
            break
        press("Tab")
    for _ in range(4):
        if page.evaluate("document.activeElement.dataset.tab === 'storage'"):
            break
        press("ArrowRight")
    for _ in range(12):
        if page.evaluate("document.activeElement.matches('[data-view=storage] .jg-scroll')"):
            break
        press("Tab")
    press("Enter")
    for _ in range(40):
        if re.match(r"w \[3\]", page.evaluate("document.activeElement.getAttribute('aria-label')") or ""):
            break
        press("ArrowDown")
    page.keyboard.press("Enter")
    for view in ("timeline", "storage"):
        expect(trace.lit(view).first).to_be_attached()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(trace.root.locator(".jg-lit")).to_have_count(0)
    # Out of the views, with none of their keys lost to the notebook's.
    expect(notebook.cell(1)).to_be_visible()
    assert page.locator(".jp-Notebook .jp-Cell").count() == 2


# The contrast of each text of the drawings with the ground of its pane; what is to come or gone is dim on purpose.
CONTRASTS = """() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const light = (rgb) => {
        const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll(".jg-scene text:not(.jg-later, .jg-gone)")].map((text) => {
        const ground = channels(getComputedStyle(text.closest(".jg-pane")).backgroundColor);
        const [r, g, b, a = 1] = channels(getComputedStyle(text).fill);
        const over = [r, g, b].map((c, i) => a * c + (1 - a) * ground[i]);
        const [low, high] = [light(over), light(ground)].sort((x, y) => x - y);
        return [(high + 0.05) / (low + 0.05), text.textContent];
    });
}"""


@pytest.mark.cells(LOAD, TRACED)
def test_every_text_stands_out_from_its_ground(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    expect(trace.view("accumulation")).to_be_visible()
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.command("apputils:change-theme", theme=theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str("Light" in theme).lower())
        for forced, scheme in (("none", "light"), ("active", "light"), ("active", "dark")):
            page.emulate_media(forced_colors=forced, color_scheme=scheme)
            found = []
            for view in ("timeline", "accumulation", "graph", "storage"):
                expect(trace.view(view)).to_be_visible()
                found += page.evaluate(CONTRASTS)
            assert len(found) > 30
            assert [pair for pair in found if pair[0] < 4.5] == [], (theme, forced, scheme)


def nothing_sticks_out(root: Locator) -> None:
    sizes = root.evaluate("(root) => [root.scrollWidth, root.clientWidth]")
    assert sizes[0] <= sizes[1]
    outside = root.evaluate(
        "(root) => [...root.querySelectorAll('.jg-pane, div.jg-bar, .jg-button:not([hidden])')].filter((one) =>"
        " one.getBoundingClientRect().right > root.getBoundingClientRect().right + 1).map((one) => one.outerHTML.slice(0, 99))"
    )
    assert outside == []


@pytest.mark.cells(LOAD, TRACED)
def test_nothing_sticks_out_of_a_narrow_pane_or_a_projector(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 1)
    expect(trace.view("accumulation")).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})
    for width in ("100%", "460px", "300px"):
        trace.root.evaluate("(root, width) => { root.parentElement.style.width = width }", width)
        for _ in range(3):
            page.keyboard.press("t")  # the tables too
            eventually(lambda: nothing_sticks_out(trace.root))


WHERE = """(root) => [...root.querySelectorAll(".jg-scroll")].map((one) => one.getBoundingClientRect())
    .flatMap(({ left, top, width, height }) => [left, top, width, height].map(Math.round))"""


@pytest.mark.cells(LOAD, TRACED, BOTH_WAYS)
def test_nothing_on_the_page_moves_while_one_steps(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    for cell, width, panes in ((1, 1400, 2), (2, 1400, 2), (1, 1024, 1)):
        page.set_viewport_size({"width": width, "height": 768})
        trace = Trace(notebook, cell)
        # The timeline, if there is room, and a view.
        expect(trace.root.locator(".jg-scroll")).to_have_count(panes)
        notebook.has_ended()
        trace.slider.focus()
        end = int(trace.slider.get_attribute("max") or 0)
        # Where a moment needs more room than the end, the sentence or a pane grows, and keeps it.
        for step in range(end, -1, -1):
            trace.at(step)
            # A step is drawn with the next frame, and on a busy machine several steps with one.
            page.evaluate(
                "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
            )
            page.keyboard.press("ArrowLeft")
        places = []
        for step in range(end + 1):
            trace.at(step)
            place = trace.root.evaluate(WHERE)
            if places and place != places[0]:  # on a busy machine the page is not laid out anew at once
                page.wait_for_timeout(500)
                place = trace.root.evaluate(WHERE)
            places.append(place)
            page.keyboard.press("ArrowRight")
        assert len(places[0]) == 4 * panes
        assert {step: place for step, place in enumerate(places) if place != places[0]} == {}, (
            cell,
            width,
            places[0],
        )
