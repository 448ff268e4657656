"""The kernels on NumPy arrays.

Each kernel takes the arguments of the operation of the same name, raw arrays in place of tensors. Derivative formulas run on these names
too, so a kernel must not mutate its arguments (those whose name ends in an underscore write to their first one and nothing else).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray

# Pointwise --------------------------------------------------------------------------------------------------------------------

mul = np.multiply
div = np.true_divide
exp = np.exp
log = np.log
sin = np.sin
cos = np.cos
tanh = np.tanh
sqrt = np.sqrt
abs = absolute = np.abs
sgn = sign = np.sign
eq, ne, lt, le, gt, ge = np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal
logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not
bitwise_and, bitwise_or, bitwise_xor, bitwise_not = np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.bitwise_not
isnan, isfinite, isinf = np.isnan, np.isfinite, np.isinf
maximum, minimum = np.maximum, np.minimum
floor, ceil, trunc = np.floor, np.ceil, np.trunc
reciprocal = np.reciprocal


def conj(a: Array) -> Array:
    return np.conjugate(a) if a.dtype.kind == "c" else a


def add(a: Array, b: Array, alpha: Any = 1) -> Array:
    return np.add(a, b) if alpha == 1 else np.add(a, b * np.asarray(alpha, a.dtype))


def sub(a: Array, b: Array, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    return np.subtract(a, b) if alpha == 1 else np.subtract(a, b * np.asarray(alpha, a.dtype))


def rsub(a: Array, other: Any, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    return np.subtract(other, a) if alpha == 1 else np.subtract(other, a * np.asarray(alpha, a.dtype))


def neg(a: Array) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    return np.negative(a)


def pow(base: Any, exponent: Any) -> Array:
    if isinstance(exponent, int) and not isinstance(exponent, bool) and isinstance(base, np.ndarray):
        # x**3 by NumPy costs thirty multiplications.
        if exponent == 2:
            return np.square(base)
        if exponent == 3:
            return base * base * base
    if isinstance(base, np.ndarray) and base.dtype.kind == "b":
        base = base.astype(np.int64)
    return np.power(base, exponent)


def sigmoid(a: Array) -> Array:
    r = np.negative(a, out=np.empty(a.shape, a.dtype))
    np.exp(r, out=r)
    r += 1
    return np.reciprocal(r, out=r)


def relu(a: Array) -> Array:
    return np.maximum(a, np.asarray(0, a.dtype))


def remainder(a: Any, b: Any) -> Array:
    """The rest with the sign of the divisor, as Python's %."""
    if np.asarray(b).dtype.kind in "iu" and not np.all(b):
        raise RuntimeError("ZeroDivisionError")
    return np.remainder(a, b)


def floor_divide(a: Any, b: Any) -> Array:
    if np.asarray(b).dtype.kind in "iub" and not np.all(b):
        raise RuntimeError("ZeroDivisionError")
    return np.floor_divide(a, b)


def where(condition: Array, a: Any, b: Any) -> Array:
    return np.where(condition, a, b)


def masked_fill(a: Array, mask: Array, value: Any) -> Array:
    return np.where(mask, np.asarray(value, a.dtype), a)


def zeros_like(a: Array) -> Array:
    return np.zeros(a.shape, a.dtype)


def to_dtype(a: Array, dtype: np.dtype) -> Array:
    return a if a.dtype == dtype else a.astype(dtype, order="K")


def clone(a: Array, memory_format: Any = None) -> Array:
    """A copy; strides are kept where the elements are dense, as PyTorch's preserve_format does."""
    if a.flags.c_contiguous or (memory_format is not None and str(memory_format).endswith("contiguous_format")):
        return np.array(a, order="C")
    return like(a, a)


def like(a: Array, values: Any) -> Array:
    """A new array with the shape, dtype and (if dense) order of strides of `a`, filled with `values`."""
    r = empty_like(a)
    r[...] = values
    return r


