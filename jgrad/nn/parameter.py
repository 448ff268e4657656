"""What a Module registers when it is assigned: parameters, which are trained, and buffers, which are not."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual, observer
from jgrad.dispatch import fast
from jgrad.dtypes import INEXACT
from jgrad.graph import grad_mode, overriding
from jgrad.ops.pickling import set_state
from jgrad.tensor import Tensor


class _ParameterType(type(Tensor)):  # type: ignore[misc]
    def __instancecheck__(self, instance: Any) -> bool:
        # A parameter that was made of an instance of a subclass stays one, with a mark.
        return super().__instancecheck__(instance) or (
            self is Parameter and isinstance(instance, Tensor) and getattr(instance, "_is_param", False)
        )


class Parameter(Tensor, metaclass=_ParameterType):
    """A tensor that is trained: when it is assigned to a Module as an attribute, it becomes a parameter of the module."""

    __torch_function__ = overriding.disabled_torch_function_impl

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        data = jgrad.empty(0) if data is None else data
        if type(data) is not Tensor and type(data) is not Parameter:
            return _parameter_of_subclass(data, requires_grad)
        with observer.unobserved():
            shared = data.detach()
        if requires_grad and shared._a.dtype.kind not in INEXACT:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        self = object.__new__(cls)
        for slot in ("_a", "_fn", "_nr", "_vc", "_view", "_grad", "_rare"):
            setattr(self, slot, getattr(shared, slot))
        self._rg = bool(requires_grad)
        if requires_grad and grad_mode.may_infer:
            grad_mode.note_inferred(self)
        if (watch := observer.current) is not None:
            watch.op("detach", "view", (data,), (self,), None, {})
        return self

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        pass

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> tuple:
        state = self.__getstate__()
        return _rebuild_parameter, (self.data, self.requires_grad, *([state] if state else []))


def _parameter_of_subclass(data: Any, requires_grad: bool) -> Any:
    """A leaf on the memory of an instance of a subclass of Tensor, of the same class."""
    result = data.detach().requires_grad_(requires_grad)
    if type(result) is not type(data):
        raise RuntimeError(
            f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an instance of the same "
            f"type, but return type {type(result).__name__} was found instead. To use the type as a Parameter, please correct the detach() "
            "semantics defined by its __torch_dispatch__() implementation."
        )
    result._is_param = True
    return result


def _rebuild_parameter(data: Tensor, requires_grad: bool, state: Any = None) -> Tensor:
    """A parameter that was copied or pickled."""
    return set_state(Parameter(data, requires_grad), state)


class _BufferType(type(Tensor)):  # type: ignore[misc]
    def __instancecheck__(self, instance: Any) -> bool:
        # A buffer is an ordinary tensor with a mark.
        return super().__instancecheck__(instance) or (
            self is Buffer and isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)
        )


class Buffer(Tensor, metaclass=_BufferType):
    """A tensor that is not trained: when it is assigned to a Module as an attribute, it becomes a buffer of the module."""

    __torch_function__ = overriding.disabled_torch_function_impl

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        given = jgrad.empty(0) if data is None else data
        result = given.detach().requires_grad_(given.requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result


class UninitializedTensorMixin:
    """A tensor that has a dtype and a device, but no shape and no elements yet."""

    __slots__ = ()
    __torch_function__ = overriding.disabled_torch_function_impl
    _waits = True
    cls_to_become: type

    @classmethod
    def _waiting(cls, requires_grad: bool, device: Any, dtype: Any) -> Any:
        self: Any = object.__new__(cls)
        like = jgrad.empty(0, device=device, dtype=dtype)
        for slot in ("_fn", "_nr", "_vc", "_view", "_grad", "_rare"):
            setattr(self, slot, getattr(like, slot))
        self._rg = bool(requires_grad)
        self._like = like
        return self

    @property
    def _a(self) -> Any:
        # Whatever computes with a tensor reads its array first.
        raise self._unusable()

    def _unusable(self, by: str = "") -> ValueError:
        return ValueError(
            f"Attempted to use an uninitialized parameter{by}. This error happens when you are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{type(self).__name__}` objects. When using LazyModules Call `forward` with a dummy batch to initialize "
            "the parameters before calling torch functions"
        )

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        raise self._unusable(" in <method 'requires_grad_' of 'torch._C.TensorBase' objects>")

    dtype = property(lambda self: self._like.dtype, doc="The dtype that it will have.")
    device = property(lambda self: self._like.device, doc="Where it will be.")

    def size(self: Any, dim: int | None = None) -> Any:
        return self._like.size(dim)

    def is_floating_point(self: Any) -> bool:
        return self._like.is_floating_point()

    def is_complex(self: Any) -> bool:
        return self._like.is_complex()

    def materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Make this an ordinary tensor of a shape. Its elements are not set: they are whatever is in memory."""
        # (The elements come first: an observer may look at this tensor while they are made.)
        array = jgrad.empty(shape, device=device or self.device, dtype=dtype or self.dtype)._a
        del self._like
        self.__class__ = self.cls_to_become
        self._a = array

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying "
            "to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing "
            "their attributes."
        )

    def share_memory_(self) -> None:
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters before calling "
            "`module.share_memory()`."
        )

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self: Any, memo: dict) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self: Any, protocol: Any) -> tuple:
        return type(self), (self.requires_grad, self.device, self.dtype)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is not known yet. `materialize(shape)` turns it into an ordinary Parameter."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return cls._waiting(requires_grad, device, dtype)

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> None:
        pass


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape is not known yet. `materialize(shape)` turns it into an ordinary tensor."""

    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        self = cls._waiting(requires_grad, device, dtype)
        self.persistent = persistent
        self._is_buffer = True
        return self

    def __init__(
        self, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> None:
        pass


def is_lazy(param: Any) -> bool:
    """Whether a parameter or buffer is not initialized yet."""
    return isinstance(param, UninitializedTensorMixin)


fast.Parameter = Parameter
overriding.exempt(Parameter)
for _class in (Parameter, Buffer, UninitializedParameter, UninitializedBuffer):
    _class.__module__ = "jgrad.nn.parameter"


manual.attach(__name__)
