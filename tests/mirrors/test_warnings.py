"""PyTorch's warnings: `%why` explains them, whether the cell was traced or not, and they are shown as ever."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from jgrad.tracing.explain import Rule
from tests.explain.mistakes import RULES
from tests.mirrors.test_mistakes import of_torch
from tests.words.page import a_shell

torch = pytest.importorskip("torch")

BLANK = re.compile(r"\{\w+\}")
WARNED = [rule for rule in RULES if rule.raised[0] == "UserWarning"]


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    torch.set_warn_always(True)
    with a_shell() as shell, warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda *_: None  # as a notebook has one; here nobody reads it
        run(shell, "%reload_ext jgrad\nimport torch")
        yield shell
        run(shell, "%unload_ext jgrad")
    torch.set_warn_always(False)


def run(shell: InteractiveShell, cell: str) -> str:
    with capture_output(display=False) as captured:
        shell.run_cell(cell)
    return captured.stdout


@pytest.mark.parametrize("traced", [False, True], ids=["untraced", "traced"])
@pytest.mark.parametrize("rule", WARNED, ids=lambda rule: rule.code)
def test_why_explains_what_pytorch_warned_of(shell: InteractiveShell, rule: Rule, traced: bool) -> None:
    run(shell, "%%trace --no-show\n" * traced + of_torch(rule.example))
    said = run(shell, "%why")
    repair = of_torch(rule.repair)
    if traced:  # there a remark of the trace may say the same with more names
        repair = repair.split(",")[0]
    for part in BLANK.split(repair):
        assert part in " ".join(said.split())


def test_a_warning_of_a_traced_cell_names_the_line_of_the_user(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch is called by way of our code there, and names the line that called it."""
    lines = []
    monkeypatch.setattr(warnings, "showwarning", lambda *args: lines.append(args[3]))
    cell = "w = torch.ones(1, requires_grad=True)\ny = w * 2\n[w.grad, y.grad]"
    run(shell, cell)
    run(shell, "%%trace --no-show\n" + cell)
    assert lines == [3, 4]


def test_a_warning_from_within_pytorch_is_about_the_line_that_called_it(shell: InteractiveShell) -> None:
    run(shell, "w = torch.ones(1, requires_grad=True)\nopt = torch.optim.SGD([w, w], 0.1)")
    assert run(shell, "%why").startswith("line 2: the list of parameters has a tensor twice")


def test_warnings_are_shown_as_without_us_and_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(warnings, "showwarning", lambda *args: shown.append(args))
    own = warnings.showwarning
    with jgrad.trace() as t:
        with jgrad.trace():
            warnings.warn("one", stacklevel=1)
        warnings.warn("two", stacklevel=1)
        jgrad.ones(3, requires_grad=True).sum().backward()
    assert warnings.showwarning is own
    assert [str(args[0]) for args in shown] == ["one", "two"]
    assert t.failures == []