def empty_like(a: Array, dtype: np.dtype | None = None) -> Array:
    """Uninitialised, dense, with the order of strides of `a`. Dimensions of size 1 and expanded ones are placed as PyTorch does."""
    dtype = a.dtype if dtype is None else dtype
    item = a.itemsize
    strides = tuple([s // item for s in a.strides])
    if is_dense(a.shape, strides):
        return empty_strided(a.shape, strides, dtype)
    order = stride_order(a.shape, strides)
    result = [0] * a.ndim
    step = 1
    for dim in order:
        result[dim] = step
        step *= max(a.shape[dim], 1)
    return empty_strided(a.shape, tuple(result), dtype)


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


def stride_order(shape: tuple, strides: tuple) -> list[int]:
    """Dimensions from the innermost outwards, by PyTorch's rule: insertion sort that leaves expanded dimensions (stride 0) in place."""
    order = list(range(len(shape)))[::-1]

    def should_swap(a: int, b: int) -> int:
        sa, sb = strides[a], strides[b]
        if sa == 0 or sb == 0:
            return 0
        if sa != sb:
            return -1 if sa < sb else 1
        return 1 if shape[a] > shape[b] else 0

    for i in range(1, len(order)):
        later = i
        for earlier in range(i - 1, -1, -1):
            comparison = should_swap(order[earlier], order[later])
            if comparison > 0:
                order[earlier], order[later] = order[later], order[earlier]
                later = earlier
            elif comparison < 0:
                break
    return order


def empty_strided(shape: tuple, strides: tuple, dtype: np.dtype) -> Array:
    """Uninitialised, with these strides in elements."""
    if 0 in shape:
        return np.empty(shape, dtype)
    span = 1 + sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)])
    item = dtype.itemsize
    return np.ndarray(shape, dtype, np.empty(span, dtype), 0, tuple([s * item for s in strides]))


def resized(a: Array, shape: tuple) -> Array:
    """An array of another shape, on the same memory if it is large enough."""
    owner = a if a.base is None else a.base
    needed = int(np.prod(shape, dtype=np.int64)) * a.itemsize
    if isinstance(owner, np.ndarray) and owner.nbytes >= needed and owner is a:
        return np.ndarray(shape, a.dtype, owner)
    return np.empty(shape, a.dtype)


# Reductions -------------------------------------------------------------------------------------------------------------------


def sum(a: Array, *arguments: Any) -> Array:
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    if dtype is None and a.dtype.kind in "iub":
        dtype = np.dtype(np.int64)
    if dtype is not None and a.dtype != dtype:
        a = a.astype(dtype)
    dims = dims_of(dim, a.ndim)
    if a.dtype == np.float16:  # summed in float32, as PyTorch does
        return np.add.reduce(a, dims, dtype=np.float32, keepdims=keepdim).astype(np.float16)
    return np.add.reduce(a, dims, keepdims=keepdim)


def mean(a: Array, *arguments: Any) -> Array:
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    if dtype is not None:
        a = a.astype(dtype)
    if a.dtype.kind not in "fc":
        from jgrad.dtypes import FROM_NUMPY

        given = FROM_NUMPY[a.dtype].type_name
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {given}"
        )
    dims = dims_of(dim, a.ndim)
    total = np.add.reduce(a, dims, dtype=np.float32 if a.dtype == np.float16 else None, keepdims=keepdim)
    return np.asarray(np.true_divide(total, count_of(a.shape, dim))).astype(a.dtype, copy=False)


def dims_of(dim: tuple | None, ndim: int) -> tuple | None:
    """Dimensions as NumPy takes them: None for all; PyTorch also reads an empty tuple as all."""
    if dim is None or dim == () or ndim == 0:
        check_dims(dim, ndim)
        return None
    return check_dims(dim, ndim)


def check_dims(dim: tuple | None, ndim: int) -> tuple | None:
    from jgrad.tensor import wrap_dim

    if dim is None:
        return None
    wrapped = tuple([wrap_dim(d, ndim) for d in dim])
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def count_of(shape: tuple, dim: tuple | None) -> int:
    """How many elements a reduction over `dim` joins."""
    dims = range(len(shape)) if dim is None or dim == () else [d % (len(shape) or 1) for d in dim]
    n = 1
    for d in dims:
        if shape:
            n *= shape[d]
    return n


