"""Two traces side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad import views
from jgrad.views.compare import SideBySide
from tests.trace.tracing import trace

pytestmark = pytest.mark.quick


def flat(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Texts and rects, also those in groups."""
    return [found for item in items for found in (flat(item["items"]) if item["t"] == "group" else [item])]


def compared(a: str, b: str) -> SideBySide:
    documents: list[dict[str, Any]] = [trace(source).document for source in (a, b)]
    return SideBySide(*documents, names=("a", "b"))


X = "x = jgrad.tensor([1., 2., 3.], requires_grad=True)\n"
PAIRS = {
    "storage": (
        X + "y = x.clone()\nz = y * 2", X + "y = x.detach()\nz = y * 2",
        "They part at step 2 (line 2): in a, clone made storage 2; in b, detach stayed on storage 1.",
    ),
    "counter": (
        X + "y = x.detach()", X + "y = x.data",
        "They part at step 2 (line 2): in a, detach shares the version counter of x; in b, data has a version counter of its own.",
    ),
    "history": (
        X + "y = x * 2", X + "with jgrad.no_grad():\n    y = x * 2",
        "They part at step 2 (line 2 of a, line 3 of b): in a, mul has the grad_fn MulBackward0; in b, mul has no history.",
    ),
    "shape": (
        "y = jgrad.ones(3)", "y = jgrad.ones(1, 3)",
        "They part at step 1 (line 1): in a, ones has shape [3] and has strides (1,) from place 0; in b, ones has shape [1, 3] and has "
        "strides (3, 1) from place 0.",
    ),
    "contents": (
        "y = jgrad.tensor([1., 2.])", "y = jgrad.tensor([1., 3.])",
        "They part at step 1 (line 1): in a, tensor gave [1., 2.]; in b, tensor gave [1., 3.].",
    ),
    "write": (
        "x = jgrad.ones(3)\ny = x[1:]\ny.zero_()", "x = jgrad.ones(3)\ny = x[:1]\ny.zero_()",
        "They part at step 2 (line 2): in a, slice has shape [2] and has strides (1,) from place 1; in b, slice has shape [1] and has "
        "strides (1,) from place 0.",
    ),
    "in place or not": (
        "x = jgrad.ones(3)\nx.add_(1)", "x = jgrad.ones(3)\ny = x.add(1)",
        "They part at step 2 (line 2): in a, add_ wrote 3 elements of storage 1; in b, add made storage 2.",
    ),
    "gradient": (
        "w = jgrad.ones(1, requires_grad=True)\n(w * 5).backward()", "w = jgrad.ones(1, requires_grad=True)\n(w * 6).backward()",
        "They part at step 2 (line 2): in a, mul gave [5.]; in b, mul gave [6.].",
    ),
    "one more": (
        "w = jgrad.ones(1, requires_grad=True)\nw.sum().backward()\nw.sum().backward()",
        "w = jgrad.ones(1, requires_grad=True)\nw.sum().backward()\nw.grad = None\nw.sum().backward()",
        "They part at step 6 (line 3 of b): in b, w.grad was set to None; in a nothing like it happened.",
    ),
    "error": (
        X + "y = x.exp()\ny.add_(1)\ny.sum().backward()", X + "y = x.exp()\ny.sum().backward()",
        "They part at step 3 (line 3 of a): in a, add_ wrote 3 elements of storage 2; in b nothing like it happened.",
    ),
    "lines and names": ("x = jgrad.ones(3)\n\ny = x + 1", "a = jgrad.ones(3)\nb = a + 1", "No step differs."),
    "nothing": ("", "", "No step differs."),
}  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_where_they_part(pair: str) -> None:
    a, b, sentence = PAIRS[pair]
    assert compared(a, b).sentence == sentence


@pytest.mark.parametrize("pair", PAIRS)
def test_the_other_way_round_parts_at_the_same_place(pair: str) -> None:
    a, b, _ = PAIRS[pair]
    assert [(j, i) for i, j in compared(a, b).steps[:1]] == compared(b, a).steps[:1]
    assert compared(a, a).sentence == "No step differs."


def test_storages_are_compared_by_the_step_that_made_them() -> None:
    a = "extra = jgrad.zeros(2)\nx = jgrad.ones(3)\nx.mul_(2)"
    b = "x = jgrad.ones(3)\nx.mul_(2)"
    assert compared(a, b).steps == [(0, None)]  # later ones are on storages of other numbers


