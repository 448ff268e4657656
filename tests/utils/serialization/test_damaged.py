"""Damaged and hostile files: one class of errors, and memory in proportion to the size of the file."""

from __future__ import annotations

import io
import pickle
import random
import struct
import tracemalloc
import warnings
import zipfile
from collections import OrderedDict
from typing import Any

import pytest

import jgrad
from jgrad.serialization import LoadError

BYTES_PER_BYTE = 600  # of memory for a byte of the file: an instruction of one byte makes a set
FIXED = 300_000


def load(content: bytes, **options: Any) -> Any:
    """Load bytes. Whatever they are, there is a result or a `LoadError`, and memory is bounded."""
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return jgrad.load(io.BytesIO(content), **options)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < FIXED + BYTES_PER_BYTE * len(content), peak


def attempt(content: bytes, **options: Any) -> Any:
    try:
        return load(content, **options)
    except LoadError as error:
        return error


def checkpoint(**options: Any) -> bytes:
    x = jgrad.arange(6.0)
    model = jgrad.nn.Linear(2, 3)
    optimizer = jgrad.optim.Adam(model.parameters())
    model(jgrad.ones(1, 2)).sum().backward()
    optimizer.step()
    value = {
        "model": model.state_dict(), "optimizer": optimizer.state_dict(), "views": [x, x[1:], x.view(2, 3).t()],
        "others": [jgrad.Size([2]), jgrad.device("cuda", 1), jgrad.float16, b"abc", {1, 2}, 1j, 2**70, bytearray(b"x")],
        "parameter": jgrad.nn.Parameter(jgrad.ones(2)), (1, (2, 3)): OrderedDict(a=1), "complex": jgrad.ones(2, dtype=jgrad.complex64),
    }  # fmt: skip
    jgrad.save(value, file := io.BytesIO(), **options)
    return file.getvalue()


NEW, OLD = checkpoint(), checkpoint(_use_new_zipfile_serialization=False)


@pytest.mark.quick
def test_the_class():
    assert issubclass(LoadError, pickle.UnpicklingError)
    assert issubclass(LoadError, RuntimeError)
    assert issubclass(LoadError, EOFError)
    assert isinstance(load(NEW), dict)
    assert isinstance(load(OLD), dict)


@pytest.mark.parametrize("whole", [NEW, OLD], ids=["new", "old"])
def test_files_cut_short(whole):
    for end in range(0, len(whole) - 1, 3):
        with pytest.raises(LoadError):
            load(whole[:end])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("whole", [NEW, OLD], ids=["new", "old"])
def test_changed_bytes(whole, seed):
    draw = random.Random(seed)
    for _ in range(100):
        content = bytearray(whole)
        for _ in range(draw.choice([1, 1, 2, 5, 30])):
            at = draw.randrange(len(content))
            kind = draw.randrange(4)
            if kind == 0:
                content[at] = draw.randrange(256)
            elif kind == 1:
                content[at] ^= 1 << draw.randrange(8)
            elif kind == 2:
                del content[at : at + draw.randrange(1, 20)]
            else:
                content[at:at] = draw.randbytes(draw.randrange(1, 20))
            content = content or bytearray(b"x")
        attempt(bytes(content))


