# %% Linear regression
x = torch.linspace(-1, 1, 20)[:, None]
y = 3 * x + 0.5
model = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
print(loss.item())


# %% Classification with a validation after each epoch
torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(8, 2)
)
opt = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = torch.nn.CrossEntropyLoss()
x, y = torch.randn(16, 2), torch.randint(0, 2, (16,))
for epoch in range(3):
    model.train()
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x).argmax(1) == y).float().mean().item()


# %% Training and evaluation in functions
def train(model, opt, x, y):
    model.train()
    opt.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


model = torch.nn.Sequential(
    torch.nn.Linear(2, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(), torch.nn.Linear(8, 2)
)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
x, y = torch.randn(16, 2), torch.randint(0, 2, (16,))
history = [(train(model, opt, x, y), evaluate(model, x, y)) for epoch in range(3)]


# %% Everything within one function
def main():
    net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    x, y = torch.randn(8, 2), torch.randn(8, 1)
    for _ in range(3):
        loss = ((net(x) - y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


result = main()


# %% A trainer class
class Trainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.losses = []

    def fit(self, x, y, epochs):
        for _ in range(epochs):
            self.opt.zero_grad()
            loss = torch.nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.opt.step()
            self.losses.append(loss.item())


trainer = Trainer(torch.nn.Linear(2, 1), 0.1)
trainer.fit(torch.randn(8, 2), torch.randn(8, 1), 3)


# %% Mini-batches of a data loader
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(12, 2), torch.randint(0, 3, (12,)))
net = torch.nn.Linear(2, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for xb, yb in DataLoader(data, batch_size=4, shuffle=True):
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)


# %% A learning rate that warms up from zero
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
warmup = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: min(1.0, step / 4))
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(6):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    warmup.step()


# %% A cosine schedule down to zero
net = torch.nn.Linear(2, 1)
opt = torch.optim.AdamW(net.parameters(), lr=0.05)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(5):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    schedule.step()


# %% A schedule that follows the validation loss
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(4):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    plateau.step(loss.item())


# %% Early stopping
import copy

net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y, vx, vy = torch.randn(8, 2), torch.randn(8, 1), torch.randn(4, 2), torch.randn(4, 1)
best, kept, patience = float("inf"), None, 0
for epoch in range(6):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    with torch.no_grad():
        val = torch.nn.functional.mse_loss(net(vx), vy).item()
    if val < best:
        best, kept, patience = val, copy.deepcopy(net.state_dict()), 0
    else:
        patience += 1
        if patience == 2:
            break
net.load_state_dict(kept)


# %% Gradients that are clipped by their norm
net = torch.nn.RNN(2, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 3, 2)
for step in range(3):
    opt.zero_grad()
    out, _ = net(x)
    out.pow(2).mean().backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()


# %% Gradients that are clipped by value
net = torch.nn.Linear(2, 1)
opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
x = torch.randn(5, 2)
for step in range(3):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    torch.nn.utils.clip_grad_value_(net.parameters(), 0.1)
    opt.step()


# %% A closure for LBFGS
w = torch.tensor([3.0, -2.0], requires_grad=True)
opt = torch.optim.LBFGS([w], max_iter=4)


def closure():
    opt.zero_grad()
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    return loss


for _ in range(2):
    opt.step(closure)


# %% Two groups with learning rates of their own
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
opt = torch.optim.SGD([{"params": net[0].parameters(), "lr": 0.001}, {"params": net[2].parameters()}], lr=0.1)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()


# %% A head that is trained first, and a body that joins later
body, head = torch.nn.Linear(2, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for p in body.parameters():
    p.requires_grad_(False)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(4):
    if step == 2:
        body.requires_grad_(True)
        opt.add_param_group({"params": body.parameters(), "lr": 0.01})
    opt.zero_grad()
    torch.nn.functional.mse_loss(head(body(x).relu()), y).backward()
    opt.step()


# %% A checkpoint in memory, and training that goes on
import io

net = torch.nn.Linear(2, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
file = io.BytesIO()
torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, file)
file.seek(0)
state = torch.load(file)
again = torch.nn.Linear(2, 1)
again.load_state_dict(state["net"])
opt = torch.optim.Adam(again.parameters(), lr=0.01)
opt.load_state_dict(state["opt"])
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.mse_loss(again(x), y).backward()
    opt.step()


# %% An average of the weights
net, average = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
average.load_state_dict(net.state_dict())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), net.parameters()):
            slow.mul_(0.9).add_(fast, alpha=0.1)
with torch.no_grad():
    error = torch.nn.functional.mse_loss(average(x), y).item()


# %% A running average of the loss
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
running = None
for step in range(4):
    opt.zero_grad()
    loss = net(torch.randn(4, 2)).pow(2).mean()
    loss.backward()
    opt.step()
    running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()


