"""The report of the results, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.promises import PROMISES, missed
from benchmarks.results import MEDIAN, MINIMUM, Results, Times, mean_ratio
from benchmarks.systems import JGRAD, NAMES

OTHERS = NAMES[1:]
BEGIN, END = "<!-- written by python -m benchmarks -->", "<!-- end of what python -m benchmarks writes -->"


def quantity(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def compared(rows: Sequence[Times], one: str, other: str) -> str:
    """The ratio of the medians, and that of the minimums in brackets. For several rows these are geometric means."""
    median, minimum = (mean_ratio(rows, one, other, figure) for figure in (MEDIAN, MINIMUM))
    return "-" if median is None or minimum is None else f"{median:.2f} ({minimum:.2f})"


def table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    head = [*head]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *lines])


def ratios(rows: Sequence[Times]) -> list[str]:
    return [compared(rows, JGRAD, other) for other in OTHERS]


def row_line(name: str, row: dict[str, Any], times: Times) -> list[str]:
    star = dict.fromkeys(row["in float64"], "\\*")
    figures = (quantity(times[each][MEDIAN]) + star.get(each, "") if each in times else "-" for each in NAMES)
    return [name, *figures, *ratios([times])]


def timed(rows: dict[str, dict[str, Any]], threads: str) -> str:
    """A table of rows, and their geometric means."""
    lines = [row_line(name, row, row[threads]) for name, row in rows.items()]
    if len(lines) > 1:
        lines.append(
            ["**geometric mean**", *[""] * len(NAMES), *ratios([row[threads] for row in rows.values()])]
        )
    return table(["row", *NAMES, *(f"/ {other}" for other in OTHERS)], lines)


def recorded(recorder: dict[str, Times]) -> str:
    lines = []
    for name, times in recorder.items():
        cells = [name, quantity(times["plain"][MEDIAN])]
        for way in ("recorded", "with its document"):
            cells += [quantity(times[way][MEDIAN]), compared([times], way, "plain")]
        lines.append(cells)
    return table(["cell", "plain", "recorded", "/ plain", "with its document", "/ plain"], lines)


QUESTIONS = {
    "peak": "peak of 50 times tanh(x * 1.01) on 1e6 floats, forward and backward",
    "kept": "of that kept after backward, the result and the gradient (8 MB) still held",
    "growth": "growth over 100,000 small forward and backward passes, garbage collector off",
}


def memory(found: dict[str, dict[str, float]]) -> str:
    lines = [
        [QUESTIONS[question], *(f"{each[name]:.1f} MB" if name in each else "-" for name in NAMES)]
        for question, each in found.items()
    ]
    return table(["memory", *NAMES], lines)


def imported(found: dict[str, float]) -> str:
    seconds = [quantity(found[name]) if name in found else "-" for name in NAMES]
    return table(["import", *NAMES], [["CPU time over `import numpy`", *seconds]])


def promises(results: Results) -> str:
    """The rows that are above their promise, with a column for each system to which the promise refers."""
    lines: dict[str, dict[str, str]] = {}
    for each in missed(results):
        lines.setdefault(each.what, {})[each.over] = f"{each.found}, at most {each.promised}"
    columns = [*OTHERS, "plain", ""]
    shown = [column for column in columns if any(column in cells for cells in lines.values())]
    head = ["above its promise", *(f"/ {column}" if column else "" for column in shown)]
    return table(head, [[what, *(cells.get(each, "") for each in shown)] for what, cells in lines.items()])


def report(results: Results) -> str:
    """All tables of the results."""
    parts = {}
    for group in PROMISES:
        if rows := {name: row for name, row in results["rows"].items() if row["group"] == group}:
            parts[group.capitalize()] = timed(rows, "one thread")
    if rows := {name: row for name, row in results["rows"].items() if "all threads" in row}:
        parts["All threads"] = timed(rows, "all threads")
    if results["memory"]:
        parts["Memory"] = memory(results["memory"])
    if results["imports"]:
        parts["Imports"] = imported(results["imports"])
    if results["recorder"]:
        parts["Recording"] = recorded(results["recorder"])
    if any(missed(results)):
        parts["Above the promises"] = promises(results)
    parts["Measured on"] = "\n".join(f"- {what}: {value}" for what, value in results["machine"].items())
    return "\n\n".join(f"### {title}\n\n{text}" for title, text in parts.items())


def write(page: Path, text: str) -> None:
    """Put the report between the marks in a page."""
    before, rest = page.read_text().split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")
