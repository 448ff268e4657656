"""Mistakes that raise nothing: what is said of them, and that nothing is said of right programs that look alike."""

from __future__ import annotations

import numpy as np
import pytest

import jgrad
from jgrad.tracing import explain
from tests.record.tracing import Trace, asked, trace

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning", "ignore:.*:UserWarning"),
]


def ran(source: str) -> Trace:
    jgrad.manual_seed(0)
    return trace(source, {"np": np})


def asked_after(text: str, source: str) -> str:
    """What `%why text` says after a program."""
    return asked(text, ran(source))


def codes(source: str) -> list[str]:
    return [note["code"] for note in ran(source).document["notes"]]


# Hooks --------------------------------------------------------------------------------------------------------------------------------

HOOKED = [
    ("x = jgrad.ones(2, requires_grad=True)\nh = x * 2\nh.register_hook(lambda g: g * 10)\n(h * h).sum().backward()", "x.grad",
     "x.grad is [80., 80.]: the hook in line 3 got [2., 2.] + [2., 2.], the gradient of h, and changed it to [40., 40.]."),
    ("x = jgrad.ones(2, requires_grad=True)\nh = x * 2\nh.register_hook(lambda g: g * 10)\nh.retain_grad()\nh.sum().backward()", "h.grad",
     "h.grad is [10., 10.]: the hook in line 3 got [1., 1.], the gradient of h, and changed it to [10., 10.]."),
    ("net = jgrad.nn.Linear(2, 2, bias=False)\njgrad.nn.init.ones_(net.weight)\ndef ten(module, came, went):\n    return (came[0] * 10,)\n"
     "net.register_full_backward_hook(ten)\nx = jgrad.ones(2, requires_grad=True)\nnet(x * 1).sum().backward()", "x.grad",
     "x.grad is [20., 20.]: the module hook in line 3 got [2., 2.], a gradient of the module's input or output, and changed it to [20., 20.]."),
    ("w = jgrad.ones(2, requires_grad=True)\ny = (w * 2).sum()\ny.grad_fn.next_functions[0][0].register_hook(lambda a, b: (a[0] * 10, a[1]))\n"
     "y.backward()", "w.grad", "w.grad is [20., 20.]: the node hook in line 3 may have changed what MulBackward0 (line 2) sent ([20., 20.])."),
    ("w = jgrad.ones(10, 10, requires_grad=True)\nw.register_hook(lambda g: g.clamp(-1, 1))\n(w * 2).sum().backward()", "w.grad",
     "w.grad is a gradient [10, 10] of norm 10: the hook in line 2 got a gradient [10, 10] of norm 20, the gradient of w, and changed it to"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "ask", "said"), HOOKED)
def test_a_hook_is_named_only_when_the_gradient_is_asked_for(source: str, ask: str, said: str) -> None:
    assert asked_after(ask, source).startswith(said)
    assert codes(source) == []


@pytest.mark.parametrize("hook", ["lambda g: None", "lambda g: g", "print", "lambda g: g * 1"])
def test_a_hook_that_changes_nothing_is_no_reason(hook: str) -> None:
    source = f"w = jgrad.ones(2, requires_grad=True)\nw.register_hook({hook})\n(w * 2).sum().backward()"
    assert asked_after("w.grad", source) == "w.grad is [2., 2.]: backward() in line 3 computed it."


# Chains of layers ---------------------------------------------------------------------------------------------------------------------

DEEP_NET = """
net = jgrad.nn.Sequential(*[m for i in range(50) for m in (jgrad.nn.Linear(8, 8), jgrad.nn.Sigmoid())])
net(jgrad.randn(4, 8)).sum().backward()
"""


def test_a_gradient_that_vanishes_over_fifty_layers() -> None:
    t = ran(DEEP_NET)
    [note] = t.document["notes"]
    assert note["code"] == "gradient-vanishes"
    assert "in each of 50 layers (SigmoidBackward0 (line 2) makes it 4.1" in note["text"]
    answer = asked("net[0].weight.grad", t)
    assert t.namespace["net"][0].weight.grad.norm().item() == 0
    assert "(norm() gives 0., because the squares are too small for float32)" in answer
    assert "below 1.2e-38, where float32 loses digits" in answer
    assert "computed it" in asked("net[98].weight.grad", t)


def test_the_first_weights_that_a_gradient_cannot_change_are_named() -> None:
    """From the named one on, subtracting the gradient changes no element; of the one before, some."""
    from jgrad.tracing.explain.rules import deep_chains

    t = ran(deep_chains.VANISHES)
    [note] = t.document["notes"]
    first = int(note["text"].split("From weights[")[1].split("]")[0])
    weights = t.namespace["weights"]
    assert [bool((w.detach() - w.grad).equal(w.detach())) for w in weights] == [
        i <= first for i in range(len(weights))
    ]


