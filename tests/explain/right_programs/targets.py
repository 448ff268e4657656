# %% Mse broadcast cls, as it should be
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Houses(Dataset):
    def __init__(self):
        self.x = torch.randn(96, 6)
        self.y = self.x @ torch.tensor([1.0, 2.0, 3.0, 0.0, 0.0, 1.0])

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.layers(x)


def train(model, loader, epochs=5):
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(epochs):
        running = 0.0
        for inputs, targets in loader:
            optimizer.zero_grad()
            outputs = model(inputs).squeeze(1)
            loss = criterion(outputs, targets)
            loss.backward()
            optimizer.step()
            running += loss.item()
    return running / len(loader)


print(train(Regressor(), DataLoader(Houses(), batch_size=16)))

# %% Loss rewrapped, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)

    def loss(self, out, y):
        losses = [((o - t) ** 2).sum() for o, t in zip(out, y)]
        return torch.stack(losses).mean()

    def fit(self, x, y, n):
        for _ in range(n):
            self.optim.zero_grad()
            l = self.loss(self.model(x), y)
            l.backward()
            self.optim.step()
        return l.item()


t = Trainer(nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)), 1e-2)
print(t.fit(torch.randn(10, 3), torch.randn(10, 2), 10))

# %% Bce logits named, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(5, 10)
        self.fc2 = nn.Linear(10, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        return torch.sigmoid(self.fc2(x))


clf = Classifier()
criterion = nn.BCELoss()
opt = torch.optim.Adam(clf.parameters(), lr=0.01)
X = torch.randn(100, 5)
y = (X[:, 0] > 0).float().unsqueeze(1)
for epoch in range(30):
    opt.zero_grad()
    loss = criterion(clf(X), y)
    loss.backward()
    opt.step()
print(loss.item())

# %% Ce one hot long, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def batch():
    x = torch.randn(12, 4, 4)
    y = torch.randint(0, 5, (12,))
    return x, F.one_hot(y, 5).float()


for i in range(5):
    x, y = batch()
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Segmentation channels, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class UNetish(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.down = nn.Conv2d(1, 8, 3, padding=1)
        self.up = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))


