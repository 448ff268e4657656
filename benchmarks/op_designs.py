"""Three ways to declare an operator, on the same ten operators: `python -m benchmarks.op_designs`.

1. A class per operator with `forward` and `backward`, as in `torch.autograd.Function`.
2. A generic dispatcher over a table of lambdas that take the array namespace, as in autograd (HIPS).
3. A declaration whose formulas name what they need, and from which everything else is made, as in jgrad.

The first two share a small engine written here, so that only the declarations differ. For each design the lines of the ten operators are
printed, and its times relative to the third design. Unlike the third, the first two do not check versions, promote dtypes or have views.
"""

from __future__ import annotations

import inspect
import itertools
import statistics
import timeit
from heapq import heappop, heappush

import numpy as np

import jgrad

numbers = itertools.count()


class Tensor:
    """The tensor of both small designs: an array, and, if it was recorded, a node (seq, inputs, backward)."""

    __slots__ = ("array", "node", "needs", "grad")

    def __init__(self, array, needs=False, node=None):
        self.array, self.needs, self.node, self.grad = array, needs, node, None

    def backward(self):
        heap, grads = [], {id(self): np.ones_like(self.array)}
        push = lambda t: heappush(heap, (-t.node[0], t)) if t.node is not None else None
        push(self)
        while heap:
            _, tensor = heappop(heap)
            grad = grads.pop(id(tensor), None)
            if grad is None:
                continue
            _, inputs, backward = tensor.node
            for t, g in zip(inputs, backward(grad), strict=True):
                if g is None or not isinstance(t, Tensor) or not t.needs:
                    continue
                g = unbroadcast(g, t.array.shape)
                if t.node is None:
                    t.grad = g if t.grad is None else t.grad + g
                elif id(t) in grads:
                    grads[id(t)] = grads[id(t)] + g
                else:
                    grads[id(t)] = g
                    push(t)


def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(0)
    for dim, extent in enumerate(shape):
        if extent == 1 and grad.shape[dim] != 1:
            grad = grad.sum(dim, keepdims=True)
    return grad


def raw(value):
    return value.array if isinstance(value, Tensor) else value


class ClassPerOp:
    """Design 1."""

    class Op:
        @classmethod
        def apply(cls, *inputs, **options):
            ctx = cls()
            result = Tensor(np.asarray(ctx.forward(*map(raw, inputs), **options)))
            if any(isinstance(t, Tensor) and t.needs for t in inputs):
                result.needs = True
                result.node = (next(numbers), inputs, ctx.backward)
            return result

    # begin
    class Add(Op):
        def forward(self, a, b):
            return np.add(a, b)

        def backward(self, grad):
            return grad, grad

    class Sub(Op):
        def forward(self, a, b):
            return np.subtract(a, b)

        def backward(self, grad):
            return grad, -grad

    class Mul(Op):
        def forward(self, a, b):
            self.a, self.b = a, b
            return np.multiply(a, b)

        def backward(self, grad):
            return grad * self.b, grad * self.a

    class Div(Op):
        def forward(self, a, b):
            self.a, self.b = a, b
            return np.true_divide(a, b)

        def backward(self, grad):
            return grad / self.b, -grad * self.a / (self.b * self.b)

    class Neg(Op):
        def forward(self, a):
            return np.negative(a)

        def backward(self, grad):
            return (-grad,)

    class Exp(Op):
        def forward(self, a):
            self.result = np.exp(a)
            return self.result

        def backward(self, grad):
            return (grad * self.result,)

    class Pow(Op):
        def forward(self, a, exponent):
            self.a, self.exponent = a, exponent
            return np.power(a, exponent)

        def backward(self, grad):
            return grad * self.exponent * self.a ** (self.exponent - 1), None

    class Sum(Op):
        def forward(self, a):
            self.shape = a.shape
            return np.sum(a)

        def backward(self, grad):
            return (np.broadcast_to(grad, self.shape),)

    class View(Op):
        def forward(self, a, *, size):
            self.shape = a.shape
            return a.reshape(size)

        def backward(self, grad):
            return (grad.reshape(self.shape),)

    class Mm(Op):
        def forward(self, a, b):
            self.a, self.b = a, b
            return np.matmul(a, b)

        def backward(self, grad):
            return grad @ self.b.T, self.a.T @ grad

    # end
    add, sub, mul, div, neg, exp, pow, sum, mm = (
        op.apply for op in (Add, Sub, Mul, Div, Neg, Exp, Pow, Sum, Mm)
    )
    view = lambda a, size: ClassPerOp.View.apply(a, size=size)


