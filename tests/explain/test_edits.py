"""Repairs as edits, applied by the machine: that of each rule to its example, on jgrad and on PyTorch, and to programs as people write them.

What is checked is the goal: that the program runs, that the rule is silent, that nothing else of weight is said, and that the gradients are those of the
mended program of the catalogue.
"""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import mirrors
from jgrad.tracing import explain
from jgrad.tracing.explain import Rule
from jgrad.tracing.explain.edits import Code, Edit, Overlap, applied, diff, importing
from tests.explain.mistakes import RULES, heard, outcome, repair, said
from tests.record.tracing import trace

EXAMPLES = {f"{rule.code}": rule for rule in RULES if rule.repaired}
# Rules whose edit does not end where the catalogue's mended program does, with the reason:
ANOTHER_WAY = {
    "saved-stale": "its mended program never runs backward()",
    "grad-without-history": "its mended program also asks for the gradient with retain_grad()",
}
# Those whose entry on the page has a diff. The page is generated, so that this module asks each rule only in its own tests.
PAGE = (Path(__file__).parents[2] / "docs" / "mistakes.md").read_text(encoding="utf-8")
ENTRIES = {entry.split("`")[1]: entry for entry in PAGE.split("\n### ")[1:]}
WITH_EDIT = [code for code in EXAMPLES if "```diff" in ENTRIES[code]]
LEAST = 133  # rules whose example is mended by an edit; this must not fall


@pytest.fixture(scope="module", params=WITH_EDIT)
def mended(request: pytest.FixtureRequest) -> tuple[Rule, str]:
    """A rule, and its example with its edit."""
    rule = EXAMPLES[request.param]
    return rule, repair(rule)[0]


def numbers(variables: dict[str, Any]) -> dict[str, np.ndarray]:
    """What the leaves hold in the end, and their gradients."""
    found = {}
    for name, value in variables.items():
        if (
            mirrors.is_tensor(value)
            and value.is_leaf
            and value.requires_grad
            and value.dtype.is_floating_point
        ):
            found[name] = value.detach().numpy()
            if value.grad is not None:
                found[f"{name}.grad"] = value.grad.detach().numpy()
    return found


def test_many_rules_mend_their_example() -> None:
    assert len(WITH_EDIT) >= LEAST


def test_an_edit_mends_the_example(mended: tuple[Rule, str]) -> None:
    """It runs, and nothing is said of it."""
    rule, text = mended
    assert text, f"{rule.code} proposes no edit: run scripts/generated"
    done = outcome(text, jgrad)
    assert done["raised"] is None, text
    assert said(rule, text) == [], text
    with heard(jgrad):
        notes = trace(text).document["notes"]
    assert [note["code"] for note in notes if note["severity"] != "info"] == [], text


@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_an_edit_reaches_the_goal(mended: tuple[Rule, str], library: str) -> None:
    """Each leaf ends with the value and the gradient that the catalogue's mended program gives it."""
    module: ModuleType = jgrad if library == "jgrad" else pytest.importorskip("torch")
    rule, text = mended
    both = []
    for source in (rule.repaired, text):
        module.manual_seed(0)
        both.append(numbers(outcome(source, module)["variables"]))
    expected, found = both
    for name in expected.keys() & found.keys() if rule.code not in ANOTHER_WAY else ():
        assert found[name] == pytest.approx(expected[name], nan_ok=True), (name, text)
    if rule.code not in ANOTHER_WAY:
        assert {n for n in expected if n.endswith(".grad")} <= {*found}, text


# Programs as people write them ------------------------------------------------------------------------------------------------------------

