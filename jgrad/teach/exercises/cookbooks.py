"""The two notebooks to look up in: "Making tensors" and "Operations"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, library_of, plain, value
from jgrad.teach.running import run

LESSON = "to look up"


def judge_colours(answer: Any) -> str | None:
    """A function that moves the last axis of a tensor to place 1."""
    if not callable(answer):
        return "Give the function itself to check: colours_first, without brackets."
    library = library_of(answer)
    for shape in ((2, 4, 5, 3), (2, 6, 4, 5, 3)):
        batch = library.arange(_product(shape)).reshape(shape)
        result = run(answer, batch, what="colours_first()")
        if result is None or not hasattr(result, "shape"):
            return "Your function must return a tensor."
        kind = "images" if len(shape) == 4 else "videos"
        if tuple(result.shape) != (shape[0], shape[-1], *shape[1:-1]):
            return f"For {kind} the shape of the result is wrong."
        if plain(result.movedim(1, -1)) != plain(batch):
            return f"For {kind} the shape is right, and the elements are in the wrong order."
        if result.data_ptr() != batch.data_ptr():
            return "The result is a copy. A view is enough."
    return None


def _product(sizes: tuple[int, ...]) -> int:
    return sizes[0] * _product(sizes[1:]) if sizes else 1


COLOURS = "def colours_first(batch):\n    return {}\n\n\nanswer = colours_first\n"

EXERCISES = (
    Exercise(
        name="out",
        lesson=LESSON,
        judge=value(
            [1, 2, 2, 1, 3],
            [
                ([1, 1, 1, 1, 3], "`buffer[1:3]` is a view: what is written to it is written to `buffer`."),
                ([2, 2, 1, 1, 3], "Which elements of `buffer` does `buffer[1:3]` name?"),
                ([1, 2, 2, 1, 1], "`zeros` resizes an `out` that is too small."),
                ([2, 2, 2, 2, 3], "Only two elements of `buffer` are written."),
                ([1, 2, 2, 2, 3], "`1:3` stops before 3."),
            ],
        ),
        solution="answer = [1, 2, 2, 1, 3]",
        hints=("Is a slice a view or a copy?", "What does `zeros` do with an `out` of the wrong size?"),
        wrong=(
            "answer = [1, 1, 1, 1, 3]",
            "answer = [2, 2, 1, 1, 3]",
            "answer = [1, 2, 2, 1, 1]",
            "answer = [2, 2, 2, 2, 3]",
            "answer = [1, 2, 2, 2, 3]",
            "answer = [1, 2, 2, 1, 0]",
            "answer = [1, 2, 2, 1]",
        ),
    ),
    Exercise(
        name="colours",
        lesson=LESSON,
        judge=judge_colours,
        solution=COLOURS.format("batch.movedim(-1, 1)"),
        hints=("Which function moves one axis and keeps the order of the others?", "-1 is the last axis."),
        wrong=(
            COLOURS.format("batch.transpose(1, -1)"),
            COLOURS.format("batch.permute(0, 3, 1, 2)"),
            COLOURS.format("batch.reshape(batch.shape[0], batch.shape[-1], *batch.shape[1:-1])"),
            COLOURS.format("batch.movedim(-1, 1).contiguous()"),
        ),
    ),
)
