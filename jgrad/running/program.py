"""A program as `python` would run it: found, compiled, and made the module `__main__`."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import os
import sys
import types
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


class NoProgram(Exception):
    """Why there is nothing to run, in one sentence, and the exit status of `python` then."""

    def __init__(self, why: str, status: int = 1) -> None:
        super().__init__(why)
        self.status = status


@dataclass
class Program:
    """The code of a script or module, and what its `__main__` has."""

    filename: str
    lines: list[str]
    code: types.CodeType
    variables: dict[str, Any]
    argv: list[str]
    first_on_path: str
    """What Python puts first on `sys.path`."""

    def install(self) -> types.ModuleType:
        """Make it the module `__main__`, with its own `sys.argv` and `sys.path`."""
        main = types.ModuleType("__main__")
        vars(main).update(self.variables, __builtins__=__import__("builtins"))
        sys.modules["__main__"] = main
        sys.argv[:] = self.argv
        if sys.path and not getattr(sys.flags, "safe_path", False):
            sys.path[0] = self.first_on_path
        return main


def script(path: str, arguments: Sequence[str]) -> Program:
    """What `python path arguments` runs: a file, or the `__main__.py` of a folder or an archive."""
    if _has_modules(os.path.abspath(path)):
        return _in_folder(path, arguments)
    try:
        with io.open_code(os.path.abspath(path)) as file:
            text = file.read()
    except OSError as error:
        why = f"can't open {path} ({error.strerror}): write jgrad run SCRIPT.py"
        raise NoProgram(why, status=2) from None
    filename = os.path.abspath(path) if os.name == "nt" else os.path.join(os.getcwd(), path)
    lines = _decoded(text, filename).splitlines()
    code = _compiled(text, filename)
    loader = importlib.machinery.SourceFileLoader("__main__", filename)
    variables = {"__file__": filename, "__loader__": loader, "__package__": None, "__spec__": None}
    variables |= {"__cached__": None, "__annotations__": {}, "__doc__": None}
    return Program(
        filename, lines, code, variables, [path, *arguments], os.path.dirname(os.path.realpath(path))
    )


def _has_modules(path: str) -> bool:
    """Whether Python would look for modules in it: a folder or an archive, whatever its name."""
    for hook in sys.path_hooks:
        with suppress(ImportError):
            hook(path)
            return True
    return False


def _in_folder(path: str, arguments: Sequence[str]) -> Program:
    finder = importlib.machinery.PathFinder.find_spec("__main__", [os.path.abspath(path)])
    if finder is None or finder.loader is None:
        raise NoProgram(f"{path} has no __main__.py: write jgrad run SCRIPT.py")
    return _of_spec(finder, [path, *arguments], os.path.abspath(path), "")


def module(name: str, arguments: Sequence[str]) -> Program:
    """What `python -m name arguments` runs: a module, or the `__main__` of a package."""
    # Python itself has the folder in which it was started on the path when it looks for the module.
    folder = os.getcwd()
    if sys.path:
        sys.path[0] = folder
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except (ImportError, ValueError, AttributeError) as error:
        raise NoProgram(f"there is no module {name!r} ({error})") from None
    if spec is None or spec.loader is None:
        raise NoProgram(f"there is no module {name!r} that can be run: write jgrad run -m PACKAGE.MODULE")
    return _of_spec(spec, [spec.origin or name, *arguments], folder, spec.parent or "")


def _of_spec(spec: importlib.machinery.ModuleSpec, argv: list[str], folder: str, package: str) -> Program:
    get_code: Any = getattr(spec.loader, "get_code", None)
    code = None if get_code is None else get_code(spec.name)
    if code is None:
        raise NoProgram(f"{spec.name} is not written in Python")
    filename = spec.origin or code.co_filename
    variables = {"__file__": filename, "__loader__": spec.loader, "__package__": package, "__spec__": spec}
    variables |= {"__cached__": spec.cached, "__annotations__": {}, "__doc__": None}
    get_source: Any = getattr(spec.loader, "get_source", None)
    text = None if get_source is None else get_source(spec.name)
    return Program(filename, (text or "").splitlines(), code, variables, argv, folder)


def _decoded(source: bytes, filename: str) -> str:
    """The text of a file. Raises the error that Python raises if it is not in the encoding that it declares."""
    try:
        return importlib.util.decode_source(source)
    except (SyntaxError, UnicodeDecodeError) as error:
        if isinstance(error.__context__, LookupError):
            raise SyntaxError(f"encoding problem: {str(error.__context__).rpartition(' ')[2]}") from None
        try:
            source.decode()
        except UnicodeDecodeError as wrong:
            line = source.count(b"\n", 0, wrong.start) + 1
            raise SyntaxError(
                f"Non-UTF-8 code starting with '\\x{source[wrong.start]:02x}' in file {filename} on line {line}, but no encoding declared; "
                "see https://peps.python.org/pep-0263/ for details"
            ) from None
        raise


def _compiled(text: bytes, filename: str) -> types.CodeType:
    before, null, _ = text.partition(b"\0")
    if null:  # `compile` has other words for it than Python has of a file
        *above, line = before.split(b"\n")
        place = filename, len(above) + 1, 0, line.decode(errors="replace")
        raise SyntaxError("source code cannot contain null bytes", place)
    return compile(text, filename, "exec", dont_inherit=True)
