# %% An attack in steps, whose gradients in the model nobody uses
model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
x, y = torch.randn(5, 6), torch.randint(0, 3, (5,))
adv = x.clone().requires_grad_(True)
for step in range(4):
    loss = torch.nn.functional.cross_entropy(model(adv), y)
    loss.backward()
    adv = adv + 0.1 * adv.grad.sign()
    adv = torch.max(torch.min(adv, x + 0.3), x - 0.3).detach().requires_grad_()


# %% A critic with a gradient penalty, on one line each
critic, made = torch.nn.Linear(2, 1), torch.nn.Linear(3, 2)
theirs, ours = torch.optim.Adam(critic.parameters(), 1e-3), torch.optim.Adam(made.parameters(), 1e-3)
for it in range(5):
    real, fake = torch.randn(8, 2), made(torch.randn(8, 3)).detach()
    mixed = (0.5 * real + 0.5 * fake).requires_grad_()
    score = critic(mixed) ** 2
    slope = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)[0]
    loss = critic(fake).mean() - critic(real).mean() + 10 * ((slope.norm(2, 1) - 1) ** 2).mean()
    theirs.zero_grad()
    loss.backward()
    theirs.step()
    loss = -critic(made(torch.randn(8, 3))).mean()
    ours.zero_grad()
    loss.backward()
    ours.step()


# %% A step of a model by gradients of the first order
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for task in range(3):
    x, y = torch.randn(6, 2), torch.randn(6, 1)
    first = (net(x) - y).pow(2).mean()
    slopes = torch.autograd.grad(first, net.parameters())
    weight, bias = (p - 0.1 * s for p, s in zip(net.parameters(), slopes))
    loss = (x @ weight.T + bias - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% The evidence bound with the divergence taken away
net, out = torch.nn.Linear(4, 4), torch.nn.Linear(2, 4)
opt = torch.optim.Adam([*net.parameters(), *out.parameters()], lr=0.01)
x = torch.randn(8, 4)
for step in range(5):
    mu, logvar = net(x).chunk(2, 1)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    kld = 0.5 * (1 + logvar - mu**2 - logvar.exp()).sum(1).mean()
    loss = (out(z) - x).pow(2).mean() - kld
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% The last step of a sequence, after a transposition
lstm, head = torch.nn.LSTM(3, 4), torch.nn.Linear(4, 2)
opt = torch.optim.Adam([*lstm.parameters(), *head.parameters()], lr=0.01)
x, y = torch.randn(5, 7, 3), torch.randint(0, 2, (5,))
for step in range(3):
    out, _ = lstm(x.transpose(0, 1))
    out = out.transpose(0, 1)
    loss = torch.nn.functional.cross_entropy(head(out[:, -1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Some columns of every row
net = torch.nn.Linear(4, 3)
x = torch.randn(2, 4)
columns = torch.tensor([2, 0])
loss = net(x)[:, columns].pow(2).mean()
loss.backward()


# %% A loss that is printed before another one gets its name
net = torch.nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 4), torch.randn(6, 3)
for step in range(3):
    loss = torch.nn.functional.l1_loss(net(x), y)
    seen = loss.item()
    loss = torch.nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% An alignment learned from logarithms of probabilities
rnn, head = torch.nn.GRU(3, 6), torch.nn.Linear(6, 4)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=0.01)
x, labels = torch.randn(8, 2, 3), torch.randint(1, 4, (2, 3))
for step in range(3):
    out, _ = rnn(x)
    scores = torch.nn.functional.log_softmax(head(out), dim=2)
    loss = torch.nn.functional.ctc_loss(scores, labels, torch.tensor([8, 8]), torch.tensor([3, 3]))
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A penalty of weights that is only watched
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 4), torch.randn(6, 1)
for step in range(3):
    loss = torch.nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        total = loss + 0.1 * net.weight.abs().sum()


# %% A Function of large arrays with its derivative
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, scale):
        ctx.save_for_backward(x, w)
        ctx.scale = scale
        return x @ w * scale

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w.t() * ctx.scale, x.t() @ grad * ctx.scale, None


w = torch.randn(12, 9, requires_grad=True)
loss = Scaled.apply(torch.randn(30, 12), w, 0.5).relu().pow(2).mean()
loss.backward()


