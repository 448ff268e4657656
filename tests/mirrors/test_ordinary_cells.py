"""Cells as everyone writes them: `%compare` of jgrad and PyTorch says that no step differs, and all sentences are the same."""

from __future__ import annotations

import importlib
import re

import pytest

import jgrad
from jgrad.trace import compare
from tests.mirrors.both import on_both, record

torch = pytest.importorskip("torch")

GAN = """
torch.manual_seed(0)
nn = torch.nn
G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))
D = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
opt_g, opt_d = (torch.optim.Adam(net.parameters(), lr=0.01) for net in (G, D))
bce = nn.BCEWithLogitsLoss()
real, fake = torch.randn(8, 2), G(torch.randn(8, 2))
loss_d = bce(D(real), torch.ones(8, 1)) + bce(D({fake}), torch.zeros(8, 1))
loss_d.backward()
opt_d.step()
{again}
loss_g = bce(D(fake), torch.ones(8, 1))
opt_g.zero_grad()
loss_g.backward()
opt_g.step()
"""

CELLS = {
    "SGD with momentum, and a clipped norm": """
torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randn(8, 1)
model = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
for epoch in range(3):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    torch.nn.utils.clip_grad_value_(model.parameters(), 0.5)
    opt.step()
""",
    "Adam, and a network of linear layers and relu": """
torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randint(0, 2, (8,))
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    out = net(x)
    loss = torch.nn.functional.cross_entropy(out, y)
    loss.backward()
    opt.step()
accuracy = (out.argmax(1) == y).float().mean().item()
""",
    "a convolutional network": """
torch.manual_seed(0)
nn = torch.nn
net = nn.Sequential(
    nn.Conv2d(1, 2, 3, padding=1, bias=False), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 3)
)
loss = nn.CrossEntropyLoss()(net(torch.randn(2, 1, 4, 4)), torch.tensor([0, 2]))
loss.backward()
net.eval()
with torch.no_grad():
    guess = net(torch.randn(2, 1, 4, 4)).argmax(1)
""",
    "an embedding, layer norm and gelu": """
torch.manual_seed(0)
nn = torch.nn
emb, norm, head = nn.Embedding(5, 4), nn.LayerNorm(4), nn.Linear(4, 5, bias=False)
index = torch.randint(0, 5, (2, 3))
scores = head(nn.GELU()(norm(emb(index) + torch.arange(3).float().unsqueeze(-1))))
nn.functional.cross_entropy(scores.view(-1, 5), index.view(-1)).backward()
""",
    "attention": """
torch.manual_seed(0)
F = torch.nn.functional
x = torch.randn(2, 4, 8)
query, key, value = (torch.nn.Linear(8, 8) for _ in range(3))
q, k, v = (f(x).view(2, 4, 2, 4).transpose(1, 2) for f in (query, key, value))
scores = q @ k.transpose(-2, -1) / 2.0
scores = scores.masked_fill(torch.tril(torch.ones(4, 4)) == 0, float("-inf"))
out = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).contiguous().view(2, 4, 8)
out.pow(2).sum().backward()
""",
    "a loader, and a loss written out": """
torch.manual_seed(0)
x, y = torch.randn(4, 2), torch.randn(4, 1)
data = torch.utils.data.TensorDataset(x, y)
model = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for xb, yb in torch.utils.data.DataLoader(data, batch_size=2, shuffle=True):
    loss = ((model(xb) - yb) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "a second derivative": """
x = torch.tensor([1.0, 2.0], requires_grad=True)
(g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), x)
""",
    "memory of NumPy's": """
import numpy as np
a = np.ones((2, 3), dtype=np.float32)
t = torch.from_numpy(a)
a[0, 0] = 5
u = torch.tensor(a, requires_grad=True)
(t * u).sum().backward()
""",
    "recurrent cells, and their layers": """
torch.manual_seed(0)
nn = torch.nn
x, h = torch.randn(3, 2, 3), torch.randn(2, 4)
simple, lstm, gru = nn.RNNCell(3, 4), nn.LSTMCell(3, 4, bias=False), nn.GRUCell(3, 4)
hidden, cell = lstm(x[0], (h, h))
total = simple(x[0], h).sum() + gru(x[1], hidden).sum() + cell.sum()
out, last = nn.RNN(3, 4, nonlinearity="relu", num_layers=2, bidirectional=True)(x)
total = total + out.sum() + nn.GRU(3, 4)(x)[0].sum()
total.backward()
""",
    "an attention layer": """
torch.manual_seed(0)
x = torch.randn(2, 4, 8)
out, weights = torch.nn.MultiheadAttention(8, 2, batch_first=True)(x, x, x)
q, k, v = (torch.randn(2, 2, 4, 8, requires_grad=True) for _ in range(3))
heads = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
(out.pow(2).sum() + heads.pow(2).sum()).backward()
""",
    "a loss with weights and smoothed labels": """
