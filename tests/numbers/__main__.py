"""How near jgrad is to PyTorch, in numbers. Each part prints a line.

    python -m tests.numbers                                 the operations of PyTorch's database, and 20,000 random programs
    python -m tests.numbers operations --every 10           each tenth operation and dtype
    python -m tests.numbers all-samples                     all of PyTorch's samples with other numbers, as the deep tests compare them
    python -m tests.numbers programs --count 1000 --seed 5
    python -m tests.numbers array-api --folder FOLDER       FOLDER is a checkout of data-apis/array-api-tests
    python -m tests.numbers public --folder FOLDER          FOLDER is the folder `test` of a checkout of pytorch/pytorch

The tests hold these numbers to what was reached; this command says how large they are.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.deep import array_api
from tests.differential import test_operations
from tests.public import counting
from tests.same_as_torch import random_programs

PARTS = ("operations", "all-samples", "programs", "array-api", "public")
NEW_NUMBERS = 8  # the seed of samples that the usual tests do not take


def percent(part: int, whole: int) -> str:
    """A share in percent, rounded down: what is not reached is not printed."""
    return f"{int(10_000 * part / whole) / 100:.2f} %" if whole else "nothing"


def operations(every: int, samples: Any) -> str:
    """How many calls of the operations of PyTorch's database are the same. `samples(info, dtype)`: what each is called with."""
    compared, different, known = 0, 0, 0
    for case in test_operations.OPERATIONS[::every]:
        info, dtype, names = case.values
        print(f"{info.formatted_name} {dtype}", file=sys.stderr, end="\033[K\r")
        found, excused, failures = test_operations.differences_of(info, names, samples(info, dtype))
        compared, known, different = compared + found, known + len(excused), different + len(failures)
        for failure, given in failures.items():
            print(f"  {failure[:300]}\n    of {given[:200]}")
    same = compared - different - known
    return f"{percent(same, compared)} of {compared:,} calls are the same ({different} differ, {known} for a known reason)"


def usual_samples(info: Any, dtype: Any) -> list[Any]:
    return test_operations.samples_of(info, dtype, test_operations.SAMPLES[dtype])


def all_samples(info: Any, dtype: Any) -> list[Any]:
    return test_operations.samples_of(info, dtype, None, NEW_NUMBERS)


def programs(seed: int, count: int) -> str:
    """How many random programs show the same in both libraries, and how many are not run to their end."""
    different, stopped = random_programs.run_many(seed, count)
    return f"{percent(count - different, count)} of {count:,} programs show the same; {percent(stopped, count)} are not run to their end"


def of_array_api(folder: Path, examples: int) -> str:
    """How much of the test suite of the array API standard passes."""
    found = array_api.run("jgrad.utils.array_api", folder, examples)
    tests = len(found.passed) + len(found.failed)
    for failed in found.failed:
        print("  fails:", failed)
    return f"{percent(len(found.passed), tests)} of {tests:,} tests pass; {sum(found.names)} of {len(found.names)} names are there"


def public(folder: Path) -> str:
    """How many of PyTorch's own public tests pass: those that pass on PyTorch here, and need no private names."""
    found = counting.total(counting.count(folder).values())
    tests = f"{percent(found.passed, found.counted)} of {found.counted:,} tests pass"
    return f"{tests} ({len(found.failed)} fail); {found.private} more need private names"


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.numbers", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (operations and programs)"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="each so many-th operation and dtype (%(default)s)"
    )
    parser.add_argument("--count", type=int, default=20_000, help="random programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=10_000_000, help="of the first program (%(default)s)")
    parser.add_argument(
        "--folder",
        type=Path,
        help="the checkout of the array API's tests, or of PyTorch's (its folder `test`)",
    )
    parser.add_argument(
        "--examples", type=int, default=20, help="of each test of the array API (%(default)s)"
    )
    options = parser.parse_args()
    parts = options.parts or ["operations", "programs"]
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    if options.folder is None and {"array-api", "public"}.intersection(parts):
        parser.error(
            "array-api and public need --folder, a checkout of data-apis/array-api-tests or of pytorch/pytorch"
        )
    warnings.simplefilter("ignore")
    for part in parts:
        if part == "programs":
            line = programs(options.seed, options.count)
        elif part == "array-api":
            line = of_array_api(options.folder, options.examples)
        elif part == "public":
            line = public(options.folder)
        else:
            line = operations(options.every, usual_samples if part == "operations" else all_samples)
        print(f"{part}: {line}", flush=True)


if __name__ == "__main__":
    main()
