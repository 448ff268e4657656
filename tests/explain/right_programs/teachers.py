# %% Ema teacher, as it should be
import copy
import torch
from torch import nn

torch.manual_seed(0)


class MeanTeacher:
    def __init__(self, student, decay=0.9):
        self.teacher = copy.deepcopy(student)
        self.decay = decay

    def update(self, student):
        for t, s in zip(self.teacher.parameters(), student.parameters()):
            t.data.mul_(self.decay).add_(s.data, alpha=1 - self.decay)


student = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
mt = MeanTeacher(student)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for i in range(15):
    x = torch.randn(16, 4)
    with torch.no_grad():
        target = mt.teacher(x).softmax(-1)
    loss = nn.functional.cross_entropy(student(x + 0.1 * torch.randn_like(x)), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    mt.update(student)
print(next(mt.teacher.parameters()).sum().item())

# %% Weights made each, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def make_model():
    return nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))


def fit(x, y, epochs=20):
    model = make_model()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for e in range(epochs):
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


x = torch.randn(64, 3)
print(fit(x, x.prod(1, keepdim=True)))

# %% Triplet sign, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)


def contrastive(a, p, n, margin=1.0):
    d_pos = (a - p).pow(2).sum(1)
    d_neg = (a - n).pow(2).sum(1)
    return torch.relu(d_pos - d_neg + margin).mean()


base = torch.randn(10, 6)
for i in range(40):
    c = torch.randint(0, 10, (32,))
    k = (c + torch.randint(1, 10, (32,))) % 10
    a, p, n = (base[j] + 0.1 * torch.randn(32, 6) for j in (c, c, k))
    loss = contrastive(net(a), net(p), net(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Distill softmax dim, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher, student = nn.Linear(6, 4), nn.Linear(6, 4)
opt = torch.optim.Adam(student.parameters(), lr=1e-2)
T = 2.0
for i in range(25):
    x = torch.randn(32, 6)
    with torch.no_grad():
        t = F.softmax(teacher(x) / T, dim=1)
    s = F.log_softmax(student(x) / T, dim=1)
    loss = F.kl_div(s, t, reduction="batchmean") * T * T
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Saved state not loaded, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x).relu())


wrapped = nn.Sequential()
wrapped.module = Model()
state = wrapped.state_dict()
model = Model()
model.load_state_dict({k.removeprefix("module."): v for k, v in state.items()})
print(sum(p.sum() for p in model.parameters()).item())

# %% Kd teacher trained, as it should be
import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Linear(5, 3)
student = nn.Linear(5, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for i in range(10):
    x = torch.randn(32, 5)
    loss = nn.functional.mse_loss(student(x), teacher(x).detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R simclr ema, as it should be
import copy
import torch
from torch import nn

torch.manual_seed(0)
enc = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
ema = copy.deepcopy(enc).requires_grad_(False)
opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
for i in range(12):
    x = torch.randn(16, 6)
    q = nn.functional.normalize(enc(x + 0.1 * torch.randn_like(x)), dim=1)
    with torch.no_grad():
        k = nn.functional.normalize(ema(x), dim=1)
    logits = q @ k.t() / 0.2
    loss = nn.functional.cross_entropy(logits, torch.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), enc.parameters()):
            e.lerp_(p, 0.01)
print(loss.item())

# %% Kl probs distill class, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Distill(nn.Module):
    def __init__(self, T=2.0):
        super().__init__()
        self.T = T

    def forward(self, student, teacher):
        s = F.log_softmax(student / self.T, dim=1)
        t = F.softmax(teacher / self.T, dim=1)
        return F.kl_div(s, t, reduction="batchmean") * self.T**2


teacher, student = nn.Linear(6, 4), nn.Linear(6, 4)
criterion = Distill()
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(32, 6)
for i in range(15):
    with torch.no_grad():
        t = teacher(x)
    loss = criterion(student(x), t)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Best state reference, as it should be
import copy
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.3)
x = torch.randn(32, 3)
y = x.sum(1, keepdim=True) + torch.randn(32, 1)
xv = torch.randn(32, 3)
yv = xv.sum(1, keepdim=True) + torch.randn(32, 1)
best, best_state = float("inf"), None
for epoch in range(40):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        v = nn.functional.mse_loss(net(xv), yv).item()
    if v < best:
        best, best_state = v, copy.deepcopy(net.state_dict())
