"""What losses get in silence: probabilities for logarithms, arguments in the wrong order, and what must not become
smaller."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.explain.edits import Code, Edit, assigned_to, at_step, names_in, renamed
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

# Operators that a mean of chosen elements is made with: none of them changes the sign.
KEEPING = re.compile(
    r"mean|sum|stack|cat|index|gather|select|diag\w*|squeeze|view|reshape|slice|diagonal|div"
)
TEMPERATURE = re.compile(r"(?:\w+\.)*(?:temp\w*|tau|T)", re.IGNORECASE)
NETWORK = "jgrad.manual_seed(0)\nnet = jgrad.nn.Linear(4, 3)\nx, labels = jgrad.randn(8, 4), jgrad.tensor([0, 1, 2, 0, 1, 2, 0, 1])\n"
DIVERGENCE = (
    NETWORK
    + """
q = jgrad.randn(8, 3).softmax(1)
loss = jgrad.nn.functional.kl_div(net(x).%s(1), q, reduction="batchmean")
loss.backward()
"""
)
DISTILLED = (
    NETWORK
    + """
big = jgrad.nn.Linear(4, 3)
for p in big.parameters():
    p.requires_grad_(False)
F = jgrad.nn.functional
s, t = net(x), big(x)
loss = F.kl_div(F.log_softmax({} / 2, 1), F.softmax({} / 2, 1), reduction="batchmean")
loss.backward()
"""
)
TWO_ARGUMENTS = (
    NETWORK
    + """
hot = jgrad.nn.functional.one_hot(labels, 3).float()
loss = jgrad.nn.functional.binary_cross_entropy(%s)
loss.backward()
"""
)
# What policies are rewarded with.
GAIN = re.compile(r"\b(?:R|G|rets?|returns?|rewards?|advs?|advantages?)\b")
LIKELIHOOD = (
    NETWORK
    + """
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    chosen = net(x).log_softmax(1)[jgrad.arange(8), labels]
    loss = %schosen.mean()
    loss.backward()
    opt.step()
