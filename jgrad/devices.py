"""Devices: where a storage is. NumPy computes on "cpu". CuPy computes on "cuda", which needs a GPU."""

from __future__ import annotations

from collections.abc import Callable

from jgrad import manual
from jgrad.errors import class_name

_KINDS = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone"


class device:
    """A device, the place where a storage is: the CPU, or a GPU by its number; as `torch.device`."""

    __slots__ = ("type", "index")
    type: str
    index: int | None

    def __init__(self, type: str | int | device, index: int | None = None) -> None:
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if type.__class__ is int:
            self.type, self.index = "cuda", _natural(type)
            return
        if not isinstance(type, str):
            raise TypeError(
                f"device() received an invalid combination of arguments - got ({class_name(type)}), but expected one of:\n"
                " * (torch.device device)\n"
                f"      didn't match because some of the arguments have invalid types: (!{class_name(type)}!)\n"
                " * (str type, int index = -1)\n"
            )
        kind, colon, number = type.partition(":")
        if kind not in _KINDS.split(", "):
            raise RuntimeError(f"Expected one of {_KINDS} device type at start of device string: {type}")
        if colon:
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: '{type}'")
            index = int(number)
        self.type = kind
        self.index = None if index is None else _natural(index)

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + (f", index={self.index})" if self.index is not None else ")")

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple:
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        """Begin a block in which this is the default device: factories use it if no device is given."""
        _before.append(_default)
        set_default_device(self)
        return self

    def __exit__(self, *error: object) -> None:
        global _default
        _default = _before.pop()


def _natural(index: int) -> int:
    if index < 0:
        raise RuntimeError("Device index must not be negative")
    return index


CPU = device("cpu")
_Device = device
_default = CPU
# By the type of a device, what makes its library and gives the device with its number. `jgrad.kernels` and `jgrad.cuda` register themselves here.
openers: dict[str, Callable[[device], device]] = {}
_before: list[device] = []  # the defaults to restore after `with device(...)`


def resolve(given: str | int | device | None) -> device:
    """The device that a factory was given, for a GPU with its number. Raises PyTorch's errors if there is no such device."""
    if given is None:
        return _default
    requested = given if isinstance(given, device) else device(given)
    if requested.type == "cpu":
        return requested
    if requested.type in openers:
        return openers[requested.type](requested)
    raise NotImplementedError(f"jgrad has no device '{requested}': tensors live on 'cpu', 'cuda' and 'meta'")


def get_default_device() -> device:
    """The device of tensors for which no device is given: the CPU, unless it was changed."""
    return _default


def set_default_device(device: str | _Device | None) -> None:
    """Set the device of tensors for which no device is given."""
    global _default
    _default = CPU if device is None else resolve(device)


manual.attach(__name__)
