"""All parameters as one vector; `torch.nn.utils.convert_parameters`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Put the elements of all parameters into one vector, one parameter after the other."""
    return jgrad.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Set the data of parameters to the parts of a vector, one parameter after the other. It undoes `parameters_to_vector`."""
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


manual.attach(__name__)
