"""Gradients of several backward passes that add up in one .grad."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import LOOPS, around, cleared_by, loops_around
from jgrad.tracing.explain.edits import Code, Edit, at_step, calls_of
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.training import Training

NOTES = Rules()
TWICE = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    first = (w * w).sum()
    total = first + w.sum()
    opt.zero_grad()
    %stotal.backward()
    opt.step()
"""


@NOTES.rule(
    "loss-counted-twice", "warning", "a loss runs backward alone, and again as a part of a sum",
    "{at}: {total} was computed from {part}, whose own backward() ({before}) has added its gradients already. So {part} counts twice.",
    "Leave out the backward() of {part} in {before}.",
    TWICE % "first.backward(retain_graph=True)\n    ",
    TWICE % "",
)  # fmt: skip
def loss_counted_twice(log: Log) -> Iterator[dict]:
    """Two backward passes with no clearing between them, the second from what the first began at, and a step that uses both."""
    training = Training.of(log)
    passes = [(i, s) for i, s in log.of("backward") if s["op"] == "backward" and s["roots"]]
    for (i, first), (k, second) in pairwise(passes):
        part, total = first["roots"][0], second["roots"][0]
        if part == total or log.at(i) == log.at(k) or log.has_gap(i, k) or part not in log.sources(total, k):
            continue
        node, whole = log.node_at(part, k), log.node_at(total, k)
        if node is None or whole is None or node not in log.nodes_behind(whole):
            continue
        filled = [
            p
            for p in training.optimized
            for j in training.filled(p)
            if log.steps[j].get("backward_call") == first["backward_call"]
        ]
        cleared = any(g["action"] != "add" for p in filled for j, g in training.grads[p] if i < j < k)
        used = any(j > k for p in filled for j, _ in training.steps_of(p))
        if (
            filled
            and used
            and not cleared
            and not any(i < j < k for p in filled for j, _ in training.steps_of(p))
        ):
            place = at_step(log, i)
            alone = place is not None and isinstance(place[1], ast.Expr)
            yield {
                "step": k, "tensors": [part, total], "lines": log.lines(i, k), "at": log.at(k), "total": log.name(total, k), "part": log.name(part, i),
                "before": log.spot(i), "edits": [place[0].without(place[1])] if place is not None and alone else [],
            }  # fmt: skip
            return


SHOWN = 5  # names that a sentence lists
OPTIMIZER = re.compile(r"(?:[\w.]*\boptim\.\w+|SGD|Adam\w*|RMSprop|Adagrad)\(")


@NOTES.rule(
    "grad-accumulated", "warning", "several backward passes add to one .grad",
    "{grads} the sum of {count} backward passes ({where}), because nothing cleared {them} in between.",
    "{repair}",
    """
w = jgrad.ones(1, requires_grad=True)
for i in range(4):
    (w * 5).backward()
""", """
w = jgrad.ones(1, requires_grad=True)
for i in range(4):
    w.grad = None
    (w * 5).backward()
""",
)  # fmt: skip
def grad_accumulated(log: Log) -> Iterator[dict]:
    together: dict[tuple, list[tuple[int, list[int]]]] = {}
    modules = log.document.get("modules", [])
    in_modules = {p for m in modules for holder in (m, *m["unlisted"]) for p in holder["parameters"]}
    known = sums(log)
    # The steps that added to sums which were used, and the backward calls that these belong to:
    used = {
        i
        for runs in known.values()
        for run in runs
        for i in run.adds
        if run.uses or (len(run.adds) == 1 and _is_read(log, i))
    }
    calls_used = {log.steps[i].get("backward_call") for i in used}
    for leaf, runs in known.items():
        t = log.tensors[leaf]
        calls = next((run.adds for run in reversed(runs) if run.is_mistake()), [])
        in_calls = {log.steps[i].get("backward_call") for i in calls}
        unused = not any(run.uses for run in runs)
        others = unused and in_calls & calls_used  # the same calls filled sums that were used
        if unused and (
            _cleared_before(log, calls)
            if not others
            else leaf in in_modules or any(_is_differentiated(log, name) for _, name in t["names"][-1:])
        ):
            continue  # another cell will use the sum, or a part of a model is not to learn
        severity = "info" if others else "warning"
        lost = calls and t["names"] and not name_at(t, calls[-1])  # the variable means something else by then
        if calls and t["is_leaf"] and not lost:
            together.setdefault((severity, len(calls), *log.lines(*calls)), []).append((leaf, calls))
    for (severity, count, *lines), found in together.items():
        found.sort()
        names = [f"{log.name(leaf, calls[-1])}.grad" for leaf, calls in found]
        shown = names if len(names) <= SHOWN else [*names[: SHOWN - 1], f"{len(names) - SHOWN + 1} more"]
        # (Behind a gap it holds what the steps of the gap added.)
        older = not log.gaps and all(_held_before(log, leaf, calls[0]) for leaf, calls in found)
        yield {
            "step": min(calls[1] for _, calls in found), "tensors": [leaf for leaf, _ in found], "lines": lines,
            "count": f"an older gradient and {log.many(count)}" if older else log.many(count),
            "where": _where(log, [i for _, calls in found for i in calls]), "severity": severity,
        } | gathered(shown, log, [i for _, calls in found for i in calls], clearings(log, [leaf for leaf, _ in found]))  # fmt: skip


