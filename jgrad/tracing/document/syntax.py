"""What is read off the syntax tree of a cell: its loops, what it clears, what it assigns, where it leaves the graph for plain numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jgrad.tracing.record.scope import parse

LOOPS = (ast.For, ast.While)

# Methods that put something into a list or its like.
GROWS = ("append", "extend", "insert", "add", "update", "appendleft")


def has(node: Any, line: int | None) -> bool:
    """Whether a line is one of those of a node."""
    return line is not None and node.lineno <= line <= (node.end_lineno or node.lineno)


def around(tree: ast.AST, line: int | None, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> list[Any]:
    """The nodes of a kind that have a line, outer ones first."""
    return [n for n in ast.walk(tree) if isinstance(n, kind) and has(n, line)]


def loops_around(source: list[str], lines: list[int]) -> list[Any]:
    """The innermost loop of a cell in whose body all these lines are."""
    loops = around(parsed(source), lines[0] if lines else None, LOOPS)
    return [n for n in loops if n.body[0].lineno <= lines[0] and lines[-1] <= (n.end_lineno or 0)][-1:]


def cleared_by(node: ast.stmt) -> tuple[int, str] | None:
    """(line, "opt") of a statement `opt.zero_grad()`."""
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr == "zero_grad":
        return node.lineno, ast.unparse(called.value)
    return None


def in_loop(source: str, line: int) -> bool:
    """Whether a line of a cell stands in a loop."""
    return any(n.body[0].lineno <= line for n in around(parsed(source.split("\n")), line, LOOPS))


def numbers_taken(source: list[str], names: set[str]) -> Iterator[tuple[int, str]]:
    """(line, expression) of what makes Python numbers, arrays or fresh tensors of variables: `w.item()`, `float(w)`, `tensor(w)`, `math.exp(w)`."""
    whole, tree = "\n".join(source), parsed(source)
    parts = {  # the v of `for v in x`
        target.id: iterable for node in ast.walk(tree) if isinstance(node, (ast.For, ast.comprehension))
        for target, iterable in [(node.target, node.iter)] if isinstance(target, ast.Name)
    }  # fmt: skip
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in ("item", "tolist", "numpy"):
            taken: list[ast.AST] = [called.value]
        elif (isinstance(called, ast.Name) and called.id in ("float", "int", "complex", "bool")) or (
            isinstance(called, ast.Attribute)
            and (
                called.attr in ("tensor", "array", "asarray")
                or ast.unparse(called.value) in ("math", "np", "numpy")
            )
        ):
            taken = list(node.args)
        else:
            continue
        read = {n.id for t in taken for n in ast.walk(t) if isinstance(n, ast.Name)}
        read |= {
            n.id for name in read & parts.keys() for n in ast.walk(parts[name]) if isinstance(n, ast.Name)
        }
        if read & names:
            text = ast.get_source_segment(whole, node) or ""
            found.append((node.lineno, text if "\n" not in text and len(text) <= 60 else "it"))
    yield from sorted(found, key=lambda taken: (taken[1] == "it", taken[0], len(taken[1])))[:1]


def used_in(tree: ast.AST, line: int) -> set[int]:
    """The lines of the statements that may use what the statement of a line computes, its own among them. Printing is no use."""
    statements = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body")]
    heads = [n for n in ast.walk(tree) if isinstance(n, (ast.If, ast.While, ast.For))]
    returned = {
        n.lineno: function.name for function in ast.walk(tree) if isinstance(function, ast.FunctionDef)
        for n in ast.walk(function) if isinstance(n, ast.Return)
    }  # fmt: skip
    start = [n for n in statements if n.lineno <= line <= (n.end_lineno or line) and not _prints(n)]
    found, names = {n.lineno for n in start}, {name for n in start for name in _assigned(n)}
    grows = True
    while grows:
        before = len(found), len(names)
        for node in statements:
            if not _prints(node) and _reads(node, names):
                found.add(node.lineno)
                names |= _assigned(node)
        for head in heads:
            condition = head.iter if isinstance(head, ast.For) else head.test
            if (
                _reads(condition, names)
                or head.lineno in found
                or head.lineno <= line <= (condition.end_lineno or line)
            ):
                inner = [
                    n
                    for part in (*head.body, *head.orelse)
                    for n in ast.walk(part)
                    if isinstance(n, ast.stmt)
                ]
                found.update(n.lineno for n in inner)
                names |= {name for n in inner for name in _assigned(n)}
        called = {returned[at] for at in found & returned.keys()}
        names |= called | {f".{name}" for name in called}  # a function, or a method
        grows = (len(found), len(names)) != before
    return found


def decisions(source: list[str], names: set[str]) -> Iterator[tuple[int, str]]:
    """(line, condition) of what is decided by variables: `if w > 0`, `while`, `a if w > 0 else b`."""
    whole, tree = "\n".join(source), parsed(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)) and _reads(node.test, names):
            text = ast.get_source_segment(whole, node.test) or ""
            if "\n" not in text and len(text) <= 60:
                yield node.test.lineno, text


def _prints(node: ast.stmt) -> bool:
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "print"


def _assigned(node: ast.stmt) -> set[str]:
    """The variables that a statement gives a value: x of `x = 1`, `x += 1`, `x[0] = 1` and `x.append(1)`."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        targets = [called.value] if isinstance(called, ast.Attribute) and called.attr in GROWS else []
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    targets = [target.value if isinstance(target, ast.Subscript) else target for target in targets]
    parts = [n for target in targets if not isinstance(target, ast.Attribute) for n in ast.walk(target)]
    return {n.id for n in parts if isinstance(n, ast.Name)}


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load))
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and f".{n.func.attr}" in names)
        for n in ast.walk(node)
    )


