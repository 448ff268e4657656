"""Why no parameter of an optimizer has a gradient when it makes a step.

The rules end the sentences of others, such as "opt.step() changed nothing, because every parameter has .grad None: ...".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step
from jgrad.tracing.explain import edits
from jgrad.tracing.explain.history import taken_as_numbers, uncut
from jgrad.tracing.explain.rule import Rules, Said, first
from jgrad.tracing.explain.rules.no_history import cut_off, never_had
from jgrad.tracing.explain.training import Training

NO_GRADIENTS = Rules()

LOOP = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(3):
    {}
    {}
    {}
    {}
"""
MAKE = "opt = jgrad.optim.SGD([w], lr=0.1)\n"
STEP = "(w * 2).sum().backward()\nopt.step()\n"


@dataclass
class Unfilled:
    """Parameters that have no gradient when `what` runs, at a step of a log."""

    training: Training
    params: list[int]
    index: int
    what: str

    @cached_property
    def events(self) -> list[tuple[int, str, int]]:
        """(step, what happened to a .grad of theirs, parameter) before."""
        grads = self.training.grads
        return sorted((i, g["action"], p) for p in self.params for i, g in grads.get(p, ()) if i < self.index)

    @property
    def since(self) -> int:
        """The last step that changed a .grad of theirs, -1 if there is none."""
        return self.events[-1][0] if self.events else -1

    @property
    def filled(self) -> int | None:
        """The last step that added to one."""
        return max((i for i, action, _ in self.events if action == "add"), default=None)

    @cached_property
    def filled_instead(self) -> list[int]:
        """The leaves whose .grad was filled instead."""
        final = self.training.log.final
        filled = dict.fromkeys(
            t for t, events in self.training.grads.items() if t not in self.params and final[t]["is_leaf"]
            for i, grad in events if self.since < i < self.index and grad["action"] == "add"
        )  # fmt: skip
        return [*filled]

    @cached_property
    def others(self) -> list[int]:
        """Those that a variable holds, if there are any."""
        filled = self.filled_instead
        return [t for t in filled if self.training.named(t, self.index)] or filled

    @property
    def nameless(self) -> bool:
        """Whether no variable holds the parameters any more."""
        return all(not self.training.named(p, self.index) for p in self.params)

    @cached_property
    def own(self) -> str:
        """What they are called: by the variable that holds all of them, else by the optimizer."""
        if self.nameless:
            return f"the parameters of {self.what.rpartition('.')[0]}"
        root = self.training.root(self.params, self.index)
        return (
            root if root.isidentifier() and root != "self" else self.training.names(self.params, self.index)
        )

    @cached_property
    def remade(self) -> int | None:
        """The step that made the leaf that was filled instead, if its line makes it anew again and again."""
        filled = self.filled_instead
        return self.training.remade(filled, self.others[0], self.index) if filled else None

    def ran_backward(self, op: str | None = None) -> bool:
        """Whether a backward call ran since, one of this kind."""
        return any(op in (None, s["op"]) for _, s in self.calls())

    def calls(self) -> list[tuple[int, Step]]:
        """The backward calls since."""
        return [(i, s) for i, s in self.training.log.of("backward") if self.since < i < self.index]


def why_none(training: Training, params: list[int], index: int, what: str) -> Said:
    """Why none of these has a gradient when `what` runs, at a step."""
    said = first(NO_GRADIENTS, Unfilled(training, params, index, what))
    assert said is not None, "the last rule applies to everything"
    return said


@NO_GRADIENTS.rule(
    "no-parameter-requires-grad", "warning", "no parameter of an optimizer requires grad",
    "no parameter requires grad",
    "Call requires_grad_() on each tensor that should learn.",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE
    + "w.requires_grad_(False)\n(w * b).sum().backward()\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE + "(w * b).sum().backward()\nopt.step()\n",
)  # fmt: skip
def no_parameter_requires_grad(u: Unfilled) -> Iterator[dict]:
    if not any(u.training.log.state(p, u.index)["requires_grad"] for p in u.params):
        yield {"at": []}


