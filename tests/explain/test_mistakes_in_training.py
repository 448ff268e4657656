"""Mistakes in training that raise nothing, in several forms: each is named by its rule."""

from __future__ import annotations

import pytest

import jgrad
from tests.record.tracing import Trace, trace

pytestmark = pytest.mark.filterwarnings("ignore")

START = """
nn, F = jgrad.nn, jgrad.nn.functional
x, y, c = jgrad.randn(8, 3), jgrad.randn(8, 1), jgrad.randint(0, 2, (8,))
"""
LINEAR = START + "net = nn.Linear(3, 1)\nopt = jgrad.optim.SGD(net.parameters(), lr={lr})\n"
ROUND = "for i in range(4):\n    opt.zero_grad()\n    loss = {loss}\n    loss.backward()\n    opt.step()\n"
MSE = "F.mse_loss(net(x), y)"
CROSS = "F.cross_entropy(net(x), c)"


def notes_of(*cells: str) -> dict[str, str]:
    """The answer to the last of some cells, by code."""
    jgrad.manual_seed(0)
    t: Trace | None = None
    for cell in cells:
        t = trace(cell, None if t is None else t.namespace)
        assert t.error is None, repr(t.error)
    assert t is not None
    return {note["code"]: note["text"] for note in t.document["notes"]}


def in_module(init: str, forward: str) -> str:
    """A module with these lines, and its training."""
    lines = ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()"]
    lines += [f"        {line}" for line in init.split("\n")]
    lines += ["    def forward(self, x):", *[f"        {line}" for line in forward.split("\n")]]
    made = "net = Net()\nopt = jgrad.optim.Adam(net.parameters(), lr=0.1)\n"
    return START + "\n".join(lines) + "\n" + made + ROUND.format(loss=MSE)


@pytest.mark.parametrize("cells", [
    (LINEAR.format(lr=0.1), "for i in range(3):\n    loss = F.mse_loss(net(x), y)\n    opt.zero_grad()\n    loss.backward()"),
    (LINEAR.format(lr=0.1) + "for i in range(3):\n    F.mse_loss(net(x), y).backward()",),
    (LINEAR.format(lr=0.1) + "def train(opt):\n    for i in range(2):\n        opt.zero_grad()\n        F.mse_loss(net(x), y).backward()\ntrain(opt)",),
    (LINEAR.format(lr=0.1) + "rate = jgrad.optim.lr_scheduler.StepLR(opt, 1)\nfor i in range(3):\n    opt.zero_grad()\n    "
     "F.mse_loss(net(x), y).backward()\n    jgrad.nn.utils.clip_grad_norm_(net.parameters(), 1.)\n    rate.step()",),
])  # fmt: skip
def test_a_step_that_is_forgotten(cells: tuple[str, ...]) -> None:
    assert "Write opt.step() after backward()." in notes_of(*cells)["step-forgotten"]


@pytest.mark.parametrize(("init", "forward", "repair"), [
    ("self.hidden = [nn.Linear(3, 3)]", "for layer in self.hidden: x = layer(x)", "self.hidden = jgrad.nn.ModuleList(self.hidden)."),
    ("self.hidden = (nn.Linear(3, 3), nn.ReLU())", "for layer in self.hidden: x = layer(x)", "self.hidden = jgrad.nn.ModuleList(self.hidden)."),
    ("self.hidden = {'a': nn.Linear(3, 3)}", "x = self.hidden['a'](x)", "self.hidden = jgrad.nn.ModuleDict(self.hidden)."),
    ("self.scale = jgrad.ones(1, requires_grad=True)", "x = x * self.scale", "self.scale = jgrad.nn.Parameter(self.scale)."),
    ("self.ws = [jgrad.ones(1, requires_grad=True)]", "x = x * self.ws[0]", "self.ws = jgrad.nn.ParameterList(self.ws)."),
])  # fmt: skip
def test_what_parameters_does_not_give(init: str, forward: str, repair: str) -> None:
    source = in_module(f"self.out = nn.Linear(3, 1)\n{init}", f"{forward}\nreturn self.out(x)")
    assert notes_of(source)["layers-in-plain-list"].endswith(f"At the end of __init__ write {repair}")
    own = repair.removesuffix(".")
    assert "layers-in-plain-list" not in notes_of(source.replace(init, f"{init}\n        {own}"))


