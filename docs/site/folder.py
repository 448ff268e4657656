"""The folder that a build writes into."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def target_of(arguments: list[str], module: str, name: str, what: str, mark: str) -> Path:
    """The empty folder that a command line asks for: `build/NAME`, or that of `--to`.

    A folder with files of something else is left alone: `mark` is a file that each build writes.
    """
    parser = argparse.ArgumentParser(f"python -m {module}", description=what)
    default = ROOT / "build" / name
    parser.add_argument(
        "--to", type=Path, default=default, metavar="DIR", help="the folder to write (%(default)s)"
    )
    target = parser.parse_args(arguments).to.resolve()
    of_a_build = (target / mark).is_file() or (target.is_dir() and not any(target.iterdir()))
    if target.exists() and not of_a_build:
        sys.exit(f"{target} is no folder of a former build, and stays as it is: name a new one with --to")
    shutil.rmtree(target, ignore_errors=True)
    return target
