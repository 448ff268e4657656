"""Datasets: what can be asked for its samples by number, or be gone through once; `torch.utils.data.dataset`."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator, Sequence, Sized
from typing import Any, Generic, Iterable, TypeVar, cast  # noqa: UP035  (a class can't be this Iterable and Generic)

from jgrad import manual
from jgrad.random import Generator, default_generator
from jgrad.tensor import Tensor
from jgrad.utils.data.sampler import permutation
from jgrad.warn import say

__all__ = [
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "StackDataset",
    "Subset",
    "TensorDataset",
    "random_split",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """Base class of data that is asked for one sample at a time, by its index."""

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    # There is no __len__ here: a class without one is how Python says that something has no length.

    def __add__(self, other: Dataset[T_co]) -> ConcatDataset[T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """Base class of data that can only be gone through from its beginning, such as lines that come from a stream."""

    def __add__(self, other: Dataset[T_co]) -> ChainDataset:  # type: ignore[override]
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Rows of tensors: sample i is the tuple of `tensor[i]` (views) of all tensors."""

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple([tensor[index] for tensor in self.tensors])  # type: ignore[index]

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset[Any]):
    """Datasets of one length side by side: sample i has sample i of each, as a tuple or, of keyword arguments, as a dictionary."""

    datasets: tuple | dict

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or"
                "``dict``- (via ``kwargs``) like input/output, but both types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        self._length = len(self._columns()[0])
        if any(len(dataset) != self._length for dataset in self._columns()):
            raise ValueError("Size mismatch between datasets")

    def _columns(self) -> list:
        return list(self.datasets.values() if isinstance(self.datasets, dict) else self.datasets)

    def _sample(self, parts: Iterable[Any]) -> Any:
        return (
            dict(zip(self.datasets, parts, strict=True)) if isinstance(self.datasets, dict) else tuple(parts)
        )

    def __getitem__(self, index: Any) -> Any:
        return self._sample([dataset[index] for dataset in self._columns()])

    def __getitems__(self, indices: list) -> list:
        columns = [_samples(dataset, indices) for dataset in self._columns()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(
                    f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(column)}"
                )
        return [self._sample(parts) for parts in zip(*columns, strict=True)]

    def __len__(self) -> int:
        return self._length


def _samples(dataset: Any, indices: list) -> Any:
    """Several samples of a dataset, at once if it can."""
    if callable(getattr(dataset, "__getitems__", None)):
        return dataset.__getitems__(indices)
    return [dataset[index] for index in indices]


class ConcatDataset(Dataset[T_co]):
    """Datasets one after the other."""

    datasets: list[Dataset[T_co]]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence: Iterable[Sized]) -> list[int]:
        """Where each of several datasets ends, if they lie one after the other."""
        return list(itertools.accumulate(len(part) for part in sequence))

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(cast(list[Sized], self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> T_co:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        number = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[number][idx - self.cumulative_sizes[number - 1] if number else idx]

    @property
    def cummulative_sizes(self) -> list[int]:
        """The old spelling of `cumulative_sizes`."""
        say("`cummulative_sizes` attribute is renamed to `cumulative_sizes`", FutureWarning)
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """IterableDatasets one after the other; the next is begun when the one before has ended."""

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = datasets

    def _checked(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._checked():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._checked())


class Subset(Dataset[T_co]):
    """The samples of a dataset at these indices."""

    dataset: Dataset[T_co]
    indices: Sequence[int]

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{cls.__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding __getitem__, you must "
                "also override __getitems__ to ensure DataLoader works correctly with your custom logic. A simple implementation:\n\n"
                "def __getitems__(self, indices):\n    return [self.__getitem__(idx) for idx in indices]"
            )

    def __getitem__(self, idx: Any) -> T_co:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[T_co]:
        if callable(getattr(self.dataset, "__getitems__", None)):
            return _samples(self.dataset, [self.indices[i] for i in indices])
        return [self.dataset[self.indices[i]] for i in indices]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[int | float], generator: Generator | None = default_generator
) -> list[Subset[Any]]:
    """Deal a dataset out at random: subsets of these lengths, which have no sample in common."""
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _lengths_of_fractions(len(dataset), lengths)
        for i, length in enumerate(lengths):
            if length == 0:
                say(f"Length of split at index {i} is 0. This might result in an empty dataset.")
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    counts = cast(Sequence[int], lengths)
    indices = permutation(sum(counts), generator)
    ends = itertools.accumulate(counts)
    return [Subset(dataset, indices[end - count : end]) for end, count in zip(ends, counts, strict=True)]


def _lengths_of_fractions(total: int, fractions: Sequence[float]) -> list[int]:
    for i, fraction in enumerate(fractions):
        if fraction < 0 or fraction > 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
    lengths = [math.floor(total * fraction) for fraction in fractions]
    for i in range(total - sum(lengths)):
        lengths[i % len(lengths)] += 1
    return lengths


manual.attach(__name__)
