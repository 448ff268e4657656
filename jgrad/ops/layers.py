"""What layers of neural networks compute besides convolutions: linear and bilinear maps, embeddings, dropout, attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad import switches
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.batched import Batched
from jgrad.dispatch.options import FUNCTIONAL, INTERNAL
from jgrad.dtypes import HALVES, promote_types
from jgrad.graph import levels
from jgrad.graph.view import bump
from jgrad.kernels.numpy import c_name, wrap_dim
from jgrad.kernels.numpy import dropout_scale as dropout_scale  # on numbers, so the same for tensors
from jgrad.kernels.numpy.shape import common_shape
from jgrad.ops.by_name import _mul_scalar, addmm, matmul, softmax_backward, sparse_densified, where
from jgrad.ops.creation import empty_like, zeros_like
from jgrad.tensor import Tensor

# ----- Linear and bilinear maps -----


def size_along(shape: tuple, dim: int) -> int:
    if not shape:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return shape[wrap_dim(dim, len(shape))]


@composite("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", **FUNCTIONAL)
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A linear map: `input` times the transpose of `weight`, plus `bias`."""
    n, m = input._a.ndim, weight._a.ndim
    if n == 0 or m == 0:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {n}D and {m}D")
    if bias is None:
        return matmul(input, weight.t())
    if n == 2:
        return addmm(bias, input, weight.t())
    if input._a.flags.c_contiguous and bias._a.ndim > 0:
        shape = input._a.shape
        rows = math.prod(shape[:-1])
        product = addmm(bias, input.view((rows, shape[-1])), weight.t())
        return product.view((*shape[:-1], product._a.shape[1]))
    product = matmul(input, weight.t())
    return product.add_(bias)


@op(
    "_trilinear(Tensor i1, Tensor i2, Tensor i3, str equation) -> Tensor",
    **INTERNAL,
    kernel="trilinear",
    node="TrilinearBackward0",
)
class trilinear:
    """The sum of products of three tensors, its indices named as for einsum."""

    i1 = lambda grad, i2, i3, equation: trilinear(grad, i2, i3, exchanged(equation, 0))
    i2 = lambda grad, i1, i3, equation: trilinear(i1, grad, i3, exchanged(equation, 1))
    i3 = lambda grad, i1, i2, equation: trilinear(i1, i2, grad, exchanged(equation, 2))


@formula
def exchanged(equation: str, position: int) -> str:
    """The equation with the result and one of the operands exchanged."""
    operands, result = equation.split("->")
    names = operands.split(",")
    names[position], result = result, names[position]
    return ",".join(names) + "->" + result


@composite(
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", forms="function"
)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A map of two vectors: for each matrix of `weight` the product `input1 @ matrix @ input2`, plus `bias`."""
    first, second, shape = input1._a.shape, input2._a.shape, weight._a.shape
    if len({t._a.dtype for t in (input1, input2, weight, bias) if t is not None}) > 1:
        named = (("input1", input1), ("input2", input2), ("weight", weight), ("bias", bias))
        shown = ", ".join(f"{name}: {c_name(t._a)}" for name, t in named if t is not None)
        raise RuntimeError(f"All tensors must have the same dtype, got {shown}")
    if len(first) != len(second):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(first)} and {len(second)}")
    for i, (a, b) in enumerate(zip(first[:-1], second[:-1], strict=True)):
        if a != b:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {i}: got {a} and {b}")
    for name, sizes, dim in (("input1", first, 1), ("input2", second, 2)):
        if (size := size_along(sizes, -1)) != (expected := size_along(shape, dim)):
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {size} but expected {expected}"
            )
    if bias is not None and size_along(bias._a.shape, 0) != shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._a.shape[0]} but expected {shape[0]}"
        )
    rows = math.prod(first[:-1])
    flat = trilinear(
        input1.reshape((rows, first[-1])), weight, input2.reshape((rows, second[-1])), "bi,oij,bj->bo"
    )
    result = flat.reshape((*first[:-1], shape[0]))
    return result if bias is None else result + bias


# ----- Embeddings -----


@op(
    "embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    forms="function",
    real_gradient=True,
)
class embedding:
    """Rows of `weight`: the row `indices[i]` for each i. The gradient of a row is the sum over all places where it was taken."""

    weight = lambda grad, indices, weight_shape, padding_idx, scale_grad_by_freq, sparse: embedding_backward(
        grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq, sparse
    )


def embedding_backward(
    grad: Tensor,
    indices: Tensor,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
    sparse: bool,
) -> Tensor:
    if sparse:
        return embedding_sparse_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
    return embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)


@op(
    "embedding_dense_backward(Tensor grad_output, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor",
    **INTERNAL,
)
class embedding_dense_backward:
    """The gradient of embedding: each row's gradient added where the row was taken, nothing for the padding."""

    grad_output = lambda grad, indices, padding_idx: embedding_double_backward(grad, indices, padding_idx)


