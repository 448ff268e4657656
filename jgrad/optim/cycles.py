"""Schedules that go up and down, and schedules made of others."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from typing import Any

from jgrad.optim.optimizer import Optimizer
from jgrad.optim.scheduler import LRScheduler, set_rate


def one_per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
                         f"param_groups has {groups}.")  # fmt: skip
    return list(value)


def _cycles_betas(optimizer: Optimizer) -> bool:
    """Whether the momentum of this optimizer is the first of its betas."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    return "betas" in optimizer.defaults


def _set_momentum(group: dict[str, Any], value: float, is_beta: bool) -> None:
    if is_beta:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class OneCycleLR(LRScheduler):
    """One cycle: up from a low learning rate to `max_lr`, then down to a much lower one. The momentum goes down and up at the same time.

    Call `scheduler.step()` after each batch, not after each epoch.

    Args:
        optimizer: the optimizer whose learning rates are set
        max_lr: the highest learning rate, or a list with one for each group
        total_steps: the number of steps of the cycle; None means epochs * steps_per_epoch
        epochs, steps_per_epoch: the number of epochs and of batches in each, when total_steps is None
        pct_start: the part of the steps in which the learning rate goes up, between 0 and 1
        anneal_strategy: the way between two values: "cos" for half a cosine, or "linear"
        cycle_momentum: whether the momentum changes too; Adam's momentum is the first of its `betas`
        base_momentum: the lowest momentum, or a list with one for each group
        max_momentum: the highest momentum, or a list with one for each group
        div_factor: the first learning rate is max_lr / div_factor
        final_div_factor: the last learning rate is the first one divided by this
        three_phase: whether the learning rate goes down to its first value as fast as it went up, and then to its last value
        last_epoch: the number of the last step when training goes on; -1 begins a new schedule

    Raises ValueError if `step` is called more than `total_steps` times, or for an optimizer without momentum while `cycle_momentum` is True.

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=1., momentum=0.9)
    >>> scheduler = jgrad.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=8., total_steps=6, pct_start=0.5, div_factor=8.)
    >>> for step in range(6):
    ...     group = optimizer.param_groups[0]
    ...     print(step, round(group["lr"], 3), round(group["momentum"], 3))
    ...     optimizer.step()
    ...     if step < 5:
    ...         scheduler.step()
    0 1.0 0.95
    1 4.5 0.9
    2 8.0 0.85
    3 6.0 0.875
    4 2.0 0.925
    5 0.0 0.95
    """

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        given = {"total_steps": total_steps}
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
            given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
        for name, count in given.items():
            if not isinstance(count, int) or count <= 0:
                raise ValueError(f"Expected positive integer {name}, but got {count}")
        self.total_steps: int = total_steps or epochs * steps_per_epoch  # type: ignore[operator]
        if not isinstance(pct_start, (int, float)) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        up = pct_start * self.total_steps - 1
        phases: list[tuple] = [(up, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            phases.append(
                (
                    2 * pct_start * self.total_steps - 2,
                    "max_lr",
                    "initial_lr",
                    "base_momentum",
                    "max_momentum",
                )
            )
            phases.append((self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"))
        else:
            phases.append((self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"))
        names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        self._schedule_phases = [dict(zip(names, phase, strict=True)) for phase in phases]
        self._anneal_func_type = anneal_strategy
        highest = one_per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, most in zip(optimizer.param_groups, highest, strict=True):
                group["initial_lr"] = most / div_factor
                group["max_lr"] = most
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _cycles_betas(optimizer)
            momenta = (
                one_per_group("max_momentum", optimizer, max_momentum),
                one_per_group("base_momentum", optimizer, base_momentum),
            )
            if last_epoch == -1:
                for group, high, low in zip(optimizer.param_groups, *momenta, strict=True):
                    _set_momentum(group, high, self.use_beta1)
                    group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, part: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def rate(self, group: dict[str, Any]) -> Any:
        step, begin = self.last_epoch, 0.0
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is {self.total_steps}"
            )
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                break
            begin = end
        part = (step - begin) / (end - begin)
        rate = self._between(group[phase["start_lr"]], group[phase["end_lr"]], part)
        if self.cycle_momentum:
            ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
            _set_momentum(group, self._between(*ends, part), self.use_beta1)
        return rate


class CyclicLR(LRScheduler):
    """Many cycles: up from `base_lr` to `max_lr` and down again in equal steps. The momentum goes down and up at the same time.

    Call `scheduler.step()` after each batch, not after each epoch.

    Args:
        optimizer: the optimizer whose learning rates are set
        base_lr: the lowest learning rate, or a list with one for each group; it replaces the learning rate of the optimizer
        max_lr: the highest learning rate, or a list with one for each group
        step_size_up: the number of steps up
        step_size_down: the number of steps down; None means step_size_up
        mode: how cycles change: "triangular" (not at all), "triangular2" (each is half as high as the one before) or "exp_range" (the height is
            multiplied by `gamma` at each step)
        gamma: the factor for "exp_range"
        scale_fn: a function that gives the height of a cycle, 1 for the full height; None means that of `mode`
        scale_mode: whether scale_fn takes the number of the "cycle", which begins with 1, or of the step: "iterations"
        cycle_momentum: whether the momentum changes too; Adam's momentum is the first of its `betas`
        base_momentum: the lowest momentum, or a list with one for each group
        max_momentum: the highest momentum, or a list with one for each group
        last_epoch: the number of the last step when training goes on; -1 begins a new schedule

    Raises ValueError for an optimizer without momentum while `cycle_momentum` is True.

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=1.)
    >>> scheduler = jgrad.optim.lr_scheduler.CyclicLR(
    ...     optimizer, base_lr=1., max_lr=5., step_size_up=2, mode="triangular2", cycle_momentum=False)
    >>> for step in range(8):
    ...     print(step, optimizer.param_groups[0]["lr"])
    ...     optimizer.step()
    ...     scheduler.step()
    0 1.0
    1 3.0
    2 5.0
    3 3.0
    4 1.0
    5 2.0
    6 3.0
    7 2.0
    """

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        lowest = one_per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, lowest, strict=True):
                set_rate(group, rate)
        self.max_lrs = one_per_group("max_lr", optimizer, max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up) + float(down)
        self.step_ratio = float(step_size_up) / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = (
            scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        )
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _cycles_betas(optimizer)
            self.base_momentums = one_per_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = one_per_group("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                for group, high, low in zip(
                    optimizer.param_groups, self.max_momentums, self.base_momentums, strict=True
                ):
                    _set_momentum(group, high, self.use_beta1)
                    group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def scale_fn(self, x: float) -> float:
        """How high a cycle goes, 1 for the full height.

        Args:
            x: the number of the cycle, or of the step
        """
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return (
            1.0 / 2.0 ** (x - 1)
            if self.mode == "triangular2"
            else self.gamma**x
            if self.mode == "exp_range"
            else 1.0
        )

    def get_lr(self) -> list[Any]:
        self._warn_if_called_outside()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        part = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        rates = [
            low + (high - low) * part * height for low, high in zip(self.base_lrs, self.max_lrs, strict=True)
        ]
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                _set_momentum(group, high - (high - low) * part * height, self.use_beta1)
        return rates


class CosineAnnealingWarmRestarts(LRScheduler):
    """Goes from the first learning rate down to `eta_min` along half a cosine, then begins again from the first one.

    Args:
        optimizer: the optimizer whose learning rates are set
        T_0: the number of epochs until it begins again for the first time
        T_mult: the factor by which this number grows each time, an int
        eta_min: the lowest learning rate
        last_epoch: the number of the last epoch when training goes on; -1 begins a new schedule

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=8.)
    >>> scheduler = jgrad.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
    >>> for epoch in range(7):
    ...     print(epoch, round(optimizer.param_groups[0]["lr"], 3))
    ...     optimizer.step()
    ...     scheduler.step()
    0 8.0
    1 4.0
    2 8.0
    3 6.828
    4 4.0
    5 1.172
    6 8.0
    """

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,  # noqa: N803
        T_mult: int = 1,  # noqa: N803
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise TypeError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_outside()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch: Any = None) -> None:
        """Go on by one epoch, or to any epoch, and set the learning rates.

        Args:
            epoch: the epoch to go to, which may have a fraction; None means the next one
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self.T_i, self.T_cur = self.T_0, epoch
            if epoch >= self.T_0 and self.T_mult == 1:
                self.T_cur = epoch % self.T_0
            elif epoch >= self.T_0:
                restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                self.T_cur = epoch - self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)
                self.T_i = self.T_0 * self.T_mult**restarts
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        try:
            values = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values, strict=True):
            set_rate(group, value)
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


class _Several(LRScheduler):
    """Schedules of one optimizer, whose states are kept together."""

    _schedulers: list[LRScheduler]

    def _check(self, optimizer: Optimizer | None, schedulers: Sequence[LRScheduler]) -> Optimizer:
        name = type(self).__name__
        if len(schedulers) < 1:
            chained = " to be chained" if name == "ChainedScheduler" else ""
            raise ValueError(f"{name} expects at least one scheduler{chained}, but got no scheduler.")
        optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got scheduler {type(scheduler).__name__} at "
                    f"index {i} has {scheduler.optimizer}, which is different from {type(optimizer).__name__}."
                )
        return optimizer

    def state_dict(self) -> dict[str, Any]:
        """The state of the schedules, to be saved: a dict of all attributes but the optimizer, with the states of the single schedules."""
        state = {
            key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_schedulers")
        }
        return {**state, "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state that `state_dict()` returned.

        Args:
            state_dict: the state of as many schedules of the same classes
        """
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """Several schedules one after the other. Each milestone is the epoch at which the next schedule begins.

    Args:
        optimizer: the optimizer whose learning rates are set; all schedules must belong to it
        schedulers: the schedules in their order
        milestones: the numbers of the epochs at which the second and later schedules begin, one fewer than there are schedules
        last_epoch: the number of the last epoch when training goes on; -1 begins a new schedule

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=8.)
    >>> warm_up = jgrad.optim.lr_scheduler.ConstantLR(optimizer, factor=0.125, total_iters=2)
    >>> decay = jgrad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> scheduler = jgrad.optim.lr_scheduler.SequentialLR(optimizer, [warm_up, decay], milestones=[2])
    >>> for epoch in range(5):
    ...     print(epoch, optimizer.param_groups[0]["lr"])
    ...     optimizer.step()
    ...     scheduler.step()
    0 1.0
    1 1.0
    2 8.0
    3 4.0
    4 2.0
    """

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        self._check(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got "
                f"number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each has made its first step when it was made; all but the first take it back, the first makes it anew.
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        for scheduler in schedulers:
            scheduler.last_epoch -= 1
        schedulers[0]._begin()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Go on by one epoch and set the learning rates. Call it after `optimizer.step()`."""
        self.last_epoch += 1
        which = bisect.bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[which]
        if which > 0 and self._milestones[which - 1] == self.last_epoch:
            scheduler._go_on(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Several):
    """Several schedules at the same time. Each changes the learning rate that the one before it has set.

    Args:
        schedulers: the schedules, all of the same optimizer
        optimizer: their optimizer; None means that of the first schedule

    >>> optimizer = jgrad.optim.SGD([jgrad.zeros(1, requires_grad=True)], lr=8.)
    >>> warm_up = jgrad.optim.lr_scheduler.ConstantLR(optimizer, factor=0.125, total_iters=2)
    >>> decay = jgrad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> scheduler = jgrad.optim.lr_scheduler.ChainedScheduler([warm_up, decay])
    >>> for epoch in range(4):
    ...     print(epoch, optimizer.param_groups[0]["lr"])
    ...     optimizer.step()
    ...     scheduler.step()
    0 1.0
    1 0.5
    2 2.0
    3 1.0
    """

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        self.optimizer = self._check(optimizer, schedulers)
        self._schedulers = list(schedulers)
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def step(self) -> None:  # type: ignore[override]
        """Go on by one epoch and set the learning rates. Call it after `optimizer.step()`."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]
