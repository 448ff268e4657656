"""What users can do with the graph: `torch.autograd.graph`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jgrad import manual, observer
from jgrad.autograd.function import BackwardCFunction
from jgrad.autograd.multi_grad_hooks import register_multi_grad_hook
from jgrad.autograd.saved_tensors import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from jgrad.graph.node import GradientEdge, Node, accumulator_of
from jgrad.graph.view import bump, edge_to
from jgrad.tensor import Tensor


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The place in the graph where the gradient of a tensor arrives."""
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    edge = edge_to(tensor)
    if edge is None:  # a view of a leaf, made under no_grad
        raise AssertionError("Expected gradient function to be set")
    node: Any = accumulator_of(edge) if isinstance(edge, Tensor) else tensor.grad_fn
    # PyTorch needs a second node to keep that of a Function alive.
    token = tensor.view_as(tensor).grad_fn if isinstance(node, BackwardCFunction) else None
    return GradientEdge(node, tensor.output_nr, token)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to tensors that autograd could not see, such as one by another library to the shared memory."""
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    try:
        tensors = iter(tensor)
    except TypeError:
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input") from None
    for t in tensors:
        if not isinstance(t, Tensor):
            raise RuntimeError("increment_version expects each element of the iterable to be a tensor")
        bump(t)
        if (watch := observer.current) is not None:
            watch.op("increment_version", "view", (t,), (t,), None, {})


__all__ = [
    "disable_saved_tensors_hooks",
    "save_on_cpu",
    "saved_tensors_hooks",
    "allow_mutation_on_saved_tensors",
    "GradientEdge",
    "Node",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
]


manual.attach(__name__)
