"""The measurement, in which the systems take turns."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks import THREADS
from benchmarks.results import MEDIAN, MINIMUM, Times

# On one thread, CPU time is measured, which a busy machine disturbs less. On several threads it has to be elapsed time.
clock = process_time if THREADS == 1 else perf_counter


class Effort(NamedTuple):
    rounds: int  # how often each system has a turn
    slot: float  # seconds that a turn takes, if that is more than one run
    limit: float  # seconds after which three rounds of a row are enough


def measure(runs: dict[str, Callable[[], Any]], per: int, effort: Effort) -> Times:
    """The times of each system. Each one has a turn in each round, and each round begins with another system."""
    loops: dict[str, int] = {}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for name, run in runs.items():
        start = clock()
        run()
        loops[name] = max(1, int(effort.slot / max(clock() - start, 1e-7)))
    names, begun = [*runs], clock()
    for number in range(effort.rounds):
        if number >= 3 and clock() - begun > effort.limit:
            break
        first = number % len(names)
        for name in names[first:] + names[:first]:
            run, count = runs[name], range(loops[name])
            start = clock()
            for _ in count:
                run()
            times[name].append((clock() - start) / len(count) / per)
    return {name: {MEDIAN: statistics.median(each), MINIMUM: min(each)} for name, each in times.items()}
