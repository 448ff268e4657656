"""Numbers as colours: from blue for negative ones through the background to orange. What is no number is hatched in the colour of errors."""

from __future__ import annotations

from jgrad.tracing.document.numbers import exponential, number
from jgrad.views.scene import Item, note_width, path, points, rect, text

LEVELS = 10
RAMP = 10  # cells of a legend


def finite(x: float) -> bool:
    return x - x == 0


def largest_of(numbers: list[float]) -> float:
    """The largest magnitude of the finite ones."""
    found = 0.0
    for x in numbers:
        if finite(x) and abs(x) > found:
            found = abs(x)
    return found


def mean_text(x: float) -> str:
    """A mean of a band, which a document keeps with three digits."""
    return number(float(exponential(x, 2))) if finite(x) else "not finite"


def heat_of(x: float, largest: float) -> str:
    """The class of a number whose colour is strongest at `largest`."""
    if not finite(x):
        return "heat error"
    level = int(abs(x) / largest * LEVELS + 0.5) if largest else 0
    return f"heat {'intermediate' if x < 0 else 'gradient'} h{min(level, LEVELS)}"


def hatch(x: float, y: float, w: float, h: float) -> Item:
    """Lines across a cell that holds no number."""
    parts: list[str | float] = []
    step = min(6.0, w)
    at = 0.0
    while at < w:
        end = min(at + step, w)
        parts.extend(["M", x + at, y + h, "L", x + end, y])
        at += step
    return path(points(*parts), "hatch error")


def ramp(x: float, y: float, numbers: list[float], items: list[Item]) -> None:
    """The legend of colours, with its right end at x: the least and the largest number of those that are drawn."""
    largest = largest_of(numbers)
    signed = any([x < 0 for x in numbers if finite(x)])
    low = f"−{mean_text(largest)}" if signed else "0"
    high = mean_text(largest)
    begin = x - note_width(high) - 6 - RAMP * 10
    items.append(text(begin - 6, y, low, "note", a="end"))
    for i in range(RAMP):
        at = (i + 0.5) / RAMP
        value = (2 * at - 1) * largest if signed else at * largest
        items.append(rect(begin + i * 10, y - 9, 10, 10, heat_of(value, largest)))
    items.append(text(x, y, high, "note", a="end"))


def ramp_width(numbers: list[float]) -> float:
    return note_width("−" + mean_text(largest_of(numbers))) * 2 + 12 + RAMP * 10
