"""How things were before a cell: copies of the variables that it may read or change, and the state of random numbers and modes. `%fix --try` runs a
cell again from there."""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.notebook.copies import Copier, NotCopied
from jgrad.tracing.record.scope import mentioned, replaced
from jgrad.tracing.record.user_code import UserCode

AT_ONCE = 32 << 20  # bytes that are copied before each cell; a larger tensor is copied when it is tried
AT_ALL = 256 << 20
# What a program does that can't be taken back, by the names that it uses for it.
UNDONE = {
    "what it prints": ("print",),
    "what it writes to files": ("open", "save", "savefig", "to_csv", "write_text", "write_bytes", "imwrite", "dump", "makedirs", "mkdir", "rmtree", "unlink"),
    "what it sends or loads over the network": ("urlopen", "urlretrieve", "requests", "httpx", "socket", "download"),
}  # fmt: skip
SEPARATE = ("subprocess", "Popen", "Process", "ProcessPoolExecutor", "Pool", "fork", "system", "getoutput", "run_line_magic", "Thread", "ThreadPoolExecutor")  # fmt: skip


class Before:
    """What a cell may read, as it was before the cell ran. `refused`: why it can't be run again, nothing if it can."""

    def __init__(self, shell: Any, cell: str, codes: Sequence[types.CodeType]) -> None:
        self.cell, self.refused = cell, ""
        self.modes = [*_modes()]
        self.codes = [*codes]  # of the cell, and of the functions that it may call
        self.variables: list[tuple[dict[str, Any], dict[str, Any]]] = []  # of each module: all, and copies
        self.absent: set[str] = set()  # what the cell names and was not there
        try:
            self._keep(shell, codes)
        except NotCopied as why:
            self.refused = str(why)
        except Exception as failure:  # the cell itself matters more
            self.refused = f"its variables can't be copied ({type(failure).__name__}: {failure})"

    def _keep(self, shell: Any, codes: Sequence[types.CodeType]) -> None:
        names = {name for code in codes for name in mentioned(code)} - replaced(codes)
        self.absent = {name for name in names if name not in shell.user_ns}
        mirrors.load()
        copier = Copier(AT_ONCE, late=True)
        for module, name in _reached(shell.user_ns, names, copier):
            known = next((copies for real, copies in self.variables if real is module), None)
            if known is None:
                self.variables.append((module, known := {}))
            known[name] = copier.copy(module[name], name)
        self.codes += [function.__code__ for function in copier.functions]

    def undone(self) -> list[str]:
        """What can't be taken back of what the cell does."""
        used = self._used()
        return [what for what, words in UNDONE.items() if used.intersection(words)]

    def separate(self) -> str:
        """The word by which the cell starts something that runs beside it; nothing if it starts none."""
        return next((word for word in SEPARATE if word in self._used()), "")

    def _used(self) -> set[str]:
        todo, used = [*self.codes], set[str]()
        while todo:
            code = todo.pop()
            used.update(code.co_names)
            todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        return used

    @contextmanager
    def again(self, shell: Any, codes: Sequence[types.CodeType]) -> Iterator[None]:
        """A block that runs as if the cell had not run yet. At its end all is as it was before the block. `codes`: what will run; it may name further
        variables, which the cell did not."""
        copier = Copier(AT_ALL, late=False)
        copies = [
            (module, {name: copier.copy(value, name) for name, value in kept.items()})
            for module, kept in self.variables
        ]
        names = {name for code in codes for name in mentioned(code)} - replaced(codes) - self.absent
        own = next((kept for module, kept in copies if module is shell.user_ns), {})
        more = {n: copier.copy(shell.user_ns[n], n) for n in names if n in shell.user_ns and n not in own and _is_variable(n, shell.user_ns[n])}  # fmt: skip
        copies.append((shell.user_ns, more))
        now = [*_modes()]
        saved = [(module, dict(module)) for module, _ in copies]
        try:
            for module, kept in copies:
                module.update(kept)
            for name in self.absent:
                shell.user_ns.pop(name, None)
            for put, value in self.modes:
                put(value)
            yield
        finally:
            for module, variables in saved:
                for name in [name for name in module if name not in variables]:
                    del module[name]
                module.update(variables)
            for put, value in now:
                put(value)


def _is_variable(name: str, value: Any) -> bool:
    return not (name.startswith("__") or name in ("In", "Out", "get_ipython") or isinstance(value, types.ModuleType))  # fmt: skip


def _reached(
    variables: dict[str, Any], names: set[str], copier: Copier
) -> Iterator[tuple[dict[str, Any], str]]:
    """Each variable that some names reach, with the variables of its module: also through the functions and classes that the copier meets, and
    the user's own modules."""
    user = UserCode()
    todo: list[tuple[dict[str, Any], str]] = [(variables, name) for name in sorted(names)]
    seen: set[tuple[int, str]] = set()
    asked: set[types.FunctionType] = set()
    while todo:
        module, name = todo.pop()
        if name not in module or (id(module), name) in seen:
            continue
        seen.add((id(module), name))
        value = module[name]
        file = getattr(value, "__file__", None)
        if isinstance(value, types.ModuleType) and isinstance(file, str) and user.has_file(file):
            todo += [(vars(value), own) for own in vars(value)]
        if not _is_variable(name, value):
            continue
        yield module, name
        for function in [f for f in copier.functions if f not in asked]:
            asked.add(function)
            todo += [(function.__globals__, other) for other in mentioned(function.__code__)]


def _modes() -> Iterator[tuple[Any, Any]]:
    """The state of what a program can set for itself and all others: how to put it back, and what it is."""
    yield random.setstate, random.getstate()
    yield np.random.set_state, np.random.get_state()
    libraries: Mapping[str, Any] = sys.modules
    for library in [libraries[name] for name in ("jgrad", *mirrors.KNOWN) if name in libraries]:
        if not hasattr(library, "get_rng_state"):
            continue
        yield library.set_rng_state, library.get_rng_state()
        yield library.set_grad_enabled, library.is_grad_enabled()
        yield library.set_default_dtype, library.get_default_dtype()
        if library.cuda.is_available() and library.cuda.is_initialized():
            yield library.cuda.set_rng_state_all, library.cuda.get_rng_state_all()
