"""Whether code of the user's can be run again unnoticed: it computes with its arguments and does nothing else.

Only what is known to be harmless is allowed. Code that draws random numbers, prints, keeps state or calls anything unknown is not.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import types
from collections.abc import Callable, Sequence

from jgrad.tracing.document.syntax import parsed

HARMLESS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.If, ast.For, ast.Pass, ast.Assert, ast.Raise, ast.With,
)  # fmt: skip
BUILTINS = frozenset(
    ("abs", "min", "max", "sum", "len", "range", "float", "int", "bool", "tuple", "list", "zip", "enumerate", "isinstance", "round", "pow")
)  # fmt: skip
# Names of functions that draw random numbers, or that change or tell more than their arguments:
REFUSED = re.compile(
    r"rand|normal|bernoulli|multinomial|poisson|dropout|rrelu|uniform|exponential|geometric|cauchy|seed|gumbel|empty|"
    r"^(?:set_|seterr|save(?!_for_backward)|load|manual|backward$|register_|print|requires_grad_|share_memory|cuda|retain_grad|storage|data_ptr|write|dump|tofile)"
)
MODULES = (
    "jgrad",
    "jgrad.nn",
    "jgrad.nn.functional",
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "math",
    "numpy",
)
DEPTH = 3  # functions of the user's that call one another


def pure(function: Callable, lines: Sequence[str], depth: int = DEPTH) -> bool:
    """Whether running a function again has no effect but its result. `lines` is the source of the cell in which it may be defined."""
    while hasattr(function, "__wrapped__"):  # of @once_differentiable
        function = function.__wrapped__
    if not isinstance(function, types.FunctionType) or function.__closure__:
        return False
    tree = _definition(function, lines)
    if tree is None:
        return False
    own = {a.arg for a in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    own |= {a.arg for a in (tree.args.vararg, tree.args.kwarg) if a is not None}
    own |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return all(_harmless(node, own, function, lines, depth) for part in tree.body for node in ast.walk(part))


def _definition(function: types.FunctionType, lines: Sequence[str]) -> ast.FunctionDef | None:
    """The syntax tree of a function: in the cell, or where Python finds its source."""
    code = function.__code__
    for node in ast.walk(parsed(list(lines))):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *[d.lineno for d in node.decorator_list]])
            if first == code.co_firstlineno:
                return node
    try:
        found = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return found if isinstance(found, ast.FunctionDef) else None


def _harmless(
    node: ast.AST, own: set[str], function: types.FunctionType, lines: Sequence[str], depth: int
) -> bool:
    """Whether a node of a function's tree does nothing but compute. `own`: the names that the function binds."""
    if isinstance(node, ast.stmt) and not isinstance(node, HARMLESS):
        return False
    if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.NamedExpr)):
        return False
    if isinstance(node, ast.Name) and node.id not in own:
        return node.id in BUILTINS or _constant(function.__globals__.get(node.id))
    if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
        return _root(node) in own
    if isinstance(node, ast.Call):
        return _harmless_call(node.func, own, function, lines, depth)
    return True


def _harmless_call(
    called: ast.expr, own: set[str], function: types.FunctionType, lines: Sequence[str], depth: int
) -> bool:
    """Whether a call does nothing but compute: of a method of what the function has, of a library, of a function that is pure."""
    if isinstance(called, ast.Attribute):
        return not any(REFUSED.search(part) for part in _path(called))
    if not isinstance(called, ast.Name) or called.id in own:
        return False
    known = function.__globals__.get(called.id)
    if known is None:
        return called.id in BUILTINS
    return depth > 0 and isinstance(known, types.FunctionType) and pure(known, lines, depth - 1)


def _constant(value: object) -> bool:
    """Whether a global variable may be read: a module of numbers, a number, a function (calls are looked at by themselves)."""
    if isinstance(value, types.ModuleType):
        return value.__name__ in MODULES
    return isinstance(value, (int, float, bool, str, types.FunctionType))


def _root(node: ast.expr) -> str:
    """The name at which `x.y[0].z` begins."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _path(node: ast.expr) -> list[str]:
    """The names in `jgrad.random.seed`."""
    found = []
    while isinstance(node, ast.Attribute):
        found.append(node.attr)
        node = node.value
    return found
