# %% Gan no detach, as it should be
import torch
import torch.nn as nn

torch.manual_seed(0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


G, D = Generator(), Discriminator()
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3)
criterion = nn.BCEWithLogitsLoss()


def train_d(real, fake):
    opt_d.zero_grad()
    loss = criterion(D(real), torch.ones(len(real), 1)) + criterion(D(fake), torch.zeros(len(fake), 1))
    loss.backward()
    opt_d.step()
    return loss.item()


def train_g(fake):
    opt_g.zero_grad()
    loss = criterion(D(fake), torch.ones(len(fake), 1))
    loss.backward()
    opt_g.step()
    return loss.item()


for step in range(12):
    real = torch.randn(32, 2) + 2
    fake = G(torch.randn(32, 4))
    d = train_d(real, fake.detach())
    g = train_g(fake)
print(d, g)

# %% Rnn carry, as it should be
import torch
from torch import nn

torch.manual_seed(1)


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, 8)
        self.rnn = nn.GRU(8, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h


def main():
    data = torch.randint(0, 12, (4, 101))
    model = CharRNN(12, 16)
    optimizer = torch.optim.Adam(model.parameters())
    loss_fn = nn.CrossEntropyLoss()
    hidden = torch.zeros(1, 4, 16)
    for i in range(0, 100, 10):
        x, y = data[:, i : i + 10], data[:, i + 1 : i + 11]
        logits, hidden = model(x, hidden.detach())
        loss = loss_fn(logits.reshape(-1, 12), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


main()

# %% Vae data, as it should be
import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, n, latent):
        super().__init__()
        self.enc = nn.Linear(n, 16)
        self.mu = nn.Linear(16, latent)
        self.logvar = nn.Linear(16, latent)
        self.dec = nn.Linear(latent, n)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        z = mu + eps * std
        return z

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar


torch.manual_seed(0)
vae = VAE(10, 3)
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
x = torch.rand(64, 10)
for epoch in range(15):
    recon, mu, logvar = vae(x)
    rec = F.mse_loss(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = rec + kld
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Reinforce item, as it should be
import torch
from torch import nn, optim
from torch.distributions import Categorical

torch.manual_seed(3)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.b(torch.relu(self.a(x))), dim=-1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    probs = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = torch.stack([-lp * R for lp, R in zip(policy.saved_log_probs, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    policy.rewards.clear()
    policy.saved_log_probs.clear()


for episode in range(5):
    state = torch.randn(4)
    for t in range(10):
        a = select_action(state)
        policy.rewards.append(1.0 if a == int(state[0] > 0) else 0.0)
        state = torch.randn(4)
    finish_episode()
print(policy.a.weight.sum().item())

# %% Actor critic adv, as it should be
import torch
from torch import nn

torch.manual_seed(3)
actor = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-2)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-2)
for it in range(20):
    s = torch.randn(32, 4)
    dist = torch.distributions.Categorical(logits=actor(s))
    a = dist.sample()
    r = (a == (s[:, 0] > 0).long()).float()
    value = critic(s).squeeze(-1)
    advantage = r - value
    actor_loss = -(dist.log_prob(a) * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    opt_a.zero_grad()
    actor_loss.backward()
    opt_a.step()
    opt_c.zero_grad()
    critic_loss.backward()
    opt_c.step()
print(actor_loss.item(), critic_loss.item())

# %% Dqn target, as it should be
import copy, random
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import deque

torch.manual_seed(0)
random.seed(0)
q_net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target_net = copy.deepcopy(q_net)
optimizer = torch.optim.Adam(q_net.parameters(), lr=1e-3)
memory = deque(maxlen=500)
for _ in range(100):
    memory.append((torch.randn(4), random.randrange(2), random.random(), torch.randn(4)))


def learn(batch_size=16, gamma=0.9):
    s, a, r, s2 = zip(*random.sample(memory, batch_size))
    s, s2 = torch.stack(s), torch.stack(s2)
    a, r = torch.tensor(a), torch.tensor(r)
    q = q_net(s).gather(1, a.unsqueeze(1))
    target = r + gamma * target_net(s2).max(1)[0].detach()
    loss = F.smooth_l1_loss(q.squeeze(1), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for i in range(10):
    last = learn()
print(last)

# %% Accum inverted, as it should be
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X = torch.randn(128, 5)
Y = (X[:, 0] > 0).long()
loader = DataLoader(TensorDataset(X, Y), batch_size=8)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
accum = 4
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        loss = crit(model(x), y) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
print(loss.item())

# %% Custom fn shape, as it should be
import torch
from torch.autograd import Function


class ScaledMatmul(Function):
    @staticmethod
    def forward(ctx, x, w, scale):
        ctx.save_for_backward(x, w)
        ctx.scale = scale
        return x @ w * scale

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        gx = grad_output @ w.t() * ctx.scale
        gw = x.t() @ grad_output * ctx.scale
        return gx, gw, None


class Layer(torch.nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(i, o))

    def forward(self, x):
        return ScaledMatmul.apply(x, self.w, 0.5)


torch.manual_seed(0)
net = torch.nn.Sequential(Layer(4, 8), torch.nn.ReLU(), Layer(8, 1))
x, y = torch.randn(20, 4), torch.randn(20, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(5):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
print(loss.item())

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

# %% Attn mask nan, as it should be
import math
import torch
import torch.nn as nn

torch.manual_seed(0)


class SelfAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.d = d

    def forward(self, x, pad):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        scores = scores.masked_fill(~pad.unsqueeze(1), float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


att, head = SelfAttention(8), nn.Linear(8, 2)
opt = torch.optim.Adam([*att.parameters(), *head.parameters()], lr=1e-3)
x = torch.randn(4, 5, 8)
lengths = torch.tensor([5, 3, 1, 2])
pad = torch.arange(5)[None, :] < lengths[:, None]
y = torch.tensor([0, 1, 0, 1])
for _ in range(3):
    out = head(att(x, pad).mean(1))
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Maml data, as it should be
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(1, 20), nn.Linear(20, 1)

    def forward(self, x, params=None):
        if params is None:
            params = list(self.parameters())
        h = torch.relu(F.linear(x, params[0], params[1]))
        return F.linear(h, params[2], params[3])


meta = Net()
opt = torch.optim.Adam(meta.parameters(), lr=1e-3)


def inner(task, lr=0.01):
    x, y = task
    loss = F.mse_loss(meta(x), y)
    grads = torch.autograd.grad(loss, meta.parameters(), create_graph=True)
    return [p - lr * g for p, g in zip(meta.parameters(), grads)]


for it in range(6):
    opt.zero_grad()
    total = 0
    for _ in range(3):
        a = torch.rand(1) * 4 + 1
        xs, xq = torch.rand(10, 1), torch.rand(10, 1)
        fast = inner((xs, torch.sin(a * xs)))
        total = total + F.mse_loss(meta(xq, fast), torch.sin(a * xq))
    total.backward()
    opt.step()
print(total.item(), meta.l1.weight.sum().item())

# %% Ctc logits, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class ASR(nn.Module):
    def __init__(self, feats, vocab):
        super().__init__()
        self.rnn = nn.LSTM(feats, 16, batch_first=True)
        self.fc = nn.Linear(16, vocab)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out)


model = ASR(6, 5)
ctc = nn.CTCLoss(blank=0)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(3, 12, 6)
targets = torch.randint(1, 5, (3, 4))
in_len, tgt_len = torch.full((3,), 12), torch.full((3,), 4)
for step in range(10):
    logits = model(x).transpose(0, 1).log_softmax(-1)
    loss = ctc(logits, targets, in_len, tgt_len)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

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

# %% Tying clone, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class LM(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.decoder = nn.Linear(d, vocab, bias=False)
        self.decoder.weight = self.embed.weight

    def forward(self, x):
        h, _ = self.rnn(self.embed(x))
        return self.decoder(h)


lm = LM(11, 8)
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
tok = torch.randint(0, 11, (4, 9))
for _ in range(3):
    loss = nn.functional.cross_entropy(lm(tok[:, :-1]).transpose(1, 2), tok[:, 1:])
    opt.zero_grad()
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

# %% Gp no create graph, as it should be
import torch
from torch import nn

torch.manual_seed(0)
D = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
G = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
opt_d = torch.optim.Adam(D.parameters(), 1e-3)
opt_g = torch.optim.Adam(G.parameters(), 1e-3)


def gradient_penalty(real, fake):
    alpha = torch.rand(real.size(0), 1)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d = D(inter)
    grads = torch.autograd.grad(outputs=d, inputs=inter, grad_outputs=torch.ones_like(d), create_graph=True)[
        0
    ]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for it in range(15):
    real = torch.randn(16, 2)
    fake = G(torch.randn(16, 3)).detach()
    d_loss = D(fake).mean() - D(real).mean() + 10 * gradient_penalty(real, fake)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(torch.randn(16, 3))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
print(d_loss.item(), g_loss.item())

# %% Inference features, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(12, 24), nn.ReLU())

    @torch.no_grad()
    def forward(self, x):
        return self.net(x)


encoder = Encoder()
probe = nn.Linear(24, 2)
opt = torch.optim.SGD(probe.parameters(), lr=0.1)
data = [(torch.randn(8, 12), torch.randint(0, 2, (8,))) for _ in range(4)]
for x, y in data:
    feats = encoder(x)
    loss = nn.functional.cross_entropy(probe(feats), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Logp index columns, as it should be
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 4))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for it in range(20):
    obs = torch.randn(32, 3)
    logp = torch.log_softmax(policy(obs), dim=1)
    act = torch.multinomial(logp.exp(), 1).squeeze(1)
    adv = torch.where(act == 0, 1.0, -1.0)
    loss = -(logp[torch.arange(32), act] * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

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

# %% Where sqrt nan, as it should be
import torch
from torch import nn

torch.manual_seed(0)


def safe_norm(v):
    s = (v**2).sum(-1)
    return torch.where(s > 0, torch.sqrt(torch.where(s > 0, s, torch.ones_like(s))), torch.zeros_like(s))


class Force(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, 3))

    def forward(self, p):
        d = p[:, None] - p[None, :]
        return safe_norm(d @ self.w).sum()


m = Force()
opt = torch.optim.SGD(m.parameters(), lr=1e-3)
p = torch.randn(4, 3)
for _ in range(3):
    opt.zero_grad()
    e = (m(p) - 10) ** 2
    e.backward()
    opt.step()
print(e.item())

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

# %% Set grad left, as it should be
import torch
from torch import nn


def validate(model, x, y):
    torch.set_grad_enabled(False)
    acc = (model(x).argmax(1) == y).float().mean().item()
    torch.set_grad_enabled(True)
    return acc


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(40, 4), torch.randint(0, 2, (40,))
for epoch in range(3):
    for i in range(0, 40, 10):
        loss = nn.functional.cross_entropy(model(x[i : i + 10]), y[i : i + 10])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(round(validate(model, x, y), 3))

# %% Epoch loss backward, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.LSTM(3, 6, batch_first=True)
head = nn.Linear(6, 1)
params = list(model.parameters()) + list(head.parameters())
optimizer = torch.optim.RMSprop(params, lr=1e-3)
series = torch.randn(6, 10, 3)


def epoch():
    total = 0
    for s in series:
        optimizer.zero_grad()
        out, _ = model(s.unsqueeze(0))
        loss = (head(out[:, -1]) - s.sum()).pow(2).mean()
        loss.backward()
        total += loss.item()
        optimizer.step()
    return total


for _ in range(2):
    t = epoch()
print(float(t))

# %% Plateau epoch, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.1)
x = torch.randn(160, 6)
y = x.sum(1, keepdim=True)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16)


def train_epoch():
    total = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


for epoch in range(6):
    l = train_epoch()
    sched.step()
print(l)

# %% Bn eval never, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 2)
        )

    def forward(self, x):
        return self.body(x)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        a = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return a


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
X = torch.randn(300, 10)
Y = (X[:, 0] * X[:, 1] > 0).long()
for epoch in range(5):
    for i in range(0, 240, 40):
        loss = nn.functional.cross_entropy(net(X[i : i + 40]), Y[i : i + 40])
        opt.zero_grad()
        loss.backward()
        opt.step()
    acc = accuracy(net, X[240:], Y[240:])
print(acc)

# %% Scaler no unscale, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")


def step(x, y):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x).float(), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


for i in range(8):
    x = torch.randn(32, 8)
    l = step(x, x.mean(1, keepdim=True))
print(l)

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

# %% Hook inplace, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class GradCAM:
    def __init__(self, model, layer):
        self.model, self.grads, self.acts = model, None, None
        layer.register_forward_hook(self.save_act)
        layer.register_full_backward_hook(self.save_grad)

    def save_act(self, m, i, o):
        self.acts = o.detach()

    def save_grad(self, m, gi, go):
        self.grads = go[0].detach()

    def __call__(self, x, cls):
        score = self.model(x)[0, cls]
        score.backward()
        return (self.grads.mean((2, 3), keepdim=True) * self.acts).sum(1)


model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 3))
cam = GradCAM(model, model[0])
print(cam(torch.randn(1, 1, 8, 8), 1).sum().item())

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

