"""Lesson 1, "Gradients from nothing"."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from jgrad.language import say
from jgrad.teach.data import digits
from jgrad.teach.exercise import Exercise, is_number, library_of, plain, value
from jgrad.teach.running import Failed, run

LESSON = "gradients from nothing"
POINTS = (0.0, 1.0, -2.0, 0.5, 3.0)
ENOUGH = 0.85  # of the digits that a net reads if its two layers learn; of the zeros that a layer finds
SCORES = 10  # one for each digit
APART = 0.1  # how far answers for zeros are from others, if anything was learned
SUMMED = 3  # so many times what one backward() gives: more than from another choice of images


# --- exp in the engine ----------------------------------------------------------------------------------------------------------


def judge_exp(answer: Any) -> str | None:
    """The learner's function `exp`, on the learner's own class `Value`."""
    if not callable(answer):
        return "This is no function. Write def exp(a): ..., and give exp to check."
    value_class = getattr(answer, "__globals__", {}).get("Value")
    if not isinstance(value_class, type):
        return "There is no class Value. Run the cells above first."
    for x in POINTS:
        given = run(value_class, x, what="Value")
        result = run(answer, given, what="Your exp")
        if (sentence := _wrong_exp(given, result, value_class, x)) is not None:
            return sentence
    return _wrong_backward(answer, value_class)


def _wrong_exp(given: Any, result: Any, value_class: type, x: float) -> str | None:
    if result is None or result is ...:
        return "exp(a) returned nothing. It must return a new Value."
    if not isinstance(result, value_class):
        return say("exp(a) must return a Value. It returned this type: {type}.", type=type(result).__name__)
    data: Any = getattr(result, "data", None)
    parents: Any = getattr(result, "parents", None)
    slopes: Any = getattr(result, "slopes", None)
    if given.data != x:
        return "exp(a) changed a. It must leave a as it is."
    if not is_number(data) or not math.isclose(data, math.exp(x), rel_tol=1e-6):
        return "The result has the wrong number in data. math.exp computes it."
    if not isinstance(parents, list | tuple) or len(parents) != 1 or parents[0] is not given:
        return "The result does not know where it came from: its parents must be [a]."
    if not isinstance(slopes, list | tuple) or len(slopes) != 1:
        return "There is one parent, so there must be one slope."
    if slopes[0] == 1 and x != 0:
        return "Your slope is 1. Nudge a by 0.001: how much does exp(a) move?"
    if not is_number(slopes[0]) or not math.isclose(slopes[0], math.exp(x), rel_tol=1e-6):
        return "The number is right and the slope is not. Nudge a by 0.001: how much does exp(a) move? Compare this with exp(a) itself."
    return None


def _wrong_backward(answer: Any, value_class: type) -> str | None:
    """Whether a gradient comes through the new operation and meets another one."""
    if not hasattr(value_class, "backward"):
        return None
    w = run(value_class, 0.5, what="Value")
    y = run(lambda: answer(w) * w + w, what="exp(w) * w + w")
    run(y.backward, what="backward()")
    right = math.exp(0.5) * 1.5 + 1
    if not is_number(w.grad) or not math.isclose(w.grad, right, rel_tol=1e-6):
        return "exp is right, and a gradient does not come through: the slope must be a plain number."
    return None


# --- repaired loops -------------------------------------------------------------------------------------------------------------


def judge_frozen(answer: Any) -> str | None:
    """A function that trains two layers and returns them."""
    if not callable(answer):
        return "Give the repaired function itself to check: frozen, without brackets."
    layers = run(answer, what="frozen()")
    if (
        not isinstance(layers, list | tuple)
        or len(layers) != 2
        or not all(_has_weight(one) for one in layers)
    ):
        return "frozen() must still return its two layers, (first, last)."
    first, last = layers
    if first.weight.grad is None:
        return (
            "No gradient arrives at first.weight, so the first layer learns nothing. Where is the graph cut?"
        )
    if len(last.weight) != SCORES:
        return "The last layer must still give ten scores, one for each digit."
    score = run(lambda: _accuracy(first, last), what="The trained net")
    if score < ENOUGH:
        return "The net reads too few of the digits. Both layers must learn, at the same speed as before."
    return None


STILL_SUMMED = "The layer finds the zeros, and weight.grad at the end is many times what one backward() gives. Is it cleared in each round?"


def judge_zeros(answer: Any) -> str | None:
    """A function that trains a layer to say whether an image is a zero."""
    if not callable(answer):
        return "Give the repaired function itself to check: zeros, without brackets."
    layer = run(answer, what="zeros()")
    if not _has_weight(layer):
        return "zeros() must still return the trained layer."
    found, apart = run(lambda: _zeros(layer), what="The trained layer")
    if found > ENOUGH:
        times = run(lambda: _times_one_gradient(layer, library_of(answer)), what="The trained layer")
        return None if times < SUMMED else STILL_SUMMED
    if apart < APART:
        return "The layer says nearly the same for every image. Print the shape of layer(x) - y."
    return "The layer learns, and not well enough. Leave learning rate and rounds as they were."


def _times_one_gradient(layer: Any, library: Any) -> float:
    """How large the gradient is that a training for the zeros has left, beside what one backward() gives at its end."""
    if layer.weight.grad is None:
        return 0.0
    images, labels = digits()
    y = _like(layer.weight, labels == 0).reshape(-1, 1)
    (one,) = library.autograd.grad(((layer(_like(layer.weight, images)) - y) ** 2).mean(), layer.weight)
    return float(layer.weight.grad.norm() / one.norm())


def _has_weight(layer: Any) -> bool:
    return callable(layer) and hasattr(getattr(layer, "weight", None), "grad")


def _accuracy(first: Any, last: Any) -> float:
    images, labels = digits()
    x = _like(first.weight, images)
    found = plain(last(first(x).relu()).argmax(1))
    return sum(a == b for a, b in zip(found, plain(labels), strict=True)) / len(labels)


def _zeros(layer: Any) -> tuple[float, float]:
    """How many a layer judges right, of the zeros or of the other digits; and how far its answers for them are apart."""
    images, labels = digits()
    said = [*_numbers(plain(layer(_like(layer.weight, images))))]
    if len(said) != len(labels):
        raise Failed("The layer must have one output.")
    zeros = [one for one, label in zip(said, labels, strict=True) if label == 0]
    others = [one for one, label in zip(said, labels, strict=True) if label != 0]
    found = min(sum(one > 0.5 for one in zeros) / len(zeros), sum(one < 0.5 for one in others) / len(others))
    return found, sum(zeros) / len(zeros) - sum(others) / len(others)


def _like(weight: Any, images: Any) -> Any:
    """The images as a tensor of the library of a weight."""
    return weight.detach().new_tensor(images.tolist())


def _numbers(found: Any) -> Iterator[float]:
    if isinstance(found, list):
        for one in found:
            yield from _numbers(one)
    else:
        yield found


# --- the exercises --------------------------------------------------------------------------------------------------------------

FROZEN = """\
def frozen():
    jgrad.manual_seed(0)
    first, last = nn.Linear(64, 32), nn.Linear(32, 10)
    optimizer = optim.SGD([*first.parameters(), *last.parameters()], lr=0.3)
    for epoch in range(4):
        for at in range(0, 1400, 32):
            optimizer.zero_grad()
            hidden = first(x_train[at : at + 32]).relu(){cut}
            loss = F.cross_entropy(last(hidden), y_train[at : at + 32])
            loss.backward()
            optimizer.step()
    return first, last
