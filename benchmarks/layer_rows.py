"""Layers of neural networks, forward and backward."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import layers_by_hand as by_hand
from benchmarks.rows import operation, random

BATCH, CLASSES = 1024, 1000
EACH = np.arange(BATCH)


def targets() -> np.ndarray:
    return np.random.default_rng(2).integers(0, CLASSES, BATCH)


def softmax(lib: Any, x: Any) -> Any:
    e = lib.exp(x - lib.max(x, axis=1, keepdims=True))
    return e / lib.sum(e, axis=1, keepdims=True)


def cross_entropy(lib: Any, x: Any, target: np.ndarray) -> Any:
    shifted = x - lib.max(x, axis=1, keepdims=True)
    return lib.mean(lib.log(lib.sum(lib.exp(shifted), axis=1)) - shifted[EACH, target])


operation(
    "softmax of 1024 x 1000",
    "throughput",
    lambda lib, x: x.softmax(1),
    by_hand.softmax,
    autograd=softmax,
    mygrad=lambda lib, x: lib.nnet.softmax(x, axis=1),
    inputs=[(BATCH, CLASSES)],
)
operation(
    "cross_entropy of 1024 x 1000",
    "throughput",
    lambda lib, x, target: lib.nn.functional.cross_entropy(x, target),
    by_hand.cross_entropy,
    autograd=cross_entropy,
    mygrad=lambda lib, x, target: lib.nnet.softmax_crossentropy(x, target),
    inputs=[(BATCH, CLASSES)],
    constants=[targets],
    threads=True,
)


def composed(lib: Any, x: Any, w: Any, b: Any) -> Any:
    centred = x - x.mean(1, keepdim=True)
    return centred / (x.var(1, unbiased=False, keepdim=True) + 1e-5).sqrt() * w + b


def composed_in_peers(lib: Any, x: Any, w: Any, b: Any) -> Any:
    centred = x - lib.mean(x, axis=1, keepdims=True)
    return centred / lib.sqrt(lib.var(x, axis=1, keepdims=True) + np.float32(1e-5)) * w + b


for _name, _torch in (
    ("layer_norm of 4096 x 512", lambda lib, x, w, b: lib.nn.functional.layer_norm(x, (512,), w, b)),
    ("layer_norm of mean, var, sqrt", composed),
):
    operation(
        _name,
        "throughput",
        _torch,
        by_hand.layer_norm,
        composed_in_peers,
        inputs=[(4096, 512), (512,), (512,)],
    )


def two_convolutions(lib: Any, x: Any, v: Any, w: Any) -> Any:
    conv2d = lib.nn.functional.conv2d
    return conv2d(conv2d(x, v, padding=1).relu(), w, padding=1)


def two_convolutions_in_mygrad(lib: Any, x: Any, v: Any, w: Any) -> Any:
    h = lib.nnet.relu(lib.nnet.conv_nd(x, v, stride=1, padding=1))
    return lib.nnet.conv_nd(h, w, stride=1, padding=1)


def kernel(*shape: int) -> np.ndarray:
    return random(*shape, seed=1) / np.float32(np.prod(shape[1:]) ** 0.5)


operation(
    "conv2d 3-16-32 channels, batch 16, 32 x 32",
    "training",
    two_convolutions,
    by_hand.two_convolutions,
    mygrad=two_convolutions_in_mygrad,
    inputs=[(16, 3, 32, 32), lambda: kernel(16, 3, 3, 3), lambda: kernel(32, 16, 3, 3)],
    threads=True,
)
operation(
    "conv2d (10, 3, 7, 7) with (5, 3, 3, 3), float64",
    "training",
    lambda lib, x, w: lib.nn.functional.conv2d(x, w),
    by_hand.convolved,
    mygrad=lambda lib, x, w: lib.nnet.conv_nd(x, w, stride=1),
    inputs=[
        lambda: random(10, 3, 7, 7).astype(np.float64),
        lambda: random(5, 3, 3, 3, seed=1).astype(np.float64),
    ],
)