def all(a: Array) -> Array:
    return np.all(a)


def any(a: Array) -> Array:
    return np.any(a)


def sum_to_size(a: Array, shape: tuple) -> Array:
    """Sum over the dimensions that broadcasting added or stretched."""
    added = a.ndim - len(shape)
    dims = tuple(range(added)) + tuple([i + added for i, n in enumerate(shape) if n == 1 and a.shape[i + added] != 1])
    return np.add.reduce(a, dims, keepdims=True).reshape(shape)


# Shape: the results are views wherever NumPy can make one ---------------------------------------------------------------------


def expand(a: Any, size: tuple) -> Array:
    a = np.asarray(a)
    added = len(size) - a.ndim
    if added < 0:
        raise RuntimeError(
            f"expand(torch.{type_name(a)}{{{list(a.shape)}}}, size={list(size)}): the number of sizes provided ({len(size)}) must be "
            f"greater or equal to the number of dimensions in the tensor ({a.ndim})"
        )
    shape, strides = [], []
    for i, n in enumerate(size):
        extent = a.shape[i - added] if i >= added else 1
        if n == -1:
            if i < added:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {i}"
                )
            n = extent
        if i >= added and extent != 1 and n != extent:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({extent}) at non-singleton dimension {i}.  "
                f"Target sizes: {list(size)}.  Tensor sizes: {list(a.shape)}"
            )
        shape.append(n)
        if i < added:
            # A new leading dimension steps over everything behind it, unless it is stretched.
            strides.append(0 if n != 1 else None)
        else:
            strides.append(a.strides[i - added] if extent == n else 0)
    for i in range(len(strides) - 1, -1, -1):
        if strides[i] is None:
            strides[i] = shape[i + 1] * strides[i + 1] if i + 1 < len(shape) else a.itemsize
    return strided(a, tuple(shape), tuple(strides))


def type_name(a: Array) -> str:
    from jgrad.dtypes import FROM_NUMPY

    return FROM_NUMPY[a.dtype].type_name + "Tensor"


def strided(a: Array, shape: tuple, byte_strides: tuple, byte_offset: int = 0) -> Array:
    """A view of the memory behind `a`'s first element. (NumPy's as_strided does the same ten times slower.)"""
    if 0 in shape:
        return np.ndarray(shape, a.dtype, np.empty(0, a.dtype), 0, byte_strides) if not a.size else a[:0].reshape(-1)[:0].reshape(shape)
    root = a if a.base is None else a.base
    if isinstance(root, np.ndarray):
        start = a.__array_interface__["data"][0] - root.__array_interface__["data"][0] + byte_offset
        flat = root if root.flags.c_contiguous else None
        if flat is not None and start >= 0:
            return np.ndarray(shape, a.dtype, flat, start, byte_strides)
    return np.lib.stride_tricks.as_strided(a, shape, byte_strides)


