"""What goes uphill: a step by hand that adds the gradient, and a training that makes minus its loss smaller."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise, permutations, takewhile
from math import isclose, isfinite
from typing import NamedTuple

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import TraceOptimizer
from jgrad.tracing.document.sentences import number
from jgrad.tracing.document.syntax import around
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, may_have_run
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.loops import losses
from jgrad.tracing.explain.training import Training

NOTES = Rules()

LOSS = re.compile(r"(?:.*[._])?\w*(?:loss|err|error|cost|mse|nll)\w*", re.IGNORECASE)
# What an attack or a dream changes to make a loss larger.
INPUT = re.compile(
    r"(?:.*[._])?(?:x|x_\w+|\w*adv\w*|\w*delta\w*|\w*pert\w*|\w*im(?:g|age)s?\w*|\w*input\w*|\w*noise\w*|\w*eps\w*)",
    re.IGNORECASE,
)
UPHILL = """
w = jgrad.tensor(5., requires_grad=True)
for i in range(4):
    loss = (w - 2) ** 2
    loss.backward()
    with jgrad.no_grad():
        w %s 0.1 * w.grad
    w.grad = None
"""
# Losses that are never below 0: the larger, the worse.
ERRORS = re.compile(
    r"(?:nll|mse|l1|smooth_l1|huber|soft_margin|multi_margin)_loss\w*|(?:binary_)?cross_entropy\w*|ctc_loss"
)
# Of classes: a classifier that begins below it has been trained before, and may be made to forget.
TRAINED = 0.5
# What leaves the sign: a part of a loss, the mean of the losses of some batches.
SCALED = ("div", "mean", "sum", "stack", "cat")
SMALL = 0.01  # below which a number is no more than rounding
NEGATED = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(4, 3)
opt = jgrad.optim.SGD(net.parameters(), lr=0.5)
x, labels = jgrad.randn(8, 4), jgrad.tensor([0, 1, 2, 0, 1, 2, 0, 1])
for i in range(6):
    opt.zero_grad()
    loss = %sjgrad.nn.functional.cross_entropy(net(x), labels)
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "step-uphill", "warning", "a step by hand adds the gradient to a parameter",
    "{at} adds the gradient to {names}, which makes {loss} larger: it rose from {first} to {last} in {count} rounds.",
    "Subtract it: a step against the gradient makes a loss smaller.",
    UPHILL % "+=",
    UPHILL % "-=",
)  # fmt: skip
def step_uphill(log: Log) -> Iterator[dict]:
    """Each change of all that gets gradients goes the way of its gradient, and what is called a loss rose in each round."""
    training = Training.of(log)
    moved = {p: steps for p in training.grads if (steps := _uphill(training, p)) is not None}
    leaves = {p for p in training.grads if training.filled(p) and log.tensors[p]["is_leaf"]}
    if not moved or {*moved} != leaves or any(INPUT.fullmatch(log.name(p)) for p in moved):
        return
    for found in losses(log).values():
        name = log.name(log.steps[found[0][0]]["roots"][0], found[0][0])
        found = [*takewhile(lambda one: isfinite(one[1]), found)]
        rises = len(found) > 2 and all(0 <= a[1] < b[1] for a, b in pairwise(found))
        if rises and LOSS.fullmatch(name):
            i = next(iter(moved.values()))[0]
            yield {
                "step": i, "tensors": [*moved], "lines": log.lines(i), "at": log.at(i), "names": training.names([*moved], i), "loss": name,
                "first": found[0][2], "last": found[-1][2], "count": log.times(len(found)), "edits": _subtracted(log, i),
            }  # fmt: skip
            return


def _uphill(training: Training, parameter: int) -> list[int] | None:
    """The steps by hand that changed a parameter, if all of them changed each element the way of its gradient."""
    log = training.log
    storage = log.tensors[parameter]["storage"]
    filled = training.filled(parameter)
    # (What a step changed is known if the one before it was kept.)
    written = [-1, *(i for i, _ in log.writes_on.get(storage, ()) if log.steps[i]["kind"] != "gap")]
    steps = [i for before, i in pairwise(written) if filled and i > filled[0] and not log.has_gap(before, i)]
    if len(steps) < 2 or any(training.is_of_step(i) for i in steps):
        return None
    for i in steps:
        after = next(w["contents"] for k, w in log.writes_on[storage] if k == i)
        grad = log.grad(parameter, i)
        elements = None if grad is None else grad["elements"]
        if elements is None or after["numel"] != len(elements):
            return None
        try:
            rows = [*zip(log.contents(storage, i)["elements"], after["elements"], elements, strict=True)]
            ways = [(float(b) - float(a)) * float(g) for a, b, g in rows]
        except ValueError:
            return None
        if not any(way > 0 for way in ways) or any(way < 0 for way in ways):
            return None
    return steps


def _subtracted(log: Log, index: int) -> list[Edit]:
    """`w -= g` for `w += g`, and `w - g` for `w + g`; nothing where the sign stands elsewhere."""
    place = at_step(log, index)
    if place is None:
        return []
    code, statement = place
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return [code.replaced(statement, f"{code.text(statement.target)} -= {code.text(statement.value)}")]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return [*_of_call(code, statement.value)]
    return []


def _of_call(code: Code, call: ast.Call) -> Iterator[Edit]:
    """`w.sub_(g)` for `w.add_(g)`."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "add_":
        yield code.replaced(function, f"{code.text(function.value)}.sub_")


