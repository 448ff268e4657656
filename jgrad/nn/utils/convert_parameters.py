"""All parameters as one vector; `torch.nn.utils.convert_parameters`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jgrad
from jgrad.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Put the elements of all parameters into one vector, one parameter after the other.

    Args:
        parameters: an iterable of tensors; each must be contiguous, otherwise RuntimeError is raised

    Returns a new tensor of one dimension. Gradients pass through it to the parameters.

    >>> model = jgrad.nn.Linear(3, 2)
    >>> jgrad.nn.utils.parameters_to_vector(model.parameters()).shape  # 2 * 3 weights and 2 biases
    jgrad.Size([8])
    """
    return jgrad.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Set the data of parameters to the parts of a vector, one parameter after the other. It undoes `parameters_to_vector`.

    Args:
        vec: a tensor of one dimension
        parameters: an iterable of tensors whose data are replaced; together they have at most as many elements as `vec`

    The parameters then share the memory of `vec`.

    >>> model = jgrad.nn.Linear(2, 1)
    >>> jgrad.nn.utils.vector_to_parameters(jgrad.tensor([1., 2., 3.]), model.parameters())
    >>> model.weight, model.bias
    (Parameter containing:
    tensor([[1., 2.]], requires_grad=True), Parameter containing:
    tensor([3.], requires_grad=True))
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_name(vec)}")
    start = 0
    for parameter in parameters:
        part = vec[start : start + parameter.numel()]
        parameter.data = part.view_as(parameter).data
        start += parameter.numel()


def _name(value: Any) -> str:
    from jgrad.ops.constructors import typename

    return typename(value)
