"""An epoch with workers. A worker is no process: it is a copy of the dataset and generators of its own, which this process uses in its turn.

So batches come in PyTorch's order, with the numbers that are drawn in PyTorch's workers.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import random
import traceback
from collections import deque
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from jgrad import manual, observer
from jgrad import random as streams
from jgrad.storage import Storage
from jgrad.tensor import Tensor
from jgrad.utils.data._utils.fetch import _IterableDatasetFetcher
from jgrad.utils.data._utils.iterators import _BaseDataLoaderIter
from jgrad.utils.data._utils.worker import WorkerInfo, becoming

if TYPE_CHECKING:
    from jgrad.utils.data.dataloader import DataLoader

EXHAUSTED = object()  # in place of a batch: the dataset of this worker has no more samples
SHARED = (Tensor, Storage, np.ndarray, io.IOBase)  # large, or not to be copied


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """One epoch (with persistent workers: each epoch) with workers."""

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor or 0
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        shared = _shared_parts(self._dataset)
        self._workers = [Worker(self, loader, number, shared) for number in range(self._num_workers)]
        super()._reset(loader)
        self._begin_epoch()

    def _reset(self, loader: DataLoader) -> None:
        # Of an epoch that was left early: PyTorch's workers make these batches too, and draw for them.
        for (
            worker,
            index,
        ) in self._dealt:
            worker.batch(index)
        super()._reset(loader)
        for worker in self._workers:
            worker.begin()
        self._begin_epoch()

    def _begin_epoch(self) -> None:
        # The batches to be made: by whom, and of which indices.
        self._dealt: deque[tuple[Worker, Any]] = deque()
        self._turns = itertools.cycle(self._workers)
        for _ in range(self._prefetch_factor * self._num_workers):
            self._deal_out()

    def _deal_out(self) -> None:
        """Have the next batch made by the worker whose turn it is."""
        try:
            index = self._next_index()
        except StopIteration:
            return
        for worker in itertools.islice(self._turns, len(self._workers)):
            if not worker.exhausted:
                self._dealt.append((worker, index))
                return

    def _next_data(self) -> Any:
        while self._dealt:
            worker, index = self._dealt.popleft()
            if worker.exhausted:
                continue
            data = worker.batch(index)
            self._deal_out()
            if data is EXHAUSTED:
                continue
            if isinstance(data, Failure):
                data.reraise()
            return data
        raise StopIteration


class Worker:
    """A worker: its dataset, and the state of the generators that it would have as a process."""

    def __init__(
        self, epochs: _MultiProcessingDataLoaderIter, loader: DataLoader, number: int, shared: dict
    ) -> None:
        seed = epochs._base_seed + number
        self._dataset = _copied(loader.dataset, shared)
        self._info = WorkerInfo(number, epochs._num_workers, seed, self._dataset)
        self._make_fetcher = epochs._make_fetcher
        self._generators = Generators(epochs._base_seed, number)
        self._failure: Failure | None = None
        with self._working():
            if loader.worker_init_fn is not None:
                try:
                    loader.worker_init_fn(number)
                except Exception as error:
                    self._failure = Failure(error, number)
        self.begin()

    def begin(self) -> None:
        """Begin an epoch."""
        self.exhausted = False
        if self._failure is None:
            try:
                with self._working():
                    self._fetcher = self._make_fetcher(self._dataset)
            except Exception as error:
                self._failure = Failure(error, self._info.id)

    def batch(self, index: Any) -> Any:
        """The batch of some indices; `EXHAUSTED`, or the failure to make it."""
        if self.exhausted:
            return EXHAUSTED
        if self._failure is not None:
            return self._failure
        try:
            with self._working():
                return self._fetcher.fetch(index)
        except StopIteration as error:
            if not isinstance(self._fetcher, _IterableDatasetFetcher):
                return Failure(error, self._info.id)
            self.exhausted = True
            return EXHAUSTED
        except Exception as error:
            return Failure(error, self._info.id)

    @contextlib.contextmanager
    def _working(self) -> Iterator[None]:
        """A block in which this process is the worker."""
        with observer.unobserved(), becoming(self._info), self._generators.used():
            yield


class Generators:
    """The generators of `random`, NumPy and jgrad as a worker has them, seeded as PyTorch seeds them."""

    def __init__(self, base_seed: int, number: int) -> None:
        low, high = base_seed & 0xFFFFFFFF, base_seed >> 32
        words = np.random.SeedSequence([number, low, high, 0]).generate_state(4)
        numpy = np.random.RandomState(words)
        self._python = random.Random(base_seed + number).getstate()
        self._numpy = numpy._bit_generator, numpy.get_state(legacy=False)
        self._own = streams.Generator().manual_seed(base_seed + number)

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """A block that draws from these, and not from those of the program."""
        python, numpy = random.getstate(), _numpy_state()
        random.setstate(self._python)
        _set_numpy_state(self._numpy)
        try:
            with streams.default_generator.replaced_by(self._own):
                yield
        finally:
            self._python, self._numpy = random.getstate(), _numpy_state()
            random.setstate(python)
            _set_numpy_state(numpy)


def _numpy_state() -> tuple[Any, Any]:
    return np.random.get_bit_generator(), np.random.get_state(legacy=False)  # type: ignore[attr-defined]


def _set_numpy_state(state: tuple[Any, Any]) -> None:
    np.random.set_bit_generator(state[0])  # type: ignore[attr-defined]
    np.random.set_state(state[1])


def _shared_parts(dataset: Any) -> dict[int, Any]:
    """What the copies of a dataset share, by id: arrays, tensors and open files, wherever they are in its attributes and containers."""
    found: dict[int, Any] = {}
    seen: set[int] = set()
    left = [dataset]
    while left:
        value = left.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, SHARED):
            found[id(value)] = value
        elif isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, (list, tuple, set)):
            left.extend(value)
        elif not isinstance(value, (type, FunctionType, ModuleType)):
            left.extend(getattr(value, "__dict__", {}).values())
    return found


def _copied(dataset: Any, shared: dict[int, Any]) -> Any:
    """A worker's own dataset: what it changes in its attributes is not seen elsewhere. A dataset that can't be copied is taken as it is."""
    try:
        return copy.deepcopy(dataset, dict(shared))
    except Exception:
        return dataset


class _KeyErrorMessage(str):
    """A text that a KeyError shows as it is, where it would show the repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Failure:
    """An exception in a worker, on its way to the user."""

    def __init__(self, error: Exception, worker_id: int) -> None:
        self.kind: type[Exception] = type(error)
        details = "".join(traceback.format_exception(error))
        self.text = (
            f"Caught {self.kind.__name__} in DataLoader worker process {worker_id}.\nOriginal {details}"
        )

    def reraise(self) -> NoReturn:
        """Raise an exception of the same class, whose text is the worker's traceback; RuntimeError if the class takes no text."""
        if getattr(self.kind, "message", None):
            raise self.kind(message=self.text)  # type: ignore[call-arg]
        try:
            error = self.kind(_KeyErrorMessage(self.text) if self.kind is KeyError else self.text)
        except Exception:
            raise RuntimeError(self.text) from None
        raise error


manual.attach(__name__)
