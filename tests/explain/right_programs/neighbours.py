# %% A schedule of epochs after the loop over batches
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.1)
for epoch in range(4):
    for batch in torch.randn(4, 4, 2):
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
    scheduler.step()

# %% A schedule of steps in the loop over batches
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=12, final_div_factor=1e6)
for epoch in range(3):
    for batch in torch.randn(4, 4, 2):
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
        scheduler.step()

# %% A slow schedule in the loop over batches
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
decay = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.99)
for epoch in range(3):
    for batch in torch.randn(4, 4, 2):
        opt.zero_grad()
        net(batch).pow(2).mean().backward()
        opt.step()
        decay.step()

# %% A schedule in a single loop
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
x = torch.randn(8, 2)
for epoch in range(12):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
    scheduler.step()

# %% One model for each fold
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(12, 2), torch.randn(12, 1)
scores = []
for fold in range(3):
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        opt.zero_grad()
        (net(x) - y).pow(2).mean().backward()
        opt.step()
    with torch.no_grad():
        scores.append((net(x) - y).pow(2).mean().item())

# %% Several models that are kept
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(12, 2), torch.randn(12, 1)
models = []
for i in range(4):
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    opt.step()
    models.append(net)
mean = sum(m(x).detach() for m in models) / 4

# %% A copy for each task
import copy

import torch
from torch import nn

torch.manual_seed(0)
meta = nn.Linear(2, 1)
x = torch.randn(6, 2)
for task in range(4):
    fast = copy.deepcopy(meta)
    opt = torch.optim.SGD(fast.parameters(), lr=0.1)
    opt.zero_grad()
    (fast(x) - task).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(meta.parameters(), fast.parameters()):
            p += 0.1 * (q - p)

# %% One learning rate after the other
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for lr in [0.001, 0.01, 0.1, 1.0]:
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    opt.step()

# %% An average of weights in place
import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
average = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    net(torch.randn(4, 2)).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for a, p in zip(average.parameters(), net.parameters()):
            a.mul_(0.9).add_(p, alpha=0.1)

# %% A sum over parameters under the name of the loop
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0.0
for i in range(4):
    opt.zero_grad()
    net(torch.randn(4, 2)).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for p in net.parameters():
            p = p.abs()
            total += p.sum().item()

# %% The divergence of logarithms
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student, teacher = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(8, 4)
for i in range(3):
    with torch.no_grad():
        q = teacher(x).softmax(1)
    loss = F.kl_div(F.log_softmax(student(x), 1), q, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% The divergence of a logarithm that was taken by hand
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, q = torch.randn(8, 4), torch.randn(8, 3).softmax(1)
for i in range(3):
    p = net(x).softmax(1)
    loss = F.kl_div((p + 1e-8).log(), q, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Attention to a single element
import torch
from torch import nn

torch.manual_seed(0)
query, value = nn.Linear(4, 4), nn.Linear(4, 4)
x = torch.randn(3, 1, 4)
weights = (query(x) @ x.transpose(1, 2)).softmax(-1)
out = weights @ value(x)
out.pow(2).mean().backward()

# %% A softmax over two columns
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
p = net(torch.randn(8, 4)).softmax(1)[:, :1]
loss = F.binary_cross_entropy(p, torch.ones(8, 1))
loss.backward()

# %% Clipping after unscale_
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for i in range(3):
    opt.zero_grad()
    loss = net(torch.randn(4, 2)).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()

# %% A scaler that is switched off
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for i in range(3):
    opt.zero_grad()
    loss = net(torch.randn(4, 2)).pow(2).mean()
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()

# %% The norm of gradients after the step
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(torch.randn(4, 2)).pow(2).mean().backward()
    opt.step()
    norm = nn.utils.clip_grad_norm_(net.parameters(), float("inf"))

# %% The negative logarithm of a likelihood
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, labels = torch.randn(8, 4), torch.randint(0, 3, (8,))
for i in range(4):
    opt.zero_grad()
    loss = -net(x).log_softmax(1)[torch.arange(8), labels].mean()
    loss.backward()
    opt.step()

# %% A likelihood that is maximized
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1, maximize=True)
x, labels = torch.randn(8, 4), torch.randint(0, 3, (8,))
for i in range(4):
    opt.zero_grad()
    likelihood = net(x).log_softmax(1)[torch.arange(8), labels].mean()
    likelihood.backward()
    opt.step()

# %% A policy that is to avoid what it drew
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 3)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
x = torch.randn(8, 4)
for i in range(3):
    drawn = torch.randint(0, 3, (8, 1))
    cost = torch.rand(8)
    logp = policy(x).log_softmax(1).gather(1, drawn).squeeze(1)
    loss = (logp * cost).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% An attack makes the loss larger
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3).requires_grad_(False)
x, label = torch.randn(1, 4, requires_grad=True), torch.tensor([1])
for i in range(4):
    loss = F.cross_entropy(net(x), label)
    loss.backward()
    with torch.no_grad():
        x += 0.1 * x.grad
        x.grad = None