@NOTES.rule(
    "loss-negated", "warning", "what is made smaller is minus a loss",
    "{at} makes minus {loss} smaller, so {loss} itself grew from {first} to {last} in {count} rounds.",
    "Take the minus away: step() already goes down.",
    NEGATED % "-",
    NEGATED % "",
)  # fmt: skip
def loss_negated(log: Log) -> Iterator[dict]:
    """All that a training changes makes one number smaller, in each round it is minus a loss that is never below 0, and that loss grew."""
    for owner, every in _learned_by(log):
        found = [*takewhile(lambda one: isfinite(one[1]), every)]
        if len(found) < 3 or not _makes_smaller(log, owner, [i for i, _, _ in every]):
            continue
        made = [_negated(log, log.steps[i]["roots"][0], value) for i, value, _ in found]
        errors = [e for e in made if e is not None]
        if len(errors) < len(found):
            continue
        step, loss, _ = errors[0]
        # Of batches that differ a third tells more than one.
        third = len(errors) // 3 if errors[-1][2] <= errors[0][2] else 1
        first, last = (sum(e[2] for e in part) / third for part in (errors[:third], errors[-third:]))
        classes = re.search("cross|nll|margin|ctc", log.steps[loss]["op"])
        if last > first >= (TRAINED if classes else 0):
            about, name = "about " if third > 1 else "", log.name(log.steps[step]["reads"][0], step)
            yield {
                "step": step, "tensors": log.steps[found[0][0]]["roots"], "lines": log.lines(step), "at": log.at(step), "loss": name if log.maker.get(log.steps[found[0][0]]["roots"][0]) == step and " in " not in name else "the loss",
                "first": f"{about}{first:.4g}", "last": f"{last:.4g}", "count": log.times(len(found)), "edits": _without_minus(log, step),
            }  # fmt: skip
            return


Found = list[tuple[int, float, str]]


def _learned_by(log: Log) -> Iterator[tuple[TraceOptimizer, Found]]:
    """The losses of each line that calls backward(), by the only optimizer that has a part in them. Another one may have one too, as a discriminator's
    has in the loss of a generator: then it is not said who learns by it."""
    optimizers = Training.of(log).optimizers
    for every in losses(log).values():
        found: dict[int, Found] = {}
        for one in every:
            behind = log.sources(log.steps[one[0]]["roots"][0], one[0])
            owners = [k for k, o in enumerate(optimizers) if not behind.isdisjoint(o["parameters"])]
            if len(owners) == 1:
                found.setdefault(owners[0], []).append(one)
        for k, some in found.items():
            yield optimizers[k], some