def test_a_gradient_that_underflows() -> None:
    source = "w = jgrad.tensor([0.5], requires_grad=True)\nh = w\nfor i in range(200):\n    h = h.sigmoid()\nh.backward()"
    assert codes(source) == ["gradient-vanishes"]
    assert "Each of 68 layers makes the gradient" in asked_after("w.grad", source)
    assert "until it is 0, since float32 holds no smaller numbers" in asked_after("w.grad", source)


@pytest.mark.parametrize("source", [
    "net = jgrad.nn.Sequential(*[m for i in range(20) for m in (jgrad.nn.Linear(16, 16), jgrad.nn.ReLU())])\n"
    "for m in net[::2]:\n    jgrad.nn.init.kaiming_normal_(m.weight)\nnet(jgrad.randn(8, 16)).pow(2).mean().backward()",
    "out, _ = jgrad.nn.LSTM(4, 8)(jgrad.randn(30, 2, 4))\nout[-1].sum().backward()",
    "out, _ = jgrad.nn.RNN(4, 8)(jgrad.randn(60, 2, 4))\nout[-1].sum().backward()",
    "w = jgrad.tensor([3.0000001], requires_grad=True)\n((w - 3) ** 2 * 1e-9).mean().backward()",  # has converged
    "net = jgrad.nn.Sequential(*[m for i in range(4) for m in (jgrad.nn.Linear(8, 8), jgrad.nn.Sigmoid())])\nnet(jgrad.randn(4, 8)).sum().backward()",
    "w = jgrad.ones(4, requires_grad=True)\n(w * 1e8).sum().backward()",  # one factor is no chain
    "weights = [jgrad.full((2, 2), 2.0, requires_grad=True) for i in range(16)]\nh = jgrad.ones(1, 2)\nfor w in weights:\n    h = h @ w\n"
    "h.sum().backward()\njgrad.nn.utils.clip_grad_norm_(weights, 1.0)",
])  # fmt: skip
def test_deep_programs_that_are_right(source: str) -> None:
    assert codes(source) == []


def test_the_norm_of_a_large_gradient_of_small_numbers() -> None:
    """The sum of their squares is 0 in float32."""
    answer = asked_after("w.grad", "w = jgrad.ones(10, 10, requires_grad=True)\n(w * 1e-30).sum().backward()")
    assert answer == "w.grad is a gradient [10, 10] of norm 1.000e-29: backward() in line 2 computed it."


# Exact zeros --------------------------------------------------------------------------------------------------------------------------

DEAD = (
    "layer = jgrad.nn.Linear(4, 3)\njgrad.nn.init.constant_(layer.bias, -100)\nx = jgrad.randn(8, 4)\n"
    "loss = ({}(layer(x)) - 1).pow(2).mean()\nloss.backward()"
)


@pytest.mark.parametrize(("source", "code", "said"), [
    (DEAD.format("jgrad.relu"), "dead-relu", "line 4 (jgrad.relu(layer(x))) gave 0 for the whole batch. All its inputs lie where relu() is flat,"),
    (DEAD.format("jgrad.tanh"), "saturated", "line 4 (jgrad.tanh(layer(x))): all inputs are so large that the derivative of tanh() is rounded to 0"),
    (DEAD.format("jgrad.sign"), "flat-operator", "write s = x.tanh(); y = s + (x.sign() - s).detach()."),
    ("w = jgrad.tensor([1.2], requires_grad=True)\nloss = (jgrad.floor(w * 3) - 6) ** 2\nloss.backward()", "flat-operator",
     "line 2 (jgrad.floor(w * 3)): the derivative of floor() is 0 everywhere, so w.grad is exactly 0. To let the gradient pass straight "
     "through, write ((w * 3) + (jgrad.floor(w * 3) - (w * 3)).detach())."),
    ("net = jgrad.nn.Sequential(jgrad.nn.Linear(4, 8), jgrad.nn.ReLU(), jgrad.nn.Linear(8, 1))\njgrad.nn.init.constant_(net[0].bias, -100)\n"
     "opt = jgrad.optim.SGD(net.parameters(), lr=0.01)\nfor i in range(4):\n    opt.zero_grad()\n    net(jgrad.randn(8, 4)).pow(2).mean().backward()\n"
     "    opt.step()", "dead-relu", "gave 0 for the whole batch, in all 4 rounds"),
])  # fmt: skip
def test_exact_zeros_are_explained(source: str, code: str, said: str) -> None:
    [note] = [n for n in ran(source).document["notes"] if n["severity"] != "info"]
    assert note["code"] == code
    assert said in note["text"]


