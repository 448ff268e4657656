"""Functions for sparse tensors; `torch.sparse`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.dtypes import dtype
from jgrad.kernels.sparse import is_sparse
from jgrad.ops.creation import zeros_of
from jgrad.ops.sparse import sparse_addmm, sparse_sum
from jgrad.tensor import Tensor

_addmm: Any = sparse_addmm
_sum: Any = sparse_sum


def mm(mat1: Tensor, mat2: Tensor) -> Tensor:
    """The product of a sparse matrix and a dense or sparse one."""
    if is_sparse(mat1._a) and not is_sparse(mat2._a) and mat2._a.ndim == 2 and mat1._a.ndim == 2:
        zeros = zeros_of(mat2, (mat1._a.shape[0], mat2._a.shape[1]))
        return _addmm(zeros, mat1, mat2, beta=0, alpha=1)
    return mat1.mm(mat2)


def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta * mat + alpha * (mat1 @ mat2), for a sparse `mat1`."""
    return _addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input: Tensor, dim: Any = None, dtype: dtype | None = None) -> Tensor:
    """The sum of a sparse tensor, over all dimensions or over some."""
    if dtype is not None:
        return sum(input.to(dtype), dim)
    if not is_sparse(input._a):
        return input.sum() if dim is None else input.sum(dim)
    if dim is None:
        return input.coalesce().values().sum()
    return _sum(input, (dim,) if isinstance(dim, int) else tuple(dim))


class check_sparse_tensor_invariants:
    """Chooses whether new sparse tensors are checked. In jgrad they are always checked, so that only `is_enabled()` changes."""

    _enabled = False

    def __init__(self, enable: bool = True) -> None:
        self.state = enable
        self.saved_state: bool | None = None

    @staticmethod
    def is_enabled() -> bool:
        """Whether checks are switched on."""
        return check_sparse_tensor_invariants._enabled

    @staticmethod
    def enable() -> None:
        """Switch checks on."""
        check_sparse_tensor_invariants._enabled = True

    @staticmethod
    def disable() -> None:
        """Switch checks off."""
        check_sparse_tensor_invariants._enabled = False

    def __enter__(self) -> None:
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context manager instance for context nesting."
            )
        self.saved_state = self.is_enabled()
        check_sparse_tensor_invariants._enabled = self.state

    def __exit__(self, *_: object) -> None:
        assert self.saved_state is not None
        check_sparse_tensor_invariants._enabled = self.saved_state
        self.saved_state = None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.state):
                return function(*args, **kwargs)

        return checked


manual.attach(__name__)
