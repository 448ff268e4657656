"""Long training loops: the figures of their rounds, and what is not looked at while the recorder sleeps."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned
from tests.mirrors.both import on_both, record

torch = pytest.importorskip("torch")

TWO_LOSSES = """
a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
first, second = torch.optim.SGD([a], lr=0.1), torch.optim.SGD([b], lr=0.01)
for i in range(20):
    first.zero_grad()
    (a * a).sum().backward()
    first.step()
    second.zero_grad()
    ((b * b * b).sum() + 10).backward()
    second.step()
"""
BY_HAND = """
a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
for i in range(20):
    (a * a).sum().backward()
    (b * b).sum().backward()
    with torch.no_grad():
        for p in (a, b):
            p -= 0.01 * p.grad
            p.grad = None
"""
# Of a quarter of the parameters the gradient is missing in some rounds, and some are larger than what is copied.
MANY_ROUNDS = """
w, u = torch.full((60, 60), 2.0, requires_grad=True), torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w, u], lr=1e-4)
known = []
for i in range(400):
    opt.zero_grad()
    loss = (w * w).sum() if i % 4 else (w * w).sum() + (u * u).sum()
    loss.backward()
    known.append(len(loss.grad_fn.metadata) > 0)
    opt.step()
"""


@pytest.mark.parametrize("source", [TWO_LOSSES, BY_HAND])
def test_each_place_of_a_backward_call_has_losses_of_its_own(source: str) -> None:
    ours, theirs = (t.document["rounds"] for t in on_both(source, torch))
    assert len(ours["losses"]) == 2
    assert ours["losses"] == theirs["losses"]
    assert ours["total"] == theirs["total"]


def test_figures_are_read_without_mirrors_while_the_recorder_sleeps() -> None:
    theirs: Any = record(MANY_ROUNDS, torch, max_steps=50)
    known = theirs.namespace["known"]
    assert known[:10] == [True] * 10
    assert sum(known[200:]) < 20  # the rounds that are recorded in full
    ours = record(MANY_ROUNDS, jgrad, max_steps=50)
    assert theirs.document["rounds"]["losses"] == ours.document["rounds"]["losses"]
    assert theirs.document["rounds"]["parameters"] == ours.document["rounds"]["parameters"]


# While the recorder sleeps, nothing reports that the parameters have other memory.
REPLACED = """
w, u = torch.full((60, 60), 2.0, requires_grad=True), torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w, u], lr=1e-4)
for i in range(400):
    opt.zero_grad()
    ((w * w).sum() + (u * u).sum()).backward()
    opt.step()
    w.data = w.data * 0.999
    u.data = u.data.clone()
    others = [torch.zeros(60, 60) for _ in range(3)]
"""


def test_figures_are_those_of_the_memory_that_a_parameter_has_by_now() -> None:
    ours, theirs = (record(REPLACED, library, max_steps=50).document["rounds"] for library in (jgrad, torch))
    assert theirs["parameters"] == ours["parameters"]


STEP = "opt = torch.optim.SGD([w], lr=0.01)\n", "opt.step()"
BY_HAND_STEP = "", "w.data.add_(w.grad, alpha=-0.01)"
LOOP = """
w = torch.ones(3, requires_grad=True)
{}
stacks = []
for i in range(300):
    w.grad = None
    (w * w).sum().backward()
    {}
    stacks.append(modes())
