"""What README.md shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

pytestmark = pytest.mark.quick

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
CELLS = re.findall(r"```python\n(.*?)```", README, re.S)
LINKS = re.findall(r"\]\(([^):]+)\)", README)


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """What each cell shows in a terminal."""
    shell: Any = InteractiveShell()
    shown = []
    for cell in CELLS:
        with capture_output() as captured:
            shell.run_cell(cell).raise_error()
        shown.append(captured.stdout + "".join(str(output) for output in captured.outputs))
    return shown


def test_the_traced_cell_shows_the_views(shown: list[str]) -> None:
    (traced,) = (text for cell, text in zip(CELLS, shown, strict=True) if cell.startswith("%%trace"))
    for part in ("Timeline", "Storage map", "Graph", "Accumulation", "CloneBackward0", "[2., 6., 8.]"):
        assert part in traced


def test_grad_shows_what_the_comment_says(shown: list[str]) -> None:
    ((said, text),) = (
        (re.search(r"# (\d+):", cell)[1], text)
        for cell, text in zip(CELLS, shown, strict=True)
        if "%grad" in cell
    )
    assert re.search(rf"\b{said}\.", text)


@pytest.mark.parametrize("link", LINKS)
def test_links_lead_somewhere(link: str) -> None:
    assert (Path(__file__).parents[2] / link).exists()
