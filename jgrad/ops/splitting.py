"""Cutting a tensor into pieces that are views of it: `narrow`, `chunk`, `tensor_split`, `split`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.dispatch import composite
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.ops.by_name import slice_, split_with_sizes
from jgrad.ops.shaping import split
from jgrad.tensor import Tensor


@composite("narrow(Tensor self, int dim, int start, int length) -> Tensor")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is."""
    if input._a.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d = wrap_dim(dim, input._a.ndim)
    n = input._a.shape[d]
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [-{n}, {n}], but got {start})")
    start = start + n if start < 0 else start
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return slice_(input, d, start, start + length, 1)


@composite("narrow.Tensor(Tensor self, int dim, Tensor start, int length) -> Tensor")
def _narrow_from(input: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is; a view."""
    if start._a.ndim or start._a.dtype.kind not in "iu":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(input, dim, start._a.item(), length)


def chunk_sizes(input: Tensor, chunks: int, dim: int) -> int:
    """The size of the pieces when a dimension is cut into so many."""
    if input._a.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return -(-input._a.shape[wrap_dim(dim, input._a.ndim)] // chunks)


@composite("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller."""
    size = chunk_sizes(input, chunks, dim)
    if size == 0:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, size, dim)


# Cutting into pieces as NumPy does: sizes that differ by one at most, or cuts at these indices.


@composite("tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]")
def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices."""
    d = _dim_to_split(input, dim)
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    size, larger = divmod(input._a.shape[d], sections)
    pieces, start = [], 0
    for i in range(sections):
        end = start + size + (i < larger)
        pieces.append(slice_(input, d, start, end, 1))
        start = end
    return tuple(pieces)


@composite("tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]")
def _tensor_split_at(input: Tensor, indices: tuple, dim: int = 0) -> tuple:
    """Pieces of the tensor between these indices; views."""
    d = _dim_to_split(input, dim)
    n = input._a.shape[d]
    pieces, start = [], 0
    for end in (*indices, n):
        first, last, _ = slice(start, end).indices(n)
        pieces.append(slice_(input, d, first, max(first, last), 1))
        start = end
    return tuple(pieces)


@composite(
    "tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]"
)
def _tensor_split_by(input: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0) -> tuple:
    """Pieces of the tensor, as a tensor of indices or of one number says; views."""
    given = tensor_indices_or_sections._a
    if given.dtype != np.int64:
        raise RuntimeError(
            f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {tensor_indices_or_sections.dtype.type_name}"
        )
    if given.ndim > 1:
        raise RuntimeError(
            f"tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with "
            f"{given.ndim} dims"
        )
    if given.ndim:
        return _tensor_split_at(input, tuple(given.tolist()), dim)
    return tensor_split(input, given.item(), dim)


def _dim_to_split(input: Tensor, dim: int) -> int:
    if input._a.ndim == 0:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    return wrap_dim(dim, input._a.ndim)


def _declare_split(name: str, least: int, dim: int, doc: str) -> None:
    """Declare hsplit, vsplit or dsplit: tensor_split along a dimension of its own, into pieces of one size only."""

    def dim_of(input: Tensor) -> int:
        if input._a.ndim < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {input._a.ndim} dimensions!"
            )
        return min(dim, input._a.ndim - 1)

    def into(input: Tensor, sections: int) -> tuple:
        d = dim_of(input)
        n = input._a.shape[d]
        if sections == 0 or n % sections:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {d}, but the size of the dimension {n} is not divisible by the "
                f"split_size {sections}!"
            )
        return tensor_split(input, sections, d)

    def at(input: Tensor, indices: tuple) -> tuple:
        return _tensor_split_at(input, indices, dim_of(input))

    into.__doc__ = at.__doc__ = doc
    composite(f"{name}.int(Tensor self, int sections) -> Tensor[]")(into)
    composite(f"{name}.array(Tensor self, int[] indices) -> Tensor[]")(at)


_declare_split(
    "hsplit",
    1,
    1,
    "Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other.",
)
_declare_split(
    "vsplit",
    2,
    0,
    "Pieces of the tensor from top to bottom: along dimension 0.",
)
_declare_split(
    "dsplit",
    3,
    2,
    "Pieces of the tensor along dimension 2.",
)


def _split(self: Any, split_size: Any, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension, all of one size or with the given sizes."""
    if isinstance(split_size, (list, tuple)):
        return split_with_sizes(self, split_size, dim)
    return split.op.call((self, split_size, dim), {})


def _split_function(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension, all of one size or with the given sizes."""
    return _split(tensor, split_size_or_sections, dim)


_split_function.__name__ = _split_function.__qualname__ = "split"
split.op.function = _split_function
Tensor.split = _split  # type: ignore[attr-defined]
