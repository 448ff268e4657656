"""Gradients that are to add up over some batches, but are cleared in each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step
from jgrad.tracing.document.syntax import cleared_by, has
from jgrad.tracing.explain.edits import Code, calls_of
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

EXAMPLE = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
batches = jgrad.randn(8, 2)
for i, x in enumerate(batches):
%s    loss = (w * x).sum() / 4
    loss.backward()
    if (i + 1) %% 4 == 0:
        opt.step()
%s"""


@NOTES.rule(
    "batches-cleared", "warning", "gradients of some batches are cleared before a step uses them",
    "{cleared} clears the gradients of each batch, but {owner}.step() runs only {when} ({at}). The gradients of the other batches are lost.",
    "{repair}",
    EXAMPLE % ("    opt.zero_grad()\n", ""),
    EXAMPLE % ("", "        opt.zero_grad()\n"),
)  # fmt: skip
def batches_cleared(log: Log) -> Iterator[dict]:
    """A loop clears gradients in each round. It lets an optimizer make its step in each k-th round alone, and gradients were lost twice."""
    loops = [(source, *found) for source, tree in log.code for found in _loops(tree)]
    training = Training.of(log) if loops else None
    for source, clearing, holder, owner, sometimes, loop in loops:
        assert training is not None
        for optimizer in training.optimizers:
            lost = [_lost(log, training, p, source, clearing) for p in optimizer["parameters"]]
            steps = [i for p in optimizer["parameters"] for i, _ in training.steps_of(p)]
            here = [i for i in steps if _is_within(log, log.steps[i], source, sometimes)]
            if not here or len(here) < len(steps) or not all(len(places) > 1 for places in lost):
                continue
            first = lost[0][0]
            yield {
                "step": first, "tensors": optimizer["parameters"], "lines": log.lines(first, here[0]), "cleared": log.at(first),
                "owner": owner, "at": log.at(here[0]), **_words(log, source, holder, owner, sometimes, loop),
            }  # fmt: skip
            break


def _words(
    log: Log, source: int | None, holder: str, owner: str, sometimes: ast.stmt, loop: ast.For | ast.While
) -> dict[str, Any]:
    """When the step is made, and what to do."""
    if isinstance(sometimes, ast.If):
        repair = f"Call {holder}.zero_grad() after {owner}.step(), under the same if."
        text = Code.of_log(log, source)
        clearing = next(
            (s for s in loop.body if (found := cleared_by(s)) is not None and found[1] == holder), None
        )
        step = next(
            (s for s in sometimes.body if calls_of(s, "step") and ast.unparse(s).startswith(f"{owner}.")),
            None,
        )
        moved = [] if clearing is None or step is None else text.moved(clearing, after=step)
        return {"when": f"if {ast.unparse(sometimes.test)}", "repair": repair, "edits": moved}
    code = Code.of_log(log, source)
    last = next((s for s in reversed(loop.body) if calls_of(s, "backward")), None)
    edits = [] if last is None else code.moved(sometimes, after=last)
    return {
        "when": "after the loop",
        "repair": f"Call {owner}.step() in the loop, after backward().",
        "edits": edits,
    }


def _after(tree: ast.Module, loop: ast.For | ast.While) -> ast.stmt | None:
    """The step of an optimizer that stands behind a loop which makes none."""
    if any(calls_of(s, "step") for s in loop.body) or not any(calls_of(s, "backward") for s in loop.body):
        return None
    for node in ast.walk(tree):
        block = getattr(node, "body", None)
        if isinstance(block, list) and loop in block:
            steps = (
                s for s in block[block.index(loop) + 1 :] if isinstance(s, ast.Expr) and calls_of(s, "step")
            )
            return next(steps, None)
    return None


def _loops(tree: ast.Module) -> Iterator[tuple[int, str, str, ast.stmt, ast.For | ast.While]]:
    """The loops that clear gradients in each round and make a step in some, or behind the loop: the line that clears, what it clears, what makes the step,
    the statement in which it does, the loop."""
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For | ast.While):
            continue
        cleared = next((found for found in map(cleared_by, loop.body) if found is not None), None)
        behind = _after(tree, loop) if cleared is not None else None
        for step in calls_of(behind, "step") if behind is not None and cleared is not None else ():
            yield *cleared, ast.unparse(step.func).removesuffix(".step"), behind, loop  # type: ignore[misc]
        for sometimes in loop.body:
            if cleared is None or not isinstance(sometimes, ast.If) or sometimes.orelse:
                continue
            calls = [ast.unparse(n.func) for n in ast.walk(sometimes) if isinstance(n, ast.Call)]
            counts = any(isinstance(n, ast.Mod) for n in ast.walk(sometimes.test))
            owner = next((c.removesuffix(".step") for c in calls if c.endswith(".step")), None)
            if counts and owner is not None and not any(c.endswith("backward") for c in calls):
                yield *cleared, owner, sometimes, loop


def _lost(log: Log, training: Training, parameter: int, source: int | None, line: int) -> list[int]:
    """The steps at a line that cleared a gradient after backward() had filled it and nothing had used it."""
    found: list[int] = []
    used = sorted([*training.uses_of_grad(parameter), *[i for i, _ in training.steps_of(parameter)]])
    filled = None
    for i, grad in training.grads.get(parameter, ()):
        if grad["action"] == "add":
            filled = i
            continue
        between = [u for u in used if filled is not None and filled < u < i]
        lost = filled is not None and not between and not log.has_gap(filled, i)
        if lost and _place(log, log.steps[i]) == (source, line):
            found.append(i)
        filled = None
    return found


def _place(log: Log, step: Step) -> tuple[int | None, int | None]:
    """The source (None: the cell) and the line that a step ran in."""
    call = log.places.calls[step["call"]] if "call" in step else None
    return (None, step["line"]) if call is None else (call["source"], call["line"])


def _is_within(log: Log, step: Step, source: int | None, statement: ast.stmt) -> bool:
    where, line = _place(log, step)
    return where == source and has(statement, line)
