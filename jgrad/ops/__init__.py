"""The operations: one file per chapter of PyTorch's tensor reference. Importing this package declares them all."""

from jgrad.ops import (
    activation,
    comparison,
    copying,
    creation,
    indexing,
    joining,
    linalg,
    pointwise,
    random,
    rearranging,
    reduction,
    resizing,
    shaping,
    spectral,
)

__all__ = [
    "activation",
    "comparison",
    "copying",
    "creation",
    "indexing",
    "joining",
    "linalg",
    "pointwise",
    "random",
    "rearranging",
    "reduction",
    "resizing",
    "shaping",
    "spectral",
]
