"""One epoch of a DataLoader: what is common to all, and the epoch without workers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NoReturn

from jgrad.cuda import accelerator
from jgrad.utils.data._utils.fetch import _IterableDatasetFetcher, _MapDatasetFetcher
from jgrad.utils.data._utils.pin_memory import pin_memory
from jgrad.utils.data.sampler import drawn_seed
from jgrad.warn import say

if TYPE_CHECKING:
    from jgrad.utils.data.dataloader import DataLoader


class _DatasetKind:
    Map = 0
    Iterable = 1


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

    def _is_over(self) -> bool:
        """Whether it can't begin another epoch."""
        return False

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
