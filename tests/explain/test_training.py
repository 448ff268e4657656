"""What is said of training loops: steps that change nothing, clipping out of turn, graphs that are kept, the first nan of a large tensor."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from jgrad.asking import question as asking
from tests.explain.mistakes import outcome
from tests.record.tracing import asked, trace

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning", "ignore:Converting a tensor with requires_grad"),
]

LOOP = """
w = jgrad.ones(2, requires_grad=True)
v = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    loss = (w * 5).sum()
    {}
"""


def loop(*lines: str) -> str:
    return LOOP.format("\n    ".join(lines))


# The lines of a round, what is said of it, and in which lines.
ROUNDS: list[tuple[tuple[str, ...], str, list[int]]] = [
    (("opt.zero_grad()", "opt.step()"),
     "line 7 (opt.step()) changed nothing, 2 times, because every parameter has .grad None: no backward() ran before. Call "
     "backward() before each step.", [7]),
    (("loss.backward()", "opt.zero_grad()", "opt.step()"),
     "line 8 (opt.step()) changed nothing, 2 times, because every parameter has .grad None: line 7 cleared the gradients after line 6 had filled them. Move line 7 before backward(), or after opt.step().", [6, 7, 8]),
    (("loss.backward()", "opt.zero_grad(set_to_none=False)", "opt.step()"),
     "line 8 (opt.step()) changed no element of w: line 7 had set the gradients to zero. Move line 7 before backward(), or after opt.step().", [7, 8]),
    (("jgrad.autograd.grad(loss, w)", "opt.step()"),
     "line 7 (opt.step()) changed nothing, 2 times, because every parameter has .grad None: autograd.grad() returns the gradients and changes no .grad. Call backward(), or assign the gradients to .grad.", [7]),
    (("v.grad = None", "(v * 5).sum().backward()", "opt.step()"),
     "line 8 (opt.step()) changed nothing, 2 times, because every parameter has .grad None: backward() filled v.grad, but the optimizer does not hold this tensor. Pass v to the optimizer too, or compute the loss from w.", [7, 8]),
    (("w.grad = None", "loss.backward()", "opt.param_groups[0]['lr'] = 0", "opt.step()"),
     "line 9 (opt.step()) changed no element of w: the learning rate is 0 (w.grad is [5., 5.]). Use a larger learning rate, as in lr=0.1.", [9]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "said", "where"), ROUNDS)
def test_a_step_that_changes_nothing(lines: tuple[str, ...], said: str, where: list[int]) -> None:
    torch = pytest.importorskip("torch")
    source = loop(*lines)
    for library in (jgrad, torch):
        done = outcome(source, library)
        assert done["raised"] is None
        assert done["variables"]["w"].tolist() == [1.0, 1.0]
    [note] = trace(source).document["notes"]
    assert (note["text"], note["lines"]) == (said, where)


@pytest.mark.parametrize("lines", [
    ("opt.zero_grad()", "loss.backward()", "opt.step()"), ("loss.backward()", "opt.step()", "opt.zero_grad()"),
    ("opt.zero_grad()", "loss.backward()", "jgrad.nn.utils.clip_grad_norm_([w], 1.0)", "opt.step()"),
    ("loss.backward()", "jgrad.nn.utils.clip_grad_value_([w], 1.0)", "opt.step()", "opt.zero_grad(set_to_none=False)"),
    ("opt.zero_grad()", "loss.backward()", "opt.step()", "norm = jgrad.nn.utils.clip_grad_norm_([w], float('inf'))"),
    ("opt.zero_grad()", "(loss * 0.5).backward()", "(loss.detach() * w).sum().backward()" , "jgrad.nn.utils.clip_grad_norm_([w], 1.0)", "opt.step()"),
    ("def closure():", "    opt.zero_grad()", "    loss = (w * 5).sum()", "    loss.backward()", "    return loss", "opt.step(closure)"),
])  # fmt: skip
def test_rounds_that_are_right(lines: tuple[str, ...]) -> None:
    notes = trace(loop(*lines)).document["notes"]
    assert [n for n in notes if n["code"] != "grad-accumulated"] == []


def test_a_demonstration_of_a_schedule_is_no_mistake() -> None:
    [note] = trace(
        "w = jgrad.nn.Parameter(jgrad.ones(1))\nopt = jgrad.optim.SGD([w], lr=0.1)\n"
        "rate = jgrad.optim.lr_scheduler.StepLR(opt, 1)\nfor i in range(3):\n    opt.step()\n    rate.step()"
    ).document["notes"]
    assert note["severity"] == "info"


def test_clipping_what_was_used_already() -> None:
    clip = "jgrad.nn.utils.clip_grad_norm_([w], 1.0)"
    [note] = trace(loop("opt.zero_grad()", "loss.backward()", "opt.step()", clip)).document["notes"]
    assert note["text"] == (
        "line 9 (clip_grad_norm_()) does not clip the gradients that step() uses: line 8 (opt.step()) had used the gradients before. Clip after backward() and before step()."
    )
    [note] = trace(loop(clip, "loss.backward()", "opt.step()", "opt.zero_grad()")).document["notes"]
    assert (
        "there was no gradient yet. Then line 7 added the gradients, and line 8 (opt.step()) used them unclipped"
        in note["text"]
    )


def test_what_a_step_would_change() -> None:
    t = trace(loop("opt.zero_grad()", "loss.backward()"))
    w, opt = t.namespace["w"], t.namespace["opt"]
    assert asked("opt.step()", t) == (
        "opt.step() would change w from [1., 1.] to [0.5000, 0.5000]; %why itself changed nothing."
    )
    assert asked("opt", t) == asked("opt.step()", t)
    with pytest.raises(asking.BadInput, match="would clear gradients, and %why changes nothing"):
        asked("opt.zero_grad()", t)
    assert w.tolist() == [1.0, 1.0]
    assert w.grad is not None
    assert opt.state_dict()["state"] == {}
    opt.param_groups[0]["lr"] = 0
    assert asked("opt.step()", t) == "opt.step() would change nothing, because the learning rate is 0."
    opt.zero_grad()
    assert asked("opt.step()", t).endswith(".grad None. Call backward() first.")
    t.namespace["v"].grad = jgrad.ones(2)
    assert asked("opt.step()", t).endswith(
        "v has a gradient, but the optimizer does not hold it. Make the optimizer from the tensors that have gradients."
    )


def test_an_optimizer_of_an_older_model() -> None:
    t = trace(
        "net = jgrad.nn.Linear(2, 1)\nopt = jgrad.optim.SGD(net.parameters(), lr=0.1)\nnet = jgrad.nn.Linear(2, 1)\n"
        "net(jgrad.ones(2)).backward()"
    )
    assert asked("opt.step()", t).endswith(
        "backward() filled net.bias.grad and net.weight.grad, but the optimizer does not hold these tensors. Make the optimizer "
        "after the last line that makes, copies or loads net."
    )


def test_errors_summed_for_show_keep_no_graphs_of_earlier_rounds() -> None:
    """As in a GAN: two results per round, whose sum is replaced in each."""
    source = loop(
        "opt.zero_grad()", "real = (w * 2).sum()", "real.backward()", "fake = (w * 3).sum()", "fake.backward()", "error = real + fake", "opt.step()"
    )  # fmt: skip
    assert {n["code"] for n in trace(source).document["notes"]} <= {"grad-accumulated"}


LARGE = """
x = jgrad.ones(8000)
x[1003] = -1
{}
"""


def nan_of(source: str, severity: str = "warning") -> str:
    [note] = [n for n in trace(LARGE.format(source)).document["notes"] if n["code"] == "nan-appears"]
    assert note["severity"] == severity
    return note["text"]


def test_nan_in_the_middle_of_a_large_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first large contents are read in full. Of later ones, tensors that still live are looked through; else nobody is accused."""
    assert nan_of("loss = (x.log() * 2).sum()").startswith("line 3 (x.log()) made the first nan. Avoid 0 / 0")
    monkeypatch.setattr("jgrad.tracing.record.contents.FULL_LOOKS", 0)
    assert nan_of("y = x.log()\nz = y * 2\nloss = z.sum()").startswith("line 3 (x.log()) made the first nan.")
    said = nan_of("loss = (x.log() * 2).sum()")
    assert "or line 3 (x.log() * 2) or line 3 (x.log()) made the first nan; the trace" in said
    assert said.endswith(
        "Keep the result in a variable and trace again, so that %why can look at all its elements."
    )
    said = nan_of("y = x.log()\nloss = y.sum()\nx.sqrt_()")
    assert said.startswith("line 3 (x.log()) made the first nan that the trace holds, but")
    assert said.endswith("Check with isnan().any() before the tensor is written to again.")


