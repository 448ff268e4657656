"""Parameters that get gradients and never change: no step is made, the module does not list them, the optimizer is older than they are, or the
update goes to another tensor."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import TraceModule, TraceOptimizer
from jgrad.tracing.document.syntax import around, cleared_by, has, parsed, rebinds
from jgrad.tracing.explain import edits
from jgrad.tracing.explain.repairs import library
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

# What a variable is called that is no optimizer, though it has a step().
SCHEDULE = re.compile(r"sched|rate|lr")
# What makes a schedule, whatever that is called.
MADE = re.compile(r"LR$|Restarts$|Plateau$|[sS]chedule")

# By what an attribute is, and whether there are layers in it: what parameters() leaves out, and the class that makes it look there.
KEPT = {
    ("list", True): ("the parameters of the layers in it", "ModuleList"), ("tuple", True): ("the parameters of the layers in it", "ModuleList"),
    ("dict", True): ("the parameters of the layers in it", "ModuleDict"), ("list", False): ("the tensors in it", "ParameterList"),
    ("tuple", False): ("the tensors in it", "ParameterList"), ("dict", False): ("the tensors in it", "ParameterDict"),
    ("tensor", False): ("it", "Parameter"),
}  # fmt: skip
STEPLESS = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, y = jgrad.randn(8, 2), jgrad.randn(8, 1)
for epoch in range(3):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
"""
FEWER = "The loop has too few rounds for it: accumulate fewer batches, or make a step behind the loop too."
OPTIMIZER_MADE = re.compile(r"\boptim\b|\b(?:Adam\w*|SGD|RMSprop)$")
PLAIN_LIST = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = jgrad.nn.Linear(2, 4)
        self.layers = %s

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x.relu())
        return x

net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
"""
REPLACED = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 4), jgrad.nn.ReLU(), jgrad.nn.Linear(4, 10))
%s
for epoch in range(2):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
"""
REBOUND = """
w = jgrad.ones(2, requires_grad=True)
def update(p):
    with jgrad.no_grad():
        p %s 0.1 * p.grad
for i in range(3):
    (w * w).sum().backward()
    update(w)
    w.grad = None
"""
CALLBACK = """
w = jgrad.ones(2, requires_grad=True)
def callback(p):
    %s
w.register_post_accumulate_grad_hook(callback)
for i in range(3):
    (w * w).sum().backward()
    if w.grad is not None:
        w.data -= 0.1 * w.grad
        w.grad = None
"""
# Losses that a network learns from.
LOSSES = re.compile(r"(?:nll|mse|l1|smooth_l1|huber)_loss\w*|(?:binary_)?cross_entropy\w*")
AVERAGED = """
net, average = jgrad.nn.Linear(2, 1), jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
    with jgrad.no_grad():
        for a, p in zip(average.parameters(), net.parameters()):
            %s
"""
TEACHER = """
net = jgrad.nn.Linear(2, 1)
teacher = %s
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
    with jgrad.no_grad():
        for t, s in zip(teacher.parameters(), net.parameters()):
            t.mul_(0.9).add_(0.1 * s)
"""
SWA = """
net = jgrad.nn.Linear(2, 1)
swa = jgrad.optim.swa_utils.AveragedModel(net)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
%sy = swa(jgrad.ones(3, 2))
"""
NEW_LAYER, OPTIMIZER = "net[2] = jgrad.nn.Linear(4, 2)", "opt = jgrad.optim.SGD(net.parameters(), lr=0.1)"


@NOTES.rule(
    "step-forgotten", "warning", "gradients are computed in each round, and the optimizer never makes a step",
    "{at} fills {names} {count} times, but {opt} never makes a step, so no parameter changes.",
    "Write {own}.step() after backward().",
    STEPLESS,
    STEPLESS + "    opt.step()\n",
)  # fmt: skip
def step_forgotten(log: Log) -> Iterator[dict]:
    """Nothing used the gradients that came again and again: they were cleared, or nothing reads them. The parameters did not change."""
    training = Training.of(log)
    if not training.optimizers or log.of("error") or _reads_grads(log):
        return
    found = [*_in_long_rounds(log, training)]
    if not found and not log.may_end_otherwise:
        found += _in_kept_rounds(log, training)
    yield from found


