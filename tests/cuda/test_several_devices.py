"""Several GPUs: every operation computes where its tensors lie, whichever device is the current one, and graphs go from device to device.
The devices are two of the library that stands in for CuPy, which refuses to compute on what lies elsewhere."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Iterator

import pytest

import jgrad
from jgrad import nn
from tests.foreign.device import on_the_device

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def two_devices() -> Iterator[None]:
    with on_the_device(2):
        yield
        assert jgrad.cuda.current_device() == 0, "whoever chose another device must put the first one back"


def test_devices_are_not_mixed():
    a, b = jgrad.ones(2, device="cuda:0"), jgrad.ones(2, device="cuda:1")
    words = (
        "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!"
    )
    for mix in (
        lambda: a + b,
        lambda: a.add_(b),
        lambda: jgrad.stack([a, b]),
        lambda: jgrad.where(a > 0, a, b),
    ):
        with pytest.raises(RuntimeError, match=words):
            mix()


def test_a_graph_over_two_devices():
    """A model whose halves lie on two GPUs has the gradients that it has on one."""

    def gradients(first: str, second: str) -> list:
        jgrad.manual_seed(0)
        front, back = nn.Linear(4, 5), nn.Linear(5, 3)
        x = jgrad.randn(6, 4)
        front, back = front.to(first), back.to(second)
        h = front(x.to(first)).tanh()
        loss = back(h.to(second)).pow(2).sum() + h.sum().to(second) + (h * h).to(second).mean()
        loss.backward()
        loss = back(front(x.to(first)).to(second)).sum()
        loss.backward()
        parameters = [*front.parameters(), *back.parameters()]
        assert [str(p.grad.device) for p in parameters] == [first, first, second, second]
        return [p.grad.cpu() for p in parameters]

    whole = gradients("cpu", "cpu")
    for places in (("cuda:0", "cuda:1"), ("cuda:1", "cuda:0"), ("cuda:1", "cpu"), ("cpu", "cuda:1")):
        for ours, expected in zip(gradients(*places), whole, strict=True):
            assert jgrad.allclose(ours, expected)


@pytest.mark.parametrize(("source", "target"), [(0, 1), (1, 0)])
def test_copies_between_devices(source, target):
    x = jgrad.arange(6.0, device=f"cuda:{source}").view(2, 3).requires_grad_()
    moved = x.t().to(f"cuda:{target}")
    assert (moved.stride(), moved.tolist()) == ((1, 3), [[0, 3], [1, 4], [2, 5]])
    written = jgrad.zeros(3, 2, device=f"cuda:{target}").copy_(x.t())
    (moved * written).sum().backward()
    assert x.grad.tolist() == (2 * x).tolist()
    assert x.grad.device == x.device


def test_second_derivatives_hooks_and_retained_gradients():
    x = jgrad.tensor([1.0, 2.0], device="cuda:1", requires_grad=True)
    seen = []
    y = x**3
    y.retain_grad()
    y.register_hook(lambda g: seen.append(g.device) or g * 2)
    (g,) = jgrad.autograd.grad(y.to("cuda:0").sum(), x, create_graph=True)
    assert (str(g.device), g.tolist()) == ("cuda:1", [6, 24])
    g.sum().backward()
    assert x.grad.tolist() == [12, 24]
    assert {str(d) for d in seen} == {"cuda:1"}
    assert str(y.grad.device) == "cuda:1"


def test_an_error_on_the_way_back_leaves_the_device_as_it_was():
    class Failing(jgrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            assert jgrad.cuda.current_device() == 1
            raise ValueError("no way back")

    x = jgrad.ones(2, device="cuda:1", requires_grad=True)
    with pytest.raises(ValueError, match="no way back"):
        Failing.apply(x).sum().backward()
    assert jgrad.cuda.current_device() == 0


def test_leaves_that_are_roots():
    a, b = (jgrad.zeros(2, device=f"cuda:{i}", requires_grad=True) for i in (1, 0))
    for _ in range(2):
        jgrad.autograd.backward([a, b], [jgrad.ones_like(a), jgrad.ones_like(b)])
    assert (a.grad.tolist(), b.grad.tolist()) == ([2, 2], [2, 2])


def test_what_a_device_finds_wrong_is_said_of_its_values():
    y = jgrad.zeros(3, device="cuda:1")[jgrad.tensor([0, 5], device="cuda:1")]
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 0 with size 3"):
        y.tolist()


def test_the_current_device():
    with jgrad.cuda.device(1):
        x = jgrad.ones(2, device="cuda")
        assert jgrad.ones(2).cuda().device == x.device
    assert str(x.device) == "cuda:1"
    assert str(jgrad.ones(2, device="cuda").device) == "cuda:0"
    assert (
        str(x.new_zeros(3).device)
        == str(jgrad.zeros_like(x).device)
        == str(jgrad.rand_like(x).device)
        == "cuda:1"
    )


def test_writes():
    x = jgrad.zeros(2, 3, device="cuda:1")
    x[0] = 1
    x[:, 1] += 2
    x[x > 2] = jgrad.tensor(7.0)
    x[[1], [2]] = 4.0
    x.data.mul_(2)
    jgrad.add(x, 1, out=(out := jgrad.empty(0, device="cuda:1")))
    assert x.tolist() == [[2, 14, 2], [0, 4, 8]]
    assert (str(out.device), out.tolist()) == ("cuda:1", [[3, 15, 3], [1, 5, 9]])
    assert x.resize_(8).device == out.device


def test_a_generator_for_each_device():
    jgrad.manual_seed(3)
    drawn = [jgrad.rand(4, device=f"cuda:{i}").tolist() for i in (0, 1, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    x = jgrad.empty(4, device="cuda:1").normal_(generator=jgrad.Generator("cuda:1").manual_seed(1))
    assert (
        x.tolist()
        == jgrad.randn(4, device="cuda:1", generator=jgrad.Generator("cuda:1").manual_seed(1)).tolist()
    )
    assert str(nn.functional.dropout(x).device) == "cuda:1"


def test_copies_lie_where_the_original_lies():
    x = jgrad.tensor([1.5, 2.0], device="cuda:1")
    jgrad.save({"x": x}, file := io.BytesIO())
    loaded = jgrad.load(io.BytesIO(file.getvalue()))["x"]
    w = jgrad.ones(2, 3, device="cuda:1", requires_grad=True)
    jgrad.save((w, w.detach()[1]), file := io.BytesIO())
    whole, row = jgrad.load(io.BytesIO(file.getvalue()))
    assert whole.is_leaf
    assert whole.requires_grad
    row.zero_()
    assert (whole.tolist(), row.device) == ([[1, 1, 1], [0, 0, 0]], w.device)
    for copied in (
        copy.deepcopy(x),
        pickle.loads(pickle.dumps(x)),
        loaded,
        x.clone(),
        x.detach().double().float(),
    ):
        assert (copied.device, copied.tolist()) == (x.device, [1.5, 2.0])
    assert repr(x) == "tensor([1.5000, 2.0000], device='cuda:1')"
    assert (
        str(jgrad.arange(2000, device="cuda:1"))
        == "tensor([   0,    1,    2,  ..., 1997, 1998, 1999], device='cuda:1')"
    )
    assert f"{x[0]:.2f} {float(x[1])} {bool(x.any())}" == "1.50 2.0 True"


def test_transforms():
    x = jgrad.tensor([0.3, 0.7], device="cuda:1", dtype=jgrad.float64)
    assert jgrad.autograd.gradcheck(lambda a: a * a.sin(), (x.clone().requires_grad_(),))
    for jacobian in (jgrad.func.jacrev, jgrad.func.jacfwd):
        assert jgrad.allclose(jacobian(lambda a: a**2)(x), jgrad.diag(2 * x))
    assert jgrad.func.vmap(jgrad.func.grad(lambda a: a**3))(x).tolist() == (3 * x**2).tolist()


def test_a_trace_sees_both_devices():
    with jgrad.trace() as trace:
        x = jgrad.arange(200.0, device="cuda:1").view(10, 20).t().requires_grad_()
        y = (x * 2).to("cuda:0")
        y.sum().backward()
        x.data[0] = 5
        x.grad = x.detach() * 2
        x.data = x.data[::2]
    assert {s["device"] for s in trace.document["storages"]} == {"cuda:0", "cuda:1"}
    assert x.grad.shape == (20, 10)
