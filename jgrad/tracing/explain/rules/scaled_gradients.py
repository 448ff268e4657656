"""Gradients that a GradScaler scaled, and what is done to them before they have their own size again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.edits import Code, Edit, at_step, calls_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import at_incident
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()
ERRORS = Rules()

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


@ERRORS.rule(
    "scaler-out-of-turn", "error", "a GradScaler is asked for one part of a step without another",
    "{lead}{what}.",
    "{repair}",
    """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
scaler = jgrad.amp.GradScaler("cpu")
for i in range(2):
    opt.zero_grad()
    scaler.scale((w * w).sum()).backward()
    scaler.step(opt)
""", """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
scaler = jgrad.amp.GradScaler("cpu")
for i in range(2):
    opt.zero_grad()
    scaler.scale((w * w).sum()).backward()
    scaler.step(opt)
    scaler.update()
""",
    raised=(
        "RuntimeError|AssertionError",
        r"(?P<twice>step|unscale_)\(\) (?:has already been called|is being called after)|Attempted \w+ but _scale is None|No inf checks were recorded",
    ),
)  # fmt: skip
def scaler_out_of_turn(incident: Incident) -> Iterator[dict]:
    """update() is left out, or scale()."""
    place = at_incident(incident)
    call = (
        None
        if place is None
        else next(iter([*calls_of(place[1], "step"), *calls_of(place[1], "unscale_")]), None)
    )
    scaler = (
        ast.unparse(call.func.value)
        if call is not None and isinstance(call.func, ast.Attribute)
        else "scaler"
    )
    if "No inf checks" in incident.message:
        what, repair = (
            "no parameter of this optimizer has a gradient",
            f"Run {scaler}.scale(loss).backward() of a loss that they have a part in.",
        )
        yield {"what": what, "repair": repair}
    elif "_scale is None" in incident.message:
        backward = _only_backward(place[0]) if place is not None else None
        loss = "loss" if backward is None else backward[0]
        edits = (
            []
            if backward is None or place is None
            else [place[0].replaced(backward[1], f"{scaler}.scale({loss}).backward()")]
        )
        what = f"{scaler} was never given a loss, so it would divide gradients that it had not multiplied"
        yield {"what": what, "repair": f"Write {scaler}.scale({loss}).backward().", "edits": edits}
    else:
        edits = (
            [place[0].after(place[1], f"{scaler}.update()")]
            if place is not None and "step()" in incident.message and "unscale_()" not in incident.message
            else []
        )
        yield {
            "what": f"{scaler} expects an update() after each step, and there was none",
            "repair": f"Call {scaler}.update() after {scaler}.step(...).",
            "edits": edits,
        }


def _only_backward(code: Code) -> tuple[str, ast.Call] | None:
    """The only `loss.backward()` of a text, with its loss."""
    calls = [c for c in calls_of(code.tree, "backward") if isinstance(c.func, ast.Attribute) and not c.args]
    return (code.text(calls[0].func.value), calls[0]) if len(calls) == 1 else None  # type: ignore[attr-defined]


def _unscaled(log: Log, step: int, text: str) -> list[Edit]:
    place = at_step(log, step)
    return [] if place is None else [place[0].before(place[1], text)]
