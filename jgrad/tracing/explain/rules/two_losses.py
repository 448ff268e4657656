"""What to do where the backward passes of two losses go through the same part of a graph: the repair depends on what the optimizers hold."""

from __future__ import annotations

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import TraceOptimizer, Write
from jgrad.tracing.explain.edits import Edit, frames, read_as
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.training import Training


def for_two_losses(log: Log, end: int) -> tuple[str, list[Edit]] | None:
    """The repair, if the backward pass that failed in a step began at another tensor than the one before; None if it did not."""
    roots = [(i, s["roots"][0]) for i, s in enumerate(log.steps) if s["kind"] == "backward" and s["roots"]]
    if len(roots) < 2 or roots[-1][1] == roots[-2][1]:
        return None
    losses = _Losses(log, roots[-2], roots[-1], end)
    return losses.repair(), losses.edits


class _Losses:
    """Two losses of which the second backward pass failed: for each the step in which backward() began, and the tensor."""

    def __init__(self, log: Log, first: tuple[int, int], second: tuple[int, int], end: int) -> None:
        self.log = log
        self.first, self.second, self.root = first[0], second[0], first[1]
        self.edits: list[Edit] = []
        self.graphs = self._nodes(first[1]), self._nodes(second[1])
        self.names = self._name(*first), self._name(*second)
        self.between = range(self.first, end)
        self.training = Training.of(log)
        self.stepped = next((i for i in self.between if self._writes(i)), None)
        learning = self._leaves(self.graphs[0]) | self._leaves(self.graphs[1])
        self.optimizers = [o for o in log.document.get("optimizers", ()) if learning & {*o["parameters"]}]

    def _name(self, step: int, tensor: int) -> str:
        """What to call a loss: its variable, or the line in which its backward pass began."""
        name = self.log.name(tensor, step)
        return name if NAME.fullmatch(name) else f"the loss of {self.log.spot(step)}"

    def repair(self) -> str:
        shared = self._shared()
        found = self._of_optimizers(shared) if len(self.optimizers) > 1 else ""
        if found:
            return found
        if self.stepped is not None:
            name = self.log.name(shared[-1], self.first) if shared else "what both losses use"
            return f"Compute {name} anew for {self.names[1]} after {self._step()}{self._together(', or write ')}."
        detached = f"cut the graph with detach() where {self.names[1]} should send no gradient."
        kept = "pass retain_graph=True to the first call"
        if together := self._together("Write "):
            return f"{together}, {kept}, or {detached}"
        return f"P{kept[1:]}, or {detached}"

    def _of_optimizers(self, shared: list[int]) -> str:
        """The repair if one loss may be meant for an optimizer that trains nothing of a shared tensor's past."""
        strange = [(o, [t for t in shared if not self._trains(o, t)]) for o in self.optimizers]
        strange = [(o, tensors) for o, tensors in strange if tensors]
        stepper = [(o, tensors) for o, tensors in strange if self._is_stepped(o)]
        if not strange:
            return ""
        optimizer, tensors = (stepper or strange)[0]
        tensor, name = tensors[-1], optimizer["name"]
        cut = self.log.name(tensor, self.first)
        loss = self.names[0] if stepper else f"the loss for {name}"
        twice = [t for t in shared if t > tensor and t not in tensors]
        detach = f"{cut}.detach() in place of {cut} where {loss} is computed"
        only = f"{name} trains nothing that {cut} was computed from"
        anew = ""
        if twice:
            after = f" after {self._step()}" if self.stepped is not None else ""
            anew = f" Compute {self.log.name(twice[-1], self.first)} anew for {self.names[1]}{after}."
        if self._cleared(tensor):
            self.edits = self._detached(tensor, cut) if stepper and not anew else []
            return f"Write {detach}, because {only}.{anew}"
        otherwise = self._together("; otherwise write ")
        return f"If {loss} should train only what {name} holds, write {detach}{otherwise}.{anew}"

    def _detached(self, tensor: int, name: str) -> list[Edit]:
        """`fake.detach()` for `fake` in the statement by which the first loss is computed from it."""
        behind = self.log.sources(self.root, self.first)
        for i in self.log.users.get(tensor, ()):
            if i < self.first and not behind.isdisjoint(self.log.steps[i].get("makes", ())):
                for code, line in frames(self.log, i):
                    statement = code.statement_at(line)
                    edits = [] if statement is None else read_as(code, statement, name, f"{name}.detach()")
                    if edits:
                        return edits
        return []

    def _step(self) -> str:
        assert self.stepped is not None
        return f"{self.log.spot(self.stepped)} ({self.log.text(self.stepped)})"

    def _together(self, lead: str) -> str:
        """How to run one backward pass for both losses; nothing where they are variables of different functions."""
        calls = self.log.document.get("calls", [])
        numbers = [self.log.steps[i].get("call") for i in (self.first, self.second)]
        scopes = [None if n is None else (calls[n]["source"], calls[n]["function"]) for n in numbers]
        if scopes[0] != scopes[1] or not all(map(NAME.fullmatch, self.names)):
            return ""
        before = "" if self.stepped is None else f" before {self.log.spot(self.stepped)}"
        return f"{lead}({self.names[0]} + {self.names[1]}).backward() once{before}"

    # What is behind a tensor -------------------------------------------------------------------------------------------------------------

    def _nodes(self, tensor: int) -> set[int]:
        """The nodes behind a tensor, as they were when the first backward pass began or when the second graph was made."""
        node = self.log.state(tensor, self.second)["grad_fn"]
        return set() if node is None else self.log.nodes_behind(node)

    def _leaves(self, nodes: set[int]) -> set[int]:
        found = (self.log.nodes[n]["variable"] for n in nodes)
        return {t for t in found if t is not None}

    def _shared(self) -> list[int]:
        """The named tensors that both losses were computed from, in the order in which they were made."""
        both = self.graphs[0] & self.graphs[1]
        return [
            t["id"]
            for t in self.log.tensors
            if self.log.state(t["id"], self.first)["grad_fn"] in both
            and NAME.fullmatch(self.log.name(t["id"], self.first))
        ]

    def _trains(self, optimizer: TraceOptimizer, tensor: int) -> bool:
        """Whether an optimizer holds a leaf that a tensor was computed from."""
        return not self._leaves(self._nodes(tensor)).isdisjoint(optimizer["parameters"])

    def _writes(self, index: int) -> list[Write]:
        """What a step of the trace wrote, if an optimizer did."""
        return self.log.steps[index].get("writes", []) if self.training.is_of_step(index) else []

    def _is_stepped(self, optimizer: TraceOptimizer) -> bool:
        """Whether an optimizer made a step after the first backward pass."""
        writes = [w for i in self.between for w in self._writes(i)]
        return any(w["tensor"] in optimizer["parameters"] for w in writes)

    def _cleared(self, tensor: int) -> bool:
        """Whether the gradients that the first backward pass sent past a tensor were cleared before the second one began."""
        leaves = self._leaves(self._nodes(tensor))
        cleared = [g["tensor"] for i, g in self.log.grads if i in self.between and g["action"] != "add"]
        return bool(leaves) and leaves <= {*cleared}