def archive(
    pickled: bytes, records: dict[str, bytes] | None = None, method: int = zipfile.ZIP_STORED
) -> bytes:
    """An archive whose checksums are right, around a pickle that may be anything."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", method) as packed:
        for name, content in ({"data.pkl": pickled, "version": b"3\n"} | (records or {})).items():
            packed.writestr(f"archive/{name}", content)
    return file.getvalue()


PICKLE = zipfile.ZipFile(io.BytesIO(NEW)).read("archive/data.pkl")
RECORDS = {
    n.removeprefix("archive/"): zipfile.ZipFile(io.BytesIO(NEW)).read(n)
    for n in zipfile.ZipFile(io.BytesIO(NEW)).namelist()
}


@pytest.mark.parametrize("seed", range(20))
def test_changed_pickles(seed):
    """Bytes of the pickle are changed, and the checksums fit: the unpickler sees them."""
    draw = random.Random(seed)
    for _ in range(150):
        content = bytearray(PICKLE)
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            at = draw.randrange(len(content))
            if draw.random() < 0.7:
                content[at] = (
                    draw.randrange(256)
                    if draw.random() < 0.5
                    else draw.choice(b")(tR]}}\x85\x86\x87NKJMhqQbuseac.\x81\x8a")
                )
            else:
                del content[at : at + draw.randrange(1, 5)]
        attempt(archive(bytes(content), {k: v for k, v in RECORDS.items() if k != "data.pkl"}))


GLOBALS = [
    "collections OrderedDict", "collections Counter", "torch.nn.parameter Parameter", "torch.serialization _get_layout", "torch Size",
    "torch Tensor", "torch device", "_codecs encode", "builtins bytearray", "builtins set", "builtins complex", "torch float32",
    "torch FloatStorage", "torch.storage UntypedStorage", "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter",
    "torch._utils _rebuild_parameter_with_state", "torch._tensor _rebuild_from_type_v2", "torch._utils _rebuild_tensor", "os system",
    "torch._utils _rebuild_tensor_v3", "torch complex32", "builtins eval",
]  # fmt: skip


def random_pickle(draw: random.Random) -> bytes:
    """Instructions in any order, with arguments that often fit."""
    parts = [b"\x80\x02"]
    for _ in range(draw.randrange(1, 80)):
        number = draw.choice([0, 1, 2, 3, 255, 2**31 - 1, -1, draw.randrange(256)])
        parts.append(
            draw.choice([
                b"(", b"t", b")", b"]", b"}", b"\x8f", b"N", b"\x88", b"\x89", b"\x85", b"\x86", b"\x87", b"a", b"e", b"s", b"u", b"b", b"R",
                b"R", b"\x81", b"Q", b"K" + bytes([number % 256]), b"J" + struct.pack("<i", number), b"M" + struct.pack("<H", number % 65536),
                b"h" + bytes([draw.randrange(8)]), b"q" + bytes([draw.randrange(8)]), b"r" + struct.pack("<I", number % 2**32),
                b"X" + struct.pack("<I", 1) + b"0", b"X" + struct.pack("<I", 7) + b"storage", b"X" + struct.pack("<I", 3) + b"cpu",
                b"X" + struct.pack("<I", draw.choice([2**32 - 1, 5])) + b"abcde", b"U\x03abc", b"\x8a\x04" + draw.randbytes(4),
                b"G" + draw.randbytes(8), b"c" + draw.choice(GLOBALS).replace(" ", "\n").encode() + b"\n",
                b"c" + draw.choice(GLOBALS).replace(" ", "\n").encode() + b"\n",
                b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\2tQ",
                b"ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\2tQ"
                b"K" + bytes([draw.randrange(3)]) + b"K" + bytes([draw.randrange(4)]) + b"\x85K\1\x85\x89N" + b"tR",
            ])
        )  # fmt: skip
    return b"".join(parts) + b"."


@pytest.mark.parametrize("seed", range(20))
def test_random_instructions(seed):
    draw = random.Random(seed)
    kinds = {type(attempt(archive(random_pickle(draw), {"data/0": bytes(8)}))) for _ in range(200)}
    assert LoadError in kinds
    assert len(kinds) > 1  # some are sound


# Attacks ---------------------------------------------------------------------------------------------------------------------------


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def call(name: str, *arguments: bytes) -> bytes:
    return b"c" + name.replace(" ", "\n").encode() + b"\n(" + b"".join(arguments) + b"tR"


def number(value: int) -> bytes:
    data = pickle.encode_long(value)
    return b"\x8a" + bytes([len(data)]) + data


def storage(count: int, key: str = "0", kind: str = "FloatStorage", place: str = "cpu") -> bytes:
    return (
        b"("
        + text("storage")
        + f"ctorch\n{kind}\n".encode()
        + text(key)
        + text(place)
        + number(count)
        + b"tQ"
    )


def tensor(count: int, offset: int, size: list[int], stride: list[int]) -> bytes:
    parts = [b"(" + b"".join(map(number, values)) + b"t" for values in (size, stride)]
    return call(
        "torch._utils _rebuild_tensor_v2",
        storage(count),
        number(offset),
        *parts,
        b"\x89",
        call("collections OrderedDict"),
    )


NESTED = b")" + b"\x85" * 100_000
LAUGHS = b")" + b"q\0h\0\x86" * 60  # a tuple of two of itself, sixty levels deep
LONG = text("x" * 100_000)

ATTACKS = {
    "runs code": call("os system", text("true")),
    "runs code as nt": call("nt system", text("true")),
    "evaluates": call("builtins eval", text("1")),
    "old name of eval": call("__builtin__ eval", text("1")),
    "attribute": call("builtins getattr", text("x"), text("y")),
    "larger than the storage": tensor(2, 0, [3], [1]),
    "behind the storage": tensor(2, 2, [1], [1]),
    "steps out of the storage": tensor(2, 0, [2], [2]),
    "negative stride": tensor(2, 1, [2], [-1]),
    "negative offset": tensor(2, -1, [1], [1]),
    "negative size": tensor(2, 0, [-1], [1]),
    "sizes that overflow": tensor(2, 0, [2**32, 2**32], [0, 0]),
    "sizes with a zero that overflow": tensor(2, 0, [0, 2**62, 2**62], [1, 1, 1]),
    "offset that overflows": tensor(2, 2**64, [1], [1]),
    "too many dimensions": tensor(2, 0, [1] * 100, [1] * 100),
    "fewer strides": tensor(2, 0, [1, 1], [1]),
    "huge storage": tensor(2**40, 0, [1], [1]),
    "negative storage": tensor(-1, 0, [1], [1]),
    "other key": storage(2, "1"),
    "key with a path": storage(2, "../../etc/passwd"),
    "device without driver": storage(2, place="cuda:0"),
    "absurd device": storage(2, place="cuda:99999999999999999999"),
    "unknown place": storage(2, place="nowhere"),
    "missing dtype": storage(2, kind="QInt8Storage"),
    "bytes of a number": call("builtins bytearray", number(10**12)),
    "key nested deeply": b"}" + NESTED + b"Ns",
    "set nested deeply": call("builtins set", b"]" + NESTED + b"a"),
    "key of a billion laughs": b"}" + LAUGHS + b"Ns",
    "copies": LONG + b"q\0" + b"(" + (b"0c_codecs\nencode\n(h\0" + text("latin1") + b"tR")[1:] * 1000 + b"t",
    "copies in a Counter": call("collections Counter", b"}(" + b"".join(number(i) + b"N" for i in range(5000)) + b"uq\0") + b"q\1"
    + (b"ccollections\nCounter\n(h\0tR") * 1000,
    "attributes again and again": b"}(" + b"".join(text(str(i)) + b"N" for i in range(5000)) + b"uq\0"
    + (b"ccollections\nOrderedDict\n)Rh\0b") * 1000,
    "no end": b"N" * 10,
    "memo": b"h\x05",
    "mark": b"t",
    "text without end": b"X\xff\xff\xff\xffabc",
    "name without end": b"cos",
    "not utf-8": b"X\1\0\0\0\xff",
    "unhashable key": b"}]Ns",
    "unhashable function": b"])R",
    "attributes of a function": b"c_codecs\nencode\n}" + text("x") + b"Nsb",
    "attributes of a class": b"ctorch\nTensor\n}" + text("x") + b"Nsb",
    "state of a tensor": tensor(2, 0, [1], [1]) + text("xxxx") + b"b",
    "attribute of a tensor": call("torch._tensor _rebuild_from_type_v2", b"ctorch._utils\n_rebuild_tensor_v2\n", b"ctorch\nTensor\n",
    b"(" + storage(2) + b"K\0K\1\x85K\1\x85\x89)t", b"}" + text("_a") + b"Ns"),
    "class that is no tensor": call("torch._tensor _rebuild_from_type_v2", b"ctorch._utils\n_rebuild_tensor_v2\n", b"ctorch\nSize\n",
    b"(" + storage(2) + b"K\0K\1\x85K\1\x85\x89)t", b"N"),
    "parameter of nothing": call("torch._utils _rebuild_parameter", b"N", b"\x88", b"N"),
    "gradient of bools": call("torch._utils _rebuild_tensor_v2", storage(8, kind="BoolStorage"), b"K\0", b"K\1\x85", b"K\1\x85", b"\x88", b"N"),
    "device of nothing": call("torch device", b"N"),
    "other instruction": b"0",
    "extension": b"\x82\1",
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(name):
    end = b"" if name == "no end" else b"."
    with pytest.raises(LoadError):
        load(archive(b"\x80\x02" + ATTACKS[name] + end, {"data/0": bytes(8)}))


@pytest.mark.quick
def test_structures_that_are_only_odd():
    """Deep and shared structures that need no hash are loaded: in memory they are small."""
    deep = load(archive(b"\x80\x02" + b"]" * 50_000 + b"a" * 49_999 + b"."))
    for _ in range(49_999):
        (deep,) = deep
    assert deep == []
    assert len(load(archive(b"\x80\x02" + LAUGHS + b"."))) == 2
    x = load(
        archive(b"\x80\x02" + tensor(2, 1, [10**6, 1], [0, 1]) + b".", {"data/0": struct.pack("<2f", 1, 2)})
    )
    assert (x.shape, x.stride(), x[999_999].item()) == ((10**6, 1), (0, 1), 2)


def test_archives_that_unpack_to_more():
    bomb = archive(b"\x80\x02" + storage(10**7) + b".", {"data/0": bytes(4 * 10**7)}, zipfile.ZIP_DEFLATED)
    with pytest.raises(LoadError, match="larger than the archive"):
        load(bomb)
    # The directory states another size than the record has.
    small = bytearray(archive(b"\x80\x02" + b"N" * 100 + b"." + bytes(3000), method=zipfile.ZIP_DEFLATED))
    at = small.index(b"PK\1\2")
    for size in (0, 10, 2**20):
        small[at + 24 : at + 28] = struct.pack("<L", size)
        with pytest.raises(LoadError):
            load(bytes(small))


def test_archives_that_lie():
    content = archive(b"\x80\x02N.", {"data/0": bytes(100)})
    directory = content.index(b"PK\1\2")
    ends = content.index(b"PK\5\6")
    for at in range(directory, len(content)):
        for value in (0, 1, 127, 128, 255):
            changed = bytearray(content)
            changed[at] = value
            attempt(bytes(changed))
    twice = content[:directory] + content[directory:ends] * 2 + content[ends:]
    changed = bytearray(twice)
    end = changed.rindex(b"PK\5\6")
    count, size = struct.unpack_from("<HL", content, ends + 10)
    struct.pack_into("<HHL", changed, end + 8, 2 * count, 2 * count, 2 * size)
    with pytest.raises(LoadError, match="two records are named"):
        load(bytes(changed))


@pytest.mark.quick
def test_changed_elements_are_noticed():
    jgrad.save(jgrad.arange(100.0), file := io.BytesIO())
    content = bytearray(file.getvalue())
    content[content.index(struct.pack("<4f", 5, 6, 7, 8))] ^= 1
    with pytest.raises(LoadError, match="CRC-32 check failed"):
        load(bytes(content))


def test_old_format_that_lies():
    for position, value in [(OLD.index(b"K\6t") if b"K\6t" in OLD else OLD.index(b"K\x06"), 255)]:
        content = bytearray(OLD)
        content[position + 1] = value
        with pytest.raises(LoadError):
            load(bytes(content))
    header = b"".join(pickle.dumps(value, 2) for value in (0x1950A86A20F9469CFC6C, 1001, {}))
    old = storage(2**40).replace(b"tQ", b"NtQ")
    for body in (old, old * 3, storage(2).replace(b"tQ", b"(K\1K\1K\1ttQ"), storage(2)):
        with pytest.raises(LoadError):
            load(header + b"\x80\x02" + body + b"." + pickle.dumps(["0"], 2) + bytes(16))
    for magic, version in ((1, 1001), (0x1950A86A20F9469CFC6C, 2)):
        with pytest.raises(LoadError, match="Invalid"):
            load(pickle.dumps(magic, 2) + pickle.dumps(version, 2) + pickle.dumps({}, 2))


def test_old_archives():
    pytest.importorskip("torch")
    with pytest.raises(LoadError, match=r"legacy \.tar format"):
        load(bytes(257) + b"ustar" + bytes(1000))
    with pytest.raises(LoadError, match="TorchScript archives"):
        load(archive(b"\x80\x02N.", {"constants.pkl": b""}))


# PyTorch's texts -------------------------------------------------------------------------------------------------------------------

SAME = {
    "cut": NEW[: len(NEW) // 2],
    "ten bytes": NEW[:10],
    "zeros": bytes(100),
    "no pickle": archive(b"", {}).replace(b"data.pkl", b"data.pkx"),
    "no version": archive(b"\x80\x02N.").replace(b"archive/version", b"archive/versiox"),
    "no storage": archive(b"\x80\x02" + storage(2, "7") + b"."),
    "short storage": archive(b"\x80\x02" + storage(2) + b".", {"data/0": b"abc"}),
    "long storage": archive(b"\x80\x02" + storage(2) + b".", {"data/0": bytes(9)}),
    "instruction": archive(b"\x80\x020."),
    "unsafe": archive(b"\x80\x02" + call("some.module Name") + b"."),
    "builtin": archive(b"\x80\x02" + call("builtins eval", text("1")) + b"."),
    "blocked": archive(b"\x80\x02" + call("os system", text("true")) + b"."),
    "append": archive(b"\x80\x02}Na."),
    "extend": archive(b"\x80\x02}(Ne."),
    "item": archive(b"\x80\x02]NNs."),
    "items": archive(b"\x80\x02](NNu."),
    "storage": archive(b"\x80\x02" + b"NQ."),
    "other storage": archive(b"\x80\x02" + text("x") + b"\x85Q."),
    "script": archive(b"\x80\x02N.", {"constants.pkl": b""}),
    "place": archive(b"\x80\x02" + storage(2, place="nowhere") + b".", {"data/0": bytes(8)}),
    "device": archive(b"\x80\x02" + storage(2, place="cuda:0") + b".", {"data/0": bytes(8)}),
    "byte order": archive(b"\x80\x02N.", {"byteorder": b"middle"}),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", SAME)
def test_texts(name):
    torch = pytest.importorskip("torch")
    errors = []
    for library in (torch, jgrad):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(Exception) as caught:  # noqa: PT011
                library.load(io.BytesIO(SAME[name]))
        errors.append(caught.value)
    theirs, ours = errors
    assert isinstance(ours, LoadError)
    assert str(ours).replace("jgrad", "torch") == str(theirs)
    if name != "byte order":  # where PyTorch has ValueError
        assert isinstance(ours, type(theirs))


def test_warnings_are_the_same():
    torch = pytest.importorskip("torch")
    content = archive(b"\x80\x04N.", {"data/0": b""})
    texts = []
    for library in (torch, jgrad):
        with pytest.warns(UserWarning, match="pickle") as caught:
            library.load(io.BytesIO(content), encoding="latin1", weights_only=True)
        texts.append([str(w.message) for w in caught])
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("f", "options"),
    [
        ("no such file", {}),
        (3, {}),
        (None, {}),
        (io.BytesIO(NEW), {"mmap": True}),
        (io.BytesIO(NEW), {"weights_only": True, "pickle_module": pickle}),
        (io.BytesIO(OLD), {"mmap": True}),
        (io.BytesIO(b""), {"weights_only": False}),
        (io.BytesIO(b"hello"), {"weights_only": False}),
        (io.BytesIO(NEW), {"map_location": "nowhere"}),
        (io.BytesIO(NEW), {"map_location": {"cpu": "cuda:3"}}),
    ],
)
def test_arguments(f, options):
    torch = pytest.importorskip("torch")
    errors = []
    for library in (torch, jgrad):
        if f is not None and not isinstance(f, (int, str)):
            f.seek(0)
        with pytest.raises(Exception) as caught:  # noqa: PT011
            library.load(f, **options)
        errors.append(caught.value)
    assert str(errors[1]) == str(errors[0])
    assert isinstance(errors[1], type(errors[0]))


@pytest.mark.quick
def test_errors_of_map_location_are_its_own():
    def refuse(storage: Any, place: str) -> Any:
        raise LookupError("not here")

    for content in (NEW, OLD):
        with pytest.raises(LookupError, match="not here"):
            jgrad.load(io.BytesIO(content), refuse)
