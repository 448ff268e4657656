"""Optimizers: what they are given, and steps that change nothing or use gradients that were not clipped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import GradUpdate, Step
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.syntax import around, parsed
from jgrad.tracing.explain.edits import (
    Code,
    Edit,
    assigned_to,
    at_step,
    calls_of,
    names_in,
    registered,
)
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.repairs import NAME, at_incident, before, mended, mending, named
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules, always
from jgrad.tracing.explain.rules.no_gradients import in_turn, why_none
from jgrad.tracing.explain.training import CLIP, Training

LARGER = "Use a larger learning rate, as in lr=0.1."
TINY = 1e-7  # a gradient whose norm is smaller changes no weight of a usual size in float32
ERRORS = Rules()
WARNINGS = Rules()
NOTES = Rules()


def _options(statement: ast.AST) -> Iterator[ast.keyword]:
    """What the calls of a statement get as the options of an optimizer."""
    for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
        yield from (
            k for k in call.keywords if k.arg in ("lr", "momentum", "weight_decay", "eps", "alpha", "rho")
        )


def _text_for_number(incident: Incident) -> Iterator[dict[str, Any]]:
    """An option that means a string; or the only one that is no number in the code, where nothing is known of variables."""
    place = at_incident(incident)
    options = [] if place is None else [*_options(place[1])]
    texts = [o for o in options if isinstance(_meant(o.value, incident), str)]
    unknown = [] if incident.variables else [o for o in options if not isinstance(o.value, ast.Constant)]
    for option in (texts or unknown)[:1]:
        yield {"option": option.arg, "given": ast.unparse(option.value)}


def _meant(node: ast.expr, incident: Incident) -> Any:
    return node.value if isinstance(node, ast.Constant) else meaning(ast.unparse(node), incident.variables)


def _as_number(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    for option in _options(statement):
        if option.arg == case["option"]:
            yield code.replaced(option.value, f"float({code.text(option.value)})")


def _whole_betas(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """Whole numbers in betas= as floats."""
    for given in [
        k.value
        for n in ast.walk(statement)
        if isinstance(n, ast.Call)
        for k in n.keywords
        if k.arg == "betas"
    ]:
        for one in given.elts if isinstance(given, (ast.Tuple, ast.List)) else ():
            if isinstance(one, ast.Constant) and isinstance(one.value, int):
                yield code.replaced(one, f"{one.value}.0")


ERRORS.by_words(
    "betas-of-two-kinds", "error", "one of the betas of an optimizer is a whole number",
    "{lead}both betas must be floats, and one is a whole number.",
    "Write 0.0 for 0, as in betas=(0.0, 0.9).",
    "opt = jgrad.optim.Adam([jgrad.ones(1, requires_grad=True)], betas=(0, 0.9))",
    "opt = jgrad.optim.Adam([jgrad.ones(1, requires_grad=True)], betas=(0.0, 0.9))",
    raised=("ValueError", r"betas must be either both floats or both Tensors"),
    blanks=mended(always, _whole_betas),
)  # fmt: skip

ERRORS.by_words(
    "nothing-to-clip", "error", "clip_grad_value_() runs before there is a gradient",
    "{lead}the .grad of every parameter is None, and clip_grad_value_() needs at least one gradient.",
    "Call clip_grad_value_() after backward() and before step().",
    """
w = jgrad.ones(2, requires_grad=True)
loss = (w * 5).sum()
jgrad.nn.utils.clip_grad_value_([w], 1.0)
loss.backward()
""", """
w = jgrad.ones(2, requires_grad=True)
loss = (w * 5).sum()
loss.backward()
jgrad.nn.utils.clip_grad_value_([w], 1.0)
""",
    raised=(RUNTIME, r"Expected !nested_tensorlist\[0\]\.empty\(\) to be true"),
)  # fmt: skip

ERRORS.by_words(
    "step-without-closure", "error", "LBFGS makes a step without a closure",
    "{lead}LBFGS computes the loss several times in one step, so step() needs a function that computes it.",
    "Write {name}.step(closure), where closure() clears the gradients, computes the loss, runs backward() and returns the loss.",
    """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.LBFGS([w])
