"""Random functions under random stacks of transforms: both libraries give the same numbers.

A function is text, so that a failure can be read and run: statements that make vectors of three from vectors of three, then transforms,
the innermost first, each of which makes a function of a vector from a function of a vector.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import jgrad
import jgrad.func

torch = pytest.importorskip("torch")

VALUES = [
    "{a} * {b}", "{a} + {b}", "{a} - c", "{a} / (2 + {b} * {b})", "{a} ** 2", "{a} ** 3", "{a}.sin()", "{a}.exp()", "{a}.tanh()", "{a}.sigmoid()",
    "-{a}", "{a} * {a}.sum()", "{a} - {a}.mean()", "m @ {a}", "{a} @ m", "{a}.outer({b}).sum(0)", "{a}.softmax(0)", "{a}.cumsum(0)", "{a}.flip(0)",
    "{a}[[2, 0, 1]]", "{a}[i]", "{a}.roll(1)", "torch.stack([{a}, {b}])[1]", "torch.cat([{a}[1:], {b}[:1]])", "torch.where({a} > c, {a}, {b})",
    "{a}.view(3, 1).expand(3, 3).mean(1)", "{a}.unsqueeze(0).t().squeeze(1)", "{a}.sort()[0]", "{a}.prod() * c", "{a}.norm() * {b}", "{a}.clamp(-1, 1)",
    "{a}.abs()", "{a}.relu()", "{a}.logsumexp(0) + {b}", "torch.dot({a}, {b}) * c", "torch.einsum('i,ij->j', {a}, m)", "{a}.max() * {b}",
    "{a}.detach() * {b}", "torch.maximum({a}, {b})", "{a}.index_select(0, i)", "{a}.gather(0, i)", "{a}.cumprod(0)", "{a}.var() * {b}",
    "torch.nn.functional.softplus({a})", "torch.linalg.inv(m) @ {a}", "{a}.select(0, 1) * {b}",
    "{a}.to(torch.float64)", "torch.diag({a}).diagonal()", "{a}.masked_fill({b} > 0.5, 0.25)", "(m * {a}).sum(1)", "({a}.unsqueeze(1) * m).amax(0)",
    "torch.zeros_like({a}) + {b}", "torch.nn.functional.gelu({a})", "{a}.std() + {b}", "torch.lerp({a}, {b}, 0.25)", "torch.addcmul({a}, {b}, c)",
    "torch.nn.functional.linear({a}, m, c)", "{a}.triu() if {a}.dim() > 1 else {a}", "{a}.square().sum().sqrt() * c", "torch.tril(m * {a}).sum(0)",
    "{a}.new_zeros(3) + {b}", "torch.full_like({a}, 2.0) * {b}", "torch.kron({a}, {b})[:3]", "torch.linalg.cross({a}, {b})", "torch.logaddexp({a}, {b})",
    "{a}.atan2({b})", "{a}.erf()", "({a} * {a} + 1).rsqrt()", "torch.linalg.inv(m + torch.diag({a} ** 2)) @ {b}", "{a}.topk(2)[0].sum() * {b}",
    "{a}.scatter(0, i, {b})", "{a}.scatter_add(0, i, {b})", "{a}.index_add(0, i, {b})", "{a}.index_copy(0, i, {b})", "torch.take({a}, i)",
    "{a}.unfold(0, 2, 1).sum(1).sum() * {b}", "{a}.diff(prepend={b}[:1])", "torch.nn.functional.pad({a}, (1, 1))[1:-1]",
    "torch.nn.functional.conv1d({a}.view(1, 1, 3), {b}.view(1, 1, 3), padding=1).view(3)",
    "torch.nn.functional.max_pool1d({a}.view(1, 1, 3), 3, 1, 1).view(3)", "torch.nn.functional.avg_pool1d({a}.view(1, 1, 3), 3, 1, 1).view(3)",
    "torch.nn.functional.cross_entropy({a}.view(1, 3), torch.tensor([1])) * {b}", "torch.nn.functional.normalize({a}, dim=0)",
    "torch.bmm({a}.view(1, 1, 3), m.view(1, 3, 3)).view(3)", "torch.addr(m, {a}, {b}).sum(1)", "torch.complex({a}, {b}).abs()",
    "torch.fft.fft({a}).real", "{a}.chunk(3)[1] * {b}", "torch.stack({a}.unbind())", "{a}.cummax(0)[0]", "torch.linalg.svdvals(m * {a})",
    "torch.linalg.eigvalsh(m + m.T + torch.diag({a}))", "torch.linalg.matrix_exp(m * 0.1 * {a}).sum(0)", "torch.nn.functional.embedding(i, m * {a}).sum(0)",
    "torch.nn.functional.log_softmax({a}, 0)", "torch.linalg.cholesky(m @ m.T + torch.diag({a} ** 2)).sum(0)", "{a}.put(i, {b})",
    "torch.nn.functional.scaled_dot_product_attention({a}.view(1, 3, 1), {b}.view(1, 3, 1), m[:, :1].view(1, 3, 1)).view(3)",
]  # fmt: skip
WRITES = [
    "{a} = {a}.clone(); {a}.mul_(v)", "{a} = {a}.clone(); {a}[0] = {b}[1]", "{a} = {a} * 1; {a}[1:].add_({b}[0])", "{a} = {a}.clone(); {a} += 2",
    "{a} = {a} + 0; {a}.sin_()", "{a} = torch.zeros_like({a}); {a}.copy_({b})", "{a} = {a}.clone(); {a}[i] = {b}", "{a} = {a}.clone(); {a}.clamp_(-1, 1)",
]  # fmt: skip
# (PyTorch reads beyond its memory where a result is the same for all examples and `out_dims` is not 0.)
TRANSFORMS = [
    "F.grad(lambda v: (g(v) * 0.5).sum())", "F.grad(lambda v: g(v).square().sum())", "lambda v: F.jvp(g, (v,), (c,))[1]",
    "lambda v: F.jvp(g, (v,), (v,))[1]", "lambda v: back(F.vjp(g, v), v)", "F.jacrev(g)", "F.jacfwd(g)", "F.hessian(lambda v: g(v).sum())",
    "lambda v: F.vmap(g)(torch.stack([v, v * c]))", "lambda v: F.vmap(lambda s: g(v * s))(c[:2])", "lambda v: F.vmap(lambda s: g(s) + 0 * s.sum(), 1, -1)(m * v)",
    "lambda v: F.vmap(lambda s, u: s * g(u), (0, None))(v, v)", "lambda v: F.vmap(g, chunk_size=2)(m * v)", "F.jacrev(g, chunk_size=2)",
    "lambda v: F.grad_and_value(lambda u: g(u).sum())(v)[0]", "lambda v: F.linearize(g, v)[1](c)", "lambda v: F.vmap(g)(m * v) @ v if g(v).dim() == 1 else g(v)",
]  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """The text of a program that leaves its result in `result`."""
    lines, names, writes = ["def g(v):", "    v0 = v"], 1, False
    for _ in range(draw(st.integers(1, 4))):
        a, b = (f"v{draw(st.integers(max(0, names - 3), names - 1))}" for _ in range(2))
        if draw(st.integers(0, 4)):
            lines.append(f"    v{names} = " + draw(st.sampled_from(VALUES)).format(a=a, b=b))
            names += 1
        else:
            lines.append("    " + draw(st.sampled_from(WRITES)).format(a=a, b=b))
            writes = True
    lines.append(f"    return v{names - 1}")
    # PyTorch's linearize() forgets what was written in place.
    transforms = [text for text in TRANSFORMS if not writes or "linearize" not in text]
    chosen = draw(st.lists(st.sampled_from(transforms), min_size=1, max_size=3))
    # A derivative of a vmap of linearize() reads memory in PyTorch that nothing wrote to.
    inside = next((i for i, text in enumerate(chosen) if "linearize" in text), len(chosen))
    chosen = chosen[: inside + 2]
    lines += [f"g = (lambda g: {text})(g)" for text in chosen]
    return "\n".join([*lines, "result = g(x)"])


def run(library: Any, program: str) -> Any:
    """What a program gives: the result, or the error."""

    def tensor(values: Any) -> Any:
        return library.tensor(values, dtype=library.float64)

    scope = {
        "torch": library, "F": library.func, "i": library.tensor([2, 0, 1]), "x": tensor([0.75, -0.5, 1.25]), "c": tensor([0.5, -1.5, 0.125]),
        "m": tensor([[1.5, 0.25, -0.5], [0.125, -1.25, 0.375], [-0.75, 0.625, 2.0]]),
        "back": lambda pair, v: pair[1](library.ones_like(pair[0]))[0],
    }  # fmt: skip
    try:
        exec(program, scope)
    except Exception as error:
        return error
    return scope["result"]


profile = settings(
    max_examples=300,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@given(programs())
@profile
def test_functions_under_transforms(program):
    compare(program)


def compare(program: str) -> None:
    theirs = run(torch, program)
    if isinstance(theirs, Exception):  # PyTorch has operations that it can't transform
        return
    ours = run(jgrad, program)
    assert not isinstance(ours, Exception), f"\n{program}\n{type(ours).__name__}: {ours}"
    assert (tuple(ours.shape), ours.requires_grad) == (tuple(theirs.shape), theirs.requires_grad), (
        f"\n{program}\n{ours}"
    )
    # (Adding makes numbers of what PyTorch only knows to be zero.)
    close = np.allclose(ours.numpy(), (theirs + 0).numpy(), rtol=1e-8, atol=1e-9, equal_nan=True)
    assert close, f"\n{program}\njgrad: {ours}\ntorch: {theirs}"


@pytest.mark.filterwarnings("ignore:Attempted to insert a get_attr Node")
def test_linearize_of_an_argument_that_all_examples_share():
    compare(
        "result = F.vmap(lambda a, b: a * F.linearize(lambda v: v * v, b)[1](c), (0, None))(x, x)",
    )


def test_linearize_runs_the_function_once():
    calls = []

    def f(a, b):
        calls.append(1)
        return {"product": a * b.sin(), "sum": [a.sum()]}

    a, b = jgrad.tensor([0.75, -0.5]), jgrad.tensor([1.25, 2.0])
    output, derivative = jgrad.func.linearize(f, a, b)
    for tangents in [(b, a), (a, a * b)]:
        along = derivative(*tangents)
        expected = jgrad.func.jvp(lambda a, b: {"product": a * b.sin(), "sum": [a.sum()]}, (a, b), tangents)[
            1
        ]
        assert jgrad.allclose(along["product"], expected["product"])
        assert jgrad.allclose(along["sum"][0], expected["sum"][0])
        assert not along["product"].requires_grad
    assert calls == [1]
    assert list(output) == ["product", "sum"]


Pair = namedtuple("Pair", "left right")
TREES = [
    1, None, (), [], {}, (1,), (1, [2, {"a": 3, "b": (4,)}]), OrderedDict(a=1, b=[2]), Pair(1, (2, 3)), defaultdict(list, a=1, b=(2,)),
    deque([1, (2,)]), deque([1], maxlen=3), {"b": 1, "a": 2}, [Pair((), None), "text"], ((0, None), {"k": -1}),
]  # fmt: skip


def test_trees():
    from torch.utils import _pytree as theirs

    from jgrad.utils import _pytree as ours

    def said(module, call):
        try:
            return repr(call(module))
        except (ValueError, TypeError) as error:
            return f"{type(error).__name__}: {error}"

    calls = [lambda m, t=t: m.tree_flatten(t) for t in TREES]
    calls += [lambda m, t=t: m.treespec_pprint(m.tree_structure(t)) for t in TREES]
    calls += [lambda m, t=t: m.tree_unflatten(m.tree_leaves(t), m.tree_structure(t)) for t in TREES]
    calls += [
        lambda m, t=t, n=n: m.tree_unflatten([0] * n, m.tree_structure(t)) for t in TREES for n in (0, 3)
    ]
    calls += [lambda m, t=t, u=u: m.tree_structure(t) == m.tree_structure(u) for t in TREES for u in TREES]
    calls += [lambda m, t=t, u=u: m.tree_map(lambda a, b: (a, b), t, u) for t in TREES for u in TREES]
    calls += [
        lambda m, t=t, u=u: m._broadcast_to_and_flatten(t, m.tree_structure(u)) for t in TREES for u in TREES
    ]
    for call in calls:
        assert said(ours, call) == said(theirs, call)


def test_registered_containers():
    from jgrad.utils import _pytree

    class Box:
        def __init__(self, inside):
            self.inside = inside

    _pytree.register_pytree_node(Box, lambda box: ([box.inside], None), lambda children, _: Box(*children))
    with pytest.raises(ValueError, match="already registered as pytree node"):
        _pytree.register_pytree_node(
            Box, lambda box: ([box.inside], None), lambda children, _: Box(*children)
        )
    x = jgrad.tensor([1.0, 2.0])
    gradient = jgrad.func.grad(lambda box: (box.inside["x"] ** 2).sum())(Box({"x": x}))
    assert type(gradient) is Box
    assert gradient.inside["x"].tolist() == [2.0, 4.0]
    assert jgrad.vmap(lambda box: Box(box.inside * 2))(Box(x)).inside.tolist() == [2.0, 4.0]
