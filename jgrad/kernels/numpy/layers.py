"""The kernels on NumPy arrays: linear maps of layers, embeddings, dropout, attention. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels.numpy.indexing import added_rows, joined_runs, refuse_out_of_bounds
from jgrad.kernels.numpy.nn import in_float32, only_floating
from jgrad.kernels.numpy.random import bernoulli_p_
from jgrad.kernels.numpy.shape import Array, empty_like, full_type_name, like, scalar_name
from jgrad.kernels.numpy.values import refuse_outside, refuse_unless, taken
from jgrad.kernels.sparse import SparseArray


def trilinear(a: Array, b: Array, c: Array, equation: str) -> Array:
    """The sum of products of three arrays, as einsum; the array in the middle has all summed indices, so it goes last."""
    first, middle, last = equation.partition("->")[0].split(",")
    operands = ((a, first), (b, middle), (c, last))
    order = sorted(range(3), key=lambda i: operands[i][0].size)
    left = ",".join(operands[i][1] for i in order)
    with np.errstate(all="ignore"):  # (NumPy multiplies in its own Python, which our filter does not reach)
        result = np.einsum(
            f"{left}->{equation.partition('->')[2]}", *(operands[i][0] for i in order), optimize=True
        )
    return np.ascontiguousarray(result)


# Embeddings --------------------------------------------------------------------------------------------------------------------


def check_rows(name: str, indices: Array) -> None:
    """Refuse indices that are not integers of the two kinds PyTorch takes."""
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{full_type_name(indices)} instead (while checking arguments for {name})"
        )


def embedding(
    weight: Array,
    indices: Array,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Array:
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    check_rows("embedding", indices)
    if indices.size:
        if not weight.shape[0]:
            raise RuntimeError("index_select(): self indexing axis dim should be positive")
        refuse_out_of_bounds(indices, weight.shape[0], lambda: IndexError("index out of range in self"))
    return taken(weight, indices, 0)


def embedding_backward(
    grad: Array,
    indices: Array,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
    sparse: bool,
) -> Array:
    if sparse:
        return embedding_sparse_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
    return embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)


def embedding_dense_backward(
    grad: Array, indices: Array, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Array:
    width = grad.shape[-1]
    rows, places = grad.reshape(-1, width) if width else grad.reshape(indices.size, 0), indices.reshape(-1)
    if padding_idx >= 0:
        kept = np.flatnonzero(places != padding_idx)
        rows, places = rows[kept], places[kept]
    if scale_grad_by_freq:
        rows = rows / np.bincount(places.astype(np.intp, copy=False), minlength=num_weights)[places][
            :, None
        ].astype(rows.dtype)
    return added_rows(rows, places, num_weights)


def embedding_sparse_backward(
    grad: Array, indices: Array, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """The same as a sparse array: what arrived, with the numbers of the rows."""
    if scale_grad_by_freq:
        raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
    width = grad.shape[-1]
    rows, places = grad.reshape(indices.size, width), indices.reshape(-1)
    if padding_idx >= 0:
        kept = np.flatnonzero(places != padding_idx)
        rows, places = rows[kept], places[kept]
    return SparseArray(places[None].astype(np.int64), rows, (num_weights, width))


def embedding_renorm_(weight: Array, indices: Array, max_norm: float, norm_type: float) -> Array:
    check_rows("embedding_renorm_", indices)
    rows = np.unique(indices)
    refuse_outside(rows, 0, weight.shape[0], lambda: IndexError("index out of range in self"))
    with np.errstate(all="ignore"):
        size = np.linalg.norm(weight[rows], norm_type, 1)
    large = size > max_norm
    weight[rows[large]] *= (max_norm / (size[large] + 1e-7)).astype(weight.dtype)[:, None]
    return weight


def one_hot(a: Array, num_classes: int) -> Array:
    if a.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not a.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return np.zeros((*a.shape, num_classes), np.int64)
    refuse_unless(a >= 0, lambda: RuntimeError("Class values must be non-negative."))
    if num_classes == -1:
        num_classes = a.max().item() + 1
    refuse_unless(a < num_classes, lambda: RuntimeError("Class values must be smaller than num_classes."))
    result = np.zeros((*a.shape, num_classes), np.int64)
    np.put_along_axis(result, a[..., None], 1, -1)
    return result


# Bags of embeddings ------------------------------------------------------------------------------------------------------------

BAG_SUM, BAG_MEAN, BAG_MAX = 0, 1, 2


def check_bags(
    weight: Array,
    indices: Array,
    offsets: Array,
    mode: int,
    per_sample_weights: Array | None,
    include_last_offset: bool,
    padding_idx: int,
) -> None:
    check_rows("embedding_bag", indices)
    check_rows("embedding_bag", offsets)
    rows = weight.shape[0]
    refuse_unless(
        offsets[:1] == 0,
        lambda: RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got "
            f"{offsets[0].item()}"
        ),
    )
    refuse_unless(
        offsets[-1:] <= indices.size,
        lambda: RuntimeError(
            f"offsets[-1] can not be greater than input's length {indices.size} but got offsets[-1] of {offsets[-1].item()}"
        ),
    )
    if include_last_offset and not offsets.size:
        raise RuntimeError("include_last_offset: number of offsets should be at least 1")
    if not -rows <= padding_idx < rows and padding_idx != -1:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but got {padding_idx}"
        )
    if weight.dtype.kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got "
            f"{full_type_name(weight)} instead (while checking arguments for embedding_bag)"
        )
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        kinds = [full_type_name(a) for a in (weight, per_sample_weights)]
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but type "
            f"{kinds[0]} does not equal {kinds[1]} (while checking arguments for embedding_bag)"
        )

    def error() -> Exception:
        wrong = np.flatnonzero((indices < 0) | (indices >= rows))[0].item()
        return RuntimeError(
            f"Index {wrong} of input takes value {indices[wrong].item()} which is not in the valid range [0, {rows})"
        )

    refuse_outside(indices, 0, rows, error)


def embedding_bag(
    weight: Array,
    indices: Array,
    offsets: Array,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Array | None,
    include_last_offset: bool,
    padding_idx: int,
) -> tuple:
    """The sum, mean or maximum of each bag; the bag of each index; the sizes of the bags; the rows that hold the maxima.

    As in PyTorch, a sum has zeros for the sizes, and no bags of the indices where its fastest kernel needs none; a mean has the sizes twice.
    """
    check_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx)
    padding_idx += weight.shape[0] if padding_idx < -1 else 0
    bags = offsets.size - include_last_offset
    ends = np.append(offsets[1:], indices.size) if not include_last_offset else offsets[1:]
    lengths = np.diff(np.append(offsets[:bags], ends[-1:])) if bags else np.zeros(0, np.intp)
    bag_of = np.repeat(np.arange(bags), lengths.astype(np.intp, copy=False))
    kept = np.flatnonzero(indices[: bag_of.size] != padding_idx)
    places, bag = indices[kept], bag_of[kept]
    sizes = np.bincount(bag, minlength=bags)
    table, order = weight, places
    if per_sample_weights is not None:
        table = weight.take(places, 0) * per_sample_weights.reshape(-1)[kept][:, None]
        order = np.arange(len(places))
    result = np.zeros((bags, weight.shape[1]), weight.dtype)
    filled = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[filled]
    largest = np.zeros(result.shape if mode == BAG_MAX else bags, np.int64)
    if filled.size:
        join = np.maximum if mode == BAG_MAX else np.add
        joined, most = joined_runs(join, table, order, starts, sizes[filled])
        result[filled[most]] = joined
        if mode == BAG_MAX:
            # The first row of the bag that holds the maximum.
            rows = weight.take(places, 0)
            position = np.where(rows == result[bag], np.arange(len(rows))[:, None], len(rows))
            earliest, most = joined_runs(np.minimum, position, np.arange(len(rows)), starts, sizes[filled])
            largest[filled[most]] = places[np.minimum(earliest, len(rows) - 1)]
        elif mode == BAG_MEAN:
            result[filled] /= sizes[filled][:, None].astype(weight.dtype)
    if mode == BAG_MEAN:
        largest = sizes.copy()
    elif mode == BAG_SUM:
        sizes = np.zeros_like(sizes)
        factors = () if per_sample_weights is None else (per_sample_weights,)
        in_order = all([a.strides[-1] == a.itemsize for a in (weight, *factors)])
        if padding_idx < 0 and weight.dtype != np.float64 and in_order:
            bag_of = bag_of[:0]
    kind = np.result_type(indices, offsets)
    return result, bag_of.astype(kind), sizes.astype(kind), largest.astype(kind)


def bags_of(indices: Array, offsets: Array, bags: int) -> Array:
    """The bag that each index is in. The last offset may be where the last bag ends; what comes after it is in no bag."""
    found = np.searchsorted(offsets, np.arange(indices.size), side="right") - 1
    return found[found < bags]


def embedding_bag_backward(
    grad: Array,
    indices: Array,
    offsets: Array,
    bag_of: Array,
    sizes: Array,
    largest: Array,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Array | None,
    padding_idx: int,
) -> Array:
    if mode == BAG_MAX:
        filled = np.flatnonzero(sizes)
        width = grad.shape[1]
        flat = np.zeros(num_weights * width, grad.dtype)
        np.add.at(flat, (largest[filled] * width + np.arange(width)).reshape(-1), grad[filled].reshape(-1))
        return flat.reshape(num_weights, width)
    if not bag_of.size:
        bag_of = bags_of(indices, offsets, len(grad))
    rows = grad[bag_of]
    if mode == BAG_MEAN:
        rows = rows / np.maximum(sizes, 1)[bag_of][:, None].astype(grad.dtype)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1)[: bag_of.size, None]
    padding_idx += num_weights if padding_idx < -1 else 0
    backward = embedding_sparse_backward if sparse else embedding_dense_backward
    return backward(rows, indices[: bag_of.size], num_weights, padding_idx, scale_grad_by_freq)


def embedding_bag_weights_backward(
    grad: Array, weight: Array, indices: Array, offsets: Array, bag_of: Array, padding_idx: int
) -> Array:
    """How the result changes with the weight of each sample: the products of its row with the gradient of its bag."""
    if not bag_of.size:
        bag_of = bags_of(indices, offsets, len(grad))
    found = np.einsum("ij,ij->i", grad[bag_of], weight.take(indices[: bag_of.size], 0))
    return np.where(indices[: bag_of.size] == padding_idx, np.zeros((), grad.dtype), found)


def no_derivative(name: str) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


# Dropout -----------------------------------------------------------------------------------------------------------------------


def native_dropout(a: Array, p: float, train: bool | None) -> tuple:
    """The input with some elements set to zero and the others scaled up; and which are left."""
    if not a.size:
        return a.copy(), empty_like(a)  # PyTorch looks at the dtype of the mask only later
    mask = empty_like(a, np.dtype(bool))
    if train is not False and a.dtype.kind in "iub":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {scalar_name(a)}")
    if train is False:
        mask[...] = True
        return a.copy(), mask
    bernoulli_p_(mask, 1 - p)
    return a * mask * a.dtype.type(dropout_scale(p, train)), mask


def dropout_scale(p: float, train: bool | None) -> float:
    return 1.0 if train is False else 0.0 if p == 1 else 1 / (1 - p)


# Attention ---------------------------------------------------------------------------------------------------------------------


@in_float32
def safe_softmax(a: Array, dim: int) -> Array:
    """The softmax; zeros, not nan, where everything is masked out."""
    only_floating("softmax_lastdim_kernel_impl", a)
    largest = np.maximum.reduce(a, dim, keepdims=True)
    shares = np.exp(a - np.where(np.isneginf(largest), np.zeros((), a.dtype), largest))
    total = np.add.reduce(shares, dim, keepdims=True)
    np.copyto(total, 1, where=total == 0)
    shares /= total
    return shares


def attention_scores(
    query: Array, key: Array, is_causal: bool, attn_mask: Array | None, scale: float | None
) -> Array:
    """The products of queries and keys, masked, of which the softmax is taken."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = np.matmul(query, np.swapaxes(key, -1, -2))
    scores *= scores.dtype.type(factor)
    if attn_mask is not None:
        if attn_mask.dtype.kind == "b":
            scores = np.where(attn_mask, scores, -np.inf).astype(scores.dtype, copy=False)
        else:
            scores += attn_mask
    if is_causal:
        np.copyto(scores, -np.inf, where=np.tri(*scores.shape[-2:]) == 0)
    return scores


