"""How an operation runs on a whole batch at once.

An operation gets `Batched` arguments of one level. What it does with them is decided by what kind of operation it is:

- a view: the same geometry in every example, so one strided view of the whole batch;
- element by element: the batch is one more dimension in front; so runs whatever promotes its operands;
- along a dimension: the same dimension, one further back;
- a product of matrices, a convolution, ...: a rule named after the operator, in `batching_rules.py` or `batching_layers.py`;
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
from jgrad.dispatch.batched import Batched, batched, everywhere, example, tensors_among
from jgrad.graph import levels
from jgrad.graph.levels import Level
from jgrad.kernels.lazy import ON_MEMORY
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
    draws = any(p.kind == "Generator" for p in overload.params)
    if out is not None and draws:
        raise RuntimeError(
            "vmap: We do not support calling out variants of random operations inside of vmap. Please use non-out variants as a workaround"
        )
    if out is not None:
        raise RuntimeError(
            f"Batching rule not implemented for aten::{overload.name}.out; the fallback path doesn't work on out= or view ops."
        )
    if overload.batches == "dynamic":
        raise RuntimeError(dynamic(overload.name))
    if draws:
        with levels.suspended(level):
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


def dynamic(name: str) -> str:
    """PyTorch's words where the number of results would differ between the examples."""
    return (
        f"vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{name}. Please file an issue "
        "at https://github.com/pytorch/pytorch/issues if you need this feature."
    )


def size_of_batch(values: list[Any]) -> int:
    """The number of examples."""
    size = tensors_among(values)[0].level.size
    assert size is not None
    return size


# Views ------------------------------------------------------------------------------------------------------------------------


def geometry(overload: Any, values: list[Any]) -> list[Result]:
    """A view of every example, as one strided view of the batch."""
    __tracebackhide__ = True
    source: Batched = values[0]
    if overload.name in ON_MEMORY:
        return results_of(overload.run([source.front]), 0)
    arguments = [v._a.view(np.ndarray) if isinstance(v, Tensor) else v for v in values]
    views = overload.compute(overload.kernel, arguments)
    front = source.front
    size, stride = front._a.shape[0], front._a.strides[0]
    results: list[Result] = []
    for view in views if isinstance(views, (tuple, list)) else (views,):
        if view.dtype != front._a.dtype:  # real numbers as complex ones
            return results_of(overload.run([front, *values[1:]]), 0)
        item = view.itemsize
        strides = [s // item for s in (stride, *view.strides)]
        if not size:
            results.append((front.new_zeros((0, *view.shape)), 0))
        else:
            results.append((front.as_strided((size, *view.shape), tuple(strides), offset_of(view)), 0))
    return results


def reshape_in_place(overload: Any, values: list[Any]) -> None:
    """`t_()` and related operators: the batch gets another geometry."""
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
        with levels.suspended(target.level):
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


def check_shared_draw(level: Level) -> None:
    """Refuse to fill what is the same for all examples with numbers that are others for each."""
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    if level.randomness == "different":
        raise RuntimeError(
            "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same randomness. If this is "
            "necessary for your usage, please file an issue with functorch."
        )


def draw_into(overload: Any, values: list[Any]) -> None:
    """Fill a batch with random numbers: with others for each example, or with the same."""
    level = values[0].level
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    if level.randomness == "different":
        overload.run_inplace([values[0].front, *plain(values[1:])])
        return
    example = values[0].front.select(0, 0).clone()
    overload.run_inplace([example, *plain(values[1:])])
    values[0].front.copy_(example)