@op(
    "embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor",
    **INTERNAL,
)
class embedding_sparse_backward:
    """The gradient of embedding as a sparse tensor: each row's gradient with its number, nothing for the padding."""

    grad = lambda grad, indices, padding_idx: embedding_double_backward(
        sparse_densified(grad), indices, padding_idx
    )


@formula
def embedding_double_backward(grad: Any, indices: Any, padding_idx: int) -> Any:
    """The gradient of embedding_dense_backward: the rows again, zeros for the padding."""
    rows = embedding(grad, indices)
    if padding_idx < 0:
        return rows
    return where((indices == padding_idx).reshape((*indices.shape, 1)), zeros_like(rows), rows)


@op(
    "embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor",
    forms="function",
    node="EmbeddingRenormBackward0",
)
class embedding_renorm_:
    """Scales down, in place, those of the named rows of a matrix whose norm is above `max_norm`. Their norm is then almost exactly `max_norm`."""

    self = lambda grad: no_derivative("embedding_renorm")


@op("_one_hot(Tensor self, int num_classes) -> Tensor", **INTERNAL, kernel="one_hot")
class _one_hot:
    """Rows with a 1 at the place of each class."""


@composite("one_hot(Tensor self, int num_classes=-1) -> Tensor", namespace="nn.functional", forms="function")
def one_hot(self: Tensor, num_classes: int = -1) -> Tensor:
    """For each class number a row with a 1 at its place and zeros elsewhere."""
    result = _one_hot(self, num_classes)
    if self._a.size:  # PyTorch writes into it twice
        bump(result)
        bump(result)
    return result


_BAG = (
    "Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
    "Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None"
)


@op(
    f"_embedding_bag({_BAG}) -> (Tensor, Tensor, Tensor, Tensor)",
    **INTERNAL,
    kernel="embedding_bag",
    node="EmbeddingBagBackward0",
)
class _embedding_bag:
    """The bags, their members, their sizes, and the rows that hold the maxima."""

    weight = lambda grad, indices, offsets, result1, result2, result3, weight_shape, scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx: (
        embedding_bag_backward(
            grad, indices, offsets, result1, result2, result3, weight_shape[0], scale_grad_by_freq, mode, sparse, per_sample_weights,
            padding_idx,
        )
    )  # fmt: skip
    per_sample_weights = lambda grad, weight, indices, offsets, result1, padding_idx: (
        embedding_bag_weights_backward(grad, weight, indices, offsets, result1, padding_idx)
    )


@op(
    "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, "
    "int num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx) -> Tensor",
    **INTERNAL,
    kernel="embedding_bag_backward",
)
class embedding_bag_backward:
    """The gradient of embedding_bag for the weight."""

    grad = lambda grad: no_derivative("_embedding_bag_backward")


def no_derivative(name: str) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


@op(
    "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, "
    "int padding_idx) -> Tensor",
    **INTERNAL,
    kernel="embedding_bag_weights_backward",
    undifferentiable=True,
)
class embedding_bag_weights_backward:
    """The gradient of embedding_bag for the weights of the samples."""


@composite(f"embedding_bag({_BAG}) -> (Tensor, Tensor, Tensor, Tensor)", forms="function")
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple:
    """Combines rows of `weight` in bags: each bag becomes the sum (mode 0), the mean (1) or the maximum (2) of its rows."""
    rows = weight._a.shape[0]
    if padding_idx is not None and -rows <= padding_idx < 0:
        padding_idx += rows
    if indices.dtype is not offsets.dtype and not (indices.is_complex() or offsets.is_complex()):
        common = promote_types(indices.dtype, offsets.dtype)
        indices, offsets = indices.to(common), offsets.to(common)
    return _embedding_bag(
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        mode,
        sparse,
        per_sample_weights,
        include_last_offset,
        -1 if padding_idx is None else padding_idx,
    )


