"""DataLoader: batches of a dataset, in order or shuffled, made by workers or without; `torch.utils.data.dataloader`."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from jgrad import manual
from jgrad.random import Generator
from jgrad.utils.data._utils.collate import default_collate, default_convert
from jgrad.utils.data._utils.iterators import _BaseDataLoaderIter, _DatasetKind, _SingleProcessDataLoaderIter
from jgrad.utils.data._utils.worker import get_worker_info
from jgrad.utils.data._utils.workers import _MultiProcessingDataLoaderIter
from jgrad.utils.data.dataset import IterableDataset
from jgrad.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler
from jgrad.warn import say

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

T_co = TypeVar("T_co", covariant=True)


class _InfiniteConstantSampler(Sampler[None]):
    """None without end: an iterable dataset itself knows when it is over."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class Rows(Protocol[T_co]):
    """What can be asked for its samples by index: a Dataset, a list, a tensor."""

    def __getitem__(self, index: Any, /) -> T_co: ...


class DataLoader(Generic[T_co]):
    """Batches of a dataset; each loop over it is an epoch."""

    dataset: Any  # often more than `Rows`, such as a sequence
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
        dataset: Rows[T_co],
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
                sampler = RandomSampler(self.dataset, generator=generator)
            else:
                sampler = SequentialSampler(self.dataset)
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
        if self._iterator is None or self._iterator._is_over():
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
        length = self._IterableDataset_len_called = len(self.dataset)
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


manual.attach(__name__)
