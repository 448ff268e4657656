"""Batches in pinned memory, from which a GPU copies without the processor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jgrad.utils.data._utils.containers import is_named_tuple, refilled_mapping, refilled_sequence


def pin_memory(data: Any, device: Any = None) -> Any:
    """The same data with its tensors (and whatever else has a method `pin_memory`) in pinned memory."""
    if hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return refilled_mapping(data, {key: pin_memory(value) for key, value in data.items()})
    if is_named_tuple(data):
        return type(data)(*map(pin_memory, data))
    if isinstance(data, tuple):
        return type(data)(map(pin_memory, data))
    if isinstance(data, Sequence):
        return refilled_sequence(data, [pin_memory(element) for element in data])
    return data
