"""Gradients that a GradScaler scaled, and what is done to them before they have their own size again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.edits import Edit, at_step
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

SCALED = re.compile(r"([\w.\[\]]+)\.step\(\s*([\w.\[\]]+)")
MIXED = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
scaler = jgrad.amp.GradScaler("cpu")
for i in range(2):
    opt.zero_grad()
    loss = (w * w).sum()
    scaler.scale(loss).backward()
    %sjgrad.nn.utils.clip_grad_norm_([w], 1.0)
    scaler.step(opt)
    scaler.update()
"""


@NOTES.rule(
    "clip-of-scaled-gradients", "warning", "gradients are clipped while they are still scaled",
    "{at} clips gradients that {scaler} had scaled: the limit is compared with numbers that are many times too large.",
    "Call {scaler}.unscale_({opt}) before it.",
    MIXED % "",
    MIXED % "scaler.unscale_(opt); ",
)  # fmt: skip
def clip_of_scaled_gradients(log: Log) -> Iterator[dict]:
    """After a clipping, and before a new gradient came, the step of a scaler changed the same .grad: it unscaled it only then."""
    training, reported = Training.of(log), set()
    for parameter, events in training.grads.items():
        clips = [i for i, full in training.clips_of(parameter) if full]
        for at, event in events:
            call = SCALED.match(training.text(at)) if event["action"] == "set" else None
            since = max((i for i, g in events if g["action"] == "add" and i < at), default=None)
            late = [i for i in clips if since is not None and since < i < at]
            if call is None or not late or log.has_gap(late[0], at) or log.steps[late[0]]["line"] in reported:
                continue
            reported.add(log.steps[late[0]]["line"])
            yield {
                "step": late[0], "tensors": [parameter], "lines": log.lines(late[0], at), "at": log.at(late[0]), "scaler": call[1], "opt": call[2],
                "edits": _unscaled(log, late[0], f"{call[1]}.unscale_({call[2]})"),
            }  # fmt: skip


def _unscaled(log: Log, step: int, text: str) -> list[Edit]:
    place = at_step(log, step)
    return [] if place is None else [place[0].before(place[1], text)]
