"""Pooling: each window of an image becomes one element, its largest or its mean."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import composite, op
from jgrad.dispatch.options import FUNCTIONAL, INTERNAL
from jgrad.dispatch.tangents import differentiated
from jgrad.kernels.numpy import pool_counts
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor

# ----- The largest element -----


@op("max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2]? stride=[], int[2] padding=[0], int[2] dilation=[1], "
    "bool ceil_mode=False) -> (Tensor, Tensor)", node="MaxPool2DWithIndicesBackward0", batches="images", **INTERNAL)  # fmt: skip
class max_pool2d_with_indices:
    """The largest element of each window of an image, and where it is."""

    self = lambda grad, self, result1: max_pool_backward(grad, self, result1, 2)


@op("max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3]? stride=[], int[3] padding=[0], int[3] dilation=[1], "
    "bool ceil_mode=False) -> (Tensor, Tensor)", node="MaxPool3DWithIndicesBackward0", batches="images", **INTERNAL)  # fmt: skip
class max_pool3d_with_indices:
    """The largest element of each window of a volume, and where it is."""

    self = lambda grad, self, result1: max_pool_backward(grad, self, result1, 3)


# The gradients of all kinds of max pooling, by the kind's prefix and the number of dimensions.
MAX_POOL_BACKWARD: dict[tuple[str, int], Any] = {}
for _kind, _node in {
    "max_pool{}d_with_indices": "MaxPool{}DWithIndices",
    "adaptive_max_pool{}d": "AdaptiveMaxPool{}D",
    "fractional_max_pool{}d": "FractionalMaxPool{}D",
}.items():
    for _n in (2, 3):

        @op(
            f"{_kind.format(_n)}_backward(Tensor grad_output, Tensor self, Tensor indices, int dims) -> Tensor",
            kernel="max_pool_backward",
            node=f"{_node.format(_n)}BackwardBackward0",
            batches="images",
            **INTERNAL,
        )
        class max_pooled_backward:
            """Gradients added to the elements that were the largest."""

            grad_output = lambda grad, indices, dims: max_pool_gather(grad, indices, dims)
            self = lambda self: zeros_like(self)

        MAX_POOL_BACKWARD[_kind.partition("max")[0], _n] = max_pooled_backward


def max_pool_backward(grad: Tensor, input: Tensor, indices: Tensor, dims: int) -> Tensor:
    return MAX_POOL_BACKWARD["", dims](grad, input, indices, dims)


def adaptive_max_pool_backward(grad: Tensor, input: Tensor, indices: Tensor, dims: int) -> Tensor:
    return MAX_POOL_BACKWARD["adaptive_", dims](grad, input, indices, dims)


def fractional_max_pool_backward(grad: Tensor, input: Tensor, indices: Tensor, dims: int) -> Tensor:
    return MAX_POOL_BACKWARD["fractional_", dims](grad, input, indices, dims)


def max_pool_gather(input: Tensor, indices: Tensor, dims: int) -> Tensor:
    """The elements at these places. (Raw arrays have a kernel of this name.)"""
    lead = indices.shape[:-dims]
    places = indices.reshape((*lead, math.prod(indices.shape[-dims:])))
    flat = input.reshape((*lead, math.prod(input.shape[-dims:])))
    return flat.gather(-1, places).reshape(indices.shape)


@op(
    "_max_pool1d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> Tensor",
    kernel="max_pool1d_values",
    batches="images",
    **INTERNAL,
)
class _max_pool1d:
    """The largest element of each window of a row, where nobody asks for gradients or places."""


def _row_geometry(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple:
    """The arguments of max_pool1d, checked in its words."""
    shape = input._a.shape
    if input._a.ndim not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(shape)}"
        )
    given = [_ints(v) for v in (kernel_size, stride or (), padding, dilation)]
    names = ("kernel_size", "stride", "padding", "dilation")
    allowed = (
        "an int, list of ints or tuple of ints",
        "None, an int, list of ints, or tuple of ints",
        "an int, list of ints, or tuple of ints",
        "an int, list of ints or tuple of ints",
    )
    for name, values, words in zip(names, given, allowed, strict=True):
        if len(values) != 1 and (values or name != "stride"):
            raise RuntimeError(f"max_pool1d() {name} must be {words} of size 1 but got size {len(values)}")
    given[1] = given[1] or given[0]
    (k,), (s,), (p,), (d,) = given
    for name, value in (("kernel_size", k), ("stride", s)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        )
    if d <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {d}")
    (count,) = pool_counts(shape[-1:], (k,), (s,), (p,), (d,), ceil_mode)
    if count <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")
    return tuple(given)


def _ints(values: Any) -> tuple:
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


@composite("max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1]? stride=[], int[1] padding=0, int[1] dilation=1, "
           "bool ceil_mode=False) -> (Tensor, Tensor)", forms="function")  # fmt: skip
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of a row, and where it is."""
    _check_rank(input, "max_pool1d")
    (k,) = _one("max_pool1d", "kernel_size", kernel_size)
    (s,) = _one("max_pool1d", "stride", stride or kernel_size)
    (p,) = _one("max_pool1d", "padding", padding)
    (d,) = _one("max_pool1d", "dilation", dilation)
    values, indices = max_pool2d_with_indices(input.unsqueeze(-2), (1, k), (1, s), (0, p), (1, d), ceil_mode)
    return values.squeeze(-2), indices.squeeze(-2)


