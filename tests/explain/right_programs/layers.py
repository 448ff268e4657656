# %% Resblock inplace, as it should be
import torch
import torch.nn as nn

torch.manual_seed(0)


class Gate(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv1 = nn.Conv2d(ch, ch, 3, padding=1)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1)

    def forward(self, x):
        identity = x
        out = torch.tanh(self.conv1(x))
        out = out + identity
        return torch.sigmoid(self.conv2(out))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, padding=1)
        self.blocks = nn.Sequential(Gate(4), Gate(4))
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(x.mean(dim=(2, 3)))


net = Net()
x, y = torch.randn(4, 1, 6, 6), torch.randint(0, 3, (4,))
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())

# %% Freeze all, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU())
        self.fc = nn.Linear(20, 100)

    def forward(self, x):
        return self.fc(self.features(x))


def finetune(model, x, y):
    for param in model.parameters():
        param.requires_grad = False
    model.fc = nn.Linear(20, 3)
    optimizer = torch.optim.Adam(model.fc.parameters(), lr=1e-2)
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


print(finetune(Backbone(), torch.randn(30, 10), torch.randint(0, 3, (30,))))

# %% Param in list attr, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Poly(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coef = nn.Parameter(torch.randn(degree + 1))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * sum(c * x**i for i, c in enumerate(self.coef))


model = Poly(3)
opt = torch.optim.Adam(model.parameters(), lr=0.05)
x = torch.linspace(-1, 1, 50)
y = 2 * x**3 - x
for i in range(60):
    loss = ((model(x) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% View inplace leaf, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Embed(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(6, 4))
        self.out = nn.Linear(4, 2)

    def forward(self, idx):
        with torch.no_grad():
            self.table[0] = 0
        return self.out(self.table[idx])


m = Embed()
opt = torch.optim.SGD(m.parameters(), lr=0.1)
idx = torch.tensor([1, 2, 0, 5])
y = torch.tensor([0, 1, 1, 0])
for _ in range(3):
    loss = nn.functional.cross_entropy(m(idx), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Conv flatten, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 4 * 4, 10)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = x.view(-1, 16 * 4 * 4)
        return self.fc1(x)


net = CNN()
x, y = torch.randn(4, 3, 28, 28), torch.randint(0, 10, (4,))
loss = nn.CrossEntropyLoss()(net(x), y)
loss.backward()
print(loss.item())

# %% Bn dims, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 16)
        self.bn = nn.BatchNorm1d(16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x).transpose(1, 2)).transpose(1, 2))).mean(1)


net = Net()
x, y = torch.randn(8, 5, 6), torch.randint(0, 2, (8,))
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Params no call, as it should be
import torch
from torch import nn


def build():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


torch.manual_seed(0)
model, opt = build()
loss = model(torch.randn(5, 3)).mean()
loss.backward()
opt.step()
print(loss.item())

# %% Weight vector size, as it should be
import torch
from torch import nn

torch.manual_seed(0)
counts = torch.tensor([50.0, 30.0, 20.0])
criterion = nn.CrossEntropyLoss(weight=1 / counts)
net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(10, 4), torch.randint(0, 3, (10,))
for _ in range(2):
    loss = criterion(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Frozen bn stats, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 8)])
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        for l in self.layers:
            x = torch.tanh(l(x))
        return self.out(x)


def main():
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    x = torch.randn(64, 4)
    y = torch.sin(x.sum(1, keepdim=True))
    for epoch in range(15):
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


main()

# %% Inplace relu saved sigmoid, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class SE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, c), nn.Sigmoid(), nn.ReLU())

    def forward(self, x):
        w = self.fc(x.mean((2, 3)))
        return x * w[:, :, None, None]


