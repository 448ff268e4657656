# %% Distillation in a class, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Distiller:
    def __init__(self, big, small, T=3.0):
        self.big, self.small, self.T = big, small, T
        self.opt = torch.optim.Adam(small.parameters(), lr=1e-2)

    def step(self, x, y):
        with torch.no_grad():
            t = self.big(x)
        s = self.small(x)
        soft = (
            F.kl_div(F.log_softmax(s / self.T, dim=1), F.softmax(t / self.T, dim=1), reduction="batchmean")
            * self.T**2
        )
        loss = 0.7 * soft + 0.3 * F.cross_entropy(s, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


x, y = torch.randn(64, 6), torch.randint(0, 4, (64,))
d = Distiller(
    nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 4)),
    nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4)),
)
for i in range(30):
    v = d.step(x, y)
print(v)

# %% A policy that stays near a reference, by the divergence the other way around
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
ref, policy = nn.Linear(5, 3), nn.Linear(5, 3)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
reward = torch.tensor([1.0, 0.0, -1.0])
for i in range(30):
    s = torch.randn(64, 5)
    with torch.no_grad():
        log_ref = F.log_softmax(ref(s), 1)
    p = F.softmax(policy(s), 1)
    kl = F.kl_div(log_ref, p, reduction="batchmean")
    loss = -(p * reward).sum(1).mean() + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% An average that starts late, as it should be
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR

torch.manual_seed(0)
X = torch.randn(96, 5)
Y = (X[:, :1] * 2 - X[:, 1:2]).tanh()
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
swa = AveragedModel(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
swa_sched = SWALR(opt, swa_lr=0.05)
crit = nn.MSELoss()
for epoch in range(40):
    for xb, yb in zip(X.split(32), Y.split(32)):
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    if epoch >= 30:
        swa.update_parameters(model)
        swa_sched.step()
swa.eval()
with torch.no_grad():
    print(crit(swa(X), Y).item())

# %% An average that would start later than the run goes
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(0)
X = torch.randn(64, 5)
model = nn.Linear(5, 1)
swa = AveragedModel(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    loss = nn.functional.mse_loss(model(X), X.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch >= 30:
        swa.update_parameters(model)
print(loss.item())

# %% An input that makes a score larger
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
for p in net.parameters():
    p.requires_grad_(False)
image = torch.zeros(1, 6, requires_grad=True)
opt = torch.optim.Adam([image], lr=0.05, maximize=True)
for i in range(60):
    score = net(image)[0, 1] - 0.01 * image.pow(2).sum()
    opt.zero_grad()
    score.backward()
    opt.step()
print(score.item())

# %% A density whose loss falls below zero
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Density(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.log_sigma = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(2))

    def log_prob(self, x):
        return Normal(self.mu, self.log_sigma.exp()).log_prob(x).sum(-1)


data = torch.randn(256, 2) * 0.05 + torch.tensor([1.0, -1.0])
m = Density()
opt = torch.optim.Adam(m.parameters(), lr=0.05)
for i in range(200):
    nll = -m.log_prob(data[torch.randint(0, 256, (64,))]).mean()
    opt.zero_grad()
    nll.backward()
    opt.step()
print(nll.item())

# %% A critic with a penalty on its gradient, as it should be
import torch
from torch import nn, autograd

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
gen = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))


def penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_()
    (grads,) = autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for step in range(30):
    real = torch.randn(32, 2) + 2
    fake = gen(torch.randn(32, 3)).detach()
    c_loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    if step % 5 == 0:
        g_loss = -critic(gen(torch.randn(32, 3))).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
print(c_loss.item(), g_loss.item())

# %% The norm of a gradient that is only kept
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
norms = []
for i in range(15):
    x = torch.randn(16, 3, requires_grad=True)
    out = net(x)
    (g,) = torch.autograd.grad(out.sum(), x, retain_graph=True)
    norms.append(g.norm(dim=1).mean().item())
    loss = (out - x.detach().sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(norms[-1], loss.item())

# %% A ratio to a policy of before, as it should be
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
opt = torch.optim.Adam(body.parameters(), lr=3e-3)
for it in range(4):
    states = torch.randn(128, 4)
    with torch.no_grad():
        d = Categorical(logits=body(states))
        actions = d.sample()
        old = d.log_prob(actions)
    adv = torch.where(actions == 1, 1.0, -0.5)
    for _ in range(5):
        ratio = (Categorical(logits=body(states)).log_prob(actions) - old).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% Weights after a step that are used, without their derivatives
import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 1))
meta = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(12):
    meta.zero_grad()
    for task in range(3):
        amp = torch.rand(1) * 3
        xs, xq = torch.rand(10, 1) * 6 - 3, torch.rand(10, 1) * 6 - 3
        w = dict(net.named_parameters())
        g = torch.autograd.grad(
            nn.functional.mse_loss(functional_call(net, w, (xs,)), amp * xs.sin()), list(w.values())
        )
        fast = {k: p - 0.05 * d for (k, p), d in zip(w.items(), g)}
        loss = nn.functional.mse_loss(functional_call(net, fast, (xq,)), amp * xq.sin())
        loss.backward()
    meta.step()
