"""Predicts when the training loop will end, as far as its source shows it, so that its last rounds are recorded in full.

Note [Forecast]: the user's `for` loops around a round are read in the source. If such a loop counts (`range`, `enumerate`, `tqdm`, a list),
the value of its variable shows how many passes are left. The number of rounds in a pass is found from the moments when the variable changed. If
loops are nested, the outermost loop is used; in its last pass, the next one is used. A forecast is only a hint, so no code of the user runs for
it. The end of a loop over anything else, of a `while` loop around it, and a `break` are not predicted.
"""

from __future__ import annotations

import ast
import linecache
import math
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any

from jgrad.tensor import Tensor
from jgrad.tracing.record.names import READS_LOCALS
from jgrad.tracing.record.scope import Scope, parse
from jgrad.tracing.record.user_code import UserCode

LISTS = (list, tuple, dict, set, frozenset, str, range)
COUNTED = ("range", "trange")
WRAPPED = ("enumerate", "tqdm", "list", "tuple", "sorted", "reversed", "iter", "track")
OPERATIONS: dict[type, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else None,
}
LARGEST = 10**12  # a number of passes above which nothing is foreseen


class Course:
    """How a loop went so far. Its passes are known by their positions, and rounds by how many had ended."""

    def __init__(self, position: int, count: int) -> None:
        self.position, self.count = position, count  # when it was last looked at
        # The first pass whose beginning was seen, and when it began, at the earliest and at the latest:
        self.first: tuple[int, float, float] | None = None
        self.began = (-math.inf, float(count))  # the same of the pass that runs
        self.each: tuple[float, float] | None = None  # how many rounds a pass has, at least and at most

    def look(self, position: int, count: int) -> None:
        """Note in which pass the loop is after so many rounds."""
        if position < self.position:  # it began anew
            self.first = None
            self.began = (count - self.each[1] if self.each else -math.inf, count)
        elif position > self.position and count > self.count:
            each = (count - self.count) / (position - self.position)
            self.began = (max(self.count, count - each), count)
            if self.first is None:
                self.first = position, *self.began
            elif position > self.first[0]:
                passes = position - self.first[0]
                self.each = (
                    (self.began[0] - self.first[2]) / passes,
                    (self.began[1] - self.first[1]) / passes,
                )
        self.position, self.count = position, count

    def end(self, left: int) -> tuple[float, float] | None:
        """After how many rounds the loop ends, at the earliest and at the latest, if so many passes are left after this one."""
        low, high = self.began
        if self.each is None:
            return None if self.first is None else (low + (left + 1) * (high - low), math.inf)
        return low + self.each[0] * (left + 1), high + self.each[1] * (left + 1)


class Forecast:
    """Looks at the loops around the rounds of one recording."""

    def __init__(self, scope: Scope, user: UserCode) -> None:
        self.scope = scope
        self.user = user
        self._courses: dict[tuple[str, int], Course] = {}  # by file and line
        self._trees: dict[str, ast.Module | None] = {}

    def end(self, frame: FrameType | None, count: int) -> tuple[float, float] | None:
        """After how many rounds the loops around a frame end, at the earliest and at the latest; None if that is not known. `count`: how many
        have ended."""
        found: list[tuple[Course, int]] = []  # from the innermost loop
        while frame is not None:
            code = frame.f_code
            here = code.co_filename == self.scope.filename
            if here or self.user.has(code, frame.f_globals):
                variables = Variables(frame)
                for loop in reversed(self._loops(frame)):
                    known = None if isinstance(loop, ast.While) else _passes(loop, variables)
                    if known is None:
                        found = []  # the loops inside of it may run any number of times
                        continue
                    position, total = known
                    key = code.co_filename, loop.lineno
                    course = self._courses.get(key)
                    if course is None:
                        course = self._courses[key] = Course(position, count)
                    course.look(position, count)
                    found.append((course, max(total - position - 1, 0)))
                variables.forget()
                if here and (code.co_name == "<module>" or self._is_outermost(frame)):
                    break
            frame = frame.f_back
        for k, (course, left) in enumerate(reversed(found)):
            if left or k == len(found) - 1:
                return course.end(left)
        return None

    def _is_outermost(self, frame: FrameType) -> bool:
        within = self.scope.within
        return within is not None and within[0] is frame.f_code

    def _loops(self, frame: FrameType) -> list[Any]:
        """The loops of the frame's function that are running, from the outermost."""
        tree = self._tree(frame)
        if tree is None:
            return []
        line = frame.f_lineno
        found: list[Any] = []
        low, high = 1, math.inf
        if frame.f_code.co_filename == self.scope.filename:
            low, high = self.scope.first, self.scope.last
        nodes: list[ast.AST] = [tree]
        while nodes:
            node = nodes.pop()
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.stmt) and not isinstance(
                    child, (ast.ExceptHandler, ast.match_case)
                ):
                    continue
                first, last = _span(child)
                if not first <= line <= last:
                    continue
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    found = []  # the loop is around the definition
                elif (
                    isinstance(child, (ast.For, ast.While))
                    and low <= first <= high
                    and any(s <= line <= e for s, e in map(_span, child.body))
                ):
                    found.append(child)
                nodes = [child]
                break
        return found

    def _tree(self, frame: FrameType) -> ast.Module | None:
        filename = frame.f_code.co_filename
        if filename not in self._trees:
            lines = linecache.getlines(filename, frame.f_globals)
            plain = [_without_magic(line) for line in lines]
            try:
                self._trees[filename] = parse("".join(plain)) if lines else None
            except (SyntaxError, ValueError):
                self._trees[filename] = None
        return self._trees[filename]


