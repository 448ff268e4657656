"""Files of the format safetensors, by the library of that name: what `safetensors.torch` has, for tensors of jgrad.

`from jgrad.safetensors import load_file, save_file` where one would write `from safetensors.torch import load_file, save_file`, and
`from jgrad.safetensors import safe_open` for `from safetensors import safe_open`. The library is an extra: `pip install safetensors`.
The format has no complex128.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

import jgrad
from jgrad import dtypes, manual
from jgrad.nn import Module
from jgrad.serialization.replacing import replaced
from jgrad.tensor import Tensor, wrap

__all__ = ["load", "load_file", "load_model", "safe_open", "save", "save_file", "save_model"]

_DTYPES = {
    "F64": dtypes.float64, "F32": dtypes.float32, "F16": dtypes.float16, "I64": dtypes.int64, "I32": dtypes.int32,
    "I16": dtypes.int16, "I8": dtypes.int8, "U8": dtypes.uint8, "U16": dtypes.uint16, "U32": dtypes.uint32, "U64": dtypes.uint64, "BOOL": dtypes.bool_, "C64": dtypes.complex64,
    "BF16": dtypes.bfloat16, "F8_E4M3": dtypes.float8_e4m3fn, "F8_E5M2": dtypes.float8_e5m2, "F8_E8M0": dtypes.float8_e8m0fnu,
    "F8_E4M3FNUZ": dtypes.float8_e4m3fnuz, "F8_E5M2FNUZ": dtypes.float8_e5m2fnuz,
}  # fmt: skip

Path = str | os.PathLike


def _dtype(code: str, name: str) -> dtypes.dtype:
    if code not in _DTYPES:
        raise NotImplementedError(f"jgrad has no dtype {code}, which the tensor {name!r} of the file has")
    return _DTYPES[code]


def _tensor(array: Any, device: Any) -> Tensor:
    return wrap(np.require(array, requirements=["C", "W"])).to(
        jgrad.device("cuda", device) if isinstance(device, int) else device
    )


# Loading ---------------------------------------------------------------------------------------------------------------------------


class safe_open:
    """An open file, of which tensors and slices are read one by one; `safetensors.safe_open`."""

    def __init__(
        self, filename: Path, framework: str = "pt", device: str | int = "cpu", **options: Any
    ) -> None:
        self.device, self.filename = device, filename
        self._file = safetensors.safe_open(filename, framework="np", **options)
        for name in ("keys", "metadata", "offset_keys"):
            setattr(self, name, getattr(self._file, name))

    def __enter__(self) -> safe_open:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.__exit__(*error)

    def get_slice(self, name: str) -> _Slice:
        """A tensor of which parts can be read by index."""
        return _Slice(self._file.get_slice(name), name, self)

    def get_tensor(self, name: str) -> Tensor:
        """A whole tensor."""
        part = self._file.get_slice(name)
        kind = _dtype(part.get_dtype(), name)
        if kind in dtypes.FLOAT8:
            return _tensor(_float8(self.filename, name, kind).reshape(part.get_shape()), self.device)
        return _tensor(self._file.get_tensor(name).astype(kind.numpy, copy=False), self.device)

    def get_tensors(self) -> dict[str, Tensor]:
        """All tensors by their names."""
        return {name: self.get_tensor(name) for name in self._file.offset_keys()}


class _Slice:
    def __init__(self, part: Any, name: str, file: safe_open) -> None:
        self._part, self._name, self._file = part, name, file
        self.get_shape, self.get_dtype = part.get_shape, part.get_dtype

    def __getitem__(self, index: Any) -> Tensor:
        kind = _dtype(self._part.get_dtype(), self._name)
        if kind in dtypes.FLOAT8:
            return wrap(self._file.get_tensor(self._name)._a[index])
        return _tensor(self._part[index].astype(kind.numpy, copy=False), self._file.device)


def _float8(filename: Path, name: str, kind: dtypes.dtype) -> np.ndarray:
    """The elements of a tensor of float8, for which the library looks in NumPy: read from where the header says they are."""
    with open(filename, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        begin, end = json.loads(file.read(length))[name]["data_offsets"]
        file.seek(8 + length + begin)
        return np.frombuffer(bytearray(file.read(end - begin)), kind.numpy)


def load_file(filename: Path, device: str | int = "cpu", **options: Any) -> dict[str, Tensor]:
    """The tensors of a file by their names."""
    with safe_open(filename, "pt", device, **options) as file:
        return file.get_tensors()


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors in the bytes of a file, by their names."""
    found = {}
    for name, view in safetensors.deserialize(data):
        kind = _dtype(view["dtype"], name)
        array = np.frombuffer(bytearray(view["data"]), kind.numpy.newbyteorder("<")).astype(
            kind.numpy, copy=False
        )
        found[name] = _tensor(array.reshape(view["shape"]), "cpu")
    return found


