"""The foreign library refuses what a device would refuse or make slow, and lays arrays out as CuPy does."""

import inspect
import threading
import weakref

import numpy as np
import pytest

import tests.foreign as cupy
from tests.foreign.api import API, checker

HOST = np.ones(3, np.float32)


def values(n: int = 6) -> cupy.ndarray:
    return cupy.array(np.arange(n, dtype=np.float32))


@pytest.mark.parametrize(
    "mix",
    [
        lambda a: a + HOST,
        lambda a: HOST + a,
        lambda a: HOST @ a,
        lambda a: cupy.add(a, HOST),
        lambda a: cupy.sum(HOST),
        lambda a: cupy.concatenate([a, HOST]),
        lambda a: a[HOST.astype(int)],
        lambda a: a.__setitem__(0, HOST),
        lambda a: a.__setitem__(HOST > 0, 1),
        lambda a: a.__setitem__(slice(0, 3), [1.0, 2.0, 3.0]),
        lambda a: a.__iadd__(HOST),
        lambda a: HOST.__iadd__(a),
        lambda a: cupy.copyto(a, HOST),
        lambda a: np.add(a, 1),
        lambda a: np.sum(a),
        lambda a: np.asarray(a),
        lambda a: np.array([a, a]),
        lambda a: HOST.__setitem__(slice(None), a),
        lambda a: np.copyto(HOST, a),
    ],
)
def test_host_and_device_do_not_mix(mix):
    with pytest.raises(TypeError):
        mix(values(3))


@pytest.mark.parametrize(
    "read", [bool, int, float, complex, lambda a: [0, 1][a], lambda a: range(a), lambda a: a in (1.0, 2.0)]
)
def test_values_are_not_read_by_the_way(read):
    with pytest.raises(cupy.SynchronisationError):
        read(cupy.array(1.0))


@pytest.mark.parametrize(
    "use",
    [
        cupy.zeros,
        cupy.arange,
        lambda n: cupy.broadcast_to(values(2), (n, 2)),
        lambda n: values().sum(n),
        lambda n: cupy.eye(n),
    ],
)
def test_shapes_are_numbers(use):
    with pytest.raises(cupy.SynchronisationError):
        use(cupy.array(1))


def test_arrays_and_numbers_make_no_array():
    assert cupy.array([values(), values()]).shape == (2, 6)
    with pytest.raises(TypeError):
        cupy.array([1.0, cupy.array(2.0)])


def test_nobody_walks_over_values():
    with pytest.raises(cupy.SynchronisationError):
        list(values())
    rows = list(values().reshape(2, 3))
    assert [r.tolist() for r in rows] == [[0, 1, 2], [3, 4, 5]]


def test_the_ways_to_values():
    a = values()
    assert a[5].item() == 5.0
    assert a.tolist() == [0, 1, 2, 3, 4, 5]
    host = a.get()
    assert type(host) is np.ndarray
    host[0] = 9
    assert a.tolist()[0] == 0
    assert type(cupy.asnumpy(a)) is np.ndarray
    with pytest.raises(ValueError, match="size 1"):
        a.item()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda a: cupy.errstate, AttributeError),
        (lambda a: cupy.linalg.vecdot, AttributeError),
        (lambda a: cupy.RawKernel, AttributeError),
        (lambda a: a.ctypes, AttributeError),
        (lambda a: a.__array_interface__, AttributeError),
        (lambda a: a.flags.writeable, AttributeError),
        (lambda a: cupy.sum(a, where=a > 1), TypeError),
        (lambda a: a.sum(initial=0), TypeError),
        (lambda a: cupy.add(a, 1, where=a > 1), TypeError),
        (lambda a: cupy.exp(a, order="C"), TypeError),
        (lambda a: cupy.take(a, a.astype(int), mode="clip"), TypeError),
        (lambda a: cupy.maximum.reduce(a), NotImplementedError),
        (lambda a: cupy.maximum.accumulate(a), NotImplementedError),
        (lambda a: cupy.multiply.at(a, 0, 1), NotImplementedError),
        (lambda a: a.sort(kind="quicksort"), ValueError),
        (lambda a: a.reshape(2, 3).T.sort(), NotImplementedError),
        (lambda a: cupy.add(a, 1, out=cupy.empty(3, a.dtype)), ValueError),
        (lambda a: cupy.add(a, 1.0, out=cupy.empty(6, int)), TypeError),
        (lambda a: cupy.where(True, a, a), TypeError),
        (lambda a: cupy.bitwise_and(a, a), TypeError),
        (lambda a: a[cupy.array([0.5])], IndexError),
        (lambda a: a[9], IndexError),
    ],
)
def test_what_cupy_lacks(call, error):
    with pytest.raises(error):
        call(values())