@pytest.mark.parametrize("step", ["round", "floor", "ceil", "trunc", "sign"])
def test_a_straight_through_estimator_as_recommended(step: str) -> None:
    from jgrad.tracing.explain.rules.flat_operators import straight_through

    source = f"w = jgrad.tensor([1.2, 0.4], requires_grad=True)\nx = w * 1\n{straight_through(step)}\n((y - 6) ** 2).sum().backward()"
    t = ran(source)
    assert t.document["notes"] == []
    assert (t.namespace["w"].grad != 0).all()
    assert t.namespace["y"].tolist() == getattr(t.namespace["x"], step)().tolist()


@pytest.mark.parametrize("source", [
    "net = jgrad.nn.Sequential(jgrad.nn.Linear(4, 8), jgrad.nn.ReLU(), jgrad.nn.Linear(8, 1))\nopt = jgrad.optim.SGD(net.parameters(), lr=0.01)\n"
    "for i in range(4):\n    opt.zero_grad()\n    loss = net(jgrad.randn(8, 4)).pow(2).mean()\n    loss.backward()\n    opt.step()",  # some units are 0
    "w = jgrad.tensor([2., 2.], requires_grad=True)\nx = jgrad.randn(30, 2).abs() + 1\nloss = (1 - x @ w).relu().mean()\nloss.backward()",  # learned
    "w = jgrad.tensor(-1., requires_grad=True)\ny = w.relu() + 1\ny.backward()",  # an experiment
    "w = jgrad.tensor(30., requires_grad=True)\nw.tanh().backward()",
    "w = jgrad.rand(5, requires_grad=True)\nplace = w.floor().long()\n(w * jgrad.arange(5.)[place]).sum().backward()",  # an index on purpose
    "w = jgrad.rand(5, requires_grad=True)\n((w * 4 - (w * 4).floor()) ** 2).sum().backward()",  # the part behind the point
    "w = jgrad.rand(5, requires_grad=True)\n(w * w.sign()).sum().backward()",
    "w = jgrad.rand(5, requires_grad=True)\nrounded = w.round()\n(w * 2).sum().backward()",
])  # fmt: skip
def test_zeros_that_are_right(source: str) -> None:
    assert codes(source) == []


# Where the path from a loss to a leaf ends --------------------------------------------------------------------------------------------

TWO = "w = jgrad.tensor([0.3, 0.7], requires_grad=True)\nv = jgrad.ones(2, requires_grad=True)\n"


@pytest.mark.parametrize(("lines", "ends"), [
    ("loss = (v * w.argmax()).sum()", "The path ends in line 3, in w.argmax(), because a tensor of dtype int64 has no gradient."),
    ("best = w.argmax()\nloss = v[best] * 2", "The path ends in line 3, in w.argmax(), because a tensor of dtype int64 has no gradient."),
    ("loss = v[w.long()].sum()", "The path ends in line 3, in w.long(), because a tensor of dtype int64 has no gradient."),
    ("loss = (v * (w > 0.5).float()).sum()", "The path ends in line 3, in w > 0.5, because a tensor of dtype bool has no gradient."),
    ("loss = v[w > 0.5].sum()", "The path ends in line 3, in w > 0.5, because a tensor of dtype bool has no gradient."),
    ("loss = (v * jgrad.tensor(w)).sum()", "The path ends in line 3, in jgrad.tensor(w), which copies the numbers"),
    ("h = w * 2\nk = h.sum().item()\ns = v * k\nloss = s.sum()", "line 4 takes plain numbers of what was computed from w (h.sum().item())"),
    ("k = jgrad.from_numpy(np.exp(w.detach().numpy()))\nloss = (v * k).sum()", "line 3 takes plain numbers of what was computed from w (w.detach().numpy())"),
    ("loss = v[int(w[0])]", "line 3 takes plain numbers of what was computed from w (int(w[0]))"),
    ("def scale(t):\n    return float(t.sum())\nk = scale(w)\nloss = (v * k).sum()", ""),
    ("loss = v.sum() if bool(w[0] > 0) else -v.sum()", "(bool(w[0] > 0))"),
])  # fmt: skip
def test_where_the_path_from_the_loss_ends(lines: str, ends: str) -> None:
    source = f"{TWO}{lines}\nloss.backward()"
    t = ran(source)
    assert t.namespace["w"].grad is None
    texts = [note["text"] for note in t.document["notes"]]
    if ends:
        [text] = texts
        assert text.startswith("w.grad stays None: ")
        assert ends in text
    answer = asked("w.grad", t)
    assert answer.startswith("w.grad is None: ")


def test_a_decision_ends_a_path() -> None:
    source = f"{TWO}if w.sum() > 0:\n    loss = v.sum()\nelse:\n    loss = -v.sum()\nloss.backward()"
    assert asked_after("w.grad", source).startswith(
        "w.grad is None: w only decides in line 3 what is computed (w.sum() > 0)"
    )


