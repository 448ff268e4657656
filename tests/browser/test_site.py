"""The site of docs and course: it is built as a reader of the docs does, and opened in Chromium without a network."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("myst_nb", reason='needs Sphinx: pip install ".[docs]"')
playwright = pytest.importorskip("playwright.sync_api")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "docs", "--to", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    # A warning is an error: also a link in a page that leads nowhere.
    assert done.returncode == 0, done.stderr
    return target


class Page(HTMLParser):
    """The links of a page, what it loads by itself, and the places that links can name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids.add(found.get("id") or "")
        if tag == "a":
            self.links.add(found.get("href") or "")
        elif (found.get("rel") or "") not in ("index", "search", "next", "prev"):
            self.loads |= {
                value for value in (found.get("src"), found.get("href"), found.get("srcset")) if value
            }


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 50
    lost = []
    for path, page in pages.items():
        assert not [url for url in page.loads if re.match(r"(\w+:)?//", url)], path
        for link in page.links | page.loads:
            if re.match(r"\w+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
            if not target.is_file() or (
                anchor and target in pages and unquote(anchor) not in pages[target].ids
            ):
                lost.append(f"{path.relative_to(site)}: {link}")
    assert lost == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 420])
def test_a_page_of_the_course_is_alive(
    chromium: playwright.Browser, site: Path, scheme: str, width: int
) -> None:
    window, asked, wrong = opened(
        chromium,
        site / "notebooks" / "00-tour.html",
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
    )
    places = window.locator("[data-jgrad-trace]")
    assert places.count() == 6
    for i in range(places.count()):
        places.nth(i).scroll_into_view_if_needed()
        playwright.expect(places.nth(i).locator(".jg")).to_be_visible()
        playwright.expect(places.nth(i).locator(".jgrad-twin")).to_have_count(0)
    slider = places.first.locator("input[type=range]")
    end = int(slider.input_value())
    slider.press("ArrowLeft")
    playwright.expect(slider).to_have_value(str(end - 1))
    assert window.evaluate("getComputedStyle(document.querySelector('.jg')).colorScheme") == scheme
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
    assert wrong == []
    # The button of the page changes the views too.
    button = window.locator(".theme-toggle:visible").first
    button.click()
    button.click()
    theme = window.evaluate("document.body.dataset.theme")
    assert theme in ("light", "dark")
    assert window.evaluate("getComputedStyle(document.querySelector('.jg')).colorScheme") == theme
    window.context.close()


def test_what_stands_below_a_hidden_result_opens_with_it(chromium: playwright.Browser, site: Path) -> None:
    page = site / "notebooks" / "01-gradients-from-nothing.html"
    window, _asked, wrong = opened(chromium, page, viewport={"width": 1200, "height": 900})
    fold = window.locator(".tag_jgrad-asked-0")
    below = window.locator(".tag_jgrad-below-0, .tag-jgrad-below-0")
    told = below.evaluate_all("(cells) => cells.map((cell) => cell.classList.contains('cell'))")
    assert set(told) == {True, False}  # texts and code
    for one in below.all():
        playwright.expect(one).to_be_hidden()
    fold.locator("summary").click()
    for one in below.all():
        playwright.expect(one).to_be_visible()
    assert wrong == []
    window.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_prediction_is_compared_on_the_site(chromium: playwright.Browser, site: Path, scheme: str) -> None:
    page = site / "notebooks" / "05-memory.html"
    viewport = {"width": 420, "height": 900}
    window, asked, wrong = opened(chromium, page, viewport=viewport, color_scheme=scheme)
    # Those below a question that is closed are hidden.
    lines = window.get_by_role("textbox", name="What do you predict?", include_hidden=True)
    cells = json.loads((ROOT / "notebooks" / "05-memory.ipynb").read_text(encoding="utf-8"))["cells"]
    questions = [cell for cell in cells if "predict" in cell["metadata"].get("tags", ())]
    playwright.expect(lines).to_have_count(len(questions))
    line, said = lines.first, window.get_by_role("status").first
    fold = window.locator("details.hide").first
    playwright.expect(line).to_have_attribute("placeholder", "alias[0], x[0]")
    line.fill("7, (3")
    line.press("Enter")
    playwright.expect(said).to_contain_text("I can't read")
    playwright.expect(fold).not_to_have_attribute("open", "")
    line.fill("7, 4")
    line.press("Enter")
    playwright.expect(said).to_contain_text("1 of 2 right.\nx[0] is 3. You said 4.")
    playwright.expect(fold).to_have_attribute("open", "")
    line.fill("7, 3")
    line.press("Enter")
    playwright.expect(said).to_contain_text("2 of 2 right.")
    shown = "([e, ground]) => getComputedStyle(e).color !== getComputedStyle(ground).backgroundColor"
    assert window.evaluate(shown, [line.element_handle(), window.locator("body").element_handle()])
    assert window.evaluate("document.documentElement.scrollWidth") <= 420
    assert any("jgrad-predict" in url for url in asked)
    assert wrong == []
    window.context.close()