# %% A policy that costs are to be small for
policy = torch.nn.Linear(3, 2)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
for step in range(5):
    s = torch.randn(16, 3)
    d = torch.distributions.Categorical(logits=policy(s))
    a = d.sample()
    adv = -(a == (s[:, 0] > 0)).float()
    loss = (d.log_prob(a) * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% An estimate of a divergence from samples as a penalty
policy = torch.nn.Linear(3, 4)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
s = torch.randn(16, 3)
mu, log_std = policy(s).chunk(2, 1)
a = torch.distributions.Normal(mu, log_std.exp()).sample()
old = torch.distributions.Normal(mu, log_std.exp()).log_prob(a).sum(1).detach() - 0.5
for step in range(4):
    mu, log_std = policy(s).chunk(2, 1)
    new = torch.distributions.Normal(mu, log_std.exp()).log_prob(a).sum(1)
    kl = (old - new).mean()
    loss = -((new - old).exp() * a[:, 0]).mean() + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A target that a network computed without a record, for one state
q = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(q.parameters(), lr=0.01)
for step in range(4):
    s, following = torch.randn(3), torch.randn(3)
    with torch.no_grad():
        target = 1.0 + 0.9 * q(following).max()
    loss = (target - q(s)[0]) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Two sequences of a batch that are compared
import torch
from torch import nn

torch.manual_seed(0)
rnn = nn.GRU(3, 8)
opt = torch.optim.Adam(rnn.parameters(), lr=1e-2)
x = torch.randn(6, 2, 3)
for i in range(5):
    out, h = rnn(x)
    loss = (out[:, 0] - out[:, -1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% The last sequence of a batch, and the states of all
import torch
from torch import nn

torch.manual_seed(0)
rnn, head = nn.LSTM(3, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=1e-2)
x = torch.randn(6, 4, 3)
y = torch.randn(6, 1)
z = torch.randn(4, 8)
for i in range(5):
    out, (h, c) = rnn(x)
    loss = (head(out[:, -1]) - y).pow(2).mean() + (h[-1] - z).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% The last step of a recurrent layer, after a transposition and back
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        out, _ = self.rnn(x.transpose(0, 1))
        out = out.transpose(0, 1)
        return self.head(out[:, -1])


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(6, 4, 3)
y = torch.randn(6, 1)
for i in range(5):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% A prototype for each label of the batch
import torch
from torch import nn

torch.manual_seed(0)


class Center(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 16)
        self.centers = nn.Parameter(torch.randn(16, 3))

    def forward(self, x, y):
        return (self.body(x).T - self.centers[:, y]).pow(2).sum(0).mean()


net = Center()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 5)
y = torch.randint(0, 3, (16,))
for i in range(5):
    loss = net(x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Chosen columns of a parameter, and a penalty on them
import torch

torch.manual_seed(0)
w = torch.randn(16, 3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x = torch.randn(16, 16)
y = torch.randint(0, 3, (16,))
for i in range(5):
    chosen = w[:, y]
    loss = (x @ chosen).pow(2).mean() + 0.01 * chosen.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Emissions of a hidden Markov model
import torch

torch.manual_seed(0)
B = torch.randn(8, 3, requires_grad=True)
A = torch.randn(8, 8, requires_grad=True)
opt = torch.optim.Adam([A, B], lr=0.05)
obs = torch.randint(0, 3, (8,))
for i in range(5):
    emit = B.log_softmax(1)[:, obs]
    move = A.log_softmax(1)
    alpha = emit[:, 0]
    for t in range(1, 8):
        alpha = (alpha[:, None] + move).logsumexp(0) + emit[:, t]
    loss = -alpha.logsumexp(0)
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Scores of all pairs, of which a mask keeps some
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 4)
y = torch.randint(0, 3, (12,))
same = (y[:, None] == y).float()
for i in range(5):
    pairs = net(x).log_softmax(1)[:, y]
    loss = -(pairs * same).sum() / same.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% A mixture over the samples of a batch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 4)
y = torch.randint(0, 3, (12,))
w = torch.rand(12, 12).softmax(0)
for i in range(5):
    pairs = net(x).log_softmax(1)[:, y]
    loss = -(pairs.logsumexp(0)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Distances of all pairs of two sets of the same size
import torch

a, b = torch.randn(5, requires_grad=True), torch.randn(5)
opt = torch.optim.SGD([a], lr=0.1)
for step in range(4):
    loss = (a[:, None] - b).abs().min(1).values.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print((a.detach().round().unsqueeze(1) == b.round()).sum())

# %% A comparison of each label with each other
import torch

labels, others = torch.randint(0, 3, (6,)), torch.randint(0, 3, (6,))
same = labels[:, None] == others
print(same.float().mean())

# %% All steps of a sequence in one row, as many steps as sequences
import torch
from torch import nn

torch.manual_seed(0)
rnn, head = nn.GRU(3, 4, batch_first=True), nn.Linear(20, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(5, 5, 3), torch.randn(5, 1)
for step in range(3):
    out, h = rnn(x)
    loss = (head(out.reshape(5, -1)) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% All steps of a sequence in one row
import torch
from torch import nn

torch.manual_seed(0)
rnn, head = nn.LSTM(3, 4, batch_first=True), nn.Linear(24, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(5, 6, 3), torch.randn(5, 1)
for step in range(3):
    out, (h, c) = rnn(x)
    loss = (head(out.reshape(5, -1)) - y).pow(2).mean() + 0.01 * h.view(-1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Gradients of each sample are measured, and a step is made with that of all
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 2), torch.randn(6, 1)
for epoch in range(3):
    sizes = []
    for i in range(6):
        opt.zero_grad()
        loss = (net(x[i]) - y[i]).pow(2).mean()
        loss.backward()
        sizes.append(net.weight.grad.norm().item())
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()

# %% One optimizer after the other for the same network, against a network that stays
import torch
from torch import nn

torch.manual_seed(0)
net, judge = nn.Linear(2, 2), nn.Linear(2, 1).requires_grad_(False)
first = torch.optim.Adam(net.parameters(), lr=0.01)
then = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(6, 2)
for opt in (first, then):
    for step in range(3):
        loss = judge(net(x)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

# %% A leaf that is frozen by its attribute, and a module by its method
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
net[0].weight.requires_grad = False
net[0].bias.requires_grad = False
net[0].requires_grad_(False)
for p in net[2].parameters():
    p.requires_grad = True
opt = torch.optim.SGD(net[2].parameters(), lr=0.1)
for step in range(3):
    loss = net(torch.randn(4, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% Two models are clipped, each before its step
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
opt_a = torch.optim.Adam(actor.parameters(), lr=0.01)
opt_c = torch.optim.Adam(critic.parameters(), lr=0.01)
for step in range(3):
    s = torch.randn(8, 3)
    v = critic(s)
    loss_c = (v - s[:, :1]).pow(2).mean()
    loss_a = -(actor(s).log_softmax(1)[:, :1] * v.detach()).mean()
    opt_c.zero_grad()
    loss_c.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
    opt_c.step()
    opt_a.zero_grad()
    loss_a.backward()
    nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
    opt_a.step()

# %% A number of another loss is computed to be printed
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for step in range(3):
    loss = (net(x) - y).pow(2).mean()
    error = (net(x) - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(error)

# %% Triplets by distances, and by similarities
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
anchor, positive, negative = torch.randn(3, 8, 3)
crit = nn.TripletMarginLoss()
margin = 0.2
for step in range(4):
    loss = crit(net(anchor), net(positive), net(negative))
    a, p, n = map(nn.functional.normalize, (net(anchor), net(positive), net(negative)))
    s_pos, s_neg = (a * p).sum(1), (a * n).sum(1)
    loss = loss + torch.relu(s_neg - s_pos + margin).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% A first training with a schedule, and a second one without
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
for epoch in range(4):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% A factor of the learning rate that counts in rates
import torch
from torch import nn

torch.manual_seed(0)
LR, LEAST = 0.1, 0.01
net = nn.Linear(3, 1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=LR)
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda epoch: max(LEAST / LR, 0.5**epoch))
for epoch in range(4):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()

# %% A cosine over all batches
import torch
from torch import nn

torch.manual_seed(0)
EPOCHS, BATCHES = 3, 4
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * BATCHES)
for epoch in range(EPOCHS):
    for batch in torch.randn(BATCHES, 8, 3):
        loss = (net(batch) - batch.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        schedule.step()

# %% What an option would do that nobody takes
import torch
from torch import nn

LR = 0.01
torch.manual_seed(0)
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=LR)


def loss_of(a, p, n, hard=False):
    if hard:
        return nn.functional.triplet_margin_loss(a, n, p)
    return nn.functional.triplet_margin_loss(a, p, n)


def plan(opt, absolute=False):
    if absolute:
        return torch.optim.lr_scheduler.LambdaLR(opt, lambda epoch: LR * 0.9**epoch)
    return torch.optim.lr_scheduler.LambdaLR(opt, lambda epoch: 0.9**epoch)


schedule = plan(opt)
anchor, pos, neg = torch.randn(3, 8, 2)
for i in range(4):
    opt.zero_grad()
    loss_of(net(anchor), net(pos), net(neg)).backward()
    opt.step()
    schedule.step()
