"""The views: pure functions from a trace document and a cursor to a scene, and the three forms of a scene: text, SVG, live widget.

    document = trace.document
    print(jgrad.views.text(document, "storage", cursor=4))
    jgrad.views.show(document)

`docs/views.md` says how a view is added.
"""

from __future__ import annotations

from typing import Any

from jgrad.trace.document.check import DocumentError, check
from jgrad.trace.document.index import TraceIndex
from jgrad.trace.document.packing import Document
from jgrad.trace.document.schema import TraceDocument
from jgrad.views import accumulation, graph, scatter, storage, timeline
from jgrad.views import svg as _svg
from jgrad.views import text as _text
from jgrad.views.scene import Frame

__all__ = ["VIEWS", "DocumentError", "applicable", "scene", "show", "svg", "text"]

VIEWS = ("timeline", "storage", "graph", "accumulation", "scatter")
_SCENES = {
    "timeline": timeline.scene, "storage": storage.scene, "graph": graph.scene, "accumulation": accumulation.scene, "scatter": scatter.scene,
}  # fmt: skip


def applicable(document: TraceDocument) -> list[str]:
    """The views that have something to show of a document."""
    _sound(document)
    steps = document["steps"]
    shows = {
        "timeline": bool(steps),
        "storage": bool(document["storages"]),
        "graph": bool(document["nodes"]),
        "accumulation": any(s.get("grad") for s in steps),
        "scatter": any(s.get("index_map") for s in steps),
    }
    return [view for view in VIEWS if shows[view]]


def scene(
    document: TraceDocument, view: str, cursor: int | None = None, choice: int | None = None
) -> dict[str, Any]:
    """The scene of a view after `cursor` steps; None and negative numbers mean the last step. `choice`: which of its `choices`."""
    _sound(document)
    return _scene(_frame(document, cursor), view, choice)


def _sound(document: TraceDocument) -> None:
    """Refuse what is no sound document. One that was recorded here is: to look through all of it takes longer than to draw it."""
    if not isinstance(document, Document):
        check(document)


def _frame(document: TraceDocument, cursor: int | None) -> Frame:
    """What a sound document says at a cursor: what all its scenes are made from."""
    steps = len(document["steps"])
    return Frame(TraceIndex(document), steps if cursor is None or cursor < 0 else min(cursor, steps))


def _scene(frame: Frame, view: str, choice: int | None = None) -> dict[str, Any]:
    make = _SCENES[_known(view)]
    return make(frame) if choice is None else scatter.scene(frame, choice)


def _known(view: str) -> str:
    if view not in _SCENES:
        raise ValueError(f"there is no view {view!r}: the views are {', '.join(VIEWS)}")
    return view


def text(document: TraceDocument, view: str, cursor: int | None = None) -> str:
    """A view as plain text."""
    return _text.lower(scene(document, view, cursor))


def svg(document: TraceDocument, view: str, cursor: int | None = None) -> str:
    """A view as a self-contained SVG document."""
    return _svg.lower(scene(document, view, cursor))


def show(
    document: TraceDocument,
    views: list[str] | None = None,
    cursor: int | None = None,
    key: str | None = None,
    early: Any = None,
) -> Any:
    """Show a document: in Jupyter its pictures and, where widgets live, the live views in their place; elsewhere its text.

    `key` says whose place this is, the running cell's unless told otherwise: when it shows something in another run, what it showed before is
    closed. `early` is what `jgrad.views.widget.early` gave and has shown of the document already: it stays where it is. The live widget is
    returned, if there is one.
    """
    from jgrad.views.widget import show

    return show(document, views, cursor, key, early)
