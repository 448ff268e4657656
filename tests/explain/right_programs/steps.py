# %% Accum inverted, as it should be
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X = torch.randn(128, 5)
Y = (X[:, 0] > 0).long()
loader = DataLoader(TensorDataset(X, Y), batch_size=8)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
accum = 4
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        loss = crit(model(x), y) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
print(loss.item())

# %% Epoch loss backward, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.LSTM(3, 6, batch_first=True)
head = nn.Linear(6, 1)
params = list(model.parameters()) + list(head.parameters())
optimizer = torch.optim.RMSprop(params, lr=1e-3)
series = torch.randn(6, 10, 3)


def epoch():
    total = 0
    for s in series:
        optimizer.zero_grad()
        out, _ = model(s.unsqueeze(0))
        loss = (head(out[:, -1]) - s.sum()).pow(2).mean()
        loss.backward()
        total += loss.item()
        optimizer.step()
    return total


for _ in range(2):
    t = epoch()
print(float(t))

# %% Plateau epoch, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.1)
x = torch.randn(160, 6)
y = x.sum(1, keepdim=True)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16)


def train_epoch():
    total = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


for epoch in range(6):
    l = train_epoch()
    sched.step()
print(l)

# %% Scaler no unscale, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")


def step(x, y):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x).float(), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


for i in range(8):
    x = torch.randn(32, 8)
    l = step(x, x.mean(1, keepdim=True))
print(l)

# %% Lbfgs closure, as it should be
import torch

torch.manual_seed(0)


def rosen(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


p = torch.tensor([-1.0, 1.5], requires_grad=True)
opt = torch.optim.LBFGS([p], lr=0.5, max_iter=10)


def closure():
    opt.zero_grad()
    loss = rosen(p)
    loss.backward()
    return loss


for i in range(5):
    opt.step(closure)
print(p.detach())

# %% Retain double step, as it should be
import torch
from torch import nn

torch.manual_seed(0)
shared = nn.Linear(5, 8)
head_a = nn.Linear(8, 1)
head_b = nn.Linear(8, 1)
params = [*shared.parameters(), *head_a.parameters(), *head_b.parameters()]
opt = torch.optim.SGD(params, lr=0.1)
x = torch.randn(32, 5)
ya = x[:, :1]
yb = x[:, 1:2]
for i in range(5):
    opt.zero_grad()
    h = torch.relu(shared(x))
    la = nn.functional.mse_loss(head_a(h), ya)
    lb = nn.functional.mse_loss(head_b(h), yb)
    (la + lb).backward()
    opt.step()
print(la.item(), lb.item())

# %% Step of loss, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 3)
y = x.sum(1, keepdim=True)
for i in range(5):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Onecycle too many, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
epochs, batches = 3, 5
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=epochs * batches)
for e in range(epochs):
    for b in range(batches):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
print(loss.item())

# %% Manual sgd rebind, as it should be
import torch

torch.manual_seed(0)


def init():
    return {"w1": torch.randn(3, 8, requires_grad=True), "w2": torch.randn(8, 1, requires_grad=True)}


def forward(p, x):
    return torch.relu(x @ p["w1"]) @ p["w2"]


params = init()
x = torch.randn(32, 3)
y = x.sum(1, keepdim=True)
for step in range(10):
    loss = (forward(params, x) - y).pow(2).mean()
    loss.backward()
    params = {k: (v - 0.01 * v.grad).detach().requires_grad_() for k, v in params.items()}
print(loss.item())

# %% Val grad leak, as it should be
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
    history.append(val.item())
print(history[-1])

# %% Warm restart optimizer state, as it should be
import torch, io
from torch import nn

torch.manual_seed(0)


def make():
    return nn.Linear(4, 1)


model = make()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)


def step():
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for _ in range(5):
    step()
buf = io.BytesIO()
torch.save(model.state_dict(), buf)
buf.seek(0)
model = make()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
model.load_state_dict(torch.load(buf))
for _ in range(5):
    last = step()
print(last)

# %% R accum amp, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")
data = [(torch.randn(8, 8), torch.randint(0, 3, (8,))) for _ in range(12)]
for epoch in range(2):
    for i, (x, y) in enumerate(data):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y) / 4
        scaler.scale(loss).backward()
        if (i + 1) % 4 == 0:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
print(loss.item())

# %% Trainer reset model, as it should be
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
        for _ in range(epochs):
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
print(Trainer(16).fit(x, y, 20))

# %% Cosine per batch, as it should be
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
        total += loss.item()
    return total / len(loader)


for epoch in range(EPOCHS):
    print(epoch, train_one_epoch())
    scheduler.step()

# %% Scaler without scale, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")


def train_step(x, y):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(20):
    l = train_step(x, y)
print(l)

# %% Scaler no update, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Amp:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05)
        self.scaler = torch.amp.GradScaler("cpu")

    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.item()


amp = Amp(nn.Linear(4, 1))
x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(10):
    l = amp.step(x, y)
print(l)

# %% Step outside loader, as it should be
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
        opt.step()
        running += loss.item()
    return running / len(loader)


for epoch in range(8):
    print(epoch, train_epoch(model, loader, opt))