def _held_before(log: Log, leaf: int, index: int) -> bool:
    """Whether a `.grad` held something other than zeros when a step added to it."""
    before = next((grad["before"] for i, grad in log.grads_of[leaf] if i == index), None)
    return before is not None and before.get("norm") != 0


def _is_read(log: Log, index: int) -> bool:
    """Whether something is computed from the gradient that a step made, as an attack on its input does."""
    made = log.steps[index].get("makes", ())
    return any(log.steps[i].get("makes") for t in made for i in log.users.get(t, ()))


def _are_apart(source: list[str], lines: list[int]) -> bool:
    """Whether two backward passes have a line each, outside of loops. Their gradients may be meant to be added."""
    return len(lines) == 2 and not loops_around(source, lines)


def _where(log: Log, steps: Sequence[int]) -> str:
    """Where some backward passes were called: in a function of another cell or file, or at lines of this cell."""
    places = {log.at(i) for i in steps}
    elsewhere = any(log.places.line(log.steps[i])[0] is not None for i in steps)
    return places.pop() if elsewhere and len(places) == 1 else log.at_all(steps)


@dataclass
class Sum:
    """What came to a `.grad` from one clearing to the next: the steps that added to it, those that changed its tensor meanwhile, and that
    which cleared it."""

    adds: list[int]
    uses: list[int]
    cleared: int | None = None

    def is_mistake(self) -> bool:
        """Whether what was used stayed and was used again, or the sum was neither used nor cleared. A sum that was used once, or cleared, is
        as it should be: of micro-batches, or the gradients that a GAN's generator leaves in its discriminator."""
        if len(self.adds) < 2:
            return False
        between = [u for u in self.uses if self.adds[0] < u < self.adds[-1]]
        if between:
            again = next(a for a in self.adds if a > between[0])
            return any(u > again for u in self.uses)
        return not self.uses and self.cleared is None


def _is_differentiated(log: Log, name: str) -> bool:
    """Whether the code passes a variable to autograd.grad() or checkpoint(), so that it requires grad for that."""
    calls = [
        n
        for n in log.nodes_of_code
        if isinstance(n, ast.Call) and re.fullmatch(r"(?:.*\.)?(?:grad|checkpoint)", ast.unparse(n.func))
    ]
    return any(isinstance(part, ast.Name) and part.id == name for call in calls for part in ast.walk(call))


def _cleared_before(log: Log, calls: Sequence[int]) -> bool:
    """Whether the cell clears gradients before the loop in which they add up, as one does who wants the sum."""
    lines = log.lines(*calls)
    loops = loops_around(log.source, lines)
    first = loops[0].lineno if loops else min(lines, default=0)
    clearing = [node.lineno for node in ast.walk(log.tree) if isinstance(node, ast.stmt) and cleared_by(node)]
    return any(line < first for line in clearing)


