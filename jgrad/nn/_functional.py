"""The Python functions of `jgrad.nn.functional`: activations, normalizations, dropout, embeddings, distances, attention."""

from __future__ import annotations

import math
from typing import Any

import jgrad
from jgrad import warn
from jgrad.dispatch import TABLE
from jgrad.ops import activation
from jgrad.tensor import Tensor


def _inplace(name: str, *args: Any) -> Tensor:
    """An operation into its first argument."""
    return TABLE[name].call_inplace(args, {})


# Activations -------------------------------------------------------------------------------------------------------------------


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """input where it is positive, 0 elsewhere."""
    return jgrad.relu_(input) if inplace else jgrad.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """input, held between 0 and 6."""
    return _clamped(input, 0, 6, inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """input, held between min_val and max_val."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _clamped(input, min_val, max_val, inplace)


def _clamped(input: Tensor, low: float, high: float, inplace: bool) -> Tensor:
    return (activation.hardtanh_ if inplace else activation.hardtanh)(input, low, high)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A sigmoid of three straight lines: 0 up to -3, 1 from 3 on."""
    return _inplace("hardsigmoid", input) if inplace else activation.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
    return _inplace("hardswish", input) if inplace else activation.hardswish(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    return _inplace("silu", input) if inplace else activation.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    return _inplace("mish", input) if inplace else activation.mish(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input where it is positive, alpha * (exp(input) - 1) elsewhere."""
    return (activation.elu_ if inplace else activation.elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """The elu that keeps mean and variance of what goes through many layers."""
    return (jgrad.selu_ if inplace else jgrad.selu)(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input where it is positive, alpha * (exp(input / alpha) - 1) elsewhere."""
    return (jgrad.celu_ if inplace else jgrad.celu)(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """input where it is positive, negative_slope * input elsewhere."""
    return (activation.leaky_relu_ if inplace else activation.leaky_relu)(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """leaky_relu, in training with slopes drawn between lower and upper, otherwise with their mean."""
    return (jgrad.rrelu_ if inplace else jgrad.rrelu)(input, lower, upper, training)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """input where it is above the threshold, `value` elsewhere."""
    return (jgrad.threshold_ if inplace else jgrad.threshold)(input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return activation.glu(input, dim)


def softsign(input: Tensor) -> Tensor:
    """input / (1 + abs(input))."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def _softmax_dim(name: str, ndim: int) -> int:
    """The dimension that softmax takes if it is told none, with a warning."""
    warn.say(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """exp(input), divided so that it sums to 1 along a dimension."""
    dim = _softmax_dim("softmax", input.dim()) if dim is None else dim
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The softmax of -input."""
    dim = _softmax_dim("softmin", input.dim()) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of the softmax."""
    dim = _softmax_dim("log_softmax", input.dim()) if dim is None else dim
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """The softmax of logits with Gumbel noise: a sample that gradients flow through; `hard` gives one-hot samples."""
    if eps != 1e-10:
        warn.say("`eps` parameter is deprecated and has no effect.")
    noise = -jgrad.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = jgrad.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


# Normalizations ----------------------------------------------------------------------------------------------------------------


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize over the last dimensions, each sample by itself; then times weight, plus bias."""
    return jgrad.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divide by the root of the mean square over the last dimensions; then times weight."""
    return jgrad.rms_norm(input, normalized_shape, weight, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize each channel (dimension 1) over the batch, or by running statistics; then times weight, plus bias."""
    if training:
        size = input._a.shape
        if size[0] * math.prod(size[2:]) == 1:
            raise ValueError(
                f"Expected more than 1 value per channel when training, got input size {input.size()}"
            )
    return jgrad.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize each channel of each sample; then times weight, plus bias."""
    if use_input_stats and math.prod(input._a.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return jgrad.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize groups of channels of each sample; then times weight, plus bias."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    shape = input._a.shape
    size = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return jgrad.group_norm(input, num_groups, weight, bias, eps, False)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divide by a power of the mean square of the channels around each."""
    if input.dim() < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.dim()} dimensions)"
        )
    if input.numel() == 0:
        return input
    from jgrad.nn import functional

    square = input.mul(input)
    if input.dim() == 3:
        padded = functional.pad(square.unsqueeze(1), (0, 0, size // 2, (size - 1) // 2))
        around = functional.avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input._a.shape
        flat = square.view((sizes[0], 1, sizes[1], sizes[2], -1))
        padded = functional.pad(flat, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        around = functional.avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(sizes)
    return input / around.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Divide vectors, which lie along a dimension, by their norm (at least eps)."""
    length = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / length.clamp_min(eps).expand_as(input)
    return jgrad.div(input, length.clamp_min_(eps).expand_as(input), out=out)


# Dropout -----------------------------------------------------------------------------------------------------------------------


def _drop(name: str, input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return getattr(jgrad, name + "_" if inplace else name)(input, p, training)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """The input with elements set to zero with the probability p, the others scaled up."""
    return _drop("dropout", input, p, training, inplace)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps mean and variance, to go with selu."""
    return _drop("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Alpha dropout of whole channels."""
    return _drop("feature_alpha_dropout", input, p, training, inplace)


def _drop_channels(input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Tensor:
    """Dropout of whole channels; a single sample becomes a batch of one for it."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)  # noqa: A001
    result = (jgrad.feature_dropout_ if inplace else jgrad.feature_dropout)(input, p, training)
    if batched:
        return result
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, length)."""
    n = input.dim()
    if n not in (2, 3) and 0.0 <= p <= 1.0:
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {n}D input. Note that dropout1d exists to provide channel-wise dropout on "
            "inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _drop_channels(input, p, training, inplace, n == 3)


def _warn_of_dimensions(name: str, n: int, spatial: int) -> None:
    warn.say(
        f"{name}: Received a {n}-D input to {name}, which is deprecated and will result in an error in a future release. To retain the "
        f"behavior and silence this warning, please use dropout instead. Note that {name} exists to provide channel-wise dropout on inputs "
        f"with {spatial} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D "
        "inputs).",
    )


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, height, width)."""
    n = input.dim()
    if n not in (3, 4) and 0.0 <= p <= 1.0:
        _warn_of_dimensions("dropout2d", n, 2)
    if n == 3 and 0.0 <= p <= 1.0:
        warn.say(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is "
            "interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the "
            "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch "
            "to using dropout1d instead.",
        )
    return _drop_channels(input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, depth, height, width)."""
    n = input.dim()
    if n not in (4, 5) and 0.0 <= p <= 1.0:
        _warn_of_dimensions("dropout3d", n, 3)
    return _drop_channels(input, p, training, inplace, n != 4)


# Embeddings --------------------------------------------------------------------------------------------------------------------


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of weight that the input names; the row padding_idx gets no gradient, rows longer than max_norm are scaled down first."""
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < max(rows, 1):
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx += rows if padding_idx < 0 else 0
    if max_norm is not None:
        with jgrad.no_grad():
            jgrad.embedding_renorm_(weight, input.contiguous(), max_norm, norm_type)
    return jgrad.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sums, means or maxima of bags of rows of weight: the rows of a 2-D input, or stretches of a 1-D input that begin at `offsets`."""
    if weight.dtype == jgrad.long and input.is_floating_point():
        warn.say(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and should "
            "now be `embedding_bag(input, weight, ...)`.",
        )
        weight, input = input, weight  # noqa: A001
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.size()}) is not None, then it must have the same shape as the input "
            f"({input.size()})"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found "
                f"offsets of type {str(type(offsets)).replace('jgrad.tensor.', 'jgrad.')}"
            )
        offsets = jgrad.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        input = input.reshape(-1)  # noqa: A001
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        with jgrad.no_grad():
            jgrad.embedding_renorm_(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    return jgrad.embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        ("sum", "mean", "max").index(mode),
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
