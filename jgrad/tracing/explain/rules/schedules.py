"""Schedules of learning rates that step too often."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.syntax import LOOPS, around, has
from jgrad.tracing.explain.edits import Code, Edit, calls_of, keyword, may_have_run
from jgrad.tracing.explain.learning import Learning
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
# Schedules that are made for epochs. Others count steps: OneCycleLR, LambdaLR, warm-ups.
PER_EPOCH = re.compile(r"(?:.*\.)?(?:StepLR|MultiStepLR|ExponentialLR)$")
LEAST = 0.0101  # a rate that fell below this part of the first is as good as none
BATCHES = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
for epoch in range(3):
    for batch in jgrad.randn(6, 4, 2):
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
    %sschedule.step()
"""


PLATEAU = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="%s", patience=1)
x = jgrad.randn(8, 2)
for epoch in range(8):
    loss = jgrad.nn.functional.mse_loss(net(x), x[:, :1])
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step(loss.item())
"""
ACCURACY = re.compile(r"(?<![a-z])(?:acc|accuracy|auc|f1|iou|precision|recall)(?![a-z])", re.IGNORECASE)
LOSSES = re.compile(r"(?:nll|mse|l1|smooth_l1|huber)_loss\w*|(?:binary_)?cross_entropy\w*")


@NOTES.rule(
    "schedule-per-batch", "warning", "a schedule that is made for epochs steps after each batch",
    "{at} ({what}) runs after each batch, so the learning rate {so}.",
    "If it is to fall once per epoch, call {what} after the loop over batches.",
    BATCHES % "    ",
    BATCHES % "",
)  # fmt: skip
def schedule_per_batch(log: Log) -> Iterator[dict]:
    """Its step() stands in the loop of the backward() calls, which runs again and again, and the rate fell to next to nothing."""
    yield from _waves_per_batch(log)
    rounds = log.document.get("rounds")
    rates = [] if rounds is None else rounds.get("rates", [])
    if rounds is None or len(rates) < 3:
        return
    first, last = (
        rates[0],
        [r for r in rates if (r["optimizer"], r["group"]) == (rates[0]["optimizer"], rates[0]["group"])][-1],
    )
    passes = log.of("backward")
    if not passes or not 0 <= last["rate"] < LEAST * first["rate"]:
        return
    kinds = _kinds(log)
    for code in Code.all_of(log):
        for call in calls_of(code.tree, "step"):
            assert isinstance(call.func, ast.Attribute)
            what = ast.unparse(call.func.value)
            # A schedule of which nobody sees how it was made may be one for batches.
            known = PER_EPOCH.match(kinds.get(what, ""))
            loop = _loop_of_batches(log, code, call) if known and not call.args else None
            if loop is not None:
                here = not code.file
                yield {
                    "step": passes[-1][0], "tensors": [], "lines": [call.lineno] if here else [], "what": f"{what}.step()",
                    "at": code.place(log, call.lineno),
                    "so": f"fell from {number(first['rate'])} to {number(last['rate'])} in {rounds['total']:,} rounds", "edits": _moved(code, call, loop),
                }  # fmt: skip
                return


def _waves_per_batch(log: Log) -> Iterator[dict]:
    """A CosineAnnealingLR for as many steps as there are epochs, which steps after each batch: the rate falls, and rises again."""
    rounds = log.document.get("rounds")
    rates = [] if rounds is None else [r["rate"] for r in rounds.get("rates", ())]
    if not any(a < b for a, b in pairwise(rates)):
        return
    epochs = {ast.unparse(n.iter.args[-1]) for n in log.nodes_of_code if isinstance(n, ast.For) and isinstance(n.iter, ast.Call) and ast.unparse(n.iter.func) == "range" and n.iter.args}  # fmt: skip
    for what, call in _made(log):
        given = [k.value for k in call.keywords if k.arg == "T_max"] or call.args[1:2]
        if (
            not ast.unparse(call.func).endswith("CosineAnnealingLR")
            or not given
            or ast.unparse(given[0]) not in epochs
        ):
            continue
        for code in Code.all_of(log):
            for step in calls_of(code.tree, "step"):
                loop = _loop_of_batches(log, code, step) if ast.unparse(step.func) == f"{what}.step" else None
                if loop is not None:
                    here = not code.file
                    yield {
                        "step": log.of("backward")[-1][0], "tensors": [], "lines": [step.lineno] if here else [], "what": f"{what}.step()",
                        "at": code.place(log, step.lineno),
                        "so": f"fell to {number(min(rates))} within {ast.unparse(given[0])} batches and rose again", "edits": _moved(code, step, loop),
                    }  # fmt: skip
                    return


def _made(log: Log) -> list[tuple[str, ast.Call]]:
    """What the code makes by calls: ("schedule", the call) of `schedule = StepLR(opt, 5)`."""
    return [(name, call) for code in Code.all_of(log) for name, _, call in code.made]


ONCE = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.01)
batches = jgrad.randn(6, 4, 2)
schedule = jgrad.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, steps_per_epoch=len(batches), epochs=3)
for epoch in range(3):
    for batch in batches:
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
%s    schedule.step()
"""