DEEP = (
    START
    + "net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 10))\nopt = jgrad.optim.SGD(net.parameters(), lr=0.1)\n"
)


@pytest.mark.parametrize("cells", [
    (DEEP + "net[1] = nn.Linear(3, 2)\n" + ROUND.format(loss=CROSS),),
    (DEEP, "net[1] = nn.Linear(3, 2)", ROUND.format(loss=CROSS)),
    (DEEP + "net.append(nn.Linear(10, 2))\n" + ROUND.format(loss=CROSS),),
])  # fmt: skip
def test_an_optimizer_that_is_older_than_a_layer(cells: tuple[str, ...]) -> None:
    assert (
        "Make opt after that: opt = jgrad.optim.SGD(net.parameters(), ...)."
        in notes_of(*cells)["optimizer-too-old"]
    )


@pytest.mark.parametrize(("code", "line", "cutter"), [
    ("network-cut", "h = self.a(x).detach()", "detach()"), ("network-cut", "h = self.a(x).data", ".data"),
    ("network-cut", "with jgrad.no_grad(): h = self.a(x)", "no_grad()"),
    ("network-left-as-numbers", "h = jgrad.tensor(self.a(x).tolist())", "self.a(x).tolist()"),
    ("network-left-as-numbers", "h = self.a(x)\nh = jgrad.from_numpy(h.detach().numpy())", "h.detach().numpy()"),
    ("network-left-as-numbers", "h = x * self.a(x).mean().item()", "self.a(x).mean().item()"),
])  # fmt: skip
def test_a_network_that_is_cut_in_the_middle(code: str, line: str, cutter: str) -> None:
    found = notes_of(
        in_module("self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 1)", f"{line}\nreturn self.b(h)")
    )
    assert found[code].startswith(
        "net.a.weight and net.a.bias may be meant to learn, but never get a gradient"
    )
    assert cutter in found[code]


@pytest.mark.parametrize("fill", ["nn.init.normal_(self.a.weight)", "self.a.weight.data.normal_()"])
def test_values_that_a_model_begins_with_are_no_training_of_it(fill: str) -> None:
    layers = f"self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 1)\nself.a(jgrad.ones(3))\n{fill}\nself.a.bias.data.zero_()"
    found = notes_of(in_module(layers, "return self.b(self.a(x).detach())"))
    assert found["network-cut"].startswith("net.a.weight and net.a.bias may be meant to learn")


@pytest.mark.parametrize(("code", "source"), [
    ("step-too-large", LINEAR.format(lr=100) + ROUND.format(loss=MSE).replace("4", "3")),
    ("step-too-large", START + "net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))\nopt = jgrad.optim.Adam(net.parameters(), lr=100)\n"
     + ROUND.format(loss=CROSS)),
    ("loss-grows", LINEAR.format(lr=1.5) + ROUND.format(loss=MSE).replace("4", "8")),
    ("step-in-vain", LINEAR.format(lr=0) + ROUND.format(loss=MSE)),
    ("step-in-vain", "rate = 0.0\n" + LINEAR.format(lr="rate") + ROUND.format(loss=MSE)),
])  # fmt: skip
def test_a_learning_rate_that_does_not_fit(code: str, source: str) -> None:
    assert code in notes_of(source)


@pytest.mark.parametrize(("code", "last", "loss"), [
    ("softmax-twice", "nn.Softmax(1)", "nn.CrossEntropyLoss()(net(x), c)"),
    ("softmax-twice", "nn.Softmax(1)", "nn.CrossEntropyLoss()(net(x).view(-1, 2), c)"),
    ("softmax-twice", "nn.Softmax(1)", "nn.NLLLoss()(net(x), c)"),
    ("softmax-twice", "nn.Sigmoid()", "nn.BCEWithLogitsLoss()(net(x)[:, 0], c.float())"),
    ("log-softmax-twice", "nn.LogSoftmax(1)", "nn.CrossEntropyLoss()(net(x), c)"),
])  # fmt: skip
def test_probabilities_for_a_loss_of_scores(code: str, last: str, loss: str) -> None:
    made = f"net = nn.Sequential(nn.Linear(3, 2), {last})\nopt = jgrad.optim.SGD(net.parameters(), lr=0.1)\n"
    assert code in notes_of(START + made + ROUND.format(loss=loss))


