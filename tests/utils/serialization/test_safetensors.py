"""`jgrad.safetensors` against `safetensors.torch`: the same bytes, tensors and errors."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import jgrad

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

import jgrad.safetensors as ours  # noqa: E402
import safetensors.torch as theirs  # noqa: E402

pytestmark = pytest.mark.quick

BOTH = [(torch, theirs), (jgrad, ours)]
DTYPES = ["float16", "float32", "float64", "complex64", "uint8", "int8", "int16", "int32", "int64", "bool"]


def tensors_of(library: ModuleType) -> dict[str, Any]:
    found = {name: library.tensor([[0, 1], [2, 3]]).to(getattr(library, name)) for name in DTYPES}
    return found | {
        "scalar": library.tensor(1.5),
        "empty": library.zeros(0, 3),
        "row": library.arange(6.0)[2:4],
    }


def seen(tensors: dict[str, Any]) -> list[Any]:
    # (The library gives them in any order.)
    return sorted(
        [name, str(t.dtype).split(".")[1], *t.shape, str(t.tolist())] for name, t in tensors.items()
    )


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}])
def test_the_same_files(tmp_path, metadata):
    assert ours.save(tensors_of(jgrad), metadata) == theirs.save(tensors_of(torch), metadata)
    for library, module in BOTH:
        path = tmp_path / f"{library.__name__}.safetensors"
        module.save_file(tensors_of(library), path, metadata)
        assert seen(ours.load_file(path)) == seen(theirs.load_file(str(path)))
        assert seen(ours.load(path.read_bytes())) == seen(theirs.load(path.read_bytes()))
        assert seen(jgrad.load(path)) == seen(torch.load(str(path)))
        with ours.safe_open(path, framework="pt") as file:
            assert file.metadata() == metadata
            assert sorted(file.keys()) == sorted(tensors_of(library))
            part = file.get_slice("float32")
            assert (part.get_shape(), part.get_dtype(), part[:, 1].tolist()) == ([2, 2], "F32", [1, 3])
            assert file.get_tensor("scalar").item() == 1.5
    assert (
        os.listdir(tmp_path) == ["torch.safetensors", "jgrad.safetensors"] or len(os.listdir(tmp_path)) == 2
    )


def test_what_is_loaded_can_be_written(tmp_path):
    for tensors in (ours.load(ours.save({"x": jgrad.ones(2)})), jgrad.load(saved(tmp_path))):
        tensors["x"].add_(1)
        assert tensors["x"].tolist() == [2, 2]


def saved(folder: Path) -> Path:
    ours.save_file({"x": jgrad.ones(2)}, folder / "x.safetensors")
    return folder / "x.safetensors"


def test_models(tmp_path):
    def model(library: ModuleType) -> Any:
        library.manual_seed(0)
        layers = library.nn.Sequential(
            library.nn.Linear(3, 3), library.nn.Linear(3, 3), library.nn.BatchNorm1d(3)
        )
        layers[1].weight = layers[0].weight
        return layers

    for writer, module in BOTH:
        module.save_model(original := model(writer), path := str(tmp_path / "model.safetensors"))
        with ours.safe_open(path) as file:
            assert file.metadata() == {"1.weight": "0.weight"}
        for reader, other in BOTH:
            loaded = model(reader)
            for parameter in loaded.parameters():
                parameter.data.zero_()
            assert other.load_model(loaded, path) == (set(), [])
            assert [p.tolist() for p in loaded.parameters()] == [p.tolist() for p in original.parameters()]


@pytest.mark.parametrize(
    "action",
    [
        lambda library, module: module.save({"a": (x := library.ones(4)), "b": x}),
        lambda library, module: module.save({"a": library.ones(2, 3).t()}),
        lambda library, module: module.save({"a": 1}),
        lambda library, module: module.save([library.ones(1)]),
        lambda library, module: module.load(b"junk"),
        lambda library, module: module.load_file("no such file"),
        lambda library, module: module.load_model(library.nn.Linear(2, 2), MODEL),
        lambda library, module: library.load("no such file.safetensors"),
        lambda library, module: library.load("x.safetensors", map_location={"cpu": "cpu"}),
        lambda library, module: library.load("x.safetensors", map_location=lambda storage, place: storage),
    ],
)
def test_errors(action, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ours.save_file({"0.weight": jgrad.ones(2, 2)}, MODEL)
    errors = []
    for library, module in BOTH:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            action(library, module)
        text = str(caught.value).replace("{'b', 'a'}", "{'a', 'b'}")
        errors.append((type(caught.value), text.replace("torch", "jgrad")))
    assert errors[0] == errors[1]


MODEL = "linear.safetensors"


def test_parts_of_one_storage_that_do_not_overlap():
    for library, module in BOTH:
        x = library.arange(4.0)
        assert len(module.load(module.save({"a": x[:2], "b": x[2:]}))) == 2


def test_dtypes_that_jgrad_lacks(tmp_path):
    path = tmp_path / "x.safetensors"
    theirs.save_file({"x": torch.ones(2, dtype=torch.uint16)}, path)
    for load in (ours.load_file, jgrad.load, lambda path: ours.load(path.read_bytes())):
        with pytest.raises(NotImplementedError, match="U16"):
            load(path)


@pytest.mark.parametrize("dtype", [d.name for d in jgrad.dtypes.NARROW])
def test_narrow_floats(tmp_path, dtype):
    path, values = tmp_path / "x.safetensors", [[1.0, 2.0], [4.0, 0.5]]
    x, y = (library.tensor(values, dtype=getattr(library, dtype)) for library in (jgrad, torch))
    theirs.save_file({"x": y, "y": y[0].clone()}, path)
    with ours.safe_open(path) as file:
        found = [
            file.get_tensor("x"),
            file.get_slice("x")[:],
            ours.load(path.read_bytes())["x"],
            jgrad.load(path)["x"],
        ]
        assert file.get_slice("x")[1].tolist() == [4.0, 0.5]
        assert file.get_tensor("y").tolist() == [1.0, 2.0]
    assert all(t.dtype is x.dtype and t.tolist() == values for t in found)
    ours.save_file({"x": x}, path)
    assert theirs.load_file(path)["x"].dtype is y.dtype
    assert theirs.load_file(path)["x"].float().tolist() == values


def test_errors_leave_the_former_file(tmp_path):
    path = saved(tmp_path)
    with pytest.raises(ours.safetensors.SafetensorError, match="complex128"):
        ours.save_file({"x": jgrad.ones(2, dtype=jgrad.complex128)}, path)
    assert ours.load_file(path)["x"].tolist() == [1, 1]
    assert os.listdir(tmp_path) == ["x.safetensors"]
