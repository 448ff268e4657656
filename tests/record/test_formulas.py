"""What is shown of a derivative is what is computed."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

import jgrad
from jgrad import ops
from jgrad.dispatch import TABLE
from jgrad.dispatch.recorded import formula_texts
from jgrad.tracing.document.formulas import BY_HAND, by_hand, of_dtype

pytestmark = pytest.mark.quick

INTERNAL = {
    name: value
    for module in pkgutil.iter_modules(ops.__path__)
    for name, value in vars(importlib.import_module(f"jgrad.ops.{module.name}")).items()
    if callable(value)
}
INTERNAL |= {op.name: op.function for op in TABLE.values()}
PUBLIC = vars(jgrad) | {"argsort": lambda dims: sorted(range(len(dims)), key=dims.__getitem__)}
X = jgrad.tensor([[1.0, 3.0, 2.0], [-4.0, 0.5, 3.0]])
G = jgrad.tensor([[0.5, -1.0, 2.0], [1.0, 3.0, -2.0]])
Z = jgrad.complex(X, G)
M = X > 0
INDEX = jgrad.tensor([[2, 0, 1], [0, 0, 2]])

# What the letters of each rule stand for. Where there are two, the second is what they are in what is shown.
VALUES: dict[str, Any] = {
    "scaled(-g, a)": {"g": Z, "a": 2 + 1j},
    "scaled(g, a)": {"g": G, "a": 3},
    "divided(a, b)": {"a": G, "b": 4},
    "count_of(x.shape, None)": {"x": X},
    "count_of(x.shape, d)": ({"x": X, "d": (1,)}, {"x": X, "d": 1}),
    "to_dtype(g, t)": ({"g": G, "t": jgrad.float64.numpy}, {"g": G, "t": jgrad.float64}),
    "to_place(g, t, d)": (
        {"g": G, "t": jgrad.float64.numpy, "d": G.device},
        {"g": G, "t": jgrad.float64, "d": G.device},
    ),
    "zeros_of(g, s)": {"g": G, "s": (2, 1)},
    "sum_to_size(g, s)": {"g": G, "s": (1, 3)},
    "mm_mat1(g, b, s)": {"g": Z, "b": Z.T.contiguous() @ Z, "s": ()},
    "mm_mat2(g, a, s)": {"g": Z, "a": Z * 2, "s": ()},
    "outer_product(g, v)": {"g": G[0], "v": X[1]},
    "adjoint_of(x)": {"x": Z},
    "trace_backward(g, s)": {"g": G[0, 2], "s": (2, 3)},
    "power_rule(g, x, p)": [
        ({"g": G, "x": X, "p": 3}, {"g": G, "x": X, "p": jgrad.tensor(3)}),
        ({"g": Z, "x": Z, "p": 2 + 1j}, {"g": Z, "x": Z, "p": jgrad.tensor(2 + 1j)}),
    ],
    "exponential_rule(g, b, p, r)": (
        {"g": G, "b": 2.5, "p": X, "r": 2.5**X},
        {"g": G, "b": jgrad.tensor(2.5), "r": 2.5**X},
    ),
    "inverse_square(a, b)": {"a": X, "b": G},
    "only_where(g, m)": {"g": G, "m": M},
    "unless(g, m)": {"g": G, "m": M},
    "squeeze_dim(g, d)": {"g": G[:, :1], "d": 1},
    "unsqueeze_to(g, s, d)": {"g": G[0], "s": (1, 3), "d": (0,)},
    "within(g, x, a, None)": {"g": G, "x": X, "a": 0.5},
    "within(g, x, None, b)": {"g": G, "x": X, "b": 0.5},
    "within(g, x, a, b)": {"g": G, "x": X, "a": 0.5, "b": 2.0},
    "share(g, a < b, a == b)": {"g": G, "a": X, "b": X.flip(1)},
    "share(g, a > b, a == b)": {"g": G, "a": X, "b": X.flip(1)},
    "equal_backward(g, x, r)": {"g": G[0, 2], "x": X, "r": X.max()},
    "threshold_backward(g, r, 0)": {"g": G, "r": X.relu()},
    "sigmoid_backward(g, r)": [{"g": G, "r": X.sigmoid()}, {"g": Z, "r": Z.sigmoid()}],
    "tanh_backward(g, r)": {"g": Z, "r": Z.tanh()},
    "leaky_relu_backward(g, x, s, False)": {"g": G, "x": X, "s": 0.1},
    "silu_backward(g, x)": {"g": G, "x": X},
    "softmax_backward(g, r, d)": {"g": G, "r": X.softmax(1), "d": 1},
    "log_softmax_backward(g, r, d)": {"g": G, "r": X.log_softmax(0), "d": 0},
    "dropout_scale(p, t)": {"p": 0.2, "t": True},
    "select_backward(g, s, d, i)": {"g": G[0], "s": (3, 4), "d": 1, "i": 2},
    "slice_backward(g, s, d, a, b, c)": {"g": G, "s": (2, 7), "d": 1, "a": 1, "b": 7, "c": 2},
    "diagonal_backward(g, s, o, a, b)": {"g": G[0], "s": (3, 4), "o": 1, "a": 0, "b": 1},
    "index_backward(g, s, i)": {"g": G, "s": (3,), "i": [INDEX]},
    "index_select_backward(g, s, d, i)": {"g": G, "s": (2, 4), "d": 1, "i": INDEX[1]},
    "slices_at(g, s, d, i)": {"g": G, "s": (2, 3), "d": 1, "i": INDEX[1]},
    "gather_backward(g, x, d, i, s)": {"g": G, "x": X, "d": 1, "i": INDEX, "s": False},
    "masked_select_backward(g, s, m)": {"g": G.flatten()[:5], "s": (2, 3), "m": M},
    "value_selecting_reduction_backward(g, d, i, s, True)": {"g": G, "d": 1, "i": X.sort(1)[1], "s": (2, 3)},
    "cat_parts(g, s, d)": {"g": G, "s": [(2, 1), (2, 2)], "d": 1},
    "permute_back(g, d)": {"g": G[None], "d": (2, 0, 1)},
    "reverse_cumsum(g, d)": {"g": G, "d": 1},
    "only_needed(x)": ({"only_needed": lambda x: x, "x": G}, {"x": G}),
}


def close(ours: Any, wanted: Any) -> bool:
    if isinstance(wanted, (list, tuple)):
        return len(ours) == len(wanted) and all(close(a, b) for a, b in zip(ours, wanted, strict=True))
    if not isinstance(wanted, jgrad.Tensor):
        return bool(ours == wanted)
    return ours.shape == wanted.shape and ours.dtype is wanted.dtype and jgrad.allclose(ours, wanted)


@pytest.mark.parametrize("rule", BY_HAND)
def test_what_is_shown_is_what_is_computed(rule: str) -> None:
    values = VALUES[rule]
    for one in values if isinstance(values, list) else [values]:
        said, shown = one if isinstance(one, tuple) else (one, one)
        assert close(eval(BY_HAND[rule], PUBLIC | shown), eval(rule, INTERNAL | said))


@pytest.mark.parametrize(("formula", "dtype", "shown"), [
    ("grad * conj(other)", "float32", "grad * other"),
    ("grad * conj(other)", "complex64", "grad * conj(other)"),
    ("grad * -conj(sin(self))", "float64", "grad * -sin(self)"),
    ("-grad * conj(self / other / other)", "float64", "-grad * (self / other / other)"),
])  # fmt: skip
def test_real_numbers_need_no_conjugates(formula: str, dtype: str, shown: str) -> None:
    assert of_dtype(formula, dtype) == shown


@pytest.mark.parametrize(("formula", "shown"), [
    ("scaled(mm_mat1(grad, mat2, mat1_strides), conj(alpha))", "conj(alpha) * (grad @ conj(mat2).T)"),
    ("divided(expand(grad, self_shape), count_of(self_shape, None))", "expand(grad, self.shape) / self.numel()"),
    ("reverse_cumsum(to_dtype(grad, self_dtype), dim)", "flip(cumsum(flip(grad.to(self.dtype), [dim]), dim), [dim])"),
    ("only_needed(f_backward(grad, normalized_shape, output_mask), output_mask)", "f_backward(grad, normalized_shape)"),
    ("grad outside the slice", "grad outside the slice"),
])  # fmt: skip
def test_functions_of_the_declarations_are_written_out(formula: str, shown: str) -> None:
    assert by_hand(formula) == shown


@pytest.mark.slow
def test_formulas_are_in_the_order_of_the_edges() -> None:
    """A view takes the formulas of a node one by one, as it takes the edges."""
    for operation in TABLE.values():
        for overload in operation.overloads:
            if overload.node is not None and overload.formulas:
                texts = list(formula_texts(overload))
                assert texts == [p.name for p in overload.params if p.name in texts], overload.text
