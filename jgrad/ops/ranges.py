"""Numbers at equal distances: `arange`, `linspace`, `logspace`, `range`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.dtypes import FROM_NUMPY
from jgrad.errors import class_name
from jgrad.kernels.narrow import is_narrow, rounded
from jgrad.kernels.numbers import fill_number
from jgrad.ops.factories import COMMON, built, made, number_of, numpy_dtype, refuse_unknown
from jgrad.tensor import Tensor


@shown_as(lambda start=0, end=OMITTED, step=1, *, out=None: None, COMMON)
def arange(*args: Any, dtype: Any = None, out: Any = None, **common: Any) -> Tensor:
    """Numbers from `start` up to `end`, without `end`, in equal steps."""
    start, end, step = common.pop("start", 0), common.pop("end", None), common.pop("step", 1)
    if len(args) == 1 and end is None:
        (end,) = args
    elif len(args) == 1:
        (start,) = args
    elif len(args) == 2:
        start, end = args
    elif len(args) == 3:
        start, end, step = args
    elif len(args) > 3:
        raise TypeError(f"arange() takes from 1 to 3 positional arguments but {len(args)} were given")
    refuse_unknown("arange", common)
    names = ("end",) if len(args) == 1 else ("start", "end", "step")
    numbers = []
    for name, value in zip(("start", "end", "step"), (start, end, step), strict=True):
        where = f" (position {names.index(name) + 1})" if name in names[: len(args)] else ""
        numbers.append(_real(number_of("arange", name, value, where)))
    start, end, step = numbers
    inferred = dtypes.get_default_dtype() if any(isinstance(n, float) for n in numbers) else dtypes.int64
    default = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else inferred
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not all(map(math.isfinite, (start, end))):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    np_dtype = numpy_dtype("arange", dtype, default)
    if np_dtype.kind in "bc":
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{FROM_NUMPY[np_dtype].type_name}'")
    if np_dtype.kind in "iu":
        start, end, step = int(start), int(end), int(step)
        if not step:
            raise ValueError("step must be nonzero")
        count, kind = -(-(end - start) // step), np.int64
    else:
        count, kind = math.ceil((end - start) / step), np.float64
    if count * np_dtype.itemsize >= 2**63:
        raise RuntimeError("invalid size, possible overflow?")
    return made(
        "arange",
        built(
            common.get("device"), lambda np: (np.arange(count, dtype=kind) * step + start).astype(np_dtype)
        ),
        out=out,
        arguments={"start": start, "end": end, "step": step},
        **common,
    )


def _real(number: Any) -> Any:
    if not isinstance(number, complex):
        return number
    if number.imag:
        raise RuntimeError("value cannot be converted to type double without overflow")
    return number.real


def _ends(name: str, start: Any, end: Any) -> tuple:
    """Start and end as numbers; tensors must have no dimensions."""
    dims = [v._a.ndim if isinstance(v, Tensor) else 0 for v in (start, end)]
    if any(dims):
        ends = {"start": start, "end": end}
        got = [
            f"{end} with {n} dimension(s)"
            for (end, v), n in zip(ends.items(), dims, strict=True)
            if isinstance(v, Tensor)
        ]
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got {' and '.join(got)}."
        )
    return tuple(v.item() if isinstance(v, Tensor) else v for v in (start, end))


def _check_steps(name: str, steps: Any) -> None:
    if not isinstance(steps, (int, np.integer)):
        raise TypeError(f"{name}(): argument 'steps' must be int, not {class_name(steps)}")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")


def _spaced_dtype(name: str, start: Any, end: Any, steps: int, dtype: Any, out: Any) -> np.dtype:
    """The dtype of `linspace` and `logspace`: complex if one of the ends is."""
    given = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else None
    if isinstance(start, complex) or isinstance(end, complex):
        inferred = dtypes.get_default_dtype().to_complex()
        if isinstance(dtype, dtypes.dtype) and not dtype.is_complex:
            part = "float" if inferred is dtypes.complex64 else "double"
            raise RuntimeError(
                f"torch.{name}(): inferred dtype c10::complex<{part}> can't be safely cast to passed dtype {dtype.type_name}"
            )
        given = given or inferred
    found = numpy_dtype(name, dtype, given)
    if found.kind == "b" and steps > 1:
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Bool'")
    return found


@shown_as(lambda start, end, steps, *, out=None: None, COMMON)
def linspace(
    start: Any, end: Any, steps: int, *, out: Any = None, dtype: Any = None, **common: Any
) -> Tensor:
    """Some number of points from `start` to `end`, both included, at equal distances."""
    refuse_unknown("linspace", common)
    start, end = _ends("linspace", start, end)
    _check_steps("linspace", steps)
    np_dtype = _spaced_dtype("linspace", start, end, steps, dtype, out)
    start, end = fill_number(start, np_dtype), fill_number(end, np_dtype)
    # As PyTorch: from the start up to the middle, from the end down to it, in the result's own precision.
    computed_in = np.dtype(np.float64 if np_dtype.itemsize == 8 or np_dtype.kind in "iu" else np.float32)
    work = np_dtype if np_dtype.kind in "fc" and not is_narrow(np_dtype) else computed_in
    step = (
        work.type((work.type(end) - work.type(start)) / work.type(steps - 1)) if steps > 1 else work.type(0)
    )
    if np_dtype.kind in "iu":
        only, start, end = int(start), work.type(int(start)), work.type(int(end))
        step = (end - start) / work.type(max(steps - 1, 1))
        work = np.dtype(np.longdouble)  # PyTorch rounds start + step * i once
    if is_narrow(np_dtype):
        step = work.type(rounded(np.asarray(step), np_dtype))
    i = np.arange(steps)
    half = steps // 2
    low = work.type(start) + step * i.astype(work)
    high = work.type(end) - step * (steps - 1 - i).astype(work)
    array = np.where(i < half, low, high) if steps > 1 else np.full(steps, work.type(start))
    if np_dtype.kind in "iu":
        array = array.astype(np.float64) if steps > 1 else np.full(steps, only)
    return made("linspace", array.astype(np_dtype), out=out, **common)


@shown_as(lambda start, end, steps, base=10.0, *, out=None: None, COMMON)
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, out: Any = None, dtype: Any = None, **common: Any
) -> Tensor:
    """Powers of a base, whose exponents lie from `start` to `end`, both included, at equal distances."""
    refuse_unknown("logspace", common)
    start, end = _ends("logspace", start, end)
    if isinstance(base, Tensor):
        base = base.item()
    _check_steps("logspace", steps)
    np_dtype = _spaced_dtype("logspace", start, end, steps, dtype, out)
    start, end = fill_number(start, np_dtype), fill_number(end, np_dtype)
    work = np_dtype if np_dtype.kind in "fc" and np_dtype.itemsize > 2 else np.dtype(np.float32)
    work = np.dtype(np.float64) if np_dtype == np.int64 else work
    if np_dtype.kind in "iu":
        step: Any = work.type((float(end) - float(start)) / (steps - 1)) if steps > 1 else work.type(0)
    else:
        step = (work.type(end) - work.type(start)) / work.type(steps - 1) if steps > 1 else work.type(0)
    i = np.arange(steps)
    low, high = start + step * i.astype(work), end - step * (steps - 1 - i).astype(work)
    exponents = np.where(i < steps // 2, low, high) if steps > 1 else np.full(steps, work.type(start))
    array = np.power(np.asarray(base, work if work.kind == "c" else np.float64), exponents)
    return made("logspace", array.astype(np_dtype), out=out, **common)


@shown_as(lambda start=0, end=OMITTED, step=1, *, out=None: None, COMMON)
def range(start: Any = 0, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """Numbers from `start` to `end`, the end included, in equal steps. Deprecated: use `jgrad.arange`, which leaves out the end."""
    warn.say(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range "
        "builtin. Instead, use torch.arange, which produces values in [start, end).",
    )
    start, end, step = [
        _real(number_of("range", name, value, f" (position {place})"))
        for place, (name, value) in enumerate((("start", start), ("end", end), ("step", step)), 1)
    ]
    out = options.get("out")
    default = out.dtype if isinstance(out, Tensor) else None
    np_dtype = numpy_dtype("range", options.pop("dtype", None), default)
    if np_dtype.kind in "bc":
        raise NotImplementedError(f"\"range_cpu\" not implemented for '{FROM_NUMPY[np_dtype].type_name}'")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = math.floor((end - start) / step) + 1
    return made("range", (np.arange(count) * step + start).astype(np_dtype), **options)


__all__ = ["arange", "linspace", "logspace"]
