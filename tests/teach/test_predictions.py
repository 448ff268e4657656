"""Each question of the course can be answered: the right answer, written as the question asks for it, is judged right."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.notebook.cells import run
from tests.notebook.conftest import shell  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[2]
# By notebook and id of the cell: what a learner writes who knows the answer.
ANSWERS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def cells_of(notebook: str) -> list[dict]:
    return json.loads((ROOT / "notebooks" / f"{notebook}.ipynb").read_text("utf-8"))["cells"]


def is_question(cell: dict) -> bool:
    return "predict" in cell["metadata"].get("tags", [])


NOTEBOOKS = sorted(
    path.stem for path in (ROOT / "notebooks").glob("*.ipynb") if any(map(is_question, cells_of(path.stem)))
)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_each_question_has_its_answer(notebook: str) -> None:
    assert [*ANSWERS.get(notebook, {})] == [cell["id"] for cell in cells_of(notebook) if is_question(cell)]


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_the_right_answer_is_judged_right(
    notebook: str,
    shell: InteractiveShell,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT / "notebooks")
    monkeypatch.setattr(sys, "argv", ["ipython"])
    wrong = {}
    for cell in cells_of(notebook):
        if cell["cell_type"] != "code":
            continue
        source, answer = "".join(cell["source"]), ANSWERS.get(notebook, {}).get(cell["id"])
        if answer is not None:
            assert source.count("%%predict\n") == 1, cell["id"]
            source = source.replace("%%predict\n", f"%%predict {answer}\n")
        # In a terminal the verdict is the last that is printed.
        out = run(shell, source)[0]
        verdict = out.rstrip("\n").rsplit("\n", 1)[-1]
        if answer is not None and verdict != "Right." and not is_full(verdict):
            wrong[cell["id"]] = out[-600:]
    assert not wrong, "\n\n".join(f"== {number}\n{said}" for number, said in wrong.items())


def is_full(verdict: str) -> bool:
    """Whether a verdict is "3 of 3 right."."""
    words = verdict.split()
    return len(words) == 4 and words[0] == words[2] and verdict.endswith("right.")
