"""The Python functions of `jgrad.nn.functional`: pooling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.dispatch.signatures import shown_as
from jgrad.nn.functional.arguments import each
from jgrad.ops import pooling as _pooling
from jgrad.ops.random import rand as _rand
from jgrad.tensor import Tensor


def _with_or_without_indices(
    name: str, position: int, both: Callable, values: Callable, doc: str
) -> Callable:
    """A function that gives the places too if it is called with return_indices=True (or that at its position). `doc` has a gap at the end of its
    first sentence."""

    @shown_as(values)
    def pool(*args: Any, **kwargs: Any) -> Any:
        with_indices = kwargs.get("return_indices", args[position] if len(args) > position else False)
        return (both if with_indices else values)(*args, **kwargs)

    pool.__name__ = pool.__qualname__ = name
    values.__name__ = values.__qualname__ = "_" + name
    both.__name__ = both.__qualname__ = name + "_with_indices"
    pool.__doc__, both.__doc__ = doc.format(""), doc.format(", and where it is")
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

    doc = "The largest element of each window{}."
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
    """The means of windows of an image, as many windows as `output_size` says. Together they cover it, and they overlap if the sizes do not divide."""
    return _pooling.adaptive_mean(input, each(_or_size(output_size, input.size()), 2), 2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of a volume, as many windows as `output_size` says. Together they cover it, and they overlap if the sizes do not divide."""
    return _pooling.adaptive_mean(input, each(_or_size(output_size, input.size()), 3), 3)


def _adaptive_max_pool(dims: int) -> tuple[Callable, Callable]:
    both_of = getattr(_pooling, f"adaptive_max_pool{dims}d")

    def both(input: Tensor, output_size: Any, return_indices: bool = False) -> tuple[Tensor, Tensor]:
        return both_of(input, output_size if dims == 1 else each(_or_size(output_size, input.size()), dims))

    def values(input: Tensor, output_size: Any, return_indices: bool = False) -> Tensor:
        return both(input, output_size)[0]

    doc = (
        "The largest element of each window{}. There are as many windows as `output_size` says.\n"
        "Together they cover the input, and they overlap if the sizes do not divide."
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
    for k in each(kernel_size, dims):
        count *= k
    out = mean(input.pow(p), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return (out.sign() * out.abs().relu()).mul(count).pow(1.0 / p)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of a row: the sum of the p-th powers of its elements, to the power `1 / p`."""
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of an image: the sum of the p-th powers of its elements, to the power `1 / p`."""
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 2)


def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of a volume: the sum of the p-th powers of its elements, to the power `1 / p`."""
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
            ratios = each(output_ratio, dims)
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

    doc = "The largest element of each window{}. The windows begin at random places, which are different in each call."
    return _with_or_without_indices(name, 4, both, values, doc), both


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional_max_pool(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional_max_pool(3)


def _unpool_size(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any, dims: int
) -> tuple[Any, tuple, tuple]:
    """The size that was pooled: what fits the windows best, or what is asked for, if it fits too. Also stride and padding."""
    kernel, padding = each(kernel_size, dims), each(padding, dims)
    stride = kernel if stride is None else each(stride, dims)
    default = [
        (n - 1) * s + k - 2 * p
        for n, s, k, p in zip(input.shape[-len(kernel) :], stride, kernel, padding, strict=False)
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
    """Puts the maxima that `max_pool1d` found back to their places; all other elements are zero."""
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
    """Puts the maxima that `max_pool2d` found back to their places; all other elements are zero."""
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
    """Puts the maxima that `max_pool3d` found back to their places; all other elements are zero."""
    size, stride, padding = _unpool_size(input, kernel_size, stride, padding, output_size, 3)
    return _pooling.max_unpool3d(input, indices, list(size), stride, padding)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
