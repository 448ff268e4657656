# %% step-without-gradients: numpy dice loss
import numpy as np
import torch
from torch import nn


def dice_loss(pred, target, eps=1e-6):
    p = pred.detach().numpy().ravel()
    t = target.numpy().ravel()
    score = 2 * (p * t).sum() / (p.sum() + t.sum() + eps)
    return torch.tensor(1 - score, requires_grad=True)


torch.manual_seed(0)


class Seg(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 4, 3, padding=1)
        self.b = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        return torch.sigmoid(self.b(torch.relu(self.a(x))))


net = Seg()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(8, 1, 8, 8)
y = (x > 0).float()
for epoch in range(12):
    opt.zero_grad()
    loss = dice_loss(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())

# %% step-without-gradients: trainer reset model
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
        self.build()
        for _ in range(epochs):
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
print(Trainer(16).fit(x, y, 20))

# %% grad-accumulated: wrong zero grad gan
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
for it in range(20):
    real = torch.randn(32, 2) + 2
    fake = G(torch.randn(32, 4))
    opt_d.zero_grad()
    loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()
    opt_d.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
print(loss_d.item(), loss_g.item())

# %% schedule-per-batch: cosine per batch
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
        scheduler.step()
        total += loss.item()
    return total / len(loader)


for epoch in range(EPOCHS):
    print(epoch, train_one_epoch())

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

# %% last-of-batch: lstm batch first last
import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


X = torch.randn(40, 12, 3)
Y = (X.sum((1, 2)) > 0).long()
net = Classifier()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(10):
    for i in range(0, 40, 8):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(X[i : i + 8]), Y[i : i + 8])
        loss.backward()
        opt.step()
print(loss.item())

# %% sequences-mixed: hn view layers
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, vocab=20, dim=8, hidden=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, 3)

    def forward(self, tokens):
        _, h = self.rnn(self.emb(tokens))
        h = h.view(tokens.shape[0], -1)
        return self.out(h)


