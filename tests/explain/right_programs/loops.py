# %% A frozen body stays in eval mode whatever train() says
class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU())
        self.head = torch.nn.Linear(4, 2)
        for p in self.backbone.parameters():
            p.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


net = Classifier()
opt = torch.optim.SGD(net.head.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(torch.randn(6, 3)), torch.randint(0, 2, (6,))).backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        acc = (net(torch.randn(6, 3)).argmax(1) == torch.randint(0, 2, (6,))).float().mean().item()


# %% An LSTM whose state is cut in each round
rnn = torch.nn.LSTM(2, 3, batch_first=True)
head = torch.nn.Linear(3, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=0.01)
state = None
for i in range(4):
    if state is not None:
        state = tuple(s.detach() for s in state)
    out, state = rnn(torch.randn(2, 5, 2), state)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A body that is unfrozen in the fourth round
body, head = torch.nn.Linear(2, 3), torch.nn.Linear(3, 1)
body.requires_grad_(False)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for i in range(6):
    if i == 3:
        body.requires_grad_(True)
        opt.add_param_group({"params": body.parameters(), "lr": 0.01})
    opt.zero_grad()
    (head(body(torch.randn(4, 2)).tanh()) - 1).pow(2).mean().backward()
    opt.step()


# %% Meta-learning through a step of gradient descent
w = torch.randn(2, 1, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
for i in range(3):
    meta = 0
    for task in range(2):
        x, y = torch.randn(4, 2), torch.randn(4, 1)
        (g,) = torch.autograd.grad((x @ w - y).pow(2).mean(), w, create_graph=True)
        fast = w - 0.1 * g
        meta = meta + (x @ fast - y).pow(2).mean()
    opt.zero_grad()
    meta.backward()
    opt.step()


# %% A running mean in a buffer that the layer writes itself
class Norm(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n))
        self.g = torch.nn.Parameter(torch.ones(n))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return (x - self.mean) * self.g


net = torch.nn.Sequential(torch.nn.Linear(2, 3), Norm(3), torch.nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    (net(torch.randn(5, 2)) - 1).pow(2).mean().backward()
    opt.step()


# %% A mixture of experts with a straight-through choice
gate, experts = torch.nn.Linear(2, 3), torch.nn.ModuleList([torch.nn.Linear(2, 1) for _ in range(3)])
opt = torch.optim.SGD([*gate.parameters(), *experts.parameters()], lr=0.1)
for i in range(4):
    x = torch.randn(8, 2)
    p = gate(x).softmax(-1)
    hard = torch.nn.functional.one_hot(p.argmax(-1), 3).float()
    w = hard + p - p.detach()
    y = torch.stack([e(x) for e in experts], -1).squeeze(1)
    loss = ((w * y).sum(-1) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A loop variable that had been another parameter
p, q = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
net = torch.nn.Linear(3, 1)
# %%
net.zero_grad()
net(torch.randn(4, 3)).pow(2).mean().backward()
for p in net.parameters():
    print(p.grad.norm())
norms = [q.grad.norm() for q in net.parameters()]
net.zero_grad()
