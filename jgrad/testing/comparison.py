"""`assert_close`: numbers, tensors, arrays, and nested containers of them are close to each other.

Both sides are first taken apart into pairs, each of which is a function that gives the text of its mismatch or None. So a container of the
wrong length, or a pair of types that can't be compared, is an error before any value is compared.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

import jgrad
from jgrad import dtypes, manual
from jgrad.tensor import Tensor

TOLERANCES = {  # relative and absolute; everything else must be equal
    dtypes.float16: (0.001, 1e-5),
    dtypes.bfloat16: (0.016, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
    dtypes.complex64: (1.3e-6, 1e-5),
    dtypes.complex128: (1e-7, 1e-7),
}
NUMBERS = {int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}

Comparison = Callable[[], str | None]


class Options(NamedTuple):
    """How to compare."""

    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise AssertionError if `actual` and `expected` are not close. Close means |actual - expected| <= atol + rtol * |expected|."""
    __tracebackhide__ = True
    options = Options(
        allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride
    )
    for where, compare in list(_pairs(actual, expected, (), options)):
        text = compare()
        if text is None:
            continue
        text = _at(text, where)
        raise AssertionError(msg if isinstance(msg, str) else text if msg is None else msg(text))


def _at(text: str, where: tuple) -> str:
    """The text of an error with the place in the containers where it occurred."""
    return f"{text}\n\nThe failure occurred for item {_path(where)}" if where else text


def _path(where: tuple) -> str:
    return "".join([str([item]) for item in where])


def _pairs(actual: Any, expected: Any, where: tuple, options: Options) -> Iterator[tuple[tuple, Comparison]]:
    """The pairs to compare, each with its place. Raises for containers that have not the same elements."""
    if all([isinstance(side, Sequence) and not isinstance(side, str) for side in (actual, expected)]):
        if len(actual) != len(expected):
            raise AssertionError(
                _at(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", where)
            )
        for i in range(len(actual)):
            yield from _pairs(actual[i], expected[i], (*where, i), options)
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing, additional = expected.keys() - actual.keys(), actual.keys() - expected.keys()
        if missing or additional:
            text = (
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {sorted(missing)}\nAdditional keys in the actual mapping: {sorted(additional)}"
            )
            raise AssertionError(_at(text, where))
        keys: Any = set(actual)
        with suppress(Exception):
            keys = sorted(keys)
        for key in keys:
            yield from _pairs(actual[key], expected[key], (*where, key), options)
    else:
        booleans = all([isinstance(side, (bool, np.bool_)) for side in (actual, expected)])
        # PyTorch names no place for booleans.
        yield (
            () if booleans else where,
            _pair(actual, expected, where, options),
        )


def _pair(actual: Any, expected: Any, where: tuple, options: Options) -> Comparison:
    """The comparison of what is no container. Raises TypeError if it can't be compared."""
    sides = (actual, expected)
    if actual is None or expected is None:
        return lambda: None if actual is expected else f"None mismatch: {actual} is not {expected}"
    if all([isinstance(side, (bool, np.bool_)) for side in sides]):
        first, second = bool(actual), bool(expected)
        return lambda: None if first is second else f"Booleans mismatch: {first} is not {second}"
    if all([isinstance(side, (*NUMBERS, np.number)) for side in sides]):
        numbers = [side.item() if isinstance(side, np.number) else side for side in sides]
        try:
            kinds = [NUMBERS[type(number)] for number in numbers]
        except KeyError as error:
            raise RuntimeError(_unexpected("NumberPair", actual, expected, where)) from error
        rtol, atol = _tolerances(kinds, where, options)
        return lambda: _compare_numbers(numbers[0], numbers[1], rtol, atol, options)
    tensors = _as_tensors(actual, expected, options)
    if tensors is None:
        raise TypeError(
            _at(
                f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.",
                where,
            )
        )
    one, other = tensors
    rtol, atol = _tolerances([one.dtype, other.dtype], where, options)
    return lambda: _compare_tensors(one, other, rtol, atol, options)


def _unexpected(pair: str, actual: Any, expected: Any, where: tuple) -> str:
    return (
        f"Originating a {pair}() at item {_path(where)} with\n\n{type(actual).__name__}(): {actual}\n\nand\n\n"
        f"{type(expected).__name__}(): {expected}\n\nresulted in the unexpected exception above. If you are a user and see this message during "
        "normal operation please file an issue at https://github.com/pytorch/pytorch/issues. If you are a developer and working on the "
        "comparison functions, please except the previous error and raise an expressive `ErrorMeta` instead."
    )


def _as_tensors(actual: Any, expected: Any, options: Options) -> tuple[Tensor, Tensor] | None:
    """Both sides as tensors; None if one is not an instance of the other's type, or is not like a tensor."""
    if not (isinstance(actual, type(expected)) or isinstance(expected, type(actual))):
        return None
    if not options.allow_subclasses and type(actual) is not type(expected):
        return None
    try:
        first, second = (
            side if isinstance(side, Tensor) else jgrad.as_tensor(side) for side in (actual, expected)
        )
    except Exception:
        return None
    return first, second


def _tolerances(kinds: list[dtypes.dtype], where: tuple, options: Options) -> tuple[float, float]:
    """The relative and the absolute tolerance: those that were given, or the loosest of the dtypes."""
    rtol, atol = options.rtol, options.atol
    if rtol is not None and atol is not None:
        return rtol, atol
    if rtol is not None or atol is not None:
        text = f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {'rtol' if rtol is None else 'atol'}."
        raise ValueError(_at(text, where))
    found = [TOLERANCES.get(kind, (0.0, 0.0)) for kind in kinds]
    return max(relative for relative, _ in found), max(absolute for _, absolute in found)


def _compare_numbers(actual: Any, expected: Any, rtol: float, atol: float, options: Options) -> str | None:
    if options.check_dtype and type(actual) is not type(expected):
        return f"The (d)types do not match: {type(actual)} != {type(expected)}."
    if actual == expected or (options.equal_nan and cmath.isnan(actual) and cmath.isnan(expected)):
        return None
    difference = abs(actual - expected)
    if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return None
    return _mismatch_of_numbers(actual, expected, rtol, atol)


def _compare_tensors(
    actual: Tensor, expected: Tensor, rtol: float, atol: float, options: Options
) -> str | None:
    checks = {
        "shape": True,
        "layout": options.check_layout,
        "stride()": options.check_stride and actual.layout is jgrad.strided,
        "device": options.check_device,
        "dtype": options.check_dtype,
    }
    for name, checked in checks.items():
        if not checked:
            continue
        first, second = (
            side.stride() if name == "stride()" else getattr(side, name) for side in (actual, expected)
        )
        if first != second:
            return f"The values for attribute '{name}' do not match: {first} != {second}."
    if "meta" in (actual.device.type, expected.device.type):
        return None
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype is not expected.dtype:
        common = jgrad.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    if actual.layout is not expected.layout:
        actual, expected = (side.to_dense() if side.is_sparse else side for side in (actual, expected))
    if actual.is_sparse:
        return _compare_sparse(actual, expected, rtol, atol, options.equal_nan)
    return _compare_values("Tensor-likes", actual, expected, rtol, atol, options.equal_nan)


def _compare_sparse(actual: Any, expected: Any, rtol: float, atol: float, nan: bool) -> str | None:
    counts = {
        "sparse dimensions": lambda side: side.sparse_dim(),
        "specified values": lambda side: side._nnz(),
    }
    for what, count in counts.items():
        if count(actual) != count(expected):
            return f"The number of {what} in sparse COO tensors does not match: {count(actual)} != {count(expected)}"
    indices = _compare_values("Sparse COO indices", actual._indices(), expected._indices(), 0, 0, nan)
    return indices or _compare_values(
        "Sparse COO values", actual._values(), expected._values(), rtol, atol, nan
    )


def _compare_values(
    what: str, actual: Tensor, expected: Tensor, rtol: float, atol: float, nan: bool
) -> str | None:
    matches = jgrad.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=nan)
    if matches.all():
        return None
    if not matches.shape:
        return _mismatch_of_numbers(actual.item(), expected.item(), rtol, atol)
    return _mismatch_of_tensors(what, actual, expected, matches, rtol, atol)


