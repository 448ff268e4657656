"""The tensor that somebody asks about, and what a log knows of its `.grad`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jgrad.trace.document.log import Log
from jgrad.trace.document.schema import Value
from jgrad.trace.document.sentences import short
from jgrad.trace.record.contents import as_value, measure


@dataclass
class Subject:
    """A tensor that somebody asks about, with the log it appears in, if there is one."""

    name: str
    requires_grad: bool
    is_leaf: bool
    retains_grad: bool
    dtype: str
    has_grad: bool
    value: Value | None = None  # of its .grad
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
        node = None if t["grad_fn"] is None else short(log.nodes[t["grad_fn"]]["name"])
        value = None
        for _, grad in log.grads:
            if grad["tensor"] == number:
                value = grad["after"]
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
        found = told or next(iter(subjects), cls.live(name, tensor))
        stale = (
            told is None and found.has_grad and bool(found.events())
        )  # of a .grad that came later no log knows
        return cls.live(name, tensor) if stale else found

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
        if self.log is None or self.number is None:
            return ""
        node = None if self.is_leaf else self.log.final[self.number]["grad_fn"]
        line = None if node is None else self.log.nodes[node]["line"]  # of what wrote to it since
        return f" (line {line})" if line is not None else "" if step is None else f" ({self.log.at(step)})"

    def events(self) -> list[tuple[int, dict]]:
        """The steps that changed its `.grad`."""
        if self.log is None:
            return []
        return [
            (i, s["grad"])
            for i, s in enumerate(self.log.steps)
            if s.get("grad", {}).get("tensor") == self.number
        ]

    def asked(self) -> list[tuple[int, dict]]:
        """The backward calls of the log."""
        steps = () if self.log is None else self.log.steps
        return [(i, s) for i, s in enumerate(steps) if s["kind"] == "backward"]

    def backwards(self) -> list[tuple[int, dict]]:
        """Those that ended in `.grad`s."""
        return [(i, s) for i, s in self.asked() if s["op"] == "backward"]


@dataclass
class Sum:
    """What came to a `.grad` from one clearing to the next: the steps that added to it, those that changed its tensor meanwhile, and that
    which cleared it."""

    adds: list[int]
    uses: list[int]
    cleared: int | None = None

    def severity(self) -> str | None:
        """How likely the sum is a mistake; None where nobody used it, as with the gradients that a GAN's generator leaves in its
        discriminator, or where there is none."""
        if len(self.adds) < 2:
            return None
        between = [u for u in self.uses if self.adds[0] < u < self.adds[-1]]
        if between:  # what was used stayed and was used again
            again = next(a for a in self.adds if a > between[0])
            return "warning" if any(u > again for u in self.uses) else None
        return "info" if self.uses or self.cleared is not None else "warning"


def sums(log: Log) -> dict[int, list[Sum]]:
    """The sums that were in the `.grad` of each tensor, in order."""
    found: dict[int, list[Sum]] = {}
    for i, grad in log.grads:
        runs = found.setdefault(grad["tensor"], [])
        if grad["action"] == "add":
            if not runs or runs[-1].cleared is not None:
                runs.append(Sum([], []))
            runs[-1].adds.append(i)
        elif (
            runs and runs[-1].cleared is None and not (log.steps[i].get("writes") and grad["action"] == "set")
        ):
            runs[-1].cleared = i  # a .grad that was scaled in place is still the same sum
    changed: dict[int, list[int]] = {}  # storage -> the steps that wrote to it
    for i, write in log.writes:
        changed.setdefault(write["storage"], []).append(i)
    for leaf, runs in found.items():
        moved = [i for i, change in log.changes.get(leaf, ()) if "storage" in change]
        steps = sorted(
            {
                *changed.get(log.tensors[leaf]["storage"], ()),
                *changed.get(log.final[leaf]["storage"], ()),
                *moved,
            }
        )
        for run in runs:
            end = len(steps) if run.cleared is None else bisect_left(steps, run.cleared)
            run.uses = steps[bisect_right(steps, run.adds[0]) : end]
    return found


def clearings(log: Log, leaves: Sequence[int | None]) -> list[int]:
    """The lines that cleared the `.grad` of some tensors."""
    return log.lines(
        *[i for i, grad in log.grads if grad["tensor"] in leaves and grad["action"] in ("none", "zero")]
    )
