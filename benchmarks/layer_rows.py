"""Layers of neural networks, large and small: forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.differentiated import differentiated
from benchmarks.rows import FOUR, Run, leaf, random, row

BATCH, CLASSES = 1024, 1000
TARGET = np.random.default_rng(2).integers(0, CLASSES, BATCH)
EACH = np.arange(BATCH)


def cross_entropy_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    shifted = x - np.maximum.reduce(x, 1, keepdims=True)
    e = np.exp(shifted)
    sums = np.add.reduce(e, 1, keepdims=True)
    loss = (np.log(sums[:, 0]) - shifted[EACH, TARGET]).mean()
    e /= sums
    e[EACH, TARGET] -= 1
    e *= g / np.float32(BATCH)
    return loss, e


def cross_entropy_in_autograd(anp: Any, x: Any) -> Any:
    shifted = x - anp.max(x, axis=1, keepdims=True)
    return anp.mean(anp.log(anp.sum(anp.exp(shifted), axis=1)) - shifted[EACH, TARGET])


def prepare_cross_entropy(lib: Any) -> Callable:
    target = lib.tensor(TARGET)
    return lambda x: lib.nn.functional.cross_entropy(x, target)


differentiated(
    "cross_entropy of 1024 x 1000",
    "throughput",
    prepare_cross_entropy,
    lambda: (random(BATCH, CLASSES),),
    (),
    cross_entropy_by_hand,
    cross_entropy_in_autograd,
)


def normalized_inputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return random(4096, 512), random(512, seed=1), random(512, seed=2)


def layer_norm_by_hand(x: np.ndarray, w: np.ndarray, b: np.ndarray, g: np.ndarray) -> tuple:
    n = np.float32(x.shape[1])
    h = x - np.add.reduce(x, 1, keepdims=True) / n
    scale = 1 / np.sqrt(np.add.reduce(h * h, 1, keepdims=True) / n + np.float32(1e-5))
    h *= scale
    gh = g * w
    mean = np.add.reduce(gh, 1, keepdims=True) / n
    along = np.add.reduce(gh * h, 1, keepdims=True) / n
    return (
        h * w + b,
        scale * (gh - mean - h * along),
        np.add.reduce(g * h, 0),
        np.add.reduce(g, 0),
    )


def composed(lib: Any) -> Callable:
    def forward(x: Any, w: Any, b: Any) -> Any:
        centred = x - x.mean(1, keepdim=True)
        return centred / (x.var(1, unbiased=False, keepdim=True) + 1e-5).sqrt() * w + b

    return forward


def composed_in_autograd(anp: Any, x: Any, w: Any, b: Any) -> Any:
    centred = x - anp.mean(x, axis=1, keepdims=True)
    return centred / anp.sqrt(anp.var(x, axis=1, keepdims=True) + 1e-5) * w + b


differentiated(
    "layer_norm of 4096 x 512",
    "throughput",
    lambda lib: lambda x, w, b: lib.nn.functional.layer_norm(x, (512,), w, b),
    normalized_inputs,
    (4096, 512),
    layer_norm_by_hand,
    composed_in_autograd,
)
differentiated(
    "the same of mean, var, sqrt",
    "throughput",
    composed,
    normalized_inputs,
    (4096, 512),
    layer_norm_by_hand,
    composed_in_autograd,
)


def columns(x: np.ndarray, k: int) -> np.ndarray:
    """(N, C, H, W) -> (N, C * k * k, H' * W'), without padding."""
    n, c = x.shape[:2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))
    return windows.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * k * k, -1)


def convolved(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The result and the columns, which the backward pass wants."""
    cols = columns(x, w.shape[2])
    side = x.shape[2] - w.shape[2] + 1
    return (w.reshape(len(w), -1) @ cols).reshape(len(x), len(w), side, -1), cols


def convolved_backward(x: np.ndarray, w: np.ndarray, cols: np.ndarray, g: np.ndarray) -> tuple:
    flat = g.reshape(len(g), len(w), -1)
    gw = np.matmul(flat, cols.swapaxes(1, 2)).sum(0).reshape(w.shape)
    gcols = (w.reshape(len(w), -1).T @ flat).reshape(*x.shape[:2], *w.shape[2:], *g.shape[2:])
    gx = np.zeros_like(x)
    for i in range(w.shape[2]):
        for j in range(w.shape[3]):
            gx[:, :, i : i + g.shape[2], j : j + g.shape[3]] += gcols[:, :, i, j]
    return gx, gw