# By what went wrong: the program, and the program that is right from the start. Both give the leaves the same gradients, or `learns` the same values.
PROGRAMS = {
    "a part of a result that was saved": (
        """
import torch
x = torch.linspace(0, 1, 3).requires_grad_()
y = x.exp()
y[0] = 1
y.sum().backward()
""",
        """
import torch
x = torch.linspace(0, 1, 3).requires_grad_()
y = x.exp().clone()
y[0] = 1
y.sum().backward()
""",
    ),
    "a recurrence in one tensor": (
        """
import torch
w = torch.linspace(1, 2, 4).requires_grad_()
h = w * 2
for t in range(1, 4):
    h[t] = h[t - 1] * h[t]
h.sum().backward()
""",
        """
import torch
w = torch.linspace(1, 2, 4).requires_grad_()
parts = [w[0] * 2]
for t in range(1, 4):
    parts.append(parts[-1] * (w[t] * 2))
torch.stack(parts).sum().backward()
""",
    ),
    "a shifted write": (
        """
import torch
w = torch.linspace(1, 2, 4).requires_grad_()
h = w * 2
h[1:] = h[:-1] * h[1:]
h.sum().backward()
""",
        """
import torch
w = torch.linspace(1, 2, 4).requires_grad_()
h = w * 2
torch.cat([h[:1], h[:-1] * h[1:]]).sum().backward()
""",
    ),
    "a write through a view that others see": (
        """
import torch
w = torch.linspace(1, 2, 6).view(2, 3).detach().requires_grad_()
h = w * 2
s = (h * h).sum()
row = h[0]
row += 1
(s + h.sum()).backward()
""",
        """
import torch
w = torch.linspace(1, 2, 6).view(2, 3).detach().requires_grad_()
h = w * 2
s = (h * h).sum()
(s + h.sum() + 3).backward()
""",
    ),
    "an actor learns by the advantage of a critic that has made its step": (
        """
import torch
torch.manual_seed(0)
actor, critic = torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Linear(4, 1))
a_opt, c_opt = torch.optim.SGD(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
w, v, x = actor.weight, critic[1].weight, torch.ones(1, 2)
logp = actor(x).log_softmax(-1)[0, 0]
value = critic(x)
advantage = 1.0 - value
c_loss = advantage.pow(2).sum()
a_loss = -(logp * advantage).sum()
c_opt.zero_grad()
c_loss.backward(retain_graph=True)
c_opt.step()
a_opt.zero_grad()
a_loss.backward()
a_opt.step()
""",
        """
import torch
torch.manual_seed(0)
actor, critic = torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Linear(4, 1))
a_opt, c_opt = torch.optim.SGD(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
w, v, x = actor.weight, critic[1].weight, torch.ones(1, 2)
logp = actor(x).log_softmax(-1)[0, 0]
value = critic(x)
advantage = 1.0 - value
c_loss = advantage.pow(2).sum()
a_loss = -(logp * advantage.detach()).sum()
c_opt.zero_grad()
c_loss.backward(retain_graph=True)
c_opt.step()
a_opt.zero_grad()
a_loss.backward()
a_opt.step()
""",
    ),
    "an encoder that an optimizer trains stands before the loop": (
        """
import torch
torch.manual_seed(0)
enc, dec = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
w, v = enc.weight, dec.weight
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
code = enc(torch.ones(1, 2)).tanh()
for i in range(3):
    opt.zero_grad()
    loss = dec(code).pow(2).sum()
    loss.backward()
    opt.step()
""",
        """
import torch
torch.manual_seed(0)
enc, dec = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
w, v = enc.weight, dec.weight
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
for i in range(3):
    code = enc(torch.ones(1, 2)).tanh()
    opt.zero_grad()
    loss = dec(code).pow(2).sum()
    loss.backward()
    opt.step()
""",
    ),
    "an index of one element for each row": (
        """
import torch
x = torch.linspace(1, 2, 6).view(2, 3).detach().requires_grad_()
index = torch.tensor([0, 2])
x.gather(1, index).sum().backward()
""",
        """
import torch
x = torch.linspace(1, 2, 6).view(2, 3).detach().requires_grad_()
index = torch.tensor([0, 2])
x[[0, 1], index].sum().backward()
""",
    ),
    "a frozen layer whose flag is misspelt": (
        """
import torch
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
for p in net[0].parameters():
    p.require_grad = False
v = net[1].weight
frozen = net[0].weight
net(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
for p in net[0].parameters():
    p.requires_grad = False
v = net[1].weight
frozen = net[0].weight
net(torch.ones(1, 2)).sum().backward()
""",
    ),
    "a detach() in parentheses of a larger expression": (
        """
import torch
w = torch.linspace(1, 2, 3).requires_grad_()
def scaled(x):
    return 3 * (x + 1).detach() * 2
loss = scaled(w).sum()
loss.backward()
""",
        """
import torch
w = torch.linspace(1, 2, 3).requires_grad_()
def scaled(x):
    return 3 * (x + 1) * 2
loss = scaled(w).sum()
loss.backward()
""",
    ),
    "gradients add up in a loop": (
        """
import torch
torch.manual_seed(0)
net = torch.nn.Linear(2, 1)
w, b = net.weight, net.bias
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(0, 1, 8).view(4, 2)
for epoch in range(5):
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
""",
        """
import torch
torch.manual_seed(0)
net = torch.nn.Linear(2, 1)
w, b = net.weight, net.bias
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(0, 1, 8).view(4, 2)
for epoch in range(5):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "layers in a plain list of a class": (
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = [nn.Linear(3, 3), nn.Linear(3, 1)]  # more of them

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x.relu())
        return x
net = Net()
w, v = net.first.weight, net.rest[1].weight
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(torch.ones(3, 2)).sum().backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 1)])

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x.relu())
        return x
net = Net()
w, v = net.first.weight, net.rest[1].weight
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(torch.ones(3, 2)).sum().backward()
    opt.step()
""",
    ),
}


