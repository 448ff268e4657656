"""The older ways to make tensors: `Tensor(2, 3)`, `FloatTensor([1, 2])`, `tensor.new(...)`, `autograd.Variable`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from jgrad import cuda, dtypes, warn
from jgrad.devices import CPU, resolve
from jgrad.dispatch import composite
from jgrad.dispatch.matching import call_text
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.dtypes import FROM_NUMPY, dtype
from jgrad.errors import class_name
from jgrad.graph import overriding
from jgrad.ops.by_name import alias
from jgrad.ops.creation import empty
from jgrad.ops.factories import made
from jgrad.ops.reading import array_of, warn_if_read_only
from jgrad.storage import Storage, expose
from jgrad.tensor import Size, Tensor
from jgrad.typed_storage import TypedStorage, warn_of_removal

_NAMES = ("size", "data", "other", "storage")  # what may be given by name instead of by position


def _legacy(name: str, kind: dtype, args: tuple, named: dict[str, Any]) -> Tensor:
    """Sizes give uninitialised memory, a sequence or an array its values, a tensor or a storage an alias of it."""
    device = named.get("device")
    given = {key: value for key, value in named.items() if key != "device"}
    if given and (args or len(given) > 1 or next(iter(given)) not in _NAMES):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got {call_text(args, given)}"
        )
    size = given.pop("size", None)
    args = (*args, *given.values())
    if isinstance(given.get("data"), (Tensor, int)):
        raise TypeError(f"{name}(): data must be a sequence (got {class_name(given['data'])})")
    if device is not None and (place := resolve(device).type) != "cpu":
        raise RuntimeError(f"legacy constructor expects device type: cpu but device type: {place} was passed")
    if size is not None:
        return empty(tuple(size), dtype=kind)
    if len(args) != 1:
        return empty(args or (0,), dtype=kind)
    (given,) = args
    if isinstance(given, Tensor):
        if (found := FROM_NUMPY[given._a.dtype]) is not kind:
            raise TypeError(f"expected a tensor of dtype {kind} (got {found}): convert it with .to({kind})")
        with overriding.DisableTorchFunction():
            return alias(given)
    if isinstance(given, TypedStorage) and given.dtype is not kind:
        raise RuntimeError(
            f"Expected a Storage of type {kind.type_name} or an UntypedStorage, but got type {given.dtype.type_name} for argument 1 'storage'"
        )
    if isinstance(given, (Storage, TypedStorage)):
        return empty(0, dtype=kind).set_(given)
    if given is None or isinstance(given, (bool, float, complex, dict)):
        raise TypeError(f"{name}(): data must be a sequence (got {class_name(given)})")
    if isinstance(given, (Size, int, np.integer)):
        return empty(given, dtype=kind)
    if isinstance(given, np.ndarray):
        warn_if_read_only(given)
    return made("Tensor", array_of(given, kind.numpy))


@shown_as(lambda cls, *size, data=OMITTED, other=OMITTED, storage=OMITTED, device=None: None)
def _constructor(cls: type, *args: Any, **named: Any) -> Tensor:
    """`Tensor(2, 3)` is uninitialised, `Tensor([1, 2])` holds these values in the default dtype, `Tensor(t)` is an alias of t."""
    (other,) = args if len(args) == 1 else (named.get("other"),)
    kind = FROM_NUMPY[other._a.dtype] if isinstance(other, Tensor) else dtypes.get_default_dtype()
    return _legacy("new", kind, args, named)


@shown_as(lambda self, *size, data=OMITTED, other=OMITTED, storage=OMITTED, device=None: None)
def _new(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """An older way to make a tensor of this tensor's dtype. `new_empty`, `new_tensor` and related methods are clearer."""
    return _legacy("new", self.dtype, args, named)


