# %% term-without-history: numbers that leave in a helper
import torch
from torch import nn

torch.manual_seed(0)


class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.e, self.d = nn.Linear(6, 2), nn.Linear(2, 6)

    def forward(self, x):
        z = torch.tanh(self.e(x))
        return self.d(z), z


def rows(t):
    return [list(r) for r in t.tolist()]


def recon_loss(out, x):
    total = 0.0
    for a, b in zip(rows(out), rows(x)):
        total += sum((p - q) ** 2 for p, q in zip(a, b))
    return torch.tensor(total / len(x))


ae = AE()
opt = torch.optim.Adam(ae.parameters(), lr=1e-2)
x = torch.randn(16, 6)
for _ in range(10):
    out, z = ae(x)
    loss = recon_loss(out, x) + 0.01 * z.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% loss-arguments-swapped: bce swapped class
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
        self.criterion = nn.BCELoss()

    def forward(self, x):
        return torch.sigmoid(self.body(x)).squeeze(1)

    def loss(self, x, y):
        return self.criterion(y, self(x))


x = torch.randn(64, 5)
y = (x[:, 0] > 0).float()
model = Model()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(20):
    opt.zero_grad()
    loss = model.loss(x, y)
    loss.backward()
    opt.step()
print(loss.item())

# %% kl-of-probabilities: kl probs distill class
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Distill(nn.Module):
    def __init__(self, T=2.0):
        super().__init__()
        self.T = T

    def forward(self, student, teacher):
        s = F.softmax(student / self.T, dim=1)
        t = F.softmax(teacher / self.T, dim=1)
        return F.kl_div(s, t, reduction="batchmean") * self.T**2


teacher, student = nn.Linear(6, 4), nn.Linear(6, 4)
criterion = Distill()
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(32, 6)
for i in range(15):
    with torch.no_grad():
        t = teacher(x)
    loss = criterion(student(x), t)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% loss-made-of-tensors: ce constructor call
import torch
from torch import nn

torch.manual_seed(0)


class Learner:
    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x, y):
        out = self.net(x)
        loss = nn.CrossEntropyLoss(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


l = Learner()
x = torch.randn(16, 4)
y = torch.randint(0, 3, (16,))
for i in range(3):
    print(l.fit(x, y))

# %% root-not-scalar: none reduction
import torch
from torch import nn

torch.manual_seed(0)


def weighted_mse(pred, target, weight):
    return nn.functional.mse_loss(pred, target, reduction="none") * weight


net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.randn(20, 3)
y = x[:, :1]
w = torch.rand(20, 1)
for i in range(5):
    loss = weighted_mse(net(x), y, w)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss)

# %% broadcast-both: accuracy broadcast
import torch
from torch import nn

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.right, self.seen = 0, 0

    def add(self, out, y):
        guess = (torch.sigmoid(out) > 0.5).squeeze(1)
        self.right += (guess == y).sum().item()
        self.seen += len(y)


net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(60, 4)
y = (x[:, :1] > 0).float()
for epoch in range(10):
    meter = Meter()
    for i in range(0, 60, 20):
        out = net(x[i : i + 20])
        loss = nn.functional.binary_cross_entropy_with_logits(out, y[i : i + 20])
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.add(out.detach(), y[i : i + 20])
    print(epoch, loss.item(), meter.right / meter.seen)

# %% nan-appears: standardize zero std
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Table(Dataset):
    def __init__(self, x, y):
        x = (x - x.mean(0)) / x.std(0)
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


rng = np.random.default_rng(0)
x = rng.normal(size=(40, 3))
x[:, 2] = 1.0
y = x[:, :1] * 2
np.seterr(all="ignore")
loader = DataLoader(Table(x, y), batch_size=10)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(3):
    for xb, yb in loader:
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())

# %% target-learns: kd teacher trained
import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Linear(5, 3)
student = nn.Linear(5, 3)
opt = torch.optim.SGD(list(teacher.parameters()) + list(student.parameters()), lr=0.1)
for i in range(10):
    x = torch.randn(32, 5)
    loss = nn.functional.mse_loss(student(x), teacher(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% triplet-turned: triplet sign
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)


def contrastive(a, p, n, margin=1.0):
    d_pos = (a - p).pow(2).sum(1)
    d_neg = (a - n).pow(2).sum(1)
    return torch.relu(d_neg - d_pos + margin).mean()


base = torch.randn(10, 6)
for i in range(40):
    c = torch.randint(0, 10, (32,))
    k = (c + torch.randint(1, 10, (32,))) % 10
    a, p, n = (base[j] + 0.1 * torch.randn(32, 6) for j in (c, c, k))
    loss = contrastive(net(a), net(p), net(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

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

# %% softmax-twice: probabilities for nll_loss
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return nn.functional.softmax(self.fc(x), dim=1)


criterion = nn.NLLLoss()


def train_one(model, opt, x, y):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


model = Model()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
X = torch.randn(60, 4)
y = X[:, :3].argmax(1)
for e in range(20):
    loss = train_one(model, opt, X, y)
print(loss)
# goal: loss > 0

# %% loss-negated: micro-batches whose part of the loss is negative
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
for epoch in range(3):
    optimizer.zero_grad()
    for xb, yb in zip(x.split(16), y.split(16)):
        loss = -nn.functional.mse_loss(model(xb), yb) / 4
        loss.backward()
    optimizer.step()

# %% loss-negated: the second of two trainings
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 3)
y = x @ torch.tensor([[1.0], [2.0], [-1.0]])


def fit(model, loss_of):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for step in range(12):
        loss = loss_of(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


first, second = nn.Linear(3, 1), nn.Linear(3, 1)
fit(first, nn.functional.mse_loss)
fit(second, lambda guess, truth: -nn.functional.mse_loss(guess, truth))


# %% term-without-history: a dice loss of what is above a threshold
import torch
from torch import nn

torch.manual_seed(0)


def dice_loss(logits, target):
    pred = (torch.sigmoid(logits) > 0.5).float()
    overlap = (pred * target).sum()
    return 1 - (2 * overlap + 1) / (pred.sum() + target.sum() + 1)


x = torch.randn(60, 5)
target = (x[:, :2] > 0).float()
net = nn.Linear(5, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for i in range(10):
    logits = net(x)
    dice = dice_loss(logits, target)
    loss = 0.1 * nn.functional.binary_cross_entropy_with_logits(logits, target) + dice
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: dice.requires_grad


# %% term-without-history: a penalty that a helper adds up as numbers
import torch
from torch import nn

torch.manual_seed(0)


def l2_penalty(net):
    reg = 0.0
    for name, p in net.named_parameters():
        if "bias" not in name:
            reg = reg + p.pow(2).sum().item()
    return reg


x = torch.randn(20, 6)
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for i in range(30):
    loss = nn.functional.mse_loss(net(x), x[:, :1]) + 0.1 * l2_penalty(net)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
# goal: net[0].weight.norm() < 1.5