# ----- Dropout -----


@op("native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", forms="function")
class native_dropout:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`."""

    input = lambda grad, result1, p, train: grad * (result1 * dropout_scale(p, train))


def _dropped(
    input: Tensor, p: float, train: bool, feature: bool = False, alpha: bool = False, inplace: bool = False
) -> Tensor:
    """The input times noise of zeros and ones, scaled so that the mean is kept (for `alpha` the variance too)."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
    if p == 0 or not train or not input._a.size:
        return input
    times = input.mul_ if inplace else input.mul
    if p == 1:
        return times(input.new_zeros(()))
    if feature:
        if input._a.ndim < 2:
            raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
        noise = input.new_empty((*input._a.shape[:2],) + (1,) * (input._a.ndim - 2))
    else:
        noise = empty_like(input)
    if not alpha and levels.batching() is not None and not isinstance(noise, Batched):
        noise = noise.bernoulli(1 - p)  # which may be other numbers for each example
    else:
        noise.bernoulli_(1 - p)
    if not alpha:
        return times(noise.div_(1 - p))
    floor = 1.7580993408473766  # what selu gives for minus infinity, but for the sign
    scale = 1 / math.sqrt((floor * floor * p + 1) * (1 - p))
    shift = noise.add(-1).mul_(floor * scale).add_(floor * scale * p)
    return times(noise.mul_(scale)).add_(shift)


def _declare_dropouts() -> None:
    """dropout, feature_dropout, alpha_dropout, feature_alpha_dropout, and each into its own argument."""
    limit = "Sets %s to the negative limit of `selu` at random, with the probability `p`.\n"
    limit += "Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`."
    zero = "Sets %s to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean."
    summaries = {
        "dropout": zero % "elements",
        "feature_dropout": zero % "whole channels",
        "alpha_dropout": limit % "elements",
        "feature_alpha_dropout": limit % "whole channels",
    }
    for name, summary in summaries.items():
        feature, alpha = name.startswith("feature"), "alpha" in name

        def apart(
            input: Tensor, p: float, train: bool, feature: bool = feature, alpha: bool = alpha
        ) -> Tensor:
            return _dropped(input, p, train, feature, alpha)

        def inside(
            input: Tensor, p: float, train: bool, feature: bool = feature, alpha: bool = alpha
        ) -> Tensor:
            return _dropped(input, p, train, feature, alpha, True)

        apart.__doc__ = inside.__doc__ = summary
        composite(f"{name}(Tensor input, float p, bool train) -> Tensor", forms="function")(apart)
        composite(f"{name}_(Tensor(a!) input, float p, bool train) -> Tensor", forms="function")(inside)


_declare_dropouts()


# ----- Attention -----


@op(
    "_safe_softmax(Tensor self, int dim) -> Tensor",
    **INTERNAL,
    kernel="safe_softmax",
    node="SafeSoftmaxBackward0",
    batches="dim",
)
class _safe_softmax:
    """The softmax; zeros where everything is masked out."""

    self = lambda grad, result, dim: softmax_backward(grad, result, dim)


_ATTENTION = "Tensor query, Tensor key, Tensor value"


@op(
    f"_scaled_dot_product_flash_attention_for_cpu({_ATTENTION}, float dropout_p, bool is_causal, Tensor? attn_mask, float? scale) "
    "-> (Tensor output, Tensor logsumexp)",
    **INTERNAL,
    kernel="flash_attention",
    node="ScaledDotProductFlashAttentionForCpuBackward0",
    constant="logsumexp",
)
class _flash_attention:
    """Attention in one step."""

    query = key = value = (
        lambda grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale: (
            flash_attention_backward(
                grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale
            )
        )
    )


@op(
    f"_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, {_ATTENTION}, Tensor out, Tensor logsumexp, float dropout_p, "
    "bool is_causal, Tensor? attn_mask, float? scale) -> (Tensor, Tensor, Tensor)",
    **INTERNAL,
    kernel="flash_attention_backward",
    undifferentiable=True,
)
class flash_attention_backward:
    """The gradients of attention."""


