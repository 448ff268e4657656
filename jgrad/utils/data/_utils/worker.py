"""Which worker of a DataLoader a process is; `torch.utils.data._utils.worker`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """Which worker this is: its number, how many there are, the seed of its generators, its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: None = None
    worker_method: str | None = "multiprocessing"


_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Which worker of a DataLoader this process is, None in the main process.

    An IterableDataset asks it which part of the data to give; see there for an example.

    >>> get_worker_info() is None
    True
    """
    return _worker_info


def become(info: WorkerInfo) -> None:
    """Have `get_worker_info` answer this from now on."""
    global _worker_info
    _worker_info = info
