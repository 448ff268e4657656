"""Training that fails in silence: the loss ends where predicting a constant would end, and what may be the cause.

These are suspicions: each was tried on right programs that look like the mistake, and has conditions that keep it silent there. At most one of them
speaks, the first of CAUSES that applies, and none if the loss or the last layer is wrong in a way that is known exactly (`tasks.py`).
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import Activation, Weight
from jgrad.tracing.explain.edits import Code, Edit, assigned_to, at_step, calls_of, keyword
from jgrad.tracing.explain.learning import ADAPTIVE, NO_BETTER, REGRESSION, Learning
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules import tasks
from jgrad.tracing.explain.training import Training

NOTES = Rules()
Finder = Callable[[Learning], Iterator[dict[str, Any]]]
CAUSES: dict[str, Finder] = {}  # in the order in which they are tried
SYMPTOMS = ("no-better-than-constant", "still-falling", "units-died")

UNSCALED = 10.0  # the rms of inputs from which on they are suspicious
UNSCALED_TARGETS = 100.0
# Parts of the loss of the best constant: above the first it has not learned, below the second it has.
HURT, WELL = (
    0.5,
    0.05,
)
BAD_START = 5.0  # the first loss against it
SATURATED, DEAD = 0.6, 0.5
LARGE_WEIGHTS = 2.5
REACHED = 0.1  # of the rms of the targets
STILL, LONG = 0.1, 50  # weights that moved by a smaller part of themselves in so many rounds
FAR = 10.0  # and those that moved by so many times their size
SHRUNK = 0.2
DROPS = 0.8
CLIPPED, OFTEN = 20.0, 0.9
FADED, ACTIVATIONS = 0.02, 4
ONE_KIND = 0.5  # of the labels that random batches would have
OTHER_SCALE, FEATURES = 3.0, 4
NOT_LEARNED = 0.3
LEAST = 30  # rounds of which most of this is said
IN_FULL = 3  # rounds of which all steps are known: so many show what the layers are
CONVERSIONS = ("_to_copy", "to", "float", "long")
SINGLE = 100  # rounds with one sample each

TRAIN = """
jgrad.manual_seed(0)
nn, F = jgrad.nn, jgrad.nn.functional
x = jgrad.randn(90, 4)
y = (x[:, 0] > 0.4).long() + (x[:, 0] > -0.4).long()
{change}
net = nn.Sequential({layers})
{start}
opt = jgrad.optim.{optimizer}
for epoch in range({rounds}):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    {between}
    opt.step()
