"""Lesson 8, "Mistakes everyone makes"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, is_number, library_of, plain, same
from jgrad.teach.running import run

LESSON = "mistakes"


def judge_line(answer: Any) -> str | None:
    """A function that fits a line and returns its weight."""
    if not callable(answer):
        return "Give the repaired function itself to check: fit, without brackets."
    w = run(answer, what="fit()")
    found = plain(w)
    while isinstance(found, list) and len(found) == 1:
        found = found[0]
    if not is_number(found):
        return "fit() must still return w."
    if abs(found - 2) < 0.02:
        return None
    if abs(found - FOR_ALL_PAIRS) < 0.02:
        return "One of the two mistakes is repaired: w.grad is cleared. Now print the shape of `x @ w - y`."
    if abs(found - SWINGING) < 0.02:
        return "One of the two mistakes is repaired: the shapes fit. Now print w.grad in each round."
    if abs(found) > 10 or found != found:
        return "w runs away: the steps become larger and larger. What does w.grad contain?"
    return "w is not 2. Print the shape of `x @ w - y`, and w.grad in each round. There are two mistakes."


def _swung() -> float:
    """Where w is after 100 rounds if only the gradients are not cleared: on a swing around 2."""
    w = grad = 0.0
    for _ in range(100):
        grad += sum(2 * x * (w * x - 2 * x) for x in (1.0, 2.0, 3.0)) / 3
        w -= 0.05 * grad
    return w


FOR_ALL_PAIRS = 6 * 12 / (3 * 14)  # the w that fits each y to each x best
SWINGING = _swung()


def judge_slope(answer: Any) -> str | None:
    """A function that returns the gradient of the first element of a unit vector."""
    if not callable(answer):
        return "Give the repaired function itself to check: slope_of_unit, without brackets."
    library = library_of(answer)
    for given in ([3.0, 4.0], [-6.0, 8.0]):
        x = library.tensor(given, requires_grad=True)
        found = plain(run(answer, x, what="slope_of_unit()"))
        if found is None:
            return "The function returned None. It must return the gradient."
        length = (given[0] ** 2 + given[1] ** 2) ** 0.5
        right = [given[1] ** 2 / length**3, -given[0] * given[1] / length**3]
        if same(found, right):
            continue
        if same(found, [1 / length, 0.0]):
            return "Here norm is a constant. But it depends on x, so a gradient must come through it, too."
        summed = [a + b / length for a, b in zip(right, given, strict=True)]
        if same(found, summed):
            return "That is a sum: it also contains the gradient of `norm`."
        return "That is not the gradient of unit[0]."
    return None


def judge_total(answer: Any) -> str | None:
    """A function that trains a number and returns it with the sum of the losses."""
    if not callable(answer):
        return "Give the repaired function itself to check: epoch, without brackets."
    found = run(answer, what="epoch()")
    if not isinstance(found, list | tuple) or len(found) != 2:
        return "epoch() must still return two things, w and total."
    w, total = found
    if getattr(total, "requires_grad", False):
        return "total still requires grad, so it keeps the graphs of all rounds."
    if not same(plain(total), RIGHT_TOTAL):
        return "total is not the sum of the losses."
    if not same(plain(w), RIGHT_W):
        return "w is not trained as before."
    return None


def _right() -> tuple[float, float]:
    w, total = 1.0, 0.0
    for x in (1.0, 2.0, 3.0):
        total += (w * x - 1) ** 2
        w -= 0.01 * 2 * (w * x - 1) * x
    return w, total


RIGHT_W, RIGHT_TOTAL = _right()
LINE = """\
def fit():
    x = jgrad.tensor([[1.0], [2.0], [3.0]])
    y = jgrad.tensor([2.0, 4.0, 6.0])
    w = jgrad.zeros(1, 1, requires_grad=True)
    for _ in range(100):
        loss = (({difference}) ** 2).mean()
        {clear}loss.backward()
        with jgrad.no_grad():
            w -= 0.05 * w.grad
    return w


answer = fit
"""
UNIT = """\
def slope_of_unit(x):
    norm = (x * x).sum().sqrt()
    unit = x / norm
    return jgrad.autograd.grad(unit[0], x)[0]


answer = slope_of_unit
"""
TOTAL = """\
def epoch():
    w, total = jgrad.tensor(1.0, requires_grad=True), 0.0
    for x in (1.0, 2.0, 3.0):
        w.grad = None
        loss = (w * x - 1) ** 2
        loss.backward()
        with jgrad.no_grad():
            w -= 0.01 * w.grad
        total += {loss}
    return w, total


answer = epoch
"""
CLEAR = "w.grad = None\n        "

EXERCISES = (
    Exercise(
        name="line",
        lesson=LESSON,
        judge=judge_line,
        solution=LINE.format(difference="(x @ w).squeeze(1) - y", clear=CLEAR),
        hints=("Trace the call, and ask %why. Then repair, and ask again.", "Mistakes 1 and 3."),
        wrong=(
            LINE.format(difference="x @ w - y", clear=""),
            LINE.format(difference="x @ w - y", clear=CLEAR),
            LINE.format(difference="(x @ w).squeeze(1) - y", clear=""),
            LINE.format(difference="(x @ w).squeeze(1) - y", clear="").replace("0.05", "0.5"),
            LINE.format(difference="(x @ w).squeeze(1) - y", clear=CLEAR).replace(
                "return w", "return loss.tolist, w"
            ),
        ),
    ),
    Exercise(
        name="unit",
        lesson=LESSON,
        judge=judge_slope,
        solution=UNIT,
        hints=(
            "Mistake 1: what does x.grad contain?",
            "autograd.grad returns a gradient and adds it to nothing.",
        ),
        wrong=(
            UNIT.replace(
                "    unit = x / norm\n    return jgrad.autograd.grad(unit[0], x)[0]",
                "    norm.backward(retain_graph=True)\n    unit = x / norm\n    unit[0].backward()\n    return x.grad",
            ),
            UNIT.replace("unit[0], x", "unit[1], x"),
            UNIT.replace("x / norm", "x / norm.detach()"),
            UNIT.replace("    return jgrad", "    jgrad"),
        ),
    ),
    Exercise(
        name="total",
        lesson=LESSON,
        judge=judge_total,
        solution=TOTAL.format(loss="loss.item()"),
        hints=("Mistake 23: what is total computed from?", "Which call gives the number of a tensor?"),
        wrong=(
            TOTAL.format(loss="loss"),
            TOTAL.format(loss="1"),
            TOTAL.format(loss="loss.item()").replace("return w, total", "return total"),
        ),
    ),
)
