"""The dtypes and PyTorch's rules of type promotion.

A `dtype` is a name and the NumPy dtype that stores its elements. NumPy lacks the *narrow* floats, bfloat16 and the float8s: `ml_dtypes`
has their NumPy dtypes, and is imported when one of them is first needed. Promotion differs from NumPy's in two ways. The *category* (boolean, integer,
floating, complex) decides first, so `int64 + float32` is float32. And a 0-d tensor or a Python number only counts if its category is
higher than that of every tensor with dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import manual

BOOL, INTEGER, FLOATING, COMPLEX = range(4)

# NumPy's letters for kinds of dtypes. "V" stands for dtypes that NumPy does not know: here that is the narrow floats.
INEXACT, REAL = "fcV", "fV"

narrow_in_use = False  # whether there may be arrays of narrow floats
listeners: list[Callable[[], None]] = []  # called when that becomes True


class dtype:
    """The type of a tensor's elements, as `torch.dtype`: `jgrad.float32`, `jgrad.int64`, and so on."""

    __slots__ = ("name", "numpy", "category", "itemsize", "type_name")

    numpy: np.dtype[Any]

    def __init__(self, name: str, category: int, type_name: str, narrow: int = 0) -> None:
        self.name = name
        self.category = category
        self.type_name = type_name  # PyTorch's older name, which its error texts use: "Float", "Long"
        if not narrow:
            self.numpy = np.dtype(name)
        self.itemsize = narrow or self.numpy.itemsize

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there: `numpy` of a narrow float before ml_dtypes was imported."""
        if name == "numpy" and self in NARROW:
            _use_narrow()
            return self.numpy
        raise AttributeError(f"'dtype' object has no attribute '{name}'")

    @property
    def is_floating_point(self) -> bool:
        """Whether it is a dtype of real floating-point numbers."""
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        """Whether it is a dtype of complex numbers."""
        return self.category == COMPLEX

    @property
    def is_signed(self) -> bool:
        """Whether it can hold negative numbers."""
        return self not in (bool_, uint8, *WIDE_UNSIGNED, float8_e8m0fnu)

    def to_real(self) -> dtype:
        """The dtype of the real part: float32 for complex64, float64 for complex128. All others stay as they are."""
        return {complex64: float32, complex128: float64}.get(self, self)

    def to_complex(self) -> dtype:
        """The complex dtype of which this is the real part: complex64 for float32, complex128 for float64. bfloat16 gives complex64."""
        if self is float16:
            raise NotImplementedError("jgrad has no complex32, the complex dtype of float16")
        if self in FLOAT8:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.type_name}")
        return {bfloat16: complex64, float32: complex64, float64: complex128}.get(self, self)

    def __repr__(self) -> str:
        return f"jgrad.{self.name}"

    def __reduce__(self) -> str:  # pickled by name, so that `is` holds afterwards
        return "bool_" if self.name == "bool" else self.name


float16 = dtype("float16", FLOATING, "Half")
float32 = dtype("float32", FLOATING, "Float")
float64 = dtype("float64", FLOATING, "Double")
complex64 = dtype("complex64", COMPLEX, "ComplexFloat")
complex128 = dtype("complex128", COMPLEX, "ComplexDouble")
uint8 = dtype("uint8", INTEGER, "Byte")
uint16 = dtype("uint16", INTEGER, "UInt16")
uint32 = dtype("uint32", INTEGER, "UInt32")
uint64 = dtype("uint64", INTEGER, "UInt64")
int8 = dtype("int8", INTEGER, "Char")
int16 = dtype("int16", INTEGER, "Short")
int32 = dtype("int32", INTEGER, "Int")
int64 = dtype("int64", INTEGER, "Long")
bool_ = dtype("bool", BOOL, "Bool")
bfloat16 = dtype("bfloat16", FLOATING, "BFloat16", narrow=2)
float8_e4m3fn = dtype("float8_e4m3fn", FLOATING, "Float8_e4m3fn", narrow=1)
float8_e4m3fnuz = dtype("float8_e4m3fnuz", FLOATING, "Float8_e4m3fnuz", narrow=1)
float8_e5m2 = dtype("float8_e5m2", FLOATING, "Float8_e5m2", narrow=1)
float8_e5m2fnuz = dtype("float8_e5m2fnuz", FLOATING, "Float8_e5m2fnuz", narrow=1)
float8_e8m0fnu = dtype("float8_e8m0fnu", FLOATING, "Float8_e8m0fnu", narrow=1)

OF_NUMPY = (
    float16, float32, float64, complex64, complex128, uint8, int8, int16, int32, int64, bool_, uint16, uint32, uint64
)  # fmt: skip
WIDE_UNSIGNED = (uint16, uint32, uint64)  # which have no common dtype with other integers
FLOAT8 = (float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu)
NARROW = (bfloat16, *FLOAT8)
HALVES = (float16, bfloat16)  # of 16 bits, and computed in float32
ALL = OF_NUMPY + NARROW
SHORT_NAMES = {
    "half": float16, "float": float32, "double": float64, "cfloat": complex64, "cdouble": complex128,
    "short": int16, "int": int32, "long": int64, "bool": bool_,
}  # fmt: skip
PYTHON_TYPES: dict[Any, dtype] = {bool: bool_, int: int64, float: float64, complex: complex128}
FROM_NUMPY = {d.numpy: d for d in OF_NUMPY}


def _use_narrow() -> None:
    """Import ml_dtypes, and take its dtypes into the tables."""
    global narrow_in_use
    try:
        import ml_dtypes
    except ImportError:
        raise ImportError(
            "tensors of bfloat16 and float8 need the package ml_dtypes, which is not installed. Install it with: pip install ml_dtypes"
        ) from None
    for d in NARROW:
        d.numpy = np.dtype(getattr(ml_dtypes, d.name))
        FROM_NUMPY[d.numpy] = d
    narrow_in_use = True
    for listener in listeners:
        listener()


def from_numpy(numpy_dtype: np.dtype[Any]) -> dtype:
    """The dtype for a NumPy dtype. Raises PyTorch's error if there is none."""
    found = FROM_NUMPY.get(numpy_dtype)
    if found is not None and numpy_dtype.isnative and found not in NARROW:
        return found
    if not numpy_dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    scalar = numpy_dtype.type
    raise TypeError(
        f"can't convert np.ndarray of type {scalar.__module__}.{scalar.__qualname__}. The only supported types are: "
        "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool."
    )


