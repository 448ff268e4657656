"""Two traces side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import views
from jgrad.views.compare import SideBySide
from tests.record.tracing import trace

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
        "They first differ at step 2 (line 2): in a, clone made storage 2; in b, detach uses storage 1.",
    ),
    "counter": (
        X + "y = x.detach()", X + "y = x.data",
        "They first differ at step 2 (line 2): in a, detach shares the version counter of x; in b, data has its own version counter.",
    ),
    "history": (
        X + "y = x * 2", X + "with jgrad.no_grad():\n    y = x * 2",
        "They first differ at step 2 (line 2 of a, line 3 of b): in a, mul has the grad_fn MulBackward0; in b, mul has no history.",
    ),
    "shape": (
        "y = jgrad.ones(3)", "y = jgrad.ones(1, 3)",
        "They first differ at step 1 (line 1): in a, ones has shape [3] and has strides (1,) and storage offset 0; in b, ones has shape [1, 3] and has strides (3, 1) and storage offset 0.",
    ),
    "contents": (
        "y = jgrad.tensor([1., 2.])", "y = jgrad.tensor([1., 3.])",
        "They first differ at step 1 (line 1): in a, tensor gave [1., 2.]; in b, tensor gave [1., 3.].",
    ),
    "write": (
        "x = jgrad.ones(3)\ny = x[1:]\ny.zero_()", "x = jgrad.ones(3)\ny = x[:1]\ny.zero_()",
        "They first differ at step 2 (line 2): in a, slice has shape [2] and has strides (1,) and storage offset 1; in b, slice has shape [1] and has strides (1,) and storage offset 0.",
    ),
    "in place or not": (
        "x = jgrad.ones(3)\nx.add_(1)", "x = jgrad.ones(3)\ny = x.add(1)",
        "They first differ at step 2 (line 2): in a, add_ wrote 3 elements of storage 1; in b, add made storage 2.",
    ),
    "gradient": (
        "w = jgrad.ones(1, requires_grad=True)\n(w * 5).backward()", "w = jgrad.ones(1, requires_grad=True)\n(w * 6).backward()",
        "They first differ at step 2 (line 2): in a, mul gave [5.]; in b, mul gave [6.].",
    ),
    "one more": (
        "w = jgrad.ones(1, requires_grad=True)\nw.sum().backward()\nw.sum().backward()",
        "w = jgrad.ones(1, requires_grad=True)\nw.sum().backward()\nw.grad = None\nw.sum().backward()",
        "They first differ at step 6 (line 3 of b): in b, w.grad was set to None; a has no such step.",
    ),
    "error": (
        X + "y = x.exp()\ny.add_(1)\ny.sum().backward()", X + "y = x.exp()\ny.sum().backward()",
        "They first differ at step 3 (line 3 of a): in a, add_ wrote 3 elements of storage 2; b has no such step.",
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
    assert text.startswith(
        "a and b side by side\nThey first differ at step 2 (line 2): in a, clone made storage 2;"
    )
    assert max(map(len, text.split("\n"))) <= 110
    assert found._repr_html_().count("<img") == 1
    assert 'alt="a and b side by side: They first differ at step 2' in found._repr_html_()
    scene = found.scene()
    for item in flat(scene["items"]):
        assert 0 <= item["x"] <= scene["width"]
        assert 0 <= item["y"] <= scene["height"]
        assert item["x"] + item.get("w", 0) <= scene["width"]


def test_no_number_of_a_step_is_cut() -> None:
    loop = "w = jgrad.tensor([1., 2.], requires_grad=True)\nfor i in range(4):\n"
    first = trace(loop + "    (w * 3).sum().backward()")
    second = trace(loop + "    w.grad = None\n    (w * 3).sum().backward()")
    side = SideBySide(first.document, second.document)
    scene = side.scene()
    said = [
        item["s"]
        for row in scene["items"]
        if row["t"] == "group"
        for item in row["items"]
        if item["t"] == "text"
    ]
    assert any(" to " in number and " | " in number for number, _, _ in side.rows())
    for number, _, _ in side.rows():
        assert set(number.split(" | ")) <= set(said)
    assert not any(s.endswith("…") for s in said if s[0].isdigit())


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
    answers = [step for step in document["steps"] if step["kind"] == "difference"]
    assert [step["text"] for step in answers] == [f"{words}." for words in found.differences.values()]
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


# Cells that get uninitialised memory. Run twice, they differ in nothing else.
UNINITIALIZED = {
    "empty": "x = jgrad.empty(4)\ny = x + 1\nz = y.sum()",
    "a large one": "x = jgrad.empty(100)\ny = x * 2",
    "empty_like": "x = jgrad.empty_like(jgrad.ones(3))\ny = x.clone()",
    "new_empty": "x = jgrad.ones(2).new_empty(3)",
    "empty_strided": "x = jgrad.empty_strided((2, 2), (1, 2))",
    "empty_permuted": "x = jgrad.empty_permuted((2, 3), (1, 0))",
    "Tensor": "x = jgrad.Tensor(3)",
    "resize_": "x = jgrad.ones(2)\nx.resize_(5)\ny = x + 1",
    "a part is written": "x = jgrad.empty(4)\nx[:2] = 0\ny = x[:2] * 2\nz = x * 2",
    "some elements are written": "x = jgrad.empty(4)\nx.index_fill_(0, jgrad.tensor([1, 2]), 0.)\nx.scatter_(0, jgrad.tensor([3]), 0.)",
    "in place": "x = jgrad.empty(4)\nx.mul_(2).add_(1)\ny = jgrad.ones(4)\ny.add_(x)",
    "out": "x = jgrad.empty(4)\njgrad.add(jgrad.ones(4), 1, out=x)\ny = x + 1",
    "backward": "x = jgrad.empty(3, requires_grad=True)\n(x * x).sum().backward()\n(x * x).sum().backward()",
    "a layer": "jgrad.manual_seed(0)\nnet = jgrad.nn.Linear(2, 2)\nnet(jgrad.ones(2)).sum().backward()",
    "a model": "jgrad.manual_seed(0)\nnet = jgrad.nn.Sequential(jgrad.nn.Conv2d(1, 1, 3), jgrad.nn.BatchNorm2d(1))\n"
    "net(jgrad.rand(1, 1, 5, 5)).sum().backward()",
    "initial values": "jgrad.manual_seed(0)\nx = jgrad.nn.init.orthogonal_(jgrad.empty(2, 2))\ny = jgrad.nn.init.eye_(jgrad.empty(2, 2))",
}  # fmt: skip


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What fresh memory holds; the tests change it."""
    held = [1e-30]
    empty = np.empty

    def filled(shape: Any, dtype: Any = float, **options: Any) -> Any:
        made = empty(shape, dtype, **options)
        if made.dtype.kind == "f":
            made.ravel(order="K")[...] = held[0]
        return made

    monkeypatch.setattr(np, "empty", filled)
    return held


