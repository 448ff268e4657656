"""Adafactor, which keeps a row and a column of squares in place of a matrix of them; `torch.optim.Adafactor`."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.optim.optimizer import REFUSED, Optimizer, Options, State, States
from jgrad.optim.options import check_number, number, require
from jgrad.tensor import Tensor


class Adafactor(Optimizer):
    """Adafactor divides the gradient by the root of a running mean of its square, of which it keeps only the means of rows and columns."""

    _sparse_error = REFUSED
    _signature = "lr=1e-2, beta2_decay=-0.8, eps: tuple[float | None, float] = (None, 1e-3), d=1.0, weight_decay=0.0, *, foreach, maximize"
    _options = "lr beta2_decay eps d weight_decay foreach maximize"

    def _checked(self, given: Options) -> Options:
        check_number(given["lr"])
        require(given["lr"] >= 0.0, "Learning rate should be >= 0", given["lr"])
        require(given["beta2_decay"] <= 0.0, "beta2_decay should be <= 0", given["beta2_decay"])
        eps = given["eps"]
        require(eps[0] is None or eps[0] >= 0.0, "epsilon1 should be >= 0", eps[0])
        require(eps[1] >= 0.0, "epsilon2 should be >= 0", eps[1])
        require(given["d"] >= 1.0, "Clipping threshold d should be >= 1", given["d"])
        require(given["weight_decay"] >= 0.0, "weight_decay should be >= 0", given["weight_decay"])
        return super()._checked(given)

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        if param.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        if not states[param]:
            _begin(grad, states[param])

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        state["step"] += 1
        step, lr = state["step"].item(), number(group["lr"])
        least, least_scale = group["eps"]
        if least is None:
            least = jgrad.finfo(param.dtype).eps
        new = step ** group["beta2_decay"]
        scale = max(least_scale, param.norm(2).item() / param.numel() ** 0.5)
        if group["weight_decay"] != 0:
            param.mul_(1 - lr * group["weight_decay"])
        update = _mean_square(grad, state, new, least).clamp_(min=least * least).rsqrt_().mul_(grad)
        too_large = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * group["d"]))
        param.add_(update, alpha=-scale * min(lr, 1 / step**0.5) / too_large)


def _begin(grad: Tensor, state: State) -> None:
    """Set what is kept for a parameter, before its first step."""
    state["step"] = jgrad.tensor(0.0, dtype=jgrad.float32)
    if grad.dim() > 1:
        *front, rows, columns = grad.shape
        state["row_var"] = grad.new_zeros([*front, rows, 1])
        state["col_var"] = grad.new_zeros([*front, 1, columns])
    else:
        state["variance"] = jgrad.zeros_like(grad, memory_format=jgrad.preserve_format)


def _mean_square(grad: Any, state: State, new: float, least: float) -> Tensor:
    """The running mean of the squared gradient, in which the last one counts `new`: for a matrix, the product of a row and a column."""
    if grad.dim() <= 1:
        return state["variance"].lerp_(grad * grad, new).clone()
    for name, dim in (("row_var", -1), ("col_var", -2)):
        mean = jgrad.norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim))
        state[name].lerp_(mean, new)
    rows = state["row_var"]
    return (rows @ state["col_var"]).div_(rows.mean(dim=-2, keepdim=True).clamp_(min=least))


manual.attach(__name__)
