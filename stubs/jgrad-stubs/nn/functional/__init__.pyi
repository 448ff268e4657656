# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout

def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """The means of windows of a row, as many windows as `output_size` says. Together they cover the row, and they overlap if the sizes do not divide.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        output_size: the number of windows
    
    Returns a new tensor of shape (N, C, output_size), or without N.
    
    >>> x = jgrad.tensor([[1., 3., 5.]])
    >>> jgrad.adaptive_avg_pool1d(x, 2)
    tensor([[2., 4.]])
    """
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of an image, as many windows as `output_size` says. Together they cover it, and they overlap if the sizes do not divide.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 2 dimensions, or one number for all; None keeps the size of the input
    
    Returns a new tensor with these sizes in the last dimensions.
    
    >>> x = jgrad.arange(16.).reshape(1, 4, 4)
    >>> jgrad.nn.functional.adaptive_avg_pool2d(x, (2, None))
    tensor([[[ 2.,  3.,  4.,  5.],
             [10., 11., 12., 13.]]])
    """
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of a volume, as many windows as `output_size` says. Together they cover it, and they overlap if the sizes do not divide.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 3 dimensions, or one number for all; None keeps the size of the input
    
    Returns a new tensor with these sizes in the last dimensions.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.adaptive_avg_pool3d(x, 1)
    tensor([[[[3.5000]]]])
    """
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest element of each window. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        output_size: the number of windows along the last dimension
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[1., 4.]])
    >>> jgrad.nn.functional.adaptive_max_pool1d(x, 1, return_indices=True)
    (tensor([[4.]]), tensor([[1]]))
    """
def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        output_size: the number of windows along the last dimension
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[1., 4.]])
    >>> jgrad.nn.functional.adaptive_max_pool1d_with_indices(x, 1)
    (tensor([[4.]]), tensor([[1]]))
    """
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest element of each window. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 2 dimensions, or one number for all; None in a tuple keeps the size
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[[1., 4.], [2., 3.]]])
    >>> jgrad.nn.functional.adaptive_max_pool2d(x, 1, return_indices=True)
    (tensor([[[4.]]]), tensor([[[1]]]))
    """
def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 2 dimensions, or one number for all; None in a tuple keeps the size
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[[1., 4.], [2., 3.]]])
    >>> jgrad.nn.functional.adaptive_max_pool2d_with_indices(x, 1)
    (tensor([[[4.]]]), tensor([[[1]]]))
    """
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest element of each window. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 3 dimensions, or one number for all; None in a tuple keeps the size
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.adaptive_max_pool3d(x, 1, return_indices=True)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is. There are as many windows as `output_size` says.
    Together they cover the input, and they overlap if the sizes do not divide.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        output_size: the number of windows along each of the last 3 dimensions, or one number for all; None in a tuple keeps the size
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.adaptive_max_pool3d_with_indices(x, 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def affine_grid(theta: Tensor, size: Any, align_corners: _bool | None = None) -> Tensor:
    """The points of a grid for images or volumes of a size, moved by affine maps. They are the `grid` of `grid_sample`.
    
    Args:
        theta: one affine map for each sample, of shape (N, 2, 3) for images or (N, 3, 4) for volumes: a matrix and, in the last column, a shift
        size: the size of the images, (N, C, H, W) or (N, C, D, H, W)
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself. None stands for False, and
            gives a warning
    
    Returns a new tensor of shape (N, H, W, 2), or (N, D, H, W, 3).
    
    >>> same_and_right = jgrad.tensor([[[1., 0., 0.5], [0., 1., 0.]]])
    >>> jgrad.nn.functional.affine_grid(same_and_right, (1, 1, 2, 2), align_corners=True)
    tensor([[[[-0.5000, -1.0000],
              [ 1.5000, -1.0000]],
    <BLANKLINE>
             [[-0.5000,  1.0000],
              [ 1.5000,  1.0000]]]])
    """
def alpha_dropout(input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False) -> Tensor:
    """Sets elements to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        p: the probability, from 0 to 1
        training: False changes nothing; this is the default here
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`, and if `training` is False or `p` is 0.
    
    >>> jgrad.nn.functional.alpha_dropout(jgrad.ones(1000), 0.5, training=True).unique()
    tensor([-0.7792,  1.6656])
    """
def avg_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of a row.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        kernel_size: the size of a window: one number
        stride: how far the window moves each time; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many zeros are added on each side; at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the zeros of the padding count as elements of the mean
    
    Returns a new tensor. The gradient is spread evenly over the elements of a window.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]])
    >>> jgrad.avg_pool1d(x, 2)
    tensor([[2.5000, 2.5000]])
    """
def avg_pool2d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The mean of each window of an image.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moves each time; one number or a pair; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many zeros are added on each side; one number or a pair; at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the zeros of the padding count as elements of the mean
        divisor_override: the number by which each sum is divided; None stands for the number of elements
    
    Returns a new tensor. The gradient is spread evenly over the elements of a window.
    
    >>> x = jgrad.arange(16.).reshape(1, 4, 4)
    >>> jgrad.nn.functional.avg_pool2d(x, 2)
    tensor([[[ 2.5000,  4.5000],
             [10.5000, 12.5000]]])
    """
def avg_pool3d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The mean of each window of a volume.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moves each time; one number or three; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many zeros are added on each side; one number or three; at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the zeros of the padding count as elements of the mean
        divisor_override: the number by which each sum is divided; None stands for the number of elements
    
    Returns a new tensor. The gradient is spread evenly over the elements of a window.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.avg_pool3d(x, 2)
    tensor([[[[3.5000]]]])
    """
def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, training: _bool = False, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Normalizes each channel over the batch: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    In training both are computed from the batch; otherwise the running statistics are used.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        running_mean: the running means, of shape (C,); in training they are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,); in training they are updated in place. None, if none are kept
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        training: whether to use the statistics of the batch, and to update the running ones
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns a new tensor with the shape of `input`.
    
    The batch's own variance divides by n, the one for `running_var` by n - 1. In training the gradient flows through mean and variance, so
    each sample's gradient depends on the others. Raises ValueError in training if there is only one value per channel.
    
    >>> x = jgrad.tensor([[1., 0.], [3., 8.]])
    >>> mean, var = jgrad.zeros(2), jgrad.ones(2)
    >>> jgrad.nn.functional.batch_norm(x, mean, var, training=True, momentum=0.5, eps=1e-12)
    tensor([[-1., -1.],
            [ 1.,  1.]])
    >>> mean, var
    (tensor([1., 2.]), tensor([ 1.5000, 16.5000]))
    """
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A map of two vectors: for each matrix of `weight` the product `input1 @ matrix @ input2`, plus `bias`.
    
    Args:
        input1: the first vectors, of shape (..., D1)
        input2: the second vectors, of shape (..., D2), with the same sizes in front
        weight: M matrices, of shape (M, D1, D2)
        bias: is added to each result, of shape (M,); None adds nothing
    
    Returns a new tensor of shape (..., M). Raises RuntimeError unless all dtypes are equal.
    
    >>> a, b = jgrad.tensor([[1., 2.]]), jgrad.tensor([[3., 4.]])
    >>> weight = jgrad.tensor([[[1., 0.], [0., 1.]], [[0., 1.], [0., 0.]]])
    >>> jgrad.bilinear(a, b, weight)
    tensor([[11.,  4.]])
    """
def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """`-(target * log(input) + (1 - target) * log(1 - input))`: how surprising the targets are if `input` holds their probabilities.
    
    Args:
        input: probabilities between 0 and 1, of any shape
        target: 1 for yes and 0 for no, or a probability, as floating point numbers in the shape of `input`
        weight: a factor for each element, which is broadcast; None stands for ones. It cannot require grad
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    The logarithms are never below -100, so that no result is infinite. Raises RuntimeError if an element of `input` is not between 0 and 1.
    
    >>> p = jgrad.tensor([0., 0.5, 1.])
    >>> jgrad.nn.functional.binary_cross_entropy(p, jgrad.tensor([1., 1., 1.]), reduction="none")
    tensor([100.0000,   0.6931,  -0.0000])
    """
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', pos_weight: Tensor | None = None) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, computed in one step, which does not overflow.
    
    Args:
        input: scores (logits, not probabilities) of any shape
        target: 1 for yes and 0 for no, or a probability, as floating point numbers in the shape of `input`
        weight: a factor for each element, which is broadcast; None stands for ones. It cannot require grad
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        pos_weight: a factor for the part of the loss that belongs to target 1, which is broadcast; None stands for 1. It cannot require grad
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    The gradient of `input` is `sigmoid(input) - target`, for the mean divided by the number of elements.
    
    >>> scores = jgrad.tensor([0., -200.], requires_grad=True)
    >>> target = jgrad.tensor([1., 1.])
    >>> jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target, reduction="none").detach()
    tensor([  0.6931, 200.0000])
    >>> jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target, reduction="sum").backward()
    >>> scores.grad
    tensor([-0.5000, -1.0000])
    """
