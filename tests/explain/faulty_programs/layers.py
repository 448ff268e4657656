# %% last-of-batch: lstm batch first last
import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


X = torch.randn(40, 12, 3)
Y = (X.sum((1, 2)) > 0).long()
net = Classifier()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(10):
    for i in range(0, 40, 8):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(X[i : i + 8]), Y[i : i + 8])
        loss.backward()
        opt.step()
print(loss.item())

# %% sequences-mixed: hn view layers
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, vocab=20, dim=8, hidden=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, 3)

    def forward(self, tokens):
        _, h = self.rnn(self.emb(tokens))
        h = h.view(tokens.shape[0], -1)
        return self.out(h)


tokens = torch.randint(0, 20, (16, 7))
labels = tokens[:, 0] % 3
net = Encoder()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(30):
    loss = nn.functional.cross_entropy(net(tokens), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% frozen-embedding: from pretrained frozen
import torch
from torch import nn

torch.manual_seed(0)
vectors = torch.randn(30, 8)


class Bag(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(weights)
        self.fc = nn.Linear(8, 2)

    def forward(self, t):
        return self.fc(self.emb(t).mean(1))


net = Bag(vectors)
opt = torch.optim.Adam(
    [
        {"params": net.emb.parameters(), "lr": 1e-3},
        {"params": net.fc.parameters(), "lr": 1e-2},
    ]
)
t = torch.randint(0, 30, (64, 5))
y = (t[:, 0] > 15).long()
for epoch in range(15):
    loss = nn.functional.cross_entropy(net(t), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), torch.equal(net.emb.weight, vectors))

# %% tuple-for-tensor: loader not unpacked
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ae = nn.Sequential(nn.Linear(10, 3), nn.Tanh(), nn.Linear(3, 10))
opt = torch.optim.Adam(ae.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(64, 10)), batch_size=16, shuffle=True)


def run_epoch():
    for batch in loader:
        out = ae(batch)
        loss = (out - batch).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(3):
    print(run_epoch())

# %% one-value-per-channel: bn last batch one
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(33, 4), torch.randint(0, 2, (33,)))
loader = DataLoader(data, batch_size=8)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


def epoch():
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(2):
    print(epoch())

# %% dropout-in-eval-mode: functional dropout eval
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 32), nn.Linear(32, 1)

    def forward(self, x):
        h = F.dropout(F.relu(self.a(x)), 0.5)
        return self.b(h)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(64, 6)
y = x[:, :1]
net.train()
for i in range(20):
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print(F.mse_loss(net(x), y).item(), F.mse_loss(net(x), y).item())

# %% tuple-for-tensor: gru tuple
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(12, 6), nn.GRU(6, 8, batch_first=True))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = model
        self.out = nn.Linear(8, 4)

    def forward(self, t):
        h = self.encode(t)
        return self.out(h)


net = Tagger()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
t = torch.randint(0, 12, (5, 9))
y = t % 4
for i in range(4):
    loss = nn.functional.cross_entropy(net(t).transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% state-made-anew: rnn reset
import torch
from torch import nn

torch.manual_seed(0)


class RNN(nn.Module):
    def __init__(self, size=12):
        super().__init__()
        self.cell, self.head, self.size = nn.RNNCell(1, size), nn.Linear(size, 1), size

    def forward(self, seq):
        for t in range(seq.size(1)):
            h = torch.zeros(seq.size(0), self.size)
            h = self.cell(seq[:, t], h)
        return self.head(h)


net = RNN()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(25):
    seq = torch.randn(32, 6, 1)
    target = seq.sum(1)
    loss = nn.functional.mse_loss(net(seq), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: net.cell.weight_hh.grad.abs().sum().item() > 0

# %% nothing-returned: train returns none
import torch
from torch import nn

torch.manual_seed(0)


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def train(self, mode=True):
        super().train(mode)
        self.body[1].eval()

    def forward(self, x):
        return self.head(self.body(x))


def run_epoch(model, x, y):
    model = model.train()
    return nn.functional.cross_entropy(model(x), y)


model = Frozen()
loss = run_epoch(model, torch.randn(8, 4), torch.randint(0, 2, (8,)))
loss.backward()

# %% buffer-that-learns: buffer scale
import torch
from torch import nn

torch.manual_seed(0)


class ScaledLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.register_buffer("gain", torch.ones(o, requires_grad=True))

    def forward(self, x):
        return self.lin(x) * self.gain


net = nn.Sequential(ScaledLinear(4, 8), nn.Tanh(), ScaledLinear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(64, 4)
y = x.prod(1, keepdim=True)
for epoch in range(20):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: not torch.equal(net[0].gain, torch.ones(8))

# %% channels-mixed: nhwc view
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3)))


