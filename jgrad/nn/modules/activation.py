"""Activations: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.module import Module, fields
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor
from jgrad.warn import say


@fields("threshold: float, value: float, inplace: bool = False", "threshold value inplace?")
class Threshold(Module):
    """Each element where it is above `threshold`, `value` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


@fields("inplace: bool = False", "inplace?")
class ReLU(Module):
    """Each element where it is positive, 0 elsewhere: `max(0, input)`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


@fields("lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False", "lower upper inplace?")
class RReLU(Module):
    """`LeakyReLU` with a random slope for each element that is not positive. In training mode the slopes are drawn uniformly between `lower` and
    `upper`. In evaluation mode all slopes are the mean of these two."""

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(Module):
    """Each element, clamped to the range from `min_val` to `max_val`."""

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
    say(f"keyword argument `{old}` is deprecated and renamed to `{new}`", FutureWarning)


class ReLU6(Hardtanh):
    """Each element, clamped to the range from 0 to 6: `min(max(0, input), 6)`."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Sigmoid(Module):
    """`1 / (1 + exp(-input))` for each element: a smooth curve from 0 to 1."""

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.sigmoid(input)


@fields("inplace: bool = False")
class Hardsigmoid(Module):
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between -3 and 3, and 1 from 3 on."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """The hyperbolic tangent of each element: a smooth curve from -1 to 1 that goes through 0."""

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.tanh(input)


@fields("inplace: bool = False", "inplace?")
class SiLU(Module):
    """Each element times its sigmoid: `input * sigmoid(input)`. It is also called swish."""

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


@fields("inplace: bool = False", "inplace?")
class Mish(Module):
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`. The curve is smooth and is slightly below 0 for
    negative elements."""

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


@fields("inplace: bool = False")
class Hardswish(Module):
    """Each element times its `Hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between -3 and 3, and `input` from 3 on."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class ELU(Module):
    """Each element where it is positive, `alpha * (exp(input) - 1)` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class CELU(Module):
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere. The slope at 0 is 1 on both sides, for every `alpha`; `ELU`
    has this for `alpha=1` only."""

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


@fields("inplace: bool = False", "inplace?")
class SELU(Module):
    """`ELU` with fixed numbers: `1.0507 * input` where the input is positive, `1.0507 * 1.6733 * (exp(input) - 1)` elsewhere (both numbers are
    rounded). They keep the mean at 0 and the variance at 1 through many layers."""

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


@fields("dim: int = -1", "dim")
class GLU(Module):
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first half passes."""

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


@fields("approximate: str = 'none'", "approximate!")
class GELU(Module):
    """Each element times the probability that a standard normal variable is below it."""

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


@fields("lambd: float = 0.5", ".lambd")
class Hardshrink(Module):
    """Each element where its absolute value is above `lambd`, 0 elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


@fields("negative_slope: float = 1e-2, inplace: bool = False", "negative_slope inplace?")
class LeakyReLU(Module):
    """Each element where it is positive, `negative_slope * input` elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """The logarithm of the sigmoid of each element: `log(1 / (1 + exp(-input)))`. It is computed in one step, so that large negative elements do not
    give -inf."""

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


@fields("beta: float = 1.0, threshold: float = 20.0", "beta threshold")
class Softplus(Module):
    """A smooth version of `ReLU`: `log(1 + exp(beta * input)) / beta`. The result is never negative."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


@fields("lambd: float = 0.5", ".lambd")
class Softshrink(Module):
    """Each element, moved towards 0 by `lambd`. Elements between `-lambd` and `lambd` become 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """`LeakyReLU` whose slope is learned: each element where it is positive, `weight * input` elsewhere."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(jgrad.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set all slopes to `init`."""
        self.weight.data.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softsign(Module):
    """`input / (1 + abs(input))` for each element: a curve from -1 to 1 that is flatter than `Tanh`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """Each element minus its hyperbolic tangent: `input - tanh(input)`. Elements near 0 become almost 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


@fields("dim: int | None = None", "dim")
class Softmin(Module):
    """`Softmax` of `-input`: numbers between 0 and 1 that sum to 1 along `dim`. The smallest element gets the largest number."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class Softmax(Module):
    """Probabilities from scores: `exp(input)`, divided by its sum along `dim`. The results are between 0 and 1 and sum to 1 along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """`Softmax` over the channels of images: at each pixel the channels sum to 1."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class LogSoftmax(Module):
    """The logarithm of `Softmax`: `input - log(sum(exp(input)))`, with the sum along `dim`. It is computed in one step, so that small probabilities
    do not give -inf."""

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)


manual.attach(__name__)