"""
)


@NOTES.rule(
    "kl-of-probabilities", "warning", "kl_div() gets probabilities where it needs their logarithms",
    "{at}: {what} takes logarithms of probabilities first, and gets probabilities from {made}, so the result is no divergence.",
    "{repair}",
    DIVERGENCE % "softmax",
    DIVERGENCE % "log_softmax",
)  # fmt: skip
def kl_of_probabilities(log: Log) -> Iterator[dict]:
    """The first argument of a kl_div() was made by a softmax, or has elements above 0, which no logarithm of a probability is."""
    reported = set()
    for i, given in _divergences(log):
        made = log.made_by(given)
        squashed = made is not None and log.steps[made]["op"] in ("softmax", "sigmoid")
        if log.steps[i]["line"] in reported or not (squashed or _some_above_zero(log, given, i)):
            continue
        reported.add(log.steps[i]["line"])
        op = log.steps[made]["op"] if made is not None else ""
        repair = (
            "Pass the logarithm: log_softmax() instead of softmax()."
            if op == "softmax"
            else f"Pass the logarithm, as with {_owner(log.name(given, i))}.log()."
        )
        yield {
            "step": i, "tensors": [given], "lines": log.lines(made, i), "at": log.at(i), "what": "kl_div()",
            "made": log.name(given, i) if made is None else f"{log.at(made)} ({log.doing(made)})", "repair": repair,
            "edits": [] if made is None or op != "softmax" else renamed(log, made, {"softmax": "log_softmax", "Softmax": "LogSoftmax"}),
        }  # fmt: skip


@NOTES.rule(
    "divergence-turned", "warning", "kl_div() gets the distribution that learns second, as its target",
    "{at}: kl_div() takes what learns first and what it should become second. Here {learns}, which learns, is second. So they may be swapped.",
    "If {fixed} is the teacher, swap {fixed} and {learns}.",
    DISTILLED.format("t", "s"),
    DISTILLED.format("s", "t"),
)  # fmt: skip
def divergence_turned(log: Log) -> Iterator[dict]:
    """The first distribution has no history and the second has one, and it is a distillation: a temperature softens both, or the same scores are compared
    with labels. Elsewhere the divergence may be meant the other way around."""
    reported = set()
    for i, given in _divergences(log):
        target = log.steps[i]["reads"][0]
        if log.state(given, i)["requires_grad"] or not log.state(target, i)["requires_grad"]:
            continue
        fixed, learns = (_scores_behind(log, t) for t in (given, target))
        line = log.steps[i]["line"]
        if fixed is None or learns is None or line in reported:
            continue
        if (fixed[1] and learns[1]) or _meets_labels(log, learns[0]):
            reported.add(line)
            yield {
                "step": i, "tensors": [given, target], "lines": log.lines(i), "at": log.at(i), "fixed": log.name(fixed[0], i), "learns": log.name(learns[0], i),
                "edits": _turned(log, i, log.name(fixed[0], i), log.name(learns[0], i)),
            }  # fmt: skip


def _scores_behind(log: Log, number: int) -> tuple[int, bool] | None:
    """(what a distribution is a softmax of, whether a temperature divides it)."""
    made = log.made_by(number)
    if made is None or log.steps[made]["op"] not in ("softmax", "log_softmax"):
        return None
    scores = log.steps[made]["reads"][0]
    before = log.maker.get(scores)
    if (
        before is not None
        and log.steps[before]["op"] in ("div", "mul")
        and len(log.steps[before]["reads"]) == 1
    ):
        return log.steps[before]["reads"][0], True
    return scores, False


def _meets_labels(log: Log, scores: int) -> bool:
    """Whether a loss compares scores with labels."""
    made = [
        t
        for i in log.users.get(scores, ())
        if log.steps[i]["op"] == "log_softmax"
        for t in log.steps[i].get("makes", ())
    ]
    return any(log.steps[i]["op"].startswith("nll_loss") for t in made for i in log.users.get(t, ()))


def _turned(log: Log, index: int, fixed: str, learns: str) -> list[Edit]:
    """`kl_div(f(s), g(t))` for `kl_div(f(t), g(s))`; nothing where something else stands there."""
    place = at_step(log, index)
    calls = (
        []
        if place is None
        else [
            n
            for n in ast.walk(place[1])
            if isinstance(n, ast.Call) and len(n.args) > 1 and place[0].text(n) == log.text(index)
        ]
    )
    if place is None or len(calls) != 1:
        return []
    code, found = place[0], []
    for argument, old, new in zip(calls[0].args, (fixed, learns), (learns, fixed), strict=False):
        there = names_in(argument, old)
        if len(there) != 1:
            return []
        found.append(code.replaced(there[0], new))
    return found


def _divergences(log: Log) -> Iterator[tuple[int, int]]:
    """(step, first argument) of the calls of kl_div(), which multiply the target by it, or subtract it from the target's logarithm."""
    for i, step in [*log.operations.get("xlogy", ()), *log.operations.get("exp", ())]:
        target = step.get("reads", [None])[0]
        for k in (i - 1, i + 1):
            other = log.steps[k] if 0 <= k < len(log.steps) else step
            reads = other.get("reads", [])
            asked = "mul" if step["op"] == "xlogy" else "sub"
            if (
                other["op"] == asked
                and log.places.where(other) == log.places.where(step)
                and len(reads) == 2
                and reads[0] == target
            ):
                if step["op"] == "xlogy" or "node" in other:
                    yield k, reads[1]
                break


def _some_above_zero(log: Log, number: int, index: int) -> bool:
    try:
        return any(float(x) > 0 for x in log.held(number, index))
    except ValueError:
        return False


def _owner(text: str) -> str:
    return text if NAME.fullmatch(text) else f"({text})"


@NOTES.rule(
    "loss-arguments-swapped", "warning", "a loss gets the target first and the prediction second",
    "{at}: {loss} takes the prediction first and the target second. It gets {target} first, which {is_no}, and {prediction} second, which {is_one}.",
    "Swap the two arguments.",
    TWO_ARGUMENTS % "hot, net(x).sigmoid()",
    TWO_ARGUMENTS % "net(x).sigmoid(), hot",
)  # fmt: skip
def loss_arguments_swapped(log: Log) -> Iterator[dict]:
    """The first argument of a loss has no history, or holds probabilities, and the second, the target, has one and holds none."""
    reported = set()
    for i, loss, first, second in sorted(_pairs(log)):
        line = log.steps[i]["line"]
        if line in reported:
            continue
        reported.add(line)
        data = not log.state(first, i)["requires_grad"]
        yield {
            "step": i, "tensors": [first, second], "lines": log.lines(i), "at": log.at(i), "loss": loss, "target": log.name(first, i),
            "prediction": log.name(second, i), "is_no": "does not learn" if data else "holds probabilities", "is_one": "does" if data else "holds raw scores",
            "edits": _swapped(log, i),
        }  # fmt: skip