@pytest.mark.parametrize("lines", [
    "loss = (w * v)[w.argmax()]",  # w has another way
    "loss = v.sum()\nprint(w.sum().item())",
    "loss = (v * 2).sum()\nbest = w.argmax()\naccuracy = (best == 1).float().mean()",  # not in the loss
    "hard = (w > 0.5).float()\nloss = (v * (hard - w).detach() + v * w).sum()",  # straight through
    "teacher, student = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(2, 3)\nx = jgrad.randn(4, 2)\nlabels = teacher(x).argmax(1)\n"
    "loss = jgrad.nn.functional.cross_entropy(student(x), labels) + (v * w).sum()",  # labels of another network
    "probs = w.softmax(0)\ndrawn = probs.multinomial(1)\nloss = -(probs.log()[drawn] * v).sum()",  # policy gradients
    "scores = jgrad.tensor([0.1, 0.9])\nloss = (v * w)[scores.argmax()]",  # an index of data
    "k = (w * 2).detach().sum().item()\nloss = (v * w).sum() * k",
])  # fmt: skip
def test_indexes_and_numbers_that_are_right(lines: str) -> None:
    source = f"{TWO}{lines}\nloss.backward()"
    assert [code for code in codes(source) if code.startswith("path")] == []


def test_numbers_that_are_only_printed_are_no_reason() -> None:
    source = f"{TWO}loss = v.sum()\nprint(w.sum().item())\nloss.backward()"
    assert "plain numbers" not in asked_after("w.grad", source)


# Shapes and dtypes --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "said"), [
    ("net = jgrad.nn.Sequential(jgrad.nn.Flatten(), jgrad.nn.Linear(9, 4), jgrad.nn.ReLU(), jgrad.nn.Linear(4, 2))\nnet(jgrad.ones(5, 4, 4))",
     "line 2: net[1] takes 9 features (in_features=9), and the last dimension of its input has 16. Make it with jgrad.nn.Linear(16, 4), or"),
    ("layer = jgrad.nn.Linear(4, 3)\nx = jgrad.ones(4, 10)\nlayer(x)",
     "If the samples are the columns of x, pass x.T; else make it with jgrad.nn.Linear(10, 3)."),
    ("jgrad.nn.Linear(4, 3)(jgrad.ones(2, 5))", "line 1: Linear takes 4 features"),
    ("x, w = jgrad.ones(4, 3), jgrad.ones(2, 3)\nx @ w", "Write x @ w.T."),
    ("x, w = jgrad.ones(4, 3), jgrad.ones(4, 2)\nx @ w", "Write x.T @ w."),
    ("x, w = jgrad.ones(4, 3), jgrad.ones(5, 2)\nx @ w",
     "No transposition helps: x has 3 columns and w 5 rows, so one of them has the wrong size; correct it where it is made."),
    ("jgrad.ones(4, 3) @ jgrad.ones(2, 3)", "Transpose the second, as in a @ b.T."),
    ("a, b = jgrad.ones(2, 3), jgrad.ones(2)\na * b", "a has shape [2, 3] and b [2]. Write a * b[:, None] or a.T * b."),
    ("a, b = jgrad.ones(2, 3), jgrad.ones(5)\na - b", "a has shape [2, 3] and b [5]. One of them has the wrong size: correct it where it is made."),
    ("layer = jgrad.nn.Linear(3, 2)\ndata = np.random.rand(4, 3)\nx = jgrad.from_numpy(data)\nbatch = x[:2]\nlayer(batch)",
     "but one is Double, the other Float: batch has dtype float64 since line 3 (jgrad.from_numpy(data)), as NumPy's numbers are float64 unless "
     "another dtype is given. Convert it where it is made: batch = batch.float()."),
    ("layer = jgrad.nn.Linear(2, 2)\nx = jgrad.tensor([[1, 2]])\nlayer(x)",
     "x has dtype int64 since line 2 (jgrad.tensor([[1, 2]])), as it is made of whole numbers."),
    ("layer = jgrad.nn.Linear(2, 2).double()\nx = jgrad.ones(1, 2)\nlayer(x)", "Convert both to one dtype: x.double() has"),
    ("net = jgrad.nn.Linear(2, 2)\nnet.half()\nx = jgrad.ones(1, 2)\nnet(x)",
     "the parameters of net are float16 since line 2. Convert both to one dtype: x.half() has the dtype of the parameters, net.float() makes them"),
    ("net = jgrad.nn.Linear(2, 2)\nx, y = jgrad.from_numpy(np.ones((2, 2))), jgrad.from_numpy(np.ones(2))\njgrad.nn.functional.mse_loss(net(x), y)",
     "x has dtype float64 since line 2"),
    ("class Scale(jgrad.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
     "        self.w = jgrad.nn.Parameter(jgrad.from_numpy(np.eye(2)))\n"
     "    def forward(self, x):\n        return x @ self.w\nnet = jgrad.nn.Sequential(Scale())\nnet(jgrad.ones(1, 2))",
     "self.w has dtype float64 since line 4 (jgrad.from_numpy(np.eye(2))), as NumPy's numbers are float64 unless another dtype is given. Convert what "
     "the Parameter is made of: add .float() in line 4."),
    ("net = jgrad.nn.Linear(2, 1)\nx, y = jgrad.ones(2, 2), jgrad.tensor([[0], [1]])\njgrad.nn.functional.binary_cross_entropy_with_logits(net(x), y)",
     "but y has dtype int64, which can't hold them. Convert it first: y = y.float()."),
    ("conv = jgrad.nn.Conv2d(1, 1, 2)\nimage = jgrad.from_numpy(np.ones((1, 1, 4, 4)))\nconv(image)", "image has dtype float64 since line 2"),
    ("rnn = jgrad.nn.LSTM(2, 2)\nx = jgrad.from_numpy(np.ones((1, 1, 2)))\nrnn(x)", "x has dtype float64 since line 2"),
    ("n = jgrad.arange(4)\nn.softmax(0)", "line 2: n.softmax(0) needs floating point numbers, and n has dtype int64. Convert it first, as in n.float()."),
])  # fmt: skip
def test_sizes_and_dtypes_that_do_not_fit(source: str, said: str) -> None:
    t = ran(source)
    assert t.error is not None
    [note] = [n for n in t.document["notes"] if n["severity"] == "error"]
    assert said in note["text"]


