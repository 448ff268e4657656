"""Worker processes: what they give, how they fail and how they end, as in PyTorch."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import nn, observer
from tests.utils.data.loading import shown_by

torch = pytest.importorskip("torch")

FORK = multiprocessing.get_context("fork")


def same_in_both(program: Any) -> list:
    ours = shown_by(jgrad, program)
    assert ours == shown_by(torch, program)
    return ours


@pytest.fixture(autouse=True)
def nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> Any:
    # PyTorch's workers often miss that they are to end, and are then waited for.
    monkeypatch.setattr(torch.utils.data._utils, "MP_STATUS_CHECK_INTERVAL", 0.2)
    yield
    if multiprocessing.active_children():
        gc.collect()
    assert multiprocessing.active_children() == []


def loader_of(library: Any, sample: Any, n: int = 4, **options: Any) -> Any:
    """A loader of a dataset with n samples, each of which `sample` makes of its index."""

    class Samples(library.utils.data.Dataset):
        def __len__(self) -> int:
            return n

        def __getitem__(self, i: int) -> Any:
            return sample(i)

    return library.utils.data.DataLoader(Samples(), **{"num_workers": 1, **options})


# What they give ---------------------------------------------------------------------------------------------------------


def test_what_a_worker_knows_and_draws() -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> tuple:
            info = library.utils.data.get_worker_info()
            knows = info.id, info.num_workers, info.seed, info.worker_method, info.rng, len(info.dataset)
            assert library.initial_seed() == info.seed
            return *knows, library.rand(1).item(), random.random(), np.random.rand(), np.random.randint(99)

        show(list(loader_of(library, sample, num_workers=2, batch_size=None)))
        show(library.utils.data.get_worker_info())

    same_in_both(program)


def test_worker_init_fn() -> None:
    def program(library: Any, show: Any) -> None:
        def begin(number: int) -> None:
            library.utils.data.get_worker_info().dataset.first = 100 * number

        class Counting(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                return iter(range(self.first, self.first + 3))

        loader = library.utils.data.DataLoader(
            Counting(), num_workers=2, worker_init_fn=begin, batch_size=2, persistent_workers=True
        )
        for _ in range(2):
            show(list(loader))

    same_in_both(program)


def test_workers_with_less_to_give_leave_their_turns_to_the_others() -> None:
    def program(library: Any, show: Any) -> None:
        class Uneven(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                number = library.utils.data.get_worker_info().id
                return iter(range(10 * number, 10 * number + (5, 0, 2)[number]))

        for persistent in (False, True):
            loader = library.utils.data.DataLoader(Uneven(), num_workers=3, persistent_workers=persistent)
            for _ in range(2):
                show(list(loader))

    same_in_both(program)


SAMPLES = {
    "row of a tensor": lambda library: library.arange(12.0).reshape(3, 4)[1],
    "column": lambda library: library.arange(12.0).reshape(3, 4)[:, 1],
    "transposed": lambda library: library.arange(6).reshape(2, 3).t(),
    "expanded": lambda library: library.ones(1, 3).expand(2, 3),
    "scalar": lambda library: library.tensor(2.5),
    "empty": lambda library: library.empty(0, 3),
    "half": lambda library: library.ones(2, dtype=library.float16),
    "bool": lambda library: library.tensor([True, False]),
    "complex": lambda library: library.tensor([1j]),
    "leaf": lambda library: library.ones(2, requires_grad=True),
    "numpy": lambda library: np.arange(6.0).reshape(2, 3).T,
    "numpy row": lambda library: np.arange(6.0).reshape(2, 3)[1],
    "large": lambda library: library.arange(100_000).reshape(2, -1),
    "containers": lambda library: {"a": [library.ones(2), (1, "b")], "c": None, "d": b"e"},
    "size": lambda library: tuple(library.ones(2, 3).shape),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_samples_arrive_as_they_were(sample: Any) -> None:
    def program(library: Any, show: Any) -> None:
        show(list(loader_of(library, lambda i: sample(library), 2, collate_fn=list)))

    same_in_both(program)


def test_tensors_that_share_elements_still_do() -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> tuple:
            whole = library.zeros(4, 3)
            return whole[:2], whole[1:3], whole, library.zeros(3), whole.numpy()[3]

        ((parts,),) = loader_of(library, sample, 1, collate_fn=list)
        parts[0][1, 0] = 7
        parts[2][2, 1] = 8
        parts[2][3, 2] = 9
        show(parts[:4])

    same_in_both(program)


def test_a_parameter_arrives_as_one() -> None:
    (batch,) = loader_of(jgrad, lambda i: nn.Parameter(jgrad.ones(2)), 1, collate_fn=list)
    assert type(batch[0]) is nn.Parameter
    assert batch[0].requires_grad


def test_of_a_large_tensor_only_the_part_that_is_shown_is_sent() -> None:
    from jgrad.utils.data._utils import transport

    rows = jgrad.zeros(1000, 1000)
    message = transport.packed([rows[3], rows[7, :10], rows[3, 5:], rows[3:5]])
    assert sorted(len(segment) for segment in message.segments) == [40, 8000]
    assert [t.shape for t in transport.unpacked(message)] == [(1000,), (10,), (995,), (2, 1000)]


def test_what_arrives_can_be_written_to() -> None:
    def sample(i: int) -> Any:
        array = np.arange(3.0)
        array.flags.writeable = False
        return jgrad.from_numpy(array)

    (batch,) = loader_of(jgrad, sample, 1, collate_fn=list)
    batch[0][0] = 5
    assert batch[0].tolist() == [5, 1, 2]


def test_collation_in_a_worker() -> None:
    def program(library: Any, show: Any) -> None:
        for sample in (
            lambda i: library.ones(2, dtype=(library.float32, library.float64)[i % 2]),
            lambda i: library.ones(2, dtype=(library.int64, library.float32)[i % 2]),
            lambda i: library.ones(2 - i % 2),
            lambda i: library.ones(1 + i % 2),
            lambda i: library.ones(2).requires_grad_(),
            lambda i: np.float32(i),
            lambda i: {"a": i, "b": np.ones(i // 9)},
        ):
            try:
                show(list(loader_of(library, sample, batch_size=2)))
            except Exception as error:
                show(type(error).__name__, str(error).splitlines()[0], str(error).splitlines()[-1])

    same_in_both(program)


def test_order_does_not_matter() -> None:
    def program(library: Any, show: Any) -> None:
        go_on = FORK.Event()

        def sample(i: int) -> int:
            if i == 0:
                go_on.wait()
            return i

        loader = loader_of(library, sample, 8, num_workers=2, in_order=False)
        batches = []
        for batch in loader:
            batches.append(batch.item())
            if len(batches) == 3:
                go_on.set()
        show(batches[:3], sorted(batches))

    same_in_both(program)


def test_orders_and_batches_larger_than_a_pipe() -> None:
    n = 60_000

    def program(library: Any, show: Any) -> None:
        class Whole(library.utils.data.Dataset):
            def __getitem__(self, index: Any) -> Any:
                return library.as_tensor(index).repeat(3)

        sampler = [list(range(n)), library.arange(n), list(range(7, n))] * 3
        loader = library.utils.data.DataLoader(
            Whole(), sampler=sampler, batch_size=None, num_workers=1, prefetch_factor=8
        )
        show([(len(t), t.sum().item()) for t in loader])

    same_in_both(program)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_ways_to_start_processes(method: str, tmp_path: Path) -> None:
    program = """
        import random, sys, warnings
        import numpy as np
        warnings.simplefilter("ignore")
        if sys.argv[1] == "torch":
            import torch
        else:
            import jgrad as torch
        data = torch.utils.data

        class Samples(data.Dataset):
            def __init__(self):
                self.all = torch.arange(8.).reshape(4, 2)
            def __len__(self):
                return 4
            def __getitem__(self, i):
                info = data.get_worker_info()
                return self.all[i], info.id, info.seed, torch.rand(2), random.random(), np.random.rand()

        class Stream(data.IterableDataset):
            def __iter__(self):
                return iter(range(data.get_worker_info().id, 4, 2))

        def begin(number):
            data.get_worker_info().dataset.all += number

        if __name__ == "__main__":
            torch.manual_seed(3)
            loader = data.DataLoader(Samples(), 2, shuffle=True, num_workers=2, worker_init_fn=begin,
                                     multiprocessing_context=sys.argv[2], persistent_workers=True)
            for epoch in range(2):
                for batch in loader:
                    print([column.tolist() for column in batch])
            print([t.tolist() for t in data.DataLoader(Stream(), num_workers=2, multiprocessing_context=sys.argv[2])])
            print(torch.rand(2).tolist())
    """
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))

    def output(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(path), *arguments], capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        return done.stdout

    assert output("jgrad", method) == output("torch", "fork")


# How they fail -----------------------------------------------------------------------------------------------------------


class TwoArguments(Exception):
    def __init__(self, a: int, b: int) -> None:
        super().__init__(a, b)


class WithMessage(Exception):
    message = "given by name"

    def __init__(self, message: str) -> None:
        super().__init__(f"<{message}>")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        KeyError("a\nb"),
        IndexError(),
        StopIteration(3),
        TwoArguments(1, 2),
        WithMessage("bad"),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"),
    ],
    ids=repr,
)
def test_an_exception_is_raised_again_and_the_loop_can_go_on(error: Exception) -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> int:
            if i == 1:
                raise error
            return i

        batches = iter(loader_of(library, sample))
        for _ in range(4):
            try:
                show(next(batches))
            except Exception as caught:
                show(type(caught).__name__, [line for line in str(caught).splitlines() if "  " not in line])
                show(caught.__cause__, [line for line in str(caught).splitlines() if "raise error" in line])

    shown = same_in_both(program)
    assert any("Caught" in str(value) for value in shown) or isinstance(error, StopIteration)


def test_errors_of_worker_init_fn_and_of_iter() -> None:
    def program(library: Any, show: Any) -> None:
        class Broken(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                raise ValueError("no samples today")

        def begin(number: int) -> None:
            raise OSError("no disk")

        for loader in (
            library.utils.data.DataLoader(Broken(), num_workers=1),
            loader_of(library, lambda i: i, worker_init_fn=begin),
        ):
            with pytest.raises((ValueError, OSError)) as caught:
                list(loader)
            show(str(caught.value).splitlines()[0], str(caught.value).splitlines()[-1])

    same_in_both(program)


def test_what_can_not_be_pickled_is_an_error() -> None:
    # (PyTorch prints the error in the worker and waits for ever.)
    class Here(Exception):
        pass

    def sample(i: int) -> Any:
        if i == 0:
            return lambda: i
        if i == 1:
            raise Here("local")
        return jgrad.ones(1, requires_grad=True) * 2 if i == 2 else i

    batches = iter(loader_of(jgrad, sample, batch_size=None))
    with pytest.raises(
        (AttributeError, TypeError, ValueError), match=r"(?s)Caught .* in DataLoader worker process 0.*pickle"
    ):
        next(batches)
    with pytest.raises(RuntimeError, match=r"(?s)Caught Here in DataLoader worker process 0.*Here: local"):
        next(batches)
    with pytest.raises(
        RuntimeError, match=r"(?s)Caught RuntimeError.*Cowardly refusing to serialize non-leaf"
    ):
        next(batches)
    assert next(batches) == 3


class Unreadable:
    def __reduce__(self) -> tuple:
        return int, ("not a number",)


def test_what_the_main_process_can_not_read_is_an_error_each_time() -> None:
    loader = loader_of(jgrad, lambda i: Unreadable(), batch_size=None, persistent_workers=True)
    for _ in range(2):
        with pytest.raises(ValueError, match="invalid literal"):
            next(iter(loader))
        assert alive() == set(), "its place in the order is not known, so the epoch is over"


@pytest.mark.parametrize("way", ["SIGKILL", "SIGBUS", "_exit", "sys.exit"])
def test_a_worker_that_dies(way: str) -> None:
    def sample(i: int) -> int:
        if i == 1 and way == "sys.exit":
            sys.exit(3)
        if i == 1 and way == "_exit":
            os._exit(3)
        if i == 1:
            faulthandler.disable()  # pytest's
            os.kill(os.getpid(), getattr(signal, way))
        return i

    batches = iter(loader_of(jgrad, sample))
    pid = batches._workers[0].process.pid
    with pytest.raises(RuntimeError) as caught:
        list(batches)
    assert str(caught.value) == f"DataLoader worker (pid(s) {pid}) exited unexpectedly"
    expected = {
        "SIGKILL": f"DataLoader worker (pid {pid}) is killed by signal: Killed. ",
        "SIGBUS": f"DataLoader worker (pid {pid}) is killed by signal: Bus error. It is possible that dataloader's workers are out of "
        "shared memory. Please try to raise your shared memory limit.",
    }.get(
        way,
        f"DataLoader worker (pid {pid}) exited unexpectedly with exit code 3. Details are lost due to multiprocessing. Rerunning with "
        "num_workers=0 may give better error trace.",
    )
    assert str(caught.value.__cause__) == expected
    assert list(batches) == [], "nobody is left who could make the rest"


def test_what_was_made_before_a_worker_dies_arrives() -> None:
    go_on = FORK.Event()

    def sample(i: int) -> int:
        if i == 2:
            go_on.wait()
            sys.exit(1)
        return i

    batches = iter(loader_of(jgrad, sample, prefetch_factor=3))
    assert [next(batches).item(), next(batches).item()] == [0, 1]
    go_on.set()
    with pytest.raises(RuntimeError, match="exited unexpectedly"):
        next(batches)


def test_timeout() -> None:
    def program(library: Any, show: Any) -> None:
        go_on = FORK.Event()
        batches = iter(loader_of(library, lambda i: go_on.wait() and i, timeout=0.2))
        try:
            next(batches)
        finally:
            go_on.set()

    same_in_both(program)


def test_what_can_not_be_sent_to_a_worker() -> None:
    def program(library: Any, show: Any) -> None:
        loader = loader_of(library, lambda i: i, multiprocessing_context="spawn")
        with pytest.raises((AttributeError, TypeError)) as caught:
            iter(loader)
        show(type(caught.value).__name__)

    same_in_both(program)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # PyTorch's
def test_prefetch_factor_zero() -> None:
    same_in_both(lambda library, show: list(loader_of(library, lambda i: i, prefetch_factor=0)))


def test_more_workers_than_processors() -> None:
    def program(library: Any, show: Any) -> None:
        loader = loader_of(library, lambda i: i, num_workers=999)
        loader.num_workers = 1
        show(list(loader))

    assert any("999 worker processes" in str(value) for value in same_in_both(program))


# How they end ------------------------------------------------------------------------------------------------------------


def alive() -> set[int | None]:
    return {process.pid for process in multiprocessing.active_children()}


@pytest.mark.parametrize("persistent", [False, True])
def test_no_process_is_left_behind(persistent: bool) -> None:
    loader = loader_of(jgrad, lambda i: i, num_workers=2, persistent_workers=persistent)
    for _ in range(2):
        for _ in loader:
            before = alive()
            assert len(before) == 2
    assert alive() == (before if persistent else set())
    for _ in loader:
        break
    assert alive() == (before if persistent else set())
    with pytest.raises(KeyboardInterrupt):
        interrupted(loader)
    gc.collect()
    assert alive() == (before if persistent else set())
    del loader
    gc.collect()
    assert alive() == set()


def interrupted(loader: Any) -> None:
    for _ in loader:
        raise KeyboardInterrupt


@pytest.fixture
def heeds_interrupts() -> Iterator[None]:
    """A process that was started in the background ignores interrupts, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("persistent", [False, True])
