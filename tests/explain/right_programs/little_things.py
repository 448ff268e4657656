# %% Losses in a list that become one
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
losses = []
for i in range(4):
    losses.append((w * torch.randn(3)).sum() ** 2)
opt.zero_grad()
torch.stack(losses).mean().backward()
opt.step()


# %% A loss that is summed over a sequence
net = torch.nn.RNNCell(2, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    h, total = torch.zeros(1, 3), 0
    for t in range(4):
        h = net(torch.randn(1, 2), h)
        total += h.pow(2).mean()
    opt.zero_grad()
    total.backward()
    opt.step()


# %% Missing data that is masked out
x = torch.tensor([1.0, float("nan"), 3.0])
known = ~torch.isnan(x)
w = torch.ones(3, requires_grad=True)
loss = ((w[known] - x[known]) ** 2).sum()
loss.backward()


# %% A mean without missing data
x = torch.tensor([1.0, float("nan"), 3.0])
mean = x.nanmean()
filled = torch.nan_to_num(x, nan=mean.item())


# %% Rows that are scattered to the same place, all with one value
seen = torch.zeros(5, dtype=torch.bool)
seen.scatter_(0, torch.tensor([1, 1, 3]), torch.ones(3, dtype=torch.bool))


# %% Rows that are marked by an index with repetitions
flags = torch.zeros(5)
flags[torch.tensor([1, 1, 3])] = 1.0


# %% Counts with repetitions, by index_put_ that accumulates
counts = torch.zeros(4)
counts.index_put_((torch.tensor([0, 0, 2]),), torch.ones(3), accumulate=True)


# %% A row that is repeated without memory, and only read
row = torch.arange(3.0)
table = row.expand(4, 3)
total = (table * 2).sum()


# %% An expanded row that is copied before it is written to
row = torch.zeros(3)
table = row.expand(2, 3).clone()
table[0] = 1


# %% A permutation
x = torch.arange(5)
shuffled = x[torch.randperm(5)]


# %% Distances by broadcasting a column and a row
a, b = torch.randn(4, 2, requires_grad=True), torch.randn(4, 2)
gaps = ((a[:, None] - b[None]) ** 2).sum(-1)
gaps.min(1).values.sum().backward()


# %% An outer difference of positions
position = torch.arange(4)
relative = position[:, None] - position


# %% A comparison that is printed, not used
w = torch.ones(2, requires_grad=True)
y = (w * 2).sum()
y.backward()
print(w.grad == torch.tensor([2.0, 2.0]))


# %% The last line of a cell shows a detached tensor
w = torch.ones(2, requires_grad=True)
y = w * 2
y.detach()


# %% A mask instead of a branch, with whole numbers
labels = torch.tensor([0, 1, 2, 1])
scores = torch.randn(4, 3, requires_grad=True)
right = scores[torch.arange(4), labels]
margin = (scores - right[:, None] + 1).clamp(min=0)
margin.sum().backward()


# %% An infinite score for what must not be chosen
scores = torch.tensor([[1.0, float("-inf"), 2.0]], requires_grad=True)
scores.softmax(1)[0, 2].backward()


# %% A logarithm of a sum of exponentials
x = torch.tensor([1000.0, 1001.0], requires_grad=True)
torch.logsumexp(x, 0).backward()


# %% A square root that stays away from zero
x = torch.zeros(3, requires_grad=True)
(x.pow(2).sum() + 1e-6).sqrt().backward()


# %% An angle by two coordinates
p = torch.tensor([0.0, 1.0], requires_grad=True)
torch.atan2(p[1], p[0]).backward()


# %% A norm of what is zero
x = torch.zeros(3, requires_grad=True)
x.norm().backward()


# %% Gradients with respect to a part of a tensor
w = torch.randn(4, requires_grad=True)
w[:2].pow(2).sum().backward()


# %% A parameter that is exactly right already
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x = torch.randn(3, 2)
y = x.sum(1)
loss = (x @ w - y).pow(2).mean()
value = loss.item()


# %% Momentum by hand
w = torch.randn(3, requires_grad=True)
speed = torch.zeros(3)
for i in range(4):
    loss = (w**2).sum()
    loss.backward()
    with torch.no_grad():
        speed = 0.9 * speed + w.grad
        w -= 0.1 * speed
        w.grad.zero_()


# %% A step of Newton
w = torch.tensor([3.0], requires_grad=True)
for i in range(3):
    loss = (w - 1).pow(4).sum()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), w)
    with torch.no_grad():
        w -= g / h


# %% Gradients of a numerical test
from torch.autograd import gradcheck

x = torch.randn(3, dtype=torch.float64, requires_grad=True)
fine = gradcheck(lambda v: (v**3).sum(), (x,))


# %% A running maximum
best = torch.full((3,), float("-inf"))
for i in range(3):
    best = torch.maximum(best, torch.randn(3))


# %% A tensor that grows by concatenation
rows = torch.empty(0, 2)
for i in range(3):
    rows = torch.cat([rows, torch.randn(1, 2)])


# %% A state dictionary that is averaged
a, b = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
mixed = {k: (v + b.state_dict()[k]) / 2 for k, v in a.state_dict().items()}
a.load_state_dict(mixed)


# %% Weights that are pruned by a mask
layer = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
mask = (layer.weight.abs() > 0.1).float()
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.linear(torch.randn(5, 4), layer.weight * mask, layer.bias).pow(2).mean().backward()
    opt.step()


# %% Noise on the gradients
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(4, 2)).pow(2).mean().backward()
    for p in net.parameters():
        p.grad += 0.01 * torch.randn_like(p.grad)
    opt.step()


# %% Gradients from two sources, averaged as workers do
first, second = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
second.load_state_dict(first.state_dict())
opt = torch.optim.SGD(first.parameters(), lr=0.1)
for step in range(2):
    first.zero_grad()
    second.zero_grad()
    first(torch.randn(4, 2)).pow(2).mean().backward()
    second(torch.randn(4, 2)).pow(2).mean().backward()
    for p, q in zip(first.parameters(), second.parameters()):
        p.grad = (p.grad + q.grad) / 2
    opt.step()
    second.load_state_dict(first.state_dict())


# %% Sharpness-aware steps
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 2), torch.randn(6, 1)
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    moves = []
    with torch.no_grad():
        for p in net.parameters():
            move = 0.05 * p.grad / (p.grad.norm() + 1e-12)
            p.add_(move)
            moves.append(move)
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    with torch.no_grad():
        for p, move in zip(net.parameters(), moves):
            p.sub_(move)
    opt.step()
