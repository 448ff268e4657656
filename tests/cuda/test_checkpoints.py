"""What training keeps and clips where parameters lie on GPUs: loading to other places, the state of optimizers, norms of gradients."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

import jgrad
from tests.foreign.device import on_the_device

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def devices() -> Iterator[None]:
    with on_the_device(2):
        yield


def saved(value: Any, **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    jgrad.save(value, file, **options)
    file.seek(0)
    return file


@pytest.mark.parametrize(
    ("map_location", "places"),
    [
        (None, ("cpu", "cuda:0", "cuda:1")),
        ("cpu", ("cpu", "cpu", "cpu")),
        ("cuda:1", ("cuda:1", "cuda:1", "cuda:1")),
        (jgrad.device("cuda", 0), ("cuda:0", "cuda:0", "cuda:0")),
        ({"cuda:1": "cuda:0"}, ("cpu", "cuda:0", "cuda:0")),
        ({"cuda:0": "cpu", "cpu": "cuda:1"}, ("cuda:1", "cpu", "cuda:1")),
        (lambda storage, place: storage, ("cpu", "cpu", "cpu")),
        (lambda storage, place: None, ("cpu", "cuda:0", "cuda:1")),
        (lambda storage, place: storage.cuda(1) if place == "cuda:0" else None, ("cpu", "cuda:1", "cuda:1")),
    ],
)
@pytest.mark.parametrize("new", [True, False])
def test_loading_to_places(map_location, places, new):
    tensors = [jgrad.arange(6.0, device=place).reshape(2, 3).t() for place in ("cpu", "cuda:0", "cuda:1")]
    loaded = jgrad.load(saved(tensors, _use_new_zipfile_serialization=new), map_location)
    assert tuple(str(t.device) for t in loaded) == places
    for t in loaded:
        assert (t.stride(), t.tolist()) == ((1, 3), [[0, 3], [1, 4], [2, 5]])


def test_places_must_be_storages():
    with pytest.raises(TypeError, match="must return a storage"):
        jgrad.load(saved(jgrad.ones(1)), lambda storage, place: "cpu")
    with pytest.raises(RuntimeError, match=r"Invalid magic number; corrupt file"):
        jgrad.load(io.BytesIO(b"something else"), "cpu")


def test_storages_move():
    here = jgrad.arange(3.0).untyped_storage()
    assert here.cpu() is here
    there = here.cuda(1)
    assert (there.is_cuda, there.get_device(), there.nbytes()) == (True, 1, 12)
    assert there.cuda("cuda:1") is there
    assert there.cpu().tolist() == here.tolist()
    assert (here.is_cuda, here.get_device()) == (False, None)
    assert here.cuda().get_device() == 0


def optimizers() -> Iterator[Any]:
    """All but Muon, which computes in bfloat16 and so on the CPU alone."""
    for name in sorted(vars(jgrad.optim)):
        found = getattr(jgrad.optim, name)
        if (
            isinstance(found, type)
            and issubclass(found, jgrad.optim.Optimizer)
            and name not in ("Optimizer", "Muon", "SparseAdam")  # (SparseAdam refuses dense gradients)
        ):
            yield found


@pytest.mark.parametrize("kind", list(optimizers()), ids=lambda kind: kind.__name__)
def test_state_of_optimizers_comes_to_the_parameters(kind):
    def step(optimizer: Any, parameter: Any) -> None:
        def closure() -> Any:
            optimizer.zero_grad()
            loss = (parameter * parameter).sum()
            loss.backward()
            return loss

        optimizer.step(closure)

    parameters = [jgrad.nn.Parameter(jgrad.tensor([1.0, 2.0], device=place)) for place in ("cuda:0", "cpu")]
    first, second = [kind([p], lr=0.01) for p in parameters]
    step(first, parameters[0])
    parameters[1].data.copy_(parameters[0].data)
    second.load_state_dict(jgrad.load(saved(first.state_dict())))
    for optimizer, parameter in zip((first, second), parameters, strict=True):
        step(optimizer, parameter)
    assert parameters[1].tolist() == pytest.approx(parameters[0].tolist(), rel=1e-6)
    assert parameters[1].device.type == "cpu"


def test_gradients_of_several_devices_have_one_norm():
    parameters = [jgrad.ones(2, device=place, requires_grad=True) for place in ("cuda:1", "cpu", "cuda:0")]
    for p in parameters:
        (3 * p).sum().backward()
    norm = jgrad.nn.utils.clip_grad_norm_(parameters, 1.0)
    assert norm.device == parameters[0].device
    assert norm.item() == pytest.approx(3 * 6**0.5)
    for p in parameters:
        assert p.grad.tolist() == pytest.approx([1 / 6**0.5] * 2, rel=1e-5)
    optimizer = jgrad.optim.SGD(parameters, lr=1.0, momentum=0.9)
    optimizer.step()
    assert [str(p.device) for p in parameters] == ["cuda:1", "cpu", "cuda:0"]