def _pairs(log: Log) -> Iterator[tuple[int, str, int, int]]:
    """(step, loss, first argument, second) of the losses whose arguments are swapped."""
    for op in ("binary_cross_entropy", "binary_cross_entropy_with_logits"):
        for i, step in log.operations.get(op, ()):
            pair = step.get("reads", [])[:2]
            if (
                len(pair) == 2
                and step.get("node") in log.runs
                and not log.state(pair[0], i)["requires_grad"]
                and log.state(pair[1], i)["requires_grad"]
            ):
                yield i, f"{op}()", pair[0], pair[1]
    for i, step in log.operations.get("mul", ()):
        pair = step.get("reads", [])
        made = log.maker.get(pair[0]) if len(pair) == 2 else None
        if (
            made is None
            or log.steps[made]["op"] != "log_softmax"
            or log.places.where(log.steps[made]) != log.places.where(step)
        ):
            continue
        first, second = log.steps[made]["reads"][0], pair[1]
        learns = log.state(second, i)["requires_grad"] and step.get("node") in log.runs
        maker = log.made_by(second)
        chosen = maker is not None and log.steps[maker]["op"] in ("softmax", "sigmoid")
        given = log.made_by(first)
        data = not log.state(first, i)["requires_grad"] or (
            given is not None and log.steps[given]["op"] == "softmax"
        )
        if learns and data and not chosen and _some_below_zero(log, second, i):
            yield i, "cross_entropy()", first, second


def _some_below_zero(log: Log, number: int, index: int) -> bool:
    try:
        return any(float(x) < 0 for x in log.held(number, index))
    except ValueError:
        return False


def _swapped(log: Log, index: int) -> list[Edit]:
    place = at_step(log, index)
    if place is None:
        return []
    code, statement = place
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and code.text(n) == log.text(index)]
    if len(calls) != 1 or len(calls[0].args) < 2:
        return []
    a, b = calls[0].args[:2]
    return [code.replaced(a, code.text(b)), code.replaced(b, code.text(a))]


@NOTES.rule(
    "likelihood-minimized", "warning", "the logarithm of a likelihood is made smaller",
    "{at}: {loss} is the mean or the sum of logarithms of probabilities ({made}), which training makes smaller: {so}.",
    "Put a minus in front: the loss is the negative logarithm.",
    LIKELIHOOD % "",
    LIKELIHOOD % "-",
)  # fmt: skip
def likelihood_minimized(log: Log) -> Iterator[dict]:
    """What backward runs from is chosen elements of a log_softmax(), added up, and fell below 0 further and further."""
    training = Training.of(log)
    if any(o["maximize"] for o in training.optimizers) or not any(
        training.steps_of(p) for p in training.optimized
    ):
        return
    last = {step["line"]: (i, step) for i, step in log.of("backward") if step["op"] == "backward"}
    for i, step in last.values():
        for root in step["roots"]:
            made, gain = _chosen_from(log, root, i)
            if made is not None and (gain or _some_below_zero(log, root, i)):
                observed = (
                    "what was observed becomes"
                    if ".log_prob(" in log.text(made)
                    else "the right classes become"
                )
                so = f"what has a large {gain} becomes unlikely" if gain else f"{observed} unlikely"
                yield {
                    "step": i, "tensors": [root], "lines": log.lines(made, i), "at": log.at(i), "loss": log.name(root, i),
                    "so": so, "made": log.at(made), "edits": _negated(log, root),
                }  # fmt: skip


def _chosen_from(log: Log, root: int, index: int) -> tuple[int | None, str]:
    """The step of a log_softmax() of which a tensor adds up chosen elements, with nothing in between that changes their sign; and what they were
    multiplied by, where the code calls it a reward, a return or an advantage."""
    number, chosen, gain = root, False, ""
    while number in log.maker and log.maker[number] < index:
        step = log.steps[log.maker[number]]
        if step["op"] == "log_softmax":
            return (log.maker[number] if chosen else None), gain
        # A distribution computes it from its logits, or from what describes it.
        # (Of its own samples it may be made smaller, which makes them more various.)
        text = log.text(log.maker[number])
        if ".log_prob(" in text and (
            gain
            or (
                "-" not in text
                and not any("sample(" in line for code in Code.all_of(log) for line in code.lines)
            )
        ):
            return log.maker[number], gain
        if (
            step["op"] == "mul"
            and (found := GAIN.search(log.text(log.maker[number])))
            and "-" not in log.text(log.maker[number])
        ):
            gain, reads = found[0], [r for r in step["reads"] if log.state(r, index)["requires_grad"]]
            if len(reads) != 1 or _is_a_cost(log, log.maker[number], gain):
                return None, ""
            number = reads[0]
            continue
        if not KEEPING.fullmatch(step["op"]) or not step.get("reads"):
            return None, ""
        if step["op"] == "div" and len(step["reads"]) > 1:
            return None, ""
        chosen = chosen or step["op"] in ("index", "gather", "select", "diagonal")
        number = step["reads"][0]
    return None, ""


