"""The loss of connectionist temporal classification."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import composite, op
from jgrad.dispatch.options import INTERNAL
from jgrad.ops.by_name import mean, sum, where
from jgrad.ops.creation import full_like
from jgrad.tensor import Tensor, wrap

_CTC = "Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths"


@op(f"_ctc_loss({_CTC}, int blank, bool zero_infinity) -> (Tensor, Tensor)", **INTERNAL, kernel="ctc_loss_forward",
    node="CtcLossBackward0", constant="result1")  # fmt: skip
class _ctc_loss:
    """Minus the log-probability of each target, and the sums over alignments on the way."""

    log_probs = (
        lambda grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity: (
            ctc_loss_backward(
                grad,
                log_probs,
                targets,
                input_lengths,
                target_lengths,
                result0,
                result1,
                blank,
                zero_infinity,
            )
        )
    )


@op(f"_ctc_loss_backward(Tensor grad, {_CTC}, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity) -> Tensor",
    **INTERNAL, kernel="ctc_loss_backward", undifferentiable=True)  # fmt: skip
class ctc_loss_backward:
    """The gradient of ctc_loss."""


def lengths_of(name: str, lengths: Any) -> tuple:
    """Lengths as a tuple of integers, given so or as a tensor."""
    if not isinstance(lengths, Tensor):
        return tuple(lengths)
    if lengths._a.dtype.kind not in "iu":
        raise RuntimeError(f"{name} must be integral")
    return tuple(lengths._a.reshape(-1).tolist())


@composite(
    "ctc_loss(Tensor log_probs, Tensor targets, any input_lengths, any target_lengths, int blank=0, int reduction=0, "
    "bool zero_infinity=False) -> Tensor",
    forms="function",
)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step.
    All alignments count: after repeated classes are joined and blanks are left out, the target must remain."""
    counts = lengths_of("input_lengths", input_lengths), lengths_of("target_lengths", target_lengths)
    batched = log_probs._a.ndim == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
        targets = targets.unsqueeze(0) if targets._a.ndim == 1 else targets
    loss = _ctc_loss(log_probs, targets.to(log_probs.device), *counts, blank, zero_infinity)[0]
    if zero_infinity:
        loss = where(loss == math.inf, full_like(loss.detach(), 0.0), loss)
    if reduction == 1:
        sizes = wrap(_at_least_one(counts[1], loss._a.dtype)).to(loss.device)
        return mean(loss / sizes)
    if reduction == 2:
        return sum(loss)
    return loss if batched else loss.squeeze(0)


def _at_least_one(counts: tuple, dtype: Any) -> Any:
    import numpy as np

    return np.maximum(np.asarray(counts, dtype), 1)