def test_nan_that_reached_nothing_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jgrad.tracing.record.contents.FULL_LOOKS", 0)
    t = trace(LARGE.format("y = x.log()\nz = y * 2"))
    assert t.document["notes"] == []
    assert "z holds nan: line 3 (x.log()) made the first nan." in asked("z", t)


def test_a_living_tensor_that_was_changed_since_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jgrad.tracing.record.contents.FULL_LOOKS", 0)
    t = trace(LARGE.format("y = x.log()\nz = y * 2"))
    t.namespace["x"].add_(2)
    assert "line 3 (x.log()) made the first nan that the trace holds" in asked("z", t)


NAN_IN_LARGE = """
x = jgrad.randn(20, 10)
x[9, 4] = float("nan")
w = jgrad.ones(10, requires_grad=True)
{}.sum().backward()
"""


@pytest.mark.parametrize("loss", ["(x @ w)", "(x @ w).exp().sqrt()"])
def test_nan_that_came_from_large_data_is_not_the_root_s_fault(loss: str) -> None:
    texts = [n["text"] for n in trace(NAN_IN_LARGE.format(loss)).document["notes"]]
    assert texts == ['line 2 (x[9, 4] = float("nan")) put in the first nan.']


def test_a_nan_gradient_of_a_result_that_was_nan_already_is_not_mentioned_too() -> None:
    t = trace(
        "s = jgrad.ones(2, 3, requires_grad=True)\nkeep = jgrad.tensor([[True], [False]])\n"
        "s.masked_fill(~keep, float('-inf')).softmax(-1).sum().backward()"
    )
    assert [n["code"] for n in t.document["notes"]] == ["nan-appears"]


