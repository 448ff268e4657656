# %% A target network
import copy

q = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
target_net = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=0.01)
state, following, reward = torch.randn(6, 3), torch.randn(6, 3), torch.randn(6)
action = torch.randint(0, 2, (6, 1))
for step in range(3):
    with torch.no_grad():
        target = reward + 0.9 * target_net(following).max(1)[0]
    value = q(state).gather(1, action).squeeze(1)
    loss = torch.nn.functional.smooth_l1_loss(value, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
target_net.load_state_dict(q.state_dict())


# %% A target that is detached
value = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(value.parameters(), lr=0.1)
state, following, reward = torch.randn(6, 3), torch.randn(6, 3), torch.randn(6, 1)
for step in range(3):
    target = reward + 0.9 * value(following).detach()
    loss = ((value(state) - target) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A target network that follows slowly
import copy

online = torch.nn.Linear(3, 2)
target = copy.deepcopy(online)
target.requires_grad_(False)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
x = torch.randn(4, 3)
for step in range(3):
    loss = torch.nn.functional.mse_loss(online(x), target(x + 0.1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for slow, fast in zip(target.parameters(), online.parameters()):
            slow.lerp_(fast, 0.05)


# %% A teacher and a student
teacher, student = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)
opt = torch.optim.Adam(student.parameters(), lr=0.01)
x = torch.randn(6, 4)
for step in range(3):
    with torch.no_grad():
        soft = torch.softmax(teacher(x) / 2, dim=1)
    logs = torch.log_softmax(student(x) / 2, dim=1)
    loss = torch.nn.functional.kl_div(logs, soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A vector quantization with a straight-through estimator
encoder, decoder, codes = torch.nn.Linear(4, 2), torch.nn.Linear(2, 4), torch.nn.Embedding(5, 2)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters(), *codes.parameters()], lr=0.01)
x = torch.randn(6, 4)
for step in range(3):
    z = encoder(x)
    nearest = torch.cdist(z, codes.weight).argmin(1)
    chosen = codes(nearest)
    through = z + (chosen - z).detach()
    loss = (
        torch.nn.functional.mse_loss(decoder(through), x)
        + torch.nn.functional.mse_loss(chosen, z.detach())
        + 0.25 * torch.nn.functional.mse_loss(z, chosen.detach())
    )
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A straight-through estimator of rounding
layer = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.tensor([[1.0, 0.0]] * 5)
for step in range(3):
    soft = torch.sigmoid(layer(x))
    hard = (soft > 0.5).float()
    out = hard + soft - soft.detach()
    loss = ((out - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Two views of one input, one of them without a gradient
encoder, predictor = torch.nn.Linear(4, 3), torch.nn.Linear(3, 3)
opt = torch.optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.05)
x = torch.randn(6, 4)
for step in range(3):
    a, b = encoder(x + 0.1 * torch.randn_like(x)), encoder(x + 0.1 * torch.randn_like(x))
    loss = (
        -(
            torch.cosine_similarity(predictor(a), b.detach(), dim=1).mean()
            + torch.cosine_similarity(predictor(b), a.detach(), dim=1).mean()
        )
        / 2
    )
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Two branches that are drawn together, both with gradients
left, right = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)
opt = torch.optim.SGD([*left.parameters(), *right.parameters()], lr=0.05)
x = torch.randn(6, 4)
for step in range(3):
    loss = torch.nn.functional.mse_loss(left(x), right(-x)) + (left(x).std(0) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A generator and a discriminator
torch.manual_seed(0)
G = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
D = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.LeakyReLU(0.2), torch.nn.Linear(4, 1))
opt_g, opt_d = torch.optim.Adam(G.parameters(), lr=0.01), torch.optim.Adam(D.parameters(), lr=0.01)
bce = torch.nn.BCEWithLogitsLoss()
real = torch.randn(6, 2) + 2
one, zero = torch.ones(6, 1), torch.zeros(6, 1)
for step in range(3):
    fake = G(torch.randn(6, 2))
    opt_d.zero_grad()
    d_loss = bce(D(real), one) + bce(D(fake.detach()), zero)
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = bce(D(fake), one)
    g_loss.backward()
    opt_g.step()


# %% A discriminator that learns alone in this cell
G, D = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
opt_g, opt_d = torch.optim.SGD(G.parameters(), lr=0.1), torch.optim.SGD(D.parameters(), lr=0.1)
bce = torch.nn.BCEWithLogitsLoss()
# %%
for step in range(2):
    opt_d.zero_grad()
    real, fake = torch.randn(4, 2), G(torch.randn(4, 2)).detach()
    (bce(D(real), torch.ones(4, 1)) + bce(D(fake), torch.zeros(4, 1))).backward()
    opt_d.step()


# %% A critic with a gradient penalty
critic = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
opt = torch.optim.Adam(critic.parameters(), lr=0.01)
for step in range(2):
    real, fake = torch.randn(5, 2), torch.randn(5, 2) + 1
    between = (real + torch.rand(5, 1) * (fake - real)).requires_grad_(True)
    (g,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    penalty = ((g.norm(dim=1) - 1) ** 2).mean()
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% An actor and a critic with one optimizer
actor, critic = torch.nn.Linear(3, 2), torch.nn.Linear(3, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
state, returns = torch.randn(6, 3), torch.randn(6)
for step in range(3):
    logs = torch.log_softmax(actor(state), dim=1)
    action = torch.multinomial(logs.exp().detach(), 1)
    value = critic(state).squeeze(1)
    advantage = (returns - value).detach()
    loss = -(logs.gather(1, action).squeeze(1) * advantage).mean() + ((returns - value) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A policy gradient with a running baseline
policy = torch.nn.Linear(2, 3)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
baseline = 0.0
for episode in range(3):
    state = torch.randn(5, 2)
    dist = torch.distributions.Categorical(logits=policy(state))
    action = dist.sample()
    reward = (action == 1).float()
    loss = -(dist.log_prob(action) * (reward - baseline)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    baseline = 0.9 * baseline + 0.1 * reward.mean().item()


# %% Clipped policy optimization over some epochs
policy = torch.nn.Linear(2, 3)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
state, advantage = torch.randn(6, 2), torch.randn(6)
with torch.no_grad():
    old = torch.distributions.Categorical(logits=policy(state))
    action = old.sample()
    before = old.log_prob(action)
for epoch in range(3):
    now = torch.distributions.Categorical(logits=policy(state)).log_prob(action)
    ratio = (now - before).exp()
    loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Truncated backpropagation through time
cell, head = torch.nn.RNNCell(2, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(6, 3, 2), torch.randn(6, 3, 1)
h = torch.zeros(3, 4)
for start in range(0, 6, 2):
    h = h.detach()
    loss = 0
    for t in range(start, start + 2):
        h = cell(x[t], h)
        loss = loss + torch.nn.functional.mse_loss(head(h), y[t])
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A frozen body
body, head = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
for p in body.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(head(body(x).relu()), y).backward()
    opt.step()


# %% A frozen body, and only what learns in the optimizer
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
net[0].requires_grad_(False)
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% A frozen body in an optimizer that has everything
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
net[0].requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% Features that are computed once without a graph
body, head = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
with torch.no_grad():
    features = body(x).relu()
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(head(features), y).backward()
    opt.step()


# %% A head on a body that is not frozen and not in the optimizer
body, head = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(head(body(x)), y).backward()
    opt.step()


# %% A probe on detached features while the network learns
net, probe = torch.nn.Linear(3, 4), torch.nn.Linear(4, 1)
head = torch.nn.Linear(4, 2)
opt = torch.optim.SGD([*net.parameters(), *head.parameters(), *probe.parameters()], lr=0.1)
x, y, z = torch.randn(6, 3), torch.randint(0, 2, (6,)), torch.randn(6, 1)
for step in range(3):
    h = net(x).tanh()
    loss = torch.nn.functional.cross_entropy(head(h), y) + torch.nn.functional.mse_loss(probe(h.detach()), z)
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% An adversarial example by the sign of the gradient
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.eval()
x, y = torch.randn(2, 3, requires_grad=True), torch.tensor([0, 1])
loss = torch.nn.functional.cross_entropy(net(x), y)
loss.backward()
adversarial = (x + 0.1 * x.grad.sign()).detach()


# %% An adversarial example in steps
net = torch.nn.Linear(3, 2)
net.requires_grad_(False)
x, y = torch.randn(2, 3), torch.tensor([0, 1])
moved = x.clone()
for step in range(4):
    moved.requires_grad_(True)
    loss = torch.nn.functional.cross_entropy(net(moved), y)
    (g,) = torch.autograd.grad(loss, moved)
    moved = (moved + 0.05 * g.sign()).detach()


# %% An image that is optimized, against a network that is not
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 2, 3), torch.nn.Tanh(), torch.nn.Flatten(), torch.nn.Linear(32, 1)
)
image = torch.rand(1, 1, 6, 6, requires_grad=True)
opt = torch.optim.Adam([image], lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = -net(image).mean()
    loss.backward()
    opt.step()


# %% Features of two images compared by a network that is not trained
features = torch.nn.Linear(4, 6)
made = torch.randn(2, 4, requires_grad=True)
real = torch.randn(2, 4)
opt = torch.optim.Adam([made], lr=0.05)
for step in range(3):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(features(made), features(real))
    loss.backward()
    opt.step()


# %% Labels that are learned
labels = torch.zeros(4, 2, requires_grad=True)
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD([labels, *net.parameters()], lr=0.1)
x = torch.randn(4, 3)
for step in range(3):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), labels) + (labels.sum(1) - 1).pow(2).mean()
    loss.backward()
    opt.step()


# %% Pseudo-labels from the network itself
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.3), torch.nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(6, 3)
for step in range(3):
    with torch.no_grad():
        pseudo = net(x).argmax(1)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x + 0.1), pseudo).backward()
    opt.step()


# %% An encoder for keys that follows another one
import copy

queries = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
keys = copy.deepcopy(queries)
opt = torch.optim.SGD(queries.parameters(), lr=0.1)
x = torch.randn(6, 3)
for step in range(2):
    with torch.no_grad():
        for k, q in zip(keys.parameters(), queries.parameters()):
            k.mul_(0.9).add_(0.1 * q)
        k = torch.nn.functional.normalize(keys(x), dim=1)
    scores = torch.nn.functional.normalize(queries(x + 0.1), dim=1) @ k.T
    opt.zero_grad()
    torch.nn.functional.cross_entropy(scores / 0.2, torch.arange(6)).backward()
    opt.step()


# %% Q-learning with a memory
import random
from collections import deque


class Q(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))

    def forward(self, state):
        return self.net(state)


