"""Which module's forward each operation ran in.

A module reports to the observer when its forward begins and ends. From this the recorder keeps a stack of `LayerCall`s, and notes each change of the
stack in the event log: `Within`. Operations themselves cost nothing more. A module is described when its first call ends,
because its parameters are known by then. No code of the user's own classes runs for this.
"""

from __future__ import annotations

import weakref
from typing import Any

from jgrad import mirrors
from jgrad.tracing.record import events
from jgrad.tracing.record.models import LOCAL, Model, Models, parts_of
from jgrad.tracing.record.records import TensorRecord
from jgrad.tracing.record.registry import Registry

LONGEST = 40  # characters of the arguments of a module
LIBRARIES = ("jgrad.nn.", "torch.nn.")  # in which modules are that say what they are
SAID = ("in_features", "out_features", "kernel_size", "stride")  # arguments that say what a module is


class Layer:
    """A module whose forward ran: how its caller calls it, the layer that it is part of, and what it is."""

    __slots__ = ("reference", "path", "within", "holder", "type", "arguments", "parameters", "parts")

    def __init__(self, module: Any, path: str, within: Layer | None) -> None:
        self.reference = weakref.ref(module)
        self.path = path  # `blocks[0].q`, from the layer that it is part of
        self.within = within
        self.holder: Model | None = None  # the variable that holds it, if one does
        self.type = type(module).__name__
        self.arguments = _arguments(module)
        self.parameters: dict[str, TensorRecord] = {}
        self.parts: dict[int, str] | None = None  # its modules, by address: how code calls them

    @property
    def name(self) -> str:
        """What code calls it: `model.blocks[0].q`. Empty if no variable held it."""
        if self.within is not None:
            return self.within.name + self.path
        return "" if self.holder is None else self.holder.name.lstrip(LOCAL)


class LayerCall:
    """A call of a module, and the call within which it happened."""

    __slots__ = ("layer", "caller")

    def __init__(self, layer: Layer, caller: LayerCall | None) -> None:
        self.layer = layer
        self.caller = caller


class Layers:
    """The calls of modules that are in progress."""

    def __init__(self, registry: Registry, models: Models) -> None:
        self._registry = registry
        self._models = models
        self._known: dict[int, Layer] = {}  # by the address of the module
        self._running: list[LayerCall] = []

    @property
    def innermost(self) -> LayerCall | None:
        return self._running[-1] if self._running else None

    def enter(self, module: Any) -> None:
        """The forward of a module begins."""
        caller = self.innermost
        layer = self._known.get(id(module))
        if layer is None or layer.reference() is not module:
            layer = self._known[id(module)] = self._meet(module, caller)
        self._running.append(LayerCall(layer, caller))
        self.note()

    def leave(self, module: Any, asleep: bool) -> None:
        """It ended. (The recorder may have slept when it began, or may sleep now.)"""
        for at in range(len(self._running) - 1, -1, -1):
            layer = self._running[at].layer
            if layer.reference() is module:
                del self._running[at:]
                if not asleep:
                    self._describe(layer, module)
                    self.note()
                return

    def close(self) -> None:
        """The block is over. For the modules whose variables were not known when they ran, find the variables that hold them."""
        for layer in self._known.values():
            module = layer.reference()
            if layer.holder is None and module is not None:
                layer.holder = self._models.known(module)

    def note(self) -> None:
        """Note which call is the innermost from now on."""
        self._registry.events.append(events.within(self.innermost))

    def _meet(self, module: Any, caller: LayerCall | None) -> Layer:
        while caller is not None:
            layer = caller.layer
            holder = layer.reference()
            if layer.parts is None:
                layer.parts = {} if holder is None else {id(m): path for path, m in parts_of(holder, "")}
            path = layer.parts.get(id(module))
            if path is not None:
                return Layer(module, path, layer)
            caller = caller.caller
        return Layer(module, "", None)

    def _describe(self, layer: Layer, module: Any) -> None:
        layer.holder = layer.holder or self._models.known(module)
        for name, parameter in vars(module).get("_parameters", {}).items():
            record = None if parameter is None else self._registry.record_of(mirrors.mirror(parameter))
            if record is not None:
                layer.parameters[str(name)] = record


def _arguments(module: Any) -> str:
    """The arguments that made a module of the library's: "32, 64" of a Linear, "3, 64, kernel_size=7, stride=2" of a Conv2d."""
    cls = type(module)
    if not cls.__module__.startswith(LIBRARIES) or not cls.extra_repr.__module__.startswith(LIBRARIES):
        return ""
    said = []
    for part in _split(module.extra_repr()):
        name, is_named, value = part.partition("=")
        square = value.strip("()").split(", ")
        short = square[0] if len({*square}) == 1 else value
        if not is_named:
            said.append(part.strip("(,)"))
        elif name in SAID and (name, short) != ("stride", "1"):
            said.append(short if name.endswith("_features") else f"{name}={short}")
    return ", ".join(said)[:LONGEST]


def _split(text: str) -> list[str]:
    """The arguments in a text, split at the commas outside of parentheses."""
    parts, depth, begin = [], 0, 0
    for i, ch in enumerate(text):
        depth += (ch in "([") - (ch in ")]")
        if ch == "," and not depth:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return [part for part in [*parts, text[begin:].strip()] if part]