def test_nan_that_was_put_in() -> None:
    [note] = trace("x = jgrad.tensor([1., float('nan')])\nm = x.nanmean()").document["notes"]
    assert note["severity"] == "info"
    assert note["text"] == "line 1 (jgrad.tensor([1., float('nan')])) put in the first nan."


def test_a_deep_copy_brings_its_gradient() -> None:
    t = trace(
        "import copy\nw = jgrad.ones(2, requires_grad=True)\n(w * 2).sum().backward()\nv = copy.deepcopy(w)\n(v * 3).sum().backward()"
    )
    events = [s["grad"] for s in t.document["steps"] if "grad" in s]
    v = next(x["id"] for x in t.document["tensors"] if [n for _, n in x["names"]][:1] == ["v"])
    answers: list[Any] = [(g["action"], g["after"]["elements"]) for g in events if g["tensor"] == v]
    assert answers == [("set", ["2.", "2."]), ("add", ["5.", "5."])]
    t = trace(
        "import copy\nw = jgrad.ones(2, requires_grad=True)\n(w * 2).sum().backward()\nv = copy.deepcopy(w)"
    )
    assert asked("v.grad", t) == "v.grad is [2., 2.]: line 4 (copy.deepcopy(w)) set it."


def test_a_copy_is_where_the_graph_ends() -> None:
    t = trace(
        "import copy\nw = jgrad.ones(2, requires_grad=True)\nv = copy.deepcopy(w)\nloss = (v * 3).sum()\nloss.backward()"
    )
    assert (
        asked("w.grad", t)
        == "w.grad is None: loss was computed from w, but line 3 cut the graph with copy.deepcopy(w), which makes a new leaf."
    )


