# %% divergence-turned: kd swap
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def make(width):
    return nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 4))


class Distiller:
    def __init__(self, big, small, T=3.0):
        self.big, self.small, self.T = big, small, T
        self.opt = torch.optim.Adam(small.parameters(), lr=1e-2)

    def soft_loss(self, s, t):
        return (
            F.kl_div(F.log_softmax(t / self.T, dim=1), F.softmax(s / self.T, dim=1), reduction="batchmean")
            * self.T**2
        )

    def step(self, x, y):
        with torch.no_grad():
            t = self.big(x)
        s = self.small(x)
        loss = 0.7 * self.soft_loss(s, t) + 0.3 * F.cross_entropy(s, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    x, y = torch.randn(64, 6), torch.randint(0, 4, (64,))
    d = Distiller(make(64), make(8))
    for i in range(30):
        v = d.step(x, y)
    return v


print(main())
# goal: True

# %% average-never-updated: swa never
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(0)
X = torch.randn(96, 5)
Y = (X[:, :1] * 2 - X[:, 1:2]).tanh()
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
swa = AveragedModel(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
crit = nn.MSELoss()
for epoch in range(40):
    for xb, yb in zip(X.split(32), Y.split(32)):
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
swa.eval()
with torch.no_grad():
    final = crit(swa(X), Y)
print(final.item())
# goal: final.item() < 0.1

# %% loss-negated: sign long
from dataclasses import dataclass
import torch
from torch import nn


@dataclass
class Config:
    lr: float = 1e-2
    epochs: int = 200
    hidden: int = 16


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(1)
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(3, cfg.hidden), nn.Tanh(), nn.Linear(cfg.hidden, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr)

    def loss(self, x, y):
        return -((self.net(x) - y) ** 2).mean()

    def fit(self, x, y):
        history = []
        for _ in range(self.cfg.epochs):
            self.opt.zero_grad()
            loss = self.loss(x, y)
            loss.backward()
            self.opt.step()
            history.append(loss.item())
        return history


x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
t = Trainer(Config())
h = t.fit(x, y)
print(h[0], h[-1])
# goal: ((t.net(x) - y) ** 2).mean().item() < 0.5

# %% likelihood-minimized: loglik sign
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Density(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Parameter(torch.zeros(2))
        self.log_sigma = nn.Parameter(torch.zeros(2))

    def log_prob(self, x):
        return Normal(self.mu, self.log_sigma.exp()).log_prob(x).sum(-1)


data = torch.randn(256, 2) * torch.tensor([0.5, 2.0]) + torch.tensor([3.0, -1.0])
model = Density()
opt = torch.optim.Adam(model.parameters(), lr=0.05)


def train(steps):
    for i in range(steps):
        batch = data[torch.randint(0, 256, (64,))]
        nll = model.log_prob(batch).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
    return nll.item()


print(train(300))
# goal: abs(model.mu[0].item() - 3) < 0.5

# %% network-cut: lbfgs detached
import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(50, 3)
y = X @ torch.tensor([1.0, -1.0, 2.0]) + 0.3


class Linear3:
    def __init__(self):
        self.w = torch.zeros(3, requires_grad=True)
        self.b = torch.zeros(1, requires_grad=True)

    def parameters(self):
        return [self.w, self.b]

    def __call__(self, x):
        return x @ self.w + self.b.detach()


m = Linear3()
opt = torch.optim.LBFGS(m.parameters(), lr=1, max_iter=20)
for epoch in range(3):

    def closure():
        opt.zero_grad()
        loss = ((m(X) - y) ** 2).mean()
        loss.backward()
        return loss

    loss = opt.step(closure)
print(loss.item(), m.b)
# goal: abs(m.b.item() - 0.3) < 0.05

# %% target-learns: mentor learns
import torch
import itertools
from torch import nn

torch.manual_seed(0)
mentor = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
pupil = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3))
opt = torch.optim.Adam(itertools.chain(mentor.parameters(), pupil.parameters()), lr=5e-3)
x = torch.randn(128, 8)
before = [p.clone() for p in mentor.parameters()]
for epoch in range(25):
    for xb in x.split(32):
        want = mentor(xb)
        got = pupil(xb)
        loss = nn.functional.mse_loss(got, want)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
# goal: all(torch.equal(a, b) for a, b in zip(before, mentor.parameters()))

# %% target-learns: q old learns
import copy
import torch
from torch import nn

torch.manual_seed(0)


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
        self.q_old = copy.deepcopy(self.q)
        params = list(self.q.parameters()) + list(self.q_old.parameters())
        self.opt = torch.optim.Adam(params, lr=1e-3)

    def learn(self, s, a, r, s2, gamma=0.9):
        value = self.q(s).gather(1, a[:, None]).squeeze(1)
        goal = r + gamma * self.q_old(s2).max(1).values
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss


agent = Agent()
start = [p.clone() for p in agent.q_old.parameters()]
for i in range(30):
    s = torch.randn(32, 4)
    loss = agent.learn(s, torch.randint(0, 2, (32,)), torch.randn(32), torch.randn(32, 4))
print(loss.item())
# goal: all(torch.equal(a, b) for a, b in zip(start, agent.q_old.parameters()))

# %% difference-of-equals: ppo ratio
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))

    def forward(self, s):
        return Categorical(logits=self.body(s))


policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
states = torch.randn(128, 4)
actions = torch.randint(0, 3, (128,))
advantage = torch.where(actions == 1, 1.0, -0.5)


def update(epochs=10, clip=0.2):
    for _ in range(epochs):
        old = policy(states).log_prob(actions)
        new = policy(states).log_prob(actions)
        ratio = (new - old).exp()
        surrogate = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
        loss = -surrogate.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


print(update())
# goal: policy(states).probs[:, 1].mean().item() > 0.34

# %% term-without-history: gp constant
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
    (grads,) = autograd.grad(critic(mix).sum(), mix, retain_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for step in range(20):
    real = torch.randn(32, 2) + 2
    fake = gen(torch.randn(32, 3)).detach()
    gp = penalty(real, fake)
    c_loss = critic(fake).mean() - critic(real).mean() + 10 * gp
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    g_loss = -critic(gen(torch.randn(32, 3))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
print(c_loss.item(), g_loss.item())
# goal: gp.requires_grad

# %% weights-unused: maml unused
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.b1 = nn.Parameter(torch.randn(1, 20) * 0.5), nn.Parameter(torch.zeros(20))
        self.w2, self.b2 = nn.Parameter(torch.randn(20, 1) * 0.2), nn.Parameter(torch.zeros(1))

    def forward(self, x, weights=None):
        w1, b1, w2, b2 = weights or [self.w1, self.b1, self.w2, self.b2]
        return torch.relu(x @ w1 + b1) @ w2 + b2


net = Net()
meta = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(12):
    total = 0.0
    for task in range(3):
        amp = torch.rand(1) * 3
        xs, xq = torch.rand(10, 1) * 6 - 3, torch.rand(10, 1) * 6 - 3
        support = nn.functional.mse_loss(net(xs), amp * xs.sin())
        grads = torch.autograd.grad(support, list(net.parameters()), create_graph=True)
        fast = [p - 0.05 * g for p, g in zip(net.parameters(), grads)]
        total = total + nn.functional.mse_loss(net(xq), amp * xq.sin())
    meta.zero_grad()
    total.backward()
    meta.step()
print(total.item())

# %% leaf-view-inplace: expand inplace
import torch
from torch import nn

torch.manual_seed(0)


class Slots(nn.Module):
    def __init__(self, n=5, d=8):
        super().__init__()
        self.start = nn.Parameter(torch.randn(1, n, d))
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        slots = self.start.expand(x.size(0), -1, -1)
        slots += self.proj(x)
        return slots.mean(1)


m = Slots()
opt = torch.optim.Adam(m.parameters(), lr=1e-3)
for i in range(3):
    x = torch.randn(4, 5, 8)
    loss = m(x).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: m.start.grad is not None

# %% scaler-without-update: unscale twice
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")


def grad_norm():
    scaler.unscale_(opt)
    return torch.sqrt(sum(p.grad.pow(2).sum() for p in net.parameters()))


for it in range(5):
    x = torch.randn(16, 4)
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(net(x), x[:, :1])
    scaler.scale(loss).backward()
    norm = grad_norm()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
print(norm)
# goal: loss.item() < 10

# %% nothing-loaded: load nothing
import io
import torch
from torch import nn

torch.manual_seed(0)


def build():
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))


