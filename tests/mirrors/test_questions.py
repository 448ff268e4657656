"""The magics look at PyTorch's tensors as they are now: nobody reports what happened since they looked last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from tests.words.page import a_shell

pytest.importorskip("torch")


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with a_shell() as shell:
        run(shell, "%reload_ext jgrad\nimport torch")
        yield shell
        run(shell, "%unload_ext jgrad")


def run(shell: InteractiveShell, cell: str) -> str:
    with capture_output(display=False) as captured:
        result = shell.run_cell(cell)
    return captured.stdout + repr(result.result)


CHANGES = {
    "w.requires_grad_(False)": {
        "%why w": "w is a leaf that does not require grad",
        "%why w.grad": "w.grad is None: w does not require grad",
        "%leaves": "no variable holds a leaf that requires grad",
        "%attributes w": "requires_grad  False",
    },
    "(w * w).sum().backward()": {
        "%why w.grad": "w.grad is [2., 2.]",
        "%why w": "w.grad is [2., 2.]",
        "%leaves": "[2., 2.]",
    },
    "w.data = torch.zeros(3)": {
        "%attributes w": "[0., 0., 0.]",
        "%leaves": "[3]",
        "%storage w": "0.     0.  0.",
    },
    "with torch.no_grad(): w.add_(1)": {
        "%why w": "Its version counter has counted 1 write in place",
        "%leaves": "[2., 2.]",
    },
    "v = w.detach()": {"%why w": "w shares memory with v"},
}


@pytest.mark.parametrize(
    ("change", "question", "answer"),
    [(change, question, answer) for change, asked in CHANGES.items() for question, answer in asked.items()],
)
def test_what_is_asked_is_answered_about_now(
    shell: InteractiveShell, change: str, question: str, answer: str
) -> None:
    run(shell, "w = torch.ones(2, requires_grad=True)")
    run(shell, question)
    run(shell, change)
    said = " ".join(run(shell, question).split())
    assert " ".join(answer.split()) in said


@pytest.mark.parametrize("library", ["torch", "jgrad"])
def test_no_question_changes_a_retained_gradient(shell: InteractiveShell, library: str) -> None:
    run(
        shell,
        f"import {library} as L\nx = L.tensor(3., requires_grad=True); h = x * 2; h.retain_grad(); z = h * h",
    )
    assert "It would add 24. to x.grad" in run(shell, "%why z.backward()")
    run(shell, "%grad h * h wrt x --order 2")
    assert run(shell, "h.grad, x.grad").endswith("\n(None, None)")
    run(shell, "z.backward(retain_graph=True); before = h.grad")
    run(shell, "%why z.backward()")
    run(shell, "%grad h * h wrt x")
    assert run(shell, "h.grad is before, h.grad.item(), x.grad.item()").endswith("\n(True, 12.0, 24.0)")


@pytest.mark.parametrize("question", ["%storage x*2", "%attributes x*2"])
def test_what_an_expression_has_made_is_shown_while_it_is_there(
    shell: InteractiveShell, question: str
) -> None:
    run(shell, "x = torch.arange(6.)")
    for _ in range(5):  # memory that is free again soon has other numbers
        said = run(shell, question)
        run(shell, "junk = [torch.rand(6) for _ in range(9)]")
        assert all(number in said for number in ("2.", "8.", "10."))
        assert "e-" not in said


def test_the_gradients_of_a_backward_that_is_tried_are_read_while_they_are_there(
    shell: InteractiveShell,
) -> None:
    run(shell, "x = torch.tensor([1., 2.], requires_grad=True); y = (x * x * x).sum()")
    for _ in range(5):
        assert "It would add [3., 12.] to x.grad" in run(shell, "%why y.backward()")
