"""`--stop EXPRESSION` ends a program when the expression becomes true, and changes nothing before."""

from __future__ import annotations

import collections
import re
import sys
from pathlib import Path
from typing import Any

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
    assert re.search(
        r"jgrad: The program was stopped in train.py:10 .*after \d+ rounds, because loss > 1e9\.", done.stderr
    )
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


VALUES = """
seen, losses, it, counts, best = set(), [], iter(range(9)), collections.defaultdict(int), None
class Meter:
    def mean(self): seen.add(self)
meter = Meter()
"""


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (
            "seen.add(1)",
            "was not asked, because it could change the program: seen is no tensor, but of type set",
        ),
        ("losses.sort()", "was not asked, because it could change the program: losses is no tensor"),
        ("model.half() is None", "was not asked, because it could change the program: model is no tensor"),
        ("meter.mean()", "was not asked, because it could change the program: meter is no tensor"),
        (
            "any(b > 9 for b in it)",
            "was not asked, because it could change the program: it is of type range_iterator",
        ),
        ("3 in it", "was not asked"),
        ("max(*it) > 9", "was not asked"),
        ("counts['k'] > 3", "raised KeyError: 'k'. So it was never true; it was asked 6 times."),
        ("best.item() < 0", "raised AttributeError: 'NoneType' object has no attribute 'item'"),
        ("losses and best.item() > 0", "was never true; it was asked 6 times."),
        ("any(p.grad.isnan().any() for p in model.parameters())", "was never true; it was asked 6 times."),
        ("sum(losses) > 1", "was never true; it was asked 6 times."),
    ],
)
def test_what_only_a_value_shows_changes_nothing_either(expression: str, said: str) -> None:
    variables: dict[str, Any] = {"collections": collections, "model": jgrad.nn.Linear(2, 1)}
    exec(VALUES, variables)
    exec("def ask(condition): return condition.is_met(sys._getframe())", variables | {"sys": sys}, variables)
    before = {name: repr(variables[name]) for name in ("seen", "losses", "counts")}
    condition = Condition(expression)
    variables["model"](jgrad.ones(2)).sum().backward()
    assert not any(variables["ask"](condition) for _ in range(6))
    assert said in condition.remark()
    assert {name: repr(variables[name]) for name in before} == before
    assert next(variables["it"]) == 0
    assert variables["model"].weight.dtype is jgrad.float32


def test_an_expression_may_name_what_is_there_only_later() -> None:
    w = jgrad.ones(2, requires_grad=True)
    best = None
    condition = Condition("best.item() < 1 and w.grad is not None")
    assert not condition.is_met(sys._getframe())
    best = jgrad.tensor(0.5)  # noqa: F841
    w.sum().backward()
    assert condition.is_met(sys._getframe())


def test_it_may_name_variables_of_the_functions_that_called_the_one_that_trains() -> None:
    def step() -> bool:
        return condition.is_met(sys._getframe())

    epoch, condition = 3, Condition("epoch == 3 and w is None")
    w = None  # noqa: F841
    assert epoch == 3
    assert step()


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