def celu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere.
    For every `alpha` the slope is 1 on both sides of zero; `elu` has this for `alpha` = 1 only.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`; must not be 0
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `alpha` is negative.
    
    >>> jgrad.nn.functional.celu(jgrad.tensor([-100., 0., 2.]), alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    """
def celu_(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """Replaces each element of the tensor by its `celu`: positive ones stay, the others become `alpha * (exp(input / alpha) - 1)`.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        alpha: the result approaches `-alpha` for large negative elements; must not be 0
    
    Returns `input` itself.
    
    The gradient is computed from the result. Therefore `backward` raises RuntimeError if `alpha` is negative.
    
    >>> x = jgrad.tensor([-100., 0., 2.])
    >>> jgrad.celu_(x, alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    >>> x
    tensor([-0.5000,  0.0000,  2.0000])
    """
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Changes the order of the channels: the first of each group, then the second of each, and so on.
    
    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions
        groups: the number of groups, by which C must be divisible
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([1, 2, 3, 4, 5, 6]).reshape(1, 6, 1)
    >>> jgrad.channel_shuffle(x, 2).flatten()
    tensor([1, 4, 2, 5, 3, 6])
    """
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each row, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        weight: the weights of M output channels, of shape (M, C / groups, K), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number
        padding: how many zeros are added on each side: one number.
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, L2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(3.).reshape(1, 1, 3)
    >>> weight = jgrad.ones(1, 1, 2)
    >>> jgrad.conv1d(x, weight)
    tensor([[[1., 3.]]])
    """
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each row, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each image, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        weight: the weights of M output channels, of shape (M, C / groups, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number, or a pair (height, width)
        padding: how many zeros are added on each side: one number, or a pair (height, width).
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, H2, W2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(6.).reshape(1, 1, 2, 3)
    >>> weight = jgrad.ones(1, 1, 2, 2)
    >>> jgrad.conv2d(x, weight)
    tensor([[[[ 8., 12.]]]])
    """
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each image, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each volume, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        weight: the weights of M output channels, of shape (M, C / groups, KD, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number, or three (depth, height, width)
        padding: how many zeros are added on each side: one number, or three (depth, height, width).
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, D2, H2, W2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(12.).reshape(1, 1, 2, 2, 3)
    >>> weight = jgrad.ones(1, 1, 2, 2, 2)
    >>> jgrad.conv3d(x, weight)
    tensor([[[[[40., 48.]]]]])
    """
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each volume, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each row, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv1d` has for its input, and turns sizes back to those before `conv1d`. It is not its inverse.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        weight: the weights of M output channels, of shape (C, M / groups, K), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number
        padding: how many elements are cut off on each side of the result: one number
        output_padding: how much larger the result is at the end of each dimension: one number.
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number
    
    Returns a new tensor of shape (N, M, L2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 2)
    >>> jgrad.conv_transpose1d(x, weight)
    tensor([[[ 1., 11., 10.]]])
    """
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each image, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv2d` has for its input, and turns sizes back to those before `conv2d`. It is not its inverse.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        weight: the weights of M output channels, of shape (C, M / groups, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number, or a pair (height, width)
        padding: how many elements are cut off on each side of the result: one number, or a pair (height, width)
        output_padding: how much larger the result is at the end of each dimension: one number, or a pair (height, width).
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
    
    Returns a new tensor of shape (N, M, H2, W2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 1, 2)
    >>> jgrad.conv_transpose2d(x, weight)
    tensor([[[[ 1., 11., 10.]]]])
    """
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each volume, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv3d` has for its input, and turns sizes back to those before `conv3d`. It is not its inverse.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        weight: the weights of M output channels, of shape (C, M / groups, KD, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number, or three (depth, height, width)
        padding: how many elements are cut off on each side of the result: one number, or three (depth, height, width)
        output_padding: how much larger the result is at the end of each dimension: one number, or three (depth, height, width).
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
    
    Returns a new tensor of shape (N, M, D2, H2, W2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 1, 1, 2)
    >>> jgrad.conv_transpose3d(x, weight)
    tensor([[[[[ 1., 11., 10.]]]]])
    """
def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """1 minus the cosine of the angle between two vectors where the target is 1; where it is -1, the cosine minus `margin`, at least 0.
    
    Args:
        input1: the first vectors, of shape (N, D), or a single one of shape (D,)
        input2: the second vectors, in the same shape
        target: 1 for pairs that should point in the same direction, -1 for the others; of shape (N,), or without dimensions for single vectors
        margin: pairs of the second kind give no loss if their cosine is at most this number
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the pairs, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `target`.
    
    >>> first = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> second = jgrad.tensor([[0., 2.], [0., 2.]])
    >>> jgrad.nn.functional.cosine_embedding_loss(first, second, jgrad.tensor([1, -1]), reduction="none")
    tensor([1., 0.])
    """
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along a dimension: 1 for vectors of the same direction, 0 for a right angle, -1 for the opposite one.
    
    Args:
        x1: a tensor, whose dtype and that of `x2` promote to a floating one
        x2: a tensor that broadcasts with `x1`
        dim: the dimension along which the vectors lie
        eps: a smaller length of a vector counts as this, so that the zero vector gives 0
    
    Returns a new tensor without the dimension `dim`.
    
    >>> x = jgrad.tensor([[1., 0.], [0., 1.]])
    >>> y = jgrad.tensor([[2., 0.], [3., 0.]])
    >>> jgrad.cosine_similarity(x, y)
    tensor([1., 0.])
    """
def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: _str = 'mean', label_smoothing: _float = 0.0) -> Tensor:
    """How surprising the targets are if the classes have the probabilities `softmax(input)`: minus the logarithm of the target's probability.
    It is `nll_loss` of `log_softmax(input)`.
    
    Args:
        input: scores (logits, not probabilities) of shape (N, C) for N samples and C classes, or (C,), or (N, C, d1, ...) for images
        target: the numbers of the classes, as int64 in the shape of `input` without C; or the probabilities of all classes, as floating point
            numbers in the shape of `input`
        weight: a factor for each class, of shape (C,); None stands for ones
        size_average: deprecated, use `reduction`
        ignore_index: class numbers equal to it are left out, also from the mean; probabilities allow negative numbers only
        reduce: deprecated, use `reduction`
        reduction: 'mean', 'sum' or 'none'. With class numbers the mean is weighted by `weight`; with probabilities it divides by the number of
            samples
        label_smoothing: the share of the target's probability, between 0 and 1, that is spread evenly over all classes
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input` without C.
    
    The gradient of the scores of a sample is `softmax(input)` minus 1 at the target class, divided by N for the mean.
    
    >>> scores = jgrad.tensor([[0., 0.], [200., 0.]], requires_grad=True)
    >>> jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0, 1]), reduction="none").detach()
    tensor([  0.6931, 200.0000])
    >>> jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0, 1])).backward()
    >>> scores.grad
    tensor([[-0.2500,  0.2500],
            [ 0.5000, -0.5000]])
    """
def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: _str = 'mean', zero_infinity: _bool = False) -> Tensor:
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step.
    All alignments count: after repeated classes are joined and blanks are left out, the target must remain.
    
    Args:
        log_probs: log-probabilities of shape (T, N, C) for T steps, N samples and C classes, the blank included; or (T, C)
        targets: the target classes, of shape (N, S), padded to the largest length S; or those of all samples in a
            single row. The blank must not be among them
        input_lengths: the number of steps of each sample: a tensor or tuple of N integers
        target_lengths: the length of each target: a tensor or tuple of N integers
        blank: the number of the class that stands for nothing
        reduction: 'mean' divides each loss by its target's length and then gives the mean, 'sum' gives the sum, 'none' all of them
        zero_infinity: whether an infinite loss, of a target that is too long for its steps, becomes 0, and its gradient too
    
    Returns a tensor without dimensions; with 'none' one with one element for each sample.
    
    Its gradient cannot be differentiated again. It is right only if `log_probs` comes from `log_softmax`.
    
    >>> log_probs = jgrad.log_softmax(jgrad.zeros(2, 1, 2), 2)
    >>> loss = jgrad.nn.functional.ctc_loss(log_probs, jgrad.tensor([[1]]), (2,), (1,))
    >>> (-loss).exp()
    tensor(0.7500)
    """
