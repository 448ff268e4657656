"""The Tensor: geometry over a storage, and its place in the autograd graph.

This file holds what a tensor *is*: state, properties, conversions. What one can *do* with tensors is declared in `jgrad/ops/`; each
declaration installs its methods here.
"""

from __future__ import annotations

import itertools
import operator
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from jgrad import formats, manual, observer, printing, warn
from jgrad import storage as storages
from jgrad.devices import CPU, device
from jgrad.dtypes import FROM_NUMPY, INEXACT, REAL, dtype
from jgrad.errors import class_name
from jgrad.graph import grad_mode, levels
from jgrad.graph.grad_mode import InferenceCell
from jgrad.graph.node import (
    AccumulateGrad,
    Node,
    RemovableHandle,
    accumulator_of,
    extras_of,
    sequence_numbers,
)
from jgrad.kernels import lazy, libraries
from jgrad.kernels.narrow import is_narrow
from jgrad.kernels.numpy.shape import c_name, wrap_dim
from jgrad.kernels.sparse import SparseArray, shared


class Size(tuple):
    """The shape of a tensor: a tuple of ints that knows its `numel()`."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        return tuple.__new__(cls, [n if n.__class__ is int else _extent(n, i) for i, n in enumerate(sizes)])

    def numel(self) -> int:
        """The number of elements of a tensor of this shape: the product of the extents."""
        n = 1
        for extent in self:
            n *= extent
        return n

    def __repr__(self) -> str:
        return f"jgrad.Size({list(self)})"

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return tuple.__new__(Size, item) if index.__class__ is slice else item

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        return Size(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: Any) -> Size:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__


def _extent(extent: Any, place: int) -> int:
    """An element of a Size: an integer, or a tensor of one."""
    try:
        return operator.index(extent)
    except TypeError:
        got = type(extent).__name__
        raise TypeError(f"torch.Size() takes an iterable of 'int' (item {place} is '{got}')") from None


class layout:
    """The arrangement of a tensor's elements in memory."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"jgrad.{self.name}"


strided, sparse_coo, sparse_csr = layout("strided"), layout("sparse_coo"), layout("sparse_csr")


UNSET = object()


class TensorExtras:
    """The rare part of a tensor's state, made when it is first needed."""

    __slots__ = (
        "hooks",
        "after_accumulation",
        "retains_grad",
        "accumulator",
        "grad_dtype",
        "former",
        "tangents",
    )

    def __init__(self) -> None:
        self.hooks: dict[int, Callable] = {}  # of a leaf
        self.after_accumulation: dict[int, Callable] = {}
        self.retains_grad = False
        self.accumulator: weakref.ref[AccumulateGrad] | None = None  # of a leaf
        self.grad_dtype: Any = UNSET  # or a dtype; None: `.grad` may have any dtype
        # What the leaf was like before it got another shape or dtype: (sequence number of that time, shape, dtype).
        self.former: list[tuple[int, tuple[int, ...], np.dtype]] = []
        self.tangents: dict[levels.Level, Tensor | None] | None = None


