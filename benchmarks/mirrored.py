"""What recording costs on PyTorch's tensors, beside the same cell on jgrad's: `python -m benchmarks.mirrored [WORD ...]`.

The four runs of a cell (each library, plain and recorded) take turns in one process, on one thread. A figure is the least CPU time, since a busy
machine only adds to it.
"""

from __future__ import annotations

import gc
import sys
from time import process_time
from typing import Any

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned

ALL = 1_000_000  # steps: none is dropped
TURNS = 9

TRAINING = """
model = torch.nn.Sequential(torch.nn.Linear(%d, %d), torch.nn.Tanh(), torch.nn.Linear(%d, %d))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.ones(32, %d), torch.ones(32, %d)
for i in range(%d):
    opt.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
"""

# Cell -> its source, and how many steps are kept.
CELLS: dict[str, tuple[str, int]] = {
    "operators of 4 elements, with a graph": ("""
x = torch.ones(4, requires_grad=True)
for i in range(200):
    y = x * 2
    z = y + x
    w = z.sin()
    v = w.view(2, 2)
""", ALL),
    "operators of 4 elements, without": ("""
x = torch.ones(4)
for i in range(200):
    y = x * 2
    z = y + x
    w = z.sin()
    v = w.view(2, 2)
""", ALL),
    "small forward and backward passes": ("""
w = torch.ones(4, requires_grad=True)
for _ in range(100):
    y = (w + 1) * w.detach()
    y.sum().backward()
""", ALL),
    "training of a small network, SGD": (TRAINING % (8, 16, 16, 1, 8, 1, 30), ALL),
    "1e6 elements, 40 rounds": ("""
x = torch.ones(1000, 1000, requires_grad=True)
for i in range(40):
    y = x * 2
    z = (y + x).sum()
    z.backward()
""", ALL),
    "a product of 2000 x 2000": ("""
x = torch.ones(2000, 2000)
y = x @ x
""", ALL),
    "4000 rounds of training, most of them asleep": (TRAINING % (64, 128, 128, 10, 64, 10, 4000), 100),
}  # fmt: skip


def run(source: str, library: Any, most: int | None) -> tuple[float, int]:
    """The CPU time of a cell, and how many steps were kept; `most` None: without a recorder."""
    code = compile(source, "<cell>", "exec")
    namespace: dict[str, Any] = {"torch": library, "__name__": "__main__"}
    gc.collect()
    begin = process_time()
    if most is None:
        exec(code, namespace)
        return process_time() - begin, 0
    trace: Any = Trace("cell", max_steps=most)
    trace._source = Source(source.splitlines())
    with trace.recording(Scope("<cell>", namespace, mentioned(code))) as outcome:
        exec(code, namespace)
    took = process_time() - begin
    assert outcome.error is None
    assert trace.failures == []
    return took, len(trace.document["steps"])


def main(words: list[str]) -> None:
    import torch

    torch.set_num_threads(1)
    print("| cell | PyTorch | recorded | / plain | a step | jgrad, a step |\n|---|---|---|---|---|---|")
    for name, (source, most) in CELLS.items():
        if words and not any(word in name for word in words):
            continue
        times: dict[tuple[str, bool], list[float]] = {}
        steps = {}
        for _ in range(TURNS if most == ALL else 2):
            for library in (torch, jgrad):
                for recorded in (False, True):
                    took, count = run(source, library, most if recorded else None)
                    times.setdefault((library.__name__, recorded), []).append(took)
                    steps[library.__name__] = count
        least = {key: min(values) for key, values in times.items()}
        each = {
            one: f"{(least[one, True] - least[one, False]) / steps[one] * 1e6:.1f} us"
            for one in ("torch", "jgrad")
        }
        plain, recorded_time = least["torch", False], least["torch", True]
        cost = [each["torch"], each["jgrad"]] if most == ALL else ["", ""]
        print(
            f"| {name} | {plain * 1e3:.2f} ms | {recorded_time * 1e3:.2f} ms | {recorded_time / plain:.2f} | "
            + " | ".join(cost)
            + " |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