def dropout(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        p: the probability, from 0 to 1
        training: False changes nothing
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`, and if `training` is False or `p` is 0.
    
    The gradient of an element is 0 where it was set to zero, else `1 / (1 - p)`.
    
    >>> x = jgrad.ones(1000, requires_grad=True)
    >>> y = jgrad.nn.functional.dropout(x, 0.5)
    >>> y.detach().unique()
    tensor([0., 2.])
    >>> y.sum().backward()
    >>> jgrad.equal(x.grad, y.detach())
    True
    """
def dropout1d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets whole channels of rows to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of shape (N, C, L) or (C, L) with a floating point dtype
        p: the probability, from 0 to 1
        training: False changes nothing
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`.
    If nothing is changed because `training` is False or `p` is 0, the result shares the memory of `input`.
    
    Raises RuntimeError for other numbers of dimensions.
    
    >>> y = jgrad.nn.functional.dropout1d(jgrad.ones(3, 4))
    >>> jgrad.equal(y[:, 0], y[:, 3])
    True
    """
def dropout2d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets whole channels of images to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of shape (N, C, H, W) with a floating point dtype
        p: the probability, from 0 to 1
        training: False changes nothing
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`, and if `training` is False or `p` is 0.
    
    A tensor with three dimensions is taken for (N, C, L), with a warning.
    
    >>> y = jgrad.nn.functional.dropout2d(jgrad.ones(1, 3, 2, 2))
    >>> jgrad.equal(y[..., 0, 0], y[..., 1, 1])
    True
    """
def dropout3d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets whole channels of volumes to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        p: the probability, from 0 to 1
        training: False changes nothing
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`.
    If nothing is changed because `training` is False or `p` is 0, the result shares the memory of `input`.
    
    >>> y = jgrad.nn.functional.dropout3d(jgrad.ones(1, 3, 2, 2, 2))
    >>> jgrad.equal(y[..., 0, 0, 0], y[..., 1, 1, 1])
    True
    """
def elu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input) - 1)` elsewhere.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `alpha` is negative.
    
    >>> jgrad.nn.functional.elu(jgrad.tensor([-100., 0., 2.]), alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    """
def elu_(input: Tensor, alpha: Number = 1, scale: Number = 1, input_scale: Number = 1) -> Tensor:
    """Writes `scale * input` into each positive element of the tensor, and `alpha * scale * (exp(input_scale * input) - 1)` into the others.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        alpha: the result approaches `-alpha * scale` for large negative elements
        scale: a factor for the whole result
        input_scale: a factor for `input` inside `exp`
    
    Returns `input` itself.
    
    The gradient is computed from the result. Therefore `backward` raises RuntimeError if `alpha` is negative.
    
    >>> x = jgrad.tensor([-100., 0., 2.])
    >>> jgrad.nn.functional.elu_(x, alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    >>> x
    tensor([-0.5000,  0.0000,  2.0000])
    """
def embedding(input: Tensor, weight: Tensor, padding_idx: _int | None = None, max_norm: _float | None = None, norm_type: _float = 2.0, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """The rows of `weight` that `input` names: row `input[i]` for each i.
    
    Args:
        input: the numbers of the rows, as int64 or int32, of any shape
        weight: a matrix with one row for each index
        padding_idx: the number of a row that gets no gradient; None for none
        max_norm: rows that are used and have a larger norm are first scaled down to it, in `weight` itself; None leaves all as they are
        norm_type: which norm; 2 is the usual length
        scale_grad_by_freq: whether the gradient of a row is divided by the number of times that it was taken
        sparse: whether the gradient of `weight` is a sparse tensor, with the rows that were taken
    
    Returns a new tensor of shape (*input.shape, D) for rows of length D.
    
    The gradient of a row is the sum over all places where it was taken.
    
    >>> weight = jgrad.tensor([[0., 0.], [1., 2.], [3., 4.]], requires_grad=True)
    >>> rows = jgrad.nn.functional.embedding(jgrad.tensor([1, 2, 1]), weight)
    >>> rows.detach()
    tensor([[1., 2.],
            [3., 4.],
            [1., 2.]])
    >>> rows.sum().backward()
    >>> weight.grad
    tensor([[0., 0.],
            [2., 2.],
            [1., 1.]])
    """
def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: _float | None = None, norm_type: _float = 2, scale_grad_by_freq: _bool = False, mode: _str = 'mean', sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> Tensor:
    """Combines rows of `weight` in bags: each bag becomes the mean, the sum or the maximum of its rows.
    
    Args:
        input: the numbers of the rows: a matrix with one bag in each row, or a vector of all bags one after the other
        weight: a matrix with one row for each index
        offsets: where each bag begins in `input`, if that is a vector; None if it is a matrix
        max_norm: rows that are used and have a larger norm are first scaled down to it, in `weight` itself; None leaves all as they are
        norm_type: which norm; 2 is the usual length
        scale_grad_by_freq: whether the gradient of a row is divided by the number of times that it was taken; not for 'max'
        mode: 'mean', 'sum' or 'max'
        sparse: whether the gradient of `weight` is a sparse tensor, with the rows that were taken
        per_sample_weights: a factor for each index, in the shape of `input`, for 'sum' only; None stands for ones
        include_last_offset: whether `offsets` ends with the length of `input`, as one more number
        padding_idx: the number of a row that is left out of the bags and gets no gradient; None for none
    
    Returns a new tensor of shape (B, D) for B bags and rows of length D. An empty bag gives zeros.
    
    >>> weight = jgrad.tensor([[1., 1.], [10., 20.], [3., 4.]])
    >>> jgrad.nn.functional.embedding_bag(jgrad.tensor([[0, 2], [1, 1]]), weight)
    tensor([[ 2.0000,  2.5000],
            [10.0000, 20.0000]])
    >>> jgrad.nn.functional.embedding_bag(jgrad.tensor([0, 1, 2]), weight, jgrad.tensor([0, 2]), mode="sum")
    tensor([[11., 21.],
            [ 3.,  4.]])
    """
def feature_alpha_dropout(input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False) -> Tensor:
    """Sets whole channels to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        p: the probability, from 0 to 1
        training: False changes nothing; this is the default here
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor. It returns `input` itself with `inplace=True`, and if `training` is False or `p` is 0.
    
    >>> y = jgrad.nn.functional.feature_alpha_dropout(jgrad.ones(1, 3, 2), 0.5, training=True)
    >>> jgrad.equal(y[..., 0], y[..., 1])
    True
    """
def fold(input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
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
def fractional_max_pool2d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """The largest element of each window. The windows begin at random places, which are different in each call.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        kernel_size: the size of a window: one number, or a pair (height, width)
        output_size: how many windows there are: one number, or a pair (height, width); None computes it from `output_ratio`
        output_ratio: the number of windows divided by the size of the input, if `output_size` is None: a pair (height, width)
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    Raises ValueError unless one of `output_size` and `output_ratio` is given.
    
    >>> x = jgrad.arange(25.).reshape(1, 5, 5)
    >>> largest, places = jgrad.nn.functional.fractional_max_pool2d(x, 2, output_size=3, return_indices=True)
    >>> largest.shape
    jgrad.Size([1, 3, 3])
    >>> jgrad.equal(x.flatten()[places], largest)
    True
    """
def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is. The windows begin at random places, which are different in each call.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        kernel_size: the size of a window: one number, or a pair (height, width)
        output_size: how many windows there are: one number, or a pair (height, width); None computes it from `output_ratio`
        output_ratio: the number of windows divided by the size of the input, if `output_size` is None: a pair (height, width)
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    Raises ValueError unless one of `output_size` and `output_ratio` is given.
    
    >>> x = jgrad.arange(25.).reshape(1, 5, 5)
    >>> largest, places = jgrad.nn.functional.fractional_max_pool2d_with_indices(x, 2, output_size=3)
    >>> largest.shape
    jgrad.Size([1, 3, 3])
    >>> jgrad.equal(x.flatten()[places], largest)
    True
    """
def fractional_max_pool3d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """The largest element of each window. The windows begin at random places, which are different in each call.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        kernel_size: the size of a window: one number, or three (depth, height, width)
        output_size: how many windows there are: one number, or three (depth, height, width); None computes it from `output_ratio`
        output_ratio: the number of windows divided by the size of the input, if `output_size` is None: one number, or three (depth, height, width)
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    Raises ValueError unless one of `output_size` and `output_ratio` is given.
    
    >>> x = jgrad.arange(125.).reshape(1, 5, 5, 5)
    >>> largest, places = jgrad.nn.functional.fractional_max_pool3d(x, 2, output_size=3, return_indices=True)
    >>> largest.shape
    jgrad.Size([1, 3, 3, 3])
    >>> jgrad.equal(x.flatten()[places], largest)
    True
    """
def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is. The windows begin at random places, which are different in each call.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        kernel_size: the size of a window: one number, or three (depth, height, width)
        output_size: how many windows there are: one number, or three (depth, height, width); None computes it from `output_ratio`
        output_ratio: the number of windows divided by the size of the input, if `output_size` is None: one number, or three (depth, height, width)
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    Raises ValueError unless one of `output_size` and `output_ratio` is given.
    
    >>> x = jgrad.arange(125.).reshape(1, 5, 5, 5)
    >>> largest, places = jgrad.nn.functional.fractional_max_pool3d_with_indices(x, 2, output_size=3)
    >>> largest.shape
    jgrad.Size([1, 3, 3, 3])
    >>> jgrad.equal(x.flatten()[places], largest)
    True
    """
def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor | _float, full: _bool = False, eps: _float = 1e-06, reduction: _str = 'mean') -> Tensor:
    """Minus the logarithm of the density of `target` under normal distributions with the mean `input` and the variance `var`, without a constant:
    `(log(var) + (input - target) ** 2 / var) / 2`.
    
    Args:
        input: the means, of any shape
        target: the numbers that were observed
        var: the variances: one number (a float), or a tensor with the shape of `input`, or with size 1 in one dimension,
            or without the last dimension
        full: whether to add the constant `log(2 * pi) / 2`
        eps: variances below it are replaced by it; the gradient of `var` does not take this into account
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    Raises ValueError if a variance is negative.
    
    >>> x = jgrad.tensor([1., 2.])
    >>> jgrad.nn.functional.gaussian_nll_loss(x, jgrad.tensor([1., 6.]), jgrad.ones(2), reduction="none")
    tensor([0., 8.])
    """
def gelu(input: Tensor, *, approximate: _str = 'none', out: Tensor | None = None) -> Tensor:
    """Each element times the probability that a number of the standard normal distribution is below it.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        approximate: 'none' computes this probability exactly, 'tanh' by a formula with `tanh` that is almost equal to it
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.gelu(jgrad.tensor([-1., 0., 1., 10.]))
    tensor([-0.1587,  0.0000,  0.8413, 10.0000])
    """
def glu(input: Tensor, dim: _int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first goes through.
    
    Args:
        input: a tensor with a floating point dtype; the size of `dim` must be even
        dim: the dimension that is split in two halves; negative numbers count from the last one
    
    Returns a new tensor, in which the size of `dim` is half of that in `input`.
    
    >>> jgrad.nn.functional.glu(jgrad.tensor([4., 4., 4., 100., 0., -100.]))
    tensor([4., 2., 0.])
    """
def grid_sample(input: Tensor, grid: Tensor, mode: _str = 'bilinear', padding_mode: _str = 'zeros', align_corners: _bool | None = None) -> Tensor:
    """Reads images at the points of a grid: each point gives the value of the image there. Between the elements the values are interpolated.
    
    Args:
        input: images of shape (N, C, H, W), or volumes of shape (N, C, D, H, W)
        grid: points of shape (N, H2, W2, 2), or (N, D2, H2, W2, 3), with the dtype of `input`. The first coordinate of a point goes from left (-1) to
            right (1), the second from top to bottom, the third from front to back
        mode: 'bilinear' interpolates on straight lines, 'nearest' takes the nearest element, 'bicubic' interpolates by cubics (images only)
        padding_mode: what is outside: 'zeros', 'border' for the elements at the edge, 'reflection' for the image in a mirror
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself. None stands for False, and
            gives a warning
    
    Returns a new tensor of shape (N, C, H2, W2), or (N, C, D2, H2, W2).
    
    Both `input` and `grid` get a gradient; with 'nearest' that of `grid` is zero.
    
    >>> x = jgrad.tensor([[[[1., 2.], [3., 4.]]]])
    >>> corner_and_middle = jgrad.tensor([[[[-1., -1.], [0., 0.]]]])
    >>> jgrad.nn.functional.grid_sample(x, corner_and_middle, align_corners=True)
    tensor([[[[1.0000, 2.5000]]]])
    """
def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Normalizes groups of channels of each sample: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        num_groups: the number of groups, by which C must be divisible; 1 normalizes each sample, C each channel of each sample
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[1., 3., 10., 30.]])
    >>> jgrad.nn.functional.group_norm(x, 2, eps=0.)
    tensor([[-1.,  1., -1.,  1.]])
    """
def gumbel_softmax(logits: Tensor, tau: _float = 1, hard: _bool = False, eps: _float = 1e-10, dim: _int = -1) -> Tensor:
    """A random sample of classes that gradients flow through: the softmax of `(logits + noise) / tau` with noise of the Gumbel distribution.
    The probability that a class gets the largest number is its softmax of `logits`.
    
    Args:
        logits: a tensor with a floating point dtype; `dim` holds the scores of the classes
        tau: the temperature; with a small one each sample is almost a one-hot vector
        hard: True gives one-hot vectors; the gradient is that of the softmax all the same
        eps: has no effect; any other number than the default gives a warning
        dim: the dimension of the classes; negative numbers count from the last one
    
    Returns a new tensor with the shape of `logits`, which sums to 1 along `dim`.
    
    >>> jgrad.nn.functional.gumbel_softmax(jgrad.tensor([0., 100., 0.]), hard=True)
    tensor([0., 1., 0.])
    >>> sample = jgrad.nn.functional.gumbel_softmax(jgrad.zeros(1000, 2), hard=True)
    >>> jgrad.equal(sample.sum(1), jgrad.ones(1000))
    True
    """
def hardshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element, with those from `-lambd` to `lambd` set to zero.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        lambd: the largest absolute value that becomes zero
    
    Returns a new tensor. The gradient is 0 where the element was set to zero and 1 elsewhere.
    
    >>> jgrad.hardshrink(jgrad.tensor([-2., -0.5, 0.25, 1.]))
    tensor([-2.,  0.,  0.,  1.])
    """
def hardsigmoid(input: Tensor, inplace: _bool = False) -> Tensor:
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between, 1 from 3 on.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient is 1/6 strictly between -3 and 3, and 0 elsewhere.
    
    >>> jgrad.nn.functional.hardsigmoid(jgrad.tensor([-4., 0., 1.5, 4.]))
    tensor([0.0000, 0.5000, 0.7500, 1.0000])
    """
def hardswish(input: Tensor, inplace: _bool = False) -> Tensor:
    """Each element times its `hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between, `input` from 3 on.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    >>> jgrad.nn.functional.hardswish(jgrad.tensor([0., 1.5, 4.]))
    tensor([0.0000, 1.1250, 4.0000])
    """
def hardtanh(input: Tensor, min_val: _float = -1.0, max_val: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Each element, clamped to the range from `min_val` to `max_val`.
    
    Args:
        input: a tensor of any shape
        min_val: the smallest value of the result
        max_val: the largest value of the result
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient is 1 strictly between the two limits, and 0 elsewhere. (The gradient of `clamp` is 1 at the limits too.)
    Raises ValueError if `min_val` is above `max_val`.
    
    >>> x = jgrad.tensor([-2., 0.5, 1.], requires_grad=True)
    >>> y = jgrad.nn.functional.hardtanh(x)
    >>> y.detach()
    tensor([-1.0000,  0.5000,  1.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 0.])
    """
def hardtanh_(input: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    """Clamps each element of the tensor to the range from `min_val` to `max_val`, in place.
    
    Args:
        input: the tensor that is changed; it must not be a leaf that requires grad
        min_val: the smallest value of the result
        max_val: the largest value of the result
    
    Returns `input` itself.
    
    The gradient is 1 strictly between the two limits, and 0 elsewhere.
    
    >>> x = jgrad.tensor([-2., 0., 8.])
    >>> jgrad.nn.functional.hardtanh_(x, 0, 6)
    tensor([0., 0., 6.])
    >>> x
    tensor([0., 0., 6.])
    """
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """For distances: `input` itself where the target is 1, and `margin - input`, at least 0, where it is -1.
    
    Args:
        input: distances between pairs, of any shape
        target: 1 for pairs that should be near each other, -1 for the others
        margin: pairs of the second kind give no loss if their distance is at least this number
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    >>> distances = jgrad.tensor([3., 0.5, 3.])
    >>> jgrad.nn.functional.hinge_embedding_loss(distances, jgrad.tensor([1, -1, -1]), reduction="none")
    tensor([3.0000, 0.5000, 0.0000])
    """
def huber_loss(input: Tensor, target: Tensor, reduction: _str = 'mean', delta: _float = 1.0, weight: Tensor | None = None) -> Tensor:
    """Half the square of the difference d; where d is above `delta`, it is the straight line `delta * (d - delta / 2)` instead.
    
    Args:
        input: a tensor of any shape
        target: a tensor with the shape of `input`; another one is broadcast, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        delta: the difference at which the curve becomes a straight line; it is also the slope of this line. It must be positive
        weight: a factor for each element, with the shape of `input`; 'mean' still divides by the number of elements. None stands for ones
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    No element of the gradient is larger than `delta`, so that single large differences do not dominate.
    
    >>> x = jgrad.tensor([1., 2., 5.])
    >>> jgrad.nn.functional.huber_loss(x, jgrad.tensor([1., 3., 1.]), reduction="none", delta=2.0)
    tensor([0.0000, 0.5000, 6.0000])
    """
def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: _bool = True, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Normalizes each channel of each sample by itself: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        running_mean: the running means, of shape (C,), which are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,), which are updated in place. None, if none are kept
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        use_input_stats: whether to use the statistics of `input`; otherwise the running ones are used and not changed
        momentum: how far the running statistics move towards those of `input`: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns a new tensor with the shape of `input`.
    
    Raises ValueError if mean and variance would be those of a single value.
    
    >>> x = jgrad.tensor([[[1., 3.], [10., 30.]]])
    >>> jgrad.nn.functional.instance_norm(x, eps=0.)
    tensor([[[-1.,  1.],
             [-1.,  1.]]])
    """
def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: _str = 'nearest', align_corners: _bool | None = None, recompute_scale_factor: _bool | None = None, antialias: _bool = False) -> Tensor:
    """Resizes rows, images or volumes: new elements are computed from the old ones that are near them.
    
    Args:
        input: a tensor of shape (N, C, L), (N, C, H, W) or (N, C, D, H, W) with a floating point dtype
        size: the new sizes, as a tuple, or one number for all of them
        scale_factor: how many times as large the new sizes are, instead of `size`; one number or a tuple
        mode: 'nearest' or 'nearest-exact' copies the nearest element, 'area' gives the mean of those that are covered; for rows also 'linear',
            for images 'bilinear', 'bicubic' and 'lanczos', for volumes 'trilinear'
        align_corners: whether the centers of the corner elements stay in place; otherwise their outer edges do. None stands for False; only for the
            modes with 'linear' or 'cubic' in their name
        recompute_scale_factor: whether the factor is computed again from the rounded sizes; not with `size`
        antialias: whether shrinking takes the mean of all elements that are covered; only for images with 'bilinear', 'bicubic' and 'lanczos'
    
    Returns a new tensor.
    
    'area' computes the same as adaptive average pooling. 'lanczos' works only with `antialias=True`.
    
    >>> x = jgrad.tensor([[[1., 3.]]])
    >>> jgrad.nn.functional.interpolate(x, scale_factor=2)
    tensor([[[1., 1., 3., 3.]]])
    >>> jgrad.nn.functional.interpolate(x, size=3, mode="linear", align_corners=True)
    tensor([[[1., 2., 3.]]])
    """
def kl_div(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', log_target: _bool = False) -> Tensor:
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`.
    It is `target * (log(target) - input)` for each element.
    
    Args:
        input: logarithms of probabilities, of any shape
        target: probabilities, or their logarithms with `log_target`, in the shape of `input`
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'batchmean' gives the sum divided by the size of dimension 0, 'mean' the mean of the elements (with a warning), 'sum' their sum,
            'none' all of them
        log_target: whether `target` holds logarithms
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`. Elements with the target 0 give 0.
    
    Raises RuntimeError for integers and complex numbers.
    
    >>> p = jgrad.tensor([[0.5, 0.5]])
    >>> jgrad.nn.functional.kl_div(p.log(), p, reduction="batchmean")
    tensor(0.)
    >>> jgrad.nn.functional.kl_div(jgrad.tensor([[-1., -2.]]), jgrad.tensor([[1., 0.]]), reduction="batchmean")
    tensor(1.)
    """
def l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The absolute values of the differences `input - target`, and their mean (mean absolute error).
    
    Args:
        input: a tensor of any shape
        target: a tensor with the shape of `input`; another one is broadcast, with a warning
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        weight: a factor for each element, with the shape of `input`; 'mean' divides by the sum of the weights then. None stands for ones
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    The gradient has the same size for small and large differences; where the two are equal it is 0.
    
    >>> x = jgrad.tensor([1., 2., 9.], requires_grad=True)
    >>> loss = jgrad.nn.functional.l1_loss(x, jgrad.tensor([1., 6., 8.]), reduction="sum")
    >>> loss.item()
    5.0
    >>> loss.backward()
    >>> x.grad
    tensor([ 0., -1.,  1.])
    """
def layer_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Normalizes each sample over its last dimensions: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which mean and variance are computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        bias: is added to each element of a sample, of shape `normalized_shape`; None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns a new tensor with the shape of `input`.
    
    The variance is the mean of the squared differences (it divides by n, not by n - 1). Mean and variance depend on `input`, and the gradient
    flows through them: without `weight` the gradient of `input` sums to 0 for each sample.
    
    >>> x = jgrad.tensor([[1., 3.], [10., 30.]])
    >>> jgrad.nn.functional.layer_norm(x, (2,), eps=0.)
    tensor([[-1.,  1.],
            [-1.,  1.]])
    """
def leaky_relu(input: Tensor, negative_slope: _float = 0.01, inplace: _bool = False) -> Tensor:
    """Each element where it is positive, `negative_slope * input` elsewhere.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        negative_slope: the factor for elements that are not positive; it is also their gradient
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `negative_slope` is negative.
    
    >>> x = jgrad.tensor([-2., 3.], requires_grad=True)
    >>> y = jgrad.nn.functional.leaky_relu(x, 0.5)
    >>> y.detach()
    tensor([-1.,  3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """
def leaky_relu_(input: Tensor, negative_slope: Number = 0.01) -> Tensor:
    """Multiplies each element of the tensor that is not positive by `negative_slope`.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        negative_slope: the factor for elements that are not positive
    
    Returns `input` itself.
    
    The gradient is computed from the result. Therefore `backward` raises RuntimeError if `negative_slope` is negative.
    
    >>> x = jgrad.tensor([-2., 3.])
    >>> jgrad.nn.functional.leaky_relu_(x, 0.5)
    tensor([-1.,  3.])
    >>> x
    tensor([-1.,  3.])
    """
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """A linear map: `input` times the transpose of `weight`, plus `bias`.
    
    Args:
        input: vectors along the last dimension, of shape (..., D)
        weight: a matrix of shape (M, D), or a vector of shape (D,)
        bias: is added to each result, of shape (M,); None adds nothing
    
    Returns a new tensor of shape (..., M); without the last dimension if `weight` is a vector.
    
    >>> x = jgrad.tensor([[1., 2.]])
    >>> weight = jgrad.tensor([[1., 0.], [0., 1.], [1., 1.]], requires_grad=True)
    >>> y = jgrad.nn.functional.linear(x, weight)
    >>> y.detach()
    tensor([[1., 2., 3.]])
    >>> y.sum().backward()
    >>> weight.grad
    tensor([[1., 2.],
            [1., 2.],
            [1., 2.]])
    """
def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None, weight: Tensor | None = None, reduction: _str = 'mean', ignore_index: _int | None = None, label_smoothing: _float = 0.0, options: Any = None) -> Tensor:
    """`cross_entropy` of the scores that a linear map gives: `cross_entropy(linear(input, linear_weight, linear_bias), target)`.
    
    Args:
        input: vectors of shape (N, D), or a single one of shape (D,)
        linear_weight: the matrix of the linear map, of shape (C, D) for C classes, or (C, d1, ..., D) for more than one score per class
        target: the numbers of the classes, as int64 in the shape of the scores without C; or the probabilities of all classes in the shape of the
            scores
        linear_bias: added to the scores, in the shape of `linear_weight` without the last dimension; None adds nothing
        weight: a factor for each class, of shape (C,); None stands for ones
        reduction: 'mean', 'sum' or 'none', as for `cross_entropy`
        ignore_index: targets that are this number are left out; None stands for -100
        label_smoothing: the share of the target's probability, between 0 and 1, that is spread evenly over all classes
        options: a `LinearCrossEntropyOptions`: the scores are computed for some rows at a time, which saves memory. The result can then be
            differentiated once
    
    Returns a tensor without dimensions; with 'none' one with the shape of the scores without C.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> weight = jgrad.eye(2, requires_grad=True)
    >>> loss = jgrad.nn.functional.linear_cross_entropy(x, weight, jgrad.tensor([0, 1]))
    >>> expected = jgrad.nn.functional.cross_entropy(x @ weight.T, jgrad.tensor([0, 1]))
    >>> jgrad.allclose(loss, expected)
    True
    """
def local_response_norm(input: Tensor, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> Tensor:
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it.
    
    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions; dimension 1 holds the channels
        size: the number of channels of which the mean is computed; channels outside the tensor count as 0
        alpha: the factor of the mean
        beta: the power
        k: the number that is added, so that nothing is divided by zero
    
    Returns a new tensor with the shape of `input`; with no elements it returns `input` itself.
    
    >>> x = jgrad.tensor([[[1.], [2.]]])
    >>> jgrad.nn.functional.local_response_norm(x, size=1, alpha=1.0, beta=1.0, k=0.0)
    tensor([[[1.0000],
             [0.5000]]])
    """
def log_softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of the softmax. It is more exact than `softmax(input).log()`, which gives -inf where the softmax is rounded to zero.
    
    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the probabilities sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`.
    
    >>> scores = jgrad.tensor([200., 0.])
    >>> jgrad.nn.functional.log_softmax(scores, dim=0)
    tensor([   0., -200.])
    >>> jgrad.nn.functional.softmax(scores, dim=0).log()
    tensor([0., -inf])
    """
def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sigmoid. It does not overflow: `sigmoid(input).log()` gives -inf where the sigmoid is rounded to zero.
    
    Args:
        input: a tensor of any shape with a floating point dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([-200., 200.])
    >>> jgrad.nn.functional.logsigmoid(x)
    tensor([-200.,    0.])
    >>> jgrad.sigmoid(x).log()
    tensor([-inf, 0.])
    """
def lp_pool1d(input: Tensor, norm_type: _float, kernel_size: _int, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a row: the sum of the p-th powers of its elements, to the power `1 / p`.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        norm_type: the number p: 1 gives sums, 2 lengths, `inf` the largest absolute value
        kernel_size: the size of a window: one number
        stride: how far the window moves each time; None stands for `kernel_size`, so that the windows do not overlap
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor.
    
    The powers are those of the elements, not of their absolute values: with p = 3 a negative sum gives nan.
    
    >>> jgrad.nn.functional.lp_pool1d(jgrad.tensor([[3., 4., 0., 2.]]), 2, 2)
    tensor([[5., 2.]])
    """
def lp_pool2d(input: Tensor, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of an image: the sum of the p-th powers of its elements, to the power `1 / p`.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W) with a floating point dtype
        norm_type: the number p: 1 gives sums, 2 lengths, `inf` the largest absolute value
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moves each time; one number or a pair; None stands for `kernel_size`, so that the windows do not overlap
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor.
    
    The powers are those of the elements, not of their absolute values: with p = 3 a negative sum gives nan.
    
    >>> jgrad.nn.functional.lp_pool2d(jgrad.tensor([[[3., 4.], [0., 0.]]]), 2, 2)
    tensor([[[5.]]])
    """
def lp_pool3d(input: Tensor, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a volume: the sum of the p-th powers of its elements, to the power `1 / p`.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W) with a floating point dtype
        norm_type: the number p: 1 gives sums, 2 lengths, `inf` the largest absolute value
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moves each time; one number or three; None stands for `kernel_size`, so that the windows do not overlap
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor.
    
    The powers are those of the elements, not of their absolute values: with p = 3 a negative sum gives nan.
    
    >>> jgrad.nn.functional.lp_pool3d(jgrad.ones(1, 4, 2, 2), 2, (4, 2, 2))
    tensor([[[[4.]]]])
    """
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """`-target * (input1 - input2) + margin`, at least 0: how far `input1` is from exceeding `input2` by the margin (target 1), or the other
    way round (target -1).
    
    Args:
        input1: the scores of the first items
        input2: the scores of the second items, with as many dimensions as `input1`
        target: 1 where the first item should have the higher score, -1 where the second one should
        margin: how much higher this score should be
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the common shape of the three, which are broadcast.
    
    >>> first, second = jgrad.tensor([5., 5.]), jgrad.tensor([2., 2.])
    >>> jgrad.nn.functional.margin_ranking_loss(first, second, jgrad.tensor([1, -1]), margin=1.0, reduction="none")
    tensor([0., 4.])
    """
def max_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        kernel_size: the size of a window: one number
        stride: how far the window moves each time: one number.
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number; at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]])
    >>> jgrad.nn.functional.max_pool1d(x, 2, return_indices=True)
    (tensor([[4., 3.]]), tensor([[1, 3]]))
    """
def max_pool1d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        kernel_size: the size of a window: one number
        stride: how far the window moves each time: one number.
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number; at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]])
    >>> jgrad.nn.functional.max_pool1d_with_indices(x, 2)
    (tensor([[4., 3.]]), tensor([[1, 3]]))
    """
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moves each time: one number, or a pair (height, width).
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number, or a pair (height, width); at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[[1., 4.], [2., 3.]]])
    >>> jgrad.nn.functional.max_pool2d(x, 2, return_indices=True)
    (tensor([[[4.]]]), tensor([[[1]]]))
    """