@NOTES.rule(
    "step-never-due", "warning", "an optimizer makes its step under a condition that is never true",
    "{at} ({stepping}) never runs, because {condition} is not true in any of {count} rounds. So no parameter changes.",
    "{repair}",
    STEPLESS + "    if (epoch + 1) % 4 == 0:\n        opt.step()\n",
    STEPLESS + "    if (epoch + 1) % 1 == 0:\n        opt.step()\n",
    final=True,
)  # fmt: skip
def step_never_due(log: Log) -> Iterator[dict]:
    """The only step() of an optimizer stands under an `if` in the loop that calls backward(), whose gradients nothing uses; it never ran."""
    training = Training.of(log)
    known = {p for m in training.modules for p in m["parameters"]} | training.optimized
    filled = [p for p in sorted(known) if len(training.filled(p)) > 1]
    used = any(training.moved(p) or training.uses_of_grad(p) for p in filled)
    if not filled or used or log.of("error") or any("stepped" in o for o in training.optimizers):
        return
    i = training.filled(filled[0])[-1]
    source, line = log.places.line(log.steps[i])
    rounds = log.document.get("rounds")
    for code in edits.Code.all_of(log):
        optimizers = {name for name, _, call in code.made if OPTIMIZER_MADE.search(ast.unparse(call.func))}
        calls = [
            c for c in edits.calls_of(code.tree, "step")
            if not c.args and isinstance(c.func, ast.Attribute) and ast.unparse(c.func.value) in optimizers
        ]  # fmt: skip
        here = edits.Code.of_log(log, source).file == code.file and line is not None
        conditions = around(code.tree, calls[0].lineno, ast.If) if len(calls) == 1 and here else []
        loops = [
            n
            for n in around(code.tree, line or 0, (ast.For, ast.While))
            if conditions and has(n, conditions[0].lineno)
        ]
        if loops and not has(conditions[-1], line):
            accumulates = any(isinstance(n, ast.Mod) for n in ast.walk(conditions[-1].test))
            yield {
                "step": i, "tensors": filled, "lines": log.lines(i), "at": code.place(log, calls[0].lineno), "edits": [],
                "condition": code.text(conditions[-1].test), "count": str(rounds["total"]) if rounds else log.times(len(training.filled(filled[0]))),
                "repair": FEWER if accumulates else "See when it should be true.",
                "stepping": code.text(calls[0]),
            }  # fmt: skip
            return


def _in_kept_rounds(log: Log, training: Training) -> Iterator[dict]:
    for optimizer in training.optimizers:
        params = optimizer["parameters"]
        added = (
            []
            if _cleared_outside_loops(log) or not _makes(log, optimizer)
            else [p for p in params if len(training.filled(p)) > 1]
        )
        cleared = [p for p in params if _thrown_away(training, p)]
        thrown = cleared or added
        if not thrown or any(training.moved(p) or training.uses_of_grad(p) for p in params):
            continue
        if _may_step(training, optimizer, bool(cleared)):
            continue
        i = training.filled(thrown[0])[-1]
        calls = {log.steps[k].get("backward_call") for p in thrown for k in training.filled(p)}
        yield {
            "step": i, "tensors": thrown, "lines": log.lines(i), "at": log.at(i), "names": training.names(thrown, i, ".grad"),
            "count": log.times(len(calls)), "opt": optimizer["name"], **_stepping(edits.at_step(log, i), optimizer["name"]),
        }  # fmt: skip


def _in_long_rounds(log: Log, training: Training) -> Iterator[dict]:
    """Of rounds that are too long to be kept the figures say it: all parameters of an optimizer got gradients, and no round changed them."""
    rounds = log.document.get("rounds")
    if rounds is None or rounds["kept"]:
        return
    lines = [loss["line"] for loss in rounds["losses"] if loss["line"] is not None]
    for optimizer in training.optimizers if len(lines) == len(rounds["losses"]) == 1 else ():
        still, opt = {*optimizer["parameters"]} <= training.still, optimizer["name"]
        if not still or not _makes(log, optimizer) or _may_step(training, optimizer, False):
            continue
        code = edits.Code.of_log(log)
        statement = code.statement_at(lines[0])
        yield {
            "step": -1, "tensors": optimizer["parameters"], "lines": lines, "at": code.place(log, lines[0]), "opt": opt,
            "names": training.names_of_rounds(optimizer["parameters"], ".grad"), "count": str(rounds["total"]),
            **_stepping(None if statement is None else (code, statement), opt),
        }  # fmt: skip


def _stepping(place: tuple[edits.Code, ast.stmt] | None, optimizer: str) -> dict[str, Any]:
    """The step that an optimizer lacks, behind the backward() that fills its gradients: what to call the optimizer there, and the edit of the cell."""
    if place is None:
        return {"own": optimizer, "edits": []}
    code, statement = place
    line = statement.lineno
    scopes = [code.tree, *around(code.tree, line, ast.FunctionDef)]
    # A function may have another name for it: that whose gradients it clears.
    cleared = {ast.unparse(c.func.value) for c in edits.calls_of(scopes[-1], "zero_grad")}  # type: ignore[attr-defined]
    own = cleared.pop() if len(scopes) > 1 and len(cleared) == 1 else optimizer
    arguments = {a.arg for s in scopes if isinstance(s, ast.FunctionDef) for a in s.args.args}
    known = arguments | {name for scope in scopes for name in _assigned(scope)}
    found = (
        []
        if code.file or re.split(r"[.\[]", own)[0] not in known
        else [code.after(statement, f"{own}.step()")]
    )
    return {"own": own, "edits": found}


