"""The program of docs/dask.md: gradients of shards on a cluster are those of one process, to the last bit, also when a worker dies."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import jgrad

distributed = pytest.importorskip("distributed")

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "examples" / "on_dask"
PAGE = (CHECKOUT / "docs" / "dask.md").read_text(encoding="utf-8")

sys.path.insert(0, str(FOLDER))  # workers get this path too
import shards  # type: ignore[import-not-found]  # noqa: E402


class Here:
    """As a Dask client: all is computed here and at once, on copies, as if it had travelled."""

    def submit(self, function: Callable[..., Any], *arguments: Any, pure: bool = True) -> Any:
        return function(*pickle.loads(pickle.dumps(arguments)))

    def gather(self, results: list[Any]) -> list[Any]:
        return results

    def register_plugin(self, plugin: Any) -> None: ...


class Dying(jgrad.nn.Module):
    """The identity. The first process that computes it while there is such a file dies."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def forward(self, x: jgrad.Tensor) -> jgrad.Tensor:
        try:
            self.file.unlink()
        except FileNotFoundError:
            return x
        os._exit(1)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with cluster, distributed.Client(cluster) as client:
        yield client


def trained(client: Any, library: str = "jgrad", steps: int = 6) -> tuple[list[float], list[Any]]:
    model, losses = shards.train(client, library, shards=5, steps=steps)
    return losses, [p.tolist() for p in model.parameters()]


def test_a_cluster_gives_the_numbers_of_one_process(client: Any) -> None:
    losses, parameters = trained(client)
    assert (losses, parameters) == trained(Here())
    assert losses[-1] < losses[0]


def test_a_worker_that_dies_costs_nothing(
    client: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = trained(Here())
    file, make_model = tmp_path / "die", shards.make_model
    file.touch()
    before = set(client.run(os.getpid).values())
    monkeypatch.setattr(shards, "make_model", lambda lib: lib.nn.Sequential(Dying(file), *make_model(lib)))
    assert trained(client) == expected
    assert not file.exists()  # one did die
    client.wait_for_workers(2)
    assert set(client.run(os.getpid).values()) != before


def test_the_same_program_on_pytorch() -> None:
    pytest.importorskip("torch")
    losses, _ = trained(Here(), "torch")
    assert losses == pytest.approx(trained(Here())[0], rel=1e-5)


def test_models_and_optimizers_travel_beside_their_pickle() -> None:
    model = jgrad.nn.Sequential(jgrad.nn.Linear(500, 200), jgrad.nn.ReLU(), jgrad.nn.Linear(200, 10))
    optimizer = jgrad.optim.Adam(model.parameters())
    model(jgrad.ones(1, 500)).sum().backward()
    optimizer.step()
    header, frames = distributed.protocol.serialize((model, optimizer))
    size = 4 * sum(p.numel() for p in model.parameters())
    assert len(frames[0]) < 5000  # the pickle itself
    assert sum(memoryview(f).nbytes for f in frames[1:]) < 3.01 * size  # parameters, both moments of Adam
    frames = [bytes(f) for f in frames]  # as if from a socket
    copied, twin = distributed.protocol.deserialize(header, frames)
    assert all(a is b for a, b in zip(copied.parameters(), twin.param_groups[0]["params"], strict=True))
    for one, step in ((model, optimizer), (copied, twin)):
        one.zero_grad()
        one(jgrad.ones(1, 500)).square().sum().backward()
        step.step()
    for a, b in zip(model.parameters(), copied.parameters(), strict=True):
        assert jgrad.equal(a, b)


def test_jgrad_itself_never_imports_dask() -> None:
    code = "import sys, jgrad, jgrad.nn, jgrad.optim, jgrad.utils.data; sys.exit(bool({'dask', 'distributed'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_page_shows_the_program() -> None:
    text = (FOLDER / "shards.py").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) >= 4
    for block in blocks:
        assert block in text
