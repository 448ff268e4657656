# %% A hook for all batches, registered once, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def halve(net):
    net[0].weight.register_hook(lambda g: ran.append(1) or g * 0.5)


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
x, ran = torch.randn(40, 4), []
opt = torch.optim.SGD(net.parameters(), lr=0.1)
halve(net)
for epoch in range(2):
    for batch in x.split(10):
        opt.zero_grad()
        nn.functional.mse_loss(net(batch), batch[:, :1]).backward()
        opt.step()


# %% A hook of a layer that clips, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def clip(module, grad_input, grad_output):
    return tuple(None if g is None else g.clamp(-0.01, 0.01) for g in grad_input)


net = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
for module in net.modules():
    if isinstance(module, nn.LayerNorm):
        module.register_full_backward_hook(clip)
net(torch.randn(16, 4)).pow(2).sum().backward()


# %% A VAE that draws with randn_like, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.logvar = nn.Linear(6, 2), nn.Linear(6, 2)
        self.decoder = nn.Linear(2, 6)

    def forward(self, x):
        mu, logvar = self.mu(x), self.logvar(x)
        std = torch.exp(0.5 * logvar)
        z = mu + std * torch.randn_like(std)
        return self.decoder(z), mu, logvar


x = torch.randn(64, 2) @ torch.randn(2, 6)
model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=0.02)
for step in range(20):
    out, mu, logvar = model(x)
    mse = (out - x).pow(2).sum(1).mean()
    loss = mse - 0.005 * (1 + logvar - mu**2 - logvar.exp()).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A layer that keeps its attention for pictures, as it should be
import copy
import torch
from torch import nn

torch.manual_seed(0)


class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1)

    def forward(self, x):
        weights = torch.softmax(self.score(x), dim=1)
        self.kept = weights.detach()
        return (weights * x).sum(1)


net = nn.Sequential(nn.Linear(4, 4), Pool(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    loss = net(torch.ones(5, 3, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    best = copy.deepcopy(net)


# %% A closure of L-BFGS that notes its losses, as it should be
import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 20).unsqueeze(1)
net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5)
history = []


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), x**2)
    loss.backward()
    history.append(loss.item())
    return loss


for i in range(3):
    opt.step(closure)


# %% A body frozen by a helper where it is made, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def freeze(module):
    module.requires_grad_(False)
    return module


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Net(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body, self.head = body, nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


net = Net(freeze(Body()))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 3)), torch.arange(8) % 2).backward()
    opt.step()


# %% One cycle that steps after each batch, as it should be
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


# %% A schedule that waits for an accuracy to rise, as it should be
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1, mode="max")
for epoch in range(8):
    opt.zero_grad()
    scores = net(x)
    nn.functional.cross_entropy(scores, y).backward()
    opt.step()
    val_acc = (scores.argmax(1) == y).float().mean().item() + 0.01 * epoch
    schedule.step(val_acc)


# %% The difference of two frames in floats, as it should be
import torch
from torch import nn

torch.manual_seed(0)
frames = torch.randint(90, 110, (2, 20, 16), dtype=torch.uint8)
frames[1, :10, :8] -= 60
before, after = frames.float()
moved = after - before
x = moved.float() / 255
y = torch.cat([torch.ones(10), torch.zeros(10)])
net = nn.Linear(16, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for i in range(5):
    opt.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y).backward()
    opt.step()


# %% Windows that end where a series ends, as it should be
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series) - self.width

    def __getitem__(self, i):
        return self.series[i : i + self.width]


sizes = []
for batch in DataLoader(Windows(torch.arange(20.0), 6), batch_size=5):
    sizes.append(batch.shape[1])


# %% Patches that are hidden by one index, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def corrupt(patches):
    masked = patches.clone()
    hidden = torch.rand(patches.shape[:2]) < 0.5
    masked[hidden, 0] = 0.0
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


# %% A buffer of copied states, as it should be
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
state = np.zeros(3, dtype=np.float32)
states, rewards = [], []
for step in range(12):
    state += rng.normal(size=3).astype(np.float32)
    states.append(torch.tensor(state))
    rewards.append(float(state.sum()))
value = nn.Linear(3, 1)
opt = torch.optim.SGD(value.parameters(), lr=0.05)
x, y = torch.stack(states), torch.tensor(rewards)
for i in range(5):
    opt.zero_grad()
    nn.functional.mse_loss(value(x).squeeze(1), y).backward()
    opt.step()