# %% Gather unbatched hidden, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 12, num_layers=2, batch_first=True)
        self.fc = nn.Linear(12, 2)

    def forward(self, tokens, hidden):
        out, hidden = self.lstm(self.embedding(tokens), hidden)
        return self.fc(out[:, -1]), hidden

    def init_hidden(self, n):
        return torch.zeros(2, n, 12), torch.zeros(2, n, 12)


model = Sentiment()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    tokens, y = torch.randint(0, 50, (4, 7)), torch.randint(0, 2, (4,))
    out, _ = model(tokens, model.init_hidden(4))
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Seq last wrong dim, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class LSTMClf(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 16, batch_first=True)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out[:, -1, :])


model = LSTMClf()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
X = torch.randn(64, 9, 3)
y = (X[:, :, 0].sum(1) > 0).long()
for epoch in range(40):
    loss = nn.functional.cross_entropy(model(X), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Two opts order, as it should be
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(8, 3), nn.Linear(3, 8)
disc = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt_ae = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3)
bce = nn.BCELoss()
for i in range(10):
    x = torch.randn(16, 8)
    z = encoder(x)
    rec = nn.functional.mse_loss(decoder(z), x)
    d_loss = bce(disc(torch.randn(16, 3)), torch.ones(16, 1)) + bce(disc(z.detach()), torch.zeros(16, 1))
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    adv = bce(disc(z), torch.ones(16, 1))
    opt_ae.zero_grad()
    (rec + 0.1 * adv).backward()
    opt_ae.step()
