"""`--stop EXPRESSION` ends a program when the expression becomes true, and changes nothing before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jgrad
from jgrad.tracing.document.files import load
from jgrad.tracing.record.stopping import Condition
from tests.running.programs import TRAIN
from tests.running.test_run import run

DIVERGES = """\
import {library} as torch
def main():
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1)
    opt = torch.optim.SGD(model.parameters(), lr=3.0)
    x = torch.randn(8, 4)
    for i in range(40):
        opt.zero_grad()
        loss = (model(x) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        print(i, flush=True)
main()
"""


@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_the_program_ends_in_a_round_that_is_in_full(library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    done = run(tmp_path, DIVERGES.format(library=library), "--stop", "loss > 1e9", "--save", "t.json")
    assert done.returncode == 1
    assert "jgrad.trace.Stopped: loss > 1e9" in done.stderr
    assert 'train.py", line 10, in main' in done.stderr
    document = load(tmp_path / "t.json")
    rounds = done.stdout.split()
    assert len(rounds) < 20
    assert document["steps"][-1]["error"]["type"] == "Stopped"
    last = [s["line"] for s in document["steps"][-14:-1]]
    assert {9, 10} <= {*last}
    assert last[-1] == 10
    text = "".join(part["text"] for part in document["diagnosis"]["headline"])
    assert re.match(r"The cell was stopped in line 10 (of main )?after \d+ rounds, because loss > 1e9", text)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("loss < -1", "--stop: loss < -1 was never true; it was asked 6 times."),
        ("loss.foo", "--stop: loss.foo raised AttributeError"),
        ("w", "--stop: w raised RuntimeError: Boolean value of Tensor"),
        ("nosuch > 1", "--stop: nosuch > 1 was never asked, because name 'nosuch' is not defined"),
    ],
)
def test_otherwise_the_program_does_what_it_does(expression: str, said: str, tmp_path: Path) -> None:
    plain = run(tmp_path, TRAIN)
    done = run(tmp_path, TRAIN, "--stop", expression)
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    assert said in done.stderr


@pytest.mark.parametrize(
    "expression",
    [
        "main()",
        "w.add_(1) > 0",
        "loss.backward()",
        "(x := 1)",
        "w.add(1, out=w)",
        "w.bernoulli()",
        "print(1)",
        "f(**k)",
        "x = 1",
        "",
    ],
)
def test_an_expression_that_could_change_the_program_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"could change the program|is not an expression"):
        Condition(expression)


def repeated(w: jgrad.Tensor, times: int) -> None:
    i = 0
    while i < times:
        (w * w).sum().backward()
        i += 1


def test_a_block_is_left_in_the_round_in_which_it_becomes_true() -> None:
    w = jgrad.ones(2, requires_grad=True)
    trace = jgrad.trace(stop="w.grad.norm() > 3")
    with pytest.raises(jgrad.trace.Stopped), trace:
        repeated(w, 10)
    assert w.grad.tolist() == [4, 4]
    assert trace.document["steps"][-1]["error"]["message"] == "w.grad.norm() > 3"


def test_a_long_run_is_recorded_to_its_end() -> None:
    """Without --stop the recorder would sleep, and the round in which the program is stopped would not be known in full."""
    w = jgrad.ones(2, requires_grad=True)
    trace = jgrad.trace(stop="i == 400", max_steps=60)
    with pytest.raises(jgrad.trace.Stopped), trace:
        repeated(w, 1000)
    kinds = [s["kind"] for s in trace.document["steps"][-8:]]
    assert kinds[-1] == "error"
    assert "gap" not in kinds
    assert "accumulate" in kinds
