"""Element-wise kernels of the foreign library: their bodies, which are lines of one ufunc each, are run by NumPy's ufuncs."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tests.foreign.arrays import check_devices, fresh, ndarray

TYPES = {
    "bool": np.bool, "signed char": np.int8, "short": np.int16, "int": np.int32, "long long": np.int64, "unsigned char": np.uint8,
    "unsigned short": np.uint16, "unsigned int": np.uint32, "unsigned long long": np.uint64, "float16": np.float16, "float": np.float32,
    "double": np.float64,
}  # fmt: skip
STEP = re.compile(r"const ([\w ]+) (v\d+) = static_cast<([\w ]+)>\(np_(\w+)<([\w ]+)>\((.+)\)\);")
RESULT = re.compile(r"(?:(y\d+) =|(return)) ([vx]\d+);")
CONSTANTS = {
    "true": True,
    "false": False,
    "(0.0 / 0.0)": np.nan,
    "(1.0 / 0.0)": np.inf,
    "(-1.0 / 0.0)": -np.inf,
}


def special(function: Any) -> Any:
    return lambda a: np.array([function(x) for x in np.ravel(a).tolist()], a.dtype).reshape(np.shape(a))


FUNCTIONS = {
    "cast": lambda a: a,
    "where": np.where,
    "erf": special(math.erf),
    "erfc": special(math.erfc),
}


every: list[Any] = []  # kernel so far


class Kernel:
    """What kernels have in common: parameters with dtypes, and lines that are run one after the other."""

    def __init__(self, in_params: str, out_params: str, name: str, lines: str, preamble: str) -> None:
        assert re.fullmatch("[a-zA-Z_][a-zA-Z_0-9]*", name)
        every.append(self)
        self.name, self.lines, self.preamble = name, lines, preamble
        self.takes, self.gives = (
            [(np.dtype(p.split()[0]), p.split()[1]) for p in params.split(", ")]
            for params in (in_params, out_params)
        )
        self.steps = []
        self.results = {}
        for line in lines.splitlines():
            if step := STEP.fullmatch(line):
                kind, value, again, function, inner, operands = step.groups()
                assert kind == again
                call = FUNCTIONS.get(function) or getattr(np, function)
                self.steps.append((value, TYPES[kind], call, TYPES[inner], operands.split(", ")))
            else:
                found = RESULT.fullmatch(line)
                assert found, line
                self.results[found[1] or found[2]] = found[3]

    def run(self, args: tuple) -> tuple[dict[str, Any], tuple]:
        """The values of all lines, and the shape that the arrays have together."""
        values: dict[str, Any] = {}
        arrays = [a for a in args if isinstance(a, ndarray)]
        check_devices(arrays)
        for a, (dtype, name) in zip(args, self.takes, strict=True):
            if isinstance(a, ndarray):
                if a.dtype != dtype:
                    raise TypeError(f"Type is mismatched. {name} {a.dtype} {dtype}")
                values[name] = a._host
            else:
                assert type(a) in (int, float, dtype.type), a
                values[name] = dtype.type(a)
        with np.errstate(all="ignore"):
            for value, outer, call, inner, operands in self.steps:
                given = [operand(o, values, inner) for o in operands]
                if call is np.where:
                    given[0] = operand(operands[0], values, np.bool)
                values[value] = np.asarray(call(*given)).astype(outer)
        return values, np.broadcast_shapes(*[a.shape for a in arrays])


def operand(text: str, values: dict[str, Any], kind: Any) -> Any:
    """A value by its name, or a literal, in the type that the function computes in."""
    if text not in values:
        text = text.removesuffix("ULL").removesuffix("LL")
        number = CONSTANTS.get(text)
        return np.asarray(
            (float if re.search("[.e]", text) else int)(text) if number is None else number
        ).astype(kind)
    return np.asarray(values[text]).astype(kind)


class ElementwiseKernel(Kernel):
    """A kernel of one function of elements; its results are in C order."""

    def __new__(cls, in_params: str, out_params: str, operation: str, name: str, preamble: str) -> Any:
        drawing = out_params.startswith("raw")
        return (
            DrawingKernel(in_params, out_params, operation, name, preamble)
            if drawing
            else object.__new__(cls)
        )

    def __init__(self, in_params: str, out_params: str, operation: str, name: str, preamble: str) -> None:
        super().__init__(in_params, out_params, name, operation, preamble)
        self.arguments = in_params, out_params, operation, name

    def __call__(self, *args: Any) -> Any:
        if len(args) not in (len(self.takes), len(self.takes) + len(self.gives)):
            raise TypeError(f"Wrong number of arguments for {self.name!r}")
        outputs = args[len(self.takes) :]
        check_devices(list(outputs))
        values, shape = self.run(args[: len(self.takes)])
        found = []
        for i, (dtype, name) in enumerate(self.gives):
            value = np.broadcast_to(values[self.results[name]], shape)
            if outputs:
                if outputs[i].shape != shape:
                    raise ValueError("Out shape is mismatched")
                assert outputs[i].dtype == dtype
                outputs[i]._host[...] = value
                found.append(outputs[i])
            else:
                assert value.dtype == dtype
                found.append(fresh(np.array(value, dtype, order="C")))
        return found[0] if len(found) == 1 else tuple(found)


class ReductionKernel(Kernel):
    """A sum of what the function `element`, which stands at the end of the preamble, makes."""

    def __init__(
        self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str, identity: str, name: str,
        reduce_type: str, preamble: str,
    ) -> None:  # fmt: skip
        found = re.fullmatch(r"(?s).*\n__device__ inline ([\w ]+) element\((.*)\) \{\n(.*)\n\}", preamble)
        assert found
        super().__init__(in_params, out_params, name, found[3], preamble)
        self.arguments = (
            in_params,
            out_params,
            map_expr,
            reduce_expr,
            post_map_expr,
            identity,
            name,
            reduce_type,
        )
        assert (reduce_expr, post_map_expr, identity, found[1]) == ("a + b", "y = a", "0", reduce_type)
        names = [n for _, n in self.takes]
        assert map_expr == f"element({', '.join(names)})"
        assert [p.split()[-1] for p in found[2].split(", ")] == names
        self.wide = np.float64 if TYPES[reduce_type] in (np.float32, np.float64) else TYPES[reduce_type]

    def __call__(self, *args: Any, axis: Any, keepdims: bool) -> ndarray:
        values, shape = self.run(args)
        elements = np.broadcast_to(values[self.results["return"]], shape).astype(self.wide)
        with np.errstate(all="ignore"):
            found = elements.sum(axis, keepdims=keepdims)
        return fresh(np.array(found, self.gives[0][0], order="C"))


# Random numbers: what the kernels of `jgrad/kernels/cupy/random.py` are to compute, in NumPy's words ------------------------------------


def philox(keys: tuple[int, int], draws: np.ndarray, places: np.ndarray) -> list[np.ndarray]:
    """Philox4x32 with ten rounds: the four words of each pair of draw and place."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    a, b, c, d = draws & low, draws >> half, places & low, places >> half
    for i in range(10):
        key0, key1 = (
            np.uint64(k + i * w & 0xFFFFFFFF) for k, w in zip(keys, (0x9E3779B9, 0xBB67AE85), strict=True)
        )
        first, second = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = second >> half ^ b ^ key0, second & low, first >> half ^ d ^ key1, first & low
    return [a, b, c, d]


