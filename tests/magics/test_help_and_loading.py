"""Help, and what loading and unloading the extension leaves behind."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from tests.magics.cells import run

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
def test_help_has_an_example(shell: InteractiveShell, magic: str) -> None:
    name = magic.lstrip("%")
    found = shell.find_cell_magic(name) if magic.startswith("%%") else shell.find_line_magic(name)
    example = found.__doc__.partition("Example")[2]
    assert magic in example
    assert run(shell, f"{magic}?")[2].success


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
