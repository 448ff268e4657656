"""Activations of neural networks: functions of one tensor, element by element (or, for `glu`, half by half)."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE, composite, formula, op
from jgrad.dispatch.options import FUNCTIONAL, INTERNAL, Options
from jgrad.ops.by_name import cat, conj, exp, sigmoid, split, tanh, threshold_backward, where
from jgrad.ops.creation import ZERO, empty_like, zeros_like
from jgrad.random import Generator
from jgrad.tensor import Tensor

PUBLIC: Options = {"namespace": "nn.functional", "forms": "function"}
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


# ----- Clamped to a range -----


@op("hardtanh(Tensor self, Number min_val=-1, Number max_val=1) -> Tensor", batches="elementwise", **INTERNAL)
class hardtanh:
    """self, held between min_val and max_val; no gradient on or outside them."""

    self = lambda grad, self, min_val, max_val: hardtanh_backward(grad, self, min_val, max_val)


@op(
    "hardtanh_(Tensor(a!) self, Number min_val=-1, Number max_val=1) -> Tensor",
    **PUBLIC,
    node="HardtanhBackward0",
    checked_before_overlap="hardtanh",
    batches="elementwise",
)
class hardtanh_:
    """Clamps each element of the tensor to the range from `min_val` to `max_val`, in place."""

    self = lambda grad, self, min_val, max_val: hardtanh_backward(grad, self, min_val, max_val)


@op(
    "hardtanh_backward(Tensor grad_output, Tensor self, Number min_val, Number max_val) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class hardtanh_backward:
    """The gradient strictly inside the limits, zero elsewhere."""

    grad_output = lambda grad, self, min_val, max_val: hardtanh_backward(grad, self, min_val, max_val)
    self = ZERO


@op("hardsigmoid(Tensor self) -> Tensor", batches="elementwise", **INTERNAL)
class hardsigmoid:
    """A sigmoid of three straight lines: 0 up to -3, 1 from 3 on."""

    self = lambda grad, self: hardsigmoid_backward(grad, self)


@op(
    "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
    **INTERNAL,
    undifferentiable=True,
    batches="elementwise",
)
class hardsigmoid_backward:
    """A sixth of the gradient between -3 and 3."""


@op("hardswish(Tensor self) -> Tensor", batches="elementwise", **INTERNAL)
class hardswish:
    """self * hardsigmoid(self)."""

    self = lambda grad, self: hardswish_backward(grad, self)


@op("hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", batches="elementwise", **INTERNAL)
class hardswish_backward:
    """The gradient of hardswish."""

    grad_output = lambda grad, self: hardswish_backward(grad, self)
    self = lambda grad, grad_output, self: where(
        (self > -3) & (self < 3), grad * grad_output / 3, zeros_like(grad)
    )


@op(
    "threshold(Tensor self, Number threshold, Number value) -> Tensor",
    forms="function out",
    batches="elementwise",
)
class threshold:
    """Each element where it is above `threshold`, `value` elsewhere."""

    self = lambda grad, self, threshold: threshold_backward(grad, self, threshold)


@op(
    "threshold_(Tensor(a!) self, Number threshold, Number value) -> Tensor",
    forms="function",
    node="ThresholdBackward1",
    batches="elementwise",
)
class threshold_:
    """Writes `value` into the tensor at each element that is not above `threshold`."""

    self = lambda grad, self, threshold: threshold_backward(grad, self, threshold)


@op("hardshrink(Tensor self, Number lambd=0.5) -> Tensor", forms="function method out", batches="elementwise")
class hardshrink:
    """Each element, with those from `-lambd` to `lambd` set to zero."""

    self = lambda grad, self, lambd: hardshrink_backward(grad, self, lambd)


@op(
    "hardshrink_backward(Tensor grad_out, Tensor self, Number lambd) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class hardshrink_backward:
    """The gradient outside -lambd to lambd."""

    grad_out = lambda grad, self, lambd: hardshrink_backward(grad, self, lambd)
    self = ZERO


@op("softshrink(Tensor self, Number lambd=0.5) -> Tensor", batches="elementwise", **FUNCTIONAL)
class softshrink:
    """Each element, moved towards zero by `lambd`; elements from `-lambd` to `lambd` become zero."""

    self = lambda grad, self, lambd: softshrink_backward(grad, self, lambd)


@op(
    "softshrink_backward(Tensor grad_output, Tensor self, Number lambd) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class softshrink_backward:
    """The gradient outside -lambd to lambd."""

    grad_output = lambda grad, self, lambd: softshrink_backward(grad, self, lambd)
    self = ZERO


# ----- Smooth at both ends -----


@op("gelu(Tensor self, *, str approximate='none') -> Tensor", batches="elementwise", **FUNCTIONAL)
class gelu:
    """Each element times the probability that a number of the standard normal distribution is below it."""

    self = lambda grad, self, approximate: gelu_backward(grad, self, approximate)


@op(
    "gelu_backward(Tensor grad_output, Tensor self, str approximate) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class gelu_backward:
    """The gradient of gelu."""

    grad_output = lambda grad, self, approximate: gelu_backward(grad, self, approximate)
    self = lambda grad, grad_output, self, approximate: gelu_double_backward(
        grad * grad_output, self, approximate
    )


@formula
def gelu_double_backward(grad: Any, base: Any, approximate: str) -> Any:
    """grad times the second derivative of gelu."""
    if approximate == "none":
        return grad * (2 - base * base) * exp(base * base * -0.5) * 0.3989422804014327
    root, cubic = 0.7978845608028654, 0.044715
    inner = tanh(root * (base + cubic * base * base * base))
    slope = root * (1 + 3 * cubic * base * base)
    return grad * (1 - inner * inner) * (slope + base * (3 * root * cubic * base - inner * slope * slope))


@op("silu(Tensor self) -> Tensor", **INTERNAL, real_gradient=True, batches="elementwise")
class silu:
    """self * sigmoid(self)."""

    self = lambda grad, self: silu_backward(grad, self)


@formula
def silu_backward(grad: Any, base: Any) -> Any:
    """The gradient of silu."""
    share = sigmoid(base)
    return grad * conj(share * (1 + base * (1 - share)))


@op("mish(Tensor self) -> Tensor", batches="elementwise", **INTERNAL)
class mish:
    """self * tanh(softplus(self))."""

    self = lambda grad, self: mish_backward(grad, self)


@formula
def mish_backward(grad: Any, base: Any) -> Any:
    """The gradient of mish."""
    gate = tanh(softplus(base, 1, 20))
    return grad * (gate + base * sigmoid(base) * (1 - gate * gate))


@op(
    "softplus(Tensor self, Number beta=1, Number threshold=20) -> Tensor", batches="elementwise", **FUNCTIONAL
)
class softplus:
    """A smooth `relu`: `log(1 + exp(beta * input)) / beta`. Where `beta * input` is above the threshold, the result is `input` itself."""

    self = lambda grad, self, beta, threshold: softplus_backward(grad, self, beta, threshold)


@op(
    "softplus_backward(Tensor grad_output, Tensor self, Number beta, Number threshold) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class softplus_backward:
    """The gradient of softplus."""

    grad_output = lambda grad, self, beta, threshold: softplus_backward(grad, self, beta, threshold)
    self = lambda grad, grad_output, self, beta, threshold: softplus_double_backward(
        grad * grad_output, self, beta, threshold
    )


@formula
def softplus_double_backward(grad: Any, base: Any, beta: Any, threshold: Any) -> Any:
    """grad times the second derivative of softplus."""
    share = sigmoid(base * beta)
    return where(base * beta > threshold, zeros_like(grad), grad * share * (1 - share) * beta)


@op(
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    **INTERNAL,
    node="LogSigmoidBackward0",
    constant="buffer",
    batches="elementwise",
)
class log_sigmoid_forward:
    """The logarithm of the sigmoid, and exp(-abs(self)) for its derivative."""

    self = lambda grad, self, buffer: log_sigmoid_backward(grad, self, buffer)


@op(
    "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class log_sigmoid_backward:
    """The gradient of the logarithm of the sigmoid."""

    grad_output = lambda grad, self, buffer: log_sigmoid_backward(grad, self, buffer)
    self = lambda grad, grad_output, self: -grad * grad_output * sigmoid(self) * (1 - sigmoid(self))


@composite("log_sigmoid(Tensor self) -> Tensor", **FUNCTIONAL)
def log_sigmoid(self: Tensor) -> Tensor:
    """The logarithm of the sigmoid. It does not overflow: `sigmoid(input).log()` gives -inf where the sigmoid is rounded to zero."""
    return log_sigmoid_forward(self)[0]


# Its errors say log_sigmoid(), users write logsigmoid.
TABLE["nn.functional.logsigmoid"] = TABLE.pop("nn.functional.log_sigmoid")
TABLE["nn.functional.logsigmoid"].public = "logsigmoid"


# ----- Of two slopes -----


@op(
    "elu(Tensor self, Number alpha=1, Number scale=1, Number input_scale=1) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class elu:
    """scale * self where that is positive, alpha * scale * (exp(input_scale * self) - 1) elsewhere."""

    self = lambda grad, self, alpha, scale, input_scale: elu_backward(
        grad, alpha, scale, input_scale, False, self
    )


@op(
    "elu_(Tensor(a!) self, Number alpha=1, Number scale=1, Number input_scale=1) -> Tensor",
    **PUBLIC,
    node="EluBackward1",
    batches="elementwise",
)
class elu_:
    """Writes `scale * input` into each positive element of the tensor, and `alpha * scale * (exp(input_scale * input) - 1)` into the others."""

    self = lambda grad, result, alpha, scale, input_scale: elu_backward(
        grad, alpha, scale, input_scale, True, result
    )


@op(
    "elu_backward(Tensor grad_output, Number alpha, Number scale, Number input_scale, bool is_result, Tensor self_or_result) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class elu_backward:
    """The gradient of elu, from its input or its result."""

    grad_output = lambda grad, alpha, scale, input_scale, is_result, self_or_result: elu_backward(
        grad, alpha, scale, input_scale, is_result, self_or_result
    )
    self_or_result = lambda grad, grad_output, alpha, scale, input_scale, is_result, self_or_result: (
        elu_double_backward(grad * grad_output, alpha, scale, input_scale, is_result, self_or_result)
    )


@formula
def elu_double_backward(
    grad: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool, base: Any
) -> Any:
    """grad times how the slope of elu changes with its input, or with its result."""
    if is_result:
        change = grad * input_scale
    else:
        change = grad * exp(base * input_scale) * (input_scale * input_scale * alpha * scale)
    return where(base < 0, change, zeros_like(grad))


@composite("selu(Tensor self) -> Tensor", forms="function")
def selu(self: Tensor) -> Tensor:
    """`elu` with fixed numbers: `scale * elu(input, alpha)` with `scale` = 1.0507 and `alpha` = 1.6733 (rounded).
    These two numbers keep the mean at 0 and the variance at 1 through many layers."""
    return elu(self, SELU_ALPHA, SELU_SCALE, 1)


@composite("selu_(Tensor(a!) self) -> Tensor", forms="function")
def selu_(self: Tensor) -> Tensor:
    """Replaces each element of the tensor by its `selu`."""
    return elu_(self, SELU_ALPHA, SELU_SCALE, 1)


@op("celu(Tensor self, Number alpha=1.0) -> Tensor", forms="function", batches="elementwise")
class celu:
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere.
    For every `alpha` the slope is 1 on both sides of zero; `elu` has this for `alpha` = 1 only."""

    self = lambda grad, self, alpha: elu_backward(grad, alpha, 1, 1.0 / alpha, False, self)


