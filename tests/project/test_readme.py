"""What README.md shows works as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from jgrad import cli

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINKS = re.findall(r"\]\(([^):]+)\)", README)
MAGICS = re.findall(r"`%+(\w+)", README)
COMMANDS = re.findall(r"\bjgrad (lab|doctor|export|why|show)\b", README)


@pytest.fixture(scope="module")
def shell() -> Any:
    shell: Any = InteractiveShell()
    shell.run_line_magic("load_ext", "jgrad")
    return shell


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 60


@pytest.mark.parametrize("magic", sorted({*MAGICS} - {"load_ext"}))
def test_the_magics_are_there(shell: Any, magic: str) -> None:
    assert shell.find_magic(magic) is not None or shell.find_cell_magic(magic) is not None


def test_its_first_example_prints_what_stands_there() -> None:
    words = re.search(r"&& jgrad (run .+)", README)[1].split()
    said = re.search(r"```text\n(.+?)```", README, re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-m", "jgrad", *words], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.split() == said.split()


def test_the_derivative_is_one(shell: Any) -> None:
    expression = re.search(r"`%grad ([^`]+)`", README)[1]
    shell.push({"x": jgrad.tensor(2.0), "w": jgrad.tensor(1.0)})
    with capture_output() as captured:
        shell.run_cell(f"%grad {expression}").raise_error()
    # 2 comes through x + w, and 3 through w + 1.
    assert re.search(r"\b5\.", captured.stdout + "".join(str(output) for output in captured.outputs))


@pytest.mark.parametrize("command", sorted({*COMMANDS}))
def test_the_commands_are_there(command: str) -> None:
    assert cli.parser().parse_known_args([command, "f.json"] if command in ("why", "show") else [command])


@pytest.mark.parametrize("link", LINKS)
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
