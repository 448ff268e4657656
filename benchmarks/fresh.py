"""Memory and imports, measured in fresh processes: one for each system and question.

    python -m benchmarks.fresh peak jgrad

Memory is what a process has from the operating system, its resident set: that counts every allocator alike. Linux alone tells its peak.
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
    """tanh(x * 1.01), again and again, forward and backward."""

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
    """What this process has now (VmRSS), or had at most (VmHWM)."""
    fields = dict(each.split(":") for each in STATUS.read_text().splitlines())
    return int(fields[line].split()[0]) / 1024


def settled() -> float:
    """What this process has now and needs: glibc keeps freed memory for a while, whoever freed it."""
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
    return megabytes("VmRSS")


def peak(system: System) -> dict[str, float]:
    """Of a chain on 1e6 floats, at most; and what is left of it after backward, with its result and gradient still held: 8 MB of their own."""
    chain(system, 10, DEPTH)()
    run = chain(system, SIZE, DEPTH)
    before = settled()
    CLEAR.write_text("5")  # the peak starts anew
    held = run()
    most = megabytes("VmHWM")
    after = settled()
    del held
    return {"peak": most - before, "kept": after - before}


def growth(system: System) -> dict[str, float]:
    """Over many small forward and backward passes with the garbage collector off: a cycle of references in a graph would show."""
    run = chain(system, 4, 2)
    gc.disable()
    for _ in range(1000):
        run()
    before = megabytes("VmRSS")
    for _ in range(TIMES):
        run()
    return {"growth": megabytes("VmRSS") - before}


def child(*arguments: str, **environment: str) -> str:
    """What a fresh Python prints, which may write and use compiled modules."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment}
    command = [sys.executable, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def memory(names: list[str]) -> dict[str, dict[str, float]]:
    """Megabytes by question and system. The peak is a median: in some processes freed blocks are used again, in others they don't fit."""
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
    """Seconds of CPU that an import takes after `import numpy`: the median of five, after one that may compile."""
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