def batches(n):
    for _ in range(n):
        img = torch.rand(16, 10, 12, 3)
        label = torch.randint(0, 2, (16,))
        img[..., 0] += label[:, None, None] * 0.3
        yield img.view(16, 3, 10, 12), label


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for x, y in batches(20):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: loss.item() < 0.69

# %% size-is-tuple: trailing comma
import torch
from torch import nn


class Config:
    def __init__(self):
        self.inputs = 4
        self.hidden = (32,)
        self.lr = 1e-3


class Net(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Linear(c.inputs, c.hidden)
        self.b = nn.Linear(c.hidden, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


net = Net(Config())
net(torch.randn(2, 4)).sum().backward()

# %% states-unpacked: lstm unpack
import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        out, h, c = self.lstm(self.emb(x))
        return self.out(h[-1])


net = Reader()
x = torch.randint(0, 20, (4, 6))
loss = nn.functional.cross_entropy(net(x), torch.randint(0, 2, (4,)))
loss.backward()
# goal: net.out.weight.grad is not None

# %% row-not-whole: emb float
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def load():
    table = np.array([[0, 3, 1.5], [2, 1, 0.5], [1, 2, 2.5]], dtype=np.float32)
    return torch.from_numpy(table[:, :2]), torch.from_numpy(table[:, 2])


class Factor(nn.Module):
    def __init__(self, n=4, d=6):
        super().__init__()
        self.user, self.item = nn.Embedding(n, d), nn.Embedding(n, d)

    def forward(self, pairs):
        return self.user(pairs[:, 0]).mul(1.0).sum(1)


pairs, ratings = load()
model = Factor()
loss = ((model(pairs) - ratings) ** 2).mean()
loss.backward()

# %% channels-do-not-fit: conv nhwc
import torch
from torch import nn

torch.manual_seed(0)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 3)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        return self.fc(x.mean(dim=(2, 3)))


images = torch.rand(8, 16, 16, 3)
labels = torch.randint(0, 2, (8,))
net = Small()
loss = nn.CrossEntropyLoss()(net(images), labels)
loss.backward()
# goal: net.conv1.weight.grad is not None

# %% forward-returns-nothing: a network without return
import torch
from torch import nn

torch.manual_seed(0)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = self.pool(x).flatten(1)
        x = self.fc(x)


model = CNN()
x = torch.randn(8, 1, 10, 10)
y = torch.randint(0, 3, (8,))
logits = model(x)
loss = nn.functional.cross_entropy(logits, y)
loss.backward()
# goal: model.fc.weight.grad is not None

# %% nothing-to-optimize: a plain tensor of a module
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.logs = torch.zeros(3).requires_grad_()

    def forward(self, x):
        return x * self.logs.exp()


def fit(model, x, y):
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=5, line_search_fn="strong_wolfe")
    return optimizer, x, y


fit(Scale(), torch.randn(8, 3), torch.randn(8, 3))

# %% codes-cut-encoder: a quantizer within a model
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
data = torch.randn(6, 4)[torch.randint(0, 6, (64,))]


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.codebook = nn.Embedding(16, 2)

    def forward(self, z):
        index = torch.cdist(z, self.codebook.weight).argmin(dim=1)
        quantized = self.codebook(index)
        loss = F.mse_loss(quantized, z.detach())
        return quantized, loss


encoder, quantizer, decoder = nn.Linear(4, 2), Quantizer(), nn.Linear(2, 4)
parts = nn.ModuleList([encoder, quantizer, decoder])
opt = torch.optim.Adam(parts.parameters(), lr=0.01)
for epoch in range(4):
    quantized, of_codes = quantizer(encoder(data))
    loss = F.mse_loss(decoder(quantized), data) + of_codes
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: encoder.weight.grad is not None