# %% An attack whose step is that of an optimizer
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3).requires_grad_(False)
x, label = torch.randn(1, 4), torch.tensor([1])
delta = torch.zeros(1, 4, requires_grad=True)
opt = torch.optim.SGD([delta], lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = -F.cross_entropy(net(x + delta), label)
    loss.backward()
    opt.step()

# %% A classifier forgets what it has learned
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
with torch.no_grad():
    net.weight.copy_(torch.eye(3, 4) * 9)
x, labels = torch.eye(3, 4), torch.arange(3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = -F.cross_entropy(net(x), labels)
    loss.backward()
    opt.step()

# %% A step by hand uphill to a larger reward
import torch

torch.manual_seed(0)
theta = torch.zeros(3, requires_grad=True)
for i in range(4):
    reward = 9 - (theta - 2).pow(2).sum()
    reward.backward()
    with torch.no_grad():
        theta += 0.1 * theta.grad
        theta.grad = None

# %% A target with a history that is a distribution
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
x = torch.randn(8, 4)
for i in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(a(x), b(x).softmax(1))
    loss.backward()
    opt.step()

# %% A backward that has no use for its gradient where that is 1
import torch


class Distance(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x).sum()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x


x = torch.ones(3, requires_grad=True)
(Distance.apply(x) * 3).backward()

# %% A function without derivative
import torch


class Counted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, count):
        return x * count

    @staticmethod
    def backward(ctx, grad):
        return grad * 2, None


x = torch.ones(3, requires_grad=True)
(Counted.apply(x, 2) * 3).sum().backward()

# %% L-BFGS with a closure that clears
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
x = torch.randn(8, 2)
y = x.sum(1, keepdim=True)
opt = torch.optim.LBFGS(net.parameters(), lr=0.5)


def closure():
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    return loss


for i in range(3):
    opt.step(closure)

# %% A frozen head
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(2, 3), nn.Linear(3, 1)
for p in head.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(body.parameters(), lr=0.1)
for epoch in range(4):
    opt.zero_grad()
    head(body(torch.randn(4, 2)).tanh()).mean().backward()
    opt.step()

# %% Only the head is trained
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(2, 3), nn.Linear(3, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(4):
    opt.zero_grad()
    head(body(torch.randn(4, 2)).tanh()).mean().backward()
    opt.step()

# %% A generator is trained through its discriminator, which has its own optimizer
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
G, D = nn.Linear(2, 2), nn.Linear(2, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
real = torch.randn(8, 2)
for i in range(4):
    fake = G(torch.randn(8, 2))
    opt_d.zero_grad()
    loss_d = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    loss_d.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss_g = F.softplus(-D(fake)).mean()
    loss_g.backward()
    opt_g.step()

# %% Two optimizers, one of which steps every second round
import torch
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(2, 3), nn.Linear(3, 1)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1)
opt_b = torch.optim.SGD(b.parameters(), lr=0.1)
for i in range(6):
    opt_a.zero_grad()
    opt_b.zero_grad()
    b(a(torch.randn(4, 2)).tanh()).pow(2).mean().backward()
    opt_a.step()
    if i % 4 == 1:
        opt_b.step()

# %% Data of float64 for a model of float64
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
data = torch.from_numpy(np.linspace(0.0, 1.0, 8).reshape(4, 2))
# %%
net = nn.Linear(2, 1).double()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(data).pow(2).mean().backward()
    opt.step()

# %% Clipping in a function of an earlier cell
import torch
from torch import nn


def train(net, opt, x):
    for i in range(3):
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        opt.step()


# %%
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, opt, torch.randn(4, 2))

# %% The same noise for each evaluation, and a mask behind the softmax
import torch
from torch import nn

torch.manual_seed(0)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 4)
        self.register_buffer("mask", torch.tensor([1.0, 1.0, 0.0, 0.0]))

    def forward(self, x):
        weights = torch.softmax(self.score(x), dim=-1) * self.mask
        return (weights * x).sum(1) / weights.sum(1)


def evaluate(net):
    torch.manual_seed(5)
    x = torch.randn(32, 4)
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), x[:, 0]).item()


net, draws = Gate(), torch.Generator().manual_seed(1)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(32, 4, generator=draws)
    loss = nn.functional.mse_loss(net(x), x[:, 0])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(evaluate(net))

# %% A weight for each sample, bytes that stay in their range, and a loop over the rows of a table
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
y = torch.arange(96) // 40
images = torch.full((96, 3), 128, dtype=torch.uint8)
for image, label in zip(images, y):
    image[label] += 40
counts = torch.bincount(y)
weights = (1.0 / counts.float())[y]
x = (images - 100).float() / 64
loader = DataLoader(
    TensorDataset(x, y),
    batch_size=16,
    sampler=WeightedRandomSampler(weights, num_samples=96, replacement=True),
)
net = nn.Linear(3, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for epoch in range(2):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
