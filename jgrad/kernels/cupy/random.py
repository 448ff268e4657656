"""Random numbers on a GPU. Replaces the streams that the kernels of `jgrad.kernels.numpy.random` draw from.

The generator is Philox4x32 with ten rounds, a function of (seed, place, number of the draw), and numbers are dealt to the elements as
PyTorch's kernels deal them to threads: element i belongs to thread i mod T, and every draw gives a thread four words. So uniform and
normal numbers and integers are those of PyTorch on the same GPU, but for the last digits of logarithms and sines.
"""

from __future__ import annotations

import math
from typing import Any

import cupy

from jgrad import random as host_streams
from jgrad.devices import resolve
from jgrad.dtypes import FROM_NUMPY, dtype

Array = Any
_BLOCK = 256  # threads of a block, as PyTorch launches them
_LOW = cupy.uint64(0xFFFFFFFF)


def _stream(generator: Any) -> Any:
    if generator is None:
        return host_streams.default_of(resolve("cuda"))
    if generator.device.type != "cuda":
        raise RuntimeError(f"Expected a 'cuda' device type for generator but found '{generator.device.type}'")
    return generator


def _philox(seed: int, draws: Array, threads: Array) -> list[Array]:
    """The four words, as uint64 below 2**32, of each pair of draw and thread."""
    c0, c1 = draws & _LOW, draws >> cupy.uint64(32)
    c2, c3 = threads & _LOW, threads >> cupy.uint64(32)
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = c0 * cupy.uint64(0xD2511F53), c2 * cupy.uint64(0xCD9E8D57)
        c0, c1 = (p1 >> cupy.uint64(32)) ^ c1 ^ cupy.uint64(k0), p1 & _LOW
        c2, c3 = (p0 >> cupy.uint64(32)) ^ c3 ^ cupy.uint64(k1), p0 & _LOW
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return [c0, c1, c2, c3]


def _threads() -> int:
    """How many threads PyTorch starts at most."""
    found = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.runtime.getDevice())
    per_processor = found.get("maxThreadsPerMultiProcessor", 2048) // _BLOCK * _BLOCK
    return found.get("multiProcessorCount", 1) * per_processor


