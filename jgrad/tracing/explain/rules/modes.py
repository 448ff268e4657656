"""Dropout and batch norm in the wrong mode: evaluation in training mode, and training in evaluation mode."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step, TraceModule
from jgrad.tracing.document.syntax import LOOPS, around
from jgrad.tracing.explain.edits import Code, Edit, calls_of, frames, names_in
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.dropout_calls import masks_of
from jgrad.tracing.explain.training import Training

NOTES = Rules()

# Operators that turn a result into a figure of how good it is:
MEASURES = ("argmax", "max", "topk", "eq", "ne", "gt", "ge", "lt", "le", "nll_loss", "mse_loss", "smooth_l1_loss", "huber_loss",
            "binary_cross_entropy", "binary_cross_entropy_with_logits", "sub")  # fmt: skip
READ_OUT = ("softmax", "sigmoid")  # and those that do so outside of a model
SAMPLING = ("stack", "std", "var")  # and those that compare several results for one input
FAR = 200  # tensors that are looked at from a result on
SWITCHED = re.compile(r"\b(?:no_grad|inference_mode)\b")
MODEL = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 8), jgrad.nn.ReLU(), jgrad.nn.Dropout(0.5), jgrad.nn.Linear(8, 2))
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, y = jgrad.randn(6, 2), jgrad.tensor([0, 1, 0, 1, 0, 1])
"""
EVALUATED = (
    MODEL
    + """
for epoch in range(2):
    opt.zero_grad()
    jgrad.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
%swith jgrad.no_grad():
    accuracy = (net(x).argmax(1) == y).float().mean()
"""
)
TRAINED = (
    MODEL
    + """
for epoch in range(2):
%s    opt.zero_grad()
    jgrad.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
    net.eval()
    with jgrad.no_grad():
        accuracy = (net(x).argmax(1) == y).float().mean()
"""
)


@dataclass
class Run:
    """One time that a dropout or a batch norm layer computed: the step, the tensors that it got and gave, its modes."""

    index: int
    step: Step
    input: int
    output: int
    on: bool  # in training mode
    recorded: bool
    module: TraceModule
    kind: str = field(default="dropout")


@NOTES.rule(
    "evaluated-in-train-mode", "warning", "a model is evaluated in training mode",
    "{at} computes under {off} with {name} in training mode, so {what}.",
    "Call {name}.eval() before {at}, and {name}.train() before the next training step.",
    EVALUATED % "",
    EVALUATED % "net.eval()\n",
)  # fmt: skip
def evaluated_in_train_mode(log: Log) -> Iterator[dict]:
    """A result that was not recorded went through such a layer in training mode, and a figure was made of it. It is not one of several
    results for one input, and nothing is learned from it. So with steps that were not kept, it must be gone before these, and a step of an
    optimizer must be between it and them."""
    runs: dict[tuple, list[Run]] = {}
    for run in _runs(log):
        runs.setdefault((run.module["name"], run.step["line"], log.text(run.index)), []).append(run)
    reported = set()
    for (name, *_), group in runs.items():
        found = [run for run in group if run.on and not run.recorded and _is_between_rounds(log, run.index)]
        if not found or name in reported or found[0].module["training"] is False:
            continue
        run = found[-1]
        here = [r for r in found if not log.has_gap(r.index, run.index)]
        if _is_sampled(log, here) or not _is_measured(log, run.output):
            continue
        reported.add(name)
        kinds = {
            r.kind for g in runs.values() for r in g if r.module["name"] == name and r.on and not r.recorded
        }
        what = {
            "dropout": "dropout sets some elements to 0",
            "batch norm": "batch norm uses, and changes, the statistics of this batch",
        }
        yield {
            "step": run.index, "tensors": [], "lines": log.lines(run.index), "at": log.at(run.index), "name": name,
            "off": log.switch(run.index).split(" or ")[0], "what": listed([what[kind] for kind in what if kind in kinds]),
        } | _evaluating(log, run.index, name)  # fmt: skip


