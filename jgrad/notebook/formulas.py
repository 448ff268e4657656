"""Formulas as MathML, which browsers draw themselves: in exported pages, and on the site of the docs."""

from __future__ import annotations

import html
import importlib.util
from xml.etree import ElementTree


def mathml(formula: str, block: bool) -> str | None:
    """A formula of LaTeX as MathML; None where latex2mathml is not installed or does not know a command."""
    if importlib.util.find_spec("latex2mathml") is None:
        return None
    from latex2mathml.converter import convert_to_element

    try:
        found = convert_to_element(formula, display="block" if block else "inline")
    except Exception:  # it raises many classes
        return None
    for part in found.iter():
        part.text = html.unescape(part.text or "")  # it writes signs as entities
    return ElementTree.tostring(found, encoding="unicode")
