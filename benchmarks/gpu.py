"""`python -m benchmarks.gpu`: jgrad on CuPy compared with PyTorch with CUDA, on one GPU, timed by CUDA's events.

Each row is written once, with functions that both have. Its results are compared before it is timed. In a round the two take turns, and each
measures the time between two events around many runs. A figure is the median over the rounds.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

ROUNDS, SECONDS = 7, 0.05


def with_gradient(function: Callable) -> Callable:
    """A function that runs `function` forward, and then backward to all arguments that require grad."""

    def run(t: Any, *arguments: Any) -> Any:
        leaves = [a for a in arguments if a.requires_grad]
        return t.autograd.grad(function(t, *arguments).sum(), leaves)[0]

    return run


def floats(*shape: int) -> Callable[[Any, int], Any]:
    def make(t: Any, seed: int) -> Any:
        t.manual_seed(seed)
        return t.rand(*shape).cuda().requires_grad_()  # drawn on the CPU, so that both get the same numbers

    return make


def places(most: int, *shape: int) -> Callable[[Any, int], Any]:
    def make(t: Any, seed: int) -> Any:
        t.manual_seed(seed)
        return t.randint(0, most, shape).cuda()

    return make


def layers(t: Any, x: Any, a: Any, b: Any) -> Any:
    return (x @ a).relu() @ b


def dropped(t: Any, x: Any) -> Any:
    t.manual_seed(3)  # the streams are the same, so the results can be compared
    return t.nn.functional.dropout(x, 0.3)


def adam_step(t: Any, x: Any) -> Any:
    if x.grad is None:
        x.grad = x.detach() * 2
        steps[t] = t.optim.Adam([x])
    steps[t].step()
    return x


steps: dict[Any, Any] = {}  # by library: its optimizer


# by name: the function, and what makes its arguments
ROWS: dict[str, tuple[Callable, list[Callable]]] = {
    "add of 4": (lambda t, x, y: x + y, [floats(4), floats(4)]),
    "add of 1e7": (lambda t, x, y: x + y, [floats(10_000_000), floats(10_000_000)]),
    "x[1:3] of 4": (lambda t, x: x[1:3], [floats(4)]),
    "exp, tanh, multiply, add of 1e6, with gradient": (with_gradient(lambda t, x, y: x.exp() * y.tanh() + x), [floats(1_000_000)] * 2),
    "sum of 2000 x 2000 over dim 1": (lambda t, x: x.sum(1), [floats(2000, 2000)]),
    "softmax of 4096 x 1024, with gradient": (with_gradient(lambda t, x, y: t.softmax(x, 1) * y), [floats(4096, 1024)] * 2),
    "matmul 4096": (lambda t, x, y: x @ y, [floats(4096, 4096), floats(4096, 4096)]),
    "MLP 784-1024-10, batch 256, with gradient": (with_gradient(layers), [floats(256, 784), floats(784, 1024), floats(1024, 10)]),
    "conv2d 16-32 channels, batch 32, 64 x 64, with gradient": (
        with_gradient(lambda t, x, w: t.nn.functional.conv2d(x, w, padding=1)),
        [floats(32, 16, 64, 64), floats(32, 16, 3, 3)],
    ),
    "scatter_add of 1e6 into 1000": (
        lambda t, x, i: t.zeros(1000, device="cuda").scatter_add_(0, i, x.detach()),
        [floats(1_000_000), places(1000, 1_000_000)],
    ),
    "gather of 4000 x 4000": (lambda t, x, i: x.gather(1, i), [floats(4000, 4000), places(4000, 4000, 4000)]),
    "sort of 1e6": (lambda t, x: x.sort().values, [floats(1_000_000)]),
    "layer_norm of 4096 x 1024, with gradient": (
        with_gradient(lambda t, x, y: t.nn.functional.layer_norm(x, (1024,)) * y),
        [floats(4096, 1024)] * 2,
    ),
    "batch_norm of 32 x 64 x 32 x 32, with gradient": (
        with_gradient(lambda t, x, y: t.nn.functional.batch_norm(x, None, None, training=True) * y),
        [floats(32, 64, 32, 32)] * 2,
    ),
    "max_pool2d of 32 x 64 x 64 x 64, with gradient": (
        with_gradient(lambda t, x: t.nn.functional.max_pool2d(x, 2)),
        [floats(32, 64, 64, 64)],
    ),
    "cross_entropy of 4096 x 1000, with gradient": (
        with_gradient(lambda t, x, i: t.nn.functional.cross_entropy(x, i)),
        [floats(4096, 1000), places(1000, 4096)],
    ),
    "gelu of 1e6, with gradient": (with_gradient(lambda t, x: t.nn.functional.gelu(x)), [floats(1_000_000)]),
    "dropout of 1e6, with gradient": (with_gradient(dropped), [floats(1_000_000)]),
    "step of Adam, 1e6 parameters": (adam_step, [floats(1000, 1000)]),
}  # fmt: skip


def milliseconds(run: Callable[[], Any], event: Callable[[], Any], between: Callable, count: int) -> float:
    """The time per run, over `count` runs."""
    begin, end = event(), event()
    begin.record()
    for _ in range(count):
        run()
    end.record()
    end.synchronize()
    return between(begin, end) / count


def main() -> None:
    import cupy
    import torch

    import jgrad

    clocks: dict[Any, tuple[Callable, Callable]] = {
        jgrad: (cupy.cuda.Event, cupy.cuda.get_elapsed_time),
        torch: (lambda: torch.cuda.Event(enable_timing=True), lambda a, b: a.elapsed_time(b)),
    }
    print(f"{torch.cuda.get_device_name()}, CuPy {cupy.__version__}, PyTorch {torch.__version__}\n")
    print("| row | jgrad | PyTorch | jgrad / PyTorch |\n|---|---|---|---|")
    ratios = []
    for name, (function, makers) in ROWS.items():
        runs = {}
        for library in clocks:
            arguments = [make(library, seed) for seed, make in enumerate(makers)]
            runs[library] = partial(function, library, *arguments)
        ours, theirs = (runs[library]().detach().cpu().numpy() for library in (jgrad, torch))
        error = abs(ours - theirs).max() / abs(theirs).max()
        assert error < 1e-2, f"{name}: the results differ by {error:.1e}"
        once = max(milliseconds(runs[library], *clocks[library], 3) for library in clocks)
        count = max(3, min(2000, int(SECONDS * 1e3 / once)))
        times: dict[Any, list[float]] = {library: [] for library in clocks}
        for _ in range(ROUNDS):
            for library, clock in clocks.items():
                times[library].append(milliseconds(runs[library], *clock, count))
        ours_ms, theirs_ms = (statistics.median(times[library]) for library in (jgrad, torch))
        ratios.append(ours_ms / theirs_ms)
        print(
            f"| {name} | {ours_ms * 1e3:.1f} us | {theirs_ms * 1e3:.1f} us | {ratios[-1]:.2f} |", flush=True
        )
    print(f"| **geometric mean** | | | {statistics.geometric_mean(ratios):.2f} |")


if __name__ == "__main__":
    main()
