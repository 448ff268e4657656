"""Why a tensor has no history: where the way from a leaf to it leaves the graph, or what is wrong with all that it was computed from.

The rules end the sentences of others, such as "backward() starts at a tensor that has no grad_fn: it was computed from w, but ...".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import numbers_taken, rebinds
from jgrad.tracing.explain import edits
from jgrad.tracing.explain.history import FROM_NUMBERS, goes_into, taken_as_numbers, uncut
from jgrad.tracing.explain.rule import Rules, Said, first, listed

CUTS = Rules()
NEVER = Rules()

MOST = 6  # names that a sentence lists
SWITCHED_OFF = re.compile(r"\brequires_grad(?:\s*=\s*|_\()False")
W = "w = jgrad.ones(1, requires_grad=True)\n"
ROUND = W + "(w * 2).backward()\nwith jgrad.no_grad():\n    {}\nloss = w * 2\nloss.backward()"
FROZEN = "w = jgrad.ones(1, requires_grad=True)\n{}loss = w * 2\nloss.backward()"
PLAIN = "a = jgrad.ones(1, requires_grad=True)\nw = jgrad.ones(1{})\nloss = {}\nloss.backward()"


@dataclass
class Origin:
    """A tensor without history, before a step of a log. `now`: what variables mean now."""

    log: Log
    number: int
    end: int
    now: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def all(self) -> list[int]:
        """The tensors from which it was computed and that were not computed themselves."""
        return self.log.origins(self.number, self.end)

    def names(self, numbers: list[int]) -> str:
        """What some tensors are called, a few of them."""
        names = [*dict.fromkeys(self.log.name(t) for t in numbers)]
        return listed(names if len(names) <= MOST else [*names[: MOST - 1], f"{len(names) - MOST + 1} more"])

    def whole(self, numbers: list[int]) -> str:
        """What some tensors are called: by the module whose parameters they are, or by their own names."""
        modules = self.log.document.get("modules", ())
        whole = [m["name"] for m in modules if numbers and {*m["parameters"]} == {*numbers}]
        return f"the parameters of {whole[0]}" if whole else self.names(numbers)

    @property
    def learning(self) -> set[str]:
        """The names of what requires grad in the end."""
        return {n for x in self.log.final if x["requires_grad"] for _, n in x["names"]}

    @property
    def used(self) -> str:
        """What learns and was computed with: "policy.weight and policy.bias"; nothing if nothing was."""
        log = self.log
        found = [
            t["id"]
            for t in log.final
            if t["requires_grad"] and t["is_leaf"] and any(i < self.end for i in log.users.get(t["id"], ()))
        ]
        roots = [
            m["name"]
            for m in log.document.get("modules", ())
            if m["parameters"] and {*m["parameters"]} <= {*found}
        ]
        return listed(roots) if roots else self.names(found)

    def line_of_switch(self, number: int) -> int:
        """The line that sets `requires_grad` of a tensor to False by its name; 0 if there is none."""
        named = re.compile(rf"\b{re.escape(self.log.name(number))}\.")
        lines = enumerate(self.log.source, 1)
        return next((n for n, text in lines if SWITCHED_OFF.search(text) and named.search(text)), 0)


def cut_off(log: Log, number: int, end: int) -> Said | None:
    """Where the way from a leaf to a tensor leaves the graph; None if it does not."""
    return first(CUTS, Origin(log, number, end))


def never_had(log: Log, number: int, end: int, now: Mapping[str, Any] = {}) -> Said | None:
    """Why a tensor has no history that none of those has from which it was computed; None if that is not known. `now`: what variables
    mean now."""
    origin = Origin(log, number, end, now)
    return None if log.are_lost((number, *origin.all)) else first(NEVER, origin)


@CUTS.rule(
    "leaf-rebound", "info", "a name is given to a new tensor that was computed from the leaf of this name without recording",
    "{at} gave {name} a new tensor, which {cutter} cut off.",
    "Write to the leaf in place, as in {name} -= ... or {name}.copy_(...).",
    ROUND.format("w = w - 0.1 * w.grad"),
    ROUND.format("w -= 0.1 * w.grad"),
)  # fmt: skip
def leaf_rebound(origin: Origin) -> Iterator[dict]:
    log, cut = origin.log, origin.log.first_cut(origin.number, origin.end)
    if cut is None:
        return
    leaf, child = cut
    line = log.steps[log.maker[child]]["line"]
    name = rebinds(log.source, line)
    if line is not None and name and name in [n for _, n in log.tensors[leaf]["names"]]:
        place = edits.at_step(log, log.maker[child])
        mended = [] if place is None else edits.in_place(*place)
        yield {"at": log.places.of_line(line), "name": name, "cutter": log.cutter(child), "edits": mended}


@CUTS.rule(
    "history-cut", "info", "the way from a leaf leaves the graph",
    "it was computed from {leaf}, but {at} cut the graph with {cutter}.",
    "{repair}",
    W + "y = (w * 2).detach()\nloss = y * 3\nloss.backward()",
    W + "y = w * 2\nloss = y * 3\nloss.backward()",
)  # fmt: skip
def history_cut(origin: Origin) -> Iterator[dict]:
    log, cut = origin.log, origin.log.first_cut(origin.number, origin.end)
    if cut is not None:
        leaf, child = cut
        repair = uncut(log, child, log.name(leaf))
        blanks = {"leaf": log.name(leaf), "at": log.at(log.maker[child]), "cutter": log.cutter(child)}
        yield blanks | {"repair": repair, "edits": edits.uncut(log, child)}


@NEVER.rule(
    "gradient-without-history", "info", "a gradient was computed without create_graph=True",
    "{what}, which {made} computed without a history.",
    "Pass create_graph=True in {spot} to differentiate it again.",
    W + "g, = jgrad.autograd.grad(w ** 3, w)\ng.backward()",
    W + "g, = jgrad.autograd.grad(w ** 3, w, create_graph=True)\ng.backward()",
)  # fmt: skip
def gradient_without_history(origin: Origin) -> Iterator[dict]:
    log = origin.log
    for t in (origin.number, *origin.all):
        born = log.tensors[t]["created_step"]
        if born >= 0 and log.steps[born]["kind"] in ("backward", "node", "accumulate"):
            own = t == origin.number
            what = "it is a gradient" if own else f"it was computed from {log.name(t)}, a gradient"
            yield {
                "what": what,
                "made": log.at(born),
                "spot": log.spot(born),
                "edits": _keeping_graph(log, born),
            }
            return


def _keeping_graph(log: Log, index: int) -> list[edits.Edit]:
    """create_graph=True in the only call of autograd.grad() in the statement of a step."""
    place = edits.at_step(log, index)
    return [] if place is None else edits.keyword(*place, "grad", "create_graph", "True")


@NEVER.rule(
    "required-too-late", "info", "requires_grad was set after the tensor was used",
    "{at} computed it from {name}, which did not require grad yet.",
    "Call {name}.requires_grad_() before {spot}.",
    "w = jgrad.ones(1)\nloss = w * 2\nw.requires_grad_()\nloss.backward()",
    "w = jgrad.ones(1)\nw.requires_grad_()\nloss = w * 2\nloss.backward()",
)  # fmt: skip
def required_too_late(origin: Origin) -> Iterator[dict]:
    log = origin.log
    for t in origin.all:
        known = origin.now.get(log.name(t))
        since = isinstance(known, Tensor) and known.requires_grad and known.is_leaf
        if not log.met(t)["requires_grad"] and (log.final[t]["requires_grad"] or since):
            user = log.users[t][0]
            name, place = log.name(t), edits.at_step(log, user)
            mended = [] if place is None else [place[0].before(place[1], f"{name}.requires_grad_()")]
            yield {"name": name, "at": log.at(user), "spot": log.spot(user), "edits": mended}
            return


def _switched_off_later(origin: Origin) -> list[int]:
    """What required grad at first, and not when it was used."""
    log = origin.log
    return [t for t in origin.all if log.met(t)["requires_grad"] and not log.state(t, origin.end)["requires_grad"]]  # fmt: skip


@NEVER.rule(
    "cut-in-place", "info", "detach_() cut off a tensor in place",
    "it was computed from {names}, which {at} cut off with detach_().",
    "",
    W + "w.detach_()\nloss = w * 2\nloss.backward()",
    W + "loss = w * 2\nloss.backward()",
)  # fmt: skip
def cut_in_place(origin: Origin) -> Iterator[dict]:
    off = _switched_off_later(origin)
    for i, step in origin.log.of("view") if off else ():
        if step["op"] == "detach_" and not {*off}.isdisjoint(step.get("reads", ())):
            yield {"names": origin.names(off), "at": origin.log.at(i)}
            return


@NEVER.rule(
    "switched-off-later", "info", "requires_grad was set to False before the tensor was used",
    "it was computed from {names}, whose requires_grad became False{where}.",
    "{repair}",
    FROZEN.format("y = w * 3\nw.requires_grad_(False)\n"),
    FROZEN.format("y = w * 3\n"),
)  # fmt: skip
def switched_off_later(origin: Origin) -> Iterator[dict]:
    off = _switched_off_later(origin)
    if off:
        lines = [n for n, line in enumerate(origin.log.source, 1) if SWITCHED_OFF.search(line)]
        where = f" in {origin.log.places.of_lines(lines)}" if lines else ""
        yield {"names": origin.whole(off), "where": where} | _thawed(origin, off, lines)


def _thawed(origin: Origin, off: list[int], lines: list[int]) -> dict[str, Any]:
    """What to do about frozen tensors: those that an optimizer was given are to learn."""
    log = origin.log
    held = {p for optimizer in log.document.get("optimizers", ()) for p in optimizer["parameters"]}
    learn = [log.name(t) for t in off if t in held]
    parts = {name.rpartition(".")[0] for name in learn}
    if len(parts) != 1 or not (part := parts.pop()) or not len(learn) < len(off):
        return {"repair": "Keep requires_grad=True on tensors that should learn."}
    blanks: dict[str, Any] = {
        "repair": f"Write {part}.requires_grad_(True) after it, because the optimizer has {part}'s parameters."
    }
    code = edits.Code.of_log(log)
    statement = code.statement_at(lines[0]) if len(lines) == 1 else None
    for loop in code.statements:
        if isinstance(loop, ast.For) and statement in loop.body:
            blanks["edits"] = [code.after(loop, f"{part}.requires_grad_(True)")]
    return blanks


@NEVER.rule(
    "made-of-numbers", "info", "a new tensor is made of numbers that were taken out of the graph",
    "{at} made a new tensor of plain numbers. {took} them out of the graph.",
    "Compute with the tensors themselves, {instead}.",
    W + "a = w * 2\nloss = jgrad.tensor([a.item(), 1.]).sum()\nloss.backward()",
    W + "a = w * 2\nloss = jgrad.cat([a, jgrad.ones(1)]).sum()\nloss.backward()",
)  # fmt: skip
def made_of_numbers(origin: Origin) -> Iterator[dict]:
    log = origin.log
    for t in dict.fromkeys((origin.number, *origin.all)):
        step = log.maker.get(t)
        if step is None or log.steps[step]["op"] not in FROM_NUMBERS:
            continue
        taken = taken_as_numbers(log, t)
        if taken:
            yield {"at": log.at(step), "took": f"{taken} took", "instead": _instead(taken)}
            return
        recorded = origin.learning | {module["name"] for module in log.document.get("modules", ())}
        for line, text in numbers_taken(log.source, recorded):
            where = log.places.of_line(line)
            took = f"{where} took" if text == "it" else f"{text} in {where} took"
            yield {"at": log.at(step), "took": took, "instead": _instead(took)}
            return


def _instead(taken: str) -> str:
    """What does without numbers what was done with them."""
    return (
        "with functions such as jgrad.sqrt() in place of NumPy's"
        if "numpy" in taken
        else "as in jgrad.stack(tensors)"
    )


@NEVER.rule(
    "switched-off-before", "info", "requires_grad was set to False before anything was computed",
    "it was computed from {name}, whose requires_grad {at} set to False.",
    "Keep requires_grad=True on tensors that should learn.",
    FROZEN.format("w.requires_grad = False\n"),
    FROZEN.format(""),
)  # fmt: skip
def switched_off_before(origin: Origin) -> Iterator[dict]:
    for t in origin.all:
        line = origin.line_of_switch(t)
        if line:
            yield {"name": origin.log.name(t), "at": origin.log.places.of_line(line)}
            return


def _plain(origin: Origin) -> dict[str, str]:
    """The blanks about what does not require grad; none if something does. Data needs no gradient, so parameters are named alone."""
    log, found = origin.log, origin.all
    if not found or any(log.met(t)["requires_grad"] for t in found):
        return {}
    parameters = {p for module in log.document.get("modules", ()) for p in module["parameters"]}
    found = [t for t in found if t in parameters] or found
    one = len({log.name(t) for t in found}) == 1
    return {"names": origin.names(found), "do": "does" if one else "do"}


@NEVER.rule(
    "numbers-beside", "info", "numbers of a tensor that requires grad come in, and nothing else requires grad",
    "{names} {do} not require grad, and {what} ({at}) has no history.",
    "Compute with the tensor itself.",
    PLAIN.format("", "w * a.item()"),
    PLAIN.format("", "w * a"),
)  # fmt: skip
def numbers_beside(origin: Origin) -> Iterator[dict]:
    log, blanks = origin.log, _plain(origin)
    for line, text in numbers_taken(log.source, origin.learning) if blanks else ():
        if text != "it" and goes_into(log, line, [origin.number], origin.end):
            mended = edits.kept_as_tensor(edits.Code.of_log(log), line, text)
            yield blanks | {"what": text, "at": log.places.of_line(line), "edits": mended}
            return


@NEVER.rule(
    "nothing-requires-grad", "info", "nothing from which a tensor was computed requires grad",
    "it was computed from {names}, which {do} not require grad.",
    "{repair}",
    PLAIN.format("", "w * 2"),
    PLAIN.format(", requires_grad=True", "w * 2"),
)  # fmt: skip
def nothing_requires_grad(origin: Origin) -> Iterator[dict]:
    blanks, learning = _plain(origin), origin.used
    if blanks and learning:
        yield blanks | {
            "repair": f"Compute it from {learning}, with operations on tensors: nothing on the way may be a number or an array."
        }
    elif blanks:
        yield (
            blanks
            | {"repair": "Make the tensors that should learn with requires_grad=True."}
            | _to_learn(origin)
        )


def _to_learn(origin: Origin) -> dict[str, Any]:
    """What to make otherwise where the code reads the gradients of some of these: the others are data."""
    code, names = edits.Code.of_log(origin.log), dict.fromkeys(origin.log.name(t) for t in origin.all)
    learn = [name for name in names if name.isidentifier() and f"{name}.grad" in "\n".join(code.lines)]
    if not learn:
        return {}
    made = [edits.assigned_to(code, name) for name in learn]
    mended = []
    for statement in made:
        value = statement.value if isinstance(statement, ast.Assign) else None
        if (
            isinstance(value, ast.Call)
            and statement is not None
            and re.search(r"\.(?:randn?|zeros|ones|tensor|full|empty)$", ast.unparse(value.func))
        ):
            mended += edits.keyword(
                code, statement, ast.unparse(value.func).rpartition(".")[2], "requires_grad", "True"
            )
    return {
        "repair": f"Make {listed(learn)} with requires_grad=True.",
        "names": listed(learn),
        "edits": mended if len(mended) == len(learn) else [],
    }
