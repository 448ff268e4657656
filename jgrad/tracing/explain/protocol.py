"""Which rules were asked, in order, and why each was silent: what `%why --trace` prints.

A rule is silent because the words of the error are others, because the steps that it judges were not kept, or because its finder found no case. Of
a finder the line is told to which it came: what is decided there did not hold.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import groupby
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jgrad.tracing.explain.rule import Rule

OTHER_WORDS = "it is about other words"
LONGEST = 70  # characters of a line of source


@dataclass
class Asked:
    """A rule that was asked. `silent`: why it said nothing; empty if it spoke."""

    rule: Rule
    silent: str = ""


_open: ContextVar[list[Asked] | None] = ContextVar("protocol", default=None)


@contextmanager
def kept() -> Iterator[list[Asked]]:
    """The rules that are asked in this block, in order."""
    asked: list[Asked] = []
    token = _open.set(asked)
    try:
        yield asked
    finally:
        _open.reset(token)


def silent(rule: Rule, why: str) -> None:
    """Note that a rule was not asked for cases."""
    asked = _open.get()
    if asked is not None:
        asked.append(Asked(rule, why))


def watched(rule: Rule, subject: Any) -> Iterator[dict[str, Any]]:
    """The cases of a rule. If a protocol is kept, with the line to which a finder came that found none."""
    asked = _open.get()
    if asked is None:
        yield from rule.find(subject)
        return
    here = Asked(rule, "it failed")
    asked.append(here)  # before the rules that the finder asks itself
    lines: set[int] = set()
    with _lines_of(rule.find.__code__, lines):
        cases = [*rule.find(subject)]
    here.silent = "" if cases else f"it came to {_furthest(rule.find.__code__, lines)}"
    yield from cases


@contextmanager
def _lines_of(code: CodeType, found: set[int]) -> Iterator[None]:
    """The lines of a function that run in this block."""
    before = sys.gettrace()

    def within(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            found.add(frame.f_lineno)
        return within

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        return within if frame.f_code is code else None

    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


def _furthest(code: CodeType, ran: set[int]) -> str:
    """The last line of a finder that ran, of a `return` the condition before it: "`if not grads:` (rules/hooks.py:90)"."""
    found, line = "", 0
    for line in sorted(ran, reverse=True):
        found = linecache.getline(code.co_filename, line).strip()
        if found not in ("return", "continue", "break"):
            break
    folder, name = os.path.split(code.co_filename)
    shown = found if len(found) <= LONGEST else f"{found[:LONGEST]}…"
    return f"`{shown}` ({os.path.basename(folder)}/{name}:{line})"


def listing(asked: list[Asked]) -> str:
    """The rules in a table, one a line; those about other words together."""
    lines = []
    for other, group in groupby(asked, lambda one: one.silent == OTHER_WORDS):
        some = [*group]
        if other:
            codes = [*dict.fromkeys(one.rule.code for one in some)]
            lines.append(f"silent  {len(codes)} rules about other words: {codes[0]} … {codes[-1]}")
            continue
        for one in some:
            what = (
                f"silent  {one.rule.code}: {one.silent}"
                if one.silent
                else f"SPOKE   {one.rule.code}: {one.rule.when}"
            )
            lines.append(what)
    spoke = sum(not one.silent for one in asked)
    return "\n".join([f"{len(asked)} times a rule was asked, and {spoke} times one spoke:", *lines])
