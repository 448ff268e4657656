"""Formulas of derivatives as one would write them by hand, in PyTorch's words: `grad @ mat2.T` for `mm_mat1(grad, mat2, self_strides)`.

The declarations call functions of their own, for what only some layouts, dtypes or numbers need. A reader of a graph wants to see the usual case.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
from typing import Any

# What a declaration has, and what is shown. A single letter stands for any expression.
BY_HAND = {
    "scaled(-g, a)": "-a * g",
    "scaled(g, a)": "a * g",
    "divided(a, b)": "a / b",
    "count_of(x.shape, None)": "x.numel()",
    "count_of(x.shape, d)": "x.size(d)",
    "to_dtype(g, t)": "g.to(t)",
    "to_place(g, t, d)": "g.to(d, t)",
    "zeros_of(g, s)": "zeros(s)",
    "sum_to_size(g, s)": "g.sum_to_size(s)",
    "mm_mat1(g, b, s)": "g @ conj(b).T",
    "mm_mat2(g, a, s)": "conj(a).T @ g",
    "outer_product(g, v)": "outer(g, v)",
    "adjoint_of(x)": "conj(x).mT",
    "trace_backward(g, s)": "g * eye(*s)",
    "power_rule(g, x, p)": "g * conj(p) * conj(x) ** (conj(p) - 1)",
    "exponential_rule(g, b, p, r)": "g * conj(r) * log(conj(b))",
    "inverse_square(a, b)": "1 / (a * a + b * b)",
    "only_where(g, m)": "where(m, g, 0)",
    "unless(g, m)": "where(m, 0, g)",
    "squeeze_dim(g, d)": "squeeze(g, d)",
    "unsqueeze_to(g, s, d)": "reshape(g, s)",
    "within(g, x, a, None)": "where(x >= a, g, 0)",
    "within(g, x, None, b)": "where(x <= b, g, 0)",
    "within(g, x, a, b)": "where((x >= a) & (x <= b), g, 0)",
    "share(g, a < b, a == b)": "where(a > b, g, where(a == b, g / 2, 0))",
    "share(g, a > b, a == b)": "where(a < b, g, where(a == b, g / 2, 0))",
    "equal_backward(g, x, r)": "g * (x == r) / (x == r).sum()",
    "threshold_backward(g, r, 0)": "where(r > 0, g, 0)",
    "sigmoid_backward(g, r)": "g * conj((1 - r) * r)",
    "tanh_backward(g, r)": "g * conj(1 - r * r)",
    "leaky_relu_backward(g, x, s, False)": "where(x > 0, g, g * s)",
    "silu_backward(g, x)": "g * sigmoid(conj(x)) * (1 + conj(x) * (1 - sigmoid(conj(x))))",
    "softmax_backward(g, r, d)": "r * (g - sum(g * r, d, True))",
    "log_softmax_backward(g, r, d)": "g - exp(r) * sum(g, d, True)",
    "dropout_scale(p, t)": "(1 / (1 - p))",
    "select_backward(g, s, d, i)": "select_scatter(zeros(s), g, d, i)",
    "slice_backward(g, s, d, a, b, c)": "slice_scatter(zeros(s), g, d, a, b, c)",
    "diagonal_backward(g, s, o, a, b)": "diagonal_scatter(zeros(s), g, o, a, b)",
    "index_backward(g, s, i)": "index_put(zeros(s), i, g, accumulate=True)",
    "index_select_backward(g, s, d, i)": "index_add(zeros(s), d, i, g)",
    "slices_at(g, s, d, i)": "index_select(g, d, i)",
    "gather_backward(g, x, d, i, s)": "scatter_add(zeros(x.shape), d, i, g)",
    "masked_select_backward(g, s, m)": "masked_scatter(zeros(s), m, g)",
    "value_selecting_reduction_backward(g, d, i, s, True)": "scatter(zeros(s), d, i, g)",
    "cat_parts(g, s, d)": "split(g, [x[d] for x in s], d)",
    "permute_back(g, d)": "permute(g, argsort(d))",
    "reverse_cumsum(g, d)": "flip(cumsum(flip(g, [d]), d), [d])",
    "only_needed(x)": "x",
}
ATTRIBUTES = ("_shape", "_dtype", "_device")  # self_shape is what a node keeps of self.shape,
ARGUMENTS = ("normalized_shape",)  # but this is an argument of that name


def _expression(text: str) -> Any:
    return ast.parse(text, mode="eval").body


RULES = [(_expression(declared), _expression(shown)) for declared, shown in BY_HAND.items()]


@functools.cache
def by_hand(formula: str) -> str:
    """A formula of a declaration as it is shown; what is no expression stays as it is."""
    try:
        return ast.unparse(_Rewriter().visit(_expression(formula)))
    except SyntaxError:
        return formula


CONJUGATE = re.compile(r"conj\((\w+(?:\([^()]*\))?)\)", re.ASCII)  # of a name or a call


def of_dtype(formula: str, dtype: str) -> str:
    """A formula as it is shown, for gradients of this dtype: real numbers need no conjugates."""
    return formula if dtype.startswith("complex") else CONJUGATE.sub(r"\1", formula).replace("conj(", "(")


class _Rewriter(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        for end in ATTRIBUTES:
            if node.id.endswith(end) and node.id not in ARGUMENTS:
                return ast.Attribute(ast.Name(node.id.removesuffix(end)), end[1:])
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        node.args = [
            self.visit(a) for a in node.args if not (isinstance(a, ast.Name) and a.id == "output_mask")
        ]
        if isinstance(node.func, ast.Attribute):
            node.func = self.visit(node.func)
        for pattern, shown in RULES:
            found: dict[str, ast.expr] = {}
            if _matches(pattern, node, found):
                return self.visit(_Filler(found).visit(copy.deepcopy(shown)))
        return node


class _Filler(ast.NodeTransformer):
    def __init__(self, found: dict[str, ast.expr]) -> None:
        self.found = found

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.found.get(node.id, node)


def _matches(pattern: Any, node: Any, found: dict[str, ast.expr]) -> bool:
    """Whether a formula is of this form; `found`: what its letters stand for."""
    if isinstance(pattern, ast.Name) and len(pattern.id) == 1:
        return ast.dump(found.setdefault(pattern.id, node)) == ast.dump(node)
    if isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and all(
            _matches(getattr(pattern, field), getattr(node, field), found)
            for field in pattern._fields
            if field != "ctx"
        )
    if isinstance(pattern, list):
        return len(pattern) == len(node) and all(
            _matches(a, b, found) for a, b in zip(pattern, node, strict=True)
        )
    return bool(pattern == node)
