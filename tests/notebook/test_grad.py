"""`%grad`: derivatives of an expression."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jgrad.notebook.magics import Gradients
from tests.notebook.cells import run
from tests.record.tracing import valid

pytestmark = pytest.mark.quick


def test_grad_of_the_source_documents_example(shell: InteractiveShell, shown: list) -> None:
    run(shell, "x = jgrad.tensor([2.]); w = jgrad.tensor([1.], requires_grad=True)")
    out, err, result = run(shell, "%grad (x + w) * (w + 1) wrt w")
    assert err == ""
    row = next(line for line in out.split("\n") if line.startswith("w "))
    assert row.split()[:3] == ["w", "[1.]", "[5.]"]
    assert "[3.] by MulBackward0: ∂/∂(w + 1) = x + w, AddBackward0" in out
    assert "[2.] by MulBackward0: ∂/∂(x + w) = w + 1, AddBackward0" in out
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


def test_grad_leaves_a_graph_to_be_run(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.tensor(2., requires_grad=True); y = w * w")
    assert run(shell, "%grad y wrt w")[2].success
    assert run(shell, "y.backward()")[2].success
    assert shell.user_ns["w"].grad.item() == 4