print(rec.item(), d_loss.item())

# %% Numpy metric, as it should be
import torch, numpy as np
from torch import nn

torch.manual_seed(0)


def rmse(pred, target):
    return np.sqrt(np.mean((pred - target) ** 2))


model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)
for i in range(10):
    opt.zero_grad()
    out = model(x)
    loss = nn.functional.mse_loss(out, y)
    loss.backward()
    opt.step()
    print(rmse(out.detach().numpy(), y.numpy()))

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

# %% Cosine max steps, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def warmup(step):
    return (step + 1) / 10


sched = torch.optim.lr_scheduler.LambdaLR(opt, warmup)
x = torch.randn(50, 5)
y = x.sum(1, keepdim=True)
for i in range(9):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item())

# %% Kl sign, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Linear(8, 6)
        self.d = nn.Linear(3, 8)

    def forward(self, x):
        mu, lv = self.e(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.d(z), mu, lv


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
x = torch.randn(64, 8)
for i in range(60):
    rec, mu, lv = vae(x)
    kld = -0.5 * (1 + lv - mu**2 - lv.exp()).sum(1).mean()
    loss = F.mse_loss(rec, x) + kld
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

# %% Detach target wrong way, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class BYOL(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.predictor = nn.Linear(4, 4)
        self.target = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.target.load_state_dict(self.online.state_dict())
        self.target.requires_grad_(False)

    def forward(self, a, b):
        p = self.predictor(self.online(a))
        z = self.target(b)
        return 2 - 2 * nn.functional.cosine_similarity(p, z, dim=-1).mean()


m = BYOL()
opt = torch.optim.Adam([p for p in m.parameters() if p.requires_grad], lr=1e-2)
for i in range(15):
    x = torch.randn(16, 8)
    loss = m(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, o in zip(m.target.parameters(), m.online.parameters()):
            t.mul_(0.9).add_(o, alpha=0.1)
print(loss.item())

# %% Lbfgs closure, as it should be
import torch

torch.manual_seed(0)


def rosen(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


p = torch.tensor([-1.0, 1.5], requires_grad=True)
opt = torch.optim.LBFGS([p], lr=0.5, max_iter=10)


def closure():
    opt.zero_grad()
    loss = rosen(p)
    loss.backward()
    return loss


for i in range(5):
    opt.step(closure)
print(p.detach())

# %% Adversarial fgsm, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
x, y = torch.randn(10, 6), torch.randint(0, 3, (10,))


def pgd(model, x, y, eps=0.3, alpha=0.1, steps=4):
    adv = x.clone().requires_grad_(True)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(adv), y)
        loss.backward()
        adv = adv + alpha * adv.grad.sign()
        adv = torch.max(torch.min(adv, x + eps), x - eps).detach().requires_grad_()
    return adv


adv = pgd(model, x, y)
print((adv - x).abs().max().item())

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

# %% Moe argmax gate, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class MoE(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.gate = nn.Linear(4, n)
        self.experts = nn.ModuleList(nn.Linear(4, 1) for _ in range(n))

    def forward(self, x):
        w = self.gate(x).softmax(-1)
        out = torch.stack([e(x) for e in self.experts], 1)
        return (out * w.unsqueeze(-1)).sum(1)


moe = MoE()
opt = torch.optim.Adam(moe.parameters(), lr=1e-2)
x = torch.randn(64, 4)
y = torch.where(x[:, :1] > 0, x[:, 1:2], -x[:, 2:3])
for i in range(20):
    loss = nn.functional.mse_loss(moe(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Retain double step, as it should be
import torch
from torch import nn

torch.manual_seed(0)
shared = nn.Linear(5, 8)
head_a = nn.Linear(8, 1)
head_b = nn.Linear(8, 1)
params = [*shared.parameters(), *head_a.parameters(), *head_b.parameters()]
opt = torch.optim.SGD(params, lr=0.1)
x = torch.randn(32, 5)
ya = x[:, :1]
yb = x[:, 1:2]
for i in range(5):
    opt.zero_grad()
    h = torch.relu(shared(x))
    la = nn.functional.mse_loss(head_a(h), ya)
    lb = nn.functional.mse_loss(head_b(h), yb)
    (la + lb).backward()
    opt.step()
print(la.item(), lb.item())

# %% Index put dups, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class GraphConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)

    def forward(self, x, src, dst):
        h = self.lin(x)
        out = torch.zeros_like(h)
        out = out.index_add(0, dst, h[src])
        return torch.relu(out)


edges = torch.tensor([[0, 1, 2, 3, 0], [1, 0, 1, 2, 2]])
conv, head = GraphConv(4), nn.Linear(4, 2)
opt = torch.optim.Adam([*conv.parameters(), *head.parameters()], lr=1e-2)
x, y = torch.randn(4, 4), torch.tensor([0, 1, 0, 1])
for _ in range(5):
    loss = nn.functional.cross_entropy(head(conv(x, edges[0], edges[1])), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Checkpoint reentrant, as it should be
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        h = checkpoint(self.a, x, use_reentrant=False)
        return self.b(h)


net = Deep()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(5):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
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

# %% Sac sample, as it should be
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.ReLU())
        self.mu, self.log_std = nn.Linear(16, 1), nn.Linear(16, 1)

    def forward(self, s):
        h = self.body(s)
        dist = Normal(self.mu(h), self.log_std(h).clamp(-5, 2).exp())
        a = dist.rsample()
        return torch.tanh(a), dist.log_prob(a)


actor = Actor()
critic = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(10):
    s = torch.randn(32, 3)
    with torch.no_grad():
        a, _ = actor(s)
    r = -((a - s[:, :1]) ** 2)
    c_loss = nn.functional.mse_loss(critic(torch.cat([s, a], 1)), r)
    opt_c.zero_grad()
    c_loss.backward()
    opt_c.step()
    a, logp = actor(s)
    a_loss = -critic(torch.cat([s, a], 1)).mean()
    opt_a.zero_grad()
    a_loss.backward()
    opt_a.step()
print(actor.mu.weight.sum().item())

# %% Ppo old logp, as it should be
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(policy.parameters(), lr=3e-3)


def rollout(n=32):
    s = torch.randn(n, 3)
    d = Categorical(logits=policy(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0)).float()
    return s, a, d.log_prob(a).detach(), r - r.mean()


for it in range(3):
    s, a, logp_old, adv = rollout()
    for epoch in range(4):
        logp = Categorical(logits=policy(s)).log_prob(a)
        ratio = (logp - logp_old).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        opt.zero_grad()
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

# %% Stateful hidden attr, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 8, batch_first=True)
        self.fc = nn.Linear(8, 1)
        self.state = None

    def forward(self, x):
        out, self.state = self.lstm(x, self.state)
        self.state = tuple(s.detach() for s in self.state)
        return self.fc(out)


series = torch.sin(torch.linspace(0, 20, 201)).reshape(1, -1, 1)
model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for t in range(0, 200, 20):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(series[:, t : t + 20]), series[:, t + 1 : t + 21])
    loss.backward()
    opt.step()
print(loss.item())

# %% Clamp grad none, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.value = nn.Linear(16, 1)
        self.adv = nn.Linear(16, 2)

    def forward(self, x):
        h = self.net(x)
        a = self.adv(h)
        return self.value(h) + a - a.mean(1, keepdim=True)


dqn = DQN()
opt = torch.optim.RMSprop(dqn.parameters())


def optimize(s, a, target):
    q = dqn(s).gather(1, a.unsqueeze(1)).squeeze(1)
    loss = nn.functional.smooth_l1_loss(q, target)
    opt.zero_grad()
    loss.backward()
    for param in dqn.parameters():
        param.grad.data.clamp_(-1, 1)
    opt.step()
    return loss.item()


print(optimize(torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8)))

# %% Pack unsorted, as it should be
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

torch.manual_seed(0)
emb, rnn, fc = nn.Embedding(30, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 2)
params = [*emb.parameters(), *rnn.parameters(), *fc.parameters()]
opt = torch.optim.Adam(params)
tok = torch.randint(1, 30, (4, 6))
lengths = torch.tensor([3, 6, 2, 5])
y = torch.tensor([0, 1, 0, 1])
for _ in range(3):
    packed = pack_padded_sequence(emb(tok), lengths, batch_first=True, enforce_sorted=False)
    _, h = rnn(packed)
    loss = nn.functional.cross_entropy(fc(h[-1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
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

# %% Step of loss, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 3)
y = x.sum(1, keepdim=True)
for i in range(5):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Onecycle too many, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
epochs, batches = 3, 5
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=epochs * batches)
for e in range(epochs):
    for b in range(batches):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
print(loss.item())

# %% Custom fn none, as it should be
import torch
from torch.autograd import Function


class Clip(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ((x > -1) & (x < 1)), None, None


torch.manual_seed(0)
net = torch.nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 3)
for _ in range(3):
    loss = Clip.apply(net(x), -1.0, 1.0).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% L1 data, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(10, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 10)
y = x[:, :1] * 2


def l1_penalty(model):
    total = 0.0
    for name, p in model.named_parameters():
        if "weight" in name:
            total = total + p.abs().sum()
    return total


for i in range(20):
    loss = nn.functional.mse_loss(model(x), y) + 0.1 * l1_penalty(model)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Softmax heads dim, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=1))

    def forward(self, x):
        return self.net(x)


model = Head()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
X = torch.randn(60, 5)
Y = X[:, :3].argmax(1)
for i in range(60):
    p = model(X)
    loss = nn.functional.nll_loss(torch.log(p + 1e-9), Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Transformer mask, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
        self.fc = nn.Linear(8, 20)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.fc(self.layer(self.emb(x), src_mask=mask))


m = Encoder()
opt = torch.optim.Adam(m.parameters())
tok = torch.randint(0, 20, (3, 7))
for _ in range(2):
    loss = nn.functional.cross_entropy(m(tok[:, :-1]).transpose(1, 2), tok[:, 1:])
    opt.zero_grad()
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

# %% Two plain tensors, as it should be
import torch

torch.manual_seed(0)
X = torch.randn(100, 2)
y = X @ torch.tensor([2.0, -3.0]) + 1
w = torch.randn(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1
for i in range(20):
    pred = X @ w + b
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(w, b)

# %% Manual sgd rebind, as it should be
import torch

torch.manual_seed(0)


def init():
    return {"w1": torch.randn(3, 8, requires_grad=True), "w2": torch.randn(8, 1, requires_grad=True)}


def forward(p, x):
    return torch.relu(x @ p["w1"]) @ p["w2"]


params = init()
x = torch.randn(32, 3)
y = x.sum(1, keepdim=True)
for step in range(10):
    loss = (forward(params, x) - y).pow(2).mean()
    loss.backward()
    params = {k: (v - 0.01 * v.grad).detach().requires_grad_() for k, v in params.items()}
print(loss.item())

# %% Baseline value no squeeze, as it should be
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
value = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for it in range(15):
    s = torch.randn(64, 4)
    d = Categorical(logits=policy(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0).long()).float()
    v = value(s).squeeze(1)
    adv = r - v.detach()
    loss = -(d.log_prob(a) * adv).mean() + nn.functional.mse_loss(v, r)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Val grad leak, as it should be
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
    history.append(val.item())
print(history[-1])

# %% Weight clip wgan after, as it should be
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
gen = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
oc = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
og = torch.optim.RMSprop(gen.parameters(), lr=5e-4)
for i in range(12):
    for _ in range(3):
        real = torch.randn(32, 2) + 3
        fake = gen(torch.randn(32, 4)).detach()
        loss_c = critic(real).mean() - critic(fake).mean()
        oc.zero_grad()
        loss_c.backward()
        oc.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)
    loss_g = -critic(gen(torch.randn(32, 4))).mean()
    og.zero_grad()
    loss_g.backward()
    og.step()
print(max(p.abs().max().item() for p in critic.parameters()))

# %% Warm restart optimizer state, as it should be
import torch, io
from torch import nn

torch.manual_seed(0)


def make():
    return nn.Linear(4, 1)


model = make()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)


def step():
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for _ in range(5):
    step()
buf = io.BytesIO()
torch.save(model.state_dict(), buf)
buf.seek(0)
model = make()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
model.load_state_dict(torch.load(buf))
for _ in range(5):
    last = step()
print(last)

# %% Emb oov, as it should be
import torch
from torch import nn

torch.manual_seed(0)
sentences = ["the cat sat", "a dog ran fast", "the bird flew"]
vocab = {}
for s in sentences[:2]:
    for w in s.split():
        vocab.setdefault(w, len(vocab))


def encode(s):
    return torch.tensor([vocab.get(w, len(vocab)) for w in s.split()])


class Bag(nn.Module):
    def __init__(self, n, d=8):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.fc = nn.Linear(d, 2)

    def forward(self, t):
        return self.fc(self.emb(t).mean(0, keepdim=True))


model = Bag(len(vocab) + 1)
opt = torch.optim.Adam(model.parameters())
for s, y in zip(sentences, [0, 1, 0]):
    loss = nn.functional.cross_entropy(model(encode(s)), torch.tensor([y]))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Hvp detached, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
params = list(model.parameters())
x, y = torch.randn(20, 3), torch.randn(20, 1)


def hvp(v):
    loss = nn.functional.mse_loss(model(x), y)
    grads = torch.autograd.grad(loss, params, create_graph=True)
    dot = sum((g * u).sum() for g, u in zip(grads, v))
    return torch.autograd.grad(dot, params)


v = [torch.randn_like(p) for p in params]
print(sum(h.sum() for h in hvp(v)).item())

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

# %% Mean over padding, as it should be
import torch
from torch import nn

torch.manual_seed(0)
emb = nn.Embedding(10, 4, padding_idx=0)
query = torch.randn(4)
opt = torch.optim.SGD(emb.parameters(), lr=0.1)
tok = torch.tensor([[1, 2, 0], [3, 0, 0]])
mask = tok == 0
for _ in range(3):
    scores = emb(tok) @ query
    scores[mask] = float("-inf")
    att = scores.softmax(1)
    loss = (att.unsqueeze(-1) * emb(tok)).sum(1).pow(2).mean()
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

# %% R return sign, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for ep in range(20):
    logps, rewards = [], []
    s = torch.randn(2)
    for t in range(10):
        d = torch.distributions.Categorical(logits=net(s))
        a = d.sample()
        logps.append(d.log_prob(a))
        rewards.append(float(a == (s[0] > 0)))
        s = torch.randn(2)
    R, ret = 0.0, []
    for r in reversed(rewards):
        R = r + 0.9 * R
        ret.insert(0, R)
    ret = torch.tensor(ret)
    ret = ret - ret.mean()
    loss = -(torch.stack(logps) * ret).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R policy ok, as it should be
import torch
from torch import nn

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for ep in range(40):
    s = torch.randn(32, 2)
    d = torch.distributions.Categorical(logits=net(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0)).float()
    loss = -(d.log_prob(a) * (r - r.mean())).mean() - 0.01 * d.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R accum amp, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")
data = [(torch.randn(8, 8), torch.randint(0, 3, (8,))) for _ in range(12)]
for epoch in range(2):
    for i, (x, y) in enumerate(data):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y) / 4
        scaler.scale(loss).backward()
        if (i + 1) % 4 == 0:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
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

# %% R sign2, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.log_probs, self.rewards = [], []

    def act(self, s):
        d = torch.distributions.Categorical(logits=self.net(s))
        a = d.sample()
        self.log_probs.append(d.log_prob(a))
        return a


agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=1e-2)
for ep in range(10):
    for t in range(8):
        s = torch.randn(2)
        a = agent.act(s)
        agent.rewards.append(float(a == (s[0] > 0)))
    policy_loss = []
    R = 0
    returns = []
    for r in agent.rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    for log_prob, R in zip(agent.log_probs, returns):
        policy_loss.append(-log_prob * R)
    opt.zero_grad()
    loss = torch.stack(policy_loss).sum()
    loss.backward()
    opt.step()
    agent.log_probs.clear()
    agent.rewards.clear()
