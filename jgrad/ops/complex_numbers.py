"""Complex numbers: their parts, size, angle and conjugate, and the views between them and pairs of real numbers."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, composite, formula, op
from jgrad.dispatch.batched import Batched
from jgrad.dispatch.options import INTERNAL, POINTWISE, POINTWISE_EVERYWHERE
from jgrad.kernels import lazy, libraries
from jgrad.kernels.numpy import COMPLEX as COMPLEX  # dtypes, of arrays and tensors alike
from jgrad.ops.by_name import contiguous, select, where
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor


@op("abs(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class abs:
    """The absolute value of each element. For a complex number it is the distance from 0. `absolute` is another name."""

    self = lambda grad, self: grad * sgn(self)


@op("sgn(Tensor self) -> Tensor", **POINTWISE)
class sgn:
    """The sign of each element: -1, 0 or 1. For a complex number it is `input / abs(input)`, which has size 1, or 0 for 0."""

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


@op("_conj(Tensor(a) self) -> Tensor(a)", kernel="lazy_conj", node="ConjBackward0", **INTERNAL)
class _conj:
    """The complex conjugate, a view: elements are conjugated when they are read."""

    self = lambda grad: conj(grad)


@op("_conj_copy(Tensor self) -> Tensor", kernel="conj", node="ConjBackward0", **INTERNAL)
class _conj_copy:
    """The complex conjugate, computed at once: CuPy's arrays have no place for what is postponed."""

    self = lambda grad: conj(grad)


@op("_neg_view(Tensor(a) self) -> Tensor(a)", kernel="lazy_neg", forms="function method")
class _neg_view:
    """The negative, a view: elements are negated when they are read."""

    self = lambda grad: -grad


@composite("conj(Tensor self) -> Tensor")
def _conj_of_tensor(input: Tensor) -> Tensor:
    """The complex conjugate: each imaginary part gets the opposite sign. The elements are conjugated when they are read."""
    if not input.is_complex():
        return input
    return _conj_copy(input) if libraries.several and input.device.type == "cuda" else _conj(input)


def conj(value: Any) -> Any:
    """What formulas call: the value may be a number too."""
    return _conj_of_tensor(value) if isinstance(value, Tensor) else value.conjugate()


@op("_conj_physical(Tensor self) -> Tensor", kernel="conj", node="ConjPhysicalBackward0", **INTERNAL)
class _conj_physical:
    """The complex conjugate, as a tensor of its own."""

    self = lambda grad: conj(grad)


@composite("conj_physical(Tensor self) -> Tensor", forms="function method out")
def conj_physical(input: Tensor) -> Tensor:
    """The complex conjugate, computed immediately, in memory of its own. `conj` returns a view instead."""
    return _conj_physical(input) if input.is_complex() else input


@op("conj_physical_(Tensor(a!) self) -> Tensor", forms="function method", node="ConjPhysicalBackward1")
class conj_physical_:
    """Replace every element by its complex conjugate, in place. Real tensors are not changed."""

    self = lambda grad: conj(grad)


@composite("resolve_conj(Tensor self) -> Tensor")
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor with its conjugation carried out in memory. A view made by `conj` conjugates its elements only when they are read."""
    return input.clone() if is_conj(input) else input


@composite("resolve_neg(Tensor self) -> Tensor")
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor with its negation carried out in memory. A view for which `is_neg` is True negates its elements only when they are read."""
    return input.clone() if is_neg(input) else input


@composite("is_conj(Tensor self) -> bool")
def is_conj(input: Tensor) -> bool:
    """Whether the tensor is a view whose elements are conjugated when they are read."""
    return lazy.bits_of(_whole(input)._a)[0]


@composite("is_neg(Tensor self) -> bool")
def is_neg(input: Tensor) -> bool:
    """Whether the tensor is a view whose elements are negated when they are read. The imaginary part of a conjugate view is such a view."""
    return lazy.bits_of(_whole(input)._a)[1]


def _whole(t: Any) -> Tensor:
    """The tensor that holds the elements: of an example the batch."""
    return _whole(t.value) if isinstance(t, Batched) else t


# ----- Parts and pairs -----


@op("view_as_real(Tensor(a) self) -> Tensor(a)", forms="function")
class view_as_real:
    """Each complex number as a pair of real numbers, its real and imaginary part."""

    self = lambda grad: view_as_complex(contiguous(grad))


@op("view_as_complex(Tensor(a) self) -> Tensor(a)", forms="function")
class view_as_complex:
    """Each pair of real numbers as a complex number. The first of a pair is the real part, the second the imaginary part."""

    self = lambda grad: view_as_real(resolve_conj(contiguous(grad)))


@composite("real(Tensor self) -> Tensor", forms="function")
def real(input: Tensor) -> Tensor:
    """The real part of each element."""
    if not input.is_complex():
        return input
    return select(view_as_real(conj(input) if is_conj(input) else input), -1, 0)


@composite("imag(Tensor self) -> Tensor", forms="function")
def imag(input: Tensor) -> Tensor:
    """The imaginary part of each element."""
    if not input.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if is_conj(input):
        return select(_neg_view(view_as_real(conj(input))), -1, 1)
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
    """Whether each element is a real number: its imaginary part is 0."""


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
    """Complex numbers made of their real and imaginary parts."""

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
    """Complex numbers made of their absolute values and their angles: `abs * cos(angle) + 1j * abs * sin(angle)`."""

    abs = lambda grad, result: real(conj(grad) * sgn(result))
    angle = lambda grad, result: real(conj(grad) * (result * 1j))


@op("angle(Tensor self) -> Tensor", promote="float", forms="function method out")
class angle:
    """The angle of each complex number in radians, between -pi and pi. The angle of a real number is 0, or pi if it is negative."""

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