def load_model(
    model: Module, filename: Path, strict: bool = True, device: str | int = "cpu", **options: Any
) -> tuple[set[str], list[str]]:
    """Load a file into a model. Returns the names that the file lacks and the names that the model lacks."""
    loaded = load_file(filename, device, **options)
    left_out = _names_to_leave_out(model.state_dict(), preferred=set(loaded))
    missing_keys, unexpected = model.load_state_dict(loaded, strict=False)
    missing = set(missing_keys)
    for name in [name for group in left_out.values() for name in group]:
        if name in missing:
            missing.remove(name)
        else:
            unexpected.append(name)
    if strict and (missing or unexpected):
        text = f"Error(s) in loading state_dict for {type(model).__name__}:"
        for kind, keys in (("Missing", missing), ("Unexpected", unexpected)):
            if keys:
                text += f"\n    {kind} key(s) in state_dict: " + ", ".join(f'"{key}"' for key in sorted(keys))
        raise RuntimeError(text)
    return missing, unexpected


# Saving ----------------------------------------------------------------------------------------------------------------------------


def save(tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of a file with these tensors, which must be contiguous and share no memory."""
    return safetensors.numpy.save(_arrays(tensors), metadata)


def save_file(tensors: dict[str, Tensor], filename: Path, metadata: dict[str, str] | None = None) -> None:
    """Write tensors to a file. They must be contiguous and share no memory. After an error the former file is still there."""
    arrays = _arrays(tensors)
    with replaced(os.fspath(filename)) as file:
        safetensors.numpy.save_file(arrays, file.name, metadata)


def save_model(
    model: Module, filename: Path, metadata: dict[str, str] | None = None, force_contiguous: bool = True
) -> None:
    """Write the `state_dict()` of a model. Of the tensors that share memory one is written; the metadata name the others."""
    state = model.state_dict()
    for kept, group in _names_to_leave_out(state).items():
        for name in group:
            metadata = {} if metadata is None else metadata
            metadata.setdefault(name, kept)
            del state[name]
    if force_contiguous:
        state = {name: tensor.contiguous() for name, tensor in state.items()}
    try:
        save_file(state, filename, metadata)
    except ValueError as error:
        raise ValueError(
            f"{error} Or use save_model(..., force_contiguous=True), read the docs for potential caveats."
        ) from None


def _arrays(tensors: dict[str, Tensor]) -> dict[str, np.ndarray]:
    """The tensors as arrays. Raises the errors of `safetensors.torch` for what the format can't hold."""
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
    failing = [names for names in _sharing(tensors) if len(names) > 1]
    if failing:
        raise RuntimeError(
            f"""
            Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again: {failing}.
            A potential way to correctly save your model is to use `save_model`.
            More information at https://huggingface.co/docs/safetensors/torch_shared_tensors
            """
        )
    arrays = {}
    for name, tensor in tensors.items():
        if not tensor.is_contiguous():
            raise ValueError(
                f"You are trying to save a non contiguous tensor: `{name}` which is not allowed. It either means you are trying to save "
                "tensors which are reference of each other in which case it's recommended to save only the full tensors, and reslice at load "
                "time, or simply call `.contiguous()` on your tensor to pack it before saving."
            )
        arrays[name] = tensor.detach().cpu()._a
    return arrays


def _sharing(tensors: dict[str, Tensor]) -> list[set[str]]:
    """The names, in groups of tensors whose memory overlaps. Tensors without memory are in none."""
    by_storage = defaultdict(list)
    for name, tensor in tensors.items():
        storage = tensor.untyped_storage()
        if storage.nbytes():
            by_storage[storage].append(name)
    groups: list[set[str]] = []
    for names in by_storage.values():
        end = -1
        for start, stop, name in sorted((*_area(tensors[name]), name) for name in names):
            if start >= end:
                groups.append(set())
            groups[-1].add(name)
            end = stop
    return groups


def _area(tensor: Tensor) -> tuple[int, int]:
    """The first byte of a tensor in its storage, and the byte after its last one."""
    start = tensor.storage_offset()
    steps = sum([(n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True)])
    return start * tensor.itemsize, (start + steps + 1 if tensor.numel() else start) * tensor.itemsize


def _names_to_leave_out(state: dict[str, Tensor], preferred: set[str] | None = None) -> dict[str, list[str]]:
    """The names of tensors that share memory with another one, by the name that is kept."""
    left_out = {}
    for names in _sharing(state):
        whole = {name for name in names if _area(state[name]) == (0, state[name].untyped_storage().nbytes())}
        if not whole:
            raise RuntimeError(
                "Error while trying to find names to remove to save state dict, but found no suitable name to keep for saving amongst: "
                f"{names}. None is covering the entire storage.Refusing to save/load the model since you could be storing much more memory "
                "than needed. Please refer to https://huggingface.co/docs/safetensors/torch_shared_tensors for more information. Or open an "
                "issue."
            )
        kept = min((preferred or set()) & whole or whole)
        if len(names) > 1:
            left_out[kept] = sorted(names - {kept})
    return left_out


manual.attach(__name__)
