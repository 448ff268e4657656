"""Cells whose outputs are hidden until the reader has predicted them.

In the file such a cell has its outputs, the tag `hide-output`, and `jupyter.outputs_hidden` in its metadata. JupyterLab, Notebook 7 and JupyterLite
fold the outputs until the cell is run, and a site of MyST-NB folds them for good. Front ends that read neither get a copy without these outputs.

What stands below such a cell tells its answer, too: its *stretch*, up to the next heading or the next question. It is hidden as long as the outputs
are. `stretches` says what it is; `js/src/lab/hidden.ts` is the same rule for a notebook that is open in JupyterLab, and a test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

TAG = "hide-output"
ASKED = "predict"  # the tag of those that are to be predicted
BELOW = "jgrad-below-"  # and the number of the question: the tag of what is hidden with it
VERDICT = "jgrad-verdict"  # the class of what is said of a prediction
HEADING = re.compile(r"#{1,6} ")
ASKED_FOR = "application/vnd.jgrad.asked+json"  # in the first output: what the cell asks for, and its values
# What is written on a fold that asks for no prediction: on an answer of %why, and on another result.
FOLDS = {"en": ("What %why says", "The result"), "zh": ("%why 的回答", "结果")}
# What stands in place of a stretch, by the language of the notebook.
THEN = {"en": "Open the result, then read on.", "zh": "先打开结果，再往下读。"}
# A stretch is not shown while its fold is closed, unless a link has led into it.
RULES = """\
body:has({asked} details:is(.jgrad-hidden, .hide):not([open])):not(:has({below}:target, {below} :target, :target {below})) :is({below}, .jp-MarkdownCell:has({below})) {{ display: none }}
body:has({below}) {asked}:has(details:is(.jgrad-hidden, .hide):not([open]))::after {{ content: "{text}"; font-style: italic }}
"""


def is_hidden(cell: Any) -> bool:
    """Whether the outputs of a cell are hidden at first."""
    return cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", ())


def is_asked(cell: Any) -> bool:
    """Whether the hidden outputs of a cell are to be predicted."""
    return is_hidden(cell) and ASKED in cell["metadata"]["tags"]


def on_fold(cell: Any, asks: str, language: str) -> str:
    """What is written on the fold of a hidden cell: `asks`, if it is to be predicted."""
    why, other = FOLDS.get(language, FOLDS["en"])
    return asks if is_asked(cell) else why if "".join(cell["source"]).startswith("%why") else other


def stretches(cells: Sequence[Any]) -> dict[int, range]:
    """For each hidden cell, by its place, the places of the cells below that tell its answer. The text of a question ends them if it begins with it;
    a text that says something of the answer first belongs to them, with the question in it."""
    return {at: range(at + 1, _end(cells, at + 1)) for at, cell in enumerate(cells) if is_hidden(cell)}


def _end(cells: Sequence[Any], at: int) -> int:
    return next((place for place in range(at, len(cells)) if _begins(cells, place)), len(cells))


def _begins(cells: Sequence[Any], at: int) -> bool:
    """Whether a text begins with a heading, is an exercise, or begins with the question of the cell below, which stands in bold type."""
    if cells[at]["cell_type"] != "markdown":
        return False
    text = "".join(cells[at]["source"])
    is_question = text.startswith("**") and any(map(is_hidden, cells[at + 1 : at + 2]))
    return bool(HEADING.match(text)) or "exercise" in cells[at]["metadata"].get("tags", ()) or is_question


def marked(cells: Sequence[Any]) -> int:
    """Tell each hidden cell its number, and what is below it too, by tags. Front ends make classes of tags. Returns how many numbers there are."""
    found = stretches(cells)
    for number, (at, below) in enumerate(found.items()):
        for place in (at, *below):
            tags = cells[place]["metadata"].get("tags", ())
            kind = "jgrad-asked-" if place == at else BELOW
            cells[place]["metadata"]["tags"] = [*tags, f"{kind}{number}"]
    return len(found)


def style(count: int, prefix: str, language: str = "en") -> str:
    """The style sheet of a page whose cells are marked so, where classes of tags have a prefix."""
    text = THEN.get(language, THEN["en"])
    rules = "".join(
        RULES.format(asked=f".{prefix}jgrad-asked-{at}", below=f".{prefix}{BELOW}{at}", text=text)
        for at in range(count)
    )
    return f"@media screen {{\n{rules}}}\n"


def without_verdict(output: Any) -> Any:
    """An output; if it says something of a prediction, an empty one. Nobody has predicted what a program ran."""
    if VERDICT in output.get("data", {}).get("text/html", ""):
        kept = {ASKED_FOR: output["data"][ASKED_FOR]} if ASKED_FOR in output["data"] else {}
        output["data"], output["metadata"] = {"text/plain": "", **kept}, {}
    return output


def strip(notebook: str) -> str:
    """The text of a notebook without the outputs that are hidden, without those that tell them, and without the numbers of cells: a number says that
    the reader has run the cell. All else stays as it is."""
    found = json.loads(notebook)
    cells = found["cells"]
    telling = {place for at, below in stretches(cells).items() for place in (at, *below)}
    for at, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            cell["outputs"] = [] if at in telling else cell["outputs"]
            for numbered in (cell, *(one for one in cell["outputs"] if "execution_count" in one)):
                numbered["execution_count"] = None
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
