# %% Micro-batches that add up on purpose
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for epoch in range(3):
    opt.zero_grad()
    for part, target in zip(x.split(2), y.split(2)):
        loss = torch.nn.functional.mse_loss(net(part), target) / 4
        loss.backward()
    opt.step()


# %% A step after every second micro-batch
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(12, 3), torch.randn(12, 1)
for i, (part, target) in enumerate(zip(x.split(2), y.split(2))):
    loss = ((net(part) - target) ** 2).mean() / 2
    loss.backward()
    if (i + 1) % 2 == 0:
        opt.step()
        opt.zero_grad()


# %% A step only once enough micro-batches have come
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
steps_per_update = 4
opt.zero_grad()
for i in range(4):
    loss = net(torch.randn(2, 3)).pow(2).mean() / steps_per_update
    loss.backward()
    if (i + 1) % steps_per_update == 0:
        opt.step()
        opt.zero_grad()


# %% Gradients that accumulate in one cell and are used in the next
net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(8, 3), torch.randn(8, 1)
# %%
opt.zero_grad()
for part, target in zip(x.split(4), y.split(4)):
    (torch.nn.functional.mse_loss(net(part), target) / 2).backward()
# %%
opt.step()


# %% Two losses with retain_graph
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 3)
for i in range(2):
    opt.zero_grad()
    out = net(x).tanh()
    fit = out[:, 0].pow(2).mean()
    smooth = out[:, 1].abs().mean()
    fit.backward(retain_graph=True)
    smooth.backward()
    opt.step()


# %% Two losses that are added before backward
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 3)
for i in range(3):
    opt.zero_grad(set_to_none=True)
    out = net(x)
    total = out[:, 0].pow(2).mean() + 0.1 * net.weight.abs().sum()
    total.backward()
    opt.step()


# %% Two tasks with a body in common
body, left, right = torch.nn.Linear(3, 4), torch.nn.Linear(4, 1), torch.nn.Linear(4, 2)
params = [*body.parameters(), *left.parameters(), *right.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
x, y, c = torch.randn(6, 3), torch.randn(6, 1), torch.randint(0, 2, (6,))
for i in range(3):
    opt.zero_grad()
    h = torch.relu(body(x))
    loss = torch.nn.functional.mse_loss(left(h), y) + 0.5 * torch.nn.functional.cross_entropy(right(h), c)
    loss.backward()
    opt.step()


# %% Tasks that take turns
body, heads = torch.nn.Linear(3, 4), torch.nn.ModuleList([torch.nn.Linear(4, 1), torch.nn.Linear(4, 1)])
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.1)
x, y = torch.randn(6, 3), torch.randn(6, 1)
for i in range(4):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(heads[i % 2](torch.tanh(body(x))), y)
    loss.backward()
    opt.step()


# %% Parameters that are changed by hand
w = torch.zeros(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x, y = torch.randn(10, 3), torch.randn(10)
for i in range(5):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad = None
    b.grad = None


# %% Parameters that are changed by hand and cleared with zero_
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(10, 3), torch.randn(10)
for i in range(3):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w.sub_(0.1 * w.grad)
        w.grad.zero_()


# %% Gradients without any .grad
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(10, 3), torch.randn(10)
for i in range(3):
    loss = ((x @ w - y) ** 2).mean()
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.1 * g


# %% Gradients of each example, read one by one
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(4, 3)
norms = []
for example in x:
    net.zero_grad()
    net(example).sum().backward()
    norms.append(net.weight.grad.norm().item())


# %% Fisher information of trained weights
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
fisher = {n: torch.zeros_like(p) for n, p in net.named_parameters()}
for one, label in zip(x, y):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(one[None]), label[None]).backward()
    for n, p in net.named_parameters():
        fisher[n] += p.grad**2 / len(x)


# %% A gradient that is looked at and thrown away
w = torch.tensor(2.0, requires_grad=True)
(w**3).backward()
first = w.grad.item()
w.grad = None
(w**2).backward()
second = w.grad.item()

# %% Micro-batches in a trainer, with the rest of an epoch as a step too
import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, model, every):
        self.model, self.every = model, every
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
        self.waiting = 0

    def micro(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        (loss / self.every).backward()
        self.waiting += 1
        if self.waiting == self.every:
            self.flush()
        return loss.detach()

    def flush(self):
        if self.waiting:
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            self.waiting = 0


# %%
trainer = Trainer(nn.Linear(4, 1), every=3)
for epoch in range(3):
    total = torch.zeros(())
    for i in range(7):
        x = torch.randn(8, 4)
        total += trainer.micro(x, x.sum(1, keepdim=True))
    trainer.flush()
print((total / 7).item())

# %% Two tasks whose gradients are added before one step
import torch
from torch import nn

torch.manual_seed(0)
shared = nn.Linear(6, 12)
heads = nn.ModuleDict({"sign": nn.Linear(12, 2), "sum": nn.Linear(12, 1)})
opt = torch.optim.Adam([*shared.parameters(), *heads.parameters()], lr=1e-2)


def losses(x):
    h = torch.relu(shared(x))
    yield nn.functional.cross_entropy(heads["sign"](h), (x[:, 0] > 0).long())
    yield nn.functional.mse_loss(heads["sum"](h).squeeze(-1), x.sum(1))


# %%
for it in range(20):
    opt.zero_grad()
    for loss in losses(torch.randn(16, 6)):
        loss.backward(retain_graph=True)
    opt.step()
print(loss.item())

# %% Gradients of several workers, averaged by hand
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def grads_of(x, y):
    loss = nn.functional.mse_loss(net(x), y)
    return torch.autograd.grad(loss, list(net.parameters()))


# %%
for step in range(6):
    parts = []
    for worker in range(3):
        x = torch.randn(8, 3)
        parts.append(grads_of(x, x[:, :1]))
    for p, *found in zip(net.parameters(), *parts):
        p.grad = torch.stack(found).mean(0)
    opt.step()
print(net.weight)