@pytest.mark.parametrize("clear", ["opt.zero_grad()", "net.zero_grad()"])
def test_gradients_cleared_between_backward_and_step(clear: str) -> None:
    body = f"for i in range(2):\n    {MSE}.backward()\n    {clear}\n    opt.step()"
    assert (
        "line 7 cleared the gradients after line 6 had filled them"
        in notes_of(LINEAR.format(lr=0.1) + body)["step-without-gradients"]
    )


def test_a_loss_of_something_else() -> None:
    source = (
        LINEAR.format(lr=0.1) + "other = nn.Linear(3, 1)\n" + ROUND.format(loss="F.mse_loss(other(x), y)")
    )
    assert "but the optimizer does not hold these tensors" in notes_of(source)["step-without-gradients"]


SWITCHED = (
    START
    + "net = nn.Sequential(nn.Linear(3, 8), {}, nn.Linear(8, 2))\nopt = jgrad.optim.SGD(net.parameters(), lr=0.1)\n"
)
EVALUATION = "with jgrad.no_grad():\n    accuracy = (net(x).argmax(1) == c).float().mean()"
LOSS_OF_PARTS = """
def test(model):
    with jgrad.no_grad():
        return sum(F.cross_entropy(model(a), b).item() for a, b in zip(x.split(4), c.split(4)))
result = test(net)
"""


@pytest.mark.parametrize("layer", ["nn.Dropout(0.5)", "nn.BatchNorm1d(8)"])
@pytest.mark.parametrize("evaluation", [EVALUATION, LOSS_OF_PARTS])
def test_an_evaluation_in_training_mode(layer: str, evaluation: str) -> None:
    training = SWITCHED.format(layer) + ROUND.format(loss=CROSS)
    named = f"Call {'model' if 'model' in evaluation else 'net'}.eval() before"  # as the function calls it
    assert named in notes_of(training, evaluation)["evaluated-in-train-mode"]
    assert named in notes_of(f"{training}\n{evaluation}")["evaluated-in-train-mode"]
    assert notes_of(training, f"net.eval()\n{evaluation}") == {}


@pytest.mark.parametrize("result", ["net(x).softmax(-1)", "net(x).argmax(1)"])
def test_a_prediction_in_training_mode(result: str) -> None:
    start, predicted = SWITCHED.format("nn.Dropout(0.5)"), f"with jgrad.no_grad():\n    p = {result}"
    assert "Call net.eval() before" in notes_of(start, predicted)["evaluated-in-train-mode"]
    assert notes_of(start, f"net.eval()\n{predicted}") == {}


BATCHES = """
def train(model, optimizer, rounds):
    for i in range(rounds):
        {clear}
        (F.mse_loss(model(x), y) / 4).backward()
        {between}
        if i % 4 == 3:
            optimizer.step()
            {after}
train(net, opt, 8)
"""


LOOP = "for i in range(3):\n    F.mse_loss(net(x), y).backward()\n    {call}\n    net.zero_grad()\n"
UPDATE = "def update(params):\n    for p in params:\n        {line}\n"


@pytest.mark.parametrize("line", [
    "p = p - 0.1 * p.grad", "p = p.data - 0.1 * p.grad", "p = jgrad.add(p.detach(), p.grad, alpha=-0.1)", "with jgrad.no_grad(): p = p - 0.1 * p.grad",
])  # fmt: skip
def test_an_update_of_a_local_name(line: str) -> None:
    code = (
        START
        + "net = nn.Linear(3, 1)\n"
        + UPDATE.format(line=line)
        + LOOP.format(call="update(net.parameters())")
    )
    found = notes_of(code)["update-of-local-name"]
    assert "net.weight and net.bias keep their values in all 3 rounds" in found


