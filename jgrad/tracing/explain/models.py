"""What `%why model` answers: which parameters do not train, and why. The findings are grouped by reason, and the parameters by layer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import figures_of
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.explain.training import Training

ENDED = "ended"  # the kind of a reason that speaks of parameters which have trained
SHOWN = 6  # layers that a sentence lists
DEPTH = 3  # of lists in lists in which modules are looked for
TWO_MODES = re.compile(r"Dropout|BatchNorm|InstanceNorm|RReLU")  # layers that eval() changes


def about_model(
    name: str,
    model: Any,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str] = {},
) -> tuple[str, Log | None]:
    """Which parameters of a model do not train and why, a line for each reason; and the log of the trace that the answer is about."""
    question = _Question(name, model, variables, traces, cells)
    return "\n".join(question.lines()), None if question.trace is None else question.trace.log


@dataclass
class _Found:
    """A parameter, and where it is."""

    layer: str  # as a user writes it: "net.blocks[0]"
    attribute: str  # "weight"
    parameter: Tensor

    @property
    def name(self) -> str:
        return f"{self.layer}.{self.attribute}"


class _Recording:
    """A trace, and which parameters are in it."""

    def __init__(self, trace: Recorded) -> None:
        self.recorded = trace
        self.log = Log(trace.document, asked_elsewhere=True)
        alive = ((n, trace.living(n)) for n in range(len(self.log.tensors)))
        self.numbers = {id(tensor): n for n, tensor in alive if tensor is not None}

    def filled(self, parameter: Tensor) -> bool:
        """Whether backward() added to its `.grad`, whatever happened to it then."""
        events = self.log.grads_of.get(self.numbers.get(id(parameter), -1), ())
        return any(update["action"] == "add" for _, update in events)


class _Question:
    def __init__(
        self,
        name: str,
        model: Any,
        variables: Mapping[str, Any],
        traces: Sequence[Recorded],
        cells: Mapping[int, str],
    ) -> None:
        self.name = name
        self.model = model
        self.modules = dict(modules_of(name, model))
        self.parameters = list(_parameters(self.modules))
        optimizers = {n: v for n, v in variables.items() if mirrors.is_optimizer(v) and n[0] != "_"}
        self.optimizers = {
            n: v for n, v in optimizers.items()
            if are_related(name, _mirrored(model.parameters()), n, _mirrored(_held(v)), traces, cells)
        }  # fmt: skip
        self.traces = traces

    @cached_property
    def trace(self) -> _Recording | None:
        """The last trace in which backward() filled the `.grad` of a parameter, or else the last one with a backward() in it."""
        known = [_Recording(trace) for trace in self.traces]
        filling = (t for t in known if any(t.filled(f.parameter) for f in self.parameters))
        return next(filling, next((t for t in known if t.log.of("backward")), None))

    def lines(self) -> list[str]:
        groups: dict[str, list[_Found]] = {}
        texts: dict[str, str] = {}
        for found in self.parameters:
            for kind, text in self._reasons(found):
                groups.setdefault(kind, []).append(found)
                texts.setdefault(kind, text)
        still = len(
            {f.name for kind, members in groups.items() if not kind.startswith(ENDED) for f in members}
        )
        lines = [f"{self._labels(members)}: {texts[key]}" for key, members in groups.items()]
        left_out = [*self._left_out()]
        lines += [*left_out, *self._modes()]
        total = _count(len(self.parameters), "parameter")
        if not self.parameters:
            return [f"{self.name} has no parameters.", *lines]
        if still:
            verb = "does" if still == 1 else "do"
            return [f"{still} of {total} of {self.name} {verb} not train.", *lines]
        if any(kind.startswith(ENDED) for kind in groups):
            return lines
        return [*lines, self._well(f"The rest of {self.name}" if left_out else self.name, total)]

    def _well(self, subject: str, total: str) -> str:
        layers = _count(len({found.layer for found in self.parameters}), "layer")
        held = f"{listed([*self.optimizers])} holds" if len(self.optimizers) == 1 else "optimizers hold"
        known = (
            f"{held} all {total} of its {layers}"
            if self.optimizers
            else f"all {total} of its {layers} require grad"
        )
        if not self.some_filled:
            return (
                f"{self.name}: {known}. Every .grad is None: no backward() has run, or the gradients were cleared since. "
                f"Trace a step of the training with %%trace, then %why {self.name} can say more."
            )
        trains = "trains" if self.optimizers or self._moved() else "can train"
        if self._raised():
            return (
                f"{subject} {trains}: {known}, and a backward() filled every .grad before the last one raised an error, "
                "which did not fill them all."
            )
        return f"{subject} {trains}: {known}, and the last backward() filled every .grad."

    def _raised(self) -> bool:
        """Whether the traced code ended with an error in backward(), and some parameters have no gradient now."""
        last = [] if self.trace is None else self.trace.log.steps[-1:]
        in_backward = any(s["kind"] == "error" and s.get("backward_call") is not None for s in last)
        return in_backward and any(found.parameter._grad is None for found in self.parameters)

    def _moved(self) -> bool:
        """Whether the trace shows that a parameter changed after it had a gradient."""
        if self.trace is None:
            return False
        training = Training.of(self.trace.log)
        numbers = (self.trace.numbers.get(id(found.parameter)) for found in self.parameters)
        return any(training.moved(n) for n in numbers if n is not None)

    @cached_property
    def some_filled(self) -> bool:
        """Whether backward() filled the `.grad` of any parameter."""
        return any(self._has_gradient(found.parameter) for found in self.parameters)

    def _has_gradient(self, parameter: Tensor) -> bool:
        filled = self.trace is not None and self.trace.filled(parameter)
        return parameter._grad is not None or filled

    def _reasons(self, found: _Found) -> Iterator[tuple[str, str]]:
        """What keeps a parameter from training: pairs of a kind and a sentence. Parameters of one kind are one group, with the sentence of the
        first."""
        parameter = found.parameter
        if not parameter.requires_grad:
            text = "requires_grad is False, so backward() computes no gradient. requires_grad_() turns it on."
            yield "frozen", text
            return
        groups = self._groups(parameter)
        names = listed([*self.optimizers])
        if self.optimizers and not groups:
            yield (
                "unheld",
                (
                    f"not in {names}, so step() changes nothing. Make the optimizer from {self.name}.parameters() after the last layer "
                    "was added or replaced."
                ),
            )
        if groups and all(group["lr"] == 0 for group in groups):
            yield self._at_rate_zero(parameter, groups, names)
        yield from self._unused(parameter)
        yield from self._about_gradient(found)

    def _groups(self, parameter: Tensor) -> list[dict[str, Any]]:
        """The groups of optimizers that hold a parameter."""
        return [
            group
            for optimizer in self.optimizers.values()
            for group in optimizer.param_groups
            if any(mirrors.mirror(p) is parameter for p in group["params"])
        ]

    def _at_rate_zero(
        self, parameter: Tensor, groups: Sequence[Mapping[str, Any]], names: str
    ) -> tuple[str, str]:
        """What is true of a parameter whose learning rate is 0: it may have learned before."""
        last = self._last_change(parameter)
        if last:
            again = "To train on, make a new optimizer, and a new schedule if there is one."
            text = f"trained until {last}. The learning rate in {names} is 0 now, so another step() changes nothing. {again}"
            return f"{ENDED} {last}", text
        begun = next((group["initial_lr"] for group in groups if "initial_lr" in group), 0)
        if begun != 0:
            text = f"a schedule has taken the learning rate in {names} from {float(begun):g} to 0, so step() changes nothing now."
            return ENDED, text
        return "rate", f"the learning rate in {names} is 0 now, so step() changes nothing."

    def _last_change(self, parameter: Tensor) -> str:
        """The last round of the trace in which a parameter changed: "round 5 (cell 2)"; nothing if there is none."""
        if self.trace is None:
            return ""
        log, number = self.trace.log, self.trace.numbers.get(id(parameter))
        rounds = log.document.get("rounds")
        for one in () if rounds is None else rounds["parameters"]:
            if one["tensor"] == number and number is not None:
                updates = figures_of(rounds, one, "update")  # type: ignore[arg-type]
                changed = (updates.known & (updates.largest != 0)).nonzero()[0]
                if len(changed):
                    about = "about " if updates.bin > 1 else ""
                    return f"{about}round {updates.round_of(int(changed[-1]))} ({log.title()})"
        return ""

    def _unused(self, parameter: Tensor) -> Iterator[tuple[str, str]]:
        """That the last training got gradients for a parameter, and no optimizer made a step with them."""
        if self.trace is None:
            return
        log, number = self.trace.log, self.trace.numbers.get(id(parameter))
        if any(
            note["code"] == "step-forgotten" and number in note["tensors"] for note in log.document["notes"]
        ):
            names = listed([*self.optimizers], "or") or "the optimizer"
            yield "unstepped", f"no step() of {names} ran in {log.title()}. Write it after backward()."

    def _about_gradient(self, found: _Found) -> Iterator[tuple[str, str]]:
        gradient = found.parameter._grad
        if gradient is None:
            ran = self.some_filled or (self._known(found.parameter) and self.trace.log.of("backward"))  # type: ignore[union-attr]
            if self._has_gradient(found.parameter) or not ran:
                return  # it was cleared after it was used, or nothing was run yet
            yield self._why(found)
            return
        values = elements_of(gradient)
        if values is None:
            return
        if not values.isfinite().all():
            kind = "nan" if values.isnan().any() else "inf"
            code, why = self._why(found)
            explanation = (
                f"{found.name}.grad holds {kind}, which step() would write into the parameter. {why}"
            )
            yield f"{kind} {code}", explanation
        elif not values.any():
            yield self._why(found)

    def _known(self, parameter: Tensor) -> bool:
        return self.trace is not None and id(parameter) in self.trace.numbers

    def _why(self, found: _Found) -> tuple[str, str]:
        """The reason of the catalogue for what is in a `.grad`: what it has in common with that of others, and the sentence."""
        gradient = found.parameter._grad
        number = None if self.trace is None else self.trace.numbers.get(id(found.parameter))
        if self.trace is not None and number is not None:
            subject = Subject.live(found.name, found.parameter)
            subject.log, subject.number = self.trace.log, number
            why = reason(subject)
            return f"{why['code']} {why['lines']}", why["text"]
        if gradient is None:
            whole = self.trace is not None and not self.trace.log.gaps
            where = f" in {self.trace.log.title()}, which does not use it" if self.trace and whole else ""
            text = f"{found.name}.grad is None while other parameters have one: backward() did not reach it{where}."
            return "not reached", text
        zero = "" if elements_of(gradient).any() else f"every element of {found.name}.grad is zero. "
        text = f"{zero}Trace a step of the training with %%trace, then %why {self.name} can say where that comes from."
        return f"untraced {zero != ''}", text

    def _labels(self, members: list[_Found]) -> str:
        """Names for some parameters: that of the model, of layers, of single parameters."""
        if len(members) == len(self.parameters) > 1:
            return f"all parameters of {self.name}"
        chosen: dict[str, list[_Found]] = {}
        for found in members:
            chosen.setdefault(found.layer, []).append(found)
        labels = []
        for layers in self._runs(chosen):
            kind = type(self.modules[layers[0]]).__name__
            several = len(layers) > 2
            labels += (
                [f"{layers[0]} to {layers[-1]} ({kind})"] if several else [f"{n} ({kind})" for n in layers]
            )
        labels += [f.name for layer, some in chosen.items() if not self._whole(layer, some) for f in some]
        shown = labels if len(labels) <= SHOWN else [*labels[: SHOWN - 1], f"{len(labels) - SHOWN + 1} more"]
        return listed(shown)

    def _whole(self, layer: str, some: list[_Found]) -> bool:
        """Whether these are all parameters of a layer."""
        return len(some) == sum(found.layer == layer for found in self.parameters)

    def _runs(self, chosen: Mapping[str, list[_Found]]) -> Iterator[list[str]]:
        """Layers of which all parameters are chosen, in runs of neighbours of one kind."""
        run: list[str] = []
        for layer in dict.fromkeys(found.layer for found in self.parameters):
            whole = layer in chosen and self._whole(layer, chosen[layer])
            if run and not (whole and type(self.modules[layer]) is type(self.modules[run[-1]])):
                yield run
                run = []
            if whole:
                run.append(layer)
        if run:
            yield run

    def _left_out(self) -> Iterator[str]:
        """Modules and tensors that lie in the model where parameters() does not look, and that should learn."""
        registered = {id(found.parameter) for found in self.parameters}
        for path, module in self.modules.items():
            for attribute, value in vars(module).items():
                inside = {id(p): p for p in _inside(value) if p.requires_grad and id(p) not in registered}
                if inside and not attribute.startswith("_"):
                    yield self._about_left_out(
                        f"{path}.{attribute}", mirrors.mirror(value), [*inside.values()]
                    )

    def _about_left_out(self, place: str, value: Any, inside: Sequence[Tensor]) -> str:
        number = _count(len(inside), "parameter")
        holders = [
            n for n, o in self.optimizers.items() if {*map(id, inside)} <= {*map(id, _mirrored(_held(o)))}
        ]
        if holders:
            left_out = (
                f"so {self.name}.state_dict() does not save {'its' if len(inside) == 1 else 'the'} {number}"
            )
            also = f", although {holders[0]} trains {'it' if len(inside) == 1 else 'them'}"
        else:
            left_out, also = f"so {self.name}.parameters() leaves out {number}", ""
        if isinstance(value, Tensor):
            return f"{place} is a plain tensor, {left_out}{also}. Make it with jgrad.nn.Parameter(...)."
        kind = "Dict" if isinstance(value, dict) else "List"
        of = "Module" if _holds_modules(value) else "Parameter"
        return f"{place} is a plain {type(value).__name__}, {left_out} in it{also}. Make it with jgrad.nn.{of}{kind}(...)."

    def _modes(self) -> Iterator[str]:
        """Layers that are in eval mode and work otherwise than in training."""
        asleep = [
            (p, m) for p, m in self.modules.items() if TWO_MODES.search(type(m).__name__) and not m.training
        ]
        if not asleep:
            return
        kinds = listed(list(dict.fromkeys(type(m).__name__ for _, m in asleep)))
        if not self.model.training:
            work = "works" if len({type(m) for _, m in asleep}) == 1 else "work"
            yield f"{self.name} is in eval mode, in which {kinds} {work} differently. Call {self.name}.train() before training."
            return
        paths = [path for path, _ in asleep]
        shown = paths if len(paths) <= SHOWN else [*paths[: SHOWN - 1], f"{len(paths) - SHOWN + 1} more"]
        yield f"{listed(shown)} ({kinds}) {'is' if len(paths) == 1 else 'are'} in eval mode. Call {self.name}.train() before training."


def modules_of(name: str, model: Any) -> Iterator[tuple[str, Any]]:
    """The modules in a model, each once, with how a user writes it."""
    seen: set[int] = set()
    todo: list[tuple[str, Any]] = [(name, model)]
    while todo:
        path, module = todo.pop(0)
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module
        children = []
        for key, child in module._modules.items():
            if child is None:
                continue
            indexed = type(module).__name__ in ("Sequential", "ModuleList") and key.isdigit()
            step = (
                f"[{key}]"
                if indexed
                else f"[{key!r}]"
                if type(module).__name__ == "ModuleDict"
                else f".{key}"
            )
            children.append((path + step, child))
        todo[:0] = children


def _parameters(modules: Mapping[str, Any]) -> Iterator[_Found]:
    """The parameters, each once, a shared one with the first layer that has it."""
    seen: set[int] = set()
    for path, module in modules.items():
        for attribute, parameter in module._parameters.items():
            if parameter is not None and id(parameter) not in seen:
                seen.add(id(parameter))
                yield _Found(path, attribute, mirrors.mirror(parameter))


def _held(optimizer: Any) -> list[Any]:
    return [p for group in optimizer.param_groups for p in group["params"]]


def _mirrored(tensors: Iterable[Any]) -> list[Tensor]:
    return [*map(mirrors.mirror, tensors)]


def _elements(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _inside(value: Any, depth: int = DEPTH) -> Iterator[Tensor]:
    """The parameters in a plain list or dict, and a tensor that requires grad."""
    value = mirrors.mirror(value)
    if mirrors.is_module(value):
        yield from _mirrored(value.parameters())
    elif isinstance(value, Tensor) and (
        mirrors.is_parameter(value) or (value.is_leaf and value.requires_grad)
    ):
        yield value
    elif isinstance(value, (list, tuple, dict)) and depth:
        for element in _elements(value):
            yield from _inside(element, depth - 1)


def _holds_modules(value: Any) -> bool:
    if isinstance(value, (list, tuple, dict)):
        return any(_holds_modules(element) for element in _elements(value))
    return mirrors.is_module(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
