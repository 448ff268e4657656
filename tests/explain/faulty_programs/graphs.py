# %% attribute-misspelt: a module is an argument
import torch
from torch import nn

torch.manual_seed(0)


def build():
    features = nn.Sequential(nn.Linear(5, 12), nn.ReLU())
    head = nn.Linear(12, 2)
    return nn.Sequential(features, head)


def freeze(module):
    module.requires_grad = False


net = build()
freeze(net[0])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(30, 5)
y = torch.randint(0, 2, (30,))
w = net[0][0].weight.detach().clone()
for i in range(5):
    opt.zero_grad()
    nn.functional.cross_entropy(net(X), y).backward()
    opt.step()
# goal: torch.equal(w, net[0][0].weight)

# %% leaf-inplace: an update in a helper
import torch

torch.manual_seed(0)


def init(n):
    w = torch.randn(n, 1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    return w, b


def update(params, lr):
    for p in params:
        p -= lr * p.grad
        p.grad = None


X = torch.randn(50, 3)
Y = X @ torch.tensor([[1.0], [2.0], [3.0]])
w, b = init(3)
for i in range(10):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    update([w, b], 0.1)
# goal: w.is_leaf and loss.item() < 10

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

# %% network-cut: lbfgs detached
import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(50, 3)
y = X @ torch.tensor([1.0, -1.0, 2.0]) + 0.3


class Linear3:
    def __init__(self):
        self.w = torch.zeros(3, requires_grad=True)
        self.b = torch.zeros(1, requires_grad=True)

    def parameters(self):
        return [self.w, self.b]

    def __call__(self, x):
        return x @ self.w + self.b.detach()


m = Linear3()
opt = torch.optim.LBFGS(m.parameters(), lr=1, max_iter=20)
for epoch in range(3):

    def closure():
        opt.zero_grad()
        loss = ((m(X) - y) ** 2).mean()
        loss.backward()
        return loss

    loss = opt.step(closure)
print(loss.item(), m.b)
# goal: abs(m.b.item() - 0.3) < 0.05

# %% leaf-view-inplace: expand inplace
import torch
from torch import nn

torch.manual_seed(0)


class Slots(nn.Module):
    def __init__(self, n=5, d=8):
        super().__init__()
        self.start = nn.Parameter(torch.randn(1, n, d))
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        slots = self.start.expand(x.size(0), -1, -1)
        slots += self.proj(x)
        return slots.mean(1)


m = Slots()
opt = torch.optim.Adam(m.parameters(), lr=1e-3)
for i in range(3):
    x = torch.randn(4, 5, 8)
    loss = m(x).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: m.start.grad is not None

# %% numpy-with-history: numpy mean
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def train_epoch(model, opt, batches):
    losses = []
    for x, y in batches:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss)
    return np.mean(losses)


model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(4)]
for epoch in range(2):
    mean = train_epoch(model, opt, batches)
    print(epoch, mean)
# goal: float(mean) > 0

# %% deepcopy-of-computed: deepcopy nonleaf
import copy
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        self.features = torch.relu(self.fc(x))
        return self.features.sum(1)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best, best_net = 1e9, None
