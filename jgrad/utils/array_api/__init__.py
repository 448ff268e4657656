"""The array API standard, version 2024.12: what `x.__array_namespace__()` gives.

Libraries that are written for any array library (SciPy, scikit-learn) call these functions in place of NumPy's. Most are jgrad's own. Those
that the standard wants otherwise (dtypes of 0-dimensional arrays, names of parameters, results) are in `functions.py`.

>>> x = jgrad.ones(2, 3)
>>> xp = x.__array_namespace__()
>>> xp.sum(x, axis=(0, 1))
tensor(6.)
>>> xp.concat([x, x], axis=None).shape
jgrad.Size([12])
"""

from __future__ import annotations

import jgrad
from jgrad.utils.array_api import fft as fft
from jgrad.utils.array_api import linalg as linalg
from jgrad.utils.array_api.functions import *
from jgrad.utils.array_api.functions import __all__ as _made
from jgrad.utils.array_api.info import __array_namespace_info__ as __array_namespace_info__

__array_api_version__ = "2024.12"

# What jgrad has as the standard wants it.
_THE_SAME = """
    e inf nan pi newaxis
    bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
    empty_like from_dlpack full_like ones_like zeros_like
    abs acos acosh asin asinh atan atanh bitwise_not conj cos cosh exp expm1 imag isfinite isinf isnan log log10 log1p log2 logical_not negative
    positive real reciprocal rsqrt signbit sin sinh sqrt square tan tanh
    broadcast_shapes isin moveaxis tile
""".split()
for _name in _THE_SAME:
    globals()[_name] = getattr(jgrad, _name)

__all__ = [*_made, *_THE_SAME, "fft", "linalg"]


def __dir__() -> list[str]:
    return sorted([*__all__, "__array_api_version__", "__array_namespace_info__"])
