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


# %% left-out-of-optimizer: copy paste optimizer
import torch
from torch import nn

torch.manual_seed(0)


class GAN:
    def __init__(self, z=4):
        self.z = z
        self.G = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 2))
        self.D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_D = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.opt_G = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real):
        n = len(real)
        fake = self.G(torch.randn(n, self.z))
        self.opt_D.zero_grad()
        d = self.bce(self.D(real), torch.ones(n, 1)) + self.bce(self.D(fake.detach()), torch.zeros(n, 1))
        d.backward()
        self.opt_D.step()
        self.opt_G.zero_grad()
        g = self.bce(self.D(fake), torch.ones(n, 1))
        g.backward()
        self.opt_G.step()
        return d.item(), g.item()


gan = GAN()
for i in range(10):
    out = gan.step(torch.randn(16, 2) + 3)
print(out)


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


# %% step-forgotten: one of two optimizers of one name, in functions that are over, never steps
def critic_step(make, judge, optimizer):
    true, made = torch.randn(8, 2), make(torch.randn(8, 3)).detach()
    loss = judge(made).mean() - judge(true).mean()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def maker_step(make, judge, optimizer):
    loss = -judge(make(torch.randn(8, 3))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    make, judge = (
        torch.nn.Linear(3, 2),
        torch.nn.Sequential(torch.nn.Linear(2, 40), torch.nn.Tanh(), torch.nn.Linear(40, 1)),
    )
    for_make = torch.optim.SGD(make.parameters(), lr=0.01)
    for_judge = torch.optim.SGD(judge.parameters(), lr=0.01)
    for _ in range(400):
        critic_step(make, judge, for_judge)
        maker_step(make, judge, for_make)


main()


# %% optimizer-too-old: the head is replaced after a first training
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 5))


def fit(optimizer, classes, rounds):
    x, y = torch.randn(32, 4), torch.randint(0, classes, (32,))
    for i in range(rounds):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


fit(torch.optim.Adam(model.parameters(), lr=0.01), 5, 60)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
model[2] = nn.Linear(8, 3)
fit(optimizer, 3, 60)


# %% optimizer-too-old: a new head on a frozen body, in helpers
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.body(x))


def make_optimizer(model):
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def adapt(model, classes):
    model.head = nn.Linear(16, classes)


def main():
    model = Net(10)
    model.body.requires_grad_(False)
    optimizer = make_optimizer(model)
    adapt(model, 2)
    first = model.head.weight.clone()
    x = torch.randn(48, 4)
    y = (x[:, 0] > 0).long()
    for epoch in range(10):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return not torch.equal(model.head.weight, first)


torch.manual_seed(0)
learned = main()
# goal: learned


# %% step-in-vain: a warm-up in whole numbers
import torch
from torch import nn


def warmup(optimizer, steps):
    def factor(step):
        return min(1.0, (step + 1) // steps)

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
schedule = warmup(opt, 50)
first = net[0].weight.clone()
x = torch.randn(24, 3)
for i in range(8):
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()
# goal: not torch.equal(net[0].weight, first)


# %% schedule-per-epoch: one cycle that steps after the loop of batches
import torch
from torch import nn

torch.manual_seed(0)


def fit(net, batches, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.2, total_steps=epochs * len(batches))
    for epoch in range(epochs):
        for batch in batches:
            opt.zero_grad()
            nn.functional.mse_loss(net(batch), batch[:, :1]).backward()
            opt.step()
        schedule.step()
    return opt


opt = fit(nn.Linear(4, 1), torch.randn(80, 4).split(10), 4)
# goal: opt.param_groups[0]["lr"] < 0.001


# %% plateau-turned: a schedule that waits for an accuracy to fall
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
for epoch in range(8):
    opt.zero_grad()
    scores = net(x)
    nn.functional.cross_entropy(scores, y).backward()
    opt.step()
    val_acc = (scores.argmax(1) == y).float().mean().item() + 0.01 * epoch
    schedule.step(val_acc)
# goal: opt.param_groups[0]["lr"] == 0.5
