"""Sequences of different lengths in one tensor: padded to one length, or packed without the padding; `torch.nn.utils.rnn`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jgrad
from jgrad.tensor import Tensor


class PackedSequence_(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """Sequences step by step, the longest first: `batch_sizes` says how many of them are still going on at each step."""

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """These sequences in another dtype or on another device; the indices in their own dtype."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        return self._with(data, lambda indices: indices.to(data.device))

    def _with(self, data: Tensor, change: Callable[[Tensor], Tensor]) -> PackedSequence:
        """Sequences of other data, with these indices; the sizes stay on the CPU."""
        indices = [i if i is None else change(i) for i in (self.sorted_indices, self.unsorted_indices)]
        return PackedSequence(data, self.batch_sizes, *indices)

    def pin_memory(self) -> PackedSequence:
        """These sequences in memory that does not move."""
        return self._with(self.data.pin_memory(), lambda indices: indices.pin_memory())

    def cpu(self) -> PackedSequence:
        return self.to("cpu")

    def cuda(self, device: Any = None, non_blocking: bool = False) -> PackedSequence:
        return self.to("cuda" if device is None else device, non_blocking=non_blocking)

    def double(self) -> PackedSequence:
        return self.to(jgrad.float64)

    def float(self) -> PackedSequence:
        return self.to(jgrad.float32)

    def half(self) -> PackedSequence:
        return self.to(jgrad.float16)

    def bfloat16(self) -> PackedSequence:
        return self.to(jgrad.bfloat16)

    def long(self) -> PackedSequence:
        return self.to(jgrad.int64)

    def int(self) -> PackedSequence:
        return self.to(jgrad.int32)

    def short(self) -> PackedSequence:
        return self.to(jgrad.int16)

    def char(self) -> PackedSequence:
        return self.to(jgrad.int8)

    def byte(self) -> PackedSequence:
        return self.to(jgrad.uint8)

    @property
    def is_cuda(self) -> bool:
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes this one."""
    if permutation is None:
        return None
    result = jgrad.empty_like(permutation)
    return result.scatter_(0, permutation, jgrad.arange(permutation.numel(), device=permutation.device))


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Padded sequences, (time, batch, *) or with `batch_first` (batch, time, *), without the elements beyond their lengths.

    They must be sorted by falling length, unless `enforce_sorted` is False. Raises RuntimeError for lengths that don't fit.
    """
    sequences = input
    lengths = jgrad.as_tensor(
        lengths, dtype=jgrad.int64, device=None if isinstance(lengths, Tensor) else "cpu"
    )
    order = None
    if not enforce_sorted:
        lengths, order = jgrad.sort(lengths, descending=True)
        order = order.to(input.device)
        sequences = sequences.index_select(0 if batch_first else 1, order)
    if batch_first:
        sequences = sequences.transpose(0, 1)
    if not sequences.numel():
        raise RuntimeError("Cannot pack empty tensors.")
    batch = sequences.size(1)
    if lengths.ndim != 1 or lengths.is_cuda:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.ndim}D {lengths.device} Long tensor"
        )
    if lengths.numel() != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.numel()} (batch_size={batch})"
        )
    counts = lengths.tolist()
    if min(counts) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if any([a < b for a, b in itertools.pairwise(counts)]):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
            "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
        )
    if counts[0] > sequences.size(0):
        raise RuntimeError(f"a sequence of length {counts[0]} in a tensor of {sequences.size(0)} steps")
    sizes = [sum([n > step for n in counts]) for step in range(counts[0])]
    steps = [sequences[step, :size] for step, size in enumerate(sizes)]
    return PackedSequence(jgrad.cat(steps), jgrad.tensor(sizes, device="cpu"), order)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The sequences padded to one length, that of the longest or `total_length`, and their lengths."""
    sizes = sequence.batch_sizes.tolist()
    steps = len(sizes)
    if total_length is not None:
        if total_length < steps:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {steps}"
            )
        steps = total_length
    rest = sequence.data.shape[1:]
    padded = jgrad.full(
        (steps, sizes[0], *rest), padding_value, dtype=sequence.data.dtype, device=sequence.data.device
    )
    for step, part in enumerate(sequence.data.split(sizes)):
        padded[step, : sizes[step]] = part
    lengths = jgrad.tensor([sum([size > i for size in sizes]) for i in range(sizes[0])], device="cpu")
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences of different lengths in one tensor, (time, batch, *) or with `batch_first` (batch, time, *)."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    sequences = tuple(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest = max([s.size(0) for s in sequences])
    shape = (len(sequences), longest, *sequences[0].shape[1:])
    padded = jgrad.full(
        shape if batch_first else (longest, len(sequences), *shape[2:]),
        padding_value,
        dtype=sequences[0].dtype,
        device=sequences[0].device,
    )
    for i, s in enumerate(sequences):
        n = s.size(0)
        where = slice(0, n) if padding_side == "right" else slice(longest - n, longest)
        (padded[i] if batch_first else padded[:, i])[where].copy_(s)
    return padded


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded tensor, one by one."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [s[:n] for s, n in zip(padded_sequences, lengths.tolist(), strict=True)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Sequences of different lengths, packed."""
    lengths = jgrad.tensor([s.size(0) for s in sequences], device="cpu")
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed one, one by one."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
