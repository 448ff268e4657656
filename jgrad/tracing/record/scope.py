"""Which code is traced, and which variables it names."""

from __future__ import annotations

import ast
import builtins
import dis
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from jgrad.warn import silence


class Scope:
    """Which code is traced: its file, lines and module, where its variables live and which of them matter."""

    def __init__(
        self,
        filename: str,
        namespace: Mapping[str, Any],
        names: Iterable[str],
        lines: tuple[int, int] = (1, sys.maxsize),
        replaced: Mapping[str, int] = {},
        within: tuple[types.CodeType, frozenset[str]] | None = None,
        into: Iterable[str] = (),
    ) -> None:
        self.filename = filename
        self.namespace = namespace
        self.names = tuple(n for n in dict.fromkeys(names) if self.may_be_a_tensor(n))
        self.old = dict(replaced)  # name -> address of a value that the code replaces before it reads it
        self.first, self.last = lines
        self.within = within  # the function that a traced block is a part of, and which of its variables the block names
        self.module = namespace.get("__name__", "__main__")
        self.into = tuple(into)  # modules of libraries whose code counts as the user's

    def may_be_a_tensor(self, name: str) -> bool:
        """Whether a variable may hold tensors: no module, no name of Python's own."""
        value = self.namespace.get(name, self)
        builtin = value is self and hasattr(builtins, name)
        return not (name.startswith("__") or builtin or isinstance(value, types.ModuleType))


def parse(text: str, mode: str = "exec") -> Any:
    """The syntax tree of a text, without the warnings that Python gives when it runs it. (In Python 3.11, `ast.parse` now and then fails if another
    thread parses at the same time.)"""
    with silence():
        for _ in range(100):
            with suppress(SystemError):  # "AST constructor recursion depth mismatch"
                return ast.parse(text, mode=mode)
        return ast.parse(text, mode=mode)


def mentioned(code: types.CodeType, lines: tuple[int, int] = (0, sys.maxsize)) -> Iterator[str]:
    """The variables, but for local ones, that code and the functions defined in it name. `lines`: only what these lines of the code name,
    or functions that they define or name."""
    # In the order of mention: of a tensor's names the first counts, w before optimizer.param_groups[0]['params'][0].
    names = dict.fromkeys(_named(code, lines))
    functions = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    before = -1
    while len(functions) != before:  # a function may name another one
        before, others = len(functions), []
        for function in functions:
            if lines[0] <= function.co_firstlineno <= lines[1] or function.co_name in (*names, "<lambda>"):
                names |= dict.fromkeys(mentioned(function))
            else:
                others.append(function)
        functions = others
    yield from names


def globals_of(code: types.CodeType) -> set[str]:
    """The global variables that code names itself."""
    return set(_named(code, (0, sys.maxsize)))


# (IMPORT_NAME names a module. The variable it goes to is named by the STORE_NAME after it.)
NAMING = {
    number
    for name, number in dis.opmap.items()
    if name.endswith(("_NAME", "_GLOBAL")) and name != "IMPORT_NAME"
}
LOAD_GLOBAL, EXTENDED_ARG = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]


def _named(code: types.CodeType, lines: tuple[int, int]) -> Iterator[str]:
    """The variables, but for local ones, that some lines of code name: as `dis` would list them, which takes ten times as long."""
    instructions, names, extended = code.co_code, code.co_names, 0
    within: Iterable[int] = range(0, len(instructions), 2)
    if lines[0] > 0 or lines[1] < sys.maxsize:
        spans = [
            range(a, b, 2) for a, b, line in code.co_lines() if line is None or lines[0] <= line <= lines[1]
        ]
        within = [at for span in spans for at in span]
    for at in within:
        operation = instructions[at]
        argument = instructions[at + 1] | extended
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation in NAMING:
            yield names[argument >> (operation == LOAD_GLOBAL)]  # the last bit has another meaning


def local(code: types.CodeType, lines: tuple[int, int]) -> frozenset[str]:
    """The local variables that some lines of a function name."""
    found: set[str] = set()
    for instruction in dis.get_instructions(code):
        if _within(instruction, lines) and re.search("FAST|DEREF|CLOSURE", instruction.opname):
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            found.update(n for n in names if isinstance(n, str))
    return frozenset(found)


def _within(instruction: dis.Instruction, lines: tuple[int, int]) -> bool:
    line = instruction.positions.lineno if instruction.positions is not None else None
    return line is None or lines[0] <= line <= lines[1]


def _accesses(instruction: dis.Instruction) -> Iterator[tuple[str, bool]]:
    """The variables that an instruction uses, in order, each with whether it is stored to. Since Python 3.13 an instruction may use two:
    STORE_FAST_LOAD_FAST stores to the first and loads the second."""
    if instruction.opname == "IMPORT_NAME" or not re.search("_NAME|_GLOBAL|FAST|DEREF", instruction.opname):
        return
    names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    verbs = re.findall("LOAD|STORE|DELETE|MAKE|COPY", instruction.opname)
    for i, name in enumerate(names):
        if isinstance(name, str):
            yield name, bool(verbs) and verbs[min(i, len(verbs) - 1)] == "STORE"


def replaced(codes: Iterable[types.CodeType], lines: tuple[int, int] = (0, sys.maxsize)) -> set[str]:
    """The variables that code, or some lines of it, gives a value before it reads them: their values before do not matter."""
    stored: set[str] = set()
    read: set[str] = set()
    for code in codes:
        for constant in code.co_consts:  # a function may be called at any time
            if isinstance(constant, types.CodeType):
                read.update({*mentioned(constant), *constant.co_freevars} - stored)
        for instruction in dis.get_instructions(code):
            if _within(instruction, lines):
                for name, stores in _accesses(instruction):
                    if stores:
                        stored.update({name} - read)
                    else:
                        read.update({name} - stored)
    return stored
