"""What CuPy has: the table that `read_cupy_api.py` wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

API: dict[str, Any] = json.loads(Path(__file__).with_name("cupy_api.json").read_text())


def checker(name: str, parameters: str) -> Callable[..., None]:
    """A function with these parameters that does nothing: calling it tells whether arguments fit."""
    check = eval(f"lambda {parameters}: None")
    check.__name__ = check.__qualname__ = name
    return check
