"""An epoch whose batches are made by worker processes: the side of the main process.

Nothing here is loaded before a DataLoader needs workers: where Python has no processes, as in a browser, all else works.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import weakref
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pickle import PicklingError
from typing import TYPE_CHECKING, Any

from jgrad.utils.data._utils import transport
from jgrad.utils.data._utils.iterators import _BaseDataLoaderIter
from jgrad.utils.data._utils.worker_process import CHECK_INTERVAL, Failure, Job, Signal, work
from jgrad.warn import say

if TYPE_CHECKING:
    from jgrad.utils.data.dataloader import DataLoader


@dataclass
class Worker:
    """A worker as the main process sees it."""

    process: BaseProcess
    orders: Connection
    results: Connection
    active: bool = True  # False at the end of its dataset, and when it is dead
    count: int = 0  # of batches that it still has to make

    def order(self, message: Any) -> None:
        """Send an order."""
        self._send(transport.packed(message))

    def stop(self) -> None:
        """Have it leave out what it was ordered to do, and end."""
        self._send(transport.STOP)

    def _send(self, message: transport.Packed) -> None:
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

    Batches are numbered in the order of the sampler and dealt out to the workers in turn. Each has `prefetch_factor` of them to make, and
    for each batch that is given to the user a new one is dealt out. An iterable dataset may end earlier in one worker than in another. Such
    a worker's turns are left out.
    """

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor or 0
        self._in_order = loader.in_order
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        self._workers: list[Worker] = []
        # Runs when nobody needs this iterator any more, also after an exception or a break, and when the program ends.
        self._shutdown_workers = weakref.finalize(self, _stop, self._workers, os.getpid())
        try:
            for number in range(self._num_workers):
                self._workers.append(self._started(loader, number))
        except BaseException:
            self._shutdown_workers()
            raise
        self._readable: deque[Worker] = deque()  # those that have sent something
        super()._reset(loader)
        with self._whole_messages():
            self._begin_epoch()

    def _started(self, loader: DataLoader, number: int) -> Worker:
        """Start a worker."""
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
            # The worker has these now. If this process kept them, it would not notice when the worker is gone.
            read_orders.close()
            send_results.close()
        return Worker(process, orders, results)

    def _is_over(self) -> bool:
        return not self._shutdown_workers.alive

    def _reset(self, loader: DataLoader) -> None:
        super()._reset(loader)
        with self._whole_messages():
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
        self._maker: dict[int, Worker] = {}  # who makes a batch, by its number
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
        with self._whole_messages():
            return self._next_in_turn()

    @contextlib.contextmanager
    def _whole_messages(self) -> Iterator[None]:
        """A block that Ctrl-C may interrupt in the middle of a message. What is left of the message would be taken for the next one."""
        try:
            yield
        except KeyboardInterrupt:
            self._shutdown_workers()
            raise

    def _next_in_turn(self) -> Any:
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
        while not self._readable:
            by_connection: dict[Any, Worker] = {w.results: w for w in self._workers if w.active}
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
        except Exception:  # Nobody knows which batch this was.
            self._shutdown_workers()
            raise

    def _report_dead(self, dead: list[Worker]) -> None:
        if not dead:
            return
        for worker in dead:
            worker.active = False
        pids = ", ".join(str(worker.process.pid) for worker in dead)
        reason = RuntimeError(dead[0].how_it_died())
        raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly") from reason


def _stop(workers: list[Worker], owner: int) -> None:
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
