"""Reading and writing by index: `x[...]`."""

from __future__ import annotations

import cmath
import operator
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.dispatch import composite, fast, op
from jgrad.dispatch.batched import Batched
from jgrad.dispatch.options import INTERNAL
from jgrad.dtypes import REAL
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.view import assert_no_overlap, bump, check_inference, check_inplace
from jgrad.kernels import libraries, sparse
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.kernels.numpy.subscript import MASKS, check_mask, shape_of_index
from jgrad.ops.by_name import alias, select, unsqueeze
from jgrad.ops.creation import zeros_of
from jgrad.ops.factories import scalar_array
from jgrad.ops.from_data import tensor
from jgrad.tensor import Size, Tensor, wrap

# ----- Index arrays and masks -----


@op("index(Tensor self, Tensor?[] indices) -> Tensor", **INTERNAL, gradient_writes=1)
class index:
    """The elements that index tensors name; None stands for a whole dimension."""

    self = lambda grad, self_shape, indices: index_backward(grad, self_shape, indices)


@op(
    "index_backward(Tensor grad, any shape, Tensor?[] indices) -> Tensor",
    node="IndexPutImplBackward0",
    **INTERNAL,
)
class index_backward:
    """Zeros with the gradients added where they were read from."""

    grad = lambda grad, indices: index(grad, indices)


@op(
    "_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    kernel="index_put",
    node="IndexPutBackward0",
    forms="inplace",
    checks_overlap=False,
)
class _index_put:
    """A copy of self with values where the indices point."""

    self = lambda grad, indices, accumulate: index_clear(grad, indices, accumulate)
    values = lambda grad, indices: index(grad, indices)


def index_clear(grad: Tensor, indices: tuple, accumulate: bool) -> Tensor:
    """The gradient for what index_put overwrote: none."""
    return grad if accumulate else _index_put(grad, indices, zeros_of(grad, ()))


@composite("index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor")
def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy of the tensor with other values at the places that index tensors name: as `x[indices] = values`, but `x` stays as it is."""
    _check_tensors(indices, 1)
    _check_put(input, indices, values)
    return _index_put(input, indices, values, accumulate)


@composite("index_put_(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor")
def index_put_(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Writes values to the places that index tensors name, in place: as `x[indices] = values`."""
    _check_tensors(indices, 1)
    return _put(input, indices, values, accumulate)


def _check_tensors(indices: Any, position: int) -> None:
    """Refuse anything but tensors in a list of them, and an empty list (of which PyTorch reports internal errors)."""
    if not indices:
        raise RuntimeError("index_put(): at least one index is needed")
    for i, item in enumerate(indices):
        if not isinstance(item, Tensor):
            raise TypeError(
                f"expected Tensor as element {i} in argument {position}, but got {class_name(item)}"
            )


# ----- x[...] -----


