"""Reading what a cell printed, or what a learner wrote, as values: numbers, nested lists of them, names such as float32.

    read("tensor([5.], requires_grad=True)")    # [[5.0]]
    read("jgrad.Size([3]) jgrad.float32")       # [[3], "float32"]

Both sides of a comparison are read in this way, so a learner may write `5`, `[5]`, `(5.,)` or `tensor([5.])`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# A number, a text, a list of values, None, True or False.
Value = Any

MOST = 100_000  # characters that are read; a cell may print megabytes
DEEP = 60  # brackets within brackets

TOKEN = re.compile(
    r"(?P<space>[\s,;]+)"
    r"|(?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[jJ]?(?![\w]))"
    r"|(?P<open>[\[({])|(?P<close>[\])}])"
    r"|(?P<quoted>'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<node><[^<>\n]*>)"
    r"|(?P<word>[-+]?[^\W\d][\w.]*(?:'(?:t|s|re|ve|ll|d|m)\b(?!'))?)"
    r"|(?P<other>.)"
)
TWINS = {"[": "]", "(": ")", "{": "}"}
# Functions that stand for what is in their brackets.
MAKERS = ("tensor", "Size", "array", "Parameter", "list", "tuple")
WORDS: dict[str, Value] = {"none": None, "true": True, "false": False, "yes": True, "no": False}
# Names that are an answer; other words beside numbers only say what these are.
NAMED = re.compile(
    r"(u?int|float|bfloat|complex)\d+\w*|bool|strided|sparse_\w+|\w+(Backward|Grad)\d*|\w*Error"
)


class Unreadable(Exception):
    """A text in which a bracket or a quotation mark has no twin, or which the reason says."""


def read(text: str) -> list[Value]:
    """The values in a text, in their order. Words beside other values are left out: they are labels."""
    found, _ = _values(_tokens(text[:MOST]), "", 0)
    return without_labels(found)


def lines(text: str) -> list[tuple[int, list[Value]]]:
    """The values of each line that has any, with the number of the line from 1. A tensor that takes several lines belongs to its first one."""
    rows: list[tuple[int, list[Value]]] = []
    row, number, depth = "", 1, 0
    for at, line in enumerate(text[:MOST].split("\n"), 1):
        if depth <= 0:
            row, number, depth = "", at, 0
        row += f"{line}\n"
        depth += sum(line.count(c) for c in "[(") - sum(line.count(c) for c in "])")
        if depth <= 0 and row.strip():
            try:
                rows.append((number, read(row)))
            except Unreadable:
                rows.append((number, []))
    return [(number, values) for number, values in rows if values]


def numbers_of(value: Value) -> Iterator[Value]:
    """The values in a value that are no lists, in their order."""
    if isinstance(value, list):
        for one in value:
            yield from numbers_of(one)
    else:
        yield value


def without_labels(values: list[Value]) -> list[Value]:
    named = [v for v in values if not isinstance(v, Label) or NAMED.fullmatch(v)]
    return [str(v) if isinstance(v, str) else v for v in named or values]


class Label(str):
    """A word that stood without quotation marks."""


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for token in TOKEN.finditer(text):
        if token.lastgroup != "space":
            yield token.lastgroup or "other", token[0]


def _values(tokens: Iterator[tuple[str, str]], until: str, depth: int) -> tuple[list[Value], str]:
    """The values up to a closing bracket, or to the end."""
    if depth > DEEP:
        raise Unreadable
    found: list[Value] = []
    for kind, text in tokens:
        if kind == "close":
            if text != until:
                raise Unreadable
            return found, text
        if kind == "open":
            inner, _ = _values(tokens, TWINS[text], depth + 1)
            name = found.pop() if text == "(" and found and _calls(found[-1]) else None
            found.append(inner if name is None else inner[0] if inner else [])
        elif kind == "number":
            found.append((complex if text[-1] in "jJ" else float)(text.replace("_", "")))
        elif kind == "quoted":
            found.append(text[1:-1])
        elif kind == "node":
            found.append(Label(re.split(r"[ .]", text[1:-1])[0]))
        elif kind == "word":
            found.append(_word(text))
        elif text in "'\"":
            raise Unreadable
    if until:
        raise Unreadable
    return found, ""


def _calls(value: Value) -> bool:
    """Whether a word makes a value of what stands in the brackets behind it: `tensor([1.])`, `Size([1])`."""
    return isinstance(value, Label) and value.rpartition(".")[2] in MAKERS


def _word(text: str) -> Value:
    plain = re.sub(r"^(jgrad|torch|np|numpy)\.", "", text)
    if re.fullmatch(r"[-+]?(nan|inf(inity)?)\.?", plain, re.I):
        return float(plain.rstrip("."))
    return WORDS.get(plain.lower(), Label(plain))
