"""The kernels on NumPy arrays: memory layout, shape, and joining. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from jgrad import formats
from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy.memory import Array, address, in_row_major, over, owner


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front; a 0-d tensor has one for this purpose."""
    n = ndim or 1
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    return dim + n if dim < 0 else dim


def type_name(a: Array) -> str:
    """The dtype as PyTorch's older error texts have it: FloatTensor."""
    return FROM_NUMPY[a.dtype].type_name + "Tensor"


def full_type_name(a: Array) -> str:
    """The same with its place, which PyTorch writes in another way for the younger complex dtypes."""
    name = FROM_NUMPY[a.dtype].type_name
    return f"CPU{name}Type" if a.dtype.kind in "cbV" else f"torch.{name}Tensor"


def scalar_name(a: Array) -> str:
    return type_name(a).removesuffix("Tensor")


def c_name(a: Array) -> str:
    """The dtype of an array as C++ spells it."""
    return c_name_of(a.dtype)


def c_name_of(dtype: np.dtype) -> str:
    """A dtype as C++ spells it."""
    name = FROM_NUMPY[dtype].name
    if name.startswith("float8"):
        return f"c10::{FROM_NUMPY[dtype].type_name}"
    return {"float32": "float", "float64": "double", "int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char",
            "uint8": "unsigned char", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "complex64": "c10::complex<float>",
            "complex128": "c10::complex<double>"}.get(name, name)  # fmt: skip


def refuse_bool(name: str, a: Array) -> None:
    if a.dtype.kind == "b":
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


# Layout ------------------------------------------------------------------------------------------------------------------------


def clone(a: Array, memory_format: Any = None) -> Array:
    """A copy; strides are kept where the elements are dense, as PyTorch's preserve_format does."""
    if memory_format in formats.NDIM:
        copy = empty_strided(a.shape, formats.strides_in(a.shape, memory_format), a.dtype)
        copy[...] = a
        return copy
    if memory_format is formats.contiguous_format or _is_plain(a):
        return np.array(a, order="C")
    return like(a, a)


def like(a: Array, values: Any) -> Array:
    """A new array with the shape, dtype and (if dense) order of strides of `a`, filled with `values`."""
    r = empty_like(a)
    r[...] = values
    return r