"""


def modes() -> int:
    """How many modes are on the stacks of this thread."""
    return int(torch._C._len_torch_function_stack() + torch._C._len_torch_dispatch_stack())


@pytest.mark.parametrize("step", [STEP, BY_HAND_STEP])
def test_no_mode_slows_a_loop_down_while_the_recorder_sleeps(step: tuple[str, str]) -> None:
    theirs: Any = record(LOOP.format(*step), torch, max_steps=30, modes=modes)
    stacks = theirs.namespace["stacks"]
    assert stacks[0] == 2
    assert sum(count > 0 for count in stacks[100:]) < 30  # in the rounds that are recorded in full


@pytest.mark.parametrize("step", [STEP, BY_HAND_STEP])
def test_calls_of_layers_are_pytorchs_own_while_the_recorder_sleeps(step: tuple[str, str]) -> None:
    plain = torch.nn.Module._call_impl
    loop = LOOP.format(*step).replace("modes()", "torch.nn.Module._call_impl")
    calls = record(loop, torch, max_steps=30).namespace["stacks"]  # type: ignore[attr-defined]
    assert plain not in calls[:5]
    assert sum(call is not plain for call in calls[100:]) < 30  # in the rounds that are recorded in full
    assert calls[-1] is not plain  # the last rounds are recorded
    assert torch.nn.Module._call_impl is plain


GRADIENTS = """
w, u = torch.full((60, 60), 2.0, requires_grad=True), torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
opt = torch.optim.SGD([w, u], lr=1e-4)
for i in range(400):
    opt.zero_grad()
    ((w * w).sum() + (u * u).sum()).backward()
    if i % 3 == 1:
        w.grad, u.grad = w.grad.t() * 2, u.grad[:1].expand(2, 2)
    if i % 3 == 2:
        w.grad, u.grad = None, u.grad.double().float() * i
    opt.step()
"""


def test_figures_are_those_of_the_gradient_that_a_parameter_has_by_now() -> None:
    ours, theirs = (record(GRADIENTS, library, max_steps=50).document["rounds"] for library in (jgrad, torch))
    assert theirs["parameters"] == ours["parameters"]


@pytest.mark.parametrize("step", [STEP, BY_HAND_STEP])
def test_what_follows_a_long_loop_is_recorded(step: tuple[str, str]) -> None:
    sources = [LOOP.format(*step), "\n" * 20 + "last = w * 5"]
    names: dict[str, Any] = {"torch": torch, "modes": modes}
    t: Any = Trace("cell", max_steps=30)
    t._source = Source("".join(sources).split("\n"))
    codes = [compile(source, "<cell>", "exec") for source in sources]
    with t.recording(Scope("<cell>", names, [n for code in codes for n in mentioned(code)])):
        for code in codes:
            exec(code, names)
            t.statement_ended()
    assert t.failures == []
    assert t.document["steps"][-1]["op"] == "mul"


def test_a_mode_that_a_block_sets_around_a_long_loop_ends_with_the_block() -> None:
    """The recorder sleeps and wakes in it. The block takes the top off the stack, which must be its own mode."""
    loop = LOOP.format(*STEP).replace("\n", "\n    ")
    source = f"with torch.device('meta'):\n    with torch.device('cpu'):{loop.replace('    ', '        ')}\nafter = torch.ones(1)"
    theirs: Any = record(source, torch, max_steps=30, modes=modes)
    assert theirs.error is None
    assert len({*theirs.namespace["stacks"]}) > 1
    assert theirs.namespace["after"].device.type == "cpu"
    assert modes() == 0


ROUNDED = """
w = torch.ones(3, requires_grad=True)
old = w // 1
y = old * 2
for i in range(1500): y = y * 1.01 + y // 1 if i % 10 == 0 else y * 1.01
loss = y.sum()
"""


def test_a_long_graph_with_nodes_of_the_highest_number_is_bounded() -> None:
    """PyTorch gives this number to nodes without a derivative. It says nothing of their age."""
    ours, theirs = record(ROUNDED, jgrad, max_steps=40), record(ROUNDED, torch, max_steps=40)
    assert len(theirs.document["nodes"]) == len(ours.document["nodes"]) <= 400


CLOSURE = """
p = torch.tensor([-1.0, 1.5], requires_grad=True)
opt = torch.optim.LBFGS([p], lr=0.5, max_iter=10)
def closure():
    opt.zero_grad()
    loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
    loss.backward()
    return loss
for i in range(5):
    opt.step(closure)
"""


def test_a_recorder_that_falls_asleep_within_a_step_leaves_no_mode() -> None:
    """The mode is off the stack while a call goes through it, and PyTorch puts it back."""
    t = record(CLOSURE, torch)
    assert t.error is None
    assert torch._C._len_torch_function_stack() == 0
