"""The Python functions of `jgrad.nn.functional`: images of another size, and sampling at places of a grid."""

from __future__ import annotations

from typing import Any

from jgrad import warn
from jgrad.nn.functional.arguments import each
from jgrad.ops import pooling as _pooling
from jgrad.ops import resampling as _resampling
from jgrad.tensor import Tensor

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
    values = each(given, dim)
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
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


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
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


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


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