# %% Losses kept for a plot
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for step in range(4):
    loss = net(torch.randn(4, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.detach())
mean = torch.stack(losses).mean()


# %% Weight decay and a penalty on the weights
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05, weight_decay=0.01)
x, y = torch.randn(8, 4), torch.randn(8, 1)
for step in range(3):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), y) + 0.01 * sum(p.abs().sum() for p in net.parameters())
    loss.backward()
    opt.step()


# %% Two optimizers for two parts
rows, layer = torch.nn.Embedding(5, 3), torch.nn.Linear(3, 1)
slow, quick = torch.optim.SGD(rows.parameters(), lr=0.01), torch.optim.Adam(layer.parameters(), lr=0.01)
index, y = torch.tensor([0, 2, 4, 2]), torch.randn(4, 1)
for step in range(3):
    slow.zero_grad()
    quick.zero_grad()
    torch.nn.functional.mse_loss(layer(rows(index)), y).backward()
    slow.step()
    quick.step()


# %% Training over several cells
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 2), torch.randint(0, 2, (8,))
# %%
net.train()
for epoch in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
# %%
net.eval()
with torch.no_grad():
    accuracy = (net(x).argmax(1) == y).float().mean()
# %%
net.train()
opt.zero_grad()
torch.nn.functional.cross_entropy(net(x), y).backward()
opt.step()


# %% A model and a new optimizer after a layer was replaced
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 10))
net[2] = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 2), torch.randint(0, 2, (6,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% Several models in a list, each with an optimizer
nets = [torch.nn.Linear(2, 1) for _ in range(3)]
opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
x, y = torch.randn(6, 2), torch.randn(6, 1)
for step in range(2):
    for net, opt in zip(nets, opts):
        opt.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        opt.step()
with torch.no_grad():
    together = torch.stack([net(x) for net in nets]).mean(0)


# %% A large learning rate where it fits
w = torch.tensor([1e-3, -1e-3], requires_grad=True)
opt = torch.optim.SGD([w], lr=50.0)
x, y = 0.1 * torch.eye(2), torch.tensor([0.5, -0.25])
for step in range(10):
    opt.zero_grad()
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    opt.step()


# %% Weights that start at zero and move far
w = torch.zeros(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.4)
for step in range(5):
    opt.zero_grad()
    loss = ((w - 100) ** 2).sum()
    loss.backward()
    opt.step()


# %% Maximizing a likelihood
mean = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([mean], lr=0.1, maximize=True)
data = torch.randn(20) + 3
for step in range(5):
    opt.zero_grad()
    likelihood = -((data - mean) ** 2).mean()
    likelihood.backward()
    opt.step()


# %% Hooks that add up in the optimizer's place
net = torch.nn.Linear(2, 1)
opts = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}


def step_at_once(p):
    opts[p].step()
    opts[p].zero_grad()


for p in net.parameters():
    p.register_post_accumulate_grad_hook(step_at_once)
for step in range(3):
    net(torch.randn(4, 2)).pow(2).mean().backward()

# %% Steps after the rest of accumulated batches, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
w = torch.tensor([[1.0], [2.0], [-1.0]])
for epoch in range(12):
    opt.zero_grad()
    for i in range(3):
        x = torch.randn(16, 3)
        loss = (net(x) - x @ w).pow(2).mean() / 3
        loss.backward()
        if (i + 1) % 8 == 0:
            opt.step()
            opt.zero_grad()
    opt.step()

# %% Straight through a codebook, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
data = torch.randn(6, 4)[torch.randint(0, 6, (64,))]
encoder, codebook, decoder = nn.Linear(4, 2), nn.Embedding(16, 2), nn.Linear(2, 4)
opt = torch.optim.Adam([*encoder.parameters(), *codebook.parameters(), *decoder.parameters()], lr=0.01)
for epoch in range(6):
    z = encoder(data)
    q = codebook(torch.cdist(z, codebook.weight).argmin(dim=1))
    of_codes = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
    q = z + (q - z).detach()
    loss = F.mse_loss(decoder(q), data) + of_codes
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Cosines times a learned scale, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
images, texts = nn.Linear(6, 4), nn.Linear(5, 4)
scale = nn.Parameter(torch.zeros(()))
opt = torch.optim.Adam([*images.parameters(), *texts.parameters(), scale], lr=0.05)
shared = torch.randn(32, 3)
a, b = shared @ torch.randn(3, 6), shared @ torch.randn(3, 5)
for epoch in range(10):
    scores = F.normalize(images(a), dim=1) @ F.normalize(texts(b), dim=1).T * scale.exp()
    labels = torch.arange(32)
    loss = (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels)) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Random features that forward() draws anew, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Augmented(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        jitter = nn.Linear(4, 4, bias=False).requires_grad_(False)
        return self.head(torch.cat([x, x + 0.1 * jitter(x)], dim=1))


net = Augmented()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(32, 4)
y = x[:, :1] - x[:, 1:2]
for epoch in range(20):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
