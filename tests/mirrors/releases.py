"""Tests of watching on other releases of PyTorch: `python -m tests.mirrors.releases 2.4.1 2.9.1`.

Each release gets an environment of its own in the folder `FOLDER`, beside which it finds all other packages of this one. A release needs up to 6 GB there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path.home() / ".cache" / "jgrad-releases"
# Not those that hold the answers of the PyTorch that `pyproject.toml` pins:
TESTS = (
    "test_beyond.py",
    "test_far.py",
    "test_mistakes.py",
    "test_random_programs.py",
    "test_nothing_changes.py",
)
HERE = Path(__file__).parent


def python_of(release: str) -> Path:
    """The Python of an environment with this release, which is made if it isn't there."""
    folder = FOLDER / release
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=False)
        packages = next((folder / "lib").glob("python*/site-packages"))
        (packages / "others.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")))
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--ignore-installed"]
        subprocess.run([*pip, f"torch=={release}"], check=True)
    return python


def main(releases: list[str]) -> int:
    """Run the tests on each release; how many releases fail."""
    failed = 0
    root = HERE.parent.parent
    for release in releases:
        print(f"PyTorch {release}", flush=True)
        tests = [str(HERE / name) for name in TESTS]
        command = [str(python_of(release)), "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        failed += subprocess.run(command, cwd=root, env=environment, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