class Tensor:
    """An n-dimensional array that can remember how it was computed; `torch.Tensor`."""

    __slots__ = ("_a", "_rg", "_fn", "_nr", "_vc", "_view", "_grad", "_rare", "__dict__", "__weakref__")
    _outputs = 0  # (a node has at least one: so the engine distinguishes leaves from nodes)
    __array_priority__ = 1000  # so that ndarray + Tensor asks Tensor.__radd__

    if TYPE_CHECKING:  # the operations install their methods

        def __getattr__(self, name: str) -> Any: ...

    _waits = False  # for its shape: see `UninitializedParameter`
    _a: Any  # the raw array: shape, strides, memory
    _rg: bool  # whether it needs a gradient
    _fn: Node | None  # that made it,
    _nr: int  # and which of its outputs it is
    _vc: list[int] | None  # the version cell, None until something shares or changes it
    _view: Any  # what it is a view of
    _grad: Tensor | None
    _rare: TensorExtras | None

    def _grad_array(self) -> Any:
        """The raw array of its `.grad`, None if it has none. A mirror of another library's tensor needs no mirror of the `.grad` for this."""
        return None if self._grad is None else self._grad._a

    def _live_array(self) -> Any:
        """Its raw array. A mirror first looks whether its tensor has other memory by now: while a recorder sleeps, nothing reports `x.data = ...`."""
        return self._a

    # Geometry and memory ------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The extent of each dimension, as a `Size`."""
        return tuple.__new__(Size, self._a.shape)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the extent of one dimension."""
        shape = self._a.shape
        if dim is not None and not shape:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return tuple.__new__(Size, shape) if dim is None else shape[wrap_dim(dim, len(shape))]

    def stride(self, dim: int | None = None) -> Any:
        """The distance in memory, counted in elements, between neighbours along each dimension, or along one dimension."""
        if dim is not None and not self._a.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        if libraries.unusual and self.is_sparse:
            strides: tuple[int, ...] = (0,) * self._a.ndim
        elif self._a.size or (self._a.base is not None and 0 not in self._a.strides):
            item = self._a.itemsize
            strides = tuple([s // item for s in self._a.strides])
        else:  # where NumPy has other habits
            steps = itertools.accumulate(
                (max(n, 1) for n in self._a.shape[:0:-1]), initial=1, func=operator.mul
            )
            strides = tuple(steps)[::-1][-self._a.ndim :]
        return strides if dim is None else strides[wrap_dim(dim, len(strides))]

    def storage_offset(self) -> int:
        """The number of elements between the beginning of the storage and the first element of this tensor."""
        return storages.offset_of(self._a)

    def untyped_storage(self) -> storages.Storage:
        """The storage of this tensor: the bytes that it and its views read and write."""
        if self.is_sparse:
            raise NotImplementedError("Cannot access storage of SparseTensorImpl")
        return storages.Storage.of(self._a)

    def is_shared(self) -> bool:
        """Whether other processes can have the memory of this tensor: after `share_memory_`, and always on a GPU."""
        return self.untyped_storage().is_shared()

    def share_memory_(self) -> Tensor:
        """Move the storage of this tensor to memory that other processes can have too. All tensors over it stay over it."""
        storage = self.untyped_storage()
        if self.is_meta or storage.is_shared():
            storage.share_memory_()
        else:
            storages.share(storage, self)
        return self

    def data_ptr(self) -> int:
        """The memory address of the first element, as an int; 0 if the tensor has no elements."""
        return 0 if libraries.several and self.is_meta else storages.address(self._a)

    ndim = property(lambda self: self._a.ndim, doc="The number of dimensions.")
    itemsize = property(lambda self: self._a.itemsize, doc="Bytes per element.")
    nbytes = property(lambda self: self._a.nbytes, doc="Bytes of all elements.")

    def dim(self) -> int:
        """The number of dimensions."""
        return self._a.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._a.size

    nelement = numel
    ndimension = dim

    def element_size(self) -> int:
        """The number of bytes of one element."""
        return self._a.itemsize

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the elements lie in memory in row-major order (the last dimension first), without gaps."""
        if memory_format is None:
            return self._a.flags.c_contiguous
        formats.check("is_contiguous", memory_format)
        if memory_format in formats.NDIM:
            return formats.is_in(self._a.shape, self.stride(), memory_format)
        return self._a.flags.c_contiguous

    @property
    def dtype(self) -> dtype:
        """The type of the elements, such as `jgrad.float32`."""
        return FROM_NUMPY[self._a.dtype]

    @property
    def device(self) -> device:
        """The device on which the storage is, such as `device(type='cpu')`."""
        return CPU if not libraries.several else storages.device_of(self._a)

    @property
    def layout(self) -> layout:
        """The arrangement in memory: `jgrad.strided`, or `jgrad.sparse_coo` for a sparse tensor."""
        return sparse_coo if self.is_sparse else strided

    is_sparse = property(
        lambda self: self._a.__class__ is SparseArray, doc="Whether the layout is `jgrad.sparse_coo`."
    )

    is_cuda = property(lambda self: self.device.type == "cuda")
    is_meta = property(lambda self: self.device.type == "meta")
    is_cpu = property(lambda self: self.device.type == "cpu")

    def is_floating_point(self) -> bool:
        """Whether the dtype is one of real floating-point numbers."""
        return self._a.dtype.kind in REAL

    def is_complex(self) -> bool:
        """Whether the dtype is one of complex numbers."""
        return self._a.dtype.kind == "c"

    # Autograd state -----------------------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded so that a gradient can be computed."""
        return self._rg or (self._view is not None and self._view.base._rg)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value.__class__ is not bool:
            raise RuntimeError("requires_grad must be a bool")
        # `_fn`, here and below: a view is asked for its grad_fn as it was last made.
        if self._fn is not None:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables." + ("" if value else HINT_DETACH)
            )
        if value and self._a.dtype.kind not in INEXACT:
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        self._refuse_inference(value)
        self._mark("requires_grad", value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch the recording of operations on this leaf on or off, in place."""
        if levels.anywhere:
            levels.refuse_inside("requires_grad_", " (or perhaps using torch.autograd.functional.* APIs)")
        if requires_grad and self._a.dtype.kind not in INEXACT:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self._refuse_inference(requires_grad)
        if self._fn is None:
            self._mark("requires_grad_", bool(requires_grad))
        elif not requires_grad:
            raise RuntimeError("you can only change requires_grad flags of leaf variables." + HINT_DETACH)
        return self

    def _mark(self, name: str, requires_grad: bool) -> None:
        """Switch this leaf on or off, by a call or an assignment of this name."""
        watch = observer.current
        if watch is None or self._rg is requires_grad:
            self._rg = requires_grad
            return
        watch.marking(self)
        self._rg = requires_grad
        watch.marked(name, self)

    def _refuse_inference(self, requires_grad: bool) -> None:
        if not requires_grad or not self.is_inference():
            return
        if not grad_mode.mode.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
            )
        grad_mode.note_inferred(self)

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor. Then it is the end of the graph, where gradients are added to `.grad`."""
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Node | None:
        """The backward node of the operation that made this tensor, None for a leaf."""
        if self._view is not None:
            self._view.refresh(self)
        # (a saved leaf, as hooks unpacked it)
        return None if self._fn.__class__ is AccumulateGrad else self._fn

    @property
    def output_nr(self) -> int:
        """Which output of its `grad_fn` this tensor is, counted from 0; 0 for a leaf."""
        return self._nr

    @property
    def _version(self) -> int:
        """How often the memory of this tensor was written to, through it, its views or `detach()`."""
        if self._vc.__class__ is InferenceCell:
            raise RuntimeError("Inference tensors do not track version counter.")
        return 0 if self._vc is None else self._vc[0]

    @property
    def _writes(self) -> int:
        """The version, also of inference tensors."""
        return self._vc.writes if self._vc.__class__ is InferenceCell else self._version

    @property
    def _counter(self) -> list[int]:
        """The version cell that base, views and `detach()` share."""
        if self._vc is None:
            with _giving_cells:
                if self._vc is None:
                    self._vc = [0]
        return self._vc

    @property
    def _base(self) -> Tensor | None:
        """The tensor this one is a differentiable view of."""
        return None if self._view is None else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        """Whether this tensor was made in inference mode."""
        return self._vc.__class__ is InferenceCell

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes accumulated, None before the first one."""
        if self._grad is None and not self.retains_grad and self._fn is not None:
            warn.say(NON_LEAF_GRAD)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        before = self._grad
        if value is not None:
            if not isinstance(value, Tensor):
                shown = class_name(value)
                raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {shown}")
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            expected = self._grad_dtype
            if expected is not None and value.dtype is not expected:
                raise RuntimeError(
                    f"attempting to assign a gradient with dtype '{c_name(value._a)}' to a tensor with grad_dtype "
                    f"'{expected.type_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You "
                    "can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with "
                    "caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match."
                )
            if value._a.shape != self._a.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{list(value._a.shape)}' to a tensor of size '{list(self._a.shape)}'. "
                    "Please ensure that the gradient and the tensor are the same size"
                )
        self._grad = value
        if (watch := observer.current) is not None:
            watch.grad_assigned(
                self, None if before is None else before._a, None if value is None else value._a
            )

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def _grad_dtype(self) -> Any:
        return self.dtype if self._rare is None or self._rare.grad_dtype is UNSET else self._rare.grad_dtype

    @property
    def grad_dtype(self) -> Any:
        """The dtype that `.grad` of this leaf has; by default it is the dtype of the leaf. None means that `.grad` may have any dtype."""
        if self.grad_fn is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self._grad_dtype

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        present = self.grad  # (warns, of a non-leaf)
        if self.grad_fn is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if value is not None and not isinstance(value, dtype):
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {class_name(value)}")
        if value is not None and present is not None and present.dtype is not value:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{value.type_name}' because there is already a gradient with dtype "
                f"'{c_name(present._a)}'. Please clear the gradient (.grad = None) before changing grad_dtype, or ensure "
                "the new grad_dtype matches the existing gradient's dtype."
            )
        self._extras().grad_dtype = value

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad()` was called on this tensor while it was not a leaf."""
        return self._rare is not None and self._rare.retains_grad

    def retain_grad(self) -> None:
        """Let backward passes fill `.grad` of this tensor although it is not a leaf. It does nothing on a leaf, which gets its `.grad` anyway."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if levels.anywhere:
            levels.refuse_inside("retain_grad", "")
        node = None if self._fn is None else self.grad_fn
        if node is not None and not self.retains_grad:
            watch = observer.current
            if watch is not None:
                watch.marking(self)
            self._extras().retains_grad = True
            extras_of(node).retains[self._nr] = weakref.ref(self)
            if watch is not None:
                watch.marked("retain_grad", self)

    def register_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function with the gradient of this tensor whenever a backward pass computes it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node = self.grad_fn
        if node is None:
            return RemovableHandle(self._extras().hooks, hook)
        return RemovableHandle(extras_of(node).tensor_hooks.setdefault(self._nr, {}), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function whenever a backward pass has added a gradient to the `.grad` of this leaf."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return RemovableHandle(self._extras().after_accumulation, hook)

    def _extras(self) -> TensorExtras:
        if self._rare is None:
            self._rare = TensorExtras()
        return self._rare

    def _accumulator(self) -> Node:
        return accumulator_of(self)

    def __dir__(self) -> list[str]:
        names = super().__dir__()
        return [n for n in names if n != "__cuda_array_interface__" or self.is_cuda]

    @property
    def data(self) -> Tensor:
        """A tensor on the same memory without history, with a version counter of its own.

        Autograd does not notice what is written through it: a derivative that needs the old values is then wrong without an error.
        Prefer `detach()`, or a `no_grad` block. Assigning a tensor to `data` gives this tensor the memory, the shape and the dtype of that one.
        """
        result = _plain(shared(self._a) if self.is_sparse else self._a)
        result._vc = self._vc if self.is_inference() else None
        if (watch := observer.current) is not None:
            watch.op("data", "view", (self,), (result,), None, {})
        return result

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {class_name(value)}")
        if self.requires_grad and value._a.dtype.kind not in INEXACT:
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            )
        if libraries.unusual and self.is_sparse != value.is_sparse:
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type."
            )
        self._get_geometry(value._a)
        if (watch := observer.current) is not None:
            watch.op("data", "view", (self, value), (self,), None, {})

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    def _get_geometry(self, array: Any) -> None:
        """Take another array. What a graph that was made before expects of a leaf's gradient stays as it was."""
        before = self._a
        if self._rg and self._fn is None and (before.shape != array.shape or before.dtype != array.dtype):
            self._extras().former.append((next(sequence_numbers), before.shape, before.dtype))
        self._a = array

    # Conversions --------------------------------------------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The elements as a NumPy array on the same memory."""
        if self.requires_grad and grad_mode.is_grad_enabled() and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if libraries.unusual and self.is_sparse:
            raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")
        if libraries.several and not self.is_cpu:
            if not force:
                raise TypeError(
                    f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
                )
            return libraries.moved(self._a, CPU)
        if libraries.unusual and isinstance(self._a, lazy.Lazy):
            if force:
                return lazy.resolved(self._a)
            which, cure = ("conjugate", "conj") if self._a.conjugated else ("negative", "neg")
            raise RuntimeError(
                f"Can't call numpy() on Tensor that has {which} bit set. Use tensor.resolve_{cure}().numpy() instead."
            )
        if libraries.unusual and is_narrow(self._a.dtype):
            raise TypeError(f"Got unsupported ScalarType {self.dtype.type_name}")
        storages.lend(self._a)
        return self._a.view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("Unable to avoid copy while creating an array as requested.")
            return array.astype(dtype)
        return array.copy() if copy else array

    def item(self) -> Any:
        """The only element as a Python number."""
        if self._a.size != 1:
            raise RuntimeError(f"a Tensor with {self._a.size} elements cannot be converted to Scalar")
        return libraries.values(self._a).item()

    def tolist(self) -> list[Any]:
        """The elements as nested lists of Python numbers."""
        return libraries.values(self._a).tolist()

    def _only_element(self) -> Any:
        if self._a.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return libraries.values(self._a).item()

    def _real_element(self, kind: str) -> Any:
        """The only element; a complex one must be a real number that the C++ type `kind` can hold."""
        element = self._only_element()
        if not isinstance(element, complex):
            return element
        if element.imag or (kind == "int64_t" and not -(2**63) <= element.real < 2**63):
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return element.real

    def __bool__(self) -> bool:
        if self._a.size != 1:
            many = "more than one value" if self._a.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
        return bool(libraries.values(self._a).item())

    def _leaves_the_graph(self) -> None:
        """A Python number has no history."""
        if self.requires_grad and grad_mode.is_grad_enabled():
            warn.once(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first."
            )

    def __float__(self) -> float:
        self._leaves_the_graph()
        return float(self._real_element("double"))

    def __int__(self) -> int:
        return int(self._real_element("int64_t"))

    def __complex__(self) -> complex:
        self._leaves_the_graph()
        return complex(self._only_element())

    def __index__(self) -> int:
        if self._a.size != 1 or self._a.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(libraries.values(self._a).item())

    def __len__(self) -> int:
        if self._a.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._a.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if self._a.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self) -> Tensor:
        return self.flip(0) if self._a.ndim else self

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (Tensor, int, float, complex, bool)):
            raise RuntimeError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
            )
        return bool(self.eq(element).any())

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        if levels.anywhere:
            return levels.rules.text(self)
        return printing.tensor_repr(self)

    def __format__(self, spec: str) -> str:
        if self._a.ndim == 0 and type(self) is Tensor and not self.is_meta:
            return libraries.values(self._a).item().__format__(spec)
        return object.__format__(self, spec)

    def _warn_of_hooks(self) -> None:
        node = self._fn
        extras = None if node is None else node._extras
        if node is None:
            hooks: Any = None if self._rare is None else self._rare.hooks
        else:
            hooks = None if extras is None else extras.tensor_hooks.get(self._nr)
        for hook in (hooks or {}).values():
            warn.say(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the function with "
                "@torch.utils.hooks.unserializable_hook to suppress this warning",
            )


