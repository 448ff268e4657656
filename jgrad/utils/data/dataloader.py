"""DataLoader: batches of a dataset, in order or shuffled, made in this process or by workers; `torch.utils.data.dataloader`."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import signal
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from jgrad import accelerator
from jgrad.random import Generator
from jgrad.utils.data._utils.collate import default_collate, default_convert
from jgrad.utils.data._utils.fetch import _IterableDatasetFetcher, _MapDatasetFetcher
from jgrad.utils.data._utils.pin_memory import pin_memory
from jgrad.utils.data._utils.worker import CHECK_INTERVAL, Failure, Job, Signal, get_worker_info, work
from jgrad.utils.data.dataset import Dataset, IterableDataset
from jgrad.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, drawn_seed
from jgrad.warn import say

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

    from jgrad.utils.data._utils.transport import Packed

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

T_co = TypeVar("T_co", covariant=True)


class _DatasetKind:
    Map = 0
    Iterable = 1


class _InfiniteConstantSampler(Sampler[None]):
    """None without end: an iterable dataset itself knows when it is over."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class DataLoader(Generic[T_co]):
    """Batches of a dataset; each loop over it is an epoch.

    Args:
        dataset: a Dataset (or anything with `__getitem__` and `__len__`) or an IterableDataset
        batch_size: samples per batch; None: no batches, but one sample at a time
        shuffle: another random order in each epoch
        sampler: gives the indices of an epoch, in place of `shuffle`
        batch_sampler: gives lists of indices, in place of `batch_size`, `shuffle`, `sampler` and `drop_last`
        num_workers: how many processes make batches; 0: this one does
        collate_fn: makes a batch of a list of samples; `default_collate`, or `default_convert` of one sample if there are no batches
        pin_memory: put tensors into pinned memory, from which a GPU copies faster; without a GPU nothing happens but a warning
        drop_last: leave out the last batch if it is smaller
        timeout: seconds to wait for a batch of a worker, 0 for any time
        worker_init_fn: called in each worker with its number before it begins
        multiprocessing_context: how workers are started: a name such as "spawn" or a context of Python's multiprocessing
        generator: where seeds and orders are drawn from, the default generator if None
        prefetch_factor: batches that each worker makes ahead, 2 if there are workers
        persistent_workers: keep workers alive from one epoch to the next
        pin_memory_device: deprecated
        in_order: give batches in order; False: as they come from the workers

    The orders, and all that is drawn before, in and after a loop, are PyTorch's: also in workers, of which each seeds the generators
    of `random`, NumPy and jgrad. An exception in a worker is raised here, with the worker's traceback as its text. Raises ValueError for
    arguments that exclude each other.

    >>> import jgrad
    >>> from jgrad.utils.data import DataLoader, TensorDataset
    >>> x = jgrad.arange(10.0).reshape(5, 2)
    >>> loader = DataLoader(TensorDataset(x, x.sum(1)), batch_size=2, shuffle=True, generator=jgrad.Generator().manual_seed(3))
    >>> for inputs, targets in loader:
    ...     print(inputs.tolist(), targets.tolist())
    [[4.0, 5.0], [8.0, 9.0]] [9.0, 17.0]
    [[6.0, 7.0], [0.0, 1.0]] [13.0, 1.0]
    [[2.0, 3.0]] [5.0]
    >>> len(loader)
    3
    """

    dataset: Dataset[T_co]
    batch_size: int | None
    num_workers: int
    pin_memory: bool
    drop_last: bool
    timeout: float
    sampler: Any
    pin_memory_device: str
    prefetch_factor: int | None
    _iterator: _BaseDataLoaderIter | None
    __initialized = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: str | BaseContext | None = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order

        iterable = isinstance(dataset, IterableDataset)
        self._dataset_kind = _DatasetKind.Iterable if iterable else _DatasetKind.Map
        _check_order(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size = None
        if sampler is None:
            if iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)  # type: ignore[arg-type]

        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self.__initialized = True
        self._IterableDataset_len_called: int | None = None
        self._iterator = None
        self.check_worker_number_rationality()

    def __setattr__(self, attr: str, val: Any) -> None:
        fixed = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")
        if self.__initialized and attr in fixed:
            raise ValueError(f"{attr} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(attr, val)

    @property
    def multiprocessing_context(self) -> BaseContext | None:
        """How workers are started; None for Python's default."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, multiprocessing_context: Any) -> None:
        if multiprocessing_context is not None:
            multiprocessing_context = _context(multiprocessing_context, self.num_workers)
        self.__multiprocessing_context: BaseContext | None = multiprocessing_context

    def _get_iterator(self) -> _BaseDataLoaderIter:
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    def __iter__(self) -> _BaseDataLoaderIter:
        if not (self.persistent_workers and self.num_workers > 0):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self) -> int:
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        # Remembered, since a loop warns when the dataset gives more than it has said.
        length = self._IterableDataset_len_called = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self) -> None:
        """Warn if there are more workers than processors that this process may use."""
        if not self.num_workers:
            return
        knows_its_own = hasattr(os, "sched_getaffinity")
        most = len(os.sched_getaffinity(0)) if knows_its_own else os.cpu_count()
        if most is None:
            advice = "DataLoader is not able to compute a suggested max number of worker in current system."
        elif self.num_workers > most:
            advice = (
                f"Our suggested max number of worker in current system is {most}"
                f"{'' if knows_its_own else ' (`cpuset` is not taken into account)'}, which is smaller than what this DataLoader is going "
                "to create."
            )
        else:
            return
        say(
            f"This DataLoader will create {self.num_workers} worker processes in total. {advice} Please be aware that excessive worker "
            "creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential slowness/freeze if "
            "necessary."
        )


def _check_workers(
    num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool
) -> None:
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_order(
    iterable: bool, batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Raise ValueError for arguments that exclude each other."""
    if iterable:
        given = "DataLoader with IterableDataset: expected unspecified {0} option, but got {0}={1}"
        if shuffle not in {False, None}:
            raise ValueError(given.format("shuffle", shuffle))
        if sampler is not None:
            raise ValueError(given.format("sampler", sampler))
        if batch_sampler is not None:
            raise ValueError(given.format("batch_sampler", batch_sampler))
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


def _context(given: Any, num_workers: int) -> BaseContext:
    import multiprocessing
    from multiprocessing.context import BaseContext

    if num_workers == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0"
        )
    if isinstance(given, str):
        methods = multiprocessing.get_all_start_methods()
        if given not in methods:
            raise ValueError(
                f"multiprocessing_context option should specify a valid start method in {methods!r}, but got "
                f"multiprocessing_context={given!r}"
            )
        return multiprocessing.get_context(given)
    if not isinstance(given, BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string specifying the start method, but got "
            f"multiprocessing_context={given}"
        )
    return given


