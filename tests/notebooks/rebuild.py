"""Run the notebooks again and store what they print, in a form that makes small diffs.

    python -m tests.notebooks.rebuild [NOTEBOOK ...]

Widgets are left out of the file: without their state, which would carry the whole front end once per view,
they could only show an error. What stays is the static twin that stands before each of them.

Timings, which nobody compares, stay as they are stored: clear the outputs of such a cell to have it measured again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from jgrad.notebook.hidden import is_hidden, without_verdict
from tests.notebooks import cells

WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def rebuild(path: Path) -> None:
    notebook = cells.load(path)
    measured = {
        cell.id: cell.outputs
        for cell in cells.code_cells(notebook)
        if cell.outputs and "nbval-ignore-output" in cells.tags(cell)
    }
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in ("slideshow", "tags") if key in cell.metadata}
        if is_hidden(cell):
            kept["jupyter"] = {"outputs_hidden": True}
        cell.metadata = nbformat.from_dict(kept)
    for cell in cells.code_cells(notebook):
        for output in cell.outputs:
            if output.get("data", {}).pop(WIDGET, None):
                output.metadata.clear()
        outputs = measured.get(cell.id, cell.outputs)
        cell.outputs = [normal(o) for o in outputs if o.get("data", True) and not is_accident(o)]
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def is_accident(output: Any) -> bool:
    """Whether Python reports here that an object of a library failed when it was collected, which happens in any cell."""
    return output.output_type == "stream" and output.text.startswith("Exception ignored in")


def normal(output: Any) -> Any:
    """An output without what belongs to this machine or this run."""
    if output.output_type == "stream":
        output.text = re.sub(r"\S*ipykernel_\d+/\d+\.py", "cell.py", output.text)
    elif output.output_type == "error":
        # The rule above the traceback, the frames in the notebook, the message with its notes; no files of an installation.
        frames = [cells.ANSI.sub("", frame) for frame in output.traceback]
        output.traceback = [
            frame
            for number, frame in enumerate(frames)
            if number in (0, len(frames) - 1) or frame.startswith(("Cell ", "Traceback", f"{output.ename}: "))
        ]
    return without_verdict(output)


if __name__ == "__main__":
    for name in map(Path, sys.argv[1:] or map(str, cells.paths())):
        print(name.name, flush=True)
        rebuild(name)