net = nn.Sequential(nn.Conv2d(1, 4, 3), SE(4), nn.Flatten(), nn.Linear(4 * 16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(4, 1, 6, 6), torch.tensor([0, 1, 0, 1])
for _ in range(2):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Not leaf device, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Proto(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 3)
        self.proto = nn.Parameter(torch.randn(2, 3) * 0.1)

    def forward(self, x):
        return -torch.cdist(self.enc(x), self.proto)


m = Proto()
opt = torch.optim.Adam(m.parameters(), lr=1e-2)
x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
for i in range(4):
    loss = nn.functional.cross_entropy(m(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% From pretrained frozen, as it should be
import torch
from torch import nn

torch.manual_seed(0)
vectors = torch.randn(30, 8)


class Bag(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(weights.clone(), freeze=False)
        self.fc = nn.Linear(8, 2)

    def forward(self, t):
        return self.fc(self.emb(t).mean(1))


net = Bag(vectors)
opt = torch.optim.Adam(
    [
        {"params": net.emb.parameters(), "lr": 1e-3},
        {"params": net.fc.parameters(), "lr": 1e-2},
    ]
)
t = torch.randint(0, 30, (64, 5))
y = (t[:, 0] > 15).long()
for epoch in range(15):
    loss = nn.functional.cross_entropy(net(t), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), torch.equal(net.emb.weight, vectors))

# %% Requires grad assigned, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)
        self.backbone.requires_grad_(False)

    def forward(self, x):
        return self.head(self.backbone(x))


net = Net()
before = net.backbone[0].weight.clone()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(32, 8)
y = (x[:, 0] > 0).long()
for i in range(10):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), torch.equal(before, net.backbone[0].weight))

# %% Nograd body in forward, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class FineTune(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def features(self, x):
        return self.body(x)

    def forward(self, x):
        return self.head(self.features(x))


model = FineTune()
opt = torch.optim.AdamW(
    [{"params": model.body.parameters(), "lr": 1e-4}, {"params": model.head.parameters(), "lr": 1e-2}]
)
x = torch.randn(48, 6)
y = x[:, :3].argmax(1)
for epoch in range(10):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
print(loss.item())

# %% Bn last batch one, as it should be
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(33, 4), torch.randint(0, 2, (33,)))
loader = DataLoader(data, batch_size=8, drop_last=True)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


def epoch():
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(2):
    print(epoch())

# %% Zero init helper, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
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

# %% Param times, as it should be
import math
import torch
from torch import nn

torch.manual_seed(0)


class LoRA(nn.Module):
    def __init__(self, base, r=2):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) / math.sqrt(r))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.A.T @ self.B.T


layer = LoRA(nn.Linear(6, 4))
opt = torch.optim.Adam([p for p in layer.parameters() if p.requires_grad], lr=1e-2)
x = torch.randn(32, 6)
y = torch.randn(32, 4)
for i in range(10):
    loss = nn.functional.mse_loss(layer(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), [n for n, _ in layer.named_parameters()])

# %% A body that is thawed after the head was trained
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x))

    def freeze(self, frozen=True):
        for p in self.body.parameters():
            p.requires_grad = not frozen
        self.body.train(not frozen)


def run(model, opt, x, y, rounds):
    for _ in range(rounds):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


# %%
x = torch.randn(48, 6)
y = x[:, :3].argmax(1)
model = Model()
model.freeze()
print(run(model, torch.optim.Adam(model.head.parameters(), lr=1e-2), x, y, 8))
# %%
model.freeze(False)
groups = [{"params": model.body.parameters(), "lr": 1e-3}, {"params": model.head.parameters()}]
print(run(model, torch.optim.Adam(groups, lr=1e-2), x, y, 8))

# %% An adapter beside frozen weights
import torch
from torch import nn

torch.manual_seed(0)


class Adapted(nn.Module):
    def __init__(self, linear, rank=2):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, linear.in_features) * 0.1)
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x):
        return self.linear(x) + x @ self.a.t() @ self.b.t()


def adapt(module):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, Adapted(child))
        else:
            adapt(child)
    return module


# %%
net = adapt(nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2)))
learn = [p for p in net.parameters() if p.requires_grad]
opt = torch.optim.Adam(learn, lr=2e-2)
x = torch.randn(40, 4)
y = (x[:, 0] > x[:, 1]).long()
for it in range(20):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A layer that writes in place is called for its effect
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.relu, self.last = nn.Linear(3, 8), nn.ReLU(inplace=True), nn.Linear(8, 1)

    def forward(self, x):
        h = self.first(x)
        self.relu(h)
        return self.last(h)


torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(32, 3)
y = 2 * x[:, :1]
for _ in range(4):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