"""
LAYERS = "nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3)"


def example(
    change: str = "",
    layers: str = LAYERS,
    start: str = "",
    optimizer: str = "Adam(net.parameters(), lr=0.03)",
    rounds: int = 80,
    between: str = "pass",
) -> str:
    """A training with these parts."""
    found = TRAIN.format(
        change=change, layers=layers, start=start, optimizer=optimizer, rounds=rounds, between=between
    )
    return "\n".join(line for line in found.split("\n") if line.strip() and line.strip() != "pass")


REGRESSING = """
jgrad.manual_seed(0)
nn, F = jgrad.nn, jgrad.nn.functional
x = jgrad.randn(80, 3)
y = 400. + 200. * x[:, :1] * x[:, 1:2]
{scaled}
net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt = jgrad.optim.Adam(net.parameters(), lr={rate})
for epoch in range(100):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
"""


def leading(log: Log) -> tuple[str, list[dict]]:
    """The first cause that applies, and its cases; nothing if none does."""
    if "leading cause" not in log.kept:
        log.kept["leading cause"] = _leading(log)
    return log.kept["leading cause"]


def _leading(log: Log) -> tuple[str, list[dict]]:
    learning = Learning.of(log)
    if learning is None or any(rule.severity == "warning" and any(rule.cases(log)) for rule in tasks.NOTES):
        return "", []
    for code, find in CAUSES.items():
        cases = [*find(learning)]
        if cases:
            return code, cases
    return "", []


def cause(
    code: str,
    severity: str,
    when: str,
    text: str,
    repair: str,
    example: str = "",
    repaired: str = "",
    headline: str = "",
) -> Callable[[Finder], Finder]:
    """A decorator: declare a rule that speaks if no cause before it does."""

    def declare(find: Finder) -> Finder:
        CAUSES[code] = find

        @NOTES.rule(code, severity, when, text, repair, example, repaired, headline=headline)
        def if_leading(log: Log) -> Iterator[dict]:
            first, cases = leading(log)
            if first == code:
                yield from cases

        return find

    return declare


def _first_weight(learning: Learning) -> Weight | None:
    """The weight into which data comes, that with the largest inputs."""
    found = [w for w in learning.rounds.get("weights", ()) if w["first"] and w["inputs"] is not None]
    return max(found, key=lambda w: w["inputs"] or 0.0, default=None)


def _name(learning: Learning, weight: Weight) -> str:
    """The layer of a weight: "net[0]"."""
    return learning.rounds["parameters"][weight["parameter"]]["name"].removesuffix(".weight")


def _flat(learning: Learning, when: int) -> float:
    """The largest share of saturated outputs, in the first round (0) or in the last (1)."""
    return max((a["flat"][when] for a in _activations(learning) if a["flat"] is not None), default=0.0)


def _activations(learning: Learning) -> list[Activation]:
    return learning.rounds.get("activations", [])


def _dead(learning: Learning) -> float:
    return max((a["dead"] for a in _activations(learning) if a["dead"] is not None), default=0.0)


def _rounded(x: float) -> str:
    return f"{x:,.0f}" if x >= 10 else number(float(f"{x:.2g}"))


@cause(
    "frozen-parameters", "warning", "parameters of an optimizer that the code told not to require grad",
    "{at} told {names} not to require grad, and nothing took that back, so no step changes {them}. {So}.",
    "Leave that out if {they} should learn.",
    example(start="net.requires_grad_(False)\nnet[2].bias.requires_grad_()"),
    example(),
)  # fmt: skip
def frozen_parameters(learning: Learning) -> Iterator[dict]:
    """Only where nothing was learned: most that is frozen is meant to be."""
    log, training = learning.log, Training.of(learning.log)
    frozen: dict[int, int] = {}
    for i, step in log.of("mark"):
        for change in step.get("changes", ()):
            if change.get("requires_grad") is False:
                frozen[change["tensor"]] = i
    numbers = [p for p in frozen if p in training.optimized and not log.final[p]["requires_grad"]]
    if learning.stuck and numbers:
        last, one = max(frozen[p] for p in numbers), len(numbers) == 1
        yield learning.place() | {
            "step": last, "tensors": numbers, "lines": log.lines(last), "at": log.at(last), "names": training.names(numbers, last),
            "them": "it" if one else "them", "they": "it" if one else "they",
        }  # fmt: skip


@cause(
    "inputs-unscaled", "warning", "inputs that are so large that a network can't learn from them",
    "{name} gets inputs of about {rms} (their root mean square), where about 1 is usual. {So}.",
    "Scale them first, with x = (x - x.mean(0)) / (x.std(0) + 1e-6), and new inputs by the same numbers.",
    example("x = 500 * x + 2000", rounds=30),
    example("x = 500 * x + 2000\nx = (x - x.mean(0)) / (x.std(0) + 1e-6)", rounds=30),
)  # fmt: skip
def inputs_unscaled(learning: Learning) -> Iterator[dict]:
    """It hurts: the loss begins far above that of a constant, units are flat, or the loss stays high."""
    weight, constant = _first_weight(learning), learning.constant
    if (
        weight is None
        or constant is None
        or len(learning.rounds.get("weights", ())) < 2
        or (weight["inputs"] or 0.0) <= UNSCALED
    ):
        return
    hurts = (
        learning.first > BAD_START * constant
        or learning.part > HURT
        or _flat(learning, 1) > SATURATED
        or _dead(learning) >= DEAD
    )
    if hurts and learning.part > WELL and learning.total >= LONG // 5:
        yield learning.place() | {
            "name": _name(learning, weight), "rms": _rounded(weight["inputs"] or 0.0), "edits": scaled(learning),
        }  # fmt: skip


def scaled(learning: Learning, which: str = "input") -> list[Edit]:
    """A line that scales a variable behind the one that makes it, before the training; nothing where it is not made in the traced cell."""
    log, compared = learning.log, learning.compared
    if compared is None:
        return []
    step = next(
        (
            i
            for i in reversed(range(compared.step))
            if log.steps[i]["op"] in ("addmm", "mm") and _is_data(log, i)
        ),
        None,
    )
    tensor = compared.target if which == "target" else None if step is None else _data_of(log, step)
    name = "" if tensor is None else log.name(tensor, compared.step)
    code = Code.of_log(log)
    made = assigned_to(code, name) if name.isidentifier() else None
    if made is None or made not in code.tree.body:
        return []
    return [code.after(made, f"{name} = ({name} - {name}.mean(0)) / ({name}.std(0) + 1e-6)")]


def _is_data(log: Log, step: int) -> bool:
    return _data_of(log, step) is not None


def _data_of(log: Log, step: int) -> int | None:
    """The tensor that comes into a layer with weights, if it is data."""
    reads = log.steps[step].get("reads", [])
    wide = [t for t in reads if len(log.tensors[t]["shape"]) == 2]
    data = wide[0] if len(wide) == 2 else None
    return None if data is None or log.state(data, step)["requires_grad"] else data


@cause(
    "targets-unscaled", "warning", "targets that are so large that a network can't reach them",
    "The targets are about {rms} (their root mean square), and the last layer begins with outputs of about 1. {So}.",
    "Scale them, with y = (y - y.mean(0)) / (y.std(0) + 1e-6), and scale predictions back by the same numbers.",
    REGRESSING.format(scaled="", rate="0.03"),
    REGRESSING.format(scaled="y = (y - y.mean(0)) / (y.std(0) + 1e-6)", rate="0.03"),
)  # fmt: skip
def targets_unscaled(learning: Learning) -> Iterator[dict]:
    objective = learning.objective
    if (
        objective is None
        or objective["op"] not in REGRESSION
        or "targets" not in objective
        or learning.total < LEAST
    ):
        return
    rms = objective["targets"][2]
    reach = learning.reach if learning.optimizer in ADAPTIVE else None
    too_far = reach is not None and reach < REACHED * rms and learning.total >= LONG
    if learning.part > HURT and (rms > UNSCALED_TARGETS or (too_far and rms > UNSCALED)):
        yield learning.place() | {"rms": _rounded(rms), "edits": scaled(learning, "target")}


@cause(
    "rate-too-high", "warning", "steps so large that the weights jump about",
    "In {count} rounds the weights moved by {times} times their size, and nothing was learned. {So}.",
    "Use a smaller learning rate{than}.",
    example(optimizer="Adam(net.parameters(), lr=100.)"),
    example(optimizer="Adam(net.parameters(), lr=0.01)"),
)  # fmt: skip
def rate_too_high(learning: Learning) -> Iterator[dict]:
    """Not if the inputs are large, which has a rule of its own."""
    far = (learning.moved or 0.0) > FAR and learning.total >= LEAST
    died = _dead(learning) >= DEAD and learning.part > HURT
    if far and ((learning.stuck and learning.end > NO_BETTER * learning.first) or died):
        yield from _too_high(learning)


def _too_high(learning: Learning) -> Iterator[dict]:
    times = learning.moved or 1.0
    smaller = None if learning.rate is None else learning.rate / 10 ** math.ceil(math.log10(times))
    yield learning.place() | {
        "times": _rounded(times), "than": "" if learning.rate is None else f" than {learning.rate:g}",
        "edits": [] if smaller is None else learning.option("lr", 1, f"{smaller:g}"),
    }  # fmt: skip


@cause(
    "weights-shrink", "warning", "weight decay that leaves nothing of the weights",
    "In {count} rounds the weights shrank to {left} % of their size. {So}.",
    "Use a smaller weight_decay: it pulls the weights to 0 faster than the loss pulls them away.",
    example(optimizer="SGD(net.parameters(), lr=0.1, weight_decay=2.)"),
    example(optimizer="SGD(net.parameters(), lr=0.1, weight_decay=0.0001)"),
)  # fmt: skip
def weights_shrink(learning: Learning) -> Iterator[dict]:
    left = learning.shrunk
    if learning.stuck and left is not None and left < SHRUNK:
        yield learning.place() | {
            "left": number(float(f"{100 * left:.2g}")),
            "edits": learning.option("weight_decay", 99, "0.0001"),
        }


@cause(
    "clipped-to-nothing", "warning", "gradients that are clipped to a small part of themselves",
    "{clip} left less than a {part}th of the gradients in nearly all rounds. {So}.",
    "Use a larger max_norm: it is meant for rare large gradients, not for usual ones.",
    example(optimizer="SGD(net.parameters(), lr=0.1)", between="nn.utils.clip_grad_norm_(net.parameters(), 0.001)"),
    example(optimizer="SGD(net.parameters(), lr=0.1)", between="nn.utils.clip_grad_norm_(net.parameters(), 5.)"),
)  # fmt: skip
def clipped_to_nothing(learning: Learning) -> Iterator[dict]:
    log = learning.log
    if not learning.stuck and not (learning.part > 0.9 and (learning.moved or 1.0) < STILL):
        return
    shares, step = [], None
    for updates in Training.of(log).grads.values():
        for i, update in updates:
            before, after = update["before"], update["after"]
            sizes = [None if v is None else v.get("norm") for v in (before, after)]
            if update["action"] == "set" and sizes[0] and sizes[1] and "clip_grad" in log.text(i):
                shares.append(sizes[0] / sizes[1])
                step = i
    far = sorted(shares)[int((1 - OFTEN) * len(shares))] if shares else 0.0
    if step is not None and far > CLIPPED:
        yield learning.place() | {
            "clip": f"{log.doing(step).removeprefix('mul_ in ')} ({log.spot(step)})",
            "part": f"{far:,.0f}",
        }


@cause(
    "dropout-keeps-little", "warning", "a dropout that drops nearly everything",
    "A dropout drops {drops} % of what it gets. {So}.",
    "Use a smaller p: it is the part that is dropped, and 0.2 to 0.5 are usual.",
    example(layers="nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.95), nn.Linear(16, 3)"),
    example(layers="nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 3)"),
)  # fmt: skip
def dropout_keeps_little(learning: Learning) -> Iterator[dict]:
    most = max((d["drops"] for d in learning.rounds.get("dropouts", ())), default=0.0)
    if (
        DROPS < most < 1
        and (learning.part > NOT_LEARNED or learning.constant is None)
        and learning.total >= LEAST
    ):
        yield learning.place() | {"drops": number(100 * float(f"{most:.3g}"))}


@cause(
    "saturated-from-the-start", "warning", "first weights so large that sigmoid or tanh is flat",
    "In the first round {share} % of the outputs of {op}() are beyond 0.99, where it is flat, because the weights of {name} are large.",
    "Begin with smaller weights: leave them as the layer makes them, or use nn.init.xavier_uniform_().",
    example(layers="nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3)", start="nn.init.normal_(net[0].weight, std=20.)", optimizer="SGD(net.parameters(), lr=0.02)"),
    example(layers="nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3)", optimizer="SGD(net.parameters(), lr=0.02)"),
)  # fmt: skip
def saturated_from_the_start(learning: Learning) -> Iterator[dict]:
    large = [w for w in learning.rounds.get("weights", ()) if w["spread"] > LARGE_WEIGHTS]
    flat = [a for a in _activations(learning) if a["flat"] is not None and a["flat"][0] > SATURATED]
    if large and flat and learning.part > NOT_LEARNED and learning.total >= LEAST:
        worst = max(flat, key=lambda a: a["flat"][0])  # type: ignore[index]
        yield learning.place() | {
            "share": f"{100 * worst['flat'][0]:.0f}", "op": worst["op"], "name": _name(learning, max(large, key=lambda w: w["spread"])),  # type: ignore[index]
        }  # fmt: skip


@cause(
    "units-start-alike", "warning", "all units of a hidden layer begin with the same weights",
    "All {units} units of {name} began with the same weights, so they get the same gradients and stay alike.",
    "Begin with random weights, as the layer makes them.",
    example(start="nn.init.constant_(net[0].weight, 0.1)\nnn.init.zeros_(net[0].bias)\nnn.init.constant_(net[2].weight, 0.1)"),
    example(),
)  # fmt: skip
def units_start_alike(learning: Learning) -> Iterator[dict]:
    """Not the last layer, whose units have targets of their own, and not in a demonstration."""
    weights = learning.rounds.get("weights", [])
    last = max((w["parameter"] for w in weights), default=0)
    for w in weights:
        if (
            w["alike"]
            and w["parameter"] != last
            and w["units"] > 1
            and learning.total >= LEAST
            and learning.part > WELL
        ):
            yield learning.place() | {"name": _name(learning, w), "units": w["units"]}
            return


@cause(
    "signal-lost-in-layers", "warning", "the differences between samples vanish from layer to layer",
    "Samples differ {times} times less behind the last of {layers} activations than behind the first. {So}.",
    "Begin with larger weights (nn.init.kaiming_normal_()), or put normalization or residual connections between the layers.",
)  # fmt: skip
def signal_lost_in_layers(learning: Learning) -> Iterator[dict]:
    found = _activations(learning)
    if len(found) >= ACTIVATIONS and learning.stuck and found[0]["spread"] > 0:
        part = found[-1]["spread"] / found[0]["spread"]
        if part < FADED:
            yield learning.place() | {
                "layers": len(found),
                "times": _rounded(float(f"{1 / max(part, 1e-12):.2g}")),
            }


@cause(
    "one-unit-wide", "warning", "a hidden layer of one unit before several classes",
    "{name} has one unit, so everything that the layers behind it know of a sample is one number. {So}.",
    "Give {name} more units.",
    example(layers="nn.Linear(4, 1), nn.ReLU(), nn.Linear(1, 3)"),
    example(),
)  # fmt: skip
def one_unit_wide(learning: Learning) -> Iterator[dict]:
    weights, objective = learning.rounds.get("weights", []), learning.objective
    last = max((w["parameter"] for w in weights), default=0)
    for w in weights:
        if (
            objective is not None
            and objective.get("width", 0) > 2
            and w["units"] == 1
            and w["parameter"] < last
            # (A score of attention has one unit too, and no layer reads it alone.)
            and any(v["inside"] == 1 and v["parameter"] > w["parameter"] for v in weights)
            and learning.part > NOT_LEARNED
            and learning.total >= LEAST
        ):
            yield learning.place() | {"name": _name(learning, w)}


@cause(
    "linear-after-linear", "info", "two linear layers without an activation between them",
    "{at_two}: a linear layer reads what a linear layer ({first}) made, so the two can do no more than one.",
    "Put an activation between them, such as relu(), or leave one out.",
    example("y = (x[:, 0] * x[:, 1] > 0).long()", layers="nn.Linear(4, 16), nn.Linear(16, 3)"),
    example("y = (x[:, 0] * x[:, 1] > 0).long()"),
)  # fmt: skip
def linear_after_linear(learning: Learning) -> Iterator[dict]:
    """In each round, nobody else reads what is between, and it is as wide as one of its sides (else it is a low rank that is meant)."""
    log = learning.log
    pairs: dict[Any, Any] = {}
    if learning.total < LONG // 5 or learning.part <= WELL:
        return
    affine = [
        (i, s) for i, s in log.operations.get("addmm", ()) if len(s.get("reads", ())) == 3 and "node" in s
    ]
    for i, step in affine:
        before = _affine_before(log, step["reads"][1])
        weight = log.tensors[step["reads"][2]]["base"]
        if weight is not None:
            pairs.setdefault(weight, []).append((before, i))
    for found in pairs.values():
        befores = [b for b, _ in found]
        if len(found) < IN_FULL or any(b is None or _of_attention(log, b) for b in befores):
            continue
        first, second = found[-1]
        shapes = [log.tensors[log.steps[k]["reads"][2]]["shape"] for k in (first, second) if k is not None]
        if shapes[0][1] >= min(shapes[0][0], shapes[1][1]) and shapes[0][1] > 1:
            yield learning.place() | {
                "at_two": log.at(second),
                "first": log.spot(first),
                "lines": log.lines(first, second),
            }
            return


def _of_attention(log: Log, step: int) -> bool:
    """Whether a linear layer reads what attention computed, as its last layer does: a head may follow it at once."""
    made = log.made_by(log.steps[step]["reads"][1], ("clone", "contiguous", "reshape"))
    return made is not None and (
        log.steps[made]["op"] in ("bmm", "matmul") or "attention" in log.steps[made]["op"]
    )


def _affine_before(log: Log, tensor: int) -> int | None:
    """The step of the linear layer that made a tensor, through views, if nothing else reads what is between."""
    for _ in range(4):
        step = log.maker.get(tensor)
        if step is None or len({*log.users.get(tensor, ())}) != 1:
            return None
        if log.steps[step]["op"] == "addmm":
            return step
        if log.steps[step]["kind"] != "view" or not log.steps[step].get("reads"):
            return None
        tensor = log.steps[step]["reads"][0]
    return None


@cause(
    "batches-of-one-class", "warning", "batches that are sorted by class",
    "A batch has {met} on average, where random batches have {expected}. {So}.",
    "Shuffle the samples: DataLoader(..., shuffle=True), or a new jgrad.randperm(len(x)) in each epoch.",
)  # fmt: skip
def batches_of_one_class(learning: Learning) -> Iterator[dict]:
    objective = learning.objective
    met, expected = (0.0, 0.0) if objective is None else objective.get("batches", (0.0, 0.0))
    if (
        expected > 1.5
        and met < ONE_KIND * expected
        and learning.worst > NOT_LEARNED
        and learning.total >= LEAST
    ):
        several = "1 label" if f"{met:.2g}" == "1" else f"{number(float(f'{met:.2g}'))} different labels"
        yield learning.place() | {
            "met": several,
            "expected": number(float(f"{expected:.2g}")),
            "edits": _shuffled(learning.log),
        }


def _shuffled(log: Log) -> list[Edit]:
    """shuffle=True for the loader over which the loop goes that calls backward()."""
    for code in Code.all_of(log):
        loops = [n for n in ast.walk(code.tree) if isinstance(n, ast.For) and calls_of(n, "backward")]
        read = {ast.unparse(n) for loop in loops for n in ast.walk(loop.iter)}
        for name, statement, call in code.made:
            given = {k.arg for k in call.keywords}
            if name in read and not given & {"shuffle", "sampler", "batch_sampler"}:
                return keyword(code, statement, "DataLoader", "shuffle", "True")
    return []


@cause(
    "test-inputs-of-other-scale", "warning", "a model is tried with inputs of another scale than it was trained with",
    "{name} was trained with inputs of about {trained} (their root mean square), and was evaluated with inputs of about {tested}.",
    "Scale the inputs of the evaluation by the same numbers as those of the training.",
)  # fmt: skip
def test_inputs_of_other_scale(learning: Learning) -> Iterator[dict]:
    for w in learning.rounds.get("weights", ()):
        a, b = w["inputs"], w["evaluated"]
        if (
            w["first"]
            and a
            and b
            and w["inside"] >= FEATURES
            and max(a / b, b / a) > OTHER_SCALE
            and learning.total >= LEAST
        ):
            yield learning.place() | {
                "name": _name(learning, w),
                "trained": _rounded(a),
                "tested": _rounded(b),
            }
            return


@cause(
    "rate-too-low", "warning", "steps so small that the weights hardly move",
    "In {count} rounds the weights moved by {part} % of their size{half}. {So}.",
    "{repair}",
    example(optimizer="SGD(net.parameters(), lr=0.004)"),
    example(optimizer="SGD(net.parameters(), lr=0.4)"),
)  # fmt: skip
def rate_too_low(learning: Learning) -> Iterator[dict]:
    moved = learning.moved_at_most
    if (
        not moved
        or moved >= STILL
        or learning.total < LONG
        or learning.part <= HURT
        or learning.constant is None
    ):
        return
    if learning.still_falls() or learning.end <= learning.first:
        times = 10 ** math.ceil(math.log10(max(HURT / max(moved, 1e-9), 10.0)))
        larger = None if learning.rate is None else learning.rate * times
        dtypes = {
            learning.log.final[p["tensor"]]["dtype"]
            for p in learning.rounds["parameters"]
            if p["tensor"] is not None
        }
        half = next(iter(dtypes & {"bfloat16", "float16"}), "")
        than = "" if learning.rate is None else f" than {learning.rate:g}"
        larger = None if half else larger
        yield learning.place() | {
            "part": number(float(f"{100 * moved:.2g}")), "half": f", because {half} rounds small steps away" if half else "",
            "repair": "Keep the weights in float32, and compute under jgrad.autocast()." if half else f"Use a larger learning rate{than}, or many more rounds.",
            "edits": [] if larger is None or larger > 10 else learning.option("lr", 1, f"{larger:g}"),
        }  # fmt: skip


@cause(
    "batches-of-one", "info", "batches of a single sample",
    "Each of the {count} batches has one sample, so each step follows the noise of a single sample. {So}.",
    "Use larger batches, such as 32 samples.",
)  # fmt: skip
def batches_of_one(learning: Learning) -> Iterator[dict]:
    objective = learning.objective
    labels = [] if objective is None else objective.get("labels", [])
    if (
        objective is not None
        and learning.total > SINGLE
        and sum(n for _, n in labels) == objective["calls"]
        and learning.part > NOT_LEARNED
    ):
        yield learning.place()


@cause(
    "rows-apart", "warning", "inputs and targets are put into different orders",
    "{where} puts the inputs into the order {order}, and the targets {other}. So an input gets the target of another sample. {So}.",
    "Use one order for both: order = jgrad.randperm(len(x)), then x[order] and y[order].",
    example("y = (x[:, 0] > 0).long()", rounds=40).replace("net(x), y", "net(x[jgrad.randperm(90)]), y[jgrad.randperm(90)]"),
    example("y = (x[:, 0] > 0).long()", rounds=40).replace("    loss =", "    order = jgrad.randperm(90)\n    loss =").replace("net(x), y", "net(x[order]), y[order]"),
)  # fmt: skip
def rows_apart(learning: Learning) -> Iterator[dict]:
    """Both were chosen by permutations of as many rows, and by two of them; or the targets by none."""
    log, compared = learning.log, learning.compared
    if compared is None or learning.part <= HURT or learning.total < LEAST:
        return
    behind = log.sources(compared.prediction, compared.step) | {compared.prediction}
    chosen = [found for t in sorted(behind) if (found := _permuted(log, t)) is not None]
    of_target = next(
        (found for t in _views(log, compared.target) if (found := _permuted(log, t)) is not None), None
    )
    if len({order for _, order, _ in chosen}) != 1:
        return
    step, order, rows = chosen[-1]
    # Of targets in their own order a batch may be a slice.
    whole = {*_views(log, compared.target)} if of_target is None else set()
    ordered = {order, *log.steps[step]["makes"]} & log.sources(compared.target, compared.step)
    if of_target is None and (ordered or all(log.tensors[t]["shape"][:1] != [rows] for t in whole)):
        return
    if of_target is not None and (of_target[1] == order or of_target[2] != rows):
        return
    other = "stay in theirs" if of_target is None else f"into the order {log.name(of_target[1])}"
    yield learning.place() | {
        "where": log.at(step), "order": log.name(order), "other": other, "lines": log.lines(step),
        "edits": [] if of_target is None else _in_one_order(log, step, of_target[0]),
    }  # fmt: skip


def _views(log: Log, tensor: int) -> Iterator[int]:
    """A tensor, and that of which it is a view or a conversion, and so on."""
    while tensor is not None:
        yield tensor
        step = log.maker.get(tensor)
        reads = [] if step is None else log.steps[step].get("reads", [])
        kept = step is not None and (
            log.steps[step]["kind"] == "view" or log.steps[step]["op"] in CONVERSIONS
        )
        if not reads or not kept:
            return
        tensor = reads[0]


def _permuted(log: Log, tensor: int) -> tuple[int, int, int] | None:
    """(the step, the order, its length) of an index of all rows of data by a permutation."""
    step = log.maker.get(tensor)
    if step is None or log.steps[step]["op"] not in ("index", "index_select"):
        return None
    reads, orders = log.steps[step].get("reads", []), log.indexes_of(tensor, step + 1)
    before = log.steps[step - 1]
    if not orders and before["op"] == "randperm" and before["line"] == log.steps[step]["line"]:
        orders = before.get("makes", [])  # an index without a name, of which nothing else is known
    if len(orders) != 1 or not reads or log.state(reads[0], step)["requires_grad"]:
        return None
    made, rows = log.maker.get(orders[0]), log.tensors[reads[0]]["shape"][:1]
    if made is None or log.steps[made]["op"] != "randperm" or log.tensors[orders[0]]["shape"] != rows:
        return None
    return step, orders[0], rows[0]


def _in_one_order(log: Log, step: int, other: int) -> list[Edit]:
    """One order in place of the two calls of randperm() in a statement."""
    place, second = at_step(log, step), at_step(log, other)
    calls = [] if place is None else calls_of(place[1], "randperm")
    if place is None or second is None or second[1].lineno != place[1].lineno or len(calls) != 2:
        return []
    code, statement = place
    return [
        code.before(statement, f"order = {code.text(calls[0])}"),
        *(code.replaced(call, "order") for call in calls),
    ]


@cause(
    "no-better-than-constant", "warning", "after many rounds the loss is that of a constant prediction",
    "{at}: {so}. So the model has not learned to use its inputs.",
    "See whether it learns ten samples by heart; if not, look at the inputs, the learning rate and the last layer.",
    example("y = jgrad.randint(0, 3, (90,))", optimizer="SGD(net.parameters(), lr=0.01)", rounds=40),
    example(rounds=40),
)  # fmt: skip
def no_better_than_constant(learning: Learning) -> Iterator[dict]:
    if learning.stuck:
        yield learning.place()


@cause(
    "units-died", "info", "most units of a relu give 0 for every sample in the last rounds",
    "{share} % of the units of a relu give 0 for all samples of the last rounds. {So}.",
    "Use a smaller learning rate, smaller inputs, or leaky_relu().",
)  # fmt: skip
def units_died(learning: Learning) -> Iterator[dict]:
    if _dead(learning) >= DEAD and learning.part > NOT_LEARNED and learning.total >= LEAST:
        yield learning.place() | {"share": f"{100 * _dead(learning):.0f}"}


@cause(
    "still-falling", "info", "the loss still fell when the training ended",
    "{at}: {so}, and it was still falling.",
    "More rounds may help.",
)  # fmt: skip
def still_falling(learning: Learning) -> Iterator[dict]:
    """A model that was evaluated afterwards, so that it is no demonstration."""
    evaluated = any(w["evaluated"] is not None for w in learning.rounds.get("weights", ()))
    if learning.total >= 8 and learning.part > HURT and evaluated and learning.still_falls():
        yield learning.place()
