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
    """The elements along a dimension in order, and the places where they were. A nan is larger than every number.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to sort; negative numbers count from the last one
        descending: if True, the largest element comes first
        stable: if True, equal elements keep their order; else PyTorch's algorithm decides it. Tensors with more than 8192 elements are always
            sorted stably

    Returns a named tuple of two new tensors with the shape of `input`: `values`, and `indices` (int64) along the dimension. The gradient of each
    value goes back to the place it came from.

    >>> x = jgrad.tensor([3., 1., 2.], requires_grad=True)
    >>> values, indices = jgrad.sort(x)
    >>> indices
    tensor([1, 2, 0])
    >>> (values * jgrad.tensor([10., 20., 30.])).sum().backward()
    >>> x.grad
    tensor([30., 10., 20.])
    """

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
    """The indices that put the elements along a dimension in order. A nan is larger than every number.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to sort; negative numbers count from the last one
        descending: if True, the index of the largest element comes first
        stable: if True, equal elements keep their order; else PyTorch's algorithm decides it. Tensors with more than 8192 elements are always
            sorted stably

    Returns a new int64 tensor with the shape of `input`. Has no gradient.

    >>> x = jgrad.tensor([30, 10, 20])
    >>> i = jgrad.argsort(x)
    >>> i
    tensor([1, 2, 0])
    >>> x[i]
    tensor([10, 20, 30])
    """


@op("argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", batches="dim")
class argsort_plain:
    pass


@composite("msort(Tensor self) -> Tensor", forms="function method out")
def msort(input: Tensor) -> Tensor:
    """The elements in order along the first dimension.

    Args:
        input: a tensor with a real dtype

    Returns a new tensor with the shape of `input`. It is `jgrad.sort(input, dim=0).values`.

    >>> jgrad.msort(jgrad.tensor([[3, 1], [2, 5]]))
    tensor([[2, 1],
            [3, 5]])
    """
    return sort(input, 0, False)[0]


@op(
    "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    batches="dim",
    forms="function method out",
    gradient_writes=2,
)
class topk:
    """The `k` largest (or smallest) elements along a dimension, and the places where they were. A nan is larger than every number.

    Args:
        input: a tensor of any shape, with a real dtype
        k: how many elements to take, at most the size of the dimension
        dim: the dimension along which to choose; negative numbers count from the last one
        largest: if False, the smallest elements are chosen
        sorted: if True, the chosen elements come in order, the first of them first; else PyTorch's algorithm decides the order

    Returns a named tuple of two new tensors: `values`, and `indices` (int64) along the dimension. Both have `k` elements along it. If too
    many elements are equal, PyTorch's algorithm decides which of them are chosen. In tensors with more than 8192 elements they are the first
    ones, and always in order. Raises RuntimeError if `k` is too large.

    >>> values, indices = jgrad.topk(jgrad.tensor([3., 1., 2.]), 2)
    >>> values
    tensor([3., 2.])
    >>> indices
    tensor([0, 2])
    """

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
    """The `k`-th smallest element along a dimension, and the place where it was. A nan is larger than every number.

    Args:
        input: a tensor of any shape, with a real dtype
        k: which element: 1 for the smallest
        dim: the dimension along which to search; negative numbers count from the last one
        keepdim: if True, the dimension stays in the shape, with size 1

    Returns a named tuple of two new tensors, `values` and `indices` (int64), without the dimension. Of equal elements, PyTorch's algorithm
    decides which index is given. In tensors with more than 8192 elements it is the one that a stable sort puts at that
    place. Raises RuntimeError if `k` is smaller than 1, or larger than the size of the dimension.

    >>> value, index = jgrad.kthvalue(jgrad.tensor([3., 1., 2.]), 2)
    >>> value, index
    (tensor(2.), tensor(2))
    """

    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


# ----- Searching -----


@op("isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {out} instead")  # fmt: skip
class isin:
    """Whether each element is also among the elements of another tensor. A nan never is.

    Args:
        elements: a tensor of any shape, or a number
        element: the one element to look for, as a number
        test_elements: the elements among which to look, a tensor of any shape
        test_element: the one element among which to look, as a number
        assume_unique: True says that no element occurs twice in `elements` or in `test_elements`; if that is not true, the result may be wrong
        invert: if True, the answers are the opposite ones

    Returns a new bool tensor with the shape of `elements`; it has no dimensions for an `element`. Has no gradient.

    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.isin(x, jgrad.tensor([3, 1, 7]))
    tensor([ True, False,  True])
    """


@op("isin.Scalar_Tensor(Number element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {out} instead")  # fmt: skip
class isin_number:
    pass