def empty_like(a: Array, dtype: np.dtype | None = None, memory_format: Any = None) -> Array:
    """Uninitialised, dense, with the order of strides of `a`, or in a memory format. Dimensions of size 1 and expanded ones are placed as
    PyTorch does."""
    dtype = a.dtype if dtype is None else dtype
    if memory_format in formats.NDIM:
        return empty_strided(a.shape, formats.strides_in(a.shape, memory_format), dtype)
    if memory_format is formats.contiguous_format or _is_plain(a):
        return np.empty(a.shape, dtype)
    item = a.itemsize
    strides = tuple([s // item for s in a.strides])
    if is_dense(a.shape, strides):
        return empty_strided(a.shape, strides, dtype)
    return empty_strided(a.shape, packed_strides(a.shape, [strides]), dtype)


def _is_plain(a: Array) -> bool:
    """Whether the strides are those of a fresh array."""
    return a.flags.c_contiguous and (1 not in a.shape or not a.size or _has_plain_strides(a))


def is_dense(shape: tuple, strides: tuple) -> bool:
    """Whether elements with these strides fill their range of memory exactly."""
    if 0 in shape:
        return False
    expected = 1
    for stride, extent in sorted((s, n) for s, n in zip(strides, shape, strict=True) if n != 1):
        if stride != expected:
            return False
        expected *= extent
    return True


def packed_strides(shape: tuple, operands: list[tuple]) -> tuple:
    """The strides PyTorch gives a fresh result: dimensions ordered as in the operands, the first that can tell deciding, without gaps.

    It sorts by insertion from the innermost dimension outwards; where all strides are 0 or equal, dimensions stay as they are.
    """
    order = list(range(len(shape)))[::-1]

    def should_swap(a: int, b: int) -> int:
        for strides in operands:
            sa, sb = strides[a], strides[b]
            if sa == 0 or sb == 0:
                continue
            if sa != sb:
                return -1 if sa < sb else 1
            if shape[a] > shape[b]:
                return 1
        return 0

    for i in range(1, len(order)):
        later = i
        for earlier in range(i - 1, -1, -1):
            comparison = should_swap(order[earlier], order[later])
            if comparison > 0:
                order[earlier], order[later] = order[later], order[earlier]
                later = earlier
            elif comparison < 0:
                break
    result = [0] * len(shape)
    step = 1
    for dim in order:
        result[dim] = step
        step *= max(shape[dim], 1)
    return tuple(result)


def laid_out(result: Array, operands: list) -> Array:
    """The result of an elementwise operation in PyTorch's order of strides, which NumPy's differs from where operands disagree."""
    arrays = [a for a in operands if isinstance(a, np.ndarray) and a.ndim]
    if result.ndim < 2 or all([a.flags.c_contiguous for a in arrays]):
        return result
    if result.base is None and all([a.shape == result.shape and a.strides == result.strides for a in arrays]):
        return result  # which is dense, as it owns its memory
    if result.flags.c_contiguous and not any([any(a.strides) for a in arrays]):
        return result  # one element each, expanded
    first = arrays[0]
    item = first.itemsize
    strides = tuple([s // item for s in first.strides])
    same = all(
        [a.shape == result.shape and [s // a.itemsize for s in a.strides] == list(strides) for a in arrays]
    )
    if not (same and is_dense(result.shape, strides)):
        aligned = []
        for a in arrays:
            added = result.ndim - a.ndim
            aligned.append(
                tuple(
                    [0] * added
                    + [
                        0 if n == 1 and result.shape[i + added] != 1 else s
                        for i, (n, s) in enumerate(zip(a.shape, a.strides, strict=True))
                    ]
                )
            )
        strides = packed_strides(result.shape, aligned)
    if result.strides == tuple([s * result.itemsize for s in strides]):
        return result
    target = empty_strided(result.shape, strides, result.dtype)
    target[...] = result
    return target


def is_channels_last(a: Array) -> bool:
    """Whether the strides are those of images (or volumes) whose channels are next to each other."""
    if a.ndim not in (4, 5) or not a.size or a.strides[1] == 0:
        return False
    least = 0
    for d in (1, *range(a.ndim - 1, 1, -1), 0):
        stride = a.strides[d]
        if stride < least or (d == 0 and least == a.strides[1]):
            return False
        least = stride * a.shape[d]
    return True


def in_channels_last(a: Array) -> Array:
    """A copy whose channels are next to each other."""
    return clone(a, formats.channels_last if a.ndim == 4 else formats.channels_last_3d)


Images = TypeVar("Images", bound=Callable[..., Any])


def keeping_format(*read: int) -> Callable[[Images], Images]:
    """Let a kernel give results in channels_last if one of the arguments at these positions is."""

    def around(kernel: Images) -> Images:
        @functools.wraps(kernel)
        def kept(*args: Any, **kwargs: Any) -> Any:
            result = kernel(*args, **kwargs)
            for i in read:
                a = args[i]
                if a.ndim < 4 or (a.flags.c_contiguous and a.strides[1] != a.itemsize):
                    continue  # most often
                if is_channels_last(a):
                    if result.__class__ is not tuple:
                        return in_channels_last(result)
                    return tuple([in_channels_last(r) if r.ndim == a.ndim else r for r in result])
            return result

        return kept  # type: ignore[return-value]

    return around


def common_shape(a: tuple, b: tuple) -> tuple:
    """The shape that two shapes broadcast to. Raises PyTorch's error where there is none."""
    ndim = max(len(a), len(b))
    result = []
    for i in range(ndim):
        x = a[i - ndim + len(a)] if i >= ndim - len(a) else 1
        y = b[i - ndim + len(b)] if i >= ndim - len(b) else 1
        if x != y and x != 1 and y != 1:
            raise RuntimeError(
                f"The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
            )
        result.append(y if x == 1 else x)
    return tuple(result)


def broadcast_error(arrays: list[np.ndarray]) -> str:
    """PyTorch's words for shapes that do not broadcast."""
    for a, b in ((a, b) for i, a in enumerate(arrays) for b in arrays[i + 1 :]):
        ndim = max(a.ndim, b.ndim)
        for dim in range(ndim - 1, -1, -1):
            m = a.shape[dim - ndim + a.ndim] if dim >= ndim - a.ndim else 1
            n = b.shape[dim - ndim + b.ndim] if dim >= ndim - b.ndim else 1
            if m != n and m != 1 and n != 1:
                return f"The size of tensor a ({m}) must match the size of tensor b ({n}) at non-singleton dimension {dim}"
    return "The shapes of the tensors do not broadcast"


def contiguous(a: Array) -> Array:
    """The array itself if its elements are in row-major order, else a copy in which they do.

    (NumPy leaves the strides of arrays with no or one element to chance, so these are copied too.)
    """
    if not a.size:
        return np.empty(a.shape, a.dtype)
    return a if a.flags.c_contiguous and a.size > 1 else a.copy()


def empty_strided(shape: tuple, strides: tuple, dtype: np.dtype) -> Array:
    """Uninitialised, with these strides in elements."""
    if 0 in shape:
        return np.empty(shape, dtype)
    span = 1 + sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)])
    item = dtype.itemsize
    return over(np.empty(span, dtype), shape, dtype, 0, tuple([s * item for s in strides]))


# Shape: the results are views wherever NumPy can make one ---------------------------------------------------------------------


def expand(a: Any, size: tuple, implicit: bool = False) -> Array:
    a = np.asarray(a)
    added = len(size) - a.ndim
    if added < 0:
        raise RuntimeError(
            f"expand({full_type_name(a)}{{{list(a.shape)}}}, size={list(size)}): the number of sizes provided ({len(size)}) must be "
            f"greater or equal to the number of dimensions in the tensor ({a.ndim})"
        )
    shape, strides = list(size), [0] * len(size)
    for i in range(len(size) - 1, -1, -1):
        n = size[i]
        if i < added:
            if n == -1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {i}"
                )
            # A new leading dimension steps over everything behind it, unless it is stretched.
            if n == 1 and a.ndim:
                strides[i] = shape[i + 1] * strides[i + 1] if i + 1 < len(shape) else a.itemsize
            continue
        extent = a.shape[i - added]
        if n == -1:
            n = shape[i] = extent
        if extent != 1 and n != extent:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({extent}) at non-singleton dimension {i}.  "
                f"Target sizes: {list(size)}.  Tensor sizes: {list(a.shape)}"
            )
        strides[i] = a.strides[i - added] if extent == n else 0
    return strided(a, tuple(shape), tuple(strides))


def strided(a: Array, shape: tuple, byte_strides: tuple, byte_offset: int = 0) -> Array:
    """A view of the memory behind `a`'s first element. (NumPy's as_strided does the same ten times slower, and hides whose memory it is.)"""
    if a.base is None and byte_offset == 0 and a.flags.c_contiguous:
        return over(a, shape, a.dtype, 0, byte_strides)
    root = owner(a)
    start = address(a) - address(root) + byte_offset
    return over(in_row_major(root), shape, a.dtype, min(start, root.nbytes), byte_strides)


def refuse_large_strides(size: tuple) -> None:
    """Refuse the sizes of an empty tensor if its strides don't fit into 64 bits. (Those of any other are smaller than its storage.)"""
    if 0 in size and math.prod([max(n, 1) for n in size[1:]]) >= 2**63:
        raise RuntimeError("Stride calculation overflowed")


def infer_size(size: tuple, numel: int) -> tuple:
    """A shape with at most one -1 filled in."""
    known = 1
    for n in size:
        known *= n
    if known == numel and min(size, default=0) >= 0:
        refuse_large_strides(size)
        return size
    unknown = [i for i, n in enumerate(size) if n == -1]
    if len(unknown) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for i, n in enumerate(size):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(size)}")
    known = 1
    for n in size:
        known *= n if n != -1 else 1
    if unknown:
        if known == 0 and numel == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified dimension size -1 can be any value "
                "and is ambiguous"
            )
        if known and numel % known == 0:
            return tuple([numel // known if n == -1 else n for n in size])
    elif known == numel:
        return tuple(size)
    raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {numel}")


def view(a: Array, size: tuple) -> Array:
    if a.flags.c_contiguous and (1 not in a.shape or _has_plain_strides(a)):
        try:
            result = a.reshape(size)
        except ValueError:
            result = None
        if result is None or (result.shape != size and min(size) < -1):  # any negative size is -1 to NumPy
            return a.reshape(infer_size(size, a.size))  # which says what is wrong
        return result
    size = infer_size(size, a.size)
    strides = strides_of_view(a, size)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
            "subspaces). Use .reshape(...) instead."
        )
    return strided(a, size, strides)


def view_of_contiguous(a: Array, size: tuple) -> Array:
    """What `reshape` usually is; anything else is refused, for its general path."""
    if not a.flags.c_contiguous:
        raise ValueError("not contiguous")
    return view(a, size)


def _has_plain_strides(a: Array) -> bool:
    """Whether dimensions of size 1, too, have the strides of a fresh array."""
    expected = a.itemsize
    for n, s in zip(a.shape[::-1], a.strides[::-1], strict=True):
        if s != expected:
            return False
        expected *= n
    return True


def strides_of_view(a: Array, size: tuple) -> tuple | None:
    """The strides in bytes that show the elements in another shape, None if none do."""
    if not a.size:
        return a.strides if a.shape == size else empty_strides(size, a.itemsize)
    if not a.ndim:
        return (a.itemsize,) * len(size)
    strides = [0] * len(size)
    d = len(size) - 1
    base, seen, made = a.strides[-1], 1, 1  # of a run of dimensions that are in memory like one
    for k in range(a.ndim - 1, -1, -1):
        seen *= a.shape[k]
        if k == 0 or (a.shape[k - 1] != 1 and a.strides[k - 1] != seen * base):
            while d >= 0 and (made < seen or size[d] == 1):
                strides[d] = made * base
                made *= size[d]
                d -= 1
            if made != seen:
                return None
            if k:
                base, seen, made = a.strides[k - 1], 1, 1
    return tuple(strides) if d == -1 else None


def empty_strides(shape: tuple, item: int) -> tuple:
    """The strides in bytes of a fresh array with no elements."""
    strides = [item] * len(shape)
    for k in range(len(shape) - 1, 0, -1):
        strides[k - 1] = strides[k] * max(shape[k], 1)
    return tuple(strides)


def can_view(a: Array, size: tuple) -> bool:
    """Whether strides allow this shape without a copy."""
    return a.flags.c_contiguous or strides_of_view(a, size) is not None


def reshape(a: Array, shape: tuple) -> Array:
    return a.reshape(shape)


def permute(a: Array, dims: tuple) -> Array:
    if dims == (1, 0) and a.ndim == 2:
        return a.T
    if len(dims) != a.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions "
            f"i.e. input.dim() = {a.ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = tuple([wrap_dim(d, a.ndim) for d in dims])
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return a.transpose(order)


def permute_back(grad: Array, dims: tuple) -> Array:
    inverse = [0] * len(dims)
    for i, d in enumerate(dims):
        inverse[d % len(dims)] = i
    return grad.transpose(inverse)


def transpose(a: Array, dim0: int, dim1: int) -> Array:
    d0, d1 = wrap_dim(dim0, a.ndim), wrap_dim(dim1, a.ndim)
    return a.swapaxes(d0, d1) if a.ndim else a.view()


def t(a: Array) -> Array:
    if a.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {a.ndim}D")
    return a.T if a.ndim == 2 else a.view()


def unsqueeze(a: Array, dim: int) -> Array:
    d = wrap_dim(dim, a.ndim + 1)
    stride = a.shape[d] * a.strides[d] if d < a.ndim else a.itemsize
    return strided(a, a.shape[:d] + (1,) + a.shape[d:], a.strides[:d] + (stride,) + a.strides[d:])


def kept_shape(shape: tuple, dims: Iterable[int]) -> tuple:
    """The shape after a reduction over `dims` that keeps them with size 1."""
    removed = [d % (len(shape) or 1) for d in dims]
    return tuple([1 if i in removed else n for i, n in enumerate(shape)])


def unsqueeze_many(a: Array, dims: Iterable[int], shape: tuple) -> Array:
    """The dimensions that a reduction of something of this shape over `dims` removed, put back with size 1."""
    return a.reshape(kept_shape(shape, dims))


def unsqueeze_to(a: Array, shape: tuple, dims: Any) -> Array:
    """The dimensions that `squeeze` took out of something of this shape, put back."""
    return a.reshape(shape)


def squeeze_dim(a: Array, dim: int) -> Array:
    return squeeze(a, (dim,))


def squeeze(a: Array, dim: tuple | None = None) -> Array:
    dims = range(a.ndim) if dim is None else [wrap_dim(d, a.ndim) for d in dim]
    for i, d in enumerate(dims):
        if d in dims[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    kept = [i for i in range(a.ndim) if not (i in dims and a.shape[i] == 1)]
    return strided(a, tuple([a.shape[i] for i in kept]), tuple([a.strides[i] for i in kept]))


def select(a: Array, dim: int, index: int) -> Array:
    if a.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = dim and wrap_dim(dim, a.ndim)
    n = a.shape[d]
    if not -n <= index < n:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(a.shape)} at dimension {d}"
        )
    return a[index, ...] if d == 0 else a[(slice(None),) * d + (index, ...)]


