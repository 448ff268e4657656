"""Which code of other cells stands beside a trace."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.notebook.cells import run

pytestmark = pytest.mark.quick


def test_a_function_with_the_name_of_a_method_is_not_what_the_cell_calls(
    shell: InteractiveShell, shown: list
) -> None:
    """A learner who has written `backward` saw it beside each later trace."""
    run(
        shell,
        "def backward(self):\n    return 1\ndef loss_of(x):\n    return helper(x).sum()\ndef helper(x):\n    return x",
    )
    run(shell, "%%trace\nw = jgrad.ones(2, requires_grad=True)\nloss_of(w).backward()")
    lines = [line for source in shown[-1][0]["sources"] for line in source["lines"]]
    assert "def loss_of(x):" in lines
    assert "def helper(x):" in lines
    assert "def backward(self):" not in lines
