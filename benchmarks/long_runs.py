"""What recording a long run costs: the time of a round when the recorder sleeps, the size of the document, the memory while it runs.

python -m benchmarks.long_runs [ROUNDS]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned

FIRST = 12_000  # rounds after which the recorder sleeps, also in a loop of one step
TURNS = 3
LOOPS = {
    "MLP 4-8-1, batch 16, nn and optim.SGD": """
model = jgrad.nn.Sequential(jgrad.nn.Linear(4, 8), jgrad.nn.Tanh(), jgrad.nn.Linear(8, 1))
optimizer = jgrad.optim.SGD(model.parameters(), lr=0.01)
x, t = jgrad.randn(16, 4), jgrad.randn(16, 1)
for i in range(ROUNDS):
    loss = ((model(x) - t) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "MLP 64-128-10, batch 32, nn and optim.SGD": """
model = jgrad.nn.Sequential(jgrad.nn.Linear(64, 128), jgrad.nn.ReLU(), jgrad.nn.Linear(128, 10))
optimizer = jgrad.optim.SGD(model.parameters(), lr=0.01)
x, t = jgrad.randn(32, 64), jgrad.randint(0, 10, (32,))
for i in range(ROUNDS):
    loss = jgrad.nn.functional.cross_entropy(model(x), t)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "a small network by hand, without an optimizer": """
x, t = jgrad.randn(16, 4), jgrad.randn(16, 1)
w1, b1 = jgrad.randn(4, 8, requires_grad=True), jgrad.zeros(8, requires_grad=True)
w2 = jgrad.randn(8, 1, requires_grad=True)
for i in range(ROUNDS):
    loss = (((x @ w1 + b1).tanh() @ w2 - t) ** 2).mean()
    loss.backward()
    with jgrad.no_grad():
        for p in (w1, b1, w2):
            p -= 0.1 * p.grad
            p.grad = None
""",
    "a loop without backward": "x = jgrad.ones(4)\nfor i in range(ROUNDS):\n    x = x * 1",
}


def plain(source: str, rounds: int) -> None:
    exec(compile(source, "<cell>", "exec"), {"jgrad": jgrad, "__name__": "__main__", "ROUNDS": rounds})


def recorded(source: str, rounds: int) -> Trace:
    code = compile(source, "<cell>", "exec")
    namespace: dict[str, Any] = {"jgrad": jgrad, "__name__": "__main__", "ROUNDS": rounds}
    trace = Trace("cell")
    trace._source = Source(source.splitlines())
    with trace.recording(Scope("<cell>", namespace, mentioned(code))) as outcome:
        exec(code, namespace)
    assert outcome.error is None
    return trace


def seconds(run: Callable[[], object]) -> float:
    began = process_time()
    run()
    return process_time() - began


def resident() -> float:
    """MB in memory, as Linux counts it."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def report(name: str, source: str, rounds: int) -> None:
    recorded(source, FIRST)
    before = resident()
    asleep, without, first = [], [], []
    for _ in range(TURNS):
        first.append(seconds(lambda: recorded(source, FIRST)))
        asleep.append(seconds(lambda: recorded(source, FIRST + rounds // 10)) - first[-1])
        without.append(seconds(lambda: plain(source, rounds // 10)))
    trace = recorded(source, rounds)
    held = resident() - before
    began = process_time()
    document = trace.document
    took = process_time() - began
    size = len(pack(document)) / 1e6
    each = 1e6 / (rounds // 10)
    print(
        f"{name}: {min(without) * each:.1f} us a round, {min(asleep) * each:.1f} us asleep, ratio {min(asleep) / min(without):.3f}; "
        f"first {FIRST:,} rounds {min(first):.2f} s; {rounds:,} rounds: document {size:.2f} MB in {took:.2f} s, "
        f"{held:.0f} MB more memory, {len(trace.failures)} failures"
    )


if __name__ == "__main__":
    for name, source in LOOPS.items():
        report(name, source, int(sys.argv[1]) if sys.argv[1:] else 100_000)
