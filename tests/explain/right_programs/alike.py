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