def test_views_share_memory_and_have_the_owner_as_base():
    a = cupy.zeros((4, 6), np.float32)
    assert a.base is None
    views = [a[1:], a[1:][:, ::2], a.T, a.reshape(-1), a.view(np.int32), a[None], a[1, 2], cupy.broadcast_to(a, (2, 4, 6)),
             a.ravel("K"), a.swapaxes(0, 1), cupy.moveaxis(a, 0, 1), cupy.diagonal(a), cupy.expand_dims(a, 0)]  # fmt: skip
    for view in views:
        assert view.base is a
        assert view.data.mem is a.data.mem
        view[...] = 1
        assert a.get().any()
        a[...] = 0
    assert a[2:, 3].data.ptr - a.data.ptr == 4 * (2 * 6 + 3)
    assert cupy.ascontiguousarray(a) is a
    assert a.astype(a.dtype, copy=False) is a
    assert a.copy().base is None
    assert a.T.reshape(-1).data.mem is not a.data.mem


def test_parts_of_complex_numbers_are_views():
    a = cupy.zeros(3, np.complex64)
    a.imag[...] = 2
    a.real = 1
    assert a.tolist() == [1 + 2j] * 3
    assert a.imag.base is a
    assert values().real.base is None


def test_arrays_over_a_pointer():
    a = values().reshape(2, 3)
    over = cupy.ndarray((2,), a.dtype, a.data + 4, strides=(12,))
    assert over.tolist() == [1, 4]
    assert over.base is None
    assert over.data.mem is a.data.mem
    strided = cupy.lib.stride_tricks.as_strided(a, (2, 2), (0, 4))
    assert strided.tolist() == [[0, 1], [0, 1]]
    assert strided.base is None
    view = a.view()
    view._set_shape_and_strides((3, 2), (4, 12), True, True)
    assert view.tolist() == a.T.tolist()
    assert view.base is a.base
    host = np.arange(3.0)
    memory = cupy.cuda.UnownedMemory(host.ctypes.data, host.nbytes, host, 0)
    cupy.ndarray(3, host.dtype, cupy.cuda.MemoryPointer(memory, 0))[0] = 7
    assert host[0] == 7


def test_weak_references():
    a = values()
    there = weakref.ref(a)
    view = a[1:]
    del a
    assert there() is view.base
    with pytest.raises(TypeError):
        weakref.ref(view.data.mem)
    del view
    assert there() is None


def test_results_are_in_c_order_and_on_the_device():
    a = values().reshape(2, 3)
    assert (a.T + 1).strides == (8, 4)
    assert cupy.where(a.T > 1, a.T, 0).strides == (8, 4)
    assert a.T.astype(np.float64).strides == (8, 24)
    for result in (a.sum(), a.max(), cupy.add(a, 1)[0, 0], cupy.dot(a[0], a[0]), cupy.allclose(a, a)):
        assert type(result) is cupy.ndarray
        assert result.shape == ()


def test_dtypes_of_results():
    a = values()
    assert (a + 1.5).dtype == np.float32
    assert (a + np.float64(1.5)).dtype == np.float64
    assert (np.float32(2) * a).tolist() == (2 * a).tolist()
    assert cupy.exp(cupy.array([1], np.int8)).dtype == np.float16
    assert cupy.add(a, 1, dtype=np.float64).dtype == np.float64
    assert (cupy.array([1], np.uint8) + 1).dtype == np.uint8
    assert (cupy.array([True]) + 1).dtype == np.int64
    assert cupy.sum(cupy.array([1], np.int8)).dtype == np.int64
    with pytest.raises(OverflowError):
        cupy.array([1], np.uint8) + 300


