"""The programs of `examples/` print the same losses on jgrad and on PyTorch."""

from __future__ import annotations

import ast
import importlib
import re
import warnings

import pytest

pytest.importorskip("torch")

from benchmarks.programs import EXAMPLES, NAMES, measured, printing, program

NUMBER = re.compile(r"-?\d+\.\d+")
TOLERANCE = 1.5e-4  # what is printed is rounded to four or five digits

# Programs in which rounding grows, so that in float32 the two libraries part after some steps. They are compared in float64.
IN_FLOAT64 = {
    "contrastive": "a maximum over pixels takes another pixel when two are nearly equal",
    "ensemble": "weights are averaged at a learning rate at which they go to and fro",
    "gan": "two networks play against each other, which is chaotic",
    "mixture_density": "narrow distributions make steep gradients",
    "physics_informed": "the line search of L-BFGS decides by comparing losses that are nearly equal",
    "reinforce": "another action of one cart makes another episode",
    "resnet": "batch norm divides by what is small at first",
}


def printed_by(name: str, library: str) -> list[str]:
    """The lines that a program prints, with that library in the place of jgrad. A warning is an error."""
    lib = importlib.import_module(library)
    lib.set_default_dtype(lib.float64 if name in IN_FLOAT64 else lib.float32)
    try:
        with warnings.catch_warnings(), printing() as out:
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", ".*torch.jit")  # PyTorch uses it itself
            program(name, library)()
    finally:
        lib.set_default_dtype(lib.float32)
    return out.getvalue().splitlines()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", NAMES)
def test_a_program_prints_the_same_losses(name: str) -> None:
    ours, theirs = printed_by(name, "jgrad"), printed_by(name, "torch")
    assert any(NUMBER.search(line) for line in ours)
    # All but the numbers with a point is the same text: words, whole numbers, pictures, what was drawn.
    assert [NUMBER.sub("#", line) for line in ours] == [NUMBER.sub("#", line) for line in theirs]
    for our, their in zip(ours, theirs, strict=True):
        for a, b in zip(map(float, NUMBER.findall(our)), map(float, NUMBER.findall(their)), strict=True):
            assert abs(a - b) <= TOLERANCE * max(1, abs(b)), f"{our}\n{their}"


@pytest.mark.quick
def test_programs_are_programs() -> None:
    assert len(NAMES) >= 20
    assert {*IN_FLOAT64} <= {*NAMES}
    for name in NAMES:
        text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
        assert len(text.splitlines()) >= 100, name
        assert ast.get_docstring(ast.parse(text)), name
        assert "torch" not in text, name


@pytest.mark.quick
def test_the_page_lists_every_program() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \[`(\w+)\.py`\]\(\1\.py\) \|", page, re.M)) == sorted(NAMES)


def test_programs_are_measured() -> None:
    assert {*measured("gaussian_process", rounds=1)} == {"jgrad", "torch"}
