"""Stochastic gradient descent, its average, and steps by the sign of the gradient alone."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.optim.optimizer import REFUSED, Optimizer, Options, States
from jgrad.optim.options import kept, number, plus
from jgrad.tensor import Tensor


class SGD(Optimizer):
    """Stochastic gradient descent: each step subtracts the learning rate times the gradient."""

    _signature = "lr=1e-3, momentum=0, dampening=0, weight_decay: Any = 0, nesterov, *, maximize, foreach, differentiable, fused"
    _options = "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused"
    _checks = "lr momentum weight_decay nesterov"

    def _begin(self, params: Any, given: Options) -> None:
        super()._begin(params, given)
        self._starting: set[Tensor] = set()  # parameters without momentum in the current step

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("nesterov", False)
            group.setdefault("maximize", False)
        self._starting = set()

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        # A parameter that is given twice begins with a momentum for each of the two, and keeps that of the second.
        if group["momentum"] != 0 and states[param].get("momentum_buffer") is None:
            self._starting.add(param)
        else:
            self._starting.discard(param)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        if group.get("fused") and grad.is_sparse:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        momentum = group["momentum"]
        if group["weight_decay"] != 0:
            grad = plus(grad, param, number(group["weight_decay"]))
        if momentum != 0:
            buffer = states[param].get("momentum_buffer")
            if buffer is None or param in self._starting:
                buffer = states[param]["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        lr = number(group["lr"])
        if isinstance(lr, Tensor):
            param.addcmul_(grad.clone(), lr, value=-1)
        else:
            param.add_(grad, alpha=-lr)


class ASGD(Optimizer):
    """Averaged stochastic gradient descent: steps that become smaller and smaller, and an average of the parameters after step `t0`."""

    _sparse_error = REFUSED
    _signature = "lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach, maximize, differentiable, capturable"
    _options = "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable"
    _checks = "lr weight_decay"

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        if not state:
            state["step"] = jgrad.zeros((), dtype=jgrad.float32)
            state["eta"] = jgrad.tensor(number(group["lr"]), dtype=jgrad.float32)
            state["mu"] = jgrad.ones((), dtype=jgrad.float32)
            state["ax"] = jgrad.zeros_like(param)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state, lr = states[param], number(group["lr"])
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
    """Resilient backpropagation: each number has a step of its own, and only the sign of the gradient counts."""

    _sparse_error = REFUSED
    _signature = (
        "lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable, foreach, maximize, differentiable"
    )
    _options = "lr etas step_sizes foreach maximize differentiable capturable"
    _checks = "lr etas"

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        if not state:
            state["step"] = jgrad.zeros((), dtype=jgrad.float32)
            state["prev"] = jgrad.zeros_like(param)
            lr = number(group["lr"])
            state["step_size"] = jgrad.full_like(grad, complex(lr, lr) if grad.is_complex() else lr)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        state["step"] += 1
        shrink, grow = group["etas"]
        prev, step_size = state["prev"], state["step_size"]
        if grad.is_complex():  # real and imaginary part are numbers of their own
            param, grad, prev, step_size = map(jgrad.view_as_real, (param, grad, prev, step_size))
        sign = grad.mul(kept(prev, group)).sign()
        factor = jgrad.ones_like(sign).masked_fill_(sign > 0, grow).masked_fill_(sign < 0, shrink)
        step_size.mul_(factor).clamp_(*group["step_sizes"])
        grad = grad.masked_fill(sign < 0, 0)  # where it turned, wait for a step
        param.addcmul_(grad.sign(), step_size, value=-1)
        prev.copy_(grad)


manual.attach(__name__)
