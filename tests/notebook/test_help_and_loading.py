"""Help, and what loading and unloading the extension leaves behind."""

from __future__ import annotations

import inspect

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from jgrad.notebook import completion
from jgrad.views import VIEWS
from tests.notebook.cells import run

pytestmark = pytest.mark.quick


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
def test_help(shell: InteractiveShell, magic: str) -> None:
    """The same help three ways: what the magic does, how it is called, its options, two examples; short."""
    name = magic.lstrip("%")
    printed, err, result = run(shell, f"{magic} --help")
    assert err == ""
    assert result.success
    found = shell.find_cell_magic(name) if magic.startswith("%%") else shell.find_line_magic(name)
    assert inspect.cleandoc(found.__doc__) == printed.rstrip("\n")
    what, usage = printed.split("Usage:")
    assert what[0].isupper()
    assert what.rstrip().endswith(".")
    usage, examples = usage.split("Examples:")
    assert f"    {magic}" in usage
    calls = [
        line for line in examples.split("\n") if line.startswith(("    %", "    g = %", "    table = %"))
    ]
    assert len(calls) >= 2
    assert all(f"%{name}" in call for call in calls)
    assert len(printed.split("\n")) < 40
    assert max(map(len, printed.split("\n"))) < 80
    for option in completion.OPTIONS.get(name, ()):
        assert f"    {option}" in usage
    with capture_output() as captured:
        shell.run_line_magic("pinfo", magic)
    assert usage.strip().split("\n")[0] in captured.stdout


def test_help_names_all_views(shell: InteractiveShell) -> None:
    printed = " ".join(run(shell, "%%trace --help")[0].split())
    assert f"views to show first: {', '.join(VIEWS)}." in printed


def test_help_does_nothing_else(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True)")
    out, err, _ = run(shell, "%%trace --help\nw.sum().backward()")
    assert out.startswith("Run a cell, or one line")
    assert err == ""
    assert shell.user_ns["w"].grad is None
    assert "Differentiate an expression" in run(shell, "%grad w.sum() --help")[0]
    assert shown == []


def test_loading_twice_and_unloading_leave_nothing(shell: InteractiveShell, shown: list) -> None:
    fresh = InteractiveShell(config=shell.config)
    hooks = {
        "transformers": lambda s: [type(t).__name__ for t in s.input_transformers_post],
        "matchers": lambda s: len(s.Completer.custom_matchers),
        "line": lambda s: set(s.magics_manager.magics["line"]),
        "cell": lambda s: set(s.magics_manager.magics["cell"]),
        "events": lambda s: {e: len(c) for e, c in s.events.callbacks.items()},
        "formatters": lambda s: {k: len(f.type_printers) for k, f in s.display_formatter.formatters.items()},
        "traceback": lambda s: "structured_traceback" in vars(s.InteractiveTB),
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
