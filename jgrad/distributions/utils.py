"""Small things that many distributions use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

import jgrad
from jgrad import manual
from jgrad.dispatch.batched import Batched
from jgrad.nn import functional
from jgrad.tensor import Size, Tensor

euler_constant = 0.57721566490153286060
NUMBERS = (int, float, bool)

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]


def broadcast_all(*values: Tensor | float) -> tuple[Tensor, ...]:
    """All values as tensors of their common shape. Numbers take the dtype and device of the first tensor, or the default ones."""
    if not all([isinstance(v, (Tensor, *NUMBERS)) for v in values]):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    first = next((v for v in values if isinstance(v, Tensor)), None)
    kind = (
        {"dtype": jgrad.get_default_dtype()}
        if first is None
        else {"dtype": first.dtype, "device": first.device}
    )
    tensors = [v if isinstance(v, Tensor) else jgrad.tensor(v, **kind) for v in values]
    return tuple(jgrad.broadcast_tensors(*tensors))


def standard_normal(shape: Sequence[int], like: Tensor) -> Tensor:
    """Normal numbers with the mean 0 and the standard deviation 1, of the dtype and on the device of another tensor."""
    return jgrad.empty(shape, dtype=like.dtype, device=like.device).normal_()


def all_true(flags: Tensor) -> bool:
    """Whether all flags hold, under `vmap` those of all examples."""
    while isinstance(flags, Batched):
        flags = flags.value
    return bool(flags.all())


def sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sums over the last `dim` dimensions."""
    return value.reshape(value.shape[:-dim] + (-1,)).sum(-1) if dim else value


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities of log-odds, if binary, or of logarithms of weights along the last dimension."""
    return jgrad.sigmoid(logits) if is_binary else functional.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities moved away from 0 and 1 by the epsilon of their dtype, so that their logarithms are finite."""
    eps = jgrad.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Log-odds, if binary, or logarithms of probabilities."""
    clamped = clamp_probs(probs)
    return jgrad.log(clamped) - jgrad.log1p(-clamped) if is_binary else jgrad.log(clamped)


class lazy_property:
    """A property that is computed when it is first read, with gradients, and is an ordinary attribute from then on."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        update_wrapper(self, wrapped)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        with jgrad.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def _lower(n: int, diag: int, device: Any) -> Tensor:
    """Which elements of an n x n matrix lie on this diagonal or below it."""
    index = jgrad.arange(n, device=device)
    return index < index.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The elements on and below a diagonal of matrices, row after row: of (..., D, D) a tensor (..., N)."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower(n, diag, mat.device)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """The inverse of `tril_matrix_to_vec`, with zeros above the diagonal."""
    count, twice = vec.shape[-1], 1 + 2 * diag
    # Of the quadratic equation for D; corners that the diagonal cuts off count too.
    n = (-twice + (twice**2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > jgrad.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {count} which cannot be expressed as "
            "the lower triangular part of a square D x D matrix."
        )
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + Size((n, n)))
    mat[..., _lower(n, diag, vec.device)] = vec
    return mat


manual.attach(__name__)
