"""The Python functions of `jgrad.nn.functional`: images of another size, and sampling at places of a grid."""

from __future__ import annotations

from typing import Any

from jgrad import manual, warn
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
    """Resizes rows, images or volumes: new elements are computed from the old ones that are near them."""
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
        if max(sizes) >= 2**63:
            raise RuntimeError("value cannot be converted to type int64_t without overflow")
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
    """The older name of `interpolate`; it gives a warning."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The same as `interpolate(mode="nearest")`: each new element is a copy of the nearest old one. It gives a warning, because it is deprecated."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The same as `interpolate(mode="bilinear", align_corners=True)`: new elements lie between the old ones on straight lines.
    It gives a warning, because it is deprecated."""
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
    """Reads images at the points of a grid: each point gives the value of the image there. Between the elements the values are interpolated."""
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
    """The points of a grid for images or volumes of a size, moved by affine maps. They are the `grid` of `grid_sample`."""
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


manual.attach(__name__)
