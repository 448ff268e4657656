"""The part of a dataset that one of several programs trains on; `torch.utils.data.distributed`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized
from typing import TypeVar

from jgrad import manual
from jgrad.random import Generator
from jgrad.utils.data.sampler import Sampler, permutation

__all__ = ["DistributedSampler"]

T_co = TypeVar("T_co", covariant=True)


class DistributedSampler(Sampler[T_co]):
    """Every `num_replicas`-th index of a dataset, beginning with that of number `rank`."""

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise ValueError(
                "Default process group has not been initialized, please make sure to call init_process_group."
            )
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        length = len(dataset)
        if drop_last and length % num_replicas != 0:
            length -= num_replicas
        self.num_samples = math.ceil(length / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[T_co]:
        indices = self._order()
        if self.drop_last:
            indices = indices[: self.total_size]
        elif len(indices) < self.total_size:
            indices = (indices * math.ceil(self.total_size / len(indices)))[: self.total_size]
        if len(indices) != self.total_size:
            raise AssertionError(
                f"Number of indices ({len(indices)}) does not match total_size ({self.total_size})"
            )
        return iter(indices[self.rank :: self.num_replicas])  # type: ignore[arg-type]

    def _order(self) -> list[int]:
        length = len(self.dataset)
        if not self.shuffle:
            return list(range(length))
        return permutation(length, Generator().manual_seed(self.seed + self.epoch))

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next: with `shuffle` each has an order of its own."""
        self.epoch = epoch


manual.attach(__name__)
