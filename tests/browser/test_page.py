"""The tour as one HTML file, in Chromium without a network: its views are alive, and nothing is asked of any site."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import nbformat
import pytest

import jgrad
from jgrad.notebook.export import export
from jgrad.tracing.document.processes import lined_up
from jgrad.views.page import link_page, page_of
from tests.browser import hostile
from tests.browser.conftest import eventually

playwright = pytest.importorskip("playwright.sync_api")

TOUR = Path(__file__).parent.parent.parent / "notebooks" / "00-tour.ipynb"


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("page") / "tour.html"
    subprocess.run([sys.executable, "-m", "jgrad", "export", TOUR, "--to", target, "--run"], check=True)
    return target


def opened(chromium, path: Path, **options):
    """A window on a file, without a network; and what it asked for, and what went wrong in it."""
    context = chromium.new_context(offline=True, viewport={"width": 1200, "height": 900}, **options)
    window = context.new_page()
    asked, wrong = [], []
    window.on("request", lambda request: asked.append(request.url))
    window.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    window.on("pageerror", lambda error: wrong.append(str(error)))
    window.goto(path.as_uri())
    return window, asked, wrong


def test_the_views_of_an_exported_notebook_are_alive(chromium, tour) -> None:
    window, asked, wrong = opened(chromium, tour)
    places = window.locator("[data-jgrad-trace]")
    assert places.count() >= 6
    assert places.last.locator(".jg").count() == 0  # only what is about to be seen is made alive
    for i in range(places.count()):
        place = places.nth(i)
        place.scroll_into_view_if_needed()
        playwright.expect(place.locator(".jg")).to_be_visible()
        playwright.expect(place.locator(".jgrad-twin")).to_have_count(0)
    slider = places.first.locator("input[type=range]")
    slider.scroll_into_view_if_needed()
    end = int(slider.input_value())
    slider.press("ArrowLeft")
    playwright.expect(slider).to_have_value(str(end - 1))
    assert {url.partition(":")[0] for url in asked} == {"file"}
    assert wrong == []
    window.context.close()


def test_a_link_shows_the_trace_that_is_in_it_and_nothing_else(chromium, tmp_path) -> None:
    with jgrad.trace() as trace:
        w = jgrad.ones(3, requires_grad=True)
        w.exp().sum().backward()
    page = tmp_path / "trace.html"
    page.write_text(link_page(), encoding="utf-8")
    link = trace.link(page.as_uri())
    window, asked, wrong = opened(chromium, page)
    body = window.locator("body")
    playwright.expect(body).to_contain_text("The address has none")
    # The page is open already: only what is behind the # becomes another.
    window.goto(link)
    playwright.expect(window.get_by_role("tab", name="Graph")).to_be_visible()
    for strange in ("deflate:AAAA", '<img src="x" onerror="document.title=1">', "null", "%", "{}"):
        window.goto(f"{page.as_uri()}#{urlencode({'views': 'graph', 'document': strange})}")
        playwright.expect(body).to_contain_text("This is not a trace")
    playwright.expect(window).to_have_title("A trace of jgrad")
    assert {url.partition("#")[0] for url in asked} == {page.as_uri()}
    assert wrong == []
    window.context.close()


def test_the_traces_of_processes_go_through_their_steps_together(chromium, tmp_path) -> None:
    documents = []
    for rank in range(2):
        with jgrad.trace(f"train.py, rank {rank} of 2") as trace:
            w = jgrad.ones(3, requires_grad=True)
            for _ in range(2):
                h = w * 2
                for _ in range(3 * rank):
                    h = h + 1  # only one of them does this
                h.sum().backward()
                w.grad = None
        documents.append(trace.document)
    first, second = lined_up(documents)
    assert [documents[0]["steps"][at - 1]["kind"] for at in first] == ["backward", "backward"]
    assert [documents[1]["steps"][at - 1]["kind"] for at in second] == ["backward", "backward"]
    (tmp_path / "all.html").write_text(page_of(*documents), encoding="utf-8")
    window, _, wrong = opened(chromium, tmp_path / "all.html")
    sliders = window.locator("input[type=range]")
    playwright.expect(sliders.first).to_be_visible()
    # The other one need not have been seen yet.
    sliders.first.fill(str(first[0]))
    window.locator("[data-jgrad-trace]").nth(1).scroll_into_view_if_needed()
    playwright.expect(sliders.nth(1)).to_have_value(str(second[0]))
    sliders.nth(1).fill(str(second[1] + 2))
    playwright.expect(sliders.first).to_have_value(str(first[1] + 2))
    # Between two marks one waits for the other.
    sliders.nth(1).fill(str(second[1] - 1))
    playwright.expect(sliders.first).to_have_value(str(first[1] - 1))
    sliders.first.press("End")
    playwright.expect(sliders.nth(1)).to_have_value(str(len(documents[1]["steps"])))
    assert wrong == []
    window.context.close()


def test_slides_come_one_after_the_other_without_a_script_and_answers_are_folded(chromium, tmp_path) -> None:
    lesson = TOUR.with_name("03-graphs.ipynb")
    export(lesson, tmp_path / "slides.html", slides=True)
    window, asked, wrong = opened(chromium, tmp_path / "slides.html", java_script_enabled=False)
    slides = window.locator(".jgrad-slide")
    assert slides.count() > 20
    for number in range(1, 5):
        # A key that comes while the window still snaps to a slide is lost.
        window.wait_for_timeout(500)
        window.keyboard.press("PageDown")
        eventually(lambda at=number: _is_on_top(slides.nth(at)))
    answer = window.locator(".jgrad-hidden").first
    playwright.expect(answer.locator(".jp-Cell-outputWrapper")).to_be_hidden()
    answer.locator("summary").click()
    playwright.expect(answer.locator(".jp-Cell-outputWrapper")).to_be_visible()
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
    assert wrong == []
    window.context.close()


def _is_on_top(slide) -> None:
    assert slide.bounding_box()["y"] == pytest.approx(0, abs=1)


def test_without_scripts_the_pictures_are_there(chromium, tour) -> None:
    window, _asked, _wrong = opened(chromium, tour, java_script_enabled=False)
    playwright.expect(window.locator(".jgrad-twin img").first).to_be_visible()
    assert window.locator(".jg").count() == 0
    window.context.close()


def test_saved_pictures_look_as_the_screen_does(chromium, tmp_path) -> None:
    """Spaces between words stay, and names of views have the colour of text, not that of the first word in the picture."""
    with jgrad.trace() as trace:
        jgrad.tensor([1.0, 2.0], requires_grad=True).exp().sum().backward()
    trace.save(tmp_path / "t.html")
    window, _asked, wrong = opened(chromium, tmp_path / "t.html", color_scheme="dark")
    views = window.locator("section.jg:not([data-jgrad-twin] section)")
    playwright.expect(views.locator(".jg-scene text").first).to_be_visible()
    with window.expect_download() as download:
        views.locator("select.jg-save").select_option("all views as SVG")
    download.value.save_as(tmp_path / "all.svg")
    saved = chromium.new_page()
    saved.goto((tmp_path / "all.svg").as_uri())
    heads = saved.evaluate(
        "[...document.querySelectorAll('svg > text')].filter((t) => t.parentNode === document.documentElement).map((t) => t.getAttribute('fill'))"
    )
    assert len(heads) > 2
    assert set(heads) == {views.first.evaluate("views => getComputedStyle(views).color")}
    kept = saved.evaluate(
        "[...document.querySelectorAll('svg svg text')].every((t) => getComputedStyle(t).whiteSpace.startsWith('pre'))"
    )
    assert kept
    # Prose has the face of the page, and code that of code.
    faces = {
        said: saved.evaluate(
            "said => [...document.querySelectorAll('svg svg text')].find((t) => t.textContent === said).getAttribute('font-family')",
            said,
        )
        for said in ("leaf, collects .grad", "shape ")
    }
    assert "mono" not in faces["leaf, collects .grad"]
    assert "mono" in faces["shape "]
    assert wrong == []
    saved.close()
    window.context.close()


def test_markup_in_a_trace_does_not_run(chromium, tmp_path) -> None:
    hostile = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'
    with jgrad.trace(hostile) as trace:
        jgrad.tensor([1.0, 2.0], requires_grad=True).sum().backward()
    trace.save(tmp_path / "t.html")
    page = (tmp_path / "t.html").read_text()
    # Also where somebody adds a script to the file: the policy forbids it.
    (tmp_path / "t.html").write_text(page.replace("<body>", "<body><script>window.hacked = 1</script>"))
    window, _asked, wrong = opened(chromium, tmp_path / "t.html", color_scheme="dark")
    playwright.expect(window.locator(".jg")).to_be_visible()
    assert window.evaluate("window.hacked") is None
    assert len(wrong) == 1
    assert "Content Security Policy" in wrong[0]
    assert window.evaluate("getComputedStyle(document.querySelector('.jg')).colorScheme") == "dark"
    window.context.close()


def test_on_a_narrow_page_the_whole_header_is_seen_and_the_view_has_room(chromium, tmp_path) -> None:
    with jgrad.trace("narrow") as t:
        network = jgrad.nn.Sequential(
            *[m for _ in range(20) for m in (jgrad.nn.Linear(4, 4), jgrad.nn.Sigmoid())]
        )
        optimizer = jgrad.optim.SGD(network.parameters(), lr=0.1)
        for _ in range(6):
            optimizer.zero_grad()
            network(jgrad.ones(3, 4)).pow(2).mean().backward()
            optimizer.step()
    t.save(tmp_path / "narrow.html")
    window, _, wrong = opened(chromium, tmp_path / "narrow.html")
    window.set_viewport_size({"width": 420, "height": 700})
    window.wait_for_selector(".jg-narrow")
    for tab in window.get_by_role("tab").all():
        tab.click()
        window.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        header, view, root = (
            window.locator(name).first.bounding_box() for name in (".jg-header", ".jg-sides", ".jg")
        )
        assert header is not None
        assert view is not None
        assert root is not None
        assert header["height"] > 200, "a diagnosis of several lines"
        assert view["height"] >= 200, tab.inner_text()
        assert view["y"] >= header["y"] + header["height"]
        assert view["y"] + view["height"] <= root["y"] + root["height"] + 1
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert window.evaluate(
        "[...document.querySelectorAll('.jg-header *')].every(e => e.scrollWidth <= e.clientWidth + 1 || !e.clientWidth)"
    )
    assert wrong == []
    window.context.close()


SHADE = """async ([shot, y]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${shot}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(3, y < 0 ? image.height + y : y, 1, 1).data[0];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pane_has_a_shadow_where_there_is_more(chromium, tmp_path, scheme: str) -> None:
    with jgrad.trace("shadow") as t:
        tensors = [jgrad.full((4, 4), float(k)) for k in range(8)]
        for one in tensors:
            one[1:].zero_()
    t.save(tmp_path / "shadow.html")
    window, _, wrong = opened(chromium, tmp_path / "shadow.html", color_scheme=scheme)
    window.set_viewport_size({"width": 1200, "height": 480})  # too low for all of it, with any font
    window.get_by_role("tab", name="Storage").click()
    pane = window.locator(".jg-pane-storage .jg-scroll")
    playwright.expect(pane.locator("svg text").first).to_be_visible()
    looks = window.context.new_page()  # which has no policy against images

    def shades() -> tuple[bool, bool]:
        """Whether there is a shadow at the top, and at the bottom."""
        window.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        shot = base64.b64encode(pane.screenshot()).decode()
        top, below_top, above_end, end = (looks.evaluate(SHADE, [shot, y]) for y in (1, 30, -30, -2))
        return abs(top - below_top) > 8, abs(end - above_end) > 8

    assert pane.evaluate("pane => pane.scrollHeight > pane.clientHeight + 100")
    pane.evaluate("pane => pane.scrollTo(0, 0)")
    assert shades() == (False, True)
    pane.evaluate("pane => pane.scrollTo(0, 60)")
    assert shades() == (True, True)
    pane.evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    assert shades() == (True, False)
    assert wrong == []
    window.context.close()


def test_the_lectures_mode_fills_the_window_and_leaves_as_it_came(chromium, tmp_path) -> None:
    with jgrad.trace() as trace:
        w = jgrad.ones(2, requires_grad=True)
        (w * w).sum().backward()
    trace.save(tmp_path / "trace.html")
    window, _, wrong = opened(chromium, tmp_path / "trace.html")
    root, slider = window.locator(".jg"), window.get_by_role("slider")
    root.locator("[data-view=timeline] text").first.wait_for()
    before = root.bounding_box()
    end = int(slider.input_value())
    slider.focus()
    window.keyboard.press("p")
    playwright.expect(root).to_have_css("position", "fixed")
    assert root.bounding_box() == {"x": 0, "y": 0, "width": 1200, "height": 900}
    # Nothing but the code, the view and the sentence.
    playwright.expect(window.get_by_role("tablist")).to_be_hidden()
    playwright.expect(root.locator(".jg-headline")).to_be_hidden()
    letters = root.locator("[data-view=timeline] text").first
    size = "e => e.getScreenCTM().a * parseFloat(getComputedStyle(e).fontSize)"

    def is_large() -> None:
        assert letters.evaluate(size) >= 18

    eventually(is_large)
    # What presenters hold in their hands sends these keys.
    window.keyboard.press("PageUp")
    playwright.expect(slider).to_have_value(str(end - 1))
    window.keyboard.press("PageDown")
    playwright.expect(slider).to_have_value(str(end))
    window.keyboard.press("Escape")
    playwright.expect(root).to_have_css("position", "relative")
    playwright.expect(slider).to_be_focused()
    assert root.bounding_box() == before
    assert wrong == []


def test_in_few_colours_what_has_run_backward_has_a_thicker_ring(chromium, tmp_path) -> None:
    with jgrad.trace("rings") as t:
        w = jgrad.tensor(2.0, requires_grad=True)
        kept = w * 3
        (w * w).backward()
    assert kept.requires_grad
    t.save(tmp_path / "rings.html")
    window, _, wrong = opened(chromium, tmp_path / "rings.html", forced_colors="active")
    window.get_by_role("tab", name="Graph").click()
    widths = "nodes => nodes.map(node => parseFloat(getComputedStyle(node).strokeWidth))"
    ran, others = (
        window.locator(f".jg-scene rect.jg-node.jg-{c}:not(.jg-now)") for c in ("gradient", "intermediate")
    )
    playwright.expect(ran.first).to_be_visible()
    assert min(ran.evaluate_all(widths)) > max(others.evaluate_all(widths))
    assert wrong == []
    window.context.close()


def test_metadata_of_a_notebook_is_no_markup(tmp_path) -> None:
    hostile = '"><img src=x onerror=alert(1)>'
    output = nbformat.v4.new_output(
        "display_data", {"text/html": "<p>a</p>", "text/plain": "a"}, metadata={"jgrad_trace": hostile}
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[output])])
    nbformat.write(notebook, tmp_path / "n.ipynb")
    export(tmp_path / "n.ipynb", tmp_path / "n.html")
    assert "<img" not in (tmp_path / "n.html").read_text().partition("<body")[2]