def network_inputs() -> tuple[np.ndarray, ...]:
    return random(16, 3, 32, 32), random(16, 3, 3, 3, seed=1) / 5, random(32, 16, 3, 3, seed=2) / 12


def network(lib: Any) -> Callable:
    conv2d = lib.nn.functional.conv2d
    return lambda x, v, w: conv2d(conv2d(x, v, padding=1).relu(), w, padding=1)


PADDED = ((0, 0), (0, 0), (1, 1), (1, 1))


def network_by_hand(x: np.ndarray, v: np.ndarray, w: np.ndarray, g: np.ndarray) -> tuple:
    wide = np.pad(x, PADDED)
    h, first = convolved(wide, v)
    active = np.pad(np.maximum(h, 0), PADDED)
    result, second = convolved(active, w)
    gh, gw = convolved_backward(active, w, second, g)
    gx, gv = convolved_backward(wide, v, first, gh[:, :, 1:-1, 1:-1] * (h > 0))
    return result, gx[:, :, 1:-1, 1:-1], gv, gw


differentiated(
    "conv2d 3-16-32 channels, batch 16, 32 x 32",
    "convolution",
    network,
    network_inputs,
    (16, 32, 32, 32),
    network_by_hand,
)


def small_by_hand(x: np.ndarray, w: np.ndarray, g: np.ndarray) -> tuple:
    result, cols = convolved(x, w)
    return result, *convolved_backward(x, w, cols, g)


differentiated(
    "conv2d (10, 3, 7, 7) with (5, 3, 3, 3), float64",
    "convolution",
    lambda lib: lib.nn.functional.conv2d,
    lambda: (random(10, 3, 7, 7).astype(np.float64), random(5, 3, 3, 3, seed=1).astype(np.float64)),
    (10, 5, 5, 5),
    small_by_hand,
)


# Overhead: small tensors, forward only.


@row("max of 4 x 4 over dim 1")
def largest(lib: Any) -> Run:
    x = leaf(lib, random(4, 4))
    return lambda: x.max(1).values


@largest.by_hand
def _() -> Run:
    x, each = random(4, 4), np.arange(4)
    return lambda: x[each, x.argmax(1)]


@row("softmax of 4 x 4")
def softmax(lib: Any) -> Run:
    x = leaf(lib, random(4, 4))
    return lambda: x.softmax(1)


@softmax.by_hand
def _() -> Run:
    x = random(4, 4)

    def run() -> Any:
        e = np.exp(x - np.maximum.reduce(x, 1, keepdims=True))
        return e / np.add.reduce(e, 1, keepdims=True)

    return run


@row("cat of two")
def joining(lib: Any) -> Run:
    pair = leaf(lib, FOUR), leaf(lib, FOUR)
    return lambda: lib.cat(pair)


@joining.by_hand
def _() -> Run:
    return lambda: np.concatenate((FOUR, FOUR))


@row("linear, 4 to 3")
def linear(lib: Any) -> Run:
    x, w, b = leaf(lib, random(2, 4)), leaf(lib, random(3, 4)), leaf(lib, random(3))
    layer = lib.nn.functional.linear
    return lambda: layer(x, w, b)


@linear.by_hand
def _() -> Run:
    x, w, b = random(2, 4), random(3, 4), random(3)
    return lambda: x @ w.T + b


@row("conv2d of 4 x 4 with 3 x 3")
def convolution(lib: Any) -> Run:
    x, w = leaf(lib, random(1, 1, 4, 4)), leaf(lib, random(1, 1, 3, 3, seed=1))
    conv2d = lib.nn.functional.conv2d
    return lambda: conv2d(x, w)


@convolution.by_hand
def _() -> Run:
    x, w = random(1, 1, 4, 4), random(1, 1, 3, 3, seed=1)
    return lambda: convolved(x, w)[0]
