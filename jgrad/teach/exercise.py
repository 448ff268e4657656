"""What an exercise is: how an answer is judged, the wrong answers that learners give, hints, and a solution."""

from __future__ import annotations

import difflib
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jgrad.language import say

Judge = Callable[[Any], "str | None"]
NOT_YET = "Not yet."


@dataclass(frozen=True)
class Exercise:
    """An exercise of a lesson. `judge` gives None for a right answer, and a sentence for any other one. `solution` is Python code that makes
    the variable `answer`, after the cells of the lesson above the exercise."""

    name: str
    lesson: str
    judge: Judge
    solution: str
    hints: tuple[str, ...] = ()
    wrong: tuple[str, ...] = field(default=())
    """Python code like that of the solution, for answers that learners give."""


def value(right: Any, wrong: Sequence[tuple[Any, str]] = ()) -> Judge:
    """Judge a number, a text, or a list of them. `wrong` has the answers that learners give, each with what to say."""

    def judge(answer: Any) -> str | None:
        given = plain(answer)
        if same(given, right):
            return None
        for other, sentence in wrong:
            if same(given, other):
                return sentence
        return _of_a_part(given, right, wrong) or form(given, right)

    return judge


def _of_a_part(given: Any, right: Any, wrong: Sequence[tuple[Any, str]]) -> str:
    """What is said of one of several mistakes in a list: how much is right, and the sentence for those that a known wrong answer makes too."""
    if not isinstance(right, list) or not isinstance(given, list) or len(given) != len(right):
        return ""
    mistakes = _mistakes(given, right)
    for other, sentence in wrong:
        known = _mistakes(other, right) if isinstance(other, list) and len(other) == len(right) else set()
        if known and known <= mistakes and all(same(given[i], other[i]) for i in known):
            return say(
                "{right} of {all} are right. {sentence}",
                right=len(right) - len(mistakes),
                all=len(right),
                sentence=say(sentence),
            )
    return ""


def _mistakes(given: list[Any], right: list[Any]) -> set[int]:
    return {i for i, pair in enumerate(zip(given, right, strict=True)) if not same(*pair)}


def choice(right: str, wrong: Sequence[tuple[str, str]]) -> Judge:
    """Judge one of several words."""
    words = [right, *(word for word, _ in wrong)]

    def judge(answer: Any) -> str | None:
        if not isinstance(answer, str):
            return say(
                "Write one of these words in quotation marks: {words}.", words=", ".join(sorted(words))
            )
        given = answer.strip().lower()
        if given == right:
            return None
        for word, sentence in wrong:
            if given == word:
                return sentence
        offered = ", ".join(sorted(words))
        if difflib.get_close_matches(given, words, 1):
            return say("Choose one of these words: {words}. Mind the spelling.", words=offered)
        return say("Choose one of these words: {words}.", words=offered)

    return judge


def library_of(answer: Any) -> Any:
    """The library whose tensors a learner's function or class uses: what its code calls `jgrad`, which may be PyTorch."""
    parts = [answer, *vars(answer).values()] if isinstance(answer, type) else [answer]
    for part in parts:
        named = getattr(getattr(part, "__func__", part), "__globals__", {})
        if "jgrad" in named:
            return named["jgrad"]
    return sys.modules["jgrad"]


def plain(answer: Any) -> Any:
    """An answer as plain Python: a tensor of any library, or an array, becomes a number or nested lists."""
    tolist = getattr(answer, "tolist", None)
    if callable(tolist):
        answer = tolist()
    return [plain(one) for one in answer] if isinstance(answer, list | tuple) else answer


def is_number(answer: Any) -> bool:
    return isinstance(answer, int | float) and not isinstance(answer, bool)


def same(a: Any, b: Any) -> bool:
    """Whether two plain answers are equal, numbers up to rounding. A list of one number is this number."""
    while isinstance(a, list) and len(a) == 1 and not isinstance(b, list):
        a = a[0]
    if is_number(a) and is_number(b):
        return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str) and isinstance(b, str):
        return a.strip().lower() == b.lower()
    return type(a) is type(b) and bool(a == b)


def form(given: Any, right: Any) -> str:
    """In which way a plain answer is not the right one, without giving that away."""
    if given is None:
        return "This is None: nothing was computed."
    if isinstance(right, list) != isinstance(given, list):
        if isinstance(right, list):
            return say("The answer is a list of {number}.", number=len(right))
        return "The answer is one number."
    if isinstance(right, list):
        if len(given) != len(right):
            if len(right) == 1:
                return say("The answer has 1 element; yours has {given}.", given=len(given))
            return say(
                "The answer has {number} elements; yours has {given}.", number=len(right), given=len(given)
            )
        mistakes = _mistakes(given, right)
        good = len(right) - len(mistakes)
        if not good:
            return NOT_YET
        return say(
            "{right} of {all} are right. Look again at number {number}.",
            right=good,
            all=len(right),
            number=min(mistakes) + 1,
        )
    if is_number(right):
        if not is_number(given):
            return "The answer is a number."
        if math.isnan(given):
            return "This is nan, no number: something was divided by zero, or it is a difference of two infinities."
        if same(-given, right):
            return "The size is right. Look at the sign."
        return (
            "Not yet. The right number is smaller."
            if given > right
            else "Not yet. The right number is larger."
        )
    return NOT_YET
