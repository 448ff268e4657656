"""`GradScaler`: a loss is scaled up before the backward pass, and the gradients down before the optimizer's step.

Small gradients in float16 would become zero. The scale grows as long as all gradients are finite, and shrinks where they are not; then the
optimizer makes no step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any

import jgrad
from jgrad import cuda, dtypes, manual, warn
from jgrad.tensor import Tensor


class OptState(Enum):
    """What a `GradScaler` has done for an optimizer since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _fresh() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Multiplies a loss by a large scale before the backward pass, and divides the gradients by it before the optimizer's step."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if device == "cuda" and enabled and not cuda.is_available():
            warn.say("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: Tensor | None = None  # made on the device of the first loss, and so is the next
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Tensor | None = None  # how many steps were made since the scale last changed
        self._per_optimizer_states: dict[int, dict[str, Any]] = defaultdict(_fresh)

    def _begun(self, name: str) -> tuple[Tensor, Tensor]:
        """The scale and the count of steps, which are there since the first `scale`."""
        if self._scale is None or self._growth_tracker is None:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) earlier in the "
                "iteration."
            )
        return self._scale, self._growth_tracker

    def scale(self, outputs: Any) -> Any:
        """Multiply a tensor, or each tensor in lists and tuples, by the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                place = outputs.device
                self._scale = jgrad.full((), self._init_scale, dtype=dtypes.float32, device=place)
                self._growth_tracker = jgrad.full(
                    (), self._init_growth_tracker, dtype=dtypes.int32, device=place
                )
            return outputs * self._scale.to(outputs.device)
        if isinstance(outputs, Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, in place."""
        if not self._enabled:
            return
        scale, _ = self._begun("unscale_")
        known = self._per_optimizer_states[id(optimizer)]
        if known["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if known["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        known["found_inf_per_device"] = self._divide(optimizer, scale.double().reciprocal().float())
        known["stage"] = OptState.UNSCALED

    def _divide(self, optimizer: Any, inverse: Tensor) -> dict[Any, Tensor]:
        """Multiply the gradients by the inverse of the scale; returns for each device whether one of them was not finite, as 1 or 0."""
        found: dict[Any, Tensor] = {}
        with jgrad.no_grad():
            for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
                grad = parameter.grad
                if grad is None:
                    continue
                if grad.dtype is dtypes.float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                flag = found.setdefault(
                    grad.device, jgrad.full((), 0.0, dtype=dtypes.float32, device=grad.device)
                )
                if not grad.isfinite().all():
                    flag.fill_(1)
                grad.mul_(inverse.to(grad.device))
        return found

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Divide the gradients by the scale, unless `unscale_` did it, and call the optimizer's step."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._begun("step")
        known = self._per_optimizer_states[id(optimizer)]
        if known["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if known["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not known["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        infinite = any([flag.item() for flag in known["found_inf_per_device"].values()])
        result = None if infinite else optimizer.step(*args, **kwargs)
        known["stage"] = OptState.STEPPED
        return result

    def update(self, new_scale: Any = None) -> None:
        """Change the scale at the end of an iteration: smaller after gradients that were infinite or nan, larger after `growth_interval` good steps."""
        if not self._enabled:
            return
        scale, count = self._begun("update")
        if new_scale is not None:
            self._set_scale(scale, new_scale)
        else:
            flags = [
                flag
                for known in self._per_optimizer_states.values()
                for flag in known["found_inf_per_device"].values()
            ]
            if not flags:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(scale, count, any([flag.item() for flag in flags]))
        self._per_optimizer_states = defaultdict(_fresh)

    def _set_scale(self, scale: Tensor, new_scale: Any) -> None:
        if isinstance(new_scale, float):
            scale.fill_(new_scale)
            return
        if new_scale.device.type != self._device or new_scale.numel() != 1 or new_scale.requires_grad:
            raise AssertionError(
                "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with requires_grad=False."
            )
        scale.copy_(new_scale)

    def _adapt(self, scale: Tensor, count: Tensor, infinite: bool) -> None:
        """What the last steps say of the scale."""
        if infinite:
            scale.mul_(self._backoff_factor)
            count.fill_(0)
        elif count.item() + 1 == self._growth_interval:
            grown: Any = scale.clone()
            grown.mul_(self._growth_factor)
            if grown.isfinite():
                scale.copy_(grown)
            count.fill_(0)
        else:
            count.add_(1)

    # State --------------------------------------------------------------------------------------------------------------------

    def get_scale(self) -> float:
        """The scale, as a float; 1.0 if the scaler is not enabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self) -> float:
        """The number by which the scale is multiplied to make it larger."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the number by which the scale is multiplied to make it larger."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """The number by which the scale is multiplied to make it smaller."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the number by which the scale is multiplied to make it smaller."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """The number of good steps, one after the other, after which the scale becomes larger."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set the number of good steps, one after the other, after which the scale becomes larger."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def is_enabled(self) -> bool:
        """Whether the scaler is enabled. If not, it leaves losses, gradients and steps as they are."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale and the settings of its growth, as a dictionary that can be saved. It is empty if the scaler is not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Set the scale and the settings of its growth to those that `state_dict` returned. It does nothing if the scaler is not enabled."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state


manual.attach(__name__)