(w * w).sum().backward()
opt.step()
""", """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.LBFGS([w])
def closure():
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    return loss
opt.step(closure)
""",
    raised=("TypeError", r"step\(\) missing 1 required positional argument: 'closure'"),
    blanks=named("step", "opt"),
)  # fmt: skip


ERRORS.by_words(
    "option-is-text", "error", "an optimizer gets text for a number",
    "{lead}{option}={given} is text, and an optimizer needs a number.",
    "Write {option}=float({given}), or the number without quotes where it comes from.",
    """
settings = {"lr": "0.1"}
opt = jgrad.optim.Adam([jgrad.ones(1, requires_grad=True)], lr=settings["lr"])
""", """
settings = {"lr": "0.1"}
opt = jgrad.optim.Adam([jgrad.ones(1, requires_grad=True)], lr=float(settings["lr"]))
""",
    raised=("TypeError", r"'[<>]=?' not supported between instances of '(?:float|int|str)' and '(?:str|float|int)'"),
    blanks=mended(_text_for_number, _as_number),
)  # fmt: skip


def _of_nothing(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """`opt.step()` without its argument."""
    for call in calls_of(statement, "step"):
        yield code.replaced(call, f"{code.text(call.func)}()")


@ERRORS.rule(
    "step-of-loss", "error", "step() of an optimizer gets a loss",
    "{lead}step() takes no loss: it uses the gradients that backward() has left in .grad.",
    "Write {name}.step() after backward().",
    """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
loss = (w * 2).sum()
loss.backward()
opt.step(loss)
""", """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
loss = (w * 2).sum()
loss.backward()
opt.step()
""",
    raised=("TypeError", r"'Tensor' object is not callable"),
)  # fmt: skip
@mending(_of_nothing)
def step_of_loss(incident: Incident) -> Iterator[dict]:
    name = before(incident, "step", "")
    if name:
        yield {"name": name}


ERRORS.by_words(
    "schedule-too-short", "error", "a schedule with an end is asked for more steps",
    "{lead}the schedule was made for {total} steps in all, and this is one more.",
    "Make it with total_steps=epochs * batches if step() runs after each batch, or call step() once per epoch.",
    """
opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], lr=0.1)
schedule = jgrad.optim.lr_scheduler.OneCycleLR(opt, max_lr=1., total_steps=2)
for i in range(3):
    opt.step()
    schedule.step()
""", """
opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], lr=0.1)
schedule = jgrad.optim.lr_scheduler.OneCycleLR(opt, max_lr=1., total_steps=4)
for i in range(3):
    opt.step()
    schedule.step()
""",
    raised=("ValueError", r"Tried to step \d+ times\. The specified number of total steps is (?P<total>\d+)"),
)  # fmt: skip

ERRORS.by_words(
    "schedule-of-no-optimizer", "error", "a learning rate schedule is given something else than an optimizer",
    "{lead}a schedule changes the learning rate of an optimizer, but it was given an object of the class {kind}.",
    "Pass the optimizer first, as in StepLR(opt, step_size=10).",
    """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.StepLR(net, step_size=10)
""", """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
schedule = jgrad.optim.lr_scheduler.StepLR(opt, step_size=10)
""",
    raised=("TypeError", r"^(?P<kind>\w+) is not an Optimizer"),
)  # fmt: skip


def _as_list(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """What the optimizer is given becomes a list, or the parameters of the module."""
    given = re.fullmatch(r"the tensor (\S+)|(\S+) \(\w+\)", case["given"])
    if given is not None:
        name = given[1] or given[2]
        for node in names_in(statement, name)[:1]:
            yield code.replaced(node, f"[{name}]" if given[1] else f"{name}.parameters()")


@ERRORS.rule(
    "plateau-without-loss", "error", "ReduceLROnPlateau.step() gets no loss",
    "{lead}ReduceLROnPlateau lowers the rate when a loss stops falling, so its step() needs that loss.",
    "Write {name}.step({loss}.item()), best with the loss of validation data, once per epoch.",
    """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
schedule = jgrad.optim.lr_scheduler.ReduceLROnPlateau(opt)
for epoch in range(2):
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    opt.step()
    schedule.step()
