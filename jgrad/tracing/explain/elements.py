"""The elements of a tensor, for questions such as whether one of them is nan."""

from __future__ import annotations

from typing import Any


def elements_of(tensor: Any) -> Any:
    """A tensor of the elements that can be looked at, without history. Of a sparse tensor these are its values: the others are zero. None for a
    tensor on the device meta, which has no elements."""
    if tensor.is_meta:
        return None
    plain = tensor.detach()
    return plain.coalesce().values() if plain.is_sparse else plain