@op("isin.Tensor_Scalar(Tensor elements, Number test_element, *, bool assume_unique=False, bool invert=False) -> Tensor",
    forms="function out",
    out_dtype="Expected out tensor to have dtype bool, but got {out} instead")  # fmt: skip
class isin_of_number:
    pass


@op("searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, "
    "Tensor? sorter=None) -> Tensor", forms="function out")  # fmt: skip
class searchsorted:
    """Where values belong in a sorted sequence: the index at which each value can be inserted so that the sequence stays sorted.

    Args:
        sorted_sequence: a vector in ascending order, or a tensor whose last dimension holds such vectors
        input: the values to look for: a tensor, or a number for a vector. It has the same first dimensions as `sorted_sequence` if that is no vector.
        out_int32: if True, the indices have dtype int32, else int64
        right: if True, a value belongs behind the elements that equal it, else before them
        side: "left" or "right", another way to say `right`; None leaves it to `right`
        sorter: the indices that would sort `sorted_sequence`; with it, the sequence need not be sorted

    Returns a new tensor with the shape of `input`. Has no gradient.

    >>> edges = jgrad.tensor([1, 3, 5])
    >>> jgrad.searchsorted(edges, jgrad.tensor([3, 4]))
    tensor([1, 2])
    >>> jgrad.searchsorted(edges, jgrad.tensor([3, 4]), right=True)
    tensor([2, 2])
    """


@op("searchsorted.Scalar(Tensor sorted_sequence, Number self, *, bool out_int32=False, bool right=False, str? side=None, "
    "Tensor? sorter=None) -> Tensor", forms="function out")  # fmt: skip
class searchsorted_number:
    pass


@op(
    "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    forms="function out",
)
class bucketize:
    """The number of the bucket into which each value falls. The buckets lie between neighbouring boundaries.

    Args:
        input: the values, a tensor of any shape, or a number
        boundaries: a vector in ascending order
        out_int32: if True, the numbers have dtype int32, else int64
        right: if False, a bucket contains its upper boundary; if True, its lower one

    Returns a new tensor with the shape of `input`. Values below the first boundary are in bucket 0, those above the last one in bucket
    `len(boundaries)`. Has no gradient.

    >>> boundaries = jgrad.tensor([1, 3, 5])
    >>> jgrad.bucketize(jgrad.tensor([0, 3, 9]), boundaries)
    tensor([0, 1, 3])
    >>> jgrad.bucketize(jgrad.tensor([0, 3, 9]), boundaries, right=True)
    tensor([0, 2, 3])
    """


@op(
    "bucketize.Scalar(Number self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    forms="function out",
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
    """The distinct elements in ascending order, or the distinct slices along a dimension.

    Args:
        input: a tensor of any shape
        sorted: has no effect: the result is always sorted
        return_inverse: if True, also give for each element its index in the result
        return_counts: if True, also give how often each distinct element occurs
        dim: the dimension whose slices are compared; None compares the elements of the flattened tensor

    Returns a new tensor. With `return_inverse` or `return_counts` it returns a tuple: the values, then the inverse, then the counts.
    No nan equals another one: each counts as distinct.
    Backward through it raises NotImplementedError.

    >>> values, inverse, counts = jgrad.unique(jgrad.tensor([3, 1, 3, 2]), return_inverse=True, return_counts=True)
    >>> values
    tensor([1, 2, 3])
    >>> inverse
    tensor([2, 0, 2, 1])
    >>> counts
    tensor([1, 1, 2])
    """
    if dim is None:
        results = _unique2(input, sorted, return_inverse, return_counts)
    else:
        results = unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _asked_for(results, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The first element of each run of equal elements, or the first slice of each run along a dimension.

    Args:
        input: a tensor of any shape
        return_inverse: if True, also give for each element the number of its run
        return_counts: if True, also give the length of each run
        dim: the dimension whose slices are compared; None compares the elements of the flattened tensor

    Returns a new tensor. With `return_inverse` or `return_counts` it returns a tuple: the values, then the inverse, then the counts.
    Backward through it raises NotImplementedError.

    >>> values, counts = jgrad.unique_consecutive(jgrad.tensor([1, 1, 2, 1]), return_counts=True)
    >>> values
    tensor([1, 2, 1])
    >>> counts
    tensor([2, 1, 1])
    """
    results = _unique_consecutive(input, return_inverse, return_counts, dim)
    return _asked_for(results, return_inverse, return_counts)


def _asked_for(results: tuple, return_inverse: bool, return_counts: bool) -> Any:
    values, inverse, counts = results
    chosen = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return chosen if len(chosen) > 1 else values


Tensor.unique = unique  # type: ignore[attr-defined]
Tensor.unique_consecutive = unique_consecutive  # type: ignore[attr-defined]
