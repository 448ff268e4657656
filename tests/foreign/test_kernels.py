"""The kernels bound to another library are those for NumPy: the same names with the same parameters."""

import inspect
from pathlib import Path

import pytest

from jgrad.kernels import cupy as room
from jgrad.kernels import libraries
from tests.foreign.device import library

pytestmark = pytest.mark.quick

CHAPTERS = [
    path
    for path in sorted(Path(room.__file__).parent.glob("*.py"))
    if path.stem not in ("__init__", "names", "tracing", "language", "layout")
]


def functions(namespace):
    return {name: f for name, f in vars(namespace).items() if inspect.isfunction(f)}


def parameters(function):
    return list(inspect.signature(function).parameters)


def varied(function):
    return inspect.getfullargspec(function).varargs is not None


def test_each_kernel_has_a_counterpart_with_its_parameters():
    here, there = functions(libraries.NUMPY.kernels), functions(library().kernels)
    assert here.keys() <= there.keys()
    either = [(name, f, there[name]) for name, f in here.items()]
    odd = [
        name
        for name, *both in either
        if parameters(both[0]) != parameters(both[1]) and not any(map(varied, both))
    ]
    assert not odd


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_what_is_replaced_is_there(chapter):
    """A file of the room replaces what its chapter for NumPy has, apart from helpers that it calls itself."""
    text = chapter.read_text()
    original = vars(__import__(f"jgrad.kernels.numpy.{chapter.stem}", fromlist=["_"]))
    defined = [
        line.split("(")[0].split()[1].rstrip(":")
        for line in text.splitlines()
        if line.startswith(("def ", "class "))
    ]
    defined += [line.split(" = ")[0] for line in text.splitlines() if line[:1].isupper() and " = " in line]
    dead = [name for name in defined if name not in original and text.count(name) == 1]
    assert not dead
    assert any(name in original for name in defined)
