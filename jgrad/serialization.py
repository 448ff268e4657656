"""`save` and `load`: tensors in nested containers, in a file that holds data only and can run no code.

The file is a zip archive: `structure.json` describes what contains what, `storage-0.npy`, ... hold the memory. Tensors that share a storage
share one after loading too. PyTorch's own files are not read.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np

from jgrad import cuda, dtypes
from jgrad.devices import CPU, device, resolve
from jgrad.kernels import libraries
from jgrad.storage import Storage, owner
from jgrad.tensor import Size, Tensor, _rebuild

FORMAT = "jgrad-tensors/1"
CONTAINERS: dict[str, type] = {"list": list, "tuple": tuple, "Size": Size}
MAPPINGS: dict[str, type] = {"dict": dict, "OrderedDict": OrderedDict}


def save(obj: Any, f: str | os.PathLike | IO[bytes]) -> None:
    """Write tensors, numbers, strings and nested lists, tuples and dictionaries of them to a file (a path or an open binary file).

    Raises TypeError for anything else: only code could bring it back.
    """
    storages: dict[int, tuple[str, Any]] = {}
    content = _packed(obj, storages)
    places = {name: libraries.place(array) for name, array in storages.values()}
    text = json.dumps(
        {"format": FORMAT, "content": content, "devices": {n: d for n, d in places.items() if d != "cpu"}}
    )
    with zipfile.ZipFile(f, "w") as archive:
        archive.writestr("structure.json", text)
        for name, array in storages.values():
            with archive.open(name, "w", force_zip64=True) as member:
                np.save(member, libraries.moved(array, CPU), allow_pickle=False)


def load(
    f: str | os.PathLike | IO[bytes], map_location: Any = None, *, weights_only: bool | None = None
) -> Any:
    """What `save` wrote. Never runs code, with any value of `weights_only`.

    Raises RuntimeError for a file that `save` did not write; tensors come to the device where they were, or where `map_location` puts them.
    """
    with _perhaps_damaged(f), zipfile.ZipFile(f) as archive:
        structure = json.loads(archive.read("structure.json"))
        if structure["format"] != FORMAT:
            raise KeyError(structure["format"])
        storages = {
            name: np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
            for name in archive.namelist()
            if name.endswith(".npy")
        }
        devices = structure.get("devices", {})
    there = {}
    for name, array in storages.items():
        there[name] = array, libraries.moved(array, _home(array, devices.get(name, "cpu"), map_location))
    with _perhaps_damaged(f):
        return _unpacked(structure["content"], there)


@contextmanager
def _perhaps_damaged(f: Any) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        name = f if isinstance(f, (str, os.PathLike)) else "this file"
        raise RuntimeError(f"{name} was not written by jgrad.save, or is damaged ({error})") from None


def _home(array: np.ndarray, place: str, map_location: Any) -> device:
    """The device for memory that was on device `place`: the same one, or the one that `map_location` gives.

    `map_location` is a device, a dictionary of devices, or a function of the memory and the device.
    """
    if isinstance(map_location, dict):
        place = map_location.get(place, place)
    elif callable(map_location):
        storage = map_location(Storage.of(array), place)
        if storage is not None and not isinstance(storage, Storage):
            raise TypeError(f"map_location must return a storage or None, not {type(storage).__name__}")
        if storage is not None:
            return storage.device
    elif map_location is not None:
        return resolve(map_location)
    if str(place).startswith("cuda") and not cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only "
            "machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU."
        )
    return resolve(place)


def _packed(value: Any, storages: dict) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, Tensor):
        kind = "tensor" if type(value) is Tensor else type(value).__name__.lower()
        if kind not in ("tensor", "parameter"):
            raise TypeError(f"jgrad.save can't write a {type(value).__name__}: convert it to a Tensor")
        root = owner(value._a)
        array = root if libraries.is_array(root) else value._a.copy()
        offset = value.storage_offset() * value.itemsize if array is root else 0
        strides = value._a.strides if array is root else array.strides
        name, _ = storages.setdefault(id(array), (f"storage-{len(storages)}.npy", array.ravel("K")))
        shape = [list(value._a.shape), list(strides), offset]
        return {kind: [name, value.dtype.name, *shape, value.requires_grad]}
    if isinstance(value, dtypes.dtype):
        return {"dtype": value.name}
    if isinstance(value, device):
        return {"device": str(value)}
    nested: Any = value
    for name, container in CONTAINERS.items():
        if type(value) is container:
            return {name: [_packed(v, storages) for v in nested]}
    for name, mapping in MAPPINGS.items():
        if type(value) is mapping:
            return {name: [[_packed(k, storages), _packed(v, storages)] for k, v in nested.items()]}
    raise TypeError(
        f"jgrad.save can't write a {type(value).__name__}: only tensors, numbers, strings, lists, tuples and dictionaries, so that "
        "loading runs no code"
    )


def _unpacked(packed: Any, storages: dict[str, Any]) -> Any:
    if not isinstance(packed, dict):
        return packed
    ((kind, content),) = packed.items()
    if kind in ("tensor", "parameter"):
        name, dtype, shape, strides, offset, requires_grad = content
        host, there = storages[name]
        array: Any = np.ndarray(tuple(shape), dtype, host.view(np.uint8), offset, tuple(strides))
        if there is not host:  # NumPy has refused by now what would be outside of the storage
            array = libraries.of(there).kernels.over(there, array.shape, array.dtype, offset, array.strides)
        made = _rebuild(array, dtypes.from_numpy(array.dtype), 0, array.shape, array.strides, requires_grad)
        if kind == "parameter":
            from jgrad.nn import Parameter

            return Parameter(made.detach(), requires_grad)
        return made
    if kind == "float":
        return float(content)
    if kind == "complex":
        return complex(*map(float, content))
    if kind == "dtype":
        return next(d for d in dtypes.ALL if d.name == content)
    if kind == "device":
        return device(content)
    if kind in CONTAINERS:
        return CONTAINERS[kind](_unpacked(v, storages) for v in content)
    return MAPPINGS[kind]((_unpacked(k, storages), _unpacked(v, storages)) for k, v in content)
