"""The command `jgrad`: what it prints, and how it exits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import jgrad
from jgrad import cli

pytestmark = pytest.mark.quick


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """(exit status, output, error output) of a command line."""
    try:
        status = cli.main(arguments)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    return status, *capsys.readouterr()


def test_alone_it_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    alone, asked = run(capsys), run(capsys, "--help")
    assert alone == asked
    status, out, err = alone
    assert (status, err) == (0, "")
    assert out.startswith("usage: jgrad")
    for word in ("lab", "open JupyterLab on the tutorials", "--version", "%load_ext jgrad"):
        assert word in out


def test_each_command_has_a_help(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "lab", "--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: jgrad lab [--dir DIR] [--lang LANGUAGE]")
    assert "--dir" in out
    assert "--port 9000" in " ".join(out.split())


@pytest.mark.parametrize(
    ("line", "offered"),
    [("jgrad do", {"doctor"}), ("jgrad export --s", {"--slides"}), ("jgrad lab --l", {"--lang"})],
)
def test_a_shell_completes_commands_and_options(line: str, offered: set[str], tmp_path: Path) -> None:
    pytest.importorskip("argcomplete", reason='needs argcomplete: pip install ".[quick]"')
    asked = {
        "_ARGCOMPLETE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "offered"),
    }
    subprocess.run([sys.executable, "-m", "jgrad"], env={**os.environ, **asked}, check=True)
    assert {*(tmp_path / "offered").read_text().replace("\v", " ").split()} == offered


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"jgrad {jgrad.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "invalid choice: 'nosuch' (choose from"),
        (["--nosuch"], "unrecognized arguments: --nosuch"),
        (["--vers"], "unrecognized arguments: --vers"),
        (["lab", "--dir"], "argument --dir: expected one argument"),
    ],
)
def test_a_wrong_command_line_exits_with_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: jgrad")
    assert message in err.splitlines()[-1]


def test_other_options_of_lab_go_to_jupyterlab(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple] = []
    monkeypatch.setattr(cli, "lab", lambda folder, *arguments: calls.append(arguments) or 0)
    assert cli.main(["lab", "--no-browser", "--lang", "zh", "--port", "9000"]) == 0
    assert cli.main(["lab"]) == 0
    assert calls == [(["--no-browser", "--port", "9000"], "zh"), ([], "en")]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What JupyterLab was started with."""
    app = pytest.importorskip("jupyterlab.labapp").LabApp
    given: list[str] = []
    monkeypatch.setattr(app, "launch_instance", lambda argv: given.extend(argv))
    return given


def test_lab_opens_the_edition_of_a_language_and_says_what_is_translated(
    capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    status, out, err = run(capsys, "lab", "--lang", "zh")
    assert (status, err) == (0, "")
    assert "--LabApp.default_url=/lab/tree/zh/01-gradients-from-nothing.ipynb" in started
    said = "in the language zh there is 01-gradients-from-nothing; all other tutorials are in English"
    assert out == f"jgrad: {said}\n"


def test_lab_opens_the_tour_in_english(capsys: pytest.CaptureFixture[str], started: list[str]) -> None:
    assert run(capsys, "lab") == (0, "", "")
    assert "--LabApp.default_url=/lab/tree/00-tour.ipynb" in started


@pytest.mark.parametrize("language", ["fr", "ZH", "", "../zh", "zh_CN.UTF-8", "x" * 1000, "."])
def test_a_language_that_nobody_has_translated_to_is_refused(
    capsys: pytest.CaptureFixture[str], started: list[str], language: str
) -> None:
    status, out, err = run(capsys, "lab", "--lang", language)
    assert (status, out, started) == (1, "", [])
    said = f"there are no tutorials in the language {language[:40]!r}: choose en or zh"
    assert err == f"jgrad: {said}\n"
