"""Copying, filling and converting tensors, and taking them out of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import cuda, dtypes, formats, observer, warn
from jgrad.devices import CPU, device, resolve
from jgrad.dispatch import composite, op
from jgrad.dispatch.batched import Batched, batched
from jgrad.dispatch.matching import call_text
from jgrad.dispatch.node_classes import look_for_detached
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.dtypes import PYTHON_TYPES, dtype
from jgrad.errors import class_name
from jgrad.graph import grad_mode, levels
from jgrad.kernels.numpy.shape import is_channels_last
from jgrad.kernels.sparse import shared
from jgrad.ops.by_name import real
from jgrad.ops.creation import ZERO
from jgrad.ops.factories import named, numpy_dtype
from jgrad.tensor import Tensor, _plain

_Device = device

# Copies -----------------------------------------------------------------------------------------------------------------------


@op("clone(Tensor self, *, memory_format? memory_format=None) -> Tensor", batches="elementwise")
class clone:
    """A copy with memory of its own; gradients flow through it."""

    self = lambda grad: grad


@op(
    "_to_copy(Tensor self, any dtype, any device=None, bool non_blocking=False, any memory_format=None) -> Tensor",
    forms="function",
    kernel="to_copy",
    node="ToCopyBackward0",
    batches="elementwise",
)
class _to_copy:
    """A copy in another dtype and, if one is given, on another device."""

    self = lambda grad, self_dtype, self_device: to_place(grad, self_dtype, self_device)


def to_dtype(a: Tensor, np_dtype: np.dtype) -> Tensor:
    """In this dtype: the tensor itself if it has it."""
    return a if a._a.dtype == np_dtype else _to_copy(a, np_dtype)


def to_place(a: Tensor, np_dtype: np.dtype, device: Any) -> Tensor:
    """In this dtype and on this device: the tensor itself if that is so. Of a complex gradient of something real, its real part."""
    if a._a.dtype.kind == "c" and np_dtype.kind != "c":
        a = real(a)
    return a if a._a.dtype == np_dtype and a.device == device else _to_copy(a, np_dtype, device)


def detach(input: Tensor) -> Tensor:
    """A tensor on the same memory, with the same version counter, outside the graph."""
    if levels.anywhere and isinstance(input, Batched):
        return batched(detach(input.value), input.bdim, input.level)
    result = _plain(shared(input._a) if input.is_sparse else input._a)
    result._vc = input._vc or input._counter
    if (watch := observer.current) is not None:
        watch.op("detach", "view", (input,), (result,), None, {})
    return result


@composite("detach_(Tensor(a!) self) -> Tensor")
def detach_(self: Tensor) -> Tensor:
    """Take this tensor out of the graph, in place: it becomes a leaf that does not require grad."""
    if self._view is not None and not grad_mode.mode.inference:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and "
            "gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these "
            "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
        )
    if grad_mode.mode.inference:
        return self
    if self._fn is not None:
        look_for_detached()
    self._fn = None
    self._nr = 0
    self._rg = False
    if self._rare is not None and self._rare.tangents:
        self._rare.tangents = {}
    if (watch := observer.current) is not None:
        watch.op("detach_", "view", (self,), (self,), None, {})
    return self


Tensor.detach = detach  # type: ignore[attr-defined]
composite("requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor", forms="method")(
    Tensor.requires_grad_
)


@op(
    "copy_(Tensor(a!) self, Tensor other, bool non_blocking=False) -> Tensor",
    forms="method",
    numbers="any",
    deprecated="copy_(Tensor self, Tensor other, bool async=False) -> Tensor",
    node="CopyBackwards",
    crosses_devices=True,
    batches="elementwise",
)
class copy_:
    """Write the elements of another tensor into this one."""

    self = ZERO
    other = lambda grad, other_dtype, other_device: to_place(grad, other_dtype, other_device)


copy_.op.overloads[0].node.name = lambda self: "torch::autograd::CopyBackwards"  # PyTorch's own name for it


@op(
    "fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor",
    forms="function method",
    node="FillBackward3",
    checks_overlap="target",
)
class fill_:
    """Write one value into every element of a tensor, in place."""

    self = ZERO
    value = lambda grad: grad.sum()


@op(
    "fill_.Scalar(Tensor(a!) self, Number value) -> Tensor",
    forms="function method",
    node="FillBackward2",
    checks_overlap=False,
)
class fill_number_:
    self = ZERO


@op("zero_(Tensor(a!) self) -> Tensor", forms="function method", checks_overlap=False, batches="elementwise")
class zero_:
    """Write 0 into every element of a tensor, in place. The gradient of the old elements is 0."""

    self = ZERO


@composite("fill_diagonal_(Tensor(a!) self, Number fill_value, bool wrap=False) -> Tensor", forms="method")
def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write one number along the diagonal of this tensor, in place."""
    shape = self._a.shape
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and any(n != shape[0] for n in shape):
        raise RuntimeError("all dimensions of input must be of equal length")
    starts = range(0, shape[0], shape[1] + 1) if wrap and len(shape) == 2 and shape[1] else (0,)
    for start in starts:
        part = self[start:] if start else self
        part.as_strided((min(part._a.shape),), (sum(part.stride()),), part.storage_offset()).fill_(fill_value)
    return self


