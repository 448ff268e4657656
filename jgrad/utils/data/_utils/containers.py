"""Containers of samples: how they are rebuilt with something else in them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence
from typing import Any

from jgrad import manual


def is_named_tuple(value: Any) -> bool:
    """Whether a value is a named tuple."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def refilled_mapping(mapping: Any, content: dict) -> Mapping:
    """A mapping of the same type with other values, or a dictionary if the type does not allow it."""
    try:
        if isinstance(mapping, MutableMapping):
            copied = copy.copy(mapping)
            copied.update(content)
            return copied
        return type(mapping)(content)
    except TypeError:
        return content


def refilled_sequence(sequence: Any, content: list) -> Any:
    """A sequence of the same type with other elements, or a list if the type does not allow it (such as `range`)."""
    try:
        if isinstance(sequence, MutableSequence):
            copied = copy.copy(sequence)
            for i, element in enumerate(content):
                copied[i] = element
            return copied
        return type(sequence)(content)
    except TypeError:
        return content


manual.attach(__name__)
