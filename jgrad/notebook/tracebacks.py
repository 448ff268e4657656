"""How IPython shows tracebacks once the extension is loaded: they end in the last line of the user's, and those of traced code begin in it.

Without this, a traceback would end in jgrad: in the dispatch of an operator, or in the engine. PyTorch has C++ there, of which Python shows
nothing. An error of an operator ends in the line that called it, and one of backward() in a few lines of `torch/autograd`. Layers and optimizers are
written in Python there too, and PyTorch shows their lines. Here they are left out where nothing of the user's comes after them, because the
cause is in the call. A line in their place names the layer. `%xmode Verbose` shows all frames, and the debugger has them in any case.
"""

from __future__ import annotations

import sysconfig
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import IPython
import numpy as np

from jgrad import mirrors
from jgrad.asking.frames import entries_of, linked
from jgrad.notebook.nested import RUNNER

OURS = (str(Path(__file__).parents[1]), "<jgrad ")  # and the names of the code that jgrad makes
STANDARD = sysconfig.get_paths()["stdlib"]
LIBRARIES = (
    *OURS,
    str(Path(np.__file__).parent),
    str(Path(IPython.__file__).parent),
    "<frozen ",
    "<__array_function__",
)
MAGICS = str(Path(__file__).parent)
MIRRORS = str(Path(__file__).parents[1] / "mirrors")


def install(shell: Any) -> None:
    """Have a shell leave out what comes after the last line of the user's."""
    shown = shell.InteractiveTB
    whole = shown.structured_traceback

    def structured_traceback(
        etype: Any, evalue: BaseException | None = None, etb: Any = None, *others: Any, **named: Any
    ) -> list[str]:
        frames, left_out = _split(entries_of(etb))
        if evalue is None or not left_out or shown.mode == "Verbose":
            formatted: list[str] = whole(etype, evalue, etb, *others, **named)
            return formatted
        formatted = whole(etype, evalue, linked(frames), *others, **named)
        if shown.mode != "Minimal":
            formatted.insert(len(formatted) - 1 - len(getattr(evalue, "__notes__", ())), _about(left_out))
        return formatted

    shown.structured_traceback = structured_traceback


def uninstall(shell: Any) -> None:
    """Undo `install`."""
    vars(shell.InteractiveTB).pop("structured_traceback", None)


def trim(shell: Any, error: BaseException, filename: str, parts: list[CodeType]) -> None:
    """Have IPython show the traceback of an error of the code in this file. `parts` is the code that magics within it run."""
    begin = error.__traceback__
    while begin is not None and begin.tb_frame.f_code.co_filename != filename:
        begin = begin.tb_next
    if begin is None or isinstance(error, SyntaxError) or hasattr(error, "_render_traceback_"):
        return

    def render() -> list[str]:
        tb = linked(_without_magics(begin, parts))
        # Two lines of each frame: the cell stands right above, and the views have its source too.
        formatted: list[str] = shell.InteractiveTB.structured_traceback(
            type(error), error, tb, tb_offset=0, context=2
        )
        return formatted

    with suppress(AttributeError):  # a class may have a read-only attribute of this name
        BaseException.__setattr__(error, "_render_traceback_", render)  # past a __setattr__ of the user's


def _without_magics(begin: TracebackType, parts: list[CodeType]) -> list[TracebackType]:
    """The entries of a traceback, without those by which a magic within the cell ran its part."""
    entries: list[TracebackType] = []
    for tb in entries_of(begin):
        code = tb.tb_frame.f_code
        if code in parts:  # the line of the cell is shown once
            while entries and not _of_user(entries[-1].tb_frame):
                entries.pop()
            if entries and entries[-1].tb_lineno <= tb.tb_lineno:
                entries.pop()
        if RUNNER not in code.co_names and not code.co_filename.startswith(MAGICS):
            entries.append(tb)
    return entries


def _split(entries: list[TracebackType]) -> tuple[list[TracebackType], list[TracebackType]]:
    """What is shown, and what comes after it: the frames of jgrad after the last line of the user's. `copy.deepcopy` may lie between."""
    traced = any(tb.tb_frame.f_code.co_filename.startswith(MIRRORS) for tb in entries)  # a cell of PyTorch's
    last = max((i for i, tb in enumerate(entries) if _of_user(tb.tb_frame, traced)), default=len(entries))
    end = last + 1
    while not traced and end < len(entries) and not entries[end].tb_frame.f_code.co_filename.startswith(OURS):
        end += 1
    return entries[:end], entries[end:]


def _of_user(frame: FrameType, traced: bool = False) -> bool:
    """Whether a frame runs code of the user's. PyTorch's code is shown, as ever, unless the cell was `traced`: then frames of ours lie between."""
    filename = frame.f_code.co_filename
    if traced and frame.f_globals.get("__name__", "").partition(".")[0] == "torch":
        return False
    standard = filename.startswith(STANDARD) and "site-packages" not in filename
    return not (standard or filename.startswith(LIBRARIES))


def _about(left_out: list[TracebackType]) -> str:
    """The line in the place of frames that are not shown."""
    layers = [tb.tb_frame.f_locals.get("self") for tb in left_out]
    layer = next((one for one in reversed(layers) if mirrors.is_module(one)), None)
    place = f" in {type(layer).__name__}({layer.extra_repr()})" if layer is not None else ""
    count = f"{len(left_out)} frame{'s' * (len(left_out) > 1)}"
    torch = any(tb.tb_frame.f_code.co_filename.startswith(MIRRORS) for tb in left_out)
    return (
        f"     ({count} of {'PyTorch' if torch else 'jgrad'}{place} not shown; %xmode Verbose shows them)\n"
    )
