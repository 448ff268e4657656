"""The training view in a real JupyterLab: it grows while the loop runs; arrow keys, clicks and the chip go through the rounds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import LOAD, Trace
from tests.browser.test_live import WAIT

LOOP = """\
%%trace
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.001)
rounds = 0
while not go.exists():
    optimizer.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    optimizer.step()
    rounds += 1
    time.sleep(0.02)
print("done after", rounds)"""
FLAG = "section.jg .jg-pane-training .jg-onflag"
NUMBER = f"Number(document.querySelector('{FLAG}')?.textContent.replace(/[^0-9]/g, ''))"


def shown(page: Page) -> int:
    """The round at which the flag stands, as soon as it is drawn."""
    expect(page.locator(FLAG)).to_be_visible()
    return int(page.evaluate(NUMBER))


@pytest.mark.cells(LOAD, WAIT, LOOP)
def test_rounds_of_a_loop(notebook: Notebook) -> None:
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    trace = Trace(notebook, 2)
    # It is in front from the beginning only where the first picture has some rounds already.
    trace.root.get_by_role("tab", name="Training").click()
    expect(trace.view("training")).to_be_visible()
    expect(notebook.cell(2)).to_contain_text("[*]")
    first = shown(page)
    page.wait_for_function(f"first => {NUMBER} > first + 20", arg=first)

    notebook.path.with_name("go").touch()
    done = re.compile(r"done after (\d+)")
    expect(notebook.cell(2)).to_contain_text(done)
    found = done.search(notebook.cell(2).inner_text())
    assert found is not None
    last = int(found[1])  # the view shows it once the finished trace has arrived
    expect(trace.twin).to_be_hidden()
    page.wait_for_function(
        f"n => {NUMBER} === n && !document.querySelector('section.jg').textContent.includes('now running')",
        arg=last,
    )
    pane = trace.view("training")
    pane.locator(".jg-scroll").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"n => {NUMBER} === n", arg=last - 1)

    # A click into the heat map chooses a round; its chip goes to the first of its steps.
    box = pane.locator("rect.jg-outline").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 1, box["y"] + 8)
    page.wait_for_function(f"() => {NUMBER} === 1")
    pane.locator("rect.jg-open").click()
    expect(trace.root).to_contain_text("step 1 of")