def test_the_version_that_a_function_counts_before_it_raises() -> None:
    source = """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x.clone()

y = jgrad.ones(2)
try:
    Twice.apply(y)
except RuntimeError:
    pass
y.add_(1)
"""
    t = trace(source)
    writes = [w["versions"] for s in t.document["steps"] for w in s.get("writes", ())]
    assert writes == [[0, 1], [1, 2], [2, 3]]
    assert t.namespace["y"]._version == 3


GAN = """
G = jgrad.nn.Linear(2, 2)
D = jgrad.nn.Linear(2, 1)
opt_g = jgrad.optim.Adam(G.parameters())
opt_d = jgrad.optim.Adam(D.parameters())
for i in range(3):
    opt_d.zero_grad()
    real = D(jgrad.ones(4, 2)).mean()
    real.backward()
    made = G(jgrad.ones(4, 2))
    fake = D(made.detach()).mean()
    fake.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss = -D(made).mean()
    loss.backward()
    opt_g.step()
"""
ATTACK = """
net = jgrad.nn.Linear(2, 2)
x = jgrad.ones(1, 2)
d = jgrad.zeros(1, 2, requires_grad=True)
for i in range(3):
    loss = net(x + d).sum()
    loss.backward()
    d.data = (d + 0.1 * d.grad.sign()).clamp(-0.3, 0.3)
    d.grad.zero_()
"""
SMALL_BATCHES = """
net = jgrad.nn.Linear(3, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    loss = net(jgrad.ones(4, 3)).mean() / 2
    loss.backward()
    if i % 2:
        opt.step()
        opt.zero_grad()
"""


@pytest.mark.parametrize("source", [GAN, GAN.replace("range(3)", "range(1)"), ATTACK, SMALL_BATCHES])
def test_sums_of_gradients_that_are_meant_or_not_used(source: str) -> None:
    assert [n for n in trace(source).document["notes"] if n["severity"] != "info"] == []


def test_the_sum_that_is_there_now_counts() -> None:
    t = trace(
        "w = jgrad.ones(1, requires_grad=True)\nfor i in range(2):\n    (w * 5).backward()\nw.grad = None\n(w * 5).backward()"
    )
    assert asked("w.grad", t) == "w.grad is [5.]: backward() in line 5 computed it."


def test_a_leaf_that_nobody_will_change() -> None:
    t = trace(
        "class Net(jgrad.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = jgrad.ones(2, requires_grad=True)\n"
        "        self.v = jgrad.nn.Parameter(jgrad.ones(2))\nnet = Net()\nopt = jgrad.optim.SGD(net.parameters(), lr=0.1)"
    )
    said = asked("net.w", t).split("\n")
    assert said[1:3] == [
        "net.w is not a parameter of net, so net.parameters() leaves it out. Write net.w = jgrad.nn.Parameter(net.w).",
        "opt does not hold net.w, so step() does not change net.w.",
    ]
    assert "hold" not in asked("net.v", t)


@pytest.mark.parametrize(("expression", "said"), [
    ("math.sin(x)", "line 3 made plain numbers (math.sin(x))"), ("sum([float(v) for v in x])", "made plain numbers (float(v))"),
    ("[v ** 2 for v in x.tolist()][0]", "made plain numbers (x.tolist())"),
])  # fmt: skip
def test_numbers_that_were_taken_out(expression: str, said: str) -> None:
    t = trace(
        f"import math\nx = jgrad.ones(1, requires_grad=True); b = jgrad.ones(1, requires_grad=True)\n(b * {expression}).backward()"
    )
    assert said in asked("x.grad", t)


