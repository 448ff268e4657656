"""Stochastic gradient descent; `torch.optim.SGD`."""

from __future__ import annotations

from typing import Any

from jgrad.optim.optimizer import Optimizer, check_options, number, refuse_variants
from jgrad.tensor import Tensor


class SGD(Optimizer):
    """param -= lr * gradient, or * a running sum of gradients if there is momentum."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Any = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_options(lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        refuse_variants("SGD", foreach=foreach, differentiable=differentiable, fused=fused)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("nesterov", False)
            group.setdefault("maximize", False)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        momentum = group["momentum"]
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=number(group["weight_decay"]))
        if momentum != 0:
            kept = states[param].get("momentum_buffer")
            if kept is None:
                kept = states[param]["momentum_buffer"] = grad.detach().clone()
            else:
                kept.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(kept, alpha=momentum) if group["nesterov"] else kept
        param.add_(grad, alpha=-number(group["lr"]))