def test_indexes_beyond_the_end_wrap_around():
    a = values()
    assert a[cupy.array([7, -1])].tolist() == [1, 5]
    assert a.take(cupy.array([6])).tolist() == [0]
    a[cupy.array([6])] = 9
    assert a[0].item() == 9


def test_devices():
    a = values()
    with cupy.cuda.Device(1):
        b = values()
        assert b.device.id == 1
        for use in (
            lambda: a + 1,
            lambda: b + a,
            lambda: a.sum(),
            lambda: cupy.concatenate([b, a]),
            lambda: a[cupy.array([0])],
            lambda: a.copy(),
            lambda: a.astype("f4"),
            lambda: a.__setitem__(0, 1),
        ):
            with pytest.raises(ValueError, match="different from the current device"):
                use()
    assert a.device == cupy.cuda.Device(0)
    with pytest.raises(ValueError, match="different from the current device"):
        a + b
    assert a[0].item() == a.tolist()[0]  # a view, and values that travel, need no device
    assert b.tolist() == a.tolist()


def test_names_of_devices_and_memory_are_cupys():
    known = API["cuda"]
    assert set(vars(cupy.cuda)) <= set(known["names"])
    assert set(vars(cupy.cuda.runtime)) <= set(known["runtime"])
    for kind in known.keys() - {"names", "runtime"}:
        for name, member in vars(getattr(cupy.cuda, kind)).items():
            if name.startswith("_"):
                continue
            assert name in known[kind], f"{kind}.{name}"
            if inspect.isfunction(member) and known[kind][name] is not None:
                wanted = checker(name, "self, " + known[kind][name])
                assert inspect.getfullargspec(member)[:4] == inspect.getfullargspec(wanted)[:4], (
                    f"{kind}.{name}"
                )


def test_memory_is_accounted_for_by_device():
    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    used, held = pool.used_bytes(), pool.total_bytes()
    a = cupy.zeros(100, np.float64)
    assert (pool.used_bytes(), pool.total_bytes()) == (used + 1024, held + 1024)
    view = a[1:]
    with cupy.cuda.Device(1):
        other = pool.used_bytes()
        b = cupy.zeros(1)
        assert pool.used_bytes() == other + 512
    del a
    assert pool.used_bytes() == used + 1024
    del view, b
    assert (pool.used_bytes(), pool.total_bytes()) == (used, held + 1024)
    assert pool.free_bytes() == held + 1024 - used
    pool.free_all_blocks()
    assert pool.total_bytes() == used
    pool.set_limit(size=used + 512)
    try:
        with pytest.raises(cupy.cuda.memory.OutOfMemoryError):
            cupy.empty(1000)
    finally:
        pool.set_limit()


def test_pinned_memory():
    host = np.arange(6, dtype=np.float32).reshape(2, 3).T
    pinned = cupy.cupyx.empty_like_pinned(host)
    assert type(pinned) is np.ndarray
    assert isinstance(pinned.base, cupy.cuda.PinnedMemoryPointer)
    assert (pinned.shape, pinned.dtype, pinned.strides) == (host.shape, host.dtype, host.strides)
    assert len(memoryview(pinned.base)) == 512
    pinned[...] = host
    a = cupy.array(pinned)
    pinned[0] = 9
    with pytest.raises(AssertionError, match="written while a device copied from it"):
        a.get()
    a = cupy.array(pinned, blocking=True)
    pinned[0] = 1
    assert a.tolist()[0] == [9, 9]
    cupy.array(pinned)
    cupy.cuda.Device().synchronize()
    pinned[0] = 2
    a.get()


class Offering:
    """An object with the interface and no more."""

    def __init__(self, array: cupy.ndarray, **changed: object) -> None:
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changed}


@pytest.mark.parametrize("pick", [lambda a: a, lambda a: a.T, lambda a: a[:, ::2], lambda a: a[:0]])
@pytest.mark.parametrize("device", [0, 1])
def test_memory_is_lent(pick, device):
    with cupy.cuda.Device(device):
        a = pick(values().reshape(2, 3))
        taken = [cupy.from_dlpack(a), cupy.from_dlpack(a.__dlpack__()), cupy.asarray(Offering(a))]
        for b in taken:
            assert (b.shape, b.dtype) == (a.shape, a.dtype)
            assert b.base is None
            assert b.device == a.device
            if a.size:
                assert (b.strides, b.data.ptr) == (a.strides, a.data.ptr)
            b += 1
            view = b[1:]
            assert view.base is b
        if a.size:
            assert a.get().ravel()[0] == 3
    del a
    for b in taken:
        b.get()