def max_pool2d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moves each time: one number, or a pair (height, width).
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number, or a pair (height, width); at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[[1., 4.], [2., 3.]]])
    >>> jgrad.nn.functional.max_pool2d_with_indices(x, 2)
    (tensor([[[4.]]]), tensor([[[1]]]))
    """
def max_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moves each time: one number, or three (depth, height, width).
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number, or three (depth, height, width); at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: whether to return the places of the maxima too
    
    Returns a new tensor; with `return_indices=True` two of them: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.max_pool3d(x, 2, return_indices=True)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def max_pool3d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moves each time: one number, or three (depth, height, width).
            None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side: one number, or three (depth, height, width); at most half of `kernel_size`
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        return_indices: has no effect: the places are always returned
    
    Returns two new tensors: the maxima, and their places as int64, counted over all elements of a channel.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.nn.functional.max_pool3d_with_indices(x, 2)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
def max_unpool1d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Puts the maxima that `max_pool1d` found back to their places; all other elements are zero.
    
    Args:
        input: the maxima, rows of shape (N, C, L) or (C, L)
        indices: their places, as int64 in the shape of `input`, as `max_pool1d` gives them with `return_indices=True`
        kernel_size: the size of a window: one number
        stride: how far the window moved each time; None stands for `kernel_size`
        padding: how many places were added on each side
        output_size: the size of the result, where several sizes give as many windows; None takes the smallest
    
    Returns a new tensor. If several maxima belong to the same place, only one of them is written.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]])
    >>> largest, places = jgrad.nn.functional.max_pool1d(x, 2, return_indices=True)
    >>> jgrad.nn.functional.max_unpool1d(largest, places, 2)
    tensor([[0., 4., 0., 3.]])
    """
