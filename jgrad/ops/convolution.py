"""Convolutions, and the sliding windows they are made of."""

from __future__ import annotations

from typing import Any

from jgrad import warn
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.ops.by_name import conj, constant_pad_nd
from jgrad.ops.reshaping import expand
from jgrad.tensor import Tensor

GEOMETRY = "int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups"


@op(f"convolution(Tensor input, Tensor weight, Tensor? bias, {GEOMETRY}) -> Tensor", forms="function")
class convolution:
    """A convolution, or a transposed one, over any number of dimensions, with all arguments given. `conv1d`, `conv_transpose1d` and the like call it."""

    input = weight = bias = lambda grad, input, weight, stride, padding, dilation, transposed, output_padding, groups, output_mask: (
        only_needed(
            convolution_backward(
                grad, input, weight, stride, padding, dilation, transposed, output_padding, groups, output_mask
            ),
            output_mask,
        )
    )  # fmt: skip


@formula
def only_needed(gradients: tuple, output_mask: tuple) -> tuple:
    """The gradients that the mask asks for; None for the others."""
    return tuple([g if w else None for g, w in zip(gradients, output_mask, strict=True)])


@op(f"convolution_backward(Tensor grad_output, Tensor input, Tensor weight, {GEOMETRY}, bool[] output_mask)"
    " -> (Tensor, Tensor, Tensor)", node="ConvolutionBackwardBackward0", **INTERNAL)  # fmt: skip
class convolution_backward:
    """The gradients of input, weight and bias, empty where the mask does not ask for them: each a convolution (the last a sum)."""

    grad_output = input = weight = lambda grads, grad_output, input, weight, stride, padding, dilation, transposed, output_padding, groups, output_mask: (
        convolution_double_backward(
            grads, grad_output, input, weight, (stride, padding, dilation, transposed, output_padding, groups), output_mask
        )
    )  # fmt: skip


@formula
def convolution_double_backward(
    grads: Any, grad_output: Any, input: Any, weight: Any, geometry: tuple, output_mask: tuple
) -> tuple:
    """A convolution is linear in its input and in its weights, and so are its gradients."""
    # (In forward mode results that were not asked for have gradients too, as empty as they are.)
    of_input, of_weight, of_bias = [g if g is not None and 0 not in g.shape else None for g in grads]
    terms = []
    if output_mask[0]:
        if of_input is not None:
            terms.append(convolution(of_input, weight, None, *geometry))
        if of_weight is not None:
            terms.append(convolution(input, of_weight, None, *geometry))
        if of_bias is not None and grad_output.shape[1]:
            shape = (1, of_bias.shape[0]) + (1,) * (grad_output.ndim - 2)
            terms.append(expand(of_bias.reshape(shape), tuple(grad_output.shape)))
    total = None
    for term in terms:
        total = term if total is None else total + term
    of_input_too, of_weight_too = (
        output_mask[1] and of_weight is not None,
        output_mask[2] and of_input is not None,
    )
    return (
        total,
        convolution_input(grad_output, of_weight, tuple(input.shape), *geometry) if of_input_too else None,
        convolution_weight(grad_output, of_input, tuple(weight.shape), *geometry) if of_weight_too else None,
    )


@op(
    f"convolution_input(Tensor grad_output, Tensor weight, int[] input_shape, {GEOMETRY}) -> Tensor",
    node="ConvolutionBackwardBackward0",
    **INTERNAL,
)
class convolution_input:
    """The gradient of a convolution's input."""

    grad_output = lambda grad, weight, stride, padding, dilation, transposed, output_padding, groups: (
        convolution(grad, weight, None, stride, padding, dilation, transposed, output_padding, groups)
    )
    weight = lambda grad, grad_output, weight_shape, stride, padding, dilation, transposed, output_padding, groups: (
        convolution_weight(
            grad_output, grad, weight_shape, stride, padding, dilation, transposed, output_padding, groups
        )
    )  # fmt: skip


@op(
    f"convolution_weight(Tensor grad_output, Tensor input, int[] weight_shape, {GEOMETRY}) -> Tensor",
    node="ConvolutionBackwardBackward0",
    **INTERNAL,
)
class convolution_weight:
    """The gradient of a convolution's weights."""

    grad_output = lambda grad, input, stride, padding, dilation, transposed, output_padding, groups: (
        convolution(input, grad, None, stride, padding, dilation, transposed, output_padding, groups)
    )
    input = lambda grad, grad_output, input_shape, stride, padding, dilation, transposed, output_padding, groups: (
        convolution_input(
            grad_output, grad, input_shape, stride, padding, dilation, transposed, output_padding, groups
        )
    )  # fmt: skip


