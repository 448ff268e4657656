"""The local derivatives of an operation in the words of the program: `∂y/∂a = b` for `y = a * b`, where the declaration says `grad * other`.

What a formula calls `self` and `other` is read off the source text of the operation. Where the text leaves a doubt, nothing is said.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from jgrad.tracing.document.formulas import of_dtype

OPERATORS = {
    ast.Add: {"Add"},
    ast.Sub: {"Sub", "Rsub"},
    ast.Mult: {"Mul"},
    ast.Div: {"Div"},
    ast.MatMult: {"Mm", "Mv", "Dot"},
    ast.Pow: {"Pow"},
}
# If the left operand is a number, the method of the tensor on the right gets these.
REFLECTED = (ast.Add, ast.Sub, ast.Mult)
MODULES = {"torch", "jgrad", "F", "nn.functional", "torch.nn.functional", "jgrad.nn.functional"}
ALWAYS = {"grad", "result"}
SCALED = re.compile(r"(-)?grad( [*/] [^@]+)?\Z")
WHERE = re.compile(r"where\(([^,]+), grad, 0\)\Z")


class Expression(NamedTuple):
    """Where a node was made."""

    text: str
    """The expression, such as `a * b`."""
    target: str
    """The variable that it is assigned to; empty if there is none."""


class Tensors(NamedTuple):
    """What is known of the operands of a node."""

    names: set[str]
    """The names of tensors."""
    all_named: bool
    """Whether any other name means no tensor. It is so outside of functions."""
    needed: list[bool]
    """Which inputs need a gradient."""


def derivatives(
    name: str, formulas: Mapping[str, str], dtype: str, made: Expression, tensors: Tensors
) -> list[str]:
    """One text for each input of a node: "∂y/∂a = b", or "a: grad @ b.T" of what is no product; empty where the source leaves a doubt.

    `name`: of the node, `MulBackward0`. `formulas`: the derivative for each input. `tensors`: which
    texts mean tensors: they tell `x.exp()` from `torch.exp()`.
    """
    formulas = {x: of_dtype(f, dtype) for x, f in formulas.items()}
    if "alpha" not in made.text:
        formulas = {x: f.replace("alpha * grad", "grad") for x, f in formulas.items()}
    operands = _operands(name.split("Backward")[0], formulas, made.text, tensors)
    # In `x = x.exp()` the name means two tensors.
    target = "" if made.target in _free(made.text) else made.target
    result = _expression(target or made.text)
    return [_said(whose, formula, operands, target, result) for whose, formula in formulas.items()]


def _said(
    whose: str, formula: str, operands: dict[str, ast.expr], target: str, result: ast.expr | None
) -> str:
    known = operands if result is None else {**operands, "result": result}
    if whose not in operands:
        return ""
    name = ast.unparse(operands[whose])
    by = f"({name})" if not isinstance(operands[whose], ast.Name | ast.Attribute | ast.Subscript) else name
    scaled, where = SCALED.match(formula), WHERE.match(formula)
    if scaled is not None:
        factor = "1" + (scaled[2] or "") if (scaled[2] or " / ").startswith(" / ") else scaled[2][3:]
        written = _written(f"-({factor})" if scaled[1] else factor, known)
    elif where is not None:
        condition = _written(where[1], known)
        written = condition and f"1 where {condition}, else 0"
    else:
        written = _written(formula, known)
        return written and f"{name}: {written}"
    return written and f"∂{target}/∂{by} = {written}"


def _operands(op: str, formulas: Mapping[str, str], text: str, tensors: Tensors) -> dict[str, ast.expr]:
    """What the names in the formulas of an operation mean in its source; none if it is another operation or in doubt."""
    inputs, tree, keywords = list(formulas), _expression(text), {}
    if op == "Pow":
        inputs = ["self", "exponent"]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub) and op == "Neg":
        given = [tree.operand]
    elif isinstance(tree, ast.BinOp) and op in OPERATORS.get(type(tree.op), ()):
        given = [tree.right, tree.left][: len(inputs)] if op == "Rsub" else _sides(tree, tensors)
    elif isinstance(tree, ast.Call) and _name(tree.func) == op.lower():
        given = _arguments(tree, tensors)
        keywords = {k.arg: k.value for k in tree.keywords if k.arg}
    else:
        return {}
    free = _names(formulas.values()) - ALWAYS - {*inputs, *keywords}
    # Its only tensor comes first: the other argument is what the formula needs.
    if inputs == ["self"] and len(free) == 1:
        inputs = ["self", *free]
    elif free:
        return {}
    return dict(zip(inputs, given, strict=True)) | keywords if len(inputs) == len(given) else {}


def _sides(tree: ast.BinOp, tensors: Tensors) -> list[ast.expr]:
    """The operands of an operator as its function gets them; none if it can't be seen which of them is the tensor.

    Of a number and a tensor the function gets the tensor first, on whichever side it stands. So the second one is a tensor if it needs a gradient.
    """
    sides = [tree.left, tree.right]
    if not isinstance(tree.op, REFLECTED) or tensors.needed[1:] == [True]:
        return sides
    left, right = [_is_tensor(side, tensors) for side in sides]
    if left or right is False:
        return sides
    return sides[::-1] if left is False else []


def _is_tensor(side: ast.expr, tensors: Tensors) -> bool | None:
    """Whether an operand is a tensor; None if its text does not say so."""
    if ast.unparse(side) in tensors.names:
        return True
    if isinstance(side, ast.Constant) or (isinstance(side, ast.Name) and tensors.all_named):
        return False
    parts = [side.operand] if isinstance(side, ast.UnaryOp) else []
    parts = [side.left, side.right] if isinstance(side, ast.BinOp) else parts
    found = {_is_tensor(part, tensors) for part in parts}
    return True if True in found else False if found == {False} else None


def _arguments(call: ast.Call, tensors: Tensors) -> list[ast.expr]:
    """What a function gets without names, with the tensor whose method it is; nothing if it can't be seen which of the two it is."""
    if any(isinstance(a, ast.Starred) for a in call.args):
        return []
    if not isinstance(call.func, ast.Attribute) or ast.unparse(call.func.value) in MODULES:
        return call.args
    owner = call.func.value
    is_chain = isinstance(owner, ast.Name | ast.Attribute)
    if ast.unparse(owner) in tensors.names or not is_chain or not (call.args or call.keywords):
        return [owner, *call.args]
    return []


