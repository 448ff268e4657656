"""Many indices, windows and runs take ways of their own through the kernels: in blocks, in rounds, in one piece. Their results, and the
gradients, are compared with PyTorch's."""

import warnings

import numpy as np
import pytest

import jgrad

torch = pytest.importorskip("torch")

INDICES = """
x.gather(1, j) | x.gather(0, i) | x.t().gather(0, j.t()) | z.gather(0, k % 6) | z.gather(1, k) | z.gather(2, k) | lib.take_along_dim(x, j, 1) |
x.scatter_add(1, j, y) | x.scatter_add(0, i, y) | z.scatter_add(1, k, z) | x.index_select(0, r) | x.index_select(1, r) | x[r] |
x.index_add(0, r, w) | x.index_add(0, r, w, alpha=2) | x.index_put((r,), w, accumulate=True) | x.take(k) |
x.index_reduce(0, r, w, "amax") | x.index_reduce(0, r, w, "amin", include_self=False) | x.index_reduce(0, r, w, "mean") |
x.index_reduce(0, r, w, "mean", include_self=False) | x.index_reduce(0, r[:100], w[:100], "prod") | F.embedding(r, x) |
F.embedding_bag(r, x, o) | F.embedding_bag(r, x, o, mode="sum") | F.embedding_bag(r, x, o, mode="max") | F.embedding_bag(i, x) |
F.embedding_bag(r, x, o, mode="sum", per_sample_weights=w[:, 0].contiguous()) | F.embedding_bag(r, x, o, padding_idx=3) |
lib.searchsorted(x.sort(1).values, y) | lib.searchsorted(x.sort(1).values, x, right=True) | lib.searchsorted(x, y)
"""
RUNS = "v.cummax(1) | v.cummax(0) | v.cummin(1) | v.reshape(-1).cummin(0) | x.sort(1).values.cummax(1) | v.round().cummax(1)"
WINDOWS = """
F.max_pool2d(p, 2) | F.max_pool2d(p, 3, 2, 1) | F.max_pool2d(p, 12, 5) | F.max_pool1d(p[0], 3, 2) | F.avg_pool2d(p, 3, 2, 1) |
F.adaptive_avg_pool2d(p, (7, 5)) | F.adaptive_max_pool2d(p, (7, 5)) | F.pad(p, (3, 2, 1, 4), mode="reflect") |
F.pad(p, (-3, 2, 1, -4), mode="reflect") | F.pad(p, (3, 2, 1, 4), mode="replicate") | F.pad(p, (-3, 2, 0, -4), mode="replicate") |
F.interpolate(p, scale_factor=2) | F.interpolate(p, size=(13, 41)) | F.interpolate(p, scale_factor=2, mode="bilinear") |
F.interpolate(p, scale_factor=0.5, mode="bilinear") | F.interpolate(p, size=(13, 41), mode="bicubic") |
F.grid_sample(p, q, align_corners=False) | F.grid_sample(p, q, mode="nearest", align_corners=False) |
F.grid_sample(p, q, padding_mode="border", align_corners=True) | F.grid_sample(p, q, mode="bicubic", padding_mode="reflection", align_corners=False)
"""
CONVOLUTIONS = [  # shape of the input, of the weight; the other arguments; whether transposed
    ((11, 8, 30, 30), (16, 8, 3, 3), {"padding": 1}, False),
    ((11, 8, 30, 30), (6, 8, 3, 2), {"padding": (2, 0), "dilation": (2, 1)}, False),
    ((11, 8, 30, 30), (40, 8, 3, 3), {"stride": 2, "padding": 1}, False),
    ((11, 3, 30, 30), (40, 3, 5, 5), {}, False),
    ((3, 12, 40, 40), (24, 4, 3, 3), {"groups": 3, "padding": 1}, False),
    ((7, 32, 30, 30), (32, 1, 3, 3), {"groups": 32, "padding": 1}, False),
    ((20, 16, 7, 7), (300, 16, 3, 3), {"padding": 1}, False),
    ((20, 16, 7, 7), (10, 16, 1, 1), {}, False),
    ((20, 16, 7, 7), (10, 16, 1, 1), {"stride": 2}, False),
    ((9, 16, 500), (16, 16, 7), {"padding": 9}, False),
    ((2, 24, 150, 120), (5, 24, 3, 3), {"padding": (1, 0), "stride": (2, 1)}, False),
    ((2, 24, 150, 120), (24, 12, 3, 3), {"padding": 2, "dilation": 2, "groups": 2}, False),
    ((2, 24, 150, 120), (24, 5, 3, 3), {"padding": 1}, True),
    ((3, 6, 12, 14, 10), (8, 6, 3, 3, 3), {"padding": 1}, False),
    ((11, 8, 30, 30), (8, 6, 3, 3), {"padding": 1}, True),
    ((11, 8, 30, 30), (8, 6, 3, 3), {"stride": 2, "output_padding": 1}, True),
    ((5, 8, 30, 30), (8, 3, 3, 3), {"dilation": 2, "output_padding": 1, "groups": 2}, True),
]  # fmt: skip


