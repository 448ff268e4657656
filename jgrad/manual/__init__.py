"""The manual: all that docstrings say after their first paragraph.

The source of a public function or class has one paragraph, which says what it computes. Its parameters, its result, its errors and its examples are in
the *chapter* of its module: `jgrad/ops/arithmetic.py` has the chapter `jgrad/manual/ops/arithmetic.rst`. A chapter has an entry for each
qualified name of the module. An operator that a function of the module declares has the name of its schema.

    mul
    ---
    Args:
        input: a tensor of any dtype, or a number
        other

    Returns a new tensor with the broadcast shape.

    >>> jgrad.mul(jgrad.tensor(2.), jgrad.tensor(3.))
    tensor(6.)

A parameter without an explanation, as `other` here, has the one that `arguments.rst` of the chapter's room gives it. What
`jgrad/extra/` has belongs to the room that it extends.

`attach` puts the two parts together, as one docstring. So `help`, editors, the stubs, the site and the tests see one text. This happens when a
module is imported. It takes about as long as to load the same texts as constants of the module.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from typing import Any

from jgrad.loading import public

_HEADING = re.compile(r"\n-{3,}\n")
_WANTED = sys.flags.optimize < 2  # `python -OO` wants no docstrings


def _read(path: str) -> str:
    """A file of this folder, which may be in a zip archive; empty if it is not there."""
    assert __spec__.loader is not None
    try:
        data: bytes = __spec__.loader.get_data(f"{__path__[0]}/{path}.rst")  # type: ignore[attr-defined]
    except OSError:
        return ""
    return data.decode().replace("\r\n", "\n")


@functools.cache
def arguments(room: str) -> dict[str, str]:
    """The explanations that a room has once, for parameters of many functions: by the line "    device, dtype", the line that it stands for."""
    lines = re.split(r"\n(?=\S)", _read(f"{room}/arguments").strip("\n"))
    return {f"    {line.partition(': ')[0]}": "    " + line.replace("\n", "\n    ") for line in lines}


@functools.cache
def chapter(module: str) -> dict[str, str]:
    """The entries of a module that are not in their docstrings yet, by name."""
    text = _read(module.partition(".")[2].replace(".", "/")) if _WANTED else ""
    entries: dict[str, str] = {}
    name, *parts = _HEADING.split(text)
    for part in parts:
        body, _, following = part.rpartition("\n")
        entries[name] = body.rstrip("\n")
        name = following
    return entries


def text(module: str, name: str, summary: str) -> str:
    """The whole docstring of a name of a module. It takes the entry out of the chapter."""
    if "\n" in summary:
        summary = inspect.cleandoc(summary)
    entry = chapter(module).pop(name, "")
    start = entry.find("Args:\n")
    if start >= 0:
        known = arguments(public(module).split(".")[1])
        block, gap, rest = entry[start:].partition("\n\n")
        entry = entry[:start] + "\n".join([known.get(line, line) for line in block.split("\n")]) + gap + rest
    return f"{summary}\n\n{entry}" if entry else summary


def attach(module: str) -> None:
    """Complete the docstrings of a module that has just been loaded, but for the operators, which have theirs."""
    for name in [*chapter(module)]:
        found: Any = sys.modules[module]
        for part in name.split("."):
            if part not in vars(found):
                raise LookupError(
                    f"the manual of {module} has an entry {name!r}, and the module has no such name"
                )
            found = vars(found)[part]
        found = getattr(found, "__func__", found)  # of a static method or class method
        found.__doc__ = text(module, name, found.__doc__ or "")