"""

ZEROS = """\
def zeros():
    jgrad.manual_seed(0)
    layer = nn.Linear(64, 1)
    optimizer = optim.SGD(layer.parameters(), lr=0.03)
    x = x_train[:200]
    y = (y_train[:200] == 0).float(){column}
    for epoch in range(200):
        optimizer.zero_grad()
        loss = ((layer(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    return layer
"""

EXERCISES = (
    Exercise(
        name="slope",
        lesson=LESSON,
        judge=value(
            7,
            [
                (4, "That is the path through w * w alone. 3 * w is a path too."),
                (3, "That is the path through 3 * w alone. w * w has two more."),
                (5, "You have one of the two w's in w * w. Each of them is a path."),
                (2, "That is one of the two w's in w * w. There are three paths."),
                (12, "You multiplied the paths. Along a path you multiply; paths are added."),
                (10, "That is y itself. The question is how much y moves when w moves."),
                (6, "You multiplied somewhere where you must add. Write down one number for each path."),
            ],
        ),
        solution="answer = 2 + 2 + 3",
        hints=(
            "How many times does w stand in the formula? Each is a path.",
            "In w * w, one path has the slope w, which is 2, and so has the other. In 3 * w the slope is 3.",
        ),
        wrong=(
            "answer = 4",
            "answer = 3",
            "answer = 5",
            "answer = 2",
            "answer = 12",
            "answer = 10",
            "answer = 6",
            "answer = -7",
            "answer = float('nan')",
            "answer = [7, 7]",
        ),
    ),
    Exercise(
        name="exp",
        lesson=LESSON,
        judge=judge_exp,
        solution="def exp(a):\n    e = math.exp(a.data)\n    return Value(e, (a,), (e,))\n\n\nanswer = exp\n",
        hints=(
            "A new Value needs three things: its number, its parents, and the slope to each parent.",
            "The slope of exp at a is exp(a) itself: nudge a and see.",
        ),
        wrong=(
            "def exp(a):\n    return Value(math.exp(a.data), (a,), (1.0,))\n\n\nanswer = exp",
            "def exp(a):\n    return Value(math.exp(a.data))\n\n\nanswer = exp",
            "def exp(a):\n    return math.exp(a.data)\n\n\nanswer = exp",
            "def exp(a):\n    e = math.exp(a.data)\n    return Value(e, (a,), (a.data * e,))\n\n\nanswer = exp",
            "def exp(a):\n    a.data = math.exp(a.data)\n    return a\n\n\nanswer = exp",
            "def exp(a):\n    e = math.exp(a.data)\n    return Value(e, (a,), ())\n\n\nanswer = exp",
            "def exp(a):\n    e = a.data ** 2\n    return Value(e, (a,), (e,))\n\n\nanswer = exp",
        ),
    ),
    Exercise(
        name="rates",
        lesson=LESSON,
        judge=value(
            ["slow", "good", "good", "stuck"],
            [
                (
                    ["good", "good", "good", "stuck"],
                    "Look at the first line once more: is 2.14 far from where it began?",
                ),
                (
                    ["slow", "good", "stuck", "stuck"],
                    "At rate 1 the loss falls in every epoch but stays small. Is that stuck?",
                ),
                (["stuck", "good", "good", "stuck"], "The first one moves, in every epoch. It is only slow."),
            ],
        ),
        solution='answer = ["slow", "good", "good", "stuck"]',
        hints=(
            "The loss of a net that guesses is log 10, which is 2.3.",
            "Compare the first and the last number of each line.",
        ),
        wrong=(
            'answer = ["good", "good", "good", "stuck"]',
            'answer = ["slow", "good", "stuck", "stuck"]',
            'answer = ["stuck", "good", "good", "stuck"]',
            'answer = ["slow", "good", "good", "good"]',
            'answer = ["slow", "good"]',
        ),
    ),
    Exercise(
        name="frozen",
        lesson=LESSON,
        judge=judge_frozen,
        solution=FROZEN.format(cut="") + "\n\nanswer = frozen\n",
        hints=(
            "Run frozen() under %%trace, then ask %why.",
            "Which word in the loop cuts a tensor from its graph?",
        ),
        wrong=(
            FROZEN.format(cut=".detach()") + "\n\nanswer = frozen\n",
            FROZEN.format(cut="").replace("return first, last", "return last") + "\n\nanswer = frozen\n",
            FROZEN.format(cut="").replace("            optimizer.zero_grad()\n", "")
            + "\n\nanswer = frozen\n",
            "answer = frozen()",
        ),
    ),
    Exercise(
        name="zeros",
        lesson=LESSON,
        judge=judge_zeros,
        solution=ZEROS.format(column=".unsqueeze(1)") + "\n\nanswer = zeros\n",
        hints=(
            "Print the shapes of layer(x), of y, and of their difference. Of a column, [200, 1], and a row, [200], each element is paired with each one of the other.",
            "Each answer is compared with each image, instead of with its own. y.unsqueeze(1) is y as a column, [200, 1].",
        ),
        wrong=(
            ZEROS.format(column="") + "\n\nanswer = zeros\n",
            ZEROS.format(column=".unsqueeze(1)").replace("return layer", "return loss")
            + "\n\nanswer = zeros\n",
            ZEROS.format(column=".unsqueeze(1)").replace("range(200)", "range(3)") + "\n\nanswer = zeros\n",
            ZEROS.format(column=".unsqueeze(1)").replace("        optimizer.zero_grad()\n", "")
            + "\n\nanswer = zeros\n",
            "answer = zeros()",
        ),
    ),
)
