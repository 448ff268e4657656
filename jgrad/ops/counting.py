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
    """How often each of the integers 0, 1, 2, ... occurs; with weights, the sum of the weights of each."""


@op("histc(Tensor self, int bins=100, Number min=0, Number max=0) -> Tensor", forms="function method out")
class histc:
    """How many elements fall into each of some bins of equal width."""


_OF_HISTOGRAM = "torch.histogram: input tensor and {name} tensor should have the same dtype, but got input {c_result} and {name} {c_out}"


@op(
    "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
    forms="function method out", kernel="histogram_bins", undifferentiable=True, out_dtype=_OF_HISTOGRAM,
)  # fmt: skip
class histogram:
    """How many elements fall into each bin, or how much weight; and the edges of the bins."""


@op(
    "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> "
    "(Tensor hist, Tensor bin_edges)",
    forms="function method out",
    undifferentiable=True,
    out_dtype=_OF_HISTOGRAM,
)
class histogram_of_equal_bins:
    pass


@op(
    "_histogramdd_from_bin_cts(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]",
    kernel="histogramdd_counts_flat",
    undifferentiable=True,
    **INTERNAL,
)
class _histogramdd_from_bin_cts:
    """The histogram and the edges of its equal bins."""


@op(
    "_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor",
    kernel="histogramdd_hist",
    undifferentiable=True,
    **INTERNAL,
)
class _histogramdd_from_bin_tensors:
    """The histogram with given edges."""


@composite(
    "histogramdd(Tensor self, any bins, float[]? range=None, Tensor? weight=None, bool density=False) -> any",
    forms="function",
)
def histogramdd(
    input: Tensor, bins: Any, range: tuple | None = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many points fall into each cell of a grid, or how much weight; and the edges of the cells."""
    if isinstance(bins, int):
        bins = (bins,) * (input._a.shape[-1] if input._a.ndim else 1)
    if isinstance(bins, (list, tuple)) and bins and all(isinstance(b, Tensor) for b in bins):
        hist, edges = _histogramdd_from_bin_tensors(input, list(bins), range, weight, density), tuple(bins)
    else:
        hist, *edges = _histogramdd_from_bin_cts(input, bins, range, weight, density)
    return named("histogramdd", ("hist", "bin_edges"), (hist, tuple(edges)))
