"""Layers in plain NumPy. Each returns its result, and the function from the gradient of the result to those of the inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def softmax(x: np.ndarray) -> tuple:
    result = np.exp(x - np.maximum.reduce(x, 1, keepdims=True))
    result /= np.add.reduce(result, 1, keepdims=True)

    def backward(g: np.ndarray) -> tuple:
        return (result * (g - np.add.reduce(g * result, 1, keepdims=True)),)

    return result, backward


def cross_entropy(x: np.ndarray, target: np.ndarray) -> tuple:
    each = np.arange(len(x))
    shifted = x - np.maximum.reduce(x, 1, keepdims=True)
    e = np.exp(shifted)
    sums = np.add.reduce(e, 1, keepdims=True)
    loss = (np.log(sums[:, 0]) - shifted[each, target]).mean()

    def backward(g: np.ndarray) -> tuple:
        gradient = e / sums
        gradient[each, target] -= 1
        gradient *= g / len(x)
        return (gradient,)

    return loss, backward


def layer_norm(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> tuple:
    n = x.shape[1]
    h = x - np.add.reduce(x, 1, keepdims=True) / n
    scale = 1 / np.sqrt(np.add.reduce(h * h, 1, keepdims=True) / n + np.float32(1e-5))
    h *= scale

    def backward(g: np.ndarray) -> tuple:
        gh = g * w
        mean = np.add.reduce(gh, 1, keepdims=True) / n
        along = np.add.reduce(gh * h, 1, keepdims=True) / n
        return scale * (gh - mean - h * along), np.add.reduce(g * h, 0), np.add.reduce(g, 0)

    return h * w + b, backward


def convolved(x: np.ndarray, w: np.ndarray) -> tuple:
    """A convolution without padding: the windows become columns, (N, C, H, W) -> (N, C * k * k, H' * W'), and then there is one product."""
    (n, c), k = x.shape[:2], w.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))
    columns = windows.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * k * k, -1)
    height, width = windows.shape[2:4]
    rows = w.reshape(len(w), -1)

    def backward(g: np.ndarray) -> tuple:
        flat = g.reshape(n, len(w), -1)
        gw = np.matmul(flat, columns.swapaxes(1, 2)).sum(0).reshape(w.shape)
        gcolumns = (rows.T @ flat).reshape(n, c, k, k, height, width)
        gx = np.zeros_like(x)
        for i in range(k):
            for j in range(k):
                gx[:, :, i : i + height, j : j + width] += gcolumns[:, :, i, j]
        return gx, gw

    return (rows @ columns).reshape(n, len(w), height, width), backward


PADDED = ((0, 0), (0, 0), (1, 1), (1, 1))


def two_convolutions(x: np.ndarray, v: np.ndarray, w: np.ndarray) -> tuple:
    """Convolutions with padding 1, with relu between them."""
    h, first = convolved(np.pad(x, PADDED), v)
    result, second = convolved(np.pad(np.maximum(h, 0), PADDED), w)

    def backward(g: np.ndarray) -> tuple:
        gh, gw = second(g)
        gx, gv = first(gh[:, :, 1:-1, 1:-1] * (h > 0))
        return gx[:, :, 1:-1, 1:-1], gv, gw

    return result, backward


def mlp(*arrays: np.ndarray) -> tuple:
    """Linear layers with tanh between them, and the mean squared error. The arguments are weight, bias, weight, bias, ..., x and y."""
    *parameters, x, y = arrays
    weights, biases = parameters[::2], parameters[1::2]
    inputs = [x]
    for w, b in zip(weights[:-1], biases[:-1], strict=True):
        inputs.append(np.tanh(inputs[-1] @ w.T + b))
    error = inputs[-1] @ weights[-1].T + biases[-1] - y

    def backward(g: np.ndarray) -> tuple:
        gradients: list[np.ndarray] = []
        g = error * (g * 2 / error.size)
        for i in reversed(range(len(weights))):
            gradients[:0] = [g.T @ inputs[i], np.add.reduce(g, 0)]
            if i:
                g = (g @ weights[i]) * (1 - inputs[i] * inputs[i])
        return tuple(gradients)

    return (error * error).mean(), backward


def sgd(parameters: Sequence[np.ndarray], gradients: Sequence[np.ndarray]) -> None:
    for p, g in zip(parameters, gradients, strict=True):
        p -= np.float32(0.1) * g


class Adam:
    """Adam with PyTorch's defaults."""

    def __init__(self, parameters: Sequence[np.ndarray]) -> None:
        self.step = 0
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]

    def __call__(self, parameters: Sequence[np.ndarray], gradients: Sequence[np.ndarray]) -> None:
        self.step += 1
        size, root = 1e-3 / (1 - 0.9**self.step), (1 - 0.999**self.step) ** 0.5
        for p, g, (m, v) in zip(parameters, gradients, self.moments, strict=True):
            m += (g - m) * np.float32(0.1)
            v *= np.float32(0.999)
            v += g * g * np.float32(0.001)
            p -= np.float32(size) * m / (np.sqrt(v) / np.float32(root) + np.float32(1e-8))