def _mismatch_of_numbers(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    absolute = abs(actual - expected)
    relative = float("inf") if expected == 0 else absolute / abs(expected)
    lines = [f"Absolute difference: {absolute}", f"Relative difference: {relative}"]
    return _mismatch("Scalars", f"Expected {expected} but got {actual}.", lines, rtol, atol)


def _mismatch_of_tensors(
    what: str, actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float
) -> str:
    actual, expected = actual.detach().flatten(), expected.detach().flatten()
    matching = matches.flatten()
    if actual.dtype.category < dtypes.FLOATING:
        actual, expected = actual.to(dtypes.int64), expected.to(dtypes.int64)
    absolute: Tensor = (actual - expected).abs()  # type: ignore[operator]
    absolute[matching] = 0
    relative = absolute / expected.abs()
    relative[matching] = 0
    lines = []
    for kind, differences in (("absolute", absolute), ("relative", relative)):
        greatest, at = differences.max(0)
        index = tuple([int(i) for i in np.unravel_index(at.item(), tuple(matches.shape))])
        lines.append(f"Greatest {kind} difference: {greatest.item()} at index {index}")
    total, count = matches.numel(), matches.numel() - int(matches.sum())
    return _mismatch(what, f"Mismatched elements: {count} / {total} ({count / total:.1%})", lines, rtol, atol)


def _mismatch(what: str, fact: str, lines: list[str], rtol: float, atol: float) -> str:
    exact = rtol == 0 and atol == 0
    if not exact:
        lines = [f"{line} (up to {limit} allowed)" for line, limit in zip(lines, (atol, rtol), strict=True)]
    return "\n".join([f"{what} are not {'equal' if exact else 'close'}!", "", fact, *lines])


manual.attach(__name__)
