"""Tensors on a device: only the ends of storages, samples and norms come to the host. A stand-in for CUDA: tensors of the CPU of which every copy to the
host is counted. On a real device it is not tested yet."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from jgrad.mirrors.torch import far, memory  # noqa: E402
from jgrad.mirrors.torch.memory import memories  # noqa: E402
from tests.mirrors.both import record  # noqa: E402

CELL = """
x = torch.ones(1000, 1000, dtype=kind, requires_grad=True)
y = x * 2
y[0, 0]
z = (y + x).float().sum()
z.backward()
with torch.no_grad():
    x += 1
"""


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_a_few_kilobytes_come_to_the_host(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    copied: list[int] = []

    def counting(t: Any) -> Any:
        copied.append(t.numel() * t.element_size())
        return t.detach().contiguous()

    cell = CELL.replace("kind", str(kind))
    near = record(cell, torch)
    monkeypatch.setattr(far, "to_host", counting)
    monkeypatch.setattr(memory, "is_far", lambda t: True)
    memories.clear()
    t = record(cell, torch)
    assert t.error is None
    assert [s["text"] for s in t.document["steps"]] == [s["text"] for s in near.document["steps"]]
    assert copied
    assert max(copied) <= 1 << 16  # a sample of a parameter
    assert sum(copied) <= 1 << 18  # where a single tensor has millions of bytes
    memories.clear()