@pytest.mark.parametrize("source", [
    "x = jgrad.from_numpy(np.ones(3)).float()\nw = jgrad.ones(3, requires_grad=True)\n(w * x).sum().backward()",
    "x = jgrad.from_numpy(np.ones(3, dtype=np.float64))\nw = jgrad.ones(3, requires_grad=True)\n(w * x).sum().backward()",  # says so
    "x = jgrad.from_numpy(np.ones(3))\nw = x.clone().requires_grad_()\n(w * x).sum().backward()",  # all of it is float64
    "x = jgrad.tensor(np.mean([1., 2.]))\nw = jgrad.ones(3, requires_grad=True)\n(w * x).sum().backward()",  # a number does not widen
    "at = jgrad.tensor([[.2, .5], [.7, .9]])\ncell = (at * 1).long()\nw = jgrad.ones(4, requires_grad=True)\nw[cell[:, 0] * 2 + cell[:, 1]].sum().backward()",
    "at = jgrad.tensor([.2, .5, .7, .9])\nw = jgrad.ones(4, 2, requires_grad=True)\njgrad.nn.functional.embedding(at.int(), w).sum().backward()",
    "x = jgrad.tensor([.2, .5, .7, .9])\nwhole = x.long()\nw = jgrad.ones(4, requires_grad=True)\n(w * x).sum().backward()",  # nobody reads it
])  # fmt: skip
def test_dtypes_that_are_meant(source: str) -> None:
    assert codes(source) == []


@pytest.mark.parametrize(("cut", "mended", "repair"), [
    ("x.long()", "x.float()", "Write float() in place of long()."),
    ("x.to(jgrad.int32)", "x.float()", "Write float() in place of to(jgrad.int32)."),
    ("(x * 0.5).int()", "(x * 0.5).float()", "Write float() in place of int()."),
])  # fmt: skip
def test_fractions_that_are_cut_are_kept_by_the_repair(cut: str, mended: str, repair: str) -> None:
    source = f"x = jgrad.tensor([.2, .5, .7, .9])\nw = jgrad.ones(4, requires_grad=True)\ny = {cut}\n(w * y).sum().backward()\n"
    t = ran(source)
    [found] = explain.findings(explain.Log(t.document), t.living)
    assert found.note["code"] == "fractions-cut"
    assert found.repair == repair
    [edit] = found.edits
    line, begin, _, end = edit.span
    assert edit.text == mended
    assert source.splitlines()[line - 1][begin:end] == cut


def test_a_quantity_is_no_class() -> None:
    source = (
        "x = jgrad.tensor([.2, .5, .7, .9])\nw = jgrad.ones(4, 2, requires_grad=True)\n"
        "jgrad.nn.functional.cross_entropy(w * 2, x.long()).backward()"
    )
    t = ran(source)
    [found] = explain.findings(explain.Log(t.document), t.living)
    assert found.repair.startswith("This loss takes the number of a class.")


# Copies that look like views ----------------------------------------------------------------------------------------------------------

X = "x = jgrad.arange(6.).view(2, 3)\n"


