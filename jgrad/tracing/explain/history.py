"""What to do where the way from a leaf to a tensor leaves the graph."""

from __future__ import annotations

import re

from jgrad.tracing.document.log import CHECKPOINT, SAMPLE, Log
from jgrad.tracing.document.syntax import used_in, yielding
from jgrad.tracing.explain import leaving
from jgrad.tracing.explain.edits import Code, probability

FLOATING = ("float", "bfloat", "complex")  # dtypes begin so that can have a gradient
MODES = ("no_grad()", "inference_mode()", "set_grad_enabled(False)")
# What makes tensors of numbers.
FROM_NUMBERS = ("tensor", "as_tensor", "new_tensor", "stack", "from_numpy")
DRAWN = r"multinomial|bernoulli|randint\w*"
# What makes whole numbers or truth values, and what to do instead:
INSTEAD = (
    (r"arg(?:max|min)|topk|sort|argsort|max|min", "Use a weighted sum of all values instead of one choice: p = scores.softmax(-1); y = (p * values).sum(-1)."),
    (r"gt|lt|ge|le|eq|ne|isclose|bool|logical_\w+|__\w+__", "Use a smooth function: y = jgrad.sigmoid(10 * (a - b)) instead of a > b."),
    (r"long|int|to|type|short|_to_copy", "Leave the numbers unrounded, or let the gradient pass straight through: y = x + (x.round() - x).detach()."),
    (DRAWN, "Give backward() the logarithm of the probability of what was drawn: loss = -(log_p[drawn] * reward).sum()."),
)  # fmt: skip
COUNTED = "A count of hits has no derivative. Train with a loss that has one, such as jgrad.nn.functional.cross_entropy(scores, labels)."


def uncut(log: Log, child: int, leaf: str) -> str:
    """What to do about a cut between a leaf and a tensor that lost its history, if that is known."""
    cutter, place = log.cutter(child), log.spot(log.maker[child])
    if cutter in ("detach()", ".data"):
        out = f"Write clone() instead of {cutter}" if log.writes_to_leaf(child) else f"Leave out {cutter}"
        return f"{out} in {place} if {leaf} needs a gradient."
    if cutter == CHECKPOINT:
        return f"Pass use_reentrant=False to checkpoint() in {place}."
    if cutter == SAMPLE:
        return f"Write rsample() in {place}, if the distribution has it: a gradient passes through it."
    if cutter in MODES:
        waits = yielding(log.source, log.steps[log.maker[child]]["line"])
        if waits is not None:
            return f"{cutter} stays on while the generator waits at its yield ({log.places.of_line(waits)}). Let the with block end before the yield."
        return f"Move {place} out of {cutter} if {leaf} needs a gradient."
    return with_gradient(log, child) if not log.tensors[child]["dtype"].startswith(FLOATING) else ""


def with_gradient(log: Log, child: int) -> str:
    """What to compute instead of a tensor that can have no gradient, so that one passes."""
    op, soft = log.steps[log.maker[child]]["op"], probability(log, child)
    if soft:
        return f"Compute with the probability itself: {soft[0].text}."
    compared = any(log.steps[i]["op"] in ("eq", "ne") for i in log.users.get(child, ()))
    return COUNTED if compared and not re.fullmatch(DRAWN, op) else instead_of(op)


def instead_of(op: str) -> str:
    """The same, of an operator."""
    known = (text for pattern, text in INSTEAD if re.fullmatch(f"(?:{pattern})_?", op))
    return next(known, "Compute with the tensor itself.")


def goes_into(log: Log, line: int, roots: list[int], index: int) -> bool:
    """Whether some roots may have been computed from what a line of the source computes."""
    made = {
        log.steps[log.maker[t]]["line"] for root in roots for t in log.sources(root, index) if t in log.maker
    }
    return not made.isdisjoint(used_in(log.tree, line))


def taken_as_numbers(log: Log, number: int) -> str:
    """Where the numbers left the graph of which a tensor was made anew: "loss.item() in line 7"; nothing if that is not known."""
    made = log.maker.get(number)
    if made is None or log.steps[made]["op"] not in FROM_NUMBERS:
        return ""
    found = [*leaving.taken_as_numbers(log, made)]
    if not found:
        return ""
    source, line = log.places.line(log.steps[made])
    file = Code.of_log(log, source).file
    # The nearest one, and not in the line that makes the tensor, which the sentence names anyway.
    code, call = max(found, key=lambda one: (one[0].file == file, one[1].lineno != line, one[1].lineno))
    text = code.text(call)
    return (
        f"{text if len(text) <= 60 and chr(10) not in text else 'a call'} in {code.place(log, call.lineno)}"
    )
