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

# %% things-compared: max tuple compare
import torch
from torch import nn

torch.manual_seed(0)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
        predicted = torch.max(out, 1)
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

# %% dtypes-do-not-fit: dataset float64
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data import Dataset


class Frame(Dataset):
    def __init__(self, n):
        rng = np.random.default_rng(0)
        self.x = rng.normal(size=(n, 3))
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

# %% nothing-loaded: load nothing
import io
import torch
from torch import nn

torch.manual_seed(0)


def build():
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))


def fit(model, x, y, n):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(n):
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


x = torch.randn(64, 4)
y = x[:, :1] - x[:, 1:2]
first = build()
fit(first, x, y, 6)
buffer = io.BytesIO()
torch.save({"module." + k: v for k, v in first.state_dict().items()}, buffer)
buffer.seek(0)
model = build()
model.load_state_dict(torch.load(buffer), strict=False)
model.eval()
with torch.no_grad():
    loss = nn.functional.mse_loss(model(x), y)
print("restored, loss", loss.item())

# %% shuffled-apart: shuffled apart
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Points(Dataset):
    def __init__(self, n=200):
        x = torch.randn(n, 2)
        y = (x[:, 0] + x[:, 1] > 0).long()
        self.x = x[torch.randperm(n)]
        self.y = y[torch.randperm(n)]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
loader = DataLoader(Points(), batch_size=25)
for epoch in range(20):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% rows-alike: dataset index
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y, self.i = x, y, 0

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[self.i], self.y[self.i]


x = torch.randn(120, 3)
y = (x[:, :1] > 0).float()
loader = DataLoader(Rows(x, y), batch_size=12, shuffle=True)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
crit = nn.BCEWithLogitsLoss()
for epoch in range(8):
    for xb, yb in loader:
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
with torch.no_grad():
    acc = ((net(x) > 0).float() == y).float().mean()
print(loss.item(), acc.item())

# %% scatter-collision: more edges than are shown
import torch

torch.manual_seed(0)
NODES, EDGES = 40, 300
src, dst = torch.randint(0, NODES, (EDGES,)), torch.randint(0, NODES, (EDGES,))
x = torch.randn(NODES, 4)
truth = torch.zeros(NODES, 4).index_add_(0, dst, x[src])
w = torch.ones(4, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
for epoch in range(2):
    total = torch.zeros(NODES, 4)
    total[dst] += x[src] * w
    loss = (total - truth).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: loss.item() < 1e-6

# %% batches-of-one-class: a loader of a sorted file, whose last class is learned
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
centers = torch.randn(6, 8)
y = torch.arange(6).repeat_interleave(32)
x = centers[y] + 0.5 * torch.randn(192, 8)
train = DataLoader(TensorDataset(x, y), batch_size=32)
model = nn.Linear(8, 6)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(8):
    for xb, yb in train:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        opt.step()
whole = nn.functional.cross_entropy(model(x), y)
# goal: whole.item() < 0.5

# %% sampler-of-classes: a loader of rare classes
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)


def make_loader(x, y):
    class_weights = 1.0 / torch.bincount(y).float()
    sampler = WeightedRandomSampler(class_weights, num_samples=len(y), replacement=True)
    return DataLoader(TensorDataset(x, y), batch_size=16, sampler=sampler)


y = torch.arange(96) // 40
x = torch.randn(96, 2) + torch.tensor([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])[y]
net = nn.Linear(2, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
drawn = []
for epoch in range(2):
    for xb, yb in make_loader(x, y):
        loss = nn.functional.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        drawn += yb.tolist()
# goal: set(drawn) == {0, 1, 2}

# %% seeded-anew: a seed in the function that makes a batch
import torch
from torch import nn


def sample_batch(x, y, size, seed=0):
    torch.manual_seed(seed)
    idx = torch.randint(0, len(x), (size,))
    return x[idx], y[idx]


torch.manual_seed(1)
X = torch.randn(64, 3)
Y = X[:, :1] * X[:, 1:2]
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
sums = set()
for step in range(8):
    xb, yb = sample_batch(X, Y, 16)
    loss = nn.functional.mse_loss(net(xb), yb)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sums.add(round(yb.sum().item(), 4))
# goal: len(sums) > 4

# %% bytes-wrap-around: a data set of bytes
import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __init__(self):
        self.images = (torch.arange(256).reshape(4, 1, 8, 8) % 256).to(torch.uint8)

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return (self.images[i] - 128).float() / 64


data = Images()
darkest = min(data[i].min().item() for i in range(4))
w = torch.ones(1, requires_grad=True)
(w * data[0]).sum().backward()
# goal: darkest == -2


# %% bytes-wrap-around: the difference of two frames
import torch
from torch import nn

torch.manual_seed(0)
frames = torch.randint(90, 110, (2, 20, 16), dtype=torch.uint8)
frames[1, :10, :8] -= 60
before, after = frames
moved = after - before
x = moved.float() / 255
y = torch.cat([torch.ones(10), torch.zeros(10)])
net = nn.Linear(16, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for i in range(5):
    opt.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y).backward()
    opt.step()
# goal: x.min() < 0


# %% samples-of-unequal-size: windows that end behind a series
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series)

    def __getitem__(self, i):
        return self.series[i : i + self.width]


sizes = []
for batch in DataLoader(Windows(torch.arange(20.0), 6), batch_size=5):
    sizes.append(batch.shape[1])
# goal: {*sizes} == {6} and len(sizes) == 3


# %% write-to-picked: patches that are to be hidden
import torch
from torch import nn

torch.manual_seed(0)


def corrupt(patches):
    masked = patches.clone()
    hidden = torch.rand(patches.shape[:2]) < 0.5
    masked[hidden][:, 0] = 0.0
    return masked, hidden


patches = torch.randn(10, 6, 3)
net = nn.Linear(18, 18)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for i in range(3):
    masked, hidden = corrupt(patches)
    out = net(masked.flatten(1)).view(10, 6, 3)
    opt.zero_grad()
    ((out - patches) ** 2)[hidden].mean().backward()
    opt.step()
# goal: (masked[..., 0] == 0).any()


# %% written-from-outside: a buffer of states that all look at one array
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
state = np.zeros(3, dtype=np.float32)
states, rewards = [], []
for step in range(12):
    state += rng.normal(size=3).astype(np.float32)
    states.append(torch.from_numpy(state))
    rewards.append(float(state.sum()))
value = nn.Linear(3, 1)
opt = torch.optim.SGD(value.parameters(), lr=0.05)
x, y = torch.stack(states), torch.tensor(rewards)
for i in range(5):
    opt.zero_grad()
    nn.functional.mse_loss(value(x).squeeze(1), y).backward()
    opt.step()
# goal: not torch.equal(x[0], x[-1])


# %% columns-of-all-rows: the values of the actions that were taken
import torch
from torch import nn

torch.manual_seed(0)


def td_loss(net, obs, actions, target):
    values = net(obs)
    taken = values[:, actions]
    return ((taken - target) ** 2).mean()


net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for i in range(60):
    obs, actions = torch.randn(16, 4), torch.randint(0, 3, (16,))
    loss = td_loss(net, obs, actions, obs[torch.arange(16), actions])
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: loss < 0.1