net.load_state_dict(best_state)
with torch.no_grad():
    print(best, nn.functional.mse_loss(net(xv), yv).item())

# %% Ema leaf inplace, as it should be
import copy
import torch
from torch import nn

torch.manual_seed(0)


class EMA:
    def __init__(self, model, decay=0.9):
        self.shadow = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_((1 - self.decay) * p)


net = nn.Linear(3, 1)
ema = EMA(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 3)
y = x[:, :1]
for i in range(5):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
print(ema.shadow.weight)

# %% A student of soft and hard labels
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def mlp(width):
    return nn.Sequential(nn.Linear(5, width), nn.ReLU(), nn.Linear(width, 3))


class Distiller(nn.Module):
    def __init__(self, teacher, student, heat=2.0, share=0.7):
        super().__init__()
        self.teacher, self.student = teacher.eval(), student
        self.heat, self.share = heat, share
        self.teacher.requires_grad_(False)

    def forward(self, x, y):
        scores = self.student(x)
        soft = F.softmax(self.teacher(x) / self.heat, dim=1)
        kd = F.kl_div(F.log_softmax(scores / self.heat, dim=1), soft, reduction="batchmean") * self.heat**2
        return self.share * kd + (1 - self.share) * F.cross_entropy(scores, y)


# %%
x = torch.randn(60, 5)
y = x[:, :3].argmax(1)
teacher = mlp(32)
opt = torch.optim.Adam(teacher.parameters(), lr=1e-2)
for _ in range(20):
    opt.zero_grad()
    F.cross_entropy(teacher(x), y).backward()
    opt.step()
# %%
model = Distiller(teacher, mlp(8))
opt = torch.optim.Adam(model.student.parameters(), lr=1e-2)
for _ in range(20):
    loss = model(x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A mean teacher that follows the student by buffers and weights
import copy

import torch
from torch import nn

torch.manual_seed(0)


class Average:
    def __init__(self, model, decay=0.9):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.model.parameters():
            p.requires_grad = False

    @torch.no_grad()
    def update(self, model):
        for mine, other in zip(self.model.state_dict().values(), model.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.mul_(self.decay).add_(other, alpha=1 - self.decay)
            else:
                mine.copy_(other)


# %%
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
teacher = Average(net)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for it in range(15):
    x = torch.randn(24, 4)
    y = (x.sum(1) > 0).long()
    scores = net(x + 0.05 * torch.randn_like(x))
    with torch.no_grad():
        wanted = teacher.model(x).softmax(1)
    loss = nn.functional.cross_entropy(scores, y) + nn.functional.mse_loss(scores.softmax(1), wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    teacher.update(net)
print(loss.item())

# %% Pairs that are drawn together, and others pushed apart
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Tower(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, 8))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class Clip(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = Tower(6), Tower(4)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, image, text):
        return self.scale.exp() * self.image(image) @ self.text(text).t()


def symmetric(scores):
    labels = torch.arange(len(scores))
    return (F.cross_entropy(scores, labels) + F.cross_entropy(scores.t(), labels)) / 2


# %%
model = Clip()
opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
for it in range(25):
    hidden = torch.randn(20, 4)
    image, text = torch.cat([hidden, hidden[:, :2]], 1), hidden + 0.1 * torch.randn_like(hidden)
    scores = model(image, text)
    loss = symmetric(scores)
    opt.zero_grad()
    loss.backward()
    opt.step()
hits = (scores.argmax(dim=0) == torch.arange(20)).float().mean()
print(hits.item())

# %% Triplets mined in the batch
import torch
from torch import nn

torch.manual_seed(0)


def hardest(emb, labels, margin=0.5):
    dist = torch.cdist(emb, emb)
    same = labels[:, None] == labels[None, :]
    positive = (dist * same).max(dim=1).values
    negative = dist.masked_fill(same, float("inf")).min(dim=1).values
    return torch.relu(positive - negative + margin).mean()


# %%
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(15):
    labels = torch.arange(4).repeat_interleave(4)
    x = torch.randn(16, 5) * 0.3 + labels[:, None]
    loss = hardest(net(x), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
