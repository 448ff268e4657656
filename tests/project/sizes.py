"""How large each room is: `python -m tests.project.sizes` prints it, and lowers the limits of docs/sizes.md to what holds now.

A limit that is to rise is changed on the page by hand.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from typing import NamedTuple

from tests.project.test_layers import MODULES, ROOMS, ROOT, room_of

PAGE = ROOT / "docs" / "sizes.md"
ROW = re.compile(r"^\| ([^|]+?) \| ([\d,]+) \|", re.MULTILINE)
STEP = 100  # limits are multiples of this


class Size(NamedTuple):
    """Numbers of lines, by what is on them."""

    code: int
    docstring: int
    comment: int
    blank: int

    @property
    def lines(self) -> int:
        return sum(self)


def size_of(text: str) -> Size:
    """The lines of a module."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            docstrings |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code: set[int] = set()
    comments: set[int] = set()
    between = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in between:
            code |= set(range(token.start[0], token.end[0] + 1))
    code -= docstrings
    comments -= code | docstrings
    lines = len(text.splitlines())
    return Size(
        len(code), len(docstrings), len(comments), lines - len(code) - len(docstrings) - len(comments)
    )


def sizes() -> dict[str, Size]:
    """The size of each room."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for module, path in MODULES.items():
        total[room_of(module)].update(size_of(path.read_text(encoding="utf-8"))._asdict())
    return {room: Size(**total[room]) for room in ROOMS}


def limited(found: dict[str, Size]) -> dict[str, int]:
    """What has a limit on the page: all of jgrad, its docstrings, the rooms that trace and draw, and the lines of each room."""
    return {
        "`jgrad/`": sum(size.lines for size in found.values()),
        "docstrings": sum(size.docstring for size in found.values()),
        "record, document, explain and views": sum(
            found[room].lines for room in ("record", "document", "explain", "views")
        ),
        **{room: size.lines for room, size in found.items()},
    }


def limits() -> dict[str, int]:
    """The limits that the page has."""
    return {
        name: int(number.replace(",", "")) for name, number in ROW.findall(PAGE.read_text(encoding="utf-8"))
    }


def lower(page: str, now: dict[str, int]) -> str:
    """The page with the limits that hold now, where they are lower or new."""
    before = {name: int(number.replace(",", "")) for name, number in ROW.findall(page)}
    rows = [
        f"| {name} | {min(before.get(name, lines + STEP), -(-lines // STEP) * STEP):,} |"
        for name, lines in now.items()
    ]
    head = page.partition("|---|---:|\n")[0]
    return f"{head}|---|---:|\n" + "\n".join(rows) + "\n"


def main() -> None:
    found = sizes()
    print(f"{'room':14}" + "".join(f"{field:>12}" for field in ("lines", *Size._fields)))
    whole = Size(*(sum(column) for column in zip(*found.values(), strict=True)))
    for room, size in {**found, "jgrad/": whole}.items():
        print(f"{room:14}" + "".join(f"{number:12,}" for number in (size.lines, *size)))
    PAGE.write_text(lower(PAGE.read_text(encoding="utf-8"), limited(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
