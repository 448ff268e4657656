"""The programs of `tests/programs` with `set_default_device("cuda")`, on the array library that stands in for a GPU: they show what they
show on the CPU, but for the device in the printed form."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import jgrad
from jgrad.kernels import libraries
from jgrad.kernels import streams as host_streams
from tests.foreign.device import library, on_the_device

pytest.importorskip("torch")

from tests.programs import PROGRAMS, Program, Shown, hold_alike, run, same
from tests.same_as_torch.random_programs import always_warning, compare, program

# What speaks of the host's memory or of devices, asks which of equal elements is chosen, or has rounding of its own.
OF_THE_HOST = re.compile(
    r"\bnp\.|numpy|bfloat16|float8|autocast|GradScaler|device|cuda|dlpack|pin_memory|apply_|map_|\.storage\(\)|[Ee]qual elements|Transformer|rrelu|sparse|\.cpu\(\)|to\(\"cpu\"\) is"
)
OF_EVERY_DEVICE = [
    pytest.param(program, id=program.name)
    for program in PROGRAMS
    if not OF_THE_HOST.search(program.title + program.text)
]


@pytest.fixture(autouse=True, scope="module")
def always_warn() -> Iterator[None]:
    with always_warning():
        yield


@pytest.fixture(autouse=True)
def errors_come_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What CUDA_LAUNCH_BLOCKING=1 does."""
    monkeypatch.setitem(library().kernels.settle.__globals__, "_MOST", 1)


@pytest.fixture(autouse=True)
def the_numbers_of_the_cpu_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = library().kernels
    drawing = bound.normal_.__globals__
    monkeypatch.setitem(drawing, "_stream", lambda generator: generator or host_streams.default_of("cpu"))
    monkeypatch.setitem(drawing, "streams", DrawnByTheHost(bound.from_host))


@pytest.mark.one_in(18)
@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("program", OF_EVERY_DEVICE)
def test_program_on_the_device(program: Program, devices: int) -> None:
    """On the only device, and on the second of two while the first is the current one."""
    device = f"cuda:{devices - 1}"
    expected = run(jgrad, program)
    with on_the_device(devices):
        jgrad.set_default_device(device)
        try:
            found = run(jgrad, program)
        finally:
            jgrad.set_default_device(None)
    hold_alike(
        program,
        ("on the CPU", placeless(expected, device)),
        ("on the device", placeless(found, device)),
        lambda one, other: same(folded(one), folded(other)),
    )


def placeless(shown: list[Shown], device: str) -> list[Shown]:
    """What would be shown on the CPU."""
    return [Shown(without_place(text, device), line) for text, line in shown]


def without_place(text: str, device: str) -> str:
    kind, index = device.split(":")
    text = re.sub(rf",(\s+)device='{device}'", "", text)
    text = re.sub(rf" \({device}\)|(?<=jgrad\.)cuda\.(?=\w+Tensor)", "", text)
    return text.replace(f"', index={index})", "')").replace(device, "cpu").replace(kind, "cpu")


def folded(text: str) -> str:
    """Without line breaks, which the name of the device may have moved, and with whole numbers as the last digit may make them."""
    return re.sub(r"(\d)\.(?!\d)", r"\1.0000", re.sub(r"\s+", " ", text))


def test_random_programs_on_the_device() -> None:
    """They show what they show in PyTorch on the CPU."""
    for devices in (1, 2):
        with on_the_device(devices):
            for seed in range(400):
                compare(program(random.Random(seed).choice), seed % 2 == 0, f"cuda:{devices - 1}")


class DrawnByTheHost:
    """The streams of the CPU, whose numbers come to the device."""

    def __init__(self, from_host: Callable) -> None:
        self.from_host = from_host

    def __getattr__(self, name: str) -> Callable:
        draw = getattr(host_streams, name)

        def drawn(*given: Any) -> Any:
            found = draw(
                *[libraries.library_of(a).kernels.seen(a) if libraries.is_array(a) else a for a in given]
            )
            return self.from_host(found) if libraries.is_array(found) else found

        return drawn