@composite("max_pool1d(Tensor self, int[1] kernel_size, int[1]? stride=[], int[1] padding=0, int[1] dilation=1, "
           "bool ceil_mode=False) -> Tensor", forms="function")  # fmt: skip
def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window of a row."""
    geometry = _row_geometry(input, kernel_size, stride, padding, dilation, ceil_mode)
    if differentiated(input):
        return max_pool1d_with_indices(input, *geometry, ceil_mode)[0]
    return _max_pool1d(input, *geometry, ceil_mode)


@composite("max_pool2d(Tensor self, int[2] kernel_size, int[2]? stride=[], int[2] padding=[0], int[2] dilation=[1], "
           "bool ceil_mode=False) -> Tensor", forms="function")  # fmt: skip
def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window of an image."""
    return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)[0]


@composite("max_pool3d(Tensor self, int[3] kernel_size, int[3]? stride=[], int[3] padding=[0], int[3] dilation=[1], "
           "bool ceil_mode=False) -> Tensor", forms="function")  # fmt: skip
def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window of a volume."""
    return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)[0]


# ----- The mean -----


@op("avg_pool2d(Tensor self, int[2] kernel_size, int[2]? stride=[], int[2] padding=[0], bool ceil_mode=False, "
    "bool count_include_pad=True, int? divisor_override=None) -> Tensor", node="AvgPool2DBackward0", batches="images", **FUNCTIONAL)  # fmt: skip
class avg_pool2d:
    """The mean of each window of an image."""

    self = lambda grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override: (
        avg_pool_backward(
            grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 2
        )
    )


@op("avg_pool3d(Tensor self, int[3] kernel_size, int[3]? stride=[], int[3] padding=[0], bool ceil_mode=False, "
    "bool count_include_pad=True, int? divisor_override=None) -> Tensor", node="AvgPool3DBackward0", batches="images", **FUNCTIONAL)  # fmt: skip
class avg_pool3d:
    """The mean of each window of a volume."""

    self = lambda grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override: (
        avg_pool_backward(
            grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 3
        )
    )


AVG_POOL_BACKWARD: dict[int, Any] = {}  # the gradients of avg_pool, by the number of dimensions
for _n in (2, 3):

    @op(f"avg_pool{_n}d_backward(Tensor grad_output, Tensor self, int[] kernel_size, int[]? stride, int[] padding, bool ceil_mode, "
        "bool count_include_pad, int? divisor_override, int dims) -> Tensor", kernel="avg_pool_backward",
        node=f"AvgPool{_n}DBackwardBackward0", batches="images", **INTERNAL)  # fmt: skip
    class avg_pooled_backward:
        """Gradients in equal parts to all elements of their windows."""

        grad_output = (
            lambda grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, dims: (
                avg_pool(
                    grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, dims
                )
            )
        )
        self = lambda self: zeros_like(self)

    AVG_POOL_BACKWARD[_n] = avg_pooled_backward


def avg_pool_backward(grad: Tensor, input: Tensor, *arguments: Any) -> Tensor:
    return AVG_POOL_BACKWARD[arguments[-1]](grad, input, *arguments)


def avg_pool(input: Tensor, *arguments: Any) -> Tensor:
    """The mean of each window, in as many dimensions as the last argument says."""
    return (avg_pool2d, avg_pool3d)[arguments[-1] - 2](input, *arguments[:-1])


def _check_rank(input: Tensor, name: str) -> None:
    if input._a.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input._a.ndim}-dimensional tensor for argument #1 'self' "
            f"(while checking arguments for {name})"
        )


def _one(name: str, argument: str, values: Any) -> tuple:
    values = _ints(values)
    if len(values) != 1:
        raise RuntimeError(f"{name}() argument '{argument}' should contain one int (got {len(values)})")
    return values


@composite("avg_pool1d(Tensor self, int[1] kernel_size, int[1]? stride=[], int[1] padding=0, bool ceil_mode=False, "
           "bool count_include_pad=True) -> Tensor", forms="function")  # fmt: skip
def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of a row."""
    _check_rank(input, "avg_pool1d")
    kernel_size = _one("avg_pool1d", "kernel_size", kernel_size)
    stride = _one("avg_pool1d", "stride", stride or kernel_size)
    padding = _one("avg_pool1d", "padding", padding)
    return avg_pool2d(
        input.unsqueeze(-2), (1, *kernel_size), (1, *stride), (0, *padding), ceil_mode, count_include_pad
    ).squeeze(-2)


