"""What `%fix` shows of a repair, and the cell that it makes."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.tracing.document.passage import Repair
from jgrad.tracing.explain.edits import Overlap, applied, diff

__all__ = ["Elsewhere", "Overlap", "new_cell", "shown"]


class Elsewhere(ValueError):
    """A repair is of a text that is not the cell."""


def shown(repair: Repair) -> str:
    """The repair as a diff, of each text that it changes."""
    return "\n".join(_diffs(repair))


def _diffs(repair: Repair) -> Iterator[str]:
    for file in dict.fromkeys(edit.file for edit in repair.edits):
        own = [edit for edit in repair.edits if edit.file == file]
        first, lines = (1, repair.cell) if not file else repair.files.get(file, (1, []))
        yield diff(lines, own, file or "the cell", first)


def new_cell(repair: Repair) -> str:
    """The text of the cell with the repair."""
    others = [edit.file for edit in repair.edits if edit.file]
    if others:
        raise Elsewhere(f"the repair is in {others[0]}, which %fix shows and leaves as it is")
    return "\n".join(applied(repair.cell, repair.edits))
