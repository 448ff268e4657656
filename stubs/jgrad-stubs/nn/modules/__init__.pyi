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

from jgrad.nn.modules import activation as activation
from jgrad.nn.modules import batchnorm as batchnorm
from jgrad.nn.modules import container as container
from jgrad.nn.modules import conv as conv
from jgrad.nn.modules import dropout as dropout
from jgrad.nn.modules import embedding as embedding
from jgrad.nn.modules import lazy as lazy
from jgrad.nn.modules import linear as linear
from jgrad.nn.modules import loss as loss
from jgrad.nn.modules import module as module
from jgrad.nn.modules import normalization as normalization
from jgrad.nn.modules import rnn as rnn
from jgrad.nn.modules import spatial as spatial
from jgrad.nn.modules import transformer as transformer
from jgrad.nn.modules import utils as utils
from jgrad.extra.nn.modules.adaptive import AdaptiveLogSoftmaxWithLoss as AdaptiveLogSoftmaxWithLoss
from jgrad.extra.nn.modules.adaptive import LinearCrossEntropyLoss as LinearCrossEntropyLoss
from jgrad.extra.nn.modules.linear_cross_entropy_options import LinearCrossEntropyOptions as LinearCrossEntropyOptions
class AdaptiveAvgPool1d(Module):
    """The means of windows of sequences. The size of the result is given, and the windows are chosen so that they cover the
    whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple of one int
    
    Returns, when called, a new tensor of shape `(N, C, output_size)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. With `output_size=1` the result holds the mean of each channel.
    
    >>> layer = jgrad.nn.AdaptiveAvgPool1d(2)
    >>> layer(jgrad.tensor([[1., 2., 3., 4., 5.]]))  # of the first three elements, and of the last three
    tensor([[2., 4.]])
    """
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveAvgPool2d(Module):
    """The means of windows of images. The size of the result is given, and the windows are chosen so that they cover the
    whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple (height, width), in which None keeps the size of the input
    
    Returns, when called, a new tensor of shape `(N, C, *output_size)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. With `output_size=1` the result holds the mean of each channel.
    
    >>> layer = jgrad.nn.AdaptiveAvgPool2d(1)
    >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
    tensor([[[7.5000]]])
    >>> layer(jgrad.zeros(2, 512, 7, 9)).shape
    jgrad.Size([2, 512, 1, 1])
    """
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveAvgPool3d(Module):
    """The means of windows of volumes or videos. The size of the result is given, and the windows are chosen so that they cover the
    whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple (depth, height, width), in which None keeps the size of the input
    
    Returns, when called, a new tensor of shape `(N, C, *output_size)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. With `output_size=1` the result holds the mean of each channel.
    
    >>> layer = jgrad.nn.AdaptiveAvgPool3d((2, None, 5))
    >>> layer(jgrad.zeros(1, 4, 8, 9, 10)).shape
    jgrad.Size([1, 4, 2, 9, 5])
    """
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveMaxPool1d(Module):
    """The largest elements of windows of sequences. The size of the result is given, and the windows are chosen so that they
    cover the whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple of one int
        return_indices: whether the places of the maxima are returned too, as a second tensor
    
    Returns, when called, a new tensor of shape `(N, C, output_size)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. An index is the number of an element within its channel, counted
    row by row from 0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> layer = jgrad.nn.AdaptiveMaxPool1d(2)
    >>> layer(jgrad.tensor([[1., 5., 2., 3., 4.]]))  # of the first three elements, and of the last three
    tensor([[5., 4.]])
    """
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
class AdaptiveMaxPool2d(Module):
    """The largest elements of windows of images. The size of the result is given, and the windows are chosen so that they
    cover the whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple (height, width), in which None keeps the size of the input
        return_indices: whether the places of the maxima are returned too, as a second tensor
    
    Returns, when called, a new tensor of shape `(N, C, *output_size)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. An index is the number of an element within its channel, counted
    row by row from 0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> layer = jgrad.nn.AdaptiveMaxPool2d((1, 2))
    >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
    tensor([[[13., 15.]]])
    >>> jgrad.nn.AdaptiveMaxPool2d((None, 1))(jgrad.arange(16.).reshape(1, 4, 4))
    tensor([[[ 3.],
             [ 7.],
             [11.],
             [15.]]])
    """
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
class AdaptiveMaxPool3d(Module):
    """The largest elements of windows of volumes or videos. The size of the result is given, and the windows are chosen so that they
    cover the whole input.
    
    Args:
        output_size: the size of the result, an int or a tuple (depth, height, width), in which None keeps the size of the input
        return_indices: whether the places of the maxima are returned too, as a second tensor
    
    Returns, when called, a new tensor of shape `(N, C, *output_size)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. If the sizes do not fit, windows overlap. An index is the number of an element within its channel, counted
    row by row from 0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> layer = jgrad.nn.AdaptiveMaxPool3d((2, None, 5))
    >>> layer(jgrad.zeros(1, 4, 8, 9, 10)).shape
    jgrad.Size([1, 4, 2, 9, 5])
    """
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
from jgrad.nn.modules.dropout import AlphaDropout as AlphaDropout
from jgrad.nn.modules.spatial import AvgPool1d as AvgPool1d
class AvgPool2d(Module):
    """The mean of each window of images.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (height, width)
        stride: how far a window is from the next one, an int or a tuple (height, width); None stands for `kernel_size`
        padding: how many zeros are added at each side, an int or a tuple (height, width); at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the added zeros count in the mean
        divisor_override: the number by which the sum of a window is divided; None stands for the number of its elements
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. `H_out` is `(H + 2 * padding - kernel_size) // stride + 1` (`W_out` likewise); with `ceil_mode` the division rounds
    up.
    
    >>> layer = jgrad.nn.AvgPool2d(2)
    >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
    tensor([[[ 2.5000,  4.5000],
             [10.5000, 12.5000]]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None) -> None:
        ...
class AvgPool3d(Module):
    """The mean of each window of volumes or videos.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (depth, height, width)
        stride: how far a window is from the next one, an int or a tuple (depth, height, width); None stands for `kernel_size`
        padding: how many zeros are added at each side, an int or a tuple (depth, height, width); at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the added zeros count in the mean
        divisor_override: the number by which the sum of a window is divided; None stands for the number of its elements
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. `D_out` is `(D + 2 * padding - kernel_size) // stride + 1` (`H_out` and `W_out` likewise); with `ceil_mode` the division rounds
    up.
    
    >>> jgrad.nn.AvgPool3d(2)(jgrad.arange(8.).reshape(1, 2, 2, 2))
    tensor([[[[3.5000]]]])
    >>> jgrad.nn.AvgPool3d((1, 2, 2))(jgrad.zeros(1, 4, 8, 16, 16)).shape
    jgrad.Size([1, 4, 8, 8, 8])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None) -> None:
        ...
class BCELoss(Module):
    """Binary cross-entropy: `-(target * log(input) + (1 - target) * log(1 - input))`. The input holds the probabilities that the target is 1.
    
    Args:
        weight: a factor for each element, which is broadcast; None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and holds 0, 1 or probabilities, as floating point numbers.
    
    The logarithms are never below -100, so that no result is infinite. Raises RuntimeError if an element of `input` is not between 0 and 1.
    `BCEWithLogitsLoss` takes scores instead. It is more exact where the probability is very near 0 or 1.
    
    >>> loss = jgrad.nn.BCELoss(reduction="none")
    >>> loss(jgrad.tensor([0., 0.5, 0.5]), jgrad.tensor([1., 1., 0.]))
    tensor([100.0000,   0.6931,   0.6931])
    """
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class BCEWithLogitsLoss(Module):
    """`BCELoss` of `sigmoid(input)`, computed in one step, which does not overflow. The input holds scores (logits).
    
    Args:
        weight: a factor for each element, which is broadcast; None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        pos_weight: a factor for the part of the loss that belongs to target 1, which is broadcast; None stands for 1. It is a buffer as well. It
            cannot require grad
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and holds 0, 1 or probabilities, as floating point numbers.
    
    The gradient of the input is `sigmoid(input) - target`, for the mean divided by the number of elements.
    
    >>> scores = jgrad.tensor([0., -200.], requires_grad=True)
    >>> loss = jgrad.nn.BCEWithLogitsLoss(reduction="none")(scores, jgrad.tensor([1., 1.]))
    >>> loss.detach()
    tensor([  0.6931, 200.0000])
    >>> loss.sum().backward()
    >>> scores.grad
    tensor([-0.5000, -1.0000])
    """
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', pos_weight: Tensor | None = None) -> None:
        ...