def _makes_smaller(log: Log, optimizer: TraceOptimizer, calls: list[int]) -> bool:
    """Whether these backward calls are all that an optimizer learns by, and what it changes is no input."""
    training, params = Training.of(log), optimizer["parameters"]
    numbers = {log.steps[i]["backward_call"] for i in calls}
    filled = [i for p in params for i in training.filled(p)]
    return (
        not optimizer["maximize"]
        and bool(filled)
        and all(log.steps[i].get("backward_call") in numbers for i in filled)
        and any(training.steps_of(p) for p in params)
        and not any(INPUT.fullmatch(log.name(p)) for p in params)
    )


def _negated(log: Log, root: int, value: float) -> tuple[int, int, float] | None:
    """(the step that negates, the step of the loss, the loss) where a root of a backward pass is minus a loss, or a part or the mean of some. The loss is
    as large as the root, and positive."""
    step = log.maker.get(root)
    while step is not None and log.steps[step]["op"] in SCALED and log.steps[step].get("reads"):
        step = log.maker.get(log.steps[step]["reads"][0])
    reads = [] if step is None else log.steps[step].get("reads", [])
    loss = log.maker.get(reads[0]) if len(reads) == 1 else None
    if step is None or loss is None or not (ERRORS.fullmatch(log.steps[loss]["op"]) or _is_error(log, loss)):
        return None
    before, after = (_number(log, t, step) for t in (reads[0], log.steps[step]["makes"][0]))
    if before is None or after is None or not value < 0 or not isclose(before, -after, rel_tol=0.02):
        return None
    return step, loss, -value


def _number(log: Log, tensor: int, index: int) -> float | None:
    """The only element of a tensor, when a step has run."""
    held = log.held(tensor, index + 1)[log.tensors[tensor]["storage_offset"] :]
    return float(held[0]) if held else None


def _is_error(log: Log, index: int) -> bool:
    """Whether a step adds up squares or sizes of differences from data: `((p - y) ** 2).mean()`."""
    at: int | None = index
    for ops in (("mean", "sum"), ("pow", "square", "abs"), ("sub", "rsub")):
        step = None if at is None else log.steps[at]
        if step is None or step["op"] not in ops:
            return False
        at = log.maker.get(step["reads"][0])
    return step is not None and any(not log.state(t, index)["requires_grad"] for t in step["reads"])


def _without_minus(log: Log, index: int) -> list[Edit]:
    place = at_step(log, index)
    if place is None:
        return []
    code, statement = place
    found = [
        (n, kept)
        for n in ast.walk(statement)
        if isinstance(n, ast.expr) and (kept := _negates(n)) is not None
    ]
    return [code.cut(*found[0])] if len(found) == 1 else []


def _negates(node: ast.AST) -> ast.expr | None:
    """What an expression is minus of: `-a`, `a * -1`, `-1 * a`; nothing of a negative number."""
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and not isinstance(node.operand, ast.Constant)
    ):
        return node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        sides = [(node.left, node.right), (node.right, node.left)]
        return next((kept for kept, other in sides if ast.unparse(other) in ("-1", "-1.0")), None)
    return None


ADVERSARIES = """
jgrad.manual_seed(0)
nn, F = jgrad.nn, jgrad.nn.functional
made, judge = nn.Linear(2, 2), nn.Linear(2, 1)
opt_g = jgrad.optim.SGD(made.parameters(), lr=0.1)
opt_d = jgrad.optim.SGD(judge.parameters(), lr=0.1)
ones, zeros = jgrad.ones(8, 1), jgrad.zeros(8, 1)
bce = F.binary_cross_entropy_with_logits
for i in range(3):
    fake = made(jgrad.randn(8, 2))
    loss_d = bce(judge(jgrad.randn(8, 2) + 3), ones) + bce(judge(fake.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = bce(judge(fake), %s)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
"""
JUDGES = re.compile(r"binary_cross_entropy(?:_with_logits)?|mse_loss")


