"""Pooling, padding and resizing: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.conv import _each
from jgrad.nn.modules.module import Module, fields
from jgrad.tensor import Tensor


class _MaxPoolNd(Module):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, stride if stride is not None else kernel_size
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        return type(self)._pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class _MaxUnpoolNd(Module):
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        n = self._dims
        self.kernel_size = _each(kernel_size, n)
        self.stride = _each(stride if stride is not None else kernel_size, n)
        self.padding = _each(padding, n)

    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None = None) -> Tensor:
        return type(self)._pool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(Module):
    """The mean of each window of sequences."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size, self.padding = _each(kernel_size, 1), _each(padding, 1)
        self.stride = _each(stride if stride is not None else kernel_size, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    extra_repr = _MaxUnpoolNd.extra_repr


class _AvgPoolNd(Module):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, stride if stride is not None else kernel_size
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def forward(self, input: Tensor) -> Tensor:
        return type(self)._pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    extra_repr = _MaxUnpoolNd.extra_repr


class _LPPoolNd(Module):
    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride = norm_type, kernel_size, stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return type(self)._pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, ceil_mode={self.ceil_mode}"


@fields("output_size: Any, return_indices: bool = False", "output_size")
class _AdaptiveMaxPoolNd(Module):
    def forward(self, input: Tensor) -> Tensor:
        return type(self)._pool(input, self.output_size, self.return_indices)


@fields("output_size: Any", "output_size")
class _AdaptiveAvgPoolNd(Module):
    def forward(self, input: Tensor) -> Tensor:
        return type(self)._pool(input, self.output_size)


class _FractionalMaxPoolNd(Module):
    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        n, name = self._dims, type(self).__name__
        self.kernel_size, self.return_indices = _each(kernel_size, n), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else _each(output_size, n)
        self.output_ratio = None if output_ratio is None else _each(output_ratio, n)
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Tensor) -> Any:
        return type(self)._pool(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class _PadNd(Module):
    _mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _each(padding, 2 * self._dims)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return str(self.padding)


class _CircularPadNd(_PadNd):
    def forward(self, input: Tensor) -> Tensor:
        allowed = (self._dims + 1, self._dims + 2)
        if input.dim() not in allowed:
            raise ValueError(f"expected {allowed[0]}D or {allowed[1]}D input (got {input.dim()}D input)")
        return F.pad(input, self.padding, "circular")


class _ConstantPadNd(Module):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__()
        self.value, self.padding = value, _each(padding, 2 * self._dims)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _PadNd.extra_repr


# What the docstrings below say in one, two and three dimensions.
_WORDS: tuple[dict[str, str], ...] = (
    {
        "n": "1",
        "things": "sequences",
        "each": "an int or a tuple of one int",
        "adaptive": "an int or a tuple of one int",
        "count": "one",
        "sides": "(left, right)",
        "dims": "dimension",
        "batch": "(N, C, L)",
        "result": "(N, C, L_out)",
        "given": "(N, C, output_size)",
        "out": "L_out",
        "size": "L",
        "others": "",
    },
    {
        "n": "2",
        "things": "images",
        "each": "an int or a tuple (height, width)",
        "adaptive": "an int or a tuple (height, width), in which None keeps the size of the input",
        "count": "two",
        "sides": "(left, right, top, bottom)",
        "dims": "two dimensions",
        "batch": "(N, C, H, W)",
        "result": "(N, C, H_out, W_out)",
        "given": "(N, C, *output_size)",
        "out": "H_out",
        "size": "H",
        "others": " (`W_out` likewise)",
    },
    {
        "n": "3",
        "things": "volumes or videos",
        "each": "an int or a tuple (depth, height, width)",
        "adaptive": "an int or a tuple (depth, height, width), in which None keeps the size of the input",
        "count": "three",
        "sides": "(left, right, top, bottom, front, back)",
        "dims": "three dimensions",
        "batch": "(N, C, D, H, W)",
        "result": "(N, C, D_out, H_out, W_out)",
        "given": "(N, C, *output_size)",
        "out": "D_out",
        "size": "D",
        "others": " (`H_out` and `W_out` likewise)",
    },
)
# One class for each number of dimensions: name, base, dimensions, function or mode, and docstring.
_FAMILIES: tuple[tuple[str, type, tuple[int, ...], str, str], ...] = (
    (
        "MaxPool",
        _MaxPoolNd,
        (1, 2, 3),
        "max_pool",
        """The largest element of each window of {things}.

        Args:
            kernel_size: the size of the windows, {each}
            stride: how far a window is from the next one, {each}; None stands for `kernel_size`
            padding: how many elements with the value -inf are added at each side, {each}; at most half of `kernel_size`
            dilation: the distance between neighbouring elements of a window, {each}
            return_indices: whether the places of the maxima are returned too, as a second tensor; `MaxUnpool{n}d` needs them
            ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. `{out}` is `({size} + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`{others}; with
        `ceil_mode` the division rounds up. An index is the number of an element within its channel, counted row by row from
        0.

        The gradient goes to the largest element of a window, or to the first of several equal ones.
        """,
    ),
    (
        "MaxUnpool",
        _MaxUnpoolNd,
        (1, 2, 3),
        "max_unpool",
        """Puts the maxima that `MaxPool{n}d` has found back to their places in {things}, and sets all other elements to 0.

        Args:
            kernel_size: the size of the windows of the pooling, {each}
            stride: how far a window was from the next one, {each}; None stands for `kernel_size`
            padding: how many elements the pooling has added at each side, {each}

        Returns, when called with the maxima and their indices, a new tensor of shape `{result}` for inputs of shape
        `{batch}`. The batch dimension `N` may be missing. `{out}` is
        `({size} - 1) * stride - 2 * padding + kernel_size`{others}. Several sizes give the same result when they are pooled;
        a third argument `output_size` asks for a certain one.

        The indices are those that `MaxPool{n}d` gives with `return_indices=True`. The gradient of a maximum is taken from its
        place in the result.
        """,
    ),
    (
        "AvgPool",
        _AvgPoolNd,
        (2, 3),
        "avg_pool",
        """The mean of each window of {things}.

        Args:
            kernel_size: the size of the windows, {each}
            stride: how far a window is from the next one, {each}; None stands for `kernel_size`
            padding: how many zeros are added at each side, {each}; at most half of `kernel_size`
            ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
            count_include_pad: whether the added zeros count in the mean
            divisor_override: the number by which the sum of a window is divided; None stands for the number of its elements

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. `{out}` is `({size} + 2 * padding - kernel_size) // stride + 1`{others}; with `ceil_mode` the division rounds
        up.
        """,
    ),
    (
        "LPPool",
        _LPPoolNd,
        (1, 2, 3),
        "lp_pool",
        """The p-norm of each window of {things}: `sum(x ** p) ** (1 / p)`, with p = `norm_type`.

        Args:
            norm_type: the number p: 1 gives sums, 2 gives lengths, `inf` gives the largest absolute value
            kernel_size: the size of the windows, {each}
            stride: how far a window is from the next one, {each}; None stands for `kernel_size`
            ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. `{out}` is `({size} - kernel_size) // stride + 1`{others}; with `ceil_mode` the division rounds up.

        Negative elements are not made positive first: for odd p they make the sum smaller. A negative sum gives nan, except
        for p = 1.
        """,
    ),
    (
        "AdaptiveMaxPool",
        _AdaptiveMaxPoolNd,
        (1, 2, 3),
        "adaptive_max_pool",
        """The largest elements of windows of {things}. The size of the result is given, and the windows are chosen so that they
        cover the whole input.

        Args:
            output_size: the size of the result, {adaptive}
            return_indices: whether the places of the maxima are returned too, as a second tensor

        Returns, when called, a new tensor of shape `{given}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. If the sizes do not fit, windows overlap. An index is the number of an element within its channel, counted
        row by row from 0.

        The gradient goes to the largest element of a window, or to the first of several equal ones.
        """,
    ),
    (
        "AdaptiveAvgPool",
        _AdaptiveAvgPoolNd,
        (1, 2, 3),
        "adaptive_avg_pool",
        """The means of windows of {things}. The size of the result is given, and the windows are chosen so that they cover the
        whole input.

        Args:
            output_size: the size of the result, {adaptive}

        Returns, when called, a new tensor of shape `{given}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. If the sizes do not fit, windows overlap. With `output_size=1` the result holds the mean of each channel.
        """,
    ),
    (
        "FractionalMaxPool",
        _FractionalMaxPoolNd,
        (2, 3),
        "fractional_max_pool",
        """The largest elements of windows that begin at random places of {things}. The size of the result is given, and need not
        divide that of the input.

        Args:
            kernel_size: the size of the windows, {each}
            output_size: the size of the result, {each}; None if `output_ratio` is given
            output_ratio: the size of the result as a share of that of the input, between 0 and 1: a number or a tuple of
                {count}. None if `output_size` is given
            return_indices: whether the places of the maxima are returned too, as a second tensor

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. The places are random in evaluation mode too. Raises ValueError if both or none of `output_size` and
        `output_ratio` are given.
        """,
    ),
    (
        "ReflectionPad",
        _PadNd,
        (1, 2, 3),
        "reflect",
        """Makes {things} larger at their edges, with the mirror image of the elements inside. The outermost elements are the
        mirror, and are not repeated.

        Args:
            padding: how many elements are added at each side: an int for all sides or a tuple {sides}. Negative numbers
                remove elements

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. Raises RuntimeError if the padding is not smaller than the size of its dimension.

        An element that appears several times in the result gets the sum of the gradients.
        """,
    ),
    (
        "ReplicationPad",
        _PadNd,
        (1, 2, 3),
        "replicate",
        """Makes {things} larger at their edges, with copies of the outermost elements.

        Args:
            padding: how many elements are added at each side: an int for all sides or a tuple {sides}. Negative numbers
                remove elements

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing.

        An element that appears several times in the result gets the sum of the gradients.
        """,
    ),
    (
        "CircularPad",
        _CircularPadNd,
        (1, 2, 3),
        "circular",
        """Makes {things} larger at their edges, with the elements of the opposite edge, as if the input were repeated.

        Args:
            padding: how many elements are added at each side: an int for all sides or a tuple {sides}. Negative numbers
                remove elements

        Returns, when called, a new tensor of shape `{result}` for an input of shape `{batch}`. The batch dimension `N` may be
        missing. Raises RuntimeError if the padding is larger than the size of its dimension.

        An element that appears several times in the result gets the sum of the gradients.
        """,
    ),
    (
        "ConstantPad",
        _ConstantPadNd,
        (1, 2, 3),
        "constant",
        """Makes {things} larger at their edges, with a fixed value.

        Args:
            padding: how many elements are added at each side: an int for all sides or a tuple {sides}. Negative numbers
                remove elements
            value: the value of the added elements

        Returns, when called, a new tensor, which is larger in the last {dims} of the input. The input may have any further
        dimensions before.
        """,
    ),
    (
        "ZeroPad",
        _ZeroPadNd,
        (1, 2, 3),
        "constant",
        """Makes {things} larger at their edges, with zeros.

        Args:
            padding: how many zeros are added at each side: an int for all sides or a tuple {sides}. Negative numbers remove
                elements

        Returns, when called, a new tensor, which is larger in the last {dims} of the input. The input may have any further
        dimensions before.
        """,
    ),
)
_EXAMPLES = {
    "MaxPool1d": """
        >>> x = jgrad.tensor([[1., 5., 2., 3.]], requires_grad=True)
        >>> y = jgrad.nn.MaxPool1d(2)(x)
        >>> y.detach()
        tensor([[5., 3.]])
        >>> y.sum().backward()
        >>> x.grad
        tensor([[0., 1., 0., 1.]])
    """,
    "MaxPool2d": """
        >>> x = jgrad.arange(16.).reshape(1, 4, 4)
        >>> jgrad.nn.MaxPool2d(2)(x)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
        >>> values, indices = jgrad.nn.MaxPool2d(2, return_indices=True)(x)
        >>> indices
        tensor([[[ 5,  7],
                 [13, 15]]])
    """,
    "MaxPool3d": """
        >>> jgrad.nn.MaxPool3d(2)(jgrad.arange(8.).reshape(1, 2, 2, 2))
        tensor([[[[7.]]]])
        >>> jgrad.nn.MaxPool3d(3, stride=2, padding=1)(jgrad.zeros(1, 4, 8, 16, 16)).shape
        jgrad.Size([1, 4, 4, 8, 8])
    """,
    "MaxUnpool1d": """
        >>> pool = jgrad.nn.MaxPool1d(2, return_indices=True)
        >>> values, indices = pool(jgrad.tensor([[1., 5., 3., 2.]]))
        >>> jgrad.nn.MaxUnpool1d(2)(values, indices)
        tensor([[0., 5., 3., 0.]])
    """,
    "MaxUnpool2d": """
        >>> pool = jgrad.nn.MaxPool2d(2, return_indices=True)
        >>> values, indices = pool(jgrad.arange(16.).reshape(1, 4, 4))
        >>> jgrad.nn.MaxUnpool2d(2)(values, indices)
        tensor([[[ 0.,  0.,  0.,  0.],
                 [ 0.,  5.,  0.,  7.],
                 [ 0.,  0.,  0.,  0.],
                 [ 0., 13.,  0., 15.]]])
    """,
    "MaxUnpool3d": """
        >>> pool = jgrad.nn.MaxPool3d(2, return_indices=True)
        >>> values, indices = pool(jgrad.arange(8.).reshape(1, 2, 2, 2))
        >>> jgrad.nn.MaxUnpool3d(2)(values, indices)
        tensor([[[[0., 0.],
                  [0., 0.]],
        <BLANKLINE>
                 [[0., 0.],
                  [0., 7.]]]])
    """,
    "AvgPool2d": """
        >>> layer = jgrad.nn.AvgPool2d(2)
        >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
        tensor([[[ 2.5000,  4.5000],
                 [10.5000, 12.5000]]])
    """,
    "AvgPool3d": """
        >>> jgrad.nn.AvgPool3d(2)(jgrad.arange(8.).reshape(1, 2, 2, 2))
        tensor([[[[3.5000]]]])
        >>> jgrad.nn.AvgPool3d((1, 2, 2))(jgrad.zeros(1, 4, 8, 16, 16)).shape
        jgrad.Size([1, 4, 8, 8, 8])
    """,
    "LPPool1d": """
        >>> layer = jgrad.nn.LPPool1d(2, kernel_size=2)
        >>> layer(jgrad.tensor([[3., 4., 0., -5.]]))
        tensor([[5., 5.]])
    """,
    "LPPool2d": """
        >>> layer = jgrad.nn.LPPool2d(2, kernel_size=(1, 2))
        >>> layer(jgrad.tensor([[[3., 4.], [6., 8.]]]))
        tensor([[[ 5.],
                 [10.]]])
    """,
    "LPPool3d": """
        >>> layer = jgrad.nn.LPPool3d(1, kernel_size=2)
        >>> layer(jgrad.ones(1, 2, 2, 2))
        tensor([[[[8.]]]])
    """,
    "AdaptiveMaxPool1d": """
        >>> layer = jgrad.nn.AdaptiveMaxPool1d(2)
        >>> layer(jgrad.tensor([[1., 5., 2., 3., 4.]]))  # of the first three elements, and of the last three
        tensor([[5., 4.]])
    """,
    "AdaptiveMaxPool2d": """
        >>> layer = jgrad.nn.AdaptiveMaxPool2d((1, 2))
        >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
        tensor([[[13., 15.]]])
        >>> jgrad.nn.AdaptiveMaxPool2d((None, 1))(jgrad.arange(16.).reshape(1, 4, 4))
        tensor([[[ 3.],
                 [ 7.],
                 [11.],
                 [15.]]])
    """,
    "AdaptiveMaxPool3d": """
        >>> layer = jgrad.nn.AdaptiveMaxPool3d((2, None, 5))
        >>> layer(jgrad.zeros(1, 4, 8, 9, 10)).shape
        jgrad.Size([1, 4, 2, 9, 5])
    """,
    "AdaptiveAvgPool1d": """
        >>> layer = jgrad.nn.AdaptiveAvgPool1d(2)
        >>> layer(jgrad.tensor([[1., 2., 3., 4., 5.]]))  # of the first three elements, and of the last three
        tensor([[2., 4.]])
    """,
    "AdaptiveAvgPool2d": """
        >>> layer = jgrad.nn.AdaptiveAvgPool2d(1)
        >>> layer(jgrad.arange(16.).reshape(1, 4, 4))
        tensor([[[7.5000]]])
        >>> layer(jgrad.zeros(2, 512, 7, 9)).shape
        jgrad.Size([2, 512, 1, 1])
    """,
    "AdaptiveAvgPool3d": """
        >>> layer = jgrad.nn.AdaptiveAvgPool3d((2, None, 5))
        >>> layer(jgrad.zeros(1, 4, 8, 9, 10)).shape
        jgrad.Size([1, 4, 2, 9, 5])
    """,
    "FractionalMaxPool2d": """
        >>> jgrad.nn.FractionalMaxPool2d(3, output_size=5)(jgrad.zeros(1, 4, 12, 12)).shape
        jgrad.Size([1, 4, 5, 5])
        >>> jgrad.nn.FractionalMaxPool2d(2, output_ratio=(0.5, 0.75))(jgrad.zeros(1, 4, 12, 12)).shape
        jgrad.Size([1, 4, 6, 9])
    """,
    "FractionalMaxPool3d": """
        >>> layer = jgrad.nn.FractionalMaxPool3d(2, output_ratio=0.5)
        >>> layer(jgrad.zeros(1, 4, 8, 10, 12)).shape
        jgrad.Size([1, 4, 4, 5, 6])
    """,
    "ReflectionPad1d": """
        >>> jgrad.nn.ReflectionPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
        tensor([[3., 2., 1., 2., 3., 2.]])
    """,
    "ReflectionPad2d": """
        >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
        >>> jgrad.nn.ReflectionPad2d((1, 1, 1, 0))(x)
        tensor([[[4., 3., 4., 3.],
                 [2., 1., 2., 1.],
                 [4., 3., 4., 3.]]])
    """,
    "ReflectionPad3d": """
        >>> layer = jgrad.nn.ReflectionPad3d((1, 1, 2, 2, 0, 0))
        >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
        jgrad.Size([1, 4, 8, 12, 10])
    """,
    "ReplicationPad1d": """
        >>> x = jgrad.tensor([[1., 2., 3.]], requires_grad=True)
        >>> y = jgrad.nn.ReplicationPad1d((2, 1))(x)
        >>> y.detach()
        tensor([[1., 1., 1., 2., 3., 3.]])
        >>> y.sum().backward()
        >>> x.grad
        tensor([[3., 1., 2.]])
    """,
    "ReplicationPad2d": """
        >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
        >>> jgrad.nn.ReplicationPad2d((1, 0, 1, 0))(x)
        tensor([[[1., 1., 2.],
                 [1., 1., 2.],
                 [3., 3., 4.]]])
    """,
    "ReplicationPad3d": """
        >>> layer = jgrad.nn.ReplicationPad3d((1, 1, 2, 2, 0, 0))
        >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
        jgrad.Size([1, 4, 8, 12, 10])
    """,
    "CircularPad1d": """
        >>> jgrad.nn.CircularPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
        tensor([[2., 3., 1., 2., 3., 1.]])
    """,
    "CircularPad2d": """
        >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
        >>> jgrad.nn.CircularPad2d((1, 0, 1, 0))(x)
        tensor([[[4., 3., 4.],
                 [2., 1., 2.],
                 [4., 3., 4.]]])
    """,
    "CircularPad3d": """
        >>> layer = jgrad.nn.CircularPad3d((1, 1, 2, 2, 0, 0))
        >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
        jgrad.Size([1, 4, 8, 12, 10])
    """,
    "ConstantPad1d": """
        >>> jgrad.nn.ConstantPad1d((2, 1), 9.0)(jgrad.tensor([[1., 2., 3.]]))
        tensor([[9., 9., 1., 2., 3., 9.]])
        >>> jgrad.nn.ConstantPad1d((-1, 1), 9.0)(jgrad.tensor([[1., 2., 3.]]))
        tensor([[2., 3., 9.]])
    """,
    "ConstantPad2d": """
        >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
        >>> jgrad.nn.ConstantPad2d((1, 0, 0, 1), 9.0)(x)
        tensor([[9., 1., 2.],
                [9., 3., 4.],
                [9., 9., 9.]])
    """,
    "ConstantPad3d": """
        >>> layer = jgrad.nn.ConstantPad3d((1, 1, 2, 2, 0, 0), 9.0)
        >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
        jgrad.Size([1, 4, 8, 12, 10])
    """,
    "ZeroPad1d": """
        >>> jgrad.nn.ZeroPad1d((2, 1))(jgrad.tensor([[1., 2., 3.]]))
        tensor([[0., 0., 1., 2., 3., 0.]])
    """,
    "ZeroPad2d": """
        >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
        >>> jgrad.nn.ZeroPad2d((1, 0, 0, 1))(x)
        tensor([[0., 1., 2.],
                [0., 3., 4.],
                [0., 0., 0.]])
    """,
    "ZeroPad3d": """
        >>> layer = jgrad.nn.ZeroPad3d((1, 1, 2, 2, 0, 0))
        >>> layer(jgrad.zeros(1, 4, 8, 8, 8)).shape
        jgrad.Size([1, 4, 8, 12, 10])
    """,
}
for _family, _base, _numbers, _word, _doc in _FAMILIES:
    for _n in _numbers:
        _name = f"{_family}{_n}d"
        _text = cleandoc(_doc).format(**_WORDS[_n - 1]) + "\n\n" + cleandoc(_EXAMPLES[_name]) + "\n"
        _body: dict[str, Any] = {"__doc__": _text, "__module__": __name__, "_dims": _n}
        if "_pool" in _word or "_unpool" in _word:
            _body["_pool"] = staticmethod(getattr(F, f"{_word}{_n}d"))
        else:
            _body["_mode"] = _word
        globals()[_name] = type(_name, (_base,), _body)


class Upsample(Module):
    """Resizes sequences, images or volumes, by a factor or to a size. It can also make them smaller."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode, self.align_corners = mode, align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        by = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{by}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resizes images: each new pixel is a copy of the nearest old one. It does the same as `Upsample` with `mode="nearest"`."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resizes images: each new pixel is a weighted mean of the four old ones around it, and the corner pixels stay the same. It does the same as
    `Upsample` with `mode="bilinear"` and `align_corners=True`."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


@fields("upscale_factor: int", "upscale_factor")
class PixelShuffle(Module):
    """Makes images larger by turning channels into pixels: with r = `upscale_factor`, each group of r * r channels gives one channel with r times the
    height and width."""

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


@fields("downscale_factor: int", "downscale_factor")
class PixelUnshuffle(Module):
    """Makes images smaller by turning pixels into channels: with r = `downscale_factor`, each block of r * r pixels is spread over r * r channels. It
    is the inverse of `PixelShuffle`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)


@fields("groups: int", "groups")
class ChannelShuffle(Module):
    """Takes the channels of the groups in turn: the first channel of each group, then the second channel of each group, and so on."""

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)


@fields(
    "output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1",
    "output_size kernel_size dilation padding stride",
)
class Fold(Module):
    """Adds windows, which are given as columns, to an image at their places. Where windows overlap, the pixels are sums. It computes what `Unfold`
    computes in backward."""

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


@fields(
    "kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1",
    "kernel_size dilation padding stride",
)
class Unfold(Module):
    """The windows that slide over images, each as a column. A convolution is a matrix product with these columns."""

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


manual.attach(__name__)
