"""Where numbers leave the graph for good: an `item()`, `tolist()` or `numpy()` of what has a history, and what is computed from it later.

Such a call is no step. So the trace says what had a history, and the syntax says where its numbers went: through variables, attributes, lists,
arguments and results of functions, in all code that ran.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import GROWS, has
from jgrad.tracing.explain.edits import Code

# Methods and functions that give Python numbers, or arrays.
METHODS = ("item", "tolist", "numpy")
FUNCTIONS = ("float", "int", "asarray", "array")
CALLED = ("__call__", "forward")  # what runs when an object is called
LOOKS = ("shape", "size", "dtype", "device", "dim", "ndim", "numel", "requires_grad")
# A variable: (its function, "" outside of functions; its name), or (".", an attribute), or ("return", a function).
Place = tuple[str, str]


def taken_as_numbers(log: Log, step: int) -> Iterator[tuple[Code, ast.Call]]:
    """The calls that took numbers of what had a history before a step, if the step may have computed with them. The nearest ones come last."""
    flow = _Flow(log)
    source, line = log.places.line(log.steps[step])
    for code, call, value in flow.takings:
        if not flow.had_history(code, call, value, step):
            continue
        here = code is flow.codes[source] and has(call, line)
        if here or flow.leads(code, call, flow.codes[source], line):
            yield code, call


def _taken(call: ast.Call) -> ast.expr | None:
    """Of what a call takes numbers."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if isinstance(call.func, ast.Attribute) and name in METHODS:
        return call.func.value
    return call.args[0] if name in FUNCTIONS and call.args else None


