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
        since: int | None = None
        for at, event in events if clips else ():
            call = SCALED.match(training.text(at)) if event["action"] == "set" else None
            late = [i for i in clips if since is not None and since < i < at] if call else []
            if event["action"] == "add":
                since = at
            if call is None or not late or log.has_gap(late[0], at) or log.steps[late[0]]["line"] in reported:
                continue
            reported.add(log.steps[late[0]]["line"])
            yield {
                "step": late[0], "tensors": [parameter], "lines": log.lines(late[0], at), "at": log.at(late[0]), "scaler": call[1], "opt": call[2],
                "edits": _unscaled(log, late[0], f"{call[1]}.unscale_({call[2]})"),
            }  # fmt: skip


SCALER = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
scaler = jgrad.amp.GradScaler("cpu")
for i in range(2):
    opt.zero_grad()
    loss = (w * w).sum()
    %s
    %s
"""
SCALES = "scaler.scale(loss).backward()"


@ERRORS.rule(
    "scaler-without-update", "error", "a GradScaler makes two steps without an update() between them",
    "{lead}{what}",
    "{repair}",
    SCALER % (SCALES, "scaler.step(opt)"),
    SCALER % (SCALES, "scaler.step(opt); scaler.update()"),
    raised=("RuntimeError|AssertionError", r"(?:step|unscale_)\(\) (?:has already been called|is being called after)"),
)  # fmt: skip
def scaler_without_update(incident: Incident) -> Iterator[dict]:
    place = at_incident(incident)
    scaler = _scaler(place)
    of_step = "step()" in incident.message and "unscale_()" not in incident.message
    edits = [place[0].after(place[1], f"{scaler}.update()")] if place is not None and of_step else []
    twice = [] if place is None or incident.log is None else _unscalings(incident.log)
    if place is not None and twice and calls_of(place[1], "unscale_"):
        edits = [place[0].without(place[1])] if isinstance(place[1], ast.Expr) else []
        yield {
            "what": f"{twice[0]} has unscaled these gradients already.",
            "repair": "Call unscale_() once in each round: leave this one out.",
            "edits": edits,
        }
        return
    what, repair = (
        f"{scaler} expects an update() after each step, and there was none.",
        f"Call {scaler}.update() after {scaler}.step(...).",
    )
    yield {"what": what, "repair": repair, "edits": edits}


def _unscalings(log: Log) -> list[str]:
    """Where unscale_() changed gradients after the last backward call, the last place first."""
    begun = max((i for i, _ in log.of("backward")), default=len(log.steps))
    found = [i for i, _ in log.grads if i > begun and ".unscale_(" in _called(log, i)]
    return [*dict.fromkeys(log.at(i) for i in reversed(found))]


def _called(log: Log, index: int) -> str:
    """What the user's statement of a step is."""
    place = at_step(log, index)
    return "" if place is None else place[0].text(place[1])


@ERRORS.rule(
    "scaler-without-loss", "error", "a GradScaler unscales gradients of a loss that it did not scale",
    "{lead}{scaler} was never given a loss, so it would divide gradients that it had not multiplied.",
    "Write {scaler}.scale({loss}).backward().",
    SCALER % ("loss.backward()", "scaler.step(opt); scaler.update()"),
    SCALER % (SCALES, "scaler.step(opt); scaler.update()"),
    raised=("RuntimeError|AssertionError", r"Attempted \w+ but _scale is None"),
)  # fmt: skip
def scaler_without_loss(incident: Incident) -> Iterator[dict]:
    place = at_incident(incident)
    scaler, backward = _scaler(place), None if place is None else _only_backward(place[0])
    case: dict = {"scaler": scaler, "loss": "loss" if backward is None else backward[0]}
    if place is not None and backward is not None:
        case["edits"] = [place[0].replaced(backward[1], f"{scaler}.scale({backward[0]}).backward()")]
    yield case


@ERRORS.rule(
    "scaler-without-step", "error", "a GradScaler is updated, and no step of it had gradients",
    "{lead}{what}.",
    "{repair}",
    SCALER % (SCALES, "opt.step(); scaler.update()"),
    SCALER % (SCALES, "scaler.step(opt); scaler.update()"),
    raised=("RuntimeError|AssertionError", r"No inf checks were recorded"),
)  # fmt: skip
def scaler_without_step(incident: Incident) -> Iterator[dict]:
    """Its step() is nowhere, so the optimizer used scaled gradients; or its optimizer has no gradients."""
    place = at_incident(incident)
    scaler = _scaler(place)
    steps = (
        []
        if place is None
        else [c for c in calls_of(place[0].tree, "step") if isinstance(c.func, ast.Attribute)]
    )
    own = [c for c in steps if ast.unparse(c.func.value) == scaler]  # type: ignore[attr-defined]
    plain = [c for c in steps if c not in own and not c.args and "sched" not in ast.unparse(c.func).lower()]
    if place is None or own or len(plain) != 1:
        repair = f"Run {scaler}.scale(loss).backward() of a loss that they have a part in, and {scaler}.step(optimizer) before {scaler}.update()."
        yield {"what": "no step of this optimizer by the scaler had gradients", "repair": repair}
        return
    optimizer = ast.unparse(plain[0].func.value)  # type: ignore[attr-defined]
    yield {
        "what": f"{scaler} scaled the gradients, and {optimizer}.step() used them as they were, many times too large",
        "repair": f"Write {scaler}.step({optimizer}), which divides them first.",
        "edits": [place[0].replaced(plain[0], f"{scaler}.step({optimizer})")],
    }  # fmt: skip


def _scaler(place: tuple[Code, ast.stmt] | None) -> str:
    """On what the statement that raised calls step(), unscale_() or update()."""
    calls = (
        []
        if place is None
        else [c for name in ("step", "unscale_", "update") for c in calls_of(place[1], name)]
    )
    return ast.unparse(calls[0].func.value) if calls else "scaler"  # type: ignore[attr-defined]


def _only_backward(code: Code) -> tuple[str, ast.Call] | None:
    """The only `loss.backward()` of a text, with its loss."""
    calls = [c for c in calls_of(code.tree, "backward") if isinstance(c.func, ast.Attribute) and not c.args]
    return (code.text(calls[0].func.value), calls[0]) if len(calls) == 1 else None  # type: ignore[attr-defined]


def _unscaled(log: Log, step: int, text: str) -> list[Edit]:
    place = at_step(log, step)
    return [] if place is None else [place[0].before(place[1], text)]
