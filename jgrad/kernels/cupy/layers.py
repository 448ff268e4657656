"""Bags of embeddings by atomic operations. Replaces functions of `jgrad.kernels.numpy.layers`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.kernels.numpy.layers import BAG_MAX, BAG_MEAN, check_bags


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
