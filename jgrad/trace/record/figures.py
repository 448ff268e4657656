"""The figures of each round of a training loop: losses, and of each parameter the norms of its gradient, of its update and of its value.

Note [Figures]: small parameters are only copied while the loop runs, as bytes. The norms of many rounds are computed at once. A copy takes a tenth
of the time of a norm. Of large parameters the norms are computed at once; of an update from a sample of the elements.

Note [Bins]: a table has a row for each round, until it would hold more than LIMIT numbers. Then a row stands for several rounds, a *bin*: it
holds the figure of the first of them, the least and the largest. So the memory is bounded, however long the loop is.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jgrad.graph.batched import NoData
from jgrad.kernels import libraries
from jgrad.kernels.numpy.memory import Array
from jgrad.tensor import Tensor
from jgrad.trace.record.contents import F32, F64, extent, on_host, silent

LIMIT = 1_400_000  # numbers that all tables hold together
SMALL = 2048  # elements of a parameter that is copied
SAMPLED = 16_384  # elements of a large parameter from which the norm of its update is taken
RUNS = 200  # runs of rounds with nan or infinity that are listed per parameter
SERIES = 1500  # columns of the table
LEAST_SQUARE = 1e-30  # squares below it have lost digits in single precision
LARGEST = float(np.finfo(np.float32).max)
NO_FIGURE = np.array(0xFFFFFFFF, np.uint32).view(np.float32)  # a nan that no computation gives

GRADIENT, UPDATE, VALUE = range(3)
ndarray = np.ndarray


class Table:
    """Figures by round and series. Rounds count from 0."""

    def __init__(self) -> None:
        self.rounds = 0  # so many have a row
        self.bin = 1  # rounds of a row
        self.width = 0  # series
        self._enough = 0  # for so many rounds there is room
        self.parts = [
            np.full((256, 8), NO_FIGURE, np.float32)
        ]  # in bins: the first figures, the least, the largest

    def add_series(self) -> int | None:
        """The number of a new column; None if there are too many."""
        if self.width >= SERIES:
            return None
        self.width += 1
        if self.width > self.parts[0].shape[1]:
            self.parts = [_grown(part, (len(part), 2 * part.shape[1])) for part in self.parts]
        self._enough = 0
        return self.width - 1

    def reserve(self, rounds: int) -> None:
        """Make room for so many rounds."""
        if rounds > self.rounds:
            self.rounds = rounds
            if rounds > self._enough:
                self._make_room()

    def _make_room(self) -> None:
        while math.ceil(self.rounds / self.bin) * self.width * len(self.parts) > LIMIT:
            self._coarsen()
        rows = math.ceil(self.rounds / self.bin)
        if rows > len(self.parts[0]):
            self.parts = [_grown(part, (2 * rows, part.shape[1])) for part in self.parts]
        most = LIMIT // (max(self.width, 1) * len(self.parts))
        self._enough = min(len(self.parts[0]), most) * self.bin

    def put_one(self, number: int, column: int, figure: float) -> None:
        """Write one figure of a round that has a row."""
        if not -LARGEST < figure < LARGEST and figure == figure:
            figure = math.copysign(math.inf, figure)
        if self.bin == 1:
            self.parts[0][number, column] = figure
        else:
            self._put_in_bin(number, np.array([column]), np.array([figure], np.float32))

    def put(self, rounds: Array, columns: Sequence[int], figures: Array) -> None:
        """Write the figures of some rounds, a row for each, into some columns. NO_FIGURE leaves what is there."""
        if self.bin == 1:
            place = np.ix_(rounds, np.array(columns))
            target = self.parts[0]
            target[place] = np.where(missing(figures), target[place], figures)
            return
        for number, row in zip(rounds.tolist(), figures, strict=True):
            self._put_in_bin(number, np.asarray(columns), row)

    def _put_in_bin(self, number: int, columns: Array, row: Array) -> None:
        known = ~missing(row)
        columns, row = columns[known], row[known]
        first, least, largest = (part[number // self.bin] for part in self.parts)
        fresh = missing(first[columns])
        first[columns] = np.where(fresh, row, first[columns])
        least[columns] = np.where(fresh, row, _fmin(least[columns], row))
        largest[columns] = np.where(fresh, row, _fmax(largest[columns], row))

    @silent
    def _coarsen(self) -> None:
        """Have a row stand for twice as many rounds; at first for four times, since a bin holds three numbers."""
        times = 4 if self.bin == 1 else 2
        self.bin *= times
        parts = self.parts if len(self.parts) == 3 else self.parts * 3
        rows = -(-len(parts[0]) // times)
        padded = [_grown(part, (rows * times, part.shape[1])).reshape(rows, times, -1) for part in parts]
        first = padded[0][:, 0]
        least, largest = padded[1][:, 0], padded[2][:, 0]
        for k in range(1, times):
            first = np.where(missing(first), padded[0][:, k], first)
            least = np.where(missing(least), padded[1][:, k], _fmin(least, padded[1][:, k]))
            largest = np.where(missing(largest), padded[2][:, k], _fmax(largest, padded[2][:, k]))
        self.parts = [first, least, largest]

    def merge(self, count: int, losses: Iterable[int], mean: bool) -> None:
        """Make one round of the last `count`. Its figures are the last ones; in the columns of losses their mean or the first one. Only before
        there are bins."""
        table, start = self.parts[0], self.rounds - count
        rows = table[start : self.rounds].copy()
        table[start : self.rounds] = NO_FIGURE
        columns = set(losses)
        for column in range(self.width):
            known = rows[~missing(rows[:, column]), column]
            if len(known):
                loss = known.mean() if mean else known[0]
                table[start, column] = loss if column in columns else known[-1]
        self.rounds = start + 1


def missing(figures: Array) -> Array:
    """Where there is no figure."""
    return np.ascontiguousarray(figures).view(np.uint32) == 0xFFFFFFFF


def _fmin(known: Array, new: Array) -> Array:
    """The least, of what is a number; a nan only if both are."""
    return np.where(
        missing(new) | np.isnan(new), known, np.where(np.isnan(known), new, np.minimum(known, new))
    )


def _fmax(known: Array, new: Array) -> Array:
    return np.where(
        missing(new) | np.isnan(new), known, np.where(np.isnan(known), new, np.maximum(known, new))
    )


def _grown(part: Array, shape: tuple[int, int]) -> Array:
    grown = np.full(shape, NO_FIGURE, np.float32)
    grown[: len(part), : part.shape[1]] = part
    return grown


class Runs:
    """Which rounds had elements that are nan or infinite: [first round, last round, nan, inf], the counts being those of each of these rounds."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self.more = False  # whether some are not listed

    def add(self, number: int, nan: int, inf: int) -> None:
        last = self.rows[-1] if self.rows else None
        if last is not None and last[1] == number:  # the same round once more
            self.rows.pop()
            if last[0] < number:
                self.rows.append([last[0], number - 1, *last[2:]])
            last = self.rows[-1] if self.rows else None
        if not nan and not inf:
            return
        if last is not None and last[1] == number - 1 and last[2:] == [nan, inf]:
            last[1] = number
        elif len(self.rows) < RUNS:
            self.rows.append([number, number, nan, inf])
        else:
            self.more = True


