"""Programs that run as several processes, as torchrun starts them: each has files of its own, and the first one says what all have in common."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class Rank(NamedTuple):
    """Which of several processes this one is."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"rank {self.number} of {self.of}"

    def own(self, path: Path | None) -> Path | None:
        """The file of this process: `run.rank1.json` for `run.json`."""
        return None if path is None else path.with_name(f"{path.stem}.rank{self.number}{path.suffix}")


def rank_here() -> Rank | None:
    """Which of several processes this is, by the variables that torchrun sets; None if it is alone."""
    number, of = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "")
    if not (number.isdigit() and of.isdigit() and int(of) > 1):
        return None
    return Rank(int(number), int(of))
