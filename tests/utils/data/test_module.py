"""The examples in the docstrings run, names lie where PyTorch has them, and nothing is loaded before it is needed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import subprocess
import sys
from typing import Any

import pytest

import jgrad.utils.data

MODULES = ["", ".dataset", ".sampler", ".distributed", ".dataloader", "._utils.collate", "._utils.worker"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"jgrad.utils.data{name}"))
    assert found.attempted
    assert not found.failed


def test_names_lie_where_pytorch_has_them() -> None:
    torch = pytest.importorskip("torch")
    theirs = {
        name for name in torch.utils.data.__all__ if "datapipe" not in vars(torch.utils.data)[name].__module__
    }
    assert set(jgrad.utils.data.__all__) == theirs
    for name in theirs - {"_DatasetKind", "get_worker_info"}:
        module = importlib.import_module(vars(torch.utils.data)[name].__module__.replace("torch", "jgrad", 1))
        assert getattr(module, name) is getattr(jgrad.utils.data, name)


@pytest.mark.parametrize("name", sorted(set(jgrad.utils.data.__all__) - {"_DatasetKind", "get_worker_info"}))
def test_parameters_are_pytorchs(name: str) -> None:
    torch = pytest.importorskip("torch")

    def parameters(library: Any) -> list[tuple]:
        found = inspect.signature(getattr(library.utils.data, name)).parameters.values()
        return [(p.name, p.kind, p.default if p.name != "generator" else None) for p in found]

    assert parameters(jgrad) == parameters(torch)


def test_it_is_loaded_when_it_is_used() -> None:
    program = """if True:
        import sys
        import jgrad
        assert "jgrad.utils.data" not in sys.modules
        jgrad.utils.checkpoint
        assert "jgrad.utils.data" not in sys.modules
        print(list(jgrad.utils.data.DataLoader(range(2))))
        assert "multiprocessing" not in sys.modules
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[tensor([0]), tensor([1])]\n", "")
