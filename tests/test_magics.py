"""The magics, in an IPython of their own."""

from __future__ import annotations

import asyncio
import builtins
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

import jgrad
from jgrad import observer, views
from jgrad.notebook.completion import Completer
from jgrad.notebook.magics import Gradients
from tests.trace.tracing import valid

pytestmark = pytest.mark.quick


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.delattr(
        builtins, "_", raising=False
    )  # a doctest leaves it, and IPython then sets no `_` of its own
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    hook, before = sys.excepthook, getattr(builtins, "get_ipython", None)
    shell = InteractiveShell(config=config)
    shell.run_cell("import jgrad\n%load_ext jgrad")
    jgrad.trace.recent.clear()
    yield shell
    assert observer.current is None
    sys.excepthook = hook
    if before is None and hasattr(builtins, "get_ipython"):
        del builtins.get_ipython


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What was shown: (document, views, cursor)."""
    calls: list[tuple] = []

    def show(
        document: dict, chosen: Any = None, cursor: Any = None, key: Any = None, early: Any = None
    ) -> None:
        assert valid(document)
        calls.append((document, chosen, cursor))

    monkeypatch.setattr(views, "show", show)
    return calls


def run(shell: InteractiveShell, cell: str) -> tuple[str, str, Any]:
    """Output, error output and result of a cell."""
    with capture_output(display=False) as captured:
        result = shell.run_cell(cell, store_history=True)
    return captured.stdout, captured.stderr, result


# %%trace --------------------------------------------------------------------------------------------------------------------------------


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
    assert [s["line"] for s in document["steps"]] == [
        2,
        3,
        3,
        3,
        3,
        3,
        3,
    ]  # as the cell is numbered on screen


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
    run(shell, "%%trace --rounds 2:3 --no-show\nx = jgrad.ones(1)")
    assert jgrad.trace.recent.pop().rounds == range(1, 3)
    said = run(shell, "%%trace --rounds 3:2\nx = jgrad.ones(1)")[1]
    assert said.startswith(
        "UsageError: %%trace --rounds: 3:2 are no rounds; write for example --rounds 310:320"
    )
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
        inside = next(i for i, line in enumerate(lines) if "jgrad" in line and line.startswith("File"))
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


# %grad ----------------------------------------------------------------------------------------------------------------------------------


def test_grad_of_the_source_documents_example(shell: InteractiveShell, shown: list) -> None:
    run(shell, "x = jgrad.tensor([2.]); w = jgrad.tensor([1.], requires_grad=True)")
    out, err, result = run(shell, "%grad (x + w) * (w + 1) wrt w")
    assert err == ""
    row = next(line for line in out.split("\n") if line.startswith("w "))
    assert row.split()[:3] == ["w", "[1.]", "[5.]"]
    assert "[3.] by MulBackward0: grad * self, AddBackward0" in out
    assert "[2.] by MulBackward0: grad * other, AddBackward0: alpha * grad" in out
    [(_, chosen, _)] = shown
    assert chosen == ["graph"]
    assert shell.user_ns["w"].grad is None
    assert isinstance(result.result, Gradients)
    html = result.result._repr_html_()
    assert "<td" in html
    assert "[5.]" in html


@pytest.mark.parametrize(("line", "expected"), [
    ("(x + w) * (w + 1) wrt w", {"w": 5.0}),
    ("(x + w) * (w + 1)", {"w": 5.0}),
    ("(x + w) * (w + 1) wrt x, w", {"x": 2.0, "w": 5.0}),
    ("(x + w) * (w + 1) wrt x w", {"x": 2.0, "w": 5.0}),
    ("(fx + fw) * (fw + 1) wrt fw", {"fw": 5.0}),
    ("(fx + fw) * (fw + 1)", {"fx": 2.0, "fw": 5.0}),
    ("w ** 3 wrt w --order 2", {"w": 6.0}),
    ("--order 3 w ** 3", {"w": 6.0}),
    ("w * 2 --order 2", {"w": 0.0}),
    ("(lambda q: q * w)(3.)", {"w": 3.0}),
    ("sum([w * k for k in range(3)])", {"w": 3.0}),
    ("w * len(' wrt ') * len(\"it\\'s wrt\") wrt w", {"w": 40.0}),
    ("xs[0] * w wrt xs[0]", {"xs[0]": 1.0}),
    ("(h * w) wrt h", {"h": 1.0}),
])  # fmt: skip
def test_grad(shell: InteractiveShell, shown: list, line: str, expected: dict) -> None:
    run(
        shell,
        "x = jgrad.tensor(2.); w = jgrad.tensor(1., requires_grad=True); fx = 2.; fw = 1.; xs = [jgrad.tensor(4., requires_grad=True)]; h = w * 3",
    )
    before = {n: shell.user_ns[n] for n in ("x", "w", "fx", "fw", "h")}
    _, err, result = run(shell, f"g = %grad {line}")
    assert err == ""
    assert result.success
    assert shown == []  # it was assigned, not displayed
    g = shell.user_ns["g"]
    assert {n: v.item() for n, v in g.items()} == expected
    assert all(shell.user_ns[n] is v for n, v in before.items())
    assert before["w"].grad is None
    assert not before["x"].requires_grad
    assert valid(g.document)


def test_grad_in_the_words_of_a_hostile_name(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.tensor(1., requires_grad=True)")
    run(shell, "g = %grad w * len('<script>')")
    assert "<script>" not in shell.user_ns["g"]._repr_html_()
    assert "<script>" in repr(shell.user_ns["g"])


# The small ones -------------------------------------------------------------------------------------------------------------------------


def test_storage_and_graph(shell: InteractiveShell, shown: list) -> None:
    run(shell, "a = jgrad.ones(4, requires_grad=True); b = a[1:]; c = b * 2")
    run(shell, "%storage a b")
    run(shell, "%storage a, b[1:]")
    run(shell, "%graph c")
    assert [chosen for _, chosen, _ in shown] == [["storage"], ["storage"], ["graph"]]
    assert [t["names"] for t in shown[0][0]["tensors"]] == [[[-1, "a"]], [[-1, "b"]]]
    assert [t["names"][0][1] for t in shown[1][0]["tensors"]] == ["a", "b[1:]"]
    names = {t["names"][0][1] for t in shown[2][0]["tensors"] if t["names"]}
    assert {"c", "a"} <= names  # the leaf is named though the line does not mention it
    assert {n["name"] for n in shown[2][0]["nodes"]} >= {
        "MulBackward0",
        "SliceBackward0",
        "torch::autograd::AccumulateGrad",
    }


def test_accumulate(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(1, requires_grad=True)\nv = jgrad.ones(1, requires_grad=True)\n(w * v).backward()",
    )
    run(shell, "%%trace --no-show\nother = jgrad.ones(1)")
    run(shell, "%accumulate w")
    [(document, chosen, _)] = shown
    assert chosen == ["accumulation"]
    assert len([s for s in document["steps"] if "grad" in s]) == 1
    run(shell, "%accumulate")
    assert len([s for s in shown[1][0]["steps"] if "grad" in s]) == 2


def test_scatter_runs_its_expression_once(shell: InteractiveShell, shown: list) -> None:
    run(shell, "out = jgrad.zeros(3)")
    run(shell, "%scatter out.scatter_add_(0, jgrad.tensor([1, 1]), jgrad.ones(2))")
    assert shell.user_ns["out"].tolist() == [0, 2, 0]
    [(document, chosen, _)] = shown
    assert chosen == ["scatter"]
    assert document["steps"][-1]["index_map"]["reduce"] == "sum"


def test_leaves(shell: InteractiveShell) -> None:
    out, _, _ = run(shell, "%leaves")
    assert "no variable is or holds a leaf that requires grad" in out
    run(shell, "w = jgrad.ones(2, requires_grad=True); y = w * 2; y.sum().backward(); n = jgrad.ones(1)")
    out, _, result = run(shell, "%leaves")
    assert [row[0] for row in result.result.rows] == ["w"]
    assert "[2., 2.]" in out


def test_leaves_lie_in_models_lists_and_dicts_too(shell: InteractiveShell) -> None:
    run(
        shell,
        "model = jgrad.nn.Sequential(jgrad.nn.Linear(1, 1, bias=False))\nopt = jgrad.optim.SGD(model.parameters(), lr=1)\n"
        "layers = [{'b': jgrad.zeros(1, requires_grad=True)}]\ntied = model[0].weight\njgrad.ones(1, requires_grad=True)",
    )
    _, _, result = run(shell, "%leaves")
    assert [row[0] for row in result.result.rows] == ["tied", "model[0].weight", "layers[0]['b']"][1:]


def test_attributes(shell: InteractiveShell) -> None:
    run(shell, "x = jgrad.ones(2, requires_grad=True); y = x * 2; y.sum().backward()")
    out, _, result = run(shell, "%attributes x, y")
    table = {row[0]: row[1:] for row in result.result.rows}
    assert table["data"] == ["[1., 1.]", "[2., 2.]"]
    assert table["grad"] == ["[2., 2.]", "None"]
    assert table["grad_fn"] == ["None", "<MulBackward0>"]
    assert (table["is_leaf"], table["requires_grad"]) == (["True", "False"], ["True", "True"])
    assert len(table) == 8
    assert "Warning" not in out
    further = {row[0]: row[1:] for row in run(shell, "%attributes --all x y")[2].result.rows}
    assert further["ndim"] == ["1", "1"]
    assert further["H"][0] == "raises RuntimeError"
    assert not {"add_", "shape_as", "is_cuda"} & set(further)
    assert "is_cuda, " in list(further)[-1]
    assert further[list(further)[-1]] == ["False", "False"]


def test_why(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(1, requires_grad=True)\ny = w * 2\nfor i in range(2):\n    (w * 2).backward()",
    )
    assert run(shell, "%why y.grad")[0].startswith(
        "y.grad is None: y is not a leaf, MulBackward0 made it (line 3)"
    )
    assert run(shell, "%why w.grad")[0].startswith("w.grad holds the sum of 2 backward passes (line 5)")
    assert run(shell, "%why w")[0].split("\n") == [
        "w is a leaf that requires grad (line 2): backward() adds to its .grad.",
        "w has its memory to itself. It was never written to in place.",
        run(shell, "%why w.grad")[0].rstrip(),
        "",
    ]
    assert "w.grad holds the sum of 2 backward passes" in run(shell, "%why")[0]
    run(shell, "%%trace --no-show\nz = w + 1")  # a later trace that knows w, but not how its .grad came about
    assert run(shell, "%why w.grad")[0].startswith("w.grad holds the sum of 2 backward passes (line 5)")
    run(shell, "w.grad = jgrad.zeros(1)")
    assert run(shell, "%why w.grad")[0] == "w.grad is there ([0.]).\n"
    run(shell, "fresh = jgrad.ones(1)")
    assert run(shell, "%why fresh.grad")[0].startswith("fresh.grad is None: fresh does not require grad")


def why(shell: InteractiveShell, question: str = "") -> str:
    """What `%why` prints."""
    out, err, result = run(shell, f"%why {question}".rstrip())
    assert err == ""
    assert result.success
    return out.rstrip("\n")


def test_why_of_the_error_of_the_cell_before(shell: InteractiveShell, shown: list) -> None:
    run(shell, "x = jgrad.ones(3, requires_grad=True)\ny = x.exp()\n\ny[0] = 2\ny.sum().backward()")
    said = why(shell)
    assert said.startswith(
        "line 5: ExpBackward0 needs y as it was at version 0, but it was written to in place since (version 1); line 4 writes to it: y[0] = 2."
    )
    assert why(shell) == said  # asking does not forget it
    assert why(shell, "y.sum().backward()") == said
    run(shell, "%why nosuch.grad")
    assert why(shell) == said
    run(shell, "z = 1")
    assert run(shell, "%why")[1].startswith("UsageError: %why: nothing was raised or traced yet")
    run(shell, "1 / 0")
    assert (
        why(shell)
        == "line 1: ZeroDivisionError: division by zero (no rule of the catalogue knows more about it)"
    )


def test_why_looks_for_who_wrote(shell: InteractiveShell, shown: list) -> None:
    run(shell, "y = jgrad.ones(1)\ny.zero_()")  # another y
    run(shell, "x = jgrad.ones(1, requires_grad=True)\ny = x * 1\nz = y * y\ny.grad_ = None")
    run(shell, "y.detach()[0] = 999")
    cell = shell.displayhook.prompt_count
    run(shell, "z.backward()")
    assert f"(version 1); line 1 of cell {cell} writes to it: y.detach()[0] = 999." in why(shell)
    run(shell, "y = x * 1\nz = y * y\nother = [y]\nother[0].mul_(2)\nz.backward()")
    assert "(version 1). Write to" in why(shell)  # which no line of the cells shows: nobody is blamed


def test_why_of_the_error_of_a_traced_cell(shell: InteractiveShell, shown: list) -> None:
    run(shell, "%%trace --no-show\nx = jgrad.ones(2, requires_grad=True)\n(x * 2).backward()")
    assert why(shell).startswith("line 3: backward starts at a tensor of several elements.")
    run(shell, "%%trace --no-show\ny = x * 2")
    assert why(shell) == "nothing remarkable"


UNTRACED = (
    "The line that raised was not traced: with %%trace in the first line of its cell, %why can say more."
)
# A cell that raises, another cell that raises the same words, and what %why says of the second, which was not traced.
SAME_WORDS = {
    "a saved tensor is written to": (
        "w = jgrad.ones(2, requires_grad=True)\nh = w.exp()\nh += 1\nh.sum().backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = v.exp()\nz.mul_(3)\nz.sum().backward()",
        "line 5: ExpBackward0 needs z as it was at version 0, but it was written to in place since (version 1); line 4 writes to it: z.mul_(3).",
    ),
    "backward twice": (
        "w = jgrad.ones(2, requires_grad=True)\nu = (w * w).sum()\nu.backward()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = (v * v).sum()\nz.backward()\nz.backward()",
        "an earlier call ran backward and freed the saved tensors of MulBackward0; line 5 needs them again.",
    ),
    "backward twice in a loop": (
        "w = jgrad.ones(2, requires_grad=True)\nu = (w * w).sum()\nu.backward()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\nz = (v * v).sum()\nz.backward()\nfor i in range(2):\n    z.backward()",
        "line 5: backward freed the saved tensors before, perhaps in an earlier round of the loop, and needs them again: line 5 starts at z,",
    ),
    "a root without history": (
        "w = jgrad.ones(2, requires_grad=True)\nu = w.detach().sum()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = v.data.sum()\nz.backward()",
        "line 4: backward starts at a tensor that has no grad_fn and does not require grad: nothing it was computed from requires grad, "
        "or something cut it off, as .data in line 3 does.",
    ),
    "no .grad": (
        "w = jgrad.ones(2, requires_grad=True)\nw.grad.sum()",
        "v = jgrad.ones(2)\n\nv.grad.sum()",
        "line 3: v.grad is None there: v does not require grad.",
    ),
}


@pytest.mark.parametrize("case", SAME_WORDS)
def test_why_of_an_error_does_not_answer_about_another_cell(
    shell: InteractiveShell, shown: list, case: str
) -> None:
    first, second, expected = SAME_WORDS[case]
    run(shell, f"%%trace --no-show\n{first}")
    traced = why(shell)
    assert UNTRACED not in traced
    run(shell, second)
    untraced = why(shell)
    assert untraced.startswith(expected)
    assert untraced.endswith(UNTRACED)
    run(shell, f"%%trace --no-show\n{first}")
    cell = shell.displayhook.prompt_count
    assert why(shell) == traced.replace("cell 1", f"cell {cell}")
    run(shell, first)  # the same source, not traced
    assert why(shell).endswith(UNTRACED)


def test_why_finds_the_trace_that_the_error_ended(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(2, requires_grad=True)\ndef block(f):\n    with jgrad.trace():\n        h = w.exp()\n"
        "        f(h)\n        h.sum().backward()",
    )
    blocks = "caught = []\nfor f in (jgrad.Tensor.zero_, jgrad.Tensor.neg_):\n    try:\n        block(f)\n    except RuntimeError as error:\n"
    run(shell, f"{blocks}        caught.append(error)\nraise caught[0]")
    said = why(shell)
    assert "zero_" in said
    assert "neg_" not in said
    assert UNTRACED not in said
    assert [t.ended_with(e) for t in list(jgrad.trace.recent)[-2:] for e in shell.user_ns["caught"]] == [
        True,
        False,
        False,
        True,
    ]


def test_why_of_an_error_in_a_function_of_another_cell(shell: InteractiveShell, shown: list) -> None:
    run(shell, "def spoil(t):\n    y = t.exp()\n    y.add_(1)\n    y.sum().backward()")
    cell = shell.displayhook.prompt_count
    run(shell, "spoil(jgrad.ones(2, requires_grad=True))")
    assert why(shell).startswith(
        f"line 4 of cell {cell}: ExpBackward0 needs y as it was at version 0, but it was written to in place since (version 1); "
        f"line 3 of cell {cell} writes to it: y.add_(1)."
    )


def test_why_tries_an_expression_without_the_lines_of_an_error_like_it(
    shell: InteractiveShell, shown: list
) -> None:
    run(shell, "v = jgrad.ones(2, requires_grad=True)\nz = v.exp()\nz.mul_(3)")
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(2, requires_grad=True)\nh = w.exp()\nh += 1\nh.sum().backward()",
    )
    said = why(shell, "z.sum().backward()")
    assert "needs z as it was at version 0" in said
    assert "h += 1" not in said
    assert UNTRACED not in said


def test_an_error_of_a_class_that_forbids_attributes(shell: InteractiveShell, shown: list) -> None:
    source = "class Strict(Exception):\n    __slots__ = ()\n    def __setattr__(self, name, value):\n        raise TypeError(name)\n"
    _, _, result = run(shell, f"%%trace --no-show\n{source}raise Strict('as it is')")
    assert type(result.error_in_exec).__name__ == "Strict"
    assert jgrad.trace.recent[-1].ended_with(result.error_in_exec)


def test_why_names_lines_of_earlier_cells(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show --name forward\nx = jgrad.ones(3, requires_grad=True)\ny = x * 2\nz = (y * y).sum()",
    )
    run(shell, "%%trace --no-show --name write\ny.mul_(2)")
    run(shell, "z.backward()")
    assert why(shell).startswith(
        "line 4 of trace 'forward' saved y (version 0) for MulBackward0; line 2 of trace 'write' (y.mul_(2)) wrote to it (version 1), so its gradient"
    )
    run(shell, "%%trace --no-show --name once\nu = (x * x).sum()\nu.backward()")
    run(shell, "u.backward()")
    assert why(shell).startswith(
        "line 3 of trace 'once' ran backward and freed the saved tensors of MulBackward0; line 1 needs them again."
    )
    run(shell, "%%trace --no-show --name cut\nv = x.detach() * 2")
    run(shell, "v.sum().backward()")
    assert "it was computed from x, but line 2 of trace 'cut' cut the graph with detach()." in why(shell)
    run(shell, "v = v.sum()\nv.backward()")
    assert why(shell).startswith("line 2: backward starts at a tensor that has no grad_fn")


def test_why_names_a_cell_that_nothing_traced(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show --name forward\nx = jgrad.ones(3, requires_grad=True)\ny = x * 2\nz = (y * y).sum()",
    )
    run(shell, "y.mul_(2)")
    run(shell, "z.backward()")
    assert "; a line that was not traced (line 1 of cell 2: y.mul_(2)) wrote to it (version 1)" in why(shell)


def test_why_looks_at_a_backward_without_running_it(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "w = jgrad.ones(2, requires_grad=True); b = jgrad.ones(2, requires_grad=True); y = (w * b).sum()",
    )
    said = why(shell, "y.backward()")
    assert said.startswith(
        "y.backward() raises nothing. It would add [1., 1.] to w.grad and [1., 1.] to b.grad; %why only looks"
    )
    assert shell.user_ns["w"].grad is None
    assert "add [1., 1.] to w.grad; %why" in why(shell, "y.backward(inputs=[w])")
    run(shell, "y.backward()")  # nothing was freed either
    assert why(shell, "y.backward()").startswith(
        "an earlier call ran backward and freed the saved tensors of MulBackward0; y.backward() needs them again."
    )
    assert why(shell, "(w * b).backward()").startswith("backward starts at a tensor of several elements.")
    assert why(shell, "w.sum().backward(jgrad.ones(3))").startswith(
        "the gradient to start with has shape [3], the tensor has shape []"
    )
    assert shell.user_ns["w"].grad.tolist() == [1, 1]


def test_why_of_other_expressions(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True); a = jgrad.ones(2, 3)")
    assert why(shell, "w.add_(1)").startswith("w.add_(1) writes in place to a leaf that requires grad")
    assert why(shell, "a @ a").startswith("a matrix of 2x3 times a matrix of 2x3")
    assert why(shell, "w += 1").startswith("w += 1 writes in place to a leaf")
    assert why(shell, "jgrad.tensor(w)").startswith("tensor(x) of a tensor is a copy without history")
    assert why(shell, "'cannot register a hook on a tensor that doesn\\'t require gradient'").startswith(
        "this tensor does not require grad"
    )
    assert why(shell, "Boolean value of Tensor with more than one value is ambiguous").startswith(
        "a tensor of several elements"
    )
    assert why(shell, "w * 2").startswith("w * 2 is not a leaf: MulBackward0 made it")


@pytest.mark.parametrize(("asked", "said"), [
    ("y.grad is None", "y.grad is None: y is not a leaf"), ("y.grad == None", "y.grad is None: y is not a leaf"),
    ("not y.is_leaf", "y is not a leaf: MulBackward0 made it"), ("w.requires_grad == False", "w is a leaf that requires grad"),
    ("n.backward()", "backward() is called of a plain"),
])  # fmt: skip
def test_why_of_what_a_stuck_person_types(
    shell: InteractiveShell, shown: list, asked: str, said: str
) -> None:
    run(shell, "w = jgrad.ones(1, requires_grad=True); y = w * 2; n = 3")
    out, err, _ = run(shell, f"%why {asked}")
    assert out.startswith(said)
    assert err == ""


def test_why_leaves_variables_as_they_are(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = before = jgrad.ones(1)")
    run(shell, "%why w = 3")
    assert shell.user_ns["w"] is shell.user_ns["before"]


@pytest.mark.parametrize(("call", "said"), [
    ("jgrad.autograd.backward(net(x).sum())", "It would add [[1., 1.]] to net.weight.grad and [1.] to net.bias.grad;"),
    ("jgrad.autograd.backward([net.weight.sum(), net.bias.sum()])", "It would add [[1., 1.]] to net.weight.grad and [1.] to net.bias.grad;"),
    ("net(x).backward(jgrad.full((1, 1), 2.))", "It would add [[2., 2.]] to net.weight.grad and [2.] to net.bias.grad;"),
])  # fmt: skip
def test_why_looks_at_a_backward_of_a_module(
    shell: InteractiveShell, shown: list, call: str, said: str
) -> None:
    run(shell, "net = jgrad.nn.Linear(2, 1); x = jgrad.ones(1, 2)")
    out, _, _ = run(shell, f"%why {call}")
    assert said in out
    assert shell.user_ns["net"].weight.grad is None


def test_why_of_a_tensor(shell: InteractiveShell, shown: list) -> None:
    run(shell, "a = jgrad.ones(4); b = a[2:]; c = a.data; d = a.clone(); d.mul_(2); d.mul_(2)")
    assert why(shell, "b").split("\n") == [
        "b is a leaf that does not require grad: operations on it alone are not recorded.",
        "b shares memory with a and c; of a write through c its version counter knows nothing. It was never written to in place.",
        "b.grad is None: b does not require grad. Call b.requires_grad_() before it is used.",
    ]
    assert "d has its memory to itself. It was written to in place 2 times." in why(shell, "d")
    run(shell, "%%trace --no-show --name writes\na.zero_()\nb.add_(1)")
    assert (
        "It was written to in place 2 times (line 2 of trace 'writes' and line 3 of trace 'writes')."
        in why(shell, "a.requires_grad")
    )


def test_why_of_a_warning_of_an_optimizer(shell: InteractiveShell, shown: list) -> None:
    run(shell, "opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], 0.1)")
    with pytest.warns(UserWarning, match="Detected call of"):
        run(shell, "jgrad.optim.lr_scheduler.StepLR(opt, 1).step()")
    assert "before opt" in why(shell)


def test_why_of_a_warning_of_the_cell_before(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(1, requires_grad=True); y = w * 2")
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        run(shell, "y.grad")
    said = why(shell)
    assert said.startswith(
        "only leaves keep their gradient; this tensor was computed, so its .grad stays None."
    )
    assert why(shell) == said
    run(shell, "z = 1")
    assert run(shell, "%why")[1].startswith("UsageError: %why: nothing was raised")


def test_why_prints_no_control_characters(shell: InteractiveShell, shown: list) -> None:
    for message in (
        "\\x1b[31mred\\x07{0}",
        "\\x1b[31m a view of a leaf Variable that requires grad is being used in an in-place operation",
    ):
        run(shell, f"raise RuntimeError('{message}')")
        assert "[31m" in why(shell) or "writes in place" in why(shell)
        assert why(shell).isprintable()
    run(shell, "bad = {'\\x1b[31m': jgrad.ones(1)}")
    assert why(shell, "bad['\\x1b[31m'].grad").isprintable()


# %compare -------------------------------------------------------------------------------------------------------------------------------


def test_compare(shell: InteractiveShell, shown: list, tmp_path: Any) -> None:
    cell = "%%trace --no-show --name {}\nx = jgrad.ones(2, requires_grad=True)\ny = x.{}()"
    run(shell, cell.format("a", "clone"))
    run(shell, cell.format("b", "detach"))
    run(shell, "c = %compare a b")
    sentence = "They part at step 2 (line 3): in a, clone made storage 2; in b, detach stayed on storage 1."
    assert shell.user_ns["c"].sentence == sentence
    out, err, _ = run(shell, "%compare")
    assert sentence in out
    assert err == ""
    jgrad.trace.recent[-1].save(tmp_path / "b.json")
    run(shell, f"loaded = jgrad.trace.load({str(tmp_path / 'b.json')!r})")
    for named in ("a loaded", f"a, {tmp_path / 'b.json'}", "'a' 'b'"):
        assert sentence in run(shell, f"%compare {named}")[0]
    assert Completer(shell).options("%compare a") == ["a"]
    assert Completer(shell).options("%compare a ") == ["a", "b"]


def test_grad_leaves_a_graph_to_be_run(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.tensor(2., requires_grad=True); y = w * w")
    assert run(shell, "%grad y wrt w")[2].success
    assert run(shell, "y.backward()")[2].success
    assert shell.user_ns["w"].grad.item() == 4


# Bad input ------------------------------------------------------------------------------------------------------------------------------

BAD = {
    "%grad": "%grad: no expression",
    "%grad nosuch": "%grad: nosuch is not defined",
    "%grad 3": "%grad: 3 has no tensor in it",
    "%grad n": "%grad: n has no tensor in it",
    "%grad i * 2": "%grad: i has no tensor|%grad: i \\* 2 has no tensor",
    "%grad w +": r"%grad: w \+ is not an expression",
    "%grad w * 2 wrt": "%grad: no variable after wrt",
    "%grad w * 2 wrt nosuch": "%grad: nosuch is not defined",
    "%grad w * 2 wrt n": "%grad: n is an int; a gradient needs a floating point tensor",
    "%grad w * 2 wrt i": "%grad: i is a tensor of dtype int64; a gradient needs",
    "%grad w * 2 wrt u": r"%grad: w \* 2 does not depend on u",
    "%grad u.detach() wrt u": r"%grad: u.detach\(\) does not depend on u",
    "%grad m * 2": r"%grad: m \* 2 has 2 elements, a gradient needs one; write %grad \(m \* 2\).sum\(\)",
    "%grad w.item() wrt w": r"%grad: w.item\(\) gives a float, not a tensor",
    "%grad w * 2 --order": "%grad --order: nothing is not a positive whole number",
    "%grad w * 2 --order 0": "%grad --order: 0 is not a positive whole number",
    "%grad w * 2 --depth 2": "%grad: there is no option --depth",
    "%grad w.view(7)": r"%grad: w.view\(7\) raised RuntimeError: shape '\[7\]' is invalid",
    "%%trace --view nosuch\n1": "%%trace --view: there is no view 'nosuch'; choose from timeline, storage, graph, accumulation, scatter",
    "%%trace --view\n1": "%%trace --view: no view named; choose from timeline",
    "%%trace --name\n1": r"%%trace: argument --name: expected one argument; write %%trace \[--view storage,graph\]",
    "%%trace --veiw graph\n1": "%%trace: unrecognized arguments: --veiw graph; write %%trace",
    "%%trace --max-steps 0\n1": "%%trace --max-steps: 0 is not a positive whole number",
    "%%trace --max-steps lots\n1": "%%trace --max-steps: lots is not a positive whole number",
    "%%trace --watch a+b\n1": r"%%trace --watch: 'a\+b' is not a variable name",
    "%%trace\n": "%%trace is a cell magic, but the cell body is empty",
    "%%trace\n   \n# nothing": "%%trace: the cell is empty; write the code to trace below",
    "%storage": "%storage: no tensor named; write for example %storage x",
    "%storage n": "%storage: n is not a tensor but an int",
    "%storage nosuch": "%storage: nosuch is not defined",
    "%graph u": "%graph: u does not require grad, so it has no graph",
    "%graph": "%graph: no tensor named",
    "%accumulate w": "%accumulate: nothing was traced yet",
    "%scatter": "%scatter: no expression",
    "%scatter w * 2": r"%scatter: w \* 2 has no index map",
    "%scatter nosuch": "%scatter: nosuch is not defined",
    "%scatter w(": r"%scatter: w\( is not an expression",
    "%leaves w": "%leaves: it lists all leaves and takes nothing",
    "%compare": "%compare: there are no two traces yet; record two cells",
    "%compare a": r"%compare: 1 trace named; write for example %compare a b",
    "%compare nosuch other": "%compare: there is no trace 'nosuch', nothing was traced yet; write %%trace --name nosuch in the first",
    "%compare broken broken": "%compare: this document has no schema",
    "%why": "%why: nothing was raised or traced yet",
    "%why n": "%why: n is not a tensor but an int",
    "%why nosuch.grad": "%why: nosuch is not defined",
    "%why 1 +": r"%why: 1 \+ is not an expression",
    "%why w w": "%why: w w is not an expression",
    "%why n + 1": r"%why: n \+ 1 raised nothing; write %why x.grad",
    "%why x = 3": "%why: x = 3 raised nothing",
    "%why held": r"%why: held is not a tensor but a list; write %why held\[0\]",
    "%why jgrad.autograd.backward([n])": r"%why: \[n\] is not a tensor but an int",
    "%grad w * 2 wrt held": r"%grad: held is a list; name the tensors in it, as in wrt held\[0\]",
    '%%trace "mine\n1': "%%trace: No closing quotation; write %%trace",
    "%why n.grad": "%why: n is not a tensor but an int",
    "%why w.grad.grad": "%why: w.grad is not a tensor but None",
    "%why 'no such words'": "%why: no rule of the catalogue knows the words 'no such words'",
}


@pytest.mark.parametrize("cell", BAD)
def test_bad_input_is_answered_by_one_line(shell: InteractiveShell, shown: list, cell: str) -> None:
    import re

    run(
        shell,
        "w = jgrad.tensor(1., requires_grad=True); u = jgrad.tensor(2.); m = jgrad.ones(2, requires_grad=True); n = 3; i = jgrad.tensor([1]); "
        "broken = {'schema': None}; held = [w]; x = w",
    )
    out, err, result = run(shell, cell)
    assert out == ""
    [line] = err.strip().split("\n")
    assert re.match(f"UsageError: (?:{BAD[cell]})", line), line
    assert not result.success
    assert shown == []
    assert shell.user_ns["x"] is shell.user_ns["w"]
    assert shell.user_ns["w"].grad is None


# Help, completion, loading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "magic",
    [
        "%%trace",
        "%grad",
        "%storage",
        "%graph",
        "%accumulate",
        "%scatter",
        "%leaves",
        "%attributes",
        "%compare",
        "%why",
    ],
)
def test_help_has_an_example(shell: InteractiveShell, magic: str) -> None:
    name = magic.lstrip("%")
    found = shell.find_cell_magic(name) if magic.startswith("%%") else shell.find_line_magic(name)
    example = found.__doc__.partition("Example")[2]
    assert magic in example
    assert run(shell, f"{magic}?")[2].success


@pytest.mark.parametrize(("line", "expected"), [
    ("%%trace --", ["--view", "--name", "--watch", "--max-steps", "--no-show"]),
    ("%%trace --m", ["--max-steps"]),
    ("%%trace --view ", ["timeline", "storage", "graph", "accumulation", "scatter"]),
    ("%%trace --view s", ["storage", "scatter"]),
    ("%%trace --view storage,g", ["storage,graph"]),
    ("%%trace --watch al", ["alpha"]),
    ("%storage al", ["alpha"]),
    ("%storage alpha be", ["beta"]),
    ("%why b", ["beta"]),
    ("%grad alpha * beta wrt b", ["beta"]),
    ("%grad alpha --", ["--order"]),
    ("g = %grad alpha wrt al", ["alpha"]),
    ("%timeit --", []),
    ("x = 1", []),
])  # fmt: skip
def test_completion(shell: InteractiveShell, line: str, expected: list[str]) -> None:
    run(shell, "alpha = jgrad.ones(1); beta = alpha * 2; _hidden = alpha; gamma = 3")
    assert Completer(shell).options(line) == expected
    with provisionalcompleter():
        found = [c.text for c in shell.Completer.completions(line, len(line))]
    assert set(expected) <= set(found)


def test_loading_twice_and_unloading_leave_nothing(shell: InteractiveShell, shown: list) -> None:
    fresh = InteractiveShell(config=shell.config)
    hooks = {
        "transformers": lambda s: [type(t).__name__ for t in s.input_transformers_post],
        "matchers": lambda s: len(s.Completer.custom_matchers),
        "line": lambda s: set(s.magics_manager.magics["line"]),
        "cell": lambda s: set(s.magics_manager.magics["cell"]),
        "events": lambda s: {e: len(c) for e, c in s.events.callbacks.items()},
        "formatters": lambda s: {k: len(f.type_printers) for k, f in s.display_formatter.formatters.items()},
        "registry": lambda s: "JgradMagics" in s.magics_manager.registry,
    }
    before = {k: f(fresh) for k, f in hooks.items()}
    run(fresh, "%load_ext jgrad")
    once = {k: f(fresh) for k, f in hooks.items()}
    run(fresh, "%load_ext jgrad\n%reload_ext jgrad")
    jgrad.load_ipython_extension(fresh)
    assert {k: f(fresh) for k, f in hooks.items()} == once != before
    _, err, _ = run(fresh, "%unload_ext jgrad")
    assert err == ""
    assert {k: f(fresh) for k, f in hooks.items()} == before
    assert run(fresh, "%%trace\n1")[1].strip() == "UsageError: Cell magic `%%trace` not found."
    assert run(fresh, "%grad 1")[1].strip() == "UsageError: Line magic function `%grad` not found."
    assert run(fresh, "%load_ext jgrad\n")[2].success
    assert run(fresh, "%%trace\n1")[2].success


def test_trace_objects_show_themselves(shell: InteractiveShell, shown: list) -> None:
    run(shell, "with jgrad.trace('mine') as t:\n    x = jgrad.ones(1)\n    y = x * 2")
    run(shell, "t")
    [(document, _, _)] = shown
    assert document["source"] == ["with jgrad.trace('mine') as t:", "    x = jgrad.ones(1)", "    y = x * 2"]
    assert [s["line"] for s in document["steps"]] == [2, 3]
    assert [v["names"] for v in document["tensors"]] == [[[0, "x"]], [[1, "y"]]]
    assert "<img" in shell.user_ns["t"]._repr_html_()
    assert [t.name for t in jgrad.trace.recent] == ["mine"]


def test_two_blocks_of_one_cell_are_two_traces(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "with jgrad.trace() as one:\n    w = jgrad.ones(1)\nwith jgrad.trace() as two:\n    v = jgrad.ones(1)",
    )
    documents = [shell.user_ns[name].document for name in ("one", "two")]
    assert [[name for t in d["tensors"] for _, name in t["names"]] for d in documents] == [["w"], ["v"]]


@pytest.mark.parametrize("magic", ["storage", "graph"])
def test_views_follow_in_notebooks_only(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, magic: str
) -> None:
    run(shell, "x = jgrad.ones(2, requires_grad=True)\ny = x * 2")
    assert "in notebooks only; leave --live out" in run(shell, f"%{magic} y --live")[1]
    monkeypatch.setattr(views, "show", lambda *_, **__: object())
    assert "y.clone() would be called after each cell" in run(shell, f"%{magic} --live y.clone()")[1]