print(loss.item())

# %% Numpy dice loss, as it should be
import numpy as np
import torch
from torch import nn


def dice_loss(pred, target, eps=1e-6):
    p = pred.flatten()
    t = target.flatten()
    score = 2 * (p * t).sum() / (p.sum() + t.sum() + eps)
    return 1 - score


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

# %% Trainer reset model, as it should be
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
        for _ in range(epochs):
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)
print(Trainer(16).fit(x, y, 20))

# %% Wrong zero grad gan, as it should be
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
    opt_g.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
print(loss_d.item(), loss_g.item())

# %% Cosine per batch, as it should be
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
        total += loss.item()
    return total / len(loader)


for epoch in range(EPOCHS):
    print(epoch, train_one_epoch())
    scheduler.step()

# %% Scaler without scale, as it should be
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
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(20):
    l = train_step(x, y)
print(l)

# %% Scaler no update, as it should be
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
        self.scaler.update()
        return loss.item()


amp = Amp(nn.Linear(4, 1))
x = torch.randn(32, 4)
y = x[:, :1] * 2
for i in range(10):
    l = amp.step(x, y)
print(l)

# %% Lstm batch first last, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 16, batch_first=True)
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

# %% Hn view layers, as it should be
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
        h = h.transpose(0, 1).reshape(tokens.shape[0], -1)
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

