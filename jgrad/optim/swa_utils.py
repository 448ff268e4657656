"""Averages of a model's weights over the steps of training; `torch.optim.swa_utils`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

import jgrad
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
    """Make the function that updates an exponential moving average: `decay * average + (1 - decay) * parameter`.

    Args:
        decay: how much of the average stays at each update, between 0 and 1; other values raise ValueError

    Returns a function of (average, parameter, number of averaged models), for `avg_fn` of an AveragedModel. It returns a new tensor.

    >>> update = jgrad.optim.swa_utils.get_ema_avg_fn(0.75)
    >>> update(jgrad.tensor([4.]), jgrad.tensor([8.]), 1)
    tensor([5.])
    """
    _check_decay(decay)

    @jgrad.no_grad()
    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Average:
    """Make the function that updates the mean of all models so far, in which each model counts the same.

    Returns a function of (average, parameter, number of averaged models), for `avg_fn` of an AveragedModel. It returns a new tensor.

    >>> update = jgrad.optim.swa_utils.get_swa_avg_fn()
    >>> update(jgrad.tensor([2.]), jgrad.tensor([8.]), 2)  # (2 + 2 + 8) / 3
    tensor([4.])
    """

    @jgrad.no_grad()
    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """Make the function that updates a list of exponential moving averages: `decay * average + (1 - decay) * parameter`.

    Args:
        decay: how much of each average stays at each update, between 0 and 1; other values raise ValueError

    Returns a function of (averages, parameters, number of averaged models), for `multi_avg_fn` of an AveragedModel. It changes the averages in place.

    >>> update = jgrad.optim.swa_utils.get_ema_multi_avg_fn(0.75)
    >>> averages = [jgrad.tensor([4.])]
    >>> update(averages, [jgrad.tensor([8.])], 1)
    >>> averages
    [tensor([5.])]
    """
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
    """Make the function that updates a list of means of all models so far, in which each model counts the same.

    Returns a function of (averages, parameters, number of averaged models), for `multi_avg_fn` of an AveragedModel. It changes the averages in place.

    >>> update = jgrad.optim.swa_utils.get_swa_multi_avg_fn()
    >>> averages = [jgrad.tensor([2.])]
    >>> update(averages, [jgrad.tensor([8.])], 1)  # (2 + 8) / 2
    >>> averages
    [tensor([5.])]
    """

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
    """A copy of a model whose parameters are averages of those that the model has at each call of `update_parameters(model)`.

    By default it is the mean, in which each call counts the same. The attribute `module` is the copy and `n_averaged` counts the calls.

    Args:
        model: the model, which is copied
        device: the device of the averages; None means that of the model
        avg_fn: a function of (average, parameter, number of averaged models) that returns the new average; None means the mean
        multi_avg_fn: a function of (averages, parameters, number of averaged models) that changes a list of averages in place; only one of the two
            functions may be given
        use_buffers: whether buffers are averaged too; if False, they are copied from the model

    >>> model = jgrad.nn.Linear(1, 1, bias=False)
    >>> average = jgrad.optim.swa_utils.AveragedModel(model)
    >>> for value in [1., 2., 6.]:
    ...     _ = model.weight.data.fill_(value)
    ...     average.update_parameters(model)
    >>> average(jgrad.tensor([1.])).item()
    3.0
    """

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
        """Take the current parameters of a model into the averages. The first call copies them.

        Args:
            model: the model, with the same parameters as the one that was copied
        """
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
    """Compute the running means and variances of all batch normalizations anew, in one pass over the data.

    An averaged model needs this before it is used, since its batch normalizations have seen the results of other weights.

    Args:
        loader: an iterable of batches; a batch is a tensor, or a list or tuple whose first element is one
        model: the model, which is called with each batch in training mode
        device: the device to which batches are moved; None means that they stay where they are

    >>> model = jgrad.nn.Sequential(jgrad.nn.BatchNorm1d(1))
    >>> jgrad.optim.swa_utils.update_bn([jgrad.tensor([[1.], [3.]]), jgrad.tensor([[5.], [7.]])], model)
    >>> model[0].running_mean
    tensor([4.])
    """
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
    """Goes from the current learning rate to the constant `swa_lr` in `anneal_epochs` epochs, and stays there.

    Args:
        optimizer: the optimizer whose learning rates are set
        swa_lr: the learning rate at the end, or a list with one for each group
        anneal_epochs: the number of epochs until then
        anneal_strategy: the way there: "cos" for half a cosine, or "linear"
        last_epoch: the number of the last epoch when training goes on; -1 begins a new schedule

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=1.)
    >>> scheduler = jgrad.optim.swa_utils.SWALR(optimizer, swa_lr=5., anneal_epochs=2, anneal_strategy="linear")
    >>> for epoch in range(4):
    ...     print(epoch, optimizer.param_groups[0]["lr"])
    ...     optimizer.step()
    ...     scheduler.step()
    0 1.0
    1 3.0
    2 5.0
    3 5.0
    """

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
        """How much of the way to `swa_lr` is done after the part `t` of the epochs.

        Args:
            t: a number between 0 and 1
        """
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
