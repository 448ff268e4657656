"""`check` and `hint`: what a learner calls. Neither raises."""

from __future__ import annotations

import difflib
import dis
import linecache
from collections import Counter
from types import FunctionType
from typing import Any

from jgrad.language import say
from jgrad.teach.exercise import Exercise
from jgrad.teach.exercises import EXERCISES
from jgrad.teach.running import Failed, run
from jgrad.teach.solved import remember

YES_NO = {"yes": True, "no": False}
UNWRITTEN = "Write your answer in place of `...`, then run the cell again."
# What the body `...` of a function is compiled to, in any Python.
LOADS = {"LOAD_CONST", "LOAD_COMMON_CONSTANT", "RETURN_CONST"}
EMPTY = LOADS | {"RESUME", "NOP", "RETURN_VALUE"}

_given: Counter[str] = Counter()  # how many hints of each exercise were given


def check(name: str = "", answer: Any = ...) -> None:
    """Print whether an answer is right, and if not, what went wrong.

    `name` is the name of the exercise, and `answer` a value, a function or a class, as the exercise asks. Returns nothing, and raises nothing.
    A function is called with many arguments. It has 5 seconds, its output is not shown, and the modes that it changes are put back.

    >>> check("slope", 4)
    That is the path through w * w alone. 3 * w is a path too.
    """
    print(verdict(name, answer))


def verdict(name: str, answer: Any) -> str:
    """What `check` prints."""
    exercise = _find(name)
    if isinstance(exercise, str):
        return exercise
    if has_dots(answer):
        return say(UNWRITTEN)
    try:
        sentence = run(exercise.judge, _in_bools(answer), what="Your answer")
    except Failed as failed:
        sentence = str(failed)
    if sentence is None:
        remember(exercise.name)
        return say("Right.")
    return say(UNWRITTEN if has_empty_function(answer) else sentence)


def _in_bools(answer: Any) -> Any:
    """An answer, or a list of answers, in which "yes" and "no" are True and False."""

    def meant(one: Any) -> Any:
        return YES_NO.get(one.strip().lower(), one) if type(one) is str else one

    return [*map(meant, answer)] if type(answer) is list else meant(answer)


def hint(name: str = "") -> None:
    """Print a hint for an exercise. Each further call prints the next one; the last one is the solution.

    >>> hint("slope")
    How many times does w stand in the formula? Each is a path.
    """
    exercise = _find(name)
    if isinstance(exercise, str):
        print(exercise)
        return
    number = min(_given[exercise.name], len(exercise.hints))
    _given[exercise.name] += 1
    if number < len(exercise.hints):
        print(say(exercise.hints[number]))
    else:
        print(f"{say('A solution:')}\n\n{exercise.solution.strip()}")


def has_dots(answer: Any) -> bool:
    """Whether an answer is still `...`, or a list with one."""
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return any(one is ... or (isinstance(one, list | tuple) and any(x is ... for x in one)) for one in parts)


def has_empty_function(answer: Any) -> bool:
    """Whether an answer is a function whose body is still `...`, or a class with one. `pass` may be meant, if another method says more."""
    parts = [*vars(answer).values()] if isinstance(answer, type) else [answer]
    functions = [one for part in parts if isinstance(one := getattr(part, "__func__", part), FunctionType)]
    empty = [one for one in functions if _is_empty(one)]
    return bool(empty) and (len(empty) == len(functions) or any("..." in _source(one) for one in empty))


def _source(function: FunctionType) -> str:
    """The text of a function's lines, which Python's `inspect` would read more of; an empty text if there is none."""
    code = function.__code__
    numbers = [code.co_firstlineno, *(line for *_, line in code.co_lines() if line)]
    return "".join(linecache.getlines(code.co_filename)[min(numbers) - 1 : max(numbers)])


def _is_empty(function: FunctionType) -> bool:
    found = [*dis.get_instructions(function)]
    returned = [i.argval for i in found if i.opname in LOADS]
    return {i.opname for i in found} <= EMPTY and returned == [None]


def _find(name: str) -> Exercise | str:
    """An exercise, or a sentence that there is none."""
    if isinstance(name, str) and not name:
        return say("Which exercise? Write its name, as in hint('slope'). `progress()` lists what is next.")
    if isinstance(name, str) and name in EXERCISES:
        return EXERCISES[name]
    near = difflib.get_close_matches(str(name)[:100], EXERCISES, 1, 0.5) if isinstance(name, str) else []
    given = repr(str(name)[:60])
    if near:
        return say("There is no exercise {name}. Did you mean {near}?", name=given, near=repr(near[0]))
    return say("There is no exercise {name}.", name=given)
