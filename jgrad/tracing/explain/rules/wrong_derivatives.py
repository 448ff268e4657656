"""Custom Functions whose backward is not the derivative of their forward."""

from __future__ import annotations

import ast
import dis
import math
import re
from collections.abc import Iterator
from inspect import CO_VARARGS as VARARGS
from types import CodeType
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Value
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.explain.derivatives import Wrong, wrong_derivative
from jgrad.tracing.explain.edits import Code, Edit
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.subject import Subject

NOTES = Rules()
WHY = Rules()

CUBE = """
class Cube(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * {factor} * x ** 2

x = jgrad.tensor([1., 2.], requires_grad=True)
y = Cube.apply(x)
y.sum().backward()
"""


@NOTES.rule(
    "backward-is-wrong", "warning", "backward of a custom Function is not the derivative of its forward",
    "{at}: backward of {function} {is_not} the derivative of its forward: {what}.",
    "Compare both with jgrad.autograd.gradcheck({function}.apply, {inputs}) and float64 inputs.",
    CUBE.format(factor=2),
    CUBE.format(factor=3),
)  # fmt: skip
def backward_is_wrong(log: Log) -> Iterator[dict]:
    """Each Function is tried out on the numbers of its first uses."""
    for function, uses in log.functions.items():
        for use in uses:
            found = wrong_derivative(log, use)
            if found is not None:
                step, numbers = use.step, use.tensors
                names = [log.name(t, step) for t in numbers]
                yield {
                    "step": step, "tensors": numbers, "lines": log.lines(step), "at": log.at(step), "function": function.__name__,
                    "is_not": "is not" if found.factor is not None else "may not be", "what": _words(found, names[found.argument]),
                    "inputs": "inputs" if len(names) > 1 else names[0],
                }  # fmt: skip
                break


def _words(found: Wrong, name: str) -> str:
    """What is wrong with a gradient."""
    if found.factor is None:
        return f"for an element of {name} it gives {found.given:.4g} where a small change shows {found.right:.4g}"
    if math.isclose(found.factor, -1, rel_tol=1e-3):
        return f"its gradient of {name} has the wrong sign"
    return f"its gradient of {name} is {found.factor:.4g} times what small changes show"


@NOTES.rule(
    "backward-ignores-gradient", "warning", "backward of a custom Function does not use the gradient that it gets",
    "{at}: backward() of {function} does not use {argument}, the gradient of its result. It got {given} and {acted}.",
    "{repair}",
    CUBE.format(factor=3).replace("grad * 3 *", "3 *").replace("y.sum()", "(y * 10).sum()"),
    CUBE.format(factor=3).replace("y.sum()", "(y * 10).sum()"),
)  # fmt: skip
def backward_ignores_gradient(log: Log) -> Iterator[dict]:
    """Its code reads none of its last arguments, and what came to it was not 1 alone. What returns None, or raises, has no need of them."""
    for function, uses in log.functions.items():
        code = getattr(vars(function).get("backward"), "__func__", None)
        ran = log.runs_by_name.get(f"{function.__name__}Backward", ())
        if code is None:
            continue
        arguments = unread(code.__code__)[1:]
        given = next(
            (v for i in ran for v in log.steps[i]["grads_in"] if v is not None and not _is_one(v)), None
        )
        if not arguments or given is None or len(arguments) < code.__code__.co_argcount - 1:
            continue
        i = uses[0].step
        yield {
            "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "function": function.__name__, "argument": arguments[0],
            "given": brief(given), **_acted(log, code.__code__, arguments),
        }  # fmt: skip


def unread(code: CodeType) -> list[str]:
    """The arguments of a function, the first one always, that its code does not read; none if the function gives nothing back."""
    steps = [*dis.get_instructions(code)]
    read = {
        name
        for step in steps
        if "LOAD_FAST" in step.opname
        for name in (step.argval if isinstance(step.argval, tuple) else (step.argval,))
    }
    ends = [k for k, step in enumerate(steps) if step.opname in ("RETURN_VALUE", "RETURN_CONST")]
    nothing = all(
        (steps[k] if steps[k].opname == "RETURN_CONST" else steps[k - 1]).opname
        in ("LOAD_CONST", "RETURN_CONST")
        for k in ends
    )
    names = code.co_varnames[: code.co_argcount]
    return [] if nothing or code.co_flags & VARARGS else [names[0], *(n for n in names[1:] if n not in read)]


def _acted(log: Log, backward: CodeType, arguments: list[str]) -> dict[str, Any]:
    """What backward() did instead, and what to do. What returns zeros always lets nothing through, whatever it is multiplied by."""
    edits = _multiplied(log, backward, arguments)
    if len(edits) == 1 and re.search(r"\bzeros(?:_like)?\(", edits[0].text):
        given = arguments[0]
        return {
            "acted": "returned zeros, so nothing before it learns",
            "repair": f"Return {given} itself to pass it straight through, or the derivative times {given}.",
            "edits": [edits[0]._replace(text=given)],
        }
    repair = f"Multiply by it, as the chain rule says: return {arguments[0]} * ..."
    return {"acted": "acted as if it were 1", "repair": repair, "edits": edits}


def _multiplied(log: Log, backward: CodeType, arguments: list[str]) -> list[Edit]:
    """The gradient times what backward() returns, where that is one gradient and the code has it."""
    file = name_of(backward.co_filename)
    for code in Code.all_of(log):
        methods = [
            n for n in ast.walk(code.tree)
            if isinstance(n, ast.FunctionDef) and n.name == "backward" and code.file in ("", file)
            and n.lineno - len(n.decorator_list) <= backward.co_firstlineno <= n.lineno
        ]  # fmt: skip
        for method in methods:
            values = [n.value for n in ast.walk(method) if isinstance(n, ast.Return) and n.value is not None]
            if len(values) == 1 and len(arguments) == 1 and not isinstance(values[0], (ast.Tuple, ast.List)):
                sum_of = isinstance(values[0], ast.BinOp) and isinstance(values[0].op, (ast.Add, ast.Sub))
                text = f"({code.text(values[0])})" if sum_of else code.text(values[0])
                return [code.replaced(values[0], f"{arguments[0]} * {text}")]
    return []


def _is_one(value: Value) -> bool:
    return value["elements"] is not None and {*value["elements"]} == {"1."}


@WHY.rule(
    "grad-of-wrong-backward", "warning", "it is wrong, because the backward of a custom Function is",
    "{name}.grad is {value}, but it went through a Function that does not compute its derivative. In {note}",
    "",
    CUBE.format(factor=2),
    CUBE.format(factor=3),
    ask="x.grad",
)  # fmt: skip
def grad_of_wrong_backward(s: Subject) -> Iterator[dict]:
    """A note of the trace blames a Function whose node is on the way."""
    if not s.has_grad or s.log is None or s.number is None or s.value is None:
        return
    towards = s.log.nodes_towards(s.number)
    for note in s.log.document["notes"]:
        if note["code"] == "backward-is-wrong" and s.log.steps[note["step"]].get("node") in towards:
            yield {"value": brief(s.value), "note": note["text"]} | s.place(note["step"])
            return
