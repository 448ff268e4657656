"""Arithmetic with numbers in formulas that run on tensors.

PyTorch's formulas are C++. There `2 * result` multiplies by a number, and its node is `MulBackward1`. The same line of Python first makes a tensor
from the number, and its node is `MulBackward0`. With `create_graph=True` users see these nodes. So a formula that runs on tensors is
compiled again: for each `+`, `-`, `*` and `/` it calls a function of `jgrad/ops/composed_arithmetic.py`. If one operand is a number, this function uses
the operator of PyTorch's C++. So the formula itself, which also runs on raw arrays, stays easy to read.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# What stands for an operator of Python, by the name of its class in `ast`.
_arithmetic: dict[str, Callable[..., Any]] = {}
_rewritten: dict[tuple[types.FunctionType, bool], types.FunctionType] = {}
_finished: set[Callable[..., Any]] = set()  # functions that are not rewritten (any more)
_names: dict[str, dict[str, Any]] = {}  # by module: what its rewritten formulas see


def stands_for(operator: type[ast.operator]) -> Callable[[Function], Function]:
    """Declare the function that a formula on tensors calls instead of an operator of Python."""

    def keep(function: Function) -> Function:
        _arithmetic[f"_{operator.__name__}"] = function
        _finished.add(function)
        return function

    return keep


def of_tensors(formula: Callable[..., Any], operands: bool = False) -> Callable[..., Any]:
    """A formula for tensors: its arithmetic with numbers has PyTorch's nodes, also in the helpers that it calls. `operands`: a number may stand for
    a tensor in it, as the 2 of the user's `x * 2`, which PyTorch saves as a tensor. Then its own arithmetic stays as it is."""
    assert isinstance(formula, types.FunctionType)
    found = _rewritten.get((formula, operands))
    if found is None:
        names = _names_of(formula)
        code = (None if operands else _code_of(formula)) or formula.__code__
        found = types.FunctionType(code, names, formula.__name__, formula.__defaults__)
        found.__kwdefaults__ = formula.__kwdefaults__
        _rewritten[formula, operands] = found  # (before its helpers: one may call itself)
        _finished.add(found)
        for name in _globals_in(code):
            helper: Any = names.get(name)
            if _is_helper(helper):
                names[name] = of_tensors(helper)
    return found


def _names_of(formula: types.FunctionType) -> dict[str, Any]:
    """The globals of a formula, with the functions for its arithmetic."""
    names = _names.get(formula.__module__)
    if names is None:
        names = _names[formula.__module__] = {**formula.__globals__, **_arithmetic}
    return names


def _globals_in(code: types.CodeType) -> set[str]:
    found = {*code.co_names}
    return found.union(*[_globals_in(c) for c in code.co_consts if isinstance(c, types.CodeType)])


def _is_helper(value: Any) -> bool:
    """Whether it is a plain function of a chapter of operators: no operator, and not rewritten yet."""
    return (
        isinstance(value, types.FunctionType)
        and value.__module__.startswith("jgrad.ops.")
        and not hasattr(value, "op")
        and value.__closure__ is None
        and value not in _finished
    )


# The source ---------------------------------------------------------------------------------------------------------------------


def _code_of(formula: types.FunctionType) -> types.CodeType | None:
    """The code of a formula with its arithmetic replaced. None if there is no arithmetic in it, or no source."""
    try:
        tree = tree_of(formula)
    except (OSError, SyntaxError, IndexError, ValueError):
        # Python has no source, or does not keep its places.
        return None
    rewriter = Rewriter()
    tree = ast.fix_missing_locations(rewriter.visit(tree))
    return code_in(compile(tree, formula.__code__.co_filename, "exec")) if rewriter.changed else None


def code_in(module: types.CodeType) -> types.CodeType:
    """The code of the one function that a module defines."""
    return next(c for c in module.co_consts if isinstance(c, types.CodeType))


def tree_of(formula: types.FunctionType) -> ast.Module:
    """The tree of a formula, as a module with nothing else."""
    return _lambda(formula) if formula.__name__ == "<lambda>" else _function(formula)


def _lambda(formula: types.FunctionType) -> ast.Module:
    """The tree of a lambda. Its instructions know the places in the source that they come from."""
    begins: list[tuple[int, int]] = []
    ends: list[tuple[int, int]] = []
    for first, last, begin, end in formula.__code__.co_positions():
        if first and last and begin and end:
            begins.append((first, begin))
            ends.append((last, end))
    (first, begin), (last, end) = min(begins), max(ends)
    lines = linecache.getlines(formula.__code__.co_filename)[first - 1 : last]
    lines[-1] = lines[-1].encode()[:end].decode()
    lines[0] = lines[0].encode()[begin:].decode()
    names = formula.__code__.co_varnames[: formula.__code__.co_argcount]
    body = "".join(lines)
    return ast.increment_lineno(ast.parse(f"lambda {', '.join(names)}: ({body})"), first - 1)


def _function(formula: types.FunctionType) -> ast.Module:
    tree = ast.parse(inspect.getsource(formula))
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    # From Python 3.14 on, annotations are code too, which would come first in the module.
    definition.returns = None
    for node in ast.walk(definition.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.increment_lineno(tree, formula.__code__.co_firstlineno - 1)


class Rewriter(ast.NodeTransformer):
    """Replaces arithmetic by calls: `a * b` becomes `_Mult(a, b)`."""

    changed = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = f"_{type(node.op).__name__}"
        if name not in _arithmetic:
            return node
        self.changed = True
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], []), node)
