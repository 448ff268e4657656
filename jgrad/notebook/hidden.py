"""Cells whose outputs are hidden until the reader has predicted them.

In the file such a cell has its outputs, the tag `hide-output`, and `jupyter.outputs_hidden` in its metadata. JupyterLab, Notebook 7 and JupyterLite
fold the outputs until the cell is run, and a site of MyST-NB folds them for good. Front ends that read neither get a copy without these outputs.
"""

from __future__ import annotations

import json
from typing import Any

TAG = "hide-output"
VERDICT = "jgrad-verdict"  # the class of what is said of a prediction
ASKED_FOR = "application/vnd.jgrad.asked+json"  # in the first output: what the cell asks for, and its values


def is_hidden(cell: Any) -> bool:
    """Whether the outputs of a cell are hidden at first."""
    return cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", ())


def without_verdict(output: Any) -> Any:
    """An output; if it says something of a prediction, an empty one. Nobody has predicted what a program ran."""
    if VERDICT in output.get("data", {}).get("text/html", ""):
        kept = {ASKED_FOR: output["data"][ASKED_FOR]} if ASKED_FOR in output["data"] else {}
        output["data"], output["metadata"] = {"text/plain": "", **kept}, {}
    return output


def strip(notebook: str) -> str:
    """The text of a notebook without the outputs that are hidden, and without the numbers of cells: a number says that the reader has run the cell.
    All else stays as it is."""
    found = json.loads(notebook)
    for cell in found["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [] if is_hidden(cell) else cell["outputs"]
            for numbered in (cell, *(one for one in cell["outputs"] if "execution_count" in one)):
                numbered["execution_count"] = None
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
