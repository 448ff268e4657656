"""Python source that jgrad writes and compiles: fast paths, and the backward passes of nodes."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any


class Source:
    """Lines of Python. `add` appends some at the current depth; a `with block(...)` indents what is added within it."""

    __slots__ = ("lines", "indentation")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.indentation = ""

    def add(self, *lines: str) -> None:
        """Append lines."""
        self.lines += [self.indentation + line for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Append a head such as `if x:`; what follows in the with statement is its body."""
        self.add(head)
        outside = self.indentation
        self.indentation += "    "
        yield
        self.indentation = outside

    def text(self) -> str:
        """The whole source."""
        return "\n".join(self.lines) + "\n"


def load(text: str, title: str, function: str, namespace: dict[str, Any]) -> FunctionType:
    """Compile source, and return one of the functions that it defines. Tracebacks and debuggers show its lines under <jgrad TITLE>."""
    filename = f"<jgrad {title}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    defined: dict[str, FunctionType] = {}
    exec(compile(text, filename, "exec"), namespace, defined)
    return defined[function]


def is_tensor(name: str) -> str:
    """The source of a test: the argument is a tensor of a class that fast paths take."""
    return f"{name}.__class__ is Tensor or {name}.__class__ is now.Parameter"


def is_no_tensor(name: str) -> str:
    """The source of the opposite test."""
    return f"{name}.__class__ is not Tensor and {name}.__class__ is not now.Parameter"
