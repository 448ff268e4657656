"""The modules and optimizers that variables hold, with the facts that the rules about training need.

They are described when they are first seen, and again at the end if they still exist. No user code runs: fields are read from `vars()`.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.record.records import Place
from jgrad.tracing.record.registry import Registry

# The prefix of the names of a function's variables, once for each function that runs: the variables of its callers are others.
LOCAL = "\0"
DESCRIBED = 50  # how often one module or optimizer is described at most while the code runs
DEPTH = 3  # of lists in lists that are searched for layers
ITEMS = 1000  # of one list
STEPPED = 20  # places from which one optimizer was asked for a step that are kept
SWITCHED = ("_DropoutNd", "_BatchNorm")  # bases of the layers that train() and eval() switch
CONTAINERS: dict[type, str] = {list: "list", tuple: "tuple", dict: "dict", OrderedDict: "dict"}


LONGEST = 80  # characters of a name that are kept


def clipped(name: str) -> str:
    """A name without the middle if it is very long: names that differ do so at an end."""
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[: half - 1]}…{name[-half:]}"


class Model:
    """A module or an optimizer: how many were met before, its shortest name, the step after which it was met, and what is known of it."""

    def __init__(self, number: int, holder: Any, name: str, since: int) -> None:
        self.number = number
        self.reference = weakref.ref(holder)
        self.name = name
        self.since = since
        self.by_class = False  # whether it is named after its class, because no variable holds it
        self.times = 0
        # Of an optimizer: where the user's code was when it made steps, in the order in which they were met.
        self.stepped: dict[Place, None] = {}
        self.facts: dict[str, Any] = {}


class Models:
    """All modules and optimizers that were seen while a block ran, by their addresses."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[int, Model] = {}
        self._met = 0
        self._closed: list[Model] = []  # those that are gone, and at the end all
        self.modules: list[dict[str, Any]] = []  # as the document has them, once the block has ended
        self.optimizers: list[dict[str, Any]] = []

    def notice(self, name: str, holder: Any, by_class: bool = False) -> Model:
        """A variable, or something in it, is a module or an optimizer. `by_class`: none is, and `name` is made of its class."""
        model = self._known.get(id(holder))
        if model is None or model.reference() is not holder:
            if model is not None:
                self._close(model)
            model = self._known[id(holder)] = Model(self._met, holder, name, self._registry.kept - 1)
            model.by_class = by_class
            self._met += 1
        elif model.by_class or _worse(model.name) > _worse(name):
            model.name, model.by_class = name, by_class
        if model.times < DESCRIBED:
            model.times += 1
            self._describe(model, holder)
        return model

    def known(self, holder: Any) -> Model | None:
        """A module that was noticed."""
        model = self._known.get(id(holder))
        return model if model is not None and model.reference() is holder else None

    def step_at(self, optimizer: Any, place: Place) -> None:
        """An optimizer has made a step, which the user's code at a place asked for, maybe through a framework."""
        model = self.known(optimizer)
        if model is not None and len(model.stepped) < STEPPED:
            model.stepped[place] = None
            model.facts["stepped"] = model.stepped  # also if it is gone before it is described again

    def close(self) -> None:
        """Describe all a last time."""
        for model in self._known.values():
            self._close(model)
        self._known.clear()
        del self._registry  # so that no reference cycle waits for the garbage collector
        # An object that is gone may have left its address to another one: only the numbers tell which was met first.
        self._closed.sort(key=lambda model: model.number)
        found = [model.facts for model in self._closed]
        self.optimizers = [facts for facts in found if "rates" in facts]
        modules = [facts for facts in found if "rates" not in facts]
        whole: list[dict[str, Any]] = []
        for module in sorted(modules, key=lambda m: -sum(map(len, _all_of(m)))):
            own = {*module["parameters"]}
            if module["unlisted"] or not any(own <= other for m in whole for other in _all_of(m)):
                whole.append(module)  # else it is a layer of another one
        self.modules = sorted(whole, key=lambda m: m["met_step"])

    def renumber(self, steps: Mapping[int | None, int], numbers: Mapping[int | None, int]) -> None:
        """Take over new numbers of steps and tensors, after steps were dropped. `numbers`: the new number of each old one that is left.

        What is alive is described anew. Of what is gone, only what is known whole stays: a network that lacks a few of its parameters would
        look like another one.
        """
        for key, model in list(self._known.items()):
            model.since = steps[model.since]
            holder = model.reference()
            if holder is not None:
                self._describe(model, holder)
            elif not _renumbered(model.facts, steps, numbers):
                del self._known[key]
        self._closed = [model for model in self._closed if _renumbered(model.facts, steps, numbers)]

    def _close(self, model: Model) -> None:
        holder = model.reference()
        if holder is not None:
            self._describe(model, holder)
        elif "training" in model.facts:
            model.facts["training"] = None
        if model.facts["parameters"] or model.facts.get("unlisted"):
            self._closed.append(model)

    def _describe(self, model: Model, holder: Any) -> None:
        describe = self._optimizer if mirrors.is_optimizer(holder) else self._module
        name = model.name.lstrip(LOCAL)
        first = {"name": clipped(name), "type": type(holder).__name__, "met_step": model.since}
        model.facts = first | describe(holder, name)
        if model.stepped:
            model.facts["stepped"] = model.stepped

    def _optimizer(self, optimizer: Any, name: str) -> dict[str, Any]:
        groups = vars(optimizer).get("param_groups", ())
        rates = [group.get("lr") for group in groups]
        return {
            "parameters": self._numbers(p for group in groups for p in group["params"]),
            "rates": [float(lr) for lr in rates if type(lr) in (int, float) and isfinite(lr)],
            "maximize": any(group.get("maximize") is True for group in groups),
        }

    def _module(self, module: Any, name: str) -> dict[str, Any]:
        within = [*parts_of(module, name)]
        parameters = [p for _, m in within for p in vars(m).get("_parameters", {}).values()]
        listed = {id(p) for p in parameters}
        layers = []
        for path, layer in within:
            if any(cls.__name__ in SWITCHED for cls in type(layer).__mro__) and vars(layer).get("p", 1):
                mean = vars(layer).get("_buffers", {}).get("running_mean")
                known = None if mean is None else self._registry.record_of(mirrors.mirror(mean))
                layers.append({
                    "name": clipped(path), "type": type(layer).__name__, "training": vars(layer).get("training") is True,
                    "running_mean": None if known is None else known.id,
                })  # fmt: skip
        return {
            "training": vars(module).get("training") is True,
            "parameters": self._numbers(p for p in parameters if p is not None),
            "unlisted": [one for path, m in within for one in self._unlisted(path, m, listed)],
            "switched": layers,
        }

    def _unlisted(self, path: str, module: Any, listed: set[int]) -> Iterator[dict[str, Any]]:
        """The attributes of a module in which `parameters()` does not look, as far as they hold what could be parameters."""
        for key, value in list(vars(module).items()):
            value = mirrors.mirror(value)
            kind = CONTAINERS.get(type(value), "tensor" if isinstance(value, Tensor) else "")
            if not kind or key[:1] == "_":
                continue
            found = [*_leaves_in(value)]
            numbers = self._numbers(t for t, _ in found if id(mirrors.original(t)) not in listed)
            if numbers:
                layers = any(of_layer for _, of_layer in found)
                yield {
                    "name": clipped(f"{path}.{key}"),
                    "kind": kind,
                    "layers": layers,
                    "parameters": numbers,
                }

    def _numbers(self, tensors: Iterator[Any]) -> list[int]:
        """The numbers of those that were met, each once."""
        records = [self._registry.record_of(mirrors.mirror(t)) for t in tensors]
        return [*dict.fromkeys(r.id for r in records if r is not None)]


