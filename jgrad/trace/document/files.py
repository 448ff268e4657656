"""Reading saved trace documents: what is none is refused with a sentence."""

from __future__ import annotations

import json
import os
from typing import Any

from jgrad.trace.document.document import SCHEMA
from jgrad.trace.document.packing import unpack


def load(path: str | os.PathLike) -> dict[str, Any]:
    """Read a trace document that was saved; refuses anything else with a sentence."""
    with open(path, encoding="utf-8") as file:
        try:
            document = json.load(file)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{os.fspath(path)} is not a trace document: it is not JSON ({error})") from None
    return check(unpacked(document, os.fspath(path)), os.fspath(path))


def unpacked(found: Any, what: str = "this") -> Any:
    """What a file or message held, as the document it stands for."""
    if not isinstance(found, dict) or "packed" not in found or found.get("schema") != SCHEMA:
        return found
    try:
        return unpack(found)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{what} is a broken trace document: it can't be unpacked ({error})") from None


def check(document: Any, what: str = "this") -> dict[str, Any]:
    """Refuse what is not a trace document of the schema that this jgrad reads."""
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema is None:
        raise ValueError(f'{what} is not a trace document: it has no "schema"')
    if schema != SCHEMA:
        raise ValueError(f"{what} is a trace document of schema {schema!r}; this jgrad reads {SCHEMA!r}")
    wanted = {
        "name": str,
        "source": list,
        "storages": list,
        "tensors": list,
        "nodes": list,
        "steps": list,
        "notes": list,
    }
    wrong = [key for key, kind in wanted.items() if not isinstance(document.get(key), kind)]
    if wrong:
        raise ValueError(
            f"{what} is a broken trace document: {', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} missing or wrong"
        )
    return document
