# %% A multilayer perceptron on two moons
# A multilayer perceptron on two moons, with mini-batches, weight decay, a schedule and accuracy.
import math

nn, F = torch.nn, torch.nn.functional
torch.manual_seed(0)
n = 120
angle = torch.rand(n) * math.pi
label = torch.arange(n) % 2
points = torch.stack(
    [torch.cos(angle) * (1 - 2 * label) + label, torch.sin(angle) * (1 - 2 * label) + 0.5 * label], 1
) + 0.1 * torch.randn(n, 2)


class MLP(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(self.body(x))


model = MLP()
show(model, sum(p.numel() for p in model.parameters() if p.requires_grad))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)
criterion = nn.CrossEntropyLoss()
for epoch in range(8):
    model.train()
    total = 0.0
    for batch in torch.randperm(n).split(20):
        optimizer.zero_grad()
        loss = criterion(model(points[batch]), label[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    scheduler.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(points).argmax(1) == label).float().mean()
    show(epoch, f"{total / n:.4f}", f"{accuracy:.3f}", scheduler.get_last_lr())


# %% A small convolutional network
# A small convolutional network, with batch norm, dropout, AdamW, clipping of gradients and a checkpoint in a file.
import copy, io

nn, F = torch.nn, torch.nn.functional
torch.manual_seed(1)
images = torch.randn(24, 1, 8, 8)
labels = (images[:, 0, :4].sum((1, 2)) > images[:, 0, 4:].sum((1, 2))).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, kernel_size=3, padding=1)
        self.bn1 = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 8, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(8)
        self.pool = nn.MaxPool2d(2)
        self.drop = nn.Dropout(0.25)
        self.fc = nn.Linear(8 * 2 * 2, 2)

    def forward(self, x):
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        x = self.pool(F.relu(self.bn2(self.conv2(x))))
        x = torch.flatten(x, 1)
        return F.log_softmax(self.fc(self.drop(x)), dim=1)


model = Net()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)


def epoch():
    model.train()
    for start in range(0, 24, 8):
        optimizer.zero_grad(set_to_none=True)
        loss = F.nll_loss(model(images[start : start + 8]), labels[start : start + 8])
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
    scheduler.step()
    return f"{loss.item():.4f} {norm.item():.3f} {scheduler.get_last_lr()[0]:.6f}"


for _ in range(3):
    show(epoch())
file = io.BytesIO()
torch.save(
    {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": 3,
    },
    file,
)
rng = torch.get_rng_state()
first = [epoch() for _ in range(2)]
file.seek(0)
checkpoint = torch.load(file)
model, before = Net(), model
show(model.load_state_dict(checkpoint["model"]), checkpoint["epoch"])
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
optimizer.load_state_dict(checkpoint["optimizer"])
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
scheduler.load_state_dict(checkpoint["scheduler"])
torch.set_rng_state(rng)
show(
    first,
    [epoch() for _ in range(2)] == first,
    all(torch.equal(a, b) for a, b in zip(before.state_dict().values(), model.state_dict().values())),
)
model.eval()
with torch.inference_mode():
    out = model(images).exp()
show(
    f"{(out.argmax(1) == labels).float().mean().item():.3f}",
    [f"{p:.2f}" for p in out[:4, 0].tolist()],
    out.is_inference(),
)


# %% Linear and quadratic regression
# Linear regression by hand, then with a module, and a quadratic fit with a closure.
nn, F = torch.nn, torch.nn.functional
torch.manual_seed(2)
x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = 2 * x - 0.5 + 0.1 * torch.randn(x.size())
w, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(30):
    loss = ((x * w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in (w, b):
            p -= 0.3 * p.grad
            p.grad.zero_()
show(f"{loss:.4f}", w, b)
model = nn.Linear(1, 1)
optimizer = torch.optim.Adam(
    [{"params": [model.weight]}, {"params": [model.bias], "lr": 0.3}], lr=0.1, betas=(0.8, 0.99)
)
for step in range(40):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
show(f"{loss.item():.4f}", model.weight.data, model.bias.data, [g["lr"] for g in optimizer.param_groups])


def closure():
    optimizer.zero_grad()
    loss = F.smooth_l1_loss(model(x) + model(x**2), y)
    loss.backward()
    return loss


optimizer = torch.optim.RMSprop(model.parameters(), lr=0.02, momentum=0.5)
for step in range(10):
    loss = optimizer.step(closure)
show(f"{loss.item():.4f}", model.weight.data, optimizer.state_dict()["state"].keys())


# %% A bag of words
# A bag of words: embeddings, padding, masks, a loss with weights, parameters frozen and thawed.
nn, F = torch.nn, torch.nn.functional
torch.manual_seed(3)
words = "the a good bad film was very not awful great".split()
index = {w: i + 1 for i, w in enumerate(words)}
reviews = [
    ("the film was great", 1),
    ("a very good film", 1),
    ("the film was awful", 0),
    ("a bad film", 0),
    ("not bad", 1),
    ("not good", 0),
]
ids = (
    nn.utils.rnn.pad_sequence(
        [torch.tensor([index[w] for w in text.split()]) for text, _ in reviews], batch_first=True
    )
    if hasattr(nn.utils, "rnn")
    else torch.stack(
        [
            F.pad(torch.tensor([index[w] for w in text.split()]), (0, 4 - len(text.split())))
            for text, _ in reviews
        ]
    )
)
target = torch.tensor([float(t) for _, t in reviews])


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(words) + 1, 6, padding_idx=0)
        self.norm = nn.LayerNorm(6)
        self.out = nn.Linear(6, 1)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1)
        mean = (self.embedding(ids) * mask).sum(1) / mask.sum(1)
        return self.out(F.gelu(self.norm(mean))).squeeze(-1)


