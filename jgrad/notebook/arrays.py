"""NumPy arrays among the arguments of `%storage`: for the drawing, each is a tensor on the same memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.asking.naming import BadInput
from jgrad.storage import address, owner
from jgrad.tensor import Tensor, wrap
from jgrad.tracing.document.schema import TraceDocument


def as_tensor(array: np.ndarray, text: str) -> Tensor:
    """A tensor that reads the memory as an array does. `from_numpy` refuses negative strides; here they are welcome, since nothing is
    computed with this tensor. `text` is what the user wrote."""
    try:
        dtypes.from_numpy(array.dtype)
    except TypeError:
        raise BadInput(
            f"{text} is a NumPy array of dtype {array.dtype}, and no tensor has that dtype"
        ) from None
    if any(stride % array.itemsize for stride in array.strides):
        raise BadInput(
            f"{text} is a NumPy array with gaps that are no multiple of its elements; copy it: {text}.copy()"
        )
    made: Any = wrap(_over_its_root(array.view(np.ndarray)))
    made.is_array = True
    return made


def _over_its_root(array: np.ndarray) -> np.ndarray:
    """The array over the array that owns the memory. `as_strided` and `sliding_window_view` put an object between them."""
    root: Any = array
    while getattr(root, "base", None) is not None:
        root = root.base
    if not isinstance(root, np.ndarray) or root is owner(array):
        return array
    try:
        offset = address(array) - address(root)
        return np.ndarray(array.shape, array.dtype, root, offset, array.strides)
    except (TypeError, ValueError):  # the root is not dense
        return array


def mark(document: TraceDocument, tensors: Mapping[str, Tensor]) -> TraceDocument:
    """A document that says which of its tensors are NumPy arrays. `tensors`: what is shown, by its text."""
    for tensor in document["tensors"]:
        if any(getattr(tensors.get(name), "is_array", False) for _, name in tensor["names"]):
            tensor["origin"] = "numpy"
    return document