def infer_size(size: tuple, numel: int) -> tuple:
    """A shape with at most one -1 filled in."""
    unknown = [i for i, n in enumerate(size) if n == -1]
    if len(unknown) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for n in size:
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n}")
    known = 1
    for n in size:
        known *= n if n != -1 else 1
    if unknown:
        if known == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified dimension size -1 can be any value "
                "and is ambiguous"
            )
        if numel % known == 0:
            return tuple([numel // known if n == -1 else n for n in size])
    elif known == numel:
        return tuple(size)
    raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {numel}")


def view(a: Array, size: tuple) -> Array:
    size = infer_size(size, a.size)
    result = a.view()
    try:
        # Assigning the shape is NumPy's way to refuse a copy.
        result.shape = size
    except AttributeError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
            "subspaces). Use .reshape(...) instead."
        ) from None
    return result


def can_view(a: Array, size: tuple) -> bool:
    """Whether strides allow this shape without a copy."""
    if a.flags.c_contiguous:
        return True
    try:
        a.view().shape = size
    except AttributeError:
        return False
    return True


def reshape(a: Array, shape: tuple) -> Array:
    return a.reshape(shape)


def permute(a: Array, dims: tuple) -> Array:
    from jgrad.tensor import wrap_dim

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
    from jgrad.tensor import wrap_dim

    d0, d1 = wrap_dim(dim0, a.ndim), wrap_dim(dim1, a.ndim)
    return a.swapaxes(d0, d1) if a.ndim else a.view()


def t(a: Array) -> Array:
    if a.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {a.ndim}D")
    return a.T if a.ndim == 2 else a.view()


def unsqueeze(a: Array, dim: int) -> Array:
    from jgrad.tensor import wrap_dim

    d = wrap_dim(dim, a.ndim + 1)
    stride = a.shape[d] * a.strides[d] if d < a.ndim else a.itemsize
    return strided(a, a.shape[:d] + (1,) + a.shape[d:], a.strides[:d] + (stride,) + a.strides[d:])


def kept_shape(shape: tuple, dims: tuple) -> tuple:
    """The shape after a reduction over `dims` that keeps them with size 1."""
    removed = [d % len(shape) for d in dims]
    return tuple([1 if i in removed else n for i, n in enumerate(shape)])


def squeeze_dim(a: Array, dim: int) -> Array:
    return squeeze(a, (dim,))


def squeeze(a: Array, dim: tuple | None = None) -> Array:
    from jgrad.tensor import wrap_dim

    dims = range(a.ndim) if dim is None else [wrap_dim(d, a.ndim) for d in dim]
    kept = [i for i in range(a.ndim) if not (i in dims and a.shape[i] == 1)]
    return strided(a, tuple([a.shape[i] for i in kept]), tuple([a.strides[i] for i in kept]))


def select(a: Array, dim: int, index: int) -> Array:
    from jgrad.tensor import wrap_dim

    if a.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, a.ndim)
    n = a.shape[d]
    if not -n <= index < n:
        raise IndexError(f"index {index} is out of bounds for dimension {d} with size {n}")
    return a[(slice(None),) * d + (index, ...)]


def slice_(a: Array, dim: int, start: int | None, end: int | None, step: int) -> Array:
    return a[(slice(None),) * dim + (slice(start, end, step),)]


def select_backward(grad: Array, shape: tuple, dim: int, index: int) -> Array:
    result = np.zeros(shape, grad.dtype)
    result[(slice(None),) * (dim % len(shape)) + (index,)] = grad
    return result


def slice_backward(grad: Array, shape: tuple, dim: int, start: int | None, end: int | None, step: int) -> Array:
    result = np.zeros(shape, grad.dtype)
    result[(slice(None),) * dim + (slice(start, end, step),)] = grad
    return result


def alias(a: Array) -> Array:
    return a.view()


def split(a: Array, split_size: int, dim: int = 0) -> tuple:
    from jgrad.tensor import wrap_dim

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
    from jgrad.tensor import wrap_dim

    d = wrap_dim(dim, a.ndim)
    given = 0
    for n in split_sizes:
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
    from jgrad.tensor import wrap_dim

    if a.ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d = wrap_dim(dim, a.ndim)
    before = (slice(None),) * d
    return tuple([a[before + (i, ...)] for i in range(a.shape[d])])


def as_strided(a: Array, size: tuple, stride: tuple, storage_offset: int | None = None) -> Array:
    from jgrad.storage import offset_of, owner

    start = offset_of(a) if storage_offset is None else storage_offset
    item = a.itemsize
    root = owner(a)
    last = start
    for n, s in zip(size, stride, strict=True):
        last += (n - 1) * s
    if 0 not in size and (last + 1) * item > root.nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, and itemsize {item} requiring a storage size "
            f"of {(last + 1) * item} are out of bounds for storage of size {root.nbytes}"
        )
    return strided(a, size, tuple([s * item for s in stride]), (start - offset_of(a)) * item)


# Geometry within a storage: what CopySlices and regenerated views are made of. A geometry is (shape, strides, offset) in elements.


def _laid_out(a: Array, geometry: tuple) -> tuple[Array, Array]:
    """A copy of `a` in the strides of a geometry: the flat memory, and the array over it."""
    shape, strides, _ = geometry
    span = 1
    for n, s in zip(shape, strides, strict=True):
        span += (n - 1) * s
    flat = np.zeros(max(span, 0), a.dtype)
    laid = np.ndarray(shape, a.dtype, flat, 0, tuple([s * a.itemsize for s in strides])) if a.size else np.empty(shape, a.dtype)
    laid[...] = a
    return flat, laid


