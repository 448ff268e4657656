"""Kernels that fill a NumPy array with random numbers, in the order of its elements in memory, as PyTorch's do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.dtypes import FROM_NUMPY, INEXACT, REAL, dtype, limits_of
from jgrad.kernels import streams
from jgrad.kernels.numpy.shape import Array, c_name, c_name_of, empty_like
from jgrad.kernels.numpy.values import refuse_unless

__all__ = [
    "bernoulli", "bernoulli_", "bernoulli_p", "bernoulli_p_", "binomial", "cauchy_", "exponential_", "geometric_", "log_normal_",
    "multinomial", "normal", "normal_", "poisson", "random_", "random_from_", "random_to_", "uniform_",
]  # fmt: skip


def _stream(generator: Any) -> Any:
    if generator is None:
        return streams.default_of("cpu")
    if generator.device.type != "cpu":
        raise RuntimeError(f"Expected a 'cpu' device type for generator but found '{generator.device.type}'")
    return generator


def _in_memory_order(a: Array) -> Array:
    """A view whose row-major order is that of the memory; a complex array as pairs of real numbers."""
    if not a.flags.c_contiguous:
        a = a.transpose(sorted(range(a.ndim), key=lambda dim: -a.strides[dim]))
    if a.dtype.kind == "c":
        real = a.real
        return np.lib.stride_tricks.as_strided(real, (*real.shape, 2), (*real.strides, real.itemsize))
    return a


def _fill(target: Array, draw: Callable[..., Array], *arguments: Any) -> None:
    if target.size:
        target[...] = draw(*arguments)


def _refuse_if_any(name: str, a: Array) -> None:
    """Refuse a dtype, unless there is nothing to draw: then PyTorch does not look at it."""
    if a.size:
        _refuse(name, a)


def _refuse(name: str, a: Array) -> None:
    raise NotImplementedError(f"\"{name}\" not implemented for '{FROM_NUMPY[a.dtype].type_name}'")


def uniform_(a: Array, low: float, high: float, generator: Any = None) -> None:
    if a.dtype.kind == "c" and not a.size:
        return  # PyTorch does not look at the bounds then
    target = _in_memory_order(a)
    if target.dtype.kind not in REAL or target.itemsize == 1:
        _refuse("check_uniform_bounds", a)
    limits = limits_of(target.dtype)
    for name, bound in (("from", low), ("to", high)):
        if not float(limits.min) <= bound <= float(limits.max):
            raise RuntimeError(f"{name} is out of bounds for {c_name_of(target.dtype)}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    kind = FROM_NUMPY[target.dtype]
    if high - low > float(limits.max):
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{kind.type_name}>::max(), but found to={high:g} and "
            f"from={low:g} which result in to-from to exceed the limit"
        )
    _fill(target, streams.uniform, _stream(generator), target.shape, kind, low, high)


def normal_(a: Array, mean: float, std: float, generator: Any = None) -> None:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if a.dtype.kind not in INEXACT or (a.itemsize == 1 and a.dtype.kind in REAL):
        _refuse_if_any("normal_kernel_cpu", a)
    target = _in_memory_order(a)
    if a.dtype.kind == "c":
        std /= math.sqrt(2)  # the variance is that of the real and the imaginary part together
    kind = FROM_NUMPY[target.dtype]
    _fill(target, streams.normal, _stream(generator), target.shape, kind, mean, std, a.flags.c_contiguous)


def _check_integer_bounds(low: int, last: int, kind: dtype) -> None:
    """Refuse integers that the dtype can't hold, warn of those that it holds in part."""
    if kind.is_complex:
        raise RuntimeError("check_random_bounds handles only integral, floating-point and boolean types")
    for name, bound in (("from", low), ("to - 1", last)):
        if kind.is_floating_point:
            limits = limits_of(kind.numpy)
            least, most = int(float(limits.min)), int(float(limits.max))
        elif kind.numpy.kind == "b":
            least, most = 0, 1
        else:
            least, most = np.iinfo(kind.numpy).min, np.iinfo(kind.numpy).max
        if not least <= bound <= most:
            raise RuntimeError(f"{name} is out of bounds for {c_name_of(kind.numpy)}")
        if kind.is_floating_point and abs(bound) > 2 ** (digits := limits_of(kind.numpy).nmant + 1):
            warn.say(
                f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                f"{c_name_of(kind.numpy)} can support discrete uniform distribution only within this range. This warning "
                "will become an error in version 1.7 release, please fix the code in advance",
            )


