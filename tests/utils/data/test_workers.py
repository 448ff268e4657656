"""Workers: what they give and how they fail, as in PyTorch, whose workers are processes."""

from __future__ import annotations

import gc
import multiprocessing
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import nn, observer
from tests.utils.data.loading import shown_by

torch = pytest.importorskip("torch")


def same_in_both(program: Any) -> list:
    ours = shown_by(jgrad, program)
    assert ours == shown_by(torch, program)
    return ours


@pytest.fixture(autouse=True)
def nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> Any:
    # PyTorch's workers often miss that they are to end, and are then waited for.
    monkeypatch.setattr(torch.utils.data._utils, "MP_STATUS_CHECK_INTERVAL", 0.2)
    yield
    if multiprocessing.active_children():
        gc.collect()
    # One that has ended may not have been waited for yet, and a busy machine takes long to end one.
    for process in multiprocessing.active_children():
        process.join(60)
    assert multiprocessing.active_children() == []


def loader_of(library: Any, sample: Any, n: int = 4, **options: Any) -> Any:
    """A loader of a dataset with n samples, each of which `sample` makes of its index."""

    class Samples(library.utils.data.Dataset):
        def __len__(self) -> int:
            return n

        def __getitem__(self, i: int) -> Any:
            return sample(i)

    return library.utils.data.DataLoader(Samples(), **{"num_workers": 1, **options})


# What they give ---------------------------------------------------------------------------------------------------------


def test_what_a_worker_knows_and_draws() -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> tuple:
            info = library.utils.data.get_worker_info()
            knows = info.id, info.num_workers, info.seed, info.worker_method, info.rng, len(info.dataset)
            assert library.initial_seed() == info.seed
            return *knows, library.rand(1).item(), random.random(), np.random.rand(), np.random.randint(99)

        show(list(loader_of(library, sample, num_workers=2, batch_size=None)))
        show(library.utils.data.get_worker_info())

    same_in_both(program)