def slice_(a: Array, dim: int, start: int | None, end: int | None, step: int) -> Array:
    part = a[start:end:step] if dim == 0 else a[(slice(None),) * dim + (slice(start, end, step),)]
    if part.shape[dim]:
        return part
    # NumPy moves an empty slice to the beginning.
    first = slice(start, end, step).indices(a.shape[dim])[0]
    strides = (*a.strides[:dim], a.strides[dim] * step, *a.strides[dim + 1 :])
    return strided(a, part.shape, strides, first * a.strides[dim])


def select_backward(grad: Array, shape: tuple, dim: int, index: int) -> Array:
    result = np.zeros(shape, grad.dtype)
    result[(slice(None),) * (dim % len(shape)) + (index,)] = grad
    return result


def slice_backward(
    grad: Array, shape: tuple, dim: int, start: int | None, end: int | None, step: int
) -> Array:
    result = np.zeros(shape, grad.dtype)
    result[(slice(None),) * dim + (slice(start, end, step),)] = grad
    return result


def alias(a: Array) -> Array:
    return a.view()


def split(a: Array, split_size: int, dim: int = 0) -> tuple:
    if a.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    d = wrap_dim(dim, a.ndim)
    n = a.shape[d]
    if split_size == 0 and n:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    starts = range(0, max(n, 1), max(split_size, 1))
    return tuple([slice_(a, d, s, s + split_size, 1) for s in starts])


