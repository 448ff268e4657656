"""Bags of embeddings by atomic operations, attention in few kernels. Replaces functions of `jgrad.kernels.numpy.layers`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import fused, summed
from jgrad.kernels.numpy.layers import BAG_MAX, BAG_MEAN, check_bags, for_each_head
from jgrad.kernels.numpy.layers import flash_attention as flash_attention_of_any
from jgrad.kernels.numpy.layers import flash_attention_backward as flash_attention_backward_of_any
from jgrad.kernels.numpy.layers import safe_softmax as safe_softmax_of_any
from jgrad.kernels.numpy.nn import in_float32, only_floating
from jgrad.kernels.numpy.shape import like


def embedding_bag(
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any,
    include_last_offset: bool,
    padding_idx: int,
) -> tuple:
    check_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx)
    padding_idx += weight.shape[0] if padding_idx < -1 else 0
    bags, n, width = offsets.size - include_last_offset, indices.size, weight.shape[1]
    bag_of = np.searchsorted(offsets, np.arange(n), "right") - 1
    # One bag more than there are takes what counts nowhere.
    bag = np.where((indices == padding_idx) | (bag_of >= bags), bags, bag_of)
    rows = weight.take(indices, 0)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    sizes = np.zeros(bags + 1, np.int64)
    np.add.at(sizes, bag, 1)
    if mode != BAG_MAX:
        result = np.zeros((bags + 1, width), weight.dtype)
        np.add.at(result, bag, rows)
        if mode == BAG_MEAN:
            result /= np.maximum(sizes, 1)[:, None].astype(weight.dtype)
        return result[:bags].copy(), bag_of, sizes[:bags].copy(), np.zeros(bags, np.int64)
    result = np.full((bags + 1, width), -np.inf, weight.dtype)
    np.maximum.at(result, bag, rows)
    first = np.full(result.shape, max(n - 1, 0), np.int64)
    if n:
        np.minimum.at(first, bag, np.where(rows == result[bag], np.arange(n)[:, None], n - 1))
    filled = sizes[:bags, None] > 0
    largest = np.where(filled, indices.take(first[:bags]), 0) if n else np.zeros((bags, width), np.int64)
    return np.where(filled, result[:bags], weight.dtype.type(0)), bag_of, sizes[:bags].copy(), largest


# Attention ---------------------------------------------------------------------------------------------------------------------


@fused
def masked(scores: Any, factor: float, mask: Any, triangle: Any) -> Any:
    found = scores * factor
    if mask is not None:
        found = np.where(mask, found, -np.inf) if mask.dtype.kind == "b" else found + mask
    return found if triangle is None else np.where(triangle, found, -np.inf)


def attention_scores(query: Any, key: Any, is_causal: bool, attn_mask: Any, scale: float | None) -> Any:
    scores = np.matmul(query, np.swapaxes(key, -1, -2))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else float(scale)
    triangle = np.tri(*scores.shape[-2:], dtype=np.bool_) if is_causal else None
    return masked(scores, factor, attn_mask, triangle)


def _finite(largest: Any) -> Any:
    return np.where(largest == -np.inf, 0.0, largest)


@summed
def powers(scores: Any, largest: Any) -> Any:
    return np.exp(scores - _finite(largest))


@fused
def shares(scores: Any, largest: Any, total: Any) -> Any:
    return np.exp(scores - _finite(largest)) / np.where(total == 0, 1.0, total)


@fused
def logarithms(largest: Any, total: Any) -> Any:
    return np.log(total) + _finite(largest)


@in_float32
def safe_softmax(a: Any, dim: int) -> Any:
    only_floating("softmax_lastdim_kernel_impl", a)
    if not a.size or not a.ndim:
        return safe_softmax_of_any(a, dim)
    largest = a.max(dim, keepdims=True)
    return shares(a, largest, powers(a, largest, axis=dim, keepdims=True))


@in_float32
def flash_attention(
    query: Any, key: Any, value: Any, dropout_p: float, is_causal: bool, attn_mask: Any, scale: float | None
) -> tuple:
    only_floating("scaled_dot_product_attention", query)
    if not query.size or not key.size:
        return flash_attention_of_any(query, key, value, dropout_p, is_causal, attn_mask, scale)
    key, value = for_each_head(query, key), for_each_head(query, value)
    scores = attention_scores(query, key, is_causal, attn_mask, scale)
    largest = scores.max(-1, keepdims=True)
    total = powers(scores, largest, axis=-1, keepdims=True)
    result = np.matmul(shares(scores, largest, total), value)
    logs = logarithms(largest, total)[..., 0]
    return (result if query.flags.c_contiguous else like(query, result)), logs


@fused
def shares_again(scores: Any, logs: Any) -> Any:
    return np.exp(scores - _finite(logs))


@fused
def by_score(by_share: Any, along: Any, shares: Any, factor: float) -> Any:
    return (by_share - along) * shares * factor


def flash_attention_backward(
    grad: Any, query: Any, key: Any, value: Any, output: Any, logsumexp: Any, dropout_p: float, is_causal: bool, attn_mask: Any,
    scale: float | None,
) -> tuple:  # fmt: skip
    if query.dtype.char == "e" or key.shape[1] != query.shape[1] or not query.size or not key.size:
        return flash_attention_backward_of_any(
            grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale
        )
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else float(scale)
    scores = attention_scores(query, key, is_causal, attn_mask, scale)
    found = shares_again(scores, logsumexp[..., None])
    by_value = np.matmul(np.swapaxes(found, -1, -2), grad)
    along = np.vecdot(grad, output)[..., None]
    by_scores = by_score(np.matmul(grad, np.swapaxes(value, -1, -2)), along, found, factor)
    return np.matmul(by_scores, key), np.matmul(np.swapaxes(by_scores, -1, -2), query), by_value