def unit(words: list[np.ndarray]) -> np.ndarray:
    """Between 0 and 1, of a word or of two."""
    if len(words) == 1:
        return words[0].astype(np.float32) * np.float32(2**-32) + np.float32(2**-33)
    return (words[0] ^ words[1] << np.uint64(21)).astype(np.float64) * 2.0**-53 + 2.0**-54


def pair(radius: np.ndarray, angle: np.ndarray) -> list[np.ndarray]:
    return [radius * np.sin(angle), radius * np.cos(angle)]


def drawn(source: str, wide: bool, w: list[np.ndarray]) -> list[np.ndarray]:
    """The two or four numbers of a draw."""
    if source == "integer":
        return [w[0] << np.uint64(32) | w[1], w[2] << np.uint64(32) | w[3]] if wide else w
    if source != "normal":
        return [unit(w[:2]), unit(w[2:])] if wide else [unit([x]) for x in w]
    if wide:
        turns = (w[2] ^ w[3] << np.uint64(21)).astype(np.float64) * 2.0**-52 + 2.0**-53
        return pair(np.sqrt(-2 * np.log(unit(w[:2]))), turns * math.pi)
    circle = np.float32(2 * math.pi * 2**-32)
    return [
        number
        for x, y in (w[:2], w[2:])
        for number in pair(
            np.sqrt(np.float32(-2) * np.log(unit([x]))),
            y.astype(np.float32) * circle + circle / np.float32(2),
        )
    ]


