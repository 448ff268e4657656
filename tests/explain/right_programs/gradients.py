# %% A deep network of relus with He's initial weights
net = torch.nn.Sequential(
    *[m for i in range(20) for m in (torch.nn.Linear(16, 16), torch.nn.ReLU())], torch.nn.Linear(16, 1)
)
for layer in net[::2]:
    torch.nn.init.kaiming_normal_(layer.weight)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
x = torch.randn(32, 16)
for step in range(4):
    opt.zero_grad()
    loss = (net(x) - x[:, :1]).pow(2).mean()
    loss.backward()
    opt.step()


# %% A deep network of tanh, which is normalised
net = torch.nn.Sequential(
    *[m for i in range(15) for m in (torch.nn.Linear(8, 8), torch.nn.LayerNorm(8), torch.nn.Tanh())]
)
loss = net(torch.randn(4, 8)).pow(2).mean()
loss.backward()


# %% A deep residual network
layers = torch.nn.ModuleList([torch.nn.Linear(8, 8) for i in range(40)])
h = torch.randn(4, 8)
for layer in layers:
    h = h + 0.1 * torch.sigmoid(layer(h))
loss = h.mean()
loss.backward()


# %% A long sequence through an LSTM
lstm, head = torch.nn.LSTM(4, 8), torch.nn.Linear(8, 1)
opt = torch.optim.Adam([*lstm.parameters(), *head.parameters()], lr=0.01)
out, _ = lstm(torch.randn(50, 2, 4))
loss = head(out[-1]).pow(2).mean()
loss.backward()
opt.step()


# %% A recurrent network whose gradients are clipped
rnn = torch.nn.RNN(4, 8, nonlinearity="relu")
opt = torch.optim.SGD(rnn.parameters(), lr=0.01)
for step in range(2):
    opt.zero_grad()
    out, _ = rnn(5 * torch.randn(30, 2, 4))
    loss = out.pow(2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    opt.step()


# %% A regression that has converged
w = torch.tensor([2.0, -1.0], requires_grad=True)
x = torch.randn(20, 2)
y = x @ torch.tensor([2.0, -1.0]) + 1e-4 * torch.randn(20)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(4):
    opt.zero_grad()
    loss = (x @ w - y).pow(2).mean()
    loss.backward()
    opt.step()


# %% A hinge loss that is already 0
w = torch.tensor([4.0, 4.0], requires_grad=True)
x = torch.rand(30, 2) + 1
loss = torch.relu(1 - x @ w).mean()
loss.backward()


# %% Sigmoids of which some are saturated
net = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.Sigmoid(), torch.nn.Linear(16, 1))
x = 20 * torch.randn(16, 4)
loss = net(x).pow(2).mean()
loss.backward()


# %% A straight-through estimator for signs
w = torch.randn(6, requires_grad=True)
x = torch.randn(10, 6)
signs = w + (w.sign() - w).detach()
loss = (x @ signs - 1).pow(2).mean()
loss.backward()


# %% A straight-through estimator as a Function
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


w = torch.randn(6, requires_grad=True)
loss = (Round.apply(w * 4) / 4 - 0.3).pow(2).mean()
loss.backward()


# %% A surrogate gradient for spikes
class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + 10 * v.abs()) ** 2


w = torch.randn(4, 6, requires_grad=True)
spikes = Spike.apply(torch.randn(8, 4) @ w)
loss = (spikes.mean(0) - 0.5).pow(2).sum()
loss.backward()


# %% A gradient that is reversed
class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.weight = weight
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.weight * grad, None


features, domain = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
h = features(torch.randn(8, 3))
loss = torch.nn.functional.cross_entropy(domain(Reverse.apply(h, 0.3)), torch.randint(0, 2, (8,)))
loss.backward()


# %% A Function of two tensors, one of them broadcast
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad * w, (grad * x).sum(0)


x = torch.randn(5, 3)
w = torch.randn(3, requires_grad=True)
loss = Scale.apply(x, w).pow(2).mean()
loss.backward()


# %% A Function with a stable form and a corner
class SoftShrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x)
        ctx.bound = bound
        return x.sign() * (x.abs() - bound).clamp(min=0)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() > ctx.bound), None


x = torch.randn(20, requires_grad=True)
y = SoftShrink.apply(x, 0.5)
y.sum().backward()


# %% Dropout as a Function
class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = (torch.rand(x.shape) > 0.5).to(x.dtype)
        return x * ctx.mask * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.mask * 2


x = torch.randn(20, requires_grad=True)
Drop.apply(x).sum().backward()


# %% A hook that clips the gradient of each weight
net = torch.nn.Linear(3, 1)
for p in net.parameters():
    p.register_hook(lambda grad: grad.clamp(-1, 1))
