"""A wheel gets its type stubs when it is built, also the wheel of an editable install: `pyproject.toml` names this hook."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "jgrad-stubs"


class StubsHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stubs into a folder of their own, from which the wheel takes them. The source is left as it is."""
        self.folder = tempfile.TemporaryDirectory()
        subprocess.run(
            [sys.executable, "-m", "stubs", self.folder.name],
            cwd=self.root,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            check=True,
        )
        included = "force_include_editable" if version == "editable" else "force_include"
        build_data[included][str(Path(self.folder.name) / NAME)] = NAME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()