def test_a_loop_variable_that_is_assigned_anew() -> None:
    t = trace(
        "ps = [jgrad.ones(1, requires_grad=True)]\n(ps[0] * 2).backward()\nfor p in ps:\n    p = p - 0.1 * p.grad"
    )
    assert asked("p.grad", t).startswith(
        "p.grad is None: line 4 gave the name p to a computed tensor with grad_fn SubBackward0"
    )


def test_a_parameter_assigned_anew_under_no_grad() -> None:
    t = trace(
        "w = jgrad.ones(1, requires_grad=True)\nfor i in range(2):\n    (w * 2).backward()\n    with jgrad.no_grad():\n        w = w - w.grad"
    )
    [note] = [n for n in t.document["notes"] if n["severity"] == "error"]
    assert note["text"].endswith(
        "line 5 gave w a new tensor, which no_grad() cut off. Write to the leaf in place, as in w -= ... or "
        "w.copy_(...)."
    )


def test_zero_factors_that_are_no_weights() -> None:
    t = trace("w = jgrad.ones(2, requires_grad=True)\nmask = jgrad.zeros(2)\n(w * mask).sum().backward()")
    assert asked("w.grad", t).endswith("multiplied [1., 1.] by mask, which gave zeros.")


def test_the_logarithm_of_a_probability() -> None:
    t = trace("s = jgrad.tensor([200., -200.], requires_grad=True)\n(-s.softmax(0).log()[1]).backward()")
    assert asked("s.grad", t).endswith("Use log_softmax(), which does not round small probabilities to 0.")


def test_a_loss_that_broadcasts() -> None:
    with pytest.warns(UserWarning, match="target size"):
        t = trace(
            "p = jgrad.ones(3, 1, requires_grad=True)\ny = jgrad.zeros(3)\nloss = jgrad.nn.functional.mse_loss(p, y)"
        )
    [note] = t.document["notes"]
    assert note["text"].startswith("line 3: p [3, 1] and y [3] were both broadcast to [3, 3]")


@pytest.mark.parametrize(("write", "said"), [
    ("w.data.zero_()", "Write to w itself under no_grad(), which its version counter counts."), ("w.zero_()", "Write .clone() where best is made, if best should have its own memory."),
])  # fmt: skip
def test_what_to_do_about_data_depends_on_who_wrote(write: str, said: str) -> None:
    t = trace(f"w = jgrad.ones(2, requires_grad=True)\nbest = w.data\nwith jgrad.no_grad():\n    {write}")
    assert [n for n in t.document["notes"] if n["text"].endswith(said)], t.document["notes"]


def error_of(source: str) -> str:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    return note["text"]


def test_a_step_between_rounds_that_are_retained() -> None:
    source = """
rnn = jgrad.nn.RNNCell(1, 2)
opt = jgrad.optim.SGD(rnn.parameters(), lr=0.1)
h = jgrad.zeros(1, 2)
for i in range(3):
    h = rnn(jgrad.ones(1, 1), h)
    h.sum().backward(retain_graph=True)
    opt.step()
"""
    assert error_of(source).endswith(
        "retain_graph=True kept the graph of an earlier round: leave it out, and write h = h.detach() for the tensor h that each round takes over."
    )
    one_round = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
