"""Schedules of learning rates that step too often."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.explain.edits import Code, Edit, calls_of
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

Loop = ast.For | ast.While
# Schedules that are made for epochs. Others count steps: OneCycleLR, LambdaLR, warm-ups.
PER_EPOCH = re.compile(r"(?:.*\.)?(?:StepLR|MultiStepLR|ExponentialLR)$")
SCHEDULE = re.compile(r"(?:\w+\.)*\w*(?:sched|lr_)\w*$", re.IGNORECASE)
LEAST = 0.01  # a rate that fell below this part of the first is as good as none
BATCHES = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
for epoch in range(3):
    for batch in jgrad.randn(6, 4, 2):
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
    %sschedule.step()
"""


@NOTES.rule(
    "schedule-per-batch", "warning", "a schedule that is made for epochs steps after each batch",
    "{at} ({what}) runs after each batch, so the learning rate fell from {first} to {last} in {count} rounds.",
    "If it is to fall once per epoch, call {what} after the loop over batches.",
    BATCHES % "    ",
    BATCHES % "",
)  # fmt: skip
def schedule_per_batch(log: Log) -> Iterator[dict]:
    """Its step() stands in the loop of the backward() calls, which runs again and again, and the rate fell to next to nothing."""
    rounds = log.document.get("rounds")
    rates = [] if rounds is None else rounds.get("rates", [])
    if rounds is None or len(rates) < 3:
        return
    first, last = (
        rates[0],
        [r for r in rates if (r["optimizer"], r["group"]) == (rates[0]["optimizer"], rates[0]["group"])][-1],
    )
    passes = log.of("backward")
    if not passes or not 0 <= last["rate"] < LEAST * first["rate"]:
        return
    kinds = _kinds(log)
    for code in Code.all_of(log):
        for call in calls_of(code.tree, "step"):
            assert isinstance(call.func, ast.Attribute)
            what = ast.unparse(call.func.value)
            kind = kinds.get(what)
            known = PER_EPOCH.match(kind) if kind is not None else SCHEDULE.fullmatch(what)
            loop = _loop_of_batches(log, code, call) if known and not call.args else None
            if loop is not None:
                here = not code.file
                yield {
                    "step": passes[-1][0], "tensors": [], "lines": [call.lineno] if here else [], "what": f"{what}.step()",
                    "at": log.places.of_line(call.lineno) if here else f"{code.file}, line {call.lineno}", "first": number(first["rate"]),
                    "last": number(last["rate"]), "count": f"{rounds['total']:,}", "edits": _moved(code, call, loop),
                }  # fmt: skip
                return


def _kinds(log: Log) -> dict[str, str]:
    """The classes of what the code assigns: "StepLR" by "schedule"."""
    return {
        ast.unparse(target): ast.unparse(node.value.func)
        for node in log.nodes_of_code if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets if "LR" in ast.unparse(node.value.func) or "Restarts" in ast.unparse(node.value.func)
    }  # fmt: skip


def _loop_of_batches(log: Log, code: Code, call: ast.Call) -> Loop | None:
    """The loop around a call that has a backward() too, and that runs within another loop, or in a function that a loop calls."""
    loops = [s for s in code.statements if isinstance(s, (ast.For, ast.While)) and _within(s, call.lineno)]
    if not loops:
        return None
    inner = max(loops, key=lambda s: s.lineno)
    if not any(calls_of(s, "backward") for s in inner.body) or any(
        calls_of(s, "step") and isinstance(s, (ast.For, ast.While)) for s in inner.body
    ):
        return None
    if len(loops) > 1:
        return inner
    functions = [n for n in ast.walk(code.tree) if isinstance(n, ast.FunctionDef) and _within(n, call.lineno)]
    return inner if functions and _called_in_loop(log, functions[-1].name) else None


def _within(node: ast.stmt, line: int) -> bool:
    return node.lineno < line <= (node.end_lineno or 0)


def _called_in_loop(log: Log, name: str) -> bool:
    """Whether a loop of the code calls a function."""
    loops = [n for n in log.nodes_of_code if isinstance(n, (ast.For, ast.While))]
    calls = [n for n in chain.from_iterable(map(ast.walk, loops)) if isinstance(n, ast.Call)]
    return any(ast.unparse(n.func).rpartition(".")[2] == name for n in calls)


def _moved(code: Code, call: ast.Call, loop: Loop) -> list[Edit]:
    """The call behind the loop, if it is a statement of its own in it."""
    statement = code.statement_at(call.lineno)
    alone = isinstance(statement, ast.Expr) and statement in loop.body and len(loop.body) > 1
    return code.moved(statement, after=loop) if alone and statement is not None else []