class TableDispatcher:
    """Design 2."""

    @staticmethod
    def op(forward, *grads):
        def call(*inputs):
            arrays = tuple(map(raw, inputs))
            result = Tensor(np.asarray(forward(np, *arrays)))
            if any(isinstance(t, Tensor) and t.needs for t in inputs):

                def backward(grad, arrays=arrays, out=result.array):
                    return tuple([rule and rule(np, grad, out, *arrays) for rule in grads])

                result.needs = True
                result.node = (next(numbers), inputs, backward)
            return result

        return staticmethod(call)

    # begin
    add = op(lambda xp, a, b: xp.add(a, b), lambda xp, g, out, a, b: g, lambda xp, g, out, a, b: g)
    sub = op(lambda xp, a, b: xp.subtract(a, b), lambda xp, g, out, a, b: g, lambda xp, g, out, a, b: -g)
    mul = op(
        lambda xp, a, b: xp.multiply(a, b), lambda xp, g, out, a, b: g * b, lambda xp, g, out, a, b: g * a
    )
    div = op(
        lambda xp, a, b: xp.divide(a, b),
        lambda xp, g, out, a, b: g / b,
        lambda xp, g, out, a, b: -g * out / b,
    )
    neg = op(lambda xp, a: xp.negative(a), lambda xp, g, out, a: -g)
    exp = op(lambda xp, a: xp.exp(a), lambda xp, g, out, a: g * out)
    pow = op(lambda xp, a, n: xp.power(a, n), lambda xp, g, out, a, n: g * n * a ** (n - 1), None)
    sum = op(lambda xp, a: xp.sum(a), lambda xp, g, out, a: xp.broadcast_to(g, a.shape))
    view = op(lambda xp, a, size: a.reshape(size), lambda xp, g, out, a, size: g.reshape(a.shape), None)
    mm = op(
        lambda xp, a, b: xp.matmul(a, b), lambda xp, g, out, a, b: g @ b.T, lambda xp, g, out, a, b: a.T @ g
    )
    # end


class Declaration:
    """Design 3: what jgrad has."""

    add, sub, mul, div, neg, exp, pow, sum, mm = (
        getattr(jgrad.Tensor, name) for name in ("add", "sub", "mul", "div", "neg", "exp", "pow", "sum", "mm")
    )
    view = jgrad.Tensor.view


def leaf(design, values):
    array = np.asarray(values, np.float32)
    return jgrad.tensor(array, requires_grad=True) if design is Declaration else Tensor(array, needs=True)


WORKLOADS = {
    "add": lambda d, x, w: d.add(x, w),
    "mul": lambda d, x, w: d.mul(x, w),
    "exp": lambda d, x, w: d.exp(x),
    "view": lambda d, x, w: d.view(x, (2, 2)),
    "(x + w) * (w + 1), backward": lambda d, x, w: d.sum(d.mul(d.add(x, w), d.add(w, 1.0))).backward(),
    "all ten, backward": lambda d, x, w: all_ten(d, x, w).backward(),
    "chain of 100, backward": lambda d, x, w: chain(d, x, 100).backward(),
}


def all_ten(d, x, w):
    y = d.div(d.exp(d.neg(d.sub(x, w))), d.add(d.pow(w, 2), 1.0))
    return d.sum(d.mm(d.view(d.mul(y, x), (2, 2)), d.view(w, (2, 2))))


def chain(d, x, length):
    for _ in range(length):
        x = d.mul(x, 1.01)
    return d.sum(x)


def source_lines(design):
    """The number of lines of the ten operators: between the marks, or of the classes that are jgrad's declarations."""
    if design is Declaration:
        overloads = [
            jgrad.dispatch.TABLE[name].overloads[0]
            for name in ("add", "sub", "mul", "div", "neg", "exp", "pow", "sum", "mm")
        ]
        overloads.append(jgrad.Tensor.view.op.overloads[0])
        lines = "\n".join(inspect.getsource(o.body) for o in overloads)
    else:
        lines = inspect.getsource(design).partition("# begin")[2].partition("# end")[0]
    return sum(bool(line.strip()) for line in lines.splitlines())


def main() -> None:
    designs = (ClassPerOp, TableDispatcher, Declaration)
    values = ([0.5, 1.0, 1.5, 2.0], [1.0, 2.0, 3.0, 4.0])
    expected = None
    for design in designs:
        x, w = leaf(design, values[0]), leaf(design, values[1])
        all_ten(design, x, w).backward()
        grads = [t.grad.numpy() if design is Declaration else t.grad for t in (x, w)]
        expected = expected or grads
        np.testing.assert_allclose(grads[0], expected[0], rtol=1e-5)
        np.testing.assert_allclose(grads[1], expected[1], rtol=1e-5)
    print(f"{'':32}" + "".join(f"{d.__name__:>18}" for d in designs))
    print(f"{'lines for ten operations':32}" + "".join(f"{source_lines(d):>18}" for d in designs))
    for name, work in WORKLOADS.items():
        timers, times = [], [[] for _ in designs]
        for design in designs:
            x, w = leaf(design, values[0]), leaf(design, values[1])
            timers.append(timeit.Timer(lambda work=work, d=design, x=x, w=w: work(d, x, w)))
        number = 50 if "chain" in name else 1000
        for _ in range(9):
            for timer, found in zip(timers, times, strict=True):
                found.append(timer.timeit(number) / number)
        medians = [statistics.median(t) for t in times]
        print(f"{name:32}" + "".join(f"{m / medians[-1]:>17.2f}x" for m in medians))


if __name__ == "__main__":
    main()
