"""How a training went, by the figures of its rounds: where its loss ended against the best constant prediction, how far the weights moved."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.rounds import figures_of, losses_of
from jgrad.tracing.document.schema import Objective, Rounds
from jgrad.tracing.explain.edits import Code, Edit
from jgrad.tracing.explain.rules.rounds import is_one_training

# A loss that is at least this part of that of the best constant prediction is no better than it. Right programs that were measured end below 0.3.
NO_BETTER = 0.95
LEAST_ROUNDS = 30  # fewer rounds are a demonstration
BALANCED = 0.6  # of the entropy of equally frequent labels; rare events are predicted well by their rarity
LEAST_CONSTANT = 1e-6
PARTS = 5  # the loss at the end is the mean of the last of so many parts
JUMPS = 0.05  # what the last loss may differ from that mean and still be meant by it
REDUCING = ("mean", "sum", "div", "mul", "neg", "pow", "square", "abs", "add")
COMPARING = (
    "nll_loss", "nll_loss2d", "nll_loss_nd", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "sub",
)  # fmt: skip
REGRESSION = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
# Whose steps are about as large as the learning rate.
ADAPTIVE = (
    "Adam",
    "AdamW",
    "NAdam",
    "RAdam",
    "Adamax",
    "RMSprop",
)


class Comparison(NamedTuple):
    """Where a loss compared a prediction with a target, the last time that this was recorded."""

    step: int
    prediction: int  # the tensors
    target: int


class Learning:
    """What is known about how a training went that has one loss."""

    def __init__(self, log: Log, rounds: Rounds) -> None:
        self.log, self.rounds = log, rounds
        self.total = rounds["total"]
        figures = losses_of(rounds, rounds["losses"][0]) if rounds["losses"] else None
        known = np.zeros(0) if figures is None else figures.first[figures.known]
        self.losses = known

    @classmethod
    def of(cls, log: Log) -> Learning | None:
        """That of a log, made once; None where no loop trains the same parameters throughout."""
        if "learning" not in log.kept:
            rounds = log.document.get("rounds")
            is_training = rounds is not None and is_one_training(rounds)
            log.kept["learning"] = cls(log, rounds) if rounds is not None and is_training else None
        return log.kept["learning"]

    # The loss ---------------------------------------------------------------------------------------------------------------------

    @cached_property
    def objective(self) -> Objective | None:
        """The loss from which backward calls begin, if it is the only one and its targets are data."""
        found = [o for o in self.rounds.get("objectives", ()) if o["roots"]]
        if len(found) != 1 or found[0]["roots"] < 0.9 or len(self.rounds["losses"]) != 1:
            return None
        compared = self.compared
        if compared is not None and not self._parameters.isdisjoint(
            self.log.sources(compared.target, compared.step)
        ):
            return None  # as in Q-learning, where a network computes the targets
        return found[0]

    @cached_property
    def _parameters(self) -> set[int]:
        found = {p["tensor"] for p in self.rounds["parameters"] if p["tensor"] is not None}
        return found | {t for m in self.log.document.get("modules", ()) for t in m["parameters"]}

    @cached_property
    def begun(self) -> tuple[int, int] | None:
        """(step, tensor) of the last backward call that was recorded."""
        calls = [
            (i, s["roots"][0]) for i, s in self.log.of("backward") if s["op"] == "backward" and s["roots"]
        ]
        return calls[-1] if calls else None

    @cached_property
    def compared(self) -> Comparison | None:
        """What the last recorded backward call began at, back to where a prediction was compared with a target."""
        log, begun = self.log, self.begun
        at = None if begun is None else begun[1]
        for _ in range(8):
            step = None if at is None else log.maker.get(at)
            if step is None:
                return None
            op, reads = log.steps[step]["op"], log.steps[step].get("reads", [])
            if op in COMPARING and len(reads) > 1:
                first, other = reads[0], reads[1]
                if op == "sub" and not log.state(first, step)["requires_grad"]:
                    first, other = other, first
                return Comparison(step, first, other)
            if op not in REDUCING and log.steps[step]["kind"] != "view":
                return None
            at = reads[0] if reads else None
        return None

    @cached_property
    def first(self) -> float:
        """The loss of the first round."""
        return float(self.losses[0]) if len(self.losses) else math.nan

    @property
    def last(self) -> np.ndarray:
        """The losses of the last fifth of the rounds."""
        return self.losses[-max(len(self.losses) // PARTS, 1) :]

    @cached_property
    def end(self) -> float:
        """The mean loss of the last fifth of the rounds."""
        return float(np.mean(self.last)) if len(self.last) else math.nan

    @cached_property
    def constant(self) -> float | None:
        """The loss of the best constant prediction, where that means something."""
        found = None if self.objective is None else self.objective["constant"]
        return found if found is not None and found > LEAST_CONSTANT else None

    @cached_property
    def part(self) -> float:
        """Which part of that loss the loss is at the end; 0 if it is not known."""
        part = 0.0 if self.constant is None else self.end / self.constant
        return part if math.isfinite(part) else 0.0

    @cached_property
    def worst(self) -> float:
        """Which part of that loss the largest loss of the last fifth of the rounds is; 0 if it is not known."""
        worst = (
            0.0 if self.constant is None or not len(self.last) else float(np.max(self.last)) / self.constant
        )
        return worst if math.isfinite(worst) else 0.0

    @cached_property
    def balanced(self) -> bool:
        """Whether no label is so frequent that nearly always predicting it is good."""
        o = self.objective
        if o is None:
            return False
        if o["op"].startswith("binary"):
            low, high, _ = o.get("targets", (0.0, 1.0, 0.0))
            return low >= 0 and high <= 1 and (self.constant or 0.0) > BALANCED * math.log(2)
        counts = [count for _, count in o.get("labels", ())]
        if not counts:
            return o["op"] in REGRESSION
        parts = [count / sum(counts) for count in counts]
        entropy = -sum(p * math.log(p) for p in parts)
        return len(parts) > 1 and entropy > BALANCED * math.log(len(parts))

    @cached_property
    def stuck(self) -> bool:
        """Whether the loss is no better than that of the best constant prediction, after enough rounds."""
        return self.total >= LEAST_ROUNDS and self.part >= NO_BETTER and self.balanced

    def still_falls(self) -> bool:
        """Whether the last fifth of the rounds is clearly below the one before it."""
        last, size = self.last, len(self.last)
        if size < 2:
            return False
        before = self.losses[-2 * size : -size]
        error = math.hypot(float(np.std(last)), float(np.std(before))) / math.sqrt(size)
        fallen = float(np.mean(before) - np.mean(last))
        return bool(
            fallen > 0.02 * abs(float(np.mean(before)))
            and (fallen > 2 * error or bool((np.diff(self.losses[-2 * size :]) < 0).all()))
        )

    # The weights ------------------------------------------------------------------------------------------------------------------

    @cached_property
    def moved(self) -> float | None:
        """How far all parameters moved together, in parts of their size at first."""
        known = [p["moved"] for p in self.rounds["parameters"] if "moved" in p]
        start = math.hypot(*(a for a, _ in known))
        return math.hypot(*(b for _, b in known)) / start if start > 0 and known else None

    @cached_property
    def moved_at_most(self) -> float | None:
        """The same, or, where what was trained is gone by now, the way that it went, which is no shorter."""
        if self.moved is not None:
            return self.moved
        ways, start = [], []
        for p in self.rounds["parameters"]:
            updates, values = (figures_of(self.rounds, p, what) for what in ("update", "value"))
            if self.rounds["bin"] > 1 or not updates.known[1:].all() or not values.known.any():
                return None
            ways.append(float(updates.first[updates.known].sum()))
            start.append(float(values.first[values.known][0]))
        return math.hypot(*ways) / math.hypot(*start) if start and math.hypot(*start) > 0 else None

    @cached_property
    def shrunk(self) -> float | None:
        """What is left of the size of all parameters; None if it is not known."""
        left, start = [], []
        for p in self.rounds["parameters"]:
            values = figures_of(self.rounds, p, "value")
            if "moved" in p and values.known.any():
                start.append(p["moved"][0])
                left.append(float(values.first[values.known][-1]))
        return math.hypot(*left) / math.hypot(*start) if start and math.hypot(*start) > 0 else None

    @cached_property
    def rate(self) -> float | None:
        """The learning rate at first, if all parameters have the same, and it is not 0, as at the begin of a schedule."""
        rates = {r["rate"] for r in self.rounds.get("rates", ()) if r["round"] == 1}
        return (rates.pop() or None) if len(rates) == 1 else None

    @cached_property
    def reach(self) -> float | None:
        """The sum of the learning rates of all steps, of one optimizer with one group."""
        rates = self.rounds.get("rates", [])
        if not rates or any(r["optimizer"] or r["group"] for r in rates):
            return None
        ends = [*(r["round"] for r in rates[1:]), self.total + 1]
        return sum(r["rate"] * (end - r["round"]) for r, end in zip(rates, ends, strict=True))

    @property
    def optimizer(self) -> str:
        """The class of the optimizer; nothing if there are several."""
        known = {o["type"] for o in self.log.document.get("optimizers", ())}
        return known.pop() if len(known) == 1 else ""

    # Words ------------------------------------------------------------------------------------------------------------------------

    @property
    def at(self) -> str:
        """Where the loss is computed."""
        if self.compared is not None:
            return self.log.at(self.compared.step)
        line = self.rounds["losses"][0]["line"] if self.rounds["losses"] else None
        return "the loop" if line is None else self.log.places.of_line(line)

    @property
    def prediction(self) -> str:
        """What the best constant prediction is."""
        op = "" if self.objective is None else self.objective["op"]
        if op == "l1_loss":
            return "the median of the targets"
        return "the mean of the targets" if op in REGRESSION else "the frequencies of the labels"

    def against_constant(self) -> str:
        """ "the loss is 2.298 after 300 rounds, and predicting the frequencies of the labels gives 2.296"; nothing if that is not known."""
        after = f"the loss is {number(self.end)} after {self.total:,} rounds"
        if len(self.losses) and abs(self.losses[-1] - self.end) > JUMPS * abs(self.end):
            after = f"the loss is {number(self.end)} on average in the last fifth of {self.total:,} rounds"
        if self.constant is None:
            return after
        return f"{after}, and predicting {self.prediction} gives {number(self.constant)}"

    def place(self) -> dict:
        """Where a remark about the training stands, and the blanks that all have."""
        begun, compared = self.begun, self.compared
        step = begun[0] if begun is not None else len(self.log.steps) - 1
        at = step if compared is None else compared.step
        so = self.against_constant()
        return {
            "step": step, "tensors": [], "lines": self.log.lines(at), "at": self.at, "so": so, "So": so[0].upper() + so[1:], "count": f"{self.total:,}",
            "rate": "the learning rate" if self.rate is None else f"the learning rate, {self.rate:g},",
        }  # fmt: skip

    # Edits ------------------------------------------------------------------------------------------------------------------------

    def option(self, name: str, position: int, value: str) -> list[Edit]:
        """Another value for a number that the optimizer was made with; nothing where it is not written there as a number."""
        calls = [
            (source, tree, call) for source, tree in self.log.code for call in _calls(tree, self.optimizer)
        ]
        if len(calls) != 1 or not self.optimizer:
            return []
        source, _, call = calls[0]
        given = [k.value for k in call.keywords if k.arg == name] + [*call.args[position : position + 1]]
        if (
            len(given) != 1
            or not isinstance(given[0], ast.Constant)
            or not isinstance(given[0].value, (int, float))
        ):
            return []
        return [Code.of_log(self.log, source).replaced(given[0], value)]


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of a class in some code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
            yield node