def test_the_table() -> None:
    rows = compared(*PAIRS["storage"][:2]).rows()
    assert rows[0] == ("1", "the same", "the same")
    assert rows[1][0] == "2"
    assert rows[1][1].startswith("line 2: x.clone() copied x to y [3] in storage 2")
    assert rows[1][2].startswith("line 2: x.detach() made y, which shares storage 1")
    assert rows[-2:] == [
        ("end: y", "[1., 2., 3.]; grad_fn CloneBackward0; grad None", "[1., 2., 3.]; shares memory with x"),
        ("end: z", "[2., 4., 6.]; grad_fn MulBackward0; grad None", "[2., 4., 6.]"),
    ]
    rows = compared(*PAIRS["one more"][:2]).rows()
    assert [row[0] for row in rows] == ["1 to 5", "6", "6 to 8 | 7 to 9", "9 | 10", "end: w"]


def test_text_and_picture() -> None:
    found = compared(*PAIRS["storage"][:2])
    text = repr(found)
    assert text.startswith("a and b side by side\nThey part at step 2 (line 2): in a, clone made storage 2;")
    assert max(map(len, text.split("\n"))) <= 110
    assert found._repr_html_().count("<img") == 1
    assert 'alt="a and b side by side: They part at step 2' in found._repr_html_()
    scene = found.scene()
    for item in flat(scene["items"]):
        assert 0 <= item["x"] <= scene["width"]
        assert 0 <= item["y"] <= scene["height"]
        assert item["x"] + item.get("w", 0) <= scene["width"]


def test_the_document_of_the_live_view() -> None:
    found = compared(*PAIRS["one more"][:2])
    document = found.document()
    pairs, both = found.pairs, document["compared"]
    assert document["name"] == found.sentence
    assert len(document["steps"]) == len(pairs)
    for side in (0, 1):
        assert both["traces"][side] is found.documents[side]
        taken = both["cursors"][side]
        assert taken[-1] == len(found.documents[side]["steps"])
        for place, pair in enumerate(pairs):
            at = pair[side]
            assert taken[place + 1] == (taken[place] if at is None else at + 1)
    told = [step for step in document["steps"] if step["kind"] == "difference"]
    assert [step["text"] for step in told] == [f"{words}." for words in found.differences.values()]
    keys = {k for item in both["scene"]["items"] for k in item.get("k", [])}
    assert keys == {f"p{place + 1}" for place in found.differences}
    assert not any("now" in item["c"].split() for item in flat(both["scene"]["items"]))


def test_long_traces_stay_small() -> None:
    loop = "w = jgrad.ones(1, requires_grad=True)\nfor i in range(150):\n    (w * {}).backward()"
    found = compared(loop.format(5), loop.format(6))
    assert len(flat(found.scene()["items"])) < 200
    assert "more rows" in flat(found.scene()["items"])[-1]["s"]


def test_the_live_list_has_every_row() -> None:
    loop = "k = {}\nw = jgrad.ones(2, requires_grad=True)\nfor i in range(50):\n    (w * k).sum().backward()"
    found = compared(loop.format(5), loop.format(6))
    assert len([a for _, a, b in found.rows() if a != b]) == len(found.differences) + len(found.endings())
    assert "its grad_fn is MulBackward0 (mul gave [5., 5.])" in found.rows()[1][1]
    titles, rows = found.scene(live=True)["items"][:2], found.scene(live=True)["items"][2:]
    assert [item["s"] for item in titles] == list(found.names)
    assert len(rows) == len(found.rows()) > 100
    assert [row["k"] for row in rows if "k" in row] == [[f"p{place + 1}"] for place in found.differences]
    tops = [row["items"][0]["y"] for row in rows]
    assert tops == sorted(tops)


def test_saved_traces_can_be_compared(tmp_path: Path) -> None:
    with jgrad.trace("kept") as t:
        x = jgrad.ones(2)
        x.mul_(2)
    t.save(tmp_path / "t.json")
    found = jgrad.trace.compare(t, str(tmp_path / "t.json"))
    assert found.sentence == "No step differs."
    assert found.names == ("kept (first)", "kept (second)")
    assert jgrad.trace.compare(t.document, t).steps == []


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    with jgrad.trace() as t:
        jgrad.ones(2)
    (tmp_path / "text").write_text("no JSON")
    (tmp_path / "other.json").write_text(json.dumps({"schema": "other/1"}))
    for other in ("text", "other.json"):
        with pytest.raises(ValueError, match="trace document"):
            jgrad.trace.compare(t, tmp_path / other)
    broken = json.loads(json.dumps(t.document))
    broken["tensors"][0]["storage"] = 7
    with pytest.raises(views.DocumentError):
        jgrad.trace.compare(t, broken)
    with pytest.raises(ValueError, match="trace document"):
        jgrad.trace.compare(t, 3)