def _trained(model: str, loss: str) -> str:
    """A program that trains a network of two layers for three rounds."""
    return f"""
import torch
import torch.nn as nn
torch.manual_seed(0)
{model}
w = next(iter(net.parameters()))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x, y = torch.randn(8, 4), torch.arange(8) % 3
for epoch in range(4):
    opt.zero_grad()
    loss = {loss}
    loss.backward()
    opt.step()
"""


OF_CLASS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 5), nn.Linear(5, 3)
        self.probabilities = nn.Softmax(dim=1)

    def forward(self, x):
        d = 1
        x = self.last(self.first(x).relu())
        return {}
net = Net()
"""
SEQUENTIAL = "net = nn.Sequential(\n    nn.Linear(4, 5),\n    nn.ReLU(),\n    nn.Linear(5, 3){})"
CROSS, BINARY = (
    "nn.CrossEntropyLoss()(net(x), y)",
    "nn.BCEWithLogitsLoss()(net(x), nn.functional.one_hot(y, 3).float())",
)
PROGRAMS |= {
    f"scores of {made}": (_trained(OF_CLASS.format(made), CROSS), _trained(OF_CLASS.format("x"), CROSS))
    for made in ("self.probabilities(x)", "torch.softmax(x, dim=1)", "x.softmax(d)", "nn.functional.softmax(x, d)")
} | {
    "a sigmoid at the end of nn.Sequential": (
        _trained(SEQUENTIAL.format(",\n    nn.Sigmoid(),\n"), BINARY), _trained(SEQUENTIAL.format(""), BINARY),
    ),
    "a loss with a minus": (_trained(SEQUENTIAL.format(""), f"-{CROSS}"), _trained(SEQUENTIAL.format(""), CROSS)),
    "a loss times minus one": (_trained(SEQUENTIAL.format(""), f"{CROSS} * -1"), _trained(SEQUENTIAL.format(""), CROSS)),
}  # fmt: skip


BEGIN = "import torch\nfrom torch import nn\nfrom torch.distributions import Categorical, Normal\nF = nn.functional\ntorch.manual_seed(0)\n"
STEP = "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"
# title: (program, what is wrong in it, what is right)
ASKED = {
    "a penalty of gradients": (
        """net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
w, opt = net[0].weight, torch.optim.SGD(net.parameters(), lr=0.1)
def penalty(x):
    x = x.requires_grad_()
    slope = torch.autograd.grad(net(x).sum(), xCREATE)[0]
    return (slope.norm(dim=1) - 1).pow(2).mean()
for i in range(3):
    loss = net(torch.ones(3, 2)).mean() + 10 * penalty(torch.ones(3, 2))
""" + STEP, "CREATE", ", create_graph=True"),
    "a penalty of the data of weights": (
        """net = nn.Linear(2, 1)
w, opt = net.weight, torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = F.mse_loss(net(torch.ones(3, 2)), torch.ones(3, 1)) + 0.1 * net.weight.data.abs().sum()
""" + STEP, "weight.data.abs", "weight.abs"),
    "old probabilities that were not cut off": (
        """policy = nn.Linear(2, 2)
w, opt = policy.weight, torch.optim.SGD(policy.parameters(), lr=0.1)
s, a, adv = torch.randn(6, 2), torch.tensor([0, 1, 0, 1, 1, 0]), torch.randn(6)
old = Categorical(logits=policy(s)).log_prob(a)
#
for epoch in range(3):
    ratio = (Categorical(logits=policy(s)).log_prob(a) - old).exp()
    loss = -(ratio * adv).mean()