HINT_DETACH = " If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during "
    "autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf "
    "Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)


def _read_only(name: str) -> property:
    getter = getattr(Tensor, name).fget

    def refuse(self: Tensor, value: Any) -> NoReturn:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return property(getter, refuse, doc=getattr(Tensor, name).__doc__)


for _name in ("is_leaf", "grad_fn", "shape", "dtype", "device", "output_nr", "retains_grad", "_version"):
    setattr(Tensor, _name, _read_only(_name))


_new = object.__new__
# Two threads that make views of one tensor must not give it two version cells.
_giving_cells = threading.Lock()


def _plain(array: Any) -> Tensor:
    """A tensor without history on a raw array."""
    t = _new(Tensor)
    t._a = array
    t._rg = False
    t._fn = None
    t._nr = 0
    t._vc = None if not grad_mode.may_infer else grad_mode.new_cell()
    t._view = None
    t._grad = None
    t._rare = None
    return t


def _counted(copy: Tensor) -> Tensor:
    """A copy as PyTorch makes it: by setting the memory of a new tensor, which counts as a write."""
    if copy._vc is None:
        copy._vc = [1]
    return copy


def wrap(array: Any, requires_grad: bool = False) -> Tensor:
    """A fresh leaf on a raw array (or NumPy scalar), without copying."""
    t = _plain(libraries.as_array(array))
    t._rg = requires_grad
    if requires_grad and grad_mode.may_infer:
        grad_mode.note_inferred(t)
    return t


storages.tensor_class = Tensor
Tensor.__module__ = Size.__module__ = "jgrad"  # where users meet them


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor (or of a subclass, such as a Parameter)."""
    return isinstance(obj, Tensor)


manual.attach(__name__)