# ----- As many windows as are asked for -----


@op(
    "_adaptive_avg_pool2d(Tensor self, int[] output_size, int dims=2) -> Tensor",
    kernel="adaptive_avg_pool",
    node="AdaptiveAvgPool2DBackward0",
    real_gradient=True,
    batches="images",
    **INTERNAL,
)
class _adaptive_avg_pool2d:
    """The means of windows of an image, as many as asked for."""

    self = lambda grad, self: adaptive_avg_pool_backward(grad, self, 2)


@op(
    "_adaptive_avg_pool3d(Tensor self, int[] output_size, int dims=3) -> Tensor",
    kernel="adaptive_avg_pool",
    node="AdaptiveAvgPool3DBackward0",
    batches="images",
    **INTERNAL,
)
class _adaptive_avg_pool3d:
    """The means of windows of a volume, as many as asked for."""

    self = lambda grad, self: adaptive_avg_pool_backward(grad, self, 3)


ADAPTIVE_BACKWARD: dict[int, Any] = {}  # those of adaptive_avg_pool, likewise
for _n in (2, 3):

    @op(
        f"_adaptive_avg_pool{_n}d_backward(Tensor grad_output, Tensor self, int dims) -> Tensor",
        kernel="adaptive_avg_pool_backward",
        node=f"AdaptiveAvgPool{_n}DBackwardBackward0",
        batches="images",
        **INTERNAL,
    )
    class adapted_backward:
        """Gradients in equal parts to all elements of their windows, which are as many as were asked for."""

        grad_output = lambda grad, grad_output_shape, dims: adaptive_avg_pool(
            grad, grad_output_shape[-dims:], dims
        )
        self = lambda self: zeros_like(self)

    ADAPTIVE_BACKWARD[_n] = adapted_backward


def adaptive_avg_pool_backward(grad: Tensor, input: Tensor, dims: int) -> Tensor:
    return ADAPTIVE_BACKWARD[dims](grad, input, dims)


def adaptive_avg_pool(input: Tensor, output_size: Any, dims: int) -> Tensor:
    return (_adaptive_avg_pool2d, _adaptive_avg_pool3d)[dims - 2](input, output_size)


