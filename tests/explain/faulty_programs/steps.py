# %% grad-accumulated: a learner without zero_grad
import torch
from torch import nn

torch.manual_seed(0)


class Learner:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.loss = nn.CrossEntropyLoss()

    def update(self, x, y):
        out = self.model(x)
        loss = self.loss(out, y)
        loss.backward()
        self.opt.step()
        return float(loss)


L = Learner()
X = torch.randn(60, 3)
y = (X[:, 0] > X[:, 1]).long()
history = [L.update(X, y) for _ in range(25)]
print(history[-1])
# goal: float(L.model[0].weight.grad.norm()) < 1


# %% grad-accumulated: a closure
import torch

torch.manual_seed(0)


class Rosenbrock(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.xy = torch.nn.Parameter(torch.tensor([-1.0, 1.5]))

    def forward(self):
        a, b = self.xy
        return (1 - a) ** 2 + 100 * (b - a**2) ** 2


f = Rosenbrock()
opt = torch.optim.LBFGS(f.parameters(), lr=0.5, max_iter=10)


def closure():
    loss = f()
    loss.backward()
    return loss


for i in range(8):
    loss = opt.step(closure)
print(loss.item(), f.xy.detach())
# goal: f().item() < 0.1


# %% step-without-gradients: numpy dice loss
import numpy as np
import torch
from torch import nn


def dice_loss(pred, target, eps=1e-6):
    p = pred.detach().numpy().ravel()
    t = target.numpy().ravel()
    score = 2 * (p * t).sum() / (p.sum() + t.sum() + eps)
    return torch.tensor(1 - score, requires_grad=True)


torch.manual_seed(0)


class Seg(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 4, 3, padding=1)
        self.b = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        return torch.sigmoid(self.b(torch.relu(self.a(x))))


net = Seg()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(8, 1, 8, 8)
y = (x > 0).float()
for epoch in range(12):
    opt.zero_grad()
    loss = dice_loss(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())


# %% step-without-gradients: trainer reset model
import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, hidden):
        self.hidden = hidden
        self.build()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def build(self):
        self.model = nn.Sequential(nn.Linear(3, self.hidden), nn.Tanh(), nn.Linear(self.hidden, 1))

    def fit(self, x, y, epochs):
        self.build()
        for _ in range(epochs):
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
print(Trainer(16).fit(x, y, 20))


# %% batches-cleared: step outside loader
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X = torch.randn(128, 4)
Y = X @ torch.tensor([[1.0], [2.0], [3.0], [4.0]])
loader = DataLoader(TensorDataset(X, Y), batch_size=32)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)


def train_epoch(model, loader, opt):
    model.train()
    running = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        running += loss.item()
    opt.step()
    return running / len(loader)


for epoch in range(8):
    print(epoch, train_epoch(model, loader, opt))


# %% units-start-alike: zero init helper
import torch
from torch import nn

torch.manual_seed(0)


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.1)
        nn.init.zeros_(m.bias)


net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
net.apply(init)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(128, 2)
y = x[:, :1] * x[:, 1:]
for i in range(60):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())


# %% results-copied: tensor of losses
import torch
from torch import nn

torch.manual_seed(0)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 16)
        self.heads = nn.ModuleList(nn.Linear(16, 1) for _ in range(3))

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return [head(h) for head in self.heads]


def combine(outs, targets, weights):
    losses = torch.tensor([nn.functional.mse_loss(o, t) for o, t in zip(outs, targets)], requires_grad=True)
    return (losses * weights).sum()


net = MultiTask()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(40, 5)
targets = [x[:, i : i + 1] for i in range(3)]
weights = torch.tensor([1.0, 0.5, 0.25])
for i in range(10):
    opt.zero_grad()
    loss = combine(net(x), targets, weights)
    loss.backward()
    opt.step()
print(loss.item())


# %% clip-out-of-turn: clip wrong model
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
actor, critic = nn.Linear(3, 1), nn.Linear(3, 1)
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-2)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-2)


def update(s):
    dist = Normal(actor(s), 0.5)
    a = dist.sample()
    r = -(a - s[:, :1]).pow(2)
    v = critic(s)
    loss_c = (v - r).pow(2).mean()
    opt_c.zero_grad()
    loss_c.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
    opt_c.step()
    loss_a = -(dist.log_prob(a) * (r - v.detach())).mean()
    opt_a.zero_grad()
    loss_a.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
    opt_a.step()
    return loss_a.item(), loss_c.item()


for i in range(10):
    out = update(torch.randn(64, 3))
print(out)


