"""The static twin: what is seen of a trace where no script runs."""

from __future__ import annotations

import html
from typing import Any

from jgrad.tracing.document.schema import Diagnosis
from jgrad.views.headline import STYLE as HEADLINE
from jgrad.views.headline import in_html
from jgrad.views.svg import address, lower

EMPTY = "nothing was recorded: the cell ran no tensor operation"

# The styles of a twin, each where it is needed: a notebook holds them with each trace.
# JupyterLab's dark theme is not the browser's own setting for dark pages, so `color-scheme` tells the pictures which one it is.
STYLE = (
    ".jgrad-twin figure{margin:0 0 8px}.jgrad-twin img{max-width:100%;height:auto}"
    "[data-jp-theme-light=false] .jgrad-twin img{color-scheme:dark}[data-jp-theme-light=true] .jgrad-twin img{color-scheme:light}"
    # In a notebook that was opened without the widget's state, the twin is shown, and "Loading widget..." or "model not found" is hidden.
    ".jp-OutputArea-child:has([data-jgrad-twin])+.jp-OutputArea-child .jupyter-widgets:not(:has(*)){display:none}"
)
SOON = (
    # While a widget is on its way, the twin that it will hide must not flash up. Elsewhere it is there a second later, and at once on paper.
    ".jgrad-soon{animation:jgrad-soon 1s steps(1,end)}@keyframes jgrad-soon{from{max-height:0;overflow:hidden;visibility:hidden}}"
    "@media print{.jgrad-soon{animation:none}}"
)


def twin(
    scenes: list[dict[str, Any]], name: str, diagnosis: Diagnosis | None = None, soon: bool = False
) -> str:
    """The HTML of the static twin: the diagnosis, and a picture for each view, with its caption for readers who can't see it. The first one is
    seen, the others are folded. `soon`: a widget is about to hide it."""
    c = "jgrad-twin jgrad-soon" if soon else "jgrad-twin"
    said = in_html(diagnosis) if diagnosis is not None and scenes else ""
    style = HEADLINE * bool(said) + STYLE + SOON * soon
    parts = [f'<style>{style}</style><div class="{c}" data-jgrad-twin="{html.escape(name)}">{said}']
    for i, scene in enumerate(scenes):
        picture = address(lower(scene, alone=True))
        words = html.escape(f"{scene['title']}: {scene['caption']}")
        figure = f'<figure><img src="{picture}" alt="{words}"></figure>'
        title = html.escape(scene["title"].split(" of ")[0])
        parts.append(f"<details><summary>{title}</summary>{figure}</details>" if i else figure)
    if not scenes:
        parts.append(f"<p>{EMPTY}</p>")
    parts.append("</div>")
    return "".join(parts)
