"""What `%why model` answers: which parameters do not train, and why.

`PARAMETERS` are the rules about a single parameter, all of which are asked. What one of them says of several parameters is said once, of the layers
that these are in. `PARTS` are about what `parameters()` leaves out and about modes, `WHOLE` is what is said where nothing keeps the model from training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.models import (
    SHOWN,
    TWO_MODES,
    Found,
    Model,
    counted,
    holds_modules,
    in_optimizer,
    inside,
    mirrored,
)
from jgrad.tracing.explain.rule import Rules, Said, each, first, listed
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.explain.traces import Recorded

PARAMETERS = Rules()
PARTS = Rules()
WHOLE = Rules()

NET = "net = jgrad.nn.Linear(2, 1)\n{}opt = jgrad.optim.SGD({}, lr={})\n"
PASS = "for _ in range(2):\n    opt.zero_grad()\n    net(jgrad.ones(1, 2)).sum().backward()\n"
TRAINED = f"{NET}{PASS}    opt.step()\n"
RIGHT = TRAINED.format("", "net.parameters()", 0.1)
SCHEDULED = (
    NET.format("", "net.parameters()", 0.1)
    + "plan = jgrad.optim.lr_scheduler.LambdaLR(opt, lambda epoch: {})\n"
)
PARTED = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = jgrad.nn.Linear(2, 1)
        self.extra = {}

    def forward(self, x):
        return {}

net = Net()
(net(jgrad.ones(1, 2))).sum().backward()
"""
MODES = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 4), jgrad.nn.Dropout(0.5), jgrad.nn.Linear(4, 1))
{}
net(jgrad.ones(1, 2)).sum().backward()
"""


@dataclass
class Asked:
    """A parameter of a model."""

    model: Model
    found: Found

    @property
    def parameter(self) -> Tensor:
        """The tensor."""
        return self.found.parameter

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The groups of optimizers that hold it."""
        return self.model.groups(self.parameter)

    @property
    def optimizers(self) -> str:
        """The optimizers that belong to the model."""
        return listed([*self.model.optimizers])

    @property
    def rate_is_zero(self) -> bool:
        """Whether an optimizer holds it, at a learning rate of 0."""
        return bool(self.groups) and all(group["lr"] == 0 for group in self.groups)

    @property
    def is_empty(self) -> bool:
        """Whether it has no gradient while a backward() ran that should have filled it."""
        if not self.parameter.requires_grad or self.parameter._grad is not None:
            return False
        log = (
            self.model.trace.log
            if self.model.trace is not None and self.model.known(self.parameter)
            else None
        )
        ran = self.model.some_filled or (log is not None and log.of("backward"))
        # Else it was cleared after it was used.
        return bool(ran) and not self.model.has_gradient(self.parameter)

    @property
    def values(self) -> Any:
        """The elements of its gradient; None where there are none."""
        known = self.parameter.requires_grad and self.parameter._grad is not None
        return elements_of(self.parameter._grad) if known else None

    @property
    def bad(self) -> str:
        """ "nan" or "inf" if its gradient holds that."""
        values = self.values
        if values is None or values.isfinite().all():
            return ""
        return "nan" if values.isnan().any() else "inf"

    @property
    def is_wrong(self) -> bool:
        """Whether its gradient is missing, or zero."""
        values = self.values
        return self.is_empty or (values is not None and not self.bad and not values.any())

    def reason(self) -> dict[str, Any] | None:
        """What the catalogue says of its `.grad`; None if no trace knows it."""
        trace = self.model.trace
        number = None if trace is None else trace.numbers.get(id(self.parameter))
        if trace is None or number is None:
            return None
        subject = Subject.live(self.found.name, self.parameter)
        subject.log, subject.number = trace.log, number
        return reason(subject)


def about_model(
    name: str,
    model: Any,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str] = {},
) -> tuple[str, Log | None]:
    """Which parameters of a model do not train and why, a line for each reason; and the log of the trace that the answer is about."""
    asked = Model(name, model, variables, traces, cells)
    return "\n".join(_lines(asked)), None if asked.trace is None else asked.trace.log


def _lines(model: Model) -> list[str]:
    groups: dict[str, list[tuple[Found, Said]]] = {}
    for found in model.parameters:
        for said in each(PARAMETERS, Asked(model, found)):
            groups.setdefault(said.blanks["group"], []).append((found, said))
    lines = [f"{model.labels([f for f, _ in some])}: {some[0][1].text}" for some in groups.values()]
    lines += [said.text for said in each(PARTS, model)]
    total = counted(len(model.parameters), "parameter")
    if not model.parameters:
        return [f"{model.name} has no parameters.", *lines]
    still = {f.name for some in groups.values() for f, said in some if not said.blanks.get("has_trained")}
    if still:
        verb = "does" if len(still) == 1 else "do"
        return [f"{len(still)} of {total} of {model.name} {verb} not train.", *lines]
    if groups:  # they have trained
        return lines
    well = first(WHOLE, model)
    assert well is not None, "the last rule applies to everything"
    return [*lines, well.text]


