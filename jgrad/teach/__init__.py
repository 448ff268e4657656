"""What the lessons use: exercises that are checked, and the data that they train on.

    from jgrad.teach import check, hint, progress

    check("slope", 7)       # says whether it is right, and if not, what went wrong
    hint("slope")           # a first hint; again: the next one; at last the solution
    progress()              # which exercises you have solved

Nothing leaves this machine: what you have solved is kept in `~/.jgrad/progress.json`, and nowhere if the variable `JGRAD_NO_PROGRESS` is set.
"""

from jgrad.teach.checking import check, hint
from jgrad.teach.data import Pictures, digits
from jgrad.teach.solved import progress

__all__ = ["Pictures", "check", "digits", "hint", "progress"]
