"""Magics around `%%trace` and within it: lines, spans and names are those of the cell on the screen."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from tests.notebook.cells import run

pytestmark = pytest.mark.quick

BODY = ["w = jgrad.ones(2, requires_grad=True)", "", "y = (w * 3).sum()", "y.backward()"]
HEADS = [
    ["%%trace --no-show"],
    ["%%trace --no-show", "%%time"],
    ["%%trace --no-show", "%%capture out"],
    ["%%trace --no-show", "%%prun -q"],
    ["%%trace --no-show", "", "%%time"],
    ["%%time", "%%trace --no-show"],
    ["%%capture out", "%%trace --no-show"],
    ["%%trace --no-show", "%%capture out", "%%time"],
    ["%%capture out", "%%trace --no-show", "%%time"],
    ["%%trace --no-show", "", ""],
]


def steps(document: dict) -> list[tuple]:
    """(operator, line, source text of the step) of each step."""
    source = document["source"]

    def text(span: list[int] | None) -> str | None:
        return None if span is None else source[span[0] - 1][span[1] : span[3]]

    return [(s["op"], s["line"], text(s["span"])) for s in document["steps"]]


def names(document: dict) -> list[list[str]]:
    return [[name for _, name in t["names"]] for t in document["tensors"]]


@pytest.mark.parametrize("head", HEADS, ids=" ".join)
def test_a_cell_magic_keeps_places_and_names(shell: InteractiveShell, head: list[str]) -> None:
    run(shell, "%%trace --no-show\n" + "\n".join(BODY))
    run(shell, "del w, y")
    _, err, result = run(shell, "\n".join([*head, *BODY]))
    assert err == ""
    assert result.success
    plain, nested = (trace.document for trace in jgrad.trace.recent)
    assert nested["source"] == [*head, *BODY]
    lower = len(head) - 1
    assert steps(nested) == [(op, line + lower, text) for op, line, text in steps(plain)]
    assert names(nested) == names(plain)
    assert "__traced__" not in shell.user_ns


def test_a_line_magic_keeps_places_and_names(shell: InteractiveShell) -> None:
    run(shell, "x = jgrad.ones(2)")
    cell = "%%trace --no-show\n%time y = x * 2\nfor k in range(2):\n    %time z = (y + k).exp()\nu = %time y.sum()\n%prun -q v = x - 1"
    out, err, _ = run(shell, cell)
    assert err == ""
    assert out.count("Wall time") == 4
    [trace] = jgrad.trace.recent
    assert trace.document["source"] == cell.split("\n")
    assert steps(trace.document) == [
        ("mul", 2, "x * 2"),
        *[("add", 4, "y + k"), ("exp", 4, "(y + k).exp()")] * 2,
        ("sum", 5, "y.sum()"),
        ("sub", 6, "x - 1"),
    ]
    assert {"x", "y", "z", "u", "v"} <= {n for found in names(trace.document) for n in found}
    assert shell.user_ns["u"].item() == 4


def test_columns_count_characters(shell: InteractiveShell) -> None:
    run(shell, "π = jgrad.ones(2)")
    run(shell, "%%trace --no-show\nif True:\n    %time π2 = π * π")
    assert steps(jgrad.trace.recent[0].document) == [("mul", 3, "π * π")]


def test_the_value_and_the_printed_times_are_those_of_the_magic(shell: InteractiveShell) -> None:
    out, _, _ = run(shell, "%%trace --no-show\n%%time\nx = jgrad.ones(2)\nx * 3")
    assert "Wall time" in out
    assert out.strip().endswith("tensor([3., 3.])")
    assert "tensor" not in run(shell, "%%trace --no-show\n%%time\nx * 3;")[0]
    assert "tensor([3., 3.])" in run(shell, "%%trace --no-show\n%time x * 3")[0]
    assert "tensor" not in run(shell, "%%trace --no-show\n%time x * 3;")[0]
    run(shell, "%%trace --no-show\n%%capture caught\nprint('quiet')\nx * 3")
    caught = shell.user_ns["caught"].stdout
    assert "quiet" in caught
    assert "tensor([3., 3.])" in caught


def test_a_magic_in_a_function_runs_as_it_is(shell: InteractiveShell) -> None:
    cell = "%%trace --no-show\ndef f(t):\n    %time t * 2\n    return t\ny = f(jgrad.ones(1))"
    _, err, result = run(shell, cell)
    assert err == ""
    assert result.success
    assert [(op, line) for op, line, _ in steps(jgrad.trace.recent[0].document)] == [("ones", 5), ("mul", 3)]


@pytest.mark.parametrize("cell", ["%time y = (", "%%time\ny = ("])
def test_a_syntax_error_in_a_nested_magic_is_reported_by_it(shell: InteractiveShell, cell: str) -> None:
    out, _, result = run(
        shell, f"%%trace --no-show\nx = 1\n{cell}" if cell[1] != "%" else f"%%trace --no-show\n{cell}"
    )
    assert isinstance(result.error_in_exec, SyntaxError)
    assert "y = (" in out


def test_a_traced_line_in_a_traced_cell_is_a_trace_of_its_own(shell: InteractiveShell) -> None:
    run(
        shell,
        "%%trace --no-show --name outer\nx = jgrad.ones(1)\n%trace --no-show --name inner x * 2\n%time z = x + 1",
    )
    documents = {trace.name: trace.document for trace in jgrad.trace.recent}
    assert [op for op, *_ in steps(documents["outer"])] == ["ones", "add"]  # the innermost trace records
    assert steps(documents["inner"]) == [("mul", 1, "x * 2")]