@NOTES.rule(
    "schedule-per-epoch", "warning", "a schedule that counts batches steps once per epoch",
    "{at} ({what}) runs after each epoch, and the schedule was made for {total} steps. So the learning rate only went from {first} to {last}.",
    "Call {what} after each batch.",
    ONCE % "",
    ONCE % "    ",
)  # fmt: skip
def schedule_per_epoch(log: Log) -> Iterator[dict]:
    """A OneCycleLR that was made for the number of batches, and by which the rate changed much more rarely than there were rounds."""
    rounds = log.document.get("rounds")
    rates = [] if rounds is None else rounds.get("rates", [])
    made = {name: call for name, call in _made(log) if ast.unparse(call.func).endswith("OneCycleLR")}
    for code in Code.all_of(log) if rounds is not None and 1 < 2 * len(rates) <= rounds["total"] else ():
        for step in calls_of(code.tree, "step"):
            what = ast.unparse(step.func).removesuffix(".step")
            given = {k.arg: ast.unparse(k.value) for k in made[what].keywords} if what in made else {}
            total = (
                f"{given.get('steps_per_epoch')} * {given.get('epochs', 'epochs')}"
                if "steps_per_epoch" in given
                else given.get("total_steps", "")
            )
            inner = [
                c for loop in around(code.tree, step.lineno, LOOPS) for s in loop.body if isinstance(s, LOOPS) and not has(s, step.lineno)
                for c in calls_of(s, "step")
            ]  # fmt: skip
            if "len(" in total and inner:
                own, last = code.statement_at(step.lineno), code.statement_at(inner[-1].lineno)
                yield {
                    "step": log.of("backward")[-1][0], "tensors": [], "lines": [] if code.file else [step.lineno], "what": f"{what}.step()",
                    "at": code.place(log, step.lineno), "total": total, "first": number(rates[0]["rate"]), "last": number(rates[-1]["rate"]),
                    "edits": code.moved(own, after=last) if own is not None and last is not None else [],
                }  # fmt: skip
                return


STEADY = """
net = jgrad.nn.Linear(2, 1)
%s
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(1, 2)).sum().backward()
    opt.step()
    schedule.step()
"""
MADE = "opt = jgrad.optim.SGD(net.parameters(), lr=0.1)\n"
SCHEDULED = "schedule = jgrad.optim.lr_scheduler.StepLR(opt, step_size=1)\n"


