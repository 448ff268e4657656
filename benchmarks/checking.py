"""The check that all systems compute the same, without which nothing is timed."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.systems import AUTOGRAD, JGRAD, MYGRAD, TORCH, Run, System


def arrays(system: System, result: Any) -> list[np.ndarray]:
    if isinstance(result, (tuple, list)):
        return [array for part in result for array in arrays(system, part)]
    return [system.array(result)]


def compare(runs: dict[str, Run], systems: dict[str, System]) -> list[str]:
    """Run each system once. Raise an error if one differs from PyTorch (or, without it, from jgrad) by more than rounding.

    Returns the systems whose results are float64 where PyTorch's are float32. Only autograd and mygrad may have such results.
    """
    results = {name: arrays(systems[name], run()) for name, run in runs.items()}
    reference = results[TORCH if TORCH in results else JGRAD]
    promoted = []
    for name, theirs in results.items():
        for one, other in zip(theirs, reference, strict=True):
            if one.shape != other.shape:
                raise AssertionError(f"{name} has shape {one.shape} instead of {other.shape}")
            if one.ndim and one.dtype != other.dtype:
                if name not in (AUTOGRAD, MYGRAD):
                    raise AssertionError(f"{name} has {one.dtype} instead of {other.dtype}")
                promoted.append(name)
            rounding = 1e-4 if other.dtype == np.float32 else 1e-9
            distance = np.max(np.abs(np.subtract(one, other, dtype=one.dtype if one.dtype.kind == "f" else float)), initial=0)  # fmt: skip
            largest = np.max(np.abs(other), initial=0)
            if not distance <= rounding * largest:  # also raises if the distance is nan
                raise AssertionError(f"{name} is off by {distance:.3g}, where values go up to {largest:.3g}")
    return sorted({*promoted})