@NO_GRADIENTS.rule(
    "cleared-before-step", "warning", "the gradients are cleared between backward() and step()",
    "{clearing} cleared the gradients after {filling} had filled them",
    "{repair}",
    LOOP.format("loss = (w * 2).sum()", "loss.backward()", "opt.zero_grad()", "opt.step()"),
    LOOP.format("loss = (w * 2).sum()", "opt.zero_grad()", "loss.backward()", "opt.step()"),
)  # fmt: skip
def cleared_before_step(u: Unfilled) -> Iterator[dict]:
    log, filled = u.training.log, u.filled
    if filled is None or any(filled < i < u.index for p in u.params for i, _ in u.training.steps_of(p)):
        return
    cleared = u.since
    last = u.index if u.index < len(log.steps) else cleared  # else a step that is only asked about
    places = [edits.at_step(log, i) for i in (cleared, filled, last)]
    mended, repair = [], in_turn(log, cleared, filled, last, u.what)
    known = [place for place in places if place is not None]
    if len({place[0].file for place in known}) == 1 and len(known) == len(places):
        code, statement = known[0]
        backward, step = (code.statement_at(place[1].lineno) for place in known[1:])
        if backward is not None and code.stand_together(statement, backward):
            mended = code.moved(statement, before=backward)
        elif step is not None and step is not statement and code.stand_together(statement, step):
            # Anywhere else micro-batches are lost.
            mended, repair = code.moved(statement, after=step), f"Move {log.spot(cleared)} after {u.what}."
    yield {
        "clearing": log.at(cleared), "filling": log.at(filled), "repair": repair, "at": [filled, cleared], "edits": mended,
    }  # fmt: skip


def in_turn(log: Log, cleared: int, filled: int, step: int, what: str) -> str:
    """What to do with what clears gradients after they were filled and before the step of an optimizer, `what`, uses them."""
    if step != cleared and log.places.where(log.steps[filled]) == log.places.where(log.steps[step]):
        # A framework runs both, so nothing can be moved behind either.
        return f"Leave out {log.spot(cleared)}, or let it run before backward()."
    return f"Move {log.spot(cleared)} before backward(), or after {what}."


@NO_GRADIENTS.rule(
    "loss-of-numbers", "warning", "the loss is a new tensor, made of numbers that were taken out of the graph",
    "backward() ran from {name}, a leaf made of numbers. {taken} took them out of the graph",
    "Compute {name} with operations on tensors all the way, and take numbers only of what is printed.",
    LOOP.format("opt.zero_grad()", "loss = w * 2", "jgrad.tensor([loss.item()], requires_grad=True).backward()", "opt.step()"),
    LOOP.format("opt.zero_grad()", "loss = w * 2", "loss.backward()", "opt.step()"),
)  # fmt: skip
def loss_of_numbers(u: Unfilled) -> Iterator[dict]:
    log = u.training.log
    for i, step in reversed(log.of("backward")):
        if u.since < i < u.index and len(step["roots"]) == 1:
            root = step["roots"][0]
            taken = taken_as_numbers(log, root)
            if taken:
                yield {"name": log.name(root, i), "taken": taken, "at": [i]}
            return


@NO_GRADIENTS.rule(
    "leaf-lost-history", "warning", "the leaf that is filled was computed from the parameters, and its history is lost",
    "backward() filled only {grad}",
    "{name} has no history: {why}",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + "h = (w * 2).detach().requires_grad_()\nh.sum().backward()\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + "h = w * 2\nh.sum().backward()\nopt.step()\n",
)  # fmt: skip
def leaf_lost_history(u: Unfilled) -> Iterator[dict]:
    log, training = u.training.log, u.training
    one = len({log.name(t, u.index) for t in u.others}) == 1
    if not one or (u.remade is not None and u.nameless):
        return
    leaf = u.others[-1]
    used = min((log.users[p][0] for p in u.params if log.users.get(p)), default=u.index)
    made = log.maker.get(leaf)
    if made is None or made < used:
        return
    why = cut_off(log, leaf, u.index) or never_had(log, leaf, u.index)
    if why is not None:
        yield {"grad": training.names([leaf], u.index, ".grad"), "name": log.name(leaf, u.index), "why": why.text, "edits": why.edits, "at": []}  # fmt: skip


