"""Autocast: the arguments of some operators are cast before they run, as PyTorch's autocast on the CPU does.

There are three lists. Products run in a lower precision (bfloat16). Losses and other operators that need the range or the digits of float32 run in
float32. Operators that combine several tensors run in the widest of their dtypes. All other operators run without a cast. If an operator on a list
calls other operators, their arguments are not cast again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import dtypes
from jgrad.graph import autocast_mode
from jgrad.graph.autocast_mode import state
from jgrad.tensor import Tensor

LOWER = (
    "addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d linalg_vecdot linear matmul mm prelu "
    "scaled_dot_product_attention"
)
SINGLE = (
    "_adaptive_avg_pool3d _binary_cross_entropy _multi_margin_loss _soft_margin_loss adaptive_max_pool3d avg_pool3d "
    "binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve cosine_embedding_loss ctc_loss fft_fft fft_fft2 fft_fftn "
    "fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn fractional_max_pool2d "
    "fractional_max_pool3d geqrf grid_sampler grid_sampler_2d grid_sampler_3d hinge_embedding_loss huber_loss inverse kl_div linalg_cholesky "
    "linalg_cholesky_ex linalg_cond linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex "
    "linalg_lstsq linalg_matrix_rank linalg_qr linalg_solve linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve "
    "margin_ranking_loss max_pool3d max_unpool2d max_unpool3d mse_loss multilabel_margin_loss_forward nanquantile nll_loss_forward "
    "nll_loss2d_forward orgqr ormqr pinverse poisson_nll_loss polar prod qr quantile reflection_pad1d reflection_pad2d replication_pad1d "
    "replication_pad2d replication_pad3d smooth_l1_loss stft svd trace triangular_solve triplet_margin_loss view_as_complex"
)
WIDEST = "cat index_copy stack"


def run(operator: str, call: Callable[..., Any], values: list[Any]) -> Any:
    """Call an operator with its arguments cast, if it is on one of the lists."""
    __tracebackhide__ = True
    rule = RULES.get(operator)
    if rule is None or state.inside or not any(state.enabled.values()):
        return call(values)
    values = rule(values)
    state.inside = True
    try:
        return call(values)
    finally:
        state.inside = False


def in_single(*values: Any) -> list[Any]:
    """Arguments in float32, for functions that are on that list without being operators."""
    if autocast_mode.anywhere and not state.inside:
        return _in_single(list(values))
    return list(values)


def _each(values: Any, cast: Callable[[Tensor], Tensor]) -> Any:
    """Arguments with the eligible tensors among them, also those in lists, cast."""

    def one(value: Any) -> Any:
        if value.__class__ is list or value.__class__ is tuple:
            return type(value)([one(v) for v in value])
        eligible = (
            isinstance(value, Tensor) and value.is_floating_point() and value.dtype is not dtypes.float64
        )
        return cast(value) if eligible and autocast_mode.dtype_for(value) is not None else value

    return one(values)


def _lower(values: list[Any]) -> list[Any]:
    return _each(values, lambda t: _cast(t, autocast_mode.dtype_for(t)))


def _in_single(values: list[Any]) -> list[Any]:
    return _each(values, lambda t: _cast(t, dtypes.float32))


def _widest(values: list[Any]) -> list[Any]:
    found: list[Any] = []

    def note(tensor: Tensor) -> Tensor:
        found.append(tensor.dtype)
        return tensor

    _each(values, note)
    if _has_double(values):
        target = dtypes.float64
    elif dtypes.float32 in found:
        target = dtypes.float32
    else:
        return values
    return _each(values, lambda t: _cast(t, target))


def _has_double(values: Any) -> bool:
    if values.__class__ is list or values.__class__ is tuple:
        return any([_has_double(v) for v in values])
    return isinstance(values, Tensor) and values.dtype is dtypes.float64


def _cast(tensor: Tensor, target: dtypes.dtype) -> Tensor:
    """A tensor in another dtype. Of a weight (a leaf in float32 that requires grad) the cast is kept until autocast ends."""
    if tensor.dtype is target:
        return tensor
    weight = (
        state.cache_enabled
        and target is not dtypes.float32
        and tensor.dtype is dtypes.float32
        and tensor.requires_grad
        and tensor.is_leaf
        and not tensor._is_view()
    )
    if not weight:
        return tensor.to(target)
    known = state.cache.get(id(tensor))
    if known is None:
        known = state.cache[id(tensor)] = (tensor, tensor.to(target))
    return known[1]


RULES: dict[str, Callable[[list[Any]], list[Any]]] = {
    **dict.fromkeys(LOWER.split(), _lower),
    **dict.fromkeys(SINGLE.split(), _in_single),
    **dict.fromkeys(WIDEST.split(), _widest),
}