tokens = torch.randint(0, 20, (16, 7))
labels = tokens[:, 0] % 3
net = Encoder()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(30):
    loss = nn.functional.cross_entropy(net(tokens), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% frozen-embedding: from pretrained frozen
import torch
from torch import nn

torch.manual_seed(0)
vectors = torch.randn(30, 8)


class Bag(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(weights)
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

# %% loss-arguments-swapped: bce swapped class
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
        return self.criterion(y, self(x))


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

# %% kl-of-probabilities: kl probs distill class
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Distill(nn.Module):
    def __init__(self, T=2.0):
        super().__init__()
        self.T = T

    def forward(self, student, teacher):
        s = F.softmax(student / self.T, dim=1)
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

# %% attribute-misspelt: requires grad assigned
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)
        self.backbone.requires_grad = False

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

# %% network-cut: nograd body in forward
import torch
from torch import nn

torch.manual_seed(0)


class FineTune(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def features(self, x):
        with torch.no_grad():
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

# %% backward-is-wrong: function order
import torch
from torch import nn

torch.manual_seed(0)


class ScaleShift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x, scale)
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, g.sum(0), (g * x).sum(0)


class Affine(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(n))
        self.shift = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return ScaleShift.apply(x, self.scale, self.shift)


net = nn.Sequential(nn.Linear(3, 4), Affine(4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(32, 3)
y = x.sum(1, keepdim=True)
for i in range(20):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% backward-is-wrong: function wrong saved
import torch
from torch import nn

torch.manual_seed(0)


class MySigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y * (1 - y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(2, 8)
        self.l2 = nn.Linear(8, 1)

    def forward(self, x):
        return MySigmoid.apply(self.l2(MySigmoid.apply(self.l1(x))))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = torch.tensor([[0.0], [1.0], [1.0], [1.0]])
for i in range(50):
    loss = nn.functional.binary_cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% function-called: function called
import torch
from torch import nn

torch.manual_seed(0)


class HardTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = HardTanh()

    def forward(self, x):
        return self.act(self.fc(x))


net = Net()
loss = net(torch.randn(8, 4)).pow(2).mean()
loss.backward()
print(loss.item())

# %% saved-overwritten: attn view inplace
import torch
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, drop):
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        a = s.softmax(-1)
        flat = a.view(a.shape[0], -1)
        flat[:, drop] = 0
        return a @ self.v(x)


att = Attention(6)
opt = torch.optim.SGD(att.parameters(), lr=0.1)
x = torch.randn(4, 5, 6)
for i in range(3):
    opt.zero_grad()
    loss = att(x, [1, 7]).pow(2).mean()
    loss.backward()
    opt.step()
print(loss.item())

# %% view-of-several-inplace: chunk inplace
import torch
from torch import nn

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Linear(d // 2, d // 2)
        self.pre = nn.Linear(d, d)

    def forward(self, x):
        a, b = self.pre(x).chunk(2, dim=1)
        b += self.net(a)
        return torch.cat([a, b], 1)


flow = Coupling(6)
opt = torch.optim.Adam(flow.parameters(), lr=1e-2)
x = torch.randn(16, 6)
for i in range(5):
    z = flow(x)
    loss = 0.5 * z.pow(2).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% batches-cleared: step outside loader
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
        running += loss.item()
    opt.step()
    return running / len(loader)


for epoch in range(8):
    print(epoch, train_epoch(model, loader, opt))

# %% tuple-for-tensor: loader not unpacked
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ae = nn.Sequential(nn.Linear(10, 3), nn.Tanh(), nn.Linear(3, 10))
opt = torch.optim.Adam(ae.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(64, 10)), batch_size=16, shuffle=True)


def run_epoch():
    for batch in loader:
        out = ae(batch)
        loss = (out - batch).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(3):
    print(run_epoch())

# %% left-out-of-optimizer: copy paste optimizer
import torch
from torch import nn

torch.manual_seed(0)


class GAN:
    def __init__(self, z=4):
        self.z = z
        self.G = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 2))
        self.D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_D = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.opt_G = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real):
        n = len(real)
        fake = self.G(torch.randn(n, self.z))
        self.opt_D.zero_grad()
        d = self.bce(self.D(real), torch.ones(n, 1)) + self.bce(self.D(fake.detach()), torch.zeros(n, 1))
        d.backward()
        self.opt_D.step()
        self.opt_G.zero_grad()
        g = self.bce(self.D(fake), torch.ones(n, 1))
        g.backward()
        self.opt_G.step()
        return d.item(), g.item()


gan = GAN()
for i in range(10):
    out = gan.step(torch.randn(16, 2) + 3)
print(out)

# %% schedule-of-old-optimizer: scheduler old optimizer
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(64, 3)
y = x.prod(1, keepdim=True)
for epoch in range(15):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item(), opt.param_groups[0]["lr"])

# %% rate-squared: lambda returns lr
import torch
from torch import nn

torch.manual_seed(0)
LR = 1e-3
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(model.parameters(), lr=LR)


def schedule(step, warmup=5, total=40):
    if step < warmup:
        return LR * (step + 1) / warmup
    return LR * (total - step) / (total - warmup)


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

# %% loss-made-of-tensors: ce constructor call
import torch
from torch import nn

torch.manual_seed(0)


class Learner:
    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x, y):
        out = self.net(x)
        loss = nn.CrossEntropyLoss(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


l = Learner()
x = torch.randn(16, 4)
y = torch.randint(0, 3, (16,))
for i in range(3):
    print(l.fit(x, y))

# %% root-not-scalar: none reduction
import torch
from torch import nn

torch.manual_seed(0)


def weighted_mse(pred, target, weight):
    return nn.functional.mse_loss(pred, target, reduction="none") * weight


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

# %% one-value-per-channel: bn last batch one
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(33, 4), torch.randint(0, 2, (33,)))
loader = DataLoader(data, batch_size=8)
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

# %% broadcast-both: accuracy broadcast
import torch
from torch import nn

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.right, self.seen = 0, 0

    def add(self, out, y):
        guess = (torch.sigmoid(out) > 0.5).squeeze(1)
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

# %% update-of-local-name: handmade sgd rebind
import torch
from torch import nn

torch.manual_seed(0)


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        for p in self.params:
            p = p - self.lr * p.grad

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

# %% units-start-alike: zero init helper
import torch
from torch import nn

torch.manual_seed(0)


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.1)
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

