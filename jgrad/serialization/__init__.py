"""`save` and `load`: the files of `torch.save` and `torch.load`, written and read without PyTorch.

A file is a zip archive. Its record `data.pkl` is a pickle of the object, in which a tensor is a geometry and the key of a storage; the records
`data/0`, `data/1`, ... hold the storages. `archive` reads and writes the zip archive, `pickling` and `unpickling` the pickle, `rebuilding`
makes tensors, `names` translates between PyTorch's names and jgrad's, `locating` finds the device, `legacy` has the format before PyTorch 1.6.
"""

from __future__ import annotations

import io
import os
import pickle
import pickletools
import sys
from types import ModuleType
from typing import IO, Any

from jgrad import manual, warn
from jgrad.serialization import legacy, names, unpickling
from jgrad.serialization.archive import Reader, Writer
from jgrad.serialization.errors import UNSAFE, LoadError, UnsupportedError, UsersError, damaged
from jgrad.serialization.locating import default_restore_location, restorer
from jgrad.serialization.options import (
    LoadEndianness,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
)
from jgrad.serialization.pickling import Pickler
from jgrad.serialization.rebuilding import StorageType
from jgrad.serialization.replacing import replaced
from jgrad.serialization.storages import ArchivedStorages, mapped_file

__all__ = [
    "LoadEndianness",
    "LoadError",
    "StorageType",
    "UnsupportedError",
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
]

DEFAULT_PROTOCOL = 2
ALIGNMENT = 64

File = str | os.PathLike | IO[bytes]


# Saving ----------------------------------------------------------------------------------------------------------------------------


