"""The diagnosis of a trace as text and as HTML without scripts. `js/src/diagnosis.ts` shows it in the live header."""

from __future__ import annotations

import html
from collections.abc import Sequence

from jgrad.tracing.document.passage import printable
from jgrad.tracing.document.schema import Diagnosis, Part, TraceDocument
from jgrad.views.scene import wrap

STYLE = (
    ".jgrad-said{border-left:4px solid #59626c;padding-left:12px;margin:0 0 8px}.jgrad-said.error{border-color:#c3182b}"
    ".jgrad-said.warning{border-color:#a8327e}.jgrad-said p{margin:0 0 4px}.jgrad-said p:first-child{font-size:19px;font-weight:600}"
)


def in_text(document: TraceDocument, wide: int) -> str:
    """The sentences in lines of at most so many columns; nothing where a document has none."""
    found = document.get("diagnosis")
    if found is None:
        return ""
    sentences = [words(found[key]) for key in ("headline", "more", "repair") if found[key]]
    lines = [line for said in sentences for line in wrap(printable(said), wide)]
    return "\n".join([*lines, "", ""])


def words(parts: Sequence[Part]) -> str:
    """A sentence in words."""
    return "".join([f"({part['text']})" if part.get("aside") else part["text"] for part in parts])


def in_html(found: Diagnosis) -> str:
    """The sentences as HTML, code as code. What was raised is not repeated: it stands below as the cell's own error."""
    said = [f"<p>{_html(found[key])}</p>" for key in ("headline", "more", "repair") if found[key]]
    return f'<div class="jgrad-said {html.escape(found["severity"])}">{"".join(said)}</div>'


def _html(parts: Sequence[Part]) -> str:
    tags = {"text": "{}", "code": "<code>{}</code>", "number": "<b>{}</b>", "line": "{}"}
    said = [tags[part["kind"]].format(html.escape(part["text"])) for part in parts]
    return "".join(
        [f"({text})" if part.get("aside") else text for part, text in zip(parts, said, strict=True)]
    )
