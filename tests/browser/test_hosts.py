"""The widget where no JupyterLab is: a page that does what VS Code, Colab and marimo do with an anywidget, and no more than that.

The page imports the module's text anew for every widget, gives it an element and a model of get, set, on, off and save_changes, and forbids
by its Content-Security-Policy what those hosts may forbid: code from strings, inline scripts, connections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from jgrad.views.transport import STATIC, wire
from tests.browser.conftest import PATIENCE
from tests.document.test_hostile import HOSTILE
from tests.document.test_hostile import documents as hostile_documents

DOCUMENTS = Path(__file__).parents[1] / "fixtures" / "documents"
POLICY = "default-src 'none'; script-src blob: 'nonce-host'; style-src 'unsafe-inline'; img-src data:"
HOST = """<!doctype html><html lang="en"><title>A host</title>
<style>%s</style>
<div id="outputs"></div>
<script type="module" nonce="host">
const text = %s;
const models = {};
const disposers = {};
function model(name, traits) {
  const listeners = new Map();
  models[name] = {
    get: (key) => traits[key],
    set(key, value) {
      if (traits[key] !== value) {
        traits[key] = value;
        for (const react of [...(listeners.get(`change:${key}`) ?? [])]) react();
      }
    },
    on: (event, react) => listeners.set(event, [...(listeners.get(event) ?? []), react]),
    off: (event, react) => listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== react)),
    save_changes() { window.saves += 1; },
  };
}
async function show(name, output, shadow) {
  const el = document.createElement("div");
  el.id = output;
  document.getElementById("outputs").append(el);
  const place = shadow ? el.attachShadow({ mode: "open" }).appendChild(document.createElement("div")) : el;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  URL.revokeObjectURL(url);
  const given = typeof widget === "function" ? await widget() : widget;
  await given.initialize?.({ model: models[name] });
  disposers[output] = await given.render({ model: models[name], el: place });
}
function hide(output) {
  disposers[output]();
  document.getElementById(output).remove();
}
Object.assign(window, { saves: 0, host: { model, show, hide, models } });
</script></html>"""


class Host:
    """A page with outputs, of which each may show a widget."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.mistakes: list[str] = []
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on(
            "console",
            lambda said: self.mistakes.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.on("dialog", lambda dialog: (self.mistakes.append(dialog.message), dialog.dismiss()))

    def model(self, name: str, document: dict[str, Any] | str, **traits: Any) -> None:
        text = document if isinstance(document, str) else wire(json.dumps(document))
        given = {"document": text, "cursor": -1, "views": [], "twin": "", **traits}
        self.page.evaluate("([name, traits]) => host.model(name, traits)", [name, given])

    def show(self, name: str, output: str, shadow: bool = False) -> Locator:
        self.page.evaluate("args => host.show(...args)", [name, output, shadow])
        return self.page.locator(f"#{output}").locator("section.jg")

    def trait(self, name: str, key: str) -> Any:
        return self.page.evaluate("([name, key]) => host.models[name].get(key)", [name, key])


@pytest.fixture
def host(chromium: Browser) -> Iterator[Host]:
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page = context.new_page()
    module, style = ((STATIC / f"jgrad.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    body = HOST % (style, json.dumps(module).replace("</", "<\\/"))

    def answer(route: Route) -> None:
        route.fulfill(
            body=body, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY}
        )

    page.route("**/*", answer)
    made = Host(page)
    page.goto("http://a-host.test/")
    page.wait_for_function("() => window.host")
    yield made
    context.close()


def document(name: str) -> dict[str, Any]:
    return json.loads((DOCUMENTS / f"{name}.json").read_text(encoding="utf-8"))


def at(widget: Locator, step: int) -> None:
    expect(widget).to_contain_text(re.compile(rf"step {step:,} of [\d,]+"))


def test_a_widget_shown_twice_stays_in_step_and_leaves_nothing(host: Host) -> None:
    before = host.page.evaluate("() => Object.keys(window).sort()")
    steps = len(document("training")["steps"])
    host.page.evaluate(
        "() => { document.body.insertAdjacentHTML('afterbegin', '<p data-jgrad-twin=\"pair\">its twin</p>'); }"
    )
    host.model("trace", document("training"), twin="pair")
    host.model("other", document("sharing"))
    first, second, other = host.show("trace", "a"), host.show("trace", "b"), host.show("other", "c")
    twin = host.page.locator("[data-jgrad-twin]")
    for widget in (first, second):
        at(widget, steps)
    expect(twin).to_be_hidden()

    # Two copies of the module, one model: a step in one is a step in the other, and another trace stays where it is.
    first.get_by_role("slider").press("Home")
    at(second, 0)
    at(first, 0)
    second.get_by_role("slider").press("ArrowRight")
    at(first, 1)
    assert host.trait("trace", "cursor") == 1
    assert host.page.evaluate("() => window.saves") == 2
    at(other, len(document("sharing")["steps"]))

    # A new document reaches both.
    host.page.evaluate(
        "text => host.models.trace.set('document', text)", wire(json.dumps(document("sharing")))
    )
    for widget in (first, second):
        expect(widget).to_have_attribute("aria-label", re.compile("sharing"))

    # One output is closed, the other lives on; after the last the twin is back, and nothing listens any more.
    host.page.evaluate("() => host.hide('a')")
    expect(first).to_have_count(0)
    second.get_by_role("slider").press("End")
    at(second, len(document("sharing")["steps"]))
    expect(twin).to_be_hidden()
    host.page.evaluate("() => host.hide('b')")
    expect(twin).to_be_visible()
    host.page.evaluate("() => host.models.trace.set('cursor', 0)")
    assert host.page.evaluate("() => Object.keys(window).sort()") == before
    assert host.mistakes == []


def test_it_works_in_a_shadow_root(host: Host) -> None:
    host.model("trace", document("paths"), views=["graph", "accumulation"])
    widget = host.show("trace", "a", shadow=True)
    at(widget, len(document("paths")["steps"]))
    slider = widget.get_by_role("slider")
    slider.press("Home")
    at(widget, 0)
    slider.press("End")
    graph = widget.locator("figure[data-view=graph]")
    graph.locator("[data-k]").first.hover()
    expect(widget.locator(".jg-lit").first).to_be_attached()
    assert host.mistakes == []


def test_hostile_documents_stay_text(host: Host) -> None:
    (_, recorded), (_, loaded) = hostile_documents()
    host.model("trace", recorded, twin=f'"]{HOSTILE}')
    widget = host.show("trace", "a")
    for hostile in (recorded, loaded):
        host.page.evaluate("text => host.models.trace.set('document', text)", json.dumps(hostile))
        at(widget, len(hostile["steps"]))
        widget.get_by_role("tab", name="Graph").click()
        expect(widget.locator("figure[data-view=graph] svg.jg-scene")).to_contain_text("<img")
        for cursor in range(len(hostile["steps"])):
            host.page.evaluate("cursor => host.models.trace.set('cursor', cursor)", cursor)
            at(widget, cursor)
        host.page.evaluate("() => host.models.trace.set('cursor', -1)")
        widget.get_by_role("slider").press("t")  # the same as tables
        expect(widget.locator("table").first).to_be_visible()
        widget.get_by_role("slider").press("t")
        widget.get_by_role("tab", name="Storage").click()
        widget.locator("figure[data-view=storage] [data-k]").first.hover()
        expect(widget.locator("script, img, iframe, a, foreignObject")).to_have_count(0)
        assert host.page.evaluate("() => [...document.querySelectorAll('section.jg *')].flatMap((e) => e.getAttributeNames())"
                                  ".filter((name) => name.startsWith('on') || name.includes('href'))") == []  # fmt: skip
    assert host.mistakes == []


@pytest.mark.parametrize(
    "text",
    ["", "{}", "null", "[]", "<script>alert(1)</script>", '{"schema": "other/1"}', '{"schema": "jgrad-trace/2"}', "deflate:%%%", "deflate:AAAA"],
    ids=lambda text: text or "nothing",
)  # fmt: skip
def test_what_is_no_trace_is_refused_with_a_sentence_and_mended_by_the_next(host: Host, text: str) -> None:
    host.page.evaluate(
        "() => { document.body.insertAdjacentHTML('afterbegin', '<p data-jgrad-twin=\"t\">its twin</p>'); }"
    )
    host.model("trace", text, twin="t")
    widget = host.show("trace", "a")
    expect(widget.get_by_role("alert")).to_contain_text(re.compile(r"^(This|No) .*\.$"))
    expect(
        host.page.locator("[data-jgrad-twin]")
    ).to_be_visible()  # where the widget shows nothing, the twin does
    host.page.evaluate("text => host.models.trace.set('document', text)", json.dumps(document("sharing")))
    at(widget, len(document("sharing")["steps"]))
    expect(widget.get_by_role("alert")).to_be_hidden()
    assert host.mistakes == []
