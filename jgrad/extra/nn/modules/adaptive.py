"""A softmax for many classes of which few are frequent, and the linear map to classes with its loss in one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.container import ModuleList, Sequential
from jgrad.nn.modules.linear import Linear
from jgrad.nn.modules.loss import _WeightedLoss
from jgrad.nn.modules.module import Module
from jgrad.tensor import Tensor


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """A log softmax over many classes, sorted by how frequent they are, and its loss. Rare classes are in clusters, which take less work."""

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        increasing = all(a < b for a, b in pairwise([0, *cutoffs, n_classes]))
        if not increasing or any(int(c) != c for c in cutoffs):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        made = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for i, (first, end) in enumerate(pairwise(self.cutoffs)):
            between = int(in_features // div_value ** (i + 1))
            maps = (
                Linear(in_features, between, bias=False, **made),
                Linear(between, end - first, bias=False, **made),
            )
            self.tail.append(Sequential(*maps))

    def reset_parameters(self) -> None:
        """Set all weights to new random values."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """Compute the logarithms of the probabilities of the targets, and the loss."""
        _check_shapes(input_, target_)
        batched = target_.dim() > 0
        rows_in = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        output, in_head, found = rows_in.new_zeros(target.size(0)), target.new_empty(target.size(0)), 0
        for i, (first, end) in enumerate(pairwise([0, *self.cutoffs])):
            here = (target >= first) & (target < end)
            rows = here.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            if i == 0:
                in_head.index_copy_(0, rows, target[here])
            else:
                within = F.log_softmax(self.tail[i - 1](rows_in.index_select(0, rows)), dim=1)
                in_head.index_fill_(0, rows, self.shortlist_size + i - 1)
                output.index_copy_(0, rows, within.gather(1, (target[here] - first).unsqueeze(1)).squeeze(1))
            found += rows.numel()
        if found != target.size(0):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, {target.max().item()}] "
                "were found. "
            )
        output += F.log_softmax(self.head(rows_in), dim=1).gather(1, in_head.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _all_classes(self, input: Tensor, head_output: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes."""
        out = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        out[:, : self.shortlist_size] = head[:, : self.shortlist_size]
        for i, (first, end) in enumerate(pairwise(self.cutoffs)):
            within = F.log_softmax(self.tail[i](input), dim=1)
            out[:, first:end] = within + head[:, self.shortlist_size + i].unsqueeze(1)
        return out

    def log_prob(self, input: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes."""
        return self._all_classes(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most likely class of each row. It is `log_prob(input).argmax(1)`, but leaves out clusters that are not needed."""
        head_output = self.head(input)
        output = jgrad.argmax(head_output, dim=1)
        rare = output >= self.shortlist_size
        if not rare.any():
            return output
        if rare.all():
            return jgrad.argmax(self._all_classes(input, head_output), dim=1)
        output[rare] = jgrad.argmax(self._all_classes(input[rare], head_output[rare]), dim=1)
        return output


def _check_shapes(input: Tensor, target: Tensor) -> None:
    dims = target.dim()
    if dims > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if dims == 1 and input.size(0) != target.size(0):
        raise RuntimeError("Input and target should have the same size in the batch dimension.")
    if input.dim() != dims + 1:
        raise RuntimeError(
            f"{dims}D target tensor expects {dims + 1}D input tensors, but found inputs with size {input.size()}"
        )


class LinearCrossEntropyLoss(_WeightedLoss):
    """`CrossEntropyLoss` of the scores that a linear map gives, which is a part of this layer."""

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: Any = None,
    ) -> None:
        if weight is not None and weight.shape != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if label_smoothing < 0 or label_smoothing > 1.0:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        scores = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, scores, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        shape, bias = (self.num_classes, *self.out_features), self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.reshape((*shape, self.linear.in_features)),
            target,
            linear_bias=None if bias is None else bias.reshape(shape),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
            f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )


manual.attach(__name__)
