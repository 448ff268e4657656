"""Mixed precision: `torch.amp`. Products run in bfloat16 in an `autocast` block; `GradScaler` keeps small gradients from vanishing."""

from jgrad.amp.autocast_mode import autocast as autocast
from jgrad.amp.autocast_mode import custom_bwd as custom_bwd
from jgrad.amp.autocast_mode import custom_fwd as custom_fwd
from jgrad.amp.autocast_mode import is_autocast_available as is_autocast_available
from jgrad.amp.grad_scaler import GradScaler as GradScaler

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available", "GradScaler"]
