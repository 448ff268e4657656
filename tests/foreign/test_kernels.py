"""The kernels bound to another library are all there, and are called as those on NumPy are."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from jgrad import kernels, op
from jgrad.kernels import cupy as room
from tests.foreign.device import library

CHAPTERS = {path.stem for path in (Path(kernels.__file__).parent / "numpy").glob("*.py")}


def bound() -> Any:
    return library().kernels


def test_no_kernel_is_missing() -> None:
    ours = {n for n, f in vars(kernels.NUMPY.kernels).items() if callable(f) or n not in CHAPTERS}
    assert {n for n in ours if not n.startswith("__")} <= set(vars(bound()))


def test_kernels_are_called_alike() -> None:
    """Also those that the room of CuPy replaces."""
    different = {}
    for name, kernel in vars(kernels.NUMPY.kernels).items():
        there = getattr(bound(), name, None)
        if inspect.isfunction(kernel) and inspect.isfunction(there):
            ours, theirs = (list(inspect.signature(f).parameters.values()) for f in (kernel, there))
            passes_on = [p.kind for p in theirs] == [inspect.Parameter.VAR_POSITIONAL]
            shown = [[(p.name, p.default, p.kind) for p in parameters] for parameters in (ours, theirs)]
            if shown[0] != shown[1] and not passes_on:
                different[name] = (ours, theirs)
    assert not different


def test_what_the_room_replaces_exists() -> None:
    """A function of `kernels/cupy/CHAPTER.py` that no chapter has would never be called."""
    for path in Path(room.__file__).parent.glob("*.py"):
        if path.stem not in CHAPTERS - {"__init__"}:
            continue
        chapter = (Path(kernels.__file__).parent / "numpy" / path.name).read_text()
        replaced = re.findall(r"^def ([a-z]\w*)", path.read_text(), re.M)
        used_here = [n for n in replaced if len(re.findall(rf"\b{n}\b", path.read_text())) > 1]
        assert not [n for n in replaced if not re.search(rf"\b{n}\b", chapter) and n not in used_here], path


@pytest.mark.parametrize("name", sorted(op.TABLE))
def test_every_operation_finds_its_kernels(name: str) -> None:
    for overload in op.TABLE[name].overloads:
        if isinstance(overload, op.Overload):
            for kernel in filter(None, (overload.kernel, overload.kernel_inplace)):
                assert library().counterpart(kernel) is not None
            for formula in overload.formulas.values():
                named = formula.__code__.co_names
                known = [n for n in named if n not in CHAPTERS and hasattr(kernels.NUMPY.kernels, n)]
                assert all(hasattr(bound(), n) for n in known)
