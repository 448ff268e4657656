"""Which variables belong together. A notebook may hold optimizers and models of other sections, of which an answer must not speak."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from jgrad.tensor import Tensor
from jgrad.tracing.explain.traces import Recorded


def are_related(
    name: str,
    tensors: Iterable[Tensor],
    other: str,
    others: Iterable[Tensor],
    traces: Sequence[Recorded],
    cells: Mapping[int, str],
) -> bool:
    """Whether two variables, in which these tensors are, were used together: a trace has tensors of both, or a cell mentions both names. True if no
    cell is known."""
    if not any(cells.values()) or any(_both_named(name, other, source) for source in cells.values()):
        return True
    ours, theirs = [*tensors], [*others]
    return any(_has(trace, ours) and _has(trace, theirs) for trace in traces)


def _both_named(name: str, other: str, source: str) -> bool:
    return all(re.search(rf"(?<![\w.]){re.escape(root(n))}\b", source) for n in (name, other))


def root(name: str) -> str:
    """The variable of `net.fc.weight` or `xs[0]`."""
    return re.split(r"[.\[(]", name)[0]


def _has(trace: Recorded, tensors: Iterable[Tensor]) -> bool:
    return any(trace.number_of(tensor) is not None for tensor in tensors)