@op(
    "celu_(Tensor(a!) self, Number alpha=1.0) -> Tensor",
    forms="function",
    node="CeluBackward1",
    batches="elementwise",
)
class celu_:
    """Replaces each element of the tensor by its `celu`: positive ones stay, the others become `alpha * (exp(input / alpha) - 1)`."""

    self = lambda grad, result, alpha: elu_backward(grad, alpha, 1, 1.0 / alpha, True, result)


@op("leaky_relu(Tensor self, Number negative_slope=0.01) -> Tensor", batches="elementwise", **INTERNAL)
class leaky_relu:
    """self where it is positive, negative_slope * self elsewhere."""

    self = lambda grad, self, negative_slope: leaky_relu_backward(grad, self, negative_slope, False)


@op(
    "leaky_relu_(Tensor(a!) self, Number negative_slope=0.01) -> Tensor",
    **PUBLIC,
    node="LeakyReluBackward1",
    batches="elementwise",
)
class leaky_relu_:
    """Multiplies each element of the tensor that is not positive by `negative_slope`."""

    self = lambda grad, result, negative_slope: leaky_relu_backward(grad, result, negative_slope, True)


@op(
    "leaky_relu_backward(Tensor grad_output, Tensor self, Number negative_slope, bool self_is_result) -> Tensor",
    batches="elementwise",
    **INTERNAL,
)
class leaky_relu_backward:
    """The gradient of leaky_relu, from its input or its result."""

    grad_output = lambda grad, self, negative_slope: leaky_relu_backward(grad, self, negative_slope, False)
    self = ZERO


