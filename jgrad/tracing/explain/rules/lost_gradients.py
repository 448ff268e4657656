"""Layers that learn nothing, because a softmax or a product keeps their gradients back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import number
from jgrad.tracing.explain.flow import zero, zero_factor
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.flat_operators import Zeros, kept_rounds, made_zeros, numerous

NOTES = Rules()

SOFTMAX = re.compile(r"Softmax")
MATMULS = re.compile(r"(?:Mm|Bmm|Addmm|Baddbmm|Linear)Backward")
VANISHED = 1e-6  # part of the gradient of the loss; the graph draws less as vanished
FLAT = 30.0  # scores from which on a softmax may have no slope
SHOWN = 3  # groups of layers that a sentence lists
IT = ({"is": "is", "them": "it"}, {"is": "are", "them": "them"})
DECIMAL = re.compile(r"-?\d+\.?\d*(?:e[+-]\d+)?$")

ATTENTION = """
jgrad.manual_seed(0)
x = jgrad.randn(6, 4)
q, k, v = (jgrad.nn.Linear(4, 4) for _ in range(3))
with jgrad.no_grad():
    q.weight.{start}
    k.weight.{start}
h = (q(x) @ k(x).T).softmax(-1) @ v(x)
h.pow(2).sum().backward()
"""
OUTPUT = """
jgrad.manual_seed(0)
first, last = jgrad.nn.Linear(4, 4), jgrad.nn.Linear(4, 4)
with jgrad.no_grad():
    last.weight.{start}
