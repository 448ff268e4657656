"""How an operation runs on a whole batch at once.

An operation gets `Batched` arguments of one level. What it does with them is decided by what kind of operation it is:

- a view: the same geometry in every example, so one strided view of the whole batch;
- element by element: the batch is one more dimension in front; so runs whatever promotes its operands;
- along a dimension: the same dimension, one further back;
- a product of matrices, a convolution, ...: a rule of its own below, named after the operator;
- anything else: example by example, and the results stacked.

The option `batches` of a declaration names one of the functions in `WAYS`; see `jgrad/dispatch/options.py`.

A rule gets the operation and its arguments and returns `(tensor, bdim)` per result. It works with public operations on the values, which may be
batched at a level further out, and which record themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.dispatch import TABLE
from jgrad.dtypes import FROM_NUMPY
from jgrad.graph.batched import Batched, batched, everywhere, example, tensors_among
from jgrad.graph.levels import Level
from jgrad.kernels.numpy.shape import common_shape, wrap_dim
from jgrad.ops.batched_draws import RANDOM
from jgrad.storage import offset_of
from jgrad.tensor import Tensor

RULES: dict[str, Callable] = {}  # by the name of an operator
WAYS: dict[str, Callable] = {}  # by the value of the option `batches`
Result = tuple[Tensor, int | None]


def rule(*names: str) -> Callable:
    """Declare how operations of these names run on a batch."""

    def declare(function: Callable) -> Callable:
        for name in names:
            RULES[name] = function
        return function

    return declare


def way(name: str) -> Callable:
    """Declare how operators run on a batch whose declaration has this value of `batches`."""

    def declare(function: Callable) -> Callable:
        WAYS[name] = function
        return function

    return declare


def compute(overload: Any, values: list[Any], out: Any, level: Level) -> tuple[Batched, ...]:
    """The results of an operation on lifted arguments."""
    __tracebackhide__ = True
    if out is not None:
        raise RuntimeError(
            f"Batching rule not implemented for aten::{overload.name}.out; the fallback path doesn't work on out= or view ops."
        )
    if overload.batches == "dynamic":
        raise RuntimeError(dynamic(overload.name))
    if any(p.kind == "Generator" for p in overload.params):
        results = draw(overload, values, level)
    elif all(t.bdim is None for t in tensors_among(values)):
        results = shared(overload, values)
    elif overload.view:
        results = geometry(overload, values)
    else:
        results = by_rule(overload, values) or one_by_one(overload, values, level)
    return tuple([batched(t, bdim, level) for t, bdim in results])


def by_rule(overload: Any, values: list[Any]) -> list[Result] | None:
    """The results by the rule for an operator, if it has one that applies to these arguments."""
    __tracebackhide__ = True
    if combines(overload):
        return elementwise(overload, values)
    run = RULES.get(overload.name) or WAYS.get(overload.batches)
    return None if run is None else run(overload, values)


def results_of(returned: Any, bdim: int | None) -> list[Result]:
    """What an operation returned, as results with the batch along this dimension."""
    return [(t, bdim) for t in (returned if isinstance(returned, (tuple, list)) else (returned,))]


def plain(values: list[Any]) -> list[Any]:
    """Arguments with every Batched replaced by its value."""

    def value(v: Any) -> Any:
        if v.__class__ is list or v.__class__ is tuple:
            return type(v)([value(x) for x in v])
        return v.value if isinstance(v, Batched) else v

    return [value(v) for v in values]


def shared(overload: Any, values: list[Any]) -> list[Result]:
    """No argument differs between the examples, so the result doesn't."""
    return results_of(overload.run(plain(values)), None)


# Views ------------------------------------------------------------------------------------------------------------------------


