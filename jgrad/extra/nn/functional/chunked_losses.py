"""The cross entropy of the scores of a linear map, a chunk of rows at a time: the scores of all rows never exist at once.

With `reduction='mean'` or `'sum'` the gradients are computed together with the loss, and the backward pass multiplies them by the incoming gradient.
With `'none'` each row has an incoming gradient of its own, so the backward pass computes the scores again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jgrad
from jgrad import dtypes
from jgrad.autograd import Function
from jgrad.tensor import Tensor


class Problem(NamedTuple):
    """The tensors and settings of a call."""

    input: Tensor
    linear_weight: Tensor
    target: Tensor
    linear_bias: Tensor | None
    weight: Tensor | None
    reduction: str
    ignore_index: int
    options: Any  # LinearCrossEntropyOptions with nothing left to choose

    @property
    def dtype(self) -> Any:
        """The dtype in which scores are computed."""
        return self.options.acc_dtype

    def check(self) -> None:
        """Refuse intermediate results of a dtype that PyTorch refuses."""
        given = self.input.dtype
        if given is not self.dtype and not (
            given in (dtypes.float16, dtypes.bfloat16) and self.dtype is dtypes.float32
        ):
            raise RuntimeError(
                f"linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got {self.dtype} acc_dtype and {given} "
                "inputs."
            )

    def counted(self) -> tuple[Tensor, Tensor]:
        """The targets with a valid index for those that are ignored, and what each row counts in the loss."""
        ignored = self.target == self.ignore_index
        target = self.target
        if not 0 <= self.ignore_index < self.linear_weight.size(0):
            target = jgrad.where(ignored, 0, target)
        if self.weight is None:
            counts = (~ignored).to(self.dtype)
        else:
            counts = jgrad.where(ignored, 0, self.weight.index_select(0, target).to(self.dtype))
        if self.reduction == "mean":
            total = counts.sum()
            counts = counts / jgrad.where(total == 0, jgrad.nan, total)
        return target, counts

    def chunks(self, target: Tensor, counts: Tensor) -> Iterator[Chunk]:
        """The parts of the rows, each with its scores."""
        narrow = self.input.dtype is not self.dtype
        matrix = self.linear_weight.to(self.dtype) if narrow else self.linear_weight
        bias = self.linear_bias
        size = self.options.batch_chunk_size
        for start in range(0, self.input.size(0), size):
            rows = slice(start, start + size)
            vectors = self.input[rows].to(self.dtype)
            scores = jgrad.mm(vectors, matrix.t())
            if bias is not None:
                scores += bias.to(scores.dtype)
            scores -= scores.amax(1, keepdim=True)
            yield Chunk(rows, vectors, target[rows], counts[rows], scores, matrix)


class Chunk(NamedTuple):
    """A part of the rows."""

    rows: slice
    vectors: Tensor
    target: Tensor
    counts: Tensor
    scores: Tensor  # the largest of each row is 0
    matrix: Tensor

    def of_targets(self) -> Tensor:
        """The scores of the targets."""
        return self.scores.gather(1, self.target.unsqueeze(1)).squeeze(1)


class Gradients:
    """The gradients that are wanted: of the input, the matrix and the bias; each None if it is not."""

    def __init__(self, problem: Problem, needed: Sequence[bool]) -> None:
        matrix = problem.linear_weight
        shapes = (problem.input.shape, matrix.shape, matrix.shape[:1])
        self.input, self.matrix, self.bias = [
            jgrad.zeros(shape, dtype=problem.input.dtype, device=problem.input.device) if wanted else None
            for shape, wanted in zip(shapes, needed, strict=True)
        ]

    def add(self, chunk: Chunk, probabilities: Tensor) -> None:
        """Add those of a chunk: what its scores get is `probabilities` less 1 at the targets, times what each row counts."""
        scores_grad = probabilities * chunk.counts.unsqueeze(1)
        scores_grad.scatter_add_(1, chunk.target.unsqueeze(1), -chunk.counts.unsqueeze(1))
        if self.bias is not None:
            self.bias += scores_grad.sum(0).to(self.bias.dtype)
        if self.input is not None:
            self.input[chunk.rows] = scores_grad @ chunk.matrix
        if self.matrix is not None:
            self.matrix += (scores_grad.t() @ chunk.vectors).to(self.matrix.dtype)

    def times(self, factor: Tensor, in_place: bool) -> list[Tensor | None]:
        """What backward returns for input, matrix, target and bias."""
        found = [
            None if g is None else g.mul_(factor) if in_place else g * factor
            for g in (self.input, self.matrix, self.bias)
        ]
        return [*found[:2], None, found[2]]


def summed(problem: Problem, needed: Sequence[bool]) -> tuple[Tensor, Gradients]:
    """The sum or mean of the losses of the rows, and the gradients that are wanted."""
    problem.check()
    target, counts = problem.counted()
    gradients = Gradients(problem, needed)
    # PyTorch sums in bfloat16, but not in float16, whose range is too small.
    of_sum = dtypes.bfloat16 if problem.input.dtype is dtypes.bfloat16 else problem.dtype
    start = jgrad.nan if problem.reduction == "mean" and not problem.input.size(0) else 0.0
    loss = jgrad.full((), start, dtype=of_sum, device=problem.input.device)
    for chunk in problem.chunks(target, counts):
        loss -= chunk.counts.dot(chunk.of_targets().to(chunk.counts.dtype))
        exponentials = chunk.scores.exp_()
        totals = exponentials.sum(1, dtype=problem.dtype)
        loss += chunk.counts.to(totals.dtype).dot(totals.log())
        if any(needed):
            gradients.add(chunk, exponentials / totals.unsqueeze(1))
    return loss.to(problem.input.dtype), gradients


def each(problem: Problem) -> Tensor:
    """The losses of the rows."""
    problem.check()
    target, counts = problem.counted()
    losses = jgrad.empty(problem.input.shape[:1], dtype=problem.input.dtype, device=problem.input.device)
    for chunk in problem.chunks(target, counts):
        of_targets = chunk.of_targets()
        totals = chunk.scores.exp_().sum(1, dtype=problem.dtype)
        losses[chunk.rows] = (totals.log() - of_targets.to(totals.dtype)) * chunk.counts.to(totals.dtype)
    return losses


def each_backward(problem: Problem, grad: Tensor, needed: Sequence[bool]) -> list[Tensor | None]:
    """The gradients where each row has an incoming gradient."""
    target, counts = problem.counted()
    gradients = Gradients(problem, needed)
    for chunk in problem.chunks(target, counts * grad.to(counts.dtype)):
        gradients.add(chunk, chunk.scores.softmax(1))
    return gradients.times(jgrad.ones((), dtype=problem.input.dtype, device=grad.device), in_place=True)


class NoSecond(Function):
    """A gradient as it is. Whoever asks for its derivative by the tensors that it was computed from gets an error; PyTorch gives a wrong one."""

    @staticmethod
    def forward(ctx: Any, gradient: Tensor, *causes: Tensor) -> Tensor:
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if any(ctx.needs_input_grad[1:]):
            raise RuntimeError("linear_cross_entropy with options can be differentiated only once.")
        return (grad, *[None] * (len(ctx.needs_input_grad) - 1))


def once(gradients: list[Tensor | None], causes: Sequence[Tensor | None]) -> list[Tensor | None]:
    """What backward returns, where it is recorded without a second derivative."""
    if not jgrad.is_grad_enabled():
        return gradients
    tensors = [t for t in causes if t is not None]
    return [g if g is None else NoSecond.apply(g, *tensors) for g in gradients]


class SummedLoss(Function):
    """The sum or mean. Its gradients wait for the backward pass, which uses them up unless they are to be kept."""

    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        *of_problem, needed = arguments
        problem = Problem(*of_problem)
        loss, ctx.gradients = summed(problem, needed)
        ctx.keeps = problem.options.allow_retain_graph
        ctx.causes = (problem.input, problem.linear_weight, problem.linear_bias)
        return loss

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        gradients = ctx.gradients
        if gradients is None:
            raise RuntimeError(
                "linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not supported."
            )
        if not ctx.keeps:
            ctx.gradients = None
        return (*once(gradients.times(grad, in_place=not ctx.keeps), ctx.causes), *[None] * 5)


class LossOfEach(Function):
    """The losses of the rows. The backward pass computes the scores again, so it saves what `forward` got."""

    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        ctx.save_for_backward(*[t if t is None else t.detach() for t in arguments[:5]])
        ctx.settings = arguments[5:]
        ctx.causes = (arguments[0], arguments[1], arguments[3])
        return each(Problem(*arguments))

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if grad.requires_grad and jgrad.is_grad_enabled():
            raise RuntimeError(  # PyTorch's words
                "div(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
            )
        needed = ctx.needs_input_grad
        problem = Problem(*ctx.saved_tensors, *ctx.settings)
        with jgrad.autocast(grad.device.type, enabled=False):
            gradients = each_backward(problem, grad, (needed[0], needed[1], needed[3]))
        return (*once(gradients, ctx.causes), *[None] * 4)


# The nodes have PyTorch's names.
SummedLoss._backward_cls.__name__ = (
    "GeneratedBackwardFor_torch_nn__linear_cross_entropy_batch_chunked_defaultBackward"
)
LossOfEach._backward_cls.__name__ = (
    "GeneratedBackwardFor_torch_nn__linear_cross_entropy_batch_chunked_no_reduction_defaultBackward"
)


def chunked_linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    linear_bias: Tensor | None,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    options: Any,
) -> Tensor:
    """`linear_cross_entropy` of class numbers, in the chunks that the options say."""
    one = input.dim() == 1
    vectors, targets = (input.unsqueeze(0), target.unsqueeze(0)) if one else (input, target)
    options = options._adjust(*vectors.shape, linear_weight.size(0), input.dtype)
    arguments = (vectors, linear_weight, targets, linear_bias, weight, reduction, ignore_index, options)
    # The whole is one operator in PyTorch, which autocast leaves as it is.
    with jgrad.autocast(input.device.type, enabled=False):
        if reduction == "none":
            losses = LossOfEach.apply(*arguments)
        else:
            recorded = jgrad.is_grad_enabled()
            needed = [
                t is not None and recorded and t.requires_grad for t in (vectors, linear_weight, linear_bias)
            ]
            losses = SummedLoss.apply(*arguments, needed)
    return losses.squeeze(0) if one else losses
