"""Which worker of a DataLoader makes a batch; `torch.utils.data._utils.worker`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jgrad import manual


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
    """Which worker of a DataLoader this process is, None in the main process."""
    return _worker_info


@contextmanager
def becoming(info: WorkerInfo) -> Iterator[None]:
    """A block in which `get_worker_info` answers this."""
    global _worker_info
    before, _worker_info = _worker_info, info
    try:
        yield
    finally:
        _worker_info = before


manual.attach(__name__)
