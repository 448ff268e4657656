"""Filmstrips: pictures of several steps side by side, or one after the other."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import jgrad
from jgrad import views
from jgrad.views.filmstrip import FRAMES

from .documents import documents, record

pytestmark = pytest.mark.quick

SVG = "{http://www.w3.org/2000/svg}"


def strip(steps: list[int], view: str = "graph", **more: float) -> views.Filmstrip:
    return views.Filmstrip(documents()["paths"], steps, view, **more)


def words(picture: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_each_frame_is_the_scene_after_its_step() -> None:
    document = documents()["paths"]
    found = words(strip([2, 4]).svg())
    assert found[0] == "Graph of paths"
    for step in (2, 4):
        scene = views.scene(document, "graph", step, width=592)
        drawn = [i["s"] for i in scene["items"] if i["t"] == "text"]
        assert set(drawn) <= set(found)
        assert scene["caption"] in " ".join(found)


def test_frames_stand_side_by_side_and_have_one_size() -> None:
    made = strip([1, 2, 3], "storage", width=340)
    picture = ElementTree.fromstring(made.svg(columns=3))
    places = [e.get("transform") for e in picture.findall(f"{SVG}g")]
    assert places == [f"translate({i * (made.width + 16)} 34)" for i in range(3)]
    assert float(picture.get("width") or 0) == 3 * made.width + 32
    assert all(shot.scene["height"] <= made.height for shot in made.shots)
    below = ElementTree.fromstring(made.svg(columns=1)).findall(f"{SVG}g")
    assert [e.get("transform", "").split()[0] for e in below] == ["translate(0"] * 3


def test_an_animation_shows_one_frame_at_a_time_without_a_script() -> None:
    picture = strip([1, 2, 3, 4]).animation(2)
    assert "<script" not in picture
    assert "shown 8s step-end infinite" in picture
    assert "25.0000%" in picture
    delays = re.findall(r"animation-delay:([\d.]+)s", picture)
    assert delays == ["0", "2", "4", "6"]
    assert "(prefers-reduced-motion:no-preference)" in picture
    ElementTree.fromstring(picture)
    assert "animation" not in strip([1]).animation().split("<g")[0], "one frame does not move"


def test_a_notebook_shows_pictures_and_a_terminal_text() -> None:
    made = strip([2, 5])
    found = re.findall(r'src="data:image/svg\+xml,([^"]+)" alt="([^"]+)"', made._repr_html_())
    assert len(found) == 2
    for picture, said in found:
        ElementTree.fromstring(unquote(picture))
        assert said.startswith("Graph of paths: step")
    assert repr(made).count("Graph of paths") == 2
    assert "step 5 of" in str(made)


@pytest.mark.parametrize("view", views.VIEWS)
def test_all_views_make_filmstrips_also_with_hostile_names(view: str) -> None:
    document = record("""
        w = {"<b>&'": jgrad.ones(2, requires_grad=True)}
        for i in range(6):
            (w["<b>&'"] * 2).sum().backward()
            w["<b>&'"].grad = None
        w["<b>&'"].scatter(0, jgrad.tensor([0]), jgrad.tensor([1.0]))
    """)
    made = views.Filmstrip(document, [0, 3, -1], view)
    for picture in (made.svg(), made.animation()):
        ElementTree.fromstring(picture)
    assert made.steps == [0, 3, len(document["steps"])]


def test_saved_to_a_file(tmp_path: Path) -> None:
    with jgrad.trace() as trace:
        x = jgrad.ones(2, requires_grad=True)
        (x * x).sum().backward()
    made = trace.filmstrip([1, -1], view="storage")
    made.save(tmp_path / "strip.svg")
    made.save(tmp_path / "moving.svg", animated=True)
    assert (tmp_path / "strip.svg").read_text(encoding="utf-8") == made.svg()
    assert "animation:" in (tmp_path / "moving.svg").read_text(encoding="utf-8")


def test_what_is_no_step_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no step 99: this trace has"):
        strip([1, 99])
    with pytest.raises(ValueError, match="there is no step -2"):
        strip([-2])
    with pytest.raises(TypeError, match=r"a step is a whole number, not 1\.5"):
        strip([1.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="at least one step"):
        strip([])
    with pytest.raises(ValueError, match=f"at most {FRAMES} frames, not 61"):
        strip([1] * 61)
    with pytest.raises(ValueError, match="there is no view 'nosuch'"):
        strip([1], "nosuch")
    with pytest.raises(ValueError, match="for some time"):
        strip([1, 2]).animation(0)
