"""The array API standard: the functions for tensors of jgrad, and what array-api-compat finds."""

from __future__ import annotations

import math
from typing import Any

import pytest

import jgrad

compat = pytest.importorskip("array_api_compat")
torch = pytest.importorskip("torch")
import array_api_compat.torch  # noqa: E402

xp = jgrad.ones(1).__array_namespace__()

CALLS = """
xp.sum(x, axis=(0, 1)); xp.sum(u, dtype=xp.int64); xp.prod(x, axis=(0, 1), keepdims=True); xp.mean(x); xp.var(x, correction=1); xp.std(x, axis=0)
xp.max(x, axis=(0, 1)); xp.min(x); xp.any(u, axis=0); xp.all(u); xp.argmax(x); xp.argmin(x, axis=1); xp.count_nonzero(x, axis=0)
xp.add(x, z); xp.add(u, xp.asarray(1, dtype=xp.int64)); xp.maximum(x, z); xp.pow(x, 2); xp.multiply(2, x); xp.where(x > 2, x, z); xp.clip(x, 1, 3)
xp.concat([x, x], axis=None); xp.concat([x[0], u]); xp.stack([x, x], axis=1); xp.squeeze(x[None], axis=0); xp.expand_dims(x, axis=0); xp.flip(x)
xp.permute_dims(x, (1, 0)); xp.reshape(x, (3, 2), copy=True); xp.roll(x, 1); xp.repeat(x, 2, axis=1); xp.unstack(x); xp.matrix_transpose(x); xp.tile(x, (2, 1))
xp.take(x, xp.asarray([0, 1]), axis=1); xp.take_along_axis(x, xp.asarray([[0], [1]]), axis=1); xp.nonzero(x); xp.sort(x, descending=True); xp.argsort(x)
xp.searchsorted(xp.asarray([1.0, 2.0]), xp.asarray([1.5])); xp.unique_counts(u); xp.unique_inverse(u); xp.unique_values(u)
xp.cumulative_sum(x, axis=0, include_initial=True); xp.cumulative_prod(x, axis=1); xp.diff(x); xp.sign(x); xp.floor(u); xp.round(x)
xp.arange(3, 0); xp.arange(1, 4, dtype=xp.float64); xp.eye(2, 3, k=1); xp.linspace(0, 1, 4, endpoint=False); xp.full(2, 3); xp.zeros((2,)); xp.tril(x, k=-1)
xp.meshgrid(x[0], x[1]); xp.tensordot(x, x, axes=((0, 1), (0, 1))); xp.vecdot(x, x); xp.vecdot(u, u); xp.matmul(x, x.T); xp.astype(x, xp.int32)
xp.isdtype(xp.int8, ("real floating", "signed integer")); xp.can_cast(xp.int8, xp.float32); xp.result_type(xp.int8, xp.uint8); xp.result_type(x, 1)
xp.linalg.solve(x[:, :2], x[:, 0]); xp.linalg.vector_norm(x, axis=0); xp.linalg.matrix_norm(x); xp.linalg.trace(x); xp.linalg.svd(x).S; xp.linalg.outer(x[0], x[1])
xp.linalg.cross(x, x + 1); xp.linalg.cholesky(x @ x.T); xp.fft.fftn(x, axes=(0,)); xp.fft.rfft(x, axis=0); xp.fft.fftshift(x, axes=0); xp.fft.fftfreq(4)
"""


def outcome(library: Any, call: str) -> str:
    space = xp if library is jgrad else array_api_compat.torch
    x = library.tensor([[1.0, 2.0, 3.0], [4.0, 3.0, 6.0]])
    names = {
        "xp": space,
        "x": x,
        "u": library.tensor([3, 1, 3], dtype=library.uint8),
        "z": library.tensor(2.0, dtype=library.float64),
    }
    found = eval(call, names)
    shown = tuple(found) if isinstance(found, (tuple, list)) else found
    return repr(shown).replace("jgrad", "torch")


@pytest.mark.parametrize("call", [c.strip() for c in CALLS.replace("\n", ";").split(";") if c.strip()])
def test_a_function_does_what_it_does_on_pytorch(call: str) -> None:
    assert outcome(jgrad, call) == outcome(torch, call)


def test_array_api_compat_knows_tensors_of_jgrad() -> None:
    x = jgrad.ones(2, 3)
    assert compat.array_namespace(x, 1.0) is xp
    assert compat.is_array_api_obj(x)
    assert compat.device(x) == jgrad.device("cpu")
    assert compat.to_device(x, "meta").is_meta
    assert compat.size(x) == math.prod(x.shape)


def test_an_unknown_version_is_refused() -> None:
    assert jgrad.ones(1).__array_namespace__(api_version="2024.12") is xp
    with pytest.raises(ValueError, match=r"Unrecognized array API version: '1999.12'"):
        jgrad.ones(1).__array_namespace__(api_version="1999.12")


def test_the_different_elements_with_their_places() -> None:
    values, indices, inverse, counts = xp.unique_all(jgrad.tensor([[3.0, 1.0], [math.nan, 3.0]]))
    assert (values[:2].tolist(), indices.tolist(), inverse.tolist(), counts.tolist()) == (
        [1.0, 3.0],
        [1, 0, 2],
        [[1, 0], [2, 1]],
        [1, 2, 1],
    )
    assert [part.shape for part in xp.unique_all(jgrad.empty(0))] == [(0,)] * 4


def test_gradients_flow_through() -> None:
    x = jgrad.ones(2, 3, requires_grad=True)
    xp.sum(xp.multiply(xp.expand_dims(x, axis=0), 3), axis=(0, 1, 2)).backward()
    assert x.grad.tolist() == [[3.0] * 3] * 2


def test_the_library_describes_itself() -> None:
    info = xp.__array_namespace_info__()
    assert info.capabilities()["max dimensions"] == 64
    assert info.default_device() == jgrad.device("cpu")
    assert info.default_dtypes()["real floating"] is jgrad.float32
    assert set(info.dtypes(kind=("bool", "real floating"))) == {"bool", "float32", "float64"}
    assert set(xp.__all__) <= set(dir(xp))
    assert xp.finfo(jgrad.ones(1)).dtype is jgrad.float32
    assert xp.iinfo(jgrad.int8).max == 127