def test_capsules_are_used_once_and_by_those_who_can():
    a = values()
    capsule = a.__dlpack__(max_version=(1, 0))
    cupy.from_dlpack(capsule)
    with pytest.raises(ValueError, match="consumed multiple times"):
        cupy.from_dlpack(capsule)
    with pytest.raises(RuntimeError, match="device"):
        np.from_dlpack(a)
    with pytest.raises(TypeError, match="CPU arrays"):
        cupy.from_dlpack(HOST)
    with pytest.raises(RuntimeError, match="different from the backend"):
        cupy.from_dlpack(HOST.__dlpack__())
    assert a.__dlpack_device__() == (2, 0)
    assert np.from_dlpack(a, device="cpu").tolist() == a.tolist()
    with pytest.raises(BufferError):
        a.__dlpack__(copy=True)


def test_streams_belong_to_devices():
    stream = cupy.cuda.Stream()
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null
    with stream:
        assert cupy.cuda.get_current_stream() == stream
        assert cupy.cuda.get_current_stream(1) == cupy.cuda.Stream.null
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null
    with cupy.cuda.Device(1), pytest.raises(RuntimeError, match="does not match with the current device"):
        stream.use()
    event, later = cupy.cuda.Event(), cupy.cuda.Event(disable_timing=True)
    with pytest.raises(RuntimeError, match="cudaErrorInvalidResourceHandle"):
        cupy.cuda.get_elapsed_time(event, event)
    event.record(stream)
    later.record(stream)
    assert cupy.cuda.get_elapsed_time(event, event) >= 0
    with pytest.raises(RuntimeError, match="cudaErrorInvalidResourceHandle"):
        cupy.cuda.get_elapsed_time(event, later)
    with cupy.cuda.Device(1), pytest.raises(RuntimeError, match="cudaErrorInvalidResourceHandle"):
        event.record()


def test_the_current_device_is_the_threads_own():
    seen = []

    def look() -> None:
        seen.append(cupy.cuda.Device().id)
        cupy.cuda.Device(1).use()

    with cupy.cuda.Device(1):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert (seen, cupy.cuda.Device().id) == ([0], 0)


def test_reductions_and_scatters_that_are_there():
    a = values()
    assert cupy.add.reduce(a.reshape(2, 3)).tolist() == [3, 5, 7]
    assert cupy.multiply.accumulate(a + 1).tolist() == [1, 2, 6, 24, 120, 720]
    assert cupy.add.reduceat(a, cupy.array([0, 2])).tolist() == [1, 14]
    cupy.add.at(a, cupy.array([0, 0]), 1.0)
    cupy.cupyx.scatter_max(a, cupy.array([1]), 8.0)
    assert a.tolist()[:2] == [2, 8]
    assert (a > 0).all(0, None, True).shape == (1,)
    assert cupy.multiply.outer(a[:2], a[:1]).tolist() == [[4], [16]]


def test_what_makes_the_program_wait_is_listed():
    a = values()
    cupy.waits.clear()
    b = a + 1
    b[b > 2] = 0
    cupy.copyto(b, 0, where=b > 1)
    assert cupy.waits == ["mask"]
    b.sum().item()
    cupy.nonzero(b)
    b.nonzero()
    cupy.repeat(b, 2)
    assert cupy.waits == ["mask", "item", "nonzero", "nonzero"]


def test_linear_algebra_is_silent_unless_told():
    a, b = cupy.zeros((2, 2)), cupy.ones((2, 1))
    assert cupy.linalg.solve(a, b).shape == (2, 1)
    assert cupy.linalg.cholesky(a - cupy.eye(2)).shape == (2, 2)
    with cupy.cupyx.errstate(linalg="raise"), pytest.raises(np.linalg.LinAlgError):
        cupy.linalg.solve(a, b)
    with pytest.raises(ValueError, match="shape"):
        cupy.linalg.solve(cupy.stack([a, a]), b)
