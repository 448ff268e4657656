"""Training on a device waits for nothing, and ends with the parameters that training on the CPU ends with."""

import copy

import numpy as np
import pytest

import jgrad
import jgrad.optim as optim
from jgrad import nn
from tests import foreign
from tests.foreign.device import on_the_device

CLASSES = 5


class Last(nn.Module):
    """The last step of a recurrent layer."""

    def __init__(self, layer):
        super().__init__()
        self.layer, self.head = layer, nn.Linear(layer.hidden_size, CLASSES)

    def forward(self, x):
        return self.head(self.layer(x)[0][:, -1])


def perceptron():
    return nn.Sequential(
        nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, CLASSES)
    )


def images():
    return nn.Sequential(
        *[nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2)],
        *[
            nn.Conv2d(6, 8, 3, stride=2),
            nn.SiLU(),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(8, CLASSES),
        ],
    )


def words():
    return nn.Sequential(nn.Embedding(12, 6), nn.Flatten(), nn.Linear(42, CLASSES))


def attention():
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    return nn.Sequential(layer, nn.Flatten(), nn.Linear(40, CLASSES))


CASES = {
    "perceptron": (perceptron, lambda: jgrad.randn(8, 10), lambda p: optim.SGD(p, lr=0.1, momentum=0.9)),
    "adam": (perceptron, lambda: jgrad.randn(8, 10), lambda p: optim.Adam(p, lr=0.01)),
    "adamw": (perceptron, lambda: jgrad.randn(8, 10), lambda p: optim.AdamW(p, lr=0.01, amsgrad=True)),
    "images": (images, lambda: jgrad.randn(4, 3, 9, 9), lambda p: optim.RMSprop(p, lr=0.01)),
    "words": (words, lambda: jgrad.randint(0, 12, (8, 7)), lambda p: optim.Adagrad(p, lr=0.1)),
    "lstm": (lambda: Last(nn.LSTM(4, 6, batch_first=True)), lambda: jgrad.randn(3, 5, 4), lambda p: optim.SGD(p, lr=0.1)),
    "gru": (lambda: Last(nn.GRU(4, 6, 2, batch_first=True)), lambda: jgrad.randn(3, 5, 4), lambda p: optim.SGD(p, lr=0.1)),
    "attention": (attention, lambda: jgrad.randn(3, 5, 8), lambda p: optim.NAdam(p, lr=0.01)),
}  # fmt: skip


@pytest.fixture(autouse=True, params=[1, 2])
def device(request):
    """The only device, or the second of two while the first is the current one."""
    with on_the_device(request.param):
        yield f"cuda:{request.param - 1}"


def train(model, x, y, optimizer):
    """The losses of some steps, as tensors."""
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.detach())
    return losses


@pytest.mark.parametrize("name", CASES)
def test_training(name, device):
    build, draw, choose = CASES[name]
    jgrad.manual_seed(0)
    model, x = build().double() if name != "words" else build(), draw()
    x = x if name == "words" else x.double()
    y = jgrad.randint(0, CLASSES, (x.size(0),))
    twin = copy.deepcopy(model).to(device)
    there = x.to(device), y.to(device)
    optimizer = choose(twin.parameters())
    foreign.waits.clear()
    losses = train(twin, *there, optimizer)
    assert foreign.waits == []
    expected = train(model, x, y, choose(model.parameters()))
    tolerance = 1e-4 if name == "words" else 1e-9
    for ours, theirs in zip(
        losses + list(twin.parameters()), expected + list(model.parameters()), strict=True
    ):
        assert str(ours.device) == device
        np.testing.assert_allclose(ours.detach().cpu().numpy(), theirs.detach().numpy(), tolerance, tolerance)


def test_indexing_waits_for_nothing(device):
    t = jgrad.randn(5, 6, device=device, requires_grad=True)
    i = jgrad.tensor([0, 2, 2], device=device)
    foreign.waits.clear()
    read = t[i].sum() + t[:, i].sum() + t.index_select(0, i).sum() + t.gather(1, i[None].expand(5, 3)).sum()
    read.backward()
    t.detach()[i] = 1.0
    t.detach().scatter_(1, i[None].expand(5, 3), 2.0)
    t.detach().masked_fill_(t.detach() > 0, 0.0)
    assert foreign.waits == []


def test_selecting_and_joining_wait_for_nothing(device):
    t = jgrad.randn(5, 6, device=device, requires_grad=True)
    foreign.waits.clear()
    values = [t.softmax(1), t.max(1)[0], t.sort(1)[0], t.topk(2)[0], t.cumsum(0), t.std(0), t.norm(), t.prod(1), t.clamp(0, 1),
              jgrad.where(t > 0, t, -t), t.median(1)[0], t.logsumexp(0), jgrad.cat([t, t]), jgrad.stack([t, t]),
              t.roll(1, 0), t.flip(0), t.tril(), t @ t.T, t.argmax(1) * 1.0, t.cummax(0)[0], t.kthvalue(2)[0]]  # fmt: skip
    sum([v.sum() for v in values]).backward()
    assert foreign.waits == []