@NOTES.rule(
    "schedule-of-old-optimizer", "warning", "a schedule has an optimizer that was replaced",
    "{at} makes {opt} anew, and {what} still has the one before. So {what}.step() changes no rate that is used.",
    "Make {what} after {at}.",
    STEADY % (MADE + SCHEDULED + MADE),
    STEADY % (MADE + SCHEDULED),
)  # fmt: skip
def schedule_of_old_optimizer(log: Log) -> Iterator[dict]:
    """An optimizer, a schedule of it, and another optimizer under the same name, one after the other in one block."""
    for code in Code.all_of(log):
        for k, (what, made, call) in enumerate(code.made):
            if not call.args or not ast.unparse(call.func).endswith(("LR", "Restarts", "Plateau")):
                continue
            opt = ast.unparse(call.args[0])
            beside = [(name, s) for name, s, _ in code.made if code.stand_together(made, s)]
            before = [s for name, s in beside if name == opt and s.lineno < made.lineno]
            after = [s for name, s in beside if name == opt and s.lineno > made.lineno]
            if not before or not after or any(name == what for name, _, _ in code.made[k + 1 :]):
                continue
            steps = [c.lineno for c in calls_of(code.tree, "step") if ast.unparse(c.func) == f"{what}.step"]
            if max(steps, default=0) < after[-1].lineno:
                continue  # it was for a training before
            at = code.place(log, after[-1].lineno)
            yield {
                "step": -1, "tensors": [], "lines": [] if code.file else [after[-1].lineno, *steps], "at": at, "opt": opt, "what": what,
                "edits": code.moved(made, after=after[-1]),
            }  # fmt: skip


GROWS = re.compile(r"(?:Lambda|Multiplicative|Exponential|Step)LR$")
GROWN = 2  # times the rate of the optimizer; a warm-up goes up to it
GROWING = """
jgrad.manual_seed(0)
x = jgrad.randn(32, 2)
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.LambdaLR(opt, lambda epoch: %s)
for epoch in range(40):
    opt.zero_grad()
    jgrad.nn.functional.mse_loss(net(x), x[:, :1]).backward()
    opt.step()
    schedule.step()
"""
FACTORS = """
LR = 0.01
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=LR)
schedule = jgrad.optim.lr_scheduler.LambdaLR(opt, lambda epoch: %s)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(1, 2)).sum().backward()
    opt.step()
    schedule.step()
"""


