"""Recurrent layers: a cell for one step of each kind, and layers of them over whole sequences."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import Parameter
from jgrad.nn.utils.rnn import PackedSequence
from jgrad.tensor import Tensor
from jgrad.warn import say

# What one step makes of the input's part of the gates and the hidden state (for an LSTM: the pair of hidden and cell state).


def _tanh_step(gates: Tensor, state: tuple, weights: dict[str, Any]) -> tuple:
    return ((gates + F.linear(state[0], weights["hh"], weights["bias_hh"])).tanh(),)


def _relu_step(gates: Tensor, state: tuple, weights: dict[str, Any]) -> tuple:
    return ((gates + F.linear(state[0], weights["hh"], weights["bias_hh"])).relu(),)


def _lstm_step(gates: Tensor, state: tuple, weights: dict[str, Any]) -> tuple:
    hidden, cell = state
    gates = gates + F.linear(hidden, weights["hh"], weights["bias_hh"])
    take, forget, new, give = gates.chunk(4, -1)
    cell = forget.sigmoid() * cell + take.sigmoid() * new.tanh()
    hidden = give.sigmoid() * cell.tanh()
    return hidden if weights["hr"] is None else F.linear(hidden, weights["hr"]), cell


def _gru_step(gates: Tensor, state: tuple, weights: dict[str, Any]) -> tuple:
    (hidden,) = state
    reset, update, new = gates.chunk(3, -1)
    own_reset, own_update, own_new = F.linear(hidden, weights["hh"], weights["bias_hh"]).chunk(3, -1)
    update = (own_update + update).sigmoid()
    new = (new + own_new * (own_reset + reset).sigmoid()).tanh()
    return ((hidden - new) * update + new,)


STEPS: dict[str, tuple[Callable, int]] = {  # with the number of gates
    "RNN_TANH": (_tanh_step, 1), "RNN_RELU": (_relu_step, 1), "LSTM": (_lstm_step, 4), "GRU": (_gru_step, 3),
}  # fmt: skip


class RNNBase(Module):
    """Layers of one kind of cell over sequences, in one direction or both."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = (
            mode,
            input_size,
            hidden_size,
            num_layers,
        )
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            say(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, "
                f"but got dropout={dropout} and num_layers={num_layers}",
            )
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        self._all_weights: list[list[str]] = []
        gates = STEPS[mode][1] * hidden_size
        width = proj_size or hidden_size
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            given = input_size if layer == 0 else width * directions
            for direction in range(directions):
                shapes: dict[str, tuple[int, ...]] = {
                    "weight_ih": (gates, given),
                    "weight_hh": (gates, width),
                }
                if bias:
                    shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                suffix = f"_l{layer}" + "_reverse" * direction
                for name, shape in shapes.items():
                    setattr(self, name + suffix, Parameter(jgrad.empty(shape, device=device, dtype=dtype)))
                self._all_weights.append([name + suffix for name in shapes])
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew: uniform, within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: weights stay where they are."""

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        defaults = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0,
            "bidirectional": False,
        }
        for name, default in defaults.items():
            if getattr(self, name) != default:
                shown += f", {name}={getattr(self, name)}"
        return shown

    # The computation ----------------------------------------------------------------------------------------------------------

    def _weights(self, layer: int, direction: int) -> dict[str, Any]:
        suffix = f"_l{layer}" + "_reverse" * direction
        found = {name: getattr(self, f"weight_{name}{suffix}", None) for name in ("ih", "hh", "hr")}
        return found | {name: getattr(self, name + suffix, None) for name in ("bias_ih", "bias_hh")}

    def _run(self, data: Tensor, sizes: list[int], states: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """All layers over packed data; the last layer's outputs, packed, and the last states, (layers * directions, batch, *)."""
        directions = 2 if self.bidirectional else 1
        last: list[tuple] = []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                weights = self._weights(layer, direction)
                gates = F.linear(data, weights["ih"], weights["bias_ih"]).split(sizes)
                state = tuple([s[layer * directions + direction] for s in states])
                run = _backwards if direction else _forwards
                steps, state = run(STEPS[self.mode][0], gates, sizes, state, weights)
                outputs.append(jgrad.cat(steps))
                last.append(state)
            data = outputs[0] if directions == 1 else jgrad.cat(outputs, -1)
            if self.dropout and layer + 1 < self.num_layers:
                data = F.dropout(data, self.dropout, self.training)
        return data, [jgrad.stack(parts) for parts in zip(*last, strict=True)]

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        """Outputs of the last layer for every step, and the states after the last one (as many as the layers have directions)."""
        packed = input if isinstance(input, PackedSequence) else None
        if packed is None and input.ndim not in (2, 3):
            name, what = self.mode.partition("_")[0], " tensor" * self.mode.startswith("RNN")
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.ndim}D{what} instead")
        batched = packed is not None or input.ndim == 3
        several = self.mode == "LSTM"
        states = None if hx is None else list(hx) if several else [hx]
        if packed is not None:
            data, sizes = packed.data, packed.batch_sizes.tolist()
            if states is not None and packed.sorted_indices is not None:
                states = [s.index_select(1, packed.sorted_indices) for s in states]
        else:
            self._check_dimensions(states, batched)
            data = input
            if not batched:
                data = data.unsqueeze(0 if self.batch_first else 1)
                states = None if states is None else [s.unsqueeze(1) for s in states]
            if self.batch_first:
                data = data.transpose(0, 1)
            sizes = [data.size(1)] * data.size(0)
        weight = self.weight_ih_l0
        if data.dtype != weight.dtype:
            raise ValueError(
                f"RNN input dtype ({data.dtype}) does not match weight dtype ({weight.dtype}). Convert input: input.to({weight.dtype}), "
                f"or convert model: model.to({data.dtype})".replace("jgrad.", "torch.")
            )
        if data.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {data.size(-1)}"
            )
        shapes = self._state_shapes(sizes[0])
        if states is None:
            states = [jgrad.zeros(shape, dtype=data.dtype, device=data.device) for shape in shapes]
        for i, (state, shape) in enumerate(zip(states, shapes, strict=True)):
            if tuple(state.shape) != shape:
                which = f"hidden[{i}]" if several else "hidden"
                raise RuntimeError(f"Expected {which} size {shape}, got {list(state.shape)}")
        steps = len(sizes)
        output, last = self._run(data.reshape(-1, data.size(-1)), sizes, states)
        if packed is not None:
            result: Any = PackedSequence(
                output, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices
            )
            if packed.unsorted_indices is not None:
                last = [s.index_select(1, packed.unsorted_indices) for s in last]
        else:
            result = output.reshape(steps, sizes[0], -1)
            if self.batch_first:
                result = result.transpose(0, 1)
            if not batched:
                result = result.squeeze(0 if self.batch_first else 1)
                last = [s.squeeze(1) for s in last]
        return result, tuple(last) if several else last[0]

    def _state_shapes(self, batch: int) -> list[tuple]:
        count = self.num_layers * (2 if self.bidirectional else 1)
        shape = (count, batch, self.proj_size or self.hidden_size)
        return [shape, (count, batch, self.hidden_size)] if self.mode == "LSTM" else [shape]

    def _check_dimensions(self, states: list[Tensor] | None, batched: bool) -> None:
        expected = 3 if batched else 2
        if states is None or all([s.ndim == expected for s in states]):
            return
        kind = "batched" if batched else "unbatched"
        which, got = "hx", f"{states[0].ndim}-D tensor"
        if self.mode == "LSTM":
            which, got = "hx and cx", f"({states[0].ndim}-D, {states[1].ndim}-D) tensors"
        raise RuntimeError(
            f"For {kind} {expected}-D input, {which} should also be {expected}-D but got {got}"
        )


