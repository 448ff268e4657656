# %% Training in a function of another cell
m = torch.nn.Linear(2, 1)
opt = torch.optim.Adam(m.parameters())


def train(n):
    total = 0.0
    for i in range(n):
        opt.zero_grad()
        l = (m(torch.randn(4, 2)) ** 2).mean()
        l.backward()
        opt.step()
        total += l.item()
    return total


# %%
train(5)


# %% A closure of another cell for LBFGS
w = torch.ones(2, requires_grad=True)
opt = torch.optim.LBFGS([w])


def closure():
    opt.zero_grad()
    l = ((w - 3) ** 2).sum()
    l.backward()
    return l


# %%
for i in range(3):
    opt.step(closure)


# %% Micro-batches in a function of another cell
m = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def step(batches):
    opt.zero_grad()
    for b in batches:
        l = (m(b) ** 2).mean() / len(batches)
        l.backward()
    opt.step()


# %%
for k in range(3):
    step([torch.randn(4, 2) for _ in range(4)])


# %% Losses that are added up in a loop, and backward() after it
m = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def step(xs):
    opt.zero_grad()
    loss = 0
    for x in xs:
        loss = loss + (m(x) ** 2).mean()
    loss.backward()
    opt.step()


# %%
for k in range(3):
    step([torch.randn(4, 2) for _ in range(4)])


# %% The loss of the last step of an RNN
rnn = torch.nn.RNN(2, 3)
opt = torch.optim.SGD(rnn.parameters(), lr=0.01)


def run(xs):
    opt.zero_grad()
    h = torch.zeros(1, 1, 3)
    for x in xs:
        y, h = rnn(x, h)
        loss = (y**2).mean()
    loss.backward()
    opt.step()


# %%
for k in range(2):
    run([torch.randn(1, 1, 2) for _ in range(3)])


# %% A hook of another cell that clips
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda g: g.clamp(-1, 1))
# %%
(w * 3).sum().backward()


# %% Numbers for a picture, taken in a function
import numpy as np

w = torch.ones(2, requires_grad=True)


def show(x):
    return float(np.mean(x.detach().numpy()))


# %%
y = w * 2
show(y)
(y**2).sum().backward()


# %% A target network that a function updates
a = torch.nn.Linear(2, 1)
b = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(a.parameters(), lr=0.01)


def soft(t, s):
    with torch.no_grad():
        for p, q in zip(t.parameters(), s.parameters()):
            p.mul_(0.9).add_(q, alpha=0.1)


