"""Where no browser is: IPython in a terminal prints the text forms, nbconvert and a program that runs notebooks keep the pictures."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import weakref
from pathlib import Path

import nbformat
import pytest

TRACED = """\
%%trace
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
w.mul(3).sum().backward()
"""
TITLES = ("Timeline", "Storage map", "Graph", "Accumulation")
SESSION = f"""\
%load_ext jgrad
import jgrad
{TRACED}

%storage w
%grad (w * w).sum() wrt w
%why w.grad
%why
exit
"""


def test_ipython_in_a_terminal_prints_the_text_forms(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "IPython",
        "--simple-prompt",
        "--no-banner",
        "--colors=nocolor",
        "--no-confirm-exit",
    ]
    settings = {"IPYTHONDIR": str(tmp_path), "COLUMNS": "100", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command,
        input=SESSION,
        env={**os.environ, **settings},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    printed = done.stdout
    assert "Traceback" not in printed + done.stderr
    for title in TITLES:
        assert re.search(rf"^(In \[\d+\]:|\W)*{title}\b", printed, re.MULTILINE)
    assert re.search(r"w +\[2\] +\(1,\) +0 +v0 ", printed)
    assert re.search(r"w +\[1\., 2\.\] +\[2\., 4\.\]", printed)  # %grad's table
    assert "w.grad is [3., 3.]: backward() in cell 3, line 3 computed it." in printed
    assert "<" not in re.sub(r"<jgrad[^>]*>", "", printed)  # no markup, no default repr
    # (Sentences are wrapped by the terminal.)
    assert all(len(line) <= 110 or "No mistake of the kinds" in line for line in printed.split("\n"))
    assert "\x1b" not in printed


@pytest.mark.filterwarnings("ignore:Your element with mimetype")
def test_a_notebook_that_a_program_ran_has_its_picture_in_html(tmp_path: Path) -> None:
    """As `jupyter nbconvert --execute --to html` does it: without a front end, and without the widget's state."""
    nbconvert = pytest.importorskip("nbconvert", reason='needs nbconvert: pip install ".[test]"')
    from nbconvert.preprocessors import ExecutePreprocessor

    cells = [nbformat.v4.new_code_cell(source) for source in ("%load_ext jgrad\nimport jgrad", TRACED)]
    made = nbformat.v4.new_notebook(cells=cells)
    ExecutePreprocessor(timeout=300, kernel_name="python3", store_widget_state=False).preprocess(
        made, {"metadata": {"path": str(tmp_path)}}
    )
    assert "widgets" not in made.metadata
    page, _ = nbconvert.HTMLExporter().from_notebook_node(made)
    twin = page[page.index('<div class="jgrad-twin') :]
    pictures = re.findall(r'<img ([^>]*src="data:image/svg[^>]*)>', twin)
    titles = [re.search(r'alt="([^:]*):', picture)[1] for picture in pictures]  # type: ignore[index]
    assert titles == ["Graph"], "the view that answers; the others are live"
    shown = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    assert "TraceWidget" not in shown
    assert "widget-view" not in shown
    assert "Error displaying" not in shown


def test_views_that_are_closed_are_gone() -> None:
    """ipywidgets and anywidget keep what they can; a cell that is run again and again must not fill the kernel's memory."""
    from comm import get_comm_manager
    from ipywidgets.widgets import widget as known

    from jgrad.views.widget import front_end, live

    front_end()  # which stays, for all later widgets

    def shown() -> tuple[int, int]:
        gc.collect()
        return len(known._instances), len(get_comm_manager().comms)

    before, traces = shown(), []
    for _ in range(3):
        widget = live("{}", ["graph"], None, "twin")
        assert shown() > before
        traces.append(weakref.ref(widget))
        widget.close()
        del widget
    assert shown() == before
    assert [trace() for trace in traces] == [None, None, None]
