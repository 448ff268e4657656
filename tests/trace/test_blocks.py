"""What a `with jgrad.trace()` block takes notice of: itself, not what stands around it.

The blocks are in functions without `assert`: pytest makes of that a call of `locals()`, and of a function that calls it the recorder leaves
the variables alone.
"""

from __future__ import annotations

import linecache
import textwrap
from pathlib import Path
from typing import Any

import pytest

import jgrad

pytestmark = pytest.mark.quick

scale = jgrad.ones(2)


def scaled(x: Any) -> Any:
    return x * scale


def names(t: Any) -> set[str]:
    return {name for tensor in t.document["tensors"] for _, name in tensor["names"] if name}


def three_blocks() -> list[Any]:
    with jgrad.trace() as first:
        w = jgrad.ones(2, requires_grad=True)
        y = w * 2
    with jgrad.trace() as second:
        v = jgrad.ones(2, requires_grad=True)
        v.sum().backward()
    with jgrad.trace() as third:
        y.sum().backward()
    return [first, second, third]


def test_a_block_knows_nothing_of_the_one_before() -> None:
    first, second, third = three_blocks()
    assert names(first) == {"w", "y"}
    assert names(second) == {"v", "v.grad"}
    assert "y" in names(third)
    made = [[n["name"] for n in t.document["nodes"]] for t in (second, third)]
    assert "MulBackward0" not in made[0]
    assert "MulBackward0" in made[1]


def calling() -> tuple[Any, Any]:
    with jgrad.trace() as t:
        y = scaled(jgrad.ones(2))
    return t, y


def test_variables_of_the_functions_it_calls_have_names() -> None:
    assert names(calling()[0]) == {"scale", "x", "y"}


def enclosing() -> tuple[Any, Any]:
    inner = jgrad.ones(2)
    with jgrad.trace() as t:
        y = (lambda: inner * 3)()
    return t, y


def test_variables_of_closures_have_names() -> None:
    assert names(enclosing()[0]) == {"inner", "y"}


def watching() -> tuple[Any, Any]:
    far = jgrad.ones(3)
    with jgrad.trace(watch=["far"]) as t:
        y = jgrad.ones(2)
    return t, (y, far)


def test_what_is_watched_is_followed() -> None:
    assert names(watching()[0]) == {"far", "y"}


@pytest.mark.parametrize("start", ["", "def block():\n    global second\n"])
def test_what_a_block_replaces_is_not_in_its_trace(start: str) -> None:
    """The y of one block is of no interest in the next, which gives y a new value, and its graph isn't shown there."""
    body = textwrap.dedent("""
        w = jgrad.ones(2, requires_grad=True)
        with jgrad.trace():
            y = (w * 2).exp()
        with jgrad.trace() as second:
            y = w * 3
            y.sum().backward()
    """)
    source = start + textwrap.indent(body, "    ") + "block()" if start else body
    namespace = {"jgrad": jgrad, "__name__": "__main__"}
    linecache.cache["<two blocks>"] = (len(source), None, source.splitlines(True), "<two blocks>")
    exec(compile(source, "<two blocks>", "exec"), namespace)
    document = namespace["second"].document
    assert [n["name"] for n in document["nodes"] if n["variable"] is None] == ["MulBackward0", "SumBackward0"]
    assert [t["names"] for t in document["tensors"] if t["created_step"] == -1] == [[[-1, "w"]]]


def test_what_a_function_outside_of_the_block_does_is_at_the_line_of_its_call(tmp_path: Path) -> None:
    # One operation at each place of the function's code, so that some are at the places that the calls have in theirs.
    source = textwrap.dedent(f"""
        def negated(x):
            return {"-" * 90}x
        with jgrad.trace() as t:
            x = jgrad.ones(2)
            x = negated(x)
            x = negated(x)
            x = negated(x)
    """)
    path = tmp_path / "calls.py"
    path.write_text(source)
    namespace = {"jgrad": jgrad, "__name__": "__main__"}
    exec(compile(source, str(path), "exec"), namespace)
    lines = [step["line"] for step in namespace["t"].document["steps"]]
    assert lines == [1] + [2] * 90 + [3] * 90 + [4] * 90