h = w * w
(h * 2).sum().backward(retain_graph=True)
opt.step()
(h * 3).sum().backward(retain_graph=True)
"""
    assert "earlier round" not in error_of(one_round)


def test_rows_of_a_jacobian_are_no_rounds() -> None:
    source = "x = jgrad.ones(3, requires_grad=True)\ny = x * x\nfor i in range(3):\n    x.grad = None\n    y[i].backward(retain_graph=True)"
    assert [n for n in trace(source).document["notes"] if n["code"] == "rounds-run-again"] == []


def test_what_cut_a_leaf_off_in_place() -> None:
    said = error_of("x = jgrad.ones(2, requires_grad=True)\ny = x.detach_()\n(y * 2).sum().backward()")
    assert said.endswith("it was computed from x, which line 2 cut off with detach_().")


def test_a_lookup_that_rescales_its_weight() -> None:
    said = error_of(
        "rows = jgrad.nn.Embedding(3, 2, max_norm=0.1)\nw = jgrad.ones(2, 2, requires_grad=True)\na = rows.weight @ w\n"
        "(rows(jgrad.tensor([0, 1])).sum() + a.sum()).backward()"
    )
    assert said.endswith("look up first, or compute from rows.weight.clone().")


def test_clipping_without_gradients_is_as_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    for clip in ("clip_grad_norm_", "clip_grad_value_"):
        for given in ("[w]", "[]", "(p for p in [])", "(p for p in [w])", "iter([])"):
            source = f"w = jgrad.ones(2, requires_grad=True)\njgrad.nn.utils.{clip}({given}, 1.0)"
            ours, theirs = outcome(source, jgrad), outcome(source, torch)
            assert (ours["raised"], ours["warned"]) == (theirs["raised"], theirs["warned"])


@pytest.mark.parametrize(("source", "said"), [
    ("mask = jgrad.zeros(2, 2)\nmask[1] = float('-inf')\na = (jgrad.ones(2, 2) + mask).softmax(1)",
     "line 3 ((jgrad.ones(2, 2) + mask).softmax(1)) made the first nan from an infinity that line 2 (mask[1] = float('-inf')) had made. Keep at least one number that is not -inf in each row, because a row of only -inf has no softmax."),
    ("x = jgrad.linspace(0.1, 1, 100)\nm = jgrad.ones(100)\nm[50] = 0\ny = x / m\nz = (y * m).sum()",
     "line 5 (y * m) made the first nan from an infinity that line 4 (x / m) had made. Avoid 0 / 0, 0 * inf, inf - inf, and the logarithm or the root of a negative number, as with x.clamp(min=1e-12)."),
    ("x = jgrad.ones(2)\ny = x * float('nan')", "line 2 (x * float('nan')) put in the first nan."),
])  # fmt: skip
def test_where_nan_came_in(source: str, said: str) -> None:
    [note] = trace(source).document["notes"]
    assert note["text"] == said


def test_results_that_grow_without_training_are_no_divergence() -> None:
    source = "x = jgrad.ones(1, requires_grad=True)\nfor i in range(8):\n    x.grad = None\n    (x * 10 ** i).sum().backward()"
    assert trace(source).document["notes"] == []


def test_requires_grad_that_was_switched_off_at_once() -> None:
    said = error_of(
        "w = jgrad.ones(2, requires_grad=True)\nw.requires_grad = False\n(w ** 2).sum().backward()"
    )
    assert said.endswith(
        "it was computed from w, whose requires_grad line 2 set to False. Keep requires_grad=True on tensors that should learn."
    )


def test_the_optimizer_of_a_function() -> None:
    source = """
def train(net, opt):
    for i in range(2):
        net(jgrad.ones(3, 2)).mean().backward()
        opt.step()

net = jgrad.nn.Linear(2, 1)
train(net, jgrad.optim.SGD(net.parameters(), lr=0.1))
"""
    [note] = trace(source).document["notes"]
    assert note["text"].endswith("Call opt.zero_grad() before each backward(), unless you need the sum.")


def test_a_sum_that_keeps_graphs_is_named_once_and_not_what_is_computed_from_it() -> None:
    source = """
w = jgrad.ones(1, requires_grad=True)
history = []
for epoch in range(2):
    total = 0
    for x in (1.0, 2.0, 3.0):
        loss = w * x
        loss.backward()
        total += loss
    history.append(total / 3)
"""
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "sum-keeps-graphs"]
    assert note["text"].startswith("line 8 adds loss with its history to total, so total keeps")


def test_a_full_stop_after_a_number_stands_once() -> None:
    source = """
