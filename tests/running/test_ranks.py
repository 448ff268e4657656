"""A program in two processes, as torchrun starts them: what one gets from the other is a step, and each has its own files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jgrad.asking.document import about_document
from jgrad.running.ranks import Meeting, Rank
from jgrad.tracing.document.files import load
from jgrad.tracing.document.processes import lined_up
from jgrad.tracing.record.records import EXCHANGES

torch = pytest.importorskip("torch")
distributed = pytest.importorskip("torch.distributed")
pytestmark = pytest.mark.skipif(
    not (distributed.is_available() and distributed.is_gloo_available()), reason="needs gloo"
)

PROGRAM = """\
import json
import sys
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = torch.nn.Linear(2, 1)
ddp = DistributedDataParallel(model)
x = torch.ones(1, 2) * (1 + 9 * rank)
loss = ddp(x).sum()
loss.backward()
first = model.weight.grad.tolist()
with ddp.no_sync():
    ddp(x).sum().backward()
alone = model.weight.grad.tolist()

v = torch.ones(2, requires_grad=True)
h = v * 1
y = h * h
with torch.no_grad():
    dist.all_reduce(h)
y.sum().backward()

got = [torch.zeros(2), torch.zeros(2)]
dist.all_gather(got, torch.ones(2) * (rank + 1))
late = torch.ones(3) * (rank + 1)
work = dist.all_reduce(late, async_op=True)
other = torch.ones(1)
work.wait()
sent = torch.ones(1) * (rank + 1)
dist.broadcast(sent, 1)
dist.barrier()
table = torch.nn.Embedding(5000, 4, sparse=False)
big = DistributedDataParallel(table)
big(torch.tensor([rank])).sum().backward()
rows = table.weight.grad[:3].tolist()
dist.destroy_process_group()
sys.stdout.write(json.dumps([rank, first, alone, v.grad.tolist(), [g.tolist() for g in got], late.tolist(), sent.tolist(), rows]) + "\\n")
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The program by torchrun alone, and under `jgrad run`: what both printed, and the folder."""
    folder = tmp_path_factory.mktemp("ranks")
    (folder / "train.py").write_text(PROGRAM)
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    found: dict[str, Any] = {"folder": folder}
    for name, what in (
        ("plain", ["train.py"]),
        ("recorded", ["-m", "jgrad", "run", "--save", "run.json", "--html", "run.html", "train.py"]),
    ):
        done = subprocess.run(
            [*start, *what],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        assert done.returncode == 0, done.stderr
        printed = sorted(json.loads(line) for line in done.stdout.splitlines() if line.startswith("["))
        found[name] = printed, done.stderr
    return found


def texts(folder: Path, rank: int, op: str) -> list[str]:
    return [step["text"] for step in load(folder / f"run.rank{rank}.json")["steps"] if step["op"] == op]


def test_the_processes_do_what_they_do_without_it(runs: dict[str, Any]) -> None:
    assert runs["recorded"][0] == runs["plain"][0]
    assert len(runs["plain"][0]) == 2


def test_each_process_has_its_files_and_the_first_one_speaks_for_all(runs: dict[str, Any]) -> None:
    folder, said = runs["folder"], runs["recorded"][1]
    assert sorted(p.name for p in folder.glob("run.*")) == [
        "run.rank0.html", "run.rank0.json", "run.rank1.html", "run.rank1.json",
    ]  # fmt: skip
    assert load(folder / "run.rank1.json")["name"] == "train.py, rank 1 of 2"
    remark = "train.py:24: all_reduce with other processes changed the memory of h"
    assert len(re.findall(rf"jgrad, rank [01]: {re.escape(remark)}", said)) == 1
    assert len(re.findall(r"jgrad, rank [01]: All 2 processes find the same\.", said)) == 1


@pytest.mark.parametrize("rank", [0, 1])
def test_the_averaged_gradient_is_a_step(runs: dict[str, Any], rank: int) -> None:
    folder = runs["folder"]
    averaged = [t for t in texts(folder, rank, "all_reduce") if ".weight.grad" in t and "model" in t]
    # The bias gets the same gradient in both processes, and no_sync() averages nothing.
    assert averaged == ["line 14: all_reduce with other processes made model.weight.grad [[5.5000, 5.5000]]"]
    added = [t for t in texts(folder, rank, "backward") if t.startswith("line 17: model.weight.grad")]
    mine = 1 + 9 * rank
    assert added == [
        f"line 17: model.weight.grad was [[5.5000, 5.5000]], received [[{mine}., {mine}.]] and is now [[{5.5 + mine:.4f}, {5.5 + mine:.4f}]]"
    ]


def test_a_gradient_of_which_two_rows_differ_is_compared_in_full(runs: dict[str, Any]) -> None:
    steps = load(runs["folder"] / "run.rank0.json")["steps"]
    (step,) = [s for s in steps if s["op"] == "all_reduce" and "table.weight" in s["text"]]
    assert step["line"] == 38


def test_exchanges_are_writes_when_they_are_over(runs: dict[str, Any]) -> None:
    folder = runs["folder"]
    for rank in (0, 1):
        steps = load(folder / f"run.rank{rank}.json")["steps"]
        writes = {(s["op"], s["line"]) for s in steps if s["kind"] == "write" and s["op"] in EXCHANGES}
        sent = {("broadcast", 34)} if rank == 0 else set()  # the other one has sent it
        assert {("all_reduce", 24), ("all_reduce", 32)} | sent == {w for w in writes if w[0] != "all_gather"}
        (late,) = [s for s in steps if s["op"] == "all_reduce" and s["line"] == 32]
        assert late["writes"][0]["contents"]["elements"] == ["3."] * 3
        assert not [s for s in steps if s["op"] in ("barrier", "allreduce_", "monitored_barrier")]


def test_an_exchange_that_spoils_a_gradient_is_found(runs: dict[str, Any]) -> None:
    document = load(runs["folder"] / "run.rank0.json")
    assert "v.grad may be wrong, without an error: train.py:24 wrote to the memory of h" in str(
        about_document(document, "v.grad")
    )


def test_a_page_shows_all_processes(runs: dict[str, Any]) -> None:
    folder = runs["folder"]
    command = [str(Path(sys.executable).with_name("jgrad")), "show", "run.rank0.json", "run.rank1.json"]
    subprocess.run([*command, "--to", "all.html"], cwd=folder, check=True, capture_output=True)
    page = (folder / "all.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<div data-jgrad-key="[0-9a-f]+"', page)) == 2
    assert "<title>train.py, rank 0 of 2, train.py, rank 1 of 2</title>" in page


def test_the_processes_are_lined_up_where_they_exchange(runs: dict[str, Any]) -> None:
    documents = [load(runs["folder"] / f"run.rank{rank}.json") for rank in (0, 1)]
    marks = lined_up(documents)
    pairs = [
        [d["steps"][at - 1] for d, at in zip(documents, cursors, strict=True)]
        for cursors in zip(*marks, strict=True)
    ]
    assert all(a["op"] == b["op"] and a["line"] == b["line"] for a, b in pairs)
    # Not the broadcast of line 34: the one that sends does not change.
    assert {24, 32, 38} <= {a["line"] for a, _ in pairs if a["op"] == "all_reduce"}
    assert lined_up([documents[0], {**documents[1], "name": "other.py, rank 1 of 2"}]) == [[], []]


def test_all_methods_that_exchange_are_known() -> None:
    """A release with another method shows up here; `send`, `barrier` and the like write to no tensor."""
    from jgrad.mirrors.torch.processes import METHODS

    assert {*METHODS.values()} <= EXCHANGES


@pytest.fixture
def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes what a process of a start has, by its number."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    return lambda number, of=3: Meeting(Rank(number, of))


def test_what_several_processes_have_is_said_once(meeting: Any) -> None:
    assert meeting(1).unsaid(["w gets 3.5 in a.py:3.", "b[0] is dead."], ["a diff"]) == [
        "w gets 3.5 in a.py:3.", "b[0] is dead.", "a diff",
    ]  # fmt: skip
    # The same remark with other numbers; another place, another tensor, a remark that only this one has.
    assert meeting(0).unsaid(["w gets -2e-5 in a.py:3.", "b[1] is dead."], ["a diff"]) == ["b[1] is dead."]
    last = meeting(2).unsaid(["w gets 1. in a.py:3.", "w gets 1. in a.py:4."], [])
    assert last == ["w gets 1. in a.py:4.", "1 of these 4 remarks holds in all 3 processes."]
    assert not meeting(0).folder.exists()


def test_processes_that_have_nothing_to_say_meet_in_silence(meeting: Any) -> None:
    assert [meeting(n).unsaid([], []) for n in range(3)] == [[], [], []]
    assert not meeting(0).folder.exists()


def test_where_the_folder_cannot_be_used_each_process_says_all(meeting: Any) -> None:
    meeting(0).folder.write_text("a file")
    assert meeting(0).unsaid(["one"], []) == meeting(1).unsaid(["one"], []) == ["one"]