def for_each_head(query: Array, a: Array) -> Array:
    """Keys or values repeated where several heads of the query share one."""
    return a if a.shape[1] == query.shape[1] else np.repeat(a, query.shape[1] // a.shape[1], 1)


@in_float32
def flash_attention(
    query: Array,
    key: Array,
    value: Array,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Array | None,
    scale: float | None,
) -> tuple:
    """The values averaged by the softmax of the scores; and the logarithms of the sums that were divided by."""
    only_floating("scaled_dot_product_attention", query)
    key, value = for_each_head(query, key), for_each_head(query, value)
    scores = attention_scores(query, key, is_causal, attn_mask, scale)
    largest = np.maximum.reduce(scores, -1, keepdims=True)
    np.copyto(largest, 0, where=np.isneginf(largest))
    shares = np.exp(np.subtract(scores, largest, out=scores), out=scores)
    total = np.add.reduce(shares, -1, keepdims=True)
    logs = np.empty((scores.shape[0], scores.shape[2], scores.shape[1]), scores.dtype)  # PyTorch's layout
    logs = np.swapaxes(logs, 1, 2)
    np.add(np.log(total)[..., 0], largest[..., 0], out=logs)
    np.copyto(total, 1, where=total == 0)
    shares /= total
    return like(query, np.matmul(shares, value)), logs


def flash_attention_backward(
    grad: Array,
    query: Array,
    key: Array,
    value: Array,
    output: Array,
    logsumexp: Array,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Array | None,
    scale: float | None,
) -> tuple:
    given = query.dtype
    if given == np.float16:
        grad, query, key, value, output, logsumexp = (
            a.astype(np.float32) for a in (grad, query, key, value, output, logsumexp)
        )
    heads, key, value = key.shape[1], for_each_head(query, key), for_each_head(query, value)
    factor = grad.dtype.type(1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    logs = np.where(np.isneginf(logsumexp), np.zeros((), grad.dtype), logsumexp)[..., None]
    shares = attention_scores(query, key, is_causal, attn_mask, scale)
    shares -= logs
    np.exp(shares, out=shares)
    by_value = np.matmul(np.swapaxes(shares, -1, -2), grad)
    by_scores = np.matmul(grad, np.swapaxes(value, -1, -2))
    by_scores -= np.einsum("...ij,...ij->...i", grad, output)[..., None]
    by_scores *= shares
    by_scores *= factor
    by_query, by_key = np.matmul(by_scores, key), np.matmul(np.swapaxes(by_scores, -1, -2), query)
    if heads != query.shape[1]:
        shared = (len(key), heads, -1, *key.shape[2:])
        by_key, by_value = (np.add.reduce(g.reshape(shared), 2) for g in (by_key, by_value))
    found = by_query, by_key, by_value
    return tuple([a.astype(given, copy=False) for a in found])
