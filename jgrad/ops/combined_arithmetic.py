"""Several arithmetic operations in one, element by element: `addcmul`, `addcdiv`, `lerp`, `square`, `float_power`; and `fmod`, `positive`, `fill`."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, op
from jgrad.dispatch.options import POINTWISE
from jgrad.dtypes import bool_, complex128, float64
from jgrad.ops.by_name import conj, pow, rounded_quotient
from jgrad.ops.creation import ZERO
from jgrad.tensor import Tensor


@op(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcmul(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    **POINTWISE,
)
class addcmul:
    """`input + value * tensor1 * tensor2`, element by element. All three tensors broadcast with each other.

    Args:
        input: a tensor to which the product is added
        tensor1, tensor2: the tensors that are multiplied
        value: a number by which the product is multiplied; if all three tensors are integers, only its integer part counts

    Returns a new tensor with the broadcast shape and the common dtype of the three.

    >>> one, two, three = jgrad.tensor([1., 1.]), jgrad.tensor([2., 2.]), jgrad.tensor([3., 4.])
    >>> jgrad.addcmul(one, two, three, value=10)
    tensor([61., 81.])
    """

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(tensor2 * value)
    tensor2 = lambda grad, tensor1, value: grad * conj(tensor1 * value)


@op(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcdiv(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    refuses="integer_division",
    **POINTWISE,
)
class addcdiv:
    """`input + value * tensor1 / tensor2`, element by element. All three tensors broadcast with each other.

    Args:
        input: a tensor to which the quotient is added
        tensor1, tensor2: the dividend and the divisor; they may not both be integers
        value: a number by which the quotient is multiplied

    Returns a new tensor with the broadcast shape and the common dtype of the three.

    >>> jgrad.addcdiv(jgrad.tensor([1.]), jgrad.tensor([3.]), jgrad.tensor([2.]), value=10)
    tensor([16.])
    """

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(value / tensor2)
    tensor2 = lambda grad, tensor1, tensor2, value: -grad * conj(value * tensor1 / (tensor2 * tensor2))


@op("lerp.Scalar(Tensor self, Tensor end, Number weight) -> Tensor", promoted="", refuses="lerp", **POINTWISE)
class lerp:
    """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1.

    Args:
        input: a floating-point or complex tensor: the start
        end: a tensor with the dtype of `input` that broadcasts with it
        weight: how far to go, a number or a tensor with the dtype of `input`; it may be less than 0 or greater than 1. A tensor without dimensions
            may have another dtype

    Returns a new tensor with the broadcast shape.

    >>> jgrad.lerp(jgrad.tensor([0., 10.]), jgrad.tensor([4., 20.]), 0.25)
    tensor([ 1.0000, 12.5000])
    """

    self = lambda grad, weight: grad * (1 - conj(weight))
    end = lambda grad, weight: grad * conj(weight)


@op("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", promoted="", refuses="lerp", **POINTWISE)
class lerp_tensor:
    self = lambda grad, weight: grad * conj(1 - weight)
    end = lambda grad, weight: grad * conj(weight)
    weight = lambda grad, self, end: grad * conj(end - self)


@op("fmod.Scalar(Tensor self, Number other) -> Tensor", **POINTWISE)
class fmod:
    """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`.

    Args:
        input: a tensor of real numbers
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number

    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError, floats give nan.

    >>> jgrad.fmod(jgrad.tensor([-7, 7]), 3)
    tensor([-1,  1])
    >>> jgrad.fmod(jgrad.tensor([-7, 7]), -3)
    tensor([-1,  1])
    """

    self = lambda grad: grad


@op("fmod.Tensor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class fmod_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * rounded_quotient(self, other, "trunc")


@composite("square(Tensor self) -> Tensor", forms="function method out", out_dtype="castable")
def square(input: Tensor) -> Tensor:
    """The square `input * input`, element by element.

    Args:
        input: a tensor of any shape; bools give int64

    Returns a new tensor.

    >>> x = jgrad.tensor([3.], requires_grad=True)
    >>> jgrad.square(x).backward()
    >>> x.grad
    tensor([6.])
    """
    return pow(input, 2)


@composite("square_(Tensor(a!) self) -> Tensor")
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place.

    Args:
        input: the tensor that is changed; a leaf that requires grad raises RuntimeError, and so do bools

    Returns `input` itself.

    >>> x = jgrad.tensor([2, -3])
    >>> jgrad.square_(x)
    tensor([4, 9])
    """
    return input.pow_(2)


def float_power_operand(value: Any, other: Any) -> Any:
    """In double precision, or complex double if one of both is complex."""
    if any(v.is_complex() if isinstance(v, Tensor) else isinstance(v, complex) for v in (value, other)):
        target, number = complex128, complex
    else:
        target, number = float64, float
    return value.to(target) if isinstance(value, Tensor) else number(value)


def _float_power(input: Any, exponent: Any) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision.

    Args:
        input: a tensor, or a number if `exponent` is a tensor
        exponent: a tensor that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with dtype float64, or complex128 if one of both is complex. A negative real number to a fractional power is nan.

    >>> jgrad.float_power(jgrad.tensor([2, 4]), -1)
    tensor([0.5000, 0.2500], dtype=jgrad.float64)
    """
    return pow(float_power_operand(input, exponent), float_power_operand(exponent, input))


for _schema in (
    "Tensor_Tensor(Tensor self, Tensor exponent)",
    "Scalar(Number self, Tensor exponent)",
    "Tensor_Scalar(Tensor self, Number exponent)",
):
    composite(f"float_power.{_schema} -> Tensor", forms="function method out")(_float_power)


def _float_power_(input: Tensor, exponent: Any) -> Tensor:
    """This tensor to the power of `exponent`, in place. It must have dtype float64, or complex128 if one of both is complex.

    Args:
        exponent: a tensor that broadcasts to the shape of this one, or a number

    Returns this tensor. Raises RuntimeError if it has another dtype.

    >>> x = jgrad.tensor([2., 3.], dtype=jgrad.float64)
    >>> x.float_power_(2)
    tensor([4., 9.], dtype=jgrad.float64)
    """
    target = complex128 if input.is_complex() or (
        exponent.is_complex() if isinstance(exponent, Tensor) else isinstance(exponent, complex)
    ) else float64  # fmt: skip
    if input.dtype is not target:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {input.dtype.type_name} but the operation's result requires dtype {target.type_name}"
        )
    return input.pow_(exponent.to(target) if isinstance(exponent, Tensor) else exponent)


for _schema in ("Tensor(Tensor(a!) self, Tensor exponent)", "Scalar(Tensor(a!) self, Number exponent)"):
    composite(f"float_power_.{_schema} -> Tensor", forms="method")(_float_power_)


@composite("positive(Tensor self) -> Tensor")
def positive(input: Tensor) -> Tensor:
    """The tensor itself, as `+input` in Python.

    Args:
        input: a tensor of numbers; bools raise RuntimeError

    Returns `input` itself, so it is no copy and shares its memory.

    >>> x = jgrad.tensor([-1., 2.])
    >>> jgrad.positive(x) is x
    True
    """
    if input.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@op("fill.Scalar(Tensor self, Number value) -> Tensor", forms="function")
class fill:
    """A tensor like `input` with one value in every element.

    Args:
        input: a tensor that gives the shape and the dtype; its elements do not matter, and its gradient is 0
        value: a number, or a tensor with 0 dimensions; the gradient of such a tensor is the sum over all elements

    Returns a new tensor.

    >>> v = jgrad.tensor(7., requires_grad=True)
    >>> y = jgrad.fill(jgrad.zeros(2, 2), v)
    >>> y.sum().backward()
    >>> v.grad
    tensor(4.)
    """

    self = ZERO


@op("fill.Tensor(Tensor self, Tensor value) -> Tensor", forms="function")
class fill_tensor:
    self = ZERO
    value = lambda grad: grad.sum()
