"""Tensors of data that exists already: lists, numbers, NumPy arrays, objects with a buffer."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import devices, dtypes, warn
from jgrad.devices import resolve
from jgrad.dispatch.signatures import shown_as
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.errors import class_name
from jgrad.graph import overriding
from jgrad.ops.by_name import from_dlpack, frombuffer, home_of, lent
from jgrad.ops.factories import COMMON, EMPTY, made, number_of, numpy_dtype, refuse_unknown, scalar_array
from jgrad.ops.reading import array_of, refuse_negative_strides, warn_if_read_only
from jgrad.storage import UntypedStorage, lend
from jgrad.tensor import Tensor, wrap
from jgrad.typed_storage import TypedStorage


@shown_as(lambda data, *, dtype=None, device=None, requires_grad=False, pin_memory=False: None)
def tensor(
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    data: Any = EMPTY,
) -> Tensor:
    """A new tensor with a copy of the data."""
    if len(args) > 1:
        raise TypeError(f"tensor() takes 1 positional argument but {len(args)} were given")
    if not args and data is EMPTY:
        raise TypeError('tensor() missing 1 required positional arguments: "data"')
    value = args[0] if args else data
    if pin_memory:
        _check_pinned(value)
    if isinstance(value, Tensor):
        _warn_copy_construct("torch.tensor(sourceTensor)")
    np_dtype = None if dtype is None else numpy_dtype("tensor", dtype)
    inputs = (value,) if isinstance(value, Tensor) else ()
    if isinstance(value, (TypedStorage, UntypedStorage)):
        elements = _elements_of(value, np_dtype)
        return elements.requires_grad_() if requires_grad else elements
    if value.__class__ not in _PLAIN:
        value, device = _borrowed(value, device)
    return made(
        "tensor",
        array_of(value, np_dtype),
        inputs=inputs,
        device=device,
        requires_grad=requires_grad,
        pin_memory=pin_memory,
        within=value,
    )


_PLAIN = {list, tuple, float, int, bool}  # classes of data that nobody need ask for its memory


def _elements_of(storage: Any, np_dtype: np.dtype | None) -> Tensor:
    """A tensor on the memory of a storage, as PyTorch makes it. Bytes are read as elements of the dtype that is asked for."""
    if isinstance(storage, TypedStorage):
        if np_dtype is not None and storage.dtype is not FROM_NUMPY[np_dtype]:
            raise RuntimeError(
                f"Expected a Storage of type {FROM_NUMPY[np_dtype].type_name} or an UntypedStorage, but got {storage.dtype.type_name}"
            )
        return wrap(np.empty(0, storage.dtype.numpy)).set_(storage)
    return wrap(np.empty(0, np.int64 if np_dtype is None else np_dtype)).set_(storage)


def _borrowed(data: Any, device: Any) -> tuple[Any, Any]:
    """What offers memory (by the CUDA array interface, by DLPack) as a tensor on it, which stays where it is unless there is a device to
    go to; anything else as it is."""
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        return data, device

    tensor = lent(data)
    if tensor is None:
        return data, device
    return tensor, home_of(tensor) if device is None else device


def _check_pinned(data: Any) -> None:
    """Raise PyTorch's errors for what `tensor` does not make a pinned copy of."""
    for kind, refused in {
        "a variable": isinstance(data, Tensor),
        "numpy": isinstance(data, np.ndarray),
        "__cuda_array_interface__": hasattr(data, "__cuda_array_interface__"),
    }.items():
        if refused:
            raise RuntimeError(f"Can't pin tensor constructed from {kind}")


