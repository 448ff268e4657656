"""The magics that show how things are: `%storage`, `%graph`, `%accumulate`, `%scatter`, `%leaves`, `%attributes`."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jgrad import views
from jgrad.notebook.lines import expressions
from tests.notebook.cells import run

pytestmark = pytest.mark.quick


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


def test_storage_of_numpy_arrays(shell: InteractiveShell, shown: list) -> None:
    """An array lies in the memory of its owner, also with negative strides and behind `as_strided`."""
    run(shell, "import numpy as np; n = np.arange(6.0); t = jgrad.from_numpy(n)")
    run(shell, "back, windows = n[::-2], np.lib.stride_tricks.sliding_window_view(n, 3)")
    run(shell, "%storage t n back windows")
    document = shown[0][0]
    assert len(document["storages"]) == 1
    rows = {t["names"][-1][1]: (t["origin"], t["stride"], t["storage_offset"]) for t in document["tensors"]}
    assert rows == {
        "t": ("create", [1], 0), "n": ("numpy", [1], 0), "back": ("numpy", [-2], 5), "windows": ("numpy", [1, 1], 0),
    }  # fmt: skip
    words = views.text(document, "storage")
    assert "NumPy array" in words
    assert "[i] lies at 5 − 2·i" not in words  # which the drawing has:
    assert "5 − 2·i" in views.svg(document, "storage")
    labels = views.svg(document, "storage")
    assert "back[0] is 5., element 5 of storage 1" in labels
    assert "back[2] is 1., element 1 of storage 1" in labels
    run(shell, "n[1] = 7\n%storage back")
    assert "back[2] is 7." in views.svg(shown[1][0], "storage")


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
    assert "no variable holds a leaf that requires grad" in out
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


@pytest.mark.parametrize("magic", ["storage", "graph"])
def test_views_follow_in_notebooks_only(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, magic: str
) -> None:
    run(shell, "x = jgrad.ones(2, requires_grad=True)\ny = x * 2")
    assert "in notebooks only; leave --live out" in run(shell, f"%{magic} y --live")[1]
    monkeypatch.setattr(views, "show", lambda *_, **__: object())
    assert "y.clone() would be called after each cell" in run(shell, f"%{magic} --live y.clone()")[1]


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("x * 2", ["x * 2"]),
        ("-x", ["-x"]),
        ("x, x[1:]", ["x", "x[1:]"]),
        ("x x[1:]", ["x", "x[1:]"]),
        ("f(x, 2) y", ["f(x, 2)", "y"]),
        ("x * 2, y", ["x * 2", "y"]),
    ],
)
def test_a_line_is_one_operation_or_several_expressions(line: str, texts: list[str]) -> None:
    assert expressions(line) == texts
