"""Where PyTorch's answer is wrong, jgrad's is right: the differences that are not counted."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402

pytestmark = pytest.mark.quick


def by_differences(library, function, x, seed):
    """The gradient of `(function(x) * seed).sum()` by finite differences."""
    found = np.zeros(x.numel())
    for i in range(x.numel()):
        step = library.zeros(x.numel(), dtype=library.float64)
        step[i] = 1e-6
        step = step.view(x.shape)
        found[i] = ((function(x + step) - function(x - step)) * seed).sum().item() / 2e-6
    return found.reshape(tuple(x.shape))


@pytest.mark.parametrize(("strides", "offset"), [((1, 2), 0), ((3, 1), 1), ((3, 1), 0)])
def test_gradient_of_as_strided_scatter(strides, offset):
    agree = {}
    for library in (jgrad, torch):
        x = library.arange(9.0, dtype=library.float64).view(3, 3)
        source, seed = library.ones(2, 2, dtype=library.float64), x.sin()

        def written(x, library=library, source=source):
            return library.as_strided_scatter(x, source, (2, 2), strides, offset)

        expected = by_differences(library, written, x, seed)
        leaf = x.clone().requires_grad_()
        (gradient,) = library.autograd.grad(written(leaf), leaf, seed)
        agree[library] = np.allclose(gradient.numpy(), expected, atol=1e-6)
    assert agree == {jgrad: True, torch: False}


def test_gradient_of_logcumsumexp_of_large_numbers():
    values, seed = np.array([0.25, -1.5, 1e4, 0.5]), np.array([0.5, -1.25, 2.0, 0.75])
    sums = np.logaddexp.accumulate(values)
    shares = np.tril(np.exp(np.minimum(values[None] - sums[:, None], 0)))  # of each number in each sum
    errors = {}
    for library in (jgrad, torch):
        x = library.tensor(values.tolist(), requires_grad=True)
        library.logcumsumexp(x, 0).backward(library.tensor(seed.tolist()))
        errors[library] = np.abs(x.grad.numpy() - seed @ shares).max()
    assert errors[jgrad] < 1e-6 < 1e-4 < errors[torch]


def test_matrix_exp_of_bfloat16():
    a = np.array([[0.25, -3.0], [2.0, 0.5]])
    exact = torch.linalg.matrix_exp(torch.tensor(a)).numpy()
    ours = jgrad.linalg.matrix_exp(jgrad.tensor(a, dtype=jgrad.bfloat16)).float().numpy()
    assert np.allclose(ours, exact, rtol=0.02, atol=0.02)


def test_second_derivative_of_native_layer_norm_without_a_weight():
    def composed(library, x, bias):
        variance = x.var(1, keepdim=True, unbiased=False)
        return (x - x.mean(1, keepdim=True)) / (variance + 1e-5).sqrt() + bias

    def native(library, x, bias):
        return library.native_layer_norm(x, (3,), None, bias, 1e-5)[0]

    def second(library, function):
        x = library.arange(6.0, dtype=library.float64).view(2, 3).sin().requires_grad_()
        bias = library.ones(3, dtype=library.float64, requires_grad=True)
        seed = library.arange(6.0, dtype=library.float64).view(2, 3).cos().requires_grad_()
        gradients = library.autograd.grad(function(library, x, bias), [x, bias], seed, create_graph=True)
        total = sum((g**2).sum() for g in gradients)
        return np.stack([g.numpy() for g in library.autograd.grad(total, [seed, x])])

    with pytest.raises(RuntimeError, match="Expected a proper Tensor but got None"):
        second(torch, native)
    assert np.allclose(second(jgrad, native), second(torch, composed))