@op(
    "_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
    **INTERNAL,
    kernel="prelu_kernel",
    node="PreluKernelBackward0",
)
class _prelu_kernel:
    """self where it is positive, weight * self elsewhere."""

    self = weight = lambda grad, self, weight: prelu_kernel_backward(grad, self, weight)


@op("prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)", **INTERNAL)
class prelu_kernel_backward:
    """The gradients of prelu for its input and its weight."""

    grad_output = self = weight = lambda grads, grad_output, self, weight: prelu_double_backward(
        grads[0], grads[1], grad_output, self, weight
    )


@formula
def prelu_double_backward(by_input: Any, by_weight: Any, grad: Any, base: Any, weight: Any) -> Any:
    """The gradients of prelu_kernel_backward; of its two results one may have been left unused."""
    nothing = zeros_like(grad)
    by_input = nothing if by_input is None else by_input
    by_weight = nothing if by_weight is None else by_weight
    positive = base > 0
    return (
        where(positive, by_input, by_input * weight + by_weight * base),
        where(positive, nothing, grad * by_weight),
        where(positive, nothing, grad * by_input),
    )


@composite("prelu(Tensor self, Tensor weight) -> Tensor", forms="function method")
def prelu(self: Tensor, weight: Tensor) -> Tensor:
    """Each element where it is positive, `weight * input` elsewhere. The weight is a tensor, so that it can be learned."""
    if self._a.dtype != weight._a.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {self.dtype.type_name} and {weight.dtype.type_name}"
        )
    if weight._a.size != 1:
        if self._a.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = self._a.shape[1] if self._a.ndim > 1 else 1
        if channels != weight._a.size:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight._a.size} and channel size = "
                f"{channels}."
            )
    if weight._a.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight._a.ndim}"
        )
    if self._a.ndim != weight._a.ndim:
        shape = [1] * self._a.ndim
        shape[1:2] = [weight._a.size] * (self._a.ndim > 1)
        weight = weight.reshape(tuple(shape))
    return _prelu_kernel(self, weight)


