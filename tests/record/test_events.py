"""Events: each is declared once, and nothing else knows the order of its fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.record import declared, events, records
from jgrad.tracing.record.references import Marks, Numbers, marking, renumbering, renumbering_record

pytestmark = pytest.mark.quick

ROOMS = Path(jgrad.__file__).parent / "tracing"
LAYOUT = {"declared.py", "events.py", "references.py"}  # which know it
DECLARED = {
    name: kind
    for module in (events, records)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
}
EVENTS = [kind for kind in DECLARED.values() if kind.__module__ == events.__name__ and kind.__doc__]
NOT_EVENTS = (events.Write, events.GradWrite, events.GradChange)


class Plus(dict):
    """The new number of each old one: so much more."""

    def __init__(self, more: int) -> None:
        self.more = more

    def __missing__(self, old: int | None) -> int | None:
        return None if old is None else old + self.more


def test_an_entry_is_read_as_what_was_written() -> None:
    entry: Any = events.operation("op", "mul", None, 3, [0, 1], [2], 5)
    assert entry == (events.Operation, "op", "mul", None, 3, [0, 1], [2], 5)  # a plain tuple
    event = events.told(entry)
    assert event == events.Operation("op", "mul", None, 3, [0, 1], [2], 5)
    assert (event.reads, event.node, events.kind_of(entry)) == ([0, 1], 5, events.Operation)


def test_numbers_are_found_by_the_types_of_fields() -> None:
    write = events.write(1, 2, None, 3, 4, None, (4, b""), None)  # type: ignore[arg-type]
    entry: Any = events.accumulated(10, None, 20, 30, True, 0, None, None, None, None, write)
    numbers = Numbers(Plus(100), Plus(200), Plus(300), Plus(400), Plus(500))
    new = events.told(renumbering(events.Accumulated, entry=True)(entry, *numbers))
    assert (new.tensor, new.call, new.node, new.makes) == (110, 420, 330, None)
    assert declared.read(events.Write, new.write)[:5] == (101, 202, None, 3, 4)
    marks = Marks(set(), set(), set())
    marking(events.Accumulated)(entry, *marks)
    assert marks == Marks({10, 1, None}, {2}, {30})


def test_what_was_removed_is_no_key_of_a_gap() -> None:
    change = events.grad_change(None, None)
    entry: Any = events.gap(1, 2, 3, {}, {4: change, 5: change})
    numbers = Numbers({4: 0}, {}, {}, {}, {})
    assert events.told(renumbering(events.Gap, entry=True)(entry, *numbers)).grads == {0: change}


def test_index_maps_keep_what_has_no_numbers() -> None:
    grid = {"tensor": 1, "elements": ["1."]}
    made: Any = {"title": "gather", "indices": [grid], "source": grid, "before": None, "target": grid}
    numbers = Numbers(Plus(10), {}, {}, {}, Plus(20))
    entry: Any = events.mapped(7, made | {"forward_step": 2})
    new = events.told(renumbering(events.Mapped, entry=True)(entry, *numbers))
    moved = grid | {"tensor": 11}
    assert new.step == 27
    assert new.map == made | {"indices": [moved], "source": moved, "target": moved, "forward_step": 22}
    assert [*new.map] == [*made, "forward_step"]


@pytest.mark.parametrize("event", [e for e in EVENTS if e not in NOT_EVENTS], ids=lambda e: e.__name__)
def test_each_event_is_told_by_a_function_of_its_own(event: Any) -> None:
    writers = [f for f in vars(events).values() if getattr(f, "__name__", "") == "<lambda>"]
    names = event._fields
    made = [f(*range(len(names))) for f in writers if f.__code__.co_varnames == names]
    assert (event, *range(len(names))) in made


def test_records_get_new_numbers_where_their_attributes_are_numbers() -> None:
    with Trace() as t:
        x = jgrad.ones(2, requires_grad=True)
        y = (x * x).sum()
    record = t._recorder.nodes[0]  # type: ignore[union-attr]
    before = (record.id, record.name, [*record.saved], record.born)
    renumbering_record(records.NodeRecord)(record, *[Plus(100 * n) for n in range(1, 6)])
    saved = [(name, tensor + 100, version) for name, tensor, version in before[2]]
    assert (record.id, record.name, record.saved, record.born) == (
        before[0] + 300,
        before[1],
        saved,
        before[3] + 500,
    )
    assert y.item() == 2


# A lint ---------------------------------------------------------------------------------------------------------------------------------

# What a declared tuple is called where its fields are read: what `told` and `read` give, and parameters and variables with a declared type.
# (mypy refuses to look into an entry, or into a plain tuple, that was not read.)
HOMES = (events.__name__, records.__name__, declared.__name__)


def imported(module: ast.Module) -> set[str]:
    """What a module calls declarations and the functions that read."""
    found = {"events.told", *[f"events.{name}" for name in DECLARED]}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module in HOMES:
            found |= {one.name for one in node.names}
    return found & {"told", "read", "events.told", *DECLARED, *[f"events.{name}" for name in DECLARED]}


def annotation(node: ast.arg | ast.AnnAssign) -> str:
    return "" if node.annotation is None else ast.unparse(node.annotation).removesuffix(" | None")


def by_position(module: ast.Module) -> Iterator[int]:
    """The lines of a module that take a declared tuple apart by position."""
    known = imported(module)

    def reads(value: ast.AST) -> bool:
        return isinstance(value, ast.Call) and ast.unparse(value.func) in known

    for scope in ast.walk(module):
        if not isinstance(scope, ast.FunctionDef):
            continue
        named = set()
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and reads(node.value):
                named |= {ast.unparse(target) for target in node.targets}
            elif isinstance(node, ast.arg) and annotation(node) in known:
                named.add(node.arg)
            elif isinstance(node, ast.AnnAssign) and annotation(node) in known:
                named.add(ast.unparse(node.target))
        for node in ast.walk(scope):
            apart = isinstance(node, (ast.Subscript, ast.Starred)) or (
                isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List))
            )
            if apart and (reads(node.value) or ast.unparse(node.value) in named):
                yield node.lineno


def test_nothing_else_takes_a_declared_tuple_apart_by_position() -> None:
    found = [
        f"{path.relative_to(ROOMS)}:{line}"
        for path in sorted(ROOMS.rglob("*.py"))
        if path.name not in LAYOUT
        for line in by_position(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == [], "fields of declared tuples have names"


@pytest.mark.parametrize(
    "source",
    [
        "def f(self, event: events.Wrote):\n    step, write, grad = event",
        "def f(fields):\n    write = read(Write, fields)\n    return write[1]",
        "def f(noted):\n    return told(noted)[1]",
        "def f(use: FunctionUse | None):\n    return g(*use)",
    ],
)
def test_the_lint_sees_it(source: str) -> None:
    imports = "".join(f"from {home} import told, read, Write, FunctionUse\n" for home in HOMES)
    assert [*by_position(ast.parse(imports + source))]
