"""What recording costs: cells without a recorder, as `%%trace` records them, and with the trace document.

python -m benchmarks.traced
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jgrad
from benchmarks.measuring import Effort, measure
from benchmarks.results import Times
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned

CELLS = {
    # Four floats: nearly all of the time is overhead.
    "50 small forward and backward passes": """
w = jgrad.ones(4, requires_grad=True)
for _ in range(50):
    y = (w + 1) * w.detach()
    y.sum().backward()
""",
    "60 rounds of training of a small network": """
x, t = jgrad.randn(16, 4), jgrad.randn(16, 1)
w1, b1 = jgrad.randn(4, 8, requires_grad=True), jgrad.zeros(8, requires_grad=True)
w2 = jgrad.randn(8, 1, requires_grad=True)
for _ in range(60):
    h = (x @ w1 + b1).tanh()
    loss = ((h @ w2 - t) ** 2).mean()
    loss.backward()
    with jgrad.no_grad():
        for p in (w1, b1, w2):
            p -= 0.1 * p.grad
            p.grad = None
""",
    "operations on 1e6 elements": """
x = jgrad.full((1_000_000,), 0.5).requires_grad_()
(x.exp() * x.tanh() + x).sum().backward()
""",
}


def ways(source: str) -> dict[str, Callable[[], Any]]:
    """The runs of a cell: without a recorder, recorded, and recorded with its document."""
    code = compile(source, "<cell>", "exec")

    def plain() -> None:
        exec(code, {"jgrad": jgrad, "__name__": "__main__"})

    def recorded() -> Trace:
        namespace = {"jgrad": jgrad, "__name__": "__main__"}
        trace = Trace("cell")
        trace._source = Source(source.splitlines())
        with trace.recording(Scope("<cell>", namespace, mentioned(code))) as outcome:
            exec(code, namespace)
        assert outcome.error is None
        return trace

    return {"plain": plain, "recorded": recorded, "with its document": lambda: recorded().document}


def measured(effort: Effort) -> dict[str, Times]:
    return {name: measure(ways(source), 1, effort) for name, source in CELLS.items()}


if __name__ == "__main__":
    print(json.dumps(measured(Effort(9, 0.05, 10.0))))
