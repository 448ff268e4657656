"""Which views a document has, and the scene, text and SVG of each."""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.check import check
from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.packing import RecordedDocument
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.wording import in_its_words
from jgrad.views.register import SCENES, in_order
from jgrad.views.scene import WIDTH, Frame
from jgrad.views.svg import lower as in_svg
from jgrad.views.text import lower as in_text

VIEWS = tuple(SCENES)


def applicable(document: TraceDocument) -> list[str]:
    """The names of the views that have something to show for a document, that which answers first."""
    sound(document)
    return in_order(document)


def scene(
    document: TraceDocument,
    view: str,
    cursor: int | None = None,
    choice: int | None = None,
    width: float = WIDTH,
    toggled: list[str] | None = None,
) -> dict[str, Any]:
    """The scene of a view after `cursor` steps. None and negative numbers mean the last step. `choice` is the position of one of its
    `choices`. `width`: for how many pixels it is laid out; a scene that cannot do with them is wider. `toggled`: the keys of rows that the
    reader opened or closed (the `o` of their groups)."""
    sound(document)
    return scene_of(frame_of(document, cursor, width, toggled), view, choice)


def sound(document: TraceDocument) -> None:
    """Raise an error if a document is not valid. A document that this process recorded is valid, and to check it takes longer than to draw it."""
    if not isinstance(document, RecordedDocument):
        check(document)


def frame_of(
    document: TraceDocument, cursor: int | None, width: float = WIDTH, toggled: list[str] | None = None
) -> Frame:
    """The state of a valid document at a cursor, from which all its scenes are made."""
    steps = len(document["steps"])
    at = steps if cursor is None or cursor < 0 else min(cursor, steps)
    return Frame(TraceIndex(document), at, width, toggled)


def scene_of(frame: Frame, view: str, choice: int | None = None) -> dict[str, Any]:
    make = SCENES[known(view)]
    return make(frame) if choice is None else make(frame, choice)


def known(view: str) -> str:
    if view not in SCENES:
        raise ValueError(f"there is no view {view!r}: the views are {', '.join(VIEWS)}")
    return view


def text(document: TraceDocument, view: str, cursor: int | None = None) -> str:
    """A view as plain text."""
    return in_text(scene(in_its_words(document), view, cursor))


def svg(document: TraceDocument, view: str, cursor: int | None = None) -> str:
    """A view as a self-contained SVG document."""
    return in_svg(scene(in_its_words(document), view, cursor))
