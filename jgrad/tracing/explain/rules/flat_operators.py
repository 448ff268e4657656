"""Gradients that are exactly 0: operators that are flat everywhere, relus and sigmoids whose inputs lie where they are flat."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Value
from jgrad.tracing.explain.edits import ATOMS, Edit, at_step
from jgrad.tracing.explain.flow import where_zeroed, zero, zeroed
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.subject import Subject

NOTES = Rules()
WHY = Rules()

STEPS = re.compile(r"(?:Round|Floor|Ceil|Trunc|Sign|Sgn|Heaviside)Backward")
DRAWS = re.compile(r"(?:Normal|Bernoulli|Poisson|Binomial)Backward")
# (Not ThresholdBackwardBackward0: the derivative of a derivative.)
RELUS = re.compile(r"(?:Relu|Threshold)Backward\d")
CLAMPS = re.compile(r"(?:Hardtanh|Clamp|ClampMin|ClampMax)Backward\d")
CURVES = re.compile(r"(?:Sigmoid|Tanh)Backward\d")
UNDERFLOW = 1e-30  # products of such numbers may be 0 in float32
MANY = 16  # elements that are enough for a remark if they are all flat; fewer may be an experiment
ROUNDS = 3  # backward calls that are enough in any case
BATCH = 8  # samples for which a unit must have been 0 before it is said to be dead
LOOKED_AT = 4  # backward calls of a loop: in the others the same happens
CHANCE = 2  # units of a deep network may be dead by chance, half of them: of n units not more than n / 2 + 2 sqrt(n)
# What reads weights.
LAYERS = (
    "linear",
    "addmm",
    "mm",
    "matmul",
    "convolution",
    "conv1d",
    "conv2d",
    "conv_transpose2d",
    "bmm",
)
CURVED = ("sign", "sgn", "heaviside")  # step functions near which no straight line runs
SHOWN = 3  # names that a sentence lists

ROUNDED = """
w = jgrad.tensor([1.2, 0.4], requires_grad=True)
level = {level}
loss = (level - 6).pow(2).sum()
loss.backward()
"""
PLAIN = ROUNDED.format(level="(w * 3).round()")
STRAIGHT_THROUGH = ROUNDED.format(level="w * 3 + ((w * 3).round() - w * 3).detach()")

DRAWN = """
jgrad.manual_seed(0)
w = jgrad.tensor([1.2, 0.4], requires_grad=True)
std = jgrad.ones(2)
z = {draw}
loss = (z - 6).pow(2).sum()
loss.backward()
"""

LAYER = """
weight = jgrad.full((4, 4), 0.5, requires_grad=True)
bias = jgrad.full((4,), {bias}, requires_grad=True)
x = jgrad.ones(4, 4)
h = (x @ weight + bias).{curve}()
loss = (h - 0.5).pow(2).sum()
loss.backward()
"""
CLAMPED = LAYER.replace("{curve}()", "clamp(0., 1.)")
UNITS = """
weight = jgrad.full((2, 32), 0.5, requires_grad=True)
bias = jgrad.tensor([0.] * {alive} + [-9.] * (32 - {alive}), requires_grad=True)
x = jgrad.ones(8, 2)
for i in range(3):
    weight.grad = bias.grad = None
    h = jgrad.addmm(bias, x, weight).relu()
    h.sum().backward()