from jgrad.nn.modules.normalization import BatchNorm1d as BatchNorm1d
from jgrad.nn.modules.normalization import BatchNorm2d as BatchNorm2d
from jgrad.nn.modules.normalization import BatchNorm3d as BatchNorm3d
from jgrad.nn.modules.linear import Bilinear as Bilinear
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
    def __init__(self, alpha: _float = 1.0, inplace: _bool = False) -> None:
        ...
class CTCLoss(Module):
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step. All
    alignments count: after repeated classes are joined and blanks are left out, the target must remain.
    
    Args:
        blank: the number of the class that stands for nothing
        reduction: 'mean' divides each loss by its target's length and then gives the mean, 'sum' gives the sum, 'none' all of them
        zero_infinity: whether an infinite loss, of a target that is too long for its steps, becomes 0, and its gradient too
    
    Returns, when called with `log_probs`, `targets`, `input_lengths` and `target_lengths`, a tensor without dimensions; with 'none' one with one
    element for each sample. `log_probs` has shape (T, N, C) for T steps, N samples and C classes, the blank included, or (T, C) for a single sample.
    `targets` has shape (N, S), padded to the largest length S, or is a single row with the targets of all samples. The lengths are tensors or tuples
    of N integers.
    
    Its gradient cannot be differentiated again. It is right only if `log_probs` comes from `log_softmax`.
    
    >>> log_probs = jgrad.log_softmax(jgrad.zeros(2, 1, 2), 2)
    >>> loss = jgrad.nn.CTCLoss()(log_probs, jgrad.tensor([[1]]), (2,), (1,))
    >>> (-loss).exp()  # three of the four sequences give the target: 11, 01, 10
    tensor(0.7500)
    """
    def __init__(self, blank: _int = 0, reduction: _str = 'mean', zero_infinity: _bool = False) -> None:
        ...
class ChannelShuffle(Module):
    """Takes the channels of the groups in turn: the first channel of each group, then the second channel of each group, and so on.
    
    Args:
        groups: the number of groups; the number of channels must be divisible by it
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, *)`.
    
    >>> x = jgrad.tensor([0., 1., 2., 10., 11., 12.]).reshape(1, 6, 1)  # two groups of three
    >>> jgrad.nn.ChannelShuffle(2)(x).flatten()
    tensor([ 0., 10.,  1., 11.,  2., 12.])
    """
    def __init__(self, groups: _int) -> None:
        ...
class CircularPad1d(Module):
    """Makes sequences larger at their edges, with the elements of the opposite edge, as if the input were repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, L_out)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is larger than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> jgrad.nn.CircularPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
    tensor([[2., 3., 1., 2., 3., 1.]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class CircularPad2d(Module):
    """Makes images larger at their edges, with the elements of the opposite edge, as if the input were repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is larger than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> jgrad.nn.CircularPad2d((1, 0, 1, 0))(x)
    tensor([[[4., 3., 4.],
             [2., 1., 2.],
             [4., 3., 4.]]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class CircularPad3d(Module):
    """Makes volumes or videos larger at their edges, with the elements of the opposite edge, as if the input were repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom, front, back). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is larger than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> layer = jgrad.nn.CircularPad3d((1, 1, 2, 2, 0, 0))
    >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
    jgrad.Size([1, 4, 8, 12, 10])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ConstantPad1d(Module):
    """Makes sequences larger at their edges, with a fixed value.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right). Negative numbers
            remove elements
        value: the value of the added elements
    
    Returns, when called, a new tensor, which is larger in the last dimension of the input. The input may have any further
    dimensions before.
    
    >>> jgrad.nn.ConstantPad1d((2, 1), 9.0)(jgrad.tensor([[1., 2., 3.]]))
    tensor([[9., 9., 1., 2., 3., 9.]])
    >>> jgrad.nn.ConstantPad1d((-1, 1), 9.0)(jgrad.tensor([[1., 2., 3.]]))
    tensor([[2., 3., 9.]])
    """
    def __init__(self, padding: Any, value: _float) -> None:
        ...
class ConstantPad2d(Module):
    """Makes images larger at their edges, with a fixed value.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom). Negative numbers
            remove elements
        value: the value of the added elements
    
    Returns, when called, a new tensor, which is larger in the last two dimensions of the input. The input may have any further
    dimensions before.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.nn.ConstantPad2d((1, 0, 0, 1), 9.0)(x)
    tensor([[9., 1., 2.],
            [9., 3., 4.],
            [9., 9., 9.]])
    """
    def __init__(self, padding: Any, value: _float) -> None:
        ...
class ConstantPad3d(Module):
    """Makes volumes or videos larger at their edges, with a fixed value.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom, front, back). Negative numbers
            remove elements
        value: the value of the added elements
    
    Returns, when called, a new tensor, which is larger in the last three dimensions of the input. The input may have any further
    dimensions before.
    
    >>> layer = jgrad.nn.ConstantPad3d((1, 1, 2, 2, 0, 0), 9.0)
    >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
    jgrad.Size([1, 4, 8, 12, 10])
    """
    def __init__(self, padding: Any, value: _float) -> None:
        ...
from jgrad.nn.modules.conv import Conv1d as Conv1d
from jgrad.nn.modules.conv import Conv2d as Conv2d
from jgrad.nn.modules.conv import Conv3d as Conv3d
from jgrad.nn.modules.conv import ConvTranspose1d as ConvTranspose1d
from jgrad.nn.modules.conv import ConvTranspose2d as ConvTranspose2d
from jgrad.nn.modules.conv import ConvTranspose3d as ConvTranspose3d
class CosineEmbeddingLoss(Module):
    """1 minus the cosine of the angle between two vectors where the target is 1. Where the target is -1, it is the cosine minus `margin`, at least 0.
    
    Args:
        margin: pairs with target -1 give no loss if their cosine is at most this number
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the pairs, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input1`, `input2` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. The inputs
    hold vectors of shape (N, D) or (D,). `target` has the shape (N,), or no dimensions for single vectors: 1 for pairs that should point in the same
    direction, -1 for the others.
    
    >>> first = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> second = jgrad.tensor([[0., 2.], [3., 0.]])
    >>> jgrad.nn.CosineEmbeddingLoss(reduction="none")(first, second, jgrad.tensor([1, -1]))
    tensor([1., 1.])
    """
    def __init__(self, margin: _float = 0.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class CosineSimilarity(Module):
    """The cosine of the angle between vectors: their dot product, divided by the product of their lengths.
    
    Args:
        dim: the dimension along which the vectors lie; negative numbers count from the last one
        eps: a small number; shorter lengths are replaced by it, so that nothing is divided by zero
    
    Returns, when called with `x1` and `x2`, a new tensor without the dimension `dim`. The two inputs are broadcast. The results are between -1 and 1.
    
    >>> x = jgrad.tensor([[3., 4.], [1., 0.], [1., 0.]])
    >>> y = jgrad.tensor([[6., 8.], [0., 5.], [-2., 0.]])
    >>> jgrad.nn.CosineSimilarity(dim=1)(x, y)
    tensor([ 1.,  0., -1.])
    """
    def __init__(self, dim: _int = 1, eps: _float = 1e-08) -> None:
        ...
class CrossEntropyLoss(Module):
    """Minus the logarithm of the target's probability, where the classes have the probabilities `softmax(input)`. The input holds scores (logits); do
    not put a `Softmax` before this loss.
    
    Args:
        weight: a factor for each class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`.
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        ignore_index: class numbers equal to it are left out, also from the mean. If the target holds probabilities, it must be negative and has no
            effect
        reduction: 'mean', 'sum' or 'none'. With class numbers the mean is weighted by `weight`; with probabilities it divides by the number of
            samples
        label_smoothing: the share of the target's probability, between 0 and 1, that is spread evenly over all classes
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input` without C. `input` has
    shape (N, C) for N samples and C classes, or (C,), or (N, C, d1, ...) for images. `target` holds the numbers of the classes as int64, in the shape
    of `input` without C. Or it holds the probabilities of all classes, in the shape of `input`.
    
    The gradient of the scores of a sample is `softmax(input)` minus 1 at the target class, for the mean divided by N.
    
    >>> scores = jgrad.tensor([[0., 0.], [200., 0.]], requires_grad=True)
    >>> target = jgrad.tensor([0, 1])
    >>> jgrad.nn.CrossEntropyLoss(reduction="none")(scores, target).detach()
    tensor([  0.6931, 200.0000])
    >>> jgrad.nn.CrossEntropyLoss()(scores, target).backward()
    >>> scores.grad
    tensor([[-0.2500,  0.2500],
            [ 0.5000, -0.5000]])
    """
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, ignore_index: _int = -100, reduce: Any = None, reduction: _str = 'mean', label_smoothing: _float = 0.0) -> None:
        ...
from jgrad.nn.modules.dropout import Dropout as Dropout
from jgrad.nn.modules.dropout import Dropout1d as Dropout1d
from jgrad.nn.modules.dropout import Dropout2d as Dropout2d
from jgrad.nn.modules.dropout import Dropout3d as Dropout3d
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
    def __init__(self, alpha: _float = 1.0, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.embedding import Embedding as Embedding
from jgrad.nn.modules.embedding import EmbeddingBag as EmbeddingBag
from jgrad.nn.modules.dropout import FeatureAlphaDropout as FeatureAlphaDropout
class Flatten(Module):
    """Makes the dimensions `start_dim` to `end_dim` of its input one dimension. By default it keeps only the batch dimension.
    
    Args:
        start_dim: the first dimension to flatten
        end_dim: the last dimension to flatten, which is included; negative numbers count from the last dimension
    
    Returns a view of the input where the strides allow it, and a new tensor otherwise.
    
    >>> jgrad.nn.Flatten()(jgrad.zeros(2, 3, 4, 5)).shape
    jgrad.Size([2, 60])
    >>> jgrad.nn.Flatten(0, 1)(jgrad.zeros(2, 3, 4, 5)).shape
    jgrad.Size([6, 4, 5])
    """
    def __init__(self, start_dim: _int = 1, end_dim: _int = -1) -> None:
        ...
class Fold(Module):
    """Adds windows, which are given as columns, to an image at their places. Where windows overlap, the pixels are sums. It computes what `Unfold`
    computes in backward.
    
    Args:
        output_size: the size of the image, an int for both dimensions or a tuple (height, width)
        kernel_size: the size of the windows, an int for both dimensions or a tuple (height, width)
        dilation: the distance between neighbouring elements of a window, an int or a tuple of two
        padding: how many rows and columns at each side of the image are left out, an int or a tuple of two
        stride: how far a window is from the next one, an int or a tuple of two
    
    Returns, when called, a new tensor of shape `(N, C, *output_size)` for an input of shape `(N, C * h * w, L)`, where h and w are the height and
    width of a window. L must be the number of windows that the image has. The batch dimension `N` may be missing.
    
    >>> layer = jgrad.nn.Fold(output_size=3, kernel_size=2)
    >>> layer(jgrad.ones(1, 4, 4))  # the number of windows over each pixel
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """
    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        ...
class FractionalMaxPool2d(Module):
    """The largest elements of windows that begin at random places of images. The size of the result is given, and need not
    divide that of the input.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (height, width)
        output_size: the size of the result, an int or a tuple (height, width); None if `output_ratio` is given
        output_ratio: the size of the result as a share of that of the input, between 0 and 1: a number or a tuple of
            two. None if `output_size` is given
        return_indices: whether the places of the maxima are returned too, as a second tensor
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. The places are random in evaluation mode too. Raises ValueError if both or none of `output_size` and
    `output_ratio` are given.
    
    >>> jgrad.nn.FractionalMaxPool2d(3, output_size=5)(jgrad.zeros(1, 4, 12, 12)).shape
    jgrad.Size([1, 4, 5, 5])
    >>> jgrad.nn.FractionalMaxPool2d(2, output_ratio=(0.5, 0.75))(jgrad.zeros(1, 4, 12, 12)).shape
    jgrad.Size([1, 4, 6, 9])
    """
    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Any = None) -> None:
        ...
class FractionalMaxPool3d(Module):
    """The largest elements of windows that begin at random places of volumes or videos. The size of the result is given, and need not
    divide that of the input.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (depth, height, width)
        output_size: the size of the result, an int or a tuple (depth, height, width); None if `output_ratio` is given
        output_ratio: the size of the result as a share of that of the input, between 0 and 1: a number or a tuple of
            three. None if `output_size` is given
        return_indices: whether the places of the maxima are returned too, as a second tensor
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. The places are random in evaluation mode too. Raises ValueError if both or none of `output_size` and
    `output_ratio` are given.
    
    >>> layer = jgrad.nn.FractionalMaxPool3d(2, output_ratio=0.5)
    >>> layer(jgrad.zeros(1, 4, 8, 10, 12)).shape
    jgrad.Size([1, 4, 4, 5, 6])
    """
    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Any = None) -> None:
        ...
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
    def __init__(self, approximate: _str = 'none') -> None:
        ...
class GLU(Module):
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first half passes.
    
    Args:
        dim: the dimension that is split in two halves; its size must be even. Negative numbers count from the last one
    
    Returns, when called, a new tensor in which the size of `dim` is half of that in the input. Raises RuntimeError if the size is odd.
    
    >>> gate = jgrad.nn.GLU()
    >>> gate(jgrad.tensor([4., 4., 4., 100., 0., -100.]))
    tensor([4., 2., 0.])
    """
    def __init__(self, dim: _int = -1) -> None:
        ...
