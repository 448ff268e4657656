"""Memory and imports, measured in new processes: one for each system and question.

    python -m benchmarks.fresh peak jgrad

Memory is the resident set of a process, which treats all allocators alike. Only Linux reports its peak.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.systems import AUTOGRAD, JGRAD, KINDS, MYGRAD, NUMPY, TORCH, Run, System

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
SIZE, DEPTH, TIMES = 1_000_000, 50, 100_000


def chain(system: System, size: int, depth: int) -> Run:
    """A chain of `depth` times tanh(x * 1.01), forward and backward."""

    def layers(lib: Any, x: Any, c: Any) -> Any:
        for _ in range(depth):
            x = lib.tanh(x * c)
        return x

    def layers_by_hand(x: np.ndarray, c: np.float32) -> tuple:
        saved = []
        for _ in range(depth):
            x = np.tanh(x * c)
            saved.append(x)

        def backward(g: np.ndarray) -> tuple:
            while saved:
                h = saved.pop()
                g = g * (1 - h * h) * c
            return (g,)

        return x, backward

    x, c, gradient = np.full(size, 0.5, np.float32), np.float32(1.01), np.ones(size, np.float32)
    function = layers_by_hand if system.name == NUMPY else layers
    return system.differentiate(function, [x], [c], gradient)


def megabytes(line: str) -> float:
    """The resident set of this process in MB: now (VmRSS), or at its peak (VmHWM)."""
    fields = dict(each.split(":") for each in STATUS.read_text().splitlines())
    return int(fields[line].split()[0]) / 1024


def settled() -> float:
    """The resident set of this process in MB, without freed memory, which glibc would keep for a while."""
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
    return megabytes("VmRSS")


def peak(system: System) -> dict[str, float]:
    """The peak of a chain on 1e6 floats, and what is left after backward, in MB. The result and the gradient are still held: 8 MB."""
    chain(system, 10, DEPTH)()
    run = chain(system, SIZE, DEPTH)
    before = settled()
    CLEAR.write_text("5")  # resets the peak
    held = run()
    most = megabytes("VmHWM")
    after = settled()
    del held
    return {"peak": most - before, "kept": after - before}


def growth(system: System) -> dict[str, float]:
    """The growth over many small forward and backward passes with the garbage collector off. Reference cycles in a graph would show here."""
    run = chain(system, 4, 2)
    gc.disable()
    for _ in range(1000):
        run()
    before = megabytes("VmRSS")
    for _ in range(TIMES):
        run()
    return {"growth": megabytes("VmRSS") - before}


def child(*arguments: str, **environment: str) -> str:
    """The output of a new Python process, which may write and use compiled modules."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment}
    command = [sys.executable, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def memory(names: list[str]) -> dict[str, dict[str, float]]:
    """Megabytes by question and system. The peak is a median, because freed blocks are used again in some processes and do not fit in others."""
    if not CLEAR.exists():
        return {}
    asked = [(measured, name) for name in names for measured in ("growth", *["peak"] * 5)]
    answers: dict[str, dict[str, list[float]]] = {"peak": {}, "kept": {}, "growth": {}}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        given = pool.map(lambda pair: json.loads(child("-m", "benchmarks.fresh", *pair)), asked)
        for (_, name), answer in zip(asked, given, strict=True):
            for question, figure in answer.items():
                answers[question].setdefault(name, []).append(figure)
    return {
        question: {name: statistics.median(figures) for name, figures in each.items()}
        for question, each in answers.items()
    }


def imports(names: list[str]) -> dict[str, float]:
    """The CPU seconds of an import after `import numpy`: the median of five runs, after one that may compile modules."""
    modules = {JGRAD: "jgrad", TORCH: "torch", AUTOGRAD: "autograd.numpy", MYGRAD: "mygrad"}
    program = (
        "import numpy; from time import process_time as now; start = now(); import {}; print(now() - start)"
    )
    found = {}
    for name, module in modules.items():
        if name in names:
            _, *times = (float(child("-c", program.format(module))) for _ in range(6))
            found[name] = statistics.median(times)
    return found


if __name__ == "__main__":
    question, name = sys.argv[1:]
    (kind,) = (kind for kind in KINDS if kind.name == name)
    print(json.dumps({"peak": peak, "growth": growth}[question](kind())))