# A parameter ------------------------------------------------------------------------------------------------------------------------


@PARAMETERS.rule(
    "parameter-frozen", "info", "a parameter does not require grad",
    "requires_grad is False, so backward() computes no gradient.",
    "requires_grad_() turns it on.",
    TRAINED.format("net.bias.requires_grad_(False)\n", "net.parameters()", 0.1),
    RIGHT,
    ask="net",
)  # fmt: skip
def parameter_frozen(asked: Asked) -> Iterator[dict]:
    if not asked.parameter.requires_grad:
        yield {"group": "frozen"}


@PARAMETERS.rule(
    "parameter-not-held", "warning", "no optimizer holds a parameter",
    "not in {optimizers}, so step() changes nothing.",
    "Make the optimizer from {model}.parameters() after the last layer was added or replaced.",
    TRAINED.format("", "[net.weight]", 0.1),
    RIGHT,
    ask="net",
)  # fmt: skip
def parameter_not_held(asked: Asked) -> Iterator[dict]:
    if asked.parameter.requires_grad and asked.model.optimizers and not asked.groups:
        yield {"group": "unheld", "optimizers": asked.optimizers, "model": asked.model.name}


@PARAMETERS.rule(
    "rate-became-zero", "info", "the learning rate is 0 after a training",
    "trained until {last}. The learning rate in {optimizers} is 0 now, so another step() changes nothing.",
    "To train on, make a new optimizer, and a new schedule if there is one.",
    SCHEDULED.format("max(0, 1 - epoch / 6)") + PASS.replace("2)", "8)", 1) + "    opt.step()\n    plan.step()\n",
    SCHEDULED.format("max(0, 1 - epoch / 20)") + PASS.replace("2)", "8)", 1) + "    opt.step()\n    plan.step()\n",
    ask="net",
)  # fmt: skip
def rate_became_zero(asked: Asked) -> Iterator[dict]:
    last = (
        asked.model.last_change(asked.parameter)
        if asked.parameter.requires_grad and asked.rate_is_zero
        else ""
    )
    if last:
        yield {"group": f"ended {last}", "last": last, "optimizers": asked.optimizers, "has_trained": True}


@PARAMETERS.rule(
    "rate-of-schedule-zero", "info", "a schedule has taken the learning rate to 0",
    "a schedule has taken the learning rate in {optimizers} from {begun} to 0, so step() changes nothing now.",
    "",
    SCHEDULED.format("max(0, 1 - epoch)") + PASS + "    opt.step()\n    plan.step()\n",
    SCHEDULED.format("1") + PASS + "    opt.step()\n    plan.step()\n",
    ask="net",
)  # fmt: skip
def rate_of_schedule_zero(asked: Asked) -> Iterator[dict]:
    if (
        not asked.parameter.requires_grad
        or not asked.rate_is_zero
        or asked.model.last_change(asked.parameter)
    ):
        return
    begun = _begun(asked)
    if begun != 0:
        yield {"group": "ended", "optimizers": asked.optimizers, "begun": f"{float(begun):g}", "has_trained": True}  # fmt: skip


@PARAMETERS.rule(
    "rate-is-zero", "warning", "the learning rate is 0",
    "the learning rate in {optimizers} is 0 now, so step() changes nothing.",
    "",
    TRAINED.format("", "net.parameters()", 0),
    RIGHT,
    ask="net",
)  # fmt: skip
def rate_is_zero(asked: Asked) -> Iterator[dict]:
    ended = asked.model.last_change(asked.parameter)
    if asked.parameter.requires_grad and asked.rate_is_zero and not ended and _begun(asked) == 0:
        yield {"group": "rate", "optimizers": asked.optimizers}


def _begun(asked: Asked) -> float:
    """The learning rate with which a schedule began; 0 if there is none."""
    return next((group["initial_lr"] for group in asked.groups if "initial_lr" in group), 0)


@PARAMETERS.rule(
    "parameter-never-stepped", "warning", "no optimizer made a step with the gradients of the last trace",
    "no step() of {optimizers} ran in {title}.",
    "Write it after backward().",
    NET.format("", "net.parameters()", 0.1) + PASS,
    RIGHT,
    ask="net",
)  # fmt: skip
def parameter_never_stepped(asked: Asked) -> Iterator[dict]:
    trace = asked.model.trace
    if trace is None or not asked.parameter.requires_grad:
        return
    number = trace.numbers.get(id(asked.parameter))
    notes = trace.log.document["notes"]
    if any(note["code"] == "step-forgotten" and number in note["tensors"] for note in notes):
        names = listed([*asked.model.optimizers], "or") or "the optimizer"
        yield {"group": "unstepped", "optimizers": names, "title": trace.log.title()}


