"""Training steps, optimizers and related workloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks import layers_by_hand as by_hand
from benchmarks.rows import random, row
from benchmarks.systems import Run, System

GROUP = "training"


def layers(*sizes: int) -> list[np.ndarray]:
    """The weights and biases of an MLP."""
    result: list[np.ndarray] = []
    for k, (inner, outer) in enumerate(pairwise(sizes)):
        result += [random(outer, inner, seed=2 + k) / np.float32(inner**0.5), np.zeros(outer, np.float32)]
    return result


def mlp(lib: Any, *arrays: Any) -> Any:
    """The same as `by_hand.mlp`, for autograd and mygrad."""
    *parameters, x, y = arrays
    for k in range(0, len(parameters), 2):
        x = lib.matmul(lib.tanh(x) if k else x, parameters[k].T) + parameters[k + 1]
    return lib.mean((x - y) ** 2)


def step(name: str, sizes: tuple[int, ...], batch: int, optimizer: str, threads: bool = False) -> None:
    """One step of an optimizer on an MLP: `nn` and `optim` in jgrad and PyTorch. Each run continues from the parameters of the last one."""

    def data() -> tuple[np.ndarray, np.ndarray]:
        return random(batch, sizes[0]), random(batch, sizes[-1], seed=1)

    @row(name, GROUP, threads=threads)
    def declared(lib: Any) -> Run:
        x, y = map(lib.tensor, data())
        parts = [lib.nn.Linear(*pair) for pair in pairwise(sizes)]
        for k in reversed(range(1, len(parts))):
            parts.insert(k, lib.nn.Tanh())
        model, loss_of = lib.nn.Sequential(*parts), lib.nn.MSELoss()
        with lib.no_grad():
            for parameter, value in zip(model.parameters(), layers(*sizes), strict=True):
                parameter.copy_(lib.tensor(value))
        optimize = {"SGD": partial(lib.optim.SGD, lr=0.1), "Adam": lib.optim.Adam}[optimizer](
            model.parameters()
        )

        def run() -> Any:
            optimize.zero_grad()
            loss = loss_of(model(x), y)
            loss.backward()
            optimize.step()
            return loss, *model.parameters()

        return run

    def stepping(system: System, loss_of: Callable[..., Any]) -> Run:
        parameters = layers(*sizes)
        update = by_hand.sgd if optimizer == "SGD" else by_hand.Adam(parameters)
        forward_backward = system.differentiate(loss_of, parameters, data())

        def run() -> Any:
            loss, *gradients = forward_backward()
            update(parameters, gradients)
            return loss, *parameters

        return run

    declared.by_hand(lambda: stepping(System(), by_hand.mlp))
    declared.in_peers(lambda peer: stepping(peer, mlp))


step("MLP 64-128-10, batch 32, nn and optim.SGD", (64, 128, 10), 32, "SGD")
step("MLP 64-128-10, batch 32, nn and optim.Adam", (64, 128, 10), 32, "Adam")
step("MLP 784-1024-1024-10, batch 256, nn and optim.SGD", (784, 1024, 1024, 10), 256, "SGD", threads=True)


@row("MLP 64-128-10, batch 32, one SGD step", GROUP)
def training(lib: Any) -> Run:
    x, y = lib.tensor(random(32, 64)), lib.tensor(random(32, 10, seed=1))
    first, second = random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11

    def run() -> Any:
        a, b = lib.tensor(first, requires_grad=True), lib.tensor(second, requires_grad=True)
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


@training.in_peers
def _(peer: System) -> Run:
    first, second = random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11
    gradients = peer.differentiate(
        lambda lib, a, b, x, y: lib.mean((lib.matmul(lib.tanh(lib.matmul(x, a)), b) - y) ** 2),
        [first, second],
        [random(32, 64), random(32, 10, seed=1)],
    )

    def run() -> Any:
        _, ga, gb = gradients()
        return first - np.float32(0.1) * ga, second - np.float32(0.1) * gb

    return run


def convolved() -> list[np.ndarray]:
    return [random(2, 3, 5, 5).astype(np.float64), random(5, 3, 3, 3, seed=1).astype(np.float64)]


@row("gradcheck of conv2d (2, 3, 5, 5) with (5, 3, 3, 3)", GROUP)
def checking(lib: Any) -> Run:
    x, w = (lib.tensor(value, requires_grad=True) for value in convolved())
    return lambda: lib.autograd.gradcheck(lib.nn.functional.conv2d, (x, w))


@checking.by_hand
def _() -> Run:
    """Both Jacobians in full: a backward call for each element of the result, and two differences for each element of the inputs."""
    inputs, tiny = convolved(), 1e-6

    def run() -> bool:
        result, backward = by_hand.convolved(*inputs)
        unit = np.zeros_like(result)
        exact = [np.empty((result.size, each.size)) for each in inputs]
        for i in range(result.size):
            unit.flat[i] = 1
            for jacobian, gradient in zip(exact, backward(unit), strict=True):
                jacobian[i] = gradient.reshape(-1)
            unit.flat[i] = 0
        for jacobian, each in zip(exact, inputs, strict=True):
            for j, value in enumerate(each.flat):
                each.flat[j] = value + tiny
                above = by_hand.convolved(*inputs)[0]
                each.flat[j] = value - tiny
                slope = (above - by_hand.convolved(*inputs)[0]) / (2 * tiny)
                each.flat[j] = value
                if not np.allclose(jacobian[:, j], slope.reshape(-1), rtol=1e-3, atol=1e-5):
                    return False
        return True

    return run