class tensortype(type):
    """The class of `FloatTensor`, `LongTensor` and so on: calling one makes a tensor of its dtype, `isinstance` looks at the dtype and the
    kind of device."""

    dtype: dtype
    is_cuda: bool

    def __new__(cls, name: str, bases: tuple, body: dict[str, Any]) -> tensortype:
        if bases:
            base = f"{bases[0].__module__}.{bases[0].__name__}".replace("jgrad", "torch", 1)
            raise TypeError(f"type '{base}' is not an acceptable base type")
        return super().__new__(cls, name, bases, body)

    @shown_as(lambda cls, *size, data=OMITTED, other=OMITTED, storage=OMITTED, device=None: None)
    def __call__(cls, *args: Any, **named: Any) -> Tensor:
        cls.check_available()
        made = _legacy("new", cls.dtype, args, named)
        return made.to("cuda") if cls.is_cuda else made

    def check_available(cls) -> None:
        """There may be no GPU."""
        if cls.is_cuda and not cuda.is_available():
            raise TypeError(
                f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled."
            )

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            isinstance(instance, Tensor)
            and instance.dtype is cls.dtype
            and instance.device.type == ("cuda" if cls.is_cuda else "cpu")
        )

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def _types_in(module: str) -> dict[str, tensortype]:
    body = {"__module__": module, "is_cuda": module == "jgrad.cuda"}
    kinds = {f"{d.type_name}Tensor": d for d in dtypes.ALL if not d.is_complex}
    return {name: tensortype(name, (), {"dtype": d, **body}) for name, d in kinds.items()}


TENSOR_TYPES, CUDA_TENSOR_TYPES = _types_in("jgrad"), _types_in("jgrad.cuda")


class _VariableType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableType):
    """The older name for a tensor that can have a gradient. Tensors have been that themselves for long: use them."""

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Any:  # type: ignore[misc]
        if data is None:
            data = empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {class_name(data)}")
        with overriding.DisableTorchFunction():
            return data.detach().requires_grad_(requires_grad)


def set_default_tensor_type(t: Any, /) -> None:
    """Set the default dtype by an older name for it. Deprecated: use `jgrad.set_default_dtype`."""
    if isinstance(t, str):
        module, _, name = t.rpartition(".")
        if module not in ("torch", "jgrad", "torch.cuda", "jgrad.cuda"):
            raise ModuleNotFoundError(f"No module named '{module or t}'")
        types = CUDA_TENSOR_TYPES if module.endswith("cuda") else TENSOR_TYPES
        if name not in types:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        t = types[name]
    if not isinstance(t, tensortype):
        raise TypeError("invalid type object")
    warn.once(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
    )
    t.check_available()
    if not t.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if t.is_cuda:
        raise NotImplementedError(
            f"set_default_tensor_type: write jgrad.set_default_device('cuda') and jgrad.set_default_dtype({t.dtype}) instead"
        )
    dtypes.set_default_dtype(t.dtype)


def _storage(self: Tensor) -> TypedStorage:
    """The memory of the tensor as a flat sequence of numbers of its dtype. Deprecated: use `untyped_storage()`."""
    warn_of_removal()
    return TypedStorage.over(self.untyped_storage(), self.dtype)


def _storage_type(self: Tensor) -> str:
    """The name of the older class of storages with the tensor's dtype."""
    return f"<class 'jgrad.{self.dtype.type_name}Storage'>"


