# %% scaler-without-loss: scaler without scale
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
    loss.backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(20):
    l = train_step(x, y)
print(l)


# %% scaler-without-update: scaler no update
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
        return loss.item()


amp = Amp(nn.Linear(4, 1))
x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(10):
    l = amp.step(x, y)
print(l)


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