@NOTES.rule(
    "rate-squared", "warning", "the function of a LambdaLR gives the rate, and it is taken for a factor",
    "{at}: LambdaLR multiplies the rate {rate} of {opt} by {text}, which has {rate} as a factor itself. So {rate} counts twice.",
    "Leave {rate} out: {instead} is enough.",
    FACTORS % "LR * 0.5**epoch",
    FACTORS % "0.5**epoch",
)  # fmt: skip
def rate_squared(log: Log) -> Iterator[dict]:
    """What a LambdaLR is given multiplies by the name that the optimizer has as its rate."""
    texts = Code.all_of(log)
    functions = {
        n.name: (code, n) for code in texts for n in ast.walk(code.tree) if isinstance(n, ast.FunctionDef)
    }
    for code, call in [(c, n) for c in texts for n in ast.walk(c.tree) if isinstance(n, ast.Call)]:
        if (
            not ast.unparse(call.func).endswith("LambdaLR")
            or len(call.args) < 2
            or not may_have_run(log, code, call)
        ):
            continue
        opt, given = ast.unparse(call.args[0]), call.args[1]
        rate = _rate_of(log, opt)
        where, function = (
            (code, given)
            if isinstance(given, ast.Lambda)
            else functions.get(ast.unparse(given), (code, None))
        )
        inside = [] if function is None else [n for n in ast.walk(function) if isinstance(n, ast.BinOp)]
        products = [
            n
            for n in inside
            if isinstance(n.op, ast.Mult) and rate in (ast.unparse(n.left), ast.unparse(n.right))
        ]
        bound = (
            {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            if function
            else set()
        )
        bound |= {a.arg for a in function.args.args} if function else set()
        if (
            not rate
            or rate in bound  # another variable of this name
            or sum(name == rate for code in texts for name in _assigned(code)) > 1
            or not products
            or any(isinstance(n.op, ast.Div) and ast.unparse(n.right) == rate for n in inside)
        ):
            continue
        others = [(n, n.right if ast.unparse(n.left) == rate else n.left) for n in products]
        line = products[0].lineno
        yield {
            "step": -1, "tensors": [], "lines": [] if where.file else [line], "at": where.place(log, line), "rate": rate, "opt": opt,
            "text": where.text(products[0]), "instead": where.text(others[0][1]), "edits": [where.cut(n, kept) for n, kept in others],
        }  # fmt: skip
        return


@NOTES.rule(
    "rate-grows", "warning", "a schedule lets the learning rate grow until the training diverges",
    "{at}: this schedule raises the learning rate from {rate} to {top}, and the loss ends at {end} (first {first}).",
    "{repair}",
    GROWING % "0.9 * epoch",
    GROWING % "0.9 ** epoch",
)  # fmt: skip
def rate_grows(log: Log) -> Iterator[dict]:
    """The largest rate is the last one, and larger than the one that the optimizer was made with; the loss did not fall."""
    learning = Learning.of(log)
    rates = [r["rate"] for r in learning.rounds.get("rates", ())] if learning is not None else []
    texts = Code.all_of(log)
    given = {
        n.value.value
        for code in texts
        for n in ast.walk(code.tree)
        if isinstance(n, ast.keyword) and n.arg == "lr" and isinstance(n.value, ast.Constant)
        if isinstance(n.value.value, (int, float))
    }
    if (
        learning is None
        or len(given) != 1
        or not rates
        or max(rates) > rates[-1]
        or learning.end < learning.first
    ):
        return
    (rate,) = given
    for code in texts if rates[-1] > GROWN * rate else ():
        for call in (
            n for n in ast.walk(code.tree) if isinstance(n, ast.Call) and GROWS.search(ast.unparse(n.func))
        ):
            products = [
                n for n in ast.walk(call) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult)
                if isinstance(n.left, ast.Constant) and isinstance(n.right, ast.Name)
            ]  # fmt: skip
            instead = (
                f"{code.text(products[0].left)} ** {code.text(products[0].right)}"
                if len(products) == 1
                else ""
            )
            yield learning.place() | {
                "at": code.place(log, call.lineno), "lines": [] if code.file else [call.lineno], "rate": f"{rate:g}", "top": f"{rates[-1]:g}",
                "end": number(learning.end), "first": number(learning.first),
                "repair": f"For factors that fall write {instead}." if instead else "Give it factors that fall, below 1.",
                "edits": [code.replaced(products[0], instead)] if instead else [],
            }  # fmt: skip
            return


@NOTES.rule(
    "plateau-turned", "warning", "ReduceLROnPlateau waits for a loss to rise, or for an accuracy to fall",
    "{at}: ReduceLROnPlateau with mode='{mode}' waits for {value} to {so}. So the rate was reduced while it got better.",
    "Write mode='{other}'.",
    PLATEAU % "max",
    PLATEAU % "min",
)  # fmt: skip
def plateau_turned(log: Log) -> Iterator[dict]:
    """Made with mode="max", and what step() gets was made by a loss; or with mode="min", and it is called an accuracy. The rate fell."""
    rounds = log.document.get("rounds")
    rates = [] if rounds is None else [r["rate"] for r in rounds.get("rates", ())]
    if len(rates) < 2 or rates[-1] >= rates[0]:
        return
    made = {
        name: (code, call)
        for code in Code.all_of(log)
        for name, _, call in code.made
        if ast.unparse(call.func).endswith("ReduceLROnPlateau")
    }
    for code in Code.all_of(log):
        for call in calls_of(code.tree, "step"):
            owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            if owner not in made or not call.args or not isinstance(call.args[0], (ast.Name, ast.Call)):
                continue
            its, making = made[owner]
            given = [k.value for k in making.keywords if k.arg == "mode"] + making.args[1:2]
            mode = ast.literal_eval(given[0]) if given and isinstance(given[0], ast.Constant) else "min"
            value = ast.unparse(call.args[0]).removesuffix(".item()")
            makers = [
                log.steps[log.maker[t["id"]]]["op"]
                for t in log.tensors
                if t["id"] in log.maker and any(n == value for _, n in t["names"])
            ]
            a_loss, a_share = (
                bool(makers) and all(map(LOSSES.match, makers)),
                ACCURACY.search(value) is not None,
            )
            if (mode == "max" and a_loss) or (mode == "min" and a_share and not a_loss):
                other, so = (
                    ("min", "rise, but it is a loss, which falls")
                    if a_loss
                    else ("max", "fall, but it is an accuracy, which rises")
                )
                kind = ast.unparse(making.func).rpartition(".")[2]
                yield {
                    "step": -1, "tensors": [], "lines": [] if its.file else [making.lineno], "at": its.place(log, making.lineno), "value": value,
                    "mode": mode, "so": so, "other": other, "edits": keyword(its, making, kind, "mode", f'"{other}"')
                    if not making.args[1:2] else [its.replaced(given[0], f'"{other}"')],
                }  # fmt: skip


