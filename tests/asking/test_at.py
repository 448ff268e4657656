"""`jgrad.at` and `trace.at`: what variables held at a step, compared with copies that the program made then."""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest

import jgrad
from jgrad.trace import recent

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick
LIBRARIES = pytest.mark.parametrize("library", [jgrad, torch], ids=["jgrad", "torch"])


def same(a: Any, b: Any) -> bool:
    return (a.dtype, [*a.shape], a.requires_grad) == (b.dtype, [*b.shape], False) and bool((a == b).all())


def trained(
    library: ModuleType, dtype: str, rounds: int
) -> tuple[jgrad.trace.Trace, list[tuple[int, dict[str, Any]]]]:
    """A trace of a training, and copies of its variables after so many steps each."""
    library.manual_seed(3)
    lin = library.nn.Linear(40, 100).to(getattr(library, dtype))
    opt = library.optim.SGD(lin.parameters(), lr=0.1)
    x = library.ones(4, 40, dtype=getattr(library, dtype))
    copies = []
    with jgrad.trace(max_steps=10_000) as t:
        for _ in range(rounds):
            opt.zero_grad()
            out = lin(x)
            loss = (out * out).mean()
            loss.backward()
            opt.step()
            now = {
                "lin.weight": lin.weight,
                "lin.bias": lin.bias,
                "out": out,
                "loss": loss,
                "lin.bias.grad": lin.bias.grad,
            }
            copies.append((len(t.document["steps"]), {name: v.detach().clone() for name, v in now.items()}))
    return t, copies


@LIBRARIES
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_the_values_are_those_of_that_step_to_the_last_bit(library, dtype) -> None:
    trace, copies = trained(library, dtype, 4)
    for steps, values in copies:
        found = trace.at(steps)
        for name, value in values.items():
            assert isinstance(found[name], library.Tensor)
            assert same(found[name], value), (steps, name)
    assert any(not same(a["lin.weight"], b["lin.weight"]) for (_, a), (_, b) in pairwise(copies))


@LIBRARIES
def test_views_show_the_memory_of_that_step(library) -> None:
    with jgrad.trace() as trace:
        x = library.arange(6)
        rows = x.view(2, 3)
        turned = rows.t()
        end = x[4:]
        empty = library.zeros(0, 3)
        x += 10
    steps = trace.document["steps"]
    written = next(i for i, step in enumerate(steps) if step["kind"] == "write")
    before, after = trace.at(written), jgrad.at(written + 1)
    assert before["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert before["end"].tolist() == [4, 5]
    assert after["turned"].tolist() == turned.tolist()
    assert after["end"].tolist() == end.tolist() == [14, 15]
    assert [*after["empty"].shape] == [*empty.shape]
    assert same(after["x"], x)
    assert after["x"] is not x


@LIBRARIES
def test_what_is_not_known_says_why(library) -> None:
    large = library.zeros(100, 100)
    with jgrad.trace() as trace:
        total = large.sum()
        z = library.tensor([1 + 2j])
        imag = z.imag
        nowhere = library.empty(3, device="meta")
        w = library.ones(1)
        w = w + total
    end = len(trace.document["steps"])
    found = trace.at(end)
    assert {*found} == {"total", "z", "w"}
    assert found.missing == {
        "large": "large is not known: 10,000 elements were too many to keep",
        "imag": "imag is not known: it is a view of complex numbers, which may be conjugated",
        "nowhere": "nowhere is not known: on the device meta there are no elements",
    }
    assert "large is not known" in repr(found)
    assert "w = tensor([1.])" in repr(found)
    with pytest.raises(KeyError, match="large is not known: 10,000 elements"):
        found["large"]
    with pytest.raises(KeyError, match="no variable with a tensor was called nope; there are total, z and w"):
        found["nope"]
    assert imag.shape == z.shape
    assert nowhere.shape == (3,)


def test_an_example_of_a_batch_has_no_value() -> None:
    rows = jgrad.arange(6.0).view(3, 2)

    def doubled(row):
        twice = row * 2
        return twice.sum()

    with jgrad.trace() as trace:
        sums = jgrad.func.vmap(doubled)(rows)
    assert trace.at(0)["rows"].tolist() == rows.tolist()
    assert {*trace.at(1).missing} == {"row", "twice"}
    assert "an example of a batch under vmap" in trace.at(1).missing["twice"]
    assert trace.at(2)["sums"].tolist() == sums.tolist()


def test_bad_steps_get_one_sentence() -> None:
    with jgrad.trace("mine") as trace:
        x = jgrad.ones(2)
        with pytest.raises(ValueError, match="at: the trace goes on; ask after its block has ended"):
            trace.at(0)
    assert trace.at(0) == {}
    assert trace.at(1)["x"].tolist() == x.tolist()
    for step in (-1, 2, "write", 1.0, None):
        with pytest.raises(
            ValueError, match=r"at: mine has no step .*; write a number from 0 \(before the first\) to 1"
        ):
            trace.at(step)
    before = [*recent]
    try:
        recent.clear()
        with pytest.raises(ValueError, match="no trace was recorded yet"):
            jgrad.at(0)
    finally:
        recent.extend(before)


def test_a_trace_keeps_only_so_many_elements(monkeypatch) -> None:
    monkeypatch.setattr("jgrad.trace.REMEMBERED", 1_000)
    with jgrad.trace() as trace:
        wide, narrow = jgrad.ones(600), jgrad.ones(3)
        both = wide.sum() + narrow.sum()
    found = trace.at(len(trace.document["steps"]))
    assert {*found} == {"narrow", "both"}
    assert found["both"].item() == both.item()
    assert sum(map(len, trace.elements.values())) <= 1_000