# %% Scheduler old optimizer, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.1)
x = torch.randn(64, 3)
y = x.prod(1, keepdim=True)
for epoch in range(15):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item(), opt.param_groups[0]["lr"])

# %% Lambda returns lr, as it should be
import torch
from torch import nn

torch.manual_seed(0)
LR = 1e-2
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(model.parameters(), lr=LR)


def schedule(step, warmup=5, total=40):
    if step < warmup:
        return (step + 1) / warmup
    return (total - step) / (total - warmup)


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

# %% Handmade sgd rebind, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        for p in self.params:
            with torch.no_grad():
                p -= self.lr * p.grad

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

# %% Clip wrong model, as it should be
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
    nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
    opt_a.step()
    return loss_a.item(), loss_c.item()


for i in range(10):
    out = update(torch.randn(64, 3))
print(out)

# %% Backward twice typo, as it should be
import torch
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
opt_1 = torch.optim.SGD(a.parameters(), lr=0.1)
opt_2 = torch.optim.SGD(b.parameters(), lr=0.1)
x = torch.randn(10, 4)
for i in range(3):
    loss_1 = torch.tanh(a(x)).pow(2).mean()
    loss_2 = torch.tanh(b(x)).pow(2).mean()
    opt_1.zero_grad()
    loss_1.backward()
    opt_1.step()
    opt_2.zero_grad()
    loss_2.backward()
    opt_2.step()
print(loss_1.item(), loss_2.item())

# %% Mixed precision with clipping and a schedule for each batch
import torch
from torch import nn

torch.manual_seed(0)


class Mixed:
    def __init__(self, model, steps):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=0.1, total_steps=steps)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=128.0)

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.model(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.sched.step()
        return loss.item(), norm.item()


# %%
x = torch.randn(48, 4)
y = x @ torch.tensor([[1.0], [2.0], [-1.0], [0.5]])
amp = Mixed(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), steps=18)
for epoch in range(6):
    for i in range(0, 48, 16):
        last = amp.step(x[i : i + 16], y[i : i + 16])
print(last)

# %% A warm-up by LambdaLR, then a step per epoch
import math

import torch
from torch import nn

torch.manual_seed(0)
LR, WARM, STEPS = 0.05, 5, 30


def factor(step):
    if step < WARM:
        return (step + 1) / WARM
    return 0.5 * (1 + math.cos(math.pi * (step - WARM) / (STEPS - WARM)))


net = nn.Linear(3, 1)
opt = torch.optim.AdamW(net.parameters(), lr=LR)
sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
# %%
rates = []
for step in range(STEPS):
    x = torch.randn(16, 3)
    loss = nn.functional.l1_loss(net(x), x[:, :1])
    opt.zero_grad()
    loss.backward()
    opt.step()
    rates.append(sched.get_last_lr()[0])
    sched.step()
print(max(rates) <= LR)

# %% StepLR counted in batches, on purpose
import torch
from torch import nn

torch.manual_seed(0)


def train(net, batches, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    decay = torch.optim.lr_scheduler.StepLR(opt, step_size=4 * len(batches), gamma=0.5)
    for epoch in range(epochs):
        for x, y in batches:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            decay.step()
    return loss.item(), decay.get_last_lr()


# %%
x = torch.randn(40, 2)
batches = [(x[i : i + 10], x[i : i + 10].sum(1, keepdim=True)) for i in range(0, 40, 10)]
print(train(nn.Linear(2, 1), batches, 8))

# %% A plateau schedule on a validation loss, with early stopping
import copy

import torch
from torch import nn

torch.manual_seed(0)


class EarlyStopping:
    def __init__(self, patience=3):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def __call__(self, value, model):
        if value < self.best:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


# %%
x, w = torch.randn(60, 3), torch.tensor([[1.0], [0.0], [-1.0]])
y = x @ w + 0.1 * torch.randn(60, 1)
model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters(), lr=5e-2)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)
stop = EarlyStopping()
for epoch in range(15):
    model.train()
    for i in range(0, 40, 20):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x[i : i + 20]), y[i : i + 20])
        loss.backward()
        opt.step()
    value = evaluate(model, x[40:], y[40:])
    plateau.step(value)
    if stop(value, model):
        break
model.load_state_dict(stop.state)
print(stop.best)

# %% An average of weights over the last epochs, with its own batch norm
import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
swa = AveragedModel(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
swa_rate = SWALR(opt, swa_lr=0.02)


def epoch():
    net.train()
    for a, b in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        opt.step()


# %%
for e in range(8):
    epoch()
    if e >= 4:
        swa.update_parameters(net)
        swa_rate.step()
update_bn(loader, swa)
swa.eval()
with torch.no_grad():
    print((swa(x).argmax(1) == y).float().mean().item())

# %% L-BFGS in a function that keeps its own losses
import torch
from torch import nn

torch.manual_seed(0)


def fit(model, x, y, rounds=6):
    opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5, line_search_fn="strong_wolfe")
    seen = []

    def closure():
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        seen.append(loss.item())
        return loss

    for _ in range(rounds):
        opt.step(closure)
    return seen


# %%
x = torch.linspace(-1, 1, 30)[:, None]
print(fit(nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)), x, x.sin())[-1])
