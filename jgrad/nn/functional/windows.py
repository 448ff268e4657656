"""The Python functions of `jgrad.nn.functional`: windows and padding."""

from __future__ import annotations

from typing import Any

from jgrad import manual
from jgrad.nn.functional.arguments import each
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.tensor import Tensor


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Takes every window out of a batch of images and writes its elements into a column.
    `weight.reshape(outputs, -1) @ unfold(input, ...)` is a convolution."""
    return _convolution.im2col(input, each(kernel_size), each(dilation), each(padding), each(stride))


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Adds columns up to images: each column is put where its window is. Elements that are in several windows are added.
    It gives back what `unfold` was given only if the windows do not overlap and cover the image."""
    return _convolution.col2im(
        input, each(output_size), each(kernel_size), each(dilation), each(padding), each(stride)
    )


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Makes the last dimensions larger at their ends, or smaller with negative numbers."""
    return _padding.pad(input, pad, mode, value)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