def _warn_copy_construct(rather_than: str) -> None:
    warn.say(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {rather_than}.",
    )


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, without a copy if possible."""
    home = resolve(device)
    np_dtype = None if dtype is None else numpy_dtype("as_tensor", dtype)
    if isinstance(data, Tensor):
        # PyTorch asks no class here: the result is the tensor itself, or a usual one.
        with overriding.DisableTorchFunction():
            target = data.device if device is None else home
            return data.to(target, data.dtype if np_dtype is None else FROM_NUMPY[np_dtype])
    if isinstance(data, np.ndarray) and (np_dtype is None or np_dtype == data.dtype) and home.type == "cpu":
        return from_numpy(data)
    if isinstance(data, np.ndarray):
        warn_if_read_only(data)
    elif data.__class__ not in _PLAIN:
        data, target = _borrowed(data, device)
        if isinstance(data, Tensor):
            return data.to(target, data.dtype if np_dtype is None else FROM_NUMPY[np_dtype])
    return made("as_tensor", array_of(data, np_dtype), device=home, within=data)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """The data as a tensor, which shares the memory of the data if possible."""
    if isinstance(obj, Tensor):
        with overriding.DisableTorchFunction():
            return _asarray(obj, dtype, device, copy, requires_grad)
    return _asarray(obj, dtype, device, copy, requires_grad)


def _asarray(obj: Any, dtype: Any, device: Any, copy: bool | None, requires_grad: bool | None) -> Tensor:
    if requires_grad is None and isinstance(obj, Tensor) and obj.requires_grad:
        warn.once(
            "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False "
            "explicitly to get the old behavior and silence this warning.",
        )
        requires_grad = True
    source = obj
    if isinstance(obj, (bytes, bytearray, memoryview)):
        source = frombuffer(obj, dtype=dtype or dtypes.get_default_dtype())
    elif type(obj).__name__ == "PyCapsule":
        source = from_dlpack(obj)
    result = as_tensor(source, dtype, device)
    if copy:
        result = result.clone()
    elif (
        copy is False
        and not (isinstance(source, Tensor) and result is source)
        and not (isinstance(obj, np.ndarray) and not result.is_cuda and np.shares_memory(result._a, obj))
    ):
        if isinstance(source, (Tensor, np.ndarray)) and (kind := as_tensor(source).dtype) is not result.dtype:
            raise ValueError(
                f"can't alias tensor with dtype '{kind.type_name}' into dtype '{result.dtype.type_name}'."
            )
        if isinstance(obj, np.generic):
            raise RuntimeError(
                "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. "
            )
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if requires_grad:
        if result._a.dtype.kind not in INEXACT:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return result.requires_grad_()
    if not result.requires_grad:
        return result
    return result.requires_grad_(False) if result.is_leaf else result.detach()


def from_numpy(ndarray: np.ndarray, /) -> Tensor:
    """A tensor on the memory of a NumPy array: a change of one is a change of the other."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {class_name(ndarray)})")
    dtypes.from_numpy(ndarray.dtype)
    refuse_negative_strides(ndarray)
    warn_if_read_only(ndarray)
    array = ndarray.view(np.ndarray)
    lend(array)
    return made("from_numpy", array, device=devices.CPU)


@shown_as(lambda s: None, COMMON)
def scalar_tensor(s: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor without dimensions, that holds one number."""
    refuse_unknown("scalar_tensor", common)
    np_dtype = numpy_dtype("scalar_tensor", dtype)
    return made(
        "scalar_tensor", scalar_array(number_of("scalar_tensor", "s", s, " (position 1)"), np_dtype), **common
    )


def as_operand(value: Any) -> Tensor:
    """A Python number as the 0-d tensor that an operation sees in its place."""
    return value if isinstance(value, Tensor) else wrap(np.asarray(value, dtypes.of_number(value).numpy))


@shown_as(lambda self, data, *, dtype=None, device=None, requires_grad=False: None)
def _new_tensor(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    data: Any = EMPTY,
) -> Tensor:
    """A new tensor with a copy of the data. By default it has the dtype and the device of this tensor."""
    if len(args) > 1:
        raise TypeError(f"new_tensor() takes 1 positional argument but {len(args)} were given")
    if not args and data is EMPTY:
        raise TypeError('new_tensor() missing 1 required positional arguments: "data"')
    value = args[0] if args else data
    inputs = ()
    if isinstance(value, Tensor):
        _warn_copy_construct("tensor.new_tensor(sourceTensor)")
        inputs = (value,)
    value, _ = _borrowed(value, device)
    np_dtype = numpy_dtype("new_tensor", dtype, self.dtype)
    return made(
        "new_tensor",
        array_of(value, np_dtype),
        inputs=inputs,
        device=self.device if device is None else device,
        requires_grad=requires_grad,
        within=value,
    )


_new_tensor.__name__ = _new_tensor.__qualname__ = "new_tensor"
Tensor.new_tensor = _new_tensor  # type: ignore[attr-defined]


__all__ = ["as_tensor", "asarray", "from_numpy", "scalar_tensor", "tensor"]