def _forwards(
    step: Callable, gates: tuple, sizes: list[int], state: tuple, weights: dict
) -> tuple[list, tuple]:
    """All steps of a layer; sequences that end are laid aside."""
    outputs, ended, going = [], [], sizes[0]
    for part, size in zip(gates, sizes, strict=True):
        if size < going:
            ended.append(tuple([s[size:going] for s in state]))
            state, going = tuple([s[:size] for s in state]), size
        state = step(part, state, weights)
        outputs.append(state[0])
    if ended:
        state = tuple([jgrad.cat(parts) for parts in zip(state, *reversed(ended), strict=True)])
    return outputs, state


def _backwards(
    step: Callable, gates: tuple, sizes: list[int], state: tuple, weights: dict
) -> tuple[list, tuple]:
    """All steps from the last one on; longer sequences begin earlier."""
    outputs, first, going = [], state, sizes[-1]
    state = tuple([s[:going] for s in first])
    for part, size in zip(reversed(gates), reversed(sizes), strict=True):
        if size > going:
            state = tuple([jgrad.cat([s, f[going:size]]) for s, f in zip(state, first, strict=True)])
            going = size
        state = step(part, state, weights)
        outputs.append(state[0])
    return outputs[::-1], state


class RNN(RNNBase):
    """Layers of h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            self.nonlinearity, args = args[3], (*args[:3], *args[4:])
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{self.nonlinearity.upper()}", *args, **kwargs)


class LSTM(RNNBase):
    """Layers of long short-term memory: gates decide what a cell forgets, takes in and gives out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """Layers of gated recurrent units: one gate resets the state, another keeps part of it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


# Cells ------------------------------------------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """One step of a recurrent layer."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        gates = num_chunks * hidden_size
        self.weight_ih = Parameter(jgrad.empty((gates, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(jgrad.empty((gates, hidden_size), device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            value = Parameter(jgrad.empty(gates, device=device, dtype=dtype)) if bias else None
            self.register_parameter(name, value)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew: uniform, within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            shown += f", nonlinearity={self.nonlinearity}"
        return shown

    def _step(self, mode: str, input: Tensor, states: Any) -> tuple:
        name = type(self).__name__
        if input.ndim not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        for state in states or ():
            if state.ndim not in (1, 2):
                raise ValueError(f"{name}: Expected hidden to be 1D or 2D, got {state.ndim}D instead")
        batched = input.ndim == 2
        if not batched:
            states = states and [s.unsqueeze(0) for s in states]
        rows = input if batched else input.unsqueeze(0)
        if states is None:
            zeros = jgrad.zeros((rows.size(0), self.hidden_size), dtype=input.dtype, device=input.device)
            states = [zeros] * (2 if mode == "LSTM" else 1)
        if rows.size(1) != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {rows.size(1)} expected {self.input_size}"
            )
        for i, state in enumerate(states):
            if state.size(0) != rows.size(0):
                raise RuntimeError(
                    f"Input batch size {rows.size(0)} doesn't match hidden{i} batch size {state.size(0)}"
                )
            if state.size(1) != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {state.size(1)}, expected {self.hidden_size}"
                )
        weights = {"hh": self.weight_hh, "bias_hh": self.bias_hh, "hr": None}
        result = STEPS[mode][0](F.linear(rows, self.weight_ih, self.bias_ih), tuple(states), weights)
        return result if batched else tuple([s.squeeze(0) for s in result])


class RNNCell(RNNCellBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        mode = f"RNN_{self.nonlinearity.upper()}"
        if mode not in STEPS:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(mode, input, None if hx is None else [hx])[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM: (h, c) after it."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        return self._step("LSTM", input, hx)  # type: ignore[return-value]


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step("GRU", input, None if hx is None else [hx])[0]