def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Puts the maxima that `max_pool2d` found back to their places; all other elements are zero.
    
    Args:
        input: the maxima, images of shape (N, C, H, W) or (C, H, W)
        indices: their places, as int64 in the shape of `input`, as `max_pool2d` gives them with `return_indices=True`
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moved each time; one number or a pair; None stands for `kernel_size`
        padding: how many places were added on each side; one number or a pair
        output_size: the sizes of the result, where several sizes give as many windows; None takes the smallest
    
    Returns a new tensor. If several maxima belong to the same place, only one of them is written.
    
    >>> x = jgrad.tensor([[[1., 4.], [2., 3.]]])
    >>> largest, places = jgrad.nn.functional.max_pool2d(x, 2, return_indices=True)
    >>> jgrad.nn.functional.max_unpool2d(largest, places, 2)
    tensor([[[0., 4.],
             [0., 0.]]])
    """
def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Puts the maxima that `max_pool3d` found back to their places; all other elements are zero.
    
    Args:
        input: the maxima, volumes of shape (N, C, D, H, W) or (C, D, H, W)
        indices: their places, as int64 in the shape of `input`, as `max_pool3d` gives them with `return_indices=True`
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moved each time; one number or three; None stands for `kernel_size`
        padding: how many places were added on each side; one number or three
        output_size: the sizes of the result, where several sizes give as many windows; None takes the smallest
    
    Returns a new tensor. If several maxima belong to the same place, only one of them is written.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> largest, places = jgrad.nn.functional.max_pool3d(x, 2, return_indices=True)
    >>> jgrad.nn.functional.max_unpool3d(largest, places, 2)
    tensor([[[[0., 0.],
              [0., 0.]],
    <BLANKLINE>
             [[0., 0.],
              [0., 7.]]]])
    """