@op(
    "rrelu_with_noise(Tensor self, Tensor noise, Number lower, Number upper, bool training, Generator? generator) -> Tensor",
    **INTERNAL,
)
class rrelu_with_noise:
    """leaky_relu, in training with slopes drawn between lower and upper, which `noise` then holds."""

    self = lambda grad, self, noise, lower, upper, training: rrelu_with_noise_backward(
        grad, self, noise, lower, upper, training, False
    )


@op(
    "rrelu_with_noise_(Tensor(a!) self, Tensor noise, Number lower, Number upper, bool training, Generator? generator) -> Tensor",
    **INTERNAL,
    node="RreluWithNoiseBackward1",
)
class rrelu_with_noise_:
    """rrelu_with_noise into its own argument."""

    self = lambda grad, result, noise, lower, upper, training: rrelu_with_noise_backward(
        grad, result, noise, lower, upper, training, True
    )


@op(
    "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Number lower, Number upper, bool training, "
    "bool self_is_result) -> Tensor",
    **INTERNAL,
)
class rrelu_with_noise_backward:
    """The gradient of rrelu."""

    grad_output = lambda grad, self, noise, lower, upper, training: rrelu_with_noise_backward(
        grad, self, noise, lower, upper, training, False
    )
    self = ZERO


_RRELU = "Number lower=0.125, Number upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor"


@composite(f"rrelu(Tensor self, {_RRELU}", forms="function")
def rrelu(
    self: Tensor,
    lower: Any = 0.125,
    upper: Any = 0.3333333333333333,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """`leaky_relu` with a random slope for each element that is not positive.
    In training the slopes are drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two."""
    return rrelu_with_noise(self, empty_like(self), lower, upper, training, generator)


@composite(f"rrelu_(Tensor(a!) self, {_RRELU}", forms="function")
def rrelu_(
    self: Tensor,
    lower: Any = 0.125,
    upper: Any = 0.3333333333333333,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """Multiplies each element of the tensor that is not positive by a slope.
    In training each slope is drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two."""
    return rrelu_with_noise_(self, empty_like(self), lower, upper, training, generator)


# ----- Gated -----


@op("glu(Tensor self, int dim=-1) -> Tensor", batches="dim", **INTERNAL)
class glu:
    """The first half along a dimension times the sigmoid of the second."""

    self = lambda grad, self, dim: glu_backward(grad, self, dim)


@op("glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", batches="dim", **INTERNAL)
class glu_backward:
    """The gradient of glu."""

    grad_output = lambda grad, self, dim: glu_double_backward_grad_output(grad, self, dim)
    self = lambda grad, grad_output, self, dim: glu_double_backward(grad, grad_output, self, dim)


@formula
def glu_double_backward_grad_output(grad: Any, base: Any, dim: int) -> Any:
    """The gradient of glu_backward for the gradient it was given."""
    half = base.shape[dim] // 2
    first, second = split(base, half, dim)
    by_first, by_second = split(grad, half, dim)
    gate = sigmoid(second)
    return by_first * gate + by_second * first * gate * (1 - gate)


@formula
def glu_double_backward(grad: Any, grad_output: Any, base: Any, dim: int) -> Any:
    """The gradient of glu_backward for the input of glu."""
    half = base.shape[dim] // 2
    first, second = split(base, half, dim)
    by_first, by_second = split(grad, half, dim)
    gate = sigmoid(second)
    slope = grad_output * gate * (1 - gate)
    return cat([by_second * slope, by_first * slope + by_second * first * slope * (1 - 2 * gate)], dim)
