"""The attributes of tensors side by side: what `%attributes` shows."""

from __future__ import annotations

import textwrap
import warnings
from typing import Any

from jgrad import mirrors
from jgrad.notebook.tables import Table, summary
from jgrad.tensor import Tensor

MAIN = ("data", "dtype", "shape", "device", "grad", "grad_fn", "is_leaf", "requires_grad")


def attributes(tensors: dict[str, Tensor], every: bool = False) -> Table:
    """The eight main attributes of each tensor; with `every`, the others too, those that say no in one row."""

    def row(name: str) -> list[str]:
        return [_text(tensor, name) for tensor in tensors.values()]

    rows = [[name, *row(name)] for name in MAIN]
    if every:
        further = {name: row(name) for name in sorted({n for t in tensors.values() for n in _further(t)})}
        no = ["False"] * len(tensors)
        rows += [[name, *texts] for name, texts in further.items() if texts != no]
        rows += [[textwrap.fill(", ".join(n for n, texts in further.items() if texts == no), 42), *no]]
    return Table(["attribute", *tensors], rows)


def _further(tensor: Tensor) -> list[str]:
    """The public attributes that are neither methods nor main ones."""
    public = (name for name in dir(mirrors.original(tensor)) if not name.startswith("_") and name not in MAIN)
    return [name for name in public if not callable(_read(tensor, name))]


def _read(tensor: Tensor, name: str) -> Any:
    """An attribute, or the error that reading it raises; a look at `.grad` is no access to warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(mirrors.original(tensor), name)
        except Exception as error:
            return error


def _text(tensor: Tensor, name: str) -> str:
    value = _read(tensor, name)
    if mirrors.is_tensor(value):
        return summary(value)
    if isinstance(value, Exception):
        return f"raises {type(value).__name__}"
    if name == "grad_fn" and value is not None:
        return f"<{value.name()}>"
    return repr(value)