def _representable(low: int, high: int, kind: dtype) -> tuple[int, int]:
    """Bounds of integers such that rounding to a floating-point dtype leaves them within the bounds that were asked for."""
    digits = limits_of(kind.numpy).nmant + 1

    def nearest(number: int) -> int:
        return int(kind.numpy.type(number))

    limit = float(limits_of(kind.numpy).max)
    if max(abs(low), abs(high)) > limit:
        return low, high  # they are refused afterwards

    def spacing(number: int) -> int:
        return 1 << max(abs(number).bit_length() - digits, 0)

    if nearest(low + 1) < low:
        low = nearest(low + 1) + spacing(low + 1)
    if nearest(high - 1) >= high:
        high = nearest(high - 1) - spacing(high - 1)
    return low, high


def random_from_(a: Array, low: int, high: int | None, generator: Any = None) -> None:
    kind = FROM_NUMPY[a.dtype]
    if not all([-(2**63) <= bound < 2**63 for bound in (low, high or 0)]):
        raise ValueError("Overflow when unpacking long long")
    if high is None:
        high = streams.largest_integer(kind) + 1
    elif low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    elif kind.is_floating_point:
        low, high = _representable(low, high, kind)
    _check_integer_bounds(low, high - 1, kind)
    target = _in_memory_order(a)
    _fill(target, streams.integers, _stream(generator), low, high, target.shape, kind)


def random_to_(a: Array, high: int, generator: Any = None) -> None:
    random_from_(a, 0, high, generator)


def random_(a: Array, generator: Any = None) -> None:
    if a.dtype.kind == "c":
        _refuse_if_any("random_kernel_cpu", a)
    target = _in_memory_order(a)
    _fill(target, streams.any_integers, _stream(generator), target.shape, FROM_NUMPY[a.dtype])


def exponential_(a: Array, rate: float, generator: Any = None) -> None:
    kind = FROM_NUMPY[a.dtype]
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if a.size and not kind.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {kind.type_name}"
        )
    target = _in_memory_order(a)
    _fill(target, streams.exponential, _stream(generator), target.shape, kind, rate)


def bernoulli_p_(a: Array, p: float, generator: Any = None) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    if a.dtype.kind == "c":
        _refuse_if_any("bernoulli_scalar_cpu_", a)
    target = _in_memory_order(a)
    _fill(target, streams.bernoulli, _stream(generator), p, target.shape)


def bernoulli_(a: Array, p: Array, generator: Any = None) -> None:
    if a.dtype.kind == "c":
        _refuse_if_any("bernoulli_tensor_cpu_self_", a)
    if p.dtype.kind not in REAL:
        _refuse_if_any("bernoulli_tensor_cpu_p_", p)
    text = (
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, "
        "please report an enhancement request to PyTorch.)"
    )
    refuse_unless((p >= 0) & (p <= 1), lambda: RuntimeError(text))
    order = sorted(range(a.ndim), key=lambda dim: -a.strides[dim])
    a.transpose(order)[...] = streams.bernoulli(
        _stream(generator), np.broadcast_to(p, a.shape).transpose(order)
    )


def bernoulli(p: Array, generator: Any = None, like: Array | None = None) -> Array:
    result = _to_draw_into(p.shape, p.dtype, like)
    bernoulli_(result, p, generator)
    return result


def bernoulli_p(a: Array, p: float, generator: Any = None) -> Array:
    result = np.empty(a.shape, a.dtype)
    bernoulli_p_(result, p, generator)
    return result


def _to_draw_into(shape: tuple, dtype: np.dtype, like: Array | None) -> Array:
    """An array of a shape; `like`, if it is given, decides the dtype, and the order of memory if it has this shape."""
    if like is None:
        return np.empty(shape, dtype)
    return empty_like(like) if like.shape == shape else np.empty(shape, like.dtype)


def normal(
    mean: Array | float, std: Array | float, generator: Any = None, like: Array | None = None
) -> Array:
    """Normal numbers; `like`, or else the first of the arrays, decides the dtype, both arrays the shape."""
    if isinstance(std, np.ndarray):
        if std.dtype.kind == "c":
            raise RuntimeError("normal expects standard deviation to be non-complex")
        refuse_unless(std >= 0, lambda: RuntimeError("normal expects all elements of std >= 0.0"))
        kind = mean.dtype if isinstance(mean, np.ndarray) else std.dtype
        result = _to_draw_into(np.broadcast_shapes(np.shape(mean), std.shape), kind, like)
        normal_(result, 0.0, 1.0, generator)
        result[...] = result * std
    else:
        assert isinstance(mean, np.ndarray)
        result = _to_draw_into(mean.shape, mean.dtype, like)
        normal_(result, 0.0, std, generator)
    total = result + mean
    if total.dtype.kind == "c" != result.dtype.kind:
        kinds = FROM_NUMPY[total.dtype].type_name, FROM_NUMPY[result.dtype].type_name
        raise RuntimeError(f"result type {kinds[0]} can't be cast to the desired output type {kinds[1]}")
    result[...] = total
    return result