def test_an_interrupt_ends_the_epoch(persistent: bool, heeds_interrupts: None) -> None:
    begun = FORK.Event()

    def sample(i: int) -> int:
        if i == 1 and not begun.is_set():
            begun.set()
            os.kill(os.getppid(), signal.SIGINT)
            threading.Event().wait(3)  # so the main process is interrupted while it waits for this worker
        return i

    loader = loader_of(jgrad, sample, persistent_workers=persistent)
    batches = iter(loader)
    with pytest.raises(KeyboardInterrupt):
        list(batches)
    assert alive() == set()
    assert list(batches) == []
    assert len(list(loader)) == 4, "the next epoch begins with new workers"
    del batches, loader


def test_no_file_is_left_open() -> None:
    loader = loader_of(jgrad, lambda i: jgrad.ones(100_000), num_workers=2)
    list(loader)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        list(loader)
        next(iter(loader))
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_program_that_ends_in_a_loop_leaves_nobody_behind() -> None:
    assert everybody_is_gone_after("sys.exit()") == 0


def test_a_program_that_is_killed_in_a_loop_leaves_nobody_behind() -> None:
    assert everybody_is_gone_after("os.kill(os.getpid(), 9)") == -9


def test_ctrl_c_is_a_keyboard_interrupt_of_the_main_process_alone(heeds_interrupts: None) -> None:
    # Here the whole group gets the signal, as from a terminal.
    assert everybody_is_gone_after("os.killpg(0, 2); next(batches); next(batches)") == -2


