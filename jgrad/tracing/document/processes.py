"""Which steps of the documents of several processes belong together: they run one program, and wait for each other where they exchange tensors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.record.records import EXCHANGES

RANK = re.compile(r"(.*), rank \d+ of (\d+)")
# The round, or None where there are no rounds; what ran; how often it had run in this round.
Milestone = tuple[int | None, str, int]


def lined_up(documents: Sequence[TraceDocument]) -> list[list[int]]:
    """For each document the cursors at which what all of them did was over: the n-th of one belongs to the n-th of each other one. Empty lists
    for documents that are not those of the processes of one start."""
    starts = {found and found.groups() for found in (RANK.fullmatch(d["name"]) for d in documents)}
    if len(documents) < 2 or len(starts) > 1 or None in starts:
        return [[] for _ in documents]
    found = [_milestones(document) for document in documents]
    last = [0] * len(found)
    common: list[list[int]] = []
    for key in found[0]:
        cursors = [one.get(key, 0) for one in found]
        if all(now > before for now, before in zip(cursors, last, strict=True)):
            common.append(cursors)
            last = cursors
    return [[cursors[i] for cursors in common] for i in range(len(found))]


def _milestones(document: TraceDocument) -> dict[Milestone, int]:
    """Where rounds, backward calls and exchanges are over, in order. (A gap may have hidden some, so they are counted anew in each round.)"""
    rounds = document.get("rounds")
    begins = {} if rounds is None else {begin: number for number, begin, _ in rounds["kept"]}
    ends = {} if rounds is None else {end: number for number, _, end in rounds["kept"]}
    number: int | None = None
    seen: Counter[str] = Counter()
    found: dict[Milestone, int] = {}
    for cursor, step in enumerate(document["steps"], 1):
        if cursor - 1 in begins or step["kind"] == "gap":
            number, seen = begins.get(cursor - 1), Counter()
        if step["kind"] == "backward" or step["op"] in EXCHANGES:
            key = f"{step['op']} {step['line']}"
            found.setdefault((number, key, seen[key]), cursor)
            seen[key] += 1
        if cursor in ends:
            found.setdefault((ends[cursor], "end", 0), cursor)
    return found
