"""A model that the user asks about, its parameters, the optimizers that hold them and the trace that knows them."""

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
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.explain.training import Training

SHOWN = 6  # layers that a sentence lists
DEPTH = 3  # of lists in lists in which modules are looked for
TWO_MODES = re.compile(r"Dropout|BatchNorm|InstanceNorm|RReLU")  # layers that eval() changes


@dataclass
class Found:
    """A parameter, and where it is."""

    layer: str  # as a user writes it: "net.blocks[0]"
    attribute: str  # "weight"
    parameter: Tensor

    @property
    def name(self) -> str:
        return f"{self.layer}.{self.attribute}"


class Recording:
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


class Model:
    """A model that the user asks about."""

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
            if are_related(name, mirrored(model.parameters()), n, mirrored(in_optimizer(v)), traces, cells)
        }  # fmt: skip
        self.traces = traces

    @cached_property
    def trace(self) -> Recording | None:
        """The last trace in which backward() filled the `.grad` of a parameter, or else the last one with a backward() in it."""
        known = [Recording(trace) for trace in self.traces]
        filling = (t for t in known if any(t.filled(f.parameter) for f in self.parameters))
        return next(filling, next((t for t in known if t.log.of("backward")), None))

    def raised(self) -> bool:
        """Whether the traced code ended with an error in backward(), and some parameters have no gradient now."""
        last = [] if self.trace is None else self.trace.log.steps[-1:]
        in_backward = any(s["kind"] == "error" and s.get("backward_call") is not None for s in last)
        return in_backward and any(found.parameter._grad is None for found in self.parameters)

    def moved(self) -> bool:
        """Whether the trace shows that a parameter changed after it had a gradient."""
        if self.trace is None:
            return False
        training = Training.of(self.trace.log)
        numbers = (self.trace.numbers.get(id(found.parameter)) for found in self.parameters)
        return any(training.moved(n) for n in numbers if n is not None)

    @cached_property
    def some_filled(self) -> bool:
        """Whether backward() filled the `.grad` of any parameter."""
        return any(self.has_gradient(found.parameter) for found in self.parameters)

    def has_gradient(self, parameter: Tensor) -> bool:
        filled = self.trace is not None and self.trace.filled(parameter)
        return parameter._grad is not None or filled

    def groups(self, parameter: Tensor) -> list[dict[str, Any]]:
        """The groups of optimizers that hold a parameter."""
        return [
            group
            for optimizer in self.optimizers.values()
            for group in optimizer.param_groups
            if any(mirrors.mirror(p) is parameter for p in group["params"])
        ]

    def last_change(self, parameter: Tensor) -> str:
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

    def known(self, parameter: Tensor) -> bool:
        return self.trace is not None and id(parameter) in self.trace.numbers

    def labels(self, members: list[Found]) -> str:
        """Names for some parameters: that of the model, of layers, of single parameters."""
        if len(members) == len(self.parameters) > 1:
            return f"all parameters of {self.name}"
        chosen: dict[str, list[Found]] = {}
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

    def _whole(self, layer: str, some: list[Found]) -> bool:
        """Whether these are all parameters of a layer."""
        return len(some) == sum(found.layer == layer for found in self.parameters)

    def _runs(self, chosen: Mapping[str, list[Found]]) -> Iterator[list[str]]:
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


def _parameters(modules: Mapping[str, Any]) -> Iterator[Found]:
    """The parameters, each once, a shared one with the first layer that has it."""
    seen: set[int] = set()
    for path, module in modules.items():
        for attribute, parameter in module._parameters.items():
            if parameter is not None and id(parameter) not in seen:
                seen.add(id(parameter))
                yield Found(path, attribute, mirrors.mirror(parameter))


def in_optimizer(optimizer: Any) -> list[Any]:
    return [p for group in optimizer.param_groups for p in group["params"]]


def mirrored(tensors: Iterable[Any]) -> list[Tensor]:
    return [*map(mirrors.mirror, tensors)]


def _elements(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def inside(value: Any, depth: int = DEPTH) -> Iterator[Tensor]:
    """The parameters in a plain list or dict, and a tensor that requires grad."""
    value = mirrors.mirror(value)
    if mirrors.is_module(value):
        yield from mirrored(value.parameters())
    elif isinstance(value, Tensor) and (
        mirrors.is_parameter(value) or (value.is_leaf and value.requires_grad)
    ):
        yield value
    elif isinstance(value, (list, tuple, dict)) and depth:
        for element in _elements(value):
            yield from inside(element, depth - 1)


def holds_modules(value: Any) -> bool:
    if isinstance(value, (list, tuple, dict)):
        return any(holds_modules(element) for element in _elements(value))
    return mirrors.is_module(value)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
