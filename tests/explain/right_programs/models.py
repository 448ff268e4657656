# %% Layers in a ModuleList
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(5, 4)).pow(2).mean().backward()
    opt.step()


# %% A plain list of layers that are registered too
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 1)
        self.order = [self.first, self.second]

    def forward(self, x):
        for layer in self.order:
            x = layer(x)
        return x


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(5, 3)).pow(2).mean().backward()
    opt.step()


# %% A plain list of layers that the optimizer is given too
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(3, 3)
        self.extra = [torch.nn.Linear(3, 1)]

    def forward(self, x):
        return self.extra[0](self.first(x))


net = Net()
opt = torch.optim.SGD([*net.parameters(), *net.extra[0].parameters()], lr=0.05)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(5, 3)).pow(2).mean().backward()
    opt.step()


# %% A teacher kept in a list so that it is not registered
class Student(torch.nn.Module):
    def __init__(self, teacher):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)
        self.teacher = [teacher]

    def loss(self, x):
        with torch.no_grad():
            wanted = self.teacher[0](x)
        return torch.nn.functional.mse_loss(self.layer(x), wanted)


student = Student(torch.nn.Linear(3, 2))
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(2):
    opt.zero_grad()
    student.loss(torch.randn(4, 3)).backward()
    opt.step()


