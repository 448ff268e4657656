"""The cells of a notebook cut into slides that fit a window of 1280 × 720 pixels: `jgrad export --slides`.

A text below code begins a slide. Where the cells of a slide would not fit, it is cut between them, and if need be between the code of a cell, its
outputs and the paragraphs of a text. The heights are estimated; what is higher all the same scrolls in its place (`SLIDES` in `export.py`).
What a talk leaves out has Jupyter's slide type "skip" or "notes". On a heading it counts for the whole section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import nbformat

from jgrad.notebook.hidden import BELOW, is_hidden
from jgrad.notebook.input_line import is_asked

ROOM = 655  # pixels of a slide, without its margins
# Pixels of a line of code, of a line of text with its share of wrapped ones, and what stands around a cell.
CODE, TEXT, AROUND = 24, 30, 32
ACROSS = 90  # letters in a line of text
FOLD = 36  # a closed fold
INPUT = 58  # the input line above a fold
BARS = 175  # what a view has around its picture
ANSWER = 70  # what %why has around its sentences
BLOCKS = re.compile(r"(^```.*?^```$|<details.*?</details>|(?:^\|.*\n?)+)", re.M | re.S)


def cut(cells: list[Any]) -> list[Any]:
    """Copies of the cells, or of parts of them, with a mark on each that begins a slide."""
    made: list[Any] = []
    left, before = ROOM, None
    for cell in told(cells):
        parts = [*map(nbformat.from_dict, _parts(cell))]
        heights = [*map(height, parts)]
        begins = before is not None and cell.cell_type == "markdown" and before.cell_type != "markdown"
        if begins or (made and sum(heights) > left):
            begins, left = True, ROOM
        if sum(heights) <= left:
            parts, heights = [cell], [sum(heights)]
        for part, high in zip(parts, heights, strict=True):
            if high > left and left < ROOM:
                begins, left = True, ROOM
            made.append(part | {"metadata": part.metadata | {"jgrad_slide": begins}})
            begins, left = False, left - high
        before = cell
    _hide_whole_slides(made)
    return [nbformat.from_dict(cell) for cell in made]


def _hide_whole_slides(made: list[Any]) -> None:
    """Mark each slide of which all cells are hidden below the same question: it is hidden, too."""
    begins = [at for at, cell in enumerate(made) if not at or cell["metadata"]["jgrad_slide"]]
    for first, end in pairwise([*begins, len(made)]):
        common = set.intersection(*({*cell["metadata"].get("tags", ())} for cell in made[first:end]))
        below = sorted(f"celltag_{tag}" for tag in common if tag.startswith(BELOW))
        if below:
            made[first]["metadata"]["jgrad_below"] = " ".join(below)


def told(cells: list[Any]) -> Iterator[Any]:
    """The cells without those that a talk leaves out."""
    left_out = 0  # the level of the heading whose section is left out
    for cell in cells:
        heading = re.match("#+(?= )", cell.source) if cell.cell_type == "markdown" else None
        level = len(heading[0]) if heading else 0
        if level and level <= left_out:
            left_out = 0
        if cell.metadata.get("slideshow", {}).get("slide_type") in ("skip", "notes"):
            left_out = left_out or level
        elif not left_out:
            yield cell


def _parts(cell: Any) -> Iterator[Any]:
    """The parts of a cell that may stand on slides of their own. What is hidden stays in one fold."""
    if cell.cell_type == "markdown":
        texts = _paragraphs(cell.source)
        yield from (cell | {"id": _id(cell, n), "source": text} for n, text in enumerate(texts))
    elif not cell.get("outputs"):
        yield cell
    else:
        yield cell | {"outputs": []}
        outputs = [cell.outputs] if is_hidden(cell) else [[output] for output in cell.outputs]
        shown = cell.metadata | {"transient": {"remove_source": True}}
        yield from (
            cell | {"id": _id(cell, n), "outputs": one, "metadata": shown} for n, one in enumerate(outputs, 1)
        )


def _id(cell: Any, number: int) -> str:
    return f"{cell.id}-{number}" if number else str(cell.id)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text; a list stays with the line above it, and a heading with what stands below it."""
    found: list[str] = []
    for block in BLOCKS.split(text):
        whole = BLOCKS.fullmatch(block)
        for one in [block] if whole else block.split("\n\n"):
            if found and (re.fullmatch(r"#+ .*", found[-1]) or re.match(r"\s*(- |\d+\. )", one)):
                found[-1] += f"\n\n{one}"
            elif one.strip():
                found.append(one.strip("\n"))
    return found or [text]


def height(cell: Any) -> int:
    """About how many pixels a cell needs on a slide."""
    if cell.cell_type == "markdown":
        blocks = BLOCKS.findall(cell.source)
        lines = BLOCKS.sub("", cell.source).split("\n")
        return AROUND + sum(map(_height_of_text, lines)) + sum(map(_height_of_block, blocks))
    source = 0 if cell.metadata.get("transient") else CODE * (cell.source.count("\n") + 1) + AROUND
    fold = FOLD if is_hidden(cell) and cell.get("outputs") else 0
    fold += INPUT if is_asked(cell) else 0
    return source + fold + sum(map(_height_of_output, cell.get("outputs", ())))


def _height_of_block(block: str) -> int:
    """Code, a table, or a fold that is closed."""
    if block.startswith("<details"):
        return FOLD
    rows = block.strip("\n").split("\n")
    return AROUND + (CODE * len(rows) if block.startswith("```") else sum(map(_height_of_row, rows)))


def _height_of_row(row: str) -> int:
    """A row of a table, in which the longest cell wraps."""
    return TEXT * max(-(-len(_shown(row)) // ACROSS), 1) + 12


def _shown(text: str) -> str:
    """A text without what a link leads to."""
    return re.sub(r"\]\([^)]*\)", "", text)


def _height_of_text(line: str) -> int:
    """A line of Markdown, or a paragraph of which it is all. Formulas are high."""
    if not line.strip():
        return TEXT // 2
    lines = -(-len(_shown(line)) // ACROSS)
    return TEXT * lines + (TEXT if line.startswith(("#", "$$", ">")) else 0)


def _height_of_output(output: Any) -> int:
    data = output.get("data", {})
    page = "".join(data.get("text/html", ""))
    pictures = [int(float(high)) for high in re.findall(r"<svg[^>]*? height='([\d.]+)'", page)]
    if pictures:
        return BARS + max(pictures)  # the views are on tabs
    if "traceback" in output:
        return CODE * ("\n".join(output.traceback).count("\n") + 2) + AROUND
    lines = "".join(output.get("text", "") or data.get("text/plain", "")).split("\n")
    wrapped = sum(-(-len(line) // ACROSS) or 1 for line in lines)
    return CODE * wrapped + AROUND + (ANSWER if page else 0)