def _renumbered(
    facts: dict[str, Any], steps: Mapping[int | None, int], numbers: Mapping[int | None, int]
) -> bool:
    """Give the tensors of a model their new numbers. Returns whether all of them are left."""
    for part in (facts, *facts.get("unlisted", ())):
        if not all(n in numbers for n in part["parameters"]):
            return False
        part["parameters"] = [numbers[n] for n in part["parameters"]]
    for layer in facts.get("switched", ()):
        layer["running_mean"] = numbers.get(layer["running_mean"])
    facts["met_step"] = steps[facts["met_step"]]
    return True


def _worse(name: str) -> tuple[int, int]:
    """How little a name says: the variables of functions less than global ones, long names less than short ones."""
    return name.count(LOCAL), len(name)


def _all_of(module: dict[str, Any]) -> list[set[int]]:
    """The tensors of a module: those that it lists, and those of each attribute that it does not."""
    return [{*module["parameters"]}, *({*one["parameters"]} for one in module["unlisted"])]


def path_of(path: str, key: str, holder: Any) -> str:
    """What code calls a layer that a module has under a key. A wrapper that passes names on (of Fabric, of torch.compile) is called as the layer is."""
    if key.isdigit():
        return f"{path}[{key}]"
    if key.startswith("_") and not mirrors.is_own_method(holder, "__getattr__"):
        return path
    return f"{path}.{key}"


def parts_of(module: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A module and all that is registered in it, with what code calls them."""
    todo, seen = [(name, module)], {id(module)}
    for path, holder in todo:  # grows while it is walked
        yield path, holder
        for key, layer in list(vars(holder).get("_modules", {}).items()):
            if layer is not None and id(layer) not in seen:
                seen.add(id(layer))
                todo.append((path_of(path, key, holder), layer))


def _leaves_in(value: Any, depth: int = 0) -> Iterator[tuple[Tensor, bool]]:
    """The leaves that require grad in a list, dictionary or tensor, and in the layers there; and whether a layer has them."""
    value = mirrors.mirror(value)
    if isinstance(value, Tensor):
        if value._fn is None and value._view is None and value._rg:
            yield value, False
    elif type(value) in CONTAINERS:
        items = dict.values(value) if isinstance(value, dict) else value
        for item in list(items)[:ITEMS] if depth < DEPTH else ():
            yield from _leaves_in(item, depth + 1)
    elif depth and type(value).__dictoffset__ and isinstance(vars(value).get("_modules"), dict):
        for _, layer in parts_of(value, ""):
            for parameter in list(vars(layer).get("_parameters", {}).values()):
                if parameter is not None and parameter.requires_grad:
                    yield mirrors.mirror(parameter), True
