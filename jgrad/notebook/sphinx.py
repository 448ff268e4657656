"""An extension of Sphinx: in a site that MyST-NB makes of notebooks, the views of their traces are alive.

    extensions = ["myst_nb", "jgrad.notebook.sphinx"]

MyST-NB keeps each form of an output until it knows what it writes. Of an output with a trace this makes one form of two: the place of the trace, and
in it the static HTML, which is shown where scripts are off. The front end is one file of the site, and only pages with a trace load it.
It is no module, since browsers load those not from a disk: a site works without a server too.

With `jgrad_inert = True` no page of the site runs a script that a notebook or another page of text holds, or asks another site for anything. Each
page has a policy that names the scripts of the theme and of Sphinx by a key, and HTML of texts is made inert as it is in an exported page.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from jinja2 import DictLoader
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from jgrad import __version__
from jgrad.notebook import hidden, input_line
from jgrad.notebook.hidden import ASKED_FOR
from jgrad.views.page import front_end, key_of, place, player, still, traits_of
from jgrad.views.transport import STATIC, TRACE

SCRIPT, SHEET = "jgrad-views.js", "jgrad-views.css"
PREDICT = "jgrad-predict.js"
HTML = "text/html"
KEY = "jgrad_key"  # what a document with traces keeps the key of its page under
ASKS = "jgrad_asks"  # what a document with input lines keeps the attributes of their script under
DONE = "jgrad_inert"  # what HTML has that is inert

# A page whose template this is becomes inert when it is written.
TEMPLATE, AROUND = "jgrad-inert.html", "{% filter jgrad_inert %}{% include jgrad_template %}{% endfilter %}"
POLICY = (
    "default-src 'none'; script-src 'nonce-{key}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'"
)
# A script of the theme or of Sphinx: it stands in the page, or in a file of the site. A script of a text has a type that is not run.
OWN_SCRIPT = re.compile(r'<script(?! type="text/plain")(?![^>]* src="(?:[\w+.-]+:|//))(?=[ >])')

# What shows colours by the theme of the page: Furo's button says "auto" as long as the reader has not chosen.
DARK = """
[data-theme="dark"] :is(.jg, .jgrad-twin img) { color-scheme: dark }
[data-theme="light"] :is(.jg, .jgrad-twin img) { color-scheme: light }
@media (prefers-color-scheme: dark) { [data-theme="auto"] :is(.jg, .jgrad-twin img) { color-scheme: dark } }
"""


class Traces:
    """Tells MyST-NB that traces are known. (An entry point in `pyproject.toml` names this class.)"""

    mime_priority_overrides = ()

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Element] | None:
        if data.mime_type == ASKED_FOR:
            return []  # not shown: `InputLines` reads it
        if data.mime_type != TRACE:
            return None
        found = json.loads(data.string) if isinstance(data.content, str | bytes) else data.content
        return [nodes.raw(text=json.dumps(found), format=TRACE)]


class Places(SphinxPostTransform):
    """Puts the places of traces around their static HTML, before MyST-NB chooses a form for each output."""

    default_priority = 3
    formats = ("html",)

    def run(self, **_: Any) -> None:
        key = key_of(self.document.astext())
        for bundle in self.document.findall(nodes.container):
            if bundle.get("nb_element") == "mime_bundle":
                forms = {form["mime_type"]: form for form in bundle.children}
                if TRACE in forms and HTML in forms:
                    found = json.loads(forms[TRACE].astext())
                    trace = traits_of(found)
                    static = forms[HTML].astext()
                    if trace is not None:
                        trace["play"] = found.get("play") is True
                        self.document[KEY] = key
                        text = place(trace, static, key)
                        forms[HTML].children = [
                            nodes.raw(text=text, format="html", classes=["output", "text_html"])
                        ]


class InputLines(SphinxPostTransform):
    """Puts the places of input lines into outputs that are to be predicted, before MyST-NB folds these."""

    default_priority = 3
    formats = ("html",)

    def run(self, **_: Any) -> None:
        cells = [one for one in self.document.findall(nodes.container) if _is_to_be_predicted(one)]
        if not cells:
            return
        stored = json.loads(Path(self.document["source"]).read_text(encoding="utf-8"))
        key = key_of(self.document.astext())
        for cell in cells:
            found = stored["cells"][cell["cell_index"]]
            if input_line.is_asked(found):
                cell.children[-1].insert(0, nodes.raw(text=input_line.place(found, key), format="html"))
                language = str(stored["metadata"].get("lang", "en"))
                self.document[ASKS] = input_line.attributes(key, language)


def _is_to_be_predicted(node: nodes.container) -> bool:
    """Whether this is a cell of a notebook with the tag."""
    metadata = node.get("cell_metadata") or {}
    return node.get("nb_element") == "cell_code" and hidden.ASKED in metadata.get("tags", ())


def add_files(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """A page with a trace loads the front end, and one with input lines their script."""
    if doctree is not None and KEY in doctree:
        app.add_js_file(SCRIPT, loading_method="defer", **{"data-jgrad-key": doctree[KEY]})
        app.add_css_file(SHEET)
    if doctree is not None and ASKS in doctree:
        app.add_js_file(PREDICT, loading_method="defer", **doctree[ASKS])


def write_files(app: Any) -> None:
    """The front end, in the folder of static files."""
    if app.builder.format == "html":
        folder = Path(app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        style = (STATIC / "jgrad.css").read_text(encoding="utf-8")
        (folder / SCRIPT).write_text(f"{front_end()}\n{player()}", encoding="utf-8")
        (folder / PREDICT).write_text(input_line.source(), encoding="utf-8")
        (folder / SHEET).write_text(style + DARK, encoding="utf-8")


def make_inert(app: Any, document: nodes.document, _name: str = "") -> None:
    """HTML of a text does nothing by itself. Titles are taken when a document has been read, and some outputs come when it is written."""
    if app.config.jgrad_inert:
        # A theme may read the titles in its lists of pages, and write them in other words, with other attributes. So they hold no HTML.
        for title in document.findall(nodes.title):
            for raw in list(title.findall(nodes.raw)):
                raw.parent.remove(raw)
        for raw in document.findall(nodes.raw):
            if "html" in raw["format"].split() and DONE not in raw:
                raw.children = [nodes.Text(still(raw.astext()))]
                raw[DONE] = True
        for meta in document.findall(nodes.meta):
            meta.attributes.pop("http-equiv", None)


def prepare_template(app: Any) -> None:
    if app.config.jgrad_inert and app.builder.format == "html":
        app.builder.templates.loaders.append(DictLoader({TEMPLATE: AROUND}))
        app.builder.templates.environment.filters[DONE] = inert


def choose_template(app: Any, page: str, template: str, context: Any, doctree: Any) -> str | None:
    if not app.config.jgrad_inert:
        return None
    context["jgrad_template"] = template
    return TEMPLATE


def inert(page: str) -> str:
    """A page with a policy, before all else, that allows the scripts of the theme and of Sphinx. The page can't hold their key, which is its checksum."""
    key = key_of(page)
    page = OWN_SCRIPT.sub(f'<script nonce="{key}"', page)
    policy = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY.format(key=key)}">'
    page, heads = re.subn("<head( [^>]*)?>", lambda head: head[0] + policy, page, count=1)
    if not heads:
        raise ExtensionError("jgrad_inert: a page of this theme has no <head>, and nothing protects it.")
    return page


def setup(app: Any) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_config_value(DONE, False, "env", bool)
    app.add_post_transform(Places)
    app.add_post_transform(InputLines)
    app.connect("builder-inited", write_files)
    app.connect("builder-inited", prepare_template)
    app.connect("doctree-read", make_inert, priority=0)
    app.connect("doctree-resolved", make_inert, priority=999)
    app.connect("html-page-context", add_files)
    app.connect("html-page-context", choose_template, priority=999)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