@PARAMETERS.rule(
    "parameter-gradient-not-finite", "warning", "the gradient of a parameter holds nan or inf",
    "{name}.grad holds {bad}, which step() would write into the parameter. {why}",
    "",
    "jgrad.manual_seed(0)\n" + NET.format("", "net.parameters()", 0.1) + "((net(jgrad.ones(1, 2)) * 0).sqrt()).sum().backward()\n",
    "jgrad.manual_seed(0)\n" + NET.format("", "net.parameters()", 0.1) + "((net(jgrad.ones(1, 2)) * 0 + 1).sqrt()).sum().backward()\n",
    ask="net",
)  # fmt: skip
def parameter_gradient_not_finite(asked: Asked) -> Iterator[dict]:
    if asked.bad:
        group, why = _why(asked)
        yield {"group": f"{asked.bad} {group}", "name": asked.found.name, "bad": asked.bad, "why": why}


def _why(asked: Asked) -> tuple[str, str]:
    """What the catalogue or a rule below says of a gradient, with its group."""
    found = asked.reason()
    if found is not None:
        return f"{found['code']} {found['lines']}", found["text"]
    said = first(UNTRACED, asked)
    assert said is not None, "the last rule applies to everything"
    return said.blanks["group"], said.text


@PARAMETERS.rule(
    "parameter-without-gradient", "warning", "the gradient of a parameter is None or zero",
    "{why}",
    "",
    "net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.Linear(2, 1))\nnet[1](jgrad.ones(1, 2)).sum().backward()",
    "net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.Linear(2, 1))\nnet(jgrad.ones(1, 2)).sum().backward()",
    ask="net",
)  # fmt: skip
def parameter_without_gradient(asked: Asked) -> Iterator[dict]:
    if asked.is_wrong:
        group, why = _why(asked)
        yield {"group": group, "why": why}


UNTRACED = Rules()


@UNTRACED.rule(
    "parameter-not-reached", "warning", "backward() did not reach a parameter, and no trace knows it",
    "{name}.grad is None while other parameters have one: backward() did not reach it{where}.",
    "",
)  # fmt: skip
def parameter_not_reached(asked: Asked) -> Iterator[dict]:
    if asked.parameter._grad is None:
        trace = asked.model.trace
        whole = trace is not None and not trace.log.gaps
        where = f" in {trace.log.title()}, which does not use it" if trace is not None and whole else ""
        yield {"group": "not reached", "name": asked.found.name, "where": where}


@UNTRACED.rule(
    "parameter-untraced", "info", "no trace knows where the gradient of a parameter comes from",
    "{zero}Trace a step of the training with %%trace, then %why {model} can say where that comes from.",
    "",
)  # fmt: skip
def parameter_untraced(asked: Asked) -> Iterator[dict]:
    some = elements_of(asked.parameter._grad).any()
    zero = "" if some else f"every element of {asked.found.name}.grad is zero. "
    yield {"group": f"untraced {zero != ''}", "zero": zero, "model": asked.model.name}


# What parameters() leaves out, and modes ----------------------------------------------------------------------------------------------


@dataclass
class _Left:
    """What lies in a module where parameters() does not look, and should learn."""

    place: str  # "net.extra"
    value: Any
    parameters: list[Tensor]


def _left_out(model: Model) -> Iterator[_Left]:
    registered = {id(found.parameter) for found in model.parameters}
    for path, module in model.modules.items():
        for attribute, value in vars(module).items():
            found = {id(p): p for p in inside(value) if p.requires_grad and id(p) not in registered}
            if found and not attribute.startswith("_"):
                yield _Left(f"{path}.{attribute}", mirrors.mirror(value), [*found.values()])


def _consequence(model: Model, left: _Left) -> dict[str, str]:
    """The blanks about what is left out."""
    number, ids = counted(len(left.parameters), "parameter"), {*map(id, left.parameters)}
    optimizers = model.optimizers.items()
    holders = [n for n, o in optimizers if ids <= {*map(id, mirrored(in_optimizer(o)))}]
    if not holders:
        return {"place": left.place, "so": f"so {model.name}.parameters() leaves out {number}", "also": ""}
    one = len(left.parameters) == 1
    so = f"so {model.name}.state_dict() does not save {'its' if one else 'the'} {number}"
    return {"place": left.place, "so": so, "also": f", although {holders[0]} trains {'it' if one else 'them'}"}  # fmt: skip


