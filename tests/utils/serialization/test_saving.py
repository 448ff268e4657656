"""Saving that fails: what was at the path before is still there, and the error says why."""

from __future__ import annotations

import errno
import io
import os
import pickle
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad.serialization import safe_globals

pytestmark = pytest.mark.quick


class FullDisk(io.BytesIO):
    """A file on a disk with room for a number of bytes."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: Any) -> int:
        if self.tell() + memoryview(data).nbytes > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("new", [True, False])
def test_full_disk_of_an_open_file(new):
    whole = FullDisk(10**6)
    jgrad.save(jgrad.ones(1000), whole, _use_new_zipfile_serialization=new)
    size, saved = len(whole.getvalue()), whole.getvalue()
    for room in range(0, size, 97):
        with pytest.raises(OSError, match="No space left on device") as caught:
            jgrad.save(jgrad.ones(1000), FullDisk(room), _use_new_zipfile_serialization=new)
        assert caught.value.errno == errno.ENOSPC
    jgrad.save(jgrad.ones(1000), last := FullDisk(size), _use_new_zipfile_serialization=new)
    assert last.getvalue() == saved


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are Unix's")
@pytest.mark.parametrize("before", [None, "older"])
@pytest.mark.parametrize("room", [0, 500, 9000, 400_000])
def test_path_without_room(tmp_path, before, room):
    """The system refuses to let a file grow, as a full disk does."""
    import resource

    path = tmp_path / "model.pt"
    if before:
        jgrad.save(before, path)
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, former[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            jgrad.save(jgrad.ones(200_000), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)
    assert caught.value.filename == str(path)
    assert os.listdir(tmp_path) == (["model.pt"] if before else [])
    if before:
        assert jgrad.load(path) == before


def test_device_without_room():
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with pytest.raises(OSError, match="No space left on device"):
        jgrad.save(jgrad.ones(100_000), "/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


class Unwilling:
    def __reduce__(self) -> Any:
        raise ValueError("not me")


def test_objects_that_fail_leave_the_file(tmp_path):
    path = tmp_path / "model.pt"
    jgrad.save("older", path)
    for broken, error in [
        (Unwilling(), ValueError),
        (lambda: 0, (AttributeError, pickle.PicklingError)),
        ((i for i in ()), TypeError),
    ]:
        with pytest.raises(error):
            jgrad.save([jgrad.ones(3), broken], path)
        assert os.listdir(tmp_path) == ["model.pt"]
        assert jgrad.load(path) == "older"


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are Unix's")
def test_what_a_file_is_stays(tmp_path):
    path, link = tmp_path / "model.pt", tmp_path / "link"
    jgrad.save(1, path)
    usual = tmp_path / "usual"
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    link.symlink_to("model.pt")
    jgrad.save(2, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert jgrad.load(path) == 2


def test_arguments_of_save(tmp_path):
    torch = pytest.importorskip("torch")

    def both(f: Any) -> None:
        texts = []
        for library in (torch, jgrad):
            with pytest.raises(Exception) as caught:  # noqa: PT011
                library.save(library.ones(1), f() if callable(f) else f)
            texts.append((type(caught.value), str(caught.value)))
        assert texts[0] == texts[1]

    both(3)
    both(None)
    both("no such folder/x.pt")
    both(io.StringIO)
    with pytest.raises(IsADirectoryError):
        jgrad.save(1, tmp_path)
    with pytest.raises(NotImplementedError, match="pickle_module=io"):
        jgrad.save(1, io.BytesIO(), pickle_module=io)


@pytest.mark.parametrize(
    "make", [lambda: lambda: 0, lambda: type("Local", (), {})(), lambda: (i for i in ())]
)
def test_texts_of_what_cannot_be_saved(make):
    torch = pytest.importorskip("torch")
    value = make()
    texts = []
    for library in (torch, jgrad):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            library.save(value, io.BytesIO())
        texts.append((type(caught.value), str(caught.value)))
    assert texts[0] == texts[1]


def test_hooks_are_not_saved():
    x = jgrad.ones(2, requires_grad=True)
    x.register_hook(lambda grad: grad)
    with pytest.warns(UserWarning, match="will not be serialized"):
        jgrad.save(x, io.BytesIO())


def test_checksums_can_be_left_out():
    torch = pytest.importorskip("torch")
    for library in (torch, jgrad):
        library.serialization.set_crc32_options(False)
        try:
            library.save(library.ones(3), file := io.BytesIO())
        finally:
            library.serialization.set_crc32_options(True)
        for reader in (torch, jgrad):
            file.seek(0)
            assert reader.load(file).tolist() == [1, 1, 1]


class Own:
    def __init__(self, x: Any) -> None:
        self.x = x


class OwnTensor(jgrad.Tensor):
    pass


def test_classes_of_the_user(tmp_path):
    path = tmp_path / "own.pt"
    jgrad.save(Own(jgrad.ones(2)), path)
    with pytest.raises(pickle.UnpicklingError, match="was not an allowed global by default"):
        jgrad.load(path)
    name = f"{Own.__module__}.Own"
    assert jgrad.serialization.get_unsafe_globals_in_checkpoint(path) == [name]
    for allowed in (Own, (Own, name)):
        with safe_globals([allowed]):
            assert jgrad.serialization.get_safe_globals() == [allowed]
            assert jgrad.serialization.get_unsafe_globals_in_checkpoint(path) == []
            assert jgrad.load(path).x.tolist() == [1, 1]
    assert jgrad.serialization.get_safe_globals() == []
    assert jgrad.load(path, weights_only=False).x.tolist() == [1, 1]


def test_whole_modules_need_permission(tmp_path):
    path = tmp_path / "module.pt"
    model = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.ReLU())
    jgrad.save(model, path)
    with pytest.raises(
        pickle.UnpicklingError, match=r"add_safe_globals\(\[torch.nn.modules.container.Sequential\]\)"
    ):
        jgrad.load(path)
    jgrad.serialization.add_safe_globals([jgrad.nn.Sequential, jgrad.nn.Linear, jgrad.nn.ReLU])
    try:
        loaded = jgrad.load(path)
    finally:
        jgrad.serialization.clear_safe_globals()
    assert repr(loaded) == repr(model)
    assert jgrad.equal(loaded[0].weight, model[0].weight)
    x = jgrad.ones(1, 2)
    assert jgrad.equal(loaded(x), model(x))


def test_pickle_protocols(tmp_path: Path):
    for protocol in range(2, 6):
        jgrad.save(
            {"x": jgrad.ones(2), "s": jgrad.Size([1])}, path := tmp_path / "x.pt", pickle_protocol=protocol
        )
        assert jgrad.load(path, weights_only=False)["x"].tolist() == [1, 1]


def test_safetensors_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.delitem(sys.modules, "jgrad.serialization.safetensors", raising=False)
    monkeypatch.delattr(jgrad.serialization, "safetensors", raising=False)
    with pytest.raises(RuntimeError, match="Please install safetensors with: pip install safetensors"):
        jgrad.load(tmp_path / "model.safetensors")


def test_environment(tmp_path, monkeypatch):
    """The variables with which PyTorch forces `weights_only`."""
    path = tmp_path / "own.pt"
    jgrad.save(Own(1), path)
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(pickle.UnpicklingError, match="not an allowed global"):
        jgrad.load(path, weights_only=False)
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "yes")
    with pytest.raises(RuntimeError, match="but both were set"):
        jgrad.load(path)
    monkeypatch.delenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD")
    with pytest.warns(UserWarning, match="forcing weights_only=False"):
        assert jgrad.load(path).x == 1
    with pytest.raises(pickle.UnpicklingError, match="not an allowed global"):
        jgrad.load(path, weights_only=True)