_default = float32


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats: float32, unless `set_default_dtype` set another one."""
    return _default


def set_default_dtype(d: dtype, /) -> None:
    """Set the dtype of tensors made from Python floats."""
    global _default
    if not isinstance(d, dtype):
        raise TypeError(f"invalid dtype object: {d}")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def of_number(number: Any) -> dtype:
    """The dtype that PyTorch gives a Python number: bool, int64, the default dtype, or the complex dtype that belongs to the default."""
    if isinstance(number, (bool, np.bool_)):
        return bool_
    if isinstance(number, (int, np.integer)):
        return int64
    if isinstance(number, (float, np.floating)):
        return _default
    if _default is bfloat16:
        raise RuntimeError("invalid default scalar type for complex")
    return _default.to_complex()


def _promoted(a: dtype, b: dtype) -> dtype:
    """The common dtype of two dtypes that are not float8."""
    if a is b:
        return a
    if a.category != b.category:
        low, high = (a, b) if a.category < b.category else (b, a)
        return complex128 if high is complex64 and low is float64 else high
    if bfloat16 in (a, b):
        return float32 if float16 in (a, b) else a if b is bfloat16 else b
    return FROM_NUMPY[np.promote_types(a.numpy, b.numpy)]


def _have_common(a: dtype, b: dtype) -> bool:
    """Whether two dtypes have a common dtype, as far as the wide unsigned ones are concerned: with themselves and with floats."""
    return a is b or not (a in WIDE_UNSIGNED or b in WIDE_UNSIGNED) or FLOATING in (a.category, b.category)


PROMOTED = {
    (_a, _b): _promoted(_a, _b)
    for _a in (*OF_NUMPY, bfloat16)
    for _b in (*OF_NUMPY, bfloat16)
    if _have_common(_a, _b)
}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The common dtype of two dtypes, which an operation on tensors of both would have."""
    if type1 in FLOAT8 or type2 in FLOAT8:
        if type1 is type2:
            return type1
        raise RuntimeError(
            f"Promotion for Float8 Types is not supported, attempted to promote {type1.type_name} and {type2.type_name}"
        )
    if (type1, type2) not in PROMOTED:
        raise RuntimeError(
            f"Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {type1.type_name} and {type2.type_name}"
        )
    return PROMOTED[type1, type2]