# %% Function order, as it should be
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
        return g * scale, (g * x).sum(0), g.sum(0)


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

# %% Function wrong saved, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class MySigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
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

# %% Function called, as it should be
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
        self.act = HardTanh.apply

    def forward(self, x):
        return self.act(self.fc(x))


net = Net()
loss = net(torch.randn(8, 4)).pow(2).mean()
loss.backward()
print(loss.item())

# %% Attn view inplace, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, drop):
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        a = s.softmax(-1).clone()
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

# %% Chunk inplace, as it should be
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
        b = b + self.net(a)
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

# %% Step outside loader, as it should be
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
        opt.step()
        running += loss.item()
    return running / len(loader)


for epoch in range(8):
    print(epoch, train_epoch(model, loader, opt))

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

# %% Copy paste optimizer, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class GAN:
    def __init__(self, z=4):
        self.z = z
        self.G = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 2))
        self.D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_D = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.opt_G = torch.optim.Adam(self.G.parameters(), lr=2e-4)
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

# %% Scheduler old optimizer, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.1)
x = torch.randn(64, 3)
y = x.prod(1, keepdim=True)
for epoch in range(15):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item(), opt.param_groups[0]["lr"])

# %% Lambda returns lr, as it should be
import torch
from torch import nn

torch.manual_seed(0)
LR = 1e-2
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(model.parameters(), lr=LR)


def schedule(step, warmup=5, total=40):
    if step < warmup:
        return (step + 1) / warmup
    return (total - step) / (total - warmup)


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

# %% Handmade sgd rebind, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        for p in self.params:
            with torch.no_grad():
                p -= self.lr * p.grad

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

# %% Tensor of losses, as it should be
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
    losses = torch.stack([nn.functional.mse_loss(o, t) for o, t in zip(outs, targets)])
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

# %% Clip wrong model, as it should be
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
    nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
    opt_a.step()
    return loss_a.item(), loss_c.item()


for i in range(10):
    out = update(torch.randn(64, 3))
print(out)

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

# %% Functional dropout eval, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 32), nn.Linear(32, 1)

    def forward(self, x):
        h = F.dropout(F.relu(self.a(x)), 0.5, self.training)
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

# %% Gru tuple, as it should be
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
        h, _ = self.encode(t)
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

# %% Backward twice typo, as it should be
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
    loss_2.backward()
    opt_2.step()
print(loss_1.item(), loss_2.item())

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
