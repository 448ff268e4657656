"""Random combinations of datasets, samplers and options give the same batches, errors and warnings as in PyTorch, and draw the same numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jgrad
from tests.utils.data.loading import shown_by

torch = pytest.importorskip("torch")


@dataclass(frozen=True)
class Plan:
    """What a program does."""

    seed: int
    dataset: str
    n: int
    sampler: str
    own_generator: bool
    options: dict[str, Any]
    epochs: int
    stops_after: int
    draws_in_loop: bool
    asks_length: bool


def dataset_of(library: Any, plan: Plan) -> Any:
    data, n = library.utils.data, plan.n

    class Drawn(data.Dataset):
        """Samples that draw from the generator of the process they are made in."""

        def __len__(self) -> int:
            return n

        def __getitem__(self, i: int) -> dict:
            return {"i": i, "drawn": library.rand(2), "name": str(i)}

    class Together(Drawn):
        def __getitems__(self, indices: list[int]) -> list:
            return [(i, library.randint(9, ())) for i in indices]

    class Stream(data.IterableDataset):
        def __iter__(self) -> Any:
            worker = data.get_worker_info()
            number = 0 if worker is None else worker.id
            return ((number, library.rand(1).item()) for _ in range(n - number))

    class Promising(Stream):
        def __len__(self) -> int:
            return n - n // 3

        def __str__(self) -> str:
            return "Promising()"

    tensors = data.TensorDataset(library.arange(2.0 * n).reshape(n, 2), library.arange(n))
    made = {
        "tensors": lambda: tensors,
        "subset": lambda: data.Subset(tensors, list(range(0, n, 2))),
        "stack": lambda: data.StackDataset(a=tensors, b=Together()),
        "joined": lambda: data.ConcatDataset([tensors, tensors]),
        "drawn": Drawn,
        "together": Together,
        "list": lambda: [float(i) for i in range(n)],
        "stream": Stream,
        "promising": Promising,
        "chained": lambda: Stream() + Stream(),
    }
    return made[plan.dataset]()


def sampler_of(library: Any, plan: Plan, generator: Any) -> Any:
    data, n = library.utils.data, plan.n
    if plan.dataset in ("stream", "promising", "chained") and plan.sampler != "list":
        return {}  # they take none, which "list" shows
    made = {
        "none": dict,
        "list": lambda: {"sampler": [0, n - 1, 0]},
        "replacement": lambda: {"sampler": data.RandomSampler(range(n), True, 2 * n, generator)},
        "more": lambda: {"sampler": data.RandomSampler(range(n), num_samples=n + 2)},
        "subset": lambda: {"sampler": data.SubsetRandomSampler(range(n // 2), generator)},
        "weighted": lambda: {"sampler": data.WeightedRandomSampler([1.0 + i for i in range(n)], n)},
        "distributed": lambda: {"sampler": data.DistributedSampler(range(n), 2, 1)},
        "batches": lambda: {"batch_sampler": data.BatchSampler(data.RandomSampler(range(n)), 2, False)},
    }
    return made[plan.sampler]()


def load(library: Any, show: Any, plan: Plan) -> None:
    generator = library.Generator().manual_seed(plan.seed + 1) if plan.own_generator else None
    samplers = sampler_of(library, plan, generator)
    loader = library.utils.data.DataLoader(
        dataset_of(library, plan), generator=generator, **samplers, **plan.options
    )
    if plan.asks_length:
        try:
            show("length", len(loader))
        except TypeError as error:
            show(str(error))
    for _ in range(plan.epochs):
        for number, batch in enumerate(loader):
            show(batch)
            if plan.draws_in_loop:
                show(library.rand(1))
            if number == plan.stops_after:
                break
    if generator is not None:
        show(generator.get_state())


OPTIONS = {
    "batch_size": st.sampled_from([None, 1, 2, 3, 5]),
    "shuffle": st.sampled_from([None, False, True]),
    "drop_last": st.booleans(),
}
PLANS = {
    "seed": st.integers(0, 2**63),
    "dataset": st.sampled_from(
        [
            "tensors",
            "subset",
            "stack",
            "joined",
            "drawn",
            "together",
            "list",
            "stream",
            "promising",
            "chained",
        ]
    ),
    "n": st.integers(0, 9),
    "sampler": st.sampled_from(
        ["none", "none", "list", "replacement", "more", "subset", "weighted", "distributed", "batches"]
    ),
    "own_generator": st.booleans(),
    "epochs": st.integers(1, 2),
    "stops_after": st.sampled_from([0, 1, 99, 99]),
    "draws_in_loop": st.booleans(),
    "asks_length": st.booleans(),
}
WORKERS = {
    "num_workers": st.integers(1, 3),
    "prefetch_factor": st.integers(1, 3),
    "persistent_workers": st.booleans(),
}


def same_in_both(plan: Plan) -> None:
    def program(library: Any, show: Any) -> None:
        load(library, show, plan)

    assert shown_by(jgrad, program, plan.seed) == shown_by(torch, program, plan.seed)


@settings(derandomize=True, max_examples=400, database=None)
@given(st.builds(Plan, options=st.fixed_dictionaries({}, optional=OPTIONS), **PLANS))
def test_in_one_process(plan: Plan) -> None:
    same_in_both(plan)


@settings(
    derandomize=True,
    max_examples=25,
    database=None,
)
@given(st.builds(Plan, options=st.fixed_dictionaries(WORKERS, optional=OPTIONS), **PLANS))
def test_with_workers(plan: Plan) -> None:
    same_in_both(plan)
