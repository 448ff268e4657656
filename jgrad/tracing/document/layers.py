"""The modules whose forward ran, and their calls, as a trace document has them."""

from __future__ import annotations

from typing import cast

from jgrad.tracing.document.schema import TraceLayer
from jgrad.tracing.record.layers import Layer, LayerCall
from jgrad.tracing.record.registry import Registry

LONGEST = 80  # characters of a name


class LayerTable:
    """The modules and calls of one recording, numbered as a replay meets operations in them."""

    def __init__(self) -> None:
        self._layers: list[Layer] = []
        self._calls: list[tuple[int, int | None]] = []
        self._layer_numbers: dict[int, int] = {}  # by the address of a layer, which `_layers` keeps alive
        self._call_numbers: dict[int, tuple[LayerCall, int]] = {}  # likewise of a call

    def number_of(self, call: LayerCall) -> int:
        """The number of a call, a new one if none of its operations was met."""
        known = self._call_numbers.get(id(call))
        if known is None:
            caller = None if call.caller is None else self.number_of(call.caller)
            self._calls.append((self._number(call.layer), caller))
            known = self._call_numbers[id(call)] = call, len(self._calls) - 1
        return known[1]

    def _number(self, layer: Layer) -> int:
        number = self._layer_numbers.get(id(layer))
        if number is None:
            number = self._layer_numbers[id(layer)] = len(self._layers)
            self._layers.append(layer)
        return number

    def tables(self, registry: Registry) -> tuple[list[TraceLayer], list[list[int | None]]]:
        """The modules and the calls."""
        return [_described(layer, registry) for layer in self._layers], [list(call) for call in self._calls]


def _described(layer: Layer, registry: Registry) -> TraceLayer:
    tensors = registry.tensors
    described = {
        "name": layer.name[:LONGEST],
        "type": layer.type,
        "arguments": layer.arguments,
        "parameters": [
            [name[:LONGEST], record.id]
            for name, record in layer.parameters.items()
            if record.id < len(tensors) and tensors[record.id] is record
        ],
    }
    return cast(TraceLayer, described)