class _BaseDataLoaderIter:
    """One epoch of a DataLoader."""

    def __init__(self, loader: DataLoader) -> None:
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        if loader.pin_memory and loader.pin_memory_device:
            say(
                "pin_memory_device is deprecated, the current accelerator will be used as the device,"
                f"ignore pin_memory_device='{loader.pin_memory_device}'."
            )
        if loader.pin_memory and not accelerator.is_available():
            say(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used."
            )
        self._pin_memory = loader.pin_memory and accelerator.is_available()
        self._timeout = loader.timeout
        iterable = self._dataset_kind == _DatasetKind.Iterable
        self._make_fetcher = functools.partial(
            _IterableDatasetFetcher if iterable else _MapDatasetFetcher,
            auto_collation=loader._auto_collation,
            collate_fn=loader.collate_fn,
            drop_last=loader.drop_last,
        )
        self._sampler_iter = iter(self._index_sampler)
        # Without workers nobody needs it, but what a program draws later depends on its having been drawn.
        self._base_seed = drawn_seed(loader.generator)
        self._persistent_workers = loader.persistent_workers
        self._num_yielded = 0

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def _reset(self, loader: DataLoader) -> None:
        """Begin an epoch."""
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called

    def _next_index(self) -> Any:
        return next(self._sampler_iter)

    def _next_data(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        data = self._next_data()
        if self._pin_memory:
            data = pin_memory(data)
        self._num_yielded += 1
        promised = self._IterableDataset_len_called
        if (
            self._dataset_kind == _DatasetKind.Iterable
            and promised is not None
            and self._num_yielded > promised
        ):
            advice = (
                "For multiprocessing data-loading, this could be caused by not properly configuring the IterableDataset replica at each "
                "worker. Please see https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples."
            )
            say(
                f"Length of IterableDataset {self._dataset} was reported to be {promised}(when accessing len(dataloader)), but "
                f"{self._num_yielded} samples have been fetched. {advice if self._num_workers > 0 else ''}"
            )
        return data

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self) -> NoReturn:
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """One epoch, in which this process makes the batches when they are asked for."""

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self._fetcher = self._make_fetcher(self._dataset)

    def _next_data(self) -> Any:
        return self._fetcher.fetch(self._next_index())


