"""The subject of a question: a tensor, and what a log knows of its `.grad`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import GradUpdate, Step, Value
from jgrad.tracing.document.sentences import short
from jgrad.tracing.document.values import as_value
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.contents import measure


@dataclass
class Subject:
    """A tensor that the user asks about, with the log it appears in, if there is one."""

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
    code: str = ""  # of the cell in which the user asks, if no log knows it

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
    def live(cls, name: str, tensor: Any, trace: Recorded | None = None) -> Subject:
        """A tensor that is there now; `trace` may know it."""
        node = None if tensor.grad_fn is None else short(tensor.grad_fn.name())
        value = None if tensor._grad is None else as_value(measure(tensor._grad._a))
        flags = tensor.requires_grad, tensor.is_leaf, tensor.retains_grad
        made = cls(name, *flags, tensor.dtype.name, value is not None, value, node)
        number = None if trace is None else trace.number_of(tensor)
        if trace is not None and number is not None:
            made.log, made.number = Log(trace.document, asked_elsewhere=True), number
            made.log.living = trace.living
        return made

    @classmethod
    def best(cls, name: str, tensor: Any, traces: Sequence[Recorded]) -> Subject:
        """With the trace that knows how the .grad came to be what it is now, or else the last that knows the tensor."""
        subjects = [s for s in (cls.live(name, tensor, trace) for trace in traces) if s.log is not None]
        explaining = next((s for s in subjects if s.explains(tensor)), None)
        found = explaining or next(iter(subjects), cls.live(name, tensor))
        # No log knows a .grad that was made after the last trace.
        stale = explaining is None and found.has_grad and bool(found.events())
        return cls.live(name, tensor) if stale else found

    def explains(self, tensor: Any) -> bool:
        """Whether the log ends with the `.grad` that the tensor has now."""
        events = self.events()
        return bool(events) and events[-1][1]["after"] == self.value

    # What the rules ask.
    def made_at(self) -> int | None:
        """The step that made it."""
        return None if self.log is None or self.number is None else self.log.maker.get(self.number)

    def made(self) -> str:
        """ " by line 3", if known."""
        step = self.made_at()
        if self.log is None or self.number is None:
            return ""
        node = None if self.is_leaf else self.log.final[self.number]["grad_fn"]
        made = "" if node is None else self.log.made_node(node)  # by what wrote to it since
        return made or ("" if step is None else f" ({self.log.spot(step)})")

    def events(self) -> list[tuple[int, GradUpdate]]:
        """The steps that changed its `.grad`."""
        return [] if self.log is None or self.number is None else self.log.grads_of.get(self.number, [])

    def asked(self) -> list[tuple[int, Step]]:
        """The backward calls of the log whose outcome is known to last: those after the last steps that were not kept."""
        if self.log is None:
            return []
        last = self.log.gaps[-1] if self.log.gaps else -1
        return [(i, step) for i, step in self.log.of("backward") if i > last]

    def backwards(self) -> list[tuple[int, Step]]:
        """Those that ended in `.grad`s."""
        return [(i, s) for i, s in self.asked() if s["op"] == "backward"]

    def place(self, step: int | None) -> dict[str, Any]:
        """The step that a reason names, and its lines, as every rule about a `.grad` gives them."""
        return {
            "step": -1 if step is None else step,
            "lines": [] if self.log is None else self.log.lines(step),
        }
