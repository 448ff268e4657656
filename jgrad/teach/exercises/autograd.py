"""Lesson 4, "Autograd"."""

from __future__ import annotations

import math
from typing import Any

from jgrad.teach.exercise import Exercise, is_number, library_of, plain, value
from jgrad.teach.running import run

LESSON = "autograd"


def judge_never_there(answer: Any) -> str | None:
    """A function that trains one number and returns it."""
    if not callable(answer):
        return "Give the repaired function itself to check: never_there, without brackets."
    w = run(answer, what="never_there()")
    found = plain(w)
    if not is_number(found):
        return "never_there() must still return w."
    if not getattr(w, "is_leaf", False) or not w.requires_grad:
        return "w must still be a leaf that requires grad at the end."
    if math.isclose(found, 2, abs_tol=1e-3):
        return None
    if math.isnan(found) or abs(found) > 100:
        return "w runs away. Leave the learning rate as it was, and look at the sign of the step."
    if found == 0:
        return "w does not move at all."
    return "w does not arrive. Print w.grad in each round: which of them does it contain?"


def judge_frozen_layer(answer: Any) -> str | None:
    """A function of three tensors, whose gradient must not reach the second one."""
    if not callable(answer):
        return "Give the function itself to check: frozen_layer, without brackets."
    library = library_of(answer)
    for x, w, v in ((2.0, 3.0, 4.0), (-1.0, 0.5, 2.0)):
        given = [library.tensor(number, requires_grad=True) for number in (x, w, v)]
        y = run(answer, *given, what="frozen_layer()")
        if y is None:
            return "Your function returned None. It must return y."
        if not is_number(plain(y)) or not math.isclose(plain(y), x * w * v, rel_tol=1e-5):
            return "y has the wrong value. It must be V * W * x."
        if not given[1].requires_grad:
            return "You changed W.requires_grad. There is a way without that."
        if not getattr(y, "requires_grad", False):
            return "y does not require grad, so no gradient reaches anything. The recording was off, or the result is detached."
        run(y.backward, what="y.backward()")
        if (sentence := _wrong_gradients(given, (w * v, x * w))) is not None:
            return sentence
    return None


def _wrong_gradients(given: list[Any], right: tuple[float, float]) -> str | None:
    of_x, of_w, of_v = (plain(tensor.grad) for tensor in given)
    if of_w is not None:
        return "A gradient still reaches W. Which word gives a tensor with the same numbers, outside of the graph?"
    if of_x is None:
        return "No gradient reaches x. You cut too much: only W is a constant."
    if of_v is None:
        return "No gradient reaches V. You cut too much: only W is a constant."
    if not math.isclose(of_x, right[0], rel_tol=1e-5) or not math.isclose(of_v, right[1], rel_tol=1e-5):
        return "The gradients of x and V are wrong."
    return None


NEVER_THERE = """\
def never_there():
    w = jgrad.tensor(0.0, requires_grad=True)
    for _ in range(20):
        w.grad = None
        error = (w * 3 - 6) ** 2
        error.backward()
        with jgrad.no_grad():
            w -= 0.05 * w.grad
    return w


answer = never_there
"""
FROZEN = "def frozen_layer(x, W, V):\n    return V * ({} * x)\n\n\nanswer = frozen_layer\n"

EXERCISES = (
    Exercise(
        name="weights",
        lesson=LESSON,
        judge=value(
            25,
            [
                (17, "You added the three derivatives. Each has a weight."),
                (12, "That is one of the derivatives. The gradient is a sum over all outputs."),
                (24, "One term is missing: the first output counts too."),
                (29, "The weight of the second output is 0."),
                ([1, 4, 12], "These are the three derivatives. Multiply each by its weight, and add."),
                ([1, 0, 24], "Nearly: w is one number, so its gradient is one number."),
                (18, "That is the weighted sum of the values. Take the derivatives."),
                (16, "That is 4 + 12, two of the derivatives. Multiply each by its weight: 1, 0 and 2."),
                (14, "That is the sum of the values. Take the derivatives, each times its weight."),
            ],
        ),
        solution="answer = 1 * 1 + 0 * 4 + 2 * 12",
        hints=("What are the three derivatives at w = 2?", "Multiply each by its weight, and add."),
        wrong=(
            "answer = 17",
            "answer = 12",
            "answer = 24",
            "answer = 29",
            "answer = [1, 4, 12]",
            "answer = [1, 0, 24]",
            "answer = 18",
            "answer = -25",
        ),
    ),
    Exercise(
        name="twice",
        lesson=LESSON,
        judge=value(
            [False, True, True],
            [
                (
                    [True, True, True],
                    "An error comes only if a saved tensor is needed again. What does a sum save?",
                ),
                (
                    [False, False, True],
                    "A product with a number saves something too: what is the derivative of x * 2?",
                ),
                (
                    [False, False, False],
                    "backward() frees what the nodes saved. Which nodes saved something?",
                ),
                ([True, False, False], "It is the other way round."),
            ],
        ),
        solution="answer = [False, True, True]",
        hints=("What must each node remember to compute its derivative?", "backward() frees exactly that."),
        wrong=(
            "answer = [True, True, True]",
            "answer = [False, False, True]",
            "answer = [False, False, False]",
            "answer = [True, False, False]",
            "answer = [False, True, False]",
            "answer = True",
        ),
    ),
    Exercise(
        name="never-there",
        lesson=LESSON,
        judge=judge_never_there,
        solution=NEVER_THERE,
        hints=("Print w.grad in each round.", "What did the loop of lesson 1 do that this one does not?"),
        wrong=(
            NEVER_THERE.replace("        w.grad = None\n", ""),
            NEVER_THERE.replace("return w", "return error"),
            NEVER_THERE.replace("            w -= 0.05 * w.grad", "            w += 0.05 * w.grad"),
            NEVER_THERE.replace("            w -= 0.05 * w.grad", "            w - 0.05 * w.grad"),
            "answer = 2.0",
        ),
    ),
    Exercise(
        name="frozen-layer",
        lesson=LESSON,
        judge=judge_frozen_layer,
        solution=FROZEN.format("W.detach()"),
        hints=(
            "Which factor must be a constant?",
            "A call gives a tensor with the same numbers, outside of the graph.",
        ),
        wrong=(
            FROZEN.format("W"),
            "def frozen_layer(x, W, V):\n    with jgrad.no_grad():\n        h = W * x\n    return V * h\n\n\nanswer = frozen_layer",
            "def frozen_layer(x, W, V):\n    W.requires_grad_(False)\n    return V * (W * x)\n\n\nanswer = frozen_layer",
            "def frozen_layer(x, W, V):\n    return V.detach() * (W.detach() * x)\n\n\nanswer = frozen_layer",
            "def frozen_layer(x, W, V):\n    return (V * W * x).detach()\n\n\nanswer = frozen_layer",
            "def frozen_layer(x, W, V):\n    return V + (W.detach() * x)\n\n\nanswer = frozen_layer",
            "def frozen_layer(x, W, V):\n    y = V * (W.detach() * x)\n\n\nanswer = frozen_layer",
        ),
    ),
)
