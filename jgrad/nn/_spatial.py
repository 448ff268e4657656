"""The Python functions of `jgrad.nn.functional` for images and other grids: windows, pooling, padding, resizing."""

from __future__ import annotations

from typing import Any

from jgrad.op import TABLE
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.tensor import Tensor

__all__ = ["fold", "pad", "unfold"]

# Convolutions and the like are the same here and in `jgrad`.
for _name in [*[f"conv{n}d" for n in (1, 2, 3)], *[f"conv_transpose{n}d" for n in (1, 2, 3)]]:
    globals()[_name] = TABLE[_name].function
    __all__ += [_name]


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
