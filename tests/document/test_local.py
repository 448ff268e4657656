"""Local derivatives in the words of the program: what they say is what autograd computes."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jgrad
from jgrad import Tensor
from tests.record.tracing import trace

pytestmark = pytest.mark.quick

BEFORE = """
a = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
b = jgrad.tensor([[.5, -1.], [2., .25]], requires_grad=True)
plain, lr = jgrad.tensor([[3., 1.], [2., 5.]]), 0.5
"""


def said(line: str, before: str = BEFORE) -> list[str]:
    """What the node of a line says of its inputs."""
    document = trace(before + line).document
    number = len((before + line).strip().split("\n"))
    steps = [s for s in document["steps"] if s["line"] == number and "node" in s]
    return [text for text in document["nodes"][steps[-1]["node"]].get("derivatives", []) if text]


PRODUCTS = [
    "y = a * b", "y = a + b", "y = a - b", "y = a / b", "y = -a", "y = a * 3", "y = 3 * a", "y = lr * a", "y = a * lr", "y = plain * a", "y = a - plain",
    "y = plain - a", "y = 3 - a", "y = a / 2", "y = a ** 2", "y = a ** 3", "y = a.pow(2)", "y = jgrad.pow(a, 2)", "y = a.exp()", "y = jgrad.exp(a)",
    "y = (a + 1) * (b - a)", "y = a.log()", "y = b.sin()", "y = b.tanh()", "y = b.sigmoid()", "y = a.sqrt()", "y = a.mul(b)", "y = jgrad.mul(a, b)",
    "y = jgrad.nn.functional.relu(b)", "y = b.relu()", "y = b.abs()", "y = 2. ** a", "y = a.add(b)", "y = b.exp() * (a + b)",
    "y = a.cos()  # a note", "y = a * a",
]  # fmt: skip


@pytest.mark.parametrize("line", PRODUCTS)
def test_a_factor_is_the_derivative(line: str) -> None:
    """The factor, worked out in the program, is what autograd sends for a gradient of ones."""
    found = said(line)
    assert found
    variables: dict[str, Any] = {"jgrad": jgrad, **{f: getattr(jgrad, f) for f in ("sgn", "cos", "sin")}}
    exec(BEFORE + line, variables)
    for text in found:
        match = re.fullmatch(r"∂y/∂(\w+|\(.*\)) = (.+)", text)
        assert match, text
        operand, factor = match[1][1:-1] if match[1][0] == "(" else match[1], match[2]
        given = eval(operand, variables)
        assert isinstance(given, Tensor), f"{operand} is no tensor"
        leaf = variables["leaf"] = given.detach().requires_grad_()
        # The operation once more, with this operand alone requiring a gradient.
        again = re.sub(rf"(?<![\w.]){re.escape(operand)}(?!\w)", "leaf", line.split("#")[0], count=1)
        frozen = {n: v.detach() if isinstance(v, Tensor) and n != "leaf" else v for n, v in variables.items()}
        frozen["log"] = lambda x: jgrad.log(jgrad.as_tensor(x))
        exec(again, frozen)
        frozen["y"].backward(jgrad.ones_like(frozen["y"]))
        where = re.fullmatch(r"1 where (.+), else 0", factor)
        expected = eval(where[1] if where else factor, frozen) * jgrad.ones(2, 2)
        assert jgrad.allclose(leaf.grad, expected), text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = a @ b", ["a: grad @ b.T", "b: a.T @ grad"]),
        ("y = jgrad.mm(a, b)", ["a: grad @ b.T", "b: a.T @ grad"]),
        ("y = a * b", ["∂y/∂a = b", "∂y/∂b = a"]),
        ("y = (a * b).exp()", ["∂y/∂(a * b) = y"]),
        ("y = a.add(b, alpha=2)", ["∂y/∂a = 1", "b: 2 * grad"]),
        ("y = jgrad.sub(a, b, alpha=3)", ["∂y/∂a = 1", "b: -3 * grad"]),
        ("a = a * b", ["∂/∂a = b", "∂/∂b = a"]),
        ("b = b.exp()", ["∂/∂b = b.exp()"]),
        ("z = [a * b]", ["∂/∂a = b", "∂/∂b = a"]),
        ("y = a.sum()", ["a: expand(grad, a.shape)"]),
        # The text leaves a doubt, or is of another operation:
        ("y = a.add_(1) if False else a.clone().exp_()", []),
        ("y = jgrad.nn.functional.linear(a, b)", []),
        ("y = jgrad.where(a > 0, a, b)", []),
        ("y = a.where(a > 0, b)", []),
        ("y = jgrad.nn.functional.embedding(jgrad.tensor([0]), a)", []),
        ("y = jgrad.nn.functional.layer_norm(a, (2,), b[0])", []),
        ("y = a.softmax(dim=1)", ["a: y * (grad - sum(grad * y, 1, True))"]),
        ("y = [a * b for _ in range(1)][0]", ["∂/∂a = b", "∂/∂b = a"]),
        ("y = (lambda t: t * 2)(a)", ["∂/∂t = 2"]),
        ("y = (lambda t, u: t * u)(a, 3)", []),
    ],
)
def test_what_is_said(line: str, expected: list[str]) -> None:
    assert said(line) == expected


def test_complex_numbers_keep_their_conjugates() -> None:
    before = "a = jgrad.tensor([1 + 2j], requires_grad=True)\nb = jgrad.tensor([2j], requires_grad=True)\n"
    assert said("y = a * b", before) == ["∂y/∂a = conj(b)", "∂y/∂b = conj(a)"]
