"""Stops a program when an expression becomes true: `%%trace --stop "loss != loss"`.

It is asked after each backward pass and after each step of an optimizer, with the variables of the function that called these, and of those that called
this one. It must not change the program. So it may read tensors, models and Python's own containers, and may call nothing but methods that read
them, and some functions of Python's. What its text shows is refused before the program runs. What only a value shows (that a name means an iterator,
which reading would use up) is looked at when the expression is asked.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections import deque
from collections.abc import Callable, ItemsView, Iterable, KeysView, ValuesView
from contextlib import ExitStack
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

from jgrad import mirrors, observer
from jgrad.graph.grad_mode import no_grad
from jgrad.tensor import Tensor

READING = {name: getattr(builtins, name) for name in "all any max min sum zip".split()}  # they iterate
FUNCTIONS = READING | {
    name: getattr(builtins, name) for name in "abs bool float int isinstance len round".split()
}
METHODS = frozenset(
    "get items keys values parameters named_parameters buffers named_buffers modules named_modules".split()
)
# Methods of tensors that do more than compute: they change a graph, a tensor or the state of the random numbers.
EFFECTS = frozenset(
    "backward bernoulli multinomial register_hook register_post_accumulate_grad_hook retain_grad share_memory".split()
)
WRITES_AN_ARRAY = frozenset("put resize sort".split())  # in NumPy, in place
READS = METHODS | {
    name for name in (*dir(Tensor), *dir(math)) if not name.endswith("_") and name not in EFFECTS
}
CONTAINERS = (list, tuple, dict, set, frozenset, range, str, bytes, deque, KeysView, ValuesView, ItemsView)
# What the expression calls instead of reading a value itself. No variable of a program has such a name.
CALLED, READ = "<called>", "<read>"
ITERATED = (ast.Name, ast.Attribute, ast.Subscript)  # the others are made by the expression


class Stopped(KeyboardInterrupt):
    """The program was stopped because an expression became true. It leaves the program as Ctrl+C does, past `except Exception`."""


Stopped.__module__ = "jgrad.trace"


class Effect(Exception):
    """Why asking the expression could change the program."""


class Condition:
    """An expression on which a program is to be stopped."""

    def __init__(self, text: str) -> None:
        """Raises ValueError for what is no expression, and for one that could change the program."""
        self.text = text.strip()
        try:
            tree = ast.parse(self.text, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise ValueError(
                f"{self.text or 'nothing'} is not an expression; write for example --stop 'loss != loss'"
            ) from None
        for node in ast.walk(tree):
            problem = _problem(node)
            if problem:
                raise ValueError(f"{self.text} could change the program: {problem}")
        code = compile(tree, "<jgrad stop>", "eval")
        self._names = _names_of(code) - {*FUNCTIONS}
        self._code = compile(ast.fix_missing_locations(_Guarded().visit(tree)), "<jgrad stop>", "eval")
        self.asked = 0
        """How often it was asked and had a value."""
        self.stopped = False
        """Whether it has stopped the program."""
        self._effect = ""
        # What it raised first, and how often it raised something.
        self._failure = ""
        self._failures = 0
        self._unknown = ""

    def is_met(self, frame: FrameType) -> bool:
        """Whether it is true for the variables of a frame. One that raises an error is asked again: its variables may not be there yet."""
        if self._effect:
            return False
        variables = {**_variables(self._names, frame), **FUNCTIONS, CALLED: _called, READ: _read}
        variables["__builtins__"] = builtins
        try:
            with ExitStack() as quiet:
                quiet.enter_context(observer.unobserved())
                for guard in (no_grad(), *[library.module.no_grad() for library in mirrors.loaded]):
                    quiet.enter_context(guard)
                found = bool(eval(self._code, variables))
        except NameError as error:  # another function calls backward() too
            self._unknown = str(error)
            return False
        except Effect as effect:
            self._effect = str(effect)
            return False
        except Exception as error:
            self._failure = self._failure or f"{type(error).__name__}: {error}"
            self._failures += 1
            return False
        self.asked += 1
        self.stopped = found
        return found

    def remark(self) -> str:
        """How it went with an expression that did not stop the program."""
        if self._effect:
            return f"--stop: {self.text} was not asked, because it could change the program: {self._effect}."
        raised = f"raised {self._failure}" if self._failure else ""
        if self.asked:
            more = f" {_times(self._failures)} more it {raised}." if raised else ""
            return f"--stop: {self.text} was never true; it was asked {_times(self.asked)}.{more}"
        if raised:
            return (
                f"--stop: {self.text} {raised}. So it was never true; it was asked {_times(self._failures)}."
            )
        if self._unknown:
            return f"--stop: {self.text} was never asked, because {self._unknown} where backward() and step() are called."
        return f"--stop: {self.text} was never asked, because no backward() and no step of an optimizer ran."


def _times(count: int) -> str:
    return f"{count:,} time{'s' * (count != 1)}"


def _names_of(code: CodeType) -> set[str]:
    """The variables that an expression mentions, and the attributes."""
    inner = [_names_of(c) for c in code.co_consts if isinstance(c, CodeType)]
    return {*code.co_names}.union(*inner)


def _variables(names: set[str], frame: FrameType | None) -> dict[str, Any]:
    """What these names mean in a frame; else in the ones that called it."""
    found: dict[str, Any] = {}
    while frame is not None and len(found) < len(names):
        for variables in (frame.f_locals, frame.f_globals):
            found |= {name: variables[name] for name in names if name not in found and name in variables}
        frame = frame.f_back
    return found


# What its text shows -------------------------------------------------------------------------------------------------------------


def _problem(node: ast.AST) -> str:
    """What a part of an expression might change."""
    if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
        return f"it may not hold {ast.unparse(node)}"
    if not isinstance(node, ast.Call):
        return ""
    called = node.func
    if any(keyword.arg in (None, "out") for keyword in node.keywords):
        return f"{ast.unparse(node)} may write to a tensor"
    if isinstance(called, ast.Name) and called.id in FUNCTIONS:
        return ""
    if isinstance(called, ast.Attribute) and called.attr in READS:
        return ""
    return f"it may call what reads a tensor, such as norm() or isnan(), and not {ast.unparse(called)}()"


class _Guarded(ast.NodeTransformer):
    """Has an expression look at a value before it calls a method of it, or reads it item by item."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        called = node.func
        if isinstance(called, ast.Name) and called.id in READING:
            node.args = [_guarded(argument) for argument in node.args]
        self.generic_visit(node)
        if isinstance(called, ast.Attribute):
            shown = ast.unparse(called.value)
            node.func = _call(CALLED, called.value, called.attr, shown)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = _guarded(node.iter)
        self.generic_visit(node)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.Starred:
        node.value = _guarded(node.value)
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        node.comparators = [
            _guarded(one) if isinstance(operator, (ast.In, ast.NotIn)) else one
            for operator, one in zip(node.ops, node.comparators, strict=True)
        ]
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        node.value = _guarded(node.value)
        self.generic_visit(node)
        return node