def _part(flat: Array, base: tuple, part: tuple) -> Array:
    shape, strides, offset = part
    if 0 in shape:
        return np.empty(shape, flat.dtype)
    item = flat.itemsize
    return np.ndarray(shape, flat.dtype, flat, (offset - base[2]) * item, tuple([s * item for s in strides]))


def extract_strided(a: Array, base: tuple, part: tuple) -> Array:
    """From an array shaped like the base: the elements that lie where `part` is."""
    flat, _ = _laid_out(np.asarray(a), base)
    return _part(flat, base, part).copy()


def embed_strided(a: Array, base: tuple, part: tuple) -> Array:
    """The other way: zeros shaped like the base, with `a` where `part` is; elements that are the same memory add up."""
    flat, laid = _laid_out(np.zeros(base[0], np.asarray(a).dtype), base)
    target = _part(flat, base, part)
    if 0 in [s for s, n in zip(part[1], part[0], strict=True) if n > 1] or not is_dense_or_gapped(part):
        numbers = _part(np.arange(flat.size), base, part)
        np.add.at(flat, numbers.reshape(-1), np.asarray(a).reshape(-1))
    else:
        target[...] = a
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
    flat, laid = _laid_out(np.asarray(a), base)
    _part(flat, base, part)[...] = 0
    return laid


# Joining and indexing ---------------------------------------------------------------------------------------------------------


def cat(arrays: list, dim: int = 0) -> Array:
    from jgrad.tensor import wrap_dim

    if not arrays:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, a in enumerate(arrays):
        if a.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    real = [a for a in arrays if a.shape != (0,)] or arrays[:1]
    d = wrap_dim(dim, real[0].ndim)
    for i, a in enumerate(arrays):
        if a.shape == (0,):
            continue
        if a.ndim != real[0].ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {real[0].ndim} and {a.ndim}")
        for k, (m, n) in enumerate(zip(real[0].shape, a.shape, strict=True)):
            if k != d and m != n:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {d}. Expected size {m} but got size {n} for tensor number {i} in "
                    "the list."
                )
    return np.concatenate(real, d)


def cat_parts(grad: Array, shapes: list, dim: int) -> list:
    """The gradient of cat: each tensor's part."""
    parts, start = [], 0
    d = dim % grad.ndim
    for shape in shapes:
        if shape == (0,):
            parts.append(np.zeros(shape, grad.dtype))
            continue
        parts.append(slice_(grad, d, start, start + shape[d], 1))
        start += shape[d]
    return parts


def stack(arrays: list, dim: int = 0) -> Array:
    from jgrad.tensor import wrap_dim

    if not arrays:
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, a in enumerate(arrays):
        if a.shape != arrays[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(arrays[0].shape)} at entry 0 and {list(a.shape)} at entry {i}"
            )
    return np.stack(arrays, wrap_dim(dim, arrays[0].ndim + 1))


def index(a: Array, indices: tuple) -> Array:
    """Integer-array and mask indexing; None stands for a dimension taken whole."""
    return a[_numpy_indices(indices)]


def _numpy_indices(indices: tuple) -> tuple:
    """NumPy puts the result's new dimensions in front when index arrays are separated by slices, and so does PyTorch."""
    return tuple([slice(None) if i is None else i for i in indices])


def index_put(a: Array, indices: tuple, values: Array, accumulate: bool = False) -> Array:
    return index_put_(clone(a), indices, values, accumulate)


def index_put_(a: Array, indices: tuple, values: Array, accumulate: bool = False) -> Array:
    where_ = _numpy_indices(indices)
    if accumulate:
        np.add.at(a, where_, values)
    else:
        a[where_] = values
    return a


def index_backward(grad: Array, shape: tuple, indices: tuple) -> Array:
    """Zeros with the gradients added where they were read from."""
    return index_put_(np.zeros(shape, grad.dtype), indices, grad, True)


