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
