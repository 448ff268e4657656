"""How large the gradient was at each node on its way to a leaf, as a trace holds it."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Value
from jgrad.tracing.explain.subject import Subject

LAYERS = 8  # nodes that have to shrink a gradient, or to let it grow: fewer are no chain
CANCELLED = 1e4  # times smaller than what came: no layer of a chain does that alone
LARGEST_SHARE = 0.5  # of the whole change that one of these nodes may have alone


def size(value: Value | None) -> float | None:
    """The root mean square of a gradient; None if the trace does not hold it, or if elements are nan or inf."""
    if value is None or value.get("norm") is None or value.get("nan_count") or value.get("inf_count"):
        return None
    return value["norm"] / math.sqrt(max(math.prod(value["shape"]), 1))  # type: ignore[operator]


def zero(value: Value | None, most: float = 0.0) -> bool:
    """Whether a gradient is all zeros, or is none; or whether its norm is at most `most`."""
    if value is None:
        return True
    norm = value.get("norm")
    return norm is not None and norm <= most and not value.get("nan_count")


def zeroed(log: Log, number: int, at: int, most: float = 0.0) -> int | None:
    """The step of the node that turned the gradient of a tensor into zeros, in the backward call of the step at which it arrived. If several
    did, on several ways, the first of them. None if it is not zero because of a node: what came on several ways may add up to 0."""
    call, found = log.steps[at].get("backward_call"), None
    lost = {n["id"] for n in log.nodes if n["variable"] == number}
    for i in range(at, log.calls.get(-1 if call is None else call, 0), -1):
        step = log.steps[i]
        if step["kind"] != "node" or step.get("backward_call") != call:
            continue
        edges = zip(log.nodes[step["node"]]["next_functions"], step["grads_out"], strict=False)
        sent = [value for (target, _), value in edges if target in lost]
        if not all(zero(value, most) for value in sent):
            return None
        if sent and all(zero(value, most) for value in step["grads_in"]):
            lost.add(step["node"])
        elif sent:
            found = i
    return found


def where_zeroed(s: Subject) -> tuple[Log, int] | None:
    """The step of the node that turned the gradient of a subject into zeros, and its log. None if its `.grad` is not zero because of a node."""
    events = s.events()
    if s.log is None or s.number is None or not s.has_grad or not events:
        return None
    at, last = events[-1]
    if last["action"] != "add" or not zero(last["after"]):
        return None
    found = zeroed(s.log, s.number, at)
    return None if found is None else (s.log, found)


def zero_factor(log: Log, index: int, number: int) -> int | None:
    """The tensor full of zeros with which the node of a step multiplied what it sent towards a tensor; None if it is not known. (A layer saves
    its weight transposed, so a view stands for its base.)"""
    node, towards = log.nodes[log.steps[index]["node"]], log.nodes_towards(number)
    formulas = zip(node["formulas"].values(), node["next_functions"], strict=False)
    sent = " ".join(formula for formula, (target, _) in formulas if target in towards)
    for saved in node["saved"]:
        tensor = saved["tensor"]
        if tensor is not None and re.search(rf"\b{re.escape(saved['name'])}\b", sent):
            base = log.tensors[tensor]["base"]
            if {"0.", "-0."}.issuperset(log.held(tensor, index)):
                return tensor if base is None else base
    return None


@dataclass
class Trend:
    """A gradient that becomes smaller, or larger, from layer to layer."""

    factor: float  # by which it is multiplied per layer
    layers: int  # before the gradient is 0, if it becomes that
    parts: list[tuple[str, float]]  # (node, its mean factor): those that change most
    start: float  # its size where the chain begins
    end: float  # its size at the leaf


class Flows:
    """The gradients that nodes sent, by the backward call and the node that got them."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._sent: dict[int | None, dict[int, list[tuple[int, float]]]] = defaultdict(dict)
        for i, step in log.of("node"):
            here = self._sent[step.get("backward_call")]
            edges = log.nodes[step["node"]]["next_functions"]
            for (target, _), value in zip(edges, step["grads_out"], strict=False):
                known = size(value)
                if target is not None and known is not None:
                    here.setdefault(target, []).append((i, known))

    def way(self, at: int) -> list[tuple[int, float]]:
        """(step of a node, size of what it sent) from the root to the leaf of an accumulate step, along the largest gradients."""
        step = self.log.steps[at]
        sent, node, found = self._sent[step.get("backward_call")], step.get("node"), []
        while node is not None and node in sent:
            i, known = max(sent[node], key=lambda one: one[1])
            found.append((i, known))
            node = self.log.steps[i]["node"]
        return found[::-1]

    def trend(self, at: int, shrinks: bool) -> Trend | None:
        """How the gradient of an accumulate step became small (large) in many layers; None if no chain of layers made it so."""
        whole = self.way(at)
        way = [(i, known) for i, known in whole if known]  # what comes behind a 0 is 0 too
        if len(way) <= LAYERS or (shrinks and self._cancels(*whole[-1])):
            return None
        sizes = [known for _, known in way]
        pick = max if shrinks else min
        first = max(k for k, known in enumerate(sizes) if known == pick(sizes))
        logs = [math.log(b / a) for a, b in zip(sizes[first:], sizes[first + 1 :], strict=False)]
        strong = [x for x in logs if (x < -0.01 if shrinks else x > 0.01)]
        if len(strong) < LAYERS or max(map(abs, strong)) > LARGEST_SHARE * abs(sum(strong)):
            return None
        by_node: dict[str, list[float]] = {}
        for (i, _), change in zip(way[first + 1 :], logs, strict=True):
            by_node.setdefault(self._called(i), []).append(change)
        total = sum(logs)
        ranked = sorted(by_node.items(), key=lambda item: sum(item[1]), reverse=not shrinks)
        part = [
            (name, math.exp(sum(x) / len(x)))
            for name, x in ranked
            if len(x) > 1 and sum(x) * total > 0.05 * total * total
        ]
        if not part:
            return None
        layers = len(by_node[part[0][0]])
        return Trend(math.exp(total / layers), layers, part[:2], sizes[first], whole[-1][1])

    def _cancels(self, index: int, sent: float) -> bool:
        """Whether the last node got a gradient of a usual size, whose parts cancel in what it sends, as to a bias right before a normalization."""
        came = [known for value in self.log.steps[index]["grads_in"] if (known := size(value)) is not None]
        return max(came, default=0.0) > CANCELLED * sent

    def _called(self, index: int) -> str:
        """The node of a step, with its line: nodes of one line count as the same layer."""
        return self.log.node(self.log.steps[index]["node"])


def typical(log: Log, number: int, index: int) -> float:
    """The median of the absolute values that a tensor held when a step ran, as far as the trace keeps them; 0 if that is not known."""
    try:
        known = sorted([abs(float(x)) for x in log.held(number, index)])
    except ValueError:
        return 0.0
    middle = known[len(known) // 2] if known else 0.0
    return middle if math.isfinite(middle) else 0.0
