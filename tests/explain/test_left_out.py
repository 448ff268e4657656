"""Parts of a network that an optimizer was not given: they are named, with where it is made and the edit; nothing is said of what is meant so."""

from __future__ import annotations

import pytest

import jgrad
from jgrad.tracing.explain.edits import Edit, applied
from tests.record.tracing import Trace, trace

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("ignore")]

CODE = "left-out-of-optimizer"
NET = """
nn, optim = jgrad.nn, jgrad.optim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 3))
        self.head = nn.Linear(3, 1)
        self.scale = nn.Parameter(jgrad.ones(1))

    def forward(self, x):
        return self.head(self.body(x)) * self.scale

class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x)

    def optimizers(self):
        return optim.Adam(self.net.body.parameters(), lr=0.1)

"""
TRAINING = """
for epoch in range(4):
    opt.zero_grad()
    net(jgrad.ones(4, 2)).mean().backward()
    opt.step()
"""


def ran(making: str, training: str = TRAINING) -> Trace:
    jgrad.manual_seed(0)
    t = trace(NET + making + training)
    assert t.error is None, repr(t.error)
    return t


def mended(t: Trace) -> tuple[str, str]:
    """The only note of a trace, and the line that its edit changes, as it is then."""
    [note] = t.document["notes"]
    assert note["code"] == CODE
    source = t.document["source"]
    edits = [Edit(e["file"], tuple(e["span"]), e["text"]) for e in note.get("edits", ())]
    changed = [line for line in applied(source, edits) if line not in source]
    return note["text"], changed[0].strip() if changed else ""


CASES = [
    ("net = Net()\nopt = optim.SGD(net.body.parameters(), lr=0.1)", "net.head and net.scale",
     "opt = optim.SGD(net.parameters(), lr=0.1)"),
    ("net = Net()\nopt = optim.SGD(params=net.body.parameters(), lr=0.1)", "net.head and net.scale",
     "opt = optim.SGD(params=net.parameters(), lr=0.1)"),
    ("net = Net()\nopt = optim.SGD(net.body[0].parameters(), lr=0.1)", "net.body[2], net.head and net.scale",
     "opt = optim.SGD(net.parameters(), lr=0.1)"),
    ("net = Net()\nparams = net.body.parameters()\nopt = optim.SGD(params, lr=0.1)", "net.head and net.scale", "params = net.parameters()"),
    ("net = Net()\nopt = optim.SGD([*net.body.parameters(), net.scale], lr=0.1)", "net.head",
     "opt = optim.SGD([*net.body.parameters(), net.scale, *net.head.parameters()], lr=0.1)"),
    ("net = Net()\nopt = optim.SGD(list(net.body.parameters()) + list(net.head.parameters()), lr=0.1)", "net.scale",
     "opt = optim.SGD([*list(net.body.parameters()) + list(net.head.parameters()), net.scale], lr=0.1)"),
    ("net = Net()\nopt = optim.SGD([{'params': net.body.parameters(), 'lr': 0.1}, {'params': net.scale}], lr=0.2)", "net.head",
     "opt = optim.SGD([{'params': net.body.parameters(), 'lr': 0.1}, {'params': net.scale}, {\"params\": net.head.parameters()}], lr=0.2)"),
    ("net = Net()\nopt = optim.SGD(net.head.parameters(), lr=0.1)", "net.scale and net.body", "opt = optim.SGD(net.parameters(), lr=0.1)"),
    ("net = Other()\nopt = net.optimizers()", "net.net.scale and net.net.head", "return optim.Adam(self.parameters(), lr=0.1)"),
    ("net = Net()\nopt = optim.SGD([p for n, p in net.named_parameters() if 'weight' in n], lr=0.1)",
     "net.scale, net.body[0].bias, net.body[2].bias and net.head.bias", ""),
]  # fmt: skip


@pytest.mark.parametrize(("making", "left", "line"), CASES)
def test_what_is_left_of_a_network_is_named_with_the_edit(making: str, left: str, line: str) -> None:
    t = ran(making)
    text, changed = mended(t)
    assert changed == line
    assert all(part in text for part in left.replace(" and ", ", ").split(", "))
    [note] = t.document["notes"]
    source = t.document["source"]
    assert any("optim." in source[number - 1] for number in note["lines"])
    if line:
        again = trace(
            "\n".join(
                applied(source, [Edit(e["file"], tuple(e["span"]), e["text"]) for e in note.get("edits", ())])
            )
        )
        assert again.error is None
        assert again.document["notes"] == []


def test_the_optimizer_is_named_as_the_code_has_it() -> None:
    text, _ = mended(ran("net = Net()\nopt = optim.SGD(net.body.parameters(), lr=0.1)"))
    line = NET.strip().count("\n") + 4
    assert text == (
        "net.scale, net.head.weight and net.head.bias get gradients, and no optimizer has them: opt is made of "
        f"net.body.parameters() (line {line}). So they keep their first values while net.body learns. If net.scale and net.head should "
        "learn, make opt of net.parameters()."
    )


RIGHT = [
    # Two optimizers.
    ("net = Net()\nopt = optim.SGD(net.body.parameters(), lr=0.1)\nrest = optim.SGD([*net.head.parameters(), net.scale], lr=0.01)",
     TRAINING + "    rest.step()\n    rest.zero_grad()\n"),
    # What is frozen.
    ("net = Net()\nfor p in [*net.head.parameters(), net.scale]:\n    p.requires_grad_(False)\nopt = optim.SGD(net.body.parameters(), lr=0.1)", TRAINING),
    # A part that is changed by hand.
    ("net = Net()\nopt = optim.SGD([*net.body.parameters(), net.scale], lr=0.1)",
     TRAINING + "    with jgrad.no_grad():\n        for p in net.head.parameters():\n            p -= 0.1 * p.grad\n            p.grad = None\n"),
    # Values from a file.
    ("net = Net()\nnet.load_state_dict(Net().state_dict())\nopt = optim.SGD(net.head.parameters(), lr=0.1)", TRAINING),
    # A critic through which a generator learns.
    ("net, critic = Net(), nn.Linear(1, 1)\nopt = optim.SGD(net.parameters(), lr=0.1)\ntheirs = optim.SGD(critic.parameters(), lr=0.1)",
     "for epoch in range(4):\n    opt.zero_grad()\n    critic(net(jgrad.ones(4, 2))).mean().backward()\n    opt.step()\n"),
]  # fmt: skip


@pytest.mark.parametrize(("making", "training"), RIGHT)
def test_nothing_is_said_of_what_is_meant_so(making: str, training: str) -> None:
    assert CODE not in [note["code"] for note in ran(making + "\n", training).document["notes"]]


def test_parts_are_as_large_as_they_can_be() -> None:
    from jgrad.tracing.explain.rules.left_out import _largest

    assert _largest(["n.a[1].w", "n.a[1].b", "n.c.d.w", "n.c.e.w", "n.f"], ["n.a[0].w"]) == [
        "n.a[1]",
        "n.c",
        "n.f",
    ]
