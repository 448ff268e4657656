"""`compile`, `compiler` and `jit` change nothing that a program computes. How they are called is compared in `tests/operators/test_edges.py`."""

from __future__ import annotations

import io

import pytest

import jgrad

pytestmark = pytest.mark.quick


def test_a_compiled_function_keeps_its_name_and_its_gradients() -> None:
    @jgrad.compile(mode="reduce-overhead", fullgraph=True)
    def cube(x: jgrad.Tensor) -> jgrad.Tensor:
        """The third power."""
        return x**3

    x = jgrad.tensor(2.0, requires_grad=True)
    cube(x).backward()
    assert (x.grad.item(), cube.__name__, cube.__doc__) == (12.0, "cube", "The third power.")


def test_a_compiled_module_trains_is_saved_and_shows_the_parts_of_its_module() -> None:
    model = jgrad.nn.Linear(2, 1)
    compiled = jgrad.compile(model)
    optimizer = jgrad.optim.SGD(compiled.parameters(), lr=0.1)
    before = model.weight.clone()
    compiled(jgrad.ones(1, 2)).sum().backward()
    optimizer.step()
    assert not jgrad.equal(before, model.weight)
    assert compiled.in_features == 2
    file = io.BytesIO()
    jgrad.save(compiled.state_dict(), file)
    file.seek(0)
    assert list(jgrad.load(file)) == ["_orig_mod.weight", "_orig_mod.bias"]


def test_a_backend_that_wants_a_graph_is_refused_with_a_sentence() -> None:
    with pytest.raises(NotImplementedError, match="a graph"):
        jgrad.compile(lambda x: x, backend=lambda graph, inputs: graph)


def test_numpy_functions_take_tensors() -> None:
    assert jgrad.compiler.wrap_numpy(lambda a: a + 1)(jgrad.ones(2)).tolist() == [2.0, 2.0]