@pytest.mark.parametrize("call", ["reshape(6)", "flatten()", "contiguous()", "ravel()"])
def test_the_memory_of_what_was_copied(call: str) -> None:
    answer = asked_after("r", f"{X}r = x.t().{call}")
    method = call.partition("(")[0]
    assert (
        f"\nr is a copy, so a write to it does not reach x. Here line 2 (x.t().{call}) copied, since the elements of x.t() lie in another order in "
        f"memory. Its shape is [3, 2], and its strides are (1, 3), not (2, 1). view() raises an error where {method}() copies.\n"
        in answer
    )
    assert "r is a copy" not in asked_after("r", f"{X}r = x.{call}")


@pytest.mark.parametrize(("lines", "found"), [
    ("r = x.t().reshape(6)\nr[0] = 9\ntotal = x.sum()", ["write-to-copy"]),
    ("r = x.t().flatten()\nr.mul_(2)\ntotal = x.sum()", ["write-to-copy"]),
    ("r = x.t().reshape(6)\nr[0] = 9\ntotal = r.sum()", []),  # the copy is what is used
    ("r = x.t().reshape(6)\nr[0] = 9\ntotal = x.sum() + r.sum()", []),
    ("r = x.t().contiguous()\nr[0] = 9\ntotal = x.sum()", []),  # which is called to copy
    ("r = x.t().clone().reshape(6)\nr[0] = 9\ntotal = x.sum()", []),
    ("r = x.t().reshape(6)\nr[0] = 9", []),
])  # fmt: skip
def test_a_write_to_a_copy(lines: str, found: list[str]) -> None:
    assert [code for code in codes(X + lines) if code != "shared-memory"] == found


# Custom Functions ---------------------------------------------------------------------------------------------------------------------

FUNCTION = """
import math
import numpy
class F(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, {args}):
        {forward}
    @staticmethod
    def backward(ctx, grad):
        {backward}
x = jgrad.tensor([[0.5, -1.5, 2.], [1., 0.3, -0.7]], requires_grad=True)
w = jgrad.tensor([2., 3., 0.5], requires_grad=True)
y = F.apply({call})
y.sum().backward()
"""


def function(forward: str, backward: str, args: str = "x", call: str = "x") -> str:
    return FUNCTION.format(
        forward=forward.replace("; ", "\n        "),
        backward=backward.replace("; ", "\n        "),
        args=args,
        call=call,
    )


SAVE = "ctx.save_for_backward(x); "
LOAD = "x, = ctx.saved_tensors; "
PAIR = "x, w = ctx.saved_tensors; "


@pytest.mark.parametrize(("source", "said"), [
    (function(SAVE + "return x ** 3", LOAD + "return grad * 2 * x ** 2"), "its gradient of x is 0.6667 times what small changes show."),
    (function("return x * 2", "return grad * -2"), "its gradient of x has the wrong sign."),
    (function(SAVE + "return x.exp()", LOAD + "return grad * x"), "for an element of x it gives 0.5 where a small change shows 1.649."),
    (function("ctx.save_for_backward(x, w); return x * w", PAIR + "return grad * w, (grad * x).mean(0)", "x, w", "x, w"),
     "its gradient of w is 0.5 times what small changes show."),
    (function("ctx.save_for_backward(x, w); return x @ w", PAIR + "return grad[:, None] * x, x.T @ grad", "x, w", "x, w"), "for an element of x"),
    (function("ctx.k = k; return x * k", "return grad, None", "x, k", "x, 3.0"), "its gradient of x is 0.3333 times"),
    (function(SAVE + "return jgrad.nn.functional.softplus(x)", LOAD + "return grad * jgrad.tanh(x)"), "for an element of x"),
    (function("ctx.x = x; return x.sin()", "return grad * ctx.x.sin()"), "for an element of x"),
    (function(SAVE + "return x.clamp(-1, 1)", LOAD + "return grad * x"), "for an element of x it gives 0.5 where a small change shows 1."),
])  # fmt: skip
def test_a_backward_that_is_wrong(source: str, said: str) -> None:
    t = ran(source)
    assert t.error is None
    [note] = t.document["notes"]
    assert note["code"] == "backward-is-wrong"
    assert said.removesuffix(".") in note["text"]
    assert any(
        "it went through a Function that does not compute its derivative" in asked(ask, t)
        for ask in ("x.grad", "w.grad")
    )


