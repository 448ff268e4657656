"""Stops a program when an expression becomes true: `%%trace --stop "loss != loss"`.

It is asked after each backward pass and after each step of an optimizer, with the variables of the function that called these. It must not change the
program. So it may call nothing but what reads: methods of tensors and models, and some functions of Python's.
"""

from __future__ import annotations

import ast
import builtins
import math
from contextlib import ExitStack
from types import FrameType

from jgrad import mirrors, observer
from jgrad.graph.grad_mode import no_grad
from jgrad.tensor import Tensor

FUNCTIONS = frozenset(
    ("abs", "all", "any", "bool", "float", "int", "isinstance", "len", "max", "min", "round", "sum", "zip")
)
METHODS = frozenset(
    (
        "get",
        "items",
        "keys",
        "values",
        "parameters",
        "named_parameters",
        "buffers",
        "named_buffers",
        "modules",
        "named_modules",
    )
)
# Methods of tensors that do more than compute: they change a graph, a tensor or the state of the random numbers.
EFFECTS = frozenset(
    (
        "backward",
        "bernoulli",
        "multinomial",
        "register_hook",
        "register_post_accumulate_grad_hook",
        "retain_grad",
        "share_memory",
    )
)
READS = METHODS | {
    name for name in (*dir(Tensor), *dir(math)) if not name.endswith("_") and name not in EFFECTS
}


class Stopped(KeyboardInterrupt):
    """The program was stopped because an expression became true. It leaves the program as Ctrl+C does, past `except Exception`."""


Stopped.__module__ = "jgrad.trace"


class Condition:
    """An expression on which a program is to be stopped."""

    def __init__(self, text: str) -> None:
        """Raises ValueError for what is no expression, and for one that could change the program."""
        self.text = text.strip()
        try:
            tree = ast.parse(self.text, mode="eval")
        except (SyntaxError, ValueError):
            raise ValueError(
                f"{self.text or 'nothing'} is not an expression; write for example --stop 'loss != loss'"
            ) from None
        for node in ast.walk(tree):
            problem = _problem(node)
            if problem:
                raise ValueError(f"{self.text} could change the program: {problem}")
        self._code = compile(tree, "<jgrad stop>", "eval")
        self.asked = 0
        """How often it was asked and had a value."""
        self.stopped = False
        """Whether it has stopped the program."""
        self._failure = ""
        self._unknown = ""

    def is_met(self, frame: FrameType) -> bool:
        """Whether it is true for the variables of a frame. An expression that raises an error is asked no more."""
        if self._failure:
            return False
        variables = {**frame.f_globals, **frame.f_locals}
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
        except Exception as error:
            self._failure = f"{self.text} raised {type(error).__name__}: {error}"
            return False
        self.asked += 1
        self.stopped = found
        return found

    def remark(self) -> str:
        """How it went with an expression that did not stop the program."""
        if self._failure:
            return f"--stop: {self._failure}. So it was asked no more."
        if self.asked:
            return f"--stop: {self.text} was never true; it was asked {self.asked:,} time{'s' * (self.asked != 1)}."
        if self._unknown:
            return f"--stop: {self.text} was never asked, because {self._unknown} where backward() and step() are called."
        return f"--stop: {self.text} was never asked, because no backward() and no step of an optimizer ran."


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
