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
    """Each element where it is above `threshold`, `value` elsewhere.

    Args:
        threshold: elements above this number are kept
        value: the number that replaces all other elements
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1 where the
    element was kept and 0 elsewhere.

    >>> layer = jgrad.nn.Threshold(2.0, -1.0)
    >>> layer(jgrad.tensor([1., 2., 3.]))
    tensor([-1., -1.,  3.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


@fields("inplace: bool = False", "inplace?")
class ReLU(Module):
    """Each element where it is positive, 0 elsewhere: `max(0, input)`.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1 where the input
    is positive and 0 elsewhere, at 0 too.

    >>> x = jgrad.tensor([-2., 0., 3.], requires_grad=True)
    >>> y = jgrad.nn.ReLU()(x)
    >>> y.detach()
    tensor([0., 0., 3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


@fields("lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False", "lower upper inplace?")
class RReLU(Module):
    """`LeakyReLU` with a random slope for each element that is not positive. In training mode the slopes are drawn uniformly between `lower` and
    `upper`. In evaluation mode all slopes are the mean of these two.

    Args:
        lower: the smallest slope
        upper: the largest slope; it must not be below `lower`
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1 for positive
    elements, and for the others it is the slope that was used.

    >>> layer = jgrad.nn.RReLU(0.25, 0.75)
    >>> layer.eval()(jgrad.tensor([-8., 8.]))
    tensor([-4.,  8.])
    >>> y = layer.train()(jgrad.full((1000,), -8.))
    >>> bool((y >= -6).all() and (y <= -2).all())
    True
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(Module):
    """Each element, clamped to the range from `min_val` to `max_val`.

    Args:
        min_val: the smallest value of the result
        max_val: the largest value of the result
        inplace: True writes the result into the input, which must not be a leaf that requires grad
        min_value: the former name of `min_val`; gives a FutureWarning. None leaves `min_val` as it is
        max_value: the former name of `max_val`; gives a FutureWarning. None leaves `max_val` as it is

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1 strictly
    between the two limits and 0 elsewhere, at the limits too. Raises AssertionError if `max_val` is not above `min_val`.

    >>> x = jgrad.tensor([-2., 0.5, 1.], requires_grad=True)
    >>> y = jgrad.nn.Hardtanh()(x)
    >>> y.detach()
    tensor([-1.0000,  0.5000,  1.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 0.])
    """

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
    """Each element, clamped to the range from 0 to 6: `min(max(0, input), 6)`.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1 strictly
    between 0 and 6, and 0 elsewhere.

    >>> jgrad.nn.ReLU6()(jgrad.tensor([-2., 3., 8.]))
    tensor([0., 3., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Sigmoid(Module):
    """`1 / (1 + exp(-input))` for each element: a smooth curve from 0 to 1.

    Returns, when called, a new tensor with the shape of the input. The gradient is `output * (1 - output)`. It is 1/4 at 0, and almost 0 for large
    positive or negative inputs.

    >>> x = jgrad.tensor([-200., 0., 200.], requires_grad=True)
    >>> y = jgrad.nn.Sigmoid()(x)
    >>> y.detach()
    tensor([0.0000, 0.5000, 1.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.0000, 0.2500, 0.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.sigmoid(input)


@fields("inplace: bool = False")
class Hardsigmoid(Module):
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between -3 and 3, and 1 from 3 on.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1/6 strictly
    between -3 and 3, and 0 elsewhere.

    >>> jgrad.nn.Hardsigmoid()(jgrad.tensor([-4., 0., 1.5, 4.]))
    tensor([0.0000, 0.5000, 0.7500, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """The hyperbolic tangent of each element: a smooth curve from -1 to 1 that goes through 0.

    Returns, when called, a new tensor with the shape of the input. The gradient is `1 - output ** 2`. It is 1 at 0, and almost 0 for large positive
    or negative inputs.

    >>> x = jgrad.tensor([-100., 0., 100.], requires_grad=True)
    >>> y = jgrad.nn.Tanh()(x)
    >>> y.detach()
    tensor([-1.,  0.,  1.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return jgrad.tanh(input)


@fields("inplace: bool = False", "inplace?")
class SiLU(Module):
    """Each element times its sigmoid: `input * sigmoid(input)`. It is also called swish.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.

    >>> x = jgrad.tensor([0., 200.], requires_grad=True)
    >>> y = jgrad.nn.SiLU()(x)
    >>> y.detach()
    tensor([  0., 200.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


@fields("inplace: bool = False", "inplace?")
class Mish(Module):
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`. The curve is smooth and is slightly below 0 for
    negative elements.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.

    >>> jgrad.nn.Mish()(jgrad.tensor([0., 100.]))
    tensor([  0., 100.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


@fields("inplace: bool = False")
class Hardswish(Module):
    """Each element times its `Hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between -3 and 3, and `input` from 3 on.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.

    >>> jgrad.nn.Hardswish()(jgrad.tensor([0., 1.5, 4.]))
    tensor([0.0000, 1.1250, 4.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class ELU(Module):
    """Each element where it is positive, `alpha * (exp(input) - 1)` elsewhere.

    Args:
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. In-place, the gradient is
    computed from the result. So `backward` raises RuntimeError if `inplace` is True and `alpha` is negative.

    >>> layer = jgrad.nn.ELU(alpha=0.5)
    >>> layer(jgrad.tensor([-100., 0., 2.]))
    tensor([-0.5000,  0.0000,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


@fields("alpha: float = 1.0, inplace: bool = False", "alpha inplace?")
class CELU(Module):
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere. The slope at 0 is 1 on both sides, for every `alpha`; `ELU`
    has this for `alpha=1` only.

    Args:
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`; must not be 0
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.

    >>> layer = jgrad.nn.CELU(alpha=0.5)
    >>> layer(jgrad.tensor([-100., 0., 2.]))
    tensor([-0.5000,  0.0000,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


@fields("inplace: bool = False", "inplace?")
class SELU(Module):
    """`ELU` with fixed numbers: `1.0507 * input` where the input is positive, `1.0507 * 1.6733 * (exp(input) - 1)` elsewhere (both numbers are
    rounded). They keep the mean at 0 and the variance at 1 through many layers.

    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.

    >>> jgrad.nn.SELU()(jgrad.tensor([-100., 0., 1.]))
    tensor([-1.7581,  0.0000,  1.0507])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


@fields("dim: int = -1", "dim")
class GLU(Module):
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first half passes.

    Args:
        dim: the dimension that is split in two halves; its size must be even. Negative numbers count from the last one

    Returns, when called, a new tensor in which the size of `dim` is half of that in the input. Raises RuntimeError if the size is odd.

    >>> gate = jgrad.nn.GLU()
    >>> gate(jgrad.tensor([4., 4., 4., 100., 0., -100.]))
    tensor([4., 2., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


@fields("approximate: str = 'none'", "approximate!")
class GELU(Module):
    """Each element times the probability that a standard normal variable is below it.

    Args:
        approximate: 'none' computes the probability with `erf`; 'tanh' uses a formula with `tanh` that gives almost the same

    Returns, when called, a new tensor with the shape of the input. Raises RuntimeError, when called, for any other `approximate`.

    >>> jgrad.nn.GELU()(jgrad.tensor([-1., 0., 1., 100.]))
    tensor([ -0.1587,   0.0000,   0.8413, 100.0000])
    >>> jgrad.nn.GELU("tanh")(jgrad.tensor([-1., 0., 1., 100.]))
    tensor([ -0.1588,   0.0000,   0.8412, 100.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


@fields("lambd: float = 0.5", ".lambd")
class Hardshrink(Module):
    """Each element where its absolute value is above `lambd`, 0 elsewhere.

    Args:
        lambd: elements between `-lambd` and `lambd` become 0, both limits included

    Returns, when called, a new tensor with the shape of the input. The gradient is 1 where the element was kept and 0 elsewhere.

    >>> layer = jgrad.nn.Hardshrink(lambd=1.0)
    >>> layer(jgrad.tensor([-3., -1., 0.5, 2.]))
    tensor([-3.,  0.,  0.,  2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


@fields("negative_slope: float = 1e-2, inplace: bool = False", "negative_slope inplace?")
class LeakyReLU(Module):
    """Each element where it is positive, `negative_slope * input` elsewhere.

    Args:
        negative_slope: the factor for elements that are not positive; it is also their gradient
        inplace: True writes the result into the input, which must not be a leaf that requires grad

    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. In-place, the gradient is
    computed from the result. So `backward` raises RuntimeError if `inplace` is True and `negative_slope` is negative.

    >>> x = jgrad.tensor([-2., 3.], requires_grad=True)
    >>> y = jgrad.nn.LeakyReLU(0.5)(x)
    >>> y.detach()
    tensor([-1.,  3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """The logarithm of the sigmoid of each element: `log(1 / (1 + exp(-input)))`. It is computed in one step, so that large negative elements do not
    give -inf.

    Returns, when called, a new tensor with the shape of the input. All elements are negative or 0.

    >>> x = jgrad.tensor([-200., 200.])
    >>> jgrad.nn.LogSigmoid()(x)
    tensor([-200.,    0.])
    >>> jgrad.sigmoid(x).log()
    tensor([-inf, 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


@fields("beta: float = 1.0, threshold: float = 20.0", "beta threshold")
class Softplus(Module):
    """A smooth version of `ReLU`: `log(1 + exp(beta * input)) / beta`. The result is never negative.

    Args:
        beta: how sharp the bend at 0 is; for larger numbers the curve is nearer to `ReLU`
        threshold: where `beta * input` is above this number, the result is the input itself, so that `exp` does not overflow

    Returns, when called, a new tensor with the shape of the input. The gradient is `sigmoid(beta * input)`, and 1 above the threshold.

    >>> x = jgrad.tensor([0., 50.], requires_grad=True)
    >>> y = jgrad.nn.Softplus()(x)
    >>> y.detach()
    tensor([ 0.6931, 50.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


@fields("lambd: float = 0.5", ".lambd")
class Softshrink(Module):
    """Each element, moved towards 0 by `lambd`. Elements between `-lambd` and `lambd` become 0.

    Args:
        lambd: how far elements are moved; it must not be negative

    Returns, when called, a new tensor with the shape of the input. The gradient is 0 for elements that became 0 and 1 for the others. Raises
    RuntimeError, when called, if `lambd` is negative.

    >>> layer = jgrad.nn.Softshrink(lambd=1.0)
    >>> layer(jgrad.tensor([-3., 0.5, 2.]))
    tensor([-2.,  0.,  1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """`LeakyReLU` whose slope is learned: each element where it is positive, `weight * input` elsewhere.

    Args:
        num_parameters: 1 for one slope for all elements, or the number of channels for one slope for each channel. Channels are dimension 1 of the
            input; an input with one dimension has a single channel
        init: the value of all slopes at the beginning
        device, dtype: the device and dtype of the parameter; None means the default ones

    Returns, when called, a new tensor with the shape of the input. The slopes are the parameter `weight` of shape `(num_parameters,)`. Its gradient
    is the sum of the elements that are not positive, each times the gradient of its result.

    >>> layer = jgrad.nn.PReLU(init=0.5)
    >>> y = layer(jgrad.tensor([-2., -4., 3.]))
    >>> y.detach()
    tensor([-1., -2.,  3.])
    >>> y.sum().backward()
    >>> layer.weight.grad
    tensor([-6.])
    """

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
    """`input / (1 + abs(input))` for each element: a curve from -1 to 1 that is flatter than `Tanh`.

    Returns, when called, a new tensor with the shape of the input.

    >>> jgrad.nn.Softsign()(jgrad.tensor([-3., 0., 1.]))
    tensor([-0.7500,  0.0000,  0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """Each element minus its hyperbolic tangent: `input - tanh(input)`. Elements near 0 become almost 0.

    Returns, when called, a new tensor with the shape of the input.

    >>> jgrad.nn.Tanhshrink()(jgrad.tensor([-20., 0., 20.]))
    tensor([-19.,   0.,  19.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


@fields("dim: int | None = None", "dim")
class Softmin(Module):
    """`Softmax` of `-input`: numbers between 0 and 1 that sum to 1 along `dim`. The smallest element gets the largest number.

    Args:
        dim: the dimension along which the results sum to 1; negative numbers count from the last one. None gives a warning and chooses dimension 0
            for inputs with 0, 1 or 3 dimensions, dimension 1 for all others

    Returns, when called, a new tensor with the shape of the input.

    >>> jgrad.nn.Softmin(dim=0)(jgrad.tensor([0., 0., 200.]))
    tensor([0.5000, 0.5000, 0.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class Softmax(Module):
    """Probabilities from scores: `exp(input)`, divided by its sum along `dim`. The results are between 0 and 1 and sum to 1 along `dim`.

    Args:
        dim: the dimension along which the results sum to 1; negative numbers count from the last one. None gives a warning and chooses dimension 0
            for inputs with 0, 1 or 3 dimensions, dimension 1 for all others

    Returns, when called, a new tensor with the shape of the input. The largest element is subtracted first, so that `exp` does not overflow. Adding
    the same number to all elements changes nothing, so the gradients sum to 0 along `dim`. `CrossEntropyLoss` takes scores: do not put a `Softmax`
    before it.

    >>> layer = jgrad.nn.Softmax(dim=1)
    >>> layer(jgrad.tensor([[1., 1.], [200., 0.]]))
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """`Softmax` over the channels of images: at each pixel the channels sum to 1.

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)` or `(C, H, W)`. Raises ValueError for another number of
    dimensions.

    >>> y = jgrad.nn.Softmax2d()(jgrad.zeros(1, 4, 2, 2))
    >>> y[0, :, 0, 0]
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


@fields("dim: int | None = None", "dim")
class LogSoftmax(Module):
    """The logarithm of `Softmax`: `input - log(sum(exp(input)))`, with the sum along `dim`. It is computed in one step, so that small probabilities
    do not give -inf.

    Args:
        dim: the dimension along which the probabilities sum to 1; negative numbers count from the last one. None gives a warning and chooses
            dimension 0 for inputs with 0, 1 or 3 dimensions, dimension 1 for all others

    Returns, when called, a new tensor with the shape of the input. No element is positive. `NLLLoss` takes such logarithms.

    >>> x = jgrad.tensor([200., 0.])
    >>> jgrad.nn.LogSoftmax(dim=0)(x)
    tensor([   0., -200.])
    >>> jgrad.nn.Softmax(dim=0)(x).log()
    tensor([0., -inf])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)
