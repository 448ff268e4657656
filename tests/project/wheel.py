"""The wheel that users install, and a folder that holds nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def build(folder: Path, target: str = "wheel", source: Path = CHECKOUT) -> Path:
    """What a build of the checkout, or of another folder with the source, gives: a file in a folder. `target`: also "wheel:editable", "sdist"."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = (path for path in folder.iterdir() if path.suffix == (".gz" if target == "sdist" else ".whl"))
    return built


def unpack(wheel: Path, folder: Path) -> Path:
    """The folder, in which the wheel's package is now."""
    zipfile.ZipFile(wheel).extractall(folder)
    return folder
