"""Optimizers with a step size for every number: Adam and related optimizers."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.optim.optimizer import REFUSED, Optimizer, Options, State, States
from jgrad.optim.options import kept, number, plus
from jgrad.tensor import Tensor


def _zeros(param: Tensor) -> Tensor:
    return jgrad.zeros_like(param, memory_format=jgrad.preserve_format)


class _Adaptive(Optimizer):
    """Counts steps, and adds weight decay to the gradient unless it is decoupled from it."""

    _kept: tuple[str, ...]
    _from_zeros = False  # whether `zeros()` makes the count of steps, and not `tensor()`
    _sparse_error = REFUSED

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        if not state:
            # (In PyTorch some optimizers make it in one way, some in the other.)
            state["step"] = (
                jgrad.zeros((), dtype=jgrad.float32)
                if self._from_zeros
                else jgrad.tensor(0.0, dtype=jgrad.float32)
            )
            self.begin(param, group, state)

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        state = states[param]
        state["step"] += 1
        if group["weight_decay"] != 0:
            if grad.is_sparse:
                raise RuntimeError("weight_decay option is not compatible with sparse gradients")
            if group.get("decoupled_weight_decay"):
                param.mul_(1 - number(group["lr"]) * number(group["weight_decay"]))
            else:
                grad = plus(grad, param, number(group["weight_decay"]))
        if param.is_complex():  # real and imaginary part are numbers of their own
            state = {
                name: jgrad.view_as_real(value) if isinstance(value, Tensor) and value.is_complex() else value
                for name, value in state.items()
            }
            param, grad = jgrad.view_as_real(param), jgrad.view_as_real(grad)
        self.adapt(param, grad, group, state, number(group["lr"]), state["step"].item())

    def begin(self, param: Tensor, group: Options, state: State) -> None:
        """Set what is kept for a parameter, before its first step."""
        for name in self._kept:
            state[name] = _zeros(param)

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        """Change the parameter."""
        raise NotImplementedError


class Adam(_Adaptive):
    """Adam divides a running mean of the gradient by the root of a running mean of its square, so each number has steps of its own size."""

    _signature = "lr=1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad, *, foreach, maximize, capturable, differentiable, fused, decoupled_weight_decay"
    _options = "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay"
    _checks = "lr eps betas weight_decay"

    def _checked(self, given: Options) -> Options:
        chosen = super()._checked(given)
        if not any(all(isinstance(beta, kind) for beta in chosen["betas"]) for kind in (float, Tensor)):
            raise ValueError("betas must be either both floats or both Tensors")
        return chosen

    _kept = ("exp_avg", "exp_avg_sq")
    _sparse_error = "Adam does not support sparse gradients, please consider SparseAdam instead"

    def begin(self, param: Tensor, group: Options, state: State) -> None:
        super().begin(param, group, state)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = _zeros(param)

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        first, second = map(number, group["betas"])
        square = state["exp_avg_sq"]
        state["exp_avg"].lerp_(grad, 1 - first)
        square.mul_(second).addcmul_(grad, grad, value=1 - second)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            square = largest.copy_(jgrad.maximum(kept(largest, group), square))
        scale = (square.sqrt() / (1 - second**step) ** 0.5).add_(group["eps"])
        mean, size = kept(state["exp_avg"], group), lr / (1 - first**step)
        if isinstance(size, Tensor):
            param.addcdiv_(mean.mul(size), scale, value=-1)
        else:
            param.addcdiv_(mean, scale, value=-size)


class AdamW(Adam):
    """Adam with decoupled weight decay: the decay multiplies the parameter by itself, and is not part of the gradient."""

    _signature = "lr=1e-3, betas: tuple[Any, Any] = (0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad, *, maximize, foreach, capturable, differentiable, fused"
    _options = Adam._options
    _fixed = ("decoupled_weight_decay",)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


class NAdam(_Adaptive):
    """Adam whose momentum looks one step ahead, as Nesterov's momentum does."""

    _signature = "lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay, *, foreach, maximize, capturable, differentiable"
    _options = "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable"
    _checks = "lr eps betas weight_decay momentum_decay"
    _kept = ("exp_avg", "exp_avg_sq")

    def begin(self, param: Tensor, group: Options, state: State) -> None:
        state["mu_product"] = jgrad.tensor(1.0, dtype=jgrad.float32)
        super().begin(param, group, state)

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        first, second = group["betas"]
        # The momentum of this step and of the next one.
        now, then = (first * (1.0 - 0.5 * 0.96 ** (n * group["momentum_decay"])) for n in (step, step + 1))
        state["mu_product"] *= now
        product = number(state["mu_product"])
        state["exp_avg"].lerp_(grad, 1 - first)
        square = state["exp_avg_sq"].mul_(second).addcmul_(grad, grad, value=1 - second)
        scale = kept(square.div(1 - second**step).sqrt_(), group).add_(group["eps"])
        for mean, size in (
            (grad, lr * (1.0 - now) / (1.0 - product)),
            (kept(state["exp_avg"], group), lr * then / (1.0 - product * then)),
        ):
            if isinstance(size, Tensor):
                param.addcdiv_(mean.mul(size), scale, value=-1)
            else:
                param.addcdiv_(mean, scale, value=-size)


