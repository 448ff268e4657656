"""`python -m benchmarks [ROW ...]`: jgrad beside PyTorch, NumPy by hand and autograd (HIPS), in one process on one thread.

Every row's results are compared between the libraries first. Then the libraries take turns; a figure is CPU time, so that a busy
machine disturbs it less. Give parts of row names to run only those.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.metadata
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import jgrad
from benchmarks import array_rows, index_rows, layer_rows, traced  # noqa: F401  (they declare their rows)
from benchmarks.rows import ROWS, Row, Run

LIBRARIES = ("jgrad", "PyTorch", "NumPy", "autograd")
Times = dict[str, dict[str, float]]  # library -> {"median", "minimum"}, seconds


def available() -> dict[str, Any]:
    modules: dict[str, Any] = {"jgrad": jgrad}
    for name, module in (("PyTorch", "torch"), ("autograd", "autograd")):
        try:
            modules[name] = importlib.import_module(module)
        except ImportError:
            print(f'{name} is not installed and left out: pip install ".[bench]"', file=sys.stderr)
    if "PyTorch" in modules:
        modules["PyTorch"].set_num_threads(1)
    return modules


def runs(row: Row, modules: dict[str, Any]) -> dict[str, Run]:
    made: dict[str, Run] = {
        name: row.shared(modules[name]) for name in ("jgrad", "PyTorch") if name in modules
    }
    if "NumPy" in row.twins:
        made["NumPy"] = row.twins["NumPy"]()
    if "autograd" in row.twins and "autograd" in modules:
        made["autograd"] = row.twins["autograd"](
            importlib.import_module("autograd.numpy"), modules["autograd"]
        )
    return made


def arrays(result: Any) -> list[np.ndarray]:
    if isinstance(result, (tuple, list)):
        return [array for part in result for array in arrays(part)]
    return [np.array(result.detach().numpy() if hasattr(result, "detach") else result)]


def check(row: Row, made: dict[str, Run]) -> None:
    """All libraries must compute the same, or nothing is timed."""
    results = {name: arrays(run()) for name, run in made.items()}
    ours = results.pop("jgrad")
    for name, theirs in results.items():
        for our, their in zip(ours, theirs, strict=True):
            rounding = 1e-5 * max(10.0, float(np.abs(their).max(initial=0)))
            if our.shape != their.shape or not np.allclose(our, their, rtol=1e-4, atol=rounding):
                raise SystemExit(f"{row.name}: jgrad and {name} differ")


def measure(made: dict[str, Run], per: int, rounds: int, slot: float) -> Times:
    """Take turns: in every round each library runs for about `slot` seconds."""
    loops: dict[str, int] = {}
    times: dict[str, list[float]] = {name: [] for name in made}
    for name, run in made.items():
        run()
        start = process_time()
        run()
        loops[name] = max(1, int(slot / max(process_time() - start, 1e-7)))
    for _ in range(rounds):
        for name, run in made.items():
            count = range(loops[name])
            start = process_time()
            for _ in count:
                run()
            times[name].append((process_time() - start) / len(count) / per)
    return {name: {"median": statistics.median(each), "minimum": min(each)} for name, each in times.items()}


def quantity(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def ratio(times: Times, one: str, other: str, figure: str) -> float | None:
    return times[one][figure] / times[other][figure] if other in times else None


def mean(ratios: Iterable[float | None]) -> float | None:
    known = [math.log(each) for each in ratios if each is not None]
    return math.exp(sum(known) / len(known)) if known else None


def compared(results: Sequence[Times], one: str, other: str) -> str:
    """The ratio of medians, and that of minimums in brackets; of several rows their geometric means."""
    median, minimum = (
        mean(ratio(times, one, other, figure) for times in results) for figure in ("median", "minimum")
    )
    return "-" if median is None or minimum is None else f"{median:.2f} ({minimum:.2f})"


def table(results: dict[str, Times], groups: dict[str, str]) -> str:
    """As Markdown, so that it can be kept in docs/performance.md."""
    others = LIBRARIES[1:]
    lines = [
        "| " + " | ".join(["row", *LIBRARIES, *[f"jgrad / {name}" for name in others]]) + " |",
        "|---" * (1 + len(LIBRARIES) + len(others)) + "|",
    ]
    for name, times in results.items():
        medians = [quantity(times[library]["median"]) if library in times else "-" for library in LIBRARIES]
        ratios = [compared([times], "jgrad", other) for other in others]
        lines.append("| " + " | ".join([name, *medians, *ratios]) + " |")
    for group in dict.fromkeys(groups.values()):
        rows = [times for name, times in results.items() if groups[name] == group]
        means = [compared(rows, "jgrad", other) for other in others]
        lines.append(f"| **{group}, geometric mean** | | | | | {' | '.join(means)} |")
    return "\n".join(lines)


def recorder_table(results: dict[str, Times]) -> str:
    lines = ["| cell | plain | recorded | recorded / plain | with its document | with it / plain |"]
    lines.append("|---|---|---|---|---|---|")
    for name, times in results.items():
        cells = [name, quantity(times["plain"]["median"])]
        for way in ("recorded", "with its document"):
            cells += [quantity(times[way]["median"]), compared([times], way, "plain")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def import_time(rounds: int) -> float:
    """Seconds of CPU that `import jgrad` takes after `import numpy`, in a fresh process: the least of several."""
    program = "import numpy; from time import process_time as now; start = now(); import jgrad; print(now() - start)"
    command = [sys.executable, "-c", program]
    with tempfile.TemporaryDirectory() as compiled:  # by the first of them
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        return min(
            float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
            for _ in range(rounds)
        )


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="parts of the names of the rows to run (all)")
    parser.add_argument(
        "--rounds", type=int, default=9, help="how often the libraries take turns (%(default)s)"
    )
    parser.add_argument(
        "--slot", type=float, default=0.02, help="seconds a library has in each turn (%(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep all figures")
    options = parser.parse_args()

    modules = available()
    gc.collect()
    gc.freeze()  # the collector stays on; what the imports made doesn't count against anybody
    chosen = [row for row in ROWS if not options.rows or any(part in row.name for part in options.rows)]
    results = {}
    for row in chosen:
        made = runs(row, modules)
        check(row, made)
        gc.collect()
        results[row.name] = measure(made, row.per, options.rounds, options.slot)
        print(f"  {row.name}: {compared([results[row.name]], 'jgrad', 'PyTorch')}", file=sys.stderr)
    print(table(results, {row.name: row.group for row in chosen}))
    recorder = {} if options.rows else traced.measured(options.rounds, options.slot, measure)
    if recorder:
        print(f"\n{recorder_table(recorder)}")
    imported = import_time(options.rounds)
    print(f"\n`import jgrad` takes {quantity(imported)} over `import numpy`.")
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    if options.json:
        kept = {"versions": versions(), "rows": results, "recorder": recorder, "import": imported}
        options.json.write_text(json.dumps(kept, indent=1))


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), "jgrad": jgrad.__version__}
    for package in ("numpy", "torch", "autograd"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    main()
