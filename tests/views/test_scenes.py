"""What must be true of every scene, whatever the document and the cursor."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from jgrad import views
from jgrad.views import drawing
from jgrad.views.scene import WIDTH, text_width

from .documents import NAMES, documents, record

CLASSES = {
    "leaf",
    "intermediate",
    "gradient",
    "saved",
    "write",
    "alias",
    "error",
    "muted",
    "plain",
    "box",
    "chip",
    "live",
    "edge",
    "title",
    "mono",
    "hot",
    "now",
    "lens",
    "step",
    "later",
    "band",
    "bar",
    "lost",
    "pill",
    "unused",
    "end",
    "rule",
    "cut",
    "arrow",
    "dot",
    "mark",
    "gone",
    "note",
    "said",
    "node",
    "square",
    "sign",
    "gem",
    "ring",
    "struck",
    "heat",
    "key",
    "nan",
    "spread",
    "outline",
    "halo",
    "brush",
    "flag",
    "onflag",
    "open",
    *[f"h{n}" for n in range(11)],
    "hatch",
    "bare",
}

WIDTHS = (380, 600, 1200)  # besides 860, which is that of a static picture


def cursors(document: dict[str, Any]) -> list[int]:
    n = len(document["steps"])
    return sorted({0, n, *range(1, n, max(n // 12, 1))})


def flat(items: list[dict[str, Any]], keys: list[str] | None = None) -> list[dict[str, Any]]:
    """All items, those in groups too: what has no link keys of its own has those of its group."""
    found = []
    for item in items:
        own = item if keys is None or "k" in item else {**item, "k": keys}
        found.append(own)
        if item["t"] == "group":
            found.extend(flat(item["items"], own.get("k")))
    return found


Scenes = list[tuple[dict[str, Any], str, int, dict[str, Any]]]


@pytest.fixture(scope="module", params=NAMES)
def scenes(request: pytest.FixtureRequest) -> Scenes:
    """The scenes of a document: (document, view, cursor, scene). They are drawn once; pytest runs the tests of a document one after another."""
    document = documents()[request.param]
    drawing.sound(document)
    drawn = [(v, k, float(WIDTH)) for v in views.VIEWS for k in cursors(document)]
    end = len(document["steps"])
    drawn += [(v, k, w) for v in views.VIEWS for k in {end // 2, end} for w in WIDTHS]
    return [(document, v, k, drawing.scene_of(drawing.frame_of(document, k, w), v)) for v, k, w in drawn]


def extent(item: dict[str, Any]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a text or rect."""
    if item["t"] == "rect":
        return item["x"], item["y"], item["x"] + item["w"], item["y"] + item["h"]
    w = text_width(item)
    left = item["x"] - {"middle": w / 2, "end": w}.get(item.get("a", ""), 0)
    return left, item["y"] - 10, left + w, item["y"] + 2


@pytest.mark.slow
def test_items_lie_inside_the_canvas(scenes: Scenes) -> None:
    for _, view, cursor, scene in scenes:
        for item in flat(scene["items"]):
            if item["t"] == "path":
                numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", item["d"])]
                assert all(-1 <= n <= max(scene["width"], scene["height"], 1200) for n in numbers), (
                    view,
                    cursor,
                    item,
                )
            elif item["t"] != "group" and not item["c"].startswith("band"):
                left, top, right, bottom = extent(item)
                assert left >= 0, (view, cursor, item)
                assert top >= 0, (view, cursor, item)
                assert right <= scene["width"] + 0.1, (view, cursor, item)
                assert bottom <= scene["height"] + 0.1, (view, cursor, item)


def test_no_text_runs_into_another(scenes: Scenes) -> None:
    for _, view, cursor, scene in scenes:
        texts = [(i, extent(i)) for i in flat(scene["items"]) if i["t"] == "text" and i["s"].strip()]
        texts.sort(key=lambda pair: pair[1][1])
        for n, (a, (left, _, right, bottom)) in enumerate(texts):
            for b, other in texts[n + 1 :]:
                if other[1] >= bottom:
                    break
                assert other[0] >= right - 0.1 or other[2] <= left + 0.1, (view, cursor, a, b)


def test_links_lead_to_things_of_the_document(scenes: Scenes) -> None:
    for document, view, cursor, scene in scenes:
        n = {
            "t": len(document["tensors"]), "s": len(document["storages"]), "n": len(document["nodes"]),
            "l": len(document["source"]) + 1, "p": len(document["steps"]) + 1,
        }  # fmt: skip
        for item in flat(scene["items"]):
            for key in item.get("k", []):
                kind, number, element = re.fullmatch(r"([tsnlp])(\d+)(?::(\d+))?", key).groups()
                assert (1 if kind in "lp" else 0) <= int(number) < n[kind], (view, cursor, item)
                if kind == "s" and element is not None:
                    assert int(element) < document["storages"][int(number)]["numel"], (view, cursor, item)


