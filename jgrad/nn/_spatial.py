"""The Python functions of `jgrad.nn.functional` for images and other grids: windows, pooling, padding, resizing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import warn
from jgrad.dispatch import TABLE
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.ops import pooling as _pooling
from jgrad.ops import resampling as _resampling
from jgrad.ops.random import rand as _rand
from jgrad.tensor import Tensor

# These are the same here and in `jgrad`.
for _name in (
    *[f"conv{n}d" for n in (1, 2, 3)],
    *[f"conv_transpose{n}d" for n in (1, 2, 3)],
    "adaptive_avg_pool1d",
    "avg_pool1d",
    "channel_shuffle",
    "native_channel_shuffle",
    "pixel_shuffle",
    "pixel_unshuffle",
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


def _fractional_max_pool(dims: int) -> tuple[Callable, Callable]:
    pool, name = getattr(_pooling, f"fractional_max_pool{dims}d"), f"fractional_max_pool{dims}d"

    def both(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        if output_size is None:
            if output_ratio is None:
                raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
            # PyTorch takes a single ratio in three dimensions only.
            if dims == 2 and len(output_ratio) > 2:
                raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
            ratios = _each(output_ratio, dims)
            output_size = [int(n * r) for n, r in zip(input.shape[-dims:], ratios, strict=True)]
        if _random_samples is None:
            batch = 1 if input.dim() == dims + 1 else input.size(0)
            _random_samples = _rand(
                (batch, input.size(-dims - 1), dims), dtype=input.dtype, device=input.device
            )
        return pool(input, kernel_size, output_size, _random_samples)

    def values(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Tensor:
        return both(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)[0]

    doc = "The largest elements of windows that begin at random places; with return_indices=True also where they are."
    return _with_or_without_indices(name, 4, both, values, doc), both


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional_max_pool(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional_max_pool(3)


def _unpool_size(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any, dims: int
) -> tuple[Any, tuple, tuple]:
    """The size that was pooled: what fits the windows best, or what is asked for, if it fits too. Also stride and padding."""
    kernel, padding = _each(kernel_size, dims), _each(padding, dims)
    stride = kernel if stride is None else _each(stride, dims)
    default = [
        (n - 1) * s + k - 2 * p
        for n, s, k, p in zip(input.shape[-dims:], stride, kernel, padding, strict=True)
    ]
    size = default
    if output_size is not None:
        size = output_size[2:] if len(output_size) == dims + 2 else output_size
        if len(size) != dims:
            raise ValueError(
                f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of '{len(size)}'"
            )
        for d, (n, best, s) in enumerate(zip(size, default, stride, strict=True)):
            if not best - s < n < best + s:
                raise ValueError(
                    f'invalid output_size "{size}" (dim {d} must be between {best - s} and {best + s})'
                )
    for d, n in enumerate(size):
        if n < 0:
            raise ValueError(
                f"max_unpooling: output_size must contain non-negative spatial dimensions, but got output_size[{d}]={n}"
            )
    return size, stride, padding


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Rows that max_pool1d made smaller, with zeros where the maxima were not."""
    size, _, _ = _unpool_size(input, kernel_size, stride, padding, output_size, 1)
    column = _pooling.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [*size, 1])
    return column.squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Images that max_pool2d made smaller, with zeros where the maxima were not."""
    size, _, _ = _unpool_size(input, kernel_size, stride, padding, output_size, 2)
    return _pooling.max_unpool2d(input, indices, list(size))


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Volumes that max_pool3d made smaller, with zeros where the maxima were not."""
    size, stride, padding = _unpool_size(input, kernel_size, stride, padding, output_size, 3)
    return _pooling.max_unpool3d(input, indices, list(size), stride, padding)


# Resizing and sampling ---------------------------------------------------------------------------------------------------------

_UNALIGNED = ("nearest", "area", "nearest-exact")
_NEEDS = {"linear": 3, "bilinear": 4, "trilinear": 5}  # dimensions, batch and channels included
_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images of another size, or of one `scale_factor` times as large."""
    if mode in _UNALIGNED and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    dim = input.dim() - 2
    sizes, scales = _new_size(input, size, scale_factor, dim)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if scales is not None:
        sizes = tuple([int(n * s) for n, s in zip(input.shape[2:], scales, strict=True)])
        if recompute_scale_factor or mode == "area":
            scales = None
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if mode == "area" and dim in (1, 2, 3):
        if dim == 1:
            return _pooling.adaptive_avg_pool1d(input, sizes)
        return _pooling.adaptive_mean(input, sizes, dim)
    if mode == "lanczos" and dim == 2:
        if align_corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
    if (mode, dim, antialias) in _resampling.RESIZERS:
        return _resampling.upsample(input, sizes, mode, bool(align_corners), scales, antialias)
    if dim in (1, 2, 3) and mode in _NEEDS:
        raise NotImplementedError(f"Got {dim + 2}D input, but {mode} mode needs {_NEEDS[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: {_MODES} (got {mode})"
    )


def _new_size(input: Tensor, size: Any, scale_factor: Any, dim: int) -> tuple[Any, Any]:
    """The size asked for, or the factors, one for each dimension."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    name, given = ("size", size) if size is not None else ("scale_factor", scale_factor)
    if isinstance(given, (list, tuple)) and len(given) != dim:
        called, form = ("output size of", "output size in (o1, o2, ...,oK)")
        start = "Input and output"
        if name == "scale_factor":
            called, form, start = (
                "scale_factor of shape",
                "scale_factor in (s1, s2, ...,sK)",
                "Input and scale_factor",
            )
        raise ValueError(
            f"{start} must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{list(input.shape[2:])} and {called} {given}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and {form} format."
        )
    values = _each(given, dim)
    if name == "scale_factor":
        return None, tuple([float(v) for v in values])
    if isinstance(given, (list, tuple)) and not all([hasattr(v, "__index__") for v in values]):
        raise TypeError(
            "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], "
            f"but got size with types {[type(v) for v in given]}"
        )
    return values, None


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of interpolate."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate(mode="nearest")."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate(mode="bilinear", align_corners=True)."""
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _deprecated(name: str) -> None:
    warn.say(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.")


_CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True "
    "if the old behavior is desired. See the documentation of grid_sample for details."
)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """What images have at the points of a grid, whose coordinates go from -1 to 1."""
    modes, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    if mode not in modes:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in paddings:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
            f"but got: '{padding_mode}'"
        )
    if align_corners is None:
        warn.say(_CHANGED)
        align_corners = False
    return _resampling.grid_sampler(
        input, grid, modes.index(mode), paddings.index(padding_mode), align_corners
    )


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The points of a grid for images of this size, moved by affine maps."""
    if align_corners is None:
        warn.say(_CHANGED)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    dim = len(size) - 2
    if dim not in (2, 3):
        raise NotImplementedError(
            f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {size}."
        )
    if theta.dim() != 3 or tuple(theta.shape[1:]) != (dim, dim + 1):
        raise ValueError(
            f"Expected a batch of {dim}D affine matrices of shape Nx{dim}x{dim + 1} for size {size}. Got {theta.shape}."
        )
    if align_corners and min(size[2:]) == 1:
        warn.say(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an "
            "intended use case of affine_grid. See the documentation of affine_grid for details.",
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return _resampling.affine_grid_generator(theta, tuple(size), align_corners)