""", """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
schedule = jgrad.optim.lr_scheduler.ReduceLROnPlateau(opt)
for epoch in range(2):
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    opt.step()
    schedule.step(loss.item())
""",
    raised=("TypeError", r"ReduceLROnPlateau\.step\(\) missing 1 required positional argument: 'metrics'"),
)  # fmt: skip
def plateau_without_loss(incident: Incident) -> Iterator[dict]:
    """The loss is what the code around calls backward() on."""
    name = before(incident, "step", "scheduler")
    place = at_incident(incident)
    if place is None:
        yield {"name": name, "loss": "loss"}
        return
    code, statement = place
    scope = [code.tree, *around(code.tree, statement.lineno, ast.FunctionDef)][-1]
    roots = [
        ast.unparse(c.func.value) for c in calls_of(scope, "backward") if isinstance(c.func, ast.Attribute)
    ]
    loss = roots[0] if len({*roots}) == 1 and roots[0].isidentifier() else ""
    calls = [c for c in calls_of(statement, "step") if not c.args and not c.keywords]
    edits = [code.replaced(c, f"{code.text(c.func)}({loss}.item())") for c in calls] if loss else []
    yield {"name": name, "loss": loss or "loss", "edits": edits}


@ERRORS.rule(
    "optimizer-of-one-thing", "error", "an optimizer is given a module or a tensor in place of a list of parameters",
    "{lead}an optimizer takes a list of tensors, but it was given {given}.",
    "{repair}",
    """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net, lr=0.1)
""", """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
""",
    raised=("TypeError", r"^'\w+' object is not iterable|^params argument given to the optimizer should be an iterable of Tensors or dicts"),
)  # fmt: skip
@mending(_as_list)
def optimizer_of_one_thing(incident: Incident) -> Iterator[dict[str, str]]:
    name = _given_to_optimizer(incident)
    if name and "params argument" in incident.message:
        yield {"given": f"the tensor {name}", "repair": f"Put it into a list: [{name}]."}
    elif name and "'method'" not in incident.message:
        kind = incident.message.split("'")[1]
        yield {"given": f"{name} ({kind})", "repair": f"If {name} is a module, pass {name}.parameters()."}


def _given_to_optimizer(incident: Incident) -> str:
    """The first argument with which an optimizer is made in the code that raised; nothing if there is none, or a long one."""
    for node in ast.walk(parsed(incident.failing().strip().split("\n"))):
        if isinstance(node, ast.Call) and (
            "optim." in ast.unparse(node.func) or any(k.arg == "lr" for k in node.keywords)
        ):
            given = [*node.args, *[k.value for k in node.keywords if k.arg == "params"]]
            text = ast.unparse(given[0]) if given else ""
            return text if NAME.fullmatch(text) else ""
    return ""


def _used_up(incident: Incident) -> Iterator[dict]:
    """A generator that nothing comes from any more; else what else may be."""
    for node in ast.walk(parsed(incident.what.split("\n"))):
        name = node.id if isinstance(node, ast.Name) else ""
        given = incident.variables.get(name)
        place = at_incident(incident)
        read = place is not None and len(names_in(place[0].tree, name)) > 1
        if isinstance(given, Iterator) and (read or getattr(given, "gi_frame", given) is None):
            made = None if place is None else assigned_to(place[0], name)
            value = made.value if isinstance(made, ast.Assign) else None
            edits = (
                []
                if place is None or value is None
                else [place[0].replaced(value, f"[*{place[0].text(value)}]")]
            )
            yield {
                "why": f"{name} can be gone through once, and something had gone through all of it before",
                "repair": f"Make a list of it: {name} = [*{'model.parameters()' if value is None else ast.unparse(value)}].", "edits": edits,
            }  # fmt: skip
            return
    yield next(_plain_attributes(incident), {
        "why": "The module has none, or its layers are in a plain list or dict",
        "repair": "Put layers into jgrad.nn.ModuleList or jgrad.nn.Sequential, and tensors into jgrad.nn.Parameter.",
    })  # fmt: skip


def _plain_attributes(incident: Incident) -> Iterator[dict]:
    """What a module keeps where `parameters()` does not look: a tensor that requires grad, or a list or dict of layers."""
    called = calls_of(parsed((incident.expression or incident.what).split("\n")), "parameters")
    names = [ast.unparse(c.func.value) for c in called if isinstance(c.func, ast.Attribute)]
    place = at_incident(incident)
    codes = Code.all_of(incident.log) if incident.log is not None else [place[0]] if place else []
    for module, key, value in [
        (name, key, mirrors.mirror(value))
        for name in names
        for key, value in getattr(incident.variables.get(name), "__dict__", {}).items()
    ]:
        own, parts = f"{module}.{key}", value.values() if isinstance(value, dict) else value
        if key.startswith("_"):
            continue
        if isinstance(value, Tensor) and value.requires_grad and value.is_leaf:
            why = f"{own} is a plain tensor, and {module}.parameters() gives only what is an nn.Parameter"
            kept = "Parameter"
        elif isinstance(value, (list, tuple, dict)) and any(hasattr(part, "_parameters") for part in parts):
            kind, kept = type(value).__name__, "ModuleDict" if isinstance(value, dict) else "ModuleList"
            why = f"{own} is a plain {kind}, and {module}.parameters() does not look into it"
        else:
            continue
        repair = f"In __init__ write self.{key} = jgrad.nn.{kept}(...)."
        yield {"why": why, "repair": repair, "edits": registered(codes, key, kept)}


ERRORS.by_words(
    "nothing-to-optimize", "error", "an optimizer is given no parameters",
    "{lead}the optimizer got no parameters. {why}.",
    "{repair}",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [jgrad.nn.Linear(2, 2)]

jgrad.optim.SGD(Net().parameters(), lr=0.1)
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = jgrad.nn.ModuleList([jgrad.nn.Linear(2, 2)])

jgrad.optim.SGD(Net().parameters(), lr=0.1)
""",
    raised=("ValueError", r"optimizer got an empty parameter list"),
    blanks=_used_up,
)  # fmt: skip

