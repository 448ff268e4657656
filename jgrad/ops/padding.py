"""Padding: the last dimensions made larger (or, with negative numbers, smaller) at their ends."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.kernels.numpy import pad_sides
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor


@op("constant_pad_nd(Tensor self, int[] pad, Number value=0) -> Tensor", forms="function", batches="leading")
class constant_pad_nd:
    """The tensor with some of its last dimensions made longer at both ends, where a constant is put."""

    self = lambda grad, pad: constant_pad_nd(grad, negated(pad), 0)


@formula
def negated(pad: tuple) -> tuple:
    return tuple([-p for p in pad])


# The gradients of paddings, by the number of dimensions that were padded.
REFLECTED: dict[int, Any] = {}
REPLICATED: dict[int, Any] = {}
BACKWARD = "backward(Tensor grad_output, Tensor self, int[] padding) -> Tensor"
for _n in (1, 2, 3):

    @op(
        f"reflection_pad{_n}d_{BACKWARD}",
        kernel="reflection_pad_backward",
        node=f"ReflectionPad{_n}DBackwardBackward0",
        batches="images",
        **INTERNAL,
    )
    class reflected_backward:
        """Gradients of mirrored elements, added to what they mirror."""

        grad_output = lambda grad, padding: reflection_pad(grad, padding)
        self = lambda self: zeros_like(self)

    @op(
        f"replication_pad{_n}d_{BACKWARD}",
        kernel="replication_pad_backward",
        node=f"ReplicationPad{_n}DBackwardBackward0",
        batches="images",
        **INTERNAL,
    )
    class replicated_backward:
        """Gradients of repeated elements, added to what they repeat."""

        grad_output = lambda grad, padding: replication_pad(grad, padding)
        self = lambda self: zeros_like(self)

    REFLECTED[_n], REPLICATED[_n] = reflected_backward, replicated_backward


def reflection_pad_backward(grad: Tensor, input: Tensor, padding: tuple) -> Tensor:
    return REFLECTED[len(padding) // 2](grad, input, padding)


def replication_pad_backward(grad: Tensor, input: Tensor, padding: tuple) -> Tensor:
    return REPLICATED[len(padding) // 2](grad, input, padding)


@op(
    "reflection_pad1d(Tensor self, int[] padding) -> Tensor",
    kernel="reflection_pad",
    node="ReflectionPad1DBackward0",
    batches="images",
    **INTERNAL,
)
class reflection_pad1d:
    """The last dimension made longer with its elements mirrored at the ends. The end element itself is not repeated."""

    self = lambda grad, self, padding: reflection_pad_backward(grad, self, padding)


@op(
    "reflection_pad2d(Tensor self, int[] padding) -> Tensor",
    kernel="reflection_pad",
    node="ReflectionPad2DBackward0",
    batches="images",
    **INTERNAL,
)
class reflection_pad2d:
    """The last two dimensions made longer with their elements mirrored at the ends. The end elements themselves are not repeated."""

    self = lambda grad, self, padding: reflection_pad_backward(grad, self, padding)


@op(
    "reflection_pad3d(Tensor self, int[] padding) -> Tensor",
    kernel="reflection_pad",
    node="ReflectionPad3DBackward0",
    batches="images",
    **INTERNAL,
)
class reflection_pad3d:
    """The last three dimensions made longer with their elements mirrored at the ends. The end elements themselves are not repeated."""

    self = lambda grad, self, padding: reflection_pad_backward(grad, self, padding)


@op(
    "replication_pad1d(Tensor self, int[] padding) -> Tensor",
    kernel="replication_pad",
    node="ReplicationPad1DBackward0",
    batches="images",
    **INTERNAL,
)
class replication_pad1d:
    """The last dimension made longer by repeating its end elements."""

    self = lambda grad, self, padding: replication_pad_backward(grad, self, padding)


@op(
    "replication_pad2d(Tensor self, int[] padding) -> Tensor",
    kernel="replication_pad",
    node="ReplicationPad2DBackward0",
    batches="images",
    **INTERNAL,
)
class replication_pad2d:
    """The last two dimensions made longer by repeating their end elements."""

    self = lambda grad, self, padding: replication_pad_backward(grad, self, padding)


@op(
    "replication_pad3d(Tensor self, int[] padding) -> Tensor",
    kernel="replication_pad",
    node="ReplicationPad3DBackward0",
    batches="images",
    **INTERNAL,
)
class replication_pad3d:
    """The last three dimensions made longer by repeating their end elements."""

    self = lambda grad, self, padding: replication_pad_backward(grad, self, padding)


def reflection_pad(input: Tensor, padding: tuple) -> Tensor:
    return (reflection_pad1d, reflection_pad2d, reflection_pad3d)[len(padding) // 2 - 1](input, padding)


def replication_pad(input: Tensor, padding: tuple) -> Tensor:
    return (replication_pad1d, replication_pad2d, replication_pad3d)[len(padding) // 2 - 1](input, padding)


def circular_pad(input: Tensor, padding: tuple) -> Tensor:
    """The last dimensions made longer at each end with the elements of the other end. They are written piece by piece, as PyTorch does it."""
    sides = pad_sides(input._a.ndim, padding)
    sizes = []
    for size, (before, after) in zip(input._a.shape, sides, strict=True):
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if size + before + after < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        sizes.append(size + before + after)
    result = input.new_empty(sizes)
    target, source = result, input
    dims = range(input._a.ndim - len(padding) // 2, input._a.ndim)
    for dim in dims:
        before, after = sides[dim]
        target = target._slice(dim, max(before, 0), sizes[dim] - max(after, 0), 1)
        source = source._slice(dim, max(-before, 0), input._a.shape[dim] - max(-after, 0), 1)
    target.copy_(source)
    for dim in reversed(dims):
        before, after = (max(n, 0) for n in sides[dim])
        start, end = before, sizes[dim] - after
        while start < end and (start > 0 or end < sizes[dim]):
            # Mostly once; again where more is needed than there is, since the other side was cropped.
            n, m = min(start, end - start), min(sizes[dim] - end, end - start)
            if n:
                result._slice(dim, start - n, start, 1).copy_(result._slice(dim, end - n, end, 1))
            if m:
                result._slice(dim, end, end + m, 1).copy_(result._slice(dim, start, start + m, 1))
            start, end = start - n, end + m
    return result


@composite('pad(Tensor self, int[] pad, str mode="constant", float? value=None) -> Tensor', **INTERNAL)
def pad(input: Tensor, pad: tuple, mode: str = "constant", value: float | None = None) -> Tensor:
    """The last dimensions made longer at their ends: with a constant, with mirrored elements, with the end element, or with the other end."""
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    pad_sides(input._a.ndim, pad)  # refuses what no padding takes
    pads = {"reflect": reflection_pad, "replicate": replication_pad, "circular": circular_pad}
    if mode not in pads:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    n = len(pad) // 2
    if n not in (1, 2, 3) or input._a.ndim not in (n + 1, n + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input._a.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    return pads[mode](input, pad)
