"""What a log holds about the training of each parameter."""

from __future__ import annotations

import re

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import figures_of
from jgrad.tracing.document.schema import GradUpdate, TraceModule, TraceOptimizer, Write
from jgrad.tracing.document.sentences import IDLE
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.records import EXCHANGES

STEP = re.compile(r"[\w.\[\]'\"]+\.step\(")
CLIP = re.compile(r"\bclip_grad\w*_\(")
SHOWN = 4  # names that a sentence lists


class Training:
    """What a log says about each parameter, in order: what came to its .grad, what cleared, clipped and used it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        ran = [pair for op in IDLE for pair in log.operations.get(op, ())]
        self.idle = [(i, s) for i, s in ran if "reads" in s and "makes" not in s and "node" not in s]
        # Tensor -> (step, what happened to its .grad)
        self.grads: dict[int, list[tuple[int, GradUpdate]]] = {}
        for i, grad in log.grads:
            self.grads.setdefault(grad["tensor"], []).append((i, grad))
        self._texts: dict[int | tuple | None, str] = {}
        self.modules: list[TraceModule] = log.document.get("modules", [])
        self.optimizers: list[TraceOptimizer] = log.document.get("optimizers", [])
        # What got gradients in a round, also if the steps of that round were not kept, and what no round changed:
        rounds = log.document.get("rounds")
        self.fed: set[int] = set()
        self.still: set[int] = set()
        for p in rounds["parameters"] if rounds is not None else ():
            # On the device meta nothing has a value that could change.
            if p["tensor"] is None or rounds is None or log.tensors[p["tensor"]]["device"] == "meta":
                continue
            fed = figures_of(rounds, p, "gradient").known.nonzero()[0]
            if not len(fed):
                continue
            self.fed.add(p["tensor"])
            # What its last round did is not known where it is gone when the recording ends, as what a function makes.
            updates = figures_of(rounds, p, "update")
            if updates.known[fed[0] + 1 : fed[-1]].all() and not updates.largest[updates.known].any():
                self.still.add(p["tensor"])
        # Where steps of optimizers ran, and what the user called a step() of his own. An older document, or one of a block that still runs,
        # does not have it: there the text must do.
        self._stepped = {
            (call, span and tuple(span)) for o in self.optimizers for call, span in o.get("stepped", ())
        }
        self._own_steps = tuple(f".{o['type']}.step" for o in self.optimizers)
        self.optimized = {p for optimizer in self.optimizers for p in optimizer["parameters"]}

    @classmethod
    def of(cls, log: Log) -> Training:
        """That of a log, made once."""
        if log.training is None:
            log.training = cls(log)
        return log.training

    def text(self, index: int) -> str:
        """`log.text`, remembered: a loop has the same expressions again and again."""
        step = self.log.steps[index]
        # All steps of a function that the cell calls have the span of this call: only their own calls tell them apart.
        where = step.get("call", None if step["span"] is None else tuple(step["span"]))
        known = self._texts.get(where)
        if known is None:
            known = self._texts[where] = self.log.text(index)
        return known

    def steps_of(self, parameter: int) -> list[tuple[int, Write]]:
        """(step, write) by which optimizers changed a parameter."""
        writes = self.log.writes_to.get(self.log.tensors[parameter]["version_counter"], ())
        return [(i, w) for i, w in writes if w["tensor"] == parameter and self.is_of_step(i)]

    def place(self, index: int) -> tuple[int | None, tuple | None]:
        """What tells the place of a step of the trace from others: its call, or the expression of the cell."""
        step = self.log.steps[index]
        number, span = step.get("call"), step["span"]
        return number, None if span is None or number is not None else tuple(span)

    def is_of_step(self, index: int) -> bool:
        """Whether a step ran where the code, or a framework that it called, asked an optimizer for a step, or in a step() that the user wrote."""
        if not self._stepped:
            return STEP.match(self.text(index)) is not None
        if self.place(index) in self._stepped:
            return True
        number = self.log.steps[index].get("call")
        while number is not None:
            call = self.log.places.calls[number]
            if f".{call['function']}".endswith(self._own_steps):
                return True
            number = call["caller"]
        return False

    def step_called(self, index: int, parameter: int) -> str:
        """What to call the step of an optimizer that changed a parameter: "opt.step()" as the code has it, else by what the optimizer is called."""
        text = self.text(index)
        owner = next((o["name"] for o in self.optimizers if parameter in o["parameters"]), "")
        return called(text) if STEP.match(text) or not owner else f"{owner}.step()"

    def stepped(self) -> dict[str, set[int]]:
        """The parameters that steps changed, by what step() was called on: "opt"."""
        found: dict[str, set[int]] = {}
        for p in range(len(self.log.tensors)):
            for i, _ in self.steps_of(p):
                found.setdefault(self.text(i).partition(".step(")[0], set()).add(p)
        return found

    def lines_of_steps(self) -> set[tuple[int | None, int]]:
        """The lines in which optimizers were asked for steps, each with its source; None is the cell."""
        found: set[tuple[int | None, int]] = set()
        for number, span in self._stepped:
            if number is not None:
                call = self.log.places.calls[number]
                found.add((call["source"], call["line"]))
            elif span is not None:
                found.add((None, span[0]))
        return found

    def filled(self, tensor: int) -> list[int]:
        """The steps that added to the .grad of a tensor."""
        return [i for i, grad in self.grads.get(tensor, ()) if grad["action"] == "add"]

    def moved(self, tensor: int) -> list[int]:
        """The steps that changed a tensor, whoever did it, after the first gradient came to it. (A gap has written what was not read between its
        ends, also if no round changed it.)"""
        filled = self.filled(tensor)
        if not filled:
            return []
        log = self.log
        storages = {log.tensors[tensor]["storage"], log.final[tensor]["storage"]}
        writes = [i for storage in storages for i, _ in log.writes_on.get(storage, ())]
        swaps = [i for i, change in log.changes.get(tensor, ()) if "storage" in change]
        gaps = log.gaps if tensor in self.still else ()
        return sorted(i for i in {*writes, *swaps} if i > filled[0] and i not in gaps)

    def uses_of_grad(self, tensor: int) -> list[int]:
        """The steps that read the .grad of a tensor, apart from those that clip it, average it over processes, and the steps of optimizers."""
        steps = self.log.steps
        grads = {g for i, _ in self.grads.get(tensor, ()) for g in steps[i].get("makes", ())}
        found = {i for g in grads for i in self.log.users.get(g, ()) if steps[i]["op"] not in EXCHANGES}
        return sorted(i for i in found if not CLIP.search(self.text(i)) and not self.is_of_step(i))

    def groups(self) -> list[tuple[str, list[int]]]:
        """What is trained together, each with its name: what an optimizer has, and the modules whose parameters the code changes by itself."""
        own = [
            (m["name"], m["parameters"]) for m in self.modules
            if self.optimized.isdisjoint(m["parameters"]) and any(self.moved(p) for p in m["parameters"])
        ]  # fmt: skip
        return [(o["name"], o["parameters"]) for o in self.optimizers] + own

    def clips_of(self, parameter: int) -> list[tuple[int, bool]]:
        """(step, whether there was anything to clip) of the calls that clip its gradient."""
        found = [(i, True) for i, _ in self.grads.get(parameter, ()) if CLIP.search(self.text(i))]
        return found + [(i, False) for i, s in self.idle if s["op"] != "step" and parameter in s["reads"]]

    def names(self, numbers: list[int], index: int, ending: str = "") -> str:
        """What some tensors are called, a few of them."""
        return _some([f"{self.log.name(t, index)}{ending}" for t in numbers])

    def names_or_number(self, numbers: list[int], index: int) -> str:
        """The same, where variables hold them all; else how many they are, as of the layers of a model that only functions name."""
        if all(self.named(t, index) for t in numbers):
            return self.names(numbers, index)
        return f"{len(numbers)} parameter{'s' * (len(numbers) > 1)}"

    def names_of_rounds(self, numbers: list[int], ending: str = "") -> str:
        """What some parameters are called in the figures of rounds, a few of them: they may be gone, and the steps that named them not kept."""
        rows = self.log.document["rounds"]["parameters"]
        return _some([f"{row['name']}{ending}" for row in rows if row["tensor"] in numbers])

    def remade(self, numbers: list[int], number: int, index: int) -> int | None:
        """The step that made a tensor, if its line has made several of these, one after the other."""
        made = {t: self.log.maker.get(t) for t in numbers}
        lines = [self.log.steps[i]["line"] for i in made.values() if i is not None]
        here = made.get(number)
        names = {n for t in numbers for _, n in self.log.tensors[t]["names"] if n}
        again = here is not None and lines.count(self.log.steps[here]["line"]) > 1 and len(names) == 1
        return here if again else None

    def named(self, number: int, index: int) -> bool:
        """Whether a variable holds a tensor, apart from optimizers."""
        name = name_at(self.log.tensors[number], index)
        return bool(name) and "param_groups[" not in name

    def root(self, numbers: list[int], index: int) -> str:
        """The variable in which some tensors lie: "net" of net.weight."""
        names = dict.fromkeys(re.split(r"[.\[]", self.log.name(t, index))[0] for t in numbers)
        return listed([*names][:SHOWN])


def _some(names: list[str]) -> str:
    """A few of some names in words."""
    known = [*dict.fromkeys(names)]
    return listed(known if len(known) <= SHOWN else [*known[: SHOWN - 1], f"{len(known) - SHOWN + 1} more"])


def called(text: str) -> str:
    """ "opt.step()" of a call with whatever arguments."""
    return re.sub(r"\(.*\)$", "()", text, flags=re.DOTALL) or "step()"
