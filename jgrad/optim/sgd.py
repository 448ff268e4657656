"""Stochastic gradient descent, its average, and steps by the sign of the gradient alone."""

from __future__ import annotations

from typing import Any

import jgrad
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


class ASGD(Optimizer):
    """Gradient descent with smaller and smaller steps, which also keeps (as "ax") the average of the parameters after step `t0`."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_options(lr, weight_decay=weight_decay)
        refuse_variants("ASGD", differentiable=differentiable)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        state, lr = states[param], number(group["lr"])
        if not state:
            state["step"] = jgrad.zeros((), dtype=jgrad.float32)
            state["eta"] = jgrad.tensor(lr, dtype=jgrad.float32)
            state["mu"] = jgrad.ones((), dtype=jgrad.float32)
            state["ax"] = jgrad.zeros_like(param)
        state["step"] += 1
        step, eta, mu = (state[name].item() for name in ("step", "eta", "mu"))
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        param.mul_(1 - group["lambd"] * eta)
        param.add_(grad, alpha=-eta)
        if mu != 1:
            state["ax"].add_(param.sub(state["ax"]).mul_(mu))
        else:
            state["ax"].copy_(param)
        state["eta"] = jgrad.tensor(
            lr / (1 + group["lambd"] * lr * step) ** group["alpha"], dtype=jgrad.float32
        )
        state["mu"] = jgrad.tensor(1 / max(1, step - group["t0"]), dtype=jgrad.float32)


class Rprop(Optimizer):
    """Steps of a size for each number, which grows while the gradient keeps its sign and shrinks when it turns."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_options(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        refuse_variants("Rprop", differentiable=differentiable)
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        state = states[param]
        if not state:
            state["step"] = jgrad.zeros((), dtype=jgrad.float32)
            state["prev"] = jgrad.zeros_like(param)
            state["step_size"] = jgrad.full_like(grad, number(group["lr"]))
        state["step"] += 1
        shrink, grow = group["etas"]
        sign = grad.mul(state["prev"]).sign()
        factor = jgrad.ones_like(sign).masked_fill_(sign > 0, grow).masked_fill_(sign < 0, shrink)
        state["step_size"].mul_(factor).clamp_(*group["step_sizes"])
        grad = grad.masked_fill(sign < 0, 0)  # where it turned, wait for a step
        param.addcmul_(grad.sign(), state["step_size"], value=-1)
        state["prev"].copy_(grad)
