"""The first page of the site: the README, with a cell that is alive in place of the picture that moves. It plays by itself once."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

from nbformat import v4

from jgrad.tracing.document.packing import pack
from jgrad.views.drawing import frame_of, scene_of
from jgrad.views.transport import TRACE, wire
from jgrad.views.twin import twin
from tests.views.documents import record

PICTURE = "docs/images/steps.svg"
CELL = """\
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
loss.backward()"""
BESIDE = "Press ▶ or the arrow keys to step through the cell. To change it, [open the course in your browser](docs/sharing.md#jupyterlite) or in JupyterLab."


def notebook(readme: str, contents: str) -> str:
    """The page as a notebook: the text before the picture, the cell in place of the picture, and the rest."""
    above, _, found = readme.partition("![")
    picture, _, below = found.partition(")")
    if not picture.endswith(PICTURE):
        raise ValueError(f"the first picture of the README is no longer {PICTURE}")
    cell = v4.new_code_cell(f"%%trace\n{CELL}", outputs=[v4.new_output("display_data", view())])
    rest = f"{BESIDE}\n\n{below}\n\n{contents}"
    cells = [v4.new_markdown_cell(above), cell, v4.new_markdown_cell(rest)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}))


def view() -> dict[str, Any]:
    """The output of the cell."""
    document = record(indent(CELL, " " * 8), "")
    views = ["graph", "storage"]
    frame = frame_of(document, 0)
    trace = {"document": wire(pack(document)), "cursor": 0, "views": views, "twin": "", "play": True}
    return {TRACE: trace, "text/html": twin([scene_of(frame, view) for view in views], "")}
