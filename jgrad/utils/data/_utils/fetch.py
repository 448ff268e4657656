"""How a batch is fetched from a dataset, by a worker or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class _MapDatasetFetcher:
    """Asks a dataset for the samples of a batch by their indices."""

    def __init__(self, dataset: Any, auto_collation: bool, collate_fn: Callable, drop_last: bool) -> None:
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn

    def fetch(self, index: Any) -> Any:
        if not self.auto_collation:
            return self.collate_fn(self.dataset[index])
        if getattr(self.dataset, "__getitems__", None):
            return self.collate_fn(self.dataset.__getitems__(index))
        return self.collate_fn([self.dataset[i] for i in index])


class _IterableDatasetFetcher:
    """Goes through a dataset; of a batch of indices only their number counts. Raises StopIteration at the end."""

    def __init__(self, dataset: Any, auto_collation: bool, collate_fn: Callable, drop_last: bool) -> None:
        self.samples = iter(dataset)
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.ended = False

    def fetch(self, index: Any) -> Any:
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.samples))
        batch = []
        for _ in index:
            try:
                batch.append(next(self.samples))
            except StopIteration:
                self.ended = True  # and the dataset's iterator is not asked again
                break
        if not batch or (self.drop_last and len(batch) < len(index)):
            raise StopIteration
        return self.collate_fn(batch)