def _is_a_cost(log: Log, index: int, name: str) -> bool:
    """Whether the code gives a variable the negative of something, or a cost."""
    place = at_step(log, index)
    given = None if place is None else assigned_to(place[0], name)
    return (
        isinstance(given, ast.Assign) and re.match(r"-|.*(?:cost|loss)", ast.unparse(given.value)) is not None
    )


def _negated(log: Log, root: int) -> list[Edit]:
    """A minus before what is assigned to the loss."""
    place = at_step(log, log.maker[root])
    if place is None or not isinstance(place[1], ast.Assign):
        return []
    code, value = place[0], place[1].value
    plain = isinstance(value, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
    return [code.replaced(value, f"-{code.text(value)}" if plain else f"-({code.text(value)})")]


NEAR_FLOOR = 0.75  # of the loss of guessing: a loss that can't fall below it shows next to nothing
COSINES = """
jgrad.manual_seed(0)
F = jgrad.nn.functional
net = jgrad.nn.Linear(4, 8)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, temperature = jgrad.randn(64, 4), 0.1
for epoch in range(3):
    a, b = F.normalize(net(x), dim=1), F.normalize(net(x + 0.1), dim=1)
    loss = F.cross_entropy(a @ b.T %s temperature, jgrad.arange(64))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "cosines-too-small", "warning", "cross entropy gets products of normalized rows that no temperature makes larger",
    "{at}: products of normalized rows are at most 1, here times {scale}. So the loss of {count} classes can't fall below {floor}, and guessing gives {guess}.",
    "Divide them by the temperature, such as 0.07, and don't multiply by it.",
    COSINES % "*",
    COSINES % "/",
)  # fmt: skip
def cosines_too_small(log: Log) -> Iterator[dict]:
    """The scores are such products, times a number that does not learn, and the best loss of such scores is near that of guessing."""
    for i, step in log.operations.get("log_softmax", ()):
        made = log.made_by(step["reads"][0])
        if "node" not in step or made is None:
            continue
        scaled = log.steps[made]["op"] in ("mul", "div") and len(log.steps[made].get("reads", ())) == 1
        product = log.made_by(log.steps[made]["reads"][0]) if scaled else made
        if (
            product is None
            or log.steps[product]["op"] not in ("mm", "matmul")
            or not _of_unit_rows(log, product)
        ):
            continue
        whole, part = (_largest(log, log.steps[k]["makes"][0], k + 1) for k in (product, made))
        scale, count = part / whole if whole else math.inf, log.tensors[step["makes"][0]]["shape"][-1]
        guess = math.log(count)
        floor = math.log1p((count - 1) * math.exp(-2 * scale))
        if count > 2 and floor > NEAR_FLOOR * guess:
            yield {
                "step": made, "tensors": log.steps[made]["makes"], "lines": log.lines(made, i), "at": log.at(made), "scale": number(float(f"{scale:.3g}")),
                "count": count, "floor": number(float(f"{floor:.3g}")), "guess": number(float(f"{guess:.3g}")), "edits": _divided(log, made),
            }  # fmt: skip
            return


def _of_unit_rows(log: Log, product: int) -> bool:
    """Whether both factors of a product were divided by norms of their own."""
    for factor in log.steps[product].get("reads", ()):
        made = log.made_by(factor)
        reads = [] if made is None or log.steps[made]["op"] != "div" else log.steps[made].get("reads", [])
        behind = log.sources(reads[1], made) | {reads[1]} if len(reads) == 2 and made is not None else set()
        norms = [
            log.steps[log.maker[t]]
            for t in behind
            if t in log.maker and "norm" in log.steps[log.maker[t]]["op"]
        ]
        if not any(reads[0] in norm.get("reads", ()) for norm in norms):
            return False
    return True


def _largest(log: Log, tensor: int, index: int) -> float:
    """The largest absolute value of a tensor, as far as its numbers were kept."""
    contents = log.contents(log.tensors[tensor]["storage"], index)
    bands = contents.get("bands")
    known = contents["elements"] if bands is None else (bands["least"], bands["largest"])
    return max((abs(float(x)) for x in known if x is not None), default=0.0)


def _divided(log: Log, step: int) -> list[Edit]:
    """`/ temperature` for `* temperature`."""
    place = at_step(log, step)
    found = [
        n for n in ast.walk(place[1])
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and TEMPERATURE.fullmatch(ast.unparse(n.right))
    ] if place is not None else []  # fmt: skip
    if place is None or len(found) != 1:
        return []
    code, whole = place[0], found[0]
    return [code.replaced(whole, f"{code.text(whole.left)} / {code.text(whole.right)}")]