def fit(model, x, y, n):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(n):
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


x = torch.randn(64, 4)
y = x[:, :1] - x[:, 1:2]
first = build()
fit(first, x, y, 100)
buffer = io.BytesIO()
torch.save({"module." + k: v for k, v in first.state_dict().items()}, buffer)
buffer.seek(0)
model = build()
model.load_state_dict(torch.load(buffer), strict=False)
model.eval()
with torch.no_grad():
    loss = nn.functional.mse_loss(model(x), y)
print("restored, loss", loss.item())

# %% shuffled-apart: shuffled apart
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Points(Dataset):
    def __init__(self, n=200):
        x = torch.randn(n, 2)
        y = (x[:, 0] + x[:, 1] > 0).long()
        self.x = x[torch.randperm(n)]
        self.y = y[torch.randperm(n)]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
loader = DataLoader(Points(), batch_size=25)
for epoch in range(20):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% rows-alike: dataset index
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y, self.i = x, y, 0

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[self.i], self.y[self.i]


x = torch.randn(120, 3)
y = (x[:, :1] > 0).float()
loader = DataLoader(Rows(x, y), batch_size=12, shuffle=True)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
crit = nn.BCEWithLogitsLoss()
for epoch in range(8):
    for xb, yb in loader:
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
with torch.no_grad():
    acc = ((net(x) > 0).float() == y).float().mean()
print(loss.item(), acc.item())

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

# %% nan-appears: mask after softmax
import math
import torch
from torch import nn

torch.manual_seed(0)