for epoch in range(5):
    x = torch.randn(16, 3)
    loss = (net(x) - x.sum(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best, best_net = loss.item(), copy.deepcopy(net)
# goal: best_net is not None

# %% mode-without-parentheses: nograd parens
import torch
from torch import nn

torch.manual_seed(0)


def evaluate(net, x, y):
    with torch.no_grad:
        return ((net(x) > 0).float() == y).float().mean()


net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(20, 3)
y = (x[:, :1] > 0).float()
for epoch in range(3):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = evaluate(net, x, y)
# goal: acc.item() >= 0

# %% random-under-vmap: vmap random
import torch
from torch.func import vmap
from torch import nn

torch.manual_seed(0)


def noisy(w, x):
    return nn.functional.dropout(torch.tanh(x @ w), 0.5).sum()


w = torch.randn(4, 3, requires_grad=True)
xs = torch.randn(6, 4)
total = vmap(noisy, in_dims=(None, 0))(w, xs).sum()
total.backward()
# goal: w.grad is not None

# %% network-cut: vae std
import torch
from torch import nn

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(6, 8), nn.Linear(4, 6)

    @torch.no_grad()
    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar


def elbo(out, x, mu, logvar):
    rec = nn.functional.mse_loss(out, x, reduction="sum")
    return rec


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
for i in range(12):
    x = torch.randn(16, 6)
    loss = elbo(vae(x)[0], x, *vae(x)[1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# goal: vae.enc.weight.grad is not None

# %% sum-keeps-graphs: a meter
import torch
from torch import nn

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, value):
        self.total += value
        self.n += 1

    def mean(self):
        return self.total / self.n


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
meter = Meter()
X = torch.randn(80, 4)
Y = X.sum(1, keepdim=True)
for i in range(0, 80, 8):
    loss = nn.functional.mse_loss(net(X[i : i + 8]), Y[i : i + 8])
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.add(loss)
print(meter.mean())
# goal: not torch.is_tensor(meter.total) or not meter.total.requires_grad

# %% root-without-history: losses through a tensor
import torch
from torch import nn

torch.manual_seed(0)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 16)
        self.cls, self.reg = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.cls(h), self.reg(h)


def total(losses, weights):
    return (torch.tensor(losses) * torch.tensor(weights)).sum()


net = TwoHeads()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, c, r = torch.randn(32, 5), torch.randint(0, 3, (32,)), torch.randn(32, 1)
for _ in range(4):
    a, b = net(x)
    losses = [nn.functional.cross_entropy(a, c), nn.functional.mse_loss(b, r)]
    loss = total(losses, [1.0, 0.5])
    opt.zero_grad()
    loss.backward()
    opt.step()
# goal: net.body.weight.grad is not None

# %% step-without-gradients: a generator whose pictures are cut off for both networks
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
before = G[0].weight.detach().clone()


def train_step(real):
    n = len(real)
    fake = G(torch.randn(n, 4)).detach()
    d_loss = bce(D(real), torch.ones(n, 1)) + bce(D(fake), torch.zeros(n, 1))
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = bce(D(fake), torch.ones(n, 1))
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()


for i in range(4):
    train_step(torch.randn(16, 2) + 3)
# goal: not torch.equal(before, G[0].weight)

# %% target-learns: a target of Q-learning under another name
import torch
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(q.parameters(), lr=1e-2)


def learn(s, a, r, s2):
    q_sa = q(s)[torch.arange(len(a)), a]
    expected = r + 0.95 * q(s2).max(dim=1)[0]
    loss = nn.functional.mse_loss(q_sa, expected)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for _ in range(6):
    learn(torch.randn(16, 3), torch.randint(0, 2, (16,)), torch.randn(16), torch.randn(16, 3))
# goal: q[0].weight.grad is not None

# %% advantage-learns: an actor and a critic of one class
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(4, 4)
        self.critic = nn.Linear(4, 1)

    def forward(self, state):
        return Categorical(logits=self.actor(state)), self.critic(state).squeeze(-1)


def losses(model):
    state = torch.randn(16, 4)
    dist, value = model(state)
    action = dist.sample()
    reward = (state.argmax(1) == action).float()
    advantage = reward - value
    return -(dist.log_prob(action) * advantage).mean(), nn.functional.mse_loss(value, reward)


model = ActorCritic()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    policy_loss, value_loss = losses(model)
    alone = torch.autograd.grad(policy_loss, model.critic.weight, retain_graph=True, allow_unused=True)
    opt.zero_grad()
    (policy_loss + 0.5 * value_loss).backward()
    opt.step()
# goal: alone[0] is None

# %% log-prob-of-other-sample: an action and its logarithm
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


def act(policy, state):
    dist = Categorical(logits=policy(state))
    action = dist.sample().item()
    return action, dist.log_prob(dist.sample()), dist


policy = nn.Linear(2, 6)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
same = []
for step in range(8):
    action, log_prob, dist = act(policy, torch.ones(2))
    opt.zero_grad()
    (-log_prob * action).backward()
    opt.step()
    same.append(abs(log_prob.item() - dist.log_prob(torch.tensor(action)).item()) < 1e-6)
# goal: all(same)


# %% hooks-pile-up: hooks of a function that each batch calls
import torch
from torch import nn

torch.manual_seed(0)


def halve(net):
    net[0].weight.register_hook(lambda g: ran.append(1) or g * 0.5)


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
x, ran = torch.randn(40, 4), []
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for batch in x.split(10):
        halve(net)
        opt.zero_grad()
        nn.functional.mse_loss(net(batch), batch[:, :1]).backward()
        opt.step()
# goal: len(ran) == 8


# %% hook-of-other-kind: a hook of tensors on a layer
import torch
from torch import nn

torch.manual_seed(0)


def clip(grad):
    return grad.clamp(-0.01, 0.01)


net = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
for module in net.modules():
    if isinstance(module, nn.LayerNorm):
        module.register_full_backward_hook(clip)
net(torch.randn(16, 4)).pow(2).sum().backward()
# goal: net[0].bias.grad.abs().max() <= 0.16


# %% draw-without-gradient: a VAE whose encoder learns from its other loss only
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
        z = torch.normal(mu, std)
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
# goal: mu.std() > 1


# %% deepcopy-of-computed: a layer within the model keeps its attention
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
        self.kept = weights
        return (weights * x).sum(1)


net = nn.Sequential(nn.Linear(4, 4), Pool(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    loss = net(torch.ones(5, 3, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    best = copy.deepcopy(net)
# goal: best[1].kept.shape == (5, 3, 1)


# %% nothing-returned: a closure of L-BFGS that notes its losses
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


for i in range(3):
    opt.step(closure)
# goal: history[-1] < history[0]


# %% attribute-misspelt: a module that is made where a helper freezes it
import torch
from torch import nn

torch.manual_seed(0)


def freeze(module):
    module.requires_grad = False
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
# goal: net.body.fc.weight.grad is None
