"""How operators along a dimension, products of matrices and masks run on a whole batch."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE
from jgrad.dispatch.batched import Batched, everywhere, tensors_among
from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy.shape import common_shape, wrap_dim
from jgrad.transforms.batching import (
    Result,
    aligned,
    dynamic,
    elementwise,
    results_of,
    rule,
    size_of_batch,
    way,
)

# Along a dimension ------------------------------------------------------------------------------------------------------------


@way("dim")
def along(overload: Any, values: list[Any]) -> list[Result] | None:
    """The same dimension one further back; where none is named the example is flattened."""
    params = {p.name: i for i, p in enumerate(overload.params)}
    at = params.get("dim", params.get("dims"))
    source: Batched = values[next(i for i in overload.tensor_indexes if isinstance(values[i], Batched))]
    ndim = source._a.ndim
    if not ndim:
        return None
    arguments = list(values)
    for i in overload.tensor_indexes:
        v = values[i]
        if isinstance(v, Batched):
            if v._a.ndim != ndim and overload.name not in ("gather", "select_backward", "slice_backward"):
                return None
            arguments[i] = everywhere(v, source)
    if overload.name in ("index_select", "index_fill") and values[params["index"]].bdim is not None:
        return None
    if overload.name in ("index_select", "index_fill"):
        arguments[params["index"]] = values[params["index"]].value
    for name in ("input_sizes", "shape"):  # of the gradient that is asked for
        if name in params:
            given = values[params[name]]
            if "dim" in params:
                arguments[at] = wrap_dim(values[at], len(given)) + 1  # type: ignore[index]
            arguments[params[name]] = (size_of_batch(values), *given)
            return results_of(overload.run(arguments), 0)
    dim = None if at is None else values[at]
    if dim is None or dim == () or dim == []:
        return whole(
            overload,
            arguments,
            ndim,
            bool(at is not None and "keepdim" in params and values[params["keepdim"]]),
        )
    if dim.__class__ is int:
        arguments[at] = wrap_dim(dim, ndim) + 1  # type: ignore[index]
    else:
        arguments[at] = tuple([wrap_dim(d, ndim) + 1 for d in dim])  # type: ignore[index]
    return results_of(overload.run(arguments), 0)


def whole(overload: Any, arguments: list[Any], ndim: int, keepdim: bool) -> list[Result] | None:
    """A reduction of all elements of an example."""
    front = arguments[0]
    name = {"max": "amax", "min": "amin"}.get(overload.name, overload.name)
    more: dict[str, Any] = {}
    for p, value in zip(overload.params[1:], arguments[1:], strict=True):
        if p.name not in ("dim", "keepdim") and value is not None:
            more[p.name] = FROM_NUMPY[value] if p.name == "dtype" else value
    if name in ("sum", "mean", "nansum", "amax", "amin", "all", "any"):
        return results_of(
            TABLE[name].function(front, dim=tuple(range(1, ndim + 1)), keepdim=keepdim, **more), 0
        )
    flat = front.reshape((front._a.shape[0], -1)) if front._a.size else None
    if flat is None or name in ("median", "nanmedian", "sort", "argsort"):
        return None
    result = TABLE[name].function(flat, dim=1, **more)
    if keepdim:
        result = result.reshape((front._a.shape[0], *(1,) * ndim))
    return results_of(result, 0)


# Joining ----------------------------------------------------------------------------------------------------------------------


@rule("cat", "stack")
def joined(overload: Any, values: list[Any]) -> list[Result] | None:
    """Along the same dimension, one further back."""
    tensors, dim = values
    if not all(t._a.ndim for t in tensors) and overload.name == "cat":
        return None
    ndim = tensors[0]._a.ndim + (overload.name == "stack")
    if len({t._a.ndim for t in tensors}) > 1:  # an empty tensor among others
        return None
    some = next(t for t in tensors if t.bdim is not None)
    parts = [everywhere(t, some) for t in tensors]
    return results_of(overload.run([parts, wrap_dim(dim, ndim) + 1]), 0)


# Matrices ---------------------------------------------------------------------------------------------------------------------


@rule("mm", "bmm")
def product(overload: Any, values: list[Any]) -> list[Result]:
    """A product of matrices, or of batches of them."""
    a, b = values
    shared_by_all = a.bdim is None and b.bdim is None
    a, b = aligned(values)
    return results_of(a.matmul(b), None if shared_by_all else 0)


@rule("mv")
def product_with_vector(overload: Any, values: list[Any]) -> list[Result]:
    """A matrix times a vector, as a matrix of one column."""
    matrix, vector = (v.value if v.bdim is None else v.front for v in values)
    shared_by_all = all(v.bdim is None for v in values)
    return results_of(matrix.matmul(vector.unsqueeze(-1)).squeeze(-1), None if shared_by_all else 0)


@rule("dot")
def product_of_vectors(overload: Any, values: list[Any]) -> list[Result]:
    """A row times a column."""
    a, b = (v.value if v.bdim is None else v.front for v in values)
    return results_of(a.unsqueeze(-2).matmul(b.unsqueeze(-1)).squeeze(-1).squeeze(-1), 0)


@rule("addmm", "addmv", "baddbmm")
def added_product(overload: Any, values: list[Any]) -> list[Result]:
    """`beta * base + alpha * (a @ b)`."""
    base, a, b, beta, alpha = values
    if overload.name == "addmv":
        ((result, bdim),) = product_with_vector(overload, [a, b])
    else:
        ((result, bdim),) = product(overload, [a, b])
    if alpha != 1:
        result = result * alpha
    if beta == 0:
        return [(result, bdim)]
    other = base.value
    if base.bdim is not None:
        other = base.front
        missing = result._a.ndim + (bdim is None) - other._a.ndim
        other = other.reshape((other._a.shape[0], *(1,) * missing, *other._a.shape[1:]))
    both_shared = bdim is None and base.bdim is None
    return results_of(result + (other * beta if beta != 1 else other), None if both_shared else 0)


@rule("linear")
def linear(overload: Any, values: list[Any]) -> list[Result] | None:
    """`source @ weight.T + bias`; of a weight and a bias that all examples share as an operation on more rows."""
    source, weight, bias = values
    if source._a.ndim == 0:
        return None
    if weight.bdim is None and (bias is None or bias.bdim is None):
        return results_of(overload.run([source.front, weight.value, None if bias is None else bias.value]), 0)
    a = source.value if source.bdim is None else source.front
    w = weight.value if weight.bdim is None else weight.front
    if source._a.ndim == 1:
        result = w.matmul(a.unsqueeze(-1)).squeeze(-1)
    else:
        if weight.bdim is not None:
            w = w.reshape((w._a.shape[0], *(1,) * (source._a.ndim - 2), *w._a.shape[1:]))
        result = a.matmul(w.mT)
    if bias is not None:
        (b,) = aligned([bias])
        if bias.bdim is not None:
            b = b.reshape((b._a.shape[0], *(1,) * (result._a.ndim - 2), b._a.shape[1]))
        result = result + b
    return results_of(result, 0)


@way("leading")
def leading(overload: Any, values: list[Any]) -> list[Result] | None:
    """An operator that takes any number of dimensions in front: the batch is one more."""
    some: Any = next(t for t in tensors_among(values) if t.bdim is not None)
    if any(t._a.ndim != some._a.ndim for t in tensors_among(values)):
        return None
    arguments = [everywhere(v, some) if isinstance(v, Batched) else v for v in values]
    # What is not asked for, such as singular vectors, is an empty tensor.
    size = some.front._a.shape[0]
    results = results_of(overload.run(arguments), 0)
    return [(t, bdim if t._a.shape[:1] == (size,) else None) for t, bdim in results]


# Masks ------------------------------------------------------------------------------------------------------------


@rule("masked_select")
def selected(overload: Any, values: list[Any]) -> list[Result]:
    """With one mask for all, as many elements of every example."""
    source, mask = values
    if mask.bdim is not None:
        raise RuntimeError(dynamic("masked_select"))
    shape = common_shape(source._a.shape, mask._a.shape)
    (front,) = aligned([source])
    missing = len(shape) - source._a.ndim
    front = front.reshape((front._a.shape[0], *(1,) * missing, *front._a.shape[1:]))
    flat = front.expand(front._a.shape[0], *shape).reshape((front._a.shape[0], -1))
    places = mask.value.expand(shape).reshape(-1).nonzero().squeeze(1)
    return results_of(flat.index_select(1, places), 0)


@rule("masked_fill")
def filled(overload: Any, values: list[Any]) -> list[Result] | None:
    """Element by element, unless each example has a number of its own to fill in."""
    return (
        None
        if isinstance(values[2], Batched) and values[2].bdim is not None
        else elementwise(overload, values)
    )
