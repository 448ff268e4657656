"""Anomaly mode: nodes remember the line that made them, and a backward pass that fails or gives nan names it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from jgrad import manual, warn
from jgrad.graph import general_path
from jgrad.kernels import libraries

enabled = False
check_nan = True
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, looks for nan in the gradients."""
    return check_nan


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off, for all threads. `detect_anomaly` explains the mode and switches it for a block."""
    if mode != enabled:
        (
            general_path.request if mode else general_path.withdraw
        )()  # the fast paths make nodes without asking
    globals().update(enabled=bool(mode), check_nan=check_nan)


class set_detect_anomaly:
    """Switch anomaly mode on or off, from the call on or for a block. `detect_anomaly` explains the mode."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (enabled, globals()["check_nan"])
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        set_anomaly_enabled(*self.before)


class detect_anomaly:
    """Find the operation behind an error of a backward pass: in this block, anomaly mode is on."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warn.say(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging."
        )

    def __enter__(self) -> None:
        self.before = (enabled, globals()["check_nan"])
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        set_anomaly_enabled(*self.before)


def forward_stack() -> list[str]:
    """The stack of the call that is making a node now, as text, without the frames of this library at its end."""
    import traceback

    frames = traceback.extract_stack()
    while frames and (frames[-1].filename.startswith(_PACKAGE) or frames[-1].filename.startswith("<jgrad")):
        frames.pop()
    return frames.format()


class _Running(threading.local):
    node: Any = None  # whose backward this thread runs


_running = _Running()


def remember(node: Any) -> None:
    """Keep with a new node the call that made it, and the node in whose backward pass it was made."""
    node.metadata["traceback_"] = forward_stack()
    if _running.node is not None:
        node.metadata["parent_"] = _running.node


@contextmanager
def running(node: Any) -> Iterator[None]:
    """The engine runs a node and its hooks in this block. Before an error there is a warning with the forward traceback."""
    __tracebackhide__ = True
    before, _running.node = _running.node, node
    try:
        yield
    except Exception:
        _tell(f"Error detected in {node.name()}. " + _forward_call(node, "caused the error"))
        while (node := node.metadata.get("parent_")) is not None:
            _tell(
                f"\n\nPrevious calculation was induced by {node.name()}. "
                + _forward_call(node, "induced the previous calculation")
            )
        raise
    finally:
        _running.node = before


def _tell(text: str) -> None:
    """Give a warning beside an error. Where warnings are errors it is printed, since the error that is on its way must go on."""
    try:
        warn.say(text)
    except UserWarning as warning:
        print(f"UserWarning: {warning}", file=sys.stderr)


def refuse_nan(node: Any, grads: Sequence[Any]) -> None:
    """Raise an error if one of the gradients that a node sends, after its hooks, holds nan."""
    __tracebackhide__ = True
    for i, g in enumerate(grads if check_nan else ()):
        array = getattr(g, "_a", g)
        if array is not None and libraries.library_of(array).np.isnan(array).any().item():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")


def _forward_call(node: Any, what: str) -> str:
    stack = node.metadata.get("traceback_")
    if stack is None:
        return "No forward pass information available. Enable detect anomaly during forward pass for more information."
    return f"Traceback of forward call that {what}:\n" + "".join(stack)


manual.attach(__name__)
