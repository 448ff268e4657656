# %% argmax-over-batch: the metric of a helper
import torch
from torch import nn

torch.manual_seed(0)


def accuracy(logits, labels):
    pred = torch.argmax(logits, dim=0)
    return (pred[: len(labels)] == labels[: len(pred)]).float().mean().item()


def step(model, opt, x, y):
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item(), accuracy(logits.detach(), y)


X = torch.randn(90, 4)
Y = X[:, :3].argmax(1)
model = nn.Linear(4, 3)
opt = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(30):
    loss, acc = step(model, opt, X, Y)
print(loss, acc)
# goal: acc > 0.8

# %% rows-apart: two permutations in a helper
import torch
from torch import nn

torch.manual_seed(0)


def shuffle(x, y):
    return x[torch.randperm(len(x))], y[torch.randperm(len(y))]


X = torch.randn(200, 5)
Y = (X[:, 0] + X[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(40):
    xb, yb = shuffle(X, Y)
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(xb), yb)
    loss.backward()
    opt.step()
print(loss.item())
# goal: loss.item() < 0.5

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

# %% scaler-without-step: the optimizer steps by itself
import torch
from torch import nn

torch.manual_seed(0)


class Engine:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=512.0)

    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pred = self.model(x)
        loss = nn.functional.mse_loss(pred.float(), y)
        self.scaler.scale(loss).backward()
        self.opt.step()
        self.scaler.update()
        return loss.item()


e = Engine(nn.Linear(4, 1))
X = torch.randn(32, 4)
Y = X.sum(1, keepdim=True)
for _ in range(8):
    loss = e.step(X, Y)
print(loss)
# goal: loss < 10

# %% attribute-misspelt: a module is an argument
import torch
from torch import nn

torch.manual_seed(0)


def build():
    features = nn.Sequential(nn.Linear(5, 12), nn.ReLU())
    head = nn.Linear(12, 2)
    return nn.Sequential(features, head)


def freeze(module):
    module.requires_grad = False


net = build()
freeze(net[0])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(30, 5)
y = torch.randint(0, 2, (30,))
w = net[0][0].weight.detach().clone()
for i in range(5):
    opt.zero_grad()
    nn.functional.cross_entropy(net(X), y).backward()
    opt.step()
# goal: torch.equal(w, net[0][0].weight)

# %% schedule-per-batch: a step in a method
import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, model, epochs):
        self.model, self.epochs = model, epochs
        self.opt = torch.optim.SGD(model.parameters(), lr=0.2)
        self.sched = torch.optim.lr_scheduler.MultiStepLR(
            self.opt, milestones=[epochs // 2, 3 * epochs // 4], gamma=0.1
        )

    def step(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    def fit(self, batches):
        for epoch in range(self.epochs):
            mean = sum(self.step(x, y) for x, y in batches) / len(batches)
        return mean


X = torch.randn(128, 4)
Y = X @ torch.tensor([[1.0], [-2.0], [0.5], [3.0]])
batches = [(X[i : i + 16], Y[i : i + 16]) for i in range(0, 128, 16)]
t = Trainer(nn.Linear(4, 1), epochs=8)
print(t.fit(batches))
# goal: t.fit(batches) < 1e-3

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

# %% sum-keeps-graphs: a meter
import torch
from torch import nn

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, value):
        self.total += value
        self.n += 1

    def mean(self):
        return self.total / self.n


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
meter = Meter()
X = torch.randn(80, 4)
Y = X.sum(1, keepdim=True)
for i in range(0, 80, 8):
    loss = nn.functional.mse_loss(net(X[i : i + 8]), Y[i : i + 8])
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.add(loss)
print(meter.mean())
# goal: not torch.is_tensor(meter.total) or not meter.total.requires_grad

# %% nothing-to-optimize: a generator that was used up
import torch
from torch import nn

torch.manual_seed(0)


def count(params):
    return sum(p.numel() for p in params)


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
params = model.parameters()
print("parameters:", count(params))
opt = torch.optim.Adam(params, lr=1e-3)
X, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
loss = nn.functional.cross_entropy(model(X), y)
opt.zero_grad()
loss.backward()
opt.step()
# goal: len(opt.param_groups[0]["params"]) == 4

# %% root-without-history: losses through a tensor
import torch
from torch import nn

torch.manual_seed(0)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 16)
        self.cls, self.reg = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.cls(h), self.reg(h)


def total(losses, weights):
    return (torch.tensor(losses) * torch.tensor(weights)).sum()


net = TwoHeads()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, c, r = torch.randn(32, 5), torch.randint(0, 3, (32,)), torch.randn(32, 1)
for _ in range(4):
    a, b = net(x)
    losses = [nn.functional.cross_entropy(a, c), nn.functional.mse_loss(b, r)]
    loss = total(losses, [1.0, 0.5])
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: net.body.weight.grad is not None

# %% leaf-inplace: an update in a helper
import torch

torch.manual_seed(0)


def init(n):
    w = torch.randn(n, 1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    return w, b


def update(params, lr):
    for p in params:
        p -= lr * p.grad
        p.grad = None


X = torch.randn(50, 3)
Y = X @ torch.tensor([[1.0], [2.0], [3.0]])
w, b = init(3)
for i in range(10):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    update([w, b], 0.1)
# goal: w.is_leaf and loss.item() < 10

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
