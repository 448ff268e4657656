"""The Python functions of `jgrad.nn.functional`: windows and padding."""

from __future__ import annotations

from typing import Any

from jgrad.nn.functional.arguments import each
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.tensor import Tensor


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Takes every window out of a batch of images and writes its elements into a column.
    `weight.reshape(outputs, -1) @ unfold(input, ...)` is a convolution.

    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        kernel_size: height and width of a window, or one number for both
        dilation: the distance between the elements of a window; one or two numbers
        padding: how many zeros are added on each side; one or two numbers
        stride: how far the window moves each time; one or two numbers

    Returns a new tensor of shape (N, C * kernel elements, L) for L windows; without N if `input` has none.

    The gradient of an element is the sum over all windows that contain it.

    >>> x = jgrad.arange(9.).reshape(1, 1, 3, 3)
    >>> jgrad.nn.functional.unfold(x, 2)
    tensor([[[0., 1., 3., 4.],
             [1., 2., 4., 5.],
             [3., 4., 6., 7.],
             [4., 5., 7., 8.]]])
    """
    return _convolution.im2col(input, each(kernel_size), each(dilation), each(padding), each(stride))


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Adds columns up to images: each column is put where its window is. Elements that are in several windows are added.
    It gives back what `unfold` was given only if the windows do not overlap and cover the image.

    Args:
        input: columns of shape (N, C * kernel elements, L) for L windows, or without N
        output_size: height and width of the images, or one number for both
        kernel_size: height and width of a window, or one number for both
        dilation: the distance between the elements of a window; one or two numbers
        padding: how many zeros `unfold` added on each side; one or two numbers
        stride: how far the window moves each time; one or two numbers

    Returns a new tensor of shape (N, C, H, W); without N if `input` has none.

    >>> columns = jgrad.ones(1, 4, 4)
    >>> jgrad.nn.functional.fold(columns, (3, 3), 2)
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """
    return _convolution.col2im(
        input, each(output_size), each(kernel_size), each(dilation), each(padding), each(stride)
    )


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Makes the last dimensions larger at their ends, or smaller with negative numbers.

    Args:
        input: a tensor of any shape
        pad: pairs of numbers, how many elements are added in front and behind: the first pair is for the last dimension, the next one for that
            before it
        mode: 'constant' adds `value`, 'reflect' what is inside in reverse order without the edge, 'replicate' copies of the edge, 'circular' what
            is at the other end
        value: the number that is added with 'constant'; None stands for 0

    Returns a new tensor. The gradient of the constant elements is dropped; that of copied elements is added to their original.

    Modes other than 'constant' pad the last one, two or three dimensions, with one or two dimensions (channels, batch) in front of them.

    >>> x = jgrad.tensor([[1., 2., 3.]])
    >>> jgrad.nn.functional.pad(x, (1, 2))
    tensor([[0., 1., 2., 3., 0., 0.]])
    >>> jgrad.nn.functional.pad(x, (2, 1), mode="reflect")
    tensor([[3., 2., 1., 2., 3., 2.]])
    >>> jgrad.nn.functional.pad(x, (0, 0, 1, 0), value=9.)
    tensor([[9., 9., 9.],
            [1., 2., 3.]])
    """
    return _padding.pad(input, pad, mode, value)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