model = Bag()
nn.init.normal_(model.embedding.weight, std=0.5)
with torch.no_grad():
    model.embedding.weight[0].fill_(0)
nn.init.xavier_uniform_(model.out.weight)
nn.init.zeros_(model.out.bias)
for p in model.out.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05)
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(1.5))
for step in range(15):
    loss = criterion(model(ids), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 9:
        model.out.requires_grad_(True)
        optimizer.add_param_group({"params": model.out.parameters(), "lr": 0.01})
    if step % 3 == 0:
        show(step, f"{loss.item():.4f}", model.embedding.weight.grad[0].abs().sum().item())
show(ids, (model(ids) > 0).long(), [n for n, p in model.named_parameters() if p.grad is not None])


# %% An autoencoder
# An autoencoder: weights tied, noise added, several losses, hooks on gradients, a warm-up and reduction on plateaus.
nn, F = torch.nn, torch.nn.functional
torch.manual_seed(4)
data = torch.rand(32, 3) @ torch.randn(3, 10)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(10, 6), nn.BatchNorm1d(6), nn.LeakyReLU(0.1), nn.Dropout(0.1), nn.Linear(6, 3)
        )
        self.decoder = nn.ModuleList([nn.Linear(3, 6), nn.Linear(6, 10)])
        self.scale = nn.Parameter(torch.ones(10))
        self.register_buffer("mean", torch.zeros(10))

    def forward(self, x):
        code = self.encoder(x - self.mean)
        h = code
        for layer in self.decoder[:-1]:
            h = torch.tanh(layer(h))
        return self.decoder[-1](h) * self.scale + self.mean, code


model = Autoencoder()
model.mean.copy_(data.mean(0))


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.kaiming_normal_(m.weight, nonlinearity="leaky_relu")
        nn.init.constant_(m.bias, 0.01)


model.apply(init)
norms = []
model.scale.register_hook(lambda g: norms.append(g.norm().item()))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5))
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2)
for step in range(16):
    model.train()
    out, code = model(data + 0.05 * torch.randn_like(data))
    loss = (
        F.mse_loss(out, data)
        + 1e-3 * code.abs().mean()
        + 1e-4 * sum(p.pow(2).sum() for p in model.parameters())
    )
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), 0.5)
    optimizer.step()
    warmup.step() if step < 6 else plateau.step(loss.item())
    if step % 3 == 0:
        show(step, f"{loss.item():.4f}", f"{norms[-1]:.4f}", f"{optimizer.param_groups[0]['lr']:.5f}")
model.eval()
with torch.no_grad():
    show(
        f"{F.l1_loss(model(data)[0], data).item():.4f}",
        model.encoder[1].running_mean,
        model.encoder[1].num_batches_tracked,
    )
show(list(model.state_dict()), {k: tuple(v.shape) for k, v in model.named_buffers()})


# %% Training loops that rebind, write under no_grad, write .data or forget zero
# A training loop that rebinds, one that writes under no_grad, one that writes .data, one that forgets zero.
for how in ("rebind", "no_grad", "data", "forget", "sub_", "set_to_none"):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.tensor([3.0, 4.0])
    try:
        for step in range(3):
            loss = ((w * x).sum() - 1) ** 2
            loss.backward()
            if how == "rebind":
                w = w - 0.01 * w.grad
            elif how == "no_grad":
                with torch.no_grad():
                    w -= 0.01 * w.grad
                w.grad.zero_()
            elif how == "data":
                w.data -= 0.01 * w.grad
                w.grad = None
            elif how == "forget":
                with torch.no_grad():
                    w -= 0.01 * w.grad
            elif how == "sub_":
                w -= 0.01 * w.grad
            else:
                with torch.no_grad():
                    w.copy_(w - 0.01 * w.grad)
                w.grad = None
            show(how, step, w, w.grad, w._version, w.is_leaf)
    except Exception as error:
        show(how, type(error).__name__, error)
