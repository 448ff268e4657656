"""The gradients of convolutions for their input and their weights, by themselves; `torch.nn.grad`."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.numpy.convolution import checked_convolution
from jgrad.loading import public
from jgrad.ops.convolution import _each, convolution_backward
from jgrad.tensor import Tensor


def _gradient(
    number: int, grad_output: Tensor, input: Tensor, weight: Tensor, dim: int, geometry: tuple, groups: int
) -> Tensor:
    stride, padding, dilation = [_each(tuple(v) if isinstance(v, list) else v, dim) for v in geometry]
    arrays = [(t._a.shape, t._a.dtype) for t in (input, weight)]
    sizes = checked_convolution(*arrays, None, stride, padding, dilation, False, (0,) * dim, groups)[3]
    expected = (input._a.shape[0], weight._a.shape[0], *sizes)
    if grad_output._a.shape != expected:
        raise RuntimeError(
            f"Expected grad_output of size {list(expected)}, but got {list(grad_output._a.shape)}"
        )
    mask = (number == 0, number == 1, False)
    return convolution_backward(
        grad_output, input, weight, stride, padding, dilation, False, (0,) * dim, groups, mask
    )[number]


_MANUAL = """The gradient of `conv{dim}d` for its {of}, by itself. It is recorded, so that it has derivatives too.

Args:
    {of}_size: the shape of the {of}
    {other}: the {other} of the convolution
    grad_output: the gradient for its result
    stride, padding, dilation, groups: as those of the convolution

>>> jgrad.nn.grad.conv{dim}d_{of}({given}).sum()
tensor({total}.)
"""


def _declare(dim: int) -> None:
    """conv1d_input, conv1d_weight and those of other dimensions."""

    def of_input(
        input_size: Any, weight: Tensor, grad_output: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Tensor:  # fmt: skip
        any_input = grad_output.new_empty(1).expand(input_size)
        return _gradient(0, grad_output, any_input, weight, dim, (stride, padding, dilation), groups)

    def of_weight(
        input: Tensor, weight_size: Any, grad_output: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Tensor:  # fmt: skip
        any_weight = grad_output.new_empty(1).expand(weight_size)
        return _gradient(1, grad_output, input, any_weight, dim, (stride, padding, dilation), groups)

    large, small = f"1, 1{', 3' * dim}", f"1, 1{', 2' * dim}"
    for function, of in ((of_input, "input"), (of_weight, "weight")):
        function.__name__ = function.__qualname__ = f"conv{dim}d_{of}"
        function.__module__ = public(__name__)
        given = f"({large}), jgrad.ones({small})" if of == "input" else f"jgrad.ones({large}), ({small})"
        other = "weight" if of == "input" else "input"
        function.__doc__ = _MANUAL.format(
            dim=dim, of=of, other=other, given=f"{given}, jgrad.ones({small})", total=4**dim
        )
        globals()[function.__name__] = function


for _dim in (1, 2, 3):
    _declare(_dim)