def sums(log: Log) -> dict[int, list[Sum]]:
    """The sums that were in the `.grad` of each tensor, in order."""
    found: dict[int, list[Sum]] = {}
    for i, grad in log.grads:
        runs = found.setdefault(grad["tensor"], [])
        gap = next((g for g in log.gaps if runs[-1].adds[-1] < g < i), None) if log.gaps and runs else None
        if gap is not None and runs[-1].cleared is None:
            runs[
                -1
            ].cleared = gap  # what came to it within the gap, and whether it was cleared there, is not known
        if grad["action"] == "add":
            if not runs or runs[-1].cleared is not None:
                runs.append(Sum([], []))
            runs[-1].adds.append(i)
        elif (
            runs and runs[-1].cleared is None and not (log.steps[i].get("writes") and grad["action"] == "set")
        ):
            runs[-1].cleared = i  # a .grad that was scaled in place is still the same sum
    changed: dict[int, list[int]] = {}  # storage -> the steps that wrote to it
    for i, write in log.writes:
        changed.setdefault(write["storage"], []).append(i)
    last_gap = max(log.gaps, default=-1)
    for leaf, runs in found.items():
        if runs and runs[-1].cleared is None and runs[-1].adds[-1] < last_gap:
            runs[-1].cleared = min(g for g in log.gaps if g > runs[-1].adds[-1])  # likewise
        moved = [i for i, change in log.changes.get(leaf, ()) if "storage" in change]
        steps = sorted(
            {
                *changed.get(log.tensors[leaf]["storage"], ()),
                *changed.get(log.final[leaf]["storage"], ()),
                *moved,
            }
        )
        for run in runs:
            end = len(steps) if run.cleared is None else bisect_left(steps, run.cleared)
            run.uses = steps[bisect_right(steps, run.adds[0]) : end]
    return found


def clearings(log: Log, leaves: Sequence[int | None]) -> list[int]:
    """The lines that cleared the `.grad` of some tensors."""
    return log.lines(
        *[i for i, grad in log.grads if grad["tensor"] in leaves and grad["action"] in ("none", "zero")]
    )


def _clearing_others(grads: list[str], log: Log, line: int, owner: str) -> str:
    """What to do about `.grad`s that a call of `owner.zero_grad()` does not clear."""
    these, training, end = [g.removesuffix(".grad") for g in grads], Training.of(log), len(log.steps)
    called = f"{owner}.zero_grad() in {log.places.of_line(line)} clears only the tensors that {owner} holds"
    for optimizer in training.optimizers:
        names = {log.name(p) for p in optimizer["parameters"]}
        if optimizer["name"] != owner and names & {*these}:
            return f"Call {optimizer['name']}.zero_grad() in each round too, before backward(): {called}."
        if optimizer["name"] == owner and not any(training.named(p, end) for p in optimizer["parameters"]):
            root = re.split(r"[.\[]", these[0])[0]
            return f"{called}, which no variable holds any more: make {owner} after the last line that makes, copies or loads {root}."
    learn = "it" if len(grads) == 1 else "they"
    return f"{called}: pass {listed(these)} to {owner} too, or cut the graph with detach() if {learn} should not learn."


