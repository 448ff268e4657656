"""Complex numbers: their parts, size, angle and conjugate, and the views between them and pairs of real numbers."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, composite, formula, op
from jgrad.dispatch.options import INTERNAL, POINTWISE, POINTWISE_EVERYWHERE
from jgrad.kernels.numpy import COMPLEX as COMPLEX  # dtypes, of arrays and tensors alike
from jgrad.ops.by_name import contiguous, select, where
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor


@op("abs(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class abs:
    """The absolute value; its gradient at 0 is 0."""

    self = lambda grad, self: grad * sgn(self)


@op("sgn(Tensor self) -> Tensor", **POINTWISE)
class sgn:
    """The sign: -1, 0 or 1."""

    self = lambda grad, self, result: sgn_backward(self, grad, result)


@formula
def sgn_backward(base: Any, grad: Any, sgn: Any) -> Any:
    """The derivative of z / |z|: nothing for real numbers; for complex ones what is across the direction of z, by |z|."""
    if base.dtype not in COMPLEX:
        return zeros_like(grad)
    size = abs(base)
    ratio = where(size == 0, zeros_like(grad), grad / size)
    along = ratio * conj(sgn)
    return ratio - (along + conj(along)) / 2 * sgn


@op("_conj(Tensor self) -> Tensor", kernel="conj", node="ConjBackward0", **INTERNAL)
class _conj:
    """The complex conjugate."""

    self = lambda grad: conj(grad)


@composite("conj(Tensor self) -> Tensor", numbers="any")
def conj(input: Any) -> Any:
    """The complex conjugate; a real tensor itself."""
    if not isinstance(input, Tensor):
        return input.conjugate()
    return _conj(input) if input.is_complex() else input


@op("_conj_physical(Tensor self) -> Tensor", kernel="conj", node="ConjPhysicalBackward0", **INTERNAL)
class _conj_physical:
    """The complex conjugate, as a tensor of its own."""

    self = lambda grad: conj(grad)


@composite("conj_physical(Tensor self) -> Tensor", forms="function method out")
def conj_physical(input: Tensor) -> Tensor:
    """The complex conjugate as a tensor of its own; a real tensor itself."""
    return _conj_physical(input) if input.is_complex() else input


@op("conj_physical_(Tensor(a!) self) -> Tensor", forms="function method", node="ConjPhysicalBackward1")
class conj_physical_:
    """Conjugate in place."""

    self = lambda grad: conj(grad)


@composite("resolve_conj(Tensor self) -> Tensor")
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugation is never postponed here."""
    return input


@composite("resolve_neg(Tensor self) -> Tensor")
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself: negation is never postponed here."""
    return input


@composite("is_conj(Tensor self) -> bool")
def is_conj(input: Tensor) -> bool:
    """Whether a conjugation is still to be done when values are read: never here."""
    return False


@composite("is_neg(Tensor self) -> bool")
def is_neg(input: Tensor) -> bool:
    """Whether a negation is still to be done when values are read: never here."""
    return False


# ----- Parts and pairs -----


@op("view_as_real(Tensor(a) self) -> Tensor(a)", forms="function")
class view_as_real:
    """Complex numbers as pairs of real ones, in one more dimension; a view."""

    self = lambda grad: view_as_complex(contiguous(grad))


@op("view_as_complex(Tensor(a) self) -> Tensor(a)", forms="function")
class view_as_complex:
    """Pairs of real numbers, along the last dimension, as complex ones; a view."""

    self = lambda grad: view_as_real(contiguous(grad))


@composite("real(Tensor self) -> Tensor", forms="function")
def real(input: Tensor) -> Tensor:
    """The real parts, a view; of a real tensor itself."""
    return select(view_as_real(input), -1, 0) if input.is_complex() else input


@composite("imag(Tensor self) -> Tensor", forms="function")
def imag(input: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor, a view."""
    if not input.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return select(view_as_real(input), -1, 1)


def _part(function: Any) -> property:
    """The attribute `x.real` or `x.imag`; what is assigned to it is written into the tensor."""

    def read(self: Tensor) -> Tensor:
        return function(self)

    def write(self: Tensor, value: Any) -> None:
        function(self).copy_(value)

    return property(read, write, doc=function.__doc__)


Tensor.real = _part(real)  # type: ignore[attr-defined]
Tensor.imag = _part(imag)  # type: ignore[attr-defined]


@op("isreal(Tensor self) -> Tensor", promote="default")
class isreal:
    """Where the imaginary part is 0."""


FITTING = "Expected object of scalar type {result} but got scalar type {out} for argument 'out'"


@op(
    "complex(Tensor real, Tensor imag) -> Tensor",
    forms="function out",
    promote="default",
    promoted="",
    out_dtype=FITTING,
    batches="elementwise",
)
class complex:
    """Complex numbers from their real and imaginary parts."""

    real = lambda grad: real(grad)
    imag = lambda grad: imag(grad)


@op(
    "polar(Tensor abs, Tensor angle) -> Tensor",
    forms="function out",
    promote="default",
    promoted="",
    out_dtype=FITTING,
    batches="elementwise",
)
class polar:
    """Complex numbers from their sizes and angles."""

    abs = lambda grad, result: real(conj(grad) * sgn(result))
    angle = lambda grad, result: real(conj(grad) * (result * 1j))


@op("angle(Tensor self) -> Tensor", promote="float", forms="function method out")
class angle:
    """The angle of a complex number; of a real one 0, or pi if it is negative."""

    self = lambda grad, self: angle_backward(grad, self)


@formula
def angle_backward(grad: Any, z: Any) -> Any:
    """Turning z by a small angle goes along i z; nothing for real numbers."""
    if z.dtype not in COMPLEX:
        return zeros_like(grad)
    square = real(z * conj(z))
    return where(square == 0, zeros_like(z), grad * (z * 1j) / square)


alias_of("abs", "absolute")
Tensor.__abs__ = Tensor.abs  # type: ignore[attr-defined]

# Names of the formulas above.
