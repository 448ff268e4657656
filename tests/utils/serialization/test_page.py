"""The examples of docs/files.md print what stands there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.quick

PAGE = (Path(__file__).parents[3] / "docs" / "files.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)


def test_examples(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert len(EXAMPLES) == PAGE.count("```python") == 4
    monkeypatch.setitem(
        sys.modules, "__main__", page := ModuleType("__main__")
    )  # where a notebook defines its classes
    for code, printed in EXAMPLES:
        if "jgrad.safetensors" in code:
            pytest.importorskip("safetensors")
        exec(code, vars(page))
        assert capsys.readouterr().out == printed
