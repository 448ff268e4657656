# %% Maml data, as it should be
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(1, 20), nn.Linear(20, 1)

    def forward(self, x, params=None):
        if params is None:
            params = list(self.parameters())
        h = torch.relu(F.linear(x, params[0], params[1]))
        return F.linear(h, params[2], params[3])


meta = Net()
opt = torch.optim.Adam(meta.parameters(), lr=1e-3)


def inner(task, lr=0.01):
    x, y = task
    loss = F.mse_loss(meta(x), y)
    grads = torch.autograd.grad(loss, meta.parameters(), create_graph=True)
    return [p - lr * g for p, g in zip(meta.parameters(), grads)]


for it in range(6):
    opt.zero_grad()
    total = 0
    for _ in range(3):
        a = torch.rand(1) * 4 + 1
        xs, xq = torch.rand(10, 1), torch.rand(10, 1)
        fast = inner((xs, torch.sin(a * xs)))
        total = total + F.mse_loss(meta(xq, fast), torch.sin(a * xq))
    total.backward()
    opt.step()
print(total.item(), meta.l1.weight.sum().item())

# %% Gp no create graph, as it should be
import torch
from torch import nn

torch.manual_seed(0)
D = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
G = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
opt_d = torch.optim.Adam(D.parameters(), 1e-3)
opt_g = torch.optim.Adam(G.parameters(), 1e-3)


def gradient_penalty(real, fake):
    alpha = torch.rand(real.size(0), 1)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d = D(inter)
    grads = torch.autograd.grad(outputs=d, inputs=inter, grad_outputs=torch.ones_like(d), create_graph=True)[
        0
    ]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for it in range(15):
    real = torch.randn(16, 2)
    fake = G(torch.randn(16, 3)).detach()
    d_loss = D(fake).mean() - D(real).mean() + 10 * gradient_penalty(real, fake)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(torch.randn(16, 3))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
print(d_loss.item(), g_loss.item())

# %% Where sqrt nan, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def safe_norm(v):
    s = (v**2).sum(-1)
    return torch.where(s > 0, torch.sqrt(torch.where(s > 0, s, torch.ones_like(s))), torch.zeros_like(s))


class Force(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, 3))

    def forward(self, p):
        d = p[:, None] - p[None, :]
        return safe_norm(d @ self.w).sum()


m = Force()
opt = torch.optim.SGD(m.parameters(), lr=1e-3)
p = torch.randn(4, 3)
for _ in range(3):
    opt.zero_grad()
    e = (m(p) - 10) ** 2
    e.backward()
    opt.step()
print(e.item())

# %% Bn eval never, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 2)
        )

    def forward(self, x):
        return self.body(x)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        a = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return a


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
X = torch.randn(300, 10)
Y = (X[:, 0] * X[:, 1] > 0).long()
for epoch in range(5):
    for i in range(0, 240, 40):
        loss = nn.functional.cross_entropy(net(X[i : i + 40]), Y[i : i + 40])
        opt.zero_grad()
        loss.backward()
        opt.step()
    acc = accuracy(net, X[240:], Y[240:])
print(acc)

# %% Numpy metric, as it should be
import torch, numpy as np
from torch import nn

torch.manual_seed(0)


def rmse(pred, target):
    return np.sqrt(np.mean((pred - target) ** 2))


model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)
for i in range(10):
    opt.zero_grad()
    out = model(x)
    loss = nn.functional.mse_loss(out, y)
    loss.backward()
    opt.step()
    print(rmse(out.detach().numpy(), y.numpy()))

# %% Two plain tensors, as it should be
import torch

torch.manual_seed(0)
X = torch.randn(100, 2)
y = X @ torch.tensor([2.0, -3.0]) + 1
w = torch.randn(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1
for i in range(20):
    pred = X @ w + b
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(w, b)

# %% Hvp detached, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
params = list(model.parameters())
x, y = torch.randn(20, 3), torch.randn(20, 1)


def hvp(v):
    loss = nn.functional.mse_loss(model(x), y)
    grads = torch.autograd.grad(loss, params, create_graph=True)
    dot = sum((g * u).sum() for g, u in zip(grads, v))
    return torch.autograd.grad(dot, params)


v = [torch.randn_like(p) for p in params]
print(sum(h.sum() for h in hvp(v)).item())

# %% Numpy dice loss, as it should be
import numpy as np
import torch
from torch import nn


def dice_loss(pred, target, eps=1e-6):
    p = pred.flatten()
    t = target.flatten()
    score = 2 * (p * t).sum() / (p.sum() + t.sum() + eps)
    return 1 - score


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

# %% Tensor of losses, as it should be
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
    losses = torch.stack([nn.functional.mse_loss(o, t) for o, t in zip(outs, targets)])
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

# %% Gradients of each sample by vmap, clipped and averaged
import torch
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
params = {name: p.detach().clone() for name, p in net.named_parameters()}


def loss_of(params, x, y):
    pred = functional_call(net, params, (x.unsqueeze(0),)).squeeze()
    return (pred - y) ** 2


def clipped(grads, most=1.0):
    norms = torch.sqrt(sum(g.flatten(1).pow(2).sum(1) for g in grads.values()))
    scale = (most / (norms + 1e-6)).clamp(max=1.0)
    return {k: (g * scale.view(-1, *[1] * (g.dim() - 1))).mean(0) for k, g in grads.items()}


# %%
each = vmap(grad(loss_of), in_dims=(None, 0, 0))
for it in range(10):
    x = torch.randn(16, 3)
    grads = clipped(each(params, x, x.sum(1)))
    params = {k: p - 0.1 * grads[k] for k, p in params.items()}
print(params["weight"])

# %% A network that solves an equation by its own derivatives
import torch
from torch import nn

torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, t):
        return 1 + t * self.net(t)


def residual(u, t):
    y = u(t)
    dy = torch.autograd.grad(y.sum(), t, create_graph=True)[0]
    return (dy + y).pow(2).mean()


# %%
u = Field()
opt = torch.optim.Adam(u.parameters(), lr=1e-2)
for it in range(20):
    t = torch.rand(32, 1, requires_grad=True)
    loss = residual(u, t)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A penalty on the gradient of the input, for a classifier
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 2))


def smooth_loss(x, y, weight=0.1):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(net(x), y)
    (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    return loss + weight * slope.pow(2).sum(1).mean()


# %%
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(40, 4)
y = (x[:, 0] > 0).long()
for it in range(15):
    opt.zero_grad()
    loss = smooth_loss(x, y)
    loss.backward()
    opt.step()
print(loss.item())
