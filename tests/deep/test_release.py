"""What a release gives to a package index: the tools that judge it say nothing, and the wheel runs where there is nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.serving import serve
from tests.project.wheel import CHECKOUT, build

pytestmark = pytest.mark.deep

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("release")


@pytest.fixture(scope="module")
def built(folder: Path) -> dict[str, Path]:
    """The wheel and the sdist."""
    found = {}
    for target in ("wheel", "sdist"):
        (folder / target).mkdir()
        found[target] = build(folder / target, target)
    return found


def environment(folder: Path, *packages: str | Path) -> Path:
    """The folder of the commands of a new environment with some packages."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", *packages], check=True)
    return folder / "bin"


def test_tools_that_judge_packages_say_nothing(folder: Path, built: dict[str, Path]) -> None:
    pins = re.findall(r"(?:twine|check-wheel-contents)==[\d.]+", workflow())
    assert len(pins) == 2
    tools = environment(folder / "tools", *pins)
    for command in (
        ["twine", "check", "--strict", *built.values()],
        ["check-wheel-contents", built["wheel"]],
    ):
        done = subprocess.run(
            [tools / command[0], *command[1:]], cwd=CHECKOUT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def workflow() -> str:
    return (CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


def test_the_wheel_alone_does_what_the_readme_shows(folder: Path, built: dict[str, Path]) -> None:
    commands = environment(folder / "alone", f"{built['wheel']}[lab]")
    doctor = subprocess.run([commands / "jgrad", "doctor"], cwd=folder, capture_output=True, text=True)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert re.search(r"works +extension", doctor.stdout)
    words = re.search(r"&& jgrad (run .+)", README)[1].split()
    said = re.search(r"```text\n(.+?)```", README, re.DOTALL)[1]
    run = subprocess.run([commands / "jgrad", *words], cwd=CHECKOUT, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr.split()) == (0, "", said.split())
    lab = [str(commands / "jgrad"), "lab", "--dir", str(folder / "mine")]
    with serve(lab, folder) as server:
        assert server.open("/").url == f"{server.base}/lab/tree/00-tour.ipynb"