# %% The value of the action of each row, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def td_loss(net, obs, actions, target):
    values = net(obs)
    taken = values[torch.arange(len(actions)), actions]
    return ((taken - target) ** 2).mean()


net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for i in range(60):
    obs, actions = torch.randn(16, 4), torch.randint(0, 3, (16,))
    loss = td_loss(net, obs, actions, obs[torch.arange(16), actions])
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Each layer of a list in turn, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth))

    def forward(self, x):
        for i in range(len(self.layers)):
            x = x + torch.tanh(self.layers[i](x))
        return x


net = Net(3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(10, 4)
    opt.zero_grad()
    nn.functional.mse_loss(net(x), x * 2).backward()
    opt.step()


# %% A layer of attention that takes the batch first, as it should be
import torch
from torch import nn

torch.manual_seed(0)
tokens = torch.tensor([[3, 4, 5, 0], [6, 7, 0, 0], [8, 9, 3, 4]])
embedding = nn.Embedding(10, 8)
layer = nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16, dropout=0.0, batch_first=True)
opt = torch.optim.SGD([*embedding.parameters(), *layer.parameters()], lr=0.1)
for i in range(2):
    mask = tokens == 0
    h = layer(embedding(tokens), src_key_padding_mask=mask)
    opt.zero_grad()
    h[~mask].pow(2).mean().backward()
    opt.step()


# %% A dice loss of probabilities, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def dice_loss(logits, target):
    pred = torch.sigmoid(logits)
    overlap = (pred * target).sum()
    return 1 - (2 * overlap + 1) / (pred.sum() + target.sum() + 1)


x = torch.randn(60, 5)
target = (x[:, :2] > 0).float()
net = nn.Linear(5, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for i in range(10):
    logits = net(x)
    dice = dice_loss(logits, target)
    loss = 0.1 * nn.functional.binary_cross_entropy_with_logits(logits, target) + dice
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A penalty that a helper adds up as a tensor, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def l2_penalty(net):
    reg = 0.0
    for name, p in net.named_parameters():
        if "bias" not in name:
            reg = reg + p.pow(2).sum()
    return reg


x = torch.randn(20, 6)
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for i in range(30):
    loss = nn.functional.mse_loss(net(x), x[:, :1]) + 0.1 * l2_penalty(net)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())


# %% An array that is filled anew for each batch
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
buffer = np.zeros((8, 3), dtype=np.float32)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for i in range(6):
    buffer[:] = rng.normal(size=(8, 3))
    x = torch.from_numpy(buffer)
    opt.zero_grad()
    nn.functional.mse_loss(net(x), x[:, :1]).backward()
    opt.step()


# %% A schedule that counts steps of several batches each
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
batches = torch.randn(80, 4).split(5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
schedule = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=2 * len(batches) // 4)
for epoch in range(2):
    for i, batch in enumerate(batches):
        (nn.functional.mse_loss(net(batch), batch[:, :1]) / 4).backward()
        if (i + 1) % 4 == 0:
            opt.step()
            opt.zero_grad()
            schedule.step()


# %% A policy that draws with normal() and learns from log_prob()
import math
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(3, 1), nn.Linear(3, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
for i in range(6):
    state = torch.randn(16, 3)
    mean = actor(state)
    action = torch.normal(mean, torch.ones_like(mean))
    reward = -((action.detach() - state[:, :1]) ** 2)
    log_prob = -0.5 * (action.detach() - mean) ** 2 - 0.5 * math.log(2 * math.pi)
    value = critic(state)
    loss = -(log_prob * (reward - value).detach()).mean() + (reward - value).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A convolution with a bias before a batch norm
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1)
)
x = torch.randn(6, 1, 8, 8)
y = (x > 1).float()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for i in range(12):
    p = torch.sigmoid(net(x))
    dice = 1 - (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)
    loss = 0.2 * nn.functional.binary_cross_entropy(p, y) + 0.8 * dice
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A hook that is registered for a backward pass and removed after it
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
norms = []
for i in range(5):
    handle = net.weight.register_hook(lambda g: norms.append(g.norm().item()))
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 3)), torch.arange(8) % 2).backward()
    opt.step()
    handle.remove()


# %% One layer of a list that is shared, beside another that runs too
import torch
from torch import nn

torch.manual_seed(0)
layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
opt = torch.optim.SGD(layers.parameters(), lr=0.1)
for i in range(4):
    x = torch.randn(8, 3)
    h = layers[1](torch.tanh(layers[0](torch.tanh(layers[0](x)))))
    opt.zero_grad()
    nn.functional.mse_loss(h, x).backward()
    opt.step()