ERRORS.by_words(
    "optimize-non-leaf", "error", "an optimizer is given a tensor that was computed",
    "{lead}an optimizer changes leaves, but this tensor was computed from others.",
    "Pass the leaves, or make the tensor w a leaf with w = w.detach().requires_grad_().",
    """
w = jgrad.ones(2, requires_grad=True) * 0.1
jgrad.optim.SGD([w], lr=0.1)
""", """
w = (jgrad.ones(2) * 0.1).requires_grad_()
jgrad.optim.SGD([w], lr=0.1)
""",
    raised=("ValueError", r"can't optimize a non-leaf Tensor"),
)  # fmt: skip

WARNINGS.by_words(
    "scheduler-before-optimizer", "warning", "a scheduler of the learning rate steps before the optimizer",
    "{lead}scheduler.step() ran before optimizer.step(), so the first learning rate of the schedule is skipped.",
    "Call optimizer.step() first.",
    """
w = jgrad.ones(1, requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.1)
scheduler = jgrad.optim.lr_scheduler.StepLR(optimizer, 1)
(w * 2).backward()
scheduler.step()
optimizer.step()
""", """
w = jgrad.ones(1, requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.1)
scheduler = jgrad.optim.lr_scheduler.StepLR(optimizer, 1)
(w * 2).backward()
optimizer.step()
scheduler.step()
""",
    raised=(USER_WARNING, r"Detected call of `lr_scheduler\.step\(\)` before `optimizer\.step\(\)`"), traced="schedule-of-old-optimizer",
)  # fmt: skip

WARNINGS.by_words(
    "parameter-twice", "warning", "an optimizer gets a parameter twice",
    "{lead}the list of parameters has a tensor twice, as two layers with one weight give it twice. So each step() changes this tensor twice.",
    "Pass each once: list(dict.fromkeys(params)).",
    """
emb = jgrad.nn.Embedding(3, 2)
out = jgrad.nn.Linear(2, 3, bias=False)
out.weight = emb.weight
params = [*emb.parameters(), *out.parameters()]
opt = jgrad.optim.SGD(params, lr=0.1)
""", """
emb = jgrad.nn.Embedding(3, 2)
out = jgrad.nn.Linear(2, 3, bias=False)
out.weight = emb.weight
params = [*emb.parameters(), *out.parameters()]
opt = jgrad.optim.SGD(list(dict.fromkeys(params)), lr=0.1)
""",
    raised=(USER_WARNING, r"optimizer contains a parameter group with duplicate parameters"),
)  # fmt: skip