def adaptive_mean(input: Tensor, output_size: Any, dims: int) -> Tensor:
    """`adaptive_avg_pool2d` and 3d of `nn.functional`: the mean of everything is just a mean."""
    name = f"adaptive_avg_pool{dims}d"
    if len(output_size) != dims:
        raise RuntimeError(f"{name}: output_size must be {dims}")
    if min(output_size) < 0:
        comma = ", " if dims == 2 else ","
        shown = f"{output_size[0]}, {comma.join(map(str, output_size[1:]))}"
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {{{shown}}}"
        )
    if set(output_size) == {1}:
        return input.mean(tuple(range(-1, -dims - 1, -1)), True)
    return adaptive_avg_pool(input, tuple(output_size), dims)


@composite("adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", forms="function")
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of a row, as many windows as `output_size` says. Together they cover the row, and they overlap if the sizes do not divide."""
    _check_rank(input, "adaptive_avg_pool1d")
    size = _one("adaptive_avg_pool1d", "output_size", output_size)
    return adaptive_mean(input.unsqueeze(-2), (1, *size), 2).squeeze(-2)


@op(
    "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
    node="AdaptiveMaxPool2DBackward0",
    batches="images",
    **INTERNAL,
)
class adaptive_max_pool2d:
    """The largest elements of windows of an image, as many as asked for, and where they are."""

    self = lambda grad, self, result1: adaptive_max_pool_backward(grad, self, result1, 2)


@op(
    "adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
    node="AdaptiveMaxPool3DBackward0",
    batches="images",
    **INTERNAL,
)
class adaptive_max_pool3d:
    """The largest elements of windows of a volume, as many as asked for, and where they are."""

    self = lambda grad, self, result1: adaptive_max_pool_backward(grad, self, result1, 3)


@composite("adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", forms="function")
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of a row, as many windows as `output_size` says, and where they are. Together the windows cover the row, and
    they overlap if the sizes do not divide."""
    _check_rank(input, "adaptive_max_pool1d")
    for i in range(1, input._a.ndim):
        if input._a.shape[i] == 0:
            raise RuntimeError(
                "adaptive_max_pool1d(): Expected input to have non-zero size for non-batch dimensions, "
                f"but input has sizes {list(input._a.shape)} with dimension {i} being empty"
            )
    size = _one("adaptive_max_pool1d", "output_size", output_size)
    values, indices = adaptive_max_pool2d(input.unsqueeze(-2), (1, *size))
    return values.squeeze(-2), indices.squeeze(-2)


# ----- Random windows -----


@op(
    "fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)",
    node="FractionalMaxPool2DBackward0",
    **INTERNAL,
)
class fractional_max_pool2d:
    """The largest elements of windows of an image that begin at random places, and where they are."""

    self = lambda grad, self, result1: fractional_max_pool_backward(grad, self, result1, 2)


@op(
    "fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)",
    node="FractionalMaxPool3DBackward0",
    **INTERNAL,
)
class fractional_max_pool3d:
    """The largest elements of windows of a volume that begin at random places, and where they are."""

    self = lambda grad, self, result1: fractional_max_pool_backward(grad, self, result1, 3)


# ----- Back to where the maxima were -----


@op(
    "max_unpool2d(Tensor self, Tensor indices, int[] output_size) -> Tensor",
    node="MaxUnpool2DBackward0",
    **INTERNAL,
)
class max_unpool2d:
    """Zeros, but for these elements at these places of an image."""

    self = lambda grad, indices: max_pool_gather(grad, indices, 2)


@op(
    "max_unpool3d(Tensor self, Tensor indices, int[] output_size, int[] stride, int[] padding) -> Tensor",
    node="MaxUnpool3DBackward0",
    **INTERNAL,
)
class max_unpool3d:
    """Zeros, but for these elements at these places of a volume."""

    self = lambda grad, indices: max_pool_gather(grad, indices, 3)
