"""The kernels on NumPy arrays: connectionist temporal classification. Part of `jgrad.kernels.numpy`.

Between, before and behind the labels of a target there may be blanks: its states are blank, label, blank, ..., blank. `log_alpha` sums what
leads to a state at a time, `log_beta` what leads from it to the end. All samples go together, step by step.
"""

from __future__ import annotations

import numpy as np

from jgrad.kernels.numpy.nn import only_floating
from jgrad.kernels.numpy.shape import Array


def check_ctc(
    log_probs: Array, targets: Array, input_lengths: tuple, target_lengths: tuple, blank: int
) -> None:
    only_floating("ctc_loss_cpu", log_probs, half=False)
    steps, samples, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != samples:
            raise RuntimeError(f"{name} must be of size batch_size")
    where = "(while checking arguments for ctc_loss_allocate_outputs)"
    longest = max(target_lengths, default=0)
    if targets.ndim == 1 and targets.size != sum(target_lengths):
        raise RuntimeError(
            f"Expected tensor to have size {sum(target_lengths)} at dimension 0, but got size {targets.size} for argument #2 'targets' {where}"
        )
    if targets.ndim == 2 and targets.shape[1] < longest:
        raise RuntimeError(
            f"Expected tensor to have size at least {longest} at dimension 1, but got size {targets.shape[1]} for argument #2 'targets' {where}"
        )
    for length in input_lengths:
        if length < 0:
            raise RuntimeError(
                f"Expected input_lengths to have value at least 0, but got value {length} {where}"
            )
        if length > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {length} {where}"
            )


def states_of(targets: Array, target_lengths: tuple, blank: int) -> tuple[Array, Array, Array]:
    """The classes of the states of each sample, which of them can be reached past a blank, and which exist."""
    samples, longest = len(target_lengths), max(target_lengths, default=0)
    states = np.full((samples, 2 * longest + 1), blank, np.int64)
    start = 0
    for n, length in enumerate(target_lengths):
        states[n, 1 : 2 * length : 2] = (
            targets[start : start + length] if targets.ndim == 1 else targets[n, :length]
        )
        start += length
    past_blank = np.zeros(states.shape, bool)
    past_blank[:, 2:] = (states[:, 2:] != blank) & (states[:, 2:] != states[:, :-2])
    exist = np.arange(states.shape[1]) <= 2 * np.asarray(target_lengths, np.int64)[:, None]
    return states, past_blank, exist


def advanced(alpha: Array, past_blank: Array) -> Array:
    """What reaches each state in the next step: from itself, from the one before, and past a blank. (The logarithm of a sum of
    exponentials, from the largest on; NumPy's logaddexp takes twice as long.)"""
    ways = np.full((3, *alpha.shape), -np.inf, alpha.dtype)
    ways[0], ways[1, :, 1:] = alpha, alpha[:, :-1]
    np.copyto(ways[2, :, 2:], alpha[:, :-2], where=past_blank[:, 2:])
    largest = np.maximum.reduce(ways, 0)
    largest[np.isneginf(largest)] = 0
    ways -= largest
    total = np.add.reduce(np.exp(ways, out=ways), 0)
    return np.log(total, out=total) + largest


def ctc_loss_forward(
    log_probs: Array,
    targets: Array,
    input_lengths: tuple,
    target_lengths: tuple,
    blank: int,
    zero_infinity: bool,
) -> tuple:
    """Minus the logarithm of the probability of each target; log_alpha."""
    check_ctc(log_probs, targets, input_lengths, target_lengths, blank)
    states, past_blank, exist = states_of(targets, target_lengths, blank)
    steps, samples, _ = log_probs.shape
    log_alpha = np.full((samples, steps, states.shape[1]), -np.inf, log_probs.dtype)
    lengths, last = np.asarray(input_lengths, np.int64), 2 * np.asarray(target_lengths, np.int64)
    rows = np.arange(samples)
    emitted = np.where(exist, log_probs[:, rows[:, None], states], -np.inf)
    for t in range(steps):
        if t == 0:
            log_alpha[:, 0, :2] = emitted[0, :, :2]
        else:
            log_alpha[:, t] = advanced(log_alpha[:, t - 1], past_blank) + emitted[t]
    log_alpha[lengths[:, None] <= np.arange(steps)] = -np.inf
    ends = (
        log_alpha[rows, np.maximum(lengths - 1, 0)]
        if steps
        else np.full(states.shape, -np.inf, log_probs.dtype)
    )
    before = np.where(last > 0, ends[rows, np.maximum(last - 1, 0)], -np.inf)
    loss = -np.logaddexp(ends[rows, last], before)
    loss = np.where(lengths == 0, np.where(last == 0, 0, np.inf), loss)
    return loss.astype(log_probs.dtype), log_alpha


def ctc_loss_backward(
    grad: Array,
    log_probs: Array,
    targets: Array,
    input_lengths: tuple,
    target_lengths: tuple,
    loss: Array,
    log_alpha: Array,
    blank: int,
    zero_infinity: bool,
) -> Array:
    """PyTorch takes it for granted that log_probs come from log_softmax, whose gradient goes through the term exp(log_probs)."""
    states, past_blank, exist = states_of(targets, target_lengths, blank)
    steps, samples, _ = log_probs.shape
    lengths, last = np.asarray(input_lengths, np.int64), 2 * np.asarray(target_lengths, np.int64)
    rows = np.arange(samples)
    # Backwards in time the states are passed in the opposite order.
    leap = np.zeros(states.shape, bool)
    leap[:, 2:] = past_blank[:, :1:-1]
    log_beta = np.full(states.shape, -np.inf, log_probs.dtype)
    final = (np.arange(states.shape[1]) == last[:, None]) | (np.arange(states.shape[1]) == last[:, None] - 1)
    there = log_probs[:, rows[:, None], states]
    emitted = np.where(exist, there, -np.inf)
    # The logarithms of the probabilities that a path of the target is there.
    passing = np.empty(there.shape, log_probs.dtype)
    for t in range(steps - 1, -1, -1):
        log_beta = advanced(log_beta[:, ::-1], leap)[:, ::-1] + emitted[t]
        ending = lengths == t + 1
        log_beta[ending] = np.where(final, emitted[t], -np.inf)[ending]
        passing[t] = log_alpha[:, t] + log_beta
    passing += loss[:, None]
    passing -= there
    # Where there are infinite numbers there is no gradient, in the other classes of the step neither.
    through = loss[:, None] - log_probs
    through -= through
    place = np.arange(steps)[:, None, None], rows[:, None], states
    np.add.at(through, place, np.exp(passing, out=passing))
    result = (np.exp(log_probs) - through) * grad[:, None]
    ignored = lengths <= np.arange(steps)[:, None]
    if zero_infinity:
        ignored = ignored | np.isinf(loss)
    result[ignored] = 0
    return result
