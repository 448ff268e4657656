"""Points that fill a cube evenly: Sobol sequences; `torch.quasirandom`."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

import jgrad
from jgrad import manual
from jgrad.extra.quasirandom_table import BITS, DEGREES
from jgrad.tensor import Tensor


class SobolEngine:
    """Makes Sobol points: quasi-random points in a unit cube, which fill it more evenly than random ones."""

    MAXBIT = 30
    MAXDIM = 1 + sum(DEGREES)

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        numbers = direction_numbers(dimension, self.MAXBIT)
        self.shift = jgrad.zeros(dimension, dtype=jgrad.int64)
        if scramble:
            numbers = self._scrambled(numbers)
        self.sobolstate = jgrad.from_numpy(numbers)
        self.quasi = self.shift.clone(memory_format=jgrad.contiguous_format)
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def _scrambled(self, numbers: np.ndarray) -> np.ndarray:
        """The direction numbers, each multiplied by a random triangular matrix of bits; sets a random shift too."""
        generator = None
        if self.seed is not None:
            generator = jgrad.Generator()
            generator.manual_seed(self.seed)
        n = self.MAXBIT
        bits = jgrad.randint(2, (self.dimension, n), generator=generator)
        self.shift = jgrad.mv(bits, jgrad.pow(2, jgrad.arange(n)))
        matrices = jgrad.randint(2, (self.dimension, n, n), generator=generator).tril().numpy().copy()
        matrices[:, range(n), range(n)] = 1
        # The highest bit of a number is the first one of its column.
        highest_first = np.arange(n - 1, -1, -1)
        columns = (numbers[:, None, :] >> highest_first[:, None]) & 1
        turned = (matrices @ columns) & 1
        return (turned << highest_first[:, None]).sum(1)

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """The next points of the sequence."""
        kind = jgrad.get_default_dtype() if dtype is None else dtype
        if self.num_generated == 0:
            first = self._first_point.to(kind)
            result = first if n == 1 else jgrad.cat([first, self._advance(n - 1, 0, kind)])
        else:
            result = self._advance(n, self.num_generated - 1, kind)
        self.num_generated += n
        if out is not None:
            out.resize_as_(result).copy_(result)
            return out
        return result

    def _advance(self, n: int, generated: int, dtype: Any) -> Tensor:
        """The next n points after so many, as tensors of a dtype (None: only go on)."""
        if not isinstance(n, int):
            raise TypeError(
                f"_sobol_engine_draw(): argument 'n' (position 2) must be int, not {type(n).__name__}"
            )
        if n < 0 and dtype is not None:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: [{n}, {self.dimension}]"
            )
        if dtype not in (None, jgrad.float32, jgrad.float64):
            raise NotImplementedError(f"\"_sobol_engine_draw\" not implemented for '{dtype.type_name}'")
        steps = np.arange(generated, generated + max(n, 0))
        # Each point differs from the one before by the direction number at the lowest bit of the counter that is 0.
        places = np.bitwise_count(steps & ~(steps + 1))
        points = np.bitwise_xor.accumulate(
            np.vstack([self.quasi.numpy()[None], self.sobolstate.numpy().T[places]]), axis=0
        )
        last = jgrad.from_numpy(points[-1].copy())
        if dtype is None:
            return self.quasi.copy_(last)
        self.quasi = last
        return jgrad.from_numpy(points[1:].astype(dtype.numpy) * dtype.numpy.type(2.0**-self.MAXBIT))

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """The next 2 ** m points. So many points, from the first one on, are balanced."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                f"The balance properties of Sobol' points require n to be a power of 2. {self.num_generated} points have been previously "
                f"generated, then: n={self.num_generated}+2**{m}={total}. If you still want to do this, please use 'SobolEngine.draw()' instead."
            )
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self) -> SobolEngine:
        """Begin the sequence again."""
        self.quasi = self.shift.clone()
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Skip points."""
        if self.num_generated == 0:
            self._advance(n - 1, 0, None)
        else:
            self._advance(n, self.num_generated - 1, None)
        self.num_generated += n
        return self

    def __repr__(self) -> str:
        words = [f"dimension={self.dimension}"]
        if self.scramble:
            words.append("scramble=True")
        if self.seed is not None:
            words.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(words)})"


def direction_numbers(dimension: int, bits: int) -> np.ndarray:
    """The direction numbers of some dimensions, one in a row: int64 of so many bits."""
    table = np.unpackbits(np.frombuffer(base64.b85decode("".join(BITS)), np.uint8)).tolist()
    place = 0

    def read(count: int) -> int:
        """The next bits as a number."""
        nonlocal place
        place += count
        return int("".join(map(str, table[place - count : place])) or "0", 2)

    rows = [[1] * bits]  # (the first dimension has no polynomial)
    for degree in [d for d, count in enumerate(DEGREES, 1) for _ in range(count)][: dimension - 1]:
        inner = read(degree - 1)
        row = [2 * read(i - 1) + 1 for i in range(1, degree + 1)]
        for i in range(degree, bits):
            new = row[i - degree] ^ row[i - degree] << degree
            for k in range(1, degree):
                if inner >> (degree - 1 - k) & 1:
                    new ^= row[i - k] << k
            row.append(new)
        rows.append(row)
    return np.array(rows, np.int64) << np.arange(bits - 1, -1, -1)


manual.attach(__name__)
