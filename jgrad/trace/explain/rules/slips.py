"""Slips of the pen: code that Python accepts and that does nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jgrad.trace.document.log import Log
from jgrad.trace.explain.rule import Rules

NOTES = Rules()

METHODS = (
    "zero_grad",
    "step",
    "backward",
    "requires_grad_",
    "retain_grad",
    "detach_",
    "zero_",
    "eval",
    "train",
)
MISSPELT = (
    "require_grad",
    "required_grad",
    "require_gradient",
    "requires_gradient",
    "requires_grads",
    "require_grads",
)
HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
)
LOOP = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    {}
    (w * 2).sum().backward()
    opt.step()
"""
CARRIED = """
w = jgrad.ones(1, requires_grad=True)
h = w * 2
{}
loss = (h * 3).sum()
loss.backward()
"""


@NOTES.rule(
    "method-not-called", "warning", "a method is named but not called",
    "line {line}: {text} names the method without calling it, so nothing happens.",
    "Write {text}().",
    LOOP.format("opt.zero_grad"),
    LOOP.format("opt.zero_grad()"),
)  # fmt: skip
def method_not_called(log: Log) -> Iterator[dict]:
    for node in _statements(log, ast.Expr):
        if isinstance(node.value, ast.Attribute) and node.value.attr in METHODS:
            yield _case(log, node, ast.unparse(node))


@NOTES.rule(
    "compared-not-assigned", "warning", "== is written where = was meant",
    "line {line}: {text} compares and sets nothing.",
    "Write {code}.",
    "x = jgrad.ones(2)\nx.requires_grad == True\ny = x * 2",
    "x = jgrad.ones(2)\nx.requires_grad = True\ny = x * 2",
)  # fmt: skip
def compared_not_assigned(log: Log) -> Iterator[dict]:
    for node in _statements(log, ast.Expr):
        value = node.value
        left = value.left if isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq) else None
        if isinstance(left, ast.Attribute) and left.attr in ("requires_grad", "grad", "data"):
            yield _case(
                log,
                node,
                ast.unparse(node),
                code=f"{ast.unparse(left)} = {ast.unparse(value.comparators[0])}",
            )


@NOTES.rule(
    "attribute-misspelt", "warning", "an attribute is set that autograd does not know",
    "line {line}: {written} = ... has no effect, because autograd knows no such attribute.",
    "Write {owner}.requires_grad_().",
    "x = jgrad.ones(2)\nx.require_grad = True\ny = x * 2",
    "x = jgrad.ones(2)\nx.requires_grad = True\ny = x * 2",
)  # fmt: skip
def attribute_misspelt(log: Log) -> Iterator[dict]:
    for node in _statements(log, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Attribute) and target.attr in MISSPELT:
            yield _case(
                log, node, ast.unparse(node), written=ast.unparse(target), owner=ast.unparse(target.value)
            )


@NOTES.rule(
    "forward-past-hooks", "warning", "forward() of a module with hooks is called",
    "line {line}: {text} bypasses the hooks of {owner}, which run only when {owner} itself is called.",
    "Write {owner}(...).",
    """
net = jgrad.nn.Linear(2, 1)
net.register_forward_hook(lambda module, inputs, output: print(output.shape))
y = net.forward(jgrad.ones(1, 2))
""",
    """
net = jgrad.nn.Linear(2, 1)
net.register_forward_hook(lambda module, inputs, output: print(output.shape))
y = net(jgrad.ones(1, 2))
""",
)  # fmt: skip
def forward_past_hooks(log: Log) -> Iterator[dict]:
    """`net.forward(x)` of a module that has hooks."""
    calls = [
        n.func for n in ast.walk(log.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    hooked = {ast.unparse(f.value) for f in calls if f.attr in HOOKS}
    for f in calls:
        owner = ast.unparse(f.value)
        if f.attr == "forward" and owner in hooked:
            yield _case(log, f, f"{owner}.forward()", owner=owner)


@NOTES.rule(
    "result-thrown-away", "warning", "the result of detach() is not used",
    "line {line}: {text} returns a new tensor that no variable keeps, and {owner} still has its history.",
    "Write {owner} = {text}.",
    CARRIED.format("h.detach()"),
    "w = jgrad.ones(1, requires_grad=True)\nh = w * 2\nh = h.detach()\nloss = (w * h * 3).sum()\nloss.backward()",
)  # fmt: skip
def result_thrown_away(log: Log) -> Iterator[dict]:
    """`h.detach()` by itself; at the end of a cell it is shown."""
    for node in _statements(log, ast.Expr):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if (
            isinstance(called, ast.Attribute)
            and called.attr == "detach"
            and node.lineno != log.tree.body[-1].lineno
        ):
            yield _case(log, node, ast.unparse(node), owner=ast.unparse(called.value))


def _statements(log: Log, kind: type) -> list[Any]:
    """The statements of a kind in a cell."""
    return [node for node in ast.walk(log.tree) if isinstance(node, kind)]


def _case(log: Log, node: ast.stmt | ast.expr, text: str, **blanks: str) -> dict:
    step = next((i for i, s in enumerate(log.steps) if (s["line"] or 0) >= node.lineno), -1)
    return {"step": step, "tensors": [], "lines": [node.lineno], "line": node.lineno, "text": text} | blanks