class Judged(NamedTuple):
    """A loss that compares what a network says with one label for all, and is made smaller."""

    step: int
    owner: int  # the optimizer that makes the next step
    behind: frozenset[int]  # the optimizers that have parameters from which the answer was computed
    label: int


@NOTES.rule(
    "generator-found-out", "warning", "a generator learns that its results are called made up",
    "{at} trains {gen} to have its results called {label}, as {other} teaches {judge} to call them. So {gen} learns to be found out.",
    "Use the label of the real data, {real}, in {at}.",
    ADVERSARIES % "zeros",
    ADVERSARIES % "ones",
)  # fmt: skip
def generator_found_out(log: Log) -> Iterator[dict]:
    """One optimizer learns by labels to tell what another one's network makes from other data, and the other one learns by the label of its own."""
    judged = [*_judged(log)]
    optimizers = Training.of(log).optimizers
    for judge, gen in permutations(range(len(optimizers)), 2):
        fake, real, own = (
            [
                one
                for one in judged
                if one.owner == owner and one.behind >= {judge} and (gen in one.behind) == is_fake
            ]
            for owner, is_fake in ((judge, True), (judge, False), (gen, True))
        )
        labels = [{one.label for one in part} for part in (fake, real, own)]
        if len(own) > 1 and all(len(some) == 1 for some in labels) and labels[0] == labels[2] != labels[1]:
            i, k = own[-1].step, fake[-1].step
            yield {
                "step": i, "tensors": log.steps[i]["makes"], "lines": log.lines(i, k), "at": log.at(i), "other": log.at(k), "label": own[0].label,
                "real": real[0].label, "gen": _network(log, gen), "judge": _network(log, judge), "edits": _relabelled(log, i, k, real[-1].step),
            }  # fmt: skip


def _judged(log: Log) -> Iterator[Judged]:
    training = Training.of(log)
    params = [{*o["parameters"]} for o in training.optimizers]
    steps = sorted({(i, k) for k, own in enumerate(params) for p in own for i, _ in training.steps_of(p)})
    for i, step in log.of("op") if len(params) > 1 else ():
        ran = log.runs.get(step.get("node", -1), []) if JUDGES.fullmatch(step["op"]) else []
        label = _only_label(log.held(step["reads"][1], i)) if ran else None
        grads = log.steps[ran[0]]["grads_in"][0] if label is not None else None
        owner = next((k for j, k in steps if j > ran[0]), None) if grads is not None else None
        if label is None or grads is None or owner is None or not float((grads["elements"] or ["0"])[0]) > 0:
            continue
        sources = log.sources(step["reads"][0], i)
        yield Judged(i, owner, frozenset(k for k, own in enumerate(params) if own & sources), label)


def _only_label(elements: list[str]) -> int | None:
    """0 or 1, whichever all elements are nearer to; None if they differ."""
    sides = {float(x) > 0.5 for x in elements if x not in ("True", "False")}
    return int(sides.pop()) if len(sides) == 1 else None


def _network(log: Log, optimizer: int) -> str:
    """What the network of an optimizer is called; the optimizer where no module has just its parameters."""
    one = Training.of(log).optimizers[optimizer]
    names = [m["name"] for m in Training.of(log).modules if {*m["parameters"]} == {*one["parameters"]}]
    return names[0] if names else f"what {one['name']} trains"