def _along(a: Array, dim: int, index: Array) -> tuple:
    """NumPy's index tuple for 'this dimension by index, the others by position'."""
    d = dim % (a.ndim or 1)
    grids = np.ogrid[tuple([slice(n) for n in index.shape])] if index.ndim else []
    return tuple([index if k == d else grids[k] for k in range(index.ndim)])


def gather(a: Array, dim: int, index: Array) -> Array:
    return a[_along(a, dim, index)] if a.ndim else a.reshape(1)[index]


def scatter(a: Array, dim: int, index: Array, src: Any) -> Array:
    return scatter_(clone(a), dim, index, src)


def scatter_(a: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    target = a if a.ndim else a.reshape(1)
    index = index if index.ndim else index.reshape(1)
    if isinstance(src, np.ndarray):
        src = src if src.ndim else src.reshape(1)
        src = src[tuple([slice(n) for n in index.shape])]
    where_ = _along(target, dim, index)
    if reduce is None:
        target[where_] = src
    else:
        {"add": np.add, "multiply": np.multiply}[reduce].at(target, where_, src)
    return a


def scatter_add(a: Array, dim: int, index: Array, src: Array) -> Array:
    return scatter_(clone(a), dim, index, src, "add")


def scatter_add_(a: Array, dim: int, index: Array, src: Array) -> Array:
    return scatter_(a, dim, index, src, "add")


def index_select(a: Array, dim: int, index: Array) -> Array:
    from jgrad.tensor import wrap_dim

    d = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    n = a.shape[d] if a.ndim else 1
    if index.size and (index.min() < 0 or index.max() >= n):
        raise IndexError("index out of range in self")
    return np.take(a if a.ndim else a.reshape(1), index.reshape(-1), d).reshape(() if not a.ndim else a.shape[:d] + (index.size,) + a.shape[d + 1 :])


def index_add(a: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    result = clone(a)
    where_ = (slice(None),) * (dim % (a.ndim or 1)) + (index,)
    np.add.at(result, where_, scaled(source, alpha))
    return result


# Writing in place: the first argument is changed, nothing is returned that matters --------------------------------------------


def copy_(a: Array, src: Array, non_blocking: bool = False) -> Array:
    src = np.asarray(src)
    if src.dtype.kind == "c" and a.dtype.kind != "c":
        src = src.real
    np.copyto(a, src, casting="unsafe")
    return a


def fill_(a: Array, value: Any) -> Array:
    a[...] = np.asarray(value).astype(a.dtype) if not isinstance(value, np.ndarray) else value.astype(a.dtype)
    return a


def zero_(a: Array) -> Array:
    a[...] = 0
    return a


# Products ---------------------------------------------------------------------------------------------------------------------


def mm(a: Array, b: Array) -> Array:
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}")
    return np.matmul(a, b)


def bmm(a: Array, b: Array) -> Array:
    if a.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if b.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] but got: "
            f"[{b.shape[0]}, {b.shape[1]}]."
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(b)}")
    return np.matmul(a, b)


def mv(a: Array, b: Array) -> Array:
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {b.ndim}, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({b.shape[0]})")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {scalar_name(b)}, {scalar_name(a)}, and {scalar_name(b)}"
        )
    return np.matmul(a, b)


def dot(a: Array, b: Array) -> Array:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype is not b.dtype:
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {scalar_name(a)} and {scalar_name(b)}")
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the same number of elements, but got "
            f"{a.size} and {b.size} elements respectively"
        )
    return np.dot(a, b)


def outer_product(a: Array, b: Array) -> Array:
    return np.multiply.outer(a, b)


def scalar_name(a: Array) -> str:
    return type_name(a).removesuffix("Tensor")


def c_name(a: Array) -> str:
    """The dtype as C++ spells it."""
    from jgrad.dtypes import FROM_NUMPY

    name = FROM_NUMPY[a.dtype].name
    return {"float32": "float", "float64": "double", "int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char",
            "uint8": "unsigned char", "float16": "c10::Half", "complex64": "c10::complex<float>",
            "complex128": "c10::complex<double>"}.get(name, name)  # fmt: skip
