"""`debug=True` of checkpoints: both runs write down their operators, and an error about a difference lists them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from jgrad import observer
from jgrad.graph import anomaly_mode
from jgrad.tensor import Tensor
from jgrad.utils._recomputation import CheckpointError


class Log(observer.ForwardingObserver):
    """Writes down the operations of one run and where each was called."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stacks: list[str] = []
        self.numbers: dict[int, int] = {}
        self.alive: list[Tensor] = []  # numbers are by identity

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        with observer.observe(self):  # type: ignore[arg-type]
            yield

    def op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict, *rest: Any
    ) -> None:
        called_with = [f"${self.number_of(t)}" for t in inputs]
        others = [f"{k}={v}" for k, v in arguments.items() if not isinstance(v, Tensor) and v is not None]
        made = ", ".join(f"${self.number_of(t)}: {t.dtype.name}{list(t.shape)}" for t in outputs)
        self.lines.append(f"{made} = {name}({', '.join([*called_with, *others])})")
        self.stacks.append("".join(anomaly_mode.forward_stack()))
        self.next.op(name, kind, inputs, outputs, node, arguments, *rest)

    def number_of(self, tensor: Tensor) -> int:
        if id(tensor) not in self.numbers:
            self.alive.append(tensor)
            self.numbers[id(tensor)] = len(self.numbers)
        return self.numbers[id(tensor)]


def reporter(first: Log, second: Log) -> Callable[[CheckpointError], None]:
    """What raises the error about two runs that differ, with the operations of both."""

    def chapter(title: str, lines: list[str]) -> str:
        return "\n".join([title, "-" * len(title), "", *lines, ""])

    def report(error: CheckpointError) -> None:
        parts = []
        for label, log in (("the original forward", first), ("recomputation", second)):
            calls = [f"{a}\n{b}" for a, b in zip(log.lines, log.stacks, strict=True)]
            parts.append(chapter(f"Where the operations of {label} were called", calls))
        for label, log in (("the original forward", first), ("recomputation", second)):
            parts.append(chapter(f"Operations executed during {label}", log.lines))
        parts.append(
            "ERROR: Detected non-determinism while running activation checkpointing. Compare the two lists above: where they begin to "
            "differ, the function did something else the second time."
        )
        raise CheckpointError("\n".join(parts)) from error

    return report
