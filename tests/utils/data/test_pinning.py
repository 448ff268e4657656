"""`pin_memory=True` where there is a GPU (the stand-in for one)."""

from __future__ import annotations

import pytest

import jgrad
from jgrad.utils.data import DataLoader, TensorDataset
from tests.foreign.device import on_the_device


@pytest.mark.parametrize("num_workers", [0, 1])
def test_batches_lie_in_pinned_memory(num_workers: int) -> None:
    data = TensorDataset(jgrad.arange(4.0), jgrad.arange(4))
    with on_the_device():
        for batch in DataLoader(data, batch_size=2, pin_memory=True, num_workers=num_workers):
            assert [tensor.is_pinned() for tensor in batch] == [True, True]
            assert [tensor.is_pinned() for tensor in data.tensors] == [False, False]
            assert batch[0].cuda().tolist() == batch[1].tolist()


def test_batches_of_tensors_on_a_gpu_stay_there() -> None:
    with on_the_device():
        (batch,) = DataLoader(TensorDataset(jgrad.arange(4.0, device="cuda")), batch_size=4, shuffle=True)
        assert batch[0].is_cuda
        assert sorted(batch[0].tolist()) == [0, 1, 2, 3]