class Series:
    """The figures of a parameter: a weak reference to it, its columns in the table (gradient, update, value), and its rounds with nan or infinity."""

    def __init__(self, tensor: Tensor, columns: tuple[int, int, int]) -> None:
        self.tensor = weakref.ref(tensor)
        self.record: Any = None  # that of the tensor in the registry, when it is known
        self.shape: tuple[int, ...] = tensor._a.shape
        self.columns = columns
        self.gradients, self.values = Runs(), Runs()


class Group:
    """Parameters whose figures are read together: those of an optimizer, or the leaves that a loop without optimizer trains. See Note [Figures]."""

    def __init__(self, params: list[Tensor], series: list[Series], table: Table) -> None:
        self.table = table
        self.series = series
        self.ids = [*map(id, params)]
        small = [p._a.size <= SMALL and _plain(p._a) for p in params]
        self.small = [i for i, fits in enumerate(small) if fits]
        self.large = [i for i, fits in enumerate(small) if not fits]
        self.sizes = [params[i]._a.nbytes for i in self.small]
        self.dtypes = [_real(params[i]._a.dtype) for i in self.small]
        # Of each round that waits: its number, the gradients and the values of small parameters. None: the values were not read.
        self.numbers: list[int] = []
        self.gradients: list[list[bytes]] = []
        self.values: list[list[bytes] | None] = []
        self.start: list[bytes] | None = None  # the values before the first of them
        self.without: list[tuple[int, ...]] = []  # which of the small ones had no gradient
        self.squares: list[float] = []  # the squares of the gradients of the large ones
        self.before: dict[int, Any] = {}  # of the large ones: a sample of their values
        self.began: dict[int, Any] = {}  # those before the rounds that wait
        self.gone: tuple[int, ...] | None = None  # which had no gradient last
        self.usual = 0.0  # the logarithm of the usual norm of all gradients
        self.norms = 0  # in how many rounds it was known

    def adopt(self, params: list[Tensor]) -> bool:
        """Whether this group is for these parameters. A leaf that is made anew in each round takes the place of one that is gone."""
        ids = [*map(id, params)]
        if ids == self.ids:
            return True
        if len(ids) != len(self.ids):
            return False
        for p, s in zip(params, self.series, strict=True):
            old = s.tensor()
            if old is not p and (old is not None or p._a.shape != s.shape):
                return False
        for p, s in zip(params, self.series, strict=True):
            s.tensor = weakref.ref(p)
        self.ids = ids
        return True

    def begin(self, params: list[Tensor]) -> None:
        """Note the values before the first round."""
        self.start = [params[i]._a.tobytes() for i in self.small]
        self.before = {i: _sample(params[i]._a) for i in self.large}
        self.began = self.before.copy()

    def go_on(self, other: Group) -> None:
        """Take over the values before the first round from another group that read them, if it has the same parameters."""
        at = {id(s): i for i, s in enumerate(other.series)}
        places = [at.get(id(s), -1) for s in self.series]
        if other.start is not None and all([places[i] in other.small for i in self.small]):
            self.start = [other.start[other.small.index(places[i])] for i in self.small]
        self.before |= {i: other.began[places[i]] for i in self.large if places[i] in other.began}

    def read_gradients(self, number: int, params: list[Tensor]) -> bool:
        """Read the gradients of a round. Returns whether other parameters had one than last time."""
        gone: tuple[int, ...] = ()
        square = 0.0
        try:
            if self.large:
                square = self._read_large_gradients(number, params)
                params = [params[i] for i in self.small]
            row = [p._grad._a.tobytes() for p in params]  # type: ignore[union-attr]
        except AttributeError:  # there is a parameter without a gradient
            gone = tuple([k for k, p in enumerate(params) if p._grad is None])
            row = [
                bytes(size) if p._grad is None else p._grad._a.tobytes()
                for p, size in zip(params, self.sizes, strict=True)
            ]
        numbers = self.numbers
        if numbers and numbers[-1] == number:
            self.gradients[-1], self.without[-1], self.squares[-1] = row, gone, square
        else:
            numbers.append(number)
            self.gradients.append(row)
            self.without.append(gone)
            self.squares.append(square)
            self.values.append(None)
        changed = gone != self.gone and self.gone is not None
        self.gone = gone
        return changed

    def _read_large_gradients(self, number: int, params: list[Tensor]) -> float:
        square = 0.0
        for i in self.large:
            grad = params[i]._grad
            if grad is not None:
                square += self._put_large(number, i, grad._a, GRADIENT)
        return square

    def read_values(self, number: int, params: list[Tensor]) -> None:
        """Read the values at the end of a round, after its gradients."""
        if self.large:
            self._read_large_values(number, params)
            params = [params[i] for i in self.small]
        if self.values:
            self.values[-1] = [p._a.tobytes() for p in params]

    def _read_large_values(self, number: int, params: list[Tensor]) -> None:
        for i in self.large:
            now = params[i]._a
            self._put_large(number, i, now, VALUE)
            sample, before = _sample(now), self.before.get(i)
            if before is not None and before.shape == sample.shape:
                self._put(number, i, UPDATE, _norm_of_change(before, sample, now.size))
            self.before[i] = sample

    def _put(self, number: int, i: int, what: int, figure: float) -> None:
        self.table.reserve(number + 1)
        self.table.put_one(number, self.series[i].columns[what], figure)

    @silent
    def _put_large(self, number: int, i: int, array: Array, what: int) -> float:
        """Note the norm of a large parameter, or of its gradient. Returns the square of the norm."""
        series = self.series[i]
        runs = series.gradients if what == GRADIENT else series.values
        if isinstance(array, NoData):
            return 0.0
        if array.dtype.kind == "c":
            array = on_host(array)
            array = array.ravel("K").view(array.real.dtype)
        if array.__class__ is ndarray and array.dtype in (F32, F64):
            flat = array.ravel("K")
            square = float(flat.dot(flat))
            if LEAST_SQUARE < square < LARGEST:
                runs.add(number, 0, 0)
                self._put(number, i, what, math.sqrt(square))
                return square
        with libraries.on_device_of((array,)):
            found = extent(array)
        nan, inf = (
            (0, 0) if isinstance(found, float) else (found.get("nan_count", 0), found.get("inf_count", 0))
        )
        runs.add(number, nan, inf)
        if isinstance(found, float) and LEAST_SQUARE < found < LARGEST:
            square = found
        else:  # nan or infinity, or the squares are too large or too small for single precision
            square = math.nan if nan else math.inf if inf else _square(array)
        self._put(number, i, what, math.sqrt(square))
        return square

    @silent
    def flush(self) -> list[tuple[int, float]]:
        """Compute the norms of the rounds that wait. Returns their numbers and the norms of all their gradients."""
        if not self.numbers:
            return []
        numbers, count = np.array(self.numbers), len(self.numbers)
        self.table.reserve(self.numbers[-1] + 1)
        total = np.array(self.squares)
        last = self.values[-1]
        if self.small:
            unread = np.array([row is None for row in [self.start, *self.values]])
            empty = [bytes(size) for size in self.sizes]
            gradients = self._matrix(self.gradients)
            values = self._matrix([row or empty for row in [self.start, *self.values]])
            if gradients is None or values is None:  # a value was replaced by one of another shape
                self.ids = []
                last = None
            else:
                total += np.square(gradients).sum(1)
                self._put_norms(numbers, gradients, values, unread)
        for waiting in (self.numbers, self.gradients, self.without, self.squares, self.values):
            waiting.clear()
        self.start = last
        self.began = self.before.copy()
        return [*zip(numbers.tolist(), np.sqrt(total).tolist(), strict=True)][:count]

    def _matrix(self, rows: list[list[bytes]]) -> Array | None:
        """A row for each round, with the elements of all small parameters in double precision. None if a row has another length."""
        if any([[*map(len, row)] != self.sizes for row in rows]):
            return None
        if len({*self.dtypes}) == 1:
            flat = np.frombuffer(b"".join([part for row in rows for part in row]), self.dtypes[0])
            return flat.reshape(len(rows), -1).astype(F64)
        columns = [
            np.frombuffer(b"".join([row[k] for row in rows]), dtype).reshape(len(rows), -1).astype(F64)
            for k, dtype in enumerate(self.dtypes)
        ]
        return np.concatenate(columns, axis=1)

    def _put_norms(self, numbers: Array, gradients: Array, values: Array, unread: Array) -> None:
        """Write the norms of small parameters to the table. `values` has a row more than `gradients`, for what was before."""
        ends = np.cumsum(
            [size // dtype.itemsize for size, dtype in zip(self.sizes, self.dtypes, strict=True)]
        )
        starts = np.concatenate([[0], ends[:-1]])
        known = np.flatnonzero(ends > starts)
        norms = []
        for rows in (gradients, np.diff(values, axis=0), values[1:]):
            figures = np.zeros((len(rows), len(ends)), np.float32)
            if len(known):
                figures[:, known] = np.sqrt(np.add.reduceat(np.square(rows), starts[known], axis=1))
            norms.append(figures)
        for row, gone in enumerate(self.without):
            if gone:
                norms[GRADIENT][row, list(gone)] = NO_FIGURE
        norms[VALUE][unread[1:]] = NO_FIGURE
        norms[UPDATE][unread[1:] | unread[:-1]] = NO_FIGURE
        for what, figures in enumerate(norms):
            self.table.put(numbers, [self.series[i].columns[what] for i in self.small], figures)
        for rows, figures, which in (
            (gradients, norms[GRADIENT], "gradients"),
            (values[1:], norms[VALUE], "values"),
        ):
            for r, k in np.argwhere(~np.isfinite(figures) & ~missing(figures)).tolist():
                part = rows[r, starts[k] : ends[k]]
                runs = getattr(self.series[self.small[k]], which)
                runs.add(int(numbers[r]), int(np.isnan(part).sum()), int(np.isinf(part).sum()))


def _real(dtype: Any) -> Any:
    """The dtype of the numbers that a complex number consists of."""
    return dtype if dtype.kind == "f" else np.dtype(f"f{dtype.itemsize // 2}")


def _plain(array: Any) -> bool:
    return array.__class__ is ndarray and array.dtype.kind in "fc"


@silent
def _square(array: Array) -> float:
    """The sum of squares, in double precision, where single precision overflows."""
    with libraries.on_device_of((array,)):
        flat = on_host(array).ravel("K")
    flat = (flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat).astype(np.float64)
    return float(flat.dot(flat))


def _sample(array: Array) -> Array:
    """Some elements of an array, evenly spread; all of a small one. A copy on the host."""
    if array.__class__ is ndarray:
        flat = array.ravel("K")
        return flat[:: max(-(-flat.size // SAMPLED), 1)].copy()
    with libraries.on_device_of((array,)):
        flat = array.ravel("K")
        return np.array(on_host(flat[:: max(-(-flat.size // SAMPLED), 1)]))


@silent
def _norm_of_change(before: Array, after: Array, size: int) -> float:
    change = after - before
    if change.dtype.kind == "c":
        change = change.view(change.real.dtype)
    square = float(change.dot(change))
    if not LEAST_SQUARE < square < LARGEST:
        square = _square(change)
    return math.sqrt(square * (size / max(after.size, 1))) if square == square else math.nan
