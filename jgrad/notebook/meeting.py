"""Whether a cell may do anything with tensors: by what it names and imports, before it runs."""

from __future__ import annotations

import dis
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

import numpy as np

from jgrad.tracing.record.scope import mentioned, replaced

# Libraries whose objects hold no tensors, but for NumPy's arrays of objects.
LIBRARIES = frozenset({"numpy", "pandas", "matplotlib", "PIL", "scipy", "polars"})
# Modules and functions that know no tensors.
APART = LIBRARIES | sys.stdlib_module_names
# Modules of Python's own whose objects hold nothing of the user's. Those of the others may: a partial, a namespace, a deque, an iterator.
CLOSED = LIBRARIES | {"_io", "datetime", "decimal", "fractions", "logging", "pathlib", "random", "re", "time", "typing", "uuid", "zoneinfo"}  # fmt: skip
PLAIN = (bool, int, float, complex, str, bytes, bytearray, range, slice, type(None))
COLLECTIONS = (list, tuple, set, frozenset, deque)
BOUND = (BuiltinFunctionType, MethodType, MethodWrapperType)
IMPORTS = dis.opmap["IMPORT_NAME"]
# The elements of a collection that are looked at.
FEW = 1000
RUNS_CODE = frozenset({"exec", "eval", "__import__", "get_ipython"})
WORDS = re.compile(r"[^\W\d]\w*")
# A line that imports one module, or from one.
IMPORT = re.compile(r"^[ \t]*(?:import|from) +(\w+)[\w.]*(?: +as +\w+| +import [\w ,]*)?$", re.MULTILINE)


def has_only_plain_words(text: str, variables: Mapping[str, Any]) -> bool:
    """Whether the words of a cell's text show that it can't meet tensors, so that it need not be compiled to know it: it imports nothing that knows
    tensors, and no word is the name of what may lead to some."""
    if not text.isascii():  # Python knows an identifier in several spellings
        return False
    if all(map(_is_apart, IMPORT.findall(text))):
        text = IMPORT.sub("", text)
    words = {*WORDS.findall(text)}
    if "import" in words or words & RUNS_CODE:
        return False
    return not any(word in variables and _leads_to_tensors(variables[word]) for word in words)


def may_meet_tensors(code: CodeType, variables: Mapping[str, Any]) -> bool:
    """Whether a cell may do anything with tensors: not if all that it names is plain, or belongs to a library that knows none. So a cell of another kind
    costs nothing."""
    named = {name for name in mentioned(code) if name in RUNS_CODE or _leads_to_tensors(variables.get(name))}
    if named and named - replaced([code]):
        return True
    return any(not _is_apart(module) for module in _imported(code))


def _leads_to_tensors(value: Any) -> bool:
    """Whether a tensor may be reached from a value, or by calling it."""
    # The type itself is asked: what a proxy says of its class may raise an error.
    kind = type(value)
    if issubclass(kind, PLAIN):
        return False
    if issubclass(kind, COLLECTIONS) and len(value) <= FEW:
        return not all(isinstance(one, PLAIN) for one in value)
    if issubclass(kind, np.ndarray):
        return bool(value.dtype == object)
    if issubclass(kind, ModuleType):
        return not _is_apart(value.__name__)
    if issubclass(kind, type):
        return not _is_apart(value.__module__)
    if issubclass(kind, FunctionType):
        # A decorator of Python's own keeps what it decorates in a closure.
        return value.__closure__ is not None or not _is_apart(value.__globals__.get("__name__"))
    if issubclass(kind, BOUND):
        function = getattr(value, "__func__", None)
        return _leads_to_tensors(value.__self__) or _leads_to_tensors(function)
    return _root(kind.__module__) not in CLOSED


def _is_apart(module: Any) -> bool:
    return _root(module) in APART


def _root(module: Any) -> str:
    return str(module).partition(".")[0]


def _imported(code: CodeType) -> Iterator[str]:
    """The modules that a cell imports, also in its functions."""
    if IMPORTS in code.co_code[::2]:
        instructions = dis.get_instructions(code)
        yield from [i.argval or "." for i in instructions if i.opcode == IMPORTS]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant)