def _evaluating(log: Log, index: int, name: str) -> dict[str, Any]:
    """Where recording was switched off, what the model is called there, and `model.eval()` before that block or function and `model.train()` at its end,
    if nothing else calls that."""
    for code, line in frames(log, index):
        statements = around(code.tree, line, ast.stmt)
        functions = [s for s in statements if isinstance(s, ast.FunctionDef)]
        off = next((s for s in reversed(statements) if SWITCHED.search(_head(s))), None)
        if off is None:
            continue
        called = [ast.unparse(n.func) for n in ast.walk(statements[-1]) if isinstance(n, ast.Call)]
        own = [c for c in called if c.startswith("self.") and c.split(".")[1:] == name.split(".")[1:]]
        given = own or [a.arg for f in functions for a in f.args.args if a.arg in called]
        model = name if name in called or not functions else given[0] if len(given) == 1 else ""
        at = code.place(log, line)
        if not NAME.fullmatch(model):
            return {"at": at}
        trains = any(
            ast.unparse(c.func) in (f"{model}.train", f"{name}.train") for c in calls_of(code.tree, "train")
        )
        first = off if isinstance(off, ast.With) else off.body[0]
        edits, last = [code.before(first, f"{model}.eval()")], off.body[-1]
        returns = [n for n in ast.walk(off) if isinstance(n, ast.Return)]
        if not trains and not returns and (functions or any(isinstance(s, LOOPS) for s in statements)):
            edits.append(code.after(off if isinstance(off, ast.With) else last, f"{model}.train()"))
        elif not trains and returns and returns == [last] and last.value is not None:
            indent = " " * last.col_offset
            edits.append(
                code.replaced(
                    last, f"result = {code.text(last.value)}\n{indent}{model}.train()\n{indent}return result"
                )
            )
        elif not trains and returns:
            edits = []
        return {"at": at, "name": model, "edits": edits}
    return {}


def _head(statement: ast.stmt) -> str:
    """What a `with` has, or the decorators of a function."""
    heads = (
        getattr(statement, "items", ())
        if isinstance(statement, ast.With)
        else getattr(statement, "decorator_list", ())
    )
    return " ".join(map(ast.unparse, heads))


def _training(log: Log, index: int, name: str) -> list[Edit]:
    """`model.train()` at the beginning of the innermost loop around a backward call, or before its statement, where the model has its name."""
    code, line = next(frames(log, index), (Code.of_log(log), None))
    statements = around(code.tree, line, ast.stmt)
    functions = [s for s in statements if isinstance(s, ast.FunctionDef)]
    if not statements or not NAME.fullmatch(name) or (functions and not names_in(functions[-1], name)):
        return []
    loops = [s for s in statements if isinstance(s, LOOPS)]
    return [code.before(loops[-1].body[0] if loops else statements[-1], f"{name}.train()")]


@NOTES.rule(
    "trained-in-eval-mode", "warning", "a model is trained in evaluation mode",
    "{at} trains {name} while it is in evaluation mode{since}: {what}.",
    "Call {name}.train() before each round of training, unless you do this on purpose.",
    TRAINED % "",
    TRAINED % "    net.train()\n",
)  # fmt: skip
def trained_in_eval_mode(log: Log) -> Iterator[dict]:
    """An optimizer trains a model that is in evaluation mode as a whole, after an evaluation or without any call of eval() in the cell."""
    training, runs = Training.of(log), [*_runs(log)]
    # In steps that were not kept it may have changed its mode. So only the rounds after the last of them count, from the second one on.
    begin = log.gaps[-1] if log.gaps else -1
    for module in training.modules:
        params = {*module["parameters"]} & training.optimized
        layers = module["switched"]
        own = [run for run in runs if run.module is module and run.recorded]
        # Of a model that was gone in the end its layers tell it, as they were when they were last seen.
        evaluates = not module["training"] if any(run.on for run in own) else module["training"] is False
        if not layers or not evaluates or any(one["training"] for one in layers):
            continue
        last_on = max((run.index for run in own if run.on), default=-1)
        last_on = last_on if last_on > begin else -1
        rounds = [i for i in _rounds_of(training, params) if i > begin][bool(log.gaps) :]
        rounds = [i for i in rounds if i > last_on]
        # The first of them goes back through what was in training mode.
        off = rounds[1:] if last_on >= 0 else rounds
        evaluated = [i for i in _unrecorded(log, params) if i > max(last_on, begin)]
        if evaluated:
            off = [i for i in off if i > evaluated[0]]
        elif last_on >= 0 or log.gaps or module["training"] is None or _calls_eval(log):
            continue  # it seems to be meant so
        if not off or not any(i > off[0] for p in params for i in training.moved(p)):
            continue
        dropout = any("Dropout" in one["type"] for one in layers)
        normal = any(run.kind == "batch norm" and run.index < off[-1] for run in own)
        what = [
            *(["dropout does nothing"] if dropout else []),
            *(["batch norm keeps its averages"] if normal else []),
        ]
        if what:
            i = off[-1]
            yield {
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "name": module["name"], "what": listed(what),
                "since": f", in which {log.at(evaluated[0])} evaluated it" if evaluated else "",
                "edits": _training(log, i, module["name"]),
            }  # fmt: skip


FINE_TUNED = """
body = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.BatchNorm1d(3))
body.requires_grad_(False)
head = jgrad.nn.Linear(3, 1)
model = jgrad.nn.Sequential(body, head)
opt = jgrad.optim.SGD(head.parameters(), lr=0.1)
x = jgrad.tensor([[0.1, 0.2], [0.3, 0.5], [0.2, 0.9]])
model.train()
%sfor epoch in range(3):
    opt.zero_grad()
    model(x).pow(2).mean().backward()
    opt.step()
"""


