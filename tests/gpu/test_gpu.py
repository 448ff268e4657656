"""On a GPU, against PyTorch with CUDA: `pytest -m gpu`. Without these two the tests are not selected.

The operations with PyTorch's samples, the programs of `tests/programs`, random programs, memory, and the places where values are waited for.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest

import jgrad

pytestmark = pytest.mark.gpu

torch = pytest.importorskip("torch")

from tests.differential.test_foreign import TIES, draws, without_counterpart  # noqa: E402
from tests.differential.test_operations import OPERATIONS, Comparison, excused, forms, samples_of  # noqa: E402
from tests.differential.twins import Side, Unsupported, shown  # noqa: E402
from tests.programs import PROGRAMS, Program, hold_alike, run  # noqa: E402
from tests.same_as_torch import random_programs  # noqa: E402

SAMPLES = {torch.float64: 6, torch.float32: 3, torch.int64: 2, torch.bool: 2, torch.complex128: 4}


@pytest.fixture(autouse=True, scope="module")
def both_have_a_gpu() -> None:
    assert torch.cuda.is_available(), "these tests compare with PyTorch on a GPU"
    assert jgrad.cuda.is_available(), "these tests need CuPy and a GPU: pip install cupy-cuda12x"


@pytest.fixture
def on_the_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both make their tensors on the GPU, and errors come at once."""
    monkeypatch.setitem(jgrad.cuda.loaded().kernels.settle.__globals__, "_MOST", 1)
    for library in (torch, jgrad):
        library.set_default_device("cuda")
        library.set_warn_always(True)
    yield
    for library in (torch, jgrad):
        library.set_default_device(None)
        library.set_warn_always(False)


@pytest.mark.parametrize(("info", "dtype", "names"), OPERATIONS)
def test_operations(info, dtype, names):
    failures: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples_of(info, dtype, SAMPLES[dtype]):
            for form, callable_of in forms(sample, names[0], info.formatted_name):
                try:
                    sides = [Side(jgrad, device="cuda"), Side(torch, device="cuda")]
                    comparison = Comparison(sample, names[0], form, callable_of, sides)
                except Unsupported:
                    continue
                if without_counterpart(comparison.errors[0]):
                    continue
                try:
                    if not comparison.same_error():
                        drawn = draws(names[0], sample)
                        for outputs in comparison.outputs:
                            for number, t in enumerate(outputs):
                                if drawn or (not dtype.is_floating_point and TIES.get(names[0]) == number):
                                    t.detach().zero_()
                        comparison.same_results()
                        if not drawn:
                            comparison.same_gradients()
                except AssertionError as error:
                    if not excused(failure := f"{form} {names[0]}: {error}"):
                        given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
                        failures.setdefault(failure, given)
    report = "\n".join(f"{failure}\n    of {given}" for failure, given in failures.items())
    assert not failures, report


@pytest.mark.parametrize("program", [pytest.param(program, id=program.name) for program in PROGRAMS])
def test_programs(program: Program, on_the_gpu):
    hold_alike(program, ("torch", run(torch, program)), ("jgrad", run(jgrad, program)))


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed, on_the_gpu):
    assert random_programs.main(1_000_000 + seed, 50) == 0


def test_numbers_drawn_are_pytorchs():
    for make in (
        lambda t: t.rand(1000, device="cuda"),
        lambda t: t.rand(1000, device="cuda", dtype=t.float64),
        lambda t: t.randn(1000, device="cuda"),
        lambda t: t.randn(1000, device="cuda", dtype=t.float64),
        lambda t: t.randint(0, 1000, (1000,), device="cuda"),
        lambda t: t.rand(1_000_000, device="cuda"),
        lambda t: t.randn(1_000_000, device="cuda"),
    ):
        found = []
        for library in (torch, jgrad):
            library.manual_seed(3)
            make(library)
            found.append(make(library).cpu().numpy())
        assert abs(found[0] - found[1]).max() <= 1e-5


def test_memory_comes_back():
    pool = jgrad.cuda.loaded().np.get_default_memory_pool()

    def step() -> None:
        w = jgrad.ones(1000, 1000, device="cuda", requires_grad=True)
        x = w
        for _ in range(10):
            x = (x * 2).relu()
        x.sum().backward()

    step()
    gc.collect()
    before = pool.used_bytes()
    gc.disable()
    try:
        for _ in range(200):
            step()
        assert pool.used_bytes() <= before
    finally:
        gc.enable()