SWITCHES = re.compile(r"\b(no_grad|inference_mode|set_grad_enabled)\b")


def switched_off(source: list[str], line: int | None) -> str:
    """ "no_grad()", "inference_mode()": what keeps a line from being recorded, as far as the source says; nothing if it does not."""
    around, closed, tree = [], [], parsed(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.With):
            heads = [item.context_expr for item in node.items]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            heads = node.decorator_list
        else:
            continue
        found = [at[1] for head in heads if (at := SWITCHES.search(ast.unparse(head)))]
        if line is not None and node.lineno <= line <= (node.end_lineno or 0):
            around += [(node.lineno, name) for name in found]
        elif not any(isinstance(inner, ast.Yield) for inner in ast.walk(node)):
            closed += found  # (With a `yield` it stays on while a generator waits.)
    names = [getattr(n, "attr", getattr(n, "id", "")) for n in ast.walk(tree)]
    for name in closed:
        names.remove(name)
    named = [max(around)[1]] if around else [*dict.fromkeys(filter(SWITCHES.fullmatch, names))]
    return f"{named[0]}({'False' if named[0] == 'set_grad_enabled' else ''})" if len(named) == 1 else ""


def left_off(source: list[str]) -> int | None:
    """The line of the only statement `set_grad_enabled(False)`, which holds on; None if there is none, or several."""
    calls = [n for n in ast.walk(parsed(source)) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    found = [n.lineno for n in calls if re.fullmatch(r"(?:\w+\.)*set_grad_enabled\(False\)", ast.unparse(n))]
    return found[0] if len(found) == 1 else None


def yielding(source: list[str], line: int | None) -> int | None:
    """The line of a `yield` in a `with no_grad():` that does not have a line itself: the mode stays on while the generator waits there."""
    for node in ast.walk(parsed(source)):
        if (
            isinstance(node, ast.With)
            and any(SWITCHES.search(ast.unparse(item.context_expr)) for item in node.items)
            and not (line and node.lineno <= line <= (node.end_lineno or 0))
        ):
            inner = [n for part in node.body for n in ast.walk(part)]
            found = [n.lineno for n in inner if isinstance(n, (ast.Yield, ast.YieldFrom))]
            if found:
                return found[0]
    return None


def loaded(source: list[str], line: int | None) -> set[str]:
    """The variables that the statement of a line reads."""
    statements = [n for n in ast.walk(parsed(source)) if isinstance(n, ast.stmt) and n.lineno == line]
    return {
        n.id for statement in statements for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }  # fmt: skip


def rebinds(source: list[str], line: int | None) -> str:
    """The variable to which a line gives a new value that it computes from the old: w in `w = w - 0.1 * w.grad`."""
    return _rebound("\n".join(source)).get(line, "")


@lru_cache(maxsize=32)
def _rebound(source: str) -> dict[int | None, str]:
    """The same of each line of a source. (A rule asks at every use of every parameter.)"""
    found: dict[int | None, str] = {}
    for node in ast.walk(parsed(source.split("\n"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}:
                found.setdefault(node.lineno, name)
    return found


def returns(function: ast.AST) -> bool:
    """Whether a function may give something back."""
    return any(isinstance(node, (ast.Return, ast.Yield, ast.Raise)) for node in ast.walk(function))


def parsed(lines: list[str], first: int = 1) -> ast.Module:
    """The tree of a cell without its magics, or of a part of a file, such as a method; an empty one if it is not Python. `first`: the number of the
    first line."""
    inner = bool(lines) and lines[0][:1].isspace() and bool(lines[0].strip())
    shown = ["" if line.lstrip().startswith(("%", "!")) else line for line in lines]
    try:
        tree: ast.Module = parse("\n".join(["if True:", *shown] if inner else shown))
    except SyntaxError:
        return ast.Module([], [])
    ast.increment_lineno(tree, first - 1 - inner)
    return tree
