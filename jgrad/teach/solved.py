"""Which exercises were solved on this machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

from jgrad.language import say

BAR = 20  # characters


def file() -> Path | None:
    """Where it is kept; None if it is not."""
    return None if os.environ.get("JGRAD_NO_PROGRESS") else Path.home() / ".jgrad" / "progress.json"


def solved() -> set[str]:
    """The exercises that were solved. A file that can't be read counts as none."""
    path = file()
    try:
        found = json.loads(path.read_text(encoding="utf-8")) if path is not None else []
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def remember(name: str) -> None:
    """Add an exercise. If that is not possible, nothing is said: the answer is right all the same."""
    path = file()
    if path is None or name in (known := solved()):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(sorted({*known, name}), indent=1), encoding="utf-8")
    except OSError:
        pass


def progress() -> None:
    """Print how many exercises of each lesson you have solved, and which one is next."""
    from jgrad.teach.exercises import EXERCISES

    done = solved()
    for lesson in dict.fromkeys(exercise.lesson for exercise in EXERCISES.values()):
        names = [name for name, exercise in EXERCISES.items() if exercise.lesson == lesson]
        right = [name for name in names if name in done]
        bar = "#" * (BAR * len(right) // len(names))
        left = [name for name in names if name not in done]
        so_far = {"lesson": f"{lesson:<24}", "bar": f"{bar:<{BAR}}", "right": len(right), "all": len(names)}
        if left:
            print(say("{lesson} [{bar}] {right} of {all}, next: {name}", name=left[0], **so_far))
        else:
            print(say("{lesson} [{bar}] {right} of {all}", **so_far))
