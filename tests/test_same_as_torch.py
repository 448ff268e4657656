"""Small programs, run with `torch` meaning PyTorch and meaning jgrad: what they show, raise and warn must be the same.

The programs lie in `tests/programs/*.py`, divided by `# ---`; `show(...)` is what they print with. Each also runs with the fast paths off.
"""

import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import jgrad
from jgrad.dispatch import fast

torch = pytest.importorskip("torch")

PROGRAMS = [
    pytest.param(program.strip(), id=f"{path.stem}-{number}")
    for path in sorted((Path(__file__).parent / "programs").glob("*.py"))
    # A PyTorch built with CUDA says other things where there is no GPU; jgrad is like the one built without.
    if path.stem != "without_cuda" or torch.version.cuda is None
    for number, program in enumerate(path.read_text().split("\n# ---\n"))
]
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")


@pytest.fixture(autouse=True, scope="module")
def always_warn():
    """Some warnings come once per process; here every program must see them."""
    for library in (torch, jgrad):
        library.set_warn_always(True)
    yield
    for library in (torch, jgrad):
        library.set_warn_always(False)


def outcome(library, program):
    """What a program shows, then its error, then its warnings."""
    shown = []

    def show(*values):
        shown.append(" ".join(map(str, values)).replace("torch.", "jgrad."))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
        warnings.filterwarnings("ignore", message=".*torch.jit.script")  # PyTorch's own use, at the first jvp
        try:
            exec(compile(program, "<program>", "exec"), {"torch": library, "np": np, "show": show})
        except Exception as error:
            shown.append(f"{type(error).__name__}: {error}".replace("torch.", "jgrad."))
        finally:
            library.set_grad_enabled(True)
    # PyTorch adds the place in its sources where a warning was triggered.
    shown += [
        "warning: " + str(w.message).partition(" (Triggered")[0].replace("torch.", "jgrad.") for w in caught
    ]
    return shown


def same(ours, theirs):
    """Equal texts, apart from addresses and the last digits of the numbers in them."""
    ours, theirs = (re.sub("0x[0-9a-f]+", "0x", text) for text in (ours, theirs))
    if NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-7) for a, b in pairs)


def compare(program):
    theirs, ours = outcome(torch, program), outcome(jgrad, program)
    agree = len(ours) == len(theirs) and all(map(same, ours, theirs))
    assert agree, "\n".join(["", "torch:", *theirs, "", "jgrad:", *ours])


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program):
    compare(program)


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_on_the_general_path(program, monkeypatch):
    monkeypatch.setattr(fast, "ENABLED", False)
    compare(program)
