"""What a Module registers when it is assigned: parameters, which are trained, and buffers, which are not."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad.dispatch import fast
from jgrad.tensor import Tensor


class Parameter(Tensor):
    """A Tensor that becomes a parameter of the Module it is assigned to; shares the memory of `data`.

    Requires grad unless `requires_grad=False` is given, under `no_grad` too. What is computed from it is an ordinary Tensor.
    Raises RuntimeError for data that can't require grad.
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        shared = (jgrad.empty(0) if data is None else data).detach()
        if requires_grad and shared._a.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        self = object.__new__(cls)
        for slot in ("_a", "_fn", "_nr", "_vc", "_view", "_grad", "_rare"):
            setattr(self, slot, getattr(shared, slot))
        self._rg = bool(requires_grad)
        return self

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        pass

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __copy__(self) -> Parameter:
        result = type(self)(self.data, self.requires_grad)
        result.__dict__.update(self.__dict__)
        return result

    def __reduce__(self) -> tuple:
        return _rebuild_parameter, (type(self), self.data, self.requires_grad, dict(self.__dict__))


def _rebuild_parameter(cls: type, data: Tensor, requires_grad: bool, state: dict) -> Parameter:
    """A parameter that was pickled."""
    result = cls(data, requires_grad)
    result.__dict__.update(state)
    return result


class _BufferType(type(Tensor)):  # type: ignore[misc]
    def __instancecheck__(self, instance: Any) -> bool:
        # A buffer is an ordinary tensor with a mark.
        return super().__instancecheck__(instance) or (
            self is Buffer and isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)
        )


class Buffer(Tensor, metaclass=_BufferType):
    """A Tensor that becomes a buffer of the Module it is assigned to; `persistent` says whether `state_dict()` has it."""

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        given = jgrad.empty(0) if data is None else data
        result = given.detach().requires_grad_(given.requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result


fast.Parameter = Parameter
Parameter.__module__ = Buffer.__module__ = "jgrad.nn.parameter"