def _combine(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """The common dtype of two levels of operands. The lower level only counts if its category is higher."""
    if higher is None or lower is None:
        return higher or lower
    if lower.category <= higher.category:
        return higher
    return higher.to_complex() if higher.category == FLOATING else lower


def result_of(operands: list[Any]) -> dtype:
    """The common dtype of operands, which are raw arrays and Python numbers.

    There are three levels: arrays with dimensions, 0-d arrays, numbers. Within a level, `PROMOTED` decides. A lower level only counts
    if its category is higher.
    """
    levels: list[dtype | None] = [None, None, None]
    for operand in operands:
        if hasattr(operand, "ndim") and hasattr(operand, "dtype"):
            level, d = (0 if operand.ndim else 1), FROM_NUMPY[operand.dtype]
        else:
            level, d = 2, of_number(operand)
        seen = levels[level]
        levels[level] = d if seen is None else PROMOTED.get((seen, d)) or promote_types(seen, d)
    result = _combine(_combine(levels[0], levels[1]), levels[2])
    assert result is not None
    return result


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether a result of one dtype may be written into a tensor of another dtype, as an in-place operation does."""
    return from_.category <= to.category


def check_alpha(alpha: Any, common: dtype) -> None:
    """Raise an error if the dtype of the sum cannot hold this alpha."""
    kind = of_number(alpha).category
    if isinstance(alpha, bool) and common.category != BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if kind == FLOATING and common.category < FLOATING:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if kind == COMPLEX and common.category < COMPLEX:
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The dtype of the result of an operation on two operands."""
    return result_of([getattr(operand, "_a", operand) for operand in (tensor1, tensor2)])


def limits_of(numpy_dtype: np.dtype[Any]) -> Any:
    """What NumPy or ml_dtypes knows of the limits of a floating-point dtype."""
    if FROM_NUMPY[numpy_dtype] not in NARROW:
        return np.finfo(numpy_dtype)
    import ml_dtypes

    return ml_dtypes.finfo(numpy_dtype)


class finfo:
    """The limits of a floating-point dtype: `torch.finfo`."""

    def __init__(self, type: dtype | None = None) -> None:
        kind = _default if type is None else type
        if kind.category < FLOATING:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        info = limits_of(kind.to_real().numpy)
        self.bits = info.bits
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        if kind is float8_e5m2fnuz:
            self.eps = 0.125  # PyTorch's number; the numbers next to 1 are 0.125 below and 0.25 above it
        self.smallest_normal = self.tiny = float(info.smallest_normal)
        self.resolution = float(10.0 ** -int(-math.log10(self.eps)))
        self.dtype = kind.to_real().name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and (self.dtype, self.bits) == (other.dtype, other.bits)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{n}={getattr(self, n):g}' for n in names)}, dtype={self.dtype})"


class iinfo:
    """The limits of an integer dtype: `torch.iinfo`."""

    def __init__(self, type: dtype) -> None:
        if type.category == BOOL:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.category != INTEGER:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
            )
        info = np.iinfo(type.numpy)
        self.bits, self.max, self.min, self.dtype = info.bits, int(info.max), int(info.min), type.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


manual.attach(__name__)