def mish(input: Tensor, inplace: _bool = False) -> Tensor:
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    >>> jgrad.nn.functional.mish(jgrad.tensor([0., 100.]))
    tensor([  0., 100.])
    """
def mse_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The squares of the differences `input - target`, and their mean (mean squared error).
    
    Args:
        input: a tensor of any shape
        target: a tensor with the shape of `input`; another one is broadcast, with a warning
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        weight: a factor for each element, with the shape of `input`; 'mean' divides by the sum of the weights then. None stands for ones
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`. Both `input` and `target` get a gradient.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> loss = jgrad.nn.functional.mse_loss(x, jgrad.tensor([1., 6.]))
    >>> loss.item()
    8.0
    >>> loss.backward()
    >>> x.grad
    tensor([ 0., -4.])
    """
def multi_head_attention_forward(query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: _int, num_heads: _int, in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None, add_zero_attn: _bool, dropout_p: _float, out_proj_weight: Tensor, out_proj_bias: Tensor | None, training: _bool = True, key_padding_mask: Tensor | None = None, need_weights: _bool = True, attn_mask: Tensor | None = None, use_separate_proj_weight: _bool = False, q_proj_weight: Tensor | None = None, k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None, static_k: Tensor | None = None, static_v: Tensor | None = None, average_attn_weights: _bool = True, is_causal: _bool = False) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes: query, key and value are projected and split into heads, each head computes its attention, and the
    joined results are projected again.
    
    Args:
        query: a tensor of shape (L, N, E) or (L, E): L places, N samples, E features
        key: a tensor of shape (S, N, E2) or (S, E2) with S places; its features may be other ones with `use_separate_proj_weight` only
        value: a tensor of shape (S, N, E3) or (S, E3); its features may be other ones with `use_separate_proj_weight` only
        embed_dim_to_check: must be E; otherwise AssertionError is raised
        num_heads: the number of heads, by which E must be divisible
        in_proj_weight: the matrices of the three projections, one below the other, of shape (3 * E, E); None with `use_separate_proj_weight`
        in_proj_bias: is added by the three projections, of shape (3 * E,); None adds nothing
        bias_k: is appended to the projected keys as one more place, of shape (1, 1, E); None appends nothing
        bias_v: the same for the values; both or none must be given
        add_zero_attn: whether a place of zeros is appended to keys and values
        dropout_p: the probability with which attention weights are set to zero in training
        out_proj_weight: the matrix of the last projection, of shape (E, E)
        out_proj_bias: is added by the last projection, of shape (E,); None adds nothing
        training: whether dropout takes place
        key_padding_mask: True (or -inf) for the places of `key` that nobody may see, of shape (N, S) or (S,); numbers are added to the scores. None
            hides nothing
        need_weights: whether to return the attention weights too
        attn_mask: True for the places of `key` that a place of `query` may not see, or numbers that are added to the scores; of shape (L, S) or
            (N * num_heads, L, S). None hides nothing
        use_separate_proj_weight: whether `q_proj_weight`, `k_proj_weight` and `v_proj_weight` are used instead of `in_proj_weight`
        q_proj_weight: the matrix that projects `query`, of shape (E, E)
        k_proj_weight: the matrix that projects `key`, of shape (E, E2)
        v_proj_weight: the matrix that projects `value`, of shape (E, E3)
        static_k: projected keys of shape (N * num_heads, S, E / num_heads), used instead of those of `key`; None uses `key`
        static_v: projected values of the same shape, used instead of those of `value`; None uses `value`
        average_attn_weights: whether the weights are averaged over the heads
        is_causal: a hint that `attn_mask`, which must be given too, hides all later places; then a faster way may be taken
    
    Returns two new tensors: the result in the shape of `query`, and the weights of shape (N, L, S), or (N, num_heads, L, S) without averaging.
    The second is None if `need_weights` is False. Without a batch N is left out.
    
    A True in a mask hides a place here. In `scaled_dot_product_attention` it shows it.
    
    >>> query, key, value = jgrad.zeros(1, 2), jgrad.ones(2, 2), jgrad.tensor([[1., 2.], [3., 4.]])
    >>> projections, last = jgrad.eye(2).repeat(3, 1), jgrad.eye(2)
    >>> result, weights = jgrad.nn.functional.multi_head_attention_forward(
    ...     query, key, value, 2, 1, projections, None, None, None, False, 0.0, last, None)
    >>> result
    tensor([[2., 3.]])
    >>> weights
    tensor([[0.5000, 0.5000]])
    """
def multi_margin_loss(input: Tensor, target: Tensor, p: _int = 1, margin: _float = 1.0, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far the scores of the other classes are from being below that of the target class by the margin:
    the sum over the other classes of `(margin - input[target] + input[class]) ** p`, of 0 where the bracket is negative, divided by C.
    
    Args:
        input: scores of shape (N, C) for N samples and C classes, or (C,)
        target: the numbers of the classes, as int64 of shape (N,), or without dimensions for a single sample
        p: the power, 1 or 2
        margin: how much higher the score of the target class should be
        weight: a factor for each target class, of shape (C,); None stands for ones. It cannot require grad
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `target`.
    
    Its gradient cannot be differentiated again.
    
    >>> scores = jgrad.tensor([[3., 2.5, 0., 1.]])
    >>> jgrad.nn.functional.multi_margin_loss(scores, jgrad.tensor([0]))
    tensor(0.1250)
    """
def multilabel_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """`multi_margin_loss` where a sample has several labels: the sum over all pairs of a label and another class of
    `margin - input[label] + input[class]`, at least 0, with the margin 1, divided by C.
    
    Args:
        input: scores of shape (N, C) for N samples and C classes, or (C,)
        target: the labels of each sample, as int64 in the shape of `input`; those from the first -1 on do not count
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with one element for each sample.
    
    Its gradient cannot be differentiated again.
    
    >>> scores = jgrad.tensor([[3., 0., 2., 2.5]])
    >>> jgrad.nn.functional.multilabel_margin_loss(scores, jgrad.tensor([[0, 2, -1, 0]]))
    tensor(0.5000)
    """
def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """`binary_cross_entropy_with_logits` for each of C labels, averaged over the labels.
    
    Args:
        input: scores of shape (..., C)
        target: 1 for labels that the sample has, 0 for the others, in the shape of `input`
        weight: a factor for each label or each element, which is broadcast; None stands for ones
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input` without the last dimension.
    
    >>> scores = jgrad.tensor([[200., -200.], [200., 200.]])
    >>> labels = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> jgrad.nn.functional.multilabel_soft_margin_loss(scores, labels, reduction="none")
    tensor([  0., 100.])
    """
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Changes the order of the channels: the first of each group, then the second of each, and so on. It is `channel_shuffle` without a gradient.
    
    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions
        groups: the number of groups, by which C must be divisible
    
    Returns a new tensor with the shape of `input`. Raises RuntimeError in `backward`: it has no derivative.
    
    >>> x = jgrad.tensor([1., 2., 3., 4., 5., 6.]).reshape(1, 6, 1)
    >>> jgrad.native_channel_shuffle(x, 2).flatten()
    tensor([1., 4., 2., 5., 3., 6.])
    """
def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """Minus the element of `input` at the target class (negative log-likelihood), where `input` holds logarithms of probabilities.
    
    Args:
        input: log-probabilities, as `log_softmax` gives them, of shape (N, C) for N samples and C classes, or (C,), or (N, C, d1, ...)
        target: the numbers of the classes, as int64 in the shape of `input` without C
        weight: a factor for each class, of shape (C,); None stands for ones. It cannot require grad
        size_average: deprecated, use `reduction`
        ignore_index: targets that are this number are left out, also from the mean
        reduce: deprecated, use `reduction`
        reduction: 'mean', 'sum' or 'none'; the mean is weighted by `weight`
    
    Returns a tensor without dimensions; with 'none' one with the shape of `target`.
    
    >>> logs = jgrad.tensor([[-1., -2.], [-3., -4.]], requires_grad=True)
    >>> loss = jgrad.nn.functional.nll_loss(logs, jgrad.tensor([1, 0]))
    >>> loss.item()
    2.5
    >>> loss.backward()
    >>> logs.grad
    tensor([[ 0.0000, -0.5000],
            [-0.5000,  0.0000]])
    """
def normalize(input: Tensor, p: _float = 2.0, dim: _int = 1, eps: _float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Divides vectors by their norm, so that they have the length 1. The vectors lie along a dimension.
    
    Args:
        input: a tensor with a floating point or complex dtype
        p: the norm: 2 is the usual length, 1 the sum of the absolute values
        dim: the dimension along which the vectors lie; negative numbers count from the last one
        eps: shorter vectors are divided by this number instead
        out: a tensor that takes the result; then no gradient is possible
    
    Returns a new tensor with the shape of `input`, or `out`.
    
    >>> jgrad.nn.functional.normalize(jgrad.tensor([[3., 4.], [0., 0.]]), dim=1)
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])
    >>> jgrad.nn.functional.normalize(jgrad.tensor([[1., 3.]]), p=1, dim=1)
    tensor([[0.2500, 0.7500]])
    """
