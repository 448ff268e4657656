"""Reading and writing by index: `x[...]`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from jgrad import fast, warn
from jgrad.autograd import grad_mode
from jgrad.autograd.view import assert_no_overlap, bump, check_inplace
from jgrad.op import composite, op
from jgrad.ops.creation import zeros
from jgrad.ops.shaping import alias, select, slice_, unsqueeze
from jgrad.tensor import Tensor, wrap

# ----- Index arrays and masks -----


@op("index(Tensor self, Tensor?[] indices) -> Tensor", forms="")
class index:
    """The elements that arrays of indices name; None takes a dimension whole."""

    self = lambda grad, self_shape, indices: index_backward(grad, self_shape, indices)


@op("index_backward(Tensor grad, any shape, Tensor?[] indices) -> Tensor", forms="")
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
    return grad if accumulate else _index_put(grad, indices, zeros((), dtype=grad.dtype))


@composite("index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor")
def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy of input with values where the tuple of index tensors points."""
    return _index_put(
        input, tuple([None if i is None else _index_tensor(i) for i in indices]), values, accumulate
    )


def _index_put_in_place(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write values where the tuple of index tensors points, or add them with `accumulate`."""
    return _put(self, [None if i is None else _index_tensor(i) for i in indices], values, accumulate)


_index_put_in_place.__name__ = "index_put_"
Tensor.index_put_ = _index_put_in_place


# ----- x[...] -----


def _index_tensor(i: Any) -> Tensor:
    """An index tensor in int64 or bool."""
    t = i if isinstance(i, Tensor) else wrap(i)
    kind = t._a.dtype
    if kind == np.int64 or kind.kind == "b":
        return t
    if kind == np.uint8:
        warnings.warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
            UserWarning,
            stacklevel=4,
        )
        return wrap(t._a.astype(bool))
    if kind.kind not in "iu":
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return wrap(t._a.astype(np.int64))


def _sequence(item: Any) -> Any:
    """A list, range or array as an index tensor."""
    if isinstance(item, (list, tuple, range)):
        from jgrad.ops.creation import tensor

        item = tensor(
            [x.tolist() if isinstance(x, Tensor) else x for x in item]
            if isinstance(item, list)
            else list(item)
        )
        return wrap(item._a.astype(np.int64)) if item._a.size == 0 else item
    return wrap(item)


def _through_views(input: Tensor, key: Any) -> tuple[Tensor, list[Any]]:
    """Apply what an index says with views (integers, slices, None, Ellipsis); what is left are index tensors, None for a whole dimension."""
    __tracebackhide__ = True
    items = key if isinstance(key, tuple) else (key,)
    taken = 0
    for item in items:
        if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
            continue
        if isinstance(item, (Tensor, np.ndarray)) and item.dtype in _MASKS:
            taken += item.ndim
        else:
            taken += 1
    if taken > input._a.ndim and not (
        isinstance(key, (int, np.integer, slice)) or (isinstance(key, Tensor) and key._a.ndim == 0)
    ):
        raise IndexError(f"too many indices for tensor of dimension {input._a.ndim}")
    result = input
    dim = 0
    indices: list[Any] = []

    def put(index: Tensor) -> None:
        while len(indices) < dim:
            indices.append(None)
        indices.append(index)

    for position, item in enumerate(items):
        if isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_)):
            result = _select(result, dim, int(item), input, position)
        elif isinstance(item, slice):
            result = _slice(result, dim, item)
            dim += 1
        elif item is Ellipsis:
            dim += input._a.ndim - taken
        elif item is None:
            result = unsqueeze(result, dim)
            dim += 1
        elif isinstance(item, (bool, np.bool_)):
            result = unsqueeze(result, dim)
            put(wrap([bool(item)]))
            dim += 1
        elif isinstance(item, (Tensor, np.ndarray, list, tuple, range)):
            if isinstance(item, Tensor) and item._a.ndim == 0 and item._a.dtype.kind in "iu":
                result = _select(result, dim, int(item._a), input, position)
                continue
            t = _index_tensor(item if isinstance(item, Tensor) else _sequence(item))
            if t._a.dtype.kind == "b" and t._a.ndim == 0:
                result = unsqueeze(result, dim)
                put(wrap(t._a.reshape(1)))
                dim += 1
                continue
            put(t)
            dim += t._a.ndim if t._a.dtype.kind == "b" else 1
        elif hasattr(item, "__index__"):
            result = _select(result, dim, item.__index__(), input, position)
        else:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(item).__name__})"
            )
    return result, indices


_MASKS: tuple = ()


def _select(a: Tensor, dim: int, i: int, whole: Tensor, position: int) -> Tensor:
    if whole._a.ndim == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a "
            "number"
        )
    if dim >= a._a.ndim:
        raise IndexError(f"too many indices for tensor of dimension {whole._a.ndim}")
    n = a._a.shape[dim]
    if not -n <= i < n:
        raise IndexError(f"index {i} is out of bounds for dimension {position} with size {n}")
    return select(a, dim, i)


def _slice(a: Tensor, dim: int, s: slice) -> Tensor:
    if dim >= a._a.ndim:
        raise IndexError(f"too many indices for tensor of dimension {a._a.ndim}")
    if s.step is not None and s.step <= 0:
        raise ValueError("step must be greater than zero")
    n = a._a.shape[dim]
    if s.start in (None, 0) and s.stop in (None, n) and s.step in (None, 1):
        return a
    start, end, step = s.indices(n)
    return slice_(a, dim, start, max(end, start), step)


def _check_indices(a: Tensor, indices: list[Any]) -> None:
    """Bounds and mask shapes, in PyTorch's words."""
    __tracebackhide__ = True
    arrays = [None if i is None else i._a for i in indices]
    d = 0
    for array in arrays:
        if array is not None and array.dtype.kind == "b":
            if d + array.ndim > a._a.ndim:
                raise IndexError(f"too many indices for tensor of dimension {a._a.ndim}")
            for k in range(array.ndim):
                if array.shape[k] != a._a.shape[d + k]:
                    raise IndexError(
                        f"The shape of the mask {list(array.shape)} at index {k} does not match the shape of the indexed tensor "
                        f"{list(a._a.shape)} at index {d + k}"
                    )
            d += array.ndim
            continue
        if d >= a._a.ndim:
            raise IndexError(f"too many indices for tensor of dimension {a._a.ndim}")
        if array is not None and array.size:
            n = a._a.shape[d]
            if n == 0:
                raise IndexError("index is out of bounds for dimension with size 0")
            bad = array[(array < -n) | (array >= n)]
            if bad.size:
                raise IndexError(f"index {bad.flat[0]} is out of bounds for dimension {d} with size {n}")
        d += 1
    shapes = [i.shape for i in arrays if i is not None and i.dtype.kind != "b"]
    shapes += [(int(i.sum()),) for i in arrays if i is not None and i.dtype.kind == "b"]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(str(list(s)) for s in shapes)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        ) from None