def _assigned(code: Code) -> Iterator[str]:
    """The names that a text gives values, each as often as it does."""
    return (n.id for n in ast.walk(code.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _rate_of(log: Log, optimizer: str) -> str:
    """The name that an optimizer is made with as its rate."""
    call = next((call for name, call in _made(log) if name == optimizer), None)
    rates = (
        []
        if call is None
        else [k.value.id for k in call.keywords if k.arg == "lr" and isinstance(k.value, ast.Name)]
    )
    return rates[0] if rates else ""


def _kinds(log: Log) -> dict[str, str]:
    """The classes of what the code assigns: "StepLR" by "schedule"."""
    found = {name: ast.unparse(call.func) for name, call in _made(log)}
    return {name: kind for name, kind in found.items() if "LR" in kind or "Restarts" in kind}


def _loop_of_batches(log: Log, code: Code, call: ast.Call) -> ast.stmt | None:
    """The loop around a step of a schedule that has a backward() too, and that runs within another loop, or in a function that a loop calls; or such a
    function for one batch. A schedule that the other loop makes anew, as for each fold, is none for its rounds."""
    blocks = around(code.tree, call.lineno, (*LOOPS, ast.FunctionDef))
    inner = next((s for s in reversed(blocks) if s.lineno < call.lineno), None)
    if inner is None or not any(calls_of(s, "backward") for s in inner.body):
        return None
    if any(calls_of(s, "step") and isinstance(s, LOOPS) for s in inner.body):
        return None
    what = ast.unparse(call.func).removesuffix(".step")
    made = [
        _loops_around(log, other, n)
        for other in Code.all_of(log)
        for name, _, n in other.made
        if name == what
    ]
    return inner if _loops_around(log, code, call) - max(made, default=0) > 1 else None


def _loops_around(log: Log, code: Code, node: ast.expr, deep: int = 4) -> int:
    """How many loops run around an expression: those of its function, and those around the calls of this function."""
    line = node.lineno
    loops = len(around(code.tree, line, (*LOOPS, *COMPREHENSIONS)))
    functions = around(code.tree, line, ast.FunctionDef)
    name = functions[-1].name if functions else ""
    calls = [
        (other, n) for other in Code.all_of(log) for n in ast.walk(other.tree)
        if name and deep and isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == name and not (other.file == code.file and any(has(f, n.lineno) for f in functions))
    ]  # fmt: skip
    return loops + max((_loops_around(log, other, n, deep - 1) for other, n in calls), default=0)


def _moved(code: Code, call: ast.Call, loop: ast.stmt) -> list[Edit]:
    """The call behind the loop, if it is a statement of its own in it."""
    if not isinstance(loop, LOOPS):
        return []
    statement = code.statement_at(call.lineno)
    alone = isinstance(statement, ast.Expr) and statement in loop.body and len(loop.body) > 1
    return code.moved(statement, after=loop) if alone and statement is not None else []
