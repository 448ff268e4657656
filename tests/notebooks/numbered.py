"""nbval numbers the cells that it runs, as Jupyter does. By itself it runs each as the first one. `tests/conftest.py` imports this."""

from __future__ import annotations

from nbval.kernel import RunningKernel


def execute_cell_input(self: RunningKernel, cell_input: str, allow_stdin: bool | None = None) -> str:
    """Run a cell with history; returns the id of the message."""
    return self.kc.execute(cell_input, allow_stdin=allow_stdin, stop_on_error=False)


RunningKernel.execute_cell_input = execute_cell_input
