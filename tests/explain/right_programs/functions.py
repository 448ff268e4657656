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

# %% A rounding that lets the gradient straight through, in a layer
import torch
from torch import nn

torch.manual_seed(0)


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels):
        ctx.save_for_backward(x)
        return (x.clamp(-1, 1) * levels).round() / levels

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1).to(grad.dtype), None


class Quantized(nn.Linear):
    def forward(self, x):
        return nn.functional.linear(x, Straight.apply(self.weight, 8), self.bias)


# %%
net = nn.Sequential(Quantized(4, 16), nn.ReLU(), Quantized(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(32, 4)
for it in range(15):
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% A gradient that is turned around for a domain classifier
import torch
from torch import nn

torch.manual_seed(0)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.factor * grad, None


class Dann(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 12), nn.ReLU())
        self.label, self.domain = nn.Linear(12, 2), nn.Linear(12, 2)

    def forward(self, x, factor):
        h = self.features(x)
        return self.label(h), self.domain(Reverse.apply(h, factor))


# %%
model = Dann()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for it in range(15):
    x = torch.randn(32, 4)
    x[16:] += 0.5
    domains = torch.arange(2).repeat_interleave(16)
    scores, which = model(x, factor=it / 15)
    loss = nn.functional.cross_entropy(scores[:16], (x[:16, 0] > 0).long()) + nn.functional.cross_entropy(
        which, domains
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
