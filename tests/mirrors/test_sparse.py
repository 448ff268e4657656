"""Sparse gradients of PyTorch's, and its tensors on the device meta: what is said is true, and nothing fails."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import jgrad
from jgrad.asking.question import answer
from tests.mirrors.both import on_both, record

torch = pytest.importorskip("torch")

EMBEDDING = """
torch.manual_seed(0)
emb = torch.nn.Embedding(ROWS, 2, sparse=True)
opt = torch.optim.OPTIMIZER(emb.parameters(), lr=0.5)
for _ in range(ROUNDS):
    opt.zero_grad()
    (emb(torch.tensor([1, 2, 1])) ** 2).sum().backward()
    opt.step()
"""


def said(text: str, t: Any) -> str:
    return "\n".join(passage.text for passage in answer(text, t.namespace, [t], {}))


@pytest.mark.parametrize("optimizer", ["SGD", "SparseAdam", "Adagrad"])
@pytest.mark.parametrize(("rows", "rounds"), [(4, 3), (3000, 3), (4, 900)])
def test_a_sparse_gradient_is_seen(optimizer: str, rows: int, rounds: int) -> None:
    program = (
        EMBEDDING.replace("OPTIMIZER", optimizer).replace("ROWS", str(rows)).replace("ROUNDS", str(rounds))
    )
    t: Any = record(program, torch)
    assert t.failures == []
    grad = t.namespace["emb"].weight.grad
    assert grad.is_sparse
    assert [n["code"] for n in t.document["notes"] if n["severity"] != "info"] == []
    assert "computed it" in said("emb.weight.grad", t)
    assert said("emb", t).startswith("emb trains")
    assert said("opt.step()", t).startswith("opt.step() would change")
    added = [s["grad"] for s in t.document["steps"] if s["kind"] == "accumulate"]
    assert added[-1]["after"]["norm"] == pytest.approx(float(grad.to_dense().norm()), rel=1e-5)


@pytest.mark.parametrize("library", [torch, jgrad])
def test_a_large_sparse_gradient_is_searched_for_nan(library: Any) -> None:
    """The rule looks into the living tensor where the trace does not have all elements: into all that are not zero."""
    program = EMBEDDING.replace("OPTIMIZER", "SGD").replace("ROWS", "3000").replace("ROUNDS", "2")
    program += "bad = emb.weight.detach() * float('nan')\n"
    t: Any = record(program, library)
    assert t.document
    assert t.failures == []
    assert [n["text"] for n in t.document["notes"]] == [
        "line 8 (emb.weight.detach() * float('nan')) put in the first nan."
    ]


def test_a_sparse_gradient_grows() -> None:
    """A second backward() adds to it: the same words as on jgrad."""
    program = EMBEDDING.replace("OPTIMIZER", "SGD").replace("ROWS", "4").replace("ROUNDS", "1")
    program = program.replace("    opt.step()", "    emb(torch.tensor([0])).sum().backward()")
    on_torch, on_jgrad = on_both(program, torch)
    found = [
        [s["text"] for s in t.document["steps"] if s["kind"] == "accumulate"] for t in (on_torch, on_jgrad)
    ]
    assert found[0] == found[1] != []


def test_questions_about_a_model_on_meta() -> None:
    t: Any = record(
        """
net = torch.nn.Linear(2, 1, device="meta")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    net(torch.ones(3, 2, device="meta")).sum().backward()
    opt.step()
""",
        torch,
    )
    assert t.failures == []
    assert said("net", t).startswith("net trains")
    assert said("opt.step()", t) == "opt.step(): 2 of 2 parameters have gradients."


def test_nothing_of_pytorch_is_kept_alive() -> None:
    with jgrad.trace():
        emb = torch.nn.Embedding(4, 2, sparse=True)
        emb(torch.tensor([1])).sum().backward()
    gone = weakref.ref(emb.weight.grad)
    emb.weight.grad = None
    gc.collect()
    assert gone() is None


META = """
w = torch.ones(3, 4, device="meta", requires_grad=True)
net = torch.nn.Linear(4, 2, device="meta")
half = w[1:]
loss = net(half).relu().sum() + half.t().sum()
loss.backward()
"""


def test_tensors_on_meta_are_followed_as_jgrads_are() -> None:
    """They have shapes, strides and a graph, and no elements."""
    t = on_both(META, torch)[1]
    assert t.failures == []
    assert [n["code"] for n in t.document["notes"]] == []
    assert t.document["storages"][0]["device"] == "meta"
    assert "w is a leaf that requires grad (line 1 of" in said("w", t)
    assert said("w.grad", t).startswith("w.grad is a gradient [3, 4]: backward() in line 5")
    assert "net.weight is a leaf that requires grad" in said("net.weight", t)
    half = next(one for one in t.document["tensors"] if "half" in str(one["names"]))
    assert (half["shape"], half["stride"], half["storage_offset"]) == ([2, 4], [4, 1], 4)


def test_parts_of_complex_numbers_on_meta() -> None:
    """Their storage has elements of another dtype."""
    source = "x = torch.empty(3, dtype=torch.complex64, device='meta', requires_grad=True)\ny = (x * x).real\ny.sum().backward()"
    t: Any = record(source, torch)
    assert t.failures == []
    assert "x.grad is a gradient [3]" in said("x.grad", t)


def test_a_model_on_meta_may_be_larger_than_memory() -> None:
    t: Any = record(
        "net = torch.nn.Linear(200_000, 200_000, device='meta')\ny = net(torch.ones(1, 200_000, device='meta')).sum()\ny.backward()",
        torch,
    )
    assert t.failures == []
    assert "net.weight.grad is a gradient [200000, 200000]" in said("net.weight", t)
