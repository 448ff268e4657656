"""What the recorder reads of backward nodes: where they lead, what they save and their formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jgrad.dispatch.recorded import RecordedNode
from jgrad.graph.node import AccumulateGrad, Edge, Node
from jgrad.graph.view import CopySlices
from jgrad.kernels import libraries
from jgrad.tensor import Tensor
from jgrad.tracing.record.records import TensorRecord


def target_of(edge: Any) -> Any:
    """What an edge leads to: a node, or a leaf, which may stand for its AccumulateGrad; None if it leads nowhere."""
    if edge.__class__ is Edge:
        edge = edge.node
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


def unpacked(records: Iterable[TensorRecord], tensor: Tensor) -> TensorRecord | None:
    """The record of the result that `tensor` is, if a custom Function saved it: a saved result is handed out as a new object."""
    node = tensor._fn
    if node is None or tensor._view is not None:
        return None
    for record in records:
        if (
            record.fn == id(node)
            and (other := record()) is not None
            and other._fn is node
            and other._nr == tensor._nr
        ):
            return record
    return None


def written_part(node: Node, arrived: Any, sent: list[Any]) -> tuple[Any, list[Any]]:
    """The gradients that arrived at a node and that it sent; of a write to a part of a tensor, those of that part."""
    if node.__class__ is not CopySlices or node.complex_base or node.complex_slice or arrived is None:
        return arrived, sent

    def part(grad: Any) -> Any:
        return (
            None
            if grad is None
            else libraries.library_of(grad).kernels.extract_strided(grad, node.base, node.slice_)
        )

    return part(arrived), [part(sent[0]), *sent[1:]]


UNPLANNED: tuple = (None, None, (), (), False)
PLANS: dict[type, tuple] = {}


def plan_of(node: Node) -> tuple:
    """What nodes of a class have in common: name, formulas, and where they keep what they save: (name, slot, slot of the version) of
    arguments and, after their numbers, of results. At last whether `_saved` is to be asked instead: of mirrors of nodes of other libraries."""
    if hasattr(node, "_kept"):
        return (node.name(), formulas_of(node), (), (), True)
    if not isinstance(node, RecordedNode):
        return UNPLANNED
    results = [(i, name, f"s_{name}", f"v_{name}") for i, name in node.saved_results]
    return (
        node.name(),
        formulas_of(node),
        [(name, f"s_{name}", f"v_{name}") for name in node.saved_names],
        results,
        False,
    )


_formulas: dict[type, dict[str, str]] = {}


def formulas_of(node: Node) -> dict[str, str]:
    """The derivatives of a node as they were declared, by the names of its inputs; nodes of a class share the dictionary."""
    kind = node.__class__
    found = _formulas.get(kind)
    if found is None:
        found = node._formulas()
        if kind is not CopySlices:  # whose formulas depend on the write that it stands for
            _formulas[kind] = found
    return found
