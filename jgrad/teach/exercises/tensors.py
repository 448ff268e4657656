"""Lesson 2, "Tensors"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, library_of, plain, same, value
from jgrad.teach.running import run

LESSON = "tensors"


def judge_black(answer: Any) -> str | None:
    """A function from an image of uint8 to floats from 0 to 1."""
    if not callable(answer):
        return "Give the repaired function itself to check: normalised, without brackets."
    library = library_of(answer)
    for values in ([0, 255], [51, 102, 204], [[0, 127], [128, 255]]):
        image = library.tensor(values, dtype=library.uint8)
        result = run(answer, image, what="normalised()")
        if plain(image) != values:
            return "Your function changed the image. It must make a new tensor."
        found = plain(result)
        if found is None:
            return "Your function returned None. It must return the new image."
        if str(getattr(result, "dtype", "")).rpartition(".")[2] != "float32":
            return "The result must be a tensor of float32."
        if not same(found, _divided(values)):
            return "The pictures are still wrong. Try it with an image of one pixel, 51: it should give 0.2."
    return None


def _divided(values: Any) -> Any:
    return [_divided(one) for one in values] if isinstance(values, list) else values / 255


EXERCISES = (
    Exercise(
        name="shapes",
        lesson=LESSON,
        judge=value(
            [1, 3, 6, 3, 8],
            [
                ([1, 1, 6, 3, 8], "Tensor, the class, reads a single number as a size."),
                ([3, 3, 6, 3, 8], "tensor, the function, reads a number as a value."),
                ([1, 3, 6, 4, 8], "Write down the numbers of the arange. Is 10 one of them?"),
                ([1, 3, 6, 2, 8], "The length of arange is rounded up."),
                ([1, 3, 6, 3, 2], "That is how many ones there are. How many elements?"),
                ([1, 3, 6, 3, 4], "eye(2, 4) is no square."),
            ],
        ),
        solution="answer = [1, 3, 6, 3, 8]",
        hints=("tensor and Tensor are not the same.", "Print each of them, and its numel()."),
        wrong=(
            "answer = [1, 1, 6, 3, 8]",
            "answer = [3, 3, 6, 3, 8]",
            "answer = [1, 3, 6, 4, 8]",
            "answer = [1, 3, 6, 2, 8]",
            "answer = [1, 3, 6, 3, 2]",
            "answer = [1, 3, 6, 3, 4]",
            "answer = [1, 3, 5, 3, 8]",
            "answer = [1, 3]",
        ),
    ),
    Exercise(
        name="dtypes",
        lesson=LESSON,
        judge=value(
            ["int64", "float32", "float64", "float32", "bool"],
            [
                (["int32", "float32", "float64", "float32", "bool"], "Whole numbers have 64 bits here."),
                (
                    ["int64", "float32", "float32", "float32", "bool"],
                    "tensor keeps the dtype of an array. Which is NumPy's?",
                ),
                (
                    ["int64", "float32", "float64", "int64", "bool"],
                    "/ divides to floats. // would round.",
                ),
                (
                    ["int64", "float64", "float64", "float32", "bool"],
                    "Python's floats have 64 bits. What does tensor make of them?",
                ),
                (["int64", "float32", "float64", "float32", "int64"], "What is the answer to a comparison?"),
                (
                    ["int64", "int64", "float64", "float32", "bool"],
                    "One float is enough to make all of them floats.",
                ),
            ],
        ),
        solution='answer = ["int64", "float32", "float64", "float32", "bool"]',
        hints=(
            "Three rules: Python numbers, arrays, results of operations.",
            "Print the dtype of each line.",
        ),
        wrong=(
            'answer = ["int32", "float32", "float64", "float32", "bool"]',
            'answer = ["int64", "float32", "float32", "float32", "bool"]',
            'answer = ["int64", "float32", "float64", "int64", "bool"]',
            'answer = ["int64", "float64", "float64", "float32", "bool"]',
            'answer = ["int64", "float32", "float64", "float32", "int64"]',
            'answer = ["int64", "int64", "float64", "float32", "bool"]',
            'answer = ["int64", "float32", "float64", "float64", "bool"]',
            'answer = "int64"',
        ),
    ),
    Exercise(
        name="whose",
        lesson=LESSON,
        judge=value(
            [False, True, True, False],
            [
                ([True, True, True, False], "tensor always copies."),
                ([False, True, False, False], "as_tensor copies only if it must."),
                (
                    [False, True, True, True],
                    "Another dtype needs other bytes. Can they be in the same memory?",
                ),
                ([False, False, False, False], "Two of them use the memory of the array."),
                ([True, True, True, True], "Two of them copy."),
            ],
        ),
        solution="answer = [False, True, True, False]",
        hints=("Which of the names says that it shares?", "A conversion always needs new memory."),
        wrong=(
            "answer = [True, True, True, False]",
            "answer = [False, True, False, False]",
            "answer = [False, True, True, True]",
            "answer = [False, False, False, False]",
            "answer = [True, True, True, True]",
            "answer = [True, False, True, False]",
            "answer = [False]",
        ),
    ),
    Exercise(
        name="black",
        lesson=LESSON,
        judge=judge_black,
        solution="def normalised(image):\n    return image / 255\n\n\nanswer = normalised\n",
        hints=("What is 254 // 255?", "Divide so that floats come out."),
        wrong=(
            "def normalised(image):\n    return (image // 255).float()\n\n\nanswer = normalised",
            "def normalised(image):\n    return image.double() / 255\n\n\nanswer = normalised",
            "def normalised(image):\n    image //= 255\n    return image.float()\n\n\nanswer = normalised",
            "def normalised(image):\n    image / 255\n\n\nanswer = normalised",
            "answer = 0.2",
        ),
    ),
)