"""


@dataclass
class Zeros:
    """An operator whose node turned gradients into zeros, and the leaves that got nothing else."""

    step: int  # at which the node ran, in the first backward call
    forward: int  # the step of the operator
    # Leaf -> the step of the node that kept its gradient back.
    makers: dict[int, int] = field(default_factory=dict)
    rounds: int = 0

    @property
    def leaves(self) -> list[int]:
        return [*self.makers]


def made_zeros(log: Log, nodes: re.Pattern, share: float = 0.0) -> Iterator[Zeros]:
    """The operators of these nodes that turned all gradients of some leaves into zeros, or into less than a share of the gradient of the
    loss, in every backward call that reached them."""
    found: dict[object, Zeros] = {}
    for leaf, steps in _only_zeros(log, share).items():
        makers = [zeroed(log, leaf, at, _least(log, at, share)) for at in steps[:LOOKED_AT]]
        known = [i for i in makers if i is not None and nodes.match(_node(log, i)) and _meant(log, i)]
        if not known or len(known) < len(makers):
            continue
        forward = log.node_maker.get(log.steps[known[0]]["node"])
        if forward is not None:
            span = log.steps[forward]["span"]
            here = found.setdefault(forward if span is None else tuple(span), Zeros(known[0], forward))
            here.makers[leaf] = known[0]
            here.rounds = max(here.rounds, len(steps))
    yield from found.values()


def _only_zeros(log: Log, share: float) -> dict[int, list[int]]:
    """The leaves to which only zeros came, or less than a share of the gradient of the loss, and the steps at which it came. Several rules ask
    for them."""
    key = f"only zeros {share}"
    if key not in log.kept:
        arrived: dict[int, list[int]] = {}
        others: set[int] = set()
        for i, grad in log.grads:
            leaf = grad["tensor"]
            if grad["action"] != "add" or leaf in others or not log.tensors[leaf]["is_leaf"]:
                continue
            if zero(grad["added"], _least(log, i, share)):
                arrived.setdefault(leaf, []).append(i)
            else:
                others.add(leaf)
        log.kept[key] = {leaf: steps for leaf, steps in arrived.items() if leaf not in others}
    return log.kept[key]


def _least(log: Log, index: int, share: float) -> float:
    """A share of the norm of the gradient with which the backward call of a step began."""
    begin = log.calls.get(log.steps[index].get("backward_call", -1))
    if not share or begin is None or begin + 1 >= len(log.steps):
        return 0.0
    values = log.steps[begin + 1].get("grads_in", ())
    return share * max([v.get("norm") or 0.0 for v in values if v is not None], default=0.0)


def _node(log: Log, index: int) -> str:
    return log.nodes[log.steps[index]["node"]]["name"]


def _meant(log: Log, index: int) -> bool:
    """Whether the zeros of a step come from its operator: neither from a loss of 0, which has nothing left to teach, nor from numbers that
    were too small already."""
    step = log.steps[index]
    begin = log.calls.get(step.get("backward_call", -1))
    roots = [] if begin is None else log.steps[begin]["roots"]
    norms = [v.get("norm") or 0.0 for v in step["grads_in"] if v is not None]
    return max(norms) > UNDERFLOW and any(not {"0.", "-0."}.issuperset(log.held(t, index)) for t in roots)


def numerous(log: Log, zeros: Zeros) -> bool:
    """Whether there are too many zeros for an experiment with a few numbers."""
    values = [v for v in log.steps[zeros.step]["grads_in"] if v is not None]
    return zeros.rounds >= ROUNDS or sum(math.prod(v["shape"]) for v in values) >= MANY


def _numerous_cases(log: Log, nodes: re.Pattern) -> Iterator[dict]:
    """The cases of operators of one kind that made more zeros than an experiment would."""
    for zeros in made_zeros(log, nodes):
        if numerous(log, zeros):
            yield _case(log, zeros)


def _case(log: Log, zeros: Zeros) -> dict:
    """The blanks and the place of a remark on such an operator."""
    step = log.steps[zeros.forward]
    # (A leaf may be made anew in each round.)
    names = [*dict.fromkeys(f"{log.name(t, i)}.grad" for t, i in zeros.makers.items())]
    shown = (
        names
        if len(names) <= SHOWN
        else [*names[: SHOWN - 1], f"the .grad of {len(names) - SHOWN + 1} more leaves"]
    )
    return {
        "step": zeros.step, "tensors": zeros.leaves, "lines": log.lines(zeros.forward), "at": log.at(zeros.forward),
        "doing": log.doing(zeros.forward), "op": step["op"].rstrip("_"), "grads": listed(shown), "are": "is" if len(names) == 1 else "are",
        "rounds": f", in all {kept_rounds(log, zeros.rounds)}" if zeros.rounds > 1 else "",
    }  # fmt: skip


def kept_rounds(log: Log, count: int) -> str:
    """ "5 rounds", as far as they were kept."""
    return f"{count} rounds that were kept" if log.gaps else f"{count} rounds"


def straight_through(op: str) -> str:
    """The code that passes the gradient of a step function on."""
    if op in CURVED:
        step = "jgrad.heaviside(x, jgrad.tensor(0.))" if op == "heaviside" else f"x.{op}()"
        return f"s = x.tanh(); y = s + ({step} - s).detach()"
    return f"y = x + (x.{op}() - x).detach()"


@NOTES.rule(
    "flat-operator", "warning", "round(), floor(), sign() and the like leave exact zeros in .grad",
    "{at} ({doing}): the derivative of {op}() is 0 everywhere, so {grads} {are} exactly 0.",
    "To let the gradient pass straight through, write {code}.",
    PLAIN,
    STRAIGHT_THROUGH,
)  # fmt: skip
def flat_operator(log: Log) -> Iterator[dict]:
    """A step function lies on every way to some leaves."""
    for zeros in made_zeros(log, STEPS):
        case = _case(log, zeros)
        edits = _passed_through(log, zeros.forward, case["op"])
        yield case | {"code": edits[0].text if edits else straight_through(case["op"]), "edits": edits}


def _passed_through(log: Log, forward: int, op: str) -> list[Edit]:
    """The call of a step function with its gradient straight through, where its argument can be written again."""
    place = at_step(log, forward)
    calls = (
        [n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and ast.unparse(n.func).endswith(f".{op}")]
        if place is not None
        else []
    )
    given = (
        [*calls[0].args, getattr(calls[0].func, "value", None)][0]
        if len(calls) == 1 and op not in CURVED
        else None
    )
    if (
        place is None
        or given is None
        or any(isinstance(n, (ast.Call, ast.NamedExpr)) for n in ast.walk(given))
    ):
        return []
    x = place[0].text(given)
    x = x if isinstance(given, ATOMS) else f"({x})"
    return [place[0].replaced(calls[0], f"({x} + ({place[0].text(calls[0])} - {x}).detach())")]


@NOTES.rule(
    "draw-without-gradient", "warning", "normal() and the like draw numbers, and no gradient passes through",
    "{at} ({doing}): {op}() draws numbers, through which no gradient passes, so {so}.",
    "{repair}",
    DRAWN.format(draw="jgrad.normal(w, std)"),
    DRAWN.format(draw="w + std * jgrad.randn_like(std)"),
)  # fmt: skip
def draw_without_gradient(log: Log) -> Iterator[dict]:
    """What was drawn lies on every way to some leaves; or it is the input of a layer that learns together with what it was drawn by, as in a VAE whose
    encoder learns from its other loss only."""
    said = [*made_zeros(log, DRAWS)]
    for zeros in said:
        case = _case(log, zeros)
        other = "Train on log_prob() of what was drawn, times its reward or loss: a draw itself has no derivative."
        repair = {"repair": other} if case["op"] != "normal" else _reparametrized(log, zeros.forward)
        yield case | repair | {"so": f"{case['grads']} {case['are']} exactly 0"}
    for i, step in log.operations.get("normal", ()):
        drawn = step["makes"][0]
        before = log.sources(drawn, i + 1) if log.state(drawn, i + 1)["requires_grad"] else set()
        optimizers = [{*o["parameters"]} for o in log.document.get("optimizers", ())]
        own = {p for o in optimizers if not o.isdisjoint(before) for p in o}
        readers = [k for k in log.users.get(drawn, ()) if log.steps[k]["op"] in LAYERS]
        if any(own & log.sources(log.steps[k]["makes"][0], k + 1) - before for k in readers) and not said:
            names = [*dict.fromkeys(log.name(t, i) for t in sorted(own & before))]
            more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
            yield _reparametrized(log, i) | {
                "step": i, "tensors": sorted(own & before), "lines": log.lines(i), "at": log.at(i), "doing": log.doing(i), "op": "normal",
                "so": f"{log.at(readers[0])} sends none to {listed([*names[:SHOWN], *more])}",
            }  # fmt: skip
            return


def _reparametrized(log: Log, forward: int) -> dict:
    """The repair of a call of normal(): the draw does not depend on mean and std, and what is computed from it does."""
    place = at_step(log, forward)
    for node in ast.walk(place[1]) if place is not None else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "normal":
            given = [n for n in node.args if isinstance(n, ATOMS)]
            if place is not None and len(given) == len(node.args) == 2:
                mean, std = map(place[0].text, given)
                text = f"{mean} + {std} * {ast.unparse(node.func.value)}.randn_like({std})"
                repair = f"Write {text}: a gradient passes through {mean} and {std}."
                return {"repair": repair, "edits": [place[0].replaced(node, text)]}
    return {"repair": "Write mean + std * jgrad.randn_like(std): a gradient passes through its mean and std."}


@NOTES.rule(
    "dead-relu", "warning", "a relu gives 0 for the whole batch",
    "{at} ({doing}) gave 0 for the whole batch{rounds}. All its inputs lie where {op}() is flat, so {grads} {are} exactly 0.",
    "Use leaky_relu(), which is flat nowhere, or start with a bias of 0, as with jgrad.nn.init.zeros_(layer.bias), and a smaller learning rate.",
    LAYER.format(bias="-9.", curve="relu"),
    LAYER.format(bias="0.1", curve="relu"),
)  # fmt: skip
def dead_relu(log: Log) -> Iterator[dict]:
    yield from _numerous_cases(log, RELUS)


@NOTES.rule(
    "clamp-at-its-limit", "warning", "a clamp gives its limit for the whole batch",
    "{at} ({doing}) gave one of its limits for the whole batch{rounds}. All its inputs lie outside of them, so {grads} {are} exactly 0.",
    "Look at what makes its inputs, or compute without {op}() what it guards: log_softmax() in place of the logarithm of a clamped softmax().",
    CLAMPED.format(bias="9."),
    CLAMPED.format(bias="-1.5"),
)  # fmt: skip
def clamp_at_its_limit(log: Log) -> Iterator[dict]:
    yield from _numerous_cases(log, CLAMPS)


@NOTES.rule(
    "saturated", "warning", "a sigmoid or tanh gets so large inputs that its derivative is rounded to 0",
    "{at} ({doing}): all inputs are so large that the derivative of {op}() is rounded to 0{rounds}. So {grads} {are} exactly 0.",
    "Scale what comes in to numbers around 1, as with x = (x - x.mean(0)) / x.std(0), or start with smaller weights.",
    LAYER.format(bias="40.", curve="tanh"),
    LAYER.format(bias="0.1", curve="tanh"),
)  # fmt: skip
def saturated(log: Log) -> Iterator[dict]:
    yield from _numerous_cases(log, CURVES)


@NOTES.rule(
    "dead-units", "info", "most units of a layer give 0 for every sample in every round",
    "{at} ({doing}): {count} of {units} units got a gradient of 0 from the whole batch in all {rounds}. They may be dead, since nothing "
    "changes a unit whose relu is always 0.",
    "Use leaky_relu(), a smaller learning rate, or a bias of 0 at the start.",
    UNITS.format(alive=2),
    UNITS.format(alive=16),
)  # fmt: skip
def dead_units(log: Log) -> Iterator[dict]:
    """The bias before a relu got exact zeros in the same places, most of them, in every round."""
    relus = {}  # the node that computes what a relu gets -> the step of the relu's node
    for i in sorted(
        [i for name, ran in log.runs_by_name.items() if RELUS.match(name) or CLAMPS.match(name) for i in ran]
    ):
        step = log.steps[i]
        target = log.nodes[step["node"]]["next_functions"][0][0]
        if target is not None and _samples(step["grads_in"]) >= BATCH:
            relus[target] = i
    for leaf, found in log.grads_of.items():
        adds = [(i, grad) for i, grad in found if grad["action"] == "add" and len(grad["contributions"]) == 1]
        if len(adds) < ROUNDS or len(log.tensors[leaf]["shape"]) != 1:
            continue
        senders = [grad["contributions"][0]["node"] for _, grad in adds]
        values = [grad["added"] for _, grad in adds]
        texts = [v["elements"] for v in values if v is not None and v["elements"] is not None]
        if len(texts) < len(adds) or any(node not in relus for node in senders):
            continue
        dead = [all(map(_is_zero, column)) for column in zip(*texts, strict=True)]
        if not all(dead) and sum(dead) > len(dead) / 2 + CHANCE * math.sqrt(len(dead)):
            i = relus[senders[-1]]
            forward = log.node_maker.get(log.steps[i]["node"])
            if forward is not None:
                yield {
                    "step": i, "tensors": [leaf], "lines": log.lines(forward), "at": log.at(forward), "doing": log.doing(forward),
                    "count": sum(dead), "units": len(dead), "rounds": kept_rounds(log, len(adds)),
                }  # fmt: skip


def _samples(values: Iterable[Value | None]) -> int:
    """How many samples a gradient of (sample, unit) has."""
    return max([v["shape"][0] for v in values if v is not None and len(v["shape"]) > 1], default=0)


def _is_zero(text: str) -> bool:
    """Whether an element is 0 whatever the digits: "0.", "-0.0000e+00"."""
    return re.fullmatch(r"-?0\.0*(?:e\+00)?", text) is not None


@WHY.rule(
    "grad-rounded", "info", "it is zero, because round(), floor(), sign() or the like is on the way",
    "{name}.grad is zero: {at} ({doing}) is on the way, and the derivative of {op}() is 0 everywhere.",
    "To let the gradient pass straight through, write {code}.",
    PLAIN,
    STRAIGHT_THROUGH,
    ask="w.grad",
)  # fmt: skip
def grad_rounded(s: Subject) -> Iterator[dict]:
    """A step function turned the gradient on the way to it into zeros."""
    found = where_zeroed(s)
    if found is None:
        return
    log, i = found
    forward = log.node_maker.get(log.steps[i]["node"])
    if forward is not None and STEPS.match(_node(log, i)):
        op = log.steps[forward]["op"].rstrip("_")
        yield {
            "at": log.at(forward), "doing": log.doing(forward), "op": op, "code": straight_through(op), "step": i,
            "lines": log.lines(forward, i),
        }  # fmt: skip