print(loss.item())

# %% A body that is loaded and a head that is new
import io
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.backbone(x))


old = Net(5)
buffer = io.BytesIO()
torch.save({k: v for k, v in old.state_dict().items() if not k.startswith("head")}, buffer)
buffer.seek(0)
net = Net(3)
info = net.load_state_dict(torch.load(buffer), strict=False)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(60, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
for i in range(40):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), info.missing_keys)

# %% A state that is made once for each sequence, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class RNN(nn.Module):
    def __init__(self, size=12):
        super().__init__()
        self.cell, self.head, self.size = nn.RNNCell(1, size), nn.Linear(size, 1), size

    def forward(self, seq):
        h = torch.zeros(seq.size(0), self.size)
        for t in range(seq.size(1)):
            h = self.cell(seq[:, t], h)
        return self.head(h)


net = RNN()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(40):
    seq = torch.randn(32, 6, 1)
    loss = nn.functional.mse_loss(net(seq), seq.sum(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A cell that sees one step each time
import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.GRUCell(3, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=1e-2)
for it in range(30):
    x = torch.randn(16, 3)
    out = head(cell(x))
    loss = nn.functional.mse_loss(out, x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A mask before the softmax and dropout after it, as it should be
import math
import torch
from torch import nn

torch.manual_seed(0)


class Attn(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.qkv, self.drop = nn.Linear(d, 3 * d), nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        mask = torch.triu(torch.ones(x.size(1), x.size(1), dtype=torch.bool), 1)
        a = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).masked_fill(mask, float("-inf")).softmax(-1)
        return self.drop(a).masked_fill(mask, 0.0) @ v


net = nn.Sequential(Attn(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(30):
    x = torch.randn(8, 6, 8)
    y = (x[..., 0] > 0).long()
    loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Rows that are added where each place comes once
import torch
from torch import nn

torch.manual_seed(0)
lin = nn.Linear(4, 4)
opt = torch.optim.Adam(lin.parameters(), lr=1e-2)
for i in range(10):
    x = torch.randn(10, 4)
    order = torch.randperm(10)
    h = lin(x)
    out = torch.zeros(10, 4)
    out[order] += h
    sums = torch.zeros(3, 4).index_add(0, torch.arange(10) % 3, h)
    loss = (out.sum(1) - x[order.argsort()].sum(1)).pow(2).mean() + 0.1 * sums.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% The size of the weights that is only printed
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(10, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05, weight_decay=1e-2)
x = torch.randn(40, 10)
y = x[:, :1]
for epoch in range(30):
    loss = nn.functional.mse_loss(model(x), y)
    norm = sum(p.data.pow(2).sum() for p in model.parameters()).sqrt()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        print(epoch, loss.item() + 0 * norm.item())

# %% Layers that learn from the fourth epoch on, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
for p in net[0].parameters():
    p.requires_grad = False
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y = torch.randn(60, 8), None
y = x[:, :3].argmax(1)
for e in range(20):
    if e == 3:
        for p in net[0].parameters():
            p.requires_grad = True
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A hook that keeps pruned weights at zero
import torch
from torch import nn

torch.manual_seed(0)
lin = nn.Linear(6, 3)
mask = (torch.rand(3, 6) > 0.5).float()
with torch.no_grad():
    lin.weight.mul_(mask)
lin.weight.register_hook(lambda g: g * mask)
opt = torch.optim.SGD(lin.parameters(), lr=0.1)
x = torch.randn(64, 6)
for i in range(30):
    loss = (lin(x) - x[:, :3]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), (lin.weight == 0).sum().item())

# %% Dropout that stays on to draw several predictions
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 32), nn.Linear(32, 1)

    def forward(self, x, sample=False):
        h = torch.relu(self.a(x))
        h = nn.functional.dropout(h, 0.2, training=self.training or sample)
        return self.b(h)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(64, 5)
y = x[:, :1]
for i in range(40):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    draws = torch.stack([net(x, sample=True) for _ in range(10)])
print(draws.mean().item(), draws.std(0).mean().item())

# %% Two networks that teach each other
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(6, 3), nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
opt = torch.optim.Adam([*a.parameters(), *b.parameters()], lr=1e-2)
x = torch.randn(90, 6)
y = x[:, :3].argmax(1)
for i in range(30):
    la, lb = a(x), b(x)
    loss = F.cross_entropy(la, y) + F.cross_entropy(lb, y)
    loss = loss + F.kl_div(F.log_softmax(la, 1), F.softmax(lb.detach(), 1), reduction="batchmean")
    loss = loss + F.kl_div(F.log_softmax(lb, 1), F.softmax(la.detach(), 1), reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Two views of the same data that are to agree and to vary
import torch
from torch import nn

torch.manual_seed(0)
enc = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
pred = nn.Linear(4, 4)
opt = torch.optim.Adam([*enc.parameters(), *pred.parameters()], lr=5e-3)
for i in range(30):
    x = torch.randn(64, 6)
    za, zb = enc(x), enc(x + 0.1 * torch.randn_like(x))
    inv = nn.functional.mse_loss(pred(za), zb)
    var = torch.relu(1 - (zb.var(0) + 1e-4).sqrt()).mean() + torch.relu(1 - (za.var(0) + 1e-4).sqrt()).mean()
    loss = inv + var
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Two collections that are shuffled apart on purpose
import torch
from torch import nn

torch.manual_seed(0)
photos, paintings = torch.randn(40, 3), torch.randn(40, 3) + 1
to_painting = nn.Linear(3, 3)
opt = torch.optim.Adam(to_painting.parameters(), lr=1e-2)
for epoch in range(6):
    a = photos[torch.randperm(40)]
    b = paintings[torch.randperm(40)]
    for i in range(0, 40, 10):
        loss = (to_painting(a[i : i + 10]).mean(0) - b[i : i + 10].mean(0)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% An optimizer of the user's own that has a rate
import torch
from torch import nn

torch.manual_seed(0)


class Descent:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        with torch.no_grad():
            for p in self.params:
                p -= self.lr * p.grad
                p.grad = None


net = nn.Linear(3, 1)
x = torch.randn(32, 3)
opt = Descent(net.parameters(), 0.1)
for epoch in range(10):
    opt.lr = 0.1 * 0.9**epoch
    loss = (net(x) - x[:, :1]).pow(2).mean()
    loss.backward()
    opt.step()
print(loss.item())

# %% Sequences of several segments, each with a state of its own
import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.GRUCell(2, 6), nn.Linear(6, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=1e-2)
for epoch in range(8):
    loss = 0.0
    for segment in torch.randn(3, 4, 5, 2):
        h = torch.zeros(5, 6)
        for x in segment:
            h = cell(x, h)
        loss = loss + (head(h) - segment.sum((0, 2))[:, None]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% One query that is compared with several keys, stacked by hand
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
keys = torch.randn(6, 4)
queries = torch.randn(8, 4)
for i in range(8):
    asked = torch.stack([queries[i] for _ in range(6)])
    loss = -nn.functional.cosine_similarity(net(asked), keys).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% The shortest way between two curves, whose points both move
import torch

a, b = torch.tensor([0.3], requires_grad=True), torch.tensor([1.0], requires_grad=True)
opt = torch.optim.SGD([a, b], lr=0.1)
for i in range(20):
    first = torch.cat([a, a**2])
    second = torch.cat([b + 2, -b])
    loss = torch.nn.functional.mse_loss(first, second)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Variance that is made larger: a main direction found by steps
import torch

torch.manual_seed(0)
x = torch.randn(100, 3) * torch.tensor([3.0, 1.0, 0.5])
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
for i in range(30):
    direction = w / w.norm()
    loss = -(x @ direction).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Samples that become more various: the likelihood of the own samples is made smaller
import torch
from torch.distributions import Normal

torch.manual_seed(0)
log_sigma = torch.zeros(2, requires_grad=True)
opt = torch.optim.Adam([log_sigma], lr=0.05)
for i in range(15):
    d = Normal(torch.zeros(2), log_sigma.exp())
    z = d.rsample((32,))
    loss = d.log_prob(z).mean() + 0.1 * log_sigma.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(log_sigma.mean().item())

# %% A checkpoint of a part, loaded in a function
import torch
from torch import nn

torch.manual_seed(0)


def restore(model, saved):
    model.load_state_dict(saved, strict=False)
    model.eval()
    return model(torch.ones(1, 4)).sum()


whole = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
saved = {k: v for k, v in whole.state_dict().items() if k.startswith("0.")}
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
print(restore(model, saved).item())

# %% A score of one unit, by which a sequence is averaged
import torch
from torch import nn

torch.manual_seed(0)


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.hidden = nn.Embedding(12, 8), nn.Linear(8, 8)
        self.score, self.out = nn.Linear(8, 1), nn.Linear(8, 4)

    def forward(self, x):
        h = torch.tanh(self.hidden(self.embed(x)))
        return self.out((self.score(h).softmax(1) * h).sum(1))


net = Pooled()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
x = torch.randint(0, 12, (40, 6))
y = x[:, 0] % 4
for epoch in range(35):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A frozen body whose batch norm keeps its averages
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
body.requires_grad_(False)
head = nn.Linear(12, 2)
model = nn.Sequential(body, head)
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
x = torch.randn(64, 6)
y = (x[:, 0] > 0).long()
for epoch in range(10):
    model.train()
    body.eval()
    for i in range(0, 64, 16):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x[i : i + 16]), y[i : i + 16])
        loss.backward()
        opt.step()

# %% Slots that compete: a softmax over the slots, which is normalised again
import torch
from torch import nn

torch.manual_seed(0)


class Slots(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.slots = nn.Parameter(torch.randn(1, n, d))
        self.k, self.v = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        att = torch.softmax(self.slots @ self.k(x).transpose(1, 2), dim=1)
        att = att / (att.sum(-1, keepdim=True) + 1e-8)
        return att @ self.v(x)


model, head = Slots(6, 7), nn.Linear(6, 6)
opt = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=1e-2)
x = torch.randn(16, 7, 6)
for _ in range(15):
    loss = (head(model(x)).mean(1) - x.mean(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Double Q-learning with a target that follows slowly
import copy

import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(policy)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for _ in range(10):
    s, a, r, s2 = torch.randn(8, 4), torch.randint(0, 2, (8, 1)), torch.randn(8, 1), torch.randn(8, 4)
    q = policy(s).gather(1, a)
    with torch.no_grad():
        q2 = target(s2).gather(1, policy(s2).argmax(1, keepdim=True))
    loss = nn.functional.mse_loss(q, r + 0.9 * q2)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, t in zip(policy.parameters(), target.parameters()):
            t.mul_(0.99).add_(p, alpha=0.01)

# %% Two losses of one body, each with a backward of its own
import torch
from torch import nn

torch.manual_seed(0)
body, cls, reg = nn.Linear(4, 16), nn.Linear(16, 3), nn.Linear(16, 1)
opt = torch.optim.Adam([*body.parameters(), *cls.parameters(), *reg.parameters()], lr=1e-2)
x = torch.randn(48, 4)
label, value = x[:, :3].argmax(1), x[:, :1]
for _ in range(20):
    h = torch.relu(body(x))
    opt.zero_grad()
    nn.functional.cross_entropy(cls(h), label).backward(retain_graph=True)
    nn.functional.mse_loss(reg(h), value).backward()
    opt.step()
