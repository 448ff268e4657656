"""Who may have written to a tensor that backward saved, where no trace saw the write: what the source, the optimizers and the modules in reach say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.syntax import around, parsed
from jgrad.tracing.document.user_sources import UserSources, last_line, name_of
from jgrad.tracing.explain.incident import LONGEST, Incident
from jgrad.tracing.explain.models import modules_of
from jgrad.tracing.record.user_code import UserCode

DEEP = 4  # calls from the function that failed to a write
MANY = 3  # writes that a sentence lists
IN_PLACE = re.compile(r"[a-z]\w*[a-z0-9]_")


class Suspect(NamedTuple):
    """A write, or several that may be it."""

    writes: list[tuple[str, str]]  # (place, statement): "line 2 of scale (cell 1)", "y.mul_(2)"
    sure: bool = False


def variable(incident: Incident, cell: Any) -> str:
    """The variable whose version counter this is: one that is no view of another, if there is one; else what lies in a module."""
    names = {
        n: v
        for n, v in incident.variables.items()
        if isinstance(v, Tensor) and v._counter is cell and n[0] != "_"
    }
    found = next((n for n, v in names.items() if v._base is None), next(iter(names), ""))
    return found or next(_parameters(incident, cell), "")


def _parameters(incident: Incident, cell: Any) -> Iterator[str]:
    """The same of the parameters and buffers of modules."""
    for name, value in incident.variables.items():
        for path, module in modules_of(name, value) if mirrors.is_module(value) and name[0] != "_" else ():
            for attribute, tensor in (*module._parameters.items(), *module._buffers.items()):
                if tensor is not None and mirrors.mirror(tensor)._counter is cell:
                    yield f"{path}.{attribute}"


def suspect(incident: Incident, cell: Any) -> Suspect | None:
    """What wrote to the tensor with this version counter, or may have."""
    return _by_name(incident, cell) or _by_step(incident, cell) or _in_what_was_called(incident)


def _does(place: str, statement: str) -> Suspect:
    return Suspect([(place, statement)], True)


def _by_step(incident: Incident, cell: Any) -> Suspect | None:
    """The last step() of an optimizer that holds the tensor, before the line that failed."""
    found = None
    for name, value in incident.variables.items():
        if mirrors.is_optimizer(value) and any(
            mirrors.mirror(p)._counter is cell for g in value.param_groups for p in g["params"]
        ):
            for call in _calls_before(incident):
                if ast.unparse(call.func) == f"{name}.step":
                    found = _does(incident.of_line(call.lineno), f"{name}.step()")
    return found


def _in_what_was_called(incident: Incident) -> Suspect | None:
    """Writes in place in the functions and modules that were called before the line that failed."""
    found: dict[str, str] = {}
    user, sources = UserCode(), UserSources({})
    todo = [(ast.unparse(call.func), incident.variables, 1) for call in _calls_before(incident)]
    seen: set[int] = set()
    while todo and len(found) <= MANY:
        name, variables, depth = todo.pop(0)
        value = _meaning(name, variables)
        for path, module in modules_of(name, value) if mirrors.is_module(value) else ():
            if getattr(module, "inplace", False):
                found[path] = f"{type(module).__name__} with inplace=True"
        for function in _functions(value):
            code = function.__code__
            source = sources.of(code).source if user.has(code, function.__globals__) else None
            if id(code) in seen or source is None:
                continue
            seen.add(id(code))
            body = _function_at(source.lines, sources.of(code).code.co_firstlineno, last_line(code))
            for line in _lines_that_write(body):
                found[
                    f"line {line} of {function.__qualname__.rpartition('<locals>.')[2]} ({name_of(code.co_filename)})"
                ] = source.lines[line - 1].strip()[:LONGEST]
            if depth < DEEP:
                todo += [
                    (ast.unparse(c.func), function.__globals__, depth + 1)
                    for c in ast.walk(body)
                    if isinstance(c, ast.Call)
                ]
    if not 0 < len(found) <= MANY:
        return None
    return Suspect([*found.items()])


def _functions(value: Any) -> Iterator[FunctionType]:
    """What runs when something is called: a function, a method, what the modules in a module do."""
    if mirrors.is_module(value):
        forwards = (type(module).forward for _, module in modules_of("", value))
        yield from (forward for forward in forwards if isinstance(forward, FunctionType))
    elif isinstance(value, FunctionType):
        yield value
    elif isinstance(value, MethodType) and isinstance(value.__func__, FunctionType):
        yield value.__func__


def _meaning(name: str, variables: Any) -> Any:
    """What a name with dots means, if attributes say it without running code."""
    first, *attributes = name.split(".")
    value = variables.get(first)
    for attribute in attributes:
        inside = getattr(value, "__dict__", {})
        value = inside.get(attribute, inside.get("_modules", {}).get(attribute))
    return value


def _calls_before(incident: Incident) -> list[ast.Call]:
    """The calls in the function that failed, or in the cell outside of functions, up to the line that failed."""
    lines, failed = incident.code.split("\n"), incident.code_line
    if failed is None:
        return []
    tree = parsed(lines)
    functions = around(tree, failed, (ast.FunctionDef, ast.AsyncFunctionDef))
    body: list[ast.stmt] = functions[-1].body if functions else tree.body
    closed = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [n for statement in body if not isinstance(statement, closed) for n in ast.walk(statement)]
    return sorted(
        (n for n in nodes if isinstance(n, ast.Call) and n.lineno <= failed), key=lambda n: n.lineno
    )


def _function_at(lines: list[str], first: int, last: int) -> ast.AST:
    """The function that has these lines."""
    for node in ast.walk(parsed(lines)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and first <= node.lineno <= last:
            return node
    return ast.Module([], [])


def _lines_that_write(function: ast.AST) -> list[int]:
    """The lines of a function that may write to a tensor in place: `t.mul_(2)`, `h += 1`, but not `count += 1` of a number."""
    numbers = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = set()
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and IN_PLACE.fullmatch(node.func.attr)
        ) or (isinstance(node, ast.AugAssign) and ast.unparse(node.target) not in numbers):
            found.add(node.lineno)
    return sorted(found)


def _by_name(incident: Incident, cell: Any) -> Suspect | None:
    """(place, statement) of the last line that writes in place to a variable with this version counter: of the cell that failed, or of those before it back to
    the one that gave the variable its value."""
    names = {name for name, v in incident.variables.items() if isinstance(v, Tensor) and v._counter is cell}
    cells = [
        (0, incident.code),
        *sorted(
            ((k, c) for k, c in incident.cells.items() if c.strip() != incident.code.strip()), reverse=True
        ),
    ]
    for number, source in cells:
        writes, bound = writes_in(source, names)
        last = next(
            (
                (n, text)
                for n, text in reversed(writes)
                if number or incident.line is None or n < incident.line
            ),
            None,
        )
        if last is not None:
            return _does(f"cell {number}, line {last[0]}" if number else incident.of_line(last[0]), last[1])
        names -= bound
    return None


LOOKS = (
    "detach",
    "view",
    "reshape",
    "t",
    "transpose",
    "permute",
    "expand",
    "squeeze",
    "unsqueeze",
    "flatten",
    "narrow",
    "select",
    "T",
    "mT",
)


def writes_in(source: str, names: set[str]) -> tuple[list[tuple[int, str]], set[str]]:
    """(line, statement) of what writes in place to one of these variables: `y.mul_(2)`, `y += 1`, `y.detach()[0] = 1`, `out=y`; and
    which of them the source gives a value."""
    lines = source.split("\n")
    tree = parsed(lines)
    found: list[tuple[int, str]] = []
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        target: ast.AST | None = None
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and IN_PLACE.fullmatch(node.func.attr):
                target = node.func.value
            target = next((k.value for k in node.keywords if k.arg == "out"), target)
        elif isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target = node.targets[0]
        while True:  # to the variable through which it is seen
            if isinstance(target, ast.Subscript) or (
                isinstance(target, ast.Attribute) and target.attr in LOOKS
            ):
                target = target.value
            elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
                target = target.func
            else:
                break
        if isinstance(target, ast.Name) and target.id in names:
            line = target.lineno
            found.append((line, lines[line - 1].strip()[:LONGEST]))
    return sorted(found), bound & names
