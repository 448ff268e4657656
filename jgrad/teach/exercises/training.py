"""Lesson 7, "Training"."""

from __future__ import annotations

import math
from typing import Any

from jgrad.teach.data import digits
from jgrad.teach.exercise import Exercise, library_of, plain, same, value
from jgrad.teach.running import Failed, run

LESSON = "training"
WANTED = 0.96  # of all digits, those that were trained on included


def accuracy(net: Any, library: Any) -> float:
    """Of all digits, how many a net reads."""
    images, labels = digits()
    with library.no_grad():
        said = plain(net(library.tensor(images)).argmax(1))
    if not isinstance(said, list) or len(said) != len(labels):
        raise Failed("The net must give ten scores for each image.")
    return sum(a == b for a, b in zip(said, plain(labels), strict=True)) / len(labels)


def judge_reach(answer: Any) -> str | None:
    """A function that trains a net and returns it."""
    if not callable(answer) or hasattr(answer, "parameters"):
        return "Give the function itself to check: better, without brackets."
    library = library_of(answer)
    net = run(answer, seconds=20.0, what="better()")
    if net is None or not callable(net) or not hasattr(net, "parameters"):
        return "better() must return the trained net."
    net.eval()
    score = run(accuracy, net, library, what="The trained net")
    if score >= WANTED:
        return None
    if score < 0.2:
        return "The net guesses. Was it trained, and long enough? Is the learning rate too small, or far too large?"
    return f"The net reads {score:.1%} of all digits. {WANTED:.0%} are needed: other rate, more rounds, more hidden numbers, or another optimizer."


def judge_finite(answer: Any) -> str | None:
    """A function that computes the cross entropy of scores."""
    if not callable(answer):
        return "Give the function itself to check: loss_of, without brackets."
    library = library_of(answer)
    for scores, labels in (
        ([[1.0, 2.0], [0.5, 0.0]], [1, 0]),
        ([[0.0, 1000.0]], [1]),
        ([[1000.0, 0.0, -1000.0]], [1]),
    ):
        x = library.tensor(scores, requires_grad=True)
        loss = run(answer, x, library.tensor(labels), what="loss_of()")
        if not hasattr(loss, "grad_fn"):
            return "loss_of() must return a tensor."
        expected = sum(_cross_entropy(row, label) for row, label in zip(scores, labels, strict=True)) / len(
            scores
        )
        found = plain(loss.detach())
        if not isinstance(found, float):
            return "The loss must be one number."
        if not math.isfinite(found):
            return "For scores such as 1000 the loss is not finite: exp(1000) has no place in float32."
        if not same(found, expected):
            return "The loss is finite, and it is not the cross entropy of the scores."
        run(loss.backward, what="loss.backward()")
        if x.grad is None or not all(math.isfinite(one) for row in plain(x.grad) for one in row):
            return "The loss is right, and its gradient is nan."
    return None


def _cross_entropy(scores: list[float], label: int) -> float:
    top = max(scores)
    return top + math.log(sum(math.exp(one - top) for one in scores)) - scores[label]


BETTER = """\
def better():
    net = new_net()
    train(net, optim.SGD(net.parameters(), lr=0.1, momentum=0.9), epochs=10)
    return net


answer = better
"""
FINITE = "def loss_of(scores, labels):\n    return {}\n\n\nanswer = loss_of\n"

EXERCISES = (
    Exercise(
        name="reach",
        lesson=LESSON,
        judge=judge_reach,
        solution=BETTER,
        hints=("What do the curves of section 2 say about the rate?", "Try momentum=0.9, and ten epochs."),
        wrong=(
            BETTER.replace("lr=0.1, momentum=0.9", "lr=0.001"),
            BETTER.replace("    return net\n", ""),
            "answer = new_net()",
        ),
    ),
    Exercise(
        name="curves",
        lesson=LESSON,
        judge=value(
            ["too small", "good", "too large"],
            [
                (["good", "good", "too large"], "The first one is still at the beginning after all rounds."),
                (["too small", "good", "good"], "The last one jumps, and does not come down."),
                (["too small", "too small", "too large"], "The second one comes down to where it can."),
                (["too large", "good", "too small"], "It is the other way round: small steps take long."),
            ],
        ),
        solution='answer = ["too small", "good", "too large"]',
        hints=("Guessing has a loss of 2.3.", "Small steps take long, and large steps miss."),
        wrong=(
            'answer = ["good", "good", "too large"]',
            'answer = ["too small", "good", "good"]',
            'answer = ["too small", "too small", "too large"]',
            'answer = ["too large", "good", "too small"]',
            'answer = ["too large", "too large", "too large"]',
            'answer = ["good"]',
        ),
    ),
    Exercise(
        name="finite",
        lesson=LESSON,
        judge=judge_finite,
        solution=FINITE.format("-scores.log_softmax(1)[range(len(labels)), labels].mean()"),
        hints=(
            "What is exp(1000) in float32, and inf / inf?",
            "PyTorch has log and softmax in one function.",
        ),
        wrong=(
            FINITE.format("-scores.softmax(1)[range(len(labels)), labels].log().mean()"),
            FINITE.format("-scores.log_softmax(0)[range(len(labels)), labels].mean()"),
            FINITE.format("-scores.log_softmax(1)[range(len(labels)), labels]"),
            FINITE.format("(-scores.log_softmax(1)[range(len(labels)), labels].mean()).item()"),
        ),
    ),
)
