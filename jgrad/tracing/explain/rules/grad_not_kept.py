"""A .grad that is None since its tensor does not require grad, or is not a leaf."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.syntax import loaded, parsed, rebinds
from jgrad.tracing.explain.edits import at_step, parameter_last
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.no_history import cut_off, never_had
from jgrad.tracing.explain.subject import Subject

WHY = Rules()

ANOTHER_NAME = "Give the result another name; to change a parameter, write to it in place under no_grad()."
W = "w = jgrad.ones(1, requires_grad=True)\n"


@WHY.rule(
    "grad-integer", "info", "it is None, and the tensor holds whole numbers or bools",
    "{name}.grad is None: {name} has dtype {dtype}, and only floating point and complex tensors have gradients.",
    "If {name} needs a gradient, write {name} = {name}.float().requires_grad_() before {name} is used.",
    W + "n = w.long()\n(w * n).backward()",
    W + "n = w.double()\nn.retain_grad()\n(w * n).backward()",
    ask="n.grad",
)  # fmt: skip
def grad_integer(s: Subject) -> Iterator[dict]:
    if not s.requires_grad and not s.dtype.startswith(("float", "bfloat", "complex")):
        yield s.place(s.made_at())


@WHY.rule(
    "grad-detached", "info", "it is None, and the tensor comes from detach() or .data",
    "{name}.grad is None: {name} comes from {how}{made}, so it has no history and does not require grad.",
    "Leave out {how}, or call {name}.requires_grad_() to make {name} a leaf with its own gradient.",
    W + "d = w.detach()\n(w * d).backward()",
    W + "d = w.clone()\nd.retain_grad()\n(w * d).backward()",
    ask="d.grad",
)  # fmt: skip
def grad_detached(s: Subject) -> Iterator[dict]:
    how = "" if s.log is None or s.number is None else s.log.tensors[s.number]["origin"]
    if not s.requires_grad and how in ("detach", "data"):
        yield {"how": "detach()" if how == "detach" else ".data"} | s.place(s.made_at())


@WHY.rule(
    "grad-rebound-no-grad", "info", "it is None, and the variable got a new tensor under no_grad()",
    "{name}.grad is None: {at} gave the name {name} to a new tensor that was computed under {mode} and does not require grad. The "
    "leaf that was called {name} before stays as it was.",
    "Write to the leaf in place under no_grad(), as in {name} -= ... or {name}.copy_(...).",
    W + "(w * 5).backward()\nwith jgrad.no_grad():\n    w = w - 0.1 * w.grad",
    W + "(w * 5).backward()\nwith jgrad.no_grad():\n    w -= 0.1 * w.grad",
    ask="w.grad",
)  # fmt: skip
def grad_rebound_no_grad(s: Subject) -> Iterator[dict]:
    """The same under no_grad()."""
    for case in grad_no_grad_mode(s):
        if (
            s.log is not None
            and rebinds(s.log.source, s.log.steps[case["step"]]["line"]) == s.name
            and _leaf_before(s)
        ):
            yield case | {"at": s.log.at(case["step"])}


@WHY.rule(
    "grad-no-grad-mode", "info", "it is None, and the tensor was computed under no_grad()",
    "{name}.grad is None: {name} was computed under {mode}{made}, so it has no history and does not require grad.",
    "Compute {name} outside of {mode} if it needs a gradient.",
    W + "with jgrad.no_grad():\n    y = w * 2\n(w * y).backward()",
    W + "y = w * 2\ny.retain_grad()\n(w * y).backward()",
    ask="y.grad",
)  # fmt: skip
def grad_no_grad_mode(s: Subject) -> Iterator[dict]:
    """(checkpoint() has a block of its own, which nobody can leave: `grad_without_history` names it.)"""
    step = s.made_at()
    if step is None or s.log is None or "checkpoint(" in s.log.text(step):
        return
    if not s.requires_grad:
        reads = s.log.steps[step].get("reads", ())
        if s.log.steps[step]["kind"] == "op" and any(s.log.state(r, step)["requires_grad"] for r in reads):
            mode = s.log.switch(step)
            yield {"mode": mode} | s.place(step)


@WHY.rule(
    "grad-without-history", "info", "it is None, and the tensor was computed without a history",
    "{name}.grad is None: {name} does not require grad: {why}",
    "",
    W + "d = (w * 2).detach()\nloss = d * 3",
    W + "d = w * 2\nloss = d * 3\nloss.retain_grad()\nloss.backward()",
    ask="loss.grad",
)  # fmt: skip
def grad_without_history(s: Subject) -> Iterator[dict]:
    """It was computed, from nothing that has a history."""
    if s.requires_grad or s.log is None or s.number is None:
        return
    step, born = s.made_at(), s.log.tensors[s.number]["created_step"]
    gradient = born >= 0 and s.log.steps[born]["kind"] in ("backward", "node", "accumulate")
    if not gradient and (step is None or not s.log.steps[step].get("reads")):
        return
    end = len(s.log.steps)
    why = cut_off(s.log, s.number, end) or never_had(s.log, s.number, end)
    if why is not None:
        yield {"why": why.text, "edits": why.edits} | s.place(step)


@WHY.rule(
    "grad-not-required", "info", "it is None, and the tensor does not require grad",
    "{name}.grad is None: {name} does not require grad.",
    "Call {name}.requires_grad_() before {name} is used.",
    W + "x = jgrad.ones(1)\n(w * x).backward()",
    W + "x = jgrad.ones(1).requires_grad_()\n(w * x).backward()",
    ask="x.grad",
)  # fmt: skip
def grad_not_required(s: Subject) -> Iterator[dict]:
    if not s.requires_grad:
        yield s.place(s.made_at())


@WHY.rule(
    "grad-rebound", "info", "it is None, and the variable meant a leaf before it got a new tensor",
    "{name}.grad is None: {at} gave the name {name} to a computed tensor with grad_fn {grad_fn}. The gradient goes to the leaf that was "
    "called {name} before.",
    "{repair}",
    W + "w = w * 2\nw.backward()",
    W + "y = w * 2\ny.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_rebound(s: Subject) -> Iterator[dict]:
    """The name meant a leaf before, from which this tensor was computed."""
    if s.is_leaf or s.retains_grad:
        return
    if s.log is None or s.number is None:
        given = [n for n in ast.walk(parsed(s.code.split("\n"))) if isinstance(n, ast.Assign)]
        for assign in given:
            itself = s.name in {n.id for n in ast.walk(assign.value) if isinstance(n, ast.Name)}
            if itself and [ast.unparse(t) for t in assign.targets] == [s.name]:
                yield {"at": f"line {assign.lineno}", "repair": ANOTHER_NAME} | s.place(None)
                return
        return
    if _leaf_before(s):
        step = s.made_at()
        at = s.log.at(step) if step is not None else "a later line"
        yield {"at": at, "repair": ANOTHER_NAME} | _begun_anew(s, step) | s.place(step)


def _begun_anew(s: Subject, step: int | None) -> dict:
    """In a loop that changes a leaf by its own gradient: what makes the result a leaf again."""
    place = None if step is None or s.log is None else at_step(s.log, step)
    if place is None:
        return {}
    code, statement = place
    around = [n for n in code.statements if isinstance(n, (ast.For, ast.While)) and statement in n.body]
    moved = [
        n
        for loop in around
        for n in loop.body
        if f"{s.name}.grad" in ast.unparse(n) and n.lineno <= statement.lineno
    ]
    if not moved:
        return {}
    text = "{0} = {0}.detach().requires_grad_()"
    edits = [code.after(statement, text.format(s.name))]
    # `b = b - lr * b.grad` beside it.
    for other in [n for loop in around for n in loop.body if n is not statement]:
        name = ast.unparse(other.targets[0]) if isinstance(other, ast.Assign) else ""
        if name and f"{name}.grad" in ast.unparse(other):
            edits.append(code.after(other, text.format(name)))
    return {"repair": f"Write {text.format(s.name)} after line {statement.end_lineno}.", "edits": edits}


def _leaf_before(s: Subject) -> bool:
    """Whether the name meant a leaf that requires grad before, from which this tensor was computed."""
    assert s.log is not None
    step, placed = s.made_at(), set()
    line = None if step is None else s.log.steps[step]["line"]
    # A tensor of a list has the name of its place there, not that of the loop's variable.
    if line is not None and rebinds(s.log.source, line) == s.name:
        read = {r for one in s.log.steps if one["line"] == line for r in one.get("reads", ())}
        itself = loaded(s.log.source, line)
        placed = {r for r in read if itself.isdisjoint(re.findall(r"^\w+", s.log.name(r, step)))}
    for t in s.log.final:
        leaf = t["is_leaf"] and t["requires_grad"] and t["id"] != s.number
        known = leaf and (t["id"] in placed or s.name in [n for _, n in t["names"]])
        if known and s.number in s.log.computed_from(t["id"]):
            return True
    return False


@WHY.rule(
    "grad-computed-at-birth", "info", "it is None, and the line that made the leaf also computed with it",
    "{name}.grad is None: {name} is not a leaf, because it was computed{made} from {leaf}, and only that tensor gets a gradient.",
    "{repair}",
    "w = jgrad.ones(2, requires_grad=True) * 0.1\nw.sum().backward()",
    "w = (jgrad.ones(2) * 0.1).requires_grad_()\nw.sum().backward()",
    ask="w.grad",
)  # fmt: skip
def grad_computed_at_birth(s: Subject) -> Iterator[dict]:
    """It was computed from a leaf that was made on the same line and never had a name."""
    step = s.made_at()
    if s.log is None or step is None or s.is_leaf or s.retains_grad:
        return
    line = s.log.steps[step]["line"]
    for r in s.log.steps[step].get("reads", ()):
        t, maker = s.log.state(r, step), s.log.maker.get(r)
        nameless = (
            not any(n for _, n in t["names"]) and maker is not None and s.log.steps[maker]["line"] == line
        )
        if nameless and t["is_leaf"] and t["requires_grad"]:
            last = parameter_last(s.log, step)
            repair = (
                "Compute first and call requires_grad_() last."
                if last is None
                else f"Compute first: write {last.text}."
            )
            yield {
                "leaf": s.log.name(r),
                "repair": repair,
                "edits": [last] if last is not None else [],
            } | s.place(step)
            return


@WHY.rule(
    "grad-kept-late", "info", "it is None, because retain_grad() came after backward()",
    "{name}.grad is None: {name}.retain_grad() came after backward(), and no later backward() reached {name}.",
    "Call {name}.retain_grad() before backward().",
    W + "y = w * 2\ny.backward()\ny.retain_grad()\nz = y * 3",
    W + "y = w * 2\ny.retain_grad()\ny.backward()\nz = y * 3",
    ask="y.grad",
)  # fmt: skip
def grad_kept_late(s: Subject) -> Iterator[dict]:
    """It was asked to keep its gradient after that had come through."""
    waits = not s.is_leaf and s.retains_grad and not s.has_grad and not s.events()
    if waits and (s.log is None or s.number is None or _came_through(s)):
        yield s.place(s.made_at())


@WHY.rule(
    "grad-beside", "info", "it is None, and the result was not computed from the tensor",
    "{name}.grad is None: {name} was computed{made}, so it is not a leaf. And backward() ran from {root}, which was not computed from "
    "{name}.",
    "{advice}",
    "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\n(x * 2).sum().backward()",
    "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\nfirst.retain_grad()\n(first * 2).backward()",
    ask="first.grad",
)  # fmt: skip
def grad_beside(s: Subject) -> Iterator[dict]:
    """It was computed, and no backward pass came through it."""
    calls = s.backwards()
    if s.log is None or s.number is None or s.is_leaf or s.retains_grad or not calls or _came_through(s):
        return
    step = s.made_at()
    viewed = (
        s.log.steps[step]["reads"][0] if step is not None and s.log.steps[step]["kind"] == "view" else None
    )
    advice = f"Compute the loss from {s.name}, and call {s.name}.retain_grad() before backward()."
    if viewed is not None and s.log.final[viewed]["is_leaf"]:
        advice = f"The gradient is in {s.log.name(viewed)}.grad."
    root = listed([s.log.name(r, calls[-1][0]) for r in calls[-1][1]["roots"]])
    yield {"root": root, "advice": advice} | s.place(calls[-1][0])


def _came_through(s: Subject) -> bool:
    """Whether a backward pass ran the node that made it."""
    assert s.log is not None
    assert s.number is not None
    node = s.log.final[s.number]["grad_fn"]
    return any(step["kind"] == "node" and step["node"] == node for step in s.log.steps)


@WHY.rule(
    "grad-not-leaf", "info", "it is None, and the tensor was computed from others",
    "{name}.grad is None: {name} was computed{made}, so it is not a leaf, and only leaves keep their gradient.",
    "{advice}",
    W + "y = w * 2\ny.backward()",
    W + "y = w * 2\ny.retain_grad()\ny.backward()",
    ask="y.grad",
)  # fmt: skip
def grad_not_leaf(s: Subject) -> Iterator[dict]:
    if not s.is_leaf and not s.retains_grad:
        step, advice = s.made_at(), f"Call {s.name}.retain_grad() before backward()."
        if s.log is not None and step is not None and s.log.steps[step]["kind"] == "view":
            viewed = s.log.steps[step]["reads"][0]
            if s.log.final[viewed]["is_leaf"] and s.log.final[viewed]["requires_grad"]:
                advice = f"Read the gradient in {s.log.name(viewed)}.grad, or call {s.name}.retain_grad() before backward()."
        yield {"advice": advice} | s.place(step)
