"""Recurrent layers: a cell for one step of each kind, and layers of them over whole sequences."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.dispatch.signatures import shown_as
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import Parameter
from jgrad.nn.utils.rnn import PackedSequence
from jgrad.ops.recurrent import STEPS
from jgrad.tensor import Tensor
from jgrad.warn import say


class RNNBase(Module):
    """The base class of RNN, LSTM and GRU: layers of one kind of cell that go over sequences, in one direction or both."""

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
        if input_size <= 0:
            raise ValueError("input_size must be greater than zero")
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
        """Give all weights new uniform random numbers between -1 / sqrt(hidden_size) and 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing. In PyTorch it puts the weights together in GPU memory."""

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights of each layer and direction, a list of lists of parameters."""
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

    def _run(
        self, data: Tensor, sizes: list[int] | None, states: list[Tensor]
    ) -> tuple[Tensor, list[Tensor]]:
        """All layers over data of shape (time, batch, features), or over packed data, of which `sizes` has the batch sizes. Returns the outputs of the last
        layer, in the same form, and the last states, (layers * directions, batch, *)."""
        if sizes is None and not len(data):
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        directions = 2 if self.bidirectional else 1
        first = [*zip(*[s.unbind(0) for s in states], strict=True)]
        last: list[tuple] = []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                weights = self._weights(layer, direction)
                gates = F.linear(data, weights["ih"], weights["bias_ih"])
                step, state = STEPS[self.mode][0], first[layer * directions + direction]
                if sizes is None:
                    steps, state = _all_at_once(step, gates.unbind(0), state, weights, direction == 1)
                    outputs.append(jgrad.stack(steps))
                else:
                    run = _backwards if direction else _forwards
                    steps, state = run(step, gates.split(sizes), sizes, state, weights)
                    outputs.append(jgrad.cat(steps))
                last.append(state)
            data = outputs[0] if directions == 1 else jgrad.cat(outputs, -1)
            if self.dropout and layer + 1 < self.num_layers:
                data = F.dropout(data, self.dropout, self.training)
        return data, [jgrad.stack(parts) for parts in zip(*last, strict=True)]

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        """Go over whole sequences."""
        packed = input if isinstance(input, PackedSequence) else None
        if packed is None and input.ndim not in (2, 3):
            name, what = self.mode.partition("_")[0], " tensor" * self.mode.startswith("RNN")
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.ndim}D{what} instead")
        batched = packed is not None or input.ndim == 3
        several = self.mode == "LSTM"
        states = None if hx is None else list(hx) if several else [hx]
        if packed is not None:
            data, sizes = packed.data, packed.batch_sizes.tolist()
            batch = sizes[0]
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
            sizes, batch = None, data.size(1)
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
        shapes = self._state_shapes(batch)
        if states is None:
            states = [jgrad.zeros(shape, dtype=data.dtype, device=data.device) for shape in shapes]
        for i, (state, shape) in enumerate(zip(states, shapes, strict=True)):
            if tuple(state.shape) != shape:
                which = f"hidden[{i}]" if several else "hidden"
                raise RuntimeError(f"Expected {which} size {shape}, got {list(state.shape)}")
        output, last = self._run(data, sizes, states)
        if packed is not None:
            result: Any = PackedSequence(
                output, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices
            )
            if packed.unsorted_indices is not None:
                last = [s.index_select(1, packed.unsorted_indices) for s in last]
        else:
            result = output.transpose_(0, 1) if self.batch_first else output
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


def _all_at_once(
    step: Callable, gates: tuple, state: tuple, weights: dict, backwards: bool
) -> tuple[list, tuple]:
    """All steps of a layer over sequences of the same length."""
    outputs = []
    for part in reversed(gates) if backwards else gates:
        state = step(lambda part=part: part, state, weights)
        outputs.append(state[0])
    return outputs[::-1] if backwards else outputs, state


def _forwards(
    step: Callable, gates: tuple, sizes: list[int], state: tuple, weights: dict
) -> tuple[list, tuple]:
    """All steps of a layer; sequences that end are laid aside."""
    outputs, ended, going = [], [], sizes[0]
    for part, size in zip(gates, sizes, strict=True):
        if size < going:
            ended.append(tuple([s[size:going] for s in state]))
            state, going = tuple([s[:size] for s in state]), size
        state = step(lambda part=part: part, state, weights)
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
        state = step(lambda part=part: part, state, weights)
        outputs.append(state[0])
    return outputs[::-1], state


class RNN(RNNBase):
    """Layers of a simple recurrent network over sequences. Each step computes `h' = tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`, or with relu."""

    @shown_as(
        lambda self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False, *, device=None, dtype=None: (
            None
        )
    )
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
    """Layers of long short-term memory over sequences. Gates decide what each cell forgets, takes in and gives out."""

    @shown_as(
        lambda self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None: (
            None
        )
    )
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    # Of its own, so that its name stands in errors, as in PyTorch.
    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        return super().forward(input, hx)


class GRU(RNNBase):
    """Layers of gated recurrent units over sequences. One gate resets the state, another one keeps part of it."""

    @shown_as(
        lambda self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, *, device=None, dtype=None: (
            None
        )
    )
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


# Cells ------------------------------------------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """The base class of RNNCell, LSTMCell and GRUCell. It makes their weights."""

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
        """Give all weights new uniform random numbers between -1 / sqrt(hidden_size) and 1 / sqrt(hidden_size)."""
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

    def _step(self, cell: Callable, input: Tensor, states: Any, count: int = 1) -> tuple:
        """The next states, from the function that computes one step of a batch."""
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
            states = [zeros] * count
        hidden = list(states) if cell is jgrad.lstm_cell else states[0]
        result = cell(rows, hidden, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        result = result if isinstance(result, tuple) else (result,)
        return result if batched else tuple([s.squeeze(0) for s in result])


class RNNCell(RNNCellBase):
    """One step of a simple recurrent network: `h' = tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`, or with relu."""

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
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        cell = jgrad.rnn_tanh_cell if self.nonlinearity == "tanh" else jgrad.rnn_relu_cell
        return self._step(cell, input, None if hx is None else [hx])[0]


class LSTMCell(RNNCellBase):
    """One step of long short-term memory. Gates decide what the cell forgets, takes in and gives out."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        return self._step(jgrad.lstm_cell, input, hx, 2)  # type: ignore[return-value]


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit. One gate resets the state, another one keeps part of it."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(jgrad.gru_cell, input, None if hx is None else [hx])[0]


manual.attach(__name__)
