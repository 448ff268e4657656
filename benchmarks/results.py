"""The results: how they are stored (as JSON), their ratios and means, and the machine."""

from __future__ import annotations

import importlib.metadata
import math
import os
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

import jgrad

MEDIAN, MINIMUM = "median", "minimum"
Times = dict[str, dict[str, float]]  # system -> {"median", "minimum"}, seconds


class Results(TypedDict):
    machine: dict[str, str]
    # Name -> {"group", "one thread": Times, "all threads": Times, "in float64"}.
    rows: dict[str, dict[str, Any]]
    recorder: dict[str, Times]
    memory: dict[str, dict[str, float]]  # question -> system -> megabytes
    imports: dict[str, float]  # system -> seconds


def ratio(times: Times, one: str, other: str, figure: str) -> float | None:
    return times[one][figure] / times[other][figure] if other in times else None


def mean_ratio(rows: Iterable[Times], one: str, other: str, figure: str) -> float | None:
    """The geometric mean of the ratios, over the rows that both systems have."""
    logarithms = [math.log(each) for times in rows if (each := ratio(times, one, other, figure)) is not None]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def machine() -> dict[str, str]:
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    models = (line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    config = np.show_config("dicts")
    blas = config["Build Dependencies"]["blas"]
    described = {
        "processor": f"{next(models, platform.processor())}, {os.cpu_count()} cores, "
        f"NumPy finds {', '.join(config['SIMD Extensions']['found'])}",
        "system": f"{platform.system()} {platform.machine()}",
        "BLAS of NumPy": f"{blas['name']} {blas['version']}",
        "Python": platform.python_version(),
        "jgrad": jgrad.__version__,
    }
    if hasattr(os, "sysconf"):
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        described["memory"] = f"{pages / 2**30:.0f} GiB"
    for package in ("numpy", "torch", "autograd", "mygrad"):
        try:
            described[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return described
