"""Pictures of a view after several steps: side by side, or one after the other as an animation.

    trace.filmstrip([3, 7, 12], view="graph")                    # in a notebook: the pictures
    trace.filmstrip([3, 7, 12]).save("steps.svg")                # one picture of all
    trace.filmstrip([3, 7, 12]).save("steps.svg", animated=True)  # one that changes, for slides

All frames have the same size, so that one sees what differs. The animation needs no script. Who asked the system for reduced motion, and who
prints, sees its last frame.
"""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.schema import TraceDocument
from jgrad.views.drawing import known, scene_of, sound
from jgrad.views.scene import NOTE_CHAR, Frame, wrap
from jgrad.views.svg import address, drawing, escaped, style_of
from jgrad.views.text import lower as in_text

WIDE = 1200  # what all frames of a row may take, with the gaps
GAP = 16
LEAST = 340  # the least width for which a scene is laid out
ABREAST = 3  # frames for which a row has room
SMALLEST = 300  # pixels of a frame in a page; it is drawn smaller only where the page is narrower
LINE = 17  # height of a line of a caption
FRAMES = 60  # at most so many


class Shot(NamedTuple):
    """A frame: how many steps are over, the scene, and the lines of its caption."""

    step: int
    scene: dict[str, Any]
    caption: list[str]


