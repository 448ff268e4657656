"""The operations: one file per chapter of PyTorch's tensor reference. Importing this package declares them all."""

from jgrad.ops import (
    comparison,
    copying,
    creation,
    indexing,
    joining,
    linalg,
    pointwise,
    random,
    reduction,
    shaping,
    spectral,
)

__all__ = [
    "comparison",
    "copying",
    "creation",
    "indexing",
    "joining",
    "linalg",
    "pointwise",
    "random",
    "reduction",
    "shaping",
    "spectral",
]