@pytest.mark.parametrize("case", UNINITIALIZED)
def test_uninitialised_memory_is_no_difference(case: str, memory: list[float]) -> None:
    first = trace(UNINITIALIZED[case]).document
    for content in (0.0, 1.875, 3e20, float("nan")):
        memory[0] = content
        found = SideBySide(first, trace(UNINITIALIZED[case]).document, names=("a", "b"))
        assert found.sentence == "No step differs."
        assert found.endings() == []


@pytest.mark.parametrize(("a", "b", "sentence"), [
    (
        "x = jgrad.empty(2)\nx.fill_(1)\ny = x * 2", "x = jgrad.empty(2)\nx.fill_(1)\ny = x * 3",
        "They first differ at step 3 (line 3): in a, mul gave [2., 2.]; in b, mul gave [3., 3.].",
    ),
    (
        "x = jgrad.empty(3)\nx[:2] = 1", "x = jgrad.empty(3)\nx[:2] = 2",
        "They first differ at step 3 (line 2): in a, fill_ left [1.0000e+00, 1.0000e+00, ?] in storage 1; in b, fill_ left "
        "[2.0000, 2.0000, ?] in storage 1.",
    ),
    (
        "x = jgrad.empty(3)\ny = jgrad.zeros_like(x)", "x = jgrad.empty(3)\ny = jgrad.ones_like(x)",
        "They first differ at step 2 (line 2): in a, zeros_like gave [0., 0., 0.]; in b, ones_like gave [1., 1., 1.].",
    ),
    (
        "x = jgrad.empty(2)\ny = jgrad.ones(1)", "x = jgrad.empty(3)\ny = jgrad.ones(1)",
        "They first differ at step 1 (line 1): in a, empty has shape [2] and gave uninitialised memory; in b, empty has shape [3] and gave "
        "uninitialised memory.",
    ),
    (
        "jgrad.manual_seed(0)\nnet = jgrad.nn.Linear(1, 1)\nnet(jgrad.ones(1)).sum().backward()",
        "jgrad.manual_seed(0)\nnet = jgrad.nn.Linear(1, 1)\n(net(jgrad.ones(1)).sum() * 2).backward()",
        "They first differ at step 13 (line 3 of b): in b, mul made storage 6; a has no such step.",
    ),
])  # fmt: skip
def test_the_comparison_goes_on_after_uninitialised_memory(
    a: str, b: str, sentence: str, memory: list[float]
) -> None:
    first = trace(a).document
    memory[0] = 2.5
    assert SideBySide(first, trace(b).document, names=("a", "b")).sentence == sentence
