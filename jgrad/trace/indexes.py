"""Index maps: what the operations of the scatter and gather family put where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.tensor import Tensor
from jgrad.trace.contents import COMPARED, as_grid

# operation without its underscore -> (its source, its reduction)
SCATTERS: dict[str, tuple[str | None, str | None]] = {
    "scatter": ("src", None),
    "scatter_add": ("src", "sum"),
    "scatter_reduce": ("src", None),
    "index_add": ("source", "sum"),
    "index_copy": ("source", None),
    "index_fill": (None, None),
    "index_reduce": ("source", None),
    "masked_scatter": ("source", None),
    "masked_fill": (None, None),
    "put": ("source", None),
    "gather": (None, None),
    "index_select": (None, None),
    "take_along_dim": (None, None),
    "masked_select": (None, None),
    "take": (None, None),
}


def index_map(
    name: str,
    inputs: tuple,
    outputs: tuple,
    arguments: dict[str, Any],
    before: Any,
    number_of: Callable[[Any], int | None],
) -> dict | None:
    """The `IndexMap` of an operation, None if it has none or is too big to draw. `before`: the target's storage before a write."""
    known = SCATTERS.get(name.rstrip("_"))
    if known is None or not inputs:
        return None
    index = next(
        (arguments[k] for k in ("index", "mask", "indices") if isinstance(arguments.get(k), Tensor)), None
    )
    target, out = inputs[0], outputs[0]
    if index is None or max(index._a.size, target._a.size, out._a.size) > COMPARED:
        return None
    array = target._a
    if target is out:
        if not isinstance(before, np.ndarray):
            return None
        array = np.ndarray(
            array.shape, array.dtype, before, target.storage_offset() * array.itemsize, array.strides
        )
    source_name, reduce = known
    source = arguments.get(source_name) if source_name else None
    source = (
        next((arguments[k] for k in ("src", "source", "value", "values") if k in arguments), None)
        if source is None
        else source
    )
    grid = None
    if isinstance(source, Tensor):
        grid = (
            as_grid(number_of(source), source_name or "src", source._a)
            if source._a.size <= COMPARED
            else None
        )
    elif source is not None:
        grid = as_grid(None, "value", np.asarray(source, array.dtype))
    return {
        "op": name, "dim": arguments.get("dim"), "reduce": arguments.get("reduce") or reduce,
        "include_self": bool(arguments.get("include_self", True)),
        "self": as_grid(number_of(target), "self", array), "index": as_grid(number_of(index), "index", index._a, True),
        "src": grid, "out": as_grid(number_of(out), "out", out._a),
    }  # fmt: skip