""" + STEP, "#\n", "old = old.detach()\n"),
    "an action that is drawn without a gradient": (
        """actor, critic = nn.Linear(2, 1), nn.Linear(1, 1)
w, opt = actor.weight, torch.optim.SGD(actor.parameters(), lr=0.1)
for i in range(2):
    torch.manual_seed(i)
    a = Normal(actor(torch.ones(3, 2)), 1.).sample()
    loss = -critic(a).mean()
""" + STEP, ".sample()", ".rsample()"),
    "an average under a local name": (
        """net, mean = nn.Linear(2, 1), nn.Linear(2, 1)
w, m, opt = net.weight, mean.weight, torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(3, 2)).pow(2).mean()
""" + STEP + """    for a, p in zip(mean.parameters(), net.parameters()):
        a = 0.9 * a + 0.1 * p
""", "a = 0.9 * a + 0.1 * p", "a.data = 0.9 * a.data + 0.1 * p.data"),
    "a parameter that is computed with as it is made": (
        """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2)) * 0.5
        self.b = nn.Parameter(torch.ones(2))
    def forward(self, x):
        return (x * self.w.exp() + self.b).sum()
net = Net()
b, opt = net.b, torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(2))
""" + STEP, "nn.Parameter(torch.ones(2)) * 0.5", "nn.Parameter(torch.ones(2) * 0.5)"),
    "a part that was frozen with the rest": (
        """net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
for p in net.parameters():
    p.requires_grad = False
#
w, opt = net[1].weight, torch.optim.SGD(net[1].parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(3, 2)).pow(2).mean()
""" + STEP, "#\n", "net[1].requires_grad_(True)\n"),
    "a loss that another one replaces": (
        """net = nn.Linear(2, 1)
w, opt = net.weight, torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = F.mse_loss(net(torch.ones(3, 2)), torch.ones(3, 1))
    loss = ADDF.l1_loss(net(torch.zeros(3, 2)), torch.ones(3, 1))
""" + STEP, "ADD", "loss + "),
    "gradients of micro-batches that are cleared before the step": (
        """net = nn.Linear(2, 1)
w, opt = net.weight, torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    (net(torch.ones(3, 2)).pow(2).mean() / 2).backward()
    if i % 2:
        FIRST
""", "FIRST", "opt.step()\n        opt.zero_grad()"),
    "rewards with the wrong sign": (
        """policy = nn.Linear(2, 2)
w, opt = policy.weight, torch.optim.SGD(policy.parameters(), lr=0.1)
for i in range(4):
    s, a = torch.ones(4, 2), torch.tensor([0, 1, 0, 1])
    returns = torch.tensor([1., 0., 1., 0.])
    loss = SIGN(Categorical(logits=policy(s)).log_prob(a) * returns).mean()
""" + STEP, "SIGN", "-"),
    "attention over columns of every row": (
        """net = nn.Linear(2, 3)
w, opt = net.weight, torch.optim.SGD(net.parameters(), lr=0.1)
labels = torch.tensor([0, 1, 2, 1])
for i in range(3):
    loss = -net(torch.randn(4, 2, generator=torch.manual_seed(i))).log_softmax(1)[ROWS, labels].mean()
