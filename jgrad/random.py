"""Random numbers: the same streams, number by number, as PyTorch's generator on the CPU.

The generator is the 32-bit Mersenne Twister, seeded as NumPy's legacy `RandomState` seeds it. So NumPy makes its words, which are 32-bit
integers. `jgrad/kernels/streams.py` turns words into uniform and normal numbers, integers, permutations and coin flips, as PyTorch does.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from jgrad import devices, manual
from jgrad.errors import class_name
from jgrad.kernels import libraries, streams
from jgrad.tensor import Tensor, wrap

_FIRST_SEED = 67280421310721  # of a Generator without a seed from the user
_STATE = struct.Struct("<QiiQ624Qdddiifi")  # the layout of PyTorch's generator state, 5056 bytes
_N = 624  # how many words the twister makes at a time


class Generator:
    """A stream of random numbers. Equal seeds give equal streams: the same numbers as PyTorch's."""

    __slots__ = ("__weakref__", "_fresh", "_seed", "_source", "_spare", "device")

    def __new__(cls, device: Any = "cpu") -> Generator:
        return object.__new__(cls if devices.resolve(device).type == "cpu" else CounterGenerator)

    def __init__(self, device: Any = "cpu") -> None:
        self.device = devices.resolve(device)
        self._source: Any = (
            None  # the NumPy objects, made when first needed, because importing numpy.random is slow
        )
        self._restart(_FIRST_SEED)

    def _restart(self, seed: int) -> None:
        self._seed = seed
        self._spare: float | None = (
            None  # the second of a pair of normal numbers, which the next call returns
        )
        self._fresh = True  # seeded, and nothing drawn yet: PyTorch's state contains this
        if self._source is not None:
            self._source[1].seed(seed & 0xFFFFFFFF)

    def _bits(self) -> Any:
        """NumPy's twister, at the position of the next word."""
        if self._source is None:
            bits = np.random.MT19937(0)
            self._source = bits, np.random.RandomState(bits)
            self._source[1].seed(self._seed & 0xFFFFFFFF)
        return self._source[0]

    def words(self, n: int) -> np.ndarray:
        """The next n 32-bit words, as uint64."""
        if n:
            self._fresh = False
        return self._bits().random_raw(n)

    def long_words(self, n: int) -> np.ndarray:
        """The next n 64-bit words, each made of two 32-bit words."""
        words = self.words(2 * n)
        return words[0::2] << 32 | words[1::2]

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of a seed."""
        if not hasattr(seed, "__index__") or isinstance(seed, np.ndarray):
            raise RuntimeError(f"manual_seed expected a long, but got {class_name(seed)}")
        seed = seed.__index__()
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._restart(seed % 2**64)
        return self

    def seed(self) -> int:
        """Start the stream of a random seed."""
        self._restart(int.from_bytes(os.urandom(8)))
        return self._seed

    def initial_seed(self) -> int:
        """The seed with which the stream was started."""
        return self._seed

    def get_state(self) -> Any:
        """The state of the generator: where it is in its stream."""
        return wrap(np.frombuffer(self._packed(), np.uint8).copy())

    def __setstate__(self, state: tuple) -> None:
        """The state as PyTorch's pickles have it: seed, offset and the tensor of `get_state`."""
        self.set_state(state[2])

    def set_state(self, new_state: Any) -> Generator:
        """Continue from a state that `get_state` returned."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {class_name(new_state)}")
        if new_state._a.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        expected = len(self._packed())
        if new_state._a.size != expected:
            if isinstance(self, CounterGenerator):
                raise RuntimeError("RNG state is wrong size")
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {expected} but found the input RNG state size to be "
                f"{new_state._a.size}"
            )
        self._unpack(new_state._a.tobytes())
        return self

    @contextmanager
    def replaced_by(self, other: Generator) -> Iterator[None]:
        """A block in which this generator is where the other one is, and moves that one on."""
        before = self._place()
        self._go_to(other._place())
        try:
            yield
        finally:
            other._go_to(self._place())
            self._go_to(before)

    def _place(self) -> tuple:
        return self._seed, self._spare, self._fresh, self._source

    def _go_to(self, place: tuple) -> None:
        self._seed, self._spare, self._fresh, self._source = place

    def clone_state(self) -> Generator:
        """A copy of the generator: it continues from the same place, independently."""
        copy = Generator(self.device)
        copy._unpack(self._packed())
        return copy

    def _packed(self) -> bytes:
        state = self._bits().state["state"]
        drawn = 0 if self._fresh else state["pos"]  # of the current 624 words
        left = _N + 1 - drawn if drawn else 1
        spare = self._spare or 0.0
        has_spare = self._spare is not None
        return _STATE.pack(
            self._seed, left, 1, drawn, *state["key"].tolist(), 0.0, spare, 0.0, has_spare, 0, 0.0, 0
        )

    def _unpack(self, packed: bytes) -> None:
        seed, left, seeded, drawn, *rest = _STATE.unpack(packed)
        key, (_, spare, _, has_spare, *_) = rest[:_N], rest[_N:]
        if not (seeded and 0 < left <= _N and 0 <= drawn <= _N):
            raise RuntimeError("Invalid mt19937 state")
        bits = self._bits()
        bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(key, np.uint32), "pos": drawn if left > 1 else _N},
        }
        self._seed, self._fresh, self._spare = seed, not drawn, spare if has_spare else None

    def __reduce__(self) -> tuple:
        return _unpickled, (self._packed(),)


class CounterGenerator(Generator):
    """The stream of a device that draws many numbers at once. Its state is a seed and how many words were drawn. Each number is a function
    of both and of its position. (On a GPU it is Philox4x32 with ten rounds, as in PyTorch; see `jgrad/kernels/cupy/random.py`.)"""

    __slots__ = ("_drawn",)

    def _restart(self, seed: int) -> None:
        self._seed, self._drawn = seed, 0

    def draw(self, count: int) -> tuple[int, int]:
        """The seed and the number of words drawn so far. Afterwards `count` more words are drawn."""
        before = self._drawn
        self._drawn += count
        return self._seed, before

    def _packed(self) -> bytes:
        return struct.pack("<QQ", self._seed, self._drawn)

    def _unpack(self, packed: bytes) -> None:
        self._seed, self._drawn = struct.unpack("<QQ", packed)

    def __reduce__(self) -> tuple:
        raise TypeError(f"cannot pickle the generator of the device {self.device}")


def _unpickled(packed: bytes) -> Generator:
    generator = Generator()
    generator._unpack(packed)
    return generator


# The default generators -----------------------------------------------------------------------------

default_generator = Generator()
default_generator.seed()
_by_device: dict[
    devices.device, Generator
] = {}  # the default generators of devices other than the CPU, made when first used
_seed_of_all: int | None = (
    None  # the last seed given to `manual_seed`, also for devices that are first used later
)


def default_of(device: Any) -> Generator:
    """The default generator of a device, which is used if no generator is given."""
    if device.type == "cpu":
        return default_generator
    if device not in _by_device:
        made = _by_device[device] = Generator(device)
        if _seed_of_all is None:
            made.seed()
        else:
            made.manual_seed(_seed_of_all)
    return _by_device[device]


def _default_of_type(kind: str) -> Generator:
    return default_generator if kind == "cpu" else default_of(devices.resolve(kind))


streams.default_of = _default_of_type


def manual_seed(seed: Any) -> Generator:
    """Seed the default generators of all devices, so that the same random numbers are drawn each time a program runs."""
    global _seed_of_all
    _seed_of_all = int(seed)
    for generator in _by_device.values():
        generator.manual_seed(_seed_of_all)
    return default_generator.manual_seed(_seed_of_all)


def seed() -> int:
    """Seed the default generators of all devices with a random seed, so that other random numbers are drawn each time a program runs."""
    chosen = default_generator.seed()
    manual_seed(chosen)
    return chosen


def initial_seed() -> int:
    """The seed with which the default generator of the CPU was started."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """The state of the default generator of the CPU: where it is in its stream of random numbers."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Set the default generator of the CPU to a state that `jgrad.get_rng_state` returned: the same random numbers follow as then."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, *, device_type: str | None = None) -> Iterator[None]:
    """A block after which the default generators are in the same state as before. Random numbers in the block do not change those behind it."""
    if not enabled:
        yield
        return
    before = states(devices)
    try:
        yield
    finally:
        go_back(before)


def states(gpus: Any = None) -> list[tuple[Generator, bytes]]:
    """The default generators of the CPU and of these GPUs (by default all), each with its state."""
    if gpus is None:
        cuda = libraries.registered("cuda")
        gpus = range(cuda.np.cuda.runtime.getDeviceCount() if cuda is not None else 0)
    generators = [default_generator, *[default_of(devices.resolve(gpu)) for gpu in gpus]]
    return [(generator, generator._packed()) for generator in generators]


def go_back(kept: list[tuple[Generator, bytes]]) -> None:
    """Set generators back to the states that `states` returned."""
    for generator, packed in kept:
        generator._unpack(packed)


manual.attach(__name__)
