"""Every rule of `explain`: what it says, and that it keeps quiet otherwise."""

from __future__ import annotations

import warnings

import pytest

import jgrad
from jgrad.trace import explain
from tests.trace.tracing import trace

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*:RuntimeWarning"
)  # pytest forgets the filter of `import jgrad`

# code: (cell, what the note says, its lines)
CASES = {
    "saved-overwritten": (
        "x = jgrad.ones(3, requires_grad=True)\ny = x * 2\nz = y * y\ny.mul_(2)\nz.sum().backward()",
        "line 3 saved y (version 0) for MulBackward0; line 4 (mul_) wrote to it (version 1)", [3, 4],
    ),
    "saved-stale": (
        "x = jgrad.ones(3, requires_grad=True)\ny = x.exp()\ny[0] = 1",
        "line 2 saved y (version 0) for ExpBackward0; line 3", [2, 3],
    ),
    "leaf-inplace": ("w = jgrad.ones(2, requires_grad=True)\nw.add_(1)", "line 2: w.add_(1) writes in place to a leaf", [2]),
    "second-backward": (
        "x = jgrad.ones(2, requires_grad=True)\ny = (x * x).sum()\ny.backward()\ny.backward()",
        "line 3 ran backward and freed the saved tensors; line 4 needs them again", [3, 4],
    ),
    "root-without-history": ("x = jgrad.ones(1)\n(x * 2).backward()", "line 2: backward starts at a tensor that has no grad_fn", [2]),
    "root-not-scalar": ("x = jgrad.ones(2, requires_grad=True)\n(x * 2).backward()", "line 2: backward starts at a tensor of several", [2]),
    "grad-accumulated": (
        "w = jgrad.ones(1, requires_grad=True)\nfor i in range(4):\n    (w * 5).backward()",
        "w.grad holds the sum of 4 backward passes (line 3)", [3],
    ),
    "data-write": (
        "x = jgrad.ones(2, requires_grad=True)\ny = x * x\nx.data.mul_(3)\ny.sum().backward()",
        "line 3 wrote to storage 1 through x.data, whose version counter is not that of x: autograd did not notice, and MulBackward0 "
        "(line 2) saved it: its gradient will be wrong without an error.", [3],
    ),
    "shared-memory": (
        "a = jgrad.ones(4)\nb = a[2:]\nb.zero_()", "line 3 wrote to b, and so to a: they share storage 1.", [3],
    ),
    "grad-not-finite": (
        "w = jgrad.zeros(1, requires_grad=True)\ny = w.sqrt() * 0\ny.backward()",
        "SqrtBackward0 (line 2) made nan out of finite gradients", [2, 3],
    ),
    "scatter-collision": (
        "out = jgrad.zeros(3)\nout.scatter_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))", "line 2: scatter_ writes 2 times to out[1]", [2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", CASES)
def test_note(code: str) -> None:
    source, text, lines = CASES[code]
    [note] = [n for n in trace(source).document["notes"] if n["code"] == code]
    assert note["text"].startswith(text)
    assert note["lines"] == lines


def test_every_rule_has_a_case() -> None:
    assert {rule.code for rule in explain.NOTES} == set(CASES)
    assert {rule.code for rule in explain.WHY} == set(REASONS)


@pytest.mark.parametrize("source", [
    "x = jgrad.ones(3, requires_grad=True)\ny = (x * x).sum()\ny.backward()",
    "x = jgrad.ones(3, requires_grad=True)\ny = x * 2\ny.mul_(2)\ny.sum().backward()",
    "x = jgrad.ones(3, requires_grad=True)\n(x * x).sum().backward()\nwith jgrad.no_grad():\n    x.sub_(1)",
    "a = jgrad.ones(4)\nb = a[2:]\na[0] = 2",
    "out = jgrad.zeros(3)\nout.scatter_add_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))",
    "w = jgrad.ones(1, requires_grad=True)\ng, = jgrad.autograd.grad(w * 2, w)\ng, = jgrad.autograd.grad(w * 2, w)",
])  # fmt: skip
def test_nothing_to_say(source: str) -> None:
    assert trace(source).document["notes"] == []


# code: (cell, whose .grad, the beginning of the answer)
REASONS = {
    "grad-accumulated": (
        "w = jgrad.ones(1, requires_grad=True)\n(w * 5).backward()\n(w * 5).backward()", "w",
        "w.grad holds the sum of 2 backward passes (lines 2 and 3)",
    ),
    "grad-broadcast": (
        "b = jgrad.tensor(1., requires_grad=True)\nx = jgrad.ones(2, 3)\n(x * b).sum().backward()", "b",
        "b.grad has b's shape []: line 3 broadcast b to [2, 3], so the gradient is summed over the copies.",
    ),
    "grad-present": ("w = jgrad.ones(1, requires_grad=True)\n(w * 5).backward()", "w", "w.grad is there: line 2 left [5.] there."),
    "grad-integer": ("n = jgrad.ones(2).long()", "n", "n.grad is None: n has dtype int64"),
    "grad-detached": (
        "w = jgrad.ones(1, requires_grad=True)\nd = w.detach()", "d", "d.grad is None: d was made by detach() (line 2)",
    ),
    "grad-no-grad-mode": (
        "w = jgrad.ones(1, requires_grad=True)\nwith jgrad.no_grad():\n    y = w * 2", "y",
        "y.grad is None: y was computed under no_grad() (line 3)",
    ),
    "grad-not-required": ("x = jgrad.ones(1)", "x", "x.grad is None: x does not require grad. Call x.requires_grad_()"),
    "grad-not-leaf": (
        "w = jgrad.ones(1, requires_grad=True)\ny = w * 2\ny.backward()", "y",
        "y.grad is None: y is not a leaf, MulBackward0 made it (line 2), and only leaves keep their gradient. Call y.retain_grad()",
    ),
    "grad-cleared": (
        "w = jgrad.ones(1, requires_grad=True)\n(w * 2).backward()\nw.grad = None", "w", "w.grad is None: line 3 set it to None",
    ),
    "grad-no-backward": ("w = jgrad.ones(1, requires_grad=True)\ny = w * 2", "w", "w.grad is None: no backward() ran in cell."),
    "grad-cut": (
        "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\nd = (w * 2).detach()\nloss = d * b\nloss.backward()",
        "w", "w.grad is None: loss was computed from w, but line 3 cut the graph with detach().",
    ),
    "grad-unused": (
        "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\nloss = b * 2\nloss.backward()",
        "w", "w.grad is None: backward ran from loss, which does not depend on w.",
    ),
    "grad-not-reached": ("", "w", "w.grad is None: no backward() has reached w since it was made"),
}  # fmt: skip


@pytest.mark.parametrize("code", REASONS)
def test_why(code: str) -> None:
    source, name, text = REASONS[code]
    t = trace(source)
    namespace = t.namespace or {}
    tensor = namespace.get(name, jgrad.ones(1, requires_grad=True))
    log = explain.Log(t.document) if source else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # asking must not set off PyTorch's warning about .grad of a non-leaf
        found = explain.reason(explain.Subject.live(name, tensor, log))
    assert found["code"] == code
    assert found["text"].startswith(text)
    if log is not None:  # the document alone knows as much
        subject = explain.Subject.of(log, name)
        assert subject is not None
        assert explain.reason(subject) == found


def test_a_grad_that_the_cell_reads_and_that_is_none() -> None:
    source = "w = jgrad.ones(1, requires_grad=True)\ny = w * 2\nz = y * 3\nz.backward()\nfound = y.grad"
    with pytest.warns(UserWarning, match="not a leaf"):
        [note] = trace(source).document["notes"]
    assert note["code"] == "grad-not-leaf"
    assert "y is not a leaf" in note["text"]


@pytest.mark.parametrize(("line", "cutter"), [
    ("d = w.detach()", "detach()"), ("d = w.data", ".data"),
    ("with jgrad.no_grad(): d = w * 2", "no_grad() or an operation without derivative"),
])  # fmt: skip
def test_backward_from_a_root_that_was_cut_off_names_the_line(line: str, cutter: str) -> None:
    t = trace(f"w = jgrad.ones(1, requires_grad=True)\n{line}\nloss = d * 3\nloss.backward()")
    [note] = [n for n in t.document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].endswith(f"it was computed from w, but line 2 cut the graph with {cutter}.")


def test_writes_that_do_not_touch_what_a_view_shows_are_not_shared() -> None:
    notes = trace("a = jgrad.ones(4)\nb = a[2:]\nc = a[:2]\nb.zero_()").document["notes"]
    assert [n["text"] for n in notes] == ["line 4 wrote to b, and so to a: they share storage 1."]
