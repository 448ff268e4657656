"""A trace of tensors on another device is that of the same tensors on the CPU, but for where their storages lie."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from tests.foreign.device import library, on_the_device

pytestmark = pytest.mark.quick


def trace(device: str) -> Any:
    with jgrad.trace() as recorded:
        x = jgrad.ones(2, 3, device=device, requires_grad=True)
        row = x[0]
        copied = (x * 2).t().clone()
        copied[0] = 5
        places = jgrad.tensor([[0, 1], [1, 1], [2, 3]], device=device)
        summed = jgrad.zeros(3, 4, device=device).scatter_add_(1, places, jgrad.ones(3, 2, device=device))
        (copied * summed[:, :2]).sum().backward()
        x.detach().gather(1, jgrad.tensor([[2], [0]], device=device))
        large = jgrad.full((100, 100), float("inf"), device=device)
        large.mul_(2)
        wide = jgrad.ones(100, 50, device=device, requires_grad=True)
        (wide.t() * 3).sum().backward()
        wide.grad = wide.detach() * 2
        del row
    assert recorded.failures == []
    return recorded.document


def without_devices(value: Any) -> Any:
    if isinstance(value, dict):
        # The bands of large contents are made of a sample there, so that little comes over.
        return {k: without_devices(v) for k, v in value.items() if k not in ("device", "made", "bands")}
    return [without_devices(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("devices", [1, 2])
def test_a_trace_on_a_device(devices: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the only device, and on the second of two while the first is the current one."""
    place = f"cuda:{devices - 1}"
    # Checks under way keep their arrays, which would live longer than on the CPU.
    monkeypatch.setitem(library().kernels.settle.__globals__, "_MOST", 1)
    on_cpu = trace("cpu")
    with on_the_device(devices):
        there = trace(place)
    assert {s["device"] for s in on_cpu["storages"]} == {"cpu"}
    assert {s["device"] for s in there["storages"]} == {place}
    assert without_devices(there) == without_devices(on_cpu)
