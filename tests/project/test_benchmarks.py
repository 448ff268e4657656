"""Every workload of the benchmarks runs on every system that is installed, and they agree. Nothing is timed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator

import pytest
import torch

import jgrad
from benchmarks import fresh, lab, traced
from benchmarks.all_rows import ROWS
from benchmarks.checking import compare
from benchmarks.promises import PROMISES, RECORDED, missed
from benchmarks.report import BEGIN, END, report, write
from benchmarks.results import Results, machine
from benchmarks.systems import JGRAD, NAMES, NUMPY, TORCH, System, installed


@pytest.fixture(scope="module")
def systems() -> Iterator[dict[str, System]]:
    threads = torch.get_num_threads()
    yield installed()
    torch.set_num_threads(threads)


LARGER = re.compile("of 1e7|chain of 10+,")  # than another row, and otherwise the same


@pytest.mark.parametrize("name", [name for name in ROWS if not LARGER.search(name)])
def test_a_row_is_the_same_everywhere(name, systems):
    compare(ROWS[name].runs(systems), systems)


def test_a_difference_is_found(systems):
    runs = ROWS["x.sum(), recorded"].runs(systems)
    runs[JGRAD] = lambda: systems[JGRAD].lib.tensor(5.001)
    with pytest.raises(AssertionError, match=r"jgrad is off by 0\.001"):
        compare(runs, systems)


def results(seconds: float) -> Results:
    """As if jgrad took so long for everything, and the others a second."""
    times = {name: {"median": 1.0, "minimum": 1.0} for name in NAMES}
    times[JGRAD] = {"median": seconds, "minimum": seconds}
    rows = {name: {"group": row.group, "one thread": times, "in float64": []} for name, row in ROWS.items()}
    memory = {"peak": {JGRAD: 10 * seconds, TORCH: 10.0}, "kept": {JGRAD: 0.0}, "growth": {JGRAD: 0.0}}
    return {"machine": machine(), "rows": rows, "recorder": {}, "memory": memory, "imports": {JGRAD: 0.01}}


def test_what_is_above_its_promise_is_said():
    assert [*missed(results(0.01))] == []
    slow = {(each.what, each.over) for each in missed(results(100.0))}
    assert ("memory: peak", TORCH) in slow
    for name, row in ROWS.items():
        assert (name, TORCH) in slow
        assert ((name, NUMPY) in slow) == (PROMISES[row.group].numpy is not None)


def test_promises_are_of_rows():
    for group, promise in PROMISES.items():
        named = {*promise.own, *promise.own_numpy}
        assert named <= {name for name, row in ROWS.items() if row.group == group}
    assert {row.group for row in ROWS.values()} == {*PROMISES}
    assert {*traced.CELLS} == {*RECORDED}


def test_the_page_is_written_between_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    for _ in range(2):
        write(page, report(results(2.0)))
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert all(f"| {name} |" in text for name in ROWS)


def test_the_loop_that_is_shown_in_jupyterlab_runs():
    magic, *lines = lab.cell(40).splitlines()
    assert magic == "%%trace --max-steps 40"
    exec("\n".join(lines), {"jgrad": jgrad, "time": time})


@pytest.mark.parametrize("name", [JGRAD, NUMPY])
def test_memory_is_measured_in_a_process_of_its_own(name):
    if fresh.CLEAR.exists():  # Linux
        found = json.loads(fresh.child("-m", "benchmarks.fresh", "peak", name))
        assert 0 < found["peak"] < 1000