# %% shared-memory: best state reference
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
        best, best_state = v, net.state_dict()
net.load_state_dict(best_state)
with torch.no_grad():
    print(best, nn.functional.mse_loss(net(xv), yv).item())

# %% step-without-gradients: tensor of losses
import torch
from torch import nn

torch.manual_seed(0)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 16)
        self.heads = nn.ModuleList(nn.Linear(16, 1) for _ in range(3))

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return [head(h) for head in self.heads]


def combine(outs, targets, weights):
    losses = torch.tensor([nn.functional.mse_loss(o, t) for o, t in zip(outs, targets)], requires_grad=True)
    return (losses * weights).sum()


net = MultiTask()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(40, 5)
targets = [x[:, i : i + 1] for i in range(3)]
weights = torch.tensor([1.0, 0.5, 0.25])
for i in range(10):
    opt.zero_grad()
    loss = combine(net(x), targets, weights)
    loss.backward()
    opt.step()
print(loss.item())

# %% clip-out-of-turn: clip wrong model
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
    nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
    opt_a.step()
    return loss_a.item(), loss_c.item()


for i in range(10):
    out = update(torch.randn(64, 3))
print(out)

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

# %% leaf-inplace: ema leaf inplace
import copy
import torch
from torch import nn

torch.manual_seed(0)


class EMA:
    def __init__(self, model, decay=0.9):
        self.shadow = copy.deepcopy(model)
        self.decay = decay

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

# %% nan-appears: standardize zero std
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Table(Dataset):
    def __init__(self, x, y):
        x = (x - x.mean(0)) / x.std(0)
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

# %% dropout-in-eval-mode: functional dropout eval
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 32), nn.Linear(32, 1)

    def forward(self, x):
        h = F.dropout(F.relu(self.a(x)), 0.5)
        return self.b(h)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(64, 6)
y = x[:, :1]
net.train()
for i in range(20):
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print(F.mse_loss(net(x), y).item(), F.mse_loss(net(x), y).item())

# %% tuple-for-tensor: gru tuple
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(12, 6), nn.GRU(6, 8, batch_first=True))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = model
        self.out = nn.Linear(8, 4)

    def forward(self, t):
        h = self.encode(t)
        return self.out(h)


net = Tagger()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
t = torch.randint(0, 12, (5, 9))
y = t % 4
for i in range(4):
    loss = nn.functional.cross_entropy(net(t).transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% network-cut: no grad decorated encode
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, d), nn.ReLU(), nn.Linear(d, d))

    @torch.no_grad()
    def encode(self, x):
        return self.net(x)


torch.manual_seed(0)
enc = Encoder(6, 8)
head = nn.Linear(8, 2)
opt = torch.optim.Adam([*enc.parameters(), *head.parameters()], lr=1e-2)
x = torch.randn(32, 6)
y = (x[:, 0] > 0).long()


def train():
    for i in range(10):
        loss = nn.functional.cross_entropy(head(enc.encode(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


print(train())

# %% second-backward: backward twice typo
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
    loss_1.backward()
    opt_2.step()
print(loss_1.item(), loss_2.item())

# %% second-round: param times
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
        self.A = nn.Parameter(torch.randn(r, base.in_features)) / math.sqrt(r)
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

# %% target-learns: kd teacher trained
import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Linear(5, 3)
student = nn.Linear(5, 3)
opt = torch.optim.SGD(list(teacher.parameters()) + list(student.parameters()), lr=0.1)
for i in range(10):
    x = torch.randn(32, 5)
    loss = nn.functional.mse_loss(student(x), teacher(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% triplet-turned: triplet sign
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)


def contrastive(a, p, n, margin=1.0):
    d_pos = (a - p).pow(2).sum(1)
    d_neg = (a - n).pow(2).sum(1)
    return torch.relu(d_neg - d_pos + margin).mean()


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

# %% grad-accumulated: val grad leak
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
    val.backward()
    opt.step()
    history.append(val.item())
print(history[-1])

# %% saved-overwritten: inplace relu saved sigmoid
import torch
from torch import nn

torch.manual_seed(0)


class SE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, c), nn.Sigmoid(), nn.ReLU(inplace=True))

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
