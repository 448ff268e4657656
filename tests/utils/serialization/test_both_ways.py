"""What one library saves, the other loads: the same values, geometry, sharing and types."""

from __future__ import annotations

import inspect
import io
import random
import warnings
import zipfile
from collections import Counter, OrderedDict
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import jgrad

torch = pytest.importorskip("torch")

BOTH = (torch, jgrad)
DIRECTIONS = [(torch, jgrad), (jgrad, torch), (jgrad, jgrad)]
FORMATS = [True, False]  # _use_new_zipfile_serialization


def saved(library: ModuleType, value: Any, **options: Any) -> io.BytesIO:
    library.save(value, file := io.BytesIO(), **options)
    file.seek(0)
    return file


def plain(value: Any) -> Any:
    """A value as lists of plain objects, which are equal for equal values of both libraries."""
    if isinstance(value, (torch.Tensor, jgrad.Tensor)):
        kind = "Parameter" if "Parameter" in type(value).__name__ else "Tensor"
        held = value.detach()
        geometry = (
            tuple(value.shape),
            value.stride(),
            value.storage_offset(),
            value.untyped_storage().nbytes(),
        )
        return [kind, str(value.dtype).split(".")[1], *geometry, value.requires_grad, value.is_leaf, value._version,
                held.tolist(), plain(dict(value.__dict__))]  # fmt: skip
    if isinstance(value, dict):
        items = [[plain(key), plain(item)] for key, item in value.items()]
        return [type(value).__name__, items, plain(getattr(value, "_metadata", None))]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [plain(item) for item in value]]
    return [type(value).__name__, repr(value).replace("torch", "jgrad")]


def tensors_of(library: ModuleType) -> dict[str, Any]:
    """Tensors of every dtype and geometry."""
    names = [
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "bool",
    ]
    found = {name: library.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(library, name)) for name in names}
    x = library.arange(24.0).reshape(2, 3, 4)
    found |= {
        "part": x[1, 1:, ::2],
        "transposed": x.permute(2, 0, 1),
        "expanded": library.ones(1, 3).expand(4, 3),
        "scalar": library.tensor(7),
        "empty": library.zeros(0, 3),
        "empty part": x[2:],
        "row": x[0, 0],
        "whole": x,
        "conjugate": library.tensor([1 + 2j, 3 - 1j])[1:],
        "requires grad": library.ones(2, requires_grad=True),
        "computed": library.ones(2, requires_grad=True) * 3,
        "parameter": library.nn.Parameter(library.ones(2, 2)),
        "frozen": library.nn.Parameter(library.ones(2), requires_grad=False),
        "large": library.arange(100_000),
    }
    found["with attributes"] = library.ones(1)
    found["with attributes"].note = "seen"
    found["parameter with attributes"] = library.nn.Parameter(library.ones(1))
    found["parameter with attributes"].group = [1, 2]
    return found


def values_of(library: ModuleType) -> dict[Any, Any]:
    """Everything else that files hold by default."""
    shared = [1, 2]
    values = {
        "numbers": [0, 255, 256, 65536, -1, 2**31, -(2**63), 2**500, 1.5, float("inf"), -0.0, 1 + 2j, True, None],
        "texts": ["", "a", "\N{SNOWMAN}\ud800", "x" * 300, b"bytes\x00\xff", bytearray(b"array")],
        "containers": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [[]], {}, {1: {2: 3}}, {1, "b"}],
        "ordered": OrderedDict(b=1, a=OrderedDict()),
        "counted": Counter("abca"),
        "library": [library.Size([2, 3]), library.device("cpu"), library.device("cuda", 1), library.float32, library.bool],
        "layout": library.strided,
        "twice": [shared, shared],
        (1, "key"): library.ones(1),
    }  # fmt: skip
    values["cycle"] = shared
    return values


@pytest.mark.quick
@pytest.mark.parametrize("new", FORMATS)
@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
@pytest.mark.parametrize("content", [tensors_of, values_of])
def test_values_arrive(writer, reader, content, new):
    file = saved(writer, content(writer), _use_new_zipfile_serialization=new)
    expected = saved(torch, content(torch), _use_new_zipfile_serialization=new)
    assert plain(reader.load(file)) == plain(torch.load(expected))


