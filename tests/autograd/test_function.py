"""What programs that run on both libraries can't show of `autograd.Function`: memory, cycles, traces, deep graphs."""

import gc
import weakref

import pytest

import jgrad
from tests.record.tracing import texts, trace

pytestmark = pytest.mark.quick


class Exp(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result, i)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, _ = ctx.saved_tensors
        return grad_output * result


def test_a_function_is_not_part_of_a_reference_cycle():
    x = jgrad.ones(3, requires_grad=True)
    Exp.apply(x).sum().backward()
    gc.collect()
    gc.disable()
    try:
        node = weakref.ref(Exp.apply(x).grad_fn)
        assert node() is None
        y = Exp.apply(x * 1)
        node = weakref.ref(y.grad_fn)
        y.sum().backward()
        del y
        assert node() is None
    finally:
        gc.enable()


def test_backward_lets_go_of_what_ctx_saved():
    x = jgrad.ones(3, requires_grad=True)
    a = x * 2
    saved = weakref.ref(a)
    y = Exp.apply(a)
    del a
    assert saved() is not None
    y.sum().backward()
    assert saved() is None


def test_ten_thousand_functions_in_a_row_need_no_recursion():
    class Step(jgrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x + 1

        @staticmethod
        def backward(ctx, g):
            return g

    x = jgrad.ones(2, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = Step.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    del y


CELL = """
class Exp(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.saved_tensors[0]

x = jgrad.tensor([0., 0.], requires_grad=True)
y = Exp.apply(x)
y.sum().backward()
"""


def test_a_trace_shows_the_function_by_its_name():
    t = trace(CELL)
    said = texts(t)
    assert any(line.endswith("Exp.apply(x) gave its result the grad_fn ExpBackward") for line in said)
    assert any("ExpBackward got [1., 1.] and sent [1., 1.] to x's AccumulateGrad" in line for line in said)
    node = next(n for n in t.document["nodes"] if n["name"] == "ExpBackward")
    made = next(x["id"] for x in t.document["tensors"] if [n for _, n in x["names"]] == ["y"])
    assert node["saved"] == [{"name": "saved_tensors[0]", "tensor": made, "version": 0}]
