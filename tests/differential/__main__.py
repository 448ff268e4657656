"""Count anew what the comparison with PyTorch compares, and write docs/differences.md: `python -m tests.differential`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest

from tests.differential.page import COUNTS, PAGE, page

with tempfile.TemporaryDirectory() as folder:
    os.environ["JGRAD_COUNTS"] = folder
    status = pytest.main(
        ["-q", "-n", "auto", "--dist=load", str(Path(__file__).with_name("test_operations.py"))]
    )
    counts: dict[str, dict[str, list[int]]] = {}
    for path in sorted(Path(folder).iterdir()):
        family, compared, known = json.loads(path.read_text())
        counts.setdefault(family, {})[path.name] = [compared, known]
lines = [
    f"{json.dumps(family)}: {{\n" + ",\n".join(f"  {json.dumps(k)}: {v}" for k, v in labels.items()) + "\n}"
    for family, labels in sorted(counts.items())
]
COUNTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
PAGE.write_text(page())
sys.exit(status)
