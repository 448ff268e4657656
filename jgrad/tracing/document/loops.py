"""How the iterations of loops are found in a list of items, also of loops within loops, and how they fold."""

from __future__ import annotations

from bisect import bisect_right
from typing import TypedDict

CANDIDATES = 64  # at most so many periods are tried at one position
PIECE = 256  # at most so many signs are compared at once


class Loop(TypedDict):
    """A repetition."""

    begin: int
    """Where it begins. That of an inner loop counts from the start of the iteration around it."""
    period: int
    """How many items an iteration has."""
    times: int
    """How many iterations there are."""
    inner: list[Loop]
    """The repetitions in an iteration."""


# Items that are drawn as one: the first, the end (exclusive), and the loop whose iterations they are (None for a single item).
Unit = tuple[int, int, Loop | None]


def loops_of(signs: list[str], least: int) -> list[Loop]:
    """The repetitions in a list of signs (equal items have equal signs). A fold keeps the first and one more iteration. Only repetitions of
    which it would then hide at least `least` signs are found."""
    places: dict[str, list[int]] = {}
    for i in range(len(signs)):
        places.setdefault(signs[i], []).append(i)
    ends: dict[int, int] = {}  # by period: where what was compared last ends
    found: list[Loop] = []
    i = 0
    while i < len(signs):
        same = places[signs[i]]
        period, times = _longest(signs, i, same, bisect_right(same, i), ends)
        if (times - 2) * period >= least:
            inner = loops_of(signs[i : i + period], least)
            found.append({"begin": i, "period": period, "times": times, "inner": inner})
            i += times * period
        else:
            i += 1
    return found


def _longest(signs: list[str], i: int, places: list[int], nth: int, ends: dict[int, int]) -> tuple[int, int]:
    """The period and the number of iterations of the longest repetition that starts at i and has at least three iterations. `places` are the
    positions of the sign at i; `nth` of them are up to i. What repeats from an earlier position on ends at the same place from here on, so for
    each period no sign is compared twice."""
    period, times = 1, 1
    for at in range(nth, min(nth + CANDIDATES, len(places))):
        p = places[at] - i
        if i + 3 * p > len(signs):
            break
        # Where nothing repeats, most periods fail here.
        if signs[i + 2 * p] != signs[i] or signs[i + p - 1] != signs[i + 2 * p - 1]:
            continue
        same = ends.get(p, 0)
        if same <= i + p:
            same = _same(signs, i, p)
            ends[p] = same
        n = (same - i) // p
        if n >= 3 and n * p > times * period:
            period, times = p, n
        if same == len(signs):
            break
    return period, times


def _same(signs: list[str], i: int, p: int) -> int:
    """The end of what repeats with period p from i on. It is compared in pieces, which takes a tenth of the time of sign by sign. The first
    pieces are small: where nothing repeats for long, large ones would take most of the time."""
    same, size = i + p, 1
    while (piece := signs[same : same + size]) and piece == signs[same - p : same - p + len(piece)]:
        same += len(piece)
        size = min(2 * size, PIECE)
    while same < len(signs) and signs[same] == signs[same - p]:
        same += 1
    return same


def folded(loops: list[Loop], begin: int, end: int, focuses: list[int], ends: bool = False) -> list[Unit]:
    """Items `begin` to `end` as units. Of a loop, the first iteration and those with an item of `focuses` stay, and with `ends` the last one
    too. The iterations between those are one unit."""
    units: list[Unit] = []
    at = begin
    for loop in loops:
        start, period, times = begin + loop["begin"], loop["period"], loop["times"]
        units.extend([(i, i + 1, None) for i in range(at, start)])
        at = start + period * times
        kept = {0, times - 1 if ends else 0}
        for focus in focuses:
            if start <= focus < at:
                kept.add((focus - start) // period)
        done = 0
        for k in sorted(kept):
            if k > done:
                units.append((start + done * period, start + k * period, loop))
            units.extend(folded(loop["inner"], start + k * period, start + (k + 1) * period, focuses, ends))
            done = k + 1
        if done < times:
            units.append((start + done * period, at, loop))
    units.extend([(i, i + 1, None) for i in range(at, end)])
    return units
