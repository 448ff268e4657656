"""Schedules that go up and down, and schedules made of others."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from typing import Any

from jgrad import manual
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
    """One cycle: up from a low learning rate to `max_lr`, then down to a much lower one. The momentum goes down and up at the same time."""

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
    """Many cycles: up from `base_lr` to `max_lr` and down again in equal steps. The momentum goes down and up at the same time."""

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
        """How high a cycle goes, 1 for the full height."""
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
    """Goes from the first learning rate down to `eta_min` along half a cosine, then begins again from the first one."""

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
        """Go on by one epoch, or to any epoch, and set the learning rates."""
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
        """Load a state that `state_dict()` returned."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """Several schedules one after the other. Each milestone is the epoch at which the next schedule begins."""

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
    """Several schedules at the same time. Each changes the learning rate that the one before it has set."""

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


manual.attach(__name__)
