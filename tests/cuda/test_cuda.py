"""`jgrad.cuda`: which GPU, what it is, its memory, streams, events and random numbers.

The GPUs, two of them, are the library that stands in for CuPy.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import jgrad
from jgrad import cuda
from tests import foreign as cupy
from tests.foreign.device import on_the_device

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def devices() -> Iterator[None]:
    with on_the_device(2):
        yield


def at(index: int) -> jgrad.Tensor:
    return jgrad.arange(6.0, device=f"cuda:{index}").reshape(2, 3)


def test_the_current_device():
    assert cuda.current_device() == 0
    with cuda.device(1) as nothing:
        assert nothing is None
        assert jgrad.ones(1, device="cuda").device.index == 1
        with cuda.device("cuda:0"), cuda.device(None), cuda.device(-1), cuda.device_of(jgrad.ones(1)):
            assert cuda.current_device() == 0
        with cuda.device_of(at(0)):
            cuda.set_device(1)
        assert cuda.current_device() == 1
        cuda.set_device(0)
    assert cuda.current_device() == 0
    block = cuda.device(1)
    with pytest.raises(KeyError), block:
        raise KeyError
    assert cuda.current_device() == 0
    cuda.set_device(jgrad.device("cuda:1"))
    cuda.set_device(-1)
    assert cuda.current_device() == 1
    cuda.set_device(0)


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda: cuda.set_device("cuda"), ValueError, "specified index or an integer, but got:cuda"),
        (lambda: cuda.set_device("cpu"), ValueError, "Expected a cuda device, but got: cpu"),
        (lambda: cuda.set_device(2), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: cuda.device(2).__enter__(), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: cuda.synchronize(2), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: jgrad.ones(1, device="cuda:2"), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: jgrad.ones(1).cuda(2), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: jgrad.Generator("cuda:2"), RuntimeError, "CUDA error: invalid device ordinal"),
        (lambda: cuda.memory_allocated("cpu"), ValueError, "Expected a cuda device, but got: cpu"),
        (lambda: cuda.get_device_name(2), AssertionError, "Invalid device id"),
        (lambda: cuda.get_device_properties(-1), AssertionError, "Invalid device id"),
        (lambda: cuda.can_device_access_peer(0, 2), AssertionError, "Invalid peer device id"),
        (lambda: cuda.set_per_process_memory_fraction(2.0), ValueError, "Invalid fraction value: 2.0"),
        (lambda: cuda.set_per_process_memory_fraction(1), TypeError, "must be `float`"),
        (lambda: jgrad.ones(1).cuda("cpu"), RuntimeError, "Invalid device, must be cuda device"),
    ],
)  # fmt: skip
def test_devices_that_are_not_there(use, error, words):
    with pytest.raises(error, match=words):
        use()
    assert cuda.current_device() == 0


def test_what_a_device_is():
    found = cuda.get_device_properties("cuda:1")
    assert (found.name, found.major, found.total_memory) == ("Foreign Device", 0, 2**31)
    assert repr(found).startswith(
        "_CudaDeviceProperties(name='Foreign Device', major=0, minor=0, total_memory=2048MB,"
    )
    assert found.uuid == "00010203-0405-0607-0809-0a0b0c0d0e0f"
    assert cuda.get_device_name(1) == "Foreign Device"
    assert cuda.get_device_capability() == (0, 0)
    assert not cuda.can_device_access_peer(0, 1)
    assert not cuda.is_bf16_supported()


def test_the_accelerator_is_a_gpu():
    accelerator = jgrad.accelerator
    assert accelerator.is_available()
    assert accelerator.device_count() == 2
    assert jgrad.ones(1, device=accelerator.current_accelerator()).is_cuda
    with accelerator.device_index(1), accelerator.device_index(None):
        assert accelerator.current_device_index() == 1
        accelerator.synchronize()
        assert accelerator.current_stream() == cuda.default_stream(1)
    accelerator.set_device_index("cuda:1")
    assert cuda.current_device() == 1
    accelerator.set_stream(cuda.default_stream(0))
    assert cuda.current_device() == 0
    assert accelerator.get_memory_info(1)[1] == 2**31
    assert accelerator.memory_allocated(1) == cuda.memory_allocated(1) <= accelerator.memory_reserved(1)
    accelerator.empty_cache()
    assert jgrad.backends.cuda.is_built()


def test_memory_by_device():
    cuda.empty_cache()
    before = [cuda.memory_allocated(i) for i in (0, 1)]
    x = jgrad.ones(1000, device="cuda:1")
    assert [cuda.memory_allocated(i) for i in (0, 1)] == [before[0], before[1] + 4096]
    with cuda.device(1):
        assert cuda.memory_allocated() == before[1] + 4096 <= cuda.memory_reserved()
        assert cuda.mem_get_info()[1] == 2**31
    held = cuda.memory_reserved("cuda:1")
    del x
    assert cuda.memory_allocated(1) == before[1]
    assert cuda.memory_reserved(1) == held
    cuda.empty_cache()
    assert cuda.memory_reserved(1) == before[1]
    assert cuda.max_memory_reserved(1) >= held


def test_the_peak_of_memory(monkeypatch):
    monkeypatch.setattr(cuda, "_most_used", {})
    with pytest.raises(NotImplementedError, match="reset_peak_memory_stats"):
        cuda.max_memory_allocated()
    cuda.reset_peak_memory_stats(1)
    begun = cuda.max_memory_allocated(1)
    assert begun == cuda.memory_allocated(1)
    x = jgrad.ones(1000, device="cuda:1")
    y = x + x
    del x, y
    assert cuda.max_memory_allocated(1) >= begun + 2 * 4096
    assert cuda.memory_allocated(1) == begun
    cuda.reset_peak_memory_stats(1)
    assert cuda.max_memory_allocated(1) == cuda.memory_allocated(1)
    with pytest.raises(NotImplementedError, match="reset_peak_memory_stats"):
        cuda.max_memory_allocated(0)


def test_memory_ends():
    cuda.set_per_process_memory_fraction(0.25, 1)
    try:
        with pytest.raises(cuda.OutOfMemoryError):
            jgrad.empty(2**28, device="cuda:1")
        jgrad.empty(2**10, device="cuda:1")
    finally:
        with cupy.cuda.Device(1):
            cupy.get_default_memory_pool().set_limit()


def test_streams():
    s = cuda.Stream(1, priority=-1)
    assert (s.device, s.device_index, s.priority, s.query()) == (jgrad.device("cuda:1"), 1, -1, True)
    assert cuda.current_stream() == cuda.default_stream() != cuda.default_stream(1)
    assert len({cuda.current_stream(), cuda.default_stream()}) == 1
    assert repr(cuda.default_stream()) == "<jgrad.cuda.Stream device=cuda:0 cuda_stream=0x0>"
    assert s.__cuda_stream__() == (0, s.cuda_stream)
    with cuda.stream(s):
        assert (cuda.current_stream(), cuda.current_device()) == (s, 1)
        assert cupy.cuda.get_current_stream(1).ptr == s.cuda_stream
        with cuda.stream(None), cuda.Stream() as inner:
            assert cuda.current_stream() == inner
            with cuda.device(0):
                assert cuda.current_stream() == cuda.default_stream()
        assert cuda.current_stream() == s
        x = jgrad.ones(2, device="cuda") * 2
    assert (cuda.current_stream(), cuda.current_device()) == (cuda.default_stream(), 0)
    assert cuda.current_stream(1) == cuda.default_stream(1)
    cuda.current_stream(1).wait_stream(s)
    s.synchronize()
    assert x.tolist() == [2, 2]
    cuda.set_stream(s)
    assert (cuda.current_stream(), cuda.current_device()) == (s, 1)
    cuda.set_stream(cuda.default_stream(1))
    cuda.set_stream(cuda.default_stream(0))


def test_values_are_read_in_the_order_of_their_device():
    x = at(1)
    with cuda.stream(cuda.Stream(0)):
        assert x[0, 1].item() == 1
        assert x.tolist() == x.cpu().tolist() == x.to("cuda:0").tolist()
        assert float(x.sum()) == 15
        assert f"{x[0, 1]:.1f}" == "1.0"
        assert repr(x[0]) == "tensor([0., 1., 2.], device='cuda:1')"
        assert bool((x == x.clone()).all())


def test_events():
    begin, end, other = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True), cuda.Event()
    assert begin.query()
    begin.synchronize()
    begin.wait()
    assert repr(begin) == "<jgrad.cuda.Event uninitialized>"
    with pytest.raises(ValueError, match="must be recorded before"):
        begin.elapsed_time(end)
    with pytest.raises(ValueError, match="enable_timing=True"):
        begin.elapsed_time(other)
    begin.record()
    end.record()
    end.synchronize()
    assert begin.elapsed_time(end) > 0
    with (
        cuda.device(1),
        pytest.raises(RuntimeError, match="Event device 0 does not match recording stream's device 1"),
    ):
        begin.record()
    event = cuda.current_stream(1).record_event()
    assert event.device == jgrad.device("cuda:1")
    cuda.current_stream(0).wait_event(event)
    with pytest.raises(NotImplementedError, match="interprocess"):
        cuda.Event(interprocess=True)


def test_waiting_finds_what_was_wrong():
    for wait in (cuda.synchronize, lambda: cuda.current_stream().synchronize()):
        at(0)[jgrad.tensor([0, 5], device="cuda")]
        with pytest.raises(IndexError, match="index 5 is out of bounds"):
            wait()


def test_wrong_indices_are_found_from_any_stream():
    with cuda.stream(cuda.Stream()):
        at(0)[jgrad.tensor([0, 5], device="cuda")]
    with cuda.stream(cuda.Stream(1)), pytest.raises(IndexError, match="index 5 is out of bounds"):
        jgrad.ones(1, device="cuda").item()


def test_generators():
    cuda.manual_seed_all(3)
    assert cuda.initial_seed() == 3
    states = cuda.get_rng_state_all()
    drawn = [jgrad.rand(3, device=f"cuda:{i}").tolist() for i in (0, 1)]
    assert drawn[0] == drawn[1]
    cuda.set_rng_state_all(states)
    assert [jgrad.rand(3, device=f"cuda:{i}").tolist() for i in (0, 1)] == drawn
    with cuda.device(1):
        cuda.manual_seed(4)
        assert cuda.initial_seed() == 4
    assert cuda.initial_seed() == 3
    cuda.set_rng_state(states[0], "cuda:1")
    assert cuda.get_rng_state(1).tolist() == states[0].tolist()
    assert [g.device.index for g in cuda.default_generators] == [0, 1]
    cuda.seed()
    assert cuda.initial_seed() != cuda.default_generators[1].initial_seed()
    cuda.seed_all()
    assert cuda.initial_seed() == cuda.default_generators[1].initial_seed() != 3