loss = (last(first(jgrad.randn(8, 4)).tanh()) - 1).pow(2).sum()
loss.backward()
"""
PRODUCT = """
x, start = jgrad.ones(8, 4), jgrad.{start}
q, k = start.clone().requires_grad_(), start.clone().requires_grad_()
scores = (x @ q) @ (x @ k).T
(scores - 1).pow(2).sum().backward()
"""


@NOTES.rule(
    "softmax-saturated", "warning", "a softmax of large numbers lets no gradient through",
    "{at} ({doing}) lets nearly no gradient through{rounds}, because its inputs go up to {largest} and a softmax of such numbers is flat. "
    "So {names} {learn} nothing, {their} {are}.",
    "Start with smaller weights there, and divide the inputs by the square root of their width, as with `scores / math.sqrt(width)`.",
    ATTENTION.format(start="mul_(1000)"),
    ATTENTION.format(start="mul_(1)"),
    headline="{coded} {learn} nothing: {their} {are}\n{at} ({doing}) is flat, because its inputs go up to {largest}",
)  # fmt: skip
def softmax_saturated(log: Log) -> Iterator[dict]:
    """A softmax with large inputs made so little of a gradient that what comes before it does not learn."""
    for zeros in made_zeros(log, SOFTMAX, VANISHED):
        read = log.steps[zeros.forward].get("reads", ())
        largest = _largest(log, read[0], zeros.forward) if read else 0.0
        if largest >= FLAT and numerous(log, zeros):
            yield _case(log, zeros) | {"largest": number(largest)}


@NOTES.rule(
    "factors-both-zero", "warning", "both factors of a product are zeros that should learn, so neither ever does",
    "{at} ({doing}) multiplies two results that are all zeros{rounds}: {names} {learn} nothing, {their} {are}. The gradient of each "
    "factor is multiplied by the other.",
    "Start one of them with random numbers, as with jgrad.nn.init.xavier_uniform_(weight).",
    PRODUCT.format(start="zeros(4, 4)"),
    PRODUCT.format(start="eye(4)"),
    headline="{coded} {learn} nothing: {their} {are}\n{at} ({doing}) multiplies two results that are all zeros, and each gets its gradient times the other",
)  # fmt: skip
def factors_both_zero(log: Log) -> Iterator[dict]:
    """A product of two results of zeros, each of which keeps the gradient from the other."""
    for zeros in made_zeros(log, MATMULS):
        factors: dict[int, set[int | None]] = {}
        for leaf, step in zeros.makers.items():
            factors.setdefault(step, set()).add(zero_factor(log, step, leaf))
        if all(len(both - {None}) > 1 for both in factors.values()) and numerous(log, zeros):
            yield _case(log, zeros)


@NOTES.rule(
    "weight-of-zeros", "info", "a weight of zeros keeps the gradient from the layers before it",
    "{at} ({doing}) multiplies the gradient by {factor}, which {is} all zeros: {names} {learn} nothing in this step, {their} {are}.",
    "A step that changes {them} ends this; start with small random numbers if this is not on purpose.",
    OUTPUT.format(start="zero_()"),
    OUTPUT.format(start="mul_(1)"),
    headline="{coded} {learn} nothing in this step: {their} {are}\n{at} ({doing}) multiplies the gradient by {factor}, which {is} all zeros",
)  # fmt: skip
def weight_of_zeros(log: Log) -> Iterator[dict]:
    """A leaf of zeros, which gets a gradient itself."""
    for zeros in made_zeros(log, MATMULS):
        if zeros.rounds == 1 and any(gap > zeros.step for gap in log.gaps):
            continue  # (the first step of an optimizer may have ended this)
        factors = dict.fromkeys(zero_factor(log, step, leaf) for leaf, step in sorted(zeros.makers.items()))
        if numerous(log, zeros) and all(factor is not None and _learns(log, factor) for factor in factors):
            names = [log.name(factor, zeros.step) for factor in factors if factor is not None]
            yield _case(log, zeros) | {"factor": _some(names), **IT[len(names) > 1]}


def _learns(log: Log, leaf: int) -> bool:
    """Whether a tensor is a leaf that got a gradient."""
    updates = log.grads_of.get(leaf, []) if log.final[leaf]["is_leaf"] else []
    return any(u["action"] == "add" and not zero(u["added"]) for _, u in updates)


def _case(log: Log, zeros: Zeros) -> dict:
    """The blanks and the place of a remark on what a node made of the gradients of some leaves."""
    coded = _layers([log.name(leaf, zeros.step) for leaf in sorted(zeros.leaves)])
    groups = coded.replace("`", "")
    return {
        "step": zeros.step, "tensors": zeros.leaves, "lines": log.lines(zeros.forward), "at": log.at(zeros.forward),
        "doing": log.doing(zeros.forward), "coded": coded, "names": groups, "are": _size(log, zeros),
        "learn": "learn" if " and " in groups else "learns", "their": "their gradients are" if " and " in groups else "its gradient is",
        "rounds": f" in all {kept_rounds(log, zeros.rounds)}" if zeros.rounds > 1 else "",
    }  # fmt: skip


def _layers(names: list[str]) -> str:
    """Parameters by their layers, as code: "`q` and `k` of `model.blocks[0]`"."""
    parents: dict[str, list[str]] = {}
    for name in names:
        layer = name.rpartition(".")[0] or name
        parent, _, child = layer.rpartition(".")
        here = parents.setdefault(parent, [])
        if child not in here:
            here.append(child)
    kinds: dict[str, list[str]] = {}
    for parent, children in parents.items():
        kinds.setdefault(listed([f"`{child}`" for child in children]), []).append(parent)
    return listed([_group(children, parents) for children, parents in kinds.items()])


def _group(children: str, parents: list[str]) -> str:
    return children if parents == [""] else f"{children} of {_some([f'`{parent}`' for parent in parents])}"


def _some(names: list[str]) -> str:
    """Names in words, the first ones if there are many."""
    more = len(names) - SHOWN
    return listed(names if more <= 0 else [*names[: SHOWN - 1], f"{more + 1} more"])


def _size(log: Log, zeros: Zeros) -> str:
    """How large the gradients of some leaves are."""
    values = [u["added"] for leaf in zeros.leaves for _, u in log.grads_of[leaf] if u["action"] == "add"]
    norm = max([v.get("norm") or 0.0 for v in values if v is not None], default=0.0)
    return f"at most {norm:.0e}" if norm else "0"


def _largest(log: Log, tensor: int, index: int) -> float:
    """The largest magnitude in the storage of a tensor when a step ran, 0 if it is not known."""
    contents = log.contents(log.state(tensor, index)["storage"], index)
    bands = contents.get("bands")
    texts = [*contents["elements"], *((bands["least"], bands["largest"]) if bands is not None else ())]
    return max([abs(float(s)) for s in texts if s is not None and DECIMAL.match(s)], default=0.0)