def tensors(lib):
    rng = np.random.default_rng(8)
    x, y, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((40, 900), (40, 900), (3000, 900)))
    z, p = rng.standard_normal((6, 200, 150)), rng.standard_normal((2, 3, 26, 30))
    v = rng.standard_normal((70, 130))
    v[3, 7] = v[3, 20] = v[50, 0] = np.nan
    p[0, 1, 4:9, 5:20], p[1, 2, 20, 20] = -np.inf, np.nan
    values = {"x": x, "y": y, "w": w, "z": z, "v": v, "p": p}
    r = np.minimum(rng.geometric(0.15, 3000) - 1, 38)  # some often, one never
    indices = {
        "i": rng.integers(0, 40, (40, 900)), "j": rng.integers(0, 900, (40, 900)), "r": r,
        "k": rng.integers(0, 150, (6, 200, 150)), "o": np.array([0, 0, 1, 5, 40, 45, 45, 2500, 3000]),
    }  # fmt: skip
    q = lib.tensor(rng.uniform(-1.3, 1.3, (2, 17, 11, 2)), requires_grad=True)
    named = {name: lib.tensor(a, requires_grad=True) for name, a in values.items()} | {"q": q}
    return named, {name: lib.tensor(a) for name, a in indices.items()}


def results(lib, text):
    wanted, indices = tensors(lib)
    found = eval(text, {"lib": lib, "F": lib.nn.functional, **wanted, **indices})
    found = list(found) if isinstance(found, tuple) else [found]
    first = found[0]
    if first.requires_grad:
        g = lib.tensor(np.random.default_rng(1).standard_normal(tuple(first.shape)), dtype=first.dtype)
        found += lib.autograd.grad(first, list(wanted.values()), g, allow_unused=True)
    return [None if t is None else t.detach().numpy() for t in found]


def compare(ours, theirs):
    for a, b in zip(ours, theirs, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            finite = np.abs(b[np.isfinite(b)])
            rounding = (1e-4 if b.dtype == np.float32 else 1e-9) * max(1, finite.max(initial=0))
            np.testing.assert_allclose(a, b, rtol=rounding if b.dtype.kind == "f" else 0, atol=rounding)


@pytest.mark.parametrize("text", [t.strip() for group in (INDICES, RUNS, WINDOWS) for t in group.split("|")])
def test_as_pytorch(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # index_reduce is said to be new, once per process
        compare(results(jgrad, text), results(torch, text))


@pytest.mark.parametrize(("shape", "kernel", "arguments", "transposed"), CONVOLUTIONS)
def test_convolutions(shape, kernel, arguments, transposed):
    def run(lib):
        rng = np.random.default_rng(3)
        x, w = (lib.tensor(rng.standard_normal(s), requires_grad=True) for s in (shape, kernel))
        outputs = kernel[1] * arguments.get("groups", 1) if transposed else kernel[0]
        b = lib.tensor(rng.standard_normal(outputs), requires_grad=True)
        name = f"conv{'_transpose' if transposed else ''}{len(shape) - 2}d"
        result = getattr(lib.nn.functional, name)(x, w, b, **arguments)
        g = lib.tensor(rng.standard_normal(tuple(result.shape)))
        return [t.detach().numpy() for t in (result, *lib.autograd.grad(result, (x, w, b), g))]

    compare(run(jgrad), run(torch))


def test_weights_feel_what_is_no_number_only_where_it_is_in_their_windows():
    def run(lib):
        x = lib.ones(2, 3, 8, 9)
        x[0, 1, 4, 8], x[1, 2, 0, 0] = np.nan, np.inf
        w = lib.ones(4, 3, 3, 3, requires_grad=True)
        return [lib.autograd.grad(lib.nn.functional.conv2d(x, w), w, lib.ones(2, 4, 6, 7))[0].numpy()]

    compare(run(jgrad), run(torch))
