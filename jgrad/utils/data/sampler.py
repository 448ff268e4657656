"""Samplers: the order in which the samples of a dataset are taken; `torch.utils.data.sampler`.

A sampler is iterated over once per epoch and gives indices, or lists of them. Random ones draw what PyTorch's draw, from the same
generators and at the same moments: so the order of an epoch and all that is drawn after it are the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import jgrad
from jgrad import manual
from jgrad.observer import unobserved
from jgrad.random import Generator
from jgrad.tensor import Tensor

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

T_co = TypeVar("T_co", covariant=True)


def drawn_seed(generator: Generator | None = None) -> int:
    """A random seed below 2**63, drawn as PyTorch draws it."""
    with unobserved():
        return jgrad.empty((), dtype=jgrad.int64).random_(generator=generator).item()


def permutation(n: int, generator: Generator | None) -> list[int]:
    """The numbers below n in a random order, drawn as PyTorch draws it."""
    with unobserved():
        return jgrad.randperm(n, generator=generator).tolist()


class Sampler(Generic[T_co]):
    """Base class of samplers. A subclass defines `__iter__()`, and `__len__()` if the number of indices is known."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError

    # There is no __len__ here: a class without one is how Python says that something has no length.


class SequentialSampler(Sampler[int]):
    """The indices of a dataset in their order."""

    data_source: Sized

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """The indices of a dataset in a random order, another one each time."""

    data_source: Sized
    replacement: bool

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={self.num_samples}"
            )

    @property
    def num_samples(self) -> int:
        """How many indices are given."""
        # Asked each time, as a dataset may grow.
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(drawn_seed())
        if self.replacement:
            # In PyTorch's portions, since a caller who stops early leaves the generator where they end.
            for _ in range(self.num_samples // 32):
                yield from _integers(n, 32, generator)
            yield from _integers(n, self.num_samples % 32, generator)
        else:
            for _ in range(self.num_samples // n):
                yield from permutation(n, generator)
            # PyTorch draws this one too when nothing of it is needed.
            yield from permutation(n, generator)[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


def _integers(n: int, count: int, generator: Generator) -> list[int]:
    with unobserved():
        return jgrad.randint(high=n, size=(count,), dtype=jgrad.int64, generator=generator).tolist()


class SubsetRandomSampler(Sampler[int]):
    """These indices in a random order, another one each time."""

    indices: Sequence[int]

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in permutation(len(self.indices), self.generator):
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices below `len(weights)`, drawn with probabilities in proportion to the weights."""

    weights: Tensor
    num_samples: int
    replacement: bool

    def __init__(
        self,
        weights: Sequence[float] | Tensor,
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        _check_positive("num_samples", num_samples)
        _check_bool("replacement", replacement)
        self.weights = jgrad.as_tensor(weights, dtype=jgrad.double)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        with unobserved():
            drawn = jgrad.multinomial(
                self.weights, self.num_samples, self.replacement, generator=self.generator
            ).tolist()
        yield from drawn

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` indices of another sampler (or any iterable); the last may be shorter, and is left out with `drop_last`."""

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        _check_positive("batch_size", batch_size)
        _check_bool("drop_last", drop_last)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        return (
            count // self.batch_size if self.drop_last else (count + self.batch_size - 1) // self.batch_size
        )


def _check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def _check_bool(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} should be a boolean value, but got {name}={value}")


manual.attach(__name__)