def _sequence(item: Any) -> Tensor:
    """A list, range or array as an index tensor: a mask, or whole numbers."""
    if isinstance(item, np.ndarray):
        return wrap(item if item.dtype in MASKS else item.astype(np.int64))
    if isinstance(item, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{class_name(item)}'")

    made = tensor([x.tolist() if isinstance(x, (Tensor, np.ndarray)) else x for x in item])
    with libraries.device_guard((made,)):
        return made if made._a.dtype == np.bool_ else wrap(made._a.astype(np.int64))


def _is_sequence(item: Any) -> bool:
    return isinstance(item, (list, tuple, range, str, bytes, Size)) or (
        hasattr(item, "__getitem__") and hasattr(item, "__len__") and not isinstance(item, dict)
    )


def _as_tuple(key: Any) -> tuple:
    """What stands between the brackets as a tuple. Short lists that hold more than numbers count as tuples, as they once did in NumPy."""
    if isinstance(key, tuple):
        return key
    if not isinstance(key, (Tensor, np.ndarray)) and _is_sequence(key) and len(key) < 32:
        for item in key:
            if (
                item is None
                or item is Ellipsis
                or isinstance(item, (Tensor, slice, np.ndarray))
                or _is_sequence(item)
            ):
                warn.say(
                    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
                    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will "
                    "result either in an error or a different result",
                )
                return tuple(key)
    return (key,)


def _through_views(input: Tensor, items: tuple) -> tuple[Tensor, list[Any]]:
    """Apply what an index says with views (integers, slices, None, Ellipsis); what is left are index tensors, None for a whole dimension."""
    __tracebackhide__ = True
    ndim = input._a.ndim
    taken = 0
    for item in items:
        if isinstance(item, Tensor) and item._a.dtype in MASKS:
            taken += item._a.ndim
        elif not (item is None or item is Ellipsis or item is True or item is False):
            taken += 1
    if taken > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    result = input
    dim = 0
    indices: list[Any] = []

    covered = 0  # dimensions that `indices` speaks of: a mask takes as many as it has

    def put(index: Tensor) -> int:
        nonlocal covered
        indices.extend([None] * (dim - covered))
        indices.append(index)
        covered = dim + (index._a.ndim if index._a.dtype in MASKS else 1)
        return covered

    for position, item in enumerate(items):
        if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
            result = _select(result, dim, int(item), position)
            continue
        if isinstance(item, slice):
            result = _slice(result, dim, item)
            dim += 1
            continue
        if item is Ellipsis:
            dim += ndim - taken
            continue
        if item is None:
            result = unsqueeze(result, dim)
            dim += 1
            continue
        if isinstance(item, bool):
            result = unsqueeze(result, dim)
            dim = put(_truth(item))
            continue
        if not isinstance(item, Tensor):
            if isinstance(item, np.ndarray) or _is_sequence(item):
                item = _sequence(item)
            elif (number := _whole_number(item)) is not None:
                result = _select(result, dim, number, position)
                continue
            else:
                shown = class_name(item)
                raise IndexError(
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                    f"(got {shown})"
                )
        if item._a.ndim == 0 and item._a.dtype.kind in "iub" and not isinstance(item, Batched):
            if item._a.dtype not in MASKS:
                result = _select(result, dim, item._a.item(), position)
                continue
            result = unsqueeze(result, dim)
            item = _truth(bool(item._a.item()))
        dim = put(item)
    return result, indices


def _whole_number(item: Any) -> int | None:
    """The index that a Python object stands for, None if it is no index. NumPy's bools were indices, with a warning, up to NumPy 2.1."""
    try:
        return operator.index(item)
    except TypeError:
        return None


def _truth(value: bool) -> Tensor:
    """True takes the one element of a new dimension, False none."""
    return wrap(np.zeros(1 if value else 0, np.int64))


def _select(a: Tensor, dim: int, i: int, position: int) -> Tensor:
    if a._a.ndim == 0 and i == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a "
            "number"
        )
    if not -(2**63) <= i < 2**63:
        raise ValueError("Overflow when unpacking long long")
    n = a._a.shape[wrap_dim(dim, a._a.ndim)] if a._a.ndim else 0
    if not -n <= i < n:
        raise IndexError(f"index {i} is out of bounds for dimension {position} with size {n}")
    return select(a, dim, i)


def _bounds(s: slice, n: int) -> tuple[int, int, int]:
    """Where a slice of a dimension begins and ends, and its step."""
    start, end, step = s.indices(n)
    if step <= 0:
        raise ValueError("step must be greater than zero")
    return start, max(end, start), step


def _slice(a: Tensor, dim: int, s: slice) -> Tensor:
    n = a._a.shape[wrap_dim(dim, a._a.ndim)]
    start, end, step = _bounds(s, n)
    if step == 1 and end == n and (s.start is None or s.start == 0) and (s.stop is None or s.stop >= 0):
        return a
    return Tensor._slice(a, dim, start, end, step)  # type: ignore[attr-defined]