@pytest.mark.quick
@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
def test_storages_stay_shared(writer, reader, weights_only):
    x = writer.arange(6.0)
    parameter = writer.nn.Parameter(x)
    file = saved(writer, [x, x[2:], parameter, writer.ones(6), x])
    first, second, third, other, again = reader.load(file, weights_only=weights_only)
    second[0] = 70
    assert first.tolist() == third.tolist() == [0, 1, 70, 3, 4, 5]
    assert first.data_ptr() == third.data_ptr() != other.data_ptr()
    assert again is first


@pytest.mark.parametrize(
    ("writer", "reader", "new"),
    # PyTorch can't read the storages that it writes in the old format.
    [(*direction, new) for direction in DIRECTIONS for new in FORMATS if new or direction[1] is jgrad],
)
def test_storages_alone(writer, reader, new):
    x, y = writer.arange(4, dtype=writer.uint8), writer.arange(3.0)
    file = saved(writer, [x.untyped_storage(), x, y.storage()], _use_new_zipfile_serialization=new)
    untyped, tensor, typed = reader.load(file)
    assert (untyped.tolist(), typed.tolist(), typed.dtype) == ([0, 1, 2, 3], [0, 1, 2], reader.float32)
    assert typed.untyped().nbytes() == 12
    assert tensor.untyped_storage().data_ptr() == untyped.data_ptr()


@pytest.mark.parametrize("library", BOTH)
def test_storages_have_one_dtype(library):
    x = library.ones(4)
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        library.save([x, x.view(library.int32)], io.BytesIO())


@pytest.mark.quick
def test_files_are_equal_to_the_byte():
    def content(library: ModuleType) -> Any:
        library.manual_seed(0)
        model = library.nn.Sequential(library.nn.Linear(3, 4), library.nn.BatchNorm1d(4), library.nn.PReLU())
        return {"model": model.state_dict(), "tensors": [*tensors_of(library).values()], "epoch": 3}

    ours, theirs = (saved(library, content(library)).getvalue() for library in (jgrad, torch))
    assert len(ours) == len(theirs)
    start = theirs.index(b".data/serialization_id") + 22
    # The identity of the content is another function of the content. Its checksum stands after it and in the directory.
    differing = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    identity = theirs.index(b"PK\7\x08", start)
    directory = theirs.rindex(b".data/serialization_id")
    assert all([start < i < identity + 8 or directory - 60 < i < directory for i in differing])


@pytest.mark.parametrize(
    ("name", "inside"), [("a.b.pt", "a.b"), ("plain", "plain"), ("sn\N{SNOWMAN}w.pt", "archive")]
)
def test_paths(tmp_path, name, inside):
    for library in BOTH:
        library.save(1, tmp_path / name)
        assert zipfile.ZipFile(tmp_path / name).namelist()[0] == f"{inside}/data.pkl"
        assert [reader.load(tmp_path / name) for reader in BOTH] == [1, 1]
        assert [reader.load(str(tmp_path / name)) for reader in BOTH] == [1, 1]


@pytest.mark.quick
@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
def test_mapped_files(tmp_path, writer, reader):
    path = tmp_path / "x.pt"
    writer.save({"x": writer.arange(5.0), "none": writer.zeros(0), "y": writer.arange(3)[1:]}, path)
    before = path.read_bytes()
    found = reader.load(path, mmap=True)
    found["x"][0] = 9
    assert plain(found["x"])[9] == [9, 1, 2, 3, 4]
    assert found["y"].tolist() == [1, 2]
    assert path.read_bytes() == before


def test_mapping_that_writes(tmp_path):
    import mmap

    path = tmp_path / "x.pt"
    jgrad.save(jgrad.arange(5.0), path)
    with jgrad.serialization.set_default_mmap_options(mmap.MAP_SHARED):
        jgrad.load(path, mmap=True)[0] = 9
    assert jgrad.serialization.get_default_mmap_options() == mmap.MAP_PRIVATE
    assert torch.serialization.load(io.BytesIO(path.read_bytes())).tolist() == [9, 1, 2, 3, 4]


@pytest.mark.quick
def test_files_inside_of_files():
    whole = io.BytesIO(b"before" + saved(torch, torch.ones(2)).getvalue() + b"after")
    whole.seek(6)
    assert jgrad.load(whole).tolist() == [1, 1]
    stream = io.BytesIO(b"before")
    stream.seek(6)
    for i in range(3):
        jgrad.save(jgrad.full((2,), i), stream, _use_new_zipfile_serialization=False)
    stream.seek(6)
    for library, i in zip((jgrad, torch, jgrad), range(3), strict=True):
        assert library.load(stream).tolist() == [i, i]


