"""Two trainings over each other, in Chromium: the slider goes from round to round, and so do both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

import jgrad
from jgrad.tracing.document.packing import pack
from jgrad.views.page import PAGE, alive, key_of, place
from jgrad.views.transport import wire

playwright = pytest.importorskip("playwright.sync_api")
ROUNDS = 300  # most of them are not kept


def trained(name: str, rate: float) -> jgrad.trace.Trace:
    w = jgrad.ones(2, requires_grad=True)
    opt = jgrad.optim.SGD([w], lr=rate)
    with jgrad.trace(name) as t:
        for _ in range(ROUNDS):
            opt.zero_grad()
            loss = (w * w).sum()
            loss.backward()
            opt.step()
    return t


@pytest.fixture
def window(chromium, tmp_path: Path):
    found = jgrad.trace.compare(trained("slow", 0.001), trained("quick", 0.01))
    sent = wire(pack(found.document()))
    trait = {"document": sent, "cursor": found.opens, "views": [*found.views], "twin": ""}
    key = key_of(sent)
    page = tmp_path / "both.html"
    page.write_text(alive(PAGE.format(title="both", body=place(trait, "", key)), key), encoding="utf-8")
    context = chromium.new_context(offline=True, viewport={"width": 1440, "height": 900})
    window = context.new_page()
    window.goto(page.as_uri())
    return window


def test_both_sides_show_the_round_of_the_slider(window) -> None:
    playwright.expect(window.locator(".jg-headline")).to_have_text(
        "The losses part in round 2: 1.99 in slow, 1.92 in quick."
    )
    # Names stand at the curves.
    for name in ("━ slow", "┅ quick"):
        playwright.expect(window.locator("[data-view=compare] text", has_text=name)).to_have_count(1)
    flags = window.locator("[data-view=training] .jg-onflag")
    playwright.expect(flags).to_have_text(["round 2", "round 2"])
    slider = window.locator("input[type=range]")
    slider.fill("150")  # of a round whose steps were not kept
    playwright.expect(flags).to_have_text(["round 150", "round 150"])
    playwright.expect(window.locator(".jg-sentence")).to_contain_text("Round 150: loss ")
    # A round that is picked on one side is shown on both.
    axis = window.locator("[data-view=training] rect.jg-outline").first.bounding_box()
    window.mouse.click(axis["x"] + axis["width"] * 0.25, axis["y"] + 5)
    playwright.expect(flags).to_have_text(["round 75", "round 75"])
    playwright.expect(slider).to_have_value("75")
    # So is one of the list of differences.
    window.locator("[data-view=compare] text", has_text="round 300").first.click()
    playwright.expect(flags).to_have_text(["round 300", "round 300"])
