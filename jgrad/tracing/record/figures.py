"""The figures of each round of a training loop: losses, and for each parameter the norms of its gradient, its update and its value.

Note [Figures]: small parameters are only copied while the loop runs, as bytes. The norms of many rounds are computed together later. A copy takes
a tenth of the time of a norm. For large parameters the norms are computed immediately; the norm of an update is computed from a sample of the
elements. Their values change little in a round. So a value is read in full in one of FULL rounds, and as soon as its sample has changed by more than
CLOSE or its gradient is not finite. In between its norm follows that of the sample. Gradients are read in full each time, since nobody knows
beforehand in which round the first nan comes. Where nobody asked for the figures (`exact` is false), this is too much: then a large gradient too is
read in full in one of FULL rounds, or if its sample is remarkable: not finite, or mostly 0. What a sample misses shows in the loss of the next round:
if that is not finite, all values are read before the step, so it is known whether they were finite at the end of the round before.

Note [Resting]: where nobody asked, most rounds of a long loop are not read at all, apart from their losses: of so many rounds that are a part of those
so far (`rounds.APART`) two in a row are read, the second of which shows the update of a round. The figures of the others are those of the reading
before. A round whose loss is unusual is read. So a figure is at most that part of the run old, and a gradient that is not finite shows in the next
loss, as above.

Note [Bins]: a table has a row for each round, until it would hold more than LIMIT numbers. Then a row stands for several rounds, a *bin*: it
holds the figure of the first of them, the least and the largest. So the memory is bounded, however long the loop is.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from jgrad.kernels import libraries
from jgrad.kernels.numpy.memory import Array
from jgrad.tensor import Tensor
from jgrad.tracing.record.contents import F32, F64, UNREADABLE, extent, on_host, silent, squared

LIMIT = 1_400_000  # numbers that all tables hold together
SMALL = 2048  # elements of a parameter that is copied
SAMPLED = 16_384  # elements of a large parameter from which the norm of its update is taken
NEIGHBOURS = 16  # of them lie side by side: what a processor fetches at once
FULL = 16  # one of so many rounds has the values of large parameters read in full
CLOSE = 0.02  # by this part the square of the norm of a sample may differ from that at the last full reading
RUNS = 200  # runs of rounds with nan or infinity that are listed per parameter
SERIES = 1500  # columns of the table
ROOM = 1 << 20  # bytes of gradients that wait until their norms are computed
LEAST_SQUARE = 1e-30  # squares below it have lost digits in single precision
LARGEST = float(np.finfo(np.float32).max)
NONE = -1.0
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
        # In bins: the first figures, the least, the largest.
        self.parts = [np.full((256, 8), NO_FIGURE, np.float32)]

    def add_series(self, count: int, beyond: int = 0) -> tuple[int, ...] | None:
        """The numbers of so many new columns; None if there are too many: more than the limit, and so many beyond it."""
        first = self.width
        if first + count > SERIES + beyond:
            return None
        self.width = first + count
        while self.width > self.parts[0].shape[1]:
            self.parts = [_grown(part, (len(part), 2 * part.shape[1])) for part in self.parts]
        self._enough = 0
        return tuple(range(first, self.width))

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
        """Let a row stand for twice as many rounds. The first time it is four times as many, because a bin holds three numbers."""
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
        known = ~missing(rows)
        last = count - 1 - known[::-1].argmax(axis=0)
        table[start] = rows[last, np.arange(rows.shape[1])]
        for column in losses:
            found = rows[known[:, column], column]
            if len(found):
                table[start, column] = found.mean() if mean else found[0]
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

    def __init__(self, tensor: Tensor, columns: tuple[int, ...]) -> None:
        self.tensor = weakref.ref(tensor)
        self.record: Any = None  # that of the tensor in the registry, when it is known
        self.shape: tuple[int, ...] = tensor._a.shape
        self.columns = columns
        self.gradients, self.values = Runs(), Runs()
        # Some elements of its value when it was met and by now, from which is told how far it moved. None: not read yet.
        self.start: Array | None = None
        self.now: Array | None = None

    def moved(self) -> tuple[float, float] | None:
        """(the norm of its value at first, how far it has moved since); None if that is not known."""
        if (
            self.start is None
            or self.now is None
            or self.start.shape != self.now.shape
            or not self.start.size
        ):
            return None
        scale = math.sqrt(math.prod(self.shape) / self.start.size)
        with np.errstate(all="ignore"):
            start, now = (
                part.astype(np.complex128 if part.dtype.kind == "c" else F64)
                for part in (self.start, self.now)
            )
            return float(np.linalg.norm(start)) * scale, float(np.linalg.norm(now - start)) * scale


class Group:
    """Parameters whose figures are read together: those of an optimizer, or the leaves that a loop without optimizer trains. See Note [Figures]."""

    def __init__(self, params: list[Tensor], series: list[Series | None], table: Table) -> None:
        self.table = table
        self.series = series  # None: of that parameter there are no figures
        self.ids = [*map(id, params)]
        self.other_order: list[int] | None = (
            None  # the same ones in the order in which something else lists them
        )
        known = [i for i, s in enumerate(series) if s is not None]
        self.small = [i for i in known if params[i]._a.size <= SMALL and _plain(params[i]._a)]
        self.large = [i for i in known if i not in {*self.small}]
        self.all_small = len(self.small) == len(params)
        self.large_series: list[Any] = [series[i] for i in self.large]
        self.sizes = [params[i]._a.nbytes for i in self.small]
        self.dtypes = [_real(params[i]._a.dtype) for i in self.small]
        # The dtype of the elements of all small parameters, if their squares can be added up in it:
        self.dtype = self.dtypes[0] if {*self.dtypes} in ({F32}, {F64}) else None
        # Of each round that waits: its number, the gradients and the values of small parameters. None: the values were not read.
        self.numbers: list[int] = []
        self.gradients: list[bytes] = []
        self.values: list[bytes | None] = []
        self.start: bytes | None = None  # the values before the first of them
        self.without: list[tuple[int, ...]] = []  # which of the small ones had no gradient
        self.room = ROOM // (2 * sum(self.sizes) + 64)  # so many rounds may wait
        # Of the large ones: the squares of the norms of gradients, updates and values, NONE where there is none.
        self.squares: list[list[float]] = []
        self.before: dict[int, Any] = {}  # a sample of their values
        self.began: dict[int, Any] = {}  # those before the rounds that wait
        # Of the last full reading: the round, the squares of the norms of the sample and of the value.
        self.full: dict[int, tuple[int, float, float]] = {}
        self.full_gradients: dict[int, int] = {}  # the round in which a gradient was last read in full
        self.unread = (
            0  # before the first that was not finite, so many rounds in which only a sample was read
        )
        # Whether the last round was not read, such rounds since the last flush, and which rows come after some: see Note [Resting].
        self.resting = False
        self.rested: list[int] = []
        self.apart: list[bool] = []
        # The last round whose gradients were read, whether there were others since, and before the last reading how many there were.
        self.read_at, self.missed, self.late = -1, False, 0
        self.gone: tuple[int, ...] | None = None  # which had no gradient last
        self.changed = False  # whether that was different in the round before
        self.usual = 0.0  # the logarithm of the usual square of the norm of all gradients
        self.norms = 0  # in how many rounds it was known
        self.renewed = False  # whether its parameters took the place of others just now: how they differ from those is no update

    def tensors(self) -> list[Any] | None:
        """The parameters; None if one is gone."""
        found = [None if s is None else s.tensor() for s in self.series]
        lost = any([t is None and s is not None for t, s in zip(found, self.series, strict=True)])
        return None if lost else found

    def adopt(self, params: list[Tensor]) -> bool:
        """Whether this group is for these parameters. A leaf that is made anew in each round takes the place of one that is gone."""
        ids = [*map(id, params)]
        if ids == self.ids:
            self.renewed = False
            return True
        if len(ids) != len(self.ids):
            return False
        for p, s in zip(params, self.series, strict=True):
            old = None if s is None else s.tensor()
            if s is not None and old is not p and (old is not None or p._a.shape != s.shape):
                return False
        for p, s in zip(params, self.series, strict=True):
            if s is not None:
                s.tensor = weakref.ref(p)
        self.ids, self.other_order, self.renewed = ids, None, True
        return True

    def begin(self, params: list[Tensor]) -> None:
        """Note the values before the first round."""
        self.start = _bytes([params[i]._a for i in self.small])
        self.before = {i: _sample(params[i]._a) for i in self.large}
        self.began = self.before.copy()

    def go_on(self, other: Group) -> None:
        """Take over the values before the first round from another group that read them, if it has the same parameters."""
        at = {id(s): i for i, s in enumerate(other.series) if s is not None}
        places = [at.get(id(s), -1) for s in self.series]
        if other.start is not None and all([places[i] in other.small for i in self.small]):
            ends = [*accumulate(other.sizes)]
            parts = [other.start[end - size : end] for end, size in zip(ends, other.sizes, strict=True)]
            self.start = b"".join([parts[other.small.index(places[i])] for i in self.small])
        began = {i: other.began[places[i]] for i in self.large if places[i] in other.began}
        self.before |= began
        self.began |= began

    def forget_values(self) -> None:
        """The parameters were replaced by others: what the next round adds to them is not known."""
        self.start = None
        self.before, self.began = {}, {}

    def rest(self, rounds: Iterable[int]) -> None:
        """Read nothing of some rounds."""
        self.resting = self.missed = True
        self.rested += rounds

    def _add_row(self, number: int, row: bytes, gone: tuple[int, ...], squares: list[float]) -> None:
        """A round whose values are read later."""
        self.numbers.append(number)
        self.gradients.append(row)
        self.without.append(gone)
        self.squares.append(squares)
        self.values.append(None)
        self.apart.append(self.resting)

    @silent
    def read_gradients(self, number: int, params: list[Tensor], exact: bool = True) -> float:
        """Read the gradients of a round. Returns the square of the norm of all of them. `exact`: see Note [Figures]."""
        gone: tuple[int, ...] = ()
        square, squares = 0.0, []
        if not self.all_small:
            squares = [
                self._square_of_gradient(k, params[i]._grad_array(), number, exact)
                for k, i in enumerate(self.large)
            ]
            square = sum([one for one in squares if one != NONE])
            squares += [NONE] * (2 * len(squares))
            params = [params[i] for i in self.small]
        grads = [p._grad_array() for p in params]
        try:
            row = _bytes(grads)
        except AttributeError:  # there is a parameter without a gradient
            gone = tuple([k for k, grad in enumerate(grads) if grad is None])
            parts = zip(grads, self.sizes, strict=True)
            row = b"".join([bytes(n) if grad is None else grad.tobytes() for grad, n in parts])
        numbers = self.numbers
        if numbers and numbers[-1] == number:
            self.gradients[-1], self.without[-1], self.squares[-1] = row, gone, squares
        else:
            self._add_row(number, row, gone, squares)
        self.late = number - 1 - self.read_at if self.missed else 0
        self.read_at, self.missed, self.resting = number, False, False
        if gone != self.gone:
            self.changed = self.gone is not None
            self.gone = gone
        if not row:
            return square
        if self.dtype is not None:
            flat = np.frombuffer(row, self.dtype)
            small = float(squared(flat))
            if LEAST_SQUARE < small < LARGEST:
                return square + small
        return square + self._exact_square(row)

    def _square_of_gradient(self, k: int, grad: Any, number: int, exact: bool) -> float:
        """The square of the norm of a large gradient, NONE without one. See Note [Figures]."""
        if grad is None:
            return NONE
        if not exact and number - self.full_gradients.get(k, -FULL) < FULL and _has_sample(grad):
            sample = _spread(grad.ravel("K"))
            square = float(np.vdot(sample, sample))
            if LEAST_SQUARE < square < LARGEST and 2 * np.count_nonzero(sample) > sample.size:
                return square * grad.size / sample.size
        square = _square_of(grad, self.large_series[k].gradients, number)
        if square < LARGEST:
            self.full_gradients[k] = number
        else:
            self.unread = max(self.unread, number - 1 - self.full_gradients.pop(k, number - 1))
        return square

    def read_last_values(self, number: int) -> None:
        """The loss of the round after this one is not finite: see whether large values were at its end."""
        params = self.tensors()
        if params is None or number < 0:
            return
        if self.resting:
            self._add_row(
                number, bytes(sum(self.sizes)), (*range(len(self.small)),), [NONE] * 3 * len(self.large)
            )
            self.resting = False
            self.full.clear()
            self.read_values(number, params)
            return
        for k, i in enumerate(self.large):
            square = _square_of(params[i]._live_array(), self.large_series[k].values, number)
            self.full.pop(k, None)
            if number in self.numbers:
                self.squares[self.numbers.index(number)][2 * len(self.large) + k] = square

    @silent
    def _exact_square(self, row: bytes) -> float:
        """The sum of the squares of the small gradients of a round, in double precision."""
        found = self._matrix([row])
        return 0.0 if found is None else float(np.square(found).sum())

    def read_values(self, number: int, params: list[Tensor]) -> None:
        """Read the values at the end of a round, after its gradients."""
        if not self.values or self.resting:
            return
        if not self.all_small:
            count, squares = len(self.large), self.squares[-1]
            for k, i in enumerate(self.large):
                now = params[i]._live_array()
                before = None if self.apart[-1] else self.before.get(i)
                sample = self.before[i] = _sample(now)
                squares[2 * count + k] = self._square_of_value(k, now, sample, number)
                if before is not None and before.shape == sample.shape:
                    squares[count + k] = _square_of_change(before, sample, now.size)
            params = [params[i] for i in self.small]
        self.values[-1] = _bytes([p._live_array() for p in params])

    @silent
    def _square_of_value(self, k: int, now: Any, sample: Array, number: int) -> float:
        """The square of the norm of a large value. See Note [Figures]."""
        part = float(squared(sample)) if sample.dtype in (F32, F64) else math.nan
        read, then, square = self.full.get(k, (-FULL, 0.0, 0.0))
        gradient = self.squares[-1][k]
        is_usual = LEAST_SQUARE < square < LARGEST and gradient < LARGEST
        if number - read < FULL and is_usual and abs(part - then) <= CLOSE * then:
            return square * part / then if then else square
        square = _square_of(now, self.large_series[k].values, number)
        self.full[k] = number, part, square
        return square

    def flush_complete(self) -> None:
        """Like `flush`, but a round whose values are still to be read goes on waiting."""
        waiting = self.numbers, self.gradients, self.without, self.squares, self.values, self.apart
        if not self.values or self.values[-1] is not None:
            self.flush()
            return
        last: list[Any] = [rows.pop() for rows in waiting]
        self.flush()
        for rows, row in zip(waiting, last, strict=True):
            rows.append(row)  # type: ignore[attr-defined]

    @silent
    def flush(self) -> None:
        """Compute the norms of the rounds that wait."""
        if not self.numbers:
            return
        numbers = np.array(self.numbers)
        self.table.reserve(self.numbers[-1] + 1)
        last = self.values[-1]
        if self.small:
            unread = np.array([row is None for row in [self.start, *self.values]])
            empty = bytes(sum(self.sizes))
            gradients = self._matrix(self.gradients)
            values = self._matrix([row or empty for row in [self.start, *self.values]])
            if gradients is None or values is None:  # a value was replaced by one of another shape
                self.ids = []
                last = None
            else:
                self._put_norms(numbers, gradients, values, unread)
                self._note_moves(values[~unread])
        for i, s in zip(self.large, self.large_series, strict=True):
            if s.start is None:
                s.start = self.began.get(i, self.before.get(i))
            s.now = self.before.get(i)
        if self.large:
            squares = np.array(self.squares)
            figures = np.where(squares == NONE, NO_FIGURE, np.sqrt(np.abs(squares)).astype(np.float32))
            columns = [s.columns[what] for what in (GRADIENT, UPDATE, VALUE) for s in self.large_series]
            self._put(numbers, columns, figures)
        for waiting in (
            self.numbers, self.gradients, self.without, self.squares, self.values, self.apart, self.rested,
        ):  # fmt: skip
            waiting.clear()
        self.start = last
        self.began = self.before.copy()

    def _put(self, numbers: Array, columns: list[int], figures: Array) -> None:
        """Write figures of gradients, updates and values to the table, and those of the rounds that were not read."""
        count = len(columns) // 3
        for row in np.flatnonzero(self.apart):
            # (Of the last round of a loop there is none after it.)
            near = row + 1 if row + 1 < len(numbers) else row - 1
            if near >= 0:
                figures[row, count : 2 * count] = figures[near, count : 2 * count]
        self.table.put(numbers, columns, figures)
        # (Functions of NumPy for sets would import its masked arrays.)
        rested = np.array(sorted({*self.rested}.difference(numbers.tolist())), int)
        if len(rested):
            held = figures[np.maximum(np.searchsorted(numbers, rested) - 1, 0)]
            self.table.put(rested, columns, np.where(np.isfinite(held), held, NO_FIGURE))

    def _note_moves(self, values: Array) -> None:
        """Note where small parameters began and where they are."""
        if not len(values):
            return
        ends = [*accumulate(size // d.itemsize for size, d in zip(self.sizes, self.dtypes, strict=True))]
        for i, begin, end in zip(self.small, [0, *ends], ends, strict=False):
            series: Any = self.series[i]
            if series.start is None:
                series.start = values[0, begin:end].copy()
            series.now = values[-1, begin:end].copy()

    def _matrix(self, rows: list[bytes]) -> Array | None:
        """A row for each round, with the elements of all small parameters in double precision. None if a row has another length."""
        if {*map(len, rows)} != {sum(self.sizes)}:
            return None
        joined = b"".join(rows)
        if len({*self.dtypes}) == 1:
            return np.frombuffer(joined, self.dtypes[0]).reshape(len(rows), -1).astype(F64)
        table = np.frombuffer(joined, np.uint8).reshape(len(rows), -1)
        ends = [*accumulate(self.sizes)]
        columns = [
            np.ascontiguousarray(table[:, end - size : end]).view(dtype).astype(F64)
            for end, size, dtype in zip(ends, self.sizes, self.dtypes, strict=True)
            if size
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
        norms[UPDATE][unread[1:] | unread[:-1] | np.array(self.apart)] = NO_FIGURE
        small: list[Any] = [self.series[i] for i in self.small]
        columns = [s.columns[what] for what in (GRADIENT, UPDATE, VALUE) for s in small]
        self._put(numbers, columns, np.concatenate(norms, axis=1))
        for rows, figures, which in (
            (gradients, norms[GRADIENT], "gradients"),
            (values[1:], norms[VALUE], "values"),
        ):
            for r, k in np.argwhere(~np.isfinite(figures) & ~missing(figures)).tolist():
                part = rows[r, starts[k] : ends[k]]
                runs = getattr(small[k], which)
                runs.add(int(numbers[r]), int(np.isnan(part).sum()), int(np.isinf(part).sum()))


def _bytes(arrays: list[Any]) -> bytes:
    """The elements of some arrays, one after the other."""
    try:
        return b"".join(arrays)
    except TypeError:  # one that is not contiguous
        return b"".join([array.tobytes() for array in arrays])


def _real(dtype: Any) -> Any:
    """The dtype of the numbers that a complex number consists of."""
    return dtype if dtype.kind == "f" else np.dtype(f"f{dtype.itemsize // 2}")


def _plain(array: Any) -> bool:
    return array.__class__ is ndarray and array.dtype.kind in "fc"


def _square_of(array: Any, runs: Runs, number: int) -> float:
    """The square of the norm of a large array in a round; NONE if it has no elements of its own. Notes those that are not finite."""
    if array.__class__ is ndarray and array.dtype in (F32, F64):
        flat = array.ravel("K")
        square = float(squared(flat))
        if square < LARGEST:  # so no element is nan or infinite
            if runs.rows:
                runs.add(number, 0, 0)
            return square if square > LEAST_SQUARE else _square(array)
    return _exact_square_of(array, runs, number)


@silent
def _exact_square_of(array: Any, runs: Runs, number: int) -> float:
    """The same if an element is not finite, or the squares are too large or too small for single precision."""
    if isinstance(array, UNREADABLE):
        return NONE
    if array.dtype.kind == "c":
        array = on_host(array)
        array = array.ravel("K").view(array.real.dtype)
    with libraries.device_guard((array,)):
        found = extent(array)
    nan, inf = (0, 0) if isinstance(found, float) else (found.get("nan_count", 0), found.get("inf_count", 0))
    runs.add(number, nan, inf)
    if isinstance(found, float) and LEAST_SQUARE < found < LARGEST:
        return found
    return math.nan if nan else math.inf if inf else _square(array)


@silent
def _square(array: Array) -> float:
    """The sum of squares, in double precision, where single precision overflows."""
    with libraries.device_guard((array,)):
        flat = on_host(array).ravel("K")
    flat = (flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat).astype(np.float64)
    return float(squared(flat))


def _has_sample(array: Any) -> bool:
    """Whether a part of its elements is read much faster than all."""
    return array.__class__ is ndarray and array.dtype in (F32, F64) and array.size >= 2 * SAMPLED


def _sample(array: Array) -> Array:
    """Some elements of an array, evenly spread; all of a small one. A copy on the host."""
    if array.__class__ is ndarray:
        return _spread(array.ravel("K")).copy().reshape(-1)
    with libraries.device_guard((array,)):
        flat = array.ravel("K")
        return np.array(on_host(flat[:: max(-(-flat.size // SAMPLED), 1)]))


def _spread(flat: Array) -> Array:
    """At most SAMPLED elements, in runs of neighbours. (For single ones the processor would fetch sixteen times as much memory.)"""
    part = -(-flat.size // SAMPLED)
    if part <= 1:
        return flat
    runs = flat.size // (NEIGHBOURS * part)
    return flat[: runs * NEIGHBOURS * part].reshape(runs, -1)[:, :NEIGHBOURS]


def _square_of_change(before: Array, after: Array, size: int) -> float:
    change = after - before
    if change.dtype.kind == "c":
        change = change.view(change.real.dtype)
    square = float(squared(change))
    if not LEAST_SQUARE < square < LARGEST:
        square = _square(change)
    return square * (size / max(after.size, 1))