def test_an_update_that_something_reads_is_none_of_a_local_name() -> None:
    """A step of a search looks at new values first, and MAML goes on with them."""
    tried = UPDATE.format(line="p = p - 0.1 * p.grad; print(float(p.sum()))") + LOOP.format(
        call="update(net.parameters())"
    )
    assert "update-of-local-name" not in notes_of(START + "net = nn.Linear(3, 1)\n" + tried)
    given = "def update(p):\n    p = p - 0.1 * p.grad\n    return p.detach().requires_grad_()\n"
    loop = "w = jgrad.ones(3, requires_grad=True)\nfor i in range(3):\n    (w * x).sum().backward()\n    w = update(w)\n"
    assert "update-of-local-name" not in notes_of(START + given + loop)


@pytest.mark.parametrize("holder", ["optimizer", "model"])
def test_gradients_of_batches_that_are_cleared(holder: str) -> None:
    clear = f"{holder}.zero_grad()"

    def found(**parts: str) -> str:
        body = BATCHES.format(**{"clear": "pass", "between": "pass", "after": "pass", **parts})
        return notes_of(LINEAR.format(lr=0.1) + body).get("batches-cleared", "")

    said = found(clear=clear)
    assert "optimizer.step() runs only if i % 4 == 3" in said
    assert f"Call {clear} after optimizer.step()" in said
    assert found(after=clear) == ""
    # Each gradient is used: it is kept elsewhere, or a step is made.
    assert found(clear=clear, between="model.weight.grad.norm()", after="pass") == ""
    assert found(clear=clear, between="optimizer.step()") == ""


DROPPING = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 20)
    def forward(self, x):
        return {}
def predict(model, x):
    {}
    with jgrad.no_grad():
        return model(x)
net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    {}
    opt.zero_grad()
    F.cross_entropy(net(x), c).backward()
    opt.step()
    {}
    y = predict(net, x)
"""


@pytest.mark.parametrize(
    ("call", "repair"),
    [
        ("F.dropout(self.layer(x))", "Write F.dropout(self.layer(x), training=self.training)."),
        ("F.dropout(self.layer(x), 0.2)", "Write F.dropout(self.layer(x), 0.2, training=self.training)."),
        ("nn.Dropout(0.2)(self.layer(x))", "Make the layer in __init__: self.dropout = nn.Dropout(0.2)."),
    ],
)
def test_dropout_that_does_not_know_the_mode(call: str, repair: str) -> None:
    def found(*modes: str, call: str = call) -> str:
        return notes_of(START + DROPPING.format(call, *modes)).get("dropout-in-eval-mode", "")

    assert repair in found("pass", "net.train()", "net.eval()")
    assert "although line 20 put net into evaluation mode" in found("pass", "", "net.eval()")
    assert "although line 10 put model into evaluation mode" in found("model.eval()", "net.train()", "")
    for modes in (
        ("pass", "net.train()", ""),
        ("model.eval(); model.train()", "", ""),
        ("[m.train() for m in model.modules()]", "", "net.eval()"),
    ):
        assert found(*modes) == ""
    for sure in ("F.dropout(self.layer(x), 0.2, True)", "F.dropout(self.layer(x), training=True)"):
        assert found("pass", "net.train()", "net.eval()", call=sure) == ""


@pytest.mark.parametrize("layer", ["nn.Dropout(0.5)", "nn.BatchNorm1d(8)"])
def test_training_in_evaluation_mode(layer: str) -> None:
    training, evaluation = ROUND.format(loss=CROSS), f"net.eval()\n{EVALUATION}"
    start = SWITCHED.format(layer)
    assert "Call net.train()" in notes_of(start + training, evaluation, training)["trained-in-eval-mode"]
    assert notes_of(start + training, evaluation, f"net.train()\n{training}") == {}
    within = training + "".join(f"    {line}\n" for line in evaluation.split("\n"))
    assert "Call net.train()" in notes_of(start + within)["trained-in-eval-mode"]
    assert (
        notes_of(start + within.replace("    opt.zero_grad()", "    net.train()\n    opt.zero_grad()")) == {}
    )


TWO = START + "a, b = nn.Linear(3, 2), nn.Linear(3, 2)\nopt = jgrad.optim.SGD(a.parameters(), lr=0.1)\n"


@pytest.mark.parametrize(("code", "loss"), [
    ("target-with-history", "F.mse_loss(a(x), b(x))"), ("target-with-history", "((b(x) - a(x)) ** 2).mean()"),
    ("target-with-history", "F.kl_div(F.log_softmax(a(x), 1), F.softmax(b(x), 1), reduction='batchmean')"),
    ("target-with-history", "F.smooth_l1_loss(a(x).max(1)[0], 1 + 0.9 * b(x + 1).max(1)[0])"),
    ("target-learns", "0; target = a(x + 1) * 0.9\n    loss = F.mse_loss(a(x), target)"),
    ("target-requires-grad", "F.mse_loss(a(x), labels)"), ("target-requires-grad", "((a(x) - labels) ** 2).sum()"),
])  # fmt: skip
def test_a_target_that_is_part_of_the_graph(code: str, loss: str) -> None:
    labels = "labels = jgrad.randn(8, 2, requires_grad=True)\n"
    assert code in notes_of(TWO + labels + ROUND.format(loss=loss))


GAN = (
    START
    + """