""" + STEP, "ROWS", "torch.arange(len(labels))"),
}  # fmt: skip
WRONG = {"CREATE": "", "ADD": "", "SIGN": "", "ROWS": ":", "FIRST": "opt.zero_grad()\n        opt.step()"}
PROGRAMS |= {
    title: (BEGIN + text.replace(wrong, WRONG.get(wrong, wrong)), BEGIN + text.replace(wrong, right))
    for title, (text, wrong, right) in ASKED.items()
}


@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize("title", PROGRAMS)
def test_the_edit_of_a_program_keeps_its_intention(title: str, library: str) -> None:
    """The program is traced on each library, the first edit is applied, and the result gives what the right program gives."""
    wrong, right = PROGRAMS[title]
    if library == "torch":
        pytest.importorskip("torch")
        mirrors.load()
    else:
        wrong, right = (text.replace("torch", "jgrad") for text in (wrong, right))
    with heard(jgrad):
        t = trace(wrong)
    repairs = [one.edits for one in explain.findings(explain.Log(t.document), t.living) if one.edits]
    assert repairs, [note["text"] for note in t.document["notes"]]
    text = "\n".join(applied(t.document["source"], repairs[0]))
    namespaces: list[dict[str, Any]] = [{"__name__": "__main__"}, {"__name__": "__main__"}]
    for source, namespace in zip((text, right), namespaces, strict=True):
        exec(compile(source, "<cell>", "exec"), namespace)
    found, expected = map(numbers, namespaces)
    assert found.keys() == expected.keys()
    for name in expected:
        assert found[name] == pytest.approx(expected[name], rel=1e-5), (name, text)


# Edits themselves --------------------------------------------------------------------------------------------------------------------------


def test_two_edits_of_the_same_text_are_refused() -> None:
    code = Code(["y = x + 1"])
    statement = code.statements[0]
    assert isinstance(statement, ast.Assign)
    both = [code.replaced(statement, "y = 2"), code.replaced(statement.value, "3")]
    with pytest.raises(Overlap, match="the same text"):
        applied(code.lines, both)


def test_columns_are_those_of_characters() -> None:
    code = Code(["größe = 'ä'; y = größe.upper()  # ü"])
    call = code.statements[1].value  # type: ignore[attr-defined]
    assert applied(code.lines, [code.replaced(call, "größe")]) == ["größe = 'ä'; y = größe  # ü"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 1\nb = 2\nc = 3", "a = 1\nc = 3"),
        ("a = 1\nb = 2", "a = 1"),
        ("if a:\n    b = 2\nc = 3", "if a:\n    pass\nc = 3"),
        ("a = 1; b = 2; c = 3", "a = 1; pass; c = 3"),
    ],
)
def test_a_statement_left_out(source: str, expected: str) -> None:
    code = Code(source.split("\n"))
    statement = next(s for s in code.statements if ast.unparse(s) == "b = 2")
    assert "\n".join(applied(code.lines, [code.without(statement)])) == expected


def test_a_diff_names_its_text() -> None:
    code = Code(["x = 1"])
    assert diff(code.lines, [code.after(code.statements[0], "y = 2")], "model.py").startswith(
        "--- model.py\n+++ model.py, mended"
    )


@pytest.mark.parametrize("head", ["for i in range(3):", "with x:", "while x:", "def f(x):"])
def test_a_statement_in_the_line_of_its_block_is_the_innermost(head: str) -> None:
    lines = f"{head} loss.backward(); b = 1".split("\n")
    code = Code(lines)
    found = code.statement_at(len(lines))
    assert found is not None
    assert code.text(found) == "loss.backward()"
    assert applied(lines, [code.before(found, "w.grad = None")])[-1] == lines[-1].replace(
        "loss", "w.grad = None; loss"
    )


# The program's own names ----------------------------------------------------------------------------------------------------------------


def test_a_repair_names_the_library_as_the_program_does() -> None:
    said = "Write jgrad.no_grad() here, and jgrad.trace() there."
    assert (
        mirrors.named_in(said, "torch", {"th": "torch"})
        == "Write th.no_grad() here, and jgrad.trace() there."
    )
    assert mirrors.named_in("jgrad.ones(2)", "torch", {"t": "torch", "torch": "torch"}) == "torch.ones(2)"
    assert mirrors.named_in("jgrad.ones(2)", "jgrad", {"torch": "jgrad"}) == "torch.ones(2)"


def test_an_edit_imports_the_library_where_the_program_has_no_name_for_it() -> None:
    cell = ["%%trace", "w -= 1"]
    edits = [Edit("", (2, 0, 2, 6), "with torch.no_grad():\n    w -= 1")]
    own = importing(edits, cell, "torch", {"nn": "torch.nn"})
    assert applied(cell, own) == ["%%trace", "import torch", "with torch.no_grad():", "    w -= 1"]
    assert importing(own, cell, "torch", {}) == own
    assert importing(edits, cell, "torch", {"th": "torch"}) == edits


def test_a_statement_moves_behind_the_block_at_whose_end_it_stands() -> None:
    code = Code("for a in b:\n    for c in a:\n        f(c)\n        g()\nh()".split("\n"))
    outer = code.tree.body[0]
    assert isinstance(outer, ast.For)
    inner = outer.body[0]
    assert isinstance(inner, ast.For)
    moved = code.moved(inner.body[1], after=inner)
    assert applied(code.lines, moved) == "for a in b:\n    for c in a:\n        f(c)\n    g()\nh()".split(
        "\n"
    )