@dataclass
class _Worker:
    """A worker as the main process sees it."""

    process: BaseProcess
    orders: Connection
    results: Connection
    active: bool = True  # neither at the end of its dataset nor dead
    count: int = 0  # of batches that it still has to make

    def order(self, message: Any) -> None:
        """Send an order."""
        from jgrad.utils.data._utils import transport

        self._send(transport.packed(message))

    def stop(self) -> None:
        """Have it leave out what it was ordered to do, and end."""
        from jgrad.utils.data._utils import transport

        self._send(transport.STOP)

    def _send(self, message: Packed) -> None:
        from jgrad.utils.data._utils import transport

        # A worker that is gone is noticed where its batch is waited for.
        with contextlib.suppress(OSError):
            transport.send(self.orders, message)

    def how_it_died(self) -> str:
        """A sentence for the user."""
        process = self.process
        if process.exitcode is None or process.exitcode >= 0:
            return (
                f"DataLoader worker (pid {process.pid}) exited unexpectedly with exit code {process.exitcode}. Details are lost due to "
                "multiprocessing. Rerunning with num_workers=0 may give better error trace."
            )
        text = f"DataLoader worker (pid {process.pid}) is killed by signal: {signal.strsignal(-process.exitcode)}. "
        if -process.exitcode == getattr(signal, "SIGBUS", None):
            text += "It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit."
        return text


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """One epoch (with persistent workers: each epoch) in which worker processes make the batches.

    Batches are numbered in the order of the sampler and dealt out to the workers in turn. Each has `prefetch_factor` of them to make, and a new
    one is dealt out for each that is given to the user. An iterable dataset ends in each worker when it likes: that worker's turn is left out.
    """

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor or 0
        self._in_order = loader.in_order
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        self._workers: list[_Worker] = []
        # Runs when nobody needs this iterator any more, also after an exception or a break, and when the program ends.
        self._shutdown_workers = weakref.finalize(self, _stop, self._workers, os.getpid())
        try:
            for number in range(self._num_workers):
                self._workers.append(self._started(loader, number))
        except BaseException:
            self._shutdown_workers()
            raise
        self._readable: deque[_Worker] = deque()  # those that have sent something
        super()._reset(loader)
        self._begin_epoch()

    def _started(self, loader: DataLoader, number: int) -> _Worker:
        """Start a worker."""
        import multiprocessing
        from pickle import PicklingError

        context: Any = loader.multiprocessing_context or multiprocessing
        job = Job(
            self._dataset,
            self._make_fetcher,
            loader.worker_init_fn,
            self._base_seed,
            number,
            self._num_workers,
        )
        read_orders, orders = context.Pipe(duplex=False)
        results, send_results = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(read_orders, send_results, job), daemon=True)
        try:
            process.start()
        except (TypeError, AttributeError, PicklingError):
            say(
                "Got pickle error when attempting to start a worker Process. This might be because the worker Process arguments are not "
                "picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX platforms to 'forkserver', which "
                "requires the worker Process arguments to be picklable. You can also try multiprocessing.set_start_method('fork')."
            )
            raise
        finally:
            # The worker has these now. While this process had them too, it would not notice that the worker is gone.
            read_orders.close()
            send_results.close()
        return _Worker(process, orders, results)

    def _reset(self, loader: DataLoader) -> None:
        super()._reset(loader)
        for worker in self._workers:
            worker.active = True
            worker.order((Signal.RESUME, None))
        waiting = len(self._workers)
        while waiting:  # what is left of the epoch before is dropped
            number, _ = self._receive()
            waiting -= number is Signal.RESUME
        self._begin_epoch()

    def _begin_epoch(self) -> None:
        self._dealt = 0  # how many batches were dealt out
        self._given = 0  # the number of the batch to be given next
        self._maker: dict[int, _Worker] = {}  # who makes a batch, by its number
        self._early: dict[int, Any] = {}  # batches that came before their turn
        self._turns = itertools.cycle(self._workers)
        for worker in self._workers:
            worker.count = 0
        for _ in range(self._prefetch_factor * self._num_workers):
            self._deal_out()

    def _deal_out(self) -> None:
        """Have the next batch made by the worker whose turn it is."""
        try:
            index = self._next_index()
        except StopIteration:
            return
        active = sum(worker.active for worker in self._workers)
        for worker in itertools.islice(self._turns, len(self._workers)):
            most = self._prefetch_factor * self._num_workers // active if active else 0
            if worker.active and (self._in_order or worker.count < most):
                worker.order((self._dealt, index))
                self._maker[self._dealt] = worker
                worker.count += 1
                self._dealt += 1
                return

    def _next_data(self) -> Any:
        while (expected := self._expected()) is not None:
            if expected in self._early:
                return self._hand_over(expected, self._early.pop(expected))
            number, data = self._receive()
            if data is Signal.EXHAUSTED:
                worker = self._maker[number]
                worker.active = False
                if not self._persistent_workers:
                    worker.stop()
                self._deal_out()
            elif number == expected or not self._in_order:
                return self._hand_over(number, data)
            else:
                self._early[number] = data
        if not self._persistent_workers:
            self._shutdown_workers()
        raise StopIteration

    def _expected(self) -> int | None:
        """The number of the batch to be given next, None if no more will come."""
        while self._given < self._dealt:
            worker = self._maker.get(self._given)
            if worker is not None and (worker.active or self._given in self._early):
                return self._given
            self._maker.pop(self._given, None)
            self._given += 1
        return None

    def _hand_over(self, number: int, data: Any) -> Any:
        self._maker.pop(number).count -= 1
        self._deal_out()
        if isinstance(data, Failure):
            data.reraise()
        return data

    def _receive(self) -> tuple[Any, Any]:
        """Wait for a worker to send something: the number of a batch and the batch."""
        from multiprocessing.connection import wait

        from jgrad.utils.data._utils import transport

        while not self._readable:
            by_connection: dict[Any, _Worker] = {w.results: w for w in self._workers if w.active}
            ready = wait(list(by_connection), self._timeout or CHECK_INTERVAL)
            self._readable.extend(by_connection[connection] for connection in ready)
            if not ready:
                # A process that a worker has started may keep the connection of a dead worker open.
                self._report_dead([w for w in by_connection.values() if not w.process.is_alive()])
                if self._timeout:
                    raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        worker = self._readable.popleft()
        try:
            return transport.unpacked(transport.receive(worker.results))
        except (EOFError, ConnectionError):
            worker.process.join(CHECK_INTERVAL)
            self._report_dead([worker])
            raise
        except (
            BaseException
        ):  # such as KeyboardInterrupt: the rest of a message would be taken for the next one
            self._shutdown_workers()
            raise

    def _report_dead(self, dead: list[_Worker]) -> None:
        if not dead:
            return
        for worker in dead:
            worker.active = False
        pids = ", ".join(str(worker.process.pid) for worker in dead)
        reason = RuntimeError(dead[0].how_it_died())
        raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly") from reason


def _stop(workers: list[_Worker], owner: int) -> None:
    """Let workers finish the batch they are at, and end them if that takes long."""
    if os.getpid() != owner:
        return  # a process that was forked has copies of the iterators of the first one
    try:
        for worker in workers:
            worker.active = False
            worker.stop()
        for worker in workers:
            worker.process.join(CHECK_INTERVAL)
    finally:
        for worker in workers:
            if worker.process.is_alive():
                worker.process.terminate()
                worker.process.join(CHECK_INTERVAL)
            worker.orders.close()
            worker.results.close()