def everybody_is_gone_after(end: str) -> int:
    """Run a program that ends so in a loop, and return its exit code, once all its processes have closed their output."""
    program = f"""
        import os, signal, sys, threading
        import jgrad
        class Samples:
            def __len__(self): return 8
            def __getitem__(self, i): return threading.Event().wait() if i > 3 else i
        batches = iter(jgrad.utils.data.DataLoader(Samples(), num_workers=2))
        next(batches), next(batches)  # so both workers have begun
        {end}
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        _, errors = running.communicate(timeout=60)  # which ends when no process is left that could write
        assert errors.count(b"Traceback") == (end.count("killpg")), errors
        return running.returncode


def test_other_threads_may_draw_numbers_while_workers_start() -> None:
    locks = jgrad.default_generator._bits().lock, np.random.mtrand._rand._bit_generator.lock

    class Busy(FORK.Process):  # type: ignore[name-defined, misc]
        def start(self) -> None:
            held, started = threading.Event(), threading.Event()

            def draw() -> None:
                with locks[0], locks[1]:  # the new process has copies of the locks that nobody opens
                    held.set()
                    started.wait()

            thread = threading.Thread(target=draw)
            thread.start()
            held.wait()
            super().start()
            started.set()
            thread.join()

    class Context(type(FORK)):  # type: ignore[misc]
        Process = Busy

    loader = loader_of(jgrad, lambda i: np.random.rand() + i, multiprocessing_context=Context(), timeout=15)
    assert [batch.long().item() for batch in loader] == [0, 1, 2, 3]


def test_remove_all_a_worker() -> None:
    class Counts(observer.Observer):
        def __init__(self) -> None:
            self.names: list[str] = []

        def op(self, name: str, *_: Any) -> None:
            self.names.append(name)

    def sample(i: int) -> bool:
        jgrad.ones(1).sin()
        return observer.current is None

    with observer.observe(Counts()) as counts:
        (batch,) = loader_of(jgrad, sample, 3, batch_size=3, shuffle=True)
    assert batch.tolist() == [True] * 3
    assert counts.names == [], "what a loader draws is not the user's operation"
