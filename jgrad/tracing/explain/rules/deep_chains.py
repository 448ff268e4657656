"""Gradients that become too small, or too large, from layer to layer."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import GradUpdate, Value
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.explain.flow import Flows, Trend, size, typical
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.explain.training import Training

NOTES = Rules()
WHY = Rules()

SMALL = 1e-6  # gradients above are not looked at: they may change weights
# What is smaller than this part of a number is lost when it is added.
HALF_ULP = {
    "float32": 2.0**-25,
    "float64": 2.0**-54,
}
BEGUN = 100  # times SMALL: a gradient that began above did not vanish because of the layers alone
SHRUNK = 1e-6  # a gradient that keeps less than this part has vanished
LARGE = 1e3  # gradients below are not looked at
GROWN = 1e6  # a gradient that became so many times larger has exploded
NORMAL = 1.1754944e-38  # below, float32 has fewer digits
SQUARES = 1e-23  # the squares of smaller numbers are 0 in float32

DEEP = """
first = jgrad.full((2, 2), {start}, requires_grad=True)
weights = [first, *[jgrad.full((2, 2), {start}, requires_grad=True) for i in range({layers} - 1)]]
h = jgrad.ones(1, 2)
for w in weights:
    h = {layer}
h.sum().backward()
"""
VANISHES = DEEP.format(start="0.5", layers=40, layer="(h @ w).sigmoid()")
SHORTCUTS = DEEP.format(start="0.5", layers=40, layer="h + (h @ w).sigmoid()")
EXPLODES = DEEP.format(start="2.0", layers=16, layer="h @ w")
SMALLER = DEEP.format(start="0.5", layers=16, layer="h @ w")


@NOTES.rule(
    "gradient-vanishes", "warning", "the gradient becomes so small from layer to layer that the first layers do not learn",
    "{at}: on its way back the gradient becomes {times} times smaller in each of {layers} layers ({parts}). {reached}.",
    "{repair}",
    VANISHES,
    SHORTCUTS,
    headline="The gradient becomes {times} times smaller in each of {layers} layers ({at})\n{reached}",
)  # fmt: skip
def gradient_vanishes(log: Log) -> Iterator[dict]:
    """Weights whose gradient is too small to change them, at the end of a chain of layers each of which made it smaller. It was so from the start: what
    a training has done to its weights, as by too large a rate, is said elsewhere."""
    flows: Flows | None = None
    first: dict[int, float | None] = {}
    for arrivals in _arrivals(log):
        for _, grad in arrivals:
            first.setdefault(grad["tensor"], size(grad["added"]))
        found = []
        for at, grad in arrivals:
            rms = size(grad["added"])
            begun = first[grad["tensor"]]
            if rms is None or rms > SMALL or not _lost(log, grad["tensor"], at, rms):
                continue
            if begun is not None and begun > BEGUN * SMALL:
                continue
            flows = flows or Flows(log)
            trend = flows.trend(at, shrinks=True)
            if trend is not None and trend.end < SHRUNK * trend.start:
                found.append((at, grad["tensor"], trend))
        if found:
            at = found[0][0]
            deepest, last, trend = min(found, key=lambda one: one[2].end)
            yield _words(trend) | {
                "step": at, "tensors": [t for _, t, _ in found], "lines": log.lines(at), "at": log.at(at),
                "reached": _reached(log, found, log.name(last, deepest), trend.end),
            }  # fmt: skip
            return


def _reached(log: Log, found: list[tuple[int, int, Trend]], last: str, end: float) -> str:
    """How small the gradients of some tensors are. `last` is the name of the one with the smallest, `end` how small that is."""
    at, first, trend = found[0]
    words = f"From {log.name(first, at)}.grad on ({_written(trend.end)}) it is too small to change a {_dtype(log, first)} weight, even at a learning rate of 1"
    zeros = [t for _, t, one in found if one.end == 0]
    if len(zeros) == len(found):
        words = ""
    elif first != found[-1][1] and not zeros:
        words += f"; {last}.grad is {_written(end)}"
    if zeros:
        more = f" and {len(zeros) - 1} more" if len(zeros) > 1 else ""
        words += f"{'; ' if words else ''}{last}.grad{more} became 0, since {_dtype(log, zeros[0])} holds no smaller numbers"
    return words


@NOTES.rule(
    "gradient-explodes", "warning", "the gradient becomes larger from layer to layer",
    "{at}: on its way back the gradient becomes {times} times larger in each of {layers} layers. Here {parts}. {first}.grad has numbers of about {rms}.",
    "{repair}",
    EXPLODES,
    SMALLER,
    headline="The gradient becomes {times} times larger in each of {layers} layers ({at})\n{first}.grad has numbers of about {rms}",
)  # fmt: skip
def gradient_explodes(log: Log) -> Iterator[dict]:
    """Weights whose gradient is much larger than they are, at the end of a chain of layers each of which made it larger."""
    flows: Flows | None = None
    for arrivals in _arrivals(log):
        found = []
        for at, grad in arrivals:
            rms, number = size(grad["added"]), grad["tensor"]
            if rms is None or rms < LARGE or rms < LARGE * typical(log, number, at):
                continue
            flows = flows or Flows(log)
            trend = flows.trend(at, shrinks=False)
            if (
                trend is not None
                and trend.end > GROWN * trend.start
                and not Training.of(log).clips_of(number)
            ):
                found.append((at, number, trend))
        if found:
            at, worst, trend = max(found, key=lambda one: (one[2].end, one[0]))
            yield _words(trend) | {
                "step": at, "tensors": [t for _, t, _ in found], "lines": log.lines(at), "at": log.at(at),
                "first": log.name(worst, at), "rms": _written(trend.end),
            }  # fmt: skip
            return


@WHY.rule(
    "grad-vanished-in-layers", "warning", "it is very small, or 0, because the gradient became smaller from layer to layer",
    "{name}.grad is {value}{printed}. Each of {layers} layers makes the gradient {times} times smaller{end}. Here {parts}.",
    "{repair}",
    VANISHES,
    SHORTCUTS,
    ask="first.grad",
)  # fmt: skip
def grad_vanished_in_layers(s: Subject) -> Iterator[dict]:
    """It is too small to change the tensor, at the end of a chain of layers each of which made it smaller."""
    case = _of_subject(s, shrinks=True)
    if case is None:
        return
    at, grad, trend = case
    assert s.log is not None
    assert s.number is not None
    rms = size(grad)
    if rms is not None and _lost(s.log, s.number, at, rms) and trend.end < SHRUNK * trend.start:
        single = s.dtype == "float32"
        printed = (
            " (norm() gives 0., because the squares are too small for float32)"
            if single and 0 < rms < SQUARES
            else ""
        )
        end = f", too small to change a {s.dtype} weight even at a learning rate of 1"
        if rms == 0:
            end = f", until it is 0, since {s.dtype} holds no smaller numbers"
        elif single and rms < NORMAL:
            end += f", and below {_written(NORMAL)}, where float32 loses digits"
        yield _words(trend) | {"value": brief(grad), "printed": printed, "end": end} | s.place(at)


@WHY.rule(
    "grad-exploded-in-layers", "warning", "it is very large, because the gradient became larger from layer to layer",
    "{name}.grad is {value}. On its way back the gradient becomes {times} times larger in each of {layers} layers. Here {parts}.",
    "{repair}",
    EXPLODES,
    SMALLER,
    ask="first.grad",
)  # fmt: skip
def grad_exploded_in_layers(s: Subject) -> Iterator[dict]:
    case = _of_subject(s, shrinks=False)
    if case is None:
        return
    at, grad, trend = case
    rms = size(grad)
    if rms is not None and rms > LARGE and trend.end > GROWN * trend.start:
        yield _words(trend) | {"value": brief(grad)} | s.place(at)


def _of_subject(s: Subject, shrinks: bool) -> tuple[int, Value, Trend] | None:
    """(step, .grad, trend) of a tensor whose .grad came along a chain of layers."""
    events = s.events()
    if not s.has_grad or s.log is None or not events or events[-1][1]["action"] != "add":
        return None
    at, grad = events[-1]
    rms = size(grad["after"])
    if grad["after"] is None or rms is None or (rms > SMALL if shrinks else rms < LARGE):
        return None
    trend = Flows(s.log).trend(at, shrinks)
    return None if trend is None else (at, grad["after"], trend)


def _arrivals(log: Log) -> list[list[tuple[int, GradUpdate]]]:
    """(step, what happened to a .grad) of the leaves that each backward call reached, in order."""
    found: dict[int, list[tuple[int, GradUpdate]]] = {call: [] for call in log.calls}
    for i, step in log.of("accumulate"):
        if log.tensors[step["grad"]["tensor"]]["is_leaf"]:
            found.setdefault(step.get("backward_call", -1), []).append((i, step["grad"]))
    return [*found.values()]


def _lost(log: Log, number: int, index: int, rms: float) -> bool:
    """Whether numbers of this size, added to a tensor, change nothing."""
    part = HALF_ULP.get(_dtype(log, number))
    return part is not None and rms < part * typical(log, number, index)


def _dtype(log: Log, number: int) -> str:
    return log.tensors[number]["dtype"]


def _words(trend: Trend) -> dict:
    """What a sentence says of a chain of layers."""
    shrinks = trend.factor < 1
    parts = [
        f"{name} makes it {brief_number(1 / factor if shrinks else factor)} times {'smaller' if shrinks else 'larger'}"
        for name, factor in trend.parts
    ]
    node = trend.parts[0][0]
    if not shrinks:
        repair = (
            "Clip it before opt.step(), as with jgrad.nn.utils.clip_grad_norm_(model.parameters(), 1.0), or start with smaller weights, as "
            "with jgrad.nn.init.xavier_uniform_(layer.weight)."
        )
    elif node.startswith(("Sigmoid", "Tanh", "Softmax")):
        repair = "Use relu() for the inner layers, or add a skip connection around each: h = h + layer(h)."
    else:
        repair = "Start with larger weights, as with jgrad.nn.init.xavier_uniform_(layer.weight), or add a skip connection around each layer: h = h + layer(h)."
    times = brief_number(1 / trend.factor if shrinks else trend.factor)
    return {"times": times, "layers": trend.layers, "parts": listed(parts), "repair": repair}


def _written(rms: float) -> str:
    return f"{rms:.1e}" if rms else "0"