def cauchy_(a: Array, median: float, sigma: float, generator: Any = None) -> None:
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if a.dtype.kind not in REAL:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified "
            f"{c_name(a)}"
        )
    target = _in_memory_order(a)
    _fill(target, streams.cauchy, _stream(generator), target.shape, median, sigma)


def log_normal_(a: Array, mean: float, std: float, generator: Any = None) -> None:
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    if a.dtype.kind not in REAL:
        _refuse_if_any("log_normal_cpu", a)
    target = _in_memory_order(a)
    _fill(target, streams.log_normal, _stream(generator), target.shape, mean, std)


def geometric_(a: Array, p: float, generator: Any = None) -> None:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if a.dtype.kind in "bc":
        _refuse_if_any("geometric_cpu", a)
    target = _in_memory_order(a)
    _fill(target, streams.geometric, _stream(generator), target.shape, p)


def poisson(a: Array, generator: Any = None) -> Array:
    if a.dtype.kind not in REAL:
        _refuse("poisson_cpu", a)
    refuse_unless(~(a < 0), lambda: RuntimeError("invalid Poisson rate, expected rate to be non-negative"))
    return streams.poisson(_stream(generator), a).astype(a.dtype).reshape(a.shape)


def binomial(count: Array, prob: Array, generator: Any = None) -> Array:
    for name, a in (("count", count), ("prob", prob)):
        if a.dtype.kind not in REAL:
            raise ValueError(
                f"binomial only supports floating-point dtypes for {name}, got: {FROM_NUMPY[a.dtype].type_name}"
            )
    if count.dtype != prob.dtype:
        found, expected = FROM_NUMPY[prob.dtype].type_name, FROM_NUMPY[count.dtype].type_name
        raise RuntimeError(f"Found dtype {found} but expected {expected}")
    counts, probabilities = np.broadcast_arrays(count, prob)
    return (
        streams.binomial(_stream(generator), counts, probabilities).astype(count.dtype).reshape(counts.shape)
    )


def multinomial(
    a: Array, num_samples: int, replacement: bool = False, generator: Any = None, like: Array | None = None
) -> Array:
    if a.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if a.dtype.kind not in REAL:
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {FROM_NUMPY[a.dtype].type_name}"
        )
    if like is not None and like.dtype != np.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {FROM_NUMPY[like.dtype].type_name}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > a.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if num_samples == 1 or not replacement:
        text = "probability tensor contains either `inf`, `nan` or element < 0"
        refuse_unless(np.isfinite(a) & (a >= 0), lambda: RuntimeError(text))
    else:
        text = "invalid multinomial distribution (encountering probability entry {})"
        refuse_unless(a >= 0, lambda: RuntimeError(text.format("< 0")))
        refuse_unless(np.isfinite(a), lambda: RuntimeError(text.format("= infinity or NaN")))
    weights = a.reshape(-1, a.shape[-1])
    if a.size:
        none = "invalid multinomial distribution (sum of probabilities <= 0)"
        refuse_unless(weights.sum(1) > 0, lambda: RuntimeError(none))
    shape = (*a.shape[:-1], num_samples)
    if num_samples == 1 or not replacement:
        # A race: whose exponential waiting time, of the rate of its weight, is over first.
        times = empty_like(a)
        exponential_(times, 1.0, generator)
        speed = (a / times).reshape(weights.shape)
        first = np.argmax(speed, 1)[:, None] if num_samples == 1 else np.argsort(-speed, 1, kind="stable")
        return first[:, :num_samples].astype(np.int64).reshape(shape)
    units = streams.uniform(_stream(generator), (len(weights), num_samples), FROM_NUMPY[np.dtype(np.float64)])
    totals = np.add.accumulate(weights, 1, dtype=weights.dtype)
    totals /= totals[:, -1:]
    totals[:, -1] = 1
    found = [np.searchsorted(row, us) for row, us in zip(totals.astype(np.float64), units, strict=True)]
    return np.array(found, np.int64).reshape(shape)