def test_a_thousand_hostile_texts_stay_text(chromium, tmp_path) -> None:
    """In all places of the documents of a notebook that becomes a page."""
    from jgrad.notebook.export import Exporter
    from jgrad.views.transport import TRACE

    cells = []
    for document in hostile.documents("w = jgrad.ones(2, requires_grad=True)\n(w * w).sum().backward()"):
        trace = {"document": hostile.wire_of(document), "cursor": -1, "views": [], "twin": ""}
        output = nbformat.v4.new_output("display_data", {TRACE: trace, "text/plain": document["source"][0]})
        cells.append(nbformat.v4.new_code_cell("x", outputs=[output]))
    page, _ = Exporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    (tmp_path / "t.html").write_text(page, encoding="utf-8")
    window, asked, wrong = opened(chromium, tmp_path / "t.html")
    places = window.locator("[data-jgrad-trace]")
    assert places.count() == len(cells)
    for place in places.all():
        place.scroll_into_view_if_needed()
        playwright.expect(place.locator("section.jg")).to_be_visible()
        for tab in place.locator("[data-tab]").all():
            tab.evaluate("tab => tab.click()")
    assert window.evaluate("window.hacked") is None
    assert window.locator(".jg img, .jg script, .jg iframe").count() == 0
    assert {url.partition(":")[0] for url in asked} == {"file"}
    assert wrong == []
    window.context.close()


