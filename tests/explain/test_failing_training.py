"""Training that fails in silence: what is said of published mistakes, and nothing of their right halves and of right programs that look like one.

`python -m tests.explain.test_failing_training` prints a table; docs/decisions/22-training-in-silence.md has it.
"""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing import explain
from jgrad.tracing.explain.learning import Learning
from jgrad.tracing.explain.rules.silent_training import SYMPTOMS
from tests.explain.failing_training import Failing, programs
from tests.record.tracing import trace

FAULTS, TRAPS = programs("faults"), programs("traps")
pytestmark = pytest.mark.filterwarnings("ignore")


def traced(source: str, library: ModuleType) -> Trace:
    t = trace(source, {"torch": library})
    assert t.error is None, repr(t.error)
    return t


def codes(source: str, library: ModuleType) -> list[str]:
    return [note["code"] for note in traced(source, library).document["notes"]]


def said_of(program: Failing, library: ModuleType) -> tuple[list[str], bool, bool]:
    """(what is said of a fault, whether a true cause is among it, whether a wrong one is)."""
    found = codes(program.faulty, library)
    symptom = "symptom" in program.said and bool({*found} & {*SYMPTOMS})
    return found, symptom or bool({*found} & {*program.said}), bool({*found} - {*program.said, *SYMPTOMS})


def named(program: Failing) -> str:
    return program.name


@pytest.mark.one_in(6)
@pytest.mark.parametrize("program", FAULTS, ids=named)
def test_a_true_cause_is_named(program: Failing) -> None:
    found, true, wrong = said_of(program, jgrad)
    assert true, found
    assert not wrong, found


@pytest.mark.one_in(12)
@pytest.mark.parametrize("program", FAULTS, ids=named)
def test_a_true_cause_is_named_on_pytorch(program: Failing) -> None:
    found, true, wrong = said_of(program, pytest.importorskip("torch"))
    assert true, found
    assert not wrong, found


@pytest.mark.one_in(6)
@pytest.mark.parametrize("program", [*FAULTS, *TRAPS], ids=named)
def test_nothing_is_said_of_what_is_right(program: Failing) -> None:
    assert codes(program.right, jgrad) == []


@pytest.mark.one_in(12)
@pytest.mark.parametrize("program", [*FAULTS, *TRAPS], ids=named)
def test_nothing_is_said_of_what_is_right_on_pytorch(program: Failing) -> None:
    assert codes(program.right, pytest.importorskip("torch")) == []


# The figures behind it ------------------------------------------------------------------------------------------------------------------

CLASSES = """
x, y = torch.randn(40, 3), torch.arange(40) % 4 // 2
net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
first = [p.detach().clone() for p in net.parameters()]
for i in range({rounds}):
    opt.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(3 * x), y)
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("rounds", [6, 700])
@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_how_far_the_weights_moved(library: str, rounds: int) -> None:
    """Also if most rounds were not kept in full."""
    t = traced(CLASSES.format(rounds=rounds), pytest.importorskip(library))
    figures = t.document["rounds"]["parameters"]
    assert len(figures) == 4
    for p, before in zip(figures, t.namespace["first"], strict=True):
        now = dict(t.namespace["net"].named_parameters())[p["name"].replace("net[", "").replace("]", "")]
        expected = [np.linalg.norm(before.numpy()), np.linalg.norm((now.detach() - before).numpy())]
        assert p["moved"] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_what_came_in_and_what_the_targets_were(library: str) -> None:
    torch = pytest.importorskip(library)
    t = traced(CLASSES.format(rounds=6), torch)
    rounds = t.document["rounds"]
    first, second = rounds["weights"]
    assert (first["first"], first["inside"], first["units"]) == (True, 3, 5)
    assert (second["first"], second["inside"], second["units"]) == (False, 5, 2)
    assert first["inputs"] == pytest.approx(float((3 * t.namespace["x"]).pow(2).mean().sqrt()), rel=1e-4)
    (objective,) = rounds["objectives"]
    assert (objective["op"], objective["roots"], objective["width"]) == ("cross_entropy", 1.0, 2)
    assert objective["labels"] == [[0, 6 * 20], [1, 6 * 20]]
    assert objective["constant"] == pytest.approx(np.log(2), rel=1e-4)


LOSSES = """
x, target = torch.randn(30, 2), torch.rand(30, 2)
net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for i in range(6):
    opt.zero_grad()
    out = net(x)
    loss = {loss}
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize(("loss", "op"), [
    ("torch.nn.functional.mse_loss(out, target)", "mse_loss"),
    ("((out - target) ** 2).mean()", "mse_loss"),
    ("(target - out).square().sum()", "mse_loss"),
    ("(out - target).abs().mean() / 3", "l1_loss"),
    ("torch.nn.functional.l1_loss(out, target, reduction='sum')", "l1_loss"),
    ("torch.nn.functional.binary_cross_entropy_with_logits(out, target)", "binary_cross_entropy_with_logits"),
])  # fmt: skip
def test_the_loss_of_the_best_constant(library: str, loss: str, op: str) -> None:
    """No constant prediction has a smaller one, and one has this."""
    torch = pytest.importorskip(library)
    t = traced(LOSSES.format(loss=loss), torch)
    (objective,) = [o for o in t.document["rounds"]["objectives"] if o["roots"]]
    assert objective["op"] == op
    target = t.namespace["target"]
    scores = [(i + 0.5) / 200 for i in range(200)]
    if op.startswith("binary"):
        scores = [float(np.log(p / (1 - p))) for p in scores]
    columns = []
    for k in range(2):
        column = target[:, k : k + 1]
        found = [
            float(eval(loss, {"torch": torch, "out": torch.full((30, 1), s), "target": column}))
            for s in scores
        ]
        columns.append(min(found))
    least = sum(columns) if "sum" in loss else sum(columns) / 2
    assert objective["constant"] == pytest.approx(least, rel=0.01)


def test_the_loss_of_a_network_that_makes_the_targets_has_no_constant() -> None:
    t = traced(next(p for p in TRAPS if p.name == "q-learning").right, jgrad)
    learning = Learning.of(explain.Log(t.document))
    assert learning is not None
    assert learning.objective is None


def test_a_document_without_a_loop_has_none_of_this() -> None:
    t = traced("w = torch.ones(2, requires_grad=True)\n(w * w).sum().backward()", jgrad)
    assert "rounds" not in t.document


def table() -> None:
    """Print what is said of each program."""
    import torch

    print("| program | jgrad | PyTorch |\n|---|---|---|")
    counts = [[0, 0, 0], [0, 0, 0]]
    for program in FAULTS:
        row = []
        for k, library in enumerate((jgrad, torch)):
            found, true, wrong = said_of(program, library)
            counts[k] = [a + b for a, b in zip(counts[k], (bool(found), true, wrong), strict=True)]
            row.append(", ".join(found) or "nothing")
        print(f"| {program.name} | {' | '.join(row)} |")
    for library, (detected, true, wrong) in zip((jgrad, torch), counts, strict=True):
        silent = sum(not codes(p.right, library) for p in [*FAULTS, *TRAPS])
        print(
            f"{library.__name__}: {detected} of {len(FAULTS)} detected, {true} with a true cause, {wrong} with a false one; "
            f"silent on {silent} of {len(FAULTS) + len(TRAPS)} right programs"
        )


if __name__ == "__main__":
    sys.exit(table())
