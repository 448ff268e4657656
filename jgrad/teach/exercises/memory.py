"""Lesson 5, "Memory: views, writes and versions"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, library_of, plain, same, value
from jgrad.teach.running import Failed, run

LESSON = "memory"


def judge_step(answer: Any) -> str | None:
    """A function that takes one step of gradient descent in place."""
    if not callable(answer):
        return "Give the function itself to check: step, without brackets."
    library = library_of(answer)
    w = library.tensor([1.0, -2.0], requires_grad=True)
    (w * w).sum().backward()
    saved = w.exp()
    before = w._version
    try:
        run(answer, w, 0.25, what="step()")
    except Failed as failed:
        return (
            f"{failed} A leaf that requires grad may be written to only while nothing is recorded."
            if "leaf" in str(failed)
            else str(failed)
        )
    moved = plain(w.detach())
    if same(moved, [1.0, -2.0]):
        return "w has not changed. `w = ...` in a function only gives the name another tensor."
    if not same(moved, [0.5, -1.0]):
        return "w changed, but not to w - rate * w.grad."
    if not w.is_leaf or not w.requires_grad:
        return "w is no longer a leaf that requires grad."
    if w._version == before:
        return "The write was not counted: w._version is what it was. Which way to write to w is not noticed?"
    if w.grad is not None:
        return "w.grad is still there. It must be None afterwards."
    if not saved.requires_grad:
        return "You changed a tensor that was computed before."
    return None


STEP = "def step(w, rate):\n    with jgrad.no_grad():\n        w -= rate * w.grad\n    w.grad = None\n\n\nanswer = step\n"

EXERCISES = (
    Exercise(
        name="names",
        lesson=LESSON,
        judge=value(
            [1, 20],
            [
                ([0, 20], "`b += 1` writes to the tensor that both names mean."),
                ([20, 20], "`b = b + 1` gives the name `b` to a new tensor. `a` stays behind."),
                ([2, 20], "`b = b + 1` does not write to the old tensor."),
                ([1, 2], "`mul_` is a write too: to the new tensor."),
                ([10, 20], "When `mul_` runs, `a` and `b` are no longer one tensor."),
                ([20, 1], "You have the two the wrong way round."),
            ],
        ),
        solution="answer = [1, 20]",
        hints=(
            "Write down after each line whether `a` and `b` are one tensor.",
            "`b += 1` writes. `b = b + 1` makes a new tensor.",
        ),
        wrong=(
            "answer = [0, 20]",
            "answer = [20, 20]",
            "answer = [2, 20]",
            "answer = [1, 2]",
            "answer = [10, 20]",
            "answer = [20, 1]",
            "answer = [1, 30]",
            "answer = [1]",
        ),
    ),
    Exercise(
        name="reaches",
        lesson=LESSON,
        judge=value(
            [True, True, False, False, True],
            [
                (
                    [True, True, True, False, True],
                    "Can strides describe `x.t().reshape(6)`? Look at the places of its elements.",
                ),
                ([True, True, False, True, True], "A list as an index makes a copy."),
                ([True, False, False, False, True], "`reshape` copies only if it must."),
                ([True, False, False, False, False], "`reshape` and `flatten` copy only if they must."),
                ([True, True, True, True, True], "Two of them write to a copy."),
                ([True, True, False, False, False], "`flatten` is a `reshape`."),
            ],
        ),
        solution="answer = [True, True, False, False, True]",
        hints=(
            "Ask %storage for x and for what stands before the last bracket of each line.",
            "A view is possible if the steps from element to element are equal.",
        ),
        wrong=(
            "answer = [True, True, True, False, True]",
            "answer = [True, True, False, True, True]",
            "answer = [True, False, False, False, True]",
            "answer = [True, False, False, False, False]",
            "answer = [True, True, True, True, True]",
            "answer = [True, True, False, False, False]",
            "answer = [False, True, False, False, True]",
            "answer = [True, True]",
        ),
    ),
    Exercise(
        name="raises",
        lesson=LESSON,
        judge=value(
            [False, True, False, False],
            [
                ([True, True, False, False], "What does `x * 2` save? Is it written to?"),
                ([False, True, True, False], "Is a write through `.data` noticed?"),
                ([False, True, False, True], "The last line writes to `y`. What does `x * x` save?"),
                (
                    [False, True, True, True],
                    "Ask for each line: what was saved, was *that* written to, and was the write counted?",
                ),
                ([True, True, True, True], "A write is an error only if it changes what was saved."),
                ([False, False, False, False], "One of them writes to a tensor that its own node has saved."),
            ],
        ),
        solution="answer = [False, True, False, False]",
        hints=(
            "What does each operation save: its input, its result, or a number?",
            "And is the write counted? One way to write is not.",
        ),
        wrong=(
            "answer = [True, True, False, False]",
            "answer = [False, True, True, False]",
            "answer = [False, True, False, True]",
            "answer = [False, True, True, True]",
            "answer = [True, True, True, True]",
            "answer = [False, False, False, False]",
            "answer = [True, False, False, False]",
            "answer = [False, True]",
        ),
    ),
    Exercise(
        name="step",
        lesson=LESSON,
        judge=judge_step,
        solution=STEP,
        hints=("How does an optimizer write to a leaf?", "Turn the recording off, and write with `-=`."),
        wrong=(
            STEP.replace("    with jgrad.no_grad():\n        w -=", "    w -="),
            STEP.replace("w -= rate", "w = w - rate"),
            STEP.replace("w -=", "w.data -="),
            STEP.replace("    w.grad = None\n", ""),
            STEP.replace("w -=", "w +="),
            STEP.replace(
                "        w -= rate * w.grad",
                "        w.copy_(w - rate * w.grad)\n    w.requires_grad_(False)",
            ),
        ),
    ),
)
