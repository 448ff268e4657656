"""Tensors on two kinds of devices: what moves, what comes along, what is refused. The device is the library that stands in for CuPy."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Iterator

import pytest

import jgrad
from tests.foreign.device import on_the_device

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    with on_the_device():
        yield


@pytest.mark.parametrize(
    "mix",
    [
        lambda here, there: there + here,
        lambda here, there: there.add_(here),
        lambda here, there: jgrad.cat([there, here]),
        lambda here, there: there @ here,
        lambda here, there: jgrad.where(there > 0, there, here),
    ],
)
def test_devices_are_not_mixed(mix):
    words = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
    with pytest.raises(RuntimeError, match=words):
        mix(jgrad.ones(2), jgrad.ones(2, device="cuda"))


def test_numbers_and_indices_come_along():
    x = jgrad.tensor([1.0, 2.0, 3.0], device="cuda")
    assert (x + jgrad.tensor(2.0)).tolist() == [3, 4, 5]
    assert (x + jgrad.tensor(2.0)).device == x.device
    assert x[jgrad.tensor([2, 0])].tolist() == [3, 1]


@pytest.mark.parametrize(
    "use",
    [
        lambda x, i: x[i],
        lambda x, i: x[:, i],
        lambda x, i: x.__setitem__(i, 0),
        lambda x, i: x.__setitem__(i, x + 1),
        lambda x, i: x[i > 0],
        lambda x, i: x.index_put((i,), x[0, 0]),
    ],
)
def test_indices_do_not_have_the_indexed_moved(use):
    x, i = jgrad.ones(2, 2), jgrad.tensor([0, 1])
    with pytest.raises(RuntimeError, match=r"on cpu or on the same device as the indexed tensor \(cpu\)"):
        use(x, i.cuda())
    use(x.cuda(), i)
    use(x.cuda(), i.cuda())


@pytest.mark.parametrize(
    "compute",
    [
        lambda x, out: jgrad.mul(x, 2, out=out),
        lambda x, out: jgrad.sum(x, 0, out=out),
        lambda x, out: jgrad.cat([x, x], out=out),
        lambda x, out: jgrad.matmul(x, x, out=out),
        lambda x, out: jgrad.where(x > 0, x, x, out=out),
        lambda x, out: jgrad.sort(x, out=(out, jgrad.empty(0, dtype=jgrad.int64, device=out.device))),
    ],
)
@pytest.mark.parametrize(("here", "there"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_results_do_not_move(compute, here, there):
    x = jgrad.ones(2, 2, device=here)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        compute(x, jgrad.empty(0, device=there))
    compute(x, jgrad.empty(0, device=here))


def test_numpy_is_refused():
    x = jgrad.ones(2, device="cuda")
    words = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu"
    for convert in (lambda: x.numpy(), lambda: x.__array__()):
        with pytest.raises(TypeError, match=words):
            convert()
    assert x.numpy(force=True).tolist() == [1, 1]


@pytest.mark.parametrize(("source", "target"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_gradients_go_back_to_where_they_belong(source, target):
    x = jgrad.tensor([1.0, 2.0], device=source, requires_grad=True)
    moved = x.to(target) * 3
    written = jgrad.zeros(2, device=target).copy_(x * 2)
    (moved + written).sum().backward()
    assert x.grad.tolist() == [5, 5]
    assert x.grad.device.type == source


def test_a_wrong_index_is_said_when_the_device_is_waited_for():
    x = jgrad.zeros(3, device="cuda")
    y = x[jgrad.tensor([0, 5], device="cuda")]
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 0 with size 3"):
        y.tolist()
    assert x.tolist() == [0, 0, 0]


def test_generators_belong_to_devices():
    there = jgrad.Generator(device="cuda").manual_seed(3)
    drawn = jgrad.rand(4, generator=there, device="cuda")
    assert drawn.tolist() == jgrad.rand(4, generator=there.manual_seed(3), device="cuda").tolist()
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"):
        jgrad.rand(4, generator=there)
    jgrad.manual_seed(1)
    first = jgrad.randn(4, device="cuda").tolist()
    jgrad.manual_seed(1)
    assert jgrad.randn(4, device="cuda").tolist() == first


def test_copies_lie_where_the_original_lies():
    x = jgrad.tensor([1.0, 2.0], device="cuda")
    file = io.BytesIO()
    jgrad.save(x, file)
    for copied in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), jgrad.load(io.BytesIO(file.getvalue()))):
        assert (copied.device, copied.tolist()) == (x.device, [1, 2])
    assert jgrad.load(io.BytesIO(file.getvalue()), map_location="cpu").device.type == "cpu"


def test_transforms_and_checks():
    x = jgrad.tensor([0.3, 0.7], device="cuda", dtype=jgrad.float64)
    assert jgrad.autograd.gradcheck(lambda a: a * a.sin(), (x.clone().requires_grad_(),))
    for jacobian in (jgrad.func.jacrev, jgrad.func.jacfwd):
        assert jgrad.allclose(jacobian(lambda a: a**2)(x), jgrad.diag(2 * x))
    assert jgrad.func.vmap(jgrad.func.grad(lambda a: a**3))(x).tolist() == (3 * x**2).tolist()