class _Flow:
    """What goes where in all code of a log, by names."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.codes = {where: Code.of_log(log, where) for where in (None, *range(len(log.places.sources)))}
        self.goes: dict[Place, set[Place]] = defaultdict(set)
        self.takings: list[tuple[Code, ast.Call, ast.expr]] = []
        # Of functions, by their names.
        self.parameters: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
        self._functions: dict[int, str] = {}  # in which function a node stands
        self._own: dict[str, set[str]] = {}  # the variables of a function
        for code in self.codes.values():
            self._mark(code.tree, "")
        for code in self.codes.values():
            self._read(code)

    def _mark(self, node: ast.AST, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = f"{child.name}:{child.lineno}"
                names = [a.arg for a in (*child.args.posonlyargs, *child.args.args, *child.args.kwonlyargs)]
                self.parameters[child.name].append((inner, [n for n in names if n != "self"]))
                stored = {
                    n.id for n in ast.walk(child) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                }
                self._own[inner] = {*names, *stored}
            self._functions[id(child)] = function
            self._mark(child, inner)

    def _variable(self, node: ast.AST) -> Place | None:
        if isinstance(node, ast.Name):
            function = self._functions.get(id(node), "")
            return (function if node.id in self._own.get(function, ()) else ""), node.id
        return (".", node.attr) if isinstance(node, ast.Attribute) else None

    def _read_in(self, node: ast.AST) -> Iterator[Place]:
        """What an expression reads, results of functions among it; not the sizes of something."""
        if isinstance(node, ast.Attribute) and node.attr in LOOKS:
            return
        if isinstance(node, ast.Call):
            yield from (("return", function) for function, _ in self._called(node))
        elif (variable := self._variable(node)) is not None:
            yield variable
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Name)):
                yield from self._read_in(child)

    def _called(self, call: ast.Call) -> list[tuple[str, list[str]]]:
        """The functions that a call may run: those of this name, or what runs when an object is called."""
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        found = self.parameters.get(name, [])
        own = isinstance(call.func, ast.Name) or isinstance(getattr(call.func, "value", None), ast.Name)
        return found or ([one for name in CALLED for one in self.parameters.get(name, [])] if own else [])

    def _read(self, code: Code) -> None:
        for node in ast.walk(code.tree):
            values: list[ast.AST] = []
            targets: list[ast.AST] = []
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
                values, targets = (
                    [node.value] if node.value else [],
                    [*getattr(node, "targets", [getattr(node, "target", None)])],
                )
            elif isinstance(node, (ast.For, ast.comprehension)):
                values, targets = [node.iter], [node.target]
            elif isinstance(node, ast.Return) and node.value is not None:
                self._flows(node.value, [("return", self._functions[id(node)])])
            elif isinstance(node, ast.Call):
                self._call(code, node)
            into = [
                p
                for t in targets
                if t is not None
                for n in ast.walk(t)
                if (p := self._variable(n)) is not None
            ]
            for value in values:
                self._flows(value, into)

    def _call(self, code: Code, call: ast.Call) -> None:
        taken = _taken(call)
        if taken is not None:
            self.takings.append((code, call, taken))
        if isinstance(call.func, ast.Attribute) and call.func.attr in GROWS:
            into = [p for n in ast.walk(call.func.value) if (p := self._variable(n)) is not None]
            for argument in call.args:
                self._flows(argument, into)
        for function, names in self._called(call):
            for name, argument in (
                *zip(names, call.args, strict=False),
                *((k.arg or "", k.value) for k in call.keywords),
            ):
                self._flows(argument, [(function, name)])

    def _flows(self, value: ast.AST, into: list[Place]) -> None:
        for place in self._read_in(value):
            self.goes[place].update(into)

    def reached(self, places: set[Place]) -> set[Place]:
        """What may have been computed from some variables, they among it."""
        found, todo = {*places}, [*places]
        while todo:
            more = self.goes.get(todo.pop(), set()) - found
            found |= more
            todo += more
        return found

    def leads(self, code: Code, call: ast.Call, other: Code, line: int | None) -> bool:
        """Whether a statement may compute with what a call gives."""
        statement = None if line is None else other.statement_at(line)
        if statement is None:
            return False
        begin: set[Place] = set()
        for node in ast.walk(code.tree):  # what the statement of the call gives its value
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and _has(node.value, call):
                begin.update(
                    p
                    for t in getattr(node, "targets", [getattr(node, "target", None)])
                    for n in ast.walk(t)
                    if (p := self._variable(n))
                )
            elif isinstance(node, (ast.For, ast.comprehension)) and _has(node.iter, call):
                begin.update(p for n in ast.walk(node.target) if (p := self._variable(n)))
            elif isinstance(node, ast.Return) and _has(node, call):
                begin.add(("return", self._functions[id(node)]))
            elif isinstance(node, ast.Call) and node is not call and _has(node, call):
                if isinstance(node.func, ast.Attribute) and node.func.attr in GROWS:
                    begin.update(p for n in ast.walk(node.func.value) if (p := self._variable(n)))
                for function, names in self._called(node):
                    given = zip(names, node.args, strict=False)
                    begin.update((function, name) for name, argument in given if _has(argument, call))
        reached = self.reached(begin)
        return any(place in reached for place in self._read_in(statement))

    def had_history(self, code: Code, call: ast.Call, value: ast.expr, end: int) -> bool:
        """Whether what a call took numbers of had a history: something in its line did, or a variable from which it comes."""
        log = self.log
        names: set[str] = set()
        for i, step in enumerate(log.steps[:end]):
            made = [
                t
                for t in (*step.get("makes", ()), *step.get("reads", ()))
                if log.tensors[t]["grad_fn"] is not None
            ]
            source, line = log.places.line(step) if made else (None, None)
            if made and self.codes[source] is code and has(call, line):
                return i < end
        for t in log.tensors:
            if t["grad_fn"] is not None and t["created_step"] < end:
                names.update(name for _, name in t["names"])
        wanted = {*self._read_in(value)}
        return any(
            (name.rpartition(".")[2] if place == "." else name) in {n.rpartition(".")[2] for n in names}
            for place, name in self._behind(wanted)
        )

    def _behind(self, places: set[Place]) -> set[Place]:
        """The variables from which some come, they among them: as arguments of functions, since other names are asked about alone."""
        found, todo = {*places}, [*places]
        while todo:
            one = todo.pop()
            if one[0] in (".", "return", "") or one[1] not in {
                n for _, names in self._given(one[0]) for n in names
            }:
                continue
            more = {place for place, into in self.goes.items() if one in into} - found
            found |= more
            todo += more
        return found

    def _given(self, function: str) -> list[tuple[str, list[str]]]:
        return [one for found in self.parameters.values() for one in found if one[0] == function]


def _has(node: ast.AST | None, part: ast.AST) -> bool:
    return node is not None and any(n is part for n in ast.walk(node))
