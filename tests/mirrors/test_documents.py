"""A cell on PyTorch makes the trace document that it makes on jgrad.

The documents of all of `tests/programs`, and of some random programs, are compared field by field. `documents.json` holds, for each
program whose documents differ, where they first do and why, as a name in `causes.py`, which finds the cause in the documents. This list may
only shrink: `python -m tests.mirrors.test_documents` writes it anew, and the counts of docs/torch.md too.
"""

from __future__ import annotations

import gc
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace, compare
from tests.mirrors.alike import first_difference
from tests.mirrors.both import on_both
from tests.programs import PROGRAMS, Program, run

torch = pytest.importorskip("torch")

from tests.mirrors.causes import CAUSES, cause_of  # noqa: E402
from tests.mirrors.test_nothing_changes import LONG, traced  # noqa: E402
from tests.record.test_truth import source_of  # noqa: E402
from tests.same_as_torch.random_programs import PRELUDE, always_warning  # noqa: E402
from tests.same_as_torch.random_programs import program as random_program  # noqa: E402

STORED = Path(__file__).parent / "documents.json"
SEEDS = 100
QUICK = 12  # of so many programs one is in the quick tests

TASTE = """
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
frozen = w.detach()            # shares w's memory and its version counter
copied = w.clone()             # memory of its own, still in the graph
copied[0] = 10.0               # an in-place write
(copied * 2).sum().backward()
(w ** 2).sum().backward()      # .grad is added to, not replaced
"""
SCATTER = """
src = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
index = torch.tensor([[0, 1, 2], [0, 1, 0]])
out = torch.zeros(3, 3).scatter_(0, index, src)
out.sum().backward()
added = torch.zeros(3, 3).scatter_add(0, index, src)
(added * added).sum().backward()
"""
STALE = """
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x.exp()
y.mul_(2)
y.sum().backward()
"""
FUNCTION = """
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return 3 * x * x * grad

a = torch.tensor([1., 2.], requires_grad=True)
b = Cube.apply(a)
b.sum().backward()
"""


@pytest.mark.parametrize("source", [TASTE, SCATTER, STALE, FUNCTION])
def test_every_step_has_the_same_sentence(source: str) -> None:
    ours, theirs = on_both(source, torch)
    assert [s["text"] for s in theirs.document["steps"]] == [s["text"] for s in ours.document["steps"]]
    assert [n["text"] for n in theirs.document["notes"]] == [n["text"] for n in ours.document["notes"]]


@pytest.mark.parametrize("source", [STALE, FUNCTION])
def test_no_step_differs(source: str) -> None:
    assert "No step differs" in str(compare(*on_both(source, torch)))


def written(seed: int) -> Program:
    """A random program, in the form of those in `tests/programs`."""
    text = (
        PRELUDE
        + "errors = []\ndef log(*values): pass\n"
        + source_of(random_program(random.Random(seed).choice))
    )
    return Program(Path("random.py"), 1, f"{seed}", text)


ALL = [p for p in PROGRAMS if p.name not in LONG]
COMPARED = [*ALL, *map(written, range(SEEDS))]
DIFFERENT: dict[str, list[str]] = json.loads(STORED.read_text())  # where, and why
DOCS = Path(__file__).parents[2] / "docs" / "torch.md"
TABLE = re.compile(
    r"(?<=<!-- Written by python -m tests.mirrors.test_documents: -->\n\n).*?(?=\n\n)", re.DOTALL
)


def document(library: Any, program: Program) -> Any:
    t = Trace("cell", max_steps=1000)
    library.manual_seed(0)
    with always_warning(), without_collection():
        run(library, program, lambda variables: traced(t, program, variables))
    if t.failures:
        raise t.failures[0]
    return t.document


@contextmanager
def without_collection() -> Iterator[None]:
    """Python collects no garbage while a program runs: what it collects depends on what ran before."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def found(program: Program) -> list[str]:
    """Where the documents of a program part, and why; empty if they don't."""
    try:
        ours, theirs = document(jgrad, program), document(torch, program)
    except Exception as error:  # of the recorder's, which a trace says of itself
        return [f"{type(error).__name__}: {error}", ""]
    where = first_difference(ours, theirs)
    # (Lifetimes also depend on when Python collects garbage.)
    return [] if where in ("", "lifetimes") else [where, cause_of(ours, theirs, program.text) or "unknown"]


@pytest.mark.slow
@pytest.mark.one_in(18)
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(p, id=p.name, marks=[pytest.mark.quick] * (i % QUICK == 0))
        for i, p in enumerate(COMPARED)
    ],
)
def test_documents_differ_no_more_than_before(program: Program) -> None:
    stored, now = DIFFERENT.get(program.name, []), found(program)
    assert not now or stored, f"the documents differ: {now}"
    by_chance = stored[1:] == ["memory"]  # of memory that nothing was written to
    assert not stored or now or by_chance, (
        "the documents no longer differ: take the program from documents.json"
    )
    assert not now or by_chance or now[1] == stored[1], f"they differ for another reason: {now}, not {stored}"
    assert not now or now[1] != "unknown" or now == stored, (
        f"they differ at another place: {now}, not {stored}"
    )


def test_each_difference_has_a_cause_that_docs_count() -> None:
    assert {cause for _, cause in DIFFERENT.values()} <= CAUSES.keys()
    assert table() in DOCS.read_text()


def table() -> str:
    """The causes, and how many programs each has, for docs/torch.md."""
    counts = Counter(cause for _, cause in DIFFERENT.values())
    rows = [f"| `{cause}` | {count} | {CAUSES[cause]} |" for cause, count in counts.most_common()]
    return "\n".join(["| cause | programs | |", "|---|---|---|", *rows])


def main(names: list[str]) -> None:
    """Compare, and write down where they part. `names`: only those programs, of which the rest of the list is kept; `listed` is all of the list."""
    chosen = {*DIFFERENT} if names == ["listed"] else {*names}
    for program in COMPARED:
        if not chosen or program.name in chosen:
            DIFFERENT.pop(program.name, None)
            if where := found(program):
                DIFFERENT[program.name] = where
    order = [p.name for p in COMPARED]
    kept = sorted(DIFFERENT.items(), key=lambda item: order.index(item[0]))
    STORED.write_text("{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in kept) + "\n}\n")
    if all(cause for _, cause in DIFFERENT.values()):  # else the recorder failed
        DOCS.write_text(TABLE.sub(lambda _: table(), DOCS.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