def learn(x):
    with torch.no_grad():
        y = b(x)
    l = ((a(x) - y) ** 2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    soft(b, a)


# %%
for i in range(4):
    learn(torch.randn(3, 2))


# %% Labels made of numbers in a function
import numpy as np

w = torch.ones(2, requires_grad=True)
v = torch.ones(2, requires_grad=True)


def label(x):
    return torch.tensor(np.sign(x.detach().numpy()))


# %%
y = w * 2
t = label(y)
((y - t) ** 2).sum().backward()


# %% Evaluation with dropout off in a function
m = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def ev(x):
    m.eval()
    with torch.no_grad():
        r = m(x).mean().item()
    m.train()
    return r


def tr(x):
    m.train()
    opt.zero_grad()
    l = m(x).pow(2).mean()
    l.backward()
    opt.step()


# %%
for i in range(3):
    tr(torch.randn(4, 4))
    ev(torch.randn(4, 4))


# %% Batches from a generator
m = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def batches(n):
    for i in range(n):
        yield torch.randn(4, 2), torch.randn(4, 1)


# %%
for x, t in batches(4):
    opt.zero_grad()
    l = (m(x) - t).pow(2).mean()
    l.backward()
    opt.step()


# %% A partial of a lambda
from functools import partial

f = partial(lambda k, x: (x * k).tanh(), 2)
w = torch.ones(2, requires_grad=True)
# %%
f(w).sum().backward()


# %% A class that trains and keeps losses as numbers
class T:
    def __init__(self):
        self.m = torch.nn.Linear(2, 1)
        self.o = torch.optim.Adam(self.m.parameters())
        self.h = []

    def fit(self, n):
        for _ in range(n):
            self.o.zero_grad()
            l = self.m(torch.randn(4, 2)).pow(2).mean()
            l.backward()
            self.o.step()
            self.h.append(l.item())


t = T()
# %%
t.fit(6)


# %% A while loop that ends by break
w = torch.tensor([1.0], requires_grad=True)
# %%
while True:
    w.grad = None
    l = ((w - 3) ** 2).sum()
    l.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    if l.item() < 1e-6:
        break


# %% autograd.grad() in a function
w = torch.ones(2, requires_grad=True)


def g(x):
    return torch.autograd.grad((w * x).sum(), w)[0]


# %%
for i in range(3):
    g(torch.randn(2))


# %% A gradient penalty in a function
d = torch.nn.Linear(2, 1)
o = torch.optim.SGD(d.parameters(), lr=0.01)


def gp(x):
    x = x.clone().requires_grad_()
    (g,) = torch.autograd.grad(d(x).sum(), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %%
for i in range(3):
    o.zero_grad()
    l = d(torch.randn(3, 2)).mean() + gp(torch.randn(3, 2))
    l.backward()
    o.step()


# %% A frozen backbone, trained in a function
b = torch.nn.Linear(2, 2)
h = torch.nn.Linear(2, 1)
for p in b.parameters():
    p.requires_grad_(False)
o = torch.optim.SGD(h.parameters(), lr=0.01)


def step(x):
    o.zero_grad()
    l = h(b(x)).pow(2).mean()
    l.backward()
    o.step()


# %%
for i in range(3):
    step(torch.randn(3, 2))


# %% A round of a GAN in a function
G = torch.nn.Linear(2, 2)
D = torch.nn.Linear(2, 1)
og = torch.optim.SGD(G.parameters(), lr=0.01)
od = torch.optim.SGD(D.parameters(), lr=0.01)


def round_():
    z = torch.randn(4, 2)
    od.zero_grad()
    l = D(G(z).detach()).mean() - D(torch.randn(4, 2)).mean()
    l.backward()
    od.step()
    og.zero_grad()
    l = -D(G(z)).mean()
    l.backward()
    og.step()


# %%
for i in range(3):
    round_()


# %% A recursion
def deep(x, n):
    return x if n == 0 else deep((x * 0.9).tanh(), n - 1)


w = torch.ones(2, requires_grad=True)
# %%
deep(w, 5).sum().backward()


# %% Losses of a comprehension
m = torch.nn.Linear(2, 1)
# %%
l = torch.stack([m(torch.randn(3, 2)).pow(2).mean() for _ in range(3)]).sum()
l.backward()


# %% A method that a function returns
m = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def get():
    return opt.step


# %%
opt.zero_grad()
m(torch.ones(1, 2)).sum().backward()
get()()


# %% The best loss, as a number
m = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01)


def fit(n):
    best = None
    for i in range(n):
        opt.zero_grad()
        l = m(torch.ones(2, 2)).pow(2).mean()
        l.backward()
        opt.step()
        best = l.item() if best is None else min(best, l.item())
    return best


# %%
fit(4)


# %% A list of leaves, and a function that reads it
ws = [torch.randn(2, 2, requires_grad=True) for _ in range(3)]


def fwd(x):
    for w in ws:
        x = (x @ w).tanh()
    return x


# %%
for i in range(2):
    for w in ws:
        w.grad = None
    fwd(torch.ones(1, 2)).sum().backward()


# %% An embedding in a module of another cell
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.e = torch.nn.Embedding(5, 3)
        self.l = torch.nn.Linear(3, 2)

    def forward(self, i):
        return self.l(self.e(i).mean(1))


m = M()
o = torch.optim.Adam(m.parameters())
# %%
for i in range(3):
    o.zero_grad()
    torch.nn.functional.cross_entropy(m(torch.tensor([[0, 1], [2, 3]])), torch.tensor([0, 1])).backward()
    o.step()


# %% Five hundred rounds in a function
m = torch.nn.Linear(2, 1)
o = torch.optim.SGD(m.parameters(), lr=0.01)


def go(n):
    for i in range(n):
        o.zero_grad()
        m(torch.ones(4, 2)).pow(2).mean().backward()
        o.step()


# %%
go(500)


# %% A schedule in a function
m = torch.nn.Linear(2, 1)
o = torch.optim.SGD(m.parameters(), lr=0.1)
s = torch.optim.lr_scheduler.StepLR(o, 2)


def go(n):
    for i in range(n):
        o.zero_grad()
        m(torch.ones(4, 2)).pow(2).mean().backward()
        o.step()
        s.step()


# %%
go(4)