from jgrad.nn.modules.rnn import GRU as GRU
from jgrad.nn.modules.rnn import GRUCell as GRUCell
class GaussianNLLLoss(Module):
    """Minus the logarithm of the density of `target` under normal distributions with the mean `input` and the variance `var`:
    `(log(var) + (input - target) ** 2 / var) / 2`. Unless `full` is True, a constant is left out.
    
    Args:
        full: whether to add the constant `log(2 * pi) / 2`
        eps: variances below it are replaced by it; the gradient of `var` does not take this into account
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input`, `target` and `var`, a tensor without dimensions; with 'none' one with the shape of `input`. `var` is a float,
    or a tensor with the shape of `input`, or one with size 1 in one dimension, or one without the last dimension.
    
    Raises ValueError if a variance is negative.
    
    >>> loss = jgrad.nn.GaussianNLLLoss(reduction="none")
    >>> loss(jgrad.tensor([1., 2.]), jgrad.tensor([1., 6.]), jgrad.ones(2))
    tensor([0., 8.])
    """
    def __init__(self, *, full: _bool = False, eps: _float = 1e-06, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.normalization import GroupNorm as GroupNorm
class Hardshrink(Module):
    """Each element where its absolute value is above `lambd`, 0 elsewhere.
    
    Args:
        lambd: elements between `-lambd` and `lambd` become 0, both limits included
    
    Returns, when called, a new tensor with the shape of the input. The gradient is 1 where the element was kept and 0 elsewhere.
    
    >>> layer = jgrad.nn.Hardshrink(lambd=1.0)
    >>> layer(jgrad.tensor([-3., -1., 0.5, 2.]))
    tensor([-3.,  0.,  0.,  2.])
    """
    def __init__(self, lambd: _float = 0.5) -> None:
        ...
class Hardsigmoid(Module):
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between -3 and 3, and 1 from 3 on.
    
    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad
    
    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself. The gradient is 1/6 strictly
    between -3 and 3, and 0 elsewhere.
    
    >>> jgrad.nn.Hardsigmoid()(jgrad.tensor([-4., 0., 1.5, 4.]))
    tensor([0.0000, 0.5000, 0.7500, 1.0000])
    """
    def __init__(self, inplace: _bool = False) -> None:
        ...
class Hardswish(Module):
    """Each element times its `Hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between -3 and 3, and `input` from 3 on.
    
    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad
    
    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.
    
    >>> jgrad.nn.Hardswish()(jgrad.tensor([0., 1.5, 4.]))
    tensor([0.0000, 1.1250, 4.0000])
    """
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import Hardtanh as Hardtanh
class HingeEmbeddingLoss(Module):
    """A loss of distances: the input itself where the target is 1; `margin - input`, at least 0, where the target is -1.
    
    Args:
        margin: pairs with target -1 give no loss if their distance is at least this number
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `input` holds distances
    between pairs. `target` is 1 for pairs that should be near each other and -1 for the others.
    
    >>> loss = jgrad.nn.HingeEmbeddingLoss(reduction="none")
    >>> loss(jgrad.tensor([3., 0.25, 3.]), jgrad.tensor([1, -1, -1]))
    tensor([3.0000, 0.7500, 0.0000])
    """
    def __init__(self, margin: _float = 1.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class HuberLoss(Module):
    """Half the square of the difference d between `input` and `target`. Where d is above `delta`, it is the straight line `delta * (d - delta / 2)`
    instead.
    
    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        delta: the difference at which the curve becomes a straight line; it is also the slope of this line. It must be positive
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`.
    
    Where the difference is above `delta`, the gradient has the size `delta`, so that single large differences do not dominate.
    
    >>> x = jgrad.tensor([1., 2., 5.], requires_grad=True)
    >>> values = jgrad.nn.HuberLoss("none", delta=2.0)(x, jgrad.tensor([1., 3., 1.]))
    >>> values.detach()
    tensor([0.0000, 0.5000, 6.0000])
    >>> values.sum().backward()
    >>> x.grad
    tensor([ 0., -1.,  2.])
    """
    def __init__(self, reduction: _str = 'mean', delta: _float = 1.0) -> None:
        ...
from jgrad.nn.modules.linear import Identity as Identity
from jgrad.nn.modules.normalization import InstanceNorm1d as InstanceNorm1d
from jgrad.nn.modules.normalization import InstanceNorm2d as InstanceNorm2d
from jgrad.nn.modules.normalization import InstanceNorm3d as InstanceNorm3d
class KLDivLoss(Module):
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`: `target * (log(target) - input)` for each
    element.
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'batchmean' gives the sum divided by the size of dimension 0, 'mean' the mean of the elements (with a warning), 'sum' their sum,
            'none' all of them
        log_target: whether `target` holds logarithms of probabilities, too
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. Elements with the target 0
    give 0.
    
    The divergence of two distributions is what 'batchmean' gives. The default 'mean' also divides by the number of classes.
    
    >>> loss = jgrad.nn.KLDivLoss(reduction="batchmean")
    >>> p = jgrad.tensor([[0.5, 0.5]])
    >>> loss(p.log(), p)
    tensor(0.)
    >>> loss(jgrad.tensor([[-1., -2.]]), jgrad.tensor([[1., 0.]]))
    tensor(1.)
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', log_target: _bool = False) -> None:
        ...
class L1Loss(Module):
    """The absolute values of the differences `input - target`, and their mean (mean absolute error).
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. A `target` of another
    shape is broadcast, with a warning.
    
    The gradient has the same size for small and large differences. Where the two are equal it is 0.
    
    >>> x = jgrad.tensor([1., 2., 9.], requires_grad=True)
    >>> loss = jgrad.nn.L1Loss(reduction="sum")(x, jgrad.tensor([1., 6., 8.]))
    >>> loss.item()
    5.0
    >>> loss.backward()
    >>> x.grad
    tensor([ 0., -1.,  1.])
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class LPPool1d(Module):
    """The p-norm of each window of sequences: `sum(x ** p) ** (1 / p)`, with p = `norm_type`.
    
    Args:
        norm_type: the number p: 1 gives sums, 2 gives lengths, `inf` gives the largest absolute value
        kernel_size: the size of the windows, an int or a tuple of one int
        stride: how far a window is from the next one, an int or a tuple of one int; None stands for `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, L_out)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. `L_out` is `(L - kernel_size) // stride + 1`; with `ceil_mode` the division rounds up.
    
    Negative elements are not made positive first: for odd p they make the sum smaller. A negative sum gives nan, except
    for p = 1.
    
    >>> layer = jgrad.nn.LPPool1d(2, kernel_size=2)
    >>> layer(jgrad.tensor([[3., 4., 0., -5.]]))
    tensor([[5., 5.]])
    """
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
class LPPool2d(Module):
    """The p-norm of each window of images: `sum(x ** p) ** (1 / p)`, with p = `norm_type`.
    
    Args:
        norm_type: the number p: 1 gives sums, 2 gives lengths, `inf` gives the largest absolute value
        kernel_size: the size of the windows, an int or a tuple (height, width)
        stride: how far a window is from the next one, an int or a tuple (height, width); None stands for `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. `H_out` is `(H - kernel_size) // stride + 1` (`W_out` likewise); with `ceil_mode` the division rounds up.
    
    Negative elements are not made positive first: for odd p they make the sum smaller. A negative sum gives nan, except
    for p = 1.
    
    >>> layer = jgrad.nn.LPPool2d(2, kernel_size=(1, 2))
    >>> layer(jgrad.tensor([[[3., 4.], [6., 8.]]]))
    tensor([[[ 5.],
             [10.]]])
    """
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
class LPPool3d(Module):
    """The p-norm of each window of volumes or videos: `sum(x ** p) ** (1 / p)`, with p = `norm_type`.
    
    Args:
        norm_type: the number p: 1 gives sums, 2 gives lengths, `inf` gives the largest absolute value
        kernel_size: the size of the windows, an int or a tuple (depth, height, width)
        stride: how far a window is from the next one, an int or a tuple (depth, height, width); None stands for `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. `D_out` is `(D - kernel_size) // stride + 1` (`H_out` and `W_out` likewise); with `ceil_mode` the division rounds up.
    
    Negative elements are not made positive first: for odd p they make the sum smaller. A negative sum gives nan, except
    for p = 1.
    
    >>> layer = jgrad.nn.LPPool3d(1, kernel_size=2)
    >>> layer(jgrad.ones(1, 2, 2, 2))
    tensor([[[[8.]]]])
    """
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
from jgrad.nn.modules.rnn import LSTM as LSTM
from jgrad.nn.modules.rnn import LSTMCell as LSTMCell
from jgrad.nn.modules.normalization import LayerNorm as LayerNorm
class LazyBatchNorm1d(BatchNorm1d):
    """`BatchNorm1d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm1d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C)` or `(N, C, L)`.
    
    >>> layer = jgrad.nn.LazyBatchNorm1d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 5)).shape
    jgrad.Size([4, 3, 5])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm1d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyBatchNorm2d(BatchNorm2d):
    """`BatchNorm2d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm2d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)`.
    
    >>> layer = jgrad.nn.LazyBatchNorm2d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 8, 8)).shape
    jgrad.Size([4, 3, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm2d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyBatchNorm3d(BatchNorm3d):
    """`BatchNorm3d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm3d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)`.
    
    >>> layer = jgrad.nn.LazyBatchNorm3d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 2, 8, 8)).shape
    jgrad.Size([4, 3, 2, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm3d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyConv1d(Conv1d):
    """`Conv1d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv1d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves from one output to the next, an int or a tuple of one int
        padding: how many elements are added at both ends of the input: an int, a tuple of one int, "valid" (none) or "same" (as many as the result
            needs to have the length of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may be
    missing.
    
    >>> layer = jgrad.nn.LazyConv1d(8, kernel_size=3)
    >>> layer(jgrad.zeros(2, 4, 10)).shape
    jgrad.Size([2, 8, 8])
    >>> layer
    Conv1d(4, 8, kernel_size=(3,), stride=(1,))
    >>> layer.weight.shape
    jgrad.Size([8, 4, 3])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyConv2d(Conv2d):
    """`Conv2d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv2d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of two
        padding: how many rows and columns are added at each side of the input: an int, a tuple of two, "valid" (none) or "same" (as many as the
            result needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch dimension
    `N` may be missing.
    
    >>> layer = jgrad.nn.LazyConv2d(8, kernel_size=3, padding=1)
    >>> layer(jgrad.zeros(2, 3, 32, 32)).shape
    jgrad.Size([2, 8, 32, 32])
    >>> layer
    Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    >>> layer.weight.shape
    jgrad.Size([8, 3, 3, 3])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyConv3d(Conv3d):
    """`Conv3d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv3d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of three
        padding: how many elements are added at each side of the input: an int, a tuple of three, "valid" (none) or "same" (as many as the result
            needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The batch
    dimension `N` may be missing.
    
    >>> layer = jgrad.nn.LazyConv3d(8, kernel_size=3)
    >>> layer(jgrad.zeros(2, 1, 6, 6, 6)).shape
    jgrad.Size([2, 8, 4, 4, 4])
    >>> layer
    Conv3d(1, 8, kernel_size=(3, 3, 3), stride=(1, 1, 1))
    >>> layer.weight.shape
    jgrad.Size([8, 1, 3, 3, 3])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyConvTranspose1d(ConvTranspose1d):
    """`ConvTranspose1d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose1d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves in the result from one input to the next, an int or a tuple of one int
        padding: how many elements are left out at both ends of the result, an int or a tuple of one int
        output_padding: how many elements the result is longer at its end, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may be
    missing. A second argument `output_size` asks for a certain length instead of `output_padding`.
    
    >>> layer = jgrad.nn.LazyConvTranspose1d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 4, 10)).shape
    jgrad.Size([2, 8, 20])
    >>> layer
    ConvTranspose1d(4, 8, kernel_size=(2,), stride=(2,))
    >>> layer.weight.shape
    jgrad.Size([4, 8, 2])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyConvTranspose2d(ConvTranspose2d):
    """`ConvTranspose2d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose2d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of two
        padding: how many rows and columns are left out at each side of the result, an int or a tuple of two
        output_padding: how many rows and columns the result is larger at its end, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch dimension
    `N` may be missing. A second argument `output_size` asks for a certain size instead of `output_padding`.
    
    >>> layer = jgrad.nn.LazyConvTranspose2d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 3, 16, 16)).shape
    jgrad.Size([2, 8, 32, 32])
    >>> layer
    ConvTranspose2d(3, 8, kernel_size=(2, 2), stride=(2, 2))
    >>> layer.weight.shape
    jgrad.Size([3, 8, 2, 2])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyConvTranspose3d(ConvTranspose3d):
    """`ConvTranspose3d` without `in_channels`: the layer learns this number from the channels of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose3d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.
    
    Args:
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of three
        padding: how many elements are left out at each side of the result, an int or a tuple of three
        output_padding: how many elements the result is larger at its end, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The batch
    dimension `N` may be missing. A second argument `output_size` asks for a certain size instead of `output_padding`.
    
    >>> layer = jgrad.nn.LazyConvTranspose3d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 1, 3, 3, 3)).shape
    jgrad.Size([2, 8, 6, 6, 6])
    >>> layer
    ConvTranspose3d(1, 8, kernel_size=(2, 2, 2), stride=(2, 2, 2))
    >>> layer.weight.shape
    jgrad.Size([1, 8, 2, 2, 2])
    """
    def __init__(self, out_channels: _int, *args: Any, **kwargs: Any) -> None:
        ...
class LazyInstanceNorm1d(InstanceNorm1d):
    """`InstanceNorm1d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm1d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, L)`. The first input must have the batch dimension `N`. Other
    than in `InstanceNorm1d`, `affine` and `track_running_stats` are True by default.
    
    >>> layer = jgrad.nn.LazyInstanceNorm1d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 5)).shape
    jgrad.Size([4, 3, 5])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm1d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyInstanceNorm2d(InstanceNorm2d):
    """`InstanceNorm2d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm2d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)`. The first input must have the batch dimension `N`. Other
    than in `InstanceNorm2d`, `affine` and `track_running_stats` are True by default.
    
    >>> layer = jgrad.nn.LazyInstanceNorm2d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 8, 8)).shape
    jgrad.Size([4, 3, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm2d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyInstanceNorm3d(InstanceNorm3d):
    """`InstanceNorm3d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.
    
    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm3d`.
    Until then they have no shape.
    
    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)`. The first input must have the batch dimension `N`.
    Other than in `InstanceNorm3d`, `affine` and `track_running_stats` are True by default.
    
    >>> layer = jgrad.nn.LazyInstanceNorm3d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 2, 8, 8)).shape
    jgrad.Size([4, 3, 2, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm3d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """
    def __init__(self, eps: _float = 1e-05, momentum: _float | None = 0.1, affine: _bool = True, track_running_stats: _bool = True, device: Any = None, dtype: Any = None, *, bias: _bool = True) -> None:
        ...
class LazyLinear(Linear):
    """`Linear` without `in_features`: the layer learns this number from the last dimension of the first input.
    
    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Linear`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.
    
    Args:
        out_features: the size of the last dimension of the result
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        device, dtype: the device and dtype of the parameters; None means the default ones
    
    Returns, when called, a new tensor of shape `(*, out_features)` for an input of shape `(*, in_features)`.
    
    >>> layer = jgrad.nn.LazyLinear(3)
    >>> layer.weight
    <UninitializedParameter>
    >>> _ = layer(jgrad.ones(2, 5))
    >>> layer
    Linear(in_features=5, out_features=3, bias=True)
    >>> layer.weight.shape
    jgrad.Size([3, 5])
    """
    def __init__(self, out_features: _int, bias: _bool = True, device: Any = None, dtype: Any = None) -> None:
        ...
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
    def __init__(self, negative_slope: _float = 0.01, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.linear import Linear as Linear
class LocalResponseNorm(Module):
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it.
    
    Args:
        size: the number of channels of which the mean is computed; channels outside the tensor count as 0
        alpha: the factor of the mean
        beta: the power
        k: the number that is added, so that nothing is divided by zero
    
    Returns, when called, a new tensor with the shape of the input, which is `(N, C, *)` with at least three dimensions.
    
    >>> layer = jgrad.nn.LocalResponseNorm(size=1, alpha=1.0, beta=1.0, k=0.0)
    >>> layer(jgrad.tensor([[[1.], [2.], [4.]]]))  # x / x ** 2
    tensor([[[1.0000],
             [0.5000],
             [0.2500]]])
    """
    def __init__(self, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> None:
        ...
from jgrad.nn.modules.activation import LogSigmoid as LogSigmoid
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
    def __init__(self, dim: _int | None = None) -> None:
        ...
class MSELoss(Module):
    """The squares of the differences `input - target`, and their mean (mean squared error).
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. A `target` of another
    shape is broadcast, with a warning.
    
    The gradient of the input is `2 * (input - target)`, for the mean divided by the number of elements. The target gets a gradient too, if it
    requires grad.
    
    >>> x = jgrad.tensor([1., 5.], requires_grad=True)
    >>> loss = jgrad.nn.MSELoss()(x, jgrad.tensor([1., 2.]))
    >>> loss.item()
    4.5
    >>> loss.backward()
    >>> x.grad
    tensor([0., 3.])
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class MarginRankingLoss(Module):
    """`-target * (input1 - input2) + margin`, at least 0. This is how far `input1` is from exceeding `input2` by the margin (target 1), or `input2`
    from exceeding `input1` (target -1).
    
    Args:
        margin: how much higher the score should be that should be the higher one
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input1`, `input2` and `target`, a tensor without dimensions; with 'none' one with the common shape of the three, which
    are broadcast. The inputs hold the scores of the first and of the second items.
    
    >>> first, second = jgrad.tensor([5., 5.]), jgrad.tensor([2., 2.])
    >>> loss = jgrad.nn.MarginRankingLoss(margin=1.0, reduction="none")
    >>> loss(first, second, jgrad.tensor([1, -1]))
    tensor([0., 4.])
    """
    def __init__(self, margin: _float = 0.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class MaxPool1d(Module):
    """The largest element of each window of sequences.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple of one int
        stride: how far a window is from the next one, an int or a tuple of one int; None stands for `kernel_size`
        padding: how many elements with the value -inf are added at each side, an int or a tuple of one int; at most half of `kernel_size`
        dilation: the distance between neighbouring elements of a window, an int or a tuple of one int
        return_indices: whether the places of the maxima are returned too, as a second tensor; `MaxUnpool1d` needs them
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, L_out)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. `L_out` is `(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`; with
    `ceil_mode` the division rounds up. An index is the number of an element within its channel, counted row by row from
    0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> x = jgrad.tensor([[1., 5., 2., 3.]], requires_grad=True)
    >>> y = jgrad.nn.MaxPool1d(2)(x)
    >>> y.detach()
    tensor([[5., 3.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[0., 1., 0., 1.]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxPool2d(Module):
    """The largest element of each window of images.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (height, width)
        stride: how far a window is from the next one, an int or a tuple (height, width); None stands for `kernel_size`
        padding: how many elements with the value -inf are added at each side, an int or a tuple (height, width); at most half of `kernel_size`
        dilation: the distance between neighbouring elements of a window, an int or a tuple (height, width)
        return_indices: whether the places of the maxima are returned too, as a second tensor; `MaxUnpool2d` needs them
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. `H_out` is `(H + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1` (`W_out` likewise); with
    `ceil_mode` the division rounds up. An index is the number of an element within its channel, counted row by row from
    0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> x = jgrad.arange(16.).reshape(1, 4, 4)
    >>> jgrad.nn.MaxPool2d(2)(x)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    >>> values, indices = jgrad.nn.MaxPool2d(2, return_indices=True)(x)
    >>> indices
    tensor([[[ 5,  7],
             [13, 15]]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxPool3d(Module):
    """The largest element of each window of volumes or videos.
    
    Args:
        kernel_size: the size of the windows, an int or a tuple (depth, height, width)
        stride: how far a window is from the next one, an int or a tuple (depth, height, width); None stands for `kernel_size`
        padding: how many elements with the value -inf are added at each side, an int or a tuple (depth, height, width); at most half of `kernel_size`
        dilation: the distance between neighbouring elements of a window, an int or a tuple (depth, height, width)
        return_indices: whether the places of the maxima are returned too, as a second tensor; `MaxUnpool3d` needs them
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. `D_out` is `(D + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1` (`H_out` and `W_out` likewise); with
    `ceil_mode` the division rounds up. An index is the number of an element within its channel, counted row by row from
    0.
    
    The gradient goes to the largest element of a window, or to the first of several equal ones.
    
    >>> jgrad.nn.MaxPool3d(2)(jgrad.arange(8.).reshape(1, 2, 2, 2))
    tensor([[[[7.]]]])
    >>> jgrad.nn.MaxPool3d(3, stride=2, padding=1)(jgrad.zeros(1, 4, 8, 16, 16)).shape
    jgrad.Size([1, 4, 4, 8, 8])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxUnpool1d(Module):
    """Puts the maxima that `MaxPool1d` has found back to their places in sequences, and sets all other elements to 0.
    
    Args:
        kernel_size: the size of the windows of the pooling, an int or a tuple of one int
        stride: how far a window was from the next one, an int or a tuple of one int; None stands for `kernel_size`
        padding: how many elements the pooling has added at each side, an int or a tuple of one int
    
    Returns, when called with the maxima and their indices, a new tensor of shape `(N, C, L_out)` for inputs of shape
    `(N, C, L)`. The batch dimension `N` may be missing. `L_out` is
    `(L - 1) * stride - 2 * padding + kernel_size`. Several sizes give the same result when they are pooled;
    a third argument `output_size` asks for a certain one.
    
    The indices are those that `MaxPool1d` gives with `return_indices=True`. The gradient of a maximum is taken from its
    place in the result.
    
    >>> pool = jgrad.nn.MaxPool1d(2, return_indices=True)
    >>> values, indices = pool(jgrad.tensor([[1., 5., 3., 2.]]))
    >>> jgrad.nn.MaxUnpool1d(2)(values, indices)
    tensor([[0., 5., 3., 0.]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class MaxUnpool2d(Module):
    """Puts the maxima that `MaxPool2d` has found back to their places in images, and sets all other elements to 0.
    
    Args:
        kernel_size: the size of the windows of the pooling, an int or a tuple (height, width)
        stride: how far a window was from the next one, an int or a tuple (height, width); None stands for `kernel_size`
        padding: how many elements the pooling has added at each side, an int or a tuple (height, width)
    
    Returns, when called with the maxima and their indices, a new tensor of shape `(N, C, H_out, W_out)` for inputs of shape
    `(N, C, H, W)`. The batch dimension `N` may be missing. `H_out` is
    `(H - 1) * stride - 2 * padding + kernel_size` (`W_out` likewise). Several sizes give the same result when they are pooled;
    a third argument `output_size` asks for a certain one.
    
    The indices are those that `MaxPool2d` gives with `return_indices=True`. The gradient of a maximum is taken from its
    place in the result.
    
    >>> pool = jgrad.nn.MaxPool2d(2, return_indices=True)
    >>> values, indices = pool(jgrad.arange(16.).reshape(1, 4, 4))
    >>> jgrad.nn.MaxUnpool2d(2)(values, indices)
    tensor([[[ 0.,  0.,  0.,  0.],
             [ 0.,  5.,  0.,  7.],
             [ 0.,  0.,  0.,  0.],
             [ 0., 13.,  0., 15.]]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class MaxUnpool3d(Module):
    """Puts the maxima that `MaxPool3d` has found back to their places in volumes or videos, and sets all other elements to 0.
    
    Args:
        kernel_size: the size of the windows of the pooling, an int or a tuple (depth, height, width)
        stride: how far a window was from the next one, an int or a tuple (depth, height, width); None stands for `kernel_size`
        padding: how many elements the pooling has added at each side, an int or a tuple (depth, height, width)
    
    Returns, when called with the maxima and their indices, a new tensor of shape `(N, C, D_out, H_out, W_out)` for inputs of shape
    `(N, C, D, H, W)`. The batch dimension `N` may be missing. `D_out` is
    `(D - 1) * stride - 2 * padding + kernel_size` (`H_out` and `W_out` likewise). Several sizes give the same result when they are pooled;
    a third argument `output_size` asks for a certain one.
    
    The indices are those that `MaxPool3d` gives with `return_indices=True`. The gradient of a maximum is taken from its
    place in the result.
    
    >>> pool = jgrad.nn.MaxPool3d(2, return_indices=True)
    >>> values, indices = pool(jgrad.arange(8.).reshape(1, 2, 2, 2))
    >>> jgrad.nn.MaxUnpool3d(2)(values, indices)
    tensor([[[[0., 0.],
              [0., 0.]],
    <BLANKLINE>
             [[0., 0.],
              [0., 7.]]]])
    """
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class Mish(Module):
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`. The curve is smooth and is slightly below 0 for
    negative elements.
    
    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad
    
    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.
    
    >>> jgrad.nn.Mish()(jgrad.tensor([0., 100.]))
    tensor([  0., 100.])
    """
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.module import Module as Module
from jgrad.nn.modules.container import ModuleDict as ModuleDict
from jgrad.nn.modules.container import ModuleList as ModuleList
class MultiLabelMarginLoss(Module):
    """`MultiMarginLoss` where a sample has several labels: the sum over all pairs of a label and another class of `1 - input[label] + input[class]`,
    at least 0, divided by the number of classes C.
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with one element for each sample. `input` holds
    scores of shape (N, C) or (C,). `target` holds the labels as int64 in the same shape; in each row those from the first -1 on do not count.
    
    Its gradient cannot be differentiated again.
    
    >>> scores = jgrad.tensor([[3., 0., 2., 2.5]])
    >>> labels = jgrad.tensor([[0, 2, -1, -1]])  # class 3 is too near to both labels
    >>> jgrad.nn.MultiLabelMarginLoss()(scores, labels)
    tensor(0.5000)
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class MultiLabelSoftMarginLoss(Module):
    """`BCEWithLogitsLoss` for each of C labels, averaged over the labels. A sample may have several labels or none.
    
    Args:
        weight: a factor for each label, of shape (C,), or for each element; it is broadcast. None stands for ones. It is kept as a buffer, so it is
            saved in the `state_dict`.
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input` without the last dimension.
    `input` holds scores of shape (..., C). `target` has the same shape: 1 for labels that the sample has, 0 for the others.
    
    >>> scores = jgrad.tensor([[200., -200.], [200., 200.]])
    >>> labels = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> jgrad.nn.MultiLabelSoftMarginLoss(reduction="none")(scores, labels)
    tensor([  0., 100.])
    """
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class MultiMarginLoss(Module):
    """How far the scores of the other classes are from being below the score of the target class by the margin. It is the sum over the other classes
    of `max(0, margin - input[target] + input[class]) ** p`, divided by the number of classes C.
    
    Args:
        p: the power, 1 or 2
        margin: how much higher the score of the target class should be
        weight: a factor for each target class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. `input` holds scores of
    shape (N, C) or (C,). `target` holds the numbers of the classes as int64, of shape (N,), or without dimensions for a single sample.
    
    Its gradient cannot be differentiated again. Raises ValueError if `p` is neither 1 nor 2.
    
    >>> scores = jgrad.tensor([[3., 2.5, 0., 1.]])
    >>> jgrad.nn.MultiMarginLoss()(scores, jgrad.tensor([0]))  # only class 1 is too near: 0.5 / 4
    tensor(0.1250)
    """
    def __init__(self, p: _int = 1, margin: _float = 1.0, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.transformer import MultiheadAttention as MultiheadAttention
class NLLLoss(Module):
    """Minus the element of the input at the target class (negative log-likelihood). The input holds logarithms of probabilities.
    
    Args:
        weight: a factor for each class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It cannot
            require grad
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        ignore_index: targets that are this number are left out, also from the mean
        reduction: 'mean', 'sum' or 'none'; the mean is weighted by `weight`
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. `input` has shape (N, C)
    for N samples and C classes, or (C,), or (N, C, d1, ...). `target` holds the numbers of the classes as int64, in the shape of `input` without C.
    
    `LogSoftmax` gives such inputs. `CrossEntropyLoss` does both in one step.
    
    >>> logs = jgrad.tensor([[-1., -2.], [-3., -4.]], requires_grad=True)
    >>> loss = jgrad.nn.NLLLoss()(logs, jgrad.tensor([1, 0]))
    >>> loss.item()
    2.5
    >>> loss.backward()
    >>> logs.grad
    tensor([[ 0.0000, -0.5000],
            [-0.5000,  0.0000]])
    """
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, ignore_index: _int = -100, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.loss import NLLLoss2d as NLLLoss2d
from jgrad.nn.modules.transformer import NonDynamicallyQuantizableLinear as NonDynamicallyQuantizableLinear
from jgrad.nn.modules.activation import PReLU as PReLU
from jgrad.nn.modules.loss import PairwiseDistance as PairwiseDistance
from jgrad.nn.modules.container import ParameterDict as ParameterDict
from jgrad.nn.modules.container import ParameterList as ParameterList
class PixelShuffle(Module):
    """Makes images larger by turning channels into pixels: with r = `upscale_factor`, each group of r * r channels gives one channel with r times the
    height and width.
    
    Args:
        upscale_factor: how many times larger height and width become
    
    Returns, when called, a new tensor of shape `(*, C, H * r, W * r)` for an input of shape `(*, C * r * r, H, W)`. Raises RuntimeError, when called,
    if the number of channels is not divisible by r * r.
    
    >>> x = jgrad.tensor([[[1.]], [[2.]], [[3.]], [[4.]]])
    >>> x.shape
    jgrad.Size([4, 1, 1])
    >>> jgrad.nn.PixelShuffle(2)(x)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
    def __init__(self, upscale_factor: _int) -> None:
        ...
class PixelUnshuffle(Module):
    """Makes images smaller by turning pixels into channels: with r = `downscale_factor`, each block of r * r pixels is spread over r * r channels. It
    is the inverse of `PixelShuffle`.
    
    Args:
        downscale_factor: how many times smaller height and width become; they must be divisible by it
    
    Returns, when called, a new tensor of shape `(*, C * r * r, H, W)` for an input of shape `(*, C, H * r, W * r)`.
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> y = jgrad.nn.PixelUnshuffle(2)(x)
    >>> y.shape, y.flatten()
    (jgrad.Size([4, 1, 1]), tensor([1., 2., 3., 4.]))
    >>> jgrad.nn.PixelShuffle(2)(y)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
    def __init__(self, downscale_factor: _int) -> None:
        ...
class PoissonNLLLoss(Module):
    """Minus the logarithm of the probability of counts under Poisson distributions. Unless `full` is True, the part that does not depend on the input
    is left out.
    
    Args:
        log_input: whether the input holds logarithms of the expected counts: then the loss is `exp(input) - target * input`, otherwise
            `input - target * log(input + eps)`
        full: whether to add an approximation (Stirling's formula) of the part that depends on the target alone
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        eps: a small number that avoids the logarithm of 0; it has no effect if `log_input` is True
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with the expected counts and the observed counts, a tensor without dimensions; with 'none' one with the shape of the input.
    
    The loss is smallest where the expected count is the observed one. There the gradient is 0.
    
    >>> x = jgrad.tensor([0., 0.], requires_grad=True)  # exp(0) = 1 is expected
    >>> jgrad.nn.PoissonNLLLoss(reduction="sum")(x, jgrad.tensor([1., 3.])).backward()
    >>> x.grad
    tensor([ 0., -2.])
    """
    def __init__(self, log_input: _bool = True, full: _bool = False, size_average: Any = None, eps: _float = 1e-08, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.normalization import RMSNorm as RMSNorm
from jgrad.nn.modules.rnn import RNN as RNN
from jgrad.nn.modules.rnn import RNNBase as RNNBase
from jgrad.nn.modules.rnn import RNNCell as RNNCell
from jgrad.nn.modules.rnn import RNNCellBase as RNNCellBase
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
    def __init__(self, lower: _float = 0.125, upper: _float = 0.3333333333333333, inplace: _bool = False) -> None:
        ...
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
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import ReLU6 as ReLU6
class ReflectionPad1d(Module):
    """Makes sequences larger at their edges, with the mirror image of the elements inside. The outermost elements are the
    mirror, and are not repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, L_out)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is not smaller than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> jgrad.nn.ReflectionPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
    tensor([[3., 2., 1., 2., 3., 2.]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ReflectionPad2d(Module):
    """Makes images larger at their edges, with the mirror image of the elements inside. The outermost elements are the
    mirror, and are not repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is not smaller than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> jgrad.nn.ReflectionPad2d((1, 1, 1, 0))(x)
    tensor([[[4., 3., 4., 3.],
             [2., 1., 2., 1.],
             [4., 3., 4., 3.]]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ReflectionPad3d(Module):
    """Makes volumes or videos larger at their edges, with the mirror image of the elements inside. The outermost elements are the
    mirror, and are not repeated.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom, front, back). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing. Raises RuntimeError if the padding is not smaller than the size of its dimension.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> layer = jgrad.nn.ReflectionPad3d((1, 1, 2, 2, 0, 0))
    >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
    jgrad.Size([1, 4, 8, 12, 10])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad1d(Module):
    """Makes sequences larger at their edges, with copies of the outermost elements.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, L_out)` for an input of shape `(N, C, L)`. The batch dimension `N` may be
    missing.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> x = jgrad.tensor([[1., 2., 3.]], requires_grad=True)
    >>> y = jgrad.nn.ReplicationPad1d((2, 1))(x)
    >>> y.detach()
    tensor([[1., 1., 1., 2., 3., 3.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[3., 1., 2.]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad2d(Module):
    """Makes images larger at their edges, with copies of the outermost elements.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, H_out, W_out)` for an input of shape `(N, C, H, W)`. The batch dimension `N` may be
    missing.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> jgrad.nn.ReplicationPad2d((1, 0, 1, 0))(x)
    tensor([[[1., 1., 2.],
             [1., 1., 2.],
             [3., 3., 4.]]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad3d(Module):
    """Makes volumes or videos larger at their edges, with copies of the outermost elements.
    
    Args:
        padding: how many elements are added at each side: an int for all sides or a tuple (left, right, top, bottom, front, back). Negative numbers
            remove elements
    
    Returns, when called, a new tensor of shape `(N, C, D_out, H_out, W_out)` for an input of shape `(N, C, D, H, W)`. The batch dimension `N` may be
    missing.
    
    An element that appears several times in the result gets the sum of the gradients.
    
    >>> layer = jgrad.nn.ReplicationPad3d((1, 1, 2, 2, 0, 0))
    >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
    jgrad.Size([1, 4, 8, 12, 10])
    """
    def __init__(self, padding: Any) -> None:
        ...
class SELU(Module):
    """`ELU` with fixed numbers: `1.0507 * input` where the input is positive, `1.0507 * 1.6733 * (exp(input) - 1)` elsewhere (both numbers are
    rounded). They keep the mean at 0 and the variance at 1 through many layers.
    
    Args:
        inplace: True writes the result into the input, which must not be a leaf that requires grad
    
    Returns, when called, a new tensor with the shape of the input; with `inplace=True` it returns the input itself.
    
    >>> jgrad.nn.SELU()(jgrad.tensor([-100., 0., 1.]))
    tensor([-1.7581,  0.0000,  1.0507])
    """
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.container import Sequential as Sequential
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
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import Sigmoid as Sigmoid
class SmoothL1Loss(Module):
    """The absolute difference d between `input` and `target`, minus `beta / 2`. Where d is below `beta`, it is `d * d / (2 * beta)` instead, a curve
    without a corner at 0.
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        beta: the difference at which the curve becomes a straight line; must not be negative, and 0 gives `L1Loss`
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`.
    
    The slope of the straight line is 1 for every `beta`. `HuberLoss` is `beta` times this loss, for `delta=beta`.
    
    >>> loss = jgrad.nn.SmoothL1Loss(reduction="none")
    >>> loss(jgrad.tensor([1., 2., 5.]), jgrad.tensor([1., 3., 1.]))
    tensor([0.0000, 0.5000, 3.5000])
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', beta: _float = 1.0) -> None:
        ...
class SoftMarginLoss(Module):
    """`log(1 + exp(-target * input))` for each element, with targets 1 and -1. It is small where the input is large and has the sign of the target.
    
    Args:
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
    
    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and cannot require grad.
    
    >>> loss = jgrad.nn.SoftMarginLoss(reduction="none")
    >>> loss(jgrad.tensor([200., 0., 40.]), jgrad.tensor([1., 1., -1.]))
    tensor([ 0.0000,  0.6931, 40.0000])
    """
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
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
    def __init__(self, dim: _int | None = None) -> None:
        ...
from jgrad.nn.modules.activation import Softmax2d as Softmax2d
class Softmin(Module):
    """`Softmax` of `-input`: numbers between 0 and 1 that sum to 1 along `dim`. The smallest element gets the largest number.
    
    Args:
        dim: the dimension along which the results sum to 1; negative numbers count from the last one. None gives a warning and chooses dimension 0
            for inputs with 0, 1 or 3 dimensions, dimension 1 for all others
    
    Returns, when called, a new tensor with the shape of the input.
    
    >>> jgrad.nn.Softmin(dim=0)(jgrad.tensor([0., 0., 200.]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    def __init__(self, dim: _int | None = None) -> None:
        ...
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
    def __init__(self, beta: _float = 1.0, threshold: _float = 20.0) -> None:
        ...
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
    def __init__(self, lambd: _float = 0.5) -> None:
        ...
from jgrad.nn.modules.activation import Softsign as Softsign
from jgrad.nn.modules.normalization import SyncBatchNorm as SyncBatchNorm
from jgrad.nn.modules.activation import Tanh as Tanh
from jgrad.nn.modules.activation import Tanhshrink as Tanhshrink
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
    def __init__(self, threshold: _float, value: _float, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.transformer import Transformer as Transformer
from jgrad.nn.modules.transformer import TransformerDecoder as TransformerDecoder
from jgrad.nn.modules.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from jgrad.nn.modules.transformer import TransformerEncoder as TransformerEncoder
from jgrad.nn.modules.transformer import TransformerEncoderLayer as TransformerEncoderLayer
class TripletMarginLoss(Module):
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.
    
    Args:
        margin: how much larger the distance to the negative should be; must be positive
        p: the norm that gives the distance; 2 is the usual length
        eps: a small number that is added to each difference, so that the gradient of the distance 0 exists
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them
    
    Returns, when called with `anchor`, `positive` and `negative`, a tensor without dimensions; with 'none' one with one element for each triplet. The
    three hold vectors of shape (N, D) or (D,).
    
    Raises ValueError if `margin` is not positive.
    
    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> jgrad.nn.TripletMarginLoss(margin=1.0)(anchor, near, far)  # the distances are 2 and 5
    tensor(0.)
    >>> jgrad.nn.TripletMarginLoss(margin=4.0, eps=0.0)(anchor, near, far)
    tensor(1.)
    """
    def __init__(self, margin: _float = 1.0, p: _float = 2.0, eps: _float = 1e-06, swap: _bool = False, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class TripletMarginWithDistanceLoss(Module):
    """`TripletMarginLoss` with any distance: `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.
    
    Args:
        distance_function: a function of two tensors that gives their distances; None stands for `PairwiseDistance()`
        margin: how much larger the distance to the negative should be; must be positive
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them
    
    Returns, when called with `anchor`, `positive` and `negative`, a tensor without dimensions; with 'none' one with the shape that
    `distance_function` gives.
    
    Raises ValueError if `margin` is not positive.
    
    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> def largest(a, b):
    ...     return (a - b).abs().amax(1)
    >>> loss = jgrad.nn.TripletMarginWithDistanceLoss(distance_function=largest, margin=3.0)
    >>> loss(anchor, near, far)  # 2 - 4 + 3
    tensor(1.)
    """
    def __init__(self, *, distance_function: Callable | None = None, margin: _float = 1.0, swap: _bool = False, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.linear import Unflatten as Unflatten
class Unfold(Module):
    """The windows that slide over images, each as a column. A convolution is a matrix product with these columns.
    
    Args:
        kernel_size: the size of the windows, an int for both dimensions or a tuple (height, width)
        dilation: the distance between neighbouring elements of a window, an int or a tuple of two
        padding: how many rows and columns of zeros are added at each side of the image, an int or a tuple of two
        stride: how far a window is from the next one, an int or a tuple of two
    
    Returns, when called, a new tensor of shape `(N, C * h * w, L)` for an input of shape `(N, C, H, W)`, where h and w are the height and width of a
    window and L is the number of windows. The batch dimension `N` may be missing. It is not a view: `Tensor.unfold` gives a view, for windows along
    one dimension.
    
    >>> x = jgrad.arange(9.).reshape(1, 1, 3, 3)
    >>> x
    tensor([[[[0., 1., 2.],
              [3., 4., 5.],
              [6., 7., 8.]]]])
    >>> jgrad.nn.Unfold(kernel_size=2)(x)
    tensor([[[0., 1., 3., 4.],
             [1., 2., 4., 5.],
             [3., 4., 6., 7.],
             [4., 5., 7., 8.]]])
    """
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        ...
from jgrad.nn.modules.spatial import Upsample as Upsample
from jgrad.nn.modules.spatial import UpsamplingBilinear2d as UpsamplingBilinear2d
from jgrad.nn.modules.spatial import UpsamplingNearest2d as UpsamplingNearest2d
class ZeroPad1d(Module):
    """Makes sequences larger at their edges, with zeros.
    
    Args:
        padding: how many zeros are added at each side: an int for all sides or a tuple (left, right). Negative numbers remove
            elements
    
    Returns, when called, a new tensor, which is larger in the last dimension of the input. The input may have any further
    dimensions before.
    
    >>> jgrad.nn.ZeroPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
    tensor([[0., 0., 1., 2., 3., 0.]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ZeroPad2d(Module):
    """Makes images larger at their edges, with zeros.
    
    Args:
        padding: how many zeros are added at each side: an int for all sides or a tuple (left, right, top, bottom). Negative numbers remove
            elements
    
    Returns, when called, a new tensor, which is larger in the last two dimensions of the input. The input may have any further
    dimensions before.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.nn.ZeroPad2d((1, 0, 0, 1))(x)
    tensor([[0., 1., 2.],
            [0., 3., 4.],
            [0., 0., 0.]])
    """
    def __init__(self, padding: Any) -> None:
        ...
class ZeroPad3d(Module):
    """Makes volumes or videos larger at their edges, with zeros.
    
    Args:
        padding: how many zeros are added at each side: an int for all sides or a tuple (left, right, top, bottom, front, back). Negative numbers remove
            elements
    
    Returns, when called, a new tensor, which is larger in the last three dimensions of the input. The input may have any further
    dimensions before.
    
    >>> layer = jgrad.nn.ZeroPad3d((1, 1, 2, 2, 0, 0))
    >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
    jgrad.Size([1, 4, 8, 12, 10])
    """
    def __init__(self, padding: Any) -> None:
        ...
