"""The workloads: each written once for jgrad and PyTorch, once by hand in NumPy, and once in autograd (HIPS) where it can.

A row is a function of the library that prepares its inputs and returns what is timed; what that returns is compared between
the libraries before anything is timed. A run that uses `.grad` starts by clearing it, as a training loop does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Run = Callable[[], Any]


@dataclass
class Row:
    name: str
    group: str
    per: int  # a run does this many of what the row counts
    shared: Callable[[Any], Run]
    twins: dict[str, Callable[..., Run]] = field(default_factory=dict)

    def by_hand(self, make: Callable[[], Run]) -> Callable[[], Run]:
        """The same in NumPy alone: the floor under every engine on NumPy."""
        self.twins["NumPy"] = make
        return make

    def in_autograd(self, make: Callable[[Any, Any], Run]) -> Callable[[Any, Any], Run]:
        """The same in autograd; it is given `autograd.numpy` and `autograd`."""
        self.twins["autograd"] = make
        return make


ROWS: list[Row] = []


def row(name: str, group: str = "overhead", per: int = 1) -> Callable[[Callable[[Any], Run]], Row]:
    def declare(shared: Callable[[Any], Run]) -> Row:
        ROWS.append(Row(name, group, per, shared))
        return ROWS[-1]

    return declare


FOUR = np.array([0.5, 1.0, 1.5, 2.0], np.float32)
STEP = np.array([1.01, 0.99, 1.02, 0.98], np.float32)


def leaf(lib: Any, values: np.ndarray) -> Any:
    return lib.tensor(values, requires_grad=True)


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


# Overhead: tensors of four floats, so that nearly all of the time is the engine's.


@row("add, recorded")
def add(lib: Any) -> Run:
    x, w = leaf(lib, FOUR), leaf(lib, STEP)
    return lambda: x + w


@add.by_hand
def _() -> Run:
    return lambda: FOUR + STEP


@add.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    return lambda: autograd.make_vjp(lambda x: anp.add(x, STEP))(FOUR)[1]


@row("add, no grad")
def add_plain(lib: Any) -> Run:
    x, w = lib.tensor(FOUR), lib.tensor(STEP)
    return lambda: x + w


@add_plain.by_hand
def _() -> Run:
    return lambda: FOUR + STEP


@add_plain.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    return lambda: anp.add(FOUR, STEP)


@row("multiply by a number, recorded")
def scale(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x * 2.0


@scale.by_hand
def _() -> Run:
    return lambda: FOUR * 2.0


@row("x[1:3]")
def slicing(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x[1:3]


@slicing.by_hand
def _() -> Run:
    return lambda: FOUR[1:3]


@row("x[1]")
def selecting(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x[1]


@selecting.by_hand
def _() -> Run:
    return lambda: FOUR[1, ...]


@row("x.view(2, 2)")
def viewing(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x.view(2, 2)


@viewing.by_hand
def _() -> Run:
    return lambda: FOUR.reshape(2, 2)


@row("x.reshape(2, 2)")
def reshaping(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x.reshape(2, 2)


@reshaping.by_hand
def _() -> Run:
    return lambda: FOUR.reshape(2, 2)


@row("x.detach()")
def detaching(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x.detach()


@detaching.by_hand
def _() -> Run:
    return lambda: FOUR.view()


@row("x.clone()")
def cloning(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x.clone()


@cloning.by_hand
def _() -> Run:
    return lambda: FOUR.copy()


@row("x.sum(), recorded")
def summing(lib: Any) -> Run:
    x = leaf(lib, FOUR)
    return lambda: x.sum()


@summing.by_hand
def _() -> Run:
    return lambda: np.add.reduce(FOUR)


@row("x.mul_(1.0)")
def writing(lib: Any) -> Run:
    x = lib.tensor(FOUR)
    return lambda: x.mul_(1.0)


@writing.by_hand
def _() -> Run:
    x = FOUR.copy()
    return lambda: np.multiply(x, 1.0, x)


@row("(w + x) * (w + 1), forward and backward")
def scalar_graph(lib: Any) -> Run:
    x, w = lib.tensor(2.0), lib.tensor(1.0, requires_grad=True)

    def run() -> Any:
        w.grad = None
        ((w + x) * (w + 1)).backward()
        return w.grad

    return run


@scalar_graph.by_hand
def _() -> Run:
    x, w, one = np.array(2.0, np.float32), np.array(1.0, np.float32), np.array(1.0, np.float32)

    def run() -> Any:
        a, b = w + x, w + 1
        a * b
        return one * b + one * a

    return run


@scalar_graph.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    gradient = autograd.grad(lambda w: (w + 2.0) * (w + 1))
    return lambda: gradient(1.0)


def chain(name: str, length: int) -> None:
    """`length` products one after another, forward, backward and freed; counted per node."""

    @row(name, per=length)
    def chained(lib: Any) -> Run:
        x, c = leaf(lib, FOUR), lib.tensor(np.ones(4, np.float32))

        def run() -> Any:
            x.grad = None
            y = x
            for _ in range(length):
                y = y * c
            y.sum().backward()
            return x.grad

        return run

    @chained.by_hand
    def _() -> Run:
        c, ones = np.ones(4, np.float32), np.ones(4, np.float32)

        def run() -> Any:
            y = FOUR
            for _ in range(length):
                y = y * c
            np.add.reduce(y)
            gradient = ones
            for _ in range(length):
                gradient = gradient * c
            return gradient

        return run

    if length <= 100:  # autograd recurses

        @chained.in_autograd
        def _(anp: Any, autograd: Any) -> Run:
            c = np.ones(4, np.float32)

            def forward(x: Any) -> Any:
                for _ in range(length):
                    x = x * c
                return anp.sum(x)

            gradient = autograd.grad(forward)
            return lambda: gradient(FOUR)


chain("a chain of 100 products, per node", 100)
chain("a chain of 100,000 products, per node", 100_000)


@row("one leaf, 1,000 backward calls, per call", per=1000)
def repeated(lib: Any) -> Run:
    x, c, g = leaf(lib, FOUR), lib.tensor(STEP), lib.tensor(np.ones(4, np.float32))

    def run() -> Any:
        x.grad = None
        for _ in range(1000):
            (x * c).backward(g)
        return x.grad

    return run


@repeated.by_hand
def _() -> Run:
    g = np.ones(4, np.float32)

    def run() -> Any:
        total = np.zeros(4, np.float32)
        for _ in range(1000):
            FOUR * STEP
            total += g * STEP
        return total

    return run


@row("1,000 products of one leaf, per product", per=1000)
def wide(lib: Any) -> Run:
    x, c = leaf(lib, FOUR), lib.tensor(STEP)

    def run() -> Any:
        x.grad = None
        total = x * c
        for _ in range(999):
            total = total + x * c
        total.sum().backward()
        return x.grad

    return run


@wide.by_hand
def _() -> Run:
    ones = np.ones(4, np.float32)

    def run() -> Any:
        total = FOUR * STEP
        for _ in range(999):
            total = total + FOUR * STEP
        np.add.reduce(total)
        gradient = np.zeros(4, np.float32)
        for _ in range(1000):
            gradient += ones * STEP
        return gradient

    return run


@row("second derivative of x ** 3")
def second_order(lib: Any) -> Run:
    x = lib.tensor(2.0, requires_grad=True)

    def run() -> Any:
        (first,) = lib.autograd.grad(x**3, x, create_graph=True)
        (second,) = lib.autograd.grad(first, x)
        return second

    return run


@second_order.by_hand
def _() -> Run:
    x, one = np.array(2.0, np.float32), np.array(1.0, np.float32)

    def run() -> Any:
        square = x * x
        x * square
        one * 3 * square
        return one * 3 * 2 * x

    return run


@second_order.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    second = autograd.grad(autograd.grad(lambda x: x**3))
    return lambda: second(2.0)


# Throughput: arrays so large that the engine hardly counts; forward and backward.


def forward_backward(lib: Any, forward: Callable[..., Any], *values: np.ndarray) -> Run:
    inputs = [leaf(lib, value) for value in values]

    def run() -> Any:
        for tensor in inputs:
            tensor.grad = None
        forward(*inputs).backward()
        return [tensor.grad for tensor in inputs]

    return run


MILLION = 1_000_000


@row("matmul 512 x 512", "throughput")
def product(lib: Any) -> Run:
    return forward_backward(lib, lambda a, b: (a @ b).sum(), random(512, 512), random(512, 512, seed=1))


@product.by_hand
def _() -> Run:
    a, b = random(512, 512), random(512, 512, seed=1)

    def run() -> Any:
        (a @ b).sum()
        g = np.broadcast_to(np.float32(1), (512, 512))
        return g @ b.T, a.T @ g

    return run


@product.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    a, b = random(512, 512), random(512, 512, seed=1)
    gradient = autograd.grad(lambda inputs: anp.sum(anp.matmul(*inputs)))
    return lambda: gradient((a, b))


@row("exp, tanh, multiply, add of 1e6", "throughput")
def elementwise(lib: Any) -> Run:
    return forward_backward(lib, lambda x: (x.exp() * x.tanh() + x).sum(), random(MILLION))


@elementwise.by_hand
def _() -> Run:
    x = random(MILLION)

    def run() -> Any:
        e, t = np.exp(x), np.tanh(x)
        (e * t + x).sum()
        return e * t + e * (1 - t * t) + 1

    return run


@elementwise.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    x = random(MILLION)
    gradient = autograd.grad(lambda x: anp.sum(anp.exp(x) * anp.tanh(x) + x))
    return lambda: gradient(x)


@row("2000 x 2000 times a column", "throughput")
def broadcast(lib: Any) -> Run:
    return forward_backward(lib, lambda x, c: (x * c).sum(), random(2000, 2000), random(2000, 1, seed=1))


@broadcast.by_hand
def _() -> Run:
    x, c = random(2000, 2000), random(2000, 1, seed=1)

    def run() -> Any:
        (x * c).sum()
        return np.broadcast_to(c, (2000, 2000)).copy(), np.add.reduce(x, 1, keepdims=True)

    return run


@broadcast.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    x, c = random(2000, 2000), random(2000, 1, seed=1)
    gradient = autograd.grad(lambda inputs: anp.sum(inputs[0] * inputs[1]))
    return lambda: gradient((x, c))


@row("scatter_ of 1e6", "indexing")
def scattering(lib: Any) -> Run:
    index = lib.tensor(np.random.default_rng(0).permutation(MILLION))
    return forward_backward(
        lib, lambda x, s: x.clone().scatter_(0, index, s).sum(), random(MILLION), random(MILLION, seed=1)
    )


@scattering.by_hand
def _() -> Run:
    index, x, source = np.random.default_rng(0).permutation(MILLION), random(MILLION), random(MILLION, seed=1)
    ones = np.ones(MILLION, np.float32)

    def run() -> Any:
        y = x.copy()
        y[index] = source
        y.sum()
        gradient = ones.copy()
        gradient[index] = 0
        return gradient, ones[index]

    return run


@row("x[index] of 1e6, with repeats", "indexing")
def gathering(lib: Any) -> Run:
    index = lib.tensor(np.random.default_rng(0).integers(0, MILLION, MILLION))
    return forward_backward(lib, lambda x: x[index].sum(), random(MILLION))


@gathering.by_hand
def _() -> Run:
    index, x, ones = (
        np.random.default_rng(0).integers(0, MILLION, MILLION),
        random(MILLION),
        np.ones(MILLION, np.float32),
    )

    def run() -> Any:
        x[index].sum()
        gradient = np.zeros(MILLION, np.float32)
        np.add.at(gradient, index, ones)
        return gradient

    return run


@gathering.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    index, x = np.random.default_rng(0).integers(0, MILLION, MILLION), random(MILLION)
    gradient = autograd.grad(lambda x: anp.sum(x[index]))
    return lambda: gradient(x)


@row("cat of 100 of 100 x 100", "indexing")
def joining(lib: Any) -> Run:
    return forward_backward(
        lib, lambda *parts: lib.cat(parts).sum(), *[random(100, 100, seed=i) for i in range(100)]
    )


@joining.by_hand
def _() -> Run:
    parts = [random(100, 100, seed=i) for i in range(100)]

    def run() -> Any:
        np.concatenate(parts).sum()
        gradient = np.ones((10_000, 100), np.float32)
        return np.split(gradient, 100)

    return run


@row("MLP 64-128-10, batch 32, one SGD step", "training")
def training(lib: Any) -> Run:
    x, y = lib.tensor(random(32, 64)), lib.tensor(random(32, 10, seed=1))
    first, second = random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11

    def run() -> Any:
        a, b = leaf(lib, first), leaf(lib, second)
        loss = (((x @ a).tanh() @ b - y) ** 2).mean()
        loss.backward()
        with lib.no_grad():
            a -= 0.1 * a.grad
            b -= 0.1 * b.grad
        return a, b

    return run


@training.by_hand
def _() -> Run:
    x, y = random(32, 64), random(32, 10, seed=1)
    first, second = random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11

    def run() -> Any:
        a, b = first.copy(), second.copy()
        h = np.tanh(x @ a)
        error = h @ b - y
        (error * error).mean()
        g = error * np.float32(2 / error.size)
        gb = h.T @ g
        ga = x.T @ ((g @ b.T) * (1 - h * h))
        a -= np.float32(0.1) * ga
        b -= np.float32(0.1) * gb
        return a, b

    return run


@training.in_autograd
def _(anp: Any, autograd: Any) -> Run:
    x, y = random(32, 64), random(32, 10, seed=1)
    first, second = random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11
    gradient = autograd.grad(lambda w: anp.mean((anp.dot(anp.tanh(anp.dot(x, w[0])), w[1]) - y) ** 2))

    def run() -> Any:
        ga, gb = gradient((first, second))
        return first - 0.1 * ga, second - 0.1 * gb

    return run