@composite(
    f"scaled_dot_product_attention({_ATTENTION}, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, "
    "bool enable_gqa=False) -> Tensor",
    namespace="nn.functional",
    forms="function",
)
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Attention: for each query the average of the values, weighted by the softmax of the products of this query with all keys.
    It computes `softmax(query @ key.T * scale + mask) @ value`."""
    _check_attention(query, key, value, attn_mask)
    given = query.dtype
    q, k, v = query._a, key._a, value._a
    if attn_mask is not None:
        common_shape((*q.shape[:-1], k.shape[-2]), attn_mask._a.shape)
    if not v.size or not q.shape[-2]:  # nothing to average: zeros, which the graph connects with all three
        connected = _mul_scalar(query.sum() + key.sum() + value.sum(), 0)
        return query.new_zeros((*q.shape[:-1], v.shape[-1])) + connected
    fused = (
        q.ndim == k.ndim == v.ndim == 4
        and dropout_p == 0
        and q.shape[-1] == k.shape[-1] == v.shape[-1]
        and q.shape[0] == k.shape[0] == v.shape[0]
        and k.shape[1] == v.shape[1]
        and (q.shape[1] == k.shape[1] or (enable_gqa and k.shape[1] and q.shape[1] % k.shape[1] == 0))
        and q.size
        and k.size
        and all(a.strides[-1] == a.itemsize for a in (q, k, v))
        and (attn_mask is None or (not attn_mask.requires_grad and attn_mask._a.ndim in (2, 4)))
    )
    if fused and switches.attention["flash"]:
        return _flash_attention(query, key, value, dropout_p, is_causal, attn_mask, scale)[0]
    if not switches.attention["math"]:
        if switches.attention["flash"]:
            raise RuntimeError("No available kernel.  Aborting execution.")
        raise RuntimeError(
            "No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both the math kernel and the "
            "fused kernels."
        )
    if given in HALVES:
        query, key, value = query.float(), key.float(), value.float()
        if attn_mask is not None and attn_mask.is_floating_point():
            attn_mask = attn_mask.float()
    result = _attention_in_steps(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    return result.to(given) if given in HALVES else result


def _check_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None) -> None:
    if not query._a.dtype == key._a.dtype == value._a.dtype:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {c_name(query._a)} key.dtype: {c_name(key._a)} and "
            f"value.dtype: {c_name(value._a)} instead."
        )
    if query._a.ndim < 2 or key._a.ndim < 2 or value._a.ndim < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query._a.ndim} key.dim: {key._a.ndim} "
            f"and value.dim: {value._a.ndim} instead."
        )
    if attn_mask is not None:
        kind = attn_mask._a.dtype
        if kind not in (np.dtype(bool), np.dtype(np.float32), query._a.dtype):
            raise RuntimeError(
                f"Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {c_name(attn_mask._a)} and  "
                f"query.dtype: {c_name(query._a)} instead."
            )


def _as_summand(mask: Tensor, like: Tensor) -> Tensor:
    """A mask that says what takes part, as what is added to the scores: minus infinity elsewhere."""
    if mask._a.dtype.kind != "b":
        return mask
    return zeros_like(mask, dtype=like.dtype).masked_fill_(mask.logical_not(), -math.inf)


def _attention_in_steps(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> Tensor:
    if scale is None:
        scale = 1 / math.sqrt(query._a.shape[-1]) if query._a.shape[-1] else math.inf
    factor = math.sqrt(abs(scale))
    query = _mul_scalar(query, -factor if scale < 0 else factor)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        attn_mask = query.new_ones((query._a.shape[-2], key._a.shape[-2])).to(bool).tril()
    if enable_gqa:
        heads = query._a.shape[-3]
        if heads % key._a.shape[-3] or heads % value._a.shape[-3]:
            raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
        key = key.repeat_interleave(heads // key._a.shape[-3], -3)
        value = value.repeat_interleave(heads // value._a.shape[-3], -3)
    scores = matmul(query, _mul_scalar(key.transpose(-2, -1), factor))
    if attn_mask is not None:
        scores.add_(_as_summand(attn_mask, query))
    shares = _safe_softmax(scores, -1)
    if dropout_p > 0:
        shares = _dropped(shares, dropout_p, True)
    return matmul(shares, value)
