"""One program that loads data, run with jgrad and with PyTorch, and all that a user sees of it."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A value as something that can be compared: tensors with dtype, shape and strides, containers with their types."""
    kind = type(value).__name__
    if hasattr(value, "requires_grad"):
        kept = str(value.dtype).rpartition(".")[2], tuple(value.shape), value.stride(), value.requires_grad
        return ("tensor", *kept, value.tolist())
    if isinstance(value, dict):
        return kind, {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return kind, [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return kind, str(value.dtype), value.tolist()
    return value


def error_text(error: BaseException) -> str:
    """The class and the text of an exception, without the lines of a worker's traceback that name files."""
    text = re.sub(r'(?m)^  File "[^"]*", line \d+, in \S+\n(    .*\n)*', "", str(error))
    text = re.sub(r"\bpid(\(s\))? \d+", r"pid\1", text).replace("torch.", "jgrad.")
    return f"{type(error).__name__}: {re.sub('0x[0-9a-f]+', '0x', text)}"


def shown_by(library: Any, program: Callable[[Any, Callable], Any], seed: int = 0) -> list:
    """What `program(library, show)` shows; then its warnings and where the random generators stand."""
    shown: list[Any] = []
    library.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)
    library.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", message=".*use of fork.*")
            try:
                program(library, lambda *values: shown.append(plain(values)))
            except Exception as error:
                shown.append(error_text(error))
    finally:
        library.set_warn_always(False)
    shown += [f"{w.category.__name__}: {w.message}".replace("torch.", "jgrad.") for w in caught]
    states = library.get_rng_state().tolist(), random.random(), np.random.rand()
    return [*shown, states]
