"""What the Tab key offers."""

from __future__ import annotations

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from jgrad.notebook.completion import Completer
from tests.magics.cells import run

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("line", "expected"), [
    ("%%trace --", ["--view", "--name", "--watch", "--max-steps", "--no-show"]),
    ("%%trace --m", ["--max-steps"]),
    ("%%trace --view ", ["timeline", "storage", "graph", "accumulation", "scatter"]),
    ("%%trace --view s", ["storage", "scatter"]),
    ("%%trace --view storage,g", ["storage,graph"]),
    ("%%trace --watch al", ["alpha"]),
    ("%storage al", ["alpha"]),
    ("%storage alpha be", ["beta"]),
    ("%why b", ["beta"]),
    ("%grad alpha * beta wrt b", ["beta"]),
    ("%grad alpha --", ["--order"]),
    ("g = %grad alpha wrt al", ["alpha"]),
    ("%timeit --", []),
    ("x = 1", []),
])  # fmt: skip
def test_completion(shell: InteractiveShell, line: str, expected: list[str]) -> None:
    run(shell, "alpha = jgrad.ones(1); beta = alpha * 2; _hidden = alpha; gamma = 3")
    assert Completer(shell).options(line) == expected
    with provisionalcompleter():
        found = [c.text for c in shell.Completer.completions(line, len(line))]
    assert set(expected) <= set(found)