def gathered(grads: list[str], log: Log, calls: Sequence[int], cleared: list[int]) -> dict[str, Any]:
    """The blanks of a sentence about `.grad`s that nothing cleared between the backward passes of some steps. `cleared`: the lines that
    clear them at all."""
    one, source, lines = len(grads) == 1, log.source, log.lines(*calls)
    blanks: dict[str, Any] = {
        "grads": f"{listed(grads)} {'holds' if one else 'hold'}",
        "them": "it" if one else "them",
    }
    clearing = next(
        (c for loop in loops_around(source, lines) for c in map(cleared_by, loop.body) if c is not None), None
    )
    if clearing is not None and clearing[0] not in cleared:
        return blanks | {"repair": _clearing_others(grads, log, *clearing)}
    made = {
        ast.unparse(n.targets[0]): ast.unparse(n.value) for n in log.nodes_of_code
        if isinstance(n, ast.Assign) and OPTIMIZER.match(ast.unparse(n.value))
    }  # fmt: skip
    root = re.match(r"\w+", grads[0])
    own = [o for o, text in made.items() if root is not None and re.search(rf"\b{root[0]}\b", text)]
    steps = [
        n.func for n in log.nodes_of_code if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    called = {ast.unparse(f.value) for f in steps if f.attr == "step"}
    # Neither a scheduler nor one that is made in this place.
    owners = {
        o for o in called if re.search(r"(?i)opt", o) and not re.search(r"(?i)sched|^torch\.optim\b", o)
    }
    named = [f"{name}.zero_grad()" for name in (*own, *made, *owners)]
    if own or len(made) == 1 or len(owners) == 1:
        where = _innermost(log, calls)
        known = [call for call in named if where is None or _is_known(log, where, call)] or named[:1]
        given, clearing_code = f"call {known[0]}", known[:1]
    else:
        given = f"write {grads[0]} = None" if one else "set them to None"
        clearing_code = [f"{grad} = None" for grad in grads]
    edits = _clearing_first(log, calls, clearing_code)
    if closure := _closure(log, calls):
        function, owner = closure
        call = f"{owner}.zero_grad()"
        return blanks | {
            "repair": f"step() calls {function}() several times: begin {function}() with {call}.",
            "edits": _clearing_first(log, calls, [call]),
        }
    measured = _measured(log, lines)
    if measured:
        lines_out = listed([ast.unparse(s) for s in measured])
        return blanks | {
            "repair": f"Leave out {lines_out} in {log.places.of_line(measured[0].lineno)}: after eval() a loss is only to measure.",
            "edits": [Code.of_log(log).without(s) for s in measured],
        }
    return blanks | {
        "repair": f"If you need no sum, {given} before {log.places.of_line(lines[1])}."
        if _are_apart(source, lines)
        else f"{given[0].upper()}{given[1:]} before each backward(), unless you need the sum.",
        "edits": edits,
    }


def _measured(log: Log, lines: list[int]) -> list[ast.stmt]:
    """The backward() after an `eval()` in the block of another backward(), and the step() behind it."""
    code = Code.of_log(log)
    for node in ast.walk(code.tree):
        block = getattr(node, "body", None)
        passes = [s for s in block if calls_of(s, "backward")] if isinstance(block, list) else []
        here = [s for s in passes if isinstance(s, ast.Expr) and s.lineno in lines]
        if len(here) != 2 or not isinstance(block, list):
            continue
        first, second = (block.index(s) for s in here)
        between = [ast.unparse(s) for s in block[first:second]]
        if any(text.endswith(".eval()") for text in between) and not any(
            ".train(" in text for text in between
        ):
            behind = [
                s
                for s in block[second + 1 : second + 2]
                if isinstance(s, ast.Expr) and ast.unparse(s).endswith(".step()")
            ]
            return [here[1], *behind]
    return []


def _closure(log: Log, calls: Sequence[int]) -> tuple[str, str] | None:
    """(the function in which some backward passes ran, the optimizer whose step() gets it), as L-BFGS needs one."""
    given = {
        node.args[0].id: ast.unparse(node.func.value)
        for node in log.nodes_of_code
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "step"
        and node.args
        and isinstance(node.args[0], ast.Name)
    }
    places = {log.places.line(log.steps[i]) for i in calls}
    for source, tree in log.code:
        for line in (line for known, line in places if known == source):
            for function in around(tree, line, ast.FunctionDef):
                if function.name in given:
                    return function.name, given[function.name]
    return None


def _innermost(log: Log, calls: Sequence[int]) -> Code | None:
    """The function of another cell, or of a file, in which all these steps ran; None if there is none."""
    sources = {log.places.line(log.steps[i])[0] for i in calls}
    source = sources.pop() if len(sources) == 1 else None
    return None if source is None else Code.of_log(log, source)


def _is_known(log: Log, code: Code, statement: str) -> bool:
    """Whether a text knows the variable with which a statement begins: it has it, or it is a cell's and this is a variable of the notebook."""
    root = re.split(r"[.\[ ]", statement)[0]
    if code.file.startswith("cell ") and root in {
        re.split(r"[.\[]", o["name"])[0] for o in Training.of(log).optimizers
    }:
        return True
    return any(root in (getattr(n, "id", ""), getattr(n, "arg", "")) for n in ast.walk(code.tree))


def _clearing_first(log: Log, calls: Sequence[int], statements: list[str]) -> list[Edit]:
    """Statements that clear gradients: before the backward() that stands alone in a loop, or in the function where it runs, or before the first
    of several in the loop."""
    own, lines = Code.of_log(log), log.lines(*calls)
    code = _innermost(log, calls) or own
    if not lines or not all(re.fullmatch(r"[\w.\[\]]+(?:\(\)| = None)", text) for text in statements):
        return []
    if code.file:
        lines = sorted({line for i in calls if (line := log.places.line(log.steps[i])[1]) is not None})
    first = code.statement_at(lines[0]) if len(lines) == 1 else None
    loops = [] if code.file else loops_around(log.source, lines)
    if len(lines) == 2 and not loops:
        first = code.statement_at(lines[-1])
    elif len(lines) > 1 and loops:
        body = next(
            (s.body for s in code.statements if isinstance(s, LOOPS) and s.lineno == loops[0].lineno),
            [],
        )
        cleared = any(ast.unparse(s) in statements and s.lineno <= lines[0] for s in body)
        # Else it is cleared there, and not between the two.
        first = code.statement_at(lines[-1]) if cleared else next(iter(body), None)
    runs_here = first is None or calls_of(first, "backward")
    if (
        first is None
        or not all(_is_known(log, code, text) for text in statements)
        or not (runs_here or loops)
    ):
        return []
    return [code.before(first, text) for text in statements]