# %% grad-accumulated: val grad leak
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
xt, xv = torch.randn(80, 5), torch.randn(40, 5)
f = lambda x: x[:, :1] * x[:, 1:2]
history = []
for epoch in range(20):
    model.train()
    loss = nn.functional.mse_loss(model(xt), f(xt))
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    val = nn.functional.mse_loss(model(xv), f(xv))
    val.backward()
    opt.step()
    history.append(val.item())
print(history[-1])


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


# %% step-forgotten: rounds that are too long to be kept, in a game that has a step() of its own
class Game:
    def reset(self):
        self.state = torch.zeros(4)
        return self.state

    def step(self, action):
        self.state = self.state * 0.9 + torch.randn(4) * 0.1 + action * 0.01
        return self.state, self.state.sum()


def main():
    game, policy = Game(), torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.01)
    for episode in range(6):
        state, logs, rewards = game.reset(), [], []
        for _ in range(250):
            log = policy(state).log_softmax(-1)
            action = int(log[0] < log[1])
            state, reward = game.step(action)
            logs.append(log[action])
            rewards.append(reward)
        loss = -(torch.stack(logs) * (torch.stack(rewards) - torch.stack(rewards).mean())).mean()
        optimizer.zero_grad()
        loss.backward()


main()


# %% step-without-gradients: a closure without backward()
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
t = torch.linspace(0, 1, 10).unsqueeze(1)
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5)


def closure():
    opt.zero_grad()
    at = t.clone().requires_grad_(True)
    y = net(at)
    dy = torch.autograd.grad(y.sum(), at, create_graph=True)[0]
    loss = (dy + y).pow(2).mean() + (y[0, 0] - 1) ** 2
    return loss


for epoch in range(4):
    loss = opt.step(closure)
# goal: loss.item() < 0.1


# %% step-never-due: a trainer accumulates more batches than there are
import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, model, every):
        self.model, self.every = model, every
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    def fit(self, batches):
        for epoch in range(3):
            self.optimizer.zero_grad()
            for i, (x, y) in enumerate(batches):
                loss = (self.model(x) - y).pow(2).mean() / self.every
                loss.backward()
                if (i + 1) % self.every == 0:
                    self.optimizer.step()
                    self.optimizer.zero_grad()


batches = [(torch.randn(8, 2), torch.randn(8, 1)) for _ in range(5)]
Trainer(nn.Linear(2, 1), 8).fit(batches)


# %% update-never-counted: an agent whose steps nobody counts
import copy

import torch
from torch import nn

torch.manual_seed(0)


class Agent:
    def __init__(self, every):
        self.q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=0.01)
        self.every = every

    def learn(self, obs, action, reward, after):
        value = self.q(obs).gather(1, action[:, None]).squeeze(1)
        with torch.no_grad():
            goal = reward + 0.9 * self.target(after).max(1).values
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())


def train(agent, rounds):
    step = 1
    for i in range(rounds):
        obs, after = torch.randn(8, 3), torch.randn(8, 3)
        agent.learn(obs, torch.randint(0, 2, (8,)), obs[:, 0], after)
        if step % agent.every == 0:
            agent.sync()


agent = Agent(4)
before = agent.target[0].weight.clone()
train(agent, 12)
# goal: not torch.equal(agent.target[0].weight, before)


# %% results-copied: a loss that is made a tensor again
import torch
from torch import nn

torch.manual_seed(0)


def criterion(out, y):
    loss = nn.functional.mse_loss(out, y)
    return torch.tensor(loss, requires_grad=True)


net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(24, 3)
first = net[0].weight.clone()
for i in range(6):
    opt.zero_grad()
    loss = criterion(net(x), x[:, :1])
    loss.backward()
    opt.step()
# goal: not torch.equal(net[0].weight, first)


# %% trained-in-eval-mode: a model of main(), evaluated after each epoch
import torch
from torch import nn


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def fit(model, x, y, epochs):
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train()
    for epoch in range(epochs):
        for i in range(0, len(x), 12):
            opt.zero_grad()
            nn.functional.cross_entropy(model(x[i : i + 12]), y[i : i + 12]).backward()
            opt.step()
        evaluate(model, x, y)


def main():
    torch.manual_seed(0)
    x = torch.randn(36, 5)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    fit(model, x, (x[:, 0] > 0).long(), 4)


main()


# %% rows-apart: targets in their own order, in slices
import torch
from torch import nn

torch.manual_seed(0)


class Shuffler:
    def __init__(self, x, y, batch):
        self.x, self.y, self.batch = x, y, batch

    def __iter__(self):
        order = torch.randperm(len(self.x))
        x, y = self.x[order], self.y
        for i in range(0, len(x), self.batch):
            yield x[i : i + self.batch], y[i : i + self.batch]


x = torch.randn(120, 4)
y = (x[:, 0] - x[:, 2] > 0).long()
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(12):
    for xb, yb in Shuffler(x, y, 20):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