WARNINGS.by_words(
    "clip-of-nothing", "warning", "clip_grad_norm_() gets a generator that was used up",
    "{lead}clip_grad_norm_() got a generator that was used up, as parameters() gives one, and clipped nothing.",
    "Call parameters() again, as in clip_grad_norm_(net.parameters(), 1.0).",
    """
net = jgrad.nn.Linear(2, 1)
params = net.parameters()
opt = jgrad.optim.SGD(params, lr=0.1)
net(jgrad.ones(1, 2)).sum().backward()
jgrad.nn.utils.clip_grad_norm_(params, 1.0)
""", """
net = jgrad.nn.Linear(2, 1)
params = list(net.parameters())
opt = jgrad.optim.SGD(params, lr=0.1)
net(jgrad.ones(1, 2)).sum().backward()
jgrad.nn.utils.clip_grad_norm_(params, 1.0)
""",
    raised=(USER_WARNING, r"`parameters` is an empty generator, no gradient clipping will occur"),
)  # fmt: skip

STALE_OPTIMIZER = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
net = jgrad.nn.Linear(2, 1)
opt.zero_grad()
net(jgrad.ones(3, 2)).sum().backward()
opt.step()
"""
FITTED = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=%s)
loss = ((w * 2 - 6) ** 2).sum()
loss.backward()
opt.step()
"""
CLIPPED = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = (w * 5).sum()
    %s
    %s
    opt.step()