@NOTES.rule(
    "frozen-statistics-change", "warning", "the batch norm of frozen layers keeps changing its averages",
    "{at}: the parameters of {name} are frozen, but its batch norm is in training mode. It uses the statistics of each batch, and changes its averages.",
    "Call {name}.eval() after {after}, unless the averages are to follow the new data.",
    FINE_TUNED % "",
    FINE_TUNED % "body.eval()\n",
)  # fmt: skip
def frozen_statistics_change(log: Log) -> Iterator[dict]:
    """It ran so in several rounds of a training, in which its weights did not require grad and did not change."""
    training = Training.of(log)
    found: dict[int, list[Run]] = {}
    for run in _runs(log):
        if (
            run.kind == "batch norm"
            and run.on
            and not log.state(run.step["reads"][1], run.index)["requires_grad"]
        ):
            found.setdefault(run.step["reads"][1], []).append(run)
    for weight, runs in found.items():
        if len(runs) < 3 or any(i > runs[0].index for i in training.moved(weight)):
            continue
        rounds = [i for i, _ in log.of("backward") if i > runs[0].index]
        if len(rounds) < 3 or not any(training.moved(p) for p in training.optimized):
            continue
        holders = [m for m in training.modules if weight in m["parameters"] and NAME.fullmatch(m["name"])]
        still = [m for m in holders if not any(log.final[p]["requires_grad"] for p in m["parameters"])]
        i = runs[-1].index
        # The layer itself, where no variable holds a part that is frozen as a whole.
        name = (
            max(still, key=lambda m: len(m["parameters"]))["name"]
            if still
            else log.name(weight, i).rpartition(".")[0]
        )
        if NAME.fullmatch(name):
            edits, after = _eval_after_train(log, name, [m["name"] for m in holders])
            yield {
                "step": i, "tensors": [weight], "lines": log.lines(i), "at": log.at(i), "name": name, "after": after, "edits": edits,
            }  # fmt: skip
        return


