"""What a training does to its parameters besides the step of each round: a second step with the same gradients, values that are drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

LEAST = 3  # rounds in which it happens
DRAWS = ("uniform_", "normal_", "exponential_", "cauchy_", "log_normal_", "zero_", "fill_")
LOOP = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.01)
x = jgrad.randn(8, 2)
%sfor i in range(6):
%s    opt.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
%s"""


@NOTES.rule(
    "step-twice", "warning", "an optimizer makes two steps with the same gradients, at two places of the code",
    "{at} makes another step of {opt} with the gradients that {first} has used, {count} times.",
    "Leave out one of the two, or compute the gradients anew between them.",
    LOOP % ("", "", "    if i > 0:\n        opt.step()\n"), LOOP % ("", "", ""),
)  # fmt: skip
def step_twice(log: Log) -> Iterator[dict]:
    """In all rounds but for a few: one that does it now and then has a reason."""
    training = Training.of(log)
    for optimizer in training.optimizers:
        if len(optimizer.get("stepped", ())) < 2:
            continue
        for parameter in optimizer["parameters"]:
            used = [steps for steps in _by_gradient(training, parameter) if steps]
            twice = [[*steps.values()] for steps in used if len(steps) == 2]
            if len(twice) >= LEAST and 2 * len(twice) > len(used):
                first, second = twice[-1]
                yield {
                    "step": second, "tensors": [parameter], "lines": log.lines(first, second), "at": log.at(second), "first": log.at(first),
                    "opt": optimizer["name"], "count": log.many(len(twice)),
                }  # fmt: skip
                break


def _by_gradient(training: Training, parameter: int) -> Iterator[dict[Any, int]]:
    """For each gradient that a parameter got: the places that made steps with it, and the last step of the trace there."""
    log = training.log
    grads = [i for i, _ in training.grads.get(parameter, ())]
    steps = training.steps_of(parameter)
    for begin, end in pairwise([*grads, len(log.steps)]):
        if not log.has_gap(begin, end):
            yield {training.place(i): i for i, _ in steps if begin < i < end}


@NOTES.rule(
    "drawn-anew", "warning", "each round gives parameters new first values",
    "{at} ({doing}) gives {names} new values in each round, so what each step learned is lost.",
    "Call it once, before the training.",
    LOOP % ("", "    net.reset_parameters()\n", ""), LOOP % ("net.reset_parameters()\n", "", ""),
)  # fmt: skip
def drawn_anew(log: Log) -> Iterator[dict]:
    """Between two draws at one place there is one step each time: a loop that tries several starts makes many steps with each."""
    training = Training.of(log)
    found: dict[Any, list[tuple[int, int]]] = {}
    for p in training.optimized:
        filled, steps = training.filled(p), [i for i, _ in training.steps_of(p)]
        for place, draws in _drawn(training, p).items():
            whole = [(a, b) for a, b in pairwise(draws) if not log.has_gap(a, b)]
            learned = [
                sum(a < i < b for i in filled) == 1 and any(a < i < b for i in steps) for a, b in whole
            ]
            if len(learned) >= LEAST - 1 and all(learned):
                found.setdefault(place, []).append((draws[-1], p))
    for drawn in found.values():
        step = max(i for i, _ in drawn)
        numbers = [p for _, p in drawn]
        yield {
            "step": step, "tensors": numbers, "lines": log.lines(step), "at": log.at(step), "doing": log.text(step) or log.doing(step),
            "names": training.names(numbers, step),
        }  # fmt: skip


def _drawn(training: Training, parameter: int) -> dict[Any, list[int]]:
    """The steps that gave a parameter new values which do not depend on its old ones, by place."""
    found: dict[Any, list[int]] = {}
    log = training.log
    for i, write in log.writes_to.get(log.tensors[parameter]["version_counter"], ()):
        if write["tensor"] == parameter and log.steps[i]["op"] in DRAWS:
            found.setdefault(training.place(i), []).append(i)
    return found
