"""The graph: as textbooks draw it while it is small, and in rows by module, function and line beyond that."""

from __future__ import annotations

from jgrad.views.modules import scene as modules
from jgrad.views.scene import Frame, Scene
from jgrad.views.textbook import scene as textbook


def scene(f: Frame) -> Scene:
    """The scene of the graph at a frame."""
    small = textbook(f)
    return modules(f) if small is None else small