HOSTILE = '</script><img src=x onerror="window.hacked = 1">'


@pytest.mark.cells(
    "%load_ext jgrad\nimport jgrad",
    f"""with jgrad.trace({HOSTILE!r}) as t:
    w = jgrad.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
t.show()""",
)
def test_the_reader_saves_a_trace_as_a_page(chromium, notebook, tmp_path) -> None:
    notebook.menu("Run", "Run All Cells")
    views = notebook.cell(1).locator("section.jg:not([data-jgrad-twin] section)")
    playwright.expect(views).to_be_visible()
    with notebook.page.expect_download() as download:
        views.get_by_label("save a picture").select_option("the trace as a web page")
    download.value.save_as(tmp_path / "saved.html")
    window, asked, wrong = opened(chromium, tmp_path / "saved.html")
    playwright.expect(window.locator(".jg")).to_contain_text("two paths lead to w")
    slider = window.locator("input[type=range]")
    end = int(slider.input_value())
    slider.press("ArrowLeft")
    playwright.expect(slider).to_have_value(str(end - 1))
    assert window.title() == HOSTILE
    assert window.evaluate("window.hacked") is None
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
    assert wrong == []
    window.context.close()


NOTEBOOKS = sorted(TOUR.parent.glob("[01]*.ipynb"))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_slide_is_higher_than_a_window_of_1280_by_720(chromium, lesson: Path, tmp_path: Path) -> None:
    """Whether its answers are folded or open; solutions, which nobody shows first, stay folded."""
    export(lesson, tmp_path / "slides.html", slides=True)
    window = chromium.new_page(viewport={"width": 1280, "height": 720})
    window.goto((tmp_path / "slides.html").as_uri())
    high = """() => [...document.querySelectorAll(".jgrad-slide")].filter((slide) => slide.offsetHeight > 722).map(
        (slide) => [slide.offsetHeight, ...[...slide.querySelectorAll(".jp-Cell")].map((cell) => cell.id)])"""
    assert window.evaluate(high) == []
    window.evaluate("document.querySelectorAll('details.jgrad-hidden').forEach((fold) => (fold.open = true))")
    assert window.evaluate(high) == []
    window.close()


