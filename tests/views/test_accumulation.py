"""The accumulation view: bars of one scale, whose heights are norms."""

from __future__ import annotations

import base64
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jgrad import views

from .documents import PROGRAMS, record
from .test_scenes import flat

pytestmark = pytest.mark.quick

TWO = """
        w = jgrad.tensor([1.0, 2.0], requires_grad=True)
        b = jgrad.tensor(0.1, requires_grad=True)
        x = jgrad.tensor([3.0, 4.0])
        ((w * x).sum() + b + (w * w).sum()).backward()
        ((w * -x).sum() + 50 * b).backward()
        w.grad = None
        (w * x).sum().backward()
"""


def bars(document: dict[str, Any], choice: int | None = None) -> list[tuple[str, list[str], float, float]]:
    """(class, link keys, bottom, height) of each bar in the drawing, without the legend."""
    items = flat(views.scene(document, "accumulation", choice=choice)["items"])
    found = [i for i in items if i["t"] == "rect" and "bar" in i["c"].split() and i.get("k")]
    return [(i["c"], i["k"], i["y"] + i["h"], i["h"]) for i in found]


def of_sums(document: dict[str, Any], choice: int | None = None) -> list[float]:
    """The heights of the bars of what `.grad` was after each event."""
    return [height for c, _, _, height in bars(document, choice) if c.startswith("bar end")]


def test_all_bars_have_one_scale() -> None:
    document = record(TWO)
    norms = [
        step["grad"]["after"]["norm"]
        for step in sorted((s for s in document["steps"] if "grad" in s), key=lambda s: s["grad"]["tensor"])
        if step["grad"]["action"] == "add"
    ]
    tensors = list(dict.fromkeys(s["grad"]["tensor"] for s in document["steps"] if "grad" in s))
    ordered = [
        s["grad"]["after"]["norm"] for t in tensors for s in document["steps"]
        if s.get("grad", {}).get("tensor") == t and s["grad"]["action"] == "add"
    ]  # fmt: skip
    heights = of_sums(document)
    assert sorted(norms) == sorted(ordered)
    assert len(heights) == len(ordered) == 5
    scale = max(heights) / max(ordered)
    for height, norm in zip(heights, ordered, strict=True):
        assert height == pytest.approx(norm * scale, abs=1.5)


def test_the_parts_of_a_sum_are_stacked_in_the_order_of_arrival() -> None:
    document = record(TWO)
    step = next(
        i for i, s in enumerate(document["steps"]) if len(s.get("grad", {}).get("contributions", ())) == 3
    )
    parts = [part["value"]["norm"] for part in document["steps"][step]["grad"]["contributions"]]
    stack = [
        (bottom, height)
        for c, k, bottom, height in bars(document)
        if f"p{step + 1}" in k and c.startswith("bar gradient")
    ]
    assert len(stack) == 3
    bottoms = [bottom for bottom, _ in stack]
    assert bottoms == sorted(bottoms, reverse=True), "each on top of the one before"
    scale = max(of_sums(document)) / max(
        s["grad"]["after"]["norm"] for s in document["steps"] if s.get("grad", {}).get("after")
    )
    for (_, height), part in zip(stack, parts, strict=True):
        assert height == pytest.approx(part * scale, abs=1.6)


def test_parts_that_cancel_are_higher_than_their_sum() -> None:
    document = record(TWO)
    step = [i for i, s in enumerate(document["steps"]) if s.get("grad", {}).get("action") == "add"]
    heights = {}
    for c, k, bottom, height in bars(document):
        number = next(int(key[1:]) for key in k if key[0] == "p") - 1
        if number in step:
            which = "sum" if c.startswith("bar end") else "stack"
            top = bottom - height
            heights.setdefault(number, {}).setdefault(which, []).append(top)
    lower = [n for n, tops in heights.items() if min(tops["stack"]) < min(tops["sum"]) - 3]
    assert lower, "w gets -x after x"
    assert all(document["steps"][n]["grad"]["before"] for n in lower)


def test_a_logarithm_shows_small_bars() -> None:
    document = record(PROGRAMS["infinite"])
    scene = views.scene(document, "accumulation")
    assert scene["choices"] == ["logarithmic scale"]
    plain, log = of_sums(document), of_sums(document, 0)
    assert min(plain) < 2 < 5 < min(log)
    assert max(plain) == max(log) == 60
    norms = sorted(
        s["grad"]["after"]["norm"]
        for s in document["steps"]
        if s.get("grad", {}).get("after") and not s["grad"]["after"].get("inf_count")
    )
    steps = [(math.log10(norm), height) for norm, height in zip(norms, sorted(log), strict=True)]
    slopes = [(h2 - h1) / (n2 - n1) for (n1, h1), (n2, h2) in pairwise(steps) if n2 > n1 + 0.1]
    assert max(slopes) == pytest.approx(min(slopes), rel=0.05)


def test_what_is_not_finite_is_hatched() -> None:
    document = record(PROGRAMS["infinite"])
    items = flat(views.scene(document, "accumulation")["items"])
    assert any(i["t"] == "rect" and "nan error" in i["c"] for i in items)
    items = flat(views.scene(record(TWO), "accumulation")["items"])
    assert not any("nan" in i.get("c", "").split() for i in items)


def test_a_long_loop_points_to_the_training_view() -> None:
    document = record("""
        w = jgrad.ones(1, requires_grad=True)
        for i in range(400):
            (w * w).sum().backward()
            w.grad = None
    """)
    scene = views.scene(document, "accumulation")
    said = [i.get("s", "") for i in flat(scene["items"])]
    assert "the view training has all rounds" in said
    assert len(flat(scene["items"])) < 120
    assert "training" in views.applicable(document)


def test_the_inputs_of_gradient_penalties_are_no_leaves_of_the_model() -> None:
    """Each round makes one anew: "gradients in 24 leaves" was said of 4 parameters, and all were drawn."""
    document = record("""
        from jgrad import nn
        D = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
        opt = jgrad.optim.SGD(D.parameters(), lr=0.01)
        for step in range(20):
            x = jgrad.rand(4, 2).requires_grad_()
            g, = jgrad.autograd.grad(D(x).sum(), x, create_graph=True)
            loss = D(x).mean() + ((g.norm(2, dim=1) - 1) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    """)
    assert "".join(part["text"] for part in document["diagnosis"]["headline"]).endswith(
        "all 4 parameters learn"
    )
    scene = views.scene(document, "accumulation")
    assert {row[0] for row in scene["table"]["rows"]} == {
        "D[0].weight", "D[0].bias", "D[2].weight", "D[2].bias", "x",
    }  # fmt: skip
    assert any("19 more tensors with a gradient" in i.get("s", "") for i in flat(scene["items"]))
    # What differs from one of them to the next is no update.
    figures = [p for p in document["rounds"]["parameters"] if p["name"] == "x"]
    assert figures
    for p in figures:
        updates = np.frombuffer(base64.b64decode(p["update"]), "<u2")
        assert not [u for u in updates.tolist() if u not in (0, 65535)]


def test_the_line_of_a_backward_of_a_program_is_named_with_its_file() -> None:
    document = record(TWO)
    texts = {i["s"] for i in flat(views.scene(document, "accumulation")["items"]) if i["t"] == "text"}
    program = document | {"file": "train.py"}
    named = {i["s"] for i in flat(views.scene(program, "accumulation")["items"]) if i["t"] == "text"}
    lines = {text for text in texts if text.startswith("line ")}
    assert lines
    assert named - texts == {text.replace("line ", "train.py:") for text in lines}
    assert texts - named == lines