def _guarded(node: ast.expr) -> ast.expr:
    return _call(READ, node, ast.unparse(node)) if isinstance(node, ITERATED) else node


def _call(name: str, value: ast.expr, *words: str) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [value, *map(ast.Constant, words)], [])


# What a value shows --------------------------------------------------------------------------------------------------------------


def _called(value: Any, name: str, shown: str) -> Callable[..., Any]:
    """A method of a value, if it only reads."""
    array = isinstance(value, (np.ndarray, np.generic))
    reads = (
        (array and name not in WRITES_AN_ARRAY)
        or mirrors.is_tensor(value)
        or isinstance(value, (ModuleType, int, float, complex))
        or (name in METHODS and (mirrors.is_module(value) or isinstance(value, dict)))
    )
    if not reads and value is not None:
        raise Effect(
            f"{shown} is no tensor, but of type {type(value).__name__}, and {name}() may do anything"
        )
    method: Callable[..., Any] = getattr(value, name)
    return method


def _read(value: Any, shown: str) -> Any:
    """A value that is read item by item, if this changes nothing."""
    if isinstance(value, dict) and hasattr(value, "__missing__"):
        return {**value}  # else a key that is not there would be made
    known = (
        isinstance(value, (*CONTAINERS, np.ndarray)) or mirrors.is_tensor(value) or mirrors.is_module(value)
    )
    if known or not (isinstance(value, Iterable) or hasattr(value, "__getitem__")):
        return value
    raise Effect(f"{shown} is of type {type(value).__name__}, and reading from it may change it")