w = jgrad.tensor(1.0, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    loss = (w * 30) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
    texts = [n["text"] for n in trace(source).document["notes"]]
    assert any("loss went from" in text for text in texts)
    assert not [text for text in texts if ".." in text]


def test_a_sample_of_a_distribution_has_no_gradient() -> None:
    t = trace(
        "mu = jgrad.zeros(3, requires_grad=True)\nz = jgrad.distributions.Normal(mu, 1.0).sample()\nz.sum().backward()"
    )
    [note] = [n for n in t.document["notes"] if n["severity"] == "error"]
    assert note["text"].endswith(
        "but line 2 cut the graph with sample(), which draws under no_grad(). Write rsample() in line 2, if the distribution has it: a gradient passes through it."
    )


def test_names_that_end_with_a_step_are_known_in_it() -> None:
    source = """
w = jgrad.ones(1, requires_grad=True)
class Sum:
    total = 0
    def add(self):
        loss = (w * 2).sum()
        loss.backward()
        self.total += loss

s = Sum()
for i in range(3):
    s.add()
"""
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "sum-keeps-graphs"]
    assert note["text"].endswith("Write loss.detach() in line 7.")


def test_a_parameter_that_forward_makes_anew() -> None:
    t = trace("""
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = jgrad.nn.Parameter(jgrad.ones(2))
    def forward(self, x):
        self.w = jgrad.nn.Parameter(self.w / self.w.norm())
        return x @ self.w
net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
""")
    [note] = t.document["notes"]
    assert note["text"].endswith(
        "backward() filled net.w.grad, but the optimizer does not hold this tensor. Make net.w once and change it in place under no_grad(), "
        "because line 6 makes a new one each time."
    )


def test_what_an_error_tells_no_note_repeats() -> None:
    t = trace("""
net = jgrad.nn.RNN(2, 3)
h = jgrad.zeros(1, 1, 3)
for i in range(3):
    out, h = net(jgrad.ones(4, 1, 2), h)
    out.sum().backward()
""")
    assert [n["code"] for n in t.document["notes"]] == ["second-round"]


NETS = """\
net, other = jgrad.nn.Linear(2, 1), jgrad.nn.Linear(2, 1)
x = jgrad.ones(4, 2)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
"""


@pytest.mark.parametrize(("source", "code", "said"), [
    (
        f"{NETS}for i in range(3):\n    opt.zero_grad()\n    with jgrad.no_grad():\n        out = net(x)\n    loss = out.mean()\n"
        "    loss.requires_grad_(True)\n    loss.backward()\n    opt.step()",
        "step-without-gradients",
        "backward() filled only loss.grad. loss has no history: it was computed from net.weight, but line 7 cut the graph with no_grad(). "
        "Move line 7 out of no_grad() if net.weight needs a gradient.",
    ),
    (
        f"{NETS}losses = [net(x).mean() for i in range(2)]\njgrad.tensor(losses, requires_grad=True).sum().backward()\nopt.step()",
        "results-copied",
        "copies the numbers of losses to a new tensor, without their history. So backward() ends there, and net.weight and net.bias get no gradient. "
        "Write jgrad.stack(losses) there, which keeps it.",
    ),
    (
        f"{NETS}ot = jgrad.optim.SGD(other.parameters(), lr=0.1)\nfor i in range(3):\n    opt.zero_grad()\n    (net(x) + other(x)).mean().backward()\n"
        "    opt.step()\n    ot.step()",
        "grad-accumulated",
        "Call ot.zero_grad() in each round too, before backward(): opt.zero_grad() in line 6 clears only the tensors that opt holds.",
    ),
    (
        f"{NETS}net = jgrad.nn.Linear(2, 1)\nfor i in range(3):\n    opt.zero_grad()\n    net(x).mean().backward()\n    opt.step()",
        "step-without-gradients",
        "but the optimizer does not hold these tensors. Make the optimizer after the last line that makes, copies or loads net.",
    ),
    (
        "rnn = jgrad.nn.LSTM(2, 3)\nstate = None\nfor i in range(2):\n    out, state = rnn(jgrad.ones(4, 2), state)\n    out.sum().backward()",
        "second-round",
        "Write state = tuple(t.detach() for t in state) at the end of each round, or compute state[0] anew in each round.",
    ),
    (
        "policy = jgrad.nn.Linear(2, 3)\na = jgrad.multinomial(policy(jgrad.ones(4, 2)).softmax(-1), 1)\n(a == 1).float().mean().backward()",
        "root-without-history",
        "Give backward() the logarithm of the probability of what was drawn: loss = -(log_p[drawn] * reward).sum().",
    ),
    (
        "net = jgrad.nn.Linear(2, 1)\nrewards = [float(net(jgrad.ones(2))) for _ in range(3)]\njgrad.tensor(rewards).mean().backward()",
        "root-without-history",
        "line 3 made a new tensor of plain numbers. float(net(jgrad.ones(2))) in line 2 took them out of the graph.",
    ),
])  # fmt: skip
def test_a_repair_fits_what_the_optimizers_hold_and_what_was_computed(
    source: str, code: str, said: str
) -> None:
    [text] = [n["text"] for n in trace(source).document["notes"] if n["code"] == code]
    assert said in text


