"""`jgrad export` and `jupyter nbconvert --to jgrad`: a notebook in one HTML file, in which the views of its traces are alive.

With `--slides` the page is cut into slides, of which the browser shows one after the other: a text, and the cells below it. They need no script.

nbconvert makes the page of the notebook. In it, each output that shows a trace becomes the place of a trace, and what nbconvert would fetch from
other sites is left out: `require.js`, MathJax, mermaid. Browsers draw MathML themselves, so formulas become that.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter

from jgrad.notebook import hidden, input_line
from jgrad.notebook.formulas import mathml
from jgrad.notebook.slides import cut
from jgrad.views.page import alive, key_of, traits_of
from jgrad.views.transport import TRACE

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"

# What stands above the first exercise with a solution: a page runs no check.
ON_PAPER = {
    "en": "*On this page, an exercise is for paper: write down your answer, then open Solution. What says to run a cell is for a notebook.*",
    "zh": "*在这个页面上，练习写在纸上：先记下你的答案，再打开“解答”。说到运行单元格的话，是写给笔记本里的读者的。*",
}

# In the HTML of a text cell: what holds no formula, or a formula, which stands alone or in a line. By pandoc's rule, "$5 and $6" is none.
FORMULA = re.compile(
    r"<(pre|code)\b.*?</\1>|<[^>]*>|\$\$(?P<block>[^<]+?)\$\$|(?P<environment>\\begin\{(\w+\*?)\}[^<]*?\\end\{\4\})"
    r"|\$(?=\S)(?P<inline>[^$<]+?)(?<=\S)\$(?!\d)",
    re.DOTALL,
)

# In the HTML of a text cell: a link to a notebook in a folder beside or around this one, with the place in it that the link may name.
NOTEBOOK = re.compile(r'(<a [^>]*?href="(?!\w+:)[^"#?]*)\.ipynb(?=[#"])')

# In the HTML of a text cell: the id of a heading.
HEADING = re.compile(r'(<h[1-6][^>]*? id=")([^"]*)')

# Outputs that are hidden at first (`hidden.py`) are folded, and what is below them is hidden with them. The place of an input line (`input_line.py`) is in the fold, since it holds the answer.
# An output whose metadata has `jgrad_trace`, the JSON of a trace, is the place of that trace. What is inside is seen without scripts. It has the
# style of the page's texts, which the live views must not get. Where nbconvert is told to sanitize HTML, which takes pictures away, it is the
# text of the views.
TEMPLATE = """\
{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js -%}
<style>
.jp-RenderedHTMLCommon.jp-RenderedMarkdown :is(pre, pre code) { white-space: pre; overflow-x: auto; }
{{ resources.jgrad_stretches }}</style>
{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block output_group -%}
{%- if "hide-output" in cell.metadata.tags -%}
<details class="jgrad-hidden"><summary>{{ resources.jgrad_fold(cell) | forceescape }}</summary>
{{ resources.jgrad_asks(cell) }}
{{ super() }}
</details>
{%- else -%}
{{ super() }}
{%- endif -%}
{%- endblock -%}
{%- block data_html -%}
{%- if "jgrad_trace" in output.metadata -%}
<div class="jp-OutputArea-output" data-jgrad-key="{{ resources.jgrad_key }}" data-jgrad-trace="{{ output.metadata.jgrad_trace | string | forceescape }}">
<div class="jp-RenderedHTMLCommon jp-RenderedHTML">
{%- if resources.should_sanitize_html -%}
<pre>{{ output.data["text/plain"] | escape_html }}</pre>
{%- else -%}
{{ output.data["text/html"] }}
{%- endif -%}
</div></div>
{%- else -%}
{{ super() }}
{%- endif -%}
{%- endblock -%}
"""


# Page Down stops where a slide begins. `slides.py` cuts them so that they fit; a cell that is higher than the window scrolls in its place.
SLIDES = """\
{%- block extra_css -%}
{{ super() }}
<style>
:root { scroll-snap-type: y mandatory; }
.jgrad-slide { --jp-content-font-size1: 20px; --jp-code-font-size: 18px; --jp-ui-font-size1: 16px; box-sizing: border-box; min-height: 100vh; padding: 3vh 2vw; scroll-snap-align: start; scroll-snap-stop: always; counter-increment: slide; position: relative; }
.jgrad-slide::after { content: counter(slide); position: absolute; right: 1vw; bottom: 1vh; color: #767676; }
.jgrad-slide > .jp-Cell { max-height: calc(94vh - 4px); overflow: auto; box-sizing: border-box; }
.jgrad-slide .jp-InputPrompt, .jgrad-slide .jp-OutputPrompt { visibility: hidden; }
.jgrad-slide summary { font-size: 18px; padding: 6px 0; }
@media print { .jgrad-slide { break-after: page; min-height: 0; } .jgrad-slide > .jp-Cell { max-height: none; } }
</style>
{%- endblock -%}
{%- block body_loop -%}
<section class="jgrad-slide">
{{ super() }}
</section>
{%- endblock -%}
{%- block any_cell scoped -%}
{%- if cell.metadata.jgrad_slide -%}
</section><section class="jgrad-slide {{ cell.metadata.jgrad_below }}">
{%- endif -%}
{{ super() }}
{%- endblock -%}
"""


class Exporter(HTMLExporter):
    """A notebook as one HTML file with live views. In the list of nbconvert it is called `jgrad`."""

    export_from_notebook = "HTML with live traces"

    def __init__(self, slides: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.slides = slides
        self.raw_template = TEMPLATE + SLIDES * slides

    def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> Any:
        """The page of a notebook, and resources, which hold the number of its traces as `jgrad_traces`. They are found in its outputs, or in the
        state of its widgets."""
        key = key_of(json.dumps(nb))
        nb = nb.copy()
        nb.metadata = nb.metadata.copy()
        states = (nb.metadata.pop("widgets", None) or {}).get(STATE, {}).get("state", {})
        nb.cells = [_with_places(cell, states) for cell in nb.cells]
        questions = hidden.marked(nb.cells)
        if self.slides:
            nb.cells = cut(nb.cells)
        language = self.language_code = str(nb.metadata.get("lang", "en"))
        solved = [c for c in nb.cells if "exercise" in c.metadata.get("tags", ()) and "<details>" in c.source]
        for cell in solved[:1]:
            cell.source = f"{ON_PAPER.get(language, ON_PAPER['en'])}\n\n{cell.source}"
        resources = {**(resources or {}), "jgrad_key": key}
        resources["jgrad_fold"] = lambda cell: hidden.on_fold(cell, _on_folds(nb.metadata), language)
        resources["jgrad_stretches"] = hidden.style(questions, "celltag_", language)
        resources["jgrad_asks"] = lambda cell: (
            input_line.place(cell, key) if input_line.is_asked(cell) else ""
        )
        page, resources = super().from_notebook_node(nb, resources, **options)
        outputs = [output for cell in nb.cells for output in cell.get("outputs", ())]
        resources["jgrad_traces"] = sum("jgrad_trace" in output.get("metadata", ()) for output in outputs)
        asks = any(map(input_line.is_asked, nb.cells))
        return alive(page, key, *[input_line.script(key, self.language_code)] * asks), resources

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """The HTML of a text cell, with formulas as MathML. A link to another notebook leads to the page of it that `jgrad export` writes."""
        page = NOTEBOOK.sub(r"\1.html", super().markdown2html(context, source))
        # A link in a notebook has the signs of a heading as they are, as in JupyterLab; nbconvert quotes them in its id.
        page = HEADING.sub(lambda found: found[1] + html.escape(unquote(html.unescape(found[2]))), page)
        # What sanitizes HTML would take MathML away.
        return page if self.sanitize_html else FORMULA.sub(_in_mathml, page)


def _on_folds(metadata: Mapping[str, Any]) -> str:
    """What is written on folded outputs. A notebook in another language has it where MyST-NB reads it too."""
    own = metadata.get("mystnb")
    written = own.get("code_prompt_show") if isinstance(own, Mapping) else None
    return written if isinstance(written, str) else "Predict first, then open"


def _in_mathml(found: re.Match[str]) -> str:
    """A formula as MathML, or as it is written."""
    block = found["block"] or found["environment"]
    formula = html.unescape(block or found["inline"] or "")
    return (formula and mathml(formula, bool(block))) or found[0]


def _with_places(cell: Any, states: Mapping[str, Any]) -> Any:
    """A copy of a cell in which each trace has a place, with its static twin inside. Other widgets, which need a kernel, are left out."""
    cell = cell.copy()
    cell.metadata = cell.metadata.copy()
    if "outputs" not in cell:
        return cell
    twins: dict[str, Any] = {}  # by name, the output that holds a static twin
    outputs: list[Any] = []
    for output in cell.outputs:
        data = dict(output.get("data", {}))
        if "data" in output:
            output = {**output, "data": data, "metadata": {**output.get("metadata", {})}}
            output["metadata"].pop("jgrad_trace", None)
        trace = traits_of(data.pop(TRACE, None))
        view = data.pop(VIEW, None)
        if view is None:
            if trace is not None:
                _mark(output, trace)
            named = re.search(r'data-jgrad-twin="(\w+)"', _text(data.get("text/html", "")))
            if named:
                twins[named[1]] = output
            outputs.append(output)
            continue
        state = states.get(view.get("model_id"), {}).get("state")
        trace = traits_of(state)
        if trace is None:
            outputs += [output] if data else []
            continue
        twin = twins.get(state["twin"])
        if twin is None:
            twin = {"output_type": "display_data", "metadata": {}, "data": {}}
            outputs.append(twin)
        _mark(twin, trace)
    cell.outputs = [nbformat.from_dict(output) for output in outputs]
    return cell


def _mark(output: Any, trace: Mapping[str, Any]) -> None:
    """Make an output the place of a trace."""
    output["data"] = {"text/html": "", "text/plain": "", **output["data"]}
    output["metadata"]["jgrad_trace"] = json.dumps(trace)


def _text(value: Any) -> str:
    return "".join(value) if isinstance(value, list) else value


class NotExported(Exception):
    """Why a notebook could not be written as a page, in a sentence."""


def export(source: Path, target: Path, *, run: bool = False, slides: bool = False) -> int:
    """Write the page of a notebook, or its slides, and return how many traces it has. With `run`, the notebook is run first; its file stays as
    it is."""
    text = source.read_text(encoding="utf-8")
    try:
        notebook = nbformat.reads(text, 4)
        nbformat.validate(notebook)
    except Exception as error:  # nbformat raises many classes, also AttributeError
        raise NotExported(f"{source} is not a notebook ({_first_line(error)})") from error
    if run:
        _run(notebook, source.parent)
    page, resources = Exporter(slides).from_notebook_node(notebook, {"metadata": {"name": source.stem}})
    target.write_text(page, encoding="utf-8", errors="backslashreplace")
    traces: int = resources["jgrad_traces"]
    return traces


def _run(notebook: Any, folder: Path) -> None:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    resources = {"metadata": {"path": str(folder)}}
    try:
        NotebookClient(
            notebook, resources=resources, store_widget_state=True, on_cell_start=_Progress(notebook)
        ).execute()
    except CellExecutionError as error:
        raise NotExported(
            f"a cell raised {error.ename}: {_first_line(error.evalue)}. If it is meant to, give it the tag raises-exception"
        ) from error
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            hidden.without_verdict(output)


class _Progress:
    """Says on a terminal which cell is running; elsewhere nothing."""

    def __init__(self, notebook: Any) -> None:
        self.total = sum(cell.cell_type == "code" for cell in notebook.cells)
        self.done = 0

    def __call__(self, cell: Any, cell_index: int) -> None:
        if cell.cell_type == "code" and sys.stderr.isatty():
            self.done += 1
            end = "\n" if self.done == self.total else ""
            print(f"\rcell {self.done} of {self.total}", end=end, file=sys.stderr, flush=True)


def _first_line(error: Any) -> str:
    return next(iter(str(error).splitlines()), "")
