"""`%%trace`: a traced cell behaves as it would without the magic."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from jgrad import views
from tests.notebook.cells import run

pytestmark = pytest.mark.quick


def test_a_traced_cell_behaves_as_ever(shell: InteractiveShell, shown: list) -> None:
    out, err, result = run(
        shell, "%%trace\nw = jgrad.ones(2, requires_grad=True)\n(w * 3).sum().backward()\nw.grad"
    )
    assert out.strip().endswith("tensor([3., 3.])")
    assert err == ""
    assert result.success
    assert shell.user_ns["_"].tolist() == [3, 3]
    [(document, chosen, cursor)] = shown
    assert (document["name"], chosen, cursor) == (f"cell {shell.displayhook.prompt_count}", None, None)
    assert document["source"] == [
        "%%trace",
        "w = jgrad.ones(2, requires_grad=True)",
        "(w * 3).sum().backward()",
        "w.grad",
    ]
    # As the cell is numbered on screen.
    assert [s["line"] for s in document["steps"]] == [
        2,
        3,
        3,
        3,
        3,
        3,
        3,
    ]


def test_it_runs_once_and_nothing_is_displayed_after_a_semicolon(
    shell: InteractiveShell, shown: list
) -> None:
    out, _, _ = run(shell, "%%trace\nruns = globals().get('runs', 0) + 1\nruns;")
    assert out == ""
    assert shell.user_ns["runs"] == 1
    assert len(shown) == 1


def test_interactivity_is_the_users(shell: InteractiveShell, shown: list) -> None:
    shell.ast_node_interactivity = "all"
    out, _, _ = run(shell, "%%trace\n1 + 1\n2 + 2")
    assert [line for line in out.split("\n") if line.strip()][-2:] == [
        f"Out[{shell.displayhook.prompt_count}]: 2",
        f"Out[{shell.displayhook.prompt_count}]: 4",
    ]
    shell.ast_node_interactivity = "last_expr_or_assign"
    out, _, _ = run(shell, "%%trace\nz = 7")
    assert "7" in out
    shell.ast_node_interactivity = "none"
    out, _, _ = run(shell, "%%trace\n8")
    assert out == ""


def test_options(shell: InteractiveShell, shown: list) -> None:
    run(shell, "hidden = jgrad.ones(1)")
    run(
        shell,
        "%%trace --view storage,graph --name mine --watch hidden --max-steps 3\nx = jgrad.ones(1)\nfor i in range(20): y = x + 1",
    )
    [(document, chosen, _)] = shown
    assert chosen == ["storage", "graph"]
    assert document["name"] == "mine"
    assert document["truncated"]["kept_steps"] <= 3
    assert document["truncated"]["seen_steps"] >= 6
    assert "hidden" in [n for t in document["tensors"] for _, n in t["names"]]
    run(shell, "%%trace --view timeline, storage --name 'my run'\nx = jgrad.ones(1)")
    assert shown.pop()[1] == ["timeline", "storage"]
    assert jgrad.trace.recent.pop().name == "my run"
    run(shell, "%%trace --no-show\nx = jgrad.ones(1)")
    assert len(shown) == 1
    assert [t.name for t in jgrad.trace.recent] == ["mine", f"cell {shell.displayhook.prompt_count}"]


def test_an_error_keeps_its_traceback_and_the_trace(shell: InteractiveShell, shown: list) -> None:
    cell = "def f(x):\n    return x.view(7)\na = jgrad.ones(2)\nf(a)\nb = 1"
    plain, _, _ = run(shell, cell)
    traced, _, result = run(shell, f"%%trace\n{cell}")
    assert isinstance(result.error_in_exec, RuntimeError)
    assert "b" not in shell.user_ns

    def frames(out: str) -> list[str]:
        """Where the traceback has been, down to jgrad's own rooms."""
        lines = [
            line.strip()
            for line in out.split("\n")
            if line.strip().startswith(("---->", "File", "RuntimeError"))
        ]
        inside = (i for i, line in enumerate(lines) if "jgrad" in line and line.startswith("File"))
        inside = next(inside, len(lines))  # of a traced cell nothing of jgrad is shown
        return [
            line.split(" ", 2)[-1].strip() for line in lines[:inside] if line.startswith("---->")
        ] + lines[-1:]

    assert (
        frames(traced)
        == frames(plain)
        == ["f(a)", "return x.view(7)", f"RuntimeError: {result.error_in_exec}"]
    )
    assert "----> 5 f(a)" in traced  # the line as it is numbered on screen
    assert "magics.py" not in traced
    assert "run_cell_magic" not in traced
    [(document, _, cursor)] = shown
    assert document["steps"][-1]["kind"] == "error"
    assert document["steps"][-1]["line"] == 3
    assert cursor == len(document["steps"])


