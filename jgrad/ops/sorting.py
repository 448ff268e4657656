"""Sorting, selecting, searching, and distinct elements. nan is larger than every number."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.ops.by_name import value_selecting_reduction_backward
from jgrad.tensor import Tensor


@op("sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    kernel="sort_stable", node="SortBackward1", batches="dim", forms="function method out", gradient_writes=2)  # fmt: skip
class sort:
    """The elements along a dimension in order, and the places where they were. A nan is larger than every number."""

    self = lambda grad, self_shape, dim, indices: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, True
    )


@op("sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    node="SortBackward0", batches="dim", forms="function method out", gradient_writes=2)  # fmt: skip
class sort_plain:
    self = lambda grad, self_shape, dim, indices: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, True
    )


@op(
    "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
    kernel="argsort_stable",
    batches="dim",
)
class argsort:
    """The indices that put the elements along a dimension in order. A nan is larger than every number."""


@op("argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", batches="dim")
class argsort_plain:
    pass


@composite("msort(Tensor self) -> Tensor", forms="function method out")
def msort(input: Tensor) -> Tensor:
    """The elements in order along the first dimension."""
    return sort(input, 0, False)[0]


@op(
    "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    batches="dim",
    forms="function method out",
    gradient_writes=2,
)
class topk:
    """The `k` largest (or smallest) elements along a dimension, and the places where they were. A nan is larger than every number."""

    self = lambda grad, self_shape, dim, indices: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, True
    )


@op(
    "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    exclusive=True,
    batches="dim",
    forms="function method out",
    gradient_writes=2,
)
class kthvalue:
    """The `k`-th smallest element along a dimension, and the place where it was. A nan is larger than every number."""

    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


# ----- Searching -----


@op("isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {c_out} instead")  # fmt: skip
class isin:
    """Whether each element is also among the elements of another tensor. A nan never is."""


@op("isin.Scalar_Tensor(Number element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {c_out} instead")  # fmt: skip
class isin_number:
    pass


@op("isin.Tensor_Scalar(Tensor elements, Number test_element, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {c_out} instead")  # fmt: skip
class isin_of_number:
    pass


_POSITIONS = (
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag is "
    "True, but we got output tensor's dtype {out} and out_int32 flag is {of_32_bits}"
)


@op("searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, "
    "Tensor? sorter=None) -> Tensor", forms="function out", out_dtype=_POSITIONS)  # fmt: skip
class searchsorted:
    """Where values belong in a sorted sequence: the index at which each value can be inserted so that the sequence stays sorted."""


@op("searchsorted.Scalar(Tensor sorted_sequence, Number self, *, bool out_int32=False, bool right=False, str? side=None, "
    "Tensor? sorter=None) -> Tensor", forms="function out", out_dtype=_POSITIONS)  # fmt: skip
class searchsorted_number:
    pass


@op(
    "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    forms="function out",
    out_dtype=_POSITIONS,
)
class bucketize:
    """The number of the bucket into which each value falls. The buckets lie between neighbouring boundaries."""


@op(
    "bucketize.Scalar(Number self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    forms="function out",
    out_dtype=_POSITIONS,
)
class bucketize_number:
    pass


# ----- Distinct elements -----


@formula
def refuse_derivative(name: str) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


@op(
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    kernel="unique2",
    node="Unique2Backward0",
    batches="dynamic",
    **INTERNAL,
)
class _unique2:
    """The distinct elements in order, where among them each one is, and how many there are of each."""

    self = lambda grad: refuse_derivative("_unique2")


@op(
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    batches="dynamic",
    **INTERNAL,
)
class unique_dim:
    """The distinct slices along a dimension, likewise."""

    self = lambda grad: refuse_derivative("unique_dim")


@op(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
    batches="dynamic",
    **INTERNAL,
)
class _unique_consecutive:
    """The first of each run of equal elements (slices), likewise."""

    self = lambda grad: refuse_derivative("unique_consecutive")


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements in ascending order, or the distinct slices along a dimension."""
    if dim is None:
        results = _unique2(input, sorted, return_inverse, return_counts)
    else:
        results = unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _asked_for(results, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The first element of each run of equal elements, or the first slice of each run along a dimension."""
    results = _unique_consecutive(input, return_inverse, return_counts, dim)
    return _asked_for(results, return_inverse, return_counts)


def _asked_for(results: tuple, return_inverse: bool, return_counts: bool) -> Any:
    values, inverse, counts = results
    chosen = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return chosen if len(chosen) > 1 else values


Tensor.unique = unique  # type: ignore[attr-defined]
Tensor.unique_consecutive = unique_consecutive  # type: ignore[attr-defined]
