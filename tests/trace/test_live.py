"""A trace that is shown while it is recorded: what is sent on the way, and that the trace itself is the same."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace, live
from jgrad.views import applicable


def test_growing_documents_then_glimpses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EARLY", "FRAME", "SHARE"):
        monkeypatch.setattr(live, name, 0)
    sent: list[dict[str, Any]] = []
    trace = Trace("cell 1", max_steps=50)
    trace.early = sent.append
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        for _ in range(60):
            (w * 3).sum().backward()
    assert trace.failures == []
    assert all(applicable(document) for document in sent)
    whole = [d for d in sent if d["name"] == "cell 1"]
    glimpses = [d for d in sent if d["name"] != "cell 1"]
    assert [len(d["steps"]) for d in whole] == sorted(len(d["steps"]) for d in whole)
    assert glimpses[0]["name"].startswith("cell 1, now running: from step ")
    last = [s["grad"]["after"]["text"] for s in glimpses[-1]["steps"] if "grad" in s][-1]
    assert float(last[0]) > 3 * 50 / 6 * 3, "a moment after the log was full"
    assert trace.document["truncated"] == {"kept": 50, "seen": 360}
