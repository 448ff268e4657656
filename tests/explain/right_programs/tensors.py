# %% Writes to what no derivative needs
x = torch.randn(4, requires_grad=True)
y = x + 1
y.mul_(2)
y[0] = 0
y.sum().backward()


# %% A buffer that is filled row by row
rows = torch.zeros(3, 2)
w = torch.randn(2, requires_grad=True)
for i in range(3):
    rows[i] = w * i
rows.sum().backward()


# %% Views that share on purpose
a = torch.arange(6.0)
b = a.view(2, 3)
b[0, 0] = 10
c = b.t()
total = c.sum()


# %% A clone before a write
x = torch.randn(3, requires_grad=True)
y = x.exp()
z = y.clone()
z[0] = 0
(y * z).sum().backward()


# %% A mask that is filled
scores = torch.randn(2, 4, 4, requires_grad=True)
mask = torch.ones(4, 4).triu(1).bool()
weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
(weights @ torch.randn(4, 3)).pow(2).sum().backward()


# %% Sums into rows by index
index = torch.tensor([0, 1, 0, 2])
x = torch.randn(4, 3, requires_grad=True)
out = torch.zeros(3, 3).index_add(0, index, x)
out.pow(2).sum().backward()


# %% Scattered one-hot rows
labels = torch.tensor([0, 2, 1])
hot = torch.zeros(3, 3).scatter_(1, labels[:, None], 1.0)


# %% Counts by scatter_add_
index = torch.tensor([0, 1, 1, 2])
counts = torch.zeros(3)
counts.scatter_add_(0, index, torch.ones(4))


# %% The best of each row
scores = torch.randn(3, 4, requires_grad=True)
best, where = scores.max(1)
best.sum().backward()


# %% Chosen columns
q = torch.randn(3, 4, requires_grad=True)
chosen = q.gather(1, torch.tensor([[0], [2], [1]]))
chosen.mean().backward()


# %% A NumPy array of a result
import numpy as np

x = torch.randn(3, requires_grad=True)
y = (x**2).detach().numpy()
total = float(np.sum(y))


# %% A tensor from a NumPy array
import numpy as np

data = np.linspace(0, 1, 6, dtype=np.float32).reshape(3, 2)
x = torch.from_numpy(data)
w = torch.zeros(2, requires_grad=True)
((x @ w - 1) ** 2).mean().backward()


# %% A column and a column
pred, target = torch.randn(4, 1, requires_grad=True), torch.randn(4, 1)
((pred - target) ** 2).mean().backward()


# %% All pairs of distances, meant so
x = torch.randn(5, requires_grad=True)
gaps = (x[:, None] - x[None, :]).abs()
gaps.sum().backward()


# %% Division where the divisor may be zero, avoided
x = torch.tensor([0.0, 2.0], requires_grad=True)
safe = torch.where(x > 0, x, torch.ones_like(x))
torch.where(x > 0, 1 / safe, torch.zeros_like(x)).sum().backward()


# %% A logarithm with a small number added
p = torch.tensor([0.0, 0.5, 0.5], requires_grad=True)
entropy = -(p * (p + 1e-8).log()).sum()
entropy.backward()


# %% Whole numbers as an index, floats as data
table = torch.nn.Embedding(6, 2)
words = torch.tensor([1, 3, 3])
table(words).sum().backward()


# %% Half of the computation in another precision
x = torch.randn(3, dtype=torch.float64, requires_grad=True)
y = (x.float() * 2).sum()
y.backward()


# %% Complex numbers
z = torch.randn(3, dtype=torch.complex64, requires_grad=True)
(z.abs() ** 2).sum().backward()


# %% A parameter that is normalized after each step
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
target = torch.tensor([1.0, 0.0, 0.0])
for step in range(3):
    opt.zero_grad()
    (-(w @ target)).backward()
    opt.step()
    with torch.no_grad():
        w /= w.norm()


# %% A parameter that is kept in bounds
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    opt.zero_grad()
    (w - 2).pow(2).sum().backward()
    opt.step()
    w.data.clamp_(-1, 1)


# %% Data that is normalized in place before it is used
x = torch.randn(6, 3) * 5 + 2
x -= x.mean(0)
x /= x.std(0)
w = torch.randn(3, requires_grad=True)
(x @ w).pow(2).mean().backward()


# %% A state that is carried without its history
state = torch.zeros(4)
w = torch.randn(4, requires_grad=True)
for step in range(3):
    out = torch.tanh(state + w)
    w.grad = None
    out.sum().backward()
    state = out.detach()


# %% A number minus a tensor with one element
scores = torch.randn(3, requires_grad=True)
best = torch.zeros(1)
for i in range(2):
    best = best + scores[i]
loss = scores.logsumexp(0) - best
loss.backward()
