"""The language in which predictions and exercises of a lesson are answered: that of the lesson.

A notebook of another language lies in a folder of its name, such as `zh`, and a kernel starts in the folder of its notebook. Where it does not, the
variable `JGRAD_LANG` names the language. A sentence is a template with named parts, and `jgrad/translations/` has it in other languages. One that is
not there is said in English.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

TRANSLATIONS = Path(__file__).with_name("translations")

_known: dict[str, str] = {}


def of_this_folder() -> str:
    """The language of the notebooks in the folder where Python runs."""
    with suppress(OSError):  # The folder may be gone.
        return os.environ.get("JGRAD_LANG") or Path.cwd().name
    return ""


def use(language: str) -> None:
    """Say sentences in a language from now on; in English, if there are none in it."""
    _known.clear()
    file = TRANSLATIONS / f"{language}.json"
    if language.isalpha() and file.exists():
        pairs = json.loads(file.read_text(encoding="utf-8")).values()
        _known.update(pair for found in pairs for pair in found)


def say(template: str, /, **parts: object) -> str:
    """A sentence in the language of the lesson, with its parts."""
    said = _known.get(template) or template
    return said.format(**parts) if parts else said


use(of_this_folder())
