"""A trace in one HTML file, which a browser opens without a kernel, without jgrad, and without a request to anywhere.

The file holds the front end, the documents, and a player of 1 kB that makes the views alive (`js/src/player.ts`). A Content-Security-Policy
forbids all other scripts, and all requests. Without scripts, the static twins are shown.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from typing import Any

from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.schema import TraceDocument
from jgrad.views.drawing import applicable, frame_of, known, scene_of
from jgrad.views.widget import STATIC, twin, wire

MARK = "\ue000"
TRAITS = {"document": str, "cursor": int, "views": list, "twin": str}

PAGE = """\
<!DOCTYPE html>
<html lang="en" data-jgrad-page>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>html{{color-scheme:light dark}}body{{max-width:1100px;margin:16px auto;padding:0 16px;font-family:system-ui,sans-serif}}</style>
</head>
<body>
{body}
</body>
</html>
"""


def page_of(document: TraceDocument, views: list[str] | None = None, cursor: int | None = None) -> str:
    """The HTML file of one trace: the views named, or all that apply, after `cursor` steps or at the end."""
    chosen = applicable(document) if views is None else [known(view) for view in views]
    frame = frame_of(document, cursor)
    trace = {
        "document": wire(pack(document)),
        "cursor": -1 if cursor is None else cursor,
        "views": chosen,
        "twin": "",
    }
    body = place(trace, twin([scene_of(frame, view) for view in chosen], ""))
    return alive(PAGE.format(title=html.escape(document["name"] or "trace"), body=body))


def traits_of(found: Any) -> dict[str, Any] | None:
    """What the player needs of an output's trace, or of the state of a widget; None if that is no trace. The views check the document."""
    if not isinstance(found, Mapping) or not all(
        isinstance(found.get(t), kind) for t, kind in TRAITS.items()
    ):
        return None
    return {**{trait: found[trait] for trait in TRAITS}, "twin": ""}


def place(trace: Mapping[str, Any], static: str) -> str:
    """The element in which a trace is shown; `static` is the HTML there as long as it is not alive. A trace has the traits of the widget."""
    return f'<div data-jgrad-trace="{html.escape(json.dumps(trace))}">{static}</div>'


def front_end() -> str:
    """The front end as JSON, which the player reads. No "<" is left in it, so that nothing in it can end the element that holds it."""
    module = (STATIC / "jgrad.js").read_text(encoding="utf-8")
    return json.dumps({"module": module}).replace("<", "\\u003c")


def shell() -> str:
    """A page for the front end to fill, when the reader saves a trace (`js/src/page.ts`): marks stand for its title, its style, the place of the
    trace, and the front end."""
    return alive(PAGE.format(title=f"{MARK}title", body=f"{MARK}body"), f"{MARK}style", f"{MARK}module")


def alive(page: str, style: str | None = None, data: str | None = None) -> str:
    """An HTML page with what makes the traces at its places alive."""
    player = (STATIC / "player.js").read_text(encoding="utf-8")
    style = (STATIC / "jgrad.css").read_text(encoding="utf-8") if style is None else style
    data = front_end() if data is None else data
    checksum = base64.b64encode(hashlib.sha256(player.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{checksum}' blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    tail = (
        f'<style>{style}</style>\n<script type="application/json" id="jgrad-page">{data}</script>\n'
        f'<script type="module">{player}</script>\n</body>'
    )
    first, last = page.index("<head>"), page.rindex("</body>")
    return page[:first] + head + page[first + len("<head>") : last] + tail + page[last + len("</body>") :]
