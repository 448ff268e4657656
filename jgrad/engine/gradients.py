"""Gradients on their way: as raw arrays or as tensors, and in the shape and dtype of what they are for.

The backward pass sends raw arrays. If the computation of the gradients is recorded (`create_graph=True`), or runs under a transform, it sends
tensors. Both are a `Gradient` here. None stands for a gradient of zeros that was not computed.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import numpy as np

from jgrad.dtypes import FROM_NUMPY
from jgrad.graph.node import Node
from jgrad.graph.written import version_of
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.kernels.narrow import cast
from jgrad.kernels.numpy.shape import broadcast_error
from jgrad.tensor import UNSET, Tensor, _plain

Gradient: TypeAlias = Any  # a raw array or NumPy scalar, or a tensor, or None


# The two forms ----------------------------------------------------------------------------------------------------------------


def raw(grad: Gradient) -> Any:
    """The array of a gradient, or None."""
    return grad._a if isinstance(grad, Tensor) else None if grad is None else libraries.as_array(grad)


def as_tensor(grad: Gradient) -> Tensor | None:
    """A gradient as users get it: None, or a tensor that they may write to.

    The gradient with which the backward pass of a scalar begins is read-only, because all passes share it. So users get a copy of it.
    """
    if grad is None:
        return None
    array = raw(grad)
    if array.__class__ is np.ndarray:
        writeable = array.flags.writeable
    else:
        writeable = libraries.library_of(array).kernels.writeable(array)
    if not writeable:
        return _plain(unshared(array))
    if isinstance(grad, Tensor):
        return grad
    tensor, writes = _plain(array), version_of(array)
    if writes:
        tensor._vc = [writes]
    return tensor


def unshared(array: Any) -> Any:
    """A copy of an array. Elements that are one in memory stay one, as the gradient of a sum is in PyTorch, which refuses a write to it."""
    # (With the ellipsis what is taken of an array without dimensions is an array too.)
    once = array[(*[slice(0, 1) if step == 0 else slice(None) for step in array.strides], ...)]
    copy = once.copy()
    if once.shape == array.shape:
        return copy
    strides = tuple([step and own for step, own in zip(array.strides, copy.strides, strict=True)])
    return libraries.library_of(array).kernels.strided(copy, array.shape, strides)


def as_sent(result: Tensor | None, on_tensors: bool) -> Gradient:
    """The result of a user's hook or function, in the form in which the pass sends gradients."""
    return result if on_tensors or result is None else resolved(result._a)


# Shape and dtype --------------------------------------------------------------------------------------------------------------


def expected_by_leaf(leaf: Tensor, sender: Node) -> tuple[tuple[int, ...], np.dtype | None]:
    """Shape and dtype of a gradient that `sender` sends to a leaf; dtype None: any.

    A leaf may have got another shape or dtype since (`x.data = ...`): what counts is how it was when `sender` was made. A `grad_dtype`
    that the user set goes before the dtype.
    """
    rare = leaf._rare
    shape, dtype = leaf._a.shape, leaf._a.dtype
    if rare is None:
        return shape, dtype
    for number, *former in rare.former:
        if sender._seq < number:
            shape, dtype = former
            break
    return shape, dtype if rare.grad_dtype is UNSET else rare.grad_dtype and rare.grad_dtype.numpy


def fit(grad: Gradient, shape: tuple[int, ...], dtype: np.dtype | None, node: Node, index: int) -> Gradient:
    """A gradient in the shape and dtype (None: any) of the tensor that it is for.

    It is summed over the dimensions that were broadcast, and cast where dtypes were promoted. `node` returned it at position `index`;
    if the shapes have nothing to do with each other, the error names both.
    """
    array = grad._a if isinstance(grad, Tensor) else grad
    if array.shape != shape:
        if not expandable(shape, array.shape):
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {index} - got {list(array.shape)} but expected shape "
                f"compatible with {list(shape)}"
            )
        if isinstance(grad, Tensor):
            grad = grad.sum_to_size(shape)
        else:
            grad = libraries.library_of(grad).kernels.sum_to_size(grad, shape)
        array = grad._a if isinstance(grad, Tensor) else grad
    if dtype is not None and array.dtype != dtype:
        if array.dtype.kind == "c" and dtype.kind != "c":
            grad = grad.real
        grad = grad.to(FROM_NUMPY[dtype]) if isinstance(grad, Tensor) else cast(grad, dtype)
    return grad


def expandable(shape: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    """Whether broadcasting can turn `shape` into `larger`."""
    if len(shape) > len(larger):
        return False
    if larger[len(larger) - len(shape) :] == shape:
        return True
    return all([a == b or a == 1 for a, b in zip(reversed(shape), reversed(larger), strict=False)])


def materialized(node: Node, grads: list[Gradient], on_tensors: bool) -> list[Gradient]:
    """The gradients for the outputs of a node, with zeros for outputs that are not used."""
    found, arrays = list(grads), list(map(raw, grads))
    for nr, grad in enumerate(grads):
        if grad is None:
            shape, dtype = node.metadata_of(nr)
            zeros = libraries.library_among(arrays).np.zeros(shape, dtype)
            found[nr] = _plain(zeros) if on_tensors else zeros
    return found


def refuse_shapes(error: ValueError) -> None:
    """Raise PyTorch's error about shapes in place of NumPy's; return if `error` is about something else.

    The shapes of saved tensors fit when they are saved. But a hook for saved tensors may unpack a tensor of any shape.
    """
    if str(error).startswith("operands could not be broadcast"):
        shapes = re.findall(r"\(([\d,]*)\)", str(error))
        arrays = [np.broadcast_to(0, tuple(map(int, filter(None, s.split(","))))) for s in shapes]
        raise RuntimeError(broadcast_error(arrays)) from None
