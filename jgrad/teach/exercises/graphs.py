"""Lesson 3, "The graph behind the numbers"."""

from __future__ import annotations

from typing import Any

from jgrad.teach.exercise import Exercise, is_number, library_of, plain, value
from jgrad.teach.running import Failed, run

LESSON = "graphs"


def judge_count_nodes(answer: Any) -> str | None:
    """A function that counts the different nodes of the graph of a tensor."""
    if not callable(answer):
        return "Give the function itself to check: count_nodes, without brackets."
    library = library_of(answer)
    w = library.ones(1, requires_grad=True)
    product = w * w
    square = (w + 1) * (w + 1)
    many = _doubled(w, 12)
    graphs = (
        (w * 2, 2, "For w * 2 the answer is wrong. An edge to a number has no node: (None, 0)."),
        (product, 2, "For w * w, both edges lead to one node. It counts once."),
        (
            square,
            4,
            "For (w + 1) * (w + 1) the answer is wrong. How many sums are there, and how many leaves?",
        ),
        (many, 13, "In a graph with many paths your function counts a node more than once."),
    )
    for tensor, expected, sentence in graphs:
        found = plain(run(answer, tensor, what="Your function"))
        if found is None:
            return "Your function returned None. It must return a number."
        if not is_number(found) or found != expected:
            return sentence
    try:
        # Only a function that goes on from each node once comes to an end here.
        found = plain(run(answer, _doubled(w, 60), seconds=1.0))
    except Failed:
        return (
            "In a graph with very many paths your function does not end. It must go on from each node once."
        )
    return None if found == 61 else "In a graph of 61 nodes the answer is wrong."


def _doubled(tensor: Any, times: int) -> Any:
    """A tensor whose graph has `times` + 1 nodes, and a power of two of paths."""
    for _ in range(times):
        tensor = tensor + tensor
    return tensor


EXERCISES = (
    Exercise(
        name="nodes",
        lesson=LESSON,
        judge=value(
            3,
            [
                (2, "v * v and u + 1 have a node each. What adds the gradient to u.grad?"),
                (4, "The two edges of the product lead to the same node. Count it once."),
                (5, "You counted along the paths. Each node counts once."),
                (1, "The graph goes on behind the product, to v and to u."),
            ],
        ),
        solution="answer = 3",
        hints=(
            "Draw a circle for each operation, and one for each leaf.",
            "Which nodes do the two edges of the product lead to?",
        ),
        wrong=("answer = 2", "answer = 4", "answer = 5", "answer = 1", "answer = '3'"),
    ),
    Exercise(
        name="leaves",
        lesson=LESSON,
        judge=value(
            [True, False, True, True, True],
            [
                (
                    [True, False, False, False, False],
                    "A leaf is a tensor without a grad_fn. Which of them has one?",
                ),
                ([True, False, True, False, True], "d was computed. But was the operation recorded?"),
                ([True, False, True, False, False], "Print the grad_fn of d and of e."),
                (
                    [True, False, False, False, True],
                    "A detached tensor has no grad_fn. What does that make it?",
                ),
            ],
        ),
        solution="answer = [True, False, True, True, True]",
        hints=(
            "Which of the five have a grad_fn?",
            "An operation is recorded only if an input requires grad.",
        ),
        wrong=(
            "answer = [True, False, False, False, False]",
            "answer = [True, False, True, False, True]",
            "answer = [True, False, True, False, False]",
            "answer = [True, False, False, False, True]",
            "answer = [False, True, False, False, False]",
            "answer = [True, True, True, True]",
            "answer = True",
        ),
    ),
    Exercise(
        name="loop-slope",
        lesson=LESSON,
        judge=value(
            [8, 8],
            [
                (8, "Each element has this slope. There are two of them."),
                ([2, 2], "y is doubled more than once. Write down |y|² in each round."),
                ([4, 4], "One round is missing: is 400 less than 1000?"),
                ([16, 16], "One round too many: the loop ends when |y|² is 1000 or more."),
                ([3, 3], "That is how often the loop runs. Each round doubles."),
                ([24, 32], "That is y at the end. The question is how much its sum moves when x moves."),
            ],
        ),
        solution="answer = [8, 8]",
        hints=("|y|² is 25 at first. What is it after each round?", "Then y is a multiple of x. Which one?"),
        wrong=(
            "answer = 8",
            "answer = [2, 2]",
            "answer = [4, 4]",
            "answer = [16, 16]",
            "answer = [3, 3]",
            "answer = [24, 32]",
            "answer = [8, 8, 8]",
        ),
    ),
    Exercise(
        name="count-nodes",
        lesson=LESSON,
        judge=judge_count_nodes,
        solution="""\
def count_nodes(y):
    nodes, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            todo += [following for following, _ in node.next_functions]
    return len(nodes)


answer = count_nodes
""",
        hints=(
            "Begin at y.grad_fn. The nodes behind a node are in its next_functions, as pairs.",
            "Keep the nodes that you have seen in a set. An edge to a number is (None, 0).",
        ),
        wrong=(
            "def count_nodes(y):\n    def walk(node):\n        return 0 if node is None else 1 + sum(walk(n) for n, _ in node.next_functions)\n    return walk(y.grad_fn)\n\n\nanswer = count_nodes",
            "def count_nodes(y):\n    def walk(node):\n        return 1 if node is None else 1 + sum(walk(n) for n, _ in node.next_functions)\n    return walk(y.grad_fn)\n\n\nanswer = count_nodes",
            "def count_nodes(y):\n    def walk(node):\n        return {node}.union(*(walk(n) for n, _ in node.next_functions)) if node else set()\n    print(len(walk(y.grad_fn)))\n\n\nanswer = count_nodes",
            "def count_nodes(y):\n    nodes, todo = set(), [y.grad_fn]\n    while todo:\n        node = todo.pop()\n        if node is not None:\n            nodes.add(node)\n            todo += [n for n, _ in node.next_functions]\n    return len(nodes)\n\n\nanswer = count_nodes",
            "answer = 3",
        ),
    ),
)