def _assigned(scope: ast.Module | ast.FunctionDef) -> set[str]:
    """The names that a text or a function assigns to, apart from those in its functions."""
    found, left = set(), [*scope.body]
    while left:
        node: ast.AST = left.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            left += ast.iter_child_nodes(node)  # type: ignore[arg-type]
    return found


def _thrown_away(training: Training, parameter: int) -> bool:
    """Whether a gradient came, was cleared, and another one came."""
    actions = [grad["action"] for _, grad in training.grads.get(parameter, ())]
    clearings = [k for k, action in enumerate(actions) if action in ("none", "zero")]
    return any("add" in actions[:k] and "add" in actions[k:] for k in clearings)


def _cleared_outside_loops(log: Log) -> bool:
    """Whether the cell clears gradients outside of loops, as one does who wants a sum of them."""
    return any(cleared_by(node) for node in log.tree.body)


def _makes(log: Log, optimizer: TraceOptimizer) -> bool:
    """Whether the code makes an optimizer that it does not hand over to other code."""
    names = {
        ast.unparse(t) for node in log.nodes_of_code if isinstance(node, ast.Assign) for t in node.targets
    }
    return optimizer["name"] in names


def _reads_grads(log: Log) -> bool:
    """Whether the code does something with gradients itself: reads a .grad, or keeps the norm that clipping gives."""
    for node in log.nodes_of_code:
        read = isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, ast.Load)
        if read and not ast.unparse(node).endswith(("autograd.grad", "func.grad")):
            return True
        if isinstance(node, ast.Assign) and "clip_grad_norm_" in ast.unparse(node.value):
            return True
    return False


def _is_own_name(tree: ast.Module, node: ast.Attribute, owner: str, lines: set[int | None]) -> bool:
    """Whether a function has this name for an optimizer that it makes itself, and none of some lines is in it."""
    functions = around(tree, node.lineno, ast.FunctionDef)
    inside = any(has(f, line) for f in functions for line in lines)
    return not inside and any(owner in _assigned(f) for f in functions)


def _may_step(training: Training, optimizer: TraceOptimizer, cleared: bool) -> bool:
    """Whether the optimizer made a step, or the code calls step() of something that may be it, though it did not come to that. What is known to be another
    optimizer, since it changed the parameters of that one alone, is not; nor is what stepped there, if gradients of this one were `cleared`."""
    if "stepped" in optimizer:
        return True
    nodes = training.log.nodes_of_code
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef)]
    names = {f.name for f in functions}
    # What takes something else than a closure is no optimizer's: `env.step(action)`.
    of_others = {
        id(n.func) for n in nodes
        if isinstance(n, ast.Call) and n.args and not isinstance(n.args[0], ast.Lambda) and ast.unparse(n.args[0]) not in names
    }  # fmt: skip
    others = {
        owner for owner, moved in training.stepped().items() if moved.isdisjoint(optimizer["parameters"])
    }
    asked = training.lines_of_steps() if cleared else set()
    if not cleared:  # a function may get one optimizer now and the other one later
        others -= {a.arg for f in functions for a in (*f.args.args, *f.args.kwonlyargs)}
    log = training.log
    schedules = {
        ast.unparse(t)
        for n in nodes
        if isinstance(n, ast.Assign)
        and isinstance(n.value, ast.Call)
        and MADE.search(ast.unparse(n.value.func))
        for t in n.targets
    }
    filled = {log.places.line(log.steps[i]) for p in optimizer["parameters"] for i in training.filled(p)}
    for source, tree in log.code:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == "step" and id(node) not in of_others:
                owner = ast.unparse(node.value)
                if any(known == source and has(node, line) for known, line in asked) or (
                    filled and _is_own_name(tree, node, owner, {k for s, k in filled if s == source})
                ):
                    continue
                other = owner in others or owner in schedules or SCHEDULE.search(owner.lower())
                if owner == optimizer["name"] or not other:
                    return True
    return False


@NOTES.rule(
    "cleared-by-callback", "warning", "a function that a library calls in each round clears the gradients before anything uses them",
    "{clearing} clears {names} in each round, before anything has used {them} ({at} fills {them}). So {params} never {change}.",
    "Leave out {spot}, or let it run before backward().",
    CALLBACK % "p.grad = None",
    CALLBACK % "print(p.grad.sum())",
)  # fmt: skip
def cleared_by_callback(log: Log) -> Iterator[dict]:
    """Of a library whose optimizer is not known, as fastai's: gradients are filled in a call of its, and cleared by a function that this call runs."""
    training = Training.of(log)
    found: dict[str, list[tuple[int, int, int]]] = {}
    for p in sorted(training.grads):
        pairs = [] if p in training.optimized else _cleared_within(training, p)
        if len(pairs) > 1 and (p in training.still or not training.moved(p)):
            found.setdefault(log.at(pairs[-1][1]), []).append((p, *pairs[-1]))
    for clearing, cases in found.items():
        params = [p for p, _, _ in cases]
        _, filled, cleared = cases[0]
        names, one = training.names(params, cleared, ".grad"), len(params) == 1
        yield {
            "step": cleared, "tensors": params, "lines": log.lines(filled, cleared), "clearing": clearing, "at": log.at(filled), "spot": log.spot(cleared),
            "names": names, "params": training.names(params, cleared), "them": "it" if one else "them", "change": "changes" if one else "change",
        }  # fmt: skip