def _span(node: Any) -> tuple[int, int]:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno, node.body[-1].end_lineno or 0
    return node.lineno, node.end_lineno


def _without_magic(line: str) -> str:
    """A line of a cell, without what IPython alone understands."""
    text = line.lstrip()
    return f"{line[: len(line) - len(text)]}pass\n" if text[:1] in ("%", "!") else line


# What a loop counts ----------------------------------------------------------------------------------------------------------------


class Variables:
    """The variables of a frame."""

    def __init__(self, frame: FrameType) -> None:
        code = frame.f_code
        self.own = code.co_flags & CO_OPTIMIZED
        # A function that uses one of these may hold the very dictionary that f_locals gives.
        hidden = self.own and not READS_LOCALS.isdisjoint(code.co_names)
        self.local: Any = {} if hidden else frame.f_locals
        self.globals = frame.f_globals

    def get(self, name: str) -> Any:
        return self.local[name] if name in self.local else self.globals.get(name)

    def forget(self) -> None:
        """Before Python 3.13 a frame keeps a copy of its variables, and so whatever the function deletes."""
        if self.own and type(self.local) is dict:
            self.local.clear()


def _passes(loop: ast.For, variables: Variables) -> tuple[int, int] | None:
    """The position of the pass that runs, and how many passes there are."""
    target: ast.expr | None = loop.target
    iterated = loop.iter
    counted = False
    while isinstance(iterated, ast.Call) and iterated.args and _called(iterated) in WRAPPED:
        if _called(iterated) == "enumerate":
            counted = not counted and len(iterated.args) == 1 and not iterated.keywords
            if not counted or not isinstance(target, ast.Tuple):
                return None
            target = target.elts[0]
        elif _called(iterated) == "reversed":
            return None
        iterated = iterated.args[0]
    at = _value(target, variables)
    if isinstance(iterated, ast.Call) and _called(iterated) in COUNTED:
        numbers = [_value(part, variables) for part in iterated.args]
        if not 1 <= len(numbers) <= 3 or any(type(n) is not int for n in numbers) or numbers[2:] == [0]:
            return None
        passes: Any = range(*numbers)
        if counted and type(at) is int:
            at = passes[at] if 0 <= at < len(passes) else None
        if type(at) is not int or at not in passes or len(passes) > LARGEST:
            return None
        return passes.index(at), len(passes)
    total = _length(iterated, variables)
    return (at, total) if counted and total is not None and type(at) is int and 0 <= at < total else None


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _value(node: ast.AST | None, variables: Variables) -> Any:
    """The value of an expression of names and whole numbers; None of anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, ast.Attribute):
        fields = getattr(_value(node.value, variables), "__dict__", None)
        return fields.get(node.attr) if type(fields) is dict else None
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        left, right = _value(node.left, variables), _value(node.right, variables)
        return OPERATIONS[type(node.op)](left, right) if type(left) is type(right) is int else None
    if isinstance(node, ast.Call) and _called(node) == "len" and len(node.args) == 1:
        return _length(node.args[0], variables)
    return None


def _length(node: ast.AST, variables: Variables) -> int | None:
    """The length of the value of a name, if only Python's own code is needed to find it."""
    value = _value(node, variables)
    if type(value) in LISTS:
        return len(value)
    if type(value) is Tensor and value.shape:
        return value.shape[0]
    return None
