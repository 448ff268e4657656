"""How many kernels the most used operations launch, forward and backward: what a GPU waits for when tensors are small."""

import pytest

import jgrad
from jgrad import nn, optim
from tests.foreign.counting import launches
from tests.foreign.programs import step_of

pytestmark = pytest.mark.quick

F = nn.functional


# What is run, on a matrix of 64 x 128, classes of its rows and images; and how many launches it takes, forward and backward.
OPERATIONS = {
    "linear and relu": (lambda x, square, w, **_: lambda: F.linear(x, square, w).relu(), 3, 5),
    "sigmoid": (lambda x, **_: x.sigmoid, 1, 1),
    "gelu": (lambda x, **_: lambda: F.gelu(x), 1, 1),
    "silu": (lambda x, **_: lambda: F.silu(x), 1, 1),
    "softmax": (lambda x, **_: lambda: x.softmax(1), 3, 2),
    "log_softmax": (lambda x, **_: lambda: x.log_softmax(1), 3, 2),
    "cross_entropy": (lambda x, classes, **_: lambda: F.cross_entropy(x, classes), 11, 4),
    "layer_norm": (lambda x, w, **_: lambda: F.layer_norm(x, (128,), w, w), 4, 6),
    "batch_norm": (lambda image, c, mean, var, **_: lambda: F.batch_norm(image, mean, var, c, c, True), 6, 4),
    "attention": (lambda q, **_: lambda: F.scaled_dot_product_attention(q, q, q), 7, 11),
    "mse_loss": (lambda x, y, **_: lambda: F.mse_loss(x, y), 2, 1),
    "norm": (lambda x, **_: x.norm, 2, 4),
    "dropout": (lambda x, **_: lambda: F.dropout(x, 0.1), 3, 1),
    "max_pool2d": (lambda image, **_: lambda: F.max_pool2d(image, 2), 1, 4),
    "conv2d": (lambda image, kernel, **_: lambda: F.conv2d(image, kernel, padding=1), 5, 12),
    "embedding": (lambda x, classes, **_: lambda: F.embedding(classes, x), 2, 2),
    "scatter_add": (lambda x, index, **_: lambda: x.scatter_add(1, index, x), 6, 6),
}
STEPS = {
    "SGD": (lambda p: optim.SGD(p, lr=0.1), 1),
    "SGD with momentum": (lambda p: optim.SGD(p, lr=0.1, momentum=0.9), 3),
    "Adam": (lambda p: optim.Adam(p), 7),
    "AdamW": (lambda p: optim.AdamW(p), 8),
}


@pytest.fixture
def seen():
    with launches() as found:
        yield found


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name, seen):
    build, forward, backward = OPERATIONS[name]
    found = counts(build, seen)
    assert [sum(f.values()) for f in found] == [forward, backward], found


def counts(build, seen):
    """The launches of a second run of an operation, forward and backward."""
    given = {
        "x": jgrad.randn(64, 128, device="cuda", requires_grad=True),
        "y": jgrad.randn(64, 128, device="cuda"),
        "q": jgrad.randn(2, 4, 32, 16, device="cuda", requires_grad=True),
        "square": jgrad.randn(128, 128, device="cuda", requires_grad=True),
        "w": jgrad.randn(128, device="cuda", requires_grad=True),
        "c": jgrad.randn(16, device="cuda", requires_grad=True),
        "mean": jgrad.zeros(16, device="cuda"),
        "var": jgrad.ones(16, device="cuda"),
        "image": jgrad.randn(8, 16, 16, 16, device="cuda", requires_grad=True),
        "kernel": jgrad.randn(32, 16, 3, 3, device="cuda", requires_grad=True),
        "classes": jgrad.randint(0, 64, (64,), device="cuda"),
        "index": jgrad.randint(0, 128, (64, 128), device="cuda"),
    }
    operation = build(**given)
    operation().sum().backward()
    for t in given.values():
        t.grad = None
    seen.clear()
    result = operation()
    forward = dict(seen)
    gradient = jgrad.ones_like(result)
    seen.clear()
    result.backward(gradient)
    return forward, dict(seen)


@pytest.mark.parametrize("name", STEPS)
def test_steps_of_optimizers(name, seen):
    """Of one parameter."""
    choose, most = STEPS[name]
    step = step_of(choose)
    seen.clear()
    step()
    assert sum(seen.values()) == most, dict(seen)
