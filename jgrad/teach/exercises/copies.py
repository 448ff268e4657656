"""Lesson 6, "Copies"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, library_of, plain, same, value
from jgrad.teach.running import run

LESSON = "copies"


CONNECTED = "The values are right, and some of them require grad: they are still connected to w."


def judge_history(answer: Any) -> str | None:
    """A function that returns the values that a weight had after each step."""
    if not callable(answer):
        return "Give the repaired function itself to check: history, without brackets."
    values = run(answer, what="history()")
    found = plain(values)
    if same(found, [1, 2, 3]):
        return CONNECTED if any(getattr(one, "requires_grad", False) for one in values) else None
    if same(found, [3, 3, 3]):
        return "All three are still the same. Do they share the memory of w?"
    if isinstance(found, list) and len(found) != 3:
        return f"There must be three values, one for each step; yours has {len(found)}."
    return "These are not the values that w had after each step."


def judge_moco(answer: Any) -> str | None:
    """A function that moves one tensor towards another, in place."""
    if not callable(answer):
        return "Give the function itself to check: update, without brackets."
    library = library_of(answer)
    for wanting in (False, True):
        q = library.tensor([1.0, 2.0], requires_grad=True)
        k = library.tensor([0.0, 4.0], requires_grad=wanting)
        address, version = k.data_ptr(), k._version
        run(answer, k, q, 0.75, what="update()")
        found = plain(k.detach())
        if same(found, [0, 4]):
            return "k has not changed. `k = ...` in a function only gives the name another tensor."
        if not same(found, [0.25, 3.5]):
            return "k changed, but not to m * k + (1 - m) * q."
        if k.grad_fn is not None:
            return "k has a grad_fn: the update was recorded."
        if k.data_ptr() != address:
            return "k has other memory. Write into the memory that it has."
        if k._version == version:
            return "The write was not counted, so a graph that needs the old k would not notice it. Leave out `.data`."
        if k.requires_grad != wanting or not same(plain(q.detach()), [1, 2]):
            return "You changed q, or a flag of k."
    return None


def judge_independent(answer: Any) -> str | None:
    """A function that copies a tensor to float64."""
    if not callable(answer):
        return "Give the function itself to check: independent, without brackets."
    library = library_of(answer)
    for dtype in (library.float32, library.int64, library.float64):
        x = library.tensor([1, 2], dtype=dtype)
        if dtype is not library.int64:
            x.requires_grad_()
        result = run(answer, x, what="independent()")
        if result is None:
            return "Your function returned None. It must return the copy."
        if not same(plain(result), [1, 2]) or getattr(result, "dtype", None) is not library.float64:
            return "The result must be a tensor of float64 with the numbers of x."
        if result.requires_grad:
            return "The copy requires grad: it is still connected to x."
        if result.data_ptr() == x.data_ptr():
            return "For an x of float64 the result shares the memory of x: there was nothing to convert."
    return None


MOCO = "def update(k, q, m):\n    with jgrad.no_grad():\n        k.mul_(m).add_(q * (1 - m))\n\n\nanswer = update\n"
HISTORY = """\
def history():
    w = jgrad.tensor(0.0, requires_grad=True)
    values = []
    for _ in range(3):
        with jgrad.no_grad():
            w.add_(1)
        values.append(w.detach().clone())
    return values


answer = history
"""
COPY = "def independent(x):\n    return {}\n\n\nanswer = independent\n"
TABLE = [[False, True], [True, False], [False, False], [False, False], [False, True]]


def _table(row: int, shares: bool, connected: bool) -> list[list[bool]]:
    return [[shares, connected] if n == row else pair for n, pair in enumerate(TABLE)]


EXERCISES = (
    Exercise(
        name="five-ways",
        lesson=LESSON,
        judge=value(
            TABLE,
            [
                (_table(0, False, False), "Line 1: clone is an operation. Does it have a derivative?"),
                (_table(0, True, True), "Line 1: write to the clone. Does `a` change?"),
                (_table(1, False, False), "Line 2: write to the detached tensor. Does `a` change?"),
                (_table(1, True, True), "Line 2: does the detached tensor have a grad_fn?"),
                (_table(3, False, True), "Line 4: the numbers of new_tensor come from its argument."),
                (_table(4, False, False), "Line 5: print the grad_fn of the target after `copy_`."),
                (_table(4, True, True), "Line 5: `copy_` writes into the memory of its target."),
            ],
        ),
        solution="answer = [(False, True), (True, False), (False, False), (False, False), (False, True)]",
        hints=("Which of the five has a grad_fn?", "Which of the five has the same data_ptr() as `a`?"),
        wrong=(
            f"answer = {_table(0, False, False)}",
            f"answer = {_table(0, True, True)}",
            f"answer = {_table(1, False, False)}",
            f"answer = {_table(1, True, True)}",
            f"answer = {_table(3, False, True)}",
            f"answer = {_table(4, False, False)}",
            f"answer = {_table(4, True, True)}",
            "answer = [True, False]",
            f"answer = {[[True, True]] * 5}",
        ),
    ),
    Exercise(
        name="clone-detach-grad",
        lesson=LESSON,
        judge=value(
            3,
            [
                (6, "That would be right if both factors were connected to `a`."),
                (9, "That is the product itself. The question is how much it moves when `a` moves."),
                (0, "One of the two factors is connected to `a`. Which?"),
                (1, "Multiply along the path: the slope to one factor is the other factor."),
                (None, "A gradient does arrive, through one of the factors."),
            ],
        ),
        solution="answer = 3",
        hints=("One of the factors is a constant.", "The slope to one factor is the other factor."),
        wrong=(
            "answer = 6",
            "answer = 9",
            "answer = 0",
            "answer = 1",
            "answer = None",
            "answer = -3",
            "answer = [3, 3]",
        ),
    ),
    Exercise(
        name="history",
        lesson=LESSON,
        judge=judge_history,
        solution=HISTORY,
        hints=("Do the entries share memory?", "What gives memory of its own?"),
        wrong=(
            HISTORY.replace(".clone()", ""),
            HISTORY.replace(".detach()", ""),
            HISTORY.replace("        values.append", "    values.append"),
            HISTORY.replace("w.detach().clone()", "w.grad"),
            "answer = [1, 2, 3]",
        ),
    ),
    Exercise(
        name="moco",
        lesson=LESSON,
        judge=judge_moco,
        solution=MOCO,
        hints=(
            "Two writes in place: make k smaller, then add a part of q.",
            "Nothing of it may be recorded.",
        ),
        wrong=(
            MOCO.replace("    with jgrad.no_grad():\n        k.mul_", "    k.mul_"),
            MOCO.replace("k.mul_(m).add_(q * (1 - m))", "k = m * k + (1 - m) * q"),
            MOCO.replace("k.mul_", "k.data.mul_"),
            MOCO.replace("(1 - m)", "m"),
            MOCO.replace("        k.mul_(m).add_(q * (1 - m))", "        k.set_(m * k + (1 - m) * q)"),
        ),
    ),
    Exercise(
        name="independent",
        lesson=LESSON,
        judge=judge_independent,
        solution=COPY.format("x.detach().to(jgrad.float64, copy=True)"),
        hints=(
            "What does `.double()` do with a tensor of float64?",
            "`to` has an argument that always copies.",
        ),
        wrong=(
            COPY.format("x.detach().double()"),
            COPY.format("x.double().clone()"),
            COPY.format("x.detach().clone()"),
            "def independent(x):\n    x.detach().double().clone()\n\n\nanswer = independent",
        ),
    ),
)