def _words(generator: Any, n: int, per_draw: int) -> tuple[list[Array], Array]:
    """The words of the draws that n elements need, four each, and which of the `per_draw` numbers of a draw an element takes."""
    threads = min(_threads(), -(-n // _BLOCK) * _BLOCK)
    rounds = -(-n // (threads * per_draw))
    seed, before = generator.draw(4 * rounds)
    i = cupy.arange(n, dtype=cupy.uint64)
    in_round = i % cupy.uint64(threads * per_draw)
    draws = i // cupy.uint64(threads * per_draw) + cupy.uint64(before // 4)
    return _philox(seed, draws, in_round % cupy.uint64(threads)), in_round // cupy.uint64(threads)


def _chosen(which: Array, numbers: list[Array]) -> Array:
    """Of each element the number that `which` says."""
    result = numbers[0]
    for k, candidates in enumerate(numbers[1:], 1):
        result = cupy.where(which == cupy.uint64(k), candidates, result)
    return result


class streams:
    """What `jgrad.random` has for the CPU, here in the same words."""

    largest_integer = staticmethod(host_streams.largest_integer)

    @staticmethod
    def unit(generator: Any, n: int, wide: bool) -> Array:
        """n numbers in (0, 1]."""
        if not n:
            return cupy.empty(0, cupy.float64 if wide else cupy.float32)
        if wide:
            (x, y, z, w), which = _words(generator, n, 2)
            high, low = _chosen(which, [x, z]), _chosen(which, [y, w])
            return (high ^ (low << cupy.uint64(21))).astype(cupy.float64) * 2.0**-53 + 2.0**-54
        words, which = _words(generator, n, 4)
        return _chosen(which, words).astype(cupy.float32) * cupy.float32(2**-32) + cupy.float32(2**-33)

    @staticmethod
    def uniform(generator: Any, shape: tuple, kind: dtype, low: float = 0.0, high: float = 1.0) -> Array:
        units = streams.unit(generator, math.prod(shape), kind.itemsize == 8)
        real = units.dtype.type
        numbers = (units * real(high - low) + real(low)).astype(kind.numpy)
        return cupy.where(numbers == numbers.dtype.type(high), numbers.dtype.type(low), numbers).reshape(
            shape
        )

    @staticmethod
    def normal(
        generator: Any,
        shape: tuple,
        kind: dtype,
        mean: float = 0.0,
        std: float = 1.0,
        contiguous: bool = True,
    ) -> Array:
        n = math.prod(shape)
        if not n:
            return cupy.empty(shape, kind.numpy)
        if kind.itemsize == 8:
            (x, y, z, w), which = _words(generator, n, 2)
            u = (x ^ (y << cupy.uint64(21))).astype(cupy.float64) * 2.0**-53 + 2.0**-54
            angle = ((z ^ (w << cupy.uint64(21))).astype(cupy.float64) * 2.0**-52 + 2.0**-53) * math.pi
            radius = cupy.sqrt(-2.0 * cupy.log(u))
            pair = [radius * cupy.sin(angle), radius * cupy.cos(angle)]
            return (_chosen(which, pair) * std + mean).reshape(shape)
        words, which = _words(generator, n, 4)
        found = []
        for a, b in (words[:2], words[2:]):
            u = a.astype(cupy.float32) * cupy.float32(2**-32) + cupy.float32(2**-33)
            turn = cupy.float32(2 * math.pi * 2**-32)
            angle = b.astype(cupy.float32) * turn + turn / cupy.float32(2)
            radius = cupy.sqrt(cupy.float32(-2) * cupy.log(u))
            found += [radius * cupy.sin(angle), radius * cupy.cos(angle)]
        numbers = _chosen(which, found) * cupy.float32(std) + cupy.float32(mean)
        return numbers.astype(kind.numpy).reshape(shape)

    @staticmethod
    def integers(
        generator: Any, low: int, high: int, shape: tuple, kind: dtype, wide: bool | None = None
    ) -> Array:
        n, count = math.prod(shape), high - low
        if not n:
            return cupy.empty(shape, kind.numpy)
        if count >= 2**28 if wide is None else wide:
            (x, y, z, w), which = _words(generator, n, 2)
            words = (_chosen(which, [x, z]) << cupy.uint64(32)) | _chosen(which, [y, w])
        else:
            fours, which = _words(generator, n, 4)
            words = _chosen(which, fours)
        if count < 2**64:
            words = words % cupy.uint64(count)
        # Bits are added modulo 2**64, so the result is right whatever the sign of low.
        return (words + cupy.uint64(low % 2**64)).view(cupy.int64).astype(kind.numpy).reshape(shape)

    @staticmethod
    def any_integers(generator: Any, shape: tuple, kind: dtype) -> Array:
        most = host_streams.largest_integer(kind)
        return streams.integers(generator, 0, most + 1, shape, kind, wide=kind.itemsize == 8)

    @staticmethod
    def bernoulli(generator: Any, p: Any, shape: tuple | None = None) -> Array:
        if isinstance(p, cupy.ndarray):
            return streams.unit(generator, p.size, p.dtype.itemsize == 8).reshape(p.shape) <= p
        return streams.unit(generator, math.prod(shape or ()), False).reshape(shape) < p

    @staticmethod
    def exponential(generator: Any, shape: tuple, kind: dtype, rate: float = 1.0) -> Array:
        units = streams.unit(generator, math.prod(shape), kind.itemsize == 8)
        half = float(cupy.finfo(units.dtype).eps) / 2
        logarithm = cupy.where(units >= 1 - half, units.dtype.type(-half), cupy.log(units))
        return (logarithm * (-1.0 / rate)).astype(kind.numpy).reshape(shape)

    @staticmethod
    def cauchy(generator: Any, shape: tuple, median: float, sigma: float) -> Array:
        units = streams.unit(generator, math.prod(shape), True)
        return (median + sigma * cupy.tan(math.pi * (units - 0.5))).reshape(shape)

    @staticmethod
    def log_normal(generator: Any, shape: tuple, mean: float, std: float) -> Array:
        return cupy.exp(streams.normal(generator, shape, FROM_NUMPY[cupy.dtype("f8")], mean, std))

    @staticmethod
    def geometric(generator: Any, shape: tuple, p: float) -> Array:
        units = streams.unit(generator, math.prod(shape), True)
        return cupy.ceil(cupy.log(units) / math.log1p(-p)).reshape(shape)

    @staticmethod
    def poisson(generator: Any, rates: Array) -> Array:
        raise NotImplementedError("poisson on a GPU: jgrad draws Poisson-distributed numbers on the CPU only")

    @staticmethod
    def binomial(generator: Any, counts: Array, probabilities: Array) -> Array:
        raise NotImplementedError(
            "binomial on a GPU: jgrad draws binomially distributed numbers on the CPU only"
        )