class RAdam(_Adaptive):
    """Adam that makes its first steps without the mean square of the gradient, until enough gradients are known for it."""

    _signature = "lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay, *, foreach, maximize, capturable, differentiable"
    _options = "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"
    _checks = "lr eps betas weight_decay"
    _kept = ("exp_avg", "exp_avg_sq")

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        first, second = group["betas"]
        state["exp_avg"].lerp_(grad, 1 - first)
        square = state["exp_avg_sq"].mul_(second).addcmul_(grad, grad, value=1 - second)
        mean = state["exp_avg"] / (1 - first**step)
        correction = 1 - second**step
        # How many gradients the mean square is worth, now and in the end.
        end = 2 / (1 - second) - 1
        now = end - 2 * step * second**step / correction
        if now <= 5.0:
            param.add_(mean * lr, alpha=-1.0)
            return
        rectified = ((now - 4) * (now - 2) * end / ((end - 4) * (end - 2) * now)) ** 0.5
        param.add_(
            mean * lr * (correction**0.5 / kept(square.sqrt(), group).add_(group["eps"])) * rectified,
            alpha=-1.0,
        )


class Adamax(_Adaptive):
    """Adam that divides by the largest gradient so far, instead of the root of the mean square."""

    _signature = "lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach, *, maximize, differentiable, capturable"
    _options = "lr betas eps weight_decay foreach maximize differentiable capturable"
    _checks = "lr eps betas weight_decay"
    _kept = ("exp_avg", "exp_inf")

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        first, second = group["betas"]
        largest = state["exp_inf"]
        state["exp_avg"].lerp_(grad, 1 - first)
        largest.copy_(jgrad.maximum(kept(largest.mul_(second), group), grad.abs().add_(group["eps"])))
        param.addcdiv_(state["exp_avg"], largest, value=-(lr / (1 - first**step)))


class RMSprop(_Adaptive):
    """RMSprop divides the gradient by the root of a running mean of its square, so each number has steps of its own size."""

    _from_zeros = True
    _signature = "lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered, capturable, foreach, maximize, differentiable"
    _options = "lr momentum alpha eps centered weight_decay capturable foreach maximize differentiable"
    _checks = "lr eps momentum weight_decay alpha"

    def begin(self, param: Tensor, group: Options, state: State) -> None:
        state["square_avg"] = _zeros(param)
        if group["momentum"] > 0:
            state["momentum_buffer"] = _zeros(param)
        if group["centered"]:
            state["grad_avg"] = _zeros(param)

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        square, alpha = state["square_avg"], group["alpha"]
        square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            square = square.addcmul(mean, mean, value=-1)
        scale = kept(square.sqrt(), group).add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, scale)
            param.add_(buffer, alpha=-lr)
        else:
            param.addcdiv_(grad, scale, value=-lr)


class Adagrad(_Adaptive):
    """Adagrad divides the gradient by the root of the sum of its squares in all steps so far, so steps become smaller and smaller."""

    _signature = "lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach, *, maximize, differentiable, fused"
    _options = "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused"
    _checks = "lr lr_decay weight_decay initial_accumulator_value eps"
    _sparse_error = ""

    def _begin(self, params: Any, given: Options) -> None:
        super()._begin(params, given)
        for group in self.param_groups:
            for param in group["params"]:
                self.prepare(param, param, group, self.state)

    def begin(self, param: Tensor, group: Options, state: State) -> None:
        first = group["initial_accumulator_value"]
        state["sum"] = jgrad.full_like(param, complex(first, first) if param.is_complex() else first)

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        size = lr / (1 + (step - 1) * group["lr_decay"])
        if grad.is_sparse:
            if group.get("fused"):
                raise RuntimeError("`fused` does not support sparse grad or complex param")
            grad = grad.coalesce()
            values = grad.values()
            state["sum"].add_(at_places_of(grad, values.pow(2)))
            root = state["sum"].sparse_mask(grad).values().sqrt().add_(group["eps"])
            param.add_(at_places_of(grad, values / root), alpha=-size)
            return
        total = state["sum"].addcmul_(grad, grad, value=1)
        param.addcdiv_(grad, kept(total.sqrt(), group).add_(group["eps"]), value=-size)


def at_places_of(grad: Tensor, values: Tensor) -> Tensor:
    """A sparse tensor with other values at the places of a coalesced one."""
    return jgrad.sparse_coo_tensor(grad.indices(), values, grad.shape, is_coalesced=True)


class Adadelta(_Adaptive):
    """Adadelta scales the gradient by a ratio: the root mean square of past steps, divided by that of past gradients."""

    _signature = "lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach, *, capturable, maximize, differentiable"
    _options = "lr rho eps weight_decay maximize capturable foreach differentiable"
    _checks = "lr rho eps weight_decay"
    _from_zeros = True
    _kept = ("square_avg", "acc_delta")

    def adapt(
        self, param: Tensor, grad: Tensor, group: Options, state: State, lr: float, step: float
    ) -> None:
        rho, eps = group["rho"], group["eps"]
        square, changes = state["square_avg"], state["acc_delta"]
        square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        change = kept(changes.add(eps).sqrt_(), group).div_(square.add(eps).sqrt_())
        change = kept(change, group).mul_(grad)
        changes.mul_(rho).addcmul_(change, change, value=1 - rho)
        param.add_(change, alpha=-lr)


manual.attach(__name__)