def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """For each class number a row with a 1 at its place and zeros elsewhere.
    
    Args:
        input: class numbers from 0 on, as int64, of any shape
        num_classes: the length of the rows; -1 takes the largest number plus 1
    
    Returns a new int64 tensor of shape (*input.shape, num_classes). Has no gradient.
    
    Raises RuntimeError if a number is negative or not below `num_classes`.
    
    >>> jgrad.nn.functional.one_hot(jgrad.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    >>> jgrad.nn.functional.one_hot(jgrad.tensor([2, 0]), num_classes=4)
    tensor([[0, 0, 1, 0],
            [1, 0, 0, 0]])
    """
def pad(input: Tensor, pad: Any, mode: _str = 'constant', value: _float | None = None) -> Tensor:
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
def pairwise_distance(x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False) -> Tensor:
    """The distances of vectors from each other, which lie along the last dimension: the norms of order `p` of their differences.
    
    Args:
        x1: a tensor whose last dimension holds the vectors
        x2: another such tensor; its shape broadcasts with that of `x1`
        p: the order of the norm: 2 gives Euclidean distances, 1 the sums of absolute differences
        eps: this is added to each difference, so that the norm of equal vectors has a gradient
        keepdim: if True, the last dimension stays in the shape, with size 1
    
    Returns a new tensor without the last dimension.
    
    >>> x = jgrad.tensor([[0., 0.], [3., 4.]])
    >>> y = jgrad.tensor([[3., 4.], [3., 4.]])
    >>> jgrad.pairwise_distance(x, y, eps=0.)
    tensor([5., 0.])
    """
