"""Running cells in a shell."""

from __future__ import annotations

from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


def run(shell: InteractiveShell, cell: str) -> tuple[str, str, Any]:
    """Output, error output and result of a cell."""
    with capture_output(display=False) as captured:
        result = shell.run_cell(cell, store_history=True)
    return captured.stdout, captured.stderr, result


def why(shell: InteractiveShell, question: str = "") -> str:
    """What `%why` prints."""
    out, err, result = run(shell, f"%why {question}".rstrip())
    assert err == ""
    assert result.success
    return out.rstrip("\n")
