"""The base of schedules of learning rates; `torch.optim.lr_scheduler.LRScheduler`."""

from __future__ import annotations

from typing import Any

from jgrad import manual
from jgrad.optim.optimizer import Optimizer
from jgrad.tensor import Tensor
from jgrad.warn import say

_URL = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


class LRScheduler:
    """The base class of schedules, which change the learning rates of an optimizer as training goes on."""

    __module__ = "jgrad.optim.lr_scheduler"  # where users find it
    _get_lr_called_within_step = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                rate = group["lr"]
                group.setdefault("initial_lr", rate.clone() if isinstance(rate, Tensor) else rate)
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with last_epoch >= 0.\n"
                    "This typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded "
                    "the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        if optimizer._scheduled is not _step_of(optimizer):
            optimizer._scheduled, optimizer._opt_called = _step_of(optimizer), False
        self._begin()

    def _begin(self) -> None:
        """Set the first learning rates."""
        self._step_count, self._is_initial = 0, True
        self.step()
        self._is_initial = False

    def rate(self, group: dict[str, Any]) -> Any:
        """The next learning rate of a group."""
        raise NotImplementedError

    def get_lr(self) -> list[Any]:
        """The next learning rates, one for each group. `step` calls it; to see the current learning rates use `get_last_lr()`."""
        self._warn_if_called_outside()
        return [self.rate(group) for group in self.optimizer.param_groups]

    def _warn_if_called_outside(self) -> None:
        if not self._get_lr_called_within_step:
            say(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
            )

    def get_last_lr(self) -> list[Any]:
        """The current learning rates, a list with one for each group."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """The state of the schedule, to be saved: a dict of all its attributes but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state that `state_dict()` returned. It does not set the learning rates of the optimizer: load the state of the optimizer too."""
        self.__dict__.update(state_dict)

    def step(self, epoch: int | None = None) -> None:
        """Go on by one epoch and set the learning rates. Call it after `optimizer.step()`."""
        # A copy of the optimizer does not know of schedules.
        if self._step_count == 1 and self.optimizer._scheduled is not _step_of(self.optimizer):
            say(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to "
                f"call `optimizer.step()` before `lr_scheduler.step()`. {_URL}",
                UserWarning,
            )
        elif self._step_count == 1 and not self.optimizer._opt_called:
            say(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them "
                "in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch "
                f"skipping the first value of the learning rate schedule. {_URL}",
                UserWarning,
            )
        self._step_count += 1
        if epoch is not None:
            warn_about_epoch()
        self._go_on(epoch)

    def _go_on(self, epoch: int | None) -> None:
        """To the next epoch, or to any."""
        if epoch is None:
            self.last_epoch += 1
        else:
            self.last_epoch = epoch
        self._get_lr_called_within_step = True
        try:
            closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
            values = self.get_lr() if closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values, strict=True):
            set_rate(group, value)
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


def _step_of(optimizer: Any) -> Any:
    """What runs when `step` is called; another function if a program has put its own in the place."""
    return getattr(optimizer.step, "__func__", optimizer.step)


_LRScheduler = LRScheduler


EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form is used "
    "instead of the new chainable form, where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


def warn_about_epoch() -> None:
    say(EPOCH_DEPRECATION_WARNING, UserWarning)


def set_rate(group: dict[str, Any], value: Any) -> None:
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(value)
    else:
        group["lr"] = value


manual.attach(__name__)