def test_a_scene_is_plain_rounded_data(scenes: Scenes) -> None:
    for _, view, _, scene in scenes:
        assert set(scene) - {"choices", "unchosen", "notes", "axis"} == {
            "view",
            "title",
            "width",
            "height",
            "caption",
            "items",
            "table",
        }
        assert scene["view"] == view
        assert json.loads(json.dumps(scene)) == scene
        for row in scene["table"]["rows"]:
            assert len(row) == len(scene["table"]["columns"])
            assert all(isinstance(cell, str) for cell in row)
        for item in flat(scene["items"]):
            assert item["t"] in ("rect", "text", "path", "group")
            assert set(item.get("c", "").split()) <= CLASSES, item
            for key in ("x", "y", "w", "h"):
                if key in item:
                    assert round(item[key], 1) == item[key], item
            if item["t"] == "rect":
                assert item["w"] >= 0, item
                assert item["h"] >= 0, item


def test_drawing_leaves_the_document_alone(scenes: Scenes, request: pytest.FixtureRequest) -> None:
    document, *_ = scenes[0]
    assert json.dumps(document) == json.dumps(documents()[request.node.callspec.params["scenes"]])


def test_what_the_step_did_stands_out(scenes: Scenes) -> None:
    for document, view, cursor, scene in scenes:
        marked = [i for i in flat(scene["items"]) if "now" in i.get("c", "").split()]
        if cursor == 0:
            assert not marked, view
            continue
        step = document["steps"][cursor - 1]
        if view == "timeline":
            assert any(f"p{cursor}" in i.get("k", []) for i in marked)
        if view == "storage" and step.get("writes"):
            assert any(f"t{step['writes'][0]['tensor']}" in i.get("k", []) for i in marked)
        if view == "graph" and step["kind"] == "node":
            assert any(f"n{step['node']}" in i.get("k", []) for i in marked)
        if view == "accumulation" and step.get("grad"):
            assert any(f"t{step['grad']['tensor']}" in i.get("k", []) for i in marked)
        if view == "scatter" and step.get("index_map"):
            assert marked


def long_document() -> dict[str, Any]:
    """10,000 steps of a loop over four lines."""
    document = documents()["chain"]
    steps = [s for s in document["steps"] if s["kind"] == "op"][1:5]
    document["steps"] = (document["steps"] + steps * 2500)[:10_000]
    return document


@pytest.mark.parametrize("view", views.VIEWS)
@pytest.mark.parametrize("name", ["long", "large", "many"])
def test_large_documents_make_small_scenes(view: str, name: str) -> None:
    document = long_document() if name == "long" else documents()[name]
    for cursor in (1, len(document["steps"]) // 2, len(document["steps"])):
        scene = views.scene(document, view, cursor)
        assert scene["height"] <= 1600
        assert len(flat(scene["items"])) <= 1200
        assert len(json.dumps(scene)) < 250_000


def test_a_cursor_outside_is_the_end() -> None:
    document = documents()["paths"]
    last = views.scene(document, "graph", len(document["steps"]))
    assert views.scene(document, "graph") == last
    assert views.scene(document, "graph", -1) == last
    assert views.scene(document, "graph", 10_000) == last


def test_views_that_have_something_to_say() -> None:
    d = documents()
    assert views.applicable(d["sharing"]) == ["storage", "graph", "accumulation", "timeline"]
    assert views.applicable(d["scatter"]) == ["scatter", "storage", "timeline"]
    assert views.applicable(d["empty"]) == []


def test_an_unknown_view_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="there is no view 'nosuch': the views are training, timeline"):
        views.scene(documents()["paths"], "nosuch")


def test_an_empty_storage_on_which_no_tensor_is_left() -> None:
    document = record("""
        A = jgrad.ones(3, 2, requires_grad=True)
        s = jgrad.linalg.qr(A, "r").R.sum()
        s = s * 2
    """)
    answers = [views.text(document, "storage", cursor) for cursor in range(len(document["steps"]) + 1)]
    assert any("0 elements" in text for text in answers)


def test_a_scene_is_a_function_of_document_cursor_and_width() -> None:
    document = documents()["sharing"]
    for view in views.VIEWS:
        for cursor in cursors(document):
            assert views.scene(document, view, cursor) == views.scene(document, view, cursor)
            assert views.scene(document, view, cursor) == views.scene(document, view, cursor, width=860)
