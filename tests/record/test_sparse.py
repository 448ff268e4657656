"""Traces of programs with sparse gradients: nothing fails, and the elements that a sparse tensor stands for are shown."""

from __future__ import annotations

import pytest

from tests.record.tracing import asked, texts, trace

pytestmark = pytest.mark.quick
PROGRAM = """
emb = jgrad.nn.Embedding.from_pretrained(jgrad.ones(ROWS, 2), freeze=False, sparse=True)
opt = jgrad.optim.OPTIMIZER(emb.parameters(), lr=0.5)
for _ in range(3):
    opt.zero_grad()
    (emb(jgrad.tensor([1, 2, 1])) ** 2).sum().backward()
    opt.step()
g = emb.weight.grad
x = jgrad.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3., 4., 5.], (2, 3))
y = x @ jgrad.ones(3, 2)
g.add_(g)
g.zero_()
"""


@pytest.mark.parametrize("optimizer", ["SGD", "SparseAdam", "Adagrad"])
@pytest.mark.parametrize("rows", [4, 3000])
def test_a_cell_with_sparse_gradients_is_recorded(optimizer: str, rows: int) -> None:
    t = trace(PROGRAM.replace("ROWS", str(rows)).replace("OPTIMIZER", optimizer))
    assert t.error is None
    assert any("emb.weight.grad is" in text for text in texts(t))
    assert "set it" in asked("emb.weight.grad", t)
    assert "does not require grad" in asked("g.grad", t)


def test_small_sparse_gradient_is_shown_with_its_elements() -> None:
    t = trace(
        """
w = jgrad.ones(3, 2, requires_grad=True)
jgrad.nn.functional.embedding(jgrad.tensor([2, 2]), w, sparse=True).sum().backward()
"""
    )
    assert "[[0., 0.], [0., 0.], [2., 2.]]" in asked("w.grad", t)
