"""Names for annotations: `torch.types`."""

from __future__ import annotations

import os
from typing import IO, TypeAlias

from jgrad.devices import device
from jgrad.storage import UntypedStorage
from jgrad.tensor import Size as Size
from jgrad.tensor import Tensor as Tensor

__all__ = ["Device", "FileLike", "Number", "Storage"]

Number: TypeAlias = int | float | bool
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
Device: TypeAlias = device | str | int | None
Storage: TypeAlias = UntypedStorage
