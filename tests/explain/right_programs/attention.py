# %% Attn mask nan, as it should be
import math
import torch
import torch.nn as nn

torch.manual_seed(0)


class SelfAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.d = d

    def forward(self, x, pad):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        scores = scores.masked_fill(~pad.unsqueeze(1), float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


att, head = SelfAttention(8), nn.Linear(8, 2)
opt = torch.optim.Adam([*att.parameters(), *head.parameters()], lr=1e-3)
x = torch.randn(4, 5, 8)
lengths = torch.tensor([5, 3, 1, 2])
pad = torch.arange(5)[None, :] < lengths[:, None]
y = torch.tensor([0, 1, 0, 1])
for _ in range(3):
    out = head(att(x, pad).mean(1))
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Tying clone, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class LM(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.decoder = nn.Linear(d, vocab, bias=False)
        self.decoder.weight = self.embed.weight

    def forward(self, x):
        h, _ = self.rnn(self.embed(x))
        return self.decoder(h)


lm = LM(11, 8)
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
tok = torch.randint(0, 11, (4, 9))
for _ in range(3):
    loss = nn.functional.cross_entropy(lm(tok[:, :-1]).transpose(1, 2), tok[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Moe argmax gate, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class MoE(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.gate = nn.Linear(4, n)
        self.experts = nn.ModuleList(nn.Linear(4, 1) for _ in range(n))

    def forward(self, x):
        w = self.gate(x).softmax(-1)
        out = torch.stack([e(x) for e in self.experts], 1)
        return (out * w.unsqueeze(-1)).sum(1)


moe = MoE()
opt = torch.optim.Adam(moe.parameters(), lr=1e-2)
x = torch.randn(64, 4)
y = torch.where(x[:, :1] > 0, x[:, 1:2], -x[:, 2:3])
for i in range(20):
    loss = nn.functional.mse_loss(moe(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Index put dups, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class GraphConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)

    def forward(self, x, src, dst):
        h = self.lin(x)
        out = torch.zeros_like(h)
        out = out.index_add(0, dst, h[src])
        return torch.relu(out)


edges = torch.tensor([[0, 1, 2, 3, 0], [1, 0, 1, 2, 2]])
conv, head = GraphConv(4), nn.Linear(4, 2)
opt = torch.optim.Adam([*conv.parameters(), *head.parameters()], lr=1e-2)
x, y = torch.randn(4, 4), torch.tensor([0, 1, 0, 1])
for _ in range(5):
    loss = nn.functional.cross_entropy(head(conv(x, edges[0], edges[1])), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Checkpoint reentrant, as it should be
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        h = checkpoint(self.a, x, use_reentrant=False)
        return self.b(h)


net = Deep()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(5):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())

# %% Softmax heads dim, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=1))

    def forward(self, x):
        return self.net(x)


model = Head()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
X = torch.randn(60, 5)
Y = X[:, :3].argmax(1)
for i in range(60):
    p = model(X)
    loss = nn.functional.nll_loss(torch.log(p + 1e-9), Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Transformer mask, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
        self.fc = nn.Linear(8, 20)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.fc(self.layer(self.emb(x), src_mask=mask))


m = Encoder()
opt = torch.optim.Adam(m.parameters())
tok = torch.randint(0, 20, (3, 7))
for _ in range(2):
    loss = nn.functional.cross_entropy(m(tok[:, :-1]).transpose(1, 2), tok[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Attn view inplace, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, drop):
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        a = s.softmax(-1).clone()
        flat = a.view(a.shape[0], -1)
        flat[:, drop] = 0
        return a @ self.v(x)


att = Attention(6)
opt = torch.optim.SGD(att.parameters(), lr=0.1)
x = torch.randn(4, 5, 6)
for i in range(3):
    opt.zero_grad()
    loss = att(x, [1, 7]).pow(2).mean()
    loss.backward()
    opt.step()
print(loss.item())

# %% Chunk inplace, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Linear(d // 2, d // 2)
        self.pre = nn.Linear(d, d)

    def forward(self, x):
        a, b = self.pre(x).chunk(2, dim=1)
        b = b + self.net(a)
        return torch.cat([a, b], 1)


flow = Coupling(6)
opt = torch.optim.Adam(flow.parameters(), lr=1e-2)
x = torch.randn(16, 6)
for i in range(5):
    z = flow(x)
    loss = 0.5 * z.pow(2).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
