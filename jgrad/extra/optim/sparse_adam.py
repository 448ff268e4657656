"""Adam for sparse gradients; `torch.optim.SparseAdam`."""

from __future__ import annotations

from typing import Any

from jgrad import manual
from jgrad.optim.adaptive import _zeros, at_places_of
from jgrad.optim.optimizer import Optimizer, Options, States
from jgrad.optim.options import number
from jgrad.tensor import Tensor


class SparseAdam(Optimizer):
    """Adam for sparse gradients: only what has a place in the gradient of this step is changed, parameters and running means alike."""

    _signature = "lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize"
    _options = "lr betas eps maximize"
    _checks = "betas"

    def _begin(self, params: Any, given: Options) -> None:
        for name, value in (("learning rate", given["lr"]), ("epsilon value", given["eps"])):
            if not value > 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        super()._begin(params, given)
        sparse = [
            [i, j]
            for i, group in enumerate(self.param_groups)
            for j, param in enumerate(group["params"])
            if param.is_sparse
        ]
        if sparse:
            raise ValueError(
                f"Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors"
            )

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        if not grad.is_sparse:
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        state = states[param]
        if not state:
            state["step"] = 0
            state["exp_avg"], state["exp_avg_sq"] = _zeros(param), _zeros(param)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        state["step"] += 1
        grad = grad.coalesce()
        values = grad.values()
        if not values.numel():
            return
        first, second = group["betas"]
        means = []
        for name, new, beta in (("exp_avg", values, first), ("exp_avg_sq", values.pow(2), second)):
            old = state[name].sparse_mask(grad).values()
            change = (new - old).mul_(1 - beta)
            state[name].add_(at_places_of(grad, change))
            means.append(change + old)
        step = state["step"]
        size = number(group["lr"]) * (1 - second**step) ** 0.5 / (1 - first**step)
        param.add_(at_places_of(grad, -size * means[0].div_(means[1].sqrt_().add_(group["eps"]))))


manual.attach(__name__)
