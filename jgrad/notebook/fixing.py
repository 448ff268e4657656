"""What `%fix` shows of a repair, and the cell that it makes."""

from __future__ import annotations

from collections.abc import Iterable

from jgrad.tracing.document.passage import Repair
from jgrad.tracing.explain.edits import Overlap, applied, diffs
from jgrad.views.text import printable

__all__ = ["NOT_TRIED", "Edited", "Elsewhere", "Overlap", "current", "new_cell", "same", "shown"]

NOT_TRIED = (
    "This may help; it was not tried. %fix --try tries it in a copy, %fix --apply puts it into the next cell."
)


class Elsewhere(ValueError):
    """A repair is of a text that is not the cell."""


class Edited(ValueError):
    """A repair is of a cell that has another text by now."""


def shown(repair: Repair) -> str:
    """The repair as a diff, of each text that it changes. No character of it does anything to a terminal."""
    return "\n".join(map(printable, diffs(repair).split("\n")))


def new_cell(repair: Repair) -> str:
    """The text of the cell with the repair."""
    others = [edit.file for edit in repair.edits if edit.file]
    if others:
        raise Elsewhere(f"the repair is in {others[0]}, which %fix shows and leaves as it is")
    return "\n".join(applied(repair.cell, repair.edits))


def same(cell: str, other: str) -> bool:
    """Whether two texts of a cell are the same but for space at the ends of lines."""
    return [line.rstrip() for line in cell.rstrip().split("\n")] == [
        line.rstrip() for line in other.rstrip().split("\n")
    ]


def current(repair: Repair, ran: Iterable[tuple[object, str]]) -> None:
    """Raise an error if the cell of a repair ran again with another text. `ran`: the cells that ran, each with what tells it from the others."""
    cell, where = "\n".join(repair.cell), None
    for place, text in ran:
        if same(text, cell):
            where = place
        elif where is not None and place == where:
            raise Edited("the cell was edited and ran again since %why answered; ask %why again")
