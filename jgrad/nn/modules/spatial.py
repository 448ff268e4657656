"""Pooling, padding and resizing: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

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
_WORDS = (
    {"n": "1", "things": "sequences"},
    {"n": "2", "things": "images"},
    {"n": "3", "things": "volumes or videos"},
)
# One class for each number of dimensions: name, base, dimensions, function or mode, and the first paragraph of the docstring.
_FAMILIES: tuple[tuple[str, type, tuple[int, ...], str, str], ...] = (
    ("MaxPool", _MaxPoolNd, (1, 2, 3), "max_pool", "The largest element of each window of {things}."),
    (
        "MaxUnpool",
        _MaxUnpoolNd,
        (1, 2, 3),
        "max_unpool",
        "Puts the maxima that `MaxPool{n}d` has found back to their places in {things}, and sets all other elements to 0.",
    ),
    ("AvgPool", _AvgPoolNd, (2, 3), "avg_pool", "The mean of each window of {things}."),
    (
        "LPPool",
        _LPPoolNd,
        (1, 2, 3),
        "lp_pool",
        "The p-norm of each window of {things}: `sum(x ** p) ** (1 / p)`, with p = `norm_type`.",
    ),
    (
        "AdaptiveMaxPool",
        _AdaptiveMaxPoolNd,
        (1, 2, 3),
        "adaptive_max_pool",
        "The largest elements of windows of {things}. The size of the result is given, and the windows are chosen so that they\ncover the whole input.",
    ),
    (
        "AdaptiveAvgPool",
        _AdaptiveAvgPoolNd,
        (1, 2, 3),
        "adaptive_avg_pool",
        "The means of windows of {things}. The size of the result is given, and the windows are chosen so that they cover the\nwhole input.",
    ),
    (
        "FractionalMaxPool",
        _FractionalMaxPoolNd,
        (2, 3),
        "fractional_max_pool",
        "The largest elements of windows that begin at random places of {things}. The size of the result is given, and need not\ndivide that of the input.",
    ),
    (
        "ReflectionPad",
        _PadNd,
        (1, 2, 3),
        "reflect",
        "Makes {things} larger at their edges, with the mirror image of the elements inside. The outermost elements are the\nmirror, and are not repeated.",
    ),
    (
        "ReplicationPad",
        _PadNd,
        (1, 2, 3),
        "replicate",
        "Makes {things} larger at their edges, with copies of the outermost elements.",
    ),
    (
        "CircularPad",
        _CircularPadNd,
        (1, 2, 3),
        "circular",
        "Makes {things} larger at their edges, with the elements of the opposite edge, as if the input were repeated.",
    ),
    (
        "ConstantPad",
        _ConstantPadNd,
        (1, 2, 3),
        "constant",
        "Makes {things} larger at their edges, with a fixed value.",
    ),
    ("ZeroPad", _ZeroPadNd, (1, 2, 3), "constant", "Makes {things} larger at their edges, with zeros."),
)
for _family, _base, _numbers, _word, _doc in _FAMILIES:
    for _n in _numbers:
        _name = f"{_family}{_n}d"
        _body: dict[str, Any] = {
            "__doc__": _doc.format(**_WORDS[_n - 1]),
            "__module__": __name__,
            "_dims": _n,
        }
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
