"""The tensor that somebody asks about, and what a log knows of its `.grad`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jgrad.trace.contents import as_value, measure
from jgrad.trace.explain.log import Log
from jgrad.trace.sentences import short


@dataclass
class Subject:
    """A tensor that somebody asks about, with the log it appears in, if there is one."""

    name: str
    requires_grad: bool
    is_leaf: bool
    retains_grad: bool
    dtype: str
    has_grad: bool
    value: dict | None = None  # of its .grad
    grad_fn: str | None = None
    log: Log | None = None
    number: int | None = None
    code: str = ""  # of the cell in which somebody asks, if no log knows it

    @classmethod
    def of(cls, log: Log, name: str) -> Subject | None:
        """The tensor that had this name last in a log, as it was in the end."""
        numbers = [t["id"] for t in log.tensors if any(n == name for _, n in t["names"])]
        if not numbers:
            return None
        number = max(numbers, key=lambda k: max(since for since, n in log.tensors[k]["names"] if n == name))
        t = log.final[number]
        node = None if t["node"] is None else short(log.nodes[t["node"]]["name"])
        value = None
        for step in log.steps:
            if "grad" in step and step["grad"]["tensor"] == number:
                value = step["grad"]["after"]
        flags = t["requires_grad"], t["is_leaf"], t["retains_grad"]
        return cls(name, *flags, t["dtype"], value is not None, value, node, log, number)

    @classmethod
    def live(cls, name: str, tensor: Any, trace: Any = None) -> Subject:
        """A tensor that is there now; `trace` may know it."""
        node = None if tensor.grad_fn is None else short(tensor.grad_fn.name())
        value = None if tensor._grad is None else as_value(measure(tensor._grad._a))
        flags = tensor.requires_grad, tensor.is_leaf, tensor.retains_grad
        made = cls(name, *flags, tensor.dtype.name, value is not None, value, node)
        number = None if trace is None else trace.number_of(tensor)
        if number is not None:
            made.log, made.number = Log(trace.document), number
        return made

    @classmethod
    def best(cls, name: str, tensor: Any, traces: Sequence[Any]) -> Subject:
        """With the trace that knows how the .grad came to be what it is now, or else the last that knows the tensor."""
        subjects = [s for s in (cls.live(name, tensor, trace) for trace in traces) if s.log is not None]
        told = next((s for s in subjects if s.explains(tensor)), None)
        return told or next(iter(subjects), cls.live(name, tensor))

    def explains(self, tensor: Any) -> bool:
        """Whether the log ends with the `.grad` that the tensor has now."""
        events = self.events()
        return bool(events) and events[-1][1]["after"] == self.value

    # What the rules below ask.
    def made_at(self) -> int | None:
        """The step that made it."""
        return None if self.log is None or self.number is None else self.log.maker.get(self.number)

    def made(self) -> str:
        """ " by line 3", if known."""
        step = self.made_at()
        return "" if step is None or self.log is None else f" ({self.log.at(step)})"

    def events(self) -> list[tuple[int, dict]]:
        """The steps that changed its `.grad`."""
        if self.log is None:
            return []
        return [
            (i, s["grad"])
            for i, s in enumerate(self.log.steps)
            if s.get("grad", {}).get("tensor") == self.number
        ]

    def backwards(self) -> list[tuple[int, dict]]:
        """The backward calls of the log that ended in `.grad`s."""
        return (
            []
            if self.log is None
            else [
                (i, s)
                for i, s in enumerate(self.log.steps)
                if s["kind"] == "backward" and s["op"] == "backward"
            ]
        )


def accumulations(log: Log) -> dict[int, list[int]]:
    """For each tensor the steps that added to the longest run of its `.grad` that nothing cleared."""
    longest: dict[int, list[int]] = {}
    current: dict[int, list[int]] = {}
    for i, step in enumerate(log.steps):
        grad = step.get("grad")
        if grad is None:
            continue
        leaf = grad["tensor"]
        if grad["action"] == "add":
            run = current.setdefault(leaf, [])
            run.append(i)
            if len(run) > len(longest.get(leaf, ())):
                longest[leaf] = list(run)
        else:
            current[leaf] = []
    return longest