def test_the_first_page_plays_its_trace_once(chromium: playwright.Browser, site: Path) -> None:
    window, _asked, wrong = opened(chromium, site / "index.html", viewport={"width": 1440, "height": 900})
    steps = window.locator(".jg-count")
    playwright.expect(window.get_by_title("pause (space)")).to_be_visible()
    playwright.expect(window.get_by_title("play (space)")).to_be_visible(timeout=180_000)
    here, _, end = steps.inner_text().removeprefix("step ").partition(" of ")
    assert here == end
    assert window.locator("section.jg").bounding_box()["y"] < 450
    assert wrong == []
    window.context.close()
    window, _asked, _wrong = opened(chromium, site / "index.html", reduced_motion="reduce")
    playwright.expect(window.get_by_title("play (space)")).to_be_visible()
    playwright.expect(window.locator(".jg-count")).to_have_text(f"step 0 of {end}")
    window.context.close()


def test_a_search_finds_first_what_readers_want(chromium: playwright.Browser, site: Path) -> None:
    contents = (ROOT / "docs" / "site" / "contents.md").read_text(encoding="utf-8")
    inside = contents.partition(":caption: Inside")[2]
    for words in ("leaf", "detach", "saved tensor", "retain_graph", "nan"):
        window, _asked, _wrong = opened(chromium, site / "search.html", query=f"?q={words.replace(' ', '+')}")
        playwright.expect(window.locator("#search-results p.search-summary")).to_contain_text("found")
        hits = window.locator("#search-results ul.search li > a").evaluate_all(
            "(all) => all.map((a) => a.getAttribute('href'))"
        )
        first = [hit.partition("#")[0].partition("?")[0].removesuffix(".html") for hit in hits[:5]]
        assert len(first) == 5
        assert not [page for page in first if f"\n{page}\n" in inside], words
        window.context.close()


def test_the_reference_has_a_sentence_for_each_chapter_and_a_line_for_each_name(site: Path) -> None:
    index = (site / "reference" / "index.html").read_text(encoding="utf-8")
    chapters = [
        path.stem for path in (site / "reference").glob("*.html") if path.stem not in ("index", "all")
    ]
    for chapter in chapters:
        assert re.search(rf'<li><p><a [^>]*href="{chapter}.html">.*?</a>\. \w.{{20}}', index, re.S), chapter
    names = (site / "reference" / "all.html").read_text(encoding="utf-8")
    for place in (
        "making-tensors.html#jgrad.zeros",
        "layers.html#jgrad.nn.Linear",
        "derivatives.html#jgrad.autograd.grad",
    ):
        assert re.search(rf'href="{place}"[^\n]*</a>: [A-Z]', names), place


@pytest.mark.parametrize("page", ["index", "docs/gallery", "docs/mistakes", "reference/tensor", "search"])
def test_a_page_opens_without_an_error(chromium: playwright.Browser, site: Path, page: str) -> None:
    window, asked, wrong = opened(chromium, site / f"{page}.html", viewport={"width": 420, "height": 900})
    assert window.evaluate("document.documentElement.scrollWidth") <= 420
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
    # Only pages with a trace load the front end.
    assert any("jgrad-views" in url for url in asked) == (page == "index")
    assert wrong == []
    window.context.close()


class Outputs(HTMLParser):
    """For each cell whose answer is to be predicted: how many of its outputs are in a fold, and how many are not."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[tuple[str, list[str]]] = []
        self.folded = self.seen = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("div", "details"):
            return
        kinds = (dict(attributes).get("class") or "").split()
        if "cell_output" in kinds and any("tag_hide-output" in outer for _, outer in self.open):
            within = any(kind == "details" for kind, _ in self.open)
            self.folded, self.seen = self.folded + within, self.seen + (not within)
        self.open.append((tag, kinds))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("div", "details"):
            self.open.pop()


def test_no_answer_that_is_to_be_predicted_stands_outside_of_its_fold(site: Path) -> None:
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        hidden = [c for c in cells if "hide-output" in c["metadata"].get("tags", ()) and c["outputs"]]
        page = site / path.relative_to(ROOT).with_suffix(".html")
        if not page.exists():
            assert path.parent.name == "zh", path
            continue
        found = Outputs(page)
        assert (found.folded, found.seen) == (len(hidden), 0), path


def test_formulas_are_drawn_without_a_script_from_elsewhere(site: Path) -> None:
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        formulas = sum("".join(c["source"]).count("$$") // 2 for c in cells if c["cell_type"] == "markdown")
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        assert page.count('display="block">') == formulas
        assert "$$" not in page


def test_without_scripts_the_pictures_are_there(chromium: playwright.Browser, site: Path) -> None:
    window, _asked, _wrong = opened(chromium, site / "notebooks" / "00-tour.html", java_script_enabled=False)
    playwright.expect(window.locator(".jgrad-twin img").first).to_be_visible()
    window.context.close()


def opened(chromium: playwright.Browser, path: Path, query: str = "", **options):
    """A window on a file, without a network; and what it asked for, and what went wrong in it."""
    context = chromium.new_context(offline=True, **options)
    window = context.new_page()
    asked, wrong = [], []
    window.on("request", lambda request: asked.append(request.url))
    window.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    window.on("pageerror", lambda error: wrong.append(str(error)))
    window.goto(path.as_uri() + query)
    return window, asked, wrong
