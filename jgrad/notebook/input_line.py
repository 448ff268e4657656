"""The input line of cells with hidden outputs, on pages without a kernel: what the reader predicts is compared with what is stored.

A page has for each such cell a place with what the cell showed, as plain data, inside of its fold. The script that reads it (`js/src/predict/`) is
`%%predict` in the browser: `tests/notebook/predictions.json` holds the two to the same sentences. Only pages with such cells have the script.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jgrad.language import TRANSLATIONS, say
from jgrad.notebook import hidden
from jgrad.notebook.hidden import ASKED_FOR, VERDICT
from jgrad.notebook.printed import MOST
from jgrad.views.page import Script
from jgrad.views.transport import STATIC, TRACE

ANSI = re.compile(r"\x1b\[[0-9;]*m")
MISSING = re.compile(r"name '(\w+)' is not defined")
# Whose sentences the script says.
SOURCES = (
    "notebook/answers.py",
    "notebook/prediction.py",
    "notebook/predicting.py",
    "notebook/input_line.py",
)


def own() -> list[str]:
    """What the script says besides the sentences of `%%predict`: `docs.translate` finds them here, and a test holds the script to them."""
    return [
        say("What do you predict?"),
        say("Compare"),
        say("Write what you expect, such as 3, or True, 5. You see here how much of it is right."),
        say("Write it in another way, or open the result."),
    ]


def is_asked(cell: Any) -> bool:
    """Whether a cell gets an input line: its outputs are hidden, stored, and to be predicted."""
    return hidden.is_asked(cell) and bool(cell.get("outputs"))


def shown(cell: Any) -> dict[str, Any]:
    """What a cell showed, of its stored outputs, as `prediction.seen_of` takes it."""
    found: dict[str, Any] = {"text": "", "error": None, "warned": False, "missing": None, "asked": []}
    for output in cell["outputs"]:
        kind, data = output["output_type"], output.get("data", {})
        if kind == "stream" and output["name"] == "stderr":
            found["warned"] |= "Warning:" in _text(output["text"])
        elif kind == "stream":
            found["text"] += _text(output["text"])
        elif kind == "error":
            found["error"] = output["ename"]
            missing = (
                MISSING.search(ANSI.sub("", output["evalue"])) if output["ename"] == "NameError" else None
            )
            found["missing"] = missing and missing[1]
        elif kind == "execute_result" and TRACE not in data:
            found["text"] += f"\n{_text(data.get('text/plain', ''))}"
        if VERDICT not in _text(data.get("text/html", "")) or ASKED_FOR in data:
            found["asked"] += [one for one in data.get(ASKED_FOR, ()) if _is_asked(one)]
    return {**found, "text": found["text"][:MOST]}


def _is_asked(one: Any) -> bool:
    """Whether this is what `%%predict` stores. A file may hold anything."""
    texts = isinstance(one, dict) and all(isinstance(value, str) for value in one.values())
    return texts and "name" in one and ("text" in one or "shows" in one)


def place(cell: Any, key: str) -> str:
    """The element that belongs into the fold of a cell."""
    return f'<div hidden data-jgrad-asks="{key}" data-jgrad-shown="{html.escape(json.dumps(shown(cell)))}"></div>'


def attributes(key: str, language: str) -> dict[str, str]:
    """What the element of the script has: the key of the page, and the sentences of its language."""
    return {"data-jgrad-key": key, "data-jgrad-words": json.dumps(_words(language))}


def script(key: str, language: str) -> Script:
    """The script of a page in this language."""
    written = " ".join(f'{name}="{html.escape(value)}"' for name, value in attributes(key, language).items())
    return Script(source(), written)


def source() -> str:
    return (STATIC / "predict.js").read_text(encoding="utf-8")


@cache
def _words(language: str) -> Mapping[str, str]:
    """The sentences of a language by the English ones."""
    file = TRANSLATIONS / f"{language}.json"
    if not language.isalpha() or not file.exists():
        return {}
    found = json.loads(file.read_text(encoding="utf-8"))
    return dict(pair for source in SOURCES for pair in found.get(source, ()))


def _text(value: Any) -> str:
    return "".join(value) if isinstance(value, list) else str(value)
