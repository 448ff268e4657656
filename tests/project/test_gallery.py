"""docs/gallery.md: a picture of each view, drawn by `python -m docs.images.draw` from the cells on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.images.draw import pictures
from jgrad import views

pytestmark = pytest.mark.quick

DOCS = Path(__file__).parents[2] / "docs"


def test_each_view_has_a_picture_and_each_picture_is_there() -> None:
    linked = set(re.findall(r"\]\(images/(\S+?)\)", (DOCS / "gallery.md").read_text(encoding="utf-8")))
    drawn = {file.name: content for file, content in pictures()}
    assert linked <= set(drawn)
    assert set(drawn) == {file.name for file in (DOCS / "images").glob("*.svg")}
    for view in views.VIEWS:
        assert any(f"-{view}" in name for name in linked)
    for name, content in drawn.items():
        title = re.compile(r"<title[^>]*>(.*?)</title>")
        committed = (DOCS / "images" / name).read_text(encoding="utf-8")
        assert title.findall(committed) == title.findall(content), "run python -m docs.images.draw"
