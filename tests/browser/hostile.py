"""A thousand texts that would run a script if anything took them for markup, and documents that are full of them."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any

import jgrad

HACK = "window.hacked=1"
ENDINGS = (
    "",
    '"',
    "'",
    "-->",
    "]]>",
    "</text>",
    "</title>",
    "</style>",
    "</script>",
    "</textarea>",
    "\\u003c/script>",
)
MARKUP = (
    f"<script>{HACK}</script>",
    f"<img src=x onerror={HACK}>",
    f"<svg onload={HACK}></svg>",
    f"<svg><script>{HACK}</script></svg>",
    f"<iframe srcdoc='<script>parent.{HACK}</script>'></iframe>",
    f"<details open ontoggle={HACK}>x</details>",
    f'<input autofocus onfocus="{HACK}">',
    f'<a href="javascript:{HACK}">x</a>',
    f"<style>@import 'x'</style><b style=animation:x onanimationstart={HACK}>",
    f"<math><mtext><script>{HACK}</script></mtext></math>",
    f' onload="{HACK}" x="',
    f"' onmouseover='{HACK}",
    f"&lt;script&gt;{HACK}&lt;/script&gt;",
)
TAILS = ("", "\x00", "\u202e", "\ud800", "{0}%s${HACK}`", "\r\n\x1b[31m", "\u2028")
TEXTS = ["".join(parts) for parts in itertools.product(ENDINGS, MARKUP, TAILS)]
assert len(TEXTS) >= 1000

# What a reader holds to a list of known words, or to a form, and refuses otherwise.
KNOWN = {"kind", "severity", "origin", "action", "schema", "reduce", "code", "figures", "problem"}


def documents(source: str, of: Sequence[str] = TEXTS) -> Iterator[dict[str, Any]]:
    """Documents of a traced cell whose free strings are all of these texts, each once or more often."""
    with jgrad.trace("hostile") as trace:
        exec(compile(source, "hostile", "exec"), {"jgrad": jgrad})
    texts = iter(of)
    while True:
        document = _spoilt(copy.deepcopy(trace.document), texts)
        # A file holds no half of a surrogate pair.
        lines = [next(texts, TEXTS[0]).encode("utf-8", "replace").decode() for _ in range(3)]
        document["source"] = [line.splitlines()[0] or "x" for line in lines]
        for i, step in enumerate(document["steps"]):
            step["line"] = 1 + i % 3
        yield document
        if (left := next(texts, None)) is None:
            return
        texts = itertools.chain([left], texts)


def _spoilt(thing: Any, texts: Iterator[str], key: str = "") -> Any:
    if isinstance(thing, dict):
        return {k: _spoilt(v, texts, k) for k, v in thing.items()}
    if isinstance(thing, list):
        return [_spoilt(v, texts, key) for v in thing]
    return next(texts, TEXTS[0]) + thing if isinstance(thing, str) and key not in KNOWN else thing


def wire_of(document: dict[str, Any]) -> str:
    """A document as it is sent. Half a surrogate pair travels as JSON writes it."""
    return json.dumps(document)
