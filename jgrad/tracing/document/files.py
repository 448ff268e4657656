"""Reading saved trace documents: what is none is refused with a sentence."""

from __future__ import annotations

import json
import os
from typing import Any

from jgrad.tracing.document.check import check_shape
from jgrad.tracing.document.packing import unpack
from jgrad.tracing.document.schema import SCHEMA, TraceDocument


def load(path: str | os.PathLike) -> TraceDocument:
    """Read a trace document that was saved; refuses anything else with a sentence."""
    with open(path, encoding="utf-8") as file:
        try:
            document = json.load(file)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{os.fspath(path)} is not a trace document: it is not JSON ({error})") from None
    return check_shape(unpacked(document, os.fspath(path)), os.fspath(path))


def unpacked(found: Any, what: str = "this") -> Any:
    """What a file or message held, as the document it stands for."""
    if not isinstance(found, dict) or "packed" not in found or found.get("schema") != SCHEMA:
        return found
    try:
        return unpack(found)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{what} is a broken trace document: it can't be unpacked ({error})") from None