def _relabelled(log: Log, index: int, fake: int, real: int) -> list[Edit]:
    """The label of the real data in place of the other one, where both have names of their own in one function."""
    found: list[tuple[Code, ast.FunctionDef | None, ast.Name]] = []
    for i in (index, fake, real):
        place = at_step(log, i)
        for call in [n for n in ast.walk(place[1]) if isinstance(n, ast.Call)] if place is not None else ():
            label = call.args[1] if len(call.args) == 2 else None
            if place is not None and isinstance(label, ast.Name) and place[0].text(call) == log.text(i):
                functions = around(place[0].tree, call.lineno, ast.FunctionDef)
                found.append((place[0], functions[-1] if functions else None, label))
    if len(found) != 3 or found[0][:2] != found[2][:2]:
        return []
    own, given, wanted = (one[2].id for one in found)
    return [found[0][0].replaced(found[0][2], wanted)] if own == given != wanted else []


NEGATIVE = re.compile(r"(?:.*[._])?(?:n|neg|negative)s?(?:_.*)?", re.IGNORECASE)
POSITIVE = re.compile(r"(?:.*[._])?(?:p|pos|positive)s?(?:_.*)?", re.IGNORECASE)
# What a distance is made by: for similarities the difference is the other way around.
DISTANCES = ("cdist", "_cdist_forward", "pairwise_distance", "linalg_vector_norm", "norm", "sqrt")
TRIPLETS = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(3, 2)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
anchor, positive, negative = jgrad.randn(3, 8, 3)
for i in range(4):
    a, pos, neg = net(anchor), net(positive), net(negative)
    loss = jgrad.nn.functional.triplet_margin_loss(a, %s)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "triplet-turned", "warning", "a triplet loss draws the negative near and pushes the positive away",
    "{at}: {text} draws {negative} near and pushes {positive} away. By their names it may be meant the other way.",
    "If so, swap {negative} and {positive}.",
    TRIPLETS % "neg, pos",
    TRIPLETS % "pos, neg",
)  # fmt: skip
def triplet_turned(log: Log) -> Iterator[dict]:
    """By their names: a triplet loss gets the negative second, or the distance to the positive is taken from that to the negative."""
    for code in Code.all_of(log):
        for node in ast.walk(code.tree):
            pair = _triplet_of(log, node) if isinstance(node, ast.Call) else _hinge_of(log, node)
            if pair is None or not may_have_run(log, code, node):  # type: ignore[arg-type]
                continue
            first, second = pair
            line = node.lineno  # type: ignore[attr-defined]
            yield {
                "step": -1, "tensors": [], "lines": [] if code.file else [line], "at": code.place(log, line),
                "text": code.text(node), "negative": code.text(first), "positive": code.text(second),  # type: ignore[arg-type]
                "edits": [code.replaced(first, code.text(second)), code.replaced(second, code.text(first))],
            }  # fmt: skip
            return