def geometry(overload: Any, values: list[Any]) -> list[Result]:
    """A view of every example, as one strided view of the batch."""
    __tracebackhide__ = True
    source: Batched = values[0]
    arguments = [v._a.view(np.ndarray) if isinstance(v, Tensor) else v for v in values]
    views = overload.compute(overload.kernel, arguments)
    front = source.front
    size, stride = front._a.shape[0], front._a.strides[0]
    results: list[Result] = []
    for view in views if isinstance(views, (tuple, list)) else (views,):
        if view.dtype != front._a.dtype:  # real numbers as complex ones, or the other way round
            return results_of(overload.run([front, *values[1:]]), 0)
        item = view.itemsize
        strides = [s // item for s in (stride, *view.strides)]
        if not size:
            results.append((front.new_zeros((0, *view.shape)), 0))
        else:
            results.append((front.as_strided((size, *view.shape), tuple(strides), offset_of(view)), 0))
    return results


def reshape_in_place(overload: Any, values: list[Any]) -> None:
    """`t_()` and its kin: the batch gets another geometry."""
    target: Batched = values[0]
    ((target.value, target.bdim),) = (
        geometry(overload, values) if target.bdim is not None else shared(overload, values)
    )
    target._a = example(target.value._a, target.bdim)


# Element by element -----------------------------------------------------------------------------------------------------------


def combines(overload: Any) -> bool:
    """Whether an operator combines the elements of operands that it promotes, and does no more than that."""
    return (
        overload.promote is not None
        and overload.tensor_list is None
        and overload.batches != "examples"
        and not any(p.name == "reduction" for p in overload.params)
    )


def aligned(values: list[Any]) -> list[Any]:
    """The values with the batch in front and as many dimensions as the longest example, so that they broadcast."""
    ndim = max(t._a.ndim for t in tensors_among(values))

    def align(v: Any) -> Any:
        if not isinstance(v, Batched):
            return v
        if v.bdim is None:
            return v.value
        front, missing = v.front, ndim - v._a.ndim
        shape = front._a.shape
        return front.reshape((shape[0], *(1,) * missing, *shape[1:])) if missing else front

    return [align(v) for v in values]


@way("elementwise")
def elementwise(overload: Any, values: list[Any]) -> list[Result]:
    """Aligned, and in the dtype that the examples promote to: a 0-d example gives way to others, a batch of them would not."""
    __tracebackhide__ = True
    operands = aligned(values)
    tensors = [(i, v) for i, v in enumerate(values) if isinstance(v, Batched) and i in overload.promoted]
    if overload.promote is not None and len({t._a.dtype for _, t in tensors}) > 1:
        common = dtypes.result_of([t._a.view(np.ndarray) for _, t in tensors])
        for i, _ in tensors:
            operands[i] = operands[i].to(common)
    return results_of(overload.run(operands), 0)


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


def size_of_batch(values: list[Any]) -> int:
    size = tensors_among(values)[0].level.size
    assert size is not None
    return size


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
    a, b = values
    shared_by_all = a.bdim is None and b.bdim is None
    a, b = aligned(values)
    return results_of(a.matmul(b), None if shared_by_all else 0)


@rule("mv")
def product_with_vector(overload: Any, values: list[Any]) -> list[Result]:
    matrix, vector = (v.value if v.bdim is None else v.front for v in values)
    shared_by_all = all(v.bdim is None for v in values)
    return results_of(matrix.matmul(vector.unsqueeze(-1)).squeeze(-1), None if shared_by_all else 0)


@rule("dot")
def product_of_vectors(overload: Any, values: list[Any]) -> list[Result]:
    a, b = (v.value if v.bdim is None else v.front for v in values)
    return results_of(a.unsqueeze(-2).matmul(b.unsqueeze(-1)).squeeze(-1).squeeze(-1), 0)


@rule("addmm", "addmv", "baddbmm")
def added_product(overload: Any, values: list[Any]) -> list[Result]:
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
    """What works on batches anyway: the batch in front."""
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
    return (
        None
        if isinstance(values[2], Batched) and values[2].bdim is not None
        else elementwise(overload, values)
    )


def dynamic(name: str) -> str:
    """PyTorch's words where the number of results would differ between the examples."""
    return (
        f"vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{name}. Please file an issue "
        "at https://github.com/pytorch/pytorch/issues if you need this feature."
    )


# Anything else ----------------------------------------------------------------------------------------------------------------


def nth(values: list[Any], n: int) -> list[Any]:
    """The arguments for one example."""

    def pick(v: Any) -> Any:
        if v.__class__ is list or v.__class__ is tuple:
            return type(v)([pick(x) for x in v])
        if not isinstance(v, Batched):
            return v
        return v.value if v.bdim is None else v.value.select(v.bdim, n)

    return [pick(v) for v in values]


def one_by_one(overload: Any, values: list[Any], level: Level) -> list[Result]:
    """Run the examples one after the other and stack what comes out."""
    __tracebackhide__ = True
    size = level.size
    assert size is not None
    if not size:
        return [(t.new_zeros((0, *t._a.shape)), 0) for t, _ in shared(overload, with_zeros(values))]
    found = []
    for n in range(size):
        returned = overload.run(nth(values, n))
        found.append(tuple(returned) if isinstance(returned, (tuple, list)) else (returned,))
    return [(TABLE["stack"].function(results), 0) for results in zip(*found, strict=True)]


def with_zeros(values: list[Any]) -> list[Any]:
    """Arguments for an example of zeros, where the batch has none."""

    def zeros(v: Any) -> Any:
        if v.__class__ is list or v.__class__ is tuple:
            return type(v)([zeros(x) for x in v])
        if isinstance(v, Batched) and v.bdim is not None:
            return batched(v.value.new_zeros(v._a.shape), None, v.level)
        return v

    return [zeros(v) for v in values]


# In place ---------------------------------------------------------------------------------------------------------------------


def write_to_shared(overload: Any, level: Level) -> str:
    """PyTorch's words where what is the same for all examples would have to become different."""
    if (overload.promote is not None and len(overload.tensor_indexes) < 3) or overload.name in (
        "copy_",
        "fill_",
    ):
        what, where, instead = "inplace arithmetic", "in a vmap", "inplace arithmetic"
    else:
        what = instead = f"aten::{overload.op.name}" + ("" if overload.writes else "_")
        where = f"at level {level.number}"
    return (
        f"vmap: {what}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more elements than "
        f"`self`. This happened due to `other` being vmapped over but `self` not being vmapped over {where}. Please try to use out-of-place "
        f"operators instead of {instead}. If said operator is being called inside the PyTorch framework, please file a bug report instead."
    )


def write(overload: Any, values: list[Any]) -> None:
    """Run an in-place operation on a batch; the first argument is the batch that is written to."""
    __tracebackhide__ = True
    target: Batched = values[0]
    others = tensors_among(values[1:])
    if target.bdim is None:
        if any(t.bdim is not None for t in others):
            raise RuntimeError(write_to_shared(overload, target.level))
        overload.run_inplace(plain(values))
        return
    if any(p.kind == "Generator" for p in overload.params):
        draw_into(overload, values)
    elif (
        all(t._a.ndim <= target._a.ndim for t in others)
        and not (overload.name == "masked_fill" and isinstance(values[2], Batched))
        and (overload.promote is not None or overload.batches == "elementwise")
    ):
        overload.run_inplace(aligned(values))
    else:
        for n in range(target.front._a.shape[0]):
            overload.run_inplace(nth(values, n))


# Random numbers ---------------------------------------------------------------------------------------------------------------


def draw(overload: Any, values: list[Any], level: Level) -> list[Result]:
    """Numbers for the whole batch, or for one example and shared by all."""
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    tensors = tensors_among(values)
    if level.randomness == "same":
        if any(t.bdim is not None for t in tensors):
            raise RuntimeError(
                "Vmap does not currently support same randomness with a batched tensor input. Please file an issue with functorch"
            )
        return shared(overload, values)
    repeated = [everywhere(v, v) if isinstance(v, Batched) else v for v in values]
    return results_of(overload.run(repeated), 0)


def draw_into(overload: Any, values: list[Any]) -> None:
    level = values[0].level
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    if level.randomness == "different":
        overload.run_inplace([values[0].front, *plain(values[1:])])
        return
    example = values[0].front.select(0, 0).clone()
    overload.run_inplace([example, *plain(values[1:])])
    values[0].front.copy_(example)