# Conversions ------------------------------------------------------------------------------------------------------------------


@shown_as(
    lambda self, device=OMITTED, dtype=None, non_blocking=False, copy=False, *, memory_format=None, tensor=OMITTED: (
        None
    )
)
def _to(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False,
        memory_format: Any = None, tensor: Any = None, **unknown: Any) -> Tensor:  # fmt: skip
    """This tensor in another dtype or on another device. Gradients flow through the conversion."""
    if unknown:
        raise TypeError(f"to() received an invalid combination of arguments - got {call_text(args, unknown)}")
    rest = list(args)
    if rest and isinstance(rest[0], Tensor):
        tensor = rest.pop(0)
    elif rest and (isinstance(rest[0], (str, _Device)) or rest[0] is None or _names_gpu(rest[0])):
        device = rest.pop(0)
        if rest and (isinstance(rest[0], type(self.dtype)) or rest[0] in PYTHON_TYPES):
            dtype = rest.pop(0)
    elif rest and (isinstance(rest[0], type(self.dtype)) or rest[0].__class__ is type):
        dtype = rest.pop(0)
    elif rest:
        if isinstance(rest[0], int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        raise TypeError(f"to() received an invalid combination of arguments - got ({class_name(rest[0])})")
    if rest:
        non_blocking = rest.pop(0)
    if rest:
        copy = rest.pop(0)
    if tensor is not None:
        dtype, device = tensor.dtype, tensor.device
    present = self.device
    target = present if device is None else resolve(device)
    np_dtype = numpy_dtype("to", dtype, self.dtype)
    formats.check("to", memory_format)
    memory_format = None if memory_format is formats.preserve_format else memory_format
    moves = memory_format is not None and memory_format is not _suggested(self)
    if np_dtype == self._a.dtype and target == present and not copy and not moves:
        return self
    discards = self._a.dtype.kind == "c" and np_dtype.kind not in "cb" and self._a.size
    if discards and "meta" not in (present.type, target.type):
        warn.once("Casting complex values to real discards the imaginary part")
    if memory_format is not None:
        return _to_copy(
            self, np_dtype, None if target == present else target, bool(non_blocking), memory_format
        )
    if target == present:
        return _to_copy(self, np_dtype)
    return _to_copy(self, np_dtype, target, bool(non_blocking))


def _suggested(t: Tensor) -> Any:
    """The memory format that PyTorch takes strides for."""
    if not is_channels_last(t._a):
        return formats.contiguous_format
    return formats.channels_last if t._a.ndim == 4 else formats.channels_last_3d


def _names_gpu(value: Any) -> bool:
    """Whether a number stands for a GPU, as it does where there are any."""
    return value.__class__ is int and cuda.is_available()


Tensor.to = _to  # type: ignore[attr-defined]


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The older name of the dtype, or this tensor converted to a dtype."""
    if dtype is None:
        return f"torch.{'sparse.' * self.is_sparse}{'' if self.is_cpu else f'{self.device.type}.'}{self.dtype.type_name}Tensor"
    if isinstance(dtype, str):
        for known in dtypes.ALL:
            for home, place in (("", CPU), ("cuda.", "cuda")):
                if dtype == f"torch.{home}{known.type_name}Tensor":
                    return self.to(place, known, non_blocking)
        raise ValueError(f"invalid type: '{dtype}'")
    if isinstance(dtype, type):
        if dtype is Tensor:
            return self.to(CPU, dtypes.get_default_dtype(), non_blocking)
        if not hasattr(dtype, "dtype"):
            raise ValueError(f"invalid type: '{dtype.__name__}'")
        place = "cuda" if getattr(dtype, "is_cuda", False) else CPU  # FloatTensor and so on
        return self.to(place, dtype.dtype, non_blocking)
    if not isinstance(dtype, dtypes.dtype):
        raise TypeError("dtype must be a type, str, or dtype object")
    return self.to(dtype, non_blocking)


Tensor.type = _type  # type: ignore[attr-defined]


def _type_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor in the dtype and on the device of another tensor."""
    if not isinstance(other, Tensor):
        raise TypeError(f"type_as(): argument 'other' (position 1) must be Tensor, not {class_name(other)}")
    return self.to(other)


Tensor.type_as = _type_as  # type: ignore[attr-defined]


_CONVERSION = """This tensor converted to {dtype}. {note}

Args:
    memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it

Returns a new tensor, or this tensor itself if nothing changes.

>>> x = jgrad.tensor([0., 2.75]).{name}()
>>> x.dtype
jgrad.{dtype}
>>> x.tolist()
{values}
"""
# By the category of the dtype: what happens to the numbers, and those of the example afterwards.
_NOTES = {
    dtypes.BOOL: ("0 becomes False, every other number True. No gradient flows through it.", "[False, True]"),
    dtypes.INTEGER: ("Digits after the point are cut off. No gradient flows through it.", "[0, 2]"),
    dtypes.FLOATING: (
        "Of complex numbers the real part remains. Gradients flow through it.",
        "[0.0, 2.75]",
    ),
    dtypes.COMPLEX: (
        "The imaginary part of real numbers becomes 0. Gradients flow through it.",
        "[0j, (2.75+0j)]",
    ),
}


def _install_conversions() -> None:
    def install(name: str, target: dtype) -> None:
        def convert(self: Tensor, memory_format: Any = None) -> Tensor:
            return self.to(target, memory_format=memory_format)

        note, values = _NOTES[target.category]
        doc = _CONVERSION.format(dtype=target.name, name=name, note=note, values=values)
        setattr(Tensor, name, named(convert, name, doc))

    names = {**dtypes.SHORT_NAMES, "byte": dtypes.uint8, "char": dtypes.int8, "bfloat16": dtypes.bfloat16}
    for name, target in names.items():
        install(name, target)


_install_conversions()


def _cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """This tensor on the CPU."""
    return self.to(CPU, memory_format=memory_format)


def _cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """This tensor on a GPU. Without a GPU it raises an error."""
    if isinstance(device, (str, _Device)) and _Device(device).type != "cuda":
        raise RuntimeError("Invalid device, must be cuda device")
    return self.to(
        "cuda" if device is None else device, non_blocking=non_blocking, memory_format=memory_format
    )


Tensor.cpu = _cpu  # type: ignore[attr-defined]
Tensor.cuda = _cuda  # type: ignore[attr-defined]
