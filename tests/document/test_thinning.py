"""What a saved notebook keeps of a training: all that is seen in the first round, at the end, and of what a remark is about; elsewhere the rows without large values."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import jgrad
from jgrad import views
from jgrad.tracing.document.check import check
from jgrad.tracing.document.packing import pack, unpack
from jgrad.tracing.document.thinning import FEW, thinned

pytestmark = pytest.mark.quick


@cache
def training() -> Any:
    with jgrad.trace() as trace:
        jgrad.manual_seed(0)
        x, y = jgrad.randn(20, 5), jgrad.randn(20, 1)
        model = jgrad.nn.Sequential(jgrad.nn.Linear(5, 8), jgrad.nn.ReLU(), jgrad.nn.Linear(8, 1))
        opt = jgrad.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(30):
            loss = ((model(x) - y) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    return trace.document


def rounds() -> list[Any]:
    return training()["rounds"]["kept"]


def test_the_thinned_document_is_sound_and_half_as_large() -> None:
    document = thinned(training())
    check(document)
    assert len(pack(document)) < len(pack(training())) / 2
    assert unpack(json.loads(pack(document))) == document


def test_what_is_seen_in_the_first_round_and_at_the_end_stays() -> None:
    whole, thin = training(), thinned(training())
    assert rounds()[-1][2] == len(whole["steps"])
    for cursor in range(rounds()[0][2]):
        for view in views.applicable(whole):
            assert seen(views.scene(thin, view, cursor)) == seen(views.scene(whole, view, cursor))
    # The accumulations show some rounds at once.
    for view in {*views.applicable(whole)} - {"accumulation"}:
        assert seen(views.scene(thin, view)) == seen(views.scene(whole, view))


def seen(scene: Any) -> Any:
    """A scene as one sees it: of the graph without tooltips and table, which have elements where the picture has norms."""
    return words(scene["items"]) if scene["view"] == "graph" else scene


def words(items: list[Any]) -> list[str]:
    """What is written in a drawing, without its tooltips."""
    return [
        s for item in items for s in (words(item["items"]) if item["t"] == "group" else [item.get("s", "")])
    ]


def test_in_between_the_rows_stay_and_large_values_go() -> None:
    whole, thin = training(), thinned(training())
    _, start, end = rounds()[7]
    for mine, theirs in zip(thin["steps"][start:end], whole["steps"][start:end], strict=True):
        assert (mine["text"], mine["kind"], mine["line"]) == (theirs["text"], theirs["kind"], theirs["line"])
        for write in mine.get("writes", ()):
            assert len(write["contents"]["elements"]) <= FEW
        views.scene(thin, "storage", start)


def test_a_round_that_somebody_looks_at_stays() -> None:
    _, start, end = rounds()[7]
    assert thinned(training(), start)["steps"][start:end] == training()["steps"][start:end]
    noted = training() | {"notes": [{"step": end - 1}]}
    assert thinned(noted)["steps"][start:end] == training()["steps"][start:end]


def test_a_document_without_rounds_stays_itself() -> None:
    with jgrad.trace() as trace:
        jgrad.ones(100).exp()
    document = trace.document
    assert thinned(document) is document
