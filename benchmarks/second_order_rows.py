"""Second order and `func`: derivatives of derivatives, of many samples at once, of many outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.rows import random, row
from benchmarks.systems import Run

GROUP, FUNC = "second order", "func"


@row("second derivative of x ** 3", GROUP)
def cubed(lib: Any) -> Run:
    x = lib.tensor(2.0, requires_grad=True)

    def run() -> Any:
        (first,) = lib.autograd.grad(x**3, x, create_graph=True)
        (second,) = lib.autograd.grad(first, x)
        return second

    return run


@cubed.by_hand
def _() -> Run:
    x, one = np.array(2.0, np.float32), np.array(1.0, np.float32)

    def run() -> Any:
        square = x * x
        x * square
        one * 3 * square
        return one * 3 * 2 * x

    return run


@cubed.in_autograd
def _(peer: Any) -> Run:
    second = peer.autograd.grad(peer.autograd.grad(lambda x: x**3))
    return lambda: second(2.0)


# A network of two layers, 64-128-10 with tanh, and the mean squared error of a batch of 32.


def network() -> tuple[np.ndarray, np.ndarray]:
    return random(64, 128, seed=2) / 8, random(128, 10, seed=3) / 11


def batch() -> tuple[np.ndarray, np.ndarray]:
    return random(32, 64), random(32, 10, seed=1)


def directions() -> tuple[np.ndarray, np.ndarray]:
    return random(64, 128, seed=4), random(128, 10, seed=5)


def loss(a: Any, b: Any, x: Any, y: Any) -> Any:
    return (((x @ a).tanh() @ b - y) ** 2).mean()


def product_by_hand() -> Run:
    """The product of the Hessian and a direction: forward and backward, with each line also differentiated along the direction."""
    (a, b), (x, y), (da, db) = network(), batch(), directions()

    def run() -> Any:
        h = np.tanh(x @ a)
        slope = 1 - h * h
        scale = np.float32(2 / y.size)
        g = (h @ b - y) * scale
        back = g @ b.T
        dh = slope * (x @ da)
        dg = (dh @ b + h @ db) * scale
        dback = dg @ b.T + g @ db.T
        return x.T @ (dback * slope - back * (2 * h * dh)), dh.T @ g + h.T @ dg

    return run


@row("Hessian-vector product of an MLP, backward twice", GROUP)
def backward_twice(lib: Any) -> Run:
    parameters = [lib.tensor(value, requires_grad=True) for value in network()]
    x, y = map(lib.tensor, batch())
    along = [*map(lib.tensor, directions())]

    def run() -> Any:
        gradients = lib.autograd.grad(loss(*parameters, x, y), parameters, create_graph=True)
        return lib.autograd.grad(gradients, parameters, along)

    return run


@row("Hessian-vector product of an MLP, func.jvp of func.grad", GROUP)
def forward_over_backward(lib: Any) -> Run:
    parameters, along = (tuple(map(lib.tensor, values())) for values in (network, directions))
    x, y = map(lib.tensor, batch())
    gradient = lib.func.grad(lambda a, b: loss(a, b, x, y), (0, 1))
    return lambda: lib.func.jvp(gradient, parameters, along)[1]


backward_twice.by_hand(product_by_hand)
forward_over_backward.by_hand(product_by_hand)


@backward_twice.in_autograd
def _(peer: Any) -> Run:
    lib, (x, y), (da, db), parameters = peer.lib, batch(), directions(), network()

    def of_parameters(parameters: Any) -> Any:
        a, b = parameters
        return lib.mean((lib.matmul(lib.tanh(lib.matmul(x, a)), b) - y) ** 2)

    gradient = peer.autograd.grad(of_parameters)

    def along(parameters: Any) -> Any:
        ga, gb = gradient(parameters)
        return lib.sum(ga * da) + lib.sum(gb * db)

    product = peer.autograd.grad(along)
    return lambda: product(parameters)


# Derivatives of many samples at once, and of many outputs.


@row("gradients of each of 32 samples, func.vmap of func.grad", FUNC)
def each_sample(lib: Any) -> Run:
    a, b, x, y = map(lib.tensor, (*network(), *batch()))
    gradients = lib.func.vmap(lib.func.grad(loss, (0, 1)), (None, None, 0, 0))
    return lambda: gradients(a, b, x, y)


@each_sample.by_hand
def _() -> Run:
    (a, b), (x, y) = network(), batch()

    def run() -> Any:
        h = np.tanh(x @ a)
        g = (h @ b - y) * np.float32(2 / y.shape[1])
        back = (g @ b.T) * (1 - h * h)
        return x[:, :, None] * back[:, None, :], h[:, :, None] * g[:, None, :]

    return run


def outputs(x: Any, a: Any, b: Any) -> Any:
    return (x @ a).tanh() @ b


def jacobian_by_hand() -> Run:
    (a, b), x = network(), batch()[0][0]

    def run() -> Any:
        h = np.tanh(x @ a)
        h @ b
        return (b.T * (1 - h * h)) @ a.T

    return run


@row("Jacobian of an MLP, autograd.functional.jacobian", FUNC)
def jacobian(lib: Any) -> Run:
    a, b, x = map(lib.tensor, (*network(), batch()[0][0]))
    return lambda: lib.autograd.functional.jacobian(lambda x: outputs(x, a, b), x)


@row("Jacobian of an MLP, func.jacrev", FUNC)
def jacobian_in_reverse(lib: Any) -> Run:
    a, b, x = map(lib.tensor, (*network(), batch()[0][0]))
    whole = lib.func.jacrev(outputs)
    return lambda: whole(x, a, b)


jacobian.by_hand(jacobian_by_hand)
jacobian_in_reverse.by_hand(jacobian_by_hand)


@jacobian.in_autograd
def _(peer: Any) -> Run:
    lib, (a, b), x = peer.lib, network(), batch()[0][0]
    whole = peer.autograd.jacobian(lambda x: lib.matmul(lib.tanh(lib.matmul(x, a)), b))
    return lambda: whole(x)