"""


@NOTES.rule(
    "step-without-gradients", "warning", "an optimizer steps while no parameter has a gradient",
    "{at} ({what}) changed nothing{times}, because every parameter has .grad None: {why}.",
    "{repair}",
    STALE_OPTIMIZER,
    "net = jgrad.nn.Linear(2, 1)\n" + STALE_OPTIMIZER.replace("net = jgrad.nn.Linear(2, 1)\n", ""),
)  # fmt: skip
def step_without_gradients(log: Log) -> Iterator[dict]:
    training = Training.of(log)
    times: dict[Any, list[tuple[int, Step]]] = {}
    for i, step in training.idle:
        if step["op"] == "step":
            times.setdefault(step["line"], []).append((i, step))
    for all_found in times.values():
        # Why there are no gradients is known as long as all steps were kept, or all since gradients came.
        since = [
            (i, max((k for p in step["reads"] for k in training.filled(p) if k < i), default=0))
            for i, step in all_found
        ]
        found = [one for one, (i, filled) in zip(all_found, since, strict=True) if not log.has_gap(filled, i)]
        if not found:
            continue
        i, step = found[-1]
        what = training.step_called(i, step["reads"][0])
        why = why_none(training, step["reads"], i, what)
        computed = any("node" in s for _, s in log.of("op"))
        yield {
            "step": i, "tensors": step["reads"], "lines": log.lines(*why.blanks["at"], i), "at": log.at(i), "what": what, "why": why.cause,
            "repair": why.repair, "edits": why.edits, "times": f", {log.times(len(found))} times" if len(found) > 1 else "", "severity": "warning" if computed else "info",
        }  # fmt: skip


@NOTES.rule(
    "step-in-vain", "info", "an optimizer steps and no parameter changes",
    "{at} ({what}) changed no element of {name}: {why}.",
    "{repair}",
    FITTED % "0",
    FITTED % "0.1",
)  # fmt: skip
def step_in_vain(log: Log) -> Iterator[dict]:
    """Every step of an optimizer wrote what had been there before."""
    training = Training.of(log)
    # "opt.step()" -> (step, parameter, whether it changed something)
    steps: dict[str, list[tuple[int, int, bool]]] = {}
    for p, last in enumerate(log.final):
        if last["is_leaf"] and last["requires_grad"] and p in training.grads:
            if log.gaps and p not in training.still:
                return  # steps that were not kept may have changed it
            for i, write in training.steps_of(p):
                steps.setdefault(training.step_called(i, p), []).append(
                    (i, p, write["changed_elements"] != [] and p not in training.still)
                )
    for what, found in steps.items():
        if any(changed for *_, changed in found):
            continue
        found.sort()
        i, parameter, _ = found[-1]
        before = [(k, g) for k, g in training.grads[parameter] if k < i]
        grad = before[-1][1]["after"] if before else None
        made = re.compile(rf"\b{re.escape(what.split('.')[0])}\s*=[^#]*\blr\s*=\s*0(?:\.0*)?(?![\d.e])")
        rate = next((n for n, line in enumerate(log.source, 1) if made.search(line)), None)
        lines, severity = log.lines(i), "info"
        params = list(dict.fromkeys(p for _, p, _ in found))
        name, given = training.names(params, i), f"{log.name(parameter, i)}.grad is {brief(grad)}"
        if grad is not None and grad.get("norm") == 0 and not grad.get("nan_count"):
            zeroed = _zeroed(before)
            if zeroed is not None:
                filled = max((k for k in training.filled(parameter) if k < zeroed), default=zeroed)
                lines, severity = log.lines(zeroed, i), "warning"
                why = f"{log.at(zeroed)} had set the gradients to zero"
                repair = in_turn(log, zeroed, filled, i, what)
            else:
                why, repair = (
                    "the gradients are zero",
                    f"Ask %why {log.name(parameter, i)}.grad for the reason.",
                )
        elif rate is not None:
            lines, severity = sorted({rate, *lines}), "warning"
            why, repair = f"line {rate} sets the learning rate to 0 ({given})", LARGER
        elif any(
            o["name"] == what.split(".")[0] and o["rates"] and not any(o["rates"])
            for o in training.optimizers
        ):
            severity, why, repair = "warning", f"the learning rate is 0 ({given})", LARGER
        elif grad is not None and (grad.get("norm") or 1.0) < TINY:
            # Then no usual rate would change anything.
            why, repair = (
                f"the gradients are nearly zero ({given})",
                f"Ask %why {log.name(parameter, i)}.grad for the reason.",
            )
        else:
            why = (
                f"{given}, but the learning rate is 0 or too small for the dtype of {log.name(parameter, i)}"
            )
            repair = LARGER
        scheduled, mended_rate = _schedule(log) if repair == LARGER else ("", [])
        yield {
            "step": i, "tensors": params, "lines": lines, "at": log.at(i), "what": what, "name": name, "why": why, "repair": scheduled or repair,
            "severity": severity, "edits": mended_rate,
        }  # fmt: skip


def _zeroed(events: list[tuple[int, GradUpdate]]) -> int | None:
    """The step of these that set a gradient to zero, which it is at their end; None if it came as zeros."""
    for i, grad in reversed(events):
        before, after = ((0 if v is None else v.get("norm")) for v in (grad["before"], grad["after"]))
        if after != 0 or grad["action"] == "add":
            return None
        if before != 0:
            return i
    return None


def _schedule(log: Log) -> tuple[str, list[Edit]]:
    """What to do about a schedule for learning rates, as the code makes one, and the edit of it; nothing where it makes none."""
    for code in Code.all_of(log):
        for call in (n for n in ast.walk(code.tree) if isinstance(n, ast.Call)):
            if re.search(r"lr_scheduler\.|\b\w+(?:LR|Restarts)$", ast.unparse(call.func)):
                made = code.place(log, call.lineno)
                whole = _whole_factor(code, call)
                if whole is None:
                    return (
                        f"Look at the schedule that {made} makes: it may multiply the rate by 0, whatever lr is.",
                        [],
                    )
                line, behind = code.span(whole.left)[2:]
                at = code.line(line).find("//", behind)
                edits = [Edit(code.file, (line, at, line, at + 2), "/")] if at > 0 else []
                return (
                    f"The schedule that {made} makes multiplies the rate by whole numbers, of which the first is 0. Write / for // there.",
                    edits,
                )
    return "", []


def _whole_factor(code: Code, call: ast.Call) -> ast.BinOp | None:
    """The only `a // b` of the function that a call gets as its second argument, as `LambdaLR(opt, factor)`; none that is an exponent."""
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "lr_lambda")][:1]
    named = [
        s
        for s in code.statements
        if isinstance(s, ast.FunctionDef) and given and s.name == ast.unparse(given[0])
    ]
    inside = [n for f in given + named[-1:] for n in ast.walk(f)]
    found = [n for n in inside if isinstance(n, ast.BinOp) and isinstance(n.op, ast.FloorDiv)]
    powers = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow) for n in inside)
    return found[0] if len(found) == 1 and not powers else None


@NOTES.rule(
    "clip-out-of-turn", "warning", "gradients are clipped before backward() or after they were used",
    "{at} ({what}) does not clip the gradients that step() uses: {why}.",
    "{repair}",
    CLIPPED % ("jgrad.nn.utils.clip_grad_norm_([w], 1.0)", "loss.backward()"),
    CLIPPED % ("loss.backward()", "jgrad.nn.utils.clip_grad_norm_([w], 1.0)"),
)  # fmt: skip
def clip_out_of_turn(log: Log) -> Iterator[dict]:
    """What optimizers used had not been clipped, though clipping was asked for, or was clipped after they had used it."""
    if not any(
        isinstance(n, ast.Attribute | ast.Name) and CLIP.fullmatch(f"{ast.unparse(n).rpartition('.')[2]}(")
        for n in log.nodes_of_code
    ):
        return
    training, reported = Training.of(log), set()
    for p, events in training.grads.items():
        adds = [i for i, g in events if g["action"] == "add"]
        stepped = [i for i, _ in training.steps_of(p)]
        clips = training.clips_of(p)
        changed = {i for i, g in events if g["before"] is not None and g["before"] != g["after"]}
        for c, full in clips:
            line = log.steps[c]["line"]
            if line in reported:
                continue
            if log.gaps and log.has_gap(
                max((i for i in adds if i < c), default=0),
                min((i for i in stepped if i > c), default=len(log.steps)),
            ):
                continue  # its turn is not known
            added = max((i for i in adds if i < c), default=None)
            late = [i for i in stepped if added is not None and added < i < c]
            use = min((i for i in stepped if i > c), default=None)
            after = max((i for i in adds if use is not None and c < i < use), default=None)
            # One who wants to know the norm passes an infinite limit.
            if late and (c in changed or not re.search(r"\binf\b", training.text(c))):
                reported.add(line)
                why = f"{log.at(late[0])} ({training.step_called(late[0], p)}) had used the gradients before"
                moved = _of_others(training, c, p) or _moved(log, c, before=late[0])
                yield _clip(log, training, c, why, log.lines(late[0], c)) | moved
            elif after is not None and use is not None and not late and (c in changed or not full):
                if any(after < other < use for other, _ in clips):
                    continue
                reported.add(line)
                found = "no gradient yet" if not full else "only gradients of an earlier backward pass"
                why = f"there was {found}. Then {log.at(after)} added the gradients, and {log.at(use)} ({training.step_called(use, p)}) used them unclipped"
                yield _clip(log, training, c, why, log.lines(c, after, use)) | _moved(log, c, after=after)


OF_ANOTHER = """
old, net = jgrad.nn.Linear(2, 1), jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x = jgrad.ones(4, 2)
with jgrad.no_grad():
    target = old(x)
