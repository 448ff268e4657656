"""The views: pure functions from a trace document and a cursor to a scene, and the three forms of a scene: text, SVG, live widget.

    document = trace.document
    print(jgrad.views.text(document, "storage", cursor=4))
    jgrad.views.show(document)
    jgrad.views.Filmstrip(document, [3, 7, 12], "graph").save("steps.svg")

`docs/views.md` says how a view is added.
"""

from jgrad.tracing.document.check import DocumentError
from jgrad.views.drawing import VIEWS, applicable, scene, svg, text
from jgrad.views.filmstrip import Filmstrip
from jgrad.views.widget import show

__all__ = ["VIEWS", "DocumentError", "Filmstrip", "applicable", "scene", "show", "svg", "text"]