def save(
    obj: object,
    f: File,
    pickle_module: ModuleType = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object to a file that `jgrad.load` and `torch.load` read."""
    if pickle_module is not pickle:
        raise NotImplementedError(
            f"jgrad.save has no pickle_module={pickle_module.__name__}: it has its own pickler"
        )
    if not isinstance(f, (str, os.PathLike)):
        if not hasattr(f, "write"):
            raise AttributeError(
                "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
            )
        _write(f, "archive", obj, pickle_protocol, _use_new_zipfile_serialization, _disable_byteorder_record)
        if hasattr(f, "flush"):
            f.flush()
        return
    path = os.fspath(f)
    name = os.path.splitext(os.path.basename(path))[0] if path.isascii() else "archive"
    with replaced(path) as file:
        _write(file, name, obj, pickle_protocol, _use_new_zipfile_serialization, _disable_byteorder_record)


def _write(
    file: IO[bytes], name: str, obj: object, protocol: int, as_archive: bool, without_byteorder: bool
) -> None:
    if not as_archive:
        legacy.write(file, obj, protocol)
        return
    pickled = io.BytesIO()
    pickler = Pickler(pickled, protocol)
    pickler.dump(obj)
    writer = Writer(file.write, name, ALIGNMENT, options.crc32)
    writer.record("data.pkl", pickled.getbuffer())
    writer.record(".format_version", b"1")
    writer.record(".storage_alignment", str(ALIGNMENT).encode())
    if not without_byteorder:
        writer.record("byteorder", sys.byteorder.encode())
    for key, storage in pickler.storages.items():
        writer.record(f"data/{key}", storage.cpu().bytes())
    writer.finish()


# Loading ---------------------------------------------------------------------------------------------------------------------------


def load(
    f: File,
    map_location: Any = None,
    pickle_module: ModuleType | None = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Read the object in a file that `jgrad.save` or `torch.save` wrote."""
    weights_only, pickle_module = _chosen(weights_only, pickle_module)
    if pickle_load_args and weights_only:
        warn.say("pickle_load_args only works if `weights_only=False`.")
    pickle_load_args.setdefault("encoding", "utf-8")
    arguments = map_location, pickle_module, mmap, pickle_load_args
    try:
        if not isinstance(f, (str, os.PathLike)):
            _check_seekable(f)
            return _load(f, None, *arguments)
        path = os.fspath(f)
        if path.endswith(".safetensors"):
            return _load_safetensors(path, map_location)
        with open(path, "rb") as file:
            return _load(file, path, *arguments)
    except UsersError as passing:
        raise passing.error from None


def _chosen(weights_only: bool | None, pickle_module: ModuleType | None) -> tuple[bool, ModuleType | None]:
    """Whether only weights are loaded, and otherwise the module that unpickles."""
    forced, unforced = (
        os.getenv(f"TORCH_FORCE_{name}", "0").lower() in ("1", "y", "yes", "true")
        for name in ("WEIGHTS_ONLY_LOAD", "NO_WEIGHTS_ONLY_LOAD")
    )
    if forced and unforced:
        raise RuntimeError(
            "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, but both were set."
        )
    if unforced and weights_only is None:
        warn.say(
            "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` argument was not explicitly passed to "
            "`torch.load`, forcing weights_only=False."
        )
        weights_only = False
    if forced or (pickle_module is None if weights_only is None else weights_only):
        if pickle_module is not None:
            raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
        return True, None
    return False, pickle_module or pickle


def _load(
    file: IO[bytes],
    path: str | None,
    map_location: Any,
    pickle_module: ModuleType | None,
    mmap: bool | None,
    arguments: dict[str, Any],
) -> Any:
    """The object in an open file. `pickle_module` is None for `weights_only`; `path` is None if the user opened the file."""
    start = file.tell()
    signature = file.read(4)
    file.seek(start)
    if signature != b"PK\3\4":
        if mmap:
            text = "" if path is None else f"{path}, "
            raise RuntimeError(
                f"mmap can only be used with files saved with `torch.save({text}_use_new_zipfile_serialization=True), please torch.save your "
                "checkpoint with this option in order to use mmap."
            )
        return legacy.load(file, restorer(map_location), pickle_module, arguments)
    reader = Reader(file)
    if "constants.pkl" in reader:
        _refuse_torchscript(pickle_module)
    mapped = None
    if mmap:
        if path is None:
            raise ValueError("f must be a file path in order to use the mmap argument")
        mapped = mapped_file(path)
    storages = ArchivedStorages(reader, restorer(map_location), mapped)
    pickled = io.BytesIO(reader.read("data.pkl"))
    if pickle_module is None:
        return unpickling.Unpickler(unpickling.Source(pickled), storages.load, arguments["encoding"]).load()
    return unpickling.full(pickle_module, pickled, lambda saved: storages.load(saved[1:]), arguments).load()


def _refuse_torchscript(pickle_module: ModuleType | None) -> None:
    warn.say(
        "'torch.load' received a zip file that looks like a TorchScript archive dispatching to 'torch.jit.load' (call 'torch.jit.load' "
        "directly to silence this warning)"
    )
    if pickle_module is None:
        raise LoadError(
            f"Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. {UNSAFE}"
        )
    raise UnsupportedError("jgrad has no TorchScript: the file is an archive of torch.jit.save")


def _check_seekable(f: Any) -> None:
    try:
        f.seek(f.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        if "seek" not in str(error) and "tell" not in str(error):
            raise
        raise type(error)(
            f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try "
            "to load from it instead."
        ) from None


def _load_safetensors(path: str, map_location: Any) -> Any:
    try:
        from jgrad.serialization import safetensors
    except ImportError as error:
        raise RuntimeError(
            "Attempting to load a safetensors file but safetensors is not installed. Please install safetensors with: pip install safetensors"
        ) from error
    for refused, kind in ((isinstance(map_location, dict), "dict"), (callable(map_location), "callable")):
        if refused:
            raise RuntimeError(
                f"Loading safetensors file with {kind} map_location is not supported. Use a device string or torch.device instead."
            )
    return safetensors.load_file(path, device="cpu" if map_location is None else str(map_location))


# What may be loaded ----------------------------------------------------------------------------------------------------------------


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Allow more classes and functions in files that are loaded with `weights_only=True`."""
    unpickling.safe = unpickling.safe | set(safe_globals)


def get_safe_globals() -> list[Any]:
    """The classes and functions that `add_safe_globals` has allowed."""
    return list(unpickling.safe)


def clear_safe_globals() -> None:
    """Allow no classes and functions any more, except those that files of tensors need. It takes back all calls of `add_safe_globals`."""
    unpickling.safe = set()


class safe_globals:
    """A block in which more classes and functions are allowed in files that are loaded with `weights_only=True`."""

    def __init__(self, safe_globals: list[Any]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(self, *error: object) -> None:
        unpickling.safe = unpickling.safe - set(self.safe_globals)


def get_unsafe_globals_in_checkpoint(f: File) -> list[str]:
    """The names of the classes and functions in a file that `jgrad.load` with `weights_only=True` refuses. Nothing is loaded, and no code is run."""
    opened = open(f, "rb") if isinstance(f, (str, os.PathLike)) else f  # noqa: SIM115
    try:
        start = opened.tell()
        if opened.read(4) != b"PK\3\4":
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        opened.seek(start)
        reader = Reader(opened)
        if "constants.pkl" in reader:
            raise ValueError(
                "Expected input to be a checkpoint returned by torch.save but got a torchscript checkpoint"
            )
        pickled = reader.read("data.pkl")
    finally:
        if opened is not f:
            opened.close()
    known = {*names.allowed(), *unpickling.BUILTIN, *names.MISSING, *unpickling.names_of_safe()}
    found = set()
    try:
        for instruction, argument, _ in pickletools.genops(pickled):
            if instruction.name == "GLOBAL":
                found.add(".".join(unpickling.in_python_3(*str(argument).split(" ", 1))))
    except Exception as error:
        raise damaged(str(error)) from None
    return list(found - known)


manual.attach(__name__)
