"""How many of PyTorch's own public tests pass on jgrad.

    python -m tests.public.counting FOLDER [FILE ...]

FOLDER is the folder `test` of a checkout of pytorch/pytorch. `known.json` has the tests that fail on jgrad, by cause; this command writes it again, and
puts those that are new under "not looked at". `test_public.py` fails if a test fails that is not there.

Counted are the tests that pass on PyTorch here, one in ten of the dtypes of each. Apart stand those that need private names: their source has one of
`PRIVATE`, or they fail on jgrad since a name is not there that has one (`PRIVATE_NAME`). A test that another process or the limit of time cuts is run
again alone before it counts as failed.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests.public.one import TOO_LONG

KNOWN = Path(__file__).with_name("known.json")
NOT_LOOKED_AT = "not looked at"
# Not `test_subclass`, `test_masked` and `test_spectral_ops`: their tests are made from lists and docstrings that only PyTorch has.
FILES = """
test_autograd test_torch test_view_ops test_indexing test_shape_ops test_complex test_reductions test_binary_ufuncs test_unary_ufuncs
test_tensor_creation_ops test_sort_and_select test_scatter_gather_ops test_optim test_linalg test_type_promotion test_type_info
test_stateless test_segment_reductions test_overrides test_serialization test_numpy_interop test_dlpack test_namedtuple_return_api
test_nn test_pytree test_testing nn/test_convolution nn/test_dropout nn/test_embedding nn/test_init nn/test_lazy_modules
nn/test_module_hooks nn/test_multihead_attention nn/test_packed_sequence nn/test_parametrization nn/test_pooling nn/test_pruning
autograd/test_functional autograd/test_complex functorch/test_vmap functorch/test_eager_transforms distributions/test_distributions
""".split()
# The source of a test that needs what is private, the compiler, the JIT, quantized numbers, half-precision complex numbers, or another process.
PRIVATE = re.compile(
    r"subprocess|torch\._(?!_)|\b_C\b|torch\.jit|quantize|complex32|chalf|torch\.ops\.|\bfunctorch\._|\.fx\b|_dynamo|onnx"
    r"|TorchDispatch|_make_subclass|_make_wrapper"
)
PRIVATE_NAME = re.compile(
    r"has no attribute '_(?!_)|needs functorch\.|needs (torch\.)?[\w.]*(_C\b|\b_|jit|complex32|quint|qint|chalf|itt|named)|complex32|ComplexHalf|quantiz"
)
SECONDS, SECONDS_ALONE, SECONDS_OF_A_FILE = 40, 150, 3600


class Outcome(NamedTuple):
    outcome: str
    error: str

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"


class Count(NamedTuple):
    """Of the tests that pass on PyTorch: how many need no private name, which of them fail on jgrad, how many do need one."""

    counted: int
    failed: dict[str, str]
    private: int

    @property
    def passed(self) -> int:
        return self.counted - len(self.failed)

    def __str__(self) -> str:
        return f"{self.passed} of {self.counted} tests pass, {self.private} need private names"


def run(
    library: str, file: Path, names: list[str] | None = None, seconds: int = SECONDS
) -> dict[str, Outcome]:
    """How the tests of a file end on a library: those with these names, or one in ten."""
    with tempfile.TemporaryDirectory() as folder:
        results, chosen = Path(folder, "results"), Path(folder, "names")
        results.touch()
        command: list[str | Path] = [sys.executable, "-m", "tests.public.one", library, file, results]
        command += ["--seconds", str(seconds)]
        if names is not None:
            chosen.write_text(json.dumps(names))
            command += ["--names", chosen]
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        try:
            subprocess.run(
                command,
                env=os.environ | threads,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=SECONDS_OF_A_FILE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            print(f"{file.name}: cut after {SECONDS_OF_A_FILE} s on {library}", file=sys.stderr)
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {name: Outcome(outcome, error) for name, outcome, error, _ in lines}


def on_jgrad(file: Path, names: list[str]) -> dict[str, Outcome]:
    """How these tests end on jgrad. One that was cut, or was not there since its process ended, is run again alone."""
    found = run("jgrad", file, names)
    for name in names:
        if name not in found or TOO_LONG in found[name].error:
            alone = run("jgrad", file, [name], SECONDS_ALONE)
            found[name] = alone.get(name, Outcome("failed", "it is not there"))
    return found


def sources(file: Path) -> dict[str, str]:
    """The source of each test function of a file, by its name."""
    text = file.read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            found[node.name] = found.get(node.name, "") + (ast.get_source_segment(text, node) or "")
    return found


def source_of(name: str, functions: dict[str, str]) -> str:
    """The source of the test of which `Class.test_with_a_case` is a case."""
    case = name.rpartition(".")[2]
    of = [function for function in functions if case == function or case.startswith(function + "_")]
    return functions[max(of, key=len)] if of else ""


def count_file(folder: Path, name: str) -> Count:
    file = folder / f"{name}.py"
    passing = [test for test, outcome in run("torch", file).items() if outcome.passed]
    found = on_jgrad(file, passing) if passing else {}
    functions = sources(file)
    failed: dict[str, str] = {}
    private = 0
    for test in passing:
        if PRIVATE.search(test + source_of(test, functions)) or (
            not found[test].passed and PRIVATE_NAME.search(found[test].error)
        ):
            private += 1
        elif not found[test].passed:
            failed[f"{name}::{test}"] = found[test].error or found[test].outcome
    return Count(len(passing) - private, failed, private)


def count(folder: Path, files: list[str] = FILES) -> dict[str, Count]:
    """Of each file. Prints each test that fails, with its error and where it was raised."""
    found: dict[str, Count] = {}
    for name in files:
        found[name] = count_file(folder, name)
        print(f"{name}: {found[name]}", file=sys.stderr)
        for test, error in found[name].failed.items():
            print(f"  {test}\n    " + error.replace("\n", "\n    "), flush=True)
    return found


def total(counts: Iterable[Count]) -> Count:
    every = list(counts)
    failed = {test: error for of in every for test, error in of.failed.items()}
    return Count(sum(of.counted for of in every), failed, sum(of.private for of in every))


def known() -> dict[str, Any]:
    return json.loads(KNOWN.read_text()) if KNOWN.exists() else {"files": {}, "failed": {}}


def store(found: dict[str, Count]) -> None:
    """Write what these files gave, each test that fails under the cause that it had."""
    before = known()
    cause_of = {test: cause for cause, tests in before["failed"].items() for test in tests}
    others = [test for test in cause_of if test.partition("::")[0] not in found]
    causes: dict[str, list[str]] = {}
    for test in sorted([*others, *total(found.values()).failed]):
        causes.setdefault(cause_of.get(test, NOT_LOOKED_AT), []).append(test)
    counts = {
        name: {"passed": of.passed, "counted": of.counted, "private": of.private}
        for name, of in found.items()
    }
    files = before["files"] | counts
    stored = {"files": dict(sorted(files.items())), "failed": dict(sorted(causes.items()))}
    KNOWN.write_text(json.dumps(stored, indent=1) + "\n")


def main() -> None:
    found = count(Path(sys.argv[1]), sys.argv[2:] or FILES)
    store(found)
    print(total(found.values()))


if __name__ == "__main__":
    main()