def test_packed_again_and_without_facts():
    """Archives that other programs made of a checkpoint: compressed, or without the records that older versions did not write."""
    original = zipfile.ZipFile(saved(torch, {"x": torch.arange(4.0)}))
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(file := io.BytesIO(), "w", method) as packed:
            for name in ("data.pkl", "data/0", "version"):
                packed.writestr(f"archive/{name}", original.read(f"archive/{name}"))
        assert jgrad.load(file.seek(0) or file)["x"].tolist() == [0, 1, 2, 3]


def test_the_other_byte_order():
    values = {
        "f": np.arange(3.0),
        "c": np.array([1 + 2j]),
        "h": np.array([5], np.int16),
        "b": np.array([True]),
    }
    original = zipfile.ZipFile(saved(jgrad, {k: jgrad.from_numpy(v) for k, v in values.items()}))
    swapped = {
        f"archive/data/{i}": v.astype(v.dtype.newbyteorder(">")).tobytes()
        for i, v in enumerate(values.values())
    }
    swapped["archive/byteorder"] = b"big"
    with zipfile.ZipFile(file := io.BytesIO(), "w") as packed:
        for name in original.namelist():
            packed.writestr(name, swapped.get(name, original.read(name)))
    found = jgrad.load(file.seek(0) or file)
    assert {k: v.tolist() for k, v in found.items()} == {k: v.tolist() for k, v in values.items()}


def test_empty_parts_behind_the_end():
    for writer, reader in DIRECTIONS:
        found = reader.load(saved(writer, writer.ones(2, 3)[2:, 1:]))
        assert (found.shape, found.stride(), found.untyped_storage().nbytes()) == ((0, 2), (3, 1), 24)


def test_lazy_conjugates():
    x = torch.tensor([1 + 2j, 3 - 1j])
    conjugate, negative = (jgrad.load(saved(torch, value)) for value in (x.conj(), x.conj().imag))
    assert conjugate.tolist() == x.conj().tolist()
    assert negative.tolist() == x.conj().imag.tolist()


@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
@pytest.mark.parametrize("weights_only", [True, False])
def test_tensors_without_elements_on_the_meta_device(writer, reader, weights_only):
    def plain_meta(t: Any) -> list:
        parts = type(t).__name__, str(t.dtype).split(".")[1], tuple(t.shape), t.stride(), t.storage_offset()
        return [*parts, t.untyped_storage().nbytes(), t.requires_grad, str(t.device), dict(t.__dict__)]

    content = [writer.empty(4, 4, device="meta")[1:, ::2], writer.zeros(3, 2, device="meta").t()]
    content += [*writer.nn.Linear(2, 3, device="meta").parameters(), writer.empty(2, 0, device="meta")]
    content.append(writer.ones(2, 2, dtype=writer.int16, device="meta"))
    content[-1].name_of_mine = 5
    for place in (None, "cpu", "meta"):
        found = reader.load(saved(writer, content), weights_only=weights_only, map_location=place)
        expected = torch.load(saved(writer, content), weights_only=weights_only, map_location=place)
        assert list(map(plain_meta, found)) == list(map(plain_meta, expected))
    real = {"a": writer.ones(4, 3)[1:], "b": writer.nn.Parameter(writer.ones(2))}
    found = reader.load(saved(writer, real), map_location="meta", weights_only=weights_only)
    expected = torch.load(saved(writer, real), map_location="meta", weights_only=weights_only)
    assert list(map(plain_meta, found.values())) == list(map(plain_meta, expected.values()))


