"""Averages of a model's weights over the steps of training; `torch.optim.swa_utils`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn.modules.module import Module
from jgrad.nn.modules.normalization import _BatchNorm
from jgrad.optim.cycles import one_per_group
from jgrad.optim.optimizer import Optimizer
from jgrad.optim.scheduler import LRScheduler
from jgrad.tensor import Tensor

Average = Callable[[Any, Any, Any], Any]  # of an average, a parameter and the number of averaged models
Averages = Callable[[list[Any], list[Any], Any], None]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Make the function that updates an exponential moving average: `decay * average + (1 - decay) * parameter`."""
    _check_decay(decay)

    @jgrad.no_grad()
    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Average:
    """Make the function that updates the mean of all models so far, in which each model counts the same."""

    @jgrad.no_grad()
    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """Make the function that updates a list of exponential moving averages: `decay * average + (1 - decay) * parameter`."""
    _check_decay(decay)

    @jgrad.no_grad()
    def ema_update(ema_param_list: list[Any], current_param_list: list[Any], _: Any) -> None:
        for average, current in zip(ema_param_list, current_param_list, strict=True):
            if _has_fractions(average):
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Averages:
    """Make the function that updates a list of means of all models so far, in which each model counts the same."""

    @jgrad.no_grad()
    def swa_update(averaged_param_list: list[Any], current_param_list: list[Any], num_averaged: Any) -> None:
        for average, current in zip(averaged_param_list, current_param_list, strict=True):
            count = num_averaged + 1
            if _has_fractions(average):
                average.lerp_(current, float(1 / count))
            elif isinstance(count, Tensor):
                average.addcdiv_(current - average, count)
            else:
                average.add_(current - average, alpha=1.0 / count)

    return swa_update


def _has_fractions(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of those that the model has at each call of `update_parameters(model)`."""

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Averages | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", jgrad.tensor(0, dtype=jgrad.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the averaged module."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the current parameters of a model into the averages. The first call copies them."""
        pairs = [
            (average.detach(), current.detach().to(average.device))
            for average, current in zip(self._averaged(self.module), self._averaged(model), strict=False)
        ]
        if self.n_averaged == 0:
            for average, current in pairs:
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            for averages, currents in _by_device_and_dtype(pairs):
                self.multi_avg_fn(averages, currents, self.n_averaged.to(averages[0].device))
        else:
            update = self.avg_fn or get_swa_avg_fn()
            for average, current in pairs:
                average.copy_(update(average, current, self.n_averaged.to(average.device)))
        if not self.use_buffers:
            for kept, buffer in zip(self.module.buffers(), model.buffers(), strict=True):
                kept.detach().copy_(buffer.detach().to(kept.device))
        self.n_averaged += 1

    def _averaged(self, module: Module) -> Iterable[Tensor]:
        buffers = module.buffers() if self.use_buffers else ()
        return itertools.chain(module.parameters(), buffers)


def _by_device_and_dtype(pairs: list[tuple[Tensor, Tensor]]) -> list[tuple[list[Tensor], list[Tensor]]]:
    groups: dict[Any, tuple[list[Tensor], list[Tensor]]] = {}
    for average, current in pairs:
        averages, currents = groups.setdefault((average.device, average.dtype), ([], []))
        averages.append(average)
        currents.append(current)
    return list(groups.values())


@jgrad.no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running means and variances of all batch normalizations anew, in one pass over the data."""
    norms = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not norms:
        return
    was_training = model.training
    model.train()
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the mean of all batches
    for batch in loader:
        given = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(given if device is None else given.to(device))
    for norm, momentum in norms.items():
        norm.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the current learning rate to the constant `swa_lr` in `anneal_epochs` epochs, and stays there."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = one_per_group("swa_lr", optimizer, swa_lr)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: float) -> float:
        """How much of the way to `swa_lr` is done after the part `t` of the epochs."""
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def rate(self, group: dict[str, Any]) -> Any:
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = (
            self.anneal_func(max(0, min(1, n / max(1, self.anneal_epochs)))) for n in (step - 1, step)
        )
        target = group["swa_lr"]
        first = target if before == 1 else (group["lr"] - before * target) / (1 - before)
        return target * now + first * (1 - now)


manual.attach(__name__)
