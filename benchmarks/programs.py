"""`python -m benchmarks.programs [WORD ...]`: the seconds of each program of `examples/` on jgrad and on PyTorch.

The libraries take turns in one process on one thread, as in the other benchmarks. A figure is the least CPU time of the rounds: a program does the same
in each, so more time can only come from elsewhere. With words as arguments, only programs with one of them in their name run.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import random
import re
import statistics
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from benchmarks import THREADS
from benchmarks.results import load, machine

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
LIBRARIES = "jgrad", "torch"
ROUNDS = 3


def program(name: str, library: str) -> Callable[[], None]:
    """The `main` of a program, with that library in the place of jgrad."""
    text = re.sub(r"\bjgrad\b", library, (EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    names = {"__name__": name}
    exec(compile(text, f"examples/{name}.py", "exec"), names)
    return names["main"]  # type: ignore[return-value]


@contextlib.contextmanager
def printing() -> Iterator[io.StringIO]:
    """What is printed meanwhile. Python's own random numbers go on afterwards where they were."""
    out, before = io.StringIO(), random.getstate()
    try:
        with contextlib.redirect_stdout(out):
            yield out
    finally:
        random.setstate(before)


def seconds(name: str, library: str) -> float:
    """The CPU time of one run."""
    main = program(name, library)
    with printing(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = process_time()
        main()
        return process_time() - begun


def measured(name: str, rounds: int = ROUNDS) -> dict[str, float]:
    """By library: the least time of some runs. The first run of each, which also loads what is loaded when first used, doesn't count."""
    times: dict[str, list[float]] = {library: [] for library in LIBRARIES}
    for _ in range(rounds + 1):
        for library in LIBRARIES:
            times[library].append(seconds(name, library))
    return {library: min(each[1:]) for library, each in times.items()}


def main(words: list[str]) -> None:
    importlib.import_module("torch").set_num_threads(THREADS)
    begun = load()
    print("| program | jgrad | PyTorch | / PyTorch |", "| --- | --- | --- | --- |", sep="\n")
    ratios = []
    for name in NAMES:
        if not words or any(word in name for word in words):
            ours, theirs = measured(name).values()
            ratios.append(ours / theirs)
            print(f"| {name} | {ours:.2f} s | {theirs:.2f} s | {ours / theirs:.2f} |", flush=True)
    print(f"\nThe geometric mean of the ratios is {statistics.geometric_mean(ratios):.2f}.")
    for what, value in machine().items():
        print(f"- {what}: {value}")
    print(f"- load: {begun} before the run, {load()} after it")


if __name__ == "__main__":
    main(sys.argv[1:])
