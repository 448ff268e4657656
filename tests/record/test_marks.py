"""What code says of a tensor in autograd (that it requires grad, that it keeps its gradient) is so from the step on that says it, and not before."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.index import TraceIndex
from jgrad.views.scene import Frame, tensor_class
from tests.record.tracing import tensor_of, texts, trace

pytestmark = pytest.mark.quick


@pytest.fixture(params=["jgrad", "torch"])
def lib(request: pytest.FixtureRequest) -> Any:
    return jgrad if request.param == "jgrad" else pytest.importorskip("torch")


def flags(t: Trace, name: str) -> list[tuple[bool, bool, bool]]:
    """Whether a tensor requires grad, is a leaf and retains its gradient, after each step since the one that made it."""
    index, x = TraceIndex(t.document), tensor_of(t, name)
    states = [index.state(x["id"], i) for i in range(max(x["created_step"], -1) + 1, len(index.steps) + 1)]
    return [(s["requires_grad"], s["is_leaf"], s["retains_grad"]) for s in states]


PLAIN, LEAF, RESULT, KEPT = (
    (False, True, False),
    (True, True, False),
    (True, False, False),
    (True, False, True),
)

CASES = {
    "requires_grad_": ("x = L.ones(3)\nx.requires_grad_()\ny = x * 2", "x", [PLAIN, LEAF, LEAF]),
    "assigned": ("x = L.ones(3)\nx.requires_grad = True\ny = x * 2", "x", [PLAIN, LEAF, LEAF]),
    "at the end": ("x = L.ones(3)\nx.requires_grad_()", "x", [PLAIN, LEAF]),
    "in one expression": ("x = L.ones(3).requires_grad_()\ny = x * 2", "x", [PLAIN, LEAF, LEAF]),
    "after others": ("x = L.ones(3)\nu = x * 2\nx.requires_grad_()\ny = x * 2", "x", [PLAIN, PLAIN, LEAF, LEAF]),
    "switched off": (
        "x = L.ones(3, requires_grad=True)\ny = x * 2\nx.requires_grad_(False)\nz = x * 2", "x", [LEAF, LEAF, PLAIN, PLAIN],
    ),
    "said twice": ("x = L.ones(3)\nx.requires_grad_()\nx.requires_grad_()\ny = x * 2", "x", [PLAIN, LEAF, LEAF]),
    "parameter": ("x = L.nn.Parameter(L.ones(3))\nx.requires_grad_(False)\ny = x * 2", "x", [LEAF, PLAIN, PLAIN]),
    "module": (
        "m = L.nn.Linear(1, 1, bias=False)\nm.requires_grad_(False)\ny = m.weight * 2", "m.weight", [PLAIN, PLAIN],
    ),
    "retain_grad": (
        "w = L.ones(3, requires_grad=True)\nx = w * 2\nx.retain_grad()\nz = x * 3", "x", [RESULT, KEPT, KEPT],
    ),
    "detach_": ("w = L.ones(3, requires_grad=True)\nx = w * 2\nx.detach_()\nz = x * 3", "x", [RESULT, PLAIN, PLAIN]),
    "detached, then a leaf": (
        "w = L.ones(3, requires_grad=True)\nx = (w * 2).detach()\nx.requires_grad_()\nz = x * 3", "x", [PLAIN, LEAF, LEAF],
    ),
    "through its base": ("b = L.ones(4)\nx = b[:2]\nb.requires_grad_()\nz = b * 3", "x", [PLAIN, (True, False, False), (True, False, False)]),
    "before the error": ("x = L.ones(3)\nx.requires_grad_()\ny = x @ L.ones(2)", "x", [PLAIN, LEAF, LEAF, LEAF]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_flag_is_so_from_the_step_that_sets_it(case: str, lib: Any) -> None:
    source, name, expected = CASES[case]
    t = trace(source, {"L": lib})
    assert flags(t, name)[-len(expected) :] == expected, texts(t)


def test_the_step_says_what_was_set(lib: Any) -> None:
    t = trace(
        "x = L.ones(3)\nx.requires_grad = True\ny = x * 2\ny.retain_grad()\ny.detach_()\nx.requires_grad_(False)",
        {"L": lib},
    )
    assert texts(t) == [
        "line 1: ones() made x [3] in storage 1",
        "line 2: x.requires_grad = True made x a leaf that requires grad",
        "line 3: x * 2 made y [3] in storage 2; its grad_fn is MulBackward0",
        "line 4: y.retain_grad() made y keep its .grad",
        "line 5: y.detach_() took y out of the graph: it is a leaf that does not require grad",
        "line 6: x.requires_grad_(False) made x a leaf that does not require grad",
    ]
    assert [s["kind"] for s in t.document["steps"]] == ["create", "mark", "op", "mark", "view", "mark"]


def test_a_tensor_that_no_name_led_to_is_met_as_it_was(lib: Any) -> None:
    """A tensor from before the block, in a list of lists that is not looked into."""

    class Holder:
        __slots__ = ("held",)

    holder = Holder()
    holder.held = [[[lib.ones(2)]]]
    t = trace("x = get()\nx.requires_grad_()\ny = x * 2", {"get": lambda: holder.held[0][0][0]})
    assert flags(t, "x") == [PLAIN, LEAF, LEAF]


def test_views_show_it_from_its_step_on(lib: Any) -> None:
    t = trace("x = L.ones(3)\nx.requires_grad_()\ny = x * 2", {"L": lib})
    index = TraceIndex(t.document)
    frames = [Frame(index, cursor) for cursor in (1, 2, 3)]
    assert [tensor_class(f, f.state[0]) for f in frames] == ["plain", "leaf", "leaf"]
    assert [0 in f.touched() for f in frames] == [True, True, False]


def test_steps_of_a_long_run_keep_what_was_set(lib: Any) -> None:
    source = "x = L.ones(3)\nfor k in range(200):\n    x.requires_grad_(k % 2 == 0)\n    y = x * 2"
    t = trace(source, {"L": lib}, max_steps=40)
    index = TraceIndex(t.document)
    for i, step in enumerate(index.steps):
        if step["kind"] == "op":
            assert ("node" in step) == index.state(0, i)["requires_grad"]
    assert not index.final[0]["requires_grad"]
