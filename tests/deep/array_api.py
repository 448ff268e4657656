"""The test suite of the array API standard, on jgrad and, by array-api-compat, on PyTorch.

    python -m tests.deep.array_api FOLDER [EXAMPLES]

FOLDER is a checkout of data-apis/array-api-tests with its submodule and its requirements. It prints how many tests pass, which fail, and the names of the
standard that jgrad has. `array_api.json` has the tests that fail on jgrad, and with how many examples; `test_array_api.py` fails if another one does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path
from typing import NamedTuple

STORED = Path(__file__).with_suffix(".json")
# Operators of PyTorch, and so of jgrad, hardly know these.
SKIPPED = "uint16,uint32,uint64"


class Run(NamedTuple):
    """What the suite says of a library: the tests that pass, and those that fail."""

    passed: list[str]
    failed: list[str]

    @property
    def names(self) -> list[bool]:
        """Of each name of the standard, whether the library has it."""
        return [name in self.passed for name in (*self.passed, *self.failed) if "::test_has_names[" in name]


def run(module: str, folder: Path, examples: int) -> Run:
    """Run the suite on the namespace that a module is, with so many random examples for each test."""
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary) / "report.xml"
        environment = {"ARRAY_API_TESTS_MODULE": module, "ARRAY_API_TESTS_SKIP_DTYPES": SKIPPED}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "array_api_tests",
            f"--max-examples={examples}",
            "--derandomize",
        ]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", f"--junitxml={report}"]
        subprocess.run(
            command, cwd=folder, env=os.environ | environment, stdout=subprocess.DEVNULL, check=False
        )
        cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
    outcomes: dict[str, list[str]] = {"passed": [], "failed": []}
    for case in cases:
        name = f"{case.get('classname', '').removeprefix('array_api_tests.')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        if "skipped" not in kinds:
            outcomes["failed" if kinds & {"failure", "error"} else "passed"].append(name)
    return Run(sorted(outcomes["passed"]), sorted(outcomes["failed"]))


def main() -> None:
    folder, examples = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for name, module in (("jgrad", "jgrad.utils.array_api"), ("PyTorch", "array_api_compat.torch")):
        found = run(module, folder, examples)
        tests = len(found.passed) + len(found.failed)
        print(f"{name}: {len(found.passed)} of {tests} tests, {sum(found.names)} of {len(found.names)} names")
        for failed in found.failed:
            print("  fails:", failed)
        if name == "jgrad":
            stored = {"examples": examples, "passed": len(found.passed), "failed": found.failed}
            STORED.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