ALIKE = """
cuda.is_available(), cuda.device_count(), cuda.current_device(), cuda.is_initialized()
cuda.get_device_name(), cuda.get_device_capability(0), cuda.mem_get_info()[1]
[str(getattr(cuda.get_device_properties(), n)) for n in ("name", "total_memory", "multi_processor_count", "warp_size", "L2_cache_size", "uuid")]
cuda.get_device_name(99)
cuda.set_device("cuda")
cuda.set_device("cpu")
cuda.can_device_access_peer(0, 99)
cuda.memory_allocated("cpu")
cuda.manual_seed(3), cuda.initial_seed(), cuda.get_rng_state()
cuda.seed_all(), len(cuda.get_rng_state_all()) == cuda.device_count()
cuda.current_stream() == cuda.default_stream(), cuda.current_stream().cuda_stream, cuda.current_stream().query()
cuda.Stream(priority=-1).priority, cuda.Stream().device
cuda.Event().query(), cuda.Event().cuda_event
cuda.Event(enable_timing=True).elapsed_time(cuda.Event(enable_timing=True))
cuda.Event().elapsed_time(cuda.Event())
cuda.Event(enable_timing=True).record()
here.pin_memory().is_pinned(), here.is_pinned(), here.t().pin_memory().stride(), here.pin_memory().grad_fn
here.clone().requires_grad_().pin_memory()
here.pin_memory().__dlpack_device__()
here.pin_memory().to("cuda", non_blocking=True)
lib.tensor([1.0], pin_memory=True).is_pinned(), lib.empty(3, pin_memory=True).is_pinned()
lib.tensor([1.0], pin_memory=True, device="cuda")
lib.ones_like(there, pin_memory=True)
there.pin_memory()
there.is_pinned()
there.cuda("cpu")
there.type(), here.type(there.type()), there.type(here.type()), here.type_as(there)
there.__dlpack_device__()
{k: v for k, v in there.t().__cuda_array_interface__.items() if k != "data"}
there.clone().requires_grad_().__cuda_array_interface__
there.clone().requires_grad_().__dlpack__()
there.__dlpack__(stream=0)
there.__dlpack__(stream=2)
there.__dlpack__(stream="a")
there.__dlpack__(dl_device=(1, 0), copy=False)
lib.from_dlpack(there.t())
lib.from_dlpack(there, device="cpu")
lib.from_dlpack(there, device="cpu", copy=False)
lib.from_dlpack(array[:, ::2]), lib.from_dlpack(array[:, ::2]).untyped_storage().nbytes()
lib.as_tensor(array), lib.as_tensor(array, device="cpu"), lib.as_tensor(array.T, dtype=lib.float32).stride()
lib.tensor(array), lib.tensor(array, dtype=lib.int32), lib.asarray(array), there.new_tensor(array)
lib.tensor(array, pin_memory=True)
""".strip().splitlines()


@pytest.mark.parametrize("expression", ALIKE)
def test_memory_and_devices(expression):
    cupy = pytest.importorskip("cupy")
    outcomes = []
    for lib in (jgrad, torch):
        here = lib.arange(6.0).reshape(2, 3)
        names = {
            "lib": lib,
            "cuda": lib.cuda,
            "here": here,
            "there": here.cuda(),
            "array": cupy.arange(6.0).reshape(2, 3),
        }
        try:
            found = repr(eval(expression, names))
        except Exception as error:
            found = f"{type(error).__name__}: {error}".partition("\n")[0]
        outcomes.append(found.replace("jgrad.", "torch."))
    assert outcomes[0] == outcomes[1]


def test_time_between_events():
    begin, end = [jgrad.cuda.Event(enable_timing=True) for _ in range(2)]
    x = jgrad.ones(2000, 2000, device="cuda")
    begin.record()
    for _ in range(20):
        x = x @ x
    end.record()
    end.synchronize()
    assert begin.query()
    assert begin.elapsed_time(end) > 0


def test_streams_are_cupys():
    cupy = pytest.importorskip("cupy")
    s = jgrad.cuda.Stream()
    with jgrad.cuda.stream(s):
        assert cupy.cuda.get_current_stream().ptr == s.cuda_stream
        x = jgrad.ones(1000, 1000, device="cuda") * 2
    jgrad.cuda.current_stream().wait_stream(s)
    assert (x + 1).sum().item() == 3_000_000


def test_peak_of_memory():
    jgrad.cuda.reset_peak_memory_stats()
    before = jgrad.cuda.memory_allocated()
    x = jgrad.ones(1000, 1000, device="cuda")
    del x
    assert jgrad.cuda.max_memory_allocated() >= before + 4_000_000
    assert jgrad.cuda.memory_allocated() == before
    with pytest.raises(jgrad.cuda.OutOfMemoryError):
        jgrad.empty(2**45, dtype=jgrad.uint8, device="cuda")


@pytest.mark.parametrize("size", [10, 10_000_000])
def test_copies_of_pinned_memory_are_over_when_they_return(size):
    t = jgrad.ones(size).pin_memory()
    x, y = t.cuda(), jgrad.zeros(size, device="cuda").copy_(t)
    t.zero_()
    assert (x + y).sum().item() == 2 * size


def test_memory_is_shared_with_others():
    cupy = pytest.importorskip("cupy")
    t = jgrad.arange(6.0, device="cuda")
    cupy.asarray(t)[0] = 7
    torch.utils.dlpack.from_dlpack(t)[1] = 8
    jgrad.as_tensor(cupy.asarray(t))[2] = 9
    assert t.tolist() == [7, 8, 9, 3, 4, 5]


def test_a_wrong_index_is_found_when_the_device_is_waited_for():
    x = jgrad.zeros(3, device="cuda")
    y = x[jgrad.tensor([0, 5], device="cuda")]
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 0 with size 3"):
        y.tolist()
    assert x.tolist() == [0, 0, 0]
