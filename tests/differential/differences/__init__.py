"""Where jgrad differs from PyTorch, and what it leaves out: a file per room, gathered here and published in docs/differences.md.

`DIFFERENCES` maps regular expressions, matched from the start of what the comparison says (`<form> <operation>: <what>`), to the reason;
`WRONG_IN_PYTORCH` is a map of the same kind, of the differences where a test shows that PyTorch's answer is wrong: they are not counted.
`LEFT_OUT` maps names of PyTorch's (regular expressions too) to the reason. `ROUNDING` says by how much more than elsewhere the results of an
operation may differ in their last digits, where the sample's own condition magnifies rounding.
"""

from __future__ import annotations

import importlib
import pkgutil

ROOMS = {m.name: importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)}
DIFFERENCES: dict[str, str] = {}
WRONG_IN_PYTORCH: dict[str, str] = {}
LEFT_OUT: dict[str, str] = {}
ROUNDING: dict[str, float] = {}
for _room in ROOMS.values():
    DIFFERENCES |= getattr(_room, "DIFFERENCES", {})
    WRONG_IN_PYTORCH |= getattr(_room, "WRONG_IN_PYTORCH", {})
    LEFT_OUT |= getattr(_room, "LEFT_OUT", {})
    ROUNDING |= getattr(_room, "ROUNDING", {})