@pytest.mark.parametrize("source", [
    function(SAVE + "return x ** 3", LOAD + "return grad * 3 * x ** 2"),
    function(SAVE + "return x.clamp(min=0)", LOAD + "return grad * (x > 0)"),
    function(SAVE + "return x.clamp(min=0)", LOAD + "g = grad.clone(); g[x < 0] = 0; return g"),
    function(SAVE + "y = x.exp(); ctx.save_for_backward(y); return y", "y, = ctx.saved_tensors; return grad * y"),
    function("ctx.save_for_backward(x, w); return x * w", PAIR + "return grad * w, (grad * x).sum(0)", "x, w", "x, w"),
    function("ctx.save_for_backward(x, w); return x * w", PAIR + "return grad * w, grad * x", "x, w", "x, w"),  # the engine sums
    function("ctx.k = k; return x * k", "return grad * ctx.k, None", "x, k", "x, 3.0"),
    function("return x.round()", "return grad"),  # straight through
    function(SAVE + "return x.sign()", LOAD + "return grad * (x.abs() < 1)"),
    function("return x.clamp(-1, 1)", "return grad"),
    function("return x.view_as(x)", "return -0.5 * grad"),  # gradient reversal
    function("return x.clone()", "return grad.clamp(-0.1, 0.1)"),
    function("return x * 1.0", "return grad * 10"),
    function(SAVE + "return x.clamp(min=0)", LOAD + "return grad.clamp(min=0) * (x > 0)"),  # guided backpropagation
    function("ctx.mask = (jgrad.rand_like(x) > 0.5).float(); return x * ctx.mask * 2", "return grad * ctx.mask * 2"),  # chance
    function(SAVE + "print(end=''); return x ** 3", LOAD + "return grad * x"),  # can not run again unnoticed
    function(SAVE + "calls.append(1); return x ** 3", LOAD + "return grad * x").replace("class F", "calls = []\nclass F"),
    function("ctx.save_for_backward(x, w); return x * w", PAIR + "return grad * w, None", "x, w", "x, w"),  # no gradient for w
    function(SAVE + "return x.float() ** 3", LOAD + "return grad * 3 * x ** 2"),
    function(SAVE + "return (x * x + 1e-3).sqrt()", LOAD + "return grad * x / (x * x + 1e-3).sqrt()"),
    function("out = numpy.sinh(x.detach().numpy()); ctx.x = x; return jgrad.from_numpy(out)", "return grad * jgrad.cosh(ctx.x)"),
    function("s = 0.25; ctx.save_for_backward(x, w); return (x / w).round() * w",
             PAIR + "return grad, (grad * ((x / w).round() - x / w)).sum(0)", "x, w", "x, w"),  # learned quantisation
    function("ctx.save_for_backward(x, w); return (x / w).clamp(-1, 1).round() * w",
             PAIR + "return grad * (x.abs() < w.abs()), (grad * ((x / w).clamp(-1, 1).round() - x / w)).sum(0)", "x, w", "x, w"),
])  # fmt: skip
def test_a_backward_that_is_right_or_otherwise_on_purpose(source: str) -> None:
    t = ran(source)
    assert t.error is None
    assert t.document["notes"] == []


def test_trying_a_function_out_leaves_no_trace() -> None:
    source = function(SAVE + "return x ** 3", LOAD + "return grad * 2 * x ** 2")
    state = jgrad.get_rng_state()
    t = ran(source)
    jgrad.manual_seed(0)
    expected = jgrad.get_rng_state()
    jgrad.set_rng_state(state)
    ran(source)
    assert jgrad.get_rng_state().equal(expected)
    assert t.namespace["x"].grad.tolist() == [
        [0.5, 4.5, 8.0],
        [2.0, pytest.approx(0.18), pytest.approx(0.98)],
    ]
    assert t.namespace["x"]._version == 0


def test_a_slow_function_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from jgrad.tracing.explain import derivatives

    monkeypatch.setattr(derivatives, "SECONDS", -1.0)
    assert codes(function(SAVE + "return x ** 3", LOAD + "return grad * 2 * x ** 2")) == []


@pytest.mark.parametrize("words", [
    "mat1 and mat2 shapes cannot be multiplied (axb and c)", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3) in (1x1)",
    "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1", "expected scalar type Long but found Float",
])  # fmt: skip
def test_words_that_the_users_code_raised(words: str) -> None:
    t = ran(f"raise RuntimeError({words!r})")
    assert len(t.document["notes"]) <= 1


def test_zeros_come_from_the_node_that_is_on_every_way() -> None:
    """A product with zeros beside a residual connection keeps nothing back."""
    source = """
w, zeros = jgrad.ones(4, 4, requires_grad=True), jgrad.zeros(4, 4)
h = (jgrad.ones(4, 4) @ w).round()
y = h + h @ zeros
y.sum().backward()
"""
    assert "round" in asked_after("w.grad", source)


def test_the_factor_of_zeros_is_the_other_one() -> None:
    source = """
x = jgrad.ones(4, 4)
q, k = jgrad.zeros(4, 4, requires_grad=True), jgrad.zeros(4, 4, requires_grad=True)
left = x @ q
right = x @ k
(left @ right - 1).pow(2).sum().backward()
"""
    assert "by right, which gave zeros" in asked_after("q.grad", source)
    assert "by left, which gave zeros" in asked_after("k.grad", source)