@PARTS.rule(
    "left-out", "warning", "a module keeps tensors or layers where parameters() does not look",
    "{place} is a plain {kind}, {so}{in_it}{also}.",
    "Make it with jgrad.nn.{right}(...).",
    PARTED.format("[jgrad.nn.Linear(2, 1)]", "self.fc(x) + self.extra[0](x)"),
    PARTED.format("jgrad.nn.ModuleList([jgrad.nn.Linear(2, 1)])", "self.fc(x) + self.extra[0](x)"),
    ask="net",
)  # fmt: skip
def left_out(model: Model) -> Iterator[dict]:
    for left in _left_out(model):
        if isinstance(left.value, Tensor):
            yield _consequence(model, left) | {"kind": "tensor", "in_it": "", "right": "Parameter"}
            continue
        kind = "Dict" if isinstance(left.value, dict) else "List"
        of = "Module" if holds_modules(left.value) else "Parameter"
        yield _consequence(model, left) | {"kind": type(left.value).__name__, "in_it": " in it", "right": of + kind}  # fmt: skip


def _asleep(model: Model) -> tuple[list[str], list[Any]]:
    """The layers that eval() changes and that are in eval mode: how a user writes them, and they themselves."""
    found = {p: m for p, m in model.modules.items() if TWO_MODES.search(type(m).__name__) and not m.training}
    return [*found], [*found.values()]


@PARTS.rule(
    "model-in-eval-mode", "info", "a model is in eval mode",
    "{model} is in eval mode, in which {kinds} {work} differently.",
    "Call {model}.train() before training.",
    MODES.format("net.eval()"),
    MODES.format(""),
    ask="net",
)  # fmt: skip
def model_in_eval_mode(model: Model) -> Iterator[dict]:
    _, layers = _asleep(model)
    if layers and not model.model.training:
        kinds = [*dict.fromkeys(type(m).__name__ for m in layers)]
        yield {"model": model.name, "kinds": listed(kinds), "work": "works" if len({*map(type, layers)}) == 1 else "work"}  # fmt: skip


@PARTS.rule(
    "layers-in-eval-mode", "info", "some layers of a model are in eval mode",
    "{layers} ({kinds}) {are} in eval mode.",
    "Call {model}.train() before training.",
    MODES.format("net[1].eval()"),
    MODES.format(""),
    ask="net",
)  # fmt: skip
def layers_in_eval_mode(model: Model) -> Iterator[dict]:
    paths, layers = _asleep(model)
    if layers and model.model.training:
        shown = paths if len(paths) <= SHOWN else [*paths[: SHOWN - 1], f"{len(paths) - SHOWN + 1} more"]
        kinds = [*dict.fromkeys(type(m).__name__ for m in layers)]
        yield {"layers": listed(shown), "kinds": listed(kinds), "are": "is" if len(paths) == 1 else "are", "model": model.name}  # fmt: skip


# The whole --------------------------------------------------------------------------------------------------------------------------


def _holders(model: Model) -> dict[str, str]:
    """The blanks about who holds the parameters."""
    total = counted(len(model.parameters), "parameter")
    layers = counted(len({found.layer for found in model.parameters}), "layer")
    one = f"{listed([*model.optimizers])} holds"
    held = f"{one if len(model.optimizers) == 1 else 'optimizers hold'} all {total} of its {layers}"
    known = held if model.optimizers else f"all {total} of its {layers} require grad"
    trains = "trains" if model.optimizers or model.moved() else "can train"
    subject = f"The rest of {model.name}" if any(_left_out(model)) else model.name
    return {"model": model.name, "known": known, "trains": trains, "subject": subject}


@WHOLE.rule(
    "model-not-run", "info", "nothing keeps a model from training, and no backward() ran",
    "{model}: {known}. Every .grad is None: no backward() has run, or the gradients were cleared since. "
    "Trace a step of the training with %%trace, then %why {model} can say more.",
    "",
    NET.format("", "net.parameters()", 0.1),
    ask="net",
)  # fmt: skip
def model_not_run(model: Model) -> Iterator[dict]:
    if not model.some_filled:
        yield _holders(model)


@WHOLE.rule(
    "model-trained-until-error", "info", "a model trains, and the last backward() raised an error",
    "{subject} {trains}: {known}, and a backward() filled every .grad before the last one raised an error, which did not fill them all.",
    "",
)  # fmt: skip
def model_trained_until_error(model: Model) -> Iterator[dict]:
    if model.raised():
        yield _holders(model)


@WHOLE.rule(
    "model-trains", "info", "nothing keeps a model from training",
    "{subject} {trains}: {known}, and the last backward() filled every .grad.",
    "",
    RIGHT,
    ask="net",
)  # fmt: skip
def model_trains(model: Model) -> Iterator[dict]:
    yield _holders(model)
