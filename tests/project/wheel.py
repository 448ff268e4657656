"""The wheel that users install, and a folder that holds nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def build(folder: Path) -> Path:
    """The wheel of the checkout, built into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> Path:
    """The folder, in which the wheel's package is now."""
    zipfile.ZipFile(wheel).extractall(folder)
    return folder
