"""How large notebooks become that are run by a program and keep their widgets."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from jgrad.views.svg import ANCHORS, RULES, STYLED

TOUR = Path(__file__).parents[2] / "notebooks" / "00-tour.ipynb"


def test_the_tour_with_its_widgets_is_below_300_kb(tmp_path: Path) -> None:
    notebook = nbformat.read(TOUR, 4)
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    states = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    views = [model for model in states.values() if "document" in model["state"]]
    assert len(views) > 5
    assert len(nbformat.writes(notebook)) < 300_000


def test_a_picture_has_a_style_for_each_class_of_its_rules() -> None:
    """Classes without one are left out of pictures for an `<img>`."""
    rules = " ".join(rule for _, rule in RULES + ANCHORS)
    assert set(re.findall(r"\.([a-z]\w*)", re.sub(r"\{[^}]*\}", " ", rules))) <= STYLED
