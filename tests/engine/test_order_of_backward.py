"""Random graphs: the order in which nodes and leaves get their gradients is PyTorch's, ties among leaves included."""

import random
import warnings

import pytest

import jgrad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick


def combine(library, choose, which):
    """A tensor (or two) of three elements made of tensors that `choose` picks."""
    if which == 0:
        return [choose() + choose()]
    if which == 1:
        return [choose() * choose()]
    if which == 2:
        return [library.stack([choose() for _ in range(7)]).sum(0)]
    if which == 3:
        return [choose().sin()]
    if which == 4:
        return [library.addcmul(choose(), choose(), choose())]
    if which == 5:
        return [library.where(choose() > 0, choose(), choose())]
    if which == 6:
        return library.cat([choose(), choose()]).split(3)
    if which == 7:
        return [choose().clone().mul_(choose())]
    return [library.cat([choose() for _ in range(4)]).view(-1, 3).sum(0)]


def order(library, seed):
    """The nodes and leaves in the order in which backward comes to them."""
    drawn = random.Random(seed)
    leaves = [library.ones(3, requires_grad=True) for _ in range(drawn.randint(1, 6))]
    pool = list(leaves)

    def choose():
        return drawn.choice(pool)

    for _ in range(drawn.randint(3, 25)):
        pool += combine(library, choose, drawn.randint(0, 8))
    roots = [choose() for _ in range(drawn.randint(1, 4))]
    inputs = [choose() for _ in range(drawn.randint(1, 3))]
    came = []
    for i, leaf in enumerate(leaves):
        leaf.register_hook(lambda grad, i=i: came.append(i))
    stack, seen = [t.grad_fn for t in roots if t.grad_fn is not None], set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            called = f"{node.name()} {len(seen)}"
            node.register_prehook(lambda grads, called=called: came.append(called))
            behind = [n for n, _ in node.next_functions if n is not None]
            stack += [n for n in behind if "Accumulate" not in n.name()]
    grads = [library.ones(3) for _ in roots]
    kind = drawn.randint(0, 3)
    if kind == 0:
        library.autograd.backward(roots, grads)
    elif kind == 1:
        library.autograd.backward(roots, grads, inputs=inputs)
    elif kind == 2:
        library.autograd.grad(roots, inputs, grads, allow_unused=True)
    else:
        library.autograd.backward(roots, grads, create_graph=True)
    return came


@pytest.mark.parametrize("hundred", range(3))
def test_order(hundred):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(100 * hundred, 100 * hundred + 100):
            assert order(jgrad, seed) == order(torch, seed), seed