def test_probabilities_that_became_nan_are_no_scores() -> None:
    """The repair for scores would hide that the training diverged."""
    t = ran("""
w = jgrad.tensor([1.0], requires_grad=True)
p = jgrad.sigmoid(w * float("inf") * 0)
jgrad.nn.functional.binary_cross_entropy(p, jgrad.ones(1)).backward()
""")
    answer = str(t.why(t.error))
    assert "made the first nan" in answer
    assert "with_logits" not in answer


# Numbers that leave through a helper ---------------------------------------------------------------------------------------------------

TRAINED_BY = """
net = jgrad.nn.Linear(3, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, y = jgrad.randn(8, 3), jgrad.randn(8, 1)
{}
for i in range(3):
    opt.zero_grad()
    loss = {}
    loss.backward()
    opt.step()
"""
LEFT = [
    ("def rmse(pred, target):\n    pred = pred.detach().numpy()\n    return jgrad.tensor(((pred - target.numpy()) ** 2).mean() ** 0.5{})", "rmse(net(x), y)",
     "pred.detach().numpy() in line 5"),
    ("def accuracy(out):\n    return ((out > 0) == (y > 0)).float().mean().item()\ndef error(out):\n    good = accuracy(out)\n    return jgrad.tensor(1 - good{})",
     "error(net(x))", "((out > 0) == (y > 0)).float().mean().item() in line 5"),
    ("class Metric:\n    def of(self, out):\n        return float((out - y).pow(2).mean())\nmetric = Metric()", "jgrad.tensor(metric.of(net(x)){})",
     "float((out - y).pow(2).mean()) in line 6"),
    ("parts = []\ndef part(out):\n    parts.append(out.pow(2).mean().item())\n    return jgrad.tensor(sum(parts){})", "part(net(x))",
     "out.pow(2).mean().item() in line 6"),
]  # fmt: skip


@pytest.mark.parametrize(("helper", "loss", "taken"), LEFT)
def test_the_line_is_named_in_which_numbers_leave(helper: str, loss: str, taken: str) -> None:
    leaf = TRAINED_BY.format(helper, loss).replace("{}", ", requires_grad=True")
    [note] = ran(leaf).document["notes"]
    assert note["code"] == "step-without-gradients"
    assert f"{taken} took them out of the graph" in note["text"]
    expression, _, line = taken.partition(" in ")
    assert f"{line} made plain numbers ({expression})" in asked_after("net.weight.grad", leaf)
    # Without requires_grad=True backward() raises.
    t = ran(TRAINED_BY.format(helper, loss).replace("{}", ""))
    assert (
        f"made a new tensor of plain numbers. {taken} took them out of the graph"
        in t.document["notes"][-1]["text"]
    )


# Samples and steps --------------------------------------------------------------------------------------------------------------------

SEQUENCES = """
layer = {layer}
head = jgrad.nn.Linear(4, 1)
optimizer = jgrad.optim.SGD([*layer.parameters(), *head.parameters()], lr=0.1)
for i in range(5):
    x, y = jgrad.randn(6, 3, 4), jgrad.randn({rows})
    optimizer.zero_grad()
    jgrad.nn.functional.mse_loss(head({states}), y).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("layer", "states", "rows"), [
    ("jgrad.nn.LSTM(4, 4)", "layer(x)[0].mean(1)", "6, 1"),
    ("jgrad.nn.GRU(4, 4)", "layer(x)[0].amax(dim=1)", "6, 1"),
    ("jgrad.nn.TransformerEncoderLayer(4, 1, 8)", "layer(x)[:, 0]", "6, 1"),
])  # fmt: skip
def test_samples_that_are_taken_for_steps(layer: str, states: str, rows: str) -> None:
    assert codes(SEQUENCES.format(layer=layer, states=states, rows=rows)) == ["samples-as-steps"]


@pytest.mark.parametrize(("layer", "states", "rows"), [
    ("jgrad.nn.LSTM(4, 4)", "layer(x)[0].mean(0)", "3, 1"),  # the steps come first
    ("jgrad.nn.LSTM(4, 4)", "layer(x)[0]", "6, 3, 1"),  # a number for each step
    ("jgrad.nn.GRU(4, 4)", "layer(x.transpose(0, 1))[0].mean(0)", "6, 1"),
    ("jgrad.nn.GRU(4, 4, batch_first=True)", "layer(x)[0].mean(1)", "6, 1"),
    ("jgrad.nn.TransformerEncoderLayer(4, 1, 8)", "layer(x)[0]", "3, 1"),
])  # fmt: skip
def test_samples_and_steps_in_their_places(layer: str, states: str, rows: str) -> None:
    assert codes(SEQUENCES.format(layer=layer, states=states, rows=rows)) == []