torch.manual_seed(0)
x = torch.randn(4, 3, requires_grad=True)
loss = torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]), label_smoothing=0.1)
loss(x, torch.tensor([0, 1, 2, 1])).backward()
""",
    "a GAN": GAN.format(again="pass", fake="fake.detach()"),
    "a GAN whose generator computes anew": GAN.format(again="fake = G(torch.randn(8, 2))", fake="fake"),
    "set_ on a view, other memory and another offset": """
x = torch.arange(4.0)
v = x[:2]
v.set_(x.untyped_storage(), 1, (2,), (1,))
v.data = x[2:]
v.set_(torch.zeros(5))
v.add_(1)
y = v * 2
""",
    "comparisons that give a bool of Python make no tensor": """
x = torch.ones(2)
close = torch.allclose(x, x * 1) and x.allclose(x) and torch.equal(x, x)
c = torch.isclose(x, x)
""",
    "a Function that gives a tensor which was known before": """
class Known(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad

x = torch.ones(2, requires_grad=True)
y = Known.apply(x * 2)
y.sum().backward()
""",
}


@pytest.mark.parametrize("name", CELLS)
def test_no_step_differs(name: str) -> None:
    ours, theirs = on_both(CELLS[name], torch)
    said = str(compare(ours, theirs))
    assert "No step differs" in said, said
    # (Numbers are compared above.)
    words = [[re.sub(r"[\d.e+-]+", "#", s["text"]) for s in t.document["steps"]] for t in (ours, theirs)]
    assert words[0] == words[1]


def test_operations_know_the_layer_that_they_ran_in() -> None:
    """A layer of PyTorch's, its arguments, its parameters, and the call of it within which another one was called."""
    source = """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    def forward(self, x):
        return self.layers(x) * 2
net = Net()
out = net(torch.ones(1, 3))
try:
    net(torch.ones(1, 4))
except RuntimeError:
    pass
after = out + 1
"""
    ours, theirs = (t.document for t in on_both(source, torch))
    assert theirs["layers"] == ours["layers"]
    assert [layer["name"] for layer in theirs["layers"]] == [
        "net",
        "net.layers",
        "net.layers[0]",
        "net.layers[1]",
    ]
    assert theirs["layer_calls"] == ours["layer_calls"]
    assert [s.get("layer_call") for s in theirs["steps"]] == [s.get("layer_call") for s in ours["steps"]]
    assert "layer_call" not in theirs["steps"][-1]


def test_a_module_of_pytorch_is_as_before_when_the_cell_is_over() -> None:
    call = torch.nn.Module._call_impl
    record("torch.nn.Linear(2, 2)(torch.ones(1, 2))", torch)
    assert torch.nn.Module._call_impl is call


def test_what_a_like_factory_makes_is_one_tensor() -> None:
    for library in (jgrad, torch):
        document = record("x = torch.ones(2)\ny = torch.zeros_like(x)\nz = y + 1", library).document
        made, read = (document["steps"][1]["makes"], document["steps"][2]["reads"])
        assert made == read


@pytest.mark.parametrize("factor", [1.0, 1.001])
def test_rounding_is_no_difference_between_two_libraries(factor: float) -> None:
    """But a thousandth is, and so is rounding within one library."""
    source = "x = torch.tensor([1.0, 3.0])\ny = x / 3 * {}"
    ours, theirs = record(source.format(1.0), jgrad), record(source.format(factor + 1e-5), torch)
    assert ("No step differs" in str(compare(ours, theirs))) is (factor == 1.0)
    again = record(source.format(factor + 1e-3), jgrad)
    assert "No step differs" not in str(compare(ours, again))


def test_learning_what_a_call_is_records_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """`where` gives its operator a tensor for the number. Comparing the two would be an operator."""
    plans = importlib.import_module("jgrad.mirrors.torch.plans")
    monkeypatch.setattr(plans, "known_calls", {})
    document = record("x = torch.ones(2)\ny = torch.where(x > 0, x, 0.0)\nz = x * 2.0", torch).document
    assert [step["op"] for step in document["steps"]] == ["ones", "gt", "where", "mul"]


def test_a_write_that_is_not_recorded_has_no_node() -> None:
    source = "x = torch.ones(2, requires_grad=True)\nv = (x * 2)[:1]\nwith torch.inference_mode():\n    v.fill_(0.25)"
    ours, theirs = (t.document for t in on_both(source, torch))
    assert [s.get("node") for s in theirs["steps"]] == [s.get("node") for s in ours["steps"]]
    assert "node" not in theirs["steps"][-1]