def _cleared_within(training: Training, parameter: int) -> list[tuple[int, int]]:
    """(the step that filled a gradient, the step that cleared it) where the call that filled it runs the function that clears it; none if one
    was left or used."""
    log, events = training.log, training.grads[parameter]
    grads = {g for i, _ in events for g in log.steps[i].get("makes", ())}
    used = sorted({i for g in grads for i in log.users.get(g, ())})
    found = []
    if events[-1][1]["action"] == "add":
        return []
    for (filled, grad), (cleared, after) in itertools.pairwise(events):
        if grad["action"] != "add" or cleared in log.gaps:
            continue
        runs = log.places.runs(log.steps[filled], log.steps[cleared])
        if after["action"] not in ("none", "zero") or not runs:
            return []
        if any(filled < i < cleared for i in used):
            return []
        found.append((filled, cleared))
    return found


@NOTES.rule(
    "layers-in-plain-list", "warning", "a module keeps layers or parameters where parameters() does not look",
    "{name} is a plain {kind}, so {root}.parameters() does not give {what}. No step changes {names}, though {they} {get} gradients.",
    "At the end of __init__ write {own} = jgrad.nn.{kept}({own}).",
    PLAIN_LIST % "[jgrad.nn.Linear(4, 4), jgrad.nn.Linear(4, 1)]",
    PLAIN_LIST % "jgrad.nn.ModuleList([jgrad.nn.Linear(4, 4), jgrad.nn.Linear(4, 1)])",
    final=True,
)  # fmt: skip
def layers_in_plain_list(log: Log) -> Iterator[dict]:
    """Such parameters get gradients, and no optimizer has them, while the listed ones of the same module are trained."""
    training = Training.of(log)
    for module in training.modules:
        trained = any(p in training.optimized or training.moved(p) for p in module["parameters"])
        for attribute in module["unlisted"] if trained else ():
            left = [p for p in attribute["parameters"] if untrained(training, p)]
            name, kind = attribute["name"], attribute["kind"]
            if not left or (not attribute["layers"] and not _is_its_own(log, name, left)):
                continue
            i, one = training.filled(left[0])[-1], len(left) == 1
            what, kept = KEPT[kind, attribute["layers"]]
            names = training.names_or_number(left, i)
            yield {
                "step": i, "tensors": left, "lines": log.lines(i), "name": name, "kind": kind, "root": module["name"], "what": what, "kept": kept,
                "own": f"self.{name.rpartition('.')[2]}", "names": names, "get": "gets" if one else "get", "they": "it" if one else "they",
                "them": "it" if one else "them", "edits": edits.registered(edits.Code.all_of(log), name.rpartition(".")[2], kept),
            }  # fmt: skip


def _is_its_own(log: Log, attribute: str, tensors: list[int]) -> bool:
    """Whether tensors belong to a module: they have no other name, and no method but __init__ puts them there, as one does with an input."""
    own = attribute.rpartition(".")[2]
    if not all(log.name(t).startswith(attribute) for t in tensors):
        return False
    methods = [n for n in log.nodes_of_code if isinstance(n, ast.FunctionDef) and n.name != "__init__"]
    assigned = [
        n
        for method in methods
        for n in ast.walk(method)
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    ]
    return not any(n.attr == own for n in assigned)


def untrained(training: Training, parameter: int) -> bool:
    """Whether gradients come to a parameter that nothing trains."""
    filled = bool(training.filled(parameter)) and parameter not in training.optimized
    return filled and not training.moved(parameter) and not training.uses_of_grad(parameter)


@NOTES.rule(
    "optimizer-too-old", "warning", "a module gets new parameters after its optimizer was made",
    "{opt} was made before {names}{made}, so it does not have {them}: {they} gradients, and no step changes {them}.",
    "Make {opt} after that: {opt} = jgrad.optim.{kind}({root}.parameters(), ...).",
    REPLACED % f"{OPTIMIZER}\n{NEW_LAYER}",
    REPLACED % f"{NEW_LAYER}\n{OPTIMIZER}",
    final=True,
)  # fmt: skip
def optimizer_too_old(log: Log) -> Iterator[dict]:
    """An optimizer that has some parameters of a module lacks newer ones, or still has one that nothing else has."""
    training = Training.of(log)
    said: list[list[int]] = []
    for optimizer in reversed(training.optimizers):
        own = {*optimizer["parameters"]}
        steps = "stepped" in optimizer or any(training.moved(p) for p in own)
        for module in training.modules if steps else ():
            missing = [p for p in module["parameters"] if untrained(training, p)]
            found = missing and missing not in said and own & {*module["parameters"]}
            if found and is_older(training, optimizer, module, missing):
                said.append(missing)
                i, one = training.filled(missing[0])[-1], len(missing) == 1
                maker = log.maker.get(missing[0])
                yield {
                    "step": i, "tensors": missing, "lines": log.lines(maker, i), "names": training.names(missing, i), "opt": optimizer["name"],
                    "root": module["name"], "kind": optimizer["type"], "made": "" if maker is None else f" ({log.at(maker)})", "them": "it" if one else "them",
                    "they": "it gets" if one else "they get", "edits": edits.made_later(log, optimizer["name"], maker),
                }  # fmt: skip