def test_a_syntax_error_is_the_cells_own(shell: InteractiveShell, shown: list) -> None:
    out, err, result = run(shell, "%%trace\nx = 1\ny = (")
    assert isinstance(result.error_before_exec, SyntaxError)
    assert result.error_before_exec.lineno == 3
    assert shell.compile._filename_map[result.error_before_exec.filename] == result.execution_count
    assert "y = (" in out
    assert "magics" not in out + err
    assert "x" not in shell.user_ns
    assert shown == []


def test_await(shell: InteractiveShell, shown: list) -> None:
    cell = "%%trace\nimport asyncio\nx = jgrad.ones(1)\nawait asyncio.sleep(0)\ny = x * 2\ny"
    out, err, result = run(shell, cell)
    assert result.success, err
    assert "tensor([2.])" in out
    assert [s["line"] for s in shown[0][0]["steps"]] == [3, 5]
    _, _, result = run(shell, "%%trace\nawait asyncio.sleep(0)\n1 / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert len(shown) == 2


def test_await_in_a_running_loop(shell: InteractiveShell, shown: list) -> None:
    """As a kernel runs cells."""

    async def kernel() -> Any:
        cell = "%%trace\nimport asyncio\nawait asyncio.sleep(0)\nz = jgrad.ones(1)"
        return await shell.run_cell_async(
            cell, transformed_cell=shell.transform_cell(cell), store_history=False
        )

    with capture_output():
        assert asyncio.run(kernel()).success
    assert len(shown) == 1


def test_magics_inside_the_cell(shell: InteractiveShell, shown: list) -> None:
    _, err, result = run(shell, "%%trace\nx = jgrad.ones(1)\n%time y = x * 2\nz = y + 1")
    assert err == ""
    assert result.success
    assert [s["op"] for s in shown[0][0]["steps"]] == ["ones", "mul", "add"]
    assert [s["line"] for s in shown[0][0]["steps"]] == [2, 3, 4]


def test_a_trace_leaves_out_what_the_cell_replaces_unread(shell: InteractiveShell, shown: list) -> None:
    cell = """%%trace --name again
a = jgrad.tensor([1.0, 2.0], requires_grad=True)
b = a.clone()
kept = [b * 3]
kept[0].sum().backward()
"""
    run(shell, cell)
    run(shell, cell)
    (first, *_), (second, *_) = shown
    assert [t["names"] for t in first["tensors"]] == [t["names"] for t in second["tensors"]]
    assert len(first["storages"]) == len(second["storages"])
    assert all(t["created_step"] >= 0 for t in second["tensors"])


@pytest.mark.parametrize(
    ("cell", "old"),
    [
        ("b = a * 2\na = b + 1", {"a"}),
        ("def f():\n    return a\na, b = f() * 2, None", {"a"}),
        ("if not hasattr(a, 'shape'):\n    a = None\nb = a * 2", {"a"}),
        ("if False:\n    a = None\nb = a * 2", {"a"}),
        ("a += 1", {"a"}),
        ("a = b * 2", {"b"}),
        ("a, b = b, a * 2", {"a", "b"}),
    ],
)
def test_a_trace_knows_what_the_cell_reads(shell: InteractiveShell, shown: list, cell: str, old: set) -> None:
    run(shell, "a, b = jgrad.ones(2), jgrad.zeros(2)")
    run(shell, f"%%trace\n{cell}")
    [(document, *_)] = shown
    assert {t["names"][0][1] for t in document["tensors"] if t["created_step"] < 0} == old


@pytest.mark.usefixtures("shown")
def test_watched_variables_are_followed_whatever_the_cell_does(shell: InteractiveShell) -> None:
    run(shell, "a = jgrad.ones(2)")
    run(shell, "%%trace --watch a\na = jgrad.zeros(2)")
    assert len(jgrad.trace.recent[-1].document["tensors"]) == 2


def test_views_that_fail_do_not_hide_the_result(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(views, "show", broken)
    out, err, result = run(shell, "%%trace\nx = jgrad.ones(1)\nx")
    assert result.success
    assert "tensor([1.])" in out
    assert err == "%%trace: the views could not be shown (ValueError: broken)\n"


def test_the_real_views_in_a_terminal(shell: InteractiveShell) -> None:
    out, err, _ = run(shell, "%%trace\nw = jgrad.ones(2, requires_grad=True)\n(w * 3).sum().backward()")
    assert err == ""
    assert all(word in out for word in ("storage 1", "MulBackward0", "w.grad", "line 3"))
    out, err, _ = run(
        shell,
        "%graph (w * 2)\n%storage w\n%accumulate w\n%scatter jgrad.zeros(3).scatter(0, jgrad.tensor([1]), jgrad.ones(1))",
    )
    assert err == ""
    assert all(word in out for word in ("MulBackward0", "storage 1", "backward 1", "src[0]"))


# %trace ---------------------------------------------------------------------------------------------------------------------------------


def test_a_traced_line(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True)")
    out, err, result = run(shell, "%trace (w * 3).sum()")
    assert err == ""
    assert out.strip() == f"Out[{shell.displayhook.prompt_count}]: tensor(6., grad_fn=<SumBackward0>)"
    assert shell.user_ns["_"].item() == 6
    assert result.result is shell.user_ns["_"]
    [(document, chosen, cursor)] = shown
    assert (document["name"], chosen, cursor) == ("(w * 3).sum()", None, None)
    assert document["source"] == ["%trace (w * 3).sum()"]
    assert [(s["op"], s["line"], s["span"]) for s in document["steps"]] == [
        ("mul", 1, [1, 8, 1, 13]),
        ("sum", 1, [1, 7, 1, 20]),
    ]
    assert document["tensors"][0]["names"] == [[-1, "w"]]


def test_a_traced_line_runs_statements_with_options(shell: InteractiveShell, shown: list) -> None:
    run(shell, "x = jgrad.ones(2)")
    out, err, _ = run(shell, "%trace --view storage,graph --name 'my line' y = x * 2; z = y.exp()")
    assert (out, err) == ("", "")
    [(document, chosen, _)] = shown
    assert (document["name"], chosen) == ("my line", ["storage", "graph"])
    assert [[n for _, n in t["names"]] for t in document["tensors"]] == [["x"], ["y"], ["z"]]
    assert shell.user_ns["y"].tolist() == [2, 2]
    assert run(shell, "%trace --no-show x * 2;")[0] == ""
    run(shell, "t = %trace --no-show --max-steps=3 x * 2 + 1 + 1 + 1 + 1 + 1 + 1")
    assert shell.user_ns["t"].tolist() == [8, 8]
    assert jgrad.trace.recent[-1].document["truncated"]["kept_steps"] <= 3
    assert len(shown) == 1


def test_rounds_to_keep_can_be_named(shell: InteractiveShell, shown: list) -> None:
    run(shell, "%%trace --rounds 2:3 --no-show\nx = jgrad.ones(1)")
    assert jgrad.trace.recent.pop().rounds == range(1, 3)
    run(shell, "%trace --rounds 7 --no-show jgrad.ones(1)")
    assert jgrad.trace.recent.pop().rounds == range(6, 7)
    for text in ("3:2", "0", "x"):
        said = run(shell, f"%%trace --rounds {text}\nx = jgrad.ones(1)")[1]
        assert said.startswith(
            f"UsageError: %%trace --rounds: {text} are no rounds; write for example --rounds 310:320"
        )
    assert shown == []


def test_a_traced_line_in_a_function_sees_its_variables(shell: InteractiveShell, shown: list) -> None:
    _, err, _ = run(shell, "def f(t):\n    %trace t * 2\nf(jgrad.ones(1))")
    assert err == ""
    [(document, _, _)] = shown
    assert document["tensors"][0]["names"] == [[-1, "t"]]


def test_stop_leaves_the_variables_of_the_round(shell: InteractiveShell, shown: list[tuple]) -> None:
    run(shell, "import jgrad\nw = jgrad.ones(2, requires_grad=True)")
    loop = "for i in range(9):\n    (w * w).sum().backward()"
    _, _, result = run(shell, f'%%trace --stop "w.grad.sum() > 9"\n{loop}')
    assert isinstance(result.error_in_exec, jgrad.trace.Stopped)
    assert shell.user_ns["i"] == 2
    assert shown[-1][0]["steps"][-1]["error"]["type"] == "Stopped"
    _, errors, result = run(shell, f"%%trace --stop 'i < 0'\n{loop}")
    assert result.error_in_exec is None
    assert "%%trace --stop: i < 0 was never true; it was asked 9 times." in errors
    _, errors, result = run(shell, f'%%trace --stop "print(i)"\n{loop}')
    assert "%%trace --stop: print(i) could change the program" in f"{errors}{result.error_in_exec}"