def test_worker_init_fn() -> None:
    def program(library: Any, show: Any) -> None:
        def begin(number: int) -> None:
            library.utils.data.get_worker_info().dataset.first = 100 * number

        class Counting(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                return iter(range(self.first, self.first + 3))

        loader = library.utils.data.DataLoader(
            Counting(), num_workers=2, worker_init_fn=begin, batch_size=2, persistent_workers=True
        )
        for _ in range(2):
            show(list(loader))

    same_in_both(program)


def test_workers_with_less_to_give_leave_their_turns_to_the_others() -> None:
    def program(library: Any, show: Any) -> None:
        class Uneven(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                number = library.utils.data.get_worker_info().id
                return iter(range(10 * number, 10 * number + (5, 0, 2)[number]))

        for persistent in (False, True):
            loader = library.utils.data.DataLoader(Uneven(), num_workers=3, persistent_workers=persistent)
            for _ in range(2):
                show(list(loader))

    same_in_both(program)


SAMPLES = {
    "row of a tensor": lambda library: library.arange(12.0).reshape(3, 4)[1],
    "column": lambda library: library.arange(12.0).reshape(3, 4)[:, 1],
    "transposed": lambda library: library.arange(6).reshape(2, 3).t(),
    "expanded": lambda library: library.ones(1, 3).expand(2, 3),
    "scalar": lambda library: library.tensor(2.5),
    "empty": lambda library: library.empty(0, 3),
    "half": lambda library: library.ones(2, dtype=library.float16),
    "bool": lambda library: library.tensor([True, False]),
    "complex": lambda library: library.tensor([1j]),
    "leaf": lambda library: library.ones(2, requires_grad=True),
    "numpy": lambda library: np.arange(6.0).reshape(2, 3).T,
    "numpy row": lambda library: np.arange(6.0).reshape(2, 3)[1],
    "large": lambda library: library.arange(100_000).reshape(2, -1),
    "containers": lambda library: {"a": [library.ones(2), (1, "b")], "c": None, "d": b"e"},
    "size": lambda library: tuple(library.ones(2, 3).shape),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_samples_arrive_as_they_were(sample: Any) -> None:
    def program(library: Any, show: Any) -> None:
        show(list(loader_of(library, lambda i: sample(library), 2, collate_fn=list)))

    same_in_both(program)


def test_tensors_that_share_elements_still_do() -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> tuple:
            whole = library.zeros(4, 3)
            return whole[:2], whole[1:3], whole, library.zeros(3), whole.numpy()[3]

        ((parts,),) = loader_of(library, sample, 1, collate_fn=list)
        parts[0][1, 0] = 7
        parts[2][2, 1] = 8
        parts[2][3, 2] = 9
        show(parts[:4])

    same_in_both(program)


def test_a_parameter_arrives_as_one() -> None:
    (batch,) = loader_of(jgrad, lambda i: nn.Parameter(jgrad.ones(2)), 1, collate_fn=list)
    assert type(batch[0]) is nn.Parameter
    assert batch[0].requires_grad


def test_collation_in_a_worker() -> None:
    def program(library: Any, show: Any) -> None:
        for sample in (
            lambda i: library.ones(2, dtype=(library.float32, library.float64)[i % 2]),
            lambda i: library.ones(2, dtype=(library.int64, library.float32)[i % 2]),
            lambda i: library.ones(2 - i % 2),
            lambda i: library.ones(1 + i % 2),
            lambda i: library.ones(2).requires_grad_(),
            lambda i: np.float32(i),
            lambda i: {"a": i, "b": np.ones(i // 9)},
        ):
            try:
                show(list(loader_of(library, sample, batch_size=2)))
            except Exception as error:
                show(type(error).__name__, str(error).splitlines()[0], str(error).splitlines()[-1])

    same_in_both(program)


def test_orders_and_batches_larger_than_a_pipe() -> None:
    n = 60_000

    def program(library: Any, show: Any) -> None:
        class Whole(library.utils.data.Dataset):
            def __getitem__(self, index: Any) -> Any:
                return library.as_tensor(index).repeat(3)

        sampler = [list(range(n)), library.arange(n), list(range(7, n))] * 3
        loader = library.utils.data.DataLoader(
            Whole(), sampler=sampler, batch_size=None, num_workers=1, prefetch_factor=8
        )
        show([(len(t), t.sum().item()) for t in loader])

    same_in_both(program)


# How they fail -----------------------------------------------------------------------------------------------------------


class TwoArguments(Exception):
    def __init__(self, a: int, b: int) -> None:
        super().__init__(a, b)


class WithMessage(Exception):
    message = "given by name"

    def __init__(self, message: str) -> None:
        super().__init__(f"<{message}>")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        KeyError("a\nb"),
        IndexError(),
        StopIteration(3),
        TwoArguments(1, 2),
        WithMessage("bad"),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"),
    ],
    ids=repr,
)
def test_an_exception_is_raised_again_and_the_loop_can_go_on(error: Exception) -> None:
    def program(library: Any, show: Any) -> None:
        def sample(i: int) -> int:
            if i == 1:
                raise error.with_traceback(None)
            return i

        batches = iter(loader_of(library, sample))
        for _ in range(4):
            try:
                show(next(batches))
            except Exception as caught:
                show(type(caught).__name__, [line for line in str(caught).splitlines() if "  " not in line])
                show(caught.__cause__, [line for line in str(caught).splitlines() if "raise error" in line])

    shown = same_in_both(program)
    assert any("Caught" in str(value) for value in shown) or isinstance(error, StopIteration)


def test_errors_of_worker_init_fn_and_of_iter() -> None:
    def program(library: Any, show: Any) -> None:
        class Broken(library.utils.data.IterableDataset):
            def __iter__(self) -> Any:
                raise ValueError("no samples today")

        def begin(number: int) -> None:
            raise OSError("no disk")

        for loader in (
            library.utils.data.DataLoader(Broken(), num_workers=1),
            loader_of(library, lambda i: i, worker_init_fn=begin),
        ):
            with pytest.raises((ValueError, OSError)) as caught:
                list(loader)
            show(str(caught.value).splitlines()[0], str(caught.value).splitlines()[-1])

    same_in_both(program)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # PyTorch's
def test_prefetch_factor_zero() -> None:
    same_in_both(lambda library, show: list(loader_of(library, lambda i: i, prefetch_factor=0)))


def test_more_workers_than_processors() -> None:
    def program(library: Any, show: Any) -> None:
        loader = loader_of(library, lambda i: i, num_workers=999)
        loader.num_workers = 1
        show(list(loader))

    assert any("999 worker processes" in str(value) for value in same_in_both(program))


# What they leave alone ---------------------------------------------------------------------------------------------------


def test_what_a_worker_changes_stays_with_it() -> None:
    def program(library: Any, show: Any) -> None:
        class Counting(library.utils.data.Dataset):
            def __init__(self) -> None:
                self.count = 0
                self.seen: list[list[int]] = [[]]
                self.rows = library.arange(8.0).reshape(4, 2)

            def __len__(self) -> int:
                return 4

            def __getitem__(self, i: int) -> tuple:
                self.count += 1
                self.seen[0].append(i)
                return self.rows[i], self.count, len(self.seen[0])

        dataset = Counting()
        for persistent in (False, True):
            loader = library.utils.data.DataLoader(dataset, num_workers=2, persistent_workers=persistent)
            for _ in range(2):
                show(list(loader))
            show(dataset.count, dataset.seen)

    same_in_both(program)


def test_copies_of_a_dataset_share_its_arrays_and_files(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, np.arange(4.0))

    class Rows(jgrad.utils.data.Dataset):
        def __init__(self, file: Any) -> None:
            self.parts = {
                "file": file,
                "rows": [np.load(path, mmap_mode="r")],
                "weights": jgrad.ones(3, requires_grad=True) * 2,
            }

        def __len__(self) -> int:
            return 4

        def __getitem__(self, i: int) -> tuple:
            copied = jgrad.utils.data.get_worker_info().dataset
            assert copied is self is not dataset
            assert copied.parts is not dataset.parts
            assert all(copied.parts[key] is dataset.parts[key] for key in ("file", "weights"))
            return self.parts["rows"][0][i], self.parts["rows"][0] is dataset.parts["rows"][0]

    with path.open("rb") as file:
        dataset = Rows(file)
        batches = list(jgrad.utils.data.DataLoader(dataset, batch_size=2, num_workers=2))
    assert [(rows.tolist(), shared.tolist()) for rows, shared in batches] == [
        ([0.0, 1.0], [True, True]),
        ([2.0, 3.0], [True, True]),
    ]


def test_a_dataset_that_can_not_be_copied_is_used_as_it_is() -> None:
    class Once(jgrad.utils.data.IterableDataset):
        def __init__(self) -> None:
            self.samples = (i for i in range(3))

        def __iter__(self) -> Any:
            return self.samples

    assert [batch.item() for batch in jgrad.utils.data.DataLoader(Once(), num_workers=1)] == [0, 1, 2]


def test_numbers_of_the_program_are_left_alone() -> None:
    before = np.random.get_bit_generator()  # type: ignore[attr-defined]
    loader = loader_of(
        jgrad, lambda i: (jgrad.randn(1), np.random.randn(), random.gauss(0, 1)), num_workers=2
    )
    for seed in (0, 1):
        jgrad.manual_seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        # The second of a pair is kept.
        expected = [
            jgrad.randn(3).tolist(),
            np.random.randn(),
            random.gauss(0, 1),
        ]
        drawn = [jgrad.randn(1).item(), np.random.randn(), random.gauss(0, 1)]
        jgrad.manual_seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        assert [jgrad.randn(3).tolist(), np.random.randn(), random.gauss(0, 1)] == expected
        batches = iter(loader_of(jgrad, lambda i: np.random.randn(), generator=jgrad.Generator()))
        next(batches), next(batches)
        assert [jgrad.randn(1).item(), np.random.randn(), random.gauss(0, 1)] == drawn
    assert np.random.get_bit_generator() is before  # type: ignore[attr-defined]
    assert len(list(loader)) == 4


def test_batches_are_made_when_they_are_asked_for() -> None:
    made: list[int] = []

    def sample(i: int) -> int:
        made.append(i)
        return i

    for batch in loader_of(jgrad, sample, num_workers=2):
        assert made == [*range(batch.item() + 1)]


def test_no_operation_of_a_worker_is_observed() -> None:
    class Counts(observer.Observer):
        def __init__(self) -> None:
            self.names: list[str] = []

        def op(self, name: str, *_: Any) -> None:
            self.names.append(name)

    def sample(i: int) -> bool:
        jgrad.ones(1).sin()
        return observer.current is None

    with observer.observe(Counts()) as counts:
        (batch,) = loader_of(jgrad, sample, 3, batch_size=3, shuffle=True)
    assert batch.tolist() == [True] * 3
    assert counts.names == [], "what a loader draws is not the user's operation"
