"""Forms that PyTorch no longer writes and still reads: jgrad reads them as PyTorch does."""

from __future__ import annotations

import io
import pickle
import struct

import pytest

import jgrad
from tests.utils.serialization.test_both_ways import plain
from tests.utils.serialization.test_damaged import archive, call, number, storage, text

torch = pytest.importorskip("torch")

DATA = struct.pack("<6f", *range(6))
SIZES = b"K\2K\3\x86K\3K\1\x86"  # (2, 3), (3, 1)
ORDERED = b"ccollections\nOrderedDict\n)R"
V2 = b"ctorch._utils\n_rebuild_tensor_v2\n"
TENSOR = V2 + b"(" + storage(6) + b"K\0" + SIZES + b"\x89" + ORDERED + b"tR"

FORMS = {
    "tensor of 0.3": b"ctorch._utils\n_rebuild_tensor\n(" + storage(6) + b"K\1K\2\x85K\3\x85tR",
    "tensor of 2.x with another dtype": call(
        "torch._utils _rebuild_tensor_v3", storage(6), b"K\0", b"K\3\x85", b"K\2\x85", b"\x89", ORDERED, b"ctorch\nint32\n"
    ),
    "parameter of 0.3": b"ctorch.nn.parameter\nParameter\n" + TENSOR + b"\x88\x86\x81",
    "state of a parameter of 0.3": b"ctorch.nn.parameter\nParameter\n" + TENSOR + b"\x85\x81(" + TENSOR + b"NN\x89" + ORDERED + b"tb",
    "state of a parameter": b"ctorch.nn.parameter\nParameter\n" + TENSOR + b"\x85\x81\x89N" + ORDERED + b"\x87b",
    "storage of a GPU under its old name": V2 + b"(" + storage(6, kind="FloatStorage").replace(b"ctorch\n", b"ctorch.cuda\n")
    + b"K\0" + SIZES + b"\x89" + ORDERED + b"tR",
    "bytes as keys": b"(" + text("storage") + b"ctorch\nFloatStorage\nU\0010U\3cpuK\6tQ".replace(b"U\0010", text("0")),
    "dictionary of Python 2": b"ccollections\nOrderedDict\n(](](" + text("b") + b"K\1e](" + text("a") + b"K\2eetR",
    "text of Python 2": b"U\5plain",
    "names of Python 2": b"c__builtin__\nset\n(](K\1K\2etR",
    "bytes": call("_codecs encode", text("\xff\0"), text("latin1")),
    "metadata": V2 + b"(" + storage(6) + b"K\0" + SIZES + b"\x89" + ORDERED + b"}tR",
    "parameter without a flag": b"ctorch.nn.parameter\nParameter\n" + TENSOR + b"\x85\x81",
    "size as a new object": b"ctorch\nSize\n(K\2K\3t\x85\x81",
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_forms(name):
    content = archive(b"\x80\x02" + FORMS[name] + b".", {"data/0": DATA})
    theirs, ours = (library.load(io.BytesIO(content), map_location="cpu") for library in (torch, jgrad))
    if isinstance(theirs, torch.storage.TypedStorage):
        assert (ours.tolist(), str(ours.dtype)) == (
            theirs.tolist(),
            str(theirs.dtype).replace("torch", "jgrad"),
        )
        return
    drop = 8  # the version: PyTorch counts writes that it makes while it sets a state
    theirs, ours = (
        [
            part
            for i, part in enumerate(plain(value))
            if i != drop or not isinstance(value, (torch.Tensor, jgrad.Tensor))
        ]
        for value in (theirs, ours)
    )
    assert ours == theirs


def old(body: bytes, keys: list[str], *storages: bytes) -> bytes:
    """A file of the format before PyTorch 1.6."""
    header = [pickle.dumps(value, 2) for value in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True})]
    return b"".join([*header, b"\x80\x02", body, b".", pickle.dumps(keys, 2), *storages])


def test_parts_of_storages():
    """Before 0.4 a storage could be a part of another one."""

    def part(key: str, offset: int, size: int) -> bytes:
        view = b"(" + text(key) + number(offset) + number(size) + b"t"
        whole = storage(6)[:-2]
        return V2 + b"(" + whole + view + b"tQ" + b"K\1K\2\x85K\1\x85\x89" + ORDERED + b"tR"

    whole = V2 + b"(" + storage(6)[:-2] + b"NtQK\0" + SIZES + b"\x89" + ORDERED + b"tR"
    content = old(
        b"](" + whole + part("a", 2, 4) + part("b", 3, 3) + b"e", ["0"], struct.pack("<q", 6) + DATA
    )
    for library in (torch, jgrad):
        first, second, third = library.load(io.BytesIO(content))
        assert (first.tolist(), second.tolist(), third.tolist()) == ([[0, 1, 2], [3, 4, 5]], [3, 4], [4, 5])
        second[0] = 70
        assert first[1, 0] == 70
    for offset, size in [(6, 1), (-1, 2), (2**62, 1)]:
        with pytest.raises(jgrad.serialization.LoadError):
            jgrad.load(io.BytesIO(old(part("a", offset, size), ["0"], struct.pack("<q", 6) + DATA)))


def test_classes_of_modules_with_their_source():
    """The old format also wrote the source of the class of a module."""
    torch.save(torch.nn.Linear(2, 3), file := io.BytesIO(), _use_new_zipfile_serialization=False)
    file.seek(0)
    assert repr(jgrad.load(file, weights_only=False)) == repr(torch.nn.Linear(2, 3))
