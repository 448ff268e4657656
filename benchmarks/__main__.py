"""`python -m benchmarks [WORD ...]`: jgrad next to PyTorch, NumPy by hand, autograd (HIPS) and mygrad.

The results of each row are compared between the systems before anything is timed. Then the systems take turns in one process, on one thread.
Rows that use several threads are measured on all threads as well. With words as arguments, only rows with one of them in their name or group
run (memory, imports and recorder are groups too).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks import THREADS, checking, fresh
from benchmarks.all_rows import ROWS
from benchmarks.measuring import Effort, measure
from benchmarks.report import report, write
from benchmarks.results import Results, Times, load, machine
from benchmarks.rows import Row
from benchmarks.systems import System, installed


def timed(
    rows: Iterable[Row], systems: dict[str, System], effort: Effort
) -> dict[str, tuple[Times, list[str]]]:
    """By row: the times, and the systems that compute in float64."""
    found = {}
    gc.collect()
    gc.freeze()  # the collector stays on, but ignores the objects that the imports made
    for row in rows:
        runs = row.runs(systems)
        promoted = checking.compare(runs, systems)
        gc.collect()
        found[row.name] = measure(runs, row.per, effort), promoted
        print(f"  {row.name}", file=sys.stderr, flush=True)
    return found


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    option = parser.add_argument
    option("words", nargs="*", metavar="WORD", help="only the rows with one of these in their name or group")
    option("--rounds", type=int, default=9, help="how often the systems take turns (%(default)s)")
    option("--slot", type=float, default=0.015, help="seconds that a turn takes, or one run (%(default)s)")
    option("--limit", type=float, default=1.0, help="seconds after which three rounds will do (%(default)s)")
    option("--json", type=Path, metavar="FILE", help="keep all figures")
    option("--write", type=Path, metavar="PAGE", help="put the tables into this page, between its marks")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    effort = Effort(options.rounds, options.slot, options.limit)

    def wanted(name: str) -> bool:
        return not options.words or any(word in name for word in options.words)

    systems = installed()
    rows = [row for row in ROWS.values() if wanted(f"{row.group}: {row.name}")]
    threaded = [row for row in rows if row.threads]
    if THREADS > 1:  # this process was started by `on_all_threads`
        print(json.dumps({name: times for name, (times, _) in timed(threaded, systems, effort).items()}))
        return
    begun = load()
    results: Results = {"machine": machine(), "rows": {}, "recorder": {}, "memory": {}, "imports": {}}
    if wanted("imports"):
        results["imports"] = fresh.imports([*systems])
    if wanted("memory"):
        results["memory"] = fresh.memory([*systems])
    for name, (times, promoted) in timed(rows, systems, effort).items():
        results["rows"][name] = {"group": ROWS[name].group, "one thread": times, "in float64": promoted}
    if threaded and os.cpu_count() != 1:
        for name, times in on_all_threads().items():
            results["rows"][name]["all threads"] = times
    if wanted("recorder"):
        results["recorder"] = json.loads(fresh.child("-m", "benchmarks.traced"))
    results["machine"]["load"] = f"{begun} before the run, {load()} after it"
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    text = report(results)
    print(text)
    if options.write:
        write(options.write, text)


def on_all_threads() -> dict[str, Times]:
    """Run the same command in another process, because the number of BLAS threads must be set before BLAS is loaded."""
    return json.loads(fresh.child("-m", "benchmarks", *sys.argv[1:], BENCHMARK_THREADS=str(os.cpu_count())))


if __name__ == "__main__":
    main()
