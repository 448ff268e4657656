"""Recurrent layers: a cell for one step of each kind, and layers of them over whole sequences."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import jgrad
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
    """The base class of RNN, LSTM and GRU: layers of one kind of cell that go over sequences, in one direction or both.

    Args:
        mode: the kind of cell: "RNN_TANH", "RNN_RELU", "LSTM" or "GRU"
        input_size: the number of features of the input at each step
        hidden_size: the number of features of the hidden state
        num_layers: the number of layers; each takes the outputs of the one before it as its input
        bias: whether the cells have biases
        batch_first: whether the batch is the first dimension of input and output, instead of the second
        dropout: the probability with which outputs of each layer but the last become zero, in training mode
        bidirectional: whether each layer also goes over the sequence from its end to its beginning
        proj_size: if greater than 0, hidden states are projected to this size, for "LSTM" only
        device, dtype: the device and dtype of the parameters; None means the default ones

    The parameters of layer `k` are `weight_ih_l{k}`, `weight_hh_l{k}`, `bias_ih_l{k}` and `bias_hh_l{k}`. Those of the other direction end in
    "_reverse". All begin with uniform random numbers between -1 / sqrt(hidden_size) and 1 / sqrt(hidden_size).

    >>> layers = jgrad.nn.RNNBase("GRU", 2, 4)
    >>> for name, parameter in layers.named_parameters():
    ...     print(name, tuple(parameter.shape))
    weight_ih_l0 (12, 2)
    weight_hh_l0 (12, 4)
    bias_ih_l0 (12,)
    bias_hh_l0 (12,)
    """

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
        """Go over whole sequences.

        Args:
            input: a tensor of shape `(L, N, input_size)`, or `(N, L, input_size)` with `batch_first`, or `(L, input_size)` for one sequence; or a
                PackedSequence
            hx: the first hidden state of each layer and direction, of shape `(layers * directions, N, hidden_size)`; for an LSTM a pair of hidden and
                cell states; None means zeros

        Returns the outputs of the last layer at every step, and the last hidden states of all layers (for an LSTM a pair of hidden and cell states).
        """
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
    """Layers of a simple recurrent network over sequences. Each step computes `h' = tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`, or with relu.

    Args:
        input_size: the number of features of the input at each step
        hidden_size: the number of features of the hidden state
        num_layers: the number of layers (default 1); each takes the outputs of the one before it as its input
        nonlinearity: "tanh" (default) or "relu"
        bias: whether the cells have biases (default True)
        batch_first: whether the batch is the first dimension of input and output, instead of the second (default False)
        dropout: the probability with which outputs of each layer but the last become zero, in training mode (default 0)
        bidirectional: whether each layer also goes over the sequence from its end to its beginning (default False)
        device, dtype: the device and dtype of the parameters; None (default) means the default ones

    Returns, when called with an input of shape `(L, N, input_size)` and optionally the first hidden states, two new tensors: the outputs of the last
    layer, `(L, N, directions * hidden_size)`, and the last hidden states, `(layers * directions, N, hidden_size)`. The dimension `N` may be missing.
    The input can also be a PackedSequence, and the output is one then.

    >>> rnn = jgrad.nn.RNN(1, 1, nonlinearity="relu", bias=False)
    >>> _ = rnn.weight_ih_l0.data.fill_(1), rnn.weight_hh_l0.data.fill_(1)  # so that h' = relu(x + h)
    >>> outputs, last = rnn(jgrad.tensor([[1.], [2.], [3.]]))
    >>> outputs.flatten().tolist(), last.tolist()
    ([1.0, 3.0, 6.0], [[6.0]])
    """

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
    """Layers of long short-term memory over sequences. Gates decide what each cell forgets, takes in and gives out.

    Each step computes the gates `i`, `f` and `o` as `sigmoid(W @ x + b + U @ h + d)` and new values `g` with tanh, each with weights of its own. Then
    the cell state is `c' = f * c + i * g` and the hidden state is `h' = o * tanh(c')`.

    Args:
        input_size: the number of features of the input at each step
        hidden_size: the number of features of the hidden state and of the cell state
        num_layers: the number of layers (default 1); each takes the outputs of the one before it as its input
        bias: whether the cells have biases (default True)
        batch_first: whether the batch is the first dimension of input and output, instead of the second (default False)
        dropout: the probability with which outputs of each layer but the last become zero, in training mode (default 0)
        bidirectional: whether each layer also goes over the sequence from its end to its beginning (default False)
        proj_size: if greater than 0, hidden states are projected to this size, which is less than hidden_size (default 0)
        device, dtype: the device and dtype of the parameters; None (default) means the default ones

    Returns, when called with an input of shape `(L, N, input_size)` and optionally a pair of first states, `outputs, (h, c)`: new tensors with the
    outputs of the last layer, `(L, N, directions * hidden_size)`, and the last hidden and cell states of all layers, each
    `(layers * directions, N, hidden_size)`. The dimension `N` may be missing. With `proj_size`, this is the size of outputs and `h`. The input can
    also be a PackedSequence, and the output is one then.

    >>> lstm = jgrad.nn.LSTM(3, 5, num_layers=2)
    >>> outputs, (h, c) = lstm(jgrad.zeros(7, 4, 3))  # 7 steps of 4 sequences
    >>> outputs.shape, h.shape, c.shape
    (jgrad.Size([7, 4, 5]), jgrad.Size([2, 4, 5]), jgrad.Size([2, 4, 5]))
    >>> jgrad.equal(outputs[-1], h[-1])  # the last step of the last layer
    True
    """

    @shown_as(
        lambda self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None: (
            None
        )
    )
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """Layers of gated recurrent units over sequences. One gate resets the state, another one keeps part of it.

    Each step computes the gates `r` and `z` as `sigmoid(W @ x + b + U @ h + d)`, each with weights of its own. With new values
    `n = tanh(W_in @ x + b_in + r * (W_hn @ h + b_hn))`, the hidden state is `h' = (1 - z) * n + z * h`.

    Args:
        input_size: the number of features of the input at each step
        hidden_size: the number of features of the hidden state
        num_layers: the number of layers (default 1); each takes the outputs of the one before it as its input
        bias: whether the cells have biases (default True)
        batch_first: whether the batch is the first dimension of input and output, instead of the second (default False)
        dropout: the probability with which outputs of each layer but the last become zero, in training mode (default 0)
        bidirectional: whether each layer also goes over the sequence from its end to its beginning (default False)
        device, dtype: the device and dtype of the parameters; None (default) means the default ones

    Returns, when called with an input of shape `(L, N, input_size)` and optionally the first hidden states, two new tensors: the outputs of the last
    layer, `(L, N, directions * hidden_size)`, and the last hidden states, `(layers * directions, N, hidden_size)`. The dimension `N` may be missing.
    The input can also be a PackedSequence, and the output is one then.

    >>> gru = jgrad.nn.GRU(3, 5, batch_first=True, bidirectional=True)
    >>> outputs, h = gru(jgrad.zeros(4, 7, 3))  # 4 sequences of 7 steps
    >>> outputs.shape, h.shape
    (jgrad.Size([4, 7, 10]), jgrad.Size([2, 4, 5]))
    """

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
    """The base class of RNNCell, LSTMCell and GRUCell. It makes their weights.

    Args:
        input_size: the number of features of the input
        hidden_size: the number of features of the hidden state
        bias: whether the cell has biases; if False, `bias_ih` and `bias_hh` are None
        num_chunks: how many parts of `hidden_size` rows the weights have: 1 for RNNCell, 4 for LSTMCell and 3 for GRUCell
        device, dtype: the device and dtype of the parameters; None means the default ones

    >>> cell = jgrad.nn.RNNCellBase(2, 5, bias=True, num_chunks=3)
    >>> for name, parameter in cell.named_parameters():
    ...     print(name, tuple(parameter.shape))
    weight_ih (15, 2)
    weight_hh (15, 5)
    bias_ih (15,)
    bias_hh (15,)
    """

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
    """One step of a simple recurrent network: `h' = tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`, or with relu.

    Args:
        input_size: the number of features of the input
        hidden_size: the number of features of the hidden state
        bias: whether the cell has biases; if False, `bias_ih` and `bias_hh` are None
        nonlinearity: "tanh" or "relu"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called with an input `(N, input_size)` and optionally a hidden state `(N, hidden_size)`, the next hidden state, a new tensor.
    The dimension `N` may be missing. Without a hidden state it is zeros.

    >>> cell = jgrad.nn.RNNCell(1, 1, bias=False, nonlinearity="relu")
    >>> _ = cell.weight_ih.data.fill_(1), cell.weight_hh.data.fill_(10)  # so that h' = relu(x + 10 * h)
    >>> h = cell(jgrad.tensor([1.]))
    >>> cell(jgrad.tensor([2.]), h).tolist()
    [12.0]
    """

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
    """One step of long short-term memory. Gates decide what the cell forgets, takes in and gives out.

    It computes the gates `i`, `f` and `o` as `sigmoid(W @ x + b + U @ h + d)` and new values `g` with tanh, each with weights of its own. Then the
    cell state is `c' = f * c + i * g` and the hidden state is `h' = o * tanh(c')`. The rows of the weights are in the order i, f, g, o.

    Args:
        input_size: the number of features of the input
        hidden_size: the number of features of the hidden state and of the cell state
        bias: whether the cell has biases; if False, `bias_ih` and `bias_hh` are None
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called with an input `(N, input_size)` and optionally a pair of states `(N, hidden_size)`, the pair of the next hidden state and
    the next cell state, new tensors. The dimension `N` may be missing. Without states they are zeros.

    >>> cell = jgrad.nn.LSTMCell(3, 5)
    >>> state = None
    >>> for x in jgrad.zeros(7, 4, 3):  # 7 steps of 4 sequences
    ...     state = cell(x, state)
    >>> h, c = state
    >>> h.shape, c.shape
    (jgrad.Size([4, 5]), jgrad.Size([4, 5]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        return self._step(jgrad.lstm_cell, input, hx, 2)  # type: ignore[return-value]


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit. One gate resets the state, another one keeps part of it.

    It computes the gates `r` and `z` as `sigmoid(W @ x + b + U @ h + d)`, each with weights of its own. With new values
    `n = tanh(W_in @ x + b_in + r * (W_hn @ h + b_hn))`, the hidden state is `h' = (1 - z) * n + z * h`.
    The rows of the weights are in the order r, z, n.

    Args:
        input_size: the number of features of the input
        hidden_size: the number of features of the hidden state
        bias: whether the cell has biases; if False, `bias_ih` and `bias_hh` are None
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called with an input `(N, input_size)` and optionally a hidden state `(N, hidden_size)`, the next hidden state, a new tensor.
    The dimension `N` may be missing. Without a hidden state it is zeros.

    >>> cell = jgrad.nn.GRUCell(1, 1)
    >>> for parameter in cell.parameters():
    ...     _ = parameter.data.fill_(0)
    >>> cell(jgrad.zeros(1), jgrad.tensor([8.])).tolist()  # z is sigmoid(0), so half of the state is kept
    [4.0]
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(jgrad.gru_cell, input, None if hx is None else [hx])[0]