# %% Tied weights
class Words(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.Embedding(6, 4)
        self.out = torch.nn.Linear(4, 6, bias=False)
        self.out.weight = self.rows.weight

    def forward(self, x):
        return self.out(self.rows(x).tanh())


net = Words()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.tensor([0, 3, 5]), torch.tensor([1, 4, 0])
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% A layer that is used twice
layer = torch.nn.Linear(3, 3)
opt = torch.optim.SGD(layer.parameters(), lr=0.05)
for step in range(2):
    opt.zero_grad()
    layer(layer(torch.randn(4, 3)).relu()).pow(2).mean().backward()
    opt.step()


# %% A layer that forward does not use yet
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.later = torch.nn.Linear(3, 1), torch.nn.Linear(3, 1)

    def forward(self, x):
        return self.used(x)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(2):
    opt.zero_grad()
    net(torch.randn(4, 3)).pow(2).mean().backward()
    opt.step()


# %% Experts, of which one is chosen
experts = torch.nn.ModuleList([torch.nn.Linear(3, 1) for _ in range(3)])
gate = torch.nn.Linear(3, 3)
opt = torch.optim.SGD([*experts.parameters(), *gate.parameters()], lr=0.05)
for step in range(2):
    x = torch.randn(1, 3)
    p = gate(x).softmax(1)
    best = p.argmax(1).item()
    loss = (experts[best](x) * p[:, best : best + 1] - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% An LSTM
net, head = torch.nn.LSTM(2, 4, batch_first=True), torch.nn.Linear(4, 1)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=0.01)
x, y = torch.randn(3, 5, 2), torch.randn(3, 1)
for step in range(2):
    out, (h, c) = net(x)
    loss = torch.nn.functional.mse_loss(head(out[:, -1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Cells of recurrent layers, one step at a time
cell, gate, head = torch.nn.LSTMCell(2, 4), torch.nn.GRUCell(4, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *gate.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(5, 3, 2), torch.randn(3, 1)
for step in range(2):
    h, c, g = torch.zeros(3, 4), torch.zeros(3, 4), torch.zeros(3, 4)
    for t in x:
        h, c = cell(t, (h, c))
        g = gate(h, g)
    loss = torch.nn.functional.mse_loss(head(g), y)
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Attention
layer = torch.nn.MultiheadAttention(4, 2, batch_first=True)
opt = torch.optim.Adam(layer.parameters(), lr=0.01)
x = torch.randn(2, 5, 4)
for step in range(2):
    out, weights = layer(x, x, x)
    opt.zero_grad()
    (out - x).pow(2).mean().backward()
    opt.step()


# %% A convolutional network
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3, padding=1),
    torch.nn.BatchNorm2d(4),
    torch.nn.ReLU(),
    torch.nn.MaxPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(36, 3),
)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
x, y = torch.randn(6, 1, 6, 6), torch.randint(0, 3, (6,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% A residual block with a gate that starts at zero
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)
        self.gate = torch.nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x + self.gate * self.layer(x).tanh()


net = Block()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(4, 3)
for step in range(3):
    opt.zero_grad()
    (net(x) - 1).pow(2).mean().backward()
    opt.step()


# %% Probabilities in a model, their logarithm in the loss
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Softmax(dim=1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.randint(0, 2, (5,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.nll_loss((net(x) + 1e-8).log(), y).backward()
    opt.step()


# %% Logarithms of probabilities and nll_loss
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.LogSoftmax(dim=1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.randint(0, 2, (5,))
for step in range(2):
    opt.zero_grad()
    torch.nn.NLLLoss()(net(x), y).backward()
    opt.step()


# %% A sigmoid and the loss for probabilities
net = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Sigmoid())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.tensor([[0.0], [1.0], [1.0], [0.0], [1.0]])
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.binary_cross_entropy(net(x), y).backward()
    opt.step()


# %% Attention weights that a loss uses
scores = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(scores.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.tensor(1)
classes = torch.randn(5, 2)
for step in range(2):
    weights = scores(x).softmax(0)
    pooled = (weights * classes).sum(0)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(pooled[None], y[None]).backward()
    opt.step()


# %% A prompt that is learned in front of a fixed network
net = torch.nn.Linear(3, 2)
prompt = torch.nn.Parameter(torch.zeros(3))
opt = torch.optim.Adam([prompt], lr=0.1)
x, y = torch.randn(4, 3), torch.randint(0, 2, (4,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x + prompt), y).backward()
    opt.step()


# %% Small matrices that are added to a fixed layer
class Adapted(torch.nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = torch.nn.Parameter(torch.randn(2, 4) * 0.1)
        self.up = torch.nn.Parameter(torch.zeros(4, 2))

    def forward(self, x):
        return self.layer(x) + x @ self.down.T @ self.up.T


net = Adapted(torch.nn.Linear(4, 4))
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
x = torch.randn(5, 4)
for step in range(3):
    opt.zero_grad()
    (net(x) - 1).pow(2).mean().backward()
    opt.step()


# %% A model that is only looked at
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
count = sum(p.numel() for p in net.parameters() if p.requires_grad)
out = net(torch.randn(2, 3))


# %% Weights that are set at the beginning
net = torch.nn.Linear(3, 2)
torch.nn.init.xavier_uniform_(net.weight)
torch.nn.init.zeros_(net.bias)
net(torch.randn(4, 3)).pow(2).mean().backward()


# %% A copied model that is trained by its own optimizer
import copy

first = torch.nn.Linear(3, 1)
second = copy.deepcopy(first)
opts = torch.optim.SGD(first.parameters(), lr=0.1), torch.optim.SGD(second.parameters(), lr=0.1)
x = torch.randn(4, 3)
for net, opt in zip((first, second), opts):
    opt.zero_grad()
    (net(x) - 1).pow(2).mean().backward()
    opt.step()


# %% A model in double precision, converted before its optimizer is made
net = torch.nn.Linear(3, 1).to(torch.float64)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(4, 3, dtype=torch.float64)
for step in range(2):
    opt.zero_grad()
    (net(x) - 1).pow(2).mean().backward()
    opt.step()


# %% Cells of a recurrent network, which split their gates and write to the parts
cell = torch.nn.LSTMCell(3, 4)
gru = torch.nn.GRUCell(4, 4)
h = c = g = torch.zeros(2, 4)
for t in range(3):
    h, c = cell(torch.ones(2, 3), (h, c))
    g = gru(h, g)
g.sum().backward()

# %% Recurrent cells without bias, whose state begins with zeros
torch.manual_seed(0)
lstm, gru = torch.nn.LSTMCell(3, 4, bias=False), torch.nn.GRUCell(3, 4, bias=False)
x = torch.randn(2, 3)
h, c = lstm(x)
(h.pow(2).sum() + gru(x).pow(2).sum()).backward()


# %% An embedding with sparse gradients
words = torch.nn.Embedding(10, 4, sparse=True)
opt = torch.optim.SparseAdam(words.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    words(torch.tensor([1, 2, 1])).pow(2).sum().backward()
    opt.step()


# %% Complex parameters
w = torch.randn(3, dtype=torch.complex64, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    (w * w.conj()).real.sum().backward()
    opt.step()

# %% A state that is loaded only where there is one
import torch
from torch import nn


def fit(saved=None):
    net = nn.Linear(2, 1)
    if saved is not None:
        net.load_state_dict(saved, strict=False)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for i in range(3):
        opt.zero_grad()
        (net(torch.ones(3, 2)) - 1).pow(2).sum().backward()
        opt.step()
    return net


resume = None
model = fit(resume)
if resume:
    model.load_state_dict(resume, strict=False)
y = model(torch.ones(1, 2))