def _unheld(u: Unfilled) -> dict:
    """The blanks about tensors that are filled and that the optimizer does not hold."""
    grads, others = u.training.grads, u.others
    last = [i for t in others for i, g in grads[t] if i < u.index and g["action"] == "add"]
    them = "this tensor" if len(others) == 1 else "these tensors"
    return {"grads": u.training.names(others, u.index, ".grad"), "them": them, "at": [max(last)]}


UNHELD = "backward() filled {grads}, but the optimizer does not hold {them}"


@NO_GRADIENTS.rule(
    "parameter-made-anew", "warning", "each round gives the name of a parameter to a new tensor",
    UNHELD,
    "Make {name} once and change it in place under no_grad(), because {spot} makes a new one each time.",
    LOOP.format("w = jgrad.ones(1, requires_grad=True)", "loss = (w * 2).sum()", "loss.backward()", "opt.step()"),
    LOOP.format("opt.zero_grad()", "loss = (w * 2).sum()", "loss.backward()", "opt.step()"),
)  # fmt: skip
def parameter_made_anew(u: Unfilled) -> Iterator[dict]:
    if u.others and u.nameless and u.remade is not None:
        log = u.training.log
        yield _unheld(u) | {"name": log.name(u.others[0], u.index), "spot": log.spot(u.remade)}


@NO_GRADIENTS.rule(
    "optimizer-of-old-parameters", "warning", "an optimizer has the parameters that its model had before",
    UNHELD,
    "Make the optimizer after the last line that makes, copies or loads {root}.",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + "w = jgrad.zeros(1, requires_grad=True)\n" + STEP,
    "w = jgrad.ones(1, requires_grad=True)\nw = jgrad.zeros(1, requires_grad=True)\n" + MAKE + STEP,
)  # fmt: skip
def optimizer_of_old_parameters(u: Unfilled) -> Iterator[dict]:
    if u.others and u.nameless:
        named = u.training.named(u.others[0], u.index)
        made = u.training.log.maker.get(u.others[0])
        moved = edits.made_later(u.training.log, u.what.partition(".")[0], made)
        root = u.training.root(u.others, u.index) if named else "what is used"
        yield _unheld(u) | {"root": root, "edits": moved}


@NO_GRADIENTS.rule(
    "parameters-cut-off", "warning", "the loss was computed from the parameters, and the way to them leaves the graph",
    "{at_cut} cut the graph with {cutter} between {own} and {name}",
    "{repair}",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE
    + "y = (w * 2).detach()\n(y * b).sum().backward()\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE
    + "y = w * 2\n(y * b).sum().backward()\nopt.step()\n",
)  # fmt: skip
def parameters_cut_off(u: Unfilled) -> Iterator[dict]:
    """Where two networks take turns, what was cut off goes into the loss of the other too, which may need the cut."""
    log = u.training.log
    calls = [(i, root) for i, step in log.of("backward") for root in step["roots"]]
    for i, root in [call for call in calls if u.since < call[0] < u.index][-1:]:
        cut = next((c for p in u.params if (c := log.cut(p, root, i)) is not None), None)
        if cut is None:
            return
        own, cutter = u.own, log.cutter(cut)
        others = [(k, r) for k, r in calls if log.at(k) != log.at(i) and cut in log.sources(r, k)]
        name = log.name(cut, i)
        at_others = f"Leave out {cutter} there, and write {name}.detach() where only others should learn."
        if "deepcopy(" in cutter:
            yield {
                "at_cut": log.at(log.maker[cut]), "cutter": cutter, "own": own, "name": log.name(root, i), "at": [i],
                "repair": "The copy gets the gradients: for p and q in zip(model.parameters(), copy.parameters()) write p.grad = q.grad.clone(). "
                "Or compute the copy's weights with functional_call() and autograd.grad(create_graph=True).",
            }  # fmt: skip
            return
        yield {
            "at_cut": log.at(log.maker[cut]), "cutter": cutter, "own": own, "name": log.name(root, i), "at": [i],
            "repair": at_others if others else uncut(log, cut, own),
            "edits": edits.cut_elsewhere(log, cut, name, *others[-1]) if others else edits.uncut(log, cut),
        }  # fmt: skip


