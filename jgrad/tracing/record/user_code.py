"""Which code is the user's own. Steps name the innermost line of such code; all other code is library code, which stays closed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

JGRAD = Path(__file__).parents[2]
# What code of contextlib calls its file. Where Python's own modules are compiled files in an archive, as in a browser, `contextlib.__file__` is another one.
CONTEXTLIB = contextlib.contextmanager.__code__.co_filename
INSTALLED = re.compile(r"[\\/](?:site|dist)-packages[\\/]")
# Code that Python, NumPy or jgrad wrote: frozen modules, generated methods, fast paths of operators.
GENERATED = re.compile(r"<(?:frozen |jgrad |__array_function__|decorator-gen|attrs generated)")
LIBRARIES = tuple(
    {
        f"{folder}{os.sep}"
        for folder in (
            str(JGRAD),
            os.path.dirname(CONTEXTLIB),
            *(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")),
            site.getusersitepackages(),
        )
        if folder
    }
)


class UserCode:
    """Tells user code from library code. `into` names modules of libraries whose code counts as the user's: `nn` for `jgrad.nn`."""

    def __init__(self, into: Iterable[str] = ()) -> None:
        self.opened = tuple([prefix for name in into for prefix in files_of(name)])
        self._known: dict[str, bool] = {}  # files

    def has(self, code: CodeType, variables: dict[str, Any]) -> bool:
        """Whether code is the user's. `variables`: its global ones."""
        filename = code.co_filename
        if filename[:1] == "<":
            return self._has_text(code, variables)
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self.has_file(filename)
        return known

    def runs(self, frame: FrameType) -> bool:
        """Whether a frame is that of code of the user's."""
        return self.has(frame.f_code, frame.f_globals)

    def has_file(self, filename: str) -> bool:
        """Whether a file, or a cell that was compiled under this name, is the user's."""
        if self.opened and filename.startswith(self.opened):
            return True
        return not (filename.startswith(LIBRARIES) or INSTALLED.search(filename))

    def _has_text(self, code: CodeType, variables: dict[str, Any]) -> bool:
        """Code that was compiled from a text, by `exec` or by a notebook: it belongs to the module whose variables it uses."""
        if GENERATED.match(code.co_filename) or code.co_qualname.startswith("__create_fn__"):
            return False
        if code.co_filename.startswith("<timed ") and code.co_name == "<module>":
            return False  # what %time runs: a part of the cell, whose lines these are not
        file = variables.get("__file__")
        return variables.get("__name__") == "__main__" or not isinstance(file, str) or self.has_file(file)


def files_of(name: str) -> list[str]:
    """With what the names of a module's files begin. Raises ValueError for a name that is no module's."""
    for full in (f"jgrad.{name}", name):
        try:
            spec = importlib.util.find_spec(full)
        except (ImportError, ValueError, AttributeError):
            spec = None
        if spec is not None:
            folders = [f"{folder}{os.sep}" for folder in spec.submodule_search_locations or ()]
            return folders or [spec.origin or sys.executable]
    raise ValueError(f"there is no module {name!r}")
