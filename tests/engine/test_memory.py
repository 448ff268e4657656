"""What memory a pass takes: no more than what must be saved, which goes as backward goes, and nothing stays behind."""

import gc
import itertools
import os
import platform
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import jgrad

LAYERS, SIZE = 50, 100_000
ARRAY = 4 * SIZE  # bytes of one


@pytest.fixture
def traced():
    """tracemalloc on, the garbage collector off."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    yield
    tracemalloc.stop()
    gc.enable()


def chain(x):
    for _ in range(LAYERS):
        x = (x * 1.01).tanh()
    return x


def test_the_peak_of_a_chain_is_what_it_saves(traced):
    x = jgrad.linspace(-1, 1, SIZE, requires_grad=True)
    chain(
        jgrad.ones(2, requires_grad=True)
    ).sum().backward()  # what is written at the first call takes memory too
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    chain(x).sum().backward()
    _, peak = tracemalloc.get_traced_memory()
    # A product by a number saves nothing, a tanh its result. Beside these: the product before it is dropped, a gradient and what it is
    # computed with.
    assert LAYERS * ARRAY < peak - before < (LAYERS + 3) * ARRAY


def test_what_is_saved_goes_as_backward_goes(traced):
    x = jgrad.linspace(-1, 1, SIZE, requires_grad=True)
    y, held = x, []
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(LAYERS):
        y = (y * 1.01).tanh()
        y.register_hook(lambda grad: held.append((tracemalloc.get_traced_memory()[0] - before) // ARRAY))
    y.sum().backward()  # which is held all the while
    # As the gradient of a layer arrives: it, y, and what the layer and those before it saved.
    # (The gradient of sum() is one element, expanded.)
    assert held == [max(LAYERS - passed, 1) + (0 if passed == 0 else 2) for passed in range(LAYERS)]


@pytest.mark.parametrize("name", ["exp", "relu", "tanh", "neg", "sigmoid"])
def test_a_leaf_takes_its_gradient_without_a_copy(name, traced):
    x, gradient = jgrad.linspace(-1, 1, SIZE, requires_grad=True), jgrad.ones(SIZE)
    y = getattr(x, name)()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    y.backward(gradient)
    _, peak = tracemalloc.get_traced_memory()
    assert peak - before < 1.7 * ARRAY  # the gradient, and a mask or two


def test_a_leaf_copies_a_gradient_that_something_else_refers_to():
    """Otherwise a later backward pass, which adds to `.grad` in place, would change it."""
    kept = []
    x, y, z = (jgrad.ones(2, 3, requires_grad=True) for _ in range(3))
    x.register_hook(kept.append)
    (x * 2).sum().backward()
    root = jgrad.ones(2, 3)
    (y + z).backward(root)  # addition sends on what arrives
    arrays = [kept[0], root, x.grad, y.grad, z.grad]
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(map(np.asarray, arrays), 2))


def test_nothing_is_left_behind(traced):
    """Of views, in-place writes, several results, retained gradients and second derivatives, with the garbage collector off."""
    x = jgrad.ones(20_000, requires_grad=True)

    def iteration():
        x.grad = None
        y = (x * x).view(100, 200)
        y[1:].mul_(2.0)
        y.retain_grad()
        values, _ = y.max(1)
        (values.sum() + y.sort().values.cumsum(0).var()).backward()
        (first,) = jgrad.autograd.grad((x * x * x).sum(), x, create_graph=True)
        jgrad.autograd.grad(first.sum(), x)

    iteration()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(5):
        iteration()
    after, _ = tracemalloc.get_traced_memory()
    assert after - before < 80_000  # bytes of one tensor


def test_small_passes_leave_nothing_behind():
    x, w = jgrad.tensor(2.0), jgrad.tensor(1.0, requires_grad=True)

    def iterations(count):
        for _ in range(count):
            w.grad = None
            ((w + x) * (w + 1)).backward()

    gc.collect()
    gc.disable()
    try:
        iterations(100)
        before = sys.getallocatedblocks()
        iterations(20_000)
        assert sys.getallocatedblocks() - before < 1_000
    finally:
        gc.enable()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a rule of glibc's allocator")
def test_large_blocks_stay_with_the_process():
    program = """
import resource
import numpy as np
import jgrad
def allocate():
    [np.ones(1_000_000, np.float32) for _ in range(8)]
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
allocate()
before = faults()
allocate()
print(faults() - before)
"""
    # Dask sets such a variable for the whole process. It takes glibc's rule away, and tests of one process share it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    pages = 8 * 4_000_000 // 4096
    assert int(done.stdout) < pages / 100


def test_values_that_only_the_derivative_needs_are_not_kept_without_one(traced):
    x = jgrad.ones(SIZE)
    before, _ = tracemalloc.get_traced_memory()
    y = chain(x)
    after, _ = tracemalloc.get_traced_memory()
    assert after - before < 2 * ARRAY
    assert np.isfinite(y.numpy()).all()


def test_what_a_node_saved_is_released_before_its_gradient_is_added_to_another(traced: None) -> None:
    w = jgrad.ones(SIZE, requires_grad=True)
    h = w * 1
    loss = (h.exp() + h).sum()
    del h
    tracemalloc.reset_peak()
    loss.backward()
    # w, and two of: the saved result of exp, its gradient, the sum with the other gradient of h. Not all three at once.
    assert tracemalloc.get_traced_memory()[1] < 3.5 * ARRAY
