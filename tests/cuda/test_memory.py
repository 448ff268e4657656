"""What users touch of a GPU's memory: pinned memory, DLPack, the CUDA array interface, `jgrad.cuda`; and all of it without a GPU.

The GPUs, two of them, are the library that stands in for CuPy.
"""

from __future__ import annotations

import gc
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import cuda
from jgrad.kernels import libraries
from jgrad.utils.dlpack import DLDeviceType
from tests import foreign as cupy
from tests.foreign.device import on_the_device
from tests.foreign.test_foreign import Offering

torch = pytest.importorskip("torch")

from tests.same_as_torch.oracle import without_cuda  # noqa: E402


@pytest.fixture
def devices() -> Iterator[None]:
    with on_the_device(2):
        yield


def at(index: int) -> jgrad.Tensor:
    return jgrad.arange(6.0, device=f"cuda:{index}").reshape(2, 3)


# Without a GPU -------------------------------------------------------------------------------------------------------------------

ALIKE = """
cuda.is_available()
cuda.device_count()
cuda.is_initialized()
cuda.current_device()
cuda.set_device(-1)
cuda.set_device("cuda")
cuda.set_device("cpu")
cuda.device("cpu")
cuda.device(0).__enter__()
cuda.device_of(ones).__enter__()
cuda.get_device_name()
cuda.get_device_capability(0)
cuda.get_device_properties()
cuda.synchronize()
cuda.can_device_access_peer(0, 1)
cuda.init()
cuda.memory_allocated()
cuda.memory_reserved()
cuda.max_memory_allocated()
cuda.max_memory_reserved()
cuda.mem_get_info()
cuda.set_per_process_memory_fraction(0.5)
cuda.empty_cache()
cuda.manual_seed(1)
cuda.manual_seed_all(1)
cuda.seed()
cuda.seed_all()
cuda.initial_seed()
cuda.get_rng_state()
cuda.get_rng_state_all()
cuda.set_rng_state(lib.zeros(16, dtype=lib.uint8))
cuda.set_rng_state_all([])
cuda.default_generators
cuda.is_bf16_supported()
cuda.Stream()
cuda.Event()
cuda.current_stream()
cuda.default_stream()
cuda.stream(None).__enter__()
cuda.set_stream(None)
issubclass(cuda.OutOfMemoryError, Exception)
ones.pin_memory()
ones.is_pinned()
ones.is_pinned("cpu")
lib.tensor([1.0], pin_memory=True)
lib.tensor(ones, pin_memory=True)
lib.tensor(ones.numpy(), pin_memory=True)
lib.empty(1, pin_memory=True)
lib.scalar_tensor(1, pin_memory=True)
lib.ones_like(ones, pin_memory=True)
ones.new_tensor([1.0], pin_memory=False)
ones.cuda()
ones.cuda(0)
ones.cuda("cpu")
ones.to("cuda", non_blocking=True)
ones.to("cpu", non_blocking=True, copy=True)
ones.to("cpu", lib.float64, True, True)
ones.to(lib.float64, True)
ones.copy_(ones + 1, non_blocking=True)
ones.type("torch.DoubleTensor")
ones.type(lib.DoubleTensor)
ones.type(float)
ones.type(3)
ones.type_as(lib.ones(1, dtype=lib.int32))
ones.type_as(3)
lib.accelerator.is_available(), lib.accelerator.device_count()
lib.accelerator.current_accelerator(), lib.accelerator.current_accelerator(check_available=True)
lib.accelerator.current_device_index()
lib.accelerator.set_device_index(0)
lib.accelerator.set_device_index(-1)
lib.accelerator.device_index(0).__enter__()
lib.accelerator.device_index(None).__enter__()
lib.accelerator.synchronize()
lib.accelerator.current_stream()
lib.accelerator.empty_cache()
lib.accelerator.memory_allocated()
lib.accelerator.max_memory_reserved()
lib.accelerator.get_memory_info()
lib.accelerator.reset_peak_memory_stats()
lib.backends.mps.is_available(), lib.backends.mps.is_built(), lib.backends.cuda.is_built(), lib.backends.cudnn.is_available()
lib.backends.cudnn.enabled, lib.backends.cudnn.benchmark, lib.backends.cudnn.deterministic, lib.backends.cudnn.version()
lib.backends.cuda.matmul.allow_tf32, lib.backends.cudnn.allow_tf32
hasattr(ones, "__cuda_array_interface__")
ones.__cuda_array_interface__
ones.__dlpack_device__()
type(ones.__dlpack__()).__name__
ones.requires_grad_().__dlpack__()
ones.__dlpack__(stream=-1) is None
ones.__dlpack__(stream=None) is None
ones.__dlpack__(stream=1)
ones.__dlpack__(stream="a")
ones.__dlpack__(dl_device=(1, 0)) is None
ones.__dlpack__(dl_device=(7, 0))
ones.__dlpack__(dl_device=(1,))
ones.__dlpack__(dl_device=1)
ones.__dlpack__(dl_device=(2, 0), copy=False)
ones.__dlpack__(copy="a")
ones.__dlpack__(copy="a", max_version=(1, 0))
ones.__dlpack__(max_version=3)
lib.to_dlpack(3)
lib.from_dlpack(lib.to_dlpack(lib.ones(2, requires_grad=True)))
lib.from_dlpack(ones, device="cpu", copy=True)
lib.from_dlpack(ones, device="cuda")
lib.from_dlpack(ones, device=3)
lib.from_dlpack(ones, copy=False)
lib.from_dlpack("capsule")
lib.from_dlpack(ones.__dlpack__(), copy=True)
lib.from_dlpack(lib.arange(6.0).reshape(2, 3).t()).stride()
lib.from_dlpack(np.arange(10.0)[::3]).untyped_storage().nbytes()
lib.from_dlpack(np.arange(10.0)[::3]).as_strided((2,), (1,))
lib.from_dlpack(np.arange(10.0)[4:]).storage_offset()
lib.tensor(lent)
lib.tensor(lent, dtype=lib.float32)
lib.as_tensor(lent)
lib.as_tensor(lent, dtype=lib.float32)
lib.asarray(lent)
lib.asarray(lent, copy=False)
lib.asarray(lent.__dlpack__())
lib.asarray(lent.__dlpack__(), copy=False)
ones.new_tensor(lent)
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__=3))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={}))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={"shape": (2,)}))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": 1}))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (16, True)}))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (16, False), "strides": (3,)}))
lib.as_tensor(types.SimpleNamespace(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (16, False), "strides": ()}))
lib.tensor(types.SimpleNamespace(__cuda_array_interface__={}), pin_memory=True)
""".strip().splitlines()