def _triplet_of(log: Log, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The second and third argument of a triplet loss, if they are called negative and positive."""
    called = ast.unparse(call.func)
    made = [
        n.value
        for n in log.nodes_of_code
        if isinstance(n, ast.Assign) and called in map(ast.unparse, n.targets)
    ]
    known = called.endswith("triplet_margin_loss") or any("TripletMargin" in ast.unparse(m) for m in made)
    if not known or len(call.args) < 3:
        return None
    names = [re.sub(r"^\w+\((.*)\)$", r"\1", ast.unparse(a)) for a in call.args[1:3]]  # x of `net(x)`
    turned = NEGATIVE.fullmatch(names[0]) and POSITIVE.fullmatch(names[1])
    return (call.args[1], call.args[2]) if turned else None


def _hinge_of(log: Log, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Both sides of `d_neg - d_pos + margin`, where they are distances."""
    whole = node if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else None
    part = None if whole is None else whole.left
    if (
        not isinstance(part, ast.BinOp)
        or not isinstance(part.op, ast.Sub)
        or whole is None
        or "margin" not in ast.unparse(whole.right)
    ):
        return None
    names = ast.unparse(part.left), ast.unparse(part.right)
    if not NEGATIVE.fullmatch(names[0]) or not POSITIVE.fullmatch(names[1]):
        return None
    named = [t["id"] for t in log.tensors if any(n == names[0] for _, n in t["names"])]
    return (part.left, part.right) if named and all(_is_distance(log, t) for t in named) else None


def _is_distance(log: Log, tensor: int) -> bool:
    """Whether a tensor is a distance, or the sum of squares."""
    made = log.maker.get(tensor)
    step = None if made is None else log.steps[made]
    if step is None or step["op"] in DISTANCES:
        return step is not None
    inner = log.maker.get(step["reads"][0]) if step["op"] in ("sum", "mean") and step.get("reads") else None
    return inner is not None and log.steps[inner]["op"] in ("pow", "square", "abs")


DIVERGENCE = re.compile(r"(?:.*[._])?kl[ds]?(?:_?(?:loss|div|divergence|term))?", re.IGNORECASE)
ENCODER = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(4, 6)
opt = jgrad.optim.Adam(net.parameters(), lr=0.1)
x = jgrad.randn(8, 4)
for i in range(6):
    mu, logvar = net(x).chunk(2, 1)
    kld = {} * (1 + logvar - mu ** 2 - logvar.exp()).sum()
    opt.zero_grad()
    kld.backward()
    opt.step()
"""


@NOTES.rule(
    "divergence-negative", "warning", "a KL divergence that is made smaller is below 0",
    "{at}: {name} is {value}, and no KL divergence is below 0. So its sign is wrong, and the loss falls without end.",
    "Write minus there, as in -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).",
    ENCODER.format("0.5"),
    ENCODER.format("-0.5"),
)  # fmt: skip
def divergence_negative(log: Log) -> Iterator[dict]:
    """What is called so is below 0 in each round, and a gradient above 0 comes to it. It is computed of a variance, and not of samples, which may differ."""
    named: dict[str, list[tuple[int, str]]] = {}
    for t in log.tensors:
        name = next((n for _, n in reversed(t["names"]) if n), "")
        made = log.maker.get(t["id"])
        ran = log.runs.get(t["grad_fn"]) if t["grad_fn"] is not None else None
        if made is None or not ran or not DIVERGENCE.fullmatch(name) or t["shape"]:
            continue
        grads = log.steps[ran[0]]["grads_in"]
        came = grads[0]["elements"] if grads and grads[0] is not None else None
        held = log.held(t["id"], made + 1)[t["storage_offset"] :]
        if came and held:
            makers = [log.maker[s] for s in log.sources(t["id"], made + 1) if s in log.maker]
            whole = any(log.steps[i]["op"] == "exp" for i in makers) and not any(
                ".log_prob(" in log.text(i) for i in makers
            )
            below = whole and float(held[0]) < -SMALL and float(came[0]) > 0
            named.setdefault(name, []).append((made, held[0] if below else ""))
    for name, found in named.items():
        if len(found) > 2 and all(value for _, value in found):
            step, value = found[-1]
            yield {
                "step": step, "tensors": log.steps[step]["makes"], "lines": log.lines(step), "at": log.at(step), "name": name, "value": number(float(value)),
                "edits": _minus(log, step),
            }  # fmt: skip


def _minus(log: Log, index: int) -> list[Edit]:
    """Minus what a statement assigns: before its first factor, where that is a number."""
    place = at_step(log, index)
    if place is None or not isinstance(place[1], ast.Assign):
        return []
    code, value = place[0], place[1].value
    first = value
    while isinstance(first, ast.BinOp) and isinstance(first.op, (ast.Mult, ast.Div)):
        first = first.left
    simple = isinstance(first, ATOMS)
    return [
        code.replaced(
            first if simple else value, f"-{code.text(first)}" if simple else f"-({code.text(value)})"
        )
    ]