def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix: the norms of order `p` of their differences.
    
    Args:
        input: a matrix with a floating dtype; each row is a point
        p: the order of the norm, not negative: 2 gives Euclidean distances, 1 the sums of absolute differences
    
    Returns a new vector: first the distances of row 0 from the later rows, then those of row 1 from the later rows, and so on. It cannot be
    differentiated twice.
    
    >>> jgrad.nn.functional.pdist(jgrad.tensor([[0., 0.], [3., 4.], [6., 8.]]))
    tensor([ 5., 10.,  5.])
    """
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Spreads groups of r * r channels out as r by r pixels, where r is `upscale_factor`.
    
    Args:
        input: a tensor of shape (..., C * r * r, H, W)
        upscale_factor: how many times as high and wide the result is
    
    Returns a new tensor of shape (..., C, H * r, W * r).
    
    >>> x = jgrad.tensor([1., 2., 3., 4.]).reshape(4, 1, 1)
    >>> jgrad.pixel_shuffle(x, 2)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Stacks the pixels of each square of r by r as r * r channels, where r is `downscale_factor`. It undoes `pixel_shuffle`.
    
    Args:
        input: a tensor of shape (..., C, H * r, W * r)
        downscale_factor: by how many times height and width become smaller
    
    Returns a new tensor of shape (..., C * r * r, H, W).
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> jgrad.pixel_unshuffle(x, 2).shape
    jgrad.Size([4, 1, 1])
    >>> jgrad.pixel_unshuffle(x, 2).flatten()
    tensor([1., 2., 3., 4.])
    """
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool = True, full: _bool = False, size_average: _bool | None = None, eps: _float = 1e-08, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """Minus the logarithm of the probability of counts under Poisson distributions, without the part that does not depend on `input`.
    
    Args:
        input: the expected counts, or their logarithms with `log_input`, of any shape
        target: the counts that were observed
        log_input: whether `input` holds logarithms: the loss is `exp(input) - target * input`, otherwise `input - target * log(input + eps)`
        full: whether to add an approximation (Stirling's formula) of the part that depends on `target` alone
        size_average: deprecated, use `reduction`
        eps: a small number that avoids the logarithm of 0
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    The loss is smallest where the expected count is the one that was observed; there the gradient is 0.
    
    >>> x = jgrad.tensor([0., 0.], requires_grad=True)
    >>> jgrad.nn.functional.poisson_nll_loss(x, jgrad.tensor([1., 3.]), reduction="sum").backward()
    >>> x.grad
    tensor([ 0., -2.])
    """
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Each element where it is positive, `weight * input` elsewhere. The weight is a tensor, so that it can be learned.
    
    Args:
        input: a tensor of any shape with a floating point dtype; dimension 1 holds the channels
        weight: one number, or a vector with one number for each channel; it has the dtype of `input`
    
    Returns a new tensor with the shape of `input`. Both tensors get a gradient.
    
    >>> x = jgrad.tensor([[-2., -2.], [3., -4.]])
    >>> weight = jgrad.tensor([0.5, 0.25], requires_grad=True)
    >>> y = jgrad.prelu(x, weight)
    >>> y.detach()
    tensor([[-1.0000, -0.5000],
            [ 3.0000, -1.0000]])
    >>> y.sum().backward()
    >>> weight.grad
    tensor([-2., -6.])
    """
def relu(input: Tensor, inplace: _bool = False) -> Tensor:
    """Each element where it is positive, 0 elsewhere.
    
    Args:
        input: a tensor of any shape with a real dtype other than bool
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient is 1 where `input` is positive and 0 elsewhere, at 0 too.
    
    >>> x = jgrad.tensor([-2., 0., 3.], requires_grad=True)
    >>> y = jgrad.nn.functional.relu(x)
    >>> y.detach()
    tensor([0., 0., 3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
def relu6(input: Tensor, inplace: _bool = False) -> Tensor:
    """Each element, clamped to the range from 0 to 6.
    
    Args:
        input: a tensor of any shape
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient is 1 strictly between 0 and 6, and 0 elsewhere.
    
    >>> jgrad.nn.functional.relu6(jgrad.tensor([-2., 3., 8.]))
    tensor([0., 3., 6.])
    """
def relu_(input: Tensor) -> Tensor:
    """The rectified linear unit: the element where it is positive, 0 elsewhere.
    
    Args:
        input: a tensor of real numbers; bools raise RuntimeError
    
    Returns a new tensor with the dtype of `input`. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([-1., 0., 2.], requires_grad=True)
    >>> jgrad.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """Divides each sample by its root mean square over the last dimensions; then times `weight`. No mean is subtracted.
    
    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which the mean of the squares is computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        eps: a small number that is added to the mean square; None stands for `finfo(dtype).eps`
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[1., 7.], [10., 70.]])
    >>> jgrad.nn.functional.rms_norm(x, (2,))
    tensor([[0.2000, 1.4000],
            [0.2000, 1.4000]])
    """
def rrelu(input: Tensor, lower: _float = 0.125, upper: _float = 0.3333333333333333, training: _bool = False, inplace: _bool = False) -> Tensor:
    """`leaky_relu` with a random slope for each element that is not positive.
    In training the slopes are drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        lower: the smallest slope
        upper: the largest slope
        training: whether to draw random slopes
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    >>> jgrad.nn.functional.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75)
    tensor([-4.,  8.])
    >>> noisy = jgrad.nn.functional.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75, training=True)
    >>> -6 <= noisy[0] <= -2
    tensor(True)
    """
def rrelu_(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """Multiplies each element of the tensor that is not positive by a slope.
    In training each slope is drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        lower: the smallest slope
        upper: the largest slope
        training: whether to draw random slopes
        generator: the random number generator; None stands for the default one
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([-8., 8.])
    >>> jgrad.rrelu_(x, lower=0.25, upper=0.75)
    tensor([-4.,  8.])
    >>> x
    tensor([-4.,  8.])
    """
def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: _float = 0.0, is_causal: _bool = False, *, scale: _float | None = None, enable_gqa: _bool = False) -> Tensor:
    """Attention: for each query the average of the values, weighted by the softmax of the products of this query with all keys.
    It computes `softmax(query @ key.T * scale + mask) @ value`.
    
    Args:
        query: queries of shape (..., L, E); the dimensions in front are the batch and the heads
        key: keys of shape (..., S, E)
        value: values of shape (..., S, V)
        attn_mask: bools that are True for the keys that a query may see, or numbers that are added to the products; its shape is broadcast
            to (..., L, S). None lets every query see all keys
        dropout_p: the probability with which each weight is set to zero; for evaluation it must be 0
        is_causal: True lets query i see the keys 0 to i only; `attn_mask` must be None then
        scale: the factor of the products; None stands for `1 / sqrt(E)`
        enable_gqa: whether `key` and `value` may have fewer heads than `query`; each of their heads is used for several heads of `query` then
    
    Returns a new tensor of shape (..., L, V).
    
    A query that may see no key gets zeros. Raises RuntimeError unless `query`, `key` and `value` have the same dtype.
    
    >>> query = jgrad.zeros(1, 2, 3)
    >>> value = jgrad.tensor([[[2.], [4.]]])
    >>> jgrad.nn.functional.scaled_dot_product_attention(query, jgrad.ones(1, 2, 3), value)
    tensor([[[3.],
             [3.]]])
    >>> jgrad.nn.functional.scaled_dot_product_attention(query, jgrad.ones(1, 2, 3), value, is_causal=True)
    tensor([[[2.],
             [3.]]])
    """
def selu(input: Tensor, inplace: _bool = False) -> Tensor:
    """`elu` with fixed numbers: `scale * elu(input, alpha)` with `scale` = 1.0507 and `alpha` = 1.6733 (rounded).
    These two numbers keep the mean at 0 and the variance at 1 through many layers.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    >>> jgrad.nn.functional.selu(jgrad.tensor([-100., 0., 1.]))
    tensor([-1.7581,  0.0000,  1.0507])
    """
def selu_(input: Tensor) -> Tensor:
    """Replaces each element of the tensor by its `selu`.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([-100., 0., 1.])
    >>> jgrad.selu_(x)
    tensor([-1.7581,  0.0000,  1.0507])
    >>> x
    tensor([-1.7581,  0.0000,  1.0507])
    """
def sigmoid(input: Tensor) -> Tensor:
    """`1 / (1 + exp(-input))`, the same as `jgrad.sigmoid`. The results are between 0 and 1.
    
    Args:
        input: a tensor of any shape
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.sigmoid(jgrad.tensor([-200., 0., 200.]))
    tensor([0.0000, 0.5000, 1.0000])
    """
def silu(input: Tensor, inplace: _bool = False) -> Tensor:
    """Each element times its sigmoid: `input * sigmoid(input)`. It is also called swish.
    
    Args:
        input: a tensor of any shape with a floating point or complex dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    >>> x = jgrad.tensor([0., 100.], requires_grad=True)
    >>> y = jgrad.nn.functional.silu(x)
    >>> y.detach()
    tensor([  0., 100.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """
def smooth_l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', beta: _float = 1.0) -> Tensor:
    """The absolute difference d, minus `beta / 2`; where d is below `beta`, it is `d * d / (2 * beta)` instead, a curve without a corner at 0.
    
    Args:
        input: a tensor of any shape
        target: a tensor with the shape of `input`; another one is broadcast, with a warning
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        beta: the difference at which the curve becomes a straight line; must not be negative, and 0 gives `l1_loss`
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    >>> x = jgrad.tensor([1., 2., 5.])
    >>> jgrad.nn.functional.smooth_l1_loss(x, jgrad.tensor([1., 3., 1.]), reduction="none")
    tensor([0.0000, 0.5000, 3.5000])
    """
def soft_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """`log(1 + exp(-target * input))`: it is small where `input` is large and has the sign of the target.
    
    Args:
        input: a tensor of scores of any shape
        target: 1 or -1 for each element; it cannot require grad
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape of `input`.
    
    >>> x = jgrad.tensor([200., 0., 40.])
    >>> jgrad.nn.functional.soft_margin_loss(x, jgrad.tensor([1., 1., -1.]), reduction="none")
    tensor([ 0.0000,  0.6931, 40.0000])
    """
def softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """`exp(input)`, divided so that the elements along a dimension sum to 1. This turns scores into probabilities.
    
    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the results sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`.
    
    Each result depends on all elements along the dimension, so its gradient reaches all of them.
    
    >>> jgrad.nn.functional.softmax(jgrad.tensor([[0., 0.], [200., 0.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    >>> x = jgrad.zeros(2, requires_grad=True)
    >>> jgrad.nn.functional.softmax(x, dim=0)[0].backward()
    >>> x.grad
    tensor([ 0.2500, -0.2500])
    """
def softmin(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """The softmax of `-input`: the smallest elements get the largest probabilities.
    
    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the results sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`.
    
    >>> jgrad.nn.functional.softmin(jgrad.tensor([1., 1., 200.]), dim=0)
    tensor([0.5000, 0.5000, 0.0000])
    """
def softplus(input: Tensor, beta: Number = 1, threshold: Number = 20, *, out: Tensor | None = None) -> Tensor:
    """A smooth `relu`: `log(1 + exp(beta * input)) / beta`. Where `beta * input` is above the threshold, the result is `input` itself.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        beta: with a larger number the curve is nearer to that of `relu`
        threshold: above it the formula is not used, because its result is almost equal to `input` and `exp` could overflow
    
    Returns a new tensor. The gradient is `sigmoid(beta * input)`, and 1 above the threshold.
    
    >>> x = jgrad.tensor([0., 100.], requires_grad=True)
    >>> y = jgrad.nn.functional.softplus(x)
    >>> y.detach()
    tensor([  0.6931, 100.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """
def softshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element, moved towards zero by `lambd`; elements from `-lambd` to `lambd` become zero.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        lambd: how far the elements are moved; must not be negative
    
    Returns a new tensor. The gradient is 0 where the result is zero and 1 elsewhere.
    
    >>> jgrad.nn.functional.softshrink(jgrad.tensor([-2., 0.25, 1.]))
    tensor([-1.5000,  0.0000,  0.5000])
    """
def softsign(input: Tensor) -> Tensor:
    """`input / (1 + abs(input))`: a curve from -1 to 1 that is flatter than `tanh`.
    
    Args:
        input: a tensor of any shape
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.softsign(jgrad.tensor([-3., 0., 1.]))
    tensor([-0.7500,  0.0000,  0.5000])
    """
def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element, the same as `jgrad.tanh`. The results are between -1 and 1.
    
    Args:
        input: a tensor of any shape
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.tanh(jgrad.tensor([-20., 0., 20.]))
    tensor([-1.,  0.,  1.])
    """
def tanhshrink(input: Tensor) -> Tensor:
    """`input - tanh(input)`.
    
    Args:
        input: a tensor of any shape
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.tanhshrink(jgrad.tensor([-20., 0., 20.]))
    tensor([-19.,   0.,  19.])
    """
def threshold(input: Tensor, threshold: _float, value: _float, inplace: _bool = False) -> Tensor:
    """Each element where it is above `threshold`, `value` elsewhere.
    
    Args:
        input: a tensor of any shape
        threshold: elements above this number are kept
        value: the number that replaces the others
        inplace: True writes the result into `input`, which must not be a leaf that requires grad
    
    Returns a new tensor; with `inplace=True` it returns `input` itself.
    
    The gradient is 1 where the element was kept and 0 elsewhere.
    
    >>> jgrad.nn.functional.threshold(jgrad.tensor([1., 2., 3.]), 2, 0)
    tensor([0., 0., 3.])
    """
def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """Writes `value` into the tensor at each element that is not above `threshold`.
    
    Args:
        input: the tensor that is changed; it must not be a leaf that requires grad
        threshold: elements above this number are kept
        value: the number that replaces the others
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([1., 2., 3.])
    >>> jgrad.threshold_(x, 2, -1)
    tensor([-1., -1.,  3.])
    >>> x
    tensor([-1., -1.,  3.])
    """
def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2, eps: _float = 1e-06, swap: _bool = False, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.
    
    Args:
        anchor: vectors of shape (N, D), or a single one of shape (D,)
        positive: vectors that should be near the anchors
        negative: vectors that should be far from the anchors
        margin: how much larger the distance of the negative should be; must be positive
        p: the norm that gives the distance; 2 is the usual length
        eps: a small number that is added to each difference, so that the gradient of the distance 0 exists
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        size_average: deprecated, use `reduction`
        reduce: deprecated, use `reduction`
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with one element for each triplet.
    
    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> jgrad.nn.functional.triplet_margin_loss(anchor, near, far, margin=1.0)
    tensor(0.)
    >>> jgrad.nn.functional.triplet_margin_loss(anchor, near, far, margin=4.0)
    tensor(1.0000)
    """
def triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, margin: _float = 1.0, swap: _bool = False, reduction: _str = 'mean') -> Tensor:
    """`triplet_margin_loss` with any distance: `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.
    
    Args:
        anchor: vectors of shape (N, D), or whatever `distance_function` takes
        positive: vectors that should be near the anchors
        negative: vectors that should be far from the anchors
        distance_function: a function of two tensors that gives their distances; None stands for `pairwise_distance`
        margin: how much larger the distance of the negative should be; must be positive
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them
    
    Returns a tensor without dimensions; with 'none' one with the shape that `distance_function` gives.
    
    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> def largest(a, b):
    ...     return (a - b).abs().amax(1)
    >>> jgrad.nn.functional.triplet_margin_with_distance_loss(anchor, near, far, distance_function=largest, margin=3.0)
    tensor(1.)
    """
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
def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: _str = 'nearest', align_corners: _bool | None = None) -> Tensor:
    """The older name of `interpolate`; it gives a warning.
    
    Args:
        input: a tensor of shape (N, C, L), (N, C, H, W) or (N, C, D, H, W) with a floating point dtype
        size: the new sizes, as a tuple, or one number for all of them
        scale_factor: how many times as large the new sizes are, instead of `size`; one number or a tuple
        mode: how new elements are computed from old ones, as for `interpolate`
        align_corners: whether the centers of the corner elements stay in place; otherwise their outer edges do. None stands for False
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.upsample(jgrad.tensor([[[1., 3.]]]), scale_factor=2)
    tensor([[[1., 1., 3., 3.]]])
    """
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The same as `interpolate(mode="bilinear", align_corners=True)`: new elements lie between the old ones on straight lines.
    It gives a warning, because it is deprecated.
    
    Args:
        input: a tensor of shape (N, C, H, W) with a floating point dtype
        size: the new height and width, or one number for both
        scale_factor: how many times as large the new sizes are, instead of `size`; one number or a tuple
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.upsample_bilinear(jgrad.tensor([[[[1., 3.], [5., 7.]]]]), size=3)
    tensor([[[[1., 2., 3.],
              [3., 4., 5.],
              [5., 6., 7.]]]])
    """
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The same as `interpolate(mode="nearest")`: each new element is a copy of the nearest old one. It gives a warning, because it is deprecated.
    
    Args:
        input: a tensor of shape (N, C, L), (N, C, H, W) or (N, C, D, H, W) with a floating point dtype
        size: the new sizes, as a tuple, or one number for all of them
        scale_factor: how many times as large the new sizes are, instead of `size`; one number or a tuple
    
    Returns a new tensor.
    
    >>> jgrad.nn.functional.upsample_nearest(jgrad.tensor([[[1., 3.]]]), size=4)
    tensor([[[1., 1., 3., 3.]]])
    """