for i in range(3):
    opt.zero_grad()
    jgrad.nn.functional.mse_loss(net(x), target).backward()
    jgrad.nn.utils.clip_grad_norm_(%s.parameters(), 1.0)
    opt.step()
"""


@NOTES.rule(
    "clip-of-another", "warning", "the gradients of a model that has none are clipped",
    "{at} clips nothing: no parameter of {name} has a gradient. {what} uses the gradients of {other} as they are.",
    "Write clip_grad_norm_({other}.parameters(), ...).",
    OF_ANOTHER % "old",
    OF_ANOTHER % "net",
    final=True,
)  # fmt: skip
def clip_of_another(log: Log) -> Iterator[dict]:
    """Clipping stands between backward() and step() in one block, and names a module no parameter of which ever got a gradient."""
    training = Training.of(log)
    modules = {m["name"]: m for m in training.modules if m["parameters"]}
    for code in Code.all_of(log):
        for statement in (
            s for s in code.statements if isinstance(s, ast.Expr) and CLIP.search(ast.unparse(s))
        ):
            call = statement.value
            given = re.fullmatch(
                r"(\w+)\.parameters\(\)",
                ast.unparse(call.args[0]) if isinstance(call, ast.Call) and call.args else "",
            )
            module = modules.get(given[1]) if given else None
            if module is None or any(p in training.grads or p in training.fed for p in module["parameters"]):
                continue
            steps = [
                (i, o) for o in training.optimizers for p in o["parameters"][:1] for i, _ in training.steps_of(p)
                if (place := at_step(log, i)) is not None and place[0].file == code.file and code.stand_together(statement, code.statement_at(place[1].lineno) or statement)
                and statement.lineno < place[1].lineno
            ]  # fmt: skip
            if not steps or {*steps[-1][1]["parameters"]} & {*module["parameters"]}:
                continue
            i, optimizer = steps[-1]
            other = training.root(optimizer["parameters"], i)
            names = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == module["name"]]
            if not other.isidentifier() or len(names) != 1:
                continue
            yield {
                "step": i, "tensors": [], "lines": log.lines(i), "at": code.place(log, statement.lineno), "name": module["name"], "other": other,
                "what": training.step_called(i, optimizer["parameters"][0]), "edits": [code.replaced(names[0], other)],
            }  # fmt: skip
            return


def _moved(
    log: Log, index: int, before: int | None = None, after: int | None = None
) -> dict[str, list[Edit]]:
    """The blank of an edit that moves the statement of a step to that of another one in the same text."""
    place, other = at_step(log, index), at_step(log, before if before is not None else after or 0)
    if place is None or other is None or place[0].file != other[0].file or place[1].lineno == other[1].lineno:
        return {"edits": []}
    code, statement = place
    there = code.statement_at(other[1].lineno)
    return {
        "edits": code.moved(
            statement, there if before is not None else None, there if before is None else None
        )
    }


def _clip(log: Log, training: Training, index: int, why: str, lines: list[int]) -> dict:
    text = CLIP.search(training.text(index))
    what = text[0] + ")" if text else f"{log.steps[index]['op']}()"
    return {
        "step": index, "tensors": [], "lines": lines, "at": log.at(index), "what": what, "why": why,
        "repair": "Clip after backward() and before step().",
    }  # fmt: skip


def _of_others(training: Training, index: int, clipped: int) -> dict[str, Any]:
    """The blanks of a clipping of one model, though the step after it is that of another one, whose gradients nothing clipped; nothing if it is not."""
    log, ours = training.log, next((o for o in training.optimizers if clipped in o["parameters"]), None)
    uses = (
        (i, o)
        for o in training.optimizers
        for p in o["parameters"]
        for i, _ in training.steps_of(p)
        if i > index
    )
    use, other = min(uses, key=lambda one: one[0], default=(0, ours))
    if ours is None or other is None or {*ours["parameters"]} & {*other["parameters"]}:
        return {}
    came = {p for p in other["parameters"] for i in training.filled(p) if i < index}
    if not came or any(training.clips_of(p) for p in other["parameters"]):
        return {}
    names = {o["name"]: training.root(o["parameters"], index) for o in (ours, other)}
    mine, theirs = names[ours["name"]], names[other["name"]]
    place = at_step(log, index)
    found = (
        [] if place is None else [n for n in ast.walk(place[1]) if isinstance(n, ast.Name) and n.id == mine]
    )
    edits = (
        [place[0].replaced(found[0], theirs)]
        if place is not None and len(found) == 1 and theirs.isidentifier()
        else []
    )
    why = f"it clips those of {mine}, and {log.at(use)} ({training.step_called(use, other['parameters'][0])}) uses those of {theirs}"
    return {"why": why, "repair": f"Clip the gradients of {theirs} there.", "edits": edits}
