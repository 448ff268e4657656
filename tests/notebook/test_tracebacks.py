"""Tracebacks of traced code begin in the cell and end in the last line of the user's."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.notebook.cells import run

pytestmark = pytest.mark.quick

START = """\
import copy
import numpy as np
x = jgrad.ones(2, requires_grad=True)
net = jgrad.nn.Sequential(jgrad.nn.Linear(3, 2), jgrad.nn.Linear(5, 2))
def f(t):
    return t.view(7)
class Bad(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, t): return t * 2
    @staticmethod
    def backward(ctx, g): return g.view(7)
"""
# The cell that raises, and the lines of the user's through which the traceback goes.
ERRORS = {
    "an operator": ("x.view(7)", ["x.view(7)"]),
    "a function of another cell": ("f(x)", ["f(x)", "return t.view(7)"]),
    "an operator of Python": ("x @ x[:1]", ["x @ x[:1]"]),
    "an index": ("x[5]", ["x[5]"]),
    "backward": ("x.exp().backward()", ["x.exp().backward()"]),
    "a layer": ("net(jgrad.ones(1, 3))", ["net(jgrad.ones(1, 3))"]),
    "an optimizer": ("jgrad.optim.SGD([], 0.1)", ["jgrad.optim.SGD([], 0.1)"]),
    "a hook": (
        "y = x * 2\nh = y.register_hook(lambda g: 1 / 0)\ny.sum().backward()",
        ["y.sum().backward()", "h = y.register_hook(lambda g: 1 / 0)"],
    ),
    "a backward": (
        "Bad.apply(x).sum().backward()",
        ["Bad.apply(x).sum().backward()", "def backward(ctx, g): return g.view(7)"],
    ),
    "Python's own copy": (
        "copy.deepcopy(x * 2)",
        ["copy.deepcopy(x * 2)", "y = copier(memo)"],
    ),
    "the user": ("1 / 0", ["1 / 0"]),
    "another library": ("np.ones(3).reshape(7)", ["np.ones(3).reshape(7)"]),
    "a nested magic": ("%time f(x)", ["%time f(x)", "return t.view(7)"]),
}
MAGICS = {
    "no magic": "{}",
    "cell": "%%trace --no-show\n{}",
    "nested": "%%trace --no-show\n%%time\n{}",
    "line": "%trace --no-show {}",
}


def arrows(out: str) -> list[str]:
    """The lines that a traceback points at."""
    pointed = [line.strip() for line in out.split("\n") if line.startswith("-") and "> " in line]
    return [line.split("> ", 1)[1].split(" ", 1)[1].strip() for line in pointed]


CASES = [
    (case, magic)
    for case, (cell, _) in ERRORS.items()
    for magic in MAGICS
    if not (magic == "line" and "\n" in cell) and not (magic in ("line", "no magic") and cell.startswith("%"))
]


@pytest.mark.parametrize(("case", "magic"), CASES)
def test_a_traceback_ends_in_the_code_of_the_user(shell: InteractiveShell, case: str, magic: str) -> None:
    cell, lines = ERRORS[case]
    if magic == "line":
        lines = [f"%trace --no-show {lines[0]}", *lines[1:]]
    run(shell, START)
    out, _, result = run(shell, MAGICS[magic].format(cell))
    pointed = arrows(out)
    user = [line for line in pointed if line in lines]
    assert user == lines
    assert pointed[-1] == lines[-1]
    assert "magics.py" not in out
    assert "nested.py" not in out
    assert out.rstrip().endswith(str(result.error_in_exec).rstrip().split("\n")[-1])
    assert ("not shown; %xmode Verbose" in out) == (case not in ("the user", "another library", "a hook"))


def test_the_layer_that_failed_is_named(shell: InteractiveShell) -> None:
    run(shell, START)
    out, _, _ = run(shell, "%%trace --no-show\nnet(jgrad.ones(1, 3))")
    assert "of jgrad in Linear(in_features=5, out_features=2, bias=True) not shown" in out


def test_verbose_shows_every_frame_and_the_error_keeps_them(shell: InteractiveShell) -> None:
    run(shell, START)
    _, _, result = run(shell, "%%trace --no-show\nx.view(7)")
    tb = result.error_in_exec.__traceback__
    files = []
    while tb is not None:
        files.append(tb.tb_frame.f_code.co_filename)
        tb = tb.tb_next
    assert files[-1].endswith(".py")  # the debugger has all frames
    run(shell, "%xmode Verbose")
    run(shell, "x.view(7)")
    assert "kernels" in run(shell, "%tb")[0]
    run(shell, "%%trace --no-show\nx.view(7)")
    out, _, _ = run(shell, "%tb")
    assert "kernels" in out
    assert "not shown" not in out
    run(shell, "%xmode Minimal")
    assert run(shell, "%tb")[0].strip() == f"RuntimeError: {result.error_in_exec}"


def test_a_cell_that_is_interrupted(shell: InteractiveShell, shown: list) -> None:
    run(shell, START)
    out, _, result = run(shell, "%%trace\ny = x * 2\nraise KeyboardInterrupt")
    assert isinstance(result.error_in_exec, KeyboardInterrupt)
    assert arrows(out) == ["raise KeyboardInterrupt"]
    [(document, _, cursor)] = shown
    assert [s["kind"] for s in document["steps"]] == ["op", "error"]
    assert cursor == 2


@pytest.mark.parametrize("line", ["%grad x.view(7)", "%scatter x.view(7)"])
def test_what_an_expression_of_a_line_raises_is_one_line(shell: InteractiveShell, line: str) -> None:
    run(shell, START)
    out, err, _ = run(shell, line)
    assert out == ""
    assert err.startswith("UsageError:")
    assert err.count("\n") == 1
    assert "raised RuntimeError: shape '[7]' is invalid" in err
