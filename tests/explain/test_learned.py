"""What a headline says of a training without a mistake, on both libraries."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jgrad
from jgrad.tracing.document.curves import brief_number
from tests.mirrors.both import on_both, record

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

NET = """
torch.manual_seed(0)
x = torch.randn(16, 4)
y = x.sum(1, keepdim=True)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
"""
LOOP = """
losses = []
for i in range(50):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    losses.append(loss.item())
    loss.backward()
    opt.step()
"""
FROZEN = "for p in net[0].parameters(): p.requires_grad_(False)"
TWO = """
torch.manual_seed(0)
g, d = torch.nn.Linear(2, 4), torch.nn.Linear(4, 1)
of_g, of_d = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
for i in range(30):
    of_d.zero_grad()
    d_loss = (d(torch.randn(8, 4)) - 1).square().mean() + d(g(torch.randn(8, 2)).detach()).square().mean()
    d_loss.backward()
    of_d.step()
    of_g.zero_grad()
    g_loss = (d(g(torch.randn(8, 2))) - 1).square().mean()
    g_loss.backward()
    of_g.step()
"""
BY_HAND = """
w = torch.tensor([2., 3.], requires_grad=True)
for i in range(20):
    loss = (w * w).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
"""
SAID = {
    "all": (NET + LOOP, r"Loss \S+ to \S+ in 50 rounds; all 4 parameters learn"),
    "frozen": (
        NET + FROZEN + LOOP,
        r"Loss \S+ to \S+ in 50 rounds; 2 of 4 parameters learn: net\[0\] is frozen",
    ),
    "two losses": (TWO, r"d_loss \S+ to \S+, g_loss \S+ to \S+ in 30 rounds; all 4 parameters learn"),
    "by hand": (BY_HAND, r"Loss 13 to 0\.0027 in 20 rounds; w learns"),
}


def headline(t: Any) -> str:
    return "".join(part["text"] for part in t.document["diagnosis"]["headline"])


@pytest.mark.parametrize("program", SAID)
def test_a_training_says_what_its_loss_did_and_who_learned(program: str) -> None:
    source, said = SAID[program]
    ours, theirs = map(headline, on_both(source, torch))
    assert re.fullmatch(said, ours)
    assert re.sub(r"\d\S*( in)?", "", theirs) == re.sub(r"\d\S*( in)?", "", ours)


def test_the_losses_are_those_of_the_first_and_the_last_round() -> None:
    t = record(NET + LOOP, jgrad)
    first, last = (brief_number(t.namespace["losses"][i]) for i in (0, -1))
    assert headline(t).startswith(f"Loss {first} to {last} in")


def test_a_parameter_whose_update_is_zero_does_not_learn() -> None:
    t = record(NET.replace("lr=0.05", "lr=0.") + LOOP, jgrad)
    assert "learn" not in headline(t).replace("learning", "")