LESSON_CELL = """\
%%predict
%%trace --view graph
# asked: w.grad
w = jgrad.tensor([3.0], requires_grad=True)
(w * w).backward()
print("gradient", w.grad)"""


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a notebook that asks for a prediction of a trace, and for one of what is printed."""
    folder = tmp_path_factory.mktemp("lesson")
    cells = [nbformat.v4.new_code_cell("import jgrad\n%load_ext jgrad")]
    for source in (LESSON_CELL, "%%predict\nprint(2)\nprint(None)\nprint('<b>five</b>')"):
        cells.append(nbformat.v4.new_code_cell(source))
        cells[-1].metadata = nbformat.from_dict({"tags": ["predict", "hide-output"]})
    cells.insert(2, nbformat.v4.new_code_cell("%why w.grad", metadata={"tags": ["hide-output"]}))
    cells.insert(3, nbformat.v4.new_markdown_cell("Two factors, two paths.", id="told"))
    cells.insert(4, nbformat.v4.new_code_cell("print('the half is', 3)"))
    cells.insert(5, nbformat.v4.new_code_cell("%why w.grad", metadata={"tags": ["hide-output"]}))
    cells.insert(6, nbformat.v4.new_markdown_cell("**Predict** three lines."))
    cells.insert(0, nbformat.v4.new_markdown_cell("[to the reason](#cell-id=told)"))
    cells.append(nbformat.v4.new_markdown_cell("[to it](#1.-%%trace:-a-cell)\n\n# 1. %%trace: a cell"))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "lesson.ipynb")
    command = [sys.executable, "-m", "jgrad", "export", folder / "lesson.ipynb", "--run"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "lesson.html"


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (420, "dark")])
def test_a_prediction_is_compared_in_the_page(chromium, lesson, width: int, scheme: str) -> None:
    window, asked, wrong = opened(chromium, lesson, color_scheme=scheme)
    window.set_viewport_size({"width": width, "height": 900})
    first, why, later, second = window.locator("details.jgrad-hidden").all()
    below = window.get_by_text("Two factors, two paths."), window.get_by_text("the half is 3")
    for one in (*below, why, later):
        playwright.expect(one).to_be_hidden()
    playwright.expect(window.get_by_text("three lines.")).to_be_visible()
    window.get_by_role("link", name="to the reason").click()
    playwright.expect(below[0]).to_be_visible()  # a link leads to it all the same
    window.goto(lesson.as_uri())
    playwright.expect(below[0]).to_be_hidden()
    line = window.get_by_role("textbox", name="What do you predict?").first
    said = window.get_by_role("status").first
    playwright.expect(line).to_have_attribute("placeholder", "w.grad")
    line.focus()
    window.keyboard.press("Tab")
    playwright.expect(window.get_by_role("button", name="Compare").first).to_be_focused()
    for unreadable in ("[6,", "import os", "exit()"):
        line.fill(unreadable)
        line.press("Enter")
        playwright.expect(said).to_contain_text(f"I can't read {unreadable}")
        playwright.expect(first).not_to_have_attribute("open", "")  # one may try again

    line.fill("3")
    line.press("Enter")
    playwright.expect(said).to_contain_text(
        "0 of 1 right.\nw.grad is [6]. You said 3. The right one is 2 times yours."
    )
    playwright.expect(first).to_have_attribute("open", "")
    playwright.expect(why).to_have_attribute("open", "")  # it says why
    playwright.expect(later).not_to_have_attribute("open", "")  # a text stands between
    for one in below:
        playwright.expect(one).to_be_visible()
    playwright.expect(second).not_to_have_attribute("open", "")  # another question
    slider = first.get_by_role("slider").first
    playwright.expect(slider).to_have_value("0")
    line.fill("6")
    window.get_by_role("button", name="Compare").first.click()
    playwright.expect(said).to_have_text("✓ Right.")

    line = window.get_by_role("textbox", name="What do you predict?").last
    line.fill("2, None, '<b>four</b>'")
    line.press("Enter")
    said = window.get_by_role("status").last
    playwright.expect(said).to_contain_text("Line 3: you said <b>four</b>, it printed")
    assert said.locator("b").count() == 0
    playwright.expect(second).to_have_attribute("open", "")
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    window.get_by_role("link", name="to it").click()
    playwright.expect(window.locator(":target")).to_contain_text("1. %%trace: a cell")
    assert {url.partition(":")[0] for url in asked} == {"file"}
    assert wrong == []
    window.context.close()