def _is_plain_write(self: Tensor, key: Any, value: Any) -> bool:
    """Whether `self[key] = value` is just that: a number into a place of a float tensor, and nothing to record."""
    a = self._a
    if (
        (value.__class__ is not float and value.__class__ is not int)
        or a.dtype.kind != "f"
        or a.ndim == 0
        or 0 in a.strides
    ):
        return False
    if self.requires_grad and grad_mode.mode.enabled:
        return False
    if key.__class__ is int:
        return -a.shape[0] <= key < a.shape[0]
    return key.__class__ is slice and (key.step is None or (key.step.__class__ is int and key.step > 0))


def _getitem(self: Tensor, key: Any) -> Tensor:
    __tracebackhide__ = True
    shape = self._a.shape
    if key.__class__ is int and shape and -shape[0] <= key < shape[0]:
        return Tensor.select(self, 0, key)  # type: ignore[attr-defined]
    if key.__class__ is slice:
        if not shape:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        if key.step is None or (key.step.__class__ is int and key.step > 0):
            start, end, step = key.indices(shape[0])
            return Tensor._slice(self, 0, start, max(end, start), step)  # type: ignore[attr-defined]
    result, indices = _through_views(self, key)
    if indices:
        _check_indices(result, indices)
        return index.op.overloads[0].run([result, tuple(indices)])
    return alias(self) if result is self else result


def _put(target: Tensor, indices: list[Any], value: Tensor, accumulate: bool = False) -> Tensor:
    """Write to where index tensors point, after PyTorch's checks in PyTorch's order."""
    __tracebackhide__ = True
    check_inplace(target, grad_mode.mode.enabled and (target.requires_grad or value.requires_grad))
    assert_no_overlap(target._a, value._a, same_is_fine=False)
    _check_indices(target, indices)
    if any([s == 0 and n > 1 for s, n in zip(target._a.strides, target._a.shape, strict=True)]):
        warn.once(
            "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
            "applies to advanced indexing e.g. tensor[indices] = tensor",
            stacklevel=3,
        )
        if value._a.size == 1 and [i._a.dtype.kind for i in indices if i is not None] == ["b"]:
            warn.once(
                "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This "
                "also applies to advanced indexing e.g. tensor[mask] = scalar",
                stacklevel=3,
            )
    place = np.broadcast_to(np.empty((), bool), target._a.shape)[
        tuple([slice(None) if i is None else i._a for i in indices])
    ].shape
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
    return Tensor._index_put_(target, tuple(indices), value, accumulate)


def _without_leading_ones(value: Tensor) -> Tensor:
    """A view without the dimensions of size 1 in front."""
    shape = value._a.shape
    while shape and shape[0] == 1:
        shape = shape[1:]
    return value if shape == value._a.shape else value.view(shape)


def _setitem(self: Tensor, key: Any, value: Any) -> None:
    __tracebackhide__ = True
    if fast.ENABLED and not fast.WATCHING and _is_plain_write(self, key, value):
        self._a[key] = value
        bump(self)
        return
    if not isinstance(value, Tensor):
        if not isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
            raise TypeError(f"can't assign a {type(value).__name__} to a torch.{self.dtype.type_name}Tensor")
        number = value
        value = None
    target, indices = _through_views(self, key)
    if indices:
        written = (
            wrap(np.asarray(number).astype(self._a.dtype)) if value is None else _without_leading_ones(value)
        )
        _put(target, indices, written)
        return
    if value is None:
        target.fill_(wrap(np.asarray(number)))
        return
    shape = value._a.shape
    if shape == target._a.shape:
        target.copy_(value)
    elif not shape:
        target.fill_(value)
    else:
        source = _without_leading_ones(value)
        target.copy_(source if source._a.shape == target._a.shape else source.expand(target._a.shape))


Tensor.__getitem__ = _getitem  # type: ignore[attr-defined]
Tensor.__setitem__ = _setitem  # type: ignore[attr-defined]

from jgrad.dtypes import bool_, uint8  # noqa: E402

_MASKS = (bool_, uint8, np.dtype(bool), np.dtype(np.uint8))
