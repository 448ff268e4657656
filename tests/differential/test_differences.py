"""What PyTorch has and jgrad has not is known, with a reason; docs/differences.md says it."""

from __future__ import annotations

import re
import types
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.differential.differences import LEFT_OUT  # noqa: E402
from tests.differential.page import PAGE, page  # noqa: E402

pytestmark = pytest.mark.quick

NAMESPACES = ("", "linalg", "fft", "special", "nn.functional", "signal.windows", "random")


def names(library, namespace):
    """The public functions of a namespace of PyTorch's."""
    for part in namespace.split(".") if namespace else ():
        library = getattr(library, part)
    for name in getattr(library, "__all__", None) or dir(library):
        found = getattr(library, name, None)
        if not name.startswith("_") and callable(found) and not isinstance(found, (type, types.ModuleType)):
            yield name


def missing():
    for namespace in NAMESPACES:
        for name in [*names(torch, namespace), *(names_of_dir(torch) if not namespace else ())]:
            dotted = f"{namespace}.{name}" if namespace else name
            found = jgrad
            for part in dotted.split("."):
                found = getattr(found, part, None)
            if found is None:
                yield dotted
    for name in dir(torch.Tensor):
        if not name.startswith("_") and not hasattr(jgrad.Tensor, name):
            yield f"Tensor.{name}"


def names_of_dir(library):
    """`torch.__all__` leaves many functions out that users know."""
    for name in dir(library):
        found = getattr(library, name)
        if (
            not name.startswith("_")
            and isinstance(found, types.BuiltinFunctionType)
            and (found.__module__ or "").startswith(("torch", "None"))
        ):
            yield name


def test_nothing_is_missing_without_a_reason():
    unexplained = {
        name
        for name in missing()
        if not any(re.fullmatch(p, n) for p in LEFT_OUT for n in (name, name.removeprefix("Tensor.")))
    }
    assert not unexplained, sorted(unexplained)


def test_nothing_is_called_left_out_that_is_there():
    gone = set(missing())
    stale = [
        p
        for p in LEFT_OUT
        if not any(re.fullmatch(p, n) or re.fullmatch(p, n.removeprefix("Tensor.")) for n in gone)
    ]
    assert not stale


def test_page_is_up_to_date():
    assert Path(PAGE).read_text() == page(), "python -m tests.differential writes it anew"