def _convolve(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    dim: int,
    name: str,
    output_padding: Any = None,
) -> Tensor:
    """A convolution (transposed, if there is an output padding) over `dim` dimensions, of one input or a batch of them."""
    ndim = input._a.ndim
    if ndim not in (dim + 1, dim + 2):
        raise RuntimeError(
            f"Expected {dim + 1}D (unbatched) or {dim + 2}D (batched) input to {name}, but got input of size: {list(input._a.shape)}"
        )
    if ndim == dim + 1:
        batch = _convolve(
            input.unsqueeze(0), weight, bias, stride, padding, dilation, groups, dim, name, output_padding
        )
        return batch.squeeze(0)
    stride, dilation = _each(stride, dim), _each(dilation, dim)
    if padding.__class__ is str:
        if groups <= 0:
            raise RuntimeError("non-positive groups is not supported")
        if weight._a.ndim < 3:
            raise RuntimeError("weight should have at least three dimensions")
        if padding == "valid":
            padding = 0
        elif padding == "same":
            input, padding = _same(input, weight, stride, dilation)
        else:
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        if bias is not None and groups == 1:  # PyTorch takes one of any dtype here
            bias = bias.to(input.dtype)
    padding, transposed = _each(padding, dim), output_padding is not None
    output_padding = _each(output_padding or 0, dim)
    geometry = stride, padding, dilation, transposed, output_padding, groups
    if input._a.dtype.kind == weight._a.dtype.kind == "c" and (bias is None or bias.is_complex()):
        return _complex(input, weight, bias, geometry)
    return convolution(input, weight, bias, *geometry)


@op(
    "_times_number(Tensor self, Number other) -> Tensor",
    promote="default",
    kernel="mul",
    node="MulBackward1",
    **INTERNAL,
)
class _times_number:
    """A product with a number that PyTorch does not make a tensor of."""

    self = lambda grad, other: grad * conj(other)


def _complex(input: Tensor, weight: Tensor, bias: Tensor | None, geometry: tuple) -> Tensor:
    """A convolution of complex numbers by three of real ones, as PyTorch computes it."""
    real = convolution(input.real, weight.real, None if bias is None else bias.real, *geometry)
    imaginary = convolution(input.imag, weight.imag, None, *geometry)
    both = convolution(
        input.real + input.imag,
        weight.real + weight.imag,
        None if bias is None else bias.real + bias.imag,
        *geometry,
    )
    return real - imaginary + _times_number(both - real - imaginary, 1j)


def _each(values: Any, dim: int) -> tuple:
    """One value for each dimension."""
    if values.__class__ is tuple:
        return values * dim if len(values) == 1 else values
    return (values,) * dim


def _same(input: Tensor, weight: Tensor, stride: tuple, dilation: tuple) -> tuple[Tensor, tuple]:
    """The padding that keeps the sizes; where it is odd, one element more is put behind."""
    shape, n = list(weight._a.shape), weight._a.ndim
    if n != input._a.ndim:
        raise RuntimeError(
            f"Expected {n}-dimensional input for {n}-dimensional weight{shape}, "
            f"but got {input._a.ndim}-dimensional input of size {list(input._a.shape)} instead"
        )
    if any([s != 1 for s in stride]):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    if len(dilation) != n - 2:
        raise RuntimeError(f"dilation cannot broadcast to {n - 2} dimensions")
    total = [d * (k - 1) for d, k in zip(dilation, weight._a.shape[2:], strict=True)]
    if any([t % 2 for t in total]):
        warn.once(
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created",
        )
        input = constant_pad_nd(input, tuple([n for t in reversed(total) for n in (0, t % 2)]))
    return input, tuple([t // 2 for t in total])


def _declare(dim: int) -> None:
    """conv1d, conv2d, conv3d and their transposes."""
    ints = f"int[{dim}]"
    image = ("row", "image", "volume")[dim - 1]

    def convolve(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):  # type: ignore[no-untyped-def]
        return _convolve(input, weight, bias, stride, padding, dilation, groups, dim, f"conv{dim}d")

    convolve.__doc__ = f"""A convolution: every window of each {image}, times the weights of each output channel and summed, plus a bias.
The weights are not turned around, so it is a cross-correlation."""
    for overload, padding in (("", f"{ints} padding=0"), (".padding", 'str padding="valid"')):
        composite(
            f"conv{dim}d{overload}(Tensor input, Tensor weight, Tensor? bias=None, {ints} stride=1, {padding}, "
            f"{ints} dilation=1, int groups=1) -> Tensor",
            forms="function",
        )(convolve)

    def transposed(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):  # type: ignore[no-untyped-def]
        name = f"conv_transpose{dim}d"
        return _convolve(input, weight, bias, stride, padding, dilation, groups, dim, name, output_padding)

    transposed.__doc__ = f"""A transposed convolution: every element of each {image}, times the weights, is spread over a window.
Where windows overlap, they are added.
It computes the gradient that `conv{dim}d` has for its input, and turns sizes back to those before `conv{dim}d`. It is not its inverse."""
    composite(
        f"conv_transpose{dim}d(Tensor input, Tensor weight, Tensor? bias=None, {ints} stride=1, {ints} padding=0, "
        f"{ints} output_padding=0, int groups=1, {ints} dilation=1) -> Tensor",
        forms="function",
    )(transposed)


for _dim in (1, 2, 3):
    _declare(_dim)


@op(
    "im2col(Tensor self, int[] kernel_size, int[] dilation, int[] padding, int[] stride) -> Tensor",
    node="Im2ColBackward0",
    **INTERNAL,
)
class im2col:
    """The elements of every window of an image, a window a column."""

    self = lambda grad, self_shape, kernel_size, dilation, padding, stride: col2im(
        grad, tuple(self_shape[-2:]), kernel_size, dilation, padding, stride
    )


@op(
    "col2im(Tensor self, int[] output_size, int[] kernel_size, int[] dilation, int[] padding, int[] stride) -> Tensor",
    node="Col2ImBackward0",
    **INTERNAL,
)
class col2im:
    """The image that columns add up to, each put where its window is."""

    self = lambda grad, kernel_size, dilation, padding, stride: im2col(
        grad, kernel_size, dilation, padding, stride
    )
