"""What a headline says of the gradients of a cell without a mistake, on both libraries."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jgrad
from tests.mirrors.both import on_both, record

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

NET = """
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
"""
LOSS = "net(torch.ones(5, 3)).pow(2).mean().backward()\n"
SAID = {
    "all": (NET + LOSS, r"All 4 parameters got a gradient, largest net\S+ \S+, smallest net\S+ \S+"),
    "frozen": (
        NET + "for p in net[0].parameters(): p.requires_grad = False\n" + LOSS,
        r"2 of 4 parameters got a gradient: net\[0\] is frozen",
    ),
    "one frozen": (
        NET + "net[0].bias.requires_grad = False\n" + LOSS,
        r"3 of 4 parameters got a gradient: net\[0\].bias is frozen",
    ),
    "a frozen part beside": (
        NET
        + "head = torch.nn.Linear(2, 1)\nfor p in net.parameters(): p.requires_grad = False\nhead(net(torch.ones(5, 3))).sum().backward()",
        r"2 of 6 parameters got a gradient: net is frozen",
    ),
    "summed": (
        "torch.manual_seed(0)\nlin = torch.nn.Linear(3, 1)\nfor i in range(3): (lin(torch.ones(2, 3)).sum() / 3).backward()",
        r"Both parameters hold the sum of 3 backward passes, .*|lin.weight.grad and lin.bias.grad hold the sum of 3 .*",
    ),
    "time steps": (
        "torch.manual_seed(0)\nrnn = torch.nn.GRU(4, 8)\nx = torch.ones(9, 2, 4)\nout, _ = rnn(x)\nout[-1].sum().backward()",
        r"All 4 parameters got a gradient; through 9 time steps line 4 it falls from 4 at the last to 0\.\S+ at the first",
    ),
    "states": (
        "torch.manual_seed(0)\nw = torch.nn.Linear(3, 3)\nh = torch.ones(3)\nall = []\n"
        "for _ in range(5):\n  h = torch.tanh(w(h))\n  all.append(h)\ntorch.stack(all)[-1].sum().backward()",
        r"Both parameters got a gradient; through 5 states line 8 it falls from 1.7 at the last to 0\.\S+ at the first",
    ),
    "layers above each other": (
        "torch.manual_seed(0)\nrnn = torch.nn.RNN(4, 8, num_layers=5)\nout, h = rnn(torch.ones(9, 2, 4))\n(out[-1].sum() + h.sum()).backward()",
        r"All 20 parameters got a gradient; through 9 time steps line 3 it .*",
    ),
    "layers beside each other": (
        NET + "torch.stack([net(torch.ones(3) * i) for i in range(5)]).sum().backward()",
        r"All 4 parameters got a gradient, largest .*",
    ),
    "embedding": (
        "torch.manual_seed(0)\nemb = torch.nn.Embedding(6, 3, padding_idx=0)\nv = emb(torch.tensor([[1, 4, 4, 0], [4, 2, 0, 0]]))\nv.mean(1).sum().backward()",
        r"emb reads rows 0 and 4 of emb.weight 3 times, rows 1 and 2 once line 3; row 0 is padding and gets no gradient",
    ),
    "gather": (
        "x = torch.ones(2, 3, requires_grad=True)\nx.gather(1, torch.tensor([[2], [0]])).sum().backward()",
        r"gather reads 2 of 6 cells of x line 2; only these get a gradient from it",
    ),
    "hook": (
        "x = torch.ones(2, requires_grad=True)\nh = x * 3\nh.register_hook(lambda g: g * 10)\nh.sum().backward()",
        r"x.grad is \[30., 30.\]: the hook in line 3 .*",
    ),
    "zeros": (
        "w = torch.tensor([-1.0], requires_grad=True)\nw.relu().sum().backward()",
        r"w.grad is zero: ReluBackward0 line 2 got \[1.\] and sent zeros, because its derivative is zero there",
    ),
    "second": (
        "x = torch.ones(2, requires_grad=True)\nf = (x ** 3).sum()\ng, = torch.autograd.grad(f, x, create_graph=True)\nh, = torch.autograd.grad(g.sum(), x)",
        r"g is the derivative of f and h is the derivative of g.sum\(\)",
    ),
    "two leaves": (
        "a = torch.ones(2, requires_grad=True)\nb = torch.ones(2, requires_grad=True)\n(a * b).sum().backward()",
        r"a.grad is \[1., 1.\] and b.grad is \[1., 1.\]",
    ),
}


def headline(t: Any) -> str:
    return "".join(part["text"] for part in t.document["diagnosis"]["headline"])


@pytest.mark.parametrize("program", SAID)
def test_a_cell_says_which_gradients_it_got(program: str) -> None:
    source, said = SAID[program]
    ours, theirs = map(headline, on_both(source, torch))
    assert re.fullmatch(said, ours)
    assert re.fullmatch(said, theirs)


def test_no_gradient_goes_back_to_the_padding_of_an_embedding() -> None:
    for t in on_both(SAID["embedding"][0], torch):
        (back,) = (s["index_map"] for s in t.document["steps"] if "forward_step" in s.get("index_map", {}))
        assert back["target_counts"] == [0] * 3 + [1] * 6 + [0] * 3 + [3] * 3 + [0] * 3
        assert len(back["moves"]) == 15


def test_of_many_losses_it_says_how_many_fell() -> None:
    lines = "\n".join(
        f"    l{i} = ((w[{i}] - {i}) * {(-1) ** (i % 3 == 0)}).square() * 1\n    l{i}.backward()"
        for i in range(5)
    )
    t = record(
        "w = torch.zeros(5, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\nfor r in range(6):\n    opt.zero_grad()\n"
        f"{lines}\n    opt.step()",
        jgrad,
    )
    assert re.fullmatch(r"Of 5 losses 4 fell and 1 stayed in 6 rounds; w learns", headline(t))