random.seed(0)
q, target_q = Q(), Q()
target_q.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters())
memory = deque(maxlen=50)
state = torch.randn(3)
for t in range(8):
    with torch.no_grad():
        action = q(state[None]).argmax(1).item() if random.random() > 0.1 else 0
    following = torch.randn(3)
    memory.append((state, action, 1.0, following))
    state = following
    if len(memory) >= 4:
        s, a, r, s2 = zip(*random.sample(list(memory), 4))
        s, a, r, s2 = torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2)
        chosen = q(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            target = r + 0.99 * target_q(s2).max(1).values
        loss = torch.nn.functional.mse_loss(chosen, target)
        opt.zero_grad()
        loss.backward()
        opt.step()


# %% A body that thaws, with a new optimizer
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
for p in net[0].parameters():
    p.requires_grad = False
opt = torch.optim.SGD(net[2].parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randint(0, 2, (8,))
for epoch in range(4):
    if epoch == 2:
        for p in net[0].parameters():
            p.requires_grad = True
        opt = torch.optim.SGD(net.parameters(), lr=0.01)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% An image in the style of another one
net = torch.nn.Conv2d(1, 3, 3)
image, style = torch.rand(1, 1, 6, 6, requires_grad=True), torch.rand(1, 1, 6, 6)


def gram(features):
    flat = features.flatten(2)
    return flat @ flat.transpose(1, 2) / flat.numel()


target = gram(net(style)).detach()
opt = torch.optim.LBFGS([image], max_iter=3)


def closure():
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(gram(net(image)), target)
    loss.backward()
    return loss


opt.step(closure)


# %% A multiplier that climbs while the weights descend
net = torch.nn.Linear(3, 1)
multiplier = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
dual = torch.optim.SGD([multiplier], lr=0.1, maximize=True)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for step in range(5):
    loss = torch.nn.functional.mse_loss(net(x), y) + multiplier * (net.weight.pow(2).sum() - 0.1)
    opt.zero_grad()
    dual.zero_grad()
    loss.backward()
    opt.step()
    dual.step()


# %% Triplets
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
anchor = torch.randn(6, 3)
for step in range(2):
    opt.zero_grad()
    loss = torch.nn.functional.triplet_margin_loss(net(anchor), net(anchor + 0.1), net(anchor.flip(0)))
    loss.backward()
    opt.step()


# %% A gradient of the input that a module keeps
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)

    def forward(self, x):
        self.seen = x.clone().detach().requires_grad_()
        return self.layer(self.seen)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(4, 3)).pow(2).sum().backward()
    opt.step()


# %% Only the last of several outputs is used, and a step of one's own writes through .data
cell, head = torch.nn.Linear(5, 3), torch.nn.Linear(3, 2)
for _ in range(3):
    state = torch.zeros(1, 3)
    for part in torch.randn(4, 1, 2):
        state = torch.tanh(cell(torch.cat([part, state], 1)))
        scores = head(state)
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor([1]))
    loss.backward()
    for p in [*cell.parameters(), *head.parameters()]:
        p.data.sub_(p.grad.data, alpha=0.1)
        p.grad = None

# %% A point that begins where a network says, and is looked for by its own gradient
import torch
from torch import nn

net, judge = nn.Linear(2, 3), nn.Linear(3, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for i in range(3):
    point = torch.tensor(net(torch.ones(2)).tolist(), requires_grad=True)
    loss = judge(point).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(point.grad.norm())