def split_with_sizes(a: Array, split_sizes: Sequence[int], dim: int = 0) -> tuple:
    if a.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, a.ndim)
    given = 0
    for n in split_sizes:
        if n < 0:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={list(split_sizes)}"
            )
        given += n
    if given != a.shape[d]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {a.shape[d]} (input tensor's size at dimension {d}), but got "
            f"split_sizes={list(split_sizes)}"
        )
    pieces, start = [], 0
    for n in split_sizes:
        pieces.append(slice_(a, d, start, start + n, 1))
        start += n
    return tuple(pieces)


def unbind(a: Array, dim: int = 0) -> tuple:
    d = wrap_dim(dim, a.ndim)
    if a.ndim == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    before = (slice(None),) * d
    return tuple([a[before + (i, ...)] for i in range(a.shape[d])])


def diagonal(a: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    first, second = wrap_dim(dim1, a.ndim), wrap_dim(dim2, a.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    below, right = max(-offset, 0), max(offset, 0)
    length = max(min(a.shape[first] - below, a.shape[second] - right), 0)
    start = below * a.strides[first] + right * a.strides[second] if length else 0
    kept = [k for k in range(a.ndim) if k not in (first, second)]
    shape = (*[a.shape[k] for k in kept], length)
    strides = (*[a.strides[k] for k in kept], a.strides[first] + a.strides[second])
    return strided(a, shape, strides, start)


def diagonal_backward(grad: Array, shape: tuple, offset: int, dim1: int, dim2: int) -> Array:
    """Zeros of the input's shape with the gradients on a diagonal."""
    result = np.zeros(shape, grad.dtype)
    diagonal(result, offset, dim1, dim2)[...] = grad
    return result


def unfold(a: Array, dimension: int, size: int, step: int) -> Array:
    d = wrap_dim(dimension, a.ndim)
    extent, stride = (a.shape[d], a.strides[d]) if a.ndim else (1, a.itemsize)
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > extent:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {extent} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not a.ndim:
        return strided(a, (size,), (stride,))
    windows = (extent - size) // step + 1
    shape = (*a.shape[:d], windows, *a.shape[d + 1 :], size)
    return strided(a, shape, (*a.strides[:d], stride * step, *a.strides[d + 1 :], stride))


def unfold_backward(grad: Array, shape: tuple, dimension: int, size: int, step: int) -> Array:
    """The gradients of all windows added up where they were read from: one strided addition per place in a window."""
    if not shape:
        return grad.reshape(()).copy() if grad.size else np.zeros((), grad.dtype)
    result = np.zeros(shape, grad.dtype)
    d = wrap_dim(dimension, len(shape))
    windows = grad.shape[d]
    for i in range(size):
        result[(slice(None),) * d + (slice(i, i + (windows - 1) * step + 1, step),)] += grad[..., i]
    return result


def view_dtype(a: Array, dtype: np.dtype) -> Array:
    """The same bytes read as another dtype; the last dimension grows or shrinks with the size of an element."""
    old, new = a.itemsize, dtype.itemsize
    if old == new:
        return a.view(dtype)
    names = f"{scalar_name(a)} as {FROM_NUMPY[dtype].type_name} (different element sizes)"
    if not a.ndim:
        raise RuntimeError(f"self.dim() cannot be 0 to view {names}")
    times = new // old
    if times:
        if a.shape[-1] % times:
            raise RuntimeError(
                f"self.size(-1) must be divisible by {times} to view {names}, but got {a.shape[-1]}"
            )
        root = owner(a)
        offset = (address(a) - address(root)) // old
        if offset % times:
            raise RuntimeError(
                f"self.storage_offset() must be divisible by {times} to view {names}, but got {offset}"
            )
    if not a.size:
        return np.empty((*a.shape[:-1], a.shape[-1] * old // new), dtype)
    if a.strides[-1] != old:
        raise RuntimeError(f"self.stride(-1) must be 1 to view {names}, but got {a.strides[-1] // old}")
    for d, stride in enumerate(a.strides[:-1]):
        if stride % new:
            raise RuntimeError(
                f"self.stride({d}) must be divisible by {times} to view {names}, but got {stride // old}"
            )
    return a.view(dtype)


def as_strided(a: Array, size: tuple, stride: tuple, storage_offset: int | None = None) -> Array:
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any([s < 0 for s in stride]):
        raise RuntimeError(
            f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}"
        )
    if storage_offset is not None and storage_offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {storage_offset}")
    if min(size, default=0) < 0:
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}"
        )
    root, item = owner(a), a.itemsize
    present = (address(a) - address(root)) // item
    start = present if storage_offset is None else storage_offset
    check_storage(size, stride, start, item, root.nbytes)
    return strided(a, size, tuple([s * item for s in stride]), (start - present) * item)


def check_storage(size: tuple, stride: tuple, offset: int, item: int, nbytes: int) -> None:
    """Raise PyTorch's error if a geometry (in elements of `item` bytes) lies outside of a storage of `nbytes`."""
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    needed = reach((size, stride, offset))[1] * item
    if 0 not in size and needed > nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {item} requiring a storage size "
            f"of {needed} are out of bounds for storage of size {nbytes}"
        )


