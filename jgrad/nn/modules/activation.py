"""Activations: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.module import Module, fields
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor
from jgrad.warn import say


@fields("threshold: float, value: float, inplace: bool = False", "threshold value inplace?")
class Threshold(Module):
    """x where it is above `threshold`, `value` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


@fields("inplace: bool = False", "inplace?")
class ReLU(Module):
    """max(0, x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


@fields("lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False", "lower upper inplace?")
class RReLU(Module):
    """Leaky ReLU whose slope is random in training and the mean of the bounds else."""

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(Module):
    """x clipped to [min_val, max_val]."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        if min_value is not None:
            warn_renamed("min_value", "min_val")
            min_val = min_value
        if max_value is not None:
            warn_renamed("max_value", "max_val")
            max_val = max_value
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + ", inplace=True" * self.inplace


def warn_renamed(old: str, new: str) -> None:
    say(f"keyword argument `{old}` is deprecated and rename to `{new}`", FutureWarning)


class ReLU6(Hardtanh):
    """min(max(0, x), 6)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.sigmoid(input)


@fields("inplace: bool = False")
class Hardsigmoid(Module):
    """relu6(x + 3) / 6."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """tanh(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.tanh(input)


@fields("inplace: bool = False", "inplace?")
class SiLU(Module):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


@fields("inplace: bool = False", "inplace?")
class Mish(Module):
    """x * tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


@fields("inplace: bool = False")
class Hardswish(Module):
    """x * relu6(x + 3) / 6."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class ELU(Module):
    """x where positive, alpha * (exp(x) - 1) elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class CELU(Module):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


@fields("inplace: bool = False", "inplace?")
class SELU(Module):
    """The ELU that keeps mean 0 and variance 1."""

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


@fields("dim: int = -1", "dim")
class GLU(Module):
    """One half of x times the sigmoid of the other."""

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


@fields("approximate: str = 'none'", "approximate!")
class GELU(Module):
    """x times the normal distribution function of x, or its tanh approximation."""

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


@fields("lambd: float = 0.5", ".lambd")
class Hardshrink(Module):
    """x where its magnitude is above lambd, 0 elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


@fields("negative_slope: float = 1e-2, inplace: bool = False", "negative_slope inplace?")
class LeakyReLU(Module):
    """x where positive, negative_slope * x elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


@fields("beta: float = 1.0, threshold: float = 20.0", "beta threshold")
class Softplus(Module):
    """log(1 + exp(beta * x)) / beta."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


@fields("lambd: float = 0.5", ".lambd")
class Softshrink(Module):
    """x moved towards 0 by lambd, 0 where it is nearer."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """Leaky ReLU whose slope is learned, one for all or one per channel."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(jgrad.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """All slopes become `init`."""
        self.weight.data.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


@fields("dim: int | None = None", "dim")
class Softmin(Module):
    """softmax(-x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class Softmax(Module):
    """exp(x), scaled to sum 1 along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Softmax over the channels of images."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class LogSoftmax(Module):
    """log(softmax(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)
