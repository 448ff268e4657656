"""Counts and histograms."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, op
from jgrad.dispatch.options import INTERNAL
from jgrad.return_types import named
from jgrad.tensor import Tensor


@op(
    "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
    undifferentiable=True,
    batches="dynamic",
)
class bincount:
    """How often each of the integers 0, 1, 2, ... occurs; with weights, the sum of the weights of each.

    Args:
        input: a vector of integers that are not negative
        weights: a tensor with the shape of `input`: how much each element counts; None means 1
        minlength: the result has at least this many elements

    Returns a new vector, whose element i belongs to the integer i. Its dtype is int64 without weights; float32 weights give float32, others
    float64. Has no gradient. Raises RuntimeError for negative numbers.

    >>> x = jgrad.tensor([0, 2, 2])
    >>> jgrad.bincount(x)
    tensor([1, 0, 2])
    >>> jgrad.bincount(x, weights=jgrad.tensor([0.5, 1., 1.]))
    tensor([0.5000, 0.0000, 2.0000])
    """


@op("histc(Tensor self, int bins=100, Number min=0, Number max=0) -> Tensor", forms="function method out")
class histc:
    """How many elements fall into each of some bins of equal width.

    Args:
        input: a tensor of any shape, with a floating dtype
        bins: how many bins
        min: the lower end of the first bin
        max: the upper end of the last bin; if it equals `min`, the ends are the smallest and the largest element

    Returns a new vector with the counts, in the dtype of `input`. Elements outside the ends are not counted. Has no gradient.

    >>> jgrad.histc(jgrad.tensor([1., 2., 1., 9.]), bins=4, min=0, max=4)
    tensor([0., 2., 1., 0.])
    """


@op(
    "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
    forms="function method out", kernel="histogram_bins", undifferentiable=True,
)  # fmt: skip
class histogram:
    """How many elements fall into each bin, or how much weight; and the edges of the bins.

    Args:
        input: a tensor of any shape, with a floating dtype
        bins: the number of bins of equal width, or a vector with the edges of the bins in ascending order
        range: the lower and the upper end of the bins, as a pair of floats, if `bins` is a number; None means the smallest and the largest element
        weight: a tensor with the shape of `input`: how much each element counts; None means 1
        density: if True, the counts are divided by their sum and by the widths of the bins, so that the histogram has the area 1

    Returns a named tuple of two new vectors: `hist`, and `bin_edges`, which has one element more. Elements outside are not counted. A bin contains
    its lower edge, and the last one also its upper edge. Has no gradient.

    >>> x = jgrad.tensor([1., 2., 1., 4.])
    >>> hist, edges = jgrad.histogram(x, bins=3, range=(0., 3.))
    >>> hist
    tensor([0., 2., 1.])
    >>> edges
    tensor([0., 1., 2., 3.])
    """


@op(
    "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> "
    "(Tensor hist, Tensor bin_edges)",
    forms="function method out", undifferentiable=True,
)  # fmt: skip
class histogram_of_equal_bins:
    pass


@op(
    "_histogramdd_counts(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]",
    kernel="histogramdd_counts_flat",
    undifferentiable=True,
    **INTERNAL,
)
class _histogramdd_counts:
    """The histogram and the edges of its equal bins."""


@op(
    "_histogramdd_edges(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor",
    kernel="histogramdd_hist",
    undifferentiable=True,
    **INTERNAL,
)
class _histogramdd_edges:
    """The histogram with given edges."""


@composite(
    "histogramdd(Tensor self, any bins, float[]? range=None, Tensor? weight=None, bool density=False) -> any",
    forms="function",
)
def histogramdd(
    input: Tensor, bins: Any, range: tuple | None = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many points fall into each cell of a grid, or how much weight; and the edges of the cells.

    Args:
        input: the points: a matrix with a floating dtype, with a row for each point and a column for each dimension of the grid
        bins: how many cells of equal width there are along each dimension, one number or a list of one per dimension; or a list of vectors with
            the edges in ascending order
        range: the lower and the upper ends, for each dimension in turn, as one flat tuple of floats; None means the smallest and largest elements
        weight: a vector with a number for each point: how much it counts; None means 1
        density: if True, the counts are divided by their sum and by the sizes of the cells

    Returns a named tuple: `hist`, a new tensor with one dimension per column, and `bin_edges`, a tuple of vectors. Has no gradient.

    >>> points = jgrad.tensor([[0., 0.], [1., 1.], [1., 1.]])
    >>> hist, edges = jgrad.histogramdd(points, bins=2)
    >>> hist
    tensor([[1., 0.],
            [0., 2.]])
    >>> edges[0]
    tensor([0.0000, 0.5000, 1.0000])
    """
    if isinstance(bins, int):
        bins = (bins,) * (input._a.shape[-1] if input._a.ndim else 1)
    if isinstance(bins, (list, tuple)) and bins and all(isinstance(b, Tensor) for b in bins):
        hist, edges = _histogramdd_edges(input, list(bins), range, weight, density), tuple(bins)
    else:
        hist, *edges = _histogramdd_counts(input, bins, range, weight, density)
    return named("histogramdd", ("hist", "bin_edges"), (hist, tuple(edges)))