# Geometry within a storage: what CopySlices and regenerated views are made of. A geometry is (shape, strides, offset) in elements.


def reach(geometry: tuple) -> tuple[int, int]:
    """The first element of the storage that a geometry covers, and the one after its last."""
    shape, strides, offset = geometry
    if 0 in shape:
        return offset, offset
    return offset, offset + 1 + sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)])


def _laid_out(a: Array, base: tuple, part: tuple) -> tuple[Array, Array, Array]:
    """A piece of storage that both geometries fit into, and the arrays over it; that of the base holds `a` (elements on one place add
    up), the rest is zero."""
    (start, end), (part_start, part_end) = reach(base), reach(part)
    start = min(start, part_start)
    flat = np.zeros(max(end, part_end) - start, a.dtype)
    laid = _placed(flat, base, start)
    if is_dense_or_gapped(base):
        laid[...] = a
    else:
        np.add.at(flat, _placed(np.arange(flat.size), base, start).reshape(-1), a.reshape(-1))
    return flat, laid, _placed(flat, part, start)


def _placed(flat: Array, geometry: tuple, start: int) -> Array:
    shape, strides, offset = geometry
    if 0 in shape:
        return np.empty(shape, flat.dtype)
    item = flat.itemsize
    return over(flat, shape, flat.dtype, (offset - start) * item, tuple([s * item for s in strides]))


