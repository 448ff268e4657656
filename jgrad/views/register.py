"""The views by name, in the order in which they are shown. A new view is entered here, and nowhere else.

The front end is made from this register too (`js/translator`).
"""

from __future__ import annotations

from collections.abc import Callable

from jgrad.tracing.document.schema import TraceDocument
from jgrad.views.accumulation import scene as accumulation
from jgrad.views.graph import scene as graph
from jgrad.views.scatter import scene as scatter
from jgrad.views.scene import Frame, Scene
from jgrad.views.storage import scene as storage
from jgrad.views.timeline import scene as timeline
from jgrad.views.training import scene as training

# The function that draws a view. It takes a frame, and maybe which of the scene's choices was taken.
SCENES: dict[str, Callable[..., Scene]] = {
    "training": training,
    "timeline": timeline,
    "storage": storage,
    "graph": graph,
    "accumulation": accumulation,
    "scatter": scatter,
}

# Findings that the storage map shows: who shares what was written to.
ABOUT_MEMORY = ["shared-memory", "data-write", "write-to-copy", "written-from-outside"]

# Whether a view has something to show for a document.
APPLIES: dict[str, Callable[[TraceDocument], bool]] = {
    "training": lambda document: "rounds" in document,
    "timeline": lambda document: bool(document["steps"]),
    "storage": lambda document: bool(document["storages"]),
    "graph": lambda document: bool(document["nodes"]),
    "accumulation": lambda document: any(step.get("grad") for step in document["steps"]),
    "scatter": lambda document: any(step.get("index_map") for step in document["steps"]),
}


def happens(view: str, f: Frame) -> str:
    """The class of what the step at a frame did that a view shows; nothing if it did nothing there."""
    step = f.step
    if step is None:
        return ""
    if view == "storage":
        return "write" if step.get("writes") else ""
    if view == "graph":
        return {"node": "gradient", "backward": "gradient", "error": "error"}.get(step["kind"], "")
    if view == "accumulation":
        return "gradient" if step.get("grad") else ""
    if view == "scatter":
        return "write" if step.get("index_map") else ""
    return ""


def in_order(document: TraceDocument) -> list[str]:
    """The views that have something to show for a document, that which answers first: the others are tabs beside it."""
    there = [view for view in SCENES if APPLIES[view](document)]
    wanted = [*first_of(document), *[view for view in there if view != "timeline"], "timeline"]
    return [view for view in dict.fromkeys(wanted) if view in there]


def first_of(document: TraceDocument) -> list[str]:
    """The views that may answer, the best first, by what happened."""
    steps = document["steps"]
    kinds = [step["kind"] for step in steps]
    if not steps:
        return ["storage"]
    if "error" in kinds:
        return ["graph", "storage"]
    if "rounds" in document and "training" in SCENES:
        return ["training"]
    said = document.get("diagnosis")
    if said is not None and said["code"] in ABOUT_MEMORY:
        return ["storage", "graph"]
    # An embedding of a model is not what its cell is about, but one that stands alone is.
    alone = all(layer["type"] == "Embedding" for layer in document.get("layers", []))
    maps = any(step.get("index_map") for step in steps) and alone
    added = {step.get("backward_call", -1) for step in steps if step["kind"] == "accumulate"}
    if len(added) > 1:
        return ["accumulation", "graph"]
    if maps:
        return ["scatter"]
    if "backward" in kinds:
        return ["graph"]
    shares = {
        t["storage"]
        for t in document["tensors"]
        if t["base"] is not None or t["origin"] in ("view", "detach", "data")
    }
    written = any(step.get("writes") for step in steps)
    return ["storage", "graph"] if written or shares else ["graph", "storage"]
