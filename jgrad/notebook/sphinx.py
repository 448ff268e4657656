"""An extension of Sphinx: in a site that MyST-NB makes of notebooks, the views of their traces are alive.

    extensions = ["myst_nb", "jgrad.notebook.sphinx"]

MyST-NB keeps each form of an output until it knows what it writes. Of an output with a trace this makes one form of two: the place of the trace, and
in it the static HTML, which is shown where scripts are off. The front end is one file of the site, and only pages with a trace load it.
It is no module, since browsers load those not from a disk: a site works without a server too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from jgrad import __version__
from jgrad.views.page import front_end, key_of, place, player, traits_of
from jgrad.views.transport import STATIC, TRACE

SCRIPT, SHEET = "jgrad-views.js", "jgrad-views.css"
HTML = "text/html"
KEY = "jgrad_key"  # what a document with traces keeps the key of its page under

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
                    trace = traits_of(json.loads(forms[TRACE].astext()))
                    static = forms[HTML].astext()
                    if trace is not None:
                        self.document[KEY] = key
                        text = place(trace, static, key)
                        forms[HTML].children = [
                            nodes.raw(text=text, format="html", classes=["output", "text_html"])
                        ]


def add_files(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """A page with a trace loads the front end."""
    if doctree is not None and KEY in doctree:
        app.add_js_file(SCRIPT, loading_method="defer", **{"data-jgrad-key": doctree[KEY]})
        app.add_css_file(SHEET)


def write_files(app: Any) -> None:
    """The front end, in the folder of static files."""
    if app.builder.format == "html":
        folder = Path(app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        style = (STATIC / "jgrad.css").read_text(encoding="utf-8")
        (folder / SCRIPT).write_text(f"{front_end()}\n{player()}", encoding="utf-8")
        (folder / SHEET).write_text(style + DARK, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_post_transform(Places)
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", add_files)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