def test_the_loss_of_complex_parameters_is_read() -> None:
    """It is the real part of a complex number, in memory that has the dtype complex64."""
    t = trace(
        """
w = jgrad.ones(3, dtype=jgrad.complex64, requires_grad=True)
opt = jgrad.optim.Adam([w], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    (w * w.conj()).sum().real.backward()
    opt.step()
"""
    )
    assert t.failures == []
    assert t.document["notes"] == []


MADE_IN_A_FUNCTION = """
jgrad.manual_seed(0)
x, y = jgrad.ones(8, 2), jgrad.ones(8, 1)
def train(rate):
    net = jgrad.nn.Linear(2, 1)
    opt = jgrad.optim.{kind}(net.parameters(), lr=rate)
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    opt.step()
for {loop}:
    train({rate})
"""


def codes(source: str) -> list[str]:
    return [n["code"] for n in trace(source).document["notes"] if n["severity"] != "info"]


def test_a_model_of_several_parameters_that_a_function_makes_anew_in_each_round() -> None:
    assert codes(MADE_IN_A_FUNCTION.format(kind="SGD", loop="i in range(4)", rate=0.1)) == ["model-made-anew"]
    # A search of a rate makes several on purpose.
    assert codes(MADE_IN_A_FUNCTION.format(kind="SGD", loop="lr in (.1, .2, .3)", rate="lr")) == []


OPTIMIZER_ANEW = """
jgrad.manual_seed(0)
x, y = jgrad.ones(8, 2), jgrad.ones(8, 1)
net = jgrad.nn.Linear(2, 1)
for i in range(4):
    opt = jgrad.optim.{kind}(net.parameters(), lr={rate})
    for _ in range({steps}):
        opt.zero_grad()
        (net(x) - y).pow(2).mean().backward()
        opt.step()
"""


def test_an_optimizer_that_forgets_its_averages() -> None:
    assert codes(OPTIMIZER_ANEW.format(kind="Adam", rate=0.1, steps=1)) == ["optimizer-made-anew"]
    # It keeps none; it is begun anew with another rate, or after several steps.
    for right in (("SGD", 0.1, 1), ("Adam", "0.1 / (i + 1)", 1), ("Adam", 0.1, 3)):
        assert codes(OPTIMIZER_ANEW.format(**dict(zip(("kind", "rate", "steps"), right, strict=True)))) == []


def test_a_draw_whose_probability_is_learned() -> None:
    source = "jgrad.manual_seed(0)\nw = jgrad.ones(8, requires_grad=True)\njgrad.bernoulli(w.sigmoid()).sum().backward()"
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "draw-without-gradient"]
    assert note["text"].endswith(
        "Train on log_prob() of what was drawn, times its reward or loss: a draw itself has no derivative."
    )