loss = (100 * net(torch.randn(4, 3))).pow(2).mean()
loss.backward()


# %% Hooks that record
sizes = []
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
for layer in net:
    layer.register_full_backward_hook(lambda module, came, went: sizes.append(went[0].norm().item()))
x = torch.randn(4, 3, requires_grad=True)
net(x).pow(2).mean().backward()


# %% Accuracy, which is no part of the loss
net = torch.nn.Linear(4, 3)
x, y = torch.randn(10, 4), torch.randint(0, 3, (10,))
scores = net(x)
loss = torch.nn.functional.cross_entropy(scores, y)
accuracy = (scores.argmax(1) == y).float().mean().item()
loss.backward()


# %% Hard negatives are chosen by index
net = torch.nn.Linear(4, 8)
anchor, positive, others = net(torch.randn(2, 4)), net(torch.randn(2, 4)), net(torch.randn(6, 4))
hardest = torch.cdist(anchor, others).argmin(1)
loss = (
    (
        torch.nn.functional.pairwise_distance(anchor, positive)
        - torch.nn.functional.pairwise_distance(anchor, others[hardest])
        + 1
    )
    .relu()
    .mean()
)
loss.backward()


# %% An action is drawn, and its probability learns
policy = torch.nn.Linear(3, 2)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
states = torch.randn(6, 3)
log_p = policy(states).log_softmax(1)
actions = log_p.exp().multinomial(1)
reward = torch.rand(6)
loss = -(log_p.gather(1, actions).squeeze(1) * reward).mean()
loss.backward()
opt.step()


# %% Labels of a teacher
teacher, student = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(6, 3)
labels = teacher(x).argmax(1)
loss = torch.nn.functional.cross_entropy(student(x), labels)
loss.backward()
opt.step()


# %% Interpolation between two places of a table
table = torch.randn(10, requires_grad=True)
place = torch.tensor([1.3, 4.6], requires_grad=True)
below = place.floor().long()
part = place - place.floor()
value = table[below] * (1 - part) + table[below + 1] * part
value.sum().backward()


# %% A loss decides when to stop
w = torch.tensor([3.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.3)
for step in range(20):
    opt.zero_grad()
    loss = (w - 1).pow(2).sum()
    loss.backward()
    opt.step()
    if loss.item() < 1e-2:
        break


# %% Data from NumPy, converted
import numpy

x = torch.from_numpy(numpy.random.RandomState(0).rand(8, 3)).float()
y = torch.as_tensor(numpy.arange(8), dtype=torch.float32)
net = torch.nn.Linear(3, 1)
loss = (net(x)[:, 0] - y).pow(2).mean()
loss.backward()


# %% All of it in float64
import numpy

x = torch.from_numpy(numpy.random.RandomState(0).rand(8, 3))
net = torch.nn.Linear(3, 1).double()
loss = net(x).pow(2).mean()
loss.backward()


# %% A permuted image in rows
image = torch.rand(3, 4, 5)
rows = image.permute(1, 2, 0).reshape(20, 3)
rows[rows < 0.5] = 0
brightness = rows.mean(1)


# %% A critic of relus with a gradient penalty: its second derivative is 0
critic = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
opt = torch.optim.Adam(critic.parameters())
for step in range(3):
    real, fake, share = torch.randn(8, 2), torch.randn(8, 2), torch.rand(8, 1)
    between = (share * real + (1 - share) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    loss = critic(fake).mean() - critic(real).mean() + 10 * ((slope.norm(dim=1) - 1) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Learning to learn: a step of descent is differentiated
w = torch.randn(3, 1, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)


def adapted(w, x, y):
    loss = ((x @ w - y) ** 2).mean()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    return w - 0.1 * g


for step in range(3):
    x, y = torch.randn(5, 3), torch.randn(5, 1)
    loss = ((x @ adapted(w, x, y) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% The equation of a spring, by a network
net = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    t = torch.rand(5, 1, requires_grad=True)
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    (ddu,) = torch.autograd.grad(du.sum(), t, create_graph=True)
    loss = (ddu + u).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% The nearest code word, with a gradient that passes straight through
encoder = torch.nn.Linear(3, 2)
codes = torch.nn.Parameter(torch.randn(5, 2))
opt = torch.optim.Adam([*encoder.parameters(), codes])
for step in range(3):
    z = encoder(torch.randn(6, 3))
    nearest = codes[torch.cdist(z, codes).argmin(1)]
    out = z + (nearest - z).detach()
    loss = out.pow(2).sum() + ((nearest - z.detach()) ** 2).sum() + 0.25 * ((z - nearest.detach()) ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
