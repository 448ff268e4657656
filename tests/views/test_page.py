"""A trace, or a notebook with its traces, as one HTML file. `tests/browser/test_page.py` opens such files."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import nbformat
import pytest

import jgrad
from jgrad import cli, views
from jgrad.notebook.slides import ROOM, cut, height, told
from jgrad.tracing.document.packing import pack, unpack
from jgrad.views.page import LONGEST_LINK, alive, link_of, link_page, page_of, place
from jgrad.views.transport import TRACE, plain, wire
from jgrad.views.twin import twin

pytestmark = pytest.mark.quick

HOSTILE = (
    '</script><script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1"><!-- & \u2028 \ud800'
)


def trace(name: str = "a trace") -> Any:
    with jgrad.trace(name) as recorded:
        w = jgrad.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
    return recorded


def traces_of(page: str) -> list[dict[str, Any]]:
    """The traces at the places of a page."""
    (key,) = re.findall(r'<script data-jgrad-key="(\w+)">', page)
    found = re.findall(rf"""data-jgrad-key="{key}" data-jgrad-trace=(["'])(.*?)\1""", page)
    return [json.loads(html.unescape(trace)) for _, trace in found]


def test_the_policy_allows_the_front_end_alone() -> None:
    page = page_of(trace().document)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert policy is not None
    checksum = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{checksum}';" in policy[1]
    assert "default-src 'none'" in policy[1]


def test_markup_in_names_and_documents_stays_text() -> None:
    page = page_of(trace(HOSTILE).document)
    assert page.count("<script") == 1
    assert '<img src="x"' not in page
    assert json.loads(plain(traces_of(page)[0]["document"]))["name"] == HOSTILE


def test_a_trace_is_saved_as_a_page_by_the_ending_of_the_name(tmp_path: Path) -> None:
    recorded = trace()
    recorded.save(tmp_path / "t.html")
    recorded.save(tmp_path / "t.json")
    page = (tmp_path / "t.html").read_text(encoding="utf-8")
    (one,) = traces_of(page)
    assert jgrad.trace.load(tmp_path / "t.json") == recorded.document
    assert json.loads(plain(one["document"])) == json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert "data:image/svg+xml" in page  # what is seen without scripts


def test_the_data_of_a_page_can_hold_anything() -> None:
    page = alive("<html><head></head><body>" + place({"document": HOSTILE}, "", "k") + "</body></html>", "k")
    assert traces_of(page) == [{"document": HOSTILE}]
    assert page.endswith("</body></html>")


def notebook(*outputs: dict[str, Any], states: dict[str, Any]) -> Any:
    cell = nbformat.v4.new_code_cell("x", outputs=[nbformat.from_dict(o) for o in outputs])
    widgets = {
        "application/vnd.jupyter.widget-state+json": {"state": states, "version_major": 2, "version_minor": 0}
    }
    return nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": widgets})


def shown(data: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": "display_data", "data": data, "metadata": {}}


def view(model: str) -> dict[str, Any]:
    return shown(
        {
            "application/vnd.jupyter.widget-view+json": {
                "model_id": model,
                "version_major": 2,
                "version_minor": 0,
            }
        }
    )


def state(twin: str, **other: Any) -> dict[str, Any]:
    return {"state": {"document": "{}", "cursor": -1, "views": [], "twin": twin, "_esm": "x", **other}}


def exported(book: Any, **options: Any) -> str:
    from jgrad.notebook.export import Exporter

    return Exporter(**options).from_notebook_node(book)[0]


def test_an_exercise_of_a_page_is_for_paper_which_is_said_once() -> None:
    text = "**{}.** Why?\n\n<details><summary>Solution</summary>\n\nSo.\n\n</details>"
    cells = [nbformat.v4.new_markdown_cell(text.format(n), metadata={"tags": ["exercise"]}) for n in (1, 2)]
    page = exported(nbformat.v4.new_notebook(cells=cells))
    said = "On this page, an exercise is for paper"
    assert page.count(said) == 1
    assert page.index(said) < page.index("<strong>1.</strong>")
    chinese = exported(nbformat.v4.new_notebook(cells=cells, metadata={"lang": "zh"}))
    assert chinese.count("在这个页面上，练习写在纸上") == 1
    assert said not in chinese


@pytest.mark.parametrize("slides", [False, True])
def test_an_answer_that_is_to_be_predicted_is_only_in_its_fold(slides: bool) -> None:
    secret = nbformat.v4.new_output("stream", name="stdout", text="the answer is 42")
    plain = nbformat.v4.new_output("stream", name="stdout", text="seen at once")
    hidden = nbformat.v4.new_code_cell("%%predict\nprint(x)", outputs=[secret])
    hidden.metadata = nbformat.from_dict({"tags": ["predict", "hide-output"]})
    cells = [hidden, nbformat.v4.new_code_cell("1", outputs=[plain])]
    page = exported(nbformat.v4.new_notebook(cells=cells), slides=slides)
    fold = re.compile(r'<details class="jgrad-hidden">.*?</details>', re.S)
    assert len(fold.findall(page)) == 1
    assert "Predict first, then open" in fold.findall(page)[0]
    assert "the answer is 42" in fold.findall(page)[0]
    assert "the answer is 42" not in fold.sub("", page)
    assert "seen at once" in fold.sub("", page)
    assert "data-jgrad-asks" in fold.findall(page)[0]


def test_only_a_page_with_an_input_line_has_its_script_and_the_policy_allows_just_these() -> None:
    secret = nbformat.v4.new_output("stream", name="stdout", text=HOSTILE)
    for tags, count in (["predict", "hide-output"], 2), (["hide-output"], 1), (["predict"], 1):
        cell = nbformat.v4.new_code_cell("%%predict\nprint(x)", outputs=[secret])
        cell.metadata = nbformat.from_dict({"tags": tags})
        page = exported(nbformat.v4.new_notebook(cells=[cell]))
        scripts = re.findall(r"<script data-jgrad-key[^>]*>(.*?)</script>", page, re.DOTALL)
        allowed = [
            f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts
        ]
        assert len(scripts) == count
        assert f"script-src {' '.join(allowed)};" in page
        assert "<script>window.hacked" not in page


class Folds(HTMLParser):
    """What a page shows of cells of code outside of folds: outputs, counted by how many a fold holds and how many stand in the open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.folded = self.seen = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("div", "details"):
            kind = dict(attributes).get("class") or ""
            if kind.startswith("jp-Cell-outputWrapper"):
                within = any(one == ("details", "jgrad-hidden") for one in self.open)
                self.folded, self.seen = self.folded + within, self.seen + (not within)
            self.open.append((tag, kind))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("div", "details"):
            assert self.open.pop()[0] == tag


@pytest.mark.slow
def test_no_answer_stands_outside_of_its_fold_on_slides() -> None:
    """On pages of all lessons: `tests/notebooks/test_answers.py`."""
    lesson = nbformat.read(Path(__file__).parents[2] / "notebooks" / "05-memory.ipynb", as_version=4)
    cells = told(lesson.cells)
    with_outputs = [cell for cell in cells if cell.get("outputs")]
    hidden = ["hide-output" in cell.metadata.get("tags", ()) for cell in with_outputs]
    page = exported(lesson, slides=True)
    found = Folds(page)
    assert sum(hidden) > 5
    assert found.folded == sum(hidden)
    # Outputs of one cell may stand apart.
    assert found.seen >= len(hidden) - found.folded
    # Slides that hold nothing but what is below a question are hidden with it.
    whole = re.findall(r'<section class="jgrad-slide (celltag_jgrad-below-\d+)', page)
    assert whole
    assert all(f":is(.{mark}, .jp-MarkdownCell:has(.{mark})) {{ display: none }}" in page for mark in whole)


def test_a_slide_is_a_text_with_the_cells_below_it_and_needs_no_script() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# First"),
        nbformat.v4.new_markdown_cell("more of it"),
        nbformat.v4.new_code_cell("one = 1"),
        nbformat.v4.new_code_cell("two = 2"),
        nbformat.v4.new_markdown_cell("## Second", metadata={"jgrad_slide": False}),
        nbformat.v4.new_code_cell("three = 3"),
    ]
    page = exported(nbformat.v4.new_notebook(cells=cells), slides=True)
    slides = re.findall(r'<section class="jgrad-slide">(.*?)</section>', page, re.S)
    assert len(slides) == 2
    for text in ("First", "more of it", "one", "two"):
        assert text in slides[0]
    assert "three" in slides[1]
    assert "three" not in slides[0]
    assert page.count("<script") == exported(nbformat.v4.new_notebook(cells=cells)).count("<script") == 1
    assert exported(nbformat.v4.new_notebook(), slides=True).count('<section class="jgrad-slide">') == 1


def test_slides_leave_out_what_has_the_type_skip_and_the_section_of_such_a_heading() -> None:
    skip = {"slideshow": {"slide_type": "skip"}}
    cells = [
        nbformat.v4.new_markdown_cell("# One"),
        nbformat.v4.new_code_cell("setup", metadata=skip),
        nbformat.v4.new_code_cell("told"),
        nbformat.v4.new_markdown_cell("## Left out", metadata=skip),
        nbformat.v4.new_markdown_cell("### Below it"),
        nbformat.v4.new_code_cell("# not a heading"),
        nbformat.v4.new_markdown_cell("## Two"),
        nbformat.v4.new_code_cell("aside", metadata={"slideshow": {"slide_type": "notes"}}),
    ]
    assert [cell.source for cell in cut(cells)] == ["# One", "told", "## Two"]


def test_what_does_not_fit_on_a_slide_is_cut_where_a_reader_can_stop() -> None:
    prints = [nbformat.v4.new_output("stream", name="stdout", text="line\n" * n) for n in (14, 4)]
    answer = nbformat.v4.new_code_cell("%%predict\nx", outputs=prints, metadata={"tags": ["hide-output"]})
    code = nbformat.v4.new_code_cell("one = 1\n" * 10, outputs=prints)
    text = nbformat.v4.new_markdown_cell(
        "# A heading\n\n" + "\n\n".join(["word " * 100] * 6) + "\n\n- a list\n\n```python\na\n\nb\n```"
    )
    made = cut([text, code, answer])
    slides: list[list[Any]] = []
    for cell in made:
        slides += [[]] if cell.metadata.jgrad_slide or not slides else []
        slides[-1].append(cell)
    assert len(slides) > 4, "of three cells"
    assert all(sum(map(height, slide)) <= ROOM for slide in slides)
    assert "\n\n".join(cell.source for cell in made if cell.cell_type == "markdown") == text.source
    assert made[0].source.startswith("# A heading\n\nword"), "no heading stands alone"
    assert [len(cell.outputs) for cell in made if cell.cell_type == "code"] == [0, 1, 1, 0, 2], (
        "what is hidden is in one fold"
    )
    assert len({cell.id for cell in made}) == len(made), "a link names one place"
    small = [nbformat.v4.new_markdown_cell("a"), nbformat.v4.new_code_cell("1", outputs=prints[1:])]
    assert [cell | {"metadata": {}} for cell in cut(small)] == small


def test_a_link_to_another_notebook_leads_to_its_page() -> None:
    text = "[a](05-memory.ipynb#cell-id=detach) [b](../02-tensors.ipynb) [c](https://x.org/d.ipynb) [d](#x) `e.ipynb`"
    page = exported(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]))
    for link in ("05-memory.html#cell-id=detach", "../02-tensors.html", "https://x.org/d.ipynb", "#x"):
        assert f'href="{link}"' in page
    assert "<code>e.ipynb</code>" in page


def test_each_trace_of_a_notebook_has_its_place_with_its_twin_inside() -> None:
    book = notebook(
        shown({"text/html": '<b data-jgrad-twin="aa">one</b>', "text/plain": "one <"}),
        view("1"),
        shown({"text/html": '<b data-jgrad-twin="bb">two</b>', "text/plain": "two"}),
        view("2"),
        view("3"),
        view("4"),
        states={"1": state("aa"), "2": state("bb", views=3), "3": state("cc"), "4": {"state": {"value": 1}}},
    )
    before = json.dumps(book)
    page = exported(book)
    assert json.dumps(book) == before
    twin_inside = (
        r"""data-jgrad-trace=[^>]*>\s*<div class="jp-[^>]*>\s*(<b data-jgrad-twin="aa">one</b>)?\s*</div>"""
    )
    assert re.findall(twin_inside, page) == ['<b data-jgrad-twin="aa">one</b>', ""]
    assert [one["document"] for one in traces_of(page)] == ["{}", "{}"]
    assert '<b data-jgrad-twin="bb">two</b>' in page  # its widget is none of ours
    assert "widget-view" not in page
    clean = exported(book, sanitize_html=True)
    assert "<pre>one &lt;</pre>" in clean
    assert len(traces_of(clean)) == 2


def kept(trace: Any) -> dict[str, Any]:
    """The output of a traced cell, as JupyterLab saves it: without the state of its widget."""
    document = trace.document
    scenes = [views.scene(document, view) for view in ("graph", "storage")]
    state = {"document": wire(pack(document)), "cursor": -1, "views": ["graph", "storage"], "twin": "aa"}
    return {TRACE: state, "text/html": twin(scenes, "aa"), "text/plain": views.text(document, "graph")}


def test_a_trace_that_only_the_output_holds_is_alive() -> None:
    book = notebook(shown(kept(trace())), view("1"), states={})
    (one,) = traces_of(exported(book))
    assert unpack(json.loads(plain(one["document"]))) == trace().document
    # The state of the widget, if it was saved, is the same trace as the reader left it.
    again = notebook(shown(kept(trace())), view("1"), states={"1": state("aa", cursor=1)})
    assert [one["cursor"] for one in traces_of(exported(again))] == [1]
    for damaged in ({"document": 3}, "text", None, []):
        book = notebook(shown({TRACE: damaged, "text/plain": "words"}), states={})
        assert "words" in exported(book)
        assert traces_of(exported(book)) == []


def test_without_pictures_their_captions_are_text() -> None:
    book = notebook(shown(kept(trace())), states={})
    page = exported(book, sanitize_html=True)
    shown_page = page[page.index("<body") :]
    assert "<img" not in shown_page
    scene = views.scene(trace().document, "graph")
    said = " ".join(
        html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", " ", shown_page, flags=re.DOTALL)).split()
    )
    assert scene["title"] in said
    assert " ".join(scene["caption"].split()) in said


def test_formulas_are_mathml() -> None:
    pytest.importorskip("latex2mathml")
    text = "$a_1 < b$ and `$x$`, $5 and $6\n\n$$\\frac{1}{2}$$\n\n$\\frac{$\n\n<b title='$q$'>$r$</b>"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    page = exported(book)
    assert re.search(
        r'<math display="inline"[^>]*><mrow><msub><mi>a</mi><mn>1</mn></msub><mo>&lt;</mo>', page
    )
    assert re.search(r'<math display="block"[^>]*><mrow><mfrac>', page)
    assert page.count("<math") == 3
    for as_written in ("<code>$x$</code>", "$5 and $6", r"$\frac{$", 'title="$q$"'):
        assert as_written in page
    assert "<math" not in exported(book, sanitize_html=True)
    hostile = nbformat.v4.new_markdown_cell("$\\text{</math><script>window.hacked = 1</script>}$")
    page = exported(nbformat.v4.new_notebook(cells=[hostile]))
    assert page.count("<script") == 1


def test_a_page_names_no_other_site() -> None:
    page = exported(notebook(states={}))
    without_comments = re.sub(r"/\*.*?\*/|<!--.*?-->", "", page, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href|from|import)\s*[=(]?\s*["\']https?:', without_comments)
    assert not re.findall(r"url\(\s*[\"']?https?:", without_comments)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace().save(tmp_path / "t.json")
    assert cli.main(["export", str(tmp_path / "t.json")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 't.html'}: 1 trace\n"
    nbformat.write(notebook(states={}), tmp_path / "n.ipynb")
    assert cli.main(["export", str(tmp_path / "n.ipynb"), "--to", str(tmp_path / "out.html")]) == 0
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'out.html'}: 0 traces\n"
    assert said.err == "jgrad: the notebook was saved without traces: --run runs it first\n"
    nbformat.write(notebook(shown(kept(trace())), shown(kept(trace())), states={}), tmp_path / "two.ipynb")
    assert cli.main(["export", str(tmp_path / "two.ipynb")]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (f"{tmp_path / 'two.html'}: 2 traces\n", "")
    assert cli.main(["export", str(tmp_path / "two.ipynb"), "--slides"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'two.slides.html'}: 2 traces\n"
    assert '<section class="jgrad-slide">' in (tmp_path / "two.slides.html").read_text()
    assert cli.main(["export", str(tmp_path / "t.json"), "--slides"]) == 1
    assert "slides are made of a notebook: leave --slides out" in capsys.readouterr().err
    for name, content in (
        ("none.ipynb", None),
        ("bad.ipynb", "no JSON"),
        ("bad.json", "{}"),
        ("list.ipynb", "[]"),
    ):
        if content is not None:
            (tmp_path / name).write_text(content)
        assert cli.main(["export", str(tmp_path / name)]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("jgrad: ")
        assert len(said.err.splitlines()) == 1


def test_nbconvert_knows_it() -> None:
    from importlib.metadata import entry_points

    from jgrad.notebook.export import Exporter

    (found,) = entry_points(group="nbconvert.exporters", name="jgrad")
    assert found.load() is Exporter


def test_a_link_holds_the_document_and_its_views() -> None:
    recorded = trace()
    page, _, fragment = recorded.link("https://my.org/trace.html#of-before").partition("#")
    assert page == "https://my.org/trace.html"
    found = parse_qs(fragment)
    assert unpack(json.loads(plain(found["document"][0]))) == recorded.document
    assert found["views"][0].split(",") == views.applicable(recorded.document)


def test_a_trace_that_is_too_long_for_a_link_says_what_to_do_instead() -> None:
    recorded = trace()
    document = recorded.document | {"source": [f"# {n**9}" for n in range(20_000)]}
    with pytest.raises(ValueError, match=rf"more than {LONGEST_LINK:,}: save the trace as a page"):
        link_of(document, "trace.html")


def test_the_page_of_links_has_a_place_and_the_same_policy() -> None:
    page = link_page()
    assert page.count("<script") == 1
    assert "data-jgrad-trace" not in page.partition("</head>")[2]
    assert "The address has none" in page
    assert re.search("script-src 'sha256-[^']+'", page)[0] in page_of(trace().document)


def test_the_command_writes_the_page_and_prints_the_link(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    trace().save(tmp_path / "t.json")
    page = tmp_path / "trace.html"
    for _ in range(2):
        assert cli.main(["link", str(tmp_path / "t.json"), str(page)]) == 0
        assert capsys.readouterr().out.startswith(page.as_uri() + "#views=")
        assert page.read_text(encoding="utf-8") == link_page()
    page.write_text("mine")
    with pytest.raises(SystemExit, match="is no page for links: give it another name"):
        cli.main(["link", str(tmp_path / "t.json"), str(page)])
    assert page.read_text() == "mine"
    assert cli.main(["link", str(tmp_path / "t.json"), "https://my.org/t.html"]) == 0
    assert capsys.readouterr().out.startswith("https://my.org/t.html#views=")
    with pytest.raises(SystemExit, match=r"jgrad: .*nothing\.json: No such file"):
        cli.main(["link", str(tmp_path / "nothing.json"), str(page)])