def _is_plain_write(self: Tensor, key: Any, value: Any) -> bool:
    """Whether `self[key] = value` is just that: a number into a place of a float tensor, and nothing to record."""
    a = self._a
    if (
        (value.__class__ is not float and value.__class__ is not int)
        or a.dtype.kind not in REAL
        or a.ndim == 0
        or 0 in a.strides
        or isinstance(self, Batched)
    ):
        return False
    if self.requires_grad and grad_mode.mode.enabled:
        return False
    if not -9e18 < value < 9e18:  # may not fit
        return False
    if key.__class__ is int:
        return -a.shape[0] <= key < a.shape[0]
    if key.__class__ is tuple:
        if not 0 < len(key) <= a.ndim:
            return False
        for i, n in zip(key, a.shape, strict=False):
            if not (-n <= i < n if i.__class__ is int else i.__class__ is slice and _steps_forward(i)):
                return False
        return True
    return key.__class__ is slice and _steps_forward(key)


def _steps_forward(s: slice) -> bool:
    return s.step is None or (s.step.__class__ is int and s.step > 0)


def _is_plain_read(self: Tensor, key: tuple) -> bool:
    """Whether a tuple holds nothing but integers and slices."""
    return 0 < len(key) <= self._a.ndim and all([i.__class__ is int or i.__class__ is slice for i in key])


def _getitem(self: Tensor, key: Any) -> Tensor:
    __tracebackhide__ = True
    shape = self._a.shape
    if key.__class__ is int and shape and -shape[0] <= key < shape[0]:
        return Tensor.select(self, 0, key)  # type: ignore[attr-defined]
    if key.__class__ is slice:
        start, end, step = key.indices(shape[0] if shape else 1)
        if step <= 0 or not shape:
            _bounds_of_first(self, key)  # which says what is wrong
        return Tensor._slice(self, 0, start, end if end > start else start, step)  # type: ignore[attr-defined]
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        return _select(self, 0, int(key), 0)
    if key is None:
        return Tensor.unsqueeze(self, 0)  # type: ignore[attr-defined]
    if key.__class__ is tuple and _is_plain_read(self, key):
        result, dim = self, 0
        for position, i in enumerate(key):
            if i.__class__ is int:
                n = result._a.shape[dim]
                if not -n <= i < n:
                    raise IndexError(f"index {i} is out of bounds for dimension {position} with size {n}")
                result = Tensor.select(result, dim, i)  # type: ignore[attr-defined]
            else:
                result = _slice(result, dim, i)
                dim += 1
        return alias(self) if result is self else result
    if key.__class__ is Tensor and key._a.ndim and key._a.dtype == np.int64 and self._a.ndim:
        return index.op.overloads[0].run([self, (key,)])
    result, indices = _through_views(self, _as_tuple(key))
    if indices:
        return index.op.overloads[0].run([result, tuple(indices)])
    return alias(self) if result is self else result


def _bounds_of_first(a: Tensor, s: slice) -> tuple[int, int, int]:
    bounds = _bounds(s, a._a.shape[0] if a._a.ndim else 1)
    if not a._a.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    return bounds


def _check_put(target: Tensor, indices: Any, value: Tensor) -> None:
    """Refuse index tensors and values that don't fit, in PyTorch's order."""
    __tracebackhide__ = True
    given: list[Any] = [target._a, tuple([None if i is None else i._a for i in indices])]
    kernels = (libraries.result_library(given) if libraries.several else libraries.NUMPY).kernels
    expanded = kernels.expanded_indices(*given)
    place = shape_of_index(target._a.shape, expanded)
    shape = value._a.shape
    if len(shape) > len(place) or any(
        [s not in (1, p) for s, p in zip(reversed(shape), reversed(place), strict=False)]
    ):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(shape)} cannot be broadcast to indexing result of shape {list(place)}"
        )
    if value._a.dtype != target._a.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {target.dtype.type_name} for the destination and "
            f"{value.dtype.type_name} for the source."
        )
    kernels.check_bounds(target._a, expanded)


def _put(target: Tensor, indices: Any, value: Tensor, accumulate: bool = False) -> Tensor:
    """Write to where index tensors point, after PyTorch's checks in PyTorch's order."""
    __tracebackhide__ = True
    with libraries.device_guard((target,)):
        return _put_here(target, indices, value, accumulate)