# %% attention-over-queries: the softmax runs over the batch
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(5, 3, 4)
project = nn.Linear(4, 8)
opt = torch.optim.SGD(project.parameters(), lr=0.1)
for i in range(3):
    q, k = project(x).chunk(2, dim=-1)
    weights = F.softmax(q @ k.transpose(1, 2), dim=0)
    loss = (weights @ x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: abs(float(weights.sum(-1).mean()) - 1) < 1e-5

# %% nothing-loaded: before a training of many rounds
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
saved = {"module." + name: value for name, value in body.state_dict().items()}
body.load_state_dict(saved, strict=False)
model = nn.Sequential(body, nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for epoch in range(40):
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% mask-multiplied: causal scores of an own layer
import math
import torch
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, dim, length):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
        scores = scores * self.mask
        return torch.softmax(scores, dim=-1) @ v


net = Attention(8, 5)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(6):
    x = torch.randn(16, 5, 8)
    loss = nn.functional.mse_loss(net(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    y = x.clone()
    y[:, -1] = 0
    leaks = (net(x)[:, 0] - net(y)[:, 0]).abs().max().item()
# goal: leaks < 1e-6

# %% padding-mask-inverted: a mask of what is valid
import torch
from torch import nn

torch.manual_seed(0)


class Pool(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.embed = nn.Linear(1, dim)
        self.query = nn.Parameter(torch.randn(1, 1, dim))
        self.attention = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.head = nn.Linear(dim, 1)

    def forward(self, values, lengths):
        x = torch.relu(self.embed(values.unsqueeze(-1)))
        valid = torch.arange(values.shape[1])[None] < lengths[:, None]
        pooled, _ = self.attention(self.query.expand(len(x), -1, -1), x, x, key_padding_mask=valid)
        return self.head(pooled[:, 0]).squeeze(-1)


net = Pool()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
lengths = torch.arange(16) % 4 + 2
for step in range(6):
    values = torch.rand(16, 6)
    loss = nn.functional.mse_loss(net(values, lengths), values[:, 0])
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    other = values.clone()
    other[:, 5] = 9
    seen = (net(values, lengths) - net(other, lengths)).abs().max().item()
# goal: seen == 0

# %% leaf-inplace: weights are scaled and biases set to zero by a function
import torch
from torch import nn


def scale(model, factor):
    for name, p in model.named_parameters():
        if name.endswith("weight"):
            p *= factor
        else:
            p.zero_()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
scale(net, 1.5)
# goal: not net[0].bias.any() and net[0].weight.is_leaf

# %% shapes-do-not-fit: a padding mask without a dimension for heads
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(d, 3 * d)

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = [
            t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1)
        ]
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(mask == 0, float("-inf"))
        return (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, C)


torch.manual_seed(0)
mask = (torch.arange(5)[None] < torch.tensor([[5], [3], [4], [2]])).long()
x = torch.randn(4, 5, 8)
y = Attention(8, 2)(x, mask)
y.sum().backward()
# goal: y.shape == x.shape and bool(torch.isfinite(y).all())

# %% tuple-for-tensor: a pair that has one name
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 8, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        out = self.rnn(x)
        return self.head(out)


torch.manual_seed(0)
y = Tagger()(torch.randn(4, 5, 3))
# goal: tuple(y.shape) == (4, 5, 2)


# %% one-layer-for-all: the first layer in place of each
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth))

    def forward(self, x):
        for i in range(len(self.layers)):
            x = x + torch.tanh(self.layers[0](x))
        return x


net = Net(3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(10, 4)
    opt.zero_grad()
    nn.functional.mse_loss(net(x), x * 2).backward()
    opt.step()
# goal: net.layers[2].weight.grad is not None


# %% padding-mask-of-other-shape: a layer that takes the steps first
import torch
from torch import nn

torch.manual_seed(0)
tokens = torch.tensor([[3, 4, 5, 0], [6, 7, 0, 0], [8, 9, 3, 4]])
embedding = nn.Embedding(10, 8)
layer = nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16, dropout=0.0)
opt = torch.optim.SGD([*embedding.parameters(), *layer.parameters()], lr=0.1)
for i in range(2):
    mask = tokens == 0
    h = layer(embedding(tokens), src_key_padding_mask=mask)
    opt.zero_grad()
    h[~mask].pow(2).mean().backward()
    opt.step()
# goal: layer.self_attn.batch_first
