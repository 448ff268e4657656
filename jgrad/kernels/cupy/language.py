"""What the kernels of fused functions are written in: C++ in which each line makes one value by a function of a ufunc's name.

    const float v3 = static_cast<float>(np_multiply<float>(x0, 0.5));

The type in the call is that which the function computes in, the other that of the value. Half precision is computed in single.
"""

from __future__ import annotations

import math
from typing import Any

TYPES = {
    "?": "bool", "b": "signed char", "h": "short", "i": "int", "l": "long long", "q": "long long", "B": "unsigned char",
    "H": "unsigned short", "I": "unsigned int", "L": "unsigned long long", "Q": "unsigned long long", "e": "float16", "f": "float",
    "d": "double",
}  # fmt: skip

# Ufuncs by what they compute. `nan` is handed on where NumPy does; of equal numbers, 0 and -0, the second is taken.
UNARY = {
    "negative": "-a", "square": "a * a", "reciprocal": "1 / a", "fabs": "fabs(a)", "absolute": "a < 0 ? -a : a",
    "sign": "a > 0 ? T(1) : a < 0 ? T(-1) : a == 0 ? T(0) : a", "sqrt": "sqrt(a)", "exp": "exp(a)", "exp2": "exp2(a)", "expm1": "expm1(a)",
    "log": "log(a)", "log2": "log2(a)", "log10": "log10(a)", "log1p": "log1p(a)", "sin": "sin(a)", "cos": "cos(a)", "tan": "tan(a)",
    "sinh": "sinh(a)", "cosh": "cosh(a)", "tanh": "tanh(a)", "arcsin": "asin(a)", "arccos": "acos(a)", "arctan": "atan(a)",
    "arcsinh": "asinh(a)", "arccosh": "acosh(a)", "arctanh": "atanh(a)", "floor": "floor(a)", "ceil": "ceil(a)", "trunc": "trunc(a)",
    "rint": "rint(a)", "erf": "erf(a)", "erfc": "erfc(a)", "cast": "a",
    "isnan": "a != a", "isinf": "a - a != a - a && a == a", "isfinite": "a - a == a - a", "signbit": "copysign(T(1), a) < 0",
    "logical_not": "!a", "invert": "~a",
}  # fmt: skip
BINARY = {
    "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "maximum": "a > b || a != a ? a : b",
    "minimum": "a < b || a != a ? a : b", "fmax": "a >= b || b != b ? a : b", "fmin": "a <= b || b != b ? a : b", "power": "pow(a, b)",
    "hypot": "hypot(a, b)", "arctan2": "atan2(a, b)", "copysign": "copysign(a, b)",
    "logaddexp": "a == b ? a + T(0.693147180559945309417) : a > b ? a + log1p(exp(b - a)) : a < b ? b + log1p(exp(a - b)) : a - b",
    "less": "a < b", "less_equal": "a <= b", "greater": "a > b", "greater_equal": "a >= b", "equal": "a == b", "not_equal": "a != b",
    "logical_and": "a && b", "logical_or": "a || b", "logical_xor": "!a != !b", "bitwise_and": "a & b", "bitwise_or": "a | b",
    "bitwise_xor": "a ^ b", "left_shift": "a << b", "right_shift": "a >> b",
}  # fmt: skip
PREDICATES = {
    "isnan", "isinf", "isfinite", "signbit", "logical_not", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal",
    "logical_and", "logical_or", "logical_xor",
}  # fmt: skip
UFUNCS = (UNARY.keys() | BINARY.keys() | {"conjugate", "positive"}) - {"cast", "erf", "erfc", "fabs"}
INTEGERS_TOO = {
    "negative", "positive", "conjugate", "square", "absolute", "sign", "add", "subtract", "multiply", "maximum", "minimum",
    "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift", *PREDICATES,
} - {"isnan", "isinf", "isfinite", "signbit"}  # fmt: skip


def _definition(name: str, text: str, parameters: str) -> str:
    made = "bool" if name in PREDICATES else "T"
    return f"template <class T> __device__ inline {made} np_{name}({parameters}) {{ return {text}; }}"


PREAMBLE = "\n".join(
    [
        *[_definition(name, text, "T a") for name, text in UNARY.items()],
        *[_definition(name, text, "T a, T b") for name, text in BINARY.items()],
        _definition("where", "condition ? a : b", "bool condition, T a, T b"),
    ]
)


def literal(number: Any) -> str:
    """A number of NumPy's, exactly."""
    kind = number.dtype.kind
    if kind == "b":
        return "true" if number else "false"
    if kind in "iu":
        return f"{int(number)}{'ULL' if kind == 'u' else 'LL'}"
    value = float(number)
    if math.isnan(value):
        return "(0.0 / 0.0)"
    return f"({'-' if value < 0 else ''}1.0 / 0.0)" if math.isinf(value) else repr(value)
