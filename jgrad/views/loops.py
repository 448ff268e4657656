"""What repeats in a row of things: the iterations of loops, of loops within them, and how they fold."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

CANDIDATES = 64  # periods tried at one place at most
PIECE = 256  # signs

# A repetition: {"begin", "period", "times", "inner": [Loop]}; `begin` counts from that of the iteration around it.
Loop = dict[str, Any]
# Things in a row that are drawn as one: first, behind the last, the loop whose iterations they are (None: a thing by itself).
Unit = tuple[int, int, Loop | None]


def loops_of(signs: list[str], least: int) -> list[Loop]:
    """The repetitions in a row of signs that would hide `least` of them, though the first and one more iteration stay."""
    places: dict[str, list[int]] = {}
    for i in range(len(signs)):
        places.setdefault(signs[i], []).append(i)
    found: list[Loop] = []
    i = 0
    while i < len(signs):
        same = places[signs[i]]
        period, times = _longest(signs, i, same, bisect_right(same, i))
        if (times - 2) * period >= least:
            inner = loops_of(signs[i : i + period], least)
            found.append({"begin": i, "period": period, "times": times, "inner": inner})
            i += times * period
        else:
            i += 1
    return found


def _longest(signs: list[str], i: int, places: list[int], nth: int) -> tuple[int, int]:
    """The period and the number of iterations, three at least, of the repetition from i on that covers most. `places`: where the sign at i
    stands, `nth` of them up to there."""
    period, times = 1, 1
    for at in range(nth, min(nth + CANDIDATES, len(places))):
        p = places[at] - i
        if i + 3 * p > len(signs):
            break
        same = _same(signs, i, p)
        n = (same - i) // p
        if n >= 3 and n * p > times * period:
            period, times = p, n
        if same == len(signs):
            break
    return period, times


def _same(signs: list[str], i: int, p: int) -> int:
    """The end of what repeats with a period from i on: compared in pieces, which takes a tenth of one sign by one."""
    same = i + p
    while (piece := signs[same : same + PIECE]) and piece == signs[same - p : same - p + len(piece)]:
        same += len(piece)
    while same < len(signs) and signs[same] == signs[same - p]:
        same += 1
    return same


def folded(loops: list[Loop], begin: int, end: int, focus: int, ends: bool = False) -> list[Unit]:
    """Things as units: of a loop stay the first iteration, that in which `focus` is, and with `ends` the last; the rest between is one."""
    units: list[Unit] = []
    at = begin
    for loop in loops:
        start, period, times = begin + loop["begin"], loop["period"], loop["times"]
        units.extend([(i, i + 1, None) for i in range(at, start)])
        at = start + period * times
        here = (focus - start) // period if start <= focus < at else 0
        done = 0
        for k in sorted({0, here, times - 1 if ends else 0}):
            if k > done:
                units.append((start + done * period, start + k * period, loop))
            units.extend(folded(loop["inner"], start + k * period, start + (k + 1) * period, focus, ends))
            done = k + 1
        if done < times:
            units.append((start + done * period, at, loop))
    units.extend([(i, i + 1, None) for i in range(at, end)])
    return units
