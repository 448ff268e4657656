"""Muon, whose steps are the orthogonal factors of a running mean of gradients; `torch.optim.Muon`."""

from __future__ import annotations

import math
from typing import Any

import jgrad
from jgrad import manual
from jgrad.optim.optimizer import REFUSED, Optimizer, Options, States
from jgrad.optim.options import check_number, number, require
from jgrad.tensor import Tensor


class Muon(Optimizer):
    """Steps of matrices whose directions all count about the same: each step is nearly the orthogonal factor of a running mean of gradients."""

    _sparse_error = REFUSED
    _signature = "lr: float = 1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.7750, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None"
    _options = "lr weight_decay momentum nesterov ns_coefficients eps ns_steps adjust_lr_fn"

    def _checked(self, given: Options) -> Options:
        check_number(given["lr"])
        require(given["lr"] >= 0.0, "Learning rate should be >= 0", given["lr"])
        require(given["momentum"] >= 0.0, "momentum should be >= 0", given["momentum"])
        require(given["weight_decay"] >= 0.0, "weight decay should be >= 0", given["weight_decay"])
        if given["adjust_lr_fn"] not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {given['adjust_lr_fn']} is not supported")
        return super()._checked(given)

    def _begin(self, params: Any, given: Options) -> None:
        super()._begin(params, given)
        for param in [param for group in self.param_groups for param in group["params"]]:
            if param.ndim != 2:
                raise ValueError(
                    f"Muon only supports 2D parameters whereas we found a parameter with size: {param.size()}"
                )

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        if param.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        if "momentum_buffer" not in states[param]:
            states[param]["momentum_buffer"] = jgrad.zeros_like(grad, memory_format=jgrad.preserve_format)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        if grad.ndim != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        lr, momentum = number(group["lr"]), group["momentum"]
        kept = states[param]["momentum_buffer"].lerp_(grad, 1 - momentum)
        step = _orthogonal(grad.lerp(kept, momentum) if group["nesterov"] else kept, group)
        param.mul_(1 - lr * group["weight_decay"])
        param.add_(step, alpha=-lr * _factor(group["adjust_lr_fn"], *param.shape[:2]))


def _orthogonal(matrix: Tensor, group: Options) -> Tensor:
    """Nearly the orthogonal factor of a matrix, by Newton's and Schulz's iteration in bfloat16."""
    if group["ns_steps"] >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(group["ns_coefficients"]) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = group["ns_coefficients"]
    tall = matrix.size(0) > matrix.size(1)
    found = matrix.bfloat16()
    found = found.T if tall else found
    found.div_(found.norm().clamp(min=group["eps"]))  # so that no singular value is above 1
    for _ in range(group["ns_steps"]):
        gram = found @ found.T
        found = jgrad.addmm(found, jgrad.addmm(gram, gram, gram, beta=b, alpha=c), found, beta=a)
    return found.T if tall else found


def _factor(kind: str | None, rows: int, columns: int) -> float:
    """How the learning rate follows the shape of the matrix."""
    if kind == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))


manual.attach(__name__)
