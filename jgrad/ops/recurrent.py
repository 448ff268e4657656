"""One step of recurrent cells. `nn.RNNCell` and its like are the layers with these functions; `nn.LSTM` and its like run the same steps over sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad.dispatch import composite
from jgrad.ops.by_name import linear
from jgrad.tensor import Tensor

# One step: from the input's part of the gates, which a function computes, and the hidden state (for an LSTM: the pair of hidden and cell state). As in
# PyTorch, gates are computed in place, and all but the gated recurrent unit compute the part of the hidden state first.


def gates_of(given: Callable[[], Tensor], state: Tensor, weights: dict[str, Any]) -> Tensor:
    return linear(state, weights["hh"], weights["bias_hh"]).add_(given())


def tanh_step(given: Callable[[], Tensor], state: tuple, weights: dict[str, Any]) -> tuple:
    return (gates_of(given, state[0], weights).tanh(),)


def relu_step(given: Callable[[], Tensor], state: tuple, weights: dict[str, Any]) -> tuple:
    return (gates_of(given, state[0], weights).relu(),)


def lstm_step(given: Callable[[], Tensor], state: tuple, weights: dict[str, Any]) -> tuple:
    hidden, cell = state
    gates = gates_of(given, hidden, weights)
    take, forget, new, give = gates.unsafe_chunk(4, 1)
    for gate in (take, forget):
        gate.sigmoid_()
    new.tanh_()
    give.sigmoid_()
    cell = (forget * cell).add_(take * new)
    hidden = give * cell.tanh()
    return hidden if weights["hr"] is None else linear(hidden, weights["hr"]), cell


def gru_step(given: Callable[[], Tensor], state: tuple, weights: dict[str, Any]) -> tuple:
    (hidden,) = state
    gates = given()
    reset, update, new = gates.unsafe_chunk(3, 1)
    own = linear(hidden, weights["hh"], weights["bias_hh"])
    own_reset, own_update, own_new = own.unsafe_chunk(3, 1)
    reset = own_reset.add_(reset).sigmoid_()
    update = own_update.add_(update).sigmoid_()
    new = (new + own_new.mul_(reset)).tanh_()
    return ((hidden - new).mul_(update).add_(new),)


STEPS: dict[str, tuple[Callable, int]] = {  # with the number of gates
    "RNN_TANH": (tanh_step, 1), "RNN_RELU": (relu_step, 1), "LSTM": (lstm_step, 4), "GRU": (gru_step, 3),
}  # fmt: skip


def stepped(
    mode: str,
    input: Tensor,
    states: tuple,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None,
    b_hh: Tensor | None,
) -> tuple:
    """The next states, after PyTorch's checks of the sizes."""
    step, gates = STEPS[mode]
    if input.size(1) != w_ih.size(1):
        raise RuntimeError(f"input has inconsistent input_size: got {input.size(1)} expected {w_ih.size(1)}")
    size = w_hh.size(1)
    for i, state in enumerate(states):
        if state.size(0) != input.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{i} batch size {state.size(0)}"
            )
        if state.size(1) != size:
            raise RuntimeError(
                f"hidden{i} has inconsistent hidden_size: got {state.size(1)}, expected {size}"
            )
    for name, weight in (("ih", w_ih), ("hh", w_hh)):
        if weight.size(0) != gates * size:
            raise RuntimeError(
                f"weight_{name} first dim must be {gates} * hidden_size = {gates * size}, but got {weight.size(0)}"
            )
    weights = {"hh": w_hh, "bias_hh": b_hh, "hr": None}
    result: tuple = step(lambda: linear(input, w_ih, b_ih), states, weights)
    return result


@composite(
    "rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    forms="function",
)
def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a recurrent cell with tanh: `tanh(w_ih x + b_ih + w_hh h + b_hh)`. `nn.RNNCell` is the layer of it."""
    return stepped("RNN_TANH", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@composite(
    "rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    forms="function",
)
def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a recurrent cell with relu: `relu(w_ih x + b_ih + w_hh h + b_hh)`. `nn.RNNCell(nonlinearity="relu")` is the layer of it."""
    return stepped("RNN_RELU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@composite(
    "gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    forms="function",
)
def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a gated recurrent unit: a gate says how much of the hidden state stays. `nn.GRUCell` is the layer of it."""
    return stepped("GRU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@composite(
    "lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)",
    forms="function",
)
def lstm_cell(
    input: Tensor,
    hx: list[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple:
    """One step of long short-term memory: gates say what the cell forgets, takes in and gives out. `nn.LSTMCell` is the layer of it."""
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    return stepped("LSTM", input, tuple(hx), w_ih, w_hh, b_ih, b_hh)