class SelfAttention(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        att = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(-1)
        mask = torch.triu(torch.ones(x.size(1), x.size(1), dtype=torch.bool), 1)
        att = att.masked_fill(mask, float("-inf"))
        return att @ v


model = nn.Sequential(SelfAttention(), nn.Linear(8, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for i in range(5):
    x, y = torch.randn(4, 6, 8), torch.randint(0, 2, (4, 6))
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: loss.item() < 5

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

# %% option-set-elsewhere: opt lr
import torch
from torch import nn

torch.manual_seed(0)


def adjust(opt, epoch, base):
    opt.lr = base * 0.5 ** (epoch // 4)


model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
for epoch in range(12):
    adjust(opt, epoch, 0.1)
    for i in range(0, 64, 16):
        loss = nn.functional.mse_loss(model(x[i : i + 16]), y[i : i + 16])
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item(), opt.param_groups[0]["lr"])
# goal: opt.param_groups[0]["lr"] < 0.1

# %% option-is-text: lr string
import json
import torch
from torch import nn

cfg = json.loads('{"lr": "1e-3", "hidden": 16, "epochs": 3}')


class Experiment:
    def __init__(self, cfg):
        self.model = nn.Sequential(nn.Linear(4, cfg["hidden"]), nn.ReLU(), nn.Linear(cfg["hidden"], 1))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def run(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


e = Experiment(cfg)
e.run(torch.randn(8, 4), torch.randn(8, 1))

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

# %% numpy-with-history: numpy mean
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def train_epoch(model, opt, batches):
    losses = []
    for x, y in batches:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss)
    return np.mean(losses)


model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(4)]
for epoch in range(2):
    mean = train_epoch(model, opt, batches)
    print(epoch, mean)
# goal: float(mean) > 0

# %% deepcopy-of-computed: deepcopy nonleaf
import copy
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        self.features = torch.relu(self.fc(x))
        return self.features.sum(1)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best, best_net = 1e9, None
for epoch in range(5):
    x = torch.randn(16, 3)
    loss = (net(x) - x.sum(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best, best_net = loss.item(), copy.deepcopy(net)
# goal: best_net is not None

# %% plateau-turned: plateau max
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 4)
y = x @ torch.tensor([[1.0], [2.0], [-1.0], [0.5]])
xt, yt, xv, yv = x[:60], y[:60], x[60:], y[60:]
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", factor=0.1, patience=2)
for epoch in range(30):
    net.train()
    loss = nn.functional.mse_loss(net(xt), yt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(xv), yv)
    sched.step(val)
print(val.item(), opt.param_groups[0]["lr"])
# goal: opt.param_groups[0]["lr"] > 1e-3

# %% sum-thrown-away: plus unassigned
import torch
from torch import nn

torch.manual_seed(0)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 12)
        self.main, self.aux = nn.Linear(12, 3), nn.Linear(12, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.main(h), self.aux(h)


net = TwoHeads()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y, z = torch.randn(48, 6), torch.randint(0, 3, (48,)), torch.randn(48, 1)
for epoch in range(12):
    scores, extra = net(x)
    loss = nn.functional.cross_entropy(scores, y)
    loss + 0.5 * nn.functional.mse_loss(extra, z)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: net.aux.weight.grad is not None

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

# %% mode-without-parentheses: nograd parens
import torch
from torch import nn

torch.manual_seed(0)


def evaluate(net, x, y):
    with torch.no_grad:
        return ((net(x) > 0).float() == y).float().mean()


net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(20, 3)
y = (x[:, :1] > 0).float()
for epoch in range(3):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = evaluate(net, x, y)
# goal: acc.item() >= 0

# %% step-uphill: loop ascent
import torch

torch.manual_seed(0)


def predict(params, x):
    return x @ params["w"] + params["b"]


def step(params, lr):
    with torch.no_grad():
        for name in params:
            params[name] += lr * params[name].grad
            params[name].grad = None


params = {"w": torch.zeros(2, 1, requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
x = torch.randn(40, 2)
y = x @ torch.tensor([[2.0], [-1.0]]) + 0.5
for i in range(150):
    loss = (predict(params, x) - y).pow(2).mean()
    loss.backward()
    step(params, 0.02)
print(loss.item())
# goal: loss.item() < 0.1

# %% none-where-a-gradient-was-meant: tied copy
import torch

torch.manual_seed(0)


class Model:
    def __init__(self):
        self.w = torch.randn(3, requires_grad=True)
        self.b = torch.zeros(1, requires_grad=True)

    def __call__(self, x):
        return x @ self.w + self.b


def train(m, x, y, lr=0.1):
    for i in range(5):
        loss = ((m(x) - y) ** 2).mean()
        loss.backward()
        m.w = m.w - lr * m.w.grad
        m.b = m.b - lr * m.b.grad
    return loss.item()


m = Model()
x = torch.randn(20, 3)
print(train(m, x, x.sum(1)))
# goal: train(m, x, x.sum(1)) < 1

# %% random-under-vmap: vmap random
import torch
from torch.func import vmap
from torch import nn

torch.manual_seed(0)


def noisy(w, x):
    return nn.functional.dropout(torch.tanh(x @ w), 0.5).sum()


w = torch.randn(4, 3, requires_grad=True)
xs = torch.randn(6, 4)
total = vmap(noisy, in_dims=(None, 0))(w, xs).sum()
total.backward()
# goal: w.grad is not None

# %% network-cut: vae std
import torch
from torch import nn

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(6, 8), nn.Linear(4, 6)

    @torch.no_grad()
    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar


def elbo(out, x, mu, logvar):
    rec = nn.functional.mse_loss(out, x, reduction="sum")
    return rec


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
for i in range(12):
    x = torch.randn(16, 6)
    loss = elbo(vae(x)[0], x, *vae(x)[1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: vae.enc.weight.grad is not None
