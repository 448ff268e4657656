"""Programs that run as several processes, as torchrun starts them: each has files of its own, and what several would say is said once."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

# A number that is no part of a name or of a place: the same remark has others in another process.
FIGURE = re.compile(r"(?<![\w\[.:])-?\d[\d.,]*(?:e[+-]?\d+)?")


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


class Meeting:
    """What the processes that one launcher started on this machine have said, as empty files in a folder that they share. Where the folder can't be
    used, each process says all that it has to say."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        here = os.environ.get("LOCAL_WORLD_SIZE", "")
        self.expected = int(here) if here.isdigit() else rank.of
        start = [os.getppid(), *map(os.environ.get, ("MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"))]  # fmt: skip
        name = hashlib.sha256(repr(start).encode()).hexdigest()[:16]
        self.folder = Path(tempfile.gettempdir()) / f"jgrad-ranks-{name}"

    def unsaid(self, remarks: Sequence[str], repairs: Sequence[str]) -> list[str]:
        """Those remarks and repairs that no other process has said. The last process to come adds whether all have the same remarks."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if hasattr(os, "getuid") and self.folder.stat().st_uid != os.getuid():
                return [*remarks, *repairs]
            for remark in remarks:
                (self.folder / f"{_key(remark)}.rank{self.rank.number}").touch()
            found = [one for one in (*remarks, *repairs) if self._is_first(_key(one))]
            return [*found, *self._in_common()]
        except OSError:
            return [*remarks, *repairs]

    def _is_first(self, key: str) -> bool:
        own = str(self.rank.number)
        return self._creates(key, own) or (self.folder / key).read_text() == own

    def _creates(self, name: str, text: str = "") -> bool:
        """Whether this process is the one that makes a file."""
        try:
            with open(self.folder / name, "x") as file:
                file.write(text)
        except FileExistsError:
            return False
        return True

    def _in_common(self) -> list[str]:
        """After the last process has come: how much of what was said holds in all of them."""
        (self.folder / f"came.{self.rank.number}").touch()
        if len([*self.folder.glob("came.*")]) < self.expected or not self._creates("closed"):
            return []
        by = Counter(path.stem for path in self.folder.glob("*.rank*"))
        common = sum(count == self.expected for count in by.values())
        shutil.rmtree(self.folder, ignore_errors=True)
        if not common:
            return []
        if common == len(by):
            return [f"All {self.expected} processes find the same."]
        return [
            f"{common} of these {len(by)} remarks {'holds' if common == 1 else 'hold'} in all {self.expected} processes."
        ]


def _key(sentence: str) -> str:
    """What a sentence has in common with that of another process."""
    return hashlib.sha256(FIGURE.sub("#", sentence).encode()).hexdigest()[:16]
