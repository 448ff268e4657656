"""The pickler of `save`: tensors as a geometry and the key of a storage, classes under PyTorch's names.

It is derived from the pickler that Python has in Python. The one in C refuses to write a name that it can't import.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from types import FunctionType
from typing import IO, TYPE_CHECKING, Any, ClassVar

from jgrad import dtypes
from jgrad.kernels import libraries
from jgrad.kernels.lazy import bits_of
from jgrad.nn import Module, Parameter
from jgrad.nn.parameter import is_lazy
from jgrad.random import Generator
from jgrad.return_types import NamedResults
from jgrad.serialization import names, rebuilding
from jgrad.serialization.rebuilding import StorageType
from jgrad.storage import Storage, address, owner
from jgrad.tensor import Size, Tensor, layout
from jgrad.typed_storage import TypedStorage


class Pickler(pickle._Pickler):
    """Writes an object; afterwards `storages` has the storages that must be written too, by their keys."""

    proto: int
    if TYPE_CHECKING:  # what the base class has

        def save(self, obj: Any) -> None: ...
        def write(self, data: bytes) -> None: ...
        def memoize(self, obj: Any) -> None: ...

    def __init__(self, file: IO[bytes], protocol: int) -> None:
        super().__init__(file, protocol)
        self.storages: dict[str, Storage] = {}
        self.itemsizes: dict[str, int] = {}  # of the dtypes under which they were first met
        self._keys: dict[int, str] = {}
        self._dtypes: dict[int, dtypes.dtype] = {}

    def persistent_id(self, obj: Any) -> tuple | None:
        """What stands for a storage: ("storage", type, key, location, number of elements)."""
        kind: Any
        if isinstance(obj, TypedStorage):
            storage, dtype, kind = obj.untyped(), obj.dtype, names.STORAGE_TYPE_OF[obj.dtype]
        elif isinstance(obj, Storage):
            storage, dtype, kind = obj, dtypes.uint8, Storage
        else:
            return None
        identity = id(storage._owner)
        if storage.nbytes() and self._dtypes.setdefault(identity, dtype) is not dtype:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different types"
            )
        if identity not in self._keys:
            self._keys[identity] = str(len(self._keys))
            self.itemsizes[self._keys[identity]] = dtype.itemsize
        key = self._keys[identity]
        self.storages[key] = storage  # which also keeps the identity from being reused
        return "storage", kind, key, str(storage.device), storage.nbytes() // dtype.itemsize

    def reducer_override(self, obj: Any) -> Any:
        """How objects of jgrad are written; everything else is left to `pickle`."""
        if isinstance(obj, Tensor):
            return reduced(obj)
        if isinstance(obj, StorageType):
            return "StorageType"  # a name: `save_global` writes it
        if isinstance(obj, layout):
            return rebuilding.get_layout, (f"torch.{obj.name}",)
        if type(obj) is names.device:
            return names.device, (str(obj.type),) if obj.index is None else (str(obj.type), obj.index)
        if type(obj) is Size:
            return Size, (tuple(obj),)
        if isinstance(obj, NamedResults):
            return type(obj), (tuple(obj), {})
        if isinstance(obj, Module):
            return _reduced_module(obj, self.proto)
        if type(obj) is Generator:
            return Generator, (obj.device,), (obj.initial_seed(), None, obj.get_state())
        return NotImplemented

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write the name of a class or function."""
        found = names.torch_name(obj)
        if found is None:
            try:
                super().save_global(obj, name)  # type: ignore[misc]
            except pickle.PicklingError:
                # Raises the error with the text of the pickler in C, as PyTorch has it.
                pickle.dumps(obj, self.proto)
                raise
            return
        if self.proto >= 4:
            for part in found:
                self.save(part)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + "\n".join(found).encode() + b"\n")
        self.memoize(obj)

    dispatch: ClassVar[dict[type, Any]] = {**pickle._Pickler.dispatch, FunctionType: save_global}


def reduced(tensor: Tensor) -> tuple:
    """A tensor as the function that makes it again, and its arguments."""
    if not issubclass(type(tensor), Parameter):
        tensor._warn_of_hooks()
    if is_lazy(tensor):
        return type(tensor), (tensor.requires_grad,)
    if issubclass(type(tensor), Parameter):
        parts: tuple = tensor.data, tensor.requires_grad, OrderedDict()
        if state := tensor.__getstate__():
            return rebuilding.rebuild_parameter_with_state, (*parts, state)
        return rebuilding.rebuild_parameter, parts
    if tensor.device.type == "meta":
        geometry = tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.requires_grad
        return _with_class(tensor, rebuilding.rebuild_meta_tensor, geometry)
    if tensor.is_sparse:
        indices, values = tensor._indices(), tensor._values()
        parts = indices, values, tensor.shape, tensor.is_coalesced()
        return _with_class(tensor, rebuilding.rebuild_sparse_tensor, (tensor.layout, parts))
    held = tensor if _can_be_stored(tensor._a) else tensor.detach().clone()
    typed = held.dtype in names.STORAGE_TYPE_OF
    arguments: tuple = (
        TypedStorage.over(held.untyped_storage(), held.dtype) if typed else held.untyped_storage(),
        held.storage_offset(),
        tuple(held.shape),
        held.stride(),
        tensor.requires_grad,
        OrderedDict(),
    )
    rebuild: Any = rebuilding.rebuild_tensor_v2
    if not typed:  # of float8, for which there are no types of storages
        rebuild, arguments = rebuilding.rebuild_tensor_v3, (*arguments, held.dtype)
    postponed = {name: True for name, bit in zip(("conj", "neg"), bits_of(held._a), strict=True) if bit}
    arguments = (*arguments, postponed) if postponed else arguments
    return _with_class(tensor, rebuild, arguments)


def _with_class(tensor: Tensor, rebuild: Any, arguments: tuple) -> tuple:
    """The same with the class and the attributes of the tensor, where it has any of its own."""
    state = tensor.__getstate__()
    if type(tensor) is Tensor and not state:
        return rebuild, arguments
    return rebuilding.rebuild_from_type_v2, (rebuild, type(tensor), arguments, state)


def _reduced_module(module: Module, protocol: int) -> Any:
    """A module as pickle has it. PyTorch's layers have some attributes that are computed here; files hold them for PyTorch."""
    found = module.__reduce_ex__(protocol)
    computed = {
        name: getattr(module, name)
        for name in ("_reversed_padding_repeated_twice", "_flat_weights_names", "activation_relu_or_gelu")
        if hasattr(type(module), name)
    }
    if not computed or not isinstance(found, tuple) or len(found) < 3 or not isinstance(found[2], dict):
        return found
    if "_flat_weights_names" in computed:
        computed["_flat_weights"] = [getattr(module, name) for name in computed["_flat_weights_names"]]
    return (*found[:2], found[2] | computed, *found[3:])


def _can_be_stored(array: Any) -> bool:
    """Whether the memory that an array is a view of can be written as a whole. Memory of foreign libraries may have gaps or odd lengths."""
    root = owner(array)
    if not libraries.is_array(root):
        return False
    kernels = libraries.library_of(root).kernels
    if not kernels.in_row_major(root).flags.c_contiguous or root.nbytes % array.itemsize:
        return False
    return not array.size or (address(array) - address(root)) % array.itemsize == 0
