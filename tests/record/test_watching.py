"""Every program of `tests/programs` does what it does, also while it is recorded."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import typed_storage, warn
from jgrad.trace import Trace
from jgrad.tracing.record import scope
from tests.programs import PROGRAMS, Program, helpers
from tests.record.tracing import valid


def run_program(source: str, traced: bool) -> tuple[str, Trace | None]:
    """What a program shows, and how it ends, to the letter."""
    shown: list[Any] = []

    def show(*values: Any) -> None:
        shown.append(
            [
                (repr(v), v._version, v.numpy(force=True).tobytes())
                if isinstance(v, jgrad.Tensor)
                else repr(v)
                for v in values
            ]
        )

    namespace = {
        "torch": jgrad,
        "np": np,
        "show": show,
        **helpers(jgrad, show),
        "__name__": "__main__",
    }
    error: BaseException | None = None
    t = None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        warnings.filterwarnings(
            "ignore", category=RuntimeWarning, module=r"jgrad\."
        )  # as `import jgrad` has it
        warn.set_warn_always(True)
        typed_storage._warned = True  # what comes once per process whatever is asked for
        jgrad.manual_seed(0)
        code = compile(source, "<cell>", "exec")
        if traced:
            t = Trace("cell")
            t._source = capture_source(source)
            with t.recording(scope.Scope("<cell>", namespace, scope.mentioned(code))) as outcome:
                exec(code, namespace)
            error = outcome.error
        else:
            try:
                exec(code, namespace)
            except Exception as e:
                error = e
    warn.set_warn_always(False)
    jgrad.set_grad_enabled(True)  # some programs leave it off
    seen = repr((shown, repr(error), [(w.category.__name__, str(w.message)) for w in warned]))
    return re.sub(r"0x[0-9a-f]+", "0x", seen), t


def capture_source(source: str) -> Any:
    from jgrad.tracing.document.source import Source

    return Source(source.split("\n"))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("program", [pytest.param(program, id=program.name) for program in PROGRAMS])
def test_watching_changes_nothing(program: Program) -> None:
    plain, _ = run_program(program.text, traced=False)
    watched, t = run_program(program.text, traced=True)
    assert watched == plain
    assert t is not None
    assert t.failures == []
    assert valid(t.document)
