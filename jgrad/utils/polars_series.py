"""What polars does with tensors of jgrad: a Series of their elements, as it makes one of PyTorch's. (It looks for PyTorch's by name.)"""

from __future__ import annotations

import functools
from typing import Any

from polars.series.series import Series

from jgrad.tensor import Tensor

_original: Any = Series.__init__


@functools.wraps(_original)
def _init(self: Any, name: Any = None, values: Any = None, *args: Any, **kwargs: Any) -> None:
    name, values = [given.numpy() if isinstance(given, Tensor) else given for given in (name, values)]
    _original(self, name, values, *args, **kwargs)


Series.__init__ = _init
