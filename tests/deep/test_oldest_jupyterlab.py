"""The extension in the oldest JupyterLab that it is for, in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import conftest, test_extension
from tests.browser.conftest import chromium, notebook, window  # noqa: F401
from tests.project.serving import jupyterlab, serve

pytestmark = pytest.mark.deep

OLDEST = ("jupyterlab==4.2.*", "numpy", "ipywidgets", "anywidget")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[object, Path]]:
    """The server of that JupyterLab, and the folder of its notebooks."""
    home = tmp_path_factory.mktemp("oldest")
    subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True)
    python = home / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *OLDEST], check=True)
    conftest.write_settings(home)
    folder = home / "notebooks"
    folder.mkdir()
    command = [str(python), *jupyterlab(folder)[1:]]
    with serve(command, home, PYTHONPATH=str(ROOT)) as server:
        assert server.get("/api")["version"]
        yield server, folder


test_button = test_extension.test_a_button_traces_a_cell_and_notes_say_what_became_of_its_lines
test_inspector = test_extension.test_the_inspector_shows_the_trace_of_the_active_cell_and_goes_along
test_saved = test_extension.test_a_saved_notebook_is_alive_without_a_kernel_and_without_widget_state
test_menu = test_extension.test_the_menu_of_a_name_asks_about_it_in_a_new_cell