made, judge = nn.Linear(2, 3), nn.Linear(3, 1)
ours, theirs = jgrad.optim.SGD(made.parameters(), lr=0.1), jgrad.optim.SGD(judge.parameters(), lr=0.1)
for i in range(40):
    fake = made(jgrad.randn(8, 2))
    theirs.zero_grad(); (judge(fake.detach()).mean() - judge(x).mean()).backward(); theirs.step()
    ours.zero_grad(); (-judge(fake).mean()).backward(); ours.step()
"""
)


def test_what_a_round_that_was_not_kept_cleared_is_not_known() -> None:
    """The gradients that the generator leaves in its judge are cleared in the next round."""
    jgrad.manual_seed(0)
    t = trace(GAN, patience=10)
    assert "gap" in t.document["steps"][-1]
    assert [note["text"] for note in t.document["notes"]] == []


def test_clearing_is_moved_behind_the_step_of_micro_batches() -> None:
    t = trace(LINEAR.format(lr=0.1) + (
        "for i in range(4):\n    F.mse_loss(net(x), y).backward()\n    if i % 2 == 1:\n        opt.zero_grad()\n        opt.step()\n"
    ))  # fmt: skip
    assert (
        t.why().diff.split("@@\n")[1]
        == "     if i % 2 == 1:\n+        opt.step()\n         opt.zero_grad()\n-        opt.step()"
    )


@pytest.mark.parametrize(("made", "say"), [
    ("(w.data ** 2).sum()", "but line 5 cut the graph with .data"),
    ("penalty(w)", "but line 10 cut the graph with no_grad()"),
    ("w.norm().detach()", ""),
])  # fmt: skip
def test_a_term_that_nothing_learns_from(made: str, say: str) -> None:
    source = (
        LINEAR.format(lr=0.1).rstrip()
        + f"""
@jgrad.no_grad()
def penalty(w):
    return w.norm()
w = net.weight
loss = F.mse_loss(net(x), y) + {made}
loss.backward()
opt.step()
"""
    )
    found = notes_of(source).get("term-without-history", "")
    assert (say.partition(" cut ")[2] in found and "Nothing learns from" in found) if say else found == ""


def test_a_gradient_that_is_only_looked_at_does_not_excuse_a_sum() -> None:
    found = notes_of(
        "w, b = jgrad.ones(1, requires_grad=True), jgrad.ones(1, requires_grad=True)\n"
        "for i in range(3):\n    (w * 5 + b).sum().backward()\n    seen = w.grad.norm() + b.grad.norm()"
    )
    assert "hold the sum of 3" in found["grad-accumulated"]


def test_a_sum_tells_of_a_gradient_that_was_there_before_the_cell() -> None:
    cell = "for i in range(2):\n    (w * 5).sum().backward()"
    w = jgrad.ones(2, requires_grad=True)
    (w * 2).sum().backward()
    [older] = trace(cell, {"w": w}).document["notes"]
    assert older["text"].startswith(
        "w.grad holds the sum of an older gradient and 2 backward passes (line 2)"
    )
    w.grad.zero_()
    [zeros] = trace(cell, {"w": w}).document["notes"]
    assert zeros["text"].startswith("w.grad holds the sum of 2 backward passes (line 2)")
