"""Large tensors on a device: what takes ways of its own through the kernels on the CPU gives the same results and gradients there."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.foreign.device import on_the_device  # noqa: E402
from tests.kernels.test_large import ALONG_A_DIMENSION, ELEMENTWISE, LAYERS, texts  # noqa: E402

EXPRESSIONS = [(text, d) for text in texts(ELEMENTWISE) + texts(LAYERS) for d in (0,)] + [
    (text, d) for text in texts(ALONG_A_DIMENSION) for d in (0, 1)
]
MORE = """
x.tril(1) | x.triu() | x.gather(1, i) | x.scatter_add(1, i, y) | x.index_select(0, c) | x.index_add(0, c[:40], y) | x[c] | F.embedding(c, y) |
x.take_along_dim(i, 1) | x.masked_scatter(x > 0, y) | x.scatter(1, i[:, :5], 0.5) | x.roll((3, 5), (0, 1)) | x.repeat(2, 2) | x.t().contiguous() |
lib.cat([x, y], 1) | F.conv1d(x[None], y[None, :8, :3].expand(4, 8, 3)[:, :1].repeat(1, 40, 1)) | F.max_pool1d(x[None], 3, 2) |
F.avg_pool1d(x[None], 3, 2) | F.pad(x[None], (3, 4), mode="reflect") | F.interpolate(x[None], scale_factor=2, mode="linear") |
lib.einsum("ij,kj->ik", x, y) | lib.bmm(x[None], y.t()[None]) | F.scaled_dot_product_attention(x[None], y[None], y[None]) | x.unfold(1, 5, 3) |
lib.var_mean(x, 1)[0] | x.cov() | lib.cdist(x, y) | x.renorm(2, 0, 5.0) | x.quantile(0.3, 1) | x.nansum(1)
"""
SHAPE = 40, 700


def results(place, text, d):
    rng = np.random.default_rng(3)
    x, y, g = (rng.standard_normal(SHAPE) for _ in range(3))
    names = {
        "lib": jgrad,
        "F": jgrad.nn.functional,
        "x": jgrad.tensor(x, requires_grad=True, device=place),
        "y": jgrad.tensor(y, requires_grad=True, device=place),
        "c": jgrad.tensor(rng.integers(0, SHAPE[0], SHAPE[0]), device=place),
        "i": jgrad.tensor(rng.integers(0, SHAPE[1], SHAPE), device=place),
        "d": d,
    }
    result = eval(text, names)
    gradient = jgrad.tensor(np.resize(g, tuple(result.shape)), device=place)
    wanted = [names["x"], names["y"]]
    found = [result, *jgrad.autograd.grad(result, wanted, gradient, allow_unused=True)]
    return [t if t is None else t.detach().cpu().numpy() for t in found]


@pytest.mark.filterwarnings("ignore:reduction. .mean. divides")
@pytest.mark.parametrize(("text", "d"), EXPRESSIONS + [(text, 0) for text in texts(MORE)])
def test_large_tensors(text, d):
    with on_the_device():
        there = results("cuda", text, d)
    for ours, theirs in zip(there, results("cpu", text, d), strict=True):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs, 1e-8, 1e-8)