def made(what: str, x: np.ndarray, dtype: np.dtype, *parameters: Any) -> np.ndarray:
    """What becomes of a number."""
    if what == "unit":
        return x
    if what == "integer":
        bound, low = parameters
        return ((x % bound if bound else x) + low).view(np.int64).astype(dtype)
    a, *more = (x.dtype.type(p) for p in parameters)
    if what == "below":
        return (x < a).astype(dtype)
    found = (x * a + more[0]).astype(dtype)
    return np.where(found == more[1], dtype.type(more[2]), found) if what == "uniform" else found


class DrawingKernel:
    """A kernel that deals random numbers to an array; its name tells which."""

    def __init__(self, in_params: str, out_params: str, operation: str, name: str, preamble: str) -> None:
        every.append(self)
        self.name, self.lines, self.preamble = name, operation, preamble
        self.arguments = in_params, out_params, operation, name
        _, self.what, self.bits, dtype = name.split("_")
        self.dtype, self.wide = np.dtype(dtype), self.bits in ("float64", "long")

    def __call__(
        self, key0: int, key1: int, first: int, threads: int, total: int, *rest: Any, size: int
    ) -> None:
        *parameters, out = rest
        check_devices([out])
        assert out.shape == (total,)
        assert out.dtype == self.dtype
        place = np.arange(size, dtype=np.uint64)
        words = philox(
            (key0, key1), np.uint64(first) + place // np.uint64(threads), place % np.uint64(threads)
        )
        numbers = drawn(self.what, self.wide, words)
        dealt = np.array(numbers).reshape(len(numbers), -1, threads).swapaxes(0, 1).reshape(-1)[:total]
        with np.errstate(all="ignore"):
            out._host[...] = made(self.what, dealt, self.dtype, *parameters)


class BitGenerator:
    """The source of a generator of the foreign library."""

    def __init__(self, seed: Any) -> None:
        self.host = np.random.Philox(np.random.SeedSequence(seed))


class Generator:
    """CuPy's generator, of which three distributions are there."""

    def __init__(self, bits: BitGenerator) -> None:
        self.host = np.random.Generator(bits.host)

    def poisson(self, lam: ndarray) -> ndarray:
        check_devices([lam])
        return fresh(np.array(self.host.poisson(np.nan_to_num(lam._host.astype(float)))))

    def binomial(self, n: ndarray, p: ndarray) -> ndarray:
        check_devices([n, p])
        return fresh(np.array(self.host.binomial(n._host.astype(int), p._host.astype(float))))

    def standard_gamma(self, shape: ndarray) -> ndarray:
        check_devices([shape])
        return fresh(np.array(self.host.standard_gamma(shape._host.astype(float))))
