"""Learning rates that are too large: steps that move a parameter by many times its size, while the loss does not fall."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import figures_of, losses_of
from jgrad.tracing.document.schema import Contents
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.loops import loss_grows, losses
from jgrad.tracing.explain.rules.rounds import is_one_training, loss_rose
from jgrad.tracing.explain.training import Training, called

NOTES = Rules()

# A step of so many times the norm of a parameter is too large if the loss became so many times larger;.
FAR, RISE = (
    10.0,
    2.0,
)
FARTHER = 100.0  # one of so many times also if it just did not fall
LARGE_RATE = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 2)
opt = jgrad.optim.SGD(net.parameters(), lr=%s)
x, y = jgrad.randn(8, 2), jgrad.tensor([0, 1] * 4)
for epoch in range(4):
    opt.zero_grad()
    loss = jgrad.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "step-too-large", "warning", "a learning rate is so large that a step throws away what was learned",
    "{at} ({what}) moved {name} by {times} times its size, and {loss} went from {first} to {last}{rate}.",
    "Use a smaller learning rate.",
    LARGE_RATE % "100.",
    LARGE_RATE % "0.1",
)  # fmt: skip
def step_too_large(log: Log) -> Iterator[dict]:
    """The step of an optimizer changed a parameter by many times its norm, and the loss of later rounds is not below the first."""
    if next(loss_grows(log), None) is not None:
        return  # (which says the same)
    training = Training.of(log)
    if any(optimizer["maximize"] for optimizer in training.optimizers):
        return
    if log.gaps:
        yield from _of_rounds(log, training)
        return
    for found in losses(log).values():
        known = [one for one in found if one[1] - one[1] == 0]
        if len(known) < 2 or not 0 < known[0][1] <= known[-1][1]:
            continue
        rise = known[-1][1] / known[0][1]
        worst = max(
            ((_ratio(log, i, write["storage"], write["contents"]), i, p)
             for p in training.grads for i, write in training.steps_of(p) if found[0][0] < i < known[-1][0]),
            default=(0.0, 0, 0),
        )  # fmt: skip
        times, i, parameter = worst
        if times < FAR or (rise < RISE and times < FARTHER) or math.isinf(times):
            continue
        rates = [r for o in training.optimizers if parameter in o["parameters"] for r in o["rates"]]
        rate = f" (the learning rate is {max(rates):g})" if rates and max(rates) >= 1 else ""
        call = known[-1][0]
        yield {
            "step": i, "tensors": [parameter], "lines": log.lines(i, call), "at": log.at(i), "what": called(training.text(i)),
            "name": log.name(parameter, i), "times": f"{times:.0f}", "loss": log.name(log.steps[call]["roots"][0], call), "first": known[0][2],
            "last": known[-1][2], "rate": rate,
        }  # fmt: skip


def _ratio(log: Log, index: int, storage: int, after: Contents) -> float:
    """How many times its norm a storage was moved by the write of a step; 0 if it was zero before."""
    try:
        old = [float(x) for x in log.contents(storage, index)["elements"]]
        new = [float(x) for x in after["elements"]]
    except ValueError:  # complex numbers
        return 0.0
    size = math.hypot(*old)
    moved = math.hypot(*(b - a for a, b in zip(old, new, strict=False)))
    return moved / size if size > 0 and math.isfinite(moved) else 0.0


def _of_rounds(log: Log, training: Training) -> Iterator[dict]:
    """The same by the figures of all rounds, if there is one loss."""
    rounds = log.document.get("rounds")
    if rounds is None or rounds["bin"] > 1 or len(rounds["losses"]) != 1 or not is_one_training(rounds):
        return
    if next(loss_rose(log), None) is not None:
        return  # which says the same
    found = losses_of(rounds, rounds["losses"][0])
    known = found.first[found.known]
    if len(known) < 2 or not np.isfinite(known).all() or not 0 < known[0] <= known[-1]:
        return
    worst = (0.0, 0, 0)
    for p in rounds["parameters"]:
        if p["tensor"] is None:
            continue
        updates, values = (figures_of(rounds, p, what) for what in ("update", "value"))
        sizes = np.concatenate([[0.0], values.first[:-1]])
        sure = updates.known & (sizes > 0) & np.isfinite(updates.first) & np.isfinite(sizes)
        if sure[1:].any():
            times = np.where(sure, updates.first / np.where(sure, sizes, 1.0), 0.0)
            worst = max(worst, (float(times.max()), int(times.argmax()), p["tensor"]))
    most, at, parameter = worst
    if most < FAR or (known[-1] < RISE * known[0] and most < FARTHER):
        return
    steps = [i for i, _ in training.steps_of(parameter)]
    roots = [(k, step["roots"][0]) for k, step in log.of("backward") if step["op"] == "backward"]
    if not steps or not roots:
        return
    rates = [r for o in training.optimizers if parameter in o["parameters"] for r in o["rates"]]
    rate = f" (the learning rate is {max(rates):g})" if rates and max(rates) >= 1 else ""
    i = next((begin for number, begin, _ in rounds["kept"] if number == at + 1), steps[-1])
    i = next((step for step in steps if step >= i), steps[-1])
    call, root = roots[-1]
    yield {
        "step": i, "tensors": [parameter], "lines": log.lines(i, call), "at": log.at(i), "what": called(training.text(i)),
        "name": log.name(parameter, i), "times": f"{most:.0f}", "loss": log.name(root, call), "first": f"{known[0]:.3g}",
        "last": f"{known[-1]:.3g}", "rate": rate,
    }  # fmt: skip