def is_older(training: Training, optimizer: TraceOptimizer, module: TraceModule, missing: list[int]) -> bool:
    """Whether an optimizer was made of a module before it got some parameters."""
    log, end = training.log, len(training.log.steps)
    known = {p for m in training.modules for p in m["parameters"]}
    if any(p not in known and not training.named(p, end) for p in optimizer["parameters"]):
        return True  # it has what the module had before
    if any(
        log.has_gap(0, when)
        for when in (optimizer["met_step"], *(log.tensors[p]["created_step"] for p in missing))
    ):
        return False  # what came first within a gap is not known
    rest = {p for p in module["parameters"] if log.met(p)["requires_grad"]} - {*missing}
    newer = all(log.tensors[p]["created_step"] > optimizer["met_step"] >= 0 for p in missing)
    return newer and rest <= {*optimizer["parameters"]}


@NOTES.rule(
    "update-of-local-name", "warning", "an update makes a new tensor under a local name, and the parameter keeps its value",
    "{at} computes the update of {names} as {what} {own}. Nothing reads {that}, so {names} {keep} in all {count} rounds.",
    "Write to the parameter in place under no_grad(), as in {own} -= ... or {own}.copy_(...).",
    REBOUND % "= p -",
    REBOUND % "-=",
)  # fmt: skip
def update_of_local_name(log: Log) -> Iterator[dict]:
    """In a function or a loop, `p = p - lr * p.grad` gives p to a new tensor. Such a line came in several rounds, and no step read what it made."""
    training = Training.of(log)
    # By place and local name: parameters, with these steps.
    kept: dict[tuple[str, str], list[tuple[int, list[int]]]] = {}
    for parameter in sorted(training.grads):
        updates = _unread_updates(log, training, parameter) if _left_alone(training, parameter) else {}
        for name, steps in updates.items():
            if len(steps) > 1:
                kept.setdefault((log.at(steps[0]), name), []).append((parameter, steps))
    for (at, name), updated in kept.items():
        parameters, step, one = [p for p, _ in updated], updated[0][1][0], len(updated) == 1
        yield {
            "step": step, "tensors": parameters, "lines": log.lines(step), "at": at, "own": name,
            "names": training.names(parameters, training.filled(parameters[0])[0]), "count": log.times(len(updated[0][1])),
            "what": "a new tensor and calls it" if one else "new tensors and calls each of them", "that": "that tensor" if one else "them",
            "keep": "keeps its value" if one else "keep their values", "edits": _in_place(log, step),
        }  # fmt: skip


@NOTES.rule(
    "average-of-local-name", "warning", "an average of weights is given to a local name, and the averaged model keeps its values",
    "{at} computes the new value of {names} and gives it to {own}, a local name. So no parameter changed by it in {count} rounds.",
    "Write to the parameter in place, as in {own}.copy_(...) under no_grad().",
    AVERAGED % "a = 0.9 * a + 0.1 * p",
    AVERAGED % "a.copy_(0.9 * a + 0.1 * p)",
)  # fmt: skip
def average_of_local_name(log: Log) -> Iterator[dict]:
    """In a loop over parameters, what a line computes of a parameter goes to the name of the loop, and no step reads it. The parameter is in a
    module."""
    training = Training.of(log)
    kept: dict[tuple[str, str], dict[int, list[int]]] = {}
    names: dict[tuple, str] = {}  # by place: the steps of a training come to few places, again and again
    for parameter in [p for m in training.modules for p in m["parameters"]]:
        for i in log.users.get(parameter, ()):
            step = log.steps[i]
            place = step.get("call"), step["line"]
            if place not in names:
                names[place] = _rebound_in_loop(log, i)
            name = names[place]
            steps = _rest_of_statement(log, i) if name else []
            # (A loop over parameters comes to the same place again, with nothing in between.)
            made = [
                (k, t)
                for k in steps
                for t in log.steps[k].get("makes", ())
                if parameter in log.sources(t, k + 1) or k == i
            ]
            made = [(k, t) for k, t in made if made[0][1] in {t, *log.sources(t, k + 1)}]
            if (
                made
                and not log.users.get(made[-1][1])
                and log.tensors[made[-1][1]]["shape"] == log.tensors[parameter]["shape"]
            ):
                kept.setdefault((log.at(i), name), {}).setdefault(parameter, []).append(made[-1][0])
    for (at, name), found in kept.items():
        # Those of the average, not those that an optimizer moves and that go into it.
        own = {p: steps for p, steps in found.items() if p not in training.optimized} or found
        steps, parameters = next(iter(own.values())), [*own]
        if len(steps) > 1:
            yield {
                "step": steps[0], "tensors": parameters, "lines": log.lines(steps[0]), "at": at, "own": name, "count": log.times(len(steps)),
                "names": training.names_or_number(parameters, steps[0]),
                "edits": _copied(log, steps[0], name),
            }  # fmt: skip