def test_memory_of_numpy():
    """Arrays that are not what PyTorch allocates: parts of bytes, column by column, read-only, of odd length."""
    odd = np.frombuffer(b"0123456789abcde", np.uint8)[1:9].view(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensors = [jgrad.from_numpy(odd), jgrad.from_numpy(np.asfortranarray(np.arange(6.0).reshape(2, 3)))]
    found = torch.load(saved(jgrad, tensors))
    assert [t.tolist() for t in found] == [t.tolist() for t in tensors]


# Layers and optimizers -----------------------------------------------------------------------------------------------------------

ARGUMENTS: dict[str, tuple] = {
    "Linear": (3, 4), "Bilinear": (2, 3, 4), "LayerNorm": (3,), "GroupNorm": (1, 3), "RMSNorm": (3,), "LocalResponseNorm": (2,),
    "Embedding": (5, 3), "EmbeddingBag": (5, 3), "MultiheadAttention": (4, 2), "TransformerEncoderLayer": (4, 2, 8),
    "TransformerDecoderLayer": (4, 2, 8), "Transformer": (4, 2, 1, 1, 8), "Threshold": (1, 2), "Fold": ((2, 2), (2, 2)),
    "Unfold": ((2, 2),), "Unflatten": (1, (2, 2)), "Upsample": (None, 2), "UpsamplingNearest2d": (None, 2),
    "UpsamplingBilinear2d": (None, 2), "PixelShuffle": (2,), "PixelUnshuffle": (2,), "ChannelShuffle": (2,),
    "AdaptiveLogSoftmaxWithLoss": (4, 10, [3, 6]), "LinearCrossEntropyLoss": (4, 5), "SyncBatchNorm": (3,),
}  # fmt: skip
for _kind in ("RNN", "LSTM", "GRU"):
    ARGUMENTS |= {_kind: (3, 4, 2), f"{_kind}Cell": (3, 4)}
for _d in "123":
    ARGUMENTS |= {
        f"Conv{_d}d": (2, 3, 3),
        f"ConvTranspose{_d}d": (2, 3, 3),
        f"LPPool{_d}d": (2, 2),
        f"FractionalMaxPool{_d}d": (2, 2),
    }
    ARGUMENTS |= {f"{kind}{_d}d": (3,) for kind in ("BatchNorm", "InstanceNorm")}
    ARGUMENTS |= {
        f"{kind}{_d}d": (2,)
        for kind in ("MaxPool", "AvgPool", "MaxUnpool", "AdaptiveAvgPool", "AdaptiveMaxPool")
    }
    ARGUMENTS |= {f"{kind}Pad{_d}d": (1,) for kind in ("Circular", "Reflection", "Replication", "Zero")}
    ARGUMENTS |= {f"ConstantPad{_d}d": (1, 0)}


def classes(package: str, base: str) -> list[str]:
    """The names of the classes that both libraries have."""
    ours, theirs = getattr(jgrad, package), getattr(torch, package)
    found = []
    for name in sorted(vars(ours)):
        cls = getattr(ours, name)
        if (
            inspect.isclass(cls)
            and issubclass(cls, getattr(ours, base))
            and hasattr(theirs, name)
            and name != base
        ):
            found.append(name)
    return found


def layer(library: ModuleType, name: str) -> Any:
    library.manual_seed(0)
    inner = {
        "TransformerEncoder": "TransformerEncoderLayer",
        "TransformerDecoder": "TransformerDecoderLayer",
    }.get(name)
    arguments = (layer(library, inner), 2) if inner else ARGUMENTS.get(name, ())
    return getattr(library.nn, name)(*arguments)


LAYERS = [
    name
    for name in classes("nn", "Module")
    if name not in ("RNNBase", "RNNCellBase", "DataParallel") and not name.startswith("Lazy")
]


@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
@pytest.mark.parametrize("name", LAYERS)
def test_whole_layers(name, writer, reader):
    """A layer that was saved whole is the other library's layer: it prints the same and has the same attributes."""
    original, expected = layer(writer, name), layer(reader, name)
    file = saved(writer, original)
    found = reader.load(file, weights_only=False)
    assert type(found) is type(expected)
    assert repr(found) == repr(expected)
    assert set(vars(expected)) - set(vars(found)) <= {
        "_is_full_backward_hook"
    }  # of which PyTorch has a default
    state = reader.load(saved(writer, original.state_dict()))
    assert str(expected.load_state_dict(state)) == "<All keys matched successfully>"
    for module in (found, expected):
        assert [(k, t.tolist()) for k, t in module.state_dict().items()] == [
            (k, t.tolist()) for k, t in original.state_dict().items()
        ]


def test_whole_layers_compute():
    for writer, reader in DIRECTIONS:
        for name, shape in [
            ("LSTM", (5, 3)),
            ("Conv2d", (1, 2, 4, 4)),
            ("TransformerEncoderLayer", (3, 4)),
            ("Sequential", (2, 3)),
        ]:
            module = (
                layer(writer, name)
                if name != "Sequential"
                else writer.nn.Sequential(layer(writer, "Linear"), writer.nn.GELU())
            )
            numbers = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
            found = reader.load(saved(writer, module.eval()), weights_only=False)
            results = [m(library.from_numpy(numbers)) for m, library in ((module, writer), (found, reader))]
            first, second = (r[0] if isinstance(r, tuple) else r for r in results)
            np.testing.assert_allclose(first.detach().numpy(), second.detach().numpy(), rtol=1e-4, atol=1e-6)


OPTIMIZERS = [
    name for name in classes("optim", "Optimizer") if name != "SparseAdam"
]  # which refuses dense gradients


@pytest.mark.parametrize(("writer", "reader"), DIRECTIONS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_go_on(name, writer, reader):
    """Training that goes on in the other library gives the same parameters."""

    def begin(library: ModuleType) -> tuple[Any, Any]:
        parameter = library.nn.Parameter(library.tensor([[1.0, -2.0], [0.5, 3.0]]))
        return parameter, getattr(library.optim, name)([parameter], lr=0.05)

    def steps(parameter: Any, optimizer: Any) -> None:
        def closure() -> Any:
            optimizer.zero_grad()
            loss = (parameter**4).sum()
            loss.backward()
            return loss

        for _ in range(3):
            optimizer.step(closure)

    parameter, optimizer = begin(writer)
    steps(parameter, optimizer)
    file = saved(writer, {"parameter": parameter, "optimizer": optimizer.state_dict()})
    checkpoint = reader.load(file)
    other_parameter, other = begin(reader)
    other_parameter.data.copy_(checkpoint["parameter"])
    other.load_state_dict(checkpoint["optimizer"])
    steps(parameter, optimizer)
    steps(other_parameter, other)
    np.testing.assert_allclose(other_parameter.detach().numpy(), parameter.detach().numpy(), rtol=1e-5)
    whole = reader.load(saved(writer, optimizer), weights_only=False)
    assert type(whole) is type(other)
    assert repr(whole) == repr(other)


@pytest.mark.quick
def test_random_generators():
    for writer, reader in DIRECTIONS:
        generator = writer.Generator().manual_seed(5)
        writer.rand(7, generator=generator)
        found = reader.load(saved(writer, generator), weights_only=False)
        assert found.initial_seed() == 5
        assert reader.rand(3, generator=found).tolist() == writer.rand(3, generator=generator).tolist()


def test_results_with_names():
    for writer, reader in DIRECTIONS:
        found = reader.load(saved(writer, writer.tensor([[1.0, 3.0, 2.0]]).max(1)), weights_only=False)
        assert isinstance(found, reader.return_types.max)
        assert (found.values.item(), found.indices.item()) == (3, 1)


# Random objects --------------------------------------------------------------------------------------------------------------------


def random_object(library: ModuleType, draw: random.Random, pool: list[Any], depth: int = 0) -> Any:
    """A nested object; `pool` has tensors of which views are taken."""
    kind = draw.choice(["tensor", "view", "number", "text"] + ["list", "tuple", "dict"] * (depth < 3))
    if kind == "tensor":
        dtype = getattr(
            library, draw.choice(["float32", "float64", "int64", "bool", "complex64", "float16", "uint8"])
        )
        pool.append(library.arange(draw.randint(0, 12)).to(dtype))
        return pool[-1]
    if kind == "view" and pool:
        base = draw.choice(pool)
        start, step = draw.randint(0, 3), draw.randint(1, 3)
        return base[start::step].unsqueeze(draw.randint(0, 1))
    if kind == "number":
        return draw.choice([draw.randint(-(2**70), 2**70), draw.random(), None, True, draw.randint(0, 300)])
    parts = range(draw.randint(0, 4))
    if kind == "list":
        return [random_object(library, draw, pool, depth + 1) for _ in parts]
    if kind == "tuple":
        return tuple([random_object(library, draw, pool, depth + 1) for _ in parts])
    if kind == "dict":
        return {
            draw.choice([i, f"key {i}", (i, i)]): random_object(library, draw, pool, depth + 1) for i in parts
        }
    return "".join(draw.choice("ab\N{SNOWMAN}\n\0") for _ in range(draw.randint(0, 300)))


@pytest.mark.parametrize("seed", range(60))
def test_random_objects(seed):
    ours, theirs = (random_object(library, random.Random(seed), []) for library in (jgrad, torch))
    expected = plain(torch.load(saved(torch, theirs)))
    for new in FORMATS:
        assert plain(torch.load(saved(jgrad, ours, _use_new_zipfile_serialization=new))) == expected
        assert plain(jgrad.load(saved(torch, theirs, _use_new_zipfile_serialization=new))) == expected
    assert plain(jgrad.load(saved(jgrad, ours))) == expected