def _put_here(target: Tensor, indices: Any, value: Tensor, accumulate: bool) -> Tensor:
    check_inplace(target, grad_mode.mode.enabled and (target.requires_grad or value.requires_grad))
    for t in (value, *indices):
        if t is value or (t is not None and t._a.dtype not in MASKS):
            assert_no_overlap(target._a, t._a, same_is_fine=False)
    array = target._a
    if array.size and any([s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)]):
        warn.say(
            "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
            "applies to advanced indexing e.g. tensor[indices] = tensor",
        )
    mask = _only_mask(target, indices) if value._a.size == 1 and not accumulate else None
    if mask is None:
        _check_put(target, indices, value)
    else:  # one value for all that a mask names, which PyTorch takes a shorter way for
        if mask._a.dtype == np.uint8:
            raise RuntimeError(
                "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char"
            )
        if array.size and any([s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)]):
            warn.say(
                "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This "
                "also applies to advanced indexing e.g. tensor[mask] = scalar",
            )
        if value._a.dtype != array.dtype or value._a.ndim:
            value = value.reshape(()).to(target.dtype)
    return Tensor._index_put_(target, tuple(indices), value, accumulate)


def _only_mask(target: Tensor, indices: Any) -> Tensor | None:
    """The mask if there is nothing else among the indices."""
    found = None
    for dims, i in enumerate(indices):
        if i is not None and (i._a.dtype not in MASKS or found is not None):
            return None
        if i is not None:
            found = i
            check_mask(target._a, i._a, dims)
    return found


def _without_leading_ones(shape: tuple) -> tuple:
    """A shape without the dimensions of size 1 in front."""
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape


def _number_to_write(target: Tensor, value: Any) -> Tensor:
    """A Python number in the dtype of what it is written to."""
    if not isinstance(value, (int, float, complex, np.integer)) or isinstance(value, np.complex64):
        shown = class_name(value)
        raise TypeError(f"can't assign a {shown} to a torch.{target.dtype.type_name}Tensor")
    dtype = target._a.dtype
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    if dtype.kind == "b":
        return wrap(libraries.moved(np.asarray(bool(value)), target.device))
    if (
        dtype in (np.float32, np.complex64)
        and cmath.isfinite(value)
        and abs(value) > np.finfo(np.float32).max
    ):
        kind = "float" if dtype.kind in REAL else "c10::complex<float>"
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    if dtype == np.float16 and isinstance(value, complex) and value.imag:
        raise RuntimeError("value cannot be converted to type double without overflow")
    return wrap(libraries.moved(scalar_array(value, dtype), target.device))


def _setitem(self: Tensor, key: Any, value: Any) -> None:
    __tracebackhide__ = True
    if fast.ENABLED and not (fast.WATCHING or libraries.many) and _is_plain_write(self, key, value):
        check_inference(self)
        self._a[key] = value
        bump(self)
        return
    if sparse.in_use and sparse.is_sparse(self._a):
        raise TypeError("Cannot assign to a sparse tensor")
    if not isinstance(value, Tensor):
        value = _number_to_write(self, value)
        value.wrapped_number = True  # PyTorch's name for a tensor that is nobody's; recorders leave it out
    if key is False:
        return  # it names no element
    indices: list[Any] = []
    if key is True:
        target = unsqueeze(self, 0)
    elif key.__class__ is slice:
        _bounds_of_first(self, key)
        target = _slice(self, 0, key)
    elif isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        target = _select(self, 0, int(key), 0)
    else:
        target, indices = _through_views(self, _as_tuple(key))
    if indices:
        shape = _without_leading_ones(value._a.shape)
        _put(target, indices, value if shape == value._a.shape else value.view(shape))
        return
    shape = value._a.shape
    if shape == target._a.shape:
        target.copy_(value)
    elif not shape and value._a.dtype.kind != "c":
        target.fill_(value)
    else:
        source = value.view(_without_leading_ones(shape))
        target.copy_(source if source._a.shape == target._a.shape else source.expand(target._a.shape))


def _delitem(self: Tensor, key: Any) -> None:
    raise TypeError("Tensor does not support deleting items")


Tensor.__delitem__ = _delitem  # type: ignore[attr-defined]
Tensor.__getitem__ = _getitem  # type: ignore[attr-defined]
Tensor.__setitem__ = _setitem  # type: ignore[attr-defined]
