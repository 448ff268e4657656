"""Samplers: the order in which the samples of a dataset are taken; `torch.utils.data.sampler`.

A sampler is iterated over once per epoch and gives indices, or lists of them. Random ones draw what PyTorch's draw, from the same
generators and at the same moments: so the order of an epoch and all that is drawn after it are the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import jgrad
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
    """Base class of samplers. A subclass defines `__iter__()`, and `__len__()` if the number of indices is known.

    >>> from jgrad.utils.data import DataLoader, Sampler
    >>> class Backwards(Sampler):
    ...     def __init__(self, data):
    ...         self.data = data
    ...     def __len__(self):
    ...         return len(self.data)
    ...     def __iter__(self):
    ...         return iter(range(len(self.data) - 1, -1, -1))
    >>> list(DataLoader("abc", sampler=Backwards("abc"), batch_size=2))
    [['c', 'b'], ['a']]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError

    # There is no __len__ here: a class without one is how Python says that something has no length.


class SequentialSampler(Sampler[int]):
    """The indices of a dataset in their order.

    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    data_source: Sized

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """The indices of a dataset in a random order, another one each time.

    Args:
        data_source: a dataset with a length
        replacement: draw each index from all of them, so that some come twice and others never
        num_samples: how many indices to give, `len(data_source)` if None; without replacement the order begins anew after all of them
        generator: where to draw from; None: from one that gets its seed from the default generator

    Raises TypeError if `replacement` is no bool, ValueError if there is nothing to sample.

    >>> import jgrad
    >>> list(RandomSampler("abcde", generator=jgrad.Generator().manual_seed(0)))
    [4, 0, 1, 3, 2]
    """

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
    """These indices in a random order, another one each time.

    >>> import jgrad
    >>> list(SubsetRandomSampler([10, 20, 30], generator=jgrad.Generator().manual_seed(0)))
    [30, 10, 20]
    """

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
    """Indices below `len(weights)`, drawn with probabilities in proportion to the weights.

    Args:
        weights: one number for each sample; they need not sum up to 1
        num_samples: how many indices to draw
        replacement: whether an index may come more than once
        generator: where to draw from, None for the default generator

    Raises ValueError for a `num_samples` that is no positive integer, a `replacement` that is no bool, or weights of more dimensions.

    >>> import jgrad
    >>> list(WeightedRandomSampler([0.1, 0.9, 0.0], 5, generator=jgrad.Generator().manual_seed(0)))
    [1, 1, 1, 1, 1]
    """

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
    """Lists of `batch_size` indices of another sampler (or any iterable); the last may be shorter, and is left out with `drop_last`.

    Raises ValueError for a `batch_size` that is no positive integer, or a `drop_last` that is no bool.

    >>> list(BatchSampler(SequentialSampler(range(5)), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

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