class Filmstrip:
    """Pictures of a view of a document after some numbers of steps."""

    def __init__(
        self, document: TraceDocument, steps: Iterable[int], view: str = "graph", width: float | None = None
    ) -> None:
        """`width`: for how many pixels each frame is laid out; by default so that three stand side by side."""
        sound(document)
        self.view = known(view)
        self.steps = _checked(steps, len(document["steps"]))
        if width is None:
            abreast = min(len(self.steps), ABREAST)
            width = (WIDE - GAP * (abreast - 1)) // abreast
        index = TraceIndex(document)
        scenes = [scene_of(Frame(index, step, max(width, LEAST)), view) for step in self.steps]
        self.title: str = scenes[0]["title"]
        self.width = max(math.ceil(scene["width"]) for scene in scenes)
        room = int((self.width - 20) / NOTE_CHAR)
        self.shots = [
            Shot(step, scene, wrap(scene["caption"], room))
            for step, scene in zip(self.steps, scenes, strict=True)
        ]
        self._top = 12 + LINE * max(len(shot.caption) for shot in self.shots)
        self.height = self._top + max(scene["height"] for scene in scenes)

    def svg(self, columns: int | None = None) -> str:
        """One picture with all frames, so many of them side by side; by default as many as a notebook has room for."""
        if columns is None:
            columns = (WIDE + GAP) // (self.width + GAP)
        columns = max(1, min(len(self.shots), columns))
        lines = -(-len(self.shots) // columns)
        parts = []
        for i, shot in enumerate(self.shots):
            x, y = i % columns * (self.width + GAP), 34 + i // columns * (self.height + GAP)
            parts.append(f'<g transform="translate({x} {y:g})">{self._drawn(shot)}</g>')
        return self._whole(columns * (self.width + GAP) - GAP, 34 + lines * (self.height + GAP) - GAP, parts)

    def animation(self, seconds: float = 1.5) -> str:
        """One picture that shows frame after frame, each for so long, without a script."""
        if not seconds > 0:
            raise ValueError(f"a frame must be shown for some time, not for {seconds} seconds")
        count = len(self.shots)
        style = (
            ".jg .shot{visibility:hidden}.jg .shot:last-of-type{visibility:visible}"
            "@media screen and (prefers-reduced-motion:no-preference){"
            f"@keyframes shown{{0%{{visibility:visible}}{100 / count:.4f}%{{visibility:hidden}}}}"
            f".jg .shot,.jg .shot:last-of-type{{visibility:hidden;animation:shown {count * seconds:g}s step-end infinite}}}}"
        )
        parts = [
            f'<g class="shot" transform="translate(0 34)" style="animation-delay:{i * seconds:g}s">{self._drawn(shot)}'
            f'<text class="note muted" x="{self.width - 10}" y="-14" text-anchor="end">{i + 1} of {count}</text></g>'
            for i, shot in enumerate(self.shots)
        ]
        return self._whole(self.width, 34 + self.height, parts, style if count > 1 else "")

    def save(self, path: str | os.PathLike[str], animated: bool = False, columns: int | None = None) -> None:
        """Write the picture to an SVG file: all frames, so many of them side by side, or one after the other."""
        picture = self.animation() if animated else self.svg(columns)
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture)

    def _drawn(self, shot: Shot) -> str:
        """A frame within a picture: its caption, its scene, and a line around both."""
        said = "".join(
            f'<text class="note said" x="10" y="{20 + LINE * i}">{escaped(line)}</text>'
            for i, line in enumerate(shot.caption)
        )
        scene = f'<g transform="translate(0 {self._top})">{drawing(shot.scene, set(), False)}</g>'
        around = (
            f'<rect class="outline" x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1:g}"/>'
        )
        return around + said + scene

    def _whole(
        self, width: float, height: float, parts: list[str], more: str = "", title: bool = True
    ) -> str:
        """A picture of these parts, with the title above and the styles that all frames need."""
        used = {"title", "note", "muted", "outline"}
        for shot in self.shots:
            drawing(shot.scene, used, False)
        said = f"{self.title} after steps {', '.join(str(step) for step in self.steps)}"
        above = f'<text class="title" x="10" y="20">{escaped(self.title)}</text>' if title else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="jg" role="img" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}"><title>{escaped(said)}</title><style>{style_of(used, False)}{more}</style>'
            f'<rect x="0" y="0" width="{width:g}" height="{height:g}" style="fill:var(--bg);stroke:none;fill-opacity:1"/>'
            f"{above}{''.join(parts)}</svg>"
        )

    def _repr_html_(self) -> str:
        """The frames as pictures, which stand side by side as far as the page has room."""
        parts = []
        for shot in self.shots:
            one = self._whole(self.width, self.height, [self._drawn(shot)], title=False)
            said = html.escape(f"{self.title}: {shot.scene['caption']}")
            parts.append(f'<img src="{address(one)}" alt="{said}" style="width:{self._wide()}">')
        style = (
            "<style>[data-jp-theme-light=false] .jgrad-film img{color-scheme:dark}"
            "[data-jp-theme-light=true] .jgrad-film img{color-scheme:light}</style>"
        )
        return f'{style}<div class="jgrad-film" style="display:flex;flex-wrap:wrap;gap:{GAP}px">{"".join(parts)}</div>'

    def _wide(self) -> str:
        """How wide a frame is in a page: as laid out, but so that three stand side by side, unless that makes it too small to read."""
        abreast = min(len(self.shots), ABREAST)
        share = f"calc((100% - {GAP * (abreast - 1)}px)/{abreast})"
        return f"min(100%,max({SMALLEST}px,min({self.width}px,{share})))"

    def __str__(self) -> str:
        return "\n".join(in_text(shot.scene) for shot in self.shots)

    def __repr__(self) -> str:
        return str(self).rstrip("\n")


def _checked(steps: Iterable[int], total: int) -> list[int]:
    """The steps that were asked for; an error for what is none."""
    found: list[int] = []
    for step in [steps] if isinstance(steps, int) else steps:
        if isinstance(step, bool) or not isinstance(step, int):
            raise TypeError(f"a step is a whole number, not {step!r}")
        if not -1 <= step <= total:
            raise ValueError(
                f"there is no step {step}: this trace has {total}, and 0 is the state before the first"
            )
        found.append(total if step == -1 else step)
    if not found:
        raise ValueError("a filmstrip needs at least one step, such as trace.filmstrip([3, 7])")
    if len(found) > FRAMES:
        raise ValueError(f"a filmstrip has at most {FRAMES} frames, not {len(found)}")
    return found