@NOTES.rule(
    "average-of-itself", "warning", "the average of a model's weights is the model itself",
    "{at} averages {names} with {them}: {first} and {second} are one model, because no copy was made.",
    "Make {first} with copy.deepcopy({second}).",
    "import copy" + TEACHER % "net",
    "import copy" + TEACHER % "copy.deepcopy(net)",
)  # fmt: skip
def average_of_itself(log: Log) -> Iterator[dict]:
    """In a loop over the parameters of two models something is written to those of one, and nothing else is read than what is written to."""
    training = Training.of(log)
    found: dict[str, list[tuple[int, int, str, str]]] = {}
    others = set()
    parameters = {p for m in training.modules for p in m["parameters"]}
    for p in sorted(parameters):
        for i, write in log.writes_to.get(log.tensors[p]["version_counter"], ()):
            place = None if i in log.gaps or training.is_of_step(i) else edits.at_step(log, i)
            pair = None if place is None else _averaged(*place)
            if pair is not None:
                found.setdefault(log.at(i), []).append((i, p, *pair))
                if not _reads_only(log, i, write["storage"]):
                    others.add(log.at(i))
    for at, writes in found.items():
        i, _, first, second = writes[0]
        own = [*dict.fromkeys(p for _, p, _, _ in writes)]
        if at not in others:
            yield {
                "step": i, "tensors": own, "lines": log.lines(i), "at": at, "names": training.names(own, i), "first": first, "second": second,
                "them": "itself" if len(own) == 1 else "themselves", "edits": _copied_model(log, first, second),
            }  # fmt: skip


def _reads_only(log: Log, index: int, storage: int) -> bool:
    """Whether a step reads one storage only, and what its own line computed of that."""
    todo, at = [index], log.at(index)
    for i in todo:  # grows while it is walked
        for t in log.steps[i].get("reads", ()):
            made = log.maker.get(t, i)
            if log.tensors[t]["storage"] == storage:
                continue
            if made is None or made >= i or log.at(made) != at:
                return False
            todo.append(made)
    return True


def _averaged(code: edits.Code, statement: ast.stmt) -> tuple[str, str] | None:
    """The models of `for a, b in zip(first.parameters(), second.parameters())` around a statement that has both."""
    for loop in around(code.tree, statement.lineno, ast.For)[-1:]:
        models = re.fullmatch(r"zip\((.+)\.parameters\(\), (.+)\.parameters\(\)\)", ast.unparse(loop.iter))
        own = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        read = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        if models is not None and len(own) == 2 and own <= read:
            return models[1], models[2]
    return None


def _copied_model(log: Log, first: str, second: str) -> list[edits.Edit]:
    """A deep copy in the statement `first = second`, where copy is imported."""
    code = edits.Code.of_log(log)
    made = edits.assigned_to(code, first)
    if (
        isinstance(made, ast.Assign)
        and code.text(made.value) == second
        and any("import copy" in x for x in code.lines)
    ):
        return [code.replaced(made.value, f"copy.deepcopy({second})")]
    return []


@NOTES.rule(
    "average-never-updated", "warning", "an AveragedModel is used whose update_parameters() never runs",
    "{name} still has the weights that {model} had when {name} was made, because no update_parameters() runs.",
    "Call {name}.update_parameters({model}) after each {stepping}.",
    SWA % "",
    SWA % "    swa.update_parameters(net)\n",
)  # fmt: skip
def average_never_updated(log: Log) -> Iterator[dict]:
    """An `AveragedModel` that computes something after an optimizer made steps, and no code mentions update_parameters()."""
    training, codes = Training.of(log), edits.Code.all_of(log)
    if any("update_parameters" in line for code in codes for line in code.lines):
        return
    made = {
        name: (code, statement, call)
        for code in codes
        for name, statement, call in code.made
        if ast.unparse(call.func).endswith("AveragedModel") and call.args
    }
    steps = sorted(i for p in training.optimized for i, _ in training.steps_of(p))
    for module in training.modules:
        if module["type"] != "AveragedModel" or module["name"] not in made or not steps:
            continue
        uses = [i for p in module["parameters"] for i in log.users.get(p, ()) if i > steps[-1]]
        code, statement, call = made[module["name"]]
        place, model = edits.at_step(log, steps[-1]), code.text(call.args[0])
        if uses and not training.optimized & {*module["parameters"]}:
            here = place is not None and place[0].file == code.file and statement in code.tree.body
            yield {
                "step": uses[0], "tensors": [*module["parameters"]], "lines": log.lines(steps[-1], uses[0]), "name": module["name"], "model": model,
                "edits": [place[0].after(place[1], f"{module['name']}.update_parameters({model})")] if here and place is not None else [],
                "stepping": training.step_called(steps[-1], next(iter(training.optimized))),
            }  # fmt: skip