STANDING = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 4), jgrad.nn.BatchNorm1d(4, momentum=%s), jgrad.nn.Linear(4, 1))
x = jgrad.tensor([[0.1, 0.2], [0.3, 0.5], [0.2, 0.9]])
net(x).pow(2).mean().backward()
net.eval()
y = net(x)
"""


@NOTES.rule(
    "averages-stand-still", "warning", "a batch norm is made with momentum=0",
    "{at}: with momentum=0 a batch norm never updates its averages, so eval() takes a mean of 0 and a variance of 1.",
    "Leave momentum out: 0.1 is usual. (It is the weight of the new batch, not of the old average.)",
    STANDING % "0.0",
    STANDING % "0.1",
)  # fmt: skip
def averages_stand_still(log: Log) -> Iterator[dict]:
    """Some batch norm ran in training mode and left its averages as they were, and one is written with this number."""
    ran = next(
        (
            run.index
            for run in _runs(log)
            if run.kind == "batch norm" and run.on
            # (Of many channels it is not known what changed.)
            if not any(w["changed_elements"] for w in log.steps[run.index + 1].get("writes", ()))
        ),
        None,
    )
    for code in Code.all_of(log) if ran is not None else ():
        for call in (
            n for n in ast.walk(code.tree) if isinstance(n, ast.Call) and "BatchNorm" in ast.unparse(n.func)
        ):
            given = [
                k.value for k in call.keywords if k.arg == "momentum" and ast.unparse(k.value) in ("0", "0.0")
            ]
            if given:
                yield {
                    "step": ran, "tensors": [], "lines": [] if code.file else [call.lineno], "at": code.place(log, call.lineno),
                    "edits": [code.replaced(given[0], "0.1")],
                }  # fmt: skip
                return


def _eval_after_train(log: Log, name: str, holders: list[str]) -> tuple[list[Edit], str]:
    """`body.eval()` behind each `model.train()`, and that call."""
    edits, after = [], ""
    for code in Code.all_of(log):
        for call in calls_of(code.tree, "train"):
            assert isinstance(call.func, ast.Attribute)
            owner, statement = ast.unparse(call.func.value), code.statement_at(call.lineno)
            if owner in holders and isinstance(statement, ast.Expr) and not call.args:
                edits.append(code.after(statement, f"{name}.eval()"))
                after = f"{owner}.train()"
    return edits, after or "each train() of the model"


def _rounds_of(training: Training, params: set[int]) -> list[int]:
    """The backward calls that filled the gradients of some parameters."""
    log = training.log
    calls = {log.steps[i].get("backward_call") for p in params for i in training.filled(p)}
    return [i for i, step in log.of("backward") if step["backward_call"] in calls]


def _runs(log: Log) -> Iterator[Run]:
    """What the dropout and batch norm layers of known modules computed."""
    training = Training.of(log)
    means = {
        layer["running_mean"]: m
        for m in training.modules
        for layer in m["switched"]
        if layer["running_mean"] is not None
    }
    for i, step in log.operations.get("batch_norm", ()):
        reads = step.get("reads", [])
        module = means.get(reads[3]) if len(reads) > 3 else None
        if module is not None:
            following = log.steps[i + 1] if i + 1 < len(log.steps) else step
            on = following["op"] == "batch_norm" and following["kind"] == "write"
            yield Run(i, step, reads[0], step["makes"][0], on, "node" in step, module, "batch norm")
    owners = _owners(log)
    masks = masks_of(log) if owners else set()
    for i, step in log.operations.get("mul", ()) if owners else ():
        reads = step.get("reads", [])
        if len(reads) == 2 and reads[1] in masks and reads[0] in owners:
            yield Run(i, step, reads[0], step["makes"][0], True, "node" in step, owners[reads[0]])


def _unrecorded(log: Log, params: set[int]) -> list[int]:
    """The steps that computed with parameters under no_grad()."""
    uses = {i for p in params for i in log.users.get(p, ())}
    return sorted(
        i
        for i in uses
        if log.steps[i]["kind"] in ("op", "view")
        and "node" not in log.steps[i]
        and log.steps[i]["op"] not in ("detach", "data")
    )


def _is_measured(log: Log, number: int) -> bool:
    """Whether a figure is made of a result, and nothing is learned from it."""
    if _lives_on(log, number):
        return False
    measured, seen, todo = False, {number}, [number]
    for t in todo:  # grows while it is walked
        for i in log.users.get(t, ()):
            step = log.steps[i]
            if "node" in step or step["op"] in SAMPLING:
                return False
            measured |= step["op"] in MEASURES or (step["op"] in READ_OUT and "layer_call" not in step)
            new = [made for made in step.get("makes", ()) if made not in seen]
            if log.gaps and any(_lives_on(log, made) for made in new):
                return False
            seen.update(new)
            todo += new if len(todo) < FAR else []
    return measured


def _is_between_rounds(log: Log, index: int) -> bool:
    """Whether optimizers made steps between a step and those before and after it that were not kept."""
    before = max((g for g in log.gaps if g < index), default=None)
    after = min((g for g in log.gaps if g > index), default=None)
    training = Training.of(log)
    moved = [i for p in training.optimized for i in training.moved(p) if i not in log.gaps]
    return (before is None or any(before < i < index for i in moved)) and (
        after is None or any(index < i < after for i in moved)
    )


def _lives_on(log: Log, number: int) -> bool:
    """Whether a tensor may have been used in steps that were not kept."""
    known = log.tensors[number]
    if not known["shape"]:
        return False  # a figure already
    end = len(log.steps) if known["freed_step"] is None else known["freed_step"]
    return log.has_gap(known["created_step"], end)


def _is_sampled(log: Log, runs: list[Run]) -> bool:
    """Whether some results are samples for one input, as for the uncertainty of a prediction: nothing was learned in between."""
    first, last = runs[0].index, runs[-1].index
    training = Training.of(log)
    moved = any(first < i < last for p in training.optimized for i in training.moved(p))
    owners = _owners(log)
    inputs = [frozenset(_data(log, run, owners)) for run in runs]
    # One that runs twice only sees that the figures differ.
    return not moved and len(inputs) > len({*inputs}) + 1


def _data(log: Log, run: Run, owners: dict[int, TraceModule]) -> set[int]:
    """The tensors that went into a model before a layer of it ran: the first on each way back that no parameter went into."""
    found, seen, todo = set(), {run.input}, [run.input]
    for t in todo:  # grows while it is walked
        if t not in owners:
            found.add(t)
            continue
        reads = [r for r in log.read_for(t, run.index) if r not in seen and r not in run.module["parameters"]]
        seen.update(reads)
        todo += reads
    return found


def _owners(log: Log) -> dict[int, TraceModule]:
    """Of each tensor that was computed from parameters a module that has one of them; of parameters too."""
    found = {p: m for m in Training.of(log).modules if m["switched"] for p in m["parameters"]}
    for step in log.steps if found else ():
        owner = next((found[t] for t in step.get("reads", ()) if t in found), None)
        if owner is not None:
            found.update(dict.fromkeys(step.get("makes", ()), owner))
    return found


def _calls_eval(log: Log) -> bool:
    """Whether the code puts a model into evaluation mode itself."""
    calls = [n for n in log.nodes_of_code if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    return any(call.func.attr == "eval" or ast.unparse(call).endswith(".train(False)") for call in calls)  # type: ignore[attr-defined]
