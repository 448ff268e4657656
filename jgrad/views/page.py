"""A trace in one HTML file, which a browser opens without a kernel, without jgrad, and without a request to anywhere.

The file holds the front end, a player of 1 kB that makes the views alive (`js/src/player.ts`), and the documents. A Content-Security-Policy
forbids all other scripts, and all requests. Without scripts, the static twins are shown.

A page of a notebook also holds any HTML that the notebook has. So the policy and the script come first in the page, where nothing is before them.
Nothing else in the page is read as code. A place of a trace has the key of the page, which the notebook can't know when it is written.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.processes import lined_up
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.wording import in_its_words
from jgrad.views.drawing import applicable, frame_of, known, scene_of
from jgrad.views.transport import STATIC, wire
from jgrad.views.twin import twin

MARK = "\ue000"
TRAITS = {"document": str, "cursor": int, "views": list, "twin": str}

POLICY = (
    "default-src 'none'; script-src {checksums}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)
HEAD = """\
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
{scripts}
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en" data-jgrad-page>
<head>
<title>{title}</title>
<style>html{{color-scheme:light dark}}body{{max-width:1100px;margin:16px auto;padding:0 16px;font-family:system-ui,sans-serif}}</style>
</head>
<body>
{body}
</body>
</html>
"""

# What `link_page` has in place of a trace, and in place of a key: nothing of a stranger is in it.
NO_TRACE = "<p>This page shows a trace of jgrad that is in its address. The address has none, or scripts are off.</p>"
LINKED = "linked"
LONGEST_LINK = 60_000  # characters

# No policy holds these back: a page that sends its reader elsewhere, connections to a site without a request, and a page within the page, which may
# hold the others in an attribute. They get attributes that do nothing, and of two attributes of a name only the first one counts. A policy holds scripts
# back, but not those that could take its key from the page's own script.
STILL = {
    "script": 'type="text/plain"',
    "meta": 'http-equiv=""',
    "link": 'rel=""',
    "iframe": 'sandbox="" srcdoc=""',
    "form": 'action="" method="dialog"',
    "button": 'formaction="" formmethod="dialog"',
    "input": 'formaction="" formmethod="dialog"',
}
# What ends the text may go on in what follows it.
MOVING = re.compile(rf"<({'|'.join(STILL)})(?=[\t\n\f\r />]|\Z)", re.IGNORECASE)


class Script(NamedTuple):
    """A script of a page, and the attributes of its element, in which there is no code."""

    text: str
    attributes: str

    def element(self) -> str:
        return f"<script {self.attributes}>{self.text}</script>"


def page_of(*documents: TraceDocument, views: list[str] | None = None, cursor: int | None = None) -> str:
    """The HTML file of traces, one below the other: the views named, or all that apply, after `cursor` steps or at the end. The traces of processes of one
    start go through their steps together."""
    shown = [*map(in_its_words, documents)]
    sent = [wire(pack(document)) for document in shown]
    key = key_of("".join(sent))
    body = "\n".join([
        _section(document, text, key, views, cursor, marks) for document, text, marks in zip(shown, sent, lined_up(documents), strict=True)
    ])  # fmt: skip
    title = ", ".join([document["name"] or "trace" for document in documents])
    return alive(PAGE.format(title=html.escape(title), body=body), key)


def _section(
    document: TraceDocument,
    sent: str,
    key: str,
    views: list[str] | None,
    cursor: int | None,
    marks: list[int],
) -> str:
    """The place of one trace."""
    chosen = applicable(document) if views is None else [known(view) for view in views]
    frame = frame_of(document, cursor)
    trace = {
        "document": sent,
        "cursor": -1 if cursor is None else cursor,
        "views": chosen,
        "twin": "",
    }
    if marks:
        trace["marks"] = marks
    return place(trace, twin([scene_of(frame, view) for view in chosen], ""), key)


def link_page() -> str:
    """The HTML file that shows the trace in its own address: a page for any server, or for no server."""
    return alive(PAGE.format(title="A trace of jgrad", body=_element("", LINKED, NO_TRACE)), LINKED)


def link_of(document: TraceDocument, page: str) -> str:
    """The address of a page of `link_page` that shows a trace. The document is in its fragment, which no browser sends to a server."""
    shown = in_its_words(document)
    fragment = urlencode({"views": ",".join(applicable(shown)), "document": wire(pack(shown))})
    if len(fragment) > LONGEST_LINK:
        raise ValueError(
            f"the link would have {len(fragment):,} characters, and mail, chats and browsers cut addresses of more than {LONGEST_LINK:,}: "
            "save the trace as a page instead, as with trace.save('trace.html')"
        )
    return f"{page.partition('#')[0]}#{fragment}"


def traits_of(found: Any) -> dict[str, Any] | None:
    """What the player needs of an output's trace, or of the state of a widget; None if that is no trace. The views check the document."""
    if not isinstance(found, Mapping) or not all(
        isinstance(found.get(t), kind) for t, kind in TRAITS.items()
    ):
        return None
    return {**{trait: found[trait] for trait in TRAITS}, "twin": ""}


def key_of(content: str) -> str:
    """The key of a page with this content. The content can't hold it."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def place(trace: Mapping[str, Any], static: str, key: str) -> str:
    """The element in which a trace is shown; `static` is the HTML there as long as it is not alive. A trace has the traits of the widget."""
    return _element(f'data-jgrad-trace="{html.escape(json.dumps(trace))}"', key, static)


def _element(trace: str, key: str, static: str) -> str:
    return f'<div data-jgrad-key="{key}" {trace}>{static}</div>'


def front_end() -> str:
    """The front end as a script that sets `jgrad`: its module without the exports, which are the last line."""
    return (STATIC / "jgrad.js").read_text(encoding="utf-8").rpartition("\nexport ")[0]


def player() -> str:
    """The script that makes the traces of a page alive, after the front end."""
    return (STATIC / "player.js").read_text(encoding="utf-8")


def shell() -> str:
    """A page for the front end to fill, when the reader saves a trace (`js/src/page.ts`): marks stand for its title, its style, its key, the place of
    the trace, and the front end."""
    page = PAGE.format(title=f"{MARK}title", body=f"{MARK}body")
    return _with_head(page, f"{MARK}key", f"{MARK}style", f"{MARK}script{player()}")


def alive(page: str, key: str, *more: Script) -> str:
    """An HTML page in which the places with this key are alive, no other script runs than its own and `more`, and nothing is asked of any site."""
    style = (STATIC / "jgrad.css").read_text(encoding="utf-8")
    return _with_head(still(page), key, style, _script(), *more)


def still(text: str) -> str:
    """HTML of a notebook, in which what no policy holds back does nothing."""
    return MOVING.sub(lambda found: f"{found[0]} {STILL[found[1].lower()]}", text)


def _script() -> str:
    return f"{front_end()}\n{player()}"


def _with_head(page: str, key: str, style: str, script: str, *more: Script) -> str:
    """A page with a policy that allows these scripts alone, before all that is in the page."""
    allowed = " ".join(_checksum(text) for text in (_script(), *(one.text for one in more)))
    scripts = "\n".join(one.element() for one in (Script(script, f'data-jgrad-key="{key}"'), *more))
    head = HEAD.format(policy=POLICY.format(checksums=allowed), scripts=scripts)
    first, last = page.index("<head>"), page.index("</head>")
    return (
        page[:first] + head + page[first + len("<head>") : last] + f"<style>{style}</style>\n" + page[last:]
    )


def _checksum(script: str) -> str:
    """How a policy names a script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
