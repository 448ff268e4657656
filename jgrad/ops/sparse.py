"""Sparse tensors of the layout `sparse_coo`: how they are made and read."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.devices import resolve
from jgrad.dispatch import composite, op
from jgrad.dispatch.options import INTERNAL
from jgrad.dispatch.signatures import shown_as
from jgrad.dtypes import INEXACT
from jgrad.errors import class_name
from jgrad.graph import overriding
from jgrad.kernels.sparse import SparseArray, empty, is_sparse, refused
from jgrad.ops.by_name import tensor, to_dtype
from jgrad.tensor import Tensor, layout, sparse_coo, strided, wrap

_Layout = layout

# The operations, on which autograd builds -----------------------------------------------------------------------------------------


@op("sparse_coalesced(Tensor self) -> Tensor", **INTERNAL, node="CoalesceBackward0")
class sparse_coalesced:
    """The same elements with sorted places, each once."""

    self = lambda grad: grad


@op("sparse_densified(Tensor self) -> Tensor", **INTERNAL, node="ToDenseBackward0")
class sparse_densified:
    """The dense tensor with the same elements."""

    self = lambda grad, self: sparse_masked(grad, sparse_coalesced(self))


@op("sparse_of_dense(Tensor self, int sparse_dim) -> Tensor", **INTERNAL, node="ToSparseBackward1")
class sparse_of_dense:
    """The sparse tensor with the same elements."""

    self = lambda grad: sparse_densified(grad)


@op("sparse_values_of(Tensor self) -> Tensor", **INTERNAL, node="ValuesBackward0")
class sparse_values_of:
    """The values of a sparse tensor."""

    self = lambda grad, self: sparse_with_values(grad, self)


@op(
    "sparse_parts(Tensor indices, Tensor values, int[] size, bool is_coalesced) -> Tensor",
    **INTERNAL,
    node="SparseCooTensorWithDimsAndTensorsBackward0",
)
class sparse_parts:
    """A sparse tensor of its parts."""

    values = lambda grad, indices: sparse_gathered(grad, indices)


@op("sparse_masked(Tensor self, Tensor mask) -> Tensor", **INTERNAL, node="SparseMaskBackward0")
class sparse_masked:
    """The elements of a tensor at the places of a sparse one."""

    self = lambda grad: sparse_densified(grad)


@op("sparse_gathered(Tensor self, Tensor indices) -> Tensor", **INTERNAL)
class sparse_gathered:
    """What a tensor has at some places."""

    self = lambda grad, self, indices: sparse_parts(indices, grad, self.shape, False)


@op("sparse_sum(Tensor self, int[] dim) -> Tensor", **INTERNAL, node="SparseSumBackward0")
class sparse_sum:
    """The sums over some dimensions."""

    self = lambda grad, self, dim: sparse_spread(grad, self, dim)


@op(
    "sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Number beta=1, Number alpha=1) -> Tensor",
    **INTERNAL,
    node="SparseAddmmBackward0",
)
class sparse_addmm:
    """beta * self + alpha * (mat1 @ mat2), for a sparse mat1."""

    self = lambda grad, beta: grad * beta
    mat1 = lambda grad, mat1, mat2, alpha: sparse_masked((grad @ mat2.t()) * alpha, sparse_coalesced(mat1))
    mat2 = lambda grad, mat1, alpha: (mat1.t() @ grad) * alpha


@op("sparse_indices_of(Tensor self) -> Tensor", **INTERNAL)
class sparse_indices_of:
    """The indices of a sparse tensor."""


@op("sparse_with_values(Tensor values, Tensor model) -> Tensor", **INTERNAL)
class sparse_with_values:
    """A sparse tensor with other values at the places of another one."""

    values = lambda grad, model: sparse_gathered(grad, sparse_indices_of(model))


@op("sparse_spread(Tensor grad, Tensor self, int[] dim) -> Tensor", **INTERNAL)
class sparse_spread:
    """The gradient of sums over some dimensions, at the places of what was summed up."""

    grad = lambda grad, dim: sparse_sum(grad, dim)


# Making them ----------------------------------------------------------------------------------------------------------------------


@shown_as(
    lambda indices, values, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None, is_coalesced=None: (
        None
    )
)
def sparse_coo_tensor(
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
    **named: Any,
) -> Tensor:
    """A sparse tensor of the layout `sparse_coo`: it keeps some elements with their places, and all others are zero."""
    indices, values, size = _parts_given(args, named, dtype, device)
    if device is not None and resolve(device).type != "cpu":
        raise NotImplementedError(f"jgrad has sparse tensors on the CPU only, not on {resolve(device)}")
    if pin_memory:
        raise RuntimeError("Only dense CPU tensors can be pinned")
    kind = dtypes.get_default_dtype() if dtype is None else dtype
    if requires_grad and (kind if values is None else values.dtype).numpy.kind not in INEXACT:
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    if values is None:
        return wrap(empty(size, kind.numpy), requires_grad)
    _check_parts(indices._a, values._a, size)
    with overriding.DisableTorchFunction():
        result = sparse_parts(indices, values, size, bool(is_coalesced) or values._a.shape[0] < 2)
        return result.detach().requires_grad_() if requires_grad else result


def _parts_given(args: tuple, named: dict[str, Any], kind: Any, device: Any) -> tuple[Any, Any, Any]:
    """The parts of a sparse tensor as tensors, and its size: None, None and the size if the tensor is zero everywhere."""
    if len(args) == 1 and not named and isinstance(args[0], (tuple, list)):
        return None, None, tuple(args[0])
    if not args and set(named) == {"size"}:
        return None, None, tuple(named["size"])
    if args and not named and all([a.__class__ is int for a in args]):
        return None, None, args
    given = dict(zip(("indices", "values", "size"), args, strict=False)) | named
    if len(args) > 3 or not {"indices", "values"} <= set(given) <= {"indices", "values", "size"}:
        got = ", ".join([*map(class_name, args), *[f"{k}={class_name(v)}" for k, v in named.items()]])
        raise TypeError(
            f"sparse_coo_tensor() received an invalid combination of arguments - got ({got}), but expected one of:\n"
            " * (object indices, object values, *, torch.dtype dtype = None, torch.device device = None, bool pin_memory = False, bool "
            "requires_grad = False, bool check_invariants = None, bool is_coalesced = None)\n"
            " * (object indices, object values, tuple of ints size, *, torch.dtype dtype = None, torch.device device = None, bool pin_memory = "
            "False, bool requires_grad = False, bool check_invariants = None, bool is_coalesced = None)\n"
            " * (tuple of ints size, *, torch.dtype dtype = None, torch.device device = None, bool requires_grad = False, bool check_invariants = "
            "None)\n"
        )
    indices, values, size = given["indices"], given["values"], given.get("size")
    if not isinstance(indices, Tensor):
        indices = tensor(indices)
    indices = indices.to(dtypes.int64)
    if not isinstance(values, Tensor):
        values = tensor(values, dtype=kind)
    elif kind is not None:
        values = values.to(kind)
    if values._a.ndim == 0:
        values = values.reshape(1)
    if size is None:
        if indices._a.ndim != 2:
            raise RuntimeError(
                f"indices must be sparse_dim x nnz, but got: [{', '.join(map(str, indices._a.shape))}]"
            )
        size = (*(indices._a.max(1, initial=-1) + 1).tolist(), *values._a.shape[1:])
    elif isinstance(size, int):
        size = (size,)
    return indices, values, tuple(size)


def _check_parts(indices: np.ndarray, values: np.ndarray, size: tuple[int, ...]) -> None:
    """Refuse parts that do not fit together. (PyTorch checks the numbers of the places only if it is asked to, and then reads and writes other memory.)"""
    if indices.ndim == 1 and not indices.size:
        indices = indices.reshape(0, 0)
    sparse_dim, dense_dim = len(indices), values.ndim - 1
    if indices.ndim == 1:
        indices = indices[:, None]
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    if indices.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if indices.shape[1] != len(values):
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {indices.shape[1]}, nnz from values: {len(values)}"
        )
    if tuple(values.shape[1:]) != tuple(size[sparse_dim:]):
        expected = [len(values), *size[sparse_dim:]]
        raise RuntimeError(f"values has incorrect size, expected {expected}, got {list(values.shape)}")
    for d, row in enumerate(indices):
        if row.size and row.min() < 0:
            raise RuntimeError(f"found negative index {row.min()} for dim {d}")
        if row.size and row.max() >= size[d]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {row.max()}"
            )


# Reading them ---------------------------------------------------------------------------------------------------------------------


def _sparse(name: str, self: Tensor, coo: str = "sparse coordinate tensor") -> SparseArray:
    if not is_sparse(self._a):
        raise RuntimeError(f"{name} expected {coo} layout but got Strided")
    return self._a


def _internal(name: str, self: Tensor) -> SparseArray:
    if not is_sparse(self._a):
        raise refused(name, "CPU")
    return self._a


def _parts(self: Tensor) -> tuple[Tensor, Tensor]:
    """Indices and values, which share memory with the sparse tensor."""
    return wrap(self._a.indices), wrap(self._a.values)


@composite("_indices(Tensor self) -> Tensor", forms="method")
def _indices(self: Tensor) -> Tensor:
    """The places of a sparse tensor as they are kept; they need not be sorted. See `indices`."""
    _internal("_indices", self)
    return _parts(self)[0]


@composite("_values(Tensor self) -> Tensor", forms="method")
def _values(self: Tensor) -> Tensor:
    """The values of a sparse tensor as they are kept, without history; a place may occur several times. See `values`."""
    _internal("_values", self)
    return _parts(self)[1]


@composite("_nnz(Tensor self) -> int", forms="method")
def _nnz(self: Tensor) -> int:
    """The number of places that a sparse tensor keeps."""
    return _internal("_nnz", self).nnz


@composite("indices(Tensor self) -> Tensor", forms="method")
def indices(self: Tensor) -> Tensor:
    """The places of a sparse tensor that is coalesced."""
    if not _sparse("indices", self).coalesced:
        raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
    return _parts(self)[0]


@composite("values(Tensor self) -> Tensor", forms="method")
def values(self: Tensor) -> Tensor:
    """The values of a sparse tensor that is coalesced. Gradients flow through it."""
    if not _sparse("values", self, "sparse tensor").coalesced:
        raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
    result = sparse_values_of(self)
    result._vc = self._counter
    return result


@composite("coalesce(Tensor self) -> Tensor", forms="method")
def coalesce(self: Tensor) -> Tensor:
    """The same tensor with sorted places, each of which occurs once: values at equal places are added up."""
    return self if _sparse("coalesce", self).coalesced else sparse_coalesced(self)


@composite("is_coalesced(Tensor self) -> bool", forms="method")
def is_coalesced(self: Tensor) -> bool:
    """Whether the places of a sparse tensor are known to be sorted, each once."""
    return _sparse("is_coalesced", self).coalesced


@composite("_coalesced_(Tensor self, bool coalesced) -> Tensor", forms="method")
def _coalesced_(self: Tensor, coalesced: bool) -> Tensor:
    """Declare that a sparse tensor is coalesced, or not, without a look at it."""
    _internal("_coalesced_", self).coalesced = coalesced
    return self


@composite("sparse_dim(Tensor self) -> int", forms="method")
def sparse_dim(self: Tensor) -> int:
    """The number of sparse dimensions: those that the indices are for. 0 for a dense tensor."""
    return self._a.sparse_dim if is_sparse(self._a) else 0


@composite("dense_dim(Tensor self) -> int", forms="method")
def dense_dim(self: Tensor) -> int:
    """The number of dense dimensions: those of the values after the first one. For a dense tensor, all of its dimensions."""
    return self._a.ndim - self._a.sparse_dim if is_sparse(self._a) else self._a.ndim


@composite("to_dense(Tensor self, dtype? dtype=None, *, bool? masked_grad=None) -> Tensor", forms="method")
def to_dense(self: Tensor, dtype: Any = None, masked_grad: bool | None = None) -> Tensor:
    """The dense tensor with the same elements."""
    if not is_sparse(self._a):
        return self if dtype is None else to_dtype(self, dtype)
    if dtype is not None:
        raise RuntimeError("dtype argument is not supported by sparse_to_dense")
    return sparse_densified(self)


def to_sparse(
    self: Tensor,
    sparse_dim: int | None = None,
    layout: _Layout | None = None,
    blocksize: Any = None,
    dense_dim: int | None = None,
) -> Tensor:
    """The sparse tensor with the same elements. It is coalesced."""
    if layout is strided:
        return self.to_dense()
    if layout is not None and layout is not sparse_coo:
        raise NotImplementedError(f"to_sparse(): jgrad has no tensors of the layout {layout}")
    if self.device.type != "cpu":
        raise NotImplementedError(f"jgrad has sparse tensors on the CPU only, not on {self.device}")
    if is_sparse(self._a) and sparse_dim in (None, self._a.sparse_dim):
        return self
    if is_sparse(self._a):
        raise RuntimeError(
            "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not supported"
        )
    ndim = self._a.ndim
    n = ndim if sparse_dim is None else sparse_dim
    if not 0 <= n <= ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{ndim}] range, but {n} is given"
        )
    if ndim and not n:
        raise RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")
    return sparse_of_dense(self, n)


Tensor.to_sparse = to_sparse  # type: ignore[attr-defined]
to_sparse.__qualname__ = "Tensor.to_sparse"


@composite("to_sparse_coo(Tensor self) -> Tensor", forms="method")
def to_sparse_coo(self: Tensor) -> Tensor:
    """The sparse tensor of the layout `sparse_coo` with the same elements: the same as `to_sparse()`."""
    return self.to_sparse()


@composite("sparse_mask(Tensor self, Tensor mask) -> Tensor", forms="method")
def sparse_mask(self: Tensor, mask: Tensor) -> Tensor:
    """The elements of a tensor at the places of a sparse one."""
    if not is_sparse(mask._a):
        raise refused("sparse_mask", "CPU")
    if self._a.shape != mask._a.shape:
        raise RuntimeError(
            f"sparse_mask(): operands have incompatible sizes; self has size {list(self._a.shape)} but mask has size {list(mask._a.shape)}"
        )
    return sparse_masked(self, mask)
