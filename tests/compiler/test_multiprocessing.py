"""`multiprocessing.spawn` and shared memory, on jgrad and on PyTorch."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from itertools import chain, repeat
from multiprocessing import SimpleQueue
from multiprocessing.reduction import ForkingPickler
from typing import Any

import pytest

import jgrad
import jgrad.multiprocessing

torch = pytest.importorskip("torch")
import torch.multiprocessing  # noqa: E402, F811

from tests.compiler.shared import conversation  # noqa: E402


def double_into(i: int, path: str, x: Any) -> None:
    with open(f"{path}/{i}", "w") as file:
        file.write(str((x * 2).tolist()))


def fail(i: int) -> None:
    if i == 1:
        raise ValueError("no")


def leave(i: int) -> None:
    os._exit(7)


def die(i: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_function_runs_in_several_processes(library: Any, tmp_path: Any) -> None:
    library.multiprocessing.spawn(double_into, (str(tmp_path), library.tensor([1, 2])), nprocs=2)
    assert [(tmp_path / str(i)).read_text() for i in range(2)] == ["[2, 4]", "[2, 4]"]


@pytest.mark.parametrize("function", [fail, leave, die])
def test_the_error_of_a_process_is_raised(function: Any) -> None:
    """With forks, as a new process that imports both libraries takes seconds."""
    errors, count = [], 2 if function is fail else 1
    for library in (jgrad, torch):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            library.multiprocessing.start_processes(function, nprocs=count, start_method="fork")
        text = re.sub(r'File ".*?", line \d+, in \w+\n.*\n(\s*[~^]+\n)?', "", str(caught.value))
        errors.append((type(caught.value).__name__, text.replace("jgrad", "torch")))
    assert errors[0] == errors[1]


def test_no_exit_is_missed() -> None:
    """A process is known to have ended a moment before its exit code is."""
    readable, writable = os.pipe()
    os.close(writable)  # so that whoever waits for the other end is told

    class Ended:
        pid, sentinel = 1, readable
        codes = chain([None, None], repeat(7))

        @property
        def exitcode(self) -> Any:
            return next(self.codes)

        def join(self, timeout: Any = None) -> None: ...

        def is_alive(self) -> bool:
            return False

    context = jgrad.multiprocessing.ProcessContext([Ended()], [SimpleQueue()])
    # Its code is not known yet, and then it is.
    assert not context.join()
    with pytest.raises(jgrad.multiprocessing.ProcessExitedException, match="exit code 7"):
        context.join()
    os.close(readable)


@pytest.mark.quick
def test_the_names_of_python_are_there() -> None:
    missing = set(torch.multiprocessing.__all__) - set(dir(jgrad.multiprocessing))
    assert missing == set()


def test_processes_write_to_the_same_memory() -> None:
    assert conversation(jgrad, "fork") == conversation(torch, "fork")


def test_new_processes_have_the_same_memory() -> None:
    assert conversation(jgrad, "spawn") == conversation(jgrad, "fork")


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_history_is_not_sent(library: Any) -> None:
    with pytest.raises(RuntimeError, match=r"^Cowardly refusing to serialize non-leaf tensor"):
        ForkingPickler.dumps(library.ones(1, requires_grad=True) * 2)


def test_memory_is_freed_with_the_last_tensor() -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    before, known = descriptors(), len(jgrad.shared_memory._arenas)
    x = jgrad.ones(10).share_memory_()
    part = x[2:]
    assert descriptors() > before
    del x
    assert part.is_shared()
    del part
    assert (descriptors(), len(jgrad.shared_memory._arenas)) == (before, known)


@pytest.mark.quick
def test_modules_can_be_imported_in_any_order() -> None:
    for program in (
        "import jgrad, multiprocessing, torch",
        "import multiprocessing, jgrad.multiprocessing",
        "import jgrad.multiprocessing",
    ):
        subprocess.run([sys.executable, "-c", program], check=True)