@NO_GRADIENTS.rule(
    "optimizer-lacks-parameter", "warning", "an optimizer does not hold what the loss is computed from",
    UNHELD,
    "Pass {theirs} to the optimizer too, or compute the loss from {own}.",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE + "(b * 2).sum().backward()\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\n" + MAKE + "(w * b).sum().backward()\nopt.step()\n",
)  # fmt: skip
def optimizer_lacks_parameter(u: Unfilled) -> Iterator[dict]:
    if u.others:
        names = u.training.names
        yield _unheld(u) | {"theirs": names(u.others, u.index), "own": names(u.params, u.index)}


@NO_GRADIENTS.rule(
    "gradients-returned", "warning", "autograd.grad() computes the gradients, and nothing assigns them",
    "autograd.grad() returns the gradients and changes no .grad",
    "Call backward(), or assign the gradients to .grad.",
    LOOP.format("opt.zero_grad()", "loss = (w * 2).sum()", "g, = jgrad.autograd.grad(loss, w)", "opt.step()"),
    LOOP.format("opt.zero_grad()", "loss = (w * 2).sum()", "loss.backward()", "opt.step()"),
)  # fmt: skip
def gradients_returned(u: Unfilled) -> Iterator[dict]:
    if any(not _of_an_input(u, i, step) for i, step in u.calls() if step["op"] == "grad"):
        yield {"at": []}


def _of_an_input(u: Unfilled, index: int, step: Step) -> bool:
    """Whether a call of autograd.grad() asks for the gradient of one tensor that is no parameter, as a derivative in a loss does."""
    place = edits.at_step(u.training.log, index)
    calls = [] if place is None else [c for c in edits.calls_of(place[1], "grad") if len(c.args) > 1]
    if len(calls) != 1:
        return False
    asked = u.training.log.numbered(ast.unparse(calls[0].args[1]), index)
    return asked is not None and asked not in u.training.optimized


@NO_GRADIENTS.rule(
    "cleared-and-not-filled", "warning", "the gradients are cleared, and no backward() fills them",
    "{clearing} cleared the gradients, and no backward() has filled them since",
    "Call backward() before each step.",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + STEP + "opt.zero_grad()\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + STEP + "opt.zero_grad()\n" + STEP,
)  # fmt: skip
def cleared_and_not_filled(u: Unfilled) -> Iterator[dict]:
    if u.events:
        yield {"clearing": u.training.log.at(u.since), "at": [u.since]}


@NO_GRADIENTS.rule(
    "parameters-not-reached", "warning", "backward() runs and reaches no parameter of the optimizer",
    "no backward() reached the parameters",
    "Compute the loss from {own}.",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + "y = w * 2\ny.backward(inputs=[y])\nopt.step()\n",
    "w = jgrad.ones(1, requires_grad=True)\n" + MAKE + "y = w * 2\ny.backward()\nopt.step()\n",
)  # fmt: skip
def parameters_not_reached(u: Unfilled) -> Iterator[dict]:
    if any(not (s["op"] == "grad" and _of_an_input(u, i, s)) for i, s in u.calls()):
        yield {"own": u.own, "at": []}


@NO_GRADIENTS.rule(
    "no-backward-before-step", "warning", "no backward() runs before the step",
    "no backward() ran before",
    "{repair}",
    LOOP.format("opt.zero_grad()", "loss = (w * 2).sum()", "loss.item()", "opt.step()"),
    LOOP.format("opt.zero_grad()", "loss = (w * 2).sum()", "loss.backward()", "opt.step()"),
)  # fmt: skip
def no_backward_before_step(u: Unfilled) -> Iterator[dict]:
    """With a closure, it is the closure that should call backward() on the loss that it returns."""
    place = edits.at_step(u.training.log, u.index)
    for call in [] if place is None else edits.calls_of(place[1], "step"):
        name = ast.unparse(call.args[0]) if len(call.args) == 1 else ""
        for code in edits.Code.all_of(u.training.log):
            closures = [s for s in code.statements if isinstance(s, ast.FunctionDef) and s.name == name]
            last = closures[-1].body[-1] if closures else None
            if isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
                call_it = f"{last.value.id}.backward()"
                repair = f"Call {call_it} in {name}(), before it returns {last.value.id}."
                yield {"at": [], "repair": repair, "edits": [code.before(last, call_it)]}
                return
    yield {"at": [], "repair": "Call backward() before each step."}
