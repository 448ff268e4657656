"""Why a tensor has no history: where the way from a leaf to it leaves the graph, or what is wrong with all that it was computed from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jgrad.tensor import Tensor
from jgrad.tracing.document.log import SAMPLE, Log
from jgrad.tracing.document.syntax import numbers_taken, rebinds, used_in, yielding
from jgrad.tracing.explain.rule import listed

FLOATING = ("float", "bfloat", "complex")  # dtypes begin so that can have a gradient
MOST = 6  # names that a sentence lists
MODES = ("no_grad()", "inference_mode()", "set_grad_enabled(False)")
DRAWN = r"multinomial|bernoulli|randint\w*"
# What makes whole numbers or truth values, and what to do instead:
INSTEAD = (
    (r"arg(?:max|min)|topk|sort|argsort|max|min", "Use a weighted sum of all values instead of one choice: p = scores.softmax(-1); y = (p * values).sum(-1)."),
    (r"gt|lt|ge|le|eq|ne|isclose|bool|logical_\w+|__\w+__", "Use a smooth function: y = jgrad.sigmoid(10 * (a - b)) instead of a > b."),
    (r"long|int|to|type|short|_to_copy", "Leave the numbers unrounded, or let the gradient pass straight through: y = x + (x.round() - x).detach()."),
    (DRAWN, "Give backward() the logarithm of the probability of what was drawn: loss = -(log_p[drawn] * reward).sum()."),
)  # fmt: skip
COUNTED = "A count of hits has no derivative. Train with a loss that has one, such as jgrad.nn.functional.cross_entropy(scores, labels)."
SWITCHED_OFF = re.compile(r"\brequires_grad(?:\s*=\s*|_\()False")


def cut_off(log: Log, number: int, end: int) -> str:
    """ "it was computed from w, but line 2 cut the graph with detach()."; nothing if it was not."""
    cut = log.first_cut(number, end)
    if cut is None:
        return ""
    leaf, child = cut
    step = log.maker[child]
    line = log.steps[step]["line"]
    name = rebinds(log.source, line)
    if line is not None and name and name in [n for _, n in log.tensors[leaf]["names"]]:
        return (
            f"{log.places.of_line(line)} gave the name {name} to a new tensor, which {log.cutter(child)} cut off from the leaf {name}. Write to "
            f"the leaf in place, as in {name} -= ... or {name}.copy_(...)."
        )
    return f"it was computed from {log.name(leaf)}, but {log.at(step)} cut the graph with {log.cutter(child)}.{uncut(log, child, log.name(leaf))}"


def uncut(log: Log, child: int, leaf: str) -> str:
    """What to do about a cut between a leaf and a tensor that lost its history, if that is known."""
    cutter, place = log.cutter(child), log.spot(log.maker[child])
    if cutter in ("detach()", ".data"):
        return f" Leave out {cutter} in {place} if {leaf} needs a gradient."
    if cutter == SAMPLE:
        return f" Write rsample() in {place}, if the distribution has it: a gradient passes through it."
    if cutter in MODES:
        waits = yielding(log.source, log.steps[log.maker[child]]["line"])
        if waits is not None:
            return f" {cutter} stays on while the generator waits at its yield ({log.places.of_line(waits)}). Let the with block end before the yield."
        return f" Move {place} out of {cutter} if {leaf} needs a gradient."
    return f" {with_gradient(log, child)}" if not log.tensors[child]["dtype"].startswith(FLOATING) else ""


def with_gradient(log: Log, child: int) -> str:
    """What to compute instead of a tensor that can have no gradient, so that one passes."""
    op = log.steps[log.maker[child]]["op"]
    compared = any(log.steps[i]["op"] in ("eq", "ne") for i in log.users.get(child, ()))
    return COUNTED if compared and not re.fullmatch(DRAWN, op) else instead_of(op)


def instead_of(op: str) -> str:
    """The same, of an operator."""
    known = (text for pattern, text in INSTEAD if re.fullmatch(f"(?:{pattern})_?", op))
    return next(known, "Compute with the tensor itself.")


def never_had(log: Log, number: int, end: int, now: Mapping[str, Any] = {}) -> str:
    """Why a tensor has no history that none of those has from which it was computed; nothing if that is not known. `now`: what variables
    mean now."""
    origins = log.origins(number, end)
    if log.are_lost((number, *origins)):
        return ""
    for t in (number, *origins):
        born = log.tensors[t]["created_step"]
        if born >= 0 and log.steps[born]["kind"] in ("backward", "node", "accumulate"):
            what = "it is a gradient" if t == number else f"it was computed from {log.name(t)}, a gradient"
            made = log.at(born)
            return f"{what}, which {made} computed without a history. Pass create_graph=True in {log.spot(born)} to differentiate it again."
    for t in origins:
        known = now.get(log.name(t))
        since = isinstance(known, Tensor) and known.requires_grad and known.is_leaf
        if not log.tensors[t]["requires_grad"] and (log.final[t]["requires_grad"] or since):
            user, name = log.users[t][0], log.name(t)
            return (
                f"it was computed from {name} in {log.at(user)}, when {name} did not require grad yet. "
                f"Call {name}.requires_grad_() before {log.spot(user)}."
            )
    off = [t for t in origins if log.tensors[t]["requires_grad"] and not log.state(t, end)["requires_grad"]]
    if off:
        cut = [
            (i, s)
            for i, s in log.of("view")
            if s["op"] == "detach_" and not {*off}.isdisjoint(s.get("reads", ()))
        ]
        if cut:
            return (
                f"it was computed from {_names(log, off)}, which {log.at(cut[0][0])} cut off with detach_()."
            )
        lines = [n for n, line in enumerate(log.source, 1) if SWITCHED_OFF.search(line)]
        where = f" in {log.places.of_lines(lines)}" if lines else ""
        return (
            f"it was computed from {_names(log, off)}, whose requires_grad was set to False{where}. "
            "Keep requires_grad=True on tensors that should learn."
        )
    for t in origins:
        step = log.maker.get(t)
        if step is not None and log.steps[step]["op"] in (
            "tensor",
            "as_tensor",
            "new_tensor",
            "stack",
            "from_numpy",
        ):
            recorded = {n for x in log.final if x["requires_grad"] for _, n in x["names"]}
            recorded |= {module["name"] for module in log.document.get("modules", ())}
            for line, text in numbers_taken(log.source, recorded):
                what = log.at(step)
                where = log.places.of_line(line)
                took = f"{where} took" if text == "it" else f"{text} in {where} took"
                return f"{what} made a new tensor from plain numbers, which {took} out of the graph. Compute with the tensors themselves, as in jgrad.stack(tensors)."
    for t in origins:  # before anything was computed with it
        line = next(
            (
                n
                for n, text in enumerate(log.source, 1)
                if SWITCHED_OFF.search(text) and re.search(rf"\b{re.escape(log.name(t))}\.", text)
            ),
            0,
        )
        if line:
            return (
                f"it was computed from {log.name(t)}, whose requires_grad was set to False in {log.places.of_line(line)}. "
                "Keep requires_grad=True on tensors that should learn."
            )
    if not origins or any(log.tensors[t]["requires_grad"] for t in origins):
        return ""
    parameters = {p for module in log.document.get("modules", ()) for p in module["parameters"]}
    origins = [t for t in origins if t in parameters] or origins  # data needs no gradient
    do = "does" if len({log.name(t) for t in origins}) == 1 else "do"
    plain = f"it was computed from {_names(log, origins)}, which {do} not require grad"
    learning = {n for x in log.final if x["requires_grad"] for _, n in x["names"]}
    for line, text in numbers_taken(log.source, learning):
        if text != "it" and goes_into(log, line, [number], end):
            return f"{plain}, and from {text} ({log.places.of_line(line)}), which has no history. Compute with the tensor itself."
    return f"{plain}. Make the tensors that should learn with requires_grad=True."


def goes_into(log: Log, line: int, roots: list[int], index: int) -> bool:
    """Whether some roots may have been computed from what a line of the source computes."""
    made = {
        log.steps[log.maker[t]]["line"] for root in roots for t in log.sources(root, index) if t in log.maker
    }
    return not made.isdisjoint(used_in(log.tree, line))


def _names(log: Log, numbers: list[int]) -> str:
    names = list(dict.fromkeys(log.name(t) for t in numbers))
    return listed(names if len(names) <= MOST else [*names[: MOST - 1], f"{len(names) - MOST + 1} more"])