UNCOUNTED = """
import copy
net = jgrad.nn.Linear(2, 1)
target = copy.deepcopy(net)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
step = 1
for i in range(6):
    with jgrad.no_grad():
        y = target(jgrad.ones(3, 2)) + 1
    loss = (net(jgrad.ones(3, 2)) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step %% 2 == 0:
        target.load_state_dict(net.state_dict())
%s"""
UPDATES = re.compile(r"load_state_dict|copy_|lerp_|sync|update|target")


@NOTES.rule(
    "update-never-counted", "warning", "a copy of a network is updated under a condition that is never true, because nothing counts",
    "{at} never runs: nothing in the loop changes {counter}, so {condition} is never true. {name} keeps its first weights, while {other} learns.",
    "Count in the loop: {counter} += 1.",
    UNCOUNTED % "",
    UNCOUNTED % "    step += 1\n",
    final=True,
)  # fmt: skip
def update_never_counted(log: Log) -> Iterator[dict]:
    """A network without an optimizer that is used in each round has the shapes of one that learns, and nothing wrote to it since it was first used. What
    would do so stands under `step % n == 0`, and the only value that `step` gets is a number."""
    training = Training.of(log)
    moved = [
        m
        for m in training.modules
        if training.optimized & {*m["parameters"]} and any(training.moved(p) for p in m["parameters"])
    ]
    for module in training.modules:
        others = [m for m in moved if _shapes(log, m) == _shapes(log, module)]
        if others and _is_left(training, module["parameters"]):
            for code in edits.Code.all_of(log):
                for statement, counter in _never_due(code):
                    first = statement.body[0]
                    yield {
                        "step": log.of("backward")[-1][0], "tensors": module["parameters"], "lines": [] if code.file else [first.lineno],
                        "at": f"{code.place(log, first.lineno)} ({code.text(first)})", "condition": code.text(statement.test), "counter": counter,
                        "name": module["name"], "other": others[0]["name"], "edits": [code.after(statement, f"{counter} += 1")],
                    }  # fmt: skip
                    return


def _shapes(log: Log, module: TraceModule) -> list[list[int]]:
    return [log.tensors[p]["shape"] for p in module["parameters"]]


def _is_left(training: Training, parameters: list[int]) -> bool:
    """Whether parameters that no optimizer has are used in several rounds, and nothing writes to them from their first use on."""
    log, passes = training.log, [i for i, _ in training.log.of("backward")]
    if not training.optimized.isdisjoint(parameters) or len(passes) < 2:
        return False
    for p in parameters:
        used = log.users.get(p, ())
        written = [i for i, _ in log.writes_on.get(log.tensors[p]["storage"], ())]
        if training.filled(p) or not used or used[-1] < passes[-2] or any(i > used[0] for i in written):
            return False
    return True


def _never_due(code: edits.Code) -> Iterator[tuple[ast.If, str]]:
    """(`if step % n == 0:` in a loop, "step") where the only value that the function gives the variable is a number other than 0, before the loop."""
    for node in (s for s in code.statements if isinstance(s, ast.If)):
        test = node.test
        if (
            not isinstance(test, ast.Compare)
            or not isinstance(test.left, ast.BinOp)
            or not isinstance(test.left.op, ast.Mod)
        ):
            continue
        counter, zero = ast.unparse(test.left.left), ast.unparse(test).endswith(" == 0")
        scope = [code.tree, *around(code.tree, node.lineno, ast.FunctionDef)][-1]
        loops = around(scope, node.lineno, (ast.For, ast.While))
        inside = [*ast.walk(scope)]
        stored = [
            n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id == counter
        ]
        given = [
            (n.lineno, n.value.value)
            for n in inside
            if isinstance(n, ast.Assign) and stored == n.targets and isinstance(n.value, ast.Constant)
        ]
        updates = UPDATES.search("".join(map(ast.unparse, node.body)))
        if zero and loops and updates and given and given[0][1] and given[0][0] < loops[0].lineno:
            yield node, counter


