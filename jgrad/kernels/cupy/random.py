"""Random numbers on a GPU. Replaces the streams that the kernels of `jgrad.kernels.numpy.random` draw from.

The generator is Philox4x32 with ten rounds, a function of (seed, place, number of the draw), and numbers are dealt to the elements as
PyTorch's kernels deal them to threads: element i belongs to thread i mod T, and every draw gives a thread four words. So uniform and
normal numbers and integers are those of PyTorch on the same GPU, but for the last digits of logarithms and sines. One kernel draws and
makes the numbers; its seed and place are arguments. Poisson and binomial numbers are CuPy's, seeded with the place in the stream: of the
right distribution, but not PyTorch's.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from jgrad.dtypes import FROM_NUMPY, dtype
from jgrad.kernels import streams as host_streams
from jgrad.kernels.cupy.language import TYPES
from jgrad.kernels.numpy.fusing import fused

Array = Any
_BLOCK = 256  # threads of a block, as PyTorch launches them


def _stream(generator: Any) -> Any:
    if generator is None:
        return host_streams.default_of("cuda")
    if generator.device.type != "cuda":
        raise RuntimeError(f"Expected a 'cuda' device type for generator but found '{generator.device.type}'")
    return generator


@functools.cache
def _threads(device: int) -> int:
    """How many threads PyTorch starts on a device at most."""
    found = cupy.cuda.runtime.getDeviceProperties(device)
    per_processor = found.get("maxThreadsPerMultiProcessor", 2048) // _BLOCK * _BLOCK
    return found.get("multiProcessorCount", 1) * per_processor


PHILOX = """
__device__ inline void philox(unsigned int key0, unsigned int key1, unsigned long long draw, unsigned long long thread, unsigned int* words) {
  unsigned int a = draw, b = draw >> 32, c = thread, d = thread >> 32;
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xD2511F53ULL * a, second = 0xCD9E8D57ULL * c;
    a = (unsigned int)(second >> 32) ^ b ^ key0;
    b = (unsigned int)second;
    c = (unsigned int)(first >> 32) ^ d ^ key1;
    d = (unsigned int)first;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  words[0] = a; words[1] = b; words[2] = c; words[3] = d;
}
// Between 0, which is not among them, and 1.
__device__ inline float unit(unsigned int word) { return word * 2.3283064365386963e-10f + 1.1641532182693481e-10f; }
__device__ inline double unit(unsigned int high, unsigned int low) {
  return (high ^ ((unsigned long long)low << 21)) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
__device__ inline unsigned long long both(unsigned int high, unsigned int low) { return (unsigned long long)high << 32 | low; }
// Two normal numbers of two uniform ones.
__device__ inline void normal(unsigned int x, unsigned int y, float* pair) {
  const float radius = sqrt(-2.0f * log(unit(x))), angle = y * 1.4629180792671596e-09f + 7.314590396335798e-10f;
  pair[0] = radius * sin(angle);
  pair[1] = radius * cos(angle);
}
__device__ inline void normal(const unsigned int* words, double* pair) {
  const double half_turns = (words[2] ^ ((unsigned long long)words[3] << 21)) * 2.220446049250313e-16 + 1.1102230246251565e-16;
  const double radius = sqrt(-2.0 * log(unit(words[0], words[1]))), angle = half_turns * 3.141592653589793;
  pair[0] = radius * sin(angle);
  pair[1] = radius * cos(angle);
}
"""
# The numbers of one draw, of 32 bits and of 64.
DRAWN = {
    "unit": ("float drawn[4] = {unit(w[0]), unit(w[1]), unit(w[2]), unit(w[3])};",
             "double drawn[2] = {unit(w[0], w[1]), unit(w[2], w[3])};"),
    "normal": ("float drawn[4]; normal(w[0], w[1], drawn); normal(w[2], w[3], drawn + 2);",
               "double drawn[2]; normal(w, drawn);"),
    "integer": ("unsigned long long drawn[4] = {w[0], w[1], w[2], w[3]};",
                "unsigned long long drawn[2] = {both(w[0], w[1]), both(w[2], w[3])};"),
}  # fmt: skip
# What is made of one: its own parameters, the dealt numbers, and the formula.
MADE = {
    "unit": ("", "unit", "drawn[k]"),
    "uniform": ("T range, T low, T high, T least", "unit", "T(O(drawn[k] * range + low)) == high ? O(least) : O(drawn[k] * range + low)"),
    "below": ("T p", "unit", "O(drawn[k] < p)"),
    "normal": ("T std, T mean", "normal", "O(drawn[k] * std + mean)"),
    "integer": ("uint64 bound, uint64 low", "integer", "O((long long)((bound ? drawn[k] % bound : drawn[k]) + low))"),
}  # fmt: skip


@functools.cache
def kernel(what: str, wide: bool, char: str) -> Any:
    """The kernel that fills an array of a dtype with numbers of 32 or, if `wide`, of 64 random bits."""
    parameters, source, formula = MADE[what]
    number, dtype = ("float32", "float64")[wide], cupy.dtype(char).name
    body = f"""
typedef {("float", "double")[wide]} T;
typedef {TYPES[char]} O;
unsigned int w[4];
const unsigned long long thread = i % threads, round = i / threads;
philox(key0, key1, first + round, thread, w);
{DRAWN[source][wide]}
for (int k = 0; k < {4 >> wide}; ++k) {{
  const unsigned long long place = (round * {4 >> wide} + k) * threads + thread;
  if (place < total) out[place] = {formula};
}}
"""
    takes = "uint32 key0, uint32 key1, uint64 first, uint64 threads, uint64 total"
    takes += ", " * bool(parameters) + parameters.replace("T ", f"{number} ")
    name = f"jgrad_{what}_{number if what != 'integer' else 'long' if wide else 'short'}_{dtype}"
    return cupy.ElementwiseKernel(takes, f"raw {dtype} out", body, name, preamble=PHILOX)


def drawn(
    generator: Any, what: str, shape: tuple, wide: bool, dtype: Any, *parameters: Any, out: Array = None
) -> Array:
    """Numbers of a kind, in a new array or in one without gaps."""
    n = math.prod(shape)
    out = cupy.empty(n, dtype) if out is None else out.reshape(-1)
    if n:
        threads, per_draw = min(_threads(cupy.cuda.runtime.getDevice()), -(-n // _BLOCK) * _BLOCK), 4 >> wide
        rounds = -(-n // (threads * per_draw))
        seed, before = generator.draw(4 * rounds)
        key = seed & 0xFFFFFFFF, seed >> 32
        deal = kernel(what, wide, out.dtype.char)
        deal(*key, before // 4, threads, n, *parameters, out, size=rounds * threads)
    return out.reshape(shape)


def _fill(target: Array, draw: Callable[..., Array], *arguments: Any) -> None:
    if draw in STRAIGHT and target.flags.c_contiguous:
        draw(*arguments, out=target)
    else:
        target[...] = draw(*arguments)


@fused
def exponential(units: Array, scale: float, least: float, char: str) -> Array:
    """Of numbers between 0 and 1; what comes too close to 1 is taken for `least`."""
    return (np.where(units >= 1 + least, least, np.log(units)) * scale).astype(char)


@fused
def cauchy(units: Array, median: float, sigma: float) -> Array:
    return median + sigma * np.tan(math.pi * (units - 0.5))


@fused
def geometric(units: Array, scale: float) -> Array:
    return np.ceil(np.log(units) * scale)


class streams:
    """What `jgrad/kernels/streams.py` has for the CPU, here in the same words."""

    largest_integer = staticmethod(host_streams.largest_integer)

    @staticmethod
    def unit(generator: Any, n: int, wide: bool) -> Array:
        """n numbers in (0, 1]."""
        return drawn(generator, "unit", (n,), wide, np.float64 if wide else np.float32)

    @staticmethod
    def uniform(
        generator: Any, shape: tuple, kind: dtype, low: float = 0.0, high: float = 1.0, out: Array = None
    ) -> Array:
        wide = kind.itemsize == 8
        bounds = float(high - low), float(low), *[float(kind.numpy.type(x)) for x in (high, low)]
        return drawn(generator, "uniform", shape, wide, kind.numpy, *bounds, out=out)

    @staticmethod
    def normal(
        generator: Any,
        shape: tuple,
        kind: dtype,
        mean: float = 0.0,
        std: float = 1.0,
        contiguous: bool = True,
        out: Array = None,
    ) -> Array:
        wide = kind.itemsize == 8
        return drawn(generator, "normal", shape, wide, kind.numpy, float(std), float(mean), out=out)

    @staticmethod
    def integers(
        generator: Any,
        low: int,
        high: int,
        shape: tuple,
        kind: dtype,
        wide: bool | None = None,
        out: Array = None,
    ) -> Array:
        count = high - low
        wide = count >= 2**28 if wide is None else wide
        # Bits are added modulo 2**64, so the result is right whatever the sign of low.
        bounds = cupy.uint64(count % 2**64), cupy.uint64(low % 2**64)
        return drawn(generator, "integer", shape, wide, kind.numpy, *bounds, out=out)

    @staticmethod
    def any_integers(generator: Any, shape: tuple, kind: dtype, out: Array = None) -> Array:
        most = host_streams.largest_integer(kind)
        return streams.integers(generator, 0, most + 1, shape, kind, wide=kind.itemsize == 8, out=out)

    @staticmethod
    def bernoulli(generator: Any, p: Any, shape: tuple = (), out: Array = None) -> Array:
        if isinstance(p, cupy.ndarray):
            return streams.unit(generator, p.size, p.dtype.itemsize == 8).reshape(p.shape) <= p
        dtype = cupy.dtype(bool) if out is None else out.dtype
        return drawn(generator, "below", shape, False, dtype, float(p), out=out)

    @staticmethod
    def exponential(generator: Any, shape: tuple, kind: dtype, rate: float = 1.0) -> Array:
        units = streams.unit(generator, math.prod(shape), kind.itemsize == 8)
        half = float(cupy.finfo(units.dtype).eps) / 2
        return exponential(units, -1.0 / rate, -half, kind.numpy.char).reshape(shape)

    @staticmethod
    def cauchy(generator: Any, shape: tuple, median: float, sigma: float) -> Array:
        return cauchy(streams.unit(generator, math.prod(shape), True), median, sigma).reshape(shape)

    @staticmethod
    def log_normal(generator: Any, shape: tuple, mean: float, std: float) -> Array:
        return cupy.exp(streams.normal(generator, shape, FROM_NUMPY[cupy.dtype("f8")], mean, std))

    @staticmethod
    def geometric(generator: Any, shape: tuple, p: float) -> Array:
        return geometric(streams.unit(generator, math.prod(shape), True), 1 / math.log1p(-p)).reshape(shape)

    @staticmethod
    def poisson(generator: Any, rates: Array) -> Array:
        return _of_cupy(generator).poisson(rates)

    @staticmethod
    def binomial(generator: Any, counts: Array, probabilities: Array) -> Array:
        return _of_cupy(generator).binomial(counts, probabilities)


# What is drawn in the dtype of the result.
STRAIGHT = streams.uniform, streams.normal, streams.integers, streams.any_integers, streams.bernoulli


def _of_cupy(generator: Any) -> Any:
    """A generator of CuPy's that begins at the place of ours."""
    seed, before = generator.draw(4)
    return cupy.random.Generator(cupy.random.Philox4x3210([seed, before]))
