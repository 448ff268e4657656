"""The views by name, in the order in which they are shown. A new view is entered here, and nowhere else.

The front end is made from this register too (`js/translator`).
"""

from __future__ import annotations

from collections.abc import Callable

from jgrad.trace.document.schema import TraceDocument
from jgrad.views.accumulation import scene as accumulation
from jgrad.views.graph import scene as graph
from jgrad.views.scatter import scene as scatter
from jgrad.views.scene import Scene
from jgrad.views.storage import scene as storage
from jgrad.views.timeline import scene as timeline

# The function that draws a view. It takes a frame, and maybe which of the scene's choices was taken.
SCENES: dict[str, Callable[..., Scene]] = {
    "timeline": timeline,
    "storage": storage,
    "graph": graph,
    "accumulation": accumulation,
    "scatter": scatter,
}

# Whether a view has something to show for a document.
APPLIES: dict[str, Callable[[TraceDocument], bool]] = {
    "timeline": lambda document: bool(document["steps"]),
    "storage": lambda document: bool(document["storages"]),
    "graph": lambda document: bool(document["nodes"]),
    "accumulation": lambda document: any(step.get("grad") for step in document["steps"]),
    "scatter": lambda document: any(step.get("index_map") for step in document["steps"]),
}
