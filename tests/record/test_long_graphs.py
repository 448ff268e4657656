"""Graphs of many nodes: a document holds those of what is kept, and one record in place of all others of a sleep. What leads to a leaf still does."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned
from tests.record.tracing import asked, valid

MOST = 40  # steps that are kept here

CHAIN = """
w = jgrad.ones(3, requires_grad=True)
y = w
for i in range(2000): y = y * 1.01
loss = y.sum()
"""
STATE = """
w = jgrad.ones(3, requires_grad=True)
v = jgrad.ones(3, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.001)
h = jgrad.zeros(3)
for i in range(3000):
    h = jgrad.tanh(h + w if i < 2000 else h + v)
    w.square().sum().backward()
    opt.step()
    opt.zero_grad()
loss = h.sum()
"""
TWO = """
w, v = jgrad.ones(3, requires_grad=True), jgrad.ones(3, requires_grad=True)
a, b = w, v
for i in range(1000):
    a = a * 1.01
    b = b.cos()
left, right, loss = a.sum(), b.sum(), (a + b).sum()
"""
PARTS = """
w, v = jgrad.ones(3, requires_grad=True), jgrad.ones(3, requires_grad=True)
states = []
h = w
for i in range(1000):
    h = h.sin()
    states.append(h)
for i in range(1000):
    h = h + v
half, loss = states[500].sum(), h.sum()
"""
# The sequence number of a node without a derivative says nothing of its age.
WITHOUT = """
w, v = jgrad.ones(3, requires_grad=True), jgrad.ones(3, requires_grad=True)
y = w // 1
for i in range(2000): y = y * 1.01 + v // 1 if i % 10 == 0 else y * 1.01
loss = y.sum()
"""
GRAPHS = {
    "without derivatives": WITHOUT,
    "chain": CHAIN,
    "state of many rounds": STATE,
    "two": TWO,
    "parts": PARTS,
}


@pytest.fixture(autouse=True)
def no_cell_stays() -> Iterator[None]:
    yield
    linecache.cache.pop("<cell>", None)


def run(source: str) -> tuple[Trace, dict[str, Any]]:
    """The trace of a cell, whose statements are run one after the other as `%%trace` does it, and its variables."""
    source = source.strip("\n")
    linecache.cache["<cell>"] = (len(source), None, [f"{line}\n" for line in source.split("\n")], "<cell>")
    names: dict[str, Any] = {"jgrad": jgrad, "__name__": "__main__"}
    code = compile(source, "<cell>", "exec")
    t = Trace(max_steps=MOST)
    t._source = Source(source.split("\n"))
    with t.recording(Scope("<cell>", names, mentioned(code))) as outcome:
        for statement in ast.parse(source).body:
            exec(compile(ast.Module([statement], []), "<cell>", "exec"), names)
            t.statement_ended()
    assert outcome.error is None
    assert t.failures == []
    assert valid(t.document)
    t.namespace = names
    return t, names


def leaves(tensor: Any, names: dict[str, Any]) -> set[str]:
    """The names of the leaves that a tensor was computed from."""
    todo, found, known = [tensor.grad_fn], set(), set()
    while todo:
        node = todo.pop()
        if node is not None and node not in known:
            known.add(node)
            leaf = getattr(node, "variable", None)
            found |= {name for name in ("w", "v") if names.get(name) is leaf is not None}
            todo += [following for following, _ in node.next_functions]
    return found


def leaves_shown(log: Log, name: str) -> set[str]:
    """The same by the document."""
    (number,) = [t["id"] for t in log.tensors if t["names"] and t["names"][-1][1] == name]
    node = log.tensors[number]["grad_fn"]
    variables = [log.nodes[n]["variable"] for n in log.nodes_behind(node)]
    return {log.tensors[v]["names"][-1][1] for v in variables if v is not None}


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_long_graph_is_bounded_and_leads_where_it_leads(graph: str) -> None:
    t, names = run(GRAPHS[graph])
    document = t.document
    log = Log(document)
    assert len(document["nodes"]) <= 10 * MOST
    rests = [n for n in document["nodes"] if n["name"].endswith(" nodes")]
    assert sum(int(n["name"].split()[0]) for n in rests) > 500
    for name in ("loss", "left", "right", "half"):
        if name in names:
            assert leaves_shown(log, name) == leaves(names[name], names), name


@pytest.mark.parametrize("graph", GRAPHS)
def test_nothing_leads_back_to_itself(graph: str) -> None:
    nodes = run(GRAPHS[graph])[0].document["nodes"]
    left = {n["id"]: {to for to, _ in n["next_functions"] if to is not None} for n in nodes}
    while ends := [n for n, following in left.items() if not following & left.keys()]:
        for n in ends:
            del left[n]
    assert left == {}


def test_all_nodes_are_counted_once() -> None:
    t, _ = run(CHAIN)
    nodes = t.document["nodes"]
    (rest,) = [n for n in nodes if n["name"].endswith(" nodes")]
    others = [n for n in nodes if n["variable"] is None and n is not rest]
    assert int(rest["name"].split()[0]) + len(others) == 2001


def test_nodes_that_run_are_described_with_what_they_lead_to() -> None:
    """There is no room for any node of the sleep, but those that run have steps."""
    source = CHAIN.replace("y = y * 1.01", "states.append(states[-1] * 1.01)").replace(
        "y = w", "states = [w]"
    )
    source = source.replace("y.sum()", "states[-1].sum()") + "g = jgrad.autograd.grad(loss, states[-9])"
    document = run(source)[0].document
    ran = [step["node"] for step in document["steps"] if step["kind"] == "node"]
    assert [document["nodes"][n]["name"] for n in ran] == ["SumBackward0", *["MulBackward0"] * 8]
    for one, following in pairwise(ran):
        assert document["nodes"][one]["next_functions"][0][0] == following


def test_why_knows_what_a_long_graph_leads_to() -> None:
    t, names = run(PARTS + "half.backward()")
    assert "v.grad is None" in asked("v.grad", t)
    assert names["v"].grad is None


def test_a_short_graph_has_no_rest() -> None:
    document = run(CHAIN.replace("2000", "30"))[0].document
    assert not [n for n in document["nodes"] if n["name"].endswith(" nodes")]


def test_memory_is_bounded() -> None:
    """Of 50,000 nodes a document has no more than of 5,000."""
    sizes = []
    for count in ("5000", "50000"):
        t, _ = run(CHAIN.replace("2000", count))
        sizes.append(len(t.document["nodes"]))
    assert sizes[0] == sizes[1]
