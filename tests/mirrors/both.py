"""One cell on jgrad and on PyTorch, under the recorder."""

from __future__ import annotations

import linecache
from typing import Any

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.recorder import MAX_STEPS
from jgrad.tracing.record.scope import Scope, mentioned
from tests.record.tracing import valid


def record(source: str, library: Any, max_steps: int = MAX_STEPS, **variables: Any) -> Trace:
    """Run a source text, in which the library is called `torch`, under the recorder. What it raised is `t.error`; its variables are `t.namespace`."""
    source = source.strip("\n")
    namespace: dict[str, Any] = {"torch": library, "__name__": "__main__", **variables}
    code = compile(source, "<cell>", "exec")
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(True), "<cell>")
    t: Any = Trace("cell", max_steps=max_steps)
    t._source = Source(source.split("\n"))
    with t.recording(Scope("<cell>", namespace, [*mentioned(code)])) as outcome:
        exec(code, namespace)
    t.error, t.namespace = outcome.error, namespace
    assert t.failures == [], t.failures
    assert valid(t.document)
    del linecache.cache["<cell>"]  # other tests have cells of that name
    return t


def on_both(source: str, torch: Any) -> tuple[Trace, Trace]:
    """The trace of a program on jgrad, and that of the same program on PyTorch."""
    return record(source, jgrad), record(source, torch)


def plainly(source: str, library: Any) -> dict[str, Any]:
    """The variables of a program that ran without the recorder."""
    source = source.strip("\n")
    namespace: dict[str, Any] = {"torch": library, "__name__": "__main__"}
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(True), "<cell>")
    exec(compile(source, "<cell>", "exec"), namespace)
    del linecache.cache["<cell>"]
    return namespace
