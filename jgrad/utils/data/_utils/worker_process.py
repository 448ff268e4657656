"""A worker of a DataLoader: a process that makes batches.

The main process sends it the number and the indices of a batch, and the worker sends the batch back. One thread reads orders and another
sends batches, so that neither process waits for the other while it has something to do.
"""

from __future__ import annotations

import os
import queue
import random
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from typing import Any, NoReturn

import numpy as np

from jgrad import observer
from jgrad import random as streams
from jgrad.utils.data._utils import transport
from jgrad.utils.data._utils.fetch import _IterableDatasetFetcher
from jgrad.utils.data._utils.worker import WorkerInfo, become

CHECK_INTERVAL = 5.0  # seconds after which a process looks whether the other one is alive


class Signal(Enum):
    """What is sent in place of a batch."""

    RESUME = "an order to begin another epoch, and its answer"
    EXHAUSTED = "the dataset has no more samples"


@dataclass(frozen=True)
class Job:
    """What a worker needs to know when it starts."""

    dataset: Any
    make_fetcher: Callable[[Any], Any]  # of the dataset
    init_fn: Callable[[int], Any] | None
    base_seed: int
    id: int
    num_workers: int


class _KeyErrorMessage(str):
    """A text that a KeyError shows as it is, where it would show the repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Failure:
    """An exception that a worker caught, on its way to the main process, which raises it again."""

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


def work(orders: Connection, results: Connection, job: Job) -> None:
    """What a worker process runs, until the main process stops it or is gone."""
    inbox: queue.SimpleQueue[transport.Packed | None] = queue.SimpleQueue()
    outbox: queue.SimpleQueue[transport.Packed | None] = queue.SimpleQueue()
    stopped = threading.Event()
    reader = threading.Thread(target=_read_orders, args=(orders, inbox, stopped), daemon=True)
    sender = threading.Thread(target=_send_results, args=(results, outbox), daemon=True)
    try:
        reader.start()
        sender.start()
        _begin(job)
        _make_batches(job, inbox, outbox, stopped)
    except KeyboardInterrupt:
        pass  # the main process raises it
    except BaseException:  # sys.exit() in a dataset, for example: batches made before still arrive
        outbox.put(None)
        while sender.is_alive() and not stopped.is_set():
            sender.join(0.1)
        raise


def _read_orders(orders: Connection, inbox: queue.SimpleQueue, stopped: threading.Event) -> None:
    main, parent = parent_process(), os.getppid()
    assert main is not None
    try:
        while True:
            ready = wait([orders, main.sentinel], CHECK_INTERVAL)
            # Processes that were forked later may keep the sentinel from telling that the main process is gone.
            if os.getppid() != parent or (ready and orders not in ready):
                raise EOFError
            if orders in ready:
                order = transport.receive(orders)
                if order == transport.STOP:
                    break
                inbox.put(order)
    except (EOFError, OSError):
        os._exit(1)  # The main process is gone. Nobody needs what the dataset is doing.
    stopped.set()
    inbox.put(None)


def _send_results(results: Connection, outbox: queue.SimpleQueue) -> None:
    try:
        for message in iter(outbox.get, None):
            transport.send(results, message)
    except OSError:
        pass  # nobody reads any more


def _begin(job: Job) -> None:
    """Make this process a worker: generators with seeds of its own, and what `get_worker_info` answers."""
    observer.remove_all()
    seed = job.base_seed + job.id
    random.seed(seed)
    streams.manual_seed_after_fork(seed)
    np.random.set_bit_generator(np.random.MT19937())  # type: ignore[attr-defined]  # for its new lock, for the same reason
    low, high = job.base_seed & 0xFFFFFFFF, job.base_seed >> 32
    np.random.seed(np.random.SeedSequence([job.id, low, high, 0]).generate_state(4))
    become(WorkerInfo(job.id, job.num_workers, seed, job.dataset))


def _make_batches(
    job: Job, inbox: queue.SimpleQueue, outbox: queue.SimpleQueue, stopped: threading.Event
) -> None:
    fetcher: Any = None
    try:
        if job.init_fn is not None:
            job.init_fn(job.id)
        fetcher = job.make_fetcher(job.dataset)
    except Exception as error:
        failure = Failure(error, job.id)
    exhausted = False
    for order in iter(inbox.get, None):
        if stopped.is_set():
            return
        number, index = transport.unpacked(order)
        result: Any = None
        if number is Signal.RESUME:
            fetcher = job.make_fetcher(job.dataset)
            exhausted = False
        elif exhausted:
            continue
        elif fetcher is None:
            result = failure
        else:
            result = _batch(fetcher, index, job.id)
            exhausted = result is Signal.EXHAUSTED
        outbox.put(_packed(number, result, job.id))
        del order, index, result  # not kept while the next one is waited for


def _batch(fetcher: Any, index: Any, worker_id: int) -> Any:
    try:
        return fetcher.fetch(index)
    except Exception as error:
        if isinstance(error, StopIteration) and isinstance(fetcher, _IterableDatasetFetcher):
            return Signal.EXHAUSTED
        return Failure(error, worker_id)


def _packed(number: Any, result: Any, worker_id: int) -> transport.Packed:
    """The message with a result, or with the failure that it can't be pickled."""
    try:
        return transport.packed((number, result))
    except Exception as error:
        failure = result if isinstance(result, Failure) else Failure(error, worker_id)
    try:
        return transport.packed((number, failure))
    except Exception:
        failure.kind = RuntimeError  # the class of the exception is known in this process alone
        return transport.packed((number, failure))