def frombuffer(
    buffer: Any, *, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A vector on the memory of an object with the buffer protocol, as a bytearray."""
    try:
        length, item = memoryview(buffer).nbytes, dtype.itemsize
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if length <= 0 or count == 0:
        raise ValueError(
            f"both buffer length ({length}) and count ({count}) must not be 0"
            if not length or not count
            else f"invalid buffer length ({length})"
        )
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) - 1"
        )
    if count < 0 and (length - offset) % item:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a multiple of element size ({item})"
        )
    if count > 0 and offset + count * item > length:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must not be greater than actual buffer "
            f"length ({length} bytes)"
        )
    array = np.frombuffer(buffer, dtype.numpy, count, offset)
    if not array.flags.writeable:
        warn.once(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the "
            "underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make "
            "it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
        )
    expose(array)
    return made("frombuffer", array, requires_grad=requires_grad, device=CPU)


def _array_wrap(self: Tensor, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
    """What NumPy's functions make of a tensor is a tensor again."""
    array = np.asarray(array)
    return made("from_numpy", array) if array.dtype in FROM_NUMPY else array


# Python functions on elements ---------------------------------------------------------------------------------


def _in_place_by(name: str, others: str, doc: str, *shown: str) -> None:
    """Declare a method. `shown`: what an error calls each of the other tensors."""

    def method(self: Tensor, *args: Any) -> Tensor:
        *others, function = args
        if self.requires_grad or any(t.requires_grad for t in others):
            raise RuntimeError(
                f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead."
            )
        if any(t.is_cuda for t in (self, *others)):
            raise TypeError(f"{name} is only implemented on CPU tensors")
        for what, t in zip(shown, others, strict=True):
            if t.dtype is not self.dtype:
                raise TypeError(
                    f"{name}: expected torch.{self.dtype.type_name}Tensor for {what} (got torch.{t.dtype.type_name}Tensor)"
                )
        arrays = [self._a, *[t.expand(self.shape)._a for t in others]]
        for place in np.ndindex(self._a.shape):
            self._a[place] = _element(function(*[a[place].item() for a in arrays]), self._a.dtype.kind)
        return self

    method.__doc__ = doc
    composite(f"{name}(Tensor(a!) self, {others}any callable) -> Tensor", forms="method")(method)


def _element(value: Any, kind: str) -> Any:
    """What a Python function returned, for an array of this kind of dtype. Text is no number."""
    if kind == "b" and isinstance(value, float):
        return bool(value)
    if kind in "iub":
        return int(value) if isinstance(value, float) else operator.index(value)
    if not (isinstance(value, complex) and kind == "c") and not hasattr(value, "__float__"):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return complex(value) if kind == "c" else float(value)


_in_place_by(
    "apply_",
    "",
    """Replace each element, in place, by the result of a Python function of it. It is slow, and only for tensors on the CPU.""",
)
_in_place_by(
    "map_",
    "Tensor other, ",
    """Replace each element, in place, by the result of a Python function of it and of the element of another tensor at the same place. It is
slow, and only for tensors on the CPU.""",
    "'other'",
)
_in_place_by(
    "map2_",
    "Tensor x, Tensor y, ",
    """Replace each element, in place, by the result of a Python function of it and of the elements of two other tensors at the same place. It
is slow, and only for tensors on the CPU.""",
    "argument 'x'",
    "argument 'y'",
)


def _install() -> None:
    for name in (
        "is_sparse_csr", "is_quantized", "is_mkldnn", "is_nested", "is_xpu", "is_mps", "is_ipu", "is_vulkan",
        "is_xla", "is_mtia", "is_maia",
    ):  # fmt: skip
        setattr(
            Tensor, name, property(lambda self: False, doc="False: tensors are dense, on the CPU or a GPU.")
        )
    methods: dict[str, Any] = {
        "new": _new, "storage": _storage, "__array_wrap__": _array_wrap,
        "storage_type": _storage_type,
        "get_device": _get_device,
        "const_data_ptr": Tensor.data_ptr,
        "is_signed": _is_signed, "is_same_size": _is_same_size,
        "is_set_to": _is_set_to, "is_nonzero": _is_nonzero, "dim_order": _dim_order,
    }  # fmt: skip
    for name, method in methods.items():
        setattr(Tensor, name, method)
    Tensor.__new__ = _constructor  # type: ignore[method-assign, assignment]


def _get_device(self: Tensor) -> int:
    """The number of the GPU on which the tensor is."""
    return self.device.index if self.is_cuda else -1


def _is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return self.dtype.is_signed


def _is_same_size(self: Tensor, other: Tensor) -> bool:
    """Whether both tensors have the same shape."""
    return self._a.shape == other._a.shape


def _is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether two tensors show the same elements of the same memory: they have the same storage, offset, shape and strides."""
    a, b = self._a, tensor._a
    same = a.shape == b.shape and a.strides == b.strides
    return (
        same and self.data_ptr() == tensor.data_ptr() and self.untyped_storage() is tensor.untyped_storage()
    )


def _is_nonzero(self: Tensor) -> bool:
    """Whether the one element of the tensor is not zero."""
    if self._a.size != 1:
        many = "more than one value" if self._a.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(self._a.item())


def _dim_order(self: Tensor) -> tuple:
    """The dimensions in the order in which they lie in memory: the one with the largest stride comes first."""
    strides = self.stride()
    return tuple(sorted(range(self._a.ndim), key=lambda d: (-strides[d], d)))


def _as_function(name: str, doc: str) -> Any:
    def function(input: Tensor, *args: Any) -> Any:
        if not isinstance(input, Tensor):
            raise TypeError(
                f"{name}(): argument 'input' (position 1) must be Tensor, not {class_name(input)}"
            )
        return getattr(input, name)(*args)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    function.__annotations__["return"] = getattr(Tensor, name).__annotations__["return"]
    same = shown_as(lambda input, other: None)
    return (same if name == "is_same_size" else shown_as(lambda input: None))(function)


_install()
is_complex = _as_function(
    "is_complex",
    """Whether the dtype of a tensor is a complex one.

Args:
    input: a tensor

Returns a bool.

>>> jgrad.is_complex(jgrad.tensor([1j]))
True
""",
)
is_floating_point = _as_function(
    "is_floating_point",
    """Whether the dtype of a tensor is a floating one. Complex dtypes are not.

Args:
    input: a tensor

Returns a bool.

>>> jgrad.is_floating_point(jgrad.tensor([1.])), jgrad.is_floating_point(jgrad.tensor([1]))
(True, False)
""",
)
is_nonzero = _as_function(
    "is_nonzero",
    """Whether the one element of a tensor is not zero.

Args:
    input: a tensor with exactly one element

Returns a bool. Raises RuntimeError if the tensor has no element, or more than one.

>>> jgrad.is_nonzero(jgrad.tensor([3.])), jgrad.is_nonzero(jgrad.tensor(0))
(True, False)
""",
)
is_same_size = _as_function(
    "is_same_size",
    """Whether two tensors have the same shape.

Args:
    input, other: two tensors; their dtypes do not matter

Returns a bool.

>>> jgrad.is_same_size(jgrad.zeros(2, 3), jgrad.zeros(3, 2))
False
""",
)
is_signed = _as_function(
    "is_signed",
    """Whether the dtype of a tensor has negative numbers.

Args:
    input: a tensor

Returns a bool. It is False for bools and for the unsigned integers.

>>> jgrad.is_signed(jgrad.tensor([1.])), jgrad.is_signed(jgrad.tensor([True]))
(True, False)
""",
)
numel = _as_function(
    "numel",
    """The number of elements of a tensor.

Args:
    input: a tensor

Returns an int.

>>> jgrad.numel(jgrad.zeros(2, 3))
6
""",
)
is_inference = _as_function(
    "is_inference",
    """Whether a tensor was made in inference mode. Autograd cannot save such a tensor for the backward pass.

Args:
    input: a tensor

Returns a bool.

>>> with jgrad.inference_mode():
...     x = jgrad.ones(2)
>>> jgrad.is_inference(x), jgrad.is_inference(jgrad.ones(2))
(True, False)
""",
)
get_device = _as_function(
    "get_device",
    """The number of the GPU on which a tensor is.

Args:
    input: a tensor

Returns an int; it is -1 for a tensor on the CPU.

>>> jgrad.get_device(jgrad.zeros(2))
-1
""",
)

__all__ = [
    "frombuffer", "get_device", "is_complex", "is_floating_point", "is_inference", "is_nonzero",
    "is_same_size", "is_signed", "numel", "set_default_tensor_type",
]  # fmt: skip


def typename(obj: Any, /) -> str:
    """The name of the type of an object, as errors show it. That of a tensor says its dtype."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    plain = kind.__module__ in ("", "builtins")
    return kind.__qualname__ if plain else f"{kind.__module__}.{kind.__qualname__}"
