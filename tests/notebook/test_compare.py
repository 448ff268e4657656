"""`%compare`: two traces."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from tests.notebook.cells import run

pytestmark = pytest.mark.quick


def test_compare(shell: InteractiveShell, shown: list, tmp_path: Any) -> None:
    cell = "%%trace --no-show --name {}\nx = jgrad.ones(2, requires_grad=True)\ny = x.{}()"
    run(shell, cell.format("a", "clone"))
    run(shell, cell.format("b", "detach"))
    run(shell, "c = %compare a b")
    sentence = (
        "They first differ at step 2 (line 3): in a, clone made storage 2; in b, detach uses storage 1."
    )
    assert shell.user_ns["c"].sentence == sentence
    out, err, _ = run(shell, "%compare")
    assert sentence in out
    assert err == ""
    jgrad.trace.recent[-1].save(tmp_path / "b.json")
    run(shell, f"loaded = jgrad.trace.load({str(tmp_path / 'b.json')!r})")
    for named in ("a loaded", f"a, {tmp_path / 'b.json'}", "'a' 'b'"):
        assert sentence in run(shell, f"%compare {named}")[0]
