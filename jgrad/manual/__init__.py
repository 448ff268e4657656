"""The manual: all that docstrings say after their first paragraph.

The source of a public function or class has one paragraph, which says what it computes. Its parameters, its result, its errors and its examples are in
the *chapter* of its module: `jgrad/ops/arithmetic.py` has the chapter `jgrad/manual/ops/arithmetic.rst`. A chapter has an entry for each
name: an operator by the name of its schema, anything else by its qualified name in the module.

    mul
    ---
    Args:
        input: a tensor of any dtype, or a number
        other

    Returns a new tensor with the broadcast shape.

    >>> jgrad.mul(jgrad.tensor(2.), jgrad.tensor(3.))
    tensor(6.)

A parameter without an explanation, as `other` here, has the one that `arguments.rst` gives it: that of the chapter's folder.

`attach` puts the two parts together, as one docstring. So `help`, editors, the stubs, the site and the tests see one text. This happens when a
module is imported. It costs less than to load the same texts as constants of the module.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from types import ModuleType
from typing import Any

_HEADING = re.compile(r"^([\w.]+)\n-{3,}\n", re.MULTILINE)
_WITHOUT_TEXT = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*)$", re.MULTILINE)
_WANTED = sys.flags.optimize < 2  # `python -OO` wants no docstrings


def _read(path: str) -> str:
    """A file of this folder, which may be in a zip archive; empty if it is not there."""
    assert __spec__.loader is not None
    try:
        data: bytes = __spec__.loader.get_data(f"{__path__[0]}/{path}.rst")  # type: ignore[attr-defined]
    except OSError:
        return ""
    return data.decode().replace("\r\n", "\n")


def _entries(text: str) -> dict[str, str]:
    """By name: the texts of a file."""
    _, *parts = _HEADING.split(text)
    return {name: body.strip("\n") for name, body in zip(parts[::2], parts[1::2], strict=True)}


@functools.cache
def arguments(room: str) -> dict[str, str]:
    """The explanations that a room has once for parameters of many functions: by the names, "device, dtype", the line."""
    lines = re.split(r"\n(?=\S)", _read(f"{room}arguments").strip("\n"))
    return {line.partition(": ")[0]: "    " + line.replace("\n", "\n    ") for line in lines}


@functools.cache
def chapter(module: str) -> dict[str, str]:
    """The entries of a module, by name."""
    path = module.partition(".")[2].replace(".", "/") or "jgrad"
    text = _read(path) if _WANTED else ""
    if not text:
        return {}
    known = arguments(path.rpartition("/")[0] + "/" if "/" in path else "")
    return _entries(_WITHOUT_TEXT.sub(lambda match: known.get(match[1], match[0]), text))


def text(module: str, name: str, summary: str) -> str:
    """The whole docstring of a name of a module."""
    if "\n" in summary:
        summary = inspect.cleandoc(summary)
    entry = chapter(module).get(name)
    return f"{summary}\n\n{entry}" if entry else summary


def attach(module: str) -> None:
    """Complete the docstrings of a module that has just been loaded. Operators have completed theirs."""
    for name in chapter(module):
        found: Any = sys.modules[module]
        for part in name.split("."):
            found = vars(found).get(part)
        if found is not None and not hasattr(found, "op"):
            found = getattr(found, "__func__", found)  # of a static method or class method
            found.__doc__ = text(module, name, found.__doc__ or "")
