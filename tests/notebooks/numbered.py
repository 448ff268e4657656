"""What nbval does otherwise here. `tests/conftest.py` imports this.

It numbers the cells that it runs, as Jupyter does; by itself it runs each as the first one. And it does not compare the documents of traces: they are
compressed, which each build of zlib does in its own way, and the pictures and texts that are drawn from them are compared. Nor does it see what a cell
with `%%predict` asks for, which comes as an update of an output.
"""

from __future__ import annotations

from typing import Any

from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbFile

from jgrad.notebook.hidden import ASKED_FOR
from jgrad.views.transport import TRACE


def execute_cell_input(self: RunningKernel, cell_input: str, allow_stdin: bool | None = None) -> str:
    """Run a cell with history; returns the id of the message."""
    return self.kc.execute(cell_input, allow_stdin=allow_stdin, stop_on_error=False)


RunningKernel.execute_cell_input = execute_cell_input

begin = IPyNbFile.__init__


def begin_without_traces(self: IPyNbFile, *args: Any, **kwargs: Any) -> None:
    begin(self, *args, **kwargs)
    self.skip_compare = (*self.skip_compare, TRACE, ASKED_FOR)


IPyNbFile.__init__ = begin_without_traces
