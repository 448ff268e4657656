"""`check` and `hint`: what a learner calls. Neither raises."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import Any

from jgrad.teach.exercise import Exercise
from jgrad.teach.exercises import EXERCISES
from jgrad.teach.running import Failed, run
from jgrad.teach.solved import remember

_given: Counter[str] = Counter()  # how many hints of each exercise were given


def check(name: str, answer: Any = ...) -> None:
    """Print whether an answer is right, and if not, what went wrong.

    `name` is the name of the exercise, and `answer` a value, a function or a class, as the exercise asks. Returns nothing, and raises nothing.
    A function is called with many arguments. It has 5 seconds, its output is not shown, and the modes that it changes are put back.

    >>> check("slope", 4)
    That is the path through `w * w` alone. `3 * w` is a path too.
    """
    print(verdict(name, answer))


def verdict(name: str, answer: Any) -> str:
    """What `check` prints."""
    exercise = _find(name)
    if isinstance(exercise, str):
        return exercise
    if answer is ... or (isinstance(answer, list | tuple) and ... in answer):
        return "Write your answer in place of `...`, then run the cell again."
    try:
        sentence = run(exercise.judge, answer, what="Your answer")
    except Failed as failed:
        return str(failed)
    if sentence is None:
        remember(exercise.name)
        return "Right."
    return sentence


def hint(name: str) -> None:
    """Print a hint for an exercise. Each further call prints the next one; the last one is the solution.

    >>> hint("slope")
    How many times does `w` stand in the formula? Each is a path.
    """
    exercise = _find(name)
    if isinstance(exercise, str):
        print(exercise)
        return
    number = min(_given[exercise.name], len(exercise.hints))
    _given[exercise.name] += 1
    if number < len(exercise.hints):
        print(exercise.hints[number])
    else:
        print(f"A solution:\n\n{exercise.solution.strip()}")


def _find(name: str) -> Exercise | str:
    """An exercise, or a sentence that there is none."""
    if isinstance(name, str) and name in EXERCISES:
        return EXERCISES[name]
    near = difflib.get_close_matches(str(name)[:100], EXERCISES, 1, 0.5) if isinstance(name, str) else []
    return f"There is no exercise {str(name)[:60]!r}.{f' Did you mean {near[0]!r}?' if near else ''}"