model = UNetish(3)
opt = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
img = torch.randn(2, 1, 8, 8)
mask = torch.randint(0, 3, (2, 1, 8, 8))
for i in range(3):
    out = model(img)
    loss = criterion(out, mask.squeeze(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Masked loss bool, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.gru = nn.GRU(8, 8, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        h, _ = self.gru(self.emb(x))
        return self.fc(h)


m = Tagger()
opt = torch.optim.Adam(m.parameters())
x = torch.randint(1, 20, (3, 6))
x[1, 4:] = 0
y = torch.randint(0, 4, (3, 6))
for i in range(3):
    l = nn.functional.cross_entropy(m(x).transpose(1, 2), y, reduction="none")
    loss = (l * (x != 0)).sum() / (x != 0).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Ce labels column, as it should be
import torch
from torch import nn


def load(n=20):
    table = torch.randn(n, 5)
    return table[:, :4], torch.randint(0, 3, (n, 1))


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters())
x, y = load()
for epoch in range(3):
    opt.zero_grad()
    outputs = net(x)
    loss = criterion(outputs, y.squeeze(1))
    loss.backward()
    opt.step()
print(loss.item())

# %% Bce long target, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.Adam(net.parameters())
X = torch.randn(20, 4)
labels = (X[:, 0] > 0).long()
for epoch in range(3):
    opt.zero_grad()
    p = net(X).squeeze()
    loss = nn.functional.binary_cross_entropy(p, labels.float())
    loss.backward()
    opt.step()
print(loss.item())

# %% Multitask overwrite, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.cls = nn.Linear(16, 3)
        self.reg = nn.Linear(16, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.cls(h), self.reg(h)


def compute_loss(outputs, targets):
    logits, value = outputs
    loss = nn.functional.cross_entropy(logits, targets["label"])
    loss = loss + nn.functional.mse_loss(value, targets["value"])
    return loss


model = MultiTask()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(32, 6)
targets = {"label": torch.randint(0, 3, (32,)), "value": x[:, :1]}
for i in range(10):
    opt.zero_grad()
    loss = compute_loss(model(x), targets)
    loss.backward()
    opt.step()
print(loss.item())

# %% Dict losses float, as it should be
import torch
from collections import defaultdict
from torch import nn

torch.manual_seed(0)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 16)
        self.box, self.cls = nn.Linear(16, 4), nn.Linear(16, 3)

    def forward(self, x, targets):
        h = torch.relu(self.body(x))
        return {
            "loss_box": nn.functional.smooth_l1_loss(self.box(h), targets["boxes"]),
            "loss_cls": nn.functional.cross_entropy(self.cls(h), targets["labels"]),
        }


model = Detector()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
log = defaultdict(list)
for i in range(8):
    x = torch.randn(16, 6)
    t = {"boxes": x[:, :4], "labels": torch.randint(0, 3, (16,))}
    losses = model(x, t)
    total = sum(losses.values())
    opt.zero_grad()
    total.backward()
    opt.step()
    log["total"].append(float(total.detach()))
print(log["total"][-1])

# %% Label smoothing target neg, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 5))
crit = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters())
stars = torch.randint(1, 6, (40,))
x = torch.randn(40, 6)
ds = torch.utils.data.TensorDataset(x, stars)
for xb, yb in torch.utils.data.DataLoader(ds, batch_size=8):
    loss = crit(net(xb), yb - 1)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Sum reduction lr, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(256, 10)
y = x[:, :1] * 3
for i in range(10):
    loss = nn.functional.mse_loss(net(x), y, reduction="mean")
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Accuracy argmax0, as it should be
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def accuracy(logits, labels):
    guess = np.argmax(logits.detach().numpy(), axis=1)
    return float(np.mean(guess[: len(labels)] == labels.numpy()[: len(guess)]))


model = nn.Linear(6, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
X = torch.randn(80, 6)
Y = X[:, :4].argmax(1)
for epoch in range(25):
    out = model(X)
    loss = nn.functional.cross_entropy(out, Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 5 == 0:
        print(epoch, loss.item(), accuracy(out, Y))

# %% Bce swapped class, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
        self.criterion = nn.BCELoss()

    def forward(self, x):
        return torch.sigmoid(self.body(x)).squeeze(1)

    def loss(self, x, y):
        return self.criterion(self(x), y)


x = torch.randn(64, 5)
y = (x[:, 0] > 0).float()
model = Model()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(20):
    opt.zero_grad()
    loss = model.loss(x, y)
    loss.backward()
    opt.step()
print(loss.item())

# %% Loader not unpacked, as it should be
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ae = nn.Sequential(nn.Linear(10, 3), nn.Tanh(), nn.Linear(3, 10))
opt = torch.optim.Adam(ae.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(64, 10)), batch_size=16, shuffle=True)


def run_epoch():
    for (batch,) in loader:
        out = ae(batch)
        loss = (out - batch).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(3):
    print(run_epoch())

# %% Ce constructor call, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Learner:
    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x, y):
        out = self.net(x)
        loss = nn.CrossEntropyLoss()(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


l = Learner()
x = torch.randn(16, 4)
y = torch.randint(0, 3, (16,))
for i in range(3):
    print(l.fit(x, y))

# %% None reduction, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def weighted_mse(pred, target, weight):
    return nn.functional.mse_loss(pred, target, reduction="none").mul(weight).mean()


net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.randn(20, 3)
y = x[:, :1]
w = torch.rand(20, 1)
for i in range(5):
    loss = weighted_mse(net(x), y, w)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss)

# %% Accuracy broadcast, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.right, self.seen = 0, 0

    def add(self, out, y):
        guess = torch.sigmoid(out) > 0.5
        self.right += (guess == y).sum().item()
        self.seen += len(y)


net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(60, 4)
y = (x[:, :1] > 0).float()
for epoch in range(10):
    meter = Meter()
    for i in range(0, 60, 20):
        out = net(x[i : i + 20])
        loss = nn.functional.binary_cross_entropy_with_logits(out, y[i : i + 20])
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.add(out.detach(), y[i : i + 20])
    print(epoch, loss.item(), meter.right / meter.seen)

# %% Max tuple compare, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
        _, predicted = torch.max(out, 1)
        correct = (predicted == y).sum().item()
    return correct / len(y)


model = nn.Linear(4, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(30, 4)
y = torch.randint(0, 3, (30,))
for i in range(5):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(evaluate(model, x, y))

# %% Standardize zero std, as it should be
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Table(Dataset):
    def __init__(self, x, y):
        x = (x - x.mean(0)) / (x.std(0) + 1e-8)
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


rng = np.random.default_rng(0)
x = rng.normal(size=(40, 3))
x[:, 2] = 1.0
y = x[:, :1] * 2
np.seterr(all="ignore")
loader = DataLoader(Table(x, y), batch_size=10)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(3):
    for xb, yb in loader:
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())

# %% Dataset float64, as it should be
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data import Dataset


class Frame(Dataset):
    def __init__(self, n):
        rng = np.random.default_rng(0)
        self.x = rng.normal(size=(n, 3)).astype(np.float32)
        self.y = self.x.sum(1, keepdims=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


torch.manual_seed(0)
loader = DataLoader(Frame(40), batch_size=8)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for e in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% Losses of each sample, weighted, and a metric in NumPy
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def f1(pred, y):
    hit = np.logical_and(pred == 1, y == 1).sum()
    return 2 * hit / max((pred == 1).sum() + (y == 1).sum(), 1)


class Weighted(nn.Module):
    def __init__(self, rare=3.0):
        super().__init__()
        self.rare = rare
        self.loss = nn.BCEWithLogitsLoss(reduction="none")

    def forward(self, scores, y):
        weights = torch.where(y > 0, self.rare, 1.0)
        return (self.loss(scores, y) * weights).mean()


# %%
x = torch.randn(60, 3)
y = (x[:, 0] > 0.8).float()
net, criterion = nn.Linear(3, 1), Weighted()
opt = torch.optim.Adam(net.parameters(), lr=5e-2)
history = []
for epoch in range(20):
    scores = net(x).squeeze(1)
    loss = criterion(scores, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(f1((scores.detach() > 0).numpy().astype(int), y.numpy().astype(int)))
print(history[-1])

# %% Confusion counts, the best score of each class, and the best sample of each
import torch
from torch import nn

torch.manual_seed(0)


class Metrics:
    def __init__(self, classes):
        self.counts = torch.zeros(classes, classes, dtype=torch.long)
        self.losses = []

    @torch.no_grad()
    def update(self, scores, y, loss):
        pred = scores.argmax(dim=-1)
        for t, p in zip(y.tolist(), pred.tolist()):
            self.counts[t, p] += 1
        self.losses.append(loss.item())

    def accuracy(self):
        return self.counts.diagonal().sum().item() / self.counts.sum().item()


# %%
x = torch.randn(90, 4)
y = x[:, :3].argmax(1)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(10):
    metrics = Metrics(3)
    for i in torch.randperm(90).split(30):
        scores = net(x[i])
        loss = nn.functional.cross_entropy(scores, y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        metrics.update(scores, y[i], loss)
prototypes = x[net(x).argmax(dim=0)]
print(metrics.accuracy(), prototypes.shape)

# %% Uncertainty weights of several tasks
import torch
from torch import nn

torch.manual_seed(0)


class Balanced(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.s = nn.Parameter(torch.zeros(n))

    def forward(self, *losses):
        return sum(torch.exp(-s) * loss + s for s, loss in zip(self.s, losses))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
        self.depth, self.kind = nn.Linear(16, 1), nn.Linear(16, 3)

    def forward(self, x):
        h = self.body(x)
        return self.depth(h).squeeze(-1), self.kind(h)


# %%
net, balance = Net(), Balanced(2)
opt = torch.optim.Adam([*net.parameters(), *balance.parameters()], lr=1e-2)
x = torch.randn(48, 5)
for it in range(20):
    depth, kind = net(x)
    loss = balance(
        nn.functional.l1_loss(depth, x.norm(dim=1)), nn.functional.cross_entropy(kind, x[:, :3].argmax(1))
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
print(balance.s.detach())

# %% One order for inputs and targets in each epoch
import torch
from torch import nn

torch.manual_seed(0)


def shuffled(*tensors):
    order = torch.randperm(len(tensors[0]))
    return [t[order] for t in tensors]


def augmented(x):
    return x[torch.randperm(len(x))]


# %%
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(30):
    a, b = shuffled(x, y)
    mixed = 0.9 * a + 0.1 * augmented(a)
    loss = nn.functional.cross_entropy(net(mixed), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Inputs in a new order, and targets that follow it in other words
import torch
from torch import nn

x = torch.randn(120, 4)
y = (x[:, 0] - x[:, 2] > 0).float()
net = nn.Sequential(nn.Linear(4, 2), nn.Tanh(), nn.Linear(2, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(12):
    order = torch.randperm(120)
    inputs, targets = x[order], y.take(order)
    for i in range(0, 120, 20):
        opt.zero_grad()
        out = net(inputs[i : i + 20]).squeeze(1)
        nn.functional.binary_cross_entropy_with_logits(out, targets[i : i + 20]).backward()
        opt.step()
