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

# %% schedule-per-batch: cosine per batch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 6
X = torch.randn(96, 5)
Y = (X[:, 0] > 0).long()
loader = DataLoader(TensorDataset(X, Y), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)


def train_one_epoch():
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item()
    return total / len(loader)


for epoch in range(EPOCHS):
    print(epoch, train_one_epoch())

# %% schedule-of-old-optimizer: scheduler old optimizer
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(64, 3)
y = x.prod(1, keepdim=True)
for epoch in range(15):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item(), opt.param_groups[0]["lr"])

# %% rate-squared: lambda returns lr
import torch
from torch import nn

torch.manual_seed(0)
LR = 1e-3
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(model.parameters(), lr=LR)


def schedule(step, warmup=5, total=40):
    if step < warmup:
        return LR * (step + 1) / warmup
    return LR * (total - step) / (total - warmup)


sched = torch.optim.lr_scheduler.LambdaLR(opt, schedule)
x = torch.randn(64, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
for step in range(40):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item())

# %% update-of-local-name: handmade sgd rebind
import torch
from torch import nn

torch.manual_seed(0)


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        for p in self.params:
            p = p - self.lr * p.grad

    def zero(self):
        for p in self.params:
            p.grad = None


net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = SGD(net.parameters(), 0.1)
x = torch.randn(50, 2)
y = x.sum(1, keepdim=True)
for i in range(20):
    opt.zero()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
print(loss.item())

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

# %% schedule-per-batch: a schedule at the end of the loop of batches, before more code
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 3)
y = x @ torch.tensor([[1.0], [2.0], [-1.0]])
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.1)


def run(epochs=10):
    for epoch in range(epochs):
        for i in range(0, 80, 8):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x[i : i + 8]), y[i : i + 8])
            loss.backward()
            opt.step()
            scheduler.step()
    return loss.item()


print(run())
# goal: 0.0005 < opt.param_groups[0]["lr"] < 0.005


# %% step-too-large: two trainings in turn, by one function
def train(model, x, y):
    optimizer = torch.optim.Adam(model.parameters(), lr=10.0)
    for _ in range(60):
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


x = torch.linspace(-1, 1, 32)[:, None]
deep = torch.nn.Sequential(
    torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)
)
train(deep, x, x**2)
train(torch.nn.Linear(1, 1), x, x**2)

# %% step-too-large: the rate of a generator
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=2.0)
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
for step in range(10):
    real, fake = torch.randn(32, 2) + 3, G(torch.randn(32, 4))
    d_loss = bce(D(real), torch.ones(32, 1)) + bce(D(fake.detach()), torch.zeros(32, 1))
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    g_loss = bce(D(fake), torch.ones(32, 1))
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()

# %% step-too-large: a first step that the loss outgrows later
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(60, 8)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=10.0)
for step in range(24):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% step-forgotten: another function has an optimizer of the same name
import torch
from torch import nn

torch.manual_seed(0)


def pretrain(net, x):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(6):
        optimizer.zero_grad()
        (net(x) - x).pow(2).mean().backward()
        optimizer.step()


def finetune(net, head, x, y):
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    for step in range(6):
        optimizer.zero_grad()
        features = net(x).detach()
        nn.functional.mse_loss(head(features), y).backward()
    net.eval()
    return head(net(x))


net, head = nn.Linear(4, 4), nn.Linear(4, 1)
x = torch.randn(32, 4)
pretrain(net, x)
finetune(net, head, x, x.sum(1, keepdim=True))

# %% step-forgotten: a schedule steps, the optimizer does not
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warm = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
x = torch.randn(16, 3)
for epoch in range(6):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)).backward()
    warm.step()

# %% frozen-when-made: unfrozen after a first training
import torch
from torch import nn

torch.manual_seed(0)


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


def run(net, optimizer, x, y, epochs):
    for _ in range(epochs):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


x = torch.randn(32, 3)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
before = net[0].weight.detach().clone()
set_trainable(net[0], False)
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-2)
run(net, optimizer, x, x[:, :1], 4)
set_trainable(net[0], True)
run(net, optimizer, x, x[:, :1], 6)
# goal: not torch.equal(before, net[0].weight)
