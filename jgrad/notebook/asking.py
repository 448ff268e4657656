"""What `%why SOMETHING` does: find out what is asked about, try out what may raise, and ask `explain`."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from jgrad import autograd
from jgrad.notebook.derivative import BadInput, a_, value_of
from jgrad.optim import Optimizer
from jgrad.tensor import Tensor
from jgrad.trace import explain
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.traces import Recorded
from jgrad.trace.record.held import held

ASKED = ("grad", "requires_grad", "is_leaf", "grad_fn")  # of a tensor
HELP = "write %why x.grad, %why y.backward() or %why x"


def answer(text: str, variables: dict[str, Any], traces: Sequence[Recorded], cells: Mapping[int, str]) -> str:
    """The answer to `%why text`."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        known = explain.about_words(text)
        if known is None:
            raise BadInput(f"%why: {text} is not an expression ({error.msg}); {HELP}") from None
        return known
    expression = tree.body[0].value if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) else None
    expression = _compared(expression)
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return _words(expression.value)
    if isinstance(expression, ast.Attribute) and expression.attr in ASKED:
        name = ast.get_source_segment(text, expression.value) or text
        tensor = value_of(name, variables, "%why")
        if isinstance(tensor, Tensor):
            spoilt = _spoilt(tensor)
            if spoilt is not None:
                return explain.because(_incident(text, spoilt, variables, traces, cells))
            if expression.attr == "grad":
                return explain.reason(explain.Subject.best(name, tensor, traces))["text"]
            return explain.describe(name, tensor, variables, traces)
        raise BadInput(f"%why: {name} is not a tensor but {a_(tensor)}; {HELP}")
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            call = _backward_call(expression)
            if call is not None:
                return _tried(text, call, variables)
            optimizer = _stepping(expression, text, variables)
            if optimizer is not None and expression.func.attr == "zero_grad":  # type: ignore[union-attr]
                raise BadInput(f"%why: {text} would clear gradients, and %why only looks; {HELP}")
            if optimizer is not None:
                tried = not expression.args and not expression.keywords  # type: ignore[union-attr]
                return explain.would_step(text, optimizer, variables, traces, tried)
            value = _run(text, expression, dict(variables))  # x = 3 is to leave the user's x alone
    except BadInput:
        raise
    except Exception as error:
        return explain.because(_incident(text, error, variables, traces, cells))
    told = [explain.why_raised(Incident(w.category.__name__, str(w.message))) for w in warned]
    if any(told):
        return "\n".join(found[1] for found in told if found is not None)
    if isinstance(value, Optimizer):
        return explain.would_step(f"{text}.step()", value, variables, traces, True)
    if isinstance(value, Tensor):
        spoilt = _spoilt(value)
        if spoilt is not None:
            return explain.because(_incident(text, spoilt, variables, traces, cells))
        return explain.describe(text, value, variables, traces)
    if isinstance(expression, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)):
        inside = next(iter(held({text: value})), None) if text.isidentifier() else None
        raise BadInput(
            f"%why: {text} is not a tensor but {a_(value)}; {f'write %why {inside}' if inside else HELP}"
        )
    raise BadInput(f"%why: {text} raised nothing; {HELP}")


def _compared(expression: ast.expr | None) -> ast.expr | None:
    """What `x.grad is None` and `not x.is_leaf` ask about."""
    asked = expression
    if isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
        asked = asked.operand
    if isinstance(asked, ast.Compare):
        asked = asked.left
    return asked if isinstance(asked, ast.Attribute) and asked.attr in ASKED else expression


def _spoilt(tensor: Tensor) -> RuntimeError | None:
    """What a view raises, whatever is asked about it, after a write that autograd forbids."""
    try:
        tensor.grad_fn  # noqa: B018
    except RuntimeError as error:
        return error
    return None


def _words(message: str) -> str:
    known = explain.about_words(message)
    if known is None:
        raise BadInput(f"%why: no rule of the catalogue knows the words {message[:60]!r}; {HELP}")
    return known


def _backward_call(expression: ast.expr | None) -> tuple[ast.Call, ast.expr] | None:
    """(call, what stands before .backward) if an expression is a call of backward()."""
    if (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Attribute)
        and expression.func.attr == "backward"
    ):
        return expression, expression.func.value
    return None


def _stepping(expression: ast.expr | None, text: str, variables: dict[str, Any]) -> Optimizer | None:
    """The optimizer whose step() or zero_grad() an expression calls."""
    called = expression.func if isinstance(expression, ast.Call) else None
    if not isinstance(called, ast.Attribute) or called.attr not in ("step", "zero_grad"):
        return None
    owner = value_of(ast.get_source_segment(text, called.value) or text, variables, "%why")
    return owner if isinstance(owner, Optimizer) else None


def _run(text: str, expression: Any, variables: dict[str, Any]) -> Any:
    code = compile(text, f"<%why {text}>", "exec" if expression is None else "eval", dont_inherit=True)
    try:
        return eval(code, variables)
    except NameError as error:
        if error.name and not hasattr(error, "obj"):
            raise BadInput(f"%why: {error.name} is not defined; {HELP}") from None
        raise


def _tried(text: str, parts: tuple[ast.Call, ast.expr], variables: dict[str, Any]) -> str:
    """What `root.backward(...)` would do: the same pass, by which no `.grad` and no saved tensor changes."""
    call, before = parts

    def value(node: ast.expr) -> Any:
        return value_of(ast.get_source_segment(text, node) or text, variables, "%why")

    asked, args = before, [value(arg) for arg in call.args]
    owner = value(before)
    roots = [owner]
    if owner is autograd and args:
        asked, first = call.args[0], args.pop(0)
        roots = list(first) if isinstance(first, (list, tuple)) else [first]
    for root in roots:
        if not isinstance(root, Tensor):
            _ = owner.backward  # what has none raises what the call would raise
            name = ast.get_source_segment(text, asked) or text
            raise BadInput(f"%why: {name} is not a tensor but {a_(root)}; {HELP}")
    given = {k.arg: value(k.value) for k in call.keywords if k.arg}
    start = args[0] if args else given.get("gradient", given.get("grad_tensors"))
    inputs = given.get("inputs")
    leaves = _leaves(roots) if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    found = autograd.grad(roots, leaves or roots, start, retain_graph=True, allow_unused=True)
    gradients = {id(leaf): g for leaf, g in zip(leaves, found, strict=False)}
    names = {n: id(v) for n, v in held(variables).items() if id(v) in gradients}
    named = {number: n for n, number in reversed(names.items())}
    nameless = {id(t): f"a tensor {list(t.shape)} without a name" for t in leaves if id(t) not in named}
    order = [*dict.fromkeys(names.values()), *nameless]
    return explain.would_do(text, [(named | nameless)[k] for k in order], [gradients[k] for k in order])


def _leaves(roots: list[Tensor]) -> list[Tensor]:
    """The leaves that a backward pass from some tensors would reach."""
    leaves = {id(root): root for root in roots if root.is_leaf and root.requires_grad}
    todo = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen = {*todo}
    while todo:
        node = todo.pop()
        if hasattr(node, "variable"):
            leaves[id(node.variable)] = node.variable
        for target, _ in node.next_functions:
            if target is not None and target not in seen:
                seen.add(target)
                todo.append(target)
    return list(leaves.values())


def _incident(
    text: str,
    error: Exception,
    variables: dict[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str],
) -> Incident:
    incident = Incident.of_error(error, variables, traces, cells)
    incident.line, incident.what, incident.source = None, re.sub(r"\s+", " ", text), text
    return incident