def _rebound_in_loop(log: Log, step: int) -> str:
    """The name to which the line of a step gives a value computed from the old one, if a `for` around the line gives it to one thing after the other."""
    place = next(log.places.around(log.steps[step]), None)
    name = "" if place is None else rebinds(*place)
    if place is None or not name:
        return ""
    source, line = place
    if f"{name}.grad" in source[line - 1]:
        return ""  # a step by hand, which has a rule of its own
    loops = around(parsed(source), line, ast.For)
    targets = [n.id for loop in loops for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
    return name if name in targets else ""


def _copied(log: Log, step: int, name: str) -> list[edits.Edit]:
    """`a.copy_(...)` for `a = ...`, which has to stand under no_grad()."""
    place = edits.at_step(log, step)
    if place is None or not isinstance(place[1], ast.Assign):
        return []
    code, statement = place
    return [
        _unrecorded(
            log, step, code, statement, code.replaced(statement, f"{name}.copy_({code.text(place[1].value)})")
        )
    ]


def _unrecorded(log: Log, step: int, code: edits.Code, statement: ast.stmt, mended: edits.Edit) -> edits.Edit:
    """A statement that writes to a parameter, under no_grad() if what it computes now is recorded."""
    if any(log.tensors[t]["requires_grad"] for t in log.steps[step].get("makes", ())):
        indent = " " * statement.col_offset
        return mended._replace(text=f"with {library(code)}.no_grad():\n{indent}    {mended.text}")
    return mended


def _in_place(log: Log, step: int) -> list[edits.Edit]:
    place = edits.at_step(log, step)
    return [] if place is None else [_unrecorded(log, step, *place, edit) for edit in edits.in_place(*place)]


def _left_alone(training: Training, parameter: int) -> bool:
    """Whether gradients come to a parameter that has no optimizer and never changes."""
    several = len(training.filled(parameter)) > 1
    return several and parameter not in training.optimized and not training.moved(parameter)


def _unread_updates(log: Log, training: Training, parameter: int) -> dict[str, list[int]]:
    """The steps that made an update of a parameter which no later step read, by the local name that it got."""
    found: dict[str, list[int]] = {}
    for first in training.uses_of_grad(parameter):
        place = next(log.places.around(log.steps[first]), None)
        name = "" if place is None else rebinds(*place)
        made = [
            (i, result)
            for i in (_rest_of_statement(log, first) if name else ())
            for result in log.steps[i].get("makes", ())
            if log.tensors[result]["shape"] == log.tensors[parameter]["shape"]
            and {parameter, *log.steps[first].get("makes", ())} <= log.sources(result, i + 1)
        ]
        if made:
            last, update = made[-1]
            if log.users.get(update):
                return {}
            found.setdefault(name, []).append(last)
    return found


def _rest_of_statement(log: Log, first: int) -> range:
    """The steps from one on that ran at its place, without another place in between."""
    here, end = [*islice(log.places.around(log.steps[first]), 1)], first
    while end < len(log.steps) and [*islice(log.places.around(log.steps[end]), 1)] == here:
        end += 1
    return range(first, end)


TWO = """
net = jgrad.nn.Linear(2, 3)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, y = jgrad.randn(6, 2), jgrad.randn(6, 3)
loss = jgrad.nn.functional.mse_loss(net(x), y)
loss = {}jgrad.nn.functional.l1_loss(net(x), y)
loss.backward()
opt.step()
"""


@NOTES.rule(
    "loss-overwritten", "warning", "a loss is computed, and its name is given to another one before it is used",
    "{at} computes {name}, and {next} gives the name to another loss. So nothing learns from the first.",
    "If both should count, write `{code}`.",
    TWO.format(""),
    TWO.format("loss + "),
)  # fmt: skip
def loss_overwritten(log: Log) -> Iterator[dict]:
    """No step reads it, and neither does a statement until one of the same block gives its name away."""
    roots = {root for _, step in log.of("backward") for root in step["roots"]}
    said = set()
    for i, step in log.of("op") if roots else ():
        made = step.get("makes", ())
        if not LOSSES.fullmatch(step["op"]) or not made or log.users.get(made[0]) or made[0] in roots:
            continue
        place = edits.at_step(log, i) if log.tensors[made[0]]["requires_grad"] else None
        if place is None or not isinstance(place[1], ast.Assign) or (place[0].file, place[1].lineno) in said:
            continue
        code, first, name = *place, ast.unparse(place[1].targets[0])
        block = next(
            (
                b
                for n in ast.walk(code.tree)
                for b in (getattr(n, "body", None),)
                if isinstance(b, list) and first in b
            ),
            [],
        )
        for statement in block[block.index(first) + 1 :] if block else ():
            given = isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == [
                name
            ]
            if edits.names_in(statement, name) or not isinstance(statement, (ast.Assign, ast.Expr)):
                break
            if given:
                said.add((code.file, first.lineno))
                text = f"{name} + {code.text(statement.value)}"
                yield {
                    "step": i, "tensors": [*made], "lines": log.lines(i), "at": log.at(i), "name": name,
                    "next": code.place(log, statement.lineno), "code": f"{name} = {text}", "edits": [code.replaced(statement.value, text)],
                }  # fmt: skip
                break
