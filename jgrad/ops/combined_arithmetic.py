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
    """`input + value * tensor1 * tensor2`, element by element. All three tensors broadcast with each other."""

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
    """`input + value * tensor1 / tensor2`, element by element. All three tensors broadcast with each other."""

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(value / tensor2)
    tensor2 = lambda grad, tensor1, tensor2, value: -grad * conj(value * tensor1 / (tensor2 * tensor2))


@op("lerp.Scalar(Tensor self, Tensor end, Number weight) -> Tensor", promoted="", refuses="lerp", **POINTWISE)
class lerp:
    """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1."""

    self = lambda grad, weight: grad * (1 - conj(weight))
    end = lambda grad, weight: grad * conj(weight)


@op("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", promoted="", refuses="lerp", **POINTWISE)
class lerp_tensor:
    self = lambda grad, weight: grad * conj(1 - weight)
    end = lambda grad, weight: grad * conj(weight)
    weight = lambda grad, self, end: grad * conj(end - self)


@op("fmod.Scalar(Tensor self, Number other) -> Tensor", **POINTWISE)
class fmod:
    """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`."""

    self = lambda grad: grad


@op("fmod.Tensor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class fmod_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * rounded_quotient(self, other, "trunc")


@composite("square(Tensor self) -> Tensor", forms="function method out", out_dtype="castable")
def square(input: Tensor) -> Tensor:
    """The square `input * input`, element by element."""
    return pow(input, 2)


@composite("square_(Tensor(a!) self) -> Tensor")
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place."""
    return input.pow_(2)


def float_power_operand(value: Any, other: Any) -> Any:
    """In double precision, or complex double if one of both is complex."""
    if any(v.is_complex() if isinstance(v, Tensor) else isinstance(v, complex) for v in (value, other)):
        target, number = complex128, complex
    else:
        target, number = float64, float
    return value.to(target) if isinstance(value, Tensor) else number(value)


def _float_power(input: Any, exponent: Any) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision."""
    return pow(float_power_operand(input, exponent), float_power_operand(exponent, input))


for _schema in (
    "Tensor_Tensor(Tensor self, Tensor exponent)",
    "Scalar(Number self, Tensor exponent)",
    "Tensor_Scalar(Tensor self, Number exponent)",
):
    composite(
        f"float_power.{_schema} -> Tensor",
        forms="function method out",
        out_dtype="the output given to float_power has dtype {out} but the operation's result requires dtype {result}",
    )(_float_power)


def _float_power_(input: Tensor, exponent: Any) -> Tensor:
    """This tensor to the power of `exponent`, in place. It must have dtype float64, or complex128 if one of both is complex."""
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
    """The tensor itself, as `+input` in Python."""
    if input.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@op("fill.Scalar(Tensor self, Number value) -> Tensor", forms="function")
class fill:
    """A tensor like `input` with one value in every element."""

    self = ZERO


@op("fill.Tensor(Tensor self, Tensor value) -> Tensor", forms="function")
class fill_tensor:
    self = ZERO
    value = lambda grad: grad.sum()