def extract_strided(a: Array, base: tuple, part: tuple) -> Array:
    """From an array shaped like the base: the elements that are where `part` is."""
    return _laid_out(np.asarray(a), base, part)[2].copy()


def embed_strided(a: Array, base: tuple, part: tuple) -> Array:
    """The other way: zeros shaped like the base, with `a` where `part` is; elements that are the same memory add up."""
    a = np.asarray(a)
    flat, laid, target = _laid_out(np.zeros(base[0], a.dtype), base, part)
    if is_dense_or_gapped(part):
        target[...] = a
    else:
        numbers = _placed(np.arange(flat.size), part, min(reach(base)[0], reach(part)[0]))
        np.add.at(flat, numbers.reshape(-1), a.reshape(-1))
    return laid


def is_dense_or_gapped(part: tuple) -> bool:
    """Whether no two elements of a geometry are the same memory (sufficient, not necessary)."""
    reach = 0
    for stride, extent in sorted((s, n) for s, n in zip(part[1], part[0], strict=True) if n > 1):
        if stride <= reach:
            return False
        reach += (extent - 1) * stride
    return True


def clear_strided(a: Array, base: tuple, part: tuple) -> Array:
    """A copy of an array shaped like the base with zeros where `part` is."""
    _, laid, target = _laid_out(np.asarray(a), base, part)
    target[...] = 0
    return laid