def _name(function: ast.expr) -> str:
    """The name of a function as nodes have it: `logsoftmax`. What works in place has none: its operand is no more what it was."""
    name = getattr(function, "attr", getattr(function, "id", ""))
    return "" if name.endswith("_") else name.replace("_", "")


def _written(formula: str, known: dict[str, ast.expr]) -> str:
    """A formula with the program's names; empty if it has a name that is not known."""
    tree = _expression(formula)
    if tree is None or not _names([formula]) <= {*known, "grad"}:
        return ""
    return ast.unparse(_Filler(known).visit(tree))


@functools.lru_cache(1024)
def _free(formula: str) -> frozenset[str]:
    tree = _expression(formula)
    if tree is None:
        return frozenset()
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in called)


def _names(formulas: Iterable[str]) -> set[str]:
    """The names in formulas that are no functions."""
    return {name for formula in formulas for name in _free(formula)}


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None


class _Filler(ast.NodeTransformer):
    """Puts operands in the place of their names, and works out numbers: 2 * b ** (2 - 1) is 2 * b."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        a, b = [getattr(side, "value", None) for side in (left, right)]
        if isinstance(node.op, ast.Sub) and isinstance(a, int | float) and isinstance(b, int | float):
            return ast.Constant(a - b)
        if isinstance(node.op, ast.Pow) and b == 1:
            return cast(ast.expr, left)
        return ast.BinOp(left, node.op, right)
