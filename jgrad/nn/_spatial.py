"""The Python functions of `jgrad.nn.functional` for images and other grids: windows, pooling, padding, resizing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad.op import TABLE
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.ops import pooling as _pooling
from jgrad.tensor import Tensor

# These are the same here and in `jgrad`.
for _name in (
    *[f"conv{n}d" for n in (1, 2, 3)],
    *[f"conv_transpose{n}d" for n in (1, 2, 3)],
    "adaptive_avg_pool1d",
    "avg_pool1d",
):
    globals()[_name] = TABLE[_name].function


def _each(values: Any, dim: int = 2) -> tuple:
    """One value for each dimension."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,) * dim


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Every window of a batch of images as a column."""
    return _convolution.im2col(input, _each(kernel_size), _each(dilation), _each(padding), _each(stride))


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The images that columns add up to: the opposite of unfold, except that windows may overlap."""
    return _convolution.col2im(
        input, _each(output_size), _each(kernel_size), _each(dilation), _each(padding), _each(stride)
    )


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The last dimensions made larger (smaller with negative numbers) at their ends; `pad` begins with the last dimension."""
    return _padding.pad(input, pad, mode, value)


# Pooling -----------------------------------------------------------------------------------------------------------------------


def _with_or_without_indices(
    name: str, position: int, both: Callable, values: Callable, doc: str
) -> Callable:
    """A function that gives the places too if it is called with return_indices=True (or that at its position)."""

    def pool(*args: Any, **kwargs: Any) -> Any:
        wanted = kwargs.get("return_indices", args[position] if len(args) > position else False)
        return (both if wanted else values)(*args, **kwargs)

    pool.__name__ = pool.__qualname__ = name
    values.__name__ = values.__qualname__ = "_" + name
    both.__name__ = both.__qualname__ = name + "_with_indices"
    pool.__doc__ = doc
    return pool


def _max_pool(dims: int) -> tuple[Callable, Callable]:
    both_of = getattr(_pooling, f"max_pool{dims}d_with_indices")
    values_of = getattr(_pooling, f"max_pool{dims}d")

    def both(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> tuple[Tensor, Tensor]:
        return both_of(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)

    def values(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Tensor:
        return values_of(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)

    doc = "The largest element of each window; with return_indices=True also where it is."
    return _with_or_without_indices(f"max_pool{dims}d", 6, both, values, doc), both


max_pool1d, max_pool1d_with_indices = _max_pool(1)
max_pool2d, max_pool2d_with_indices = _max_pool(2)
max_pool3d, max_pool3d_with_indices = _max_pool(3)


def _or_size(output_size: Any, shape: tuple) -> Any:
    """An output size in which None stands for the input's size."""
    if isinstance(output_size, int):
        return output_size
    if len(shape) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    return [n if v is None else v for v, n in zip(output_size, shape[-len(output_size) :], strict=False)]


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of an image, as many as asked for; None keeps a size."""
    return _pooling.adaptive_mean(input, _each(_or_size(output_size, input.size()), 2), 2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of a volume, as many as asked for; None keeps a size."""
    return _pooling.adaptive_mean(input, _each(_or_size(output_size, input.size()), 3), 3)


def _adaptive_max_pool(dims: int) -> tuple[Callable, Callable]:
    both_of = getattr(_pooling, f"adaptive_max_pool{dims}d")

    def both(input: Tensor, output_size: Any, return_indices: bool = False) -> tuple[Tensor, Tensor]:
        return both_of(input, output_size if dims == 1 else _each(_or_size(output_size, input.size()), dims))

    def values(input: Tensor, output_size: Any, return_indices: bool = False) -> Tensor:
        return both(input, output_size)[0]

    doc = (
        "The largest elements of windows, as many as asked for; with return_indices=True also where they are."
    )
    return _with_or_without_indices(f"adaptive_max_pool{dims}d", 2, both, values, doc), both


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max_pool(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max_pool(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max_pool(3)


def _lp_pool(input: Tensor, p: Any, kernel_size: Any, stride: Any, ceil_mode: bool, dims: int) -> Tensor:
    """Means of powers, from which sums are made, and from these norms."""
    if p in (float("inf"), -float("inf")):
        largest = (max_pool1d, max_pool2d, max_pool3d)[dims - 1]
        sign = 1 if p > 0 else -1
        size = input.abs() if p > 0 else -input.abs()
        pooled = largest(size, kernel_size, stride, 0, 1, ceil_mode)
        return pooled if sign > 0 else -pooled
    mean = (_pooling.avg_pool1d, _pooling.avg_pool2d, _pooling.avg_pool3d)[dims - 1]
    count = 1
    for k in _each(kernel_size, dims):
        count *= k
    out = mean(input.pow(p), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return (out.sign() * out.abs().relu()).mul(count).pow(1.0 / p)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of a row."""
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of an image."""
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 2)


def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of a volume."""
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 3)