class Lending:
    """An array that knows nothing but the first version of DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def outcome(lib: Any, expression: str) -> str:
    names = {
        "lib": lib,
        "cuda": lib.cuda,
        "ones": lib.ones(2),
        "lent": Lending(np.arange(3.0)),
        "np": np,
        "types": types,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = repr(eval(expression, names))
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
    return found.replace("jgrad.", "torch.")


@pytest.mark.skipif(cuda.is_available(), reason="here is a GPU")
@pytest.mark.parametrize("expression", ALIKE)
def test_without_a_gpu(expression):
    assert [outcome(jgrad, expression)] == without_cuda(expression, lambda: [outcome(torch, expression)])


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
    """Nobody has asked for a GPU yet, and CuPy is the library that stands in for it."""
    monkeypatch.setattr(cuda, "_failed", None)
    module = types.ModuleType("cupy")
    vars(module).update(vars(cupy), cuda=types.SimpleNamespace(**vars(cupy.cuda)))
    monkeypatch.setitem(sys.modules, "cupy", module)
    for name, found in {
        "cupyx": cupy.cupyx,
        "cupyx.scipy": cupy.cupyx.scipy,
        "cupyx.scipy.special": cupy.cupyx.scipy.special,
    }.items():
        monkeypatch.setitem(sys.modules, name, found)
    yield module
    if (library := libraries.registered("cuda")) is not None:
        libraries.unregister(library)


def test_asking_for_a_gpu_is_cheap(unknown):
    assert cuda.is_available()
    assert cuda.device_count() == cupy.cuda.runtime.getDeviceCount()
    assert not cuda.is_initialized()
    assert libraries.registered("cuda") is None
    assert jgrad.ones(1, device="cuda").is_cuda
    assert cuda.is_initialized()


def test_an_array_of_cupy_may_come_first(unknown):
    a = cupy.arange(3.0)
    assert jgrad.as_tensor(a).data_ptr() == a.data.ptr


def test_what_to_install(unknown, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    for use in (jgrad.ones(1).cuda, cuda.current_device):
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled") as raised:
            use()
        (note,) = raised.value.__notes__
        assert "pip install cupy-cuda12x" in note
    assert not cuda.is_available()


def test_without_a_driver(unknown):
    def count() -> int:
        raise RuntimeError("cudaErrorInsufficientDriver: CUDA driver version is insufficient")

    unknown.cuda.runtime = types.SimpleNamespace(getDeviceCount=count)
    assert not cuda.is_available()
    with pytest.raises(RuntimeError, match="Found no NVIDIA driver") as raised:
        jgrad.ones(1, device="cuda")
    assert "cudaErrorInsufficientDriver" in raised.value.__notes__[0]


# Pinned memory -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: jgrad.arange(6.0).reshape(2, 3),
        lambda: jgrad.arange(6.0).reshape(2, 3).t(),
        lambda: jgrad.arange(12.0).reshape(2, 6)[:, ::2],
        lambda: jgrad.arange(6)[4:],
        lambda: jgrad.ones(0, 3),
        lambda: jgrad.tensor(3.0),
    ],
)
def test_pinned_memory_has_the_same_elements(make, devices):
    t = make()
    pinned = t.pin_memory()
    assert not t.is_pinned()
    assert pinned.is_pinned()
    assert (pinned.shape, pinned.stride(), pinned.dtype, pinned.storage_offset()) == (
        t.shape,
        t.stride(),
        t.dtype,
        0,
    )
    assert pinned.tolist() == t.tolist()
    assert pinned.pin_memory() is pinned
    assert pinned[:1].is_pinned() if t.ndim else True
    assert not pinned.clone().is_pinned()
    assert jgrad.from_numpy(pinned.numpy()).is_pinned()
    assert pinned.cuda().tolist() == t.tolist()


@pytest.mark.parametrize(
    "make",
    [
        lambda **o: jgrad.tensor([1.0, 2.0], **o),
        lambda **o: jgrad.empty(3, **o),
        lambda **o: jgrad.zeros(3, **o),
        lambda **o: jgrad.full((2,), 3, **o),
        lambda **o: jgrad.arange(3, **o),
        lambda **o: jgrad.rand(3, **o),
        lambda **o: jgrad.randperm(3, **o),
        lambda **o: jgrad.ones_like(jgrad.ones(2), **o),
        lambda **o: jgrad.ones(2).new_ones(3, **o),
        lambda **o: jgrad.empty_strided((2, 3), (1, 2), **o),
    ],
)
def test_factories_pin(make, devices):
    assert make(pin_memory=True).is_pinned()
    assert not make(pin_memory=False).is_pinned()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        make(pin_memory=True, device="cuda")


def test_pinning_is_an_operation(devices):
    x = jgrad.ones(3, requires_grad=True)
    y = x.pin_memory()
    assert y.grad_fn.name() == "PinMemoryBackward0"
    (y.cuda() * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        at(0).pin_memory()
    assert not at(0).is_pinned()


WAITING = [
    lambda t, y, **o: t.to("cuda", **o),
    lambda t, y, **o: t.to(y, **o),
    lambda t, y, **o: t.to(device="cuda", dtype=t.dtype, **o),
    lambda t, y, **o: t.cuda(**o),
    lambda t, y, **o: y.copy_(t, **o),
    lambda t, y, **o: t.type("torch.cuda.FloatTensor", **o),
]


@pytest.mark.parametrize("copy", WAITING)
def test_copies_are_over_when_they_return(copy, devices):
    t = jgrad.ones(2, 3).pin_memory()
    y = copy(t, at(0))
    t.zero_()
    assert y.tolist() == [[1, 1, 1]] * 2


@pytest.mark.parametrize("copy", WAITING)
def test_but_for_those_that_need_not_be(copy, devices):
    t = jgrad.ones(2, 3).pin_memory()
    y = copy(t, at(0), non_blocking=True)
    t.zero_()
    with pytest.raises(AssertionError, match="written while a device copied from it"):
        y.tolist()
    y = copy(t, at(0), non_blocking=True)
    cuda.synchronize()
    t.zero_()
    y.tolist()


def test_pinned_indices_are_read_before_they_change(devices):
    index = jgrad.tensor([1, 0]).pin_memory()
    x = at(0)[index]
    index.zero_()
    assert x.tolist() == [[3, 4, 5], [0, 1, 2]]


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoints_draw_the_same_numbers_again(reentrant, devices):
    for device in ("cpu", "cuda:0", "cuda:1"):
        x = jgrad.ones(1000, device=device, requires_grad=True)
        y = jgrad.utils.checkpoint.checkpoint(jgrad.nn.functional.dropout, x, use_reentrant=reentrant)
        drawn = jgrad.rand(2, device=device)
        y.sum().backward()
        assert x.grad.tolist() == y.tolist()
        assert drawn.tolist() != jgrad.rand(2, device=device).tolist()


def test_forked_generators_go_back(devices):
    places = ("cpu", "cuda:0", "cuda:1")

    def drawn() -> list:
        return [jgrad.rand(2, device=place).tolist() for place in places]

    with jgrad.random.fork_rng():
        first = drawn()
    assert drawn() == first
    with jgrad.random.fork_rng(["cuda:1"]):
        first = drawn()
    again = drawn()
    assert [a == b for a, b in zip(first, again, strict=True)] == [True, False, True]
    with jgrad.random.fork_rng(devices=[], enabled=False):
        first = drawn()
    assert drawn() != first
    seed = jgrad.seed()
    assert [cuda.default_generators[i].initial_seed() for i in (0, 1)] == [seed, seed]


@pytest.mark.parametrize("pin", [False, True])
def test_what_is_saved_may_wait_in_pinned_memory(pin, devices):
    x = at(1).requires_grad_()
    with jgrad.autograd.graph.save_on_cpu(pin_memory=pin):
        y = x * x
    assert y.grad_fn._raw_saved_self is not None
    y.sum().backward()
    assert x.grad.tolist() == (2 * at(1)).tolist()


def test_modules_move_while_others_work(devices):
    layer = jgrad.nn.Linear(2, 3)
    layer.weight.data = layer.weight.data.pin_memory()
    before = layer.weight.tolist()
    layer.to("cuda:1", non_blocking=True)
    assert (layer.weight.device.index, layer.weight.tolist()) == (1, before)


@pytest.mark.parametrize(
    "move",
    [lambda p: p.cuda(1), lambda p: p.to("cuda:1"), lambda p: p.pin_memory().cuda(1, non_blocking=True)],
)
def test_packed_sequences_move(move, devices):
    pack, pad = jgrad.nn.utils.rnn.pack_sequence, jgrad.nn.utils.rnn.pad_packed_sequence
    here = pack([jgrad.ones(n, 3) * n for n in (2, 4, 1)], enforce_sorted=False)
    there = move(here)
    assert [str(t.device) for t in there] == ["cuda:1", "cpu", "cuda:1", "cuda:1"]
    assert here.pin_memory().is_pinned()
    assert not here.is_pinned()
    for a, b in zip(pad(there), pad(here), strict=True):
        assert a.tolist() == b.tolist()
    assert there.cpu().sorted_indices.device.type == "cpu"
    with pytest.raises(RuntimeError, match="1D CPU int64 tensor, but got 1D cuda:0 Long tensor"):
        jgrad.nn.utils.rnn.pack_padded_sequence(at(0), jgrad.tensor([2, 1, 1], device="cuda"))
    with jgrad.device("cuda:1"):
        packed = jgrad.nn.utils.rnn.pack_padded_sequence(jgrad.ones(3, 2, 2), [1, 3], enforce_sorted=False)
    assert [str(t.device) for t in packed[:3]] == ["cuda:1", "cpu", "cuda:1"]


def test_what_comes_back_is_there(devices):
    x = at(1)
    for back in (
        x.to("cpu", non_blocking=True),
        x.cpu(),
        jgrad.zeros(2, 3).copy_(x, non_blocking=True),
        x.type("torch.FloatTensor"),
        x.type_as(jgrad.ones(1)),
    ):
        assert back.device.type == "cpu"
        assert back.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert jgrad.ones(1).type_as(x).device == x.device
    assert jgrad.ones(1).type(x.type()).device == at(0).device


# DLPack --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (2, 1)])
@pytest.mark.parametrize("index", [0, 1])
def test_capsules_of_gpus(version, index, devices):
    x = at(index).t()
    with cuda.device(index):
        capsule = x.__dlpack__(stream=1, max_version=version)
    name = "dltensor" if version in (None, (0, 8)) else "dltensor_versioned"
    assert f'"{name}"' in repr(capsule)
    taken = cupy.from_dlpack(capsule)
    assert (taken.data.ptr, taken.device.id, taken.strides) == (x.data_ptr(), index, (4, 12))
    assert x.__dlpack_device__() == (DLDeviceType.kDLCUDA, index)
    del x
    assert taken.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_capsules_are_refused(devices):
    x = at(0)
    with pytest.raises(BufferError, match=r"different CUDA device index. Expected: 1. Current device: 0."):
        at(1).__dlpack__()
    with pytest.raises(BufferError, match="require gradient"):
        x.clone().requires_grad_().__dlpack__()
    with pytest.raises(BufferError, match="per-thread default stream"):
        x.__dlpack__(stream=2)
    with pytest.raises(AssertionError, match="unsupported stream on CUDA: 0"):
        x.__dlpack__(stream=0)
    with pytest.raises(TypeError, match="stream must be"):
        x.__dlpack__(stream="1")
    with pytest.raises(ValueError, match="from cuda:0 to cpu without copying"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(RuntimeError, match="device"):
        np.from_dlpack(x)


def test_capsules_with_copies(devices):
    x = at(0)
    for options in ({"copy": True}, {"dl_device": (2, 0), "copy": True}, {"dl_device": (2, 1)}):
        taken = cupy.from_dlpack(x.__dlpack__(**options))
        assert taken.data.ptr != x.data_ptr()
        assert taken.device.id == options.get("dl_device", (2, 0))[1]
        assert taken.tolist() == x.tolist()
    for options in ({}, {"copy": False}, {"dl_device": (2, 0)}):
        assert cupy.from_dlpack(x.__dlpack__(stream=None, **options)).data.ptr == x.data_ptr()
    assert np.from_dlpack(x, device="cpu").tolist() == x.tolist()
    pinned = jgrad.ones(2).pin_memory()
    assert pinned.__dlpack_device__() == (DLDeviceType.kDLCUDAHost, 0)
    assert np.from_dlpack(pinned).tolist() == jgrad.from_dlpack(pinned).tolist() == [1, 1]


def on_device(index: int) -> cupy.ndarray:
    with cupy.cuda.Device(index):
        return cupy.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(
    "pick", [lambda a: a, lambda a: a.T, lambda a: a[:, ::2], lambda a: a[:, 1], lambda a: a[:0]]
)
@pytest.mark.parametrize(
    "take",
    [
        jgrad.from_dlpack,
        lambda a: jgrad.from_dlpack(a.__dlpack__()),
        jgrad.as_tensor,
        jgrad.asarray,
        lambda a: jgrad.as_tensor(Offering(a)),
        lambda a: jgrad.asarray(a.__dlpack__()),
    ],
)
def test_memory_of_others_is_shared(index, pick, take, devices):
    if index and pick(on_device(0)).size == 0:
        cuda.set_device(1)  # nobody can tell where nothing lies
    try:
        a = pick(on_device(index))
        before = a.get()
        t = take(a)
        assert t.device == jgrad.device("cuda", index)
        assert t.shape == a.shape
        assert t.dtype is jgrad.float64
        if a.size:
            assert (t.data_ptr(), t.stride()) == (a.data.ptr, tuple(s // 8 for s in a.strides))
        t += 1
        assert (a.get() == before + 1).all()
        del a
        assert t.tolist() == (before + 1).tolist()
        if t.numel() > 1:
            assert t.as_strided((2,), (1,)).untyped_storage() is t.untyped_storage()
            t.as_strided((1,), (1,)).fill_(9)
            assert t.flatten()[0].item() == 9
    finally:
        cuda.set_device(0)


@pytest.mark.parametrize(
    "take",
    [
        jgrad.from_dlpack,
        lambda x: jgrad.from_dlpack(x.__dlpack__(max_version=(1, 0))),
        cupy.from_dlpack,
        cupy.asarray,
        lambda x: jgrad.as_tensor(cupy.asarray(x)),
        lambda x: jgrad.from_dlpack(cupy.from_dlpack(x))[1:],
        lambda x: x.__dlpack__(),
        lambda x: jgrad.from_dlpack(x[:, ::2]).untyped_storage(),
    ],
)
def test_memory_is_held_as_long_as_somebody_has_it(take, devices):
    gc.collect()
    before = cuda.memory_allocated()
    x = at(0)
    taken = take(x)
    assert cuda.memory_allocated() == before + 512
    del x
    assert cuda.memory_allocated() == before + 512
    del taken
    assert cuda.memory_allocated() == before


def test_storages_of_what_was_lent_have_no_gaps(devices):
    x = at(0)
    t = jgrad.from_dlpack(x[:, ::2])
    assert (t.shape, t.untyped_storage().nbytes()) == ((2, 2), 24)
    assert t.as_strided((6,), (1,)).tolist() == [0, 1, 2, 3, 4, 5]
    t.as_strided((6,), (1,))[1] = 7
    assert x[0, 1].item() == 7


def test_from_dlpack_moves_and_copies_when_asked(devices):
    x = at(0)
    for options, device in (
        ({"copy": True}, x.device),
        ({"device": "cpu"}, jgrad.device("cpu")),
        ({"device": "cuda:1"}, jgrad.device("cuda:1")),
        ({"device": jgrad.device("cuda", 1), "copy": True}, jgrad.device("cuda:1")),
    ):
        for given in (x, cupy.asarray(x)):
            t = jgrad.from_dlpack(given, **options)
            assert (t.device, t.tolist()) == (device, x.tolist())
            assert t.data_ptr() != x.data_ptr()
    assert jgrad.from_dlpack(x, device="cuda").data_ptr() == x.data_ptr()
    assert jgrad.from_dlpack(jgrad.ones(2), device="cuda").is_cuda
    with pytest.raises(ValueError, match="cannot move DLPack tensor"):
        jgrad.from_dlpack(x, device="cpu", copy=False)
    with pytest.raises(BufferError, match="different CUDA device index"):
        jgrad.from_dlpack(at(1))
    with cuda.device(1):
        assert jgrad.from_dlpack(at(1)).device.index == 1


# The CUDA array interface --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1])
def test_the_interface_is_pytorchs(index, devices):
    x = at(index)
    there = {"typestr": "<f4", "shape": (2, 3), "strides": None, "data": (x.data_ptr(), False), "version": 2}
    assert x.__cuda_array_interface__ == there
    assert x.t().__cuda_array_interface__ == {**there, "shape": (3, 2), "strides": (4, 12)}
    assert x[:0].__cuda_array_interface__["data"] == (0, False)
    assert x.bool().__cuda_array_interface__["typestr"] == "|b1"
    with pytest.raises(RuntimeError, match="on Variable that requires grad"):
        _ = x.clone().requires_grad_().__cuda_array_interface__
    with cuda.device(index):
        taken = cupy.asarray(x)
        taken += 1
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]]
    del x
    assert taken.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_where_copies_of_arrays_go(devices):
    a, b = on_device(0), on_device(1)
    for given in (a, b, Offering(a), Offering(b)):
        home = jgrad.device("cuda", 0 if given is a or getattr(given, "array", None) is a else 1)
        values = a.tolist()
        for make in (jgrad.tensor, jgrad.as_tensor, jgrad.asarray):
            assert make(given).device == home
            for device in ("cpu", "cuda:0", "cuda:1"):
                t = make(given, device=device)
                assert (str(t.device), t.dtype, t.tolist()) == (device, jgrad.float64, values)
            t = make(given, dtype=jgrad.int32)
            assert (t.device, t.dtype, t.tolist()) == (home, jgrad.int32, values)
        assert jgrad.tensor(given).data_ptr() not in (a.data.ptr, b.data.ptr)
        assert jgrad.tensor(given, requires_grad=True).requires_grad
        assert jgrad.ones(1).new_tensor(given).device.type == "cpu"
        assert at(0).new_tensor(given).device == at(0).device
        with pytest.raises(RuntimeError, match="constructed from __cuda_array_interface__"):
            jgrad.tensor(given, pin_memory=True)
    jgrad.set_default_device("cuda:1")
    try:
        assert jgrad.as_tensor(a).device.index == 1
    finally:
        jgrad.set_default_device(None)


def test_arrays_that_are_refused(devices):
    a = on_device(0)
    with pytest.raises(TypeError, match="read only flag"):
        jgrad.as_tensor(Offering(a, data=(a.data.ptr, True)))
    with pytest.raises(RuntimeError, match=r"overflowed with sizes=\[2, 3\] and strides=\[3, -1\]"):
        jgrad.as_tensor(a[:, ::-1])
    with pytest.raises(TypeError, match=r"expected np.ndarray"):
        jgrad.from_numpy(a)
